"""Groups: one threshold for all, one for each, and what equal rates cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.comparison.group_bootstrap import GroupBootstrap, GroupRows, Rule, resample_groups
from isocost.comparison.group_hulls import RuleHull, hull_for_all, hull_points, hulls_of_groups
from isocost.comparison.group_points import GroupPoints, named_codes, points_by_group
from isocost.comparison.group_results import (
    CRITERIA,
    Criterion,
    GroupChoice,
    GroupDecision,
    OneForAll,
    ParityChoice,
    PriceCurve,
)
from isocost.comparison.priced_groups import PricedGroups
from isocost.conditions import Condition
from isocost.engines.any_frame import require_in_memory
from isocost.engines.cases import Cases, read_columns
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.results.plurals import counted
from isocost.results.result import Result
from isocost.validate import Floats

Prevalence = Literal["own", "condition"]
PREVALENCES: tuple[Prevalence, ...] = ("own", "condition")


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Result):
    """One or several models used in several groups of cases: sites, products, regions, or groups named in a regulation.

    Costs are those of one `Condition`; each group keeps its own prevalence in the data unless told otherwise. A dict of group to
    Condition is taken as it is. isocost prices requirements; it does not judge them.

    Attributes
    ----------
    names : tuple of str
        The groups, sorted.
    models : tuple of str
    shares : dict of str to float
        Share of all cases, by weight.

    Examples
    --------
    >>> import isocost as ic
    >>> groups = ic.Groups.from_scores([1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.4, 0.6, 0.8, 0.3], ["a", "a", "b", "b", "b", "a"])
    >>> groups
    <Groups: 2 groups, 1 model, 6 cases>
    >>> groups.decide(ic.Condition()).thresholds
    {'a': 0.9, 'b': 0.8}
    >>> round(float(groups.cost_of_one_threshold(ic.Condition())), 4)
    0.0
    """

    names: tuple[str, ...]
    models: tuple[str, ...]
    _points: GroupPoints
    _cases: int
    _rows: GroupRows | None = field(default=None, metadata={"rows": True})

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        scores: ArrayLike | Mapping[str, ArrayLike],
        group: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
    ) -> Groups:
        """Return the groups of labelled and scored cases.

        Parameters
        ----------
        y_true : array of shape (n,)
            Two classes, as in `ScoreCounts.from_arrays`; a group may have one class only.
        scores : array of shape (n,), dict of name to array, or dataframe
            One model, called "score", or several.
        group : array of shape (n,)
            Which group a case belongs to.
        sample_weight, pos_label : optional
            As in `ScoreCounts.from_arrays`.
        """
        several = isinstance(scores, Mapping) or hasattr(type(scores), "columns")
        given: dict[str, Any] = validate.by_name(scores) if several else {"score": scores}
        rows = Cases.from_scores(y_true, given, sample_weight, pos_label, None)
        validate.aligned(y_true=y_true, group=group)
        marks = validate.groups(group, "group")
        validate.same_length(y_true=rows.positive, group=marks)
        names, codes = named_codes(marks)
        points = points_by_group(codes, len(names), rows.positive, list(rows.scores.values()), rows.weights)
        if not points.share.all():
            empty = names[int(np.argmin(points.share))]
            raise InputError(f"the weights of group {empty!r} sum to 0: leave its rows out")
        held = GroupRows(rows.positive, codes, tuple(rows.scores.values()), rows.weights)
        return cls(names, tuple(rows.scores), points, rows.positive.size, held)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        label: str,
        scores: str | Sequence[str],
        group: str,
        weight: str | None = None,
        pos_label: Any = None,
    ) -> Groups:
        """Return the groups of a dataframe's rows, which must be in memory; the arguments name its columns.

        Examples
        --------
        >>> import isocost as ic, pandas as pd
        >>> frame = pd.DataFrame({"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "site": ["n", "n", "s", "s"]})
        >>> ic.Groups.from_frame(frame, label="y", scores="s", group="site").names
        ('n', 's')
        """
        models = validate.names([scores] if isinstance(scores, str) else scores, "score column")
        require_in_memory(frame, "a comparison of groups")
        data = read_columns(frame, [label, *models, group, *([] if weight is None else [weight])])
        return cls.from_scores(
            data[label], {name: data[name] for name in models}, data[group],
            sample_weight=None if weight is None else data[weight], pos_label=pos_label,
        )  # fmt: skip

    @cached_property
    def shares(self) -> dict[str, float]:
        """Share of all cases, by weight."""
        return dict(zip(self.names, self._points.share.tolist(), strict=True))

    def hull(self, group: str) -> tuple[Floats, Floats]:
        """Return fpr and tpr of the vertices of a group's hull, all models together; a rate of an absent class is 0.

        Examples
        --------
        >>> import isocost as ic
        >>> groups = ic.Groups.from_scores([1, 0, 1, 0], [4, 3, 2, 1], ["n", "n", "n", "n"])
        >>> [rate.tolist() for rate in groups.hull("n")]
        [[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0]]
        """
        points, g = self._points, self.names.index(validate.choice(group, "group", self.names))
        kept = hull_points(points, g)
        return points.fpr[kept], points.tpr[kept]

    def rule_hulls(self, *, prevalence: Prevalence = "own") -> tuple[dict[str, RuleHull], RuleHull]:
        """Return the rules of each group that are cheapest at some costs, and those of one threshold for all.

        At any costs that are the same in all groups, and at prevalences as in `conditions`, one of them is the cheapest.

        Examples
        --------
        >>> import isocost as ic
        >>> each, one = ic.Groups.from_scores([1, 0, 1, 0], [4, 3, 2, 1], ["n", "n", "s", "s"]).rule_hulls()
        >>> one.rule
        ('flag nobody', 'flag score ≥ 4', 'flag score ≥ 2', 'flag score ≥ 1')
        """
        validate.choice(prevalence, "prevalence", PREVALENCES)
        points = self._points
        share = points.prevalence if prevalence == "own" else np.full(points.share.size, 0.5)
        whole = hull_for_all(points, self.models, points.share * (1 - share), points.share * share)
        return dict(zip(self.names, hulls_of_groups(points, self.models), strict=True)), whole

    def conditions(
        self, condition: Condition | Mapping[str, Condition], *, prevalence: Prevalence = "own"
    ) -> dict[str, Condition]:
        """Return the condition that each group is priced at.

        Parameters
        ----------
        condition : Condition, or dict of group to Condition
            A dict is taken as it is.
        prevalence : {"own", "condition"}
            With one Condition: each group's own share of positives in the data, or that of the condition.
        """
        validate.choice(prevalence, "prevalence", PREVALENCES)
        if isinstance(condition, Mapping):
            for name in condition:
                if name not in self.names:
                    raise UnknownNameError("group", name, self.names)
            lacking = [name for name in self.names if name not in condition]
            if lacking:
                raise InputError(f"condition lacks the group {lacking[0]!r}: give every group a Condition")
            found = {name: condition[name] for name in self.names}
        elif prevalence == "own" and isinstance(condition, Condition):
            own = self._points.prevalence.tolist()
            made = {p: replace(condition, prevalence=p) for p in set(own)}
            found = {name: made[p] for name, p in zip(self.names, own, strict=True)}
        else:
            found = dict.fromkeys(self.names, condition)
        for at in found.values():
            if not isinstance(at, Condition):
                raise ConditionError(f"condition must be a Condition or a dict of group to Condition, got {at!r}")
        prevalence_of = np.array([at.prevalence for at in found.values()])
        for kind, total, weight in (
            ("positive", self._points.positives, prevalence_of),
            ("negative", self._points.negatives, 1 - prevalence_of),
        ):
            for g in np.flatnonzero((total == 0) & (weight > 0))[:1].tolist():
                raise ConditionError(
                    f"group {self.names[g]!r} has no {kind} cases, but its condition expects some: "
                    "use prevalence='own' or leave it out"
                )
        return found

    def case_weights(self, condition: Condition | Mapping[str, Condition], *, prevalence: Prevalence = "own") -> Floats:
        """Return weights of the cases that give every group the prevalence it is priced at and keep its share.

        With these weights, all cases together have the rates and the prevalence of all groups together, so one threshold for all can be
        decided and resampled as for any other cases.

        Examples
        --------
        >>> import isocost as ic
        >>> groups = ic.Groups.from_scores([1, 0, 0, 1, 0], [5, 4, 3, 2, 1], ["a", "a", "a", "b", "b"])
        >>> groups.case_weights(ic.Condition(prevalence=0.5), prevalence="condition").round(12).tolist()
        [1.5, 0.75, 0.75, 1.0, 1.0]
        """
        at, rows = self.conditions(condition, prevalence=prevalence), self._held("case_weights")
        weight = np.ones(rows.positive.size) if rows.weights is None else rows.weights.astype(np.float64)
        factor = np.ones((len(self.names), 2))
        for g, (share, own) in enumerate(zip(self._points.prevalence.tolist(), at.values(), strict=True)):
            now = (1 - share, share)
            asked = (1 - own.prevalence, own.prevalence)
            factor[g] = [a / b if b > 0 and a != b else 1.0 for a, b in zip(asked, now, strict=True)]
        return np.asarray(weight * factor[rows.codes, rows.positive.astype(np.intp)])

    def decide(
        self,
        condition: Condition | Mapping[str, Condition],
        *,
        thresholds: Literal["each", "one"] = "each",
        prevalence: Prevalence = "own",
    ) -> GroupDecision:
        """Return the cheapest model and threshold of each group, or the one pair that is cheapest for all together.

        Parameters
        ----------
        condition, prevalence
            As in `conditions`.
        thresholds : {"each", "one"}
        """
        validate.choice(thresholds, "thresholds", ("each", "one"))
        priced = self._priced(condition, prevalence)
        return priced.each() if thresholds == "each" else priced.one()

    def cost_of_one_threshold(
        self, condition: Condition | Mapping[str, Condition], *, prevalence: Prevalence = "own"
    ) -> OneForAll:
        """Return how much more one model and one threshold for all groups cost than one for each."""
        each = self.decide(condition, thresholds="each", prevalence=prevalence)
        one = self.decide(condition, thresholds="one", prevalence=prevalence)
        more = {name: max(one[name].cost - each[name].cost, 0.0) for name in self.names}
        return OneForAll(sum(self.shares[name] * extra for name, extra in more.items()), more, each, one)

    def parity(
        self,
        condition: Condition | Mapping[str, Condition],
        criterion: Criterion = "tpr",
        tolerance: float = 0.0,
        randomised: bool = False,
        *,
        prevalence: Prevalence = "own",
    ) -> ParityChoice:
        """Return the cheapest rule under which a rate differs between groups by no more than a tolerance.

        Parameters
        ----------
        condition, prevalence
            As in `conditions`.
        criterion : {"tpr", "fpr", "flagged", "odds"}
            "flagged" is the share of cases flagged; "odds" is tpr and fpr, each within the tolerance.
        tolerance : float
            Between 0 and 1.
        randomised : bool
            Allow random mixtures of thresholds, which never cost more. Otherwise each group has one threshold.

        References
        ----------
        Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NeurIPS 29.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0, 1, 0, 1, 0], [8, 6, 7, 2, 5, 4, 1, 3]
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 4 + ["b"] * 4)
        >>> groups.parity(ic.Condition(), "tpr", randomised=True)
        <ParityChoice: equal tpr costs 0 per 1000 cases (each group at its own share of positives)>
        """
        validate.choice(criterion, "criterion", CRITERIA)
        within = validate.number(tolerance, "tolerance", low=0.0, high=1.0)
        return self._priced(condition, prevalence).parity(
            criterion, within, randomised=validate.flag(randomised, "randomised")
        )

    def prices(
        self,
        condition: Condition | Mapping[str, Condition],
        *,
        criterion: Literal["tpr", "fpr", "flagged"],
        prevalence: Prevalence = "own",
    ) -> PriceCurve:
        """Return what equal rates cost at every tolerance, exactly, with thresholds mixed at random.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0, 1, 0, 1, 0], [8, 6, 7, 2, 5, 4, 1, 3]
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 4 + ["b"] * 4)
        >>> groups.prices(ic.Condition(), criterion="flagged")
        <PriceCurve: equal flagged share costs nothing>
        """
        validate.choice(criterion, "criterion", CRITERIA[:3])
        closing = self._priced(condition, prevalence).closing(criterion)
        return PriceCurve(criterion, *((np.zeros(1), np.zeros(1)) if closing is None else closing.curve()))

    def bootstrap(
        self,
        condition: Condition | Mapping[str, Condition],
        *,
        criterion: Criterion | None = None,
        tolerance: float = 0.0,
        randomised: bool = False,
        prevalence: Prevalence = "own",
        n_resamples: int = 2000,
        rng: int | np.random.Generator | None = None,
    ) -> GroupBootstrap:
        """Resample the cases of each group and class, to say how sure costs, rates and prices are.

        Parameters
        ----------
        condition, prevalence
            As in `conditions`.
        criterion, tolerance, randomised : optional
            As in `parity`; without a criterion there is no rule of equal rates to ask about.
        n_resamples : int
        rng : int or Generator, optional
            Seed; 0 if not given.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0] * 20, list(range(80))
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 40 + ["b"] * 40)
        >>> groups.bootstrap(ic.Condition(), n_resamples=50)
        <GroupBootstrap: 2 groups, 50 resamples, rules each, one>
        """
        at = self.conditions(condition, prevalence=prevalence)
        rules: dict[Rule, Callable[[Groups], Mapping[str, GroupChoice]]] = {
            "each": lambda groups: groups.decide(at).groups,
            "one": lambda groups: groups.decide(at, thresholds="one").groups,
        }
        if criterion is not None:
            validate.choice(criterion, "criterion", CRITERIA)
            rules["parity"] = lambda groups: groups.parity(at, criterion, tolerance, randomised).groups
        total = validate.whole(n_resamples, "n_resamples", low=1)
        return resample_groups(self, self._held("bootstrap"), at, rules, self._resampled, total, validate.entropy(rng))

    def _held(self, purpose: str) -> GroupRows:
        if self._rows is None:
            raise InputError(f"{purpose} needs the cases, which do not travel in a pickle: build the groups again")
        return self._rows

    def _resampled(self, mass: NDArray[Any]) -> Groups:
        """Return the groups of the same cases with other weights."""
        rows = self._held("bootstrap")
        points = points_by_group(rows.codes, len(self.names), rows.positive, list(rows.scores), mass)
        return replace(self, _points=points)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"shares": self.shares}

    def _priced(self, condition: Condition | Mapping[str, Condition], prevalence: Prevalence) -> PricedGroups:
        at = self.conditions(condition, prevalence=prevalence)
        return PricedGroups(self.models, self._points, at, _prevalences(condition, prevalence))

    def __repr__(self) -> str:
        """Say how many there are."""
        groups, models = counted(len(self.names), "group"), counted(len(self.models), "model")
        return f"<Groups: {groups}, {models}, {self._cases} cases>"


def _prevalences(condition: Condition | Mapping[str, Condition], prevalence: Prevalence) -> str:
    if not isinstance(condition, Condition):
        return "each group at its own condition"
    return (
        "each group at its own share of positives"
        if prevalence == "own"
        else f"{100 * condition.prevalence:.4g} % positive in every group"
    )

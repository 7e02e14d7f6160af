"""Groups: one threshold for all, one for each, and what equal rates cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.comparison.group_points import GroupPoints, cheapest_each, cheapest_for_all, named_codes, points_by_group
from isocost.comparison.group_results import (
    CRITERIA,
    Criterion,
    GroupChoice,
    GroupDecision,
    MixturePart,
    OneForAll,
    ParityChoice,
    PriceCurve,
    checked_tolerance,
)
from isocost.comparison.parity_fixed import cheapest_window
from isocost.comparison.parity_mixed import Closing, LeastCost
from isocost.comparison.parity_odds import Mixture, fixed_odds, mixed_odds
from isocost.conditions import Condition
from isocost.engines.cases import Rows, read_columns
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.results.result import Result
from isocost.validate import Floats

Prevalence = Literal["own", "condition"]
PREVALENCES: tuple[Prevalence, ...] = ("own", "condition")


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Result):
    """One or several models used in several groups of cases: sites, products, regions, or groups that a rule names.

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
    _points: tuple[GroupPoints, ...]
    _cases: int

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
        scores : array of shape (n,), or dict of name to array
            One model, called "score", or several.
        group : array of shape (n,)
            Which group a case belongs to.
        sample_weight, pos_label : optional
            As in `ScoreCounts.from_arrays`.
        """
        given = scores if isinstance(scores, Mapping) else {"score": scores}
        rows = Rows.from_scores(y_true, given, sample_weight, pos_label, None)
        marks = validate.groups(group, "group")
        validate.same_length(y_true=rows.positive, group=marks)
        names, codes = named_codes(marks)
        points = points_by_group(codes, len(names), rows.positive, list(rows.scores.values()), rows.weights)
        for name, found in zip(names, points, strict=True):
            if found.share == 0:
                raise InputError(f"the weights of group {name!r} sum to 0: leave its rows out")
        return cls(names, tuple(rows.scores), tuple(points), rows.positive.size)

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
        """Return the groups of a dataframe's rows; the arguments name its columns.

        Examples
        --------
        >>> import isocost as ic, pandas as pd
        >>> frame = pd.DataFrame({"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "site": ["n", "n", "s", "s"]})
        >>> ic.Groups.from_frame(frame, label="y", scores="s", group="site").names
        ('n', 's')
        """
        models = validate.names([scores] if isinstance(scores, str) else scores, "score column")
        data = read_columns(frame, [label, *models, group, *([] if weight is None else [weight])])
        return cls.from_scores(
            data[label], {name: data[name] for name in models}, data[group],
            sample_weight=None if weight is None else data[weight], pos_label=pos_label,
        )  # fmt: skip

    @cached_property
    def shares(self) -> dict[str, float]:
        """Share of all cases, by weight."""
        return {name: points.share for name, points in zip(self.names, self._points, strict=True)}

    def conditions(
        self, condition: Condition | Mapping[str, Condition], *, prevalence: Prevalence = "own"
    ) -> dict[str, Condition]:
        """Return the condition that each group is priced at.

        Parameters
        ----------
        condition : Condition, or dict of group to Condition
            A dict is taken as it is.
        prevalence : {"own", "condition"}
            Of one Condition: each group's own share of positives in the data, or that of the condition.
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
            found = {
                n: replace(condition, prevalence=p.prevalence) for n, p in zip(self.names, self._points, strict=True)
            }
        else:
            found = dict.fromkeys(self.names, condition)
        for (name, at), points in zip(found.items(), self._points, strict=True):
            if not isinstance(at, Condition):
                raise ConditionError(f"condition must be a Condition or a dict of group to Condition, got {at!r}")
            for kind, total, weight in (
                ("positive", points.positives, at.prevalence),
                ("negative", points.negatives, 1 - at.prevalence),
            ):
                if total == 0 and weight > 0:
                    raise ConditionError(
                        f"group {name!r} has no {kind} cases, but its condition expects some: use prevalence='own' or leave it out"
                    )
        return found

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
        at = self.conditions(condition, prevalence=prevalence)
        words = _prevalences(condition, prevalence)
        if thresholds == "each":
            return self._decision(at, [[(1.0, point)] for point in cheapest_each(self._costs(at))], words)
        points, threshold = cheapest_for_all(self._points, len(self.models), self._costs(at))
        found = self._decision(at, [[(1.0, point)] for point in points], words)
        # Each group has the one threshold, also where none of its own scores is equal to it.
        return replace(found, groups={name: choice.at(threshold) for name, choice in found.groups.items()})

    def cost_of_one_threshold(
        self, condition: Condition | Mapping[str, Condition], *, prevalence: Prevalence = "own"
    ) -> OneForAll:
        """Return what one model and one threshold for all groups cost more than one for each."""
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
            Allow random mixtures of thresholds, which are never dearer. Otherwise one threshold a group.

        References
        ----------
        Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NeurIPS 29.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0, 1, 0, 1, 0], [8, 6, 7, 2, 5, 4, 1, 3]
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 4 + ["b"] * 4)
        >>> groups.parity(ic.Condition(), "tpr", randomised=True)
        <ParityChoice: equal tpr costs 0 per 1000 cases (own prevalence of each group)>
        """
        validate.choice(criterion, "criterion", CRITERIA)
        within = checked_tolerance(tolerance)
        at = self.conditions(condition, prevalence=prevalence)
        each = cheapest_each(self._costs(at))
        free = self._decision(at, [[(1.0, point)] for point in each], _prevalences(condition, prevalence))
        bound, costs = self._bound(criterion), self._costs(at)
        parts: list[Mixture] = [[(1.0, point)] for point in each]
        exact, slope, low = True, None if not randomised else 0.0, None
        if len(bound) > 1 and self._gap(free, bound, criterion) > within + 1e-12:
            if criterion == "odds":
                rates = [[getattr(self._points[g], rate) for g in bound] for rate in ("fpr", "tpr")]
                own = [costs[g] for g in bound]
                if randomised:
                    mixed, _, slope = mixed_odds(rates[0], rates[1], own, within)
                else:
                    points, exact = fixed_odds(rates[0], rates[1], own, within)
                    mixed = [[(1.0, point)] for point in points]
                    if not exact:
                        rest = sum(float(costs[g][each[g]]) for g in range(len(each)) if g not in bound)
                        low = mixed_odds(rates[0], rates[1], own, within)[1] + rest
            else:
                mixed, slope = self._equal_rate(at, bound, costs, each, criterion, within, randomised=randomised)
            for g, mixture in zip(bound, mixed, strict=True):
                parts[g] = mixture
        chosen = self._decision(at, parts, free.prevalence)
        return ParityChoice(
            chosen.groups, criterion, within, bool(randomised), chosen.expected_cost, max(chosen.expected_cost - free.expected_cost, 0.0),
            None if slope is None else 0.01 * slope, self._gap(chosen, bound, criterion),
            tuple(name for g, name in enumerate(self.names) if g not in bound), free, exact,
            chosen.expected_cost if low is None else min(low, chosen.expected_cost),
        )  # fmt: skip

    def prices(
        self,
        condition: Condition | Mapping[str, Condition],
        *,
        criterion: Literal["tpr", "fpr", "flagged"],
        prevalence: Prevalence = "own",
    ) -> PriceCurve:
        """Return what equal rates cost at every tolerance, exactly, thresholds mixed at random.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0, 1, 0, 1, 0], [8, 6, 7, 2, 5, 4, 1, 3]
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 4 + ["b"] * 4)
        >>> groups.prices(ic.Condition(), criterion="flagged")
        <PriceCurve: equal flagged share costs nothing>
        """
        validate.choice(criterion, "criterion", CRITERIA[:3])
        at = self.conditions(condition, prevalence=prevalence)
        bound, costs = self._bound(criterion), self._costs(at)
        if not bound:
            return PriceCurve(criterion, np.zeros(1), np.zeros(1))
        closing = Closing.of([LeastCost.of(self._rate(g, at, criterion), costs[g]) for g in bound])
        return PriceCurve(criterion, *closing.curve())

    def _costs(self, at: Mapping[str, Condition]) -> list[Floats]:
        """Return the cost of every point of each group, per case of all groups together."""
        return [points.share * points.cost(at[name]) for name, points in zip(self.names, self._points, strict=True)]

    def _rate(self, g: int, at: Mapping[str, Condition], criterion: Criterion) -> Floats:
        points = self._points[g]
        if criterion == "flagged":
            return points.flagged(at[self.names[g]].prevalence)
        return points.tpr if criterion == "tpr" else points.fpr

    def _bound(self, criterion: Criterion) -> list[int]:
        """Return the groups that have the rates a criterion is about."""
        needed = {"tpr": ("positives",), "fpr": ("negatives",), "odds": ("positives", "negatives"), "flagged": ()}[
            criterion
        ]
        return [g for g, points in enumerate(self._points) if all(getattr(points, total) > 0 for total in needed)]

    def _equal_rate(
        self, at: Mapping[str, Condition], bound: list[int], costs: list[Floats], each: list[int], criterion: Criterion,
        tolerance: float, *, randomised: bool,
    ) -> tuple[list[Mixture], float | None]:  # fmt: skip
        rates = [self._rate(g, at, criterion) for g in bound]
        if not randomised:
            points = cheapest_window(rates, [costs[g] for g in bound], tolerance)
            assert points is not None  # noqa: S101 - flagging nobody is always possible
            return [[(1.0, point)] for point in points], None
        least = [LeastCost.of(rate, costs[g]) for rate, g in zip(rates, bound, strict=True)]
        low, high, slope = Closing.of(least).closed(tolerance)
        mixed = []
        for one, rate, g in zip(least, rates, bound, strict=True):
            own = float(rate[each[g]])
            # Of equally cheap rules one without a mixture.
            pure = [each[g], *(int(one.point[k]) for k in (one.low, one.high))]
            kept = [point for point in pure if low <= float(rate[point]) <= high]
            mixed.append([(1.0, kept[0])] if kept else one.mixed(min(max(own, low), high)))
        return mixed, slope

    def _decision(self, at: Mapping[str, Condition], parts: Sequence[Mixture], prevalence: str) -> GroupDecision:
        groups = {
            name: self._choice(g, name, at[name], mixture)
            for g, (name, mixture) in enumerate(zip(self.names, parts, strict=True))
        }
        total = sum(choice.share * choice.cost for choice in groups.values())
        return GroupDecision(groups, total, self.shares, prevalence)

    def _choice(self, g: int, name: str, condition: Condition, mixture: Mixture) -> GroupChoice:
        points = self._points[g]
        parts = tuple(
            MixturePart(
                p,
                self.models[int(points.model[i])],
                float(points.threshold[i]),
                float(points.fpr[i]),
                float(points.tpr[i]),
            )
            for p, i in mixture
        )
        fpr, tpr = (sum(part.probability * getattr(part, rate) for part in parts) for rate in ("fpr", "tpr"))
        single = parts[0] if len(parts) == 1 else None
        flagged = condition.prevalence * tpr + (1 - condition.prevalence) * fpr
        return GroupChoice(
            name, points.share, None if single is None else single.model, None if single is None else single.threshold,
            fpr if points.negatives > 0 else float("nan"), tpr if points.positives > 0 else float("nan"), flagged,
            condition.expected_cost(fpr, tpr), condition, points.positives, points.negatives, parts,
        )  # fmt: skip

    def _gap(self, decision: GroupDecision, bound: Sequence[int], criterion: Criterion) -> float:
        """Return the largest difference of rates between the groups that have them."""
        chosen = [decision.groups[self.names[g]] for g in bound]
        names = ("fpr", "tpr") if criterion == "odds" else (criterion,)
        return max(
            (float(np.ptp([getattr(choice, name) for choice in chosen])) for name in names if chosen), default=0.0
        )

    def __repr__(self) -> str:
        """Say how many there are."""
        models = "1 model" if len(self.models) == 1 else f"{len(self.models)} models"
        groups = "1 group" if len(self.names) == 1 else f"{len(self.names)} groups"
        return f"<Groups: {groups}, {models}, {self._cases} cases>"


def _prevalences(condition: Condition | Mapping[str, Condition], prevalence: Prevalence) -> str:
    if not isinstance(condition, Condition):
        return "each group at its own condition"
    return (
        "own prevalence of each group"
        if prevalence == "own"
        else f"{100 * condition.prevalence:.4g} % positive in every group"
    )

"""Groups of cases: thresholds and their costs in each, equal rates, and how sure the differences are."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.conditions import Condition
from isocost.data import checks
from isocost.data.cases import Cases, read_columns
from isocost.data.checks import Floats
from isocost.data.count import cumulated
from isocost.data.frames import FrameCases, is_lazy
from isocost.data.joint import JointCounts, count_together
from isocost.errors import FewCasesWarning
from isocost.groups.parity import PricedGroups
from isocost.groups.points import GroupPoints, GroupRows, hull_points, named_codes
from isocost.groups.results import CRITERIA, Criterion, GroupChoice, GroupDecision, OneForAll, ParityChoice, PriceCurve
from isocost.inference.confidence import JUDGES, A, Four, ends, minus
from isocost.inference.intervals import Interval
from isocost.numbers import counted
from isocost.results import Result

Rule = Literal["each", "one", "parity"]
What = Literal["cost", "extra_cost", "price"]
Prevalence = Literal["own", "condition"]
Priced = Condition | Mapping[str, Condition]

_FEW = 20
# More take minutes to choose for, and rates equal in all of them longer.
MOST_GROUPS = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class GroupBootstrap(Result):
    """Rules chosen on the data and on resamples of the cases of each group and class.

    Attributes
    ----------
    names : tuple of str
        The groups.
    n_resamples : int
    rules : tuple of str
        The rules resampled: "each", "one", and "parity" if a criterion was given.
    few : tuple of str
        Groups with fewer than 20 positives or negatives.
    """

    names: tuple[str, ...]
    n_resamples: int
    rules: tuple[Rule, ...]
    few: tuple[str, ...]
    _shares: Floats
    # What each rule costs in each group: here, on cases left out, and on every resample with its own and with others' rules.
    _costs: dict[Rule, tuple[Floats, Floats, Floats, Floats]]

    def interval(self, what: What, *, group: str | None = None, rule: Rule = "each", level: float = 0.90) -> Interval:
        """Return limits for one number: of all groups together, or of one.

        Parameters
        ----------
        what : {"cost", "extra_cost", "price"}
            What a rule costs per case; how much more one threshold for all costs than one for each; what equal rates cost.
        group : str, optional
        rule : {"each", "one", "parity"}
            For "cost".
        level : float

        Notes
        -----
        A rule looks better on the cases it was chosen on. Every resample chooses again and pays on the cases it left out, so costs and
        differences of costs have the estimate and the limits of `isocost.inference.confidence.ends`, as every decision has. Differences
        may be negative: one threshold for all is never cheaper on the cases it was chosen on, and often is on new ones.
        """
        costlier = {"cost": rule, "extra_cost": "one", "price": "parity"}[checks.choice(what, "what", get_args(What))]
        checks.choice(costlier, "rule (bootstrap resamples 'parity' with criterion=)", self.rules)
        share, weight = checks.level(level), self._shares
        if group is not None:
            weight = np.eye(len(self.names))[self.names.index(checks.choice(group, "group", self.names))]
        here, *others = (part @ weight for part in self._costs[costlier])
        four: Four = (float(here), float(others[0]), others[1], others[2])
        if what != "cost":
            cheaper = [part @ weight for part in self._costs["each"]]
            four = minus(four, (float(cheaper[0]), float(cheaper[1]), cheaper[2], cheaper[3]))
        estimate, low, high, _ = ends(*four, share)
        about = (group or "all groups",)
        return Interval(low, high, estimate, four[0], share, what, about, "chosen anew, paid for on cases left out")

    def __repr__(self) -> str:
        text = f"{len(self.names)} groups, {self.n_resamples} resamples, rules {', '.join(self.rules)}"
        few = f"; {len(self.few)} with fewer than {_FEW} positives or negatives" if self.few else ""
        return f"<GroupBootstrap: {text}{few}>"


def _resampled(
    priced: PricedGroups,
    rows: GroupRows,
    rules: dict[Rule, Callable[[PricedGroups], GroupDecision | ParityChoice]],
    n_resamples: int,
    seed: tuple[int, ...],
) -> GroupBootstrap:
    """Choose the rules on the data and on every resample, and pay for them there, on the three after it and on the cases left out."""
    names, total = tuple(priced.at), max(n_resamples, JUDGES + 1)

    def draws() -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
        """Go through how often each row is drawn, and what it then counts: the same every time."""
        generator = np.random.default_rng(list(seed))
        for _ in range(total):
            drawn = rows.multiplicities(generator)
            yield drawn, drawn if rows.weights is None else drawn * rows.weights

    picked: dict[Rule, list[list[GroupChoice]]] = {name: [] for name in rules}
    for _, mass in draws():
        again = replace(priced, points=rows.points(mass))
        for name, rule in rules.items():
            picked[name].append(list(rule(again).groups.values()))
    found = {}
    for name, picks in picked.items():
        own, cross = np.zeros((2, total, rows.groups))
        outside, corrected = np.zeros((2, 2, rows.groups)), np.zeros((2, rows.groups))
        for b, (drawn, mass) in enumerate(draws()):
            flagged = rows.flagged(priced.models, picks[b])
            outside += rows.sums(flagged, rows.left_out(drawn))
            mine = _rates(*rows.sums(flagged, mass))
            # Counted from the end before the first.
            judged = (_rates(*rows.sums(rows.flagged(priced.models, picks[b - q]), mass)) for q in range(1, JUDGES + 1))
            others = sum(judged, np.zeros_like(mine)) / JUDGES
            own[b], cross[b] = priced.paid(mine), priced.paid(others)
            corrected += (A * others - (A - 1) * mine) / total
        here = np.array([choice.cost for choice in rules[name](priced).groups.values()])
        # A class of one case is never left out: it has the mean of the corrected rates.
        left = priced.paid(np.where(outside[1] > 0, _rates(*outside), corrected))
        found[name] = here, left, own, cross
    few = tuple(name for name, size in zip(names, rows.fewest.tolist(), strict=True) if size < _FEW)
    if few:
        text = f"Fewer than {_FEW} positives or negatives in {checks.listed(few)}: intervals there cover less than their level"
        warnings.warn(text, FewCasesWarning, stacklevel=3)
    return GroupBootstrap(names, total, tuple(rules), few, priced.points.share, found)


def _required(criterion: Any, tolerance: Any, randomised: Any) -> tuple[Criterion, float, bool]:
    """Check which rates are to be equal, up to what, and whether thresholds may be mixed."""
    asked: Any = checks.choice(criterion, "criterion", CRITERIA)
    mixed = checks.flag(randomised, "randomised")
    checks.needed(mixed or asked != "odds" or None, "equal odds take thresholds mixed at random: pass randomised=")
    return asked, checks.number(tolerance, "tolerance", low=0.0, high=1.0), mixed


def _rates(hit: Floats, total: Floats) -> Floats:
    """Return fpr and tpr in each group, 0 for an absent class; shape (2, groups)."""
    return np.asarray(hit / np.where(total > 0, total, 1.0))


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Result):
    """One or several models used in several groups of cases: sites, products, regions, or groups named in a regulation.

    Costs are those of one `Condition`; each group keeps its own prevalence in the data unless `prevalence` says otherwise. A dict of group
    to Condition is taken as it is. isocost prices requirements; it does not judge them.

    Attributes
    ----------
    names : tuple of str
        The groups, sorted.
    models : tuple of str
    shares : dict of str to float
        Share of all cases, by weight.

    See Also
    --------
    Comparison.decide, isocost.limit_confidence

    Examples
    --------
    >>> import isocost as ic
    >>> groups = ic.Groups.from_scores([1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.4, 0.6, 0.8, 0.3], ["a", "a", "b", "b", "b", "a"])
    >>> groups
    <Groups: 2 groups, 1 model, 6 cases>
    >>> groups.decide(ic.Condition()).thresholds
    {'a': 0.9, 'b': 0.8}
    >>> groups.cost_of_one_threshold(ic.Condition()).extra_cost
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
        given: dict[str, Any] = checks.by_name(scores) if several else {"score": scores}
        rows = Cases.from_scores(y_true, given, sample_weight, pos_label, None)
        checks.aligned(y_true=y_true, group=group)
        marks = checks.groups(group, "group")
        checks.same_length(y_true=rows.positive, group=marks)
        names, codes = named_codes(marks)
        held = GroupRows(rows.positive, codes, len(names), tuple(rows.scores.values()), rows.weights)
        points = held.points()
        checks.some_of_each(dict(zip(names, points.share.tolist(), strict=True)), "group")
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
        """Return the groups of a dataframe's rows; the arguments name its columns.

        Rows that are not in memory (a Polars LazyFrame, a DuckDB relation, Dask, Spark) are counted where they are, all groups in the same
        queries: thresholds and costs are exact, and resamples draw from joint counts, as in `Comparison.from_frame`. That takes at most
        100 groups.

        Examples
        --------
        >>> import isocost as ic, pandas as pd
        >>> frame = pd.DataFrame({"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "site": ["n", "n", "s", "s"]})
        >>> ic.Groups.from_frame(frame, label="y", scores="s", group="site").names
        ('n', 's')
        """
        models = checks.names([scores] if isinstance(scores, str) else scores, "score column")
        if is_lazy(frame):
            cases = FrameCases.of(frame, label, models, weight, pos_label).parted(group)
            return cls.counted(count_together(cases, models).parts or {})
        data = read_columns(frame, [label, *models, group, *([] if weight is None else [weight])])
        return cls.from_scores(
            data[label], {name: data[name] for name in models}, data[group],
            sample_weight=None if weight is None else data[weight], pos_label=pos_label,
        )  # fmt: skip

    @classmethod
    def counted(cls, joint: Mapping[Any, JointCounts]) -> Groups:
        """Return the groups of joint counts of each, which have their blocks in common."""
        tables = list(checks.instance(joint, "joint", Mapping, "a mapping from groups to JointCounts").values())
        for table in tables or [None]:
            checks.instance(table, "joint", JointCounts, "a mapping from groups to JointCounts")
        models = tables[0].names
        counts = [table.counts[name] for table in tables for name in models]
        totals = np.array([[own.negatives.sum(), own.positives.sum()] for own in counts[:: len(models)]], dtype=float).T
        # Each curve begins with "flag nobody".
        points = GroupPoints.of(
            np.array([1 + len(own) for own in counts]).reshape(-1, len(models)),
            np.concatenate([np.append(np.inf, own.scores) for own in counts]),
            np.concatenate([[cumulated(own.negatives), cumulated(own.positives)] for own in counts], axis=1).astype(float), totals,
        )  # fmt: skip
        size = sum(int(table.positives.sum() + table.negatives.sum()) for table in tables)
        return cls(tuple(map(str, joint)), models, points, size, GroupRows.counted(tables))

    @cached_property
    def shares(self) -> dict[str, float]:
        """Share of all cases, by weight."""
        return dict(zip(self.names, self._points.share.tolist(), strict=True))

    def hull(self, group: str) -> tuple[Floats, Floats]:
        """Return fpr and tpr of the vertices of a group's hull, all models together; a rate of an absent class is 0."""
        points, g = self._points, self.names.index(checks.choice(group, "group", self.names))
        kept = hull_points(points, g)
        return points.fpr[kept], points.tpr[kept]

    def conditions(self, condition: Priced, *, prevalence: Prevalence = "own") -> dict[str, Condition]:
        """Return the condition that each group is priced at.

        Parameters
        ----------
        condition : Condition, or dict of group to Condition
            A dict is taken as it is.
        prevalence : {"own", "condition"}
            With one Condition: each group's own share of positives in the data, or that of the condition.
        """
        checks.choice(prevalence, "prevalence", get_args(Prevalence))
        points, own = self._points, self._points.prevalence.tolist()
        if isinstance(condition, Mapping):
            for name in condition:
                checks.choice(name, "group", self.names)
            lacks = "condition lacks the group {!r}: give every group a Condition"
            found = {name: checks.needed(condition.get(name), lacks.format(name)) for name in self.names}
        elif prevalence == "own" and isinstance(condition, Condition):
            made = {p: replace(condition, prevalence=p) for p in set(own)}
            found = dict(zip(self.names, map(made.__getitem__, own), strict=True))
        else:
            found = dict.fromkeys(self.names, condition)
        expects = "its condition expects some; use prevalence='own' or leave it out"
        for (name, at), positives, negatives in zip(found.items(), points.positives, points.negatives, strict=True):
            checks.instance(at, "condition", Condition, "a Condition or a dict of group to Condition")
            ups, downs = positives or at.prevalence == 0, negatives or at.prevalence == 1
            checks.both_classes(ups, downs, f"group {name!r}", expects)
        return found

    def case_weights(self, condition: Priced, *, prevalence: Prevalence = "own") -> Floats:
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
        at, rows = self.conditions(condition, prevalence=prevalence), self._held("case_weights", counted=False)
        now, wanted = self._points.prevalence, np.array([own.prevalence for own in at.values()])
        now, wanted = np.stack([1 - now, now], axis=1), np.stack([1 - wanted, wanted], axis=1)
        factor = np.divide(wanted, now, out=np.ones_like(now), where=(now > 0) & (wanted != now))
        weight = factor[rows.codes, rows.positive.astype(np.intp)]
        return np.asarray(weight if rows.weights is None else rows.weights * weight)

    def decide(
        self, condition: Priced, *, thresholds: Literal["each", "one"] = "each", prevalence: Prevalence = "own"
    ) -> GroupDecision:
        """Return the cheapest model and threshold of each group, or the one pair that is cheapest for all together.

        Parameters
        ----------
        condition, prevalence
            As in `conditions`.
        thresholds : {"each", "one"}
        """
        checks.choice(thresholds, "thresholds", ("each", "one"))
        priced = self._priced(condition, prevalence)
        return priced.each if thresholds == "each" else priced.one()

    def cost_of_one_threshold(self, condition: Priced, *, prevalence: Prevalence = "own") -> OneForAll:
        """Return how much more one model and one threshold for all groups cost than one for each."""
        priced = self._priced(condition, prevalence)
        each, one = priced.each, priced.one()
        more = {name: max(one[name].cost - each[name].cost, 0.0) for name in self.names}
        return OneForAll(sum(self.shares[name] * extra for name, extra in more.items()), more, each, one)

    def parity(
        self,
        condition: Priced,
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
            "flagged" is the share of cases flagged; "odds" is tpr and fpr, each within the tolerance, which takes mixtures.
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
        <ParityChoice: tpr within 0, 0 more per 1000 cases>
        """
        return self._priced(condition, prevalence).parity(*_required(criterion, tolerance, randomised))

    def prices(
        self, condition: Priced, *, criterion: Literal["tpr", "fpr", "flagged"], prevalence: Prevalence = "own"
    ) -> PriceCurve:
        """Return what equal rates cost at every tolerance, exactly, with thresholds mixed at random.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0, 1, 0, 1, 0], [8, 6, 7, 2, 5, 4, 1, 3]
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 4 + ["b"] * 4)
        >>> groups.prices(ic.Condition(), criterion="flagged")
        <PriceCurve: An equal share flagged costs nothing.>
        """
        checks.choice(criterion, "criterion", CRITERIA[:3])
        closing = self._priced(condition, prevalence).closing(criterion)
        return PriceCurve(criterion, *((np.zeros(1), np.zeros(1)) if closing is None else closing.curve()))

    def bootstrap(
        self,
        condition: Priced,
        *,
        criterion: Criterion | None = None,
        tolerance: float = 0.0,
        randomised: bool = False,
        prevalence: Prevalence = "own",
        n_resamples: int = 200,
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
        priced = self._priced(condition, prevalence)
        rules: dict[Rule, Callable[[PricedGroups], GroupDecision | ParityChoice]] = {
            "each": lambda priced: priced.each,
            "one": lambda priced: priced.one(),
        }
        if criterion is not None:
            required = _required(criterion, tolerance, randomised)
            rules["parity"] = lambda priced: priced.parity(*required)
        total = checks.resamples(n_resamples, each=len(self.names))
        return _resampled(priced, self._held("bootstrap"), rules, total, checks.entropy(rng))

    def _held(self, purpose: str, *, counted: bool = True) -> GroupRows:
        """Return the cases, which may have been counted where they are."""
        rows = self._rows if counted or self._rows is None or self._rows.size is None else None
        advice = "build the groups again" if counted else "build the groups from rows in memory"
        return checks.needed(rows, f"{purpose} needs the cases, which neither pickles nor counts hold: {advice}")

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"shares": self.shares}

    def _priced(self, condition: Priced, prevalence: Prevalence) -> PricedGroups:
        checks.whole(len(self.names), "the number of groups", low=1, high=MOST_GROUPS)
        at = self.conditions(condition, prevalence=prevalence)
        reported = "each group at its own share of positives"
        if not isinstance(condition, Condition):
            reported = "each group at its own condition"
        elif prevalence == "condition":
            reported = f"{100 * condition.prevalence:.4g} % positive in every group"
        return PricedGroups(self.models, self._points, at, reported)

    def __repr__(self) -> str:
        groups, models = counted(len(self.names), "group"), counted(len(self.models), "model")
        return f"<Groups: {groups}, {models}, {self._cases} cases>"

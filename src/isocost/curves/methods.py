"""Ways of choosing thresholds compared: what each costs, where each is cheapest, and what the costs are made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.conditions import Condition, Conditions
from isocost.curves.cost import (
    AXES,
    METHODS,
    Axis,
    CostCurve,
    Method,
    Shares,
    cost_curve,
    envelope,
    inner_roots,
    kendall_curve,
    perfect_ranker_curve,
    rate_driven,
    score_driven,
    trivial_curve,
)
from isocost.curves.roc import RocCurve, takes_curve
from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Drawn, Result, html_table, paragraphs

_BLOCK = 8192

# Values and ends of stretches that differ by less are the same, added up in another order.
_ROUNDING = 4 * np.finfo(np.float64).eps


class Lowest(NamedTuple):
    """A stretch of x on which one curve is the lowest, the first of equal ones; `tied` are equal all over it."""

    which: int
    low: float
    high: float
    tied: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Several curves on pieces that they all have in common; arrays of shape (curves, pieces), as in `CostCurve`."""

    ends: Floats
    left: Floats
    right: Floats
    bend: Floats

    @classmethod
    def of(cls, curves: Sequence[CostCurve], ends: Floats) -> _Pieces:
        """Read the curves between ends that include all their breaks there."""
        middle = (ends[:-1] + ends[1:]) / 2
        left, right, bend = (np.empty((len(curves), middle.size)) for _ in range(3))
        for i, curve in enumerate(curves):
            piece = np.searchsorted(curve.breaks, middle, side="right") - 1
            start, low, high, lift = curve.breaks[piece], curve._left[piece], curve._right[piece], curve._bend[piece]
            width = curve.breaks[piece + 1] - start
            for values, x in ((left, ends[:-1]), (right, ends[1:])):
                u = (x - start) / width
                values[i] = (1 - u) * low + u * high + 4 * lift * u * (1 - u)
            bend[i] = lift * (np.diff(ends) / width) ** 2
        return cls(ends, left, right, bend)

    @property
    def first(self) -> NDArray[np.intp]:
        """The lowest curve in the middle of each piece, the first of equal ones."""
        middle = (self.left + self.right) / 2 + self.bend
        return np.asarray(np.argmax(middle <= middle.min(axis=0) + _ROUNDING, axis=0))

    @property
    def equal(self) -> Bools:
        """Which curves are the lowest at three places inside each piece, which tell two quadratics apart."""
        places = [(1 - u) * self.left + u * self.right + 4 * u * (1 - u) * self.bend for u in (0.25, 0.5, 0.75)]
        return np.asarray(np.all([value <= value.min(axis=0) + _ROUNDING for value in places], axis=0))

    def unsure(self) -> NDArray[np.intp]:
        """Return the pieces inside which the lowest curve may change."""
        first = self.first
        left, right, bend = (part - part[first, np.arange(first.size)] for part in (self.left, self.right, self.bend))
        # A quadratic lies within the range of its ends and of this third corner.
        least = np.minimum(np.minimum(left, right), (left + right) / 2 + 2 * bend)
        earlier = np.arange(len(left))[:, None] < first
        return np.flatnonzero(np.any(np.where(earlier, least <= _ROUNDING, least < -_ROUNDING), axis=0))

    def meetings(self, pieces: NDArray[np.intp]) -> Floats:
        """Return where two curves meet inside some pieces."""
        start, width = self.ends[:-1][pieces], np.diff(self.ends)[pieces]
        found = []
        for a, b in combinations(range(len(self.left)), 2):
            gap = [part[a, pieces] - part[b, pieces] for part in (self.left, self.right, self.bend)]
            found.append(inner_roots(start, width, *(np.where(np.abs(v) < _ROUNDING, 0.0, v) for v in gap)))
        return np.concatenate(found) if found else np.empty(0)


def lowest(curves: Sequence[CostCurve]) -> list[Lowest]:
    """Return the stretches in ascending x; of equal curves the earlier one gets them."""
    breaks = _apart(np.concatenate([[0.0, 1.0], *(curve.breaks for curve in curves)]))
    # In blocks that stay in the cache.
    parts = [_settled(curves, breaks[i : i + _BLOCK + 1]) for i in range(0, breaks.size - 1, _BLOCK)]
    first = np.concatenate([part.first for part in parts])
    equal = np.concatenate([part.equal for part in parts], axis=1)
    ends = np.concatenate([*(part.ends[:-1] for part in parts), [1.0]])
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    tied = np.logical_and.reduceat(equal, starts, axis=1)
    found = []
    for i, (begin, end) in enumerate(zip(starts.tolist(), [*starts[1:].tolist(), first.size], strict=True)):
        which = int(first[begin])
        others = tuple(int(j) for j in np.flatnonzero(tied[:, i]) if j != which)
        found.append(Lowest(which, float(ends[begin]), float(ends[end]), others))
    return found


def _settled(curves: Sequence[CostCurve], breaks: Floats) -> _Pieces:
    """Return pieces inside which no other curve becomes the lowest."""
    pieces = _Pieces.of(curves, breaks)
    unsure = pieces.unsure()
    met = pieces.meetings(unsure) if unsure.size else unsure
    return pieces if not met.size else _Pieces.of(curves, _apart(np.concatenate([breaks, met])))


def _apart(cuts: Floats) -> Floats:
    """Return cuts in ascending order; those that rounding has put apart are one, and the last stays."""
    # Breaks come as runs in order, which a stable sort merges.
    cuts = np.sort(cuts, kind="stable")
    kept = cuts[np.diff(cuts, prepend=-1.0) > _ROUNDING]
    kept[-1] = cuts[-1]
    return np.asarray(kept)


_NEEDS: dict[str, str] = {
    "best": "labelled cases to choose on",
    "score_driven": "calibrated probabilities",
    "rate_driven": "a ranking, and cases in batches",
    "fixed": "nothing",
    "trivial": "no model",
}


@dataclass(frozen=True)
class MethodCost(Result):
    """What one way of choosing the threshold costs.

    Attributes
    ----------
    method : str
        "best", "score_driven", "rate_driven", "fixed", or "trivial" for the cheaper trivial classifier.
    cost : float
        Normalised cost, the mean over the conditions.
    excess : float
        How much more it costs than "best".
    expected_cost : float or None
        Cost per case in the unit of the costs; None for uncertain conditions.
    needs : str
        What the method needs in order to work.
    """

    method: str
    cost: float
    excess: float
    expected_cost: float | None
    needs: str


@dataclass(frozen=True, repr=False)
class ChoiceMethods(Result):
    """What a model costs under each way of choosing its threshold, cheapest first.

    Attributes
    ----------
    rows : tuple of MethodCost
    left_out : dict of str to str
        Methods that cannot be used, and why.
    condition : str
        The conditions, in words.
    prevalence : float
    model : str or None
    """

    _items = "rows"

    rows: tuple[MethodCost, ...]
    left_out: dict[str, str]
    condition: str
    prevalence: float
    model: str | None

    def __getitem__(self, method: str) -> MethodCost:
        """Return the row of a method."""
        known = {row.method: row for row in self.rows}
        checks.choice(method, "method", tuple(known))
        return known[method]

    def _cells(self) -> list[tuple[str, ...]]:
        unit = any(row.expected_cost is not None for row in self.rows)
        head = ("method", "cost", "above best", *(["cost a case"] if unit else []), "needs")
        body = [
            (
                row.method, f"{row.cost:.4f}", f"{row.excess:.4f}", *([f"{row.expected_cost:.4g}"] if unit else []), row.needs,
            )
            for row in self.rows
        ]  # fmt: skip
        return [head, *body]

    def __repr__(self) -> str:
        """Return the table as text."""
        cells = self._cells()
        widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
        lines = [self._title()]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
        ]
        lines += self._left_out()
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *body = self._cells()
        return paragraphs(self._title()) + html_table(head, body) + paragraphs("\n".join(self._left_out()))

    def _title(self) -> str:
        title = "" if self.model is None else f"{self.model}; "
        return f"{title}{self.condition}; at prevalence {self.prevalence:.4g}"

    def _left_out(self) -> list[str]:
        return [f"left out: {method} ({why})" for method, why in self.left_out.items()]


@takes_curve()
def choice_methods(
    curve: RocCurve,
    condition: Condition | Conditions | None = None,
    *,
    threshold: float | None = None,
    prevalence: float | None = None,
    thresholds_from: RocCurve | None = None,
) -> ChoiceMethods:
    """Return what a model costs under each way of choosing its threshold: what re-thresholding or recalibrating would save.

    "score_driven" less "best" is what recalibration saves; "fixed" less "best" is what re-thresholding saves. With scores
    calibrated by `curve.calibrator()`, the score-driven choice is the best one.

    Parameters
    ----------
    curve : RocCurve
    condition : Condition or Conditions, optional
        One condition or a distribution of them; every t equally likely by default.
    threshold : float, optional
        For the row "fixed"; 0.5 by default if the scores are probabilities.
    prevalence : float, optional
        The prevalence at which t is turned into a cost proportion, which the score- and rate-driven choices depend on. By default
        that of the condition, or else the data's own.
    thresholds_from : RocCurve, optional
        Choose the thresholds on other cases than those they are priced on; see `cost_curve`.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2012), A unified view of performance metrics, JMLR 13:2813-2869.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y_true, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y_true, scores["naive_bayes"], name="naive bayes")
    >>> ic.curves.choice_methods(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    naive bayes; a miss costs 5 false alarms, 30 % positive: t = 0.318; at prevalence 0.3
    method        cost    above best     cost a case  needs
    best          0.2345  0.0000         0.516        labelled cases to choose on
    score_driven  0.2427  0.0082         0.534        calibrated probabilities
    rate_driven   0.2633  0.0288         0.5793       a ranking, and cases in batches
    trivial       0.3182  0.0836         0.7          no model
    fixed         0.3532  0.1186         0.777        nothing
    """
    conditions = Conditions.of(condition)
    certain = certain_prevalence(condition)
    if prevalence is not None:
        prevalence = checks.number(prevalence, "prevalence", low=0.0, high=1.0)
    if prevalence is not None and isinstance(condition, Condition) and prevalence != certain:
        raise InputError(f"the condition is at prevalence {certain}, got prevalence={prevalence!r} as well: pass one")
    if prevalence is None:
        prevalence = certain
    pi = Shares.of(curve, "cost_proportion", prevalence).prevalence
    left_out: dict[str, str] = {}

    def curve_of(method: Method, cut: float | None = None, axis: Axis = "pcf") -> CostCurve:
        return cost_curve(
            curve, method=method, threshold=cut, axis=axis, prevalence=pi, thresholds_from=thresholds_from
        )

    # Only what responds to the cost proportion is built over it.
    curves = {"best": curve_of("best"), "trivial": trivial_curve()}
    for method in ("score_driven", "rate_driven"):
        try:
            curves[method] = curve_of(method, axis="cost_proportion")
        except InputError as error:
            left_out[method] = str(error)
    if threshold is None and "score_driven" in curves:
        threshold = 0.5
    try:
        curves["fixed"] = curve_of("fixed", threshold)
    except InputError as error:
        if threshold is not None:
            raise
        left_out["fixed"] = str(error)
    costs = {method: mean_cost(paid, condition) for method, paid in curves.items()}
    rows = [
        MethodCost(method, cost, cost - costs["best"], _in_unit(cost, condition), _NEEDS[method])
        for method, cost in sorted(costs.items(), key=lambda item: item[1])
    ]
    return ChoiceMethods(tuple(rows), left_out, str(conditions), pi, curve.name)


def mean_cost(curve: CostCurve, condition: Condition | Conditions | None) -> float:
    """Return the mean normalised cost over conditions, of a curve on either axis."""
    if not isinstance(condition, Condition):
        return curve.mean_normalised_cost(condition)
    if curve.axis == "pcf":
        return float(curve(condition.pcf))
    # Not by way of t: its rounding could pass a jump.
    c, pi = condition.cost_proportion, condition.prevalence
    return float(curve(c)) / (2 * (c * pi + (1 - c) * (1 - pi)))


def certain_prevalence(condition: Condition | Conditions | None) -> float | None:
    """Return the prevalence of a condition, or the one that all of some conditions share; None if there is none."""
    if isinstance(condition, Condition):
        return condition.prevalence
    if condition is None or condition.ranges is None:
        return None
    low, high = condition.ranges["prevalence"]
    return low if low == high else None


def _in_unit(cost: float, condition: Condition | Conditions | None) -> float | None:
    if not isinstance(condition, Condition):
        return None
    scale = condition.fp_gap * (1 - condition.prevalence) + condition.fn_gap * condition.prevalence
    return condition.best_cost + scale * cost


RULES: tuple[Method, ...] = ("best", "score_driven", "rate_driven", "score_uniform", "rate_uniform")
_IN_WORDS = {
    "best": "tuning the threshold",
    "score_driven": "trusting the scores",
    "rate_driven": "flagging a quota",
    "score_uniform": "a random threshold",
    "rate_uniform": "a random quota",
    "fixed": "keeping one threshold",
}


class Resampled(Protocol):
    """What `bootstrap` returns."""

    def band(self, name: str, *, target: Any) -> Any:
        """Return limits for the cost of a model."""


@dataclass(frozen=True)
class RuleRegion(Result):
    """A range of cost proportions over which one rule is cheapest.

    Attributes
    ----------
    rule : str
    low, high : float
        Cost proportions cost_fn/(cost_fn + cost_fp).
    tied : tuple of str
        Rules that cost the same throughout the range.
    """

    rule: str
    low: float
    high: float
    tied: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class RuleRegions(Drawn):
    """Which rule is cheapest at each cost proportion; build one with `rule_regions`.

    Attributes
    ----------
    regions : tuple of RuleRegion
        In ascending cost proportion; together they cover [0, 1].
    costs : dict of str to CostCurve
        What each rule costs, over cost proportions.
    shares : dict of str to float
        How much of [0, 1] each rule wins.
    left_out : dict of str to str
        Rules that cannot be used, and why.
    prevalence : float
    elsewhere : bool
        Whether thresholds were chosen on other cases than those they are priced on.
    optimism : float or None
        With resamples: how much more tuned thresholds really cost than they seem to on their own cases, averaged over cost
        proportions; `costs["best"]` holds what they really cost.
    model : str or None
    """

    _display = "CostDisplay"
    _items = "regions"

    regions: tuple[RuleRegion, ...]
    costs: dict[str, CostCurve]
    shares: dict[str, float]
    left_out: dict[str, str]
    prevalence: float
    elsewhere: bool
    model: str | None = None
    optimism: float | None = None

    @property
    def curves(self) -> list[CostCurve]:
        """The cost curves, for drawing."""
        return list(self.costs.values())

    def __str__(self) -> str:
        """Say which rule is cheapest for how much of the axis, and what the others cost more than tuning."""
        who = "" if self.model is None else f"{self.model}: "
        won = [f"{_IN_WORDS[rule]} on {100 * share:.3g} %" for rule, share in self.shares.items() if share > 0]
        said = f"{who}With {100 * self.prevalence:.4g} % positive, cheapest of the cost proportions: {', '.join(won)}."
        if "best" not in self.costs:
            return said
        tuned = self.costs["best"].area()
        more = [f"{_IN_WORDS[rule]} {curve.area() - tuned:.4f}" for rule, curve in self.costs.items() if rule != "best"]
        caution = "" if self.elsewhere else " Tuned on the same cases, it looks better than it is."
        if self.optimism is not None:
            caution = f" Tuning is counted at what it costs with this many cases, {self.optimism:.4f} more than it looks on its own."
        return f"{said} More than tuning, on average: {', '.join(more)}.{caution}" if more else said

    def __repr__(self) -> str:
        """Say which rule is cheapest up to where."""
        ends = ", ".join(f"{region.rule} to {region.high:.4g}" for region in self.regions)
        return f"<RuleRegions at prevalence {self.prevalence:.4g}: {ends}>"


@takes_curve()
def rule_regions(
    curve: RocCurve,
    *,
    prevalence: float | None = None,
    rules: Sequence[Method] = RULES,
    thresholds_from: RocCurve | None = None,
    resampled: Resampled | None = None,
) -> RuleRegions:
    """Return which way of choosing the threshold is cheapest at each cost proportion, exactly.

    Costs are polynomials between breaks, so the regions end at roots. On the cases they were tuned on, the best thresholds are never
    beaten: leave "best" out of the rules, or choose the thresholds on other cases with `thresholds_from`.

    Parameters
    ----------
    curve : RocCurve
    prevalence : float, optional
        Strictly between 0 and 1; the data's own by default.
    rules : sequence of str
        Methods of `cost_curve`; if two cost the same, the earlier gets the region. Methods that cannot be used with the curve are
        left out.
    thresholds_from : RocCurve, optional
        Choose the thresholds on this curve, of other cases scored by the same model.
    resampled : Bootstrap, optional
        Resamples of the model, under the name of the curve; "best" is then priced at what thresholds tuned on this many cases
        really cost.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2012), A unified view of performance metrics, JMLR 13:2813-2869.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
    >>> ic.curves.rule_regions(curve, rules=("rate_driven", "score_uniform"))
    <RuleRegions at prevalence 0.4: rate_driven to 0.5773, score_uniform to 0.6117, rate_driven to 1>
    >>> print(ic.curves.rule_regions(curve, rules=("score_driven", "rate_driven")))
    With 40 % positive, cheapest of the cost proportions: trusting the scores on 30 %, flagging a quota on 70 %.

    With resamples, tuned thresholds can lose on their own cases too:

    >>> from isocost.datasets import load_german_credit_predictions
    >>> y_true, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y_true, scores["random_forest"], name="random_forest")
    >>> resampled = ic.bootstrap(y_true, {"random_forest": scores["random_forest"]}, n_resamples=200)
    >>> found = ic.curves.rule_regions(curve, rules=("best", "score_driven"), resampled=resampled)
    >>> found.shares["best"] < 1, round(found.optimism, 3)
    (True, 0.006)
    """
    named = checks.names(rules, "rule")
    for rule in named:
        checks.choice(rule, "rule", METHODS)
    if thresholds_from is not None and resampled is not None:
        raise InputError(
            "thresholds of other cases are paid for as they are: give thresholds_from= or resampled=, not both"
        )
    pi = Shares.of(curve, "cost_proportion", prevalence).prevalence
    costs, left_out = _costs_of(named, curve, prevalence, thresholds_from)
    optimism = None
    if resampled is not None and "best" in costs:
        flattery = _flattery(curve, pi, resampled)
        optimism, costs["best"] = flattery.area(), replace(costs["best"] + flattery, name="best")
    known = list(costs)
    regions = tuple(
        RuleRegion(known[found.which], found.low, found.high, tuple(known[i] for i in found.tied))
        for found in lowest(list(costs.values()))
    )
    shares = {rule: sum(region.high - region.low for region in regions if region.rule == rule) for rule in costs}
    return RuleRegions(regions, costs, shares, left_out, pi, thresholds_from is not None, curve.name, optimism)


def _flattery(curve: RocCurve, prevalence: float, resampled: Any) -> CostCurve:
    """Return how much more tuned thresholds really cost than on their own cases, straight between the conditions of the resamples."""
    if not hasattr(resampled, "band"):
        raise InputError(f"resampled must be what bootstrap() returns, got {type(resampled).__name__}")
    if curve.name is None:
        raise InputError("resampled= needs the name of the model: build the curve with name=")
    band = resampled.band(curve.name, target="chosen")
    more = band.centre - band.apparent
    return CostCurve.from_values(band.pcf, more[:-1], more[1:])._on_axis("cost_proportion", prevalence=prevalence)


def _costs_of(
    rules: Sequence[Any], curve: RocCurve, prevalence: float | None, thresholds_from: RocCurve | None
) -> tuple[dict[str, CostCurve], dict[str, str]]:
    """Return what each rule costs, and why the others cannot be used."""
    if thresholds_from is not None and not isinstance(thresholds_from, RocCurve):
        raise InputError(f"thresholds_from must be a RocCurve, got {type(thresholds_from).__name__}")
    axis: Any = {"axis": "cost_proportion", "prevalence": prevalence}
    costs: dict[str, CostCurve] = {}
    left_out: dict[str, str] = {}
    for rule in rules:
        try:
            costs[rule] = replace(cost_curve(curve, method=rule, thresholds_from=thresholds_from, **axis), name=rule)
        except InputError as error:
            left_out[rule] = str(error)
    if not costs:
        reasons = "; ".join(f"{rule}: {why}" for rule, why in left_out.items())
        raise InputError(f"none of the rules can be used ({reasons})")
    return costs, left_out


@dataclass(frozen=True, eq=False, repr=False)
class RateDrivenDecomposition(Drawn):
    """A rate-driven cost curve split, at every x, into the curve of a perfect ranker and a Kendall curve.

    Attributes
    ----------
    total : CostCurve
        What the model costs when the share of cases flagged equals x.
    perfect : CostCurve
        What a perfect ranker costs then: the price of the rate-driven choice, the same for all models.
    ranking : CostCurve
        The rest, which is due to the ranking: the Kendall curve.
    """

    _display = "DecompositionDisplay"

    total: CostCurve
    perfect: CostCurve
    ranking: CostCurve

    @property
    def total_loss(self) -> float:
        """Area under the rate-driven curve: π(1-π)(1-2·AUC) + 1/3."""
        return self.total.area()

    @property
    def perfect_loss(self) -> float:
        """Area under the perfect ranker's curve: 1/3 - π(1-π)."""
        return self.perfect.area()

    @property
    def ranking_loss(self) -> float:
        """Area under the Kendall curve: 2π(1-π)(1-AUC)."""
        return self.ranking.area()

    def isometric_length(self, x: ArrayLike) -> Floats:
        """Return how far the curve is from a perfect ranker's along the line of equal rate x in ROC space (Theorem 3)."""
        pi = 0.5 if self.ranking.prevalence is None else self.ranking.prevalence
        return self.ranking(x) * (math.hypot(pi, 1 - pi) / (2 * pi * (1 - pi)))

    def _data(self) -> dict[str, Any]:
        return super()._data() | {
            "total_loss": self.total_loss,
            "perfect_loss": self.perfect_loss,
            "ranking_loss": self.ranking_loss,
        }

    def __repr__(self) -> str:
        """Say how large the parts are."""
        return (
            f"<RateDrivenDecomposition: loss {self.total_loss:.4g} = {self.perfect_loss:.4g} of any ranking "
            f"+ {self.ranking_loss:.4g} of this one>"
        )


@takes_curve()
def rate_driven_decomposition(
    curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None
) -> RateDrivenDecomposition:
    """Return the rate-driven cost split, at every x, into the part of a perfect ranker and the ranking loss.

    Parameters
    ----------
    curve : RocCurve
    axis : {"cost_proportion", "pcf"}
    prevalence : float, optional
        For "cost_proportion"; the data's own by default.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), Theorem 2, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.rate_driven_decomposition(curve)
    <RateDrivenDecomposition: loss 0.1733 = 0.09333 of any ranking + 0.08 of this one>
    """
    checks.choice(axis, "axis", AXES)
    pi = Shares.of(curve, axis, prevalence).prevalence
    return RateDrivenDecomposition(
        rate_driven(curve, axis=axis, prevalence=prevalence),
        perfect_ranker_curve(axis=axis, prevalence=pi),
        kendall_curve(curve, axis=axis, prevalence=prevalence),
    )


@dataclass(frozen=True, eq=False, repr=False)
class BrierDecomposition(Drawn):
    """A score-driven cost curve split, at every x, into the lower envelope and the extra cost of miscalibrated scores.

    Attributes
    ----------
    total : CostCurve
        What the model costs when its scores are taken as probabilities; its area is the Brier score.
    refinement : CostCurve
        The lower envelope: what it would cost if the scores were calibrated on these cases.
    calibration : CostCurve
        The difference, never negative: what recalibration can save at x, on these cases.
    """

    _display = "DecompositionDisplay"

    total: CostCurve
    refinement: CostCurve
    calibration: CostCurve

    @property
    def total_loss(self) -> float:
        """The Brier score (on pcf, the mean of those of the two classes)."""
        return self.total.area()

    @property
    def refinement_loss(self) -> float:
        """The Brier score of the calibrated scores."""
        return self.refinement.area()

    @property
    def calibration_loss(self) -> float:
        """The difference of the two: what miscalibration costs."""
        return self.calibration.area()

    def _data(self) -> dict[str, Any]:
        return super()._data() | {
            "total_loss": self.total_loss,
            "refinement_loss": self.refinement_loss,
            "calibration_loss": self.calibration_loss,
        }

    def __repr__(self) -> str:
        """Say how large the parts are."""
        return (
            f"<BrierDecomposition: loss {self.total_loss:.4g} = {self.refinement_loss:.4g} refinement "
            f"+ {self.calibration_loss:.4g} calibration>"
        )


@takes_curve()
def brier_decomposition(
    curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None
) -> BrierDecomposition:
    """Return the score-driven cost split, at every x, into refinement and calibration loss.

    Needs scores in [0, 1]. The refinement part is the lower envelope, which equals the score-driven cost of the scores
    calibrated by the hull (`curve.calibrator()`) at the same prevalence.

    Parameters
    ----------
    curve : RocCurve
    axis : {"cost_proportion", "pcf"}
    prevalence : float, optional
        For "cost_proportion"; the data's own by default.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2011), Brier curves, ICML 28:585-592.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.curves.brier_decomposition(curve)
    <BrierDecomposition: loss 0.148 = 0.1 refinement + 0.048 calibration>
    """
    checks.choice(axis, "axis", AXES)
    shares = Shares.of(curve, axis, prevalence)
    total = score_driven(curve, axis=axis, prevalence=prevalence)
    refinement = envelope(curve, axis=axis, prevalence=shares.about["prevalence"])
    return BrierDecomposition(total, refinement, total - refinement)


@dataclass(frozen=True, eq=False, repr=False)
class ParameterBased(Drawn):
    """What it costs to use each classifier at the pcf it was built for.

    Attributes
    ----------
    curve : CostCurve
        The cost of the selection: the line of the classifier whose pcf is nearest, with jumps at the mid-points.
    optimal : CostCurve
        The lower envelope of the same classifiers and the trivial ones.
    excess : CostCurve
        The difference, never negative: the price of the procedure at each pcf.
    """

    _display = "DecompositionDisplay"

    curve: CostCurve
    optimal: CostCurve
    excess: CostCurve

    def excess_cost(self, condition: Conditions | Condition | None = None) -> float:
        """Return the mean price over a distribution of conditions; over all of them it is the area between the curves."""
        return self.excess.expectation(condition)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {
            "switches": self.curve.breaks[1:-1],
            "cost": self.curve.area(),
            "optimal_cost": self.optimal.area(),
            "excess_cost": self.excess.area(),
        }

    def __repr__(self) -> str:
        """Say what the procedure costs."""
        return (
            f"<ParameterBased: {counted(self.curve._left.size, 'classifier')}, mean cost {self.curve.area():.4g}, "
            f"{self.excess.area():.4g} above the envelope>"
        )


def parameter_based(fpr: ArrayLike, tpr: ArrayLike, *, pcf: ArrayLike, name: str | None = None) -> ParameterBased:
    """Return the cost of using, at each condition, the classifier that was built for the nearest one.

    A learner trained under several costs or class ratios gives several classifiers. Choosing among them by the parameter they were
    trained with, rather than by the conditions under which they turn out cheapest, costs the area between the two curves.

    Parameters
    ----------
    fpr, tpr : array of shape (k,)
        One point per classifier, in any order.
    pcf : array of shape (k,)
        The pcf each was built for, no two the same; a ratio R of false-alarm cost to miss cost (priors included) means a pcf of
        1/(1 + R). The classifier changes half-way between neighbours.
    name : str, optional

    References
    ----------
    Drummond & Holte (2000), section 2.3, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.curves.parameter_based([0.05, 0.3, 0.6], [0.4, 0.75, 0.95], pcf=[0.2, 0.5, 0.8])
    <ParameterBased: 3 classifiers, mean cost 0.1849, 0.007514 above the envelope>
    """
    x, y, tag = (checks.vector(checks.rates(v, n), n) for v, n in ((fpr, "fpr"), (tpr, "tpr"), (pcf, "pcf")))
    checks.same_length(fpr=x, tpr=y, pcf=tag)
    order = np.argsort(tag)
    x, y, tag = x[order], y[order], tag[order]
    twice = np.flatnonzero(np.diff(tag) == 0)
    if twice.size:
        raise InputError(
            f"pcf names {tag[twice[0]]:g} more than once: it must tell which classifier to use; keep one of them"
        )
    breaks = np.concatenate([[0.0], (tag[1:] + tag[:-1]) / 2, [1.0]])
    curve = CostCurve.from_lines(breaks, x, 1 - y, name=name)
    optimal = envelope(RocCurve.from_points(x, y, name=name))
    return ParameterBased(curve, optimal, curve - optimal)

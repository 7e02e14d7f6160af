"""Ways of choosing thresholds compared: what each costs, where each is cheapest, and what the costs are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from isocost._front import documented_by
from isocost.curves.cost import (
    METHODS,
    Axis,
    CostCurve,
    Method,
    Shares,
    at_prevalence,
    cost_curve,
    cut_at,
    envelope,
    from_lines,
    from_pieces,
    kendall_curve,
    perfect_ranker_curve,
    rate_driven,
    snapped,
    union,
)
from isocost.curves.roc import RocCurve, takes_curve
from isocost.data import checks
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Drawn, Result

# Values and ends of stretches that differ by less are the same, added up in another order.
_ROUNDING = 4 * np.finfo(np.float64).eps


RULES: tuple[Method, ...] = ("best", "score_driven", "rate_driven", "score_uniform", "rate_uniform")
_IN_WORDS = {
    "best": "tuning the threshold",
    "score_driven": "trusting the scores",
    "rate_driven": "flagging a quota",
    "score_uniform": "a random threshold",
    "rate_uniform": "a random quota",
    "fixed": "keeping one threshold",
}


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


def lowest(costs: Mapping[str, CostCurve]) -> tuple[RuleRegion, ...]:
    """Return the stretches of x on which one curve is the lowest, ascending; of equal curves the earlier one gets them."""
    names, curves = list(costs), list(costs.values())
    breaks = union(np.array([0.0, 1.0]), *(curve.breaks for curve in curves))
    curves = [cut_at(curve, breaks) for curve in curves]
    ends = union(breaks, *(snapped(one - two).roots() for one, two in combinations(curves, 2)))
    # Ends that rounding has put apart are one.
    ends = ends[np.diff(ends, prepend=-1.0) > _ROUNDING]
    # Three places inside each piece tell two quadratics apart.
    inside = ends[:-1] + np.array([[0.5], [0.25], [0.75]]) * np.diff(ends)
    values = np.stack([curve(inside.ravel()).reshape(inside.shape) for curve in curves])
    least = values <= values.min(axis=0) + _ROUNDING
    first = np.argmax(least[:, 0], axis=0)
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    equal = np.logical_and.reduceat(least.all(axis=1), starts, axis=1)
    bounds, found = [*ends[starts].tolist(), 1.0], []
    for i, who in enumerate(first[starts].tolist()):
        tied = tuple(names[j] for j in np.flatnonzero(equal[:, i]).tolist() if j != who)
        found.append(RuleRegion(names[who], bounds[i], bounds[i + 1], tied))
    return tuple(found)


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
        """The cost curves, named in words, for drawing."""
        return [replace(curve, name=_IN_WORDS[rule]) for rule, curve in self.costs.items()]

    def __str__(self) -> str:
        who = "" if self.model is None else f"{self.model}: "
        won = [f"{_IN_WORDS[rule]} on {100 * share:.3g} %" for rule, share in self.shares.items() if share > 0]
        won_by = (
            f"{who}With {100 * self.prevalence:.4g} % positive, cheapest of the cost proportions: {', '.join(won)}."
        )
        if "best" not in self.costs:
            return won_by
        tuned = self.costs["best"].area()
        more = [f"{_IN_WORDS[rule]} {curve.area() - tuned:.4f}" for rule, curve in self.costs.items() if rule != "best"]
        caution = "" if self.elsewhere else " Tuned on the same cases, it looks better than it is."
        if self.optimism is not None:
            caution = f" Tuning is counted at what it costs with this many cases, {self.optimism:.4f} more than it looks on its own."
        return f"{won_by} More than tuning, on average: {', '.join(more)}.{caution}" if more else won_by

    def __repr__(self) -> str:
        ends = ", ".join(f"{region.rule} to {region.high:.4g}" for region in self.regions)
        return f"<RuleRegions at prevalence {self.prevalence:.4g}: {ends}>"


@takes_curve(
    r"\arg\min_r Q_r(x)",
    cites="Hernández-Orallo, Flach & Ferri 2012",
)  # fmt: skip
def rule_regions(
    curve: RocCurve,
    *,
    prevalence: float | None = None,
    rules: Sequence[Method] = RULES,
    thresholds_from: RocCurve | None = None,
    resampled: Any = None,
) -> RuleRegions:
    """Return which way of choosing the threshold is cheapest at each cost proportion, exactly.

    Costs are polynomials between breaks, so the regions end at roots. On the cases they were tuned on, the best thresholds are never
    beaten: leave "best" out of the rules, or choose the thresholds on other cases with `thresholds_from`.

    Parameters
    ----------
    rules : sequence of str
        Methods of `cost_curve`; if two cost the same, the earlier gets the region. Methods that cannot be used with the curve are
        left out.
    thresholds_from : RocCurve, optional
        Choose the thresholds on this curve, of other cases scored by the same model.
    resampled : Bootstrap, optional
        Resamples of the model, under the name of the curve; "best" is then priced at what thresholds tuned on this many cases
        really cost.

    See Also
    --------
    isocost.Comparison.table : the mean cost of each way (`methods=`).
    isocost.cost_curve : what one way costs everywhere.

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
    >>> ic.curves.rule_regions(curve, rules=("rate_driven", "score_uniform"))
    <RuleRegions at prevalence 0.4: rate_driven to 0.5773, score_uniform to 0.6117, rate_driven to 1>
    >>> print(ic.curves.rule_regions(curve, rules=("score_driven", "rate_driven")))
    With 40 % positive, cheapest of the cost proportions: trusting the scores on 30 %, flagging a quota on 70 %.
    """
    named = checks.names(rules, "rule")
    for rule in named:
        checks.choice(rule, "rule", METHODS)
    advice = "thresholds of other cases are paid for as they are"
    checks.at_most_one(advice, thresholds_from=thresholds_from, resampled=resampled)
    if thresholds_from is not None:
        checks.instance(thresholds_from, "thresholds_from", RocCurve, "a RocCurve")
    pi = Shares.of(curve, "cost_proportion", prevalence).prevalence
    at: Any = {"axis": "cost_proportion", "prevalence": prevalence, "thresholds_from": thresholds_from}
    costs: dict[str, CostCurve] = {}
    left_out: dict[str, str] = {}
    for rule in named:
        try:
            costs[rule] = replace(cost_curve(curve, method=cast("Method", rule), **at), name=rule)
        except InputError as error:
            left_out[rule] = str(error)
    if not costs:
        reasons = "; ".join(f"{rule}: {why}" for rule, why in left_out.items())
        raise InputError(f"none of the rules can be used ({reasons})")
    optimism = None
    if resampled is not None and "best" in costs:
        flattery = _flattery(curve, pi, resampled)
        optimism, costs["best"] = flattery.area(), replace(costs["best"] + flattery, name="best")
    regions = lowest(costs)
    shares = {rule: sum(region.high - region.low for region in regions if region.rule == rule) for rule in costs}
    return RuleRegions(regions, costs, shares, left_out, pi, thresholds_from is not None, curve.name, optimism)


def _flattery(curve: RocCurve, prevalence: float, resampled: Any) -> CostCurve:
    """Return how much more tuned thresholds really cost than on their own cases, straight between the conditions of the resamples."""
    name = checks.needed(curve.name, "resampled= needs the name of the model: build the curve with name=")
    band_of = checks.needed(getattr(resampled, "band", None), "resampled must be what bootstrap() returns")
    band = band_of(name, target="chosen")
    more = band.centre - band.apparent
    return at_prevalence(from_pieces(band.pcf, more[:-1], more[1:]), prevalence)


Split = Literal["rate_driven", "score_driven", "parameter_based"]
# What the base and the excess of each split are.
_PARTS: dict[Split, tuple[str, str]] = {
    "rate_driven": ("of any ranking", "of this one"),
    "score_driven": ("refinement", "calibration"),
    "parameter_based": ("of the envelope", "above it"),
}


@documented_by(see="rate_driven_decomposition brier_decomposition parameter_based")
@dataclass(frozen=True, eq=False, repr=False)
class CostDecomposition(Drawn):
    """A cost curve split, at every x, into a base and the excess over it, which is never negative.

    Attributes
    ----------
    of : {"rate_driven", "score_driven", "parameter_based"}
    total : CostCurve
        What is paid: when the share of cases flagged equals x, when scores are taken as probabilities, or when each classifier is used
        at the conditions nearest to the one it was built for.
    base : CostCurve
        Rate-driven: the cost of a perfect ranker, the same for all models. Otherwise the lower envelope: the refinement loss of the
        scores, calibrated on these cases, or the best of the classifiers and the trivial ones.
    excess : CostCurve
        The difference: the Kendall curve, which is due to the ranking; what recalibration can save; or the price of the procedure.
    total_loss, base_loss, excess_loss : float
        Their areas. Rate-driven: π(1-π)(1-2·AUC) + 1/3 = [1/3 - π(1-π)] + 2π(1-π)(1-AUC). Score-driven: the Brier score, the
        refinement and the calibration loss.

    Examples
    --------
    >>> parts = ic.curves.brier_decomposition(ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2]))
    >>> round(parts.total_loss, 3), round(parts.base_loss, 3), round(parts.excess_loss, 3)
    (0.148, 0.1, 0.048)
    """

    _display = "DecompositionDisplay"

    of: Split
    total: CostCurve
    base: CostCurve
    excess: CostCurve

    total_loss = property(lambda self: self.total.area())
    base_loss = property(lambda self: self.base.area())
    excess_loss = property(lambda self: self.excess.area())

    def _data(self) -> dict[str, Any]:
        return super()._data() | {name: getattr(self, name) for name in ("total_loss", "base_loss", "excess_loss")}

    def __repr__(self) -> str:
        base, excess = _PARTS[self.of]
        many = f"{counted(self.total.left.size, 'classifier')}, " if self.of == "parameter_based" else ""
        return (
            f"<CostDecomposition {self.of}: {many}loss {self.total_loss:.4g} = {self.base_loss:.4g} {base} "
            f"+ {self.excess_loss:.4g} {excess}>"
        )


@takes_curve(
    r"\pi(1-\pi)(1 - 2\,\mathrm{AUC}) + \tfrac13 = \left[\tfrac13 - \pi(1-\pi)\right] + 2\pi(1-\pi)(1-\mathrm{AUC})",
    see="brier_decomposition isocost.measures.rate_driven_loss isocost.measures.kendall_loss",
    cites="Hernández-Orallo, Flach & Ferri 2013, Theorem 2",
)  # fmt: skip
def rate_driven_decomposition(
    curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None
) -> CostDecomposition:
    """Return the rate-driven cost split, at every x, into the part of a perfect ranker and the ranking loss.

    Returns
    -------
    CostDecomposition
        Its `base` is `perfect_ranker_curve`, its `excess` the `kendall_curve`.

    Examples
    --------
    >>> ic.curves.rate_driven_decomposition(curve)
    <CostDecomposition rate_driven: loss 0.1733 = 0.09333 of any ranking + 0.08 of this one>
    """
    pi = Shares.of(curve, axis, prevalence).prevalence
    total, excess = (build(curve, axis=axis, prevalence=prevalence) for build in (rate_driven, kendall_curve))
    return CostDecomposition("rate_driven", total, perfect_ranker_curve(axis=axis, prevalence=pi), excess)


@takes_curve(
    r"Q(x) = Q_{best}(x) + [Q(x) - Q_{best}(x)], \quad \int_0^1 Q(x)\,dx = \pi\,E_+ (1 - s)^2 + (1 - \pi)\,E_- s^2",
    see="rate_driven_decomposition isocost.measures.brier_loss isocost.measures.calibration_loss",
    cites="Hernández-Orallo, Flach & Ferri 2011",
)  # fmt: skip
def brier_decomposition(
    curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None
) -> CostDecomposition:
    """Return the score-driven cost split, at every x, into refinement and calibration loss.

    Needs scores in [0, 1]. The refinement part is the lower envelope, which equals the score-driven cost of the scores
    calibrated by the hull (`curve.calibrator()`) at the same prevalence.

    Returns
    -------
    CostDecomposition
        The area of its `total` is the Brier score (on pcf, the mean of those of the two classes).

    Examples
    --------
    >>> ic.curves.brier_decomposition(curve)
    <CostDecomposition score_driven: loss 0.148 = 0.1 refinement + 0.048 calibration>
    """
    at: Any = {"axis": axis, "prevalence": prevalence}
    total, base = cost_curve(curve, method="score_driven", **at), envelope(curve, **at)
    return CostDecomposition("score_driven", total, base, total - base)


@documented_by(
    r"(1 - x)\,fpr_j + x\,(1 - tpr_j), \quad j = \arg\min_i |x - pcf_i|",
    cites="Drummond & Holte 2000, section 2.3",
)  # fmt: skip
def parameter_based(fpr: ArrayLike, tpr: ArrayLike, *, pcf: ArrayLike, name: str | None = None) -> CostDecomposition:
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

    Returns
    -------
    CostDecomposition
        The line of the classifier whose pcf is nearest, with jumps at the mid-points, and the envelope below it.

    See Also
    --------
    isocost.RocCurve.from_points : the same classifiers as points.

    Examples
    --------
    >>> ic.curves.parameter_based([0.05, 0.3, 0.6], [0.4, 0.75, 0.95], pcf=[0.2, 0.5, 0.8])
    <CostDecomposition parameter_based: 3 classifiers, loss 0.1849 = 0.1774 of the envelope + 0.007514 above it>
    """
    x, y, tag = (checks.vector(checks.rates(v, n), n) for v, n in ((fpr, "fpr"), (tpr, "tpr"), (pcf, "pcf")))
    checks.same_length(fpr=x, tpr=y, pcf=tag)
    checks.distinct(tag.tolist(), "pcf")
    order = np.argsort(tag)
    x, y, tag = x[order], y[order], tag[order]
    total = from_lines(np.concatenate([[0.0], (tag[1:] + tag[:-1]) / 2, [1.0]]), x, 1 - y, name=name)
    base = envelope(RocCurve.from_points(x, y, name=name))
    return CostDecomposition("parameter_based", total, base, total - base)

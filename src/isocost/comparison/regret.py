"""What a choice made before the condition is known costs more than the best choice at each condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from isocost.comparison.difference import difference, extremes
from isocost.conditions import Conditions
from isocost.conditions.ranges import Pair
from isocost.cost_space import CostCurve
from isocost.cost_space.envelope import envelope, line
from isocost.cost_space.threshold_choice import fixed_point
from isocost.decision.numbers import threshold as said
from isocost.results.doors import Drawn
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import JointHull


@dataclass(frozen=True, repr=False)
class Regret(Drawn):
    """Extra cost of one model, or of one model with one threshold, over the best choice at each condition.

    Attributes
    ----------
    name : str
    threshold : float or None
        The fixed threshold; None if the model's best threshold is chosen at each condition.
    mean, worst : float
        Expected and largest extra normalised cost over the conditions; never negative.
    worst_t : float
        Where the largest occurs.
    over : str
        The conditions, in words.
    curve : CostCurve
        The extra cost at every condition.
    mean_bounds, worst_bounds : (low, high) or None
        For counts in buckets that leave the best choices open: `mean` and `worst` are then for the thresholds that can be used, and these
        bounds hold whatever the buckets contain. None if nothing is open.
    curve_bounds : (CostCurve, CostCurve) or None
        What `curve` lies between.
    open_to : tuple of str
        For `minimax_regret`: the models whose buckets may hold a choice with a smaller worst regret; empty if it is settled.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    >>> regret = ic.Comparison([a, b]).regret("b", ic.Conditions.uniform(t=(0.5, 0.65)))
    >>> round(regret.mean, 6), round(regret.worst, 6), regret.worst_t
    (0.014405, 0.055, 0.65)
    """

    _display = "RegretDisplay"

    name: str
    threshold: float | None
    mean: float
    worst: float
    worst_t: float
    over: str
    curve: CostCurve = field(compare=False)
    mean_bounds: Pair | None = None
    worst_bounds: Pair | None = None
    curve_bounds: tuple[CostCurve, CostCurve] | None = field(default=None, compare=False)
    open_to: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say it in words."""
        how = "threshold chosen at each condition" if self.threshold is None else f"threshold {said(self.threshold)}"
        doubt = f"; unless {' or '.join(self.open_to)} has a safer choice inside its buckets" if self.open_to else ""
        return (
            f"{self.name} ({how}) costs {between(self.mean, self.mean_bounds)} more than the best choice on average "
            f"and {between(self.worst, self.worst_bounds)} more at worst (t = {self.worst_t:.4g}); {self.over}{doubt}"
        )

    def __repr__(self) -> str:
        """Say it in words."""
        return f"<Regret: {self}>"


@dataclass(frozen=True, repr=False)
class Information(Result):
    """What knowing the condition before choosing is worth, in mean normalised cost.

    Attributes
    ----------
    fixed : float
        Lowest mean cost of one model with one threshold, chosen now.
    one_model : float
        Lowest mean cost of one model chosen now, its threshold chosen when the condition is known.
    perfect : float
        Mean cost when model and threshold are both chosen knowing the condition.
    fixed_low, one_model_low, perfect_low : float or None
        For counts in buckets, where only the buckets' ends can be chosen: the least that the costs above could be with thresholds inside
        them. None if nothing is open.
    """

    fixed: float
    one_model: float
    perfect: float
    over: str
    fixed_low: float | None = None
    one_model_low: float | None = None
    perfect_low: float | None = None

    @property
    def value(self) -> float:
        """Expected value of perfect information: `fixed` - `perfect`, never negative."""
        return max(self.fixed - self.perfect, 0.0)

    @property
    def value_for_model(self) -> float:
        """What knowing the condition is worth when only the model must be chosen now: `one_model` - `perfect`."""
        return max(self.one_model - self.perfect, 0.0)

    @property
    def value_bounds(self) -> Pair | None:
        """What `value` lies between, whatever the buckets hold; None if nothing is open."""
        return self._saved_between(self.fixed, self.fixed_low)

    @property
    def value_for_model_bounds(self) -> Pair | None:
        """What `value_for_model` lies between; None if nothing is open."""
        return self._saved_between(self.one_model, self.one_model_low)

    def _saved_between(self, high: float, low: float | None) -> Pair | None:
        if low is None or self.perfect_low is None:
            return None
        return max(low - self.perfect, 0.0), max(high - self.perfect_low, 0.0)

    def _data(self) -> dict[str, Any]:
        names = ("value", "value_for_model", "value_bounds", "value_for_model_bounds")
        return super()._data() | {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        """Say it in words."""
        return (
            f"<Information: knowing the condition before choosing saves {between(self.value, self.value_bounds)} "
            f"({between(self.value_for_model, self.value_for_model_bounds)} if the threshold can be changed later); {self.over}>"
        )


def between(value: float, bounds: Pair | None) -> str:
    """Return a number, or the two that it lies between."""
    return f"{value:.4g}" if bounds is None else f"{bounds[0]:.4g} to {bounds[1]:.4g}"


def regret(joint: JointHull, model: int, name: str, over: Conditions) -> Regret:
    """Return the regret of a model whose threshold is chosen anew at each condition."""
    return _measured(name, None, difference(joint.curves[model], joint.hull, name=name), over)


def fixed_regret(joint: JointHull, model: int, name: str, threshold: float, over: Conditions) -> Regret:
    """Return the regret of one model with one threshold."""
    return _of_point(joint, model, fixed_point(joint.curves[model], threshold), name, threshold, over)


def _of_point(joint: JointHull, model: int, index: int, name: str, threshold: float, over: Conditions) -> Regret:
    return point_regret(joint.curves[model], index, joint.hull, name, threshold, over)


def point_regret(curve: RocCurve, index: int, best: RocCurve, name: str, threshold: float, over: Conditions) -> Regret:
    """Return what a point of a curve costs more than the best choices, which a hull holds."""
    extra = line(float(curve.fpr[index]), float(curve.tpr[index]), name=name) - envelope(best)
    return _measured(name, threshold, extra, over)


def _measured(name: str, threshold: float | None, extra: CostCurve, over: Conditions) -> Regret:
    worst = extremes(extra, over)
    # Not negative in exact arithmetic, so what is left below 0 is rounding.
    mean, highest = max(extra.expectation(over), 0.0), max(worst.highest, 0.0)
    return Regret(name, threshold, mean, highest, worst.highest_t, str(over), extra)


def information(joint: JointHull, over: Conditions) -> Information:
    """Return what knowing the condition is worth.

    The cost of a fixed choice is linear in t, so the best one is the best at the mean of t, and its mean cost is the cost there.
    """
    perfect = envelope(joint.hull).expectation(over)
    models = [envelope(curve).expectation(over) for curve in joint.curves]
    return Information(float(joint.hull.optimal_cost(over.mean)), min(models), perfect, str(over))


def minimax_regret(joint: JointHull, names: tuple[str, ...], over: Conditions, *, fixed: bool) -> Regret:
    """Return the choice whose largest regret is smallest: a model, or one model with one threshold."""
    if not fixed:
        return min((regret(joint, m, name, over) for m, name in enumerate(names)), key=lambda r: r.worst)
    m, i, _ = safest_point(joint.curves, joint.hull, over)
    return _of_point(joint, m, i, names[m], float(joint.curves[m].thresholds[i]), over)


def safest_point(curves: Sequence[RocCurve], best: RocCurve, over: Conditions) -> tuple[int, int, float]:
    """Return the model and point whose largest cost beyond a hull is smallest, and that cost; the first of equals."""
    # A line minus a concave envelope is convex: it is largest at an end of the range.
    ends = np.array([over.low, over.high])
    least = best.optimal_cost(ends)
    found = []
    for m, curve in enumerate(curves):
        low, high = (t * curve.fpr + (1 - t) * (1 - curve.tpr) - floor for t, floor in zip(ends, least, strict=True))
        worst = np.maximum(low, high)
        i = int(np.argmin(worst))
        found.append((m, i, float(worst[i])))
    return min(found, key=lambda one: one[2])

"""What a choice made before the condition is known costs more than the best choice at each condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from isocost.comparison.difference import difference, extremes
from isocost.conditions import Conditions
from isocost.cost_space import CostCurve
from isocost.cost_space.envelope import envelope, line
from isocost.cost_space.threshold_choice import fixed_point
from isocost.results.doors import Drawn
from isocost.results.numbers import threshold as said
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
    condition : str
        The conditions, in words.
    curve : CostCurve
        The extra cost at every condition.

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
    condition: str
    curve: CostCurve = field(compare=False)

    def __str__(self) -> str:
        """Say it in words."""
        how = "threshold chosen at each condition" if self.threshold is None else f"threshold {said(self.threshold)}"
        return (
            f"{self.name} ({how}) costs {self.mean:.4g} more than the best choice on average "
            f"and {self.worst:.4g} more at worst (t = {self.worst_t:.4g}); {self.condition}"
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
    """

    fixed: float
    one_model: float
    perfect: float
    condition: str

    @property
    def value(self) -> float:
        """Expected value of perfect information: `fixed` - `perfect`, never negative."""
        return max(self.fixed - self.perfect, 0.0)

    @property
    def value_for_model(self) -> float:
        """What knowing the condition is worth when only the model must be chosen now: `one_model` - `perfect`."""
        return max(self.one_model - self.perfect, 0.0)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {name: getattr(self, name) for name in ("value", "value_for_model")}

    def __repr__(self) -> str:
        """Say it in words."""
        return (
            f"<Information: knowing the condition before choosing saves {self.value:.4g} "
            f"({self.value_for_model:.4g} if the threshold can be changed later); {self.condition}>"
        )


def regret(joint: JointHull, model: int, name: str, condition: Conditions) -> Regret:
    """Return the regret of a model whose threshold is chosen anew at each condition."""
    return _measured(name, None, difference(joint.curves[model], joint.hull, name=name), condition)


def fixed_regret(joint: JointHull, model: int, name: str, threshold: float, condition: Conditions) -> Regret:
    """Return the regret of one model with one threshold."""
    return _of_point(joint, model, fixed_point(joint.curves[model], threshold), name, threshold, condition)


def _of_point(joint: JointHull, model: int, index: int, name: str, threshold: float, condition: Conditions) -> Regret:
    curve = joint.curves[model]
    extra = line(float(curve.fpr[index]), float(curve.tpr[index]), name=name) - envelope(joint.hull)
    return _measured(name, threshold, extra, condition)


def _measured(name: str, threshold: float | None, extra: CostCurve, condition: Conditions) -> Regret:
    worst = extremes(extra, condition)
    # Not negative in exact arithmetic, so what is left below 0 is rounding.
    mean, highest = max(extra.expectation(condition), 0.0), max(worst.highest, 0.0)
    return Regret(name, threshold, mean, highest, worst.highest_t, str(condition), extra)


def information(joint: JointHull, condition: Conditions) -> Information:
    """Return what knowing the condition is worth.

    The cost of a fixed choice is linear in t, so the best one is the best at the mean of t, and its mean cost is the cost there.
    """
    perfect = envelope(joint.hull).expectation(condition)
    models = [envelope(curve).expectation(condition) for curve in joint.curves]
    return Information(float(joint.hull.optimal_cost(condition.mean)), min(models), perfect, str(condition))


def minimax_regret(joint: JointHull, names: tuple[str, ...], condition: Conditions, *, fixed: bool) -> Regret:
    """Return the choice whose largest regret is smallest: a model, or one model with one threshold."""
    if not fixed:
        return min((regret(joint, m, name, condition) for m, name in enumerate(names)), key=lambda r: r.worst)
    m, i = _safest_point(joint.curves, joint.hull, condition)
    return _of_point(joint, m, i, names[m], float(joint.curves[m].thresholds[i]), condition)


def _safest_point(curves: Sequence[RocCurve], best: RocCurve, condition: Conditions) -> tuple[int, int]:
    """Return the model and point whose largest cost beyond a hull is smallest; the first of equals."""
    # A line minus a concave envelope is convex: it is largest at an end of the range.
    ends = np.array([condition.low, condition.high])
    least = best.optimal_cost(ends)
    found = []
    for m, curve in enumerate(curves):
        low, high = (t * curve.fpr + (1 - t) * (1 - curve.tpr) - floor for t, floor in zip(ends, least, strict=True))
        worst = np.maximum(low, high)
        i = int(np.argmin(worst))
        found.append((float(worst[i]), m, i))
    _, model, point = min(found)
    return model, point

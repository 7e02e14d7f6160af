"""The difference of two models, and the regret of a choice made before the condition is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Atoms, Conditions
from isocost.curves import CostCurve, RocCurve
from isocost.curves.cost import envelope, fixed_point, from_lines, line, snapped
from isocost.curves.joint import JointHull, tolerance
from isocost.curves.roc import best_vertex
from isocost.data.checks import Floats
from isocost.decide.say import say
from isocost.results import Drawn, Result


@dataclass(frozen=True, repr=False)
class Gain(Result):
    """How much cheaper `better` is than `worse` over some conditions, each with its best thresholds; may be negative.

    Attributes
    ----------
    better, worse : str
        In the order given; a negative mean says that `worse` is the cheaper one.
    mean : float
        Mean of cost(worse) - cost(better), in normalised cost.
    largest, largest_t : float
        The largest advantage of `better`, and a t where it occurs.
    smallest, smallest_t : float
        The smallest: if negative, `worse` is cheaper there, by that much.
    condition : str
        The conditions, in words.
    """

    better: str
    worse: str
    mean: float
    largest: float
    largest_t: float
    smallest: float
    smallest_t: float
    condition: str

    def __repr__(self) -> str:
        values = (self.mean, self.largest, self.smallest)
        mean, most, least = (
            "equal" if v == 0 else f"{abs(v):.4g} {'cheaper' if v > 0 else 'more expensive'}" for v in values
        )
        return (
            f"<Gain: {self.better} against {self.worse} ({self.condition}): {mean} on average, "
            f"at best {most} (t = {self.largest_t:.4g}), at worst {least} (t = {self.smallest_t:.4g})>"
        )


def difference(a: RocCurve, b: RocCurve, *, name: str | None = None) -> CostCurve:
    """Return cost(a) - cost(b) on pcf, each with its best thresholds: a line between switches of either."""
    t = np.unique(np.concatenate([[0.0], a.switches, b.switches, [1.0]]))
    # The vertex that is best just above a switch stays so up to the next one.
    on_a, on_b = best_vertex(a, t[:-1]), best_vertex(b, t[:-1])
    slack = tolerance((a, b))
    fpr = _gap(a.hull.fp[on_a], b.hull.fp[on_b], a.hull.fp[-1], b.hull.fp[-1], slack)
    tpr = _gap(a.hull.tp[on_a], b.hull.tp[on_b], a.hull.tp[-1], b.hull.tp[-1], slack)
    # Where the curves meet the two terms cancel; what is left of them is rounding.
    return snapped(from_lines((1 - t)[::-1], fpr[::-1], -tpr[::-1], name=name))


def _gap(a: NDArray[Any], b: NDArray[Any], of_a: Any, of_b: Any, slack: float) -> Floats:
    """Return a/of_a - b/of_b, rounded once where the totals are the same."""
    gap = (a - b) / of_a if of_a == of_b else a / of_a - b / of_b
    return np.asarray(np.where(np.abs(gap) <= slack, 0.0, gap), dtype=np.float64)


def extremes(curve: CostCurve, condition: Conditions) -> tuple[float, float, float, float]:
    """Return the highest value of a continuous, piecewise linear curve and its t, then the lowest and its t.

    They lie at a break, at an end of the range or, for a sample of conditions, in the sample.
    """
    if isinstance(condition.density, Atoms):
        t = condition.density.t[condition.density.weights > 0]
        values = curve(1 - t)
    else:
        x = curve.breaks
        inside = x[(x > 1 - condition.high) & (x < 1 - condition.low)]
        x = np.concatenate([[1 - condition.low], inside[::-1], [1 - condition.high]])
        values, t = curve(x), 1 - x
        t[[0, -1]] = condition.low, condition.high
    top, bottom = int(np.argmax(values)), int(np.argmin(values))
    return float(values[top]), float(t[top]), float(values[bottom]), float(t[bottom])


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

    def __repr__(self) -> str:
        own = {name: getattr(self, name) for name in ("threshold", "mean", "worst", "worst_t", "condition")}
        return f"<Regret: {say('regret', own | {'model': self.name})}>"


def regret(joint: JointHull, model: int, name: str, threshold: float | None, condition: Conditions) -> Regret:
    """Return the regret of a model whose threshold is chosen anew at each condition, or is always the one given."""
    curve = joint.curves[model]
    if threshold is None:
        extra = difference(curve, joint.hull, name=name)
    else:
        i = fixed_point(curve, threshold)
        extra = line(float(curve.fpr[i]), float(curve.tpr[i]), name=name) - envelope(joint.hull)
    worst, worst_t, _, _ = extremes(extra, condition)
    # Not negative in exact arithmetic, so what is left below 0 is rounding.
    mean = max(extra.expectation(condition), 0.0)
    return Regret(name, threshold, mean, max(worst, 0.0), worst_t, str(condition), extra)

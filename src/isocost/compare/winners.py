"""Who is cheapest where, under the best thresholds or other rules; dominance; all models as one classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost._front import documented
from isocost.compare.table import MeasureTable, tabled
from isocost.conditions import Condition, Conditions, Spans
from isocost.curves import RocCurve
from isocost.curves.cost import METHODS, Method, cost_curve
from isocost.curves.joint import TRIVIAL_NAMES, JointHull, Run, rounding
from isocost.curves.roc import prevalence_or, refuse_continuous
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.say import in_brackets
from isocost.errors import InputError
from isocost.results import Drawn


@dataclass(frozen=True)
class WinningPoint(Spans):
    """One threshold of a model, the cheapest choice there is for t from `t_low` to `t_high`.

    Attributes
    ----------
    model : str
    threshold, fpr, tpr : float
    t_low, t_high : float
    tied : tuple of str
        Other models with exactly this operating point.
    """

    model: str
    threshold: float
    fpr: float
    tpr: float
    t_low: float
    t_high: float
    tied: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Win(Spans):
    """A range of conditions on which one model (or trivial classifier) is cheapest, with its best threshold at each.

    Attributes
    ----------
    name : str
        A model, or "always-negative" (flag nobody) or "always-positive" (flag everybody).
    t_low, t_high : float
        The range; also `pcf_low`, `pcf_high`, `cost_ratio(prevalence)` and `prevalence(cost_fp, cost_fn)`.
    tied : tuple of str
        Models that cost exactly the same throughout the range.
    points : tuple of WinningPoint
        The winning thresholds, each with its own range and ties, in ascending t.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    >>> for win in ic.Comparison([a, b]).winners():
    ...     print(win)
    always-positive is cheapest for t from 0 to 0.1429
    b is cheapest for t from 0.1429 to 0.5714
    a is cheapest for t from 0.5714 to 0.8333
    always-negative is cheapest for t from 0.8333 to 1
    """

    name: str
    t_low: float
    t_high: float
    tied: tuple[str, ...] = ()
    points: tuple[WinningPoint, ...] = ()

    @property
    def trivial(self) -> bool:
        """Whether no model is needed here."""
        return self.name in TRIVIAL_NAMES

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The winning thresholds in ascending t: +inf flags nobody, -inf everybody, NaN for points without thresholds."""
        return tuple(point.threshold for point in self.points)

    def __str__(self) -> str:
        ties = f" (tied with {', '.join(self.tied)})" if self.tied else ""
        return f"{self.name}{ties} is cheapest for t from {self.t_low:.4g} to {self.t_high:.4g}"

    __repr__ = in_brackets


@dataclass(frozen=True, repr=False)
class Winners(Sequence[Win], Drawn):
    """Who is cheapest where, in ascending t: a sequence of `Win` that knows all models and draws itself.

    Attributes
    ----------
    wins : tuple of Win
    models : tuple of str
        Every model that was compared, winner or not.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.6], name="a")
    >>> ic.Comparison([a]).winners()
    <Winners: always-positive for t to 0.3077, a to 0.8571, always-negative to 1>
    """

    _display = "WinnersDisplay"
    _items = "wins"

    wins: tuple[Win, ...]
    models: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.wins)

    def __getitem__(self, place: Any) -> Any:
        return self.wins[place]

    def _shown(self) -> dict[str, Any]:
        return {"cheapest, by t": self.wins}

    def __repr__(self) -> str:
        ends = [f"{win.name} to {win.t_high:.4g}" for win in self.wins]
        return f"<Winners: {', '.join(ends).replace(' to ', ' for t to ', 1)}>"


def winners(joint: JointHull, names: tuple[str, ...], condition: Conditions) -> Winners:
    """Return the winners over the range of conditions, in ascending t."""
    runs = [joint.run_at(joint.at(condition.low))] if condition.low == condition.high else joint.runs
    return Winners(_clipped([_win(joint, names, run) for run in runs], condition), names)


def _win(joint: JointHull, names: tuple[str, ...], run: Run) -> Win:
    stretches = joint.stretches[run.first : run.last]
    model, *tied = (None,) if run.trivial is not None else run.models
    name = str(run.trivial) if model is None else names[model]
    points = tuple(
        WinningPoint(
            name, joint.threshold(s, model), s.fpr, s.tpr, s.t_low, s.t_high,
            tuple(names[m] for m in sorted(s.places) if m != model),
        )
        for s in stretches
    )  # fmt: skip
    return Win(name, stretches[0].t_low, stretches[-1].t_high, tuple(names[m] for m in tied), points)


def _clipped(wins: list[Win], condition: Conditions) -> tuple[Win, ...]:
    """Return the part of some winners, or of the points of one, in a range of t; at a single t, the one that holds it."""
    low, high = condition.low, condition.high

    def inside(parts: Sequence[Any]) -> list[Any]:
        if low == high:
            parts = [part for part in parts if part.t_low <= low < part.t_high] or parts[-1:]
        else:
            parts = [part for part in parts if part.t_high > low and part.t_low < high]
        return [replace(part, t_low=max(part.t_low, low), t_high=min(part.t_high, high)) for part in parts]

    return tuple(replace(win, points=tuple(inside(win.points))) for win in inside(wins))


def crossovers(joint: JointHull) -> list[float]:
    """Return each t at which the cheaper of two models changes: where the new one becomes strictly cheaper."""
    # Elsewhere both have the point, or a trivial classifier is the best of both: equal throughout.
    alone = [stretch for stretch in joint.stretches if len(stretch.places) == 1]
    return [after.t_low for before, after in pairwise(alone) if before.places.keys() != after.places.keys()]


def table_by_rule(
    curves: Sequence[RocCurve],
    condition: Condition | Conditions | None,
    methods: Sequence[Method] | None,
    prevalence: float | None,
) -> MeasureTable:
    """Return the mean normalised cost of every model under each way of choosing thresholds."""
    low, high = (Conditions.of(condition).ranges or {}).get("prevalence", (None, None))
    known = low if prevalence is None and low == high else prevalence
    pi = checks.inner_rate(prevalence_or(curves[0], known), "prevalence")
    chosen = ("best",) if methods is None else checks.names(methods, "method")
    checks.columns(checks.some(chosen, "methods", "name at least one way of choosing thresholds"), METHODS, "method")

    def mean(rule: Any, curve: RocCurve) -> float | str:
        axis: Any = "pcf" if rule == "best" else "cost_proportion"
        try:
            return cost_curve(curve, method=rule, axis=axis, prevalence=pi).mean_normalised_cost(condition)
        except InputError as error:
            return str(error)

    reported = f"mean normalised cost; {Conditions.of(condition)}; at prevalence {pi:.4g}"
    return tabled(curves, {rule: partial(mean, rule) for rule in chosen}, reported)


Operating = RocCurve | ArrayLike


@documented
def roc_dominates(a: Operating, b: Operating, *, strict: bool = False) -> bool:
    """Return whether `a` is at least as good as `b` in ROC space: then it costs no more under any condition.

    A point dominates another if its fpr is no higher and its tpr no lower. A curve dominates another if each of the other's
    operating points is dominated by one of its own.

    Parameters
    ----------
    a, b : RocCurve or (fpr, tpr)
        A curve stands for its operating points, the trivial ones included; a point for itself.
    strict : bool
        Also require that `b` does not dominate `a`: that one of the inequalities is strict. This is the relation that is
        irreflexive, antisymmetric and transitive.

    See Also
    --------
    isocost.Comparison.dominates : what they cost, with the best thresholds.

    Notes
    -----
    For collections the paper adds that no point of `b` may dominate one of `a`. Taken literally, no curve could dominate any other, since
    all of them end in (0, 0) and (1, 1). For the points of `a` that no other point of `a` dominates, the clause follows from the first
    one, so it is left out; `strict` serves its purpose.

    References
    ----------
    Ratigan & Cowen, The VOROS: lifting ROC curves to 3D, Definitions 2-3 and Lemma 4.

    Examples
    --------
    >>> ic.compare.roc_dominates((0.1, 0.8), (0.2, 0.7)), ic.compare.roc_dominates((0.1, 0.5), (0.15, 0.95))
    (True, False)
    """
    strict = checks.flag(strict, "strict")
    first, second = _points(a, "a"), _points(b, "b")
    # The same weights summed in another order are still the same rates; a rate typed in is what it is.
    slack = rounding((a, b)) if isinstance(a, RocCurve) and isinstance(b, RocCurve) else 0.0
    return _covers(first, second, slack) and not (strict and _covers(second, first, slack))


def dominates_on(joint: JointHull, condition: Conditions, *, strict: bool) -> bool:
    """Return whether the first of two models never costs more than the second over a range, and if strict somewhere cheaper."""
    if condition.low == condition.high:
        t = np.array(condition.low)
        first, second = (float(curve.optimal_cost(t)) for curve in joint.curves)
        return first < second or (first == second and not strict)
    owners = [set(s.places) for s in joint.stretches if s.t_high > condition.low and s.t_low < condition.high]
    return {1} not in owners and ({0} in owners or not strict)


def _points(value: Operating, name: str) -> tuple[Floats, Floats]:
    refuse_continuous(value, "comparing needs")
    if isinstance(value, RocCurve):
        return value.fpr, value.tpr
    fpr, tpr = checks.point(value, name)
    return np.array([fpr]), np.array([tpr])


def _covers(a: tuple[Floats, Floats], b: tuple[Floats, Floats], slack: float) -> bool:
    """Return whether every point of b has one of a above and to the left of it, or on it."""
    best = np.append(-np.inf, np.maximum.accumulate(a[1]))  # fpr ascends along a curve
    return bool(np.all(best[np.searchsorted(a[0], b[0] + slack, side="right")] >= b[1] - slack))

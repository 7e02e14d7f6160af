"""Who is cheapest where: the exact partition of the t axis among models and trivial classifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from isocost.conditions import Conditions
from isocost.conditions.ranges import Spans
from isocost.results.doors import Drawn
from isocost.roc_space.joint_hull import TRIVIAL_NAMES, JointHull, Run, Stretch, threshold_at


@dataclass(frozen=True)
class WinningPoint(Spans):
    """One threshold of a winning model, the cheapest choice there is for t from `t_low` to `t_high`.

    Attributes
    ----------
    threshold, fpr, tpr : float
    t_low, t_high : float
    tied : tuple of str
        Other models with exactly this operating point.
    """

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
        The winning thresholds, each with its own range and ties, in ascending t; empty under rules other than the best thresholds.
    rule : str or None
        How the threshold is chosen, if `winners` was asked about that; None for a trivial classifier.
    tied_rules : tuple of str
        Other rules under which the same model costs exactly the same.

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
    rule: str | None = None
    tied_rules: tuple[str, ...] = ()

    @property
    def trivial(self) -> bool:
        """Whether no model is needed here."""
        return self.name in TRIVIAL_NAMES

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The winning thresholds in ascending t: +inf flags nobody, -inf everybody, NaN for points without thresholds."""
        return tuple(point.threshold for point in self.points)

    def __str__(self) -> str:
        """Say who wins where."""
        ties = f" (tied with {', '.join(self.tied)})" if self.tied else ""
        rule = "" if self.rule is None else f", {self.rule},"
        return f"{self.name}{rule}{ties} is cheapest for t from {self.t_low:.4g} to {self.t_high:.4g}"

    def __repr__(self) -> str:
        """Say who wins where."""
        return f"<Win: {self}>"


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
        """Return the number of ranges."""
        return len(self.wins)

    @overload
    def __getitem__(self, place: int) -> Win: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Win, ...]: ...
    def __getitem__(self, place: int | slice) -> Win | tuple[Win, ...]:
        """Return a winner by place."""
        return self.wins[place]

    def _shown(self) -> dict[str, Any]:
        return {"cheapest, by t": self.wins}

    def __repr__(self) -> str:
        """Say who wins up to where."""
        ends = [f"{win.name} to {win.t_high:.4g}" for win in self.wins]
        return f"<Winners: {', '.join(ends).replace(' to ', ' for t to ', 1)}>"


def winners(joint: JointHull, names: tuple[str, ...], condition: Conditions) -> Winners:
    """Return the winners over the range of conditions, in ascending t."""
    return Winners(tuple(_wins(joint, names, condition)), names)


def _wins(joint: JointHull, names: tuple[str, ...], condition: Conditions) -> list[Win]:
    if condition.low == condition.high:
        stretch = joint.at(condition.low)
        return [clipped(_win(joint, names, joint.run_at(stretch)), condition.low, condition.high)]
    return [
        clipped(win, condition.low, condition.high)
        for win in (_win(joint, names, run) for run in joint.runs)
        if win.t_high > condition.low and win.t_low < condition.high
    ]


def _win(joint: JointHull, names: tuple[str, ...], run: Run) -> Win:
    stretches = joint.stretches[run.first : run.last]
    low, high = stretches[0].t_low, stretches[-1].t_high
    if run.trivial is not None:
        return Win(run.trivial, low, high, (), tuple(_point(s, None, joint, names) for s in stretches))
    model, *tied = run.models
    points = tuple(_point(s, model, joint, names) for s in stretches)
    return Win(names[model], low, high, tuple(names[m] for m in tied), points)


def _point(stretch: Stretch, model: int | None, joint: JointHull, names: tuple[str, ...]) -> WinningPoint:
    tied = tuple(names[m] for m in sorted(stretch.places) if m != model)
    threshold = threshold_at(joint, stretch, model)
    return WinningPoint(threshold, stretch.fpr, stretch.tpr, stretch.t_low, stretch.t_high, tied)


def clipped(win: Win, low: float, high: float) -> Win:
    """Return the part of a win in a range of t, or at one t."""
    if low == high:
        points = [point for point in win.points if point.t_low <= low < point.t_high] or [win.points[-1]]
    else:
        points = [point for point in win.points if point.t_high > low and point.t_low < high]
    inner = tuple(replace(p, t_low=max(p.t_low, low), t_high=min(p.t_high, high)) for p in points)
    return replace(win, t_low=max(win.t_low, low), t_high=min(win.t_high, high), points=inner)


def crossovers(joint: JointHull) -> list[float]:
    """Return each t at which the cheaper of two models changes: where the new one becomes strictly cheaper."""
    found: list[float] = []
    leader: int | None = None
    for stretch in joint.stretches:
        if len(stretch.places) != 1:
            continue  # both have this point, or a trivial classifier is the best of both: equal throughout
        [model] = stretch.places
        if leader is not None and model != leader:
            found.append(stretch.t_low)
        leader = model
    return found

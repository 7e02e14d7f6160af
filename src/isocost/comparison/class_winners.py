"""Costs of labelling along one entry of a cost matrix: lines with jumps, and who is cheapest where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.comparison.cost_matrix import Number, in_words
from isocost.errors import InputError
from isocost.results.doors import Drawn
from isocost.results.result import Result
from isocost.validate import Floats


@dataclass(frozen=True, eq=False)
class ClassCurve(Result):
    r"""The cost per case of one model along one entry of the cost matrix: straight lines with jumps where labels change.

    .. math:: c(\theta) = a_i + b_i\theta \quad\text{for}\quad \mathrm{breaks}_i \le \theta < \mathrm{breaks}_{i+1}

    Attributes
    ----------
    breaks : ndarray of shape (m + 1,)
    intercepts, slopes : ndarray of shape (m,)

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.ClassCurve([0, 2, 4], [0, 1], [1, 0])
    >>> curve([1, 3])
    array([1., 1.])
    """

    breaks: Floats
    intercepts: Floats
    slopes: Floats

    def __post_init__(self) -> None:
        """Take numbers as arrays."""
        for name in ("breaks", "intercepts", "slopes"):
            object.__setattr__(self, name, validate.reals(getattr(self, name), name))
        if self.breaks.size != self.slopes.size + 1 or self.slopes.shape != self.intercepts.shape:
            raise InputError(
                f"a curve of {self.slopes.size} pieces needs as many intercepts and one break more, "
                f"got {self.intercepts.size} and {self.breaks.size}"
            )

    def __call__(self, theta: ArrayLike) -> Floats:
        """Return the cost where the entry is `theta`; where labels change, with the labels above it."""
        x = validate.reals(theta, "theta")
        low, high = self.breaks[[0, -1]]
        if np.any(~((x >= low) & (x <= high))):
            raise InputError(f"theta must lie between {low:g} and {high:g}, the range of this curve; got {theta!r}")
        piece = np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, self.slopes.size - 1)
        return np.asarray(self.intercepts[piece] + self.slopes[piece] * x)


@dataclass(frozen=True)
class ClassWin(Result):
    """A range of one entry on which a model is cheapest."""

    model: str
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class ClassWinners(Drawn):
    """Which model is cheapest along one entry of the cost matrix, the other entries at their means.

    The labels are chosen anew at each value, so costs jump where a label changes. On few cases the lead may change often by chance.

    Attributes
    ----------
    number : tuple or str
        (true class, label), or "refer".
    low, high : float
    wins : tuple of ClassWin
        Ascending; together they fill the range.
    shares : dict of str to float
        Share of the range on which each of them is cheapest, the largest first.
    curves : dict of str to ClassCurve
        The cost per case of every model, and of giving every case the same label.

    Examples
    --------
    >>> import isocost as ic
    >>> models = {"a": [[4, 1], [2, 3]], "b": [[5, 0], [3, 2]]}
    >>> ic.ClassComparison.from_confusion(models).along(ic.CostMatrix([[0, 1], [(0.5, 3), 0]]), (1, 0))
    <ClassWinners along labelling 1 as 0: b to 1, a to 2, always 1 to 3>
    """

    _display = "ClassWinnersDisplay"
    _items = "wins"

    number: Number
    low: float
    high: float
    wins: tuple[ClassWin, ...]
    shares: dict[str, float]
    curves: dict[str, ClassCurve]

    def __repr__(self) -> str:
        """Say who wins up to where."""
        shown = [f"{win.model} to {win.high:.4g}" for win in self.wins[:6]]
        more = [f"… ({len(self.wins)} in all)"] if len(self.wins) > len(shown) else []
        return f"<ClassWinners along {in_words(self.number)}: {', '.join([*shown, *more])}>"


class Pieces:
    """The range cut at every break of every curve: on each piece all costs are lines."""

    def __init__(self, edges: Floats, at_0: Floats, slopes: Floats, tie: float) -> None:
        self.edges, self.at_0, self.slopes, self.tie = edges, at_0, slopes, tie
        left, right = (at_0 + slopes * ends[:, None] for ends in (edges[:-1], edges[1:]))
        self.starts, self.stays = (side <= side.min(axis=1, keepdims=True) + tie for side in (left, right))

    @classmethod
    def of(cls, curves: Mapping[str, ClassCurve], tie: float) -> Pieces:
        """Cut the common range of all curves."""
        edges = np.unique(np.concatenate([curve.breaks for curve in curves.values()]))
        at = [np.searchsorted(curve.breaks, edges[:-1], side="right") - 1 for curve in curves.values()]
        pairs = list(zip(curves.values(), at, strict=True))
        at_0, slopes = (
            np.column_stack([c.intercepts[i] for c, i in pairs]),
            np.column_stack([c.slopes[i] for c, i in pairs]),
        )
        return cls(edges, at_0, slopes, tie)

    def mirrored(self) -> Pieces:
        """Return the same costs of minus the number."""
        return Pieces(-self.edges[::-1], self.at_0[::-1], -self.slopes[::-1], self.tie)

    def _piece(self, x: float) -> int:
        return min(int(np.searchsorted(self.edges, x, side="right")), self.edges.size - 1) - 1

    def first(self, x: float) -> int:
        """Return who is cheapest from x on; of equals, the first in order."""
        i = self._piece(x)
        now = self.at_0[i] + self.slopes[i] * x
        tied = np.flatnonzero(now <= now.min() + self.tie)
        later = self.at_0[i, tied] + self.slopes[i, tied] * self.edges[i + 1]
        return int(tied[np.argmax(later <= later.min() + self.tie)])

    def until(self, leader: int, x: float) -> float:
        """Return up to where a model that is cheapest just above x stays so; x if it is not."""
        i = self._piece(x)
        now = self.at_0[i] + self.slopes[i] * x
        if now[leader] > now.min() + self.tie:
            return x
        # The lowest of lines is concave: a line that is lowest at both ends of a piece is lowest throughout.
        if self.stays[i, leader]:
            lost = np.flatnonzero(~(self.starts & self.stays)[i + 1 :, leader])
            if lost.size == 0:
                return float(self.edges[-1])
            i += 1 + int(lost[0])
            x = float(self.edges[i])
            if not self.starts[i, leader]:
                return x
        later = self.at_0[i] + self.slopes[i] * self.edges[i + 1]
        below = later < later[leader] - self.tie
        crossings = (self.at_0[i, below] - self.at_0[i, leader]) / (self.slopes[i, leader] - self.slopes[i, below])
        return float(np.clip(np.min(crossings), x, self.edges[i + 1]))

    def wins(self, names: Sequence[str]) -> tuple[ClassWin, ...]:
        """Return who is cheapest where; a winner stays while it is among the cheapest."""
        found, x = [], float(self.edges[0])
        while x < self.edges[-1]:
            leader = self.first(x)
            end = max(self.until(leader, x), float(np.nextafter(x, math.inf)))
            found.append(ClassWin(names[leader], x, end))
            x = end
        return tuple(found)

    def around(self, model: int, x: float) -> tuple[float, float]:
        """Return how far below and above x a model stays among the cheapest."""
        return -self.mirrored().until(model, -x), self.until(model, x)

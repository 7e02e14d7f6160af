"""Upper hulls of the points of ROC space, of one curve and of many at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.data.checks import Bools, Floats

# Blocks looked at together, few enough to stay in the processor's cache.
_TOGETHER = 2**14
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Hulls:
    """The upper hulls of replicates laid end to end: counts of the vertices, the point of the path each is, where each replicate begins."""

    fp: NDArray[Any]
    tp: NDArray[Any]
    point: NDArray[np.intp]
    start: NDArray[np.intp]

    def __len__(self) -> int:
        return int(self.start.size - 1)

    def rates(self) -> tuple[Floats, Floats]:
        """Return fpr and tpr of every vertex."""
        size, last = np.diff(self.start), self.start[1:] - 1
        return self.fp / np.repeat(self.fp[last], size), self.tp / np.repeat(self.tp[last], size)

    def cheapest(self, pcf: Floats) -> NDArray[np.intp]:
        """Return, for each replicate and pcf, the place of the cheapest vertex; shape (replicates, pcf)."""
        fpr, tpr = self.rates()
        inner = np.ones(fpr.size, dtype=np.bool_)
        inner[self.start[:-1]] = False  # an edge ends at every vertex but the first of its replicate
        ends = np.flatnonzero(inner)
        run, rise = fpr[ends] - fpr[ends - 1], tpr[ends] - tpr[ends - 1]
        # The edge's two vertices cost the same at pcf = run/(run + rise).
        switch = run / (run + rise)
        if len(self) == 1:
            return np.searchsorted(switch, pcf)[None, :]
        # A step of 2 keeps replicates apart. The rounding this adds may miss by an edge. It is corrected below, because no
        # replicate may depend on those searched together with it.
        shift = 2.0 * np.arange(len(self))
        apart = switch + np.repeat(shift, np.diff(self.start) - 1)
        before = np.searchsorted(apart, (shift[:, None] + pcf).ravel()).reshape(len(self), pcf.size)
        numbers = np.arange(len(self))[:, None]
        first, last = self.start[:-1, None] - numbers, self.start[1:, None] - numbers - 1
        while np.any(late := (before < last) & (switch[np.minimum(before, switch.size - 1)] < pcf)):
            before += late
        while np.any(soon := (before > first) & (switch[before - 1] >= pcf)):
            before -= soon
        return np.asarray(before + numbers)  # one edge fewer than vertices in each replicate before

    def costs(self, pcf: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """Return the lowest cost of each replicate at each pcf, and the point of the path that has it."""
        fpr, tpr = self.rates()
        best = self.cheapest(pcf)
        return cost_of(fpr[best], tpr[best], pcf), self.point[best]


def cost_of(fpr: float | Floats, tpr: float | Floats, pcf: Floats) -> Floats:
    """Return the normalised cost at each pcf."""
    return np.asarray((1 - pcf) * fpr + pcf * (1 - tpr))


def upper_hulls(x: NDArray[Any], y: NDArray[Any], start: NDArray[np.intp], point: NDArray[np.intp]) -> Hulls:
    """Return the hulls of curves laid end to end that begin at `start`; only the first `point` of a curve is called 0."""
    end = np.zeros(x.size, dtype=np.bool_)
    end[start] = end[start - 1] = True
    x, y, point = eliminate(x, y, point, end)
    return Hulls(x, y, point, np.append(np.flatnonzero(point == 0), point.size))


def eliminate(
    x: NDArray[Any], y: NDArray[Any], point: NDArray[np.intp], end: Bools
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.intp]]:
    """Drop what is not on the hulls of curves laid end to end; `end` marks their ends, no two other points in a row may be equal."""
    # One of points above each other, the highest, and one of points beside each other, the leftmost.
    keep = end.copy()
    keep[1:-1] |= (y[1:-1] > y[:-2]) & (x[2:] > x[1:-1])
    at = np.flatnonzero(keep)
    kind = np.float64 if x.dtype.kind == "f" else np.int64  # products of two differences need more digits
    return without_lower(x[at].astype(kind), y[at].astype(kind), point[at], end[at])


def without_lower(
    x: NDArray[Any], y: NDArray[Any], point: NDArray[np.intp], end: Bools
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.intp]]:
    """Do so where no two points are equal, except perhaps for one and the end after it."""
    while True:
        dx, dy = x[1:] - x[:-1], y[1:] - y[:-1]
        keep = end.copy()
        keep[1:-1] |= dx[:-1] * dy[1:] < dy[:-1] * dx[1:]
        at = np.flatnonzero(keep)
        if at.size == x.size:
            return x, y, point
        x, y, point, end = x[at], y[at], point[at], end[at]


def reaching(
    x: NDArray[Any],
    y: NDArray[Any],
    hull: NDArray[np.intp],
    *,
    top: NDArray[Any] | None = None,
) -> Bools:
    """Tell which blocks between points may reach above the hull; no point of a block lies above `top`: where it ends, if not given."""
    # Whole numbers are compared exactly while their products fit; otherwise a corner that is not clearly below counts as above.
    begin, top = x[:-1], y[1:] if top is None else top
    above = np.zeros(begin.size, dtype=np.bool_)
    if hull.size == 1 or not above.size:
        return above
    # Of equal last points the hull has the first; blocks after it have no width and lie at its end.
    vertex = np.append(hull[:-1], x.size - 1)
    run, rise = np.diff(x[vertex]), np.diff(y[vertex])
    width, height = max(abs(float(x[0])), abs(float(x[-1]))), max(abs(float(y.min())), abs(float(top.max())))
    exact = x.dtype.kind == "i" and width * height < 2.0**60
    if not exact:
        run, rise = run.astype(float), rise.astype(float)
    level = run * y[vertex[:-1]] - rise * x[vertex[:-1]]
    spare = 0 if exact else -16 * _EPS * width * height
    falls = bool(np.any(rise < 0))
    for start in range(0, above.size, _TOGETHER):
        stop = min(start + _TOGETHER, above.size)
        few = slice(start, stop)
        first, last = np.searchsorted(vertex, start, side="right") - 1, np.searchsorted(vertex, stop)
        many = np.diff(np.clip(vertex[first : last + 1], start, stop))
        over = [np.repeat(v[first:last], many) for v in (run, rise, level)]
        # Where the hull falls, the right corner is the one that may stand above it.
        corner = np.where(over[1] < 0, x[1:][few], begin[few]) if falls else begin[few]
        np.greater(over[0] * top[few] - over[1] * corner - over[2], spare, out=above[few])
    return above


# Below this many points a plain walk is quicker than another round of elimination.
_WALK = 16
# So many rounds may eliminate next to nothing before it is left to the walk.
_PATIENCE = 8
# Above this many points it pays to look at blocks of them first.
_MANY, _BLOCK = 32_768, 16
# Points that are compared at once: more would not stay in the processor's cache, and take memory.
_PART = 2**17


def upper_hull(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.intp]:
    """Return indices of the vertices of the upper hull of points sorted by x, then y: exact for integers, up to rounding for rates."""
    exact = x.dtype.kind == "i"
    # Two factors below 2^31 multiply without overflow; longer ones are left to the walk, whose integers have no size.
    small = not exact or max(int(x[-1]) - int(x[0]), int(y.max()) - int(y.min())) < 2**31
    keep = _near_the_hull(x, y) if small and x.size > _MANY else np.arange(x.size)
    u, v = x[keep], y[keep]
    # Equal points would eliminate each other.
    keep = keep[np.append(True, (u[1:] != u[:-1]) | (v[1:] != v[:-1]))]
    if small:
        keep, done = _eliminate(x, y, keep)
        if done and exact:
            return keep
    return _walk(x, y, keep, exact=exact)


def _near_the_hull(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.intp]:
    """Drop blocks of points that stay below the hull of the blocks' first points, judged by each block's upper corner."""
    first = np.append(np.arange(0, x.size - 1, _BLOCK), x.size - 1)
    vertex = upper_hull(x[first], y[first])
    if vertex.size == 1:
        return first[:1]
    kept = np.repeat(reaching(x[first], y[first], vertex, top=np.maximum.reduceat(y[:-1], first[:-1])), np.diff(first))
    kept[first[vertex[:-1]]] = True
    end = np.argmax((x == x[-1]) & (y == y[-1]))  # the first of equal last points, as everywhere
    return np.append(np.flatnonzero(kept[:end]), end)


def _eliminate(x: NDArray[Any], y: NDArray[Any], keep: NDArray[np.intp]) -> tuple[NDArray[np.intp], bool]:
    """Drop, round by round and all at once, points on or below the chord of their neighbours; tell whether none is left."""
    if keep.size > _PART:
        # The ends of parts stay, whatever is beside them.
        parts = np.array_split(keep, -(-keep.size // (_PART // 2)))
        keep = np.concatenate([_eliminate(x, y, part)[0] for part in parts])
    u, v = x[keep], y[keep]
    slow = 0
    # If few go, round after round, they do so from one end only, which the walk does faster.
    while keep.size > _WALK and slow < _PATIENCE:
        du, dv = u[1:] - u[:-1], v[1:] - v[:-1]
        above = np.ones(keep.size, dtype=np.bool_)
        np.less(du[:-1] * dv[1:], dv[:-1] * du[1:], out=above[1:-1])
        at = above.nonzero()[0]
        if at.size == keep.size:
            return keep, True
        slow += at.size > 0.97 * keep.size
        keep, u, v = keep[at], u[at], v[at]
    return keep, False


def _walk(x: NDArray[Any], y: NDArray[Any], keep: NDArray[np.intp], *, exact: bool) -> NDArray[np.intp]:
    """Build the hull by a monotone chain."""
    index, u, v = keep.tolist(), x[keep].tolist(), y[keep].tolist()
    chain: list[int] = []
    for i, (px, py) in enumerate(zip(u, v, strict=True)):
        while len(chain) > 1:
            a, b = chain[-2], chain[-1]
            ax, ay, bx, by = u[a], v[a], u[b], v[b]
            turn = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
            # Rounding is forgiven only to a point between its neighbours: one that stands above both is a vertex.
            if turn < (0 if exact or not ay <= by <= py else -4 * _EPS * (px - ax + py - ay)):
                break
            chain.pop()
        chain.append(i)
    return np.array([index[i] for i in chain], dtype=np.intp)


def cheapest(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the points, sorted by x and y, that are cheapest at some t, the first at t = 1, and the values of t between, ascending."""
    index = upper_hull(x, y)
    # Beyond the highest point the hull falls: cheapest only where positives would be worth missing.
    index = index[: int(np.argmax(y[index])) + 1]
    rise, run = np.diff(y[index])[::-1], np.diff(x[index])[::-1]
    return index, np.asarray(rise / (rise + run), dtype=np.float64)


def least_between(values: Floats, begin: NDArray[np.intp], end: NDArray[np.intp]) -> Floats:
    """Return the least value from each `begin` up to, not including, its `end`: two stretches of a power of two cover it."""
    power = np.frexp(end - begin)[1] - 1
    least = np.empty(begin.size)
    for k in range(int(power.max(initial=0)) + 1):
        here = power == k
        least[here] = np.minimum(values[begin[here]], values[end[here] - (1 << k)])
        values = np.minimum(values[: -(1 << k)], values[1 << k :])
    return least

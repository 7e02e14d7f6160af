"""The upper convex hull of the points of one curve in ROC space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.geometry.hulls import reaching

# Below this many points a plain walk is quicker than another round of elimination.
_WALK = 16
# So many rounds may eliminate next to nothing before it is left to the walk.
_PATIENCE = 8
# Above this many points it pays to look at blocks of them first.
_MANY = 32_768
_BLOCK = 16
# Points that are compared at once: more would not stay in the processor's cache, and take memory.
_PART = 2**17
# Products of two differences of whole numbers below this are exact as floats, and so is the sum of two.
_SMALL = 2**26
_EPS = float(np.finfo(np.float64).eps)


def upper_hull(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.intp]:
    """Return indices of the vertices of the upper hull from the lowest x to the highest, collinear points left out.

    Points must be sorted by x, then y. Integers are compared exactly; floats count as collinear when the
    difference is within the rounding of their coordinates, which are taken to be rates in [0, 1].
    """
    exact = x.dtype.kind == "i"
    # Two factors below 2^31 multiply without overflow; longer ones are left to the walk, whose integers have no size.
    small = not exact or max(int(x[-1]) - int(x[0]), int(y.max()) - int(y.min())) < 2**31
    if small and x.size > _MANY:
        keep = _near_the_hull(x, y)
        keep = keep[_distinct(x[keep], y[keep])]
    else:
        keep = np.flatnonzero(_distinct(x, y))
    if small:
        keep, done = _eliminate(x, y, keep)
        if done and exact:
            return keep
    return _walk(x, y, keep, exact=exact)


def lower_hull_of_steps(x: NDArray[np.intp], y: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return the vertices of the lower hull of points from 0 on whose x ascend without repeating and whose y do not fall.

    The points are held as complex numbers, which halves the steps of a round: the imaginary part of conj(a)·b tells how the
    path turns from a to b, and is exact while the points are below 2^26.
    """
    if max(int(x[-1]), int(y[-1])) >= _SMALL:
        vertex = upper_hull(x, -y)
        return x[vertex], y[vertex]
    z = np.empty(x.size, dtype=np.complex128)
    z.real, z.imag = x, y
    below = np.ones(z.size, dtype=np.bool_)
    left, slow = 0, 0
    while left != z.size and slow < _PATIENCE:
        left = z.size
        way = z[1:] - z[:-1]
        turn = way[:-1].conj()
        turn *= way[1:]
        np.greater(turn.imag, 0, out=below[1 : left - 1])
        below[left - 1] = True
        z = z[below[:left]]
        slow += z.size > 0.97 * left
    x, y = z.real.astype(np.intp), z.imag.astype(np.int64)
    if left != z.size:
        vertex = _walk(x, -y, np.arange(x.size), exact=True)
        x, y = x[vertex], y[vertex]
    return x, y


def _near_the_hull(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.intp]:
    """Drop blocks of points that stay below the hull of the blocks' first points, judged by each block's upper corner."""
    first = np.append(np.arange(0, x.size - 1, _BLOCK), x.size - 1)
    vertex = upper_hull(x[first], y[first])
    if vertex.size == 1:
        return first[:1]
    above = reaching(x[first], y[first], vertex, top=np.maximum.reduceat(y[:-1], first[:-1]))
    kept = np.repeat(above, np.diff(first))
    kept[first[vertex[:-1]]] = True
    end = np.argmax((x == x[-1]) & (y == y[-1]))  # the first of equal last points, as everywhere
    return np.append(np.flatnonzero(kept[:end]), end)


def _distinct(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which points differ from the one before: equal ones would eliminate each other."""
    new = np.ones(x.size, dtype=np.bool_)
    new[1:] = (x[1:] != x[:-1]) | (y[1:] != y[:-1])
    return new


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
    """Return indices of the points that are cheapest at some t in [0, 1], and the values of t between them, ascending.

    Nothing is added to the points, which must be sorted by x, then y. The first index is cheapest at t = 1, the last at t = 0.
    """
    index = upper_hull(x, y)
    # Beyond the highest point the hull falls: cheapest only where positives would be worth missing.
    index = index[: int(np.argmax(y[index])) + 1]
    rise, run = np.diff(y[index])[::-1], np.diff(x[index])[::-1]
    return index, np.asarray(rise / (rise + run), dtype=np.float64)

"""Equal tpr and equal fpr at once: mixtures by linear programming, single thresholds by windows in both rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.comparison.parity_fixed import ROUNDING, cheapest_window
from isocost.comparison.parity_mixed import Mixture
from isocost.errors import InputError
from isocost.geometry.hull import upper_hull
from isocost.validate import Floats

# As many points in all are compared pair by pair; of more, windows begin at some of the rates only.
MOST_POINTS = 2000
_SOME = 200
_STEP = 1e-6
# Beyond so many unknowns a dense system takes longer than the program itself.
_MOST_USED = 600


def mixed_odds(
    fpr: Sequence[Floats], tpr: Sequence[Floats], costs: Sequence[Floats], tolerance: float
) -> tuple[list[Mixture], float, float]:
    """Return the mixture of each group, the cost of all, and what a unit of tolerance more would save at first.

    Every group lies in the area under its hull, so both rates differ by at most the tolerance in a linear program over vertices.
    """
    vertices = [_vertices(x, y) for x, y in zip(fpr, tpr, strict=True)]
    least, parts = _solved(fpr, tpr, costs, vertices, tolerance)
    step = min(_STEP, 1 - tolerance)
    saved = least - _solved(fpr, tpr, costs, vertices, tolerance + step)[0] if step > 0 else 0.0
    return parts, least, max(saved / step, 0.0) if saved > 1e-12 else 0.0


def _vertices(x: Floats, y: Floats) -> NDArray[np.intp]:
    order = np.lexsort((y, x))
    return order[upper_hull(x[order], y[order])]


def _solved(
    fpr: Sequence[Floats],
    tpr: Sequence[Floats],
    costs: Sequence[Floats],
    vertices: Sequence[NDArray[np.intp]],
    tolerance: float,
) -> tuple[float, list[Mixture]]:
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, csr_array

    sizes = [v.size for v in vertices]
    start = np.concatenate([[0], np.cumsum(sizes)])
    many, groups = int(start[-1]), len(sizes)
    x, y, cost = (
        np.concatenate([column[v] for column, v in zip(columns, vertices, strict=True)])
        for columns in (fpr, tpr, costs)
    )
    # Probabilities of all vertices, then the lower ends of both windows. Each group: low ≤ rate ≤ low + tolerance.
    group, column = np.repeat(np.arange(groups), sizes), np.arange(many)
    rows, columns, values = [], [], []
    for k, rate in enumerate((x, y)):
        for side, sign in enumerate((1.0, -1.0)):
            row = (2 * k + side) * groups
            rows += [row + group, row + np.arange(groups)]
            columns += [column, np.full(groups, many + k)]
            values += [sign * rate, np.full(groups, -sign)]
    limits: Any = csr_array(
        coo_array(
            (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(4 * groups, many + 2)
        )
    )
    most = np.tile(np.repeat([tolerance, 0.0], groups), 2)
    whole: Any = csr_array(coo_array((np.ones(many), (group, column)), shape=(groups, many + 2)))
    found: Any = linprog(
        np.append(cost, [0.0, 0.0]),
        A_ub=limits,
        b_ub=most,
        A_eq=whole,
        b_eq=np.ones(groups),
        bounds=(0, 1),
        method="highs-ds",
    )
    if found.status != 0:
        raise InputError(f"the linear program of equal odds was not solved: {found.message}")
    solution = _exactly(found.x, found.slack, limits, most, whole)
    share = np.clip(solution[:many], 0.0, 1.0)
    parts = [
        [(float(p), int(v)) for p, v in zip(share[a:b], vertex, strict=True) if p > 1e-15]
        for a, b, vertex in zip(start[:-1], start[1:], vertices, strict=True)
    ]
    return float(share @ cost), parts


def _exactly(solution: Floats, slack: Floats, limits: Any, most: Floats, whole: Any) -> Floats:
    """Solve for what is not 0 from the limits that are met: the solver's own tolerance is 1e-7."""
    used, met = np.flatnonzero(solution > 1e-9), np.flatnonzero(slack < 1e-9)
    if used.size > _MOST_USED:
        return solution
    matrix = np.concatenate([whole[:, used].toarray(), limits[met][:, used].toarray()])
    right = np.concatenate([np.ones(matrix.shape[0] - met.size), most[met]])
    exact, *_ = np.linalg.lstsq(matrix, right, rcond=None)
    better = np.zeros_like(solution)
    better[used] = exact
    kept = np.all(limits @ better <= most + ROUNDING) and np.all(exact >= -ROUNDING)
    close = np.allclose(matrix @ exact, right, atol=1e-13) and np.allclose(exact, solution[used], atol=1e-6)
    return better if kept and close else solution


def fixed_odds(
    fpr: Sequence[Floats], tpr: Sequence[Floats], costs: Sequence[Floats], tolerance: float
) -> tuple[list[int], bool]:
    """Return one point a group with both rates within the tolerance, and whether all windows were tried."""
    begins = np.unique(np.concatenate(fpr))
    exact = sum(x.size for x in fpr) <= MOST_POINTS
    if not exact:
        begins = np.unique(np.append(begins[:: max(1, begins.size // _SOME)], 0.0))
    best: list[int] | None = None
    least = np.inf
    for begin in begins.tolist():
        inside = [np.flatnonzero((x >= begin) & (x <= begin + tolerance + ROUNDING)) for x in fpr]
        if not all(i.size for i in inside):
            continue
        cheapest = sum(float(c[i].min()) for c, i in zip(costs, inside, strict=True))
        if cheapest >= least:
            continue
        picked = window(tpr, costs, inside, tolerance)
        if picked is None:
            continue
        cost = sum(float(c[i]) for c, i in zip(costs, picked, strict=True))
        if cost < least:
            least, best = cost, picked
    assert best is not None  # noqa: S101 - flagging nobody is always possible
    return best, exact


def window(
    rates: Sequence[Floats], costs: Sequence[Floats], inside: Sequence[NDArray[np.intp]], tolerance: float
) -> list[int] | None:
    """Return the cheapest points with equal rates among some points of each group; None if there are none."""
    sizes = [i.size for i in inside]
    if not all(sizes):
        return None
    rate, cost = (np.concatenate([one[i] for one, i in zip(of, inside, strict=True)]) for of in (rates, costs))
    chosen = cheapest_window(rate, cost, np.repeat(np.arange(len(sizes)), sizes), tolerance)
    if chosen is None:
        return None
    begins = np.cumsum([0, *sizes[:-1]])
    return [int(i[k]) for i, k in zip(inside, (chosen - begins).tolist(), strict=True)]

"""Who is cheapest where among 50 models of 1000 hull vertices each, against a grid of 1000 values of t.

The grid is what other tools do: the cost of every vertex at every t, with NumPy. It takes longer and is right only between its
points by luck; isocost returns the exact ranges. The ratio of median times has a bar.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import isocost as ic

MODELS, VERTICES, GRID, RUNS = 50, 1000, 1000, 7
BAR = 0.5


def convex_path(seed: int) -> NDArray[np.int64]:
    """Whole numbers of negatives and positives that form a path with nothing but hull vertices."""
    steps = np.random.default_rng(seed).integers(1, 4000, (2, VERTICES))
    ordered = steps[:, np.argsort(-(steps[1] / steps[0]))]
    return np.cumsum(ordered, axis=1)


def models() -> list[ic.RocCurve]:
    """Fifty such models on the same cases."""
    paths = [convex_path(seed) for seed in range(MODELS)]
    negatives, positives = (1 + max(int(path[row, -1]) for path in paths) for row in (0, 1))
    return [
        ic.RocCurve.from_points(
            path[0] / negatives, path[1] / positives, positives=positives, negatives=negatives, name=f"model {i}"
        )
        for i, path in enumerate(paths)
    ]


def on_a_grid(curves: list[ic.RocCurve]) -> NDArray[np.intp]:
    """Return the cheapest model at each t of the grid."""
    t = np.linspace(0, 1, GRID)[:, None]
    costs = [np.min(t * curve.hull.fpr + (1 - t) * (1 - curve.hull.tpr), axis=1) for curve in curves]
    return np.asarray(np.argmin(costs, axis=0))


def median(function: Callable[[], object]) -> float:
    """Return the median time of a few runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> int:
    """Time both on the same curves, whose own hulls are already there, and compare with the bar."""
    curves = models()
    for curve in curves:
        assert len(curve.hull) > 0.7 * VERTICES
    exact, grid = median(lambda: ic.Comparison(curves).winners()), median(lambda: on_a_grid(curves))
    print(f"winners of {MODELS} models: {exact * 1e3:.0f} ms exactly, {grid * 1e3:.0f} ms on a grid of {GRID}")
    print(f"ratio {exact / grid:.3f}, bar {BAR}")
    return int(exact / grid > BAR)


if __name__ == "__main__":
    sys.exit(main())

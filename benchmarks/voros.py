"""VOROS in closed form against one np.cumsum pass, and against integrating on a grid of t over all ROC points."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import isocost as ic

POINTS = 100_000
GRID = 1000
TRIED = 10  # grid points timed in Python; the rest would take as long each
CUMSUM_BAR = 60.0
GRID_BAR = 1000.0


def seconds(work: Callable[[], object], runs: int = 21) -> float:
    """Median time of some runs."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def on_a_grid(points: list[tuple[float, float]], grid: list[float]) -> float:
    """The mean area of lesser classifiers at some values of t, every point tried at each: what one writes first."""
    total = 0.0
    for t in grid:
        cost = min(t * x + (1 - t) * (1 - y) for x, y in points)
        total += 1 - cost**2 / (2 * t * (1 - t))
    return total / len(grid)


def main() -> int:
    """Compare on one curve of distinct scores, each time with its hull still to be found."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, POINTS)
    curve = ic.RocCurve.from_scores(y, rng.normal(size=POINTS) + y)
    points = list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))

    fresh = seconds(lambda: ic.voros(replace(curve)))
    ready = seconds(lambda: ic.voros(curve))
    steps = rng.integers(0, 2, POINTS)
    cumsum = seconds(lambda: np.cumsum(steps), 201)
    grid = ((np.arange(GRID) + 0.5) / GRID).tolist()
    in_python = seconds(lambda: on_a_grid(points, grid[:: GRID // TRIED]), 3) * GRID / TRIED
    x, k = curve.fpr, curve.tpr
    in_numpy = (
        seconds(lambda: [float(np.min(t * x + (1 - t) * (1 - k))) for t in grid[:: GRID // TRIED]], 5) * GRID / TRIED
    )

    print(f"{POINTS} points: voros {fresh * 1e3:.2f} ms with the hull, {ready * 1e6:.0f} µs once the hull is known")
    print(f"one np.cumsum of {POINTS} takes {cumsum * 1e3:.2f} ms: ratio {fresh / cumsum:.1f}, bar {CUMSUM_BAR:g}")
    speedup = in_python / fresh
    print(
        f"{GRID} grid points in Python (from {TRIED}): {in_python:.0f} s, {speedup:.0f} times slower, bar {GRID_BAR:g}"
    )
    print(f"the same with numpy at each grid point: {in_numpy * 1e3:.0f} ms, {in_numpy / fresh:.0f} times slower")
    error = abs(on_a_grid(list(zip(curve.hull.fpr, curve.hull.tpr, strict=True)), grid) - ic.voros(curve))
    print(f"and the grid is off by {error:.1e}")
    return int(fresh / cumsum > CUMSUM_BAR or speedup < GRID_BAR)


if __name__ == "__main__":
    sys.exit(main())

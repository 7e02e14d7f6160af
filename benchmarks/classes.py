"""Costs along one entry of a cost matrix: the exact pieces against labelling every case anew at each of them.

60,000 cases, 8 classes. `along` finds every value at which a label changes; labelling anew at as many values is timed at 40 of them and
scaled up. Both give the same costs at 25 random values. No other package takes ranges of a cost matrix (scikit-learn #30970 is open).
"""

from __future__ import annotations

import sys
import time

import numpy as np

import isocost as ic

CASES, CLASSES, TIMED, CHECKED = 60_000, 8, 40, 25
BAR, EQUAL = 100.0, 1e-10


def main() -> int:
    """Print the times, their ratio and the largest difference of costs; fail below the bar."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, CASES)
    z = rng.normal(size=(CASES, CLASSES))
    z[np.arange(CASES), y] += 1.5
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    costs = rng.integers(1, 6, (CLASSES, CLASSES)).astype(float)
    np.fill_diagonal(costs, 0)
    entries = [list(row) for row in costs.tolist()]
    entries[0][1] = (1.0, 20.0)
    comparison, matrix = ic.ClassComparison.from_scores(y, {"m": p}), ic.CostMatrix(entries)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        curve = comparison.along(matrix, (0, 1)).curves["m"]
        times.append(time.perf_counter() - start)
    exact = min(times)

    def anew(theta: float) -> float:
        table = costs.copy()
        table[0, 1] = theta
        return float(table[y, np.argmin(p @ table, axis=1)].mean())

    start = time.perf_counter()
    for theta in np.linspace(1, 20, TIMED):
        anew(float(theta))
    brute = (time.perf_counter() - start) / TIMED * curve.slopes.size
    apart = max(abs(anew(theta) - float(curve(theta))) for theta in rng.uniform(1, 20, CHECKED).tolist())
    ratio = brute / exact
    print(
        f"along: {exact:.2f} s for {curve.slopes.size:,} pieces; labelling anew at each: {brute:.0f} s; ratio {ratio:.0f} (bar {BAR:g})"
    )
    print(f"largest difference at {CHECKED} values: {apart:.1e} (bar {EQUAL:g})")
    return int(ratio < BAR or apart > EQUAL)


if __name__ == "__main__":
    sys.exit(main())

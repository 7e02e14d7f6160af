"""Review bands: how long they take.

Without a limit a band works on the hull alone, and is compared with `best_threshold`. Two thresholds under a limit
are the best of all pairs of a hundred thousand and of a million distinct scores, and are compared with sorting these scores once. How sure
prices with reviews are is measured by `how_sure.py`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import isocost as ic

CONDITION = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
HULL_BAR, SORT_BAR = 10.0, 3.0


def scores(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and distinct scores of n cases."""
    y = np.arange(n) < 0.3 * n
    return y, np.random.default_rng(seed).normal(size=n) + y


def fastest(function: Callable[[], object], runs: int = 7) -> float:
    """Return the shortest time of a few runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def speed() -> bool:
    """Time bands on the hull against a single threshold, and the search under a limit against a sort."""
    large = ic.RocCurve.from_scores(*scores(1_000_000, 0))
    assert large.hull.fpr.size < large.fpr.size  # both laid out before the clock starts
    single = fastest(lambda: ic.best_threshold(large, CONDITION))
    kept = True
    ratio = fastest(lambda: ic.decide.review_band(large, CONDITION, cost_review=0.3)) / single
    print(f"a band without a limit: {ratio:.1f} times best_threshold, bar {HULL_BAR:.0f}")
    kept = ratio <= HULL_BAR
    # A search that keeps pace with sorting at both sizes grows as n log n.
    for n in (100_000, 1_000_000):
        unsorted = scores(n, 0)[1]
        curve = large if n == 1_000_000 else ic.RocCurve.from_scores(*scores(n, 0))
        assert curve.hull.fpr.size < curve.fpr.size
        sort = fastest(lambda unsorted=unsorted: np.sort(unsorted))  # type: ignore[misc]
        taken = fastest(lambda curve=curve: ic.decide.review_band(curve, CONDITION, cost_review=0.3, max_reviewed=0.1))  # type: ignore[misc]
        print(f"two thresholds under a limit, {n} scores: {taken / sort:.2f} times sorting them, bar {SORT_BAR:.0f}")
        kept &= taken / sort <= SORT_BAR
    return kept


if __name__ == "__main__":
    sys.exit(0 if speed() else 1)

"""What questions about resamples cost beside the resampling itself: 100 000 cases, two models.

The value of labels against the bootstrap it is read from, claims about all pairs of five models against all their differences, and cases
drawn whatever their class against cases drawn within each class. Each ratio of the shortest times has a bar.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import combinations

import numpy as np

import isocost as ic

CASES, RESAMPLES, RUNS = 100_000, 200, 3
BARS = {"value of labels": 0.05, "value of labels, priced": 0.05, "significant pairs": 3.0, "not stratified": 2.5}


def scored(models: int, cases: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels and correlated scores."""
    rng = np.random.default_rng(0)
    y = np.arange(cases) < cases // 5
    shared = rng.normal(size=cases)
    return y, {f"m{i}": shared + 0.5 * rng.normal(size=cases) + y for i in range(models)}


def shortest(function: Callable[[], object]) -> float:
    """Return the shortest time of a few runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    """Print each ratio and its bar; fail above one."""
    y, scores = scored(2, CASES)
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.2)
    boot = ic.bootstrap(y, scores, n_resamples=RESAMPLES, progress=False)
    drawn = shortest(lambda: ic.bootstrap(y, scores, n_resamples=RESAMPLES, progress=False))
    free = shortest(lambda: ic.bootstrap(y, scores, n_resamples=RESAMPLES, progress=False, stratified=False))
    five = ic.bootstrap(*scored(5, 2000), n_resamples=1000, progress=False)
    pairs = list(combinations(five.names, 2))
    each = shortest(lambda: [five.difference(a, b, kind="simultaneous") for a, b in pairs])
    ratios = {
        "value of labels": shortest(lambda: boot.value_of_labels(condition)) / drawn,
        "value of labels, priced": shortest(lambda: boot.value_of_labels(condition, cost_per_label=0.1)) / drawn,
        "significant pairs": shortest(five.significant_pairs) / each,
        "not stratified": free / drawn,
    }
    print(f"{RESAMPLES} resamples of {CASES:,} cases and two models: {drawn:.2f} s")
    for name, ratio in ratios.items():
        print(f"{name}: ratio {ratio:.3f}, bar {BARS[name]:g}")
    return int(any(ratio > BARS[name] for name, ratio in ratios.items()))


if __name__ == "__main__":
    sys.exit(main())

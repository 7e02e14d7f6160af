"""Groups: how long counting and equal rates take, and how often intervals hold the truth.

Speed: a million rows in 1000 groups are counted in one sort, and compared with counting the pooled rows; equal rates for all groups are
compared with that counting. Coverage: two groups of 250 cases, half and 30 % positive, normal scores; 90 % intervals of 200 resamples for
the cost of the thresholds chosen, the price of equal tpr, and the difference of tpr. A share of 60 samples is known within 8 %.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import isocost as ic

CONDITION = ic.Condition(cost_fp=1, cost_fn=2)
COUNT_BAR, PARITY_BAR, COVERAGE_BAR = 5.0, 2.0, 70.0
SHIFT, PREVALENCE = {"a": 1.6, "b": 0.9}, {"a": 0.5, "b": 0.3}


def fastest(function: Callable[[], object], runs: int = 3) -> float:
    """Return the shortest time of a few runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def speed() -> bool:
    """Compare counting by group with counting, and equal rates with counting by group."""
    rng = np.random.default_rng(0)
    y = rng.random(1_000_000) < 0.3
    s, g = rng.normal(size=y.size) + y, rng.integers(0, 1000, y.size)
    pooled, grouped = fastest(lambda: ic.ScoreCounts.from_arrays(y, s)), fastest(lambda: ic.Groups.from_scores(y, s, g))
    groups = ic.Groups.from_scores(y, s, g)
    parity = fastest(lambda: groups.parity(CONDITION, "tpr", 0.02, randomised=True))
    print(f"counting 1000 groups: {grouped:.2f} s, {grouped / pooled:.1f} times the pooled rows, bar {COUNT_BAR:.0f}")
    print(f"equal tpr of 1000 groups: {parity:.2f} s, {parity / grouped:.2f} times the counting, bar {PARITY_BAR:.0f}")
    return grouped / pooled <= COUNT_BAR and parity / grouped <= PARITY_BAR


def draw(seed: int, size: int) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.str_]]:
    """Return labels, scores and groups; classes of fixed size."""
    rng = np.random.default_rng(seed)
    g = np.repeat(["a", "b"], size)
    y = np.concatenate([np.arange(size) < PREVALENCE[name] * size for name in "ab"])
    return y, rng.normal(size=2 * size) + np.repeat([SHIFT["a"], SHIFT["b"]], size) * y, g


def true_rates(choice: ic.comparison.GroupChoice) -> tuple[float, float]:
    """Return the true fpr and tpr of a rule."""
    cuts = [(part.probability, part.threshold) for part in choice.mixture]
    fpr = sum(p * float(stats.norm.sf(cut)) for p, cut in cuts)
    return fpr, sum(p * float(stats.norm.sf(cut - SHIFT[choice.group])) for p, cut in cuts)


def coverage(samples: int, size: int) -> bool:
    """Count how often the intervals hold what the rules truly do."""
    held: dict[str, list[bool]] = {"cost": [], "price": [], "tpr difference": []}
    for seed in range(samples):
        groups = ic.Groups.from_scores(*draw(seed, size))
        boot = groups.bootstrap(CONDITION, criterion="tpr", randomised=True, n_resamples=200, rng=seed)
        rules = {
            "each": groups.decide(CONDITION).groups,
            "parity": groups.parity(CONDITION, "tpr", randomised=True).groups,
        }
        cost = {
            rule: sum(c.share * c.condition.expected_cost(*true_rates(c)) for c in choices.values())
            for rule, choices in rules.items()
        }
        tpr = {name: true_rates(choice)[1] for name, choice in rules["each"].items()}
        for name, true, interval in (
            ("cost", cost["each"], boot.interval("cost")),
            ("price", cost["parity"] - cost["each"], boot.interval("price")),
            ("tpr difference", tpr["a"] - tpr["b"], boot.interval("tpr", group="a", versus="b")),
        ):
            held[name].append(interval.low <= true <= interval.high)
    for name, inside in held.items():
        print(
            f"two groups of {size}, {name}: {100 * np.mean(inside):.0f} % of {samples} intervals at 90 % hold the truth"
        )
    return all(100 * np.mean(inside) >= COVERAGE_BAR for inside in held.values())


def main() -> int:
    """Run both and compare with the bars."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", type=int, default=20)
    samples = parser.parse_args().samples
    fast = speed()
    return int(not (coverage(samples, 250) and coverage(samples, 100) and fast))


if __name__ == "__main__":
    sys.exit(main())

"""Cascades of two models: the tree over all cuts against one pass for each cut, and against the band that routers use.

Equality with brute force over all triples is a test. Here the least cost of every cut is compared with one linear pass for each cut (700
cases), and timed against these passes at 10,000 distinct scores, `worth_up_to` included, and at 50,000 (200 passes, scaled up). The peer is
a symmetric band of confidence about 0.5 with a cut of 0.5, swept for the best width as routers do.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import isocost as ic
from isocost.decide.cascade import Pairs

CONDITION, PRICE = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.2), 0.2
BARS, GROWTH_BAR = {10_000: 1 / 3, 50_000: 1 / 10}, 30.0


def made(cases: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels, and probabilities of a weak and of a strong model."""
    rng = np.random.default_rng(0)
    y = rng.random(cases) < 0.2
    # The calibrated probability of a normal score that positives have `shift` higher.
    return y, {
        name: 1 / (1 + 4 * np.exp(shift**2 / 2 - shift * (rng.normal(size=cases) + shift * y)))
        for name, shift in (("small", 1.0), ("big", 2.5))
    }


def pairs_of(cases: int) -> Pairs:
    """Return the cases as the solver has them."""
    y, scores = made(cases)
    return Pairs.of(scores["small"], scores["big"], y.astype(float), (~y).astype(float), CONDITION)


def seconds(cases: int) -> tuple[float, float]:
    """Return the time of the whole cascade, and of one pass for each cut."""
    start = time.perf_counter()
    pairs = pairs_of(cases)
    pairs.choose(PRICE)
    pairs.worth_up_to()
    ours = time.perf_counter() - start
    cuts = np.random.default_rng(1).integers(0, cases, 200).tolist()
    start = time.perf_counter()
    for cut in cuts:
        pairs.band(cut, PRICE)
    return ours, (time.perf_counter() - start) / len(cuts) * cases


def symmetric(cases: int) -> tuple[float, float]:
    """Return the cost of the cascade and of the best symmetric band about 0.5, both models cut at 0.5."""
    y, scores = made(cases)
    found = ic.Comparison.from_scores(y, scores).cascade("small", "big", CONDITION, cost_call=PRICE)
    up, down = y * (CONDITION.prevalence / y.sum()), ~y * ((1 - CONDITION.prevalence) / (~y).sum())
    best = np.inf
    for width in np.linspace(0, 0.5, 101):
        asked = np.abs(scores["small"] - 0.5) < width
        flagged = np.where(asked, scores["big"] >= 0.5, scores["small"] >= 0.5)
        cost = (
            CONDITION.fn_gap * up[~flagged].sum()
            + CONDITION.fp_gap * down[flagged].sum()
            + PRICE * (up + down)[asked].sum()
        )
        best = min(best, float(cost))
    return found.expected_cost, best


def main() -> int:
    """Print the ratios, and fail at a missed bar."""
    pairs = pairs_of(700)
    passes = [pairs.band(cut, PRICE) for cut in range(pairs.high.size + 1)]
    apart = np.abs(pairs.tree.least_costs(PRICE) - [band.errors + PRICE * band.asked for band in passes]).max()
    print(f"700 cases: every cut within {apart:.1e} of its own pass   (bar: 1e-12)")
    missed = bool(apart > 1e-12)
    times = {}
    for cases, bar in BARS.items():
        ours, passes_time = seconds(cases)
        times[cases] = ours
        missed |= ours / passes_time > bar
        ratio = f"ratio {ours / passes_time:.3f}   (bar: {bar:.2f})"
        print(f"{cases:,} cases: {ours:.3f} s, one pass for each cut {passes_time:.1f} s, {ratio}")
    growth = seconds(100_000)[0] / times[10_000]
    missed |= growth > GROWTH_BAR
    print(f"ten times the cases (100,000): {growth:.1f} times the time   (bar: {GROWTH_BAR:.0f})")
    cascade, band = symmetric(10_000)
    print(f"cost per case: cascade {cascade:.4f}, symmetric band about 0.5 {band:.4f}, ratio {cascade / band:.2f}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

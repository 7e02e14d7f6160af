"""A new rule against the one in use: how often verdicts are false when looked at after every label, and how many labels they take.

False verdicts: 400 pairs of rules of equal cost, 2000 labels each, looked at after each label; a t-test at each look (from the 30th
on, two-sided at the same level) stands beside. Labels: two rules that differ on a part of the cases; labelling random cases takes
1/differ times as many labels as labelling those on which the rules differ. No other package prices the two directions; tests of
accuracy answer another question.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import stats

import isocost as ic

PAIRS, LABELS, LEVEL = 400, 2000, 0.9
FALSE_BAR, T_TEST_BAR = 0.10, 0.25
CONDITION = ic.Condition(cost_fp=1, cost_fn=5)


def false_verdicts() -> tuple[float, float]:
    """Return how often a verdict is reached about rules of equal cost: by `challenge`, and by a t-test at each look."""
    rng = np.random.default_rng(0)
    looks = np.arange(30, LABELS + 1)
    limit = stats.t.ppf((1 + LEVEL) / 2, looks - 1)
    ours = theirs = 0
    for _ in range(PAIRS):
        # Half newly flagged, half newly cleared, each of equal expected cost: a sixth positive at 5 against five sixths at 1.
        new = rng.random(LABELS) < 0.5
        positive = rng.random(LABELS) < 1 / 6
        found = ic.challenge(positive, ~new, new, CONDITION, level=LEVEL, rng=rng)
        ours += found.verdict != "open"
        d = np.where(positive, -5.0, 1.0) * np.where(new, 1, -1)
        mean = np.cumsum(d)[looks - 1] / looks
        spread = np.sqrt((np.cumsum(d**2)[looks - 1] / looks - mean**2) / (looks - 1))
        theirs += bool(np.any(np.abs(mean) > limit * spread))
    return ours / PAIRS, theirs / PAIRS


def labels_to_a_verdict() -> tuple[float, float, float]:
    """Return the mean number of labels where the rules differ and of random cases, and the share on which they differ."""
    rng = np.random.default_rng(1)
    differing, random, shares = [], [], []
    for _ in range(40):
        y = rng.random(20_000) < 0.1
        old, new = rng.normal(size=y.size) + y >= 1.2, rng.normal(size=y.size) + 1.8 * y >= 1.4
        found = ic.challenge(y, old, new, ic.Condition(1, 10), rng=rng)
        if found.labels_used is None:
            continue
        differing.append(found.labels_used)
        shares.append(found.differ)
        # Random cases are labelled until as many of them are cases on which the rules differ.
        drawn = np.cumsum(rng.permutation(old != new))
        random.append(int(np.searchsorted(drawn, found.labels_used)) + 1)
    return float(np.mean(differing)), float(np.mean(random)), float(np.mean(shares))


def main() -> int:
    """Print both, and fail at a missed bar."""
    ours, theirs = false_verdicts()
    print(f"false verdicts in {PAIRS} pairs of equal rules, looked at after each of {LABELS} labels")
    print(f"  challenge           {100 * ours:5.1f} %   (bar: at most {100 * FALSE_BAR:.0f} %)")
    print(f"  t-test at each look {100 * theirs:5.1f} %   (expected: above {100 * T_TEST_BAR:.0f} %)")
    labels, random, differ = labels_to_a_verdict()
    ratio = random / labels * differ
    print(f"labels to a verdict: {labels:.0f} where the rules differ, {random:.0f} of random cases")
    print(f"  ratio times share that differs ({100 * differ:.1f} %): {ratio:.2f}   (bar: 0.9 to 1.1)")
    return int(ours > FALSE_BAR or theirs < T_TEST_BAR or not 0.9 <= ratio <= 1.1)


if __name__ == "__main__":
    sys.exit(main())

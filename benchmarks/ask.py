"""The question that is worth asking: regret after 1 to 4 questions, against halving the range; and its time.

4000 true costs of a miss, uniform in 1 to 20, one model of the bundled data. `ask` follows its plan, the other asks whether the cost
is above the middle of what is left. Each ends with the best rule at the mean of what is left; regret is against the best rule at the
true cost. No other package asks such questions. Time: `ask(questions=3)` of three models and 200,000 cases against `decide`, curves built.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import isocost as ic
from isocost.datasets import load_german_credit_predictions

RATIO_BAR, TIME_BAR = 2.5, 20.0
LOW, HIGH, PREVALENCE = 1.0, 20.0, 0.3


def regret(hull: ic.RocCurve, cuts: tuple[float, ...], costs: np.ndarray) -> float:
    """Return the mean regret per 1000 cases of knowing only between which cuts each cost lies."""
    ends = np.array([LOW, *cuts, HIGH])
    place = np.searchsorted(ends[1:-1], costs, side="right")
    middle = (ends[:-1] + ends[1:]) / 2

    def cost(x: np.ndarray) -> np.ndarray:
        return (1 - PREVALENCE) * hull.fpr + PREVALENCE * x[:, None] * (1 - hull.tpr)

    chosen = cost(middle).argmin(axis=1)[place]
    paid = cost(costs)
    return float(1000 * (paid[np.arange(costs.size), chosen] - paid.min(axis=1)).mean())


def seconds(call: Callable[[], object]) -> float:
    """Return the least of three times."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    """Print the ratios, and fail at a missed bar."""
    y, scores = load_german_credit_predictions()
    comparison = ic.Comparison.from_scores(y, {"random_forest": scores["random_forest"]})
    over = ic.Conditions.from_costs(1, (LOW, HIGH), PREVALENCE)
    costs = np.random.default_rng(0).uniform(LOW, HIGH, 4000)
    missed = False
    print("questions  regret with ask  halving the range  ratio   (bar: 2.5)")
    for questions in range(1, 5):
        halves = tuple(np.linspace(LOW, HIGH, 2**questions + 1)[1:-1].tolist())
        ours, theirs = (
            regret(comparison["random_forest"].hull, cuts, costs)
            for cuts in (comparison.ask(over, questions=questions).cuts, halves)
        )
        missed |= theirs < RATIO_BAR * ours
        print(f"{questions:9d}  {ours:15.2f}  {theirs:17.2f}  {theirs / ours if ours else np.inf:5.1f}")
    rng = np.random.default_rng(1)
    positive = rng.random(200_000) < 0.3
    made = ic.Comparison.from_scores(
        positive, {str(shift): rng.normal(size=positive.size) + shift * positive for shift in (1.0, 1.1, 1.2)}
    )
    made.decide(over)
    asking, deciding = seconds(lambda: made.ask(over, questions=3)), seconds(lambda: made.decide(over))
    missed |= asking > TIME_BAR * deciding
    print(
        f"200,000 cases: ask {1000 * asking:.1f} ms, decide {1000 * deciding:.1f} ms, ratio {asking / deciding:.1f}   (bar: {TIME_BAR:.0f})"
    )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

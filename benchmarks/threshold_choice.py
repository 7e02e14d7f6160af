"""Every threshold-choice curve of a model with a million distinct scores, against one ROC curve by scikit-learn.

isocost starts from the counts per score, scikit-learn from labels and scores, as in use. Ratios of the best of several
runs, taken in turn so that both see the same machine.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from sklearn.metrics import roc_curve

import isocost as ic

ROWS = 1_000_000
RUNS = 7
BAR = 1.0


def curves(counts: ic.ScoreCounts) -> dict[str, Callable[[], object]]:
    """Return what is measured, each from a curve that has computed nothing yet, and all together from one."""

    def fresh() -> ic.RocCurve:
        return ic.RocCurve.from_counts(counts)

    def all_of_them() -> None:
        # Each curve once: the decompositions hold rate-driven, perfect ranker, Kendall; score-driven, optimal, calibration.
        curve = fresh()
        ic.curves.rate_driven_decomposition(curve)
        ic.curves.brier_decomposition(curve)
        ic.cost_curve(curve, method="fixed", threshold=0.5, axis="cost_proportion")
        ic.curves.convex_skull(curve)
        ic.curves.convex_skull(curve, of="kendall")

    return {
        "best": lambda: ic.cost_curve(fresh(), axis="cost_proportion"),
        "rate_driven": lambda: ic.cost_curve(fresh(), method="rate_driven", axis="cost_proportion"),
        "score_driven": lambda: ic.cost_curve(fresh(), method="score_driven", axis="cost_proportion"),
        "kendall": lambda: ic.curves.kendall_curve(fresh()),
        "convex skull": lambda: ic.curves.convex_skull(fresh()),
        "Brier decomposition": lambda: ic.curves.brier_decomposition(fresh()),
        "all of them": all_of_them,
    }


def seconds(work: Callable[[], object]) -> float:
    """Time one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    """Measure and compare with the bar."""
    rng = np.random.default_rng(0)
    y = (rng.random(ROWS) < 0.3).astype(np.int64)
    scores = 1 / (1 + np.exp(-rng.normal(y.astype(float), 1.0)))
    counts = ic.ScoreCounts.from_arrays(y, scores)
    work = {"roc_curve": lambda: roc_curve(y, scores)} | curves(counts)
    best = dict.fromkeys(work, float("inf"))
    for _ in range(RUNS):
        for name, run in work.items():
            best[name] = min(best[name], seconds(run))
    reference = best.pop("roc_curve")
    print(f"{len(counts)} distinct scores; scikit-learn roc_curve: {reference * 1e3:.0f} ms")
    for name, taken in best.items():
        bar = f", bar {BAR}" if name == "all of them" else ""
        print(f"{name}: {taken * 1e3:.0f} ms, ratio {taken / reference:.2f}{bar}")
    return int(best["all of them"] / reference > BAR)


if __name__ == "__main__":
    sys.exit(main())

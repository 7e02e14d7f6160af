"""What it costs to believe the scores.

A naive Bayes model gives each customer of the German credit data a probability of being bad. Taken at its word, it says to flag a customer
when the probability reaches 1 − x at cost proportion x: the score-driven curve, whose area is the Brier score. It jumps wherever x passes a
score. The lower envelope is what the same ranking costs once its scores are calibrated; the shaded part between the two is the
calibration loss. It is largest to the left, where false alarms are expensive and only customers with high scores are flagged: the
right panel shows that far fewer of those are bad than naive Bayes says. The rate-driven curve looks at the ranking only.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.plots import AXIS_LABELS, DASHES, MUTED, PALETTE

BEST, BELIEVED, RATE = PALETTE[:3]


def draw() -> Figure:
    """The three curves on the left, the calibrator on the right."""
    y_true, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y_true, scores["naive_bayes"], name="naive Bayes")
    parts = ic.curves.brier_decomposition(curve)
    rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
    x = np.linspace(0, 1, 501)

    figure, (cost, steps) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained", width_ratios=(4, 3))
    at, believed = parts.total.ends
    breaks = parts.base.breaks
    cost.fill_between(at, parts.base(at), believed, color=BELIEVED, alpha=0.2, linewidth=0)
    cost.plot(x, rate_driven(x), color=RATE, linestyle=DASHES[2])
    cost.plot(at, believed, color=BELIEVED, linewidth=1)
    cost.plot(breaks, parts.base(breaks), color=BEST)
    cost.text(0.55, 0.33, f"rate-driven: area {rate_driven.area():.3f}", ha="center", color=RATE)
    cost.annotate(
        f"score-driven:\narea {parts.total_loss:.3f},\nthe Brier score",
        (0.3, 0.222),
        (0.02, 0.28),
        color=BELIEVED,
        arrowprops={"arrowstyle": "-", "color": BELIEVED},
    )
    cost.text(0.6, 0.16, f"lower envelope: area {parts.base_loss:.3f}", ha="center", color=BEST)
    cost.annotate(
        f"calibration loss {parts.excess_loss:.3f}",
        (0.2, 0.15),
        (0.25, 0.04),
        color=BELIEVED,
        arrowprops={"arrowstyle": "-", "color": BELIEVED},
    )
    cost.set(title="Cost space", xlabel=AXIS_LABELS["cost_proportion"], ylabel="cost", xlim=(0, 1), ylim=(0, 0.4))

    score = np.linspace(0, 1, 1001)
    steps.plot([0, 1], [0, 1], ":", color=MUTED, linewidth=1)
    steps.plot(score, curve.calibrator()(score), color=BEST, drawstyle="steps-post")
    steps.set(title="Calibrated by the hull", xlabel="score", ylabel="share of positives", aspect="equal")
    steps.set(xlim=(0, 1), ylim=(0, 1.01))
    return figure

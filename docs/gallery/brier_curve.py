"""What it costs to believe the scores.

A naive Bayes model gives each customer of the German credit data a probability of being bad. Taken at its word, it says to flag a customer
when the probability reaches 1 − x at cost proportion x: the score-driven curve, whose area is the Brier score. It jumps wherever x passes a
score. The lower envelope is what the same ranking costs once its scores are calibrated; the shaded part between the two is the
calibration loss. It is largest to the left, where false alarms are dear and only customers with high scores are flagged: the
right panel shows that far fewer of those are bad than naive Bayes says. The rate-driven curve looks at the ranking only.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """The three curves on the left, the calibrator on the right."""
    y_true, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y_true, scores["naive_bayes"], name="naive Bayes")
    parts = ic.brier_decomposition(curve)
    rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
    x = np.linspace(0, 1, 501)

    figure, (cost, steps) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained", width_ratios=(3, 2))
    at, believed = parts.total.ends
    cost.fill_between(at, parts.refinement(at), believed, color="#D55E00", alpha=0.25, linewidth=0,
                      label=f"calibration loss {parts.calibration_loss:.3f}")  # fmt: skip
    cost.plot(x, rate_driven(x), color="#009E73", label=f"rate-driven: area {rate_driven.area():.3f}")
    cost.plot(
        at, believed, color="#D55E00", linewidth=1, label=f"score-driven: area {parts.total_loss:.3f}, the Brier score"
    )
    breaks = parts.refinement.breaks
    cost.plot(
        breaks, parts.refinement(breaks), color="#0072B2", label=f"lower envelope: area {parts.refinement_loss:.3f}"
    )
    cost.set(title="Cost space", xlabel="cost proportion", ylabel="cost", xlim=(0, 1), ylim=(0, 0.5))
    cost.legend(loc="upper left", fontsize=8)

    score = np.linspace(0, 1, 1001)
    steps.plot([0, 1], [0, 1], ":", color="grey")
    steps.plot(score, curve.calibrator()(score), color="#0072B2", drawstyle="steps-post")
    steps.set(
        title="Calibrated by the hull", xlabel="score of naive Bayes", ylabel="share of bad customers", aspect="equal"
    )
    return figure

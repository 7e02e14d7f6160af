"""Flag, clear, or have a person look.

Left: with reviews at 0.4 each, the cost of logistic regression is read on the chord, not on the curve; the gap is what reviews save.
Right: the shares of cases that three models clear, leave to a person and flag, each with its own two thresholds.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """The chord, and the three shares."""
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    ic.decide.review_band(comparison["logistic_regression"], condition, cost_review=0.4).plot(left)
    bands = [ic.decide.review_band(curve, condition, cost_review=0.4) for curve in comparison.curves]
    ic.plots.ReviewBarDisplay(bands).plot(right)
    return figure

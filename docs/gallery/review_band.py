"""Flag, clear, or have a person look.

The shares of cases that three models clear, leave to a person at 0.4 a review, and flag, each with its own two thresholds.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """A bar per model."""
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    figure = Figure(figsize=(7, 2.8), layout="constrained")
    bands = [ic.decide.review_band(curve, condition, cost_review=0.4) for curve in comparison.curves]
    ic.plots.ReviewBarDisplay(bands).plot(figure.add_subplot())
    return figure

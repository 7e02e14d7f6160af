"""Flag, clear, or have a person look.

Left: with reviews at 0.4 each, the cost of logistic regression is read on the chord, not on the curve; the gap is what reviews save.
Right: the cost of three models at every price of a review, with a dot where reviews stop paying.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """The chord, and cost against price."""
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    ic.decide.review_band(comparison["logistic_regression"], condition, cost_review=0.4).plot(left)
    ic.plots.ReviewCurveDisplay([ic.decide.review_curve(curve, condition) for curve in comparison.curves]).plot(right)
    return figure

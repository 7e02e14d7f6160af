"""What the best threshold of each model catches and costs.

One row a model, at its own cheapest threshold when accepting a bad customer costs five times as much as refusing a good one and 30 % of
the customers are bad; the cheapest row is bold.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """A table of three choices."""
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    return ic.plots.ThresholdsDisplay([ic.best_threshold(c, condition) for c in comparison.curves]).plot().figure_

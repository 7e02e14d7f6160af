"""What the best threshold of each model catches and costs.

One row for each model, at its own cheapest threshold when accepting a bad customer costs five times as much as refusing a good one and
30 % of the customers are bad. `ThresholdsDisplay` draws the same as a figure.
"""

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def tables() -> dict[str, list[list[str]]]:
    """Return one row for each of three choices, below a row of heads."""
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    choices = [ic.best_threshold(curve, condition) for curve in comparison.curves]
    heads = ["model", "threshold", "caught", "false alarms", "flagged", "precision", "cost per 1000"]
    return {"The best threshold of each model": [heads, *ic.plots.ThresholdsDisplay(choices).rows]}

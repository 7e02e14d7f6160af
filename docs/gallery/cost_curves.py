"""Who is cheapest where.

Cost curves of three models, each with its best threshold at every condition, and below them the strip of winners. The axis on top
reads the conditions as a ratio of costs for customers of whom 30 % are bad; the shade is a range of costs someone might name.
After Drummond & Holte (2006).
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """A comparison with a range of conditions."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(3, 8), prevalence=0.3)
    figure = Figure(figsize=(7, 4.4), layout="constrained")
    ic.plots.CostDisplay(comparison, condition=over, prevalence=0.3).plot(figure.add_subplot())
    return figure

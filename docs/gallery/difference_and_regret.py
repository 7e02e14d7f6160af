"""How much it costs to be wrong about the model.

Left: the random forest against naive Bayes; below 0 the forest is cheaper. Right: what each model costs more than the cheapest one at each
condition, with a dot at its worst.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """A difference and three regrets."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    ic.plots.DifferenceDisplay(comparison.difference("random_forest", "naive_bayes")).plot(left)
    ic.plots.RegretDisplay([comparison.regret(name) for name in comparison.names]).plot(right)
    left.set_title("Below 0 the forest is cheaper")
    right.set_title("What each costs more than the cheapest")
    return figure

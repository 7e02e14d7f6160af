"""What equal rates cost.

Left: three age groups of the German credit data under equal flagged shares; arrows begin at the cheapest threshold of each group. Right:
what three criteria cost at every tolerance, thresholds mixed at random.
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_ages, load_german_credit_predictions

THUMBNAIL = 1


def draw() -> Figure:
    """Where groups stand, and price against tolerance."""
    y_true, scores = load_german_credit_predictions()
    ages = load_german_credit_ages()
    group = np.where(ages < 25, "under 25", np.where(ages < 40, "25 to 39", "40 and over"))
    groups = ic.Groups.from_scores(y_true, scores["random_forest"], group)
    costs = ic.Condition(cost_fp=1, cost_fn=5)
    figure = Figure(figsize=(10, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    curves = [
        groups.prices(costs, criterion="tpr"),
        groups.prices(costs, criterion="fpr"),
        groups.prices(costs, criterion="flagged"),
    ]
    ic.plots.PriceCurveDisplay(curves).plot(right)
    equal = groups.parity(costs, "flagged", randomised=True)
    ic.plots.GroupsDisplay(equal, versus=groups.decide(costs)).plot(left)
    return figure

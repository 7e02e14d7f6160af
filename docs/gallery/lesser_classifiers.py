"""The area of lesser classifiers.

At each t, the share of all conceivable classifiers (points of ROC space) that are no better than the model there. The mean of each curve
is the model's VOROS; over the shaded range it is the VOROS for those conditions. The axis on top reads t as a ratio of
costs for customers of whom 30 % are bad. After Ratigan & Cowen (2025).
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """One curve a model."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(3, 8), prevalence=0.3)
    areas = [ic.measures.lesser_area_curve(curve) for curve in comparison.curves]
    return ic.plots.LesserAreaDisplay(areas, condition=over, prevalence=0.3).sized(7).plot().figure_

"""The same three models in ROC space and in cost space.

A point on the left is a straight line on the right (the faint ones), and the upper hull on the left is the lower envelope on the
right. Where two curves cross on the right the cheaper model changes. A condition is a slope on the left and a place on the right:
the dashed lines meet the same operating point.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions

THUMBNAIL = 1


def draw() -> Figure:
    """Both spaces with the best threshold when a miss costs five false alarms."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    return ic.plots.DualityDisplay(comparison, condition=condition, prevalence=0.3, lines=True).sized(10).plot().figure_

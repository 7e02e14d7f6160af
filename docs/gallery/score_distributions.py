"""What three models say about good and bad customers.

isocost starts from scores such as these: 1000 customers, each scored by three models that had not seen them. Where the two classes
overlap every threshold makes mistakes, and which mistakes are cheaper depends on the costs. Each threshold is the cheapest one when
accepting a bad customer costs five times as much as refusing a good one.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """Histograms of the scores of each class, one panel a model."""
    y_true, scores = load_german_credit_predictions()
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    figure = Figure(figsize=(7, 8.4), layout="constrained")
    for axes, (name, values) in zip(figure.subplots(len(scores), 1, sharex=True), scores.items(), strict=True):
        curve = ic.RocCurve.from_scores(y_true, values, name=name)
        ic.plots.ScoresDisplay(curve, threshold=ic.best_threshold(curve, condition)).plot(axes)
        axes.label_outer()
    return figure

"""The same three models in ROC space and in cost space.

A point on the left is a straight line on the right, and the upper hull on the left is the lower envelope on the right.
Where two curves cross on the right the cheaper model changes. The dotted triangle belongs to the classifiers that need
no model: flag nobody, flag everybody.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """Hulls on the left, envelopes on the right."""
    y_true, scores = load_german_credit_predictions()
    figure, (roc, cost) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
    for (name, values), colour in zip(scores.items(), ["#0072B2", "#D55E00", "#009E73"], strict=True):
        curve = ic.RocCurve.from_scores(y_true, values, name=name)
        envelope = ic.cost_curve(curve)
        roc.plot(curve.hull.fpr, curve.hull.tpr, "o-", color=colour, markersize=3, label=name.replace("_", " "))
        cost.plot(envelope.breaks, envelope(envelope.breaks), "o-", color=colour, markersize=3)
    roc.plot([0, 1], [0, 1], ":", color="grey")
    cost.plot([0, 0.5, 1], [0, 0.5, 0], ":", color="grey")
    roc.set(title="ROC space", xlabel="fpr", ylabel="tpr", aspect="equal")
    cost.set(title="Cost space", xlabel="pcf", ylabel="normalised cost")
    roc.legend(frameon=False)
    return figure

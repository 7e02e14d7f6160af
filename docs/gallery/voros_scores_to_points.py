"""From scores to a ROC curve.

The first figures of Ratigan and Cowen's VOROS paper. Top: five observations in the order of their scores, positives dark; six
places to cut are six points of ROC space, and their hull is the curve. Bottom: the same with distributions of scores; one
threshold cuts off the shaded tails, whose areas are fpr and tpr.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from scipy import stats

import isocost as ic

DARK, LIGHT = "#1a1a1a", "#b0b0b0"
POSITIVE, NEGATIVE = ic.plots.PALETTE[:2]

THUMBNAIL = 2


def draw() -> Figure:
    """Five cases, then two densities."""
    labels, scores = [1, 1, 0, 1, 0], [5, 4, 3, 2, 1]
    counted = ic.RocCurve.from_scores(labels, scores)
    figure, ((cases, points), (densities, smooth)) = plt.subplots(2, 2, figsize=(9, 8), layout="constrained")
    for place, label in enumerate(labels):
        cases.plot(place, 0, "o", color=DARK if label else LIGHT, markersize=20)
    cases.axvline(1.5, linestyle=":", color="black")
    cases.annotate("predicted positive", (0.5, 0.5), ha="center")
    cases.annotate("predicted negative", (3, 0.5), ha="center")
    cases.set(xlim=(-0.6, 4.6), ylim=(-1, 1), title="five observations, one of six cuts")
    cases.axis("off")
    points.plot(counted.fpr, counted.tpr, "o", color=DARK)
    points.plot(counted.hull.fpr, counted.hull.tpr, color=POSITIVE)
    points.plot(counted.fpr[2], counted.tpr[2], "o", color="black", fillstyle="none", markersize=12)

    positive, negative = stats.norm(1.5, 1), stats.norm(0, 1)
    curve = ic.RocCurve.from_distributions(positive, negative)
    x, cut = np.linspace(-3.5, 5, 300), 1.0
    tail = x[x >= cut]
    for dist, colour, name in ((negative, NEGATIVE, "negatives"), (positive, POSITIVE, "positives")):
        densities.plot(x, dist.pdf(x), color=colour, label=name)
        densities.fill_between(tail, dist.pdf(tail), color=colour, alpha=0.25, linewidth=0)
    densities.axvline(cut, linestyle=":", color="black")
    densities.set(xlabel="score", ylabel="density", ylim=(0, 0.45), title="two distributions and a threshold")
    densities.legend(frameon=False, loc="upper left")
    smooth.plot(curve.fpr, curve.tpr, color=POSITIVE)
    smooth.plot(negative.sf(cut), positive.sf(cut), "o", color="black", fillstyle="none", markersize=12)
    for axes in (points, smooth):
        axes.set(xlabel="fpr", ylabel="tpr", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    return figure

"""From scores to a ROC curve.

The first figures of Ratigan and Cowen's VOROS paper. Top: five observations in the order of their scores; six
places to cut are six points of ROC space, and their hull is the curve. Bottom: the same with distributions of scores; one
threshold cuts off the shaded tails, whose areas are fpr and tpr.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from scipy import stats

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, MUTED, PALETTE

NEGATIVE, POSITIVE = PALETTE[:2]

THUMBNAIL = 2


def draw() -> Figure:
    """Five cases, then two densities."""
    labels, scores = [1, 1, 0, 1, 0], [5, 4, 3, 2, 1]
    counted = ic.RocCurve.from_scores(labels, scores)
    figure, ((cases, points), (densities, smooth)) = plt.subplots(2, 2, figsize=(10, 9), layout="constrained")
    for place, label in enumerate(labels):
        cases.plot(place, 0, "o", color=POSITIVE if label else NEGATIVE, markersize=20)
        cases.text(place, 0, "+" if label else "−", ha="center", va="center", color="white", fontweight="bold")
    cases.axvline(1.5, linestyle=":", color=INK)
    cases.text(0.5, 0.5, "flagged", ha="center", color=INK)
    cases.text(3, 0.5, "cleared", ha="center", color=INK)
    cases.set(xlim=(-0.6, 4.6), ylim=(-1, 1), title="Five observations, one of six cuts")
    cases.axis("off")
    points.plot(counted.hull.fpr, counted.hull.tpr, color=MUTED)
    points.plot(counted.fpr, counted.tpr, "o", color=INK, clip_on=False)
    points.plot(counted.fpr[2], counted.tpr[2], "o", color=INK, fillstyle="none", markersize=12, clip_on=False)
    points.annotate("this cut", (counted.fpr[2], counted.tpr[2]), (14, -4), textcoords="offset points", color=INK)

    positive, negative = stats.norm(1.5, 1), stats.norm(0, 1)
    curve = ic.RocCurve.from_distributions(positive, negative)
    x, cut = np.linspace(-3.5, 5, 300), 1.0
    tail = x[x >= cut]
    for dist, colour, dash in ((negative, NEGATIVE, 0), (positive, POSITIVE, 1)):
        densities.plot(x, dist.pdf(x), color=colour, linestyle=DASHES[dash])
        densities.fill_between(tail, dist.pdf(tail), color=colour, alpha=0.2, linewidth=0)
    densities.text(-0.7, 0.37, "negatives", ha="right", color=NEGATIVE)
    densities.text(2.2, 0.37, "positives", color=POSITIVE)
    densities.axvline(cut, linestyle=":", color=INK)
    densities.set(xlabel="score", ylabel="density", ylim=(0, 0.45), title="Two distributions and a threshold")
    smooth.plot(curve.fpr, curve.tpr, color=MUTED)
    at = (negative.sf(cut), positive.sf(cut))
    smooth.plot(*at, "o", color=INK, fillstyle="none", markersize=12)
    smooth.annotate("this threshold", at, (14, -4), textcoords="offset points", color=INK)
    points.set_title("Six points and their hull")
    smooth.set_title("The ROC curve")
    for axes in (points, smooth):
        axes.set(xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"], xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return figure

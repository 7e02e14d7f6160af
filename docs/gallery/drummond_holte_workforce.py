"""A limit on the cases that can be looked at, in both spaces.

Figures 13 and 14 of Drummond and Holte (2000), with points of our own. 40 % of the cases are positive and staff can look at 30
% of all. In ROC space (left) every classifier that fills the day lies on the dashed line, and the best one where it meets the
hull. Its slope is negative, so in cost space (right) the line is a point outside the usual range, at pcf −2 (inset). Every rule
that keeps the staff exactly busy is a line through it, and the one to take is the lowest that touches the lower envelope.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, FAINT, INK, PALETTE

HULL, MIX = PALETTE[:2]
PREVALENCE, FLAGGED = 0.4, 0.3


def draw() -> Figure:
    """The limit as a line, and as a point far to the left."""
    curve = ic.RocCurve.from_points(
        [0.04, 0.12, 0.4, 0.7], [0.35, 0.62, 0.87, 0.97], thresholds=[4, 3, 2, 1], positives=40, negatives=60
    )
    choice = ic.decide.workforce(curve, max_flagged=FLAGGED, prevalence=PREVALENCE, randomised=True)
    slope = -(1 - PREVALENCE) / PREVALENCE
    # A line of slope s through (0, intercept) is the point pcf = 1/(1+s), cost (1 - intercept)·pcf.
    virtual = (1 / (1 + slope), (1 - FLAGGED / PREVALENCE) / (1 + slope))
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    roc, cost = figure.subplots(1, 2)
    roc.plot(curve.hull.fpr, curve.hull.tpr, color=HULL, marker="o", markersize=4)
    roc.axline((0, FLAGGED / PREVALENCE), slope=slope, color=INK, linestyle=DASHES[1], linewidth=1)
    roc.plot(choice.fpr, choice.tpr, "o", color=MIX, markersize=8)
    roc.annotate(
        f"catches {100 * choice.tpr:.1f} %", (choice.fpr, choice.tpr), (10, -4), textcoords="offset points", color=MIX
    )
    for vertex in curve.vertices:
        cost.plot([0, 1], [vertex.fpr, 1 - vertex.tpr], color=FAINT, linewidth=0.8)
    envelope = ic.cost_curve(curve)
    cost.plot(envelope.breaks, envelope(envelope.breaks), color=HULL)
    inset = cost.inset_axes((0.08, 0.64, 0.44, 0.34))
    for axes in (cost, inset):
        axes.plot([virtual[0], 1], [virtual[1], 1 - choice.tpr], color=MIX, linestyle=":", linewidth=2)
    inset.plot(envelope.breaks, envelope(envelope.breaks), color=HULL)
    inset.plot(*virtual, "o", color=INK, fillstyle="none", markersize=7)
    inset.text(virtual[0] + 0.3, virtual[1], "they all\nmeet here", va="center", color=INK)
    inset.axvline(0, color=FAINT, linewidth=0.8)
    inset.set(xlim=(-2.3, 1), ylim=(-0.8, 0.5), xticks=(-2, -1, 0, 1), yticks=(-0.5, 0))
    roc.text(0.3, 0.33, "flags 30 % of all", color=INK)
    cost.text(0.5, 0.17, "lower envelope", ha="center", color=HULL)
    cost.text(0.97, 0.46, "the rule that\nkeeps staff busy", ha="right", va="bottom", color=MIX)
    roc.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    roc.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    cost.set(title="Cost space", xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    cost.set(xlim=(0, 1), ylim=(0, 1))
    return figure

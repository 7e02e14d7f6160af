"""A limit on false alarms, in both spaces.

Figures 10, 11 and 12 of Drummond and Holte (2000), with points of our own. At most 20 % of the negatives may be flagged. In ROC
space (left) that is a vertical line, and the best classifier lies where it meets the hull: a random mix of the two vertices
beside it. In cost space (right) the mix is the dotted line: it starts at 0.2 on the left edge and goes through the point where
the lines of the two vertices cross.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, FAINT, INK, PALETTE

HULL, MIX = PALETTE[:2]
LIMIT = 0.2


def draw() -> Figure:
    """The limit as a line, and as a point."""
    curve = ic.RocCurve.from_points([0.04, 0.12, 0.4, 0.7], [0.35, 0.62, 0.87, 0.97], thresholds=[4, 3, 2, 1])
    choice = ic.decide.neyman_pearson(curve, max_fpr=LIMIT, randomised=True)
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    roc, cost = figure.subplots(1, 2)
    roc.plot(curve.hull.fpr, curve.hull.tpr, color=HULL, marker="o", markersize=4)
    roc.axvline(LIMIT, color=INK, linestyle=DASHES[1], linewidth=1)
    roc.plot(choice.fpr, choice.tpr, "o", color=MIX, markersize=8)
    note = f"tpr {choice.tpr:.3f}: mix of two,\nthe right one with probability {choice.share:.2f}"
    roc.annotate(note, (choice.fpr, choice.tpr), (12, -30), textcoords="offset points", color=MIX)
    for vertex in curve.vertices:
        cost.plot([0, 1], [vertex.fpr, 1 - vertex.tpr], color=FAINT, linewidth=0.8)
    envelope = ic.cost_curve(curve)
    cost.plot(envelope.breaks, envelope(envelope.breaks), color=HULL)
    cost.plot([0, 1], [choice.fpr, 1 - choice.tpr], ":", color=MIX, linewidth=2.2)
    cost.plot(0, LIMIT, "o", color=MIX, markersize=8, clip_on=False)
    cost.annotate("fpr 0.2", (0, LIMIT), (8, -14), textcoords="offset points", color=MIX)
    roc.text(LIMIT + 0.02, 0.05, "at most 20 % of the negatives", color=INK)
    cost.text(0.6, 0.19, "lower envelope", ha="center", color=HULL)
    roc.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    roc.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    cost.set(title="Cost space", xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    cost.set(xlim=(0, 1), ylim=(0, 0.5))
    return figure

"""How much better one curve is than another.

Figures 1, 3 and 4 of Drummond and Holte (2000) and Figures 7 and 8 of their paper of 2004, with points of our own that do what
the text says. In ROC space (left) the solid curve is the better one, but not visibly by how much. In cost space (right) the
difference is the vertical distance: at pcf 0.3 the costs are 0.25 and 0.30, in the middle they are equal. B is the line at
height 0.3 because its fpr equals 1 − tpr; it is worth using for pcf from 0.3 to 0.7.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE

BETTER, WORSE = PALETTE[:2]

THUMBNAIL = 1


def draw() -> Figure:
    """Two hulls and two lower envelopes."""
    better = ic.RocCurve.from_points([0.175, 0.425], [0.575, 0.825])
    worse = ic.RocCurve.from_points([0.3], [0.7])
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    roc, cost = figure.subplots(1, 2)
    for curve, colour, style in ((better, BETTER, DASHES[0]), (worse, WORSE, DASHES[1])):
        envelope = ic.cost_curve(curve)
        roc.plot(curve.fpr, curve.tpr, color=colour, linestyle=style, marker="o", markersize=4)
        cost.plot(envelope.breaks, envelope(envelope.breaks), color=colour, linestyle=style)
    roc.annotate("A and a second threshold:\nthe better curve", (0.425, 0.825), (0.02, 0.9), color=BETTER)
    roc.annotate("B alone:\nthe worse curve", (0.3, 0.7), (0.36, 0.6), color=WORSE)
    roc.annotate("A", (0.175, 0.575), textcoords="offset points", xytext=(-14, 2), color=BETTER)
    gap = ic.cost_curve(worse) - ic.cost_curve(better)
    cost.annotate(
        "", (0.3, 0.247), (0.3, 0.303), arrowprops={"arrowstyle": "<->", "color": INK, "shrinkA": 0, "shrinkB": 0}
    )
    cost.annotate(
        f"{gap(0.3):.2f} less at 0.3",
        (0.3, 0.275),
        (0.22, 0.38),
        ha="center",
        color=INK,
        arrowprops={"arrowstyle": "-"},
    )
    cost.text(0.6, 0.31, "B", color=WORSE)
    cost.text(0.5, 0.265, "the better curve", ha="center", va="top", color=BETTER)
    roc.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    roc.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    cost.set(title="Cost space", xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    cost.set(xlim=(0, 1), ylim=(0, 0.5))
    return figure

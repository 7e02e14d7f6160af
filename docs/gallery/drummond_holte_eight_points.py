"""Eight points are eight lines.

Figures 1 and 2 of Drummond and Holte (2004), with points of our own. Each point (fpr, tpr) of the ROC curve, the two corners
included, is a dotted line in cost space from fpr to 1 − tpr. The upper hull on the left (dotted) is the lower envelope on the right; the
two points below the hull are the two lines that touch the envelope nowhere.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, INK, MUTED, PALETTE

LINE = PALETTE[0]

THUMBNAIL = 1


def draw() -> Figure:
    """The same in both spaces."""
    curve = ic.RocCurve.from_points([0.05, 0.12, 0.2, 0.35, 0.5, 0.7], [0.3, 0.42, 0.66, 0.76, 0.89, 0.97])
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    roc, cost = figure.subplots(1, 2)
    roc.plot(curve.fpr, curve.tpr, "o-", color=LINE, markersize=5, clip_on=False)
    roc.plot(curve.hull.fpr, curve.hull.tpr, ":", color=INK, linewidth=1.2)
    roc.text(0.31, 0.82, "hull", ha="right", color=INK)
    for fpr, tpr in zip(curve.fpr, curve.tpr, strict=True):
        cost.plot([0, 1], [fpr, 1 - tpr], ":", color=MUTED, linewidth=1)
    envelope = ic.cost_curve(curve)
    cost.plot(envelope.breaks, envelope(envelope.breaks), color=LINE, linewidth=2)
    cost.text(0.5, 0.2, "lower envelope", ha="center", color=LINE)
    roc.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    roc.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    cost.set(title="Cost space", xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    cost.set(xlim=(0, 1), ylim=(0, 1))
    return figure

"""From one classifier to a set of them, in cost space.

Figures 7, 8 and 9 of Drummond and Holte (2000). Top left: four extreme classifiers; above the shaded triangle no classifier is
worth using, because flagging nobody or everybody costs less. Top right: one classifier, with fpr 0.09 and tpr 0.36, is the
straight line from 0.09 to 0.64. Bottom: a set of classifiers (points of our own) and, dashed, the lower envelope: the cheapest
of them at each condition.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE

LINE, ENVELOPE = PALETTE[:2]
FPR = [0.02, 0.09, 0.2, 0.35, 0.5, 0.7]
TPR = [0.12, 0.36, 0.68, 0.8, 0.86, 0.97]

THUMBNAIL = 2


def draw() -> Figure:
    """Three steps."""
    figure = Figure(figsize=(10, 8.4), layout="constrained")
    grid = figure.add_gridspec(2, 2)
    extreme, one, many = (figure.add_subplot(grid[where]) for where in ((0, 0), (0, 1), (1, slice(None))))
    extreme.fill_between([0, 0.5, 1], [0, 0.5, 0], color=INK, alpha=0.07, linewidth=0)
    # Each from its fpr to 1 − tpr.
    for ends in ((1, 1), (0, 0), (0, 1), (1, 0)):
        extreme.plot([0, 1], ends, color=LINE, clip_on=False)
    extreme.text(0.5, 0.96, "always wrong", ha="center", va="top", color=LINE)
    extreme.text(0.5, 0.03, "always right", ha="center", color=LINE)
    turned = {"rotation_mode": "anchor", "transform_rotates_text": True, "ha": "center", "color": LINE}
    extreme.text(0.23, 0.25, "always negative", rotation=45, **turned)
    extreme.text(0.77, 0.25, "always positive", rotation=-45, **turned)
    line = ic.cost_curve(ic.RocCurve.from_points([0.09], [0.36]), method="fixed")
    one.plot([0, 1], line([0, 1]), color=LINE)
    one.text(0.02, 0.06, f"fpr {float(line(0)):.2f}", color=LINE, va="top")
    one.text(0.98, 0.67, f"1 − tpr {float(line(1)):.2f}", color=LINE, ha="right", va="bottom")
    for fpr, tpr in zip(FPR, TPR, strict=True):
        many.plot([0, 1], [fpr, 1 - tpr], color=LINE, linewidth=1)
    envelope = ic.cost_curve(ic.RocCurve.from_points(FPR, TPR))
    many.plot(envelope.breaks, envelope(envelope.breaks), color=ENVELOPE, linestyle=DASHES[1], linewidth=2.2)
    many.text(0.47, 0.16, "lower envelope", ha="center", color=ENVELOPE)
    many.text(0.8, 0.78, "one line per classifier", ha="right", color=LINE)
    for axes, title in ((extreme, "Extreme classifiers"), (one, "A single classifier"), (many, "A set of classifiers")):
        axes.set(title=title, xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
        axes.set(xlim=(0, 1), ylim=(0, 1))
    return figure

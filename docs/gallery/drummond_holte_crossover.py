"""Where two curves cross, and where the cheaper model changes.

Figures 2, 5 and 6 of Drummond and Holte (2000) and Figures 5 and 6 of their paper of 2004, with points of our own. The hulls
cross in ROC space (ring), but that point says little: it is the best choice under no condition. What counts is the line that
touches both hulls; its slope is the condition at which the models cost the same. In cost space that line is the point where the
two curves cross: here pcf 0.5.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE

THUMBNAIL = 1


def draw() -> Figure:
    """The common tangent on the left is the crossing on the right."""
    a = ic.RocCurve.from_points([0.04, 0.12], [0.4, 0.58], name="A")
    b = ic.RocCurve.from_points([0.42, 0.6], [0.88, 0.96], name="B")
    (t,) = ic.Comparison([a, b]).crossovers("A", "B")
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    roc, cost = figure.subplots(1, 2)
    for curve, colour, dash in zip((a, b), PALETTE, DASHES, strict=False):
        envelope = ic.cost_curve(curve)
        roc.plot(curve.fpr, curve.tpr, color=colour, linestyle=dash)
        cost.plot(envelope.breaks, envelope(envelope.breaks), color=colour, linestyle=dash)
    equal = float(a.optimal_cost(t))
    # All points that cost the same at t: tpr = 1 - (cost - t·fpr)/(1 - t).
    roc.axline((0, 1 - equal / (1 - t)), slope=t / (1 - t), color=INK, linewidth=1)
    # The hulls meet on the edge of one from (0.12, 0.58) to (1, 1) and the edge of the other from (0, 0) to (0.42, 0.88).
    shallow, steep = (1 - 0.58) / (1 - 0.12), 0.88 / 0.42
    x = (0.58 - 0.12 * shallow) / (steep - shallow)
    roc.plot(x, steep * x, "o", color=INK, fillstyle="none", markersize=11)
    leader = {"arrowstyle": "-", "color": INK}
    roc.annotate("the hulls cross", (x + 0.03, steep * x - 0.02), (0.5, 0.5), color=INK, arrowprops=leader)
    roc.annotate("touches both hulls", (0.3, 0.3 + 1 - equal / (1 - t)), (0.02, 0.93), color=INK, arrowprops=leader)
    roc.text(0.02, 0.12, "B", color=PALETTE[1])
    roc.text(0.07, 0.56, "A", color=PALETTE[0], ha="right")
    cost.plot(1 - t, equal, "o", color=INK, markersize=5)
    cost.annotate(
        f"pcf {1 - t:g}: both cost {equal:.2g}",
        (1 - t, equal - 0.005),
        (1 - t, 0.14),
        ha="center",
        color=INK,
        arrowprops=leader,
    )
    cost.text(0.3, 0.34, "B", color=PALETTE[1], ha="center")
    cost.text(0.7, 0.34, "A", color=PALETTE[0], ha="center")
    roc.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    roc.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    cost.set(title="Cost space", xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    cost.set(xlim=(0, 1), ylim=(0, 0.5))
    return figure

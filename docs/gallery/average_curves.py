"""Two ways to average the same two curves.

Figures 9 and 10 of Drummond and Holte (2004), with points of our own. Averaging in ROC space puts points of equal fpr together;
averaging in cost space those that would be used at the same condition. Carried over to the other space (dotted) neither is the
other. The vertex marked A averages a threshold of one curve with "flag everybody" of the other: at that condition the second
curve is not worth using. No average of ROC curves is cheaper than the average of the costs.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic

THUMBNAIL = 1


def draw() -> Figure:
    """ROC space left, cost space right; solid where the average was taken, dotted where it was carried over."""
    curves = [
        ic.RocCurve.from_points([0.06, 0.2, 0.4], [0.42, 0.72, 0.9]),
        ic.RocCurve.from_points([0.15, 0.45], [0.3, 0.66]),
    ]
    vertical = ic.average_roc_curves(curves, method="vertical")
    by_cost = ic.average_roc_curves(curves, method="cost")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    for curve in curves:
        left.plot(curve.fpr, curve.tpr, color="#8c8c8c", linestyle=(0, (5, 1.5)))
        right.plot(*_points(ic.cost_curve(curve)), color="#8c8c8c", linestyle=(0, (5, 1.5)))
    left.plot(
        vertical.fpr, vertical.tpr, color="#ff4411", marker="o", markersize=3.5, label="average of the ROC curves"
    )
    left.plot(
        by_cost.fpr,
        by_cost.tpr,
        color="#444488",
        linestyle=":",
        marker="o",
        markersize=3.5,
        label="average of the costs",
    )
    right.plot(*_points(ic.average_cost_curves(curves)), color="#444488", label="average of the costs")
    right.plot(*_points(ic.cost_curve(vertical)), color="#ff4411", linestyle=":", label="average of the ROC curves")
    vertex = (by_cost.fpr[-2], by_cost.tpr[-2])
    left.annotate("A", vertex, textcoords="offset points", xytext=(3, -12), color="#444488")
    left.set(xlim=(0, 1), ylim=(0, 1), xlabel="fpr", ylabel="tpr", aspect="equal")
    right.set(xlim=(0, 1), ylim=(0, 0.5), xlabel="pcf", ylabel="normalised cost")
    for axes in (left, right):
        axes.legend(frameon=False, loc="lower right" if axes is left else "upper right")
    return figure


def _points(curve: ic.CostCurve) -> tuple[list[float], list[float]]:
    return curve.breaks.tolist(), curve(curve.breaks).tolist()

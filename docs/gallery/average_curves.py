"""Two ways to average the same two curves.

Figures 9 and 10 of Drummond and Holte (2004), with points of our own. Averaging in ROC space puts points of equal fpr together;
averaging in cost space those that would be used at the same condition. Both averages are drawn in both spaces, and neither is the
other. The marked vertex averages a threshold of one curve with "flag everybody" of the other: at that condition the second curve is
not worth using. No average of ROC curves is cheaper than the average of the costs.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, FAINT, INK, PALETTE

COSTS, RATES = PALETTE[:2]

THUMBNAIL = 1


def draw() -> Figure:
    """ROC space left, cost space right; each average looks the same in both."""
    curves = [
        ic.RocCurve.from_points([0.06, 0.2, 0.4], [0.42, 0.72, 0.9]),
        ic.RocCurve.from_points([0.15, 0.45], [0.3, 0.66]),
    ]
    vertical = ic.curves.average_roc_curves(curves, method="vertical")
    by_cost = ic.curves.average_roc_curves(curves, method="cost")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    for curve in curves:
        left.plot(curve.fpr, curve.tpr, color=FAINT, linewidth=1)
        right.plot(*_points(ic.cost_curve(curve)), color=FAINT, linewidth=1)
    left.plot(by_cost.fpr, by_cost.tpr, color=COSTS, marker="o", markersize=3.5)
    left.plot(vertical.fpr, vertical.tpr, color=RATES, linestyle=DASHES[1], marker="o", markersize=3.5)
    right.plot(*_points(ic.curves.average_cost_curves(curves)), color=COSTS)
    right.plot(*_points(ic.cost_curve(vertical)), color=RATES, linestyle=DASHES[1])
    left.text(0.28, 0.86, "one curve", ha="right", color=INK)
    left.text(0.47, 0.6, "the other", color=INK)
    left.annotate(
        "a threshold, and\n“flag everybody”",
        (by_cost.fpr[-2], by_cost.tpr[-2]),
        (0.64, 0.35),
        color=COSTS,
        arrowprops={"arrowstyle": "-", "color": COSTS},
    )
    right.text(0.5, 0.285, "average of\nthe costs", ha="center", va="top", color=COSTS)
    right.annotate(
        "average of the ROC curves",
        (0.66, 0.289),
        (0.68, 0.45),
        ha="center",
        color=RATES,
        arrowprops={"arrowstyle": "-", "color": RATES},
    )
    left.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    left.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    right.set(title="Cost space", xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    right.set(xlim=(0, 1), ylim=(0, 0.5))
    return figure


def _points(curve: ic.CostCurve) -> tuple[list[float], list[float]]:
    return curve.breaks.tolist(), curve(curve.breaks).tolist()

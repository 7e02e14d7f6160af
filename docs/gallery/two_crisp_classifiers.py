"""Two crisp classifiers among all cost lines.

Figure 2 of Hernández-Orallo, Flach and Ferri (2013): the cost space of their running example over the cost proportion. Each
dashed line is one of the eleven thresholds. The two dots are crisp classifiers judged at one condition each: fpr 1/3 and tpr
5/7 at 0.4, costing 0.28, and fpr 1/3 and tpr 4/7 at 0.6, costing 0.44.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, FAINT, PALETTE

DOT = PALETTE[0]


def draw() -> Figure:
    """Eleven lines and two dots."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 1, 1, 0, 1, 0, 1], range(10, 0, -1))
    figure = Figure(figsize=(5, 4.4), layout="constrained")
    axes = figure.add_subplot()
    for threshold in range(11, 0, -1):
        line = ic.cost_curve(curve, method="fixed", threshold=threshold, axis="cost_proportion")
        axes.plot([0, 1], line([0, 1]), "--", color=FAINT, linewidth=0.9)
    halo = {"facecolor": "white", "linewidth": 0, "pad": 1}
    for x, threshold in ((0.4, 5), (0.6, 6)):  # six and five cases flagged
        cost = float(ic.cost_curve(curve, method="fixed", threshold=threshold, axis="cost_proportion")(x))
        axes.plot(x, cost, "o", color=DOT, markersize=9)
        axes.annotate(f"{cost:.2f}", (x, cost), (10, -4), textcoords="offset points", color=DOT, bbox=halo)
    axes.set(title="Cost space", xlabel=AXIS_LABELS["cost_proportion"], ylabel="cost", xlim=(0, 1), ylim=(0, 1.45))
    return figure

"""Isometrics of accuracy.

Along each line accuracy keeps its value. The lines are those of equal cost: parallel, with the skew ratio c as their slope.
Solid for c = 1, dashed for c = 1/2, where positives matter twice as much. On the descending diagonal (dotted) the value
does not depend on the skew and equals tpr, so solid and dashed lines of the same value meet there. After Figure 3 of
Flach (2003).
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic


def draw() -> Figure:
    """Lines for 0.1, 0.2, ..., 1 at two skews."""
    figure = Figure(figsize=(5.4, 5), layout="constrained")
    axes = figure.add_subplot()
    for skew_ratio, style, colour in ((1, "-", "#0072B2"), (0.5, "--", "#D55E00")):
        lines = ic.isometrics("accuracy", np.arange(1, 11) / 10, skew_ratio=skew_ratio)
        for line in lines:
            axes.plot(line.fpr, line.tpr, style, color=colour, linewidth=1.2)
        axes.plot([], [], style, color=colour, label=f"c = {skew_ratio:g}")
    for path in ic.point_metrics.accuracy.tpr_indicator().paths:
        axes.plot(path.fpr, path.tpr, ":", color="grey", label="accuracy = tpr")
    for value in np.arange(1, 10) / 10:
        axes.annotate(f"{value:.1f}", (1 - value, value), (3, 1), textcoords="offset points", fontsize=8)
    axes.set(title="Accuracy", xlabel="fpr", ylabel="tpr", aspect="equal", xlim=(0, 1), ylim=(0, 1))
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure

"""Isometrics of the F-measure.

The F-measure is precision with its centre of rotation moved to the left, from the origin to (-1/c, 0). Solid for c = 1,
dashed for c = 5, both for the same values, extended to their centres outside ROC space (shaded). Lines of equal value meet
on the tpr axis, where the value does not depend on the skew. With many negatives the centre is close to the origin and the
F-measure behaves as precision does. After Figure 5 of Flach (2003).
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic


def draw() -> Figure:
    """Lines for 0.1, 0.2, ..., 0.9 at two skews with their rotation points."""
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.axvspan(-1.1, 0, color="0.93")
    values = np.arange(1, 10) / 10
    for skew_ratio, style, colour in ((1, "-", "#0072B2"), (5, "--", "#D55E00")):
        found = ic.isometrics("f_measure", values, skew_ratio=skew_ratio)
        centre = found.rotation_point
        for line in found:
            axes.plot(line.fpr, line.tpr, style, color=colour, linewidth=1.2)
            axes.plot([centre[0], line.fpr[0]], [centre[1], line.tpr[0]], style, color=colour, linewidth=0.5)
        axes.plot(*centre, "o", color=colour)
        axes.plot([], [], style, color=colour, label=f"c = {skew_ratio:g}, centre ({centre[0]:g}, {centre[1]:g})")
    for value in values:
        axes.annotate(f"{value:.1f}", (0, value / (2 - value)), (-18, 2), textcoords="offset points", fontsize=8)
    axes.set(title="F-measure", xlabel="fpr", ylabel="tpr", aspect="equal", xlim=(-1.1, 1), ylim=(-0.02, 1))
    axes.legend(loc="upper left", frameon=True)
    return figure

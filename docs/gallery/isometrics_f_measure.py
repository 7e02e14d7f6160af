"""Isometrics of the F-measure.

The F-measure is precision with its centre of rotation moved to the left, from the origin to (-1/c, 0). Solid for c = 1,
dashed for c = 5, both for the same values, extended to their centres outside ROC space (shaded). Lines of equal value meet
on the tpr axis, where the value does not depend on the skew. With many negatives the centre is close to the origin and the
F-measure behaves as precision does. After Figure 5 of Flach (2003).
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE


def draw() -> Figure:
    """Lines for 0.1, 0.2, ..., 0.9 at two skews with their rotation points."""
    figure = Figure(figsize=(10, 5.8), layout="constrained")
    axes = figure.add_subplot()
    axes.axvspan(-1.1, 0, color=INK, alpha=0.06, linewidth=0)
    values = np.arange(1, 10) / 10
    for skew_ratio, dash, colour in zip((1, 5), DASHES, PALETTE, strict=False):
        found = ic.metrics.isometrics("f_measure", values, skew_ratio=skew_ratio)
        centre = found.rotation_point
        for line in found:
            axes.plot(line.fpr, line.tpr, linestyle=dash, color=colour, linewidth=1.2)
            axes.plot([centre[0], line.fpr[0]], [centre[1], line.tpr[0]], linestyle=dash, color=colour, linewidth=0.5)
        axes.plot(*centre, "o", color=colour, clip_on=False)
        label = f"skew ratio {skew_ratio:g}, centre ({centre[0]:g}, {centre[1]:g})"
        axes.plot([], [], linestyle=dash, color=colour, label=label)
    halo = {"boxstyle": "square,pad=0.1", "facecolor": "white", "linewidth": 0}
    for value in values:
        axes.text(0, value / (2 - value), f"{value:.1f}", ha="center", va="center", fontsize=9, bbox=halo)
    axes.set(xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"], aspect="equal", xlim=(-1.1, 1), ylim=(0, 1))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2)
    return figure

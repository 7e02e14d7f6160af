"""Isometrics of precision.

The lines turn about the origin and are the same at every skew; only their values change. Each line is labelled with its
precision at c = 1 and, in brackets, at c = 1/2. The dotted lines are where precision equals tpr: tpr + c·fpr = 1. After
Figure 4 of Flach (2003), where the lines of both skews are drawn for the same values.
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE


def draw() -> Figure:
    """Lines for 0.1, 0.2, ..., 0.9 at two skews, and where they can be read off the tpr axis."""
    figure = Figure(figsize=(10, 6.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    values = np.arange(1, 10) / 10
    for skew_ratio, dash, colour in zip((1, 0.5), DASHES, PALETTE, strict=False):
        for line in ic.metrics.isometrics("precision", values, skew_ratio=skew_ratio):
            panels[0].plot(line.fpr, line.tpr, linestyle=dash, color=colour, linewidth=1.2)
        panels[0].plot([], [], linestyle=dash, color=colour, label=f"skew ratio {skew_ratio:g}")
        diagonal = ic.metrics.precision.tpr_indicator(skew_ratio).paths[1]
        panels[0].plot(diagonal.fpr, diagonal.tpr, ":", color=colour)
    panels[0].set_title("The same values at two skews", pad=62)
    for line in ic.metrics.isometrics("precision", values):
        fpr, tpr = line.fpr[-1], line.tpr[-1]
        panels[1].plot(line.fpr, line.tpr, color=PALETTE[0], linewidth=1.2)
        reported = f"{line.value:.1f} ({ic.metrics.precision(fpr, tpr, 0.5):.2f})"
        if tpr == 1:
            panels[1].annotate(
                reported, (fpr, tpr), (-3, 4), textcoords="offset points", rotation=60, fontsize=9, color=INK
            )
        else:
            panels[1].annotate(
                reported, (fpr, tpr), (4, 0), textcoords="offset points", va="center", fontsize=9, color=INK
            )
    panels[1].set_title("The same lines: values at skew ratio 1 (and ½)", pad=62)
    for axes in panels:
        axes.set(xlabel=AXIS_LABELS["fpr"], aspect="equal", xlim=(0, 1), ylim=(0, 1))
    panels[0].set_ylabel(AXIS_LABELS["tpr"])
    figure.legend(loc="outside lower center", ncols=2)
    return figure

"""Isometrics of precision.

The lines turn about the origin and are the same at every skew; only their values change. Each line is labelled with its
precision at c = 1 and, in brackets, at c = 1/2. The dotted lines are where precision equals tpr: tpr + c·fpr = 1. After
Figure 4 of Flach (2003), where the lines of both skews are drawn for the same values.
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic


def draw() -> Figure:
    """Lines for 0.1, 0.2, ..., 0.9 at two skews, and where they can be read off the tpr axis."""
    figure = Figure(figsize=(10, 5), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    values = np.arange(1, 10) / 10
    for skew_ratio, style, colour in ((1, "-", "#0072B2"), (0.5, "--", "#D55E00")):
        for line in ic.isometrics("precision", values, skew_ratio=skew_ratio):
            panels[0].plot(line.fpr, line.tpr, style, color=colour, linewidth=1.2)
        panels[0].plot([], [], style, color=colour, label=f"c = {skew_ratio:g}")
        diagonal = ic.point_metrics.precision.tpr_indicator(skew_ratio).paths[1]
        panels[0].plot(diagonal.fpr, diagonal.tpr, ":", color=colour)
    panels[0].set_title("the same values at two skews", pad=42)
    for line in ic.isometrics("precision", values):
        fpr, tpr = line.fpr[-1], line.tpr[-1]
        panels[1].plot(line.fpr, line.tpr, color="#0072B2", linewidth=1.2)
        other = ic.point_metrics.precision(fpr, tpr, 0.5)
        panels[1].annotate(
            f"{line.value:.1f} ({other:.2f})", (fpr, tpr), (2, 3), textcoords="offset points", fontsize=8,
            rotation=60 if tpr == 1 else 0,
        )  # fmt: skip
    panels[1].set_title("the same lines: values at c = 1 (and c = 1/2)", pad=42)
    for axes in panels:
        axes.set(xlabel="fpr", aspect="equal", xlim=(0, 1), ylim=(0, 1))
    panels[0].set_ylabel("tpr")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure

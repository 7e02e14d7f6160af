"""Isometrics of splitting criteria.

A split of a table is a point of ROC space, and criteria for splits have curved isometrics, symmetric about the centre. Solid for
c = 1, dashed for c = 1/10, where positives are ten times as frequent. Gini-split flattens most, information gain
less, and DKM-split not at all: its lines, drawn for the same shares of the largest value at each skew, coincide. After
Figure 6 of Flach (2003).
"""

from matplotlib.figure import Figure

import isocost as ic

SHARES = [0.02, 0.1, 0.25, 0.45, 0.7]


def draw() -> Figure:
    """Three criteria at two skews, each at the same shares of what a perfect split reaches."""
    figure = Figure(figsize=(12, 4.4), layout="constrained")
    panels = figure.subplots(1, 3, sharey=True)
    for axes, name in zip(panels, ("information_gain", "gini_split", "dkm_split"), strict=True):
        metric = getattr(ic.point_metrics, name)
        for skew_ratio, style, colour in ((1, "-", "#0072B2"), (0.1, "--", "#D55E00")):
            perfect = metric(0, 1, skew_ratio)
            for line in ic.isometrics(metric, [share * perfect for share in SHARES], skew_ratio=skew_ratio):
                axes.plot(line.fpr, line.tpr, style, color=colour, linewidth=1.2)
            axes.plot([], [], style, color=colour, label=f"c = {skew_ratio:g}")
        axes.plot([0, 1], [0, 1], ":", color="grey")
        axes.set(title=name.replace("_", " "), xlabel="fpr", aspect="equal", xlim=(0, 1), ylim=(0, 1))
    panels[0].set_ylabel("tpr")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return figure

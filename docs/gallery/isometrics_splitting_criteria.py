"""Isometrics of splitting criteria.

A split of a table is a point of ROC space, and criteria for splits have curved isometrics, symmetric about the centre. Solid for
c = 1, dashed for c = 1/10, where positives are ten times as frequent. Gini-split flattens most, information gain
less, and DKM-split not at all: its lines for the same shares of the largest value coincide at all skews, so one set is drawn. After
Figure 6 of Flach (2003).
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import MUTED

SHARES = [0.02, 0.1, 0.25, 0.45, 0.7]


def draw() -> Figure:
    """Three criteria at two skews, each at the same shares of what a perfect split reaches; one skew where both coincide."""
    figure = Figure(figsize=(10, 10.6), layout="constrained")
    panels = figure.subplots(2, 2).ravel()
    panels[3].set_axis_off()
    for axes, name in zip(panels, ("information_gain", "gini_split", "dkm_split"), strict=False):
        metric = getattr(ic.metrics, name)
        skews = (1,) if name == "dkm_split" else (1, 0.1)
        lines = [
            ic.metrics.isometrics(metric, [share * metric(0, 1, c) for share in SHARES], skew_ratio=c) for c in skews
        ]
        ic.plots.IsometricsDisplay(lines, values=False).plot(axes)
        axes.plot([0, 1], [0, 1], ":", color=MUTED, linewidth=1)
    panels[2].set_title("Isometrics of dkm split: the same at every skew")
    return figure

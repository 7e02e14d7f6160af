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
    figure = Figure(figsize=(12, 4.6), layout="constrained")
    for axes, name in zip(figure.subplots(1, 3), ("information_gain", "gini_split", "dkm_split"), strict=True):
        metric = getattr(ic.point_metrics, name)
        lines = [ic.isometrics(metric, [share * metric(0, 1, c) for share in SHARES], skew_ratio=c) for c in (1, 0.1)]
        ic.plots.IsometricsDisplay(lines, values=False).plot(axes)
        axes.plot([0, 1], [0, 1], ":", color="grey")
    return figure

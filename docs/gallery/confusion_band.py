"""A confidence band around one confusion matrix.

Figure 12 of Drummond and Holte (2004). A classifier that catches 16 of 20 positives and flags 4 of 10 negatives is a straight line in
cost space. Each dotted line is what the same classifier might have shown on 20 other positives and 10 other negatives. Nothing
has to be drawn for the band itself: the two rows of the matrix are binomial, so the 90 % limits are exact.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, FAINT, PALETTE

LINE = PALETTE[0]


def draw() -> Figure:
    """The line, a hundred resampled ones, and the exact 90 % limits."""
    resampled = ic.inference.bootstrap_confusion({"classifier": (16, 4, 4, 6)})
    band = resampled.band("classifier", level=0.9)
    rng = np.random.default_rng(0)
    fpr, tpr = rng.binomial(10, 4 / 10, size=100) / 10, rng.binomial(20, 16 / 20, size=100) / 20
    figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
    axes.plot(band.pcf[[0, -1]], [fpr, 1 - tpr], color=FAINT, linewidth=0.6, linestyle=":")
    axes.plot(band.pcf, band.centre, color=LINE, linewidth=2.2)
    for edge in (band.low, band.high):
        axes.plot(band.pcf, edge, color=LINE, linestyle=DASHES[1])
    leader = {"arrowstyle": "-", "color": LINE}
    axes.annotate("the classifier", (0.42, 0.316), (0.3, 0.05), arrowprops=leader, color=LINE)
    axes.annotate("90 % limits", (0.62, 0.42), (0.66, 0.62), arrowprops=leader, color=LINE)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    return figure

"""How sure the costs are.

A thousand resamples of the German credit customers. Top left: the random forest's cost on the first hundred of them. Top right: 90 % bands
for all three models, corrected for thresholds that look best on the cases they were chosen on. Bottom: the difference of two models, with
a bar where its band keeps away from 0.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions

THUMBNAIL = 1


def draw() -> Figure:
    """Resamples, bands and a difference."""
    resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=1000, rng=0)
    figure = Figure(figsize=(10, 7.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1.2, 1))
    left, right = (figure.add_subplot(grid[0, i]) for i in (0, 1))
    below = figure.add_subplot(grid[1, :])
    ic.plots.BootstrapDisplay(resampled, names=["random_forest"]).plot(left)
    ic.plots.BandDisplay([resampled.band(name) for name in resampled.names]).plot(right)
    ic.plots.DifferenceDisplay(resampled.difference("random_forest", "naive_bayes")).plot(below)
    return figure

"""How sure the costs are.

A thousand resamples of the German credit customers. Left: the random forest's cost on the first hundred of them. Middle: 90 % bands for
all three models, corrected for thresholds that look best on the cases they were chosen on. Right: the difference of two models; a
bar along the edge would mark where the band keeps away from 0.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions

THUMBNAIL = 1


def draw() -> Figure:
    """Resamples, bands and a difference."""
    resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=1000, rng=0)
    figure = Figure(figsize=(12.6, 3.8), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    ic.plots.BootstrapDisplay(resampled, names=["random_forest"]).plot(left)
    ic.plots.BandDisplay([resampled.band(name) for name in resampled.names]).plot(middle)
    ic.plots.DifferenceDisplay(resampled.difference("random_forest", "naive_bayes")).plot(right)
    return figure

"""Isometrics of accuracy.

Along each line accuracy keeps its value. The lines are those of equal cost: parallel, with the skew ratio c as their slope.
Solid for c = 1, dashed for c = 1/2, where positives matter twice as much. On the descending diagonal (dotted) the value
does not depend on the skew and equals tpr, so solid and dashed lines of the same value meet there. After Figure 3 of
Flach (2003).
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic


def draw() -> Figure:
    """Lines for 0.1, 0.2, ..., 0.9 at two skews."""
    display = (
        ic.plots.IsometricsDisplay(
            [ic.metrics.isometrics("accuracy", np.arange(1, 10) / 10, skew_ratio=c) for c in (1, 0.5)]
        )
        .sized(5)
        .plot()
    )
    for path in ic.metrics.accuracy.tpr_indicator().paths:
        display.ax_.plot(path.fpr, path.tpr, ":", color=ic.plots.MUTED)
    return display.figure_

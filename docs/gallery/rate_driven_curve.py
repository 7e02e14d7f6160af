"""A ROC curve and its counterpart in cost space.

The running example of Hernández-Orallo, Flach and Ferri (2013), Figures 1 and 3: ten cases, ranked + + − + + + − + − +.
The grey lines on the left join points at which the same share of cases is flagged; on the right that share is the x axis. The
rate-driven curve flags the share x of the cases, so every point of it is one point of the ROC curve: 0.2 and 0.6, marked, are vertices of
the hull. Each dashed line is the cost of one fixed threshold. The lower envelope takes the best of them at every x.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, FAINT, INK, PALETTE

LABELS = [1, 1, 0, 1, 1, 1, 0, 1, 0, 1]
SCORES = range(10, 0, -1)
BEST, RATE = PALETTE[:2]

THUMBNAIL = 1


def draw() -> Figure:
    """ROC space with its lines of equal rate, cost space with its lines of equal threshold."""
    curve = ic.RocCurve.from_scores(LABELS, SCORES)
    rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
    optimal = ic.cost_curve(curve, axis="cost_proportion")
    x = np.linspace(0, 1, 401)
    marked = np.array([2, 6])  # points 2 and 6 of the path, at rates 0.2 and 0.6

    figure, (roc, cost) = plt.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
    for rate in np.arange(1, 10) / 10:
        # prevalence·tpr + (1 - prevalence)·fpr = rate, with 0.7 of the cases positive.
        bold = {"color": INK, "linewidth": 1.2} if rate == 0.7 else {"color": FAINT, "linewidth": 0.6}
        roc.axline((0, rate / 0.7), slope=-0.3 / 0.7, zorder=1, **bold)
    roc.plot(curve.fpr, curve.tpr, "o-", color=RATE, markersize=4, clip_on=False)
    roc.plot(curve.hull.fpr, curve.hull.tpr, color=BEST, linestyle=DASHES[1])
    roc.plot(curve.fpr[marked], curve.tpr[marked], "o", color=INK, markersize=9, fillstyle="none", clip_on=False)
    halo = {"facecolor": "white", "linewidth": 0, "pad": 1.5}
    roc.text(0.1, 0.52, "hull", color=BEST, ha="right", bbox=halo)
    roc.text(0.37, 0.5, "ROC curve", color=RATE, bbox=halo)
    roc.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    roc.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")

    for score in [11, *SCORES]:
        line = ic.cost_curve(curve, method="fixed", threshold=score, axis="cost_proportion")
        cost.plot([0, 1], line([0, 1]), "--", color=FAINT, linewidth=0.6, zorder=1)
    cost.axvline(0.7, color=INK, linewidth=1.2, zorder=1)
    cost.plot(x, rate_driven(x), color=RATE)
    cost.plot(x, optimal(x), color=BEST, linestyle=DASHES[1])
    cost.plot(rate_driven.breaks, rate_driven(rate_driven.breaks), "o", color=RATE, markersize=4, clip_on=False)
    at = rate_driven.breaks[marked]
    cost.plot(at, rate_driven(at), "o", color=INK, markersize=9, fillstyle="none")
    cost.text(0.42, 0.48, f"rate-driven: area {rate_driven.area():.3f}", ha="center", color=RATE, bbox=halo)
    cost.text(0.45, 0.1, f"lower envelope: area {optimal.area():.3f}", ha="center", color=BEST, bbox=halo)
    cost.set(title="Cost space", xlabel=AXIS_LABELS["flagged"], ylabel="cost", xlim=(0, 1), ylim=(0, 0.75))
    return figure

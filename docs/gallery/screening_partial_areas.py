"""Which ranking is better when only 10 to 50 % of the cases can be looked at.

Models A and B of Hernández-Orallo, Flach and Ferri (2013), Figures 6 and 7, Section 8. Over all shares of cases A ranks better: the area
under its Kendall curve is 0.16 against 0.20. A campaign that can reach 10 to 50 % of the customers pays only for the shaded part, and there
it is 0.05 against 0.03: B is the model to take. Crosses mark the shares in that range that are never the
cheapest, whatever the costs: they lie below the hull of the ROC curve.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE

RANKINGS = {"A": [1, 1, 0, 1, 1, 1, 0, 1, 0, 1], "B": [1, 1, 1, 0, 1, 0, 0, 1, 1, 1]}
RANGE = (0.1, 0.5)


def flagged(curve: ic.RocCurve) -> list[float]:
    """Return the share of the cases that each threshold flags."""
    return np.round((7 * curve.tpr + 3 * curve.fpr) / 10, 9).tolist()


def draw() -> Figure:
    """One panel a model, the range of interest shaded."""
    x = np.linspace(*RANGE, 401)
    figure, panels = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
    for panel, (name, labels), colour, dash in zip(panels, RANKINGS.items(), PALETTE, DASHES, strict=False):
        curve = ic.RocCurve.from_scores(labels, range(10, 0, -1))
        kendall = ic.curves.kendall_curve(curve)
        part = ic.measures.kendall_loss(curve, between=RANGE)
        panel.fill_between(x, kendall(x), color=colour, alpha=0.2, linewidth=0)
        panel.plot(kendall.breaks, kendall(kendall.breaks), color=colour, linestyle=dash)
        kept, every = (flagged(points) for points in (curve.hull, curve))
        never = [share for share in every if RANGE[0] <= share <= RANGE[1] and share not in kept]
        panel.plot(never, kendall(never), "x", color=INK, clip_on=False)
        panel.text(0.04, 0.3, f"shaded, from 0.1 to 0.5:\narea {part:.2f}", color=colour)
        panel.text(0.04, 0.52, "crosses: never the cheapest,\nwhatever the costs", color=INK)
        panel.set(title=f"Model {name}: area {kendall.area():.2f} in all", xlabel=AXIS_LABELS["flagged"])
        panel.set(xlim=(0, 1), ylim=(0, 0.65))
    panels[0].set_ylabel("cost of the ranking (Kendall curve)")
    return figure

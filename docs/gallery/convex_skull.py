"""The convex skull: the hull of a ROC curve, seen in cost space.

Models A and B of Hernández-Orallo, Flach and Ferri (2013), Figures 5 and 7. The dashed curves belong to the hull of the ROC curve, that is
to the scores after calibration: the convex skull of the rate-driven curve on top, that of the Kendall curve at the bottom. Where a
solid curve leaves its dashed one, that share of cases is never worth flagging. The dotted lower envelope needs the best threshold at every
condition. For model A it meets the convex skull at 0.2, where the paper says so, and also at 0.25, where it does not: there the
two vertices that are mixed cost the same.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE

RANKINGS = {"A": [1, 1, 0, 1, 1, 1, 0, 1, 0, 1], "B": [1, 1, 1, 0, 1, 0, 0, 1, 1, 1]}
KENDALL, RATE = PALETTE[:2]


def draw() -> Figure:
    """One panel a model, from the best-ranked case to the last."""
    x = np.linspace(0, 1, 401)
    figure, panels = plt.subplots(1, 2, figsize=(10, 5), sharey=True, layout="constrained")
    for panel, (name, ranked) in zip(panels, RANKINGS.items(), strict=True):
        curve = ic.RocCurve.from_scores(ranked, range(10, 0, -1))
        rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
        envelope = ic.cost_curve(curve, axis="cost_proportion")
        skulls = [ic.curves.convex_skull(curve, of=of) for of in ("rate_driven", "kendall")]
        panel.plot(x, rate_driven(x), color=RATE, label="rate-driven curve")
        panel.plot(x, skulls[0](x), color=RATE, linestyle=DASHES[1], linewidth=1.2, label="its convex skull")
        panel.plot(x, ic.curves.kendall_curve(curve)(x), color=KENDALL, label="Kendall curve")
        panel.plot(x, skulls[1](x), color=KENDALL, linestyle=DASHES[1], linewidth=1.2, label="its convex skull")
        panel.plot(x, envelope(x), ":", color=INK, label="lower envelope")
        if name == "A":
            panel.plot([0.2, 0.25], envelope([0.2, 0.25]), "o", color=INK, markersize=8, fillstyle="none")
        panel.set(title=f"Model {name}", xlabel=AXIS_LABELS["flagged"], xlim=(0, 1), ylim=(0, 0.65))
    panels[0].set_ylabel("cost")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=5)
    return figure

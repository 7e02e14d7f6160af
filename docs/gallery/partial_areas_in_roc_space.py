"""Partial areas between two rates, in ROC space.

The left panels of Figures 6 and 7 of Hernández-Orallo, Flach and Ferri (2013): models A and B. The shaded area lies over the
ROC curve, between the lines along which 10 % and 50 % of the cases are flagged. It is proportional to the shaded area under the
Kendall curve ([here](screening_partial_areas.md)): the loss between the rates, divided by 2·π·(1−π). The number on each grey
line counts the pairs that stand in the wrong order at that rate; they add up to 8 for A and to 10 for B, out of 21 pairs.
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, FAINT, INK, PALETTE

RANKINGS = {"A": [1, 1, 0, 1, 1, 1, 0, 1, 0, 1], "B": [1, 1, 1, 0, 1, 0, 0, 1, 1, 1]}
PI = 0.7


def perfect(rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the point of a perfect ranking at which this share of the cases is flagged."""
    return np.maximum(rate - PI, 0) / (1 - PI), np.minimum(rate / PI, 1)


def draw() -> Figure:
    """One panel a model."""
    figure = Figure(figsize=(10, 5.2), layout="constrained")
    for axes, (name, labels), colour, dash in zip(
        figure.subplots(1, 2), RANKINGS.items(), PALETTE, DASHES, strict=False
    ):
        curve = ic.RocCurve.from_scores(labels, range(10, 0, -1))
        rates = np.arange(11) / 10
        ideal = np.array(perfect(rates)).T
        path = np.column_stack([curve.fpr, curve.tpr])
        wrong = np.rint(ic.curves.kendall_curve(curve)(rates) * 10 / 2).astype(int)
        halo = {"boxstyle": "circle,pad=0.1", "facecolor": "white", "edgecolor": FAINT, "linewidth": 0.6}
        for a, b, count in zip(ideal, path, wrong, strict=True):
            axes.plot([a[0], b[0]], [a[1], b[1]], color=FAINT, linewidth=0.9)
            if count:
                axes.text(*(a + b) / 2, str(count), ha="center", va="center", fontsize=9, color=INK, bbox=halo)
        inside = slice(1, 6)  # rates 0.1 to 0.5
        shade = np.concatenate([path[inside], ideal[inside][::-1]])
        area = ic.measures.kendall_loss(curve, between=(0.1, 0.5)) / (2 * PI * (1 - PI))
        axes.fill(*shade.T, color=colour, alpha=0.2, linewidth=0)
        axes.plot(*path.T, color=colour, linestyle=dash, marker="o", markersize=4, clip_on=False)
        axes.text(0.4, 0.12, f"shaded, from rate 0.1 to 0.5:\narea {area:.3f}", color=colour)
        axes.set(title=f"Model {name}: AUC {ic.auc(curve):.3f}", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return figure

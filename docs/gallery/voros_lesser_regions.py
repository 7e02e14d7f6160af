"""The region of lesser classifiers.

Figures of Ratigan and Cowen's VOROS paper for Lemmas 45 and 60. Left: at a fixed t the cheaper of two points has the larger
region of lesser classifiers, which contains the other's. Right: for a point that beats both trivial classifiers the region is
the square without a triangle, whose legs are (1−tpr)/m + fpr and (1−tpr) + m·fpr with m = t/(1−t); so its area is 1 −
c²/(2t(1−t)).
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, INK, PALETTE

T = 0.45
GOOD, POOR = PALETTE[:2]


def draw() -> Figure:
    """Two regions, then one with its triangle."""
    m = T / (1 - T)
    condition = ic.Condition.from_t(T)
    figure, (nested, single) = plt.subplots(1, 2, figsize=(10, 5.5), layout="constrained", sharey=True)
    shown = (
        (nested, (0.2, 0.75), GOOD, (0.47, 0.82), "all below"),
        (nested, (0.35, 0.6), POOR, (0.65, 0.35), "all below"),
        (single, (0.25, 0.8), GOOD, (0.6, 0.4), "all below"),
    )
    for axes, (fpr, tpr), colour, place, words in shown:
        base, height = (1 - tpr) / m + fpr, (1 - tpr) + m * fpr
        region = [(0, 1 - height), (base, 1), (1, 1), (1, 0), (0, 0)]
        area = float(ic.measures.lesser_area(float(condition.normalised_cost(fpr, tpr)), T))
        axes.fill(*zip(*region, strict=True), color=colour, alpha=0.15, linewidth=0)
        axes.plot(*zip(*region[:2], strict=True), color=colour)
        axes.plot(fpr, tpr, "o", color=colour)
        axes.text(*place, f"{words}:\narea {area:.3f}", ha="center", va="center", color=colour)
    single.annotate(
        "", (0.015, 1 - height), (0.015, 1), arrowprops={"arrowstyle": "<->", "color": INK, "shrinkA": 0, "shrinkB": 0}
    )
    single.annotate(
        "", (0, 0.985), (base, 0.985), arrowprops={"arrowstyle": "<->", "color": INK, "shrinkA": 0, "shrinkB": 0}
    )
    single.text(0.03, 1 - height / 2, f"{height:.3f}", va="center", color=INK)
    single.text(base / 2, 0.94, f"{base:.3f}", ha="center", va="center", color=INK)
    nested.set(title=f"Lemma 45: two points at t = {T}", ylabel=AXIS_LABELS["tpr"])
    single.set_title("Lemma 60: the square without a triangle")
    for axes in (nested, single):
        axes.set(xlabel=AXIS_LABELS["fpr"], xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return figure

"""The region of lesser classifiers.

Figures of Ratigan and Cowen's VOROS paper for Lemmas 45 and 60. Left: at a fixed t the cheaper of two points has the larger
region of lesser classifiers, which contains the other's. Right: for a point that beats both trivial classifiers the region is
the square without a triangle, whose legs are (1−tpr)/m + fpr and (1−tpr) + m·fpr with m = t/(1−t); so its area is 1 −
c²/(2t(1−t)).
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic

T = 0.45
GOOD, POOR = ic.plots.PALETTE[:2]


def draw() -> Figure:
    """Two regions, then one with its triangle."""
    m = T / (1 - T)
    condition = ic.Condition.from_t(T)
    figure, (nested, single) = plt.subplots(1, 2, figsize=(9.6, 4.8), layout="constrained", sharey=True)
    for axes, points in ((nested, (((0.2, 0.75), GOOD), ((0.35, 0.6), POOR))), (single, (((0.25, 0.8), GOOD),))):
        for (fpr, tpr), colour in points:
            base, height = (1 - tpr) / m + fpr, (1 - tpr) + m * fpr
            region = [(0, 1 - height), (base, 1), (1, 1), (1, 0), (0, 0)]
            area = float(ic.measures.lesser_area(float(condition.normalised_cost(fpr, tpr)), T))
            axes.fill(*zip(*region, strict=True), color=colour, alpha=0.18, linewidth=0, label=f"area {area:.3f}")
            axes.plot(*zip(*region[:2], strict=True), color=colour)
            axes.plot(fpr, tpr, "o", color=colour)
        axes.legend(loc="lower right", frameon=False)
        axes.set(xlabel="fpr", xlim=(0, 1), ylim=(0, 1.005), aspect="equal")
    single.annotate("", (0, 1 - height), (0, 1), arrowprops={"arrowstyle": "<->"}, annotation_clip=False)
    single.annotate(f"{height:.3f}", (0.02, 1 - height / 2))
    single.annotate(f"{base:.3f}", (base / 2, 0.95), ha="center")
    nested.set(title=f"Lemma 45, t = {T}", ylabel="tpr")
    single.set_title("Lemma 60")
    return figure

"""The upper convex hull.

Figures of Ratigan and Cowen's VOROS paper for Example 31 and Lemmas 12 and 32. Left: four classifiers with the two trivial
ones, and the hull; the classifier below it is best under no condition. Middle: a ray from (1, 0) through any point meets the
hull at a point that dominates it. Right: at each condition the line of equal cost through the best vertex supports the hull,
which lies wholly on one side of it.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic

HULL, OTHER = ic.plots.PALETTE[:2]
T = 0.4


def draw() -> Figure:
    """Hull, projection, supporting line."""
    curve = ic.RocCurve.from_points([0.2, 0.3, 0.7, 0.8], [0.5, 0.6, 0.9, 0.75])
    hull = curve.hull
    figure, panels = plt.subplots(1, 3, figsize=(12.6, 4.4), layout="constrained", sharey=True)
    for axes in panels:
        axes.fill([*hull.fpr, 1], [*hull.tpr, 0], color=HULL, alpha=0.1, linewidth=0)
        axes.plot(hull.fpr, hull.tpr, "o-", color=HULL, markersize=5)
        axes.set(xlabel="fpr", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    panels[0].plot(0.8, 0.75, "o", color=OTHER)
    panels[0].set(title="Example 31", ylabel="tpr")
    point = (0.6, 0.45)
    # The ray (1, 0) + s·(point - (1, 0)) meets the edge from (0.3, 0.6) to (0.7, 0.9), on which tpr = 0.375 + 0.75·fpr.
    s = (0.375 + 0.75) / (point[1] + 0.75 * (1 - point[0]))
    met = (1 + s * (point[0] - 1), s * point[1])
    panels[1].plot([1, met[0]], [0, met[1]], "--", color=OTHER)
    panels[1].plot(*point, "o", color=OTHER)
    panels[1].plot(*met, "o", color="black", fillstyle="none", markersize=10)
    panels[1].set_title("Lemma 12: what the hull dominates")
    best = next((vertex.fpr, vertex.tpr) for vertex in curve.vertices if vertex.t_low <= T < vertex.t_high)
    panels[2].axline(best, slope=T / (1 - T), color=OTHER, linestyle="--")
    panels[2].plot(*best, "o", color="black", fillstyle="none", markersize=10)
    panels[2].set_title(f"Lemma 32: the best vertex at t = {T}")
    return figure

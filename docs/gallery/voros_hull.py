"""The upper convex hull.

Figures of Ratigan and Cowen's VOROS paper for Example 31 and Lemmas 12 and 32. Top left: four classifiers with the two trivial
ones, and the hull; D, below it, is best under no condition. Top right: a ray from (1, 0) through any point meets the
hull at a point that dominates it. Bottom: at each condition the line of equal cost through the best vertex supports the hull,
which lies wholly on one side of it.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE

HULL, OTHER = PALETTE[:2]
T = 0.4
POINTS = {"A": (0.2, 0.5), "B": (0.3, 0.6), "C": (0.7, 0.9), "D": (0.8, 0.75)}


def draw() -> Figure:
    """Hull, projection, supporting line."""
    curve = ic.RocCurve.from_points(*zip(*POINTS.values(), strict=True))
    hull = curve.hull
    figure, grid = plt.subplots(2, 2, figsize=(10, 9.8), layout="constrained")
    panels = grid.ravel()
    panels[3].set_axis_off()
    for axes in panels[:3]:
        axes.fill([*hull.fpr, 1], [*hull.tpr, 0], color=HULL, alpha=0.1, linewidth=0)
        axes.plot(hull.fpr, hull.tpr, "o-", color=HULL, markersize=5, clip_on=False)
        axes.set(xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"], xlim=(0, 1), ylim=(0, 1), aspect="equal")
    for name, point in POINTS.items():
        shift = (8, -4) if name == "D" else (-14, 4)
        colour = OTHER if name == "D" else HULL
        panels[0].annotate(name, point, shift, textcoords="offset points", color=colour)
    panels[0].plot(*POINTS["D"], "o", color=OTHER)
    panels[0].set_title("Example 31: four classifiers and their hull")
    point = (0.6, 0.45)
    # The ray (1, 0) + s·(point - (1, 0)) meets the edge from B to C, on which tpr = 0.375 + 0.75·fpr.
    s = (0.375 + 0.75) / (point[1] + 0.75 * (1 - point[0]))
    met = (1 + s * (point[0] - 1), s * point[1])
    panels[1].plot([1, met[0]], [0, met[1]], color=OTHER, linestyle=DASHES[1])
    panels[1].plot(*point, "o", color=OTHER)
    panels[1].annotate("any point", point, (8, 2), textcoords="offset points", color=OTHER)
    panels[1].plot(*met, "o", color=INK, fillstyle="none", markersize=10)
    panels[1].annotate("dominates it", met, (-8, 10), textcoords="offset points", ha="right", color=INK)
    panels[1].set_title("Lemma 12: what the hull dominates")
    best = next((vertex.fpr, vertex.tpr) for vertex in curve.vertices if vertex.t_low <= T < vertex.t_high)
    panels[2].axline(best, slope=T / (1 - T), color=OTHER, linestyle=DASHES[1])
    panels[2].plot(*best, "o", color=INK, fillstyle="none", markersize=10)
    panels[2].text(0.03, 0.6, "equal cost", color=OTHER)
    panels[2].set_title(f"Lemma 32: the best vertex at t = {T}")
    return figure

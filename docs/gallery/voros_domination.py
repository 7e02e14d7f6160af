"""Dominating in ROC space, and costing less.

Figures of Ratigan and Cowen's VOROS paper for Lemmas 25 and 35. Left: B dominates A, being above and to the left; it lies above
every line through A that has a positive slope, so it is cheaper under every condition. Right, at one condition: every point of
the two grey triangles costs less than P although none of them dominates P. The best of them, the marked corners, cost t·fpr and
(1−t)·(1−tpr): together as much as P, so one of them at most half of it.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, FAINT, INK, PALETTE

T, P = 0.4, (0.4, 0.6)


def draw() -> Figure:
    """The fan and the triangles."""
    figure, (fan, triangles) = plt.subplots(1, 2, figsize=(10, 5.5), layout="constrained", sharey=True)
    a, b = (0.5, 0.5), (0.3, 0.7)
    for t in np.linspace(0.02, 0.98, 13):
        fan.axline(a, slope=t / (1 - t), color=FAINT, linewidth=0.6)
    for name, point in (("A", a), ("B", b)):
        fan.plot(*point, "o", color=PALETTE[0])
        fan.annotate(name, point, (8, -14), textcoords="offset points", color=PALETTE[0])
    m = T / (1 - T)
    condition = ic.Condition.from_t(T)
    left, top = (0, P[1] - m * P[0]), (P[0] + (1 - P[1]) / m, 1)
    triangles.fill([0, P[0], 0], [left[1], P[1], P[1]], color=INK, alpha=0.15, linewidth=0)
    triangles.fill([P[0], P[0], top[0]], [P[1], 1, 1], color=INK, alpha=0.15, linewidth=0)
    triangles.fill([0, P[0], P[0], 0], [P[1], P[1], 1, 1], color=PALETTE[0], alpha=0.15, linewidth=0)
    triangles.axline(P, slope=m, color=INK, linewidth=1)
    cost = float(condition.normalised_cost(*P))
    triangles.plot(*P, "o", color=INK)
    triangles.annotate(f"P costs {cost:.2f}", P, (8, -12), textcoords="offset points", color=INK)
    for corner, shift in (((P[0], 1), (8, -16)), ((0, P[1]), (8, -16))):
        triangles.plot(*corner, "o", color=PALETTE[1], clip_on=False)
        text = f"{float(condition.normalised_cost(*corner)):.2f}"
        triangles.annotate(text, corner, shift, textcoords="offset points", color=PALETTE[1])
    triangles.text(P[0] / 2, 0.8, "dominates P", ha="center", color=PALETTE[0])
    triangles.text(0.8, 0.72, "equal cost", color=INK)
    fan.set(title="B dominates A", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    triangles.set(title=f"Cheaper than P at t = {T}", xlabel=AXIS_LABELS["fpr"])
    for axes in (fan, triangles):
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return figure

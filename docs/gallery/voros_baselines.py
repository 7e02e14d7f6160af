"""What flagging nobody, or the better of nobody and everybody, is worth.

Examples 53, 56 and 57 of Ratigan and Cowen's VOROS paper, with the cases corrected (t below and above ½; see the
[errata](../../explanation/errata.md)). Top: the classifiers that cost more than flagging nobody at two conditions; its ROC surface is
[a figure of its own](voros_baseline_surface.md). Bottom: the area of lesser classifiers at each t for flagging nobody, whose
mean is ½, and for the better of the two trivial classifiers, whose mean is 2(¾ − ½ ln 2), about 0.807: the VOROS that a model has to beat.
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, INK, PALETTE

LINE = PALETTE[0]


def draw() -> Figure:
    """Two regions; two curves of areas."""
    figure = Figure(figsize=(10, 9), layout="constrained")
    (first, second), (alone, together) = figure.subplots(2, 2)
    for axes, t in ((first, 0.3), (second, 0.7)):
        m = t / (1 - t)
        corners = [(0, 0), (1, m), (1, 0)] if m < 1 else [(0, 0), (1 / m, 1), (1, 1), (1, 0)]
        axes.fill(*zip(*corners, strict=True), color=INK, alpha=0.15, linewidth=0)
        axes.plot(*zip(*corners[:2], strict=True), color=LINE)
        area = float(ic.measures.lesser_area(1 - t, t))
        axes.text(0.7, 0.12, f"cost more:\narea {area:.3f}", ha="center", color=INK)
        axes.set(title=f"Lesser than flagging nobody at t = {t}", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    both = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.0], [0.0]))
    t = np.linspace(0.0005, 0.9995, 1001)
    alone.plot(t, [float(ic.measures.lesser_area(1 - x, x)) for x in t], color=LINE)
    alone.set_title("Flagging nobody: mean 0.5")
    together.plot(t, both(t), color=LINE)
    together.set_title(f"The better of nobody and everybody: mean {both.expectation():.4f}")
    for axes in (alone, together):
        axes.set(xlabel=AXIS_LABELS["t"], ylabel="area of lesser classifiers (0 to 1)", xlim=(0, 1), ylim=(0, 1))
    return figure

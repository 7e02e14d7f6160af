"""What flagging nobody, or the better of nobody and everybody, is worth.

Examples 53, 56 and 57 of Ratigan and Cowen's VOROS paper, with the cases corrected (t below and above ½; see the
[errata](../../explanation/errata.md)). Top: the classifiers that cost more than flagging nobody at two conditions, and the ROC
surface of that classifier. Bottom: the area of lesser classifiers at each t for flagging nobody, whose mean is ½, and for the
better of the two trivial classifiers, whose mean is 2(¾ − ½ ln 2), about 0.807: the VOROS that a model has to beat.
"""

import numpy as np
from matplotlib.figure import Figure

import isocost as ic

INK = ic.plots.PALETTE[0]


def draw() -> Figure:
    """Two regions and a surface; two curves of areas."""
    figure = Figure(figsize=(12.6, 8), layout="constrained")
    grid = figure.add_gridspec(2, 6)
    for i, t in enumerate((0.3, 0.7)):
        axes = figure.add_subplot(grid[0, 2 * i : 2 * i + 2])
        m = t / (1 - t)
        corners = [(0, 0), (1, m), (1, 0)] if m < 1 else [(0, 0), (1 / m, 1), (1, 1), (1, 0)]
        axes.fill(*zip(*corners, strict=True), color="0.82")
        axes.plot(*zip(*corners[:2], strict=True), color=INK)
        area = float(ic.measures.lesser_area(1 - t, t))
        axes.set(title=f"lesser than flagging nobody at t = {t}: {area:.3f}", xlabel="fpr", ylabel="tpr")
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    saddle = figure.add_subplot(grid[0, 4:], projection="3d")
    ic.plots.RocSurfaceDisplay(ic.measures.level_saddle(0.0, 0.0), t=[0.3, 0.7]).plot(saddle)
    both = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.0], [0.0]))
    t = np.linspace(0.0005, 0.9995, 1001)
    alone = figure.add_subplot(grid[1, :3])
    alone.plot(t, [float(ic.measures.lesser_area(1 - x, x)) for x in t], color=INK)
    alone.set_title("flagging nobody: mean 0.5")
    together = figure.add_subplot(grid[1, 3:])
    together.plot(t, both(t), color=INK)
    together.set_title(f"the better of nobody and everybody: mean {both.expectation():.4f}")
    for axes in (alone, together):
        axes.set(xlabel="t", ylabel="area of lesser classifiers", xlim=(0, 1), ylim=(0, 1))
    return figure

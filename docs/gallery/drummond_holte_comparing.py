"""How much better one curve is than another.

Figures 1, 3 and 4 of Drummond and Holte (2000) and Figures 7 and 8 of their paper of 2004, with points of our own that do what
the text says. In ROC space (left) the dashed curve is the better one, but not visibly by how much. In cost space (right) the
difference is the vertical distance: at pcf 0.3 the costs are 0.25 and 0.30, in the middle they are equal. B is the line at
height 0.3 because its fpr equals 1 − tpr; it is worth using for pcf from 0.3 to 0.7.
"""

from matplotlib.figure import Figure

import isocost as ic

DASHED, SOLID = ic.plots.PALETTE[:2]

THUMBNAIL = 1


def draw() -> Figure:
    """Two hulls and two lower envelopes."""
    better = ic.RocCurve.from_points([0.175, 0.425], [0.575, 0.825])
    worse = ic.RocCurve.from_points([0.3], [0.7])
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    roc, cost = figure.subplots(1, 2)
    for curve, colour, style in ((better, DASHED, (0, (5, 1.5))), (worse, SOLID, "-")):
        envelope = ic.cost_curve(curve)
        roc.plot(curve.fpr, curve.tpr, color=colour, linestyle=style, marker="o", markersize=4)
        cost.plot(envelope.breaks, envelope(envelope.breaks), color=colour, linestyle=style)
    for name, x, y in (("A", 0.175, 0.575), ("B", 0.3, 0.7), ("C", 0.0, 0.0)):
        roc.annotate(name, (x, y), textcoords="offset points", xytext=(8, 6 if name == "C" else -12))
    gap = ic.cost_curve(worse) - ic.cost_curve(better)
    cost.annotate("", (0.3, 0.25), (0.3, 0.3), arrowprops={"arrowstyle": "<->", "color": "black"})
    cost.annotate(f"{gap(0.3):.2f}", (0.3, 0.275), textcoords="offset points", xytext=(6, -4))
    cost.annotate("B", (0.56, 0.3), textcoords="offset points", xytext=(0, 4), color=SOLID)
    roc.set(title="ROC space", xlabel="fpr", ylabel="tpr", xlim=(-0.01, 1), ylim=(0, 1.01), aspect="equal")
    cost.set(title="Cost space", xlabel="pcf", ylabel="normalised cost", xlim=(0, 1), ylim=(0, 0.5))
    return figure

"""Where two curves cross, and where the cheaper model changes.

Figures 2, 5 and 6 of Drummond and Holte (2000) and Figures 5 and 6 of their paper of 2004, with points of our own. The hulls
cross in ROC space (ring), but that point says little: it is the best choice under no condition. What counts is the line that
touches both hulls; its slope is the condition at which the models cost the same. In cost space that line is the point where the
two curves cross: here pcf 0.5.
"""

from matplotlib.figure import Figure

import isocost as ic

DOTTED, DASHED = ic.plots.PALETTE[:2]

THUMBNAIL = 1


def draw() -> Figure:
    """The common tangent on the left is the crossing on the right."""
    dotted = ic.RocCurve.from_points([0.04, 0.12], [0.4, 0.58], name="dotted")
    dashed = ic.RocCurve.from_points([0.42, 0.6], [0.88, 0.96], name="dashed")
    comparison = ic.Comparison([dotted, dashed])
    (t,) = comparison.crossovers("dotted", "dashed")
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    roc, cost = figure.subplots(1, 2)
    for curve, colour, style in ((dotted, DOTTED, ":"), (dashed, DASHED, (0, (5, 1.5)))):
        envelope = ic.cost_curve(curve)
        roc.plot(curve.fpr, curve.tpr, color=colour, linestyle=style, linewidth=2)
        cost.plot(envelope.breaks, envelope(envelope.breaks), color=colour, linestyle=style, linewidth=2)
    equal = float(dotted.optimal_cost(t))
    # All points that cost the same at t: tpr = 1 - (cost - t·fpr)/(1 - t).
    roc.axline((0, 1 - equal / (1 - t)), slope=t / (1 - t), color="black", linewidth=1)
    # The hulls meet on the edge of one from (0.12, 0.58) to (1, 1) and the edge of the other from (0, 0) to (0.42, 0.88).
    shallow, steep = (1 - 0.58) / (1 - 0.12), 0.88 / 0.42
    x = (0.58 - 0.12 * shallow) / (steep - shallow)
    roc.plot(x, steep * x, "o", color="black", fillstyle="none", markersize=11)
    cost.plot(1 - t, equal, "o", color="black", markersize=5)
    cost.annotate(
        f"pcf {1 - t:g}: both cost {equal:.2g}", (1 - t, equal), (0, -60), textcoords="offset points", ha="center"
    )
    roc.set(title="ROC space", xlabel="fpr", ylabel="tpr", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    cost.set(title="Cost space", xlabel="pcf", ylabel="normalised cost", xlim=(0, 1), ylim=(0, 0.5))
    return figure

"""The picture of the landing page: three models in cost space, who is cheapest where, and the decision as a dot."""

from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """Draw it for credit customers of whom 30 % are bad, where a miss costs five false alarms."""
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    decision = comparison.decide(condition)
    with rc_context({"font.size": 12}, fname=Path(__file__).parents[1] / "isocost.mplstyle"):
        figure = Figure(figsize=(6.6, 4.6), layout="constrained")
        axes = figure.subplots()
        x, y = 1 - condition.t, decision.normalised_cost
        # First, so that the names of the models keep off it.
        axes.annotate(
            f"{decision.model},\nscore ≥ {decision.threshold:.4g}",
            (x, y),
            (0.62, 0.1),
            ha="left",
            va="top",
            fontweight="bold",
            arrowprops={"arrowstyle": "-", "shrinkB": 6},
        )
        over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(3, 8), prevalence=0.3)
        ic.plots.CostDisplay(comparison, condition=over, prevalence=0.3).plot(axes)
        axes.plot(x, y, "o", color=ic.plots.INK, markersize=9, zorder=6)
    return figure

"""A first look at isocost: which of three credit models to use, at which threshold, and where the answer changes.

Run it with ``python -m isocost.demo [folder]``; the picture goes into the folder, ``out`` unless told.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from isocost.comparison import Drift

TRIVIAL = {"always-negative": "accept everybody", "always-positive": "refuse everybody"}
COLOURS = {"logistic regression": "#0072B2", "random forest": "#D55E00", "naive bayes": "#009E73"}
TRIVIAL_COLOUR = "#777777"
PICTURE = "roc_and_cost_space.png"


def compare() -> ic.Comparison:
    """Return the three bundled models, side by side."""
    y_true, scores = load_german_credit_predictions()
    return ic.Comparison.from_scores(y_true, {name.replace("_", " "): s for name, s in scores.items()})


def report(comparison: ic.Comparison, condition: ic.Condition) -> str:
    """Return the decision and its reasons as text."""
    decision = comparison.decide(condition)
    choices = [ic.best_threshold(curve, condition) for curve in comparison.curves]
    about = comparison.provenance
    more = 1000 * (decision.runner_up.extra_cost or 0.0)
    lines = [
        f"Three models scored {about.positives:.0f} bad and {about.negatives:.0f} good customers they had not seen.",
        f"Accepting a bad customer costs {condition.cost_fn:g}, refusing a good one {condition.cost_fp:g}.",
        f"{condition.prevalence:.0%} of the customers are bad, so that t = {condition.t:.3f}.",
        "",
        f"{'':20} {'threshold':>9} {'refused':>8} {'bad refused':>12} {'good refused':>13} {'cost of 1000':>13}",
    ]
    lines += [
        f"{choice.model:20} {choice.threshold:9.4f} {choice.flagged:8.1%} {choice.tpr:12.1%} {choice.fpr:13.1%} "
        f"{1000 * (choice.expected_cost or 0.0):13.0f}"
        for choice in choices
    ]
    lines += [
        f"{TRIVIAL[name]:20} {'':9} {rate:8.1%} {rate:12.1%} {rate:13.1%} {1000 * condition.expected_cost(rate, rate):13.0f}"
        for name, rate in (("always-positive", 1.0), ("always-negative", 0.0))
    ]
    lines += [
        "",
        f"Decision: use the {decision.model} and refuse whoever scores at least {decision.threshold:g}.",
        f"  It costs {decision.per_1000:.0f} for 1000 customers; next comes the {decision.runner_up.model}, {more:.0f} more.",
        f"  The {decision.model} stays the cheapest while {_limits(decision.model_drift)};",
        f"  this threshold stays the best while {_limits(decision.threshold_drift)}.",
        "",
        "Who is cheapest, by how many refused good customers one accepted bad customer costs:",
    ]
    for win in reversed(comparison.winners()):
        low, high = win.cost_ratio(condition.prevalence)
        name = TRIVIAL.get(win.name, win.name)
        lines.append(f"  {low:5.2f} to {high:5.2f}  {name:20} (t from {win.t_high:.3f} down to {win.t_low:.3f})")
    return "\n".join(lines)


def _limits(drift: Drift) -> str:
    """Say how far costs may drift, or else the share of bad customers."""
    assert drift.cost_ratio is not None  # noqa: S101 - the condition is known
    assert drift.prevalence is not None  # noqa: S101
    (low, high), (few, many) = drift.cost_ratio, drift.prevalence
    return f"a bad customer costs {low:.3g} to {high:.3g} good ones, or {few:.1%} to {many:.1%} are bad"


def draw(comparison: ic.Comparison, condition: ic.Condition) -> Figure:
    """Draw the models in ROC space and in cost space, side by side, with the decision in both."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependencyError("isocost.demo", "matplotlib", "plots") from error
    best = comparison.decide(condition)
    figure = Figure(figsize=(11, 5), layout="constrained")  # without pyplot: no window, nothing to close
    roc, cost = figure.subplots(1, 2)
    _draw_roc_space(roc, comparison, condition, best)
    _draw_cost_space(cost, comparison, condition, best)
    return figure


def _draw_roc_space(axes: Axes, comparison: ic.Comparison, condition: ic.Condition, best: ic.Choice) -> None:
    for curve in comparison.curves:
        colour = COLOURS[str(curve.name)]
        axes.plot(curve.fpr, curve.tpr, color=colour, linewidth=0.8, alpha=0.5)
        axes.plot(curve.hull.fpr, curve.hull.tpr, color=colour, linewidth=1.8, label=curve.name)
    axes.plot([0, 1], [0, 1], color=TRIVIAL_COLOUR, linewidth=1, linestyle=":")
    axes.axline((best.fpr, best.tpr), slope=condition.skew_ratio, color="black", linewidth=1, linestyle="--")
    axes.plot(best.fpr, best.tpr, "o", color="black", label=f"the decision: score ≥ {best.threshold:.3f}")
    axes.set(
        title="ROC space", xlabel="good customers refused (fpr)", ylabel="bad customers refused (tpr)",
        xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal",
    )  # fmt: skip
    axes.legend(loc="lower right", frameon=False)


def _draw_cost_space(axes: Axes, comparison: ic.Comparison, condition: ic.Condition, best: ic.Choice) -> None:
    axes.plot([0, 0.5, 1], [0, 0.5, 0], color=TRIVIAL_COLOUR, linewidth=1, linestyle=":")
    for (x, y), name, turn in zip([(0.39, 0.4), (0.79, 0.22)], TRIVIAL.values(), [1, -1], strict=True):
        axes.text(
            x, y, name, color=TRIVIAL_COLOUR, ha="center", va="bottom", rotation_mode="anchor",
            rotation=turn * 45, transform_rotates_text=True,
        )  # fmt: skip
    for curve in comparison.curves:
        envelope = ic.cost_curve(curve)
        axes.plot(envelope.breaks, envelope(envelope.breaks), color=COLOURS[str(curve.name)], linewidth=1.8)
    axes.axvline(condition.pcf, color="black", linewidth=1, linestyle="--")
    axes.plot(condition.pcf, condition.normalised_cost(best.fpr, best.tpr), "o", color="black")
    for win in comparison.winners():
        colour = COLOURS.get(win.name, TRIVIAL_COLOUR)
        axes.plot([win.pcf_low, win.pcf_high], [-0.012, -0.012], color=colour, linewidth=7, solid_capstyle="butt")
    axes.set(
        title="Cost space (strip below: who is cheapest)", xlabel="share of the worst cost that missed bad customers carry (pcf)",
        ylabel="normalised cost with the best threshold", xlim=(0, 1), ylim=(-0.022, 0.52),
    )  # fmt: skip


def main(folder: str = "out") -> None:
    """Print the decision and write the picture."""
    comparison = compare()
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    print(report(comparison, condition))
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    draw(comparison, condition).savefig(target / PICTURE, dpi=120)
    print(f"\nWrote {target / PICTURE}: the same models in ROC space and in cost space.")


if __name__ == "__main__":
    main(*sys.argv[1:2])

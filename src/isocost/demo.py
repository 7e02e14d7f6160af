"""A first look at isocost: which of three credit models to use, at which threshold, and where the answer changes.

Run it with ``python -m isocost.demo [folder]``; a picture and the report go into the folder, ``out`` unless told.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import isocost as ic
from isocost.datasets import load_german_credit_predictions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from isocost.comparison import Drift

TRIVIAL = {"always-negative": "accept everybody", "always-positive": "refuse everybody"}
PICTURE = "roc_and_cost_space.png"
PAGE = "report.html"


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


def _limits(drift: Drift | None) -> str:
    """Say how far costs may drift, or else the share of bad customers."""
    assert drift is not None  # noqa: S101
    assert drift.cost_ratio is not None  # noqa: S101 - the condition is known
    assert drift.prevalence is not None  # noqa: S101
    (low, high), (few, many) = drift.cost_ratio, drift.prevalence
    return f"a bad customer costs {low:.3g} to {high:.3g} good ones, or {few:.1%} to {many:.1%} are bad"


def draw(comparison: ic.Comparison, condition: ic.Condition) -> Figure:
    """Draw the models in ROC space and in cost space, side by side, with the decision in both."""
    display = ic.plots.DualityDisplay(
        comparison, condition=condition, prevalence=condition.prevalence, winners=comparison.winners()
    ).plot()
    roc, cost = display.ax_
    roc.set(xlabel="good customers refused (fpr)", ylabel="bad customers refused (tpr)")
    cost.set(xlabel="share of the worst cost that missed bad customers carry")
    return cast("Figure", display.figure_)


def main(folder: str = "out") -> None:
    """Print the decision, write the picture and the report."""
    comparison = compare()
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    print(report(comparison, condition))
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    draw(comparison, condition).savefig(target / PICTURE, dpi=120)
    print(f"\nWrote {target / PICTURE}: the same models in ROC space and in cost space.")
    comparison.report(target / PAGE, over=condition, title="German credit")
    print(f"Wrote {target / PAGE}: open it in a browser and drag the costs.")


if __name__ == "__main__":
    main(*sys.argv[1:2])

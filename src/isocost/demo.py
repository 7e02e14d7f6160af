"""A first look at isocost: which of three credit models to use, at which threshold, and where the answer changes.

Run it with ``python -m isocost.demo [folder]``; the picture goes into the folder, ``out`` unless told.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACCEPT_ALL, REFUSE_ALL = "accept everybody", "refuse everybody"
COLOURS = {"logistic regression": "#0072B2", "random forest": "#D55E00", "naive bayes": "#009E73"}
TRIVIAL_COLOUR = "#777777"
PICTURE = "roc_and_cost_space.png"


@dataclass(frozen=True)
class Stretch:
    """The conditions, from t_low to t_high, under which one model (or none) is the cheapest."""

    name: str
    t_low: float
    t_high: float


def load_curves() -> list[ic.RocCurve]:
    """Return the ROC curves of the three bundled models."""
    y_true, scores = load_german_credit_predictions()
    return [ic.RocCurve.from_scores(y_true, s, name=name.replace("_", " ")) for name, s in scores.items()]


def cheapest_where(curves: Sequence[ic.RocCurve]) -> list[Stretch]:
    """Return who is cheapest, from t = 1 to t = 0: the owners of the vertices of the hull of all models together."""
    owner = np.repeat(np.arange(len(curves)), [len(curve.hull) for curve in curves])
    together = ic.RocCurve.from_points(
        np.concatenate([curve.hull.fpr for curve in curves]),
        np.concatenate([curve.hull.tpr for curve in curves]),
        thresholds=owner,  # kept beside each point
        positives=curves[0].positives,
        negatives=curves[0].negatives,
    )
    stretches: list[Stretch] = []
    for vertex in together.vertices:
        trivial = REFUSE_ALL if vertex.fpr else ACCEPT_ALL
        name = trivial if vertex.trivial else str(curves[int(vertex.threshold)].name)
        if stretches and stretches[-1].name == name:
            stretches[-1] = Stretch(name, vertex.t_low, stretches[-1].t_high)
        elif vertex.t_low < vertex.t_high:
            stretches.append(Stretch(name, vertex.t_low, vertex.t_high))
    return stretches


def decide(curves: Sequence[ic.RocCurve], condition: ic.Condition) -> ic.Choice:
    """Return the cheapest threshold of the cheapest model."""
    return ic.best_threshold(min(curves, key=lambda curve: float(curve.optimal_cost(condition.t))), condition)


def report(curves: Sequence[ic.RocCurve], condition: ic.Condition) -> str:
    """Return the decision and its reasons as text."""
    choices = [ic.best_threshold(curve, condition) for curve in curves]
    best = decide(curves, condition)
    lines = [
        f"Three models scored {curves[0].positives:.0f} bad and {curves[0].negatives:.0f} good customers they had not seen.",
        f"Accepting a bad customer costs {condition.cost_fn:g}, refusing a good one {condition.cost_fp:g}.",
        f"{condition.prevalence:.0%} of the customers are bad, so that t = {condition.t:.3f}.",
        "",
        f"{'':20} {'threshold':>9} {'refused':>8} {'bad refused':>12} {'good refused':>13} {'cost a customer':>16}",
    ]
    lines += [
        f"{choice.model:20} {choice.threshold:9.4f} {choice.flagged:8.1%} {choice.tpr:12.1%} {choice.fpr:13.1%} "
        f"{choice.expected_cost:16.3f}"
        for choice in choices
    ]
    lines += [
        f"{name:20} {'':9} {rate:8.1%} {rate:12.1%} {rate:13.1%} {condition.expected_cost(rate, rate):16.3f}"
        for name, rate in ((REFUSE_ALL, 1.0), (ACCEPT_ALL, 0.0))
    ]
    lines += [
        "",
        f"Decision: use the {best.model} and refuse whoever scores at least {best.threshold:g}.",
        f"  That threshold stays its best one for t from {best.t_low:.3f} to {best.t_high:.3f}.",
        "",
        "Who is cheapest, by how many refused good customers one accepted bad customer costs:",
    ]
    for stretch in cheapest_where(curves):
        low, high = (_cost_ratio(t, condition.prevalence) for t in (stretch.t_high, stretch.t_low))
        lines.append(
            f"  {low:5.2f} to {high:5.2f}  {stretch.name:20} (t from {stretch.t_high:.3f} down to {stretch.t_low:.3f})"
        )
    return "\n".join(lines)


def draw(curves: Sequence[ic.RocCurve], condition: ic.Condition) -> Figure:
    """Draw the models in ROC space and in cost space, side by side, with the decision in both."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependencyError("isocost.demo", "matplotlib", "plots") from error
    best = decide(curves, condition)
    figure = Figure(figsize=(11, 5), layout="constrained")  # without pyplot: no window, nothing to close
    roc, cost = figure.subplots(1, 2)
    _draw_roc_space(roc, curves, condition, best)
    _draw_cost_space(cost, curves, condition, best)
    return figure


def _draw_roc_space(axes: Axes, curves: Sequence[ic.RocCurve], condition: ic.Condition, best: ic.Choice) -> None:
    for curve in curves:
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


def _draw_cost_space(axes: Axes, curves: Sequence[ic.RocCurve], condition: ic.Condition, best: ic.Choice) -> None:
    axes.plot([0, 0.5, 1], [0, 0.5, 0], color=TRIVIAL_COLOUR, linewidth=1, linestyle=":")
    for (x, y), name, turn in zip([(0.39, 0.4), (0.79, 0.22)], [ACCEPT_ALL, REFUSE_ALL], [1, -1], strict=True):
        axes.text(
            x, y, name, color=TRIVIAL_COLOUR, ha="center", va="bottom", rotation_mode="anchor",
            rotation=turn * 45, transform_rotates_text=True,
        )  # fmt: skip
    for curve in curves:
        envelope = ic.cost_curve(curve)
        axes.plot(envelope.breaks, envelope(envelope.breaks), color=COLOURS[str(curve.name)], linewidth=1.8)
    axes.axvline(condition.pcf, color="black", linewidth=1, linestyle="--")
    axes.plot(condition.pcf, condition.normalised_cost(best.fpr, best.tpr), "o", color="black")
    for stretch in cheapest_where(curves):
        colour = COLOURS.get(stretch.name, TRIVIAL_COLOUR)
        axes.plot(
            [1 - stretch.t_high, 1 - stretch.t_low], [-0.012, -0.012], color=colour, linewidth=7, solid_capstyle="butt"
        )
    axes.set(
        title="Cost space (strip below: who is cheapest)", xlabel="share of the worst cost that missed bad customers carry (pcf)",
        ylabel="normalised cost with the best threshold", xlim=(0, 1), ylim=(-0.022, 0.52),
    )  # fmt: skip


def _cost_ratio(t: float, prevalence: float) -> float:
    """Return cost_fn / cost_fp at t and a prevalence."""
    return (1 - t) * (1 - prevalence) / (t * prevalence) if t > 0 else float("inf")


def main(folder: str = "out") -> None:
    """Print the decision and write the picture."""
    curves = load_curves()
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    print(report(curves, condition))
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    draw(curves, condition).savefig(target / PICTURE, dpi=120)
    print(f"\nWrote {target / PICTURE}: the same models in ROC space and in cost space.")


if __name__ == "__main__":
    main(*sys.argv[1:2])

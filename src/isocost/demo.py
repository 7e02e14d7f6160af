"""A first look at isocost: which of three credit models to use, at which threshold, and where the answer changes.

Run it with ``python -m isocost.demo [folder]``; a picture and the report go into the folder, ``out`` unless told.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decide.decision import table_of
from isocost.decide.say import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE = "roc_and_cost_space.png"
PAGE = "report.html"


def compare() -> ic.Comparison:
    """Return the three bundled models, side by side."""
    y_true, scores = load_german_credit_predictions()
    return ic.Comparison.from_scores(y_true, {name.replace("_", " "): s for name, s in scores.items()})


def report(comparison: ic.Comparison, condition: ic.Condition) -> str:
    """Return the decision, the table beside it and who is cheapest where, as text."""
    decision = comparison.decide(condition, n_resamples=200)
    about = comparison.provenance
    lines = [
        f"Three models scored {about.positives:.0f} bad and {about.negatives:.0f} good customers they had not seen.",
        f"Accepting a bad customer costs {condition.cost_fn:g}, refusing a good one {condition.cost_fp:g}. To flag is to refuse.",
        "",
        str(decision),
        "",
        *_aligned(*table_of(decision)),
        "",
        "Who is cheapest, by how many false alarms a miss costs:",
    ]
    for win in reversed(comparison.winners()):
        low, high = win.cost_ratio(condition.prevalence)
        name = say("table_model", {"model": win.name})
        lines.append(
            f"  {low:5.2f} to {high:5.2f}  {name:20} (PCF(+) from {1 - win.t_high:.3f} to {1 - win.t_low:.3f})"
        )
    return "\n".join(lines)


def _aligned(heads: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a table, numbers to the right."""
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    right = [head not in ("model", "rule") for head in heads]
    return [
        "  ".join(
            f"{cell:{'>' if end else '<'}{width}}" for cell, width, end in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in (heads, *rows)
    ]


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
    comparison.report(target / PAGE, condition=condition, title="German credit")
    print(f"Wrote {target / PAGE}: open it in a browser and drag the costs.")


if __name__ == "__main__":
    main(*sys.argv[1:2])

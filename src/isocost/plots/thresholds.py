"""What thresholds catch, flag and cost, as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.text import Text

from isocost.decision import Choice
from isocost.decision.rules import EVERYBODY, NOBODY, cuts_of
from isocost.errors import InputError
from isocost.plots.display import Display, settle, text_size
from isocost.plots.models import several
from isocost.plots.style import INK, MUTED
from isocost.results.short_names import shorten

_HEADS = ("threshold", "caught", "false\nalarms", "flagged", "precision", "cost per\n1000")


class ThresholdsDisplay(Display):
    """A table of choices: one row per model or threshold, with what each catches, flags and costs; the cheapest is bold.

    Parameters
    ----------
    choices : Choice or several of them
        From `best_threshold` and similar functions, for one model or several.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> choice = ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> ic.plots.ThresholdsDisplay(choice).rows
    [['demo', '≥ 0.6', '100 %', '50 %', '65 %', '46.2 %', '350']]
    """

    _keeps_height = True

    def __init__(self, choices: Any) -> None:
        self.choices: list[Choice] = several(choices, Choice, "choices")
        names = shorten([choice.model or "" for choice in self.choices], 20)
        self.rows = [[name, *_cells(choice)] for name, choice in zip(names, self.choices, strict=True)]
        self._size = (5.6, 0.6 + 0.24 * len(self.rows))

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        if style:
            raise InputError(f"a table has no lines to style, got {min(style)!r}")
        axes.set(xlim=(0, 1), ylim=(0, 1))
        axes.set_axis_off()
        costs = [c.expected_cost for c in self.choices if c.expected_cost is not None]
        heads = ["", *_HEADS]
        used = [i for i in range(len(heads)) if any(row[i] for row in self.rows)]
        step = 1 / (len(self.rows) + 2)
        columns: list[list[Text]] = []
        for i in used:
            side = "left" if i == 0 else "right"
            looks: dict[str, Any] = {"ha": side, "va": "center", "linespacing": 1.0, "parse_math": False}
            column = [axes.text(0, 1 - step, heads[i], color=MUTED, **looks)]
            for j, (row, choice) in enumerate(zip(self.rows, self.choices, strict=True)):
                best = bool(costs) and choice.expected_cost == min(costs) and len(self.rows) > 1
                weight = "bold" if best else "normal"
                column.append(axes.text(0, 1 - (j + 2.15) * step, row[i], color=INK, fontweight=weight, **looks))
            columns.append(column)
        _spread(axes, columns)
        axes.plot([0, 1], [1 - 1.6 * step] * 2, color=MUTED, linewidth=0.8)
        if note := _open(self.choices):
            axes.set_title(note, fontsize=text_size(axes, 0.9))


def _spread(axes: Axes, columns: list[list[Text]]) -> None:
    """Give every column the room it needs, with text as large as the axes allow."""
    settle(axes)
    size = text_size(axes)
    for text in (text for column in columns for text in column):
        text.set_fontsize(size)
    widths = [max(text.get_window_extent().width for text in column) for column in columns]
    room, gap = axes.get_window_extent().width, size * axes.figure.dpi / 72
    shrink = min(1.0, (room - 2) / (sum(widths) + gap * (len(columns) - 1)))
    spare = room - shrink * sum(widths)
    right = 0.0
    for k, (column, width) in enumerate(zip(columns, widths, strict=True)):
        right += shrink * width + (spare / max(len(columns) - 1, 1) if k else 0.0)
        for text in column:
            text.set(x=0.0 if k == 0 else right / room, fontsize=shrink * size)


def _cells(choice: Choice) -> list[str]:
    # Both thresholds of a mix, each as the shortest decimal that flags the same cases.
    cuts = [f"≥ {cut}" for cut in cuts_of(choice.rule)]
    rule = {NOBODY: "nobody", EVERYBODY: "everybody"}.get(choice.rule, " or ".join(cuts))
    shares = (choice.tpr, choice.fpr, choice.flagged, choice.precision)
    cost = "" if choice.expected_cost is None else f"{1000 * choice.expected_cost:,.4g}"
    return [rule, *("" if math.isnan(share) else f"{100 * share:.3g} %" for share in shares), cost]


def _open(choices: Sequence[Choice]) -> str:
    """Say how much better a threshold inside a bucket of scores counted together could be."""
    costs = [(c.normalised_cost or 0.0) - c.normalised_cost_low for c in choices if c.normalised_cost_low is not None]
    caught = [c.tpr_high - c.tpr for c in choices if c.tpr_high is not None]
    parts = [f"costs up to {max(costs):.2g} lower (normalised)"] if costs else []
    parts += [f"up to {100 * max(caught):.2g} % more caught"] if caught else []
    return f"scores counted together in buckets: {' and '.join(parts)} possible" if parts else ""

"""What is left to gain after more labelled cases."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost.decision.numbers import digits, money
from isocost.errors import InputError
from isocost.inference.label_value import ValueOfLabels
from isocost.plots.display import Display, label_axes
from isocost.plots.style import PALETTE

_PLACES = 200
# Least and most labels to show, as shares of those that are there.
_FROM, _TO = 0.01, 16.0


class ValueOfLabelsDisplay(Display):
    """What could still be gained after each number of further labels; a dot marks how many are enough.

    Parameters
    ----------
    worth : ValueOfLabels
        From `Bootstrap.value_of_labels`.

    Examples
    --------
    >>> import isocost as ic
    >>> condition = ic.Condition(cost_fp=1, cost_fn=3, prevalence=1 / 3)
    >>> worth = ic.bootstrap_confusion({"tree": (16, 4, 4, 6)}).value_of_labels(condition, tolerance=2)
    >>> worth.plot().ax_.get_ylabel()
    'left to gain per 1000 cases'
    """

    _size = (5.0, 3.6)

    def __init__(self, worth: ValueOfLabels) -> None:
        if not isinstance(worth, ValueOfLabels):
            raise InputError(f"worth must be a ValueOfLabels, got {type(worth).__name__}")
        self.worth = worth

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        worth, enough = self.worth, self.worth.enough
        first = min(_FROM * worth.labelled, 0.5 * (enough or np.inf))
        last = max(_TO * worth.labelled, 4.0 * (enough or 0))
        more = np.geomspace(first, last, _PLACES)
        axes.set_xscale("log")
        axes.set_xlim(first, last)
        axes.set_ylim(0, 1.08 * max(worth.perfect, worth.tolerance) or 1.0)
        axes.plot(more, [worth.remaining(float(x)) for x in more], **({"color": PALETTE[0]} | style))
        axes.axhline(worth.tolerance, color="0.45", linestyle=(0, (4, 3)), linewidth=1.0, gid="good enough")
        axes.annotate(
            f"good enough: {money(worth.tolerance)}", (0, worth.tolerance), xycoords=("axes fraction", "data"),
            xytext=(5, -3), textcoords="offset points", ha="left", va="top", color="0.35",
        )  # fmt: skip
        if enough:
            left = worth.remaining(enough)
            axes.plot([enough], [left], "o", color=PALETTE[0], markersize=5, zorder=5, gid="enough")
            axes.annotate(
                f"{digits(enough, 2)} more", (enough, left), xytext=(6, 6), textcoords="offset points", va="bottom"
            )
        label_axes(axes, x="further labelled cases", y="left to gain per 1000 cases")

"""How the scores of cases in use are spread over steps, beside what the estimated prevalence leads one to expect."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from isocost.decision import numbers
from isocost.deployment import PrevalenceEstimate
from isocost.errors import InputError
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.style import HATCHES, INK, MUTED, PALETTE


class PrevalenceDisplay(Display):
    """Bars of the cases seen in each step of scores, with the shares expected at the estimate and those of the reference.

    Where bars and expected shares differ, more than the prevalence has moved.

    Parameters
    ----------
    estimate : PrevalenceEstimate

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> found = ic.estimate_prevalence((y, range(20, 0, -1)), [20, 19, 18, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 16, 7])
    >>> ic.plots.PrevalenceDisplay(found).plot().ax_.get_title()
    '24 % positive (90 %: 0 % to 71 %), if only the prevalence moved'
    """

    _size = (4.8, 3.2)
    _artist = Rectangle

    def __init__(self, estimate: PrevalenceEstimate) -> None:
        if not isinstance(estimate, PrevalenceEstimate):
            raise InputError(f"estimate must be a PrevalenceEstimate, got {type(estimate).__name__}")
        self.estimate = estimate

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        found = self.estimate
        steps = found.steps
        # The lowest scores stand left.
        cuts, own, seen, expected = (
            np.asarray(steps[name])[::-1] for name in ("score_from", "reference", "seen", "expected")
        )
        place = np.arange(cuts.size)
        axes.bar(
            place,
            100 * seen,
            0.8,
            label="seen",
            **({"color": PALETTE[0], "hatch": HATCHES[0], "edgecolor": "white"} | style),
        )
        for values, label, colour, dash in (
            (expected, "expected", PALETTE[1], "-"),
            (own, "reference", MUTED, (0, (2, 2))),
        ):
            axes.hlines(100 * values, place - 0.4, place + 0.4, color=colour, linewidth=2, linestyle=dash, label=label)
        names = ["lowest" if i == 0 else f"≥ {cut:.3g}" for i, cut in enumerate(cuts.tolist())]
        axes.set_xticks(place, names)
        low, high = numbers.percent(found.low), numbers.percent(found.high)
        title = f"{numbers.percent(found.estimate)} positive ({100 * found.level:g} %: {low} to {high}), if only the prevalence moved"
        label_axes(axes, x="score", y="share of the cases (%)", title=title)
        axes.tick_params(axis="x", labelrotation=40 if cuts.size > 5 else 0)
        axes.legend(fontsize=text_size(axes), frameon=False, labelcolor=INK)

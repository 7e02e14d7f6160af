"""The same models in ROC space and in cost space, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from isocost import validate
from isocost.conditions import Condition
from isocost.plots.buckets import envelopes
from isocost.plots.cost import CostDisplay
from isocost.plots.display import Display, settle
from isocost.plots.roc import RocDisplay


class DualityDisplay(Display):
    """ROC space next to cost space: a point on the left is a line on the right, the hull is the lower envelope.

    `ax_` is the pair of axes, as an array.

    Parameters
    ----------
    curves : RocCurve, several of them, or a Comparison
    condition : Condition, optional
        Drawn in both spaces: as the slope of the iso-cost line, and as a place on the axis.
    lines : bool
        Draw the cost lines of all operating points faintly.
    thresholds, highlight : optional
        As in `RocDisplay`.
    prevalence, scale, winners : optional
        As in `CostDisplay`.

    References
    ----------
    Drummond & Holte (2000), Explicitly representing expected cost, KDD, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9], name="two points")
    >>> roc, cost = ic.plots.DualityDisplay(curve).plot().ax_
    >>> cost.get_xlabel()
    'share of the worst cost that misses carry (pcf)'
    """

    _size = (8.4, 4.2)

    def __init__(
        self,
        curves: Any,
        *,
        condition: Condition | None = None,
        lines: bool = False,
        thresholds: bool = False,
        prevalence: float | None = None,
        scale: Any = "linear",
        winners: Sequence[Any] | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.roc = RocDisplay(curves, condition=condition, thresholds=thresholds, highlight=highlight)
        certain, best = envelopes(self.roc.curves)
        self.cost = CostDisplay(
            certain, best_case=best, lines=self.roc.curves if validate.flag(lines, "lines") else None, condition=condition,
            prevalence=prevalence, scale=scale, winners=winners, highlight=highlight,
        )  # fmt: skip

    def plot(self, ax: Any = None, **style: Any) -> Self:
        """Draw both spaces and return the display.

        Parameters
        ----------
        ax : pair of matplotlib axes, optional
        **style
            Properties of the main lines in both spaces.
        """
        self._check(style)
        pair = self._begin_pair(ax)
        # Cost space has the larger margins: once they are known, the layout hardly moves.
        self.cost.plot(pair[1], **style)
        self.roc.plot(pair[0], **style)
        settle(pair[0])
        self.ax_, self.figure_ = pair, pair[0].figure
        return self

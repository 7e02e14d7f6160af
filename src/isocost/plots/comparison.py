"""Several models in cost space, with the strip of who is cheapest where."""

from __future__ import annotations

from typing import Any

from isocost.comparison import Comparison
from isocost.conditions import Condition, Conditions
from isocost.errors import InputError
from isocost.plots.buckets import envelopes
from isocost.plots.cost import CostDisplay


class ComparisonDisplay(CostDisplay):
    """The cost curves of all models of a comparison, and along the bottom who is cheapest where.

    If buckets of scores leave costs open, the gap is shaded and it is not said who is cheapest.

    Parameters
    ----------
    comparison : Comparison
    condition : Condition, optional
        Marked; the comparison's own by default.
    **options
        Options of `CostDisplay`.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    >>> display = ic.plots.ComparisonDisplay(ic.Comparison([a, b])).plot()
    >>> [text.get_text() for text in display.ax_.texts]
    ['flag nobody', 'flag everybody', 'a', 'b']
    """

    def __init__(self, comparison: Comparison, *, condition: Condition | None = None, **options: Any) -> None:
        if not isinstance(comparison, Comparison):
            raise InputError(f"comparison must be a Comparison, got {type(comparison).__name__}")
        if "best_case" in options:
            raise InputError("best_case goes with curves: the best case of a comparison is drawn by itself")
        own = comparison.condition
        if isinstance(own, Conditions):
            options.setdefault("over", own)
        certain, best = envelopes(comparison.curves)
        options.setdefault("winners", comparison.winners() if best is None else None)
        super().__init__(
            certain,
            best_case=best,
            condition=own if condition is None and isinstance(own, Condition) else condition,
            **options,
        )

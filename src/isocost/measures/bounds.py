"""What a measure lies between when scores were counted together in buckets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from isocost.conditions import Conditions
from isocost.counts import ScoreCounts
from isocost.errors import InexactError, InfeasibleError, InputError
from isocost.measures.constrained_voros import judged_prevalence
from isocost.measures.registry import MEASURES, Measure, measure_named
from isocost.results.result import Result
from isocost.roc_space import RocCurve, inexact

# What two ends may differ by that are the same number, added up in another order.
_ROUNDING = 16 * sys.float_info.epsilon


@dataclass(frozen=True, repr=False)
class Bounds(Result):
    """Two numbers that a measure of the cases is certain to lie between.

    Each is reached by some scores inside the buckets, except for the calibration loss and for VOROS with `max_flagged`.

    Attributes
    ----------
    low, high : float
        Equal if the buckets leave nothing open.

    Examples
    --------
    >>> import isocost as ic
    >>> counts = ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3], upper=[1.0, 0.4])
    >>> area = counts.bounds("auc")
    >>> area.low, area.high, area.width, 0.7 in area
    (0.5625, 0.9375, 0.375, True)
    """

    low: float
    high: float

    @property
    def width(self) -> float:
        """How far apart they are."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """Half way between them: off by half the width at most."""
        return self.low + self.width / 2

    def __contains__(self, value: float) -> bool:
        """Return whether a number lies between them."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        """Return as many digits as tell the two apart."""
        if self.width <= _ROUNDING * abs(self.high):
            return f"{self.low:.6g}"
        digits = next((d for d in range(4, 17) if f"{self.low:.{d}g}" != f"{self.high:.{d}g}"), 17)
        return f"{self.low:.{digits}g} to {self.high:.{digits}g}"

    def __repr__(self) -> str:
        """Say what the measure lies between."""
        return f"<Bounds: {self}>"


def bounds(of: ScoreCounts | RocCurve, measure: str | Callable[..., float], options: Mapping[str, Any]) -> Bounds:
    """Return the measure of the lowest and of the highest curve that the buckets allow."""
    if not callable(measure) and not isinstance(measure, str):
        raise InputError(f"measure must be a name or a function of a curve, got {measure!r:.80}")
    curve = RocCurve.from_counts(of) if isinstance(of, ScoreCounts) else of
    known = measure_named(measure) if isinstance(measure, str) else MEASURES.get(getattr(measure, "__name__", ""))
    function: Any = known if known is not None and (isinstance(measure, str) or known.function is measure) else measure
    if curve.exact:
        value = float(function(curve, **options))
        return Bounds(value, value)
    own = function.bounds(curve, options) if isinstance(function, Measure) and function.bounds is not None else None
    if own is not None:
        return Bounds(*own)
    best = curve._optimistic
    if options.get("max_flagged") is not None:
        # A point inside a bucket may keep the limit where the bucket's better corner does not.
        over = Conditions.of(options.get("over"))
        prevalence = judged_prevalence(curve, over, ["max_flagged"], options.get("prevalence"))
        best = inexact.within_budget(curve, float(options["max_flagged"]), prevalence)
    high = float(function(best, **options))
    try:
        low = float(function(curve._pessimistic, **options))
    except InfeasibleError as error:
        raise InexactError("whether any threshold keeps the limits", "") from error
    return Bounds(*sorted((low, high)))

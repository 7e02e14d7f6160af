"""How finely scores are counted: listed one by one, or in buckets as narrow as is asked."""

from __future__ import annotations

from typing import Any

from isocost import validate

# Up to so many distinct scores are listed; beyond, they are counted in buckets.
MAX_DISTINCT = 2**22


def counting_effort(
    max_distinct: int = MAX_DISTINCT, *, exact: bool | None = None, tolerance: float | None = None
) -> dict[str, Any]:
    """Return how finely to count, checked."""
    if tolerance is not None:
        validate.positive(tolerance, "tolerance")
    return {
        "max_distinct": validate.whole(max_distinct, "max_distinct", low=0),
        "exact": tolerance is None if exact is None else exact,
        "tolerance": tolerance,
    }

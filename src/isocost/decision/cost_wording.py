"""How a cost of a case is said: per 1000 cases in the unit, or normalised where costs have no unit; the page has a twin of it."""

from __future__ import annotations

from collections.abc import Sequence

from isocost.decision.numbers import amount, digits, rough, rough_span

# Ends closer than this part of them are one number.
_SAME = 1e-9


def cost(per_case: float, unit: str | None) -> str:
    """Return a cost or a difference of two, to whole units from 1000 on; `unit` is None where it is normalised.

    Examples
    --------
    >>> cost(1.2345, "€"), cost(0.12345, None)
    ('€1235', '0.1235')
    """
    return digits(per_case, 4) if unit is None else amount(1000 * per_case, unit)


def estimate(per_case: float, unit: str | None) -> str:
    """Return what is known within limits only, such as a regret over resamples: with three digits.

    Examples
    --------
    >>> estimate(1.2345, "€"), estimate(0.12345, None)
    ('€1230', '0.1235')
    """
    return digits(per_case, 4) if unit is None else rough(1000 * per_case, unit)


def span(ends: Sequence[float], unit: str | None) -> str:
    """Return an interval of costs, with three digits; a word for the unit stands once.

    Examples
    --------
    >>> span((0.4651, 1.5732), "DM"), span((0.1, 0.2), None)
    ('465 to 1570 DM', '0.1 to 0.2')
    """
    if unit is None:
        return " to ".join(digits(end, 4) for end in ends)
    return rough_span([1000 * end for end in ends], unit)


def varies(ends: Sequence[float]) -> bool:
    """Tell whether an interval is one: what nobody is flagged for costs the same on all data."""
    low, high = ends
    return abs(high - low) >= _SAME * abs(high) and high != low

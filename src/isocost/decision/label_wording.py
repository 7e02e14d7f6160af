"""What to do about an open choice: the one template for every door; the page has a twin of it."""

from __future__ import annotations

from isocost.decision.numbers import digits


def advice(expected: str, worst: str, level: str) -> str:
    """Say what a wrong pick loses on average, and at most with a confidence.

    Examples
    --------
    >>> advice("4.2 per 1000", "11", "95 %")
    'Take whichever is easier to run: a wrong pick loses 4.2 per 1000 on average, at most 11 (95 %).'
    """
    return f"Take whichever is easier to run: a wrong pick loses {expected} on average, at most {worst} ({level})."


def more_labels(enough: int | None, *, priced: bool) -> str:
    """Say how many more labelled cases would settle it; nothing if none are needed and nobody asked for their price.

    Examples
    --------
    >>> more_labels(1318, priced=False)
    'About 1300 more labelled cases would settle it.'
    >>> more_labels(None, priced=False), more_labels(0, priced=True)
    ('More labels alone would not settle it.', 'More labels would cost more than they save.')
    """
    if enough is None:
        return "More labels alone would not settle it."
    if enough > 0:
        return f"About {digits(enough, 2)} more labelled cases would settle it."
    return "More labels would cost more than they save." if priced else ""

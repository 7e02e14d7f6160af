"""Counts of things in words: one piece, two pieces."""

from __future__ import annotations


def counted(count: float, noun: str) -> str:
    """Return a count with its noun, in the singular where there is one.

    Examples
    --------
    >>> counted(1, "piece"), counted(21, "piece"), counted(0.5, "positive")
    ('1 piece', '21 pieces', '0.5 positives')
    """
    return f"{count:.12g} {noun}" if count == 1 else f"{count:.12g} {noun}s"

"""Sentences whose lines never end between a number and its sign or unit, also without a style sheet."""

from __future__ import annotations

import re

# A sign before a number, a share, an amount below zero: the page's own sentences keep the same ones whole.
_WHOLE = r"[≥<] [−-]?\d(?:[\d.,]*\d)?|\d[\d.,–]* %|−\D?\d(?:[\d.,]*\d)?"
_TIED, _JOINED = "\u00a0", "\u2060"


def held(text: str, unit: str = "") -> str:
    r"""Return a text with spaces inside numbers that do not break.

    Examples
    --------
    >>> held("costs 12 DM, 90 % of it", "DM")
    'costs 12\xa0DM, 90\xa0% of it'
    """
    amounts = rf"−?\d(?:[\d.,]*\d)? {re.escape(unit)}|" if unit else ""
    return re.sub(f"{amounts}{_WHOLE}", lambda found: _tied(found[0]), text)


def _tied(number: str) -> str:
    # After a minus before the sign of a currency a line may end.
    return re.sub(r"−(?=\D)", f"−{_JOINED}", number.replace(" ", _TIED))

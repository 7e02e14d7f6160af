"""What to do about an open choice: the one template for every door."""

from __future__ import annotations

from isocost.decision.numbers import digits, money


def labels(expected: float, worst: float, enough: int | None, *, priced: bool) -> str:
    r"""Say what a wrong pick loses per 1000 cases, and how many more labelled cases would settle it.

    Examples
    --------
    >>> print(labels(4.2, 11.0, 1318, priced=False).replace(". ", ".\n"))
    Take whichever is easier to run: a wrong pick loses 4.2 per 1000 on average, at most 11 (95 %).
    About 1300 more labelled cases would settle it.
    """
    text = (
        f"Take whichever is easier to run: a wrong pick loses {money(expected)} per 1000 on average, "
        f"at most {money(worst)} (95 %)."
    )
    if enough is None:
        return f"{text} More labels alone would not settle it."
    if enough > 0:
        return f"{text} About {digits(_two_digits(enough))} more labelled cases would settle it."
    return f"{text} More labels would cost more than they save." if priced else text


def _two_digits(number: int) -> int:
    place = int(10 ** max(0, len(str(number)) - 2))
    return round(number / place) * place

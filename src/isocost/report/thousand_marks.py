"""What happens to 1000 cases as one picture, a mark each; every style is an attribute, for pages whose styles are blocked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from isocost.report import page_colours

_ROWS, _PITCH, _TOP = 20, 11, 6
OUTCOMES = ("caught", "alarm", "missed", "left")


def adding_up(values: Sequence[float]) -> list[int]:
    """Return values as whole numbers with the same sum: the largest remainders are rounded up.

    Examples
    --------
    >>> adding_up([0.4, 299.6, 350.3, 349.7])
    [0, 300, 350, 350]
    """
    whole = [math.floor(value + 1e-9) for value in values]
    order = sorted(range(len(values)), key=lambda i: whole[i] - values[i])
    for i in order[: round(sum(values)) - sum(whole)]:
        whole[i] += 1
    return whole


def marks(fpr: float, tpr: float, prevalence: float) -> dict[str, int]:
    """Return how many of 1000 cases end in each outcome."""
    p, q = 1000 * prevalence, 1000 * (1 - prevalence)
    counts = adding_up([p * tpr, q * fpr, p * (1 - tpr), q * (1 - fpr)])
    return dict(zip(OUTCOMES, counts, strict=True))


def labels(words: Mapping[str, str]) -> dict[str, str]:
    """Return what each outcome is called in the reader's words."""
    return {
        "caught": f"{words['positives']} caught",
        "alarm": f"{words['negatives']} {words['flagged']}",
        "missed": f"{words['positives']} missed",
        "left": f"{words['negatives']} left alone",
    }


def picture(decision: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """Return the marks of a decision as SVG; nothing where no prevalence is known."""
    if decision["prevalence"] is None:
        return ""
    counts = marks(decision["fpr"], decision["tpr"], decision["prevalence"])
    colours = page_colours.OUTCOMES["light"]
    parts, x = [], _PITCH
    for name, count in counts.items():
        if name == "missed" and x > _PITCH:
            x += 2 * _PITCH
        spots = [(x + _PITCH * (i // _ROWS), _TOP + _PITCH * (i % _ROWS + 0.5)) for i in range(count)]
        x += _PITCH * math.ceil(count / _ROWS)
        parts.append(_marks(name, spots, colours[name]))
    named = labels(words)
    said = ", ".join(f"{count} {named[name]}" for name, count in counts.items())
    width, height = max(x, 60 * _PITCH), 2 * _TOP + _ROWS * _PITCH
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="Of 1000 {escape(words["cases"])}: {escape(said)}">{"".join(parts)}</svg><p>Of 1000 {escape(words["cases"])}: '
        f"{escape(said)}.</p>"
    )


def _marks(name: str, spots: Sequence[tuple[float, float]], colour: str) -> str:
    if not spots:
        return ""
    if name == "missed":
        d = "".join(f"M{x - 3:g} {y - 3:g}l6 6m0-6l-6 6" for x, y in spots)
        return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="2" stroke-linecap="round"/>'
    d = "".join(f"M{x:g} {y:g}h0" for x, y in spots)
    widths = {"caught": 8, "alarm": 8, "left": 4}
    drawn = f'<path d="{d}" stroke="{colour}" stroke-width="{widths[name]}" stroke-linecap="round"/>'
    hole = f'<path d="{d}" stroke="{page_colours.GROUND["light"]}" stroke-width="4" stroke-linecap="round"/>'
    return drawn + hole if name == "alarm" else drawn

"""What happens to 1000 cases as one picture, a mark each; every style is an attribute, for pages whose styles are blocked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from isocost.report import page_colours

_ROWS, _PITCH, _TOP = 20, 11, 6
# What is drawn for each fate of a case; of one that a person judged wrongly, the error.
_MARKS = {
    "caught": "caught", "alarm": "alarm", "found": "review", "cleared": "review", "overlooked": "missed", "accused": "alarm",
    "missed": "missed", "left": "left",
}  # fmt: skip
# What a mark looks like, in words.
_SHAPES = {"caught": "dots", "alarm": "rings", "review": "squares", "missed": "crosses", "left": "small dots"}
# Those flagged, looked at and left alone, with a gap between them; what flows together in one tuple.
_LOOKED = ("found", "cleared", "overlooked", "accused")
_GROUPS = ((("caught",), ("alarm",)), (_LOOKED,), (("missed",), ("left",)))


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


def marks(decision: Mapping[str, Any]) -> dict[str, int]:
    """Return how many of 1000 cases come to each fate; those between two thresholds are looked at by a person."""
    fpr, tpr, band = decision["fpr"], decision["tpr"], decision["review"]
    flag, reached = (decision, decision) if band is None else (band["flag_choice"], band["review_choice"])
    p, q = 1000 * decision["prevalence"], 1000 * (1 - decision["prevalence"])
    fates = {
        "caught": p * flag["tpr"],
        "found": p * (tpr - flag["tpr"]),
        "overlooked": p * (reached["tpr"] - tpr),
        "missed": p * (1 - reached["tpr"]),
        "alarm": q * flag["fpr"],
        "accused": q * (fpr - flag["fpr"]),
        "cleared": q * (reached["fpr"] - fpr),
        "left": q * (1 - reached["fpr"]),
    }
    return dict(zip(fates, adding_up([max(0.0, count) for count in fates.values()]), strict=True))


def labels(words: Mapping[str, str], *, one: bool = False) -> dict[str, str]:
    """Return what cases of each outcome are called in the reader's words, one of them or several."""
    positives, negatives = (words[kind if one else f"{kind}s"] for kind in ("positive", "negative"))
    return {
        "caught": f"{positives} caught",
        "alarm": f"{negatives} {words['flagged']}",
        "review": "looked at again",
        "missed": f"{positives} missed",
        "left": f"{negatives} left alone",
    }


def picture(decision: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """Return the marks of a decision as SVG; nothing where no prevalence is known."""
    if decision["prevalence"] is None:
        return ""
    counts = marks(decision)
    colours = page_colours.OUTCOMES["light"]
    spots: dict[str, list[tuple[float, float]]] = {}
    x = _PITCH
    for group in _GROUPS:
        blocks = [[fate for fate in block for _ in range(counts[fate])] for block in group]
        if x > _PITCH and any(blocks):
            x += 2 * _PITCH
        for block in blocks:
            for i, fate in enumerate(block):
                place = x + _PITCH * (i // _ROWS), _TOP + _PITCH * (i % _ROWS + 0.5)
                spots.setdefault(_MARKS[fate], []).append(place)
            x += _PITCH * math.ceil(len(block) / _ROWS)
    named = labels(words)
    parts = [_marks(name, spots.get(name, []), colours[name]) for name in named]
    looked = sum(counts[fate] for fate in _LOOKED)
    many = {name: looked if name == "review" else len(spots.get(name, [])) for name in named}
    single = labels(words, one=True)
    told = {
        name: f"{count} {(single if count == 1 else named)[name]}"
        for name, count in many.items()
        if name != "review" or looked
    }
    said = ", ".join(told.values())
    keyed = ", ".join(f"{text} ({_SHAPES[name]})" for name, text in told.items())
    width, height = x + _PITCH, 2 * _TOP + _ROWS * _PITCH
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="Of 1000 {escape(words["cases"])}: {escape(said)}">{"".join(parts)}</svg><p>Of 1000 {escape(words["cases"])}: '
        f"{escape(keyed)}.</p>"
    )


def _marks(name: str, spots: Sequence[tuple[float, float]], colour: str) -> str:
    if not spots:
        return ""
    if name == "missed":
        d = "".join(f"M{x - 3:g} {y - 3:g}l6 6m0-6l-6 6" for x, y in spots)
        return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="2" stroke-linecap="round"/>'
    d = "".join(f"M{x:g} {y:g}h0" for x, y in spots)
    if name == "review":
        return f'<path d="{d}" stroke="{colour}" stroke-width="7" stroke-linecap="square"/>'
    widths = {"caught": 8, "alarm": 8, "left": 4}
    drawn = f'<path d="{d}" stroke="{colour}" stroke-width="{widths[name]}" stroke-linecap="round"/>'
    hole = f'<path d="{d}" stroke="{page_colours.GROUND["light"]}" stroke-width="4" stroke-linecap="round"/>'
    return drawn + hole if name == "alarm" else drawn

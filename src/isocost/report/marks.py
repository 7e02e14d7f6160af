"""What happens to 1000 cases as one picture, one mark per case; every style is an attribute, for pages without a style sheet."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from isocost.report import page_colours

_ROWS, _PITCH, _TOP, _GAP = 18, 11, 34, 60
_MOST = 1000


def size(prevalence: float) -> int:
    """Return of how many cases the picture tells: so many that at least twenty are positive, if 100,000 suffice.

    Examples
    --------
    >>> size(0.3), size(0.0095), size(0.001)
    (1000, 10000, 100000)
    """
    return next((n for n in (1000, 10_000) if n * prevalence >= 20), 100_000)


def outcomes(decision: Mapping[str, Any], prevalence: float, n: int) -> dict[str, float]:
    """Return how many of n cases end in each outcome; those between the two ends of a band are looked at by a person."""
    band = decision["review"] if decision["rule"] == "band" else None
    flag, look = (decision, decision) if band is None else (band["flag_from"], band["review_from"])
    p, q = n * prevalence, n * (1 - prevalence)
    return {
        "missed": p * (1 - look["tpr"]),
        "looked_positive": p * (look["tpr"] - flag["tpr"]),
        "caught": p * flag["tpr"],
        "alarms": q * flag["fpr"],
        "looked_negative": q * (look["fpr"] - flag["fpr"]),
        "left": q * (1 - look["fpr"]),
    }


def picture(decision: Mapping[str, Any]) -> str:
    """Return the marks of a decision as SVG and in words; nothing where no prevalence is known."""
    question = decision["question"]
    share = question["quantities"].get("prevalence")
    if share is None:
        return ""
    words, prevalence = question["words"], share["mean"]
    n = size(prevalence)
    found = {name: round(count) for name, count in outcomes(decision, prevalence, n).items()}
    told = [
        f"{found['missed']:,} {words['positives']} missed (crosses)",
        f"{found['caught']:,} {words['positives']} {words['flagged']} (dots)",
        f"{found['alarms']:,} {words['negatives']} {words['flagged']} (rings)",
        f"{found['left']:,} {words['negatives']} not {words['flagged']} (small dots)",
    ]
    looked = found["looked_positive"] + found["looked_negative"]
    if looked:
        told.insert(2, f"{looked:,} looked at by a person (squares)")
    text = escape(f"Of {n:,} {words['cases']}: {', '.join(told)}.")
    colours = page_colours.OUTCOMES["light"]
    left = [("missed", found["missed"]), ("review", found["looked_positive"]), ("caught", found["caught"])]
    right = [("alarm", found["alarms"]), ("review", found["looked_negative"]), ("left", found["left"])]
    if n > 1000:
        # Of rare events the many that are passed, and very many alarms, are told in words alone.
        right = [(name, min(count, _MOST)) for name, count in right if name != "left"]
    parts, x = [], float(_PITCH)
    for name, block in ((words["positives"], left), (words["negatives"], right)):
        parts.append(
            f'<text x="{x:g}" y="16" font-family="system-ui, DejaVu Sans, sans-serif" font-size="14" font-weight="650" '
            f'fill="currentColor">{escape(name)}</text>'
        )
        place = 0
        for kind, count in block:
            spots = [
                (x + _PITCH * (i // _ROWS + 0.5), _TOP + _PITCH * (i % _ROWS + 0.5))
                for i in range(place, place + count)
            ]
            parts.append(_drawn(kind, spots, colours[kind]))
            place += count
        x += max(_PITCH * (-(-place // _ROWS)), 150) + _GAP
    width, height = x - _GAP + _PITCH, _TOP + _ROWS * _PITCH + 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}" role="img" '
        f'aria-label="{text}">{"".join(parts)}</svg><p>{text}</p>'
    )


def _drawn(name: str, spots: list[tuple[float, float]], colour: str) -> str:
    if not spots:
        return ""
    if name == "missed":
        d = "".join(f"M{x - 3:g} {y - 3:g}l6 6m0-6l-6 6" for x, y in spots)
        return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="2" stroke-linecap="round"/>'
    if name == "alarm":
        d = "".join(f"M{x - 3:g} {y:g}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0" for x, y in spots)
        return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
    d = "".join(f"M{x:g} {y:g}h0" for x, y in spots)
    width, cap = {"caught": (7, "round"), "left": (4, "round"), "review": (6, "square")}[name]
    return f'<path d="{d}" stroke="{colour}" stroke-width="{width}" stroke-linecap="{cap}"/>'

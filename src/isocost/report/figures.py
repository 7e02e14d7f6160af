"""The three figures of a page, its marks and their colours, without JavaScript: the page's script shows the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from isocost.decide.say import Speaker
from isocost.palette import DARK, LIGHT, STROKES

# As SVG writes them, for lines two pixels wide.
DASHES = tuple(" ".join(f"{2 * length:g}" for length in strokes) for strokes in STROKES)
# Text and lines on the ground.
TONES = {
    "light": {
        "bg": "#fbfaf6", "card": "#ffffff", "panel": "#f4f2ea", "ink": "#1a1d22", "muted": "#575e67", "line": "#e4e0d6", "edge": "#7d7a70",
        "grey": "#757b83", "shade": "#f1eee6", "focus": "#0b57d0", "clear": "#12703a", "leaning": "#855600", "open": "#4a4f9c",
        "warn": "#a32020", "soft": "#e8effc", "gain": "#dfe8f5", "loss": "#f7ecd3",
    },
    "dark": {
        "bg": "#14161a", "card": "#1b1e23", "panel": "#1f2329", "ink": "#eceef1", "muted": "#a8b0b9", "line": "#31363d", "edge": "#89919a",
        "grey": "#8b949d", "shade": "#23272d", "focus": "#8ab4f8", "clear": "#5fd08f", "leaning": "#e8b34b", "open": "#aab0ff",
        "warn": "#ff8a80", "soft": "#1e2b42", "gain": "#26344b", "loss": "#3b3220",
    },
}  # fmt: skip
# What becomes of a case; marks differ in shape, too.
OUTCOMES = {
    "light": {"caught": "#20304a", "missed": "#c1121f", "alarm": "#b07400", "left": "#8c8f98", "review": "#3f7688"},
    "dark": {"caught": "#e3e8ef", "missed": "#ff6a5e", "alarm": "#f0b541", "left": "#6f7781", "review": "#78b6c9"},
}


def variables(theme: str) -> str:
    """Return the colours of a theme as CSS variables."""
    colours = LIGHT if theme == "light" else DARK
    named = [f"--m{i}:{colour}" for i, colour in enumerate(colours)]
    return ";".join([*named, *(f"--{name}:{colour}" for name, colour in (TONES[theme] | OUTCOMES[theme]).items())])


# A sign before a number, a share, an amount below zero: the page's own sentences keep the same ones whole.
_WHOLE = r"[≥<] [−-]?\d(?:[\d.,]*\d)?|\d[\d.,–]* %|−\D?\d(?:[\d.,]*\d)?"
_TIED, _JOINED = "\u00a0", "\u2060"


def no_break(text: str, unit: str = "") -> str:
    """Return a text with spaces inside numbers, and before their unit, that do not break."""
    amounts = rf"−?\d(?:[\d.,]*\d)? {re.escape(unit)}|" if unit else ""
    return re.sub(f"{amounts}{_WHOLE}", lambda found: _tied(found[0]), text)


def _tied(number: str) -> str:
    # After a minus before the sign of a currency a line may end.
    return re.sub(r"−(?=\D)", f"−{_JOINED}", number.replace(" ", _TIED))


def paragraphs(texts: Iterable[str], unit: str = "", tag: str = "p") -> str:
    """Return texts as paragraphs, or as items of a list, whose numbers do not break."""
    return "".join(f"<{tag}>{escape(no_break(text, unit))}</{tag}>" for text in texts)


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", *, kind: str = "tables", scrolls: str = ""
) -> str:
    """Return a table of texts; narrow windows show one card per row, with the names of its columns, or a table that `scrolls`."""

    def cell(label: str, text: str) -> str:
        first, _, second = no_break(text).partition("\n")
        small = f"<small>{escape(second)}</small>" if second else ""
        named = "" if scrolls else f' data-label="{escape(label)}"'
        return f"<td{named}>{escape(first)}{small}</td>"

    # Where a table scrolls, heads may break anywhere, so that its columns are narrow.
    top = "".join(f'<th scope="col">{escape(text)}</th>' for text in (heads if scrolls else map(no_break, heads)))
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(map(cell, heads[1:], cells))}</tr>' for name, *cells in rows
    )
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    frame = f' role="region" aria-label="{escape(scrolls)}" tabindex="0"' if scrolls else ""
    return f'<div class="{kind}"{frame}><table>{above}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


FIGURES = ("cost", "today", "stake")
PARTS = ("title", "value", "small", "below")
TRIVIAL = ("always-negative", "always-positive")


@cache
def sentences() -> dict[str, Any]:
    """Return the sentences of decisions and of the page, as a page holds them."""
    held = json.loads(files("isocost.decide").joinpath("sentences.json").read_text(encoding="utf-8"))
    own = json.loads(files("isocost.report").joinpath("figures.json").read_text(encoding="utf-8"))
    return {**held, "sentences": held["sentences"] | own}


def facts(decision: Mapping[str, Any], models: int) -> dict[str, Any]:
    """Return the data behind the sentences of the page: a decision, with the best rule without a model beside it."""
    broken = (decision.get("confidence") or {}).get("broken")
    current = decision.get("current")
    data = dict(decision) | {
        "models": models,
        "no_model": next((row for row in decision["alternatives"] if row["model"] in TRIVIAL), None),
        "in_use": None if current is None else {key: current[key] for key in ("model", "threshold")},
        "holds": None if broken is None else 1 - broken,
        "limits_cost": None,
    }
    return data | {"state": Speaker(sentences()).say("state", data)}


def figure_texts(decision: Mapping[str, Any], models: int) -> list[tuple[str, str, str, str]]:
    """Return title, value, unit and one line below of each of the three figures."""
    speaker, data = Speaker(sentences()), facts(decision, models)
    rows = [[speaker.say(f"{name}_{part}", data) for part in PARTS] for name in FIGURES]
    return [(title, value, small, below) for title, value, small, below in rows]


_ROWS, _PITCH, _TOP, _GAP = 18, 11, 34, 60
_MOST = 1000
# Of each mark its shape around a point, and its stroke.
_MARKS = {
    "missed": ("m-3-3l6 6m0-6l-6 6", 'stroke-width="2" stroke-linecap="round"'),
    "alarm": ("m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", 'stroke-width="1.8"'),
    "caught": ("h0", 'stroke-width="7" stroke-linecap="round"'),
    "left": ("h0", 'stroke-width="4" stroke-linecap="round"'),
    "review": ("h0", 'stroke-width="6" stroke-linecap="square"'),
}


def marks_size(prevalence: float) -> int:
    """Return of how many cases the picture tells: so many that at least twenty are positive, if 100,000 suffice."""
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


def marks_picture(decision: Mapping[str, Any]) -> str:
    """Return the marks of a decision as SVG and in words; nothing where no prevalence is known."""
    question = decision["question"]
    share = question["quantities"].get("prevalence")
    if share is None:
        return ""
    words, prevalence = question["words"], share["mean"]
    n = marks_size(prevalence)
    found = {name: round(count) for name, count in outcomes(decision, prevalence, n).items()}
    counts = [
        f"{found['missed']:,} {words['positives']} missed (crosses)",
        f"{found['caught']:,} {words['positives']} {words['flagged']} (dots)",
        f"{found['alarms']:,} {words['negatives']} {words['flagged']} (rings)",
        f"{found['left']:,} {words['negatives']} not {words['flagged']} (small dots)",
    ]
    looked = found["looked_positive"] + found["looked_negative"]
    if looked:
        counts.insert(2, f"{looked:,} looked at by a person (squares)")
    text = escape(f"Of {n:,} {words['cases']}: {', '.join(counts)}.")
    left = [("missed", found["missed"]), ("review", found["looked_positive"]), ("caught", found["caught"])]
    right = [("alarm", found["alarms"]), ("review", found["looked_negative"]), ("left", found["left"])]
    if n > 1000:
        # Of rare events the many that are passed, and very many alarms, are given in words alone.
        right = [(name, min(count, _MOST)) for name, count in right if name != "left"]
    parts, x = [], float(_PITCH)
    for name, block in ((words["positives"], left), (words["negatives"], right)):
        parts.append(
            f'<text x="{x:g}" y="16" font-family="system-ui, DejaVu Sans, sans-serif" font-size="14" font-weight="650" '
            f'fill="currentColor">{escape(name)}</text>'
        )
        place = 0
        for kind, count in block:
            shape, look = _MARKS[kind]
            cells = (divmod(i, _ROWS) for i in range(place, place + count))
            d = "".join(f"M{x + _PITCH * (i + 0.5):g} {_TOP + _PITCH * (j + 0.5):g}{shape}" for i, j in cells)
            parts.append(f'<path d="{d}" fill="none" stroke="{OUTCOMES["light"][kind]}" {look}/>' if d else "")
            place += count
        x += max(_PITCH * (-(-place // _ROWS)), 150) + _GAP
    width, height = x - _GAP + _PITCH, _TOP + _ROWS * _PITCH + 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}" role="img" '
        f'aria-label="{text}">{"".join(parts)}</svg><p>{text}</p>'
    )

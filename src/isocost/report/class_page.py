"""A decision about several classes as one page: no script, nothing fetched, light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from isocost import numbers
from isocost.compare.classes import in_words
from isocost.palette import LIGHT, slots
from isocost.report.figures import no_break
from isocost.report.html import axis_step, plain_page, save_page, wide_table

if TYPE_CHECKING:
    from isocost.compare import ClassCurve, ClassDecision, ClassWinners
    from isocost.data.checks import Floats

_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM, _BAR = 330, 64, 12, 14, 78, 16
# Every figure is drawn for wide windows, for narrow ones and for phones: how wide, and how many strips tell the costs below a pointer.
_SIZES = {"broad": (980, 90), "middle": (620, 60), "slim": (358, 30)}


def save(decision: ClassDecision, path: str | Path, title: str | None = None) -> Path:
    """Write the page, or all data; the suffix says which."""
    return save_page(path, "a decision", lambda: page(decision, title), decision.to_dict())


def page(decision: ClassDecision, title: str | None = None) -> str:
    """Return the whole file."""
    pictures = [_figure(decision, winners) for winners in decision.along.values()]
    found = "\n".join([_costs(decision), *pictures, _confusion(decision)])
    parts = [_answer(decision), f'<section aria-label="Classes">\n{found}\n</section>']
    return plain_page(title or "Which model should label the cases", parts, ("watch", "classes"))


def _answer(decision: ClassDecision) -> str:
    grade = None if decision.confidence is None else decision.confidence.grade
    rule, *rest = [text for text in (*decision.says.values(), *decision.warnings) if text]
    text = "".join(f"<p>{escape(no_break(text, decision.unit))}</p>" for text in rest)
    return f'<section class="decision" data-grade="{grade or "none"}"><p class="rule">{escape(no_break(rule))}</p>{text}</section>'


def _costs(decision: ClassDecision) -> str:
    """Return the table of costs: the decision with its interval, the others with what they cost more."""
    sure, unit = decision.confidence, f", {decision.unit}" if decision.unit else ""
    head = ["Model", "On these cases", "More than the decision"]
    rows = [[decision.model, numbers.money(1000 * decision.expected_cost), "–"]]
    rows += [[o.model, *(numbers.money(1000 * v) for v in (o.expected_cost, o.extra))] for o in decision.alternatives]
    if sure is not None:
        head.append(f"On new cases ({numbers.share(sure.level)} interval)")
        spans = [sure.interval, *(other.extra_interval for other in decision.alternatives)]
        for row, span in zip(rows, spans, strict=True):
            more = "" if row is rows[0] else " more"
            row.append("–" if span is None else f"{numbers.rough_span([1000 * end for end in span])}{more}")
    return wide_table(f"Cost per 1000 cases{unit}", head, rows)


def _confusion(decision: ClassDecision) -> str:
    """Return how many of 1000 cases in use get which label."""
    labels = list(decision.labelled)
    cells = [
        [str(true), *(numbers.digits(1000 * row[label]) for label in labels)]
        for true, row in decision.confusion.items()
    ]
    head = ["True class", *(f"labelled {label}" if label != "refer" else "referred to a person" for label in labels)]
    return wide_table(f"What {decision.model} does with 1000 cases", head, cells)


def _figure(decision: ClassDecision, winners: ClassWinners) -> str:
    title = f"Cost per 1000 cases by the cost of {in_words(winners.number)}"
    names = [
        name for name in winners.curves if not name.startswith("always ") or name in (decision.model, *winners.shares)
    ]
    best = sorted(range(len(names)), key=lambda i: -winners.shares.get(names[i], 0.0))[: len(LIGHT)]
    looks = dict(zip(names, slots(len(names), best), strict=True))
    pictures = "".join(_picture(winners, looks, title, size) for size in _SIZES)
    key = "".join(
        f'<span><svg viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">'
        f'<line class="line" {_slot(slot)} x1="0" x2="36" y1="4" y2="4"/></svg> {escape(name)}</span>'
        for name, slot in looks.items()
    )
    caption = (
        "On these cases, with labels chosen anew at each cost and all other entries at their means; a cost jumps where a label changes. "
        "The bar below shows which is cheapest; point at the figure for the costs."
    )
    return f'<figure><h2>{escape(title)}</h2>{pictures}<p class="key">{key}</p><figcaption>{escape(caption)}</figcaption></figure>'


def _slot(slot: int | None) -> str:
    return "" if slot is None else f'data-slot="{slot}"'


def _picture(winners: ClassWinners, looks: dict[str, int | None], title: str, size: str) -> str:
    whole, strips = _SIZES[size]
    width, bottom = whole - _LEFT - _RIGHT, _HEIGHT - _BOTTOM
    lines = {name: _points(winners.curves[name]) for name in looks}
    tops = [1000 * float(y.max()) for _, y in lines.values()]
    low = min(0.0, *(1000 * float(y.min()) for _, y in lines.values()))
    step = axis_step(max(tops) - low or 1.0)
    high = step * math.ceil(max(tops) / step * (1 - numbers.ROUNDING) or 1)
    low = step * math.floor(low / step)

    def at(x: float) -> float:
        return _LEFT + width * (x - winners.low) / (winners.high - winners.low)

    def up(y: float) -> float:
        return bottom - (bottom - _TOP) * (y - low) / (high - low)

    drawn = [f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{width}" height="{bottom - _TOP}"/>']
    for name, (x, y) in lines.items():
        drawn.append(f'<polyline class="line" {_slot(looks[name])} points="{_thinned(at, up, x, y)}"/>')
    for win in winners.wins:
        left, right = at(win.low), at(win.high)
        drawn.append(
            f'<rect class="win" {_slot(looks[win.model])} x="{left:.1f}" y="{bottom + 6}" width="{right - left:.1f}" height="{_BAR}"/>'
        )
    drawn += [
        f'<text x="{_LEFT - 8}" y="{up(value) + 4:.1f}" text-anchor="end">{numbers.digits(value)}</text>'
        for value in (np.arange(round(low / step), round(high / step) + 1) * step).tolist()
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        value = winners.low + share * (winners.high - winners.low)
        anchor = "end" if share == 1 else "middle"
        drawn.append(
            f'<text x="{at(value):.1f}" y="{bottom + 42}" text-anchor="{anchor}">{numbers.digits(value)}</text>'
        )
    edges = np.linspace(winners.low, winners.high, strips + 1)
    for left, right in pairwise(edges.tolist()):
        middle = (left + right) / 2
        costs = sorted((1000 * float(curve(middle)), name) for name, curve in winners.curves.items())
        text = "\n".join([f"at {numbers.digits(middle)}:", *(f"{name} {numbers.money(cost)}" for cost, name in costs)])
        drawn.append(
            f'<rect class="strip" x="{at(left):.1f}" y="{_TOP}" width="{width / strips:.1f}" height="{bottom - _TOP + 6 + _BAR}">'
            f"<title>{escape(text)}</title></rect>"
        )
    return f'<svg class="{size}" viewBox="0 0 {whole} {_HEIGHT - 24}" role="img" aria-label="{escape(title)}">{"".join(drawn)}</svg>'


def _points(curve: ClassCurve) -> tuple[Floats, Floats]:
    """Return both ends of every piece."""
    x = np.repeat(curve.breaks, 2)[1:-1]
    return x, np.repeat(curve.intercepts, 2) + np.repeat(curve.slopes, 2) * x


def _thinned(at: Callable[[float], float], up: Callable[[float], float], x: Floats, y: Floats) -> str:
    """Return points in pixels; of many within half a pixel the first, lowest, highest and last are kept."""
    pixels = np.array([at(v) for v in x])
    column = np.round(2 * pixels).astype(int)
    kept: list[int] = []
    for group in np.split(np.arange(x.size), np.flatnonzero(np.diff(column)) + 1):
        part = y[group]
        kept += sorted({int(group[0]), int(group[np.argmin(part)]), int(group[np.argmax(part)]), int(group[-1])})
    return " ".join(f"{pixels[i]:.1f},{up(1000 * float(y[i])):.1f}" for i in kept)

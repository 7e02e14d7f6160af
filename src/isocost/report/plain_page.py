"""Pages without a script, nothing fetched, light and dark: a rule in use over time, and a decision about several classes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost import __version__, numbers
from isocost.compare import classes
from isocost.data import checks
from isocost.decide.say import WORDS, Speaker, say
from isocost.monitor.watch import table_of
from isocost.numbers import ROUNDING, counted, shorten
from isocost.palette import LIGHT, slots
from isocost.report.figures import capital, no_break, paragraphs, sentences, table
from isocost.report.html import document, style
from isocost.results import write_text

if TYPE_CHECKING:
    from isocost.compare import ClassDecision, ClassWinners
    from isocost.monitor import Period, Watch

_LEFT, _RIGHT, _TOP, _BAR = 64, 12, 14, 16
# Every figure is drawn for wide windows, for narrow ones and for phones, which differ in how much is named in them.
_SIZES = {"broad": 980, "middle": 620, "slim": 358}
_NAMED = {"broad": 10, "middle": 8, "slim": 5}
_STRIPS = {"broad": 90, "middle": 60, "slim": 30}


def save_watch(
    watched: Watch, path: str | Path, title: str | None = None, challenge: Mapping[str, Any] | None = None
) -> Path:
    """Write the page of a watch, or all data; the suffix says which. A challenge is given as data."""
    data = watched.to_dict() | ({} if challenge is None else {"challenge": challenge})
    return _save(path, lambda: watch_page(watched, title, challenge), data)


def save_classes(decision: ClassDecision, path: str | Path, title: str | None = None) -> Path:
    """Write the page of a decision about several classes, or all data; the suffix says which."""
    return _save(path, lambda: class_page(decision, title), decision.to_dict())


def _save(path: str | Path, text: Callable[[], str], data: dict[str, Any]) -> Path:
    target = checks.path(path)
    as_page = checks.suffix(target, (".html", ".json"), "page") == ".html"
    write_text(target, text() if as_page else json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1))
    return target


def _page(title: str, parts: Sequence[str], styles: Sequence[str], note: str = "") -> str:
    """Return a page without a script, with its own style sheets after that of the report."""
    sheet = f"{style()}\n{style(*styles)}"
    footer = f"<footer><p>isocost {escape(__version__)}{f'. {escape(note)}' if note else ''}</p></footer>"
    body = "\n".join([f"<h1>{escape(no_break(title))}</h1>", *filter(None, parts), footer])
    return document(title, sheet, f'<div class="isocost"><main class="wrap {" ".join(styles)}">\n{body}\n</main></div>')


def _answer(texts: Sequence[str], unit: str, grade: str) -> str:
    reported = paragraphs(texts, unit).replace("<p>", '<p class="rule">', 1)
    return f'<section class="decision" data-grade="{grade}">{reported}</section>'


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table that scrolls sideways where it is too wide, under its title."""
    return f"<h2>{escape(title)}</h2>{table([*map(capital, heads)], rows, kind='wide', scrolls=title)}"


class _Picture:
    """An SVG picture of one size; `scale` makes it a figure with a frame."""

    def __init__(self, size: str) -> None:
        self.size, self.whole, self.parts = size, _SIZES[size], list[str]()

    def scale(self, bottom: int, low: float, high: float, unit: str = "") -> None:
        """Draw a frame with a scale beside it that holds low and high, in about four round steps."""
        self.bottom, self.width = bottom, self.whole - _LEFT - _RIGHT
        span = (high - low) or 1.0
        power = 10.0 ** math.floor(math.log10(span / 4))
        step = next(factor * power for factor in (1, 2, 5, 10) if span / (factor * power) <= 5)
        top = math.ceil(high / step * (1 - ROUNDING) or 1)
        ticks = [step * k for k in range(math.floor(low / step), top + 1)]
        self.low, self.high = ticks[0], ticks[-1]
        self.rect("frame", _LEFT, _TOP, self.width, bottom - _TOP)
        for value in ticks:
            self.text(_LEFT - 8, self.y(value) + 4, f"{numbers.digits(value)}{unit}", "end")

    def x(self, share: float) -> float:
        return _LEFT + self.width * share

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - _TOP) * (value - self.low) / (self.high - self.low)

    def text(self, x: float, y: float, text: str, anchor: str = "middle") -> None:
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>')

    def rect(self, kind: str, x: float, y: float, width: float, high: float, own: str = "", title: str = "") -> None:
        box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{high:.1f}"'
        self.parts.append(f'<rect class="{kind}" {box}{own}>{title and f"<title>{escape(title)}</title>"}</rect>')

    def path(self, kind: str, d: str, title: str = "") -> None:
        self.parts.append(f'<path class="{kind}" d="{d}">{title and f"<title>{escape(title)}</title>"}</path>')

    def dot(self, kind: str, x: float, y: float, r: float) -> None:
        self.parts.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>')

    def line(self, kind: str, points: Iterable[tuple[float, float]], own: str = "", shape: str = "polyline") -> None:
        at = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<{shape} class="{kind}"{own} points="{at}"/>')

    def svg(self, height: int, label: str) -> str:
        box = f'viewBox="0 0 {self.whole} {height}" role="img" aria-label="{escape(label)}"'
        return f'<svg class="{self.size}" {box}>{"".join(self.parts)}</svg>'


def _figure(title: str, picture: Callable[[str], str], caption: str, key: str = "") -> str:
    shown = f"{''.join(map(picture, _SIZES))}{key}<figcaption>{escape(no_break(caption))}</figcaption>"
    return f"<figure><h2>{escape(title)}</h2>{shown}</figure>"


def watch_page(watched: Watch, title: str | None = None, challenge: Mapping[str, Any] | None = None) -> str:
    """Return the page of a rule over time."""
    name = title or f"{watched.rule.sentence.rstrip('.')}: {counted(len(watched.periods), 'period')}"
    grade = {"keep": "clear", "not certain": "leaning"}.get(watched.periods[-1].advice, "open")
    parts = [
        _answer([str(watched), *watched.sentences[1:6]], watched.unit, grade),
        "" if challenge is None else _challenge(challenge),
        _shares(watched),
        _money(watched),
        _table("Every period", *table_of(watched)),
    ]
    alarms = f"Alarms: the chance of a false one in 52 periods is about {numbers.percent(watched.error_rate)}."
    return _page(name, parts, ("watch",), alarms)


def _challenge(found: Mapping[str, Any]) -> str:
    """Return the card of a new rule against the rule in use: two counts, the bounds, the evidence, the rows to label."""
    data = dict(found) | {"question": {"words": WORDS | {"unit": found["unit"]}}}

    def reported(key: str) -> str:
        return no_break(Speaker(sentences()).say(f"challenge_{key}", data), found["unit"])

    counts = "".join(f"<li>{escape(reported(f'count_{name}'))}</li>" for name in ("flagged", "cleared"))
    pictures = "".join(_challenge_picture(found, reported, size) for size in _SIZES)
    rows = "".join(f"%0A{row}" for row in found["to_label"])
    button = f'<a class="button" download="to-label.csv" href="data:text/csv;charset=utf-8,row{rows}">'
    link = f"<p>{button}{escape(reported('rows'))}</a></p>" if rows else ""
    return (
        f'<section class="challenge"><h2>{escape(reported("title"))}</h2><ul>{counts}</ul>'
        f"<p>{escape(no_break(found['text'], found['unit']))}</p><figure>{pictures}</figure>{link}</section>\n"
    )


def _challenge_picture(found: Mapping[str, Any], reported: Callable[[str], str], size: str) -> str:
    """Return the bounds of the difference with 0 marked, and the evidence for each rule against what is required."""
    picture, wide = _Picture(size), _SIZES[size] - 24
    low, high = float(found["low"]), float(found["high"])
    start, end = min(low, 0.0), max(high, 0.0)
    zero, left, right = (12 + wide * (x - start) / ((end - start) or 1.0) for x in (0.0, low, high))
    picture.text(12, 18, reported("bounds_title"), "start")
    picture.rect("found-span", left, 30, max(right - left, 2), 18)
    picture.path("zero", f"M{zero:.1f} 24v30")
    picture.text(zero, 70, reported("equal"), "start" if zero < 60 else "end" if zero > wide - 36 else "middle")
    for y, name in ((100, "new"), (144, "current")):
        evidence = math.log(max(float(found[f"evidence_{name}"]), 1.0)) / math.log(float(found["evidence_asked"]))
        picture.text(12, y, reported(f"evidence_{name}"), "start")
        picture.rect("track", 12, y + 8, wide, 10)
        picture.rect("found-span", 12, y + 8, min(evidence, 1.0) * wide, 10)
    return picture.svg(172, reported("picture"))


def _shares(watched: Watch) -> str:
    """Return the share of positives in each period under both assumptions, and whether the scores fit the first."""
    periods = watched.periods
    moved, held = ([getattr(p, name) for p in periods] for name in ("if_shares_moved", "if_risks_hold"))

    def drawn(picture: _Picture) -> None:
        # A single period is as wide as the picture.
        sides = (-0.5, 0.5) if len(periods) == 1 else (0.0,)
        x = [picture.x(_place(i + side, periods)) for i in range(len(periods)) for side in sides]
        high, low = ([picture.y(100 * getattr(p, end)) for p in moved for _ in sides] for end in ("high", "low"))
        edge = [*zip(x, high, strict=True), *zip(reversed(x), reversed(low), strict=True)]
        picture.line("interval", edge, shape="polygon")
        _over_time(picture, "held", [100 * p.prevalence for p in held])
        _over_time(picture, "found", [100 * p.prevalence for p in moved])
        _marks(picture, periods)

    caption = say("watch_share_caption", {"level": watched.level, "question": {"words": WORDS}})
    top = max(1.0, *(100 * p.high for p in (*moved, *held)))
    return _by_period(watched, "Share of positives", drawn, caption, top, " %")


def _money(watched: Watch) -> str:
    """Return the cost in each period under both assumptions, and the measured one with its interval."""
    periods = watched.periods
    found, held = ([getattr(p, name).cost for p in periods] for name in ("if_shares_moved", "if_risks_hold"))
    measured = [(i, p.cost_low, p.cost_high or 0.0, p.cost) for i, p in enumerate(periods) if p.cost_low is not None]

    def drawn(picture: _Picture) -> None:
        _over_time(picture, "found", found)
        _over_time(picture, "held", held)
        for i, low, high, value in measured:
            x, top, bottom = picture.x(_place(i, periods)), picture.y(high), picture.y(max(low, 0.0))
            picture.path("measured", f"M{x:.1f} {top:.1f}V{bottom:.1f}m-3 0h6M{x - 3:.1f} {top:.1f}h6")
            if value is not None:
                picture.dot("dot", x, picture.y(value), 3)

    unit = f", {watched.unit}" if watched.unit else ""
    caption = say("watch_cost_caption", {"level": watched.level, "question": {"words": WORDS}})
    top = max([1000 * ROUNDING, *(v for v in (*found, *held) if v is not None), *(high for _, _, high, _ in measured)])
    return _by_period(watched, f"Cost per 1000 cases{unit}", drawn, caption, top)


def _place(i: float, periods: Sequence[Any]) -> float:
    """Return where a period stands, from 0 to 1."""
    return (i + 0.5) / len(periods)


def _by_period(
    watched: Watch, title: str, drawn: Callable[[_Picture], None], caption: str, top: float, unit: str = ""
) -> str:
    """Return a figure with the periods named below it."""
    names = shorten([str(period.period) for period in watched.periods], 12)

    def picture(size: str) -> str:
        made = _Picture(size)
        made.scale(208, 0.0, top, unit)
        drawn(made)
        for i in range(0, len(names), -(-len(names) // _NAMED[size])):
            made.text(made.x(_place(i, names)), made.bottom + 20, names[i])
        made.text(made.x(0.5), made.bottom + 42, "period")
        return made.svg(made.bottom + 52, f"{title} by period; the table below has the numbers")

    return _figure(title, picture, caption)


def _over_time(picture: _Picture, kind: str, values: Sequence[float | None]) -> None:
    """Draw a line that is left out where a value is missing."""
    known = [None if v is None else (picture.x(_place(i, values)), picture.y(v)) for i, v in enumerate(values)]
    for is_there, run in groupby(known, lambda point: point is not None):
        if is_there:
            (x, y), *rest = points = [point for point in run if point is not None]
            picture.line(kind, points if rest else [(x - 20, y), (x + 20, y)])


def _marks(picture: _Picture, periods: Sequence[Period]) -> None:
    """Mark each period on the lower edge: a dot where the scores fit, a cross where there is an alarm."""
    y, arm = picture.bottom, min(4.0, 0.35 * picture.width / len(periods))
    for i, period in enumerate(periods):
        x, size = picture.x(_place(i, periods)), f"{2 * arm:.1f}"
        if period.alarm:
            cross = f"M{x - arm:.1f} {y - arm:.1f}l{size} {size}m0-{size}l-{size} {size}"
            picture.path("alarm", cross, f"{period.period}: alarm, {period.alarm}")
        elif not period.if_shares_moved.rejected:
            picture.dot("fits", x, y, min(2.5, arm))


def class_page(decision: ClassDecision, title: str | None = None) -> str:
    """Return the page of a decision about several classes."""
    pictures = [_along(decision, winners) for winners in decision.along.values()]
    unit = f", {decision.unit}" if decision.unit else ""
    costs = _table(f"Cost per 1000 cases{unit}", *classes.table_of(decision))
    found = "\n".join([costs, *pictures, _confusion(decision)])
    grade = None if decision.confidence is None else decision.confidence.grade
    reported = [text for text in (*decision.says.values(), *decision.warnings) if text]
    parts = [_answer(reported, decision.unit, grade or "none"), f'<section aria-label="Classes">\n{found}\n</section>']
    return _page(title or "Which model should label the cases", parts, ("watch", "classes"))


def _confusion(decision: ClassDecision) -> str:
    """Return how many of 1000 cases in use get which label."""
    labels = list(decision.labelled)
    cells = [
        [str(true), *(numbers.digits(1000 * row[label]) for label in labels)]
        for true, row in decision.confusion.items()
    ]
    head = ["true class", *(f"labelled {label}" if label != "refer" else "referred to a person" for label in labels)]
    return _table(f"What {decision.model} does with 1000 cases", head, cells)


def _along(decision: ClassDecision, winners: ClassWinners) -> str:
    title = f"Cost per 1000 cases by the cost of {classes.in_words(winners.number)}"
    names = [
        name for name in winners.curves if not name.startswith("always ") or name in (decision.model, *winners.shares)
    ]
    best = sorted(range(len(names)), key=lambda i: -winners.shares.get(names[i], 0.0))[: len(LIGHT)]
    looks = dict(zip(names, slots(len(names), best), strict=True))
    key = "".join(
        f'<span><svg viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">'
        f'<line class="line"{_slot(slot)} x1="0" x2="36" y1="4" y2="4"/></svg> {escape(name)}</span>'
        for name, slot in looks.items()
    )
    caption = (
        "On these cases, with labels chosen anew at each cost and all other entries at their means; a cost jumps where a label changes. "
        "The bar below shows which is cheapest; point at the figure for the costs."
    )
    return _figure(title, lambda size: _costs_along(winners, looks, title, size), caption, f'<p class="key">{key}</p>')


def _slot(slot: int | None) -> str:
    return "" if slot is None else f' data-slot="{slot}"'


def _costs_along(winners: ClassWinners, looks: dict[str, int | None], title: str, size: str) -> str:
    """Return the cost of each model along an entry, who is cheapest where, and all costs below a pointer."""
    lines = {name: winners.curves[name].ends for name in looks}
    ends = [1000 * float(end) for _, y in lines.values() for end in (y.min(), y.max())]
    picture, span, bottom = _Picture(size), winners.high - winners.low, 252
    picture.scale(bottom, min(0.0, *ends), max(ends))

    def at(x: float) -> float:
        return picture.x((x - winners.low) / span)

    for name, (x, y) in lines.items():
        picture.line(
            "line", _thinned([(at(u), picture.y(1000 * v)) for u, v in zip(x, y, strict=True)]), _slot(looks[name])
        )
    for win in winners.wins:
        picture.rect("win", at(win.low), bottom + 6, at(win.high) - at(win.low), _BAR, _slot(looks[win.model]))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        value = numbers.digits(winners.low + share * span)
        picture.text(picture.x(share), bottom + 42, value, "end" if share == 1 else "middle")
    edges = np.linspace(winners.low, winners.high, _STRIPS[size] + 1)
    for left, right in pairwise(edges.tolist()):
        middle = (left + right) / 2
        costs = sorted((1000 * float(curve(middle)), name) for name, curve in winners.curves.items())
        text = "\n".join([f"at {numbers.digits(middle)}:", *(f"{name} {numbers.money(cost)}" for cost, name in costs)])
        picture.rect("strip", at(left), _TOP, at(right) - at(left), bottom - _TOP + 6 + _BAR, title=text)
    return picture.svg(bottom + 54, title)


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return points in pixels; of many within half a pixel the first, highest, lowest and last are kept."""
    kept = []
    for _, run in groupby(points, lambda point: round(2 * point[0])):
        part = list(run)
        heights = [y for _, y in part]
        some = {0, heights.index(min(heights)), heights.index(max(heights)), len(part) - 1}
        kept += [part[i] for i in sorted(some)]
    return kept

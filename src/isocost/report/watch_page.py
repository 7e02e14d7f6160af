"""A deployed choice over time as one page: no script, nothing fetched, light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isocost import numbers
from isocost.decide.say import WORDS, Speaker, say
from isocost.numbers import ROUNDING, counted, shorten
from isocost.report.figures import no_break, sentences
from isocost.report.html import axis_step, plain_page, save_page, wide_table

if TYPE_CHECKING:
    from isocost.monitor import Period, Watch

_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 260, 64, 12, 14, 52
# Every figure is drawn for wide windows, for narrow ones and for phones: how wide, and how many periods are named below.
_SIZES = {"broad": (980, 10), "middle": (620, 8), "slim": (358, 5)}


def save(
    watched: Watch, path: str | Path, title: str | None = None, challenge: Mapping[str, Any] | None = None
) -> Path:
    """Write the page, or all data; the suffix says which. A challenge is given as data."""
    data = watched.to_dict() | ({} if challenge is None else {"challenge": challenge})
    return save_page(path, "a watch", lambda: page(watched, title, challenge), data)


def page(watched: Watch, title: str | None = None, challenge: Mapping[str, Any] | None = None) -> str:
    """Return the whole file."""
    name = title or f"{watched.rule.sentence.rstrip('.')}: {counted(len(watched.periods), 'period')}"
    parts = [
        _answer(watched),
        "" if challenge is None else _challenge(challenge),
        _prevalence(watched),
        _cost(watched),
        _table(watched),
    ]
    alarms = f"Alarms: the chance of a false one in 52 periods is about {numbers.percent(watched.error_rate)}."
    return plain_page(name, parts, ("watch",), alarms)


def _answer(watched: Watch) -> str:
    grade = {"keep": "clear", "not certain": "leaning"}.get(watched.periods[-1].advice, "open")
    first, *rest = str(watched), *watched.sentences[1:6]
    parts = [f'<p class="rule">{escape(no_break(first, watched.unit))}</p>']
    parts += [f"<p>{escape(no_break(text, watched.unit))}</p>" for text in rest]
    return f'<section class="decision" data-grade="{grade}">{"".join(parts)}</section>'


def _challenge(found: Mapping[str, Any]) -> str:
    """Return the card of a new rule against the rule in use: two counts, the bounds, the evidence, the rows to label."""
    data = dict(found) | {"question": {"words": WORDS | {"unit": found["unit"]}}}

    def said(key: str) -> str:
        return escape(no_break(Speaker(sentences()).say(key, data), found["unit"]))

    counts = "".join(f"<li>{said(f'challenge_count_{name}')}</li>" for name in ("flagged", "cleared"))
    pictures = "".join(_challenge_picture(found, said, size) for size in _SIZES)
    rows = "".join(f"%0A{row}" for row in found["to_label"])
    link = (
        f'<p><a class="button" download="to-label.csv" href="data:text/csv;charset=utf-8,row{rows}">{said("challenge_rows")}</a></p>'
        if rows
        else ""
    )
    return (
        f'<section class="challenge"><h2>{said("challenge_title")}</h2><ul>{counts}</ul>'
        f"<p>{escape(no_break(found['text'], found['unit']))}</p><figure>{pictures}</figure>{link}</section>\n"
    )


def _challenge_picture(found: Mapping[str, Any], said: Callable[[str], str], size: str) -> str:
    """Return the bounds of the difference with 0 marked, and the evidence for each rule against what is required."""
    whole = _SIZES[size][0]
    low, high = float(found["low"]), float(found["high"])
    start, end = min(low, 0.0), max(high, 0.0)
    wide = (whole - 24) / ((end - start) or 1.0)
    zero, left, right = (12 + (x - start) * wide for x in (0.0, low, high))
    near = "start" if zero < 60 else "end" if zero > whole - 60 else "middle"
    asked = math.log(float(found["evidence_asked"]))
    drawn = [
        f'<text x="12" y="18">{said("challenge_bounds_title")}</text>',
        f'<rect class="found-span" x="{left:.1f}" y="30" width="{max(right - left, 2):.1f}" height="18"/>',
        f'<path class="zero" d="M{zero:.1f} 24v30"/><text x="{zero:.1f}" y="70" text-anchor="{near}">{said("challenge_equal")}</text>',
    ]
    for i, name in enumerate(("new", "current")):
        y = 100 + 44 * i
        share = min(max(math.log(max(float(found[f"evidence_{name}"]), 1.0)) / asked, 0.0), 1.0)
        drawn += [
            f'<text x="12" y="{y}">{said(f"challenge_evidence_{name}")}</text>',
            f'<rect class="track" x="12" y="{y + 8}" width="{whole - 24}" height="10"/>',
            f'<rect class="found-span" x="12" y="{y + 8}" width="{share * (whole - 24):.1f}" height="10"/>',
        ]
    return f'<svg class="{size}" viewBox="0 0 {whole} 172" role="img" aria-label="{said("challenge_picture")}">{"".join(drawn)}</svg>'


def _prevalence(watched: Watch) -> str:
    moved, other = ([getattr(p, name) for p in watched.periods] for name in ("if_shares_moved", "if_risks_hold"))
    shares = [100 * p.high for p in (*moved, *other)]

    def drawn(axes: _Axes) -> list[str]:
        band = axes.band([100 * p.low for p in moved], [100 * p.high for p in moved])
        lines = [
            axes.line([100 * p.prevalence for p in part], name) for part, name in ((other, "held"), (moved, "found"))
        ]
        return [band, *lines, *axes.marks(watched.periods)]

    caption = say("watch_share_caption", {"level": watched.level, "question": {"words": WORDS}})
    return _figure(watched, "Share of positives", caption, max(*shares, 1.0), "%", drawn)


def _cost(watched: Watch) -> str:
    periods = watched.periods
    parts = {"found": [p.if_shares_moved.cost for p in periods], "held": [p.if_risks_hold.cost for p in periods]}
    measured = [(i, p.cost_low, p.cost_high, p.cost) for i, p in enumerate(periods) if p.cost_low is not None]
    ends = [v for values in parts.values() for v in values if v is not None] + [
        high for _, _, high, _ in measured if high is not None
    ]

    def drawn(axes: _Axes) -> list[str]:
        return [
            *(axes.line(values, name) for name, values in parts.items()),
            *(axes.whisker(i, low or 0.0, high or 0.0, value) for i, low, high, value in measured),
        ]

    unit = f", {watched.unit}" if watched.unit else ""
    caption = say("watch_cost_caption", {"level": watched.level, "question": {"words": WORDS}})
    return _figure(watched, f"Cost per 1000 cases{unit}", caption, max([*ends, 1000 * ROUNDING]), "", drawn)


def _figure(
    watched: Watch, title: str, caption: str, top: float, unit: str, drawn: Callable[[_Axes], Sequence[str]]
) -> str:
    names = [str(period.period) for period in watched.periods]
    every = [_Axes(names, top, unit, size) for size in _SIZES]
    pictures = "".join(axes.picture(title, drawn(axes)) for axes in every)
    return f"<figure><h2>{escape(title)}</h2>{pictures}<figcaption>{escape(no_break(caption))}</figcaption></figure>"


class _Axes:
    """Periods from left to right, a quantity from 0 upwards."""

    def __init__(self, names: Sequence[str], top: float, unit: str, size: str) -> None:
        self.names = names
        self.size = size
        self.whole, self.most_named = _SIZES[size]
        self.step = axis_step(top)
        self.top = self.step * math.ceil(top / self.step * (1 - ROUNDING))
        self.unit = unit
        self.width = self.whole - _LEFT - _RIGHT

    def x(self, place: int) -> float:
        return _LEFT + self.width * (place + 0.5) / len(self.names)

    def y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * min(value / self.top, 1.0)

    def line(self, values: Sequence[float | None], name: str) -> str:
        """Draw a line that is left out where a value is missing."""
        runs: list[list[tuple[float, float]]] = [[]]
        for i, value in enumerate(values):
            if value is None:
                runs.append([])
            else:
                runs[-1].append((self.x(i), self.y(value)))
        drawn = []
        for run in filter(None, runs):
            (x, y), *rest = run
            ends = run if rest else [(x - 20, y), (x + 20, y)]
            drawn.append(f'<polyline class="{name}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in ends)}"/>')
        return "".join(drawn)

    def whisker(self, place: int, low: float, high: float, value: float | None) -> str:
        """Draw an interval with its middle, if there is one."""
        x, top, bottom = self.x(place), self.y(high), self.y(max(low, 0.0))
        dot = "" if value is None else f'<circle class="dot" cx="{x:.1f}" cy="{self.y(value):.1f}" r="3"/>'
        return f'<path class="measured" d="M{x:.1f} {top:.1f}V{bottom:.1f}m-3 0h6M{x - 3:.1f} {top:.1f}h6"/>{dot}'

    def band(self, low: Sequence[float], high: Sequence[float]) -> str:
        # A single period is as wide as the picture.
        sides = (-self.width / 2, self.width / 2) if len(low) == 1 else (0.0,)
        there, back = ([(self.x(i) + side, v) for i, v in enumerate(ends) for side in sides] for ends in (high, low))
        points = " ".join(f"{x:.1f},{self.y(value):.1f}" for x, value in (*there, *reversed(back)))
        return f'<polygon class="interval" points="{points}"/>'

    def marks(self, periods: Sequence[Period]) -> list[str]:
        """Mark each period on the lower edge: a dot where the scores fit, a cross where there is an alarm."""
        marks, y = [], _HEIGHT - _BOTTOM
        arm = min(4.0, 0.35 * self.width / len(self.names))
        for i, period in enumerate(periods):
            x = self.x(i)
            if period.alarm:
                size = f"{2 * arm:.1f}"
                cross = f"M{x - arm:.1f} {y - arm:.1f}l{size} {size}m0-{size}l-{size} {size}"
                title = escape(f"{period.period}: alarm, {period.alarm}")
                marks.append(f'<path class="alarm" d="{cross}"><title>{title}</title></path>')
            elif not period.if_shares_moved.rejected:
                marks.append(f'<circle class="fits" cx="{x:.1f}" cy="{y}" r="{min(2.5, arm):.1f}"/>')
        return marks

    def picture(self, title: str, parts: Sequence[str]) -> str:
        bottom = _HEIGHT - _BOTTOM
        drawn = [f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{self.width}" height="{bottom - _TOP}"/>', *parts]
        for i in range(round(self.top / self.step) + 1):
            value = i * self.step
            label = f"{numbers.digits(value)}{f' {self.unit}' if self.unit else ''}"
            drawn.append(f'<text x="{_LEFT - 8}" y="{self.y(value) + 4:.1f}" text-anchor="end">{label}</text>')
        short = shorten(list(self.names), 12)
        every = -(-len(short) // self.most_named)
        drawn += [
            f'<text x="{self.x(i):.1f}" y="{bottom + 20}" text-anchor="middle">{escape(short[i])}</text>'
            for i in range(0, len(short), every)
        ]
        middle = _LEFT + self.width / 2
        drawn.append(f'<text x="{middle:g}" y="{bottom + 42}" text-anchor="middle">period</text>')
        return (
            f'<svg class="{self.size}" viewBox="0 0 {self.whole} {_HEIGHT}" role="img" aria-label="{escape(title)} by period; '
            f'the table below has the numbers">{"".join(drawn)}</svg>'
        )


def _table(watched: Watch) -> str:
    rows = [_cells(period) for period in watched.periods]
    # What no period has is not shown.
    heads = [
        name for name in rows[0] if any(row[name] not in ("–", "0") for row in rows) or name in ("Alarm", "Advice")
    ]
    return wide_table("Every period", heads, [[row[name] for name in heads] for row in rows])


def _cells(period: Period) -> dict[str, str]:
    """Return the row of a period, by column."""

    def share(value: float | None) -> str:
        return "–" if value is None else numbers.percent(value)

    def money(*values: float | None) -> str:
        return " to ".join(numbers.money(value) for value in values if value is not None) or "–"

    moved, held = period.if_shares_moved, period.if_risks_hold
    return {
        "Period": str(period.period),
        "Alarm": period.alarm or "–",
        "Advice": period.advice,
        "Cases": f"{period.cases:,}",
        "With labels": f"{period.labelled:,}",
        "Cost per 1000": money(period.cost),
        "Its interval": money(period.cost_low, period.cost_high),
        "If shares moved": share(moved.prevalence),
        "Regret": "rejected" if moved.rejected else money(moved.regret),
        "If risks hold": share(held.prevalence),
        "Regret then": money(held.regret),
        "Misfit": share(moved.misfit),
        "Change to": "–" if period.change_to is None else numbers.threshold(period.change_to),
        "To label": "–" if period.to_label is None else f"{period.to_label.count:,}",
    }

"""A deployed choice over time as one page: no script, nothing fetched, light and dark."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import isocost
from isocost import validate
from isocost.decision import numbers
from isocost.errors import InputError
from isocost.report.assemble import hash_of, source, style
from isocost.report.whole_numbers import held
from isocost.results.plurals import counted
from isocost.results.short_names import shorten
from isocost.results.whole_files import write_text

if TYPE_CHECKING:
    from isocost.deployment import Period, Watch

SUFFIXES = (".html", ".json")
_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 260, 64, 12, 14, 52
# Every figure is drawn for wide windows, for narrow ones and for phones: how wide, and how many periods are named below.
_SIZES = {"broad": (980, 10), "middle": (620, 8), "slim": (358, 5)}


def save(watched: Watch, path: str | Path, title: str | None = None) -> Path:
    """Write the page, or all data; the suffix says which."""
    target = validate.path(path)
    if target.suffix not in SUFFIXES:
        raise InputError(f"a watch is written to a file that ends with {' or '.join(SUFFIXES)}, got {target.name!r}")
    as_page = target.suffix == ".html"
    text = (
        page(watched, title)
        if as_page
        else json.dumps(watched.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)
    )
    write_text(target, text)
    return target


def page(watched: Watch, title: str | None = None) -> str:
    """Return the whole file."""
    name = title or f"{watched.rule}: {counted(len(watched.periods), 'period')}"
    heading = escape(held(name))
    sheet = f"{style()}\n{source('watch.css')}"
    policy = f"default-src 'none'; style-src {hash_of(sheet)}; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}</title>\n<style>{sheet}</style>\n</head>\n<body>\n"
        f'<div class="isocost"><main class="wrap watch">\n<h1>{heading}</h1>\n{_answer(watched)}\n'
        f"{_prevalence(watched)}\n{_regret(watched)}\n{_table(watched)}\n"
        f"<footer><p>isocost {escape(isocost.__version__)}. Alarms: the chance of any false one over all periods is at most "
        f"{numbers.percent(watched.error_rate)}.</p></footer>\n</main></div>\n</body>\n</html>\n"
    )


def _answer(watched: Watch) -> str:
    grade = "open" if watched.alarm is not None else "clear" if watched.periods[-1].still_cheapest else "leaning"
    *said, advice = watched.sentences
    told = [escape(held(text, watched.unit)) for text in (advice, *said)]
    parts = [f'<p class="rule">{told[0]}</p>', *(f"<p>{text}</p>" for text in told[1:])]
    return f'<section class="decision" data-grade="{grade}">{"".join(parts)}</section>'


def _prevalence(watched: Watch) -> str:
    periods = watched.periods
    ends = [100 * period.prevalence_high for period in periods] + [100 * (p.if_risks_hold or 0.0) for p in periods]

    def drawn(axes: _Axes) -> list[str]:
        parts = []
        if watched.keep is not None:
            low, high = (axes.y(100 * end) for end in watched.keep)
            parts.append(
                f'<rect class="keep" x="{_LEFT}" y="{max(high, _TOP):.1f}" width="{axes.width}" '
                f'height="{max(low - max(high, _TOP), 0):.1f}"/>'
            )
        parts.append(axes.band([100 * p.prevalence_low for p in periods], [100 * p.prevalence_high for p in periods]))
        if all(period.if_risks_hold is not None for period in periods):
            parts.append(axes.line([100 * (period.if_risks_hold or 0.0) for period in periods], "held"))
        return [*parts, axes.line([100 * period.prevalence for period in periods], "found"), *axes.fits(periods)]

    range_text = (
        "there is no prevalence at which the choice is cheapest"
        if watched.keep is None
        else f"grey: the choice stays cheapest, {numbers.percent(watched.keep[0])} to {numbers.percent(watched.keep[1])}"
    )
    caption = (
        f"Line and band: the estimate and its {100 * watched.level:g} % interval, if only the prevalence moved; {range_text}; dashed: the "
        "prevalence if instead the risk at each score stayed as it was. A dot below: the scores fit the assumption. A cross: an alarm."
    )
    return _figure(watched, "Share of positives", caption, max(*ends, 1.0), "%", drawn)


def _regret(watched: Watch) -> str:
    periods = watched.periods

    def drawn(axes: _Axes) -> list[str]:
        return [
            axes.band([p.regret_low for p in periods], [p.regret_high for p in periods]),
            axes.line([period.regret for period in periods], "found"),
        ]

    unit = f", {watched.unit}" if watched.unit else ""
    caption = f"What keeping {watched.rule} costs per 1000 cases above the cheapest choice, with its {100 * watched.level:g} % interval."
    top = max(*(p.regret_high for p in periods), 1e-9)
    return _figure(watched, f"Regret per 1000 cases{unit}", caption, top, "", drawn)


def _figure(
    watched: Watch, title: str, caption: str, top: float, unit: str, drawn: Callable[[_Axes], Sequence[str]]
) -> str:
    names = [str(period.period) for period in watched.periods]
    every = [_Axes(names, top, unit, size) for size in _SIZES]
    pictures = "".join(axes.picture(title, drawn(axes)) for axes in every)
    return f"<figure><h2>{escape(title)}</h2>{pictures}<figcaption>{escape(held(caption))}</figcaption></figure>"


class _Axes:
    """Periods from left to right, a quantity from 0 upwards."""

    def __init__(self, names: Sequence[str], top: float, unit: str, size: str) -> None:
        self.names = names
        self.size = size
        self.whole, self.most_named = _SIZES[size]
        self.step = _step(top)
        self.top = self.step * math.ceil(top / self.step * (1 - 1e-12))
        self.unit = unit
        self.width = self.whole - _LEFT - _RIGHT

    def x(self, place: int) -> float:
        return _LEFT + self.width * (place + 0.5) / len(self.names)

    def y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * min(value / self.top, 1.0)

    def line(self, values: Sequence[float], name: str) -> str:
        points = " ".join(f"{self.x(i):.1f},{self.y(value):.1f}" for i, value in enumerate(values))
        if len(values) == 1:
            x, y = self.x(0), self.y(values[0])
            points = f"{x - 20:.1f},{y:.1f} {x + 20:.1f},{y:.1f}"
        return f'<polyline class="{name}" points="{points}"/>'

    def band(self, low: Sequence[float], high: Sequence[float]) -> str:
        half = self.width / len(low) / 2 if len(low) == 1 else 0.0
        there = [
            (self.x(i) + side, value) for i, value in enumerate(high) for side in ((-half, half) if half else (0.0,))
        ]
        back = [
            (self.x(i) + side, value) for i, value in enumerate(low) for side in ((-half, half) if half else (0.0,))
        ]
        points = " ".join(f"{x:.1f},{self.y(value):.1f}" for x, value in (*there, *reversed(back)))
        return f'<polygon class="interval" points="{points}"/>'

    def fits(self, periods: Sequence[Period]) -> list[str]:
        """Mark each period on the lower edge: a dot where the scores fit, a cross where there is an alarm."""
        marks, y = [], _HEIGHT - _BOTTOM
        arm = min(4.0, 0.35 * self.width / len(self.names))
        for i, period in enumerate(periods):
            x = self.x(i)
            if period.alarm:
                size = f"{2 * arm:.1f}"
                cross = f"M{x - arm:.1f} {y - arm:.1f}l{size} {size}m0-{size}l-{size} {size}"
                said = escape(f"{period.period}: alarm, {', '.join(period.alarm)}")
                marks.append(f'<path class="alarm" d="{cross}"><title>{said}</title></path>')
            elif period.fit_p_value is not None:
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


def _step(top: float) -> float:
    """Return a round step that divides an axis into about four."""
    power = 10.0 ** math.floor(math.log10(top / 4))
    return float(next(factor * power for factor in (1, 2, 5, 10) if top / (factor * power) <= 5))


def _table(watched: Watch) -> str:
    rows = [_cells(period) for period in watched.periods]
    # What no period has is not shown.
    heads = [
        name for name in rows[0] if any(row[name] not in ("–", "0") for row in rows) or name in ("Alarm", "Regret")
    ]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(row[heads[0]])}</th>{"".join(f"<td>{escape(row[name])}</td>" for name in heads[1:])}</tr>'
        for row in rows
    )
    return (
        '<h2>Every period</h2><div class="wide" role="region" aria-label="Every period" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cells(period: Period) -> dict[str, str]:
    """Return the row of a period, by column."""

    def share(value: float | None) -> str:
        return "–" if value is None else numbers.percent(value)

    def p_value(value: float | None) -> str:
        return "–" if value is None else "below 0.0001" if value < 0.0001 else numbers.digits(value, 2)

    return {
        "Period": str(period.period),
        "Alarm": ", ".join(period.alarm) or "–",
        "Cases": f"{period.cases:,}",
        "With labels": f"{period.labelled:,}",
        "Positive": share(period.prevalence),
        "Its interval": f"{share(period.prevalence_low)} to {share(period.prevalence_high)}",
        "If risks hold": share(period.if_risks_hold),
        "Cost per 1000": numbers.money(period.cost),
        "Regret": numbers.money(period.regret),
        "Regret’s interval": f"{numbers.money(period.regret_low)} to {numbers.money(period.regret_high)}",
        "Cheapest now": period.best_rule,
        "Fit, p": p_value(period.fit_p_value),
        "Labels, p": p_value(period.label_p_value),
    }

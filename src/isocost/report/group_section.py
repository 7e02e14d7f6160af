"""Groups of cases on the page, without JavaScript or style sheet: a picture and a row for each group, and what equal rates cost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from isocost.decision import numbers

# Groups shown at once; the others unfold.
FIRST = 12
_SIDE, _EDGE = 120, 14
_WIDE, _HIGH, _LEFT = 420, 200, 56
_FONT = 'font-family="system-ui, DejaVu Sans, sans-serif" font-size="11" fill="currentColor"'
_WORDS = {"tpr": "equal tpr", "fpr": "equal fpr", "flagged": "equal flagged share"}
_DASHES = {"tpr": "", "fpr": "6 3", "flagged": "2 3"}


def section(summary: dict[str, Any]) -> str:
    """Return the section about groups; nothing if the report has none."""
    found = summary.get("groups")
    if found is None:
        return ""
    unit = summary["unit"]
    parts = ["<h2>Groups</h2>", *(f"<p>{escape(text)}</p>" for text in sentences(found, unit, summary["level"]))]
    pictures = [_picture(row, found["rows"]) for row in found["rows"] if row["hull"] is not None]
    parts.append(_unfolding("div", pictures, len(pictures), "".join))
    parts.append(_unfolding("table", found["rows"], len(found["rows"]), lambda some: _table(some, found, summary)))
    parts.append(_prices(found["prices"], unit))
    return f'<section class="groups view" aria-label="Groups">{"".join(parts)}</section>'


def sentences(found: dict[str, Any], unit: str, level: float) -> list[str]:
    """Return what is said about all groups together."""
    each, more = (numbers.amount(1000 * found[key], unit) for key in ("expected_cost", "extra_cost"))
    text = f"One threshold for each group costs {each} per 1000 cases ({found['prevalence']})."
    one = f"One for all, {found['one']['rule']}, costs {more} more per 1000 cases"
    if found["extra_interval"] is not None:
        one += f" ({_limits(found['extra_interval'], unit)} at {numbers.percent(level)})"
    said = [f"{text} {one}."]
    if found["few"]:
        shown = ", ".join(found["few"][:5]) + (f" and {len(found['few']) - 5} more" if len(found["few"]) > 5 else "")
        said.append(f"Fewer than 20 positives or negatives: {shown}. Intervals there cover less than their level.")
    return said


def heads(unit: str, level: float) -> list[str]:
    """Return the names of the table's columns."""
    cost = f"Cost per 1000{f', {unit}' if unit else ''}"
    return [
        "Group",
        "Cases",
        "Positive",
        "Rule",
        "Caught",
        "False alarms",
        "Flagged",
        cost,
        f"On new cases, {numbers.percent(level)}",
        "More with one for all",
    ]


def cells(row: dict[str, Any]) -> list[str]:
    """Return one group as text; costs per 1000 of its cases."""
    cases = row["positives"] + row["negatives"]
    return [
        row["group"], numbers.digits(cases, 15), numbers.percent(row["prevalence"]), row["rule"].removeprefix("flag "),
        *("–" if row[rate] is None else numbers.percent(row[rate]) for rate in ("tpr", "fpr", "flagged")),
        numbers.money(1000 * row["cost"]), "–" if row["interval"] is None else _limits(row["interval"], ""),
        numbers.money(1000 * row["extra_cost"]),
    ]  # fmt: skip


def _limits(interval: Sequence[float], unit: str) -> str:
    low, high = (numbers.amount(1000 * end, unit) for end in interval)
    return f"{low} to {high}"


def _unfolding(kind: str, parts: Sequence[Any], many: int, made: Any) -> str:
    """Return the first dozen, and the rest behind a line to unfold."""
    if not parts:
        return ""
    first = f'<div class="{kind}s">{made(parts[:FIRST])}</div>'
    if many <= FIRST:
        return first
    return f'{first}<details><summary>Show all {many} groups</summary><div class="{kind}s">{made(parts[FIRST:])}</div></details>'


def _table(rows: Sequence[dict[str, Any]], found: dict[str, Any], summary: dict[str, Any]) -> str:
    names = heads(summary["unit"], summary["level"])
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in names)
    body = ""
    for row in rows:
        name, *rest = cells(row)
        body += f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(text)}</td>" for text in rest)}</tr>'
    caption = f"The cheapest threshold of each group ({escape(found['prevalence'])})"
    table = f"<caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    # A table too wide for the window moves by itself, by key as well.
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{caption}"><table class="thresholds">{table}</table></div>'


def _picture(row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
    """Return the hull and the point of a group; those of the others are faint, on the same axes."""
    side, high = _SIDE + 2 * _EDGE, _SIDE + 2 * _EDGE + 18
    label = (
        f"{row['group']}: {numbers.percent(row['tpr'])} caught, {numbers.percent(row['fpr'])} false alarms; "
        f"one threshold for all costs {numbers.money(1000 * row['extra_cost'])} more per 1000"
    )
    others = [_line(other["hull"], 0.15, 1) for other in rows if other["hull"] is not None and other is not row]
    x, y = _place(row["fpr"], row["tpr"])
    shared = _place(row["one"]["fpr"], row["one"]["tpr"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {high}" width="{side}" height="{high}" role="img" '
        f'aria-label="{escape(label)}"><title>{escape(label)}</title>'
        f'<text x="{_EDGE}" y="12" {_FONT} font-weight="600">{escape(_short(row["group"]))}</text>'
        f'<rect x="{_EDGE}" y="18" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="currentColor" stroke-opacity="0.3"/>'
        f"{''.join(others)}{_line(row['hull'], 1, 2)}"
        f'<circle cx="{shared[0]:.1f}" cy="{shared[1]:.1f}" r="4" fill="none" stroke="currentColor"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="currentColor"/></svg>'
    )


def _short(name: str) -> str:
    return name if len(name) <= 22 else f"{name[:10]}…{name[-11:]}"


def _place(fpr: float, tpr: float) -> tuple[float, float]:
    return _EDGE + _SIDE * fpr, 18 + _SIDE * (1 - tpr)


def _line(hull: dict[str, Any], opacity: float, width: float) -> str:
    places = [_place(x, y) for x, y in zip(hull["fpr"], hull["tpr"], strict=True)]
    at = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline points="{at}" fill="none" stroke="currentColor" stroke-opacity="{opacity:g}" stroke-width="{width:g}"/>'


def _prices(curves: Sequence[dict[str, Any]], unit: str) -> str:
    """Return what equal rates cost against the tolerance, thresholds mixed at random."""
    said = "".join(f"<p>{escape(curve['text'][:1].upper() + curve['text'][1:])}.</p>" for curve in curves)
    right = max(curve["tolerance"][-1] for curve in curves)
    top = max(curve["price"][0] for curve in curves)
    if not right or not top:
        return said
    width, high = _LEFT + _WIDE + 10, _HIGH + 62
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {high}" width="{width}" height="{high}" role="img"',
        ' aria-label="What equal rates cost at each tolerance">',
        f'<rect x="{_LEFT}" y="8" width="{_WIDE}" height="{_HIGH}" fill="none" stroke="currentColor" stroke-opacity="0.3"/>',
        f'<text x="{_LEFT - 6}" y="14" text-anchor="end" {_FONT}>{escape(numbers.amount(1000 * top, unit))}</text>',
        f'<text x="{_LEFT - 6}" y="{8 + _HIGH}" text-anchor="end" {_FONT}>0</text>',
        f'<text x="{_LEFT}" y="{24 + _HIGH}" {_FONT}>0</text>',
        f'<text x="{_LEFT + _WIDE}" y="{24 + _HIGH}" text-anchor="end" {_FONT}>{numbers.digits(100 * right)} points</text>',
    ]
    for place, curve in enumerate(curves):
        points = [*zip(curve["tolerance"], curve["price"], strict=True), (right, 0.0)]
        at = " ".join(f"{_LEFT + _WIDE * t / right:.1f},{8 + _HIGH * (1 - p / top):.1f}" for t, p in points)
        dash = _DASHES[curve["criterion"]]
        style = f'stroke="currentColor" stroke-width="2"{f" stroke-dasharray={chr(34)}{dash}{chr(34)}" if dash else ""}'
        x, y = _LEFT + 140 * place, 48 + _HIGH
        parts += [
            f'<polyline points="{at}" fill="none" {style}/>',
            f'<line x1="{x}" x2="{x + 26}" y1="{y}" y2="{y}" {style}/>',
            f'<text x="{x + 31}" y="{y + 4}" {_FONT}>{_WORDS[curve["criterion"]]}</text>',
        ]
    title = "<p>What equal rates cost per 1000 cases against the tolerance, thresholds mixed at random:</p>"
    return f'{said}<div class="tolerance"></div>{title}{"".join(parts)}</svg>'

"""Groups of cases on the page, without JavaScript or style sheet: a picture and a row for each group, and what equal rates cost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from isocost.decision import numbers
from isocost.decision.cost_wording import span
from isocost.decision.vocabulary import reworded
from isocost.report.whole_numbers import held

# Groups shown at once; the others unfold.
FIRST = 12
_SIDE, _EDGE, _HEAD = 120, 14, 24
_WIDE, _HIGH, _LEFT = 300, 200, 62
_FONT = 'font-family="system-ui, DejaVu Sans, sans-serif" font-size="13" fill="currentColor"'
# The column of the rule, after the name: it may take two lines.
_RULE = 2
# What is to be equal, as it is called before the experts' drawer.
_EQUAL = {"tpr": "share caught", "fpr": "share of false alarms", "flagged": "share flagged"}
_LEGEND = "Caught against false alarms: the dot is the group’s own threshold, the ring the one for all; other groups are faint."
_TOLERANCE = "What it costs to keep the groups within a tolerance of each other, with thresholds mixed at random."
_DASHES = {"tpr": "", "fpr": "6 3", "flagged": "2 3"}


def section(summary: dict[str, Any]) -> str:
    """Return the section about groups; nothing if the report has none."""
    found = summary.get("groups")
    if found is None:
        return ""
    rows = list(enumerate(found["rows"]))
    said = "".join(
        f"<p>{escape(held(text, summary['unit']))}</p>"
        for text in worded(summary, sentences(found, summary["unit"], summary["level"]))
    )
    parts = ["<h2>Groups</h2>", f'<div class="said">{said}</div>']
    pictures = [_picture(i, row, found["rows"]) for i, row in rows if pictured(row)]
    if pictures:
        drawn = _unfolding("picture", pictures, "".join)
        parts.append(f'<figure class="plot"><figcaption class="sub">{_LEGEND}</figcaption>{drawn}</figure>')
    parts.append(_unfolding("table", rows, lambda some: _table(some, summary)))
    parts.append(_prices(summary))
    return f'<section class="groups view" aria-label="Groups">{"".join(parts)}</section>'


def worded(summary: dict[str, Any], texts: Sequence[str]) -> list[str]:
    """Return sentences in the reader's words; names of models and groups stay as they are."""
    names = [model["name"] for model in summary["models"]] + [row["group"] for row in summary["groups"]["rows"]]
    return [reworded(text, summary["words"], names) for text in texts]


def pictured(row: dict[str, Any]) -> bool:
    """Tell whether a group has a place in ROC space, and a hull there."""
    return row["hull"] is not None and row["tpr"] is not None and row["fpr"] is not None


def sentences(found: dict[str, Any], unit: str, level: float) -> list[str]:
    """Return what is said about all groups together."""
    each, more = (numbers.amount(1000 * found[key], unit) for key in ("expected_cost", "extra_cost"))
    text = f"One threshold for each group costs {each} per 1000 cases ({found['prevalence']})."
    one = f"One for all, {found['one']['rule']}, costs {more} more per 1000 cases"
    if found["extra_interval"] is not None:
        one += f" ({span(found['extra_interval'], unit)} at {numbers.percent(level)})"
    said = [f"{text} {one}."]
    if found["few"]:
        shown = ", ".join(found["few"][:5]) + (f" and {len(found['few']) - 5} more" if len(found["few"]) > 5 else "")
        said.append(f"Fewer than 20 positives or negatives in {shown}: the intervals there are too narrow.")
    return said


def heads(unit: str, level: float) -> list[str]:
    """Return the names of the table's columns."""
    cost = f"Cost per 1000{f', {unit}' if unit else ''}"
    return [
        "Group", "Cases", "Positive", "Flag if", "Caught", "Missed", "False alarms", "Left alone", "Flagged",
        cost, f"On new cases, {held(numbers.percent(level))}", "More with one for all",
    ]  # fmt: skip


def price_text(curve: dict[str, Any], unit: str) -> str:
    """Say what equal rates cost, and from which tolerance on they are free."""
    equal, price = f"An equal {_EQUAL[curve['criterion']]}", curve["price"][0]
    if price == 0:
        return f"{equal} costs nothing."
    free = f"nothing from {numbers.digits(100 * curve['tolerance'][-1])} points of tolerance on"
    return f"{equal} costs {numbers.amount(1000 * price, unit)} per 1000 cases, and {free}."


def cells(row: dict[str, Any]) -> list[str]:
    """Return one group as text, a smaller line after a line break: outcomes, shares of their class, and costs of 1000 of its cases."""
    pi = row["prevalence"]
    tpr, fpr = (0.0 if row[rate] is None else row[rate] for rate in ("tpr", "fpr"))
    missed, left = (None if row[rate] is None else 1 - row[rate] for rate in ("tpr", "fpr"))
    counted = [
        (pi * tpr, row["tpr"]), (pi * (1 - tpr), missed), ((1 - pi) * fpr, row["fpr"]), ((1 - pi) * (1 - fpr), left),
    ]  # fmt: skip
    return [
        row["group"], numbers.digits(row["positives"] + row["negatives"], 15), numbers.percent(pi),
        held(row["rule"].removeprefix("flag ")),
        *("–" if rate is None else f"{numbers.digits(1000 * share)}\n{numbers.percent(rate)}" for share, rate in counted),
        numbers.percent(row["flagged"]), numbers.money(1000 * row["cost"]),
        "–" if row["interval"] is None else span(row["interval"], ""), numbers.money(1000 * row["extra_cost"]),
    ]  # fmt: skip


def _unfolding(kind: str, parts: Sequence[Any], made: Any) -> str:
    """Return the first dozen, and the rest behind a line to unfold."""
    if not parts:
        return ""
    first = f'<div class="{kind}s">{made(parts[:FIRST])}</div>'
    if len(parts) <= FIRST:
        return first
    return f'{first}<details><summary>Show all {len(parts)} groups</summary><div class="{kind}s">{made(parts[FIRST:])}</div></details>'


def _table(rows: Sequence[tuple[int, dict[str, Any]]], summary: dict[str, Any]) -> str:
    names = worded(summary, heads(summary["unit"], summary["level"]))
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in names)
    body = ""
    for i, row in rows:
        name, *rest = cells(row)
        texts = "".join(
            _cell(label, text, long=k == _RULE) for k, (label, text) in enumerate(zip(names[1:], rest, strict=True))
        )
        body += f'<tr data-group="{i}"><th scope="row">{escape(name)}</th>{texts}</tr>'
    caption = "The cheapest threshold of each group, and what becomes of 1000 of its cases"
    told = escape(worded(summary, [caption])[0])
    return f'<table class="thresholds"><caption>{told}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(label: str, text: str, *, long: bool) -> str:
    first, _, second = text.partition("\n")
    kind = (' class="long"' if long else "") + (" data-none" if first == "–" else "")
    return f'<td data-label="{escape(label)}"{kind}><span>{escape(first)}</span><small>{escape(second)}</small></td>'


def picture_label(row: dict[str, Any]) -> str:
    """Say what the picture of a group shows."""
    return (
        f"{row['group']}: {numbers.percent(row['tpr'])} caught, {numbers.percent(row['fpr'])} false alarms; "
        f"one threshold for all costs {numbers.money(1000 * row['extra_cost'])} more per 1000"
    )


def _picture(i: int, row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
    """Return the hull and the point of a group; those of the others are faint, on the same axes."""
    side, high = _SIDE + 2 * _EDGE, _HEAD + _SIDE + 8
    label = picture_label(row)
    others = [_line(other, 0.15, 1) for other in rows if pictured(other) and other is not row]
    x, y = _place(row["fpr"], row["tpr"])
    shared = _place(row["one"]["fpr"], row["one"]["tpr"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {high}" width="{side}" height="{high}" role="img" '
        f'data-group="{i}" aria-label="{escape(label)}"><title>{escape(label)}</title>'
        f'<text x="{_EDGE}" y="12" {_FONT} font-weight="600">{escape(_short(row["group"]))}</text>'
        f'<rect x="{_EDGE}" y="{_HEAD}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="currentColor" stroke-opacity="0.3"/>'
        f"{''.join(others)}{_line(row, 1, 2)}"
        f'<circle class="one" cx="{shared[0]:.1f}" cy="{shared[1]:.1f}" r="4" fill="none" stroke="currentColor"/>'
        f'<circle class="own" cx="{x:.1f}" cy="{y:.1f}" r="4" fill="currentColor"/></svg>'
    )


def _short(name: str) -> str:
    return name if len(name) <= 22 else f"{name[:10]}…{name[-11:]}"


def _place(fpr: float, tpr: float) -> tuple[float, float]:
    return _EDGE + _SIDE * fpr, _HEAD + _SIDE * (1 - tpr)


def _line(row: dict[str, Any], opacity: float, width: float) -> str:
    hull = row["hull"]
    rates = sorted(
        (fp / row["negatives"], tp / row["positives"]) for fp, tp in zip(hull["fp"], hull["tp"], strict=True)
    )
    at = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_place(*rate) for rate in rates))
    return f'<polyline points="{at}" fill="none" stroke="currentColor" stroke-opacity="{opacity:g}" stroke-width="{width:g}"/>'


def _prices(summary: dict[str, Any]) -> str:
    """Return what equal rates cost against the tolerance, thresholds mixed at random."""
    curves, unit = summary["groups"]["prices"], summary["unit"]
    right = max(curve["tolerance"][-1] for curve in curves)
    top = max(curve["price"][0] for curve in curves)
    hidden = "" if right and top else " hidden"
    width, high = _LEFT + _WIDE + 8, _HIGH + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {high}" width="{width}" height="{high}" role="img"',
        ' aria-label="What equal shares cost at each tolerance">',
        f'<rect x="{_LEFT}" y="8" width="{_WIDE}" height="{_HIGH}" fill="none" stroke="currentColor" stroke-opacity="0.3"/>',
        f'<text class="top" x="{_LEFT - 6}" y="18" text-anchor="end" {_FONT}>{escape(numbers.amount(1000 * top, unit))}</text>',
        f'<text x="{_LEFT - 6}" y="{8 + _HIGH}" text-anchor="end" {_FONT}>0</text>',
        f'<text x="{_LEFT}" y="{26 + _HIGH}" {_FONT}>0</text>',
        f'<text x="{_LEFT + _WIDE / 2:g}" y="{44 + _HIGH}" text-anchor="middle" {_FONT}>tolerance</text>',
        f'<text class="right" x="{_LEFT + _WIDE}" y="{26 + _HIGH}" text-anchor="end" {_FONT}>{numbers.digits(100 * right)} points</text>',
    ]
    said = ""
    for curve in curves:
        points = [*zip(curve["tolerance"], curve["price"], strict=True), (right, 0.0)]
        at = " ".join(
            f"{_LEFT + _WIDE * t / (right or 1):.1f},{8 + _HIGH * (1 - p / (top or 1)):.1f}" for t, p in points
        )
        dash = _DASHES[curve["criterion"]]
        style = f'stroke="currentColor" stroke-width="2"{f" stroke-dasharray={chr(34)}{dash}{chr(34)}" if dash else ""}'
        parts.append(f'<polyline class="{curve["criterion"]}" points="{at}" fill="none" {style}/>')
        swatch = f'<svg class="swatch" width="28" height="10" aria-hidden="true"><path d="M0 5h28" {style}/></svg>'
        [text] = worded(summary, [price_text(curve, unit)])
        said += f"<li>{swatch}<span>{escape(held(text, unit))}</span></li>"
    [about] = worded(summary, [_TOLERANCE])
    priced = f'<div><ul class="priced">{said}</ul><div class="tolerance"></div></div>'
    drawn = f'<div class="curves"{hidden}>{"".join(parts)}</svg></div>'
    return f'<h3>What equal shares cost</h3><p class="sub">{escape(about)}</p><div class="plot equal">{priced}{drawn}</div>'

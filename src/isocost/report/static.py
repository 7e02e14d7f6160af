"""What the page shows without JavaScript: the sentence, the three figures, the marks, the table, every sentence, and the groups."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any

from isocost import numbers
from isocost.report import group_section, marks
from isocost.report.figures import figures, told
from isocost.report.whole_numbers import held

_TRIVIAL = {"always-negative": "nobody", "always-positive": "everybody"}


def static_block(summary: dict[str, Any]) -> str:
    """Return the HTML that says what Python says at the author's question."""
    decision = summary["decision"]
    notes = "".join(f"<p>{escape(text)}</p>" for text in summary["data"].get("notes", ()))
    warnings = "".join(f"<li>{escape(held(text))}</li>" for text in decision["warnings"])
    state = told(decision, len(summary["models"]))["state"]
    answer = f"<h1>{escape(held(decision['says']['headline']))}</h1>{_figures(summary)}"
    if warnings:
        answer += f'<ul class="warnings">{warnings}</ul>'
    said = "".join(f"<p>{escape(held(text))}</p>" for text in sentences(decision))
    parts = [
        f'<p class="quiet">{escape(summary["title"])}</p>',
        f'<section class="answer" data-state="{state}">{answer}</section>',
        f'<div class="drawn">{marks.picture(decision)}</div>',
        _table(summary),
        f'<section class="decision">{said}</section>',
        group_section.section(summary),
        notes,
    ]
    return '<main class="wrap static">\n' + "\n".join(part for part in parts if part) + "\n</main>"


def sentences(decision: Mapping[str, Any]) -> list[str]:
    """Return what a decision says beside its headline, one sentence or two each."""
    return [text for key, text in decision["says"].items() if text and key != "headline"]


def _figures(summary: dict[str, Any]) -> str:
    rows = [
        f"<div><dt>{escape(title)}</dt><dd class='value'><span>{escape(value)}</span> <small>{escape(small)}</small></dd>"
        f"<dd class='below'>{escape(held(below))}</dd></div>"
        for title, value, small, below in figures(summary["decision"], len(summary["models"]))
    ]
    return f'<dl class="figures">{"".join(rows)}</dl>'


def heads(summary: dict[str, Any]) -> list[str]:
    """Return the names of the table's columns."""
    words = summary["decision"]["question"]["words"]
    named = (words["flagged"], f"{words['positives']} caught", f"right when {words['flagged']}")
    cost = "Cost per 1000" if summary["decision"]["question"]["has_unit"] else "Normalised cost"
    return ["Model", "Rule", *(f"{text[:1].upper()}{text[1:]}" for text in named), cost]


def rows(summary: dict[str, Any]) -> list[list[str]]:
    """Return the table as text: the decision, then the others by cost."""
    decision = summary["decision"]
    price = (decision["confidence"] or {}).get("price")
    if price is None:
        price = decision["expected_cost"]
    found = [_cells(decision, price, decision)]
    for row in decision["alternatives"]:
        more = row.get("extra_cost", row.get("extra"))
        found.append(_cells(row, None if price is None or more is None else price + more, decision))
    return found


def _cells(row: Mapping[str, Any], cost: float | None, decision: Mapping[str, Any]) -> list[str]:
    words, unit = decision["question"]["words"], decision["question"]["words"]["unit"]
    shown = _percent(row.get("normalised_cost")) if cost is None else numbers.rough(1000 * cost, unit)
    return [
        "no model" if row["model"] in _TRIVIAL else row["model"],
        rule(row, words),
        *(_percent(row.get(key)) for key in ("flagged", "tpr", "precision")),
        shown,
    ]


def rule(row: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """Return a rule in a few words."""
    kind = row["rule"]
    if kind == "none":
        return "no rule keeps the limits"
    if kind in ("nobody", "everybody"):
        return f"{words['flag']} {kind}"
    if kind == "band":
        flag, look = row["review"]["flag_from"], row["review"]["review_from"]
        outright = f"{words['flag']} nobody outright" if flag["rule"] == "nobody" else f"{_cut(flag)} or more"
        return f"{outright}; a person looks {'at all others' if look['rule'] == 'everybody' else f'from {_cut(look)}'}"
    if kind == "point" or row["threshold"] is None:
        return "operating point"
    return f"{_cut(row)} or more{', mixed' if kind == 'mix' else ''}"


def _cut(row: Mapping[str, Any]) -> str:
    below = row.get("below")
    return numbers.threshold(float(row["threshold"]), -math.inf if below is None else float(below))


def _percent(value: float | None) -> str:
    return "–" if value is None else numbers.percent(value)


def _table(summary: dict[str, Any]) -> str:
    names = heads(summary)
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in names)
    # Narrow windows show one card per model, with these names.
    labels = [f'<td data-label="{escape(text)}">' for text in names[1:]]
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        f"{''.join(f'{start}{escape(text)}</td>' for start, text in zip(labels, rest, strict=True))}</tr>"
        for name, *rest in rows(summary)
    )
    return f'<div class="tables models"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'

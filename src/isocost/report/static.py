"""What the page shows without JavaScript or style sheet: the answer, 1000 marks, the table, every sentence, and both spaces."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from isocost.decision import numbers
from isocost.decision.answer_wording import Speech
from isocost.decision.rules import SCORED
from isocost.palette import slots
from isocost.report import group_section, page_colours, thousand_marks
from isocost.report.whole_numbers import held
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE

_SIDE, _LEFT, _TOP = 320, 52, 30
_INK, _MUTED, _LINE, _GREY = (page_colours.TONES["light"][k] for k in ("ink", "muted", "line", "grey"))
_FONT = 'font-family="system-ui, DejaVu Sans, sans-serif" font-size="12"'
_NAMES = {ALWAYS_NEGATIVE: "Flag nobody", ALWAYS_POSITIVE: "Flag everybody"}

Points = Sequence[tuple[float, float]]


def static_block(summary: dict[str, Any]) -> str:
    """Return the HTML that says what Python says at the author's condition."""
    notes = "".join(f"<p>{escape(text)}</p>" for text in summary["data"].get("notes", ()))
    parts = [
        f"<h1>{escape(summary['title'])}</h1>{notes}",
        _answer(summary),
        _drawn(thousand_marks.picture(summary["decision"], summary["words"])),
        group_section.section(summary),
        _table(summary),
        _decision(summary),
        _drawn(picture(summary)),
    ]
    return '<main class="page static">\n' + "\n".join(parts) + "\n</main>"


def _drawn(pictures: str) -> str:
    return f'<div class="drawn">{pictures}</div>' if pictures else ""


def speech_of(summary: dict[str, Any]) -> Speech:
    """Return the sentences about the author's decision."""
    names = {model["name"]: model["short"] for model in summary["models"]}
    winners = [run["model"] for run in summary["winners"]]
    odd = {key: [model["name"] for model in summary["models"] if model[key]] for key in ("backwards", "flawless")}
    return Speech(summary["decision"], summary["words"], names, winners, **odd)


def _answer(summary: dict[str, Any]) -> str:
    """Return the deed, its price and how sure it is, as the page's own strip says them."""
    speech, decision = speech_of(summary), summary["decision"]
    word, often, todo = speech.certainty
    price = speech.price if decision["per_1000"] is None else f"{speech.price} per 1000 {summary['words']['cases']}"
    sure = f"{word}: {often}." if often else f"{word}."
    lines = [f"Expected cost {price}.", f"{sure} {todo}"]
    lines += [text for text in speech.notes[:1] if text not in speech.warnings]
    rest = "".join(f"<p>{escape(held(line, speech.unit))}</p>" for line in lines)
    return f'<section class="said"><p class="deed">{escape(held(speech.deed))}</p>{rest}</section>'


def sentences(summary: dict[str, Any]) -> list[str]:
    """Return what the decision says beside its rule, a sentence or two each, as on the page, in the reader's words."""
    said, speech = summary["decision"]["says"], speech_of(summary)
    return [speech.reworded(said[key]) for key in ("aim", "price", "sure", "follows", "holds", "current") if said[key]]


def _decision(summary: dict[str, Any]) -> str:
    decision = summary["decision"]
    grade = decision["surety"]["grade"] or "none"
    speech = speech_of(summary)
    parts = [f'<p class="rule">{escape(held(speech.reworded(decision["says"]["rule"])))}</p>']
    parts += [f"<p>{escape(held(text, speech.unit))}</p>" for text in sentences(summary)]
    parts += [f"<p>⚠ {escape(held(speech.reworded(text)))}</p>" for text in decision["warnings"]]
    return f'<section class="decision" data-grade="{escape(grade)}">{"".join(parts)}</section>'


def heads(summary: dict[str, Any]) -> list[str]:
    """Return the names of the table's columns."""
    unit = summary["unit"]
    priced = summary["decision"]["per_1000"] is not None
    cost = f"Cost per 1000{f', {unit}' if unit else ''}" if priced else "Mean normalised cost"
    words = summary["words"]
    caught = "caught" if words["positive"] == "positive" else f"{words['positives']} caught"
    named = (caught, words["alarms"], words["flagged"], f"right when {words['flagged']}")
    return ["Model", "Rule", *(f"{text[:1].upper()}{text[1:]}" for text in named), cost, "Cheapest in"]


def rows(summary: dict[str, Any]) -> list[list[str]]:
    """Return the table as text: the decision, then the others by cost."""
    decision = summary["decision"]
    first = decision | {"share": decision["surety"]["share"]}
    speech = speech_of(summary)
    return [_cells(row, speech) for row in (first, *decision["alternatives"]) if row["rule"]]


def _cells(row: dict[str, Any], speech: Speech) -> list[str]:
    cost = numbers.digits(row["normalised_cost"], 4) if row["per_1000"] is None else numbers.money(row["per_1000"])
    return [
        speech.reworded(_NAMES[row["model"]]) if row["model"] in _NAMES else row["model"],
        "–" if row["model"] in _NAMES else speech.reworded(row["rule"].removeprefix(SCORED.removesuffix("≥ "))),
        *(_percent(row[k]) for k in ("tpr", "fpr", "flagged", "precision")),
        cost,
        _percent(row["share"]),
    ]


def _percent(value: float | None) -> str:
    return "–" if value is None else numbers.percent(value)


def _table(summary: dict[str, Any]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads(summary))
    # Narrow windows show a card a model, with these names.
    labels = [f'<td data-label="{escape(text)}">' for text in heads(summary)[1:]]
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        f"{''.join(f'{start}{escape(text)}</td>' for start, text in zip(labels, rest, strict=True))}</tr>"
        for name, *rest in rows(summary)
    )
    return f'<table class="thresholds"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def picture(summary: dict[str, Any]) -> str:
    """Return ROC space, cost space and a legend as SVG; every style is an attribute, for pages whose styles are blocked."""
    pcf = _pcf(summary)
    ranked = sorted(range(len(summary["models"])), key=lambda i: _cost(summary["models"][i], pcf))
    roc = [
        _frame("ROC space", "false positive rate", [0, 0.2, 0.4, 0.6, 0.8, 1]),
        _line([(0, 0), (1, 1)], _MUTED, "2 3", 1),
    ]
    cost = [
        _frame("Cost space", "PCF(+)", [0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        _line([(0, 0), (0.5, 1), (1, 0)], _MUTED, "2 3", 1),
        _line([(pcf, 0), (pcf, 1)], _INK, "", 1.5),
    ]
    legend: list[str] = []
    taken = slots(len(ranked), ranked[: len(page_colours.LIGHT)])
    for model, slot in zip(summary["models"], taken, strict=True):
        if slot is None:
            continue
        colour = page_colours.LIGHT[slot] if slot < len(page_colours.LIGHT) else _GREY
        dash = page_colours.DASHES[slot]
        fpr, tpr = _rates(model)
        roc.append(_line(list(zip(fpr.tolist(), tpr.tolist(), strict=True)), colour, dash, 2))
        run, rise = np.diff(fpr), np.diff(tpr)
        z = np.concatenate([[0.0], run / (run + rise), [1.0]])
        # At a break the two lines that meet there agree.
        vertex = np.concatenate([[0], np.arange(fpr.size)])
        value = (1 - z) * fpr[vertex] + z * (1 - tpr[vertex])
        cost.append(_line(list(zip(z.tolist(), (2 * value).tolist(), strict=True)), colour, dash, 2))
        y = 12 + 18 * len(legend)
        legend.append(
            f'<line x1="{_LEFT}" x2="{_LEFT + 36}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"{_dashed(dash)}/>'
            f'<text x="{_LEFT + 44}" y="{y + 4}" {_FONT} fill="{_INK}">{escape(model["name"])}</text>'
        )
    wide, high = _LEFT + _SIDE + 20, _TOP + _SIDE + 46
    return (
        _svg(wide, high, "ROC space", roc)
        + _svg(wide, high, "Cost space", cost)
        + _svg(wide, 18 * len(legend) + 8, "Which line is which model", legend)
    )


def _svg(wide: int, high: int, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" '
        f'aria-label="{label}"><rect width="{wide}" height="{high}" fill="#ffffff"/>{"".join(parts)}</svg>'
    )


def _pcf(summary: dict[str, Any]) -> float:
    belief, condition = summary["opened"]["belief"], summary["decision"]["condition"]
    return float(belief["pcf"]) if condition is None else 1 - float(condition["t"])


def _rates(model: dict[str, Any]) -> tuple[Any, Any]:
    fp, tp = (np.asarray(model["hull"][k], dtype=float) for k in ("fp", "tp"))
    return fp / fp[-1], tp / tp[-1]


def _cost(model: dict[str, Any], pcf: float) -> float:
    fpr, tpr = _rates(model)
    return float(np.min((1 - pcf) * fpr + pcf * (1 - tpr)))


def _frame(title: str, under: str, y_ticks: Sequence[float]) -> str:
    bottom = _TOP + _SIDE
    parts = [
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="{_LINE}"/>',
        f'<text x="{_LEFT}" y="{_TOP - 10}" {_FONT} font-weight="600" fill="{_INK}">{title}</text>',
        f'<text x="{_LEFT + _SIDE / 2}" y="{bottom + 36}" text-anchor="middle" {_FONT} fill="{_INK}">{under}</text>',
    ]
    for i, tick in enumerate(y_ticks):
        y = bottom - _SIDE * i / (len(y_ticks) - 1)
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:g}" text-anchor="end" {_FONT} fill="{_MUTED}">{tick:g}</text>')
    for tick in (0, 0.2, 0.4, 0.6, 0.8, 1):
        x = _LEFT + _SIDE * tick
        parts.append(f'<text x="{x:g}" y="{bottom + 18}" text-anchor="middle" {_FONT} fill="{_MUTED}">{tick:g}</text>')
    return "".join(parts)


def _line(points: Points, colour: str, dash: str, width: float) -> str:
    at = " ".join(f"{_LEFT + _SIDE * x:.1f},{_TOP + _SIDE * (1 - y):.1f}" for x, y in points)
    return f'<polyline points="{at}" fill="none" stroke="{colour}" stroke-width="{width:g}"{_dashed(dash)}/>'


def _dashed(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""

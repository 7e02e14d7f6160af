"""One HTML file from the sources in page/ and a summary: nothing is fetched, and it can be read without JavaScript."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from isocost import numbers
from isocost.report import figures, groups
from isocost.report.figures import no_break


def static_block(summary: dict[str, Any]) -> str:
    """Return the HTML that says what Python says at the author's question."""
    decision = summary["decision"]
    notes = "".join(f"<p>{escape(text)}</p>" for text in summary["data"].get("notes", ()))
    warnings = figures.paragraphs(filter(None, (decision["says"]["cautions"], *decision["warnings"])), tag="li")
    state = figures.facts(decision, len(summary["models"]))["state"]
    answer = f"<h1>{escape(no_break(decision['says']['headline']))}</h1>{_figures(summary)}"
    if warnings:
        answer += f'<ul class="warnings">{warnings}</ul>'
    parts = [
        f'<p class="quiet">{escape(summary["title"])}</p>',
        f'<section class="answer" data-state="{state}">{answer}</section>',
        f'<div class="drawn">{figures.marks_picture(decision)}</div>',
        figures.table(heads(summary), rows(summary), kind="models"),
        f'<section class="decision">{figures.paragraphs(sentences(decision))}</section>',
        groups.section(summary),
        notes,
    ]
    return '<main class="wrap static">\n' + "\n".join(part for part in parts if part) + "\n</main>"


def sentences(decision: Mapping[str, Any]) -> list[str]:
    """Return what a decision says beside its headline, one sentence or two each."""
    return [text for key, text in decision["says"].items() if text and key != "headline"]


def _figures(summary: dict[str, Any]) -> str:
    rows = [
        f"<div><dt>{escape(title)}</dt><dd class='value'><span>{escape(value)}</span> <small>{escape(small)}</small></dd>"
        f"<dd class='below'>{escape(no_break(below))}</dd></div>"
        for title, value, small, below in figures.figure_texts(summary["decision"], len(summary["models"]))
    ]
    return f'<dl class="figures">{"".join(rows)}</dl>'


def heads(summary: dict[str, Any]) -> list[str]:
    """Return the names of the table's columns."""
    words = summary["decision"]["question"]["words"]
    named = (words["flagged"], f"{words['positives']} caught", f"of those {words['flagged']}, {words['positives']}")
    cost = "Cost per 1,000" if summary["decision"]["question"]["has_unit"] else "Normalised cost"
    return ["Model", "Rule", *map(figures.capital, named), cost]


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
        "no model" if row["model"] in figures.TRIVIAL else row["model"],
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


_IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w.]+)';\n", re.MULTILINE)
_RENAMED = re.compile(r"^import \{[^}]*\bas\b[^}]*\}", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)
_NAME = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
# Names of several constants at once.
_NAMES = re.compile(r"^(?:const|let) [\[{]([^\]}=]*)[\]}] =", re.MULTILINE)
# The style sheet, in the order in which its files come.
_STYLES = ("style", "tabs", "paper")
_LEFT = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)


# What a browser does not need: comments on lines of their own, and indentation.
_COMMENT = re.compile(r"^\s*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def source(name: str) -> str:
    """Return one file of the front end."""
    return (files("isocost.report") / "page" / name).read_text(encoding="utf-8")


@cache
def script(entry: str = "app.js") -> str:
    """Return the modules as one classic script: each after those it imports from, names unchanged."""
    done: dict[str, str] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise AssertionError(f"modules import each other: {' → '.join([*above, name])}")
        if name in done:
            return
        text = source(name)
        if renamed := _RENAMED.search(text):
            raise AssertionError(f"an import takes another name, which joined files cannot: {renamed.group()!r}")
        for other in _IMPORT.findall(text):
            visit(other, (*above, name))
        done[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    visit(entry, ())
    body = "\n".join(done.values())
    if left := _LEFT.search(body):
        raise AssertionError(f"an import or export is left: {body[left.start() : left.start() + 80]!r}")
    names = _NAME.findall(body) + re.findall(r"\w+", " ".join(_NAMES.findall(body)))
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise AssertionError(f"top-level names used in two modules: {', '.join(twice)}")
    return f"(() => {{\n'use strict';\n{_INDENT.sub('', _COMMENT.sub('', body))}\n}})();\n"


@cache
def style(*names: str) -> str:
    """Return style sheets with the colours filled in, by default those of the report."""
    text = "".join(source(f"{name}.css") for name in names or _STYLES)
    for theme in ("light", "dark"):
        text = text.replace(f"/* {theme.upper()} */", f"{figures.variables(theme)};")
    return _INDENT.sub("", text)


def hash_of(text: str) -> str:
    """Return a script or style as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def page(summary: dict[str, Any]) -> str:
    """Return the whole file."""
    return document(summary["title"], style(), mount(summary), script())


def document(title: str, sheet: str, body: str, code: str = "") -> str:
    """Return an HTML file that may load nothing but its own style sheet and script."""
    allowed = f"default-src 'none'; style-src {hash_of(sheet)}; base-uri 'none'; form-action 'none'"
    if code:
        allowed += f"; script-src {hash_of(code)}; img-src data: blob:"
        body += f"\n<script>{code}</script>"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(allowed)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{sheet}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def mount(summary: dict[str, Any]) -> str:
    """Return the element the front end takes over: the static block and the data."""
    return (
        f'<div class="isocost" data-dashes="{";".join(figures.DASHES)}">\n{static_block(summary)}\n'
        f'<script type="application/json" class="isocost-data">{embedded(summary)}</script>\n</div>'
    )


def embedded(summary: dict[str, Any]) -> str:
    """Return a summary as JSON that cannot end the script element it stands in."""
    text = json.dumps(summary, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # U+2028 and U+2029 end a line in older JavaScript.
    for character in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text

"""One HTML file from the sources in page/ and a summary: nothing is fetched, and it can be read without JavaScript."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from isocost.decide.decision import table_of
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
    heads, rows = table_of(decision)
    parts = [
        f'<p class="quiet">{escape(summary["title"])}</p>',
        f'<section class="answer" data-state="{state}">{answer}</section>',
        f'<div class="drawn">{figures.marks_picture(decision)}</div>',
        figures.table([*map(figures.capital, heads)], rows, kind="tables models"),
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


_IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w.]+)';\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)
# The style sheet, in the order in which its files come.
_STYLES = ("style", "tabs", "paper")
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

    def visit(name: str) -> None:
        if name not in done:
            text = source(name)
            for other in _IMPORT.findall(text):
                visit(other)
            done[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    visit(entry)
    body = "\n".join(done.values())
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

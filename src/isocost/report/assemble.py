"""One HTML file from the sources in page/ and a summary: no build chain, nothing fetched, readable without JavaScript."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from isocost.report import page_colours
from isocost.report.static import static_block

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


def _lean(text: str) -> str:
    return _INDENT.sub("", _COMMENT.sub("", text))


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
    return f"(() => {{\n'use strict';\n{_lean(body)}\n}})();\n"


@cache
def style() -> str:
    """Return the style sheet with the colours filled in."""
    return _coloured("".join(source(f"{name}.css") for name in _STYLES))


@cache
def explorer_style() -> str:
    """Return the style sheet of what the explorer adds, in the same colours."""
    return _coloured(source("explorer.css"))


def _coloured(text: str) -> str:
    for theme in ("light", "dark"):
        text = text.replace(f"/* {theme.upper()} */", f"{page_colours.variables(theme)};")
    return _INDENT.sub("", text)


def hash_of(text: str) -> str:
    """Return a script or style as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def policy() -> str:
    """Return what the page may load: its own script and style, and nothing else from anywhere."""
    return (
        f"default-src 'none'; script-src {hash_of(script())}; style-src {hash_of(style())}; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def page(summary: dict[str, Any]) -> str:
    """Return the whole file."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy())}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(summary['title'])}</title>\n<style>{style()}</style>\n</head>\n<body>\n{mount(summary)}\n"
        f"<script>{script()}</script>\n</body>\n</html>\n"
    )


def mount(summary: dict[str, Any]) -> str:
    """Return the element the front end takes over: the static block and the data."""
    return (
        f'<div class="isocost" data-dashes="{";".join(page_colours.DASHES)}">\n{static_block(summary)}\n'
        f'<script type="application/json" class="isocost-data">{embedded(summary)}</script>\n</div>'
    )


def embedded(summary: dict[str, Any]) -> str:
    """Return a summary as JSON that cannot end the script element it stands in."""
    text = json.dumps(summary, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # U+2028 and U+2029 end a line in older JavaScript.
    for character in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text

"""The explorer's page: its controls above the report."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.report import assemble

if TYPE_CHECKING:
    from isocost.explorer.explorer import View


def policy() -> str:
    """Return what the explorer's page may do: as the report, and talk to the explorer."""
    scripts = [assemble.script(), assemble.script("explorer.js")]
    styles = [assemble.style(), assemble.source("explorer.css")]
    allowed = {"script-src": scripts, "style-src": styles}
    own = "; ".join(f"{kind} {' '.join(map(assemble.hash_of, texts))}" for kind, texts in allowed.items())
    return (
        f"default-src 'none'; {own}; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def explorer_page(view: View, most_bytes: int) -> str:
    """Return the whole page."""
    report = (
        "" if view.report is None else f"{assemble.mount(view.report.summary)}\n<script>{assemble.script()}</script>"
    )
    title = "isocost explorer" if view.report is None else view.report.summary["title"]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{assemble.source('explorer.css')}</style><style>{assemble.style()}</style>\n</head>\n<body>\n"
        f"{_controls(view, most_bytes)}\n{report}\n<script>{assemble.script('explorer.js')}</script>\n</body>\n</html>\n"
    )


def _controls(view: View, most_bytes: int) -> str:
    file = f"<b>{escape(view.name)}</b>" if view.name else "No file is open."
    save = (
        ""
        if view.report is None
        else " ".join(f'<a href="report.{k}" download>Save as {k}</a>' for k in ("html", "json", "md"))
    )
    problem = f'<p class="wrong">{escape(view.problem)}</p>' if view.problem else ""
    form = _form(view)
    return (
        f'<section class="explorer" aria-label="Explorer" data-most="{most_bytes}">\n<div class="row"><span>{file}</span>'
        '<label>Open another file (CSV or Parquet)<input type="file" accept=".csv,.tsv,.txt,.parquet"></label>'
        f"<span>{save}</span></div>\n{problem}{form}\n"
        '<p role="status"></p>\n</section>'
    )


def _form(view: View) -> str:
    if view.columns is None or view.roles is None:
        return ""
    roles, settings = view.roles, view.settings
    values = [str(v) for v in np.unique(view.columns[roles.label]).tolist()[:20]]
    positive = "" if roles.pos_label is None else str(roles.pos_label)
    numeric = [name for name, column in view.columns.items() if column.dtype.kind in "fiu"]
    rows = min(max(len(numeric), 2), 6)
    is_open = " open" if view.problem else ""
    return (
        f"<details{is_open}><summary>Columns, resampling, words</summary><form>"
        f'<label>Label<select name="label">{_options(list(view.columns), [roles.label])}</select></label>'
        f'<label>Positive is<select name="pos_label"><option value="">as usual</option>{_options(values, [positive])}</select></label>'
        f'<label>Scores<select name="scores" multiple size="{rows}">{_options(numeric, roles.scores)}</select></label>'
        f"{_input('n_resamples', 'Resamples', settings.n_resamples, 'as many as fit')}{_input('seed', 'Seed', settings.seed)}"
        f"{_input('unit', 'Unit of costs', settings.unit)}{_input('title', 'Title', settings.title, view.name or '')}"
        "<button>Apply</button></form></details>"
    )


def _options(names: list[str], selected: Any) -> str:
    return "".join(
        f'<option value="{escape(name)}"{" selected" if name in selected else ""}>{escape(name)}</option>'
        for name in names
    )


def _input(name: str, label: str, value: Any, hint: str = "") -> str:
    shown = "" if value is None else escape(str(value))
    return f'<label>{label}<input name="{name}" value="{shown}" placeholder="{escape(hint)}" size="12"></label>'

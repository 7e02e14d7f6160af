"""The explorer's page: its controls above the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from isocost.engines.columns import LABELS, MOST_GUESSED
from isocost.engines.model_tables import published_form
from isocost.explorer.fields import LABELS as ON_LABELS
from isocost.explorer.fields import LOOKS, MOST_TEXT, NAMED, RESAMPLING, Field
from isocost.report import assemble

if TYPE_CHECKING:
    from isocost.engines.columns import Look
    from isocost.explorer.explorer import View

_ACCEPTED = ".csv,.tsv,.txt,.gz,.zst,.parquet,.arrow,.feather,.json,.jsonl"
_TITLE = "Which classifier, at which threshold?"
_WELCOME = "Open a file with a row for each case: what it turned out to be, and the score of each model. The file stays on this machine."
# Values of the label that are offered as the positive one.
_MOST_VALUES = 20
# Files to save, by their endings.
_SAVED = (("html", "HTML"), ("json", "JSON"), ("md", "Markdown"))


def policy() -> str:
    """Return what the explorer's page may do: as the report, and talk to the explorer."""
    scripts = [assemble.script(), assemble.script("explorer.js")]
    styles = [assemble.style(), assemble.explorer_style()]
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
        f"<title>{escape(title)}</title>\n<style>{assemble.explorer_style()}</style><style>{assemble.style()}</style>\n</head>\n<body>\n"
        f"{_controls(view, most_bytes)}\n{report}\n<script>{assemble.script('explorer.js')}</script>\n</body>\n</html>\n"
    )


def _controls(view: View, most_bytes: int) -> str:
    file = f"<b>{escape(view.upload.name)}</b>" if view.upload else ""
    welcome = "" if view.upload else f"<h1>{_TITLE}</h1><p>{_WELCOME}</p>"
    ask = "Open another file" if view.upload else "Open a file"
    alone = " alone" if view.report is None else ""
    save = (
        ""
        if view.report is None
        else " ".join(f'<a href="report.{ending}" download>Save as {name}</a>' for ending, name in _SAVED)
    )
    problem = f'<p class="wrong">{escape(view.problem)}</p>' if view.problem else ""
    form = _form(view)
    return (
        f'<section class="explorer{alone}" aria-label="Explorer" data-most="{most_bytes}">\n{welcome}<div class="row">{file}'
        f'<label class="open">{ask} (CSV, Parquet, Arrow or JSON lines)<input type="file" accept="{_ACCEPTED}"></label>'
        f'<span class="saves">{save}</span></div>\n{problem}{form}\n'
        '<p role="status"></p>\n</section>'
    )


def _form(view: View) -> str:
    if view.upload is None or view.look is None:
        return ""
    settings, is_open = view.settings, " open" if view.problem else ""
    words = f"{_input('title', 'Title', settings.title, view.upload.name)}{_input('unit', 'Unit of costs', settings.unit, '€')}"
    parts = {
        "Columns": "" if published_form(list(view.look.types)) else _columns(view, view.look),
        "Resampling": _inputs(RESAMPLING, vars(settings)),
        "A person can look at some cases": _inputs(LOOKS, settings.looks),
        "More labelled cases": _inputs(ON_LABELS, settings.labels),
        "Words": f"{words}{_inputs(NAMED, settings.words)}",
    }
    fieldsets = "".join(
        f"<fieldset><legend>{legend}</legend>{fields}</fieldset>" for legend, fields in parts.items() if fields
    )
    return (
        f"<details{is_open}><summary>Columns, resampling, second looks, words</summary><form>{fieldsets}"
        "<button>Apply</button></form></details>"
    )


def _columns(view: View, look: Look) -> str:
    roles = view.roles
    label, scores = _likely(view)
    values = [str(v) for v in look.values(label)[:_MOST_VALUES] if len(str(v)) <= MOST_TEXT] if label else []
    numeric = list(look.numeric)
    rows = min(max(len(numeric), 2), 6)
    missing = f'<option value="error">refused</option>{_option("drop", "left out", selected=roles.missing == "drop")}'
    return (
        f'<label>Label<select name="label">{_options(list(look.types), [label])}</select></label>'
        f"{_input('pos_label', 'Positive is', roles.positive, 'as usual', offered='values')}"
        f'<datalist id="values">{_options(values, ())}</datalist>'
        f'<label>Scores<select name="scores" multiple size="{rows}">{_options(numeric, scores)}</select></label>'
        f'<label>Lower is positive<select name="lower_is_positive" multiple size="{rows}">'
        f"{_options(numeric, roles.lower_is_positive)}</select></label>"
        f'<label>Missing values<select name="missing">{missing}</select></label>'
        f'<label>Groups<select name="group"><option value="">none</option>{_options(list(look.types), [roles.group])}</select></label>'
    )


def _likely(view: View) -> tuple[str | None, tuple[str, ...]]:
    """Return the label and the scores to begin with: those in use, or else what the columns look like."""
    if view.columns is not None:
        return view.columns.label, view.columns.scores
    look = view.look
    assert look is not None  # noqa: S101 - there is a file
    label = view.roles.label or next((name for name in look.types if name.lower() in LABELS), None)
    label = label or next((name for name in look.types if len(look.values(name)) == 2), None)
    guessed = [name for name in look.numeric if name != label and look.why_not(name) is None]
    return label, view.roles.scores or tuple(guessed[:MOST_GUESSED])


def _options(names: Sequence[str], selected: Sequence[str | None]) -> str:
    return "".join(_option(name, name, selected=name in selected) for name in names)


def _option(value: str, text: str, *, selected: bool) -> str:
    return f'<option value="{escape(value)}"{" selected" if selected else ""}>{escape(text)}</option>'


def _inputs(fields: Sequence[Field], values: Mapping[str, Any]) -> str:
    return "".join(_input(field.name, field.label, values.get(field.name), field.hint) for field in fields)


def _input(name: str, label: str, value: Any, hint: str = "", offered: str | None = None) -> str:
    # A whole number needs no point.
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    shown = "" if value is None else escape(str(value))
    chosen = "" if offered is None else f' list="{offered}"'
    return f'<label>{label}<input name="{name}" value="{shown}" placeholder="{escape(hint)}" size="12"{chosen}></label>'

"""The explorer's page: a place to drop a file, then the report with what was guessed beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from isocost import numbers
from isocost.data.tables import published_form
from isocost.explorer.form import FORMS, MOST_TEXT, NAMED, RESAMPLING, Field, why_label
from isocost.report import html

if TYPE_CHECKING:
    from isocost.data.tables import Look
    from isocost.explorer.explorer import View

_ACCEPTED = ".csv,.tsv,.txt,.gz,.zst,.parquet,.arrow,.feather,.json,.jsonl,.xlsx"
_START = """<main class="start"><div>
<h1>Drop a file of predictions. See what to do with them.</h1>
<p class="about">One row per case: what really happened, and the score each model gave. CSV, Excel, Parquet, Arrow or JSON. Nothing leaves
this computer.</p>
<div class="choices"><label class="button primary">Choose a file<input type="file" accept="{accepted}"></label>
<button type="button" class="button" data-sample>Try it with 1,000 loans</button></div>
<p class="quiet">or drop it anywhere on this page, or paste cells from a spreadsheet</p>
<table aria-label="An example"><thead><tr class="kinds"><td>what happened</td><td colspan="2">a score from each model</td></tr>
<tr><th scope="col">bad</th><th scope="col">random_forest</th><th scope="col">naive_bayes</th></tr></thead>
<tbody><tr><td>0</td><td>0.12</td><td>0.03</td></tr><tr><td>1</td><td>0.67</td><td>0.88</td></tr><tr><td>0</td><td>0.31</td><td>0.07</td></tr></tbody>
</table>{problem}</div></main>"""
# Values of the label that are offered as the one to catch.
_MOST_VALUES = 20
# Files to save, by their endings.
_SAVED = (("html", "HTML"), ("json", "JSON"), ("md", "Markdown"))


def policy() -> str:
    """Return what the explorer's page may do: as the report, and talk to the explorer."""
    scripts = [html.script(), html.script("explorer.js")]
    styles = [html.style(), html.explorer_style()]
    allowed = {"script-src": scripts, "style-src": styles}
    own = "; ".join(f"{kind} {' '.join(map(html.hash_of, texts))}" for kind, texts in allowed.items())
    return (
        f"default-src 'none'; {own}; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def explorer_page(view: View, most_bytes: int) -> str:
    """Return the whole page."""
    report = "" if view.report is None else f"{html.mount(view.report.summary)}\n<script>{html.script()}</script>"
    title = "isocost explorer" if view.report is None else view.report.summary["title"]
    alone = view.upload is None and view.report is None
    body = _start(view) if alone else f'<div class="explored">{report or _nothing(view)}{_panel(view)}</div>'
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{html.style()}</style><style>{html.explorer_style()}</style>\n</head>\n"
        f'<body class="explorer" data-most="{most_bytes}">\n{body}\n'
        '<div class="drop" hidden>Drop it: the report appears at once</div>\n'
        '<div class="progress" role="status" hidden><b></b><progress></progress><span class="quiet"></span>'
        '<button type="button" class="link">Cancel</button></div>\n'
        f"<script>{html.script('explorer.js')}</script>\n</body>\n</html>\n"
    )


def _start(view: View) -> str:
    problem = (
        f'<p class="wrong" role="alert">{escape(view.problem)}</p>'
        if view.problem
        else '<p class="wrong" role="alert"></p>'
    )
    return _START.format(accepted=_ACCEPTED, problem=problem)


def _nothing(view: View) -> str:
    """Return what stands in place of a report while columns are open."""
    return f'<main class="start"><div><h1>One thing is missing.</h1><p class="about">{escape(view.problem or "")}</p></div></main>'


def _panel(view: View) -> str:
    if view.upload is None or view.look is None:
        return ""
    n = "" if view.report is None else f"{view.report.summary['data']['n'] or 0:,} rows. Is this right?"
    saves = "" if view.report is None else " ".join(f'<a href="report.{e}" download>{name}</a>' for e, name in _SAVED)
    columns = "" if published_form(list(view.look.types)) else _columns(view, view.look)
    settings = view.settings
    held = settings.question.get("words") or {}
    said = {name: ", ".join(held[form] for form in forms if form in held) for name, forms in FORMS.items()}
    words = _inputs(NAMED, said) + _input("unit", "money", settings.unit, "€")
    return (
        '<aside class="side" aria-label="What was read"><form>'
        f'<div class="heading"><h2>{escape(view.upload.name)}</h2><label class="link">Another file<input type="file" '
        f'accept="{_ACCEPTED}"></label></div><p class="quiet">{n}</p>{columns}'
        f"<fieldset><legend>Your words</legend>{words}{_input('title', 'title', settings.title, view.upload.name)}"
        f'<p class="wrong" role="alert"></p></fieldset>'
        f'<details class="item"><summary>Resamples, seed, missing values</summary>{_inputs(RESAMPLING, vars(settings))}{_missing(view)}'
        f'<p class="wrong" role="alert"></p></details>'
        f'<p class="saves">{f"Save the report: {saves}" if saves else ""}</p></form></aside>'
    )


def _columns(view: View, look: Look) -> str:
    roles, taken = view.roles, view.columns
    label = roles.label if taken is None else taken.label
    scores = roles.scores if taken is None or roles.model is not None else taken.scores
    values = [str(v) for v in look.values(label)[:_MOST_VALUES] if len(str(v)) <= MOST_TEXT] if label else []
    why = "" if label is None else why_label(look, label)
    shown = roles.positive or _usual(values)
    likely = [name for name in look.numeric if name != label]
    boxes = "".join(
        f'<label class="check"><input type="checkbox" name="scores" value="{escape(name)}"{" checked" if name in scores else ""}>'
        f"{escape(name)}</label>"
        for name in likely
    )
    left = ", ".join(f"{name} ({reason})" for name, reason in (taken.left_out.items() if taken else ()))
    groups, model, case = (
        f'<option value="">none</option>{_options(list(look.types), [name])}'
        for name in (roles.group, roles.model, roles.case)
    )
    problem = escape(view.problem) if view.problem else ""
    return (
        f'<div class="item"><label>What really happened<select name="label">{_options(list(look.types), [label])}</select></label>'
        f'<p class="quiet">{escape(why)}</p><p class="wrong" role="alert">{problem}</p></div>'
        f'<div class="item"><label>To be caught<select name="pos_label">{_options(values, [shown])}</select></label>'
        f'<p class="quiet">{_how_many(view)}</p><p class="wrong" role="alert"></p></div>'
        f'<fieldset><legend>Models</legend>{boxes}<p class="quiet">Higher scores mean more likely to be caught.</p>'
        f'<label>Lower means more likely<select name="lower_is_positive" multiple size="{min(max(len(likely), 2), 4)}">'
        f"{_options(likely, roles.lower_is_positive)}</select></label>"
        f'<p class="wrong" role="alert"></p></fieldset>'
        f'<div class="item"><span class="quiet">Left out</span><p>{escape(left) or "nothing"}</p>'
        f'<label>Compare groups by<select name="group">{groups}</select></label>'
        f'<details><summary>A row for each case and model?</summary><label>Models are named in<select name="model">{model}</select></label>'
        f'<label>Cases are numbered in<select name="case">{case}</select></label></details><p class="wrong" role="alert"></p></div>'
    )


def _how_many(view: View) -> str:
    """Say how often what is to be caught happens."""
    found = {} if view.report is None else view.report.summary["data"]
    if not found.get("n") or found["positives"] is None:
        return ""
    share = 100 * found["positives"] / found["n"]
    return f"{'the rarer value, ' if share < 50 else ''}{numbers.digits(share, 2)} of 100"


def _usual(values: Sequence[str]) -> str | None:
    """Return which of two values is taken for the one to catch where nothing is given."""
    return next((value for value in ("1", "1.0", "True", "true") if value in values), None)


def _missing(view: View) -> str:
    chosen = (
        f'<option value="error">refused</option>{_option("drop", "left out", selected=view.roles.missing == "drop")}'
    )
    return f'<label>Missing values<select name="missing">{chosen}</select></label>'


def _options(names: Sequence[str], selected: Sequence[str | None]) -> str:
    return "".join(_option(name, name, selected=name in selected) for name in names)


def _option(value: str, text: str, *, selected: bool) -> str:
    return f'<option value="{escape(value)}"{" selected" if selected else ""}>{escape(text)}</option>'


def _inputs(fields: Sequence[Field], values: Mapping[str, Any]) -> str:
    return "".join(_input(field.name, field.label, values.get(field.name), field.hint) for field in fields)


def _input(name: str, label: str, value: Any, hint: str = "") -> str:
    # A whole number needs no point.
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    shown = "" if value is None else escape(str(value))
    return f'<label class="word">{label}<input name="{name}" value="{shown}" placeholder="{escape(hint)}"></label>'

"""The explorer's page: a place to drop a file, then the report with what was guessed beside it; and what was typed there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from isocost import numbers
from isocost.conditions import share_typed
from isocost.data import checks
from isocost.data.tables import LABELS, MOST_GUESSED, Roles, published_form
from isocost.errors import InputError
from isocost.report import html

if TYPE_CHECKING:
    from isocost.data.tables import Look
    from isocost.explorer.explorer import Settings, View

# Characters of a setting, values of the label that are offered as the one to catch, and the highest whole number.
_MOST_TEXT, _MOST_VALUES, _MOST = 300, 20, 10_000
_ACCEPTED = ".csv,.tsv,.txt,.gz,.zst,.parquet,.arrow,.feather,.json,.jsonl,.xlsx"
# Names of fields, what stands before them, and an example; of words also the forms in the order in which they are typed.
_RESAMPLING = {
    "n_resamples": ("Resamples", "as many as fit"), "seed": ("Seed", "0"), "level": ("Level of ranges", "90 %"),
}  # fmt: skip
_WORDS = {
    "case": ("a case, cases", "applicant, applicants", ("case", "cases")),
    "positive": ("to catch", "bad risk, bad risks", ("positive", "positives")),
    "negative": ("the others", "good customer, good customers", ("negative", "negatives")),
    "flag": ("to flag", "turn down, turns down, turned down, turning down", ("flag", "flags", "flagged", "flagging")),
}


def _filled(piece: str, /, **texts: Any) -> str:
    """Return one of the folder's pieces of HTML with its places filled."""
    text = (files("isocost.explorer") / f"{piece}.html").read_text(encoding="utf-8")
    return Template(text).substitute(accepted=_ACCEPTED, **texts)


def policy() -> str:
    """Return what the explorer's page may do: as the report, and talk to the explorer."""
    allowed = {
        "script-src": [html.script(), html.script("explorer.js")], "style-src": [html.style(), html.style("explorer")],
    }  # fmt: skip
    own = "; ".join(f"{kind} {' '.join(map(html.hash_of, texts))}" for kind, texts in allowed.items())
    return (
        f"default-src 'none'; {own}; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def explorer_page(view: View, most_bytes: int) -> str:
    """Return the whole page."""
    body, title = _filled("start"), "isocost explorer"
    if view.upload is not None or view.report is not None:
        report = '<main class="start"><div><h1>One thing is missing.</h1><p class="about">The note in red says what.</p></div></main>'
        if view.report is not None:
            title = view.report.summary["title"]
            report = f"{html.mount(view.report.summary)}\n<script>{html.script()}</script>"
        body = f'<div class="explored">{report}{_panel(view)}</div>'
    return _filled(
        "page", title=escape(title), style=html.style(), own_style=html.style("explorer"), most_bytes=most_bytes, body=body, at=_at(view),
        problem=escape(view.problem or ""), script=html.script("explorer.js"),
    )  # fmt: skip


def _panel(view: View) -> str:
    """Return what was read, to be corrected. A problem names its field, where the page shows it."""
    if view.upload is None or view.look is None:
        return ""
    rows, saves = "", ""
    if view.report is not None:
        rows = f"{view.report.summary['data']['n'] or 0:,} rows. Is this right?"
        links = (f'<a href="report.{end}" download>{end.upper()}</a>' for end in ("html", "json", "md"))
        saves = f'<p class="saves">Save the report: {" ".join(links)}</p>'
    settings, question = view.settings, view.settings.question
    held = question.get("words") or {}
    words = [
        _input(name, label, ", ".join(held[form] for form in forms if form in held), hint)
        for name, (label, hint, forms) in _WORDS.items()
    ]
    words += [
        _input("unit", "money", question.get("unit"), "€"),
        _input("title", "title", settings.title, view.upload.name),
    ]
    drawer = [
        _select("missing", "Missing values", {"error": "refused", "drop": "left out"}, [view.roles.missing]),
        _check(
            "independent", "yes", "Rows are independent, and no model saw them", on=question.get("independent", False)
        ),
        *(_input(name, label, getattr(settings, name), hint) for name, (label, hint) in _RESAMPLING.items()),
    ]
    columns = "" if published_form(list(view.look.types)) is not None else _columns(view, view.look)
    parts = {"rows": rows, "columns": columns, "words": "".join(words), "drawer": "".join(drawer), "saves": saves}
    return _filled("panel", name=escape(view.upload.name), **parts)


def _at(view: View) -> str:
    """Return the field that a problem is about."""
    problem = view.problem or ""
    return "missing" if "Missing values" in problem else "scores" if "score" in problem else "label" if problem else ""


def _columns(view: View, look: Look) -> str:
    roles, taken = view.roles, view.columns
    label = roles.label if taken is None else taken.label
    scores = roles.scores if taken is None or roles.model is not None else taken.scores
    values = [str(v) for v in look.values(label)[:_MOST_VALUES] if len(str(v)) <= _MOST_TEXT] if label else []
    # Which of two values is taken for the one to catch where nothing is given.
    shown = roles.positive or next((value for value in ("1", "1.0", "True", "true") if value in values), None)
    likely = [name for name in look.numeric if name != label]
    columns = {"": "none"} | dict(zip(look.types, look.types, strict=True))
    left = _left_out(view, look, [label, roles.group, *scores])
    return _filled(
        "columns", label=_select("label", "What really happened", list(look.types), [label]),
        why_label=escape("" if label is None else _why_label(look, label)), positive=_select("pos_label", "To be caught", values, [shown]),
        how_many=_how_many(view), models="".join(_check("scores", name, name, on=name in scores) for name in likely),
        turned=_select("lower_is_positive", "Lower means more likely", list(scores) or likely, roles.lower_is_positive, more=True),
        left=escape(left) or "nothing", group=_select("group", "Compare groups by", columns, [roles.group]),
        long=_select("model", "Models are named in", columns, [roles.model])
        + _select("case_column", "Cases are numbered in", columns, [roles.case]),
    )  # fmt: skip


def _left_out(view: View, look: Look, used: Sequence[str | None]) -> str:
    """Name the columns that are not used, and why each is no score."""
    left = dict(view.columns.left_out) if view.columns else {}
    unused = (name for name in look.types if name not in (*used, *left))
    left |= {name: why for name in unused if (why := look.why_not(name)) is not None}
    return ", ".join(f"{name} ({why})" for name, why in left.items())


def _why_label(look: Look, label: str) -> str:
    """Say why a column is taken for what happened."""
    if label.lower() in LABELS:
        return f"named {label}"
    two = [name for name in look.types if len(look.values(name)) == 2]
    shown = " and ".join(str(value)[:40] for value in look.values(label)[:2])
    return f"{'the only' if two == [label] else 'a'} column with two values: {shown}"


def _how_many(view: View) -> str:
    """Say how often what is to be caught happens."""
    found = {} if view.report is None else view.report.summary["data"]
    if not found.get("n") or found["positives"] is None:
        return ""
    share = 100 * found["positives"] / found["n"]
    return f"{'the rarer value, ' if share < 50 else ''}{numbers.digits(share, 2)} of 100"


def _select(
    name: str,
    label: str,
    options: Sequence[str] | Mapping[str, str],
    chosen: Sequence[str | None],
    *,
    more: bool = False,
) -> str:
    texts = options if isinstance(options, Mapping) else dict(zip(options, options, strict=True))
    shown = "".join(
        f'<option value="{escape(value)}"{" selected" if value in chosen else ""}>{escape(text)}</option>'
        for value, text in texts.items()
    )
    several = f' multiple size="{min(max(len(texts), 2), 4)}"' if more else ""
    return f'<label>{label}<select name="{name}"{several}>{shown}</select></label>'


def _check(name: str, value: str, text: str, *, on: bool) -> str:
    shown = f'<input type="checkbox" name="{name}" value="{escape(value)}"{" checked" if on else ""}>'
    return f'<label class="check">{shown}{escape(text)}</label>'


def _input(name: str, label: str, value: Any, hint: str = "") -> str:
    # A whole number needs no point.
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    shown = "" if value is None else escape(str(value))
    return f'<label class="word">{label}<input name="{name}" value="{shown}" placeholder="{escape(hint)}"></label>'


def guessed(look: Look) -> Roles | None:
    """Return the likeliest roles of a table whose columns have no usual names; None if no column has two values."""
    cut = look.predictions()
    two = [name for name in look.types if len(look.values(name)) == 2 and name not in cut]
    if not two:
        return None
    # A usual name says what happened; else a word, or a whole number, is likelier to than a share.
    words = [name for name in two if name not in look.numeric]
    label = next(iter([*(name for name in two if name.lower() in LABELS), *words, *two]))
    scores = tuple(name for name in look.numeric if name != label and look.why_not(name) is None and name not in cut)
    # Of very many columns nobody can guess which are models.
    return Roles(label=label, scores=scores, positive=_rarer(look, label)) if len(scores) <= MOST_GUESSED else None


def _rarer(look: Look, label: str) -> str | None:
    """Return the rarer of the two first values of a column; None where 0 and 1 speak for themselves."""
    counted = Counter(map(str, look.first.get(label, ())))
    if set(counted) <= {"0", "1", "0.0", "1.0", "True", "False", "true", "false"}:
        return None
    return min(counted, key=lambda value: (counted[value], value)) if len(counted) == 2 else None


def settings_of(given: Mapping[str, Any], before: Settings) -> Settings:
    """Return the settings that the panel states; costs stay."""
    unit, title = (_text(given, name) for name in ("unit", "title"))
    resamples, seed = (_whole(given.get(name), name) for name in ("n_resamples", "seed"))
    try:
        level = share_typed(str(given.get("level") or "0.9"))
    except ValueError:
        level = given["level"]
    question = {"words": _words(given), "independent": bool(given.get("independent")), "unit": unit}
    return replace(
        before, n_resamples=resamples, seed=seed or 0, level=checks.level(level), title=title or None,
        question={**before.question, **question},
    )  # fmt: skip


def _whole(typed: Any, name: str) -> int | None:
    """Return the whole number typed into a field; None if it is empty."""
    return None if typed in (None, "") else checks.whole(typed, _RESAMPLING[name][0], low=0, high=_MOST)


def _words(given: Mapping[str, Any]) -> dict[str, str]:
    """Return the forms of the words that the panel states: "applicant, applicants"."""
    found: dict[str, str] = {}
    for name, (label, hint, forms) in _WORDS.items():
        typed = [form.strip() for form in _text(given, name, label).split(",") if form.strip()]
        if typed and len(typed) != len(forms):
            raise InputError(f"give {len(forms)} forms with commas between them, such as {hint}")
        found |= dict(zip(forms, typed, strict=False))
    return found


def roles_of(given: Mapping[str, Any], view: View) -> Roles:
    """Return the roles that the form gives to columns; the others stay. Published results have no columns to choose."""
    if view.look is not None and published_form(list(view.look.types)) is not None:
        return view.roles
    scores, lower = (
        tuple(checks.instance(given.get(name, []), name, list, "a list of columns"))
        for name in ("scores", "lower_is_positive")
    )
    names = {name: _text(given, name) or None for name in ("label", "group", "pos_label", "model", "case_column")}
    label, group, positive, model, case = names.values()
    checks.distinct([name for name in (label, group) if name is not None], "columns of labels and of groups")
    missing: Any = checks.choice(_text(given, "missing") or "error", "missing", ("error", "drop"))
    return replace(
        view.roles, label=label, scores=checks.some(checks.names(scores, "column"), "scores", "choose at least one column of scores"),
        lower_is_positive=checks.names(lower, "column"), positive=positive, missing=missing, group=group, model=model, case=case,
    )  # fmt: skip


def _text(given: Mapping[str, Any], name: str, label: str | None = None) -> str:
    """Return what was typed into a field."""
    value = given.get(name)
    return "" if value is None else checks.text(value, label or name)

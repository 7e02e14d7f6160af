"""The side panel of the explorer: its fields, what was guessed of a file, and what was typed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from isocost.conditions import share_typed
from isocost.data import checks
from isocost.data.tables import LABELS, MOST_GUESSED, Roles, published_form
from isocost.errors import InputError

if TYPE_CHECKING:
    from isocost.data.tables import Look
    from isocost.explorer.explorer import Settings, View


# Characters of a setting.
MOST_TEXT = 300


class Field(NamedTuple):
    """A field of the panel: its name, what stands before it, and an example."""

    name: str
    label: str
    hint: str = ""


RESAMPLING = (
    Field("n_resamples", "Resamples", "as many as fit"),
    Field("seed", "Seed", "0"),
    Field("level", "Level of ranges", "90 %"),
)
# What the page calls things.
NAMED = (
    Field("case", "a case, cases", "applicant, applicants"),
    Field("positive", "to catch", "bad risk, bad risks"),
    Field("negative", "the others", "good customer, good customers"),
    Field("flag", "to flag", "turn down, turns down, turned down, turning down"),
)
# The forms of each, in the order in which they are typed.
FORMS = {
    "case": ("case", "cases"),
    "positive": ("positive", "positives"),
    "negative": ("negative", "negatives"),
    "flag": ("flag", "flags", "flagged", "flagging"),
}


def guessed(look: Look) -> Roles | None:
    """Return the likeliest roles of a table whose columns have no usual names; None if no column has two values."""
    cut = look.predictions()
    two = [name for name in look.types if len(look.values(name)) == 2 and name not in cut]
    if not two:
        return None
    # A word, or a whole number, is likelier to say what happened than a share.
    label = next((name for name in two if name not in look.numeric), two[0])
    scores = [name for name in look.numeric if name != label and look.why_not(name) is None and name not in cut]
    # Of very many columns nobody can guess which are models.
    return (
        Roles(label=label, scores=tuple(scores), positive=rarer(look, label)) if len(scores) <= MOST_GUESSED else None
    )


def rarer(look: Look, label: str) -> str | None:
    """Return the rarer of the two first values of a column; None where 0 and 1 speak for themselves."""
    counted = Counter(map(str, look.first.get(label, ())))
    if set(counted) <= {"0", "1", "0.0", "1.0", "True", "False", "true", "false"}:
        return None
    return min(counted, key=lambda value: (counted[value], value)) if len(counted) == 2 else None


def why_label(look: Look, label: str) -> str:
    """Say why a column is taken for what happened."""
    if label.lower() in LABELS:
        return f"named {label}"
    two = [name for name in look.types if len(look.values(name)) == 2]
    shown = " and ".join(str(value)[:40] for value in look.values(label)[:2])
    return f"the only column with two values: {shown}" if two == [label] else f"a column with two values: {shown}"


_MOST = 10_000


def settings_of(given: Mapping[str, Any], before: Settings) -> Settings:
    """Return the settings that the panel states; costs stay."""
    resampling = {field.name: field.label for field in RESAMPLING}
    level = _share(given.get("level"), resampling["level"])
    return replace(
        before,
        n_resamples=_whole(given.get("n_resamples"), resampling["n_resamples"], None),
        seed=_whole(given.get("seed"), resampling["seed"], 0) or 0,
        level=0.9 if level is None else level,
        unit=_text(given.get("unit"), "unit", ""),
        title=_text(given.get("title"), "title", "") or None,
        question={**before.question, "words": _words(given)},
    )


def _words(given: Mapping[str, Any]) -> dict[str, str]:
    """Return the forms of the words that the panel states: "applicant, applicants"."""
    found: dict[str, str] = {}
    for field in NAMED:
        typed = _text(given.get(field.name), field.label, "").strip()
        forms = [form.strip() for form in typed.split(",") if form.strip()]
        if forms and len(forms) != len(FORMS[field.name]):
            raise InputError(f"give {len(FORMS[field.name])} forms with commas between them, such as {field.hint}")
        found |= dict(zip(FORMS[field.name], forms, strict=False))
    return found


def roles_of(given: Mapping[str, Any], view: View) -> Roles:
    """Return the roles that the form gives to columns; the others stay. Published results have no columns to choose."""
    if view.look is not None and published_form(list(view.look.types)) is not None:
        return view.roles
    scores = _names(given.get("scores"), "scores")
    if not scores:
        raise InputError("choose at least one column of scores")
    missing = _text(given.get("missing"), "missing", "") or "error"
    if missing not in ("error", "drop"):
        raise InputError(f"missing must be error or drop, got {missing!r}")
    label, group, model, case = (
        _text(given.get(name), name, "") or None for name in ("label", "group", "model", "case")
    )
    if group is not None and group == label:
        raise InputError(f"{group!r} cannot be the label and tell the groups: choose another column of groups")
    return replace(
        view.roles,
        label=label,
        scores=scores,
        positive=_text(given.get("pos_label"), "pos_label", "") or None,
        lower_is_positive=_names(given.get("lower_is_positive", []), "lower_is_positive"),
        missing="drop" if missing == "drop" else "error",
        group=group,
        model=model,
        case=case,
    )


def _share(value: Any, label: str) -> float | None:
    if value is None or value == "":
        return None
    try:
        number = share_typed(str(value))
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise InputError(f"{label} must be a share, such as 0.1 or 10 %, got {value!r:.80}")
    return number


def _whole(value: Any, label: str, default: int | None) -> int | None:
    if value is None or value == "":
        return default
    try:
        number = int(str(value))
    except ValueError as error:
        raise InputError(f"{label} must be a whole number, got {value!r:.80}") from error
    if not 0 <= number <= _MOST:
        raise InputError(f"{label} must lie between 0 and {_MOST}, got {number}")
    return number


def _text(value: Any, name: str, default: str) -> str:
    if value is None:
        return default
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        raise InputError(f"{name} must be text of at most {MOST_TEXT} characters, got {value!r:.80}")
    return checks.text(value, name)


def _names(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{name} must be a list of column names, got {value!r:.80}")
    return tuple(value)

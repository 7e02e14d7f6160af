"""What the explorer's form says: settings and roles of columns, each field checked under the name that stands before it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from isocost import validate
from isocost.conditions import share_typed
from isocost.engines.model_tables import published_form
from isocost.errors import InputError
from isocost.explorer.fields import FORMS, MOST_TEXT, NAMED, RESAMPLING

if TYPE_CHECKING:
    from isocost.engines.columns import Roles
    from isocost.explorer.explorer import Settings, View

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
    label, group = (_text(given.get(name), name, "") or None for name in ("label", "group"))
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
    )


def _share(value: Any, label: str) -> float | None:
    return _typed(value, label, share_typed, "a share, such as 0.1 or 10 %", 1.0)


def _typed(value: Any, label: str, read: Callable[[str], float], wanted: str, most: float) -> float | None:
    if value is None or value == "":
        return None
    try:
        number = read(str(value))
    except ValueError:
        number = math.nan
    if not (0 <= number <= most and number < math.inf):
        raise InputError(f"{label} must be {wanted}, got {value!r:.80}")
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
    return validate.text(value, name)


def _names(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{name} must be a list of column names, got {value!r:.80}")
    return tuple(value)

"""A summary inside a page, and out of it again: what is read is checked, since anybody may have written it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from isocost.decide.question import Words
from isocost.errors import InputError
from isocost.report.summary import SCHEMA, VERSION

_DATA = re.compile(r'<script type="application/json" class="isocost-data">(.*?)</script>', re.DOTALL)
# What each part must be: a type or several, a dict of parts, or a list of parts like the one given.
_TEXT, _NUMBER, _WHOLE, _TRUTH = (str,), (int, float), (int,), (bool,)
_NOTHING = type(None)
_MAYBE = (*_NUMBER, _NOTHING)
_PACKED = {"data": _TEXT}
_ROW: dict[str, Any] = {"model": _TEXT, "rule": _TEXT}
_SHAPE: dict[str, Any] = {
    "title": _TEXT,
    "unit": _TEXT,
    "level": _NUMBER,
    "decision": {
        **_ROW, "fpr": _NUMBER, "tpr": _NUMBER, "normalised_cost": _MAYBE, "expected_cost": _MAYBE, "text": _TEXT, "warnings": [_TEXT],
        "question": {
            "quantities": dict, "limits": [{"kind": _TEXT, "value": _NUMBER}], "words": dict.fromkeys(Words.__dataclass_fields__, _TEXT),
            "costs_given": _TRUTH, "aim": _TEXT, "method": _TEXT, "randomised": _TRUTH, "reviews": (dict, _NOTHING),
            "current": (list, _NOTHING),
        },
        "alternatives": [_ROW], "confidence": (dict, _NOTHING), "current": (dict, _NOTHING), "says": dict,
    },
    "opened": {"quantities": dict, "belief": (dict, _NOTHING)},
    "data": {"n": _MAYBE, "positives": _MAYBE, "negatives": _MAYBE, "rows": _TRUTH, "notes": [_TEXT]},
    "cautions": list,
    "models": [{
        "name": _TEXT, "short": _TEXT, "positives": _MAYBE, "negatives": _MAYBE, "backwards": _TRUTH, "flawless": _TRUTH,
        "identical": [_WHOLE], "unavailable": dict, "calibration": (dict, _NOTHING),
        "table": {"threshold": _PACKED, "below": (dict, _NOTHING), "fp": _PACKED, "tp": _PACKED, "complete": _TRUTH},
    }],
    "draws": (dict, _NOTHING),
    "measures": [{"name": _TEXT, "better": _TEXT, "values": list}],
    "sentences": {"order": [_TEXT], "lines": list, "sentences": dict, "marks": dict},
    "provenance": {"call": _TEXT, "isocost": _TEXT, "fingerprint": _TEXT, "options": dict},
}  # fmt: skip
_PAIR, _HULL = (list, _NOTHING), (dict, _NOTHING)
_GROUPS: dict[str, Any] = {
    "text": _TEXT, "prevalence": _TEXT, "expected_cost": _NUMBER, "extra_cost": _NUMBER, "extra_interval": _PAIR, "few": [_TEXT],
    "one": {"rule": _TEXT},
    "rows": [{
        "group": _TEXT, "positives": _NUMBER, "negatives": _NUMBER, "prevalence": _NUMBER, "rule": _TEXT, "tpr": _MAYBE, "fpr": _MAYBE,
        "flagged": _MAYBE, "cost": _NUMBER, "interval": _PAIR, "extra_cost": _NUMBER, "share": _NUMBER,
        "one": {"tpr": _MAYBE, "fpr": _MAYBE}, "hull": _HULL,
    }],
    "prices": [{"criterion": _TEXT, "tolerance": [_NUMBER], "price": [_NUMBER]}],
}  # fmt: skip
_DRAWS: dict[str, Any] = {
    "rows": [_WHOLE], "block": [_PACKED], "threshold": (list, _NOTHING), "unit": _HULL, "units": _WHOLE, "size": _HULL, "mass": _HULL,
    "sizes": [_WHOLE], "seed": _WHOLE, "blocked": _TRUTH, "sets": [{"n": _WHOLE}],
}  # fmt: skip


def extract(text: str) -> dict[str, Any]:
    """Return the summary inside the text of a report file (HTML, or JSON as it is)."""
    found = _DATA.search(text)
    try:
        summary = json.loads(text if found is None else found.group(1), parse_constant=_no_number, parse_float=_finite)
    except InputError:
        raise
    except ValueError as error:  # no JSON, or a whole number of thousands of digits
        raise InputError("this is not an isocost report: no data found in it") from error
    except RecursionError as error:
        raise InputError("this is not an isocost report: its data are nested too deeply") from error
    if not isinstance(summary, dict) or summary.get("schema") != SCHEMA:
        raise InputError("this is not an isocost report: its data do not say so")
    if summary.get("version") != VERSION:
        raise InputError(
            f"this report has version {summary.get('version')!r} of its data, and this isocost reads version {VERSION}; "
            "make the report again"
        )
    _check(summary, _SHAPE, "")
    if not summary["models"]:
        raise InputError("this report cannot be read: it has no model; make the report again")
    if summary["draws"] is not None:
        _check(summary["draws"], _DRAWS, "draws")
    if summary.get("groups") is not None:
        _check(summary["groups"], _GROUPS, "groups")
    return summary


def _no_number(word: str) -> NoReturn:
    raise InputError(f"this report cannot be read: it holds {word}, which is not a number; make the report again")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits[:40])


def _wrong(where: str, wanted: str, got: Any) -> InputError:
    return InputError(
        f"this report cannot be read: {where} must be {wanted}, got {type(got).__name__}; make the report again"
    )


def _check(value: Any, shape: Any, where: str) -> None:
    if isinstance(shape, Mapping):
        if not isinstance(value, dict):
            raise _wrong(where or "its data", "an object", value)
        for key, part in shape.items():
            name = f"{where}.{key}" if where else key
            if key not in value:
                raise InputError(f"this report cannot be read: {name} is missing; make the report again")
            _check(value[key], part, name)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise _wrong(where, "a list", value)
        for i, item in enumerate(value):
            _check(item, shape[0], f"{where}[{i}]")
    elif not isinstance(value, shape) or (isinstance(value, bool) and shape is not _TRUTH):
        kinds = shape if isinstance(shape, tuple) else (shape,)
        raise _wrong(where, " or ".join("null" if kind is _NOTHING else kind.__name__ for kind in kinds), value)

"""A summary inside a page, and out of it again: what is read is checked, since anybody may have written it."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from isocost.decision.vocabulary import WORDS
from isocost.errors import InputError
from isocost.report.group_payload import CRITERIA
from isocost.report.summary import SCHEMA, VERSION

# More resampled costs than this fit no page; a file that packs them in no bits at all could ask for any number.
MOST_NUMBERS = 50_000_000
_DATA = re.compile(r'<script type="application/json" class="isocost-data">(.*?)</script>', re.DOTALL)
# What each part must be: a type or several, a dict of parts, or a list of parts like the one given.
_TEXT, _NUMBER, _WHOLE, _TRUTH = (str,), (int, float), (int,), (bool,)
_END = (int, float, str)
_NOTHING = type(None)
_POINTS = {
    "fp": [_NUMBER], "tp": [_NUMBER], "threshold": [(*_END, _NOTHING)], "below": [(*_END, _NOTHING)], "rule": (list, _NOTHING),
}  # fmt: skip
_SHAPE: dict[str, Any] = {
    "title": _TEXT,
    "unit": _TEXT,
    "level": _NUMBER,
    "words": dict.fromkeys((*WORDS, "flags", "flagging", "miss", "alarm", "alarms"), _TEXT),
    "decision": {
        "model": _TEXT, "rule": _TEXT, "fpr": _NUMBER, "tpr": _NUMBER, "per_1000": (*_NUMBER, _NOTHING), "text": _TEXT, "verdict": _TEXT,
        "normalised_cost": _NUMBER, "expected_cost": (*_NUMBER, _NOTHING), "prevalence": (*_NUMBER, _NOTHING),
        "condition": (dict, _NOTHING), "model_drift": (dict, _NOTHING), "warnings": [_TEXT],
        "asked": {"unit": _TEXT, "limits": dict}, "review": (dict, _NOTHING),
        "says": dict.fromkeys(("rule", "aim", "price", "sure", "holds", "follows", "current"), _TEXT),
        "surety": {
            "grade": (str, _NOTHING), "share": (*_NUMBER, _NOTHING), "regret": (*_NUMBER, _NOTHING), "labels": (dict, _NOTHING),
            "doubts": [_TEXT],
        },
        "alternatives": [{
            "model": _TEXT, "rule": _TEXT, "fpr": (*_NUMBER, _NOTHING), "tpr": (*_NUMBER, _NOTHING), "per_1000": (*_NUMBER, _NOTHING),
            "normalised_cost": (*_NUMBER, _NOTHING), "share": (*_NUMBER, _NOTHING), "extra": (*_NUMBER, _NOTHING),
            "extra_cost": (*_NUMBER, _NOTHING),
        }],
    },
    "cautions": [_TEXT],
    "opened": {"quantities": dict, "belief": (dict, _NOTHING)},
    "data": {"n": (*_NUMBER, _NOTHING), "positives": (*_NUMBER, _NOTHING), "negatives": (*_NUMBER, _NOTHING)},
    "models": [{
        "name": _TEXT, "short": _TEXT, "hull": _POINTS, "inner": (dict, str, _NOTHING), "finer": (dict, _NOTHING),
        "possible": (dict, _NOTHING), "thinned": _TRUTH,
        "unavailable": dict,
        "roc": {"fp": [_NUMBER], "tp": [_NUMBER], "threshold": [(*_END, _NOTHING)], "below": (list, _NOTHING), "wide": (list, _NOTHING),
            "within": _NUMBER},
        "calibration": (dict, _NOTHING),
    }],
    "winners": [{"model": (int, str), "t_low": _NUMBER, "t_high": _NUMBER, "points": [dict]}],
    "open": (dict, _NOTHING),
    "resamples": (dict, _NOTHING),
    "bands": (list, _NOTHING),
    "measures": [{"name": _TEXT, "better": _TEXT, "values": list}],
    "provenance": {"call": _TEXT, "more": _TEXT, "isocost": _TEXT, "fingerprint": _TEXT, "options": dict},
}  # fmt: skip

_RATE = (*_NUMBER, _NOTHING)
_PAIR = (list, _NOTHING)
_GROUPS: dict[str, Any] = {
    "text": _TEXT, "prevalence": _TEXT, "expected_cost": _NUMBER, "extra_cost": _NUMBER, "extra_interval": _PAIR, "few": [_TEXT],
    "one": {"rule": _TEXT, "rules": (list, _NOTHING)}, "follows": (str, _NOTHING),
    "rows": [{
        "group": _TEXT, "positives": _NUMBER, "negatives": _NUMBER, "prevalence": _NUMBER, "rule": _TEXT, "tpr": _RATE, "fpr": _RATE,
        "flagged": _RATE, "cost": _NUMBER, "interval": _PAIR, "extra_cost": _NUMBER, "share": _NUMBER,
        "one": {"tpr": _RATE, "fpr": _RATE, "hull": (dict, _NOTHING)},
        "hull": (dict, _NOTHING),
    }],
    "prices": [{"criterion": _TEXT, "tolerance": [_NUMBER], "price": [_NUMBER]}],
}  # fmt: skip
_RESAMPLES: dict[str, Any] = {"n": _WHOLE, "grid": [_NUMBER], "least": [_WHOLE], "bits": [_WHOLE], "data": _TEXT}
_OPEN: dict[str, Any] = {
    "settled": [{"model": (int, str), "t_low": _NUMBER, "t_high": _NUMBER}], "fpr": [_NUMBER], "tpr": [_NUMBER], "switches": [_NUMBER],
}  # fmt: skip
_DRAWN: dict[str, Any] = {
    "models": [_WHOLE], "at": _TEXT, "negatives": _WHOLE, "places": [_TEXT], "weights": (list, _NOTHING), "least": [_WHOLE],
    "bits": [_WHOLE], "data": _TEXT,
}  # fmt: skip


def embedded(summary: dict[str, Any]) -> str:
    """Return a summary as JSON that cannot end the script element it stands in."""
    text = json.dumps(summary, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # U+2028 and U+2029 end a line in older JavaScript.
    for character in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


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
    _check_sizes(summary)
    _check_open(summary)
    _check_asked(summary["decision"])
    _check_looks(summary)
    if summary.get("drawn") is not None:
        _check_drawn(summary)
    if summary.get("groups") is not None:
        _check_groups(summary["groups"])
    return summary


def _no_number(word: str) -> NoReturn:
    raise InputError(f"this report cannot be read: it holds {word}, which is no number; make the report again")


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


def _check_groups(groups: Any) -> None:
    """Refuse what the section about groups cannot show."""
    _check(groups, _GROUPS, "groups")
    pairs = [(groups["extra_interval"], "groups.extra_interval")]
    for i, row in enumerate(groups["rows"]):
        where = f"groups.rows[{i}]"
        pairs.append((row["interval"], f"{where}.interval"))
        if groups["follows"] is not None:
            _check(row["hull"], {"fp": [_NUMBER], "tp": [_NUMBER], "rule": [_TEXT], "model": [_WHOLE]}, f"{where}.hull")
            _check(row["one"]["hull"], {"fp": [_NUMBER], "tp": [_NUMBER]}, f"{where}.one.hull")
            for part, lists in (
                (row["hull"].values(), "hull"),
                ([groups["one"]["rules"], *row["one"]["hull"].values()], "one.hull"),
            ):
                if len({len(one or ()) for one in part}) > 1:
                    raise InputError(
                        f"this report cannot be read: {where}.{lists} needs lists of one length; make the report again"
                    )
    for pair, where in pairs:
        if pair is not None:
            _check(pair, [_NUMBER], where)
            if len(pair) != 2:
                raise InputError(f"this report cannot be read: {where} must be two numbers; make the report again")
    for i, curve in enumerate(groups["prices"]):
        if len(curve["tolerance"]) != len(curve["price"]) or not curve["price"] or curve["criterion"] not in CRITERIA:
            raise InputError(
                f"this report cannot be read: groups.prices[{i}] needs a criterion, and as many tolerances as prices; make the report again"
            )


def _check_asked(decision: dict[str, Any]) -> None:
    """Refuse limits that are no numbers, and bands of second looks without rates."""
    _check(list(decision["asked"]["limits"].values()), [(*_NUMBER, _NOTHING)], "decision.asked.limits")
    if decision["review"] is not None:
        ends = {"fpr": _NUMBER, "tpr": _NUMBER}
        _check(decision["review"], {"flag_choice": ends, "review_choice": ends}, "decision.review")


def _check_looks(summary: dict[str, Any]) -> None:
    """Refuse second looks without a price, and those without the decision they are compared with."""
    looks, single = summary["opened"].get("review"), summary.get("single")
    if looks is None and single is None:
        return
    rates = {
        "cost_review": _NUMBER,
        "max_reviewed": (*_NUMBER, _NOTHING),
        "reviewer_fpr": _NUMBER,
        "reviewer_tpr": _NUMBER,
    }
    _check(looks, rates, "opened.review")
    _check(single, _SHAPE["decision"], "single")


def _check_open(summary: dict[str, Any]) -> None:
    """Refuse bounds that do not fit the models."""
    models, found = summary["models"], summary["open"]
    if (found is None) != all(model["possible"] is None for model in models):
        raise InputError("this report cannot be read: what is open does not fit its models; make the report again")
    for i, model in enumerate(models):
        if model["possible"] is not None:
            _check(model["possible"], {"fp": [_NUMBER], "tp": [_NUMBER]}, f"models[{i}].possible")
            if len(model["possible"]["fp"]) != len(model["possible"]["tp"]):
                raise InputError(
                    f"this report cannot be read: models[{i}].possible needs as many fp and tp; make the report again"
                )
    if found is not None:
        _check(found, _OPEN, "open")
        if not len(found["fpr"]) == len(found["tpr"]) == len(found["switches"]) + 1:
            raise InputError("this report cannot be read: open needs rates and their switches; make the report again")


def _check_drawn(summary: dict[str, Any]) -> None:
    """Refuse cases drawn that do not fit the models and their points."""
    _check(summary["drawn"], [_DRAWN], "drawn")
    resamples = 0 if summary["resamples"] is None else summary["resamples"]["n"]
    told = sorted(model for table in summary["drawn"] for model in table["models"])
    good = told == list(range(len(summary["models"])))
    for table in summary["drawn"]:
        kinds, weights = len(table["least"]), table["weights"]
        good = good and table["at"] in ("roc", "hull") and len(table["bits"]) == kinds
        good = good and len(table["places"]) == len(table["models"]) and 0 <= table["negatives"] <= kinds
        good = good and all(0 <= bits <= 31 for bits in table["bits"])
        good = good and _bytes(table["data"]) == (sum(table["bits"]) * resamples + 7) // 8
        good = good and all(_bytes(text) == 2 * kinds for text in table["places"])
        if weights is not None:
            _check(weights, [_NUMBER], "drawn.weights")
            good = good and len(weights) == kinds
    if not good:
        raise InputError("this report cannot be read: the cases drawn do not fit its models; make the report again")


def _bytes(text: str) -> int:
    """Return how many bytes a base64 text holds; -1 if it is none."""
    try:
        return len(base64.b64decode(text, validate=True))
    except (ValueError, binascii.Error):
        return -1


def _check_sizes(summary: dict[str, Any]) -> None:
    """Refuse lists that belong together and differ in length."""
    models = summary["models"]
    if not models:
        raise InputError("this report cannot be read: it has no model; make the report again")
    for i, model in enumerate(models):
        if isinstance(model["inner"], str) and (model["inner"] != "hull" or len(model["hull"]["fp"]) < 3):
            raise InputError(
                f'this report cannot be read: models[{i}].inner must be points or "hull", with points between its ends; '
                "make the report again"
            )
        for part in ("hull", "roc"):
            sizes = {len(model[part][key]) for key in ("fp", "tp", "threshold")}
            ends = [model[part][key][-1] if model[part][key] else 0 for key in ("fp", "tp")]
            if len(sizes) > 1 or min(sizes) < 2 or min(ends) <= 0:
                raise InputError(
                    f"this report cannot be read: models[{i}].{part} needs as many fp, tp and threshold, at least two and the last "
                    "above 0; make the report again"
                )
    if (packed := summary["resamples"]) is not None:
        _check(packed, _RESAMPLES, "resamples")
        columns = len(models) * len(packed["grid"])
        good = len(packed["bits"]) == len(packed["least"]) == columns and all(
            0 <= bits <= 31 for bits in packed["bits"]
        )
        if not good or not 1 <= packed["n"] * columns <= MOST_NUMBERS:
            raise InputError(
                f"this report cannot be read: resamples need {columns} columns of up to 31 bits, {MOST_NUMBERS:,} numbers at most; "
                "make the report again"
            )
        size, wanted = _bytes(packed["data"]), (sum(packed["bits"]) * packed["n"] + 7) // 8
        if size != wanted:
            held = "no bytes" if size < 0 else f"{size} bytes"
            raise InputError(
                f"this report cannot be read: resamples hold {held}, {wanted} expected; make the report again"
            )

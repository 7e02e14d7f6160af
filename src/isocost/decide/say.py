"""Sentences from data: variants with conditions and slots, read from one file by Python and by the page."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from isocost.numbers import amount, digits, percent, rough, rough_span, share, threshold

Data = Mapping[str, Any]


class Speaker:
    """A file of sentences: each is the first of its variants whose conditions hold, and empty if none does.

    Conditions are `path`, `!path`, `path=text`, `path!=text`, `path>number` and `path<number` on plain data. Slots are `{path}`,
    `{path:kind}`, `{@key}` (another sentence), `{path>key}` (a sentence about a part), `{path*key}` (about each item of a list, joined by
    commas and "and") and `{path+key}` (joined by spaces).
    """

    def __init__(self, held: Data) -> None:
        self.order, self.lines, self.sentences, self.marks = (held[k] for k in ("order", "lines", "sentences", "marks"))

    def all(self, data: Data) -> dict[str, str]:
        """Return every sentence about a decision, in order; empty where there is nothing to state."""
        return {key: self.say(key, data) for key in self.order}

    def text(self, reported: Mapping[str, str]) -> str:
        """Return the sentences of `all` line by line; the headline stands for itself."""
        return "\n".join(
            filter(None, (" ".join(reported[key] for key in line if reported[key]) for line in self.lines))
        )

    def say(self, key: str, data: Data) -> str:
        """Return one sentence."""
        for variant in self.sentences[key]:
            if all(_holds(condition, data) for condition in variant.get("when", ())):
                return re.sub(r"\{([^{}]+)\}", lambda slot: self._fill(slot[1], data), variant["say"])
        return ""

    def _fill(self, slot: str, data: Data) -> str:
        if slot.startswith("@"):
            return self.say(slot[1:], data)
        path, sign, key = re.fullmatch(r"([\w.]+)([>*+:]?)(\w*)", slot).groups()  # type: ignore[union-attr]
        value = found(path, data)
        if sign in ("", ":"):
            return KINDS[key](value, data)
        if sign == ">":
            return self.say(key, {**data, **(value or {})})
        parts = [self.say(key, {**data, **(x if isinstance(x, Mapping) else {"item": x})}) for x in value or ()]
        if sign == "+":
            return " ".join(filter(None, parts))
        return str(self.marks["and"].join(filter(None, [self.marks["comma"].join(parts[:-1]), *parts[-1:]])))


def found(path: str, data: Any) -> Any:
    """Return what is at a dotted path of plain data; None if there is nothing."""
    for name in path.split("."):
        if isinstance(data, list):
            data = data[int(name)] if int(name) < len(data) else None
        else:
            data = data.get(name) if isinstance(data, Mapping) else None
    return data


def _holds(condition: str, data: Data) -> bool:
    path, sign, wanted = re.fullmatch(r"!?([\w.]+)(!=|=|<|>|)(.*)", condition).groups()  # type: ignore[union-attr]
    value = found(path, data)
    if sign == "":
        return bool(value) != condition.startswith("!")
    if sign in ("=", "!="):
        return (_text(value) == wanted) == (sign == "=")
    return value is not None and (float(value) > float(wanted) if sign == ">" else float(value) < float(wanted))


def _text(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _money(shown: Callable[[Any, str], str], factor: int = 1, size: Callable[[float], float] = float) -> Any:
    return lambda x, data: shown(factor * size(float(x)), _text(found("question.words.unit", data)))


# How a slot is written, from a number of plain data (infinities are text) or a word; the page has the same kinds.
KINDS: dict[str, Callable[[Any, Data], str]] = {
    "": lambda x, _: _text(x), "start": lambda x, _: _text(x)[:1].upper() + _text(x)[1:], "size": lambda x, _: digits(abs(float(x))),
    "about": lambda x, _: digits(float(x), 1), "count": lambda x, _: digits(float(x), 15), "ratio": lambda x, _: digits(float(x)),
    "probability": lambda x, _: digits(float(x), 4), "percent": lambda x, _: percent(float(x)), "share": lambda x, _: share(float(x)),
    "tenths": lambda x, _: digits(math.floor(10 * float(x) + 0.5)), "exact": lambda x, _: threshold(float(x)),
    "threshold": lambda x, data: threshold(float(x), -math.inf if data.get("below") is None else float(data["below"])),
    "money": _money(amount), "per_1000": _money(amount, 1000), "rough_1000": _money(rough, 1000), "size_1000": _money(rough, 1000, abs),
    "span_1000": lambda x, data: rough_span([1000 * float(end) for end in x], _text(found("question.words.unit", data))),
}  # fmt: skip


# What cases, their kinds and what is done with them are called unless there are other words: forms that are given together.
FORMS = (
    ("case", "cases"),
    ("positive", "positives"),
    ("negative", "negatives"),
    ("flag", "flags", "flagged", "flagging"),
)
WORDS = {form: form for forms in FORMS for form in forms} | {"unit": ""}


def in_brackets(result: Any) -> str:
    """Return what an interpreter shows of a result: its class and its sentences."""
    return f"<{type(result).__name__}: {result}>"


@cache
def speaker() -> Speaker:
    """Return the sentences of this package, read once."""
    return Speaker(json.loads(files("isocost.decide").joinpath("sentences.json").read_text(encoding="utf-8")))


def say(key: str, data: Data, words: Mapping[str, Any] | None = None) -> str:
    """Return one sentence about plain data: in the words given, else in those of its question, else in the usual ones."""
    if words is not None or "question" not in data:
        data = {**data, "question": {"words": WORDS | dict(words or {})}}
    return speaker().say(key, data)

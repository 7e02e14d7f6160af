"""Names of models, columns, options and files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from isocost.errors import InputError, UnknownNameError


def choice(value: Any, name: str, known: Sequence[str]) -> str:
    """Return `value` if it is one of the known words, else offer the nearest ones."""
    if not isinstance(value, str) or value not in known:
        raise UnknownNameError(name, value, known)
    return value


def instance(value: Any, name: str, kind: type, what: str) -> Any:
    """Return `value` if it is what it must be, said in words."""
    if not isinstance(value, kind):
        raise InputError(f"{name} must be {what}, got {type(value).__name__}")
    return value


def text(value: Any, name: str) -> str:
    """Return text that can be written to a file."""
    if not isinstance(value, str):
        raise InputError(f"{name} must be text, got {value!r:.80}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name} holds half a character, which no file can hold: {value!r:.80}") from None
    return value


def path(value: Any, name: str = "path") -> Path:
    """Return the name of a file as a path."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str) or not os.fspath(value):
        raise InputError(f"{name} must be the name of a file, got {value!r}")
    if "\0" in str(value):
        raise InputError(f"{name} must be the name of a file, got {value!r}: a file name holds no null character")
    return Path(value)


def columns(names: Sequence[Any], present: Sequence[str]) -> None:
    """Raise unless every named column is there."""
    for name in names:
        if not isinstance(name, str) or name not in present:
            raise UnknownNameError("column", name, present)


def names(values: Iterable[Any], kind: str) -> tuple[str, ...]:
    """Return non-empty names, each of them once."""
    try:
        found = tuple(values)
    except TypeError:
        raise InputError(f"{kind}s must be listed by name, got {type(values).__name__}") from None
    for value in found:
        if not isinstance(value, str) or not value:
            raise InputError(f"a {kind} needs a name, a non-empty string: got {value!r}")
    twice = [value for value in dict.fromkeys(found) if found.count(value) > 1]
    if twice:
        raise InputError(
            f"two {kind}s are called {twice[0]!r} ({found.count(twice[0])} of {len(found)}, the first at place "
            f"{found.index(twice[0])}): give each its own name"
        )
    return found


def texts(value: Any, name: str, known: Sequence[str]) -> dict[str, str]:
    """Return texts by name, each name one of the known ones and no text empty; none where nothing is given."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{name} must be a mapping from {', '.join(known)} to texts, got {type(value).__name__}")
    found = {}
    for key, text in value.items():
        choice(key, f"{name} key", known)
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{name}[{key!r}] must be a text, got {text!r}; leave it out for the usual word")
        found[key] = " ".join(text.split())
    return found

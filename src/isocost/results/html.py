"""Results as HTML for notebooks: a sentence and a small table, with every name escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from html import escape
from typing import Any

import numpy as np

MOST_ROWS = 10
MOST_ITEMS = 6
_LEFT = ' style="text-align:left"'
_NUMBER = re.compile(r"[-−]?(\d|inf\b)|–$")


def paragraphs(text: str) -> str:
    """Return each line of a text as a paragraph, escaped."""
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())


def sentence(result: object) -> str:
    """Return what a result says of itself as a paragraph; the name of its class if that is only a list of its fields."""
    text = repr(result)
    return paragraphs(text[1:-1] if text.startswith("<") and text.endswith(">") else in_words(type(result)))


def in_words(cls: type) -> str:
    """Return the name of a class as words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__).capitalize()


def html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts, escaped: names in the first column, words to the left and numbers to the right.

    No colours: whatever theme shows it, the text has that theme's own.
    """
    sides = [_side([row[place] for row in rows]) for place in range(len(head))]
    top = "".join(f"<th{side}>{escape(cell)}</th>" for cell, side in zip(head, sides, strict=True))
    body = "".join(f"<tr>{_row(row, sides)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def names_and_values(values: Mapping[str, Any]) -> str:
    """Return a table of names and values; each value that is a list of results is a table of its own below it."""
    own = {name: value for name, value in values.items() if not _is_records(value)}
    rows = "".join(f"<tr>{_row((name, text_of(value)), (_LEFT, _LEFT))}</tr>" for name, value in own.items())
    table = f"<table><tbody>{rows}</tbody></table>" if own else ""
    return table + "".join(_records(name, value) for name, value in values.items() if name not in own)


def text_of(value: Any) -> str:
    """Return one short line for a value: six digits of a number, the ends of a long array, what a result says of itself."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{int(value)}"
    if isinstance(value, float | np.floating):
        return f"{float(value):.6g}"
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, Mapping):
        parts = [f"{key}: {text_of(item)}" for key, item in value.items()]
        return _listed(parts)
    if isinstance(value, list | tuple):
        return _listed([text_of(item) for item in value])
    if isinstance(value, frozenset):
        return _listed(sorted(text_of(item) for item in value))
    said = str(value) if isinstance(value, str) or hasattr(value, "_shown") else repr(value)
    return said.partition("\n")[0]


def _side(cells: Sequence[str]) -> str:
    return "" if all(_NUMBER.match(cell) for cell in cells if cell) else _LEFT


def _row(cells: Sequence[str], sides: Sequence[str]) -> str:
    tags = ["th", *("td" for _ in cells[1:])]
    return "".join(f"<{t}{side}>{escape(cell)}</{t}>" for t, side, cell in zip(tags, sides, cells, strict=True))


def _is_records(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(is_dataclass(item) for item in value)


def _records(name: str, items: Sequence[Any]) -> str:
    """Return a table with one row an item, the first of them if there are many."""
    shown = [item._shown() if hasattr(item, "_shown") else vars(item) for item in items[:MOST_ROWS]]
    head = list(dict.fromkeys(name for row in shown for name in row))
    # What an item holds in turn is counted: its own table shows it.
    rows = [
        [str(len(row[name])) if _is_records(row.get(name)) else text_of(row.get(name, "")) for name in head]
        for row in shown
    ]
    more = f"<p>and {len(items) - MOST_ROWS} more</p>" if len(items) > MOST_ROWS else ""
    return f"<p>{escape(name)}:</p>{html_table(head, rows)}{more}"


def _listed(parts: Sequence[str]) -> str:
    more = f", … ({len(parts)} in all)" if len(parts) > MOST_ITEMS else ""
    return ", ".join(parts[:MOST_ITEMS]) + more


def _array(values: np.ndarray) -> str:
    if values.ndim != 1:
        return f"array of shape {values.shape}"
    if values.size <= MOST_ITEMS:
        return ", ".join(text_of(value) for value in values)
    return f"{values.size} values, {text_of(values[0])} to {text_of(values[-1])}"

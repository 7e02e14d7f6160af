"""Results as HTML for notebooks: a sentence and a small table, with every name escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from html import escape
from typing import Any

import numpy as np

MOST_ROWS = 10
MOST_ITEMS = 6


def sentence(result: object) -> str:
    """Return what a result says of itself as a paragraph; the name of its class if that is only a list of its fields."""
    text = repr(result)
    said = text[1:-1] if text.startswith("<") and text.endswith(">") else type(result).__name__
    return f"<p>{escape(said)}</p>"


def html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts, escaped; the first column holds names."""
    body = "".join(
        "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for tag, cell in zip(_tags(row), row, strict=True)) + "</tr>"
        for row in rows
    )
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def two_columns(values: Mapping[str, Any]) -> str:
    """Return a table of names and values; a value that is a list of results is a table within it."""
    if not values:
        return ""
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{_cell(value)}</td></tr>" for name, value in values.items())
    return f"<table><tbody>{rows}</tbody></table>"


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


def _tags(row: Sequence[str]) -> list[str]:
    return ["th", *("td" for _ in row[1:])]


def _cell(value: Any) -> str:
    if isinstance(value, list | tuple) and value and all(is_dataclass(item) for item in value):
        return _records(value)
    return escape(text_of(value))


def _records(items: Sequence[Any]) -> str:
    """Return a table with one row an item, the first of them if there are many."""
    shown = [item._shown() if hasattr(item, "_shown") else vars(item) for item in items[:MOST_ROWS]]
    head = list(dict.fromkeys(name for row in shown for name in row))
    rows = [[text_of(row[name]) if name in row else "" for name in head] for row in shown]
    more = f"<p>and {len(items) - MOST_ROWS} more</p>" if len(items) > MOST_ROWS else ""
    return html_table(head, rows) + more


def _listed(parts: Sequence[str]) -> str:
    more = f", … ({len(parts)} in all)" if len(parts) > MOST_ITEMS else ""
    return ", ".join(parts[:MOST_ITEMS]) + more


def _array(values: np.ndarray) -> str:
    if values.ndim != 1:
        return f"array of shape {values.shape}"
    if values.size <= MOST_ITEMS:
        return ", ".join(text_of(value) for value in values)
    return f"{values.size} values, {text_of(values[0])} to {text_of(values[-1])}"

"""How each door spells what a message asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Words:
    """What to write to name a column, a value or a way of reading; {} stands for it.

    These are the words of the library; the command and the explorer have their own.
    """

    label: str = "label={!r}"
    score: str = "score={!r}"
    positive: str = "pos_label={!r}"
    lower: str = "lower_is_positive={!r}"
    missing: str = "pass missing='drop'"
    decimal: str = "pass decimal=','"
    encoding: str = "pass encoding='latin-1'"
    sheet: str = "save the sheet to use, such as {!r}, as a file of its own"
    memory: str = "memory="
    extra: str = "duckdb"
    several: str = "ClassComparison takes several"
    # How a value is written so that it can be typed; None: as Python does.
    quoted: Callable[[str], str] | None = None

    def naming(self, template: str, value: Any) -> str:
        """Return what to write to name a value."""
        return template.format(value if self.quoted is None else self.quoted(str(value)))


def listed(names: list[str], most: int = 12) -> str:
    """Return the first few names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more

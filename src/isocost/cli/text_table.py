"""Tables for people, as wide as the terminal, and for spreadsheets, with all digits."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isocost.cli.inert import inert
from isocost.errors import MissingDependencyError
from isocost.numbers import shorten

# Names are not shortened below this; a table that is still too wide goes on below.
_LEAST_NAME = 10
_GAP = 2
# What a spreadsheet takes for a formula; a number with its sign is none.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d|\.\d|Infinity$)")


@dataclass(frozen=True)
class TextTable:
    """Rows to print; numbers are right-aligned, and rounded here only.

    Attributes
    ----------
    columns, rows : sequences
    title : str, optional
    names : collection of str
        Cells and column heads that may be shortened where the table is too wide.
    right : collection of str
        Columns of text that are aligned like numbers.
    data_columns, data_rows : sequences, optional
        What a spreadsheet gets, where that is more than people see.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str | None = None
    names: Collection[str] = ()
    right: Collection[str] = ()
    data_columns: Sequence[str] | None = None
    data_rows: Sequence[Sequence[Any]] = ()

    def csv(self) -> str:
        """Return the table with all digits and whole names."""
        import csv
        import io

        columns, rows = (self.columns, self.rows) if self.data_columns is None else (self.data_columns, self.data_rows)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([_harmless(name) for name in columns])
        writer.writerows(["" if cell is None else _harmless(cell) for cell in row] for row in rows)
        return text.getvalue()

    def markdown(self) -> str:
        """Return the table as Markdown, with whole names and rounded as for people."""
        columns = [[cell.replace("|", "\\|") for cell in column] for column in self._cells({})]
        right = [
            name in self.right or all(_is_number(row[place]) for row in self.rows)
            for place, name in enumerate(self.columns)
        ]
        head, *rows = zip(*columns, strict=True)
        lines = [head, ["---:" if side else "---" for side in right], *rows]
        title = "" if self.title is None else f"**{inert(self.title, lines=False)}**\n\n"
        return title + "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def lines(self, width: int | None = None) -> list[str]:
        """Return the lines to print, within so many columns of the terminal where that can be."""
        cells = self._cells({})
        names = list(self.names)
        most = max((len(name) for name in names), default=0)
        while width is not None and most > _LEAST_NAME and _total(cells) > width:
            most -= 1
            cells = self._cells(dict(zip(names, shorten(names, most), strict=True)))
        right = [
            name in self.right or all(_is_number(row[place]) for row in self.rows)
            for place, name in enumerate(self.columns)
        ]
        return [
            line
            for part in _parts(cells, width)
            for line in _laid_out([cells[i] for i in part], [right[i] for i in part])
        ]

    def _cells(self, short: Mapping[str, str]) -> list[list[str]]:
        """Return each column as text, its head first, with short names for some."""
        return [
            # A threshold rounded up would miss the very case it stands for.
            [
                inert(short.get(text, text), lines=False)
                for text in (name, *(shown(row[place], exact=name == "threshold") for row in self.rows))
            ]
            for place, name in enumerate(self.columns)
        ]


def _total(columns: Sequence[Sequence[str]]) -> int:
    return sum(_width(column) + _GAP for column in columns) - _GAP


def _width(column: Sequence[str]) -> int:
    return max(_length(text) for text in column)


def _parts(columns: Sequence[Sequence[str]], width: int | None) -> Iterator[list[int]]:
    """Yield the columns to print beside each other: all, or as many as fit, each time after the first."""
    taken = [0]
    for place in range(1, len(columns)):
        if width is not None and len(taken) > 1 and _total([columns[i] for i in (*taken, place)]) > width:
            yield taken
            taken = [0]
        taken.append(place)
    yield taken


def _laid_out(columns: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    widths = [_width(column) for column in columns]
    return [(" " * _GAP).join(map(_aligned, row, widths, right)).rstrip() for row in zip(*columns, strict=True)]


def _aligned(text: str, width: int, right: bool) -> str:
    space = " " * (width - _length(text))
    return space + text if right else text + space


def _length(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    try:
        from rich.cells import cell_len
    except ImportError as error:
        raise MissingDependencyError("isocost", "rich", "cli") from error
    return cell_len(text)


def _harmless(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: names of models come from outside."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _is_number(cell: Any) -> bool:
    return cell is None or isinstance(cell, int | float)


def shown(cell: Any, *, exact: bool = False) -> str:
    """Return a cell as people read it: four digits, unless all are needed."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.4g}" if isinstance(cell, float) and not exact else str(cell)

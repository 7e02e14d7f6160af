"""Results to standard output or a file that is whole or not there; messages and progress to standard error."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import shutil
import sys
import textwrap
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import isocost
from isocost import numbers
from isocost.cli import inert
from isocost.errors import FewCasesWarning, InputError
from isocost.results import atomically, is_numeric, no_formula, plain, write_text

# Of the JSON form, as schema.json describes it.
VERSION = 2
# Work shorter than this many seconds shows no progress.
PATIENCE = 1.0
FIGURES = (".pdf", ".svg", ".png")


@dataclass(frozen=True)
class Messages:
    """What a person wants to know meanwhile; nothing a program needs."""

    quiet: bool = False

    def say(self, text: str) -> None:
        """Print a message unless it has to be quiet."""
        if not self.quiet:
            print(inert(text), file=sys.stderr)

    @contextmanager
    def resampling(self, doing: str) -> Iterator[None]:
        """Show that long work goes on, and print warnings about few cases when it is done."""
        with self.progress(doing), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", FewCasesWarning)
            yield
        for warning in caught:
            self.say(f"Warning: {warning.message}")

    @contextmanager
    def progress(self, doing: str, _: Any = None) -> Iterator[None]:
        """Show that long work goes on, on a terminal only."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        from rich.console import Console

        status = Console(stderr=True).status(doing)
        timer = threading.Timer(PATIENCE, status.start)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            status.stop()


@dataclass(frozen=True)
class Table:
    """A table: cells as people read them, and the rows that a spreadsheet gets, with all digits."""

    heads: Sequence[str]
    cells: Sequence[Sequence[str]]
    rows: Sequence[Mapping[str, Any]]
    title: str | None = None

    @classmethod
    def of(
        cls, rows: Sequence[Mapping[str, Any]], heads: Mapping[str, Any] | None = None, title: str | None = None
    ) -> Self:
        """Return a table of which people see some columns: the head of each, with how its values are written for people."""
        named = {name: name for name in rows[0]} if heads is None else heads
        pairs = {key: head if isinstance(head, tuple) else (head, shown) for key, head in named.items()}
        cells = [
            ["–" if row[key] is None else written(row[key]) for key, (_, written) in pairs.items()] for row in rows
        ]
        return cls([head for head, _ in pairs.values()], cells, rows, title)

    @property
    def columns(self) -> list[list[str]]:
        """Each column as people see it, its head first; names come from outside."""
        return [[inert(cell, lines=False) for cell in column] for column in zip(self.heads, *self.cells, strict=True)]

    def csv(self) -> str:
        """Return the table with all digits; no cell is taken for a formula, since names of models come from outside."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            ["" if cell is None else no_formula(cell) for cell in map(plain, row)]
            for row in (self.rows[0], *(row.values() for row in self.rows))
        )
        return text.getvalue()

    def markdown(self) -> str:
        """Return the table as Markdown, rounded as for people."""
        columns = self.columns
        head, *rows = zip(*([cell.replace("|", "\\|") for cell in column] for column in columns), strict=True)
        lines = [head, ["---:" if is_numeric(cells) else "---" for _, *cells in columns], *rows]
        title = "" if self.title is None else f"**{inert(self.title, lines=False)}**\n\n"
        return title + "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def text(self, width: int | None = None, *, bold: bool = False) -> str:
        """Return the lines to print; where they are wider than a terminal, the table goes on below its first column."""
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        colours: Any = {"force_terminal": bold, "color_system": "standard" if bold else None, "legacy_windows": False}
        console = Console(file=io.StringIO(), width=width or 100_000, **colours)
        columns = self.columns
        with console.capture() as held:
            if self.title is not None:
                console.print(Text(inert(self.title)), style="bold" if bold else None)
            for widths in _laid_out(columns, width or 100_000):
                table = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold" if bold else "")
                for place, wide in widths.items():
                    justify: Any = "right" if is_numeric(columns[place][1:]) else "left"
                    table.add_column(Text(columns[place][0]), justify=justify, width=wide, overflow="fold")
                for row in range(1, len(self.cells) + 1):
                    table.add_row(*(Text(columns[place][row]) for place in widths))
                console.print(table)
        return "\n".join(line.rstrip() for line in held.get().splitlines())


def _laid_out(columns: Sequence[Sequence[str]], most: int) -> list[dict[int, int]]:
    """Return the widths of the columns that stand side by side, part by part; each part begins with the first column.

    A column can be as narrow as its longest word, or its longest number; heads give way before cells.
    """
    from rich.cells import cell_len

    wide = [max(map(cell_len, column)) for column in columns]
    least = [
        max(map(cell_len, [*head.split(), *(cells if is_numeric(cells) else " ".join(cells).split())]), default=0)
        for head, *cells in columns
    ]
    body = [max(map(cell_len, cells), default=0) for _, *cells in columns]
    least[0] = min(least[0], most // 2)
    parts = [[0]]
    for place in range(1, len(columns)):
        if len(parts[-1]) > 1 and sum(least[i] + 2 for i in [*parts[-1], place]) - 2 > most:
            parts.append([0])
        parts[-1].append(place)
    found = []
    for part in parts:
        widths = {place: wide[place] for place in part}
        while sum(widths.values()) + 2 * len(part) - 2 > most:
            place = max(
                part, key=lambda i: (max(0, widths[i] - max(least[i], body[i])), widths[i] - least[i], widths[i])
            )
            widths[place] -= 1
        found.append(widths)
    return found


def per_1000(cost: float) -> str:
    """Return a cost per case as people read it."""
    return numbers.money(1000 * cost)


def shown(cell: Any) -> str:
    """Return a cell as people read it: numbers with four digits."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:.4g}" if math.isfinite(cell) else "–" if math.isnan(cell) else "∞" if cell > 0 else "−∞"


@dataclass(frozen=True)
class Answer:
    """What a command found out: for people (sentences and tables), and for programs (plain data).

    `page` is Markdown that stands in place of the parts, and `code` the exit code.
    """

    parts: Sequence[str | Table]
    data: Mapping[str, Any]
    page: str | None = None
    code: int = 0

    def json(self, command: str) -> str:
        """Return the documented JSON form."""
        head = {"version": VERSION, "isocost": isocost.__version__, "command": command}
        body = json.dumps(plain(head | dict(self.data)), indent=2, ensure_ascii=False, allow_nan=False)
        # What is left of control characters stands inside strings, where JSON has another spelling for it.
        return re.sub(r"[\x7f-\x9f\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", body) + "\n"

    def text(self, width: int | None = None, *, bold: bool = False) -> str:
        """Return the form for people: as wide as it is, unless a width is given."""
        written = [
            part.text(width, bold=bold) if isinstance(part, Table) else _wrapped(inert(part), width)
            for part in self.parts
        ]
        return "\n\n".join(written) + "\n"

    def markdown(self) -> str:
        """Return the form for people as Markdown: every line of a sentence is a paragraph."""
        if self.page is not None:
            return self.page
        written = [part.markdown() if isinstance(part, Table) else _paragraphs(part) for part in self.parts]
        return "\n".join(text for text in written if text)

    def show(self, command: str, *, as_json: bool) -> None:
        """Print the answer, as wide as a terminal is."""
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        bold = width is not None and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        sys.stdout.write(self.json(command) if as_json else self.text(width, bold=bold))

    def save(self, command: str, output: str, *, as_json: bool) -> None:
        """Write the answer to a file: JSON, the first table as CSV, Markdown, or text, by suffix.

        The summary of a CI job, which GITHUB_STEP_SUMMARY names, is Markdown that every step adds to.
        """
        suffix = ".json" if as_json else Path(output).suffix.lower()
        if is_job_summary(output):
            with Path(output).open("a", encoding="utf-8") as summary:
                summary.write(self.markdown() + "\n")
        elif suffix == ".csv":
            tables = [part for part in self.parts if isinstance(part, Table)]
            if not tables:
                raise InputError(f"cannot write {output}: `isocost {command}` makes no table; use .json, .md or .txt")
            write_text(output, tables[0].csv())
        else:
            write_text(
                output, self.json(command) if suffix == ".json" else self.markdown() if suffix == ".md" else self.text()
            )


def draw(display: Any, output: str, width: float | None = None) -> None:
    """Draw a display into a file, whole or not at all."""
    drawn = display.plot() if width is None else display.sized(width).plot()
    with atomically(output) as path:
        drawn.figure_.savefig(path, format=Path(output).suffix[1:].lower(), dpi=200)


def is_job_summary(output: str) -> bool:
    """Tell whether an output is the summary of a CI job, however its path is spelled."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    return bool(summary) and os.path.realpath(output) == os.path.realpath(str(summary))


def _paragraphs(text: str) -> str:
    """Return each line as a paragraph, in which nothing is taken for Markdown's marks."""
    marked = re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", inert(text))
    return "".join(f"{line}\n\n" for line in marked.splitlines() if line.strip())


def _wrapped(text: str, width: int | None) -> str:
    if width is None:
        return text
    options: Any = {"break_long_words": False, "break_on_hyphens": False}
    # Commands are to be copied.
    lines = (line if ": isocost " in line else textwrap.fill(line, width, **options) for line in text.split("\n"))
    return "\n".join(lines)

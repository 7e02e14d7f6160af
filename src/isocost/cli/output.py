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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import isocost
from isocost.cli import inert
from isocost.errors import FewCasesWarning, MissingDependencyError
from isocost.results import plain, write_text

# Of the JSON form, as schema.json describes it.
VERSION = 2
# Work shorter than this many seconds shows no progress.
PATIENCE = 1.0
# What a spreadsheet takes for a formula; a number with its sign is none.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d|\.\d|Infinity$)")


@dataclass(frozen=True)
class Messages:
    """What a person wants to know meanwhile; nothing a program needs."""

    quiet: bool = False
    verbose: bool = False

    def say(self, text: str) -> None:
        """Print a message unless it has to be quiet."""
        if not self.quiet:
            print(inert(text), file=sys.stderr)

    def detail(self, text: str) -> None:
        """Print a message if there are to be more of them."""
        if self.verbose:
            print(inert(text), file=sys.stderr)

    @contextmanager
    def resampling(self, doing: str) -> Iterator[None]:
        """Show progress, and print warnings about few cases when the work is done."""
        with self.progress(doing), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", FewCasesWarning)
            yield
        for warning in caught:
            self.say(f"Warning: {warning.message}")

    @contextmanager
    def progress(self, doing: str, percent: Callable[[], float] | None = None) -> Iterator[None]:
        """Show that long work goes on, on a terminal only."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        done = threading.Event()
        thread = threading.Thread(target=_show_progress, args=(doing, percent, done), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


def _show_progress(doing: str, percent: Callable[[], float] | None, done: threading.Event) -> None:
    if done.wait(PATIENCE):
        return
    with suppress(ImportError):
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(doing, total=None if percent is None else 100)
            while not done.wait(0.1):
                known = -1.0 if percent is None else percent()
                if known >= 0:
                    progress.update(task, completed=known)


@dataclass(frozen=True)
class Table:
    """Rows to print; numbers are right-aligned, and rounded here only.

    Attributes
    ----------
    columns, rows : sequences
    title : str, optional
    right : collection of str
        Columns of text that are aligned like numbers.
    full : sequence of dict, optional
        The rows that a spreadsheet gets, where that is more than people see.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str | None = None
    right: Collection[str] = ()
    full: Sequence[Mapping[str, Any]] | None = None

    def csv(self) -> str:
        """Return the table with all digits; no cell is taken for a formula, since names of models come from outside."""
        rows = (
            [self.columns, *self.rows]
            if self.full is None
            else [list(self.full[0]), *(row.values() for row in self.full)]
        )
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            ["" if cell is None else f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell for cell in row]
            for row in rows
        )  # fmt: skip
        return text.getvalue()

    def markdown(self) -> str:
        """Return the table as Markdown, rounded as for people."""
        columns = [[cell.replace("|", "\\|") for cell in column] for column in self._cells()]
        head, *rows = zip(*columns, strict=True)
        lines = [head, ["---:" if self._numeric(place) else "---" for place in range(len(head))], *rows]
        title = "" if self.title is None else f"**{inert(self.title, lines=False)}**\n\n"
        return title + "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def text(self, width: int | None = None, *, bold: bool = False) -> str:
        """Return the lines to print; where they are wider than a terminal, the table goes on below its first column."""
        try:
            from rich.console import Console
            from rich.table import Table as RichTable
            from rich.text import Text
        except ImportError as error:
            raise MissingDependencyError("isocost", "rich", "cli") from error
        console = Console(
            file=io.StringIO(), width=width or 100_000, force_terminal=bold, color_system="standard" if bold else None, legacy_windows=False
        )  # fmt: skip
        cells = self._cells()

        def made(places: Sequence[int]) -> RichTable:
            table = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold" if bold else "")
            for place in places:
                right = self._numeric(place)
                table.add_column(
                    Text(cells[place][0]), justify="right" if right else "left", no_wrap=right, overflow="fold"
                )
            for row in range(1, len(self.rows) + 1):
                table.add_row(*(Text(cells[place][row]) for place in places))
            return table

        parts, unbounded = [[0]], console.options.update(width=100_000)
        for place in range(1, len(self.columns)):
            fits = width is None or console.measure(made([*parts[-1], place]), options=unbounded).minimum <= width
            parts += [] if fits or len(parts[-1]) == 1 else [[0]]
            parts[-1].append(place)
        with console.capture() as held:
            if self.title is not None:
                console.print(Text(inert(self.title)), style="bold" if bold else None)
            for places in parts:
                console.print(made(places))
        return "\n".join(line.rstrip() for line in held.get().splitlines())

    def _numeric(self, place: int) -> bool:
        numbers = all(row[place] is None or isinstance(row[place], int | float) for row in self.rows)
        return self.columns[place] in self.right or numbers

    def _cells(self) -> list[list[str]]:
        """Return each column as text, its head first. A threshold rounded up would miss the very case it stands for."""
        return [
            [inert(text, lines=False) for text in (name, *(shown(row[place], exact=name == "threshold") for row in self.rows))]
            for place, name in enumerate(self.columns)
        ]  # fmt: skip


def shown(cell: Any, *, exact: bool = False) -> str:
    """Return a cell as people read it: four digits, unless all are needed."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.4g}" if isinstance(cell, float) and not exact else str(cell)


@dataclass(frozen=True)
class Answer:
    """What a command found out: for people (sentences and tables), and for programs (plain data)."""

    command: str
    parts: Sequence[str | Table]
    data: Mapping[str, Any]
    # Instead of the parts, where a result has a page of its own.
    page: str | None = None

    def json(self) -> str:
        """Return the documented JSON form."""
        head = {"version": VERSION, "isocost": isocost.__version__, "command": self.command}
        body = json.dumps(plain(head | dict(self.data)), indent=2, ensure_ascii=False, allow_nan=False)
        # What is left of control characters stands inside strings, where JSON has another spelling for it.
        return re.sub(r"[\x7f-\x9f\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", body) + "\n"

    def text(self, width: int | None = None, *, bold: bool = False) -> str:
        """Return the form for people: as wide as it is, unless a width is given."""
        return "\n\n".join(
            part.text(width, bold=bold) if isinstance(part, Table) else _wrapped(inert(part), width) for part in self.parts
        ) + "\n"  # fmt: skip

    def markdown(self) -> str:
        """Return the form for people as Markdown: every line of a sentence is a paragraph."""
        if self.page is not None:
            return self.page
        written = [part.markdown() if isinstance(part, Table) else _paragraphs(part) for part in self.parts]
        return "\n".join(text for text in written if text)

    def give(self, *, as_json: bool, output: str | None) -> None:
        """Print the result, or write it to a file: JSON, the first table as CSV, Markdown, or text, by suffix.

        The summary of a CI job, which GITHUB_STEP_SUMMARY names, is Markdown that every step adds to.
        """
        if output is not None and output == os.environ.get("GITHUB_STEP_SUMMARY"):
            with Path(output).open("a", encoding="utf-8") as summary:
                summary.write(self.markdown())
        elif output is not None:
            suffix = ".json" if as_json else Path(output).suffix
            if suffix == ".csv":
                body = next(part for part in self.parts if isinstance(part, Table)).csv()
            else:
                body = {".json": self.json, ".md": self.markdown}.get(suffix, self.text)()
            write_text(output, body)
        elif as_json:
            sys.stdout.write(self.json())
        elif sys.stdout.isatty():
            plainly = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
            sys.stdout.write(self.text(shutil.get_terminal_size().columns, bold=not plainly))
        else:
            sys.stdout.write(self.text())


def _paragraphs(text: str) -> str:
    """Return each line as a paragraph, in which nothing is taken for Markdown's marks."""
    marked = re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", inert(text))
    return "".join(f"{line}\n\n" for line in marked.splitlines() if line.strip())


def _wrapped(text: str, width: int | None) -> str:
    if width is None:
        return text
    lines = (textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(line) for line in lines)

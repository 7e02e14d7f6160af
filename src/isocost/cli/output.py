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
from typing import Any, Self

import isocost
from isocost.cli import inert
from isocost.errors import FewCasesWarning, MissingDependencyError
from isocost.results import atomically, no_formula, plain, write_text

# Of the JSON form, as schema.json describes it.
VERSION = 2
# Work shorter than this many seconds shows no progress.
PATIENCE = 1.0
FIGURES = (".pdf", ".svg", ".png")


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
                if percent is not None and (known := percent()) >= 0:
                    progress.update(task, completed=known)


@dataclass(frozen=True)
class Table:
    """Rows to print; numbers are right-aligned, and rounded here only.

    `right` are columns of text that are aligned like numbers; `full` are the rows that a spreadsheet gets, where people see less.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str | None = None
    right: Collection[str] = ()
    full: Sequence[Mapping[str, Any]] | None = None

    @classmethod
    def of(cls, full: Sequence[Mapping[str, Any]], shown: Mapping[str, Any], title: str | None = None) -> Self:
        """Return the table of rows of which people see some columns: the name of each, with how its numbers are written for people."""
        heads = {key: head if isinstance(head, tuple) else (head, None) for key, head in shown.items()}
        rows = [
            [row[key] if row[key] is None or written is None else written(row[key]) for key, (_, written) in heads.items()]
            for row in full
        ]  # fmt: skip
        return cls(
            [name for name, _ in heads.values()],
            rows,
            title,
            {name for name, written in heads.values() if written},
            full,
        )

    def csv(self) -> str:
        """Return the table with all digits; no cell is taken for a formula, since names of models come from outside."""
        full = self.full
        rows = [self.columns, *self.rows] if full is None else [list(full[0]), *(row.values() for row in full)]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            ["" if cell is None else no_formula(cell) for cell in row] for row in rows
        )
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
        colours: Any = {"force_terminal": bold, "color_system": "standard" if bold else None, "legacy_windows": False}
        console = Console(file=io.StringIO(), width=width or 100_000, **colours)
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

        unbounded = console.options.update(width=100_000)
        parts = self._parts(lambda places: console.measure(made(places), options=unbounded).minimum, width or math.inf)
        with console.capture() as held:
            if self.title is not None:
                console.print(Text(inert(self.title)), style="bold" if bold else None)
            for places in parts:
                console.print(made(places))
        return "\n".join(line.rstrip() for line in held.get().splitlines())

    def _parts(self, width_of: Callable[[list[int]], int], most: float) -> list[list[int]]:
        """Return the columns that stand side by side; the first is repeated."""
        parts = [[0]]
        for place in range(1, len(self.columns)):
            if len(parts[-1]) > 1 and width_of([*parts[-1], place]) > most:
                parts.append([0])
            parts[-1].append(place)
        return parts

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
            write_text(output, next(part for part in self.parts if isinstance(part, Table)).csv())
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
    lines = (textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(line) for line in lines)

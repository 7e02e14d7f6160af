"""Results to standard output or a file that is whole or not there; messages and progress to standard error."""

from __future__ import annotations

import json
import math
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import isocost
from isocost.errors import MissingDependencyError
from isocost.results.whole_files import write_text

SCHEMA = 1
# Work shorter than this many seconds shows no progress.
PATIENCE = 1.0


@dataclass(frozen=True)
class Messages:
    """What a person wants to know meanwhile; nothing a program needs."""

    quiet: bool = False
    verbose: bool = False

    def say(self, text: str) -> None:
        """Print a message unless asked to be quiet."""
        if not self.quiet:
            print(text, file=sys.stderr)

    def detail(self, text: str) -> None:
        """Print a message if asked for more of them."""
        if self.verbose:
            print(text, file=sys.stderr)

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
class TextTable:
    """Rows to print; numbers are right-aligned, and rounded here only."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str | None = None

    def csv(self) -> str:
        """Return the table with all digits."""
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return text.getvalue()


@dataclass(frozen=True)
class Answer:
    """What a command found out: for people (sentences and tables), and for programs (plain data)."""

    command: str
    parts: Sequence[str | TextTable]
    data: Mapping[str, Any]

    def json(self) -> str:
        """Return the documented JSON form."""
        head = {"isocost": isocost.__version__, "schema": SCHEMA, "command": self.command}
        return json.dumps(plain(head | dict(self.data)), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def text(self) -> str:
        """Return the form for people, without colours and as wide as it is."""
        import io

        stream = io.StringIO()
        _print(self.parts, stream, width=10_000)
        return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"

    def give(self, *, as_json: bool, output: str | None) -> None:
        """Print the result, or write it to a file: JSON, the first table as CSV, or text, by suffix."""
        if output is not None:
            suffix = Path(output).suffix
            if suffix == ".json" or as_json:
                body = self.json()
            elif suffix == ".csv":
                body = next(part for part in self.parts if isinstance(part, TextTable)).csv()
            else:
                body = self.text()
            write_text(output, body)
        elif as_json:
            sys.stdout.write(self.json())
        elif sys.stdout.isatty():
            _print(self.parts, sys.stdout, width=None)
        else:
            sys.stdout.write(self.text())


def _print(parts: Sequence[str | TextTable], stream: Any, width: int | None) -> None:
    try:
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text
    except ImportError as error:
        raise MissingDependencyError("isocost", "rich", "cli") from error
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    for place, part in enumerate(parts):
        if place:
            console.print()
        if isinstance(part, str):
            console.print(Text(part), soft_wrap=width is not None)
            continue
        if part.title:
            console.print(Text(part.title, style="bold"))
        table = RichTable(box=None, pad_edge=False, header_style="bold")
        for column, cells in zip(part.columns, _columns(part), strict=True):
            table.add_column(Text(column), justify="right" if _numeric(cells) else "left", no_wrap=True)
        for row in part.rows:
            # A threshold rounded up would miss the very case it stands for.
            named = zip(part.columns, row, strict=True)
            table.add_row(*(Text(shown(cell, exact=name == "threshold")) for name, cell in named))
        console.print(table)


def _columns(table: TextTable) -> list[list[Any]]:
    return [[row[i] for row in table.rows] for i in range(len(table.columns))]


def _numeric(cells: Sequence[Any]) -> bool:
    return all(cell is None or isinstance(cell, int | float) for cell in cells)


def shown(cell: Any, *, exact: bool = False) -> str:
    """Return a cell as people read it: four digits, unless all are needed."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.4g}" if isinstance(cell, float) and not exact else str(cell)


def plain(value: Any) -> Any:
    """Return data as JSON can hold it: infinities as words, NaN as null."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value

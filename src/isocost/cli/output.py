"""Results to standard output or a file that is whole or not there; messages and progress to standard error."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import isocost
from isocost.cli.inert import inert
from isocost.cli.text_table import TextTable
from isocost.results import plain, write_text

# Of the JSON form, as schema.json describes it.
VERSION = 2
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
            print(inert(text), file=sys.stderr)

    def detail(self, text: str) -> None:
        """Print a message if asked for more of them."""
        if self.verbose:
            print(inert(text), file=sys.stderr)

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
class Answer:
    """What a command found out: for people (sentences and tables), and for programs (plain data)."""

    command: str
    parts: Sequence[str | TextTable]
    data: Mapping[str, Any]
    # Instead of the parts, where a result has a page of its own.
    page: str | None = None

    def json(self) -> str:
        """Return the documented JSON form."""
        head = {"version": VERSION, "isocost": isocost.__version__, "command": self.command}
        body = json.dumps(plain(head | dict(self.data)), indent=2, ensure_ascii=False, allow_nan=False)
        # What is left of control characters stands inside strings, where JSON has another spelling for it.
        return re.sub(r"[\x7f-\x9f\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", body) + "\n"

    def text(self) -> str:
        """Return the form for people, without colours and as wide as it is."""
        return _as_text(self.parts)

    def markdown(self) -> str:
        """Return the form for people as Markdown: every line of a sentence is a paragraph."""
        if self.page is not None:
            return self.page
        written = [part.markdown() if isinstance(part, TextTable) else _paragraphs(part) for part in self.parts]
        return "\n".join(text for text in written if text)

    def give(self, *, as_json: bool, output: str | None) -> None:
        """Print the result, or write it to a file: JSON, the first table as CSV, Markdown, or text, by suffix.

        The summary of a CI job, which GITHUB_STEP_SUMMARY names, is Markdown that every step adds to.
        """
        if output is not None and output == os.environ.get("GITHUB_STEP_SUMMARY"):
            with Path(output).open("a", encoding="utf-8") as summary:
                summary.write(self.markdown())
        elif output is not None:
            suffix = Path(output).suffix
            if suffix == ".json" or as_json:
                body = self.json()
            elif suffix == ".csv":
                body = next(part for part in self.parts if isinstance(part, TextTable)).csv()
            elif suffix == ".md":
                body = self.markdown()
            else:
                body = self.text()
            write_text(output, body)
        elif as_json:
            sys.stdout.write(self.json())
        elif sys.stdout.isatty():
            plainly = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
            sys.stdout.write(_as_text(self.parts, shutil.get_terminal_size().columns, bold=not plainly))
        else:
            sys.stdout.write(self.text())


def _paragraphs(text: str) -> str:
    """Return each line as a paragraph, in which nothing is taken for Markdown's marks."""
    marked = re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", inert(text))
    return "".join(f"{line}\n\n" for line in marked.splitlines() if line.strip())


def _as_text(parts: Sequence[str | TextTable], width: int | None = None, *, bold: bool = False) -> str:
    """Return sentences and tables, with an empty line between two; tables as wide as they are unless a width is given."""
    written = []
    for part in parts:
        if isinstance(part, str):
            written.append(_wrapped(inert(part), width))
            continue
        title = [] if part.title is None else [_bold(inert(part.title)) if bold else inert(part.title)]
        head, *rest = part.lines(width)
        written.append("\n".join([*title, _bold(head) if bold else head, *rest]))
    return "\n\n".join(written) + "\n"


def _wrapped(text: str, width: int | None) -> str:
    if width is None:
        return text
    lines = (textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(line) for line in lines)


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"

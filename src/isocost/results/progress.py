"""Progress of long runs: told to whoever asked, else shown on a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from html import escape
from importlib import import_module
from typing import Any, Protocol, Self

from isocost.errors import InputError

Report = Callable[[int, int], Any]
# Nobody needs to be told about work that is over by then.
_PATIENCE = 1.0


class Progress:
    """Counts finished work; a context manager, so that what is shown goes away whatever happens."""

    def __init__(self, total: int, report: Report | bool | None, what: str) -> None:
        if not (report is None or isinstance(report, bool) or callable(report)):
            raise InputError(f"progress must be a function of (done, total), True, False or None, got {report!r}")
        self.total, self.what = total, what
        self._report = report if callable(report) else None
        seen = in_notebook() or (sys.stderr is not None and sys.stderr.isatty())
        self._show = report is True or (report is None and seen)
        self._begin = time.monotonic()
        self._bar: Bar | None = None

    def __enter__(self) -> Self:
        return self

    def update(self, done: int) -> None:
        """Tell that so much is done."""
        if self._report is not None:
            self._report(done, self.total)
        elif self._show:
            passed = time.monotonic() - self._begin
            if passed > _PATIENCE:
                if self._bar is None:
                    self._bar = _bar(self.total, self.what, done)
                self._bar.show(done, passed * (self.total - done) / max(done, 1))

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()


class Bar(Protocol):
    """One way to show progress."""

    def show(self, done: int, left: float) -> None:
        """Show how much is done, and for how many seconds it will go on."""

    def close(self) -> None:
        """Take it away."""


class Line:
    """A line on a terminal, written over."""

    def __init__(self, total: int, what: str) -> None:
        self.total, self.what = total, what

    def show(self, done: int, left: float) -> None:
        """Write it."""
        sys.stderr.write(f"\r{self.what}: {done} of {self.total}, about {left:.0f} s left\x1b[K")
        sys.stderr.flush()

    def close(self) -> None:
        """Clear it."""
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class Cell:
    """A bar below the cell of a notebook, without other packages."""

    def __init__(self, total: int, what: str) -> None:
        found = import_module("IPython.display")
        self.total, self.what, self._html = total, what, found.HTML
        self._handle = found.display(found.HTML(""), display_id=True)

    def show(self, done: int, left: float) -> None:
        """Draw it."""
        bar = f'<progress value="{done}" max="{self.total}"></progress>'
        text = escape(f"{self.what}: {done} of {self.total}, about {left:.0f} s left")
        self._handle.update(self._html(f"{bar} {text}"))

    def close(self) -> None:
        """Leave nothing behind."""
        self._handle.update(self._html(""))


class Tqdm:
    """The bar that tqdm draws in this notebook."""

    def __init__(self, tqdm: Callable[..., Any], total: int, what: str, done: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # without ipywidgets it draws with characters, and says so
            self._bar = tqdm(total=total, desc=what, initial=done, leave=False)

    def show(self, done: int, left: float) -> None:  # noqa: ARG002 - tqdm reckons for itself
        """Move it."""
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Take it away."""
        self._bar.close()


def in_notebook() -> bool:
    """Return whether this runs in a kernel that a notebook talks to."""
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return get_shell is not None and getattr(get_shell(), "kernel", None) is not None


def _bar(total: int, what: str, done: int) -> Bar:
    if not in_notebook():
        return Line(total, what)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tqdm = import_module("tqdm.auto").tqdm
    except ImportError:
        return Cell(total, what)
    return Tqdm(tqdm, total, what, done)

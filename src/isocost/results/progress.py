"""Progress of long runs: told to whoever asked, else shown on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Self

from isocost.errors import InputError

Report = Callable[[int, int], Any]
# Nobody needs to be told about work that is over by then.
_PATIENCE = 1.0


class Progress:
    """Counts finished work; a context manager, so that the line on the terminal goes away whatever happens."""

    def __init__(self, total: int, report: Report | bool | None, what: str) -> None:
        if not (report is None or isinstance(report, bool) or callable(report)):
            raise InputError(f"progress must be a function of (done, total), True, False or None, got {report!r}")
        self.total, self.what = total, what
        self._report = report if callable(report) else None
        self._show = report is True or (report is None and sys.stderr is not None and sys.stderr.isatty())
        self._begin = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def update(self, done: int) -> None:
        """Tell that so much is done."""
        if self._report is not None:
            self._report(done, self.total)
        elif self._show:
            passed = time.monotonic() - self._begin
            if passed > _PATIENCE:
                left = passed * (self.total - done) / max(done, 1)
                sys.stderr.write(f"\r{self.what}: {done} of {self.total}, about {left:.0f} s left\x1b[K")
                sys.stderr.flush()
                self._shown = True

    def __exit__(self, *error: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

"""The explorer: the report page served on this machine alone, with another file, other columns or other resampling at hand."""

from __future__ import annotations

import secrets
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from isocost.comparison import Comparison
from isocost.conditions import Condition, Conditions
from isocost.errors import InputError, IsocostError
from isocost.explorer.serving import Server
from isocost.report.report import Report, build
from isocost.report.tables import Columns, Roles, chosen, guessed, read_table

MOST_BYTES = 100_000_000

Reader = Callable[[bytes, str], Columns]


@dataclass(frozen=True)
class Settings:
    """What the user chose beside the file; the condition is chosen on the page itself."""

    condition: Condition | None = None
    over: Conditions | None = None
    title: str | None = None
    unit: str = "€"
    n_resamples: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class View:
    """A file, the roles of its columns, and its report; or a report alone."""

    name: str | None = None
    columns: Columns | None = None
    roles: Roles | None = None
    settings: Settings = Settings()
    report: Report | None = None
    problem: str | None = None


def view_of(columns: Columns, name: str, roles: Roles | None, settings: Settings) -> View:
    """Return the report of a file."""
    roles = guessed(columns) if roles is None else roles
    comparison = Comparison.from_scores(
        columns[roles.label], {score: columns[score] for score in roles.scores}, pos_label=roles.pos_label
    )
    report = build(
        comparison, over=settings.over, condition=settings.condition, title=settings.title or name,
        unit=settings.unit, n_resamples=settings.n_resamples, rng=settings.seed,
    )  # fmt: skip
    return View(name, columns, roles, settings, report)


class Explorer:
    """A server on 127.0.0.1 whose address holds a secret; it writes nothing, and ends with `close` or Ctrl-C.

    Parameters
    ----------
    view : View
        What it opens with; see `view_of`.
    read : callable
        Turns the bytes and the name of a file into columns.
    port : int
        0 takes a free one.
    most_bytes : int
        The largest file it accepts.
    """

    def __init__(
        self, view: View | None = None, *, read: Reader = read_table, port: int = 0, most_bytes: int = MOST_BYTES
    ) -> None:
        self.view = View() if view is None else view
        self.read = read
        self.most_bytes = most_bytes
        self.token = secrets.token_urlsafe(24)
        self._changing = Lock()
        self._server = Server(self, port)
        self.port: int = self._server.server_address[1]

    @property
    def url(self) -> str:
        """The address to open, secret included."""
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which a browser may ask: another name means another site points at this machine."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def serve(self) -> None:
        """Answer until `close` is called."""
        self._server.serve_forever(poll_interval=0.1)

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()

    def open(self, data: bytes, name: str) -> None:
        """Show another file; if it cannot be used the view stays as it is."""
        columns = self.read(data, name)
        with self._changing:
            settings = replace(self.view.settings, title=None, condition=None, over=None)
            try:
                self.view = view_of(columns, name, None, settings)
            except IsocostError as error:
                # The file is fine, only its columns are not yet: let the user choose them.
                first = next(iter(columns))
                roles = Roles(first, tuple(c for c in columns if c != first and columns[c].dtype.kind in "fiu"))
                self.view = View(name, columns, roles, settings, None, str(error))

    def change(self, given: dict[str, Any]) -> None:
        """Apply columns, resampling and words; if they do not fit the view stays as it is."""
        with self._changing:
            view = self.view
            if view.columns is None or view.name is None:
                raise InputError("open a file first: there is nothing to change")
            settings = replace(
                view.settings,
                n_resamples=_whole(given.get("n_resamples"), "n_resamples", None),
                seed=_whole(given.get("seed"), "seed", 0) or 0,
                unit=_text(given.get("unit"), "unit", ""),
                title=_text(given.get("title"), "title", "") or None,
            )
            scores = given.get("scores")
            if not isinstance(scores, list) or not all(isinstance(s, str) for s in scores):
                raise InputError(f"scores must be a list of column names, got {scores!r:.80}")
            pos_label = _text(given.get("pos_label"), "pos_label", "")
            roles = chosen(view.columns, _text(given.get("label"), "label", ""), scores, pos_label or None)
            self.view = view_of(view.columns, view.name, roles, settings)


def explore(explorer: Explorer, *, browse: bool = True) -> None:
    """Print the address, open it in the browser, and serve until Ctrl-C."""
    sys.stdout.write(f"{explorer.url}\nCtrl-C stops it.\n")
    sys.stdout.flush()
    if browse:
        webbrowser.open(explorer.url)
    try:
        explorer.serve()
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    finally:
        explorer._server.server_close()  # noqa: SLF001 - serving has ended, so shutdown would wait for ever


def _whole(value: Any, name: str, default: int | None) -> int | None:
    if value is None or value == "":
        return default
    try:
        number = int(str(value))
    except ValueError as error:
        raise InputError(f"{name} must be a whole number, got {value!r:.80}") from error
    if not 0 <= number <= 10_000:
        raise InputError(f"{name} must lie between 0 and 10000, got {number}")
    return number


def _text(value: Any, name: str, default: str) -> str:
    if value is None:
        return default
    if not isinstance(value, str) or len(value) > 300:
        raise InputError(f"{name} must be text of at most 300 characters, got {value!r:.80}")
    return value

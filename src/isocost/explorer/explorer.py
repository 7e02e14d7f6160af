"""The explorer: the report page served on this machine alone, with another file, other columns or other resampling at hand."""

from __future__ import annotations

import errno
import html
import secrets
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any

from isocost.compare import Comparison
from isocost.compare.published import APART, agreement_of, can_be_resampled, published_comparison
from isocost.conditions import stated
from isocost.data import checks
from isocost.data.files import TextForm, Upload, Words, folder_prefix
from isocost.data.process import Apart
from isocost.data.rows import open_files, open_table
from isocost.data.tables import Columns, Look, Roles, memory_bytes, published_form, read_published
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError, IsocostError, UnknownNameError
from isocost.explorer.panel import guessed, roles_of, settings_of
from isocost.explorer.serving import Server
from isocost.report.report import Report

# The largest file, the most memory and the most seconds that one upload may take, whatever is in it.
MOST_BYTES = 100_000_000
MOST_RECEIVED = 4
MEMORY = "1GB"
SECONDS = 60.0
# What the report takes on top of that.
HEADROOM = 3 << 30
MOST_SECONDS = 300.0
# More models than this make no page to look at; more scores drawn than this take minutes.
MOST_MODELS = 50
MOST_DRAWN = 5_000_000_000
# Scores of all models together: beyond, the report alone would take more memory than reading may.
MOST_SCORES = 20_000_000

WORDS = Words(
    label="Label “{}”", score="Scores “{}”", positive="Positive is “{}”",
    missing="choose “left out” under Missing values", decimal="export it with decimal points", point="export it with commas",
    encoding="a text editor can change it",
    model="Models are named in", case="Cases are numbered in “{}”",
    long="choose “Models are named in {}” and “Cases are numbered in {}”", cluster="the command with its option for clusters of “{}”",
    sheet="save the sheet to use, such as “{}”, as a file of its own", memory="the explorer", extra="cli", several="choose another label",
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """What the user chose beside the file and its columns; costs that are not given are chosen on the page itself.

    `question` holds the other keywords of `Comparison.report`: limits, method, reviews, the rule in use, words.
    """

    costs: Mapping[str, Any] = field(default_factory=dict)
    title: str | None = None
    unit: str = ""
    n_resamples: int | None = None
    seed: int = 0
    level: float = 0.9
    question: Mapping[str, Any] = field(default_factory=dict)

    def report(self, comparison: Comparison, name: str, **more: Any) -> Report:
        """Return the report of a comparison from the file of this name."""
        options: dict[str, Any] = {"n_resamples": self.n_resamples, **self.question} | more
        condition = stated({"prevalence": comparison.curves[0].prevalence} | dict(self.costs)) if self.costs else None
        return comparison.report(
            condition=condition, title=self.title or name, unit=self.unit, level=self.level, rng=self.seed, **options
        )


@dataclass(frozen=True)
class View:
    """A file and what it shows, the roles of its columns asked for, those taken (`columns`), and its report; or the `problem`."""

    upload: Upload | None = None
    look: Look | None = None
    roles: Roles = field(default_factory=Roles)
    columns: Columns | None = None
    settings: Settings = field(default_factory=Settings)
    report: Report | None = None
    problem: str | None = None


def view_of(
    upload: Upload,
    roles: Roles,
    settings: Settings,
    *,
    form: TextForm = TextForm(),  # noqa: B008 - frozen
    words: Words = WORDS,
    memory: str = MEMORY,
    ask: bool = False,
) -> View:
    """Return the report of a file; if `ask`, columns that cannot be settled are a view that asks for them.

    Parameters
    ----------
    upload : Upload
        What was dropped.
    roles : Roles
        Which columns are what.
    settings : Settings
        Costs, limits and the other fields of the form.
    form : TextForm
        How text files are written.
    words : Words
        What faults call the fields.
    memory : str
        The most that the file may take.
    ask : bool

    Returns
    -------
    View

    See Also
    --------
    Explorer
    """
    with (
        open_files(upload, form, words) as files,
        open_table(files, form=form, memory=memory, words=words, seconds=SECONDS) as table,
    ):
        # The page offers columns and values when the table is closed again.
        view = View(upload, table.look.held(), roles, None, settings)
        if published_form(list(table.look.types)) is not None:
            return _of_published(view, upload.name, read_published(table.engine, table.look.types))
        try:
            rows = table.rows(roles)
            _refuse_much(rows.cases, len(rows.columns.models), settings.n_resamples or 0)
            cases = rows.load("the page")
        except IsocostError as error:
            if not ask or isinstance(error, UnknownNameError):
                raise
            return replace(view, problem=str(error))
        notes = (rows.introduction(), *rows.notes)
    comparison = Comparison.from_scores(
        cases.y_true, cases.scores, sample_weight=cases.weight, fold=cases.fold, cluster=cases.cluster
    )
    # A prevalence that was given holds for every group; as in the command.
    follows = "condition" if "prevalence" in settings.costs else "own"
    report = settings.report(comparison, upload.name, group=cases.group, group_prevalence=follows)
    # The report tells what was read, and warns of odd scores.
    report = report.noted(notes, file=upload.name, label=rows.columns.label)
    return replace(view, columns=rows.columns, report=report)


def _refuse_much(cases: int, models: int, resamples: int) -> None:
    """Refuse what a page cannot wait for."""
    if models > MOST_MODELS:
        raise InputError(f"choose at most {MOST_MODELS} columns of scores, not {models}")
    if (scores := cases * models) > MOST_SCORES:
        most = f"at most {MOST_SCORES:,}: choose fewer models, or use the command"
        raise InputError(f"{scores:,} scores are too many for a page that answers at once, {most}")
    if scores * resamples > MOST_DRAWN:
        raise InputError(
            f"{resamples:,} resamples of {cases:,} cases take too long here: choose fewer, or use the command"
        )


def _of_published(view: View, name: str, tables: Mapping[str, Mapping[str, Any]]) -> View:
    """Return the report of confusion matrices or points of ROC space: there are no columns to choose."""
    if view.roles.group is not None:
        raise InputError(f"groups need the cases, and {name} holds published results")
    comparison, settings = published_comparison(tables), view.settings
    if comparison.curves[0].prevalence is None and "prevalence" not in settings.costs:
        problem = f"{name} does not tell which share of cases is positive: start the explorer with --prevalence"
        return replace(view, problem=problem)
    drawn = can_be_resampled(tables)
    notes = [f"{name}: published results of {', '.join(comparison.names)}"]
    notes += [APART] if drawn and len(tables) > 1 and agreement_of(tables) is None else []
    report = settings.report(comparison, name, **({} if drawn else {"n_resamples": 0}))
    return replace(view, columns=Columns(None, ()), report=report.noted(notes))


class Explorer:
    """A server on 127.0.0.1 whose address holds a secret; it writes nothing, and ends with `close` or Ctrl-C.

    Parameters
    ----------
    view : View
        What it opens with; see `view_of`.
    port : int
        0 takes a free one.
    most_bytes : int
        The largest file it accepts.
    """

    def __init__(self, view: View | None = None, *, port: int = 0, most_bytes: int = MOST_BYTES) -> None:
        self.view = View() if view is None else view
        checks.whole(port, "port", low=0, high=65_535)
        self.most_bytes = most_bytes
        self.token = secrets.token_urlsafe(24)
        # One file or change at a time is read, and a few are received: one that stalls keeps no other waiting.
        self.receiving, self._changing = BoundedSemaphore(MOST_RECEIVED), Lock()
        # Files of strangers are read in a process of their own, which they may kill.
        self.reader = Apart(memory_bytes(MEMORY, "memory") + HEADROOM, MOST_SECONDS)
        try:
            self._server = Server(self, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise InputError(f"port {port} is in use: choose another, or 0 for a free one") from error
            raise InputError(f"port {port} cannot be opened: {error.strerror or error}") from error
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
        self.reader.close()

    def _view_of(self, upload: Upload, roles: Roles, settings: Settings, *, ask: bool = False) -> View:
        view = self.reader.call(upload.name, view_of, upload, roles, settings, ask=ask)
        return replace(view, upload=upload)

    def open(self, data: bytes, name: str) -> None:
        """Show another file; if it cannot be read the view stays as it is, if its columns are unclear it asks for them."""
        with self._changing:
            settings = replace(self.view.settings, title=None, costs={}, question={}, unit="")
            upload = Upload(data, name)
            view = self._view_of(upload, Roles(), settings, ask=True)
            if view.problem is not None and view.look is not None:
                # No column bears a usual name: the likeliest are taken, and shown to be changed.
                better = guessed(view.look)
                view = self._view_of(upload, better, settings, ask=True) if better is not None else view
            self.view = view

    def sample(self) -> None:
        """Show the sample data: 1,000 loans and three models."""
        y, scores = load_german_credit_predictions()
        lines = [",".join(["bad", *scores])]
        lines += [
            ",".join(map(str, row)) for row in zip(y.tolist(), *(s.tolist() for s in scores.values()), strict=True)
        ]
        self.open("\n".join(lines).encode(), "loans.csv")
        words = {
            "case": "applicant", "cases": "applicants", "positive": "bad risk", "positives": "bad risks", "negative": "good customer",
            "negatives": "good customers", "flag": "turn down", "flags": "turns down", "flagged": "turned down", "flagging": "turning down",
        }  # fmt: skip
        with self._changing:
            view = self.view
            settings = replace(view.settings, title="1,000 loans", question={"words": words}, unit="€")
            self.view = self._view_of(view.upload, view.roles, settings)  # type: ignore[arg-type]

    def change(self, given: dict[str, Any]) -> None:
        """Apply columns, resampling, second looks, labels and words; if they do not fit the view stays as it is."""
        with self._changing:
            view = self.view
            if view.upload is None:
                raise InputError("open a file first: there is nothing to change")
            settings, roles = settings_of(given, view.settings), roles_of(given, view)
            self.view = self._view_of(view.upload, roles, settings)


def explore(explorer: Explorer, *, browse: bool = True) -> None:
    """Print the address, open it in the browser, and serve until Ctrl-C.

    Parameters
    ----------
    explorer : Explorer
    browse : bool
        Whether to open the browser.

    See Also
    --------
    Explorer
    """
    sys.stdout.write(f"{explorer.url}\nCtrl-C stops it.\n")
    sys.stdout.flush()
    explorer.reader.start()
    try:
        with _signpost(explorer.url) as place:
            if browse:
                webbrowser.open(place)
            explorer.serve()
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    finally:
        explorer._server.server_close()  # noqa: SLF001 - serving has ended, so shutdown would wait for ever
        explorer.reader.close()


@contextmanager
def _signpost(url: str) -> Iterator[str]:
    """Yield the address of a page that leads to another, and that only its owner can read.

    A browser is started with an address on its command line, which everyone on the machine sees: it must not hold the secret.
    """
    with tempfile.TemporaryDirectory(prefix=folder_prefix()) as folder:
        page = Path(folder) / "explorer.html"
        page.touch(mode=0o600)
        page.write_text(
            f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={html.escape(url)}">'
            f'<title>isocost explorer</title><a href="{html.escape(url)}">Open the explorer</a>\n',
            encoding="utf-8",
        )
        yield page.as_uri()

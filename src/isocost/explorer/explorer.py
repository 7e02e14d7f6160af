"""The explorer: the report page served on this machine alone, with another file, other columns or other resampling at hand."""

from __future__ import annotations

import errno
import html
import secrets
import shlex
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any

from isocost._front import documented_by
from isocost.compare import Comparison
from isocost.compare.comparison import APART, agreement_of, can_be_resampled, published_comparison
from isocost.conditions import stated
from isocost.data import checks
from isocost.data.files import TextForm, Upload, Words, folder_prefix
from isocost.data.process import Apart
from isocost.data.rows import OpenTable, open_files, open_table
from isocost.data.tables import Look, Roles, memory_bytes, published_form, read_published
from isocost.decide.amounts import RowCosts
from isocost.errors import InputError, IsocostError, UnknownNameError
from isocost.explorer.panel import guessed, roles_of, settings_of
from isocost.explorer.serving import Server
from isocost.report.report import Report

# The largest file, the most memory and the most seconds that one upload may take, whatever is in it.
MOST_BYTES = 100_000_000
MOST_RECEIVED = 4
MEMORY = "1GB"
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

    `question` holds the other keywords of `Comparison.decide`: limits, method, reviews, the rule in use, words, unit. `evaluate` are other
    cases on which the rule is judged. `multiplier` is how often misses count where the file has columns of costs.
    """

    costs: Mapping[str, Any] = field(default_factory=dict)
    title: str | None = None
    n_resamples: int | None = None
    seed: int = 0
    level: float = 0.9
    question: Mapping[str, Any] = field(default_factory=dict)
    evaluate: Upload | None = None
    multiplier: float | None = None

    def asked(self, comparison: Comparison) -> dict[str, Any]:
        """Return the keywords of `Comparison.decide`; a prevalence alone is no condition."""
        if set(self.costs) <= {"prevalence"}:
            return {**self.costs, **self.question}
        costs = {"prevalence": comparison.curves[0].prevalence} if "pcf" not in self.costs else {}
        return {"condition": stated(costs | dict(self.costs)), **self.question}

    def report(self, asked: Mapping[str, Any], comparison: Comparison, name: str, **more: Any) -> Report:
        """Return the report of a comparison from the file of this name."""
        drawn = {"n_resamples": self.n_resamples, "level": self.level, "rng": self.seed}
        return comparison.report(**{**asked, **drawn, **more}, title=self.title or name)


@dataclass(frozen=True)
class View:
    """A file and what it shows, the roles of its columns asked for, those taken (`columns`), and its report; or the `problem`."""

    upload: Upload | None = None
    look: Look | None = None
    roles: Roles = field(default_factory=Roles)
    columns: Roles | None = None
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
    """Return the report of a file; if `ask`, columns that cannot be settled are a view that asks for them."""
    how: Any = {"form": form, "words": words, "memory": memory}
    with _opened(upload, **how) as table:
        view = View(upload, table.look, roles, None, settings)
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
        notes, others = (rows.introduction(), *rows.notes), rows.others()
    columns, named = rows.columns, None if roles.positive is None else rows.positive
    if roles.costs:
        given, often = {k: v for k, v in settings.costs.items() if k != "prevalence"}, settings.multiplier or 1.0
        costs = RowCosts.from_columns(cases.y_true, **given, **cases.costs)
        written = amounts_written(columns, {"numbers": given, "multiplier": often}, named)
        comparison = Comparison.from_scores(**cases.compared(rows.positive, others, weights=costs.weights))
        asked = {**settings.question, "condition": costs.per_case(often)}
    else:
        written, comparison = None, Comparison.from_scores(**cases.compared(rows.positive, others))
        asked = settings.asked(comparison)
    # A prevalence that was given holds for every group; as in the command. The report tells what was read, and warns of odd scores.
    follows = "condition" if "prevalence" in settings.costs else "own"
    report = settings.report(asked, comparison, upload.name, group=cases.group, group_prevalence=follows)
    report = report.noted(notes, file=upload.name, label=columns.label, amounts=written)
    if settings.evaluate is not None:
        with _opened(settings.evaluate, **how) as table:
            there = table.rows(replace(roles, label=columns.label, scores=columns.scores)).load("the page")
        decision = comparison.decide(**asked)
        found = decision.evaluate_on(there.y_true, there.scores, sample_weight=there.weight, rng=settings.seed)
        report = report.evaluated(found, settings.evaluate.name)
    return replace(view, columns=columns, report=report)


@contextmanager
def _opened(upload: Upload, *, form: TextForm, words: Words, memory: str) -> Iterator[OpenTable]:
    with open_files(upload, form, words) as files, open_table(files, form=form, memory=memory, words=words) as table:
        yield table


def amounts_written(columns: Roles, terms: Mapping[str, Any], positive: Any) -> dict[str, Any]:
    """Return how costs in columns are given in Python, where `data` is the table, and to the command."""
    label, factor = f"data[{columns.label!r}]", terms["multiplier"]
    prices = {name: repr(cost) for name, cost in terms["numbers"].items()}
    typed = [f"--{name.replace('_', '-')} {cost}" for name, cost in prices.items()]
    for name, column in columns.costs:
        prices[name] = f"data[{column!r}]"
        typed.append(
            shlex.join(["--cost-column", column if name == "cost_fn" else f"{name.removeprefix('cost_')}={column}"])
        )
    kind = "" if positive is None else f", pos_label={positive!r}"
    costs = f"ic.RowCosts.from_columns({label}, {', '.join(f'{name}={price}' for name, price in prices.items())}{kind})"
    more = kind if columns.cluster is None else f"{kind}, cluster=data[{columns.cluster!r}]"
    scores = f"{{name: data[name] for name in {list(columns.scores)!r}}}"
    if columns.lower_is_positive:
        signs = {name: "-" if name in columns.lower_is_positive else "" for name in columns.scores}
        scores = f"{{{', '.join(f'{sign + name!r}: {sign}data[{name!r}]' for name, sign in signs.items())}}}"
    made = f"comparison = ic.Comparison.from_scores({label}, {scores}, sample_weight=costs.weights{more})"
    return {
        "python": [f"costs = {costs}", made], "condition": f"costs.per_case({'' if factor == 1 else repr(factor)})",
        "command": " ".join([*typed, *([] if factor == 1 else [f"--multiplier {factor!r}"])]),
    }  # fmt: skip


def _refuse_much(cases: int, models: int, resamples: int) -> None:
    """Refuse what a page cannot wait for."""
    scores = cases * models
    instead = "too long here: choose fewer, or use the command"
    limits = [
        (models, MOST_MODELS, f"choose at most {MOST_MODELS} columns of scores, not {models}"),
        (scores, MOST_SCORES, f"{scores:,} scores, more than {MOST_SCORES:,}, take {instead}"),
        (scores * resamples, MOST_DRAWN, f"{resamples:,} resamples of {cases:,} cases take {instead}"),
    ]
    for size, most, why in limits:
        if size > most:
            raise InputError(why)


def _of_published(view: View, name: str, tables: Mapping[str, Mapping[str, Any]]) -> View:
    """Return the report of confusion matrices or points of ROC space: there are no columns to choose."""
    checks.left_out(f"needs the cases, and {name} holds published results", group=view.roles.group)
    comparison, settings = published_comparison(tables), view.settings
    if comparison.curves[0].prevalence is None and "prevalence" not in settings.costs:
        problem = f"{name} does not tell which share of cases is positive: start the explorer with --prevalence"
        return replace(view, problem=problem)
    drawn = can_be_resampled(tables)
    notes = [f"{name}: published results of {', '.join(comparison.names)}"]
    notes += [APART] if drawn and len(tables) > 1 and agreement_of(tables) is None else []
    report = settings.report(settings.asked(comparison), comparison, name, **({} if drawn else {"n_resamples": 0}))
    return replace(view, columns=Roles(), report=report.noted(notes))


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
        port = checks.whole(port, "port", low=0, high=65_535)
        self.most_bytes = most_bytes
        self.token = secrets.token_urlsafe(24)
        # One file or change at a time is read, and a few are received: one that stalls keeps no other waiting.
        self.receiving, self._changing = BoundedSemaphore(MOST_RECEIVED), Lock()
        # Files of strangers are read in a process of their own, which they may kill.
        self.reader = Apart(memory_bytes(MEMORY, "memory") + HEADROOM, MOST_SECONDS)
        try:
            self._server = Server(self, port)
        except OSError as error:
            why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be opened ({error.strerror or error})"
            raise InputError(f"port {port} {why}: choose another, or 0 for a free one") from error
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
            before = self.view.settings
            settings = Settings(n_resamples=before.n_resamples, seed=before.seed, level=before.level)
            upload = Upload(data, name)
            view = self._view_of(upload, Roles(), settings, ask=True)
            if view.problem is not None and view.look is not None:
                # No column bears a usual name: the likeliest are taken, and shown to be changed.
                better = guessed(view.look)
                view = self._view_of(upload, better, settings, ask=True) if better is not None else view
            self.view = view

    def sample(self) -> None:
        """Show the sample data: 1,000 loans and three models."""
        self.open((files("isocost") / "examples" / "german_credit_predictions.csv").read_bytes(), "loans.csv")
        words = {
            "case": "applicant", "cases": "applicants", "positive": "bad risk", "positives": "bad risks", "negative": "good customer",
            "negatives": "good customers", "flag": "turn down", "flags": "turns down", "flagged": "turned down", "flagging": "turning down",
        }  # fmt: skip
        with self._changing:
            view = self.view
            settings = replace(view.settings, title="1,000 loans", question={"words": words, "unit": "€"})
            self.view = self._view_of(view.upload, view.roles, settings)  # type: ignore[arg-type]

    def change(self, given: dict[str, Any]) -> None:
        """Apply columns, resampling, second looks, labels and words; if they do not fit the view stays as it is."""
        with self._changing:
            view = self.view
            upload = checks.needed(view.upload, "open a file first: there is nothing to change")
            self.view = self._view_of(upload, roles_of(given, view), settings_of(given, view.settings))


@documented_by(see="Explorer")
def explore(explorer: Explorer, *, browse: bool = True) -> None:
    """Print the address, open it in the browser, and serve until Ctrl-C.

    Parameters
    ----------
    explorer : Explorer
    browse : bool
        Whether to open the browser.
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

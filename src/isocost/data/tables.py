"""Files as one table of DuckDB: a look at its columns, and which of them is the label, a score, a weight, a fold."""

from __future__ import annotations

import datetime as dt
import math
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost.data.files import (
    NOTHING,
    UNREADABLE,
    InputFile,
    TextForm,
    Words,
    damaged_column,
    folder_prefix,
    has_decimal_commas,
    has_decimal_points,
    is_percent,
    listed,
    present,
    readable,
    remedy,
)
from isocost.errors import InputError, MissingDependencyError, UnknownNameError

if TYPE_CHECKING:
    import duckdb


Missing = Literal["error", "drop"]

LABELS = ("label", "y_true", "y", "target")
COUNTS = ("score", "positives", "negatives")
OPTIONAL = ("upper", "unlabelled")
NUMERIC = re.compile(r"^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*|PERCENT)$")
# Numbers written as text with a percent sign, which DuckDB has no type for.
PERCENT = "PERCENT"
# More numeric columns than this are features rather than models: somebody has to say which are scores.
MOST_GUESSED = 12
# So many whole numbers must follow each other, or differ, to be taken for row numbers or ids.
_IN_A_ROW = 8
_ALL_DIFFERENT = 30

# Names end in such a word, after a mark or in front: customer_id, customerId, ID.
_PREFIX = r"(?i:(.*[_ .\-])?"
_OWNERS = (
    r"(user|cust(omer)?|client|account|acct|case|patient|member|loan|order|item|person|record|row|subject|session|txn|device|transaction"
    r"|household|family|hospital|clinic|site|cent(er|re)|store|shop|branch|merchant|visit|encounter|claim|policy|ticket|card|owner|employee)"
)
_IDENTIFIER = re.compile(
    _PREFIX
    + rf"({_OWNERS}?ids?|{_OWNERS}s?|idx|index|rows?|row[_ ]?(number|num|nr|no|id)|uuid|guid|key|nr|no|num|number|zip(code)?|postcode|phone"
    r"|ssn)|.*nummer)|.*[a-z]I[dD]"
)
_FOLD = re.compile(
    _PREFIX
    + r"((k|cv)?_?folds?|split|partition|cluster|(cv)?groups?|cv|batch|(sub|data)?set|(is|in)_(train|test|holdout)|train))"
)
_WEIGHT = re.compile(
    _PREFIX + r"(weights?([_ .\-].*)?|wts?|wgts?|ipt?w|exposure|freq(uency)?|gewichte?))|[wW]|.*[a-z]Weights?"
)
_DATE = re.compile(
    _PREFIX
    + r"(date|day|weekday|week|month|quarter|year|hour|time|timestamp|datetime|epoch|at|ts|dt|created|updated|dob))"
    r"|.*[a-z](At|Date|Time)"
)
# Seconds since 1970 from 2001 to 2100; programs also write them in thousandths, millionths and billionths.
_EPOCH = 978_307_200, 4_102_444_800
_PREDICTION = re.compile(r"(?i)(^|[_ .\-])(pred(icted|iction|s)?|y_?hat|class|decision|hard|flag(ged)?)([_ .\-]|$)")
# Probabilities written with a few decimals add up to 1 within this.
_SUM_TO_ONE = 2e-3
_LIKELY = re.compile(r"(?i)score|prob|pred|model|risk|logit|(^|[_ .\-])(p|pd|y_?hat)([_ .\-]|$)")


@dataclass(frozen=True)
class Roles:
    """What the user said about the columns; None and () leave it to the guess.

    `lower_is_positive` names scores whose low values speak for the class to detect; `missing` says what happens to rows
    without a label or a score. `unlabelled` says that there is no column of labels. `costs` names what each outcome costs: pairs of
    cost_fp, cost_fn, cost_tp or cost_tn and a column. `several` allows more than two classes.
    """

    label: str | None = None
    scores: tuple[str, ...] = ()
    weight: str | None = None
    fold: str | None = None
    positive: str | None = None
    lower_is_positive: tuple[str, ...] = ()
    missing: Missing = "error"
    unlabelled: bool = False
    cluster: str | None = None
    group: str | None = None
    costs: tuple[tuple[str, str], ...] = ()
    several: bool = False


@dataclass(frozen=True)
class Columns:
    """The columns that are used, and those that nothing was said about and that are not, with the reason.

    Cases whose class is not known have no `label`.
    """

    label: str | None
    scores: tuple[str, ...]
    weight: str | None = None
    fold: str | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    turned: frozenset[str] = frozenset()
    cluster: str | None = None
    group: str | None = None
    costs: tuple[tuple[str, str], ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every column that is read."""
        costs = tuple(name for _, name in self.costs)
        known = (self.label,), self.scores, (self.weight, self.fold, self.cluster, self.group), costs
        return tuple(dict.fromkeys(name for part in known for name in part if name is not None))

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models: those of their scores, with a minus where the scores were turned round."""
        return tuple(f"-{name}" if name in self.turned else name for name in self.scores)


@dataclass(frozen=True)
class Look:
    """What a look at a table shows: its columns, their types, and their first values.

    Attributes
    ----------
    name : str
        What to call the table in messages.
    types : dict of str to str
        DuckDB's names of types, or PERCENT.
    fetch : callable
        Returns the values of the first rows that are not missing; raw text where the file is text.
    twice : tuple of str
        Names that several columns have.
    """

    name: str
    types: Mapping[str, str]
    fetch: Callable[[], Mapping[str, tuple[Any, ...]]]
    twice: tuple[str, ...] = ()

    @cached_property
    def first(self) -> Mapping[str, tuple[Any, ...]]:
        """The first values of each column, fetched when a guess needs them; they stay when the table is closed."""
        return self.fetch()

    def held(self) -> Look:
        """Return the look with its first values, for when the table is closed."""
        return Look(self.name, self.types, partial(dict, self.first), self.twice)

    @cached_property
    def numeric(self) -> tuple[str, ...]:
        """The columns that hold numbers."""
        return tuple(name for name, kind in self.types.items() if NUMERIC.match(kind))

    def values(self, name: str) -> tuple[Any, ...]:
        """Return the distinct first values of a column, in their order."""
        return tuple(dict.fromkeys(self.first.get(name, ())))

    def why_not(self, name: str) -> str | None:
        """Return why a column is no model's scores, None if it may be."""
        kind = self.types[name]
        if not NUMERIC.match(kind):
            return _not_numeric(kind, self.first.get(name, ()))
        if name.startswith(("(unnamed ", "Unnamed: ", "__index_level_")):
            return "a row number"
        if _WEIGHT.fullmatch(name):
            return "a weight"
        whole = self._whole(name)
        if whole is None:
            return "a date" if self._is_time(name) else None
        if len(whole) >= _IN_A_ROW and all(b - a == 1 for a, b in pairwise(whole)):
            return "a row number" if whole[0] in (0, 1) else "whole numbers that count up by 1"
        for pattern, reason in ((_IDENTIFIER, "an id"), (_FOLD, "a fold")):
            if pattern.fullmatch(name):
                return reason
        if whole and (all(map(_is_day, whole)) or all(map(_is_month, whole)) or self._is_time(name)):
            return "a date"
        if _DATE.fullmatch(name):
            return "named like a date"
        if len(whole) >= _ALL_DIFFERENT and len(set(whole)) == len(whole):
            return "an id: whole numbers, all different"
        return None

    def _numbers(self, name: str) -> list[float] | None:
        """Return the first values of a column as numbers; None if there are too few to judge by, or some are none."""
        try:
            found = [float(str(value).replace(",", ".")) for value in self.first.get(name, ())]
        except ValueError:
            return None
        return found if len(found) >= _IN_A_ROW else None

    def hard_predictions(self, scores: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of 0 and 1 that are called predictions and stand beside scores."""
        known = {name: self._numbers(name) for name in scores}
        hard = tuple(n for n, v in known.items() if v and set(v) <= {0.0, 1.0} and _PREDICTION.search(n))
        return hard if any(v and len(set(v)) > 2 for v in known.values()) else ()

    def complements(self, scores: Sequence[str]) -> tuple[str, str] | None:
        """Return two columns of probabilities that add up to 1 in all of the first rows."""
        known = {name: values for name in scores if (values := self._numbers(name)) and len(set(values)) > 2}
        for one, other in combinations(known, 2):
            pairs = list(zip(known[one], known[other], strict=False))
            inside = len(known[one]) == len(known[other]) and all(0 <= value <= 1 for value in known[one])
            if inside and all(abs(a + b - 1) <= _SUM_TO_ONE for a, b in pairs):
                return one, other
        return None

    def case_and_model(self, scores: Sequence[str]) -> tuple[str, str] | None:
        """Return the columns of cases and of models of a long table: a row for every combination of the two."""
        texts = [n for n, kind in self.types.items() if kind == "VARCHAR" and 2 <= len(self.values(n)) <= MOST_GUESSED]
        for case in (n for n in self.types if _IDENTIFIER.fullmatch(n) and n not in scores):
            ids = self.first.get(case, ())
            for model in texts if len(set(ids)) * 2 <= len(ids) else ():
                named = self.first[model]
                if model != case and len(named) == len(ids) == len(set(zip(ids, named, strict=True))):
                    return case, model
        return None

    def _is_time(self, name: str) -> bool:
        """Return whether the first values are moments: seconds or parts of them since 1970, or days since 1900 under a name of a date."""
        try:
            numbers = [float(str(value).replace(",", ".")) for value in self.first.get(name, ())]
        except ValueError:
            return False
        low, high = min(numbers, default=0.0), max(numbers, default=0.0)
        moments = any(_EPOCH[0] * parts <= low <= high <= _EPOCH[1] * parts for parts in (1, 1e3, 1e6, 1e9))
        return moments or (20_000 <= low <= high <= 80_000 and _DATE.fullmatch(name) is not None)

    def _whole(self, name: str) -> list[int] | None:
        """Return the first values of a column if they are whole numbers."""
        found = []
        for value in self.first.get(name, ()):
            try:
                number = float(value)
                if not number.is_integer():
                    return None
                found.append(int(value) if isinstance(value, int) else int(number))
            except (TypeError, ValueError, OverflowError):
                return None
        return found


def _not_numeric(kind: str, first: Sequence[Any]) -> str:
    if kind.startswith(("DATE", "TIME", "INTERVAL")):
        return "a date"
    if kind.startswith(("STRUCT", "MAP", "UNION")) or kind.endswith("]"):
        return "a nested value"
    if kind == "BOOLEAN":
        return "true or false"
    return "text" if first else "empty"


def _is_month(value: int) -> bool:
    """Return whether a number is a month written as 202401."""
    return 190_000 < value < 210_013 and 1 <= value % 100 <= 12


def _is_day(value: int) -> bool:
    """Return whether a number is a day written as 20240131."""
    if not 19_000_101 <= value <= 21_001_231:
        return False
    try:
        dt.date(value // 10_000, value // 100 % 100, value % 100)
    except ValueError:
        return False
    return True


def is_count_table(names: Sequence[str]) -> bool:
    """Return whether the columns are those of a table of score counts."""
    return set(names) - {"model", *OPTIONAL} == set(COUNTS)


def settled(roles: Roles, look: Look, words: Words) -> Columns:
    """Settle the columns, or say which is missing."""
    asked = {role: getattr(roles, role) for role in ("label", "weight", "fold", "cluster", "group")}
    for role, name in asked.items():
        if name is not None:
            _there(name, look, role, words)
    for _, name in roles.costs:
        _there(name, look, "cost-column", words)
    label = roles.label if roles.label is not None or roles.unlabelled else _label(look, words)
    taken = {label, roles.weight, roles.fold, roles.cluster, roles.group, *(name for _, name in roles.costs)}
    if roles.scores:
        scores, left_out = tuple(dict.fromkeys(roles.scores)), {}
        for name in scores:
            _there(name, look, "score", words)
            if name in taken:
                raise InputError(f"column {name!r} of {look.name} cannot be a score and something else")
    else:
        reasons = {name: look.why_not(name) for name in look.types if name not in taken}
        scores = tuple(name for name, reason in reasons.items() if reason is None)
        left_out = {name: reason for name, reason in reasons.items() if reason is not None}
        for name in scores:
            _there(name.rpartition(" (column ")[0] or name, look, "score", words)
        hard = look.hard_predictions(scores)
        left_out |= dict.fromkeys(hard, "0 and 1 only: predictions, not scores")
        scores = tuple(name for name in scores if name not in hard)
        if pair := look.complements(scores):
            kept = [name for name in pair if roles.positive is not None and roles.positive.lower() in name.lower()]
            if len(kept) != 1:
                raise InputError(
                    f"{pair[0]!r} and {pair[1]!r} of {look.name} add up to 1 in every row: they are the two probabilities of one "
                    f"model. Name that of the class to detect, as in {words.naming(words.score, pair[1])}"
                )
            other = pair[kept[0] == pair[0]]
            left_out[other] = f"1 - {kept[0]}: the other class"
            scores = tuple(name for name in scores if name != other)
        if len(scores) > MOST_GUESSED and not roles.several:
            raise InputError(_too_many(scores, look, words))
    for name in roles.lower_is_positive:
        if name not in scores:
            raise UnknownNameError(f"score of {look.name} to turn round", name, scores)
    turned = frozenset(roles.lower_is_positive)
    return Columns(label, scores, roles.weight, roles.fold, left_out, turned, roles.cluster, roles.group, roles.costs)


def _there(name: str, look: Look, role: str, words: Words) -> None:
    if name in look.twice:
        many = sum(other.rpartition(" (column ")[0] == name for other in look.types)
        raise InputError(f"{look.name} has {many} columns called {name!r}: give each a name of its own")
    if name not in look.types:
        option = f" for --{role}" if words.label.startswith("--") else f" for {role}="
        raise UnknownNameError(f"column of {look.name}{option}", name, look.types)


def _label(look: Look, words: Words) -> str:
    found = [name for name in look.types if name.lower() in LABELS]
    if len(found) == 1:
        return found[0]
    if found:
        offered, told = found, f"{look.name} has several columns that may hold the labels"
    else:
        offered = [name for name in look.types if len(look.values(name)) == 2] or list(look.types)
        told = f"{look.name} has no column {', '.join(LABELS[:-1])} or {LABELS[-1]}"
    example = words.naming(words.label, offered[0]) if offered else "none is there"
    raise InputError(f"{told}. Choose one: {example} (columns: {listed(offered)})")


def _too_many(scores: Sequence[str], look: Look, words: Words) -> str:
    likely = [name for name in scores if _LIKELY.search(name)] or [name for name in scores if _is_share(look, name)]
    offered = likely or list(scores)
    return (
        f"{look.name} has {len(scores):,} numeric columns, too many to be models all. Name those that hold scores, for example "
        f"{words.naming(words.score, offered[0])} ({'likely' if likely else 'columns'}: {listed(offered)})"
    )


def _is_share(look: Look, name: str) -> bool:
    """Return whether the first values lie between 0 and 1, some of them inside."""
    try:
        numbers = [float(value) for value in look.first.get(name, ())]
    except (TypeError, ValueError):
        return False
    return all(0 <= number <= 1 for number in numbers) and any(0 < number < 1 for number in numbers)


_MARKS = "_ .-:"
# A model without a name: its columns are called like the classes.
UNNAMED = "score"


def by_class(columns: Sequence[str], classes: Sequence[Any]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the columns of each model in the order of the classes, and the columns named after none.

    The class stands at the end of the names, or at the beginning of all of them.

    Examples
    --------
    >>> by_class(["rf_low", "rf_high", "low", "high", "age"], ["high", "low"])
    ({'rf': ['rf_high', 'rf_low'], 'score': ['high', 'low']}, ['age'])
    >>> by_class(["low_rf", "high_rf"], ["high", "low"])
    ({'rf': ['high_rf', 'low_rf']}, [])
    """
    try:
        return _grouped(columns, classes, "end")
    except InputError as error:
        try:
            return _grouped(columns, classes, "beginning")
        except InputError:
            raise error from None


def _grouped(columns: Sequence[str], classes: Sequence[Any], side: str) -> tuple[dict[str, list[str]], list[str]]:
    found: dict[str, dict[Any, str]] = {}
    rest = []
    for column in columns:
        named = [label for label in classes if _model(column, str(label), side) is not None]
        if not named:
            rest.append(column)
            continue
        # Of a class whose name ends in that of another, the longer name is meant.
        label = max(named, key=lambda label: len(str(label)))
        model = str(_model(column, str(label), side))
        if label in found.setdefault(model, {}):
            raise InputError(
                f"{column!r} and {found[model][label]!r} are both scores of {model} for class {label!r}: keep one"
            )
        found[model][label] = column
    for model, known in found.items():
        missing = [label for label in classes if label not in known]
        if missing:
            raise InputError(
                f"model {model!r} has scores for {', '.join(map(repr, known))} and none for {', '.join(map(repr, missing))}: "
                f"each class needs a column whose name ends in it, or begins with it"
            )
    if not found:
        raise InputError(
            f"no column of scores is named after a class ({', '.join(map(repr, classes))}): call them like the classes, "
            f"or with a mark between, as in rf_{classes[0]} or {classes[0]}_rf"
        )
    return {model: [known[label] for label in classes] for model, known in found.items()}, rest


def _model(column: str, label: str, side: str) -> str | None:
    """Return whose score of a class a column is, None if it is not named after the class."""
    if column == label:
        return UNNAMED
    if side == "end":
        rest = column.removesuffix(label)
        mark, name = rest[-1:], rest[:-1]
    else:
        rest = column.removeprefix(label)
        mark, name = rest[:1], rest[1:]
    return name if rest != column and mark in _MARKS and name else None


# What a damaged file says of itself is not believed: the optimiser would count a label of 129 as 0, skip rows, or crash.
_UNBELIEVED = "statistics_propagation,filter_pushdown"
WIDE_INTEGER = re.compile(r"^(U?(BIG|HUGE)INT)$")


# What goes on, and how many percent of it are done, for as long as the context lasts.
Progress = Callable[[str, Callable[[], float]], AbstractContextManager[None]]


def shown_by(progress: Any) -> Progress:
    """Return how progress is shown: as asked, or not at all."""
    if progress is None:
        return silent
    if not callable(progress):
        raise InputError(f"progress must be callable with what is done and a percentage, got {progress!r:.80}")
    return progress  # type: ignore[no-any-return]


def silent(doing: str, percent: Callable[[], float]) -> AbstractContextManager[None]:  # noqa: ARG001 - a form of Progress
    """Show no progress."""
    return nullcontext()


def identifier(name: str) -> str:
    """Return a column's name as SQL."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Return a string as SQL."""
    return "'" + value.replace("'", "''") + "'"


def literal(value: Any) -> str | None:
    """Return a value as SQL, None if only a parameter can say it: for any of them older DuckDBs load pandas, if it is there."""
    if isinstance(value, str) and "\0" not in value:
        return text(value)
    if isinstance(value, float) and math.isfinite(value):
        return f"CAST({value!r} AS DOUBLE)"
    return str(value) if isinstance(value, bool | int) else None


def place(file: InputFile) -> str:
    """Return a file's path as DuckDB must be told it: absolute, and with every sign of a pattern taken as it is."""
    return re.sub(r"([*?\[])", r"[\1]", str(file.path.absolute()))


class Engine:
    """A connection that reads a list of files of one format as one table."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, files: Sequence[InputFile], progress: Progress, words: Words
    ) -> None:
        self.connection = connection
        self.files = files
        self.progress = progress
        self.words = words
        self.decimal = "."
        # What was said already, and no hint may ask for.
        self.decimal_named = False
        self.scores_named = False
        self._late: str | None = None
        self.name = files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"

    def query(self, sql: str, parameters: Sequence[Any] = (), *, then: Callable[[Any], Any] | None = None) -> Any:
        """Run a query and fetch what is wanted of it, with progress if it is long; errors become lines about the files."""
        if self._late is not None:
            raise InputError(self._late)
        with self.explained(), self.meanwhile():
            done = self.connection.execute(sql, list(parameters))
            return None if then is None else then(done)

    def meanwhile(self, percent: Callable[[], float] | None = None) -> AbstractContextManager[None]:
        """Return the context that shows how far reading got; by default as the engine tells."""
        shown: Any = self.progress(f"reading {self.name}", percent or self.connection.query_progress)
        if not isinstance(shown, AbstractContextManager):
            raise InputError(
                f"progress must return a context manager, got {type(shown).__name__}: decorate it with contextlib.contextmanager"
            )
        return shown

    def believed(self, sql: str) -> tuple[Any, ...]:
        """Return the first row of a query that may be answered by what a file says of itself."""
        self.query("SET disabled_optimizers = ''")
        try:
            return self.row(sql)
        finally:
            self.query(f"SET disabled_optimizers = {text(_UNBELIEVED)}")

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        # All are fetched: an unfinished result would be in the way of the next query.
        found: list[tuple[Any, ...]] = self.query(sql, parameters, then=lambda done: done.fetchall())
        return found

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...]:
        """Return the first row of a query, () if there is none."""
        return next(iter(self.rows(sql, parameters)), ())

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """Return the columns of a query."""
        found: dict[str, NDArray[Any]] = self.query(sql, parameters, then=lambda done: done.fetchnumpy())
        return found

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn errors of the engine into lines about the files."""
        import duckdb

        try:
            yield
        except InputError:
            raise
        except (duckdb.Error, OSError, RuntimeError) as error:
            if self._late is not None:
                raise InputError(self._late) from error
            if "Query interrupted" in str(error):
                raise KeyboardInterrupt from error
            raise InputError(self._line(str(error))) from error

    @contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """Stop reading after so many seconds, if that is bounded, and say so."""

        def stop() -> None:
            self._late = f"reading {self.name} takes longer than {seconds:g} seconds: use the command for such a file"
            self.connection.interrupt()

        if seconds is None:
            yield
            return
        clock = threading.Timer(seconds, stop)
        clock.daemon = True
        clock.start()
        try:
            yield
        finally:
            clock.cancel()

    def _line(self, message: str) -> str:
        message = message.partition("\nLINE ")[0].strip()
        if "Out of Memory" in message:
            return f"{self.name} needs more memory than {self.words.memory} allows ({message.splitlines()[0]})"
        kind, _, rest = message.partition(": ")
        body = rest if kind.endswith("Error") else message
        for f in self.files:
            message, body = (said.replace(place(f), str(f.path)) for said in (message, body))
        file = next((f.name for f in self.files if str(f.path) in message), self.name)
        line = re.search(r"CSV Error on Line: (\d+)", body)
        column = re.search(r'Error when converting column "(.*)"\. Could not convert string "(.*)" to', body)
        if line and column:
            hint = remedy(column[2], self.decimal, None if self.scores_named else self.words.score.format("…"))
            return f"{file}, line {line[1]}: column {column[1]!r} holds {column[2]!r}, which is not a number; {hint}"
        if line:
            return f"{file}, line {line[1]}: {_said(body)}"
        first = (readable(body).splitlines() or ["it cannot be read"])[0].strip()
        if self.files[0].format == "parquet" and UNREADABLE.search(body):
            return f"{_damaged(self.files) or file + ' is a damaged or truncated Parquet file'} ({first})"
        for f in self.files:
            first = first.replace(str(f.path), f.name)
        return first if file in first else f"{file}: {first}"

    def table(self, types: dict[str, str] | None = None, *, can_have_nan: bool = True) -> str:
        """Return the SQL of the files' rows; `types` fixes the columns of text formats."""
        first = self.files[0]
        match first.format:
            case "parquet":
                # Statistics of some writers leave NaN out, and the optimiser would believe them.
                options = ", can_have_nan=true" if can_have_nan else ""
                # Otherwise the first file's types would bind the others, and halves be read as whole numbers.
                options += ", union_by_name=true" if self._differing else ""
                return f"read_parquet({self._paths}, hive_partitioning=false{options})"
            case "arrow":
                return "arrow_files"
            case "json":
                # Hundreds of names are columns, not the keys of one map.
                columns = ", map_inference_threshold=-1" if types is None else f", columns={_struct(types)}"
                return f"read_json({self._paths}, {self._json}{columns})"
            case _:
                nothing = "[" + ", ".join(map(text, NOTHING)) + "]"
                form = (
                    f"header=true, delim={text(str(first.delimiter))}, quote='\"', escape='\"', compression={text(first.packing)}, "
                    f"decimal_separator={text(self.decimal)}, nullstr={nothing}, hive_partitioning=false, strict_mode=true, "
                    f"skip={first.skip}"
                )
                if types is None:
                    # The names come from the header, so that "" and names like "0.5" stay what they are.
                    names = "[" + ", ".join(text(name) for name in column_names(first)) + "]"
                    return f"read_csv({self._paths}, {form}, comment='', names={names})"
                return f"read_csv({self._paths}, {form}, auto_detect=false, columns={_struct(types)})"

    @property
    def objects(self) -> str:
        """The SQL of the objects of JSON files."""
        return f"read_json_objects({self._paths}, {self._json})"

    @property
    def _json(self) -> str:
        # The name that every DuckDB knows: some take "none" for CSV alone.
        packing = "uncompressed" if self.files[0].packing == "none" else self.files[0].packing
        return f"format='auto', compression={text(packing)}, hive_partitioning=false"

    @property
    def _paths(self) -> str:
        return "[" + ", ".join(text(place(file)) for file in self.files) + "]"

    @cached_property
    def _differing(self) -> dict[str, str | None]:
        """The columns that are not of one type in all Parquet files, and the first file that has none of that name."""
        if len(self.files) == 1:
            return {}
        rows = self.rows(
            "SELECT name, list(DISTINCT file_name), count(DISTINCT (type, converted_type, precision, scale)) "
            f"FROM parquet_schema({self._paths}) WHERE coalesce(num_children, 0) = 0 GROUP BY name"
        )
        found: dict[str, str | None] = {}
        for name, having, types in rows:
            lacking = next((file.name for file in self.files if str(file.path.absolute()) not in having), None)
            if lacking is not None or types > 1:
                found[str(name)] = lacking
        return found

    def require(self, columns: Sequence[str]) -> None:
        """Raise unless every file has these columns, as they were written where that can be told."""
        if self.files[0].format != "parquet":
            return
        for name in columns:
            if (file := self._differing.get(name)) is not None:
                raise InputError(f"{file} has no column {name!r}, which others of the {len(self.files)} files have")
        for one in self.files:
            if (place := damaged_column(one.path.absolute(), columns)) is not None:
                raise InputError(f"{one.name} is a damaged Parquet file: {place} has another checksum than was written")


def _damaged(files: Sequence[InputFile]) -> str | None:
    """Return where the first damage is that reading everything meets; engines seldom say."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = "its end"
    for file in files:
        try:
            with pq.ParquetFile(file.path.absolute()) as parquet:
                for group in range(parquet.num_row_groups):
                    for column in parquet.schema_arrow.names:
                        place = f"column {column!r}, row group {group + 1} of {parquet.num_row_groups}"
                        parquet.read_row_group(group, columns=[column])
        except (pa.ArrowException, OSError):
            return f"{file.name} is a damaged or truncated Parquet file: {place}"
        place = "its end"
    return None


def column_names(file: InputFile) -> list[str]:
    """Return the names of a header; a column without one gets its place."""
    return [name or f"(unnamed {place})" for place, name in enumerate(file.header, 1)]


def _struct(types: dict[str, str]) -> str:
    return "{" + ", ".join(f"{text(name)}: {text(kind)}" for name, kind in types.items()) + "}"


def default_memory() -> int:
    """Return half of the machine's memory, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


# More than any machine has; a larger number means as much as there is.
_MOST_MEMORY = 1e18


def memory_bytes(given: str | int | None, name: str) -> int:
    """Return a size such as 500MB, 2GB or 2GiB in bytes."""
    if given is None:
        return default_memory()
    size_of = f"{given}B" if isinstance(given, int) else str(given)
    found = re.fullmatch(r"(?i)\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", size_of)
    if found is None:
        raise InputError(f"{name} must be a size such as 500MB or 2GB, got {given!r}")
    power = " kmgt".index(found[2].lower() or " ")
    size = int(min(float(found[1]), _MOST_MEMORY) * (1024 if found[3] else 1000) ** power)
    if size < 16_000_000:
        raise InputError(f"{name} must be at least 16MB, got {given!r}")
    return size


@contextmanager
def engine(
    files: Sequence[InputFile],
    memory: int,
    progress: Progress = silent,
    words: Words = Words(),  # noqa: B008 - frozen
    seconds: float | None = None,
) -> Iterator[Engine]:
    """Yield an engine over the files that spills to a temporary folder, and remove the folder afterwards.

    After so many `seconds` it stops and says so.
    """
    for package in ("duckdb", "pyarrow"):
        try:
            import_module(package)
        except ImportError as error:
            raise MissingDependencyError("reading files", package, words.extra) from error
    import duckdb

    with tempfile.TemporaryDirectory(prefix=folder_prefix()) as folder:
        connection = duckdb.connect(
            config={
                "autoinstall_known_extensions": "false",
                "disabled_optimizers": _UNBELIEVED,
                "memory_limit": f"{max(memory >> 20, 16)}MiB",
                "temp_directory": folder,
            }
        )
        try:
            connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
            if files[0].format == "arrow":
                connection.register("arrow_files", _arrow(files))
            source = Engine(connection, files, progress, words)
            with source.within(seconds):
                yield source
        finally:
            connection.close()


def _arrow(files: Sequence[InputFile]) -> Any:
    import pyarrow as pa
    import pyarrow.dataset

    schemas = []
    for file in files:
        try:
            with pa.memory_map(str(file.path.absolute())) as mapped:
                schemas.append(pa.ipc.open_file(mapped).schema)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(f"{file.name} is a damaged Arrow file: {str(error).splitlines()[0]}") from error
    try:
        # The widest type of each column: that of the first file would bind the others.
        schema = pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        raise InputError(
            f"{files[0].name} and other files differ in their columns: {str(error).splitlines()[0]}"
        ) from error
    return pyarrow.dataset.dataset([str(file.path.absolute()) for file in files], format="ipc", schema=schema)


def _said(error: str) -> str:
    """Say what is wrong with a line of text, in words of ours where DuckDB's are known."""
    if many := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", error):
        hint = "; put a value with a separator in it in quotes" if int(many[2]) > int(many[1]) else ""
        return f"the file has {many[1]} columns, this line has {many[2]}{hint}"
    if "unterminated quote" in error:
        return "a quote is opened and not closed, or closed within a value"
    rest = [part for part in error.splitlines()[1:] if part and not part.startswith(("Original Line", "Possible"))]
    return rest[0] if rest else "it cannot be read"


# Values of the first rows that are fetched.
_MOST_CELLS = 100_000
_MOST_ROWS = 500
# More take the engine minutes, in which it does not listen.
MOST_COLUMNS = 20_000
# Characters of a text that are looked at.
_TEXT = 100


def look_at(source: Engine, form: TextForm) -> Look:
    """Return what the table shows, and settle the decimal mark of text."""
    if source.files[0].format == "csv":
        return _text_table(source, form)
    _one_spelling(_own_names(source), source.name)
    types = _types(source)
    if source.files[0].format == "json":
        types |= _numbers_in_disguise(source, [name for name, kind in types.items() if kind == "VARCHAR"])
    return Look(source.name, types, lambda: _first_values(source, types))


def _text_table(source: Engine, form: TextForm) -> Look:
    file = source.files[0]
    names = column_names(file)
    _one_spelling(names, source.name)
    cells = zip(*file.rows, strict=True) if file.rows else ((),) * len(names)
    first = {name: present(values) for name, values in zip(names, cells, strict=True)}
    if form.decimal is not None:
        source.decimal, source.decimal_named = form.decimal, True
    elif any(map(has_decimal_commas, first.values())) and not any(map(has_decimal_points, first.values())):
        source.decimal = ","
    if not file.rows and not source.row(f"SELECT 1 FROM {source.table(dict.fromkeys(names, 'VARCHAR'))} LIMIT 1"):
        raise InputError(f"{source.name} holds no rows, only column names")
    types = _types(source)
    texts = [name for name, kind in types.items() if kind == "VARCHAR"]
    types |= _numbers_in_disguise(source, texts)
    types |= {name: PERCENT for name in texts if is_percent(first[name])}
    return Look(source.name, types, lambda: first, file.twice)


def _types(source: Engine) -> dict[str, str]:
    """Return the columns and their types."""
    try:
        rows = source.rows(f"DESCRIBE SELECT * FROM {source.table()}")
    except InputError:
        if source.files[0].format == "csv":  # guessing types fails without a reason; reading text tells the line
            texts = dict.fromkeys(column_names(source.files[0]), "VARCHAR")
            source.query(f"SELECT count(COLUMNS(*)) FROM {source.table(texts)}")
        raise
    return {str(row[0]): str(row[1]) for row in rows}


def _numbers_in_disguise(source: Engine, columns: Sequence[str]) -> dict[str, str]:
    """Return columns of numbers that were taken for text because of an infinity, or quotes."""
    if not columns:
        return {}
    counts = ", ".join(f"count({c}), count(TRY_CAST({c} AS DOUBLE))" for c in map(identifier, columns))
    row = source.row(f"SELECT {counts} FROM (SELECT * FROM {source.table()} LIMIT 20000)")
    pairs = zip(columns, row[::2], row[1::2], strict=True)
    return {name: "DOUBLE" for name, found, numbers in pairs if found == numbers > 0}


def _first_values(source: Engine, types: dict[str, str]) -> dict[str, tuple[Any, ...]]:
    """Return the first values of numbers, texts and truth values; of anything else nothing is needed."""
    wanted = [name for name, kind in types.items() if NUMERIC.match(kind) or kind in ("VARCHAR", "BOOLEAN", "JSON")]
    if not wanted:
        return {}
    parts = [
        f"left(CAST({identifier(name)} AS VARCHAR), {_TEXT})"
        if types[name] in ("VARCHAR", "JSON")
        else identifier(name)
        for name in wanted
    ]
    rows = min(_MOST_ROWS, max(_MOST_CELLS // len(wanted), 1))
    found = source.rows(f"SELECT {', '.join(parts)} FROM {source.table()} LIMIT {rows}")
    columns = zip(*found, strict=True) if found else ((),) * len(wanted)
    return {
        name: tuple(value for value in values if value is not None and value == value)  # noqa: PLR0124 - NaN
        for name, values in zip(wanted, columns, strict=True)
    }


def _own_names(source: Engine) -> list[str]:
    """Return the names of columns as the file spells them: DuckDB renames one that differs in capitals only."""
    match source.files[0].format:
        case "parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            try:
                names = [str(name) for name in pq.read_schema(source.files[0].path.absolute()).names]
            except (pa.ArrowException, OSError):
                return []  # damaged: whoever reads it says how
            if not names:
                raise InputError(f"{source.name} has no columns")
            return names
        case "json":
            keys = source.row(f"SELECT json_keys(json) FROM {source.objects} LIMIT 1")
            return [str(name) for name in keys[0]] if keys and keys[0] else []
        case _:
            return [str(name) for name in source.connection.table("arrow_files").columns]


def _one_spelling(names: Sequence[str], table: str) -> None:
    """Refuse columns that differ in capitals only: DuckDB would read the one for the other. And more than it reads in seconds."""
    if len(names) > MOST_COLUMNS:
        raise InputError(
            f"{table} has {len(names):,} columns, and isocost reads at most {MOST_COLUMNS:,}: write the label and the scores to a file "
            "of their own"
        )
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(name.lower(), name)
        if twin != name:
            raise InputError(f"columns {twin!r} and {name!r} of {table} differ in capitals only: rename one of them")


PublishedForm = Literal["matrices", "points", "together"]
MATRIX = ("tp", "fn", "fp", "tn")
POINT = ("fpr", "tpr")
CLASSES = ("positives", "negatives")


def published_form(names: Sequence[str]) -> PublishedForm | None:
    """Return what published results the columns hold: confusion matrices, points of ROC space, models counted together, or none."""
    rest = set(names) - {"model", "threshold"}
    if len(rest) == len(names) > 2 and rest >= set(CLASSES) and not rest & {"score", "upper"}:
        return "together"
    return "matrices" if rest == set(MATRIX) else "points" if rest == set(POINT) else None


def by_model(source: Engine, types: Mapping[str, str], numbers: Sequence[str]) -> dict[str, dict[str, NDArray[Any]]]:
    """Return the columns of numbers of each model, which the column `model` names; without one there is one model, 'score'."""
    for column in numbers:
        if not NUMERIC.match(types[column]):
            raise InputError(f"column {column!r} of {source.name} must hold numbers, got {types[column]}")
    model = "CAST(model AS VARCHAR)" if "model" in types else "'score'"
    text = source.files[0].format in ("csv", "json")
    kinds = {name: "VARCHAR" if name == "model" else "DOUBLE" for name in types} if text else None
    columns = ", ".join(f"CAST({column} AS DOUBLE) + 0.0 AS {column}" for column in numbers)
    found = source.columns(f"SELECT {model} AS model, {columns} FROM {source.table(kinds)}")
    for column in ("model", *numbers):
        if np.ma.is_masked(found[column]):
            raise InputError(f"column {column!r} of {source.name} has missing values")
    names = np.asarray(found["model"])
    if not names.size:
        raise InputError(f"{source.name} holds no rows")
    return {
        str(name): {column: np.asarray(found[column])[names == name] for column in numbers}
        for name in dict.fromkeys(names.tolist())
    }


class Published(dict[str, dict[str, NDArray[Any]]]):
    """The published results of each model, by column, and on which cases models agree if that is known.

    `agreement` counts positives, then negatives, that models flag (first place) or not: one axis for each model.
    """

    agreement: NDArray[Any] | None = None

    def of(self, models: Sequence[str]) -> Published:
        """Return the results of some models, in this order."""
        found = Published({name: self[name] for name in models})
        if self.agreement is not None:
            axes = [list(self).index(name) + 1 for name in models]
            kept = np.moveaxis(self.agreement, axes, range(1, len(axes) + 1))
            found.agreement = kept.reshape(*kept.shape[: len(axes) + 1], -1).sum(axis=-1)
        return found


def read_published(source: Engine, types: Mapping[str, str]) -> Published:
    """Return the published results of each model."""
    if published_form(list(types)) == "together":
        return _read_together(source, types)
    numbers = MATRIX if published_form(list(types)) == "matrices" else POINT
    return Published(by_model(source, types, [*numbers, *(["threshold"] if "threshold" in types else [])]))


def _read_together(source: Engine, types: Mapping[str, str]) -> Published:
    """Return models counted together: a row holds 1 (flagged) or 0 for each model, and how many cases of each class that is."""
    models = [name for name in types if name not in CLASSES]
    [rows] = by_model(source, types, [*models, *CLASSES]).values()
    flags, counts = np.array([rows[name] for name in models]), np.array([rows[name] for name in CLASSES])
    for name, column in zip(models, flags, strict=True):
        if not np.isin(column, (0, 1)).all():
            raise InputError(
                f"column {name!r} of {source.name} must hold 1 where the model flags and 0 where it does not"
            )
    if np.any((counts < 0) | (counts != np.round(counts))):
        raise InputError(f"positives and negatives of {source.name} must be whole numbers of cases")
    together = np.zeros((2,) * (len(models) + 1))
    for kind, column in enumerate(counts):
        np.add.at(together[kind], tuple(1 - flags.astype(np.intp)), column)
    found = Published({name: {} for name in models})
    found.agreement = together
    for name in models:
        cells = np.asarray(found.of([name]).agreement)
        found[name] = dict(zip(MATRIX, cells.reshape(4, 1), strict=True))
    return found

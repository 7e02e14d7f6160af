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

from isocost.data import checks
from isocost.data.files import (
    NOTHING,
    UNREADABLE,
    InputFile,
    TextForm,
    Words,
    folder_prefix,
    has_decimal_commas,
    has_decimal_points,
    is_percent,
    listed,
    present,
    readable,
    remedy,
)
from isocost.errors import InputError, MissingDependencyError

if TYPE_CHECKING:
    import duckdb

Missing = Literal["error", "drop"]
# What goes on, and how many percent of it are done, for as long as the context lasts.
Progress = Callable[[str, Callable[[], float]], AbstractContextManager[None]]

LABELS = ("label", "y_true", "y", "target")
COUNTS = ("score", "positives", "negatives")
OPTIONAL = ("upper", "unlabelled")
NUMERIC = re.compile(r"^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*|PERCENT)$")
WIDE_INTEGER = re.compile(r"^(U?(BIG|HUGE)INT)$")
# Numbers written as text with a percent sign, which DuckDB has no type for.
PERCENT = "PERCENT"
# More numeric columns than this are features rather than models: somebody has to say which are scores.
MOST_GUESSED = 12
# So many values must follow each other, differ or agree to be taken for row numbers, ids or predictions.
_IN_A_ROW, _ALL_DIFFERENT = 8, 30

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
_ROW_NUMBER = re.compile(r"\(unnamed |Unnamed: |__index_level_")
_PREDICTION = re.compile(r"(?i)(^|[_ .\-])(pred(icted|iction|s)?|y_?hat|class|decision|hard|flag(ged)?)([_ .\-]|$)")
_LIKELY = re.compile(r"(?i)score|prob|pred|model|risk|logit|(^|[_ .\-])(p|pd|y_?hat)([_ .\-]|$)")
# Of more columns none is compared with the others.
_MOST_COMPARED = 100
# Seconds since 1970 from 2001 to 2100; programs also write them in thousandths, millionths and billionths.
_EPOCH = 978_307_200, 4_102_444_800
# Probabilities written with a few decimals add up to 1 within this.
_SUM_TO_ONE = 2e-3


@dataclass(frozen=True)
class Roles:
    """What the user said about the columns; None and () leave it to the guess.

    Attributes
    ----------
    lower_is_positive : tuple of str
        Scores whose low values speak for the class to detect.
    missing : {"error", "drop"}
        What happens to rows without a label or a score.
    unlabelled : bool
        There is no column of labels.
    costs : tuple of (str, str)
        What each outcome costs: pairs of cost_fp, cost_fn, cost_tp or cost_tn and a column.
    several : bool
        More than two classes are allowed.
    model, case : str or None
        Of a table with a row for each case and model: the columns that say which.
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
    model: str | None = None
    case: str | None = None


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
    model: str | None = None
    case: str | None = None

    @property
    def marks(self) -> dict[str, str]:
        """The columns that are neither scores nor numbers, by what they are for."""
        named = {role: getattr(self, role) for role in ("label", "fold", "cluster", "group", "model", "case")}
        return {role: name for role, name in named.items() if name is not None}

    @property
    def numbers(self) -> dict[str, str]:
        """The weight and the costs."""
        return ({} if self.weight is None else {"weight": self.weight}) | dict(self.costs)

    @property
    def all(self) -> tuple[str, ...]:
        """Every column that is read."""
        return tuple(dict.fromkeys((*self.marks.values(), *self.scores, *self.numbers.values())))

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models: those of their scores, with a minus where the scores were reversed."""
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

    def numbers(self, name: str) -> list[Any] | None:
        """Return the first values of a column as numbers, None if some are none."""
        try:
            values = self.first.get(name, ())
            return [v if isinstance(v, int) else float(str(v).replace(",", ".")) for v in values]
        except ValueError:
            return None

    def why_not(self, name: str) -> str | None:
        """Return why a column is no model's scores, None if it may be."""
        kind = self.types[name]
        if not NUMERIC.match(kind):
            return _not_numeric(kind, self.first.get(name, ()))
        if _ROW_NUMBER.match(name):
            return "a row number"
        if _WEIGHT.fullmatch(name):
            return "a weight"
        numbers, time = self.numbers(name), self._is_time(name)
        if numbers is None or not all(map(float.is_integer, map(float, numbers))):
            return "a date" if time else None
        counting = len(numbers) >= _IN_A_ROW and all(b - a == 1 for a, b in pairwise(numbers))
        dates = bool(numbers) and any(all(map(test, map(int, numbers))) for test in (_is_day, _is_month))
        reasons = {
            "a row number": counting and numbers[0] in (0, 1),
            "whole numbers that count up by 1": counting,
            "an id": _IDENTIFIER.fullmatch(name),
            "a fold": _FOLD.fullmatch(name),
            "a date": dates or time,
            "named like a date": _DATE.fullmatch(name),
            "an id: whole numbers, all different": len(numbers) >= _ALL_DIFFERENT and len(set(numbers)) == len(numbers),
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def _is_time(self, name: str) -> bool:
        """Return whether the first values are moments: seconds or parts of them since 1970, or days since 1900 under a name of a date."""
        if not (numbers := self.numbers(name)):
            return False
        low, high = min(numbers), max(numbers)
        moments = any(_EPOCH[0] * parts <= low <= high <= _EPOCH[1] * parts for parts in (1, 1e3, 1e6, 1e9))
        return moments or (20_000 <= low <= high <= 80_000 and _DATE.fullmatch(name) is not None)

    def predictions(self) -> dict[str, str]:
        """Return the columns that are a score above a threshold, and that score: 1 where it is high and 0 where it is low."""
        few = self.types if len(self.types) <= _MOST_COMPARED else ()
        known = {n: np.array(v, dtype=np.float64) for n in few if n in self.numeric and (v := self.numbers(n))}
        hard = {name: self._zero_one(name) for name in few}
        found: dict[str, str] = {}
        for name, ones in hard.items():
            for score, values in known.items():
                if ones is None or values.size != ones.size or ones.all() or not ones.any() or name in found:
                    continue
                sure = ones.size >= _ALL_DIFFERENT or _PREDICTION.search(name)
                if sure and np.unique(values).size > 2 and values[ones].min() > values[~ones].max():
                    found[name] = score
        return found

    def _zero_one(self, name: str) -> NDArray[np.bool_] | None:
        """Return the first values of a column of 0 and 1, or of truth values."""
        values = [str(value).strip().lower() for value in self.first.get(name, ())]
        known = {"0": False, "0.0": False, "false": False, "1": True, "1.0": True, "true": True}
        enough = len(values) >= _IN_A_ROW and set(values) <= set(known)
        return np.array([known[v] for v in values], dtype=np.bool_) if enough else None

    def hard_predictions(self, scores: Sequence[str]) -> dict[str, str]:
        """Return the columns that are predictions beside scores, and why they are taken for that."""
        cut = {name: score for name, score in self.predictions().items() if name in scores}
        found = {name: f"predictions: {score} above a threshold" for name, score in cut.items()}
        named = {name: self._zero_one(name) is not None and _PREDICTION.search(name) for name in scores}
        if any(len(self.values(name)) > 2 for name in scores):
            found = {name: "0 and 1 only: predictions, not scores" for name, hard in named.items() if hard} | found
        return found

    def complements(self, scores: Sequence[str]) -> tuple[str, str] | None:
        """Return two columns of probabilities that add up to 1 in all of the first rows."""
        lists = {name: self.numbers(name) or [] for name in scores}
        known = {n: np.array(v, dtype=np.float64) for n, v in lists.items() if len(v) >= _IN_A_ROW and len(set(v)) > 2}
        for one, other in combinations(known, 2):
            a, b = known[one], known[other]
            inside = a.size == b.size and 0 <= a.min() <= a.max() <= 1
            if inside and np.all(np.abs(a + b - 1) <= _SUM_TO_ONE):
                return one, other
        return None

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The columns that are named like ids."""
        return tuple(name for name in self.types if _IDENTIFIER.fullmatch(name))

    def case_and_model(self, scores: Sequence[str]) -> tuple[str, str] | None:
        """Return the columns of cases and of models of a long table: a row for every combination of the two."""
        texts = [n for n, kind in self.types.items() if kind == "VARCHAR" and 2 <= len(self.values(n)) <= MOST_GUESSED]
        for case in (n for n in self.ids if n not in scores):
            ids = self.first.get(case, ())
            for model in texts if len(set(ids)) * 2 <= len(ids) else ():
                named = self.first[model]
                if model != case and len(named) == len(ids) == len(set(zip(ids, named, strict=True))):
                    return case, model
        return None

    def copied_case(self, label: str | None, scores: Sequence[str]) -> str | None:
        """Return a column of ids each of which stands in several rows, equally often, with one label: cases written several times."""
        labels = self.first.get(label or "", ())
        for name in (n for n in self.ids if n != label and n not in scores):
            # The last id may go on behind the first rows.
            ids = self.first.get(name, ())
            together = len(ids) == len(labels) and len(set(zip(ids, labels, strict=True))) == len(set(ids))
            counts = [ids.count(value) for value in dict.fromkeys(ids) if value != ids[-1]] if together else []
            if len(counts) >= _IN_A_ROW and counts[0] > 1 and len(set(counts)) == 1:
                return name
        return None


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
    try:
        return 19_000_101 <= value <= 21_001_231 and bool(dt.date(value // 10_000, value // 100 % 100, value % 100))
    except ValueError:
        return False


def is_count_table(names: Sequence[str]) -> bool:
    """Return whether the columns are those of a table of score counts."""
    return set(names) - {"model", *OPTIONAL} == set(COUNTS)


def settled(roles: Roles, look: Look, words: Words) -> Columns:
    """Settle the columns, or say which is missing."""
    asked = {role: getattr(roles, role) for role in ("label", "weight", "fold", "cluster", "group", "model", "case")}
    named = [(role, name) for role, name in asked.items() if name is not None]
    for role, name in (*named, *(("cost-column", name) for _, name in roles.costs)):
        _there(name, look, role, words)
    if roles.case is not None and roles.model is None:
        raise InputError(
            f"{words.naming(words.case, roles.case)} goes with the column that names the models: {words.model}"
        )
    asked["label"] = roles.label if roles.label is not None or roles.unlabelled else _label(look, words)
    taken = {*asked.values(), *(name for _, name in roles.costs)} - {None}
    left_out: dict[str, str] = {}
    for name in roles.scores:
        _there(name, look, "score", words)
        if name in taken:
            raise InputError(f"column {name!r} of {look.name} cannot be a score and something else")
    scores = tuple(dict.fromkeys(roles.scores))
    if not scores:
        scores, left_out = _guessed(roles, look, words, taken)
    checks.columns(roles.lower_is_positive, scores, f"score of {look.name} to turn round")
    turned = frozenset(roles.lower_is_positive)
    return Columns(scores=scores, left_out=left_out, turned=turned, costs=roles.costs, **asked)


def _guessed(roles: Roles, look: Look, words: Words, taken: set[Any]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the columns that hold scores, and why others do not."""
    reasons = {name: look.why_not(name) for name in look.types if name not in taken}
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    scores = [name for name, reason in reasons.items() if reason is None]
    for name in scores:
        _there(name.rpartition(" (column ")[0] or name, look, "score", words)
    left_out |= look.hard_predictions(scores)
    scores = [name for name in scores if name not in left_out]
    if pair := look.complements(scores):
        kept = [name for name in pair if roles.positive is not None and roles.positive.lower() in name.lower()]
        if len(kept) != 1:
            raise InputError(
                f"{pair[0]!r} and {pair[1]!r} of {look.name} add up to 1 in every row: they are the two probabilities of one "
                f"model. Name that of the class to detect, as in {words.naming(words.score, pair[1])}"
            )
        other = pair[kept[0] == pair[0]]
        left_out[other] = f"1 - {kept[0]}: the other class"
        scores.remove(other)
    if len(scores) > MOST_GUESSED and not roles.several:
        raise _too_many(scores, look, words)
    return tuple(scores), left_out


def _too_many(scores: Sequence[str], look: Look, words: Words) -> InputError:
    """Return what is wrong with so many columns, and those of them that are likely scores."""
    inside = [n for n in scores if (v := look.numbers(n)) and 0 <= min(v) <= max(v) <= 1 and set(v) - {0, 1}]
    likely = [name for name in scores if _LIKELY.search(name)] or inside
    return InputError(
        f"{look.name} has {len(scores):,} numeric columns, too many to be models all. Name those that hold scores, for example "
        f"{words.naming(words.score, (likely or scores)[0])} ({'likely' if likely else 'columns'}: {listed(likely or scores)})"
    )


def _there(name: str, look: Look, role: str, words: Words) -> None:
    if name in look.twice:
        many = sum(other.rpartition(" (column ")[0] == name for other in look.types)
        raise InputError(f"{look.name} has {many} columns called {name!r}: give each a name of its own")
    option = f" for --{role}" if words.label.startswith("--") else f" for {role}="
    checks.columns([name], look.types, f"column of {look.name}{option}")


def _label(look: Look, words: Words) -> str:
    cut = look.predictions()
    named = [name for name in look.types if name.lower() in LABELS]
    if len(named) == 1:
        return named[0]
    problem = f"{look.name} has several columns that may hold the labels"
    if not named:
        problem = f"{look.name} has no column {', '.join(LABELS[:-1])} or {LABELS[-1]}"
    two = [name for name in look.types if len(look.values(name)) == 2 and name not in cut]
    offered = named or two or [name for name in look.types if name not in cut]
    example = words.naming(words.label, offered[0]) if offered else "none is there"
    made = "".join(f"; {name} is {score} above a threshold, a prediction" for name, score in cut.items() if not named)
    raise InputError(f"{problem}. Choose one: {example} (columns: {listed(offered)}{made})")


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
        return _grouped(columns, classes, at_end=True)
    except InputError as error:
        try:
            return _grouped(columns, classes, at_end=False)
        except InputError:
            raise error from None


def _grouped(columns: Sequence[str], classes: Sequence[Any], *, at_end: bool) -> tuple[dict[str, list[str]], list[str]]:
    found: dict[str, dict[Any, str]] = {}
    rest = []
    for column in columns:
        named = {label: model for label in classes if (model := _model(column, str(label), at_end=at_end)) is not None}
        if not named:
            rest.append(column)
            continue
        # Of a class whose name ends in that of another, the longer name is meant.
        label = max(named, key=lambda label: len(str(label)))
        mine = found.setdefault(named[label], {})
        if label in mine:
            raise InputError(
                f"{column!r} and {mine[label]!r} are both scores of {named[label]} for class {label!r}: keep one"
            )
        mine[label] = column
    for model, known in found.items():
        if missing := [label for label in classes if label not in known]:
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


def _model(column: str, label: str, *, at_end: bool) -> str | None:
    """Return whose score of a class a column is, None if it is not named after the class."""
    if column == label:
        return UNNAMED
    rest = column.removesuffix(label) if at_end else column.removeprefix(label)
    mark, name = (rest[-1:], rest[:-1]) if at_end else (rest[:1], rest[1:])
    return name if rest != column and mark in _MARKS and name else None


# What a damaged file says of itself is not believed: the optimiser would count a label of 129 as 0, skip rows, or crash.
_UNBELIEVED = "statistics_propagation,filter_pushdown"


def shown_by(progress: Any) -> Progress:
    """Return how progress is shown: as asked, or not at all."""
    if progress is not None and not callable(progress):
        raise InputError(f"progress must be callable with what is done and a percentage, got {progress!r:.80}")
    return silent if progress is None else progress


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


def _place(file: InputFile) -> str:
    """Return a file's path as DuckDB must be given it: absolute, and with every sign of a pattern taken as it is."""
    return re.sub(r"([*?\[])", r"[\1]", str(file.path.absolute()))


def _struct(types: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{text(name)}: {text(kind)}" for name, kind in types.items()) + "}"


class Engine:
    """A connection that reads a list of files of one format as one table."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, files: Sequence[InputFile], progress: Progress, words: Words
    ) -> None:
        self.connection = connection
        self.files = files
        self.format, self.is_text = files[0].format, files[0].is_text
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
        """Return the context that shows how far reading got; by default as the engine says."""
        context: Any = self.progress(f"reading {self.name}", percent or self.connection.query_progress)
        if not isinstance(context, AbstractContextManager):
            hint = "decorate it with contextlib.contextmanager"
            raise InputError(f"progress must return a context manager, got {type(context).__name__}: {hint}")
        return context

    def believed(self, sql: str) -> tuple[Any, ...]:
        """Return the first row of a query that may be answered by what a file says of itself."""
        self.query("SET disabled_optimizers = ''")
        try:
            return self.row(sql)
        finally:
            self.query(f"SET disabled_optimizers = {text(_UNBELIEVED)}")

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query: all are fetched, as an unfinished result would be in the way of the next query."""
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
            if self._late is None and "Query interrupted" in str(error):
                raise KeyboardInterrupt from error
            raise InputError(self._late or self._line(str(error))) from error

    @contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """Stop reading after so many seconds, if that is bounded, and say so."""

        def stop() -> None:
            self._late = f"reading {self.name} takes longer than {seconds:g} seconds: use the command for such a file"
            self.connection.interrupt()

        clock = threading.Timer(seconds or 0, stop)
        clock.daemon = True
        if seconds is not None:
            clock.start()
        try:
            yield
        finally:
            clock.cancel()

    def _line(self, message: str) -> str:
        message = message.partition("\nLINE ")[0].strip()
        if "Out of Memory" in message:
            return f"{self.name} needs more memory than {self.words.memory} allows ({message.splitlines()[0]})"
        for f in self.files:
            message = message.replace(_place(f), str(f.path))
        kind, _, rest = message.partition(": ")
        body = rest if kind.endswith("Error") else message
        file = next((f.name for f in self.files if str(f.path) in message), self.name)
        column = re.search(r'Error when converting column "(.*)"\. Could not convert string "(.*)" to', body)
        if line := re.search(r"CSV Error on Line: (\d+)", body):
            wrong = _wrong_line(body)
            if column:
                hint = remedy(column[2], self.decimal, None if self.scores_named else self.words.score.format("…"))
                wrong = f"column {column[1]!r} holds {column[2]!r}, which is not a number; {hint}"
            return f"{file}, line {line[1]}: {wrong}"
        first = (readable(body).splitlines() or ["it cannot be read"])[0].strip()
        if self.format == "parquet" and UNREADABLE.search(body):
            found = next(
                (found for f in self.files if (found := _damage(f))), f"{file} is a damaged or truncated Parquet file"
            )
            return f"{found} ({first})"
        for f in self.files:
            first = first.replace(str(f.path), f.name)
        return first if file in first else f"{file}: {first}"

    def table(self, types: Mapping[str, str] | None = None, *, can_have_nan: bool = True) -> str:
        """Return the SQL of the files' rows; `types` fixes the columns of text formats."""
        first = self.files[0]
        match self.format:
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
                # The names come from the header, so that "" and names like "0.5" stay what they are.
                names = "[" + ", ".join(map(text, column_names(first))) + "]"
                columns = (
                    f"comment='', names={names}" if types is None else f"auto_detect=false, columns={_struct(types)}"
                )
                return (
                    f"read_csv({self._paths}, header=true, delim={text(str(first.delimiter))}, quote='\"', escape='\"', "
                    f"compression={text(first.packing)}, decimal_separator={text(self.decimal)}, nullstr={nothing}, "
                    f"hive_partitioning=false, strict_mode=true, skip={first.skip}, {columns})"
                )

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
        return "[" + ", ".join(text(_place(file)) for file in self.files) + "]"

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
        if self.format != "parquet":
            return
        for name in columns:
            if (file := self._differing.get(name)) is not None:
                raise InputError(f"{file} has no column {name!r}, which others of the {len(self.files)} files have")
        if found := next((found for file in self.files if (found := _damage(file, columns))), None):
            raise InputError(found)


def _damage(file: InputFile, columns: Sequence[str] | None = None) -> str | None:
    """Return what a Parquet file is and where, if a page of some columns cannot be read or has another checksum than was written."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    where = "its end"
    try:
        with pq.ParquetFile(
            file.path.absolute(), buffer_size=1 << 20, pre_buffer=False, page_checksum_verification=True
        ) as parquet:
            names = [name for name in parquet.schema_arrow.names if columns is None or name in columns]
            for group in range(parquet.num_row_groups):
                for column in names:
                    where = f"column {column!r}, row group {group + 1} of {parquet.num_row_groups}"
                    for _ in parquet.iter_batches(1 << 16, row_groups=[group], columns=[column]):
                        pass
    except (pa.ArrowException, OSError) as error:
        if "CRC" in str(error):
            return f"{file.name} is a damaged Parquet file: {where} has another checksum than was written"
        # What the engine can read is its business.
        return f"{file.name} is a damaged or truncated Parquet file: {where}" if columns is None else None
    return None


def column_names(file: InputFile) -> list[str]:
    """Return the names of a header; a column without one gets its place."""
    return [name or f"(unnamed {place})" for place, name in enumerate(file.header, 1)]


# More than any machine has; a larger number means as much as there is.
_MOST_MEMORY = 1e18


def memory_bytes(given: str | int | None, name: str) -> int:
    """Return a size such as 500MB, 2GB or 2GiB in bytes; half of the machine's memory if none is given."""
    if given is None:
        try:
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
        except (AttributeError, ValueError, OSError):
            return 4 << 30
    found = re.fullmatch(r"(?i)\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", str(given))
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
        config: dict[str, Any] = {
            "autoinstall_known_extensions": "false", "disabled_optimizers": _UNBELIEVED, "temp_directory": folder,
            "memory_limit": f"{max(memory >> 20, 16)}MiB",
        }  # fmt: skip
        connection = duckdb.connect(config=config)
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
        why = str(error).splitlines()[0]
        raise InputError(f"{files[0].name} and other files differ in their columns: {why}") from error
    return pyarrow.dataset.dataset([str(file.path.absolute()) for file in files], format="ipc", schema=schema)


def _wrong_line(error: str) -> str:
    """Return what is wrong with a line of text, in words of ours where DuckDB's are known."""
    if many := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", error):
        hint = "; put a value with a separator in it in quotes" if int(many[2]) > int(many[1]) else ""
        return f"the file has {many[1]} columns, this line has {many[2]}{hint}"
    if "unterminated quote" in error:
        return "a quote is opened and not closed, or closed within a value"
    rest = [part for part in error.splitlines()[1:] if part and not part.startswith(("Original Line", "Possible"))]
    return rest[0] if rest else "it cannot be read"


# Values of the first rows that are fetched, and characters of a text.
_MOST_CELLS, _MOST_ROWS, _TEXT = 100_000, 500, 100
# More take the engine minutes, in which it does not listen.
MOST_COLUMNS = 20_000


def look_at(source: Engine, form: TextForm) -> Look:
    """Return what the table shows, and settle the decimal mark of text."""
    if source.format == "csv":
        return _text_table(source, form)
    _one_spelling(_own_names(source), source.name)
    types = _types(source)
    if source.format == "json":
        types |= _numbers_in_disguise(source, [name for name, kind in types.items() if kind == "VARCHAR"])
    return Look(source.name, types, lambda: _first_values(source, types))


def _text_table(source: Engine, form: TextForm) -> Look:
    file = source.files[0]
    names = column_names(file)
    _one_spelling(names, source.name)
    cells = zip(*file.rows, strict=True) if file.rows else ((),) * len(names)
    first = {name: present(values) for name, values in zip(names, cells, strict=True)}
    commas = any(map(has_decimal_commas, first.values())) and not any(map(has_decimal_points, first.values()))
    source.decimal, source.decimal_named = form.decimal or ("," if commas else "."), form.decimal is not None
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
        if source.format == "csv":  # guessing types fails without a reason; reading text tells the line
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


def _first_values(source: Engine, types: Mapping[str, str]) -> dict[str, tuple[Any, ...]]:
    """Return the first values of numbers, texts and truth values; of anything else nothing is needed."""
    wanted = [name for name, kind in types.items() if NUMERIC.match(kind) or kind in ("VARCHAR", "BOOLEAN", "JSON")]
    if not wanted:
        return {}
    of_text = [types[name] in ("VARCHAR", "JSON") for name in wanted]
    parts = [
        f"left(CAST({column} AS VARCHAR), {_TEXT})" if long else column
        for column, long in zip(map(identifier, wanted), of_text, strict=True)
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
    match source.format:
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
    kinds = {name: "VARCHAR" if name == "model" else "DOUBLE" for name in types} if source.is_text else None
    columns = ", ".join(f"CAST({column} AS DOUBLE) + 0.0 AS {column}" for column in numbers)
    found = source.columns(f"SELECT {model} AS model, {columns} FROM {source.table(kinds)}")
    for column in ("model", *numbers):
        if np.ma.is_masked(found[column]):
            raise InputError(f"column {column!r} of {source.name} has missing values")
    # As they were before they were written so that no spreadsheet takes them for formulas.
    names = np.array([re.sub(r"^'(?=[=@+\-\t\r])", "", str(name)) for name in found["model"]], dtype=object)
    if not names.size:
        raise InputError(f"{source.name} holds no rows")
    parts = {str(name): names == name for name in dict.fromkeys(names.tolist())}
    return {name: {column: np.asarray(found[column])[mine] for column in numbers} for name, mine in parts.items()}


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

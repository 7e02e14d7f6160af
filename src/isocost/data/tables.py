"""Files as one table of DuckDB: a look at its columns, and which of them is the label, a score, a weight, a fold."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost.data import checks
from isocost.data.checks import shown
from isocost.data.files import (
    NOTHING,
    PERCENT,
    UNREADABLE,
    InputFile,
    TextForm,
    Words,
    decimal_mark,
    folder_prefix,
    kind_of,
    listed,
    present,
    readable,
)
from isocost.errors import InputError, MissingDependencyError

if TYPE_CHECKING:
    import duckdb

Missing = Literal["error", "drop"]
# What goes on, and how many percent of it are done, for as long as the context lasts.
Progress = Callable[[str, Callable[[], float]], AbstractContextManager[None]]

LABELS = ("label", "y_true", "y", "target")
# What a table of score counts holds at least; `upper` stands beside the score where scores were counted together in buckets,
# `unlabelled` beside the classes where the class of some cases is not known.
COUNTS = ("score", "positives", "negatives")
OPTIONAL = ("upper", "unlabelled")
NUMERIC = re.compile(r"^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*|PERCENT)$")
_NESTED = re.compile(r"STRUCT|MAP|UNION|VARIANT|.*\]$")
# Why a column of another type is no score; text is whatever is left.
_OTHERS = {
    "a nested value": _NESTED,
    "true or false": re.compile("BOOLEAN"),
    "a date": re.compile("DATE|TIME|INTERVAL"),
}
# More numeric columns than this are features rather than models: the user has to name the scores.
MOST_GUESSED = 12
# So many values must follow each other, differ or agree to be taken for row numbers, ids or predictions.
_IN_A_ROW, _ALL_DIFFERENT = 8, 30
# No program writes scores that are all above this.
_MOST_SCORE = 100_000

# Names end in such a word, after a mark or in front: customer_id, customerId, ID.
_PREFIX = r"(?i:(.*[_ .\-])?"
_OWNERS = (
    r"(user|cust(omer)?|client|account|acct|case|patient|member|loan|order|item|person|record|row|subject|session|txn|device|transaction"
    r"|household|family|hospital|clinic|site|cent(er|re)|store|shop|branch|merchant|visit|encounter|claim|policy|ticket|card|owner|employee)"
)
_IDENTIFIER = re.compile(
    _PREFIX
    + rf"({_OWNERS}?ids?|{_OWNERS}|idx|index|rows?|row[_ ]?(number|num|nr|no|id)|uuid|guid|key|nr|no|num|number|zip(code)?|postcode|phone"
    r"|ssn)|.*nummer)|.*[a-z]I[dD]|\(unnamed .*|Unnamed: .*|__index_level_.*"
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
    + r"(date|day|weekday|week|month|quarter|year|period|hour|time|timestamp|datetime|epoch|at|ts|dt|created|updated|dob))"
    r"|.*[a-z](At|Date|Time)"
)
_PREDICTION = re.compile(r"(?i)(^|[_ .\-])(pred(icted|iction|s)?|y_?hat|class|decision|hard|flag(ged)?)([_ .\-]|$)")
_LIKELY = re.compile(r"(?i)score|prob|pred|model|risk|logit|(^|[_ .\-])(p|pd|y_?hat)([_ .\-]|$)")
# Of more columns none is compared with the others.
_MOST_COMPARED = 100
# Probabilities written with a few decimals add up to 1 within this.
_SUM_TO_ONE = 2e-3


@dataclass(frozen=True)
class Roles:
    """Which columns are what: as the user named them, where None and () leave it to the guess, or as settled."""

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
    costs: tuple[tuple[str, str], ...] = ()  # outcome and column
    several: bool = False  # more than two classes
    model: str | None = None
    case: str | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)  # once settled: what is not used, and why

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
        """The names of the models: those of their scores, with a minus where the scores are reversed."""
        return tuple(f"-{name}" if name in self.lower_is_positive else name for name in self.scores)


@dataclass(frozen=True)
class Look:
    """What a look at a table shows: DuckDB's names of types, or PERCENT; of text what its first values, kept raw, look like."""

    name: str
    types: Mapping[str, str]
    first: Mapping[str, tuple[Any, ...]]
    twice: tuple[str, ...] = ()

    @cached_property
    def numeric(self) -> tuple[str, ...]:
        """The columns that hold numbers."""
        return tuple(name for name, kind in self.types.items() if NUMERIC.match(kind))

    def values(self, name: str) -> tuple[Any, ...]:
        """Return the distinct first values of a column, in their order."""
        return tuple(dict.fromkeys(self.first.get(name, ())))

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return the first values of a column as numbers, none if some are no numbers."""
        try:
            return np.array([float(str(value).replace(",", ".")) for value in self.first.get(name, ())])
        except ValueError:
            return np.empty(0)

    def why_not(self, name: str) -> str | None:
        """Return why a column is no model's scores, None if it may be."""
        if name not in self.numeric:
            found = next((why for why, kind in _OTHERS.items() if kind.match(self.types[name])), "text")
            return found if self.first.get(name) or found != "text" else "empty in the first rows"
        numbers = self.numbers(name)
        whole = numbers.size > 0 and bool(np.all(numbers == np.floor(numbers)))
        reasons = {
            "a weight": _WEIGHT.fullmatch(name),
            "whole numbers that count up by 1": whole and numbers.size >= _IN_A_ROW and np.all(np.diff(numbers) == 1),
            "named like an id": whole and _IDENTIFIER.fullmatch(name),
            "named like a fold": whole and _FOLD.fullmatch(name),
            "named like a date": whole and _DATE.fullmatch(name),
            "numbers above 100,000: ids, dates or amounts": numbers.size and numbers.min() > _MOST_SCORE,
            "whole numbers, all different": whole and numbers.size == np.unique(numbers).size >= _ALL_DIFFERENT,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def predictions(self) -> dict[str, str]:
        """Return the columns that are a score above a threshold, and that score: 1 where it is high and 0 where it is low."""
        few = self.types if len(self.types) <= _MOST_COMPARED else ()
        scores = {name: values for name in few if np.unique(values := self.numbers(name)).size > 2}
        found: dict[str, str] = {}
        for name in few:
            ones = self._zero_one(name)
            if ones.all() or not ones.any() or not (ones.size >= _ALL_DIFFERENT or _PREDICTION.search(name)):
                continue
            for score, values in scores.items():
                if values.size == ones.size and values[ones].min() > values[~ones].max():
                    found.setdefault(name, score)
        return found

    def _zero_one(self, name: str) -> NDArray[np.bool_]:
        """Return the first values of a column of 0 and 1, or of truth values; none of another one."""
        values = [str(value).strip().lower() for value in self.first.get(name, ())]
        known = {"0": False, "0.0": False, "false": False, "1": True, "1.0": True, "true": True}
        enough = len(values) >= _IN_A_ROW and set(values) <= set(known)
        return np.array([known[value] for value in values] if enough else [], dtype=np.bool_)

    def hard_predictions(self, scores: Sequence[str]) -> dict[str, str]:
        """Return the columns that are predictions beside scores, and why they are taken for that."""
        found = {}
        if any(len(self.values(name)) > 2 for name in scores):
            hard = (name for name in scores if self._zero_one(name).size and _PREDICTION.search(name))
            found = dict.fromkeys(hard, "0 and 1 only: predictions, not scores")
        cut = self.predictions().items()
        return found | {name: f"predictions: {score} above a threshold" for name, score in cut if name in scores}

    def complements(self, scores: Sequence[str]) -> tuple[str, str] | None:
        """Return two columns of probabilities that add up to 1 in all of the first rows."""
        few = scores if len(scores) <= _MOST_COMPARED else ()
        known = {name: values for name in few if (values := self.numbers(name)).size >= _IN_A_ROW}
        for one, other in combinations(known, 2):
            a, b = known[one], known[other]
            several = a.size == b.size and 0 <= a.min() <= a.max() <= 1 and np.unique(a).size > 2
            if several and np.all(np.abs(a + b - 1) <= _SUM_TO_ONE):
                return one, other
        return None

    def case_and_model(self, scores: Sequence[str]) -> tuple[str, str] | None:
        """Return the columns of cases and of models of a long table: a row for every combination of the two."""
        texts = [n for n, kind in self.types.items() if kind == "VARCHAR" and 2 <= len(self.values(n)) <= MOST_GUESSED]
        for case in self._ids(scores):
            ids = self.first.get(case, ())
            for model in texts if len(set(ids)) * 2 <= len(ids) else ():
                named = self.first[model]
                if model != case and len(named) == len(ids) == len(set(zip(ids, named, strict=True))):
                    return case, model
        return None

    def copied_case(self, label: str | None, scores: Sequence[str]) -> str | None:
        """Return a column of ids each of which stands in several rows, equally often, with one label: cases written several times."""
        labels = self.first.get(label or "", ())
        for name in self._ids((*scores, label or "")):
            # The last id may go on behind the first rows.
            ids = self.first.get(name, ())
            together = len(ids) == len(labels) and len(set(zip(ids, labels, strict=True))) == len(set(ids))
            counts = [ids.count(value) for value in dict.fromkeys(ids) if value != ids[-1]] if together else []
            if len(counts) >= _IN_A_ROW and counts[0] > 1 and len(set(counts)) == 1:
                return name
        return None

    def likely(self, scores: Sequence[str]) -> list[str]:
        """Return the columns that are named like scores, or else those of shares."""
        named = [name for name in scores if _LIKELY.search(name)]
        return named or [
            n for n in scores if (v := self.numbers(n)).size and 0 <= v.min() <= v.max() <= 1 and set(v) - {0, 1}
        ]

    def _ids(self, others: Sequence[str]) -> list[str]:
        """Return the columns that are named like ids, but for some others."""
        return [name for name in self.types if _IDENTIFIER.fullmatch(name) and name not in others]


def is_count_table(names: Sequence[str]) -> bool:
    """Return whether the columns are those of a table of score counts."""
    return set(names) - {"model", *OPTIONAL} == set(COUNTS)


def settled(roles: Roles, look: Look, words: Words) -> Roles:
    """Settle the columns, or say which is missing."""
    given = [*roles.marks.items(), *(("cost-column", name) for _, name in roles.costs)]
    given += [] if roles.weight is None else [("weight", roles.weight)]
    for role, name in (*given, *(("score", name) for name in roles.scores)):
        _there(name, look, role, words)
    if roles.case is not None and roles.model is None:
        raise InputError.of("case alone", option=words.naming(words.case, roles.case), model=words.model)
    if roles.label is None and not roles.unlabelled:
        roles = replace(roles, label=_label(look, words))
    taken = {roles.label, *(name for _, name in given)}
    if both := next((name for name in roles.scores if name in taken), None):
        raise InputError.of("column", column=both, name=look.name, wrong="cannot be a score and something else")
    scores = tuple(dict.fromkeys(roles.scores))
    scores, left_out = (scores, {}) if scores else _guessed(roles, look, words, taken)
    checks.columns(roles.lower_is_positive, scores, f"score of {look.name} to turn round")
    return replace(roles, scores=scores, left_out=left_out)


def _guessed(roles: Roles, look: Look, words: Words, taken: set[Any]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the columns that hold scores, and why others do not."""
    reasons = {name: look.why_not(name) for name in look.types if name not in taken}
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    scores = [name for name in reasons if name not in left_out]
    for name in scores:
        _there(name.rpartition(" (column ")[0] or name, look, "score", words)
    left_out |= look.hard_predictions(scores)
    if not roles.several:  # where each class has its column
        left_out |= _other_class(look, [name for name in scores if name not in left_out], roles.positive, words)
    scores = [name for name in scores if name not in left_out]
    if not scores:
        raise _no_scores(left_out, look, roles.label, words)
    if len(scores) > MOST_GUESSED and not roles.several:
        likely = look.likely(scores)
        kind, columns = ("likely", listed(likely)) if likely else ("columns", listed(scores))
        option = words.naming(words.score, (likely or scores)[0])
        raise InputError.of("many scores", name=look.name, many=len(scores), option=option, kind=kind, columns=columns)
    return tuple(scores), left_out


def _no_scores(left_out: Mapping[str, str], look: Look, label: str | None, words: Words) -> InputError:
    """Return the error about a table of which every column is left out."""
    why = listed([f"{name} ({reason})" for name, reason in left_out.items()]) or "nothing"
    beside = "" if label is None else f" beside the label {label!r}"
    numbers = [name for name in left_out if name in look.numeric][:1]
    hint = "".join(f" If one of them holds scores, name it: {words.naming(words.score, name)}" for name in numbers)
    return InputError.of("no scores", name=look.name, beside=beside, why=why, hint=hint)


def _other_class(look: Look, scores: Sequence[str], positive: str | None, words: Words) -> dict[str, str]:
    """Return which of two probabilities of one model is that of the other class, and why it is left out."""
    if (pair := look.complements(scores)) is None:
        return {}
    kept = [name for name in pair if positive is not None and positive.lower() in name.lower()]
    if len(kept) != 1:
        option = words.naming(words.score, pair[1])
        raise InputError.of("two probabilities", one=pair[0], other=pair[1], name=look.name, option=option)
    return {pair[kept[0] == pair[0]]: f"1 - {kept[0]}: the other class"}


def _there(name: str, look: Look, role: str, words: Words) -> None:
    if name in look.twice:
        many = sum(other.rpartition(" (column ")[0] == name for other in look.types)
        raise InputError.of("twin columns", name=look.name, many=many, column=name)
    option = f" for --{role}" if words.label.startswith("--") else f" for {role}="
    checks.columns([name], look.types, f"column of {look.name}{option}")


def _label(look: Look, words: Words) -> str:
    """Return the column that is named like a label, or ask which one it is."""
    cut = look.predictions()
    named = [name for name in look.types if name.lower() in LABELS]
    if len(named) == 1:
        return named[0]
    none = f"no column {', '.join(LABELS[:-1])} or {LABELS[-1]}"
    problem = "several columns that may hold the labels" if named else none
    two = [name for name in look.types if len(look.values(name)) == 2 and name not in cut]
    offered = named or two or [name for name in look.types if name not in cut]
    example = words.naming(words.label, offered[0]) if offered else "none is there"
    made = "".join(f"; {name} is {score} above a threshold, a prediction" for name, score in cut.items() if not named)
    raise InputError.of(
        "which label", name=look.name, problem=problem, option=example, columns=listed(offered), made=made
    )


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
    faults: list[str] = []
    for at_end in (True, False):
        found, rest = _grouped(columns, classes, at_end=at_end)
        wrong = [
            f"model {model!r} needs one column of scores for each class, and has {len(named.get(label, ()))} for {label!r}"
            for model, named in found.items() for label in classes if len(named.get(label, ())) != 1
        ]  # fmt: skip
        if found and not wrong:
            return {model: [named[label][0] for label in classes] for model, named in found.items()}, rest
        faults += wrong
    unnamed = f"no column of scores is named after a class ({', '.join(map(repr, classes))})"
    raise InputError.of("no class columns", problem=(faults or [unnamed])[0], label=classes[0])


def _grouped(
    columns: Sequence[str], classes: Sequence[Any], *, at_end: bool
) -> tuple[dict[str, dict[Any, list[str]]], list[str]]:
    """Return the columns of each model by the class that stands at the end or the beginning of their names, and the others."""
    found: dict[str, dict[Any, list[str]]] = {}
    rest = []
    for column in columns:
        named = {}
        for label in classes:
            bare = column.removesuffix(str(label)) if at_end else column.removeprefix(str(label))
            mark, model = (bare[-1:], bare[:-1]) if at_end else (bare[:1], bare[1:])
            if column == str(label) or (bare != column and mark in _MARKS and model):
                named[label] = model or UNNAMED
        if named:
            # Of a class whose name ends in that of another, the longer name is meant.
            label = max(named, key=lambda label: len(str(label)))
            found.setdefault(named[label], {}).setdefault(label, []).append(column)
        else:
            rest.append(column)
    return found, rest


# What a damaged file says of itself is not believed: the optimiser would count a label of 129 as 0, skip rows, or crash.
_UNBELIEVED = "statistics_propagation,filter_pushdown"
# To read some rows only, it would join them with the whole file, in memory.
_UNWANTED = "late_materialization"


def shown_by(progress: Any) -> Progress:
    """Return how progress is shown: as asked, or not at all."""
    if progress is not None and not callable(progress):
        what = "callable with what is done and a percentage"
        raise InputError.of("must be", name="progress", what=what, given=shown(progress))
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


class Engine:
    """A connection that reads a list of files of one format as one table; `names` are the columns of text, all read as text."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, files: Sequence[InputFile], progress: Progress, words: Words
    ) -> None:
        self.connection, self.files, self.progress, self.words = connection, files, progress, words
        self.format, self.is_text = files[0].format, files[0].is_text
        self.names: Sequence[str] = files[0].header
        self.decimal = "."
        self.name = files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"

    def query(self, sql: str, parameters: Sequence[Any] = (), *, then: Callable[[Any], Any] | None = None) -> Any:
        """Run a query and fetch what is wanted of it, with progress if it is long; errors become lines about the files."""
        with self.explained(), self.meanwhile():
            done = self.connection.execute(sql, list(parameters))
            return None if then is None else then(done)

    def meanwhile(self, percent: Callable[[], float] | None = None) -> AbstractContextManager[None]:
        """Return the context that shows how far reading got; by default as the engine says."""
        context = self.progress(f"reading {self.name}", percent or self.connection.query_progress)
        what = "a context manager (decorate it with contextlib.contextmanager)"
        checks.instance(context, "what progress returns", AbstractContextManager, what)
        return context

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
            if "Query interrupted" in str(error):
                raise KeyboardInterrupt from error
            raise self._fault(str(error)) from error

    def _fault(self, message: str) -> InputError:
        message = message.partition("\nLINE ")[0].strip()
        if "Out of Memory" in message:
            return InputError(
                f"{self.name} needs more memory than {self.words.memory} allows ({message.splitlines()[0]})"
            )
        for f in self.files:
            message = message.replace(_place(f), str(f.path))
        file = next((f.name for f in self.files if str(f.path) in message), self.name)
        for f in self.files:
            message = message.replace(str(f.path), f.name)
        kind, _, rest = message.partition(": ")
        body = rest if kind.endswith("Error") else message
        first = (readable(body).splitlines() or ["it cannot be read"])[0].strip()
        if line := re.search(r"CSV Error on Line: (\d+)", body):
            return InputError(f"{file}, line {line[1]}: {_wrong_line(body)}")
        if self.format == "parquet" and UNREADABLE.search(body):
            found = next(filter(None, map(_damage, self.files)), f"{file} is a damaged or truncated Parquet file")
            return InputError(f"{found} ({first})")
        return InputError(first if file in first else f"{file}: {first}")

    @property
    def table(self) -> str:
        """The SQL of the files' rows."""
        if self.format == "arrow":
            return "arrow_files"
        paths = "[" + ", ".join(text(_place(file)) for file in self.files) + "]"
        if self.format == "parquet":
            # Statistics of some writers leave NaN out, and the optimiser would believe them. The types of the first file must not
            # bind the others, where halves would be read as whole numbers.
            return f"read_parquet({paths}, hive_partitioning=false, can_have_nan=true, union_by_name={len(self.files) > 1})"
        first = self.files[0]
        columns = "{" + ", ".join(f"{text(name)}: 'VARCHAR'" for name in self.names) + "}"
        if self.format == "json":
            return f"read_json({paths}, {self._json}, columns={columns})"
        nothing = "[" + ", ".join(map(text, NOTHING)) + "]"
        return (
            f"read_csv({paths}, header=true, delim={text(str(first.delimiter))}, quote='\"', escape='\"', nullstr={nothing}, "
            f"compression={text(first.packing)}, hive_partitioning=false, strict_mode=true, skip={first.skip}, auto_detect=false, "
            f"columns={columns})"
        )

    @property
    def objects(self) -> str:
        """The SQL of the objects of JSON files."""
        paths = "[" + ", ".join(text(_place(file)) for file in self.files) + "]"
        return f"read_json_objects({paths}, {self._json})"

    @property
    def _json(self) -> str:
        # The name that every DuckDB knows: some take "none" for CSV alone.
        packing = "uncompressed" if self.files[0].packing == "none" else self.files[0].packing
        return f"format='auto', compression={text(packing)}, hive_partitioning=false"

    def bare(self, name: str, kind: str) -> str:
        """Return the SQL of a number in text without spaces and percent sign and with a decimal point."""
        column = f"trim({identifier(name)})"
        if kind == PERCENT:
            # Without a sign it is no percentage.
            column = f"CASE WHEN suffix({column}, '%') THEN rtrim(rtrim({column}, '%')) ELSE '?' END"
        # A point beside decimal commas is not part of a number.
        return f"translate({column}, ',.', '.?')" if self.decimal == "," else column

    def number(self, name: str, kind: str) -> str:
        """Return the SQL of a column as numbers; text that is not a number is null."""
        if not self.is_text:
            return f"CAST({identifier(name)} AS DOUBLE)"
        return f"TRY_CAST({self.bare(name, kind)} AS DOUBLE){' / 100' if kind == PERCENT else ''}"

    def require(self, columns: Sequence[str]) -> None:
        """Raise unless every Parquet file has these columns, as they were written where that is known."""
        for file in self.files if self.format == "parquet" else ():
            if lacking := [name for name in columns if name not in _own_names(file)]:
                raise InputError.of("lacks column", name=file.name, column=lacking[0], many=len(self.files))
            if found := _damage(file, columns):
                raise found


def _place(file: InputFile) -> str:
    """Return a file's path as DuckDB must be given it: absolute, and with every sign of a pattern taken as it is."""
    return re.sub(r"([*?\[])", r"[\1]", str(file.path.absolute()))


def _wrong_line(error: str) -> str:
    """Return what is wrong with a line of text."""
    if many := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", error):
        hint = "; put a value with a separator in it in quotes" if int(many[2]) > int(many[1]) else ""
        return f"the file has {many[1]} columns, this line has {many[2]}{hint}"
    if "unterminated quote" in error:
        return "a quote is opened and not closed, or closed within a value"
    rest = [part for part in error.splitlines()[1:] if part and not part.startswith(("Original Line", "Possible"))]
    return rest[0] if rest else "it cannot be read"


# A page's header begins with three numbers, each a byte 0x15 before a varint; a checksum is the fourth.
_UNCHECKED = re.compile(rb"(\x15[\x80-\xff]*[\x00-\x7f]){3}(?!\x15)", re.DOTALL)


def _damage(file: InputFile, columns: Sequence[str] | None = None) -> InputError | None:
    """Return the error that says where a Parquet file cannot be read; with `columns`, only where a checksum is another."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    where = "its end"
    options: dict[str, Any] = {"buffer_size": 1 << 20, "pre_buffer": False, "page_checksum_verification": True}
    try:
        with pq.ParquetFile(file.path.absolute(), **options) as parquet:
            names = parquet.schema_arrow.names if columns is None else columns
            # Without checksums, as most writers leave it, a file that looks sound is read but once: by the engine.
            known = columns is None or _has_checksums(file, parquet.metadata)
            for group, column in product(range(parquet.num_row_groups if known else 0), names):
                where = f"column {column!r}, row group {group + 1} of {parquet.num_row_groups}"
                for _ in parquet.iter_batches(1 << 16, row_groups=[group], columns=[column]):
                    pass
    except (pa.ArrowException, OSError) as error:
        # What else the engine can read is its business.
        if (bad := "CRC" in str(error)) or columns is None:
            why = where + " has another checksum than was written" * bad
            return InputError.of("damaged", name=file.name, kind="or truncated Parquet file", why=why)
    return None


def _has_checksums(file: InputFile, about: Any) -> bool:
    """Tell whether a Parquet file may have checksums: the first page of a column has one, or its header is not as expected."""
    with file.path.open("rb") as stream:
        for group in map(about.row_group, range(about.num_row_groups)):
            for chunk in map(group.column, range(group.num_columns)):
                stream.seek(min(at for at in (chunk.dictionary_page_offset, chunk.data_page_offset) if at))
                if not _UNCHECKED.match(stream.read(64)):
                    return True
    return False


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
        raise InputError.of("must be", name=name, what="a size such as 500MB or 2GB", given=shown(given))
    power = " kmgt".index(found[2].lower() or " ")
    size = int(min(float(found[1]), _MOST_MEMORY) * (1024 if found[3] else 1000) ** power)
    if size < 16_000_000:
        raise InputError.of("must be", name=name, what="at least 16MB", given=shown(given))
    return size


@contextmanager
def engine(
    files: Sequence[InputFile],
    memory: int,
    progress: Progress = silent,
    words: Words = Words(),  # noqa: B008 - frozen
) -> Iterator[Engine]:
    """Yield an engine over the files that spills to a temporary folder, and remove the folder afterwards."""
    for package in ("duckdb", "pyarrow"):
        try:
            import_module(package)
        except ImportError as error:
            raise MissingDependencyError("reading files", package, words.extra) from error
    import duckdb

    with tempfile.TemporaryDirectory(prefix=folder_prefix()) as folder:
        config: dict[str, Any] = {
            "autoinstall_known_extensions": "false", "disabled_optimizers": f"{_UNBELIEVED},{_UNWANTED}", "temp_directory": folder,
            "memory_limit": f"{max(memory >> 20, 16)}MiB",
        }  # fmt: skip
        connection = duckdb.connect(config=config)
        try:
            connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
            if files[0].format == "arrow":
                connection.register("arrow_files", _arrow(files))
            yield Engine(connection, files, progress, words)
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
            raise InputError.of("damaged", name=file.name, kind="Arrow file", why=str(error).splitlines()[0]) from error
    try:
        # The widest type of each column: that of the first file would bind the others.
        schema = pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        raise InputError.of("other types", name=files[0].name, why=str(error).splitlines()[0]) from error
    return pyarrow.dataset.dataset([str(file.path.absolute()) for file in files], format="ipc", schema=schema)


# Values of the first rows that are fetched, and characters of a text.
_MOST_CELLS, _MOST_ROWS, _TEXT = 100_000, 500, 100
# More take the engine minutes, in which it does not listen.
MOST_COLUMNS = 20_000


def look_at(source: Engine, form: TextForm) -> Look:
    """Return what the table shows, and settle names and decimal mark of text."""
    file, read = source.files[0], {"csv": _first_lines, "json": _first_objects}.get(source.format, _first_values)
    kinds, first = read(source)
    if len(kinds) > MOST_COLUMNS:
        raise InputError.of("too wide", name=source.name, many=len(kinds), most=MOST_COLUMNS)
    seen: dict[str, str] = {}
    for name in kinds:
        if (twin := seen.setdefault(name.lower(), name)) != name:  # DuckDB would read the one for the other
            raise InputError.of("capitals", one=twin, other=name, name=source.name)
    if source.is_text:
        source.names, source.decimal = list(kinds), form.decimal or decimal_mark(first.values())
        kinds = {name: kind or kind_of(first[name], source.decimal) for name, kind in kinds.items()}
    if file.format == "csv" and not file.rows and not source.row(f"SELECT 1 FROM {source.table} LIMIT 1"):
        raise InputError.of("no rows", name=source.name)
    return Look(source.name, kinds, first, file.twice)


# Types, empty where values must tell them, and first values of each column.
_Seen = tuple[dict[str, str], dict[str, tuple[Any, ...]]]


def _first_lines(source: Engine) -> _Seen:
    """Return the columns of a table in text and their first values; a column without a name gets its place."""
    file = source.files[0]
    names = [name or f"(unnamed {place})" for place, name in enumerate(file.header, 1)]
    cells = zip(*file.rows, strict=True) if file.rows else ((),) * len(names)
    return dict.fromkeys(names, ""), {name: present(values) for name, values in zip(names, cells, strict=True)}


def _first_objects(source: Engine) -> _Seen:
    """Return the keys of the first JSON objects, and their values as text."""
    kinds: dict[str, str] = {}
    first: dict[str, list[str]] = {}
    for row in source.rows(f"SELECT json FROM {source.objects} LIMIT {_MOST_ROWS}"):
        try:
            found = json.loads(row[0], parse_float=str, parse_int=str, parse_constant=str)
        except (ValueError, RecursionError) as error:
            raise InputError.of("not JSON", name=source.name, why=error) from error
        for name, value in found.items() if isinstance(found, dict) else ():
            nested = isinstance(value, dict | list)
            kinds[name] = "STRUCT" if nested else kinds.get(name, "")
            held = str(value).lower() if isinstance(value, bool) else value
            first.setdefault(name, []).extend(() if nested or value is None else (held[:_TEXT],))
    if not kinds:
        raise InputError.of("no objects", name=source.name)
    return kinds, {name: present(values) for name, values in first.items()}


def _first_values(source: Engine) -> _Seen:
    """Return the types of columns, and the first values of numbers, texts and truth values; of anything else nothing is needed."""
    if source.format == "parquet" and len(names := _own_names(source.files[0])) != len(
        {name.lower() for name in names}
    ):
        return dict.fromkeys(names, ""), {}  # DuckDB renames what differs in capitals only
    types = {str(row[0]): str(row[1]) for row in source.rows(f"DESCRIBE SELECT * FROM {source.table}")}
    wanted = {
        name: identifier(name) for name, kind in types.items() if NUMERIC.match(kind) or kind in ("VARCHAR", "BOOLEAN")
    }
    parts = [f"left({sql}, {_TEXT})" if types[name] == "VARCHAR" else sql for name, sql in wanted.items()]
    rows = min(_MOST_ROWS, max(_MOST_CELLS // max(len(wanted), 1), 1))
    found = source.rows(f"SELECT {', '.join(parts)} FROM {source.table} LIMIT {rows}") if wanted else []
    columns = zip(*found, strict=True) if found else ((),) * len(wanted)
    kept = (tuple(v for v in values if v is not None and v == v) for values in columns)  # noqa: PLR0124 - NaN
    return types, dict(zip(wanted, kept, strict=True))


def _own_names(file: InputFile) -> list[str]:
    """Return the names of columns as a Parquet file spells them, none if it is damaged: whoever reads it says how."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names = [str(name) for name in pq.read_schema(file.path.absolute()).names]
    except (pa.ArrowException, OSError):
        return []
    if not names:
        raise InputError.of("no columns", name=file.name)
    return names


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
            raise InputError.of(
                "column", column=column, name=source.name, wrong=f"must hold numbers, got {types[column]}"
            )
    model = "CAST(model AS VARCHAR)" if "model" in types else "'score'"
    columns = ", ".join(f"{source.number(column, types[column])} + 0.0 AS {column}" for column in numbers)
    found = source.columns(f"SELECT {model} AS model, {columns} FROM {source.table}")
    for column in ("model", *numbers):
        if np.ma.is_masked(found[column]):
            raise InputError.of("column", column=column, name=source.name, wrong="must hold a value in every row")
    # As they were before they were written so that no spreadsheet takes them for formulas.
    names = np.array([re.sub(r"^'(?=[=@+\-\t\r])", "", str(name)) for name in found["model"]], dtype=object)
    if not names.size:
        raise InputError.of("no rows", name=source.name)
    parts = {str(name): names == name for name in dict.fromkeys(names.tolist())}
    return {name: {column: np.asarray(found[column])[mine] for column in numbers} for name, mine in parts.items()}


class Published(dict[str, dict[str, NDArray[Any]]]):
    """The published results of each model, by column, and on which cases models agree if that is known."""

    # Positives, then negatives, that models flag (first place) or not: one axis for each model.
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
            wrong = "must hold 1 where the model flags and 0 where it does not"
            raise InputError.of("column", column=name, name=source.name, wrong=wrong)
    if np.any((counts < 0) | (counts != np.round(counts))):
        raise InputError.of("counts", name=source.name)
    together = np.zeros((2,) * (len(models) + 1))
    for kind, column in enumerate(counts):
        np.add.at(together[kind], tuple(1 - flags.astype(np.intp)), column)
    found = Published({name: {} for name in models})
    found.agreement = together
    for name in models:
        cells = np.asarray(found.of([name]).agreement)
        found[name] = dict(zip(MATRIX, cells.reshape(4, 1), strict=True))
    return found

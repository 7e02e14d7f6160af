"""Cases in files: checked, counted without being loaded, loaded, or written out."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import whole_numbers
from isocost.data import checks, count
from isocost.data.checks import Floats, scores
from isocost.data.count import CLOSED, CountTable, KeptLabels, StreamedScores, Totals, UnconfirmedError
from isocost.data.files import (
    DOTTED_THOUSANDS,
    InputFile,
    TextForm,
    Upload,
    Words,
    listed,
    misspelt,
    open_inputs,
    run,
    thousands_mark,
)
from isocost.data.frames import collected, first_row, narwhals, opened, require_columns, require_numbers
from isocost.data.tables import (
    NUMERIC,
    PERCENT,
    WIDE_INTEGER,
    Columns,
    Engine,
    Look,
    Missing,
    Progress,
    Roles,
    engine,
    identifier,
    literal,
    look_at,
    memory_bytes,
    settled,
    shown_by,
    text,
)
from isocost.errors import InputError
from isocost.results import atomically

if TYPE_CHECKING:
    from isocost.data.checks import Bools, Floats
    from isocost.data.tables import Progress


# Classes listed in a message; one more than that means "too many to be classes".
MOST_CLASSES = 12
# Decimal digits that float64 always tells apart, and that its shortest form may have.
_EXACT_DIGITS, _FLOAT_DIGITS = 15, 17
# Rows named in a message.
_SHOWN_ROWS = 3
_TEXT_FORMATS = ("csv", "json")


@dataclass(frozen=True)
class Found:
    """What one pass over the rows found.

    Attributes
    ----------
    cases : int
    labels : dict
        Rows and mass of each label.
    spans : list of (float, float)
        The lowest and highest finite score of each column.
    """

    cases: int
    labels: dict[Any, tuple[int, Any]]
    spans: list[tuple[float, float]]


@dataclass(frozen=True)
class Classes:
    """The class to detect, the labels that stand for it, and how many rows have them."""

    positive: Any
    labels: list[Any]
    rows: int


class FileChecks:
    """The rows of some columns as the table `predictions`: label, s0, s1, …, weight, costs, fold, cluster and group."""

    def __init__(self, source: Engine, used: Columns, look: Look, roles: Roles) -> None:
        self.source = source
        self.used = used
        self.types = look.types
        self.look = look
        self.roles = roles
        self.is_text = source.files[0].format in _TEXT_FORMATS
        source.scores_named = bool(roles.scores)

    @property
    def relation(self) -> str:
        """The table of all rows; `predictions` holds those in which nothing is missing."""
        return "predictions" if self.roles.missing == "error" else "every_row"

    def lay_out(self, *, every: bool = False) -> int:
        """Make the table, and return how many rows were dropped because something was missing; `every` drops none."""
        used, source = self.used, self.source
        source.require(used.all)
        parts = [f'{"TRUE" if used.label is None else identifier(used.label)} AS "label"']
        parts += [f"{self._score(name)} + 0.0 AS s{i}" for i, name in enumerate(used.scores)]
        if used.weight is not None:
            parts.append(f'{self._number(used.weight)} AS "weight"')
        parts += [f'{self._number(name)} AS "{outcome}"' for outcome, name in used.costs]
        if used.fold is not None:
            parts.append(f'{identifier(used.fold)} AS "fold"')
        if used.cluster is not None:
            parts.append(f'{identifier(used.cluster)} AS "cluster"')
        if used.group is not None:
            parts.append(f'{identifier(used.group)} AS "group"')
        chosen = ", ".join(parts)
        self._scalars()
        name = self.relation
        if self.is_text:
            # Text is parsed once, into a table that spills to disk; the types found in its first rows must not bind the rest.
            numbers = {*used.scores, used.weight, *dict(used.costs).values()}
            kinds = {n: "DOUBLE" if n in numbers and kind != PERCENT else "VARCHAR" for n, kind in self.types.items()}
            try:
                source.query(f"CREATE TEMP TABLE {name} AS SELECT {chosen} FROM {source.table(kinds)}")
            except InputError:
                if source.files[0].format == "json":  # whose reader does not say which column it is
                    self._refuse_text([n for n in self.types if n in numbers])
                raise
            self._refuse_wide_numbers()
        else:
            weights = () if used.weight is None else (used.weight,)
            for column in (*used.scores, *weights, *dict(used.costs).values()):
                if not NUMERIC.match(self.types[column]) and self.types[column] != "BOOLEAN":
                    raise InputError(
                        f"column {column!r} of {source.name} must hold numbers, got {self.types[column]}{self._example(column)}"
                    )
            self._refuse_wide_numbers()
            source.query(f"CREATE TEMP VIEW {name} AS SELECT {chosen} FROM {source.table()}")
        return 0 if every or self.roles.missing == "error" else self._drop()

    def _score(self, name: str) -> str:
        return f"-({self._number(name)})" if name in self.used.turned else self._number(name)

    def _number(self, name: str) -> str:
        column = identifier(name)
        if self.types[name] != PERCENT:
            return f"CAST({column} AS DOUBLE)"
        bare = f"rtrim(rtrim(trim({column}), '%'))"
        bare = f"replace({bare}, ',', '.')" if self.source.decimal == "," else bare
        what = text(f"column {name!r} of {self.source.name} holds percentages, and ")
        wrong = f"error({what} || {column} || ' without a percent sign: write all alike')"
        return (
            f"CASE WHEN {column} IS NULL THEN NULL WHEN suffix(trim({column}), '%') THEN CAST({bare} AS DOUBLE) / 100 "
            f"ELSE CAST({wrong} AS DOUBLE) END"
        )

    def _drop(self) -> int:
        """Keep the rows in which nothing is missing, and return how many are left out."""
        whole = " AND ".join(f"NOT ({test})" for test in self.missing().values())
        self.source.query(f"CREATE TEMP VIEW predictions AS SELECT * FROM every_row WHERE {whole}")
        dropped, every = self.source.row(f"SELECT count(*) FILTER (WHERE NOT ({whole})), count(*) FROM every_row")
        if dropped == every > 0:
            raise InputError(f"all {every} rows of {self.source.name} miss a label or a score: nothing is left")
        return int(dropped)

    def missing(self) -> dict[str, str]:
        """Return for each column of `predictions` the test of a missing value."""
        tests = {}
        if self.used.label is not None:
            floating = self.types[self.used.label] in ("FLOAT", "DOUBLE") and not self.is_text
            tests["label"] = 'label IS NULL OR NOT isfinite("label")' if floating else "label IS NULL"
        tests |= {f"s{i}": f"s{i} IS NULL OR isnan(s{i})" for i in range(len(self.used.scores))}
        if self.used.weight is not None:
            tests["weight"] = '"weight" IS NULL OR isnan("weight")'
        tests |= {outcome: f'"{outcome}" IS NULL OR NOT isfinite("{outcome}")' for outcome, _ in self.used.costs}
        if self.used.fold is not None:
            tests["fold"] = '"fold" IS NULL'
        if self.used.cluster is not None:
            tests["cluster"] = '"cluster" IS NULL'
        if self.used.group is not None:
            tests["group"] = '"group" IS NULL'
        return tests

    def _scalars(self) -> None:
        """Refuse labels, folds, clusters and groups that are lists or structures."""
        for name in (self.used.label, self.used.fold, self.used.cluster, self.used.group):
            if name is not None and (self.types[name].endswith("]") or self.types[name].startswith(("STRUCT", "MAP"))):
                raise InputError(
                    f"column {name!r} of {self.source.name} holds nested values ({self.types[name][:60]}): choose another"
                )

    def _example(self, name: str) -> str:
        column = identifier(name)
        found = self.source.row(f"SELECT {column} FROM {self.source.table()} WHERE {column} IS NOT NULL LIMIT 1")
        return "" if not found else f" (first value {found[0]!r:.80})"

    def _refuse_text(self, columns: Sequence[str]) -> None:
        """Complain about the first value of some columns of text that is not a number."""
        for name in columns:
            if found := self._no_number(name):
                raise InputError(
                    f"column {name!r} of {self.source.name} holds {found!r}, which is not a number; fix it"
                )

    def _no_number(self, name: str) -> str:
        """Return the first value of a column of text that is not a number, nothing if all are."""
        found = self.source.row(
            f"SELECT {identifier(name)} FROM {self._as_text} "
            f"WHERE {identifier(name)} IS NOT NULL AND {self._parsed(name)} IS NULL LIMIT 1"
        )
        return str(found[0]) if found else ""

    @property
    def _as_text(self) -> str:
        return self.source.table(dict.fromkeys(self.types, "VARCHAR"))

    def _parsed(self, name: str) -> str:
        """Return the SQL of a number in a column of text, null where there is none."""
        column = identifier(name)
        bare = f"replace({column}, ',', '.')" if self.source.decimal == "," else column
        return f"TRY_CAST({bare} AS DOUBLE)"

    def _refuse_wide_numbers(self) -> None:
        """Complain about integers that float64 does not tell apart, and about numbers in text that are beyond it."""
        if not self.is_text:
            for name in self.used.scores:
                if WIDE_INTEGER.match(self.types[name]):
                    self._refuse_wide(name, self.source.table(), identifier(name), "true")
                elif (
                    self.types[name].startswith("DECIMAL")
                    and int(self.types[name][8:].partition(",")[0]) > _EXACT_DIGITS
                ):
                    self._refuse_close(name, self.source.table(), identifier(name))
            return
        for name in self.used.scores:
            long = [v for v in self.look.first.get(name, ()) if len(str(v).strip().lstrip("+-0.,")) > _FLOAT_DIGITS]
            if long and self.types[name] != PERCENT:
                column = f"trim({identifier(name)})"
                bare = f"replace({column}, ',', '.')" if self.source.decimal == "," else column
                # The same number written in another way is the same number.
                digits = rf"regexp_extract({bare}, '^\+?(-?)0*(\.\d*[1-9]|[1-9]\d*\.\d*[1-9])0*$', 2)"
                sign = f"CASE WHEN {bare} LIKE '-%' THEN '-' ELSE '' END"
                self._refuse_close(name, self._as_text, f"{sign} || nullif({digits}, '')")
        most = [f"max(abs(s{i}))" for i in range(len(self.used.scores))]
        for name, high in zip(
            self.used.scores, self.source.row(f"SELECT {', '.join(most)} FROM {self.relation}"), strict=True
        ):
            if not (high or 0) >= 2**53 or self.types[name] == PERCENT:
                continue
            column = identifier(name)
            # Numbers such as 1e300 are what they are.
            digits = rf"regexp_full_match({column}, '\s*[+-]?\d+\s*')"
            self._refuse_wide(name, self._as_text, f"TRY_CAST({column} AS HUGEINT)", digits)
            self._refuse_beyond(name, digits)

    def _refuse_wide(self, name: str, table: str, whole: str, where: str) -> None:
        bad = f"{where} AND TRY_CAST(CAST({whole} AS DOUBLE) AS HUGEINT) IS DISTINCT FROM {whole}"
        if not self.source.row(f"SELECT 1 FROM {table} WHERE {bad} LIMIT 1"):
            return
        of_bad = f"FILTER (WHERE {bad})"
        count, rows, first, value = self.source.row(
            f"SELECT count(*) {of_bad}, count(*), min(place) {of_bad}, arg_min({whole}, place) {of_bad} "
            f"FROM (SELECT row_number() OVER () AS place, * FROM {table})"
        )
        hint = self._or_others("; if it is not a score, name the columns to use with")
        raise checks.fault("wide", f"{self.source.name}: score {name!r}", count, rows, first, value=value, hint=hint)

    def _refuse_beyond(self, name: str, digits: str) -> None:
        """Complain about text that only looks infinite as a number, and about integers too long for the engine."""
        column = identifier(name)
        word = rf"regexp_full_match({column}, '(?i)\s*[+-]?inf(inity)?\s*')"
        huge = f"({digits} AND TRY_CAST({column} AS HUGEINT) IS NULL)"
        rows = self.source.rows(
            f"SELECT DISTINCT {column} FROM {self._as_text} WHERE {huge} OR (isinf({self._parsed(name)}) AND NOT {word}) LIMIT 1000"
        )
        for (value,) in rows:
            number = float(value.replace(",", "."))
            if math.isinf(number) or int(value) != number:
                others = self._or_others("; if it is no score, name the columns to use with")
                raise InputError(
                    f"column {name!r} of {self.source.name} holds {value!r:.80}, which does not fit float64{others}"
                )

    def _or_others(self, hint: str) -> str:
        """Return how to name other columns of scores, nothing if they were named."""
        return "" if self.roles.scores else f"{hint} {self.source.words.score.format('…')}"

    def left_out(self) -> None:
        """Complain if there is no score, or about a column that is taken for text although it is meant to hold numbers."""
        source = self.source
        self._refuse_long()
        self._refuse_dots()
        texts = [name for name in self.used.left_out if self.types[name] in ("VARCHAR", "JSON")]
        for name in texts if self.is_text else []:
            values = [str(value) for value in self.look.first.get(name, ())]
            comma = source.words.decimal if source.decimal == "." and not source.decimal_named else None
            wrong = misspelt(values, source.decimal, comma)
            bad = [value for value in values if not _is_number(value)]
            if wrong is None and 0 < len(bad) * 2 <= len(values):
                shown = f"{len(bad)} of the first {len(values)} values, such as {bad[0]!r:.80}"
                wrong = f"holds text among its numbers: {shown}; fix it"
            if wrong is None and values and not bad:
                late = self._no_number(name)
                marks = "thousands marks" if thousands_mark([late]) else "text"
                wrong = f"holds {marks} among its numbers, such as {late!r:.80}; fix it"
            if wrong is not None:
                others = self._or_others(", or name the columns to use with")
                raise InputError(f"column {name!r} of {source.name} {wrong}{others}")
        if not self.used.scores:
            why = [f"{name} ({reason})" for name, reason in self.used.left_out.items()]
            numbers = [name for name in self.used.left_out if NUMERIC.match(self.types[name])]
            named = source.words.naming(source.words.score, numbers[0]) if numbers else None
            raise InputError(
                f"{source.name} has no numeric column of scores"
                f"{'' if self.used.label is None else f' beside the label {self.used.label!r}'}. "
                f"Left out: {listed(why) or 'nothing'}."
                + (f" If one of them holds scores, name it: {named}" if named else "")
            )

    def _refuse_long(self) -> None:
        """Refuse a row for every case and model, in which each case would count several times."""
        if len(self.used.scores) != 1 or self.used.cluster is not None or self.used.group is not None:
            return
        if (found := self.look.case_and_model(self.used.scores)) and self.used.fold != found[1]:
            case, model = found
            raise InputError(
                f"{self.source.name} has a row for every {case} and {model}: each case would count several times. Give each {model} "
                f"a column of its own (pandas: frame.pivot(index={case!r}, columns={model!r}, values={self.used.scores[0]!r})), "
                "or name the cluster, whose rows are drawn together"
            )

    def _refuse_dots(self) -> None:
        """Refuse numbers whose dots may stand between thousands: whole ones, and others with three digits behind every dot."""
        source = self.source
        if source.files[0].format != "csv" or source.files[0].delimiter != ";" or source.decimal_named:
            return
        for name in self.used.scores:
            values = [str(value).strip() for value in self.look.first.get(name, ())]
            dotted = [value for value in values if DOTTED_THOUSANDS.fullmatch(value)]
            if dotted and all(value in dotted or value.lstrip("+-").isdigit() for value in values):
                raise InputError(
                    f"{source.name}: score {name!r} holds {dotted[0]!r}, whose dot may be a decimal point or stand between thousands: "
                    f"write it without thousands marks, or {source.words.point}"
                )

    def _refuse_close(self, name: str, table: str, value: str) -> None:
        """Refuse numbers that differ, and are equal as float64."""
        found = self.source.row(
            f"SELECT min(v), max(v) FROM (SELECT {value} AS v FROM {table}) WHERE v IS NOT NULL "
            "GROUP BY CAST(v AS DOUBLE) HAVING count(DISTINCT v) > 1 LIMIT 1"
        )
        if found:
            raise InputError(
                f"{self.source.name}: score {name!r} has different numbers that are equal as float64, such as {found[0]} and "
                f"{found[1]}; rank or rescale them first"
            )

    def examine(self) -> Found:
        """Count what is missing or impossible, and the labels: everything in one pass."""
        used = self.used
        bad = self.faults()
        # CASE, not FILTER, which is slow beside GROUP BY.
        sums = [f"count(CASE WHEN {test} THEN 1 END)" for test in bad.values()]
        mass = "count(*)" if used.weight is None else 'sum("weight")'
        finite = [f"CASE WHEN isfinite(s{i}) THEN s{i} END" for i in range(len(used.scores))]
        ends = [f"{end}({score})" for score in finite for end in ("min", "max")]
        groups = self.source.rows(
            f"SELECT label, {', '.join(['count(*)', mass, *sums, *ends])} FROM predictions "
            f"GROUP BY label LIMIT {MOST_CLASSES + 1}"
        )
        if not groups:
            raise InputError(f"{self.source.name} holds no rows, only column names")
        labels = {group[0]: (int(group[1]), group[2]) for group in groups}
        total = sum(rows for rows, _ in labels.values())
        columns = [[value for value in column if value is not None] for column in zip(*groups, strict=True)][3:]
        limits = columns[len(sums) :]
        spans = [
            (min(low, default=0.0), max(high, default=0.0)) for low, high in zip(limits[::2], limits[1::2], strict=True)
        ]
        for (kind, short), counts in zip(bad, columns[: len(sums)], strict=True):
            # Labels of too many kinds are not all here, and are complained about instead.
            if sum(counts) and len(groups) <= MOST_CLASSES:
                raise self.fault(kind, short, int(sum(counts)), total)
        return Found(total, labels, spans)

    def what(self, short: str) -> str:
        """Return what messages call a column of `predictions`."""
        role, name = short, dict(self.used.costs).get(short)
        if short[1:].isdigit():
            role, name = "score", self.used.scores[int(short[1:])]
        return f"{self.source.name}: {role} {name or getattr(self.used, short)!r}"

    def faults(self) -> dict[tuple[str, str], str]:
        """Return the tests of all faults, by kind of fault and column of `predictions`."""
        found = {("missing", short): test for short, test in self.missing().items()}
        found |= {("infinite", f"s{i}"): f"isinf(s{i})" for i in range(len(self.used.scores))}
        if self.used.weight is not None:
            found["weight", "weight"] = 'NOT isfinite("weight") OR "weight" < 0'
        return found

    def fault(self, kind: str, short: str, count: int, rows: int) -> InputError:
        """Return the error about some rows, having looked for the first of them."""
        row = self.source.row(
            f'SELECT place, "{short}" FROM (SELECT row_number() OVER () AS place, * FROM {self.relation}) '
            f"WHERE {self.faults()[kind, short]} ORDER BY place LIMIT 1"
        )
        place, value = row or (None, None)
        hint = f" or {self.source.words.missing}" if kind == "missing" else ""
        return checks.fault(
            kind, self.what(short), count, rows, place, value=value if kind == "weight" else None, hint=hint
        )

    def classes(self, found: Found, *, both: bool = True) -> Classes:
        """Return which class is positive, or ask which; there must be two, and unless `both`, not more."""
        if self.used.label is None:
            return Classes(None, [True], found.cases)
        what = self.what("label")
        raw = {value: label_typed(value) for value in found.labels}
        known = sorted(set(raw.values()), key=lambda value: (isinstance(value, str), value))
        if self.roles.several and len(known) > 1 and len(raw) <= MOST_CLASSES:
            return Classes(None, [], 0)
        if len(known) > 2:
            few = "" if self.roles.several else f" ({self.source.words.several})"
            many = f"more than {MOST_CLASSES}" if len(raw) > MOST_CLASSES else ""
            raise InputError(f"{checks.class_fault(what, known, many=many, several=few)}, or name another label")
        if not both and not known:
            return Classes(None, [], 0)
        if both and len(known) < 2:
            raise InputError(checks.class_fault(what, known))
        rows = {c: sum(found.labels[value][0] for value, parsed in raw.items() if parsed == c) for c in known}
        positive = self._positive(known, rows, what)
        labels = [value for value, parsed in raw.items() if parsed == positive]
        for name, mass in zip(("positive", "negative"), masses(found.labels, labels), strict=True):
            if both and not mass > 0:
                raise InputError(
                    f"column {self.used.weight!r} of {self.source.name}: the weights of the {name} class sum to 0: "
                    "nothing is left of it"
                )
        return Classes(positive, labels, rows.get(positive, 0))

    def _positive(self, known: Sequence[Any], rows: Mapping[Any, int], what: str) -> Any:
        asked, words = self.roles.positive, self.source.words
        if asked is not None:
            for c in known:
                if str(c) == asked or c == label_typed(asked):
                    return c
            raise InputError(f"{asked!r} is not among the classes of {what}: {checks.listed(known)}")
        try:
            return checks.positive_class(known, None, what)
        except InputError:
            ways = [words.naming(words.positive, c) for c in known]
            raise InputError(checks.which_positive(what, known, [rows[c] for c in known], ways)) from None


def masses(labels: Mapping[Any, tuple[int, Any]], positive: Sequence[Any]) -> tuple[float, float]:
    """Return the cases of each class, or their weight."""
    ups = [mass for label, (_, mass) in labels.items() if label in positive]
    downs = [mass for label, (_, mass) in labels.items() if label not in positive]
    return sum(ups), sum(downs)


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def label_typed(value: Any) -> Any:
    """Return a label read from text as the number or truth value it stands for."""
    if not isinstance(value, str):
        return value
    if value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() else number


# Numbers that programs write where there is none.
_NOT_THERE = {sign * number for number in (9.0, 99.0, 999.0, 9999.0, 99999.0) for sign in (1, -1)} | {-1.0}
# Rows looked at to guess how many scores are distinct.
_LOOK = 2**20
# Types of columns that hold neither ids nor labels, and how many of the others are looked at.
_FRACTIONS = ("FLOAT", "DOUBLE", PERCENT)
_LOOKED_AT = 100
# Of fewer rows nothing is believed: reading them is quick.
_MANY = 2**22
# Of more rows the labels are read again in every pass: kept, they would take more than 32 MiB.
_MOST_KEPT = 2**28
# Bytes that counting in memory takes for each row: score, label, key and counts.
_A_ROW = 64


@dataclass(frozen=True)
class LoadedRows:
    """Labels, scores, weights, folds, clusters, groups and costs of the same cases; scores by model, costs by outcome."""

    y_true: Bools
    scores: dict[str, Floats]
    weight: Floats | None
    fold: Any
    cluster: Any = None
    group: Any = None
    costs: dict[str, Floats] = field(default_factory=dict)


class FileRows:
    """Rows of labels and scores in files, checked when opened, and counted without being loaded.

    Attributes
    ----------
    columns : Columns
    cases : int
        Rows that count; `dropped` ones had something missing.
    positive : object
        The label to detect.
    notes : tuple of str
        What was found out while reading, and must not be silent.
    """

    def __init__(
        self, source: Engine, used: Columns, look: Look, roles: Roles, memory: int, *, hasty: bool = False
    ) -> None:
        self.source = source
        self.columns = used
        self.look = look
        self.memory = memory
        self._wanted = roles.positive
        self._checks = FileChecks(source, used, look, roles)
        # Whether nothing was read yet but what the file says of itself, which counting must confirm.
        self._unconfirmed = False
        self._kept: KeptLabels | None = None
        self._checks.left_out()
        self.dropped = self._checks.lay_out()
        simple = hasty and roles.missing == "error" and not used.turned
        if not (simple and self._believed()):
            self._examine()

    def confirm(self) -> None:
        """Make sure that everything was read once, and not only statistics believed."""
        if self._unconfirmed:
            self._examine()

    def _examine(self) -> None:
        """Read everything once and complain about what is wrong."""
        self._unconfirmed, self._kept = False, None
        found = self._checks.examine()
        self.cases, self._labels, self._spans = found.cases, found.labels, found.spans
        classes = self._checks.classes(found)
        self.positive, self.positive_labels, self.positives = classes.positive, classes.labels, classes.rows

    @property
    def several(self) -> bool:
        """Whether more than two classes are allowed, and none is the positive one."""
        return self._checks.roles.several

    @property
    def classes(self) -> tuple[Any, Any]:
        """The label to detect, and the other."""
        known = {label_typed(label) for label in self._labels}
        return self.positive, next(label for label in known if label != self.positive)

    @property
    def negatives(self) -> int:
        """Rows of the other class."""
        return self.cases - self.positives

    def _believed(self) -> bool:
        """Take rows, labels and ranges from the statistics of a large Parquet file, if they tell of 0, 1 and finite scores."""
        used, source, types = self.columns, self.source, self.look.types
        marks = (used.weight, used.fold, used.cluster, used.group)
        simple = marks == (None,) * 4 and not used.costs and source.files[0].format == "parquet"
        if (
            not simple
            or used.label is None
            or not (types[used.label] == "BOOLEAN" or types[used.label].endswith(("INT", "INTEGER")))
        ):
            return False
        ends = [f"{end}({identifier(name)})" for name in (used.label, *used.scores) for end in ("min", "max")]
        # NaN is left out of statistics here; whoever counts must look for it.
        row = source.believed(f"SELECT count(*), {', '.join(ends)} FROM {source.table(can_have_nan=False)}")
        total, least, most, *limits = row or (0, None, None)
        if total < _MANY or (least, most) != (0, 1) or self._wanted not in (None, "1", str(most)):
            return False
        if not all(limit is not None and math.isfinite(limit) for limit in limits):
            return False
        self.cases, self.positive = int(total), most
        self._spans = [(float(low), float(high)) for low, high in zip(limits[::2], limits[1::2], strict=True)]
        self._unconfirmed = True
        return True

    @property
    def _is_positive(self) -> str:
        return f"label IN ({', '.join(literal(label) or '?' for label in self.positive_labels)})"

    @property
    def _parameters(self) -> list[Any]:
        """What the test above asks for besides."""
        return [label for label in self.positive_labels if literal(label) is None]

    def counts(self, name: str, *, max_distinct: int) -> CountTable:
        """Return the counts of a model: listed if its scores are few or repeat themselves, else in buckets."""
        what = f"column {name!r} of {self.source.name}"
        i = self.columns.models.index(name)
        limit = min(max_distinct, self.memory // _A_ROW)
        few = self.cases <= limit or self._distinct(i, limit) <= limit
        if few and self._unconfirmed:
            self._examine()
        if self.cases <= limit:
            return self._stream(i).each(None)
        if few:
            found = self._grouped(i)
            count.conserved(found, *self._mass(), what)
            return found

        def counted() -> CountTable:
            mass = (None, None) if self._unconfirmed else self._mass()
            totals = Totals(self.cases, mass[0], mass[1], *self._spans[i])
            stream = self._stream(i)
            # Half the rows that an engine may send, as the process that reads the file holds them as well.
            most = count.MOST_ROWS // 2
            return count.count(stream, totals, what, grid=stream.grid, most_rows=most)

        try:
            return counted()
        except UnconfirmedError:
            self._examine()
            return counted()

    def _stream(self, i: int) -> StreamedScores:
        if self._unconfirmed:
            name, label = identifier(self.columns.scores[i]), identifier(str(self.columns.label))
            columns = {"score": f"CAST({name} AS DOUBLE)", "up": f"TRY_CAST({label} AS TINYINT)"}
            table, given = self.source.table(), []
        else:
            columns = {"score": f"s{i}", "up": f"CAST({self._is_positive} AS TINYINT)"}
            table, given = "predictions", self._parameters
        if self.columns.weight is not None:
            columns["weight"] = '"weight"'
            table += ' WHERE "weight" > 0'
        # Rows of Arrow files come in no certain order.
        if self._kept is None and self.cases <= _MOST_KEPT and self.source.files[0].format != "arrow":
            self._kept = KeptLabels(self.cases)
        return StreamedScores(
            self.source, columns, table, given, self.cases, self._spans[i], self._kept, confirm=self._unconfirmed
        )

    def _mass(self) -> tuple[float, float]:
        """Return the cases of each class, or their weight."""
        return masses(self._labels, self.positive_labels)

    def _distinct(self, i: int, limit: int) -> float:
        """Return about how many distinct scores there are, if there can be fewer than a limit; a look at the first rows usually tells."""
        import numpy as np

        look = self.source.columns(f"SELECT s{i} AS score FROM predictions LIMIT {_LOOK}")["score"]
        twice = look.size - np.unique(look).size
        # Of m draws from D values about m²/2D are repetitions, and more if some values are drawn more often.
        if twice == 0 or look.size**2 / (2 * twice) > 1.5 * max(limit, look.size):
            return math.inf
        row = self.source.row(f"SELECT approx_count_distinct(s{i}) FROM predictions")
        return float(row[0]) if row else math.inf

    def _grouped(self, i: int) -> CountTable:
        """Let the engine group, which is best where scores repeat themselves."""
        given = self._parameters
        if self.columns.weight is None:
            ups, downs, kept = f"count(*) FILTER (WHERE {self._is_positive})", "count(*)", ""
        else:
            # One thread adds in the order of the file, so that fractional sums are the same on every run.
            self.source.query("SET threads = 1")
            ups = f'coalesce(sum("weight") FILTER (WHERE {self._is_positive}), 0.0)'
            downs = f'coalesce(sum("weight") FILTER (WHERE NOT {self._is_positive}), 0.0)'
            given, kept = [*given, *given], 'WHERE "weight" > 0'
        table = self.source.columns(
            f"SELECT s{i} AS score, {ups} AS up, {downs} AS down FROM predictions {kept} GROUP BY score", given
        )
        self.source.query("RESET threads")
        if self.columns.weight is None:
            table["down"] = table["down"] - table["up"]
        return CountTable.listed(table["score"] + 0.0, table["up"], table["down"])

    @property
    def size(self) -> int:
        """About how many bytes the cases take in memory."""
        return int(self.cases * (8 * len(self.columns.scores) + 8 * len(self.columns.costs) + 16))

    @cached_property
    def _strange(self) -> list[str]:
        """Cautions about numbers such as -9999 among probabilities."""
        found = []
        for i, (low, high) in enumerate(self._spans):
            if not self._unconfirmed and (low in _NOT_THERE or high in _NOT_THERE):
                outside = f"FILTER (WHERE s{i} NOT BETWEEN 0 AND 1)"
                few, values, kinds = self.source.row(
                    f"SELECT count(*) {outside}, list(DISTINCT s{i}) {outside}, count(DISTINCT s{i}) FROM predictions"
                )
                if few * 10 <= self.cases and kinds > 2 + len(values) and set(values) <= _NOT_THERE:
                    shown = ", ".join(f"{value:g}" for value in sorted(values))
                    found.append(
                        f"{self.columns.models[i]}: {few:,} of {self.cases:,} scores are {shown}, all others lie between 0 and 1; if that "
                        "stands for a missing score, leave these rows out."
                    )
        return found

    def load(self, purpose: str) -> LoadedRows:
        """Load the cases."""
        needed = self.size
        if needed > self.memory:
            raise InputError(
                f"{purpose} needs the cases in memory, and the {self.cases:,} rows of {self.source.name} take "
                f"{needed / 1e9:.1f} GB, more than {self.source.words.memory} allows; raise it, or do without"
            )
        # Of several classes none is the positive one: the labels themselves are loaded.
        labelled = '"label" AS positive' if self.several else f"{self._is_positive} AS positive"
        parts = [labelled, *(f"s{i}" for i in range(len(self.columns.scores)))]
        parts += ['"weight"'] if self.columns.weight is not None else []
        parts += ['"fold"'] if self.columns.fold is not None else []
        parts += ['"cluster"'] if self.columns.cluster is not None else []
        parts += ['"group"'] if self.columns.group is not None else []
        parts += [f'"{outcome}"' for outcome, _ in self.columns.costs]
        table = self.source.columns(f"SELECT {', '.join(parts)} FROM predictions", self._parameters)
        return LoadedRows(
            _typed(table["positive"]) if self.several else table["positive"],
            {name: table[f"s{i}"] for i, name in enumerate(self.columns.models)},
            table.get("weight"),
            table.get("fold"),
            table.get("cluster"),
            table.get("group"),
            {outcome: table[outcome] for outcome, _ in self.columns.costs},
        )

    def others(self) -> dict[str, Any]:
        """Return the columns that are not used and hold no fractional numbers; none if rows were dropped or are very many."""
        used = self.columns
        taken = {
            used.label,
            *used.scores,
            used.weight,
            used.fold,
            used.cluster,
            used.group,
            *(name for _, name in used.costs),
        }
        names = [n for n, kind in self.look.types.items() if n not in taken and kind not in _FRACTIONS][:_LOOKED_AT]
        if not names or self.dropped or self.cases > _MANY:
            return {}
        parts = [f"CAST({identifier(name)} AS VARCHAR) AS o{i}" for i, name in enumerate(names)]
        table = self.source.columns(f"SELECT {', '.join(parts)} FROM {self.source.table()}")
        found = {name: table[f"o{i}"] for i, name in enumerate(names)}
        return found if all(len(values) == self.cases for values in found.values()) else {}

    def facts(self) -> dict[str, Any]:
        """Return what the JSON form says about the rows."""
        used = self.columns
        return {
            "kind": "predictions", "rows": self.cases, "label": used.label, "positive": self.positive,
            "weight": used.weight, "fold": used.fold, "cluster": used.cluster, "group": used.group,
            "positives": None if self.several else self.positives, "negatives": None if self.several else self.negatives,
            "dropped": self.dropped, "left_out": dict(used.left_out), "notes": list(self.notes),
        }  # fmt: skip

    def introduction(self) -> str:
        """Say what was read, so that a wrong guess is seen."""
        used = self.columns
        held = (
            f"{len({label_typed(label) for label in self._labels})} classes in {used.label}"
            if self.several
            else f"{self.positives:,} with {used.label} = {self.positive!s}"
        )
        text = (
            f"{self.source.name}: {self.cases:,} rows, {held}; "
            f"{'model' if len(used.scores) == 1 else 'models'}: {listed(list(used.models))}"
        )
        why = [f"{name} ({reason})" for name, reason in used.left_out.items()]
        return text + (f"; left out: {listed(why)}" if why else "")

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found out on the way, a sentence each."""
        notes = [f"{file.note}." for file in self.source.files if file.note is not None]
        if self.source.decimal == "," and self.source.files[0].format == "csv":
            notes.append(f"{self.source.name} has decimal commas: 0,5 is read as 0.5.")
        notes += self._strange
        percent = [name for name in self.columns.scores if self.look.types[name] == PERCENT]
        if percent:
            notes.append(f"{listed(percent)}: percentages; 50% is read as 0.5.")
        if self.dropped:
            were, them = ("was", "it") if self.dropped == 1 else ("were", "them")
            every = self.dropped + self.cases
            notes.append(f"{self.dropped:,} of {every:,} rows {were} left out: something is missing in {them}.")
        notes += [
            f"-{name}: {name} with its sign turned; score ≥ x means {name} ≤ -x."
            for name in self.columns.scores
            if name in self.columns.turned
        ]
        return tuple(notes)


def _typed(labels: Any) -> Any:
    """Return labels read from text as the numbers or truth values they stand for."""
    import numpy as np

    found, places = np.unique(
        np.asarray(labels, dtype=object).astype(str) if labels.dtype == object else labels, return_inverse=True
    )
    typed = [label_typed(label) for label in found.tolist()]
    if any(isinstance(label, str) for label in typed):
        typed = [str(label) for label in typed]
    return np.asarray(typed)[places]


Paths = str | Path | Sequence[str | Path]

_LIBRARY = Words()
_AS_FOUND = TextForm()


class Reader(Protocol):
    """Labelled cases wherever they are: checked when opened; counting twice gives the same table."""

    columns: Columns
    cases: int
    dropped: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found out while reading, and must not be silent."""

    def counts(self, name: str, *, max_distinct: int) -> CountTable:
        """Return the counts of a model: listed if its scores are few or repeat themselves, else in buckets."""

    def load(self, purpose: str) -> LoadedRows:
        """Load the cases."""


@dataclass(frozen=True)
class OpenTable:
    """A table in files that was looked at; `rows` settles its columns and checks them."""

    engine: Engine
    look: Look
    words: Words
    memory: int

    def columns(self, roles: Roles) -> Columns:
        """Settle the columns, or say which is missing."""
        return settled(roles, self.look, self.words)

    def rows(self, roles: Roles, *, hasty: bool = False) -> FileRows:
        """Return the checked rows; if `hasty`, the statistics of a file may be believed until the rows are counted."""
        return FileRows(self.engine, self.columns(roles), self.look, roles, self.memory, hasty=hasty)


@contextmanager
def open_files(
    source: Paths | Upload, form: TextForm = _AS_FOUND, words: Words = _LIBRARY
) -> Iterator[list[InputFile]]:
    """Yield the files of a source, each told by its content."""
    with open_inputs(source if isinstance(source, Upload) else _names(source), form, words) as files:
        yield files


@contextmanager
def open_table(
    files: Sequence[InputFile],
    *,
    form: TextForm = _AS_FOUND,
    memory: str | int | None = None,
    progress: Progress | None = None,
    words: Words = _LIBRARY,
    seconds: float | None = None,
) -> Iterator[OpenTable]:
    """Yield a look at the files as one table; whatever happens, temporary files are removed."""
    limit = memory_bytes(memory, words.memory.rstrip("="))
    with engine(files, limit, shown_by(progress), words, seconds) as source:
        yield OpenTable(source, look_at(source, form), words, limit)


@contextmanager
def open_reader(
    source: Paths | Upload,
    roles: Roles,
    *,
    form: TextForm = _AS_FOUND,
    memory: str | int | None = None,
    progress: Progress | None = None,
    hasty: bool = False,
) -> Iterator[FileRows]:
    """Yield checked rows in files."""
    # A size that is none is said before anything is read, and so is progress that cannot be shown.
    memory_bytes(memory, _LIBRARY.memory.rstrip("="))
    shown_by(progress)
    with open_files(source, form) as files, open_table(files, form=form, memory=memory, progress=progress) as table:
        yield table.rows(roles, hasty=hasty)


def asked(
    label: Any,
    scores: tuple[str, ...],
    *,
    weight: Any,
    pos_label: Any,
    missing: Missing,
    lower_is_positive: Any,
    decimal: Any,
    encoding: Any,
    unlabelled: bool = False,
) -> tuple[Roles, TextForm]:
    """Return what a call of the library says about columns, and about text, checked."""
    optional = ("label", "weight") if unlabelled else ("weight",)
    for name, value in (("label", label), ("weight", weight)):
        if not isinstance(value, str) and not (value is None and name in optional):
            raise InputError(f"{name} must be the name of a column, got {value!r:.80}")
    checks.choice(missing, "missing", ("error", "drop"))
    for name, value in (("decimal", decimal), ("encoding", encoding)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{name} must be text, got {value!r:.80}")
    turned = checks.names([lower_is_positive] if isinstance(lower_is_positive, str) else lower_is_positive, "score")
    positive = None if pos_label is None else str(pos_label)
    roles = Roles(label, scores, weight, None, positive, turned, missing, unlabelled)
    return roles, TextForm(decimal, encoding, alone=unlabelled)


def count_files(
    paths: Paths,
    roles: Roles,
    form: TextForm,
    memory: str | int | None,
    progress: Progress | None,
    max_distinct: int,
) -> dict[str, CountTable]:
    """Return the counts of each column of scores."""
    with open_reader(paths, roles, form=form, memory=memory, progress=progress, hasty=True) as rows:
        return {
            name: rows.counts(model, max_distinct=max_distinct)
            for name, model in zip(roles.scores, rows.columns.models, strict=True)
        }


def _names(paths: Any) -> list[str]:
    try:
        found = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    except TypeError:
        raise InputError(f"paths must be a path or several of them, got {paths!r}") from None
    if not found:
        raise InputError("paths is empty: name at least one file")
    for path in found:
        checks.path(path, "paths")
    return [os.fspath(path) for path in found]


_AT_ONCE = 2**14


@dataclass(frozen=True)
class PartLabelled:
    """Labels (True, False, or None if unknown) and scores of the same cases, in the order of the rows."""

    labels: NDArray[Any]
    scores: dict[str, Floats]
    label: str
    positive: Any


def part_labelled(table: OpenTable, roles: Roles) -> PartLabelled:
    """Load the cases of files; an empty label is unknown, an empty score is an error."""
    used, source = table.columns(roles), table.engine
    checks = FileChecks(source, used, table.look, roles)
    checks.left_out()
    if source.files[0].format == "arrow":
        source.query("SET threads = 1")  # several threads may change the order of its rows
    checks.lay_out(every=True)
    unknown = checks.missing()["label"]
    groups = source.rows(
        f"SELECT label, count(*) FROM {checks.relation} WHERE NOT ({unknown}) GROUP BY label LIMIT 100"
    )
    classes = checks.classes(Found(0, {label: (int(rows), rows) for label, rows in groups}, []), both=False)
    wanted = ", ".join("?" * len(classes.labels))
    state = f"CASE WHEN {unknown} THEN -1 {f'WHEN label IN ({wanted}) THEN 1 ' if wanted else ''}ELSE 0 END"
    columns = ", ".join(f"s{i}" for i in range(len(used.scores)))
    found = source.columns(
        f"SELECT CAST({state} AS TINYINT) AS state, {columns} FROM {checks.relation}", classes.labels
    )
    if not found["state"].size:
        raise InputError(f"{source.name} holds no rows, only column names")
    kept = {}
    for i, name in enumerate(used.models):
        kept[name] = scores(np.ma.filled(found[f"s{i}"], np.nan), checks.what(f"s{i}"))
    labels = np.array([False, True, None], dtype=object)[found["state"]]
    return PartLabelled(labels, kept, str(used.label), classes.positive)


def write_rows(table: OpenTable, rows: Sequence[int] | NDArray[np.intp], output: str | Path) -> None:
    """Write some rows with all their columns as CSV, in the order given."""
    source, types = table.engine, table.look.types
    is_text = source.files[0].format in ("csv", "json")
    place = {int(row): i for i, row in enumerate(rows)}
    kept: list[tuple[Any, ...]] = [()] * len(place)

    def pick(done: Any) -> None:
        row = 0
        while part := done.fetchmany(_AT_ONCE):
            for values in part:
                if row in place:
                    kept[place[row]] = values
                row += 1

    source.query(f"SELECT * FROM {source.table(dict.fromkeys(types, 'VARCHAR') if is_text else None)}", then=pick)
    with atomically(output) as path, path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(types)
        writer.writerows(["" if value is None else value for value in values] for values in kept)


# Rows of periods, labels and parts: more means that a column of numbers was taken for periods or labels.
_MOST_ROWS = 200_000
# In place of a part.
_FAULTS = {"missing": -1, "infinite": -2}


def count_frame_between(frame: Any, score: str, weight: str | None, cuts: Floats) -> CountTable:
    """Return the cases of a frame between cuts: one query."""
    nw = narwhals()
    table, engine = opened(frame)
    names = [score, *([] if weight is None else [weight])]
    schema = require_columns(table, names, engine)
    require_numbers(schema, names, engine)
    value = nw.col(score).cast(nw.Float64)
    number = nw.lit(1, nw.Int64) if weight is None else nw.col(weight).cast(nw.Float64)
    part = nw.lit(0, nw.Int64)
    for cut in cuts.tolist():
        part = part + nw.when(value >= cut).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
    # Not finite and not infinite: NaN, understood by every engine.
    missing = value.is_null() | (~value.is_finite() & (value.abs() != float("inf")))
    chosen = table.select(
        score=value + nw.lit(0.0, nw.Float64),
        number=number,
        part=nw.when(missing)
        .then(nw.lit(_FAULTS["missing"], nw.Int64))
        .otherwise(nw.when(value.abs() == float("inf")).then(nw.lit(_FAULTS["infinite"], nw.Int64)).otherwise(part)),
    )
    sums = {"low": nw.col("score").min(), "high": nw.col("score").max(), "cases": nw.col("number").sum()}
    wrong = {"least": nw.col("number").min(), "most": nw.col("number").max()}
    got = run(
        engine,
        f"counting column {score!r}",
        lambda: collected(chosen.group_by("part").agg(**sums, **wrong, rows=nw.len())),
    )
    rows = [dict(zip(got.columns, row, strict=True)) for row in got.iter_rows()]
    if not rows:
        raise InputError(f"the {engine} is empty: at least one score is needed")
    parts = {int(row["part"]): int(row["rows"]) for row in rows}
    for kind, part in _FAULTS.items():
        if part in parts:
            first = first_row(table, missing if kind == "missing" else value.abs() == float("inf"))
            raise checks.fault(kind, f"{engine}: score {score!r}", parts[part], sum(parts.values()), first)
    if not all(row["least"] is not None and row["least"] >= 0 and np.isfinite(row["most"]) for row in rows):
        raise InputError(f"column {weight!r} of the {engine} must hold weights that are finite and not negative")
    rows.sort(key=lambda row: -row["part"])
    return _table(
        np.array([float(row["low"]) for row in rows]),
        np.array([float(row["high"]) for row in rows]),
        whole_numbers(np.array([float(row["cases"]) for row in rows])),
    )


def count_files_between(
    paths: Paths, roles: Roles, form: TextForm, memory: str | int | None, progress: Progress | None, cuts: Floats
) -> CountTable:
    """Return the cases of files between cuts: one query."""
    with open_files(paths, form) as files, open_table(files, form=form, memory=memory, progress=progress) as table:
        (found,) = in_use(table, roles, cuts).periods.values()
    return _table(found.low, found.high, found.unlabelled)


def _table(low: Floats, high: Floats, cases: NDArray[Any]) -> CountTable:
    return CountTable(low, high, cases, np.zeros_like(cases), np.full(low.size, CLOSED))


@dataclass(frozen=True, eq=False)
class InUse:
    """Cases of one period between cuts, from the highest scores to the lowest: parts that hold none are left out."""

    low: Floats
    high: Floats
    positives: NDArray[Any]
    negatives: NDArray[Any]
    unlabelled: NDArray[Any]

    @property
    def counted(self) -> tuple[Floats, NDArray[Any], NDArray[Any], Floats, NDArray[Any]]:
        """What score counts are made of."""
        return self.low, self.positives, self.negatives, self.high, self.unlabelled


@dataclass(frozen=True)
class Periods:
    """The cases of each period, in order, and how many rows had no score and were left out."""

    periods: dict[Any, InUse]
    dropped: int


def in_use(table: OpenTable, roles: Roles, cuts: Floats, classes: tuple[Any, ...] | None = None) -> Periods:
    """Count the cases of files between cuts by period (the column `fold` of the roles) and class, in one query.

    Rows without a label are unlabelled cases. `classes` are the positive and the negative label; 1 and 0 if not given.
    """
    checks = _checked(table, roles)
    used = checks.used
    part = " + ".join(f"(s0 >= CAST({cut!r} AS DOUBLE))::INTEGER" for cut in cuts.tolist()) or "0"
    columns = {
        "part": f"CASE WHEN s0 IS NULL OR isnan(s0) THEN -1 WHEN isinf(s0) THEN -2 ELSE {part} END",
        "period": '"fold"' if used.fold is not None else "0",
        "label": "CAST(label AS VARCHAR)" if used.label is not None else "NULL",
        "weight": '"weight"' if used.weight is not None else "1",
    }
    rows = table.engine.rows(
        f"SELECT period, label, part, count(*), sum(weight), min(s0), max(s0), min(weight), max(weight) FROM (SELECT s0, "
        f"{', '.join(f'{sql} AS {name}' for name, sql in columns.items())} FROM {checks.relation}) "
        f"GROUP BY period, label, part LIMIT {_MOST_ROWS}"
    )
    return _arranged(rows, checks, roles, classes)


def unlabelled_rows(
    table: OpenTable, roles: Roles, score_from: float, score_below: float, period: str | None
) -> NDArray[np.intp]:
    """Return the rows without a label and with scores from one number to below another, in random order.

    Of one period (a value of the column `fold` of the roles) if it is given.
    """
    if table.engine.files[0].format == "arrow":
        table.engine.query("SET threads = 1")  # several threads may change the order of its rows
    checks = _checked(table, roles)
    label = "label IS NULL OR lower(trim(CAST(label AS VARCHAR))) = 'nan'" if checks.used.label is not None else "TRUE"
    fold = 'CAST("fold" AS VARCHAR)' if period is not None else "NULL"
    found = table.engine.columns(
        f"SELECT s0, CAST({label} AS TINYINT) AS free, {fold} AS period FROM {checks.relation}"
    )
    scores, free = np.ma.filled(found["s0"], np.nan), np.asarray(found["free"], dtype=np.bool_)
    inside = free & (scores >= score_from) & ((scores < score_below) | (score_below == np.inf))
    if period is not None:
        inside &= np.asarray(found["period"], dtype=object) == period
    rows: NDArray[np.intp] = np.random.default_rng(0).permutation(np.flatnonzero(inside))
    return rows


def _checked(table: OpenTable, roles: Roles) -> FileChecks:
    checks = FileChecks(table.engine, table.columns(roles), table.look, roles)
    checks.left_out()
    checks.lay_out(every=True)
    return checks


def _arranged(
    rows: list[tuple[Any, ...]], checks: FileChecks, roles: Roles, classes: tuple[Any, ...] | None
) -> Periods:
    name, used = checks.source.name, checks.used
    if len(rows) == _MOST_ROWS:
        raise InputError(
            f"{name} has more periods or labels than can be watched: is {used.fold or used.label!r} the right column?"
        )
    if not rows:
        raise InputError(f"{name} holds no rows, only column names")
    lost = 0
    for kind, part in _FAULTS.items():
        found_here = sum(int(row[3]) for row in rows if row[2] == part)
        lost += found_here if kind == "missing" else 0
        if found_here and (kind == "infinite" or roles.missing == "error"):
            raise checks.fault(kind, "s0", found_here, sum(int(row[3]) for row in rows))
    if any(row[0] is None for row in rows):
        raise checks.fault(
            "missing", "fold", sum(int(row[3]) for row in rows if row[0] is None), sum(int(row[3]) for row in rows)
        )
    if not all(row[7] is not None and row[7] >= 0 and np.isfinite(row[8]) for row in rows if row[2] >= 0):
        raise InputError(f"column {used.weight!r} of {name} must hold weights that are finite and not negative")
    sides = {label: _side(label, classes, used.label, checks) for label in {row[1] for row in rows}}
    found: dict[Any, dict[int, list[Any]]] = {}
    for period, label, part, _, cases, low, high, *_ in rows:
        if part < 0:
            continue
        cells = found.setdefault(period, {}).setdefault(int(part), [np.inf, -np.inf, 0, 0, 0])
        cells[0], cells[1] = min(cells[0], low), max(cells[1], high)
        cells[2 + sides[label]] += cases
    if not found:
        raise InputError(f"all rows of {name} miss a score: nothing is left")
    periods = {}
    for period in sorted(found, key=lambda key: (isinstance(key, str), key)):
        parts = [found[period][part] for part in sorted(found[period], reverse=True)]
        low, high, *counts = (np.array(column, dtype=np.float64) for column in zip(*parts, strict=True))
        periods[period] = InUse(low, high, *(whole_numbers(column) for column in counts))
    return Periods(periods, lost)


def _side(label: str | None, classes: tuple[Any, ...] | None, column: str | None, checks: FileChecks) -> int:
    """Return 0 for a positive, 1 for a negative and 2 for a case without a label."""
    if label is None or label.strip().lower() == "nan":
        return 2
    value = label_typed(label)
    positive, negatives = (1, (0, -1)) if classes is None else (classes[0], classes[1:])
    if value == positive:
        return 0
    if value in negatives or not negatives:
        return 1
    known = " and ".join(map(repr, (positive, negatives[0])))
    raise InputError(
        f"column {column!r} of {checks.source.name} holds the label {value!r}; those of the reference are {known}"
    )

"""Cases in files: checked, counted without being loaded, loaded, or written out."""

from __future__ import annotations

import csv
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import whole_numbers
from isocost.data import checks, count
from isocost.data.checks import Bools, Floats
from isocost.data.count import CLOSED, CountTable, StreamedScores, Totals, UnconfirmedError
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
from isocost.data.frames import (
    collected,
    first_row,
    narwhals,
    opened,
    require_columns,
    require_numbers,
    too_large,
    wide,
)
from isocost.data.tables import (
    NUMERIC,
    PERCENT,
    WIDE_INTEGER,
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

Paths = str | Path | Sequence[str | Path]

_LIBRARY, _AS_FOUND = Words(), TextForm()
# Classes listed in a message; one more than that means "too many to be classes".
MOST_CLASSES = 12
# Decimal digits that float64 always tells apart, and that its shortest form may have.
_EXACT_DIGITS, _FLOAT_DIGITS = 15, 17
# Numbers that programs write where there is none.
_NOT_THERE = {sign * number for number in (9.0, 99.0, 999.0, 9999.0, 99999.0) for sign in (1, -1)} | {-1.0}
# Rows looked at to guess how many scores are distinct.
_LOOK = 2**20
# Types of columns that hold neither ids nor labels, and how many of the others are looked at.
_FRACTIONS, _LOOKED_AT = ("FLOAT", "DOUBLE", PERCENT), 100
# Of fewer rows nothing is believed: reading them is quick.
_MANY = 2**22
# Bytes that counting in memory takes for each row: score, label, key and counts.
_A_ROW = 64
# Rows that are written at once.
_AT_ONCE = 2**14
# Rows of periods, labels and parts: more means that a column of numbers was taken for periods or labels.
_MOST_ROWS = 200_000
# In place of a part.
_FAULTS = {"missing": -1, "infinite": -2}
# Models of a table with a row for each case and model.
_MOST_PIVOTED = 1000


def label_typed(value: Any) -> Any:
    """Return a label read from text as the number or truth value it stands for."""
    if not isinstance(value, str):
        return value
    if value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    if not checks.is_number(value):
        return value
    number = float(value)
    return int(number) if number.is_integer() else number


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


class CheckedColumns:
    """Some columns of files as the table `predictions`: label, s0, s1, …, weight, costs, fold, cluster and group.

    Attributes
    ----------
    source : Engine
    columns : Columns
    dropped : int
        How many rows were left out because something was missing.
    """

    def __init__(self, source: Engine, look: Look, roles: Roles, *, every: bool = False) -> None:
        self.source, self.look, self.roles = source, look, roles
        self.columns = settled(roles, look, source.words)
        self.types = look.types
        # The table of all rows; `predictions` holds those in which nothing is missing.
        self.relation = "predictions" if roles.missing == "error" else "every_row"
        source.scores_named = bool(roles.scores)
        self._refuse_guesses()
        source.require(self.columns.all)
        self._lay_out()
        self._refuse_inexact()
        if self.columns.model is not None:
            self._pivot()
        self.dropped = 0 if every or roles.missing == "error" else self._drop()

    def _lay_out(self) -> None:
        """Make the table; text is parsed once, into a table that spills to disk."""
        used, source, what = self.columns, self.source, f"of {self.source.name}"
        numbers = {f"s{i}": name for i, name in enumerate(used.scores)} | used.numbers
        parts = ['TRUE AS "label"'] if used.label is None else []
        parts += [f'{identifier(name)} AS "{role}"' for role, name in used.marks.items()]
        for role, name in numbers.items():
            sign, zero = "-" if name in used.turned else "", " + 0.0" if name in used.scores else ""
            parts.append(f'{sign}({self._number(name)}){zero} AS "{role}"')
        self._refuse_types(numbers.values())
        making = f"{self.relation} AS SELECT {', '.join(parts)} FROM"
        if not source.is_text:
            source.query(f"CREATE TEMP VIEW {making} {source.table()}")
            return
        # The types found in its first rows must not bind the rest.
        of_numbers = set(numbers.values())
        kinds = {n: "DOUBLE" if n in of_numbers and kind != PERCENT else "VARCHAR" for n, kind in self.types.items()}
        try:
            source.query(f"CREATE TEMP TABLE {making} {source.table(kinds)}")
        except InputError:
            # The reader of JSON does not say which column it is.
            for name in numbers.values() if source.format == "json" else ():
                if odd := self._not_a_number(name):
                    raise InputError(f"column {name!r} {what} holds {odd!r}, which is not a number; fix it") from None
            raise

    def _refuse_types(self, numbers: Iterable[str]) -> None:
        """Refuse labels and the like that are nested, and other columns that are neither numbers nor text to be parsed."""
        source, what = self.source, f"of {self.source.name}"
        for name in self.columns.marks.values():
            if self.types[name].endswith("]") or self.types[name].startswith(("STRUCT", "MAP")):
                raise InputError(
                    f"column {name!r} {what} holds nested values ({self.types[name][:60]}): choose another"
                )
        for name in () if source.is_text else numbers:
            if not NUMERIC.match(self.types[name]) and self.types[name] != "BOOLEAN":
                found = source.row(f"SELECT any_value({identifier(name)}) FROM {source.table()}")
                first = f" (first value {found[0]!r:.80})" if found[0] is not None else ""
                raise InputError(f"column {name!r} {what} must hold numbers, got {self.types[name]}{first}")

    def _number(self, name: str) -> str:
        column = identifier(name)
        if self.types[name] != PERCENT:
            return f"CAST({column} AS DOUBLE)"
        bare = self._plain(f"rtrim(rtrim(trim({column}), '%'))")
        wrong = text(f"column {name!r} of {self.source.name} holds percentages, and ")
        return (
            f"CASE WHEN {column} IS NULL THEN NULL WHEN suffix(trim({column}), '%') THEN CAST({bare} AS DOUBLE) / 100 "
            f"ELSE CAST(error({wrong} || {column} || ' without a percent sign: write all alike') AS DOUBLE) END"
        )

    def _plain(self, column: str) -> str:
        """Return the SQL of text with a decimal point."""
        return f"replace({column}, ',', '.')" if self.source.decimal == "," else column

    @property
    def _as_text(self) -> str:
        return self.source.table(dict.fromkeys(self.types, "VARCHAR"))

    def _not_a_number(self, name: str) -> str:
        """Return the first value of a column of text that is not a number, nothing if all are."""
        column = identifier(name)
        test = f"{column} IS NOT NULL AND TRY_CAST({self._plain(column)} AS DOUBLE) IS NULL"
        found = self.source.row(f"SELECT {column} FROM {self._as_text} WHERE {test} LIMIT 1")
        return str(found[0]) if found else ""

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
        used = self.columns
        tests = {role: f'"{role}" IS NULL' for role in used.marks if role not in ("model", "case")}
        if used.label is not None and self.types[used.label] in ("FLOAT", "DOUBLE") and not self.source.is_text:
            tests["label"] += ' OR NOT isfinite("label")'
        tests |= {f"s{i}": f"s{i} IS NULL OR isnan(s{i})" for i in range(len(used.scores))}
        bad = {role: "isnan" if role == "weight" else "NOT isfinite" for role in used.numbers}
        return tests | {role: f'"{role}" IS NULL OR {test}("{role}")' for role, test in bad.items()}

    def _faults(self) -> dict[tuple[str, str], str]:
        """Return the tests of all faults, by kind of fault and column of `predictions`."""
        found = {("missing", short): test for short, test in self.missing().items()}
        found |= {("infinite", f"s{i}"): f"isinf(s{i})" for i in range(len(self.columns.scores))}
        if self.columns.weight is not None:
            found["weight", "weight"] = 'NOT isfinite("weight") OR "weight" < 0'
        return found

    def fault(self, kind: str, short: str, count: int, rows: int) -> InputError:
        """Return the error about some rows, having looked for the first of them."""
        place, value = self.source.row(
            f'SELECT place, "{short}" FROM (SELECT row_number() OVER () AS place, * FROM {self.relation}) '
            f"WHERE {self._faults()[kind, short]} ORDER BY place LIMIT 1"
        ) or (None, None)
        hint = f" or {self.source.words.missing}" if kind == "missing" else ""
        value = value if kind == "weight" else None
        return checks.fault(kind, self.what(short), count, rows, place, value=value, hint=hint)

    def what(self, short: str) -> str:
        """Return what messages call a column of `predictions`."""
        if short[1:].isdigit():
            return f"{self.source.name}: score {self.columns.scores[int(short[1:])]!r}"
        return f"{self.source.name}: {short} {(self.columns.marks | self.columns.numbers)[short]!r}"

    def _others(self, hint: str) -> str:
        """Return how to name other columns of scores, nothing if they were named."""
        return "" if self.roles.scores else f"{hint} {self.source.words.score.format('…')}"

    def _refuse_inexact(self) -> None:
        """Refuse scores that float64 does not tell apart: whole numbers that are too large, and other numbers with too many digits."""
        for i, name in enumerate(self.columns.scores):
            kind, column, table = self.types[name], identifier(name), self.source.table()
            if not self.source.is_text:
                if WIDE_INTEGER.match(kind):
                    self._refuse_wide(name, table, column)
                elif kind.startswith("DECIMAL") and int(kind[8:].partition(",")[0]) > _EXACT_DIGITS:
                    self._refuse_close(name, table, column)
            elif kind != PERCENT:
                long = (len(str(v).strip().lstrip("+-0.,")) > _FLOAT_DIGITS for v in self.look.first.get(name, ()))
                bare = self._plain(f"trim({column})")
                if any(long):
                    # The same number written in another way is the same number.
                    digits = rf"regexp_extract({bare}, '^\+?(-?)0*(\.\d*[1-9]|[1-9]\d*\.\d*[1-9])0*$', 2)"
                    sign = f"CASE WHEN {bare} LIKE '-%' THEN '-' ELSE '' END"
                    self._refuse_close(name, self._as_text, f"{sign} || nullif({digits}, '')")
                if (self.source.row(f"SELECT max(abs(s{i})) FROM {self.relation}")[0] or 0) >= 2**53:
                    # Numbers such as 1e300 are what they are.
                    self._refuse_wide(name, self._as_text, column, rf"regexp_full_match({bare}, '[+-]?\d+')")

    def _refuse_wide(self, name: str, table: str, column: str, where: str = "true") -> None:
        whole = f"TRY_CAST({column} AS HUGEINT)"
        fits = f"{column} IS NULL OR TRY_CAST(TRY_CAST({whole} AS DOUBLE) AS HUGEINT) = {whole}"
        bad = f"FILTER (WHERE {where} AND NOT coalesce({fits}, false))"
        if not self.source.row(f"SELECT count(*) {bad} FROM {table}")[0]:
            return
        count, rows, first, value = self.source.row(
            f"SELECT count(*) {bad}, count(*), min(place) {bad}, arg_min({column}, place) {bad} "
            f"FROM (SELECT row_number() OVER () AS place, * FROM {table})"
        )
        hint = self._others("; if it is not a score, name the columns to use with")
        value = int(value) if isinstance(value, str) else value
        raise checks.fault("wide", f"{self.source.name}: score {name!r}", count, rows, first, value=value, hint=hint)

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

    def _refuse_guesses(self) -> None:
        """Refuse what would be guessed wrong: cases that stand in several rows, numbers taken for text, dots between thousands."""
        used, source = self.columns, self.source
        self._refuse_long()
        texts = [name for name in used.left_out if self.types[name] in ("VARCHAR", "JSON")] if source.is_text else []
        for name in texts:
            if wrong := self._odd_number(name):
                others = self._others(", or name the columns to use with")
                raise InputError(f"column {name!r} of {source.name} {wrong}{others}")
        if not used.scores:
            why = listed([f"{name} ({reason})" for name, reason in used.left_out.items()]) or "nothing"
            numbers = [name for name in used.left_out if NUMERIC.match(self.types[name])]
            named = (
                f" If one of them holds scores, name it: {source.words.naming(source.words.score, numbers[0])}"
                if numbers
                else ""
            )
            beside = "" if used.label is None else f" beside the label {used.label!r}"
            raise InputError(f"{source.name} has no numeric column of scores{beside}. Left out: {why}.{named}")
        self._refuse_dots()

    def _refuse_dots(self) -> None:
        """Refuse scores between semicolons whose dots may be decimal points or stand between thousands."""
        source = self.source
        if source.format != "csv" or source.files[0].delimiter != ";" or source.decimal_named:
            return
        for name in self.columns.scores:
            # Whole numbers, and others with three digits behind every dot.
            values = [str(value).strip() for value in self.look.first.get(name, ())]
            dotted = [value for value in values if DOTTED_THOUSANDS.fullmatch(value)]
            if dotted and all(value in dotted or value.lstrip("+-").isdigit() for value in values):
                raise InputError(
                    f"{source.name}: score {name!r} holds {dotted[0]!r}, whose dot may be a decimal point or stand between thousands: "
                    f"write it without thousands marks, or {source.words.point}"
                )

    def _odd_number(self, name: str) -> str | None:
        """Return what is wrong with a column of text that was meant to hold numbers, None if it was not."""
        source, values = self.source, [str(value) for value in self.look.first.get(name, ())]
        comma = source.words.decimal if source.decimal == "." and not source.decimal_named else None
        bad = [value for value in values if not checks.is_number(value)]
        if wrong := misspelt(values, source.decimal, comma):
            return wrong
        if 0 < len(bad) * 2 <= len(values):
            return f"holds text among its numbers: {len(bad)} of the first {len(values)} values, such as {bad[0]!r:.80}; fix it"
        if values and not bad:
            late = self._not_a_number(name)
            return f"holds {'thousands marks' if thousands_mark([late]) else 'text'} among its numbers, such as {late!r:.80}; fix it"
        return None

    def _refuse_long(self) -> None:
        """Refuse a row for every case and model, in which each case would count several times, unless its columns were named."""
        used, words, name = self.columns, self.source.words, self.source.name
        if len(used.scores) != 1 or used.model is not None or used.cluster is not None or used.group is not None:
            return
        if (found := self.look.case_and_model(used.scores)) and used.fold != found[1]:
            case, model = (words.quoted(part) if words.quoted else part for part in found)
            raise InputError(
                f"{name} has a row for every {found[0]} and {found[1]}: each case would count several times. "
                f"If {found[1]} names models, {words.long.format(model, case)}; if rows of one {found[0]} are cases that belong "
                f"together, {words.naming(words.cluster, found[0])} keeps them so"
            )
        if used.fold is None and not self.roles.scores and (copied := self.look.copied_case(used.label, used.scores)):
            raise InputError(
                f"{name} has several rows for every {copied}, equally many and with one label. If they come from several models, name the "
                f"column that tells these apart ({words.model}); if they are cases that belong together, "
                f"{words.naming(words.cluster, copied)} keeps them so; if each is a case of its own, name the scores: "
                f"{words.naming(words.score, used.scores[0])}"
            )

    def found(self) -> Found:
        """Count what is missing or impossible, and the labels: everything in one pass."""
        used, tests = self.columns, self._faults()
        # CASE, not FILTER, which is slow beside GROUP BY.
        sums = [f"count(CASE WHEN {test} THEN 1 END)" for test in tests.values()]
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
        for (kind, short), counts in zip(tests, columns[: len(sums)], strict=True):
            # Labels of too many kinds are not all here, and are complained about instead.
            if sum(counts) and len(groups) <= MOST_CLASSES:
                raise self.fault(kind, short, int(sum(counts)), total)
        lows, highs = ([end(limit, default=0.0) for limit in limits[i::2]] for i, end in enumerate((min, max)))
        return Found(total, labels, list(zip(lows, highs, strict=True)))

    def classes(self, labels: Mapping[Any, tuple[int, Any]], *, both: bool = True) -> Classes:
        """Return which class is positive, or ask which; there must be two, and unless `both`, not more."""
        if self.columns.label is None:
            return Classes(None, [True], sum(rows for rows, _ in labels.values()))
        what = self.what("label")
        typed = {value: label_typed(value) for value in labels}
        known = sorted(set(typed.values()), key=lambda value: (isinstance(value, str), value))
        if (self.roles.several and 1 < len(known) <= len(typed) <= MOST_CLASSES) or not (both or known):
            return Classes(None, [], 0)
        if not 1 + both <= len(known) <= 2:
            raise self._class_fault(known, many=len(typed) > MOST_CLASSES)
        rows = {c: sum(labels[value][0] for value, parsed in typed.items() if parsed == c) for c in known}
        positive = self._positive(known, rows, what)
        chosen = [value for value, parsed in typed.items() if parsed == positive]
        for name, mass in zip(("positive", "negative"), masses(labels, chosen), strict=True):
            if both and not mass > 0:
                why = f"the weights of the {name} class sum to 0: nothing is left of it"
                raise InputError(f"column {self.columns.weight!r} of {self.source.name}: {why}")
        return Classes(positive, chosen, rows.get(positive, 0))

    def _class_fault(self, known: Sequence[Any], *, many: bool) -> InputError:
        few = "" if self.roles.several else f" ({self.source.words.several})"
        most = f"more than {MOST_CLASSES}" if many else ""
        wrong = checks.class_fault(self.what("label"), known, many=most, several=few)
        return InputError(wrong + (", or name another label" if len(known) > 2 else ""))

    def _positive(self, known: Sequence[Any], rows: Mapping[Any, int], what: str) -> Any:
        asked, words = self.roles.positive, self.source.words
        if asked is not None:
            if (same := next((c for c in known if str(c) == asked or c == label_typed(asked)), None)) is None:
                raise InputError(f"{asked!r} is not among the classes of {what}: {checks.listed(known)}")
            return same
        try:
            return checks.positive_class(known, None, what)
        except InputError:
            ways = [words.naming(words.positive, c) for c in known]
            raise InputError(checks.which_positive(what, known, [rows[c] for c in known], ways)) from None

    def _pivot(self) -> None:
        """Give each model a column of its own: a row for each case."""
        nw, source, used = narwhals(), self.source, self.columns
        if len(used.scores) != 1 or used.case is None:
            wanted, word = ("one column of scores", source.words.score)
            if used.case is None:
                wanted, word = "the column that says which case a row is of", source.words.case
            raise InputError(f"{source.name}: a row for each case and model needs {wanted}: {word.format('…')}")
        names = {"s0": used.scores[0]} | used.marks | used.numbers
        with source.explained(), source.meanwhile():
            long = nw.from_native(
                source.connection.sql(f"SELECT *, row_number() OVER () AS place FROM {self.relation}")
            )
            hint = f" or {source.words.missing}"
            table, models = by_case(long, names, f"{source.name}: ", hint, drop=self.roles.missing == "drop")
            table.to_native().create("wide")
        kind = "TABLE" if source.is_text else "VIEW"
        source.query(
            f"DROP {kind} {self.relation}; CREATE TEMP VIEW {self.relation} AS SELECT * FROM wide ORDER BY place"
        )
        turned = frozenset(models if used.turned else ())
        self.columns = replace(used, scores=tuple(models), turned=turned, model=None, case=None)
        self.types = {**self.types, **dict.fromkeys(models, "DOUBLE")}


def by_case(
    table: Any, names: Mapping[str, str], where: str, hint: str = "", *, drop: bool = False
) -> tuple[Any, list[str]]:
    """Return a row for each case of a table with a row for each case and model, and the models, whose scores are s0, s1 and so on.

    Parameters
    ----------
    table : narwhals.DataFrame or narwhals.LazyFrame
        With the columns s0, model, case and the others that are named, and `place`: the order of the rows from 1, null if they have none.
    names : dict
        What columns of the table are called in messages.
    drop : bool
        Whether scores may be missing, and are null in the cases that lack them.
    """
    nw = narwhals()
    model, score = nw.col("model").cast(nw.String), nw.col("s0").cast(nw.Float64)
    kept = [name for name in names if name not in ("s0", "model", "case")]
    _refuse_odd_rows(table, names, where, hint, drop=drop)
    models = sorted(str(row[0]) for row in collected(table.select(model).unique().head(_MOST_PIVOTED + 1)).rows())
    if len(models) > _MOST_PIVOTED:
        raise InputError(f"{where}{names['model']!r} names more than {_MOST_PIVOTED:,} models: is it the right column?")
    for i, name in enumerate(models):
        mine = nw.when(model == name)
        one = mine.then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
        table = table.with_columns(mine.then(score).alias(f"m{i}"), one.alias(f"n{i}"))
    many, there = [f"n{i}" for i in range(len(models))], range(len(models))
    found = table.group_by("case").agg(
        nw.col("place").min(),
        *(nw.col(f"m{i}").max().alias(f"s{i}") for i in there),
        *(nw.col(n).sum() for n in many),
        *(nw.col(name).min().alias(f"least {name}") for name in kept),
        *(nw.col(name).max().alias(f"most {name}") for name in kept),
    )
    wrong = {f"has several rows of one {names['model']}": nw.max_horizontal(*many) > 1}
    wrong |= {} if drop else {f"lacks the row of one {names['model']}": nw.min_horizontal(*many) == 0}
    for name in kept:
        wrong[f"has rows with different values of {names[name]!r}"] = nw.col(f"least {name}") != nw.col(f"most {name}")
    for what, test in wrong.items():
        if cases := collected(found.filter(test).select("case").head(1)).rows():
            raise InputError(f"{where}{names['case']} {cases[0][0]!r} {what}: each case needs one row per model")
    values = (nw.col(f"least {name}").alias(name) for name in kept)
    return found.select("place", *(f"s{i}" for i in there), *values), models


def _refuse_odd_rows(table: Any, names: Mapping[str, str], where: str, hint: str, *, drop: bool) -> None:
    """Refuse rows whose score is infinite or no float64, and rows that lack something, a score only unless it may be missing."""
    nw = narwhals()
    kind, column = table.collect_schema()["s0"], nw.col("s0")
    score = column.cast(nw.Float64)
    absent = {name: nw.col(name).is_null() for name in names}
    absent["s0"] = column.is_null() | (~score.is_finite() & (score.abs() != float("inf")))
    faults = {("missing", name): test for name, test in absent.items() if name in ("model", "case") or not drop}
    faults["infinite", "s0"] = score.abs() == float("inf")
    faults |= {("wide", "s0"): too_large(column, kind)} if wide(kind) else {}
    counts = [nw.when(test).then(nw.lit(1, nw.Int64)).sum().alias(" ".join(key)) for key, test in faults.items()]
    firsts = [nw.when(test).then(nw.col("place")).min().alias(f"first {' '.join(key)}") for key, test in faults.items()]
    row = collected(table.select(nw.len().alias("rows"), *counts, *firsts)).rows(named=True)[0]
    for fault, name in faults:
        if bad := int(row[f"{fault} {name}"] or 0):
            first, role = int(row[f"first {fault} {name}"]) or None, "score" if name == "s0" else name
            more = hint if fault == "missing" else ""
            raise checks.fault(fault, f"{where}{role} {names[name]!r}", bad, int(row["rows"]), first, hint=more)


def frame_by_case(
    frame: Any, label: str, scores: Sequence[str], model: Any, case: Any, others: Sequence[str]
) -> tuple[Any, list[str]]:
    """Return a frame with a row for each case, of one with a row for each case and model, and the columns of the models."""
    nw = narwhals()
    if len(scores) != 1 or model is None or case is None:
        raise InputError(
            f"a row for each case and model needs model=, case= and one column of scores, got {list(scores)!r}"
        )
    table, engine = opened(frame)
    names = {"s0": scores[0], "label": label, "model": model, "case": case} | {name: name for name in others}
    schema = require_columns(table, list(names.values()), engine)
    require_numbers(schema, [scores[0]], engine)
    # A column for each role, which may share one of the frame.
    chosen = table.select(*(nw.col(name).alias(role) for role, name in names.items()))
    lazy = isinstance(chosen, nw.LazyFrame)
    chosen = chosen.with_columns(place=nw.lit(0, nw.Int64)) if lazy else chosen.with_row_index("place")
    chosen = chosen.with_columns(place=nw.col("place").cast(nw.Int64) + nw.lit(0 if lazy else 1, nw.Int64))
    found, models = by_case(chosen, names, f"{engine}: ")
    if twice := {label, *others} & set(models):
        raise InputError(f"{engine}: {model!r} names a model {min(twice)!r}, as a column is called: rename one of them")
    columns = {"label": label} | {f"s{i}": name for i, name in enumerate(models)}
    found = found if lazy else found.sort("place")
    return found.drop("place").rename(columns).to_native(), models


@dataclass(frozen=True)
class Found:
    """What one pass over the rows found: rows, rows and mass of each label, lowest and highest finite score of each column."""

    cases: int
    labels: dict[Any, tuple[int, Any]]
    spans: list[tuple[float, float]]


@dataclass(frozen=True)
class Classes:
    """The class to detect, the labels that stand for it, and how many rows have them."""

    positive: Any
    labels: list[Any]
    rows: int


class FileRows(CheckedColumns):
    """Rows of labels and scores in files, checked when opened, and counted without being loaded.

    If `hasty`, the statistics of a file may be believed until the rows are counted.

    Attributes
    ----------
    cases : int
        Rows that count.
    positive : object
        The label to detect.
    """

    def __init__(self, source: Engine, look: Look, roles: Roles, memory: int, *, hasty: bool = False) -> None:
        super().__init__(source, look, roles)
        self.memory = memory
        # Whether nothing was read yet but what the file says of itself, which counting must confirm.
        self._unconfirmed = False
        simple = hasty and roles.missing == "error" and not self.columns.turned
        if not (simple and self._believed()):
            self._examine()

    def confirm(self) -> None:
        """Make sure that everything was read once, and not only statistics believed."""
        if self._unconfirmed:
            self._examine()

    def _examine(self) -> None:
        self._unconfirmed = False
        found = self.found()
        self.cases, self._labels, self._spans = found.cases, found.labels, found.spans
        classes = self.classes(found.labels)
        self.positive, self.positive_labels, self.positives = classes.positive, classes.labels, classes.rows

    def _believed(self) -> bool:
        """Take rows, labels and ranges from the statistics of a large Parquet file, if they tell of 0, 1 and finite scores."""
        used, source = self.columns, self.source
        kind = self.types.get(used.label or "", "")
        plain = list(used.marks) == ["label"] and not used.numbers and source.format == "parquet"
        if not plain or not (kind == "BOOLEAN" or kind.endswith(("INT", "INTEGER"))):
            return False
        ends = [f"{end}({identifier(name)})" for name in used.all for end in ("min", "max")]
        # NaN is left out of statistics here; whoever counts must look for it.
        row = source.believed(f"SELECT count(*), {', '.join(ends)} FROM {source.table(can_have_nan=False)}")
        total, least, most, *limits = row or (0, None, None)
        if total < _MANY or (least, most) != (0, 1) or self.roles.positive not in (None, "1", str(most)):
            return False
        if None in limits or not all(map(math.isfinite, limits)):
            return False
        self.cases, self.positive = int(total), most
        self._spans = [(float(low), float(high)) for low, high in zip(limits[::2], limits[1::2], strict=True)]
        self._unconfirmed = True
        return True

    @property
    def several(self) -> bool:
        """Whether more than two classes are allowed, and none is the positive one."""
        return self.roles.several

    @property
    def classes_apart(self) -> tuple[Any, Any]:
        """The label to detect, and the other."""
        known = {label_typed(label) for label in self._labels}
        return self.positive, next(label for label in known if label != self.positive)

    @property
    def negatives(self) -> int:
        """Rows of the other class."""
        return self.cases - self.positives

    @property
    def size(self) -> int:
        """About how many bytes the cases take in memory."""
        return int(self.cases * (8 * len(self.columns.scores) + 8 * len(self.columns.costs) + 16))

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
        if few:
            self.confirm()
        if self.cases <= limit:
            return self._stream(i).each(None)
        if few:
            found = self._grouped(i)
            count.conserved(found, *masses(self._labels, self.positive_labels), what)
            return found
        try:
            return self._counted(i, what)
        except UnconfirmedError:
            self._examine()
            return self._counted(i, what)

    def _counted(self, i: int, what: str) -> CountTable:
        up, down = (None, None) if self._unconfirmed else masses(self._labels, self.positive_labels)
        stream, totals = self._stream(i), Totals(self.cases, up, down, *self._spans[i])
        # Half the rows that an engine may send, as the process that reads the file holds them as well.
        return count.count(stream, totals, what, grid=stream.grid, most_rows=count.MOST_ROWS // 2)

    def _stream(self, i: int) -> StreamedScores:
        if self._unconfirmed:
            label = identifier(str(self.columns.label))
            columns = {"score": self._number(self.columns.scores[i]), "up": f"TRY_CAST({label} AS TINYINT)"}
            table, given = self.source.table(), []
        else:
            columns = {"score": f"s{i}", "up": f"CAST({self._is_positive} AS TINYINT)"}
            table, given = "predictions", self._parameters
        if self.columns.weight is not None:
            columns["weight"] = '"weight"'
            table += ' WHERE "weight" > 0'
        return StreamedScores(self.source, columns, table, given, self.cases, self._spans[i], confirm=self._unconfirmed)

    def _distinct(self, i: int, limit: int) -> float:
        """Return about how many distinct scores there are, if there can be fewer than a limit; a look at the first rows usually tells."""
        look = self.source.columns(f"SELECT s{i} AS score FROM predictions LIMIT {_LOOK}")["score"]
        twice = look.size - np.unique(look).size
        # Of m draws from D values about m²/2D are repetitions, and more if some values are drawn more often.
        if twice == 0 or look.size**2 / (2 * twice) > 1.5 * max(limit, look.size):
            return math.inf
        return float(self.source.row(f"SELECT approx_count_distinct(s{i}) FROM predictions")[0])

    def _grouped(self, i: int) -> CountTable:
        """Let the engine group, which is best where scores repeat themselves."""
        weighted = self.columns.weight is not None
        if weighted:
            # One thread adds in the order of the file, so that fractional sums are the same on every run.
            self.source.query("SET threads = 1")
        number, kept = ('coalesce(sum("weight")', 'WHERE "weight" > 0') if weighted else ("coalesce(count(*)", "")
        sums = (
            f"{number} FILTER (WHERE {test}), 0) AS {name}"
            for test, name in ((self._is_positive, "up"), (f"NOT {self._is_positive}", "down"))
        )
        table = self.source.columns(
            f"SELECT s{i} AS score, {', '.join(sums)} FROM predictions {kept} GROUP BY score", self._parameters * 2
        )
        self.source.query("RESET threads")
        return CountTable.listed(table["score"] + 0.0, table["up"], table["down"])

    def load(self, purpose: str) -> LoadedRows:
        """Load the cases."""
        used, needed = self.columns, self.size
        if needed > self.memory:
            raise InputError(
                f"{purpose} needs the cases in memory, and the {self.cases:,} rows of {self.source.name} take "
                f"{needed / 1e9:.1f} GB, more than {self.source.words.memory} allows; raise it, or do without"
            )
        # Of several classes none is the positive one: the labels themselves are loaded.
        marks = [role for role in used.marks if role != "label"]
        parts = [f"{'label' if self.several else self._is_positive} AS positive"]
        parts += [f'"{name}"' for name in (*(f"s{i}" for i in range(len(used.scores))), *marks, *used.numbers)]
        table = self.source.columns(f"SELECT {', '.join(parts)} FROM predictions", self._parameters)
        return LoadedRows(
            _typed(table["positive"]) if self.several else table["positive"],
            {name: table[f"s{i}"] for i, name in enumerate(used.models)},
            **{role: table.get(role) for role in ("weight", "fold", "cluster", "group")},
            costs={outcome: table[outcome] for outcome, _ in used.costs},
        )

    def others(self) -> dict[str, Any]:
        """Return the columns that are not used and hold no fractional numbers; none if rows were dropped or are very many."""
        free = [n for n, kind in self.look.types.items() if n not in self.columns.all and kind not in _FRACTIONS]
        if not free or self.dropped or self.cases > _MANY or self.roles.model is not None:
            return {}
        parts = [f"CAST({identifier(name)} AS VARCHAR) AS o{i}" for i, name in enumerate(free[:_LOOKED_AT])]
        table = self.source.columns(f"SELECT {', '.join(parts)} FROM {self.source.table()}")
        found = {name: table[f"o{i}"] for i, name in enumerate(free[:_LOOKED_AT])}
        return found if all(len(values) == self.cases for values in found.values()) else {}

    def facts(self) -> dict[str, Any]:
        """Return what the JSON form says about the rows."""
        used, sides = self.columns, (None, None) if self.several else (self.positives, self.negatives)
        return {
            "kind": "predictions", "rows": self.cases, "label": used.label, "positive": self.positive,
            "weight": used.weight, "fold": used.fold, "cluster": used.cluster, "group": used.group,
            "positives": sides[0], "negatives": sides[1], "dropped": self.dropped, "left_out": dict(used.left_out),
            "notes": list(self.notes),
        }  # fmt: skip

    def introduction(self) -> str:
        """Say what was read, so that a wrong guess is seen."""
        used = self.columns
        held = (
            f"{self.positives:,} with {used.label} = {self.positive!s}"
            if not self.several
            else (f"{len({label_typed(label) for label in self._labels})} classes in {used.label}")
        )
        what = f"model{'' if len(used.scores) == 1 else 's'}: {listed(used.models)}"
        why = listed([f"{name} ({reason})" for name, reason in used.left_out.items()])
        return f"{self.source.name}: {self.cases:,} rows, {held}; {what}" + (f"; left out: {why}" if why else "")

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found out on the way and must not be silent, a sentence each."""
        used, source = self.columns, self.source
        notes = [f"{file.note}." for file in source.files if file.note is not None]
        if source.decimal == "," and source.format == "csv":
            notes.append(f"{source.name} has decimal commas: 0,5 is read as 0.5.")
        if self.roles.model is not None:
            notes.append(
                f"{source.name} has a row for every {self.roles.case} and {self.roles.model}: each model has its own scores."
            )
        notes += self._doubts
        if percent := [name for name in used.scores if self.types[name] == PERCENT]:
            notes.append(f"{listed(percent)}: percentages; 50% is read as 0.5.")
        if self.dropped:
            were, them = ("was", "it") if self.dropped == 1 else ("were", "them")
            every = self.dropped + self.cases
            notes.append(f"{self.dropped:,} of {every:,} rows {were} left out: something is missing in {them}.")
        turned = [name for name in used.scores if name in used.turned]
        return *notes, *(f"-{name}: {name} with its sign turned; score ≥ x means {name} ≤ -x." for name in turned)

    @cached_property
    def _doubts(self) -> list[str]:
        """Cautions about numbers such as -9999 among probabilities, and about a label that is a prediction."""
        found = []
        for i, (low, high) in enumerate([] if self._unconfirmed else self._spans):
            if {low, high} & _NOT_THERE:
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
        label = self.columns.label
        if label is not None and (score := self.look.predictions().get(label)) in self.columns.scores:
            found.append(
                f"{label} is {score} above a threshold in every row: if it is the model's own prediction, it is not what happened; "
                "name the column of the true labels."
            )
        return found


def masses(labels: Mapping[Any, tuple[int, Any]], positive: Sequence[Any]) -> tuple[float, float]:
    """Return the cases of each class, or their weight."""
    ups = sum(mass for label, (_, mass) in labels.items() if label in positive)
    return ups, sum(mass for label, (_, mass) in labels.items() if label not in positive)


def _typed(labels: Any) -> Any:
    """Return labels read from text as the numbers or truth values they stand for."""
    texts = np.asarray(labels, dtype=object).astype(str) if labels.dtype == object else labels
    found, places = np.unique(texts, return_inverse=True)
    typed = [label_typed(label) for label in found.tolist()]
    if any(isinstance(label, str) for label in typed):
        typed = [str(label) for label in typed]
    return np.asarray(typed)[places]


@dataclass(frozen=True)
class OpenTable:
    """A table in files that was looked at; `rows` settles its columns and checks them."""

    engine: Engine
    look: Look
    memory: int

    def rows(self, roles: Roles, *, hasty: bool = False) -> FileRows:
        """Return the checked rows; if `hasty`, the statistics of a file may be believed until the rows are counted."""
        return FileRows(self.engine, self.look, roles, self.memory, hasty=hasty)

    def every(self, roles: Roles, *, ordered: bool = False) -> CheckedColumns:
        """Return the columns of every row, whatever is missing; several threads may change the order of the rows of Arrow files."""
        if ordered and self.engine.format == "arrow":
            self.engine.query("SET threads = 1")
        return CheckedColumns(self.engine, self.look, roles, every=True)


@contextmanager
def open_files(
    source: Paths | Upload, form: TextForm = _AS_FOUND, words: Words = _LIBRARY
) -> Iterator[list[InputFile]]:
    """Yield the files of a source, each recognised by its content."""
    with open_inputs(source if isinstance(source, Upload) else _names(source), form, words) as files:
        yield files


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
        yield OpenTable(source, look_at(source, form), limit)


@contextmanager
def open_reader(
    paths: Paths,
    roles: Roles,
    form: TextForm,
    memory: str | int | None,
    progress: Progress | None,
    *,
    hasty: bool = False,
) -> Iterator[FileRows]:
    """Yield checked rows in files."""
    # A wrong size is refused before anything is read, and so is progress that cannot be shown.
    memory_bytes(memory, _LIBRARY.memory.rstrip("="))
    shown_by(progress)
    with open_files(paths, form) as files, open_table(files, form=form, memory=memory, progress=progress) as table:
        yield table.rows(roles, hasty=hasty)


def asked(
    label: Any, scores: tuple[str, ...], *, weight: Any, pos_label: Any, missing: Missing, lower_is_positive: Any, decimal: Any,
    encoding: Any, unlabelled: bool = False,
) -> tuple[Roles, TextForm]:  # fmt: skip
    """Return what a call of the library says about columns, and about text, checked."""
    optional = ("label", "weight") if unlabelled else ("weight",)
    for name, value in (("label", label), ("weight", weight)):
        if not isinstance(value, str) and not (value is None and name in optional):
            raise InputError(f"{name} must be the name of a column, got {value!r:.80}")
    checks.choice(missing, "missing", ("error", "drop"))
    for name, value in (("decimal", decimal), ("encoding", encoding)):
        if value is not None:
            checks.text(value, name)
    turned = checks.names(lower_is_positive, "score")
    positive = None if pos_label is None else str(pos_label)
    roles = Roles(label, scores, weight, None, positive, turned, missing, unlabelled)
    return roles, TextForm(decimal, encoding, alone=unlabelled)


def count_files(
    paths: Paths, roles: Roles, form: TextForm, memory: str | int | None, progress: Progress | None, max_distinct: int
) -> dict[str, CountTable]:
    """Return the counts of each column of scores."""
    with open_reader(paths, roles, form, memory, progress, hasty=True) as rows:
        models = zip(roles.scores, rows.columns.models, strict=True)
        return {name: rows.counts(model, max_distinct=max_distinct) for name, model in models}


@dataclass(frozen=True)
class PartLabelled:
    """Labels (True, False, or None if unknown) and scores of the same cases, in the order of the rows."""

    labels: NDArray[Any]
    scores: dict[str, Floats]
    label: str
    positive: Any


def part_labelled(table: OpenTable, roles: Roles) -> PartLabelled:
    """Load the cases of files; an empty label is unknown, an empty score is an error."""
    cases, source = table.every(roles, ordered=True), table.engine
    unknown = cases.missing()["label"]
    groups = source.rows(f"SELECT label, count(*) FROM {cases.relation} WHERE NOT ({unknown}) GROUP BY label LIMIT 100")
    classes = cases.classes({label: (int(rows), rows) for label, rows in groups}, both=False)
    wanted = ", ".join("?" * len(classes.labels))
    state = f"CASE WHEN {unknown} THEN -1 {f'WHEN label IN ({wanted}) THEN 1 ' if wanted else ''}ELSE 0 END"
    columns = ", ".join(f"s{i}" for i in range(len(cases.columns.scores)))
    found = source.columns(f"SELECT CAST({state} AS TINYINT) AS state, {columns} FROM {cases.relation}", classes.labels)
    if not found["state"].size:
        raise InputError(f"{source.name} holds no rows, only column names")
    scores = {
        name: checks.scores(np.ma.filled(found[f"s{i}"], np.nan), cases.what(f"s{i}"))
        for i, name in enumerate(cases.columns.models)
    }
    labels = np.array([False, True, None], dtype=object)[found["state"]]
    return PartLabelled(labels, scores, str(cases.columns.label), classes.positive)


def write_rows(table: OpenTable, rows: Sequence[int] | NDArray[np.intp], output: str | Path) -> None:
    """Write some rows with all their columns as CSV, in the order given."""
    source, types = table.engine, table.look.types
    place = {int(row): i for i, row in enumerate(rows)}
    kept: list[tuple[Any, ...]] = [()] * len(place)

    def pick(done: Any) -> None:
        row = 0
        while part := done.fetchmany(_AT_ONCE):
            for values in part:
                if row in place:
                    kept[place[row]] = values
                row += 1

    source.query(
        f"SELECT * FROM {source.table(dict.fromkeys(types, 'VARCHAR') if source.is_text else None)}", then=pick
    )
    with atomically(output) as path, path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(types)
        writer.writerows(["" if value is None else value for value in values] for values in kept)


def count_frame_between(frame: Any, score: str, weight: str | None, cuts: Floats) -> CountTable:
    """Return the cases of a frame between cuts: one query."""
    nw = narwhals()
    table, name = opened(frame)
    names = [score, *([] if weight is None else [weight])]
    require_numbers(require_columns(table, names, name), names, name)
    value = nw.col(score).cast(nw.Float64)
    number = nw.lit(1, nw.Int64) if weight is None else nw.col(weight).cast(nw.Float64)
    part = nw.lit(0, nw.Int64)
    for cut in cuts.tolist():
        part = part + nw.when(value >= cut).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
    # Not finite and not infinite: NaN, understood by every engine.
    infinite = value.abs() == float("inf")
    faults = {"missing": value.is_null() | (~value.is_finite() & (value.abs() != float("inf"))), "infinite": infinite}
    for kind, test in reversed(faults.items()):
        part = nw.when(test).then(nw.lit(_FAULTS[kind], nw.Int64)).otherwise(part)
    chosen = table.select(score=value + nw.lit(0.0, nw.Float64), number=number, part=part)
    ends = {"low": nw.col("score").min(), "high": nw.col("score").max()}
    weights = {"least": nw.col("number").min(), "most": nw.col("number").max()}
    query = chosen.group_by("part").agg(rows=nw.len(), cases=nw.col("number").sum(), **ends, **weights)
    got = run(name, f"counting column {score!r}", lambda: collected(query)).rows(named=True)
    if not got:
        raise InputError(f"the {name} is empty: at least one score is needed")

    def fault(kind: str, bad: int, rows: int) -> InputError:
        return checks.fault(kind, f"{name}: score {score!r}", bad, rows, first_row(table, faults[kind]))

    keys = ("part", "rows", "cases", "low", "high", "least", "most")
    counted = _by_period([(0, 2, *(row[key] for key in keys)) for row in got], fault, f"{weight!r} of the {name}")
    return _table(*counted.periods.values())


def count_files_between(
    paths: Paths, roles: Roles, form: TextForm, memory: str | int | None, progress: Progress | None, cuts: Floats
) -> CountTable:
    """Return the cases of files between cuts: one query."""
    with open_files(paths, form) as files, open_table(files, form=form, memory=memory, progress=progress) as table:
        return _table(*in_use(table, roles, cuts).periods.values())


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


def _table(cases: InUse) -> CountTable:
    down = np.zeros_like(cases.unlabelled)
    return CountTable(cases.low, cases.high, cases.unlabelled, down, np.full(cases.low.size, CLOSED))


@dataclass(frozen=True)
class Periods:
    """The cases of each period, in order, and how many rows had no score and were left out."""

    periods: dict[Any, InUse]
    dropped: int


def in_use(table: OpenTable, roles: Roles, cuts: Floats, classes: tuple[Any, ...] | None = None) -> Periods:
    """Count the cases of files between cuts by period (the column `fold` of the roles) and class, in one query.

    Rows without a label are unlabelled cases. `classes` are the positive and the negative label; 1 and 0 if not given.
    """
    cases = table.every(roles)
    used, name = cases.columns, table.engine.name
    part = " + ".join(f"(s0 >= CAST({cut!r} AS DOUBLE))::INTEGER" for cut in cuts.tolist()) or "0"
    columns = {
        "part": f"CASE WHEN s0 IS NULL OR isnan(s0) THEN -1 WHEN isinf(s0) THEN -2 ELSE {part} END",
        "period": '"fold"' if used.fold is not None else "0",
        "label": "CAST(label AS VARCHAR)" if used.label is not None else "NULL",
        "weight": '"weight"' if used.weight is not None else "1",
    }
    rows = table.engine.rows(
        f"SELECT period, label, part, count(*), sum(weight), min(s0), max(s0), min(weight), max(weight) FROM (SELECT s0, "
        f"{', '.join(f'{sql} AS {name}' for name, sql in columns.items())} FROM {cases.relation}) "
        f"GROUP BY period, label, part LIMIT {_MOST_ROWS}"
    )
    if len(rows) == _MOST_ROWS:
        column = used.fold or used.label
        raise InputError(f"{name} has more periods or labels than can be watched: is {column!r} the right column?")
    if not rows:
        raise InputError(f"{name} holds no rows, only column names")
    if lost := sum(int(row[3]) for row in rows if row[0] is None):
        raise cases.fault("missing", "fold", lost, sum(int(row[3]) for row in rows))
    sides = {label: _side(label, classes, f"column {used.label!r} of {name}") for label in {row[1] for row in rows}}
    known = [(period, sides[label], *rest) for period, label, *rest in rows]

    def fault(kind: str, bad: int, rows: int) -> InputError:
        return cases.fault(kind, "s0", bad, rows)

    return _by_period(known, fault, f"{used.weight!r} of {name}", drop=roles.missing == "drop")


def _by_period(
    rows: Sequence[tuple[Any, ...]], fault: Callable[[str, int, int], InputError], weight: str, *, drop: bool = False
) -> Periods:
    """Return the cases of each period from rows of period, side, part, rows, cases, low, high, least and most weight."""
    size: Counter[int] = Counter()
    for row in rows:
        size[row[2]] += int(row[3])
    lost = {kind: size[part] for kind, part in _FAULTS.items()}
    for kind, bad in lost.items():
        if bad and not (drop and kind == "missing"):
            raise fault(kind, bad, size.total())
    found: dict[Any, dict[int, list[Any]]] = {}
    for period, side, part, _, cases, low, high, least, most in (row for row in rows if row[2] >= 0):
        if least is None or not (least >= 0 and np.isfinite(most)):
            raise InputError(f"column {weight} must hold weights that are finite and not negative")
        cells = found.setdefault(period, {}).setdefault(int(part), [np.inf, -np.inf, 0, 0, 0])
        cells[0], cells[1] = min(cells[0], low), max(cells[1], high)
        cells[2 + side] += cases
    if not found:
        raise InputError(f"all rows of {weight.partition(' of ')[2]} miss a score: nothing is left")
    periods = {}
    for period in sorted(found, key=lambda key: (isinstance(key, str), key)):
        parts = [found[period][part] for part in sorted(found[period], reverse=True)]
        low, high, *counts = (np.array(column, dtype=np.float64) for column in zip(*parts, strict=True))
        periods[period] = InUse(low + 0.0, high + 0.0, *map(whole_numbers, counts))
    return Periods(periods, lost["missing"])


def _side(label: str | None, classes: tuple[Any, ...] | None, what: str) -> int:
    """Return 0 for a positive, 1 for a negative and 2 for a case without a label."""
    if label is None or label.strip().lower() == "nan":
        return 2
    value = label_typed(label)
    positive, *negatives = (1, 0, -1) if classes is None else classes
    if value == positive or value in negatives or not negatives:
        return int(value != positive)
    raise InputError(f"{what} holds the label {value!r}; those of the reference are {positive!r} and {negatives[0]!r}")


def unlabelled_rows(
    table: OpenTable, roles: Roles, score_from: float, score_below: float, period: str | None
) -> NDArray[np.intp]:
    """Return the rows without a label and with scores from one number to below another, in random order.

    Of one period (a value of the column `fold` of the roles) if it is given.
    """
    cases = table.every(roles, ordered=True)
    label = (
        "label IS NULL OR lower(trim(CAST(label AS VARCHAR))) = 'nan'" if cases.columns.label is not None else "TRUE"
    )
    fold = 'CAST("fold" AS VARCHAR)' if period is not None else "NULL"
    found = table.engine.columns(f"SELECT s0, CAST({label} AS TINYINT) AS free, {fold} AS period FROM {cases.relation}")
    scores, free = np.ma.filled(found["s0"], np.nan), np.asarray(found["free"], dtype=np.bool_)
    inside = free & (scores >= score_from) & ((scores < score_below) | (score_below == np.inf))
    if period is not None:
        inside &= np.asarray(found["period"], dtype=object) == period
    rows: NDArray[np.intp] = np.random.default_rng(0).permutation(np.flatnonzero(inside))
    return rows

"""Rows of labels and scores in files, laid out for the engine and checked: what is missing, impossible, or no number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isocost import validate
from isocost.engines.columns import NUMERIC, PERCENT, Columns, Look, Roles
from isocost.engines.duckdb import WIDE_INTEGER, Engine, identifier, text
from isocost.engines.text_files import misspelt, thousands_mark
from isocost.engines.words import listed
from isocost.errors import InputError

# Classes listed in a message; one more than that means "too many to be classes".
MOST_CLASSES = 12
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
        """Complain about the first value of some columns of text that is no number."""
        for name in columns:
            if found := self._no_number(name):
                raise InputError(f"column {name!r} of {self.source.name} holds {found!r}, which is no number; mend it")

    def _no_number(self, name: str) -> str:
        """Return the first value of a column of text that is no number, nothing if all are."""
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
            return
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
        found = self.source.row(
            f"SELECT count(*), any_value({whole}) FROM {table} "
            f"WHERE {where} AND TRY_CAST(CAST({whole} AS DOUBLE) AS HUGEINT) IS DISTINCT FROM {whole}"
        )
        if found and found[0]:
            raise InputError(
                f"column {name!r} of {self.source.name} has {found[0]} integers that do not fit float64 exactly, "
                f"such as {found[1]}{self._or_others('; if it is no score, name the columns to use with')}"
            )

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
        texts = [name for name in self.used.left_out if self.types[name] in ("VARCHAR", "JSON")]
        for name in texts if self.is_text else []:
            values = [str(value) for value in self.look.first.get(name, ())]
            comma = source.words.decimal if source.decimal == "." and not source.decimal_named else None
            wrong = misspelt(values, source.decimal, comma)
            bad = [value for value in values if not _is_number(value)]
            if wrong is None and 0 < len(bad) * 2 <= len(values):
                shown = f"{len(bad)} of the first {len(values)} values, such as {bad[0]!r:.80}"
                wrong = f"holds text among its numbers: {shown}; mend it"
            if wrong is None and values and not bad:
                late = self._no_number(name)
                marks = "thousands marks" if thousands_mark([late]) else "text"
                wrong = f"holds {marks} among its numbers, such as {late!r:.80}; mend it"
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

    def examine(self) -> Found:
        """Count what is missing or impossible, and the labels: everything in one pass."""
        used = self.used
        bad = self.missing()
        bad |= {f"infinite s{i}": f"isinf(s{i})" for i in range(len(used.scores))}
        if used.weight is not None:
            bad["weight"] = '"weight" IS NULL OR NOT isfinite("weight") OR "weight" < 0'
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
        # One column may have two roles.
        known = {f"s{i}": score for i, score in enumerate(used.scores)} | dict(used.costs)
        names = {short: known.get(short.split()[-1]) or getattr(used, short) for short in bad}
        for (short, test), counts in zip(bad.items(), columns[: len(sums)], strict=True):
            # Labels of too many kinds are not all here, and are complained about instead.
            if sum(counts) and len(groups) <= MOST_CLASSES:
                raise InputError(self._complaint(short, names[short], test, f"{int(sum(counts))} of {total} rows"))
        return Found(total, labels, spans)

    def _complaint(self, short: str, name: str, test: str, count: str) -> str:
        infinite, short = short.startswith("infinite"), short.rsplit(maxsplit=1)[-1]
        rows = self.source.rows(
            f'SELECT place, "{short}" FROM (SELECT row_number() OVER () AS place, "{short}" FROM predictions) '
            f"WHERE {test} ORDER BY place LIMIT {_SHOWN_ROWS}"
        )
        places = [str(place) for place, _ in rows] or ["?"]
        first = f"the first is row {places[0]}" if len(places) == 1 else f"the first are rows {', '.join(places)}"
        value = rows[0][1] if rows else None
        if short == "weight" and value is not None:
            return (
                f"column {name!r} of {self.source.name} has weights that are not finite or negative, such as {value}: "
                f"{count}, {first}"
            )
        if infinite:
            many, _, total, _ = count.split()
            first_row = int(places[0]) if rows else None
            return validate.infinite(f"column {name!r} of {self.source.name}", int(many), int(total), first_row)
        return (
            f"column {name!r} of {self.source.name} has missing values (empty, null or NaN): {count}, {first}; "
            f"{self.source.words.missing} to leave such rows out"
        )

    def classes(self, found: Found, *, both: bool = True) -> Classes:
        """Return which class is positive, or ask which; there must be two, and unless `both`, not more."""
        if self.used.label is None:
            return Classes(None, [True], found.cases)
        what = f"column {self.used.label!r} of {self.source.name}"
        raw = {value: label_typed(value) for value in found.labels}
        known = sorted(set(raw.values()), key=lambda value: (isinstance(value, str), value))
        if self.roles.several and len(known) > 1 and len(raw) <= MOST_CLASSES:
            return Classes(None, [], 0)
        if len(known) > 2:
            many = f"more than {MOST_CLASSES}" if len(raw) > MOST_CLASSES else str(len(known))
            shown = ", ".join(f"{c!r:.60}" for c in known[:6]) + (", …" if len(known) > 6 else "")
            few = f"isocost needs two ({self.source.words.several})"
            need = f"at most {MOST_CLASSES} are taken apart" if self.roles.several else few
            raise InputError(f"{what} holds {many} classes ({shown}): {need}; is it the label?")
        if not both and not known:
            return Classes(None, [], 0)
        if both and len(known) < 2:
            raise InputError(
                f"{what} holds only one class, {known[0]!r}: at least one positive and one negative are needed"
            )
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
        shown = " and ".join(f"{c!r} ({rows[c]:,} {'row' if rows[c] == 1 else 'rows'})" for c in known)
        asked = self.roles.positive
        if asked is not None:
            for c in known:
                if str(c) == asked or c == label_typed(asked):
                    return c
            raise InputError(f"{asked!r} is not among the classes of {what}: {shown}")
        try:
            return validate.positive_class(known, None, what)
        except InputError:
            words = self.source.words
            ways = " or ".join(words.naming(words.positive, c) for c in known)
            raise InputError(f"{what} holds {shown}. Say which to detect: {ways}") from None


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

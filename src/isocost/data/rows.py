"""Cases in files: checked, counted without being loaded, loaded, or written out."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import whole_numbers
from isocost.data import checks, count, tables
from isocost.data.checks import Bools, Floats
from isocost.data.count import CLOSED, CountTable, StreamedScores, Totals
from isocost.data.files import DOTTED_THOUSANDS, PERCENT, InputFile, TextForm, Upload, Words, listed, open_inputs, run
from isocost.data.frames import MOST_PIVOTED, FrameCases, collected, either, nw, score_of, summed
from isocost.data.tables import Engine, Look, Missing, Progress, Roles, identifier, literal, text
from isocost.errors import InputError
from isocost.results import atomically

Paths = str | Path | Sequence[str | Path]

_LIBRARY, _AS_FOUND = Words(), TextForm()
# Classes listed in a message; one more than that means "too many to be classes".
MOST_CLASSES = 12
# Decimal digits that float64 always tells apart.
_EXACT_DIGITS = 15
# What is odd about a value as it was read, by the number that says so in the column `odd s0` beside `s0`; 3 is a number with more digits.
_MISREAD = {1: "text", 2: "wide"}
_LONG = 3
# Numbers that programs write where there is none.
_NOT_THERE = {sign * number for number in (9.0, 99.0, 999.0, 9999.0, 99999.0) for sign in (1, -1)} | {-1.0}
# Types of columns that hold neither ids nor labels, how many of the others are looked at, and in how many rows.
_FRACTIONS, _LOOKED_AT, _MANY = ("FLOAT", "DOUBLE", PERCENT), 100, 2**22
# Bytes that counting in memory takes for each row: score, label, key and counts.
_A_ROW = 64
# Rows of periods, labels and parts: more means that a column of numbers was taken for periods or labels.
_MOST_ROWS = 200_000


def label_typed(value: Any) -> Any:
    """Return a label read from text as the number or truth value it stands for."""
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    if not isinstance(value, str) or not checks.is_number(value):
        return value
    number = float(value)
    return int(number) if number.is_integer() else number


def _normal(number: str) -> str:
    """Return the SQL of a number in text as its sign, its digits and the place of its point: the same however it is written."""
    bare = f"ltrim(split_part(lower({number}), 'e', 1), '+-')"
    digits = f"replace({bare}, '.', '')"
    zeros = f"strlen({digits}) - strlen(ltrim({digits}, '0'))"
    power = f"coalesce(TRY_CAST(split_part(lower({number}), 'e', 2) AS INTEGER), 0)"
    place = f"strlen(split_part({bare}, '.', 1)) - ({zeros}) + {power}"
    return f"CASE WHEN trim({digits}, '0') = '' THEN '0' ELSE concat(starts_with({number}, '-'), trim({digits}, '0'), 'e', {place}) END"


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

    def compared(self, positive: Any, others: Mapping[str, Any], *, weights: Any = None) -> dict[str, Any]:
        """Return the arguments of `Comparison.from_scores`; decisions name the positives by the label, if it is a word."""
        named = isinstance(positive, str)
        return {
            "y_true": np.where(self.y_true, positive, f"not {positive}") if named else self.y_true, "scores": self.scores,
            "sample_weight": self.weight if weights is None else weights, "pos_label": positive if named else None, "fold": self.fold,
            "cluster": self.cluster, "columns": others,
        }  # fmt: skip


class CheckedColumns:
    """Some columns of files as the table `predictions`: label, s0, s1, …, weight, costs, fold, cluster and group."""

    def __init__(self, source: Engine, look: Look, roles: Roles, form: TextForm, *, every: bool = False) -> None:
        self.source, self.look, self.roles, self.form = source, look, roles, form
        self.columns, self.types = tables.settled(roles, look, source.words), look.types
        # The table of all rows; `predictions` holds those in which nothing is missing.
        self.relation = "predictions" if roles.missing == "error" else "every_row"
        self._refuse_copies()
        self._refuse_dots()
        source.require(self.columns.all)
        self._lay_out()
        self._refuse_misread()
        self._judged = self.relation
        if self.columns.model is not None:
            self._pivot()
        self.dropped = 0 if every or roles.missing == "error" else self._drop()
        # The rows that count.
        self._judged = self.relation if every else "predictions"

    @property
    def _numbers(self) -> dict[str, str]:
        """The columns of numbers, by their names in the table."""
        return {f"s{i}": name for i, name in enumerate(self.columns.scores)} | self.columns.numbers

    @property
    def _floats(self) -> list[str]:
        """The columns of the table that can hold NaN and infinity."""
        label = self.columns.label
        fractional = label is not None and self.types[label] in ("FLOAT", "DOUBLE") and not self.source.is_text
        return [*(["label"] if fractional else []), *self._numbers]

    def _lay_out(self) -> None:
        """Make the table; text is parsed once, into a table that spills to disk."""
        used, source = self.columns, self.source
        for name in used.marks.values():
            if self.types[name].startswith(("STRUCT", "MAP")) or self.types[name].endswith("]"):
                nested = f"holds nested values ({self.types[name][:60]}): choose another"
                raise InputError.of("column", column=name, name=source.name, wrong=nested)
        for name in () if source.is_text else self._numbers.values():
            if not tables.NUMERIC.match(self.types[name]) and self.types[name] != "BOOLEAN":
                found = source.row(f"SELECT any_value({identifier(name)}) FROM {source.table}")
                first = f" (first value {found[0]!r:.80})" if found[0] is not None else ""
                wrong = f"must hold numbers, got {self.types[name]}{first}"
                raise InputError.of("column", column=name, name=source.name, wrong=wrong)
        parts = ['TRUE AS "label"'] if used.label is None else []
        parts += [f'{identifier(name)} AS "{role}"' for role, name in used.marks.items()]
        for role, name in self._numbers.items():
            sign = "-" if name in used.lower_is_positive else ""
            parts.append(f'{sign}({source.number(name, self.types[name])}) AS "{role}"')
        parts += [f'{odd} AS "odd {role}"' for role, odd in self._odd.items()]
        kind = "TABLE" if source.is_text else "VIEW"
        source.query(f"CREATE TEMP {kind} {self.relation} AS SELECT {', '.join(parts)} FROM {source.table}")

    @cached_property
    def _odd(self) -> dict[str, str]:
        """The SQL of what is odd about values as they are read, for the columns where that can be."""
        found, source = {}, self.source
        for role, name in self._numbers.items():
            column, kind, is_score = identifier(name), self.types[name], name in self.columns.scores
            if source.is_text:
                bare, number = source.bare(name, kind), source.number(name, kind)
                # Numbers such as 1e300 are what they are. Most are settled by their length, or are as float64 is written.
                exact = f"TRY_CAST(TRY_CAST({bare} AS DOUBLE) AS HUGEINT) = TRY_CAST({bare} AS HUGEINT)"
                digits = (
                    f"WHEN strlen(ltrim({bare}, '+-0.')) <= {_EXACT_DIGITS} OR {bare} = CAST(TRY_CAST({bare} AS DOUBLE) AS VARCHAR) THEN 0 "
                    rf"WHEN abs({number}) >= {2**53} AND regexp_full_match({bare}, '[+-]?\d+') "
                    f"THEN CASE WHEN coalesce({exact}, false) THEN 0 ELSE 2 END ELSE {_LONG} "
                )
                found[role] = (
                    f"CASE WHEN {column} IS NULL THEN 0 WHEN {number} IS NULL THEN 1 {digits if is_score else 'ELSE 0 '}END"
                )
            elif is_score and kind in ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"):
                exact = f"TRY_CAST(CAST({column} AS DOUBLE) AS HUGEINT) = TRY_CAST({column} AS HUGEINT)"
                found[role] = f"CASE WHEN {column} IS NULL OR coalesce({exact}, false) THEN 0 ELSE 2 END"
        return found

    def _refuse_misread(self) -> None:
        """Refuse text among numbers, whole numbers that are no float64, and different numbers that would become equal."""
        long = [role for role, name in self._numbers.items() if self._is_long(self.types[name], name)]
        if self._odd:
            kinds = (*_MISREAD, _LONG)
            sums = [f'count(CASE "odd {role}" WHEN {kind} THEN 1 END)' for role in self._odd for kind in kinds]
            rows, *counts = self.source.row(f"SELECT count(*), {', '.join(sums)} FROM {self.relation}")
            for (role, kind), many in zip(((r, k) for r in self._odd for k in kinds), counts, strict=True):
                if many and kind == _LONG:
                    long.append(role)
                elif many:
                    raise self._misread(role, kind, many, rows)
        for role in long:
            self._refuse_equal(role)

    def _is_long(self, kind: str, name: str) -> bool:
        """Tell whether the numbers of a column may have more digits than float64, though they are not read as text."""
        if name not in self.columns.scores or self.source.format == "csv":
            return False
        return self.source.is_text or (kind.startswith("DECIMAL") and int(kind[8:].partition(",")[0]) > _EXACT_DIGITS)

    def _misread(self, role: str, kind: int, many: int, rows: int) -> InputError:
        """Return the error about values that are odd as they are read."""
        name, words = self._numbers[role], self.source.words
        first, value = self.source.row(
            f"SELECT place, value FROM (SELECT row_number() OVER () AS place, {identifier(name)} AS value, {self._odd[role]} AS odd "
            f"FROM {self.source.table}) WHERE odd = {kind} ORDER BY place LIMIT 1"
        )
        option = words.score.format("…")
        hint = "" if self.roles.scores else f"; if it is not a score, name the columns to use with {option}"
        if kind == 1 and self.types[name] == PERCENT:
            hint = "; write all with a percent sign, or none" + hint
        elif kind == 1 and self.form.decimal is None and "," in value:
            hint = f"; for decimal commas {words.decimal}" + hint
        value = int(value) if kind != 1 else value
        return checks.fault(_MISREAD[kind], self.what(role), many, rows, first, value=value, hint=hint)

    def _refuse_equal(self, role: str) -> None:
        """Refuse numbers that differ and are equal as float64."""
        name, source = self._numbers[role], self.source
        value, table = identifier(name), source.table
        if source.format == "json":
            # A number is a float64 as soon as it is read: its digits stand in the text of the object.
            letters = "".join(f"\\x{{{ord(letter):x}}}" for letter in name)
            key = text(rf'"{letters}"\s*:\s*"?([-+.0-9eE]+)')
            value, table = f"nullif(regexp_extract(json, {key}, 1), '')", source.objects
            long = f"strlen(ltrim({value}, '+-0.')) > {_EXACT_DIGITS} AND {value} <> CAST(TRY_CAST({value} AS DOUBLE) AS VARCHAR)"
            if not source.row(f"SELECT 1 FROM {table} WHERE {long} LIMIT 1"):
                return
        elif source.is_text:
            value = source.bare(name, self.types[name])
        normal = _normal(value) if source.is_text else value
        found = source.row(
            f"SELECT arg_min(v, n), arg_max(v, n) FROM (SELECT {value} AS v, {normal} AS n FROM {table}) "
            "WHERE v IS NOT NULL GROUP BY CAST(v AS DOUBLE) HAVING min(n) <> max(n) LIMIT 1"
        )
        if found:
            raise checks.equal_numbers(self.what(role), *found)

    def _drop(self) -> int:
        """Keep the rows in which nothing is missing, and return how many are left out."""
        whole = " AND ".join(f"NOT ({test})" for test in self.missing().values())
        self.source.query(f"CREATE TEMP VIEW predictions AS SELECT * FROM every_row WHERE {whole}")
        dropped, every = self.source.row(f"SELECT count(*) FILTER (WHERE NOT ({whole})), count(*) FROM every_row")
        if dropped == every > 0:
            raise InputError.of("nothing left", rows=every, name=self.source.name, what="a label or a score")
        return int(dropped)

    def missing(self) -> dict[str, str]:
        """Return for each column of `predictions` the test of a missing value."""
        tests = {role: f'"{role}" IS NULL' for role in self.columns.marks}
        strict = ("label", *dict(self.columns.costs))
        bad = {role: "NOT isfinite" if role in strict else "isnan" for role in self._floats}
        return tests | {role: f'"{role}" IS NULL OR {test}("{role}")' for role, test in bad.items()}

    def faults(self) -> dict[tuple[str, str], str]:
        """Return the tests of all faults, by kind of fault and column of `predictions`."""
        found = {("missing", short): test for short, test in self.missing().items()}
        found |= {("infinite", f"s{i}"): f"isinf(s{i})" for i in range(len(self.columns.scores))}
        if self.columns.weight is not None:
            found["weight", "weight"] = 'NOT isfinite("weight") OR "weight" < 0'
        return found

    def fault(self, kind: str, short: str, many: int, rows: int) -> InputError:
        """Return the error about some rows, having looked for the first of them."""
        place, value = self.source.row(
            f'SELECT place, "{short}" FROM (SELECT row_number() OVER () AS place, * FROM {self.relation}) '
            f"WHERE {self.faults()[kind, short]} ORDER BY place LIMIT 1"
        ) or (None, None)
        hint = f" or {self.source.words.missing}" if kind == "missing" else ""
        value = value if kind == "weight" else None
        return checks.fault(kind, self.what(short), many, rows, place, value=value, hint=hint)

    def what(self, short: str) -> str:
        """Return what messages call a column of `predictions`."""
        role = "score" if short[1:].isdigit() else short
        return f"{self.source.name}: {role} {(self.columns.marks | self._numbers)[short]!r}"

    def _refuse_dots(self) -> None:
        """Refuse scores between semicolons whose dots may be decimal points or stand between thousands."""
        source = self.source
        if source.files[0].delimiter != ";" or self.form.decimal is not None:
            return
        for name in self.columns.scores:
            # Whole numbers, and others with three digits behind every dot.
            values = [str(value).strip() for value in self.look.first.get(name, ())]
            dotted = [value for value in values if DOTTED_THOUSANDS.fullmatch(value)]
            if dotted and all(value in dotted or value.lstrip("+-").isdigit() for value in values):
                found = {"column": name, "value": dotted[0], "option": source.words.point}
                raise InputError.of("dots", name=source.name, **found)

    def _refuse_copies(self) -> None:
        """Refuse a row for every case and model, in which each case would count several times, unless its columns were named."""
        used, words, name = self.columns, self.source.words, self.source.name
        if len(used.scores) != 1 or used.model is not None or used.cluster is not None or used.group is not None:
            return
        if (found := self.look.case_and_model(used.scores)) and used.fold != found[1]:
            case, model = (words.quoted(part) if words.quoted else part for part in found)
            ways = {"long": words.long.format(model, case), "cluster": words.naming(words.cluster, found[0])}
            raise InputError.of("long table", name=name, case=found[0], model=found[1], **ways)
        if used.fold is None and not self.roles.scores and (copied := self.look.copied_case(used.label, used.scores)):
            ways = {"cluster": words.naming(words.cluster, copied), "score": words.naming(words.score, used.scores[0])}
            raise InputError.of("copied cases", name=name, case=copied, model=words.model, **ways)

    def refuse(self, tests: Mapping[tuple[str, str], str], *more: str) -> tuple[Any, ...]:
        """Refuse rows in which a test holds, by kind of fault and column; return how many rows there are, and other aggregates."""
        # Ends are found much quicker than every row is tested; NaN is above all numbers.
        sound = ["TRUE", *(f'count("{short}") = count(*)' for kind, short in tests if kind == "missing")]
        sound += [
            f'isfinite(min("{short}")) AND isfinite(max("{short}"))' for _, short in tests if short in self._floats
        ]
        sound += ['min("weight") >= 0' for kind, _ in tests if kind == "weight"]
        asked = ", ".join(["count(*)", " AND ".join(sound), *more])
        rows, well, *found = self.source.row(f"SELECT {asked} FROM {self._judged}")
        if not rows:
            raise InputError(f"{self.source.name} holds no rows, only column names")
        if not well:
            sums = (f"count(CASE WHEN {test} THEN 1 END)" for test in tests.values())
            each = self.source.row(f"SELECT {', '.join(sums)} FROM {self._judged}")
            for fault, many in zip(tests, each, strict=True):
                if many:
                    raise self.fault(*fault, many, rows)
        return rows, *found

    def classes(self, labels: Mapping[Any, tuple[int, Any]], *, both: bool = True) -> Classes:
        """Return which class is positive, or ask which; there must be two, and unless `both`, not more."""
        if self.columns.label is None:
            return Classes(None, [True], sum(rows for rows, _ in labels.values()))
        typed = {value: label_typed(value) for value in labels}
        known = sorted(set(typed.values()), key=lambda value: (isinstance(value, str), value))
        if (self.roles.several and 1 < len(known) <= len(typed) <= MOST_CLASSES) or not (both or known):
            return Classes(None, [], 0)
        if not 1 + both <= len(known) <= 2:
            few = "" if self.roles.several else f" ({self.source.words.several})"
            most = f"more than {MOST_CLASSES}" if len(typed) > MOST_CLASSES else ""
            hint = ", or name another label" if len(known) > 2 else ""
            raise checks.class_fault(self.what("label"), known, many=most, several=few, hint=hint)
        rows = dict.fromkeys(known, 0)
        for value, parsed in typed.items():
            rows[parsed] += labels[value][0]
        positive = self._positive(known, rows)
        chosen = [value for value, parsed in typed.items() if parsed == positive]
        if both and self.columns.weight is not None:
            checks.both_classes(*masses(labels, chosen), self.what("weight"), "the weights of that class sum to 0")
        return Classes(positive, chosen, rows.get(positive, 0))

    def _positive(self, known: Sequence[Any], rows: Mapping[Any, int]) -> Any:
        asked, words, what = self.roles.positive, self.source.words, self.what("label")
        if asked is None:
            ways = [words.naming(words.positive, c) for c in known]
            return checks.positive_class(known, None, what, cases=[rows[c] for c in known], ways=ways)
        if (same := next((c for c in known if str(c) == asked or c == label_typed(asked)), None)) is None:
            raise InputError.of("no class", label=repr(asked), name=what, known=checks.listed(known))
        return same

    def _pivot(self) -> None:
        """Give each model a column of its own: a row for each case."""
        source, used, words = self.source, self.columns, self.source.words
        what, option = "one column of scores", words.score
        if used.case is None:
            what, option = "the column that says which case a row is of", words.case
        if used.case is None or len(used.scores) != 1:
            raise InputError.of("long form", name=source.name, what=what, option=option.format("…"))
        drop, table = self.roles.missing == "drop", self.relation
        tests = {k: t for k, t in self.faults().items() if not drop or k[0] == "infinite" or k[1] in ("model", "case")}
        self.refuse(tests)
        names = source.rows(f"SELECT DISTINCT CAST(model AS VARCHAR) FROM {table} LIMIT {MOST_PIVOTED + 1}")
        models = tuple(sorted(str(row[0]) for row in names))
        if len(models) > MOST_PIVOTED:
            raise InputError.of("many models", name=source.name, column=used.model, most=MOST_PIVOTED)
        kept = {role: name for role, name in (used.marks | used.numbers).items() if role not in ("model", "case")}
        self._refuse_cases(kept, 0 if drop else len(models))
        scores = [f"max(CASE WHEN model = {text(name)} THEN s0 END) AS s{i}" for i, name in enumerate(models)]
        marks = [f'min("{role}") AS "{role}"' for role in kept]
        source.query(
            f"CREATE TEMP TABLE wide AS SELECT {', '.join([*scores, *marks])} "
            f'FROM (SELECT *, row_number() OVER () AS place FROM {table}) GROUP BY "case" ORDER BY min(place); '
            f"DROP {'TABLE' if source.is_text else 'VIEW'} {table}; CREATE TEMP VIEW {table} AS SELECT * FROM wide"
        )
        turned = models if used.lower_is_positive else ()
        self.columns = replace(used, scores=models, lower_is_positive=turned, model=None, case=None)
        self.types = {**self.types, **dict.fromkeys(models, "DOUBLE")}

    def _refuse_cases(self, kept: Mapping[str, str], least: int) -> None:
        """Refuse cases with two rows of one model, with fewer than `least` rows, or with rows that differ in what is kept."""
        used, name = self.columns, self.source.name
        wrong = {f"has several rows of one {used.model}": '"case", model HAVING count(*) > 1'}
        wrong |= {f"lacks the row of one {used.model}": f'"case" HAVING count(*) < {least}'}
        differ = {column: f'"case" HAVING min("{role}") <> max("{role}")' for role, column in kept.items()}
        wrong |= {f"has rows with different values of {column!r}": test for column, test in differ.items()}
        for what, test in wrong.items():
            if found := self.source.row(f'SELECT "case" FROM {self.relation} GROUP BY {test} LIMIT 1'):
                raise InputError.of("case", name=name, column=used.case, case=found[0], wrong=what)


@dataclass(frozen=True)
class Classes:
    """The class to detect, the labels that stand for it, and how many rows have them."""

    positive: Any
    labels: list[Any]
    rows: int


class FileRows(CheckedColumns):
    """Rows of labels and scores in files, checked when opened, and counted without being loaded."""

    def __init__(self, source: Engine, look: Look, roles: Roles, form: TextForm, memory: int) -> None:
        super().__init__(source, look, roles, form)
        self.memory = memory
        self._labels = self._counted_labels()
        tests = self.faults()
        # Labels that are all known, and are there, need not be looked at again.
        if len(self._labels) <= MOST_CLASSES and not {"None", "nan", "inf", "-inf"} & set(map(str, self._labels)):
            tests.pop(("missing", "label"), None)
        asked = (f"{what}(s{i})" for i in range(len(self.columns.scores)) for what in ("min", "max"))
        cases, *found = self.refuse(tests, *asked)
        self.cases, self._spans = int(cases), list(zip(found[::2], found[1::2], strict=True))
        classes = self.classes(self._labels)
        self.positive, self.positive_labels, self.positives = classes.positive, classes.labels, classes.rows

    def _counted_labels(self) -> dict[Any, tuple[int, Any]]:
        """Return the labels, with how many rows have each and what they weigh; more than the classes in a message are not all found."""
        values = self.look.values(self.columns.label or "")
        tests = [literal(value) for value in values]
        if len(values) == 2 and all(tests) and self.columns.weight is None:
            # Where the first rows have both classes, that is quicker than to group.
            counts = ", ".join(f"count_if(label = {value})" for value in tests)
            rows, *each = self.source.row(f"SELECT count(*), {counts} FROM predictions")
            if sum(each) == rows and all(each):
                return {value: (int(many), many) for value, many in zip(values, each, strict=True)}
        mass = "count(*)" if self.columns.weight is None else 'sum("weight")'
        query = f"SELECT label, count(*), {mass} FROM predictions GROUP BY label LIMIT {MOST_CLASSES + 1}"
        return {label: (int(rows), weight) for label, rows, weight in self.source.rows(query)}

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
        # Labels 0 and 1 are what is counted.
        plain = sorted(self._labels) == [0, 1] and self.positive_labels == [1]
        columns = {"score": f"s{i}", "up": f"CAST({'label' if plain else self._is_positive} AS TINYINT)"}
        weighed = {} if self.columns.weight is None else {"weight": '"weight"'}
        table = "predictions" + (' WHERE "weight" > 0' if weighed else "")
        stream = StreamedScores(self.source, columns | weighed, table, self._parameters, self.cases, self._spans[i])
        if self.cases <= limit:
            return stream.each(None)
        sums = masses(self._labels, self.positive_labels)
        if self._repeats(f"s{i}", limit):
            found = self._grouped(i)
            count.conserved(found, *sums, what)
            return found
        # Half the rows that an engine may send, as the process that reads the file holds them as well.
        return count.count(stream, Totals(self.cases, *sums), what, grid=stream.grid, most_rows=count.MOST_ROWS // 2)

    def _repeats(self, score: str, most: int) -> bool:
        """Tell whether a column holds only about so many distinct scores: the first rows know it if there are more."""
        few = f"SELECT {score} FROM predictions LIMIT {2 * most}"
        return all(
            self.source.row(f"SELECT approx_count_distinct({score}) FROM {table}")[0] <= most
            for table in (f"({few})", "predictions")
        )

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
            found = {"rows": self.cases, "size": needed / 1e9, "option": self.source.words.memory}
            raise InputError.of("memory", purpose=purpose, name=self.source.name, **found)
        # Of several classes none is the positive one: the labels themselves are loaded.
        marks = [role for role in used.marks if role != "label"]
        parts = [f"{'label' if self.roles.several else self._is_positive} AS positive"]
        parts += [f'"{name}"' for name in (*(f"s{i}" for i in range(len(used.scores))), *marks, *used.numbers)]
        table = self.source.columns(f"SELECT {', '.join(parts)} FROM predictions", self._parameters)
        return LoadedRows(
            _typed(table["positive"]) if self.roles.several else table["positive"],
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
        table = self.source.columns(f"SELECT {', '.join(parts)} FROM {self.source.table}")
        found = {name: table[f"o{i}"] for i, name in enumerate(free[:_LOOKED_AT])}
        return found if all(len(values) == self.cases for values in found.values()) else {}

    def facts(self) -> dict[str, Any]:
        """Return what the JSON form says about the rows."""
        used, sides = self.columns, (None, None) if self.roles.several else (self.positives, self.negatives)
        return {
            "kind": "predictions", "rows": self.cases, "label": used.label, "positive": self.positive,
            "weight": used.weight, "fold": used.fold, "cluster": used.cluster, "group": used.group,
            "positives": sides[0], "negatives": sides[1], "dropped": self.dropped, "left_out": dict(used.left_out),
            "notes": list(self.notes),
        }  # fmt: skip

    def introduction(self) -> str:
        """Say what was read, so that a wrong guess is seen."""
        used = self.columns
        held = f"{self.positives:,} with {used.label} = {self.positive!s}"
        if self.roles.several:
            held = f"{len(set(map(label_typed, self._labels)))} classes in {used.label}"
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
        turned = [name for name in used.scores if name in used.lower_is_positive]
        return *notes, *(f"-{name}: {name} with its sign turned; score ≥ x means {name} ≤ -x." for name in turned)

    @cached_property
    def _doubts(self) -> list[str]:
        """Cautions about numbers such as -9999 among probabilities, and about a label that is a prediction."""
        found = []
        for i, (low, high) in enumerate(self._spans):
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
    form: TextForm

    def rows(self, roles: Roles) -> FileRows:
        """Return the checked rows."""
        return FileRows(self.engine, self.look, roles, self.form, self.memory)

    def every(self, roles: Roles, *, ordered: bool = False) -> CheckedColumns:
        """Return the columns of every row, whatever is missing; several threads may change the order of the rows of Arrow files."""
        if ordered and self.engine.format == "arrow":
            self.engine.query("SET threads = 1")
        return CheckedColumns(self.engine, self.look, roles, self.form, every=True)


@contextmanager
def open_files(
    source: Paths | Upload, form: TextForm = _AS_FOUND, words: Words = _LIBRARY
) -> Iterator[list[InputFile]]:
    """Yield the files of a source, each recognised by its content."""
    with open_inputs(source if isinstance(source, Upload) else _names(source), form, words) as files:
        yield files


def _names(paths: Any) -> list[str]:
    found = [paths] if isinstance(paths, str | os.PathLike) else paths
    found = checks.some(checks.sequence(found, "paths", "a path or several of them"), "paths", "name at least one file")
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
) -> Iterator[OpenTable]:
    """Yield a look at the files as one table; whatever happens, temporary files are removed."""
    limit = tables.memory_bytes(memory, words.memory.rstrip("="))
    with tables.engine(files, limit, tables.shown_by(progress), words) as source:
        yield OpenTable(source, tables.look_at(source, form), limit, form)


def asked(
    label: Any, scores: tuple[str, ...], *, weight: Any, pos_label: Any, missing: Missing, lower_is_positive: Any, unlabelled: bool = False
) -> Roles:  # fmt: skip
    """Return what a call of the library says about columns, checked."""
    optional = ("label", "weight") if unlabelled else ("weight",)
    for name, value in (("label", label), ("weight", weight)):
        if value is not None or name not in optional:
            checks.instance(value, name, str, "the name of a column")
    checks.choice(missing, "missing", ("error", "drop"))
    turned = checks.names(lower_is_positive, "score")
    return Roles(
        label, scores, weight, None, None if pos_label is None else str(pos_label), turned, missing, unlabelled
    )


def count_files(
    paths: Paths, roles: Roles, form: TextForm, memory: str | int | None, progress: Progress | None, max_distinct: int,
    cuts: Floats | None,
) -> dict[str, CountTable]:  # fmt: skip
    """Return the counts of each column of scores; of cases between cuts, if there are any, those of the one column by one query."""
    with open_files(paths, form) as files, open_table(files, form=form, memory=memory, progress=progress) as table:
        if cuts is not None:
            [(low, _, _, high, cases)] = in_use(table, roles, cuts)[0].values()
            return {roles.scores[0]: _between(low, high, cases)}
        rows = table.rows(roles)
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
        raise InputError.of("no rows", name=source.name)
    scores = {
        name: checks.scores(np.ma.filled(found[f"s{i}"], np.nan), cases.what(f"s{i}"))
        for i, name in enumerate(cases.columns.models)
    }
    labels = np.array([False, True, None], dtype=object)[found["state"]]
    return PartLabelled(labels, scores, str(cases.columns.label), classes.positive)


def write_rows(table: OpenTable, rows: Sequence[int] | NDArray[np.intp], output: str | Path) -> None:
    """Write some rows with all their columns as CSV, in the order given."""
    source, types = table.engine, table.look.types
    wanted, place = [int(row) for row in rows], '"row of isocost"'
    found = source.rows(
        f"SELECT * FROM (SELECT row_number() OVER () - 1 AS {place}, * FROM {source.table}) "
        f"WHERE {place} IN ({', '.join(map(str, wanted)) or 'NULL'})"
    )
    kept = {row[0]: row[1:] for row in found}
    with atomically(output) as path, path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(types)
        writer.writerows(["" if value is None else value for value in kept[row]] for row in wanted)


def count_frame_between(frame: Any, score: str, weight: str | None, cuts: Floats) -> CountTable:
    """Return the cases of a frame between cuts: checked by one query, counted by another."""
    cases = FrameCases.of(frame, None, [score], weight, None)
    ends, found = cuts.tolist(), nw.col("score")
    part = summed(lambda i: either(found >= ends[i], 1), len(ends))
    chosen = cases.weighing.select(score=score_of(score), number=cases.mass).with_columns(part=part)
    query = chosen.group_by("part").agg(low=found.min(), high=found.max(), cases=nw.col("number").sum())
    got = run(cases.engine, f"counting column {score!r}", lambda: collected(query)).rows(named=True)
    columns = [[row[key] for row in sorted(got, key=lambda row: -row["part"])] for key in ("low", "high", "cases")]
    low, high, number = (np.array(column, dtype=np.float64) for column in columns)
    return _between(low + 0.0, high + 0.0, whole_numbers(number))


def _between(low: Floats, high: Floats, cases: NDArray[Any]) -> CountTable:
    return CountTable(low, high, cases, np.zeros_like(cases), np.full(low.size, CLOSED))


def in_use(
    table: OpenTable, roles: Roles, cuts: Floats, classes: tuple[Any, ...] | None = None
) -> tuple[dict[Any, tuple[NDArray[Any], ...]], int]:
    """Count the cases of files between cuts by period (the column `fold`) and class (positive and negative, else 1 and 0).

    Of each period, in order, there are the columns of score counts: lowest scores, positives, negatives, highest scores and unlabelled
    cases, from the highest scores to the lowest; parts that hold none are left out. Last, how many rows had no score.
    """
    cases = table.every(roles)
    used, name, drop = cases.columns, table.engine.name, roles.missing == "drop"
    unknown = {("missing", "label"), *({("missing", "s0")} if drop else ())}
    tests = {key: test for key, test in cases.faults().items() if key not in unknown}
    total, scored = cases.refuse(tests, "count(CASE WHEN isfinite(s0) THEN 1 END)")
    if not scored:
        raise InputError.of("nothing left", rows=total, name=name, what="a score")
    columns = {
        "period": '"fold"' if used.fold is not None else "0",
        "label": "CAST(label AS VARCHAR)" if used.label is not None else "NULL",
        "part": " + ".join(f"(s0 >= CAST({cut!r} AS DOUBLE))::INTEGER" for cut in cuts.tolist()) or "0",
        "weight": '"weight"' if used.weight is not None else "1",
    }
    rows = table.engine.rows(
        f"SELECT period, label, part, sum(weight), min(s0), max(s0) FROM (SELECT s0, "
        f"{', '.join(f'{sql} AS {name}' for name, sql in columns.items())} FROM {cases.relation} WHERE isfinite(s0)) "
        f"GROUP BY period, label, part LIMIT {_MOST_ROWS}"
    )
    if len(rows) == _MOST_ROWS:
        raise InputError.of("many periods", name=name, column=used.fold or used.label)
    found: dict[Any, dict[int, list[Any]]] = {}
    for period, label, part, mass, low, high in rows:
        cells = found.setdefault(period, {}).setdefault(int(part), [np.inf, -np.inf, 0, 0, 0])
        cells[:2] = min(cells[0], low), max(cells[1], high)
        cells[2 + _side(label, classes, f"column {used.label!r} of {name}")] += mass
    periods: dict[Any, tuple[NDArray[Any], ...]] = {}
    for period in sorted(found, key=lambda key: (isinstance(key, str), key)):
        parts = [found[period][part] for part in sorted(found[period], reverse=True)]
        low, high, *counts = (np.array(column, dtype=np.float64) for column in zip(*parts, strict=True))
        ups, downs, unlabelled = map(whole_numbers, counts)
        periods[period] = (low + 0.0, ups, downs, high + 0.0, unlabelled)
    return periods, total - scored


def _side(label: str | None, classes: tuple[Any, ...] | None, what: str) -> int:
    """Return 0 for a positive, 1 for a negative and 2 for a case without a label."""
    if label is None or label.strip().lower() == "nan":
        return 2
    value = label_typed(label)
    positive, *negatives = (1, 0, -1) if classes is None else classes
    if value == positive or value in negatives or not negatives:
        return int(value != positive)
    raise InputError.of("other label", name=what, label=value, positive=positive, negative=negatives[0])


def unlabelled_rows(
    table: OpenTable, roles: Roles, score_from: float, score_below: float, period: str | None
) -> NDArray[np.intp]:
    """Return the rows (of one period) without a label and with scores from one number to below another, in random order."""
    cases = table.every(roles, ordered=True)
    unknown = "label IS NULL OR lower(trim(CAST(label AS VARCHAR))) = 'nan'"
    label = unknown if cases.columns.label is not None else "TRUE"
    fold = 'CAST("fold" AS VARCHAR)' if period is not None else "NULL"
    found = table.engine.columns(f"SELECT s0, CAST({label} AS TINYINT) AS free, {fold} AS period FROM {cases.relation}")
    scores, free = np.ma.filled(found["s0"], np.nan), np.asarray(found["free"], dtype=np.bool_)
    inside = free & (scores >= score_from) & ((scores < score_below) | (score_below == np.inf))
    if period is not None:
        inside &= np.asarray(found["period"], dtype=object) == period
    rows: NDArray[np.intp] = np.random.default_rng(0).permutation(np.flatnonzero(inside))
    return rows

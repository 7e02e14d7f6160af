"""Rows of labels and scores in files: checked, and counted by the engine without being loaded."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isocost import validate
from isocost.engines import buckets
from isocost.engines.buckets import Totals
from isocost.engines.count_table import CountTable
from isocost.engines.duckdb import DECIMAL_COMMA, NUMERIC, POINTS, WIDE_INTEGER, Engine, identifier
from isocost.engines.streaming import KeptLabels, StreamedScores, UnconfirmedError
from isocost.errors import InputError

if TYPE_CHECKING:
    from isocost.validate import Bools, Floats

# Classes listed in a message; one more than that means "too many to be classes".
_MOST_CLASSES = 12
# Rows looked at to guess how many scores are distinct.
_LOOK = 2**20
# Of fewer rows nothing is believed: reading them is quick.
_MANY = 2**22
# Of more rows the labels are read again in every pass: kept, they would take more than 32 MiB.
_MOST_KEPT = 2**28
# Bytes that counting in memory takes for each row: score, label, key and counts.
_A_ROW = 64


@dataclass(frozen=True)
class Columns:
    """The columns that are used, and those that nothing was said about and that are not."""

    label: str
    scores: tuple[str, ...]
    weight: str | None = None
    fold: str | None = None
    left_out: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every column that is read."""
        return (self.label, *self.scores, *(c for c in (self.weight, self.fold) if c is not None))


@dataclass(frozen=True)
class Rows:
    """Labels, scores, weights and folds of the same cases."""

    y_true: Bools
    scores: dict[str, Floats]
    weight: Floats | None
    fold: Any


class Predictions:
    """Rows of labels and scores in files, checked, and counted without being loaded."""

    def __init__(
        self,
        source: Engine,
        used: Columns,
        types: Mapping[str, str],
        positive: str | None,
        memory: int,
        *,
        hasty: bool = False,
    ) -> None:
        self.source = source
        self.columns = used
        self.types = types
        self.memory = memory
        self._wanted = positive
        # Whether nothing was read yet but what the file says of itself, which counting must confirm.
        self._unconfirmed = False
        self._kept: KeptLabels | None = None
        self._open()
        if not (hasty and self._believed()):
            self._examine()

    def confirm(self) -> None:
        """Make sure that everything was read once, and not only statistics believed."""
        if self._unconfirmed:
            self._examine()

    def _examine(self) -> None:
        """Read everything once and complain about what is wrong."""
        self._unconfirmed, self._kept = False, None
        self._check()
        self._check_scores()
        self._label_classes(self._wanted)

    def _believed(self) -> bool:
        """Take rows, labels and ranges from the statistics of a large Parquet file, if they tell of 0, 1 and finite scores."""
        used, source = self.columns, self.source
        simple = used.weight is None and used.fold is None and source.files[0].format == "parquet"
        if not simple or not (
            self.types[used.label] == "BOOLEAN" or self.types[used.label].endswith(("INT", "INTEGER"))
        ):
            return False
        ends = [f"{end}({identifier(name)})" for name in (used.label, *used.scores) for end in ("min", "max")]
        # NaN is left out of statistics here; whoever counts must look for it.
        row = source.row(f"SELECT count(*), {', '.join(ends)} FROM {source.table(can_have_nan=False)}")
        total, least, most, *limits = row or (0, None, None)
        if total < _MANY or (least, most) != (0, 1) or self._wanted not in (None, "1", str(most)):
            return False
        if not all(limit is not None and math.isfinite(limit) for limit in limits):
            return False
        self.total, self.positive = int(total), most
        self._spans = [(float(low), float(high)) for low, high in zip(limits[::2], limits[1::2], strict=True)]
        self._unconfirmed = True
        return True

    def _open(self) -> None:
        used, source = self.columns, self.source
        source.require(used.all)
        parts = [f'{identifier(used.label)} AS "label"']
        parts += [f"CAST({identifier(name)} AS DOUBLE) + 0.0 AS s{i}" for i, name in enumerate(used.scores)]
        if used.weight is not None:
            parts.append(f'CAST({identifier(used.weight)} AS DOUBLE) AS "weight"')
        if used.fold is not None:
            parts.append(f'{identifier(used.fold)} AS "fold"')
        chosen = ", ".join(parts)
        if source.files[0].format in ("csv", "json"):
            # Text is parsed once, into a table that spills to disk; the types found in its first rows must not bind the rest.
            numbers = {*used.scores, used.weight}
            kinds = {name: "DOUBLE" if name in numbers else "VARCHAR" for name in self.types}
            try:
                source.query(f"CREATE TEMP TABLE predictions AS SELECT {chosen} FROM {source.table(kinds)}")
            except InputError:
                if source.files[0].format == "json":  # whose reader does not say which column it is
                    self._check_numbers([name for name in self.types if name in numbers])
                raise
            self._check_wide_integers(parsed=True)
        else:
            for name in (*used.scores, *([used.weight] if used.weight is not None else [])):
                if not NUMERIC.match(self.types[name]) and self.types[name] != "BOOLEAN":
                    raise InputError(
                        f"column {name!r} of {source.name} must hold numbers, got {self.types[name]}{self._example(name)}"
                    )
            self._check_wide_integers()
            source.query(f"CREATE TEMP VIEW predictions AS SELECT {chosen} FROM {source.table()}")

    def _example(self, name: str) -> str:
        column = identifier(name)
        found = self.source.row(f"SELECT {column} FROM {self.source.table()} WHERE {column} IS NOT NULL LIMIT 1")
        return "" if not found else f" (first value {found[0]!r})"

    def _check_numbers(self, columns: Sequence[str]) -> None:
        """Complain about the first value of some columns of text that is no number."""
        for name in columns:
            column = identifier(name)
            found = self.source.row(
                f"SELECT {column} FROM {self.source.table(dict.fromkeys(self.types, 'VARCHAR'))} "
                f"WHERE {column} IS NOT NULL AND TRY_CAST({column} AS DOUBLE) IS NULL LIMIT 1"
            )
            if found:
                raise InputError(
                    f"column {name!r} of {self.source.name} holds {found[0]!r}, which is no number; mend it"
                )

    def _check_scores(self) -> None:
        """Complain if there is no score, or about a column of numbers with some text in it, which is taken for none."""
        others = [name for name in self.columns.left_out if self.types[name] in ("VARCHAR", "JSON")]
        for name in others if self.source.files[0].format in ("csv", "json") else []:
            column = identifier(name)
            number = "TRY_CAST(value AS DOUBLE) IS NOT NULL"
            text = self.source.table(dict.fromkeys(self.types, "VARCHAR"))
            found = self.source.row(
                f"SELECT count(*) FILTER (WHERE {number}), count(*), any_value(value) FILTER (WHERE NOT ({number})) "
                f"FROM (SELECT {column} AS value FROM {text} LIMIT 20000) WHERE value IS NOT NULL"
            )
            if found and found[1] > found[0] == 0 and re.fullmatch(DECIMAL_COMMA, str(found[2])):
                raise InputError(
                    f"column {name!r} of {self.source.name} holds numbers with decimal commas, such as {found[2]!r}; {POINTS}, "
                    f"or name the columns to use with {self.source.words.score}"
                )
            if found and found[0] * 2 >= found[1] > 0:
                raise InputError(
                    f"column {name!r} of {self.source.name} holds text among its numbers: {found[1] - found[0]} of the first "
                    f"{found[1]} values, such as {found[2]!r}; mend it, or name the columns to use with {self.source.words.score}"
                )
        if not self.columns.scores:
            listed = ", ".join(f"{name!r} ({self.types[name]})" for name in self.columns.left_out) or "none"
            raise InputError(
                f"{self.source.name} has no numeric column of scores beside the label {self.columns.label!r}; other columns: {listed}"
            )

    def _check_wide_integers(self, *, parsed: bool = False) -> None:
        """Complain about integers that float64 does not tell apart; `parsed` if they were read from text as float64."""
        for i, name in enumerate(self.columns.scores):
            if not WIDE_INTEGER.match(self.types[name]):
                continue
            if parsed and not (self.source.row(f"SELECT max(abs(s{i})) FROM predictions")[0] or 0) >= 2**53:
                continue
            table = self.source.table(dict.fromkeys(self.types, "VARCHAR") if parsed else None)
            column = identifier(name)
            whole = f"TRY_CAST({column} AS HUGEINT)" if parsed else column
            # Numbers such as 1e300 are what they are.
            written = rf"regexp_full_match({column}, '\s*[+-]?\d+\s*') AND " if parsed else ""
            found = self.source.row(
                f"SELECT count(*), any_value({whole}) FROM {table} "
                f"WHERE {written}TRY_CAST(CAST({whole} AS DOUBLE) AS HUGEINT) IS DISTINCT FROM {whole}"
            )
            if found and found[0]:
                raise InputError(
                    f"column {name!r} of {self.source.name} has {found[0]} integers that do not fit float64 exactly, "
                    f"such as {found[1]}; if it is no score, name the columns to use with {self.source.words.score}"
                )

    def _check(self) -> None:
        """Count what is missing or impossible, and the labels: everything in one pass."""
        used = self.columns
        floating = self.types[used.label] in ("FLOAT", "DOUBLE") and self.source.files[0].format not in ("csv", "json")
        bad = {"label": 'label IS NULL OR NOT isfinite("label")' if floating else "label IS NULL"}
        bad |= {f"s{i}": f"s{i} IS NULL OR isnan(s{i})" for i in range(len(used.scores))}
        if used.weight is not None:
            bad["weight"] = '"weight" IS NULL OR NOT isfinite("weight") OR "weight" < 0'
        if used.fold is not None:
            bad["fold"] = '"fold" IS NULL'
        # CASE, not FILTER, which is slow beside GROUP BY.
        sums = [f"count(CASE WHEN {test} THEN 1 END)" for test in bad.values()]
        mass = "count(*)" if used.weight is None else 'sum("weight")'
        finite = [f"CASE WHEN isfinite(s{i}) THEN s{i} END" for i in range(len(used.scores))]
        ends = [f"{end}({score})" for score in finite for end in ("min", "max")]
        groups = self.source.rows(
            f"SELECT label, {', '.join(['count(*)', mass, *sums, *ends])} FROM predictions "
            f"GROUP BY label LIMIT {_MOST_CLASSES + 1}"
        )
        if not groups:
            raise InputError(f"{self.source.name} holds no rows, only column names")
        self._labels = {group[0]: (int(group[1]), group[2]) for group in groups}
        self.total = sum(rows for rows, _ in self._labels.values())
        columns = [[value for value in column if value is not None] for column in zip(*groups, strict=True)][3:]
        limits = columns[len(sums) :]
        self._spans = [
            (min(low, default=0.0), max(high, default=0.0)) for low, high in zip(limits[::2], limits[1::2], strict=True)
        ]
        names = dict(zip(bad, used.all, strict=True))
        for (short, test), counts in zip(bad.items(), columns[: len(sums)], strict=True):
            # Labels of too many kinds are not all here, and are complained about instead.
            if sum(counts) and len(groups) <= _MOST_CLASSES:
                raise InputError(self._complaint(short, names[short], test, int(sum(counts))))

    def _complaint(self, short: str, name: str, test: str, count: int) -> str:
        row = self.source.row(
            f'SELECT place, "{short}" FROM (SELECT row_number() OVER () AS place, "{short}" FROM predictions) '
            f"WHERE {test} ORDER BY place LIMIT 1"
        )
        place, value = row or ("?", None)
        where = f"{count} of {self.total} rows, the first is row {place}"
        if short == "weight" and value is not None:
            return f"column {name!r} of {self.source.name} has weights that are not finite or negative, such as {value}: {where}"
        hint = "drop or score those rows first" if short.startswith("s") else "drop those rows first"
        return f"column {name!r} of {self.source.name} has missing values (empty, null or NaN): {where}; {hint}"

    def _label_classes(self, positive: str | None) -> None:
        what = f"column {self.columns.label!r} of {self.source.name}"
        raw = {value: _parsed(value) for value in self._labels}
        classes = sorted(set(raw.values()), key=lambda value: (isinstance(value, str), value))
        wanted: Any = None
        if positive is not None:
            wanted = next((c for c in classes if str(c) == positive or c == _parsed(positive)), positive)
        if len(classes) > 2:
            many = f"more than {_MOST_CLASSES}" if len(raw) > _MOST_CLASSES else str(len(classes))
            listed = ", ".join(map(repr, classes[:6])) + (", …" if len(classes) > 6 else "")
            raise InputError(f"{what} holds {many} classes ({listed}): isocost needs two; is it the label?")
        if len(classes) < 2:
            raise InputError(
                f"{what} holds only one class, {classes[0]!r}: at least one positive and one negative are needed"
            )
        self.positive = validate.positive_class(classes, wanted, what, option=self.source.words.positive.rstrip("="))
        self.positive_labels = [value for value, parsed in raw.items() if parsed == self.positive]
        self.positives = sum(self._labels[value][0] for value in self.positive_labels)
        for name, mass in zip(("positive", "negative"), self._mass(), strict=True):
            if not mass > 0:
                raise InputError(
                    f"column {self.columns.weight!r} of {self.source.name}: the weights of the {name} class sum to 0: "
                    "nothing is left of it"
                )

    @property
    def _is_positive(self) -> str:
        return f"label IN ({', '.join('?' for _ in self.positive_labels)})"

    def counts(self, name: str, *, max_distinct: int, exact: bool, tolerance: float | None) -> CountTable:
        """Return the counts of a model: listed if its scores are few or repeat themselves, else in buckets."""
        what = f"column {name!r} of {self.source.name}"
        i = self.columns.scores.index(name)
        limit = min(max_distinct, self.memory // _A_ROW)
        few = self.total <= limit or self._distinct(i, limit) <= limit
        if few and self._unconfirmed:
            self._examine()
        if self.total <= limit:
            return self._stream(i).each(None)
        if few:
            found = self._grouped(i)
            buckets.conserved(found, *self._mass(), what)
            return found

        def counted() -> CountTable:
            mass = (None, None) if self._unconfirmed else self._mass()
            totals = Totals(self.total, mass[0], mass[1], *self._spans[i])
            stream = self._stream(i)
            # Half the rows that an engine may send, as the process that reads the file holds them as well.
            most = buckets.MOST_ROWS // 2
            return buckets.count(
                stream, totals, what, exact=exact, tolerance=tolerance, grid=stream.grid, most_rows=most
            )

        try:
            return counted()
        except UnconfirmedError:
            self._examine()
            return counted()

    def _stream(self, i: int) -> StreamedScores:
        if self._unconfirmed:
            name, label = identifier(self.columns.scores[i]), identifier(self.columns.label)
            columns = {"score": f"CAST({name} AS DOUBLE)", "up": f"TRY_CAST({label} AS TINYINT)"}
            table, given = self.source.table(), []
        else:
            columns = {"score": f"s{i}", "up": f"CAST({self._is_positive} AS TINYINT)"}
            table, given = "predictions", self.positive_labels
        if self.columns.weight is not None:
            columns["weight"] = '"weight"'
            table += ' WHERE "weight" > 0'
        # Rows of Arrow files come in no certain order.
        if self._kept is None and self.total <= _MOST_KEPT and self.source.files[0].format != "arrow":
            self._kept = KeptLabels(self.total)
        return StreamedScores(
            self.source, columns, table, given, self.total, self._spans[i], self._kept, confirm=self._unconfirmed
        )

    def _mass(self) -> tuple[float, float]:
        """Return the cases of each class, or their weight."""
        ups = [mass for label, (_, mass) in self._labels.items() if label in self.positive_labels]
        downs = [mass for label, (_, mass) in self._labels.items() if label not in self.positive_labels]
        return sum(ups), sum(downs)

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
        given = self.positive_labels
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
        return int(self.total * (8 * len(self.columns.scores) + 16))

    def rows(self, purpose: str) -> Rows:
        """Load the cases."""
        needed = self.size
        if needed > self.memory:
            raise InputError(
                f"{purpose} needs the cases in memory, and the {self.total:,} rows of {self.source.name} take "
                f"{needed / 1e9:.1f} GB, more than {self.source.words.memory} allows; raise it, or do without"
            )
        parts = [f"{self._is_positive} AS positive", *(f"s{i}" for i in range(len(self.columns.scores)))]
        parts += ['"weight"'] if self.columns.weight is not None else []
        parts += ['"fold"'] if self.columns.fold is not None else []
        table = self.source.columns(f"SELECT {', '.join(parts)} FROM predictions", self.positive_labels)
        return Rows(
            table["positive"],
            {name: table[f"s{i}"] for i, name in enumerate(self.columns.scores)},
            table.get("weight"),
            table.get("fold"),
        )

    def facts(self) -> dict[str, Any]:
        """Return what the JSON form says about the rows."""
        used = self.columns
        return {
            "kind": "predictions", "rows": self.total, "label": used.label, "positive": self.positive,
            "weight": used.weight, "fold": used.fold,
            "positives": self.positives, "negatives": self.total - self.positives,
        }  # fmt: skip

    def introduction(self) -> str:
        """Say what was read, so that a wrong guess is seen."""
        used = self.columns
        text = (
            f"{self.source.name}: {self.total:,} rows, {self.positives:,} with {used.label} = {self.positive}; "
            f"{'model' if len(used.scores) == 1 else 'models'}: {', '.join(used.scores)}"
        )
        return text + (f" (left out: {', '.join(used.left_out)})" if used.left_out else "")


def _parsed(value: Any) -> Any:
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

"""Rows of labels and scores in files: counted by the engine without being loaded."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from isocost.engines import buckets
from isocost.engines.buckets import Totals
from isocost.engines.columns import PERCENT, Columns, Look, Roles
from isocost.engines.count_table import CountTable
from isocost.engines.duckdb import Engine, identifier, literal
from isocost.engines.file_checks import FileChecks, label_typed, masses
from isocost.engines.streaming import KeptLabels, StreamedScores, UnconfirmedError
from isocost.engines.words import listed
from isocost.errors import InputError

if TYPE_CHECKING:
    from isocost.validate import Bools, Floats

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
            buckets.conserved(found, *self._mass(), what)
            return found

        def counted() -> CountTable:
            mass = (None, None) if self._unconfirmed else self._mass()
            totals = Totals(self.cases, mass[0], mass[1], *self._spans[i])
            stream = self._stream(i)
            # Half the rows that an engine may send, as the process that reads the file holds them as well.
            most = buckets.MOST_ROWS // 2
            return buckets.count(stream, totals, what, grid=stream.grid, most_rows=most)

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

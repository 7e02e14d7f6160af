"""Measures of several models, with ranks: one row per model, one column per registered measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isocost.conditions import Conditions
from isocost.curves import RocCurve
from isocost.curves.cost import METHODS
from isocost.data import checks
from isocost.measures.registry import measure_named, registered_measures
from isocost.results import Columns, Result, html_table, paragraphs

Value = float | None


@dataclass(frozen=True)
class Row(Result):
    """The measures of one model.

    Attributes
    ----------
    name : str
    values : dict of str to float or None
        By measure; None if the model cannot have it (see `MeasureTable.missing`).
    ranks : dict of str to int or None
        1 is best; models that are equal share a rank.
    """

    name: str
    values: dict[str, Value]
    ranks: dict[str, int | None]

    def __getitem__(self, measure: str) -> Value:
        """Return one measure."""
        return self.values[checks.choice(measure, "measure", tuple(self.values))]


@dataclass(frozen=True, repr=False)
class MeasureTable(Result):
    """Measures of several models: a sequence of rows, a text, an HTML table, a dict or a dataframe.

    Attributes
    ----------
    rows : tuple of Row
    measures : tuple of str
        The measures, or the ways of choosing thresholds whose mean normalised costs are listed.
    condition : str
        The conditions, in words, for the measures that depend on them.
    missing : dict of str to str
        Measures that some model cannot have, and why.

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 0, 1, 0]
    >>> comparison = ic.Comparison.from_scores(y, {"a": [5, 4, 3, 2, 1], "b": [5, 3, 4, 2, 1]})
    >>> table = comparison.table(measures=["auc", "mean_normalised_cost"])
    >>> table
                          a        b
    auc ↑            0.8333*  0.6667
    mean_normalised_cost ↓  0.1000*  0.1429
    uniform: t in 0–1
    >>> table["a"]["auc"], table["b"].ranks["auc"]
    (0.8333333333333334, 2)
    """

    rows: tuple[Row, ...]
    measures: tuple[str, ...]
    condition: str
    missing: dict[str, str]

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        """Go through the rows."""
        return iter(self.rows)

    def __getitem__(self, which: int | str) -> Row:
        """Return a row by place or by the model's name."""
        names = [row.name for row in self.rows]
        return self.rows[names.index(checks.choice(which, "model", names)) if isinstance(which, str) else which]

    def best(self, measure: str) -> tuple[str, ...]:
        """Return the models that are best by a measure: one, several if equal, none if no model can have it."""
        return tuple(row.name for row in self.rows if row[measure] is not None and row.ranks[measure] == 1)

    def _columns(self) -> Columns:
        names = {"model": [row.name for row in self.rows]}
        return names | {m: [row[m] for row in self.rows] for m in self.measures}

    def _lines(self) -> list[list[str]]:
        """Return a line per measure that some model has: which way is better, and a star at the best."""
        found = []
        for name in self.measures:
            cells = [
                "–" if row[name] is None else f"{row[name]:.4f}{'*' if row.ranks[name] == 1 else ' '}"
                for row in self.rows
            ]
            if any(row[name] is not None for row in self.rows):
                found.append([f"{name} {'↓' if _lower(name) else '↑'}", *(cell.ljust(2) for cell in cells)])
        return found

    def __repr__(self) -> str:
        """Return the table as text, one line per measure; ↑ means that higher is better, and the best are starred."""
        cells = [["", *(f"{row.name} " for row in self.rows)], *self._lines()]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join([n.ljust(widths[0]), *map(str.rjust, line, widths[1:])]).rstrip() for n, *line in cells]
        reasons: dict[str, list[str]] = {}
        for name in self.measures:
            if all(row[name] is None for row in self.rows):
                reasons.setdefault(self.missing[name].removeprefix(f"{self.rows[0].name}: "), []).append(name)
        return "\n".join([*lines, self.condition, *(f"without {', '.join(n)}: {why}" for why, n in reasons.items())])

    def _repr_html_(self) -> str:
        lines = [[cell.rstrip() for cell in line] for line in self._lines()]
        missing = [f"without {name}: {why}" for name, why in self.missing.items()]
        text = "\n".join([f"{self.condition}; ↑ higher is better, ↓ lower is better, * the best", *missing])
        return html_table(["measure", *(row.name for row in self.rows)], lines) + paragraphs(text)


def table(
    curves: Sequence[RocCurve], condition: Conditions, measures: Sequence[str] | None, options: Mapping[str, Any]
) -> MeasureTable:
    """Return the measures of every model, all registered ones unless some are named; with options, those that take them."""
    chosen = list(registered_measures().values())
    if measures is not None:
        chosen = [measure_named(name) for name in checks.names(measures, "measure")]
    checks.columns(options, sorted({option for m in chosen for option in m.options}), "option of these measures")
    if options:
        chosen = [measure for measure in chosen if measure.taken(options)]
    columns: dict[str, list[Value]] = {}
    missing: dict[str, str] = {}
    for measure in chosen:
        own = measure.taken(options)
        said = None if own.get("prevalence") is not None else condition
        columns[measure.name] = []
        for curve in curves:
            reason = measure.unavailable(curve, said)
            columns[measure.name].append(measure(curve, condition=condition, **own) if reason is None else None)
            if reason is not None:
                missing.setdefault(measure.name, f"{curve.name}: {reason}")
    return tabled([str(curve.name) for curve in curves], columns, str(condition), missing)


def tabled(
    names: Sequence[str], columns: Mapping[str, Sequence[Value]], condition: str, missing: dict[str, str]
) -> MeasureTable:
    """Return a table of measures, or of the costs under ways of choosing thresholds; a rank is one more than how many are better."""
    ranks = {}
    for name, column in columns.items():
        order = sorted((v for v in column if v is not None), reverse=not _lower(name))
        ranks[name] = [None if v is None else 1 + order.index(v) for v in column]
    rows = tuple(
        Row(name, {m: column[i] for m, column in columns.items()}, {m: r[i] for m, r in ranks.items()})
        for i, name in enumerate(names)
    )
    return MeasureTable(rows, tuple(columns), condition, missing)


def _lower(name: str) -> bool:
    """Whether lower is better, as it is for costs under ways of choosing thresholds."""
    return name in METHODS or not measure_named(name).higher_is_better

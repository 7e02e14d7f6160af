"""Measures of several models, with ranks: one row per model, one column per registered measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from isocost.conditions import Conditions
from isocost.curves import RocCurve
from isocost.curves.cost import METHODS
from isocost.data import checks
from isocost.measures.registry import Measure, measure_named, registered_measures
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
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, which: int | str) -> Row:
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

    def value(measure: Measure, curve: RocCurve) -> float | str:
        own = measure.taken(options)
        reason = measure.unavailable(curve, None if own.get("prevalence") is not None else condition)
        return measure(curve, condition=condition, **own) if reason is None else reason

    return tabled(curves, {measure.name: partial(value, measure) for measure in chosen}, str(condition))


def tabled(
    curves: Sequence[RocCurve], columns: Mapping[str, Callable[[RocCurve], float | str]], condition: str
) -> MeasureTable:
    """Return a table of measures, or of the costs under ways of choosing thresholds; text is why a curve has no value.

    A rank is one more than how many are better.
    """
    rows = [Row(str(curve.name), {}, {}) for curve in curves]
    missing: dict[str, str] = {}
    for name, of in columns.items():
        for row, curve in zip(rows, curves, strict=True):
            found = of(curve)
            row.values[name] = None if isinstance(found, str) else found
            if isinstance(found, str):
                missing.setdefault(name, f"{row.name}: {found}")
        order = sorted((v for row in rows if (v := row[name]) is not None), reverse=not _lower(name))
        for row in rows:
            row.ranks[name] = None if (v := row[name]) is None else 1 + order.index(v)
    return MeasureTable(tuple(rows), tuple(columns), condition, missing)


def _lower(name: str) -> bool:
    """Whether lower is better, as it is for costs under ways of choosing thresholds."""
    return name in METHODS or not measure_named(name).higher_is_better

"""The columns of any dataframe or relation, checked by one query before anything is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isocost import validate
from isocost.engines.any_frame import (
    EXACT,
    collected,
    narwhals,
    opened,
    require_columns,
    require_numbers,
    too_large,
    wide,
)
from isocost.engines.failures import run
from isocost.errors import EngineError, InputError

_SHOWN = 12


@dataclass(frozen=True)
class FrameCases:
    """A frame with columns of labels and scores, checked by one query.

    Attributes
    ----------
    frame : narwhals.DataFrame or narwhals.LazyFrame
    engine : str
        What computes it, for messages.
    positive : narwhals.Expr
        Whether a row is positive.
    rows : int
    positives, negatives : float
        Cases, or their weight.
    spans : dict of str to (float, float)
        The lowest and highest finite score of each column.
    """

    frame: Any
    engine: str
    positive: Any
    weight: str | None
    rows: int
    positives: float
    negatives: float
    spans: dict[str, tuple[float, float]]

    @classmethod
    def of(cls, frame: Any, label: str | None, scores: Sequence[str], weight: str | None, pos_label: Any) -> FrameCases:
        """Check the columns: types by the schema, values by one query of one row. Without labels all are counted as positive."""
        nw = narwhals()
        table, engine = opened(frame)
        others, unlabelled = [*scores, *([] if weight is None else [weight])], label is None
        if label is None:
            require_columns(table, others, engine)
            label, pos_label = f"no label beside {', '.join(others)}", None
            table = table.with_columns(nw.lit(True, nw.Boolean).alias(label))
        names = [label, *others]
        schema = require_columns(table, names, engine)
        if table.implementation.is_pandas() and any(schema[name] == nw.Object for name in names):
            # Columns without a type hold what they hold: 0 and 1 are labels as anywhere else.
            table = nw.from_native(table.to_native()[list(dict.fromkeys(names))].infer_objects())
            schema = table.collect_schema()
        of_pandas = table.implementation.is_pandas() or table.implementation.is_dask()
        if of_pandas and _are_words(table.to_native().dtypes[label]):
            # Before pandas 3 words are objects, which have no order beside missing ones.
            table = nw.from_native(table.to_native()[list(dict.fromkeys(names))].astype({label: "string"}))
            schema = table.collect_schema()
        require_numbers(schema, others, engine)
        wanted = _wanted(nw, schema[label], pos_label)
        if wanted is None:
            raise InputError(_which(table, engine, label, pos_label))
        numbers = {n: schema[n] for n in others}
        decimals = [name for name, kind in numbers.items() if kind == nw.Decimal]
        if decimals and isinstance(table, nw.DataFrame) and not table.implementation.is_polars():
            # As floats of pyarrow, decimals would not all be the nearest: 0.3 is not 0.30000000000000004.
            table = table.with_columns(nw.col(*decimals).cast(nw.String).cast(nw.Float64))
        check = _Check(nw, label, schema[label], wanted, weight, numbers, pos_label is not None, unlabelled)
        checking = f"checking the columns {', '.join(map(repr, names))}"
        queries = check.queries()
        # Dask cannot put in order the words of parts some of which have none.
        words = table.implementation.is_dask() and check.of_words
        if words:
            del queries["least other"], queries["most other"]
        try:
            row = _row(run(engine, checking, lambda: collected(table.select(**queries))))
        except EngineError as error:
            if schema[label] != nw.Unknown:
                raise
            raise InputError(
                f"column {label!r} of the {engine} has a type that it does not compare: make it text, whole numbers or booleans"
            ) from error
        if words and not row[f"missing {label}"]:
            others = [kind for kind in _classes(table, engine, label) if kind != wanted] or [wanted]
            row |= {"least other": min(others), "most other": max(others)}
        check.raise_for(row, engine, lambda: _which(table, engine, label, pos_label))
        spans = {name: (row[f"low {name}"], row[f"high {name}"]) for name in scores}
        return cls(table, engine, check.positive, weight, int(row["rows"]), row["up"], row["down"],
                   {name: (0.0, 0.0) if low is None else (float(low), float(high)) for name, (low, high) in spans.items()})  # fmt: skip

    @property
    def weighing(self) -> Any:
        """The rows that have a weight above 0, and all where there are none."""
        nw = narwhals()
        if self.weight is None:
            return self.frame
        return self.frame.filter(nw.col(self.weight).cast(nw.Float64) > nw.lit(0.0, nw.Float64))


def _are_words(dtype: Any) -> bool:
    """Tell whether a type of pandas is that of words, or of categories which are words, and keeps them as objects."""
    return str(dtype) == "object" or (
        hasattr(dtype, "categories") and str(getattr(dtype.categories, "dtype", "")) == "object"
    )


@dataclass(frozen=True)
class _Check:
    """The one preliminary query, and what its row means."""

    nw: Any
    label: str
    kind: Any
    wanted: Any
    weight: str | None
    numbers: dict[str, Any]
    said: bool
    unlabelled: bool

    @property
    def _types(self) -> dict[str, Any]:
        return {self.label: self.kind} | self.numbers

    @property
    def of_words(self) -> bool:
        """Whether labels are text, perhaps as categories."""
        return self.kind in (self.nw.String, self.nw.Categorical, self.nw.Enum)

    @property
    def positive(self) -> Any:
        return self.nw.col(self.label) == self.nw.lit(self.wanted)

    def _missing(self, name: str) -> Any:
        column = self.nw.col(name)
        if not self._types[name].is_float():
            return column.is_null()
        # Not all engines compute with halves.
        column = column.cast(self.nw.Float64)
        # Not finite and not infinite: understood by every engine, and not folded away by statistics that leave NaN out.
        return column.is_null() | (~column.is_finite() & (column.abs() != float("inf")))

    def queries(self) -> dict[str, Any]:
        """Return the aggregates, by name."""
        nw = self.nw
        number = nw.col(self.weight).cast(nw.Float64) if self.weight is not None else nw.lit(1, nw.Int64)
        nothing = nw.lit(0.0 if self.weight is not None else 0, nw.Float64 if self.weight is not None else nw.Int64)
        label = nw.col(self.label)
        # Categories have no order in some engines; text has one.
        categories = self.kind in (nw.Categorical, nw.Enum)
        other = nw.when(~self.positive).then(label.cast(nw.String) if categories else label)
        found = {
            "rows": nw.len(),
            "up": nw.when(self.positive).then(number).otherwise(nothing).sum(),
            "down": nw.when(~self.positive).then(number).otherwise(nothing).sum(),
            "is positive": nw.when(self.positive).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64)).sum(),
        }
        # Of two truth values it is clear which is the other.
        if self.kind != nw.Boolean:
            found |= {"least other": other.min(), "most other": other.max()}
        for name in self._types:
            found[f"missing {name}"] = self._count(self._missing(name))
        for name, kind in self.numbers.items():
            # Wide integers are not cast before it is known that they can be.
            column = nw.col(name) if wide(kind) else nw.col(name).cast(nw.Float64)
            # Nor compared where they cannot: older pyarrow frames hand back no whole number of 2**63 or more.
            held = ~too_large(column, kind) if wide(kind) else column.is_finite()
            finite = nw.when(held).then(column)
            found |= {f"low {name}": finite.min(), f"high {name}": finite.max()}
            if wide(kind):
                found[f"large {name}"] = self._count(too_large(column, kind))
            elif kind == nw.Decimal:
                found[f"large {name}"] = self._count((column >= EXACT) | (column <= -EXACT))
            elif kind.is_float():
                found[f"infinite {name}"] = self._count(column.abs() == float("inf"))
        if self.weight is not None:
            column = nw.col(self.weight).cast(nw.Float64)
            found["bad weight"] = self._count((column < 0) | ~column.is_finite())
        return found

    def _count(self, condition: Any) -> Any:
        nw = self.nw
        return nw.when(condition).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64)).sum()

    def raise_for(self, row: dict[str, Any], engine: str, which: Callable[[], str]) -> None:
        """Say what is wrong with the columns, if anything."""
        rows = int(row["rows"])
        if rows == 0:
            raise InputError(f"the {engine} is empty: at least one positive and one negative are needed")
        for name in self._types:
            if row[f"missing {name}"]:
                what = "labels" if name == self.label else "values"
                raise InputError(
                    f"column {name!r} of the {engine} has missing {what} (NaN or null): "
                    f"{int(row[f'missing {name}'])} of {rows} rows; drop those rows first"
                )
            if row.get(f"infinite {name}") and name != self.weight:
                what = f"column {name!r} of the {engine}"
                raise InputError(validate.infinite(what, int(row[f"infinite {name}"]), rows, None))
            if row.get(f"large {name}"):
                raise InputError(
                    f"column {name!r} of the {engine} has integers that do not fit float64 exactly: "
                    f"{int(row[f'large {name}'])} of {rows} rows; rank or rescale the scores first"
                )
        if row.get("bad weight"):
            raise InputError(
                f"column {self.weight!r} of the {engine} must hold weights that are finite and not negative: "
                f"{int(row['bad weight'])} of {rows} rows are not"
            )
        if self.unlabelled:
            return
        positives = int(row["is positive"])
        other = row.get("least other", not self.wanted)
        if positives in (0, rows) or other != row.get("most other", other) or not self._obvious(other):
            raise InputError(which())
        for label, total in (("positive", row["up"]), ("negative", row["down"])):
            if not total > 0:
                raise InputError(
                    f"column {self.weight!r}: the weights of the {label} class sum to 0: nothing is left of it"
                )

    def _obvious(self, other: Any) -> bool:
        """Return whether the other class goes with the positive one, where that was not said."""
        return self.said or other in (0, -1) or not isinstance(other, int | float)


def _wanted(nw: Any, kind: Any, pos_label: Any) -> Any:
    """Return the label to detect as a column of this type holds it; None if that is not obvious, or if it cannot."""
    number = kind.is_numeric()
    if pos_label is None:
        return True if kind == nw.Boolean else 1 if number else None
    value = pos_label.item() if isinstance(pos_label, np.generic) else pos_label
    if kind == nw.Boolean:
        return bool(value) if value in (0, 1) else None
    if number:
        return int(value) if isinstance(value, bool) else None if isinstance(value, str) else value
    return None if kind == nw.String and not isinstance(value, str) else value


def _which(table: Any, engine: str, label: str, pos_label: Any) -> str:
    """Return what is wrong with the labels, having looked at them."""
    rows = _classes(table, engine, label)
    found = sorted(rows, key=lambda v: (isinstance(v, str), v is not None, v))
    listed = ", ".join(map(repr, found[:_SHOWN])) + (", …" if len(found) > _SHOWN else "")
    what = f"column {label!r} of the {engine}"
    if len(found) > 2:
        many = f"more than {_SHOWN}" if len(found) > _SHOWN else str(len(found))
        return f"{what} holds {many} classes ({listed}): isocost needs two; compare one class with the rest"
    if len(found) < 2:
        return (
            f"{what} holds only one class (classes found: {listed}): at least one positive and one negative are needed"
        )
    if pos_label is not None:
        return f"pos_label {pos_label!r} is not among the classes of {what}: {listed}"
    return validate.which_positive(what, found, [rows[kind] for kind in found])


def _classes(table: Any, engine: str, label: str) -> dict[Any, int]:
    """Return the cases of each of the first few labels."""
    nw = narwhals()
    listing = f"listing the labels of column {label!r}"
    found = run(engine, listing, lambda: collected(table.group_by(label).agg(rows=nw.len()).head(_SHOWN + 1)))
    return dict(zip(found[label].to_list(), map(int, found["rows"].to_list()), strict=True))


def _row(frame: Any) -> dict[str, Any]:
    """Return the only row, as plain numbers."""
    return {name: _plain(frame[name].to_list()[0]) for name in frame.columns}


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if type(value).__name__ == "NAType":
        return None
    # Sums of some engines are decimals.
    return int(value) if type(value).__name__ == "Decimal" and value == int(value) else value

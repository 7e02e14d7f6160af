"""What each label costs for each true class, with entries that may be uncertain."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from isocost import validate
from isocost.conditions.quantities import Believed, Even, Known, Quantity
from isocost.errors import ConditionError, UnknownNameError
from isocost.results.result import Result
from isocost.validate import Floats

REFER = "refer"
Number = Any  # (true class, label), or "refer"


@dataclass(frozen=True, repr=False)
class CostMatrix(Result):
    r"""What each label costs for each true class: numbers, ranges or beliefs, and what it costs to refer a case to a person.

    Parameters
    ----------
    costs : k rows of k entries
        Row: true class, column: label given. A number, a pair (low, high) meaning uniform, or a frozen `scipy.stats` distribution.
    classes : sequence of k labels, optional
        Of rows and columns; by default those of the comparison, in its order.
    refer : number, pair or distribution, optional
        What it costs when a person looks at a case, whatever its class: one more column.

    Attributes
    ----------
    costs, classes, refer
        As given.
    uncertain : tuple
        The uncertain entries: (true class, label), or "refer".

    Raises
    ------
    ConditionError
        If the matrix is not square, if an entry is not finite or has no mean, or if a wrong label may cost less than the right one.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.CostMatrix([[0, 1], [(5, 20), 0]], classes=["well", "ill"], refer=0.4)
    <CostMatrix of 2 classes with a person to refer to: labelling 'ill' as 'well' costs 5 to 20>
    """

    costs: Any
    classes: Any = field(default=None, kw_only=True)
    refer: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check every entry."""
        try:
            rows = tuple(tuple(row) for row in self.costs)
        except TypeError:
            raise ConditionError(f"costs must be rows of entries, got {repr(self.costs)[:80]}") from None
        k = len(rows)
        if k < 2 or any(len(row) != k for row in rows):
            raise ConditionError(
                f"costs must have as many rows as columns, two or more; got {k} rows of {validate.listed(len(r) for r in rows)}"
            )
        classes = None if self.classes is None else different(self.classes)
        if classes is not None and len(classes) != k:
            raise ConditionError(f"costs has {k} rows, classes has {len(classes)} labels: give one for each")
        if self.refer is not None and classes is not None and REFER in classes:
            raise ConditionError(f"a class is called {REFER!r}, the name of handing a case to a person: rename it")
        for name, value in (("costs", rows), ("classes", classes)):
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        entries = self._entries
        for i, row in enumerate(entries):
            for j, entry in enumerate(row[: len(self.costs)]):
                if entry.low < row[i].high and i != j:
                    raise ConditionError(
                        f"{self._named(i, j)} may cost {entry.low:g}, less than the right label ({row[i].high:g}); "
                        "an error that is cheaper than the right answer is not an error"
                    )
        if all(entry == row[0] for row in entries for entry in row[: len(self.costs)]):
            raise ConditionError("every label costs the same for every class: there is nothing to decide")

    def _named(self, i: int, j: int) -> str:
        return in_words(self._number(i, j))

    def _number(self, i: int, j: int) -> Number:
        names = range(len(self.costs)) if self.classes is None else self.classes
        return REFER if j == len(self.costs) else (names[i], names[j])

    @cached_property
    def _entries(self) -> tuple[tuple[Quantity, ...], ...]:
        """Every entry as a quantity; referring is the last column."""
        last = () if self.refer is None else (_quantity(self.refer, "the cost of referring a case"),)
        return tuple(
            (*(_quantity(value, f"the cost of {self._named(i, j)}") for j, value in enumerate(row)), *last)
            for i, row in enumerate(self.costs)
        )

    @cached_property
    def means(self) -> Floats:
        """The mean of every entry, shape (k, k), or (k, k + 1) with referring as the last column."""
        return np.array([[entry.mean for entry in row] for row in self._entries])

    @property
    def uncertain(self) -> tuple[Number, ...]:
        """The uncertain entries, row by row: (true class, label), then "refer"."""
        k = len(self.costs)
        cells = [(i, j) for i in range(k) for j in range(k)] + ([] if self.refer is None else [(0, k)])
        return tuple(self._number(i, j) for i, j in cells if self._entries[i][j].low < self._entries[i][j].high)

    def place(self, number: Number) -> tuple[int, int]:
        """Return row and column of a number; the first row of "refer"."""
        k = len(self.costs)
        cells = {self._number(i, j): (i, j) for i in range(k) for j in range(k)}
        if self.refer is not None:
            cells[REFER] = (0, k)
        try:
            return cells[tuple(number) if isinstance(number, list) else number]
        except (KeyError, TypeError):
            raise UnknownNameError(
                "number of the cost matrix, (true class, label) or 'refer',", number, cells
            ) from None

    def entry(self, number: Number) -> Quantity:
        """Return an entry, with its `low`, `high` and `mean`."""
        i, j = self.place(number)
        return self._entries[i][j]

    def between(self, number: Number, between: Any) -> CostMatrix:
        """Return the matrix with another range of one number."""
        low, high = validate.interval(between, "between", low=-math.inf, high=math.inf)
        if not low < high or math.isinf(high - low):
            raise ConditionError(f"between must be a pair (low, high) of finite numbers, low < high; got {between!r}")
        i, j = self.place(number)
        if number == REFER:
            return replace(self, refer=(low, high))
        rows = [list(row) for row in self.costs]
        rows[i][j] = (low, high)
        return replace(self, costs=rows)

    def ordered(self, classes: tuple[Any, ...]) -> CostMatrix:
        """Return the matrix in the order of a comparison's classes."""
        if self.classes is None:
            if len(self.costs) != len(classes):
                raise ConditionError(
                    f"the cost matrix has {len(self.costs)} rows, the comparison {len(classes)} classes"
                )
            return replace(self, classes=classes)
        if set(self.classes) != set(classes):
            raise ConditionError(
                f"the classes of the cost matrix ({validate.listed(self.classes)}) and of the comparison "
                f"({validate.listed(classes)}) differ"
            )
        at = [self.classes.index(label) for label in classes]
        return replace(self, costs=[[self.costs[i][j] for j in at] for i in at], classes=classes)

    def _data(self) -> dict[str, Any]:
        def told(entry: Quantity) -> dict[str, Any]:
            ends = {"low": entry.low, "high": entry.high, "mean": entry.mean}
            return ends | {"certain": entry.low == entry.high}

        k = len(self.costs)
        return {
            "classes": self.classes,
            "costs": [[told(entry) for entry in row[:k]] for row in self._entries],
            "refer": None if self.refer is None else told(self._entries[0][k]),
        }

    def __repr__(self) -> str:
        """Name the uncertain entries with their ranges."""
        found = []
        for number in self.uncertain:
            i, j = self.place(number)
            found.append(f"{in_words(number)} costs {self._entries[i][j].low:.4g} to {self._entries[i][j].high:.4g}")
        person = "" if self.refer is None else " with a person to refer to"
        return f"<CostMatrix of {len(self.costs)} classes{person}: {', '.join(found) or 'all entries certain'}>"


def in_words(number: Number) -> str:
    """Return an entry of the matrix in words."""
    return "referring a case" if number == REFER else f"labelling {number[0]!r} as {number[1]!r}"


def _quantity(value: Any, name: str) -> Quantity:
    """Return a number, a range or a belief as a quantity with finite ends and mean."""
    if hasattr(value, "rvs"):
        if not all(hasattr(value, needed) for needed in ("mean", "support", "ppf")):
            raise ConditionError(
                f"{name} must be a frozen scipy.stats distribution such as stats.gamma(2), got {value!r}"
            )
        found: Quantity = Believed(value)
        if not math.isfinite(found.mean):
            raise ConditionError(f"{name}: this belief has no mean; use one that has, or a range")
        return found
    if np.ndim(value):
        low, high = validate.interval(value, name, low=-math.inf, high=math.inf)
        found = Known(low) if low == high else Even(low, high)
    else:
        found = Known(validate.number(value, name, error=ConditionError))
    if math.isinf(found.low) or math.isinf(found.high):
        raise ConditionError(f"{name} must be finite, got {value!r}")
    return found


def different(classes: Any) -> tuple[Any, ...]:
    """Return classes as a tuple, each of them once."""
    found = tuple(np.asarray(classes).tolist() if isinstance(classes, np.ndarray) else classes)
    if len(set(found)) < len(found):
        raise ConditionError(f"classes must be different labels, got {validate.listed(found)}")
    return found

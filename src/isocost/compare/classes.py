"""Several classes: a cost matrix with uncertain entries, which model should label the cases, and two-class views of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.compare.comparison import Comparison, Over
from isocost.compare.winners import Winners
from isocost.conditions import Believed, Condition, Conditions, Even, Quantity
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.decision import TOO_FEW, Decision, Grade, Labels
from isocost.decide.say import say
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.inference.confidence import CLEAR, FEW, JUDGES, LEANING, Four, ends, minus, more_labels
from isocost.inference.delong import DeLong, of_pairs
from isocost.measures.registry import measure_named
from isocost.numbers import ROUNDING, counted
from isocost.results import Columns, Drawn, Result, html_table, names_and_values, paragraphs, plain, stacked

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
                f"costs must have as many rows as columns, two or more; got {k} rows of {checks.listed(len(r) for r in rows)}"
            )
        classes = None if self.classes is None else _different(self.classes)
        if classes is not None and len(classes) != k:
            raise ConditionError(f"costs has {k} rows, classes has {len(classes)} labels: give one for each")
        if self.refer is not None and classes is not None and REFER in classes:
            raise ConditionError(f"a class is called {REFER!r}, the name of handing a case to a person: rename it")
        for name, value in (("costs", rows), ("classes", classes)):
            object.__setattr__(self, name, value)
        wrong = {number: entry for number, entry in self.entries.items() if number != REFER}
        for number, entry in wrong.items():
            right = self.entries[number[0], number[0]]
            if number[0] != number[1] and entry.low < right.high:
                raise ConditionError(
                    f"{in_words(number)} may cost {entry.low:g}, less than the right label ({right.high:g}); "
                    "an error that is cheaper than the right answer is not an error"
                )
        if all(entry == self.entries[number[0], number[0]] for number, entry in wrong.items()):
            raise ConditionError("every label costs the same for every class: there is nothing to decide")

    @cached_property
    def entries(self) -> dict[Number, Quantity]:
        """Every entry with its `low`, `high` and `mean`: by (true class, label) row by row, then "refer"."""
        names = range(len(self.costs)) if self.classes is None else self.classes
        given: dict[Number, Any] = {
            (true, label): value
            for true, row in zip(names, self.costs, strict=True)
            for label, value in zip(names, row, strict=True)
        }
        given |= {} if self.refer is None else {REFER: self.refer}
        return {number: _quantity(value, f"the cost of {in_words(number)}") for number, value in given.items()}

    @cached_property
    def means(self) -> Floats:
        """The mean of every entry, shape (k, k), or (k, k + 1) with referring as the last column."""
        k, means = len(self.costs), [entry.mean for entry in self.entries.values()]
        table = np.reshape(means[: k * k], (k, k))
        return table if self.refer is None else np.column_stack([table, np.full(k, means[-1])])

    @property
    def uncertain(self) -> tuple[Number, ...]:
        """The uncertain entries, row by row: (true class, label), then "refer"."""
        return tuple(number for number, entry in self.entries.items() if entry.low < entry.high)

    def place(self, number: Number) -> tuple[int, int]:
        """Return row and column of a number; the first row of "refer"."""
        wanted, k = tuple(number) if isinstance(number, list) else number, len(self.costs)
        if not isinstance(wanted, Hashable) or wanted not in self.entries:
            kind = "number of the cost matrix, (true class, label) or 'refer',"
            raise UnknownNameError(kind, number, self.entries)
        return (0, k) if wanted == REFER else divmod(list(self.entries).index(wanted), k)

    def between(self, number: Number, between: Any) -> CostMatrix:
        """Return the matrix with another range of one number."""
        low, high = checks.interval(between, "between", low=-math.inf, high=math.inf)
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
                f"the classes of the cost matrix ({checks.listed(self.classes)}) and of the comparison "
                f"({checks.listed(classes)}) differ"
            )
        at = [self.classes.index(label) for label in classes]
        return replace(self, costs=[[self.costs[i][j] for j in at] for i in at], classes=classes)

    def _data(self) -> dict[str, Any]:
        shown = [
            {"low": entry.low, "high": entry.high, "mean": entry.mean, "certain": entry.low == entry.high}
            for entry in self.entries.values()
        ]
        k = len(self.costs)
        costs = [shown[k * i : k * (i + 1)] for i in range(k)]
        return {"classes": self.classes, "costs": costs, "refer": None if self.refer is None else shown[-1]}

    def __repr__(self) -> str:
        """Name the uncertain entries with their ranges."""
        entries = [(in_words(number), self.entries[number]) for number in self.uncertain]
        found = [f"{name} costs {entry.low:.4g} to {entry.high:.4g}" for name, entry in entries]
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
        low, high = checks.interval(value, name, low=-math.inf, high=math.inf)
        found = Even(low, high)
    else:
        found = Even(*[checks.number(value, name, error=ConditionError)] * 2)
    if math.isinf(found.low) or math.isinf(found.high):
        raise ConditionError(f"{name} must be finite, got {value!r}")
    return found


def _different(classes: Any) -> tuple[Any, ...]:
    """Return classes as a tuple, each of them once."""
    found = tuple(np.asarray(classes).tolist() if isinstance(classes, np.ndarray) else classes)
    if len(set(found)) < len(found):
        raise ConditionError(f"classes must be different labels, got {checks.listed(found)}")
    return found


@dataclass(frozen=True, eq=False)
class ClassCurve(Result):
    r"""The cost per case of one model along one entry of the cost matrix: straight lines with jumps where labels change.

    .. math:: c(\theta) = a_i + b_i\theta \quad\text{for}\quad \mathrm{breaks}_i \le \theta < \mathrm{breaks}_{i+1}

    Attributes
    ----------
    breaks : ndarray of shape (m + 1,)
    intercepts, slopes : ndarray of shape (m,)

    Examples
    --------
    >>> import isocost as ic
    >>> ic.compare.ClassCurve([0, 2, 4], [0, 1], [1, 0])([1, 3])
    array([1., 1.])
    """

    breaks: Floats
    intercepts: Floats
    slopes: Floats

    def __post_init__(self) -> None:
        """Take numbers as arrays."""
        for name in ("breaks", "intercepts", "slopes"):
            object.__setattr__(self, name, checks.reals(getattr(self, name), name))
        if self.breaks.size != self.slopes.size + 1 or self.slopes.shape != self.intercepts.shape:
            raise InputError(
                f"a curve of {self.slopes.size} pieces needs as many intercepts and one break more, "
                f"got {self.intercepts.size} and {self.breaks.size}"
            )

    def __call__(self, theta: ArrayLike) -> Floats:
        """Return the cost where the entry is `theta`; where labels change, with the labels above it."""
        x = checks.reals(theta, "theta")
        low, high = self.breaks[[0, -1]]
        if np.any(~((x >= low) & (x <= high))):
            raise InputError(f"theta must lie between {low:g} and {high:g}, the range of this curve; got {theta!r}")
        piece = np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, self.slopes.size - 1)
        return np.asarray(self.intercepts[piece] + self.slopes[piece] * x)


@dataclass(frozen=True)
class ClassWin(Result):
    """A range of one entry on which a model is cheapest."""

    model: str
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class ClassWinners(Drawn):
    """Which model is cheapest along one entry of the cost matrix, the other entries at their means.

    The labels are chosen anew at each value, so costs jump where a label changes. On few cases the lead may change often by chance.

    Attributes
    ----------
    number : tuple or str
        (true class, label), or "refer".
    low, high : float
    wins : tuple of ClassWin
        Ascending; together they fill the range.
    shares : dict of str to float
        Share of the range on which each of them is cheapest, the largest first.
    curves : dict of str to ClassCurve
        The cost per case of every model, and of giving every case the same label.

    Examples
    --------
    >>> import isocost as ic
    >>> models = {"a": [[4, 1], [2, 3]], "b": [[5, 0], [3, 2]]}
    >>> ic.ClassComparison.from_confusion(models).along(ic.CostMatrix([[0, 1], [(0.5, 3), 0]]), (1, 0))
    <ClassWinners along labelling 1 as 0: b to 1, a to 2, always 1 to 3>
    """

    _display = "ClassWinnersDisplay"
    _items = "wins"

    number: Number
    low: float
    high: float
    wins: tuple[ClassWin, ...]
    shares: dict[str, float]
    curves: dict[str, ClassCurve]

    def __repr__(self) -> str:
        """Say who wins up to where."""
        shown = [f"{win.model} to {win.high:.4g}" for win in self.wins[:6]]
        more = [f"… ({len(self.wins)} in all)"] if len(self.wins) > len(shown) else []
        return f"<ClassWinners along {in_words(self.number)}: {', '.join([*shown, *more])}>"


class Pieces:
    """The range cut at every break of every curve: on each piece all costs are lines."""

    def __init__(self, edges: Floats, at_0: Floats, slopes: Floats, tie: float) -> None:
        self.edges, self.at_0, self.slopes, self.tie = edges, at_0, slopes, tie
        left, right = (at_0 + slopes * ends[:, None] for ends in (edges[:-1], edges[1:]))
        self.starts, self.stays = (side <= side.min(axis=1, keepdims=True) + tie for side in (left, right))

    @classmethod
    def of(cls, curves: Mapping[str, ClassCurve], tie: float) -> Pieces:
        """Cut the common range of all curves."""
        edges = np.unique(np.concatenate([curve.breaks for curve in curves.values()]))
        at = [np.searchsorted(curve.breaks, edges[:-1], side="right") - 1 for curve in curves.values()]
        pairs = list(zip(curves.values(), at, strict=True))
        at_0 = np.column_stack([c.intercepts[i] for c, i in pairs])
        return cls(edges, at_0, np.column_stack([c.slopes[i] for c, i in pairs]), tie)

    def mirrored(self) -> Pieces:
        """Return the same costs of minus the number."""
        return Pieces(-self.edges[::-1], self.at_0[::-1], -self.slopes[::-1], self.tie)

    def _piece(self, x: float) -> int:
        return min(int(np.searchsorted(self.edges, x, side="right")), self.edges.size - 1) - 1

    def first(self, x: float) -> int:
        """Return who is cheapest from x on; of equals, the first in order."""
        i = self._piece(x)
        now = self.at_0[i] + self.slopes[i] * x
        tied = np.flatnonzero(now <= now.min() + self.tie)
        later = self.at_0[i, tied] + self.slopes[i, tied] * self.edges[i + 1]
        return int(tied[np.argmax(later <= later.min() + self.tie)])

    def until(self, leader: int, x: float) -> float:
        """Return up to where a model that is cheapest just above x stays so; x if it is not."""
        i = self._piece(x)
        now = self.at_0[i] + self.slopes[i] * x
        if now[leader] > now.min() + self.tie:
            return x
        # The lowest of lines is concave: a line that is lowest at both ends of a piece is lowest throughout.
        if self.stays[i, leader]:
            lost = np.flatnonzero(~(self.starts & self.stays)[i + 1 :, leader])
            if lost.size == 0:
                return float(self.edges[-1])
            i += 1 + int(lost[0])
            x = float(self.edges[i])
            if not self.starts[i, leader]:
                return x
        later = self.at_0[i] + self.slopes[i] * self.edges[i + 1]
        below = later < later[leader] - self.tie
        crossings = (self.at_0[i, below] - self.at_0[i, leader]) / (self.slopes[i, leader] - self.slopes[i, below])
        return float(np.clip(np.min(crossings), x, self.edges[i + 1]))

    def wins(self, names: Sequence[str]) -> tuple[ClassWin, ...]:
        """Return who is cheapest where; a winner stays while it is among the cheapest."""
        found, x = [], float(self.edges[0])
        while x < self.edges[-1]:
            leader = self.first(x)
            end = max(self.until(leader, x), float(np.nextafter(x, math.inf)))
            found.append(ClassWin(names[leader], x, end))
            x = end
        return tuple(found)

    def around(self, model: int, x: float) -> tuple[float, float]:
        """Return how far below and above x a model stays among the cheapest."""
        return -self.mirrored().until(model, -x), self.until(model, x)


_WORDS = {"case": "case", "cases": "cases"}


@dataclass(frozen=True)
class ClassConfidence(Result):
    """The cost of the decision on new cases, and how certain the choice of model is.

    Cases are redrawn within each class, the choice among the models is redone on each draw and evaluated on the cases left out.

    Attributes
    ----------
    price : float or None
        Cost per case to expect on new cases; None, like all below, if a class has fewer than 5 cases.
    interval : tuple of float or None
    worst_loss : float or None
        The most that another model here may be cheaper per case, with confidence (1 + level)/2.
    good_enough : float or None
        A loss that does not matter: 5 % of what errors cost.
    grade : {"clear", "leaning", "open"} or None
        Clear if worst_loss is at most good_enough and every class has 30 cases, leaning up to four times as much.
    labels : Labels or None
    pays : bool or None
        Whether a model is expected to cost less than giving every case the same label; if not, that label is the decision.
    n_resamples : int
    level : float
    cases : dict
        Cases of each class.
    """

    n_resamples: int
    level: float
    cases: dict[Any, int]
    price: float | None = None
    interval: tuple[float, float] | None = None
    worst_loss: float | None = None
    good_enough: float | None = None
    grade: Grade | None = None
    labels: Labels | None = None
    pays: bool | None = None


@dataclass(frozen=True)
class ClassAlternative(Result):
    """Another model, or giving every case the same label: its cost per case, and what it costs more than the decision.

    Costs are those on these cases, `extra_interval` is that of new cases; None without resamples.
    """

    model: str
    expected_cost: float
    extra: float
    extra_interval: tuple[float, float] | None = None


@dataclass(frozen=True, repr=False)
class ClassDecision(Result):
    """Which model should label the cases, at the mean of the cost matrix, and how far that depends on its uncertain entries.

    Attributes
    ----------
    model : str
        A model, "always 'a'" for giving every case one label, or "always refer".
    expected_cost : float
        Per case, on these cases.
    alternatives : tuple of ClassAlternative
        Cheapest first.
    confusion : dict of dict
        True class → label (or "refer") → share of all cases in use.
    drift, along : dict
        Uncertain entry → (low, high) around its mean within which the model stays among the cheapest on these cases, and → ClassWinners.
    confidence : ClassConfidence or None
        The cost on new cases and how certain the choice is; None without resamples.
    warnings : tuple of str
    matrix : CostMatrix
    shares : dict
        Share of each class in use.
    unit : str

    Examples
    --------
    >>> import isocost as ic
    >>> models = {"a": [[40, 10], [5, 45]], "b": [[45, 5], [10, 40]]}
    >>> decision = ic.ClassComparison.from_confusion(models).decide(ic.CostMatrix([[0, 1], [(1, 5), 0]]))
    >>> print(decision)
    Use a, with its labels as they are. On these cases it costs 250 per 1000. On these cases it is the cheapest whatever labelling 1 as 0
    costs between 1 and 5.
    """

    model: str
    expected_cost: float
    alternatives: tuple[ClassAlternative, ...]
    confusion: dict[Any, dict[Any, float]]
    drift: dict[Number, tuple[float, float]]
    confidence: ClassConfidence | None
    warnings: tuple[str, ...]
    matrix: CostMatrix
    shares: dict[Any, float]
    unit: str
    along: dict[Number, ClassWinners] = field(metadata={"data": False})
    _kind: str = ""

    @property
    def labelled(self) -> dict[Any, float]:
        """Label, or "refer" → share of all cases in use."""
        rows = list(self.confusion.values())
        return {label: math.fsum(row[label] for row in rows) for label in rows[0]}

    @property
    def referred(self) -> float:
        """The share of cases that a person looks at."""
        return 0.0 if self.matrix.refer is None else self.labelled[REFER]

    @cached_property
    def says(self) -> dict[str, str]:
        """The answer in sentences, by subject."""
        data = self._spoken()
        return {key: say(f"classes_{key}", data) for key in ("rule", "price", "holds", "leads", "sure", "labels")}

    @property
    def text(self) -> str:
        """The answer in one paragraph."""
        return " ".join([*filter(None, self.says.values()), *(f"{warning}." for warning in self.warnings)])

    def _data(self) -> dict[str, Any]:
        data = super()._data() | {"labelled": self.labelled, "referred": self.referred}
        return data | {"drift": self.keyed(self.drift), "says": self.says, "text": self.text}

    def save(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the decision as a page (.html: one file that opens offline) or as data (.json), and return where."""
        from isocost.report import class_page

        return class_page.save(self, path, title)

    def _repr_html_(self) -> str:
        return f"{paragraphs(self.text)}{names_and_values({'cheapest first': self.alternatives})}"

    def __repr__(self) -> str:
        """Give the answer."""
        return self.text

    def keyed(self, values: Mapping[Number, Any]) -> dict[str, Any]:
        """Return values by entry with keys for plain data."""
        return {REFER if number == REFER else f"{number[0]}→{number[1]}": value for number, value in values.items()}

    def by_number(self) -> list[str]:
        """Return a sentence for each uncertain entry."""
        data = self._spoken()
        return [say("classes_number", data | number) for number in data["numbers"]]

    def _spoken(self) -> dict[str, Any]:
        """Return what the sentences need: the plain data, and each uncertain number in words."""
        data = {name: plain(value) for name, value in super()._data().items() if name != "drift"}
        numbers: list[dict[str, Any]] = []
        for number, winners in self.along.items():
            low, high = self.drift[number]
            numbers.append({
                "entry": in_words(number), "given": [winners.low, winners.high], "mean": self.matrix.entries[number].mean,
                "low": low, "high": high, "always": (low, high) == (winners.low, winners.high), "changes": len(winners.wins) - 1,
                "leaders": [{"model": m, "share": s, "most": i == 0} for i, (m, s) in enumerate(winners.shares.items())],
            })  # fmt: skip
        cases = {} if self.confidence is None else self.confidence.cases
        fewest = min(cases, key=cases.__getitem__, default=None)
        rival = min(self.alternatives, key=lambda other: (other.extra_interval or (0.0, 0.0))[0])
        return data | {
            "kind": self._kind, "referred": self.referred, "refers": self.matrix.refer is not None, "rival": rival.to_dict(),
            "numbers": numbers, "always": [n for n in numbers if n["always"]],
            "within": [n for n in numbers if not n["always"] and n["changes"] < 3],
            "restless": [n for n in numbers if not n["always"] and n["changes"] > 2], "question": {"words": _WORDS | {"unit": self.unit}},
            "every": self.model.removeprefix("always "), "fewest": {"label": repr(fewest), "cases": cases.get(fewest)},
            "sure": (1 + self.confidence.level) / 2 if self.confidence is not None else None,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Labelled:
    """Labels as places in `classes`, weights, and a matrix of scores per model."""

    index: NDArray[np.intp]
    classes: tuple[Any, ...]
    weights: Floats | None
    scores: dict[str, Floats]

    @classmethod
    def of(cls, y_true: Any, classes: Any, sample_weight: Any, scores: Any = None) -> _Labelled:
        """Check what was given and put it in order."""
        labels = checks.present(checks.vector(y_true, "y_true"), "y_true")
        try:
            found = tuple(np.unique(labels).tolist() if classes is None else classes)
            known = set(found)
        except TypeError as error:
            raise InputError(f"classes must be a list of plain labels such as 0, 1 and 2: {error}") from error
        if len(found) < 2 or len(known) < len(found):
            raise InputError(f"classes must be two or more different labels, got {checks.listed(found)}")
        here = np.unique(labels).tolist()
        for only, where in (
            ([c for c in here if c not in known], "y_true"),
            ([c for c in found if c not in here], "classes"),
        ):
            if only:
                raise InputError(f"y_true and classes differ: {checks.listed(only)} only in {where}")
        given = {} if scores is None else checks.instance(scores, "scores", Mapping, "a dict of name to scores")
        checks.aligned(y_true=y_true, scores=given, sample_weight=sample_weight)
        index = _places(labels, found, "y_true")
        columns = {name: _matrix(s, f"scores of {name!r}", (labels.size, len(found))) for name, s in given.items()}
        return cls(index, found, checks.weights(sample_weight, index == 0), columns)

    def part(
        self, rows: NDArray[np.bool_], column: int, weights: Floats | None, condition: Condition | Conditions | None
    ) -> Comparison:
        """Return the comparison of a class with others of some rows, by its own score."""
        scores = {name: s[rows, column] for name, s in self.scores.items()}
        own = None if weights is None else weights[rows]
        return Comparison.from_scores(self.index[rows] == column, scores, sample_weight=own, condition=condition)

    def share(self, rows: NDArray[np.bool_]) -> float:
        """Return the share of all cases that some rows make up."""
        return float(np.average(rows, weights=self.weights))


def _places(labels: NDArray[Any], classes: tuple[Any, ...], what: str) -> NDArray[np.intp]:
    """Return the place of each label among the classes."""
    places = {label: i for i, label in enumerate(classes)}
    listed = labels.tolist()
    strange = [label for label in dict.fromkeys(listed) if label not in places]
    if strange:
        raise InputError(f"{what} hold {checks.listed(strange)}; the classes are {checks.listed(classes)}")
    return np.array([places[label] for label in listed], dtype=np.intp)


def _matrix(values: Any, name: str, shape: tuple[int, int]) -> Floats:
    """Return numbers of the given shape, none missing."""
    array = checks.reals(values, name)
    if array.shape != shape:
        raise InputError(f"{name} must have shape {shape}, got {array.shape}")
    return array


@dataclass(frozen=True, eq=False, repr=False)
class ClassComparison(Result):
    """Models that label the same cases with one of several classes.

    Attributes
    ----------
    names : tuple of str
    classes : tuple
        Sorted, unless given.
    shares : dict
        Share of each class among the cases.

    Examples
    --------
    >>> import isocost as ic
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> comparison = ic.ClassComparison.from_scores(list("abcabc"), {"model": p})
    >>> decision = comparison.decide(ic.CostMatrix([[0, 1, 4], [1, 0, 1], [2, 2, 0]]))
    >>> decision.model, round(decision.expected_cost, 4)
    ('model', 0.5)
    """

    classes: tuple[Any, ...]
    shares: dict[Any, float]
    # Probabilities (n, k), labels (n,) as places in `classes`, or confusion matrices (k, k) where there are no cases.
    _models: dict[str, NDArray[Any]]
    _index: NDArray[np.intp] | None
    _weights: Floats | None

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        classes: Sequence[Hashable] | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> ClassComparison:
        """Compare models by their class probabilities: each labels a case with the lowest expected cost.

        Parameters
        ----------
        y_true : array of shape (n,)
        scores : dict of name to array of shape (n, k)
            Probabilities, one column per class; other scores are refused.
        classes : sequence of k labels, optional
            The classes of the columns; the sorted labels of `y_true` by default.
        sample_weight : array of shape (n,), optional
        """
        data = _Labelled.of(y_true, classes, sample_weight, scores)
        for name, p in data.scores.items():
            # As far from 1 as float32 may add up to.
            bad = ~((p >= 0).all(axis=1) & (np.abs(p.sum(axis=1) - 1) <= math.sqrt(ROUNDING)))
            if bad.any():
                first = int(np.argmax(bad))
                raise InputError(
                    f"scores of {name!r} are not probabilities: {int(bad.sum())} of {bad.size} rows hold a negative number or do not add "
                    f"up to 1, the first is row {first + 1}, counting from 1 ({', '.join(f'{v:g}' for v in p[first])}); for other scores "
                    "give the labels, with from_labels"
                )
        return cls._of(data, data.scores)

    @classmethod
    def from_labels(
        cls,
        y_true: ArrayLike,
        labels: Mapping[str, ArrayLike],
        *,
        classes: Sequence[Hashable] | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> ClassComparison:
        """Compare models by the labels they gave, which are kept as they are.

        Examples
        --------
        >>> import isocost as ic
        >>> comparison = ic.ClassComparison.from_labels(list("abca"), {"rules": list("abba"), "model": list("acca")})
        >>> comparison.decide(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [5, 5, 0]])).model
        'model'
        """
        data = _Labelled.of(y_true, classes, sample_weight)
        checks.instance(labels, "labels", Mapping, "a dict of name to labels")
        checks.aligned(y_true=y_true, labels=labels)
        models = {}
        for name, given in labels.items():
            what = f"labels of {name!r}"
            found = checks.present(checks.vector(given, what), what)
            checks.same_length(**{"y_true": data.index, what: found})
            models[name] = _places(found, data.classes, what)
        return cls._of(data, models)

    @classmethod
    def from_confusion(
        cls, confusion: Mapping[str, ArrayLike], *, classes: Sequence[Hashable] | None = None
    ) -> ClassComparison:
        """Compare models by their confusion matrices on the same cases.

        Parameters
        ----------
        confusion : dict of name to array of shape (k, k)
            Counts; row: true class, column: label given.
        classes : sequence of k labels, optional
            0, 1, … by default.

        Examples
        --------
        >>> import isocost as ic
        >>> comparison = ic.ClassComparison.from_confusion({"a": [[40, 10], [5, 45]], "b": [[45, 5], [10, 40]]})
        >>> comparison.decide(ic.CostMatrix([[0, 1], [4, 0]])).model
        'a'
        """
        checks.instance(confusion or None, "confusion", Mapping, "a dict of name to confusion matrix")
        names = checks.names(confusion, "model")
        models = {name: checks.reals(confusion[name], f"confusion matrix of {name!r}") for name in names}
        first = models[names[0]]
        k = len(first)
        for name, counts in models.items():
            if counts.shape != (k, k) or k < 2:
                raise InputError(
                    f"confusion matrix of {name!r} must have as many rows as columns, the same for all models and two or more; "
                    f"got shape {counts.shape}"
                )
            if np.any((counts < 0) | ~np.isfinite(counts)) or not counts.sum(axis=1).all():
                raise InputError(f"confusion matrix of {name!r} must hold counts, with cases of every true class")
            if not np.allclose(counts.sum(axis=1), first.sum(axis=1), rtol=1000 * ROUNDING, atol=0):
                raise InputError(
                    f"the confusion matrices of {names[0]!r} and {name!r} are not of the same cases: their rows add up to "
                    f"{first.sum(axis=1).tolist()} and {counts.sum(axis=1).tolist()}"
                )
        found = tuple(range(k)) if classes is None else _different(classes)
        if len(found) != k:
            raise InputError(f"classes has {len(found)} labels, the confusion matrices {k} rows")
        mass = first.sum(axis=1)
        return cls(found, dict(zip(found, (mass / mass.sum()).tolist(), strict=True)), models, None, None)

    @classmethod
    def _of(cls, data: _Labelled, models: Mapping[str, NDArray[Any]]) -> ClassComparison:
        if not models:
            raise InputError("there is no model to compare: give at least one, by name")
        checks.names(models, "model")
        mass = np.bincount(data.index, data.weights, len(data.classes))
        if not mass.all():
            empty = data.classes[int(np.argmin(mass))]
            raise InputError(f"sample_weight of class {empty!r} sums to 0: nothing is left of that class")
        shares = dict(zip(data.classes, (mass / mass.sum()).tolist(), strict=True))
        return cls(data.classes, shares, dict(models), data.index, data.weights)

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return tuple(self._models)

    def _data(self) -> dict[str, Any]:
        return {"names": self.names, **super()._data()}

    def __repr__(self) -> str:
        """Say what is compared."""
        cases = "confusion matrices" if self._index is None else counted(self._index.size, "case")
        return f"<ClassComparison of {checks.listed(self.names)}: {cases}, classes {checks.listed(self.classes)}>"

    def decide(
        self,
        matrix: CostMatrix,
        *,
        shares: Mapping[Any, float] | None = None,
        n_resamples: int | None = None,
        level: float = 0.90,
        rng: int | np.random.Generator | None = None,
        unit: str = "",
    ) -> ClassDecision:
        r"""Return which model should label the cases, at the mean of the cost matrix.

        With class probabilities :math:`p` and :math:`s_i` the share of class i in use divided by its share in the data, a case gets
        the label

        .. math:: \arg\min_j \sum_i p_i\, s_i\, C_{ij}

        and a model costs the mean of :math:`s_y C_{y,\mathrm{label}}`. Of equal labels the first class is taken, a person last. The cost
        is linear in each entry, and entries are independent, so the mean matrix is all that matters for the expected cost.

        Parameters
        ----------
        matrix : CostMatrix
        shares : dict of class to share, optional
            Where the model will be used, if not as in the data.
        n_resamples : int, optional
            Resamples of the cases, for the cost on new cases and for how certain the choice is.
        level : float
        rng : int or Generator, optional
        unit : str
            Of the costs.

        References
        ----------
        Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17:973-978.

        Examples
        --------
        >>> import isocost as ic
        >>> p = [[.8, .2], [.4, .6], [.3, .7], [.6, .4]]
        >>> comparison = ic.ClassComparison.from_scores(["well", "ill", "ill", "well"], {"m": p}, classes=["well", "ill"])
        >>> decision = comparison.decide(ic.CostMatrix([[0, 1], [(2, 8), 0]], refer=0.3))
        >>> decision.model, round(decision.expected_cost, 3), decision.drift
        ('m', 0.225, {('ill', 'well'): (2.0, 8.0)})
        """
        table, use = self._table(matrix), self._in_use(shares)
        share, unit = checks.level(level), checks.text(unit, "unit")
        rules = self._rules(table, use)
        names, m = list(rules), table.means
        rates = [self._rates(rule, m.shape[1]) for rule in rules.values()]
        costs = np.array([use @ (rate * m).sum(axis=1) for rate in rates])
        tie = ROUNDING * float(np.abs(m).max())
        chosen = int(np.argmax(costs <= costs.min() + tie))
        confidence, intervals = None, dict[str, tuple[float, float]]()
        if n_resamples is not None:
            options = {"n_resamples": n_resamples, "level": share, "rng": rng}
            chosen, confidence, intervals = self._certainty(rules, m, use, costs, chosen, options)
        others = sorted((i for i in range(len(names)) if i != chosen), key=lambda i: costs[i])
        along = {number: self._along(table, number, use) for number in table.uncertain}
        drift = {}
        for number, (_, pieces) in along.items():
            mean = float(np.clip(table.entries[number].mean, pieces.edges[0], pieces.edges[-1]))
            drift[number] = pieces.around(chosen, mean)
        labels = (*self.classes, *([REFER] if table.refer is not None else []))
        shared = use[:, None] * rates[chosen]
        alternatives = [
            ClassAlternative(names[i], float(costs[i]), float(costs[i] - costs[chosen]), intervals.get(names[i]))
            for i in others
        ]
        confusion = {
            c: dict(zip(labels, row, strict=True)) for c, row in zip(self.classes, shared.tolist(), strict=True)
        }
        return ClassDecision(
            names[chosen], float(costs[chosen]), tuple(alternatives), confusion, drift, confidence,
            self._uncalibrated(table, use, dict(zip(names, costs.tolist(), strict=True)), tie), table,
            dict(zip(self.classes, use.tolist(), strict=True)), unit, {number: winners for number, (winners, _) in along.items()},
            self._kind(names[chosen]),
        )  # fmt: skip

    def along(
        self,
        matrix: CostMatrix,
        number: Number,
        *,
        between: tuple[float, float] | None = None,
        shares: Mapping[Any, float] | None = None,
    ) -> ClassWinners:
        """Return which model is cheapest along one entry of the cost matrix, the others at their means.

        Labels are chosen anew at each value; the costs on these cases are exact, line by line.

        Parameters
        ----------
        matrix : CostMatrix
        number : (true class, label) or "refer"
        between : pair of float, optional
            The range; that of the entry by default.
        shares : dict of class to share, optional
            As in `decide`.
        """
        table, use = self._table(matrix), self._in_use(shares)
        table.place(number)
        if between is not None:
            table = table.between(number, between)
        elif number not in table.uncertain:
            raise ConditionError(f"{in_words(number)} has a certain cost: pass between=(low, high) to move along it")
        return self._along(table, number, use)[0]

    def _table(self, matrix: CostMatrix) -> CostMatrix:
        table: CostMatrix = checks.instance(matrix, "matrix", CostMatrix, "a CostMatrix").ordered(self.classes)
        taken = {f"always {label!r}" for label in self.classes} | {f"always {REFER}"}
        if taken & set(self.names):
            raise InputError(
                f"a model is called {min(taken & set(self.names))!r}, the name of a rule without a model: rename it"
            )
        return table

    def _in_use(self, shares: Any) -> Floats:
        if shares is None:
            return np.array(list(self.shares.values()))
        if not isinstance(shares, Mapping) or set(shares) != set(self.classes):
            raise InputError(f"shares must give a share for each of {checks.listed(self.classes)}, got {shares!r}")
        found = np.array([checks.number(shares[c], f"share of {c!r}", low=0, high=1) for c in self.classes])
        if abs(found.sum() - 1) > 1000 * ROUNDING:
            raise InputError(f"shares must add up to 1, got {found.sum():.12g}")
        return found

    def _scale(self, use: Floats) -> Floats:
        return np.asarray(use / np.array(list(self.shares.values())))

    def _rules(self, table: CostMatrix, use: Floats) -> dict[str, NDArray[Any]]:
        """Return every competitor: labels of cases, a confusion matrix, or one label for all."""
        weighted = self._scale(use)[:, None] * table.means
        found = {
            name: np.argmin(_expected(m, weighted), axis=1) if self._is_soft(m) else m
            for name, m in self._models.items()
        }
        return found | self._trivial(table)

    def _trivial(self, table: CostMatrix) -> dict[str, NDArray[Any]]:
        """Return the competitors that need no model."""
        found = {f"always {label!r}": np.array(j) for j, label in enumerate(self.classes)}
        return found if table.refer is None else found | {f"always {REFER}": np.array(len(self.classes))}

    def _is_soft(self, model: NDArray[Any]) -> bool:
        """Whether a model is given by probabilities."""
        return self._index is not None and model.ndim == 2

    def _kind(self, name: str) -> str:
        if name not in self._models:
            return REFER if name == f"always {REFER}" else "always"
        return "scores" if self._is_soft(self._models[name]) else "labels"

    def _rates(self, rule: NDArray[Any], columns: int) -> Floats:
        """Return the share of each class (row) that gets each label."""
        k = len(self.classes)
        if rule.ndim == 0:
            return np.tile(np.arange(columns) == rule, (k, 1)).astype(np.float64)
        if self._index is None:
            counts = np.hstack([rule, np.zeros((k, columns - k))])
        else:
            counts = np.bincount(self._index * columns + rule, self._weights, k * columns).reshape(k, columns)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def _certainty(
        self, rules: Mapping[str, NDArray[Any]], matrix: Floats, use: Floats, costs: Floats, chosen: int, options: Mapping[str, Any]
    ) -> tuple[int, ClassConfidence, dict[str, tuple[float, float]]]:  # fmt: skip
        """Return the decision, which is one label for all if no model pays, its price and grade, and what the others cost more."""
        if self._index is None:
            raise InputError("n_resamples needs the cases, and a comparison of confusion matrices has no cases")
        n, level = checks.whole(options["n_resamples"], "n_resamples", low=10), options["level"]
        weights = np.ones(self._index.size) if self._weights is None else self._weights
        cases = np.bincount(self._index[weights > 0], minlength=use.size)
        found = ClassConfidence(n, level, dict(zip(self.classes, cases.tolist(), strict=True)))
        if cases.min() < TOO_FEW:
            return chosen, found, {}
        rng = options["rng"]
        generator = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(checks.entropy(rng))
        labels = list(rules.values())
        paid = np.column_stack([matrix[self._index, rule] for rule in labels])
        inside, left = _redrawn(self._index, weights, paid, use, n, generator)
        spread = matrix.max(axis=1) - matrix.min(axis=1)
        base, tie = float(use @ matrix.min(axis=1)), ROUNDING * float(np.abs(matrix).max())
        # What is cheapest on each draw: its cost there, that of what the three draws before took, and its cost on the cases left out.
        row, picks = np.arange(n), np.argmax(inside <= inside.min(axis=1, keepdims=True) + tie, axis=1)
        others = np.mean([inside[row, np.roll(picks, q)] for q in range(1, JUDGES + 1)], axis=0)
        mine: Four = float(costs[chosen]), float(use @ left(picks)), inside[row, picks], others
        price, low, high, _ = ends(*mine, level)
        models = len(self._models)
        trivial = models + int(np.argmin(costs[models:]))
        pays = bool(price < costs[trivial])
        if not pays:
            chosen, price = trivial, costs[trivial]
            low = high = price
            mine = price, price, inside[:, trivial], inside[:, trivial]
        elif costs[chosen] <= base + tie:  # no error here: the rule of three
            high = max(high, base + 3 * float(np.max(use * spread / cases)))
        # Estimate, low and high of what each other rule costs more.
        extras = {
            j: ends(*minus((costs[j], costs[j], inside[:, j], inside[:, j]), mine), level)[:3]
            for j in range(len(labels))
            if j != chosen
        }
        same = 3 / self._index.size * float(np.max(self._scale(use) * spread))
        extras |= {j: (0.0, -same, same) for j in extras if j < models and np.all(labels[j] == labels[chosen])}
        enough, (estimates, lows, highs) = CLEAR * (price - base), np.array(list(extras.values())).T
        worst = max(0.0, -float(lows.min()))
        grade: Grade = "clear" if worst <= enough else "leaning" if worst <= LEANING * enough else "open"
        more = Labels(0, 0)
        if worst > enough:
            many, binding = more_labels(-estimates, estimates - lows, enough, self._index.size)
            differ = np.average(labels[list(extras)[binding]] != labels[chosen], weights=weights)
            more = Labels(many, None if many is None else math.ceil(many * differ))
        found = replace(
            found, price=float(price), interval=(float(max(low, base)), float(high)), worst_loss=worst, good_enough=float(enough),
            grade="leaning" if grade == "clear" and cases.min() < FEW else grade, labels=more, pays=pays,
        )  # fmt: skip
        names, spans = list(rules), zip(lows.tolist(), np.maximum(highs, 0.0).tolist(), strict=True)
        return chosen, found, {names[j]: span for j, span in zip(extras, spans, strict=True)}

    def _uncalibrated(self, table: CostMatrix, use: Floats, costs: Mapping[str, float], tie: float) -> tuple[str, ...]:
        """Name the models that would cost less if they took the likeliest class."""
        found = []
        for name, p in self._models.items():
            if not self._is_soft(p):
                continue
            rates = self._rates(np.argmax(p, axis=1), table.means.shape[1])
            likeliest = float(use @ (rates * table.means).sum(axis=1))
            if likeliest < costs[name] - tie:
                about = {"model": name, "likeliest": likeliest, "own": costs[name], "question": {"words": _WORDS}}
                found.append(say("classes_uncalibrated", about))
        return tuple(found)

    def _along(self, table: CostMatrix, number: Number, use: Floats) -> tuple[ClassWinners, Pieces]:
        i, j = table.place(number)
        entry = table.entries[number]
        low, high = entry.low, entry.high
        moved = np.zeros_like(table.means)
        moved[slice(None) if number == REFER else i, j] = 1.0
        fixed = np.where(moved > 0, 0.0, table.means)
        curves = {
            name: self._soft_curve(rule, fixed, moved, j, (low, high), use)
            if self._is_soft(rule)
            else _line(use, self._rates(rule, fixed.shape[1]), fixed, moved, (low, high))
            for name, rule in (self._models | self._trivial(table)).items()
        }
        scale = float(max(np.abs(table.means).max(), abs(low), abs(high)))
        pieces = Pieces.of(curves, ROUNDING * scale)
        wins = pieces.wins(list(curves))
        widths = {name: math.fsum(w.high - w.low for w in wins if w.model == name) for name in (w.model for w in wins)}
        shares = {name: width / (high - low) for name, width in sorted(widths.items(), key=lambda item: -item[1])}
        return ClassWinners(number, low, high, wins, shares, curves), pieces

    def _soft_curve(
        self, p: Floats, fixed: Floats, moved: Floats, label: int, between: tuple[float, float], use: Floats
    ) -> ClassCurve:
        """Return the cost of labelling by expected cost: only `label` has a slope, so each case leaves it at most once."""
        low, high = between
        scale = self._scale(use)[:, None]
        at_0, slope = _expected(p, scale * fixed), _expected(p, scale * moved[:, [label]])[:, 0]
        own = at_0[:, label].copy()
        at_0[:, label] = math.inf
        other = np.argmin(at_0, axis=1)
        best = at_0[np.arange(len(p)), other]
        begin = own + slope * low
        # Of equal labels the one with the smaller slope, which stays the cheaper, then the first.
        taken = (begin < best) | ((begin == best) & (slope == 0) & (label < other))
        with np.errstate(divide="ignore", invalid="ignore"):
            leaves = np.where(taken & (slope > 0), (best - own) / slope, np.where(taken, math.inf, low))
        index = cast("NDArray[np.intp]", self._index)
        mass = scale[index, 0] * (1.0 if self._weights is None else self._weights)
        ends, place = np.unique(np.maximum(leaves, low), return_inverse=True)
        # Pieces: before the first case leaves the label, and after each that does within the range.
        steps = []
        for table in (fixed, moved):
            changes = np.bincount(place, mass * (table[index, other] - table[index, label]), ends.size)
            steps.append(np.append(mass @ table[index, label], changes))
        inside = ends < high
        total = float(index.size if self._weights is None else self._weights.sum())
        intercepts, slopes = (np.cumsum(step)[np.concatenate([[True], inside])] / total for step in steps)
        breaks = np.concatenate([[low], ends[inside], [high]])
        kept = np.diff(breaks) > 0
        return ClassCurve(np.concatenate([breaks[:-1][kept], [high]]), intercepts[kept], slopes[kept])


def _expected(p: Floats, costs: Floats) -> Floats:
    """Return the expected cost of each label, added up class by class: equal columns give equal sums."""
    total: Floats = p[:, :1] * costs[0]
    for i in range(1, len(costs)):
        total += p[:, i : i + 1] * costs[i]
    return total


def _line(use: Floats, rates: Floats, fixed: Floats, moved: Floats, between: tuple[float, float]) -> ClassCurve:
    """Return the cost of labels that do not depend on the costs."""
    at_0, slope = (float(use @ (rates * table).sum(axis=1)) for table in (fixed, moved))
    return ClassCurve(np.array(between), np.array([at_0]), np.array([slope]))


def _redrawn(
    index: NDArray[np.intp], weights: Floats, paid: Floats, use: Floats, n: int, rng: np.random.Generator
) -> tuple[Floats, Callable[[NDArray[np.intp]], Floats]]:
    """Redraw the cases within each class: the costs on each draw (draws, rules), and the mean costs per class on the cases left out.

    The second is a function of the rule taken on each draw.
    """
    inside, sums = np.zeros((n, paid.shape[1])), np.zeros((use.size, n, paid.shape[1]))
    mass = np.zeros(use.size)
    for i, share in enumerate(use):
        rows = np.flatnonzero((index == i) & (weights > 0))
        own, costs = weights[rows], weights[rows, None] * paid[rows]
        for b in range(n):
            times = np.bincount(rng.integers(0, rows.size, rows.size), minlength=rows.size)
            inside[b] += share * (times @ costs) / (times @ own)
            sums[i, b] = (times == 0) @ costs
            mass[i] += (times == 0) @ own
    return inside, lambda picks: sums[:, np.arange(n), picks].sum(axis=1) / mass


Kind = Literal["one-vs-rest", "one-vs-one"]
Weighing = Literal["equal", "cases"]
WEIGHINGS: tuple[Weighing, ...] = ("equal", "cases")


@dataclass(frozen=True, eq=False, repr=False)
class ClassByClass(Mapping[Any, Comparison], Result):
    """A problem of several classes split into two-class comparisons: a mapping from class, or pair of classes, to comparison.

    Each comparison is exact for its own question. Together they are a view, not a decision: thresholds chosen class by class need not
    give each case exactly one label, and no cost curve over all classes follows from them. For decisions about all classes,
    use `ClassComparison`.

    Attributes
    ----------
    kind : {"one-vs-rest", "one-vs-one"}
    comparisons : dict
        By class, or by (positive class, negative class).
    shares : dict
        The share of cases that each comparison's positives (one-vs-rest) or both of its classes (one-vs-one) make up.

    Examples
    --------
    >>> import isocost as ic
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> parts = ic.compare.one_vs_rest(list("abcabc"), {"model": p})
    >>> list(parts), round(parts.macro("auc")["model"], 4)
    (['a', 'b', 'c'], 0.9583)
    """

    kind: Kind
    comparisons: dict[Any, Comparison]
    shares: dict[Any, float]

    def __getitem__(self, key: Any) -> Comparison:
        """Return the comparison of a class, or of a pair (positive, negative)."""
        if key not in self.comparisons:
            raise UnknownNameError("class" if self.kind == "one-vs-rest" else "pair of classes", key, self.comparisons)
        return self.comparisons[key]

    def __iter__(self) -> Iterator[Any]:
        """Go through the classes or pairs."""
        return iter(self.comparisons)

    def __len__(self) -> int:
        """Return how many comparisons there are."""
        return len(self.comparisons)

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names."""
        return next(iter(self.comparisons.values())).names

    def table(self, measure: str, condition: Over = None) -> dict[Any, dict[str, float]]:
        """Return a measure of every model, by class or pair and model.

        Parameters
        ----------
        measure : str
            A registered one.
        condition : Conditions or Condition, optional
            For measures that depend on conditions. By default those that the cost matrix gives each comparison, or else all conditions.
        """
        chosen = measure_named(measure)
        return {
            key: {
                str(curve.name): chosen(curve, condition=comparison.condition if condition is None else condition)
                for curve in comparison.curves
            }
            for key, comparison in self.items()
        }

    def macro(self, measure: str, condition: Over = None, *, weights: Weighing = "equal") -> dict[str, float]:
        """Return the mean of a measure over the comparisons, by model.

        For the AUC it is the macro average of scikit-learn's `roc_auc_score`; for one-vs-one, Hand and Till's M. It sums up questions
        that nobody faces at once, so use it to summarise, not to decide.

        Parameters
        ----------
        measure, condition
            As in `table`.
        weights : {"equal", "cases"}
            "cases": comparisons are weighted by `shares`.

        References
        ----------
        Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831.
        """
        checks.choice(weights, "weights", WEIGHINGS)
        values = self.table(measure, condition)
        mass = np.array([1.0 if weights == "equal" else self.shares[key] for key in values])
        return {name: float(np.dot([row[name] for row in values.values()], mass) / mass.sum()) for name in self.names}

    def winners(self, condition: Over = None) -> dict[Any, Winners]:
        """Return who is cheapest where, for each comparison."""
        return {key: comparison.winners(condition) for key, comparison in self.items()}

    def decide(self) -> dict[Any, Decision]:
        """Return what each comparison alone would decide, under the conditions of the cost matrix if there is one."""
        return {key: comparison.decide() for key, comparison in self.items()}

    def __repr__(self) -> str:
        """Say what was taken apart into what."""
        models = counted(len(self.names), "model")
        return f"<ClassByClass: {counted(len(self), f'{self.kind} comparison')} of {models}: {checks.listed(self)}>"

    def _columns(self) -> Columns:
        values = self.table("auch")
        return stacked({"comparison": str(key), "share": self.shares[key], **values[key]} for key in self)

    def _repr_html_(self) -> str:
        rows = [[str(key), *(f"{v:.4f}" for v in row.values())] for key, row in self.table("auch").items()]
        rows.append(["macro", *(f"{v:.4f}" for v in self.macro("auch").values())])
        return html_table([f"{self.kind}, auch ↑", *self.names], rows)


def one_vs_rest(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Hashable] | None = None,
    cost_matrix: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassByClass:
    """Compare models class by class, each class against all others, by its own score.

    Parameters
    ----------
    y_true : array of shape (n,)
    scores : dict of name to array of shape (n, k)
        One column per class; higher means more likely.
    classes : sequence of k labels, optional
        The classes of the columns; the sorted labels of `y_true` by default.
    cost_matrix : array of shape (k, k), optional
        What it costs to label a case of class i (row) as class j (column). A false alarm then weighs as much as it costs that case beyond
        the right label. A miss costs as much as the label given instead, which the comparison does not know, so its conditions are the
        range over all of them. Both assume that a case not given this class is otherwise labelled correctly.
    sample_weight : array of shape (n,), optional

    Examples
    --------
    >>> import isocost as ic
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> parts = ic.compare.one_vs_rest(list("abcabc"), {"model": p}, cost_matrix=[[0, 1, 4], [1, 0, 1], [2, 2, 0]])
    >>> parts["a"].condition
    <Conditions: a miss costs 1–4 false alarms, 25 % positive: t in 0.43–0.75>
    """
    data, comparisons, shares = _Labelled.of(y_true, classes, sample_weight, scores), {}, {}
    gaps = None if cost_matrix is None else _gaps(cost_matrix, data.classes)
    everyone = np.ones(data.index.size, dtype=np.bool_)
    for a, label in enumerate(data.classes):
        positive, weights, condition = data.index == a, data.weights, None
        if gaps is not None:
            excess = np.where(positive, 1.0, gaps[data.index, a])
            weights = excess if weights is None else weights * excess
            misses = np.delete(gaps[a], a)
            share = float(weights[positive].sum() / weights.sum())
            between = float(misses.min()), float(misses.max())
            condition = Conditions.from_costs(cost_fp=1.0, cost_fn=between, prevalence=share)
        comparisons[label], shares[label] = data.part(everyone, a, weights, condition), data.share(positive)
    return ClassByClass("one-vs-rest", comparisons, shares)


def _gaps(cost_matrix: ArrayLike, classes: tuple[Any, ...]) -> Floats:
    """Return what each wrong label costs more than the right one."""
    costs = _matrix(cost_matrix, "cost_matrix", (len(classes), len(classes)))
    gaps = costs - np.diag(costs)[:, None]
    for i, j in np.argwhere(gaps < 0).tolist():
        raise ConditionError(
            f"cost_matrix: calling {classes[i]!r} {classes[j]!r} costs {costs[i, j]:g}, less than the right label "
            f"({costs[i, i]:g}); an error that is cheaper than the right answer is not an error"
        )
    return np.asarray(gaps)


def hand_till(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Hashable] | None = None,
    level: float = 0.90,
) -> dict[str, DeLong]:
    """Return Hand and Till's multi-class AUC of each model with its interval: `one_vs_one(...).macro("auc")`.

    Parameters
    ----------
    y_true, scores, classes
        As in `one_vs_rest`; at least two cases of each class.
    level : float
        Strictly between 0 and 1.

    References
    ----------
    Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831. The variance is DeLong's, over all pairs at once.

    Examples
    --------
    >>> import isocost as ic
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> ic.compare.hand_till(list("abcabc"), {"model": p})["model"]
    <DeLong: AUC 0.9583, 90 % 0.67 to 0.9962>
    """
    data = _Labelled.of(y_true, classes, None, scores)
    for label, many in zip(data.classes, np.bincount(data.index, minlength=len(data.classes)), strict=True):
        if many < 2:
            raise InputError(f"an interval needs at least two cases of each class, got {many} of {label!r}")
    return {name: of_pairs(data.index, columns, level) for name, columns in data.scores.items()}


def one_vs_one(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Hashable] | None = None,
    cost_matrix: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassByClass:
    """Compare models on every ordered pair of classes, by the score of the first and on the cases of these two alone.

    Parameters
    ----------
    y_true, scores, classes, sample_weight
        As in `one_vs_rest`.
    cost_matrix : array of shape (k, k), optional
        What it costs to label a case of class i (row) as class j (column). The condition of each pair is then exact: its four costs and
        its own prevalence.

    References
    ----------
    Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831.

    Examples
    --------
    >>> import isocost as ic
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> parts = ic.compare.one_vs_one(list("abcabc"), {"model": p}, cost_matrix=[[0, 1, 4], [1, 0, 1], [2, 2, 0]])
    >>> parts[("a", "c")].condition
    <Condition: a miss costs 2 false alarms, 50 % positive: t = 0.333>
    """
    data, comparisons, shares = _Labelled.of(y_true, classes, sample_weight, scores), {}, {}
    size = len(data.classes)
    c = None if cost_matrix is None else _matrix(cost_matrix, "cost_matrix", (size, size))
    for a, b in permutations(range(size), 2):
        key, rows, condition = (data.classes[a], data.classes[b]), np.isin(data.index, (a, b)), None
        if c is not None:
            share = data.share(data.index == a) / data.share(rows)
            condition = Condition(c[b, a], c[a, b], share, cost_tp=c[a, a], cost_tn=c[b, b])
        comparisons[key], shares[key] = data.part(rows, a, data.weights, condition), data.share(rows)
    return ClassByClass("one-vs-one", comparisons, shares)

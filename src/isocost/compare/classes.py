"""Several classes: a cost matrix with uncertain entries, which model should label the cases, and two-class views of them."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.compare.comparison import Comparison
from isocost.conditions import Believed, Even, Quantity
from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.decide.decision import TOO_FEW, Grade, Labels
from isocost.decide.question import first_least
from isocost.decide.say import say
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.inference.confidence import CLEAR, FEW, JUDGES, ends, graded, minus, more_labels
from isocost.inference.delong import DeLong, of_pairs
from isocost.numbers import ROUNDING, counted, money, rough_span
from isocost.numbers import share as in_percent
from isocost.results import Columns, Result, html_table, paragraphs, plain, records, stacked

REFER = "refer"
Number = Any  # (true class, label), or "refer"
Places = NDArray[np.intp]


@documented_by(see="ClassComparison Condition")
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
        """Check every entry; a wrong label that may cost less than the right one is no error."""
        rows = tuple(tuple(row) if np.iterable(row) else () for row in self.costs) if np.iterable(self.costs) else ()
        k = len(rows)
        if k < 2 or any(len(row) != k for row in rows):
            raise ConditionError(
                f"costs must have as many rows as columns, two or more; got {checks.shown(self.costs)}"
            )
        if self.classes is not None:
            classes = checks.one_each(_different(self.classes), "classes", k, "rows of costs")
            object.__setattr__(self, "classes", classes)
            _different(
                [*classes, REFER] if self.refer is not None else classes, "classes, with handing a case to a person,"
            )
        object.__setattr__(self, "costs", rows)
        wrong = [number for number in self.entries if number != REFER and number[0] != number[1]]
        for number in wrong:
            entry, right = self.entries[number], self.entries[number[0], number[0]]
            if entry.low < right.high:
                raise ConditionError(
                    f"{in_words(number)} may cost {entry.low:g}, less than the right label ({right.high:g}); "
                    "an error that is cheaper than the right answer is not an error"
                )
        if all(self.entries[number] == self.entries[number[0], number[0]] for number in wrong):
            raise ConditionError("every label costs the same for every class: there is nothing to decide")

    @cached_property
    def entries(self) -> dict[Number, Quantity]:
        """Every entry with its `low`, `high` and `mean`: by (true class, label) row by row, then "refer"."""
        names = range(len(self.costs)) if self.classes is None else self.classes
        numbers: list[Number] = [(true, label) for true in names for label in names]
        given = dict(zip(numbers, (value for row in self.costs for value in row), strict=True))
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
        wanted = tuple(number) if isinstance(number, list) else number
        if not isinstance(wanted, Hashable) or wanted not in self.entries:
            raise UnknownNameError("number of the cost matrix, (true class, label) or 'refer',", number, self.entries)
        k = len(self.costs)
        return (0, k) if wanted == REFER else divmod(list(self.entries).index(wanted), k)

    def between(self, number: Number, between: Any) -> CostMatrix:
        """Return the matrix with another range of one number."""
        if number == REFER:
            return replace(self, refer=between)
        rows, (i, j) = [list(row) for row in self.costs], self.place(number)
        rows[i][j] = between
        return replace(self, costs=rows)

    def ordered(self, classes: tuple[Any, ...]) -> CostMatrix:
        """Return the matrix in the order of a comparison's classes."""
        rows = checks.one_each(self.costs, "the rows of the cost matrix", len(classes), "classes of the comparison")
        own = classes if self.classes is None else self.classes
        checks.same_names(own, classes, "the classes of the cost matrix", "the comparison")
        at = [own.index(label) for label in classes]
        return replace(self, costs=[[rows[i][j] for j in at] for i in at], classes=classes)

    def _data(self) -> dict[str, Any]:
        shown = [
            {"low": entry.low, "high": entry.high, "mean": entry.mean, "certain": entry.low == entry.high}
            for entry in self.entries.values()
        ]
        k = len(self.costs)
        costs = [shown[k * i : k * (i + 1)] for i in range(k)]
        return {"classes": self.classes, "costs": costs, "refer": None if self.refer is None else shown[-1]}

    def __repr__(self) -> str:
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
        found: Quantity = Believed(checks.distribution(value, name, ("mean", "support", "ppf"), "stats.gamma(2)"))
    elif np.ndim(value):
        found = Even(*checks.interval(value, name, low=-math.inf, high=math.inf))
    else:
        found = Even(*[checks.number(value, name, error=ConditionError)] * 2)
    most = sys.float_info.max
    for end in (found.low, found.mean, found.high):
        checks.number(end, f"{name}, its ends and its mean,", low=-most, high=most, error=ConditionError)
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
    >>> import isocost as ic, numpy as np
    >>> ic.compare.ClassCurve(np.array([0, 2, 4]), np.array([0, 1]), np.array([1, 0]))([1, 3])
    array([1., 1.])
    """

    breaks: Floats
    intercepts: Floats
    slopes: Floats

    def __call__(self, theta: ArrayLike) -> Floats:
        """Return the cost where the entry is `theta`; where labels change, with the labels above it."""
        x = checks.reals(theta, "theta")
        low, high = self.breaks[[0, -1]]
        checks.every((x >= low) & (x <= high), x, "theta", f"lie between {low:g} and {high:g}, the range of this curve")
        piece = self.piece(x)
        return np.asarray(self.intercepts[piece] + self.slopes[piece] * x)

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """Both ends of every piece: entries and costs."""
        x = np.repeat(self.breaks, 2)[1:-1]
        return x, np.repeat(self.intercepts, 2) + np.repeat(self.slopes, 2) * x

    def piece(self, x: Floats) -> Places:
        """Return which piece each value belongs to."""
        return np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, self.slopes.size - 1)


@dataclass(frozen=True)
class ClassWin(Result):
    """A range of one entry on which a model is cheapest.

    Attributes
    ----------
    low, high : float
    model : str
    """

    model: str
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class ClassWinners(Result):
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

    _items = "wins"

    number: Number
    low: float
    high: float
    wins: tuple[ClassWin, ...]
    shares: dict[str, float]
    curves: dict[str, ClassCurve]
    # Where the pieces end on which the same models are cheapest, and which they are: shape (pieces, models).
    _edges: Floats = field(default_factory=lambda: np.empty(0))
    _cheapest: Bools = field(default_factory=lambda: np.empty((0, 0), dtype=np.bool_))

    @classmethod
    def of(cls, number: Number, curves: dict[str, ClassCurve], tie: float) -> ClassWinners:
        """Find who is cheapest where: a winner stays while it is among the cheapest."""
        edges, cheapest = _cheapest(list(curves.values()), tie)
        names, starts, leader = list(curves), list[tuple[int, str]](), -1
        for i, first in enumerate(cheapest.argmax(axis=1).tolist()):
            if leader < 0 or not cheapest[i, leader]:
                leader = first
                starts.append((i, names[first]))
        ends = edges.tolist()
        wins = [ClassWin(name, ends[i], ends[j]) for (i, name), (j, _) in pairwise([*starts, (len(cheapest), "")])]
        low, high = ends[0], ends[-1]
        widths = {name: math.fsum(w.high - w.low for w in wins if w.model == name) for name in (w.model for w in wins)}
        shares = {name: width / (high - low) for name, width in sorted(widths.items(), key=lambda item: -item[1])}
        return cls(number, low, high, tuple(wins), shares, curves, edges, cheapest)

    def around(self, model: str, x: float) -> tuple[float, float]:
        """Return how far below and above x a model stays among the cheapest."""
        lost, at = np.flatnonzero(~self._cheapest[:, list(self.curves).index(model)]), np.clip(x, self.low, self.high)
        above, below = np.searchsorted(self._edges, at, side="right") - 1, np.searchsorted(self._edges, at) - 1
        later, earlier = lost[lost >= above], lost[lost <= below]
        high = max(self._edges[later[0]], at) if later.size else self.high
        return float(min(self._edges[earlier[-1] + 1], at) if earlier.size else self.low), float(high)

    def __repr__(self) -> str:
        shown = [f"{win.model} to {win.high:.4g}" for win in self.wins[:6]]
        more = [f"… ({len(self.wins)} in all)"] if len(self.wins) > len(shown) else []
        return f"<ClassWinners along {in_words(self.number)}: {', '.join([*shown, *more])}>"


def _cheapest(curves: Sequence[ClassCurve], tie: float) -> tuple[Floats, Bools]:
    """Cut the range where who is cheapest changes, and return which curves are on each piece: at its ends, so (lines) throughout."""
    edges = np.unique(np.concatenate([curve.breaks for curve in curves]))
    while True:
        at_0, slopes = (
            np.stack([getattr(curve, name)[curve.piece(edges[:-1])] for curve in curves], axis=1)
            for name in ("intercepts", "slopes")
        )
        costs = [at_0 + slopes * end[:, None] for end in (edges[:-1], edges[1:])]
        left, right = (cost <= cost.min(axis=1, keepdims=True) + tie for cost in costs)
        found = left & right
        # Where others are cheapest at either end, their lines meet in between, at least up to rounding.
        piece = np.flatnonzero(~found.any(axis=1))
        i, j = left[piece].argmax(axis=1), right[piece].argmax(axis=1)
        met = (at_0[piece, j] - at_0[piece, i]) / (slopes[piece, i] - slopes[piece, j])
        inside = (met > edges[piece]) & (met < edges[piece + 1])
        found[piece[~inside], i[~inside]] = True
        if not inside.any():
            return edges, found
        edges = np.union1d(edges, met[inside])


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

    Attributes
    ----------
    model : str
    expected_cost, extra : float
    extra_interval : (low, high) or None
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
        return {
            key: say(f"classes_{key}", self._spoken) for key in ("rule", "price", "holds", "leads", "sure", "labels")
        }

    @property
    def text(self) -> str:
        """The answer in one paragraph."""
        return " ".join([*filter(None, self.says.values()), *(f"{warning}." for warning in self.warnings)])

    def _data(self) -> dict[str, Any]:
        data = super()._data() | {"labelled": self.labelled, "referred": self.referred}
        return data | {"drift": self.keyed(self.drift), "says": self.says, "text": self.text}

    def save(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the decision as a page (.html: one file that opens offline) or as data (.json), and return where."""
        from isocost.report import save_classes

        return save_classes(self, path, title)

    def _columns(self) -> Columns:
        """Return a row for the decision and for each alternative."""
        names = ("model", "expected_cost", "extra", "extra_low", "extra_high")
        others = [(a.model, a.expected_cost, a.extra, *(a.extra_interval or (None, None))) for a in self.alternatives]
        rows = [(self.model, self.expected_cost, None, None, None), *others]
        return stacked(dict(zip(names, row, strict=True)) for row in rows)

    def _repr_html_(self) -> str:
        return f"{paragraphs(self.text)}{html_table(*table_of(self))}"

    def __repr__(self) -> str:
        return self.text

    def keyed(self, values: Mapping[Number, Any]) -> dict[str, Any]:
        """Return values by entry with keys for plain data."""
        return {REFER if number == REFER else f"{number[0]}→{number[1]}": value for number, value in values.items()}

    def by_number(self) -> list[str]:
        """Return a sentence for each uncertain entry."""
        return [say("classes_number", self._spoken | number) for number in self._spoken["numbers"]]

    @cached_property
    def _spoken(self) -> dict[str, Any]:
        """What the sentences need: the plain data, and each uncertain number in words."""
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
            "restless": [n for n in numbers if not n["always"] and n["changes"] > 2], "question": _words(self.unit),
            "every": self.model.removeprefix("always "), "fewest": {"label": repr(fewest), "cases": cases.get(fewest)},
            "sure": (1 + self.confidence.level) / 2 if self.confidence is not None else None,
        }  # fmt: skip


def table_of(decision: ClassDecision) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of the decision and its alternatives, as people read them; what these cost more is an interval or not shown."""
    sure, unit = decision.confidence, f", {decision.unit}" if decision.unit else ""
    heads = ["model", f"cost per 1000{unit}"]
    rows = [[row["model"], money(1000 * row["expected_cost"])] for row in records(decision)]
    if sure is not None:
        heads.append(f"on new cases ({in_percent(sure.level)})")
        spans = [sure.interval, *(other.extra_interval for other in decision.alternatives)]
        for row, span in zip(rows, spans, strict=True):
            more = "" if row is rows[0] else " more"
            row.append("–" if span is None else f"{rough_span([1000 * end for end in span])}{more}")
    return heads, rows


def _words(unit: str = "") -> dict[str, Any]:
    return {"words": {"case": "case", "cases": "cases", "unit": unit}}


def _labelled(
    y_true: Any, classes: Any, sample_weight: Any = None, scores: Any = None
) -> tuple[Places, tuple[Any, ...], Floats | None, dict[str, Floats]]:
    """Return labels as places among the classes, the classes, weights, and a matrix of scores per model."""
    labels = checks.groups(y_true, "y_true")
    given = {} if scores is None else checks.instance(scores, "scores", Mapping, "a dict of name to scores")
    checks.aligned(y_true=y_true, scores=given, sample_weight=sample_weight)
    try:
        found = _different(np.unique(labels) if classes is None else classes, low=2)
        index = _places(labels, found, "y_true")
    except TypeError as error:
        raise InputError(f"classes must be a list of plain labels such as 0, 1 and 2: {error}") from error
    shape = labels.size, len(found)
    columns = {name: checks.table(values, f"scores of {name!r}", *shape) for name, values in given.items()}
    return index, found, checks.weights(sample_weight, index == 0), columns


def _places(labels: NDArray[Any], classes: tuple[Any, ...], what: str) -> Places:
    """Return the place of each label among the classes."""
    places = {label: i for i, label in enumerate(classes)}
    found = np.array([places.get(label, -1) for label in labels.tolist()], dtype=np.intp)
    checks.every(found >= 0, labels, what, f"hold the classes {checks.listed(classes)}")
    return found


def _different(classes: Any, name: str = "classes", low: int = 0) -> tuple[Any, ...]:
    """Return classes as a tuple, each of them once."""
    return tuple(checks.distinct(getattr(classes, "tolist", lambda: classes)(), name, low=low))


@documented_by(see="CostMatrix isocost.compare.one_vs_rest isocost.Comparison")
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
    _index: Places | None
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
        index, found, weights, columns = _labelled(y_true, classes, sample_weight, scores)
        hint = "; for other scores give the labels, with from_labels"
        for name, p in columns.items():
            # As far from 1 as float32 may add up to.
            good = (p >= 0).all(axis=1) & (np.abs(p.sum(axis=1) - 1) <= math.sqrt(ROUNDING))
            checks.every(good, p.sum(axis=1), f"scores of {name!r}", "be probabilities that add up to 1", hint)
        return cls._of(found, columns, index, weights)

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
        >>> comparison = ic.ClassComparison.from_labels(list("abca"), {"rules": list("abba"), "model": list("acca")})
        >>> comparison.decide(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [5, 5, 0]])).model
        'model'
        """
        index, known, weights, _ = _labelled(y_true, classes, sample_weight)
        checks.instance(labels, "labels", Mapping, "a dict of name to labels")
        checks.aligned(y_true=y_true, labels=labels)
        models = {}
        for name, given in labels.items():
            what = f"labels of {name!r}"
            found = checks.groups(given, what)
            checks.same_length(**{"y_true": index, what: found})
            models[name] = _places(found, known, what)
        return cls._of(known, models, index, weights)

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
        >>> comparison = ic.ClassComparison.from_confusion({"a": [[40, 10], [5, 45]], "b": [[45, 5], [10, 40]]})
        >>> comparison.decide(ic.CostMatrix([[0, 1], [4, 0]])).model
        'a'
        """
        checks.instance(confusion, "confusion", Mapping, "a dict of name to confusion matrix")
        first, *_ = checks.some(list(confusion.values()), "confusion", "give at least one matrix, by name")
        k, models = max(len(np.atleast_1d(first)), 2), {}
        for name, counts in confusion.items():
            what = f"confusion matrix of {name!r}"
            models[name] = found = checks.table(counts, what, k, k)
            checks.every((found >= 0) & np.isfinite(found), found, what, "hold counts")
        totals = {name: found.sum(axis=1) for name, found in models.items()}
        checks.same_cases(totals, "the confusion matrices")
        known = checks.one_each(_different(range(k) if classes is None else classes), "classes", k, "rows")
        return cls._of(known, models, None, None, next(iter(totals.values())))

    @classmethod
    def _of(cls, classes: tuple[Any, ...], models: Any, index: Any, weights: Any, mass: Any = None) -> ClassComparison:
        checks.names(checks.some(models, "the dict of models", "give at least one, by name"), "model")
        mass = np.bincount(index, weights, len(classes)) if mass is None else mass
        shares = dict(zip(classes, (mass / mass.sum()).tolist(), strict=True))
        checks.some_of_each(shares, "class")
        return cls(classes, shares, dict(models), index, weights)

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return tuple(self._models)

    def _data(self) -> dict[str, Any]:
        return {"names": self.names, **super()._data()}

    def __repr__(self) -> str:
        cases = "confusion matrices" if self._index is None else counted(self._index.size, "case")
        return f"<ClassComparison of {checks.listed(self.names)}: {cases}, classes {checks.listed(self.classes)}>"

    def _priced(self, matrix: Any, shares: Any) -> _Priced:
        """Check a matrix and shares."""
        table: CostMatrix = checks.instance(matrix, "matrix", CostMatrix, "a CostMatrix").ordered(self.classes)
        own = np.array(list(self.shares.values()))
        found = _Priced(self._models, self._index, self._weights, table, own, np.ones(own.size))
        checks.names(self.names, "model", reserved=found.trivial)
        if shares is None:
            return found
        given = checks.instance(shares, "shares", Mapping, "a dict of class to share")
        checks.same_names(given, self.classes, "shares", "the comparison")
        use = np.array([checks.number(shares[c], f"share of {c!r}", low=0, high=1) for c in self.classes])
        if abs(use.sum() - 1) > 1000 * ROUNDING:
            raise InputError(f"shares must add up to 1, got {use.sum():.12g}")
        return replace(found, use=use, scale=use / own)

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

        References
        ----------
        Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17:973-978.

        Examples
        --------
        >>> p = [[.8, .2], [.4, .6], [.3, .7], [.6, .4]]
        >>> comparison = ic.ClassComparison.from_scores(["well", "ill", "ill", "well"], {"m": p}, classes=["well", "ill"])
        >>> decision = comparison.decide(ic.CostMatrix([[0, 1], [(2, 8), 0]], refer=0.3))
        >>> decision.model, round(decision.expected_cost, 3), decision.drift
        ('m', 0.225, {('ill', 'well'): (2.0, 8.0)})
        """
        priced, share = self._priced(matrix, shares), checks.level(level)
        names, costs = list(priced.rules), priced.costs
        chosen, sure = int(first_least(costs, priced.tie)), None
        intervals: dict[str, tuple[float, float]] = {}
        if n_resamples is not None:
            chosen, sure, intervals = priced.certainty(chosen, checks.resamples(n_resamples, low=10), share, rng)
        along = {number: priced.along(number) for number in priced.table.uncertain}
        labels = (*self.classes, *([REFER] if priced.table.refer is not None else []))
        shared = priced.use[:, None] * priced.rates(names[chosen])
        alternatives = tuple(
            ClassAlternative(names[i], float(costs[i]), float(costs[i] - costs[chosen]), intervals.get(names[i]))
            for i in np.argsort(costs, kind="stable").tolist()
            if i != chosen
        )
        kinds = dict.fromkeys(priced.trivial, "always") | dict.fromkeys(self.names, "labels")
        kinds |= dict.fromkeys(priced.soft, "scores") | {f"always {REFER}": REFER}
        return ClassDecision(
            names[chosen], float(costs[chosen]), alternatives,
            {c: dict(zip(labels, row, strict=True)) for c, row in zip(self.classes, shared.tolist(), strict=True)},
            {number: w.around(names[chosen], priced.table.entries[number].mean) for number, w in along.items()}, sure,
            priced.uncalibrated(), priced.table, dict(zip(self.classes, priced.use.tolist(), strict=True)),
            checks.text(unit, "unit"), along, kinds[names[chosen]],
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
        priced = self._priced(matrix, shares)
        priced.table.place(number)
        if between is not None:
            priced = replace(priced, table=priced.table.between(number, between))
        if number not in priced.table.uncertain:
            raise ConditionError(f"{in_words(number)} has a certain cost: pass between=(low, high) to move along it")
        return priced.along(number)


@dataclass(frozen=True, eq=False)
class _Priced:
    """A comparison under a cost matrix, its classes in these shares."""

    models: dict[str, NDArray[Any]]
    index: Places | None
    weights: Floats | None
    table: CostMatrix
    use: Floats
    # The share of each class in use by its share in the data.
    scale: Floats

    @property
    def tie(self) -> float:
        """Costs that differ by less are the same."""
        return ROUNDING * float(np.abs(self.table.means).max())

    @property
    def trivial(self) -> dict[str, NDArray[Any]]:
        """The competitors that need no model."""
        found = {f"always {label!r}": np.array(j) for j, label in enumerate(self.table.classes)}
        return found if self.table.refer is None else found | {f"always {REFER}": np.array(len(found))}

    @property
    def soft(self) -> dict[str, Floats]:
        """The models that are given by probabilities."""
        return {} if self.index is None else {name: m for name, m in self.models.items() if m.ndim == 2}

    @cached_property
    def rules(self) -> dict[str, NDArray[Any]]:
        """Every competitor: labels of cases, a confusion matrix, or one label for all."""
        weighted = self.scale[:, None] * self.table.means
        labels = {name: first_least(_expected(p, weighted), 0.0) for name, p in self.soft.items()}
        return self.models | labels | self.trivial

    def rates(self, name: str, rule: NDArray[Any] | None = None) -> Floats:
        """Return the share of each class (row) that gets each label, by a competitor or by other labels."""
        rule, k, columns = self.rules[name] if rule is None else rule, self.use.size, self.table.means.shape[1]
        if rule.ndim == 0:
            return np.tile(np.arange(columns) == rule, (k, 1)).astype(np.float64)
        if self.index is None:
            counts = np.hstack([rule, np.zeros((k, columns - k))])
        else:
            places = self.index * columns + rule
            counts = np.bincount(places, self.weights, k * columns).reshape(k, columns)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    @cached_property
    def costs(self) -> Floats:
        """What each competitor costs per case."""
        return np.array([self.use @ (self.rates(name) * self.table.means).sum(axis=1) for name in self.rules])

    def uncalibrated(self) -> tuple[str, ...]:
        """Name the models that would cost less if they took the likeliest class."""
        found = []
        for name, p in self.soft.items():
            own = float(self.costs[list(self.rules).index(name)])
            likeliest = float(self.use @ (self.rates(name, np.argmax(p, axis=1)) * self.table.means).sum(axis=1))
            if likeliest < own - self.tie:
                about = {"model": name, "likeliest": likeliest, "own": own, "question": _words()}
                found.append(say("classes_uncalibrated", about))
        return tuple(found)

    def certainty(
        self, chosen: int, n: int, level: float, rng: Any
    ) -> tuple[int, ClassConfidence, dict[str, tuple[float, float]]]:
        """Return the decision, which is one label for all if no model pays, its price and grade, and what the others cost more."""
        why = "n_resamples needs the cases, and a comparison of confusion matrices has no cases"
        index = checks.needed(self.index, why)
        use, matrix, costs = self.use, self.table.means, self.costs
        weights = np.ones(index.size) if self.weights is None else self.weights
        cases = np.bincount(index[weights > 0], minlength=use.size)
        counts = dict(zip(self.table.classes, cases.tolist(), strict=True))
        if cases.min() < TOO_FEW:
            return chosen, ClassConfidence(n, level, counts), {}
        rng = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(checks.entropy(rng))
        names, labels = list(self.rules), list(self.rules.values())
        inside, left = _redrawn(index, weights, np.column_stack([matrix[index, rule] for rule in labels]), use, n, rng)
        spread, base = np.ptp(matrix, axis=1), float(use @ matrix.min(axis=1))
        # What is cheapest on each draw: its cost there, that of what the three draws before took, and its cost on the cases left out.
        row, picks = np.arange(n), first_least(inside, self.tie)
        others = np.mean([inside[row, np.roll(picks, q)] for q in range(1, JUDGES + 1)], axis=0)
        mine = float(costs[chosen]), float(use @ left(picks)), inside[row, picks], others
        price, low, high, _ = ends(*mine, level)
        models = len(self.models)
        trivial = models + int(first_least(costs[models:], 0.0))
        pays = bool(price < costs[trivial])
        if not pays:
            chosen, price = trivial, float(costs[trivial])
            low = high = price
            mine = price, price, inside[:, trivial], inside[:, trivial]
        elif costs[chosen] <= base + self.tie:  # no error here: the rule of three
            high = max(high, base + 3 * float(np.max(use * spread / cases)))
        rivals = [j for j in range(len(labels)) if j != chosen]
        # Estimate, low and high of what each other rule costs more; with the same labels here, by the rule of three.
        stories = [(costs[j], costs[j], inside[:, j], inside[:, j]) for j in rivals]
        more = np.array([ends(*minus(story, mine), level)[:3] for story in stories])
        same = [j < models and bool(np.all(labels[j] == labels[chosen])) for j in rivals]
        more[same] = np.array([0.0, -1.0, 1.0]) * 3 / index.size * float(np.max(self.scale * spread))
        enough, worst = CLEAR * (price - base), max(0.0, -float(more[:, 1].min()))
        wanted = Labels(0, 0)
        if worst > enough:
            many, binding = more_labels(-more[:, 0], more[:, 0] - more[:, 1], enough, index.size)
            differ = float(np.average(labels[rivals[binding]] != labels[chosen], weights=weights))
            wanted = Labels(many, None if many is None else math.ceil(many * differ))
        grade = graded(worst, enough, 0.0, doubtful=int(cases.min()) < FEW)
        found = ClassConfidence(n, level, counts, price, (max(low, base), high), worst, enough, grade, wanted, pays)
        spans = {names[j]: (float(a), max(float(b), 0.0)) for j, (_, a, b) in zip(rivals, more, strict=True)}
        return chosen, found, spans

    def along(self, number: Number) -> ClassWinners:
        """Return who is cheapest along one number."""
        (i, j), entry = self.table.place(number), self.table.entries[number]
        moved = np.zeros_like(self.table.means)
        moved[slice(None) if number == REFER else i, j] = 1.0
        fixed, between = np.where(moved > 0, 0.0, self.table.means), np.array([entry.low, entry.high])
        curves = {}
        for name in self.rules:
            if name in self.soft:
                curves[name] = self._curve(self.soft[name], fixed, moved, j, between)
            else:  # labels that do not depend on the costs
                line = [np.array([self.use @ (self.rates(name) * part).sum(axis=1)]) for part in (fixed, moved)]
                curves[name] = ClassCurve(between, *line)
        scale = float(max(np.abs(self.table.means).max(), *np.abs(between)))
        return ClassWinners.of(number, curves, ROUNDING * scale)

    def _curve(self, p: Floats, fixed: Floats, moved: Floats, label: int, between: Floats) -> ClassCurve:
        """Return the cost of labelling by expected cost: only `label` has a slope, so each case leaves it at most once."""
        low, high = between.tolist()
        index, weights, scale = self.index, self.weights, self.scale[:, None]
        at_0, slope = _expected(p, scale * fixed), _expected(p, scale * moved[:, [label]])[:, 0]
        own = at_0[:, label].copy()
        at_0[:, label] = math.inf
        other, best, begin = first_least(at_0, 0.0), at_0.min(axis=1), own + slope * low
        # Of equal labels the one with the smaller slope, which stays the cheaper, then the first.
        taken = (begin < best) | ((begin == best) & (slope == 0) & (label < other))
        with np.errstate(divide="ignore", invalid="ignore"):
            leaves = np.where(taken & (slope > 0), (best - own) / slope, np.where(taken, math.inf, low))
        mass = scale[index, 0] * (1.0 if weights is None else weights)
        stops, place = np.unique(np.maximum(leaves, low), return_inverse=True)
        # Pieces: before the first case leaves the label, and after each that does within the range.
        inside = stops < high
        breaks, lines = np.concatenate([[low], stops[inside], [high]]), []
        kept = np.diff(breaks) > 0
        for table in (fixed, moved):
            changes = np.bincount(place, mass * (table[index, other] - table[index, label]), stops.size)
            sums = np.cumsum(np.append(mass @ table[index, label], changes[inside]))
            lines.append(sums[kept] / (len(p) if weights is None else weights.sum()))
        return ClassCurve(np.append(breaks[:-1][kept], high), *lines)


def _expected(p: Floats, costs: Floats) -> Floats:
    """Return the expected cost of each label, added up class by class: equal columns give equal sums."""
    total: Floats = p[:, :1] * costs[0]
    for i in range(1, len(costs)):
        total += p[:, i : i + 1] * costs[i]
    return total


def _redrawn(
    index: Places, weights: Floats, paid: Floats, use: Floats, n: int, rng: np.random.Generator
) -> tuple[Floats, Callable[[Places], Floats]]:
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


@documented_by(see="hand_till isocost.ClassComparison")
def one_vs_rest(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
) -> dict[Any, Comparison]:
    """Compare models class by class, each class against all others, by its own score.

    Each comparison is exact for its own question. Together they are a view, not a decision: thresholds chosen class by class need not
    give each case exactly one label. For decisions about all classes, and for cost matrices, use `ClassComparison`.

    Parameters
    ----------
    y_true : array of shape (n,)
    scores : dict of name to array of shape (n, k)
        One column per class; higher means more likely.
    classes : sequence of k labels, optional
        The classes of the columns; the sorted labels of `y_true` by default.

    Returns
    -------
    dict of class to Comparison

    Examples
    --------
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> parts = ic.compare.one_vs_rest(list("abcabc"), {"model": p})
    >>> {label: ic.auc(part["model"]) for label, part in parts.items()}
    {'a': 1.0, 'b': 0.875, 'c': 1.0}
    """
    index, found, weights, columns = _labelled(y_true, classes, sample_weight, scores)
    return {
        label: Comparison.from_scores(index == a, {m: p[:, a] for m, p in columns.items()}, sample_weight=weights)
        for a, label in enumerate(found)
    }


@documented_by(see="one_vs_rest isocost.delong")
def hand_till(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Hashable] | None = None,
    level: float = 0.90,
) -> dict[str, DeLong]:
    """Return Hand and Till's multi-class AUC of each model with its interval: the mean over all ordered pairs of classes.

    Parameters
    ----------
    y_true, scores, classes
        As in `one_vs_rest`; at least two cases of each class.

    Returns
    -------
    dict of str to DeLong

    References
    ----------
    Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831. The variance is DeLong's, over all pairs at once.

    Examples
    --------
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> ic.compare.hand_till(list("abcabc"), {"model": p})["model"]
    <DeLong: AUC 0.9583, 90 % 0.67 to 0.9962>
    """
    index, found, _, columns = _labelled(y_true, classes, None, scores)
    for label, many in zip(found, np.bincount(index, minlength=len(found)).tolist(), strict=True):
        checks.whole(many, f"the number of cases of {label!r}", low=2)
    return {name: of_pairs(index, matrix, level) for name, matrix in columns.items()}

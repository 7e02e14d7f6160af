"""Resamples: how often each unit of cases is drawn, and what every model's thresholds flag of the drawn cases."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.curves import RocCurve
from isocost.curves.hull import Hulls, upper_hulls
from isocost.data import checks
from isocost.data.cases import Cases
from isocost.data.checks import Bools, Floats
from isocost.data.joint import JointCounts
from isocost.errors import FewCasesWarning, InputError

Whole = NDArray[Any]

# How many other resamples choose the thresholds that a resample pays for where two models are compared, in which the noise of two choices
# adds up: the first so many resamples only choose.
JUDGES_OF_TWO = 4
# Below this many cases of a class the coverage study finds bands that cover less than their level.
_FEW = 20
# Numbers of one batch of resamples: bounds the memory, and is enough that the work outweighs the calls.
_CELLS = 2**20
# The largest block of memory that glibc learns from to keep, rather than give back, what is freed; 32 MB with its header.
_KEPT = 2**25 - 2**13
# A resample that misses a class is drawn again; so many times in a row means it will never have both.
TRIES = 1000


@dataclass(frozen=True, eq=False)
class Order:
    """The rows of each class from the highest score of a model down, and how many of them each cut flags.

    Cut c flags the c highest distinct scores. `cuts` are those that can be the first of the cheapest: where positives rise, and both ends.
    """

    negative: Whole
    positive: Whole
    negatives: Whole
    positives: Whole
    thresholds: Floats
    cuts: Whole

    @classmethod
    def of(cls, block: Whole, positive: Bools, thresholds: Floats, some: Whole | None = None) -> Order:
        """Sort the rows of each class, all or some, by the numbers of their scores, the highest of which is 0."""
        rows, counts = [], []
        label = positive if some is None else positive[some]
        for own in (np.flatnonzero(~label), np.flatnonzero(label)):
            ranked = own[np.argsort(block[own], kind="stable")]
            rows.append(ranked if some is None else some[ranked])
            counts.append(np.append(0, np.cumsum(np.bincount(block[own], minlength=thresholds.size))))
        return cls(rows[0], rows[1], counts[0], counts[1], thresholds, _rising(counts[1]))

    def counts(self, times: Whole, unit: Whole | None, mass: Floats | None, cases: int) -> Counts:
        """Return the curves where units are drawn so often."""
        return Counts(self, *(self._path(times, rows, unit, mass, cases) for rows in (self.negative, self.positive)))

    def _path(self, times: Whole, rows: Whole, unit: Whole | None, mass: Floats | None, cases: int) -> Whole:
        weight = times.take(rows if unit is None else unit[rows], axis=1)
        if mass is not None:
            weight = weight * mass[rows]
        small = mass is None and cases < 2**31
        kind = np.float64 if weight.dtype.kind == "f" else np.int32 if small else np.int64
        path = np.zeros((len(times), rows.size + 1), dtype=kind)
        np.cumsum(weight, axis=1, out=path[:, 1:])
        return path


def _rising(positives: Whole) -> Whole:
    rises = np.diff(positives) > 0
    rises[-1] = True
    return np.append(0, np.flatnonzero(rises) + 1)


@dataclass(frozen=True, eq=False)
class Counts:
    """Cumulated weights of the rows of each class in the order of one model, on several resamples."""

    order: Order
    negative: Whole
    positive: Whole

    @classmethod
    def of_paths(cls, fp: Whole, tp: Whole, thresholds: Floats, data: Whole) -> Counts:
        """Return curves of counts that are cumulated already, shape (resamples, cuts); `data` are the positives of the data so."""
        places, none = np.arange(data.size), np.zeros(0, dtype=np.intp)
        return cls(Order(none, none, places, places, thresholds, _rising(data)), fp, tp)

    @classmethod
    def of_curve(cls, curve: RocCurve) -> Counts:
        """Return a curve of cases, nobody first."""
        fp, tp = (np.asarray(counts, dtype=np.float64) for counts in (curve.fp, curve.tp))
        return cls.of_paths(fp[None, :], tp[None, :], curve.thresholds[1:], tp)

    def __len__(self) -> int:
        return len(self.negative)

    @property
    def totals(self) -> tuple[Whole, Whole]:
        """The negatives and positives of each resample."""
        return self.negative[:, -1], self.positive[:, -1]

    def at(self, row: Whole, cut: Whole) -> tuple[Whole, Whole]:
        """Return the negatives and positives that cuts of resamples flag."""
        paths = ((self.negative, self.order.negatives), (self.positive, self.order.positives))
        fp, tp = (path.ravel().take(row * path.shape[1] + place[cut]) for path, place in paths)
        return fp, tp

    def flagged(self, cuts: Whole) -> tuple[Whole, Whole]:
        """Return the negatives and positives that some cuts flag on every resample, shape (resamples, cuts)."""
        order = self.order
        return self.negative.take(order.negatives[cuts], axis=1), self.positive.take(order.positives[cuts], axis=1)

    def rates(self, cuts: Whole) -> tuple[Floats, Floats]:
        """Return fpr and tpr of cuts: the same ones for every resample, or of shape (resamples, any)."""
        fp, tp = self.flagged(cuts) if cuts.ndim == 1 else self.at(np.arange(len(self))[:, None], cuts)
        n0, n1 = self.totals
        return fp / n0[:, None], tp / n1[:, None]

    @cached_property
    def _at_cuts(self) -> tuple[Whole, Whole]:
        return self.flagged(self.order.cuts)

    def hulls(self) -> Hulls:
        """Return the exact hull of each resample: whole counts are compared exactly, and of equal cuts the vertex is the first."""
        cuts, (fp, tp) = self.order.cuts, self._at_cuts
        keep = np.ones(tp.shape, dtype=np.bool_)
        np.greater(tp[:, 1:-1], tp[:, :-2], out=keep[:, 1:-1])
        start = np.append(0, np.cumsum(np.count_nonzero(keep, axis=1)))[:-1]
        at = np.flatnonzero(keep)
        return upper_hulls(fp.ravel().take(at), tp.ravel().take(at), start, cuts[at % cuts.size])

    def areas(self) -> Floats:
        """Return the area under each curve: of whole numbers exactly, up to the last division."""
        cuts, (beside, caught), (n0, n1) = self.order.cuts, self._at_cuts, self.totals
        kind = np.float64 if caught.dtype.kind == "f" else np.int64
        drawn = np.diff(caught, axis=1)
        # Each positive loses against the negatives above it, and half against those beside it.
        above = self.negative.take(self.order.negatives[cuts[1:] - 1], axis=1)
        lost = sum(np.einsum("ij,ij->i", drawn, down, dtype=kind) for down in (above, beside[:, 1:]))
        return np.asarray(1 - lost / (2 * n0.astype(kind) * n1))

    def curves(self, name: str) -> Iterator[RocCurve]:
        """Yield the curve of each resample."""
        thresholds = np.append(np.inf, self.order.thresholds)
        fp, tp = self.flagged(np.arange(thresholds.size))
        kind = np.float64 if fp.dtype.kind == "f" else np.int64
        for x, y in zip(fp.astype(kind), tp.astype(kind), strict=True):
            yield RocCurve(x, y, thresholds, y[-1].item(), x[-1].item(), name)


@dataclass(frozen=True, eq=False)
class Sample:
    """Cases and how they are drawn: of each stratum as many units as it has, each unit as a whole.

    Resample i depends on the cases, the seed and i alone: neither on batches, nor on how many resamples there are, nor on the order of
    the rows. `unit` is None if every row is a unit of its own. Every resample keeps both classes in each of the `parts` (folds). Of `joint`
    counts, `scores` are the numbers of blocks and `size` how many cases a row stands for.
    """

    positive: Bools
    scores: dict[str, NDArray[Any]]
    strata: tuple[Whole, ...]
    parts: Whole
    entropy: tuple[int, ...]
    unit: Whole | None = None
    weights: Floats | None = None
    joint: JointCounts | None = None
    size: Whole | None = None
    stratified: bool = True
    _orders: dict[str, tuple[Order, ...]] = field(default_factory=dict)
    _curves: dict[str, list[RocCurve]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Cases, cluster: ArrayLike | None, entropy: tuple[int, ...], *, stratified: bool = True) -> Sample:
        """Prepare checked rows; their folds, if any, are evaluated apart and averaged."""
        checks.names(checks.some(rows.scores, "scores", "pass at least one model, {'name': scores}"), "model")
        marks = None if cluster is None else checks.groups(cluster, "cluster")
        checks.same_length(y_true=rows.positive, cluster=marks)
        if marks is not None and rows.folds is not None:
            _, first, place = np.unique(marks, return_index=True, return_inverse=True)
            kept = rows.folds[first][place.reshape(-1)] == rows.folds
            checks.every(kept, marks, "cluster", "be in one fold, as it is drawn as a whole")
        rows, marks = _in_order(rows, marks)
        positive, folds = rows.positive, np.zeros(1) if rows.folds is None else np.unique(rows.folds)
        part = np.zeros(positive.size, dtype=np.intp) if rows.folds is None else _numbered(rows.folds)
        for k, fold in enumerate(folds.tolist()):
            what = "resampling" if rows.folds is None else f"resampling fold {fold!r}"
            checks.two_of_each(positive[part == k], what)
        unit = np.arange(positive.size) if marks is None else _numbered(marks)
        of_part = np.zeros(int(unit.max()) + 1, dtype=np.intp)
        of_part[unit] = part
        strata = strata_of(np.bincount(unit, positive) / np.bincount(unit), of_part, stratified=stratified)
        own = None if marks is None else unit
        return cls(positive, rows.scores, strata, part, entropy, own, rows.weights, stratified=stratified)

    @classmethod
    def of_joint(cls, joint: JointCounts, entropy: tuple[int, ...], *, stratified: bool = True) -> Sample:
        """Prepare the rows of a table, those of each class apart."""
        sizes = [int(counts.sum()) for counts in (joint.positives, joint.negatives)]
        checks.two_of_each(np.repeat([True, False], np.minimum(sizes, 2)), "resampling")
        row, positive, size = rows_of(joint)
        strata = (np.flatnonzero(~positive), np.flatnonzero(positive)) if stratified else (np.arange(row.size),)
        blocks = {name: joint.blocks[row, i] for i, name in enumerate(joint.names)}
        parts = np.zeros(row.size, dtype=np.intp)
        return cls(positive, blocks, strata, parts, entropy, joint=joint, size=size, stratified=stratified)

    @property
    def models(self) -> tuple[str, ...]:
        """The models' names."""
        return tuple(self.scores)

    @cached_property
    def units(self) -> int:
        """How many units there are."""
        return self.positive.size if self.unit is None else int(self.unit.max()) + 1

    @property
    def folds(self) -> int:
        """How many folds there are."""
        return int(self.parts.max()) + 1

    @property
    def exact(self) -> bool:
        """Whether every score is known; otherwise some are known up to their block."""
        return self.joint is None or all(map(np.array_equal, self.joint.low, self.joint.high))

    @cached_property
    def mass(self) -> NDArray[Any]:
        """What each row counts in the data."""
        found = self.weights if self.size is None else self.size
        return np.ones(self.positive.size, dtype=np.int64) if found is None else found

    @property
    def totals(self) -> tuple[float, float]:
        """Positives and negatives: cases, or sums of weights."""
        return self.mass[self.positive].sum().item(), self.mass[~self.positive].sum().item()

    @property
    def data(self) -> Whole:
        """The data themselves, as a resample in which every case is drawn once."""
        return np.ones((1, self.units), dtype=np.uint8) if self.size is None else self.size[None, :]

    def orders(self, name: str) -> tuple[Order, ...]:
        """Return the order of a model, one per fold."""
        if name not in self._orders:
            parts = [np.flatnonzero(self.parts == k) for k in range(self.folds)]
            self._orders[name] = tuple(self._order(name, some) for some in parts)
        return self._orders[name]

    def _order(self, name: str, some: Whole) -> Order:
        score = self.scores[name]
        if self.joint is not None:
            return Order.of(score, self.positive, self.joint.low[self.joint.names.index(name)])
        thresholds, place = np.unique(score[some], return_inverse=True)
        cuts = thresholds[::-1].astype(np.float64) + 0.0
        return Order.of(cuts.size - 1 - place.reshape(-1), self.positive, cuts, some)

    def counts(self, name: str, times: Whole) -> list[Counts]:
        """Return the curves of a model where units are drawn so often, one per fold."""
        cases = int(np.sum(times[0], dtype=np.int64))
        return [order.counts(times, self.unit, self.weights, cases) for order in self.orders(name)]

    def curves(self, name: str) -> list[RocCurve]:
        """Return the exact ROC curve of a model on the data, one per fold."""
        if name not in self._curves:
            if self.joint is not None:
                self._curves[name] = [RocCurve.from_counts(self.joint.counts[name], name=name)]
            else:
                self._curves[name] = [curve for c in self.counts(name, self.data) for curve in c.curves(name)]
        return self._curves[name]

    def points(self, name: str, threshold: float) -> list[int]:
        """Return which cut a threshold means, one per fold."""
        if self.joint is not None:
            i = self.joint.names.index(name)
            low, high = self.joint.low[i], self.joint.high[i]
            inside = np.flatnonzero((low < threshold) & (threshold <= high))
            if inside.size:
                ends = low[max(inside[0] - 1, 0) : inside[0] + 1].tolist()
                raise InputError(
                    f"threshold {threshold:g} of {name!r} divides a block of the joint counts: take "
                    f"{' or '.join(map(repr, ends))}, the ends of blocks beside it, or resample the cases themselves"
                )
        return [int(np.count_nonzero(order.thresholds >= threshold)) for order in self.orders(name)]

    def step(self, pcf: Floats) -> Floats:
        """Return what one unit more or less in each class makes of the cost."""
        of_one = []
        for rows in (self.positive, ~self.positive):
            share = self.mass[rows] if self.unit is None else np.bincount(self.unit[rows], self.mass[rows])
            alone = self.weights is None and self.unit is None
            of_one.append(1 / float(share.sum()) if alone else float(np.sum((share / share.sum()) ** 2)))
        return np.hypot(pcf * of_one[0], (1 - pcf) * of_one[1])

    def many(self, label: bool) -> int:
        """Return the cases of a class, or clusters with such cases."""
        rows = self.positive == label
        if self.unit is None:
            return int(np.count_nonzero(rows) if self.size is None else self.size[rows].sum())
        return int(np.unique(self.unit[rows]).size)

    def coarse(self, name: str) -> bool:
        """Return whether a model has fewer different scores than the root of the cases, in some fold."""
        cases = np.bincount(self.parts) if self.joint is None else [sum(self.totals)]
        pairs = zip(self.orders(name), cases, strict=True)
        return self.exact and any(order.thresholds.size < math.sqrt(many) for order, many in pairs)

    def warn(self) -> None:
        """Say what few cases, or classes without overlap, do to bands."""
        found = []
        for label, rate, positive in (("positives", "tpr", True), ("negatives", "fpr", False)):
            if (many := self.many(positive)) < _FEW:
                what = (
                    f"{label if self.unit is None else f'clusters with {label}'}, each worth {1 / many:.2g} of {rate}"
                )
                found.append(f"Only {many} {what}: bands are coarse and cover less than their level")
        for name in self.models:
            if all(separates(curve, perfect=True) for curve in self.curves(name)):
                sizes = np.count_nonzero(self.positive), np.count_nonzero(~self.positive)
                most = min(1.0, 3 / min(sizes if self.size is None else self.totals))
                why = f"{name!r} makes no error on these cases, so its band has no width"
                found.append(f"{why}. Error rates up to {most:.2g} are still possible")
        for text in found:
            warnings.warn(text, FewCasesWarning, stacklevel=4)

    def draws(self, start: int, stop: int) -> Iterator[Whole]:
        """Yield how often each unit is drawn in consecutive resamples."""
        size = max(1, _CELLS // self.units)
        # Allocated and freed, untouched: from then on batches work in the memory of those before them. New memory from the system for
        # each of them would take up to a third of the time.
        np.empty(_KEPT, dtype=np.uint8)
        for first in range(start, stop, size):
            yield np.stack([self._draw(i) for i in range(first, min(first + size, stop))])

    def _draw(self, resample: int) -> Whole:
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([*self.entropy, resample])))
        for _ in range(TRIES):
            times = np.zeros(self.units, dtype=np.uint8 if self.size is None else np.int64)
            for units in self.strata:
                if self.size is not None:
                    cases = self.size[units]
                    times[units] = rng.multinomial(cases.sum(), cases / cases.sum())
                    continue
                # Whole numbers only, so that every platform draws the same cases.
                picked = rng.integers(0, units.size, size=units.size, dtype=np.int32)
                np.add.at(times, units[picked], np.uint8(1))  # 256 times one of several hundred: never by chance
            if (self.stratified and self.unit is None) or self._complete(times):
                return times
        raise incomplete("cases" if self.unit is None else "clusters")

    def _complete(self, times: Whole) -> bool:
        drawn = times if self.unit is None else times[self.unit]
        return bool(np.bincount(2 * self.parts + self.positive, drawn > 0, minlength=2 * self.folds).all())


def incomplete(units: str) -> InputError:
    """Return the error about resamples that keep missing a class."""
    ways = {"cases": "use stratified=True", "clusters": "use more clusters that hold it, or leave out cluster="}
    return InputError(f"resamples of {units} keep missing a class, which too few {units} hold: {ways[units]}")


def separates(curve: RocCurve, *, perfect: bool) -> bool:
    """Tell whether all positives are above all negatives, or all below them; a tie of the two is neither."""
    first, then = (curve.tp, curve.fp) if perfect else (curve.fp, curve.tp)
    return bool(np.any((first == first[-1]) & (then == 0)))


def rows_of(joint: JointCounts) -> tuple[Whole, Bools, Whole]:
    """Return the rows of a table class by class, negatives first: which row, whether positive, and how many cases."""
    some = [np.flatnonzero(counts) for counts in (joint.negatives, joint.positives)]
    row, positive = np.concatenate(some), np.repeat([False, True], [rows.size for rows in some])
    return row, positive, np.where(positive, joint.positives[row], joint.negatives[row])


def _in_order(rows: Cases, marks: NDArray[Any] | None) -> tuple[Cases, NDArray[Any] | None]:
    """Return the rows that count, in an order of their own: what a seed draws must not depend on how they were given."""
    if marks is not None and np.unique(marks).size == marks.size:
        marks = None  # clusters of one row each
    keys = [rows.scores[name] for name in sorted(rows.scores)]
    keys += [key for key in (rows.weights, rows.folds, marks) if key is not None]
    order = np.lexsort([*keys[::-1], rows.positive])
    if rows.weights is not None:
        order = order[rows.weights[order] > 0]
    weights, folds, marks = (None if v is None else v[order] for v in (rows.weights, rows.folds, marks))
    scores = {name: s[order] for name, s in rows.scores.items()}
    return replace(rows, positive=rows.positive[order], scores=scores, weights=weights, folds=folds), marks


def _numbered(marks: NDArray[Any]) -> Whole:
    return np.asarray(np.unique(marks, return_inverse=True)[1], dtype=np.intp)


def strata_of(share: Floats, part: Whole | int = 0, *, stratified: bool = True) -> tuple[Whole, ...]:
    """Return the units of which as many are drawn as there are, by their shares of positives: of each part, and each class if none mix."""
    checks.whole(share.size, "the number of clusters", low=2)
    mixed = np.any((share > 0) & (share < 1))
    key = part + np.zeros(share.size, dtype=np.intp) if mixed or not stratified else 2 * part + (share == 1)
    return tuple(np.flatnonzero(key == k) for k in np.unique(key))


def replicated(sample: Sample, values: Sequence[Callable[[Whole], Any]], resamples: int) -> tuple[Floats, Floats]:
    """Return a value on each resample, or the first of two less the second, and the same on the data."""

    def on(times: Whole) -> Floats:
        first, *second = (value(times) for value in values)
        return np.asarray(first - second[0] if second else first, dtype=np.float64)

    drawn = sample.draws(JUDGES_OF_TWO, JUDGES_OF_TWO + resamples)
    return np.concatenate([on(times) for times in drawn]), on(sample.data)[0]

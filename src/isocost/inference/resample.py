"""Resamples: how often each unit of cases is drawn, and what every model's thresholds flag of the drawn cases."""

from __future__ import annotations

import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.curves import RocCurve
from isocost.curves.hull import Hulls, eliminate, reaching, upper_hulls
from isocost.data import checks
from isocost.data.cases import Cases
from isocost.data.checks import Bools, Floats
from isocost.data.joint import JointCounts
from isocost.errors import FewCasesWarning, InputError
from isocost.numbers import counted

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


class Curves(ABC):
    """The curve of one model on several resamples. Cut c flags the c highest distinct scores."""

    # The cuts that can be the first of the cheapest, and both ends; and the places of those between which `hulls` looks first.
    cuts: Whole
    edges: Whole

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of resamples."""

    @abstractmethod
    def at(self, row: Whole, cut: Whole) -> tuple[Whole, Whole]:
        """Return the negatives and positives that cuts of resamples flag."""

    @abstractmethod
    def flagged(self, cuts: Whole) -> tuple[Whole, Whole]:
        """Return the negatives and positives that some cuts flag on every resample, shape (resamples, cuts)."""

    @abstractmethod
    def areas(self) -> Floats:
        """Return the area under each curve."""

    @property
    @abstractmethod
    def totals(self) -> tuple[Whole, Whole]:
        """The negatives and positives of each resample."""

    def rates(self, cuts: Whole) -> tuple[Floats, Floats]:
        """Return fpr and tpr of cuts: the same ones for every resample, or of shape (resamples, any)."""
        fp, tp = self.flagged(cuts) if cuts.ndim == 1 else self.at(np.arange(len(self))[:, None], cuts)
        n0, n1 = self.totals
        return fp / n0[:, None], tp / n1[:, None]

    def hulls(self) -> Hulls:
        """Return the exact hull of each resample; whole counts are compared exactly.

        The hull of the edges shows which stretches between them may hold a vertex. Of cuts that are equal on a resample the vertex is the
        first, which flags a positive more than the one before it.
        """
        many, edges, (n0, n1) = len(self), self.edges, self.totals
        first, last = (np.broadcast_to(v, (many,)) for v in (0, self.cuts[-1]))
        # Resamples lie end to end, as if they were one long curve.
        before = [
            np.concatenate([[0], np.cumsum(n, dtype=np.float64 if n.dtype.kind == "f" else np.int64)[:-1]])
            for n in (n0, n1)
        ]
        fp, tp = self.flagged(self.cuts[edges])
        x, y = ((v + offset[:, None]).ravel() for v, offset in zip((fp, tp), before, strict=True))
        rises = np.append(False, y[1:] > y[:-1])
        end = np.tile(np.isin(edges, edges[[0, -1]]), many)
        able = np.flatnonzero(rises | end)
        _, _, outer = eliminate(x[able], y[able], able, end[able])
        vertex = np.zeros(x.size, dtype=np.bool_)
        vertex[outer] = True
        stretch = np.flatnonzero((reaching(x, y, outer) | vertex[1:]) & rises[1:])
        row, k = np.divmod(stretch, edges.size)
        size = np.diff(edges)[k]
        begin = np.cumsum(size) - size
        inner = np.arange(int(size.sum())) + np.repeat(edges[k] + 1 - begin, size)
        rows, inner = np.repeat(row, size), self.cuts[inner]
        u, v = self.at(rows, inner)
        able = np.append(True, v[1:] > v[:-1])
        able[begin] = v[begin] > tp.ravel()[stretch]
        at = np.flatnonzero(able)
        rows, u, v, inner = rows[at], u[at], v[at], inner[at]
        place = np.searchsorted(rows, np.arange(many)), np.searchsorted(rows, np.arange(many), side="right")
        where = np.stack(place, axis=1).ravel()
        u, v, inner = (
            np.insert(values, where, np.stack(ends, axis=1).ravel())
            for values, ends in ((u, (first, n0)), (v, (first, n1)), (inner, (first, last)))
        )
        kind = np.float64 if u.dtype.kind == "f" else np.int64  # products of two differences need more digits
        return upper_hulls(u.astype(kind), v.astype(kind), place[0] + 2 * np.arange(many), inner)


@dataclass(frozen=True, eq=False)
class Order:
    """The rows of each class from the highest score of a model down, and how many of them each cut flags."""

    negative: Whole
    positive: Whole
    negatives: Whole
    positives: Whole
    thresholds: Floats

    @classmethod
    def of(cls, block: Whole, positive: Bools, thresholds: Floats) -> Order:
        """Sort the rows of each class by the numbers of their scores, the highest of which is 0."""
        rows, counts = [], []
        for mask in (~positive, positive):
            some = np.flatnonzero(mask)
            rows.append(some[np.argsort(block[some], kind="stable")])
            counts.append(np.append(0, np.cumsum(np.bincount(block[some], minlength=thresholds.size))))
        return cls(rows[0], rows[1], counts[0], counts[1], thresholds)

    @classmethod
    def of_scores(cls, score: NDArray[Any], positive: Bools, some: Whole) -> Order:
        """Sort some rows of each class by their scores."""
        thresholds = np.unique(score[some])[::-1]
        rows, counts = [], []
        for label in (False, True):
            own = some[positive[some] == label]
            rows.append(own[np.argsort(score[own])[::-1]])
            counts.append(np.append(0, own.size - np.searchsorted(score[rows[-1]][::-1], thresholds, side="left")))
        return cls(rows[0], rows[1], counts[0], counts[1], thresholds.astype(np.float64) + 0.0)

    @classmethod
    def of_path(cls, tp: Whole, thresholds: Floats) -> Order:
        """Return the order of counts that are cumulated already."""
        places, none = np.arange(tp.size), np.zeros(0, dtype=np.intp)
        found = cls(none, none, places, places, thresholds)
        vars(found)["cuts"] = rising(tp)
        return found

    @cached_property
    def cuts(self) -> Whole:
        """The cuts that can be the first of the cheapest: those whose last score positives have, and both ends."""
        return rising(self.positives)

    @cached_property
    def edges(self) -> Whole:
        """Places among the cuts between which there are about as many as pay to be looked at together."""
        last = self.cuts.size - 1
        return np.append(np.arange(0, last, max(2, round(last ** (1 / 3) / 3))), last)

    def path(self, times: Whole, of: int, unit: Whole | None, mass: Floats | None, cases: int) -> Whole:
        """Return the cumulated weights of one class, which is `of`, where units are drawn so often."""
        rows = (self.negative, self.positive)[of]
        weight = times.take(rows if unit is None else unit[rows], axis=1)
        if mass is not None:
            weight = weight * mass[rows]
        small = mass is None and cases < 2**31
        path = np.zeros(
            (len(times), rows.size + 1),
            dtype=np.float64 if weight.dtype.kind == "f" else np.int32 if small else np.int64,
        )
        np.cumsum(weight, axis=1, out=path[:, 1:])
        return path


def rising(positives: Whole) -> Whole:
    """Return where cumulated positives rise, and both ends."""
    rises = np.diff(positives) > 0
    rises[-1] = True
    return np.append(0, np.flatnonzero(rises) + 1)


@dataclass(frozen=True, eq=False)
class Counts(Curves):
    """Cumulated weights of the rows of each class in the order of one model, on several resamples."""

    order: Order
    negative: Whole
    positive: Whole

    @classmethod
    def of_path(cls, fp: Whole, tp: Whole, thresholds: Floats) -> Counts:
        """Return one curve at all its cuts."""
        return cls(Order.of_path(tp, thresholds), fp[None, :], tp[None, :])

    @classmethod
    def of_curve(cls, curve: RocCurve) -> Counts:
        """Return a curve of cases, nobody first."""
        fp, tp = (np.asarray(counts, dtype=np.float64) for counts in (curve.fp, curve.tp))
        return cls.of_path(fp, tp, curve.thresholds[1:])

    def __len__(self) -> int:
        """Return the number of resamples."""
        return len(self.negative)

    @property
    def cuts(self) -> Whole:  # type: ignore[override]
        """Those of the order."""
        return self.order.cuts

    @property
    def edges(self) -> Whole:  # type: ignore[override]
        """Those of the order."""
        return self.order.edges

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

    def areas(self) -> Floats:
        """Return the area under each curve: of whole numbers exactly, up to the last division."""
        order, cuts, (n0, n1) = self.order, self.cuts, self.totals
        kind = np.float64 if self.negative.dtype.kind == "f" else np.int64
        place = order.positives[cuts]
        rises = np.diff(place) > 0
        alone = place.size == self.positive.shape[1] and rises.all()
        drawn = np.diff(self.positive if alone else self.positive.take(place, axis=1), axis=1)
        # Each positive loses against the negatives above it, and half against those beside it.
        above, beside = order.negatives[cuts[1:] - 1], order.negatives[cuts[1:]]
        ends = [above] if np.array_equal(above[rises], beside[rises]) else [above, beside]
        lost = sum(
            np.multiply(drawn, self.negative.take(at, axis=1), dtype=kind).sum(axis=1) * (2 // len(ends)) for at in ends
        )
        return np.asarray(1 - lost / (2 * n0.astype(kind) * n1))

    def curves(self, name: str, *, hull_only: bool = False) -> Iterator[RocCurve]:
        """Yield the curve of each resample; only its hull if nothing else matters, for speed."""
        thresholds = np.append(np.inf, self.order.thresholds)
        if hull_only:
            hulls = self.hulls()
            parts = [np.split(v, hulls.start[1:-1]) for v in (hulls.fp, hulls.tp, thresholds[hulls.point])]
        else:
            fp, tp = self.flagged(np.arange(thresholds.size))
            kind = fp.dtype if fp.dtype.kind == "f" else np.int64
            parts = [list(fp.astype(kind)), list(tp.astype(kind)), [thresholds] * len(self)]
        for x, y, at in zip(*parts, strict=True):
            yield RocCurve(x, y, at, y[-1].item(), x[-1].item(), name)


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
        checks.names(rows.scores, "model")
        if not rows.scores:
            raise InputError("scores is empty: pass at least one model, {'name': scores}")
        marks = None if cluster is None else checks.groups(cluster, "cluster")
        checks.same_length(y_true=rows.positive, cluster=marks)
        rows, marks = _in_order(rows, marks)
        checks.two_of_each(rows.positive, "resampling")
        part = np.zeros(rows.positive.size, dtype=np.intp) if rows.folds is None else _numbered(rows.folds)
        _check_parts(part, rows.positive, rows.folds)
        unit, strata = _strata(rows.positive, part, marks, stratified=stratified)
        return cls(
            rows.positive,
            rows.scores,
            strata,
            part,
            entropy,
            unit if marks is not None else None,
            rows.weights,
            stratified=stratified,
        )

    @classmethod
    def of_joint(
        cls, joint: JointCounts, given: dict[str, Any], entropy: tuple[int, ...], *, stratified: bool = True
    ) -> Sample:
        """Prepare the rows of a table, those of each class apart; nothing else may be given."""
        for name, value in given.items():
            if value is not None:
                raise InputError(f"{name}= goes with labels and scores; joint counts hold the cases already")
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
    def alike(self) -> bool:
        """Whether every row is one case that counts one and is drawn alone."""
        return self.unit is None and self.weights is None and self.size is None

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
            score = self.scores[name]
            if self.joint is None:
                found = [
                    Order.of_scores(score, self.positive, np.flatnonzero(self.parts == k)) for k in range(self.folds)
                ]
            else:
                found = [Order.of(score, self.positive, self.joint.low[self.joint.names.index(name)])]
            self._orders[name] = tuple(found)
        return self._orders[name]

    def counts(self, name: str, times: Whole) -> list[Counts]:
        """Return the curves of a model where units are drawn so often, one per fold."""
        cases = int(np.sum(times[0], dtype=np.int64))
        return [
            Counts(order, *(order.path(times, of, self.unit, self.weights, cases) for of in (0, 1)))
            for order in self.orders(name)
        ]

    def curves(self, name: str) -> list[RocCurve]:
        """Return the exact ROC curve of a model on the data, one per fold."""
        if name not in self._curves:
            if self.joint is not None:
                found = [RocCurve.from_counts(self.joint.counts[name], name=name)]
            elif self.alike and self.folds == 1:  # sorting the scores is quicker than ranking the rows
                found = [RocCurve.from_scores(self.positive, self.scores[name], name=name)]
            else:
                found = [curve for counts in self.counts(name, self.data) for curve in counts.curves(name)]
            self._curves[name] = found
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
        if self.joint is not None:
            return self.exact and self.orders(name)[0].thresholds.size < math.sqrt(sum(self.totals))
        for k in range(self.folds):
            scores = self.scores[name] if self.folds == 1 else self.scores[name][self.parts == k]
            root = math.sqrt(scores.size)
            # A few tell already, unless they are few values.
            some = scores[:: max(1, int(root) // 8)]
            if np.unique(some).size < root and np.unique(scores).size < root:
                return True
        return False

    def warn(self) -> None:
        """Say what few cases, or classes without overlap, do to bands."""
        for label, rate, positive in (("positives", "tpr", True), ("negatives", "fpr", False)):
            if (many := self.many(positive)) < _FEW:
                what = label if self.unit is None else f"clusters with {label}"
                warnings.warn(
                    f"Only {many} {what}, each worth {1 / many:.2g} of {rate}: bands are coarse and cover less than their level",
                    FewCasesWarning,
                    stacklevel=4,
                )
        for name in self.models:
            if all(separates(curve, perfect=True) for curve in self.curves(name)):
                sizes = np.count_nonzero(self.positive), np.count_nonzero(~self.positive)
                most = min(1.0, 3 / min(sizes if self.size is None else self.totals))
                warnings.warn(
                    f"{name!r} makes no error on these cases, so its band has no width. "
                    f"Error rates up to {most:.2g} are still possible",
                    FewCasesWarning,
                    stacklevel=4,
                )

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
                together = units[-1] - units[0] + 1 == units.size
                place = units[0] + picked.astype(np.intp) if together else units[picked]
                np.add.at(times, place, np.uint8(1))  # 256 times one of several hundred: never by chance
            if self._always_complete or self._complete(times):
                return times
        if self.unit is None:
            raise InputError(
                "Cannot resample: one class has too few cases to be in every resample. Use stratified=True"
            )
        raise InputError(
            f"Cannot resample whole clusters: one class occurs in too few of the {self.units}. "
            "Use fewer clusters per class or drop cluster="
        )

    @cached_property
    def _kinds(self) -> Whole:
        """Which class and part each row belongs to, as one number."""
        return 2 * self.parts + self.positive

    @cached_property
    def _always_complete(self) -> bool:
        """Whether every draw has both classes in every part: each stratum lies in one class and one part."""
        kinds = np.full(self.units, -1)
        unit = np.arange(self.units) if self.unit is None else self.unit
        kinds[unit] = self._kinds
        whole = bool(np.all(kinds[unit] == self._kinds))
        return whole and all(np.ptp(kinds[units]) == 0 for units in self.strata)

    def _complete(self, times: Whole) -> bool:
        drawn = times if self.unit is None else times[self.unit]
        return bool(np.bincount(self._kinds, drawn > 0, minlength=2 * self.folds).all())


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
    if len(keys) == 1:  # sorting values is quicker than finding their order
        (name,), (score,) = rows.scores, keys
        low, high = (np.sort(score[rows.positive == label]) for label in (False, True))
        positive = np.arange(score.size) >= low.size
        return replace(rows, positive=positive, scores={name: np.concatenate([low, high])}), marks
    classes = [np.flatnonzero(rows.positive == label) for label in (False, True)]
    order = np.concatenate([some[np.argsort(keys[0][some])] for some in classes])
    first = keys[0][order]
    # Rows of one class and score are distinguished by the rest, if there is more.
    if np.any((first[1:] == first[:-1]) & (rows.positive[order][1:] == rows.positive[order][:-1])):
        order = np.lexsort([*keys[::-1], rows.positive])
    if rows.weights is not None:
        order = order[rows.weights[order] > 0]
    weights, folds, marks = (None if v is None else v[order] for v in (rows.weights, rows.folds, marks))
    scores = {name: s[order] for name, s in rows.scores.items()}
    return replace(rows, positive=rows.positive[order], scores=scores, weights=weights, folds=folds), marks


def _numbered(marks: NDArray[Any]) -> Whole:
    return np.asarray(np.unique(marks, return_inverse=True)[1], dtype=np.intp)


def _check_parts(part: Whole, positive: Bools, folds: NDArray[Any] | None) -> None:
    for k, fold in enumerate([] if folds is None else np.unique(folds).tolist()):
        for label, mask in (("positive", positive), ("negative", ~positive)):
            many = int(np.count_nonzero(mask & (part == k)))
            if many < 2:
                raise InputError(f"fold {fold!r} has {counted(many, label)}: each fold needs at least 2 of each class")


def _strata(
    positive: Bools, part: Whole, marks: NDArray[Any] | None, *, stratified: bool
) -> tuple[Whole, tuple[Whole, ...]]:
    """Return each row's unit, and the units of each stratum: by fold, and by class unless a cluster mixes them or nobody asks."""
    unit = np.arange(positive.size) if marks is None else _numbered(marks)
    size = int(unit.max()) + 1
    of_part = np.zeros(size, dtype=np.intp)
    of_part[unit] = part
    if np.any(of_part[unit] != part):
        group = np.unique(unit if marks is None else marks).tolist()[unit[int(np.argmax(of_part[unit] != part))]]
        raise InputError(
            f"cluster {group!r} is spread over several folds: a cluster is drawn as a whole, so keep it in one"
        )
    share = np.bincount(unit, positive) / np.bincount(unit)
    mixed = bool(np.any((share > 0) & (share < 1)))
    if size < 2:
        raise InputError("cluster holds a single cluster: at least two are needed to resample clusters")
    key = of_part if mixed or not stratified else 2 * of_part + (share == 1)
    return unit, tuple(np.flatnonzero(key == k) for k in np.flatnonzero(np.bincount(key)))


def replicated(sample: Sample, values: Sequence[Callable[[Whole], Any]], resamples: int) -> tuple[Floats, Floats]:
    """Return a value on each resample, or the first of two less the second, and the same on the data."""

    def on(times: Whole) -> Floats:
        first, *second = (value(times) for value in values)
        return np.asarray(first - second[0] if second else first, dtype=np.float64)

    drawn = sample.draws(JUDGES_OF_TWO, JUDGES_OF_TWO + resamples)
    return np.concatenate([on(times) for times in drawn]), on(sample.data)[0]

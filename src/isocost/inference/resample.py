"""Resamples of the cases that all models scored: one protocol, and the plain way that draws every case.

Every other engine (`isocost.inference.blocks`) is tested against the plain one.
"""

from __future__ import annotations

import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.curves import RocCurve
from isocost.curves.hull import Hulls, upper_hulls
from isocost.curves.sort import RankedScores
from isocost.data import checks
from isocost.data.cases import Cases
from isocost.data.checks import Bools, Floats
from isocost.data.joint import JointCounts
from isocost.errors import FewCasesWarning, InputError
from isocost.numbers import counted

# How many other resamples choose the thresholds that a resample pays for where two models are compared, in which the noise of two choices
# adds up: the first so many resamples only choose.
JUDGES_OF_TWO = 4


class Curves(ABC):
    """Resamples of one classifier's curve, whatever they are made from."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of resamples."""

    @abstractmethod
    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (resamples, any)."""

    @abstractmethod
    def hulls(self) -> Hulls:
        """Return the hull of each resample."""

    def totals(self) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """Return negatives and positives of each resample, where they may differ."""
        return None

    def areas(self) -> Floats | None:
        """Return the area under each curve, where it comes along with little work."""
        return None

    def lowest(self, pcf: Floats) -> Floats | None:  # noqa: ARG002 - of those that know no scores
        """Return costs that no curve undercuts at each pcf, where scores are known up to their block."""
        return None

    def open_width(self) -> Floats | None:
        """Return how far each area may be from that of tied blocks, where scores are known up to their block."""
        return None


@dataclass(frozen=True, eq=False)
class Paths(Curves):
    """The ROC paths of several replicates of one classifier.

    Attributes
    ----------
    fp, tp : ndarray of shape (replicates, points)
        Cumulative counts (or weights): point 0 flags nobody, point i the i highest distinct scores.
    early : bool or None
        Which of points that only cases not drawn lie between is a vertex: the first, or the last. If None the first one where positives
        are rarer.
    """

    fp: NDArray[Any]
    tp: NDArray[Any]
    early: bool | None = None

    @classmethod
    def of(cls, positives: NDArray[Any], negatives: NDArray[Any], *, early: bool | None = None) -> Paths:
        """Sum up the positives and negatives at each distinct score, scores descending."""
        return cls(_summed(negatives), _summed(positives), early)

    def __len__(self) -> int:
        """Return the number of replicates."""
        return len(self.fp)

    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (replicates, any)."""
        fpr, tpr = (np.take_along_axis(c, point, 1) / c[:, -1:] for c in (self.fp, self.tp))
        return fpr, tpr

    def totals(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return negatives and positives of each replicate."""
        return self.fp[:, -1], self.tp[:, -1]

    def each(self) -> Iterator[tuple[Floats, Floats]]:
        """Yield the fpr and tpr of each replicate."""
        return zip(self.fp / self.fp[:, -1:], self.tp / self.tp[:, -1:], strict=True)

    def hulls(self) -> Hulls:
        """Return the hull of each replicate; whole counts are compared exactly."""
        x, y, width = self.fp, self.tp, self.fp.shape[1]
        # A vertex is reached by going up and left by going right. Looking at the rarer class first leaves least to do.
        able = np.zeros(x.shape, dtype=np.bool_)
        if np.sum(y[:, -1]) <= np.sum(x[:, -1]) if self.early is None else self.early:
            np.greater(y[:, 1:], y[:, :-1], out=able[:, 1:])
        else:
            np.greater(x[:, 1:], x[:, :-1], out=able[:, :-1])
        able[:, 0] = able[:, -1] = True
        at = np.flatnonzero(able)
        point = at % width
        return upper_hulls(_wide(x.ravel()[at]), _wide(y.ravel()[at]), np.flatnonzero(point == 0), point)


def _wide(counts: NDArray[Any]) -> NDArray[Any]:
    # Products of two differences need more digits.
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64)


def _summed(counts: NDArray[Any]) -> NDArray[Any]:
    kind = counts.dtype if counts.dtype in (np.float64, np.int64) else np.int32
    path = np.zeros((counts.shape[0], counts.shape[1] + 1), dtype=kind)
    np.cumsum(counts, axis=1, out=path[:, 1:])
    return path


@dataclass(frozen=True)
class Design:
    """What decides how cases can be resampled.

    Attributes
    ----------
    cases, models, folds : int
    alike : bool
        Whether every row is one case that counts one and is drawn alone.
    counted : bool
        Whether cases come as joint counts.
    fixed : bool
        Whether a threshold is settled beforehand for some model.
    stratified : bool
        Whether the class totals stay as they are.
    """

    cases: int
    models: int
    folds: int = 1
    alike: bool = True
    counted: bool = False
    fixed: bool = False
    stratified: bool = True


class Batch(Protocol):
    """Consecutive resamples of the same cases for all models."""

    def __len__(self) -> int:
        """Return the number of resamples."""

    def curves(self, name: str) -> Sequence[Curves]:
        """Return the curves of one model on these resamples, one entry per fold."""


class Resampler(Protocol):
    """Draws resamples of a sample and finds each model's curves on them.

    Resample i depends on the cases, the seed and i alone: neither on batches, nor on how many resamples there are, nor on the
    order of the rows. Every engine has the distribution of `PlainResampler`: the same means, variances and paired covariances of
    costs at each condition.
    """

    def __init__(self, sample: Sample) -> None: ...

    @classmethod
    def takes(cls, design: Design) -> bool:
        """Return whether such cases can be resampled this way."""

    @classmethod
    def effort(cls, design: Design) -> float:
        """Return about how many scores could be ranked in the time of one resample."""

    def data(self, name: str) -> Sequence[Curves]:
        """Return the curves of one model on the data themselves, one entry per fold; points are numbered as on resamples."""

    def batches(self, resamples: int) -> Iterator[Batch]:
        """Yield consecutive resamples, the first ones first; the last batch may hold more than are wanted."""


# Below this many cases of a class the coverage study finds bands that cover less than their level.
_FEW = 20


@dataclass(frozen=True, eq=False)
class Sample:
    """Cases, how they are drawn, and each model's ranking of them, one per fold.

    Attributes
    ----------
    positive : ndarray of bool
    unit : ndarray of int
        Which unit each row belongs to; a unit is drawn as a whole.
    strata : tuple of ndarray of int
        The units of each stratum; as many are drawn from it as it has.
    parts : ndarray of int
        Which part (fold) each row belongs to: every resample keeps both classes in every part.
    weights : ndarray or None
        What a row counts each time it is drawn.
    entropy : tuple of int
    models : dict of str to tuple of RankedScores
    scores : dict of str to ndarray
        What each model says of each case; empty if cases were counted together.
    counted : ndarray of int or None
        How many cases a row stands for, if they were counted together.
    stratified : bool
        Whether the class totals stay as they are, unless clusters mix the classes.
    """

    positive: Bools
    unit: NDArray[np.intp]
    strata: tuple[NDArray[np.intp], ...]
    parts: NDArray[np.intp]
    weights: Floats | None
    entropy: tuple[int, ...]
    models: dict[str, tuple[RankedScores, ...]] = field(default_factory=dict)
    scores: dict[str, NDArray[Any]] = field(default_factory=dict)
    counted: NDArray[np.int64] | None = None
    stratified: bool = True
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
        part = _numbered(rows.folds, rows.positive.size)
        _check_parts(part, rows.positive, rows.folds)
        unit, strata = _strata(rows.positive, part, marks, stratified=stratified)
        folded = [np.flatnonzero(part == k) for k in range(int(part.max()) + 1)]
        ranked = {name: tuple(RankedScores.of(s, some) for some in folded) for name, s in rows.scores.items()}
        return cls(rows.positive, unit, strata, part, rows.weights, entropy, ranked, rows.scores, stratified=stratified)

    def design(self, *, fixed: bool = False) -> Design:
        """Return what decides how to resample."""
        cases = self.positive.size
        alike, counted = self._plain and self.single, self.counted is not None
        return Design(cases, len(self.models), self.folds, alike, counted, fixed, self.stratified)

    @cached_property
    def units(self) -> int:
        """How many units there are."""
        return int(self.unit.max()) + 1

    @cached_property
    def single(self) -> bool:
        """Whether every row is a unit of its own."""
        return self.unit.size == self.units

    @property
    def always_complete(self) -> bool:
        """Whether every draw has both classes in every part: each stratum lies in one class and one part."""
        pure = np.full(self.units, -1)
        key = 2 * self.parts + self.positive
        pure[self.unit] = key
        whole = bool(np.all(pure[self.unit] == key))
        return whole and all(np.unique(pure[units]).size == 1 for units in self.strata)

    @property
    def exact(self) -> bool:
        """Whether every score is known; otherwise some are known up to their block."""
        return all(ranked.upper is None for folds in self.models.values() for ranked in folds)

    @property
    def folds(self) -> int:
        """How many folds there are."""
        return int(self.parts.max()) + 1

    @property
    def totals(self) -> tuple[float, float]:
        """Positives and negatives: cases, or sums of weights."""
        positive = self.positive
        if self._plain:
            many = int(np.count_nonzero(positive))
            return many, positive.size - many
        mass = self.data[0]
        return mass[positive].sum().item(), mass[~positive].sum().item()

    @property
    def _plain(self) -> bool:
        """Whether every row is one case that counts one."""
        return self.weights is None and self.counted is None

    @property
    def data(self) -> NDArray[Any]:
        """The data themselves, as a resample in which every case is drawn once."""
        weights = self.weights
        if self.counted is not None:
            return self.counted[None, :]
        return np.ones((1, self.positive.size), dtype=np.int32) if weights is None else weights[None, :]

    def paths(self, name: str, drawn: NDArray[Any]) -> list[Paths]:
        """Return the ROC paths of resamples, one entry per fold."""
        positive = self.positive
        return [Paths.of(*ranked.totals(drawn, positive), early=self._early) for ranked in self.models[name]]

    @cached_property
    def _early(self) -> bool | None:
        """Whether positives are rarer in the data, where that may be otherwise in resamples: all are to be looked at alike."""
        positives, negatives = self.totals
        return None if self.stratified else bool(positives <= negatives)

    def curves(self, name: str) -> list[RocCurve]:
        """Return the ROC curve of a model on the data, one per fold."""
        if name not in self._curves:
            self._curves[name] = self._made(name)
        return self._curves[name]

    def _made(self, name: str) -> list[RocCurve]:
        if self._plain and self.folds == 1:
            # Sorting the scores is quicker than ranking the rows.
            return [RocCurve.from_scores(self.positive, self.scores[name], name=name)]
        return [curve_of(r, p, 0, name) for r, p in zip(self.models[name], self.paths(name, self.data), strict=True)]

    def points(self, name: str, threshold: float) -> list[int]:
        """Return which point of its path a threshold means, one per fold."""
        for ranked in self.models[name]:
            if ranked.upper is None:
                continue
            inside = np.flatnonzero((ranked.scores < threshold) & (threshold <= ranked.upper))
            if inside.size:
                ends = ranked.scores[max(inside[0] - 1, 0) : inside[0] + 1].tolist()
                raise InputError(
                    f"threshold {threshold:g} of {name!r} divides a block of the joint counts: take "
                    f"{' or '.join(map(repr, ends))}, the ends of blocks beside it, or resample the cases themselves"
                )
        return [int(np.count_nonzero(ranked.scores >= threshold)) for ranked in self.models[name]]

    def step(self, pcf: Floats) -> Floats:
        """Return what one unit more or less in each class makes of the cost."""
        if self._plain and self.single:
            positives, negatives = self.totals
            return np.hypot(pcf / positives, (1 - pcf) / negatives)
        positive, unit, mass = self.positive, self.unit, self.data[0]
        of_one = []
        for rows in (positive, ~positive):
            share = np.bincount(unit[rows], mass[rows])
            alone = self.counted is not None
            of_one.append(1 / float(share.sum()) if alone else float(np.sum((share / share.sum()) ** 2)))
        return np.hypot(pcf * of_one[0], (1 - pcf) * of_one[1])

    @property
    def smaller(self) -> int:
        """Cases of the smaller class, or clusters with such cases."""
        if self.counted is not None:
            return int(min(self.totals))
        return min(int(np.unique(self.unit[rows]).size) for rows in (self.positive, ~self.positive))

    def coarse(self, name: str) -> bool:
        """Return whether a model has fewer different scores than the root of the cases, in some fold."""
        if self.counted is not None:
            (ranked,) = self.models[name]
            return ranked.upper is None and ranked.scores.size < math.sqrt(sum(self.totals))
        for k in range(self.folds):
            scores = self.scores[name] if self.folds == 1 else self.scores[name][self.parts == k]
            root = math.sqrt(scores.size)
            # A few tell already, unless they are few values.
            some = scores[:: max(1, int(root) // 8)]
            if _distinct(some) < root and _distinct(scores) < root:
                return True
        return False

    def warn(self) -> None:
        """Say what few cases, or classes without overlap, do to bands."""
        positive, unit, single = self.positive, self.unit, self.single
        for label, rate, rows in (("positives", "tpr", positive), ("negatives", "fpr", ~positive)):
            counted = self.counted
            units = np.count_nonzero(rows) if single else np.count_nonzero(np.bincount(unit[rows]))
            many = int(units if counted is None else counted[rows].sum())
            if many < _FEW:
                what = label if single else f"clusters with {label}"
                warnings.warn(
                    f"Only {many} {what}, each worth {1 / many:.2g} of {rate}: bands are coarse and cover less than their level",
                    FewCasesWarning,
                    stacklevel=4,
                )
        for name in self.models:
            if all(_separates(curve.hull) for curve in self.curves(name)):
                sizes = np.count_nonzero(positive), np.count_nonzero(~positive)
                most = min(1.0, 3 / min(sizes if self.counted is None else self.totals))
                warnings.warn(
                    f"{name!r} makes no error on these cases, so its band has no width. "
                    f"Error rates up to {most:.2g} are still possible",
                    FewCasesWarning,
                    stacklevel=4,
                )


def _separates(hull: RocCurve) -> bool:
    """Tell whether one point of a hull makes no error."""
    return len(hull) == 3 and hull.tp[1] == hull.tp[-1] and hull.fp[1] == hull.fp[0]


def curve_of(ranked: RankedScores, paths: Paths, i: int, name: str) -> RocCurve:
    """Return the ROC curve of one resample."""
    fp, tp = (counts[i] if counts.dtype.kind == "f" else counts[i].astype(np.int64) for counts in (paths.fp, paths.tp))
    thresholds = np.concatenate([[np.inf], ranked.scores])
    return RocCurve(fp, tp, thresholds, tp[-1].item(), fp[-1].item(), name)


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


def _numbered(marks: NDArray[Any] | None, size: int) -> NDArray[np.intp]:
    if marks is None:
        return np.zeros(size, dtype=np.intp)
    return np.asarray(np.unique(marks, return_inverse=True)[1], dtype=np.intp)


def _check_parts(part: NDArray[np.intp], positive: NDArray[np.bool_], folds: NDArray[Any] | None) -> None:
    for k, fold in enumerate([] if folds is None else np.unique(folds).tolist()):
        for label, mask in (("positive", positive), ("negative", ~positive)):
            many = int(np.count_nonzero(mask & (part == k)))
            if many < 2:
                raise InputError(f"fold {fold!r} has {counted(many, label)}: each fold needs at least 2 of each class")


def _strata(
    positive: NDArray[np.bool_], part: NDArray[np.intp], marks: NDArray[Any] | None, *, stratified: bool
) -> tuple[NDArray[np.intp], tuple[NDArray[np.intp], ...]]:
    """Return each row's unit, and the units of each stratum: by fold, and by class unless a cluster mixes them or nobody asks."""
    if marks is None and not part.any() and stratified:
        return np.arange(positive.size), (np.flatnonzero(~positive), np.flatnonzero(positive))
    unit = np.arange(positive.size) if marks is None else _numbered(marks, positive.size)
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


def _distinct(values: NDArray[Any]) -> int:
    """Return how many values there are; np.unique would load numpy.ma, in the first call of a process."""
    ordered = np.sort(values)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + 1


# Cells of one batch of replicates: bounds the memory whatever the number of rows and replicates.
_CELLS = 2**21
# A replicate that misses a class is drawn again; so many times in a row means it will never have both.
TRIES = 1000


@dataclass(frozen=True, eq=False)
class Drawn:
    """How often each row is drawn, times its weight: an array of shape (resamples, rows)."""

    sample: Sample
    times: NDArray[Any]

    def __len__(self) -> int:
        """Return the number of resamples."""
        return len(self.times)

    def curves(self, name: str) -> Sequence[Curves]:
        """Return the curves of one model, one entry per fold."""
        if self.sample.counted is None:
            return self.sample.paths(name, self.times)
        (ranked,) = self.sample.models[name]
        return [BlockEnds(ranked, *ranked.totals(self.times, self.sample.positive))]


class PlainResampler:
    """Draws rows, or whole clusters of rows, with replacement inside strata; of joint counts, how many cases of each row."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample

    @classmethod
    def takes(cls, design: Design) -> bool:  # noqa: ARG003 - any
        """Return True."""
        return True

    @classmethod
    def effort(cls, design: Design) -> float:
        """Return the number of scores to rank."""
        return design.cases * design.models

    def data(self, name: str) -> Sequence[Curves]:
        """Return the curves of one model on the data themselves, one entry per fold."""
        return Drawn(self._sample, self._sample.data).curves(name)

    def batches(self, resamples: int) -> Iterator[Drawn]:
        """Yield consecutive resamples, the first ones first."""
        for times in self.draws(0, resamples):
            yield Drawn(self._sample, times)

    def draws(self, start: int, stop: int) -> Iterator[NDArray[Any]]:
        """Yield how often each row is drawn, times its weight, in consecutive resamples."""
        sample = self._sample
        size = max(1, _CELLS // sample.positive.size)
        check = not sample.always_complete
        for first in range(start, stop, size):
            yield np.stack([self._draw(i, check=check) for i in range(first, min(first + size, stop))])

    def _draw(self, replicate: int, *, check: bool) -> NDArray[Any]:
        sample = self._sample
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([*sample.entropy, replicate])))
        for _ in range(TRIES):
            times: NDArray[Any] = np.empty(sample.units, dtype=np.int32 if sample.counted is None else np.int64)
            for units in sample.strata:
                times[units] = self._of_stratum(rng, units)
            rows = times[sample.unit]
            if not check or self._complete(rows):
                return rows if sample.weights is None else rows * sample.weights
        if sample.single:
            raise never_complete()
        raise InputError(
            f"Cannot resample whole clusters: one class occurs in too few of the {sample.units}. "
            "Use fewer clusters per class or drop cluster="
        )

    def _of_stratum(self, rng: np.random.Generator, units: NDArray[np.intp]) -> NDArray[Any]:
        if self._sample.counted is not None:
            cases = self._sample.counted[units]
            return rng.multinomial(cases.sum(), cases / cases.sum())
        # Whole numbers only, so that every platform draws the same rows.
        picked = rng.integers(0, units.size, size=units.size, dtype=np.int32)
        return np.bincount(picked, minlength=units.size)

    def _complete(self, rows: NDArray[Any]) -> bool:
        parts, positive = self._sample.parts, self._sample.positive
        seen = np.bincount(2 * parts + positive, rows > 0, minlength=2 * self._sample.folds)
        return bool(np.all(seen > 0))


def never_complete() -> InputError:
    """Return what to say if hardly any draw has both classes."""
    return InputError("Cannot resample: one class has too few cases to be in every resample. Use stratified=True")


def sample_of(
    joint: JointCounts, given: dict[str, Any], entropy: tuple[int, ...], *, stratified: bool = True
) -> Sample:
    """Return the rows of a table, those of each class apart, ready to be resampled; nothing else may be given."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name}= goes with labels and scores; joint counts hold the cases already")
    sizes = [int(counts.sum()) for counts in (joint.positives, joint.negatives)]
    checks.two_of_each(np.repeat([True, False], np.minimum(sizes, 2)), "resampling")
    some = [np.flatnonzero(counts) for counts in (joint.negatives, joint.positives)]
    row = np.concatenate(some)
    positive = np.repeat([False, True], [rows.size for rows in some])
    cases = np.where(positive, joint.positives[row], joint.negatives[row])
    strata = (np.flatnonzero(~positive), np.flatnonzero(positive)) if stratified else (np.arange(row.size),)
    nothing = np.zeros(row.size, dtype=np.intp)
    models: dict[str, tuple[RankedScores, ...]] = {
        name: (RankedScores.of_blocks(joint.blocks[row, i], joint.low[i], joint.high[i]),)
        for i, name in enumerate(joint.names)
    }
    return Sample(
        positive, np.arange(row.size), strata, nothing, None, entropy, models, counted=cases, stratified=stratified
    )


class BlockEnds(Curves):
    """The ROC paths of several resamples of one model at the ends of its blocks, and the best that can lie between.

    Parameters
    ----------
    ranked : RankedScores
    positives, negatives : ndarray of int, shape (resamples, blocks)
    """

    def __init__(self, ranked: RankedScores, positives: NDArray[np.int64], negatives: NDArray[np.int64]) -> None:
        self._positives, self._negatives = positives, negatives
        self._open = (
            np.zeros(ranked.scores.size, dtype=np.bool_) if ranked.upper is None else ranked.upper > ranked.scores
        )
        self._paths = Paths.of(positives, negatives)

    def __len__(self) -> int:
        """Return the number of resamples."""
        return len(self._paths)

    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (resamples, any)."""
        return self._paths.rates(point)

    def totals(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return negatives and positives of each resample."""
        return self._paths.totals()

    def hulls(self) -> Hulls:
        """Return the hull of each resample's block ends: points that can be used."""
        return self._paths.hulls()

    def lowest(self, pcf: Floats) -> Floats | None:
        """Return costs at each pcf that no order of the cases inside the blocks undercuts: positives first in each."""
        if not self._open.any():
            return None
        twice = np.repeat(np.arange(self._open.size), 1 + self._open)
        # Of a block that is there twice, the first holds the positives and the second the negatives.
        first = np.concatenate([[True], twice[1:] != twice[:-1]])
        second = np.concatenate([first[1:], [True]])
        best = Paths.of(self._positives[:, twice] * first, self._negatives[:, twice] * second)
        return best.hulls().costs(pcf)[0]

    def areas(self) -> Floats:
        """Return the area under each curve if each block's cases were tied: half way between the least and the most it can be."""
        fp, tp = self._paths.fp, self._paths.tp
        won = np.sum(self._positives * (2 * fp[:, -1:] - fp[:, 1:] - fp[:, :-1]).astype(float), axis=1)
        return np.asarray(won / (2.0 * fp[:, -1] * tp[:, -1]))

    def open_width(self) -> Floats:
        """Return how far each area may be from that, to either side."""
        pairs = np.sum((self._positives * self._negatives.astype(float))[:, self._open], axis=1)
        return np.asarray(pairs / (2.0 * self._paths.fp[:, -1] * self._paths.tp[:, -1]))


def draws(sample: Sample, resamples: int) -> Iterator[NDArray[Any]]:
    """Yield how often each row is drawn in consecutive resamples: those that every engine which draws rows evaluates."""
    return PlainResampler(sample).draws(JUDGES_OF_TWO, JUDGES_OF_TWO + resamples)


def replicated(
    sample: Sample, values: Sequence[Callable[[NDArray[Any]], Any]], resamples: int
) -> tuple[Floats, Floats]:
    """Return a value on each resample, or the first of two less the second, and the same on the data."""

    def on(drawn: NDArray[Any]) -> Floats:
        first, *second = (value(drawn) for value in values)
        return np.asarray(first - second[0] if second else first, dtype=np.float64)

    return np.concatenate([on(drawn) for drawn in draws(sample, resamples)]), on(sample.data)[0]


def resampled_curves(ranked: RankedScores, paths: Paths, name: str, *, hull_only: bool) -> Iterator[RocCurve]:
    """Yield the curve of each resample; only its hull if nothing else matters."""
    if not hull_only:
        yield from (curve_of(ranked, paths, i, name) for i in range(len(paths.fp)))
        return
    hulls = paths.hulls()
    cuts = np.concatenate([[np.inf], ranked.scores])
    for begin, end in zip(hulls.start[:-1].tolist(), hulls.start[1:].tolist(), strict=True):
        fp, tp = hulls.fp[begin:end], hulls.tp[begin:end]
        yield RocCurve(fp, tp, cuts[hulls.point[begin:end]], tp[-1].item(), fp[-1].item(), name)

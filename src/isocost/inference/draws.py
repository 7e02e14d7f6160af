"""The cases drawn anew: one set of draws for everything that is stated about how sure a decision is.

Layout
------
A `Draws` holds everything that prices any rule of any model on any resample, so that a page can do the same from the same numbers:

- rows: row r holds cases of one class, ``positive[r]``; of model k they have the score number ``block[k, r]``, counted from 0 for the
  highest. A cut c of model k flags the rows with ``block[k, r] < c``: 0 flags nobody, ``len(thresholds[k])`` everybody, and any other
  what ``score >= thresholds[k][c - 1]`` flags.
- units: what is drawn as a whole. ``unit[r]`` is the unit of row r; unless cases come in clusters, every row is a unit of its own and
  ``unit`` is None. ``size[u]`` is how many cases unit u stands for, 1 unless rows are cells of several cases.
- draws: ``times[b, u]`` is how often cases of unit u were drawn in resample b.
- a case of row r counts ``mass[r]`` each time; None means 1.

On resample b row r weighs ``times[b, unit[r]]·mass[r]``; on the data ``size[unit[r]]·mass[r]``; on the cases that resample b left out
``left(times[b, u], size[u])·mass[r]``, where

    left(d, m) = m·(1 - 1/m)^d

is how many of the m cases of a unit are expected to be left out when d cases are drawn from it: for m = 1 it is 1 if d = 0 and else 0.
The false positive rate of a cut is the weight of the negative rows it flags over that of all negative rows, and so for positives.

`packed_bytes` says how ``times`` is written for a page, `pack` which draws are. Where they would be too many, ``tables[k]`` holds what is
needed of rows and units: for each resample and block of model k the weight of the negatives and of the positives that were drawn, and of
those that were left out, rounded to whole cases (to single precision if cases have weights); ``counted[k]`` the same of the data. Cut c of
model k then flags its first c blocks. Which single cases two rules flag is not known then: two rules of equal rates count as the same rule,
and how many cases two rules of different models handle differently is not stated.

Below `MANY` cases rows are cases and every score is a block. From `MANY` on a block holds neighbouring scores, a row the cases of one
class that fall into the same block of every model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.data import checks
from isocost.data.cases import Cases
from isocost.data.checks import Bools, Floats
from isocost.data.joint import ClusterCases, JointCounts, Rows
from isocost.inference.resample import Counts, Order, incomplete, rows_of, strata_of
from isocost.numbers import ROUNDING

Whole = NDArray[Any]
# From so many cases on, cells of cases are drawn instead of cases.
MANY = 20_000
# About so many cells of cases are drawn, and so many entries in all.
CELLS, _ENTRIES = 2**13, 2**27
# At least so many blocks per model, and so many more on either side of each threshold that matters.
_FEWEST, _FINER = 8, 7
# More combinations of blocks are numbered by those that occur.
_COMBINATIONS = 2**40
# So many are counted in a table, which is quicker than sorting them.
_COUNTED = 2**23
# How many times resamples without a class are drawn anew, which happens to clusters only.
_TRIES = 100


@dataclass(frozen=True, eq=False)
class Draws:
    """Cases drawn with replacement; the module says how to read the arrays.

    `thresholds` are the lowest score of each block, descending, one array per model; `sizes` how many positive and negative cases there
    are; `blocked` says whether a block may hold several scores. `tables` stand for rows and units where these would be too many: of each
    model drawn negatives and positives and those left out, of shape (resamples, blocks), and `counted` the same two of the data.
    """

    names: tuple[str, ...]
    positive: Bools
    block: Whole
    thresholds: tuple[Floats, ...]
    times: Whole
    size: Whole
    unit: Whole | None
    mass: Floats | None
    sizes: tuple[int, int]
    seed: int
    blocked: bool = False
    tables: tuple[tuple[Whole, Whole, Whole, Whole], ...] | None = None
    counted: tuple[tuple[Floats, Floats], ...] = ()

    def __len__(self) -> int:
        return len(self.times)

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return sum(self.sizes)

    @property
    def weighted(self) -> bool:
        """Whether cases have weights."""
        return self.mass is not None or any(part.dtype.kind == "f" for parts in self.tables or () for part in parts)

    def left(self, times: Whole) -> Whole:
        """Return how many cases of each unit are left out if so many are drawn."""
        if self._single:
            return np.asarray(times == 0)
        return np.asarray(self.size * np.exp(times * self._log_missed))

    @cached_property
    def _single(self) -> bool:
        return bool(np.all(self.size == 1))

    @cached_property
    def _log_missed(self) -> Floats:
        """The logarithm of 1 - 1/size, low enough for size 1 that anything drawn leaves nothing."""
        return np.asarray(np.log1p(-1 / np.maximum(self.size, 2)) - 1e9 * (self.size == 1))

    @cached_property
    def orders(self) -> tuple[Order, ...]:
        """The rows in the order of each model's scores."""
        models = zip(self.block, self.thresholds, strict=True)
        return tuple(Order.of(block, self.positive, cuts) for block, cuts in models)

    def counts(self, k: int, units: Whole) -> Counts:
        """Return the cumulated weights of model k when units weigh `units`, shape (resamples, units)."""
        return self.orders[k].counts(units, self.unit, self.mass, self.cases)

    def inside(self, rows: Any) -> list[Counts]:
        """Return the counts of every model on what some resamples drew."""
        if self.tables is None:
            return [self.counts(k, self.times[rows]) for k in range(len(self.names))]
        return [self._given(k, *(part[rows] for part in parts[:2])) for k, parts in enumerate(self.tables)]

    def outside(self, rows: Any) -> list[Counts]:
        """Return the counts of every model on what some resamples left out."""
        if self.tables is None:
            left = self.left(self.times[rows])
            return [self.counts(k, left) for k in range(len(self.names))]
        return [self._given(k, *(part[rows] for part in parts[2:])) for k, parts in enumerate(self.tables)]

    def data(self, k: int) -> Counts:
        """Return the counts of model k on the data themselves, at the ends of blocks."""
        if self.tables is None:
            return self.counts(k, self.size[None, :])
        return self._given(k, *(size[None, :] for size in self.counted[k]))

    def _given(self, k: int, negative: Whole, positive: Whole) -> Counts:
        parts = negative, positive, self.counted[k][1][None, :]
        fp, tp, data = (np.insert(np.cumsum(p, axis=1, dtype=np.float64), 0, 0.0, axis=1) for p in parts)
        return Counts.of_paths(fp, tp, self.thresholds[k], data[0])

    @cached_property
    def weight(self) -> Floats:
        """What each row weighs on the data."""
        size = self.size if self.unit is None else self.size[self.unit]
        return np.asarray(size if self.mass is None else size * self.mass, dtype=np.float64)


def seed_of(rng: int | np.random.Generator | None) -> int:
    """Return a seed; a generator moves on."""
    given = 0 if rng is None else int(rng.integers(2**62)) if isinstance(rng, np.random.Generator) else rng
    return checks.whole(given, "rng", low=0)


def draw_cases(
    rows: Rows,
    n_resamples: int,
    seed: int,
    *,
    curves: Sequence[Counts] = (),
    near: Mapping[str, Sequence[float]] | None = None,
) -> Draws:
    """Draw the cases, each class from its own, clusters as a whole.

    Below `MANY` cases, and for weights and clusters, these are the draws of
    ``rng = numpy.random.default_rng(seed)``, the negatives of all resamples first:
    ``negatives[rng.integers(0, negatives.size, size=(n_resamples, negatives.size))]``, then the positives. Clusters that hold both
    classes are drawn from all clusters.
    """
    if isinstance(rows, JointCounts):
        return draw_joint(rows, n_resamples, seed)
    if isinstance(rows, ClusterCases):
        return _of_clusters(rows, n_resamples, seed)
    if in_cells(rows):
        return _of_cells(rows, n_resamples, seed, curves, near or {})
    return draw_rows(rows, n_resamples, seed)


def draw_rows(rows: Cases, n_resamples: int, seed: int) -> Draws:
    """Draw the cases themselves, however many there are."""
    if rows.weights is not None:
        some = rows.weights > 0
        scores = {name: score[some] for name, score in rows.scores.items()}
        clusters, repeats = (None if v is None else v[some] for v in (rows.clusters, rows.repeats))
        rows = Cases(rows.positive[some], scores, rows.weights[some], clusters=clusters, repeats=repeats)
    block, thresholds = [], []
    for score in rows.scores.values():
        values, place = np.unique(np.asarray(score, dtype=np.float64) + 0.0, return_inverse=True)
        block.append((values.size - 1 - place).astype(np.int32))
        thresholds.append(values[::-1])
    unit = None
    if rows.clusters is None:
        times = _drawn(rows.positive.astype(np.float64), _many(n_resamples, rows.positive.size), seed)
    else:
        unit = np.asarray(np.unique(rows.clusters, return_inverse=True)[1]).reshape(-1)
        times = _of_units([np.bincount(unit, side) for side in (rows.positive, ~rows.positive)], n_resamples, seed)
    return Draws(
        rows.names, rows.positive, np.stack(block), tuple(thresholds), times, np.ones(times.shape[1], dtype=np.int64), unit,
        rows.weights, rows.sizes, seed,
    )  # fmt: skip


def in_cells(rows: Cases) -> bool:
    """Tell whether cells of cases are drawn instead of cases."""
    return rows.weights is None and rows.clusters is None and rows.positive.size >= MANY


def _many(resamples: int, units: int) -> int:
    """Return how many of so many resamples can be held."""
    return max(4, min(resamples, _ENTRIES // units))


def _drawn(share: Floats, resamples: int, seed: int) -> Whole:
    """Draw units, of which the shares of positives are given."""
    rng, strata = np.random.default_rng(seed), strata_of(share)
    times = np.zeros((resamples, share.size), dtype=np.uint8)
    step = max(1, 2**22 // share.size)
    for part in strata:
        for first in range(0, resamples, step):
            some = times[first : first + step]
            picked = rng.integers(0, part.size, size=(len(some), part.size))
            place = picked + np.arange(len(some))[:, None] * part.size
            # 256 times one of several hundred: never by chance.
            some[:, part] = np.bincount(place.ravel(), minlength=place.size).reshape(place.shape)
    return times


def _of_units(sides: Sequence[Whole], n_resamples: int, seed: int) -> Whole:
    """Draw clusters with so many positives and negatives, and those resamples anew that happen to lack a class."""
    share = sides[0] / np.sum(sides, axis=0)
    times = _drawn(share, _many(n_resamples, share.size), seed)
    for again in range(1, _TRIES + 1):
        bad = np.flatnonzero(~np.all([times[:, side > 0].any(axis=1) for side in sides], axis=0))
        if not bad.size:
            return times
        times[bad] = _drawn(share, bad.size, seed + 2**32 * again)
    raise incomplete("clusters")


def draw_joint(joint: JointCounts, n_resamples: int, seed: int) -> Draws:
    """Draw how many cases come from each combination of blocks."""
    row, positive, size = rows_of(joint)
    times = _urns(size, positive, n_resamples, seed)
    block = np.ascontiguousarray(joint.blocks[row].T)
    blocked = not all(np.array_equal(low, high) for low, high in zip(joint.low, joint.high, strict=True))
    mass = None if joint.weights is None else joint.weights[row, 1 - positive.astype(np.intp)] / size
    return Draws(
        joint.names, positive, block, tuple(joint.low), times, size, None, mass, joint.sizes, seed, blocked=blocked
    )


def _of_clusters(rows: ClusterCases, n_resamples: int, seed: int) -> Draws:
    """Draw whole clusters, of which it is known how many cases they have in each block of each model."""
    times = _of_units([cases[0].sum(axis=1) for cases in (rows.positives, rows.negatives)], n_resamples, seed)
    drawn, left = times.astype(np.float64), (times == 0).astype(np.float64)
    kept = np.float32 if rows.weights else np.float64
    tables: Any = [
        tuple((units @ cases).astype(kept) for units in (drawn, left) for cases in pair)
        for pair in zip(rows.negatives, rows.positives, strict=True)
    ]
    if not rows.weights:
        tables = [tuple(map(_whole, table)) for table in tables]
    counted = tuple(
        (down.sum(axis=0, dtype=np.float64), up.sum(axis=0, dtype=np.float64))
        for down, up in zip(rows.negatives, rows.positives, strict=True)
    )
    blocked = not all(np.array_equal(low, high) for low, high in zip(rows.low, rows.high, strict=True))
    return Draws(
        rows.names, np.array([False, True]), np.zeros((len(rows.names), 2), dtype=np.int32), rows.low, times,
        np.ones(times.shape[1], dtype=np.int64), None, None, rows.sizes, seed, blocked, tuple(tables), counted,
    )  # fmt: skip


def _of_cells(
    rows: Cases, n_resamples: int, seed: int, curves: Sequence[Counts], near: Mapping[str, Sequence[float]]
) -> Draws:
    """Count cases of the same block of every model together, and draw how many of them come."""
    wanted = max(_FEWEST, int(CELLS ** (1 / len(rows.names))))
    ends = [_ends(curve, wanted, near.get(name, ())) for name, curve in zip(rows.names, curves, strict=True)]
    blocks = [
        np.searchsorted(-cuts, -np.asarray(score, dtype=np.float64), side="left").astype(np.int32)
        for score, cuts in zip(rows.scores.values(), ends, strict=True)
    ]
    key, kinds = rows.positive.astype(np.int64), 2
    for block, cuts in zip(blocks, ends, strict=True):
        if kinds > _COMBINATIONS:  # number those that occur: the product of many models exceeds any integer
            distinct, key = np.unique(key, return_inverse=True)
            kinds = distinct.size
        key, kinds = key * cuts.size + block, kinds * cuts.size
    if kinds <= _COUNTED:
        counted, row = np.bincount(key, minlength=kinds), np.empty(kinds, dtype=np.intp)
        row[key] = np.arange(key.size)
        row, size = row[counted > 0], counted[counted > 0]
    else:
        _, row, size = np.unique(key, return_index=True, return_counts=True)
    positive = rows.positive[row]
    times = _urns(size, positive, n_resamples, seed)
    exact = all(cuts.size == curve.order.thresholds.size for cuts, curve in zip(ends, curves, strict=True))
    return Draws(
        rows.names, positive, np.stack([block[row] for block in blocks]), tuple(ends), times, size, None, None, rows.sizes, seed,
        blocked=not exact,
    )  # fmt: skip


def _ends(curve: Counts, wanted: int, near: Sequence[float]) -> Floats:
    """Return the lowest scores of blocks: equally spaced in fpr + tpr, and finer around some thresholds."""
    thresholds = curve.order.thresholds
    if thresholds.size <= wanted:
        return thresholds
    (negatives,), (positives,) = curve.totals
    fpr, tpr = (rates[0, 1:] for rates in curve.rates(np.arange(thresholds.size + 1)))
    level = fpr + tpr
    targets, places = [np.linspace(0, 2, wanted + 1)[1:]], [np.array([thresholds.size - 1])]
    for cut in near:
        at = int(np.clip(np.count_nonzero(thresholds >= cut) - 1, 0, thresholds.size - 1))
        spread = np.sqrt(fpr[at] * (1 - fpr[at]) / negatives + tpr[at] * (1 - tpr[at]) / positives)
        # From half the standard error of a rate, within which limits move a cut, to where costs move it: the cube root of the cases.
        steps = np.geomspace(
            max(0.5 * spread, ROUNDING), max(4 * min(negatives, positives) ** (-1 / 3), 4 * spread), _FINER
        )
        targets.append(level[at] + np.concatenate([-steps, steps]))
        places.append(np.array([at]))
    places += [np.clip(np.searchsorted(level, target), 0, thresholds.size - 1) for target in targets]
    return np.asarray(thresholds[np.unique(np.concatenate(places))])


def _urns(size: Whole, positive: Bools, n_resamples: int, seed: int) -> Whole:
    """Draw how many cases come from each row: the negatives of all resamples first."""
    rng = np.random.default_rng(seed)
    kind = np.uint8 if size.max() == 1 else np.uint16 if size.max() < 2**15 else np.int64
    times = np.zeros((_many(n_resamples, size.size), size.size), dtype=kind)
    for mask in (~positive, positive):
        part = size[mask]
        step = max(1, 2**22 // part.size)
        for first in range(0, len(times), step):
            some = times[first : first + step]
            some[:, mask] = rng.multinomial(int(part.sum()), part / int(part.sum()), size=len(some))
    return times


def packed_bytes(times: Whole) -> bytes:
    """Return draws as bytes, row by row: two bits each, the first in the lowest bits of a byte; 3 stands for 3 or more.

    How much more than 3 follows for each of these in turn: one byte each, or two (the lower first) if any is above 255.
    """
    flat = times.reshape(-1).astype(np.int64)
    low = np.minimum(flat, 3).astype(np.uint8)
    low = np.concatenate([low, np.zeros(-low.size % 4, dtype=np.uint8)]).reshape(-1, 4)
    rest = flat[flat >= 3] - 3
    kind = "<u2" if rest.size and rest.max() > 255 else "u1"
    first = np.asarray(low << np.array([0, 2, 4, 6], dtype=np.uint8)).sum(axis=1, dtype=np.uint8)
    return bytes(first.tobytes() + rest.astype(kind).tobytes())


def pack(draws: Draws, most: int = 720_000) -> Draws:
    """Return draws that take at most so many bytes: all, or the first 200 at least, or else only how many fell into blocks of each model.

    What fits (`packed_bytes`) is returned as it is. Where a page prices from what is returned, Python has to do so too.
    """
    if draws.tables is None:
        keep = len(draws) * most // len(packed_bytes(draws.times))
        if keep >= min(200, len(draws)):
            return draws if keep >= len(draws) else replace(draws, times=draws.times[:keep])
    few = min(200, len(draws))
    blocks, wide = max(8, most // (4 * few * len(draws.names))), 4 if draws.weighted else 1
    found = _tabled(draws, few, blocks // wide)
    wider = max(table.dtype.itemsize for tables in found.tables or () for table in tables)
    return found if wider <= wide else _tabled(draws, few, blocks // wider)


def _tabled(draws: Draws, few: int, wanted: int) -> Draws:
    """Return how many cases some resamples drew from, and left out of, each of so many blocks per model."""
    tables: list[Any] = []
    thresholds, sizes, rows = [], [], np.arange(few)
    for k, (inside, outside) in enumerate(zip(draws.inside(rows), draws.outside(rows), strict=True)):
        cuts, data = draws.thresholds[k], draws.data(k)
        at = np.arange(1, cuts.size + 1)
        if cuts.size > wanted:
            fpr, tpr = data.rates(at)
            places = np.searchsorted((fpr + tpr)[0], np.linspace(0, 2, wanted + 1)[1:]) + 1
            at = np.unique(np.append(np.clip(places, 1, cuts.size), cuts.size))
        steps = [np.diff(v, axis=1, prepend=0) for counts in (inside, outside, data) for v in counts.flagged(at)]
        tables.append(tuple(step.astype(np.float32) if draws.weighted else _whole(step) for step in steps[:4]))
        sizes.append((steps[4][0].astype(np.float64), steps[5][0].astype(np.float64)))
        thresholds.append(cuts[at - 1])
    fewer = any(some.size < cuts.size for some, cuts in zip(thresholds, draws.thresholds, strict=True))
    return replace(
        draws, times=draws.times[:few], thresholds=tuple(thresholds), tables=tuple(tables), counted=tuple(sizes),
        blocked=draws.blocked or fewer,
    )  # fmt: skip


def _whole(counts: Whole) -> Whole:
    """Return counts as whole numbers in as few bytes as they need."""
    found = np.rint(counts)
    return found.astype(np.min_scalar_type(int(found.max())))


# So many cases are ranked and drawn in all, which takes ten or twenty seconds; fewer resamples than FEWEST say too little to be shown.
WORK, FEWEST = 100_000_000, 40
# Draws for a decision, and where more are worth their time.
DRAWS, MORE_DRAWS = 200, 1000
# In the time of ranking one score so many are drawn.
_DRAWN = 10


def affordable(cases: int, models: int, *, alike: bool) -> int:
    """Return how many resamples of a bootstrap are drawn in time, ranking the cases for them included; 0 if they would be too few."""
    ranked = cases * models
    return _possible(ranked, ranked / _DRAWN if alike else ranked)


def in_time(rows: Rows) -> tuple[int, ...]:
    """Return how many draws a decision takes: at first, and where more matter; none where they would take long.

    From many cases on cells of cases are drawn, whose number does not grow with theirs; those of joint counts are counted already.
    """
    if not isinstance(rows, Cases):
        return DRAWS, MORE_DRAWS
    cases, models = rows.positive.size, len(rows.names)
    possible = _possible(cases * models, (CELLS if in_cells(rows) else cases) * models / _DRAWN)
    return tuple(sorted({min(many, possible) for many in (DRAWS, MORE_DRAWS)} - {0}))


def _possible(ranked: int, each: float) -> int:
    possible = int((WORK - ranked) / each)
    return possible if possible >= FEWEST else 0

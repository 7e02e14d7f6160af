"""Operating points of groups of cases, and the rules that are cheapest at some costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import eliminate, upper_hull
from isocost.curves.sort import pack, sort_numbers, whole_numbers
from isocost.errors import InputError
from isocost.groups.results import MixturePart
from isocost.validate import Bools, Floats

_EPS = float(np.finfo(np.float64).eps)
# With fewer rows to a group than this all are ranked at once.
_ROWS_A_GROUP = 32


@dataclass(frozen=True, eq=False)
class GroupPoints:
    """The operating points of all groups, one group after another and in it one model after another; each model begins by flagging nobody.

    Attributes
    ----------
    share : ndarray of shape (groups,)
        Of all cases, by weight.
    positives, negatives : ndarray of shape (groups,)
        0 if the class is absent; its rate is then 0 here, and weighs nothing.
    start : ndarray of int, shape (groups + 1,)
        Where the points of each group begin.
    model : ndarray of int
    threshold, fpr, tpr : ndarray
    corner : ndarray of int
        The vertices of each model's hull, and perhaps points next to an edge: nothing else is part of the cheapest mixture.
    """

    share: Floats
    positives: Floats
    negatives: Floats
    start: NDArray[np.intp]
    model: NDArray[np.intp]
    threshold: Floats
    fpr: Floats
    tpr: Floats
    corner: NDArray[np.intp]

    @cached_property
    def prevalence(self) -> Floats:
        """Share of positives in the data of each group."""
        return self.positives / (self.positives + self.negatives)

    @cached_property
    def group(self) -> NDArray[np.intp]:
        """Which group each point belongs to."""
        return np.repeat(np.arange(self.share.size, dtype=np.intp), np.diff(self.start))

    @cached_property
    def corner_start(self) -> NDArray[np.intp]:
        """Where the corners of each group begin."""
        return np.searchsorted(self.corner, self.start)

    def below(self, points: NDArray[np.intp]) -> Floats:
        """Return the score next below the threshold of some points, -inf where there is none."""
        after = np.minimum(points + 1, self.model.size - 1)
        last = (points + 1 == self.start[self.group[points] + 1]) | (self.model[after] != self.model[points])
        return np.where(last, -np.inf, self.threshold[after])


def named_codes(marks: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the sorted names of groups and which of them each row belongs to, in one look at every row."""
    found, codes = _numbered(marks) if marks.dtype.kind in "iu" and marks.size else (None, None)
    if found is None or codes is None:
        listed = marks.tolist()
        try:
            place = {mark: i for i, mark in enumerate(dict.fromkeys(listed))}
        except TypeError:
            raise InputError(
                "group must hold names or numbers, got values that cannot be told apart, such as lists"
            ) from None
        codes = np.fromiter(map(place.__getitem__, listed), dtype=np.intp, count=marks.size)
        found = list(place)
    names, rank = np.unique(np.array([str(mark) for mark in found]), return_inverse=True)
    return tuple(names.tolist()), rank.astype(np.intp)[codes]


def _numbered(marks: NDArray[Any]) -> tuple[list[int] | None, NDArray[np.intp] | None]:
    """Return the distinct whole numbers and which of them each row has; None if they lie too far apart to be counted."""
    low, high = int(marks.min()), int(marks.max())
    if high - low > 4 * marks.size or high >= 2**62 or low <= -(2**62):
        return None, None
    shifted = marks.astype(np.int64) - low
    there = np.zeros(high - low + 1, dtype=np.bool_)
    there[shifted] = True
    return (np.flatnonzero(there) + low).tolist(), (np.cumsum(there) - 1)[shifted]


def points_by_group(
    codes: NDArray[np.intp], groups: int, positive: Bools, scores: list[NDArray[Any]], weights: NDArray[Any] | None
) -> GroupPoints:
    """Count the rows of every group and model; `codes` says which group each row belongs to."""
    mass = None if weights is None else whole_numbers(weights)
    if mass is not None and not mass.all():
        kept = mass > 0
        codes, positive, mass = codes[kept], positive[kept], mass[kept]
        scores = [column[kept] for column in scores]
    # Few groups are told apart by digits, which takes no longer than reading the rows.
    parted = np.argsort(codes.astype(np.uint16) if groups < 2**16 else codes, kind="stable")
    codes, positive = codes[parted], positive[parted]
    first = np.searchsorted(codes, np.arange(groups + 1))
    rows = _PartedRows(codes, first, positive, None if mass is None else mass[parted])
    negatives, positives = (np.asarray(total, dtype=np.float64) for total in rows.totals())
    tables = [rows.counted(column[parted]) for column in scores]
    sizes = np.stack([np.diff(table.start) for table in tables])
    start = np.append(0, np.cumsum(sizes.sum(axis=0)))
    threshold, fp, tp, corner, model = _laid_out(tables, sizes, start)
    many = np.diff(start)
    share = (positives + negatives) / float(np.sum(positives) + np.sum(negatives))
    fpr, tpr = (_rate(column, np.repeat(total, many)) for column, total in ((fp, negatives), (tp, positives)))
    return GroupPoints(share, positives, negatives, start, model, threshold, fpr, tpr, corner)


def _laid_out(
    tables: Sequence[_Points], sizes: NDArray[np.intp], start: NDArray[np.intp]
) -> tuple[Floats, Floats, Floats, NDArray[np.intp], NDArray[np.intp]]:
    """Return thresholds, fp, tp, corners and models of all groups, in each one model after another."""
    model = np.zeros(int(start[-1]), dtype=np.intp)
    if len(tables) == 1:
        (only,) = tables
        return only.threshold, only.fp, only.tp, only.corners(), model
    columns = [np.empty(model.size) for _ in range(3)]
    corners = []
    first = start[:-1]
    for m, (table, size) in enumerate(zip(tables, sizes, strict=True)):
        place = np.arange(table.threshold.size) + np.repeat(first - table.start[:-1], size)
        for column, own in zip(columns, (table.threshold, table.fp, table.tp), strict=True):
            column[place] = own
        model[place] = m
        corners.append(place[table.corners()])
        first = first + size
    threshold, fp, tp = columns
    return threshold, fp, tp, np.sort(np.concatenate(corners)), model


def _rate(counts: Floats, total: Floats) -> Floats:
    # In another order of the rows fractions may add up to a little more.
    return np.minimum(counts / np.where(total > 0, total, 1.0), 1.0)


@dataclass(frozen=True, eq=False)
class _Points:
    """The points of one model in all groups, laid end to end; each group begins by flagging nobody."""

    start: NDArray[np.intp]
    threshold: Floats
    fp: Floats
    tp: Floats

    def corners(self) -> NDArray[np.intp]:
        """Return what is left of all hulls."""
        end = np.zeros(self.fp.size, dtype=np.bool_)
        end[self.start[:-1]] = end[self.start[1:] - 1] = True
        return eliminate(self.fp, self.tp, np.arange(end.size), end)[2]


@dataclass(frozen=True, eq=False)
class _PartedRows:
    """Rows in the order of their groups; `start` tells where each group begins, `mass` is what a row counts, 1 if None."""

    codes: NDArray[np.intp]
    start: NDArray[np.intp]
    positive: Bools
    mass: NDArray[Any] | None

    def totals(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return negatives and positives of each group."""
        groups = self.start.size - 1
        weights = [None if self.mass is None else self.mass[own] for own in (~self.positive, self.positive)]
        negatives = np.bincount(self.codes[~self.positive], weights[0], groups)
        return negatives, np.bincount(self.codes[self.positive], weights[1], groups)

    def counted(self, scores: NDArray[Any]) -> _Points:
        """Return the points of one model, from one sort within each group."""
        keys = None if self.mass is not None else pack(self.positive, scores, 0)
        if keys is None or scores.size < _ROWS_A_GROUP * (self.start.size - 1):
            order = np.argsort(scores)[::-1]
            narrow = self.codes[order].astype(np.uint16) if self.start.size <= 2**16 else self.codes[order]
            order = order[np.argsort(narrow, kind="stable")]
            # Adding 0.0 turns -0.0 into 0.0, which ties with it.
            ranked = scores[order].astype(np.float64) + 0.0
            mass = None if self.mass is None else self.mass[order]
            return self._points(ranked, ranked[1:] != ranked[:-1], self.positive[order], mass)
        # Turned round, keys ascend where scores descend. Numbers alone are sorted faster than rows are ranked.
        turned = ~keys.keys
        for first, last in pairwise(self.start.tolist()):
            sort_numbers(turned[first:last])
        new = (turned[1:] ^ turned[:-1]) > 1
        turned = ~turned
        return self._points(keys.scores_of(turned), new, (turned & 1).astype(np.bool_), None)

    def _points(self, scores: Floats, new: Bools, positive: Bools, mass: NDArray[Any] | None) -> _Points:
        """Return a point after every tie; `new` tells which rows after the first differ in score from the one before."""
        last = np.append(new, True)
        last[self.start[1:] - 1] = True
        ends = np.flatnonzero(last)
        group = self.codes[ends]
        number = np.arange(self.start.size)
        start, place = np.searchsorted(group, number) + number, np.arange(ends.size) + group + 1
        threshold = np.full(ends.size + number[-1], np.inf)
        threshold[place] = scores[ends]
        sums = []
        for own in (~positive, positive):
            column = np.zeros(threshold.size)
            column[place] = self._running(own if mass is None else np.where(own, mass, 0), ends)
            sums.append(column)
        if mass is not None:
            # Fractions added in another order may come out a little off; flagging everybody flags all there is.
            whole = [np.repeat(total, np.diff(start)) for total in self.totals()]
            every = [np.repeat(column[start[1:] - 1], np.diff(start)) for column in sums]
            sums = [np.where(c == e, t, np.minimum(c, t)) for c, e, t in zip(sums, every, whole, strict=True)]
        return _Points(start, threshold, *sums)

    def _running(self, column: NDArray[Any], ends: NDArray[np.intp]) -> NDArray[Any]:
        """Return the sums of each group up to some of its rows."""
        if column.dtype.kind != "f":
            total = np.zeros(column.size + 1, dtype=np.int64)
            np.cumsum(column, out=total[1:])
            return np.asarray(total[ends + 1] - total[self.start[self.codes[ends]]])
        # Fractions are added up group by group: no group may depend on the rounding of another.
        parts = [np.cumsum(column[first:last]) for first, last in pairwise(self.start.tolist())]
        return np.asarray(np.concatenate(parts)[ends])


def cheapest(points: GroupPoints, cost: Floats) -> NDArray[np.intp]:
    """Return the cheapest point of each group; of equally cheap ones the first model's that flags fewest.

    `cost` is that of the corners.
    """
    return points.corner[_first_least(cost, points.corner_start)]


def cheapest_for_all(points: GroupPoints, models: int, cost: Floats) -> tuple[NDArray[np.intp], float]:
    """Return each group's point at the one model and threshold that are cheapest for all, and that threshold.

    A point off every hull may be the best. Of equally cheap thresholds of a model the one that flags fewest is taken, of equally
    cheap models the first.
    """
    found: list[tuple[float, NDArray[np.intp], float]] = []
    for model in range(models):
        own = np.flatnonzero(points.model == model)
        first = np.searchsorted(own, points.start[:-1])
        threshold, paid = points.threshold[own], cost[own]
        # All thresholds from the highest down, and by how much each changes the cost; flagging nobody stands before them, also where
        # some scores are infinite.
        later = np.ones(own.size, dtype=np.bool_)
        later[first] = False
        nobody = float(paid[first].sum())
        after = np.flatnonzero(later)
        cuts, steps = -threshold[after], paid[after] - paid[after - 1]
        order = np.argsort(cuts)
        cuts = cuts[order]
        last = np.flatnonzero(np.append(cuts[1:] > cuts[:-1], True))
        totals = np.append(nobody, nobody + np.cumsum(steps[order])[last])
        # Ever more are flagged, so the first of equally cheap ones flags fewest.
        (least,) = _first_least(totals, np.array([0, totals.size]), 64).tolist()
        best = -float(cuts[last[least - 1]]) if least else np.inf
        places = flagged_from(points, model, best if least else None)
        found.append((float(cost[places].sum()), places, best))
    totals = np.array([total for total, *_ in found])
    _, places, best = found[int(_first_least(totals, np.array([0, totals.size]))[0])]
    return places, best


def flagged_from(points: GroupPoints, model: int, threshold: float | None) -> NDArray[np.intp]:
    """Return each group's point at a threshold of a model that need not be one of its scores; nobody is flagged if it is None."""
    own = np.flatnonzero(points.model == model)
    first = np.searchsorted(own, points.start[:-1])
    if threshold is None:
        return own[first]
    # Each model begins with the threshold +inf.
    return own[first + np.add.reduceat((points.threshold[own] >= threshold).astype(np.intp), first) - 1]


def _first_least(cost: Floats, start: NDArray[np.intp], roundings: int = 8) -> NDArray[np.intp]:
    """Return the first place in each stretch where a cost is the least of it, up to so many roundings."""
    begin = start[:-1]
    spare = roundings * _EPS * np.maximum(1.0, np.maximum.reduceat(np.abs(cost), begin))
    least = np.repeat(np.minimum.reduceat(cost, begin) + spare, np.diff(start))
    cheap = np.flatnonzero(cost <= least)
    return cheap[np.searchsorted(cheap, begin)]


@dataclass(frozen=True, eq=False)
class RuleHull:
    """Rules at the vertices of a hull, one model after another, the highest threshold first.

    Attributes
    ----------
    rule : tuple of str
        In words.
    model : tuple of int
    fp, tp : ndarray of shape (rules, groups)
        What each rule flags of each group's negatives and positives, as counts.
    """

    rule: tuple[str, ...]
    model: tuple[int, ...]
    fp: Floats
    tp: Floats


def hull_points(points: GroupPoints, g: int) -> NDArray[np.intp]:
    """Return the points at the vertices of a group's hull, all models together, by ascending fpr."""
    corner = points.corner[points.corner_start[g] : points.corner_start[g + 1]]
    # Of equal points the first model's comes first, and stays.
    order = np.lexsort((points.tpr[corner], points.fpr[corner]))
    corner = corner[order]
    return corner[upper_hull(points.fpr[corner], points.tpr[corner])]


def hulls_of_groups(points: GroupPoints, models: Sequence[str]) -> list[RuleHull]:
    """Return the rules of each group that are cheapest at some costs."""
    found = []
    for g, (negatives, positives) in enumerate(zip(points.negatives, points.positives, strict=True)):
        some = np.sort(hull_points(points, g))
        fpr, tpr = points.fpr[some], points.tpr[some]
        columns = points.model[some], points.threshold[some], fpr, tpr, points.below(some)
        rules = _in_words(models, *columns)
        found.append(
            RuleHull(
                rules, tuple(columns[0].tolist()), _counts(fpr, negatives)[:, None], _counts(tpr, positives)[:, None]
            )
        )
    return found


def hull_for_all(points: GroupPoints, models: Sequence[str], negative: Floats, positive: Floats) -> RuleHull:
    """Return the single thresholds for all groups that are cheapest at some costs.

    The cost of one threshold is a sum over groups. If errors cost the same in all of them, two sums tell it: those of false alarms
    and of catches, in which a group counts as `negative` and `positive` say. So all thresholds lie in one plane, and have a hull.
    """
    model, cuts, below, sums = [], [], [], []
    for m in range(len(models)):
        own = np.flatnonzero(points.model == m)
        first = np.searchsorted(own, points.start[:-1])
        later = np.ones(own.size, dtype=np.bool_)
        later[first] = False
        after = own[later]
        order = np.argsort(-points.threshold[after], kind="stable")
        after = after[order]
        cut = points.threshold[after]
        last = np.flatnonzero(np.append(cut[1:] < cut[:-1], True))
        group = points.group[after]
        steps = [
            np.cumsum(weight[group] * (rate[after] - rate[after - 1]))[last]
            for weight, rate in ((negative, points.fpr), (positive, points.tpr))
        ]
        model.append(np.full(last.size + 1, m))
        cuts.append(np.append(np.inf, cut[last]))
        below.append(np.append(cut[last], -np.inf))
        sums.append(np.concatenate([np.zeros((2, 1)), steps], axis=1))
    x, y = np.concatenate(sums, axis=1) / np.array([[negative.sum() or 1.0], [positive.sum() or 1.0]])
    number, cut, lower = np.concatenate(model), np.concatenate(cuts), np.concatenate(below)
    # Rounding aside, both never fall along a model and end at 1.
    order = np.lexsort((y, x))
    kept = np.sort(order[upper_hull(x[order], y[order])])
    nobody = np.isposinf(cut[kept]) & (x[kept] == 0) & (y[kept] == 0)
    places = np.stack(
        [
            flagged_from(points, int(m), None if none else float(c))
            for m, c, none in zip(number[kept], cut[kept], nobody, strict=True)
        ]
    )
    rules = _in_words(models, number[kept], cut[kept], x[kept], y[kept], lower[kept])
    fp, tp = _counts(points.fpr[places], points.negatives), _counts(points.tpr[places], points.positives)
    return RuleHull(rules, tuple(number[kept].tolist()), fp, tp)


def _in_words(
    models: Sequence[str], model: NDArray[np.intp], threshold: Floats, fpr: Floats, tpr: Floats, below: Floats
) -> tuple[str, ...]:
    columns = zip(*(column.tolist() for column in (model, threshold, fpr, tpr, below)), strict=True)
    return tuple(MixturePart(1.0, models[m], *numbers).rule for m, *numbers in columns)


def _counts(rate: Floats, total: float | Floats) -> Floats:
    """Return counts whose rates these are; whole numbers come back as they were."""
    counts = rate * total
    whole = np.rint(counts)
    return np.where(np.abs(counts - whole) <= 1e-9 * np.maximum(total, 1.0), whole, counts)

"""Every threshold of every model in each group of cases, as cumulated counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition
from isocost.errors import InputError
from isocost.geometry.hulls import eliminate
from isocost.ranking.distinct_scores import whole_numbers
from isocost.ranking.sorted_keys import pack
from isocost.validate import Bools, Floats

_EPS = float(np.finfo(np.float64).eps)
# With fewer rows to a group than this all are ranked at once.
_ROWS_A_GROUP = 32


@dataclass(frozen=True, eq=False)
class GroupPoints:
    """The operating points of one group, model after model; each model begins by flagging nobody.

    Attributes
    ----------
    share : float
        Of all cases, by weight.
    positives, negatives : float
        0 if the class is absent; its rate is then 0 here, and weighs nothing.
    model : ndarray of int
    threshold, fpr, tpr : ndarray
    corner : ndarray of int
        The vertices of each model's hull, and perhaps points next to an edge: nothing else is part of the cheapest mixture.
    """

    share: float
    positives: float
    negatives: float
    model: NDArray[np.intp]
    threshold: Floats
    fpr: Floats
    tpr: Floats
    corner: NDArray[np.intp]

    @cached_property
    def prevalence(self) -> float:
        """Share of positives in the data."""
        return self.positives / (self.positives + self.negatives)

    def cost(self, condition: Condition) -> Floats:
        """Return the expected cost of every point, per case of the group."""
        return condition.expected_cost(self.fpr, self.tpr)

    def below(self, point: int) -> float:
        """Return the score next below a point's threshold, -inf if there is none."""
        last = point + 1 == self.model.size or self.model[point + 1] != self.model[point]
        return -np.inf if last else float(self.threshold[point + 1])

    def flagged(self, prevalence: float) -> Floats:
        """Return the share of the group that each point flags."""
        return np.asarray(prevalence * self.tpr + (1 - prevalence) * self.fpr)


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
) -> list[GroupPoints]:
    """Count the rows of every group and model; `codes` says which group each row belongs to."""
    mass = None if weights is None else whole_numbers(weights)
    if mass is not None and not mass.all():
        kept = mass > 0
        codes, positive, mass = codes[kept], positive[kept], mass[kept]
        scores = [column[kept] for column in scores]
    # Few groups are told apart by digits, which takes no longer than reading the rows.
    parted = np.argsort(codes.astype(np.uint16) if groups < 2**16 else codes, kind="stable")
    codes, positive = codes[parted], positive[parted]
    start = np.searchsorted(codes, np.arange(groups + 1))
    rows = _PartedRows(codes, start, positive, None if mass is None else mass[parted])
    negatives, positives = rows.totals()
    tables = [rows.counted(column[parted]) for column in scores]
    share = (positives + negatives) / float(np.sum(positives) + np.sum(negatives))
    found = []
    for g in range(groups):
        parts = [t.of(g) for t in tables]
        sizes = [part[0].size for part in parts]
        threshold, fp, tp = (joined([part[i] for part in parts]) for i in range(3))
        before = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        corner = joined([part[3] + shift for part, shift in zip(parts, before.tolist(), strict=True)])
        totals = float(positives[g]), float(negatives[g])
        rates = _rate(fp, totals[1]), _rate(tp, totals[0])
        model = np.repeat(np.arange(len(parts)), sizes)
        found.append(GroupPoints(float(share[g]), *totals, model, threshold, *rates, corner))
    return found


def joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays end to end; one alone as it is."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _rate(counts: Floats, total: float) -> Floats:
    # In another order of the rows fractions may add up to a little more.
    return np.minimum(counts / (total or 1.0), 1.0)


@dataclass(frozen=True, eq=False)
class _Points:
    """The points of one model in all groups, laid end to end; each group begins by flagging nobody."""

    start: NDArray[np.intp]
    threshold: Floats
    fp: Floats
    tp: Floats

    @cached_property
    def _corners(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """What is left of all hulls, and where each group begins there."""
        end = np.zeros(self.fp.size, dtype=np.bool_)
        end[self.start[:-1]] = end[self.start[1:] - 1] = True
        _, _, point = eliminate(self.fp, self.tp, np.arange(end.size), end)
        return point, np.searchsorted(point, self.start)

    def of(self, g: int) -> tuple[Floats, Floats, Floats, NDArray[np.intp]]:
        """Return thresholds, fp, tp and the corners of one group."""
        first, last = self.start[g], self.start[g + 1]
        point, start = self._corners
        own = slice(first, last)
        return self.threshold[own], self.fp[own], self.tp[own], point[start[g] : start[g + 1]] - first


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
            turned[first:last].sort()
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


def cheapest(points: GroupPoints, cost: Floats) -> int:
    """Return the cheapest point of a group whose corners have these costs; of equally cheap ones the first model's that flags fewest."""
    return int(points.corner[_first_least(cost)])


def cheapest_for_all(groups: Sequence[GroupPoints], models: int, costs: Sequence[Floats]) -> tuple[list[int], float]:
    """Return each group's point at the one model and threshold that are cheapest for all, and that threshold.

    A point off every hull may be the best. Of equally cheap thresholds of a model the one that flags fewest is taken, of equally
    cheap models the first.
    """
    found: list[tuple[float, list[int], float]] = []
    for model in range(models):
        own = [np.flatnonzero(points.model == model) for points in groups]
        # All thresholds from the highest down, and by how much each changes the cost; flagging nobody stands before them, also where
        # some scores are infinite.
        nobody = sum(float(cost[i[0]]) for i, cost in zip(own, costs, strict=True))
        cuts = -joined([points.threshold[i[1:]] for points, i in zip(groups, own, strict=True)])
        steps = joined([np.diff(cost[i]) for i, cost in zip(own, costs, strict=True)])
        order = np.argsort(cuts)
        cuts = cuts[order]
        last = np.flatnonzero(np.append(cuts[1:] > cuts[:-1], True))
        # Ever more are flagged, so the first of equally cheap ones flags fewest.
        first = _first_least(np.append(nobody, nobody + np.cumsum(steps[order])[last]), 64)
        best = -float(cuts[last[first - 1]]) if first else np.inf
        places = [
            int(i[np.searchsorted(-points.threshold[i[1:]], -best, side="right") if first else 0])
            for points, i in zip(groups, own, strict=True)
        ]
        found.append((sum(float(c[k]) for c, k in zip(costs, places, strict=True)), places, best))
    _, places, best = found[_first_least(np.array([cost for cost, *_ in found]))]
    return places, best


def _first_least(cost: Floats, roundings: int = 8) -> int:
    """Return the first place where a cost is the least, up to so many roundings."""
    least = cost.min() + roundings * _EPS * max(1.0, float(np.abs(cost).max()))
    return int(np.argmax(cost <= least))

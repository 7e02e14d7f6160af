"""Operating points of groups of cases, and the rules that are cheapest at some costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import eliminate, upper_hull
from isocost.curves.sort import whole_numbers
from isocost.data.checks import Bools, Floats
from isocost.data.joint import JointCounts
from isocost.decide.question import TIE, first_least
from isocost.errors import InputError
from isocost.groups.results import GroupChoice

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class GroupPoints:
    """The operating points of all groups from `start`, in each model by model, each beginning with "flag nobody"."""

    # Of each group: the share of all cases, and its positives and negatives by weight; the rate of an absent class is 0 here.
    share: Floats
    positives: Floats
    negatives: Floats
    start: Places
    model: NDArray[np.int32]
    threshold: Floats
    fpr: Floats
    tpr: Floats
    # The vertices of each model's hull, and perhaps points next to an edge: nothing else is part of the cheapest mixture.
    corner: Places

    @classmethod
    def of(cls, sizes: Places, threshold: Floats, counts: Floats, totals: Floats) -> GroupPoints:
        """Return the points of curves laid end to end, of shape (groups, models) with so many points each.

        Those of a curve come from its highest threshold down; `counts` are their false alarms and catches, `totals` the negatives and
        positives of each group.
        """
        each = sizes.ravel()
        last = np.cumsum(each) - 1
        # Fractions added in another order come out a little off: flagging everybody flags all that was added up.
        fpr, tpr = (count / np.repeat(np.where(count[last] > 0, count[last], 1.0), each) for count in counts)
        end = np.zeros(threshold.size, dtype=np.bool_)
        end[last] = end[last - each + 1] = True
        corner = eliminate(counts[0], counts[1], np.arange(threshold.size), end)[2]
        negatives, positives = totals
        share, start = totals.sum(axis=0) / totals.sum(), np.append(0, np.cumsum(sizes.sum(axis=1)))
        # Of the few columns with a row per point none is wider than it needs to be.
        model = np.repeat(np.tile(np.arange(sizes.shape[1], dtype=np.int32), len(sizes)), each)
        return cls(share, positives, negatives, start, model, threshold, fpr, tpr, corner)

    @cached_property
    def prevalence(self) -> Floats:
        """Share of positives in the data of each group."""
        return self.positives / (self.positives + self.negatives)

    @cached_property
    def group(self) -> NDArray[np.int32]:
        """Which group each point belongs to."""
        return np.repeat(np.arange(self.share.size, dtype=np.int32), np.diff(self.start))

    @cached_property
    def corner_start(self) -> Places:
        """Where the corners of each group begin."""
        return np.searchsorted(self.corner, self.start)

    def below(self, points: Places) -> Floats:
        """Return the score next below the threshold of some points, -inf where there is none."""
        after = np.minimum(points + 1, self.model.size - 1)
        last = (points + 1 == self.start[self.group[points] + 1]) | (self.model[after] != self.model[points])
        return np.where(last, -np.inf, self.threshold[after])


def named_codes(marks: NDArray[Any]) -> tuple[tuple[str, ...], Places]:
    """Return the sorted names of groups, and which of them each row belongs to."""
    listed = marks.tolist()
    try:
        place = {mark: i for i, mark in enumerate(dict.fromkeys(listed))}
    except TypeError:
        raise InputError(
            "group must hold names or numbers, got values that cannot be compared, such as lists"
        ) from None
    codes = np.fromiter(map(place.__getitem__, listed), dtype=np.intp, count=marks.size)
    names, rank = np.unique(np.array([str(mark) for mark in place]), return_inverse=True)
    return tuple(names.tolist()), rank.astype(np.intp)[codes]


@dataclass(frozen=True, eq=False)
class GroupRows:
    """The cases behind groups: labels, which group each belongs to, one score per model, and weights."""

    positive: Bools
    codes: Places
    groups: int
    scores: tuple[NDArray[Any], ...]
    weights: Floats | None
    # How many cases a row stands for where cases were counted: 1 if None.
    size: NDArray[np.int64] | None = None

    @classmethod
    def counted(cls, tables: Sequence[JointCounts]) -> GroupRows:
        """Take the cells of joint counts, one table per group, for rows."""
        columns: list[list[NDArray[Any]]] = []
        for g, joint in enumerate(tables):
            cells = np.stack([low[block] for low, block in zip(joint.low, joint.blocks.T, strict=True)])
            pairs = zip((joint.negatives, joint.positives), joint.mass[::-1], strict=True)
            for kind, (counts, mass) in enumerate(pairs):
                kept = counts > 0
                own = counts[kept]
                columns.append(
                    [np.full(own.size, kind == 1), np.full(own.size, g), own, mass[kept] / own, *cells[:, kept]]
                )
        positive, codes, size, each, *scores = (np.concatenate(column) for column in zip(*columns, strict=True))
        weights = None if all(joint.weights is None for joint in tables) else each
        return cls(positive, codes, len(tables), tuple(scores), weights, size)

    @property
    def mass(self) -> NDArray[Any]:
        """What each row counts."""
        size = np.ones(self.codes.size, dtype=np.int8) if self.size is None else self.size
        return size if self.weights is None else size * self.weights

    @cached_property
    def _cell(self) -> Places:
        """The group and class of each row as one number."""
        return 2 * self.codes + self.positive

    @cached_property
    def _cells(self) -> tuple[Places, Places]:
        """The rows in the order of their cells, and how many rows each cell has."""
        return np.argsort(self._cell, kind="stable"), np.bincount(self._cell, minlength=2 * self.groups)

    @property
    def fewest(self) -> Places:
        """How many cases the smaller class of each group has."""
        sizes = np.bincount(self._cell, self.size, 2 * self.groups)
        return np.asarray(sizes.reshape(-1, 2).min(axis=1).astype(np.intp))

    @cached_property
    def _ends(self) -> Places:
        """Where the rows of each group end, by group."""
        return np.cumsum(np.bincount(self.codes, minlength=self.groups))

    @cached_property
    def _ranked(self) -> list[tuple[Places, Places]]:
        """For each model: the rows by group and falling score, and where each tie begins there."""
        # Sorting whole numbers of 16 bits takes no longer than reading them.
        codes = self.codes.astype(np.uint16) if self.groups < 2**16 else self.codes
        found = []
        for scores in self.scores:
            order = np.argsort(scores)[::-1]
            order = order[np.argsort(codes[order], kind="stable")]
            ranked = scores[order]
            new = np.append(True, ranked[1:] != ranked[:-1])
            new[self._ends[self._ends < new.size]] = True
            found.append((order, np.flatnonzero(new)))
        return found

    def points(self, mass: NDArray[Any] | None = None) -> GroupPoints:
        """Return the operating points; `mass` is what each case counts, its weight by default."""
        mass = whole_numbers(self.mass if mass is None else mass)
        found, totals = [], self._sums(mass)
        before = np.cumsum(totals, axis=1) - totals
        for scores, (order, first) in zip(self.scores, self._ranked, strict=True):
            own, hit = mass[order], self.positive[order]
            last = np.append(first[1:], own.size)[np.logical_or.reduceat(own, first)] - 1
            sizes = np.diff(np.searchsorted(last, self._ends), prepend=0)
            columns = own * ~hit, own * hit
            if own.dtype.kind == "f":
                # Fractions are added up group by group: no group may depend on the rounding of another.
                parts = (np.split(column, self._ends[:-1]) for column in columns)
                flagged = [np.concatenate([*map(np.cumsum, part)])[last] for part in parts]
            else:
                flagged = [np.cumsum(c)[last] - np.repeat(b, sizes) for c, b in zip(columns, before, strict=True)]
            # Adding 0.0 turns -0.0 into 0.0, which ties with it.
            found.append((sizes, scores[order[last]].astype(np.float64) + 0.0, flagged))
        # Each curve begins with "flag nobody".
        each = 1 + np.stack([sizes for sizes, *_ in found], axis=1)
        begin = 1 + np.cumsum(each).reshape(each.shape) - each
        threshold, counts = np.full(each.sum(), np.inf), np.zeros((2, each.sum()))
        for start, (sizes, cuts, flagged) in zip(begin.T, found, strict=True):
            at = np.arange(cuts.size) + np.repeat(start - np.cumsum(sizes) + sizes, sizes)
            threshold[at], counts[0][at], counts[1][at] = cuts, *flagged
        return GroupPoints.of(each, threshold, counts, totals)

    def _sums(self, column: NDArray[Any]) -> Floats:
        """Return the sums of a column over the negatives and positives of each group, shape (2, groups)."""
        return np.asarray(np.bincount(self._cell, column, 2 * self.groups).reshape(-1, 2).T, dtype=np.float64)

    def multiplicities(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return how often each row is drawn: with replacement, within its group and class."""
        order, sizes = self._cells
        if self.size is not None:
            parts = [self.size[own] for own in np.split(order, np.cumsum(sizes)[:-1]) if own.size]
            times = np.concatenate([rng.multinomial(part.sum(), part / part.sum()) for part in parts])
            found = np.empty_like(times)
            found[order] = times
            return found
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        drawn = first + np.floor(rng.random(order.size) * np.repeat(sizes, sizes)).astype(np.intp)
        return np.bincount(order[drawn], minlength=order.size)

    def left_out(self, drawn: NDArray[np.int64]) -> Floats:
        """Return what each row counts among the cases that are expected to be left out."""
        size = np.ones(drawn.size) if self.size is None else self.size
        missed = size * (1 - 1 / size) ** drawn
        return np.asarray(missed if self.weights is None else missed * self.weights)

    def flagged(self, models: Sequence[str], choices: Sequence[GroupChoice]) -> Floats:
        """Return with which probability each case is flagged, by the choices of all groups."""
        found = np.zeros(self.positive.size)
        order, sizes = self._cells
        for choice, own in zip(choices, np.split(order, np.cumsum(sizes)[1:-1:2]), strict=True):
            for part in choice.mixture:
                if not part.nobody:
                    found[own] += part.probability * (self.scores[models.index(part.model)][own] >= part.threshold)
        return found

    def sums(self, flagged: Floats, mass: NDArray[Any]) -> Floats:
        """Return what is flagged, then what there is, of each group's negatives and positives; shape (2, 2, groups)."""
        return np.stack([self._sums(mass * flagged), self._sums(mass)])


def cheapest_for_all(points: GroupPoints, models: int, cost: Floats) -> tuple[Places, float]:
    """Return each group's point at the one model and threshold that are cheapest for all, and that threshold.

    A point off every hull may be the best. Of equally cheap thresholds of a model the one that flags fewest is taken, of equally
    cheap models the first.
    """
    found: list[tuple[float, Places, float]] = []
    slack = TIE * max(1.0, float(np.abs(cost).max()) * points.share.size)
    for model in range(models):
        own = np.flatnonzero(points.model == model)
        first = np.searchsorted(own, points.start[:-1])
        # All points but "flag nobody", with which each group begins, by falling threshold; and the last one at each threshold.
        after = np.delete(own, first)
        after = after[np.argsort(-points.threshold[after], kind="stable")]
        cuts = points.threshold[after]
        last = np.flatnonzero(np.append(cuts[1:] < cuts[:-1], True))
        nobody = float(cost[own[first]].sum())
        # Ever more are flagged, so the first of equally cheap ones flags fewest.
        least = int(first_least(np.append(nobody, nobody + np.cumsum(cost[after] - cost[after - 1])[last]), slack))
        best, places = np.inf, own[first]
        if least:
            best = float(cuts[last[least - 1]])
            places = own[first + np.add.reduceat((points.threshold[own] >= best).astype(np.intp), first) - 1]
        found.append((float(cost[places].sum()), places, best))
    _, places, best = found[int(first_least(np.array([total for total, *_ in found]), slack))]
    return places, best


def hull_points(points: GroupPoints, g: int) -> Places:
    """Return the points on the hull of a group, all models together."""
    corner = points.corner[points.corner_start[g] : points.corner_start[g + 1]]
    # Of equal points the first model's comes first, and stays.
    corner = corner[np.lexsort((points.tpr[corner], points.fpr[corner]))]
    return corner[upper_hull(points.fpr[corner], points.tpr[corner])]

"""Every threshold of every model in each group of cases, as cumulated counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition
from isocost.errors import InputError
from isocost.ranking.distinct_scores import whole_numbers
from isocost.validate import Bools, Floats

_EPS = float(np.finfo(np.float64).eps)


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
    """

    share: float
    positives: float
    negatives: float
    model: NDArray[np.intp]
    threshold: Floats
    fpr: Floats
    tpr: Floats

    @cached_property
    def prevalence(self) -> float:
        """Share of positives in the data."""
        return self.positives / (self.positives + self.negatives)

    def cost(self, condition: Condition) -> Floats:
        """Return the expected cost of every point, per case of the group."""
        return condition.expected_cost(self.fpr, self.tpr)

    def flagged(self, prevalence: float) -> Floats:
        """Return the share of the group that each point flags."""
        return np.asarray(prevalence * self.tpr + (1 - prevalence) * self.fpr)


def named_codes(marks: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the sorted names of groups and which of them each row belongs to, in one look at every row."""
    place: dict[Any, int] = {}
    try:
        codes = np.fromiter(
            (place.setdefault(mark, len(place)) for mark in marks.tolist()), dtype=np.intp, count=marks.size
        )
    except TypeError:
        raise InputError(
            "group must hold names or numbers, got values that cannot be told apart, such as lists"
        ) from None
    texts = np.array([str(mark) for mark in place])
    names, rank = np.unique(texts, return_inverse=True)
    return tuple(names.tolist()), rank.astype(np.intp)[codes]


def points_by_group(
    codes: NDArray[np.intp], groups: int, positive: Bools, scores: list[NDArray[Any]], weights: NDArray[Any] | None
) -> list[GroupPoints]:
    """Count the rows of every group and model; `codes` says which group each row belongs to."""
    mass = np.ones(positive.size, dtype=np.int64) if weights is None else whole_numbers(weights)
    if not mass.all():
        kept = mass > 0
        codes, positive, mass = codes[kept], positive[kept], mass[kept]
        scores = [column[kept] for column in scores]
    up, down = np.where(positive, mass, 0), np.where(positive, 0, mass)
    totals = [np.bincount(codes, weights=column, minlength=groups) for column in (up, down)]
    counted = [_counted(codes, groups, column, up, down) for column in scores]
    whole = float(np.sum(totals))
    found = []
    for g in range(groups):
        positives, negatives = (float(total[g]) for total in totals)
        parts = [table[g] for table in counted]
        fp, tp, threshold = (np.concatenate([part[i] for part in parts]) for i in range(3))
        model = np.repeat(np.arange(len(parts)), [part[0].size for part in parts])
        found.append(
            GroupPoints(
                (positives + negatives) / whole, positives, negatives, model, threshold,
                fp / (negatives or 1.0), tp / (positives or 1.0),
            )
        )  # fmt: skip
    return found


def _counted(
    codes: NDArray[np.intp], groups: int, scores: NDArray[Any], up: NDArray[Any], down: NDArray[Any]
) -> list[tuple[Floats, Floats, Floats]]:
    """Return fp, tp and threshold of each group's points, nobody flagged first, from one sort of all rows."""
    order = np.argsort(scores)[::-1]
    # Few groups are sorted by digits, which keeps the order of the scores and takes no longer than reading them.
    narrow = codes[order].astype(np.uint16) if groups < 2**16 else codes[order]
    order = order[np.argsort(narrow, kind="stable")]
    ranked, group = scores[order], codes[order]
    new = np.ones(ranked.size, dtype=np.bool_)
    new[1:] = (ranked[1:] != ranked[:-1]) | (group[1:] != group[:-1])
    first = np.flatnonzero(new)
    # Adding 0.0 turns -0.0 into 0.0, which ties with it.
    cuts = ranked[first].astype(np.float64) + 0.0
    more = [np.add.reduceat(column[order], first) for column in (down, up)]
    ends = np.searchsorted(group[first], np.arange(groups + 1))
    nobody = np.zeros(1)
    return [
        (
            np.concatenate([nobody, np.cumsum(more[0][a:b])]),
            np.concatenate([nobody, np.cumsum(more[1][a:b])]),
            np.concatenate([[np.inf], cuts[a:b]]),
        )
        for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    ]


def cheapest_each(costs: Sequence[Floats]) -> list[int]:
    """Return the cheapest point of each group; of equally cheap ones the first model's that flags fewest."""
    return [_first_least(cost) for cost in costs]


def cheapest_for_all(groups: Sequence[GroupPoints], models: int, costs: Sequence[Floats]) -> tuple[list[int], float]:
    """Return each group's point at the one model and threshold that are cheapest for all, and that threshold.

    A point off every hull may be the best. Of equally cheap thresholds of a model the one that flags fewest is taken, of equally
    cheap models the first.
    """
    found: list[tuple[float, list[int], float]] = []
    for model in range(models):
        own = [np.flatnonzero(points.model == model) for points in groups]
        cuts = -np.unique(-np.concatenate([points.threshold[i] for points, i in zip(groups, own, strict=True)]))
        total, descending = np.zeros(cuts.size), -cuts
        for points, i, cost in zip(groups, own, costs, strict=True):
            total[np.searchsorted(descending, -points.threshold[i])] += np.diff(cost[i], prepend=0.0)
        # Ever more are flagged, so the first of equally cheap ones flags fewest.
        best = float(cuts[_first_least(np.cumsum(total), 64)])
        places = [
            int(i[np.searchsorted(-points.threshold[i], -best, side="right") - 1])
            for points, i in zip(groups, own, strict=True)
        ]
        found.append((sum(float(c[k]) for c, k in zip(costs, places, strict=True)), places, best))
    _, places, best = found[_first_least(np.array([cost for cost, *_ in found]))]
    return places, best


def _first_least(cost: Floats, roundings: int = 8) -> int:
    """Return the first place where a cost is the least, up to so many roundings."""
    least = cost.min() + roundings * _EPS * max(1.0, float(np.abs(cost).max()))
    return int(np.argmax(cost <= least))

"""Rules of which one is cheapest whatever errors cost: of each group, and of one threshold for all groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.comparison.group_points import GroupPoints, flagged_from
from isocost.comparison.group_results import MixturePart
from isocost.geometry.hull import upper_hull
from isocost.validate import Floats


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

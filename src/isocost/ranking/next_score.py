"""The next lower score below a point of sorted rows, without laying the points out."""

from __future__ import annotations

import math

import numpy as np

from isocost.ranking.sorted_keys import SortedKeys
from isocost.ranking.split_scores import SplitScores
from isocost.ranking.tied_scores import TiedScores


def next_score(rows: SortedKeys | SplitScores | TiedScores, fp: int, tp: int) -> float:
    """Return the highest score that is not flagged where so many negatives and positives are; -inf if all are.

    Examples
    --------
    >>> import numpy as np
    >>> from isocost.ranking.sorting import sort_scores
    >>> rows = sort_scores(np.array([True, False, True]), np.array([0.9, 0.5, 0.2]))
    >>> next_score(rows, 0, 1), next_score(rows, 1, 2)
    (0.5, -inf)
    """
    left = rows.size - fp - tp
    if left == 0:
        return -math.inf
    if isinstance(rows, SortedKeys):
        return float(rows.scores_of(rows.keys[left - 1 : left])[0])
    if isinstance(rows, SplitScores):
        kept = ((rows.of_negatives, fp), (rows.of_positives, tp))
        return max(float(scores[scores.size - flagged - 1]) + 0.0 for scores, flagged in kept if flagged < scores.size)
    return float(rows.scores[int(np.searchsorted(rows.fp + rows.tp, fp + tp, side="right"))])

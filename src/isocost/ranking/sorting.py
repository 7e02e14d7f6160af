"""Which way to sort the scores of one classifier is quickest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.ranking import sorted_keys
from isocost.ranking.decimal_scores import count_decimals
from isocost.ranking.number_sort import sort_numbers
from isocost.ranking.sorted_keys import SortedKeys, pack
from isocost.ranking.split_scores import SplitScores
from isocost.ranking.tied_scores import TiedScores
from isocost.validate import Bools

# With fewer than this share of rows in a class, sorting the classes apart is quicker than putting the label into the key.
_RARE = 0.05


def sort_scores(positive: Bools, scores: NDArray[Any]) -> SortedKeys | SplitScores | TiedScores:
    """Sort float32 or float64 scores with their labels, unweighted, in whichever way is quickest."""
    if positive.size > sorted_keys.FEW_ROWS and (counted := count_decimals(positive, scores)) is not None:
        return TiedScores(*counted)
    many = int(np.count_nonzero(positive))
    if min(many, positive.size - many) >= _RARE * positive.size:
        packed = pack(positive, scores, many)
        if packed is not None:
            sort_numbers(packed.keys)
            return TiedScores.of(packed) if packed.often_tied else packed
    return SplitScores.of(scores[~positive], scores[positive])

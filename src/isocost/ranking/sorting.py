"""Which way to sort the scores of one classifier is quickest."""

from __future__ import annotations

import os
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.ranking import sorted_keys
from isocost.ranking.decimal_scores import count_decimals
from isocost.ranking.sorted_keys import SortedKeys, pack
from isocost.ranking.split_scores import SplitScores
from isocost.ranking.tied_scores import TiedScores
from isocost.validate import Bools

# With fewer than this share of rows in a class, sorting the classes apart is quicker than putting the label into the key.
_RARE = 0.05
# From so many keys on, two threads sort them faster than one.
_TWO_THREADS = 2**19


def sort_scores(positive: Bools, scores: NDArray[Any]) -> SortedKeys | SplitScores | TiedScores:
    """Sort float32 or float64 scores with their labels, unweighted, in whichever way is quickest."""
    if positive.size > sorted_keys.FEW_ROWS and (counted := count_decimals(positive, scores)) is not None:
        return TiedScores(*counted)
    many = int(np.count_nonzero(positive))
    if min(many, positive.size - many) >= _RARE * positive.size:
        packed = pack(positive, scores, many)
        if packed is not None:
            _sort(packed.keys)
            return TiedScores.of(packed) if packed.often_tied else packed
    classes = [scores[~positive], scores[positive]]
    for of_one in classes:
        of_one.sort()
    return SplitScores(*classes)


def _sort(keys: NDArray[Any]) -> None:
    """Sort in place: many keys are parted in the middle, and each half sorted by a thread, which NumPy lets run at once."""
    if keys.size < _TWO_THREADS or (os.cpu_count() or 1) < 2 or _repeated(keys):
        keys.sort()
        return
    half = keys.size // 2
    keys.partition(half)
    other = Thread(target=keys[:half].sort)
    other.start()
    keys[half:].sort()
    other.join()


def _repeated(keys: NDArray[Any]) -> bool:
    """Tell from a thousand keys whether many are equal; these are soon sorted, and parting them takes as long."""
    some = np.sort(keys[:: max(1, keys.size // 1000)])
    return int(np.count_nonzero(some[1:] == some[:-1])) > some.size // 100

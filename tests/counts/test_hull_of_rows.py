import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.counts import hull_of_rows as module


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(2, 400), st.integers(2, 400), st.sampled_from([0.5, 0.9, 0.02]))
def test_the_hull_of_sorted_rows_is_that_of_the_curve(seed, size, levels, share):
    """Found by blocks of sorted rows, few or many of them tied, it has the vertices and thresholds of the points laid out."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < share
    y[:2] = True, False
    s = (rng.integers(0, levels, size) + 0.5 * levels * y * rng.random()) / 7 - rng.integers(0, 2) * 5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MANY", 30)
        patch.setattr(module, "_BLOCK", 3)
        lazy = ic.RocCurve.from_scores(y, s).hull
    laid_out = ic.RocCurve.from_counts(ic.ScoreCounts.from_arrays(y, s)).hull
    for name in ("fp", "tp", "thresholds", "given"):
        assert getattr(lazy, name).tolist() == getattr(laid_out, name).tolist()

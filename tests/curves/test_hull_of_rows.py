import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.curves import sort

FIELDS = ("fp", "tp", "thresholds", "_given")


def laid_out(y, s):
    """The hull of the points laid out, after ranking the rows in the obvious way, as weights need it."""
    return ic.RocCurve.from_scores(y, s, sample_weight=np.ones(y.size)).hull


@settings(max_examples=100)
@given(
    st.integers(0, 2**32), st.integers(2, 1000), st.integers(2, 2000), st.sampled_from([0.5, 0.9, 0.02]),
    st.sampled_from([8, 10**9]),
    st.sampled_from([0, 16, 10**9]),
)  # fmt: skip
def test_the_hull_of_sorted_rows_is_that_of_the_curve(seed, size, levels, share, few, often):
    """Found by blocks of label bits or all at once, few rows tied or many, it has the vertices and thresholds of the points."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < share
    y[:2] = True, False
    s = (rng.integers(0, levels, size) + levels * y * rng.random()) / 7 - rng.integers(0, 2) * 5
    expected = laid_out(y, s)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sort, "FEW_ROWS", few)
        patch.setattr(sort, "_OFTEN", often)
        patch.setattr(sort, "_CHUNK", 8)
        patch.setattr(sort, "_STRETCH", 3)
        found = ic.RocCurve.from_scores(y, s).hull
    for name in FIELDS:
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()


@pytest.mark.parametrize("size", [64 * 700, 64 * 700 + 1, 50_000])
@pytest.mark.parametrize(
    "kind", ["distinct", "float32", "3 decimals", "4 decimals", "5 decimals", "half of one score", "logits", "perfect"]
)
def test_the_hull_of_many_rows_is_that_of_the_curve(size, kind):
    """With blocks of their true size, and last ones that are not full, no vertex is lost."""
    rng = np.random.default_rng(size)
    y = rng.random(size) < 0.4
    logits = rng.normal(size=size) + 1.2 * y
    p = 1 / (1 + np.exp(-logits))
    s = {
        "distinct": p,
        "float32": p.astype(np.float32),
        "3 decimals": np.round(p, 3),
        "4 decimals": np.round(p, 4),
        "5 decimals": np.round(p, 5),
        "half of one score": np.where(rng.random(size) < 0.5, 0.5, p),
        "logits": logits,
        "perfect": y + p,
    }[kind]
    found, expected = ic.RocCurve.from_scores(y, s).hull, laid_out(y, s)
    for name in FIELDS:
        assert np.array_equal(getattr(found, name), getattr(expected, name))

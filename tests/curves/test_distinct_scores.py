import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.curves import sort

awkward = st.sampled_from(
    [0.0, -0.0, 5e-324, -5e-324, 1e-300, 1.0, np.nextafter(1, 2), -1.0, 3.5, 1e300, np.inf, -np.inf]
)
narrow = st.floats(width=32, allow_nan=False)


def ranked(y, s):
    """The obvious way: rank the rows and add up ones."""
    return sort._count_ranked(y, s, np.ones(y.size, dtype=np.int64))


def same(a, b):
    """Whether two tables are equal, the sign of zero included."""
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True)) and not np.signbit(a[0][a[0] == 0]).any()


@st.composite
def rows(draw, score, dtype):
    """Labels and scores of one type; one class may be missing, which the kernel does not care about."""
    size = draw(st.integers(1, 40))
    y = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    return y, np.array(draw(st.lists(score, min_size=size, max_size=size)), dtype=dtype)


@pytest.mark.parametrize(
    ("score", "dtype"),
    [
        (st.floats(0, allow_nan=False), np.float64),
        (st.floats(-1e3, 1e3), np.float64),
        (st.floats(allow_nan=False), np.float64),
        (awkward, np.float64),
        (narrow, np.float32),
        (st.floats(0, 1, width=32), np.float32),
        (st.sampled_from([0.25, -0.25, 0.5, 0.0, -0.0]), np.float32),
    ],
)
def test_packed_keys_count_like_ranked_rows(score, dtype):
    """Ties, ±inf, -0.0, denormals, all signs and exponents, float32: the same table whichever way it is made."""

    @given(rows(score, dtype))
    def check(data):
        y, s = data
        assert same(sort.count_scores(y, s, None), ranked(y, s))

    check()


def test_huge_imbalance_and_one_score():
    """One positive among ten thousand, and everything tied."""
    y = np.zeros(10_000, dtype=bool)
    y[5] = True
    s = np.linspace(-1, 1, 10_000)
    assert same(sort.count_scores(y, s, None), ranked(y, s))
    scores, positives, negatives = sort.count_scores(y, np.ones(10_000), None)
    assert (scores.tolist(), positives.tolist(), negatives.tolist()) == ([1.0], [1], [9999])


def test_the_rows_are_not_changed():
    """Scores that are views, strided or read-only stay as they are."""
    s = np.linspace(-1, 1, 20)[::2]
    s.flags.writeable = False
    before = s.copy()
    y = np.arange(10) % 2 == 0
    assert same(sort.count_scores(y, s, None), ranked(y, s))
    assert np.array_equal(s, before)

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isocost.data.count import CountTable, Pieces

numbers = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0)


@given(
    st.lists(numbers, min_size=2, max_size=20, unique=True),
    st.integers(1, 1000),
    st.lists(numbers, max_size=20),
    st.data(),
)
def test_steps_hold_all_numbers_of_their_buckets_in_order(ends, most, scores, data):
    """Buckets far apart or side by side, of one number or of nearly all: keys rise with scores, and spans invert them."""
    ends = np.sort(ends)[: len(ends) // 2 * 2]
    low, high = ends[::2][::-1], ends[1::2][::-1]
    cases = np.array(data.draw(st.lists(st.integers(1, 10**9), min_size=low.size, max_size=low.size)))
    pieces = Pieces.divided(CountTable(low, high, cases, cases, np.arange(low.size)), most)
    assert pieces.size <= 2 * most + 10 * low.size
    s = np.sort(np.concatenate([scores, ends, low / 2 + high / 2]))
    s = s[[bool(np.any((low <= x) & (x <= high))) for x in s]]
    keys = pieces.keys(s)
    assert np.all(np.diff(keys) >= 0)
    least, most_of = pieces.spans(keys)
    assert np.all((least <= s) & (s <= most_of))
    assert pieces.keys(low[-1:]) == 0
    assert pieces.keys(high[:1]) == pieces.size - 2
    every = np.arange(min(pieces.size - 1, 5000))
    least, most_of = pieces.spans(every)
    for end in (least, most_of):
        assert np.array_equal(pieces.keys(end), every)
    assert np.all(least[1:] > most_of[:-1])


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_steps_are_shared_out_by_cases(one, other):
    """A bucket with more cases is divided into more steps, but every bucket into some."""
    cases = np.array([one, other])
    pieces = Pieces.divided(
        CountTable(np.array([2.0, 1.0]), np.array([3.0, 1.5]), cases, 0 * cases, np.arange(2)), 10_000
    )
    steps = [np.count_nonzero((pieces.edges >= low) & (pieces.edges <= high)) for low, high in ((2.0, 3.0), (1.0, 1.5))]
    share = np.maximum(10_000 * cases / cases.sum(), 8)
    assert np.all(np.abs(steps - share) <= 0.01 * share + 2)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from isocost.curves import sort
from isocost.curves.sort import sort_in_buckets, sort_numbers

# Sizes at which a few dozen numbers take every way that millions do.
SMALL = {"_ROW": 8, "_BUCKET": 8, "_LARGE": 16, "_SOME": 32, "_ENDS": 1, "_PLACES": 16, "_CELLS": 16, "_WINDOW": 4}
NUMBERS = [
    st.integers(0, 2**64 - 1).map(np.uint64),
    st.integers(0, 2**32 - 1).map(np.uint32),
    st.sampled_from([0, 1, 5, 2**63, 2**64 - 1]).map(np.uint64),
    st.floats(allow_nan=False).map(np.float64),
    st.floats(width=32, allow_nan=False).map(np.float32),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1.0, -1.0, np.inf, -np.inf]).map(np.float64),
]


@st.composite
def numbers(draw):
    """Numbers of one type, anywhere in its range, or a few of them again and again."""
    kind = draw(st.sampled_from(NUMBERS))
    return np.array(draw(st.lists(kind, min_size=1, max_size=150)))


@given(numbers(), st.booleans())
def test_buckets_sort_like_numpy(values, threads):
    """Every way through buckets, cells and windows, by one thread or two, gives the order of NumPy's sort."""
    expected = np.sort(values)
    with pytest.MonkeyPatch.context() as patch:
        for name, size in SMALL.items():
            patch.setattr(sort, name, size)
        patch.setattr(sort, "_TWO_THREADS", 2 if threads else 2**19)
        patch.setattr(sort, "_one_core", lambda: False)
        sort_in_buckets(values)
    assert values.dtype == expected.dtype
    assert np.array_equal(values, expected)


@given(arrays(np.uint32, st.integers(257, 1500), elements=st.integers(0, 2**32 - 1), fill=st.integers(0, 2**32 - 1)))
def test_cells_and_windows_of_full_size_sort_like_numpy(values):
    """Some thousand numbers at the sizes in use, many of them equal."""
    expected = np.sort(values)
    sort_in_buckets(values)
    assert np.array_equal(values, expected)


@pytest.mark.parametrize("kind", ["float32", "float64", "uint32", "uint64"])
@pytest.mark.parametrize("crowded", [False, True])
def test_many_numbers_are_sorted_at_the_sizes_in_use(kind, crowded):
    """Enough numbers for buckets, spread out or almost all in one place among a few far away."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=300_000)
    if crowded:
        values[::1000] *= 1e30
    values = values.astype(kind) if kind.startswith("float") else values.astype(f"float{kind[-2:]}").view(kind)
    expected = np.sort(values)
    sort_in_buckets(values)
    assert np.array_equal(values, expected)


@pytest.mark.parametrize("heavy", [1, 0.999, 0.5])
@pytest.mark.parametrize("place", [0.0, 0.25, 1.0])
def test_numbers_of_which_many_are_equal_are_sorted(heavy, place):
    """One number of many rows, at an end or among the others: parting them ends, whatever share of them it is."""
    rng = np.random.default_rng(0)
    values = np.where(rng.random(600_000) < heavy, place, rng.random(600_000))
    expected = np.sort(values)
    sort_in_buckets(values)
    assert np.array_equal(values, expected)


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("decimals", [1, 16])
@pytest.mark.parametrize("size", [2, 3, 5000, 5001])
def test_numbers_are_sorted_whichever_way_is_taken(monkeypatch, slow, decimals, size):
    """By halves in two threads where NumPy is quick, through buckets where it is slow: the result is the same."""
    monkeypatch.setattr(sort, "_TWO_THREADS", 2)
    monkeypatch.setattr(sort, "_one_core", lambda: False)
    monkeypatch.setattr(sort, "sorts_slowly", lambda _: slow)
    values = np.round(np.random.default_rng(1).normal(size=size), decimals)
    expected = np.sort(values)
    sort_numbers(values)
    assert np.array_equal(values, expected)


def test_a_failure_in_a_thread_is_not_hidden(monkeypatch):
    """An error while a half is sorted reaches the caller, instead of leaving it unsorted."""

    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(sort, "_TWO_THREADS", 2)
    monkeypatch.setattr(sort, "_LARGE", 16)
    monkeypatch.setattr(sort, "_BUCKET", 8)
    monkeypatch.setattr(sort, "_one_core", lambda: False)
    monkeypatch.setattr(sort, "_sort_cell_by_cell", fail)
    with pytest.raises(MemoryError):
        sort_in_buckets(np.arange(100, dtype=np.uint32))

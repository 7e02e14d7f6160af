import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.curves.sort import LabelBits, LabelSums


def as_bits(labels):
    """The labels as bits, the last word filled up with zeros."""
    octets = np.zeros(-(-labels.size // 64) * 8, dtype=np.uint8)
    bits = np.packbits(labels, bitorder="little")
    octets[: bits.size] = bits
    return LabelBits(octets.view("<u8"))


HOLD = pytest.mark.parametrize("hold", [as_bits, LabelSums.of])


@st.composite
def labels(draw):
    """Some labels, of one word or several, the positives few or many."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return (rng.random(draw(st.integers(1, 300))) < draw(st.sampled_from([0.1, 0.5, 0.9]))).astype(np.uint8)


@HOLD
def test_positives_below_an_edge_are_a_running_sum(hold):
    """From none to all rows, in whole words or part of one."""

    @given(labels())
    def check(y):
        edges = np.arange(y.size + 1)
        assert hold(y).positives_below(edges).tolist() == [int(y[:edge].sum()) for edge in edges]

    check()


@HOLD
def test_places_of_positives_add_up(hold):
    """Their sum is that of the numbers of positive rows."""

    @given(labels())
    def check(y):
        assert hold(y).places == sum(row for row, label in enumerate(y) if label)

    check()


@given(labels())
def test_a_turn_is_a_positive_after_a_negative(y):
    """Also across words, whichever way labels are held; in bits, the first row as well if it is positive."""
    expected = [row for row in range(1, y.size) if y[row] and not y[row - 1]]
    assert LabelSums.of(y).turns().tolist() == expected
    assert as_bits(y).turns_in(np.arange(0, y.size, 16)).tolist() == [0] * int(y[0]) + expected

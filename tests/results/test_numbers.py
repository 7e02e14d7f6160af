import math

from hypothesis import assume, given
from hypothesis import strategies as st

from isocost import numbers

scores = st.floats(-1e6, 1e6, allow_nan=False)


@given(scores, scores)
def test_a_printed_threshold_flags_the_same_cases(a, b):
    """Typed back it lies above the next lower score and not above the threshold itself."""
    assume(a != b)
    below, x = sorted((a, b))
    typed = float(numbers.threshold(x, below))
    assert below < typed <= x


@given(scores, scores)
def test_no_shorter_decimal_would_do_and_no_larger_as_short(a, b):
    """By trying every number of decimals below, and the next one up of as many."""
    below, x = sorted((round(a, 6), round(b, 6)))
    assume(below < x)
    text = numbers.threshold(x, below)
    decimals = len(text.partition(".")[2])
    for fewer in range(decimals):
        step = 10.0**-fewer
        assert math.floor(x / step) * step <= below + 1e-9
    step = 10.0**-decimals
    assert float(text) + step > x - 1e-9


@given(scores)
def test_without_a_lower_score_the_threshold_itself_is_printed(x):
    """Read back it is the same number."""
    assert float(numbers.threshold(x)) == x


def test_extreme_thresholds_are_written_with_a_power_of_ten():
    """A score of 1e28 is no row of digits, and neither is one of 1e-300."""
    assert numbers.threshold(1e28, 1.0) == "1e28"
    assert numbers.threshold(1e-300, 0.0) == "1e-300"
    assert float(numbers.threshold(1.5e-20, 1e-20)) == 1.5e-20

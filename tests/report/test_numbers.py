import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from report.javascript import call, evaluated

from isocost import numbers

finite = st.floats(-1e30, 1e30)


@given(finite | st.sampled_from([0.0, 1234.5, 0.5, 2.5, 99.95, 0.001, 1000.0, 12345.5, 9.995]), st.integers(1, 6))
def test_numbers_are_written_alike(x, n):
    """Both sides round halves up and write the same digits, however large."""
    assert call("digits", x, n) == numbers.digits(x, n)
    assert call("money", x) == numbers.money(x)


@given(st.integers(1, 10**6), st.integers(-3, 6), st.integers(-9, 9))
def test_the_last_digits_of_a_float_decide_nothing(m, places, ulps):
    """A price that is 349.5 but for rounding is written alike, whichever way it was computed."""
    x = float(f"{m}5e{-places}")
    near = x + ulps * math.ulp(x)
    assert call("digits", near) == numbers.digits(near) == numbers.digits(x)
    assert call("percent", near / 1e9) == numbers.percent(near / 1e9)


@given(st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.5, 0.005, 0.9995, 0.001, 1e-12]))
def test_percentages_are_written_alike(x):
    """The same for shares."""
    assert call("percent", x) == numbers.percent(x)
    assert call("share", x) == numbers.share(x)


@pytest.mark.parametrize("unit", ["€", "", "EUR", "lives", "US$", "é", "zł"])
@pytest.mark.parametrize("x", [0.0, 3.25, -12.5, 123456.7, -123456.7, -1e-14, 1235.0, 999.5])
def test_amounts_are_written_alike(x, unit):
    """A sign goes before the number, a word after it; below 0 there is one minus, whichever the unit."""
    assert call("amount", x, unit) == numbers.amount(x, unit)
    assert call("rough", x, unit) == numbers.rough(x, unit)
    assert numbers.amount(x, unit).startswith("−") == (x <= -1e-12)
    assert "-" not in numbers.amount(x, unit)


@given(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), st.sampled_from(["", "€", "DM"]))
def test_spans_are_written_alike(ends, unit):
    """Intervals of costs have the same digits in Python and on the page; a word for the unit stands once."""
    assert call("roughSpan", list(ends), unit) == numbers.rough_span(ends, unit)


@given(finite, st.floats(0, 1e3) | st.sampled_from([0.0, 1e-4, 1e-20]))
def test_thresholds_are_written_alike_and_flag_the_same_cases(x, gap):
    """The decimal lies above the next lower score and not above the threshold."""
    below = x - gap
    assume(below < x)
    text = call("thresholdText", x, below)
    assert text == numbers.threshold(x, below)
    assert below < float(text) <= x


@pytest.mark.parametrize("x", [0.2486, -3.0, 1e28, 1e-20, 0.1 + 0.2])
def test_a_threshold_with_nothing_below_is_written_in_full(x):
    """Where no lower score is known the threshold itself is typed back."""
    text = evaluated("thresholdText(a)", x)
    assert text == numbers.threshold(x)
    assert float(text) == x


def test_infinite_thresholds_have_a_sign():
    """Scores of infinity are possible."""
    page = evaluated("[thresholdText(Infinity), thresholdText(-Infinity)]")
    assert page == [numbers.threshold(math.inf), numbers.threshold(-math.inf)]

import math

import pytest
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


WRITTEN = [
    (numbers.digits, [(0.123456,), (12345.6,), (99.96,), (0.0,), (-2.5,)], ["0.123", "12,300", "100", "0", "−2.5"]),
    (numbers.money, [(502.0,), (1234.5,), (0.01234,)], ["502", "1235", "0.0123"]),
    (numbers.amount, [(502, "€"), (-3.25, "$"), (502, "EUR"), (502,)], ["€502", "−$3.25", "502 EUR", "502"]),
    (numbers.rough, [(464_523, "DM"), (-25.625,), (-1e-14,)], ["465,000 DM", "−25.6", "0"]),
    (numbers.rough_span, [((464_523, 572_981), "DM"), ((-2.5, 4), "€")], ["465,000 to 573,000 DM", "−€2.5 to €4"]),
    (numbers.percent, [(0.5,), (0.05,), (0.9995,), (1.0,)], ["50 %", "5.0 %", "99.950 %", "100 %"]),
    (numbers.threshold, [(0.248605, 0.247912), (0.248605, 0.2486), (0.248605,), (-1.4042374526547454,), (1e-20, 0.0), (float("inf"), 3.0)],
     ["0.248", "0.248605", "0.248605", "-1.4042374526547454", "1e-20", "∞"]),
    (numbers.p_value, [(0.0312,), (8.3e-11,)], ["p = 0.031", "p below 0.0001"]),
    (numbers.counted, [(1, "piece"), (21, "piece"), (0.5, "positive")], ["1 piece", "21 pieces", "0.5 positives"]),
    (numbers.shorten, [(["credit_2024_forest_v1", "credit_2024_bayes_v1"], 12), (["one name that is rather long"], 12)],
     [["forest", "bayes"], ["one n…r long"]]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "given", "written"), WRITTEN, ids=[function.__name__ for function, _, _ in WRITTEN]
)
def test_numbers_are_written_for_people(function, given, written):
    """Few digits, no powers of ten, units and signs where people put them; thresholds that can be typed back."""
    assert [function(*arguments) for arguments in given] == written

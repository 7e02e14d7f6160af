import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from strategies import conditions, curves

finite = {"kinds": ("tied", "probabilities")}


@given(curves(**finite), conditions(), st.floats(0, 0.5), st.floats(0.3, 1), st.lists(st.floats(0, 20), max_size=5))
def test_at_every_price_it_costs_what_the_best_band_there_costs(curve, condition, e, d, prices):
    """Between the breaks, at them and beyond, with the same share reviewed and the same thresholds."""
    reviewer = {"reviewer_fpr": e, "reviewer_tpr": d}
    found = ic.decide.review_curve(curve, condition, **reviewer)
    middle = (found.breaks[:-1] + found.breaks[1:]) / 2
    unit = condition.worst_cost - condition.best_cost
    for price in [*found.breaks.tolist(), *middle.tolist(), *prices]:
        band = ic.decide.review_band(curve, condition, cost_review=price, **reviewer)
        assert found(price) == pytest.approx(band.expected_cost, abs=1e-12 * (unit + price))
    for k, price in enumerate(middle.tolist()):
        if found.breaks[k + 1] - found.breaks[k] > 1e-9:
            band = ic.decide.review_band(curve, condition, cost_review=price, **reviewer)
            assert band.reviewed == pytest.approx(found.reviewed[k], abs=1e-12)
            assert (band.review_from, band.flag_from) == (found.review_from[k], found.flag_from[k])


@given(curves(**finite), conditions(), st.floats(0, 0.5), st.floats(0.3, 1))
def test_it_rises_ever_more_slowly_up_to_the_cost_without_reviews(curve, condition, e, d):
    """Concave and non-decreasing; the slope is the share reviewed; nobody is reviewed after the last break."""
    found = ic.decide.review_curve(curve, condition, reviewer_fpr=e, reviewer_tpr=d)
    assert found.breaks[0] == 0
    assert np.all(np.diff(found.breaks) > 0)
    assert np.all(np.diff(found.reviewed) < 0)
    assert found.reviewed[-1] == 0
    assert found.breaks[-1] == found.worth_up_to
    assert found.costs[-1] == pytest.approx(found.expected_cost_without, rel=1e-12, abs=1e-12)
    slopes = np.diff(found.costs) / np.diff(found.breaks)
    long = np.diff(found.breaks) > 1e-6
    assert slopes[long] == pytest.approx(found.reviewed[:-1][long], abs=1e-7)
    assert found.worth_up_to == ic.decide.review_band(
        curve, condition, cost_review=1, reviewer_fpr=e, reviewer_tpr=d
    ).worth_up_to  # fmt: skip


def test_worked_by_hand():
    """Sixteen cases with distinct scores, in fractions."""
    labels = [1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0]
    found = ic.decide.review_curve(ic.RocCurve.from_scores(labels, range(16, 0, -1)), ic.Condition(2, 6, 0.25))
    assert found.breaks == pytest.approx([0, 3 / 4, 18 / 17, 14 / 13, 7 / 5], abs=1e-14)
    assert found.costs == pytest.approx([0, 4 / 7, 171 / 238, 395 / 546, 16 / 21], abs=1e-14)
    assert found.reviewed == pytest.approx([16 / 21, 10 / 21, 23 / 84, 5 / 42, 0], abs=1e-14)


def test_prices_are_numbers_from_zero_on():
    """An array gives an array, a number a number; a negative or missing price is refused."""
    found = ic.decide.review_curve(ic.RocCurve.from_scores([1, 0, 1, 0], [4, 3, 2, 1]), ic.Condition())
    assert isinstance(found(0.1), float)
    assert found(np.array([[0.1, 9.0]])).shape == (1, 2)
    assert found(np.inf) == found.expected_cost_without
    for bad in (-0.1, np.nan, "dear", [0.1, np.nan], 10**400):
        with pytest.raises(InputError, match="price"):
            found(bad)


def test_the_sentence_and_the_plain_data():
    """Without reviews, with free ones, and up to which price."""
    found = ic.decide.review_curve(ic.RocCurve.from_scores([1, 0], [2, 1], name="m"), ic.Condition())
    assert str(found) == "m: 0 per case without reviews; reviews do not pay at any price"
    assert found.to_dict()["breaks"] == [0.0]

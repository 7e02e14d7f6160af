import pytest

import isocost as ic
from isocost.errors import InputError, UnknownNameError
from isocost.point_metrics import METRICS


def test_a_function_becomes_a_metric_that_says_what_it_is_told():
    """Name, formula, range, direction and reference are kept; the name defaults to the function's."""

    def cost(fpr, tpr, c):
        return (c * fpr + 1 - tpr) / (1 + c)

    plain = ic.point_metrics.from_function(cost)
    assert plain.name == "cost"
    assert plain.range == (-float("inf"), float("inf"))
    told = ic.point_metrics.from_function(
        cost, name="normalised cost", formula="t h + (1 - t)(1 - k)", range=(0, 1), direction="lower", reference="here"
    )
    assert told.to_dict() == {
        "name": "normalised cost",
        "formula": "t h + (1 - t)(1 - k)",
        "range": [0.0, 1.0],
        "direction": "lower",
        "reference": "here",
        "options": {},
    }
    assert told(0.2, 0.7, 4) == pytest.approx((0.8 + 0.3) / 5)
    assert told.from_confusion(tp=7, fn=3, fp=8, tn=32) == pytest.approx(11 / 50)


def test_a_users_metric_has_a_skew_insensitive_version():
    """Its value at c = 1 at every skew, and so indifferent to it everywhere."""
    mine = ic.point_metrics.from_function(lambda h, k, c: k - c * h, name="mine")
    version = mine.skew_insensitive
    assert version(0.2, 0.7, 9) == mine(0.2, 0.7, 1)
    assert ic.effective_skew(version, 0.2, 0.7, skew_ratio=9) == pytest.approx(1)
    assert (ic.skew_sensitivity(mine), ic.skew_sensitivity(version)) == ("sensitive", "strong")
    assert version.skew_indifference().whole_square
    assert not mine.skew_indifference().whole_square


def test_bad_definitions_are_refused():
    """Not callable; a direction that is neither."""
    with pytest.raises(InputError, match=r"a metric must be a function of .* got 'accuracy'"):
        ic.point_metrics.from_function("accuracy")
    with pytest.raises(UnknownNameError, match="unknown direction 'up'"):
        ic.point_metrics.from_function(METRICS["mcc"], direction="up")


def test_points_of_a_users_metric_are_checked_like_any():
    """The function never sees a rate outside [0, 1]."""
    with pytest.raises(InputError, match="fpr must lie between 0 and 1, got 2"):
        ic.point_metrics.from_function(METRICS["mcc"])(2, 0.5)

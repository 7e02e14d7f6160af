import math

import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from isocost.errors import ConditionError
from strategies import conditions, inside_unit, unit


@given(conditions())
def test_t_is_the_share_of_worst_case_cost_that_false_alarms_carry(c):
    """The definition, with the costs of correct decisions subtracted."""
    fp = (c.cost_fp - c.cost_tn) * (1 - c.prevalence)
    fn = (c.cost_fn - c.cost_tp) * c.prevalence
    assert c.t == pytest.approx(fp / (fp + fn), abs=1e-15)
    assert c.t + c.pcf == pytest.approx(1, abs=1e-15)
    assert c.skew_ratio == pytest.approx(c.t / c.pcf, rel=1e-12)


@given(conditions(), unit, unit)
def test_expected_cost_is_the_mean_over_the_four_outcomes(c, fpr, tpr):
    """Normalised cost is the same number, shifted and scaled between the best and the worst case."""
    p = c.prevalence
    mean = p * (tpr * c.cost_tp + (1 - tpr) * c.cost_fn) + (1 - p) * (fpr * c.cost_fp + (1 - fpr) * c.cost_tn)
    assert c.expected_cost(fpr, tpr) == pytest.approx(mean, abs=1e-12)
    assert c.expected_cost(0.0, 1.0) == pytest.approx(c.best_cost, abs=1e-12)
    assert c.expected_cost(1.0, 0.0) == pytest.approx(c.worst_cost, abs=1e-12)
    scaled = c.best_cost + (c.worst_cost - c.best_cost) * c.normalised_cost(fpr, tpr)
    assert scaled == pytest.approx(mean, abs=1e-12)


@given(unit)
def test_from_t_is_inverted_exactly(x):
    """The coordinate put in is the coordinate read back, to the last bit."""
    assert ic.Condition.from_t(x).t == x
    assert ic.Condition.from_t(x).pcf == pytest.approx(1 - x, abs=1e-15)
    assert ic.Condition.from_t(x).worst_cost == pytest.approx(1, abs=1e-15)


@given(inside_unit, inside_unit)
def test_skew_ratio_and_cost_proportion_follow_from_costs(proportion, prevalence):
    """The slope of iso-cost lines, and the share of a miss in both costs."""
    c = ic.Condition(1 - proportion, proportion, prevalence)
    assert c.cost_proportion == pytest.approx(proportion, rel=1e-14)
    assert c.skew_ratio == pytest.approx((1 - proportion) / proportion * (1 - prevalence) / prevalence, rel=1e-12)


def test_extreme_skew_ratios_are_conditions_too():
    """A miss that costs nothing has slope inf, a false alarm that costs nothing slope 0."""
    assert ic.Condition(0, 1).skew_ratio == 0
    assert ic.Condition(1, 0).skew_ratio == math.inf


def test_profits_are_negative_costs():
    """Catches worth 5, rejections worth 2, misses costing 3, false alarms 1: slope (1+2)/(3+5) (Flach 2003, corrected)."""
    c = ic.Condition(cost_fp=1, cost_fn=3, cost_tp=-5, cost_tn=-2)
    assert c.skew_ratio == 3 / 8


def test_a_condition_reads_as_a_sentence():
    """The repr is what a person would say."""
    assert repr(ic.Condition(1, 5, 0.3)) == "<Condition: a miss costs 5 false alarms, 30 % positive: t = 0.318>"
    assert "a false alarm costs 4 misses" in str(ic.Condition(2, 0.5))
    assert "a miss costs as much as a false alarm" in str(ic.Condition())
    assert "a miss costs nothing" in str(ic.Condition(1, 0))
    assert ic.Condition(1, 5, 0.3).to_dict()["t"] == ic.Condition(1, 5, 0.3).t


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cost_fp": -1}, r"cost_fp must be finite and at least 0, got -1"),
        ({"cost_fn": math.nan}, r"cost_fn must be finite and at least 0, got nan"),
        ({"cost_fn": math.inf}, r"cost_fn must be finite and at least 0, got inf"),
        ({"cost_fp": "dear"}, r"cost_fp must be a number, got 'dear'"),
        ({"cost_tp": math.inf}, r"cost_tp must be finite"),
        ({"cost_fp": 0, "cost_fn": 0}, r"no class that is present has an error cost"),
        ({"cost_fp": 1, "cost_tn": 2}, r"cost_fp must exceed cost_tn: got cost_fp=1, cost_tn=2"),
        ({"cost_fp": 2, "cost_tn": 2}, r"cost_fp must exceed cost_tn"),
        ({"cost_fn": 1, "cost_tp": 1}, r"cost_fn must exceed cost_tp"),
        ({"prevalence": 1.5}, r"prevalence must be between 0 and 1, got 1.5"),
        ({"prevalence": math.nan}, r"prevalence must be between 0 and 1, got nan"),
        ({"cost_fn": 0, "prevalence": 1}, r"nothing can go wrong at prevalence 1"),
    ],
)
def test_costs_that_make_no_sense_are_refused(arguments, message):
    """The message names the argument and the value; it is a ValueError too."""
    with pytest.raises(ConditionError, match=message):
        ic.Condition(**arguments)


def test_coordinates_outside_their_range_are_refused():
    """With the value."""
    with pytest.raises(ValueError, match=r"between 0 and 1, got 1\.2"):
        ic.Condition.from_t(1.2)


def test_costs_apply_to_arrays_of_points():
    """Whole curves are priced at once."""
    c = ic.Condition(1, 5, 0.3)
    x, y = np.array([0.0, 0.5]), np.array([0.2, 1.0])
    assert c.expected_cost(x, y).tolist() == pytest.approx([c.expected_cost(*p) for p in zip(x, y, strict=True)])

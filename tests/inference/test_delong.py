import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from isocost.errors import InputError
from strategies import samples

GOLDEN = Path(__file__).parents[1] / "golden"


def table(name):
    """The rows of a golden file."""
    with (GOLDEN / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


CASES = {k: np.array([float(row[k]) for row in table("delong_cases.csv")]) for k in table("delong_cases.csv")[0]}


@pytest.mark.parametrize("golden", table("delong.csv"), ids=lambda row: f"{row['a']}-{row['b']}")
def test_tied_data_give_the_numbers_of_proc(golden):
    """Areas, variance, interval, statistic, p-value and interval of the difference equal pROC's to 1e-9."""
    one = ic.delong(CASES["y"], CASES[golden["a"]])
    two = ic.delong(CASES["y"], CASES[golden["a"]], CASES[golden["b"]])
    found = {
        "auc_a": one.auc, "auc_b": two.auc_b, "variance_a": one.standard_error**2, "low_a": one.low, "high_a": one.high,
        "z": two.difference / two.standard_error, "p_value": two.p_value, "low": two.low, "high": two.high,
    }  # fmt: skip
    for name, value in found.items():
        assert value == pytest.approx(float(golden[name]), rel=1e-9, abs=1e-9), name


@given(samples(min_each=2, weighted=(None,)))
def test_area_is_the_area_under_the_curve(sample):
    """The mean placement of the positives is the AUC."""
    assert ic.delong(sample.y, sample.s).auc == pytest.approx(ic.auc(sample.curve), abs=1e-12)


@given(samples(min_each=2, kinds=("tied",), weighted=("real",)))
def test_weighted_area_is_the_weighted_auc(sample):
    """Weights count in the area as they do in the curve."""
    w = np.maximum(sample.w, 0.01)
    curve = ic.RocCurve.from_scores(sample.y, sample.s, sample_weight=w)
    assert ic.delong(sample.y, sample.s, sample_weight=w).auc == pytest.approx(ic.auc(curve), abs=1e-12)


def test_equal_weights_change_nothing():
    """Weights of 3 everywhere are no more cases than weights of 1."""
    plain = ic.delong(CASES["y"], CASES["fine"], CASES["coarse"])
    heavy = ic.delong(CASES["y"], CASES["fine"], CASES["coarse"], sample_weight=np.full(CASES["y"].size, 3.0))
    assert heavy.standard_error == pytest.approx(plain.standard_error, rel=1e-12)
    assert heavy.p_value == pytest.approx(plain.p_value, rel=1e-10)


def test_weighted_variance_is_that_of_resampling_rows():
    """The standard error agrees with the spread of the weighted area over bootstrap resamples of the rows."""
    rng = np.random.default_rng(5)
    y, s = CASES["y"], CASES["fine"]
    w = rng.uniform(0.2, 3.0, y.size)
    positives, negatives = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    areas = []
    for _ in range(1500):
        rows = np.concatenate([rng.choice(part, part.size) for part in (positives, negatives)])
        areas.append(ic.delong(y[rows], s[rows], sample_weight=w[rows]).auc)
    assert np.std(areas) == pytest.approx(ic.delong(y, s, sample_weight=w).standard_error, rel=0.08)


def test_rows_of_weight_0_do_not_count():
    """Dropping them gives the same result."""
    y, s = CASES["y"], CASES["fine"]
    w = np.ones(y.size)
    w[::7] = 0
    assert ic.delong(y, s, sample_weight=w) == ic.delong(y[w > 0], s[w > 0])


def test_identical_models_do_not_differ():
    """Their difference is 0 with certainty, not 0/0."""
    result = ic.delong(CASES["y"], CASES["fine"], CASES["fine"])
    assert (result.difference, result.low, result.high, result.p_value) == (0, 0, 0, 1)


def test_complete_separation_has_a_p_value():
    """No spread and an area of 1: the interval has no width and the p-value is 0."""
    result = ic.delong([0, 0, 1, 1], [1, 2, 3, 4])
    assert (result.auc, result.low, result.high, result.p_value) == (1, 1, 1, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ([0, 1, 1], [1, 2, 3]),
            "DeLong's variance needs at least 2 positives and 2 negatives, got 1 negatives among 3",
        ),
        (([0, 0, 1, 1], [1, 2, 3]), r"different lengths: y_true has shape \(4,\), scores_a has shape \(3,\)"),
        (([0, 0, 1, 1], [1, 2, 3, 4], [1, 2, 3]), r"scores_b has shape \(3,\)"),
        (([0, 0, 1, 1], [1, 2, np.nan, 4]), "scores_a has missing values.*1 of 4"),
    ],
)
def test_bad_input_is_named(arguments, message):
    """Every refusal says what came."""
    with pytest.raises(InputError, match=message):
        ic.delong(*arguments)


@pytest.mark.parametrize("level", [0, 1, 90, float("nan")])
def test_level_outside_0_to_1_is_refused(level):
    """90 means 90 %, but is written 0.9."""
    with pytest.raises(InputError, match=r"level must .*got"):
        ic.delong([0, 0, 1, 1], [1, 3, 2, 4], level=level)


def test_result_shows_itself():
    """The text has the areas, the difference and the p-value; the dict every field."""
    result = ic.delong([0, 0, 1, 1], [1, 3, 2, 4], [1, 2, 3, 4])
    assert repr(result) == "<DeLong: AUC 0.75 − 1 = -0.25, 90 % -0.8315 to 0.3315, p = 0.48>"
    assert repr(ic.delong([0, 0, 1, 1], [1, 3, 2, 4])) == "<DeLong: AUC 0.75, 90 % 0.1685 to 1>"
    assert result.to_dict()["auc_b"] == 1.0

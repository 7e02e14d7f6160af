import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

import isocost as ic
from isocost.errors import InputError, UnknownNameError
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
    reach = stats.norm.ppf((1 + one.level) / 2) * one.standard_error
    found = {
        "auc_a": one.auc, "auc_b": two.auc_b, "variance_a": one.standard_error**2, "low_a": one.auc - reach, "high_a": one.auc + reach,
        "z": two.difference / two.standard_error, "p_value": two.p_value, "low": two.low, "high": two.high,
    }  # fmt: skip
    for name, value in found.items():
        assert value == pytest.approx(float(golden[name]), rel=1e-9, abs=1e-9), name


@given(samples(min_each=2, weighted=(None,)))
def test_area_is_the_area_under_the_curve(sample):
    """The mean placement of the positives is the AUC."""
    assert ic.delong(sample.y, sample.s).auc == pytest.approx(ic.auc(sample.curve), abs=1e-12)


def test_identical_models_do_not_differ():
    """Their difference is 0 with certainty, not 0/0."""
    result = ic.delong(CASES["y"], CASES["fine"], CASES["fine"])
    assert (result.difference, result.low, result.high, result.p_value) == (0, 0, 0, 1)


def test_complete_separation_has_a_p_value():
    """No spread and an area of 1: the p-value is 0, and the interval is exact."""
    result = ic.delong([0, 0, 1, 1], [1, 2, 3, 4])
    assert (result.auc, result.low, result.high, result.p_value) == (1, pytest.approx(0.05**0.5), 1, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ([0, 1, 1], [1, 2, 3]),
            "DeLong's variance needs at least 2 positives and 2 negatives, got 1 negative among 3",
        ),
        (([0, 0, 1, 1], [1, 2, 3]), r"different lengths: y_true has shape \(4,\), scores_a has shape \(3,\)"),
        (([0, 0, 1, 1], [1, 2, 3, 4], [1, 2, 3]), r"scores_b has shape \(3,\)"),
        (([0, 0, 1, 1], [1, 2, np.nan, 4]), "scores_a is missing .*1 of 4"),
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
    assert repr(ic.delong([0, 0, 1, 1], [1, 3, 2, 4])) == "<DeLong: AUC 0.75, 90 % 0.1189 to 0.9852>"
    assert result.to_dict()["auc_b"] == 1.0


SURE = {case["name"]: case for case in json.loads((GOLDEN / "sure.json").read_text(encoding="utf-8"))["cases"]}


@pytest.mark.parametrize("name", [name for name in SURE if name.startswith("DeLong")])
def test_clusters_logit_scale_and_separation_give_the_worked_values(name):
    """Areas, errors and limits computed apart at thirty digits."""
    given, values = SURE[name]["inputs"], SURE[name]["values"]
    y, s = given.get("y", [0] * 7 + [1] * 5), given.get("s", [0] * 7 + [1] * 5)
    level = 0.95 if name == "DeLong, logit scale" else 0.9
    found = ic.delong(y, s, given.get("s2"), level=level, cluster=given.get("groups")).to_dict()
    for field, value in values.items():
        assert found[field] == pytest.approx(value, abs=1e-12), field


@given(samples(min_each=2, weighted=(None,)))
def test_clusters_of_one_case_are_plain_cases(sample):
    """Nothing else changes either."""
    other = -sample.s
    for scores in ((sample.s,), (sample.s, other)):
        plain, alone = (ic.delong(sample.y, *scores, cluster=cluster) for cluster in (None, np.arange(sample.y.size)))
        assert alone.standard_error == pytest.approx(plain.standard_error, abs=1e-12)
        assert (alone.low, alone.high) == pytest.approx((plain.low, plain.high), abs=1e-9)


def test_copies_of_a_case_in_one_cluster_are_no_more_information():
    """Ten copies of every case have the standard error of the originals, but for the small-sample factors."""
    y, s = CASES["y"], CASES["fine"]
    plain = ic.delong(y, s).standard_error
    copies = ic.delong(np.repeat(y, 10), np.repeat(s, 10), cluster=np.repeat(np.arange(y.size), 10)).standard_error
    assert copies == pytest.approx(plain, rel=1e-12)
    assert ic.delong(np.repeat(y, 10), np.repeat(s, 10)).standard_error < 0.4 * plain


def test_limits_on_the_logit_scale_mirror():
    """Turned scores have one less the limits, and both stay inside 0 and 1."""
    rng = np.random.default_rng(0)
    y = np.arange(60) < 20
    for gap in (0.0, 1.0, 4.0, 9.0):
        s = rng.normal(size=60) + gap * y
        up, down = ic.delong(y, s), ic.delong(y, -s)
        assert (1 - down.high, 1 - down.low) == pytest.approx((up.low, up.high), abs=1e-12)
        assert 0 <= up.low <= up.auc <= up.high + 1e-12 <= 1 + 1e-12
    assert up.low == pytest.approx(0.05 ** (1 / 20))
    halves = ic.delong(y, np.concatenate([np.ones(20), np.zeros(40)]), cluster=np.arange(60) // 2)
    assert halves.low == pytest.approx(0.05 ** (1 / 10))


def test_different_cases_add_their_variances():
    """Two models of other cases: the error of the difference is the hypotenuse, and sizes may differ."""
    y, s = CASES["y"], CASES["fine"]
    first, second = ic.delong(y, s), ic.delong(y[5:], CASES["coarse"][5:])
    found = ic.delong(y, s, CASES["coarse"][5:], y_true_b=y[5:])
    assert found.difference == pytest.approx(first.auc - second.auc)
    assert found.standard_error == pytest.approx(np.hypot(first.standard_error, second.standard_error))


def test_what_does_not_go_together_is_refused():
    """Clusters of other cases, labels without scores, one cluster."""
    y, s = CASES["y"], CASES["fine"]
    with pytest.raises(InputError, match="pass scores_b too"):
        ic.delong(y, s, y_true_b=y)
    with pytest.raises(InputError, match="cluster= has one entry for each case of y_true"):
        ic.delong(y, s, s, y_true_b=y, cluster=np.arange(y.size))
    with pytest.raises(
        InputError, match=r"needs at least 2 positives and 2 negatives, got 1 positive among .* clusters"
    ):
        ic.delong(y, s, cluster=np.where(y == 1, -1, np.arange(y.size)))


def test_models_of_different_cases_are_tested_as_welch_does():
    """A t distribution whose degrees of freedom come from both variances and numbers of cases, as in pROC's unpaired test."""
    rng = np.random.default_rng(1)
    (y, s), (z, r) = ((np.arange(n) % 3 == 0, rng.normal(size=n) + (np.arange(n) % 3 == 0)) for n in (15, 24))
    one, two = ic.delong(y, s), ic.delong(z, r)
    both = ic.delong(y, s, r, y_true_b=z, level=0.9)
    v, w = one.standard_error**2, two.standard_error**2
    freedom = (v + w) ** 2 / (v**2 / 14 + w**2 / 23)
    gap, error = one.auc - two.auc, math.sqrt(v + w)
    assert both.p_value == pytest.approx(2 * stats.t.sf(abs(gap) / error, freedom), rel=1e-12)
    assert both.high - both.difference == pytest.approx(stats.t.ppf(0.95, freedom) * error, rel=1e-12)
    assert both.p_value > 2 * stats.norm.sf(abs(gap) / error)


@pytest.mark.parametrize("unpaired", [False, True])
def test_one_sided_p_values_halve_and_add_up(unpaired):
    """In the direction of the gap half of the two-sided one, in the other the rest; the limits stay."""
    rng = np.random.default_rng(2)
    y = np.arange(60) % 2 == 0
    a, b = rng.normal(size=60) + y, rng.normal(size=60) + y / 2
    more = {"y_true_b": y} if unpaired else {}
    two, greater, less = (ic.delong(y, a, b, alternative=which, **more) for which in ("two-sided", "greater", "less"))
    assert two.difference > 0
    assert greater.p_value == pytest.approx(two.p_value / 2)
    assert greater.p_value + less.p_value == pytest.approx(1)
    assert (greater.low, greater.high) == (two.low, two.high)
    alone = ic.delong(y, a, alternative="greater")
    assert alone.p_value == pytest.approx(ic.delong(y, a).p_value / 2)
    with pytest.raises(UnknownNameError, match="alternative"):
        ic.delong(y, a, alternative="better")

import json
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.optimize import brentq

import isocost as ic
from isocost.errors import InputError, IsocostError
from isocost.inference.study import _disagreement

GOLDEN = Path(__file__).parents[1] / "golden" / "sure.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]


def named(name):
    """The worked examples of a name."""
    return [case for case in CASES if case["name"] == name]


@pytest.mark.parametrize("case", named("cases needed"))
def test_worked_values_for_two_models(case):
    """Cases of each class and the difference to be found; without a second model, against the better trivial classifier."""
    given, values = case["inputs"], case["values"]
    a, b = (
        None if shift is None else ic.RocCurve.from_distributions(stats.norm(shift), stats.norm(0))
        for shift in (given["a"], given["b"])
    )
    condition = ic.Condition(given["cost_fp"], given["cost_fn"], given["prevalence"])
    options = {name: given[name] for name in ("correlation", "power", "level")}
    found = ic.cases_needed(a, b, condition, **options)
    assert (found.positives, found.negatives) == (values["positives"], values["negatives"])
    assert found.total == found.positives + found.negatives
    assert found.difference == pytest.approx(values["difference_per_1000"], rel=1e-6)


@pytest.mark.parametrize("case", named("cases needed for an AUC (as pROC power.roc.test, numeric form)"))
def test_worked_values_for_an_area(case):
    """As many as pROC says."""
    found = ic.inference.cases_needed_auc(**case["inputs"])
    assert (found.positives, found.negatives) == (case["values"]["positives"], case["values"]["negatives"])


def test_the_power_of_a_study_of_that_size_is_the_one_of_proc():
    """41 positives and 72 negatives have power 0.9904833 for an area of 0.7313686: asking for it gives them back."""
    found = ic.inference.cases_needed_auc(0.7313686, negatives_per_positive=72 / 41, power=0.9904833 - 1e-7, level=0.95)
    assert (found.positives, found.negatives) == (41, 72)
    more = ic.inference.cases_needed_auc(0.7313686, negatives_per_positive=72 / 41, power=0.9904833 + 1e-4, level=0.95)
    assert more.positives == 42


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(-0.95, 0.95))
def test_flags_disagree_as_the_quadrants_of_a_bivariate_normal_say(p, q, correlation):
    """Integrated over the first score, given which the second is normal; at a correlation of 1 or -1 known outright."""
    h, k = (NormalDist().inv_cdf(v) for v in (p, q))
    spread = math.sqrt(1 - correlation**2)
    both, _ = integrate.quad(lambda x: stats.norm.pdf(x) * stats.norm.cdf((k - correlation * x) / spread), -12, h)
    assert _disagreement(p, q, correlation) == pytest.approx(p + q - 2 * both - (p - q) ** 2, abs=1e-7)
    assert _disagreement(p, q, 1.0) == pytest.approx(abs(p - q) - (p - q) ** 2, abs=1e-12)
    assert _disagreement(p, q, -1.0) == pytest.approx(p + q - 2 * max(p + q - 1, 0) - (p - q) ** 2, abs=1e-12)


def test_a_pilot_says_how_many_by_its_own_spread():
    """Cases grow with the square of the standard deviation over the difference; half the difference needs four times as many."""
    rng = np.random.default_rng(0)
    y = np.arange(200) < 80
    shared = rng.normal(size=200)
    boot = ic.bootstrap(y, {k: shared + rng.normal(size=200) + y for k in "ab"}, n_resamples=100, grid=21)
    condition = ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.3)
    found = boot.cases_needed("a", "b", condition, difference=40)
    t = condition.t
    at = [
        np.array([np.interp(1 - t, boot.pcf, row) for row in 1.5 * m.cross_of_two - 0.5 * m.own])
        for m in boot.replicates.values()
    ]
    z = NormalDist().inv_cdf(0.95) + NormalDist().inv_cdf(0.8)
    gap = 40 / (1000 * condition.worst_cost)
    expected = 200 * (z * np.std(at[0] - at[1]) / gap) ** 2
    assert found.positives == math.ceil(0.4 * expected)
    assert found.negatives == math.ceil(0.6 * expected)
    assert boot.cases_needed("a", "b", condition, difference=20).total == pytest.approx(4 * found.total, abs=8)
    own = boot.cases_needed("a", "b", condition)
    assert own.difference == pytest.approx(1000 * condition.worst_cost * np.mean(at[0] - at[1]))


@pytest.mark.parametrize(
    "bad",
    [{"correlation": 1.1}, {"correlation": -1.5}, {"power": 0.0}, {"power": 1.0}, {"level": 1.0}, {"prevalence": 0.0}],
)
def test_what_makes_no_study_is_refused(bad):
    """The argument is named."""
    curve = ic.RocCurve.from_points([0.2], [0.7])
    with pytest.raises(IsocostError, match=next(iter(bad))):
        ic.cases_needed(curve, None, ic.Condition(), **bad)


def test_no_difference_needs_no_study():
    """Two equal curves, an area of one half, no curve at all."""
    curve = ic.RocCurve.from_points([0.2], [0.7])
    with pytest.raises(InputError, match="there is no difference here: no number of cases"):
        ic.cases_needed(curve, curve, ic.Condition())
    with pytest.raises(InputError, match="there is no difference here"):
        ic.inference.cases_needed_auc(0.5)
    with pytest.raises(InputError, match="negatives_per_positive must be positive"):
        ic.inference.cases_needed_auc(0.7, negatives_per_positive=0)
    with pytest.raises(InputError, match="a must be a RocCurve, got int"):
        ic.cases_needed(3, curve, ic.Condition())


def power(auc, positives, negatives, level):
    """The chance that a study of this size finds the area, by the formula of Obuchowski and McClish."""
    normal, spreads = NormalDist(), []
    for bend in (1.414 * normal.inv_cdf(auc), 0.0):
        of_ratio = (5 * bend**2 + 8) + (bend**2 + 8) * positives / negatives
        spreads.append(0.0099 * math.exp(-(bend**2) / 2) * of_ratio / positives)
    found = abs(auc - 0.5) - normal.inv_cdf((1 + level) / 2) * math.sqrt(spreads[1])
    return normal.cdf(found / math.sqrt(spreads[0]))


@pytest.mark.parametrize("ratio", [0.5, 1, 3, 72 / 41])
@pytest.mark.parametrize("auc", [0.72, 0.28])
def test_the_size_of_a_power_has_that_power(auc, ratio):
    """Classes are rounded up each by itself, from what is needed and not from what was rounded."""
    found = ic.inference.cases_needed_auc(auc, negatives_per_positive=ratio, power=0.85, level=0.95)
    assert power(auc, found.positives, found.negatives, 0.95) >= 0.85
    exact = brentq(lambda n: power(auc, n, n * ratio, 0.95) - 0.85, 1, 1000, xtol=1e-12)
    assert found.positives == math.ceil(exact - 1e-9)
    assert found.negatives == math.ceil(exact * ratio - 1e-9)

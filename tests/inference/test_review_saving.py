import numpy as np
import pytest
from scipy import stats

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError, UnknownNameError

CREDIT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


@pytest.fixture(scope="module")
def credit():
    """Resamples of the bundled predictions."""
    return ic.bootstrap(*load_german_credit_predictions(), n_resamples=200, rng=0)


@pytest.mark.parametrize("most", [None, 0.1, 0.9])
@pytest.mark.parametrize("reviewer", [{}, {"reviewer_fpr": 0.05, "reviewer_tpr": 0.9}])
def test_the_apparent_saving_is_that_of_the_mixture(credit, most, reviewer):
    """And the limits lie around it, corrected for the optimism of single thresholds."""
    y, scores = load_german_credit_predictions()
    asked = {"cost_review": 0.3, "max_reviewed": most, **reviewer}
    band = ic.review_band(ic.RocCurve.from_scores(y, scores["random_forest"]), CREDIT, randomised=True, **asked)
    found = credit.review_saving("random_forest", CREDIT, **asked)
    assert found.apparent == band.saving
    assert 0 < found.low < found.estimate < found.high
    assert found.low < found.apparent < found.high
    assert (found.measure, found.names, found.level) == ("review_saving", ("random_forest",), 0.90)


def test_a_grid_that_holds_the_three_conditions_needs_no_mending():
    """What is read between the conditions of the grid agrees with what is known at them."""
    y, scores = load_german_credit_predictions()
    only = {"random_forest": scores["random_forest"]}
    band = ic.review_band(ic.RocCurve.from_scores(y, only["random_forest"]), CREDIT, cost_review=0.4)
    (flag, _), (review, _) = band.chord()
    exact = ic.bootstrap(y, only, n_resamples=200, rng=0, grid=sorted([flag, CREDIT.pcf, review]))
    fine = ic.bootstrap(y, only, n_resamples=200, rng=0)
    one, two = (boot.review_saving("random_forest", CREDIT, cost_review=0.4) for boot in (exact, fine))
    assert (one.low, one.estimate, one.high) == pytest.approx((two.low, two.estimate, two.high), abs=0.003)


@pytest.mark.parametrize(
    "asked", [{"cost_review": 0.9}, {"cost_review": 0.1, "max_reviewed": 0}, {"cost_review": 0, "reviewer_tpr": 0}]
)
def test_where_no_review_can_pay_nothing_is_saved(credit, asked):
    """Too dear for any model, none possible, or a reviewer who finds nothing."""
    found = credit.review_saving("random_forest", CREDIT, **asked)
    assert (found.low, found.estimate, found.high, found.apparent) == (0, 0, 0, 0)


def test_a_price_that_nobody_pays_on_the_data_may_pay_in_truth(credit):
    """Just above what reviews are worth on the data the upper limit is still positive."""
    found = credit.review_saving("random_forest", CREDIT, cost_review=0.74)
    assert found.apparent == 0
    assert found.low == 0 < found.high


def test_folds_are_averaged_as_their_costs_are():
    """Each fold with thresholds of its own."""
    y, scores = load_german_credit_predictions()
    fold = np.arange(y.size) % 4
    boot = ic.bootstrap(y, {"m": scores["random_forest"]}, fold=fold, n_resamples=100, rng=0)
    found = boot.review_saving("m", CREDIT, cost_review=0.4)
    bands = [
        ic.review_band(
            ic.RocCurve.from_scores(y[fold == k], scores["random_forest"][fold == k]), CREDIT, cost_review=0.4
        )
        for k in range(4)
    ]
    assert found.apparent == pytest.approx(np.mean([band.saving for band in bands]), abs=1e-12)


def test_what_cannot_be_resampled_is_refused(credit):
    """Fixed thresholds, confusion matrices, conditions without money, unknown models, bad prices."""
    y, scores = load_german_credit_predictions()
    fixed = ic.bootstrap(y, {"m": scores["random_forest"]}, fixed=0.3, n_resamples=20)
    with pytest.raises(InputError, match="fixed="):
        fixed.review_saving("m", CREDIT, cost_review=0.1)
    with pytest.raises(InputError, match="cases themselves"):
        ic.bootstrap_confusion({"tree": (16, 4, 4, 6)}).review_saving("tree", CREDIT, cost_review=0.1)
    with pytest.raises(ConditionError, match="from_costs"):
        credit.review_saving("random_forest", ic.Conditions.uniform(), cost_review=0.1)
    with pytest.raises(UnknownNameError, match="forest"):
        credit.review_saving("forest", CREDIT, cost_review=0.1)
    with pytest.raises(InputError, match="cost_review"):
        credit.review_saving("random_forest", CREDIT, cost_review=-1)


@pytest.mark.parametrize("most", [None, 0.1])
def test_intervals_hold_the_true_saving_about_as_often_as_they_say(most):
    """In at least 80 % of 40 samples of 200 cases, with and without a limit; the study in benchmarks/ is larger."""
    curve = ic.RocCurve.from_distributions(stats.norm(1), stats.norm())
    fine = ic.RocCurve.from_points(curve.fpr, curve.tpr)
    asked = {"cost_review": 0.3, "max_reviewed": most}
    true = ic.review_band(fine, CREDIT, randomised=True, **asked).saving
    y = np.arange(200) < 60
    held = 0
    for seed in range(40):
        s = np.random.default_rng([seed, 5]).normal(size=200) + y
        low, high = ic.bootstrap(y, {"m": s}, n_resamples=100, rng=seed).review_saving("m", CREDIT, **asked)
        held += low <= true <= high
    assert held >= 32

import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError, UnknownNameError

RULES = ("score_driven", "rate_driven", "score_uniform", "rate_uniform")


@pytest.fixture(scope="module")
def drawn():
    """Three models of credit customers, resampled."""
    return ic.bootstrap(*load_german_credit_predictions(), n_resamples=120, grid=21)


@pytest.mark.parametrize("method", RULES)
def test_a_band_under_a_rule_is_percentiles_of_functions_of_the_curve(drawn, method):
    """At one condition it is the interval of a function that says the same, on the same resamples."""
    band = drawn.band("naive_bayes", method=method, prevalence=0.3)
    at = 8
    condition = ic.Condition.from_t(1 - band.pcf[at])
    x = condition.t  # only to name the condition below

    def cost(curve):
        line = ic.cost_curve(curve, method=method, axis="cost_proportion", prevalence=0.3)
        share = x * 0.3 + (1 - x) * 0.7
        proportion = (1 - x) * 0.7 / share
        return float(line(proportion)) / (2 * (proportion * 0.3 + (1 - proportion) * 0.7))

    limits = drawn.interval("naive_bayes", cost)
    assert (band.low[at], band.high[at]) == pytest.approx((limits.low, limits.high), abs=1e-9)
    assert band.apparent[at] == pytest.approx(limits.apparent, abs=1e-9)
    assert method in band.covers


def test_a_difference_under_a_rule_is_paired(drawn):
    """A model against itself differs by nothing; two models by what their curves say."""
    same = drawn.difference("naive_bayes", "naive_bayes", method="rate_driven")
    assert np.abs(same.high).max() == np.abs(same.low).max() == 0
    gap = drawn.difference("naive_bayes", "random_forest", 0.9, "simultaneous", method="rate_driven")
    assert np.all(gap.low <= gap.apparent + 1e-12)
    assert np.all(gap.apparent <= gap.high + 1e-12)


def test_rules_without_a_band_are_refused(drawn):
    """Unknown ones, one threshold, a prevalence without two classes, matrices without cases."""
    with pytest.raises(UnknownNameError):
        drawn.band("naive_bayes", method="tuned")
    with pytest.raises(InputError, match=r"interval\(threshold=\)"):
        drawn.band("naive_bayes", method="fixed")
    with pytest.raises(InputError, match="prevalence"):
        drawn.band("naive_bayes", method="rate_driven", prevalence=1.0)
    with pytest.raises(InputError, match="needs the cases"):
        ic.inference.bootstrap_confusion({"a": (16, 4, 4, 6)}).band("a", method="rate_driven")


def test_a_difference_may_be_between_two_rules_of_one_model(drawn):
    """On the same resamples: what a function that takes one from the other says at one condition."""
    gap = drawn.difference("naive_bayes", "naive_bayes", method=("score_driven", "rate_driven"), prevalence=0.3)
    at = 8
    t = 1 - gap.pcf[at]
    proportion = (1 - t) * 0.7 / (t * 0.3 + (1 - t) * 0.7)

    def difference(curve):
        one, two = (
            float(ic.cost_curve(curve, method=rule, axis="cost_proportion", prevalence=0.3)(proportion))
            for rule in ("score_driven", "rate_driven")
        )
        return (one - two) / (2 * (proportion * 0.3 + (1 - proportion) * 0.7))

    limits = drawn.interval("naive_bayes", difference)
    assert (gap.low[at], gap.high[at]) == pytest.approx((limits.low, limits.high), abs=1e-9)
    assert gap.names == ("naive_bayes (score_driven)", "naive_bayes (rate_driven)")
    with pytest.raises(InputError, match="has no band of its own"):
        drawn.difference("naive_bayes", "naive_bayes", method=("best", "rate_driven"))
    with pytest.raises(UnknownNameError):
        drawn.band("naive_bayes", method=("score_driven", "rate_driven"))

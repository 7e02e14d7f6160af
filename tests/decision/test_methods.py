import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError
from strategies import unit


@pytest.fixture(scope="module")
def credit():
    """The bundled predictions, three models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@pytest.mark.parametrize(
    ("condition", "options", "cost"),
    [
        (ic.Condition(1, 5, 0.3), {"method": "score_driven"}, 0.241),
        (ic.Condition(1, 5, 0.3), {"method": "rate_driven"}, 0.259),
        (ic.Condition(1, 1, 0.3), {"method": "fixed", "threshold": 0.5}, 0.238),
    ],
)
def test_methods_cost_what_they_cost_at_the_conditions_own_prevalence(credit, condition, options, cost):
    """Normalised costs of the random forest on the credit data, in three digits."""
    decision = credit.decide(condition, **options)
    assert decision.model == "random_forest"
    assert decision.normalised_cost == pytest.approx(cost, abs=5e-4)


@given(st.floats(0.1, 30), st.floats(0.05, 0.95), unit)
def test_rules_as_set_in_use_are_those_of_the_definitions(credit, cost_fn, prevalence, cut):
    """Score-driven: scores from cost_fp/(cost_fp + cost_fn) on; rate-driven: that share of cases flagged; fixed: the number given."""
    condition = ic.Condition(1, cost_fn, prevalence)
    y, scores = load_german_credit_predictions()
    best = {}
    for method, options in (("score_driven", {}), ("rate_driven", {}), ("fixed", {"threshold": cut})):
        best[method] = credit.decide(condition, method=method, **options)
    for name, s in scores.items():
        curve = credit[name]
        trusted = ic.best_threshold(curve, condition, method="score_driven")
        flagged = s >= 1 / (1 + cost_fn)
        rates = flagged[y == 0].mean(), flagged[y == 1].mean()
        assert (trusted.fpr, trusted.tpr) == pytest.approx(rates, abs=1e-12)
        assert best["score_driven"].expected_cost <= condition.expected_cost(*rates) + 1e-9
        rate = ic.best_threshold(curve, condition, method="rate_driven")
        assert rate.flagged == pytest.approx(cost_fn / (1 + cost_fn), abs=1e-9)
        assert best["rate_driven"].expected_cost <= rate.expected_cost + 1e-9
        fixed = ic.best_threshold(curve, condition, method="fixed", threshold=cut)
        assert fixed.fpr == pytest.approx((s >= cut)[y == 0].mean(), abs=1e-12)
        assert best["fixed"].expected_cost <= fixed.expected_cost + 1e-9


def test_a_fixed_threshold_is_told_as_it_was_given(credit):
    """Whichever score comes next to it; the drift of its cost line is told too."""
    decision = credit.decide(ic.Condition(1, 1, 0.3), method="fixed", threshold=0.5)
    assert (decision.threshold, decision.rule) == (0.5, "flag cases with score ≥ 0.5")
    t = decision.model_drift.t
    for at, same in (
        (t.t_low + 1e-9, True),
        (t.t_high - 1e-9, True),
        (t.t_low - 1e-9, False),
        (t.t_high + 1e-9, False),
    ):
        found = credit.decide(ic.Conditions.from_t(at), method="fixed", threshold=0.5)
        assert (found.model == decision.model) is same


def test_score_driven_rules_need_probabilities():
    """Scores beyond 1 cannot be taken for probabilities."""
    comparison = ic.Comparison.from_scores([1, 0, 1, 0], {"m": [9, 8, 7, 1]})
    with pytest.raises(InputError, match="score_driven"):
        comparison.decide(ic.Condition(1, 5, 0.3), method="score_driven")

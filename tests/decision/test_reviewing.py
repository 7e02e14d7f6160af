import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError
from strategies import conditions, model_sets

CREDIT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


@pytest.fixture(scope="module")
def credit():
    """Three models of the bundled predictions."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@given(model_sets(max_models=3), conditions(), st.floats(0, 5), st.none() | st.floats(0, 1), st.booleans())
def test_the_decided_model_has_the_cheapest_band_of_all(models, condition, price, most, randomised):
    """Every model with its own band, and the trivial classifiers; alternatives come in the order of their costs."""
    comparison = ic.Comparison.from_scores(*models)
    asked = {"cost_review": price, "max_reviewed": most, "randomised": randomised}
    decision = comparison.decide(condition, **asked)
    bands = {curve.name: ic.review_band(curve, condition, **asked) for curve in comparison.curves}
    trivial = {
        "always-negative": condition.expected_cost(0.0, 0.0),
        "always-positive": condition.expected_cost(1.0, 1.0),
    }
    costs = {name: band.expected_cost for name, band in bands.items()} | trivial
    scale = condition.worst_cost - condition.best_cost + price
    assert decision.expected_cost == pytest.approx(min(costs.values()), abs=1e-14 * scale)
    assert {a.model for a in decision.alternatives} == set(costs) - {decision.model}
    listed = [a.expected_cost for a in decision.alternatives]
    assert listed == sorted(listed)
    for rival in decision.alternatives:
        assert rival.expected_cost == costs[rival.model]
        assert rival.extra_cost == pytest.approx(costs[rival.model] - decision.expected_cost, abs=1e-12 * scale)
        assert (rival.model in decision.tied) == (rival.extra_cost == 0)
    if decision.model in trivial:
        assert decision.review is None
    else:
        band = bands[decision.model]
        assert decision.review == band
        assert (decision.threshold, decision.fpr, decision.tpr) == (band.flag_from, band.fpr, band.tpr)
        # Ties go to the trivial classifiers: a band that only repeats one is not decided for.
        assert band.reviewed > 0 or decision.expected_cost < min(trivial.values())


def test_the_answer_says_who_looks_at_what_and_what_that_saves(credit):
    """The rule, its price against the others, and what reviews are worth; under a limit, what one more would save."""
    text = str(credit.decide(CREDIT, cost_review=0.4))
    first, second, third = text.splitlines()
    assert first == (
        "Deploy random_forest: flag cases with score ≥ 0.544, clear cases with score < 0.127, have a person look at the 73.1 % between."
    )
    assert second.startswith("Expected cost 336 per 1000 cases")
    assert third == "With reviews it costs 166 less than with one threshold. Reviews pay up to 0.735 each."
    limited = str(credit.decide(CREDIT, cost_review=0.3, max_reviewed=0.1, unit="€"))
    assert "One more review would save €0.435." in limited


def test_the_thresholds_as_printed_do_what_is_claimed(credit):
    """Typed back they flag, clear and show the same cases."""
    _, scores = load_german_credit_predictions()
    band = credit.decide(CREDIT, cost_review=0.4).review
    s = scores["random_forest"]
    assert ((s >= 0.544) == (s >= band.flag_from)).all()
    assert ((s < 0.127) == (s < band.review_from)).all()


def test_plain_data_carries_the_band(credit):
    """By name, ready for JSON; without reviews there is none."""
    data = json.loads(json.dumps(credit.decide(CREDIT, cost_review=0.4).to_dict()))
    assert data["review"]["reviewed"] == pytest.approx(0.731)
    assert data["review"]["worth_up_to"] == pytest.approx(86 / 117)
    assert credit.decide(CREDIT).to_dict()["review"] is None


@pytest.mark.parametrize(
    "asked",
    [
        {"cost_review": 0.1, "max_flagged": 0.2},
        {"cost_review": 0.1, "max_fpr": 0.2},
        {"cost_review": 0.1, "min_precision": 0.2},
        {"cost_review": 0.1, "min_tpr": 0.2},
        {"cost_review": 0.1, "method": "score_driven"},
        {"cost_review": 0.1, "worst_case": True},
        {"max_reviewed": 0.1},
        {"reviewer_fpr": 0.1},
        {"reviewer_tpr": 0.9},
        {"cost_review": -1},
        {"cost_review": 0.1, "reviewer_tpr": 2},
    ],
)
def test_what_does_not_go_together_is_refused(credit, asked):
    """Limits and methods with reviews, the reviewer's options without a price, bad numbers."""
    with pytest.raises(InputError, match=r"cost_review|reviewer_tpr"):
        credit.decide(CREDIT, **asked)


def test_uncertain_costs_are_priced_at_their_means_and_need_a_unit(credit):
    """Ranges and beliefs do; a distribution of t alone is refused."""
    over = ic.Conditions.from_beliefs(cost_fp=1, cost_fn=(2, 8), prevalence=0.3)
    assert credit.decide(over, cost_review=0.4).expected_cost == credit.decide(CREDIT, cost_review=0.4).expected_cost
    with pytest.raises(ConditionError, match="from_costs"):
        credit.decide(ic.Conditions.beta(2, 3), cost_review=0.4)


@given(model_sets(max_models=3), st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 19)))
@settings(max_examples=60)
def test_where_no_review_pays_the_decision_is_that_without_reviews(data, costs):
    """Ties with other models and with the trivial classifiers included: the rule that flags fewest."""
    comparison = ic.Comparison.from_scores(*data)
    condition = ic.Condition(costs[0], costs[1], costs[2] / 20)
    alone, reviewed = comparison.decide(condition), comparison.decide(condition, cost_review=10)
    assert (reviewed.fpr, reviewed.tpr) == (alone.fpr, alone.tpr)
    assert reviewed.expected_cost == pytest.approx(alone.expected_cost)
    if not alone.tied:
        assert (reviewed.model, reviewed.threshold) == (alone.model, alone.threshold)


def test_present_practice_and_certainty_stand_beside_it(credit):
    """Changing saves the difference to the band's cost, with an interval; how sure it is is said."""
    decision = credit.decide(CREDIT, cost_review=0.4, current=("random_forest", 0.5), n_resamples=20)
    assert decision.current.saving == pytest.approx(decision.current.expected_cost - decision.expected_cost)
    low, high = decision.current.saving_interval
    assert low < decision.current.saving < high
    assert decision.surety.grade in ("clear", "leaning", "open")
    assert "of 20 resamples" in str(decision)

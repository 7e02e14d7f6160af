"""Review bands from scores counted in buckets: they can be used, cost what they say, and finer ones cost no less than is said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.roc_space.joint_hull import TRIVIAL_NAMES
from strategies import bucketed_models, conditions, in_buckets

SLACK = 1e-9
CONDITION = ic.Condition(cost_fp=1, cost_fn=3, prevalence=0.3)
shares = st.integers(0, 20).map(lambda n: n / 20)
# An infinite score would be flagged by the threshold that means nobody.
finite = bucketed_models(kinds=("tied", "probabilities"))


@st.composite
def looks(draw):
    """A price as a part of what errors cost, a limit or none, and a reviewer."""
    perfect = draw(st.booleans())
    return {
        "cost_review": draw(st.integers(0, 24)) / 20,
        "max_reviewed": draw(st.none() | shares),
        "reviewer_fpr": 0.0 if perfect else draw(st.integers(0, 10)) / 20,
        "reviewer_tpr": 1.0 if perfect else draw(st.integers(8, 20)) / 20,
        "randomised": draw(st.booleans()),
    }


def scaled(asked, condition):
    """Prices that are about as large as what a review can gain."""
    return asked | {"cost_review": asked["cost_review"] * min(condition.fp_gap, condition.fn_gap)}


def least(band):
    """What a band costs at least."""
    return band.expected_cost if band.expected_cost_low is None else band.expected_cost_low


@given(finite, conditions(), looks())
def test_a_band_of_buckets_can_be_used_and_finer_ones_cost_no_less_than_is_said(pair, condition, asked):
    """On the cases it costs what is said and keeps the limit; the best band of the cases lies between it and the least said."""
    exact, wide = pair
    asked = scaled(asked, condition)
    slack = SLACK * (condition.worst_cost - condition.best_cost + asked["cost_review"])
    for name in exact.names:
        band, truth = (ic.review_band(compared[name], condition, **asked) for compared in (wide, exact))
        assert least(band) - slack <= truth.expected_cost <= band.expected_cost + slack
        there = band.on(exact[name])
        assert there.expected_cost == pytest.approx(band.expected_cost, abs=slack)
        assert there.reviewed == pytest.approx(band.reviewed, abs=1e-12)
        assert band.reviewed <= (1.0 if asked["max_reviewed"] is None else asked["max_reviewed"]) + 1e-12
        assert band.saving == pytest.approx(band.expected_cost_without - band.expected_cost, abs=slack)
        if wide[name].exact:
            assert band.to_dict() == truth.to_dict()


@given(finite, conditions(), looks())
def test_what_buckets_leave_open_of_a_decision_with_reviews_holds_the_truth(pair, condition, asked):
    """The decided model with its band is the cheapest where no other could be, and rivals cost at least what is said."""
    exact, wide = pair
    asked = scaled(asked, condition)
    decision, truth = (compared.decide(condition, **asked) for compared in (wide, exact))
    low = decision.normalised_cost if decision.normalised_cost_low is None else decision.normalised_cost_low
    assert low - SLACK <= truth.normalised_cost <= decision.normalised_cost + SLACK
    costs = {truth.model: truth.normalised_cost} | {a.model: a.normalised_cost for a in truth.alternatives}
    for rival in decision.alternatives:
        extra = rival.extra if rival.extra_low is None else rival.extra_low
        assert costs[rival.model] >= decision.normalised_cost + extra - SLACK
    if all(a.extra_low is None or a.extra_low >= 0 for a in decision.alternatives):
        assert costs[decision.model] <= truth.normalised_cost + SLACK
    elif decision.normalised_cost_low is not None:
        assert "could be the cheapest model. Counting finer would tell" in str(decision)


@given(finite, conditions(), st.sampled_from([(0.0, 1.0), (0.1, 0.8)]))
def test_the_cost_at_every_price_lies_between_two_curves(pair, condition, reviewer):
    """What the buckets' ends cost, and the least that thresholds inside could."""
    exact, wide = pair
    options = {"reviewer_fpr": reviewer[0], "reviewer_tpr": reviewer[1]}
    for name in exact.names:
        found, truth = (ic.review_curve(compared[name], condition, **options) for compared in (wide, exact))
        prices = np.concatenate([found.breaks, truth.breaks, np.linspace(0, 1.1 * condition.fp_gap, 9)])
        slack = SLACK * (condition.worst_cost - condition.best_cost)
        low = found if found.low is None else found.low
        assert np.all(low(prices) <= truth(prices) + slack)
        assert np.all(truth(prices) <= found(prices) + slack)
        assert np.max(found(prices) - truth(prices)) <= found.open + slack
        assert (found.low is None) == wide[name].hull_is_exact


def three_models():
    """Curves of a model, of one much like it, and of one that tells nothing, all in a few buckets."""
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.3
    a = rng.normal(1.5 * y)
    scores = (("a", a), ("near", a + rng.normal(0, 0.1, a.size)), ("far", rng.normal(size=a.size)))
    return {name: in_buckets(y, s, np.linspace(-3, 5, 17), name)[1] for name, s in scores}


def test_bands_and_decisions_say_what_finer_thresholds_could_save():
    """In words, in figures and as plain data."""
    curves = three_models()
    band = ic.review_band(curves["a"], CONDITION, cost_review=0.2)
    saved = 1000 * (band.expected_cost - band.expected_cost_low)
    assert str(band).endswith(f"Scores were grouped: finer thresholds could save up to {saved:.3g}.")
    assert band.to_dict()["expected_cost_low"] == band.expected_cost_low
    assert band.flag_choice.threshold_drift is None
    settled = ic.Comparison([curves["a"], curves["far"]]).decide(CONDITION, cost_review=0.2)
    assert settled.review.expected_cost_low is not None
    assert "Scores were grouped: a finer threshold could save up to " in str(settled)
    assert "No other model can be cheaper." in str(settled)
    doubtful = ic.Comparison([curves["a"], curves["near"]]).decide(CONDITION, cost_review=0.2)
    assert f"{doubtful.runner_up.model} could be the cheapest model." in str(doubtful)
    assert doubtful.model not in TRIVIAL_NAMES
    prices = ic.review_curve(curves["a"], CONDITION)
    assert f"scores were grouped: finer thresholds could save up to {prices.open:.2g} a case" in str(prices)
    pytest.importorskip("matplotlib")
    assert band.plot().ax_.get_xlabel()
    assert prices.plot().ax_.get_xlabel()


def test_a_limit_that_ends_inside_a_bucket_is_kept_by_its_ends():
    """The hull is exact, and still a finer threshold could fill the limit better."""
    pure = ic.ScoreCounts([0.9, 0.5, 0.4, 0.1], [9, 0, 1, 0], [0, 1, 0, 9], upper=[1.0, 0.5, 0.4, 0.3])
    curve = ic.RocCurve.from_counts(pure)
    whole = ic.review_band(curve, ic.Condition(), cost_review=0.1)
    assert (whole.review_from, whole.flag_from, whole.expected_cost_low) == (0.4, 0.9, None)
    limited = ic.review_band(curve, ic.Condition(), cost_review=0.1, max_reviewed=0.05)
    assert limited.reviewed <= 0.05
    assert (
        limited.expected_cost_low
        == pytest.approx(
            ic.review_band(curve, ic.Condition(), cost_review=0.1, max_reviewed=0.05, randomised=True).expected_cost
        )
        or limited.expected_cost_low is None
    )

"""Mixtures across models: two operating points together do what neither does alone, and both are named."""

import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions

POINTS = {"A": (0.1, 0.6), "B": (0.4, 0.9)}
CURVES = [ic.RocCurve.from_points([fpr], [tpr], name=name) for name, (fpr, tpr) in POINTS.items()]
PRICED = ic.Condition(cost_fn=3, prevalence=0.5)


def parts(decision):
    """Return the two points of a mixture, by model, as its plain data hold them."""
    data = decision.to_dict()
    return {data[part]["model"]: (data[part]["fpr"], data[part]["tpr"]) for part in ("one", "other")}


def test_published_points_are_mixed_across_models():
    """Half A, half B: 500 per 1000 within 25 % false alarms, where A with flagging everybody costs 625."""
    decision = ic.Comparison(CURVES).decide(PRICED, max_fpr=0.25, randomised=True)
    assert (decision.per_1000, decision.share) == pytest.approx((500, 0.5))
    assert parts(decision) == POINTS
    assert decision.alternatives[0].per_1000 == pytest.approx(625)
    assert str(decision).startswith(
        "Use A at its operating point with fpr 10 % and tpr 60 %, but with probability 0.5 B at its operating point "
        "with fpr 40 % and tpr 90 %."
    )
    assert "nan" not in str(decision.choice) + decision._repr_html_()


def test_a_mixture_catches_most_within_a_capacity():
    """75 % within half of the cases flagged, where a model mixed with flagging everybody catches 69 %."""
    decision = ic.Comparison(CURVES).decide(prevalence=0.5, max_flagged=0.5, randomised=True)
    assert decision.tpr == pytest.approx(0.75)
    assert max(row.tpr for row in decision.alternatives) == pytest.approx(0.6923, abs=1e-4)


def test_a_mixture_of_scores_names_its_rules_and_is_paid_for_on_other_cases():
    """The first rule is the one whose threshold the mixture has; on the same cases both give what was promised."""
    y, scores = load_german_credit_predictions()
    comparison = ic.Comparison.from_scores(y, scores)
    decision = comparison.decide(ic.Condition(cost_fn=5, prevalence=0.3), max_fpr=0.107, randomised=True)
    one, other = decision.one, decision.other
    assert (one.rule, one.threshold) == ("score", decision.threshold)
    mixed = one.fpr + decision.share * (other.fpr - one.fpr)
    assert mixed == pytest.approx(decision.fpr) == pytest.approx(0.107)
    there = decision.evaluate_on(y, scores)
    assert (there.fpr, there.tpr) == pytest.approx((decision.fpr, decision.tpr))

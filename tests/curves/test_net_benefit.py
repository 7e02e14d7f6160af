import csv
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError

GOLDEN = Path(__file__).parents[1] / "golden" / "net_benefit.csv"


def golden():
    """The rows of dcurves by model and prevalence."""
    found = defaultdict(list)
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["model"], row["given_prevalence"][:3]].append(
                [float(row[name] or "nan") for name in ("threshold", "net_benefit", "net_intervention_avoided")]
            )
    return {key: np.array(rows).T for key, rows in found.items()}


@st.composite
def probabilities(draw):
    """Labels and tied probabilities, 0 and 1 among them."""
    cases = draw(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=2, max_size=30))
    labels = [1, 0, *(int(label) for label, _ in cases)]
    return labels, [draw(st.integers(0, 8)) / 8, draw(st.integers(0, 8)) / 8, *(score / 8 for _, score in cases)]


def by_hand(labels, scores, p):
    """Net benefit counted case by case."""
    flagged = [(label, score) for label, score in zip(labels, scores, strict=True) if score >= p]
    true = sum(label for label, _ in flagged)
    return true / len(labels) - (len(flagged) - true) / len(labels) * p / (1 - p)


@pytest.mark.parametrize("prevalence", ["", "0.1"])
def test_equal_to_dcurves(prevalence):
    """Every model, threshold and trivial strategy, and the interventions avoided, at two prevalences."""
    y_true, scores = load_german_credit_predictions()
    for model, values in scores.items():
        p, benefit, avoided = golden()[model, prevalence]
        curve = ic.curves.net_benefit_curve(
            ic.RocCurve.from_scores(y_true, values), prevalence=float(prevalence) if prevalence else None
        )
        np.testing.assert_allclose(curve(p), benefit, rtol=0, atol=1e-14)
        np.testing.assert_allclose(curve.interventions_avoided(p[1:]), avoided[1:], rtol=0, atol=1e-14)
        np.testing.assert_allclose(curve.treat_all(p), golden()["all", prevalence][1], rtol=0, atol=1e-14)
    assert np.all(golden()["none", prevalence][1] == 0)


@given(probabilities(), st.integers(0, 63))
def test_score_driven_is_the_count_of_flagged_cases(data, step):
    """At scores (eighths) and between them, a score equal to p included."""
    p = step / 64
    curve = ic.curves.net_benefit_curve(ic.RocCurve.from_scores(*data))
    assert curve(p) == pytest.approx(by_hand(*data, p), abs=1e-12)


@given(probabilities(), st.sampled_from([None, 0.02, 0.6]), st.sampled_from(["score_driven", "best"]))
def test_net_benefit_is_the_cost_curve_seen_from_the_prevalence(data, prevalence, method):
    """π - Q(1-p) / (2(1-p)), between the jumps."""
    roc = ic.RocCurve.from_scores(*data)
    benefit = ic.curves.net_benefit_curve(roc, method=method, prevalence=prevalence)
    cost = ic.cost_curve(roc, method=method, axis="cost_proportion", prevalence=prevalence)
    p = (np.arange(64) + 0.5) / 64.5
    np.testing.assert_allclose(benefit(p), benefit.prevalence - cost(1 - p) / (2 * (1 - p)), rtol=0, atol=1e-10)


@given(probabilities())
def test_optimal_is_never_below_scores_taken_at_their_word(data):
    """Nor below flagging everybody or nobody; a calibrated model has nothing to gain."""
    roc = ic.RocCurve.from_scores(*data)
    p = np.arange(64) / 64
    best, plain = ic.curves.net_benefit_curve(roc, method="best"), ic.curves.net_benefit_curve(roc)
    assert np.all(best(p) >= np.maximum(plain(p), np.maximum(plain.treat_all(p), 0)) - 1e-12)
    calibrated = ic.RocCurve.from_scores(data[0], roc.calibrator()(data[1]))
    np.testing.assert_allclose(ic.curves.net_benefit_curve(calibrated)(p), best(p), rtol=0, atol=1e-12)


@given(probabilities(), st.sampled_from(["score_driven", "best"]))
def test_useful_ranges_are_where_the_model_beats_both_strategies(data, method):
    """Strictly inside a range it does, outside it does not."""
    curve = ic.curves.net_benefit_curve(ic.RocCurve.from_scores(*data), method=method)
    p = (np.arange(640) + 0.5) / 640.5
    margin = curve(p) - np.maximum(curve.treat_all(p), 0)
    inside = np.zeros(p.size, dtype=bool)
    for low, high in curve.useful:
        inside |= (p > low) & (p < high)
    assert np.all(margin[inside] > -1e-12)
    assert np.all(margin[~inside] < 1e-12)


def test_the_ends_of_the_axis_are_sound():
    """Everybody is flagged at p = 0 for nothing; at p = 1 a false positive weighs infinitely."""
    curve = ic.curves.net_benefit_curve(ic.RocCurve.from_scores([1, 0, 1, 0], [1.0, 1.0, 0.5, 0.0]))
    assert curve(0) == 0.5
    assert curve(1) == -math.inf
    assert ic.curves.net_benefit_curve(ic.RocCurve.from_scores([1, 0], [1.0, 0.5]))(1) == 0.5
    assert ic.curves.net_benefit_curve(ic.RocCurve.from_scores([1, 0], [0.7, 0.5]))(1) == 0


def test_fixed_is_one_point_at_every_p():
    """A crisp classifier needs no threshold, scores do."""
    crisp = ic.curves.net_benefit_curve(ic.RocCurve.from_confusion(40, 10, 20, 80), method="fixed")
    assert crisp(0.5) == pytest.approx(40 / 150 - 20 / 150)
    roc = ic.RocCurve.from_scores([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
    assert ic.curves.net_benefit_curve(roc, method="fixed", threshold=0.5)([0.2, 0.5]).tolist() == [0.1875, 0.0]


def test_what_cannot_be_read_as_a_decision_curve_is_refused():
    """Scores outside [0, 1], points without scores, thresholds nobody asked for, distributions, p outside [0, 1]."""
    wide = ic.RocCurve.from_scores([1, 0], [7.0, 2.0])
    with pytest.raises(ic.IsocostError, match=r"net_benefit_curve needs probabilities: .* from 2 to 7"):
        ic.curves.net_benefit_curve(wide)
    with pytest.raises(ic.IsocostError, match=r"threshold= goes with method='fixed'"):
        ic.curves.net_benefit_curve(wide, threshold=0.5)
    with pytest.raises(ic.IsocostError, match="unknown method 'rate_driven'"):
        ic.curves.net_benefit_curve(wide, method="rate_driven")
    with pytest.raises(ic.IsocostError, match="net_benefit_curve needs a finite list of operating points"):
        ic.curves.net_benefit_curve(ic.RocCurve.from_distributions(stats.norm(1), stats.norm(0)), method="best")
    with pytest.raises(ic.IsocostError, match=r"p must lie between 0 and 1, got 1\.5"):
        ic.curves.net_benefit_curve(wide, method="best")(1.5)


def test_the_curve_tells_what_it_is():
    """Plain data for JSON, a text, and a figure."""
    curve = ic.curves.net_benefit_curve(ic.RocCurve.from_scores([1, 0, 1], [0.2, 0.6, 0.1], name="backwards"))
    assert repr(curve) == "<NetBenefitCurve 'backwards': score_driven, 4 pieces, useful nowhere>"
    assert curve.to_dict()["breaks"] == [0.0, 0.1, 0.2, 0.6, 1.0]


def test_harm_is_taken_off_and_shares_of_the_prevalence_are_standardised():
    """As dcurves does with test_harm; where the model is of use, how many interventions it avoids and its own band follow."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    plain, harmed = ic.curves.net_benefit_curve(curve), ic.curves.net_benefit_curve(curve, harm=0.05)
    p = np.array([0.1, 0.25, 0.3, 0.65, 0.8])
    assert harmed(p) == pytest.approx(plain(p) - 0.05)
    assert harmed.treat_all(p) == pytest.approx(plain.treat_all(p))
    assert plain.standardised(p) == pytest.approx(plain(p) / 0.6)
    assert harmed.standardised(p) == pytest.approx((plain(p) - 0.05) / 0.6)
    assert harmed.interventions_avoided(p) == pytest.approx((harmed(p) - harmed.treat_all(p)) * (1 - p) / p)
    for at in np.linspace(0.0137, 0.9871, 197):  # beside the ends of pieces
        useful = harmed(at) > max(0, harmed.treat_all(at))
        assert useful == any(low < at < high for low, high in harmed.useful)
    with pytest.raises(InputError, match="harm"):
        ic.curves.net_benefit_curve(curve, harm=-0.1)

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError
from oracles import review
from strategies import conditions, curves, samples

CREDIT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
DEMO = [1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0], list(range(16, 0, -1))
twentieths = st.integers(1, 19).map(lambda n: Fraction(n, 20))


@st.composite
def terms(draw):
    """Costs, a price and a reviewer with few digits: two bands either cost exactly the same or clearly not."""
    perfect = draw(st.booleans())
    return {
        "cost_fp": draw(st.integers(1, 6)),
        "cost_fn": draw(st.integers(1, 12)),
        "prevalence": draw(twentieths),
        "price": Fraction(draw(st.integers(0, 30)), 20),
        "reviewer_fpr": Fraction(0) if perfect else Fraction(draw(st.integers(0, 10)), 20),
        "reviewer_tpr": Fraction(1) if perfect else Fraction(draw(st.integers(8, 20)), 20),
    }


def band_of(sample, asked, **options):
    """The band of a sample, as floats."""
    values = {name: float(value) for name, value in asked.items()}
    condition = ic.Condition(values.pop("cost_fp"), values.pop("cost_fn"), values.pop("prevalence"))
    return ic.decide.review_band(sample.curve, condition, cost_review=values.pop("price"), **values, **options)


def agrees(band, expected):
    """Whether a band is the one of the oracle, with its shares and its cost."""
    assert (band.review_from, band.flag_from) == (expected.review_from, expected.flag_from)
    assert band.expected_cost == pytest.approx(float(expected.cost), abs=1e-13)
    assert band.reviewed == pytest.approx(float(expected.reviewed), abs=1e-14)
    assert band.flagged == pytest.approx(float(expected.flagged), abs=1e-14)
    assert band.cleared + band.reviewed + band.flagged == pytest.approx(1, abs=1e-14)


few = {"kinds": ("tied", "probabilities"), "weighted": (None, "whole"), "max_size": 24}


@given(samples(**few), terms())
def test_without_a_limit_no_pair_of_thresholds_is_cheaper(sample, asked):
    """All pairs tried in exact arithmetic; of equally cheap ones the fewest reviewed, then the fewest flagged."""
    band = band_of(sample, asked)
    found = review.bands(review.points(sample), **asked)
    agrees(band, review.best(found))
    alone = review.best(found, most=0)
    assert band.expected_cost_without == pytest.approx(float(alone.cost), abs=1e-13)
    assert band.without.threshold == alone.flag_from
    assert band.saving == pytest.approx(float(alone.cost - review.best(found).cost), abs=1e-13)
    assert band.price_of_capacity == 0


@given(samples(**few), terms(), st.integers(0, 20))
@settings(max_examples=120)
def test_under_a_limit_no_pair_of_thresholds_is_cheaper(sample, asked, twentieth):
    """The best two fixed thresholds within the limit, on the hull or off it; a limit met exactly is kept."""
    most = Fraction(twentieth, 20)
    found = review.bands(review.points(sample), **asked)
    band = band_of(sample, asked, max_reviewed=float(most))
    agrees(band, review.best(found, most))


@given(samples(kinds=("tied",), weighted=(None, "whole"), max_size=14), terms(), st.integers(0, 20))
def test_one_more_review_saves_what_a_slightly_larger_limit_does(sample, asked, twentieth):
    """With the cheapest of all mixtures of two bands, which uses a limit in full."""
    most, step = Fraction(twentieth, 20), Fraction(1, 10**6)
    found = review.bands(review.points(sample), **asked)
    slope = (review.best_mixture(found, most) - review.best_mixture(found, most + step)) / step
    assert band_of(sample, asked, max_reviewed=float(most)).price_of_capacity == pytest.approx(float(slope), abs=1e-9)


@given(samples(**few), terms())
def test_reviews_pay_exactly_up_to_what_they_are_worth(sample, asked):
    """Just below `worth_up_to` someone is reviewed, at it and above nobody; it is the same at any price and limit."""
    band = band_of(sample, asked)
    worth = band.worth_up_to
    assert band_of(sample, asked, max_reviewed=0.05).worth_up_to == worth
    assert band_of(sample, asked | {"price": 0}).worth_up_to == worth
    assert band_of(sample, asked | {"price": worth}).reviewed == 0
    gap = (asked["reviewer_tpr"] - asked["reviewer_fpr"]) * asked["cost_fp"] * asked["cost_fn"]
    assert worth <= max(float(gap / (asked["cost_fp"] + asked["cost_fn"])), 0) + 1e-15
    if worth > 0:
        assert band_of(sample, asked | {"price": worth * (1 - 1e-9)}).reviewed > 0


@given(samples(**few), conditions(), st.floats(0, 100), st.none() | st.floats(0, 1))
def test_whatever_the_numbers_a_band_never_costs_more_than_one_threshold(sample, condition, price, most):
    """Any costs and prices: the saving is what it says, never negative, and applying the thresholds gives the rates."""
    band = ic.decide.review_band(sample.curve, condition, cost_review=price, max_reviewed=most)
    scale = condition.worst_cost - condition.best_cost + price
    assert band.saving >= 0
    assert band.expected_cost == pytest.approx(band.expected_cost_without - band.saving, abs=1e-12 * scale)
    assert most is None or band.reviewed <= most + 1e-14
    assert band.expected_cost_without == ic.best_threshold(sample.curve, condition).expected_cost
    w = np.ones(sample.y.size) if sample.w is None else sample.w
    for label, rate in ((0, band.fpr), (1, band.tpr)):
        own = sample.y == label
        hit = own & (sample.s >= band.flag_from)
        seen = own & (sample.s >= band.review_from) & ~hit
        # The reviewer is perfect: of those seen all positives are flagged, and no negative.
        expected = (w[hit].sum() + (w[seen].sum() if label else 0)) / w[own].sum()
        assert rate == pytest.approx(expected, abs=1e-14)


@given(curves(**few), conditions(), st.floats(0, 2))
def test_reviewed_risks_are_those_that_chow_names(curve, condition, price):
    """Calibrated risks of the reviewed scores lie between the two probabilities, those of the others do not."""
    band = ic.decide.review_band(curve, condition, cost_review=price)
    scores = curve.thresholds[1:]
    risks = np.array([curve.calibrator(prevalence=condition.prevalence)(score) for score in scores]).ravel()
    seen = (scores >= band.review_from) & (scores < band.flag_from)
    if band.probability_low is None:
        assert not seen.any()
    else:
        inside = (risks > band.probability_low + 1e-9) & (risks < band.probability_high - 1e-9)
        near = (risks > band.probability_low - 1e-9) & (risks < band.probability_high + 1e-9)
        assert np.all(seen[inside])
        assert np.all(near[seen])


@pytest.mark.parametrize(
    ("options", "cost", "thresholds", "worth", "capacity"),
    [
        ({"cost_review": 0.4}, 0.3364, (0.127338, 0.544213), 86 / 117, 0),
        ({"cost_review": 0.6}, 0.4582, (0.151104, 0.406663), 86 / 117, 0),
        ({"cost_review": 0.3, "max_reviewed": 0.1}, 0.46, (0.248605, 0.302636), 86 / 117, 86 / 117 - 0.3),
        ({"cost_review": 0.2, "max_reviewed": 0.15, "reviewer_fpr": 0.05, "reviewer_tpr": 0.9},
         0.44695, (0.160174, 0.244823), 319 / 536, None),
    ],
)  # fmt: skip
def test_german_credit_at_five_to_one(options, cost, thresholds, worth, capacity):
    """The random forest on the bundled predictions: prices and thresholds to six digits."""
    y, scores = load_german_credit_predictions()
    band = ic.decide.review_band(ic.RocCurve.from_scores(y, scores["random_forest"]), CREDIT, **options)
    assert (band.review_from, band.flag_from) == thresholds
    assert band.expected_cost == pytest.approx(cost, abs=1e-12)
    assert band.expected_cost_without == pytest.approx(0.502, abs=1e-12)
    assert band.worth_up_to == pytest.approx(worth, abs=1e-12)
    if capacity is not None:
        assert band.price_of_capacity == pytest.approx(capacity, abs=1e-12)


def test_correct_answers_may_cost_or_gain_something():
    """Only differences of costs decide, the price per case includes the rest."""
    condition = ic.Condition(cost_fp=3, cost_fn=10, prevalence=0.1, cost_tp=1, cost_tn=-0.5)
    band = ic.decide.review_band(ic.RocCurve.from_scores(*DEMO), condition, cost_review=0.4)
    assert (band.review_from, band.flag_from) == (3, 15)
    assert band.expected_cost == pytest.approx(-29 / 700, abs=1e-14)
    assert band.expected_cost_without == pytest.approx(41 / 140, abs=1e-14)
    assert band.worth_up_to == pytest.approx(2, abs=1e-14)


def test_free_and_perfect_reviews_are_only_used_where_classes_overlap():
    """From the lowest positive to the highest negative score, at no cost at all."""
    band = ic.decide.review_band(
        ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]), ic.Condition(), cost_review=0
    )
    assert (band.review_from, band.flag_from, band.expected_cost) == (3, 5, 0)
    apart = ic.decide.review_band(ic.RocCurve.from_scores([1, 1, 0, 0], [4, 3, 2, 1]), ic.Condition(), cost_review=0)
    assert (apart.reviewed, apart.expected_cost, apart.worth_up_to) == (0, 0, 0)


@pytest.mark.parametrize(
    ("condition", "options"),
    [
        (ic.Condition(2, 6, 0.25), {"cost_review": 1.5}),
        (ic.Condition(2, 6, 0.25), {"cost_review": 0, "reviewer_fpr": 0.4, "reviewer_tpr": 0.4}),
        (ic.Condition(2, 6, 0.25), {"cost_review": 0, "reviewer_fpr": 0.9, "reviewer_tpr": 0.2}),
        (ic.Condition(2, 6, 0.25), {"cost_review": 0.1, "max_reviewed": 0}),
        (ic.Condition(2, 6, 0.0), {"cost_review": 0.1}),
        (ic.Condition(2, 6, 1.0), {"cost_review": 0.1}),
        (ic.Condition(0, 6, 0.25), {"cost_review": 0}),
    ],
    ids=["too expensive", "by chance", "backwards", "none possible", "no positives", "no negatives", "free alarms"],
)
def test_where_no_review_can_pay_the_single_threshold_is_returned(condition, options):
    """Nobody is reviewed, and a backwards reviewer is not turned round."""
    curve = ic.RocCurve.from_scores(*DEMO)
    band = ic.decide.review_band(curve, condition, **options)
    alone = ic.best_threshold(curve, condition)
    assert (band.review_from, band.flag_from) == (alone.threshold, alone.threshold)
    assert (band.reviewed, band.saving) == (0, 0)
    assert band.expected_cost == band.expected_cost_without == alone.expected_cost
    pays = options["cost_review"] == 1.5 or options.get("max_reviewed") == 0
    assert band.worth_up_to == (1.4 if pays else 0)
    assert band.price_of_capacity == (pytest.approx(1.3) if "max_reviewed" in options else 0)


def test_scores_that_tell_nothing_have_everybody_or_nobody_reviewed():
    """One score for all: a limit below 1 leaves nobody."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [1, 1, 1, 1])
    everybody = ic.decide.review_band(curve, ic.Condition(), cost_review=0.3)
    assert (everybody.reviewed, everybody.expected_cost) == (1, 0.3)
    assert everybody.expected_cost_all_reviewed == 0.3
    limited = {"cost_review": 0.3, "max_reviewed": 0.25}
    assert ic.decide.review_band(curve, ic.Condition(), **limited).reviewed == 0


def test_a_share_of_three_tenths_admits_three_of_ten():
    """Limits are compared up to the rounding of a division."""
    curve = ic.RocCurve.from_scores([1, 1, 1, 1, 0, 0, 1, 0, 0, 0], range(10, 0, -1))
    band = ic.decide.review_band(curve, ic.Condition(), cost_review=0.1, max_reviewed=0.3)
    assert round(10 * band.reviewed) == 3


def test_typed_ranges_and_beliefs_are_priced_at_their_means():
    """The cost of a band in money is linear in costs and prevalence."""
    curve = ic.RocCurve.from_scores(*DEMO)
    certain = ic.decide.review_band(curve, ic.Condition(2, 6, 0.25), cost_review=0.5)
    over = ic.Conditions.from_costs(cost_fp=2, cost_fn=(2, 10), prevalence=(0.2, 0.3))
    uncertain = ic.decide.review_band(curve, over, cost_review=0.5)
    assert uncertain == certain
    beliefs = ic.Conditions.from_beliefs(cost_fp=stats.gamma(2, scale=1), cost_fn=(2, 10), prevalence=stats.beta(2, 6))
    believed = ic.decide.review_band(curve, beliefs, cost_review=0.5)
    assert believed.expected_cost == pytest.approx(certain.expected_cost, abs=1e-12)


@pytest.mark.parametrize(
    "over",
    [ic.Conditions.uniform(t=(0.2, 0.5)), ic.Conditions.beta(2, 3), ic.Conditions.from_distribution(stats.beta(2, 3))],
)
def test_conditions_without_money_are_refused(over):
    """A price needs a unit, and the message says how to give one."""
    curve = ic.RocCurve.from_scores(*DEMO)
    with pytest.raises(ConditionError, match=r"from_costs.*from_beliefs"):
        ic.decide.review_band(curve, over, cost_review=0.1)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"cost_review": -1}, "cost_review"),
        ({"cost_review": math.nan}, "cost_review"),
        ({"cost_review": math.inf}, "cost_review"),
        ({"cost_review": None}, "cost_review"),
        ({"cost_review": 0.1, "max_reviewed": 1.1}, "max_reviewed"),
        ({"cost_review": 0.1, "max_reviewed": -0.1}, "max_reviewed"),
        ({"cost_review": 0.1, "reviewer_fpr": -0.1}, "reviewer_fpr"),
        ({"cost_review": 0.1, "reviewer_tpr": 2}, "reviewer_tpr"),
        ({"cost_review": 0.1, "condition": "dear"}, "condition"),
    ],
)
def test_bad_input_is_refused_by_its_name(options, name):
    """What was expected and what came."""
    condition = options.get("condition", CREDIT)
    rest = {key: value for key, value in options.items() if key != "condition"}
    with pytest.raises(ic.IsocostError, match=name):
        ic.decide.review_band(ic.RocCurve.from_scores(*DEMO), condition, **rest)


def test_crisp_classifiers_that_are_no_thresholds_have_no_band():
    """Between two unrelated classifiers lies no stretch of scores."""
    curve = ic.RocCurve.from_points([0.1, 0.3], [0.6, 0.4])
    with pytest.raises(InputError, match="no monotone path"):
        ic.decide.review_band(curve, CREDIT, cost_review=0.1)


def test_averages_have_costs_but_no_thresholds():
    """Points without thresholds are still thresholds on one score; what they are is unknown."""
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9])
    band = ic.decide.review_band(curve, CREDIT, cost_review=0.2)
    assert band.saving > 0
    assert math.isnan(band.review_from) or math.isinf(band.review_from)


def test_reviews_of_a_curve_from_distributions_are_refused():
    """A band lies between two operating points, of which such a curve has no list."""
    curve = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm())
    with pytest.raises(InputError, match=r"finite list of operating points, .* is continuous: sample it"):
        ic.decide.review_band(curve, CREDIT, cost_review=0.1)
    inner = slice(1, -1)
    sample = ic.RocCurve.from_points(curve.fpr[inner], curve.tpr[inner], thresholds=curve.thresholds[inner])
    assert ic.decide.review_band(sample, CREDIT, cost_review=0.1).saving > 0


def test_on_other_cases_the_same_thresholds_may_lose():
    """A hold-out is priced with the thresholds chosen elsewhere."""
    chosen_on = ic.Comparison.from_scores(DEMO[0], {"m": DEMO[1]})
    decision = chosen_on.decide(ic.Condition(2, 6, 0.25), cost_review=0.5)
    assert (decision.review.review_from.threshold, decision.review.flag_from.threshold) == (3, 15)
    moved = decision.evaluate_on([1, 0, 1, 1, 0, 0, 1, 0], {"m": [16, 15.5, 13, 12, 3, 2, 1, 0.5]})
    # Flagged: 16 and 15.5. Reviewed: 13, 12 and 3. Missed: 1.
    reviewed = 0.75 * 1 / 4 + 0.25 * 2 / 4
    assert moved.expected_cost == pytest.approx(0.75 * 2 * 1 / 4 + 0.25 * 6 * 1 / 4 + 0.5 * reviewed)


def test_the_sentence_says_what_to_do_and_what_it_is_worth():
    """Flagged, cleared, reviewed; cost and saving per 1000 cases; the highest price; one review more."""
    y, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y, scores["random_forest"], name="random_forest")
    assert str(ic.decide.review_band(curve, CREDIT, cost_review=0.4)) == (
        "random_forest: flag cases with score ≥ 0.544, and have a person look at the 73.1 % from score ≥ 0.127 on: "
        "336 per 1000 cases, 166 less than with one threshold. Reviews pay up to 0.735 each."
    )
    limited = ic.decide.review_band(curve, CREDIT, cost_review=0.3, max_reviewed=0.1)
    assert str(limited).endswith("Reviews pay up to 0.735 each. One more review would save 0.435.")
    assert "look at nobody" in str(ic.decide.review_band(curve, CREDIT, cost_review=3))


def test_plain_data_holds_every_field():
    """JSON can be written from it; the rows say which scores each answer is for."""
    pytest.importorskip("pandas")
    band = ic.decide.review_band(ic.RocCurve.from_scores(*DEMO), ic.Condition(2, 6, 0.25), cost_review=0.5)
    data = json.loads(json.dumps(band.to_dict()))
    assert data["reviewed"] == band.reviewed
    assert data["without"]["threshold"] == band.without.threshold
    assert data["condition"]["prevalence"] == 0.25
    frame = band.to_frame("pandas")
    assert frame["answer"].tolist() == ["clear", "review", "flag"]
    assert frame["score_from"].tolist() == [-math.inf, 3, 15]
    assert frame["score_below"].tolist() == [3, 15, math.inf]
    assert frame["share"].sum() == pytest.approx(1)

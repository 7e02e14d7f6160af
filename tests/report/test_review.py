import itertools
import json
import math
import re
from html import escape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.javascript import decided, evaluated, load, state_of
from report.test_core import differences

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.report import drawn_curves
from isocost.report.embedding import extract
from isocost.report.summary import summarise
from isocost.report.whole_numbers import held
from strategies import samples

CREDIT = ic.Condition(1, 5, 0.3)
REVIEWS = {"cost_review": 0.3, "max_reviewed": None, "reviewer_fpr": 0.0, "reviewer_tpr": 1.0}
shares = st.integers(0, 20).map(lambda n: n / 20)


@pytest.fixture(scope="module")
def credit():
    """Three credit models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@pytest.fixture(scope="module")
def summary(credit):
    """As the page holds them."""
    return summarise(credit, over=CREDIT, n_resamples=0)


@st.composite
def asked(draw):
    """A price, a limit or none, and a reviewer."""
    perfect = draw(st.booleans())
    return {
        "cost_review": draw(st.integers(0, 30)) / 20,
        "max_reviewed": draw(st.none() | shares),
        "reviewer_fpr": 0.0 if perfect else draw(st.integers(0, 10)) / 20,
        "reviewer_tpr": 1.0 if perfect else draw(st.integers(8, 20)) / 20,
    }


def band_of_page(summary, condition, reviews, model=0, **more):
    """The band of a model as the page finds it, with its sentence."""
    load(summary)
    state = state_of(condition)
    found = f"reviewBand(loaded.models[{model}], pricing(loaded, a), {{ ...b, ...c }})"
    return evaluated(f"((band) => ({{ ...band, text: bandText(band) }}))({found})", state, reviews, more)


def assert_same_band(summary, curve, condition, reviews, *, randomised=False):
    """In every number and letter; how far a threshold holds is not on the page."""
    mine = ic.review_band(curve, condition, randomised=randomised, **reviews).to_dict()
    mine["model"] = str(mine["model"])
    page = band_of_page(summary, condition, reviews, randomised=randomised)
    unlike = {"threshold_drift", "normalised_cost_low", "tpr_high", "fpr_low", "prevalence"}
    assert differences(mine, page, without=unlike) == []


@given(
    samples(kinds=("tied", "probabilities"), weighted=(None, "whole"), max_size=24),
    st.tuples(st.integers(1, 6), st.integers(1, 12), st.integers(1, 19)),
    asked(),
    st.booleans(),
)
@settings(max_examples=60)
def test_page_finds_the_same_band(sample, costs, reviews, randomised):
    """Ties, weights, limits met exactly, fallible and backwards reviewers: two fixed thresholds or a mixture."""
    cost_fp, cost_fn, twentieth = costs
    condition = ic.Condition(cost_fp, cost_fn, twentieth / 20)
    comparison = ic.Comparison.from_scores(sample.y, {"m": sample.s}, sample_weight=sample.w)
    summary = comparison.report(over=condition, n_resamples=0).summary
    assert_same_band(summary, comparison.curves[0], condition, reviews, randomised=randomised)


@pytest.mark.parametrize("most", [None, 0.1, 0.5])
@pytest.mark.parametrize("reviewer", [(0.0, 1.0), (0.05, 0.9)])
def test_page_decides_with_reviews_as_the_library_does(credit, summary, most, reviewer):
    """Model, rule, money, alternatives and sentences; how sure it is takes resamples of fixed rules."""
    reviews = {"cost_review": 0.3, "max_reviewed": most, "reviewer_fpr": reviewer[0], "reviewer_tpr": reviewer[1]}
    load(summary)
    for condition in (CREDIT, ic.Condition(3, 4, 0.1, cost_tp=1, cost_tn=0.5), ic.Condition(1, 1, 0.001)):
        page = evaluated(
            "((d) => ({ ...d, says: says(d) }))(decideAt(loaded, a))", state_of(condition) | {"review": reviews}
        )
        mine = credit.decide(condition, **reviews).to_dict()
        unlike = {"threshold_drift", "normalised_cost_low", "tpr_high", "surety", "sure"}
        bands = [rival.pop("review") for rival in (*mine["alternatives"], *page["alternatives"])]
        assert any(band is not None for band in bands)
        assert differences(mine | {"review": None}, page | {"review": None}, without=unlike) == []
        assert (mine["review"] is None) == (page["review"] is None)


@pytest.mark.parametrize("resamples", [0, 30])
def test_the_page_opens_with_the_looks_of_its_author(credit, resamples):
    """Every door of Python says the library's decision; the page says it too, and that without looks where its charts need it."""
    looks = {"cost_review": 0.3, "max_reviewed": 0.2, "reviewer_fpr": 0.05, "reviewer_tpr": 0.9}
    report = credit.report(over=CREDIT, n_resamples=resamples, **looks)
    mine = credit.decide(CREDIT, n_resamples=resamples, **looks)
    assert report.summary["opened"]["review"] == looks
    assert report.summary["decision"] == mine.to_dict()
    assert str(report) == str(mine)
    assert escape(held(mine.to_dict()["says"]["rule"])) in report.html
    assert report.summary["single"] == credit.report(over=CREDIT, n_resamples=resamples).summary["decision"]
    author = state_of(CREDIT) | {"author": True, "review": looks}
    page = decided(report.summary, author)
    for key in ("model", "expected_cost", "surety", "says", "warnings"):
        assert differences(mine.to_dict()[key], page[key], without={"holds"}) == [], key
    alone = decided(report.summary, author | {"review": None})
    assert alone["says"]["sure"] == report.summary["single"]["says"]["sure"]
    assert alone["says"]["rule"] == report.summary["single"]["says"]["rule"]
    assert alone["asked"]["reviews"] is None


def test_how_sure_the_authors_looks_are_is_said_of_his_own_terms_only(credit):
    """Another price is judged on the cases drawn, not by what was said of the author's."""
    report = credit.report(over=CREDIT, n_resamples=30, **REVIEWS)
    author = state_of(CREDIT) | {"author": True, "review": REVIEWS | {"cost_review": 0.5}}
    mine = credit.decide(CREDIT, n_resamples=30, **REVIEWS | {"cost_review": 0.5})
    assert decided(report.summary, author)["surety"]["share"] == pytest.approx(mine.surety.share)
    assert mine.surety.share != credit.decide(CREDIT, n_resamples=30, **REVIEWS).surety.share


def test_terms_of_looks_without_a_price_make_no_report(credit):
    """As `decide` refuses them."""
    with pytest.raises(ic.IsocostError, match="cost_review"):
        credit.report(over=CREDIT, n_resamples=0, max_reviewed=0.1)
    with pytest.raises(ic.IsocostError, match="cost_review"):
        credit.report(over=CREDIT, n_resamples=0, cost_review=-1)


def test_a_report_with_looks_is_read_back_and_checked(credit):
    """A file whose looks have no price, or lack the decision without them, is refused in words."""
    summary = credit.report(over=CREDIT, n_resamples=0, **REVIEWS).summary
    assert extract(json.dumps(summary)) == json.loads(json.dumps(summary))
    for change, message in (
        ({"single": None}, "single must be an object"),
        ({"opened": summary["opened"] | {"review": {"cost_review": "x"}}}, "opened.review.cost_review must be"),
        ({"opened": summary["opened"] | {"review": None}}, "opened.review must be an object"),
    ):
        with pytest.raises(ic.IsocostError, match=re.escape(message)):
            extract(json.dumps(summary | change))


def test_ranges_are_priced_at_their_means(credit, summary):
    """With reviews as without them."""
    load(summary)
    over = {"cost_fp": 1.0, "cost_fn": (2.0, 8.0), "prevalence": (0.2, 0.4)}
    page = evaluated("decideAt(loaded, a)", state_of(over) | {"review": REVIEWS})
    mine = credit.decide(ic.Conditions.from_costs(**over), cost_review=0.3)
    assert page["expected_cost"] == pytest.approx(mine.expected_cost, abs=1e-12)
    assert page["rule"] == mine.rule


def test_a_page_that_lacks_points_mixes_thresholds_under_a_limit(monkeypatch):
    """Of a thinned curve the hull is exact, and with it the best mixture."""
    rng = np.random.default_rng(0)
    y = rng.random(5000) < 0.3
    scores = rng.normal(size=y.size) + y
    monkeypatch.setattr(drawn_curves, "_MOST_POINTS", 0)
    comparison = ic.Comparison.from_scores(y, {"m": scores})
    summary = summarise(comparison, over=CREDIT, n_resamples=0)
    assert not summary["models"][0]["roc"]["complete"]
    reviews = REVIEWS | {"max_reviewed": 0.1}
    mixed = ic.review_band(comparison.curves[0], CREDIT, randomised=True, **reviews)
    page = band_of_page(summary, CREDIT, reviews)
    assert page["randomised"]
    assert page["expected_cost"] == pytest.approx(mixed.expected_cost, abs=1e-12)


def test_points_that_are_no_path_have_no_band_and_say_why():
    """Crisp classifiers: no scores lie between two of them."""
    crisp = ic.RocCurve.from_points([0.1, 0.2, 0.3], [0.5, 0.4, 0.8], name="crisp")
    summary = ic.Comparison([crisp]).report(over=CREDIT).summary
    load(summary)
    assert "no monotone path" in evaluated("whyNoReview(loaded, a)", state_of(CREDIT))


@given(asked(), st.floats(0.05, 0.95), st.integers(1, 20))
@settings(max_examples=40)
def test_page_draws_the_same_chord_and_the_same_prices(credit, summary, reviews, prevalence, cost_fn):
    """Ends of the chord in cost space, and the cost at every price of a review."""
    condition = ic.Condition(1, cost_fn, prevalence)
    load(summary)
    state = state_of(condition)
    curve = credit.curves[0]
    reviewer = {name: reviews[name] for name in ("reviewer_fpr", "reviewer_tpr")}
    chord = ic.review_band(curve, condition, **reviews).chord()
    page = evaluated("chordOf(reviewBand(loaded.models[0], pricing(loaded, a), b))", state, reviews)
    assert (page is None) == (chord is None)
    if chord is not None:
        assert np.array(page) == pytest.approx(np.array(chord), abs=1e-12)
    mine = ic.review_curve(curve, condition, **reviewer).to_dict()
    prices = evaluated("reviewCurve(loaded.models[0], pricing(loaded, a).condition, b)", state, reviewer)
    assert differences(mine, prices) == []


@settings(max_examples=30)
@given(st.floats(0.05, 50), st.floats(0.02, 0.95), asked())
def test_lines_with_second_looks_are_the_cost_of_the_best_band(credit, summary, cost_fn, prevalence, reviews):
    """At every cost of a miss, for each model, with a limit on looks and without."""
    condition = ic.Condition(1.5, cost_fn, prevalence)
    load(summary)
    found = evaluated(
        "loaded.models.map((model) => reviewLine(model, { fpGap: 1.5, prevalence: a }, b).costAt(c))",
        prevalence, reviews, condition.pcf,
    )  # fmt: skip
    for curve, cost in zip(credit.curves, found, strict=True):
        band = ic.review_band(curve, condition, **reviews)
        assert cost == pytest.approx(band.expected_cost / condition.worst_cost, abs=1e-9)


def test_lines_with_second_looks_are_straight_between_their_breaks(summary):
    """So nothing is lost by drawing them from break to break."""
    load(summary)
    for reviews in (
        REVIEWS,
        REVIEWS | {"reviewer_fpr": 0.05, "reviewer_tpr": 0.9},
        REVIEWS | {"max_reviewed": 0.2},
        REVIEWS | {"max_reviewed": 0.1, "reviewer_fpr": 0.05, "reviewer_tpr": 0.9},
    ):
        bent = evaluated(
            """loaded.models.map((model) => {
              const line = reviewLine(model, { fpGap: 1, prevalence: 0.3 }, a);
              const zs = [0.001, ...line.breaks.filter((z) => z > 0.001 && z < 0.999), 0.999].sort((x, y) => x - y);
              return Math.max(...zs.slice(1).map((z, i) => Math.abs(
                line.costAt((z + zs[i]) / 2) - (line.costAt(z) + line.costAt(zs[i])) / 2)));
            })""",
            reviews,
        )
        assert max(bent) < 1e-12


@pytest.mark.parametrize("most", [None, 0.15])
def test_winners_with_second_looks_are_the_librarys(credit, summary, most):
    """Wherever the cost of a miss goes, on the money chart and on the map."""
    load(summary)
    reviews = REVIEWS | {"max_reviewed": most}
    wins = evaluated(
        "winsOf(loaded.models.map((model) => reviewLine(model, { fpGap: 1, prevalence: 0.3 }, a)))", reviews
    )
    assert [wins[0]["from"], wins[-1]["to"]] == [0, 1]
    assert all(before["to"] == after["from"] for before, after in itertools.pairwise(wins))
    for win in wins:
        if win["to"] - win["from"] < 1e-6:
            continue
        middle = (win["from"] + win["to"]) / 2
        condition = ic.Condition(1, middle / (1 - middle) * 0.7 / 0.3, 0.3)
        found = credit.decide(condition, **reviews)
        name = credit.names[win["model"]] if isinstance(win["model"], int) else win["model"]
        assert name in (found.model, *found.tied)
    grid = evaluated("gridReviewed(loaded, a, { fpGap: 1, cost_tn: 0, cost_tp: 0 }, [-1, 3], [-2, 1], 4)", reviews)
    for j, i in itertools.product(range(5), range(5)):
        condition = ic.Condition(1, math.exp(-1 + i), 1 / (1 + math.exp(2 - 0.75 * j)))
        found = credit.decide(condition, **reviews)
        cell = grid[5 * j + i]
        assert cell["cost"] == pytest.approx(found.per_1000, rel=1e-9)
        name = credit.names[cell["who"]] if isinstance(cell["who"], int) else cell["who"]
        assert name in (found.model, *found.tied)

"""The page answers as the library does: the whole of `Decision.to_dict`, every sentence letter by letter."""

import base64

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interfaces.data_sets import DATA_SETS
from report import javascript
from report.javascript import call, decided, evaluated, load, state_of

import isocost as ic
from isocost.conditions import NAMES
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InfeasibleError, InputError
from isocost.inference.confidence import more_labels
from isocost.inference.draws import draw_cases, packed_bytes
from isocost.report import packing

LIMITS = ("max_flagged", "min_precision", "max_fpr", "min_tpr")
WORDS = {
    "case": "applicant", "cases": "applicants", "positive": "bad risk", "positives": "bad risks", "negative": "good risk",
    "negatives": "good risks", "flag": "turn down", "flags": "turns down", "flagged": "turned down", "flagging": "turning down",
}  # fmt: skip


def same(mine, theirs, where=""):
    """Assert that two answers are the same: numbers to 1e-9, all else exactly."""
    if isinstance(mine, dict):
        assert isinstance(theirs, dict), where
        assert set(mine) == set(theirs), f"{where}: {set(mine) ^ set(theirs)}"
        for key, value in mine.items():
            same(value, theirs[key], f"{where}.{key}")
    elif isinstance(mine, list):
        assert isinstance(theirs, list), where
        assert len(mine) == len(theirs), where
        for i, value in enumerate(mine):
            same(value, theirs[i], f"{where}[{i}]")
    elif isinstance(mine, float) and not isinstance(theirs, str | None):
        assert theirs == pytest.approx(mine, rel=1e-9, abs=1e-9), where
    else:
        assert mine == theirs, f"{where}: {mine!r}, the page has {theirs!r}"


number = st.integers(0, 100).map(lambda n: n / 100)


@st.composite
def pairs(draw, low, high):
    """A number twice, or a range."""
    first = draw(st.integers(round(100 * low), round(100 * high))) / 100
    if draw(st.integers(0, 3)):
        return first, first
    return first, max(first, draw(st.integers(round(100 * low), round(100 * high))) / 100)


@st.composite
def questions(draw, models):
    """Keywords of `decide`, and the same question as the page's state holds it."""
    kind = draw(st.sampled_from(["costs", "limits", "mix", "worst", "reviews", "method", "t", "no costs", "sure"]))
    costs = {
        "cost_fp": draw(pairs(0.5, 4)), "cost_fn": draw(pairs(0.5, 9)), "prevalence": draw(pairs(0.05, 0.95)),
        "cost_tp": draw(st.just((0.0, 0.0)) | pairs(0, 0.4)), "cost_tn": draw(st.just((0.0, 0.0)) | pairs(0, 0.4)),
    }  # fmt: skip
    asked, state = {}, {**costs, "costs_given": True}
    asked["condition"] = condition_of(costs)
    if kind in ("limits", "mix", "worst", "no costs"):
        limits = {name: draw(number) for name in draw(st.sets(st.sampled_from(LIMITS), min_size=kind != "worst"))}
        asked |= limits
        state["limits"] = limits
    if kind == "sure":
        state |= {"limits": {"max_fpr": draw(number)}, "sure": 0.8}
        asked |= state["limits"] | {"sure": 0.8}
    if kind == "mix" or (kind == "worst" and draw(st.booleans())):
        asked["randomised"] = state["randomised"] = True
    if kind == "worst":
        asked["worst_case"], state["aim"] = True, "least_worst"
    if kind == "no costs":
        asked |= {"condition": None, "prevalence": costs["prevalence"][0]}
        state |= {"costs_given": False, "prevalence": [costs["prevalence"][0]] * 2}
    if kind == "reviews":
        look = {
            "cost": draw(number), "max_reviewed": draw(st.none() | number), "fpr": draw(st.sampled_from([0.0, 0.1])),
            "tpr": draw(st.sampled_from([1.0, 0.9])),
        }  # fmt: skip
        state["review"] = look
        asked |= {"cost_review": look["cost"], "max_reviewed": look["max_reviewed"]}
        asked |= {"reviewer_fpr": look["fpr"], "reviewer_tpr": look["tpr"]}
    if kind == "method":
        method = draw(st.sampled_from(["score_driven", "rate_driven", "fixed"]))
        cut = {"threshold": draw(number)} if method == "fixed" else {}
        asked |= {"method": method, **cut}
        state |= {"method": method, **cut}
    if kind == "t":
        low, high = draw(pairs(0.05, 0.5))
        state["t"] = [low, high + 0.1]
        asked["condition"] = ic.Conditions.uniform(t=(low, high + 0.1))
    if draw(st.booleans()):
        name = draw(st.sampled_from([*models, "always-negative", "always-positive"]))
        asked["current"] = name, draw(number)
        state["current"] = list(asked["current"])
    if draw(st.booleans()):
        asked["good_enough"] = 20.0
        state["good_enough"] = 0.02
    asked |= {"words": draw(st.sampled_from([None, WORDS])), "unit": draw(st.sampled_from(["", "€", "hours"]))}
    return asked, state


def condition_of(costs):
    """The library's condition."""
    if all(low == high for low, high in costs.values()):
        return ic.Condition(**{name: costs[name][0] for name in NAMES})
    return ic.Conditions.from_costs(
        **{name: low if low == high else (low, high) for name, (low, high) in costs.items()}
    )


def asked_of_both(comparison, summary, asked, state, n_resamples):
    """Ask the library and the page the same, and compare the answers."""
    try:
        decision = comparison.decide(**asked, n_resamples=n_resamples, rng=3)
    except InfeasibleError:
        assert decided(summary, state) is None
        return
    except InputError:
        assert "sure" in asked  # which weights and clusters do not allow
        return
    if "t" in state:
        state["prevalence"] = [comparison.prevalence] * 2
    expected = decision.to_dict()
    same(expected, decided(summary, state | {"words": expected["question"]["words"]}))


@pytest.fixture(scope="module")
def known():
    """Comparisons of the awkward data sets with their summaries, made when they are asked for."""
    made = {}

    def of(name, **options):
        if name not in made:
            data = DATA_SETS[name]
            comparison = ic.Comparison.from_scores(data.y, data.models, sample_weight=data.weights, **options)
            made[name] = comparison, comparison.report(n_resamples=12, rng=3).summary
        return made[name]

    return of


@settings(max_examples=60)
@given(st.sampled_from(sorted(DATA_SETS)), st.data())
def test_page_answers_every_question_as_the_library_does(known, name, data):
    """Limits, ranges, mixtures, reviews, the worst case, methods and the rule in use, with how sure it is."""
    comparison, summary = known(name)
    asked, state = data.draw(questions(comparison.names))
    asked_of_both(comparison, summary, asked, state, 12)


def test_page_names_the_safest_rule_over_ranges_as_the_library_does(known):
    """Where another rule regrets less at worst, both hold it as a rule and nothing more."""
    comparison, summary = known("ordinary")
    state = {
        "cost_fp": (1, 1),
        "cost_fn": (1, 20),
        "prevalence": (0.1, 0.5),
        "cost_tp": (0.0, 0.0),
        "cost_tn": (0.0, 0.0),
        "costs_given": True,
    }
    condition = ic.Conditions.from_costs(cost_fp=1, cost_fn=(1, 20), prevalence=(0.1, 0.5))
    safest = comparison.decide(condition).to_dict()["uncertain"]["safest"]
    assert safest["model"] in comparison.names
    assert not {"text", "threshold_drift"} & safest.keys()
    asked_of_both(comparison, summary, {"condition": condition}, state, 12)


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 1, 0]), st.data())
def test_page_answers_on_random_data_as_the_library_does(seed, digits, data):
    """Ties, one model, rare positives, clusters; with more draws where the library takes more."""
    rng = np.random.default_rng(seed)
    size, models = int(rng.integers(12, 60)), int(rng.integers(1, 4))
    y = rng.permutation(np.arange(size) < max(2, rng.integers(2, size // 2)))
    scores = {f"m{k}": rng.normal(size=size) + y * rng.random() * 2 for k in range(models)}
    scores = scores if digits is None else {name: np.round(score, digits) for name, score in scores.items()}
    clusters = rng.integers(0, size // 2, size) if rng.random() < 0.3 else None
    comparison = ic.Comparison.from_scores(y, scores, cluster=clusters)
    summary = comparison.report(n_resamples=8, rng=3).summary
    asked, state = data.draw(questions(comparison.names))
    asked_of_both(comparison, summary, asked, state, 8)


@pytest.mark.parametrize("name", ["weights", "ordinary"])
def test_page_offers_a_surer_rule_where_the_library_does(known, name):
    """A limit that hardly ever holds: weighted cases are not counted, so nothing is offered for them."""
    comparison, summary = known(name)
    costs = dict.fromkeys(("cost_fp", "cost_fn"), (0.5, 0.5)) | {"prevalence": (0.05, 0.05)}
    costs |= dict.fromkeys(("cost_tp", "cost_tn"), (0.0, 0.0))
    state = {**costs, "costs_given": True, "limits": {"max_flagged": 0.01}}
    asked_of_both(comparison, summary, {"condition": condition_of(costs), "max_flagged": 0.01}, state, 12)


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"max_fpr": 0.2}, {"max_fpr": 0.3, "sure": 0.9}, {"max_flagged": 0.4, "randomised": True}, {"cost_review": 0.3},
        {"cost_review": 0.1, "max_reviewed": 0.2, "reviewer_fpr": 0.1, "reviewer_tpr": 0.9}, {"worst_case": True},
        {"method": "fixed", "threshold": 0.4}, {"method": "rate_driven"}, {"method": "smooth"},
        {"current": ("weak", 0.5), "good_enough": 5},
    ],
    ids=str,
)  # fmt: skip
def test_report_holds_the_librarys_answer_and_opens_with_it(asked):
    """By default: 200 draws, and 1000 where they matter; the page asks what the author asked."""
    data = DATA_SETS["ordinary"]
    comparison = ic.Comparison.from_scores(data.y, data.models)
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    if "worst_case" in asked:
        condition = ic.Conditions.from_costs(cost_fn=(3, 7), prevalence=(0.2, 0.4))
    summary = comparison.report(condition=condition, **asked).summary
    expected = comparison.decide(condition, n_resamples="auto", **asked).to_dict()
    assert summary["decision"] == expected
    same(expected, decided(summary, evaluated("questionAt(a, openedState(a), openedState(a))", summary)))


@pytest.mark.parametrize(("shift", "many"), [(0.0, 1000), (0.5, 1000), (2.0, 200)])
def test_page_draws_more_where_the_library_does(shift, many):
    """Two models from equally good to far apart: 1000 draws until 200 are enough to tell."""
    rng = np.random.default_rng(5)
    y = np.arange(300) < 100
    scores = {"a": rng.normal(size=300) + 2.2 * y, "b": rng.normal(size=300) + (2.2 - shift) * y}
    comparison = ic.Comparison.from_scores(y, scores)
    condition = ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.3)
    summary = comparison.report(condition=condition).summary
    found = decided(summary, summary["opened"]["quantities"] | {"words": summary["decision"]["question"]["words"]})
    assert found["confidence"]["n_resamples"] == many
    same(comparison.decide(condition, n_resamples="auto").to_dict(), found)


def test_page_draws_the_cases_that_numpy_draws():
    """The words of PCG64 and Lemire's whole numbers, for classes of any size, one case included."""
    rng = np.random.default_rng(1)
    for positives in (1, 7, 40):
        y = rng.permutation(np.arange(64) < positives)
        cases = ic.Comparison.from_scores(y, {"a": rng.normal(size=64)})._rows
        draws = draw_cases(cases, 5, 11)
        held = packing.packed_draws([draws], list(draws.thresholds))
        again = call("drawnAgain", held["sets"][0], held["rows"])
        order = np.argsort(draws.positive, kind="stable")
        assert list(again.values()) == draws.times[:, order].ravel().tolist()
        assert call("drawnAgain", held["sets"][0] | {"check": -1}, held["rows"]) is None


def test_page_draws_again_where_a_word_would_favour_some_cases():
    """Of so many cases one word in two thousand is drawn anew."""
    size, rng = 2_096_129, np.random.default_rng(3)
    state = rng.bit_generator.state["state"]
    words = {name: f"{state[name]:032x}" for name in ("state", "inc")}
    found = evaluated("((word) => Array.from(range(12000), () => below(b, word)))(wordsOf(a))", words, size)
    assert found == rng.integers(0, size, 12_000).tolist()


@pytest.mark.parametrize("most", [3, 200, 700])
def test_page_reads_how_often_cases_were_drawn(most):
    """Once or very often."""
    times = np.random.default_rng(0).integers(0, 4, (3, 10))
    times[1, 4] = most
    held = {"n": 3, "times": base64.b64encode(packed_bytes(times)).decode()}
    assert list(call("drawnBefore", held, 10).values()) == times.ravel().tolist()


def test_page_adds_up_what_it_has_no_room_for(known, monkeypatch):
    """Sums of few thresholds are held, and those of the others counted from the nearest."""
    source = javascript.source
    monkeypatch.setattr(javascript, "source", lambda name: source(name).replace("HELD = 2 ** 23", "HELD = 100"))
    fresh = javascript.engine.__wrapped__()
    monkeypatch.setattr(javascript, "engine", lambda: fresh)
    monkeypatch.setattr(javascript, "_LOADED", [])
    asked_of_both(*known("ordinary"), *costing(1, 3), 12)


def costing(cost_fp, cost_fn, share=0.3, **limits):
    """Costs, a share of positives and limits, as the library and the page are asked."""
    costs = dict.fromkeys(NAMES, (0.0, 0.0))
    costs |= {"cost_fp": (cost_fp,) * 2, "cost_fn": (cost_fn,) * 2, "prevalence": (share, share)}
    return {"condition": condition_of(costs)} | limits, {**costs, "costs_given": True, "limits": limits}


def test_page_prices_identical_models_by_the_dearer_error(known):
    """Whichever of the two that is."""
    for costs in ((2, 1, 0.7), (1, 2, 0.3)):
        asked_of_both(*known("identical"), *costing(*costs), 12)


@pytest.mark.parametrize(
    ("of_positives", "asked"), [(2.0, (1, 2)), (1.0, (1, 1, 0.5, 1.0))], ids=["no error", "constant scores"]
)
def test_page_answers_of_extreme_scores_as_the_library_does(of_positives, asked):
    """No price has no shares; where flagging nobody costs what flagging everybody costs, nobody is flagged."""
    y = np.arange(40) < 20
    scores = np.where(y, of_positives, 1.0)
    comparison = ic.Comparison.from_scores(y, {"a": scores, "b": scores})
    summary = comparison.report(n_resamples=8, rng=3).summary
    limits = {"max_fpr": asked[3]} if len(asked) > 3 else {}
    asked_of_both(comparison, summary, *costing(*asked[:3], **limits), 8)


@pytest.mark.parametrize("most", [0.01, 0.03])
def test_page_mixes_with_nobody_on_the_draws_as_the_library_does(known, most):
    """A limit below what the highest threshold flags."""
    asked, state = costing(1, 3, max_flagged=most)
    asked_of_both(*known("ordinary"), asked | {"randomised": True}, state | {"randomised": True}, 12)


@given(st.lists(st.tuples(st.floats(-1, 0.2), st.floats(0.01, 1)), min_size=1, max_size=4), st.floats(0.01, 0.3))
def test_page_asks_for_as_many_labels_as_the_library(rivals, enough):
    """And for the same rival."""
    ahead, half = (list(column) for column in zip(*rivals, strict=True))
    assert call("moreLabels", ahead, half, enough, 200) == list(
        more_labels(np.array(ahead), np.array(half), enough, 200)
    )


def test_tables_that_do_not_fit_keep_the_hull(monkeypatch):
    """Of many thresholds those stay at which some costs are least, with the score next below each."""
    monkeypatch.setattr(packing, "TABLES", 0)
    rng = np.random.default_rng(2)
    y = rng.random(2000) < 0.3
    comparison = ic.Comparison.from_scores(y, {"a": rng.normal(size=2000) + y, "b": rng.normal(size=2000)})
    summary = comparison.report(n_resamples=0).summary
    assert not summary["models"][0]["table"]["complete"]
    for cost_fn in (0.4, 1, 3, 20):
        condition = ic.Condition(cost_fn=cost_fn, prevalence=0.3)
        expected = comparison.decide(condition).to_dict()
        costs = {name: [getattr(condition, name)] * 2 for name in NAMES}
        same(expected, decided(summary, costs | {"words": expected["question"]["words"]}))


@pytest.mark.parametrize("size", [300_000, 40_000])
@pytest.mark.parametrize(("many", "digits"), [(20_000, 2), (60, 2), (60, 0)])
def test_page_prices_from_the_draws_it_holds(monkeypatch, many, digits, size):
    """From many cases on cells of cases are drawn, and where there is no space for them counts of blocks: as in the report's decision.

    With few different scores a cell holds several cases, of which a resample leaves some out.
    """
    monkeypatch.setattr("isocost.inference.draws.MANY", many)
    monkeypatch.setattr(packing, "MANY", many)
    monkeypatch.setattr(packing, "DRAWN", size // 100)
    rng = np.random.default_rng(4)
    y = rng.random(400) < 0.3
    scores = {name: np.round(rng.normal(size=400) + y, digits) for name in "ab"}
    clusters = rng.integers(0, 150, 400) if many > 400 else None
    comparison = ic.Comparison.from_scores(y, scores, cluster=clusters)
    condition = ic.Condition(cost_fn=5, prevalence=0.3)
    for options in ({}, {"max_flagged": 0.5}):
        summary = comparison.report(condition=condition, n_resamples=40, current=("a", 0.5), **options).summary
        assert digits or size < 300_000 or summary["draws"]["size"] is not None
        expected = summary["decision"]
        limits = {row["kind"]: row["value"] for row in expected["question"]["limits"]}
        state = summary["opened"]["quantities"] | {
            "limits": limits, "current": ["a", 0.5], "words": expected["question"]["words"],
        }  # fmt: skip
        same(expected, decided(summary, state))


def test_page_opens_with_a_belief_as_the_library_does():
    """Priced at the means; what the belief leaves open is the library's, as long as nothing else is asked."""
    from scipy.stats import beta, lognorm

    data = DATA_SETS["ordinary"]
    comparison = ic.Comparison.from_scores(data.y, data.models)
    belief = ic.Conditions.from_beliefs(cost_fp=1.0, cost_fn=lognorm(0.5, scale=4), prevalence=beta(3, 7))
    summary = comparison.report(condition=belief, n_resamples=12).summary
    expected = summary["decision"]
    assert expected["uncertain"] is not None
    opened = summary["opened"]["quantities"] | {
        "belief": summary["opened"]["belief"],
        "words": expected["question"]["words"],
    }
    same(expected, decided(summary, opened))
    assert decided(summary, opened | {"limits": {"max_fpr": 0.9}})["uncertain"] is None


@pytest.fixture(scope="module")
def plain():
    """Three models without draws, and their summary."""
    data = DATA_SETS["ordinary"]
    comparison = ic.Comparison.from_scores(data.y, data.models)
    return comparison, comparison.report(n_resamples=0).summary


def asked_of_both_plainly(comparison, summary, condition, **asked):
    """Ask the library and the page the same, and compare the answers without draws; return the library's."""
    expected = comparison.decide(condition, **asked, n_resamples=0).to_dict()
    same(expected, decided(summary, state_of(expected["question"])))
    return expected


AT = ic.Condition(cost_fp=1, cost_fn=3, prevalence=0.3)


@pytest.mark.parametrize(
    "limit", [{"max_flagged": 0.3}, {"min_precision": 0.6}, {"max_fpr": 0.1}, {"min_tpr": 0.8}], ids=str
)
def test_page_keeps_to_each_limit_by_itself_as_the_library_does(plain, limit):
    """And says as far as it which shares of positives leave the rule as it is."""
    unsure = ic.Conditions.from_costs(cost_fp=1, cost_fn=(1, 20), prevalence=(0.1, 0.5))
    asked_of_both_plainly(*plain, unsure, **limit)
    found = asked_of_both_plainly(*plain, AT, **limit)
    assert found["threshold_drift"]["prevalence"] != asked_of_both_plainly(*plain, AT)["threshold_drift"]["prevalence"]


@pytest.mark.parametrize("more", [{}, {"cost_tp": (0, 0.5)}], ids=str)
def test_page_averages_over_several_ranges_as_the_library_does(plain, more):
    """One of them exactly, the others by the same nodes."""
    ranges = {"cost_fp": (1, 3), "cost_fn": (1, 20), "prevalence": (0.1, 0.5)} | more
    asked_of_both_plainly(*plain, ic.Conditions.from_costs(**ranges))


@pytest.mark.parametrize("method", ["score_driven", "rate_driven"])
def test_page_sets_thresholds_from_the_trade_off_as_the_library_does(plain, method):
    """Where t alone is known, costs follow from it and the share of positives."""
    asked_of_both_plainly(*plain, ic.Conditions.uniform(t=(0.2, 0.7)), method=method)


def test_page_judges_every_rule_in_use_as_the_library_does(plain):
    """Any threshold of a model; that right answers cost something is no reason to keep it."""
    comparison, summary = plain
    condition = ic.Condition(cost_fp=11, cost_fn=13, prevalence=0.3, cost_tp=10, cost_tn=10)
    for cut in np.unique(DATA_SETS["ordinary"].models["strong"]):
        asked_of_both_plainly(comparison, summary, condition, current=("strong", float(cut)))


@pytest.mark.parametrize(("cut", "cost_fn"), [(-9.0, 50), (9.0, 0.01)])
def test_page_knows_rules_in_use_that_look_at_no_score_as_the_library_does(cut, cost_fn):
    """A threshold below or above all scores flags whom the trivial rules flag."""
    comparison = ic.Comparison.from_scores([1, 0, 1, 0, 1, 0], {"a": [1, 2, 3, 4, 5, 6]})
    summary = comparison.report(n_resamples=0).summary
    found = asked_of_both_plainly(comparison, summary, ic.Condition(1, cost_fn, 0.5), current=("a", cut))
    assert found["current"]["same"]


@pytest.mark.parametrize("unit", [1e-12 / 7, 1e12 / 7])
def test_page_breaks_ties_as_the_library_does_in_any_unit(unit):
    """Costs that differ by rounding alone are equal, and others are not."""
    data = DATA_SETS["ties"]
    comparison = ic.Comparison.from_scores(data.y, data.models)
    summary = comparison.report(n_resamples=0).summary
    for ratio in (1, 2, 3):
        condition = ic.Condition(cost_fp=0.1 * unit, cost_fn=0.1 * unit * ratio, prevalence=data.prevalence)
        asked_of_both_plainly(comparison, summary, condition)
        asked_of_both_plainly(comparison, summary, condition, max_flagged=0.9)


def test_page_flags_a_quota_that_a_threshold_meets_without_a_mixture(plain):
    """As the library does, to a rounding."""
    share = DATA_SETS["ordinary"].prevalence
    for many in (7, 15, 30, 49):
        at = ic.Condition(cost_fp=60 - many, cost_fn=many, prevalence=share)
        assert asked_of_both_plainly(*plain, at, method="rate_driven")["rule"] == "score"


@pytest.mark.parametrize("cost_fn", [0.5, 1, 2, 4, 16])
def test_page_reviews_as_the_library_does_where_bands_cost_the_same(cost_fn):
    """Reviews that cost nothing leave many bands equal; the fewest are reviewed."""
    data = DATA_SETS["ties"]
    comparison = ic.Comparison.from_scores(data.y, data.models)
    summary = comparison.report(n_resamples=0).summary
    for price, most in ((0, None), (0.25, None), (0.1, 0.2), (0.1, 0.5)):
        condition = ic.Condition(cost_fp=1, cost_fn=cost_fn, prevalence=data.prevalence)
        asked_of_both_plainly(comparison, summary, condition, cost_review=price, max_reviewed=most)


@pytest.mark.parametrize(("cases", "grade"), [(29, "leaning"), (30, "clear")])
def test_page_grades_few_and_repeated_cases_as_the_library_does(cases, grade):
    """Thirty of a class are enough, unless they look like copies; of equal models the first will do."""
    rng = np.random.default_rng(0)
    y = np.arange(75) < cases
    scores = rng.normal(size=75) + 2 * y
    for times in (1, 4):
        again = np.tile(scores, times)
        comparison = ic.Comparison.from_scores(np.tile(y, times), dict.fromkeys("abc", again))
        expected = comparison.decide(AT, good_enough=1000.0, n_resamples=8).to_dict()
        assert expected["confidence"]["grade"] == (grade if times == 1 else "leaning")
        same(expected, decided(comparison.report(n_resamples=8).summary, state_of(expected["question"])))


@pytest.mark.parametrize("positives", [49, 50])
def test_page_warns_of_few_cases_as_the_library_does(positives):
    """From fifty of each class on there are enough."""
    rng = np.random.default_rng(0)
    y = np.arange(120) < positives
    comparison = ic.Comparison.from_scores(y, {"a": rng.normal(size=120) + y})
    summary = comparison.report(n_resamples=0).summary
    assert bool(asked_of_both_plainly(comparison, summary, AT)["warnings"]) == (positives < 50)


def test_page_knows_no_ratio_for_a_rule_between_two_others():
    """Published points on one line: the middle one is never the only best."""
    points = [0.25, 0.5, 0.75], [0.5, 0.75, 1.0]
    comparison = ic.Comparison([ic.RocCurve.from_points(*points, thresholds=[3, 2, 1], name="a")])
    summary = comparison.report(n_resamples=0).summary
    assert asked_of_both_plainly(comparison, summary, AT, current=("a", 2.0))["current"]["implied"] is None


def test_page_says_why_curves_alone_have_no_price():
    """There are no cases to draw, whatever is asked."""
    data = DATA_SETS["ordinary"]
    comparison = ic.Comparison([ic.RocCurve.from_scores(data.y, s, name=name) for name, s in data.models.items()])
    summary = comparison.report(n_resamples="auto").summary
    for asked in ({}, {"max_fpr": 0.3}):
        expected = comparison.decide(AT, **asked, n_resamples="auto").to_dict()
        assert expected["confidence"]["withheld"] == "no_cases"
        same(expected, decided(summary, state_of(expected["question"])))


def asked_on_page(summary, share, costs):
    """The page's question about a miss that costs between so many false alarms, and the end of its words."""
    load(summary)
    rows = "Array.from(loaded.rules.model.keys())"
    found = evaluated(f"costQuestion(loaded.rules, {rows}, a, b)", share, costs)
    notice = {"about": "cost_fn", "questions": 1, "question": {"words": summary["decision"]["question"]["words"]}}
    rates = {part: evaluated("[loaded.rules.fpr[a], loaded.rules.tpr[a]]", found[part]) for part in ("less", "more")}
    return found, rates, evaluated("loaded.speaker.say('ask_worth', a)", notice | found)


def asked_of_library(comparison, share, low, high):
    """The library's."""
    conditions = ic.Conditions.from_costs(cost_fp=1, cost_fn=(low, high), prevalence=share)
    return comparison.ask(conditions, about="cost_fn")


FIELDS = ("at", "worth", "chance_more", "regret_now", "regret_after")


@settings(max_examples=60)
@given(st.sampled_from(sorted(DATA_SETS)), st.integers(3, 97), st.integers(1, 400), st.integers(2, 4000))
def test_page_asks_what_the_library_asks(known, name, share, low, width):
    """The exchange rate, its worth, what then stays open, the two rules and the words."""
    comparison, summary = known(name)
    low, high, share = low / 20, (low + width) / 20, share / 100
    expected = asked_of_library(comparison, share, low, high)
    found, rates, words = asked_on_page(summary, share, [low, high])
    same({field: getattr(expected, field) for field in FIELDS}, {field: found[field] for field in FIELDS})
    if expected.at is None:
        assert found["less"] is found["more"] is None
        return
    assert str(expected).endswith(words)
    cost = expected.at
    for part, decision in (("less", expected.if_less), ("more", expected.if_more)):
        # Rules that cost the same on a part of the range may be any of them.
        mean = (low + cost) / 2 if part == "less" else (cost + high) / 2
        fpr, tpr = rates[part]
        paid = (1 - share) * fpr + share * (1 - tpr) * mean
        assert paid == pytest.approx(decision.expected_cost, rel=1e-9, abs=1e-9)


def test_page_asks_the_worked_questions():
    """German credit: 6.6875 between 1 and 20, worth 27.24 per 1000; nothing between 4 and 5.5."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    summary = comparison.report(n_resamples=0).summary
    found, _, words = asked_on_page(summary, 0.3, [1, 20])
    assert found["at"] == pytest.approx(6.6875, abs=1e-9)
    assert 1000 * found["worth"] == pytest.approx(27.2401, abs=1e-4)
    assert found["chance_more"] == pytest.approx(0.7007, abs=1e-4)
    assert 1000 * found["regret_now"] == pytest.approx(33.8865, abs=1e-4)
    assert words == ("The answer is worth 27.2 per 1000 cases; to know the cost exactly would be worth 6.65 more.")
    assert asked_on_page(summary, 0.3, [4, 5.5])[0]["at"] is None

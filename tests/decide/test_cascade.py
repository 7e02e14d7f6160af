import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decide.cascade import Pairs
from isocost.errors import ConditionError, InputError, UnknownNameError
from oracles import cascade as oracle

WORKED = json.loads((Path(__file__).parents[1] / "golden" / "cascade.json").read_text(encoding="utf-8"))
CREDIT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
Y, SMALL, BIG = [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], [6, 5, 1, 4, 2, 3]


def agrees(found, expected):
    """Compare the fields that a worked case gives."""
    for name, held in expected.items():
        value = held["value"] if isinstance(held, dict) else held
        assert getattr(found, name) == (
            pytest.approx(value, rel=1e-11, abs=1e-14) if isinstance(value, float) else value
        ), name


@pytest.fixture(scope="module")
def credit():
    """The bundled models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@pytest.fixture(scope="module")
def made():
    """5000 cases of a weak and a strong model."""
    r = np.random.default_rng(0)
    y = r.random(5000) < 0.2
    return ic.Comparison.from_scores(y, {"small": r.normal(size=5000) + y, "big": r.normal(size=5000) + 2.5 * y})


@pytest.mark.parametrize("case", WORKED["cases"], ids=lambda case: str(case["inputs"]["cost_call"]))
def test_small_cases_are_those_of_trying_every_triple(case):
    """Cost, what a call is worth, and no more cases asked about than needed."""
    held, expected = case["inputs"], dict(case["expected"])
    comparison = ic.Comparison.from_scores(held["labels"], {"small": held["small"], "big": held["big"]})
    found = comparison.cascade("small", "big", ic.Condition(**held["condition"]), cost_call=held["cost_call"])
    assert found.asked == pytest.approx(expected.pop("least_asked_among_the_cheapest")["value"], abs=1e-14)
    agrees(found, expected)


@pytest.mark.parametrize("case", WORKED["german_credit"]["cases"], ids=lambda c: f"{c['first']} {c['cost_call']}")
def test_cascades_of_the_credit_models_are_worked_out(credit, case):
    """Thresholds, shares, rates and costs at several prices of a call."""
    agrees(credit.cascade(case["first"], case["then"], CREDIT, cost_call=case["cost_call"]), case)


@pytest.mark.parametrize("case", WORKED["made"]["cases"], ids=lambda case: str(case["cost_call"]))
def test_cascades_of_many_distinct_scores_are_worked_out(made, case):
    """5000 places and 5000 cuts."""
    agrees(made.cascade("small", "big", ic.Condition(1, 5, 0.2), cost_call=case["cost_call"]), case)


@settings(max_examples=60)
@given(st.data())
def test_no_triple_of_thresholds_is_cheaper(data):
    """Up to seven cases with ties, every triple in fractions."""
    n = data.draw(st.integers(2, 7))
    labels = [1, 0, *data.draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    scores = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    first, then = data.draw(scores), data.draw(scores)
    costs = {"cost_fp": data.draw(st.integers(0, 3)), "cost_fn": data.draw(st.integers(1, 6)), "prevalence": 0.25}
    price = data.draw(st.integers(0, 8)) / 8
    found = ic.Comparison.from_scores(labels, {"a": first, "b": then}).cascade(
        "a", "b", ic.Condition(**costs), cost_call=price
    )
    every = oracle.rules(labels, first, then, **costs)
    cost, asked = oracle.best(every, price)
    assert found.expected_cost == pytest.approx(float(cost), abs=1e-13)
    assert found.asked == pytest.approx(float(asked), abs=1e-13)
    assert found.worth_up_to == pytest.approx(float(oracle.worth_up_to(every)), abs=1e-10)
    assert found.asked + found.flagged + found.cleared == pytest.approx(1)
    assert found.expected_cost == pytest.approx(
        ic.Condition(**costs).expected_cost(found.fpr, found.tpr) + price * found.asked
    )


@pytest.mark.parametrize("rounded", [9, 1])
def test_the_tree_equals_one_pass_for_each_cut(rounded):
    """700 cases, with and without ties: the least cost of every cut, not of the best alone."""
    r = np.random.default_rng(3)
    y = r.random(700) < 0.3
    first, then = (r.normal(size=700) + y).round(rounded), (r.normal(size=700) + 2 * y).round(rounded)
    pairs = Pairs.of(first, then, y.astype(float), (~y).astype(float), CREDIT)
    bands = [pairs.band(cut, 0.2) for cut in range(pairs.high.size + 1)]
    assert pairs.tree.least_costs(0.2) == pytest.approx([b.errors + 0.2 * b.asked for b in bands], abs=1e-12)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.05, 0.2, 0.45]))
def test_a_second_model_that_is_always_right_is_a_perfect_reviewer(seed, price):
    """The cascade is then the review band, and a call is worth what a review is."""
    r = np.random.default_rng(seed)
    y = r.random(60) < 0.4
    y[:2] = True, False
    first = (r.normal(size=60) + y).round(1)
    found = ic.Comparison.from_scores(y, {"a": first, "b": y * 1.0}).cascade("a", "b", CREDIT, cost_call=price)
    band = ic.decide.review_band(ic.RocCurve.from_scores(y, first), CREDIT, cost_review=price)
    assert found.expected_cost == pytest.approx(band.expected_cost)
    assert found.worth_up_to == pytest.approx(band.worth_up_to)
    assert found.asked == pytest.approx(band.reviewed)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_nobody_is_asked_above_the_worth_and_the_thresholds_are_then_the_best_ones(seed):
    """And just below it someone is; at no price does a cascade cost more than the first model alone."""
    r = np.random.default_rng(seed)
    y = np.arange(40) < 15
    comparison = ic.Comparison.from_scores(y, {"a": (r.normal(size=40) + y).round(1), "b": r.normal(size=40) + 2 * y})
    worth = comparison.cascade("a", "b", CREDIT, cost_call=0).worth_up_to
    above = comparison.cascade("a", "b", CREDIT, cost_call=worth * 1.001 + 1e-9)
    alone = [ic.best_threshold(comparison[name], CREDIT).threshold for name in ("a", "b")]
    assert (above.asked, above.saving) == (0, 0)
    assert (above.ask_from, above.flag_from, above.then_threshold) == (alone[0], alone[0], alone[1])
    if worth > 0:
        below = comparison.cascade("a", "b", CREDIT, cost_call=worth * 0.999)
        assert below.asked > 0
        assert below.expected_cost <= below.expected_cost_first


def test_free_calls_make_the_best_combination(made):
    """At no price the cascade costs no more than either model; where only both together are sure, both must agree."""
    found = made.cascade("big", "small", ic.Condition(20, 1, 0.2), cost_call=0)
    assert found.expected_cost < min(found.expected_cost_first, found.expected_cost_then)
    both = ic.Comparison.from_scores([1, 0, 0, 0], {"a": [2, 2, 1, 1], "b": [2, 1, 2, 1]}).cascade(
        "a", "b", CREDIT, cost_call=0
    )
    assert (both.ask_from, both.flag_from, both.then_threshold, both.expected_cost) == (2, np.inf, 2, 0)


def test_weights_are_repeated_cases():
    """A case of weight 3 is three cases; one of weight 0 is none."""
    weights = [3, 1, 2, 1, 1, 2]
    weighted = ic.Comparison.from_scores(
        [*Y, 1], {"a": [*SMALL, 2], "b": [*BIG, 9]}, sample_weight=[*weights, 0]
    ).cascade("a", "b", CREDIT, cost_call=0.1)
    repeated = ic.Comparison.from_scores(
        np.repeat(Y, weights), {"a": np.repeat(SMALL, weights), "b": np.repeat(BIG, weights)}
    ).cascade("a", "b", CREDIT, cost_call=0.1)
    assert weighted.expected_cost == pytest.approx(repeated.expected_cost)
    assert weighted.worth_up_to == pytest.approx(repeated.worth_up_to)


def test_joint_counts_give_the_cascade_of_their_cases():
    """Where each score is a block, cells of cases are as good as the cases; coarser blocks cut at their ends."""
    r = np.random.default_rng(5)
    y = r.random(400) < 0.3
    scores = {"a": (r.normal(size=400) + y).round(1), "b": (r.normal(size=400) + 2 * y).round(1)}
    cells = ic.Comparison.from_joint_counts(ic.JointCounts.from_arrays(y, scores))
    rows = ic.Comparison.from_scores(y, scores)
    one, other = (made.cascade("a", "b", CREDIT, cost_call=0.1) for made in (cells, rows))
    assert one.expected_cost == pytest.approx(other.expected_cost)
    assert (one.ask_from, one.flag_from, one.then_threshold) == (other.ask_from, other.flag_from, other.then_threshold)
    judged = cells.cascade("a", "b", CREDIT, cost_call=0.1, n_resamples=800).new_cases["cascade"]
    assert judged == pytest.approx(
        rows.cascade("a", "b", CREDIT, cost_call=0.1, n_resamples=800).new_cases["cascade"], rel=0.03
    )


def test_new_cases_lead_the_sentence_and_warn(credit, made):
    """On the bundled data the cascade is cheaper on its own cases only; on made data it is worth using."""
    found = credit.cascade("naive_bayes", "random_forest", CREDIT, cost_call=0.02, n_resamples=200)
    assert [round(1000 * cost) for cost in found.new_cases.values()] == [542, 536, 549]
    assert found.share < 0.5
    assert str(found) == (
        "On new cases expect 542 per 1000 with the cascade, 536 with naive_bayes alone and 549 with random_forest for every case. "
        "Do not use the cascade yet: it is cheaper on these cases only. The cascade: clear cases with naive_bayes < 0.058836, flag "
        "cases with naive_bayes ≥ 0.179164, and ask random_forest about the 17.1 % in between: flag those with random_forest ≥ "
        "0.153566. On these cases it costs 498 per 1000, 18 less than naive_bayes alone (516) and 24 less than random_forest for "
        "every case (522). A call is worth up to 0.333."
    )
    found = made.cascade("small", "big", ic.Condition(1, 5, 0.2), cost_call=0.2, n_resamples=40)
    assert [round(cost, 3) for cost in found.new_cases.values()] == [0.35, 0.553, 0.365]
    assert found.share == 0.85
    assert "Do not use" not in str(found)


def test_sentences_say_whom_to_ask(credit):
    """Nobody, everybody, and those on one side."""
    nobody = credit.cascade("logistic_regression", "random_forest", CREDIT, cost_call=0.5, unit="€")
    assert str(nobody) == (
        "Asking random_forest pays only below €0.455 per call: use logistic_regression alone and flag cases with "
        "logistic_regression ≥ 0.098671, at €535 per 1000 cases."
    )
    useless = ic.Comparison.from_scores(Y, {"a": Y, "b": [1] * 6}).cascade("a", "b", CREDIT, cost_call=0.1)
    assert "does not pay at any price" in str(useless)
    everybody = ic.Comparison.from_scores(Y, {"a": [1] * 6, "b": Y}).cascade("a", "b", CREDIT, cost_call=0.1)
    assert str(everybody).startswith(
        "The cascade: ask b about every case; flag those with b ≥ 1. On these cases it costs 100"
    )
    assert "and as much as b for every case (100)" in str(everybody)


def test_the_same_seed_gives_the_same_costs_and_clusters_are_drawn_whole(credit):
    """Another seed gives others; a generator moves on."""
    asked = {"cost_call": 0.05, "n_resamples": 5}
    names = ("naive_bayes", "random_forest", CREDIT)
    first = credit.cascade(*names, **asked)
    assert credit.cascade(*names, **asked, rng=0) == first
    assert credit.cascade(*names, **asked, rng=1).new_cases != first.new_cases
    y, scores = load_german_credit_predictions()
    clusters = ic.Comparison.from_scores(y, scores, cluster=np.arange(len(y)) // 50)
    assert clusters.cascade(*names, **asked).new_cases != first.new_cases
    whole = ic.Comparison.from_scores(y, scores, cluster=np.zeros(len(y)))
    with pytest.raises(InputError, match="the number of clusters must be at least 2, got 1"):
        whole.cascade(*names, **asked)


def test_the_same_thresholds_are_paid_on_other_cases(credit):
    """On its own cases it is itself; elsewhere the saving may be negative."""
    y, scores = load_german_credit_predictions()
    found = credit.cascade("naive_bayes", "random_forest", CREDIT, cost_call=0.02)
    own, same = (each.to_frame().drop(columns="answer").to_numpy(float) for each in (found, found.on(y, scores)))
    assert own == pytest.approx(same)
    assert found.on(y, scores).expected_cost == pytest.approx(found.expected_cost)
    half = {name: np.asarray(values)[:300] for name, values in scores.items()}
    other = found.on(np.asarray(y)[:300], half)
    assert other.ask_from == found.ask_from
    assert other.expected_cost != found.expected_cost
    with pytest.raises(UnknownNameError, match="random_forest"):
        found.on(y, {"naive_bayes": scores["naive_bayes"]})


def test_frame_and_figure_hold_the_three_answers(credit):
    """Clear, ask and flag, as in a review band."""
    found = credit.cascade("naive_bayes", "random_forest", CREDIT, cost_call=0.02)
    frame = found.to_frame()
    assert frame["answer"].tolist() == ["clear", "ask", "flag"]
    assert frame["share"].tolist() == pytest.approx([found.cleared, found.asked, found.flagged])
    axes = found.plot().ax_
    assert [patch.get_width() / 100 for patch in axes.patches] == pytest.approx(frame["share"].tolist())
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["clear", "ask", "flag"]


def test_conditions_count_with_their_means_and_the_comparison_has_its_own():
    """A range of costs is its middle."""
    ranges = ic.Conditions.from_costs(1, (2, 8), (0.2, 0.4))
    scores = {"a": SMALL, "b": BIG}
    one = ic.Comparison.from_scores(Y, scores).cascade("a", "b", CREDIT, cost_call=0.1)
    two = ic.Comparison.from_scores(Y, scores, condition=ranges).cascade("a", "b", cost_call=0.1)
    assert one.expected_cost == pytest.approx(two.expected_cost)
    assert ic.Comparison.from_scores(Y, scores).cascade("a", "b", cost_call=0.1).condition == ic.Condition(
        prevalence=0.5
    )


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"cost_call": -0.1}, InputError, "cost_call must be finite and at least 0, got -0.1"),
        ({"cost_call": float("nan")}, InputError, "cost_call must be finite and at least 0, got nan"),
        ({"cost_call": float("inf")}, InputError, "cost_call must be finite and at least 0, got inf"),
        ({"cost_call": "much"}, InputError, "cost_call must be a number, got 'much'"),
        ({"first": "c"}, UnknownNameError, "unknown model 'c'"),
        ({"then": "a"}, InputError, "the models of a cascade must be different values, got 'a', 'a'"),
        ({"condition": 3}, ConditionError, "condition must be a Condition or Conditions"),
        ({"condition": ic.Conditions.uniform()}, ConditionError, "do not say what errors cost: use Conditions.from_costs"),
        ({"n_resamples": 0}, InputError, "n_resamples must be between 1 and"),
        ({"n_resamples": 2.5}, InputError, "n_resamples must be a whole number, got 2.5"),
        ({"n_resamples": 2, "rng": -1}, InputError, "rng must be at least 0"),
        ({"unit": 1}, InputError, "unit must be text"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_name(change, error, match):
    """Each message names the argument, the value, and what to do."""
    held = {"first": "a", "then": "b", "condition": CREDIT, "cost_call": 0.1} | change
    comparison = ic.Comparison.from_scores(Y, {"a": SMALL, "b": BIG})
    with pytest.raises(error, match=match):
        comparison.cascade(held.pop("first"), held.pop("then"), held.pop("condition"), **held)


def test_a_price_and_the_cases_are_needed():
    """Curves alone do not know which cases both models scored."""
    comparison = ic.Comparison.from_scores(Y, {"a": SMALL, "b": BIG})
    with pytest.raises(TypeError, match="cost_call"):
        comparison.cascade("a", "b", CREDIT)
    with pytest.raises(InputError, match="build it with from_scores, from_frame or from_joint_counts"):
        ic.Comparison(comparison.curves).cascade("a", "b", CREDIT, cost_call=0.1)
    named = ic.Comparison.from_scores(Y, {"cascade": SMALL, "b": BIG})
    with pytest.raises(InputError, match="two models are called 'cascade'"):
        named.cascade("cascade", "b", CREDIT, cost_call=0.1, n_resamples=2)


def test_the_result_travels():
    """A pickle is equal, and to_dict holds the sentences."""
    found = ic.Comparison.from_frame(
        pd.DataFrame({"y": Y, "a": SMALL, "b": BIG}), label="y", scores=["a", "b"]
    ).cascade("a", "b", CREDIT, cost_call=0.1)
    data = found.to_dict()
    assert data["text"] == str(found)
    assert json.loads(json.dumps(data, allow_nan=False)) == data

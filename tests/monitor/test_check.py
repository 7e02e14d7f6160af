import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, UnknownNameError
from isocost.monitor import Rule
from isocost.monitor.check import exact_limits
from oracles import deployment as oracle

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "deployment.json").read_text(encoding="utf-8"))
CREDIT = ic.Condition(1, 5, 0.3)
RATES = ("max_fpr", "min_tpr", "max_flagged", "min_precision")
costs = st.sampled_from([(1, 5, 0, 0), (2, 1, -1, 0), (3, 10, 1, -2), (1, 1, 0, 0)])


def condition(given):
    """Costs of fp, fn, tp and tn as a condition."""
    fp, fn, tp, tn = given
    return ic.Condition(fp, fn, 0.3, cost_tp=tp, cost_tn=tn)


@st.composite
def cases(draw):
    """Labels, scores in few steps, and another model's."""
    size = draw(st.integers(1, 40))
    rows = st.lists(st.integers(0, 4), min_size=size, max_size=size)
    return (
        np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size))),
        np.array(draw(rows)) / 4,
        np.array(draw(rows)) / 4,
    )


@pytest.fixture(scope="module")
def credit():
    """Labels and scores of the bundled predictions."""
    return load_german_credit_predictions()


def test_worked_values(credit):
    """Every limit of the worked example, to the last digits."""
    known = {item["limit"]: item for item in GOLDEN["check"]["items"]}
    found = ic.check(
        ("random_forest", 0.248605, CREDIT), *credit, versus=("naive_bayes", 0.0588),
        **{name: item["bound"] for name, item in known.items()}
    )  # fmt: skip
    for item in found.items:
        wanted = known[item.limit]
        assert [item.value, item.low, item.high] == pytest.approx(
            [wanted[key] for key in ("value", "low", "high")], rel=1e-10
        )
        assert (item.bound, item.verdict) == (wanted["bound"], wanted["verdict"])
    assert len(found.items) == len(known)
    assert (found.verdict, found.exit_code, found.cases, found.positives) == ("broken", 1, 1000, 300)


def test_worked_limits_of_shares():
    """Exact binomial limits, both sides."""
    for bound in GOLDEN["bounds"]:
        alpha = 1 - bound["sure"]
        assert exact_limits(bound["x"], bound["n"], alpha) == pytest.approx((bound["low"], bound["high"]), rel=1e-10)


@given(cases(), costs, st.sampled_from([0.5, 0.8, 0.95]))
def test_every_value_is_that_of_the_slow_oracle(sample, prices, sure):
    """Rates by binomial sums, costs and differences over all cells, whatever the cases."""
    y, scores, others = sample
    rule = ("a", 0.5, condition(prices))
    bounds = dict.fromkeys(RATES, 0.5) | {"max_cost": 400.0, "not_worse_than": 10.0}
    found = ic.check(rule, y, {"a": scores, "b": others}, versus=("b", 0.25), sure=sure, **bounds)
    for item in found.items:
        wanted = oracle.checked(y, scores >= 0.5, item.limit, costs=prices, alpha=1 - sure, other=others >= 0.25)
        assert [item.value, item.low, item.high] == pytest.approx(wanted, rel=1e-6, abs=1e-9, nan_ok=True)


@given(cases(), st.floats(0.01, 0.99))
def test_verdicts_follow_the_limits(sample, bound):
    """Kept if the one-sided limit is inside, broken if the other is outside, and never both."""
    y, scores, _ = sample
    found = ic.check(("a", 0.5), y, scores, **dict.fromkeys(RATES, bound))
    for item in found.items:
        least = item.limit.startswith("min")
        assert (item.verdict == "kept") == (item.low >= bound if least else item.high <= bound)
        assert (item.verdict == "broken") == (item.high < bound if least else item.low > bound)
    order = ["kept", "not certain", "broken"]
    assert found.verdict == max((item.verdict for item in found.items), key=order.index)
    assert found.exit_code == {"kept": 0, "broken": 1, "not certain": 3}[found.verdict]


@given(cases(), costs, st.floats(0.05, 0.95))
def test_stated_prevalence_weighs_the_classes(sample, prices, share):
    """Within-class rates at the cases' own prevalence give the same values; rates do not move, costs follow the share."""
    y, scores, others = sample
    y = np.r_[y, True, False]
    scores, others = np.r_[scores, 0.5, 0.25], np.r_[others, 0.25, 0.5]
    rule, columns = ("a", 0.5, condition(prices)), {"a": scores, "b": others}
    bounds = dict.fromkeys(RATES, 0.5) | {"max_cost": 400.0, "not_worse_than": 10.0}
    own, same, other = (
        {item.limit: item for item in ic.check(rule, y, columns, versus=("b", 0.25), prevalence=pi, **bounds).items}
        for pi in (None, float(y.mean()), share)
    )
    for name in bounds:
        assert same[name].value == pytest.approx(own[name].value, rel=1e-9, abs=1e-9)
    for name in ("max_fpr", "min_tpr"):
        assert other[name] == own[name]
    fpr, tpr = own["max_fpr"].value, own["min_tpr"].value
    flagged = share * tpr + (1 - share) * fpr
    assert other["max_flagged"].value == pytest.approx(flagged)
    assert other["min_precision"].value == pytest.approx(share * tpr / flagged)
    at = ic.Condition(prices[0], prices[1], share, cost_tp=prices[2], cost_tn=prices[3])
    assert other["max_cost"].value == pytest.approx(1000 * at.expected_cost(fpr, tpr))
    for item in other.values():
        assert item.low <= item.value + 1e-9
        assert item.value <= item.high + 1e-9


def test_cases_needed_reach_the_bound():
    """So many times the cases make the interval end at the bound, at the same value."""
    item = ic.check(("m", 1), [0] * 90 + [1] * 10, [1] * 40 + [0] * 50 + [1] * 10, max_fpr=0.5).items[0]
    assert item.cases_needed == math.ceil(100 * ((item.high - item.value) / (0.5 - item.value)) ** 2)
    assert ic.check(("m", 1), [0, 0], [1, 0], max_fpr=0.5).items[0].cases_needed is None


def test_limits_and_costs_of_a_decision_travel(credit):
    """Without limits those of the rule are checked, also beside a cost; a decision is its rule."""
    decision = ic.Comparison.from_scores(*credit).decide(CREDIT, max_fpr=0.4)
    assert [item.limit for item in ic.check(decision, *credit).items] == ["max_fpr"]
    found = ic.check(Rule.of(decision), *credit, max_cost=600)
    assert [item.limit for item in found.items] == ["max_fpr", "max_cost"]
    assert found.items[1].value == pytest.approx(decision.per_1000)
    assert [item.limit for item in ic.check(decision, *credit, min_tpr=0.5).items] == ["min_tpr"]


def test_reviews_count_with_what_they_bring(credit):
    """A band costs what the decision says, at the cases' own prevalence, and errs as its reviewers do."""
    decision = ic.Comparison.from_scores(*credit).decide(CREDIT, cost_review=0.3, reviewer_fpr=0.1, reviewer_tpr=0.9)
    found = {
        item.limit: item
        for item in ic.check(
            decision, *credit, max_cost=500, max_fpr=0.5, min_tpr=0.5, max_flagged=0.5, min_precision=0.2
        ).items
    }
    assert found["max_cost"].value == pytest.approx(1000 * decision.review.expected_cost)
    assert found["max_fpr"].value == pytest.approx(decision.review.fpr)
    assert found["min_tpr"].value == pytest.approx(decision.review.tpr)
    flagged = 0.3 * decision.review.tpr + 0.7 * decision.review.fpr
    assert found["max_flagged"].value == pytest.approx(flagged)
    assert found["min_precision"].value == pytest.approx(0.3 * decision.review.tpr / flagged)
    assert found["min_precision"].low < found["min_precision"].value < found["min_precision"].high


def test_area_is_judged_by_one_sided_limits_of_delong(credit):
    """The one-sided limit at 95 % is the end of the two-sided interval at 90 %."""
    y, scores = credit
    known = ic.delong(y, scores["random_forest"], level=0.9)
    item = ic.check(("random_forest", 0.25), y, scores, min_auc=known.low).items[0]
    assert (item.value, item.low, item.high) == pytest.approx((known.auc, known.low, known.high))
    assert ic.check(("random_forest", 0.25), y, scores, min_auc=known.low - 1e-6).verdict == "kept"
    assert ic.check(("random_forest", 0.25), y, scores, min_auc=known.low + 1e-6).verdict == "not certain"
    assert ic.check(("random_forest", 0.25), y, scores, min_auc=known.high + 1e-6).verdict == "broken"


def test_groups_are_judged_by_their_own_rules():
    """Each case by its group's threshold."""
    rule = Rule.by_group({"a": ("m", 0.5), "b": ("m", 0.2)})
    found = ic.check(rule, [0, 0, 1], [0.3, 0.3, 0.3], group=["a", "b", "b"], max_fpr=0.9, min_tpr=0.1)
    assert [item.value for item in found.items] == [0.5, 1.0]


def test_nothing_to_count_is_not_certain():
    """No positives, nobody flagged: unknown, with a note."""
    found = ic.check(("m", 1), [0, 0], [0, 0], min_tpr=0.5, min_precision=0.5, min_auc=0.5)
    assert {item.verdict for item in found.items} == {"not certain"}
    assert all(math.isnan(item.value) and (item.low, item.high) == (0, 1) for item in found.items)
    assert "no positives, so it is not known which share is caught" in str(found)
    assert ic.check(("m", 1), [1, 1], [1, 0], max_fpr=0.5).items[0].value != 0


def test_sentences_in_text_and_markdown(credit):
    """One line per limit; Markdown has the verdicts in bold, costs their unit."""
    rule = Rule.of(("random_forest", 0.248605, CREDIT))
    found = ic.check(
        rule, *credit, max_fpr=0.5, min_tpr=0.95, max_cost=560, versus=("naive_bayes", 0.0588), not_worse_than=40
    )
    assert found.sentences == (
        "random_forest ≥ 0.248605 on 1,000 cases, each with 95 % certainty:",
        "false alarms 44.6 % of negatives (at most 47.7 %): within 50 %, kept.",
        "caught 87.3 % of positives (at most 90.4 %): below 95 %, broken.",
        "cost 502 per 1000 (449 to 565): limit 560, not certain; about 1,200 cases would be enough to tell.",
        "against naive_bayes ≥ 0.0588: 14 less per 1000 (58 less to 34 more): at most 40 more allowed, kept.",
    )
    lines = found.to_markdown().splitlines()
    assert lines[0] == "**broken**: random_forest ≥ 0.248605 on 1,000 cases, each with 95 % certainty:"
    assert lines[2] == "- false alarms 44.6 % of negatives (at most 47.7 %): within 50 %, **kept**."


def test_worked_evaluation_on_the_other_half(credit):
    """Limits are judged there, and the best rule is the best within them, not the best of all."""
    y, scores = np.asarray(credit[0]), {name: np.asarray(values) for name, values in credit[1].items()}
    order = np.random.default_rng(0).permutation(1000)
    first, second = ((y[part], {name: s[part] for name, s in scores.items()}) for part in (order[:500], order[500:]))
    decision = ic.Comparison.from_scores(*first).decide(CREDIT, max_flagged=0.4)
    for found in (decision.evaluate_on(*second), ic.monitor.evaluate(decision, *second)):
        assert str(found).startswith(
            "Flags 44.8 % there (at least 41.1 %, with 95 % certainty): limit 40 %, broken. Cost 718 per 1000 (608 to 846); the best rule "
            "within the limits there would have cost 720."
        )
        assert [(item.limit, item.verdict) for item in found.limits] == [("max_flagged", "broken")]
    assert decision.evaluate_on(*second, sample_weight=np.ones(500)).limits == ()


@given(cases(), costs)
def test_an_evaluation_is_a_check_of_the_rules_own_limits(sample, prices):
    """Cost and limits are those of the gate, and no rule of the model is cheaper than the best."""
    y, scores, _ = sample
    y, scores = np.r_[y, True, False], np.r_[scores, 0.5, 0.25]
    rule = Rule("a", 0.5, costs=Rule.of(("a", 0.5, condition(prices))).costs, limits={"max_fpr": 0.5})
    found, gate = ic.monitor.evaluate(rule, y, scores), ic.check(rule, y, scores, max_cost=0.0)
    assert found.limits == gate.items[:1]
    assert (found.cost, found.low, found.high) == (gate.items[1].value, gate.items[1].low, gate.items[1].high)
    at = ic.Condition(prices[0], prices[1], float(y.mean()), cost_tp=prices[2], cost_tn=prices[3])
    rates = [((scores[~y] >= cut).mean(), (scores[y] >= cut).mean()) for cut in [*np.unique(scores), 2.0]]
    assert found.best_within == pytest.approx(1000 * min(at.expected_cost(*rate) for rate in rates if rate[0] <= 0.5))


@pytest.mark.parametrize("options", [{"max_fpr": 0.3}, {"cost_review": 0.3}, {"max_fpr": 0.107, "randomised": True}])
def test_a_pickled_decision_is_checked_as_before(credit, options, monkeypatch):
    """The cases stay behind, the rule with its limits, band or mix does not."""
    monkeypatch.setattr("isocost.monitor.rule._now", lambda: "2026-01-01T00:00:00+00:00")
    decision = ic.Comparison.from_scores(*credit).decide(CREDIT, **options)
    known = pickle.loads(pickle.dumps(decision))
    assert ic.check(known, *credit, max_cost=500) == ic.check(decision, *credit, max_cost=500)
    assert Rule.of(known).reference == Rule.of(decision).reference
    assert Rule.of(pickle.loads(pickle.dumps(known))) == Rule.of(known)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_fpr": None}, "there is no limit to check: pass max_fpr="),
        ({"max_fpr": 5}, "max_fpr must be between 0 and 1"),
        ({"sure": 0.4}, r"sure must be at least 0.5 and below 1, got 0.4"),
        ({"sure": 1}, "sure must be at least 0.5"),
        ({"not_worse_than": 3}, "not_worse_than= compares with the rule in use: pass it as versus="),
        ({"y": [0, 1, 2]}, "y must be 0, 1 or missing, got 2: 1 of 3 rows, the first is row 3 .*; compare with the label"),
        ({"y": [0, 1]}, "different lengths"),
        ({"scores": [0.1, math.nan, 0.3]}, "is missing in"),
        ({"prevalence": 3}, "prevalence must be between 0 and 1"),
        ({"group": [1, 1, 1]}, "group= goes with a rule for each group"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(change, message):
    """Each message names the argument."""
    given = {"y": [0, 1, 1], "scores": [0.1, 0.2, 0.3], "max_fpr": 0.5} | change
    y, scores = given.pop("y"), given.pop("scores")
    with pytest.raises(ic.IsocostError, match=message):
        ic.check(("m", 0.2), y, scores, **given)


def test_missing_columns_and_costs_are_named():
    """The model, and the way to give costs."""
    with pytest.raises(UnknownNameError, match="column of the rule's model 'm'"):
        ic.check(("m", 0.2), [0, 1], {"n": [0.1, 0.2]}, max_fpr=0.5)
    with pytest.raises(ConditionError, match="the rule has no costs to check"):
        ic.check(("m", 0.2), [0, 1], [0.1, 0.2], max_cost=5)

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.data.cases import Cases
from isocost.datasets import load_german_credit_predictions
from isocost.decide.decision import decide, table_of
from isocost.decide.question import Question
from isocost.errors import InfeasibleError, InputError
from isocost.inference.confidence import assured, tell
from isocost.inference.draws import draw_cases, pack

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "certainty.json").read_text(encoding="utf-8"))
CREDIT = load_german_credit_predictions()


def answer(y, scores, condition=None, *, cluster=None, assure=None, **given):
    """Return a decision with how sure it is."""
    rows = Cases.from_scores(y, scores, None, None, None, cluster=cluster)
    curves = [ic.RocCurve.from_scores(y, score, name=name) for name, score in scores.items()]
    question = Question.of(condition, own_prevalence=curves[0].prevalence, **given)
    return assured(decide(curves, question), curves, rows, **(assure or {"n_resamples": 60}))


@pytest.mark.parametrize("case", GOLDEN["german_credit"], ids=lambda c: f"{c['asked']}-{c['n_resamples']}")
def test_the_decision_holds_the_numbers_of_the_reference(case):
    """Price, interval, grade, alternatives and the saving, in the fields of the decision."""
    question, wanted = case["asked"], case["result"]
    costs = {k: v for k, v in question.items() if k not in ("current", "limits")}
    current = tuple(question["current"]) if "current" in question else None
    found = answer(
        *CREDIT, ic.Condition(**costs), current=current, **question.get("limits", {}),
        assure={"n_resamples": case["n_resamples"], "rng": case["seed"]},
    )  # fmt: skip
    sure = found.confidence
    assert (found.model, found.threshold) == (wanted["model"], wanted["threshold"])
    assert found.expected_cost == pytest.approx(wanted["cost_here"], abs=1e-9)
    assert (sure.price, *sure.interval) == pytest.approx((wanted["price"], *wanted["interval"]), abs=1e-9)
    assert (sure.grade, sure.pays, sure.labels.enough) == (wanted["grade"], wanted["pays"], wanted["more_labels"])
    assert sure.limits_hold == pytest.approx(wanted["limits_hold"])
    for other in found.alternatives:
        assert (other.extra_cost, *other.extra_interval) == pytest.approx(wanted["extras"][other.model], abs=1e-9)
    if current:
        now = found.current
        assert (now.saving, *now.saving_interval) == pytest.approx(wanted["saving"], abs=1e-9)


@st.composite
def questions(draw):
    """Small data and a question of every kind."""
    size = draw(st.integers(6, 14))
    y = np.array([0, 1] * (size // 2) + [0] * (size % 2))
    levels = draw(st.sampled_from([4, 30]))
    scores = {
        name: np.array(draw(st.lists(st.integers(0, levels), min_size=size, max_size=size))) / levels
        for name in "abc"[: draw(st.integers(1, 3))]
    }
    kind = draw(
        st.sampled_from(
            ["plain", "limits", "mixed", "worst", "worst_mixed", "review", "reviewed", "score", "rate", "fixed"]
        )
    )
    value = st.sampled_from([0.15, 0.3, 0.55, 0.8])
    costs = {
        "cost_fp": 1.0,
        "cost_fn": draw(st.sampled_from([1.0, 2.0, 5.0])),
        "prevalence": draw(st.sampled_from([0.2, 0.5])),
    }
    ranges = ic.Conditions.from_costs(cost_fn=(1, 6), prevalence=0.4)
    limits = {draw(st.sampled_from(["max_fpr", "min_tpr", "max_flagged", "min_precision"])): draw(value)}
    options = {
        "plain": {}, "limits": limits, "mixed": limits | {"randomised": True}, "worst": {"worst_case": True},
        "worst_mixed": {"worst_case": True, "randomised": True}, "review": {"cost_review": draw(value), "reviewer_fpr": 0.1},
        "reviewed": {"cost_review": draw(value), "max_reviewed": draw(value), "reviewer_tpr": 0.9}, "score": {"method": "score_driven"},
        "rate": {"method": "rate_driven"}, "fixed": {"method": "fixed", "threshold": draw(value)},
    }  # fmt: skip
    return y, scores, ranges if kind.startswith("worst") else ic.Condition(**costs), options[kind]


@settings(max_examples=150)
@given(questions())
def test_what_is_redone_on_the_draws_is_the_decision_itself(question):
    """On the data the procedure chooses what the engine decides, for every kind of question."""
    y, scores, condition, given = question
    curves = [ic.RocCurve.from_scores(y, score, name=name) for name, score in scores.items()]
    asked = Question.of(condition, own_prevalence=curves[0].prevalence, **given)
    try:
        decision = decide(curves, asked)
    except InfeasibleError:
        assume(condition=False)
    stories, _ = tell(draw_cases(Cases.from_scores(y, scores, None, None, None), 5, 0), asked)
    here = stories[-1]
    assert asked.weights[2] + float(asked.amount(*here.here)) == pytest.approx(decision.expected_cost, abs=1e-12)
    assert (here.here[0], here.here[1]) == pytest.approx((decision.fpr, decision.tpr), abs=1e-12)
    for name, story in zip(scores, stories, strict=False):
        for other in decision.alternatives:
            if other.model == name and other.rule not in ("none", "nobody", "everybody") and asked.method != "best":
                assert asked.weights[2] + float(asked.amount(*story.here)) == pytest.approx(
                    other.expected_cost, abs=1e-12
                )


def test_a_decision_on_noise_becomes_the_trivial_rule():
    """No model pays: its price is exact, and the model is an alternative."""
    rng = np.random.default_rng(0)
    y = np.arange(200) < 100
    found = answer(y, {"a": rng.normal(size=200), "b": rng.normal(size=200)}, ic.Condition(1, 3, 0.5))
    assert (found.model, found.rule, found.expected_cost) == ("always-positive", "everybody", 0.5)
    assert found.confidence.price == 0.5
    assert {a.model for a in found.alternatives} == {"a", "b", "always-negative"}
    assert "No model is worth using" in str(found)


def test_the_confidence_is_said_in_sentences():
    """Price, grade, next best, labels and the rule in use."""
    text = str(answer(*CREDIT, ic.Condition(1, 5, 0.3), current=("random_forest", 0.3115), assure={"n_resamples": 200}))
    for part in (
        "Expect a cost of about 536 per 1000 new cases (90 % interval 475 to 589)",
        "Leaning: naive_bayes may be up to 50",
        "more labelled cases would settle it to within",
        "Changing saves about 35 per 1000 (90 % interval −27 to 89",
    ):
        assert part in text


def test_a_limit_says_how_likely_it_holds_and_which_rule_is_surer():
    """Below 90 % the rule of sure=0.9 is named, or how many cases it needs."""
    y, scores = CREDIT
    one = {"random_forest": scores["random_forest"]}
    found = answer(y, one, ic.Condition(1, 5, 0.3), max_fpr=0.1)
    assert found.confidence.limits_hold["max_fpr"] < 0.9
    assert found.confidence.surer["choice"]["threshold"] == 0.471805
    assert "To be 90 % sure" in str(found)
    rare = answer(y, one, ic.Condition(1, 5, 0.3), max_fpr=0.002)
    assert (rare.confidence.surer["needs"], rare.confidence.surer["class"]) == (1151, "negatives")
    # Three models share what may fail: ln(0.1/3)/ln(1 - 0.002).
    assert answer(y, scores, ic.Condition(1, 5, 0.3), max_fpr=0.002).confidence.surer["needs"] == 1699


def test_a_rule_that_is_sure_holds_its_limit_in_most_draws():
    """The chance is that of the limit that was given, not of the tighter one."""
    y, scores = CREDIT
    found = answer(y, {"random_forest": scores["random_forest"]}, ic.Condition(1, 5, 0.3), max_fpr=0.1, sure=0.9)
    assert found.threshold == 0.471805
    assert found.confidence.limits_hold["max_fpr"] == 0.9
    assert found.confidence.surer is None
    modest = answer(y, {"random_forest": scores["random_forest"]}, ic.Condition(1, 5, 0.3), max_fpr=0.1, sure=0.7)
    assert 0.7 <= modest.confidence.limits_hold["max_fpr"] < 0.9


def test_one_chance_is_named_where_limits_are_sure():
    """A handful of draws cannot make a limit less likely than it is proved to be, nor a grade doubtful for it."""
    rng, seen = np.random.default_rng(1), 0
    for _ in range(40):
        y = np.arange(160) < 60
        scores = {"a": 2 * y + rng.normal(size=160)}
        plain = {"max_fpr": 0.3, "assure": {"n_resamples": 5}}
        found = answer(y, scores, ic.Condition(1, 5, 0.4), sure=0.9, **plain)
        assert found.confidence.limits_hold["max_fpr"] >= 0.9
        assert "chance" not in str(found)
        if found.confidence.worst_loss <= found.confidence.good_enough:
            assert found.confidence.grade == "clear"
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("given", [{"cluster": np.arange(1000) // 2}, {"sample_weight": np.full(1000, 2)}])
def test_clusters_and_weights_cannot_be_sure(given):
    """A certificate counts independent cases, each of them once."""
    comparison = ic.Comparison.from_scores(*CREDIT, **given)
    with pytest.raises(InputError, match="of the cases: sure= counts independent cases, each of them once"):
        comparison.decide(ic.Condition(1, 5, 0.3), max_fpr=0.3, sure=0.9)
    assert comparison.decide(ic.Condition(1, 5, 0.3), max_fpr=0.2, n_resamples=20).confidence.surer is None


def test_cases_pasted_many_times_are_never_clear_until_answered():
    """A caution caps the grade; the user's word, or clusters, lift it."""
    y, scores = np.asarray(CREDIT[0])[::10], {"a": CREDIT[1]["random_forest"][::10]}
    copies = np.tile(np.arange(len(y)), 20)
    pasted, condition = (y[copies], {"a": scores["a"][copies]}), ic.Condition(1, 2, 0.3)
    doubted = answer(*pasted, condition)
    assert [c.key for c in doubted.confidence.cautions] == ["duplicates"]
    assert doubted.confidence.grade == "leaning"
    assert answer(*pasted, condition, assure={"independent": True, "n_resamples": 60}).confidence.grade == "clear"
    clustered = answer(*pasted, condition, cluster=copies)
    assert clustered.confidence.cautions == ()
    assert clustered.confidence.price == pytest.approx(answer(y, scores, condition).confidence.price)


def test_a_page_prices_from_the_draws_it_gets():
    """The same draws, packed, give the same decision at any condition."""
    y, scores = CREDIT
    draws = pack(draw_cases(Cases.from_scores(y, scores, None, None, None), 60, 0))
    for ratio in (1, 3, 8):
        found, again = (
            answer(y, scores, ic.Condition(1, ratio, 0.3), assure=how)
            for how in ({"n_resamples": 60}, {"draws": draws})
        )
        assert found.to_dict() == again.to_dict()


def test_without_rows_nothing_is_added_but_why():
    """Curves alone cannot be drawn from."""
    curve = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    decision = decide([curve], Question.of(ic.Condition(1, 2, 0.4)))
    found = assured(decision, [curve], None)
    assert (found.choice, found.confidence.withheld, found.confidence.price) == (decision.choice, "no_cases", None)


def test_good_enough_is_given_per_1000_cases():
    """What does not matter to the user decides the grade."""
    plain, modest = (
        answer(*CREDIT, ic.Condition(1, 5, 0.3), good_enough=much, assure={"n_resamples": 200}) for much in (None, 100)
    )
    assert plain.confidence.grade == "leaning"
    assert modest.confidence.grade == "clear"
    assert modest.confidence.good_enough == 0.1
    assert replace(modest.confidence, grade=None).to_dict()["cases"] == 1000


def test_a_fixed_rule_on_other_cases_is_drawn_as_it_is():
    """The four numbers of a single threshold are those of its rates on plain resamples."""
    y, scores = np.asarray(CREDIT[0]), {"a": CREDIT[1]["random_forest"]}
    draws = draw_cases(Cases.from_scores(y, scores, None, None, None), 20, 0)
    question = Question.of(ic.Condition(1, 5, 0.3))
    _, (kept,) = tell(draws, question, fixed=[(0, 0.3)])
    hit = scores["a"] >= 0.3
    for b in range(20):
        times = draws.times[b].astype(float)
        fpr, tpr = (np.sum(times * hit * (y == side)) / np.sum(times * (y == side)) for side in (0, 1))
        assert kept.priced(question)[2][b] == pytest.approx(0.7 * fpr + 1.5 * (1 - tpr))
    assert kept.priced(question)[0] == kept.priced(question)[1]


def random_question(seed):
    """Return a comparison of some models and a condition, all of them by chance."""
    rng = np.random.default_rng([77, seed])
    n, many = int(np.exp(rng.uniform(np.log(80), np.log(1500)))), int(rng.integers(1, 5))
    y = np.arange(n) < max(8, rng.uniform(0.1, 0.5) * n)
    shared = rng.normal(size=n)
    scores = {f"m{i}": 0.7 * (shared + rng.normal(size=n)) + rng.uniform(0.2, 2.2) * y for i in range(many)}
    condition = ic.Condition(1, float(np.exp(rng.uniform(-1, 2.5))), float(rng.uniform(0.1, 0.5)))
    return ic.Comparison.from_scores(y, scores), condition


def test_two_seeds_give_the_same_grade():
    """Where 200 draws cannot tell on which side of a border the bound lies, 1000 are taken."""
    differ = 0
    for i in range(25):
        comparison, condition = random_question(i)
        first, second = (comparison.decide(condition, n_resamples="auto", rng=seed).confidence for seed in (0, 1))
        differ += first.grade != second.grade
    assert differ <= 1


def test_table_shows_what_others_cost_more_as_an_interval():
    """An estimate of the difference alone would look surer than it is."""
    comparison, condition = random_question(3)
    decision = comparison.decide(condition, n_resamples=50)
    heads, rows = table_of(decision.to_dict())
    assert heads[-1] == "more on new cases (90 %)"
    assert rows[0][-1] == "–"
    assert all(" to " in row[-1] for row in rows[1:])
    heads, rows = table_of(comparison.decide(condition).to_dict())
    assert (heads[-1], len(rows[0])) == ("per 1000", len(heads))

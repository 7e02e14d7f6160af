import itertools
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError, UnknownNameError
from oracles import ask as oracle

WORKED = json.loads((Path(__file__).parents[1] / "golden" / "ask.json").read_text(encoding="utf-8"))
LOGNORMAL = stats.lognorm(s=0.8, scale=6)


def credit(*names):
    """The bundled models, or some of them."""
    y, scores = load_german_credit_predictions()
    return ic.Comparison.from_scores(y, {name: scores[name] for name in names or scores})


@pytest.mark.parametrize("case", WORKED["cases"], ids=lambda case: case["name"])
def test_small_cases_are_those_of_exact_arithmetic(case):
    """What to ask, what it is worth, and what one and two questions leave."""
    held, expected = case["inputs"], case["expected"]
    costs = {name: tuple(value) if isinstance(value, list) else value for name, value in held["conditions"].items()}
    comparison, over = ic.Comparison.from_scores(held["labels"], held["scores"]), ic.Conditions.from_costs(**costs)
    found = comparison.ask(over)
    assert found.about == expected["about"]
    for name in ("worth", "regret_now", "regret_after"):
        assert getattr(found, name) == pytest.approx(expected[name]["value"], rel=1e-12, abs=1e-15)
    two = comparison.ask(over, questions=2).regret_after
    assert two == pytest.approx(expected["regret_with_two_questions"]["value"], abs=1e-15)
    if expected["at_any_of"]:
        assert any(found.at == pytest.approx(value["value"]) for value in expected["at_any_of"])
    else:
        assert (found.at, found.cuts, found.chance_more) == (None, (), None)
        assert (found.less, found.more, found.if_less, found.if_more) == (None,) * 4


@pytest.mark.parametrize("case", WORKED["german_credit"], ids=lambda case: f"{len(case['models'])} {case['cost_fn']}")
def test_questions_about_the_credit_models_are_worked_out(case):
    """One question and three, of one model and of all."""
    over = ic.Conditions.from_costs(1, tuple(case["cost_fn"]), case["prevalence"])
    comparison = credit(*case["models"])
    found = comparison.ask(over)
    three = comparison.ask(over, questions=3).regret_by_questions
    assert three == pytest.approx(case["regret_by_questions"], abs=1e-14)
    assert found.worth == pytest.approx(case["worth"], abs=1e-14)
    if case["at"] is None:
        assert found.at is None
        return
    assert (found.at, found.chance_more) == pytest.approx((case["at"], case["chance_more"]), rel=1e-12)
    for name in ("if_less", "if_more"):
        decision = getattr(found, name)
        assert {"model": decision.model, "threshold": decision.threshold} == case[name]


def test_of_several_quantities_the_one_worth_most_is_asked_about():
    """The others are listed with what they would be worth; `about` takes another."""
    over = ic.Conditions.from_costs(1, (1, 20), (0.1, 0.5))
    found = credit().ask(over)
    assert (found.about, round(1000 * found.worth, 4)) == ("cost_fn", 27.2401)
    assert {name: round(1000 * worth, 4) for name, worth in found.others.items()} == {"prevalence": 23.3353}
    other = credit().ask(over, about="prevalence")
    assert (other.about, other.others, round(1000 * other.worth, 4)) == ("prevalence", {}, 23.3353)


def test_a_belief_without_an_upper_end_is_asked_about_exactly():
    """A lognormal belief; the narrowed beliefs have the conditional means, to all digits and without a warning."""
    over = ic.Conditions.from_beliefs(cost_fn=LOGNORMAL, prevalence=0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = credit().ask(over)
        again = credit().ask(found.more)
    assert [round(1000 * x, 4) for x in (found.worth, found.regret_now, found.regret_after)] == [
        51.5885,
        65.4022,
        13.8137,
    ]
    assert found.chance_more == pytest.approx(float(LOGNORMAL.sf(found.at)))
    below = LOGNORMAL.expect(lambda x: x, lb=0, ub=found.at) / LOGNORMAL.cdf(found.at)
    assert found.less.means.cost_fn == pytest.approx(below, rel=1e-9)
    whole = found.chance_more * found.more.means.cost_fn + (1 - found.chance_more) * found.less.means.cost_fn
    assert whole == pytest.approx(float(LOGNORMAL.mean()), rel=1e-9)
    assert again.at > found.at


def test_a_belief_with_steps_counts_a_value_at_the_question_as_more():
    """Equally likely draws: 3, 6 and 9 of a question at 6."""
    belief = stats.rv_discrete(values=([3, 6, 9], [1 / 3] * 3))()
    found = ic.Comparison.from_scores([1, 0, 1, 0], {"a": [4, 3, 2, 1]}).ask(
        ic.Conditions.from_beliefs(cost_fn=belief, cost_fp=6, prevalence=0.5)
    )
    assert found.at == 6
    assert found.chance_more == pytest.approx(2 / 3, abs=1e-3)
    assert found.less.means.cost_fn == 3
    assert found.more.means.cost_fn == pytest.approx(7.5, abs=0.01)


@settings(max_examples=40)
@given(st.data())
def test_no_plan_of_questions_leaves_less(data):
    """Every set of exchange rates of up to seven cases, for each quantity, in fractions."""
    n = data.draw(st.integers(2, 7))
    labels = [1, 0, *data.draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    column = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    scores = {"a": data.draw(column), "b": data.draw(column)}
    about = data.draw(st.sampled_from(["cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn"]))
    held = {"cost_fp": 2, "cost_fn": 5, "prevalence": 0.375, "cost_tp": 0.5, "cost_tn": 0.25}
    low, high = {"prevalence": (0.125, 0.75), "cost_tp": (-2, 1), "cost_tn": (-1, 1)}.get(about, (1, 12))
    over = ic.Conditions.from_costs(**(held | {about: (low, high)}))
    found = ic.Comparison.from_scores(labels, scores).ask(over, questions=2)
    expected = oracle.regrets(oracle.lines(labels, scores, held, about), low, high, 2)
    assert found.regret_by_questions == pytest.approx([float(x) for x in expected], abs=1e-13)
    assert len(found.cuts) <= 3
    assert list(found.cuts) == sorted(found.cuts)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.floats(1, 5), st.floats(6, 40))
def test_the_worth_is_what_two_decisions_save(seed, low, high):
    """Decide now, or after the answer: the difference of expected costs is the worth, and no value of a grid is worth more."""
    r = np.random.default_rng(seed)
    y = np.arange(60) < 20
    comparison = ic.Comparison.from_scores(y, {"a": r.normal(size=60) + y, "b": (r.normal(size=60) + 1.5 * y).round(1)})
    found = comparison.ask(ic.Conditions.from_costs(1, (low, high), 0.3))

    def saved(at):
        parts = ic.Conditions.from_costs(1, (low, at), 0.3), ic.Conditions.from_costs(1, (at, high), 0.3)
        share = (at - low) / (high - low)
        costs = [comparison.decide(part).expected_cost for part in parts]
        return found.now.expected_cost - share * costs[0] - (1 - share) * costs[1]

    assert max(saved(at) for at in np.linspace(low, high, 8)[1:-1]) <= found.worth + 1e-12
    if found.at is not None:
        assert saved(found.at) == pytest.approx(found.worth, abs=1e-12)
    regrets = comparison.ask(ic.Conditions.from_costs(1, (low, high), 0.3), questions=4).regret_by_questions
    assert all(one >= other >= 0 for one, other in itertools.pairwise(regrets))


def test_asking_on_narrows_the_range():
    """The next question lies inside what the answer left; the middle of a plan is asked first."""
    found = credit().ask(ic.Conditions.from_costs(1, (1, 20), 0.3), questions=3)
    assert found.at == found.cuts[len(found.cuts) // 2]
    assert found.more.quantities["cost_fn"].low == found.at
    again = credit().ask(found.less, questions=2)
    assert again.cuts == pytest.approx(found.cuts[: len(found.cuts) // 2])


def test_sentences_put_the_question_as_a_choice():
    """An exchange where there is one; what each answer means; what it is worth."""
    found = credit().ask(ic.Conditions.from_costs(1, (1, 20), 0.3))
    assert str(found) == (
        "Is a miss worth more than 6.69 false alarms? In other words: would you take 214 more false alarms per 1000 cases to catch 32 "
        "more positives? If yes, use random_forest and flag cases with score ≥ 0.127; if no, use random_forest and flag cases with "
        "score ≥ 0.2486. The answer is worth 27.2 per 1000 cases; to know the cost exactly would be worth 6.65 more."
    )
    assert found.to_dict()["text"] == str(found)
    assert [row["rule"] for row in found.answers] == ["score ≥ 0.127", "score ≥ 0.2486"]
    assert [row["false_alarms"] for row in found.answers] == pytest.approx([526, 312])


def test_the_answers_are_a_table():
    """One row per answer, with the columns of `answers`."""
    pytest.importorskip("pandas")
    found = credit().ask(ic.Conditions.from_costs(cost_fp=1, cost_fn=(1, 20), prevalence=0.3))
    assert found.to_frame()["false_alarms"].tolist() == pytest.approx([526, 312])


@pytest.mark.parametrize(
    ("conditions", "options", "parts"),
    [
        ({"cost_fn": (4, 5.5)}, {}, ["score ≥ 0.2486, is the cheapest rule whatever a miss costs between 4 and 5.5."]),
        ({"cost_fn": (4, 6)}, {"unit": "€"}, ["worth €0.0625 per 1000 cases; nothing more needs to be known."]),
        ({"cost_fn": (1, 20)}, {"questions": 3}, ["are worth 33.8 per 1000 cases. Three questions would leave 0.103 per 1000 cases."]),
        ({"cost_fp": (1, 3), "cost_fn": 5}, {"unit": "€"}, ["Does a false alarm cost more than €1.99?"]),
        ({"cost_fn": 5, "prevalence": (0.1, 0.5)}, {}, ["Are more than", "of the cases positive?", "to know the share exactly"]),
        ({"cost_fp": 2, "cost_fn": (5, 20), "cost_tp": (-3, 1)}, {"about": "cost_tp"}, ["Does a catch cost more than −"]),
        ({"cost_fn": 20, "cost_fp": 5, "cost_tn": (-9, 4)}, {}, ["Does a correct rejection cost more than"]),
        ({"cost_fn": (4.2, 4.3), "prevalence": (0.29, 0.3)}, {}, ["loses nothing on average, whichever of the uncertain quantities"]),
        ({"cost_fn": 5, "prevalence": (0.29, 0.3)}, {}, ["is the cheapest rule whatever share of cases from 29 % to 30 % are positives."]),
        ({"cost_fp": 0, "cost_fn": (1, 2)}, {}, ["You need not know more: flagging everybody is the cheapest rule"]),
    ],
)  # fmt: skip
def test_every_kind_of_question_has_its_words(conditions, options, parts):
    """Costs of errors and of correct answers, the share of positives, and nothing to ask."""
    text = str(credit().ask(ic.Conditions.from_costs(**({"prevalence": 0.3} | conditions)), **options))
    assert [part for part in parts if part not in text] == [], text


@pytest.mark.parametrize(
    ("condition", "options", "error", "match"),
    [
        (ic.Condition(1, 5, 0.3), {}, ConditionError, r"so there is nothing to ask; give a range such as cost_fn=\(1, 20\)"),
        (ic.Conditions.from_costs(1, (5, 5), 0.3), {}, ConditionError, "nothing is uncertain"),
        (None, {}, ConditionError, "nothing is uncertain"),
        (7, {}, ConditionError, "condition must be a Condition or Conditions, .* got 7"),
        (ic.Conditions.uniform(t=(0.2, 0.4)), {}, ConditionError, "use Conditions.from_costs or Conditions.from_beliefs"),
        (ic.Conditions.from_costs(1, (1, 9), 0.3), {"about": "cost"}, UnknownNameError, "unknown uncertain quantity 'cost'"),
        (ic.Conditions.from_costs(1, (1, 9), 0.3), {"about": "cost_fp"}, UnknownNameError, "quantity 'cost_fp': did you mean 'cost_fn'"),
        (ic.Conditions.from_costs(1, (1, 9), 0.3), {"questions": 0}, InputError, "questions must be between 1 and 6, got 0"),
        (ic.Conditions.from_costs(1, (1, 9), 0.3), {"questions": 1.5}, InputError, "questions must be a whole number, got 1.5"),
        (ic.Conditions.from_costs(1, (1, 9), 0.3), {"unit": 1}, InputError, "unit must be text"),
        (ic.Conditions.from_beliefs(cost_fn=stats.halfcauchy()), {}, ConditionError, "cost_fn has no finite mean"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_name(condition, options, error, match):
    """Each message names the argument, the value, and what to do."""
    comparison = ic.Comparison.from_scores([1, 0, 1, 0], {"a": [4, 3, 2, 1]})
    with pytest.raises(error, match=match):
        comparison.ask(condition, **options)

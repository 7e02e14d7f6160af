"""Laws of the one engine over random data and random questions, against every rule tried and linear programmes."""

import json
import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.decide.decision import decide, evaluate, with_confidence
from isocost.decide.question import Question
from isocost.decide.say import speaker
from isocost.errors import InfeasibleError, InputError
from oracles import rules as oracle

NAMES = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")
few = settings(max_examples=60, deadline=None)
share = st.integers(1, 19).map(lambda n: Fraction(n, 20))
limits = st.dictionaries(st.sampled_from(["max_flagged", "min_precision", "max_fpr", "min_tpr"]), share, max_size=3)
costs = st.fixed_dictionaries(
    {
        "cost_fp": st.integers(1, 6).map(Fraction),
        "cost_fn": st.integers(1, 12).map(Fraction),
        "prevalence": share,
        "cost_tp": st.sampled_from([Fraction(0), Fraction(-1), Fraction(1, 2)]),
        "cost_tn": st.sampled_from([Fraction(0), Fraction(-1, 2)]),
    }
)


@st.composite
def cases(draw, most=3):
    """Labels with both classes, and scores of one to three models with ties."""
    n = draw(st.integers(4, 14))
    y = [0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    many = draw(st.integers(1, most))
    score = st.lists(st.integers(0, 7).map(lambda s: s / 8), min_size=n, max_size=n)
    return y, {f"m{k}": draw(score) for k in range(many)}


def curves_of(data):
    """Return the models' curves."""
    y, scores = data
    return [ic.RocCurve.from_scores(y, score, name=name) for name, score in scores.items()]


def condition_of(at):
    """Return exact numbers as a condition."""
    return ic.Condition(**{name: float(value) for name, value in at.items()})


def asked(at, given_limits=None, **options):
    """Return a question."""
    return Question.of(condition_of(at), **{k: float(v) for k, v in (given_limits or {}).items()}, **options)


def answered(data, question):
    """Return the decision, or None if no rule keeps the limits."""
    try:
        return decide(curves_of(data), question)
    except InfeasibleError:
        return None


@few
@given(cases(), costs, limits)
def test_the_cheapest_within_limits_is_that_of_trying_every_rule(data, at, given_limits):
    """Cost, model and rates: the first of equal rules in the order of the table."""
    wanted, found = oracle.best(*data, at, given_limits), answered(data, asked(at, given_limits))
    assert (wanted is None) == (found is None)
    if wanted is not None:
        assert found.expected_cost == pytest.approx(float(wanted[0][0]), abs=1e-12)
        assert (found.model, found.fpr, found.tpr) == (wanted[1], float(wanted[2]), float(wanted[3]))


@few
@given(cases(), costs, limits)
def test_a_limit_that_binds_nothing_changes_nothing(data, at, given_limits):
    """Drift included: at most all are flagged, and at least none are caught."""
    plain = answered(data, asked(at, given_limits))
    loose = answered(data, asked(at, {"max_flagged": 1, "max_fpr": 1, "min_tpr": 0} | given_limits))
    assume(plain is not None)
    assert loose is not None
    one, other = plain.to_dict(), loose.to_dict()
    for name in ("model", "threshold", "expected_cost", "alternatives", "tied", "warnings"):
        assert one[name] == other[name]
    for name in ("model_drift", "threshold_drift"):
        for part, ends in one[name].items():
            assert [float(end) for end in other[name][part]] == pytest.approx(
                [float(end) for end in ends], rel=1e-6, abs=1e-8
            )


@few
@given(cases(most=2), costs, limits)
def test_ties_go_by_the_order_of_the_table_on_every_path(data, at, given_limits):
    """A copy of a model is never chosen or listed before it, and no score rule before a trivial one that does the same."""
    y, scores = data
    doubled = y, scores | {f"{name}'": list(own) for name, own in scores.items()}
    paths = (
        {}, given_limits, {"max_fpr": 1.0}, {"cost_review": 1e6}, {"worst_case": True}, {"randomised": True} | given_limits,
        {"method": "rate_driven"}, {"method": "fixed", "threshold": 0.5}, {"current": ("m0'", 0.5)},
    )  # fmt: skip
    for options in paths:
        own = {name: float(value) if isinstance(value, Fraction) else value for name, value in options.items()}
        found = answered(doubled, Question.of(condition_of(at), **own))
        if found is None:
            continue
        parts = [part for part in (found, found.one, found.other) if part is not None and part.model is not None]
        assert not any(part.model.endswith("'") for part in parts)
        assert found.rule != "score" or 0 < found.fpr + found.tpr < 2 or "method" in options
        names = [each.model for each in found.alternatives]
        assert all(names.index(name) < names.index(f"{name}'") for name in scores if name in names)


@few
@given(cases(), costs, limits, st.floats(0, 1))
def test_naming_the_rule_in_use_changes_nothing_else(data, at, given_limits, cut):
    """Only `current`, its sentence and the headline."""
    plain, named = answered(data, asked(at, given_limits)), answered(data, asked(at, given_limits, current=("m0", cut)))
    assume(plain is not None)
    one, other = plain.to_dict(), named.to_dict()
    for answer in (one, other):
        answer["question"].pop("current")
        answer.pop("current")
        answer.pop("text")
        for key in ("current", "headline"):
            answer["says"].pop(key)
    assert one == other


@few
@given(cases(), costs, limits)
def test_asked_again_the_question_gives_the_same_decision(data, at, given_limits):
    """Also after a pickle."""
    found = answered(data, asked(at, given_limits))
    assume(found is not None)
    again = decide(curves_of(data), pickle.loads(pickle.dumps(found.question)))
    assert again == found
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()


@few
@given(
    cases(),
    costs,
    limits,
    st.sampled_from(["plain", "limits", "reviews", "mix", "score_driven", "rate_driven", "fixed"]),
)
def test_evaluated_on_the_same_cases_it_costs_the_same_and_nothing_is_regretted(data, at, given_limits, kind):
    """Whatever the limits, method, mixture or review."""
    options = {
        "plain": {}, "limits": given_limits, "reviews": {"cost_review": 0.3, "max_reviewed": 0.4, "reviewer_tpr": 0.9},
        "mix": given_limits | {"randomised": True}, "score_driven": {"method": "score_driven"}, "rate_driven": {"method": "rate_driven"},
        "fixed": {"method": "fixed", "threshold": 0.5},
    }[kind]  # fmt: skip
    found = answered(data, asked(at, {}, **{k: float(v) if isinstance(v, Fraction) else v for k, v in options.items()}))
    assume(found is not None)
    there = evaluate(found, curves_of(data))
    assert there.expected_cost == pytest.approx(found.expected_cost, abs=1e-12)
    assert there.regret == pytest.approx(0.0, abs=1e-12)
    y, scores = data
    assert found.evaluate_on(y, scores).expected_cost == there.expected_cost


@few
@given(cases(most=1), costs, limits, st.sampled_from(["limits", "reviews", "mix", "rate_driven", "fixed"]))
def test_watched_on_its_own_cases_with_all_labels_no_rule_within_the_limits_saves_anything(
    data, at, given_limits, kind
):
    """At their own prevalence, under every limit, method, mixture and review: what is watched costs what was decided."""
    y, scores = data
    at = at | {"prevalence": Fraction(sum(y), len(y))}
    options = {
        "limits": given_limits, "reviews": {"cost_review": 0.3, "max_reviewed": 0.4}, "mix": given_limits | {"randomised": True},
        "rate_driven": {"method": "rate_driven"}, "fixed": {"method": "fixed", "threshold": 0.5},
    }[kind]  # fmt: skip
    own = {name: float(value) if isinstance(value, Fraction) else value for name, value in options.items()}
    try:
        found = ic.Comparison.from_scores(y, scores).decide(condition_of(at), **own)
    except InfeasibleError:
        assume(False)
    assume(found.model == "m0")
    assume(found.other is None or found.other.model == "m0")
    (period,) = ic.watch(found, {"own": (scores["m0"], y)}).periods
    if kind != "mix":
        assert period.cost == pytest.approx(1000 * found.expected_cost, abs=1e-9)
    if kind in ("limits", "reviews"):
        assert all(other.saving is None or other.saving <= 1e-9 for other in period.alternatives)


@few
@given(cases(), costs, st.integers(1, 8), share, limits)
def test_the_worst_case_in_money_is_that_of_trying_every_rule_at_every_corner(data, at, more, other, given_limits):
    """Costs are linear in each quantity: the worst is at a corner."""
    low, high = sorted((at["prevalence"], other))
    at = at | {"prevalence": (low + high) / 2}
    ranges = {"cost_fn": (at["cost_fn"], at["cost_fn"] + more), "prevalence": (low, high)}
    mean = at | {"cost_fn": sum(ranges["cost_fn"]) / 2}
    corners = [mean | dict(zip(ranges, values, strict=True)) for values in product(*ranges.values())]
    conditions = ic.Conditions.from_costs(
        **{k: float(v) for k, v in at.items()} | {k: tuple(map(float, v)) for k, v in ranges.items()}
    )
    question = Question.of(conditions, worst_case=True, **{k: float(v) for k, v in given_limits.items()})
    wanted, found = oracle.best(*data, mean, given_limits, corners), answered(data, question)
    assert (wanted is None) == (found is None)
    if wanted is not None:
        worst = max(float(oracle.cost(corner, Fraction(found.fpr), Fraction(found.tpr))) for corner in corners)
        assert worst == pytest.approx(float(wanted[0][0]), abs=1e-9)
        assert found.expected_cost == pytest.approx(float(wanted[0][1]), abs=1e-9)


@few
@given(cases(), costs, st.sampled_from(NAMES), st.integers(1, 6))
def test_the_mean_regret_over_one_quantity_is_that_of_the_lower_envelope_of_all_rules(data, at, name, more):
    """Every rule costs a line in each quantity, so the least of them is integrated from crossing to crossing."""
    low, high = at[name], at[name] + more
    if name == "prevalence":
        high = min(high, 1 - (1 - low) / 4)
    elif name in ("cost_tp", "cost_tn"):  # an error stays more expensive than the right answer
        high = low + Fraction(more, 7) * (at["cost_fn" if name == "cost_tp" else "cost_fp"] - low)
    own = {key: (float(low), float(high)) if key == name else float(value) for key, value in at.items()}
    found = answered(data, Question.of(ic.Conditions.from_costs(**own)))
    rates = [oracle.rates(data[0], flags) for _, flags in oracle.rules_of(*data)]
    start, end = (np.array([float(oracle.cost(at | {name: value}, *rate)) for rate in rates]) for value in (low, high))
    rise = end - start
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = ((start[:, None] - start) / (rise - rise[:, None])).ravel()
    x = np.unique(np.concatenate([[0, 1], crossings[(crossings > 0) & (crossings < 1)]]))
    least = (start[:, None] + rise[:, None] * x).min(axis=0)
    mean = float(np.trapezoid(least, x))
    assert found.expected_cost - found.uncertain.mean_regret == pytest.approx(mean, abs=1e-9)


@few
@given(cases(), costs, limits)
def test_a_random_mixture_costs_what_a_linear_programme_over_all_models_finds(data, at, given_limits):
    """It is never more expensive than the best rule alone."""
    wanted = oracle.mixed(*data, at, given_limits)
    found, alone = (answered(data, asked(at, given_limits, randomised=mix)) for mix in (True, False))
    assert (wanted is None) == (found is None)
    if found is not None:
        assert found.expected_cost == pytest.approx(wanted, abs=1e-7)
        assert alone is None or found.expected_cost <= alone.expected_cost + 1e-12


@few
@given(cases(), costs, limits)
def test_drifts_end_where_another_rule_or_model_is_better(data, at, given_limits):
    """Just inside both ends the rule, and the model, are as good as the best of trying every rule; just outside they are not."""
    found = answered(data, asked(at, given_limits))
    assume(found is not None and found.model_drift is not None)

    def lost(prevalence, ratio, *, rule):
        there = at | {
            "prevalence": Fraction(prevalence),
            "cost_fn": at["cost_tp"] + Fraction(ratio) * (at["cost_fp"] - at["cost_tn"]),
        }
        kept = (
            {"prevalence": at["prevalence"]} if prevalence == at["prevalence"] else {"prevalence": Fraction(prevalence)}
        )
        rows = [(m, *oracle.rates(data[0], flags)) for m, flags in oracle.rules_of(*data)]
        rows = [(m, x, t) for m, x, t in rows if oracle.keeps(given_limits, kept["prevalence"], x, t)]
        own = [
            oracle.cost(there, x, t)
            for m, x, t in rows
            if m == found.model and (not rule or (float(x), float(t)) == (found.fpr, found.tpr))
        ]
        return None if not own else float(min(own) - min(oracle.cost(there, x, t) for _, x, t in rows))

    now = float((at["cost_fn"] - at["cost_tp"]) / (at["cost_fp"] - at["cost_tn"]))
    step = 1e-6
    for drift, rule in ((found.threshold_drift, True), (found.model_drift, False)):
        low, high = drift.cost_ratio
        for end, sign in ((low, -1), (high, 1)):
            if 1e-3 < end < 1e3:
                inside, outside = end * (1 - sign * step), end * (1 + sign * step)
                if min(low, high) <= inside <= max(low, high):
                    assert lost(at["prevalence"], inside, rule=rule) <= 1e-12
                assert lost(at["prevalence"], outside, rule=rule) > 0
        low, high = drift.prevalence
        for end, sign in ((low, -1), (high, 1)):
            if 1e-3 < end < 1 - 1e-3:
                outside = lost(end + sign * step, now, rule=rule)
                assert outside is None or outside > 0
                if low <= end - sign * step <= high:
                    assert lost(end - sign * step, now, rule=rule) <= 1e-12


@pytest.mark.parametrize("limits", [{}, {"max_flagged": 1.0}])
def test_a_drift_ends_where_a_tie_begins(limits):
    """At an exact tie the rule first in the table holds on the side on which it is cheaper alone, whether limits move or not."""
    many, few = ic.RocCurve.from_points([0.5], [1.0], name="many"), ic.RocCurve.from_points([0.0], [0.5], name="few")
    question = Question.of(ic.Condition(prevalence=0.5), **limits)
    for curves, place in (([many, few], 0), ([few, many], 1)):
        found = decide(curves, question)
        assert found.model == curves[0].name
        assert [drift.prevalence[place] for drift in (found.threshold_drift, found.model_drift)] == [0.5, 0.5]


@few
@given(cases(), costs)
def test_a_methods_threshold_is_its_own_number(data, at):
    """Scores that are probabilities are cut where the costs say, not at the next score."""
    alarm, miss = at["cost_fp"] - at["cost_tn"], at["cost_fn"] - at["cost_tp"]
    found = decide(curves_of(data), asked(at, method="score_driven"))
    cut = float(alarm / (alarm + miss))
    rules = [row for row in (found, *found.alternatives) if row.rule == "score"]
    assert all(row.threshold == pytest.approx(cut, abs=1e-15) for row in rules)
    fixed = decide(curves_of(data), asked(at, method="fixed", threshold=0.3))
    assert all(row.threshold == 0.3 for row in (fixed, *fixed.alternatives) if row.rule == "score")


@few
@given(cases(), costs, limits, st.sampled_from([2.0, 1024.0, 1 / 8]))
def test_the_scale_of_money_changes_costs_and_nothing_else(data, at, given_limits, scale):
    """All costs times a number: the same rules, ties and drifts."""
    money = {name: value * Fraction(scale) for name, value in at.items() if name != "prevalence"}
    one, other = answered(data, asked(at, given_limits)), answered(data, asked(at | money, given_limits))
    assume(one is not None)
    assert (one.model, one.threshold, one.tied) == (other.model, other.threshold, other.tied)
    assert other.expected_cost == pytest.approx(scale * one.expected_cost, rel=1e-12)
    assert one.model_drift.t == pytest.approx(other.model_drift.t, abs=1e-12)


@few
@given(cases(), costs, limits)
def test_repeated_cases_and_monotone_scores_change_no_decision(data, at, given_limits):
    """Every case twice, and scores moved to 3·s - 1."""
    y, scores = data
    one = answered(data, asked(at, given_limits))
    twice = answered((y * 2, {name: score * 2 for name, score in scores.items()}), asked(at, given_limits))
    moved = answered((y, {name: [3 * s - 1 for s in score] for name, score in scores.items()}), asked(at, given_limits))
    assume(one is not None)
    for other in (twice, moved):
        assert (one.model, one.fpr, one.tpr, one.expected_cost) == (
            other.model,
            other.fpr,
            other.tpr,
            other.expected_cost,
        )
    assert moved.threshold == pytest.approx(3 * one.threshold - 1) if one.rule == "score" else True


@few
@given(cases(), costs, limits)
def test_a_dominated_model_and_the_order_of_models_change_no_cost(data, at, given_limits):
    """A model that flags by chance only adds an alternative, and models the other way round cost the same."""
    y, scores = data
    one = answered(data, asked(at, given_limits))
    assume(one is not None)
    more = answered((y, scores | {"constant": [0.5] * len(y)}), asked(at, given_limits))
    turned = answered((y, dict(reversed(scores.items()))), asked(at, given_limits))
    assert (more.model, more.threshold, more.expected_cost) == (one.model, one.threshold, one.expected_cost)
    assert turned.expected_cost == pytest.approx(one.expected_cost, abs=1e-12)


@few
@given(cases(), costs)
def test_costs_that_are_paid_in_any_case_change_prices_alone(data, at):
    """A sum added to both outcomes of the positives, or of the negatives, moves every expected cost and no choice."""
    sunk = at | {"cost_fn": at["cost_fn"] + 3, "cost_tp": at["cost_tp"] + 3}
    one, other = decide(curves_of(data), asked(at)), decide(curves_of(data), asked(sunk))
    assert (one.model, one.threshold) == (other.model, other.threshold)
    assert other.expected_cost - one.expected_cost == pytest.approx(3 * float(at["prevalence"]), abs=1e-12)


@few
@given(cases(), st.integers(1, 5), st.integers(1, 5))
def test_costs_beside_which_the_others_are_tiny_break_no_tie(data, cost_fp, cost_fn):
    """However much is paid in any case, rules that cost the same are told apart by the order of the table."""
    paid, curves = 2**30, curves_of(data)
    at = {"cost_fp": cost_fp, "cost_fn": cost_fn, "cost_tp": 0, "cost_tn": 0, "prevalence": 0.4}
    much = {name: value + paid * name.startswith("cost") for name, value in at.items()}
    one, other = decide(curves, asked(at)), decide(curves, asked(much))
    assert (one.model, one.threshold, one.tied) == (other.model, other.threshold, other.tied)
    assert [(a.model, a.extra) for a in one.alternatives] == [(a.model, a.extra) for a in other.alternatives]


@few
@given(cases(), costs, limits, st.booleans())
def test_every_answer_is_json_and_every_sentence_whole(data, at, given_limits, mix):
    """No slot stays open, and no word of the library is left beside the user's own."""
    words = {
        "case": "applicant", "cases": "applicants", "positive": "bad risk", "positives": "bad risks", "negative": "good one",
        "negatives": "good ones", "flag": "refuse", "flags": "refuses", "flagged": "refused", "flagging": "refusing",
    }  # fmt: skip
    found = answered(data, asked(at, given_limits, randomised=mix, words=words, current=("m0", 0.5)))
    assume(found is not None)
    answer = found.to_dict()
    json.dumps(answer, allow_nan=False)
    assert list(answer["says"]) == speaker().order
    for text in (*answer["says"].values(), str(found)):
        assert "{" not in text
        assert not {"flag", "flags", "case", "cases", "positives", "negatives"} & set(
            text.replace(".", " ").replace(",", " ").split()
        )


def test_no_sentence_about_a_decision_stands_in_a_module():
    """Sentences are data: nothing in the package says it again."""
    from pathlib import Path

    package = Path(ic.__file__).parent / "decide"
    texts = [path.read_text(encoding="utf-8") for path in package.glob("*.py")]
    assert not any("stays cheapest" in text or "Expect a cost" in text for text in texts)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "fixed"}, "method='fixed' needs a threshold="),
        ({"threshold": 0.5}, "threshold= goes with method='fixed', got method='best'"),
        (
            {"method": "score_driven", "randomised": True},
            "method='score_driven' sets the threshold itself: drop randomised",
        ),
        (
            {"method": "rate_driven", "worst_case": True},
            "method='rate_driven' sets the threshold itself: drop worst_case",
        ),
        ({"cost_review": 1, "max_fpr": 0.1}, "cost_review goes with costs alone: drop max_fpr"),
        ({"cost_review": 1, "method": "score_driven"}, "cost_review goes with costs alone: drop method='score_driven'"),
        ({"cost_review": 1, "randomised": True}, "cost_review goes with costs alone: drop randomised"),
        ({"cost_review": 1, "worst_case": True}, "cost_review goes with expected costs: drop worst_case"),
        ({"max_reviewed": 0.1}, "go with cost_review=: say what a review costs"),
        ({"cost_review": float("inf")}, "cost_review must be finite"),
        ({"sure": 0.9}, "sure= needs a limit"),
        ({"sure": 0.9, "max_fpr": 0.1, "randomised": True}, "sure= goes with one threshold per model"),
        ({"prevalence": 0.4}, "the conditions are at prevalence 0.3, got prevalence=0.4 as well: pass one"),
        ({"words": {"case": "applicant"}}, "words has 'case' without 'cases': give all forms of a word"),
    ],
)
def test_parts_that_contradict_each_other_are_refused(options, message):
    """One place says what goes with what."""
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        Question.of(ic.Condition(cost_fn=5, prevalence=0.3), **options)


def test_limits_that_no_rule_keeps_are_named():
    """The message says which, and what to do."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.4, 0.3, 0.2, 0.1], name="a")
    with pytest.raises(InfeasibleError, match=r"no rule keeps max_fpr=0.1 and min_tpr=0.9: loosen one of them"):
        decide([curve], Question.of(ic.Condition(), max_fpr=0.1, min_tpr=0.9))


def test_where_no_model_pays_the_decision_is_the_cheaper_trivial_rule():
    """`priced` exchanges both, and says what the best model would cost."""
    from isocost.decide.decision import Confidence

    y, scores = [1, 1, 0, 1, 0, 0] * 6, [0.9, 0.8, 0.7, 0.6, 0.3, 0.2] * 6
    found = decide([ic.RocCurve.from_scores(y, scores, name="a")], Question.of(ic.Condition(cost_fn=5, prevalence=0.3)))
    sure = Confidence(
        0.7,
        (0.7, 0.7),
        0.0,
        0.035,
        "clear",
        {},
        None,
        False,
        200,
        0.9,
        0,
        18,
        18,
        best_model={"model": "a", "price": 0.735, "interval": (0.69, 0.79)},
    )
    turned = with_confidence(found, sure, model="always-positive", extras={"a": (0.035, -0.01, 0.09)})
    assert (turned.model, turned.rule) == ("always-positive", "everybody")
    assert turned.alternatives[0].model == "a"
    assert turned.alternatives[0].extra_interval == (-0.01, 0.09)
    assert turned.says["headline"] == "No model is worth using here: flag everybody."
    assert turned.says["price"].startswith(
        "No model is worth using on this evidence: flagging everybody costs 700 per 1000"
    )
    assert replace(found, confidence=sure).model == "a"


def test_the_hull_and_all_rules_give_the_same_answer():
    """Plain questions look at vertices of hulls only."""
    from isocost.decide.rules import Rules

    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    curves = [ic.RocCurve.from_scores(y, np.round(rng.normal(size=400) + k * y, 1), name=f"m{k}") for k in range(3)]
    for cost_fn in (0.02, 0.5, 1, 3, 40):
        question = Question.of(ic.Condition(cost_fn=cost_fn, prevalence=0.4))
        loose = Question.of(ic.Condition(cost_fn=cost_fn, prevalence=0.4), max_fpr=1.0)
        assert len(Rules.of(curves, question)) <= len(Rules.of(curves, loose))
        one, other = decide(curves, question), decide(curves, loose)
        assert [(a.model, a.threshold) for a in (one, *one.alternatives)] == [
            (a.model, a.threshold) for a in (other, *other.alternatives)
        ]
        assert one.model_drift.t == pytest.approx(other.model_drift.t, abs=1e-12)

"""The same model, rule, cost, share flagged and sentences from every interface, and none that a slow search would not give."""

import contextlib
import html
import io
import json
import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from interfaces.data_sets import DATA_SETS
from interfaces.questions import Question, questions
from report.javascript import decided, state_of
from report.test_twin import same

import isocost as ic
from isocost.cli.app import run
from isocost.errors import ConditionError, InfeasibleError
from oracles import brute_force, review
from oracles import decisions as oracle

TRIVIAL = ("always-negative", "always-positive")
PRINTED = re.compile(r"(?:score ≥ |\bof (?=\S+ or more))(\S+?)(?=[.;,]?(?:\s|$))")
CLEARED = re.compile(r"score < (\S+?)(?=[.;,]?(?:\s|$))")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Each data set as a file."""
    folder = tmp_path_factory.mktemp("data")
    paths = {name: folder / f"{name.replace(' ', '_')}.csv" for name in DATA_SETS}
    for name, path in paths.items():
        DATA_SETS[name].write(path)
    return paths


def typed(*words):
    """What the command prints, with its exit code."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(word) for word in words])
    return code, out.getvalue(), err.getvalue()


def compared(data):
    """The library's comparison."""
    return ic.Comparison.from_scores(data.y, data.models, sample_weight=data.weights)


def assert_report_holds(comparison, question, decision):
    """It holds the library's answer, which its page gives anew; where one kind of error costs nothing there is nothing to drag."""
    mean = decision.question.mean
    if mean and not (
        0 < mean["prevalence"] < 1 and mean["cost_fp"] > mean["cost_tn"] and mean["cost_fn"] > mean["cost_tp"]
    ):
        with pytest.raises(ConditionError, match="both kinds of error can cost something"):
            comparison.report(condition=question.condition, **question.keywords, n_resamples=0)
        return
    report = comparison.report(condition=question.condition, **question.keywords, n_resamples=0)
    expected = decision.to_dict()
    assert report.summary["decision"] == expected
    same(expected, decided(report.summary, state_of(expected["question"])))


def answered(comparison, question):
    """The library's decision, or None and why there is none."""
    try:
        return comparison.decide(question.condition, **question.keywords), ""
    except InfeasibleError as error:
        return None, " ".join(str(error).split())


def asked_of(data, file):
    """A function that puts a question to library and command, holds them to the same answer, and returns it."""
    comparison = compared(data)
    weight = [] if data.weights is None else ["--weight", "w"]
    scores = [word for name in data.models for word in ("--score", name)]
    command = ["choose", file, "--label", "y", *weight, *scores, "--resamples", "0", "-q"]

    def ask(question):
        decision, refusal = answered(comparison, question)
        if decision is None:
            code, out, err = typed(*command, *question.options)
            assert (code, out) == (2, "")
            assert refusal in err
            return None
        code, out, err = typed(*command, *question.options, "--json")
        assert code == 0, err
        assert json.loads(out)["decision"] == decision.to_dict()
        code, out, _ = typed(*command, *question.options)
        assert out.startswith(f"{decision}\n\n")
        assert_report_holds(comparison, question, decision)
        assert_notebook_says_it(decision)
        return decision

    return ask


def assert_notebook_says_it(decision):
    """A notebook shows the sentences."""
    shown = html.unescape(re.sub(r"<[^>]+>", "\n", decision._repr_html_()))
    for sentence in str(decision).splitlines():
        assert sentence in shown


def flagged_by(rule, data):
    """Which cases "score ≥ threshold" flags."""
    if rule.model in ("always-negative", "always-positive"):
        return np.full(data.y.size, rule.model == "always-positive")
    scores = data.models[rule.model]
    nobody, everybody = (rule.fpr, rule.tpr) == (0, 0), (rule.fpr, rule.tpr) == (1, 1)
    return np.full(data.y.size, everybody) if nobody or everybody else scores >= rule.threshold


def rates(hit, data):
    """The exact (fpr, tpr) of flagging some cases."""
    weights = np.ones(data.y.size) if data.weights is None else data.weights
    return tuple(
        float(Fraction(weights[hit & of].sum().item()) / Fraction(weights[of].sum().item()))
        for of in (data.y == 0, data.y == 1)
    )


def words_of(rule):
    """What a rule says to do."""
    return rule.says["rule"] if isinstance(rule, ic.Decision) else str(rule)


def printed_cuts(rule, pattern=PRINTED):
    """The thresholds in the words of a rule, as a user would type them."""
    return [float(cut.replace("−", "-").replace("∞", "inf")) for cut in pattern.findall(words_of(rule))]


def assert_rule_does_what_it_says(rule, data, prevalence):
    """Applied to the cases, with all digits or as printed, a rule has the rates and the share flagged that it claims."""
    if rule.rule == "none":
        assert rule.remark
        return
    if rule.other is None:
        hit = flagged_by(rule, data)
        assert rates(hit, data) == pytest.approx((rule.fpr, rule.tpr), abs=1e-15)
        cuts = printed_cuts(rule)
        if cuts:
            assert np.array_equal(data.models[rule.model] >= cuts[0], hit)
        else:
            assert rule.rule in ("nobody", "everybody")
            assert hit.all() or not hit.any()
    else:
        first = rule.model if rule.other.model in TRIVIAL or np.isfinite(rule.threshold) else rule.other.model
        parts = [
            np.full(data.y.size, name == "always-positive") if name in TRIVIAL else data.models[name] >= cut
            for name, cut in ((first, rule.threshold), (rule.other.model, rule.other.threshold))
        ]
        mixed = [
            (1 - rule.share) * a + rule.share * b for a, b in zip(*(rates(hit, data) for hit in parts), strict=True)
        ]
        assert mixed == pytest.approx([rule.fpr, rule.tpr], abs=1e-12)
        cuts = printed_cuts(rule)
        whole = [hit for hit in parts if hit.any() and not hit.all()]
        assert len(cuts) == len(whole)
        names = [name for name in (first, rule.other.model) if name not in TRIVIAL]
        for cut, hit in zip(cuts, whole, strict=True):
            assert any(np.array_equal(data.models[name] >= cut, hit) for name in names)
    share = prevalence * rule.tpr + (1 - prevalence) * rule.fpr
    assert rule.flagged == pytest.approx(share, abs=1e-12)


def assert_search_finds_nothing_better(question, decision, data, found):
    """Every model and every threshold, in exact fractions."""
    limits = question.limits
    own = oracle.exact(data.prevalence) if data.weights is None else Fraction(data.prevalence)
    own = Fraction(int(data.y.sum()), data.y.size) if data.weights is None else own
    given = question.keywords.get("prevalence")
    prevalence = own if given is None else oracle.exact(given)
    if "cost_review" in question.keywords:
        assert decision.expected_cost == pytest.approx(float(_cost_with_reviews(question, data)), abs=1e-12)
        return
    if question.keywords.get("worst_case"):
        corners = [
            oracle.Prices.of(**dict(zip(question.costs, corner, strict=True)))
            for corner in product(*(np.atleast_1d(value).tolist() for value in question.costs.values()))
        ]
        worst = min(max(prices.expected_cost(r.fpr, r.tpr) for prices in corners) for r in found)
        assert decision is not None
        own = max(prices.expected_cost(decision.fpr, decision.tpr) for prices in corners)
        assert float(own) == pytest.approx(float(worst), abs=1e-12)
        return
    if "method" in question.keywords:
        best = min(_cost_of_method(question, data, name) for name in (None, *data.models))
        assert decision.expected_cost == pytest.approx(float(best), abs=1e-12)
        return
    prices = (
        oracle.Prices.of(**question.costs) if question.costs else oracle.Prices(Fraction(1), Fraction(1), prevalence)
    )
    mixed = question.keywords.get("randomised", False)
    if limits and not question.costs:
        kept = (
            oracle.mixes(found, prevalence, **limits)
            if mixed
            else [(r.fpr, r.tpr) for r in found if oracle.keeps(r, prevalence, **limits)]
        )
        most = max((tpr for _, tpr in kept), default=None)
        assert (decision is None) == (most is None)
        if decision is not None:
            assert decision.tpr == pytest.approx(float(most), abs=1e-12)
            least = min(fpr for fpr, tpr in kept if tpr == most)
            assert decision.fpr == pytest.approx(float(least), abs=1e-12)
        return
    if mixed:
        costs = [prices.expected_cost(*point) for point in oracle.mixes(found, prices.prevalence, **limits)]
        lowest = min(costs, default=None)
    else:
        lowest = oracle.lowest_cost(found, prices, **limits)
    assert (decision is None) == (lowest is None)
    if decision is not None:
        assert decision.expected_cost == pytest.approx(float(lowest), rel=1e-12, abs=1e-12)


def _cost_with_reviews(question, data):
    """The least cost of any band of any model, all pairs of thresholds tried."""
    prices = oracle.Prices.of(**question.costs)
    asked = {name: oracle.exact(value) for name, value in question.keywords.items()}
    most = asked.pop("max_reviewed", None)
    costs = []
    for scores in data.models.values():
        found = review.bands(
            brute_force.points(data.y, scores, data.weights), cost_fp=prices.cost_fp, cost_fn=prices.cost_fn,
            prevalence=prices.prevalence, price=asked["cost_review"],
            **{name: value for name, value in asked.items() if name != "cost_review"},
        )  # fmt: skip
        costs.append(review.best(found, most).cost)
    return min(costs)


def assert_band_does_what_it_says(rule, data, prevalence):
    """Applied to the cases, with all digits or as printed, a band flags and reviews the shares that it claims."""
    band = rule.review
    if band.flag_from.other is not None or band.review_from.other is not None:
        return
    flagged, reached = (flagged_by(choice, data) for choice in (band.flag_from, band.review_from))
    for hit, share in ((flagged, band.flagged), (reached & ~flagged, band.reviewed)):
        fpr, tpr = rates(hit, data)
        assert prevalence * tpr + (1 - prevalence) * fpr == pytest.approx(share, abs=1e-12)
    scores = data.models[rule.model]
    cuts = [*printed_cuts(rule), *printed_cuts(rule, CLEARED)]
    whole = [hit for hit in (flagged, reached) if hit.any() and not hit.all()]
    assert len(cuts) == len(whole)
    assert all(np.array_equal(scores >= cut, hit) for cut, hit in zip(cuts, whole, strict=True))


def _cost_of_method(question, data, model):
    """What one model costs when thresholds are set by the method; without a model, the cheaper trivial classifier."""
    prices = oracle.Prices.of(**question.costs)
    if model is None:
        return min(prices.expected_cost(0, 0), prices.expected_cost(1, 1))
    share = prices.cost_fn / (prices.cost_fp + prices.cost_fn)
    scores, weights = data.models[model], data.weights
    match question.keywords["method"]:
        case "score_driven":
            point = oracle.at_score(data.y, scores, 1 - share, weights)
        case "rate_driven":
            point = oracle.at_share(data.y, scores, share, prices.prevalence, weights)
        case "fixed":
            point = oracle.at_score(data.y, scores, question.keywords["threshold"], weights)
    return prices.expected_cost(*point)


def assert_alternatives_are_all_there(decision, data):
    """Every model stands once, as the decision or as an alternative; none is cheaper, and identical ones are called so.

    A mix of two models is neither's rule, so both are alternatives.
    """
    mixed = decision.other is not None and decision.other.model not in (*TRIVIAL, None, decision.model)
    listed = [*([] if mixed else [decision.model]), *(a.model for a in decision.alternatives)]
    assert sorted(name for name in listed if name in data.models) == sorted(data.models)
    assert len(set(listed)) == len(listed)
    if decision.expected_cost is not None and decision.question.aim == "cheapest":
        assert all(a.extra_cost >= -1e-12 for a in decision.alternatives if a.extra_cost is not None)
        for a in decision.alternatives:
            if a.expected_cost is not None:
                assert a.expected_cost - decision.expected_cost == pytest.approx(a.extra_cost, abs=1e-9)
    for a in decision.alternatives:
        if a.model in data.models and decision.model in data.models and not mixed:
            same = np.array_equal(data.models[a.model], data.models[decision.model])
            assert not (same and a.rule != "none" and not a.identical)


def assert_one_answer(question, data, ask, found):
    """The whole of it for one question."""
    decision = ask(question)
    assert_search_finds_nothing_better(question, decision, data, found)
    if decision is None:
        return
    prevalence = decision.prevalence
    assert prevalence is not None
    for rule in (decision, *decision.alternatives):
        if rule.rule == "band":
            assert_band_does_what_it_says(rule, data, prevalence)
        elif question.keywords.get("method") != "rate_driven":
            assert_rule_does_what_it_says(rule, data, prevalence)
    assert_alternatives_are_all_there(decision, data)


SMALL = [
    ("ordinary", Question("costs", {"cost_fp": 1, "cost_fn": 5, "prevalence": 0.3})),
    ("ties", Question("ranges", {"cost_fp": (1, 3), "cost_fn": (2, 9), "prevalence": (0.05, 0.4)})),
    ("weights", Question("limits and costs", {"cost_fp": 1, "cost_fn": 5, "prevalence": 0.3}, {"max_flagged": 0.4, "min_tpr": 0.25})),
    ("twelve", Question("limits", {}, {"max_fpr": 0.25, "min_precision": 0.4, "max_flagged": 0.5})),
    ("rare", Question("a mix", {}, {"max_flagged": 0.3, "randomised": True})),
    ("constant", Question("a method", {"cost_fp": 1, "cost_fn": 5, "prevalence": 0.3}, {"method": "rate_driven"})),
    ("identical", Question("costs", {"cost_fp": 2, "cost_fn": 1, "prevalence": 0.5})),
    ("inverted", Question("a method", {"cost_fp": 1, "cost_fn": 5, "prevalence": 0.3}, {"method": "score_driven"})),
    ("perfect", Question("nothing")),
    ("logits", Question("the rule in use", {"cost_fp": 1, "cost_fn": 5, "prevalence": 0.3}, {"current": ("logit", 0.5)})),
    ("one model", Question("the worst case", {"cost_fp": (1, 3), "cost_fn": (2, 9), "prevalence": (0.05, 0.4)}, {"worst_case": True})),
    ("logits", Question("reviews", {"cost_fp": 1, "cost_fn": 5, "prevalence": 0.3}, {"cost_review": 0.1, "max_reviewed": 0.25})),
    ("identical", Question("reviews", {"cost_fp": 2, "cost_fn": 1, "prevalence": 0.5}, {"cost_review": 0.2})),
    ("weights", Question("reviews", {"cost_fp": (1, 3), "cost_fn": (2, 9), "prevalence": (0.05, 0.4)},
                         {"cost_review": 0.05, "max_reviewed": 0.4, "reviewer_fpr": 0.1, "reviewer_tpr": 0.85})),
]  # fmt: skip


@pytest.mark.parametrize(("name", "question"), SMALL, ids=[f"{name}, {question.name}" for name, question in SMALL])
def test_every_interface_gives_the_same_answer(name, question, files):
    """One question for each data set; `make test-long` asks all of them."""
    data = DATA_SETS[name]
    assert_one_answer(question, data, asked_of(data, files[name]), oracle.rules(data.y, data.models, data.weights))


@pytest.mark.long
@pytest.mark.parametrize("name", DATA_SETS)
def test_every_interface_gives_the_same_answer_to_every_question(name, files):
    """Conditions at switches and away from them, ranges, limits alone, together and with costs, mixes and methods."""
    data = DATA_SETS[name]
    ask, found = asked_of(data, files[name]), oracle.rules(data.y, data.models, data.weights)
    for question in questions(data):
        assert_one_answer(question, data, ask, found)


def test_the_search_would_notice_a_more_expensive_rule():
    """A rule that costs more than the best is not accepted."""
    data = DATA_SETS["ordinary"]
    question = SMALL[0][1]
    decision = compared(data).decide(ic.Condition(cost_fp=5, cost_fn=1, prevalence=0.3))
    with pytest.raises(AssertionError):
        assert_search_finds_nothing_better(question, decision, data, oracle.rules(data.y, data.models))
    assert not math.isnan(decision.flagged)

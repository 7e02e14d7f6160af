import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.javascript import call, engine, said

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.report import wording
from isocost.report.packed_resamples import nodes, packed
from isocost.report.summary import summarise
from isocost.report.verdict import decoded, facts

positive = st.floats(0.001, 1000)


@pytest.fixture(scope="module")
def summary():
    """Three credit models with a few replicates."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    return summarise(comparison, condition=ic.Condition(1, 5, 0.3), n_resamples=40)


def state_of(start, belief=None):
    """A condition as the page keeps it."""
    names = {
        "fp": "cost_fp",
        "fn": "cost_fn",
        "p": "prevalence",
        "tp": "cost_tp",
        "tn": "cost_tn",
        "below": "below",
        "above": "above",
    }
    return {short: start[name] for short, name in names.items()} | {
        "shape": start.get("shape", "flat"),
        "belief": belief,
    }


def condition(cost_fp, cost_fn, prevalence, below=1.0, above=1.0, shape="flat"):
    """A condition as the page and the summary know it."""
    return {
        "cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence, "cost_tp": 0.0, "cost_tn": 0.0,
        "below": below, "above": above, "shape": shape,
    }  # fmt: skip


def evaluated(expression, summary, state=None):
    """What an expression of the page's functions says of a summary and a state."""
    engine().set("given", json.dumps([summary, state]))
    return json.loads(engine().eval(f"(([summary, state]) => JSON.stringify({expression}))(JSON.parse(given))"))


def assert_same(summary, start):
    """The page and Python say the same sentences and numbers at a condition."""
    found = facts(summary, start)
    page = said(summary, state_of(start))
    python = wording.decision(found, summary) | {"condition": wording.condition(start, unsure=found["unsure"])}
    for key in ("rule", "price", "sure", "holds", "following", "warnings", "grade", "condition"):
        assert page[key] == python[key]
    for mine, theirs in zip([*found["rows"], *found["ends"]], page["rows"], strict=True):
        for key in ("fpr", "tpr", "flagged", "precision", "cost", "amount", "extra", "share"):
            expected = mine[key]
            assert theirs.get(key) == (expected if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-12))
        assert theirs["extraAmount"] == pytest.approx(mine["extra_amount"], rel=1e-12, abs=1e-12)
        for key, name in (("interval", "interval"), ("extraInterval", "extra_interval")):
            span = theirs.get(key)
            assert (span and [span["low"], span["high"]]) == (mine[name] and pytest.approx(mine[name], abs=1e-9))
        assert theirs["cut"] == mine["threshold"]


@given(positive, positive, st.floats(0.001, 0.999))
def test_page_says_what_python_says_at_any_condition(summary, cost_fp, cost_fn, prevalence):
    """Sentences and table are the same, letter for letter and number for number, wherever the condition is dragged."""
    assert_same(summary, condition(cost_fp, cost_fn, prevalence))


@given(st.floats(0.05, 20), st.floats(0.05, 0.95), st.floats(1.1, 50), st.floats(1.1, 50))
def test_page_says_what_python_says_over_a_range(summary, cost_fn, prevalence, below, above):
    """The same holds when the condition is unsure."""
    assert_same(summary, condition(1.0, cost_fn, prevalence, below, above))


@given(st.floats(0.05, 20), st.floats(0.05, 0.95), st.floats(1.1, 50))
def test_page_says_what_python_says_about_log_normal_costs(summary, cost_fn, prevalence, factor):
    """And when the cost of a miss is log-normal."""
    assert_same(summary, condition(1.0, cost_fn, prevalence, factor, factor, "bell"))


@pytest.mark.parametrize(("cost_fn", "factor"), [(5.0, 2.0), (2.0, 4.0), (20.0, 10.0)])
def test_log_normal_costs_are_the_beliefs_of_the_library(cost_fn, factor):
    """What the page says of a log-normal cost is what the library says of that belief, in the unit of the costs."""
    from scipy.stats import lognorm

    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    over = ic.Conditions.from_beliefs(
        cost_fp=1.0, cost_fn=lognorm(math.log(factor) / 1.959963984540054, scale=cost_fn), prevalence=0.3
    )
    best = comparison.decide(over)
    found = facts(
        summarise(comparison, condition=ic.Condition(), n_resamples=0),
        condition(1.0, cost_fn, 0.3, factor, factor, "bell"),
    )
    assert found["chosen"]["name"] == best.model
    assert found["chosen"]["amount"] == pytest.approx(1000 * best.expected_cost, rel=1e-6)
    belief = summarise(comparison, over=over, n_resamples=0)
    assert found["follow"]["amount"] == pytest.approx(
        1000 * belief["belief"]["stake"] * belief["belief"]["follow"]["mean"], rel=1e-4
    )
    assert found["pcf"] == pytest.approx(belief["belief"]["centre"], rel=1e-6)


@given(positive, st.floats(0.001, 0.999))
def test_decision_is_the_one_of_the_comparison(summary, cost_fn, prevalence):
    """Model, threshold, cost and limits are those of `Comparison.decide`."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    decision = comparison.decide(ic.Condition(1.0, cost_fn, prevalence))
    found = facts(summary, condition(1.0, cost_fn, prevalence))
    chosen = found["chosen"]
    expected = {"always-negative": "Flag nobody", "always-positive": "Flag everybody"}.get(
        decision.model, decision.model
    )
    assert chosen["name"] == expected
    assert chosen["amount"] == pytest.approx(decision.per_1000, rel=1e-12)
    if chosen["model"] >= 0:
        assert chosen["threshold"] == decision.threshold
    assert found["ratio"] == pytest.approx(decision.model_drift.cost_ratio)
    assert found["prevalence"] == pytest.approx(decision.model_drift.prevalence)


def test_range_is_decided_as_the_comparison_decides_it():
    """Over a range the choice is the one that is cheapest on average, and the model for moving thresholds is the same."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    for low, high in ((0.1, 0.4), (0.3, 0.9), (0.55, 0.6)):
        over = ic.Conditions.uniform(pcf=(low, high))
        decision = comparison.decide(over)
        found = facts(summarise(comparison, over=over, n_resamples=0))
        assert found["chosen"]["name"] == decision.model
        assert found["chosen"]["cost"] == pytest.approx(decision.normalised_cost)
        assert comparison.names[found["follow"]["model"]] == decision.uncertain.rechosen[0].model
        assert found["follow"]["mean"] == pytest.approx(decision.uncertain.rechosen[0].mean)


def beliefs():
    """Beliefs about costs and prevalence, so that the cost at stake is known."""
    from scipy.stats import beta, lognorm

    return ic.Conditions.from_beliefs(
        cost_fp=1.0, cost_fn=lognorm(1.2, scale=4), prevalence=beta(3, 7), size=500, rng=0
    )


def test_beliefs_about_costs_are_decided_in_their_unit():
    """Where the stakes are known the decision has the lowest expected cost in the unit, as the library's."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    best = comparison.decide(beliefs())
    summary = summarise(comparison, over=beliefs(), n_resamples=20)
    assert summary["decision"]["model"] == best.model
    assert summary["decision"]["per_1000"] == pytest.approx(1000 * best.expected_cost)
    assert summary["decision"]["price"].startswith("Expected cost")
    # The mean over draws of the cheapest cost at each, the slow way.
    over = beliefs()
    worst, t = over.worst_cost, over.density.t
    means = [float(np.mean(worst * ic.cost_curve(curve)(1 - t))) for curve in comparison.curves]
    follow = facts(summary)["follow"]
    assert follow["amount"] == pytest.approx(1000 * min(means))
    assert follow["interval"][0] < follow["amount"] < follow["interval"][1]


def test_choice_with_every_condition_alike_is_named_where_it_differs():
    """Cheap conditions may favour another choice; the page says so, in both languages."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    summary = summarise(comparison, condition=ic.Condition(), n_resamples=0)
    start = condition(1.0, 3.0, 0.3, 20.0, 20.0, "bell")
    text = wording.following(facts(summary, start), summary)
    assert "With every condition weighing alike, however little is at stake, the choice would be: Use" in text
    assert_same(summary, start)


@pytest.mark.parametrize("factor", [3.0, 20.0])
def test_choice_with_every_condition_alike_may_be_the_first_model(factor):
    """The first model in the file is a model as any other when conditions are weighed alike."""
    y, scores = load_german_credit_predictions()
    summary = summarise(ic.Comparison.from_scores(y, {"random_forest": scores["random_forest"]}), n_resamples=0)
    assert_same(summary, condition(1.0, 3.0, 0.3, factor, factor, "bell"))


@pytest.mark.parametrize(("cost_fn", "rule"), [(0.01, "flag nobody"), (100.0, "flag everybody")])
def test_choice_with_every_condition_alike_may_be_no_model(cost_fn, rule):
    """Where one class costs next to nothing no model pays, whichever way conditions are weighed, and no other choice is named."""
    # The highest score is a negative's, the lowest a positive's.
    y = [0, *[1] * 5, *[0] * 5, 1]
    summary = summarise(ic.Comparison.from_scores(y, {"m": list(range(12, 0, -1))}), n_resamples=0)
    start = condition(1.0, cost_fn, 0.3, 3.0, 3.0, "bell")
    found = facts(summary, start)
    assert wording.rule(found["chosen"]) == f"Use no model: {rule}."
    assert found["alike"] is None
    assert_same(summary, start)


@pytest.mark.parametrize("over", [ic.Conditions.beta(2, 5), beliefs()], ids=["beta", "beliefs"])
def test_belief_of_the_author_opens_the_page(over):
    """Page and Python say the same of the author's distribution."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    summary = summarise(comparison, over=over, n_resamples=20)
    page = said(summary, state_of(summary["condition"], summary["belief"]))
    for key in ("rule", "price", "sure", "following", "holds"):
        assert page[key] == summary["decision"][key]


def test_belief_of_the_author_is_decided_as_the_comparison_decides_it():
    """A distribution of t alone is decided by the mean cost."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    over = ic.Conditions.beta(2, 5)
    summary = summarise(comparison, over=over, n_resamples=20)
    found = facts(summary)
    assert found["chosen"]["name"] == comparison.decide(over).model
    assert found["follow"]["mean"] == pytest.approx(comparison.decide(over).uncertain.rechosen[0].mean)


@given(st.floats(0, 1), st.floats(0, 1))
def test_lesser_area_is_the_librarys(cost, t):
    """The page's area of lesser classifiers is `lesser_area`."""
    assert call("lesserArea", cost, t) == pytest.approx(float(ic.measures.lesser_area(cost, t)), abs=1e-12)


def test_lesser_area_agrees_with_printed_values():
    """Theorem 62, corrected: half the square of the cost over t(1-t)."""
    assert call("lesserArea", 0.25, 0.5) == 0.875


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=30), st.floats(0, 1))
def test_quantile_is_numpys(values, q):
    """Quantiles interpolate as numpy does by default."""
    assert call("quantile", sorted(values), q) == pytest.approx(float(np.quantile(values, q)), abs=1e-12)


@given(
    st.floats(1e-9, 1e9) | st.sampled_from([0.0, 1234.5, 0.5, 2.5, 99.95, 0.001, 1000.0, 12345.5]), st.integers(1, 6)
)
def test_numbers_are_written_alike(x, n):
    """Both sides round halves up and write the same digits."""
    assert call("digits", x, n) == wording.digits(x, n)
    assert call("money", x) == wording.money(x)


@given(st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.5, 0.005, 0.9995, 0.001]))
def test_percentages_are_written_alike(x):
    """The same for shares."""
    assert call("percent", x) == wording.percent(x)
    assert call("share", x) == wording.share(x)


@pytest.mark.parametrize("unit", ["€", "", "EUR", "lives", "US$"])
@pytest.mark.parametrize("x", [0.0, 3.25, -12.5, 123456.7])
def test_amounts_are_written_alike(x, unit):
    """A sign goes before the number, a word after it."""
    assert call("amount", x, unit) == wording.amount(x, unit)


def test_base64_is_read_without_a_browser():
    """Any bytes come back, whatever the padding."""
    import base64

    for size in range(7):
        data = bytes(range(250, 250 + 6))[:size]
        assert list((call("fromBase64", base64.b64encode(data).decode()) or {}).values()) == list(data)


def test_replicates_survive_packing():
    """Costs come back within half a step of what was packed, and never above the trivial cost."""
    grid = nodes(101)
    trivial = np.minimum(grid, 1 - grid)
    costs = np.random.default_rng(0).random((2, 3, 101)) * trivial
    back = decoded(packed(costs, grid), 2)
    assert np.all(np.abs(back - costs) <= trivial / 65535 / 2 + 1e-15)
    assert np.all(back <= trivial)


def test_grid_crowds_at_both_ends_and_is_symmetric():
    """The grid runs from 0 to 1 through ½, and is fine where rare classes live."""
    grid = nodes(101)
    assert (grid[0], grid[50], grid[-1]) == (0, 0.5, 1)
    assert np.all(1 - grid[:51] == grid[50:][::-1])
    assert grid[1] < 0.0003


@pytest.mark.parametrize(("name", "metric"), [("accuracy", "accuracy"), ("precision", "precision"), ("F1 measure", "f_measure"),
    ("weighted relative accuracy", "wracc"), ("Matthews correlation", "mcc")])  # fmt: skip
def test_metrics_of_the_isometrics_are_the_librarys(name, metric):
    """Each metric drawn on the page has the value of `point_metrics`."""
    for fpr, tpr, p in ((0.2, 0.7, 0.3), (0.01, 0.5, 0.05), (0.6, 0.9, 0.8)):
        mine = getattr(ic.point_metrics, metric)(fpr, tpr, (1 - p) / p)
        assert call(f"METRICS[{name!r}]", fpr, tpr, p) == pytest.approx(float(mine), abs=1e-12)


def test_contour_lies_on_its_level():
    """Every end of a segment has the value asked for, up to the straightness of a cell."""
    segments = call("((level) => contour((x, y) => METRICS.precision(x, y, 0.3), level))", 0.5)
    assert segments
    for segment in segments:
        for x, y in segment:
            if x + y > 0.1:
                assert 0.3 * y / (0.3 * y + 0.7 * x) == pytest.approx(0.5, abs=0.01)


@given(st.floats(0.01, 0.99), st.floats(0.001, 0.5))
def test_line_of_equal_cost_costs_the_same_at_both_ends(t, cost):
    """Both ends lie in the unit square at the same cost."""
    for x, y in call("isoCost", cost, t) or []:
        assert 0 <= x <= 1
        assert 0 <= y <= 1
        assert t * x + (1 - t) * (1 - y) == pytest.approx(cost, abs=1e-9)


@pytest.mark.parametrize(
    ("cost", "t", "ends"),
    [
        (0.5, 0.5, [[0, 0], [1, 1]]), (0.25, 0.25, [[0, 2 / 3], [1, 1]]), (0.75, 0.25, [[0, 0], [1, 1 / 3]]),
        (0.3, 1, [[0.3, 0], [0.3, 1]]), (0.3, 0, [[0, 0.7], [1, 0.7]]),
    ],
)  # fmt: skip
def test_line_of_equal_cost_runs_right_across_the_square(cost, t, ends):
    """A line through corners meets two sides in one point; its two ends are kept apart, the left or lower first."""
    np.testing.assert_allclose(call("isoCost", cost, t), ends, atol=1e-12)


def test_difference_is_the_librarys(summary):
    """Breaks and values are those of `Comparison.difference`."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    exact = comparison.difference(*comparison.names[:2])
    engine().set("given", json.dumps(summary))
    page = json.loads(
        engine().eval(
            "(() => { const d = prepare(JSON.parse(given)); return JSON.stringify(difference(d.models[0], d.models[1])); })()"
        )
    )
    np.testing.assert_allclose(exact(np.array(page["pcf"])), page["value"], atol=1e-12)
    assert set(np.round(exact.breaks, 12)) <= set(np.round(page["pcf"], 12))
    assert np.all(np.diff(page["pcf"]) > 0)


def test_replicates_at_the_ends_of_the_axis_are_the_grids(summary):
    """At pcf 0 and 1 there is no place beyond the grid to lean on."""
    page = evaluated("[0, 1].map((pcf) => [...replicateCosts(prepare(summary).replicates, 1, pcf)])", summary)
    costs = decoded(summary["replicates"], 3)
    np.testing.assert_allclose(page, [costs[1, :, 0], costs[1, :, -1]], atol=1e-12)


def test_flagging_nobody_has_no_precision(summary):
    """Of no flagged cases no share is right: nothing, rather than not a number."""
    state = state_of(condition(1, 5, 0.3))
    page = evaluated("facts(prepare(summary), state).ends.map((row) => String(row.precision))", summary, state)
    assert "null" in page
    assert "NaN" not in page


def test_bands_and_separation_are_numpys(summary):
    """A band is the middle 95 % of replicates; models are separated where that of their difference leaves 0 out."""
    engine().set("given", json.dumps(summary))
    page = json.loads(
        engine().eval("""(() => { const d = prepare(JSON.parse(given)); const b = band(d.replicates, 1, 2);
        return JSON.stringify({ b, parts: separated(b) }); })()""")
    )
    costs = decoded(summary["replicates"], 3)
    low, high = np.quantile(costs[1] - costs[2], [0.025, 0.975], axis=0)
    np.testing.assert_allclose(page["b"]["low"], low, atol=1e-12)
    np.testing.assert_allclose(page["b"]["high"], high, atol=1e-12)
    for part in page["parts"]:
        inside = (summary["replicates"]["grid"] >= np.array(part["low"])) & (
            summary["replicates"]["grid"] <= np.array(part["high"])
        )
        assert np.all(high[inside] < 0) if part["better"] == "a" else np.all(low[inside] > 0)


def test_mean_cost_over_a_range_is_the_area(summary):
    """The mean of the envelope is exact between its breaks."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    curve = ic.cost_curve(comparison.curves[0])
    engine().set("given", json.dumps(summary))
    for low, high in ((0.1, 0.3), (0, 1), (0.45, 0.46)):
        page = engine().eval(f"meanCost(prepare(JSON.parse(given)).models[0], {1 - high}, {1 - low})")
        assert page == pytest.approx(curve.area(low, high) / (high - low), rel=1e-9)
    assert math.isfinite(page)


@given(positive, st.floats(0.001, 0.999))
def test_ratio_prevalence_and_pcf_belong_together(ratio, prevalence):
    """The second axis and the limits of a decision use the library's arithmetic of conditions."""
    known = ic.Condition(1.0, ratio, prevalence)
    assert call("pcfOf", ratio, prevalence) == pytest.approx(known.pcf)
    assert call("ratioAt", known.t, prevalence) == pytest.approx(ratio)
    assert call("prevalenceAt", known.t, 1.0, ratio) == pytest.approx(prevalence)


@given(st.floats(0.5, 20), st.floats(0.05, 0.95), st.floats(0, 0.4), st.floats(0, 0.4))
def test_costs_of_right_decisions_count(summary, cost_fn, prevalence, cost_tp, cost_tn):
    """What right decisions cost is taken off the errors and added to every amount, as in Python."""
    assert_same(summary, condition(1.0, cost_fn, prevalence) | {"cost_tp": cost_tp, "cost_tn": cost_tn})


@pytest.mark.parametrize(("cost_fn", "rule"), [(1.0, "flag nobody"), (100.0, "flag everybody")])
def test_flagging_nobody_or_everybody_is_said_alike(cost_fn, rule):
    """Where no model helps, both sides say which trivial choice is cheapest."""
    y = np.repeat([0, 1], [80, 20])
    useless = summarise(ic.Comparison.from_scores(y, {"m": np.ones(100)}), n_resamples=10)
    start = condition(1.0, cost_fn, 0.2)
    assert facts(useless, start)["chosen"]["name"].lower() == rule
    assert_same(useless, start)


def test_stretches_of_separation_are_joined():
    """Neighbouring conditions with the same cheaper model are one stretch; touching 0 separates nothing."""
    strip = {"pcf": [0, 0.1, 0.2, 0.3, 0.4, 0.5], "low": [0, -3, -3, -1, 1, 1], "high": [0, -1, -1, 0, 2, 2]}
    assert call("separated", strip) == [
        {"low": 0.1, "high": 0.2, "better": "a"},
        {"low": 0.4, "high": 0.5, "better": "b"},
    ]


@pytest.mark.parametrize(("wins", "grade"), [(39, "clear"), (38, "probable"), (32, "probable"), (31, "open")])
def test_grades_begin_where_they_should(wins, grade):
    """Of 40 resamples 39 are 97.5 %, clear; 32 are 80 %, probable; less is open."""
    curves = [ic.RocCurve.from_confusion(tp=tp, fn=100 - tp, fp=20, tn=80, name=str(tp)) for tp in (80, 70)]
    made = summarise(ic.Comparison(curves), condition=ic.Condition())
    grid = nodes(101)
    costs = np.stack([np.where(np.arange(40) < wins, 0.2, 0.6), np.full(40, 0.4)])
    made["replicates"] = packed(costs[:, :, None] * np.minimum(grid, 1 - grid), grid)
    start = condition(1.0, 1.0, 0.5)
    assert facts(made, start)["grade"] == grade
    assert_same(made, start)

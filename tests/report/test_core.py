import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.javascript import call, decided, evaluated, load, state_of

import isocost as ic
from isocost.conditions.quantities import gauss_rule
from isocost.datasets import load_german_credit_predictions
from isocost.report.packed_resamples import decoded, nodes, packed
from isocost.report.summary import summarise

positive = st.floats(0.001, 1000)
share = st.floats(0.001, 0.999)
# Of the author's own wording of conditions the page has no twin; of a condition it holds more than the library writes.
NOT_COMPARED = {"over", "pcf", "text", "verdict", "condition", "worst_at", "safest"}
RESAMPLED = {"surety", "share", "interval", "extra_interval", "sure", "price"}


@pytest.fixture(scope="module")
def credit():
    """Three credit models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@pytest.fixture(scope="module")
def summary(credit):
    """Three credit models with a few resamples."""
    return summarise(credit, over=ic.Condition(1, 5, 0.3), n_resamples=40)


def differences(python, page, where="", without=frozenset()):
    """Where the page says something else than the library."""
    if isinstance(python, dict):
        if not isinstance(page, dict):
            return [(where, python, page)]
        names = [name for name in python if name not in NOT_COMPARED | without]
        return [
            found for name in names for found in differences(python[name], page.get(name), f"{where}.{name}", without)
        ]
    if isinstance(python, list):
        if not isinstance(page, list) or len(python) != len(page):
            return [(where, python, page)]
        pairs = enumerate(zip(python, page, strict=True))
        return [found for i, (a, b) in pairs for found in differences(a, b, f"{where}[{i}]", without)]
    if isinstance(python, float) and isinstance(page, int | float):
        return [] if math.isclose(python, page, rel_tol=1e-9, abs_tol=1e-11) else [(where, python, page)]
    return [] if python == page else [(where, python, page)]


def assert_same(comparison, summary, over, state=None):
    """The page decides as the library does, in every number and letter; how sure it is has tests of its own."""
    page = decided(summary, state_of(over) if state is None else state)
    found = comparison.decide(over, unit=summary["unit"]).to_dict()
    assert differences(found, page, without=RESAMPLED) == []
    # Without intervals the price is the same sentence.
    bare = evaluated("says({ ...a, surety: null })", page)
    assert bare["price"] == found["says"]["price"]


def ranges(**given):
    """Ranges as the library and as the page hold them."""
    return ic.Conditions.from_costs(**given), state_of(given)


@settings(max_examples=60)
@given(positive, positive, share)
def test_page_decides_as_the_library_at_any_condition(credit, summary, cost_fp, cost_fn, prevalence):
    """Model, rule, costs, shares, intervals, drift, warnings and sentences are the same wherever the condition is dragged."""
    assert_same(credit, summary, ic.Condition(cost_fp, cost_fn, prevalence))


@settings(max_examples=30)
@given(st.floats(0.05, 20), share, st.floats(1.1, 50))
def test_page_prices_a_range_in_money(credit, summary, cost_fn, prevalence, factor):
    """One uncertain cost: the rule that is cheapest at the middle, its regret exactly, and what knowing the cost would save."""
    over, state = ranges(cost_fp=1.0, cost_fn=(cost_fn, cost_fn * factor), prevalence=prevalence)
    assert_same(credit, summary, over, state)


@settings(max_examples=8)
@given(st.floats(0.05, 20), st.floats(0.02, 0.9), st.floats(1.1, 10), st.sampled_from([1.0, (0.5, 2.0)]))
def test_page_prices_several_ranges_in_money(credit, summary, cost_fn, prevalence, factor, cost_fp):
    """Several uncertain quantities: the same Gauss rule on both sides gives the same means."""
    over, state = ranges(
        cost_fp=cost_fp, cost_fn=(cost_fn, cost_fn * factor), prevalence=(prevalence / factor, prevalence)
    )
    assert_same(credit, summary, over, state)


def test_page_answers_as_printed_for_ranges_of_cost_and_prevalence(credit):
    """A miss of 4 to 16 and 10 to 50 % positive: threshold 0.127, 586 per 1000."""
    over, state = ranges(cost_fp=1, cost_fn=(4, 16), prevalence=(0.1, 0.5))
    found = summarise(credit, over=over, n_resamples=0)["decision"]
    for said in (found, decided(summarise(credit, n_resamples=0), state)):
        assert said["rule"] == "flag cases with score ≥ 0.127"
        assert said["per_1000"] == pytest.approx(586)


def test_nodes_of_the_gauss_rule_are_pythons():
    """Both sides take the same 32 places and weights."""
    page = evaluated("gaussRule()")
    for mine, theirs in zip(gauss_rule(), (page["nodes"], page["weights"]), strict=True):
        np.testing.assert_allclose(theirs, mine, rtol=0, atol=4e-16)


@settings(max_examples=30)
@given(st.floats(0.5, 20), st.floats(0.05, 0.95), st.floats(0, 0.4), st.floats(0, 0.4))
def test_costs_of_right_decisions_count(credit, summary, cost_fn, prevalence, cost_tp, cost_tn):
    """What right decisions cost is taken off the errors and added to every amount, as in Python."""
    assert_same(credit, summary, ic.Condition(1.0, cost_fn, prevalence, cost_tp=cost_tp, cost_tn=cost_tn))


def test_page_ties_at_a_switch_as_the_library(credit, summary):
    """Exactly where two models cost the same both sides name the other one."""
    for win in list(credit.winners())[1:]:
        over = ic.Condition.from_t(win.t_low)
        found = credit.decide(over).to_dict()
        page = decided(summary, state_of(over))
        assert page["tied"] == found["tied"]
        assert page["says"]["rule"] == found["says"]["rule"]


ODD = {
    "constant": {"m": np.ones(100), "n": np.linspace(0, 1, 100)},
    "identical": {"m": np.linspace(0, 1, 100), "n": np.linspace(0, 2, 100)},
    "backwards": {"m": np.linspace(1, 0, 100)},
    "perfect": {"m": np.repeat([0.0, 1.0], [80, 20])},
    "tied scores": {"m": np.round(np.linspace(0, 1, 100), 1), "n": np.round(np.linspace(0, 1, 100) ** 2, 1)},
    "huge and tiny scores": {"m": np.linspace(0, 1e28, 100), "n": -np.linspace(1, 0, 100) * 1e-20},
    "infinite scores": {"m": np.append(np.linspace(0, 1, 99), np.inf)},
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_models_are_decided_alike(kind):
    """Constant, identical, backwards, perfect, tied, huge and infinite scores get one answer from both sides."""
    y = np.repeat([0, 1], [80, 20])
    y[[3, 90]] = y[[90, 3]]
    comparison = ic.Comparison.from_scores(y, ODD[kind])
    summary = summarise(comparison, n_resamples=10)
    for cost_fn in (0.05, 1.0, 4.0, 100.0):
        assert_same(comparison, summary, ic.Condition(1.0, cost_fn, 0.2))
        assert_same(comparison, summary, *ranges(cost_fp=1.0, cost_fn=(cost_fn, 3 * cost_fn), prevalence=(0.1, 0.3)))


def test_points_without_scores_are_named_alike():
    """Published points have no thresholds: both sides say which point is meant."""
    tree = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9], name="tree")
    comparison = ic.Comparison([tree, ic.RocCurve.from_confusion(8, 2, 3, 7, name="crisp")])
    summary = summarise(comparison)
    for cost_fn in (0.2, 1.0, 3.0, 30.0):
        assert_same(comparison, summary, ic.Condition(1.0, cost_fn, 0.3))


def test_buckets_leave_the_same_open_on_the_page():
    """Scores counted together: what a rival could save at most is said alike."""
    wide = ic.ScoreCounts([0.9, 0.8, 0.5, 0.3, 0.1], [6, 0, 1, 5, 0], [0, 2, 1, 0, 3], upper=[0.9, 0.8, 0.6, 0.3, 0.1])
    fine = ic.ScoreCounts([0.9, 0.5, 0.1], [5, 4, 3], [1, 1, 4])
    comparison = ic.Comparison([ic.RocCurve.from_counts(c, name=n) for n, c in (("wide", wide), ("fine", fine))])
    summary = summarise(comparison)
    for cost_fn in (0.2, 0.5, 1.0, 3.0):
        assert_same(comparison, summary, ic.Condition(1.0, cost_fn, 0.4))


def beliefs():
    """Beliefs about two costs at once, as draws."""
    from scipy.stats import beta, lognorm

    return ic.Conditions.from_beliefs(
        cost_fp=1.0, cost_fn=lognorm(1.2, scale=4), prevalence=beta(3, 7), size=500, rng=0
    )


@pytest.mark.parametrize(
    "over",
    [
        ic.Conditions.beta(2, 5), ic.Conditions.uniform(pcf=(0.3, 0.9)), beliefs(), ic.Condition(1, 5, 0.3),
        ic.Conditions.from_costs(1, (4, 16), (0.1, 0.5)), None,
    ],
    ids=["beta", "uniform", "beliefs", "condition", "ranges", "nothing"],
)  # fmt: skip
def test_page_opens_with_the_decision_of_the_author(credit, over):
    """Untouched, the page says what the summary says, and that is what the library says."""
    summary = summarise(credit, over=over, n_resamples=20)
    page = decided(summary, {**summary["opened"]["quantities"], "belief": summary["opened"]["belief"], "author": True})
    assert differences(summary["decision"], page) == []
    assert summary["decision"] == credit.decide(over, n_resamples=20).to_dict()


def test_a_touched_page_forgets_that_equal_costs_were_assumed(credit):
    """Once somebody moved it, the condition is theirs."""
    summary = summarise(credit, n_resamples=0)
    assert summary["decision"]["says"]["aim"].startswith("No costs given.")
    assert decided(summary, state_of(ic.Condition(1, 1, 0.3)))["says"]["aim"] == ""


@pytest.mark.parametrize("node", [15, 40, 50, 60, 80])
def test_page_is_as_sure_as_the_library(credit, summary, node):
    """Where the page holds resampled costs, shares are the library's, and limits and regrets up to the rounding of the file."""
    over = ic.Condition.from_pcf(summary["resamples"]["grid"][node])
    found = credit.decide(over, n_resamples=40)
    page = decided(summary, state_of(over))
    assert page["surety"]["grade"] == found.surety.grade
    assert page["surety"]["share"] == pytest.approx(found.surety.share, abs=1 / 40)
    assert page["surety"]["interval"] == pytest.approx(found.surety.interval, abs=1e-5)
    for name in ("regret", "worst_regret"):
        assert page["surety"][name] == pytest.approx(getattr(found.surety, name), abs=1e-4)
    for mine, theirs in zip(page["alternatives"], found.alternatives, strict=True):
        assert mine["interval"] == pytest.approx(theirs.interval, abs=1e-5)


@pytest.mark.parametrize(("wins", "grade"), [(38, "clear"), (37, "leaning"), (32, "leaning"), (31, "open")])
def test_grades_begin_where_they_should(credit, summary, wins, grade):
    """Of 40 resamples 38 are 95 %, clear at a level of 90 %; 32 are 80 %, leaning; less is open."""
    grid = nodes(101)
    costs = {name: np.full(40, cost) for name, cost in zip(credit.names, (0.4, 0.4, 0.9), strict=True)}
    costs["random_forest"] = np.where(np.arange(40) < wins, 0.2, 0.6)
    bands = [{"low": [0] * 101, "high": [1] * 101}] * 3
    stacked = np.stack([costs[name] for name in credit.names])[:, :, None] * np.minimum(grid, 1 - grid)
    page = decided(
        summary | {"resamples": packed(stacked, grid) | {"loss": [[0] * 101] * 3}, "bands": bands},
        state_of(ic.Condition(1, 4.9, 0.3)),
    )
    assert (page["model"], page["surety"]["grade"]) == ("random_forest", grade)


LIMITED = [
    {"max_flagged": 0.3}, {"min_precision": 0.4, "min_tpr": 0.2}, {"max_fpr": 0.1, "randomised": True},
    {"method": "score_driven"}, {"method": "rate_driven"}, {"method": "fixed", "threshold": 0.3}, {"worst_case": True},
]  # fmt: skip


@pytest.mark.parametrize("over", [None, ic.Condition(1, 5, 0.3), ic.Conditions.from_costs(1, (2, 9), (0.2, 0.4))])
@pytest.mark.parametrize("asked", LIMITED, ids="-".join)
def test_words_are_the_librarys_for_every_kind_of_decision(credit, asked, over):
    """Limits, methods and the worst case are no controls of the page, yet its words say them as Python does."""
    if over is None and asked.keys() & {"method", "worst_case"}:
        over = ic.Conditions.uniform(pcf=(0.2, 0.8))
    found = credit.decide(over, **asked, unit="€").to_dict()
    assert evaluated("says(a)", found) == found["says"]


def test_resamples_survive_packing():
    """Costs come back within half a step of what was packed, up to twice the trivial cost."""
    grid = nodes(101)
    trivial = np.minimum(grid, 1 - grid)
    costs = 2 * np.random.default_rng(0).random((2, 3, 101)) * trivial
    back = decoded(packed(costs, grid), 2)
    assert np.all(np.abs(back - costs) <= trivial / 32767 / 2 + 1e-15)
    assert np.all(back <= 2 * trivial)


def test_resamples_at_the_ends_of_the_axis_are_the_grids(summary):
    """At pcf 0 and 1 there is no place beyond the grid to lean on."""
    page = evaluated("[0, 1].map((pcf) => [...resampledCosts(prepare(a).resamples, 1, pcf)])", summary)
    costs = decoded(summary["resamples"], 3)
    np.testing.assert_allclose(page, [costs[1, :, 0], costs[1, :, -1]], atol=1e-12)


def test_bands_are_numpys(summary):
    """A band is the middle of the resamples."""
    page = evaluated("band(prepare(a).resamples, a.level, 1, 2)", summary)
    costs = decoded(summary["resamples"], 3)
    low, high = np.quantile(costs[1] - costs[2], [0.05, 0.95], axis=0)
    np.testing.assert_allclose(page["low"], low, atol=1e-12)
    np.testing.assert_allclose(page["high"], high, atol=1e-12)


def test_difference_is_the_librarys(credit, summary):
    """Breaks and values are those of `Comparison.difference`."""
    exact = credit.difference(*credit.names[:2])
    page = evaluated("((d) => difference(d.models[0], d.models[1]))(prepare(a))", summary)
    np.testing.assert_allclose(exact(np.array(page["pcf"])), page["value"], atol=1e-12)
    assert set(np.round(exact.breaks, 12)) <= set(np.round(page["pcf"], 12))
    assert np.all(np.diff(page["pcf"]) > 0)


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


def test_base64_is_read_without_a_browser():
    """Any bytes come back, whatever the padding."""
    import base64

    for size in range(7):
        data = bytes(range(250, 250 + 6))[:size]
        assert list((call("fromBase64", base64.b64encode(data).decode()) or {}).values()) == list(data)


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


@given(positive, st.floats(0.001, 0.999))
def test_ratio_prevalence_and_pcf_belong_together(ratio, prevalence):
    """The second axis and the limits of a decision use the library's arithmetic of conditions."""
    known = ic.Condition(1.0, ratio, prevalence)
    assert call("pcfOf", ratio, prevalence) == pytest.approx(known.pcf)
    assert call("ratioAt", known.t, prevalence) == pytest.approx(ratio)
    assert call("prevalenceAt", known.t, 1.0, ratio) == pytest.approx(prevalence)


def test_regret_over_ranges_is_the_librarys_where_two_models_share_a_point():
    """The shared vertex is looked up in the hull it is a place of."""
    comparison = ic.Comparison.from_scores([0, 1, 1, 1, 0], {"a": [1, 1, 1, 1, 0], "b": [0, 4, 2, 1, 1]})
    over = {"cost_fp": 1.0, "cost_fn": (1.0, 6.0), "prevalence": 0.5}
    summary = summarise(comparison, over=ic.Condition(1, 1, 0.5), n_resamples=0)
    expected = comparison.decide(ic.Conditions.from_costs(**over)).to_dict()["says"]["follows"]
    assert decided(summary, state_of(over))["says"]["follows"] == expected


def test_the_runner_up_at_a_tie_is_the_same_rule_everywhere():
    """Of thresholds that cost the same the one that flags fewer, by exact switches instead of rounded costs."""
    fp, tp = [0, 1, 2, 3, 35, 41, 45], [0, 0, 2, 3, 32, 35, 35]
    y, scores = [], []
    for i in range(1, 7):
        ups, downs = tp[i] - tp[i - 1], fp[i] - fp[i - 1]
        y, scores = y + [1] * ups + [0] * downs, scores + [10.0 - i] * (ups + downs)
    comparison = ic.Comparison.from_scores(y, {"good": np.array(y, dtype=float), "m": scores})
    decision = comparison.decide()
    page = decided(summarise(comparison, n_resamples=0), state_of(decision.condition))
    assert page["alternatives"][0]["rule"] == decision.alternatives[0].rule == "flag cases with score ≥ 8"


def test_rounding_is_no_cost():
    """A rule that is the best one everywhere costs nothing more than the best one."""
    comparison = ic.Comparison.from_scores([0, 1, 0, 1, 0], {"m": [0.1, 0.9, 0.6, 0.5, 0.3]})
    over = ic.Conditions.from_costs(cost_fp=(5.0, 47.0), cost_fn=(999.0, 15984.0), prevalence=0.1)
    found = comparison.decide(over).uncertain
    assert (found.mean_regret, found.information) == (0.0, 0.0)


def test_limits_are_not_offered_where_buckets_of_positives_leave_them_open():
    """Buckets of one class leave no area open, but a budget may end inside one of positives."""
    wide, narrow = (
        ic.RocCurve.from_counts(ic.ScoreCounts([0.8, 0.2], [4, 0], [0, 6], upper=[top, 0.4]), name=name)
        for name, top in (("a", 0.95), ("b", 0.8))
    )
    load(summarise(ic.Comparison([wide, narrow]), n_resamples=0))
    assert evaluated("whyNoLimits(loaded)").startswith("The scores of a were counted in buckets")


def test_a_dollar_in_the_words_stays_what_it_is():
    """Words of the reader are no patterns."""
    comparison = ic.Comparison.from_scores([0, 1, 0, 1, 1, 0], {"m": [0.1, 0.9, 0.6, 0.5, 0.7, 0.2]})
    condition = ic.Condition(1, 1, 0.5)
    summary = comparison.report(over=condition, n_resamples=0, cost_review=0.1, words={"flag": "pay $$ to"}).summary
    load(summary)
    state = state_of(condition) | {"author": True, "review": summary["opened"]["review"]}
    said = evaluated("deed(decideAt(loaded, a), speechOf(loaded.summary)).join('')", state)
    assert said.startswith("Deploy m: pay $$ to from 0.7")


@pytest.mark.parametrize("condition", [ic.Condition(100, 1, 0.1), ic.Condition(1, 100, 0.9)])
def test_the_runner_up_of_crisp_points_is_never_a_point_that_another_beats(condition):
    """Points need not rise: one with more false alarms that catches less is dearer at all costs."""
    comparison = ic.Comparison([ic.RocCurve.from_points([0.1, 0.2], [0.6, 0.2], name="a")])
    decision = comparison.decide(condition)
    page = decided(summarise(comparison, over=ic.Condition(1, 1, 0.5)), state_of(condition))
    for rival in (decision.to_dict()["alternatives"], page["alternatives"]):
        found = next(row for row in rival if row["model"] == "a")
        assert (found["fpr"], found["tpr"]) == pytest.approx((0.1, 0.6))

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.curves.roc import choice_at, renamed
from oracles import brute_force
from strategies import conditions, inside_unit, model_sets, samples, uncertain_conditions

TRIVIAL = {"always-negative": (0, 0), "always-positive": (1, 1)}
# Rationals with an odd denominator: no switch of a small sample falls on many of them.
GRID = [Fraction(i, 97) for i in range(1, 97)]


def exact_costs(y, models, t):
    """Cost of every model with its best threshold at t, as fractions."""
    return {name: brute_force.envelope(brute_force.points(y, s), t) for name, s in models.items()}


def covering(pieces, t):
    """The piece whose open range holds t, or None when t is as good as on its edge."""
    for piece in pieces:
        if piece.t_low + 1e-12 < t < piece.t_high - 1e-12:
            return piece
    return None


@settings(max_examples=25)
@given(model_sets(max_models=12, max_size=14))
def test_winners_are_those_of_brute_force_on_a_dense_grid(data):
    """At every t the named winner has the lowest cost of all, and its ties are exactly the models that cost the same."""
    y, models = data
    points = {name: brute_force.points(y, s) for name, s in models.items()}
    wins = ic.Comparison.from_scores(y, models).winners()
    for t in GRID:
        win = covering(wins, t)
        if win is None:
            continue
        costs = {name: brute_force.envelope(p, t) for name, p in points.items()}
        lowest = min(costs.values())
        if win.name in TRIVIAL:
            assert brute_force.cost(t, *TRIVIAL[win.name]) == lowest
            continue
        assert lowest < min(t, 1 - t)
        assert all(costs[name] == lowest for name in (win.name, *win.tied))
        point = covering(win.points, t)
        if point is not None:
            assert {win.name, *point.tied} == {name for name, cost in costs.items() if cost == lowest}
            assert brute_force.cost(t, Fraction(point.fpr), Fraction(point.tpr)) == pytest.approx(lowest, abs=1e-12)


@given(model_sets(max_models=6))
def test_winners_partition_the_axis_with_no_two_neighbours_alike(data):
    """From 0 to 1 without gaps; what the same model wins in a row is one range, and so are its thresholds inside."""
    wins = ic.Comparison.from_scores(*data).winners()
    assert (wins[0].t_low, wins[-1].t_high) == (0.0, 1.0)
    for before, after in pairwise(wins):
        assert before.t_high == after.t_low
        assert before.name != after.name
        assert not ({before.name, *before.tied} & {after.name, *after.tied})
    for win in wins:
        assert win.t_low < win.t_high
        assert (win.points[0].t_low, win.points[-1].t_high) == (win.t_low, win.t_high)
        assert all(a.t_high == b.t_low for a, b in pairwise(win.points))


@given(model_sets(max_models=6), st.lists(inside_unit, min_size=1, max_size=20))
def test_no_model_is_ever_cheaper_than_the_winner(data, ts):
    """The winner's cost is never above any model's, anywhere."""
    comparison = ic.Comparison.from_scores(*data)
    for t in ts:
        [win] = comparison.winners(ic.Conditions.from_t(t))
        fpr, tpr = win.points[0].fpr, win.points[0].tpr
        cost = t * fpr + (1 - t) * (1 - tpr)
        assert cost <= min(float(curve.optimal_cost(t)) for curve in comparison.curves) + 1e-15


@given(model_sets(max_models=4), conditions())
def test_the_winning_threshold_applied_to_the_rows_gives_the_winning_point(data, condition):
    """Flagging scores ≥ the threshold has exactly the rates the winner states."""
    y, models = data
    [win] = ic.Comparison.from_scores(y, models).winners(condition)
    [point] = win.points
    flagged = models.get(win.name, np.zeros(y.size)) >= point.threshold
    assert (flagged[y == 0].mean(), flagged[y == 1].mean()) == (point.fpr, point.tpr)


@given(model_sets(max_models=5), uncertain_conditions())
def test_winners_over_a_range_are_the_winners_cut_to_it(data, over):
    """A range asks no new question: names stay, ends are cut, and the pieces cover the range."""
    comparison = ic.Comparison.from_scores(*data)
    whole, part = comparison.winners(), comparison.winners(over)
    assert (part[0].t_low, part[-1].t_high) == (over.low, over.high)
    if over.low < over.high:
        for win in part:
            middle = (win.t_low + win.t_high) / 2
            same = next(w for w in whole if w.t_low <= middle <= w.t_high)
            assert (win.name, win.tied) == (same.name, same.tied)


@given(samples(weighted=("real",)), st.permutations(range(30)))
def test_models_that_differ_by_the_rounding_of_weights_alone_are_tied(sample, order):
    """Summing the same weights in another order changes nothing that a person would call a difference."""
    order = np.array([i for i in order if i < sample.y.size])
    mixed = ic.RocCurve.from_scores(sample.y[order], sample.s[order], sample_weight=sample.w[order], name="mixed")
    plain = renamed(sample.curve, "plain")
    comparison = ic.Comparison([plain, mixed], same_data=False)
    assert all(win.tied == ("mixed",) for win in comparison.winners() if not win.trivial)
    assert comparison.crossovers("plain", "mixed") == []


def test_identical_models_are_named_as_ties_in_the_order_given():
    """One of them is the winner, the first one, and the others are stated to cost the same."""
    y, s = [0, 0, 1, 1, 0, 1], [0.1, 0.5, 0.4, 0.9, 0.3, 0.8]
    wins = ic.Comparison.from_scores(y, {"b": s, "a": s, "c": s}).winners()
    assert [(w.name, w.tied) for w in wins if not w.trivial] == [("b", ("a", "c"))]


def test_a_winner_stays_until_another_is_strictly_cheaper():
    """A model tied with one winner and then with the next wins throughout: fewer changes, the same costs."""
    low = ic.RocCurve.from_points([0.0, 0.5], [0.4, 0.8], name="low")
    both = ic.RocCurve.from_points([0.0, 0.5, 0.7], [0.4, 0.8, 0.95], name="both")
    high = ic.RocCurve.from_points([0.5, 0.7], [0.8, 0.95], name="high")
    wins = ic.Comparison([low, both, high]).winners()
    assert [(w.name, w.tied) for w in wins] == [("always-positive", ()), ("both", ())]
    assert [p.tied for p in wins[1].points] == [("high",), ("low", "high"), ("low",)]


def test_models_measured_on_different_numbers_of_cases_are_compared_exactly():
    """1/3 of 3 and 2/6 of 6 are the same rate, whatever a division of floats would say."""
    a = ic.RocCurve.from_confusion(tp=2, fn=1, fp=1, tn=2, name="a")
    b = ic.RocCurve.from_confusion(tp=14, fn=7, fp=16, tn=32, name="b")
    wins = ic.Comparison([a, b], same_data=False).winners()
    assert [(w.name, w.tied) for w in wins if not w.trivial] == [("a", ("b",))]


def test_a_perfect_model_wins_everywhere_and_a_useless_one_nowhere():
    """Ends that no condition needs are not listed."""
    y = [0, 0, 1, 1]
    wins = ic.Comparison.from_scores(y, {"useless": [1, 1, 1, 1], "perfect": [1, 2, 3, 4]}).winners()
    assert [(w.name, w.t_low, w.t_high) for w in wins] == [("perfect", 0.0, 1.0)]
    wins = ic.Comparison.from_scores(y, {"useless": [1, 1, 1, 1]}).winners()
    assert [(w.name, w.t_low, w.t_high) for w in wins] == [("always-positive", 0, 0.5), ("always-negative", 0.5, 1)]
    assert [w.thresholds for w in wins] == [(-np.inf,), (np.inf,)]


@given(inside_unit, inside_unit, st.floats(0.1, 10), st.floats(0.1, 10))
def test_a_range_says_the_same_in_every_unit(t, prevalence, cost_fp, cost_fn):
    """A condition built from the stated cost ratio or prevalence has the t of that end."""
    from isocost.compare import TRange

    span = TRange(t / 2, t)
    assert (span.pcf_low, span.pcf_high) == (1 - t, 1 - t / 2)
    for end, ratio in zip((t, t / 2), span.cost_ratio(prevalence), strict=True):
        assert ic.Condition(1, ratio, prevalence).t == pytest.approx(end, rel=1e-9)
    for end, share in zip((t, t / 2), span.prevalence(cost_fp, cost_fn), strict=True):
        assert ic.Condition(cost_fp, cost_fn, share).t == pytest.approx(end, rel=1e-9)


def test_the_ends_of_the_axis_are_infinite_ratios_and_pure_prevalences():
    """T = 0 stands for a miss that costs infinitely many false alarms, or for positives only."""
    from isocost.compare import TRange

    whole = TRange(0.0, 1.0)
    assert whole.cost_ratio(0.3) == (0.0, np.inf)
    assert whole.prevalence(1, 5) == (0.0, 1.0)
    assert 0.5 in whole
    assert 1.5 not in whole
    with pytest.raises(ic.IsocostError, match=r"strictly between 0 and 1, got 0"):
        whole.cost_ratio(0)
    with pytest.raises(ic.IsocostError, match=r"both errors to cost something, got cost_fp=0, cost_fn=2"):
        whole.prevalence(0, 2)


@settings(max_examples=25)
@given(model_sets(min_models=2, max_models=2, max_size=14))
def test_crossovers_are_the_changes_of_the_cheaper_model(data):
    """Walking up the axis, ties left out, the cheaper model changes once per crossover and at no other place."""
    y, models = data
    a, b = models
    points = {name: brute_force.points(y, s) for name, s in models.items()}
    crossings = ic.Comparison.from_scores(y, models).crossovers(a, b)
    assert crossings == sorted(crossings)
    gaps = [(t, brute_force.envelope(points[a], t) - brute_force.envelope(points[b], t)) for t in GRID]
    signs = [(t, gap < 0) for t, gap in gaps if gap != 0]
    for (low, first), (high, second) in pairwise(signs):
        # Two changes between neighbouring points of the grid cancel out.
        assert sum(low <= t <= high for t in crossings) % 2 == (first != second)


def test_a_stretch_of_equality_between_two_models_counts_once():
    """`a` cheaper, then both the same, then `b` cheaper: one crossover, where `b` becomes strictly cheaper."""
    a = ic.RocCurve.from_points([0.0, 0.2], [0.3, 0.7], name="a")
    b = ic.RocCurve.from_points([0.2, 0.5], [0.7, 0.95], name="b")
    comparison = ic.Comparison([a, b])
    [t] = comparison.crossovers("a", "b")
    assert comparison.crossovers("b", "a") == [t]
    assert t == pytest.approx(0.4 / 0.6)  # the slope from (0, 0.3) to (0.2, 0.7) is 2


def test_touching_is_not_crossing():
    """`a` is cheaper on both sides of a stretch that it shares with `b`: nothing changes hands."""
    a = ic.RocCurve.from_points([0.0, 0.2, 0.5], [0.4, 0.75, 0.95], name="a")
    b = ic.RocCurve.from_points([0.2], [0.75], name="b")
    assert ic.Comparison([a, b]).crossovers("a", "b") == []


def test_the_worked_example_of_two_crossing_curves():
    """Two crisp classifiers: the crossover is where the line through both points has slope t/(1-t)."""
    a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    assert ic.Comparison([a, b]).crossovers("a", "b") == pytest.approx([0.4 / 0.7])


def test_a_win_shows_itself_as_words_and_as_plain_data():
    """Names, range and thresholds, in text and in a dict."""
    a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[3.0], name="a")
    win = ic.Comparison([a, renamed(a, "same")]).winners()[1]
    assert repr(win) == "<Win: a (tied with same) is cheapest for t from 0.3571 to 0.8333>"
    plain = win.to_dict()
    assert plain["name"] == "a"
    assert plain["points"][0]["threshold"] == 3.0
    assert plain["pcf_low"] == 1 - win.t_high


def test_at_a_switch_the_winner_is_the_point_that_the_hybrid_takes():
    """Of two points that cost the same there, the one that flags fewer, and no third one."""
    a = ic.RocCurve.from_points([0.1, 0.3], [0.6, 0.9], thresholds=[0.7, 0.4], name="a")
    b = ic.RocCurve.from_points([0.2], [0.9], thresholds=[0.5], name="b")
    for models in ([a], [a, b]):
        comparison = ic.Comparison(models)
        hybrid = comparison.hybrid()
        for t in (0.0, *hybrid.switches.tolist(), 1.0):
            (win,) = comparison.winners(ic.Condition.from_t(t))
            (point,), i = win.points, choice_at(hybrid, t)
            assert (point.fpr, point.tpr) == (hybrid.fpr[i], hybrid.tpr[i])

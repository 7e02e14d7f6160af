import json
import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_ages, load_german_credit_predictions
from isocost.errors import FewCasesWarning, InputError, UnknownNameError
from isocost.inference.confidence import C
from oracles import parity

Y = [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0]
S = [-0.2, -0.9, 2.7, 1.5, 4.0, -0.7, -1.2, 4.7, 0.2, 2.3, 2.8, 4.5, 4.1, 2.2, -0.4, 1.5]
G = ["a"] * 7 + ["b"] * 9
WORKED = json.loads((Path(__file__).parents[1] / "golden" / "groups.json").read_text(encoding="utf-8"))["cases"]


@st.composite
def cases(draw, *, max_groups=3, most=6):
    """Labels, tied scores and groups, of which some may have one class only; both costs whole."""
    groups = draw(st.integers(1, max_groups))
    sizes = [draw(st.integers(1, most)) for _ in range(groups)]
    total = sum(sizes)
    y = np.array(draw(st.lists(st.integers(0, 1), min_size=total, max_size=total)))
    assume(0 < y.sum() < total)
    s = np.array(draw(st.lists(st.integers(0, 5), min_size=total, max_size=total)), dtype=float)
    return y, s, np.repeat([f"g{i}" for i in range(groups)], sizes), draw(st.integers(1, 5)), draw(st.integers(1, 5))


def exact(y, s, g, cost_fp, cost_fn):
    """Points, costs, shares of each group and which classes it has, all exact."""
    found = {}
    for name in sorted(set(g.tolist())):
        mask = g == name
        share, prevalence = Fraction(int(mask.sum()), g.size), Fraction(int(y[mask].sum()), int(mask.sum()))
        points = parity.points(y, s, mask)
        found[name] = points, parity.costs(points, cost_fp, cost_fn, prevalence, share), prevalence
    return found


def rates_of(points, prevalence, criterion):
    """The rate a criterion is about, of every point."""
    if criterion == "flagged":
        return [prevalence * y + (1 - prevalence) * x for x, y, _ in points]
    return [y if criterion == "tpr" else x for x, y, _ in points]


@given(cases())
def test_each_group_gets_its_cheapest_threshold_and_all_together_theirs(case):
    """Every threshold tried, for each group and for all at once; one for all is never cheaper in any group."""
    y, s, g, fp, fn = case
    groups, condition = ic.Groups.from_scores(y, s, g), ic.Condition(fp, fn, 0.3)
    found = exact(*case)
    each = groups.decide(condition)
    assert each.expected_cost == pytest.approx(float(sum(min(c) for _, c, _ in found.values())), abs=1e-12)
    one = groups.cost_of_one_threshold(condition)
    totals = {}
    for cut in [np.inf, *sorted(set(s.tolist()), reverse=True)]:
        at = [max(i for i, p in enumerate(points) if p[2] >= cut) for points, *_ in found.values()]
        totals[cut] = sum(c[i] for (_, c, _), i in zip(found.values(), at, strict=True))
    assert one.one.expected_cost == pytest.approx(float(min(totals.values())), abs=1e-12)
    first = next(cut for cut in totals if totals[cut] == min(totals.values()))
    assert set(one.one.thresholds.values()) == {first}
    assert one.extra_cost == pytest.approx(one.one.expected_cost - each.expected_cost, abs=1e-12)
    assert all(extra >= 0 for extra in one.by_group.values())
    for name, choice in each.groups.items():
        own = (g == name) & (s >= choice.threshold)
        assert choice.flagged == pytest.approx(own.sum() / (g == name).sum())


@given(cases(), st.sampled_from(["tpr", "fpr", "flagged"]), st.integers(0, 8))
@settings(max_examples=150)
def test_equal_rates_cost_what_a_slow_solver_says(case, criterion, eighth):
    """With mixtures and with one threshold a group; rates end up within the tolerance, and the price curve agrees."""
    y, s, g, fp, fn = case
    tolerance = Fraction(eighth, 8)
    groups, condition = ic.Groups.from_scores(y, s, g), ic.Condition(fp, fn, 0.3)
    found = exact(*case)
    lacking = {"tpr": 0, "fpr": 1, "flagged": None}[criterion]
    bound = {name: value for name, value in found.items() if value[2] != lacking}
    rest = sum(min(c) for name, (_, c, _) in found.items() if name not in bound)
    rates = [rates_of(points, prevalence, criterion) for points, _, prevalence in bound.values()]
    own = [c for _, c, _ in bound.values()]
    for mixed, solver in ((True, parity.randomised), (False, lambda r, c, t: parity.deterministic([r], c, t))):
        chosen = groups.parity(condition, criterion, float(tolerance), mixed)
        expected = (solver(rates, own, tolerance) if bound else 0) + rest
        assert chosen.expected_cost == pytest.approx(float(expected), abs=1e-12)
        assert chosen.gap <= tolerance + 1e-12
        assert set(chosen.left_out) == set(found) - set(bound)
        assert sum(choice.share * choice.cost for choice in chosen.groups.values()) == pytest.approx(
            chosen.expected_cost
        )
        assert all(len(choice.mixture) <= (2 if mixed else 1) for choice in chosen.groups.values())
    price = groups.prices(condition, criterion=criterion)
    mixture = groups.parity(condition, criterion, float(tolerance), randomised=True)
    assert price(float(tolerance)) == pytest.approx(mixture.price, abs=1e-12)
    if tolerance < 1:
        saved = mixture.price - price(float(tolerance) + 1e-7)
        assert mixture.price_per_point == pytest.approx(0.01 * saved / 1e-7, abs=1e-8)


@given(cases(max_groups=3, most=4), st.integers(0, 4))
@settings(max_examples=60)
def test_equal_odds_cost_what_a_slow_solver_says(case, quarter):
    """A mixture never costs more than any thresholds without one, and keeps both rates within the tolerance."""
    y, s, g, fp, fn = case
    tolerance = Fraction(quarter, 4)
    groups, condition = ic.Groups.from_scores(y, s, g), ic.Condition(fp, fn, 0.3)
    found = exact(*case)
    bound = {name: value for name, value in found.items() if 0 < value[2] < 1}
    rest = sum(min(c) for name, (_, c, _) in found.items() if name not in bound)
    mixed = groups.parity(condition, "odds", float(tolerance), randomised=True)
    if bound:
        rates = [[rates_of(points, p, kind) for points, _, p in bound.values()] for kind in ("fpr", "tpr")]
        unmixed = parity.deterministic(rates, [c for _, c, _ in bound.values()], tolerance) + rest
        assert mixed.expected_cost <= float(unmixed) + 1e-9
    assert mixed.gap <= tolerance + 1e-9
    if tolerance == 0 and bound:
        shares = [Fraction(int((g == name).sum()), g.size) for name in bound]
        expected = parity.equal_odds(
            [points for points, *_ in bound.values()], [p for *_, p in bound.values()], shares, fp, fn
        )
        assert mixed.expected_cost == pytest.approx(float(expected + rest), abs=1e-9)


@pytest.mark.parametrize("case", WORKED, ids=[str(i) for i in range(len(WORKED))])
def test_worked_cases_in_fractions(case):
    """Ties, perfect scores, one class, one case, weights, two models, gains, costs by group: shares, rules, costs and prices."""
    groups = ic.Groups.from_scores(case["y_true"], case["scores"], case["group"], sample_weight=case["sample_weight"])
    own = groups.conditions(ic.Condition())
    at = {
        name: ic.Condition(**(costs | {"prevalence": own[name].prevalence} if costs["prevalence"] is None else costs))
        for name, costs in case["conditions"].items()
    }

    def value(text):
        return pytest.approx(float(Fraction(text)), abs=1e-12)

    assert groups.shares == {name: value(share) for name, share in case["shares"].items()}
    each, one = groups.decide(at), groups.cost_of_one_threshold(at)
    assert each.expected_cost == value(case["each"]["expected_cost"])
    for name, points in case["each"]["cheapest_points"].items():
        assert each[name].cost == value(case["each"]["cost"][name])
        assert (each[name].model, each[name].threshold) in [(p["model"], float(p["threshold"])) for p in points]
    assert one.one.expected_cost == value(case["one"]["expected_cost"])
    assert one.extra_cost == value(case["one"]["extra_cost"])
    assert {(c.model, c.threshold) for c in one.one.groups.values()} == {
        (case["one"]["model"], float(case["one"]["threshold"]))
    }
    for rule in case["parity"]:
        # Equal odds take mixtures.
        for kind in ("randomised", "deterministic")[: 1 if rule["criterion"] == "odds" else 2]:
            found = groups.parity(at, rule["criterion"], rule["tolerance"], kind == "randomised")
            assert (found.expected_cost, found.price) == tuple(
                pytest.approx(float(Fraction(rule[kind][name])), abs=1e-9) for name in ("expected_cost", "price")
            )
            if kind == "randomised":
                assert found.price_per_point == pytest.approx(float(Fraction(rule[kind]["price_per_point"])), abs=1e-12)
            assert list(found.left_out) == rule["left_out"]
            assert found.gap <= rule["tolerance"] + 1e-9


def test_points_are_those_of_each_group_alone():
    """Weighted by 1, by halves or not, with groups as numbers or objects."""
    rng = np.random.default_rng(5)
    y, g = rng.random(400) < 0.4, rng.integers(-2, 7, 400)
    s = np.round(rng.normal(size=400), 1)
    found = [ic.Groups.from_scores(y, s, g), ic.Groups.from_scores(y, s, g, sample_weight=np.ones(400))]
    found.append(ic.Groups.from_scores(y, s, g, sample_weight=np.full(400, 0.5)))
    found.append(ic.Groups.from_scores(y, s, g.astype(object)))
    for place, name in enumerate(found[0].names):
        cuts = np.append(np.inf, np.unique(s[g == int(name)])[::-1])
        for counted in (groups._points for groups in found):
            own = slice(*counted.start[place : place + 2])
            assert np.array_equal(counted.threshold[own], cuts)
            for rate, kind in ((counted.tpr, y), (counted.fpr, ~y)):
                assert rate[own] == pytest.approx(
                    [np.mean(s[(g == int(name)) & kind] >= cut) for cut in cuts], abs=1e-15
                )


def test_worked_by_hand():
    """Two groups, equal costs, own prevalences: prices in fractions."""
    groups = ic.Groups.from_scores(Y, S, G)
    condition = ic.Condition()
    assert groups.shares == {"a": 7 / 16, "b": 9 / 16}
    assert groups.decide(condition).thresholds == {"a": -0.2, "b": 4.1}
    one = groups.cost_of_one_threshold(condition)
    assert (one.one.thresholds, one.extra_cost) == ({"a": 4.0, "b": 4.0}, pytest.approx(1 / 16))
    mixed = groups.parity(condition, "tpr", randomised=True)
    assert (mixed.price, mixed.price_per_point) == (pytest.approx(3 / 128), pytest.approx(3 / 3200))
    assert groups.parity(condition, "tpr").price == pytest.approx(3 / 16)
    odds = groups.parity(condition, "odds", randomised=True)
    assert (odds.price, odds.price_per_point) == (
        pytest.approx(27 / 452, abs=1e-12),
        pytest.approx(27 / 11300, abs=1e-12),
    )
    assert groups.parity(condition, "odds", 0.25, randomised=True).price == 0


def test_scores_that_are_true_probabilities_need_one_threshold_only():
    """With equal costs one threshold serves groups of any prevalence."""
    y, s, g = [], [], []
    for group, cells in {"u": [(0.2, 5), (0.8, 10)], "v": [(0.2, 10), (0.5, 4), (0.8, 5)]}.items():
        for probability, size in cells:
            y += [1] * round(probability * size) + [0] * round((1 - probability) * size)
            s += [probability] * size
            g += [group] * size
    assert ic.Groups.from_scores(y, s, g).cost_of_one_threshold(ic.Condition(1, 2)).extra_cost == pytest.approx(
        0, abs=1e-15
    )


def test_weights_are_shares_and_repetitions():
    """A whole weight is a repetition: counted twice is written twice."""
    weights = [1 + i % 3 for i in range(16)]
    weighted = ic.Groups.from_scores(Y, S, G, sample_weight=weights)
    repeated = ic.Groups.from_scores(*(np.repeat(column, weights) for column in (Y, S, G)))
    assert weighted.shares == repeated.shares
    for rule in (lambda x: x.decide(ic.Condition(1, 3)), lambda x: x.parity(ic.Condition(1, 3), "fpr", 0.1)):
        assert rule(weighted).expected_cost == pytest.approx(rule(repeated).expected_cost, abs=1e-15)


def test_each_group_takes_its_own_model():
    """Several models on scales of their own; one for all is one model and one threshold."""
    scores = {"m1": [9, 3, 8, 4, 5, 2, 6, 7, 3, 4, 2, 5], "m2": [2, 1, 9, 3, 2, 4, 9, 1, 8, 3, 2, 7]}
    groups = ic.Groups.from_scores([1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1], scores, [1] * 6 + [2] * 6)
    each = groups.decide(ic.Condition(1, 2))
    assert {name: choice.model for name, choice in each.groups.items()} == {"1": "m1", "2": "m2"}
    one = groups.decide(ic.Condition(1, 2), thresholds="one")
    assert {(choice.model, choice.threshold) for choice in one.groups.values()} == {("m1", 3.0)}


@given(cases(most=8), st.integers(0, 7))
@settings(max_examples=60)
def test_mixtures_of_equal_odds_cost_what_a_dense_program_says(case, quarter):
    """Over all points instead of the hull's, with another solver; a looser tolerance never costs more."""
    y, s, g, fp, fn = case
    groups, condition = ic.Groups.from_scores(y, s, g), ic.Condition(fp, fn, 0.3)
    found = exact(*case)
    bound = {name: value for name, value in found.items() if 0 < value[2] < 1}
    assume(len(bound) > 1)
    rest = float(sum(min(c) for name, (_, c, _) in found.items() if name not in bound))
    costs = []
    for tolerance in (quarter / 8, min(quarter / 8 + 0.1, 1.0)):
        rule = groups.parity(condition, "odds", tolerance, randomised=True)
        least = parity.mixed_odds([p for p, *_ in bound.values()], [c for _, c, _ in bound.values()], tolerance)
        assert rule.expected_cost == pytest.approx(least + rest, abs=1e-7)
        assert rule.gap <= tolerance + 1e-9
        costs.append(rule.expected_cost)
    assert costs[1] <= costs[0] + 1e-9


@given(cases())
@settings(max_examples=40)
def test_thresholds_as_printed_flag_the_same_cases(case):
    """Typed back from the sentence, for each group and for all, as with all digits."""
    y, s, g, fp, fn = case
    s = s / 7 + 1 / 3
    groups = ic.Groups.from_scores(y, s, g)
    for thresholds in ("each", "one"):
        for name, choice in groups.decide(ic.Condition(fp, fn), thresholds=thresholds).groups.items():
            own = s[g == name]
            _, _, typed = choice.rule.partition("≥ ")
            assert np.array_equal(own >= choice.threshold, own >= float(typed or "inf"))
            assert choice.rule in str(choice)


def test_weights_of_cases_bring_groups_to_their_prevalence():
    """Pooled with these weights, one threshold for all costs what the best of the pooled cases costs."""
    groups = ic.Groups.from_scores(Y, S, G)
    at = {"a": ic.Condition(1, 3, 0.2), "b": ic.Condition(1, 3, 0.7)}
    weights = groups.case_weights(at)
    prevalence = sum(groups.shares[name] * at[name].prevalence for name in at)
    assert np.average(Y, weights=weights) == pytest.approx(prevalence)
    pooled = ic.best_threshold(ic.RocCurve.from_scores(Y, S, sample_weight=weights), ic.Condition(1, 3, prevalence))
    assert groups.decide(at, thresholds="one").expected_cost == pytest.approx(pooled.expected_cost, abs=1e-12)


def test_prevalences_are_the_groups_own_by_default():
    """One condition's own prevalence is used only when asked for, and the sentence says which was."""
    groups = ic.Groups.from_scores(Y, S, G)
    own = groups.conditions(ic.Condition(1, 2, 0.9))
    assert {name: at.prevalence for name, at in own.items()} == {"a": 3 / 7, "b": 4 / 9}
    given_ = groups.conditions(ic.Condition(1, 2, 0.9), prevalence="condition")
    assert {at.prevalence for at in given_.values()} == {0.9}
    assert "its own share of positives" in str(groups.decide(ic.Condition()))
    assert "90 % positive" in str(groups.decide(ic.Condition(1, 2, 0.9), prevalence="condition"))
    literal = {"a": ic.Condition(1, 1, 0.2), "b": ic.Condition(2, 1, 0.3)}
    assert groups.conditions(literal) == literal


def test_groups_with_one_class_are_left_out_of_its_rate_only():
    """They cost their best, have no rate of the absent class, and take part in flagged shares."""
    groups = ic.Groups.from_scores([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], ["x", "x", "x", "y", "y"])
    each = groups.decide(ic.Condition(1, 4))
    assert math.isnan(each["y"].tpr)
    assert each["y"].cost == 0
    assert groups.parity(ic.Condition(1, 4), "tpr").left_out == ("y",)
    assert groups.parity(ic.Condition(1, 4), "flagged").left_out == ()
    with pytest.raises(InputError, match="'y' has no positive case: its condition expects some"):
        groups.decide(ic.Condition(1, 4, 0.3), prevalence="condition")


def test_bad_input_is_refused_by_name():
    """What was expected and what came."""
    groups = ic.Groups.from_scores(Y, S, G)
    condition = ic.Condition()
    with pytest.raises(InputError, match="group"):
        ic.Groups.from_scores(Y, S, [None, *G[1:]])
    with pytest.raises(InputError, match="group"):
        ic.Groups.from_scores(Y, S, G[1:])
    with pytest.raises(InputError, match="names or numbers"):
        ic.Groups.from_scores(Y, S, [{}] * 16)
    with pytest.raises(InputError, match="group 'a' has no case, or its weights sum to 0"):
        ic.Groups.from_scores(Y, S, G, sample_weight=[0] * 7 + [1] * 9)
    with pytest.raises(UnknownNameError, match="north"):
        groups.decide({"a": condition, "b": condition, "north": condition})
    with pytest.raises(InputError, match="lacks the group 'b'"):
        groups.decide({"a": condition})
    with pytest.raises(InputError, match="Condition"):
        groups.decide(0.3)
    for wrong in (
        lambda: groups.parity(condition, "precision"),
        lambda: groups.prices(condition, criterion="odds"),
        lambda: groups.decide(condition, thresholds="both"),
        lambda: groups.parity(condition, "tpr", 1.5),
        lambda: groups.parity(condition, "tpr", "small"),
        lambda: groups.decide(condition, prevalence="mine"),
        lambda: groups.prices(condition, criterion="tpr")(2),
        lambda: groups.prices(condition, criterion="tpr")(10**400),
        lambda: groups.decide(condition)["c"],
    ):
        with pytest.raises(ic.IsocostError):
            wrong()


def test_equal_odds_need_mixtures():
    """One threshold per group has both rates in common with others by chance alone, or flags nobody."""
    groups = ic.Groups.from_scores(Y, S, G)
    for ask in (groups.parity, groups.bootstrap):
        with pytest.raises(InputError, match="equal odds take thresholds mixed at random: pass randomised="):
            ask(ic.Condition(), criterion="odds")


def test_sentences_state_costs_and_nothing_else():
    """What equal rates cost, what a looser rule saves, what to do in each group."""
    groups = ic.Groups.from_scores(Y, S, G)
    text = str(groups.parity(ic.Condition(), "tpr", randomised=True))
    assert text.startswith(
        "Use a rule per group, so that the share of positives caught is equal in all groups. It costs 148 per 1000 cases, on the cases it "
        "was chosen on (each group at its own share of positives). That is 23.4 more than the best cut-off per group. One more point of "
        "tolerance would save 0.938 per 1000.\n"
    )
    assert text.count("with probability") == 2
    within = groups.parity(ic.Condition(), "odds", 0.25, randomised=True)
    assert within.reported().startswith(
        "Use a rule per group, so that the shares of positives caught and of negatives flagged each differ by at most 25 points; here "
    )
    reported = within.reported({"estimate": 0.3, "interval": [0.2, 0.4]}, [-0.01, 0.02], 0.8)
    assert (
        "Expect a cost of about 300 per 1000 new cases (80 % interval 200 to 400); on the cases it was chosen on, it is 125"
        in reported
    )
    assert "That is between 10 less and 20 more than the best cut-off per group (80 % sure)." in reported
    assert str(groups.prices(ic.Condition(), criterion="tpr")) == (
        "An equal share of positives caught costs 23.4 per 1000 cases, and nothing once a gap of 25 points is allowed."
    )
    one = groups.cost_of_one_threshold(ic.Condition())
    assert str(one) == "How much more one cut-off for all costs on new cases than one cut-off per group is not known."
    assert one.reported([-0.031, 0.008]) == (
        "One cut-off for all costs between 31 less and 8 more per 1000 than one cut-off per group (90 % sure)."
    )


def test_no_mixture_where_the_tolerance_has_room_for_a_threshold():
    """Two thresholds of a group cost the same and flag 54 or 62 of 100; the other group flags 60: within five points one will do."""
    y, s, g = [], [], []
    for name, cells in {
        "a": [(3, 45, 9), (2, 5, 3), (1, 2, 36)],  # score, positives, negatives: 54 or 62 flagged
        "b": [(3, 50, 10), (1, 5, 35)],
    }.items():
        for score, positives, negatives in cells:
            y += [1] * positives + [0] * negatives
            s += [score] * (positives + negatives)
            g += [name] * (positives + negatives)
    groups = ic.Groups.from_scores(y, s, g)
    rule = groups.parity(ic.Condition(5, 3), "flagged", 0.05, randomised=True)
    assert rule.price == 0
    assert {name: len(choice.mixture) for name, choice in rule.groups.items()} == {"a": 1, "b": 1}
    assert {name: choice.flagged for name, choice in rule.groups.items()} == pytest.approx({"a": 0.62, "b": 0.6})
    assert len(groups.parity(ic.Condition(5, 3), "flagged", 0.01, randomised=True)["a"].mixture) == 2


def test_equal_odds_of_many_groups_fall_and_save_ever_less():
    """The price falls with the tolerance, in a convex line whose slopes are those printed; equal tpr or fpr alone cost no more."""
    rng = np.random.default_rng(1)
    g = rng.integers(0, 300, 20_000)
    y = rng.random(g.size) < 0.2 + (g % 5) / 10
    groups = ic.Groups.from_scores(y, rng.normal(size=g.size) + y * (0.3 + (g % 7) / 5), g)
    condition, tolerances = ic.Condition(1, 3), [0.0, 1e-4, 0.01, 0.1, 0.4, 1.0]
    found = [groups.parity(condition, "odds", tolerance, randomised=True) for tolerance in tolerances]
    for rule, tolerance in zip(found, tolerances, strict=True):
        assert rule.gap <= tolerance + 1e-12
        for criterion in ("tpr", "fpr"):
            assert groups.prices(condition, criterion=criterion)(tolerance) <= rule.price + 1e-12
        assert all(len(choice.mixture) <= 3 for choice in rule.groups.values())
    for (rule, after), (low, high) in zip(pairwise(found), pairwise(tolerances), strict=True):
        saved = (rule.price - after.price) / (100 * (high - low))
        assert after.price_per_point - 1e-12 <= saved <= rule.price_per_point + 1e-9


def test_parts_that_are_rounding_are_left_out_of_mixtures():
    """A group that stands on a vertex is shown as one threshold, and probabilities add up to 1."""
    y, scores = load_german_credit_predictions()
    ages = load_german_credit_ages()
    group = np.where(ages < 25, "under 25", np.where(ages < 40, "25 to 39", "40 and over"))
    groups = ic.Groups.from_scores(y, scores["random_forest"], group)
    rule = groups.parity(ic.Condition(1, 5), "odds", randomised=True)
    assert [len(choice.mixture) for choice in rule.groups.values()] == [3, 3, 1]
    for choice in rule.groups.values():
        assert sum(part.probability for part in choice.mixture) == pytest.approx(1, abs=1e-15)
    assert "That is 81.9 more than the best cut-off per group." in str(rule)


def test_fractional_weights_end_at_flagging_everybody_exactly():
    """Weights times ten are the same weights: cost, price and hull of equal odds do not hang on the order of a sum."""
    y, s, g = [1, 1, 0, 1, 1, 0, 0], [3, 2, 6, 1, 4, 5, 0], list("bbbabab")
    weights = [0.1, 0.2, 0.8, 0.6, 0.9, 0.1, 0.8]
    found = []
    for factor in (1, 10):
        groups = ic.Groups.from_scores(y, s, g, sample_weight=[round(factor * w, 1) for w in weights])
        parity = groups.parity(ic.Condition(1, 3, 0.5), "odds", 0.1, randomised=True, prevalence="condition")
        found.append((parity.expected_cost, parity.price_per_point))
        assert groups.hull("b")[1].tolist() == [0, 1, 1]
    assert found[0] == pytest.approx(found[1])
    assert found[0][0] == pytest.approx(0.44)


CONDITION = ic.Condition(cost_fp=1, cost_fn=2)


def draw(seed, size=150):
    """Two groups whose scores tell more in one than in the other."""
    rng = np.random.default_rng(seed)
    g = np.repeat(["a", "b"], size)
    y = rng.random(2 * size) < np.where(g == "a", 0.5, 0.3)
    return y, rng.normal(size=2 * size) + np.where(g == "a", 1.6, 0.9) * y, g


@pytest.fixture(scope="module")
def groups():
    """One sample of them."""
    return ic.Groups.from_scores(*draw(1))


@pytest.fixture(scope="module")
def resampled(groups):
    """Its resamples, with equal tpr as a rule."""
    return groups.bootstrap(CONDITION, criterion="tpr", randomised=True, n_resamples=300, rng=0)


def test_apparent_numbers_are_those_of_the_rules(groups, resampled):
    """Costs, the extra cost of one for all and the price of equal rates, as decided on the data."""
    each, parity = groups.decide(CONDITION), groups.parity(CONDITION, "tpr", randomised=True)
    assert resampled.interval("cost").apparent == pytest.approx(each.expected_cost, abs=1e-14)
    assert resampled.interval("cost", group="a").apparent == each["a"].cost
    assert resampled.interval("cost", group="b", rule="parity").apparent == parity["b"].cost
    assert resampled.interval("price").apparent == pytest.approx(parity.price, abs=1e-14)
    extra = groups.cost_of_one_threshold(CONDITION)
    assert resampled.interval("extra_cost").apparent == pytest.approx(extra.extra_cost, abs=1e-14)
    assert resampled.interval("extra_cost", group="b").apparent == pytest.approx(extra.by_group["b"], abs=1e-14)


def test_costs_are_corrected_upwards(resampled):
    """A rule looks better on the cases it was chosen on."""
    cost = resampled.interval("cost")
    assert cost.apparent < cost.estimate
    assert cost.low < cost.estimate < cost.high


def test_limits_widen_with_the_level_and_a_seed_gives_the_same_numbers(groups, resampled):
    """0.99 reaches further than 0.5, and drawing again gives the same."""
    wide, narrow = (resampled.interval("cost", level=level) for level in (0.99, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high
    again = groups.bootstrap(CONDITION, criterion="tpr", randomised=True, n_resamples=300, rng=0)
    assert tuple(again.interval("price")) == tuple(resampled.interval("price"))


def test_each_case_is_drawn_within_its_group_and_class(groups):
    """The totals of every group and class stay what they are."""
    rows = groups._rows
    times = rows.multiplicities(np.random.default_rng(3))
    cell = 2 * rows.codes + rows.positive
    assert np.array_equal(np.bincount(cell, times), np.bincount(cell))
    assert times.max() > 1


def test_correction_takes_most_of_the_optimism_out_of_costs():
    """Over twelve samples the corrected cost is much nearer to what the rules truly cost than the apparent one."""
    y, s, g = draw(10**6, 100_000)
    apparent, corrected = [], []
    for seed in range(12):
        own = ic.Groups.from_scores(*draw(seed, 100))
        found = own.bootstrap(CONDITION, n_resamples=60, rng=seed).interval("cost")
        true = 0.0
        for name, choice in own.decide(CONDITION).groups.items():
            hit, mine = s >= choice.threshold, g == name
            fpr, tpr = hit[mine & ~y].mean(), hit[mine & y].mean()
            true += choice.share * choice.condition.expected_cost(float(fpr), float(tpr))
        apparent.append(found.apparent - true)
        corrected.append(found.estimate - true)
    assert np.mean(apparent) < -0.015
    assert abs(np.mean(corrected)) < 0.5 * abs(np.mean(apparent))


def test_costs_are_what_chosen_rules_pay_on_cases_left_out(groups):
    """The estimate, gathered here case by case from the same draws; rules are those that each resample chooses."""
    found = groups.bootstrap(CONDITION, n_resamples=6, rng=4).interval("cost", group="b")
    rows, generator = groups._rows, np.random.default_rng([4])
    hit, left = np.zeros(2), np.zeros(2)
    for _ in range(6):
        times = rows.multiplicities(generator)
        y, s, g = rows.positive, rows.scores[0], rows.codes == 1
        again = ic.Groups.from_scores(*(np.repeat(column, times) for column in (y, s, rows.codes)))
        cut = again.decide(CONDITION)["1"].threshold
        for label in (0, 1):
            outside = g & (y == label) & (times == 0)
            left[label] += outside.sum()
            hit[label] += np.sum(s[outside] >= cut)
    at = groups.conditions(CONDITION)["b"]
    out = at.expected_cost(*(hit / left).tolist())
    assert found.estimate == pytest.approx(found.apparent + C * (out - found.apparent), abs=1e-12)


def test_a_class_of_one_case_is_never_left_out_and_still_has_a_cost():
    """Its rate is the corrected one of the resamples."""
    y = [1] + [0] * 29 + [1, 0] * 15
    groups = ic.Groups.from_scores(y, np.arange(60) % 17, ["a"] * 30 + ["b"] * 30)
    with pytest.warns(FewCasesWarning, match="'a', 'b'"):
        found = groups.bootstrap(CONDITION, n_resamples=20, rng=1).interval("cost", group="a")
    assert np.all(np.isfinite([found.low, found.estimate, found.high]))
    assert found.low <= found.estimate <= found.high


def test_groups_with_few_cases_are_named_once():
    """In the warning and in the result."""
    y = [1, 0] * 14
    with pytest.warns(FewCasesWarning, match=r"'g0', 'g1', 'g2', 'g3', 'g4', 'g5', 'g6'") as notice:
        found = ic.Groups.from_scores(y, range(28), np.repeat([f"g{i}" for i in range(7)], 4)).bootstrap(
            CONDITION, n_resamples=5
        )
    assert len(notice) == 1
    assert len(found.few) == 7
    assert repr(found).endswith("7 with fewer than 20 positives or negatives>")


def test_what_cannot_be_asked_is_refused(groups, resampled):
    """Unknown groups, quantities and rules; a price without a criterion."""
    plain = groups.bootstrap(CONDITION, n_resamples=5)
    with pytest.raises(UnknownNameError, match="criterion"):
        plain.interval("price")
    with pytest.raises(UnknownNameError, match="criterion"):
        plain.interval("cost", rule="parity")
    with pytest.raises(UnknownNameError, match="'c'"):
        resampled.interval("cost", group="c")
    with pytest.raises(UnknownNameError, match="cost"):
        resampled.interval("costs")
    with pytest.raises(UnknownNameError, match="each"):
        resampled.interval("cost", rule="both")
    with pytest.raises(InputError, match="level"):
        resampled.interval("cost", level=1)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_groups_of_a_frame_that_is_not_in_memory_are_those_of_its_rows(engine):
    """Rules, costs and prices to the last digit; intervals from joint counts, close to those from the rows."""
    pl, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    y, scores = load_german_credit_predictions()
    models = {name: scores[name] for name in ("random_forest", "naive_bayes")}
    group = np.where(load_german_credit_ages() < 30, "young", "old")
    rows = pl.DataFrame({"y": y, **models, "age": group})
    frame = rows.lazy() if engine == "polars" else duckdb.sql("select * from rows")
    columns = {"label": "y", "scores": list(models), "group": "age"}
    memory, counted = ic.Groups.from_scores(y, models, group), ic.Groups.from_frame(frame, **columns)
    condition = ic.Condition(1, 5)
    for thresholds in ("each", "one"):
        assert counted.decide(condition, thresholds=thresholds) == memory.decide(condition, thresholds=thresholds)
    assert counted.parity(condition, "tpr", 0.03) == memory.parity(condition, "tpr", 0.03)
    assert counted.parity(condition, "odds", 0.03, True).price == memory.parity(condition, "odds", 0.03, True).price
    drawn = [groups.bootstrap(condition, n_resamples=200) for groups in (memory, counted)]
    for what in ("cost", "extra_cost"):
        own, other = (boot.interval(what) for boot in drawn)
        assert (other.apparent, other.estimate) == (own.apparent, pytest.approx(own.estimate, abs=0.02))
        assert list(other) == pytest.approx(list(own), abs=0.03)
    report = ic.Comparison.from_frame(frame, label="y", scores=list(models)).report(
        condition=ic.Condition(1, 5, 0.3), group=counted, n_resamples=20
    )
    assert {row["group"] for row in report.summary["groups"]["rows"]} == {"old", "young"}
    assert all(row["interval"] for row in report.summary["groups"]["rows"])
    with pytest.raises(InputError, match="needs the cases"):
        counted.case_weights(condition)


@pytest.mark.parametrize("kind", ["weights", "a group of one class", "in buckets"])
def test_groups_are_counted_together_whatever_they_are(kind, monkeypatch):
    """With weights, with a group that has no negatives, and where scores are too many to be listed: as from the rows."""
    pl = pytest.importorskip("polars")
    rng = np.random.default_rng(4)
    size = 4000
    y = (rng.random(size) < 0.4).astype(int)
    group = rng.choice(["a", "b", "c"], size, p=[0.6, 0.3, 0.1])
    columns = {"y": y, "s": rng.normal(y + 0.5 * (group == "b"), 1), "t": rng.normal(1.2 * y, 1), "g": group}
    weight = None
    if kind == "weights":
        columns["w"] = weight = rng.choice([0.0, 0.5, 1.0, 3.0], size)
    elif kind == "in buckets":
        monkeypatch.setattr("isocost.data.count.BITS", 8)
        monkeypatch.setattr("isocost.data.count.MOST_ROWS", 512)
    else:
        group[:5], y[:5] = "only", 1
    found = ic.Groups.from_frame(
        pl.LazyFrame(columns), label="y", scores=["s", "t"], group="g", weight="w" if kind == "weights" else None
    )
    memory = ic.Groups.from_scores(y, {"s": columns["s"], "t": columns["t"]}, group, sample_weight=weight)
    assert found.names == memory.names
    condition = ic.Condition(1, 3)
    for thresholds in ("each", "one"):
        mine, theirs = (groups.decide(condition, thresholds=thresholds) for groups in (found, memory))
        assert mine.thresholds == theirs.thresholds
        assert [c.cost for c in mine.groups.values()] == pytest.approx(
            [c.cost for c in theirs.groups.values()], abs=1e-12
        )
    if kind == "weights":
        own, other = (g.bootstrap(condition, n_resamples=200).interval("cost") for g in (memory, found))
        assert list(other) == pytest.approx(list(own), abs=0.03)


def test_groups_that_cannot_be_counted_where_they_are_are_refused_with_the_reason():
    """Too many groups; and models other than the comparison's."""
    pl = pytest.importorskip("polars")
    frame = pl.LazyFrame({"y": Y, "s": S, "g": G})
    many = pl.LazyFrame({"y": [0, 1] * 101, "s": range(202), "g": [i // 2 for i in range(202)]})
    with pytest.raises(
        InputError, match=r"'g' holds 101 different values, .* counts 100 parts at most; pass frame.collect\(\)"
    ):
        ic.Groups.from_frame(many, label="y", scores="s", group="g")
    groups = ic.Groups.from_frame(frame, label="y", scores="s", group="g")
    with pytest.raises(InputError, match="the models of group must name those of the comparison, 't'; got 's'"):
        ic.Comparison.from_scores(Y, {"t": S}).report(condition=ic.Condition(1, 5, 0.3), group=groups, n_resamples=0)

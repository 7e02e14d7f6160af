import json
import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError, UnknownNameError
from tests.oracles import classes as oracle

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "classes.json").read_text(encoding="utf-8"))
RNG = np.random.default_rng(0)


def entries(costs):
    """Costs of a golden file: lists are ranges."""
    return [[tuple(value) if isinstance(value, list) else value for value in row] for row in costs]


def matrix_of(inputs):
    """The cost matrix of a golden case, and the number to move along."""
    refer, number = inputs["refer"], inputs["number"]
    matrix = ic.CostMatrix(entries(inputs["costs"]), refer=tuple(refer) if isinstance(refer, list) else refer)
    return matrix, number if number == "refer" else tuple(number)


def costs_of(decision):
    """The cost of every competitor."""
    return {decision.model: decision.expected_cost} | {a.model: a.expected_cost for a in decision.alternatives}


def made():
    """Three models of 600 cases, as the golden file says."""
    r = np.random.default_rng(0)
    n, k = 600, 3
    y = r.integers(0, k, n)

    def model(d, t):
        z = r.normal(size=(n, k))
        z[np.arange(n), y] += d
        e = np.exp(t * z)
        return e / e.sum(1, keepdims=True)

    return y, {"sharp": model(1.2, 2.5), "soft": model(1.2, 1.0), "weak": model(0.6, 0.6)}


Y, SCORES = made()
MADE = ic.ClassComparison.from_scores(Y, SCORES)
COSTS = [[0, 1, (1, 20)], [1, 0, 2], [3, (0.5, 4), 0]]


@pytest.mark.parametrize("case", GOLDEN["cases"])
def test_decisions_and_winners_are_the_worked_ones(case):
    """Scores in sixteenths, costs as exact fractions, with ties and with a person to refer to."""
    comparison = ic.ClassComparison.from_scores(case["inputs"]["y_true"], case["inputs"]["scores"])
    matrix, number = matrix_of(case["inputs"])
    decision, expected = comparison.decide(matrix), case["decide"]
    assert decision.model == expected["model"]
    assert costs_of(decision) == pytest.approx({k: v["value"] for k, v in expected["costs"].items()}, abs=1e-12)
    assert decision.drift[number] == pytest.approx(tuple(expected["drift"]))
    assert [a.expected_cost for a in decision.alternatives] == sorted(a.expected_cost for a in decision.alternatives)
    winners, along = comparison.along(matrix, number), case["along"]
    assert [win.model for win in winners.wins] == [name for name, _, _ in along["wins"]]
    assert [(w.low, w.high) for w in winners.wins] == [pytest.approx(tuple(ends)) for _, *ends in along["wins"]]
    for point in along["costs_at"]:
        for name in case["inputs"]["scores"]:
            assert float(winners.curves[name](point["at"])) == pytest.approx(point[name]["value"], abs=1e-12)


@pytest.mark.parametrize("expected", GOLDEN["made"]["results"])
def test_the_made_example_has_its_worked_values(expected):
    """600 cases, two uncertain entries: costs, labels, drift, winners, pieces."""
    matrix = ic.CostMatrix(COSTS, refer=expected["refer"])
    decision, winners = MADE.decide(matrix), MADE.along(matrix, (0, 2))
    assert (decision.model, decision.expected_cost) == (expected["model"], pytest.approx(expected["expected_cost"]))
    assert [(a.model, a.expected_cost) for a in decision.alternatives] == [
        (name, pytest.approx(cost)) for name, cost in expected["alternatives"].items()
    ]
    assert {str(label): share for label, share in decision.labelled.items()} == pytest.approx(expected["labelled"])
    assert decision.referred == pytest.approx(expected["labelled"].get("refer", 0.0))
    assert {str(number): list(ends) for number, ends in decision.drift.items()} == {
        number: pytest.approx(ends, rel=1e-12) for number, ends in expected["drift"].items()
    }
    assert [[w.model, w.low, w.high] for w in winners.wins] == [
        [name, pytest.approx(low), pytest.approx(high)] for name, low, high in expected["wins_along_0_2"]
    ]
    assert {name: winners.curves[name].slopes.size for name in SCORES} == expected["pieces"]
    assert {name: float(winners.curves[name](5)) for name in SCORES} == pytest.approx(expected["cost_at_5"])
    assert sum(winners.shares.values()) == pytest.approx(1)


def test_confusion_matrices_are_priced_entry_by_entry():
    """The worked example of two models."""
    golden = GOLDEN["confusion"]
    comparison = ic.ClassComparison.from_confusion(golden["confusion"])
    decision = comparison.decide(ic.CostMatrix(entries(golden["costs"])))
    assert (decision.model, decision.expected_cost) == (golden["model"], pytest.approx(golden["expected_cost"]))
    assert {a.model: a.expected_cost for a in decision.alternatives} == pytest.approx(golden["alternatives"])
    assert decision.drift == {(2, 0): (1.0, 20.0)}
    assert decision.text.startswith("Use a, with its labels as they are.")


@st.composite
def problems(draw):
    """Cases in sixteenths with ties, costs in halves, shares, and a number to move along."""
    k, n = draw(st.integers(2, 4)), draw(st.integers(4, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    y = np.concatenate([np.arange(k), rng.integers(0, k, max(n - k, 0))])
    scores = {name: rng.multinomial(16, np.ones(k) / k, y.size) / 16 for name in "ab"}
    costs = (rng.integers(1, 9, (k, k)) / 2).tolist()
    for i in range(k):
        costs[i][i] = 0
    refer = draw(st.sampled_from([None, 0.5, (0.25, 3)]))
    i, j = rng.choice(k, 2, replace=False)
    costs[i][j] = (0.5, 8.0)
    number = "refer" if isinstance(refer, tuple) and draw(st.booleans()) else (int(i), int(j))
    shares = None if draw(st.booleans()) else dict(zip(range(k), rng.dirichlet(np.ones(k)).tolist(), strict=True))
    weights = None if draw(st.booleans()) else rng.integers(1, 4, y.size)
    return y, scores, costs, refer, number, shares, weights


@given(problems())
def test_costs_along_a_number_are_those_of_labelling_anew(problem):
    """Between the breaks, at random values, with ties, shares and weights: case by case."""
    y, scores, costs, refer, number, shares, weights = problem
    k = len(costs)
    comparison = ic.ClassComparison.from_scores(y, scores, sample_weight=weights)
    winners = comparison.along(ic.CostMatrix(costs, refer=refer), number, shares=shares)
    mass = np.bincount(y, weights, k)
    scale = np.ones(k) if shares is None else np.array(list(shares.values())) * mass.sum() / mass

    def mean(value):
        return np.mean(value)

    edges = np.unique(np.concatenate([curve.breaks for curve in winners.curves.values()]))
    assert (edges[0], edges[-1]) == (winners.low, winners.high)
    for theta in (edges[:-1] + edges[1:]) / 2:
        table = [[mean(value) for value in row] + ([] if refer is None else [mean(refer)]) for row in costs]
        if number == "refer":
            table = [[*row[:-1], theta] for row in table]
        else:
            table[number[0]][number[1]] = theta
        table = [[scale[i] * value for value in row] for i, row in enumerate(table)]
        paid = {}
        for name, p in scores.items():
            paid[name] = oracle.cost(y, oracle.labels(p, table), table, weights)
            assert float(winners.curves[name](theta)) == pytest.approx(paid[name], abs=1e-9)
        for j, name in enumerate([f"always {c}" for c in range(k)] + ([] if refer is None else ["always refer"])):
            paid[name] = oracle.cost(y, [j] * y.size, table, weights)
            assert float(winners.curves[name](theta)) == pytest.approx(paid[name], abs=1e-9)
        [winner] = [win.model for win in winners.wins if win.low <= theta < win.high]
        assert paid[winner] == pytest.approx(min(paid.values()), abs=1e-9)


@given(problems())
def test_winners_fill_the_range_and_the_drift_holds_what_it_says(problem):
    """No gap, no winner twice in a row; within the drift nothing is cheaper than the decision, beyond it something is."""
    y, scores, costs, refer, number, shares, weights = problem
    comparison = ic.ClassComparison.from_scores(y, scores, sample_weight=weights)
    matrix = ic.CostMatrix(costs, refer=refer)
    winners, decision = comparison.along(matrix, number, shares=shares), comparison.decide(matrix, shares=shares)
    ends = [winners.wins[0].low, *(win.high for win in winners.wins)]
    assert (ends[0], ends[-1]) == (winners.low, winners.high)
    assert all(a < b for a, b in pairwise(ends))
    assert [win.low for win in winners.wins] == ends[:-1]
    assert all(a.model != b.model for a, b in pairwise(winners.wins))
    low, high = decision.drift[number]
    edges = np.unique(np.concatenate([[low, high], *(curve.breaks for curve in winners.curves.values())]))
    for theta in (edges[:-1] + edges[1:]) / 2:
        paid = {name: float(curve(theta)) for name, curve in winners.curves.items()}
        if low < theta < high:
            assert paid[decision.model] <= min(paid.values()) + 1e-9


def test_two_classes_are_the_score_driven_decision():
    """The same model at the same cost as thresholds at the cost ratio, at the prevalence of the data."""
    y, scores = load_german_credit_predictions()
    both = {name: np.column_stack([1 - s, s]) for name, s in scores.items()}
    for cost_fp, cost_fn in ((1, 5), (2, 1), (1, 1), (3, 2)):
        found = ic.ClassComparison.from_scores(y, both).decide(ic.CostMatrix([[0, cost_fp], [cost_fn, 0]]))
        over = ic.Condition(cost_fp, cost_fn, float(np.mean(y)))
        expected = ic.Comparison.from_scores(y, scores).decide(over, method="score_driven")
        assert (found.model, found.expected_cost) == (expected.model, pytest.approx(expected.expected_cost))


def test_confidence_is_that_of_redrawing_case_by_case():
    """Price, interval and differences to every competitor against the slow way, on 60 cases."""
    y, scores = Y[:60], {name: p[:60] for name, p in SCORES.items()}
    comparison, matrix = ic.ClassComparison.from_scores(y, scores), ic.CostMatrix(COSTS)
    decision = comparison.decide(matrix, n_resamples=40)
    m = np.array([[0, 1, 10.5], [1, 0, 2], [3, 2.25, 0]])
    rules = [*(oracle.labels(p, m) for p in scores.values()), *([j] * 60 for j in range(3))]
    paid = np.column_stack([m[y, rule] for rule in rules])
    names = [*scores, "always 0", "always 1", "always 2"]
    shares = np.bincount(y) / y.size
    price, extras = oracle.confidence(y, paid, shares, names.index(decision.model), 40, 0.9)
    found = decision.confidence
    assert (found.price, *found.interval) == pytest.approx(price)
    for other in decision.alternatives:
        _, low, high = extras[names.index(other.model)]
        assert other.extra_interval == pytest.approx((low, max(high, 0)))
    assert found.worst_loss == pytest.approx(max(0, -min(low for _, low, _ in extras.values())))
    assert found.good_enough == pytest.approx(0.05 * found.price)


def test_grades_follow_the_bound_on_the_loss():
    """Clear where nothing can be cheaper, at most leaning with few cases of a class, none with fewer than five."""
    refer = ic.CostMatrix(COSTS, refer=0.4)
    clear = MADE.decide(refer, n_resamples=100)
    assert (clear.confidence.grade, clear.confidence.labels.enough) == ("clear", 0)
    assert clear.text.endswith("Clear: no other model here is cheaper (95 % sure).")
    kept = np.r_[np.flatnonzero(Y != 2), np.flatnonzero(Y == 2)[:20]]
    few = ic.ClassComparison.from_scores(Y[kept], {n: p[kept] for n, p in SCORES.items()}).decide(
        refer, n_resamples=100
    )
    assert few.confidence.grade != "clear"
    assert "Only 20 cases of 2: too few to call anything clear." in few.text
    kept = kept[:-17]
    fewer = ic.ClassComparison.from_scores(Y[kept], {n: p[kept] for n, p in SCORES.items()}).decide(
        refer, n_resamples=100
    )
    assert (fewer.confidence.price, fewer.confidence.grade) == (None, None)
    assert "Too few cases of 2 (3) to say what it will cost on new ones." in fewer.text


def test_where_no_model_pays_one_label_is_the_decision():
    """Its cost is exact, whatever cases are drawn."""
    rng = np.random.default_rng(1)
    noise = {name: rng.dirichlet(np.ones(3), 60) for name in "ab"}
    y = np.repeat([0, 1, 2], [50, 5, 5])
    decision = ic.ClassComparison.from_scores(y, noise).decide(ic.CostMatrix(1 - np.eye(3)), n_resamples=50)
    assert decision.model == "always 0"
    assert decision.confidence.interval == pytest.approx((1 / 6, 1 / 6))
    assert not decision.confidence.pays
    assert decision.text.startswith("Give every case the label 0: no model costs less. It costs 167 per 1000 cases.")


def test_models_with_the_same_labels_differ_by_at_most_the_rule_of_three():
    """And a decision without an error here may still cost something on new cases."""
    y = np.tile([0, 1, 2], 20)
    right = np.eye(3)[y]
    softer = 0.8 * right + 0.2 / 3
    found = ic.ClassComparison.from_scores(y, {"a": right, "b": softer}).decide(
        ic.CostMatrix([[0, 1, 4], [1, 0, 2], [3, 2, 0]]), n_resamples=50
    )
    assert found.alternatives[0].extra_interval == pytest.approx((-3 * 4 / 60, 3 * 4 / 60))
    assert found.confidence.interval == (0.0, pytest.approx(3 * 4 / 3 / 20))


def test_shares_scale_rows_of_the_matrix():
    """A class twice as frequent in use is a row twice as expensive, in the labels and in the bill."""
    shares = {0: 0.5, 1: 0.3, 2: 0.2}
    scale = np.array([shares[c] / MADE.shares[c] for c in range(3)])
    plain = np.array([[0, 1, 10.5], [1, 0, 2], [3, 2.25, 0]])
    found = MADE.decide(ic.CostMatrix(plain), shares=shares)
    scaled = MADE.decide(ic.CostMatrix(scale[:, None] * plain))
    assert costs_of(found) == pytest.approx(costs_of(scaled))
    assert sum(found.labelled.values()) == pytest.approx(1)
    assert {c: sum(row.values()) for c, row in found.confusion.items()} == pytest.approx(shares)


def test_weights_are_repetitions():
    """In the costs and along a number."""
    weights = np.random.default_rng(3).integers(1, 4, Y.size)
    weighted = ic.ClassComparison.from_scores(Y, SCORES, sample_weight=weights)
    repeated = ic.ClassComparison.from_scores(
        np.repeat(Y, weights), {name: np.repeat(p, weights, axis=0) for name, p in SCORES.items()}
    )
    matrix = ic.CostMatrix(COSTS)
    assert costs_of(weighted.decide(matrix)) == pytest.approx(costs_of(repeated.decide(matrix)))
    theta = np.linspace(1, 20, 30)
    for name in SCORES:
        one, other = (c.along(matrix, (0, 2)).curves[name](theta) for c in (weighted, repeated))
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_labels_kept_as_they_are_cost_what_their_confusion_matrix_costs():
    """Labels, confusion matrices and the labels that probabilities lead to agree."""
    m = np.array([[0, 1, 10.5], [1, 0, 2], [3, 2.25, 0]])
    labels = {name: np.array(oracle.labels(p, m)) for name, p in SCORES.items()}
    tables = {
        name: [[int(np.sum((i == Y) & (given == j))) for j in range(3)] for i in range(3)]
        for name, given in labels.items()
    }
    matrix = ic.CostMatrix(m)
    expected = costs_of(MADE.decide(matrix))
    assert costs_of(ic.ClassComparison.from_labels(Y, labels).decide(matrix)) == pytest.approx(expected)
    assert costs_of(ic.ClassComparison.from_confusion(tables).decide(matrix)) == pytest.approx(expected)


def test_classes_of_a_matrix_may_come_in_any_order():
    """By name the same costs are meant; without names, those of the comparison."""
    names = np.array(["low", "mid", "high"])[Y]
    comparison = ic.ClassComparison.from_scores(names, SCORES, classes=["low", "mid", "high"])
    turned = [[COSTS[i][j] for j in (2, 0, 1)] for i in (2, 0, 1)]
    found = comparison.decide(ic.CostMatrix(turned, classes=["high", "low", "mid"]))
    plain = comparison.decide(ic.CostMatrix(COSTS))
    assert costs_of(found) == costs_of(plain)
    assert found.drift == plain.drift
    assert set(found.drift) == {("low", "high"), ("high", "mid")}
    assert found.matrix.classes == ("low", "mid", "high")


def test_beliefs_count_by_their_means():
    """A distribution and a range with the same mean decide alike; a belief without ends is drawn between its 1 % quantiles."""
    gamma = stats.gamma(21, scale=0.5)
    found = MADE.decide(ic.CostMatrix([[0, 1, gamma], [1, 0, 2], [3, 2.25, 0]]))
    plain = MADE.decide(ic.CostMatrix([[0, 1, 10.5], [1, 0, 2], [3, 2.25, 0]]))
    assert costs_of(found) == pytest.approx(costs_of(plain))
    assert (found.along[0, 2].low, found.along[0, 2].high) == (0.0, pytest.approx(gamma.ppf(0.99)))


def test_probabilities_that_are_not_calibrated_are_named():
    """Where the likeliest class costs less than the label by expected cost."""
    p = np.array([[0.55, 0.45]] * 8)
    y = [0] * 7 + [1]
    [warning] = ic.ClassComparison.from_scores(y, {"m": p}).decide(ic.CostMatrix([[0, 1], [2, 0]])).warnings
    assert warning == (
        "m: labelling by the highest probability costs less (250 instead of 875 per 1000 cases): its probabilities are not calibrated"
    )


def test_sentences_say_where_the_choice_depends_on_a_number():
    """Always, within a range, or with a lead that changes by chance."""
    restless = MADE.decide(ic.CostMatrix(COSTS)).text
    assert (
        "the lead changes 18 times while labelling 0 as 2 costs 1 to 20: soft is cheapest over 86 % of the range and sharp over 14 %."
        in restless
    )
    always = MADE.decide(ic.CostMatrix(COSTS, refer=0.4), unit="€").text
    assert "or refer it to a person (79 % of the cases). On these cases it costs €350 per 1000." in always
    assert "the cheapest whatever labelling 0 as 2 costs between €1 and €20 and whatever labelling 2 as 1" in always
    models = {"a": [[4, 1], [2, 3]], "b": [[5, 0], [3, 2]]}
    within = ic.ClassComparison.from_confusion(models).decide(ic.CostMatrix([[0, 1], [(0.5, 1.75), 0]]))
    assert within.model == "a"
    assert (
        "On these cases it stays the cheapest while labelling 1 as 0 costs 1 to 1.75 (0.5 to 1.75 was given, 1.13 on average)."
        in within.text
    )


def test_results_become_plain_data_and_travel():
    """With numbers as keys, and as JSON."""
    decision = MADE.decide(ic.CostMatrix(COSTS, refer=(0.2, 2)), n_resamples=20)
    data = json.loads(json.dumps(decision.to_dict()))
    assert list(data["drift"]) == ["0→2", "2→1", "refer"]
    assert data["matrix"]["costs"][0][2] == {"low": 1.0, "high": 20.0, "mean": 10.5, "certain": False}
    assert data["labelled"]["refer"] == data["referred"]
    assert pickle.loads(pickle.dumps(decision)).to_dict() == decision.to_dict()
    assert repr(MADE) == "<ClassComparison of 'sharp', 'soft', 'weak': 600 cases, classes 0, 1, 2>"
    assert "<table>" in decision._repr_html_()
    assert MADE.to_dict()["names"] == ["sharp", "soft", "weak"]
    assert repr(ic.CostMatrix([[0, 1], [1, 0]])) == "<CostMatrix of 2 classes: all entries certain>"


def test_a_curve_has_an_end():
    """Beyond its range nothing is known."""
    curve = MADE.along(ic.CostMatrix(COSTS), (0, 2)).curves["soft"]
    with pytest.raises(InputError, match="theta must lie between 1 and 20"):
        curve(21)


def test_a_certain_number_needs_a_range():
    """`between` moves along any entry, in any order of asking."""
    matrix = ic.CostMatrix([[0, 1, 10.5], [1, 0, 2], [3, (0.5, 4), 0]], refer=1)
    moved = MADE.along(matrix, (0, 2), between=(1, 20))
    plain = MADE.along(ic.CostMatrix(COSTS, refer=1), (0, 2))
    assert moved.wins == plain.wins
    assert MADE.along(matrix, "refer", between=(0.1, 1)).high == 1
    with pytest.raises(ConditionError, match="labelling 0 as 2 has a certain cost"):
        MADE.along(matrix, (0, 2))
    with pytest.raises(UnknownNameError, match="unknown number of the cost matrix"):
        MADE.along(matrix, (0, 3))
    with pytest.raises(ConditionError, match=r"labelling 0 as 2 has a certain cost: pass between="):
        MADE.along(matrix, (0, 2), between=(2, 2))
    with pytest.raises(ConditionError, match="labelling 0 as 2 may cost -1, less than the right label"):
        MADE.along(matrix, (0, 2), between=(-1, 2))


@pytest.mark.parametrize(
    ("costs", "options", "text"),
    [
        (3, {}, "as many rows as columns, two or more; got 3"),
        ([[0, 1]], {}, "as many rows as columns, two or more"),
        ([[0]], {}, "as many rows as columns, two or more"),
        ([[0, float("nan")], [1, 0]], {}, "the cost of labelling 0 as 1 must be a number, got nan"),
        ([[0, "much"], [1, 0]], {}, "the cost of labelling 0 as 1 must be a number, got 'much'"),
        ([[0, (3, 1)], [1, 0]], {}, "the cost of labelling 0 as 1 has low > high"),
        ([[0, np.inf], [1, 0]], {}, "the cost of labelling 0 as 1, its ends and its mean, must be finite, got inf"),
        ([[0, (0, np.inf)], [1, 0]], {}, "must be finite"),
        ([[1, (0.5, 2)], [1, 0]], {}, r"labelling 0 as 1 may cost 0.5, less than the right label \(1\)"),
        ([[0, 0], [0, 0]], {}, "every label costs the same for every class: there is nothing to decide"),
        ([[0, stats.cauchy()], [1, 0]], {}, "the cost of labelling 0 as 1, its ends and its mean, must be finite"),
        ([[0, stats.multivariate_normal([0, 0])], [1, 0]], {}, "must be a frozen scipy.stats distribution"),
        ([[0, 1], [1, 0]], {"refer": np.nan}, "the cost of referring a case must be a number"),
        ([[0, 1], [1, 0]], {"classes": ["a", "a"]}, "classes must be different values, got 'a', 'a'"),
        ([[0, 1], [1, 0]], {"classes": ["a"]}, "classes must be one for each of 2 rows of costs, got 1"),
        ([[0, 1], [1, 0]], {"classes": ["a", "refer"], "refer": 1}, "with handing a case to a person, must be different values"),
    ],
)  # fmt: skip
def test_a_matrix_that_makes_no_sense_is_refused(costs, options, text):
    """With the entry and what is wrong with it."""
    with pytest.raises((ConditionError, InputError), match=text):
        ic.CostMatrix(costs, **options)


Classes = ic.ClassComparison
P = np.array([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]])
TWO = ic.CostMatrix([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Classes.from_scores([0, 1, 0], {"m": 2 * P}), InputError, "must be probabilities .*: 3 of 3 rows, .* row 1 .*from_labels"),
        (lambda: Classes.from_scores([0, 1, 0], {"m": [[1, 0], [2, -1], [0, 1]]}), InputError, "1 of 3 rows, the first is row 2"),
        (lambda: Classes.from_scores([0, 1, 0], {"m": P[:, :1]}), InputError, r"must have shape \(3, 2\), got \(3, 1\)"),
        (lambda: Classes.from_scores([0, 1, 0], {}), InputError, "the dict of models is empty: give at least one, by name"),
        (lambda: Classes.from_scores([0, 1, 0], {"m": P}, sample_weight=[1, 0, 1]), InputError, "sums to 0"),
        (lambda: Classes.from_scores([0, 1, 0], {"m": P}, classes=[0, 1, 1]), InputError, "2 or more different values"),
        (lambda: Classes.from_labels([0, 1, 0], {"m": [0, 1, 7]}), InputError, "labels of 'm' must hold the classes 0, 1, got 7"),
        (lambda: Classes.from_labels([0, 1, 0], {"m": [0, 1]}), InputError, "labels of 'm'"),
        (lambda: Classes.from_labels([0, 1, 0], [0, 1, 0]), InputError, "labels must be a dict of name to labels, got list"),
        (lambda: Classes.from_confusion({"a": [[1, 2], [3, 4]], "b": [[2, 2], [3, 4]]}), InputError, "not of the same cases"),
        (lambda: Classes.from_confusion({"a": [[1, 2, 3], [3, 4, 5]]}), InputError, r"must have shape \(2, 2\), got \(2, 3\)"),
        (lambda: Classes.from_confusion({"a": [[0, 0], [3, 4]]}), InputError, "class 0 has no case"),
        (lambda: Classes.from_confusion({"a": [[1, 2], [3, 4]]}, classes=[1]), InputError, "classes must be one for each of 2 rows, got 1"),
        (lambda: Classes.from_confusion([]), InputError, "must be a dict of name to confusion matrix"),
        (lambda: Classes.from_confusion({"a": [[1, 2], [3, 4]]}).decide(TWO, n_resamples=50), InputError, "has no cases"),
        (lambda: MADE.decide(TWO), InputError, "the rows of the cost matrix must be one for each of 3 classes of the comparison, got 2"),
        (lambda: MADE.decide(ic.CostMatrix(COSTS, classes=[0, 1, 3])), InputError, "those of the comparison, 0, 1, 2; got 0, 1, 3"),
        (lambda: MADE.decide(COSTS), InputError, "matrix must be a CostMatrix, got list"),
        (lambda: MADE.decide(ic.CostMatrix(COSTS), shares={0: 1}), InputError, "shares must name those of the comparison, 0, 1, 2; got 0"),
        (lambda: MADE.decide(ic.CostMatrix(COSTS), shares={0: 0.5, 1: 0.5, 2: 0.5}), InputError, "shares must add up to 1, got 1.5"),
        (lambda: MADE.decide(ic.CostMatrix(COSTS), n_resamples=1), InputError, "n_resamples must be between 10 and"),
        (lambda: Classes.from_scores([0, 1, 0], {"always 0": P}).decide(TWO), InputError, "a model is called 'always 0'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(call, error, text):
    """With what came and what was expected."""
    with pytest.raises(error, match=text):
        call()

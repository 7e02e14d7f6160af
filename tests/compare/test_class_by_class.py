import itertools

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import isocost as ic
from isocost.compare import one_vs_rest
from isocost.errors import ConditionError, InputError, UnknownNameError

RNG = np.random.default_rng(0)
Y = RNG.choice(["cat", "dog", "owl"], 400, p=[0.5, 0.3, 0.2])
CLASSES = ("cat", "dog", "owl")
COSTS = np.array([[0, 1, 4], [2, 0, 1], [6, 3, 0]], dtype=float)


def probabilities(seed, skill):
    """Rows that sum to one, the true class favoured."""
    z = np.random.default_rng(seed).normal(size=(400, 3)) + skill * (Y[:, None] == np.array(CLASSES))
    return np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)


SCORES = {"sharp": probabilities(1, 2.0), "dull": probabilities(2, 0.7)}


@pytest.mark.parametrize(("make", "mode"), [(ic.compare.one_vs_rest, "ovr"), (ic.compare.one_vs_one, "ovo")])
@pytest.mark.parametrize(("weights", "average"), [("equal", "macro"), ("cases", "weighted")])
def test_macro_auc_is_that_of_scikit_learn(make, mode, weights, average):
    """One-vs-rest averages, and Hand and Till's M for one-vs-one."""
    found = make(Y, SCORES).macro("auc", weights=weights)
    for name, p in SCORES.items():
        assert found[name] == pytest.approx(roc_auc_score(Y, p, multi_class=mode, average=average))


def test_each_class_against_the_rest_is_an_ordinary_comparison():
    """By its own column, everything else negative."""
    parts = one_vs_rest(Y, SCORES)
    assert list(parts) == list(CLASSES)
    for c, label in enumerate(CLASSES):
        plain = ic.Comparison.from_scores(label == Y, {name: p[:, c] for name, p in SCORES.items()})
        assert parts[label].winners() == plain.winners()
        assert parts.winners()[label] == plain.winners()
        assert parts.table("voros")[label]["dull"] == ic.voros(plain["dull"])
    assert sum(parts.shares.values()) == pytest.approx(1)


def test_pairs_use_cases_of_two_classes_and_their_four_costs():
    """Positives are the first class; the condition is exact."""
    parts = ic.compare.one_vs_one(Y, SCORES, cost_matrix=COSTS)
    assert list(parts) == list(itertools.permutations(CLASSES, 2))
    rows = (Y == "dog") | (Y == "owl")
    plain = ic.RocCurve.from_scores(Y[rows] == "dog", SCORES["sharp"][rows, 1])
    assert np.array_equal(parts[("dog", "owl")]["sharp"].fp, plain.fp)
    prevalence = np.mean(Y[rows] == "dog")
    assert parts[("dog", "owl")].condition == ic.Condition(cost_fp=3, cost_fn=1, prevalence=prevalence)
    assert parts.decide()[("dog", "owl")].condition == parts[("dog", "owl")].condition


def test_one_vs_rest_weighs_false_alarms_by_whom_they_hit_and_leaves_misses_a_range():
    """Calling an owl a cat costs 6 and a dog 2; a missed cat costs 1 or 4, whichever label it gets."""
    part = one_vs_rest(Y, SCORES, cost_matrix=COSTS)["cat"]
    curve = part["sharp"]
    dogs, owls, cats = (int(np.sum(label == Y)) for label in ("dog", "owl", "cat"))
    assert (curve.positives, curve.negatives) == (cats, 2 * dogs + 6 * owls)
    # The cost a case of flagging by a threshold, by hand, if a missed cat is called an owl.
    flagged = SCORES["sharp"][:, 0] >= 0.4
    paid = 4 * np.sum(~flagged & (Y == "cat")) + 2 * np.sum(flagged & (Y == "dog")) + 6 * np.sum(flagged & (Y == "owl"))
    at = int(curve._points_at(0.4))
    dear = ic.Condition(1, 4, curve.prevalence)
    total = curve.positives + curve.negatives
    assert dear.expected_cost(float(curve.fpr[at]), float(curve.tpr[at])) * total == pytest.approx(paid)
    assert part.condition.low == pytest.approx(dear.t)
    assert part.condition.high == pytest.approx(ic.Condition(1, 1, curve.prevalence).t)


def test_weights_are_repetitions():
    """In every view."""
    w = RNG.integers(1, 4, Y.size)
    again = np.repeat(Y, w)
    repeated = {name: np.repeat(p, w, axis=0) for name, p in SCORES.items()}
    for make in (ic.compare.one_vs_rest, ic.compare.one_vs_one):
        weighted, plain = make(Y, SCORES, cost_matrix=COSTS, sample_weight=w), make(again, repeated, cost_matrix=COSTS)
        for measure in ("auc", "mean_normalised_cost"):
            assert weighted.macro(measure, weights="cases") == pytest.approx(plain.macro(measure, weights="cases"))


def test_columns_may_come_in_another_order():
    """`classes` says which is which."""
    turned = {name: p[:, ::-1] for name, p in SCORES.items()}
    assert one_vs_rest(Y, turned, classes=CLASSES[::-1]).macro("auc") == pytest.approx(
        one_vs_rest(Y, SCORES).macro("auc")
    )


def test_it_shows_itself():
    """As text and as a table with the macro row."""
    parts = ic.compare.one_vs_one(Y, SCORES)
    assert repr(parts).startswith("<ClassByClass: 6 one-vs-one comparisons of 2 models: ('cat', 'dog')")
    assert ">macro</th>" in parts._repr_html_()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: one_vs_rest(Y, {"a": np.ones((400, 2))}), InputError, r"scores of 'a' must have shape \(400, 3\), got \(400, 2\)"),
        (lambda: one_vs_rest(Y, SCORES["dull"]), InputError, "must be a dict of name to scores, got ndarray"),
        (lambda: one_vs_rest(Y, SCORES, classes=["cat", "dog", "emu"]), InputError, "'owl' only in y_true"),
        (lambda: one_vs_rest(Y, SCORES, classes=["cat", "dog", "dog"]), InputError, "two or more different labels"),
        (lambda: one_vs_rest(Y, SCORES, cost_matrix=np.eye(2)), InputError, r"cost_matrix must have shape \(3, 3\), got \(2, 2\)"),
        (lambda: one_vs_rest(Y, SCORES, cost_matrix=np.eye(3)), ConditionError, "calling 'cat' 'dog' costs 0, less than the right"),
        (lambda: one_vs_rest(Y, SCORES)["cow"], UnknownNameError, "unknown class 'cow'"),
        (lambda: one_vs_rest(Y, SCORES).macro("auc", weights="class"), UnknownNameError, "did you mean 'cases'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(call, error, text):
    """With what came and what was expected."""
    with pytest.raises(error, match=text):
        call()


def test_hand_and_tills_area_has_an_interval():
    """Its value is the macro average; of two classes with complementary scores it is DeLong's own interval."""
    rng = np.random.default_rng(5)
    y = np.arange(90) % 3
    scores = rng.normal(size=(90, 3)) + 1.2 * np.eye(3)[y]
    found = ic.compare.hand_till(y, {"m": scores}, level=0.95)["m"]
    assert found.auc == pytest.approx(ic.compare.one_vs_one(y, {"m": scores}).macro("auc")["m"])
    two = rng.normal(size=40) + (np.arange(40) % 2)
    own = ic.delong(np.arange(40) % 2, two, level=0.95)
    pair = ic.compare.hand_till(np.arange(40) % 2, {"m": np.c_[-two, two]}, level=0.95)["m"]
    assert (pair.auc, pair.standard_error, pair.low, pair.high) == pytest.approx(
        (own.auc, own.standard_error, own.low, own.high)
    )
    with pytest.raises(InputError, match=r"two cases of each class, got 1 of 'b'"):
        ic.compare.hand_till(["a", "a", "b"], {"m": np.eye(3)[:, :2]})


def test_its_standard_error_is_that_of_resampled_cases():
    """Cases drawn anew within each class vary the area as much as the formula says, pairs that share cases included."""
    rng = np.random.default_rng(6)
    y = np.repeat([0, 1, 2], [40, 60, 80])
    scores = rng.normal(size=(180, 3)) + np.eye(3)[y]
    found = ic.compare.hand_till(y, {"m": scores})["m"]
    drawn = []
    for _ in range(300):
        rows = np.concatenate([rng.choice(np.flatnonzero(y == c), (y == c).sum()) for c in range(3)])
        drawn.append(ic.compare.hand_till(y[rows], {"m": scores[rows]})["m"].auc)
    assert found.standard_error == pytest.approx(np.std(drawn), rel=0.12)

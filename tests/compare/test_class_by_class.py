import itertools

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import isocost as ic
from isocost.compare import one_vs_rest
from isocost.errors import InputError

RNG = np.random.default_rng(0)
Y = RNG.choice(["cat", "dog", "owl"], 400, p=[0.5, 0.3, 0.2])
CLASSES = ("cat", "dog", "owl")


def probabilities(seed, skill):
    """Rows that sum to one, the true class favoured."""
    z = np.random.default_rng(seed).normal(size=(400, 3)) + skill * (Y[:, None] == np.array(CLASSES))
    return np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)


SCORES = {"sharp": probabilities(1, 2.0), "dull": probabilities(2, 0.7)}


def macro(parts, name, weights=None):
    """The mean AUC of a model."""
    return np.average([ic.auc(part[name]) for part in parts.values()], weights=weights)


@pytest.mark.parametrize(("make", "mode"), [(ic.compare.one_vs_rest, "ovr"), (ic.compare.one_vs_one, "ovo")])
def test_the_mean_auc_is_that_of_scikit_learn(make, mode):
    """One-vs-rest averages, and Hand and Till's M for one-vs-one."""
    parts = make(Y, SCORES)
    for name, p in SCORES.items():
        assert macro(parts, name) == pytest.approx(roc_auc_score(Y, p, multi_class=mode, average="macro"))


def test_each_class_against_the_rest_is_an_ordinary_comparison():
    """By its own column, everything else negative."""
    parts = one_vs_rest(Y, SCORES)
    assert list(parts) == list(CLASSES)
    for c, label in enumerate(CLASSES):
        plain = ic.Comparison.from_scores(label == Y, {name: p[:, c] for name, p in SCORES.items()})
        assert parts[label].winners() == plain.winners()
        assert parts[label].prevalence == np.mean(label == Y)


def test_pairs_use_cases_of_two_classes():
    """Positives are the first class."""
    parts = ic.compare.one_vs_one(Y, SCORES)
    assert list(parts) == list(itertools.permutations(CLASSES, 2))
    rows = (Y == "dog") | (Y == "owl")
    plain = ic.RocCurve.from_scores(Y[rows] == "dog", SCORES["sharp"][rows, 1])
    assert np.array_equal(parts[("dog", "owl")]["sharp"].fp, plain.fp)


def test_weights_are_repetitions():
    """In both views."""
    w = RNG.integers(1, 4, Y.size)
    repeated = {name: np.repeat(p, w, axis=0) for name, p in SCORES.items()}
    for make in (ic.compare.one_vs_rest, ic.compare.one_vs_one):
        weighted, plain = make(Y, SCORES, sample_weight=w), make(np.repeat(Y, w), repeated)
        for name in SCORES:
            assert macro(weighted, name) == pytest.approx(macro(plain, name))


def test_columns_may_come_in_another_order():
    """`classes` says which is which."""
    turned = {name: p[:, ::-1] for name, p in SCORES.items()}
    parts = one_vs_rest(Y, turned, classes=CLASSES[::-1])
    assert macro(parts, "dull") == pytest.approx(macro(one_vs_rest(Y, SCORES), "dull"))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: one_vs_rest(Y, {"a": np.ones((400, 2))}), r"scores of 'a' must have shape \(400, 3\), got \(400, 2\)"),
        (lambda: one_vs_rest(Y, SCORES["dull"]), "must be a dict of name to scores, got ndarray"),
        (lambda: one_vs_rest(Y, SCORES, classes=["cat", "dog", "emu"]), "'owl' only in y_true"),
        (lambda: one_vs_rest(Y, SCORES, classes=["cat", "dog", "dog"]), "two or more different labels"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(call, text):
    """With what came and what was expected."""
    with pytest.raises(InputError, match=text):
        call()


def test_hand_and_tills_area_has_an_interval():
    """Its value is the macro average; of two classes with complementary scores it is DeLong's own interval."""
    rng = np.random.default_rng(5)
    y = np.arange(90) % 3
    scores = rng.normal(size=(90, 3)) + 1.2 * np.eye(3)[y]
    found = ic.compare.hand_till(y, {"m": scores}, level=0.95)["m"]
    assert found.auc == pytest.approx(macro(ic.compare.one_vs_one(y, {"m": scores}), "m"))
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

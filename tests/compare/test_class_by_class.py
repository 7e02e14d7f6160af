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


def test_the_mean_auc_is_that_of_scikit_learn():
    """One-vs-rest averages, and Hand and Till's M over pairs of classes."""
    parts, pairs = one_vs_rest(Y, SCORES), ic.compare.hand_till(Y, SCORES)
    for name, p in SCORES.items():
        assert macro(parts, name) == pytest.approx(roc_auc_score(Y, p, multi_class="ovr", average="macro"))
        assert pairs[name].auc == pytest.approx(roc_auc_score(Y, p, multi_class="ovo", average="macro"))


def test_each_class_against_the_rest_is_an_ordinary_comparison():
    """By its own column, everything else negative."""
    parts = one_vs_rest(Y, SCORES)
    assert list(parts) == list(CLASSES)
    for c, label in enumerate(CLASSES):
        plain = ic.Comparison.from_scores(label == Y, {name: p[:, c] for name, p in SCORES.items()})
        assert parts[label].winners() == plain.winners()
        assert parts[label].prevalence == np.mean(label == Y)


def test_weights_are_repetitions():
    """Of the same cases."""
    w = RNG.integers(1, 4, Y.size)
    repeated = {name: np.repeat(p, w, axis=0) for name, p in SCORES.items()}
    weighted, plain = one_vs_rest(Y, SCORES, sample_weight=w), one_vs_rest(np.repeat(Y, w), repeated)
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
        (lambda: one_vs_rest(Y, SCORES, classes=["cat", "dog", "emu"]), "y_true must hold the classes 'cat', 'dog', 'emu', got owl"),
        (lambda: one_vs_rest(Y, SCORES, classes=["cat", "dog", "dog"]), "2 or more different values"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(call, text):
    """With what came and what was expected."""
    with pytest.raises(InputError, match=text):
        call()


def test_hand_and_tills_area_has_an_interval():
    """Of two classes with complementary scores it is DeLong's own."""
    rng = np.random.default_rng(5)
    two = rng.normal(size=40) + (np.arange(40) % 2)
    own = ic.delong(np.arange(40) % 2, two, level=0.95)
    pair = ic.compare.hand_till(np.arange(40) % 2, {"m": np.c_[-two, two]}, level=0.95)["m"]
    assert (pair.auc, pair.standard_error, pair.low, pair.high) == pytest.approx(
        (own.auc, own.standard_error, own.low, own.high)
    )
    with pytest.raises(InputError, match=r"the number of cases of 'b' must be at least 2, got 1"):
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

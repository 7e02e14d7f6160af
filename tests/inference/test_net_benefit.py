import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions

P = [0.05, 0.2, 0.35, 0.5]


def net_benefit_band(resampled, name, **options):
    """The band of a decision curve."""
    return ic.inference.curve_band(resampled, name, "net_benefit", **options)


@pytest.fixture(scope="module")
def resampled():
    """Three models on the same customers."""
    return ic.bootstrap(*load_german_credit_predictions(), n_resamples=300, rng=1)


def drawn_by_hand(y_true, scores, resamples, rng):
    """Net benefit at P on resamples that keep the classes' sizes, one by one."""
    rng = np.random.default_rng(rng)
    positive, negative = np.flatnonzero(y_true == 1), np.flatnonzero(y_true == 0)
    values = []
    for _ in range(resamples):
        rows = np.concatenate([rng.choice(positive, positive.size), rng.choice(negative, negative.size)])
        y, s = y_true[rows], scores[rows]
        odds = np.array(P) / (1 - np.array(P))
        true = [np.mean((s >= p) & (y == 1)) for p in P]
        false = [np.mean((s >= p) & (y == 0)) for p in P]
        values.append(np.array(true) - odds * np.array(false))
    return np.array(values)


def test_the_centre_is_the_curve_of_the_data(resampled):
    """The same numbers as the exact curve, at every p of the default grid."""
    y_true, scores = load_german_credit_predictions()
    for name in scores:
        band = net_benefit_band(resampled, name)
        curve = ic.curves.net_benefit_curve(ic.RocCurve.from_scores(y_true, scores[name]))
        np.testing.assert_allclose(band.centre, curve(band.at), rtol=0, atol=1e-12)


def test_limits_are_those_of_a_plain_stratified_bootstrap():
    """Up to the noise of two independent sets of resamples: a tenth of the band's width on 2000 of them."""
    y_true, scores = load_german_credit_predictions()
    many = ic.bootstrap(y_true, {"nb": scores["naive_bayes"]}, n_resamples=2000, rng=3)
    band = net_benefit_band(many, "nb", at=P)
    low, high = np.quantile(drawn_by_hand(y_true, scores["naive_bayes"], 2000, 7), [0.05, 0.95], axis=0)
    width = high - low
    assert np.all(np.abs(band.low - low) < 0.1 * width)
    assert np.all(np.abs(band.high - high) < 0.1 * width)


def test_a_simultaneous_band_holds_the_pointwise_one(resampled):
    """It has to be right everywhere at once."""
    point, whole = (net_benefit_band(resampled, "naive_bayes", kind=kind) for kind in ("pointwise", "simultaneous"))
    middle = slice(5, 60)
    assert np.mean((whole.high - whole.low)[middle]) > np.mean((point.high - point.low)[middle])
    assert np.all(whole.low <= whole.centre)
    assert np.all(whole.centre <= whole.high)


def test_differences_are_paired_and_change_sign_with_the_order(resampled):
    """The difference of two models that are one is 0 without doubt."""
    y_true, scores = load_german_credit_predictions()
    twins = ic.bootstrap(y_true, {"a": scores["naive_bayes"], "b": scores["naive_bayes"]}, n_resamples=50)
    same = net_benefit_band(twins, "a", versus="b", at=P)
    assert same.low.tolist() == same.high.tolist() == [0.0] * len(P)
    one = net_benefit_band(resampled, "random_forest", versus="naive_bayes", at=P)
    other = net_benefit_band(resampled, "naive_bayes", versus="random_forest", at=P)
    np.testing.assert_allclose(one.centre, -other.centre, rtol=0, atol=1e-12)
    assert one.name == "random_forest − naive_bayes"


def test_folds_are_averaged():
    """Scores are probabilities, the same for all folds: the centre is the mean of the folds' curves."""
    y_true, scores = load_german_credit_predictions()
    fold, chosen = np.arange(y_true.size) % 5, scores["naive_bayes"]
    band = net_benefit_band(ic.bootstrap(y_true, {"nb": chosen}, n_resamples=20, fold=fold), "nb", at=P)
    curves = [ic.RocCurve.from_scores(y_true[fold == k], chosen[fold == k]) for k in range(5)]
    expected = np.mean([ic.curves.net_benefit_curve(c, prevalence=band.prevalence)(P) for c in curves], axis=0)
    np.testing.assert_allclose(band.centre, expected, rtol=0, atol=1e-12)


def test_another_prevalence_moves_the_band(resampled):
    """With 10 % positive the net benefit cannot exceed 0.1."""
    band = net_benefit_band(resampled, "naive_bayes", prevalence=0.1, at=P)
    assert band.prevalence == 0.1
    assert np.all(band.high <= 0.1)


def test_what_has_no_band_is_refused(resampled):
    """Unknown models, scores that are no probabilities, p that do not ascend, confusion matrices."""
    with pytest.raises(ic.IsocostError, match="unknown model 'forest'"):
        net_benefit_band(resampled, "forest")
    with pytest.raises(ic.IsocostError, match="at must ascend, each value once"):
        net_benefit_band(resampled, "naive_bayes", at=[0.3, 0.2])
    with pytest.raises(ic.IsocostError, match="at must lie where net benefit has a value, got 1"):
        net_benefit_band(resampled, "naive_bayes", at=[0.5, 1.0])
    y_true, scores = load_german_credit_predictions()
    logits = ic.bootstrap(y_true, {"m": 9 * scores["naive_bayes"]}, n_resamples=5)
    with pytest.raises(ic.IsocostError, match="net benefit needs probabilities"):
        net_benefit_band(logits, "m")
    with pytest.raises(ic.IsocostError, match="curve_band needs the cases themselves"):
        net_benefit_band(ic.inference.bootstrap_confusion({"m": (16, 4, 4, 6)}), "m")


def test_the_band_is_plain_data_too(resampled):
    """For JSON."""
    band = net_benefit_band(resampled, "naive_bayes", at=P)
    assert band.to_dict()["at"] == P
    assert band.to_dict()["names"] == ["naive_bayes"]

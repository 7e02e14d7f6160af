import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import isocost as ic
from isocost.curves.roc import points_at
from isocost.errors import InputError

X, Y = make_classification(300, weights=[0.7], flip_y=0.1, random_state=3)
MODELS = {"logistic": LogisticRegression(), "bayes": GaussianNB(), "svm": LinearSVC(random_state=0)}
CV = StratifiedKFold(3, shuffle=True, random_state=0)


def scores(name, cv=CV):
    """Out-of-fold scores by scikit-learn's own function."""
    method = "decision_function" if name == "svm" else "predict_proba"
    found = cross_val_predict(MODELS[name], X, Y, cv=cv, method=method)
    return found if name == "svm" else found[:, 1]


def test_cross_validated_models_are_compared_by_their_out_of_fold_scores():
    """As if one had collected them by hand."""
    found = ic.Comparison.from_estimators(MODELS, X, Y, cv=CV)
    by_hand = ic.Comparison.from_scores(Y, {name: scores(name) for name in MODELS})
    assert found.names == tuple(MODELS)
    assert found.fingerprint == by_hand.fingerprint
    assert found.winners() == by_hand.winners()


def test_fold_average_is_the_mean_of_the_costs_of_folds():
    """At every condition, exactly; and it is not the cost of the pooled curve."""
    found = ic.Comparison.from_estimators(MODELS, X, Y, cv=CV)
    average, folds = found.fold_average(), found.by_fold()
    assert len(folds) == 3
    pcf = np.linspace(0, 1, 41)
    for name in MODELS:
        mean = np.mean([ic.cost_curve(fold[name])(pcf) for fold in folds.values()], axis=0)
        assert np.allclose(ic.cost_curve(average[name])(pcf), mean, atol=1e-12)
        assert np.all(ic.cost_curve(average[name])(pcf) <= ic.cost_curve(found[name])(pcf) + 0.05)
    for fold, (_, test) in zip(folds.values(), CV.split(X, Y), strict=True):
        assert fold["bayes"].positives == Y[test].sum()
    assert average.decide().model == min(MODELS, key=lambda n: float(average[n].optimal_cost(1 - Y.mean())))


def test_fitted_models_are_compared_on_the_cases_given():
    """Without `cv` nothing is fitted."""
    fitted = {name: model.fit(X[:150], Y[:150]) for name, model in MODELS.items()}
    found = ic.Comparison.from_estimators(fitted, X[150:], Y[150:], condition=ic.Condition(1, 5, 0.2))
    p = fitted["bayes"].predict_proba(X[150:])[:, 1]
    assert np.array_equal(found["bayes"].fp, ic.RocCurve.from_scores(Y[150:], p).fp)
    assert found.decide().condition == ic.Condition(1, 5, 0.2)


def test_weights_frames_text_labels_and_arguments_of_fit():
    """Weights count in the curves; those for training are given apart."""
    w = np.random.default_rng(0).integers(1, 4, Y.size)
    frame, text = pd.DataFrame(X).add_prefix("x"), pd.Series(np.where(Y == 1, "bad", "good"))
    model = {"logistic": LogisticRegression()}
    options = {"cv": CV, "sample_weight": w, "pos_label": "bad"}
    plain = ic.Comparison.from_estimators(model, frame, text, **options)
    assert np.array_equal(plain["logistic"].fp, ic.RocCurve.from_scores(Y, scores("logistic"), sample_weight=w).fp)
    trained = ic.Comparison.from_estimators(model, frame, text, params={"sample_weight": w}, **options)
    assert not np.array_equal(trained["logistic"].thresholds, plain["logistic"].thresholds)


def test_cases_never_tested_are_left_out():
    """A single hold-out split is a cross-validation too."""
    split = StratifiedShuffleSplit(1, test_size=0.2, random_state=0)
    found = ic.Comparison.from_estimators({"bayes": GaussianNB()}, X, Y, cv=split, sample_weight=np.ones(300))
    assert found["bayes"].positives + found["bayes"].negatives == 60
    _, test = next(split.split(X, Y))
    assert found["bayes"].positives == Y[test].sum()


def test_groups_reach_the_splitter_and_bootstraps_know_the_folds():
    """Folds are marked for resampling."""
    found = ic.Comparison.from_estimators(
        {"bayes": GaussianNB()}, X, Y, cv=list(GroupKFold(3).split(X, Y, np.arange(300) // 10))
    )
    assert found.bootstrap(n_resamples=50, fold="average").interval("bayes", "auc").level == 0.9


def test_a_list_names_classifiers_by_their_classes_and_pairs_by_themselves():
    """The same curves in every form."""
    by_dict = ic.Comparison.from_estimators(MODELS, X, Y, cv=CV)
    by_pairs = ic.Comparison.from_estimators(list(MODELS.items()), X, Y, cv=CV)
    by_list = ic.Comparison.from_estimators(list(MODELS.values()), X, Y, cv=CV)
    assert by_pairs.fingerprint == by_dict.fingerprint
    assert by_list.names == ("LogisticRegression", "GaussianNB", "LinearSVC")
    for ours, theirs in zip(by_list.curves, by_dict.curves, strict=True):
        assert np.array_equal(ours.fp, theirs.fp)


def test_repeated_splits_count_each_case_once():
    """Every score of a case weighs 1/k, its scores are drawn together, and no certainty is gained by repeating."""
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=0)
    found = ic.Comparison.from_estimators({"bayes": GaussianNB()}, X, Y, cv=cv)
    rates = np.zeros(4)
    for i, (train, test) in enumerate(cv.split(X, Y)):
        flagged = GaussianNB().fit(X[train], Y[train]).predict_proba(X[test])[:, 1] >= 0.5
        rates[i // 3] += np.sum(flagged & (Y[test] == 1)) / Y.sum()
    curve = found["bayes"]
    assert (curve.positives, curve.negatives) == pytest.approx((Y.sum(), 300 - Y.sum()))
    assert curve.tpr[int(points_at(curve, 0.5))] == pytest.approx(rates.mean())
    costs = ic.Condition(1, 5, 0.3)
    often = found.decide(costs, n_resamples=200).confidence
    once = ic.Comparison.from_estimators({"bayes": GaussianNB()}, X, Y, cv=CV).decide(costs, n_resamples=200).confidence
    assert (often.positives, often.negatives) == (once.positives, once.negatives)
    width = (often.interval[1] - often.interval[0]) / (once.interval[1] - once.interval[0])
    assert 0.7 < width < 1.3  # cases drawn one by one would halve it


def test_shuffled_splits_test_some_cases_more_often_than_others():
    """Those weigh no more, and a user's weights are shared out likewise."""
    cv = StratifiedShuffleSplit(6, test_size=0.3, random_state=0)
    tested = np.unique(np.concatenate([test for _, test in cv.split(X, Y)]))
    w = np.arange(1.0, 301.0)
    found = ic.Comparison.from_estimators([GaussianNB()], X, Y, cv=cv, sample_weight=w)
    assert found.curves[0].positives == pytest.approx(w[tested][Y[tested] == 1].sum())
    assert len(found.by_fold()) == 6


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: ic.Comparison.from_estimators(GaussianNB(), X, Y),
            "a list of pairs or a list of classifiers, got Gauss",
        ),
        (lambda: ic.Comparison.from_estimators(["a"], X, Y), r"estimators\[0\] must be a classifier of scikit-learn"),
        (
            lambda: ic.Comparison.from_estimators([("a", GaussianNB()), ("a", GaussianNB())], X, Y, cv=2),
            "two estimators are called 'a'",
        ),
        (lambda: ic.Comparison.from_estimators({"a": GaussianNB()}, X, Y), "GaussianNB is not fitted.*pass cv="),
        (lambda: ic.Comparison.from_estimators({"a": GaussianNB()}, X, Y, params={}), "params= is for fitting"),
        (lambda: ic.Comparison.from_estimators({"a": GaussianNB()}, X, np.arange(300) % 3, cv=2), "y holds 3 classes"),
        (
            lambda: ic.Comparison.from_estimators({"a": GaussianNB()}, X, Y, cv=2, sample_weight=[1, 2]),
            "different lengths",
        ),
        (lambda: ic.Comparison.from_scores(Y, {"a": Y}).fold_average(), "has no folds"),
    ],
)
def test_what_cannot_be_compared_is_said(call, text):
    """Before anything is fitted, where possible."""
    with pytest.raises(InputError, match=text):
        call()

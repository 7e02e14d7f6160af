import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from isocost.data.estimators import out_of_fold, params_of, scores_of, splits_of
from isocost.errors import InputError

X, Y = make_classification(120, random_state=1)


def test_probabilities_come_first_and_a_decision_function_will_do():
    """`auto` prefers probabilities; both can be asked for."""
    model = LogisticRegression().fit(X, Y)
    assert np.array_equal(scores_of(model, X), model.predict_proba(X)[:, 1])
    assert np.array_equal(scores_of(model, X, method="decision_function"), model.decision_function(X))
    assert np.array_equal(scores_of(Perceptron().fit(X, Y), X), Perceptron().fit(X, Y).decision_function(X))


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_the_first_class_can_be_the_positive_one(method):
    """Its column, or the decision function turned round."""
    model = LogisticRegression().fit(X, Y)
    up, down = (scores_of(model, X, label, method) for label in (1, 0))
    assert np.array_equal(np.argsort(up), np.argsort(-down, kind="stable"))
    assert np.allclose(up + down, 1 if method == "predict_proba" else 0)


def test_out_of_fold_scores_are_those_of_scikit_learn():
    """Each case is scored by a clone that did not see it."""
    model = make_pipeline(StandardScaler(), LogisticRegression())
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    found = out_of_fold(model, X, Y, splits_of(cv, X, Y), pos_label=1)
    expected = cross_val_predict(model, X, Y, cv=cv, method="predict_proba")[:, 1]
    assert np.array_equal(found.scores, expected[found.rows])
    assert sorted(found.rows) == list(range(120))
    assert np.array_equal(np.bincount(found.fold), [30] * 4)
    assert not hasattr(model[-1], "coef_")


def test_arguments_of_fit_follow_the_rows():
    """Weights are cut to the training rows, settings are passed on."""
    w = np.arange(120.0)
    found = params_of(
        {"sample_weight": w, "as_list": w.tolist(), "text": "x" * 120, "number": 3}, np.array([5, 7]), 120
    )
    assert found["sample_weight"].tolist() == found["as_list"].tolist() == [5, 7]
    assert (found["text"], found["number"]) == ("x" * 120, 3)


def test_a_number_of_folds_means_stratified_ones_and_groups_reach_the_splitter():
    """As scikit-learn does for classifiers."""
    assert {int(Y[test].sum()) for _, test in splits_of(4, X, Y)} <= {15, 16}
    groups = np.repeat(np.arange(12), 10)
    for train, test in splits_of(GroupKFold(3), X, Y, groups=groups):
        assert not set(groups[train]) & set(groups[test])


def test_what_is_no_fitted_binary_classifier_is_named():
    """Each message says what came and what to do."""
    with pytest.raises(InputError, match=r"LogisticRegression is not fitted.*pass cv="):
        scores_of(LogisticRegression(), X)
    with pytest.raises(InputError, match="KMeans is not a classifier"):
        scores_of(KMeans(2, n_init=1).fit(X), X)
    with pytest.raises(InputError, match="Perceptron has no predict_proba"):
        scores_of(Perceptron().fit(X, Y), X, method="predict_proba")
    with pytest.raises(InputError, match=r"LogisticRegression\.classes_ holds 3 classes \(0, 1, 2\)"):
        scores_of(LogisticRegression().fit(X, np.arange(120) % 3), X)
    with pytest.raises(InputError, match=r"pos_label 7 is not among the classes of LogisticRegression\.classes_: 0, 1"):
        scores_of(LogisticRegression().fit(X, Y), X, 7)
    with pytest.raises(InputError, match="VotingClassifier has no predict_proba or decision_function"):
        scores_of(VotingClassifier([("a", Perceptron())]).fit(X, Y), X)

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_score,
    cross_validate,
)
from sklearn.svm import LinearSVC

import isocost as ic
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.integrations.sklearn import get_scorer, get_scorer_names, prediction_cost

X, Y = make_classification(200, weights=[0.7], class_sep=0.6, random_state=0)
MODEL = LogisticRegression().fit(X[:100], Y[:100])
P = MODEL.predict_proba(X[100:])[:, 1]
HELD_OUT = X[100:], Y[100:]
CREDIT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


@pytest.mark.parametrize("measure", ic.registered_measures().values(), ids=lambda m: m.name)
def test_every_registered_measure_is_a_scorer_with_the_right_sign(measure):
    """The scorer is the measure of the model's curve, negated if lower is better, under the name that says so."""
    name = measure.name if measure.higher_is_better else f"neg_{measure.name}"
    assert name in get_scorer_names()
    value = measure(ic.RocCurve.from_scores(Y[100:], P))
    sign = 1 if measure.higher_is_better else -1
    assert get_scorer(name)(MODEL, *HELD_OUT) == pytest.approx(sign * value, abs=1e-15)


def test_names_are_the_measures_and_the_cost_of_predictions():
    """Nothing else is offered."""
    assert len(get_scorer_names()) == len(ic.registered_measures()) + 1


def test_scores_agree_with_those_of_scikit_learn():
    """AUC and Brier score, which scikit-learn has too."""
    assert get_scorer("auc")(MODEL, *HELD_OUT) == pytest.approx(roc_auc_score(Y[100:], P))
    assert get_scorer("neg_brier_loss")(MODEL, *HELD_OUT) == pytest.approx(-brier_score_loss(Y[100:], P))


def test_a_better_model_has_a_higher_score_for_every_measure():
    """The signs are right where it counts: a model beats itself fed with the opposite of its feature."""
    y = np.repeat([0, 1], 100)
    x = y[:, None] + np.random.default_rng(0).normal(0, 0.5, (200, 1))
    model = LogisticRegression().fit(x, y)
    for name in get_scorer_names():
        options = {"condition": CREDIT} if name == "neg_prediction_cost" else {}
        scorer = get_scorer(name, **options)
        assert scorer(model, x, y) > scorer(model, 1 - x, y), name


def test_the_condition_reaches_the_measure():
    """And changes the score."""
    expected = -ic.measures.mean_normalised_cost(ic.RocCurve.from_scores(Y[100:], P), condition=CREDIT)
    assert get_scorer("neg_mean_normalised_cost", condition=CREDIT)(MODEL, *HELD_OUT) == expected
    assert get_scorer("neg_mean_normalised_cost")(MODEL, *HELD_OUT) != expected


def test_options_of_a_measure_reach_it():
    """Such as the severity ratio of the H-measure."""
    expected = ic.h_measure(ic.RocCurve.from_scores(Y[100:], P), severity_ratio=0.1)
    assert get_scorer("h_measure", severity_ratio=0.1)(MODEL, *HELD_OUT) == expected


def test_scorers_work_in_cross_validation_and_searches():
    """Strings of names do not exist for third parties; scorers go wherever scikit-learn takes one."""
    scorer = get_scorer("voros", condition=ic.Conditions.uniform(t=(0.2, 0.6)))
    assert cross_val_score(LogisticRegression(), X, Y, scoring=scorer, cv=3).shape == (3,)
    search = GridSearchCV(
        LogisticRegression(), {"C": [1e-6, 1.0]}, scoring={"v": scorer, "a": get_scorer("auc")}, refit="v"
    )
    assert search.fit(X, Y).best_params_["C"] in (1e-6, 1.0)
    assert np.all(search.cv_results_["mean_test_v"] > 0)


def test_a_decision_function_will_do_where_only_ranks_matter():
    """Measures of ranks take it; the Brier score, which needs probabilities, says so."""
    svm = LinearSVC().fit(X[:100], Y[:100])
    assert get_scorer("auc")(svm, *HELD_OUT) == pytest.approx(roc_auc_score(Y[100:], svm.decision_function(X[100:])))
    with pytest.raises(AttributeError, match="predict_proba"):
        get_scorer("neg_brier_loss")(svm, *HELD_OUT)


def test_text_labels_need_the_positive_one_and_either_can_be_it():
    """With `pos_label` the column, or the sign of the decision function, follows."""
    text = np.where(Y == 1, "bad", "good")
    model = LogisticRegression().fit(X[:100], text[:100])
    bad = get_scorer("auc", pos_label="bad")(model, X[100:], text[100:])
    assert bad == pytest.approx(roc_auc_score(Y[100:], P))
    svm = LinearSVC().fit(X[:100], text[:100])
    assert get_scorer("auc", pos_label="bad")(svm, X[100:], text[100:]) > 0.5
    with pytest.raises(InputError, match=r"which class is positive\? y_true holds 'bad' \(\d+ cases\) and 'good'"):
        get_scorer("auc")(model, X[100:], text[100:])


TEXT = np.where(Y == 1, "bad", "good")


@pytest.mark.parametrize("name", ["auc", "neg_prediction_cost"])
def test_text_labels_without_the_positive_one_are_an_error_of_every_fold(name):
    """A warning quotes it, or it is raised, as scikit-learn is set; with the label there are scores."""
    given = {"condition": CREDIT} if "cost" in name else {}
    reported = r"which class is positive\? y_true holds 'bad' .*: pos_label='bad' or pos_label='good'"
    with pytest.warns(UserWarning, match=reported):
        found = cross_val_score(LogisticRegression(), X, TEXT, scoring=get_scorer(name, **given))
    assert np.isnan(found).all()
    with pytest.raises(InputError, match=reported):
        cross_val_score(LogisticRegression(), X, TEXT, scoring=get_scorer(name, **given), error_score="raise")
    assert np.isfinite(
        cross_val_score(LogisticRegression(), X, TEXT, scoring=get_scorer(name, pos_label="bad", **given))
    ).all()


def test_a_fold_of_one_class_is_left_to_error_score():
    """What is wrong with one fold does not stop the others."""
    splits = [(np.arange(100), np.arange(100, 200)), (np.arange(100), np.flatnonzero(Y == 0))]
    with pytest.warns(UserWarning, match="y_true holds only one class"):
        first, second = cross_val_score(LogisticRegression(), X, Y, cv=splits, scoring=get_scorer("auc"))
    assert first > 0.5
    assert np.isnan(second)
    with pytest.raises(InputError, match="y_true holds only one class"):
        cross_val_score(LogisticRegression(), X, Y, cv=splits, scoring=get_scorer("auc"), error_score="raise")


def test_weights_are_routed_to_the_scorer_that_requests_them():
    """Metadata routing hands each test fold its part of the weights; without the request they are ignored."""
    w = np.random.default_rng(1).integers(0, 4, Y.size) + (Y == 0)
    splits = [(np.arange(100), np.arange(100, 200))]
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        asks = get_scorer("voros").set_score_request(sample_weight=True)
        silent = get_scorer("voros").set_score_request(sample_weight=False)
        found = cross_validate(
            model, X, Y, cv=splits, scoring={"asks": asks, "silent": silent}, params={"sample_weight": w}
        )
    scores = MODEL.decision_function(X[100:])
    assert found["test_asks"][0] == ic.voros(ic.RocCurve.from_scores(Y[100:], scores, sample_weight=w[100:]))
    assert found["test_silent"][0] == ic.voros(ic.RocCurve.from_scores(Y[100:], scores))
    assert found["test_asks"][0] != found["test_silent"][0]


def test_predicted_labels_are_judged_with_the_threshold_they_have():
    """Expected cost per case at the condition's own prevalence, in the unit of the costs."""
    reported = MODEL.predict(X[100:])
    fpr, tpr = reported[Y[100:] == 0].mean(), reported[Y[100:] == 1].mean()
    expected = 0.7 * 1 * fpr + 0.3 * 5 * (1 - tpr)
    assert get_scorer("neg_prediction_cost", condition=CREDIT)(MODEL, *HELD_OUT) == pytest.approx(-expected)
    over = ic.Conditions.uniform(t=(0.2, 0.4))
    assert prediction_cost(Y[100:], reported, condition=over) == pytest.approx(0.3 * fpr + 0.7 * (1 - tpr))


@pytest.mark.parametrize(("reported", "cost"), [([0, 0, 0, 0], 1.5), ([1, 1, 1, 1], 0.7), ([1, 1, 0, 0], 0.0)])
def test_cost_of_predictions_of_one_class_or_none_wrong(reported, cost):
    """Flagging nobody costs every miss, everybody every false alarm, and being right nothing."""
    assert prediction_cost([1, 1, 0, 0], reported, condition=CREDIT) == pytest.approx(cost)


def test_weights_count_in_the_cost_of_predictions():
    """A weight of two is a case twice."""
    y, reported, w = [1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [1, 2, 1, 3, 1]
    twice = np.repeat(np.array([y, reported]), w, axis=1)
    assert prediction_cost(y, reported, condition=CREDIT, sample_weight=w) == prediction_cost(*twice, condition=CREDIT)


def test_scorers_can_be_pickled():
    """As workers of a search need."""
    scorer = pickle.loads(pickle.dumps(get_scorer("neg_mean_normalised_cost", condition=CREDIT)))
    assert scorer(MODEL, *HELD_OUT) == get_scorer("neg_mean_normalised_cost", condition=CREDIT)(MODEL, *HELD_OUT)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: get_scorer("mean_normalised_cost"), UnknownNameError, "did you mean 'neg_mean_normalised_cost'"),
        (lambda: get_scorer("auc", condition=CREDIT), InputError, "auc does not depend on conditions"),
        (lambda: get_scorer("h_measure", severity=1), UnknownNameError, "option of h_measure 'severity': did you mean 'severity_ratio'"),
        (lambda: get_scorer("neg_prediction_cost"), ConditionError, "needs condition="),
        (lambda: get_scorer("voros", condition=0.3), ConditionError, "got 0.3"),
        (lambda: prediction_cost([0, 1], [0, 1], condition=None), InputError, "got NoneType"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said(call, error, text):
    """Wrong names, options and conditions are refused when the scorer is made, not in the middle of a search."""
    with pytest.raises(error, match=text):
        call()

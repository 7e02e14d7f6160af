import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import isocost as ic
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.integrations.sklearn import TRUSTED_TYPES, CostThresholdClassifier, get_scorer, prediction_cost

X, Y = make_classification(400, weights=[0.8], flip_y=0.1, class_sep=0.7, random_state=0)
CV = StratifiedKFold(4, shuffle=True, random_state=1)
COSTS = ic.Condition(cost_fp=1, cost_fn=7, prevalence=0.1)
OUT_OF_FOLD = cross_val_predict(LogisticRegression(), X, Y, cv=CV, method="predict_proba")[:, 1]
CURVE = ic.RocCurve.from_scores(Y, OUT_OF_FOLD)


# scikit-learn lists it for its own TunedThresholdClassifierCV: labels no longer follow from the sign of the decision function,
# nor from the larger probability, which is the purpose. Before 1.7, folds change when a case is left out instead of weighted 0.
BY_DESIGN = {"check_classifiers_train": "labels follow the chosen threshold, not 0 or 0.5"}
if sklearn.__version__ < "1.7":
    for kind in ("dense", "sparse"):
        BY_DESIGN[f"check_sample_weight_equivalence_on_{kind}_data"] = "folds change with the cases"


def checks_of(estimator):
    """Every check of scikit-learn for a classifier whose threshold is chosen."""
    return parametrize_with_checks(
        [CostThresholdClassifier(estimator, cv=3)], expected_failed_checks=lambda _: BY_DESIGN
    )


@pytest.mark.filterwarnings("ignore")  # the checks feed it integers near the limit, NaN and few cases
@checks_of(LogisticRegression(C=1))
def test_scikit_learn_finds_nothing_to_complain_about(estimator, check):
    """Every estimator check passes, but for the one that a chosen threshold fails by design."""
    check(estimator)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@checks_of(LinearSVC())
def test_scikit_learn_finds_nothing_to_complain_about_without_probabilities(estimator, check):
    """Nor of the threshold of a decision function."""
    check(estimator)


def test_the_threshold_is_the_cheapest_of_all_on_out_of_fold_scores():
    """No threshold whatever costs less on the cases it was chosen on."""
    model = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=CV).fit(X, Y)
    costs = [prediction_cost(Y, (cut <= OUT_OF_FOLD).astype(int), condition=COSTS) for cut in [*OUT_OF_FOLD, np.inf]]
    assert model.choice_.expected_cost == pytest.approx(min(costs))
    assert model.threshold_ == ic.best_threshold(CURVE, COSTS).threshold
    assert np.array_equal(model.hull_.fp, CURVE.hull.fp)
    assert np.array_equal(model.hull_.tp, CURVE.hull.tp)


def test_the_classifier_is_fitted_to_all_cases_and_flags_scores_from_the_threshold_on():
    """Predictions are the wrapped classifier's scores, cut at the threshold; equality flags."""
    model = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=CV).fit(X, Y)
    whole = LogisticRegression().fit(X, Y)
    assert np.array_equal(model.predict_proba(X), whole.predict_proba(X))
    assert np.array_equal(model.predict(X), (whole.predict_proba(X)[:, 1] >= model.threshold_).astype(int))
    model.threshold_ = whole.predict_proba(X)[7, 1]
    assert model.predict(X[7:8]) == [1]


def test_without_a_condition_errors_are_fewest():
    """Equal costs at the prevalence of the data: what accuracy asks for."""
    model = CostThresholdClassifier(LogisticRegression(), cv=CV).fit(X, Y)
    assert model.choice_.expected_cost == pytest.approx(ic.measures.minimum_error_rate(CURVE))


def test_other_ways_of_choosing():
    """The lowest worst case over a range, within a limit too, and the average over uncertain conditions."""
    over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=0.1)
    fit = CostThresholdClassifier(LogisticRegression(), cv=CV, condition=over)
    assert (
        clone(fit).set_params(worst_case=True).fit(X, Y).threshold_
        == ic.best_threshold(CURVE, over, worst_case=True).threshold
    )
    assert clone(fit).fit(X, Y).threshold_ == ic.best_threshold(CURVE, over).threshold
    limited = clone(fit).set_params(worst_case=True, max_fpr=0.1).fit(X, Y)
    assert limited.threshold_ == ic.best_threshold(CURVE, over, worst_case=True, max_fpr=0.1).threshold


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ({"max_fpr": 0.05}, ic.decide.neyman_pearson(CURVE, max_fpr=0.05)),
        ({"max_flagged": 0.1}, ic.decide.workforce(CURVE, max_flagged=0.1)),
        ({"min_precision": 0.6}, ic.best_threshold(CURVE, min_precision=0.6)),
        ({"min_precision": 0.4, "min_tpr": 0.5}, ic.best_threshold(CURVE, min_precision=0.4, min_tpr=0.5)),
        ({"max_fpr": 0.2, "sure": 0.9}, ic.best_threshold(CURVE, max_fpr=0.2, sure=0.9)),
    ],
)
def test_a_limit_alone_catches_the_most_positives_within_it(limit, expected):
    """The same threshold as the function for that limit; no cost is stated, since none was given."""
    model = CostThresholdClassifier(LogisticRegression(), cv=CV, **limit).fit(X, Y)
    assert model.threshold_ == expected.threshold
    assert model.choice_.expected_cost is None


def test_limits_and_costs_together_give_the_cheapest_threshold_that_keeps_all_limits():
    """By trying every threshold."""
    limits = {"max_fpr": 0.2, "max_flagged": 0.15, "min_precision": 0.3}
    model = CostThresholdClassifier(LogisticRegression(), cv=CV, condition=COSTS, **limits).fit(X, Y)
    pi, fpr, tpr = COSTS.prevalence, CURVE.fpr, CURVE.tpr
    flagged = pi * tpr + (1 - pi) * fpr
    keeps = (fpr <= 0.2) & (flagged <= 0.15) & (pi * tpr >= 0.3 * flagged)
    assert model.choice_.expected_cost == pytest.approx(COSTS.expected_cost(fpr, tpr)[keeps].min())
    assert model.threshold_ > ic.best_threshold(CURVE, COSTS).threshold


def test_a_person_looks_at_the_cases_in_between():
    """The band is that of `Comparison.decide`; labels are those flagged outright, and `decide` tells the rest apart."""
    prices = {"cost_review": 0.2, "max_reviewed": 0.3, "reviewer_tpr": 0.95}
    model = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=CV, **prices).fit(X, Y)
    band = ic.Comparison([CURVE]).decide(COSTS, **prices).review
    assert (model.review_from_, model.threshold_) == (band.review_from.threshold, band.flag_from.threshold)
    assert model.choice_.review.expected_cost == band.expected_cost
    scores = model.predict_proba(X)[:, 1]
    reported = model.decide(X)
    assert set(reported) == {"flag", "review", "clear"}
    assert np.array_equal(reported == "flag", model.predict(X) == 1)
    assert np.array_equal(reported != "clear", scores >= model.review_from_)
    plain = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=CV).fit(X, Y)
    assert plain.review_from_ == plain.threshold_
    assert "review" not in plain.decide(X)


@pytest.mark.parametrize("weighted", [False, True])
def test_costs_of_each_case_give_the_lowest_total(weighted):
    """By trying every threshold; weights count each case so often."""
    rng = np.random.default_rng(3)
    amount, w = 1 + rng.lognormal(2, 1, Y.size), rng.integers(1, 4, Y.size) if weighted else np.ones(Y.size)
    inner = LogisticRegression().fit(X, Y)
    scores = inner.predict_proba(X)[:, 1]
    model = CostThresholdClassifier(inner, cv="prefit", store_cv_results=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, Y, sample_weight=w if weighted else None, cost_fp=3, cost_fn=amount, cost_tp=1)
    cuts = np.concatenate([[np.inf], np.unique(scores)[::-1]])
    totals = [np.sum(w * np.where(scores >= c, np.where(Y, 1, 3), np.where(Y, amount, 0))) / w.sum() for c in cuts]
    assert model.threshold_ == cuts[np.argmin(totals)]
    assert model.choice_.per_case == pytest.approx(min(totals))
    assert model.choice_.flagged == pytest.approx(np.average(scores >= model.threshold_, weights=w))
    kept = model.cv_results_
    places = [int(np.flatnonzero(cuts == c)[0]) for c in kept["thresholds"]]
    assert kept["scores"] == pytest.approx(-np.array(totals)[places])
    assert kept["flagged"] == pytest.approx([np.average(scores >= c, weights=w) for c in kept["thresholds"]])


def test_the_curve_it_chose_from_can_be_kept():
    """Every threshold with its rates and its cost; the chosen one has the best score. Without being asked, nothing is kept."""
    model = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=CV, store_cv_results=True).fit(X, Y)
    kept = model.cv_results_
    assert np.array_equal(kept["thresholds"], CURVE.thresholds)
    assert np.array_equal(kept["tpr"], CURVE.tpr)
    assert kept["thresholds"][np.argmax(kept["scores"])] == model.threshold_
    assert -kept["scores"].max() == pytest.approx(model.choice_.expected_cost)
    at = int(np.argmax(kept["scores"]))
    assert (kept["flagged"][at], kept["precision"][at]) == pytest.approx(
        (model.choice_.flagged, model.choice_.precision)
    )
    assert np.isnan(kept["precision"][0])
    limited = CostThresholdClassifier(LogisticRegression(), max_fpr=0.1, cv=CV, store_cv_results=True).fit(X, Y)
    assert np.array_equal(limited.cv_results_["scores"], CURVE.tpr)
    assert not hasattr(CostThresholdClassifier(LogisticRegression(), cv=CV).fit(X, Y), "cv_results_")


def test_prefit_takes_the_classifier_as_it_is():
    """The threshold is chosen on the cases given, nothing is fitted."""
    inner = LogisticRegression().fit(X[:200], Y[:200])
    model = CostThresholdClassifier(inner, condition=COSTS, cv="prefit").fit(X[200:], Y[200:])
    assert model.estimator_ is inner
    curve = ic.RocCurve.from_scores(Y[200:], inner.predict_proba(X[200:])[:, 1])
    assert model.threshold_ == ic.best_threshold(curve, COSTS).threshold


def test_a_share_of_cases_can_be_held_out_and_the_classifier_kept():
    """`refit=False` keeps the classifier of the training part; by default it is fitted to everything."""
    held = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=0.25, random_state=0)
    kept, again = clone(held).set_params(refit=False).fit(X, Y), held.fit(X, Y)
    assert kept.threshold_ == again.threshold_
    assert again.hull_.positives + again.hull_.negatives == 100
    assert np.array_equal(again.estimator_.coef_, LogisticRegression().fit(X, Y).coef_)
    assert not np.array_equal(kept.estimator_.coef_, again.estimator_.coef_)


def test_flagging_everybody_includes_scores_lower_than_any_seen():
    """When misses are all that counts, no future case is left out."""
    inner = LogisticRegression().fit(X, Y)
    scores = inner.predict_proba(X)[:, 1]
    model = CostThresholdClassifier(inner, condition=ic.Condition(0, 1), cv="prefit")
    model.fit(X, np.where(scores == scores.min(), 1, Y))
    assert model.threshold_ == -np.inf
    assert model.predict(X - 1000 * inner.coef_).all()
    nobody = CostThresholdClassifier(LogisticRegression(), condition=ic.Condition(1, 0), cv=CV).fit(X, Y)
    assert nobody.threshold_ == np.inf
    assert not nobody.predict(X).any()


@pytest.mark.parametrize("pos_label", ["no", "yes"])
@pytest.mark.parametrize("inner", [LogisticRegression(), LinearSVC(random_state=0)], ids=["proba", "decision"])
def test_either_text_label_can_be_the_positive_one(pos_label, inner):
    """The costs of misses are those of the label named."""
    text = np.where(Y == 1, "yes", "no")
    model = CostThresholdClassifier(inner, condition=ic.Condition(1, 20, 0.5), pos_label=pos_label, cv=CV).fit(X, text)
    reported = model.predict(X)
    assert model.pos_label_ == pos_label
    assert np.mean(reported[text == pos_label] == pos_label) > 0.9
    assert set(reported) <= {"no", "yes"}


def test_labels_in_words_need_the_positive_one():
    """As everywhere else; both are listed, and none is suggested."""
    text = np.where(Y == 1, "yes", "no")
    with pytest.raises(
        InputError, match=r"y holds 'no' \(\d+ cases\) and 'yes' \(\d+ cases\).*pos_label='no' or pos_label='yes'"
    ):
        CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=CV).fit(X, text)
    fewest = CostThresholdClassifier(LogisticRegression(), cv=CV).fit(X, text)  # either label has the fewest errors
    assert np.mean(fewest.predict(X) == text) > 0.8
    model = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=CV, pos_label="yes").fit(X, text)
    numbers = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=CV).fit(X, Y)
    assert model.threshold_ == numbers.threshold_


def test_a_fitted_classifier_carries_no_training_case():
    """Its pickle is as large for fifty times the cases, but for a few more vertices of the hull."""
    sizes = []
    for cases in (1000, 50_000):
        many, y = make_classification(cases, n_features=4, random_state=0)
        model = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=3).fit(many, y)
        sizes.append(len(pickle.dumps(model)) / len(model.hull_))
        again = pickle.loads(pickle.dumps(model))
        assert np.array_equal(again.predict(many), model.predict(many))
        assert again.hull_.fp.tolist() == model.hull_.fp.tolist()
    assert sizes[1] < sizes[0]


@pytest.mark.parametrize(
    "inner",
    [DecisionTreeClassifier(max_depth=2, random_state=0), GaussianNB(), KNeighborsClassifier(3), DummyClassifier()],
)
def test_any_classifier_can_be_wrapped(inner):
    """Few distinct scores, scores of 0 and 1, and even constant ones."""
    model = CostThresholdClassifier(inner, condition=COSTS, cv=3).fit(X, Y)
    assert set(model.predict(X)) <= {0, 1}
    assert model.choice_.expected_cost <= min(0.9 * 1, 0.1 * 7)


def test_pipelines_frames_and_sparse_matrices_pass_through():
    """What the wrapped classifier takes, the wrapper takes, and it knows the names of the features."""
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    pipe = make_pipeline(StandardScaler().set_output(transform="pandas"), LogisticRegression())
    model = CostThresholdClassifier(pipe, condition=COSTS, cv=CV).fit(frame, pd.Series(Y))
    assert list(model.feature_names_in_) == list(frame.columns)
    assert model.n_features_in_ == X.shape[1]
    assert model.predict(frame).shape == (400,)
    dense, thin = (CostThresholdClassifier(LogisticRegression(), cv=CV).fit(x, Y) for x in (X, sparse.csr_matrix(X)))
    assert thin.threshold_ == pytest.approx(dense.threshold_)


def test_it_can_be_cloned_pickled_and_searched():
    """Parameters survive, and those inside can be tuned by what the model will be judged by."""
    model = CostThresholdClassifier(LogisticRegression(), condition=COSTS, max_fpr=0.3, cv=CV)
    twin = clone(model)
    assert twin.get_params()["condition"] == COSTS
    assert twin.get_params()["estimator__C"] == 1.0
    fitted = pickle.loads(pickle.dumps(model.fit(X, Y)))
    assert np.array_equal(fitted.predict(X), model.predict(X))
    scorer = get_scorer("neg_prediction_cost", condition=COSTS)
    search = GridSearchCV(model, {"estimator__C": [0.01, 1], "max_fpr": [0.1, None]}, scoring=scorer, cv=2).fit(X, Y)
    assert search.best_params_["max_fpr"] in (0.1, None)


def test_bands_and_amounts_survive_it_too():
    """A fitted classifier that reviews, and one that was fitted to the costs of each case."""
    io = pytest.importorskip("skops.io")
    band = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cost_review=0.2, cv=4).fit(X, Y)
    amounts = CostThresholdClassifier(LogisticRegression(), cv=4).fit(X, Y, cost_fp=1, cost_fn=np.arange(1, 401))
    for model in (band, amounts):
        back = io.loads(io.dumps(model), trusted=list(TRUSTED_TYPES))
        assert back.decide(X).tolist() == model.decide(X).tolist()


@pytest.mark.parametrize(
    "condition",
    [
        None, COSTS, ic.Conditions.from_costs(cost_fp=1, cost_fn=(2, 5), prevalence=(0.1, 0.3)),
        ic.Conditions.uniform(t=(0.1, 0.4)), ic.Conditions.uniform(skew_ratio=(0.5, 2)), ic.Conditions.beta(2, 3),
        ic.Conditions.from_t(0.3),
    ],
    ids=str,
)  # fmt: skip
def test_it_survives_a_format_that_runs_no_code(condition):
    """Told to trust the types of isocost that are data, skops gives back the same classifier."""
    io = pytest.importorskip("skops.io")
    model = CostThresholdClassifier(LogisticRegression(), condition=condition, cv=4).fit(X, Y)
    back = io.loads(io.dumps(model), trusted=list(TRUSTED_TYPES))
    assert back.predict(X).tolist() == model.predict(X).tolist()
    assert (back.threshold_, str(back.choice_)) == (model.threshold_, str(model.choice_))
    assert back.hull_.to_dict() == model.hull_.to_dict()


def test_chosen_thresholds_pay_on_cases_never_seen():
    """Nested cross-validation: cheaper than the classifier's own threshold of one half."""
    scorer = get_scorer("neg_prediction_cost", condition=COSTS)
    chosen = cross_val_score(CostThresholdClassifier(LogisticRegression(), condition=COSTS), X, Y, scoring=scorer)
    half = cross_val_score(LogisticRegression(), X, Y, scoring=scorer)
    assert chosen.mean() > half.mean()


def test_weights_count_in_the_choice_and_in_the_training():
    """Without routing they go to both, and a warning follows if the classifier cannot take them."""
    w = np.random.default_rng(0).integers(1, 5, Y.size)
    splits = list(CV.split(X, Y))
    model = CostThresholdClassifier(LogisticRegression(), condition=COSTS, cv=splits).fit(X, Y, sample_weight=w)
    scores = np.empty(Y.size)
    for train, test in splits:
        scores[test] = LogisticRegression().fit(X[train], Y[train], w[train]).predict_proba(X[test])[:, 1]
    expected = ic.best_threshold(ic.RocCurve.from_scores(Y, scores, sample_weight=w), COSTS)
    assert model.threshold_ == expected.threshold
    assert model.hull_.positives == w[Y == 1].sum()
    with pytest.warns(UserWarning, match="KNeighborsClassifier.fit takes no sample_weight"):
        CostThresholdClassifier(KNeighborsClassifier(), cv=3).fit(X, Y, sample_weight=w)


def test_weights_are_routed_to_whom_they_are_meant_for():
    """With metadata routing the classifier gets weights only if it asks, the splitter its groups."""
    w = np.random.default_rng(0).integers(1, 5, Y.size)
    groups = np.arange(Y.size) // 10
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=False)
        model = CostThresholdClassifier(inner, condition=COSTS, cv=GroupKFold(4))
        model.set_fit_request(sample_weight=True).fit(X, Y, sample_weight=w, groups=groups)
        plain = cross_val_predict(
            LogisticRegression(), X, Y, cv=GroupKFold(4), params={"groups": groups}, method="predict_proba"
        )[:, 1]
    assert model.threshold_ == ic.best_threshold(ic.RocCurve.from_scores(Y, plain, sample_weight=w), COSTS).threshold
    assert np.array_equal(model.estimator_.coef_, LogisticRegression().fit(X, Y).coef_)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"method": "bets"}, UnknownNameError, "unknown method 'bets': did you mean 'best'"),
        ({"response_method": "predict"}, UnknownNameError, "unknown response_method 'predict'"),
        ({"condition": 0.3}, ConditionError, "got 0.3"),
        ({"cv": "fit"}, UnknownNameError, r"unknown cv \(a number, a splitter, a list of splits or 'prefit'\) 'fit'"),
        ({"cv": 1.5}, InputError, "cv must lie strictly between 0 and 1, got 1.5"),
        ({"cv": "prefit"}, InputError, "LogisticRegression is not fitted"),
        ({"refit": False}, InputError, "refit=False needs a single split, got 5"),
        ({"pos_label": 3}, InputError, "pos_label 3 is not among the classes of y: 0, 1"),
        ({"max_reviewed": 0.1}, InputError, "say what a review costs"),
        ({"cost_review": 1, "condition": COSTS, "max_fpr": 0.1}, InputError, "review"),
        ({"sure": 0.9}, InputError, "sure"),
        ({"max_fpr": 2}, InputError, "max_fpr must be between 0 and 1, got 2"),
    ],
)
def test_what_cannot_be_is_said(options, error, text):
    """Every refusal names the parameter and the value."""
    with pytest.raises(error, match=text):
        CostThresholdClassifier(LogisticRegression(), **options).fit(X, Y)


@pytest.mark.parametrize(
    ("options", "costs", "text"),
    [
        ({}, {"cost_fp": 1}, "cost_fp without cost_fn: say what both errors cost"),
        (
            {"condition": COSTS, "max_fpr": 0.1},
            {"cost_fp": 1, "cost_fn": Y},
            "condition= means nothing with costs of each case",
        ),
        ({"worst_case": True}, {"cost_fp": 1, "cost_fn": 2}, "worst_case needs conditions"),
        ({}, {"cost_fp": 1, "cost_fn": [1, 2]}, "length"),
    ],
)
def test_costs_of_each_case_decide_alone(options, costs, text):
    """What they cannot be combined with is named."""
    with pytest.raises(InputError, match=text):
        CostThresholdClassifier(LogisticRegression(), cv=CV, **options).fit(X, Y, **costs)


def test_more_or_fewer_than_two_classes_are_refused():
    """With the classes found."""
    with pytest.raises(InputError, match=r"multiclass \(0, 1, 2\)"):
        CostThresholdClassifier(LogisticRegression()).fit(X, np.arange(400) % 3)
    with pytest.raises(InputError, match=r"only one class, 1"):
        CostThresholdClassifier(LogisticRegression()).fit(X, np.ones(400, dtype=int))


def test_smooth_thresholds_are_those_of_the_library():
    """On the cases that were held out, and only where costs decide."""
    cases, y = make_classification(600, weights=[0.7], random_state=1)
    condition = ic.Condition(cost_fn=4, prevalence=0.3)
    fitted = LogisticRegression().fit(cases[:300], y[:300])
    model = CostThresholdClassifier(fitted, condition=condition, method="smooth", cv="prefit").fit(cases[300:], y[300:])
    curve = ic.RocCurve.from_scores(y[300:], fitted.predict_proba(cases[300:])[:, 1])
    expected = ic.best_threshold(curve, condition, method="smooth")
    assert (model.threshold_, model.choice_.fit) == (expected.threshold, expected.fit)

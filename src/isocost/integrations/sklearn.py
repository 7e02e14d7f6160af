"""scikit-learn: every registered measure as a scorer, and a classifier that chooses its threshold by cost."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.conditions import Atoms, Beta, Condition, Conditions, Even, Pushed, TRange, Uniform
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.data.estimators import OutOfFold, ResponseMethod, out_of_fold, params_of, scores_of, splits_of
from isocost.decide import Choice, Question
from isocost.decide.amounts import AmountChoice, RowCosts
from isocost.decide.choice import Band, Drift
from isocost.decide.decision import decide
from isocost.errors import ConditionError, InputError
from isocost.measures.registry import MEASURES, Measure, registered_measures

# isort: split
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.metrics import make_scorer
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import Bunch, _safe_indexing, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

from isocost.curves.roc import points_at

__all__ = ["TRUSTED_TYPES", "CostThresholdClassifier", "get_scorer", "get_scorer_names", "prediction_cost"]

_PREDICTED = "neg_prediction_cost"
# scikit-learn's own order of preference for measures that need ranks only: nothing is rounded to 0 or 1.
_RANKING = ("decision_function", "predict_proba")


@documented_by(see="get_scorer")
def get_scorer_names() -> list[str]:
    """Return the names `get_scorer` takes: those of the registered measures, losses with `neg_` before them.

    Examples
    --------
    >>> from isocost.integrations.sklearn import get_scorer_names
    >>> get_scorer_names()[:3]
    ['voros', 'neg_mean_normalised_cost', 'h_measure']
    """
    return [*_measures(), _PREDICTED]


@documented_by(see="get_scorer_names prediction_cost")
def get_scorer(
    name: str, *, condition: Condition | Conditions | None = None, pos_label: Any = None, **options: Any
) -> Callable[..., float]:
    """Return a scorer for `cross_val_score`, `GridSearchCV(scoring=…)` and anything else that takes one; higher is always better.

    Parameters
    ----------
    name : str
        A registered measure such as "voros" or "h_measure"; if lower is better, the name starts with `neg_` and the sign is reversed, as
        in "neg_mean_normalised_cost". "neg_prediction_cost" judges the labels that a model predicts, with the threshold it has, by what
        they cost at a `condition`; all others judge its scores, whatever its threshold.
    condition : Condition or Conditions, optional
        What the measure is taken over, or at the prevalence of, if it depends on that; all conditions, and the data's own prevalence, by
        default. "neg_prediction_cost" needs it.
    pos_label : optional
        The label to detect; needed unless labels are 0/1, -1/1 or booleans. Without it every fold of a cross-validation is scored NaN with
        a warning that says so; `error_score="raise"` stops it instead.
    **options
        Options of the measure, such as `severity_ratio=` of the H-measure.

    Returns
    -------
    scorer
        Made by `sklearn.metrics.make_scorer`; `scorer.set_score_request(sample_weight=True)` has weights routed to it.

    Examples
    --------
    >>> from isocost.integrations.sklearn import get_scorer
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> model = LogisticRegression().fit(X, y)
    >>> get_scorer("auc")(model, X, y)
    0.75
    >>> get_scorer("neg_prediction_cost", condition=ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.1))(model, X, y)
    -0.7
    """
    checks.choice(name, "scorer", get_scorer_names())
    measure = _measures().get(name)
    known = [] if measure is None else [option for option in measure.options if option != "condition"]
    for option in options:
        checks.choice(option, f"option of {name}", known)
    settings: dict[str, Any]
    if measure is None:
        why = f"{name} needs condition=: what decisions cost depends on it"
        given = checks.needed(condition, why, error=ConditionError)
        settings = {"greater_is_better": False, "response_method": "predict", "condition": given}
    else:
        if not measure.needs & {"conditions", "prevalence"}:
            checks.left_out(f"means nothing: {name} does not depend on conditions", condition=condition)
        settings = measure.under(None if condition is None else Conditions.of(condition), options) | {
            "measure": measure.name, "greater_is_better": measure.higher_is_better,
            "response_method": "predict_proba" if "probabilities" in measure.needs else _RANKING,
        }  # fmt: skip
    function = prediction_cost if measure is None else _measured
    scorer: Callable[..., float] = make_scorer(function, pos_label=pos_label, **settings)
    return scorer


def _measured(
    y_true: Any, y_score: Any, *, measure: str, sample_weight: Any = None, pos_label: Any = None, **options: Any
) -> float:
    curve = RocCurve.from_scores(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return MEASURES[measure].function(curve, **options)


def _measures() -> dict[str, Measure]:
    return {f"{'' if m.higher_is_better else 'neg_'}{m.name}": m for m in registered_measures().values()}


@documented_by(see="get_scorer")
def prediction_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    condition: Condition | Conditions,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Return what predicted labels cost at a condition; lower is better.

    For a `Condition`, it is the cost per case in the unit of the costs, at the prevalence of the condition, not of the data. For
    uncertain `Conditions`, it is the average normalised cost, between 0 and 1.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        Two classes in the same coding.
    condition : Condition or Conditions

    Examples
    --------
    >>> from isocost.integrations.sklearn import prediction_cost
    >>> prediction_cost([1, 1, 0, 0], [1, 0, 0, 0], condition=ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.1))
    0.25
    """
    checks.instance(condition, "condition", Condition | Conditions, "a Condition or Conditions")
    positive, flagged = checks.predictions(y_true, y_pred, pos_label)
    weights = checks.weights(sample_weight, positive)
    curve = RocCurve.from_scores(positive, flagged.astype(float), sample_weight=weights)
    at = int(points_at(curve, 0.5))
    fpr, tpr = float(curve.fpr[at]), float(curve.tpr[at])
    if isinstance(condition, Condition):
        return condition.expected_cost(fpr, tpr)
    return Condition.from_t(condition.mean).normalised_cost(fpr, tpr)


# Parameters that are keywords of a `Question`.
_ASKED = (
    "worst_case", "method", "max_fpr", "max_flagged", "min_precision", "min_tpr", "sure", "cost_review", "max_reviewed", "reviewer_fpr",
    "reviewer_tpr",
)  # fmt: skip

Method = Callable[["CostThresholdClassifier", Any], NDArray[Any]]


def _if_offered(name: str) -> Callable[[Method], Method]:
    """Return a decorator: the method is there only if the wrapped classifier has it."""

    def check(self: CostThresholdClassifier) -> bool:
        # Raises the AttributeError of the wrapped classifier, which says more than our own would.
        getattr(getattr(self, "estimator_", self.estimator), name)
        return True

    decorator: Callable[[Method], Method] = available_if(check)
    return decorator


def _applied(choice: Choice) -> float:
    """Return the threshold for new cases: the lowest score seen is no bound for the scores to come."""
    return -math.inf if (choice.fpr, choice.tpr) == (1.0, 1.0) else choice.threshold


@dataclass(repr=False, eq=False)
class CostThresholdClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose threshold is the exact best one for given costs or limits, chosen on cases it was not trained on.

    Every threshold that makes a difference is considered, not a grid of them. The threshold is chosen on out-of-fold scores, all
    folds together, or on cases held out; then the classifier is fitted to all cases.

    Parameters
    ----------
    estimator : classifier
        With `predict_proba` or `decision_function`; a pipeline, a search or any other.
    condition : Condition or Conditions, optional
        Costs and prevalence where the model will be used. By default equal costs at the prevalence of the training cases (fewest
        errors); under a limit, misses alone count (most positives caught).
    worst_case : bool
        Take the threshold of the lowest worst case over uncertain conditions, in place of the one that is cheapest on average.
    method : str
        Of `Comparison.decide`. "best": the threshold that is cheapest on the cases it is chosen on. "smooth": the one that is cheapest
        under a smooth risk curve, which lasts better on new cases.
    max_fpr, max_flagged, min_precision, min_tpr : float, optional
        Limits in [0, 1] that the chosen threshold keeps on the cases it is chosen on.
    sure : float, optional
        How sure the limits must be to hold on new cases, such as 0.9.
    cost_review, max_reviewed, reviewer_fpr, reviewer_tpr : float, optional
        Have a person look at the cases in between, as in `Comparison.decide`: `predict` flags from `threshold_` on, and `decide` tells
        the cases to review from `review_from_` on. Not together with limits.
    pos_label : optional
        The label to detect, needed if labels are words and it makes a difference. If they are numbers, it is the higher one by default,
        as elsewhere in scikit-learn; and the second of two words where all errors count the same.
    response_method : {"auto", "predict_proba", "decision_function"}
        What is compared with the threshold; "auto" takes probabilities where there are any.
    cv : int, float, splitter, iterable or "prefit", optional
        Number of folds (5 by default), a splitter or a list of splits; a float is the share of cases held out; "prefit" takes the
        estimator as it is and chooses on all cases given to `fit`, which it should not have been trained on.
    refit : bool
        False, for a single split only: keep the classifier that was fitted to the training part.
    n_jobs : int, optional
    random_state : int or RandomState, optional
        For the split if `cv` is a float.
    store_cv_results : bool
        Keep `cv_results_`.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all cases, unless `cv="prefit"` or `refit=False`.
    threshold_ : float
        A case is flagged when its score ≥ it; inf flags nobody, -inf everybody.
    review_from_ : float
        Cases from this score to below the threshold go to a person; equal to the threshold where nobody is reviewed.
    choice_ : Choice or AmountChoice
        The operating point: rates, precision and cost on the cases the threshold was chosen on, and the range of t over which it
        stays the cheapest. Slightly optimistic, since it was chosen on those cases.
    hull_ : RocCurve
        The hull of the scores it was chosen on: every threshold that is cheapest at some condition. No other score of a training
        case is kept.
    cv_results_ : dict of str to ndarray
        With `store_cv_results`, one entry for each threshold it chose from: `thresholds` (descending, from inf), `fpr`, `tpr`, `flagged`,
        `precision` (NaN where nobody is flagged) and `scores`, the negative cost per case (normalised without a unit), or the share of
        positives caught where limits alone decide. With costs of each case, fpr and tpr are shares of the amounts at stake.
    pos_label_ : label
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray

    References
    ----------
    Provost & Fawcett (2001), Machine Learning 42:203-231, doi:10.1023/A:1007601015854.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.integrations.sklearn import CostThresholdClassifier
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = make_classification(1000, weights=[0.9], random_state=0)
    >>> costs = ic.Condition(cost_fp=1, cost_fn=10, prevalence=0.1)
    >>> model = CostThresholdClassifier(LogisticRegression(), condition=costs).fit(X, y)
    >>> round(model.threshold_, 3)
    0.084
    >>> model.choice_
    <Choice: LogisticRegression: flag cases with score ≥ 0.084; catches 94.1 % of positives, flags 5.5 % of negatives; expected
    cost 0.108 per case>
    """

    estimator: Any
    _: KW_ONLY
    condition: Condition | Conditions | None = None
    worst_case: bool = False
    method: str = "best"
    max_fpr: float | None = None
    max_flagged: float | None = None
    min_precision: float | None = None
    min_tpr: float | None = None
    sure: float | None = None
    cost_review: float | None = None
    max_reviewed: float | None = None
    reviewer_fpr: float = 0.0
    reviewer_tpr: float = 1.0
    pos_label: Any = None
    response_method: ResponseMethod = "auto"
    cv: Any = None
    refit: bool = True
    n_jobs: int | None = None
    random_state: Any = None
    store_cv_results: bool = False

    def fit(
        self,
        X: Any,  # noqa: N803
        y: Any,
        sample_weight: Any = None,
        *,
        cost_fp: Any = None,
        cost_fn: Any = None,
        cost_tp: Any = None,
        cost_tn: Any = None,
        **params: Any,
    ) -> Self:
        """Choose the threshold and fit the classifier.

        Parameters
        ----------
        X : array, sparse matrix or dataframe of shape (n, k)
        y : array of shape (n,)
            Two classes.
        sample_weight : array of shape (n,), optional
            How much each case counts in the choice. It also goes to the classifier's `fit` if that takes weights; with metadata routing,
            only if the classifier requests it.
        cost_fp, cost_fn, cost_tp, cost_tn : float or array of shape (n,), optional
            What each outcome costs for each case, as in `RowCosts`, in place of `condition`: the threshold of the lowest total. `cost_fp`
            and `cost_fn` go together.
        **params
            For the classifier's `fit`; with metadata routing also for the splitter.
        """
        question = self._question(0.5)  # which has to make sense whatever the prevalence of the cases is
        X, y = indexable(X, y)  # noqa: N806
        labels = column_or_1d(y, warn=True)
        classes, kind = np.unique(labels), type_of_target(labels, input_name="y")
        if kind != "binary" or classes.size < 2:
            found = checks.class_fault("y", classes.tolist())
            binary = "Only binary classification is supported: isocost needs two classes. Unknown label type:"
            raise InputError(found if kind == "binary" else f"{binary} {kind} ({checks.listed(classes.tolist())})")
        if sample_weight is not None:
            checks.aligned(y=y, sample_weight=sample_weight)
            sample_weight = checks.vector(sample_weight, "sample_weight")
            checks.same_length(sample_weight=sample_weight, y=labels)
        given = {"cost_fp": cost_fp, "cost_fn": cost_fn, "cost_tp": cost_tp, "cost_tn": cost_tn}
        given = {name: value for name, value in given.items() if value is not None}
        alike = self.condition is None and not (question.limits or question.reviews or given)
        self.pos_label_ = self._positive(labels, classes, alike=alike)
        costs = self._costs(labels == self.pos_label_, y, given) if given else None
        scored = self._fit_and_score(X, labels, self._routed(sample_weight, params))
        positive = labels[scored.rows] == self.pos_label_
        weights = None if sample_weight is None else sample_weight[scored.rows]
        if costs is not None:
            curve = self._choose_amounts(positive, scored, costs, weights)
        else:
            name = type(self.estimator).__name__
            curve = RocCurve.from_scores(positive, scored.scores, sample_weight=weights, name=name)
            self._choose(curve)
        # The vertices alone: a fitted model that travels must not take the score of every training case along.
        self.hull_ = curve.hull
        self._adopt_features()
        return self

    def _question(self, prevalence: float | None) -> Question:
        """Return the question that the parameters ask of cases with this share of positives."""
        asked: dict[str, Any] = {name: getattr(self, name) for name in _ASKED}
        return Question.of(self.condition, own_prevalence=prevalence, **asked)

    def _positive(self, labels: NDArray[Any], classes: NDArray[Any], *, alike: bool) -> Any:
        """Return the label to detect; which it is does not matter where all errors count the same."""
        words = any(isinstance(c, str) for c in classes.tolist())
        if self.pos_label is None and (alike or not words):
            return classes[1]
        return checks.positive_class(classes.tolist(), self.pos_label, "y", among=labels)

    def _costs(self, positive: NDArray[np.bool_], y: Any, given: dict[str, Any]) -> RowCosts:
        """Return the costs of every case, which decide alone."""
        for name in ("cost_fp", "cost_fn"):
            checks.needed(given.get(name), f"{' and '.join(given)} without {name}: say what both errors cost")
        usual = {field.name: field.default for field in fields(self)}
        also = {name: value for name in ("condition", *_ASKED) if (value := getattr(self, name)) != usual[name]}
        checks.left_out("means nothing with costs of each case, which decide by their total alone", **also)
        checks.aligned(y=y, **given)
        return RowCosts.from_columns(positive, **given)

    def _choose_amounts(
        self, positive: NDArray[np.bool_], scored: OutOfFold, costs: RowCosts, weights: Any
    ) -> RocCurve:
        """Choose the threshold of the lowest total cost; cases of weight w count w times."""
        share = 1.0 if weights is None else weights / weights.mean()
        outcomes = ("cost_fp", "cost_fn", "cost_tp", "cost_tn")
        columns = {name: share * getattr(costs, name)[scored.rows] for name in outcomes}
        amounts = RowCosts.from_columns(positive, **columns)
        found = amounts.best_threshold(scored.scores)
        if weights is not None and not found.is_trivial:
            found = replace(found, flagged=float(np.average(scored.scores >= found.threshold, weights=weights)))
        self.choice_: Choice | AmountChoice = found
        self.threshold_ = self.review_from_ = found.threshold
        curve = amounts.curve(scored.scores, name=type(self.estimator).__name__)
        if self.store_cv_results:
            cases = RocCurve.from_scores(positive, scored.scores, sample_weight=weights)
            at, paid = points_at(cases, curve.thresholds), amounts.per_case().expected_cost(curve.fpr, curve.tpr)
            self._store(curve.thresholds, cases.fpr[at], cases.tpr[at], cases.prevalence, -paid)
        return curve

    def _routed(self, sample_weight: Any, params: dict[str, Any]) -> Any:
        """Return what goes to the classifier's fit and to the splitter."""
        from sklearn import get_config

        if get_config()["enable_metadata_routing"]:
            weights = {} if sample_weight is None else {"sample_weight": sample_weight}
            return process_routing(self, "fit", **weights, **params)
        fit = dict(params)
        if sample_weight is not None:
            if has_fit_parameter(self.estimator, "sample_weight"):
                fit["sample_weight"] = sample_weight
            else:
                warnings.warn(
                    f"{type(self.estimator).__name__}.fit takes no sample_weight: weights count in the choice of the threshold only",
                    UserWarning,
                    stacklevel=3,
                )
        return Bunch(estimator=Bunch(fit=fit), splitter=Bunch(split={}))

    def _fit_and_score(self, X: Any, y: NDArray[Any], routed: Any) -> OutOfFold:  # noqa: N803
        """Set `estimator_`, and return the scores that the threshold is chosen on."""
        if isinstance(self.cv, str):
            checks.choice(self.cv, "cv (a number, a splitter, a list of splits or 'prefit')", ("prefit",))
            self.estimator_ = self.estimator
            rows = np.arange(y.size)
            found = scores_of(self.estimator_, X, self.pos_label_, self.response_method)
            return OutOfFold(rows, found, np.zeros_like(rows))
        cv = self.cv
        if isinstance(cv, float):
            cv = StratifiedShuffleSplit(1, test_size=checks.inner_rate(cv, "cv"), random_state=self.random_state)
        splits = splits_of(cv, X, y, **routed.splitter.split)
        if not self.refit and len(splits) > 1:
            raise InputError(f"refit=False needs a single split, got {len(splits)}: pass cv=0.25, say, or refit=True")
        fit = routed.estimator.fit
        scored = out_of_fold(
            self.estimator, X, y, splits, pos_label=self.pos_label_, method=self.response_method, params=fit, n_jobs=self.n_jobs
        )  # fmt: skip
        rows = np.arange(y.size) if self.refit else np.asarray(splits[0][0])
        self.estimator_ = clone(self.estimator).fit(_safe_indexing(X, rows), y[rows], **params_of(fit, rows, y.size))
        return scored

    def _choose(self, curve: RocCurve) -> None:
        """Choose by the same decision as `Comparison.decide`."""
        question = self._question(curve.prevalence)
        choice = decide([curve], question).choice
        self.choice_ = replace(choice, model=curve.name)
        band = choice.review
        flag, review = (choice, choice) if band is None else (band.flag_from, band.review_from)
        self.threshold_, self.review_from_ = _applied(flag), _applied(review)
        if self.store_cv_results:
            a, b, base = question.weights
            cost = a * curve.fpr + b * (1 - curve.tpr)
            cost = cost + base if question.has_unit else cost / (a + b)
            scores = -cost if question.priced else curve.tpr
            self._store(curve.thresholds, curve.fpr, curve.tpr, question.prevalence, scores)

    def _store(self, thresholds: Any, fpr: Any, tpr: Any, prevalence: float | None, scores: Any) -> None:
        """Keep what every threshold does on the cases that it was chosen on."""
        p = float(prevalence or 0.0)
        flagged = p * tpr + (1 - p) * fpr
        precision = np.divide(p * tpr, flagged, out=np.full(flagged.shape, math.nan), where=flagged > 0)
        self.cv_results_ = {
            "thresholds": thresholds, "fpr": fpr, "tpr": tpr, "flagged": flagged, "precision": precision, "scores": scores,
        }  # fmt: skip

    def _adopt_features(self) -> None:
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
            elif hasattr(self, name):
                delattr(self, name)

    @property
    def classes_(self) -> NDArray[Any]:
        """Class labels, sorted."""
        check_is_fitted(self, "estimator_")
        classes: NDArray[Any] = self.estimator_.classes_
        return classes

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the positive label where the score ≥ the threshold, the other label elsewhere."""
        check_is_fitted(self, "threshold_")
        found = scores_of(self.estimator_, X, self.pos_label_, self.response_method)
        positive = int(np.flatnonzero(self.classes_ == self.pos_label_)[0])
        return np.asarray(self.classes_[np.where(found >= self.threshold_, positive, 1 - positive)])

    def decide(self, X: Any) -> NDArray[np.str_]:  # noqa: N803
        """Return what to do with each case: "flag", "review" or "clear"."""
        check_is_fitted(self, "threshold_")
        found = scores_of(self.estimator_, X, self.pos_label_, self.response_method)
        return np.where(found >= self.threshold_, "flag", np.where(found >= self.review_from_, "review", "clear"))

    @_if_offered("predict_proba")
    def predict_proba(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the class probabilities of the wrapped classifier, which the threshold does not change."""
        check_is_fitted(self, "estimator_")
        return np.asarray(self.estimator_.predict_proba(X))

    @_if_offered("predict_log_proba")
    def predict_log_proba(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the logarithms of the class probabilities of the wrapped classifier."""
        check_is_fitted(self, "estimator_")
        return np.asarray(self.estimator_.predict_log_proba(X))

    @_if_offered("decision_function")
    def decision_function(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the decision function of the wrapped classifier, which the threshold does not change."""
        check_is_fitted(self, "estimator_")
        return np.asarray(self.estimator_.decision_function(X))

    def __sklearn_tags__(self) -> Any:
        """Say that it takes what the wrapped classifier takes, and two classes only."""
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags

    def get_metadata_routing(self) -> Any:
        """Return who gets which metadata passed to `fit`."""
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(estimator=self.estimator, method_mapping=MethodMapping().add(callee="fit", caller="fit"))
            .add(splitter=self.cv, method_mapping=MethodMapping().add(callee="split", caller="fit"))
        )


#: The types that a fitted `CostThresholdClassifier` is made of, which hold data alone: `skops` loads only types named as trusted.
TRUSTED_TYPES: tuple[str, ...] = tuple(
    f"{cls.__module__}.{cls.__qualname__}"
    for cls in (
        CostThresholdClassifier, RocCurve, Choice, Band, AmountChoice, Drift, TRange, Condition, Conditions,
        Uniform, Beta, Pushed, Atoms, Even,
    )
)  # fmt: skip

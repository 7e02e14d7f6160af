"""scikit-learn: every registered measure as a scorer, and a classifier that chooses its threshold by cost.

>>> from isocost.integrations.sklearn import get_scorer
>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.model_selection import cross_val_score
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> import isocost as ic
>>> X, y = load_breast_cancer(return_X_y=True)
>>> model = make_pipeline(StandardScaler(), LogisticRegression())
>>> over = ic.Conditions.from_costs(cost_fp=(1, 5), cost_fn=1, prevalence=0.6)
>>> cross_val_score(model, X, y, scoring=get_scorer("neg_mean_normalised_cost", condition=over)).mean().round(4)
np.float64(-0.0185)
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.conditions import Atoms, Beta, Condition, Conditions, Even, Pushed, TRange, Uniform
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.data.estimators import (
    OutOfFold,
    ResponseMethod,
    out_of_fold,
    params_of,
    scores_of,
    splits_of,
)  # fmt: skip
from isocost.decide import Choice, Question
from isocost.decide.amounts import AmountChoice, RowCosts
from isocost.decide.choice import Band, Drift
from isocost.decide.decision import decide
from isocost.errors import ConditionError, InputError
from isocost.measures.registry import MEASURES, Measure, registered_measures

# isort: split
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
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


def get_scorer_names() -> list[str]:
    """Return the names `get_scorer` takes: those of the registered measures, losses with `neg_` before them.

    Returns
    -------
    list of str

    See Also
    --------
    get_scorer

    Examples
    --------
    >>> from isocost.integrations.sklearn import get_scorer_names
    >>> get_scorer_names()[:3]
    ['voros', 'neg_mean_normalised_cost', 'h_measure']
    """
    return [*_measures(), _PREDICTED]


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

    See Also
    --------
    get_scorer_names, prediction_cost

    Examples
    --------
    >>> import isocost as ic
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
    if name == _PREDICTED:
        _check_options(name, options, [])
        if condition is None:
            raise ConditionError(f"{name} needs condition=: what decisions cost depends on it")
        return _scorer(
            prediction_cost, greater_is_better=False, response_method="predict", condition=condition, pos_label=pos_label
        )  # fmt: skip
    measure = _measures()[name]
    _, *known = inspect.signature(measure.function).parameters
    _check_options(name, options, [option for option in known if option != "condition"])
    if condition is not None and not measure.needs & {"conditions", "prevalence"}:
        raise ConditionError(f"{name} does not depend on conditions: leave condition= out")
    options = measure.under(None if condition is None else Conditions.of(condition), options)
    return _scorer(
        _measured,
        measure=measure.name,
        greater_is_better=measure.higher_is_better,
        response_method="predict_proba" if "probabilities" in measure.needs else _RANKING,
        pos_label=pos_label,
        **options,
    )


def _measured(
    y_true: Any, y_score: Any, *, measure: str, sample_weight: Any = None, pos_label: Any = None, **options: Any
) -> float:
    curve = RocCurve.from_scores(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return MEASURES[measure].function(curve, **options)


def _scorer(function: Callable[..., float], **settings: Any) -> Callable[..., float]:
    from sklearn.metrics import make_scorer

    scorer: Callable[..., float] = make_scorer(function, **settings)
    return scorer


def _measures() -> dict[str, Measure]:
    return {f"{'' if m.higher_is_better else 'neg_'}{m.name}": m for m in registered_measures().values()}


def _check_options(name: str, options: dict[str, Any], known: list[str]) -> None:
    for option in options:
        checks.choice(option, f"option of {name}", known)


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
    sample_weight : array of shape (n,), optional
    pos_label : optional
        The label to detect.

    Returns
    -------
    float

    See Also
    --------
    get_scorer

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.integrations.sklearn import prediction_cost
    >>> prediction_cost([1, 1, 0, 0], [1, 0, 0, 0], condition=ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.1))
    0.25
    """
    if not isinstance(condition, Condition | Conditions):
        raise ConditionError(f"condition must be a Condition or Conditions, got {condition!r}")
    positive, flagged = checks.predictions(y_true, y_pred, pos_label)
    weights = checks.weights(sample_weight, positive)
    curve = RocCurve.from_scores(positive, flagged.astype(float), sample_weight=weights)
    at = int(points_at(curve, 0.5))
    fpr, tpr = float(curve.fpr[at]), float(curve.tpr[at])
    if isinstance(condition, Condition):
        return condition.expected_cost(fpr, tpr)
    return Condition.from_t(condition.mean).normalised_cost(fpr, tpr)


# What `Comparison.decide` takes for a person who makes no error.
_REVIEWER = {"reviewer_fpr": 0.0, "reviewer_tpr": 1.0}

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

    def __init__(
        self,
        estimator: Any,
        *,
        condition: Condition | Conditions | None = None,
        worst_case: bool = False,
        method: str = "best",
        max_fpr: float | None = None,
        max_flagged: float | None = None,
        min_precision: float | None = None,
        min_tpr: float | None = None,
        sure: float | None = None,
        cost_review: float | None = None,
        max_reviewed: float | None = None,
        reviewer_fpr: float = 0.0,
        reviewer_tpr: float = 1.0,
        pos_label: Any = None,
        response_method: ResponseMethod = "auto",
        cv: Any = None,
        refit: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        store_cv_results: bool = False,
    ) -> None:
        self.estimator, self.condition, self.worst_case, self.method = estimator, condition, worst_case, method
        self.max_fpr, self.max_flagged, self.min_precision = max_fpr, max_flagged, min_precision
        self.min_tpr, self.sure, self.cost_review, self.max_reviewed = min_tpr, sure, cost_review, max_reviewed
        self.reviewer_fpr, self.reviewer_tpr = reviewer_fpr, reviewer_tpr
        self.pos_label, self.response_method, self.cv, self.refit = pos_label, response_method, cv, refit
        self.n_jobs, self.random_state, self.store_cv_results = n_jobs, random_state, store_cv_results

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
        if self.condition is not None and not isinstance(self.condition, Condition | Conditions):
            raise ConditionError(f"condition must be a Condition or Conditions, got {self.condition!r}")
        X, y = indexable(X, y)  # noqa: N806
        labels = column_or_1d(y, warn=True)
        if type_of_target(labels, input_name="y") != "binary":
            raise InputError(
                "Only binary classification is supported: isocost needs two classes. "
                f"Unknown label type: {type_of_target(labels)} ({checks.listed(np.unique(labels).tolist())})"
            )
        classes = np.unique(labels)
        if classes.size < 2:
            raise InputError(
                f"y holds only one class ({checks.listed(classes.tolist())}): at least one positive and one negative are needed"
            )
        if sample_weight is not None:
            checks.aligned(y=y, sample_weight=sample_weight)
            sample_weight = checks.vector(sample_weight, "sample_weight")
            checks.same_length(sample_weight=sample_weight, y=labels)
        costs = {"cost_fp": cost_fp, "cost_fn": cost_fn, "cost_tp": cost_tp, "cost_tn": cost_tn}
        costs = self._checked_costs({name: value for name, value in costs.items() if value is not None}, y)
        self.pos_label_ = self._positive(labels, classes, costs)
        routed = self._routed(sample_weight, params)
        scored = self._fit_and_score(X, labels, routed)
        positive = labels[scored.rows] == self.pos_label_
        weights = None if sample_weight is None else sample_weight[scored.rows]
        if costs:
            curve = self._choose_amounts(positive, scored, costs, weights)
        else:
            name = type(self.estimator).__name__
            curve = RocCurve.from_scores(positive, scored.scores, sample_weight=weights, name=name)
            self._choose(curve)
        # The vertices alone: a fitted model that travels must not take the score of every training case along.
        self.hull_ = curve.hull
        self._adopt_features()
        return self

    def _positive(self, labels: NDArray[Any], classes: NDArray[Any], costs: Mapping[str, Any]) -> Any:
        """Return the label to detect; which it is does not matter where all errors count the same."""
        words = any(isinstance(c, str) for c in classes.tolist())
        alike = self.condition is None and not (self._limits or self._reviews or costs)
        if self.pos_label is None and (alike or not words):
            return classes[1]
        return checks.positive_class(classes.tolist(), self.pos_label, "y", among=labels)

    def _checked_costs(self, costs: dict[str, Any], y: Any) -> dict[str, Any]:
        """Return the costs of every case, or nothing if none were given."""
        if not costs:
            return {}
        for name in ("cost_fp", "cost_fn"):
            if name not in costs:
                raise InputError(f"{' and '.join(costs)} without {name}: say what both errors cost")
        also = [name for name in ("condition", "sure") if getattr(self, name) is not None]
        also += [*self._limits, *self._reviews, *(["method"] if self.method != "best" else [])]
        if also := [*also, *(["worst_case"] if self.worst_case else [])]:
            raise InputError(
                f"costs of each case decide by their total alone: leave {' and '.join(also)} out, or give one condition="
            )
        checks.aligned(y=y, **costs)
        columns = {name: checks.numbers(value, name) for name, value in costs.items()}
        columns |= {name: np.full(len(y), columns[name][0]) for name, value in costs.items() if np.ndim(value) == 0}
        for name, values in columns.items():
            checks.same_length(**{"y": np.asarray(y), name: values})
        return columns

    def _choose_amounts(
        self, positive: NDArray[np.bool_], scored: OutOfFold, costs: Mapping[str, Any], weights: Any
    ) -> RocCurve:
        """Choose the threshold of the lowest total cost; cases of weight w count w times."""
        share = 1.0 if weights is None else weights / weights.mean()
        amounts = RowCosts.from_columns(positive, **{name: share * value[scored.rows] for name, value in costs.items()})
        found = amounts.best_threshold(scored.scores)
        if weights is not None and not found.is_trivial:
            found = replace(found, flagged=float(np.average(scored.scores >= found.threshold, weights=weights)))
        self.choice_: Choice | AmountChoice = found
        self.threshold_ = self.review_from_ = found.threshold
        curve = amounts.curve(scored.scores, name=type(self.estimator).__name__)
        if self.store_cv_results:
            cases = RocCurve.from_scores(positive, scored.scores, sample_weight=weights)
            wrong = amounts.condition()
            base, stake = amounts.unavoidable / positive.size, float(amounts.weights.sum()) / positive.size
            at = points_at(cases, curve.thresholds)
            self._store(
                curve,
                cases.fpr[at],
                cases.tpr[at],
                cases.prevalence,
                -(base + stake * wrong.expected_cost(curve.fpr, curve.tpr)),
            )
        return curve

    @property
    def _limits(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in ("max_fpr", "max_flagged", "min_precision", "min_tpr")}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def _reviews(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in ("cost_review", "max_reviewed", "reviewer_fpr", "reviewer_tpr")}
        return {name: value for name, value in given.items() if value != _REVIEWER.get(name)}

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
            if self.cv != "prefit":
                raise InputError(f"cv must be a number, a splitter, a list of splits or 'prefit', got {self.cv!r}")
            self.estimator_ = self.estimator
            rows = np.arange(y.size)
            found = scores_of(self.estimator_, X, self.pos_label_, self.response_method)
            return OutOfFold(rows, found, np.zeros_like(rows))
        cv = self.cv
        if isinstance(cv, float):
            share = checks.inner_rate(cv, "cv")
            cv = StratifiedShuffleSplit(1, test_size=share, random_state=self.random_state)
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
        options = {name: getattr(self, name) for name in ("sure", "worst_case", "method")}
        question = Question.of(
            self.condition, own_prevalence=curve.prevalence, **options, **self._limits, **self._reviews
        )
        choice = decide([curve], question).choice
        self.choice_ = replace(choice, model=curve.name)
        flag, review = (
            (choice, choice) if choice.review is None else (choice.review.flag_from, choice.review.review_from)
        )
        self.threshold_, self.review_from_ = _applied(flag), _applied(review)
        if self.store_cv_results:
            a, b, base = question.weights
            cost = a * curve.fpr + b * (1 - curve.tpr)
            cost = cost + base if question.has_unit else cost / (a + b)
            self._store(curve, curve.fpr, curve.tpr, question.prevalence, -cost if question.priced else curve.tpr)

    def _store(self, curve: RocCurve, fpr: Any, tpr: Any, prevalence: float | None, scores: Any) -> None:
        """Keep what every threshold does on the cases that it was chosen on."""
        p = float(prevalence or 0.0)
        flagged = p * tpr + (1 - p) * fpr
        precision = np.divide(p * tpr, flagged, out=np.full(flagged.shape, math.nan), where=flagged > 0)
        self.cv_results_ = {
            "thresholds": curve.thresholds, "fpr": curve.fpr, "tpr": curve.tpr, "flagged": flagged, "precision": precision,
            "scores": scores,
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

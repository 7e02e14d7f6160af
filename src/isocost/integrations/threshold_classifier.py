"""CostThresholdClassifier: any classifier, with the threshold that is exactly best for its costs or limits."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.decision import Choice, best_threshold, rate_threshold
from isocost.decision.worst_case import minimax
from isocost.engines.estimators import (
    RESPONSE_METHODS,
    OutOfFold,
    ResponseMethod,
    out_of_fold,
    params_of,
    scores_of,
    splits_of,
)
from isocost.errors import ConditionError, InputError
from isocost.roc_space import RocCurve

# isort: split
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import Bunch, _safe_indexing, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

Choosing = Literal["cost", "rate", "minimax"]
CHOOSING: tuple[Choosing, ...] = ("cost", "rate", "minimax")


Method = Callable[["CostThresholdClassifier", Any], NDArray[Any]]


def _if_offered(name: str) -> Callable[[Method], Method]:
    """Return a decorator: the method is there only if the wrapped classifier has it."""

    def check(self: CostThresholdClassifier) -> bool:
        # Raises the AttributeError of the wrapped classifier, which says more than our own would.
        getattr(getattr(self, "estimator_", self.estimator), name)
        return True

    decorator: Callable[[Method], Method] = available_if(check)
    return decorator


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
    choose : {"cost", "rate", "minimax"}
        "cost": cheapest at the condition, on average if it is uncertain. "rate": flags the share of cases that equals the
        condition's cost proportion, as nearly as one threshold can. "minimax": lowest worst case over uncertain conditions.
    max_fpr, max_flagged, min_precision : float, optional
        Limits in [0, 1] that the chosen threshold keeps on the cases it is chosen on, for `choose="cost"`.
    pos_label : optional
        The label to detect, needed if labels are words. If they are numbers, it is the higher one by default, as elsewhere in
        scikit-learn.
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

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all cases, unless `cv="prefit"` or `refit=False`.
    threshold_ : float
        A case is flagged when its score ≥ it; inf flags nobody, -inf everybody.
    choice_ : Choice
        The operating point: rates, precision and cost on the cases the threshold was chosen on, and the range of t over which it
        stays the cheapest. Slightly optimistic, since it was chosen on those cases.
    hull_ : RocCurve
        The hull of the scores it was chosen on: every threshold that is cheapest at some condition. No other score of a training
        case is kept.
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
    <Choice: LogisticRegression: flag cases with score ≥ 0.084; catches 94.1% of positives, flags 5.5% of negatives; expected cost ...>
    """

    def __init__(
        self,
        estimator: Any,
        *,
        condition: Condition | Conditions | None = None,
        choose: Choosing = "cost",
        max_fpr: float | None = None,
        max_flagged: float | None = None,
        min_precision: float | None = None,
        pos_label: Any = None,
        response_method: ResponseMethod = "auto",
        cv: Any = None,
        refit: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.condition = condition
        self.choose = choose
        self.max_fpr = max_fpr
        self.max_flagged = max_flagged
        self.min_precision = min_precision
        self.pos_label = pos_label
        self.response_method = response_method
        self.cv = cv
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:  # noqa: N803
        """Choose the threshold and fit the classifier.

        Parameters
        ----------
        X : array, sparse matrix or dataframe of shape (n, k)
        y : array of shape (n,)
            Two classes.
        sample_weight : array of shape (n,), optional
            How much each case counts in the choice. It also goes to the classifier's `fit` if that takes weights; with metadata routing,
            only if the classifier requests it.
        **params
            For the classifier's `fit`; with metadata routing also for the splitter.
        """
        self._check_options()
        X, y = indexable(X, y)  # noqa: N806
        labels = column_or_1d(y, warn=True)
        if type_of_target(labels, input_name="y") != "binary":
            raise InputError(
                "Only binary classification is supported: isocost needs two classes. "
                f"Unknown label type: {type_of_target(labels)} ({validate.listed(np.unique(labels).tolist())})"
            )
        classes = np.unique(labels)
        if classes.size < 2:
            raise InputError(
                f"y holds only one class ({validate.listed(classes.tolist())}): at least one positive and one negative are needed"
            )
        if sample_weight is not None:
            validate.aligned(y=y, sample_weight=sample_weight)
            sample_weight = validate.vector(sample_weight, "sample_weight")
            validate.same_length(sample_weight=sample_weight, y=labels)
        if self.pos_label is None and not any(isinstance(c, str) for c in classes.tolist()):
            self.pos_label_ = classes[1]
        else:
            self.pos_label_ = validate.positive_class(classes.tolist(), self.pos_label, "y", among=labels)
        routed = self._routed(sample_weight, params)
        scored = self._fit_and_score(X, labels, routed)
        weights = None if sample_weight is None else sample_weight[scored.rows]
        curve = RocCurve.from_scores(
            labels[scored.rows] == self.pos_label_, scored.scores, sample_weight=weights,
            name=type(self.estimator).__name__,
        )  # fmt: skip
        self.choice_ = self._chosen(curve)
        # The vertices alone: a fitted model that travels must not take the score of every training case along.
        self.hull_ = curve.hull
        everybody = (self.choice_.fpr, self.choice_.tpr) == (1.0, 1.0)
        # The lowest score seen is no bound for the scores to come.
        self.threshold_ = -math.inf if everybody else self.choice_.threshold
        self._adopt_features()
        return self

    def _check_options(self) -> None:
        validate.choice(self.choose, "choose", CHOOSING)
        validate.choice(self.response_method, "response_method", RESPONSE_METHODS)
        if self.condition is not None and not isinstance(self.condition, Condition | Conditions):
            raise ConditionError(f"condition must be a Condition or Conditions, got {self.condition!r}")
        if self.choose == "rate" and isinstance(self.condition, Conditions):
            raise ConditionError("choose='rate' needs one Condition: its cost proportion is the share of cases to flag")
        if self._limits and self.choose != "cost":
            raise InputError(f"{' and '.join(self._limits)} goes with choose='cost', got choose={self.choose!r}")

    @property
    def _limits(self) -> dict[str, float]:
        given = {name: getattr(self, name) for name in ("max_fpr", "max_flagged", "min_precision")}
        return {name: value for name, value in given.items() if value is not None}

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
            share = validate.inner_rate(cv, "cv")
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

    def _chosen(self, curve: RocCurve) -> Choice:
        limits: dict[str, Any] = self._limits
        if self.condition is None and limits:
            most = best_threshold(curve, Condition(0.0, 1.0, curve._prevalence_or(None)), **limits)
            # No costs were given, so none are stated.
            return replace(most, condition=None, normalised_cost=None, expected_cost=None)
        if self.choose == "minimax":
            return minimax(curve, over=self.condition)
        condition = Condition(prevalence=curve._prevalence_or(None)) if self.condition is None else self.condition
        if self.choose == "rate" and isinstance(condition, Condition):
            chosen = rate_threshold(curve, condition.cost_proportion, prevalence=condition.prevalence, randomised=False)
            cost = condition.expected_cost(chosen.fpr, chosen.tpr)
            return replace(chosen, condition=condition, expected_cost=cost)
        return best_threshold(curve, condition, **limits)

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

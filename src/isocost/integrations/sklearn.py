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
from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from isocost.conditions import Atoms, Beta, Condition, Conditions, Even, Known, TRange, Uniform, UniformSkew
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.decide.amounts import AmountChoice
from isocost.decide.choice import Band, Choice, Drift
from isocost.decide.question import Words
from isocost.errors import ConditionError, UnknownNameError
from isocost.integrations.refusals import Refusing
from isocost.integrations.threshold_classifier import CostThresholdClassifier
from isocost.measures.registry import Measure, registered_measures, score_of

__all__ = ["TRUSTED_TYPES", "CostThresholdClassifier", "get_scorer", "get_scorer_names", "prediction_cost"]

#: The types that a fitted `CostThresholdClassifier` is made of, which hold data alone. For `skops`: it loads only what it is told to trust.
TRUSTED_TYPES: tuple[str, ...] = tuple(
    f"{cls.__module__}.{cls.__qualname__}"
    for cls in (
        CostThresholdClassifier, RocCurve, Choice, Band, AmountChoice, Drift, Words, TRange, Condition, Conditions,
        Uniform, Beta, UniformSkew, Atoms, Even, Known,
    )
)  # fmt: skip

_PREDICTED = "neg_prediction_cost"
# scikit-learn's own order of preference for measures that need ranks only: nothing is rounded to 0 or 1.
_RANKING = ("decision_function", "predict_proba")


def get_scorer_names() -> list[str]:
    """Return the names `get_scorer` takes: those of the registered measures, losses with `neg_` before them.

    Examples
    --------
    >>> from isocost.integrations.sklearn import get_scorer_names
    >>> get_scorer_names()[:3]
    ['voros', 'neg_mean_normalised_cost', 'h_measure']
    """
    return [*_measures(), _PREDICTED]


def get_scorer(
    name: str,
    *,
    condition: Condition | Conditions | None = None,
    pos_label: Any = None,
    **options: Any,
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
        The label to detect; needed unless labels are 0/1, -1/1 or booleans. Without it a cross-validation stops with an error,
        whatever its `error_score`, instead of scoring NaN in every fold.
    **options
        Options of the measure, such as `severity_ratio=` of the H-measure.

    Returns
    -------
    scorer
        Made by `sklearn.metrics.make_scorer`; `scorer.set_score_request(sample_weight=True)` has weights routed to it.

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
        score_of(measure),
        greater_is_better=measure.higher_is_better,
        response_method="predict_proba" if "probabilities" in measure.needs else _RANKING,
        pos_label=pos_label,
        **options,
    )


def _scorer(function: Callable[..., float], **settings: Any) -> Callable[..., float]:
    from sklearn.metrics import make_scorer

    scorer: Callable[..., float] = make_scorer(Refusing(function), **settings)
    return scorer


def _measures() -> dict[str, Measure]:
    return {f"{'' if m.higher_is_better else 'neg_'}{m.name}": m for m in registered_measures().values()}


def _check_options(name: str, options: dict[str, Any], known: list[str]) -> None:
    for option in options:
        if option not in known:
            raise UnknownNameError(f"option of {name}", option, known)


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
    at = int(curve._points_at(0.5))
    fpr, tpr = float(curve.fpr[at]), float(curve.tpr[at])
    if isinstance(condition, Condition):
        return condition.expected_cost(fpr, tpr)
    return Condition.from_t(condition.mean).normalised_cost(fpr, tpr)

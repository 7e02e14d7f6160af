"""Scores of scikit-learn classifiers: of fitted ones, or out of fold of any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from isocost.data import checks
from isocost.errors import InputError, MissingDependencyError

try:
    import sklearn as _  # noqa: F401 - only to say which extra is missing
except ImportError as error:
    raise MissingDependencyError("isocost.integrations.sklearn", "scikit-learn", "sklearn") from error


ResponseMethod = Literal["auto", "predict_proba", "decision_function"]
RESPONSE_METHODS: tuple[ResponseMethod, ...] = ("auto", "predict_proba", "decision_function")
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


def response_of(estimator: Any, method: ResponseMethod = "auto") -> str:
    """Return the method to call: "auto" takes predict_proba, or else decision_function."""
    checks.choice(method, "response_method", RESPONSE_METHODS)
    for name in RESPONSE_METHODS[1:] if method == "auto" else (method,):
        if hasattr(estimator, name):
            return name
    asked = "predict_proba or decision_function" if method == "auto" else method
    raise InputError(f"{type(estimator).__name__} has no {asked}: its cases cannot be ranked, so it has no thresholds")


def scores_of(estimator: Any, x: Any, pos_label: Any = None, method: ResponseMethod = "auto") -> NDArray[Any]:
    """Return a fitted classifier's scores of `x`, higher meaning more likely `pos_label`."""
    if not hasattr(estimator, "fit"):
        raise InputError(f"a classifier of scikit-learn is needed, got {estimator!r:.80}")
    try:
        check_is_fitted(estimator)
    except NotFittedError as error:
        raise InputError(
            f"{type(estimator).__name__} is not fitted: fit it on other cases first, or pass cv= to have it fitted"
        ) from error
    if not hasattr(estimator, "classes_"):
        raise InputError(f"{type(estimator).__name__} is no classifier: it has no classes_")
    classes = np.asarray(estimator.classes_).tolist()
    if len(classes) != 2:
        raise InputError(f"{type(estimator).__name__} knows {len(classes)} classes ({classes}): isocost needs two")
    place = classes.index(checks.positive_class(classes, pos_label, f"{type(estimator).__name__}.classes_"))
    name = response_of(estimator, method)
    response = np.asarray(getattr(estimator, name)(x))
    if name == "predict_proba":
        return np.asarray(response[:, place])
    # A decision function points to the second class.
    return response if place == 1 else -response


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Scores of cases that the scoring model was not trained on.

    Attributes
    ----------
    rows : ndarray of int
        Which case; more than once if several test sets hold it.
    scores : ndarray
    fold : ndarray of int
        Which split the score comes from.
    """

    rows: NDArray[np.intp]
    scores: NDArray[Any]
    fold: NDArray[np.intp]


def named_estimators(given: Any) -> dict[str, Any]:
    """Return classifiers by name: of a dict, of pairs of name and classifier, or of a list, whose classes name them.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB, GaussianNB
    >>> list(named_estimators([GaussianNB(), BernoulliNB(), GaussianNB()]))
    ['GaussianNB', 'BernoulliNB', 'GaussianNB 2']
    """
    if not isinstance(given, Mapping | list | tuple):
        raise InputError(
            f"estimators must be a dict of name to classifier, a list of pairs or a list of classifiers, got {type(given).__name__}"
        )
    found: dict[str, Any] = {}
    for one in given.items() if isinstance(given, Mapping) else given:
        name, estimator = one if isinstance(one, tuple) and len(one) == 2 else (None, one)
        if not hasattr(estimator, "fit"):
            where = f"estimators[{len(found) if name is None else name!r}]"
            raise InputError(f"{where} must be a classifier of scikit-learn, got {estimator!r:.80}")
        if name is None:
            kind = type(estimator).__name__
            name = next(n for n in (kind, *(f"{kind} {i}" for i in range(2, len(given) + 1))) if n not in found)
        elif name in found:
            raise InputError(f"two estimators are called {name!r}: give each a name of its own")
        found[name] = estimator
    return found


def splits_of(cv: Any, x: Any, y: Any, **split_params: Any) -> list[Split]:
    """Return the training and test rows of each split, as scikit-learn reads `cv`; stratified if it is a number."""
    return list(check_cv(cv, y, classifier=True).split(x, y, **split_params))


def out_of_fold(
    estimator: Any,
    x: Any,
    y: Any,
    splits: list[Split],
    *,
    pos_label: Any,
    method: ResponseMethod = "auto",
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
) -> OutOfFold:
    """Return the scores of each split's test cases by a clone fitted to its training cases."""
    found = Parallel(n_jobs=n_jobs)(
        delayed(_fit_and_score)(clone(estimator), x, y, train, test, pos_label, method, params or {})
        for train, test in splits
    )
    sizes = [len(test) for _, test in splits]
    return OutOfFold(
        np.concatenate([test for _, test in splits]), np.concatenate(found), np.repeat(np.arange(len(sizes)), sizes)
    )


def _fit_and_score(
    estimator: Any, x: Any, y: Any, train: Any, test: Any, pos_label: Any, method: ResponseMethod, params: Any
) -> NDArray[Any]:
    fitted = params_of(params, train, len(y))
    estimator.fit(_safe_indexing(x, train), _safe_indexing(y, train), **fitted)
    return scores_of(estimator, _safe_indexing(x, test), pos_label, method)


def params_of(params: Mapping[str, Any], rows: NDArray[np.intp], size: int) -> dict[str, Any]:
    """Return arguments of `fit`, those with one entry a case restricted to some rows."""
    return {
        name: _safe_indexing(np.asarray(value) if isinstance(value, list) else value, rows)
        if _length(value) == size
        else value
        for name, value in params.items()
    }


def _length(value: Any) -> int | None:
    if isinstance(value, str | bytes):
        return None
    shape = getattr(value, "shape", None)
    if shape:
        return int(shape[0])
    return len(value) if hasattr(value, "__len__") else None


@dataclass(frozen=True, eq=False)
class ScoredCases:
    """Labels and scores of the cases that were scored.

    Attributes
    ----------
    rows : ndarray of int
        Their places in the data given, ascending; as often as several test sets hold them.
    labels : ndarray
    scores : dict of str to ndarray
    fold : ndarray of int or None
    repeats : ndarray of int or None
        How often each row is there; None if none is there twice.
    """

    rows: NDArray[np.intp]
    labels: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    fold: NDArray[np.intp] | None
    repeats: NDArray[np.intp] | None = None


def scored_cases(
    estimators: Mapping[str, Any] | Sequence[Any],
    x: Any,
    y: ArrayLike,
    *,
    cv: Any,
    pos_label: Any,
    method: ResponseMethod,
    groups: ArrayLike | None,
    params: Mapping[str, Any] | None,
    n_jobs: int | None,
) -> ScoredCases:
    """Return every classifier's scores of the same cases; see `Comparison.from_estimators`."""
    models = named_estimators(estimators)
    labels = checks.vector(y, "y")
    # The classifiers see labels as they are; this only says what is wrong with them before anything is fitted.
    checks.labels(labels, pos_label, "y")
    if cv is None:
        for name, value in (("groups", groups), ("params", params)):
            if value is not None:
                raise InputError(
                    f"{name} is for fitting, and nothing is fitted without cv=: pass cv, or leave {name} out"
                )
        scores = {name: scores_of(e, x, pos_label, method) for name, e in models.items()}
        return ScoredCases(np.arange(labels.size), labels, scores, None)
    splits = splits_of(cv, x, labels, groups=groups)
    found = {
        name: out_of_fold(e, x, labels, splits, pos_label=pos_label, method=method, params=params, n_jobs=n_jobs)
        for name, e in models.items()
    }
    tests = np.concatenate([test for _, test in splits])
    order = np.argsort(tests, kind="stable")
    fold = np.repeat(np.arange(len(splits)), [len(test) for _, test in splits])[order]
    rows = tests[order]
    times = np.bincount(rows)[rows]
    scores = {name: f.scores[order] for name, f in found.items()}
    return ScoredCases(rows, labels[rows], scores, fold, times if np.any(times > 1) else None)

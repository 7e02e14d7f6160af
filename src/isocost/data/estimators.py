"""Scores of scikit-learn classifiers: of fitted ones, or out of fold of any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.data import checks
from isocost.data.cases import Cases
from isocost.errors import InputError, MissingDependencyError

try:
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.model_selection import check_cv
    from sklearn.utils import _safe_indexing
    from sklearn.utils.parallel import Parallel, delayed
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise MissingDependencyError("isocost.integrations.sklearn", "scikit-learn", "sklearn") from error

ResponseMethod = Literal["auto", "predict_proba", "decision_function"]
RESPONSE_METHODS: tuple[ResponseMethod, ...] = ("auto", "predict_proba", "decision_function")
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


def scores_of(estimator: Any, x: Any, pos_label: Any = None, method: ResponseMethod = "auto") -> NDArray[Any]:
    """Return a fitted classifier's scores of `x`, higher meaning more likely `pos_label`; "auto" takes probabilities if there are any."""
    checks.choice(method, "response_method", RESPONSE_METHODS)
    kind = type(_classifier(estimator, "estimator")).__name__
    try:
        check_is_fitted(estimator)
    except NotFittedError as error:
        raise InputError(f"{kind} is not fitted: fit it on other cases first, or pass cv= to have it fitted") from error
    known = checks.needed(getattr(estimator, "classes_", None), f"{kind} is not a classifier: it has no classes_")
    classes = np.asarray(known).tolist()
    if len(classes) != 2:
        raise checks.class_fault(f"{kind}.classes_", classes)
    place = classes.index(checks.positive_class(classes, pos_label, f"{kind}.classes_"))
    wanted = RESPONSE_METHODS[1:] if method == "auto" else (method,)
    offered = next((name for name in wanted if hasattr(estimator, name)), None)
    why = f"{kind} has no {' or '.join(wanted)}: its cases cannot be ranked, so it has no thresholds"
    response = np.asarray(getattr(estimator, checks.needed(offered, why))(x))
    if offered == "predict_proba":
        return np.asarray(response[:, place])
    # A decision function points to the second class.
    return response if place == 1 else -response


def _classifier(value: Any, where: str) -> Any:
    if not hasattr(value, "fit"):
        raise InputError(f"{where} must be a classifier of scikit-learn, got {value!r:.80}")
    return value


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Scores of cases that the scoring model was not trained on, and which split each is of; a case may be in several test sets."""

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
    kinds = "a dict of name to classifier, a list of pairs or a list of classifiers"
    checks.instance(given, "estimators", Mapping | list | tuple, kinds)
    names: list[str] = []
    found: list[Any] = []
    for one in given.items() if isinstance(given, Mapping) else given:
        name, estimator = one if isinstance(one, tuple) and len(one) == 2 else (None, one)
        kind = type(_classifier(estimator, f"estimators[{len(found) if name is None else name!r}]")).__name__
        free = (n for n in (kind, *(f"{kind} {i}" for i in range(2, len(given) + 1))) if n not in names)
        names.append(next(free) if name is None else name)
        found.append(estimator)
    return dict(zip(checks.names(names, "estimator"), found, strict=True))


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

    def fit_and_score(model: Any, train: Any, test: Any) -> NDArray[Any]:
        model.fit(_safe_indexing(x, train), _safe_indexing(y, train), **params_of(params or {}, train, len(y)))
        return scores_of(model, _safe_indexing(x, test), pos_label, method)

    found = Parallel(n_jobs=n_jobs)(delayed(fit_and_score)(clone(estimator), train, test) for train, test in splits)
    tests = [test for _, test in splits]
    fold = np.repeat(np.arange(len(tests)), [len(test) for test in tests])
    return OutOfFold(np.concatenate(tests), np.concatenate(found), fold)


def params_of(params: Mapping[str, Any], rows: NDArray[np.intp], size: int) -> dict[str, Any]:
    """Return arguments of `fit`, those with one entry per case restricted to some rows."""

    def part(value: Any) -> Any:
        shape = getattr(value, "shape", None) or ((len(value),) if isinstance(value, Sequence) else ())
        if isinstance(value, str | bytes) or not shape or shape[0] != size:
            return value
        return _safe_indexing(np.asarray(value) if isinstance(value, list) else value, rows)

    return {name: part(value) for name, value in params.items()}


def scored_cases(
    estimators: Mapping[str, Any] | Sequence[Any],
    x: Any,
    y: ArrayLike,
    *,
    cv: Any,
    sample_weight: ArrayLike | None,
    pos_label: Any,
    params: Mapping[str, Any] | None,
) -> Cases:
    """Return every classifier's scores of the same cases; see `Comparison.from_estimators`."""
    models, labels = named_estimators(estimators), checks.vector(y, "y")
    # The classifiers see labels as they are; this only says what is wrong with them before anything is fitted.
    checks.labels(labels, pos_label, "y")
    index = checks.aligned(y=y, sample_weight=sample_weight, X=x)
    weights = None if sample_weight is None else checks.vector(sample_weight, "sample_weight")
    checks.same_length(y=labels, sample_weight=weights)
    if cv is None:
        checks.left_out("is for fitting, and nothing is fitted without cv=: pass cv, or leave it out", params=params)
        scores = {name: scores_of(e, x, pos_label) for name, e in models.items()}
        return replace(Cases.from_scores(labels, scores, weights, pos_label, None), index=index)
    splits = splits_of(cv, x, labels)
    found = {n: out_of_fold(e, x, labels, splits, pos_label=pos_label, params=params) for n, e in models.items()}
    one = next(iter(found.values()))
    order = np.argsort(one.rows, kind="stable")
    rows, scores = one.rows[order], {name: each.scores[order] for name, each in found.items()}
    times, cluster = np.bincount(rows)[rows], None
    weights = None if weights is None else weights[rows]
    if np.any(times > 1):
        # A case that several test sets hold counts once in all, and is drawn as a whole.
        weights, cluster = (1.0 if weights is None else weights) / times, rows
    cases = Cases.from_scores(labels[rows], scores, weights, pos_label, one.fold[order], cluster=cluster)
    kept = None if index is None else (index[0], index[1][rows])
    return replace(cases, repeats=None if cluster is None else times, index=kept)

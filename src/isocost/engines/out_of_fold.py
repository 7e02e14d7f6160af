"""The cases that several classifiers are compared on: scores of fitted ones, or out-of-fold scores of any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.engines.estimators import ResponseMethod, out_of_fold, refuse_repeats, scores_of, splits_of
from isocost.errors import InputError


@dataclass(frozen=True, eq=False)
class ScoredCases:
    """Labels and scores of the cases that were scored.

    Attributes
    ----------
    rows : ndarray of int
        Their places in the data given, ascending.
    labels : ndarray
    scores : dict of str to ndarray
    fold : ndarray of int or None
    """

    rows: NDArray[np.intp]
    labels: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    fold: NDArray[np.intp] | None


def scored_cases(
    estimators: Mapping[str, Any],
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
    if not isinstance(estimators, Mapping):
        raise InputError(f"estimators must be a dict of name to classifier, got {type(estimators).__name__}")
    for name, estimator in estimators.items():
        if not hasattr(estimator, "fit"):
            raise InputError(f"estimators[{name!r}] must be a classifier of scikit-learn, got {estimator!r:.80}")
    labels = validate.vector(y, "y")
    # The classifiers see labels as they are; this only says what is wrong with them before anything is fitted.
    validate.labels(labels, pos_label, "y")
    if cv is None:
        for name, value in (("groups", groups), ("params", params)):
            if value is not None:
                raise InputError(
                    f"{name} is for fitting, and nothing is fitted without cv=: pass cv, or leave {name} out"
                )
        scores = {name: scores_of(e, x, pos_label, method) for name, e in estimators.items()}
        return ScoredCases(np.arange(labels.size), labels, scores, None)
    splits = splits_of(cv, x, labels, groups=groups)
    refuse_repeats(splits, labels.size)
    found = {
        name: out_of_fold(e, x, labels, splits, pos_label=pos_label, method=method, params=params, n_jobs=n_jobs)
        for name, e in estimators.items()
    }
    tests = np.concatenate([test for _, test in splits])
    order = np.argsort(tests)
    fold = np.repeat(np.arange(len(splits)), [len(test) for _, test in splits])[order]
    rows = tests[order]
    return ScoredCases(rows, labels[rows], {name: f.scores[order] for name, f in found.items()}, fold)

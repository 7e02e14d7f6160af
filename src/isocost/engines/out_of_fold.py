"""The cases that several classifiers are compared on: scores of fitted ones, or out-of-fold scores of any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.engines.estimators import ResponseMethod, named_estimators, out_of_fold, scores_of, splits_of
from isocost.errors import InputError


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
    labels = validate.vector(y, "y")
    # The classifiers see labels as they are; this only says what is wrong with them before anything is fitted.
    validate.labels(labels, pos_label, "y")
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

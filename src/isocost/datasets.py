"""Predictions shipped with isocost, for the demo, the documentation and first trials."""

from __future__ import annotations

import csv
from importlib import resources

import numpy as np
import numpy.typing as npt

from isocost._front import documented_by

_SOURCE = (
    "Hofmann (1994), Statlog (German Credit Data), UCI Machine Learning Repository, CC BY 4.0, doi:10.24432/C5NC77"
)


@documented_by(see="load_german_credit_ages", cites=_SOURCE)
def load_german_credit_predictions() -> tuple[npt.NDArray[np.int64], dict[str, npt.NDArray[np.float64]]]:
    """Out-of-fold predictions of three models on the German credit data.

    The positive class is a bad customer (300 of 1000). Each score is a probability in [0, 1] from a model that did
    not see that customer; higher means more likely bad. The data's own documentation sets the cost of accepting a bad
    customer to 5 and of refusing a good one to 1.

    Returns
    -------
    y_true : ndarray of int, shape (1000,)
        1 for a bad customer, 0 for a good one.
    scores : dict of str to ndarray of float, each of shape (1000,)
        One entry for each of ``"logistic_regression"``, ``"random_forest"`` and ``"naive_bayes"``.

    Examples
    --------
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y_true, scores = load_german_credit_predictions()
    >>> int(y_true.sum()), len(y_true), sorted(scores)
    (300, 1000, ['logistic_regression', 'naive_bayes', 'random_forest'])
    """
    file = resources.files("isocost") / "examples" / "german_credit_predictions.csv"
    header, *rows = csv.reader(file.read_text(encoding="utf-8").splitlines())
    table = np.array(rows, dtype=np.float64)
    return table[:, 0].astype(np.int64), {name: table[:, i] for i, name in enumerate(header) if i}


@documented_by(see="load_german_credit_predictions", cites=_SOURCE)
def load_german_credit_ages() -> npt.NDArray[np.int64]:
    """Ages of the customers of `load_german_credit_predictions`, in the same order, to try groups with.

    Returns
    -------
    ndarray of int, shape (1000,)
        Years, the column of that name in the original data.

    Examples
    --------
    >>> from isocost.datasets import load_german_credit_ages
    >>> ages = load_german_credit_ages()
    >>> int(ages.min()), int(ages.max())
    (19, 75)
    """
    file = resources.files("isocost") / "examples" / "german_credit_ages.csv"
    return np.array(file.read_text(encoding="utf-8").splitlines()[1:], dtype=np.int64)

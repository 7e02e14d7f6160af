"""Criteria for splits into any number of leaves, each class weighing the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate


def auc_split_table(counts: ArrayLike) -> float:
    """Area under the ROC curve of a split into leaves, ranked by their share of positives; higher is better, 0.5 to 1.

    Parameters
    ----------
    counts : array of shape (2, leaves)
        Positives in the first row, negatives in the second.

    References
    ----------
    Ferri, Flach & Hernández-Orallo (2002), Learning decision trees using the area under the ROC curve, ICML 19:139-146.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.auc_split_table([[8, 1, 3], [2, 10, 4]]), 6)
    0.838542
    """
    shares = validate.shares_of_classes(counts, "counts", classes=2)
    # Equal weights of the classes rank leaves as their own counts do.
    tpr, fpr = shares[:, np.argsort(-shares[0] / shares.sum(axis=0), kind="stable")]
    before = np.cumsum(tpr) - tpr
    return float(np.sum(fpr * (before + tpr / 2)))


def gini_roc_table(counts: ArrayLike) -> float:
    """Gini-ROC of a split of several classes into several branches: higher is better, 0 to 1.

    With r the share of each class in each branch and J classes, (Σ over branches of Σr²/Σr - 1)/(J - 1). It is `gini_roc` for
    two classes and two branches, and χ²/(N(J - 1)) where all classes have equally many cases. It is insensitive to their balance.

    Parameters
    ----------
    counts : array of shape (classes, branches)

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201, names it as future work.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.gini_roc_table([[8, 1, 3], [2, 10, 0], [5, 5, 20]]), 6)
    0.363054
    """
    shares = validate.shares_of_classes(counts, "counts")
    return float((np.sum(np.sum(shares**2, axis=0) / shares.sum(axis=0)) - 1) / (len(shares) - 1))

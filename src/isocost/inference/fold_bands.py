"""A band over evaluations such as the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.curves import CostCurve, RocCurve, cost_curve
from isocost.curves.joint import _listed_averaging as _listed
from isocost.errors import InputError
from isocost.inference.bands import Band


def band_over_folds(
    curves: Iterable[RocCurve | CostCurve], level: float = 0.90, *, grid: int | ArrayLike = 201, name: str = "mean"
) -> Band:
    """Return the mean cost over folds with limits from how much the folds differ (Student's t at each condition).

    The limits are about new training and test cases. Folds of one cross-validation share most of their training cases, so their spread
    understates this. Each fold's optimism remains; `bootstrap(fold=)` corrects for it.

    Parameters
    ----------
    curves : list of RocCurve or CostCurve
        One per fold, at least two.
    level : float
        Strictly between 0 and 1.
    grid : int or array
        How many conditions, equally spaced in pcf from 0 to 1, or which ones.
    name : str

    References
    ----------
    Bengio & Grandvalet (2004), No unbiased estimator of the variance of k-fold cross-validation, JMLR 5:1089-1105.

    Examples
    --------
    >>> import isocost as ic
    >>> one, two = ic.RocCurve.from_points([0.1], [0.6]), ic.RocCurve.from_points([0.2], [0.8])
    >>> band = ic.inference.band_over_folds([one, two], grid=[0.0, 0.5, 1.0])
    >>> band.centre.round(3).tolist(), band.high.round(3).tolist()
    ([0.0, 0.225, 0.0], [0.0, 0.383, 0.0])
    """
    from scipy.special import stdtrit

    listed = _listed(curves, "band_over_folds")
    share, pcf = validate.level(level), validate.pcf_grid(grid)
    if len(listed) < 2:
        raise InputError("band_over_folds needs at least 2 curves to see how much they differ, got 1")
    costs = np.stack([(cost_curve(c) if isinstance(c, RocCurve) else c)(pcf) for c in listed])
    centre = costs.mean(axis=0)
    reach = float(stdtrit(len(listed) - 1, (1 + share) / 2)) * costs.std(axis=0, ddof=1) / np.sqrt(len(listed))
    low, high = (np.clip(centre + sign * reach, 0.0, 1.0) for sign in (-1, 1))
    what = "the mean apparent cost over trainings and test cases such as these folds"
    return Band(pcf, low, centre, high, centre, share, "pointwise", what, (name,))

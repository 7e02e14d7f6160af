"""Kendall curves: the part of the rate-driven cost that is the ranking's fault."""

from __future__ import annotations

import numpy as np

from isocost import validate
from isocost.cost_space.axes import AXES, Axis
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.shares import Shares
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve


@takes_curve()
def kendall_curve(curve: RocCurve, *, prevalence: float | None = None, axis: Axis = "cost_proportion") -> CostCurve:
    """Return the Kendall curve: the rate-driven cost beyond that of a perfect ranker; lower is better, 0 is a perfect ranking.

    2(1-π)·fpr where the share x of cases flagged is at most π, 2π(1-tpr) above: twice the share of cases that are false alarms,
    or misses, when the best-ranked x are flagged. Straight lines between the rates of consecutive points and π. Its area is
    2π(1-π)(1-AUC), the number of discordant pairs times 2/n². It is a difference of two cost curves, not the cost of a classifier.

    Parameters
    ----------
    curve : RocCurve
        A curve made from score distributions is drawn through its fine sample; its `kendall_loss` is exact.
    prevalence : float, optional
        π; the data's own by default.
    axis : {"cost_proportion", "pcf"}
        On pcf, π is ½ and x the mean of fpr and tpr.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), Definition 3 and Theorem 2, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> kendall = ic.kendall_curve(curve)
    >>> kendall(kendall.breaks).tolist(), round(kendall.area(), 6)
    ([0.0, 0.0, 0.0, 0.4, 0.0, 0.0], 0.08)
    """
    validate.choice(axis, "axis", AXES)
    shares = Shares.of(curve, axis, prevalence)
    curve._require_path()
    x, pi = shares.rate, shares.prevalence
    # The first point at or after rate π; the path is continued to π itself by a straight line.
    after = int(np.searchsorted(x, pi, side="left"))
    before = after - 1
    part = (pi - x[before]) / (x[after] - x[before])
    alarms, misses = shares.false_alarms, shares.misses
    at_pi = alarms[before] + part * (alarms[after] - alarms[before])
    breaks = np.concatenate([x[:after], [pi], x[after:]])
    value = 2 * np.concatenate([alarms[:after], [at_pi], misses[after:]])
    return CostCurve.from_values(breaks, value[:-1], value[1:], **shares.about)

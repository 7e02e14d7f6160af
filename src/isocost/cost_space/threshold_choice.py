"""What a classifier costs under each way of choosing its threshold."""

from __future__ import annotations

from typing import Literal

import numpy as np

from isocost import validate
from isocost.cost_space.curve import AXES, Axis, CostCurve
from isocost.cost_space.envelope import envelope, line
from isocost.errors import InputError
from isocost.roc_space import RocCurve

Method = Literal["optimal", "fixed"]
METHODS: tuple[Method, ...] = ("optimal", "fixed")


def cost_curve(
    curve: RocCurve,
    *,
    method: Method = "optimal",
    threshold: float | None = None,
    axis: Axis = "pcf",
    prevalence: float | None = None,
) -> CostCurve:
    """Return the cost of a classifier at every condition; lower is better, 0 to 1 on the pcf axis.

    Parameters
    ----------
    curve : RocCurve
    method : {"optimal", "fixed"}
        "optimal": the best threshold at each condition (the lower envelope, trivial classifiers included).
        "fixed": one `threshold` everywhere, a straight line.
    threshold : float, optional
        For "fixed": flag scores ≥ threshold. May be left out when the curve has a single point besides the trivial ones.
    axis : {"pcf", "cost_proportion"}
        "pcf": normalised cost over PCF(+) = 1 - t. "cost_proportion": the scale of Hernández-Orallo et al. (2013), over
        cost_fn/(cost_fn + cost_fp) at a fixed prevalence.
    prevalence : float, optional
        For "cost_proportion"; the data's own by default.

    References
    ----------
    Drummond & Holte (2000), doi:10.1145/347090.347126.
    Hernández-Orallo, Flach & Ferri (2013), ROC curves in cost space, Machine Learning 93:71-91, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> envelope = ic.cost_curve(curve)
    >>> envelope([0.25, 0.5, 0.75]).round(4).tolist()
    [0.0833, 0.1667, 0.125]
    """
    validate.choice(method, "method", METHODS)
    validate.choice(axis, "axis", AXES)
    pi = None
    if axis == "cost_proportion":
        pi = curve.prevalence_or(prevalence)
        if not 0 < pi < 1:
            raise InputError(f"prevalence must lie strictly between 0 and 1 on the cost_proportion axis, got {pi}")
    if method == "optimal":
        if threshold is not None:
            raise InputError(f"threshold={threshold!r} goes with method='fixed': 'optimal' chooses its own")
        return envelope(curve, axis=axis, prevalence=pi)
    point = fixed_point(curve, threshold)
    return line(float(curve.fpr[point]), float(curve.tpr[point]), axis=axis, prevalence=pi, name=curve.name)


def fixed_point(curve: RocCurve, threshold: float | None) -> int:
    """Return the index of the operating point that a threshold on the scores means."""
    if threshold is None:
        inner = [] if curve.given is None else np.flatnonzero(curve.given).tolist()
        if len(inner) == 1:
            return int(inner[0])
        raise InputError(f"method='fixed' needs a threshold: the curve has {len(curve)} points")
    cut = validate.number(threshold, "threshold")
    if np.isnan(curve.thresholds).any():
        raise InputError(
            "the curve's points have no thresholds: build it with from_scores, or from_points(thresholds=)"
        )
    # Thresholds descend: flagging score ≥ cut means the last distinct score that is still ≥ cut.
    return int(np.searchsorted(-curve.thresholds, -cut, side="right") - 1)

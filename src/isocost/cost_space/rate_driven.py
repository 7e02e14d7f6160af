"""Rate-driven curves: the threshold flags the share of cases that equals the operating condition."""

from __future__ import annotations

from typing import Literal

import numpy as np

from isocost import validate
from isocost.cost_space.axes import AXES, Axis
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.kendall import kendall_curve
from isocost.cost_space.shares import Shares
from isocost.errors import InputError
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve

Skull = Literal["rate_driven", "kendall"]
SKULLS: tuple[Skull, ...] = ("rate_driven", "kendall")


def rate_driven(
    curve: RocCurve,
    *,
    axis: Axis = "cost_proportion",
    prevalence: float | None = None,
    chosen_on: RocCurve | None = None,
) -> CostCurve:
    """Return the rate-driven cost curve: quadratic between the rates of consecutive points.

    With `chosen_on`, thresholds and mixing probabilities are those that reach the rate on that curve, and the cost is paid on
    `curve`.
    """
    paid = Shares.of(curve, axis, prevalence)
    curve._require_path()
    if chosen_on is None:
        x = paid.rate
        value = paid.at(x)
        step = np.diff(x)
        return CostCurve.from_values(x, value[:-1], value[1:], step * step / 2, **paid.about)
    chosen_on._require_path()
    x = Shares.of(chosen_on, axis, paid.prevalence if axis == "cost_proportion" else None).rate
    points = same_thresholds(curve, chosen_on)
    value = paid.at(x, points)
    # Between two thresholds both x and the point move in proportion: their product bends the piece.
    bend = np.diff(x) * np.diff(paid.rate[points]) / 2
    return CostCurve.from_values(x, value[:-1], value[1:], bend, **paid.about)


def same_thresholds(curve: RocCurve, other: RocCurve) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return, for each point of `other`, the point of `curve` with that threshold; flagging nobody or everybody stays so."""
    if np.isnan(other.thresholds).any():
        raise InputError(
            "the points of thresholds_from have no thresholds: build it with from_scores, or from_points(thresholds=)"
        )
    points = curve._points_at(other.thresholds)
    points[0], points[-1] = 0, len(curve) - 1
    return points


def perfect_ranker_curve(*, axis: Axis = "cost_proportion", prevalence: float | None = None) -> CostCurve:
    """Return the rate-driven cost curve of a perfect ranker, which every rate-driven curve contains; area 1/3 - π(1-π).

    2c(π-c) up to c = π and 2(1-c)(c-π) above: 0 only where the share flagged is none, all, or that of the positives.

    Parameters
    ----------
    axis : {"cost_proportion", "pcf"}
    prevalence : float
        π; needed on the cost_proportion axis. On pcf it is ½.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), Lemma 1, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.cost_space.perfect_ranker_curve(prevalence=0.7)
    >>> curve([0, 0.35, 0.7, 0.85]).round(6).tolist(), round(curve.area(), 6)
    ([0.0, 0.245, 0.0, 0.045], 0.123333)
    """
    validate.choice(axis, "axis", AXES)
    if axis == "pcf":
        pi = 0.5
    elif prevalence is None:
        raise InputError("the cost_proportion axis needs a prevalence: pass prevalence=")
    else:
        pi = validate.number(prevalence, "prevalence", low=0.0, high=1.0)
    breaks = np.array([0.0, pi, 1.0])
    return CostCurve.from_values(
        breaks, [0.0, 0.0], [0.0, 0.0], np.diff(breaks) ** 2 / 2,
        axis=axis, prevalence=None if axis == "pcf" else pi, name="perfect ranker",
    )  # fmt: skip


@takes_curve()
def convex_skull(
    curve: RocCurve, *, of: Skull = "rate_driven", axis: Axis = "cost_proportion", prevalence: float | None = None
) -> CostCurve:
    """Return the convex skull: the rate-driven (or Kendall) curve of the ROC hull; lower is better.

    It is to the hull what the rate-driven curve is to the ROC curve: the cost of flagging the share given by the condition,
    after the scores are calibrated by the hull. The lower envelope, which chooses the best threshold at each condition, lies below it.

    Parameters
    ----------
    curve : RocCurve
    of : {"rate_driven", "kendall"}
    axis : {"cost_proportion", "pcf"}
    prevalence : float, optional
        For "cost_proportion"; the data's own by default.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), section 7, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
    >>> round(rate_driven.area(), 4), round(ic.cost_space.convex_skull(curve).area(), 4)
    (0.1733, 0.1333)
    """
    validate.choice(of, "of", SKULLS)
    validate.choice(axis, "axis", AXES)
    build = rate_driven if of == "rate_driven" else kendall_curve
    return build(curve.hull, axis=axis, prevalence=prevalence)

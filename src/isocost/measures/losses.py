"""Expected loss under the threshold choices of Hernández-Orallo, Flach & Ferri, every cost proportion equally likely."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from isocost.conditions import Conditions
from isocost.curves import RocCurve
from isocost.curves.cost import Axis, Shares, envelope, kendall_curve, perfect_ranker_curve, probabilities_of
from isocost.curves.roc import refuse_continuous, takes_curve
from isocost.data import checks
from isocost.errors import InputError
from isocost.measures.areas import auc
from isocost.measures.registry import measure


# 1/3 for chance, a quarter less for a perfect ranking of balanced classes, a quarter more for the worst one.
@measure(
    "lower", (1 / 12, 7 / 12), "ranks path prevalence", "Hernández-Orallo, Flach & Ferri 2013", "10.1007/s10994-013-5328-9",
    place=10, see="kendall_loss brier_loss", cites="Hernández-Orallo, Flach & Ferri 2013, Theorem 1 and Corollary 1",
    formula=r"\pi (1 - \pi)(1 - 2\,AUC) + \tfrac13",
)  # fmt: skip
def rate_driven_loss(
    curve: RocCurve,
    *,
    axis: Axis = "cost_proportion",
    prevalence: float | None = None,
    between: tuple[float, float] = (0.0, 1.0),
) -> float:
    """Return the expected cost when the share of cases flagged equals the operating condition; lower is better.

    The area under the rate-driven cost curve: π(1-π)(1-2·AUC) + 1/3 over all cost proportions, (1-2·AUC)/4 + 1/3 over all pcf.
    Any ranking that is no better than chance costs 1/3, a perfect one 1/3 - π(1-π).

    Parameters
    ----------
    between : (low, high)
        The part of the axis to integrate over, which is also a range of rates.

    Examples
    --------
    >>> round(ic.measures.rate_driven_loss(curve), 4), round(ic.measures.rate_driven_loss(curve, axis="pcf"), 4)
    (0.1733, 0.1667)
    """
    low, high = checks.interval(between, "between", error=InputError)
    pi = Shares.of(curve, axis, prevalence).prevalence
    if (low, high) != (0.0, 1.0):
        perfect = perfect_ranker_curve(axis=axis, prevalence=pi)
        return perfect.area(low, high) + _kendall_area(curve, low, high, axis, prevalence)
    return pi * (1 - pi) * (1 - 2 * auc(curve)) + 1 / 3


@measure(
    "lower", (0, 0.5), "ranks path prevalence", "Hernández-Orallo, Flach & Ferri 2013", "10.1007/s10994-013-5328-9",
    place=11, see="kendall_distance rate_driven_loss", cites="Hernández-Orallo, Flach & Ferri 2013, Theorem 2 and section 8",
    formula=r"2 \pi (1 - \pi)(1 - AUC)",
)  # fmt: skip
def kendall_loss(
    curve: RocCurve,
    *,
    between: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    rates: Any = None,
    normalised: bool = False,
) -> float:
    """Return the expected cost due to the ranking when a share of cases is flagged; lower is better, 0 to 2π(1-π).

    The area under the Kendall curve between two shares of cases flagged: twice the misclassified share of cases beyond that of a
    perfect ranker, added up over all cut points in the range. Over all shares it is 2π(1-π)(1-AUC).

    Parameters
    ----------
    between : (low, high)
        Shares of cases that can be flagged, each equally likely.
    rates : frozen `scipy.stats` distribution, optional
        How likely each share of cases is, instead of `between`; the loss is then the mean over it.
    normalised : bool
        Divide by 2π(1-π): the area above the ROC curve that lies between the two lines of equal rate.

    Examples
    --------
    >>> round(ic.measures.kendall_loss(curve), 4), round(ic.measures.kendall_loss(curve, between=(0, 0.5)), 4)
    (0.08, 0.01)
    >>> round(ic.measures.kendall_loss(curve, normalised=True), 6), round(1 - ic.auc(curve), 6)
    (0.166667, 0.166667)
    """
    low, high = checks.interval(between, "between", error=InputError)
    whole = (low, high) == (0.0, 1.0)
    pi = Shares.of(curve, "cost_proportion", prevalence).prevalence
    if rates is not None:
        advice = "give a range or a distribution of rates"
        checks.at_most_one(advice, between=None if whole else between, rates=rates)
        refuse_continuous(curve, "a distribution of rates needs")
        kendall = kendall_curve(curve, prevalence=prevalence)
        # The area after the axis is warped by the distribution, continuous on [0, 1].
        loss = Conditions.from_distribution(rates).density.expect(kendall, kendall.breaks)
    elif whole:
        loss = 2 * pi * (1 - pi) * (1 - auc(curve))
    else:
        loss = _kendall_area(curve, low, high, "cost_proportion", prevalence)
    return loss / (2 * pi * (1 - pi)) if checks.flag(normalised, "normalised") else loss


def _kendall_area(curve: RocCurve, low: float, high: float, axis: Axis, prevalence: float | None) -> float:
    refuse_continuous(curve, "the loss over a part of the rates needs")
    return kendall_curve(curve, axis=axis, prevalence=prevalence).area(low, high)


@takes_curve(
    "P N (1 - AUC)",
    see="kendall_loss isocost.auc",
    cites="Kendall (1938), A new measure of rank correlation, Biometrika 30:81-93, doi:10.2307/2332226; "
    "Hernández-Orallo, Flach & Ferri 2013, Corollary 2",
)  # fmt: skip
def kendall_distance(curve: RocCurve) -> float:
    """Return the Kendall τ distance to a perfect ranking: how many pairs of a positive and a negative are in the wrong order.

    Lower is better, 0 to PN. A tie counts one half; weights multiply. It is the number of swaps of neighbours that would make the
    ranking perfect.

    Parameters
    ----------
    curve : RocCurve
        With class totals.

    Examples
    --------
    >>> ic.measures.kendall_distance(ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2]))
    1.0
    """
    advice = "pairs can only be counted with class totals: build the curve from scores or counts"
    totals = [float(checks.needed(total, advice)) for total in (curve.positives, curve.negatives)]
    pairs = checks.number(math.prod(totals), "the weight of all pairs", low=0.0, high=sys.float_info.max)
    return pairs - auc(curve) * pairs


@measure(
    "lower", (0, 1), "probabilities prevalence", "Brier 1950", "10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
    place=12, see="calibration_loss rate_driven_loss",
    cites="Brier (1950), Monthly Weather Review 78:1-3, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2; "
    "Hernández-Orallo, Flach & Ferri 2011",
    formula=r"\pi\,E_+ (1 - s)^2 + (1 - \pi)\,E_- s^2",
)  # fmt: skip
def brier_loss(curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None) -> float:
    """Return the Brier score, the expected cost when scores are taken as probabilities; lower is better, 0 to 1.

    The area under the score-driven cost curve. Needs scores in [0, 1].

    Examples
    --------
    >>> round(ic.measures.brier_loss(curve), 6), round(ic.measures.brier_loss(curve, axis="pcf"), 6)
    (0.148, 0.1675)
    """
    pi = Shares.of(curve, axis, prevalence).prevalence
    scores = probabilities_of(curve, "the Brier score")
    of_positives = np.sum(np.diff(curve.tp) * (1 - scores) ** 2) / curve.tp[-1]
    of_negatives = np.sum(np.diff(curve.fp) * scores**2) / curve.fp[-1]
    return float(pi * of_positives + (1 - pi) * of_negatives)


# The Brier loss, which chooses nothing, less the lowest costs: what resamples lose against the data is optimism alone, and
# resampled cases look less calibrated than they are, so plain percentiles would lie too high.
@measure(
    "lower", (0, 1), "probabilities prevalence", "Hernández-Orallo, Flach & Ferri 2013", "10.1007/s10994-013-5328-9",
    place=13, optimism="partly", in_report=False, see="brier_loss rate_driven_loss",
    cites="Hernández-Orallo, Flach & Ferri 2011; Hernández-Orallo, Flach & Ferri 2013",
    formula=r"\pi\,E_+ (1 - s)^2 + (1 - \pi)\,E_- s^2 - \int_0^1 \min_i 2\,[(1 - x)(1 - \pi)\,fpr_i + x\,\pi\,(1 - tpr_i)]\,dx",
)  # fmt: skip
def calibration_loss(curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None) -> float:
    """Return what miscalibration costs: the Brier score less that of the scores calibrated by the hull; lower is better, 0 to 1.

    The area between the score-driven cost curve and the lower envelope, on the cases at hand:
    recalibration on other cases saves less. Needs scores in [0, 1].

    Examples
    --------
    >>> round(ic.measures.calibration_loss(curve), 6)
    0.048
    """
    brier = brier_loss(curve, axis=axis, prevalence=prevalence)
    pi = Shares.of(curve, axis, prevalence).about["prevalence"]
    # Equal for calibrated scores, up to rounding.
    return max(brier - envelope(curve, axis=axis, prevalence=pi).area(), 0.0)

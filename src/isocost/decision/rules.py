"""What to do with a case, in words: flag nobody, flag everybody, or flag a score from so much on."""

from __future__ import annotations

import math
import re

import numpy as np

from isocost.decision import numbers
from isocost.ranking.next_score import next_score
from isocost.roc_space import RocCurve

NOBODY, EVERYBODY = "flag nobody", "flag everybody"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

# How a rule of one threshold begins, and how a band says who is left alone.
SCORED, CLEARED = "flag cases with score ≥ ", "clear cases with score < "


def rule_of(curve: RocCurve, index: int, *, other: int | None = None, probability: float = 0.0, whole: RocCurve) -> str:
    """Return the rule of point `index` of a curve, mixed with point `other` with the given probability.

    Parameters
    ----------
    curve : RocCurve
    index, other : int
    probability : float
    whole : RocCurve
        All points of the model: its hull has not the score next below a threshold.
    """
    if other is None:
        return point_rule(curve, index, whole)
    first, second = point_rule(curve, index, whole), point_rule(curve, other, whole)
    return f"{first}; but with probability {numbers.digits(probability, 4)}, {second} instead"


def point_rule(curve: RocCurve, index: int, whole: RocCurve) -> str:
    """Return the rule of one point."""
    rates = float(curve.fpr[index]), float(curve.tpr[index])
    cut = float(curve.thresholds[index])
    if rates == (0.0, 0.0):
        return NOBODY
    if rates == (1.0, 1.0):
        return EVERYBODY
    if math.isnan(cut):
        return f"use {_point(curve, index, whole)}"
    return f"{SCORED}{cut_text(curve, index, whole)}"


def cut_text(curve: RocCurve, index: int, whole: RocCurve) -> str:
    """Return the threshold of a point as the shortest decimal that flags the same cases."""
    return numbers.threshold(float(curve.thresholds[index]), next_below(curve, index, whole))


def cuts_of(rule: str) -> list[str]:
    """Return the thresholds that a rule names, as it writes them: two of a mix, none of a trivial rule.

    Examples
    --------
    >>> cuts_of("flag cases with score ≥ 0.6; but with probability 0.5, flag cases with score ≥ 0.25 instead")
    ['0.6', '0.25']
    >>> cuts_of("flag nobody")
    []
    """
    return re.findall(rf"{SCORED}([^\s;]+)", rule)


def value_text(whole: RocCurve, threshold: float) -> str:
    """Return a threshold of a model as the shortest decimal that flags the same cases."""
    return numbers.threshold(threshold, _below(whole, threshold))


def next_below(curve: RocCurve, index: int, whole: RocCurve) -> float:
    """Return the highest score that is not flagged at a point; -inf if there is none, or none is known."""
    rows = whole._sorted_rows  # noqa: SLF001 - asking for the points would lay all of them out
    if rows is not None:
        return next_score(rows, int(curve.fp[index]), int(curve.tp[index]))
    return _below(whole, float(curve.thresholds[index]))


def _below(whole: RocCurve, threshold: float) -> float:
    """Return the highest score below a threshold of a model; -inf if there is none, or none is known."""
    cuts = whole.thresholds
    if np.isnan(cuts).any():
        return -math.inf
    after = int(np.searchsorted(-cuts, -threshold, side="right"))
    if after >= cuts.size:
        return -math.inf
    # Of scores counted in a bucket the highest is next.
    return float((cuts if whole.upper is None else whole.upper)[after])


def _point(curve: RocCurve, index: int, whole: RocCurve) -> str:
    """Name a point without a threshold: the model as it is, or which of its points."""
    given = np.arange(len(whole)) if whole._given is None else np.flatnonzero(whole._given)
    if given.size <= 1:
        return "it as it is"
    fpr, tpr = float(curve.fpr[index]), float(curve.tpr[index])
    place = int(np.flatnonzero((whole.fpr[given] == fpr) & (whole.tpr[given] == tpr))[0])
    ordinal = _ORDINALS[place] if place < len(_ORDINALS) else f"no. {place + 1}"
    which = f"{ordinal} of its {given.size} points" if place < len(_ORDINALS) else f"point {place + 1} of {given.size}"
    return f"the {which} ({numbers.share(fpr)} false alarms, {numbers.share(tpr)} caught)"

"""Score-driven (Brier) curves: the score is taken at its word as a probability."""

from __future__ import annotations

import numpy as np

from isocost import validate
from isocost.cost_space.axes import Axis
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.shares import Shares
from isocost.errors import InputError
from isocost.roc_space import RocCurve
from isocost.validate import Floats


def score_driven(curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None) -> CostCurve:
    """Return the cost of flagging scores ≥ 1 - x: straight pieces that jump where x passes 1 - score."""
    shares = Shares.of(curve, axis, prevalence)
    breaks = np.concatenate([[0.0], 1 - probabilities_of(curve, "method='score_driven'"), [1.0]])
    return CostCurve.from_lines(breaks, 2 * shares.false_alarms, 2 * shares.misses, **shares.about)


def probabilities_of(curve: RocCurve, what: str) -> Floats:
    """Return the distinct scores of a curve, descending, if they can be read as probabilities, all of those in buckets too."""
    from isocost.roc_space.parametric import ContinuousRocCurve

    if isinstance(curve, ContinuousRocCurve):
        raise InputError(f"{what} needs the scores of cases: a curve of score distributions has none")
    scores = curve.thresholds[1:]
    if np.isnan(scores).any():
        raise InputError(f"{what} needs scores: the curve's points have no thresholds; build it with from_scores")
    if curve.upper is not None:
        validate.probabilities(curve.upper[1:], what)
    return validate.probabilities(scores, what)

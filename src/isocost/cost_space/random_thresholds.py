"""Rules that look at nothing: a random threshold, or a random share of cases to flag."""

from __future__ import annotations

import numpy as np

from isocost.cost_space.axes import Axis
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.rate_driven import same_thresholds
from isocost.cost_space.score_driven import probabilities_of
from isocost.cost_space.shares import Shares
from isocost.roc_space import RocCurve
from isocost.validate import Floats


def score_uniform(curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None) -> CostCurve:
    """Return the cost of a threshold drawn evenly from 0 to 1: a case is flagged as often as its score says."""
    shares = Shares.of(curve, axis, prevalence)
    scores = probabilities_of(curve, "method='score_uniform'")
    return _line(shares, float(np.diff(shares.false_alarms) @ scores), float(np.diff(shares.hits) @ (1 - scores)))


def rate_uniform(
    curve: RocCurve,
    *,
    axis: Axis = "cost_proportion",
    prevalence: float | None = None,
    chosen_on: RocCurve | None = None,
) -> CostCurve:
    """Return the cost of flagging a share of cases that is drawn evenly from 0 to 1, reached on `chosen_on` if given."""
    paid = Shares.of(curve, axis, prevalence)
    curve._require_path()
    if chosen_on is None:
        return _line(paid, _mean(paid.false_alarms, paid.rate), _mean(paid.misses, paid.rate))
    chosen_on._require_path()
    rate = Shares.of(chosen_on, axis, paid.prevalence if axis == "cost_proportion" else None).rate
    points = same_thresholds(curve, chosen_on)
    return _line(paid, _mean(paid.false_alarms[points], rate), _mean(paid.misses[points], rate))


def _mean(values: Floats, rate: Floats) -> float:
    """Return the mean over all rates, values mixed in proportion in between."""
    return float(np.trapezoid(values, rate))


def _line(shares: Shares, false_alarms: float, misses: float) -> CostCurve:
    return CostCurve.from_lines([0.0, 1.0], [2 * false_alarms], [2 * misses], **shares.about)

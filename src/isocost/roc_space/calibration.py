"""Calibration by the hull: each hull edge pools the scores beneath it into one probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Result
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.roc_space.curve import RocCurve


class Bin(NamedTuple):
    """Cases of neighbouring scores: their mean score, the share of positives among them, and how many they are."""

    score: float
    share: float
    cases: float


def reliability_bins(curve: RocCurve, bins: int) -> list[Bin]:
    """Return bins of about equal size in ascending order of scores; cases of one score stay together."""
    scores, positives = curve.thresholds[1:], np.diff(curve.tp)
    cases = positives + np.diff(curve.fp)
    done = np.cumsum(cases)
    which = np.minimum(((done - cases / 2) / done[-1] * bins).astype(int), bins - 1)
    found = []
    for i in range(bins - 1, -1, -1):
        mask = which == i
        total = float(cases[mask].sum())
        if total > 0:
            found.append(Bin(float(cases[mask] @ scores[mask]) / total, float(positives[mask].sum()) / total, total))
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Calibrator(Result):
    """A step function from scores to probabilities: the isotonic fit with the least squared error.

    The scores under one edge of the hull share the probability π·Δtpr / (π·Δtpr + (1-π)·Δfpr) of that edge. At the data's own
    prevalence this is what pooling adjacent violators finds. A new score gets the probability of the step that begins at or below
    it: every threshold worth using treats it like the scores of that step.

    Attributes
    ----------
    thresholds : ndarray
        Descending: the lowest score of each step. Scores below the last get its probability too.
    probabilities : ndarray
        Descending: P(positive) on each step.
    prevalence : float
        The prevalence at which the probabilities hold.

    References
    ----------
    Fawcett & Niculescu-Mizil (2007), PAV and the ROC convex hull, Machine Learning 68:97-106, doi:10.1007/s10994-007-5011-0.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4])
    >>> curve.calibrator()
    <Calibrator: 3 steps, probabilities from 0 to 1 at prevalence 0.5>
    """

    thresholds: Floats
    probabilities: Floats
    prevalence: float

    @classmethod
    def of(cls, hull: RocCurve, pi: float, *, given: bool) -> Calibrator:
        """Return the calibrator of a hull at a prevalence, given or the data's own; see `RocCurve.calibrator`."""
        if np.isnan(hull.thresholds).any():
            raise InputError("the curve's points have no thresholds: only scores can be calibrated; use from_scores")
        if not given:
            ups, downs = np.diff(hull.tp), np.diff(hull.fp)
        else:
            ups, downs = pi * np.diff(hull.tpr), (1 - pi) * np.diff(hull.fpr)
        with np.errstate(invalid="ignore"):
            probabilities = np.asarray(ups / (ups + downs), dtype=np.float64)
        if pi in (0.0, 1.0):
            # A class that does not occur takes no share, even of a step that holds nothing else.
            probabilities = np.full(ups.size, pi)
        return cls(hull.thresholds[1:], probabilities, pi)

    def __call__(self, scores: ArrayLike) -> Floats:
        """Return the probability of each score, in the shape given."""
        values = np.asarray(scores)
        flat = np.asarray(validate.scores(values.ravel(), "scores"), dtype=np.float64)
        return np.asarray(self.probabilities[self._steps(flat)].reshape(values.shape))

    def _steps(self, scores: Floats) -> NDArray[np.intp]:
        return np.minimum(np.searchsorted(-self.thresholds, -scores, side="left"), self.thresholds.size - 1)

    def apply(self, curve: RocCurve) -> RocCurve:
        """Return the curve of the calibrated scores: scores of one step become ties.

        Calibrate on one set of cases and apply to another to see what calibration is worth on cases it has not seen.

        Examples
        --------
        >>> import isocost as ic
        >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4])
        >>> calibrated = curve.calibrator().apply(curve)
        >>> calibrated.thresholds.tolist(), round(ic.brier_loss(calibrated), 6)
        ([inf, 1.0, 0.5, 0.0], 0.083333)
        """
        if not hasattr(curve, "thresholds"):
            raise InputError(
                f"apply takes a RocCurve, got {type(curve).__name__}; of scores call the calibrator itself"
            )
        if np.isnan(curve.thresholds).any():
            raise InputError("the curve's points have no thresholds: only scores can be calibrated; use from_scores")
        steps = self._steps(curve.thresholds[1:])
        # The last point of each step, where all its scores are flagged.
        last = np.concatenate([np.flatnonzero(np.diff(steps)), [steps.size - 1]])
        keep = np.concatenate([[0], last + 1])
        thresholds = np.concatenate([[np.inf], self.probabilities[steps[last]]])
        given = None if curve._given is None else curve._given[keep]
        return curve._with_points(curve.fp[keep], curve.tp[keep], thresholds, given)  # noqa: SLF001 - of the same room

    def __repr__(self) -> str:
        """Say how many steps there are."""
        low, high = self.probabilities[-1], self.probabilities[0]
        return (
            f"<Calibrator: {counted(self.probabilities.size, 'step')}, probabilities from {low:.4g} to {high:.4g} "
            f"at prevalence {self.prevalence:.4g}>"
        )

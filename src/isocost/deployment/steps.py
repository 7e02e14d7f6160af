"""Scores cut into a few steps: how often each class of the reference, and the cases in use, fall into each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.counts import ScoreCounts
from isocost.errors import InexactError, InputError
from isocost.roc_space import RocCurve
from isocost.validate import Floats

Counts = NDArray[np.int64]

_MOST_STEPS, _FEWEST_STEPS, _CASES_A_STEP = 10, 3, 10


def reference_of(given: Any) -> RocCurve:
    """Return the labelled reference as a curve that knows its cases."""
    if isinstance(given, RocCurve):
        curve = given
    elif isinstance(given, ScoreCounts):
        curve = RocCurve.from_counts(given)
    else:
        curve = RocCurve.from_scores(*validate.pair(given, "reference", "a RocCurve, ScoreCounts or (y_true, y_score)"))
    if curve.positives is None or np.isnan(curve.thresholds).any():
        raise InputError(
            "reference has points without cases: pass (y_true, y_score), ScoreCounts, or a curve of scores"
        )
    if curve.fp.dtype.kind != "i" or curve.tp.dtype.kind != "i":
        raise InputError(
            "reference has fractional weights, for which no interval is known: pass cases or whole numbers of them"
        )
    return curve


def cuts_of(reference: RocCurve, steps: int | None) -> Floats:
    """Return the lowest score of each step, descending.

    The j-th cut of K is the highest score at which tpr + fpr ≥ 2j/K, compared in whole numbers; what coincides is one cut.
    """
    positives, negatives = int(reference.tp[-1]), int(reference.fp[-1])
    if steps is None:
        count = min(_MOST_STEPS, max(_FEWEST_STEPS, min(positives, negatives) // _CASES_A_STEP))
    else:
        count = validate.whole(steps, "steps", low=2, high=1000)
    # Whole numbers beyond 64 bits for billions of cases.
    wide = object if positives * negatives >= 2**61 else np.int64
    reached = reference.tp.astype(wide) * negatives + reference.fp.astype(wide) * positives
    wanted = [-(-2 * j * positives * negatives // count) for j in range(1, count + 1)]
    at = np.unique(np.searchsorted(reached, np.array(wanted, dtype=wide)))
    if at.size < 2:
        raise InputError("all cases of the reference have the same score: nothing tells positives from negatives")
    return np.asarray(reference.thresholds[at], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores and how many cases have each; buckets of scores reach up to `upper`."""

    scores: Floats
    counts: Counts
    upper: Floats | None = None

    @classmethod
    def of_scores(cls, scores: Any, name: str) -> Scored:
        """Count an array of scores as they are."""
        values = np.asarray(validate.scores(scores, name), dtype=np.float64)
        if values.size == 0:
            raise InputError(f"{name} is empty: at least one score is needed")
        return cls(values, np.ones(values.size, dtype=np.int64))

    def divided(self, cuts: Floats) -> NDArray[np.bool_]:
        """Tell which cuts divide a bucket, so that the cases on either side are not known."""
        if self.upper is None:
            return np.zeros(cuts.size, dtype=np.bool_)
        wide = self.upper > self.scores
        low, high = self.scores[wide], self.upper[wide]
        return np.array([bool(np.any((low < cut) & (cut <= high))) for cut in cuts])

    def in_steps(self, cuts: Floats) -> Counts:
        """Count the cases of each step: a score belongs to the highest cut at or below it, else to the last step."""
        # Two cuts are few enough to compare with each score; sorting would take longer.
        above = np.array([int(self.counts[self.scores >= cut].sum()) for cut in cuts[:-1]], dtype=np.int64)
        return np.diff(np.concatenate([[0], above, [int(self.counts.sum())]]))


@dataclass(frozen=True, eq=False)
class Steps:
    """What is known of each step, from the highest scores to the lowest.

    Attributes
    ----------
    cuts : ndarray
        Lowest score of each step.
    positives, negatives : ndarray of int
        Cases of the reference.
    unlabelled, labelled_positives, labelled_negatives : ndarray of int
        Cases in use, without a label and with one.
    """

    cuts: Floats
    positives: Counts
    negatives: Counts
    unlabelled: Counts
    labelled_positives: Counts
    labelled_negatives: Counts

    @classmethod
    def of(cls, reference: RocCurve, new: Scored, labels: tuple[Scored, Scored] | None, steps: int | None) -> Steps:
        """Cut the reference and count everything; a cut inside a bucket is left out."""
        cuts = cuts_of(reference, steps)
        parts = [new, *(labels or ())]
        open_cuts = np.any([part.divided(cuts) for part in parts], axis=0)
        cuts = cuts[~open_cuts]
        if cuts.size < 2:
            raise InexactError("the steps of scores that tell positives from negatives")
        at = np.searchsorted(-reference.thresholds, -cuts, side="right") - 1
        at[-1] = len(reference) - 1
        none = np.zeros(cuts.size, dtype=np.int64)
        ups, downs = (none, none) if labels is None else (part.in_steps(cuts) for part in labels)
        return cls(
            cuts,
            np.diff(reference.tp[at], prepend=0),
            np.diff(reference.fp[at], prepend=0),
            new.in_steps(cuts),
            ups,
            downs,
        )

    @property
    def rates(self) -> tuple[Floats, Floats]:
        """Share of positives and of negatives in each step, half a case added to each so that none is impossible."""
        half = self.cuts.size / 2
        p = (self.positives + 0.5) / (self.positives.sum() + half)
        q = (self.negatives + 0.5) / (self.negatives.sum() + half)
        return p, q

    @property
    def labelled(self) -> Counts:
        """Cases in use with a label."""
        return self.labelled_positives + self.labelled_negatives

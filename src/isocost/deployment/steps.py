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
        # Few distinct scores, most cases at the lowest: the cut that tells the classes apart best.
        gaps = np.abs(reference.tpr - reference.fpr)[1:-1]
        if not gaps.size:
            raise InputError("all cases of the reference have the same score: nothing tells positives from negatives")
        at = np.array([1 + int(np.argmax(gaps)), len(reference) - 1])
    return np.asarray(reference.thresholds[at], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores and how many cases have each, one if not said; buckets of scores reach up to `upper`."""

    scores: Floats
    counts: Counts | None = None
    upper: Floats | None = None

    @classmethod
    def of_counts(cls, counts: ScoreCounts, column: str, name: str) -> Scored:
        """Return one column of a table of counts."""
        cases = getattr(counts, column)
        if cases is None or not cases.any():
            return cls(np.empty(0))
        if cases.dtype.kind != "i":
            raise InputError(
                f"{name} hold fractional weights ({column}), for which no interval is known: pass whole numbers of cases"
            )
        some = cases > 0
        return cls(counts.scores[some], cases[some], None if counts.upper is None else counts.upper[some])

    @property
    def size(self) -> int:
        """How many cases there are."""
        return int(self.scores.size if self.counts is None else self.counts.sum())

    def divided(self, cuts: Floats) -> NDArray[np.bool_]:
        """Tell which cuts divide a bucket, so that the cases on either side are not known."""
        if self.upper is None:
            return np.zeros(cuts.size, dtype=np.bool_)
        wide = self.upper > self.scores
        low, high = self.scores[wide], self.upper[wide]
        return np.array([bool(np.any((low < cut) & (cut <= high))) for cut in cuts])

    def above(self, cut: float) -> int:
        """Count the cases at or above a score."""
        # Cuts are few enough to compare with each score; sorting would take longer.
        # A float64, as a plain number would be rounded to the type of scores in half the bits.
        chosen = self.scores >= np.float64(cut)
        return int(np.count_nonzero(chosen) if self.counts is None else self.counts[chosen].sum())

    def in_steps(self, cuts: Floats) -> Counts:
        """Count the cases of each step: a score belongs to the highest cut at or below it, else to the last step."""
        above = [self.above(cut) for cut in cuts[:-1].tolist()]
        found: Counts = np.diff([0, *above, self.size])
        return found


@dataclass(frozen=True, eq=False)
class InUse:
    """The cases of one period: those without a label, and the positives and negatives among the others."""

    unlabelled: Scored
    positives: Scored
    negatives: Scored

    @classmethod
    def of(cls, new_scores: Any, labels: Any = None) -> InUse:
        """Take scores or counts of cases without labels, and further ones with them; labelled cases of counts are labels too."""
        known = [] if labels is None else [_labelled(labels)]
        if isinstance(new_scores, ScoreCounts):
            new = Scored.of_counts(new_scores, "unlabelled", "new_scores")
            known.append(_labelled(new_scores))
        elif labels is not None and np.size(new_scores) == 0:
            new = Scored(np.empty(0))  # every case has its label by now
        else:
            if np.size(new_scores) == 0:
                raise InputError("new_scores is empty: at least one score is needed")
            new = Scored(validate.scores(new_scores, "new_scores"))
        ups, downs = (_joined([pair[side] for pair in known]) for side in (0, 1))
        found = cls(new, ups, downs)
        if found.size == 0:
            raise InputError("new_scores is empty: at least one score is needed")
        return found

    @property
    def size(self) -> int:
        """How many cases there are."""
        return sum(part.size for part in self.parts)

    @property
    def parts(self) -> tuple[Scored, Scored, Scored]:
        """Unlabelled cases, positives and negatives."""
        return self.unlabelled, self.positives, self.negatives


def _joined(parts: list[Scored]) -> Scored:
    parts = [part for part in parts if part.scores.size]
    if len(parts) < 2:
        return parts[0] if parts else Scored(np.empty(0))
    counts = [np.ones(p.scores.size, dtype=np.int64) if p.counts is None else p.counts for p in parts]
    upper = [p.scores if p.upper is None else p.upper for p in parts]
    return Scored(np.concatenate([p.scores for p in parts]), np.concatenate(counts), np.concatenate(upper))


def _labelled(labels: Any) -> tuple[Scored, Scored]:
    """Return the scores of labelled positives and negatives in use."""
    if isinstance(labels, ScoreCounts):
        return Scored.of_counts(labels, "positives", "labels"), Scored.of_counts(labels, "negatives", "labels")
    y, scores = validate.pair(labels, "labels", "(y, scores) or ScoreCounts")
    validate.aligned(y=y, scores=scores)
    positive = validate.labels(y, both=False)
    values = validate.scores(scores, "scores of labels")
    validate.same_length(y=positive, scores=values)
    return Scored(values[positive]), Scored(values[~positive])


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
    def of(cls, reference: RocCurve, used: InUse, steps: int | None) -> Steps:
        """Cut the reference and count everything; a cut inside a bucket is left out."""
        cuts = cuts_of(reference, steps)
        # The last cut only ends the last step, to which all lower scores belong.
        open_cuts = np.any([part.divided(cuts) for part in used.parts], axis=0)
        open_cuts[-1] = False
        cuts = cuts[~open_cuts]
        if cuts.size < 2:
            raise InexactError("the steps of scores that tell positives from negatives", "")
        at = np.searchsorted(-reference.thresholds, -cuts, side="right") - 1
        at[-1] = len(reference) - 1
        ups, downs = (np.diff(counts[at], prepend=0) for counts in (reference.tp, reference.fp))
        found = cls(cuts, ups, downs, *(part.in_steps(cuts) for part in used.parts))
        if np.array_equal(*found.rates):
            raise InputError("positives and negatives of the reference score alike: nothing tells them apart")
        return found

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

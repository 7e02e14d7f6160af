"""Scores cut into a few steps: how often each class of the reference, and the cases in use, fall into each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.counts import ScoreCounts
from isocost.curves import RocCurve
from isocost.errors import InputError
from isocost.validate import Bools, Floats

Counts = NDArray[np.int64]

MOST_STEPS, FEWEST_STEPS, CASES_A_STEP = 20, 3, 10


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


def reference_table(
    curve: RocCurve, thresholds: Sequence[float]
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Return a curve's cases counted in steps, and how many they are; None where no cases, or no whole ones, are known."""
    numbers = curve.fp.dtype.kind == "i" and curve.tp.dtype.kind == "i"
    if curve.positives is None or np.isnan(curve.thresholds).any() or not numbers:
        return None, None
    cuts = cuts_of(curve, thresholds)
    ups, downs = counted_in(curve, cuts)
    digest = hashlib.sha256()
    for column in (curve.thresholds[1:], curve.tp[1:], curve.fp[1:]):
        digest.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
    data = {"rows": int(ups.sum() + downs.sum()), "positives": int(ups.sum()), "sha256": digest.hexdigest()}
    return {"cuts": cuts.tolist(), "positives": ups.tolist(), "negatives": downs.tolist()}, data


def cuts_of(curve: RocCurve, thresholds: Sequence[float] = ()) -> Floats:
    """Return the cuts, descending: the j-th of K is the highest score at which tpr + fpr ≥ 2j/K, j = 1, …, K - 1.

    They are compared in whole numbers, K = min(20, max(3, ⌊min(positives, negatives)/10⌋)), finite thresholds are cuts too, and the last
    step is below all cuts.
    """
    ups, downs = int(curve.tp[-1]), int(curve.fp[-1])
    count = min(MOST_STEPS, max(FEWEST_STEPS, min(ups, downs) // CASES_A_STEP))
    # Whole numbers beyond 64 bits for billions of cases.
    wide = object if ups * downs >= 2**61 else np.int64
    reached = curve.tp.astype(wide) * downs + curve.fp.astype(wide) * ups
    wanted = [-(-2 * j * ups * downs // count) for j in range(1, count)]
    at = np.searchsorted(reached, np.array(wanted, dtype=wide))
    own = [float(cut) for cut in thresholds if np.isfinite(cut)]
    found: Floats = np.unique(np.r_[curve.thresholds[at], own])[::-1]
    return found


def counted_in(curve: RocCurve, cuts: Floats) -> tuple[Counts, Counts]:
    """Return a curve's positives and negatives in each step."""
    at = np.searchsorted(-curve.thresholds, -cuts, side="right") - 1
    ups, downs = (np.diff([0, *counts[at].tolist(), int(counts[-1])]) for counts in (curve.tp, curve.fp))
    return ups, downs


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores and how many cases have each, one if not given; buckets of scores reach up to `upper`."""

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

    def divided(self, cuts: Floats) -> Bools:
        """Tell which cuts divide a bucket, so that the cases on either side are not known."""
        if self.upper is None:
            return np.zeros(cuts.size, dtype=np.bool_)
        wide = self.upper > self.scores
        low, high = self.scores[wide], self.upper[wide]
        return np.array([bool(np.any((low < cut) & (cut <= high))) for cut in cuts], dtype=np.bool_)

    def in_steps(self, cuts: Floats) -> Counts:
        """Count the cases of each step: a score belongs to the highest cut at or below it, else to the last step."""
        # Cuts are few enough to compare with each score; sorting would take longer.
        # A float64, as a plain number would be rounded to the type of scores in half the bits.
        above = []
        for cut in cuts.tolist():
            chosen = self.scores >= np.float64(cut)
            above.append(int(np.count_nonzero(chosen) if self.counts is None else self.counts[chosen].sum()))
        found: Counts = np.diff([0, *above, self.size])
        return found


@dataclass(frozen=True, eq=False)
class InUse:
    """The cases of one period: those without a label, and the positives and negatives among the others."""

    unlabelled: Scored
    positives: Scored
    negatives: Scored
    # Scores of the rows, and which have no label; None for counts, which have no rows.
    rows: tuple[Floats, Bools] | None = None

    @classmethod
    def of(cls, given: Any, name: str) -> InUse:
        """Take scores, a tuple of scores and labels, or counts."""
        if isinstance(given, ScoreCounts):
            unknown, yes, no = (
                Scored.of_counts(given, part, name) for part in ("unlabelled", "positives", "negatives")
            )
            found = cls(unknown, yes, no)
        else:
            scores, labels = (
                validate.pair(given, name, "scores, or (scores, labels)") if isinstance(given, tuple) else (given, None)
            )
            validate.aligned(scores=scores, labels=labels)
            if np.size(scores) == 0:
                raise InputError(f"{name} is empty: at least one score is needed")
            values = validate.scores(scores, f"scores of {name}" if labels is not None else name)
            positive, known = _labels(labels, values.size, name)
            found = cls(
                Scored(values[~known]),
                Scored(values[known & positive]),
                Scored(values[known & ~positive]),
                (values, ~known),
            )
        if found.size == 0:
            raise InputError(f"{name} is empty: at least one score is needed")
        return found

    @property
    def size(self) -> int:
        """How many cases there are."""
        return sum(part.size for part in self.parts)

    @property
    def parts(self) -> tuple[Scored, Scored, Scored]:
        """Unlabelled cases, positives and negatives."""
        return self.unlabelled, self.positives, self.negatives

    def divided(self, cuts: Floats) -> Bools:
        """Tell which cuts divide a bucket."""
        return np.asarray(np.any([part.divided(cuts) for part in self.parts], axis=0), dtype=np.bool_)


def _labels(labels: Any, size: int, name: str) -> tuple[Bools, Bools]:
    """Return which labels are positive and which are known; missing ones are not."""
    none = np.zeros(size, dtype=np.bool_)
    if labels is None:
        return none, none
    values = validate.vector(labels, f"labels of {name}")
    if values.size != size:
        raise InputError(
            f"{name} has {size} scores and {values.size} labels: give each case one, NaN if it is not known"
        )
    if values.dtype.kind in "biu":
        known = np.ones(size, dtype=np.bool_)
    else:
        known = np.array(
            [v is not None and str(v) not in ("<NA>", "nan", "NaT") for v in values.tolist()], dtype=np.bool_
        )
    for value in dict.fromkeys(values[known].tolist()):
        if value not in (0, 1):
            raise InputError(f"labels of {name} must be 0, 1 or missing, got {value!r}")
    positive = none.copy()
    positive[known] = values[known].astype(np.float64) == 1
    return positive, known

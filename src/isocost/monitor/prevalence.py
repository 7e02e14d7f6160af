"""How many cases are positive now, estimated from the scores of cases without labels."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import numbers
from isocost._front import documented_by
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.data.counts import ScoreCounts
from isocost.decide.say import say
from isocost.errors import InputError
from isocost.results import Columns, Result

Counts = NDArray[np.int64]

MOST_STEPS, FEWEST_STEPS, CASES_PER_STEP = 20, 3, 10
ASSUMPTION = (
    "This assumes that only the prevalence moved: positives and negatives score as they did in the reference. "
    "Unlabelled scores cannot tell weaker positives from fewer positives; only labels can."
)
_FRACTIONS = (
    "has fractional weights or points without cases, of which no interval is known: pass whole numbers of cases"
)


def _countable(curve: RocCurve) -> bool:
    """Tell whether the cases of a curve are known and whole."""
    known = curve.positives is not None and not np.isnan(curve.thresholds).any()
    return known and curve.fp.dtype.kind == curve.tp.dtype.kind == "i"


def reference_of(given: Any) -> RocCurve:
    """Return the labelled reference as a curve that knows its cases."""
    if isinstance(given, RocCurve):
        curve = given
    elif isinstance(given, ScoreCounts):
        curve = RocCurve.from_counts(given)
    else:
        curve = RocCurve.from_scores(*checks.pair(given, "reference", "a RocCurve, ScoreCounts or (y_true, y_score)"))
    return checks.needed(curve if _countable(curve) else None, f"reference {_FRACTIONS}")


def reference_table(
    curve: RocCurve, thresholds: Sequence[float]
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Return a curve's cases counted in steps, and how many they are; None where no cases, or no whole ones, are known."""
    if not _countable(curve):
        return None, None
    cuts = cuts_of(curve, thresholds)
    ups, downs = counted_in(curve, cuts)
    digest = hashlib.sha256()
    for column in (curve.thresholds[1:], curve.tp[1:], curve.fp[1:]):
        digest.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
    data = {"rows": int(ups.sum() + downs.sum()), "positives": int(ups.sum()), "sha256": digest.hexdigest()}
    return {"cuts": cuts.tolist(), "positives": ups.tolist(), "negatives": downs.tolist()}, data


def cuts_of(curve: RocCurve, thresholds: Sequence[float] = ()) -> Floats:
    """Return the cuts, descending: the j-th of K is the highest score at which tpr + fpr ≥ 2j/K, j = 1, …, K - 1, in whole numbers.

    K = min(20, max(3, ⌊min(positives, negatives)/10⌋)); finite thresholds are cuts too, and the last step is below all cuts.
    """
    ups, downs = int(curve.tp[-1]), int(curve.fp[-1])
    count = min(MOST_STEPS, max(FEWEST_STEPS, min(ups, downs) // CASES_PER_STEP))
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


def zero_or_one(labels: ArrayLike, name: str) -> tuple[Bools, Bools]:
    """Return which labels are 1, and which are known; nothing but 0, 1 and missing ones is accepted."""
    marks = checks.vector(labels, name)
    good = checks.missing(marks)
    good[~good] = np.isin(marks[~good], (0, 1))
    checks.every(good, marks, name, "be 0, 1 or missing", "; compare with the label to detect")
    return checks.known_labels(marks, name=name)


@dataclass(frozen=True, eq=False)
class InUse:
    """The cases of one period: scores, kinds (0 without a label, 1 positive, 2 negative), counts of these, and where buckets end."""

    scores: Floats
    kinds: NDArray[np.integer]
    counts: Counts | None = None
    upper: Floats | None = None

    @classmethod
    def of(cls, given: Any, name: str) -> InUse:
        """Take scores, a tuple of scores and labels, or counts."""
        found = cls._of_counts(given, name) if isinstance(given, ScoreCounts) else cls._of_rows(given, name)
        checks.some(found.scores, name, "at least one score is needed")
        return found

    @classmethod
    def _of_counts(cls, given: ScoreCounts, name: str) -> InUse:
        parts = (getattr(given, part) for part in ("unlabelled", "positives", "negatives"))
        columns = [np.zeros(given.scores.size, dtype=np.int64) if part is None else part for part in parts]
        whole = all(column.dtype.kind == "i" or not column.any() for column in columns)
        table = np.stack(checks.needed(columns if whole else None, f"{name} {_FRACTIONS}")).astype(np.int64)
        kinds, at = np.nonzero(table)
        return cls(given.scores[at], kinds, table[kinds, at], None if given.upper is None else given.upper[at])

    @classmethod
    def _of_rows(cls, given: Any, name: str) -> InUse:
        pair = isinstance(given, tuple)
        scores, labels = checks.pair(given, name, "scores, or (scores, labels)") if pair else (given, None)
        checks.aligned(scores=scores, labels=labels)
        count = "count it first, with ScoreCounts.from_frame(frame, label=None, score=..., cuts=...), or pass its column of scores"
        what = f"{name} must be scores or counts, got a {type(scores).__name__}: {count}"
        checks.needed(None if hasattr(type(scores), "columns") else scores, what)
        if np.size(scores) == 0:
            return cls(np.empty(0), np.empty(0, dtype=np.int8))
        values = checks.scores(scores, name if labels is None else f"scores of {name}")
        kinds = np.zeros(values.size, dtype=np.int8)
        if labels is not None:
            positive, known = zero_or_one(labels, f"labels of {name}")
            checks.same_length(**{f"scores of {name}": values, f"labels of {name}": known})
            kinds[known] = np.where(positive[known], 1, 2)
        return cls(values, kinds)

    @property
    def size(self) -> int:
        """How many cases there are."""
        return int(self.scores.size if self.counts is None else self.counts.sum())

    def divided(self, cuts: Floats) -> Bools:
        """Return which cuts divide a bucket, so that the cases on either side are not known."""
        if self.upper is None:
            return np.zeros(cuts.size, dtype=np.bool_)
        return np.array([np.any((self.scores < cut) & (cut <= self.upper)) for cut in cuts], dtype=np.bool_)

    def unlabelled(self, score_from: float, score_below: float) -> Counts:
        """Return the rows without a label between two scores in random order; none if only counts are known."""
        if self.counts is not None:
            return np.empty(0, dtype=np.int64)
        # Float64s, as plain numbers would be rounded to the type of scores in half the bits.
        below = (self.scores < np.float64(score_below)) | (score_below == math.inf)
        rows = np.flatnonzero((self.kinds == 0) & (self.scores >= np.float64(score_from)) & below)
        return np.asarray(np.random.default_rng(0).permutation(rows))

    def in_steps(self, cuts: Floats) -> Counts:
        """Count the cases of each kind (row) in each step: a score belongs to the highest cut at or below it, else to the last step."""
        steps = cuts.size + 1
        places = cuts.size - np.searchsorted(cuts[::-1], self.scores, side="right") + steps * self.kinds.astype(np.intp)
        found = np.bincount(places, weights=self.counts, minlength=3 * steps)
        return np.asarray(found, dtype=np.int64).reshape(3, steps)


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The likelihood of a prevalence, given the cases `seen` in steps of scores, and positives and negatives of a reference.

    Steps are numbered k; p and q are the shares of reference positives and negatives in each, half a case added so that none is
    impossible, d = p - q, f = πp + (1-π)q the share expected at prevalence π.
    """

    positives: Counts
    negatives: Counts
    seen: Counts

    @cached_property
    def rates(self) -> tuple[Floats, Floats]:
        """Share of positives and of negatives in each step."""
        ups, downs = ((n + 0.5) / (n.sum() + n.size / 2) for n in (self.positives, self.negatives))
        return ups, downs

    def require_difference(self, where: str) -> None:
        """Refuse a reference whose classes have the same share in every step."""
        if np.array_equal(*self.rates):
            raise InputError(
                f"positives and negatives of {where} score alike, or fall into the same buckets: nothing tells them apart"
            )

    def noise(self, of_positives: Floats, of_negatives: Floats) -> Floats:
        """Return the noise of the reference's positives and negatives in numbers with these slopes in their shares, row by row."""
        sides = zip((of_positives, of_negatives), self.rates, (self.positives, self.negatives), strict=True)
        parts = [((slope**2) @ r - (slope @ r) ** 2) / n.sum() for slope, r, n in sides]
        return np.asarray(np.sqrt(np.maximum(sum(parts), 0)))

    def score(self, pi: float) -> float:
        """Return the derivative of the log-likelihood, Σ m·d/f. It falls."""
        p, q = self.rates
        return float(np.sum(self.seen * (p - q) / (pi * p + (1 - pi) * q)))

    def z(self, pi: float) -> float:
        """Return how many standard deviations the score is from 0 if the prevalence is π: of the new cases and of the reference's own."""
        p, q = self.rates
        f = pi * p + (1 - pi) * q
        cases = int(self.seen.sum())
        variance = cases * float(np.sum((p - q) ** 2 / f)) + float(self.noise(cases * q / f, cases * p / f)) ** 2
        # Scores that tell nothing of the classes reject no prevalence.
        return self.score(pi) / math.sqrt(variance) if variance > 0 else 0.0

    def maximum(self) -> float:
        """Return the most likely prevalence."""
        from scipy.optimize import brentq

        ends = self.score(0.0), self.score(1.0)
        return 0.0 if ends[0] <= 0 else 1.0 if ends[1] >= 0 else float(brentq(self.score, 0.0, 1.0))

    def interval(self, estimate: float, level: float) -> tuple[float, float]:
        """Return the prevalences that the score does not reject."""
        from scipy.optimize import brentq
        from scipy.special import ndtri

        quantile = float(ndtri((1 + level) / 2))
        if (estimate == 0 and self.z(0.0) < -quantile) or (estimate == 1 and self.z(1.0) > quantile):
            return estimate, estimate  # even the nearest prevalence is rejected
        low = 0.0 if self.z(0.0) <= quantile else brentq(lambda x: self.z(x) - quantile, 0.0, estimate)
        high = 1.0 if self.z(1.0) >= -quantile else brentq(lambda x: self.z(x) + quantile, estimate, 1.0)
        return float(low), float(high)

    def misfit(self, estimate: float) -> tuple[float, float | None]:
        """Return half the sum of differences between shares seen and expected, and how likely such are if only the prevalence moved.

        None for two steps, which always fit.
        """
        from scipy.special import chdtrc

        p, q = self.rates
        cases = int(self.seen.sum())
        f = estimate * p + (1 - estimate) * q
        size = 0.5 * float(np.sum(np.abs(self.seen / cases - f)))
        rest, d = (self.seen - cases * f)[:-1], (p - q)[:-1]
        spread = cases * _spread(f)
        spread += cases**2 * estimate**2 * _spread(p) / float(self.positives.sum())
        spread += cases**2 * (1 - estimate) ** 2 * _spread(q) / float(self.negatives.sum())
        solved = np.linalg.solve(spread, np.column_stack([rest, d]))
        statistic, degrees = float(rest @ solved[:, 0]), p.size - 1
        if 0.0 < estimate < 1.0 and d.any():
            statistic, degrees = statistic - float(rest @ solved[:, 1]) ** 2 / float(d @ solved[:, 1]), degrees - 1
        if p.size < 3 or not degrees:
            return size, None
        return size, float(chdtrc(degrees, max(statistic, 0.0)))

    def risks(self, prevalence: float | None = None) -> Floats:
        """Return the risk in each step at a prevalence of the reference; its own by default."""
        p, q = self.rates
        ups, downs = float(self.positives.sum()), float(self.negatives.sum())
        own = ups / (ups + downs) if prevalence is None else prevalence
        return np.asarray(own * p / (own * p + (1 - own) * q))


def _spread(shares: Floats) -> Floats:
    """Return the covariance of one case's step, the last step left out."""
    return np.asarray(np.diag(shares[:-1]) - np.outer(shares[:-1], shares[:-1]))


@dataclass(frozen=True, eq=False, repr=False)
class PrevalenceEstimate(Result):
    """How many of the cases in use are positive, if positives and negatives score as they did in the reference.

    Attributes
    ----------
    estimate, low, high, level : float
        Share of positives, and its interval at the level; the reference's own noise is part of it.
    fit_p_value, misfit : float or None, float
        How likely such scores are if nothing but the prevalence moved, None where two steps always fit; and half the sum of the
        differences between shares seen and expected.
    cases : int
    if_risks_hold : float
        The prevalence if, instead, the risk at each score stayed as it was.
    thresholds : ndarray
        Lowest score of each step that was compared; -inf for the last one.

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> found = ic.estimate_prevalence((y, range(20, 0, -1)), [20, 19, 18, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 16, 7])
    >>> found
    <PrevalenceEstimate: 24 % positive, 90 % 0 to 71 %, from 20 cases>
    >>> round(found.if_risks_hold, 3)
    0.353
    """

    estimate: float
    low: float
    high: float
    level: float
    fit_p_value: float | None
    cases: int
    misfit: float
    if_risks_hold: float
    thresholds: Floats
    _judge: Any = field(default=None, repr=False)

    @property
    def steps(self) -> Columns:
        """The steps of scores from the highest, by column: where each begins, and its shares in the reference, seen and expected."""
        p, q = self._judge.rates
        own, seen = self._judge.positives + self._judge.negatives, self._judge.seen
        shares = own / own.sum(), seen / seen.sum(), self.estimate * p + (1 - self.estimate) * q
        return dict(zip(("score_from", "reference", "seen", "expected"), (self.thresholds, *shares), strict=True))

    def _columns(self) -> Columns:
        return self.steps

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"assumption": ASSUMPTION}

    def __str__(self) -> str:
        odd = self.fit_p_value is not None and self.fit_p_value < 1 - self.level
        outside = not self.low <= self.if_risks_hold <= self.high
        own = self._data() | {"shown": {"cases": f"{self.cases:,}"}, "instead": self.if_risks_hold if outside else None}
        misfit = numbers.p_value(float(self.fit_p_value or 0.0)) if odd else None
        return say("prevalence_estimate", own | {"misfit": misfit})

    def __repr__(self) -> str:
        low, high = (f"{100 * end:.2g}" for end in (self.low, self.high))
        span = f"{100 * self.level:g} % {low} to {high} %"
        return f"<PrevalenceEstimate: {100 * self.estimate:.2g} % positive, {span}, from {self.cases} cases>"


@documented_by(see="isocost.watch", cites="Saerens, Latinne & Decaestecker (2002), doi:10.1162/089976602753284446")
def estimate_prevalence(reference: Any, new_scores: Any, *, level: float = 0.90) -> PrevalenceEstimate:
    """Return how many of the cases in use are positive, from their scores and a labelled reference.

    It is the prevalence that makes the counts in at most 20 steps of scores most likely. This assumes label shift: only the prevalence
    moved, while positives and negatives score as they did in the reference. It fails when other kinds of cases arrive or when a class
    itself changes. `fit_p_value` detects some of these, and `if_risks_hold` is the answer under the opposite assumption.

    Parameters
    ----------
    reference : RocCurve, ScoreCounts or (y_true, y_score)
        Labelled cases, such as those on which the model was chosen.
    new_scores : array of shape (n,) or ScoreCounts
        The same model's scores of cases in use; labels in a `ScoreCounts` are left aside.

    Examples
    --------
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> found = ic.estimate_prevalence((y, range(20, 0, -1)), [3, 1, 2, 1, 4, 1])
    >>> found.estimate, round(found.high, 4)
    (0.0, 0.275)
    """
    share = checks.level(level)
    curve = reference_of(reference)
    used = InUse.of(new_scores, "new_scores")
    cuts = cuts_of(curve)
    ups, downs = counted_in(curve, cuts)
    if not (ups[-1] or downs[-1]):
        cuts = cuts[:-1]  # the lowest score ends the last step
    if not cuts.size and len(curve) > 2:
        # Few distinct scores, most cases at the lowest: the cut that tells the classes apart best.
        cuts = curve.thresholds[[1 + int(np.argmax(np.abs(curve.tpr - curve.fpr)[1:-1]))]]
    cuts = cuts[~used.divided(cuts)]
    judge = Likelihood(*counted_in(curve, cuts), used.in_steps(cuts).sum(axis=0))
    judge.require_difference("the reference")
    estimate = judge.maximum()
    misfit, fits = judge.misfit(estimate)
    held = float(judge.risks() @ judge.seen) / float(judge.seen.sum())
    return PrevalenceEstimate(
        estimate, *judge.interval(estimate, share), share, fits, used.size, misfit, held, np.r_[cuts, -math.inf], judge
    )

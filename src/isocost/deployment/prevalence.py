"""How many cases are positive now, estimated from the scores of cases without labels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.decision import numbers
from isocost.deployment.likelihood import Likelihood, interval_of, two_sided
from isocost.deployment.resampled import resampled
from isocost.deployment.steps import InUse, Steps, cuts_of, reference_of
from isocost.errors import InexactError, InputError
from isocost.results.doors import Drawn
from isocost.results.frames import Columns
from isocost.roc_space import RocCurve
from isocost.validate import Floats

PrevalenceMethod = Literal["likelihood", "adjusted_count"]
METHODS: tuple[PrevalenceMethod, ...] = ("likelihood", "adjusted_count")

ASSUMPTION = (
    "This assumes that only the prevalence moved: positives and negatives score as they did in the reference. "
    "Unlabelled scores cannot tell weaker positives from fewer positives; only labels can."
)


@dataclass(frozen=True, eq=False, repr=False)
class PrevalenceEstimate(Drawn):
    """How many of the cases in use are positive, if positives and negatives score as they did in the reference.

    Attributes
    ----------
    estimate, low, high : float
        Share of positives, and its interval; the reference's own noise is part of it.
    level : float
    method : {"likelihood", "adjusted_count"}
    fit_p_value : float or None
        How likely such scores are if nothing but the prevalence moved; None where two steps always fit.
    cases, labelled : int
        Cases in use, and how many of them have labels.
    misfit : float or None
        Half the sum of the differences between shares seen and expected: the size of the misfit.
    if_risks_hold : float or None
        The prevalence if, instead, the risk at each score stayed as it was.
    label_p_value : float or None
        How likely the labels are if the prevalence is what the scores say.
    thresholds : ndarray
        Lowest score of each step that was compared.

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

    _display = "PrevalenceDisplay"

    estimate: float
    low: float
    high: float
    level: float
    method: PrevalenceMethod
    fit_p_value: float | None
    cases: int
    labelled: int
    misfit: float | None
    if_risks_hold: float | None
    label_p_value: float | None
    thresholds: Floats
    _judge: Any = field(default=None, repr=False)

    def p_value(self, prevalence: float) -> float:
        """Return the probability of scores at least this far off if this is the prevalence."""
        return two_sided(self._judge.z(validate.number(prevalence, "prevalence", low=0.0, high=1.0)))

    def condition(self, *, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Condition:
        """Return the condition at the estimate."""
        return Condition(cost_fp, cost_fn, self.estimate)

    def conditions(self, *, cost_fp: Any = 1.0, cost_fn: Any = 1.0) -> Conditions:
        """Return the conditions of the whole interval, for `decide` and `over=`."""
        return Conditions.from_costs(cost_fp=cost_fp, cost_fn=cost_fn, prevalence=(self.low, self.high))

    @property
    def steps(self) -> Columns:
        """The steps of scores from the highest, by column: where each begins, and its shares in the reference, seen and expected."""
        columns: Columns = self._judge.shares(self.estimate)
        return columns

    def _columns(self) -> Columns:
        return self.steps

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"assumption": ASSUMPTION}

    def __str__(self) -> str:
        """Say the estimate, and the assumption it rests on."""
        text = (
            f"About {numbers.percent(self.estimate)} of the {self.cases:,} cases are positive "
            f"({100 * self.level:g} %: {numbers.percent(self.low)} to {numbers.percent(self.high)}). {ASSUMPTION}"
        )
        if self.fit_p_value is not None and self.fit_p_value < 1 - self.level:
            text += f" The scores do not fit that ({numbers.p_value(self.fit_p_value)}): something else has moved too."
        return f"{text} {if_risks_held(self.if_risks_hold, self.low, self.high)}".rstrip()

    def __repr__(self) -> str:
        """Say the estimate in short."""
        return (
            f"<PrevalenceEstimate: {100 * self.estimate:.2g} % positive, {100 * self.level:g} % {100 * self.low:.2g} to "
            f"{100 * self.high:.2g} %, from {self.cases} cases>"
        )


def if_risks_held(share: float | None, low: float, high: float) -> str:
    """Say what the opposite assumption gives where the interval does not hold it, else nothing."""
    if share is None or low <= share <= high:
        return ""
    return f"If instead the risk at each score stayed as it was, {numbers.percent(share)} are positive; a few labels would tell which."


def estimate_prevalence(
    reference: Any,
    new_scores: Any,
    *,
    method: PrevalenceMethod = "likelihood",
    level: float = 0.90,
    labels: Any = None,
    steps: int | None = None,
    threshold: float | None = None,
    rng: int | np.random.Generator | None = None,
    n_resamples: int = 0,
) -> PrevalenceEstimate:
    """Return how many of the cases in use are positive, from their scores and a labelled reference.

    It assumes label shift: only the prevalence moved, while positives and negatives score as they did in the reference. It fails when
    other kinds of cases arrive or when a class itself changes. `fit_p_value` detects some of these, and `if_risks_hold` is the answer
    under the opposite assumption.

    Parameters
    ----------
    reference : RocCurve, ScoreCounts or (y_true, y_score)
        Labelled cases, such as those on which the model was chosen.
    new_scores : array of shape (n,) or ScoreCounts
        The same model's scores of cases in use, without labels. Labelled cases in a `ScoreCounts` are used as labels.
    method : {"likelihood", "adjusted_count"}
        "likelihood": the prevalence that makes the counts in up to ten steps of scores most likely. "adjusted_count": the textbook
        correction of the share at or above one threshold.
    level : float
    labels : (y, scores) or ScoreCounts, optional
        Further cases of the same period whose labels are known; no case may be in both. Labels may depend on the score, as when only
        flagged cases are looked at.
    steps : int, optional
        How many steps, 2 to 1000; by default 3 to 10, one for every ten cases of the smaller class.
    threshold : float, optional
        For "adjusted_count"; by default the highest with the largest tpr - fpr.
    rng : int or Generator, optional
        Seed of the resamples.
    n_resamples : int
        0 uses closed forms. Otherwise the reference and the cases in use are resampled this many times for the interval and the fit test.

    References
    ----------
    Saerens, Latinne & Decaestecker (2002), doi:10.1162/089976602753284446.

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> found = ic.estimate_prevalence((y, range(20, 0, -1)), [3, 1, 2, 1, 4, 1], method="adjusted_count", threshold=10)
    >>> found.estimate, round(found.high, 4)
    (0.0, 0.0951)
    """
    validate.choice(method, "method", METHODS)
    share = validate.level(level)
    total = validate.whole(n_resamples, "n_resamples", low=0)
    curve = reference_of(reference)
    used = InUse.of(new_scores, labels)
    if method == "adjusted_count":
        if labels is not None or steps is not None or total or used.size != used.unlabelled.size:
            raise InputError("labels, steps= and n_resamples= go with method='likelihood'")
        return _adjusted(curve, used, share, threshold)
    if threshold is not None:
        raise InputError("threshold= goes with method='adjusted_count'")
    judge = Likelihood(Steps.of(curve, used, steps))
    estimate = judge.maximum()
    low, high = judge.interval(estimate, _quantile(share))
    misfit, fits = judge.misfit(estimate)
    if total:
        drawn = resampled(judge, estimate, total, np.random.default_rng(validate.entropy(rng)))
        low, high = drawn.interval(estimate, share)
        fits = None if fits is None else drawn.fit_p_value
    counts = judge.steps
    return PrevalenceEstimate(
        estimate, low, high, share, method, fits, used.size, int(counts.labelled.sum()), misfit,
        judge.if_risks_hold(), judge.labels_fit(), counts.cuts, judge,
    )  # fmt: skip


def prevalence_cuts(reference: Any, *, steps: int | None = None) -> Floats:
    """Return the scores at which `estimate_prevalence` cuts a reference into steps, descending.

    The counts between them are all it needs of the cases in use: `ScoreCounts.from_frame` and `ScoreCounts.scan` make them in one pass
    with `label=None` and `cuts=`.

    Parameters
    ----------
    reference, steps
        As in `estimate_prevalence`.

    Examples
    --------
    >>> import isocost as ic, polars as pl
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> cuts = ic.prevalence_cuts((y, range(20, 0, -1)))
    >>> cuts.tolist()
    [15.0, 8.0, 1.0]
    >>> week = pl.LazyFrame({"score": [20, 19, 18, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 16, 7]})
    >>> counts = ic.ScoreCounts.from_frame(week, label=None, score="score", cuts=cuts)
    >>> counts
    <ScoreCounts: 0 distinct scores and 3 buckets, 20 unlabelled>
    >>> ic.estimate_prevalence((y, range(20, 0, -1)), counts)
    <PrevalenceEstimate: 24 % positive, 90 % 0 to 71 %, from 20 cases>
    """
    return cuts_of(reference_of(reference), steps)


def _quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


@dataclass(frozen=True, eq=False)
class _Adjusted:
    """How far a share of flagged cases is from what a prevalence leads one to expect."""

    cut: float
    flagged: float
    cases: int
    fpr: float
    tpr: float
    positives: float
    negatives: float

    def shares(self, estimate: float) -> Columns:
        """Return the shares flagged and not flagged, as those of steps."""
        own = (self.positives * self.tpr + self.negatives * self.fpr) / (self.positives + self.negatives)
        expected = estimate * self.tpr + (1 - estimate) * self.fpr
        return {
            "score_from": [self.cut, -math.inf],
            "reference": [own, 1 - own],
            "seen": [self.flagged, 1 - self.flagged],
            "expected": [expected, 1 - expected],
        }

    def z(self, pi: float) -> float:
        expected = pi * self.tpr + (1 - pi) * self.fpr
        spread = (
            expected * (1 - expected) / self.cases
            + pi**2 * self.tpr * (1 - self.tpr) / self.positives
            + (1 - pi) ** 2 * self.fpr * (1 - self.fpr) / self.negatives
        )
        gap = self.flagged - expected
        if spread == 0:
            return 0.0 if gap == 0 else math.copysign(math.inf, gap)
        return gap / math.sqrt(spread)


def _adjusted(curve: RocCurve, used: InUse, level: float, threshold: float | None) -> PrevalenceEstimate:
    best = float(curve.thresholds[int(np.argmax(curve.tpr - curve.fpr))])
    cut = best if threshold is None else validate.number(threshold, "threshold")
    at = int(curve._points_at(np.asarray(cut)))
    fpr, tpr = float(curve.fpr[at]), float(curve.tpr[at])
    if tpr <= fpr:
        raise InputError(
            f"at threshold {cut:g} the reference has tpr {tpr:.4g} and fpr {fpr:.4g}: choose one with tpr above fpr"
        )
    if used.unlabelled.divided(np.array([cut])).any():
        raise InexactError(f"the share of scores at or above {cut:g}", "")
    cases = used.size
    flagged = used.unlabelled.above(cut) / cases
    judge = _Adjusted(cut, flagged, cases, fpr, tpr, float(curve.positives or 0), float(curve.negatives or 0))
    estimate = min(max((flagged - fpr) / (tpr - fpr), 0.0), 1.0)
    low, high = interval_of(judge.z, estimate, _quantile(level))
    return PrevalenceEstimate(
        estimate, low, high, level, "adjusted_count", None, cases, 0, None, None, None, np.array([cut]), judge
    )

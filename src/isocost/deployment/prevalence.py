"""How many cases are positive now, estimated from the scores of cases without labels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.counts import ScoreCounts
from isocost.deployment.likelihood import Likelihood, interval_of, two_sided
from isocost.deployment.steps import Scored, Steps, reference_of
from isocost.errors import InputError
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.validate import Floats

PrevalenceMethod = Literal["likelihood", "adjusted_count"]
METHODS: tuple[PrevalenceMethod, ...] = ("likelihood", "adjusted_count")

ASSUMPTION = (
    "This assumes that only the prevalence moved: positives and negatives score as they did in the reference. "
    "Unlabelled scores cannot tell weaker positives from fewer positives; only labels can."
)


@dataclass(frozen=True, eq=False, repr=False)
class PrevalenceEstimate(Result):
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
        """Return how likely scores at least this far off are if this is the prevalence."""
        return two_sided(self._judge.z(validate.number(prevalence, "prevalence", low=0.0, high=1.0)))

    def condition(self, *, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Condition:
        """Return the condition at the estimate."""
        return Condition(cost_fp, cost_fn, self.estimate)

    def conditions(self, *, cost_fp: Any = 1.0, cost_fn: Any = 1.0) -> Conditions:
        """Return the conditions of the whole interval, for `decide` and `over=`."""
        return Conditions.from_costs(cost_fp=cost_fp, cost_fn=cost_fn, prevalence=(self.low, self.high))

    @property
    def steps(self) -> list[dict[str, float]]:
        """Share of each step in the reference, seen in use, and expected at the estimate."""
        counts = self._judge.steps
        p, q = counts.rates
        seen = counts.unlabelled + counts.labelled
        own = counts.positives + counts.negatives
        expected = self.estimate * p + (1 - self.estimate) * q
        return [
            {"score_from": cut, "reference": before, "seen": now, "expected": share}
            for cut, before, now, share in zip(
                counts.cuts.tolist(),
                (own / own.sum()).tolist(),
                (seen / seen.sum()).tolist(),
                expected.tolist(),
                strict=True,
            )
        ]

    def __str__(self) -> str:
        """Say the estimate, and the assumption it rests on."""
        text = (
            f"About {_percent(self.estimate)} of the {self.cases} cases are positive "
            f"({100 * self.level:g} %: {_percent(self.low)} to {_percent(self.high)}). {ASSUMPTION}"
        )
        if self.fit_p_value is not None and self.fit_p_value < 1 - self.level:
            text += f" The scores do not fit that (p = {self.fit_p_value:.2g}): something else has moved too."
        if self.if_risks_hold is not None and not self.low <= self.if_risks_hold <= self.high:
            text += (
                f" If instead the risk at each score stayed as it was, {_percent(self.if_risks_hold)} are positive; "
                "a few labels would tell which."
            )
        return text

    def __repr__(self) -> str:
        """Say the estimate in short."""
        return (
            f"<PrevalenceEstimate: {100 * self.estimate:.2g} % positive, {100 * self.level:g} % {100 * self.low:.2g} to "
            f"{100 * self.high:.2g} %, from {self.cases} cases>"
        )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def estimate_prevalence(
    reference: Any,
    new_scores: Any,
    *,
    method: PrevalenceMethod = "likelihood",
    level: float = 0.90,
    labels: Any = None,
    steps: int | None = None,
    threshold: float | None = None,
) -> PrevalenceEstimate:
    """Return how many of the cases in use are positive, from their scores and a labelled reference.

    It assumes label shift: only the prevalence moved, while positives and negatives score as they did in the reference. It fails when
    other kinds of cases arrive or when a class itself changes. `fit_p_value` tells some of these apart, and `if_risks_hold` is
    the answer under the opposite assumption.

    Parameters
    ----------
    reference : RocCurve, ScoreCounts or (y_true, y_score)
        Labelled cases, such as those on which the model was chosen.
    new_scores : array of shape (n,)
        Scores of the same model of cases in use, without labels.
    method : {"likelihood", "adjusted_count"}
        "likelihood": the prevalence that makes the counts in up to ten steps of scores most likely. "adjusted_count": the textbook
        correction of the share at or above one threshold.
    level : float
    labels : (y, scores), optional
        Further cases of the same period whose labels are known; a case goes into one of the two. Labels may depend on the score, as
        when only flagged cases are looked at.
    steps : int, optional
        How many steps, 2 to 1000; by default 3 to 10, one for every ten cases of the smaller class.
    threshold : float, optional
        For "adjusted_count"; by default the highest with the largest tpr - fpr.

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
    curve = reference_of(reference)
    new = Scored.of_scores(new_scores, "new_scores")
    if method == "adjusted_count":
        if labels is not None or steps is not None:
            raise InputError("labels= and steps= go with method='likelihood'")
        return _adjusted(curve, new, share, threshold)
    if threshold is not None:
        raise InputError("threshold= goes with method='adjusted_count'")
    judge = Likelihood(Steps.of(curve, new, _labelled(labels), steps))
    estimate = judge.maximum()
    low, high = judge.interval(estimate, _quantile(share))
    misfit, fits = judge.misfit(estimate)
    counts = judge.steps
    return PrevalenceEstimate(
        estimate, low, high, share, method, fits, int(counts.unlabelled.sum() + counts.labelled.sum()),
        int(counts.labelled.sum()), misfit, judge.if_risks_hold(), judge.labels_fit(), counts.cuts, judge,
    )  # fmt: skip


def _quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def _labelled(labels: Any) -> tuple[Scored, Scored] | None:
    """Return the scores of labelled positives and negatives in use."""
    if labels is None:
        return None
    if isinstance(labels, ScoreCounts):
        sides = ((labels.positives, "positives"), (labels.negatives, "negatives"))
        for counts, name in sides:
            if counts.dtype.kind != "i":
                raise InputError(
                    f"labels hold fractional {name}, for which no interval is known: pass whole numbers of cases"
                )
        return (
            Scored(labels.scores, labels.positives, labels.upper),
            Scored(labels.scores, labels.negatives, labels.upper),
        )
    y, scores = validate.pair(labels, "labels", "(y, scores) or ScoreCounts")
    validate.aligned(y=y, scores=scores)
    positive = validate.labels(y, both=False)
    values = np.asarray(validate.scores(scores, "scores of labels"), dtype=np.float64)
    validate.same_length(y=positive, scores=values)
    ones = np.ones(values.size, dtype=np.int64)
    return Scored(values[positive], ones[positive]), Scored(values[~positive], ones[~positive])


@dataclass(frozen=True, eq=False)
class _Adjusted:
    """How far a share of flagged cases is from what a prevalence leads one to expect."""

    flagged: float
    cases: int
    fpr: float
    tpr: float
    positives: float
    negatives: float

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


def _adjusted(curve: RocCurve, new: Scored, level: float, threshold: float | None) -> PrevalenceEstimate:
    best = float(curve.thresholds[int(np.argmax(curve.tpr - curve.fpr))])
    cut = best if threshold is None else validate.number(threshold, "threshold")
    at = int(curve._points_at(np.asarray(cut)))
    fpr, tpr = float(curve.fpr[at]), float(curve.tpr[at])
    if tpr <= fpr:
        raise InputError(
            f"at threshold {cut:g} the reference has tpr {tpr:.4g} and fpr {fpr:.4g}: choose one with tpr above fpr"
        )
    cases = int(new.counts.sum())
    flagged = float(new.counts[new.scores >= cut].sum()) / cases
    judge = _Adjusted(flagged, cases, fpr, tpr, float(curve.positives or 0), float(curve.negatives or 0))
    estimate = min(max((flagged - fpr) / (tpr - fpr), 0.0), 1.0)
    low, high = interval_of(judge.z, estimate, _quantile(level))
    return PrevalenceEstimate(
        estimate, low, high, level, "adjusted_count", None, cases, 0, None, None, None, np.array([cut]), judge
    )

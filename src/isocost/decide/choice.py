"""Choice: one rule, what it does and what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from isocost.conditions import Pair
from isocost.decide.question import Question, Words
from isocost.decide.rules import EVERYBODY, NOBODY, Rules
from isocost.decide.say import in_brackets, say
from isocost.results import Result, plain

ALWAYS_NEGATIVE, ALWAYS_POSITIVE = "always-negative", "always-positive"
TRIVIAL = {NOBODY: ALWAYS_NEGATIVE, EVERYBODY: ALWAYS_POSITIVE}
# What every rule has.
RULE = (
    "model", "rule", "threshold", "below", "fpr", "tpr", "flagged", "precision", "expected_cost", "normalised_cost", "per_1000", "one",
    "other", "share", "fit", "review",
)  # fmt: skip


@dataclass(frozen=True)
class Drift(Result):
    """How far the condition may move, everything else fixed, before the answer is another.

    Attributes
    ----------
    t : (low, high)
        The share of the worst cost that false alarms carry.
    cost_ratio : (low, high) or None
        How many false alarms a miss costs, at the prevalence of the question; None if that is not known.
    prevalence : (low, high) or None
        At the costs of the question, within its limits; None without costs in a unit, or for a mixture.
    """

    t: Pair
    cost_ratio: Pair | None = None
    prevalence: Pair | None = None

    def __str__(self) -> str:
        """Say it in a sentence."""
        return say("drift_alone", {"threshold_drift": plain(self._data()), "question": {"words": plain(Words())}})


@dataclass(frozen=True, repr=False, kw_only=True)
class Choice(Result):
    """An operating point to deploy, and what it does and costs.

    Attributes
    ----------
    model : str or None
    rule : {"nobody", "everybody", "score", "mix", "band", "point"}
        Flag nobody, everybody, scores from a threshold on; mix two rules at random; have a person look at a band of scores; or an
        operating point that has no threshold.
    threshold : float
        In full precision; a case is flagged when its score is at least this. +inf flags nobody, NaN if the point has none.
    below : float
        The next lower score: every threshold above it flags the same cases. −inf if there is none, or none is known.
    fpr, tpr : float
    flagged, precision : float or None
        Share of all cases flagged, and share of these that are positive; None where the prevalence is unknown or nobody is flagged.
    expected_cost, normalised_cost : float or None
        Per case in the unit of the costs, and as a share of the cost of being always wrong; on average over uncertain conditions.
    one, other : Choice or None
        The rules of a mixture, of which the second is followed with probability `share`.
    share : float or None
    review : Band or None
        With reviews: which cases a person looks at.
    fit : {"smooth", "steps"} or None
        With method="smooth": whether a smooth risk curve set the threshold, or the cases as they are.
    threshold_drift : Drift or None
        How far the condition may move before another threshold is better.
    words : Words

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> choice = ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> choice.threshold, choice.tpr, choice.fpr, round(choice.expected_cost, 6)
    (0.6, 1.0, 0.5, 0.35)
    """

    model: str | None
    rule: str
    threshold: float = math.nan
    below: float = -math.inf
    fpr: float = math.nan
    tpr: float = math.nan
    flagged: float | None = None
    precision: float | None = None
    expected_cost: float | None = None
    normalised_cost: float | None = None
    one: Choice | None = None
    other: Choice | None = None
    share: float | None = None
    review: Band | None = None
    fit: str | None = None
    threshold_drift: Drift | None = None
    # The sentences hold them.
    words: Words = field(default_factory=Words, metadata={"data": False})

    @property
    def per_1000(self) -> float | None:
        """Expected cost of 1000 cases in the unit of the costs; None without one."""
        return None if self.expected_cost is None else 1000 * self.expected_cost

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data, and the rule in words as `text`."""
        return rule_data(self) | {"threshold_drift": plain(self.threshold_drift), "text": str(self)}

    def __str__(self) -> str:
        """Say what to do, in words."""
        return say("choice", rule_data(self) | {"question": {"words": plain(self.words)}})

    __repr__ = in_brackets


@dataclass(frozen=True)
class Band(Result):
    """Flag outright, have a person look, or leave alone: the two rules at which flagging and reviewing begin.

    Attributes
    ----------
    flag_from, review_from : Choice
    reviewed, flagged : float
        Shares of all cases: seen by a person, flagged outright.
    fpr, tpr : float
        In the end, after review.
    expected_cost : float
        Per case, reviews included.
    saving : float
        Against the best single threshold of the model.
    worth_up_to : float
        The price above which no case should be reviewed.
    """

    flag_from: Choice
    review_from: Choice
    reviewed: float
    flagged: float
    fpr: float
    tpr: float
    expected_cost: float
    saving: float
    worth_up_to: float

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data."""
        return {name: rule_data(v) if isinstance(v, Choice) else plain(v) for name, v in self._data().items()}


def rule_data(choice: Choice) -> dict[str, Any]:
    """Return what every rule has, as plain data: no sentence, and nothing of how far it holds."""
    values = {name: getattr(choice, name) for name in RULE}
    return {name: rule_data(v) if isinstance(v, Choice) else plain(v) for name, v in values.items()}


def described(rules: Rules, i: int, question: Question, band: Band | None = None) -> Choice:
    """Return a row of the table as a choice, with the reviews of its model if there are any."""
    p, m, j = question.prevalence, int(rules.model[i]), int(rules.other[i])
    kind, fpr, tpr = _kind(rules, i), float(rules.fpr[i]), float(rules.tpr[i])
    a, b, c = question.weights
    cost = a * fpr + b * (1 - tpr) + c if question.priced else None
    if band is not None and band.reviewed > 0:
        kind, fpr, tpr, cost = "band", band.fpr, band.tpr, band.expected_cost
    # One NaN for all, so that choices that hold the same are equal.
    cut = math.nan if math.isnan(rules.threshold[i]) else float(rules.threshold[i])
    by_method = kind == "score" and question.method in ("fixed", "score_driven")
    flagged = None if p is None else p * tpr + (1 - p) * fpr
    found = Choice(
        model=name_of(rules, m), rule=kind, fpr=fpr, tpr=tpr, flagged=flagged, threshold=cut,
        below=-math.inf if by_method else rules.below(i), precision=p * tpr / flagged if p is not None and flagged else None,
        expected_cost=cost if question.has_unit else None, normalised_cost=None if cost is None else (cost - c) / (a + b),
        review=band, fit=rules.fit(m) if question.method == "smooth" else None, words=question.words,
    )  # fmt: skip
    if j < 0:
        return found
    owner = int(rules.owners()[i])
    return replace(
        found, model=name_of(rules, owner if 0 <= owner < len(rules.curves) else m), share=float(rules.share[i]),
        one=described(rules, rules.mixed_from(i), question), other=described(rules, j, question),
    )  # fmt: skip


def _kind(rules: Rules, i: int) -> str:
    if rules.other[i] >= 0:
        return "mix"
    cut, nothing = rules.threshold[i], not (rules.fpr[i] or rules.tpr[i])
    own = "point" if math.isnan(cut) else "nobody" if cut == math.inf and nothing else "score"
    return {NOBODY: "nobody", EVERYBODY: "everybody"}.get(int(rules.model[i]), own)


def name_of(rules: Rules, m: int) -> str:
    """Return the name of a model, or of a trivial classifier."""
    return TRIVIAL[m] if m < 0 else rules.names[m]

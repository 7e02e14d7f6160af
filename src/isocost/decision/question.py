"""What a decision was asked for: conditions, limits and how thresholds will be set."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.quantities import Even
from isocost.decision.limits import Aim, Limits
from isocost.decision.pricing import Pricing
from isocost.errors import ConditionError, InputError
from isocost.results.result import Result
from isocost.roc_space import RocCurve

ThresholdMethod = Literal["best", "score_driven", "rate_driven", "fixed"]
# Labels that answer a question, and do not say what a case is.
_ANSWERS = ("true", "yes", "t", "y", "pos", "positive")
METHODS: tuple[ThresholdMethod, ...] = ("best", "score_driven", "rate_driven", "fixed")


@dataclass(frozen=True)
class Words(Result):
    """The user's own words.

    Attributes
    ----------
    unit : str
        Of the costs, such as "€" or "hours"; none by default.
    positive : str
        What the cases to detect are called.
    """

    unit: str = ""
    positive: str = "positive"

    @classmethod
    def of(cls, unit: str, label: Any) -> Words:
        """Return the words for a unit and the label of the positives, if that is a word that says what they are."""
        named = isinstance(label, str) and label.isalpha() and label.lower() not in _ANSWERS
        return cls(unit, label) if named else cls(unit)


@dataclass(frozen=True)
class Reviews(Result):
    """What having a person look costs and brings, as in `review_band`.

    Attributes
    ----------
    cost_review : float
    max_reviewed : float or None
    reviewer_fpr, reviewer_tpr : float
    """

    cost_review: float
    max_reviewed: float | None = None
    reviewer_fpr: float = 0.0
    reviewer_tpr: float = 1.0

    @classmethod
    def of(
        cls, cost_review: float | None, max_reviewed: float | None, reviewer_fpr: float, reviewer_tpr: float
    ) -> Reviews | None:
        """Return what was given; None if nothing was."""
        if cost_review is not None:
            return cls(cost_review, max_reviewed, reviewer_fpr, reviewer_tpr)
        rates = validate.number(reviewer_fpr, "reviewer_fpr"), validate.number(reviewer_tpr, "reviewer_tpr")
        if max_reviewed is not None or rates != (0.0, 1.0):
            raise InputError(
                "max_reviewed, reviewer_fpr and reviewer_tpr go with cost_review=: say what a review costs"
            )
        return None


@dataclass(frozen=True)
class Question(Result):
    """What was asked.

    Attributes
    ----------
    over : Condition, Conditions or None
        What the rule is priced for; None if no cost is known and a limit decides.
    assumed : bool
        Whether nothing was given, and equal costs were assumed.
    limits : Limits
    method : str
        How thresholds will be set in use: "best", "score_driven", "rate_driven" or "fixed".
    threshold : float or None
        With "fixed".
    aim : {"cheapest", "most_caught", "least_worst"}
        What the answer minimises: expected cost, positives missed within the limits, or cost in the worst condition.
    prevalence : float or None
        What limits on flagged share and precision refer to; of each model's own data if None.
    randomised : bool
        Whether two thresholds may be mixed.
    reviews : Reviews or None
        If a person can look.
    words : Words
    """

    over: Condition | Conditions | None
    assumed: bool = False
    limits: Limits = field(default_factory=Limits)
    method: ThresholdMethod = "best"
    threshold: float | None = None
    aim: Aim = "cheapest"
    prevalence: float | None = None
    randomised: bool = False
    reviews: Reviews | None = None
    words: Words = field(default_factory=Words, metadata={"data": False})

    @classmethod
    def of(
        cls,
        over: Condition | Conditions | None,
        *,
        own_prevalence: float | None,
        limits: Limits,
        method: ThresholdMethod = "best",
        threshold: float | None = None,
        prevalence: float | None = None,
        randomised: bool = False,
        worst_case: bool = False,
        reviews: Reviews | None = None,
        words: Words | None = None,
    ) -> Question:
        """Check what was given and settle what it means."""
        if over is not None and not isinstance(over, Condition | Conditions):
            raise ConditionError(
                f"over must be a Condition or Conditions, got {over!r}; for costs write ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)"
            )
        validate.choice(method, "method", METHODS)
        for kind, value in limits.given.items():
            validate.number(value, kind, low=0.0, high=1.0)
        _check_method(method, threshold, limits, randomised=randomised, worst_case=worst_case)
        if prevalence is not None:
            prevalence = validate.number(prevalence, "prevalence", low=0.0, high=1.0)
            _check_prevalence(over, prevalence)
        aim: Aim = "least_worst" if worst_case else "most_caught" if over is None and limits.given else "cheapest"
        assumed = over is None and aim == "cheapest"
        if assumed:
            share = own_prevalence if prevalence is None else prevalence
            over = Condition(prevalence=0.5 if share is None else share)
        return cls(over, assumed, limits, method, threshold, aim, prevalence, randomised, reviews, words or Words())

    @property
    def pricing(self) -> Pricing | None:
        """The prices; None if no cost is known, or only the worst case counts."""
        if self.over is None:
            return None
        return Pricing.of(self.over)

    def prevalence_for(self, curve: RocCurve) -> float | None:
        """Return what shares of all cases refer to for a model."""
        pricing = self.pricing
        if pricing is not None and pricing.has_unit:
            return pricing.condition.prevalence
        if self.prevalence is not None or self.limits.need_prevalence:
            return curve._prevalence_or(self.prevalence)
        return curve.prevalence

    def to_dict(self) -> dict[str, Any]:
        """Return what was asked as plain data."""
        over = self.over
        return {
            "over": None if over is None else str(over),
            "assumed": self.assumed,
            "limits": dict(self.limits.given),
            "method": self.method,
            "threshold": self.threshold,
            "aim": self.aim,
            "prevalence": self.prevalence,
            "randomised": self.randomised,
            "reviews": None if self.reviews is None else self.reviews.to_dict(),
            "unit": self.words.unit,
            "positive": self.words.positive,
            "quantities": _quantities(over),
            "pcf": {"low": 1 - over.high, "high": 1 - over.low, "mean": 1 - over.mean}
            if isinstance(over, Conditions)
            else None,
        }


def _quantities(over: Condition | Conditions | None) -> dict[str, dict[str, Any]] | None:
    """Return the ends and the mean of each cost and of the prevalence, and whether it is uniform; None if only t is known."""
    found = Conditions.of(over).quantities if isinstance(over, Condition) else None if over is None else over.quantities
    if found is None:
        return None
    return {
        name: {"low": quantity.low, "high": quantity.high, "mean": quantity.mean, "even": isinstance(quantity, Even)}
        for name, quantity in found.items()
    }


def _check_method(
    method: ThresholdMethod, threshold: float | None, limits: Limits, *, randomised: bool, worst_case: bool
) -> None:
    if (threshold is None) == (method == "fixed"):
        text = "needs a threshold=" if threshold is None else f"takes none, got threshold={threshold!r}"
        raise InputError(f"method={method!r} {text}; method='fixed' keeps one threshold")
    if threshold is not None:
        validate.number(threshold, "threshold")
    randomised, worst_case = validate.flag(randomised, "randomised"), validate.flag(worst_case, "worst_case")
    if method != "best" and (limits.given or randomised or worst_case):
        named = " and ".join(
            [*limits.given, *(["randomised"] if randomised else []), *(["worst_case"] if worst_case else [])]
        )
        raise InputError(f"method={method!r} sets the threshold itself and leaves nothing to search: drop {named}")
    if worst_case and limits.given:
        raise InputError(f"worst_case looks at costs alone, got {' and '.join(limits.given)} as well: drop one of them")


def _check_prevalence(over: Condition | Conditions | None, prevalence: float) -> None:
    if over is None:
        return
    known = over.prevalence if isinstance(over, Condition) else None if over.means is None else over.means.prevalence
    if known is not None and known != prevalence:
        raise InputError(f"the conditions are at prevalence {known:g}, got prevalence={prevalence:g} as well: pass one")

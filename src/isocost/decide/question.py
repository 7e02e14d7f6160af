"""What is asked: conditions, limits, aim, method, reviews, the rule in use and the user's words."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Literal, TypedDict, get_args

import numpy as np

from isocost.conditions import NAMES, Condition, Conditions
from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.decide.say import FORMS, WORDS
from isocost.errors import ConditionError, InputError
from isocost.results import Result

Aim = Literal["cheapest", "most_caught", "least_worst"]
ThresholdMethod = Literal["best", "smooth", "score_driven", "rate_driven", "fixed"]
LIMITS = ("max_flagged", "min_precision", "max_fpr", "min_tpr")
# Two costs that differ by less than this share of what is at stake are the same; a limit is kept up to the rounding of a division.
TIE, SLACK = 2.0**-46, 2.0**-50
# Labels that answer a question, and do not name a kind of case.
_ANSWERS = ("true", "yes", "t", "y", "pos", "positive")


class Options(TypedDict, total=False):
    """What a question says besides the condition: the options of `decide` and `report`."""

    max_flagged: float | None
    min_precision: float | None
    max_fpr: float | None
    min_tpr: float | None
    sure: float | None
    method: ThresholdMethod
    threshold: float | None
    prevalence: float | None
    cost_review: float | None
    max_reviewed: float | None
    reviewer_fpr: float
    reviewer_tpr: float
    randomised: bool
    worst_case: bool
    current: tuple[str, float] | None
    good_enough: float | None
    unit: str
    words: Mapping[str, str] | None


def words_of(given: Mapping[str, str] | None = None, *, unit: str = "", label: Any = None) -> dict[str, str]:
    """Return all words from those given, the unit of the costs, and the label of the positives where it names them."""
    own = checks.texts(given, "words", tuple(WORDS))
    for forms in FORMS:
        there, lacking = (", ".join(form for form in forms if (form in own) == known) for known in (True, False))
        if there and lacking:
            raise InputError(f"words has {there!r} without {lacking!r}: give all forms of a word")
    if "positive" not in own and isinstance(label, str) and label.isalpha() and label.lower() not in _ANSWERS:
        own |= {f"positive{s}": f"{label} {own.get(f'case{s}', f'case{s}')}" for s in ("", "s")}
    return WORDS | {"unit": checks.text(unit, "unit")} | own


@dataclass(frozen=True)
class Reviews(Result):
    """A person looks at some cases.

    Attributes
    ----------
    cost : float
        Price of one review, in the unit of the costs.
    max_reviewed : float or None
        Share of all cases that can be reviewed.
    fpr, tpr : float
        Shares of the reviewed negatives and positives that end up flagged; 0 and 1 for a reviewer who makes no error.
    """

    cost: float
    max_reviewed: float | None = None
    fpr: float = 0.0
    tpr: float = 1.0

    @classmethod
    def of(
        cls, cost_review: Any, max_reviewed: Any = None, reviewer_fpr: Any = 0.0, reviewer_tpr: Any = 1.0
    ) -> Reviews | None:
        """Check what was given; None if nothing was."""
        rates = (reviewer_fpr, "reviewer_fpr"), (reviewer_tpr, "reviewer_tpr")
        fpr, tpr = (checks.number(value, name, low=0.0, high=1.0) for value, name in rates)
        if cost_review is not None:
            cost = checks.number(cost_review, "cost_review", low=0.0, high=sys.float_info.max)
            return cls(cost, _given(max_reviewed, "max_reviewed", low=0.0, high=1.0), fpr, tpr)
        if max_reviewed is not None or (fpr, tpr) != (0.0, 1.0):
            raise InputError(
                "max_reviewed, reviewer_fpr and reviewer_tpr go with cost_review=: say what a review costs"
            )
        return None


def _given(value: Any, name: str, low: float = -math.inf, high: float = math.inf) -> float | None:
    """Return a number between these ends; None if none was given."""
    return None if value is None else checks.number(value, name, low=low, high=high)


@dataclass(frozen=True, kw_only=True)
class Question(Result):
    """One question, checked when it is made. It travels with the decision: whatever follows asks the same again.

    Attributes
    ----------
    condition : Condition, Conditions or None
        What rules are priced for; None if no cost is known and limits decide.
    costs_given : bool
        False if equal costs were assumed, or limits alone decide.
    limits : dict of str to float
        Of max_flagged, min_precision, max_fpr and min_tpr those that were given.
    aim : {"cheapest", "most_caught", "least_worst"}
        The least expected cost, the most positives caught within the limits, or the least cost in the worst condition.
    method, threshold, randomised
        How thresholds will be set in use, the one of method "fixed", and whether two rules may be mixed at random.
    reviews, current : Reviews or None, (model, threshold) or None
        Whether a person looks at some cases, and the rule in use.
    prevalence : float or None
        What shares of all cases refer to: the mean of the conditions, else what was given, else that of the data.
    sure, good_enough : float or None
        How sure limits must be to hold on new cases, and which loss per case does not matter.
    words : dict of str to str
        What cases, their kinds and what is done with them are called, and the unit: each form is given, nothing is inflected.

    See Also
    --------
    Decision, Comparison.decide

    Examples
    --------
    >>> import isocost as ic
    >>> ic.Question.of(ic.Condition(cost_fn=5, prevalence=0.3), max_flagged=0.2).aim
    'cheapest'
    """

    # As data: `quantities`.
    condition: Condition | Conditions | None = field(default=None, metadata={"data": False})
    costs_given: bool = True
    limits: dict[str, float] = field(default_factory=dict)
    aim: Aim = "cheapest"
    method: ThresholdMethod = "best"
    threshold: float | None = None
    randomised: bool = False
    reviews: Reviews | None = None
    current: tuple[str, float] | None = None
    prevalence: float | None = None
    sure: float | None = None
    good_enough: float | None = None
    words: dict[str, str] = field(default_factory=WORDS.copy)

    @classmethod
    def of(
        cls,
        condition: Condition | Conditions | None = None,
        *,
        own_prevalence: float | None = None,
        max_flagged: float | None = None,
        min_precision: float | None = None,
        max_fpr: float | None = None,
        min_tpr: float | None = None,
        method: ThresholdMethod = "best",
        threshold: float | None = None,
        prevalence: float | None = None,
        cost_review: float | None = None,
        max_reviewed: float | None = None,
        reviewer_fpr: float = 0.0,
        reviewer_tpr: float = 1.0,
        randomised: bool = False,
        worst_case: bool = False,
        current: tuple[str, float] | None = None,
        sure: float | None = None,
        good_enough: float | None = None,
        words: Mapping[str, str] | None = None,
        unit: str = "",
        label: Any = None,
    ) -> Question:
        """Return the question that options ask; `own_prevalence` is that of the data, and `label` that of the positives."""
        given = zip(LIMITS, (max_flagged, min_precision, max_fpr, min_tpr), strict=True)
        limits = {kind: checks.number(value, kind, low=0.0, high=1.0) for kind, value in given if value is not None}
        aim: Aim = "most_caught" if condition is None and limits else "cheapest"
        aim = "least_worst" if checks.flag(worst_case, "worst_case") else aim
        share, costs_given = _given(prevalence, "prevalence", low=0.0, high=1.0), condition is not None
        otherwise = own_prevalence if share is None else share
        if condition is None and aim == "cheapest":
            condition = Condition(prevalence=0.5 if otherwise is None else otherwise)
        means = None if condition is None else Conditions.of(condition).means
        if means is not None:
            otherwise = means.prevalence
            if share not in (None, otherwise):
                raise InputError(
                    f"the conditions are at prevalence {otherwise:g}, got prevalence={share:g} as well: pass one"
                )
        if current is not None:
            name, cut = checks.pair(current, "current", "a pair (model, threshold)")
            current = str(name), checks.number(cut, "threshold in current")
        enough = _given(good_enough, "good_enough", low=0.0)
        sure = None if sure is None else checks.level(sure, "sure", low=0.5, error=ConditionError)
        return cls(
            condition=condition, costs_given=costs_given, limits=limits, aim=aim, method=method, threshold=_given(threshold, "threshold"),
            randomised=checks.flag(randomised, "randomised"), current=current,
            prevalence=otherwise, sure=sure,
            reviews=Reviews.of(cost_review, max_reviewed, reviewer_fpr, reviewer_tpr),
            good_enough=None if enough is None else enough / 1000, words=words_of(words, unit=unit, label=label),
        )  # fmt: skip

    def __post_init__(self) -> None:
        """Raise where parts contradict each other: the only place that says what goes with what."""
        checks.choice(self.method, "method", get_args(ThresholdMethod))
        lacking = {"smooth": not self.priced, "score_driven": not self._split, "rate_driven": not self._split}
        named, limits, own = f"method={self.method!r}", " and ".join(self.limits), self.method != "best"
        fixed, worst, sure = self.method == "fixed", self.aim == "least_worst", self.sure is not None
        apart: list[tuple[Any, Any, str]] = [
            (fixed, self.threshold is None, f"{named} needs a threshold="),
            (not fixed, self.threshold is not None, f"threshold= goes with method='fixed', got {named}"),
            (own, lacking.get(self.method), f"{named} sets thresholds by costs: pass a condition"),
            (own, self.randomised, f"{named} sets the threshold itself: drop randomised"),
            (own, worst, f"{named} sets the threshold itself: drop worst_case"),
            (self.reviews, self.limits, f"cost_review goes with costs alone: drop {limits}"),
            (self.reviews, own, f"cost_review goes with costs alone: drop {named}"),
            (self.reviews, self.randomised, "cost_review goes with costs alone: drop randomised"),
            (self.reviews, worst, "cost_review goes with expected costs: drop worst_case"),
            (self.reviews, not self.has_unit, "cost_review needs costs: pass a Condition, or Conditions.from_costs or from_beliefs"),
            (worst, self.condition is None, "worst_case needs conditions: pass a Condition or Conditions"),
            (self.needs_prevalence, self.prevalence is None, f"{limits}: the prevalence is unknown (no class totals): pass prevalence="),
            (sure, not self.limits, "sure= needs a limit that it makes sure of: pass max_fpr, min_tpr or max_flagged"),
            (sure, self.randomised, "sure= goes with one threshold per model: drop randomised"),
            (sure, worst, "sure= goes with expected costs: drop worst_case"),
            (sure, own, f"sure= goes with method='best', got {named}"),
            (sure, "min_precision" in self.limits, "sure= cannot go with min_precision: precision is not monotone in the threshold"),
            (self.aim == "most_caught", not self.limits, "aim='most_caught' needs a limit: without one flagging everybody catches most"),
        ]  # fmt: skip
        for one, other, message in apart:
            if one and other:
                raise InputError(message)

    @cached_property
    def quantities(self) -> dict[str, Any]:
        """What is known of costs and prevalence: five quantities, or `t` alone, or none."""
        if self.condition is None:
            return {}
        conditions = Conditions.of(self.condition)
        if conditions.quantities is None:
            return {"t": conditions}
        return {name: conditions.quantities[name] for name in NAMES}

    @cached_property
    def mean(self) -> dict[str, float]:
        """The means: the average cost of a fixed rule is its cost there."""
        return {name: quantity.mean for name, quantity in self.quantities.items()}

    @property
    def has_unit(self) -> bool:
        """Whether costs are amounts, and not only shares of the worst cost."""
        return "cost_fn" in self.quantities

    @property
    def priced(self) -> bool:
        """Whether costs are known at all."""
        return bool(self.quantities)

    @cached_property
    def certain(self) -> bool:
        """Whether nothing about the condition is uncertain."""
        return all(quantity.low == quantity.high for quantity in self.quantities.values())

    @property
    def needs_prevalence(self) -> bool:
        """Whether a limit depends on the prevalence."""
        return not self.limits.keys().isdisjoint(("max_flagged", "min_precision"))

    @cached_property
    def weights(self) -> tuple[float, float, float]:
        """A, B and C of the means: a rule costs A·fpr + B·(1 - tpr) + C; without costs 1, 1 and 0."""
        a, b, c = map(float, weights(self.mean)) if self.priced else (1.0, 1.0, 0.0)
        return a, b, c

    def cost_of(self, fpr: float, tpr: float, reviewed: float = 0.0) -> float:
        """Return what a rule with these rates costs per case, on average."""
        return float(self.amount(fpr, tpr, reviewed)) + self.weights[2]

    def amount(self, fpr: Any, tpr: Any, reviewed: Any = 0.0) -> Any:
        """Return what rates and a share of reviews cost beyond C, which no rule changes: it would round small differences away."""
        cost = self.weights[0] * fpr + self.weights[1] * (1 - tpr)
        return cost if self.reviews is None else cost + self.reviews.cost * reviewed

    def keys(self, fpr: Any, tpr: Any, reviewed: Any = 0.0) -> list[Any]:
        """Return what is to be least, first things first."""
        if self.aim == "most_caught":
            return [-tpr, fpr]
        cost = self.amount(fpr, tpr, reviewed)
        if self.aim == "cheapest":
            return [cost]
        ends = [weights(corner) for corner in self.corners]
        return [np.max([a * fpr + b * (1 - tpr) + c for a, b, c in ends], axis=0), cost]

    @property
    def slack(self) -> float:
        """Up to what difference keys are the same: a share of what is at stake."""
        review = self.reviews.cost if self.reviews else 0.0
        return TIE * (1.0 if self.aim == "most_caught" else self.scale + review)

    def margin(self, kind: str, fpr: Any, tpr: Any) -> Any:
        """Return by how much a limit is kept at the mean prevalence: not negative where it is."""
        ((e0, e1),) = excess({kind: self.limits[kind]}, fpr, tpr)
        return -(e0 + e1 * (self.prevalence or 0.0))

    def kept(self, fpr: Any, tpr: Any) -> Bools:
        """Tell where every limit is kept."""
        each = [self.margin(kind, fpr, tpr) >= -SLACK for kind in self.limits]
        return np.asarray(np.all([np.ones(np.shape(fpr), dtype=np.bool_), *each], axis=0))

    def flagged_of(self, fpr: float, tpr: float) -> float | None:
        """Return the share of all cases that a rule with these rates flags; None if the prevalence is unknown."""
        return None if self.prevalence is None else self.prevalence * tpr + (1 - self.prevalence) * fpr

    def precision_of(self, fpr: float, tpr: float) -> float | None:
        """Return which share of what a rule flags is positive; None if it flags nothing, or the prevalence is unknown."""
        flagged = self.flagged_of(fpr, tpr)
        return float(self.prevalence or 0.0) * tpr / flagged if flagged else None

    @property
    def at(self) -> Condition:
        """The condition that prices rules: at the means, or with the mean t; equal costs where none are known."""
        return Condition(**self.mean) if self.has_unit else Condition.from_t(self.mean.get("t", 0.5))

    @property
    def scale(self) -> float:
        """What is at stake per case: the cost of being always wrong."""
        return self.weights[0] + self.weights[1]

    @cached_property
    def corners(self) -> list[dict[str, float]]:
        """The conditions at the ends of all ranges, where linear costs are extreme; those at which nothing can go wrong left out."""
        ends = [(q.low,) if q.low == q.high else (q.low, q.high) for q in self.quantities.values()]
        found = [dict(zip(self.quantities, values, strict=True)) for values in product(*ends)]
        return [corner for corner in found if sum(weights(corner)[:2]) > 0]

    @cached_property
    def _split(self) -> tuple[float, float] | None:
        """What an alarm and a miss cost more than being right, up to a factor; None if that is not known."""
        if self.has_unit:
            m = self.mean
            return m["cost_fp"] - m["cost_tn"], m["cost_fn"] - m["cost_tp"]
        if "t" not in self.mean or self.prevalence is None:
            return None
        alarm, miss = self.mean["t"] * self.prevalence, (1 - self.mean["t"]) * (1 - self.prevalence)
        return (alarm, miss) if alarm + miss > 0 else None

    @property
    def gaps(self) -> tuple[float, float]:
        """What a false alarm and a miss cost more than the right decision; 1 and 1 where that is not known."""
        return self._split or (1.0, 1.0)

    @property
    def cut(self) -> float | None:
        """The threshold in force: the one given, or the one at which scores that are probabilities are cut."""
        return self.threshold if self.method in ("best", "smooth", "fixed") else self.gaps[0] / sum(self.gaps)

    def _data(self) -> dict[str, Any]:
        """Return the question with what follows from it: `quantities` stand for the condition."""
        alarm, miss = self.gaps
        ratio = None if not (self.has_unit and self.certain) else miss / alarm if alarm > 0 else math.inf
        ends = {
            name: {"low": q.low, "high": q.high, "mean": q.mean, "certain": q.low == q.high}
            for name, q in self.quantities.items()
        }
        limits = [{"kind": kind, "value": value} for kind, value in self.limits.items()]
        known = {"certain": self.certain, "priced": self.priced, "has_unit": self.has_unit}
        return super()._data() | known | {"quantities": ends, "limits": limits, "ratio": ratio}


def weights(at: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """Return A, B and C of a condition: a rule costs A·fpr + B·(1 - tpr) + C."""
    if "t" in at:
        return at["t"], 1 - at["t"], 0.0 * at["t"]
    p = at["prevalence"]
    alarms, misses = (at["cost_fp"] - at["cost_tn"]) * (1 - p), (at["cost_fn"] - at["cost_tp"]) * p
    return alarms, misses, at["cost_tn"] * (1 - p) + at["cost_tp"] * p


def first_least(costs: Floats, slack: Any, axis: int = -1) -> Any:
    """Return where costs are the least along an axis: the first of those that are equal up to a slack."""
    return np.argmax(costs <= costs.min(axis=axis, keepdims=True) + slack, axis=axis)


def first_kept(keys: Sequence[Floats], kept: Bools | None, slack: float) -> Any:
    """Return where keys are the least along the last axis among what is kept: the first of equal places."""
    for key in keys:
        known = key if kept is None else np.where(kept, key, np.inf)
        best = known <= known.min(axis=-1, keepdims=True) + slack
        kept = best if kept is None else best & kept
    return np.argmax(np.asarray(kept), axis=-1)


def excess(limits: Mapping[str, float], fpr: Floats, tpr: Floats) -> list[tuple[Floats, Floats]]:
    """Return (e0, e1) for each limit: it is kept at prevalence p where e0 + e1·p ≤ 0."""
    forms: dict[str, Callable[[float], tuple[Floats, Floats]]] = {
        "max_flagged": lambda m: (fpr - m, tpr - fpr), "min_precision": lambda q: (q * fpr, q * (tpr - fpr) - tpr),
        "max_fpr": lambda m: (fpr - m, 0.0 * fpr), "min_tpr": lambda m: (m - tpr, 0.0 * fpr),
    }  # fmt: skip
    return [forms[kind](limits[kind]) for kind in LIMITS if kind in limits]

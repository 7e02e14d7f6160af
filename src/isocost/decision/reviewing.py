"""The one decision with a person between two thresholds: every model with its own review band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from isocost.decision import review_wording
from isocost.decision.cautions import cautions
from isocost.decision.choice import Choice, describe, priced, trivial_choice
from isocost.decision.deciding import same_curve
from isocost.decision.decision import Alternative, Decision
from isocost.decision.question import Question, Reviews
from isocost.decision.review import known_costs, review_band
from isocost.decision.review_choice import ReviewChoice
from isocost.errors import ConditionError, InputError
from isocost.roc_space import RocCurve
from isocost.roc_space.feasible_region import SLACK
from isocost.roc_space.joint_hull import ALWAYS_POSITIVE, TRIVIAL_NAMES

# What a difference of two equal costs, as shares of the worst, may come out as.
_ROUNDING = 16 * float(np.finfo(np.float64).eps)


def decide_with_reviews(curves: Sequence[RocCurve], question: Question, reviews: Reviews) -> Decision:
    """Return the cheapest model with its review band: of equally cheap ones the one that reviews fewest, then that flags fewest."""
    given = [*question.limits.given, *([] if question.method == "best" else ["method"])]
    if question.aim == "least_worst":
        given.append("worst_case")
    if given:
        raise InputError(f"cost_review goes with costs alone, got {' and '.join(given)} as well: drop one of them")
    if question.over is None:
        raise ConditionError("cost_review needs to know what errors cost: pass a Condition or Conditions")
    at = known_costs(question.over)
    bands = [
        review_band(
            curve, at, cost_review=reviews.cost_review, max_reviewed=reviews.max_reviewed, reviewer_fpr=reviews.reviewer_fpr,
            reviewer_tpr=reviews.reviewer_tpr, randomised=question.randomised,
        )
        for curve in curves
    ]  # fmt: skip
    pricing = question.pricing
    found: list[tuple[Choice, ReviewChoice | None]] = []
    for name in TRIVIAL_NAMES:
        choice = trivial_choice(name, everybody=name == ALWAYS_POSITIVE, prevalence=at.prevalence)
        found.append((priced(choice, pricing), None))
    found += [(_after_review(band), band) for band in bands]
    costs = np.array([float(choice.expected_cost or 0.0) for choice, _ in found])
    slack = _ROUNDING * (at.worst_cost - at.best_cost + reviews.cost_review)
    least = np.flatnonzero(costs <= costs.min() + slack)
    first = _fewest(found, least, at.t)
    chosen, band = found[first]
    order = [int(i) for i in np.argsort(costs, kind="stable") if i != first]
    by_name = {str(curve.name): curve for curve in curves}
    rivals = tuple(
        _alternative(
            *found[i], costs[i] - costs[first], slack, at.worst_cost - at.best_cost,
            identical=_same(by_name, str(found[i][0].model), str(chosen.model)),
        )
        for i in order
    )  # fmt: skip
    tied = tuple(str(found[int(i)][0].model) for i in least if i != first)
    decision = Decision(**vars(chosen), asked=question, tied=tied, alternatives=rivals, review=band)
    if not all(curve.hull_is_exact for curve in curves) or any(b.expected_cost_low is not None for b in bands):
        decision = _within_buckets(decision, bands)
    return replace(decision, warnings=cautions(curves, decision))


def _within_buckets(found: Decision, bands: Sequence[ReviewChoice]) -> Decision:
    """Return a decision with what thresholds inside the buckets could change about it."""
    at, own = bands[0].condition, float(found.expected_cost or 0.0)
    unit = at.worst_cost - at.best_cost
    least = {str(band.model): band.expected_cost_low - own for band in bands if band.expected_cost_low is not None}
    rivals = tuple(replace(a, extra_low=least[a.model] / unit) if a.model in least else a for a in found.alternatives)
    saved = min(least.values(), default=0.0)
    return replace(
        found, alternatives=rivals, normalised_cost_low=float(found.normalised_cost or 0.0) + min(saved, 0.0) / unit,
        tied=() if found.model in least else tuple(name for name in found.tied if name not in least),
    )  # fmt: skip


def _fewest(found: Sequence[tuple[Choice, ReviewChoice | None]], least: NDArray[np.intp], t: float) -> int:
    """Return which of several to take: the trivial classifiers come first, and where false alarms cost nothing one of them is enough."""
    if t > 0:
        for share in (
            np.array([0.0 if band is None else band.reviewed for _, band in found]),
            np.array([choice.flagged for choice, _ in found]),
        ):
            least = least[share[least] <= share[least].min() + SLACK]
    return int(least[0])


def _after_review(band: ReviewChoice) -> Choice:
    """Return a band as a rule: its rates are those in the end, its cost includes the reviews."""
    at = band.condition
    choice = describe(
        band.model, band.flag_from, band.fpr, band.tpr, condition=at, prevalence=at.prevalence, rule=review_wording.rule(band),
        other_threshold=band.flag_choice.other_threshold, other_probability=band.flag_choice.other_probability,
    )  # fmt: skip
    normalised = (band.expected_cost - at.best_cost) / (at.worst_cost - at.best_cost)
    return replace(choice, normalised_cost=normalised, expected_cost=band.expected_cost)


def _same(curves: Mapping[str, RocCurve], name: str, chosen: str) -> bool:
    return name in curves and chosen in curves and same_curve(curves[name], curves[chosen])


def _alternative(
    rival: Choice, band: ReviewChoice | None, extra: float, slack: float, unit: float, *, identical: bool
) -> Alternative:
    more = 0.0 if extra <= slack else float(extra)
    return Alternative(
        str(rival.model), rival.rule, rival.threshold, rival.fpr, rival.tpr, rival.flagged, rival.precision,
        rival.normalised_cost, rival.expected_cost, more / unit, more,
        other_threshold=rival.other_threshold, other_probability=rival.other_probability, identical=identical,
        review=band,
    )  # fmt: skip

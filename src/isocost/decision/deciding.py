"""The one decision: which model and which rule, against which others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from isocost.conditions.ranges import TRange
from isocost.decision.at_condition import choose
from isocost.decision.at_rate import worth_choosing
from isocost.decision.cautions import cautions
from isocost.decision.choice import Choice, choice_of, priced, trivial_choice
from isocost.decision.decision import Alternative, Decision
from isocost.decision.drift import Drift
from isocost.decision.frontier import Frontier
from isocost.decision.limits import best_inside, is_open, points_within
from isocost.decision.pricing import Pricing
from isocost.decision.question import Question
from isocost.decision.uncertain import uncertain
from isocost.errors import InexactError, InfeasibleError
from isocost.roc_space import RocCurve, inexact
from isocost.roc_space.joint_hull import ALWAYS_POSITIVE, TRIVIAL_NAMES, JointHull, Stretch

# What a difference of two equal costs in [0, 1] may come out as.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)


def decide(curves: Sequence[RocCurve], question: Question, *, joint: JointHull | None = None) -> Decision:
    """Return the best model with its rule, its rivals, and how far the answer holds.

    Parameters
    ----------
    curves : sequence of RocCurve
        Each with a name of its own; the order breaks ties, after the trivial classifiers.
    question : Question
    joint : JointHull, optional
        The hull of all models together, if it is known already.
    """
    pricing = question.pricing
    plain = question.method == "best" and question.aim == "cheapest" and not question.limits.given
    if plain and pricing is not None and all(curve.hull_is_exact for curve in curves):
        found = _cheapest(curves, JointHull(tuple(curves)) if joint is None else joint, question, pricing)
    elif plain and pricing is not None:
        found = _cheapest_certain(curves, question, pricing)
    else:
        found = _among(curves, question, pricing)
    if pricing is not None and question.aim == "cheapest" and question.method in ("best", "fixed"):
        limits = question.limits
        found = replace(found, uncertain=uncertain(curves, found, pricing, limits))
    return replace(found, warnings=cautions(curves, found))


def _cheapest(curves: Sequence[RocCurve], joint: JointHull, question: Question, pricing: Pricing) -> Decision:
    """Return the cheapest vertex of the joint hull of the curves, where ties are exact."""
    t = pricing.t
    at = joint.at(t)
    stretch = joint.stretches[at]
    model = None if stretch.trivial is not None else joint.run_at(at).models[0]
    prevalence = question.prevalence_for(curves[0 if model is None else model])
    if model is None:
        chosen = trivial_choice(stretch.trivial, everybody=stretch.trivial == ALWAYS_POSITIVE, prevalence=prevalence)
        t_low, t_high = stretch.t_low, stretch.t_high
    else:
        hull = joint.curves[model].hull
        chosen = choice_of(hull, stretch.places[model], whole=curves[model], prevalence=prevalence)
        t_low, t_high = joint.range_of(at, model)
    own = Drift.around(TRange(stretch.t_low, stretch.t_high), pricing.known)
    chosen = replace(priced(chosen, pricing), threshold_drift=own)
    rivals = _rivals(curves, chosen, model, question, pricing)
    return _decision(
        chosen, question,
        tied=_tied(joint, at, model, t),
        alternatives=tuple(sorted(rivals, key=lambda rival: rival.extra or 0.0)),
        model_drift=Drift.around(TRange(t_low, t_high), pricing.known),
    )  # fmt: skip


def _cheapest_certain(curves: Sequence[RocCurve], question: Question, pricing: Pricing) -> Decision:
    """Return the cheapest end of a bucket, and what thresholds inside the buckets could change about that."""
    found = _cheapest(curves, JointHull(tuple(curve._inner_hull for curve in curves)), question, pricing)
    t, own = pricing.t, float(found.normalised_cost or 0.0)
    least = {str(curve.name): float(curve._optimistic.optimal_cost(t)) - own for curve in curves}
    rivals = tuple(
        replace(a, extra_low=least[a.model]) if least.get(a.model, math.inf) < float(a.extra or 0.0) - _ROUNDING else a
        for a in found.alternatives
    )
    saved = min(least.values())
    settled = all(a.extra_low is None or a.extra_low >= 0 for a in rivals)
    return replace(
        found, tied=(), alternatives=rivals, threshold_drift=None,
        model_drift=_least_drift(curves, found.model, pricing) if settled else None,
        normalised_cost_low=own + min(saved, 0.0) if saved < -_ROUNDING else own,
    )  # fmt: skip


def _least_drift(curves: Sequence[RocCurve], model: str | None, pricing: Pricing) -> Drift | None:
    """Return how far the condition may move at least, whatever the buckets hold: this model at its worst, the others at their best."""
    own = [m for m, curve in enumerate(curves) if curve.name == model]
    joint = JointHull(tuple(curve._inner_hull if m in own else curve._optimistic for m, curve in enumerate(curves)))
    at = joint.at(pricing.t)
    stretch = joint.stretches[at]
    if own and own[0] in stretch.places:
        return Drift.around(TRange(*joint.range_of(at, own[0])), pricing.known)
    return Drift.around(TRange(stretch.t_low, stretch.t_high), pricing.known) if stretch.trivial == model else None


def _rivals(
    curves: Sequence[RocCurve], chosen: Choice, model: int | None, question: Question, pricing: Pricing
) -> list[Alternative]:
    rivals = []
    for m, curve in enumerate(curves):
        if m == model:
            continue
        point = _best_inner(curve, pricing.t)
        prevalence = question.prevalence_for(curve)
        if point is None:  # a constant score: all it can do is to flag everybody or nobody
            best = curve._inner_hull._choice_at(pricing.t)
            rival = choice_of(curve._inner_hull, best, whole=curve, prevalence=prevalence)
        else:
            rival = choice_of(*point, whole=curve, prevalence=prevalence)
        hidden = math.inf
        if not curve.exact:
            better, at = curve._optimistic, inexact.inner_at_best(curve)
            hidden = float(np.min(pricing.normalised(better.fpr[at], better.tpr[at]), initial=math.inf))
        same = model is not None and same_curve(curve, curves[model])
        rivals.append(_alternative(str(curve.name), priced(rival, pricing), chosen, pricing, hidden=hidden, same=same))
    prevalence = question.prevalence_for(curves[0])
    for name in TRIVIAL_NAMES:
        if chosen.model != name:
            rival = trivial_choice(name, everybody=name == ALWAYS_POSITIVE, prevalence=prevalence)
            rivals.append(_alternative(name, priced(rival, pricing), chosen, pricing))
    return rivals


def _alternative(
    name: str, rival: Choice, chosen: Choice, pricing: Pricing | None, *, hidden: float = math.inf, same: bool = False
) -> Alternative:
    known: dict[str, Any] = {
        key: getattr(rival, key)
        for key in (
            "rule", "threshold", "fpr", "tpr", "flagged", "precision", "other_threshold", "other_probability",
            "normalised_cost", "expected_cost",
        )
    }  # fmt: skip
    if pricing is None:
        return Alternative(name, **known, identical=same)
    condition = pricing.condition
    gap = condition.t * (rival.fpr - chosen.fpr) + condition.pcf * (chosen.tpr - rival.tpr)
    extra = 0.0 if abs(gap) <= _ROUNDING else gap
    least = float(chosen.normalised_cost or 0.0)
    low = max(hidden - least, 0.0)
    return Alternative(
        name, **known | {"normalised_cost": least + extra}, extra=extra,
        extra_cost=extra * pricing.unit_cost if pricing.has_unit else None,
        extra_low=low if extra - low > _ROUNDING else None, identical=same,
    )  # fmt: skip


def _among(curves: Sequence[RocCurve], question: Question, pricing: Pricing | None) -> Decision:
    """Return the best of one rule a model: within limits, for the worst case, or as thresholds will be set in use."""
    found: list[tuple[str, Choice | None, str]] = []
    for name in TRIVIAL_NAMES:
        if _keeps(name, curves, question):
            prevalence = question.prevalence_for(curves[0])
            rival = trivial_choice(name, everybody=name == ALWAYS_POSITIVE, prevalence=prevalence)
            found.append((name, priced(rival, pricing), ""))
    errors = []
    for curve in curves:
        try:
            found.append((str(curve.name), choose(curve, question, inner=True), ""))
        except (InfeasibleError, InexactError) as error:
            if isinstance(error, InexactError) and not question.limits.given:
                raise
            errors.append(error)
            found.append((str(curve.name), None, str(error)))
    if len(errors) == len(curves):
        raise next((error for error in errors if isinstance(error, InexactError)), errors[0])
    ranked = [(_rank(choice, question, pricing), i) for i, (_, choice, _) in enumerate(found) if choice is not None]
    best = min(rank for rank, _ in ranked)
    first = next(i for rank, i in ranked if _as_good(rank, best))
    name, chosen, _ = found[first]
    assert chosen is not None  # noqa: S101 - only rules are ranked
    chosen = replace(chosen, model=name)
    index = next((m for m, curve in enumerate(curves) if curve.name == name), None)
    tied = tuple(found[i][0] for rank, i in ranked if i != first and _as_good(rank, best))
    rest = sorted((pair for pair in ranked if pair[1] != first), key=lambda pair: pair[0])
    by_name = {str(curve.name): curve for curve in curves}
    rivals = []
    for _, i in rest:
        other, rule, _ = found[i]
        assert rule is not None  # noqa: S101 - only rules are ranked
        same = index is not None and other in by_name and same_curve(by_name[other], curves[index])
        rivals.append(_alternative(other, rule, chosen, pricing, same=same))
    rivals += [Alternative(other, remark=why) for other, rule, why in found if rule is None]
    mixed = question.randomised
    if question.limits.given and any(is_open(curve, question.limits, randomised=mixed) for curve in curves):
        return _within_buckets(curves, question, pricing, _decision(chosen, question, alternatives=tuple(rivals)))
    least = {name: rule.normalised_cost_low for name, rule, _ in found if rule is not None}
    hidden = {name: low for name, low in least.items() if low is not None}
    model_drift, own = _drift_among(curves, question, pricing, chosen, index)
    decision = _decision(
        replace(chosen, threshold_drift=own), question, tied=tied, alternatives=tuple(rivals), model_drift=model_drift
    )
    return _divided(decision, hidden) if hidden else decision


def _divided(found: Decision, hidden: Mapping[str, float]) -> Decision:
    """Return a decision between thresholds as they are set with what dividing buckets leaves open: what each costs at least."""
    own = float(found.normalised_cost or 0.0)
    rivals = tuple(replace(a, extra_low=hidden[a.model] - own) if a.model in hidden else a for a in found.alternatives)
    settled = all(a.extra_low is None or a.extra_low >= 0 for a in rivals)
    return replace(
        found, alternatives=rivals, threshold_drift=None, model_drift=found.model_drift if settled else None,
        tied=() if found.model in hidden else tuple(name for name in found.tied if name not in hidden),
        normalised_cost_low=min(own, *hidden.values()),
    )  # fmt: skip


def _within_buckets(
    curves: Sequence[RocCurve], question: Question, pricing: Pricing | None, found: Decision
) -> Decision:
    """Return a decision under limits with what thresholds inside the buckets could change about it."""
    inside = {}
    for curve in curves:
        limits = question.limits.at(question.prevalence_for(curve))
        best = best_inside(curve, limits, pricing, question.aim, randomised=question.randomised)
        if best is not None:
            inside[str(curve.name)] = best
    if question.aim == "most_caught" or pricing is None:
        most = {name: tpr for name, (_, tpr) in inside.items()}
        rivals = tuple(
            replace(a, tpr_high=most[a.model]) if most.get(a.model, 0.0) > (a.tpr or 0.0) + _ROUNDING else a
            for a in found.alternatives
        )
        return replace(found, alternatives=rivals, threshold_drift=None)
    own = float(found.normalised_cost or 0.0)
    least = {name: pricing.normalised(*point) - own for name, point in inside.items()}
    rivals = tuple(
        replace(a, extra_low=least[a.model])
        if least.get(a.model, math.inf) < (math.inf if a.extra is None else a.extra) - _ROUNDING
        else a
        for a in found.alternatives
    )
    saved = min(least.values(), default=0.0)
    low = own + saved if saved < -_ROUNDING else own
    return replace(found, alternatives=rivals, threshold_drift=None, normalised_cost_low=low)


def _keeps(name: str, curves: Sequence[RocCurve], question: Question) -> bool:
    rate = np.array([float(name == ALWAYS_POSITIVE)])
    prevalence = question.prevalence_for(curves[0]) if question.limits.given else None
    return all(bool(limit.kept(rate, rate)[0]) for limit in question.limits.at(prevalence))


def _rank(choice: Choice, question: Question, pricing: Pricing | None) -> tuple[float, float]:
    """Return what is to be least, in order."""
    if question.aim == "least_worst":
        from isocost.conditions import Condition, Conditions

        over = Conditions.of(question.over)
        ends = (Condition.from_t(over.low), Condition.from_t(over.high))
        return max(end.normalised_cost(choice.fpr, choice.tpr) for end in ends), 0.0
    if question.aim == "most_caught" or pricing is None:
        return -choice.tpr, choice.fpr
    return pricing.normalised(choice.fpr, choice.tpr), 0.0


def _as_good(rank: tuple[float, float], best: tuple[float, float]) -> bool:
    return all(abs(a - b) <= _ROUNDING for a, b in zip(rank, best, strict=True))


def _drift_among(
    curves: Sequence[RocCurve], question: Question, pricing: Pricing | None, chosen: Choice, index: int | None
) -> tuple[Drift | None, Drift | None]:
    """Return how far model and threshold hold among rules that stay what they are while costs move."""
    moves = question.method in ("score_driven", "rate_driven") or question.randomised
    if pricing is None or moves or question.aim != "cheapest":
        return None, None
    limited = question.limits.need_prevalence
    ends = [
        trivial_choice(n, everybody=n == ALWAYS_POSITIVE, prevalence=None)
        for n in TRIVIAL_NAMES
        if _keeps(n, curves, question)
    ]
    fpr, tpr = [np.array([e.fpr for e in ends])], [np.array([e.tpr for e in ends])]
    owner = [np.full(len(ends), -1)]
    for m, curve in enumerate(curves):
        if question.method == "fixed":
            rule = choose(curve, question)
            # Inside a bucket this one at its worst and the others at their best: so far it holds at least.
            best = rule._fpr_low is not None and m != index
            x, y = np.array([rule._fpr_low if best else rule.fpr]), np.array([rule.tpr_high if best else rule.tpr])
        else:
            x, y = points_within(curve, question.limits, question.prevalence_for(curve))
        fpr.append(x)
        tpr.append(y)
        owner.append(np.full(x.size, m))
    rules = Frontier(np.concatenate(fpr), np.concatenate(tpr))
    own = np.concatenate(owner)
    point = (rules.fpr == chosen.fpr) & (rules.tpr == chosen.tpr)
    # Equal points of another model do not end the range of this one.
    pairs = (
        set(zip(rules.fpr[own == index].tolist(), rules.tpr[own == index].tolist(), strict=True))
        if index is not None
        else set()
    )
    mine = (
        point
        if index is None
        else np.array([p in pairs for p in zip(rules.fpr.tolist(), rules.tpr.tolist(), strict=True)])
    )
    trivial = (rules.fpr == rules.tpr) & ((rules.fpr == 0) | (rules.fpr == 1))
    spans = [rules.span(owned, pricing.t) for owned in (mine & (~trivial | point), point)]
    wide, narrow = (Drift.around(TRange(*span), pricing.known, limited=limited) for span in spans)
    return wide, narrow


def _tied(joint: JointHull, at: int, model: int | None, t: float) -> tuple[str, ...]:
    sides = {at}
    if t == joint.stretches[at].t_low and at > 0:
        sides.add(at - 1)
    if t == joint.stretches[at].t_high and at + 1 < len(joint.stretches):
        sides.add(at + 1)
    models = sorted({m for side in sides for m in joint.stretches[side].places} - {model})
    beside: list[Stretch] = [joint.stretches[side] for side in sorted(sides - {at})]
    return (*(str(joint.curves[m].name) for m in models), *(s.trivial for s in beside if s.trivial is not None))


def _best_inner(curve: RocCurve, t: float) -> tuple[RocCurve, int] | None:
    """Return the cheapest point that flags somebody but not everybody, as a curve and a place on it."""
    hull = curve._inner_hull
    best = int((curve if curve.hull_is_exact else hull)._best_vertex(np.asarray(t)))
    if 0 < best < len(hull) - 1:
        return hull, best
    inner = np.flatnonzero(((curve.fpr > 0) | (curve.tpr > 0)) & ((curve.fpr < 1) | (curve.tpr < 1)))
    if inner.size == 0:
        return None
    # By exact switches, as on the hull: costs would let rounding decide a tie.
    inner = inner[worth_choosing(curve, inner)]
    rise, run = (
        np.diff(count[inner])[::-1] * float(of[-1]) for count, of in ((curve.tp, curve.fp), (curve.fp, curve.tp))
    )
    return curve, int(inner[rise.size - np.searchsorted(rise / (rise + run), t, side="right")])


def same_curve(a: RocCurve, b: RocCurve) -> bool:
    """Return whether two models have the same points; the hulls, which are at hand, tell most apart."""
    if not (a.hull_is_exact and b.hull_is_exact and np.array_equal(a.hull.fpr, b.hull.fpr)):
        return False
    if not np.array_equal(a.hull.tpr, b.hull.tpr) or len(a) != len(b):
        return False
    # Of buckets with as many cases the order inside may differ.
    known = inexact.no_width(a) and inexact.no_width(b)
    return known and np.array_equal(a.fpr, b.fpr) and np.array_equal(a.tpr, b.tpr)


def _decision(chosen: Choice, question: Question, **rest: Any) -> Decision:
    return Decision(**vars(chosen), asked=question, **rest)

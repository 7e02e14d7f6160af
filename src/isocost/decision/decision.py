"""Which model to deploy at which threshold, by how much it is ahead, and how far conditions may drift."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import Pair, TRange, drift_of_cost_ratio, drift_of_prevalence
from isocost.cost_space.envelope import envelope
from isocost.decision import Choice, wording
from isocost.decision.choice import choice_of, describe
from isocost.errors import ConditionError, InexactError
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE, JointHull, Stretch, threshold_at
from isocost.validate import Floats

# What a difference of two equal costs in [0, 1] may come out as.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Alternative(Result):
    """Another model at its best threshold, or a trivial classifier, and what it would cost more.

    Attributes
    ----------
    model : str
    threshold, fpr, tpr : float
        Its cheapest operating point that flags somebody but not everybody (trivial classifiers: all or nobody).
    normalised_cost, expected_cost : float
        As in `Choice`; expected_cost is None over uncertain conditions.
    extra, extra_cost : float
        How much more that is than the decision, in normalised cost and per case.
    extra_low : float or None
        Where scores counted together in buckets may hide a cheaper threshold of the model: `extra` with the best that they allow.
    """

    model: str
    threshold: float
    fpr: float
    tpr: float
    normalised_cost: float
    expected_cost: float | None
    extra: float
    extra_cost: float | None
    extra_low: float | None = None


@dataclass(frozen=True)
class Drift(Result):
    """How far the condition may move, everything else fixed, before the decision is no longer the cheapest.

    Attributes
    ----------
    t : TRange
        The range of t (over uncertain conditions: of its mean).
    cost_ratio : (low, high) or None
        Range of cost_fn/cost_fp, the false alarms one miss costs, at the condition's prevalence.
    prevalence : (low, high) or None
        Range of the prevalence at the condition's costs. Both are None over uncertain conditions.
    """

    t: TRange
    cost_ratio: Pair | None
    prevalence: Pair | None


@dataclass(frozen=True)
class ModelCost(Result):
    """Mean normalised cost of a model whose threshold is chosen anew at each condition."""

    model: str
    mean: float


@dataclass(frozen=True, repr=False, kw_only=True)
class Decision(Choice):
    """The cheapest model and threshold; a `Choice` with its rivals and its limits. `str()` says it in plain words.

    Attributes
    ----------
    tied : tuple of str
        Models (or trivial classifiers) that cost exactly the same here.
    alternatives : tuple of Alternative
        Every other model and the trivial classifiers, cheapest first.
    model_drift : Drift
        How far the condition may move before another model is cheaper, the threshold being adapted.
    threshold_drift : Drift
        How far it may move before another threshold or model is cheaper.
    conditions : Conditions or None
        What the decision was made for, when that was uncertain.
    rechosen : tuple of ModelCost
        Over uncertain conditions: the models by mean cost when the threshold may be chosen anew at each condition.
    information : float or None
        Over uncertain conditions: what knowing the condition before choosing would save on average.
    hulls_are_exact : bool
        False if buckets of scores counted together leave hulls open: then only ends of buckets are chosen from, `normalised_cost_low` and
        `extra_low` say what thresholds inside could cost at least (below 0: a rival could be cheaper), and no drift is known, so that its
        range of t is the condition alone.
    in_units : Alternative or None
        Over beliefs about costs and prevalence: the single choice with the lowest expected cost in their unit, and that cost. It
        can be another one, since dear conditions weigh more there than in the mean normalised cost.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    >>> decision = ic.Comparison([a, b]).decide(ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.4))
    >>> decision.model, decision.threshold, round(decision.per_1000, 6)
    ('b', 0.2, 320.0)
    >>> [round(ratio, 4) for ratio in decision.model_drift.cost_ratio]
    [1.125, 9.0]
    """

    tied: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    model_drift: Drift
    threshold_drift: Drift
    conditions: Conditions | None = None
    rechosen: tuple[ModelCost, ...] = ()
    information: float | None = None
    in_units: Alternative | None = None
    hulls_are_exact: bool = True

    @property
    def runner_up(self) -> Alternative:
        """The cheapest alternative."""
        return self.alternatives[0]

    @property
    def margin(self) -> float:
        """How much more the runner-up costs, in normalised cost."""
        return self.runner_up.extra

    @property
    def per_1000(self) -> float | None:
        """Expected cost of 1000 cases, in the unit of the costs; None over uncertain conditions."""
        return None if self.expected_cost is None else 1000 * self.expected_cost

    @property
    def flag_nobody(self) -> Alternative | None:
        """What flagging nobody would cost more; None if that is the decision."""
        return self._named(ALWAYS_NEGATIVE)

    @property
    def flag_everybody(self) -> Alternative | None:
        """What flagging everybody would cost more; None if that is the decision."""
        return self._named(ALWAYS_POSITIVE)

    def _named(self, name: str) -> Alternative | None:
        return next((a for a in self.alternatives if a.model == name), None)

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data."""
        own = asdict(replace(self, conditions=None)) | {
            "condition": None if self.condition is None else self.condition.to_dict(),
            "conditions": None if self.conditions is None else str(self.conditions),
        }
        return own | {"per_1000": self.per_1000, "margin": self.margin, "text": str(self)}

    def __str__(self) -> str:
        """Say it in plain words."""
        return wording.decision(self)

    def __repr__(self) -> str:
        """Say what to do, in short."""
        where = self.condition if self.conditions is None else self.conditions
        return f"<Decision: {wording.verdict(self, str(where))}>"


def decide(joint: JointHull, names: tuple[str, ...], condition: Condition | Conditions) -> Decision:
    """Return the cheapest choice at a condition, or the single one that is cheapest on average over several."""
    over: Conditions | None = None
    if isinstance(condition, Conditions):
        known = _known(condition)
        over, condition = (None, known) if known is not None else (condition, Condition.from_t(condition.mean))
    elif not isinstance(condition, Condition):
        raise ConditionError(f"condition must be a Condition or Conditions, got {condition!r}")
    t = condition.t
    at = joint.at(t)
    stretch = joint.stretches[at]
    model = None if stretch.trivial is not None else joint.run_at(at).models[0]
    choice = _choice(joint, stretch, model, condition, over)
    rivals = _alternatives(joint, names, model, stretch, condition, known=over is None)
    t_low, t_high = (stretch.t_low, stretch.t_high) if model is None else joint.range_of(at, model)
    uncertain = {} if over is None else _over(joint, names, over, choice)
    return Decision(
        **vars(choice),
        tied=_tied(joint, names, at, model, t),
        alternatives=rivals,
        model_drift=_drift(TRange(t_low, t_high), None if over is not None else condition),
        threshold_drift=_drift(TRange(stretch.t_low, stretch.t_high), None if over is not None else condition),
        **uncertain,
    )


def decide_among_certain(
    curves: Sequence[RocCurve], names: tuple[str, ...], condition: Condition | Conditions
) -> Decision:
    """Return the cheapest end of a bucket at a condition, and what thresholds inside the buckets could change about that."""
    if isinstance(condition, Conditions) and _known(condition) is None:
        raise InexactError("a decision over uncertain conditions")
    found = decide(JointHull(tuple(curve._inner_hull for curve in curves)), names, condition)
    t, own = float(found.condition.t), float(found.normalised_cost or 0.0)  # type: ignore[union-attr]
    least = {name: float(curve._optimistic.optimal_cost(t)) - own for name, curve in zip(names, curves, strict=True)}
    rivals = tuple(
        replace(a, extra_low=least[a.model]) if least.get(a.model, math.inf) < a.extra - _ROUNDING else a
        for a in found.alternatives
    )
    saved = min(least.values())
    alone = Drift(TRange(t, t), None, None)
    return replace(
        found, t_low=None, t_high=None, tied=(), alternatives=rivals, model_drift=alone, threshold_drift=alone,
        hulls_are_exact=False, normalised_cost_low=own + saved if saved < -_ROUNDING else None,
    )  # fmt: skip


def _known(over: Conditions) -> Condition | None:
    """Return the one condition that ranges without width stand for."""
    if over.ranges is None or any(low != high for low, high in over.ranges.values()):
        return None
    return Condition(**{name: low for name, (low, _) in over.ranges.items()})


def _choice(
    joint: JointHull, stretch: Stretch, model: int | None, condition: Condition, over: Conditions | None
) -> Choice:
    curve = joint.curves[0] if model is None else joint.curves[model]
    known = condition if over is None else None
    prevalence = condition.prevalence if over is None else _prevalence(over, curve)
    if model is None:
        cut = float(joint.hull.thresholds[stretch.vertex])
        choice = describe(
            stretch.trivial, cut, stretch.fpr, stretch.tpr, condition=known, prevalence=prevalence,
            t_low=stretch.t_low, t_high=stretch.t_high,
        )  # fmt: skip
    else:
        choice = choice_of(curve.hull, stretch.places[model], condition=known, prevalence=prevalence)
    # Over uncertain conditions the normalised cost is a mean, and costs in the user's unit are not known.
    return replace(choice, normalised_cost=condition.normalised_cost(choice.fpr, choice.tpr))


def _prevalence(over: Conditions, curve: RocCurve) -> float | None:
    if over.ranges is not None and over.ranges["prevalence"][0] == over.ranges["prevalence"][1]:
        return over.ranges["prevalence"][0]
    return curve.prevalence


def _tied(joint: JointHull, names: tuple[str, ...], at: int, model: int | None, t: float) -> tuple[str, ...]:
    sides = {at}
    if t == joint.stretches[at].t_low and at > 0:
        sides.add(at - 1)
    if t == joint.stretches[at].t_high and at + 1 < len(joint.stretches):
        sides.add(at + 1)
    models = sorted({m for side in sides for m in joint.stretches[side].places} - {model})
    trivial = [s.trivial for s in (joint.stretches[side] for side in sorted(sides - {at})) if s.trivial is not None]
    return (*(names[m] for m in models), *trivial)


def _alternatives(
    joint: JointHull, names: tuple[str, ...], model: int | None, stretch: Stretch, condition: Condition, *, known: bool
) -> tuple[Alternative, ...]:
    points: list[tuple[str, float, float, float]] = []
    hidden: dict[str, float] = {}
    for m, curve in enumerate(joint.curves):
        if m != model and (point := _best_inner(curve, condition.t)) is not None:
            points.append((names[m], *point))
            better = None if curve.exact else _best_inner(curve._optimistic, condition.t)
            if better is not None:
                hidden[names[m]] = condition.normalised_cost(*better[1:])
    points += [(ALWAYS_NEGATIVE, np.inf, 0.0, 0.0), (ALWAYS_POSITIVE, -np.inf, 1.0, 1.0)]
    least = condition.normalised_cost(stretch.fpr, stretch.tpr)
    rivals = []
    for name, cut, fpr, tpr in points:
        if name == stretch.trivial:
            continue
        gap = condition.t * (fpr - stretch.fpr) + condition.pcf * (stretch.tpr - tpr)
        extra = gap if gap > _ROUNDING else 0.0  # nothing is cheaper than the decision
        cost = condition.expected_cost(fpr, tpr) if known else None
        more = extra * (condition.worst_cost - condition.best_cost) if known else None
        low = max(hidden.get(name, math.inf) - least, 0.0)
        rivals.append(
            Alternative(name, cut, fpr, tpr, least + extra, cost, extra, more, low if extra - low > _ROUNDING else None)
        )
    return tuple(sorted(rivals, key=lambda rival: rival.extra))


def _best_inner(curve: RocCurve, t: float) -> tuple[float, float, float] | None:
    """Return threshold, fpr and tpr of the cheapest point that flags somebody but not everybody."""
    best = int(curve._best_vertex(np.asarray(t)))
    hull = curve.hull
    if 0 < best < len(hull) - 1:
        return float(hull.thresholds[best]), float(hull.fpr[best]), float(hull.tpr[best])
    inner = np.flatnonzero(((curve.fpr > 0) | (curve.tpr > 0)) & ((curve.fpr < 1) | (curve.tpr < 1)))
    if inner.size == 0:
        return None
    cost = t * curve.fpr[inner] + (1 - t) * (1 - curve.tpr[inner])
    i = inner[int(np.argmin(cost))]
    return float(curve.thresholds[i]), float(curve.fpr[i]), float(curve.tpr[i])


def _drift(span: TRange, condition: Condition | None) -> Drift:
    if condition is None:
        return Drift(span, None, None)
    return Drift(span, drift_of_cost_ratio(span, condition), drift_of_prevalence(span, condition))


def _over(joint: JointHull, names: tuple[str, ...], over: Conditions, fixed: Choice) -> dict[str, Any]:
    means = [
        ModelCost(name, envelope(curve).expectation(over)) for name, curve in zip(names, joint.curves, strict=True)
    ]
    perfect = envelope(joint.hull).expectation(over)
    return {
        "conditions": over,
        "rechosen": tuple(sorted(means, key=lambda model: model.mean)),
        "information": max(float(fixed.normalised_cost or 0.0) - perfect, 0.0),
        "in_units": _in_units(joint, names, over, fixed),
    }


def stakes(over: Conditions) -> tuple[float, float] | None:
    """Return what false alarms and misses cost on average if every case is wrong, in the unit of the costs; None if that is not known.

    With W the worst cost that goes with t they are E[W·t] and E[W·(1-t)], and a fixed choice costs the first times its fpr plus the
    second times 1-tpr.
    """
    worst = over.worst_cost
    if worst is None:
        return None

    def weighed(t: Floats) -> Floats:
        return np.asarray(worst(t) if callable(worst) else worst)

    none = np.empty(0)
    return (
        float(over.density.expect(lambda t: weighed(t) * t, none)),
        float(over.density.expect(lambda t: weighed(t) * (1 - t), none)),
    )


def _in_units(joint: JointHull, names: tuple[str, ...], over: Conditions, fixed: Choice) -> Alternative | None:
    """Return the fixed choice with the lowest expected cost in the unit of the costs; None if that is not known."""
    known = stakes(over)
    if known is None:
        return None
    alarms, misses = known
    at = joint.at(alarms / (alarms + misses))
    stretch = joint.stretches[at]
    model = None if stretch.trivial is not None else joint.run_at(at).models[0]
    name = str(stretch.trivial) if model is None else names[model]
    cost, own = (alarms * point.fpr + misses * (1 - point.tpr) for point in (stretch, fixed))
    mean = Condition.from_t(over.mean).normalised_cost(stretch.fpr, stretch.tpr)
    return Alternative(
        name, threshold_at(joint, stretch, model), stretch.fpr, stretch.tpr, mean, cost,
        max(mean - float(fixed.normalised_cost or 0.0), 0.0), min(cost - own, 0.0),
    )  # fmt: skip

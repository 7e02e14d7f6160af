"""How sure a decision is: the same resamples of the cases for every model, and who is cheapest on each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from isocost import validate
from isocost.conditions.ranges import Pair
from isocost.decision.cautions import backwards
from isocost.decision.decision import Alternative, Decision
from isocost.decision.surety import Surety, grade_of
from isocost.engines.cases import Cases
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.drawing import bootstrap
from isocost.resampling.replicates import JUDGES_OF_TWO
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE, TRIVIAL_NAMES
from isocost.validate import Floats

# What two equal costs in [0, 1] may come out as.
_ROUNDING = 64 * float(np.finfo(np.float64).eps)


def assured(
    decision: Decision,
    curves: Sequence[RocCurve],
    rows: Cases | None,
    *,
    n_resamples: int,
    level: float,
    rng: int | np.random.Generator | None = None,
) -> Decision:
    """Return the decision with how sure it is, and with intervals of its alternatives and of what leaving present practice saves.

    Without limits, method or present rule each model has the best threshold of each resample, corrected for the optimism of choosing on
    the same cases. With any of them the rules stay what they are, and only the cases change.
    """
    total = validate.whole(n_resamples, "n_resamples", low=0)
    why = _unknown(decision, rows, total)
    if why:
        return replace(decision, surety=Surety.unknown(why))
    assert rows is not None  # noqa: S101 - looked at above
    costs = _Costs.of(decision, rows, total, _seed(rng))
    own = costs.of_rule(str(decision.model))
    least = np.min([costs.of_rule(name) for name in costs.names], axis=0)
    cheapest = own <= least + _ROUNDING
    share = float(np.mean(cheapest))
    behind = costs.in_unit(own - least)
    found = Surety(
        grade_of(share, level), share, total, level, _middle(costs.total(own), level),
        max(float(behind.mean()), 0.0), max(float(np.quantile(behind, (1 + level) / 2)), 0.0),
    )  # fmt: skip
    doubts = [f"The scores of {name} rank backwards." for name in backwards(curves, decision.model)]
    rivals = tuple(_rival(a, costs, own, least, level) for a in decision.alternatives)
    return replace(
        decision, surety=found.doubted(*doubts), alternatives=rivals, current=_current(decision, costs, own, level)
    )


def _unknown(decision: Decision, rows: Cases | None, total: int) -> str:
    if total == 0:
        return "No resamples were drawn: ask for n_resamples=200 (command: --resamples 200)."
    if rows is None:
        return "Resampling needs the cases: compare scores, not curves or counts."
    few = min(int(np.count_nonzero(rows.positive)), int(np.count_nonzero(~rows.positive)))
    if few < 2:
        return "A class has a single case: nothing tells how it varies."
    if decision.normalised_cost is None:
        return "No costs are given, so no model is cheapest."
    return ""


def _seed(rng: int | np.random.Generator | None) -> int:
    """Return one seed for all rules, so that they are resampled together."""
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**62))
    return 0 if rng is None else validate.whole(rng, "rng", low=0)


class _Costs:
    """Normalised costs of every rule on each resample, at the one condition that prices the decision."""

    def __init__(self, decision: Decision, by_name: dict[str, Floats], size: int) -> None:
        self.decision, self.by_name, self.size = decision, by_name, size
        pricing = decision.asked.pricing
        assert pricing is not None  # noqa: S101 - without costs nothing is resampled
        self.pricing = pricing

    @classmethod
    def of(cls, decision: Decision, rows: Cases, total: int, seed: int) -> _Costs:
        asked = decision.asked
        pricing = asked.pricing
        assert pricing is not None  # noqa: S101 - without costs nothing is resampled
        pcf = pricing.condition.pcf
        cases = rows.to_resample("pooled")
        options: dict[str, Any] = {"n_resamples": total, "rng": seed, "grid": [pcf], "progress": False}
        free = (
            asked.method == "best" and not asked.limits.given and asked.aim == "cheapest" and decision.current is None
        )
        found: dict[str, Floats] = {}
        if free:
            boot = bootstrap(**cases, **options)
            found = {name: _corrected(boot, name, pcf) for name in boot.names}
        else:
            rules = {a.model: a for a in decision.alternatives if a.rule} | {str(decision.model): decision}
            for name, rule in rules.items():
                if name in rows.scores:
                    found[name] = _of_rule(cases, name, rule, pcf, options)
            if decision.current is not None:
                now = decision.current
                found[""] = _at(cases, now.model, now.threshold, options)
        found[ALWAYS_NEGATIVE], found[ALWAYS_POSITIVE] = np.full(total, pcf), np.full(total, 1 - pcf)
        listed = {a.model for a in decision.alternatives if a.rule} | {str(decision.model)}
        for name in TRIVIAL_NAMES:
            if name not in listed:
                del found[name]
        return cls(decision, found, total)

    @property
    def names(self) -> list[str]:
        """The rules that were to choose from."""
        return [name for name in self.by_name if name]

    def of_rule(self, name: str) -> Floats:
        return self.by_name[name]

    def in_unit(self, cost: Floats) -> Floats:
        return np.asarray(cost * self.pricing.unit_cost)

    def total(self, cost: Floats) -> Floats:
        base = self.pricing.condition.best_cost if self.pricing.has_unit else 0.0
        return np.asarray(base + self.in_unit(cost))


def _corrected(boot: Bootstrap, name: str, pcf: float) -> Floats:
    """Return costs of a model with the best threshold of each resample, the optimism of choosing on it taken out."""
    values = boot._models[name].values("best", np.array([pcf]), judges=JUDGES_OF_TWO)
    return np.asarray(values[:, 0])


def _of_rule(
    cases: dict[str, Any], name: str, rule: Decision | Alternative, pcf: float, options: dict[str, Any]
) -> Floats:
    """Return costs of a rule that stays what it is."""
    size = options["n_resamples"]
    rates = (rule.fpr, rule.tpr)
    if rates in ((0.0, 0.0), (1.0, 1.0)):
        return np.full(size, pcf if rates == (0.0, 0.0) else 1 - pcf)
    first = _at(cases, name, float(rule.threshold if rule.threshold is not None else math.nan), options)
    if rule.other_threshold is None:
        return first
    second = _at(cases, name, rule.other_threshold, options)
    share = float(rule.other_probability or 0.0)
    return np.asarray((1 - share) * first + share * second)


def _at(cases: dict[str, Any], name: str, threshold: float, options: dict[str, Any]) -> Floats:
    """Return costs of one threshold; the same resamples every time, because they depend on the seed alone."""
    alone = cases | {"scores": {name: cases["scores"][name]}}
    boot = bootstrap(**alone, **options, fixed=threshold)
    return np.asarray(boot._models[name].own[:, 0])


def _middle(values: Floats, level: float) -> Pair:
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return low, high


def _rival(rival: Alternative, costs: _Costs, own: Floats, least: Floats, level: float) -> Alternative:
    if rival.model not in costs.by_name:
        return rival
    cost = costs.of_rule(rival.model)
    return replace(
        rival, share=float(np.mean(cost <= least + _ROUNDING)), interval=_middle(costs.total(cost), level),
        extra_interval=_middle(costs.in_unit(cost - own), level),
    )  # fmt: skip


def _current(decision: Decision, costs: _Costs, own: Floats, level: float) -> Any:
    now = decision.current
    if now is None or now.saving is None:
        return now
    return replace(now, saving_interval=_middle(costs.in_unit(costs.by_name[""] - own), level))

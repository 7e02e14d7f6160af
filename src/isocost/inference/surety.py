"""How sure a decision is: the same resamples of the cases for every model, and who is cheapest on each."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from isocost import validate
from isocost.conditions.ranges import Pair
from isocost.counts.joint_cases import JointCases
from isocost.decision.cautions import backwards
from isocost.decision.choice import Choice
from isocost.decision.decision import Alternative, Decision
from isocost.decision.present import Current
from isocost.decision.pricing import Pricing
from isocost.decision.review_choice import ReviewChoice
from isocost.decision.review_terms import Terms
from isocost.decision.surety import LabelTerms, MoreLabels, Surety, grade_of
from isocost.engines.cases import Cases
from isocost.errors import FewCasesWarning
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.cost_bands import Within
from isocost.inference.drawing import bootstrap
from isocost.inference.effort import worthwhile
from isocost.inference.inside_blocks import saved_inside
from isocost.inference.label_value import Actions, valued
from isocost.results.progress import in_notebook
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE, TRIVIAL_NAMES
from isocost.validate import Floats

# What two equal costs in [0, 1] may come out as.
_ROUNDING = 64 * float(np.finfo(np.float64).eps)
_IN_USE = ""


def assured(
    decision: Decision,
    curves: Sequence[RocCurve],
    rows: Cases | JointCases | None,
    *,
    n_resamples: int | Literal["auto"],
    level: float,
    rng: int | np.random.Generator | None = None,
    boot: Bootstrap | None = None,
    labels: LabelTerms | None = None,
) -> Decision:
    """Return the decision with how sure it is, and with intervals of its alternatives and of what leaving present practice saves.

    Without limits, method, reviews or present rule each model has the best threshold of each resample, corrected for the optimism of
    choosing on the same cases. With any of them the rules stay what they are, and only the cases change. Resamples of scores counted
    together have thresholds at the ends of blocks; what those inside save on the data is taken off. `boot` saves resampling
    twice: the cases resampled already, with a condition of its grid for this decision.
    """
    # Of whatever came: an array has no one answer to the question whether it is "auto".
    chosen = isinstance(n_resamples, str) and n_resamples == "auto"
    total = worthwhile(rows) if chosen else validate.whole(n_resamples, "n_resamples", low=0)
    asked = decision.asked
    free = asked.method == "best" and asked.aim == "cheapest" and not asked.limits.given and asked.reviews is None
    free = free and decision.current is None
    why = _unknown(decision, rows, total, free=free)
    if why:
        return replace(decision, surety=Surety.unknown(why))
    assert rows is not None  # noqa: S101 - looked at above
    pricing = decision.asked.pricing
    assert pricing is not None  # noqa: S101 - the decision has a cost
    options: dict[str, Any] = {
        "n_resamples": total,
        "rng": _seed(rng),
        "grid": [pricing.condition.pcf],
        "progress": in_notebook(),
    }
    cases = rows.to_resample("pooled")
    if free and boot is None:
        boot = bootstrap(**cases, **options)
    found = (
        _kept(decision, cases, options)
        if not free or boot is None
        else _chosen_anew(boot, pricing, curves, decision.model)
    )
    costs = _Resampled(
        pricing, level, found.costs | _trivial(decision, pricing, total), found.loss, found.boot, found.saved
    )
    name = str(decision.model)
    share = costs.share(name)
    if why := _blurred(decision, costs, share):
        surety = Surety(None, None, total, level, costs.interval(name), doubts=(why,))
        alternatives = tuple(replace(_rival(a, costs, name), share=None) for a in decision.alternatives)
        return replace(decision, surety=surety, alternatives=alternatives)
    terms = LabelTerms() if labels is None else labels
    worth = valued(costs.actions(name), pricing, rows.labelled, terms, level=(1 + level) / 2)
    regret = worth.regret_now
    surety = Surety(
        grade_of(share, level), share, total, level, costs.interval(name), regret.expected / 1000, regret.worst / 1000,
        labels=MoreLabels(
            worth.labelled, worth.perfect, worth.tolerance, worth.enough, terms.cost_per_label, terms.cases
        ),
    )  # fmt: skip
    doubts = [f"The scores of {name} seem to run the wrong way." for name in backwards(curves, decision.model)]
    return replace(
        decision,
        surety=surety.doubted(*doubts),
        alternatives=tuple(_rival(a, costs, str(decision.model)) for a in decision.alternatives),
        current=_current(decision, costs),
    )


def _unknown(decision: Decision, rows: Cases | JointCases | None, total: int, *, free: bool) -> str:
    """Return why nothing can be said; empty if something can."""
    if rows is None:
        return "Resampling needs the cases. Compare scores, not curves or counts."
    if min(rows.sizes) < 2:
        return "A class has a single case, and nothing tells how it varies."
    if total == 0:
        return "No resamples were drawn. Draw some with n_resamples=200 (command: --resamples 200)."
    if isinstance(rows, JointCases) and not free:
        return "Rules kept on resamples need the cases, but scores counted together are known only up to their block."
    if decision.normalised_cost is None:
        return "No costs are given, so no model is cheapest."
    return ""


def _blurred(decision: Decision, costs: _Resampled, share: float) -> str:
    """Return what blocks of scores leave open about how sure it is; empty if they do not.

    What thresholds inside them save is known of the data only. As much more or less on a resample must not change the grade.
    """
    if any(a.extra_low is not None and a.extra_low < 0 for a in decision.alternatives):
        return "Scores are known only up to their block, and blocks leave open which model is cheapest."
    if grade_of(costs.share_at_worst(str(decision.model)), costs.level) != grade_of(share, costs.level):
        return "Scores are known only up to their block, and blocks are too wide to tell."
    return ""


def _seed(rng: int | np.random.Generator | None) -> int:
    """Return one seed for all rules, so that they are resampled together."""
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**62))
    return 0 if rng is None else validate.whole(rng, "rng", low=0)


@dataclass(frozen=True, eq=False)
class _Found:
    """Normalised costs of the models on each resample, what chosen thresholds lose, where bands come from, and what blocks blur."""

    costs: dict[str, Floats]
    loss: dict[str, float]
    boot: Bootstrap | None = None
    saved: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Resampled:
    """Normalised costs of every rule on the same resamples, at the one condition that prices the decision."""

    pricing: Pricing
    level: float
    costs: dict[str, Floats]
    loss: dict[str, float]
    boot: Bootstrap | None
    saved: dict[str, float]

    @property
    def least(self) -> Floats:
        """The lowest cost on each resample of those that were to choose from."""
        return np.asarray(np.min([cost for name, cost in self.costs.items() if name != _IN_USE], axis=0))

    def share(self, name: str) -> float:
        """Return on which share of the resamples a rule is cheapest, or costs the same."""
        return float(np.mean(self.costs[name] <= self.least + _ROUNDING))

    def share_at_worst(self, name: str) -> float:
        """Return the share if thresholds inside blocks saved this rule nothing, and others twice as much as on the data."""
        moved = {key: cost + (1 if key == name else -1) * self.saved.get(key, 0.0) for key, cost in self.costs.items()}
        return replace(self, costs=moved).share(name)

    def actions(self, today: str) -> Actions:
        """Return what there is to choose from."""
        names = [name for name in self.costs if name != _IN_USE]
        costs = np.stack([self.costs[name] for name in names])
        lost = np.array([self.loss.get(name, 0.0) for name in names])
        return Actions(names, costs, None, lost, names.index(today))

    def _middle(self, values: Floats) -> Pair:
        low, high = np.quantile(values, [(1 - self.level) / 2, (1 + self.level) / 2]).tolist()
        return low, high

    def interval(self, name: str) -> Pair:
        """Return limits for the expected cost of a rule: in the unit, or normalised if there is none."""
        base = self.pricing.condition.best_cost if self.pricing.has_unit else 0.0
        if self.boot is not None and name in self.boot.names:
            low, _, high = (float(end) for end in self.boot.band(name, self.level).at(self.pricing.condition.pcf))
        else:
            low, high = self._middle(self.costs[name])
        return base + self.pricing.unit_cost * low, base + self.pricing.unit_cost * high

    def _open(self, name: str) -> float:
        model = None if self.boot is None else self.boot._models.get(name)
        return 0.0 if model is None or model.slack is None else float(model.slack[0])

    def ahead(self, name: str, than: str) -> Pair:
        """Return limits for what a rule costs more than another, both on the same resamples."""
        if self.boot is not None and {name, than} <= set(self.boot.names):
            low, _, high = (
                float(e) for e in self.boot.difference(name, than, self.level).at(self.pricing.condition.pcf)
            )
        else:
            # From the ends of blocks on, widened by what the blocks leave open.
            ends = self.saved.get(name, 0.0) - self.saved.get(than, 0.0)
            low, high = self._middle(self.costs[name] - self.costs[than] + ends)
            low, high = low - self._open(name), high + self._open(than)
        return self.pricing.unit_cost * low, self.pricing.unit_cost * high


def _trivial(decision: Decision, pricing: Pricing, total: int) -> dict[str, Floats]:
    """Return the costs of the trivial classifiers that were to choose from: the same on every resample."""
    listed = {a.model for a in decision.alternatives if a.rule} | {str(decision.model)}
    pcf = pricing.condition.pcf
    known = {ALWAYS_NEGATIVE: pcf, ALWAYS_POSITIVE: 1 - pcf}
    return {name: np.full(total, known[name]) for name in TRIVIAL_NAMES if name in listed}


def _chosen_anew(boot: Bootstrap, pricing: Pricing, curves: Sequence[RocCurve], chosen: str | None) -> _Found:
    """Return costs with the best threshold of each resample, the optimism of choosing on it taken out; rivals at their best."""
    within = Within.of(boot.pcf, boot._models, pricing.condition)
    costs, loss, saved = {}, {}, {}
    for curve in curves:
        name = str(curve.name)
        model = within.models[name]
        saved[name] = float(saved_inside(model, curve, within.pcf, at_best=name != chosen)[0])
        costs[name], loss[name] = np.maximum(model.best[:, 0] - saved[name], 0.0), float(model.lost[0])
    return _Found(costs, loss, replace(boot, pcf=within.pcf, _models=within.models), saved)


def _kept(decision: Decision, cases: Mapping[str, Any], options: Mapping[str, Any]) -> _Found:
    """Return costs of rules that stay what they are; the same resamples each time."""
    rules: dict[str, Decision | Alternative] = {str(decision.model): decision}
    rules |= {a.model: a for a in decision.alternatives if a.rule}
    rules = {name: rule for name, rule in rules.items() if name in cases["scores"]}
    bands = {name: rule.review for name, rule in rules.items() if rule.review is not None}
    costs = _with_reviews(bands, cases, options) or _of_rules(rules, cases, options)
    if decision.current is not None:
        now = decision.current
        with _told():
            costs[_IN_USE] = _at(cases, {now.model: now.threshold}, options)[now.model]
    return _Found(costs, {})


def _with_reviews(
    bands: Mapping[str, ReviewChoice], cases: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, Floats]:
    """Return costs of bands that stay what they are, reviews included; nothing where no review can pay.

    The cost of a band is that of its two thresholds, each at a condition of its own: the same two for every model.
    """
    asked = next(iter(bands.values()), None)
    terms = None if asked is None else Terms(asked.condition, asked.reviewer_fpr, asked.reviewer_tpr)
    optima = None if terms is None or asked is None else terms.optima(asked.cost_review)
    if asked is None or terms is None or optima is None:
        return {}
    flag_fpr, flag_tpr, review_fpr, review_tpr = terms.weights(asked.cost_review)
    share = (flag_fpr + flag_tpr) / (flag_fpr + flag_tpr + review_fpr + review_tpr)
    flags = {name: band.flag_choice for name, band in bands.items()}
    outright = _of_rules(flags, cases, {**options, "grid": [1 - optima[0]]})
    with _told():
        reviews = {name: band.review_choice for name, band in bands.items()}
        reached = _of_rules(reviews, cases, {**options, "grid": [1 - optima[1]]})
    return {name: share * outright[name] + (1 - share) * reached[name] for name in bands}


def _of_rules(
    rules: Mapping[str, Choice | Alternative], cases: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, Floats]:
    """Return costs of rules on each resample, of a mixture as its parts are mixed."""
    firm = {name: rule for name, rule in rules.items() if (rule.fpr, rule.tpr) not in ((0.0, 0.0), (1.0, 1.0))}
    costs = _at(cases, {name: _cut(rule.threshold) for name, rule in firm.items()}, options)
    mixed = {name: rule for name, rule in firm.items() if rule.other_threshold is not None}
    pcf = options["grid"][0]
    with _told():
        others = {name: _cut(rule.other_threshold) for name, rule in mixed.items()}
        for name, other in _at(cases, others, options).items():
            share = float(mixed[name].other_probability or 0.0)
            costs[name] = (1 - share) * costs[name] + share * other
    for name, rule in rules.items():
        if name not in firm:  # a constant score
            costs[name] = np.full(options["n_resamples"], pcf if rule.fpr == 0 else 1 - pcf)
    return costs


@contextmanager
def _told() -> Iterator[None]:
    """Say nothing of few cases: that was said once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewCasesWarning)
        yield


def _cut(threshold: float | None) -> float:
    return np.nan if threshold is None else float(threshold)


def _at(cases: Mapping[str, Any], cuts: Mapping[str, float], options: Mapping[str, Any]) -> dict[str, Floats]:
    """Return costs of one threshold a model on each resample."""
    if not cuts:
        return {}
    # All models each time: which cases a resample draws depends on the order of the rows, and that on all scores.
    boot = bootstrap(**cases, **options, fixed=cuts)
    return {name: np.asarray(boot._models[name].own[:, 0]) for name in cuts}


def _rival(rival: Alternative, costs: _Resampled, chosen: str) -> Alternative:
    if rival.model not in costs.costs:
        return rival
    return replace(
        rival,
        share=costs.share(rival.model),
        interval=costs.interval(rival.model),
        extra_interval=costs.ahead(rival.model, chosen),
    )


def _current(decision: Decision, costs: _Resampled) -> Current | None:
    now = decision.current
    if now is None or now.saving is None:
        return now
    return replace(now, saving_interval=costs.ahead(_IN_USE, str(decision.model)))

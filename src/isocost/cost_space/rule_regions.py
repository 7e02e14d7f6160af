"""Which way of choosing the threshold is cheapest where: tune it, trust the scores, or flag a quota."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from isocost import validate
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.lowest import lowest
from isocost.cost_space.shares import Shares
from isocost.cost_space.threshold_choice import METHODS, Method, cost_curve
from isocost.errors import InputError
from isocost.results import Drawn, Result
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve

RULES: tuple[Method, ...] = ("best", "score_driven", "rate_driven", "score_uniform", "rate_uniform")
_IN_WORDS = {
    "best": "tuning the threshold",
    "score_driven": "trusting the scores",
    "rate_driven": "flagging a quota",
    "score_uniform": "a random threshold",
    "rate_uniform": "a random quota",
    "fixed": "keeping one threshold",
}


class Resampled(Protocol):
    """What `bootstrap` returns."""

    def band(self, name: str, *, target: Any) -> Any:
        """Return limits for the cost of a model."""


@dataclass(frozen=True)
class RuleRegion(Result):
    """A range of cost proportions over which one rule is cheapest.

    Attributes
    ----------
    rule : str
    low, high : float
        Cost proportions cost_fn/(cost_fn + cost_fp).
    tied : tuple of str
        Rules that cost the same throughout the range.
    """

    rule: str
    low: float
    high: float
    tied: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class RuleRegions(Drawn):
    """Which rule is cheapest at each cost proportion; build one with `rule_regions`.

    Attributes
    ----------
    regions : tuple of RuleRegion
        In ascending cost proportion; together they cover [0, 1].
    costs : dict of str to CostCurve
        What each rule costs, over cost proportions.
    shares : dict of str to float
        How much of [0, 1] each rule wins.
    left_out : dict of str to str
        Rules that cannot be used, and why.
    prevalence : float
    elsewhere : bool
        Whether thresholds were chosen on other cases than those they are priced on.
    optimism : float or None
        With resamples: how much more tuned thresholds really cost than they seem to on their own cases, averaged over cost
        proportions; `costs["best"]` holds what they really cost.
    model : str or None
    """

    _display = "CostDisplay"
    _items = "regions"

    regions: tuple[RuleRegion, ...]
    costs: dict[str, CostCurve]
    shares: dict[str, float]
    left_out: dict[str, str]
    prevalence: float
    elsewhere: bool
    model: str | None = None
    optimism: float | None = None

    @property
    def curves(self) -> list[CostCurve]:
        """The cost curves, for drawing."""
        return list(self.costs.values())

    def __str__(self) -> str:
        """Say which rule is cheapest for how much of the axis, and what the others cost more than tuning."""
        who = "" if self.model is None else f"{self.model}: "
        won = [f"{_IN_WORDS[rule]} on {100 * share:.3g} %" for rule, share in self.shares.items() if share > 0]
        said = f"{who}With {100 * self.prevalence:.4g} % positive, cheapest of the cost proportions: {', '.join(won)}."
        if "best" not in self.costs:
            return said
        tuned = self.costs["best"].area()
        more = [f"{_IN_WORDS[rule]} {curve.area() - tuned:.4f}" for rule, curve in self.costs.items() if rule != "best"]
        caution = "" if self.elsewhere else " Tuned on the same cases, it looks better than it is."
        if self.optimism is not None:
            caution = f" Tuning is counted at what it costs with this many cases, {self.optimism:.4f} more than it looks on its own."
        return f"{said} More than tuning, on average: {', '.join(more)}.{caution}" if more else said

    def __repr__(self) -> str:
        """Say which rule is cheapest up to where."""
        ends = ", ".join(f"{region.rule} to {region.high:.4g}" for region in self.regions)
        return f"<RuleRegions at prevalence {self.prevalence:.4g}: {ends}>"


@takes_curve()
def rule_regions(
    curve: RocCurve,
    *,
    prevalence: float | None = None,
    rules: Sequence[Method] = RULES,
    thresholds_from: RocCurve | None = None,
    resampled: Resampled | None = None,
) -> RuleRegions:
    """Return which way of choosing the threshold is cheapest at each cost proportion, exactly.

    Costs are polynomials between breaks, so the regions end at roots. On the cases they were tuned on, the best thresholds are never
    beaten: leave "best" out of the rules, or choose the thresholds on other cases with `thresholds_from`.

    Parameters
    ----------
    curve : RocCurve
    prevalence : float, optional
        Strictly between 0 and 1; the data's own by default.
    rules : sequence of str
        Methods of `cost_curve`; if two cost the same, the earlier gets the region. Methods that cannot be used with the curve are
        left out.
    thresholds_from : RocCurve, optional
        Choose the thresholds on this curve, of other cases scored by the same model.
    resampled : Bootstrap, optional
        Resamples of the model, under the name of the curve; "best" is then priced at what thresholds tuned on this many cases
        really cost.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2012), A unified view of performance metrics, JMLR 13:2813-2869.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
    >>> ic.rule_regions(curve, rules=("rate_driven", "score_uniform"))
    <RuleRegions at prevalence 0.4: rate_driven to 0.5773, score_uniform to 0.6117, rate_driven to 1>
    >>> print(ic.rule_regions(curve, rules=("score_driven", "rate_driven")))
    With 40 % positive, cheapest of the cost proportions: trusting the scores on 30 %, flagging a quota on 70 %.

    With resamples, tuned thresholds can lose on their own cases too:

    >>> from isocost.datasets import load_german_credit_predictions
    >>> y_true, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y_true, scores["random_forest"], name="random_forest")
    >>> resampled = ic.bootstrap(y_true, {"random_forest": scores["random_forest"]}, n_resamples=200)
    >>> found = ic.rule_regions(curve, rules=("best", "score_driven"), resampled=resampled)
    >>> found.shares["best"] < 1, round(found.optimism, 3)
    (True, 0.006)
    """
    named = validate.names(rules, "rule")
    for rule in named:
        validate.choice(rule, "rule", METHODS)
    if thresholds_from is not None and not isinstance(thresholds_from, RocCurve):
        raise InputError(f"thresholds_from must be a RocCurve, got {type(thresholds_from).__name__}")
    if thresholds_from is not None and resampled is not None:
        raise InputError(
            "thresholds of other cases are paid for as they are: give thresholds_from= or resampled=, not both"
        )
    pi = Shares.of(curve, "cost_proportion", prevalence).prevalence
    costs: dict[str, CostCurve] = {}
    left_out: dict[str, str] = {}
    for rule in named:
        try:
            costs[rule] = _named(curve, rule, prevalence, thresholds_from)
        except InputError as error:
            left_out[rule] = str(error)
    if not costs:
        reasons = "; ".join(f"{rule}: {why}" for rule, why in left_out.items())
        raise InputError(f"none of the rules can be used ({reasons})")
    optimism = None
    if resampled is not None and "best" in costs:
        flattery = _flattery(curve, pi, resampled)
        optimism, costs["best"] = flattery.area(), replace(costs["best"] + flattery, name="best")
    known = list(costs)
    regions = tuple(
        RuleRegion(known[found.which], found.low, found.high, tuple(known[i] for i in found.tied))
        for found in lowest(list(costs.values()))
    )
    shares = {rule: sum(region.high - region.low for region in regions if region.rule == rule) for rule in costs}
    return RuleRegions(regions, costs, shares, left_out, pi, thresholds_from is not None, curve.name, optimism)


def _flattery(curve: RocCurve, prevalence: float, resampled: Any) -> CostCurve:
    """Return how much more tuned thresholds really cost than on their own cases, straight between the conditions of the resamples."""
    if not hasattr(resampled, "band"):
        raise InputError(f"resampled must be what bootstrap() returns, got {type(resampled).__name__}")
    if curve.name is None:
        raise InputError("resampled= needs the name of the model: build the curve with name=")
    band = resampled.band(curve.name, target="chosen")
    more = band.centre - band.apparent
    return CostCurve.from_values(band.pcf, more[:-1], more[1:])._on_axis("cost_proportion", prevalence=prevalence)


def _named(curve: RocCurve, rule: Any, prevalence: float | None, thresholds_from: RocCurve | None) -> CostCurve:
    found = cost_curve(
        curve, method=rule, axis="cost_proportion", prevalence=prevalence, thresholds_from=thresholds_from
    )
    return replace(found, name=rule)

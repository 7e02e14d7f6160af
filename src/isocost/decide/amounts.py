"""Costs that differ from case to case: amounts at stake, the threshold and the model of lowest cost in them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.conditions import Condition, Conditions
from isocost.curves import RocCurve
from isocost.curves.roc import choice_at
from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.data.frames import is_lazy
from isocost.decide.choice import ALWAYS_NEGATIVE, ALWAYS_POSITIVE
from isocost.decide.say import in_brackets, say
from isocost.errors import ConditionError, InputError
from isocost.results import Columns, Result, data_of, plain, stacked

_OUTCOMES = ("cost_fp", "cost_fn", "cost_tp", "cost_tn")


@dataclass(frozen=True, repr=False)
class AmountChoice(Result):
    """A threshold and what it costs when each case has its own costs.

    Attributes
    ----------
    threshold : float
        Flag a case when its score ≥ it; inf flags nobody, -inf everybody.
    total, per_case : float
        Cost of all cases together and per case, in the unit of the costs, with misses counted `multiplier` times.
    savings, flagged : float
        1 - total/(total of the cheaper trivial classifier), 1 at most where correct decisions cost nothing; share of all cases.
    amount_caught, amount_alarmed : float
        Share of what misses could cost that is caught, and of what false alarms could cost that is spent on them: tpr and fpr of the
        curve of amounts.
    multiplier, multiplier_low, multiplier_high : float
        The multiplier at which the threshold was chosen, and the range over which it stays the cheapest.
    """

    threshold: float
    total: float
    per_case: float
    savings: float
    flagged: float
    amount_caught: float
    amount_alarmed: float
    multiplier: float
    multiplier_low: float
    multiplier_high: float

    @property
    def rule(self) -> str:
        """What to do, in words."""
        return say("amount_rule", self.reported())

    @property
    def is_trivial(self) -> bool:
        """Whether it flags nobody, or everybody; where a score is infinite, "≥ ∞" flags some cases."""
        return self.flagged == 0 or self.threshold == -math.inf

    def reported(self) -> dict[str, Any]:
        """Return what sentences are made of."""
        return {**plain(self._data()), "trivial": self.is_trivial}

    def __str__(self) -> str:
        return say("amount_choice", self.reported())

    __repr__ = in_brackets


@dataclass(frozen=True, repr=False)
class AmountDecision(Result):
    """The cheapest of several models when each case has its own costs.

    Attributes
    ----------
    choices : dict of str to AmountChoice
    flag_nobody, flag_everybody : float
        Cost per case of each, in the unit of the costs.
    unit : str
    """

    choices: dict[str, AmountChoice]
    flag_nobody: float
    flag_everybody: float
    unit: str = ""

    @property
    def choice(self) -> AmountChoice:
        """The cheapest threshold: that of `model`, or a trivial one."""
        return min(self.choices.values(), key=lambda choice: choice.total)

    @property
    def model(self) -> str | None:
        """The cheapest model; None if the best it can do is to flag everybody or nobody."""
        best = self.choice
        return None if best.is_trivial else next(name for name, one in self.choices.items() if one is best)

    def __str__(self) -> str:
        choice, model = self.choice, self.model
        trivial = {ALWAYS_POSITIVE: self.flag_everybody, ALWAYS_NEGATIVE: self.flag_nobody}
        extra = {name: found.per_case - choice.per_case for name, found in self.choices.items() if name != model}
        nearest = [] if model is None else sorted(extra, key=lambda name: extra[name])[:1]
        extra |= {name: cost - choice.per_case for name, cost in trivial.items()}
        saves = [{"model": name, "by": extra[name]} for name in (*nearest, *trivial) if extra[name] > 0]
        tied = [] if model is None else [name for name, more in extra.items() if more == 0]
        reported = choice.reported() | {"model": model, "saves": saves, "tied": tied}
        return say("amount_decision", reported, {"unit": self.unit})

    __repr__ = in_brackets

    def _columns(self) -> Columns:
        ranked = sorted(self.choices.items(), key=lambda item: item[1].total)
        return stacked({"model": name, **data_of(choice)} for name, choice in ranked)


@documented_by(see="Condition isocost.best_threshold")
@dataclass(frozen=True, eq=False, repr=False)
class RowCosts(Result):
    """What each outcome costs for each case, such as the amount of a transaction for a missed fraud; built by `from_columns`.

    A threshold costs what correct decisions cost, plus `cost_fp - cost_tn` for each flagged negative and `cost_fn - cost_tp` for each
    positive left alone: the cost of a ROC curve whose cases have these weights. So hulls, winners, bands and reports work with
    `weights` as sample weights and `condition()` as the condition. The envelope runs over a factor of misses, the `multiplier`.

    Attributes
    ----------
    positive, cost_fp, cost_fn, cost_tp, cost_tn : ndarray
        Of each case.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17:973-978.
    Bahnsen, Aouada & Ottersten (2015), Expert Systems with Applications 42:6609-6619, doi:10.1016/j.eswa.2015.04.042.

    Examples
    --------
    >>> fraud, score, amount = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2], [10, 500, 80, 40, 20, 900]
    >>> costs = ic.RowCosts.from_columns(fraud, cost_fp=5, cost_fn=amount, cost_tp=5)
    >>> costs
    <RowCosts: 6 cases, 535 at stake in misses, 15 in false alarms, 15 unavoidable>
    >>> costs.best_threshold(score)
    <AmountChoice: flag cases with score ≥ 0.6: 3.33 per case; catches 100 % of the amount at stake with 67 % of cases flagged; ...>
    """

    positive: Bools
    cost_fp: Floats
    cost_fn: Floats
    cost_tp: Floats
    cost_tn: Floats
    # The labels as given, whose index scores and decisions must have.
    _labels: Any = field(default=None, repr=False, metadata={"rows": True})

    @classmethod
    def from_columns(
        cls,
        y_true: ArrayLike,
        *,
        cost_fp: ArrayLike,
        cost_fn: ArrayLike,
        cost_tp: ArrayLike = 0.0,
        cost_tn: ArrayLike = 0.0,
        pos_label: Any = None,
    ) -> RowCosts:
        """Return the costs of each case; a number is that of every case, and a gain is negative.

        Being wrong must not be cheaper than being right for any case of the class it concerns, nor cost the same for all of them.
        """
        given = dict(zip(_OUTCOMES, (cost_fp, cost_fn, cost_tp, cost_tn), strict=True))
        if any(is_lazy(column) for column in (y_true, *given.values())):
            raise InputError(
                "RowCosts needs the rows in memory: on an engine, give what is at stake in each case as weight="
            )
        positive = checks.labels(y_true, pos_label)
        checks.aligned(y_true=y_true, **given)
        columns = {name: checks.numbers(values, name) for name, values in given.items()}
        for name, values in columns.items():
            columns[name] = np.full(positive.size, values[0]) if np.ndim(given[name]) == 0 else values
            checks.same_length(**{"y_true": positive, name: columns[name]})
        costs = cls(positive, **columns, _labels=y_true)
        checks.weights(costs.weights, positive, "what being wrong costs more than being right")
        return costs

    @property
    def weights(self) -> Floats:
        """How much more the wrong decision costs than the right one for each case, given its label: the sample weights of the curve."""
        return np.where(self.positive, self.cost_fn - self.cost_tp, self.cost_fp - self.cost_tn)

    @property
    def at_stake(self) -> tuple[float, float]:
        """What false alarms and misses could cost in total: the sums of the weights of each class."""
        return float(self.weights[~self.positive].sum()), float(self.weights[self.positive].sum())

    @property
    def unavoidable(self) -> float:
        """What correct decisions about all cases cost."""
        return float(np.where(self.positive, self.cost_tp, self.cost_tn).sum())

    def condition(self, multiplier: float = 1.0) -> Condition:
        """Return the condition that goes with `weights`, misses counted `multiplier` times: expected costs are per unit at stake."""
        alarms, misses = self.at_stake
        factor = checks.positive(multiplier, "multiplier", error=ConditionError)
        return Condition(1.0, factor, misses / (misses + alarms))

    def per_case(self, multiplier: float = 1.0) -> Condition:
        """Return the same condition in the unit of the costs: with `weights`, its expected cost is the mean cost of a case."""
        at, base = self.condition(multiplier), self.unavoidable / len(self)
        stake = float(self.weights.sum()) / len(self)
        return Condition(base + stake, base + at.cost_fn * stake, at.prevalence, cost_tp=base, cost_tn=base)

    def conditions(self, multiplier: tuple[float, float]) -> Conditions:
        """Return the conditions of a range of multipliers, for `condition=`."""
        alarms, misses = self.at_stake
        return Conditions.from_costs(cost_fp=1.0, cost_fn=multiplier, prevalence=misses / (misses + alarms))

    def curve(self, y_score: ArrayLike, *, name: str | None = None) -> RocCurve:
        """Return the ROC curve of amounts: fpr and tpr are shares of what is at stake, not of cases."""
        scores = self._scores(y_score)
        return RocCurve.from_scores(self.positive, scores, sample_weight=self.weights, name=name)

    def _scores(self, y_score: ArrayLike) -> NDArray[Any]:
        checks.aligned(y_true=self._labels, y_score=y_score)
        scores = checks.scores(y_score)
        checks.same_length(y_true=self.positive, y_score=scores)
        return scores

    def cost(self, flagged: ArrayLike, *, multiplier: float = 1.0) -> float:
        """Return what decisions such as ``score >= threshold`` cost in total, with misses counted `multiplier` times."""
        checks.aligned(y_true=self._labels, flagged=flagged)
        _, reported = checks.predictions(self.positive, flagged)
        factor = checks.positive(multiplier, "multiplier", error=ConditionError)
        alarms = float(self.weights[reported & ~self.positive].sum())
        misses = float(self.weights[~reported & self.positive].sum())
        return self.unavoidable + alarms + factor * misses

    def savings(self, flagged: ArrayLike, *, multiplier: float = 1.0) -> float:
        """Return 1 - cost/(cost of the cheaper trivial classifier); higher is better, 0 for a trivial one, at most 1 without gains."""
        trivial = min(self._trivial(multiplier))
        if not trivial > 0:
            raise InputError(
                f"savings are relative to the cheaper trivial classifier, which costs {trivial:g}: compare cost() instead"
            )
        return 1 - self.cost(flagged, multiplier=multiplier) / trivial

    def _trivial(self, multiplier: float) -> tuple[float, float]:
        """Return what flagging nobody and flagging everybody cost."""
        every = np.ones_like(self.positive)
        return self.cost(~every, multiplier=multiplier), self.cost(every, multiplier=multiplier)

    def gain(self, probability: ArrayLike) -> Floats:
        """Return what flagging each case is expected to save: p·(cost_fn - cost_tp) - (1-p)·(cost_fp - cost_tn).

        It is a score with threshold 0 if the probabilities are calibrated; it needs costs that are known when the decision is made.
        """
        p = checks.probabilities(np.asarray(self._scores(probability), dtype=np.float64), "gain")
        return p * (self.cost_fn - self.cost_tp) - (1 - p) * (self.cost_fp - self.cost_tn)

    def best_threshold(self, y_score: ArrayLike, *, multiplier: float = 1.0) -> AmountChoice:
        """Return the threshold with the lowest total cost, misses counted `multiplier` times; of equals, the one that flags fewer cases."""
        factor = checks.positive(multiplier, "multiplier", error=ConditionError)
        curve = self.curve(y_score)
        return self._choice(curve, self._scores(y_score), choice_at(curve, self.condition(factor).t), factor)

    def decide(self, scores: Mapping[str, ArrayLike], *, multiplier: float = 1.0, unit: str = "") -> AmountDecision:
        """Return the cheapest of several models (name to scores), each with its best threshold; the first of those that cost the same.

        Examples
        --------
        >>> costs = ic.RowCosts.from_columns([1, 0, 1, 0], cost_fp=10, cost_fn=[200, 0, 15, 0])
        >>> print(costs.decide({"a": [0.9, 0.7, 0.5, 0.1], "b": [0.9, 0.6, 0.5, 0.7]}))
        Use a: flag cases with score ≥ 0.5. It costs 2500 per 1000 cases: 1250 less than b, the next best, 2500 less than ...
        """
        named = checks.some(checks.by_name(scores), "scores", "name at least one model")
        checks.names(named, "model")
        found = {name: self.best_threshold(values, multiplier=multiplier) for name, values in named.items()}
        nobody, everybody = (cost / len(self) for cost in self._trivial(multiplier))
        return AmountDecision(found, nobody, everybody, checks.text(unit, "unit"))

    def envelope(self, y_score: ArrayLike) -> list[AmountChoice]:
        """Return every threshold that is cheapest at some multiplier, each at the geometric middle, or the finite end, of its range."""
        curve, scores, found = self.curve(y_score), self._scores(y_score), []
        for vertex in range(len(curve.hull)):
            low, high = self._range(curve, vertex)
            if low < high:
                middle = math.sqrt(low * high) if low > 0 and math.isfinite(high) else low if low > 0 else high
                found.append(self._choice(curve, scores, vertex, middle if math.isfinite(middle) else 1.0))
        return found

    def _range(self, curve: RocCurve, vertex: int) -> tuple[float, float]:
        """Return the multipliers at which a vertex of the hull is cheapest."""
        alarms, misses = self.at_stake
        ends = np.concatenate([[0.0], curve.switches, [1.0]])[::-1][vertex : vertex + 2].tolist()
        low, high = (math.inf if t == 0 else alarms * (1 - t) / (t * misses) for t in ends)
        return low, high

    def _choice(self, curve: RocCurve, scores: NDArray[Any], vertex: int, multiplier: float) -> AmountChoice:
        threshold = float(curve.hull.thresholds[vertex])
        # Nobody is flagged at the first vertex, though a score may be infinite.
        flagged = scores >= threshold if vertex else np.zeros(scores.size, dtype=np.bool_)
        total, trivial = self.cost(flagged, multiplier=multiplier), min(self._trivial(multiplier))
        return AmountChoice(
            -math.inf if flagged.all() else threshold, total, total / scores.size, 1 - total / trivial if trivial > 0 else math.nan,
            float(flagged.mean()), float(curve.hull.tpr[vertex]), float(curve.hull.fpr[vertex]), multiplier, *self._range(curve, vertex),
        )  # fmt: skip

    def __len__(self) -> int:
        return int(self.positive.size)

    def __repr__(self) -> str:
        alarms, misses = self.at_stake
        return (
            f"<RowCosts: {len(self)} cases, {misses:.6g} at stake in misses, {alarms:.6g} in false alarms, "
            f"{self.unavoidable:.6g} unavoidable>"
        )

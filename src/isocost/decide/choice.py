"""Choice: one rule, what it does, what it costs, and what uncertain conditions leave open about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from isocost.conditions import Pair
from isocost.decide.question import TIE, Question, weights
from isocost.decide.rules import EVERYBODY, NOBODY, Ints, Rules
from isocost.decide.say import WORDS, in_brackets, say
from isocost.results import Result, plain

ALWAYS_NEGATIVE, ALWAYS_POSITIVE = "always-negative", "always-positive"
TRIVIAL = {NOBODY: ALWAYS_NEGATIVE, EVERYBODY: ALWAYS_POSITIVE}
# Integrated exactly is the first of these that is uncertain: the cost ratio moves the choice most.
EXACT_FIRST = ("t", "cost_fn", "cost_fp", "cost_tp", "cost_tn", "prevalence")
# How many nodes stand for each uncertain quantity beside the one that is integrated exactly, by how many there are.
NODES = (1, 32, 32, 12, 8, 6)
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
    t, cost_ratio, prevalence : (low, high) or None
        The share of the worst cost that false alarms carry; how many false alarms a miss costs; the share of positives, within the limits
        of the question. None where that is not known, or for a mixture.
    """

    t: Pair
    cost_ratio: Pair | None = None
    prevalence: Pair | None = None

    def __str__(self) -> str:
        return say("drift_alone", {"threshold_drift": plain(self._data())})


@dataclass(frozen=True, repr=False, kw_only=True)
class Choice(Result):
    """An operating point to deploy, and what it does and costs.

    Attributes
    ----------
    model : str or None
    rule : {"nobody", "everybody", "score", "mix", "band", "point"}
        Flag nobody, everybody, scores from a threshold on; mix two rules at random; have a person look at a band of scores; or a point
        that has no threshold.
    threshold, below : float
        A case is flagged when its score is at least the threshold, and every threshold above the next lower score flags the same cases.
        +inf flags nobody, NaN if the point has none; −inf if no lower score is known.
    fpr, tpr : float
    flagged, precision : float or None
        Share of all cases flagged, and share of these that are positive; None where the prevalence is unknown or nobody is flagged.
    expected_cost, normalised_cost : float or None
        Per case in the unit of the costs, and as a share of the cost of being always wrong; on average over uncertain conditions.
    one, other, share : Choice or None, Choice or None, float or None
        The rules of a mixture, of which the second is followed with probability `share`.
    review, fit : Band or None, {"smooth", "steps"} or None
        Which cases a person looks at; with method="smooth" whether a smooth risk curve set the threshold, or the cases as they are.
    threshold_drift : Drift or None
        How far the condition may move before another threshold is better.
    words : dict of str to str

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
    words: dict[str, str] = field(default_factory=WORDS.copy, metadata={"data": False})

    @property
    def per_1000(self) -> float | None:
        """Expected cost of 1000 cases in the unit of the costs; None without one."""
        return None if self.expected_cost is None else 1000 * self.expected_cost

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data, and the rule in words as `text`."""
        return rule_data(self) | {"threshold_drift": plain(self.threshold_drift), "text": str(self)}

    def __str__(self) -> str:
        return say("choice", rule_data(self), self.words)

    __repr__ = in_brackets


@dataclass(frozen=True)
class Band(Result):
    """Flag outright, have a person look, or leave alone: the two rules at which flagging and reviewing begin.

    Attributes
    ----------
    flag_from, review_from : Choice
    reviewed, flagged : float
        Shares of all cases: seen by a person, flagged outright.
    fpr, tpr, expected_cost : float
        In the end, after review; the price of the reviews is included.
    saving, worth_up_to : float
        Against the best single threshold of the model, and the price above which no case should be reviewed.
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


@dataclass(frozen=True)
class ModelCost(Result):
    """Mean cost of a model whose threshold is chosen anew at each condition.

    Attributes
    ----------
    model : str
    mean : float
        Per case in the unit of the costs, or normalised if there is none.
    """

    model: str
    mean: float


@dataclass(frozen=True)
class Uncertain(Result):
    """What uncertain conditions leave open about a rule; costs are per case in the unit, or normalised if there is none.

    Attributes
    ----------
    mean_regret, worst_regret, worst_cost : float
        How much more the rule costs than the best one at each condition: on average, which is also what knowing the condition before
        choosing would save, and at most; and what it costs in the worst condition.
    worst_at : dict of str to float
        The condition of the worst regret; for a belief without ends, between the quantiles 0.01 and 0.99.
    safest, safest_regret : Choice or None, float
        The rule with the smallest worst regret, if it is another one, and that regret.
    rechosen : tuple of ModelCost
        What each model costs on average if its threshold follows the condition.
    limits_kept : (low, high) or None
        The prevalences at which the rule keeps its limits; None if it keeps them at all.
    """

    mean_regret: float
    worst_regret: float
    worst_at: dict[str, float]
    worst_cost: float
    safest: Choice | None
    safest_regret: float
    rechosen: tuple[ModelCost, ...]
    limits_kept: Pair | None = None


def rule_data(choice: Choice) -> dict[str, Any]:
    """Return what every rule has, as plain data: no sentence, and nothing of how far it holds."""
    values = {name: getattr(choice, name) for name in RULE}
    return {name: rule_data(v) if isinstance(v, Choice) else plain(v) for name, v in values.items()}


def described(rules: Rules, i: int, question: Question, band: Band | None = None) -> Choice:
    """Return a row of the table as a choice, with the reviews of its model if there are any."""
    m, j = int(rules.model[i]), int(rules.other[i])
    kind, fpr, tpr = _kind(rules, i), float(rules.fpr[i]), float(rules.tpr[i])
    a, b, c = question.weights
    reviewed = 0.0
    if band is not None and band.reviewed > 0:
        kind, fpr, tpr, reviewed = "band", band.fpr, band.tpr, band.reviewed
    amount = float(question.amount(fpr, tpr, reviewed)) if question.priced else None
    # One NaN for all, so that choices that hold the same are equal.
    cut = math.nan if math.isnan(rules.threshold[i]) else float(rules.threshold[i])
    by_method = kind == "score" and question.method in ("fixed", "score_driven")
    fit = None
    if question.method == "smooth" and m >= 0:
        fit = "steps" if rules.curves[m].smooth() is rules.curves[m] else "smooth"
    found = Choice(
        model=name_of(rules, m), rule=kind, fpr=fpr, tpr=tpr, flagged=question.flagged_of(fpr, tpr), threshold=cut,
        below=-math.inf if by_method else rules.below(i), precision=question.precision_of(fpr, tpr),
        expected_cost=amount + c if amount is not None and question.has_unit else None,
        normalised_cost=None if amount is None else amount / (a + b),
        review=band, fit=fit, words=question.words,
    )  # fmt: skip
    if j < 0:
        return found
    owner = int(rules.owners()[i])
    one, other = (described(rules, part, question) for part in (int(rules.one[i]), j))
    name = name_of(rules, owner if 0 <= owner < len(rules.curves) else m)
    return replace(found, model=name, share=float(rules.share[i]), one=one, other=other)


def _kind(rules: Rules, i: int) -> str:
    if rules.other[i] >= 0:
        return "mix"
    cut, nothing = rules.threshold[i], not (rules.fpr[i] or rules.tpr[i])
    own = "point" if math.isnan(cut) else "nobody" if cut == math.inf and nothing else "score"
    return {NOBODY: "nobody", EVERYBODY: "everybody"}.get(int(rules.model[i]), own)


def name_of(rules: Rules, m: int) -> str:
    """Return the name of a model, or of a trivial classifier."""
    return TRIVIAL[m] if m < 0 else rules.names[m]


def uncertain(rules: Rules, rows: Ints, i: int, question: Question) -> Uncertain:
    """Return what is open about row i among the rows that keep the limits."""
    corners, scale = question.corners, question.scale
    table = rules.only(rows)
    costs = np.array([table.cost(corner) for corner in corners])
    regret = costs - costs.min(axis=1)[:, None]
    worst = regret.max(axis=0)
    mine = int(np.flatnonzero(rows == i)[0])
    safest = table.first(np.arange(rows.size), [worst], TIE * scale)
    at = int(np.flatnonzero(regret[:, mine] >= worst[mine] - TIE * scale)[0])
    own = {m: rows[rules.model[rows] == m] for m in range(len(rules.curves)) if (rules.model[rows] == m).any()}
    low, high = rules.kept_while(question, i)
    mean = float(table.cost(question.mean)[mine]) - mean_least(rules, rows, question)
    regrets = (0.0 if cost <= TIE * scale else cost for cost in (mean, float(worst[mine]), float(worst[safest])))
    mean_regret, worst_regret, safest_regret = regrets
    other = bool(worst[safest] < worst[mine] - TIE * scale)
    return Uncertain(
        mean_regret, worst_regret, corners[at], float(costs[:, mine].max()),
        described(rules, int(rows[safest]), question) if other else None, safest_regret,
        tuple(ModelCost(rules.names[m], mean_least(rules, held, question)) for m, held in own.items()),
        (low, high) if question.has_unit and question.limits and (low, high) != (0.0, 1.0) else None,
    )  # fmt: skip


def mean_least(rules: Rules, rows: Ints, question: Question) -> float:
    """Return the mean over the conditions of the cost of the best rule at each: exact in one quantity, by nodes in the others."""
    vertices = rules.hull(rows)
    x, y, switch = rules.fpr[vertices], rules.tpr[vertices], rules.switches(vertices)
    quantities = question.quantities
    unsure = [n for n in EXACT_FIRST if n in quantities and quantities[n].low != quantities[n].high]
    exact, others = unsure[0], unsure[1:]
    nodes, weight = np.polynomial.legendre.leggauss(NODES[len(others)])
    grids = np.meshgrid(*(quantities[name].quantile((nodes + 1) / 2) for name in others), indexing="ij")
    shares = np.prod(np.meshgrid(*[weight / 2] * len(others), indexing="ij"), axis=0).ravel() if others else np.ones(1)
    values = {name: np.array([quantity.mean]) for name, quantity in quantities.items()}
    values |= {name: grid.ravel() for name, grid in zip(others, grids, strict=True)}
    low, high = (weights(values | {exact: np.array([v])}) for v in (0.0, 1.0))
    a0, b0, c0 = (np.broadcast_to(value, shares.size)[:, None] for value in low)
    a1, b1, c1 = (np.broadcast_to(v - u, shares.size)[:, None] for u, v in zip(low, high, strict=True))
    # Where the best vertex changes, for every node: t = s at (b0·s - a0·(1-s)) / (a1·(1-s) - b1·s), ascending.
    rising, q, s = exact in ("t", "cost_fp", "cost_tp"), quantities[exact], switch[None, :]
    over, under = b0 * s - a0 * (1 - s), a1 * (1 - s) - b1 * s
    never = np.where((over > 0) == rising, np.inf, -np.inf)  # t stays on one side of s
    change = np.divide(over, under, out=never, where=under != 0)
    change = np.maximum.accumulate(change[:, ::-1] if rising else change, axis=1)
    # The mass and the partial mean of the quantity between these values.
    ends = zip(q.parts(change), (1.0, q.mean), strict=True)
    mass, mean = (np.diff(np.pad(part, ((0, 0), (1, 1)), constant_values=(0.0, last)), axis=1) for part, last in ends)
    if rising:
        mass, mean = mass[:, ::-1], mean[:, ::-1]
    a, b = a0 * mass + a1 * mean, b0 * mass + b1 * mean
    return float(shares @ (a @ x + b @ (1 - y) + (c0 + c1 * q.mean)[:, 0]))

"""What uncertain conditions leave open about a rule: its regret, the safest rule, and what knowing the condition would save."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from isocost.conditions import Pair
from isocost.data.checks import Floats
from isocost.decide.question import TIE, Question, weights
from isocost.decide.rules import Ints, Rules
from isocost.results import Result

if TYPE_CHECKING:
    from isocost.decide.choice import Choice

# Integrated exactly is the first of these that is uncertain: the cost ratio moves the choice most.
EXACT_FIRST = ("t", "cost_fn", "cost_fp", "cost_tp", "cost_tn", "prevalence")
# How many nodes stand for each uncertain quantity beside the one that is integrated exactly, by how many there are.
NODES = (1, 32, 32, 12, 8, 6)
# Numbers worked on together, to save memory.
_AT_ONCE = 2**22


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
    mean_regret, worst_regret : float
        How much more the rule costs than the best one at each condition: on average, and at most. The mean is also what knowing the
        condition before choosing would save.
    worst_at : dict of str to float
        The condition of the worst regret; for a belief without ends, between the quantiles 0.01 and 0.99.
    worst_cost : float
        What the rule costs in the worst condition.
    safest : Choice or None
        The rule with the smallest worst regret, if it is another one.
    safest_regret : float
        The smallest worst regret.
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


def uncertain(rules: Rules, rows: Ints, i: int, question: Question) -> tuple[Uncertain, int | None]:
    """Return what is open about row i among the rows that keep the limits, and the row of the safest rule if it is another."""
    corners, scale = question.corners, question.scale
    table = rules.only(rows)
    costs = np.array([table.cost(corner) for corner in corners])
    regret = costs - costs.min(axis=1)[:, None]
    worst = regret.max(axis=0)
    mine = int(np.flatnonzero(rows == i)[0])
    safest = table.first(np.arange(rows.size), [worst], scale)
    at = int(np.flatnonzero(regret[:, mine] >= worst[mine] - TIE * scale)[0])
    own = {m: rows[rules.model[rows] == m] for m in range(len(rules.curves)) if (rules.model[rows] == m).any()}
    low, high = rules.kept_while(question, i)
    mean = float(table.cost(question.mean)[mine]) - mean_least(rules, rows, question)
    other = bool(worst[safest] < worst[mine] - TIE * scale)
    found = Uncertain(
        _none(mean, scale), _none(float(worst[mine]), scale), corners[at], float(costs[:, mine].max()), None,
        _none(float(worst[safest]), scale),
        tuple(ModelCost(rules.names[m], mean_least(rules, held, question)) for m, held in own.items()),
        (low, high) if question.has_unit and question.limits and (low, high) != (0.0, 1.0) else None,
    )  # fmt: skip
    return found, int(rows[safest]) if other else None


def mean_least(rules: Rules, rows: Ints, question: Question) -> float:
    """Return the mean over the conditions of the cost of the best rule at each: exact in one quantity, by nodes in the others.

    The best vertex of the hull changes where t = a/(a + b) is a switch. Both weights are linear in the exact quantity.
    """
    vertices = rules.hull(rows)
    x, y, switch = rules.fpr[vertices], rules.tpr[vertices], rules.switches(vertices)
    quantities = question.quantities
    unsure = [n for n in EXACT_FIRST if n in quantities and quantities[n].low != quantities[n].high]
    exact, others = unsure[0], unsure[1:]
    nodes, weight = np.polynomial.legendre.leggauss(NODES[len(others)])
    grids = np.meshgrid(*(quantities[name].quantile((nodes + 1) / 2) for name in others), indexing="ij")
    shares = np.prod(np.meshgrid(*[weight / 2] * len(others), indexing="ij"), axis=0).ravel() if others else np.ones(1)
    rising = exact in ("t", "cost_fp", "cost_tp")
    total, some = 0.0, max(1, _AT_ONCE // (switch.size + 1))
    for start in range(0, shares.size, some):
        part = slice(start, start + some)
        values = {name: np.array([quantity.mean]) for name, quantity in quantities.items()}
        values |= {name: grid.ravel()[part] for name, grid in zip(others, grids, strict=True)}
        first, second = (weights(values | {exact: np.array([v])}) for v in (0.0, 1.0))
        size = shares[part].size
        (a0, b0, c0), (a1, b1, c1) = (
            [np.broadcast_to(v, size) for v in of]
            for of in (first, [high - low for low, high in zip(first, second, strict=True)])
        )
        q = quantities[exact]
        mass, mean = _between(_changes(a0, b0, a1, b1, switch, rising=rising), q.parts, q.mean)
        if rising:
            mass, mean = mass[:, ::-1], mean[:, ::-1]
        a, b = a0[:, None] * mass + a1[:, None] * mean, b0[:, None] * mass + b1[:, None] * mean
        total += float(shares[part] @ (a @ x + b @ (1 - y) + c0 + c1 * q.mean))
    return total


def _changes(a0: Floats, b0: Floats, a1: Floats, b1: Floats, switch: Floats, *, rising: bool) -> Floats:
    """Return the values at which the best vertex changes, ascending, for every node: t = s at (b0·s - a0·(1-s)) / (a1·(1-s) - b1·s)."""
    s = switch[None, :]
    over, under = b0[:, None] * s - a0[:, None] * (1 - s), a1[:, None] * (1 - s) - b1[:, None] * s
    never = np.where((over > 0) == rising, np.inf, -np.inf)  # t stays on one side of s
    change = np.divide(over, under, out=never, where=under != 0)
    return np.asarray(np.maximum.accumulate(change[:, ::-1] if rising else change, axis=1))


def _between(changes: Floats, parts: object, mean: float) -> tuple[Floats, Floats]:
    """Return the mass and the partial mean of a quantity between the values at which the best vertex changes."""
    mass, part = parts(changes)  # type: ignore[operator]
    none = np.zeros((len(changes), 1))
    mass, part = (np.concatenate([none, v, none + last], axis=1) for v, last in ((mass, 1.0), (part, mean)))
    return np.diff(mass, axis=1), np.diff(part, axis=1)


def _none(cost: float, scale: float) -> float:
    return 0.0 if cost <= TIE * scale else cost

"""What a cascade costs on cases that it was not chosen on: chosen on resamples, paid on the cases they leave out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition
from isocost.data.joint import ClusterCases, JointCounts, Rows
from isocost.decide.cascade import Pairs, paid, shares
from isocost.errors import InputError
from isocost.inference.draws import Draws, draw_joint, draw_rows, seed_of


def counted(rows: Rows, first: str, then: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the scores of two models, and how many positives and negatives each row stands for (their weight, if they have one)."""
    if isinstance(rows, ClusterCases) or (isinstance(rows, JointCounts) and rows.weights is not None):
        raise InputError(
            "a cascade needs to know how scores of single cases go together: take rows in memory, or leave out cluster= and weight="
        )
    if isinstance(rows, JointCounts):
        columns = [rows.names.index(name) for name in (first, then)]
        # A threshold flags whole blocks, from the lowest score of one on.
        one, two = (rows.low[i][rows.blocks[:, i]] for i in columns)
        return one, two, rows.positives, rows.negatives
    weights = np.ones(rows.positive.size, dtype=np.int64) if rows.weights is None else rows.weights
    return rows.scores[first], rows.scores[then], weights * rows.positive, weights * ~rows.positive


def on_new_cases(
    rows: Rows, first: str, then: str, condition: Condition, price: float, n_resamples: int, rng: Any
) -> tuple[dict[str, float], float]:
    """Return the mean cost of a cascade and of both models alone on cases left out, and how often the cascade was the cheapest there.

    Cases are drawn as for decisions; cascade and thresholds are chosen on the resample and paid on the cases that it leaves out.
    """
    if "cascade" in (first, then):
        raise InputError("a model is called 'cascade', and so is the cascade in new_cases: give the model another name")
    draw: Any = draw_joint if isinstance(rows, JointCounts) else draw_rows
    draws: Draws = draw(rows, n_resamples, seed_of(rng))
    one, two = (draws.thresholds[k][draws.block[k]] for k in map(draws.names.index, (first, then)))
    unit = slice(None) if draws.unit is None else draws.unit
    mass = 1.0 if draws.mass is None else draws.mass
    costs = []
    for times in draws.times[:n_resamples]:
        drawn, left = times[unit] * mass, draws.left(times)[unit] * mass
        kept = [side & (weight > 0) for weight in (drawn, left) for side in (draws.positive, ~draws.positive)]
        if all(part.any() for part in kept):
            thresholds, alone = Pairs.of(one, two, drawn * draws.positive, drawn * ~draws.positive, condition).choose(
                price
            )
            held = shares(left * draws.positive, left * ~draws.positive, condition)
            found = paid(one, two, *held, condition, thresholds, alone, price)
            costs.append([found["expected_cost"], found["expected_cost_first"], found["expected_cost_then"]])
    if not costs:
        raise InputError(
            f"no resample of {n_resamples} left cases of both classes out: new_cases needs more cases, or fewer in a cluster"
        )
    table = np.array(costs)
    cheapest = table[:, 0] < table[:, 1:].min(axis=1)
    return dict(zip(("cascade", first, then), table.mean(axis=0).tolist(), strict=True)), float(cheapest.mean())

"""What a cascade costs on cases that it was not chosen on: chosen on resamples, paid on the cases they leave out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.data.joint import ClusterCases, JointCases, Rows
from isocost.decide.cascade import Pairs, paid, shares
from isocost.errors import InputError
from isocost.inference.resample import TRIES


def counted(rows: Rows, first: str, then: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the scores of two models, and how many positives and negatives each row stands for (their weight, if they have one)."""
    if isinstance(rows, ClusterCases) or (isinstance(rows, JointCases) and rows.weights is not None):
        raise InputError(
            "a cascade needs to know how scores of single cases go together: take rows in memory, or leave out cluster= and weight="
        )
    if isinstance(rows, JointCases):
        joint = rows.joint
        columns = [joint.names.index(name) for name in (first, then)]
        # A threshold flags whole blocks, from the lowest score of one on.
        one, two = (joint.low[i][joint.blocks[:, i]] for i in columns)
        return one, two, joint.positives, joint.negatives
    weights = np.ones(rows.positive.size, dtype=np.int64) if rows.weights is None else rows.weights
    return rows.scores[first], rows.scores[then], weights * rows.positive, weights * ~rows.positive


def on_new_cases(
    rows: Rows, first: str, then: str, condition: Condition, price: float, n_resamples: int, rng: Any
) -> tuple[dict[str, float], float]:
    """Return the mean cost of a cascade and of both models alone on cases left out, and how often the cascade was the cheapest there.

    Each class is drawn with replacement from its own cases (whole clusters, if there are any); cascade and thresholds are chosen on the
    resample and paid on the cases that it leaves out.
    """
    if "cascade" in (first, then):
        raise InputError("a model is called 'cascade', and so is the cascade in new_cases: give the model another name")
    one, two, ups, downs = counted(rows, first, then)
    generator = np.random.default_rng(checks.entropy(rng))
    costs = np.empty((n_resamples, 3))
    for i in range(n_resamples):
        up, down, left_up, left_down = _drawn(rows, ups, downs, generator)
        thresholds, alone = Pairs.of(one, two, up, down, condition).choose(price)
        found = paid(one, two, *shares(left_up, left_down, condition), condition, thresholds, alone, price)
        costs[i] = found["expected_cost"], found["expected_cost_first"], found["expected_cost_then"]
    means = costs.mean(axis=0).tolist()
    cheapest = costs[:, 0] < costs[:, 1:].min(axis=1)
    return dict(zip(("cascade", first, then), means, strict=True)), float(cheapest.mean())


def _drawn(rows: Rows, ups: NDArray[Any], downs: NDArray[Any], rng: np.random.Generator) -> tuple[Floats, ...]:
    """Return positives and negatives of each row in a resample, and those that it leaves out; both have both classes."""
    for _ in range(TRIES):
        if rows.clusters is not None:
            _, own = np.unique(rows.clusters, return_inverse=True)
            groups = int(own.max()) + 1
            times = np.bincount(rng.integers(0, groups, groups), minlength=groups)[own]
            found = [ups * times, downs * times, ups * (times == 0), downs * (times == 0)]
        else:
            (up, left_up), (down, left_down) = _of_class(ups, rows, rng), _of_class(downs, rows, rng)
            found = [up, down, left_up, left_down]
        if all(part.any() for part in found):
            return tuple(found)
    raise InputError(
        f"no resample of {TRIES} left cases of both classes out: new_cases needs more cases, or fewer in a cluster"
    )


def _of_class(mass: NDArray[Any], rows: Rows, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return what is drawn of the cases of one class, and how much of each row is left out."""
    if isinstance(rows, JointCases):
        times = rng.multinomial(int(mass.sum()), mass / mass.sum())
        # Of m cases of a row each is left out by k draws with the chance (1 - 1/m)^k.
        return times.astype(np.float64), mass * (1 - 1 / np.maximum(mass, 1)) ** times
    own = np.flatnonzero(mass)
    drawn = np.zeros(mass.size)
    drawn[own] = np.bincount(rng.integers(0, own.size, own.size), minlength=own.size)
    return drawn * mass, mass * (drawn == 0)

"""Cascade: a cheap model for every case, and an expensive one between two of its scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented
from isocost.conditions import Condition
from isocost.data import checks
from isocost.data.cases import Cases
from isocost.data.checks import Floats
from isocost.decide.question import TIE
from isocost.decide.review import answers_between
from isocost.decide.say import in_brackets, say
from isocost.numbers import ROUNDING
from isocost.results import Columns, Drawn, stacked

# By how much a price is raised, in shares of what is at stake, to tell apart what costs the same.
RAISE = math.sqrt(TIE)


@documented
@dataclass(frozen=True, repr=False)
class CascadeChoice(Drawn):
    """Clear a case when the first model scores it below `ask_from`, flag it from `flag_from` on, and ask the second model in between.

    Shares and rates are those at the condition's prevalence; costs are per case, in the unit of the costs.

    Attributes
    ----------
    first, then : str
        The model that scores every case, and the one that is asked about some.
    ask_from, flag_from, then_threshold : float
        Scores seen, or +inf; a case in between is flagged if the second model's score ≥ `then_threshold`. If no case is asked about,
        all three are the best thresholds of each model alone.
    asked, flagged, cleared : float
        Shares of cases: asked about, flagged outright, cleared outright. They add up to 1.
    fpr, tpr : float
        In the end.
    expected_cost, expected_cost_first, expected_cost_then : float
        With the cascade, with the first model alone, and with the second alone for every case; calls are paid.
    saving : float
        Against the cheaper of the two.
    worth_up_to : float
        The price of a call above which no case should be asked about.
    cost_call : float
    condition : Condition
    new_cases : dict or None
        With resamples: the mean cost of the cascade and of each model alone on cases left out by the resample on which the rule was
        chosen.
    share : float or None
        With resamples: how often the cascade was the cheapest of the three there.
    unit : str
    """

    _display = "ReviewBarDisplay"

    first: str
    then: str
    ask_from: float
    flag_from: float
    then_threshold: float
    asked: float
    flagged: float
    cleared: float
    fpr: float
    tpr: float
    expected_cost: float
    expected_cost_first: float
    expected_cost_then: float
    saving: float
    worth_up_to: float
    cost_call: float
    condition: Condition
    new_cases: dict[str, float] | None = None
    share: float | None = None
    unit: str = ""
    # The best thresholds of each model alone.
    _alone: tuple[float, float] = (math.inf, math.inf)

    @property
    def model(self) -> str:
        """Both names, for figures."""
        return f"{self.first}, then {self.then}"

    @property
    def answers(self) -> tuple[dict[str, Any], ...]:
        """The three answers, lowest scores of the first model first: the scores each applies to, and their share of all cases."""
        parts = {"clear": self.cleared, "ask": self.asked, "flag": self.flagged}
        return answers_between((self.ask_from, self.flag_from), parts)

    def on(self, y_true: ArrayLike, scores: Mapping[str, ArrayLike], *, pos_label: Any = None) -> CascadeChoice:
        """Return what the same thresholds do on other cases, such as a hold-out; the saving may be negative there.

        The two models alone keep their thresholds too, and `worth_up_to` stays what it was.

        Parameters
        ----------
        y_true : array of shape (n,)
        scores : dict of name to array of shape (n,)
            Of both models.

        Examples
        --------
        >>> y, scores = [1, 1, 0, 1, 0, 0], {"small": [6, 5, 4, 3, 2, 1], "big": [6, 5, 1, 4, 2, 3]}
        >>> cascade = ic.Comparison.from_scores(y, scores).cascade("small", "big", ic.Condition(), cost_call=0.1)
        >>> cascade.on([1, 0, 1, 0], {"small": [6, 4, 3, 1], "big": [6, 1, 2, 5]}).asked
        0.5
        """
        own = {name: scores[checks.choice(name, "model in scores", tuple(scores))] for name in (self.first, self.then)}
        cases = Cases.from_scores(y_true, own, None, pos_label, None)
        (one, two), (up, down) = cases.scores.values(), shares(cases.positive, ~cases.positive, self.condition)
        thresholds = self.ask_from, self.flag_from, self.then_threshold
        found = paid(one, two, up, down, self.condition, thresholds, self._alone, self.cost_call)
        return replace(self, **found, new_cases=None, share=None)

    def to_dict(self) -> dict[str, Any]:
        """Return every field as data that JSON can hold, and the sentences as `text`."""
        return super().to_dict() | {"text": str(self)}

    def _columns(self) -> Columns:
        return stacked(self.answers)

    def reported(self) -> dict[str, Any]:
        """Return what sentences are made of: the fields as plain data, and what is compared besides."""
        new = None if self.new_cases is None else [self.new_cases[name] for name in ("cascade", self.first, self.then)]
        return super().to_dict() | {
            "new": new,
            "less_than_first": _less(self.expected_cost_first, self.expected_cost),
            "less_than_then": _less(self.expected_cost_then, self.expected_cost),
            "use": new is None or ((self.share or 0) >= 0.5 and new[0] <= min(new[1:])),
        }  # fmt: skip

    def __str__(self) -> str:
        return say("cascade", self.reported(), {"unit": self.unit})

    __repr__ = in_brackets


def _less(other: float, cost: float) -> float:
    """Return how much less a cost is than another, to the place to which both are shown per 1000: three digits, or whole units."""
    if abs(other - cost) < ROUNDING * max(1.0, abs(cost)):
        return 0.0
    shown = round(other - cost, min(max(2 - math.floor(math.log10(abs(cost))), 3), 15)) if cost else 0.0
    return shown or other - cost


@dataclass(frozen=True)
class _Band:
    """Places of the first model between which the second is asked, and a cut of the second."""

    ask: int
    flag: int
    cut: int
    asked: float
    errors: float


@dataclass(frozen=True, eq=False)
class Pairs:
    """Cases that two models scored, or cells of such cases, with what each adds to the share and to the cost of all cases."""

    low: Floats
    high: Floats
    place: NDArray[np.intp]
    level: NDArray[np.intp]
    up: Floats
    down: Floats
    condition: Condition

    @classmethod
    def of(cls, first: Floats, then: Floats, positives: Floats, negatives: Floats, condition: Condition) -> Pairs:
        """Return rows with so many positives and negatives, weighted to the condition's prevalence; rows without cases are left out."""
        kept = (positives > 0) | (negatives > 0)
        low, place = np.unique(first[kept], return_inverse=True)
        high, level = np.unique(then[kept], return_inverse=True)
        return cls(low, high, place, level, *shares(positives[kept], negatives[kept], condition), condition)

    @cached_property
    def missed(self) -> Floats:
        """What each row costs more if it is cleared than if all answers are right."""
        return self.condition.fn_gap * self.up

    @cached_property
    def alarms(self) -> Floats:
        """What each row costs more if it is flagged than if all answers are right."""
        return self.condition.fp_gap * self.down

    @cached_property
    def tree(self) -> _Tree:
        """The least cost of every cut of the second model."""
        return _Tree(self)

    def cheapest(self, price: float) -> _Band:
        """Return the cheapest cascade at a price of a call; of equals the one that asks about the fewest cases."""
        costs = self.tree.least_costs(price)
        equal = np.flatnonzero(costs <= costs.min() + ROUNDING / 10 * max(1.0, float(costs.max())))
        if equal.size > 1:
            # A slightly higher price tells which of the cuts need the fewest calls.
            more = self.tree.least_costs(price + RAISE * max(self.condition.fp_gap, self.condition.fn_gap))[equal]
            equal = equal[more <= more.min() + ROUNDING / 1000]
        return self.band(int(equal[0]), price)

    def band(self, cut: int, price: float) -> _Band:
        """Return the cheapest stretch of the first model to ask about, for one cut of the second: one pass."""
        cleared, flagged = self._sums(self.missed), self._sums(self.alarms)
        errors = self._sums(np.where(self.level < cut, self.missed, self.alarms))
        cases = self._sums(self.up + self.down)
        paid = errors + price * cases
        start = cleared - paid
        least = np.minimum.accumulate(start)
        total = least + paid - flagged + flagged[-1]
        slack = ROUNDING / 10 * max(1.0, float(total.max()))
        begin = np.maximum.accumulate(np.where(start <= least + slack, np.arange(start.size), 0))
        ends = np.flatnonzero(total <= total.min() + slack)
        flag = int(ends[np.argmin(cases[ends] - cases[begin[ends]])])
        ask = int(begin[flag])
        made = cleared[ask] + errors[flag] - errors[ask] + flagged[-1] - flagged[flag]
        return _Band(ask, flag, cut, float(cases[flag] - cases[ask]), float(made))

    def _sums(self, values: Floats) -> Floats:
        """Return the sums of a row's values below each place of the first model."""
        return np.concatenate([[0.0], np.cumsum(np.bincount(self.place, values, self.low.size))])

    def alone(self, *, second: bool = False) -> tuple[float, float]:
        """Return the best threshold of one model alone and its cost of errors; of equals the one that flags the fewest."""
        scores, place = (self.high, self.level) if second else (self.low, self.place)
        missed, alarms = (np.cumsum(np.bincount(place, values, scores.size)) for values in (self.missed, self.alarms))
        cost = np.concatenate([[0.0], missed]) + alarms[-1] - np.concatenate([[0.0], alarms])
        slack = ROUNDING / 10 * max(1.0, float(cost.max()))
        best = int(np.flatnonzero(cost <= cost.min() + slack)[-1])
        return (-math.inf if best == 0 else math.inf if best == scores.size else float(scores[best])), float(cost[best])

    def worth_up_to(self) -> float:
        """Return the price of a call above which no case should be asked about: the largest gain per call of any cascade."""
        first, price = self.alone()[1], 0.0
        while True:
            band = self.cheapest(price)
            gain = first - band.errors - price * band.asked
            if band.asked <= 0 or gain <= ROUNDING * max(1.0, first):
                return price
            price = (first - band.errors) / band.asked

    def choose(self, price: float) -> tuple[tuple[float, float, float], tuple[float, float]]:
        """Return the three thresholds of the cheapest cascade, and the best thresholds of both models alone."""
        (own, cost), (other, _) = self.alone(), self.alone(second=True)
        band = self.cheapest(price)
        if band.asked <= 0 or cost - band.errors - price * band.asked < ROUNDING * max(1.0, cost):
            return (own, own, other), (own, other)
        low, high = np.append(self.low, math.inf), np.append(self.high, math.inf)
        return (float(low[band.ask]), float(low[band.flag]), float(high[band.cut])), (own, other)


class _Tree:
    """The least cost of every cut of the second model at once.

    A node of a binary tree over the places of the first model holds the least sums of its stretch: all asked (mm), clear then ask
    (cm), ask then flag (mf), clear then ask then flag (cf). Raising the cut past one case changes one place, so a node has one more
    version than it has cases, and a version of a parent knows those of its children by counting.
    """

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        rows, depth = pairs.place.size, int(pairs.low.size - 1).bit_length()
        self.places = 1 << depth
        order = np.argsort(pairs.level, kind="stable")
        place = pairs.place[order]
        starts = np.concatenate([[0], np.cumsum(np.bincount(place, minlength=self.places))])
        # The versions of both children for each version of each node, from the root down.
        self.children: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]] = []
        for level in range(depth):
            begin = starts[:: self.places >> level]
            right = (place >> (depth - level - 1)) & 1
            lefts = np.concatenate([[0], np.cumsum(1 - right)])
            node, version = self._versions(begin)
            in_left = np.diff(lefts[begin])
            left = lefts[version - node] - lefts[begin[:-1]][node]
            places = begin[:-1][node] + 2 * node + left, version + node + 1 + in_left[node] - left
            self.children.append((places[0].astype(np.int32), places[1].astype(np.int32), node.astype(np.int32)))
            # Part the rows of each node: those of its left child first, each child's by rising score of the second model.
            node, row = place >> (depth - level), np.arange(rows)
            done = lefts[:-1] - lefts[begin[:-1]][node]
            there = np.where(right == 0, begin[:-1][node] + done, row + in_left[node] - done)
            place[there], order[there] = place.copy(), order.copy()
        self.leaf, version = self._versions(starts)
        flips = np.concatenate([[0.0], np.cumsum((pairs.missed - pairs.alarms)[order])])
        self.flips = flips[version - self.leaf] - flips[starts[:-1]][self.leaf]
        self.ends = np.concatenate([[0], np.cumsum(np.bincount(pairs.level))])

    @staticmethod
    def _versions(begin: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the node of each version, and all versions in a row."""
        node = np.repeat(np.arange(begin.size - 1), np.diff(begin) + 1)
        return node, np.arange(node.size)

    def least_costs(self, price: float) -> Floats:
        """Return the least cost of errors and calls for each cut of the second model, from flagging all who are asked to none."""
        pairs, leaf = self.pairs, self.leaf
        cc, ff, asked = (
            np.bincount(pairs.place, values, self.places)
            for values in (pairs.missed, pairs.alarms, pairs.alarms + price * (pairs.up + pairs.down))
        )
        mm = asked[leaf] + self.flips
        cm, mf = np.minimum(cc[leaf], mm), np.minimum(mm, ff[leaf])
        cf = np.minimum(cm, ff[leaf])
        for left, right, node in reversed(self.children):
            clear, flag = cc[::2][node], ff[1::2][node]
            mm_left, mm_right, cm_left, mf_right = mm[left], mm[right], cm[left], mf[right]
            cf = np.minimum(np.minimum(clear + cf[right], cf[left] + flag), cm_left + mf_right)
            cm, mf = np.minimum(clear + cm[right], cm_left + mm_right), np.minimum(mm_left + mf_right, mf[left] + flag)
            mm = mm_left + mm_right
            cc, ff = cc[::2] + cc[1::2], ff[::2] + ff[1::2]
        return np.asarray(cf[self.ends])


def shares(positives: ArrayLike, negatives: ArrayLike, condition: Condition) -> tuple[Floats, Floats]:
    """Return the share of all cases that each row's positives and negatives are at the condition's prevalence."""
    up, down = (np.asarray(counts, dtype=np.float64) for counts in (positives, negatives))
    return up * (condition.prevalence / up.sum()), down * ((1 - condition.prevalence) / down.sum())


def paid(
    first: NDArray[Any],
    then: NDArray[Any],
    up: Floats,
    down: Floats,
    condition: Condition,
    thresholds: tuple[float, float, float],
    alone: tuple[float, float],
    price: float,
) -> dict[str, Any]:
    """Return shares, rates and costs of a cascade on some cases, and the costs of both models alone."""
    ask, flag, cut = thresholds
    outright, cleared = first >= flag, first < ask
    asked = ~outright & ~cleared
    in_the_end = outright | (asked & (then >= cut))
    who = {"asked": asked, "flagged": outright, "cleared": cleared}
    part = {name: float((up + down)[rows].sum()) for name, rows in who.items()}
    base, a, b = condition.best_cost, condition.fp_gap, condition.fn_gap
    errors = [
        float(base + b * up[~f].sum() + a * down[f].sum()) for f in (in_the_end, first >= alone[0], then >= alone[1])
    ]
    costs = errors[0] + price * part["asked"], errors[1], errors[2] + price
    return part | {
        "fpr": float(down[in_the_end].sum() / down.sum()) if down.any() else math.nan,
        "tpr": float(up[in_the_end].sum() / up.sum()) if up.any() else math.nan,
        "expected_cost": costs[0], "expected_cost_first": costs[1], "expected_cost_then": costs[2],
        "saving": min(costs[1:]) - costs[0],
    }  # fmt: skip


def cascade(pairs: Pairs, first: str, then: str, price: float, unit: str) -> CascadeChoice:
    """Return the cheapest cascade of two models."""
    thresholds, alone = pairs.choose(price)
    scores = pairs.low[pairs.place], pairs.high[pairs.level]
    found = paid(*scores, pairs.up, pairs.down, pairs.condition, thresholds, alone, price)
    return CascadeChoice(
        first, then, *thresholds, **found | {"saving": max(found["saving"], 0.0)}, worth_up_to=pairs.worth_up_to(), cost_call=price,
        condition=pairs.condition, unit=unit, _alone=alone,
    )  # fmt: skip

"""Ask: the one question about costs that is worth asking."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.conditions import NAMES, Conditions, Quantity, at_means, narrowed
from isocost.curves.hull import upper_hull
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.choice import rule_data
from isocost.decide.question import first_least, weights
from isocost.decide.say import in_brackets, say
from isocost.errors import ConditionError
from isocost.numbers import ROUNDING
from isocost.results import Columns, Result, plain, stacked

if TYPE_CHECKING:
    from isocost.decide.decision import Decision

MOST_QUESTIONS = 6


@dataclass(frozen=True, repr=False)
class CostQuestion(Result):
    """The question about one uncertain quantity whose answer saves most, and what to do after each answer.

    Money is per case, in the unit of the costs. Ask on by calling again: ``comparison.ask(question.more)``.

    Attributes
    ----------
    about : str
        The quantity: "cost_fp", "cost_fn", "prevalence", "cost_tp" or "cost_tn".
    at : float or None
        The value to ask about: is the quantity at least that? None if no question is worth anything.
    worth : float
        What the answers to all questions of the plan save on average.
    chance_more : float or None
        Chance that the quantity is at least `at`.
    regret_now, regret_after : float
        What knowing the quantity exactly would save, before the questions and after them.
    regret_by_questions : tuple of float
        The same after 0, 1, … questions.
    cuts : tuple of float
        All values of the plan, ascending; `at` is the middle one.
    others : dict of str to float
        What asking about each other uncertain quantity would be worth instead; empty if `about` was given.
    less, more : Conditions or None
        The conditions after the answer: the quantity is below `at`, or at least that.
    if_less, if_more : Decision or None
        The decision for each of them.
    now : Decision
        The decision as things stand.
    unit : str
    """

    about: str
    at: float | None
    worth: float
    chance_more: float | None
    regret_now: float
    regret_after: float
    regret_by_questions: tuple[float, ...]
    cuts: tuple[float, ...]
    others: dict[str, float]
    less: Conditions | None
    more: Conditions | None
    if_less: Decision | None
    if_more: Decision | None
    now: Decision
    unit: str = ""
    # What sentences need besides: the range, the exchange between two rules, whether one rule is best everywhere.
    _more: Mapping[str, Any] | None = None

    @property
    def answers(self) -> tuple[dict[str, Any], ...]:
        """Yes and no: the chance of each, what to do then, and how many of 1000 cases are then false alarms and misses."""
        rows, chance = [], self.chance_more or 0.0
        plan = (("yes", chance, self.more, self.if_more), ("no", 1 - chance, self.less, self.if_less))
        for answer, share, over, found in plan:
            if over is not None and found is not None and over.means is not None:
                positive = over.means.prevalence
                rows.append({
                    "answer": answer, "chance": share, "model": found.model, "rule": say("ask_cut", self._said() | rule_data(found)),
                    "threshold": found.threshold, "false_alarms": 1000 * (1 - positive) * found.fpr,
                    "misses": 1000 * positive * (1 - found.tpr),
                })  # fmt: skip
        return tuple(rows)

    def _said(self) -> dict[str, Any]:
        """Return what sentences are made of."""
        names = ("about", "at", "worth", "regret_after", "chance_more")
        found: dict[str, Any] = plain({name: getattr(self, name) for name in names} | dict(self._more or {}))
        rules = {"now": self.now, "less": self.if_less, "more": self.if_more}
        found |= {name: rule and rule_data(rule) for name, rule in rules.items()}
        return found | {"questions": len(self.regret_by_questions) - 1}

    def _columns(self) -> Columns:
        return stacked(self.answers) if self.answers else super()._columns()

    def to_dict(self) -> dict[str, Any]:
        """Return every field as data that JSON can hold, and the sentences as `text`."""
        return super().to_dict() | {"text": str(self)}

    def __str__(self) -> str:
        return say("ask", self._said(), {"unit": self.unit})

    __repr__ = in_brackets


@dataclass(frozen=True, eq=False)
class Lines:
    """What each rule costs at every value of one quantity, the others at their means: p + q·x, the lower envelope on its range."""

    p: Floats
    q: Floats
    quantity: Quantity

    @classmethod
    def of(cls, fpr: Floats, tpr: Floats, quantities: Mapping[str, Quantity], name: str) -> Lines:
        """Return the costs of rules with these rates."""
        quantity = quantities[name]
        means = {other: q.mean for other, q in quantities.items()}
        (a0, b0, c0), (a1, b1, c1) = (weights(means | {name: x}) for x in (0.0, 1.0))
        p = a0 * fpr + b0 * (1 - tpr) + c0
        q = a1 * fpr + b1 * (1 - tpr) + c1 - p
        order = np.lexsort((p, q))
        order = order[np.concatenate([[True], np.diff(q[order]) > 0])]
        # The lower envelope of lines is the lower hull of the points (q, p).
        kept = order[upper_hull(q[order], -p[order])[::-1]]
        p, q = p[kept], q[kept]
        low, high = quantity.support()
        switch = np.diff(p) / -np.diff(q)
        inside = np.concatenate([[-np.inf], switch]) < high
        inside &= np.concatenate([switch, [np.inf]]) > low
        return cls(p[inside], q[inside], quantity)

    def plans(self, questions: int) -> tuple[list[float], tuple[float, ...]]:
        """Return the least cost with 0, 1, … questions, then with perfect knowledge; and the values that the last plan asks about.

        k questions tell 2^k stretches of the quantity apart. Switching from rule i to rule j at their exchange rate saves -W[i, j], and
        exchange rates ascend along the envelope: the cheapest chain of 2^k rules is a shortest path.
        """
        count = self.p.size
        first, second = np.triu_indices(count, 1)
        rates = (self.p[second] - self.p[first]) / (self.q[first] - self.q[second])
        order = np.argsort(rates, kind="stable")
        mass, part = np.empty((2, rates.size))
        if rates.size:
            mass[order], part[order] = self.quantity.parts(rates[order])
        saved = np.full((count, count), np.inf)
        rate = np.full((count, count), np.nan)
        saved[first, second] = (self.p[first] - self.p[second]) * mass + (self.q[first] - self.q[second]) * part
        rate[first, second] = rates
        end = self.p + self.q * self.quantity.mean
        slack = ROUNDING / 10 * max(1.0, float(np.abs(end).max()))
        so_far, costs, back = np.zeros(count), [float(end.min())], []
        for pieces in range(2, 2**questions + 1):
            ways = so_far[:, None] + saved
            best = first_least(ways, slack, axis=0)
            through = ways[best, np.arange(count)]
            better = through < so_far - slack
            back.append(np.where(better, best, -1))
            so_far = np.where(better, through, so_far)
            if pieces & (pieces - 1) == 0:
                costs.append(float((so_far + end).min()))
        neighbours = np.arange(count - 1)
        perfect = float(saved[neighbours, neighbours + 1].sum() + end[-1])
        at = int(first_least(so_far + end, slack))
        cuts: list[float] = []
        for step in reversed(back):
            if step[at] >= 0:
                cuts.append(float(rate[step[at], at]))
                at = int(step[at])
        return [*costs, perfect], tuple(reversed(cuts))


def ask(
    fpr: Floats,
    tpr: Floats,
    condition: Any,
    about: str | None,
    questions: Any,
    unit: str,
    decide: Callable[[Conditions], Decision],
) -> CostQuestion:
    """Return the question whose answer saves most, of rules with these rates; `decide` gives the decision for conditions."""
    count = checks.whole(questions, "questions", low=1, high=MOST_QUESTIONS)
    checks.text(unit, "unit")
    names, held = _uncertain(condition, about)
    # Of each quantity: the values to ask about, the regrets after ever more questions, and whether one rule is the best everywhere.
    plans, worth = {}, {}
    for name in names:
        lines = Lines.of(fpr, tpr, held, name)
        (*costs, perfect), cuts = lines.plans(count)
        slight = ROUNDING * max(1.0, abs(costs[0]))
        regrets = tuple(0.0 if cost - perfect < slight else cost - perfect for cost in costs)
        saved = regrets[0] - regrets[-1]
        worth[name] = 0.0 if saved < slight else saved
        plans[name] = cuts if worth[name] else (), regrets, lines.p.size == 1
    best = next(name for name in names if worth[name] >= max(worth.values()) - ROUNDING)
    others = {name: value for name, value in worth.items() if name != best}
    cuts, regrets, same = plans[best]
    at = cuts[len(cuts) // 2] if cuts else None
    now, quantity = decide(condition), held[best]
    less = more = if_less = if_more = chance = exchange = None
    if at is not None:
        less, more = narrowed(condition, best, at)
        if_less, if_more = decide(less), decide(more)
        chance = 1 - float(quantity.parts(np.array([np.nextafter(at, -np.inf)]))[0][0])
        exchange = _exchange(best, condition, at, if_less, if_more) if len(cuts) == 1 else None
    return CostQuestion(
        best, at, worth[best], chance, regrets[0], regrets[-1], regrets, cuts, others, less, more, if_less, if_more, now, unit,
        {"range": quantity.support(), "same": same, "several": bool(others), "exchange": exchange},
    )  # fmt: skip


def _uncertain(condition: Any, about: str | None) -> tuple[list[str], Mapping[str, Quantity]]:
    """Return what can be asked about, the one quantity if it is named, and all quantities."""
    if condition is not None:
        at_means(condition)
    held = (condition.quantities or {}) if isinstance(condition, Conditions) else {}
    uncertain = [name for name in NAMES if name in held and held[name].low < held[name].high]
    if not uncertain:
        raise ConditionError("nothing is uncertain, so there is nothing to ask; give a range such as cost_fn=(1, 20)")
    return uncertain if about is None else [checks.choice(about, "uncertain quantity", uncertain)], held


def _exchange(about: str, over: Conditions, at: float, less: Decision, more: Decision) -> dict[str, float] | None:
    """Return the question as a choice between two outcomes per 1000 cases, where it is one."""
    means, held = over.means, over.quantities or {}
    assert means is not None  # noqa: S101 - checked before
    certain = all(held[name].low == held[name].high for name in NAMES if name not in (about, "prevalence"))
    bare = means.cost_tp == 0 == means.cost_tn and means.cost_fp > 0
    if about != "cost_fn" or not (certain and bare):
        return None
    alarms = 1000 * (1 - means.prevalence) * (more.fpr - less.fpr)
    catches = 1000 * means.prevalence * (more.tpr - less.tpr)
    # Of rules that cost the same, others than those of the plan may have been decided.
    if not catches > 0 or not math.isclose(alarms * means.cost_fp, at * catches, rel_tol=math.sqrt(ROUNDING)):
        return None
    return {"rate": at / means.cost_fp, "alarms": alarms, "catches": catches}

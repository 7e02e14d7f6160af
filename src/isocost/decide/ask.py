"""Ask: the one question about costs that is worth asking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import NAMES, Believed, Condition, Conditions, Quantity
from isocost.curves.hull import upper_hull
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.say import WORDS, say
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.results import Columns, Result, plain, stacked

if TYPE_CHECKING:
    from isocost.curves import RocCurve
    from isocost.decide.decision import Decision

MOST_QUESTIONS = 6
# A question that saves less is not worth asking.
SLIGHT = 1e-12


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
    # What sentences say besides: the range, the rules as the reader sees them, the exchange between them.
    _told: Mapping[str, Any] | None = None

    @property
    def answers(self) -> tuple[dict[str, Any], ...]:
        """Yes and no: the chance of each, what to do then, and how many of 1000 cases are then false alarms and misses."""
        rows = []
        told = dict(self._told or {})
        chance = self.chance_more or 0.0
        for answer, share, part in (("yes", chance, "more"), ("no", 1 - chance, "less")):
            conditions, decision = getattr(self, part), getattr(self, f"if_{part}")
            if conditions is not None:
                positive = conditions.means.prevalence
                rows.append(
                    {
                        "answer": answer, "chance": share, "model": decision.model, "rule": say("ask_cut", told | told[part]),
                        "threshold": decision.threshold, "false_alarms": 1000 * (1 - positive) * decision.fpr,
                        "misses": 1000 * positive * (1 - decision.tpr),
                    }
                )  # fmt: skip
        return tuple(rows)

    def _columns(self) -> Columns:
        return stacked(self.answers) if self.answers else super()._columns()

    def to_dict(self) -> dict[str, Any]:
        """Return every field as data that JSON can hold, and the sentences as `text`."""
        return super().to_dict() | {"text": str(self)}

    def __str__(self) -> str:
        """Return the question and what the answer is worth, in sentences."""
        own = {name: getattr(self, name) for name in ("about", "at", "worth", "regret_after", "chance_more")}
        return say("ask", plain(own | {"questions": len(self.regret_by_questions) - 1}) | dict(self._told or {}))

    def __repr__(self) -> str:
        """Return the question and what the answer is worth, in sentences."""
        return f"<CostQuestion: {self}>"


@dataclass(frozen=True, eq=False)
class Lines:
    """What each rule costs at every value of one quantity, the others at their means: p + q·x, the lower envelope on its range.

    Attributes
    ----------
    p, q : ndarray
        Of the rules that are the cheapest somewhere in the range, by rising x.
    quantity : Quantity
    """

    p: Floats
    q: Floats
    quantity: Quantity

    @classmethod
    def of(cls, fpr: Floats, tpr: Floats, over: Conditions, name: str) -> Lines:
        """Return the costs of rules with these rates."""
        assert over.quantities is not None  # noqa: S101 - checked by whoever asks
        quantity = over.quantities[name]
        means = {other: q.mean for other, q in over.quantities.items()}
        p, one = (_costs(means | {name: x}, fpr, tpr) for x in (0.0, 1.0))
        q = one - p
        order = np.lexsort((p, q))
        p, q = p[order], q[order]
        new = np.concatenate([[True], np.diff(q) > 0])
        p, q = p[new], q[new]
        # The lower envelope of lines is the lower hull of the points (q, p).
        kept = upper_hull(q, -p)[::-1]
        p, q = p[kept], q[kept]
        low, high = support(quantity)
        switch = np.diff(p) / -np.diff(q)
        inside = np.concatenate([[-np.inf], switch]) < high
        inside &= np.concatenate([switch, [np.inf]]) > low
        return cls(p[inside], q[inside], quantity)

    @property
    def least(self) -> float:
        """The cost of the best rule without any answer."""
        return float((self.p + self.q * self.quantity.mean).min())

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
        slack = SLIGHT / 10 * max(1.0, float(np.abs(end).max()))
        so_far, costs, back = np.zeros(count), [self.least], []
        for pieces in range(2, 2**questions + 1):
            ways = so_far[:, None] + saved
            best = _first_least(ways, slack)
            through = ways[best, np.arange(count)]
            better = through < so_far - slack
            back.append(np.where(better, best, -1))
            so_far = np.where(better, through, so_far)
            if pieces & (pieces - 1) == 0:
                costs.append(float((so_far + end).min()))
        neighbours = np.arange(count - 1)
        perfect = float(saved[neighbours, neighbours + 1].sum() + end[-1])
        at = int(_first_least((so_far + end)[:, None], slack)[0])
        cuts: list[float] = []
        for step in reversed(back):
            if step[at] >= 0:
                cuts.append(float(rate[step[at], at]))
                at = int(step[at])
        return [*costs, perfect], tuple(reversed(cuts))


def _first_least(ways: Floats, slack: float) -> NDArray[np.intp]:
    """Return the first row of each column that is the least but for rounding."""
    return np.asarray(np.argmax(ways <= ways.min(axis=0) + slack, axis=0))


def _costs(values: Mapping[str, float], fpr: Floats, tpr: Floats) -> Floats:
    negative = values["cost_tn"] * (1 - fpr) + values["cost_fp"] * fpr
    positive = values["cost_fn"] * (1 - tpr) + values["cost_tp"] * tpr
    return np.asarray((1 - values["prevalence"]) * negative + values["prevalence"] * positive)


def support(quantity: Quantity) -> tuple[float, float]:
    """Return the lowest and the highest value there can be."""
    ends = quantity.belief.support() if isinstance(quantity, Believed) else (quantity.low, quantity.high)
    return float(ends[0]), float(ends[1])


@dataclass(frozen=True)
class Plan:
    """What a plan of questions about one quantity is worth."""

    about: str
    cuts: tuple[float, ...]
    worth: float
    regrets: tuple[float, ...]
    same: bool
    others: dict[str, float]


def plan(fpr: Floats, tpr: Floats, over: Conditions, about: str | None, questions: int) -> Plan:
    """Return the questions that save most, about the quantity named or the one whose questions save most."""
    held = over.quantities or {}
    uncertain = [name for name in NAMES if name in held and held[name].low < held[name].high]
    if about is not None and about not in NAMES:
        raise UnknownNameError("about", about, NAMES)
    if not uncertain:
        raise ConditionError("nothing is uncertain, so there is nothing to ask; give a range such as cost_fn=(1, 20)")
    if about is not None and about not in uncertain:
        raise InputError(f"about={about!r} is certain; uncertain: {', '.join(uncertain)}")
    plans = [_plan(fpr, tpr, over, name, questions) for name in (uncertain if about is None else [about])]
    most = max(each.worth for each in plans)
    best = next(each for each in plans if each.worth >= most - SLIGHT)
    others = {each.about: each.worth for each in plans if each is not best}
    return Plan(best.about, best.cuts, best.worth, best.regrets, best.same, others)


def _plan(fpr: Floats, tpr: Floats, over: Conditions, name: str, questions: int) -> Plan:
    lines = Lines.of(fpr, tpr, over, name)
    (*costs, perfect), cuts = lines.plans(questions)
    slight = SLIGHT * max(1.0, abs(costs[0]))
    regrets = tuple(0.0 if cost - perfect < slight else cost - perfect for cost in costs)
    worth = regrets[0] - regrets[-1]
    if worth < slight:
        cuts, worth = (), 0.0
    return Plan(name, cuts, worth, regrets, lines.p.size == 1, {})


def checked(condition: Any, questions: Any) -> tuple[Conditions, int]:
    """Return uncertain conditions in the unit of the costs, and how many questions may be asked."""
    count = checks.whole(questions, "questions", low=1, high=MOST_QUESTIONS)
    if condition is None or isinstance(condition, Condition):
        raise ConditionError("nothing is uncertain, so there is nothing to ask; give a range such as cost_fn=(1, 20)")
    if not isinstance(condition, Conditions):
        raise ConditionError(f"condition must be a Condition or Conditions, got {condition!r:.80}")
    if condition.means is None:
        raise ConditionError(
            f"these conditions ({condition}) do not say what errors cost: use Conditions.from_costs or Conditions.from_beliefs"
        )
    return condition, count


@dataclass(frozen=True)
class Rule:
    """A decided rule as sentences have it: its model, its threshold with the next lower score, and its rates."""

    model: str | None
    threshold: float
    below: float
    fpr: float
    tpr: float

    @classmethod
    def of(cls, decision: Decision, curves: Sequence[RocCurve]) -> Rule:
        """Return the rule of a decision."""
        below = -np.inf
        for curve in curves:
            if curve.name == decision.model:
                lower = curve.thresholds[curve.thresholds < decision.threshold]
                below = float(lower.max(initial=-np.inf))
        return cls(decision.model, decision.threshold, below, decision.fpr, decision.tpr)


def question(
    plan: Plan,
    over: Conditions,
    at: float | None,
    parts: tuple[Conditions | None, Conditions | None],
    decisions: Sequence[Any],
    rules: Sequence[Rule | None],
    unit: str,
) -> CostQuestion:
    """Return the question of a plan, with the decisions now, if less and if more."""
    assert over.quantities is not None  # noqa: S101 - checked before
    quantity = over.quantities[plan.about]
    chance = None if at is None else 1 - float(quantity.parts(np.array([np.nextafter(at, -np.inf)]))[0][0])
    now, less, more = rules
    told = plain(
        {
            "question": {"words": WORDS | {"unit": unit}},
            "range": support(quantity), "same": plan.same, "several": bool(plan.others),
            "now": now, "less": less, "more": more, "exchange": _exchange(plan, over, at, less, more),
        }
    )  # fmt: skip
    return CostQuestion(
        plan.about, at, plan.worth, chance, plan.regrets[0], plan.regrets[-1], plan.regrets, plan.cuts, plan.others,
        parts[0], parts[1], decisions[1], decisions[2], decisions[0], unit, told,
    )  # fmt: skip


def _exchange(
    plan: Plan, over: Conditions, at: float | None, less: Rule | None, more: Rule | None
) -> dict[str, float] | None:
    """Return the question as a choice between two outcomes per 1000 cases, where it is one."""
    means = over.means
    assert means is not None  # noqa: S101 - checked before
    certain = all(
        q.low == q.high for name, q in (over.quantities or {}).items() if name[:4] == "cost" and name != plan.about
    )
    bare = means.cost_tp == 0 == means.cost_tn and means.cost_fp > 0
    if (
        plan.about != "cost_fn"
        or at is None
        or less is None
        or more is None
        or len(plan.cuts) > 1
        or not (certain and bare)
    ):
        return None
    alarms = 1000 * (1 - means.prevalence) * (more.fpr - less.fpr)
    catches = 1000 * means.prevalence * (more.tpr - less.tpr)
    # Of rules that cost the same, others than those of the plan may have been decided.
    if not catches > 0 or abs(alarms * means.cost_fp - at * catches) > 1e-6 * at * catches:
        return None
    return {"rate": at / means.cost_fp, "alarms": alarms, "catches": catches}

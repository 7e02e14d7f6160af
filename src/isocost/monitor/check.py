"""A fixed rule on labelled cases: each limit is kept, broken, or not certain."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike, NDArray

from isocost._front import documented, documented_by
from isocost.curves import RocCurve
from isocost.curves.joint import TRIVIAL_NAMES
from isocost.data import checks
from isocost.data.checks import Bools
from isocost.decide import Decision, Evaluation, Question
from isocost.decide.decision import decide
from isocost.decide.say import say
from isocost.errors import InfeasibleError
from isocost.inference.delong import delong
from isocost.monitor.prevalence import zero_or_one
from isocost.monitor.rule import Rule
from isocost.numbers import ROUNDING
from isocost.results import Result

if TYPE_CHECKING:
    import numpy as np

Verdict = Literal["kept", "broken", "not certain"]
# Value, count, and of how many cases.
Cells = Sequence[tuple[float, int, int]]
Ends = tuple[float, float, float]
EXIT_CODES: dict[Verdict, int] = {"kept": 0, "broken": 1, "not certain": 3}


@dataclass(frozen=True)
class CheckItem(Result):
    """One limit of a check. Costs are per 1000 cases.

    Attributes
    ----------
    limit : str
        "max_cost", "max_fpr", "min_tpr", "max_flagged", "min_precision", "not_worse_than" or "min_auc".
    value, low, high : float
        As counted, and its one-sided limits; NaN, 0 and 1 if no case tells.
    bound : float
    verdict : {"kept", "broken", "not certain"}
    cases_needed : int or None
        About how many cases would be enough to tell, if the value stays; None if it is the bound itself.
    """

    limit: str
    value: float
    low: float
    high: float
    bound: float
    verdict: Verdict
    cases_needed: int | None

    @classmethod
    def of(cls, limit: str, found: Ends, bound: float, cases: int) -> CheckItem:
        """Judge a value with its limits."""
        value, low, high = found
        kept, broken = (high <= bound, low > bound) if not limit.startswith("min") else (low >= bound, high < bound)
        verdict: Verdict = "kept" if kept else "broken" if broken else "not certain"
        needed = None
        if not math.isnan(value) and value != bound:
            needed = math.ceil(cases * (((high if bound > value else low) - value) / (bound - value)) ** 2)
        return cls(limit, value, low, high, bound, verdict, needed)

    def spoken(self, mark: str = "") -> dict[str, Any]:
        """Return what the sentence of the limit needs."""
        ends = {name: getattr(self, name) for name in ("value", "low", "high")}
        reach = max(self.value - self.low, self.high - self.value)
        if self.limit in ("max_cost", "not_worse_than") and reach:
            # No digit that chance alone decides: two of how far the limits are away.
            scale = 10 ** max(0, 1 - math.floor(math.log10(reach)))
            ends = {name: math.copysign(math.floor(abs(x) * scale + 0.5) / scale, x) for name, x in ends.items()}
        needed = self.cases_needed if self.verdict == "not certain" else None
        # Two digits, rounded up.
        scale = 10 ** max(len(str(needed)) - 2, 0)
        return ends | {
            "limit": self.limit, "at_least": self.limit.startswith("min"), "bound": self.bound, "verdict": self.verdict,
            "marked": f"{mark}{self.verdict}{mark}", "known": not math.isnan(self.value),
            "needed": None if needed is None else f"{-(-needed // scale) * scale:,}",
            "change": {name: {"size": abs(end), "less": end < 0} for name, end in (*ends.items(), ("bound", self.bound))},
        }  # fmt: skip


@documented
@dataclass(frozen=True, repr=False)
class Check(Result):
    """Whether a rule keeps its limits on labelled cases, each judged at the same certainty.

    Attributes
    ----------
    items : tuple of CheckItem
    rule, versus : Rule, Rule or None
    cases, positives, sure, prevalence
        How many there are, how sure each verdict is, and the prevalence if it was given.

    Examples
    --------
    >>> y, scores = load_german_credit_predictions()
    >>> found = ic.check(("random_forest", 0.248605), y, scores, max_fpr=0.5, min_tpr=0.95)
    >>> [item.verdict for item in found.items], found.verdict, found.exit_code
    (['kept', 'broken'], 'broken', 1)
    """

    _items = "items"

    items: tuple[CheckItem, ...]
    rule: Rule
    versus: Rule | None
    cases: int
    positives: int
    sure: float
    prevalence: float | None = None

    @property
    def verdict(self) -> Verdict:
        """The worst verdict: "broken" if any limit is, "kept" if all are, else "not certain"."""
        found = {item.verdict for item in self.items}
        return "broken" if "broken" in found else "not certain" if "not certain" in found else "kept"

    @property
    def exit_code(self) -> int:
        """0 if all limits are kept, 1 if one is broken, 3 if that is not certain."""
        return EXIT_CODES[self.verdict]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was checked, and one sentence per limit."""
        return self._said("")

    def _said(self, mark: str) -> tuple[str, ...]:
        about = {"rule": _named(self.rule), "cases": f"{self.cases:,}", "sure": self.sure}
        about |= {"versus": None if self.versus is None else _named(self.versus)}
        items = [{"question": {"words": self.rule.spoken}, "check": about | item.spoken(mark)} for item in self.items]
        return (say("check_head", items[0]), *(say("check_item", item) for item in items))

    def to_markdown(self) -> str:
        """Return the sentences as Markdown, for the summary of a CI job."""
        head, *lines = self._said("**")
        return "\n".join([f"**{self.verdict}**: {head}", "", *(f"- {line}" for line in lines), ""])

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"verdict": self.verdict, "exit_code": self.exit_code, "sentences": self.sentences}

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        return f"<Check: {_named(self.rule)} on {self.cases} cases, {self.verdict}>"


@documented_by(see="isocost.watch isocost.load_decision")
def check(
    rule: Any,
    y: ArrayLike,
    scores: Any,
    *,
    max_cost: float | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    max_flagged: float | None = None,
    min_precision: float | None = None,
    min_auc: float | None = None,
    sure: float = 0.95,
    versus: Any = None,
    not_worse_than: float | None = None,
    prevalence: float | None = None,
    group: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> Check:
    r"""Return whether a fixed rule keeps its limits on labelled cases: kept, broken, or not certain.

    A limit is kept if the one-sided limit of the value at `sure` is inside, broken if the other one is outside. Rates have exact
    binomial limits. Costs are sums over cells of cases, whose exact limits are combined (MOVER):

    .. math:: \textstyle\sum_j v_j \hat p_j \pm \sqrt{\sum_j v_j^2 (\hat p_j - l_j)^2}

    with the upper limit :math:`u_j` in place of the lower where it is the further end. All limits must be kept to pass, so a rule that
    breaks one passes with a chance of at most 1 - sure, however many limits there are.

    Parameters
    ----------
    rule : Rule, Decision, (model, threshold) or (model, threshold, Condition)
        Nothing is chosen on these cases.
    y, scores
        Labels, 0 or 1, of cases that are independent; an array, a dict of name to array, or a dataframe.
    max_cost, min_auc : float, optional
        Per 1000 cases, in the unit of the rule's costs; of the rule's model, by DeLong's limits.
    max_fpr, min_tpr, max_flagged, min_precision : float, optional
        Without any of them, the limits of the rule are checked.
    sure : float
        In [0.5, 1).
    versus, not_worse_than : Rule, Decision or (model, threshold), and float, optional
        The rule in use, on the same cases, and how much more the rule may cost per 1000 cases than that; negative if it must save.
    prevalence : float, optional
        Where the rule will be used; rates are then counted within each class. That of the cases by default.
    group, rng
        Of each case, if each group has its own rule; of a rule that mixes thresholds.

    References
    ----------
    Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404; Zou & Donner (2008), doi:10.1002/sim.3095; Berger & Hsu (1996),
    doi:10.1214/ss/1032280304.

    Examples
    --------
    >>> y, scores = load_german_credit_predictions()
    >>> print(ic.check(("random_forest", 0.248605, ic.Condition(1, 5, 0.3)), y, scores, max_cost=560, max_fpr=0.5))
    random_forest ≥ 0.248605 on 1,000 cases, each with 95 % certainty:
    false alarms 44.6 % of negatives (at most 47.7 %): within 50 %, kept.
    cost 502 per 1000 (449 to 565): limit 560, not certain; about 1,200 cases would be enough to tell.
    """
    counted = _Counted.of(rule, y, scores, sure, group, rng, prevalence)
    other = None if versus is None else Rule.of(versus)
    rates = {"max_fpr": max_fpr, "min_tpr": min_tpr, "max_flagged": max_flagged, "min_precision": min_precision}
    asked = {name: bound for name, bound in rates.items() if bound is not None} or dict(counted.rule.limits)
    found = [(name, counted.rate(name), checks.number(v, name, low=0.0, high=1.0)) for name, v in asked.items()]
    if max_cost is not None:
        found.append(("max_cost", counted.cost(), checks.number(max_cost, "max_cost")))
    if not_worse_than is not None:
        known = checks.needed(other, "not_worse_than= compares with the rule in use: pass it as versus=")
        before = known.apply(scores, group=group if known.groups is not None else None, rng=rng)
        bound = checks.number(not_worse_than, "not_worse_than")
        found.append(("not_worse_than", counted.difference(known, before), bound))
    if min_auc is not None:
        found.append(("min_auc", counted.area(scores), checks.number(min_auc, "min_auc", low=0.0, high=1.0)))
    limits = "max_fpr=, min_tpr=, max_flagged=, min_precision=, max_cost= or min_auc="
    checks.needed(found or None, f"there is no limit to check: pass {limits}")
    size, ups = counted.of_class[None], counted.of_class[True]
    items = tuple(CheckItem.of(name, values, bound, size) for name, values, bound in found)
    return Check(items, counted.rule, other, size, ups, float(sure), counted.prevalence)


@documented
def evaluate(
    rule: Any, y: ArrayLike, scores: Any, *, sure: float = 0.95, group: ArrayLike | None = None, rng: Any = None
) -> Evaluation:
    """Return what a fixed rule does and costs on labelled cases, whether it keeps its limits, and what the best rule would have cost.

    Parameters
    ----------
    rule, y, scores, sure, group, rng
        As for `check`; the prevalence is that of the cases.

    See Also
    --------
    Decision.evaluate_on : Also what the same question would have chosen on these cases.

    Examples
    --------
    >>> y, scores = load_german_credit_predictions()
    >>> found = ic.monitor.evaluate(("random_forest", 0.5, ic.Condition(1, 5, 0.3)), y, scores)
    >>> round(found.cost), round(found.low), round(found.high), round(found.best_within)
    (1014, 912, 1123, 502)
    """
    counted = _Counted.of(rule, y, scores, sure, group, rng)
    used, size = counted.rule, counted.of_class[None]
    rates = {name: counted.rate(name) for name in ("max_fpr", "min_tpr", "max_flagged", "min_precision")}
    limits = tuple(CheckItem.of(name, rates[name], bound, size) for name, bound in used.limits.items())
    cost, low, high = (None, None, None) if used.costs is None else counted.cost()
    best = None if used.costs is None else _best_within(used, counted.positive, scores)
    fpr, tpr, flagged, precision = (None if math.isnan(found[0]) else found[0] for found in rates.values())
    return Evaluation(
        size, fpr, tpr, flagged, precision, limits=limits, cost=cost, low=low, high=high, best_within=best, sure=float(sure),
        words=used.spoken,
    )  # fmt: skip


def judged(decision: Decision, found: Evaluation, positive: ArrayLike, scores: Any, **options: Any) -> Evaluation:
    """Return what a decided rule does on other cases with what is counted on the cases themselves; options are those of `evaluate`."""
    own = evaluate(decision, positive, scores, **options)
    counted = ("limits", "cost", "low", "high", "best_within", "sure")
    return replace(found, **{name: getattr(own, name) for name in counted})


def _best_within(rule: Rule, positive: Bools, scores: Any) -> float | None:
    """Return what the best rule of the same model within the same limits would have cost per 1000 of these cases."""
    if rule.groups is not None or rule.model in TRIVIAL_NAMES or positive.all() or not positive.any():
        return None
    look = rule.question.get("reviews") or {}
    keys = {"cost_review": "cost", "max_reviewed": "max_reviewed", "reviewer_fpr": "fpr", "reviewer_tpr": "tpr"}
    asked: dict[str, Any] = dict(rule.limits) | ({name: look.get(key) for name, key in keys.items()} if look else {})
    question = Question.of(replace(rule.condition, prevalence=float(positive.mean())), **asked)
    try:
        found = decide([RocCurve.from_scores(positive, rule.column(scores))], question).expected_cost
    except InfeasibleError:
        return None
    return None if found is None else 1000 * found


def _named(rule: Rule) -> str:
    """Return a rule in a few words."""
    if rule.groups is not None:
        return f"{rule.model}, a rule for each group"
    return f"{rule.model} ≥ {rule.threshold!r}".removesuffix(".0")


def exact_limits(count: float, cases: float, alpha: float) -> tuple[float, float]:
    """Return the exact one-sided limits of a share (Clopper and Pearson)."""
    from scipy.special import betaincinv

    upper = (1.0 if n >= cases else float(betaincinv(n + 1, cases - n, 1 - alpha)) for n in (cases - count, count))
    return 1.0 - next(upper), next(upper)


def _summed(cells: Cells, alpha: float) -> Ends:
    """Return the sum of value × share over cells and its limits (MOVER)."""
    value = down = up = 0.0
    for v, count, cases in cells:
        share = count / cases if cases else 0.0
        low, high = exact_limits(count, cases, alpha)
        reach = share - low, high - share
        value += v * share
        down += (v * reach[v < 0]) ** 2
        up += (v * reach[v > 0]) ** 2
    return value, value - math.sqrt(down), value + math.sqrt(up)


@dataclass(frozen=True, eq=False)
class _Counted:
    """How many cases a rule flags, reviews and clears, by class, at their own prevalence or at one that was given."""

    rule: Rule
    done: list[str]
    positive: Bools
    prevalence: float | None
    alpha: float

    @classmethod
    def of(
        cls, rule: Any, y: ArrayLike, scores: Any, sure: Any, group: ArrayLike | None, rng: Any, prevalence: Any = None
    ) -> _Counted:
        """Apply a rule to labelled cases."""
        share = None if prevalence is None else checks.number(prevalence, "prevalence", low=0.0, high=1.0)
        used = Rule.of(rule)
        checks.aligned(y=y, scores=scores, group=group)
        zero_or_one(y, "y")
        positive = checks.labels(y, name="y", both=False)
        done = used.apply(scores, group=group, rng=rng)
        checks.same_length(y=positive, scores=done)
        return cls(used, done.tolist(), positive, share, 1 - checks.level(sure, "sure", low=0.5))

    @cached_property
    def of_class(self) -> dict[bool | None, int]:
        """How many cases there are of each class, and of both (None)."""
        ups = int(self.positive.sum())
        return {True: ups, False: self.positive.size - ups, None: self.positive.size}

    @property
    def _parts(self) -> dict[bool, tuple[float, int]]:
        """How much a share of each class counts, and of how many cases it is one: of all, unless the prevalence was given."""
        if self.prevalence is None:
            return dict.fromkeys((True, False), (1.0, self.of_class[None]))
        return {True: (self.prevalence, self.of_class[True]), False: (1 - self.prevalence, self.of_class[False])}

    def _cells(self, values: Mapping[Any, float], treated: Iterable[Any]) -> Cells:
        """Return the cells of cases that are treated and labelled alike: what each is worth, how many, and of how many."""
        counts, parts = Counter(zip(treated, self.positive.tolist(), strict=True)), self._parts
        return [(v * parts[y][0], counts[what, y], parts[y][1]) for (what, y), v in values.items() if v != 0]

    def cost(self) -> Ends:
        """Return the cost per 1000 cases."""
        worth = {key: 1000 * cost for key, cost in self.rule.costs_of().items()}
        return _summed(self._cells(worth, self.done), self.alpha)

    def difference(self, other: Rule, before: NDArray[np.str_]) -> Ends:
        """Return how much more the rule costs per 1000 cases than another, on the cases they treat differently."""
        own, others = self.rule.costs_of(), other.costs_of(self.rule)
        worth = {
            ((now, then), y): 1000 * (own[now, y] - others[then, z])
            for (now, y), (then, z) in product(own, others)
            if y == z and (now != then or now == "review")
        }
        return _summed(self._cells(worth, zip(self.done, before.tolist(), strict=True)), self.alpha)

    def rate(self, name: str) -> Ends:
        """Return a rate of what is flagged in the end; each case counts by its chance of that, 0 or 1 unless reviewers err."""
        counts = Counter(zip(self.done, self.positive.tolist(), strict=True))
        flagged = {
            side: [(v, counts[key]) for key, v in self.rule.chances.items() if key[1] == side and v and counts[key]]
            or [(1.0, 0)]
            for side in (True, False)
        }
        if name in ("max_fpr", "min_tpr"):
            side = name == "min_tpr"
            return _share([(v, n, self.of_class[side]) for v, n in flagged[side]], self.alpha)
        parts, alike = self._parts, Counter[float]()
        tops, rest = ([(v * parts[y][0], n, parts[y][1]) for v, n in flagged[y]] for y in (True, False))
        cells = [*tops, *rest]
        if self.prevalence is None:  # cases with the same chance of being flagged are one share of all
            for v, n, _ in cells:
                alike[v] += n
            cells = [(v, n, self.of_class[None]) for v, n in alike.items()]
        if name == "max_flagged":
            return _share(cells, self.alpha)
        if set(alike) == {1.0}:
            return _share([(1.0, sum(n for _, n, _ in tops), alike[1.0])], self.alpha)
        return _ratio(tops, rest, self.alpha)

    def area(self, scores: Any) -> Ends:
        """Return the area under the ROC curve of the rule's model, by DeLong's limits."""
        if min(self.of_class[True], self.of_class[False]) < 2:
            return math.nan, 0.0, 1.0
        found = delong(self.positive, self.rule.column(scores), level=max(1 - 2 * self.alpha, ROUNDING))
        return found.auc, found.low, found.high


def _share(cells: Cells, alpha: float) -> Ends:
    if any(cases == 0 for _, _, cases in cells):
        return math.nan, 0.0, 1.0
    value, low, high = _summed(cells, alpha)
    return value, max(low, 0.0), min(high, 1.0)


def _ratio(tops: Cells, rest: Cells, alpha: float) -> Ends:
    """Return top/(top + rest) of two sums and its limits: the shares b at which the limits of (1 - b) top - b rest are 0."""
    from scipy.optimize import brentq

    top, other = _summed(tops, alpha)[0], _summed(rest, alpha)[0]
    if top + other == 0 or any(cases == 0 for _, _, cases in (*tops, *rest)):
        return math.nan, 0.0, 1.0

    def end(b: float, which: int) -> float:
        cells = [*(((1 - b) * v, n, m) for v, n, m in tops), *((-b * v, n, m) for v, n, m in rest)]
        return _summed(cells, alpha)[which]

    def crossing(which: int) -> float:
        low, high = end(0.0, which), end(1.0, which)
        return 0.0 if low <= 0 else 1.0 if high >= 0 else float(brentq(end, 0.0, 1.0, (which,)))

    return top / (top + other), crossing(1), crossing(2)

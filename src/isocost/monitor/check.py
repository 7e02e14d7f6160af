"""A fixed rule on labelled cases: each limit is kept, broken, or not certain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.decide.say import say
from isocost.errors import ConditionError, InputError
from isocost.inference.delong import delong
from isocost.monitor.rule import Rule
from isocost.results import Result
from isocost.validate import Bools

Verdict = Literal["kept", "broken", "not certain"]
RATES = ("max_fpr", "min_tpr", "max_flagged", "min_precision")
EXIT_CODES: dict[Verdict, int] = {"kept": 0, "broken": 1, "not certain": 3}
TREATMENTS = ("flag", "review", "clear")


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
    def of(cls, limit: str, found: tuple[float, float, float], bound: float, cases: int) -> CheckItem:
        """Judge a value with its limits."""
        value, low, high = found
        kept, broken = (high <= bound, low > bound) if not limit.startswith("min") else (low >= bound, high < bound)
        verdict: Verdict = "kept" if kept else "broken" if broken else "not certain"
        needed = None
        if not math.isnan(value) and value != bound:
            needed = math.ceil(cases * (((high if bound > value else low) - value) / (bound - value)) ** 2)
        return cls(limit, value, low, high, bound, verdict, needed)


@dataclass(frozen=True, repr=False)
class Check(Result):
    """Whether a rule keeps its limits on labelled cases, each judged at the same certainty.

    Attributes
    ----------
    items : tuple of CheckItem
    rule : Rule
    versus : Rule or None
    cases, positives : int
    sure : float
    prevalence : float or None
        If it was given; else that of the cases.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
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
        about = {
            "rule": _named(self.rule), "versus": None if self.versus is None else _named(self.versus), "cases": f"{self.cases:,}",
            "sure": self.sure,
        }  # fmt: skip
        question = {"words": words_of(self.rule)}
        items = [{"question": question, "check": about | item_data(item, mark)} for item in self.items]
        return (say("check_head", {"question": question, "check": about}), *(say("check_item", item) for item in items))

    def to_markdown(self) -> str:
        """Return the sentences as Markdown, for the summary of a CI job."""
        head, *lines = self._said("**")
        return "\n".join([f"**{self.verdict}**: {head}", "", *(f"- {line}" for line in lines), ""])

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"verdict": self.verdict, "exit_code": self.exit_code, "sentences": self.sentences}

    def __str__(self) -> str:
        """Say each limit and its verdict."""
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        """Say it in short."""
        return f"<Check: {_named(self.rule)} on {self.cases} cases, {self.verdict}>"


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
    y : array of shape (n,)
        Labels, 0 or 1; cases are taken to be independent.
    scores : array of shape (n,), dict of name to array, or dataframe
    max_cost : float, optional
        Per 1000 cases, in the unit of the rule's costs.
    max_fpr, min_tpr, max_flagged, min_precision : float, optional
        Without any of them, the limits of the rule are checked.
    min_auc : float, optional
        Of the rule's model, by DeLong's limits.
    sure : float
        In [0.5, 1).
    versus : Rule, Decision or (model, threshold), optional
        The rule in use, on the same cases.
    not_worse_than : float, optional
        How much more than `versus` the rule may cost per 1000 cases; negative if it must save.
    prevalence : float, optional
        Where the rule will be used; rates are then counted within each class. That of the cases by default.
    group : array of shape (n,), optional
        If each group has its own rule.
    rng : int or Generator, optional
        Of a rule that mixes thresholds.

    References
    ----------
    Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404; Zou & Donner (2008), doi:10.1002/sim.3095; Berger & Hsu (1996),
    doi:10.1214/ss/1032280304.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> print(ic.check(("random_forest", 0.248605, ic.Condition(1, 5, 0.3)), y, scores, max_cost=560, max_fpr=0.5))
    random_forest ≥ 0.248605 on 1,000 cases, each with 95 % certainty:
    false alarms 44.6 % of negatives (at most 47.7 %): within 50 %, kept.
    cost 502 per 1000 (449 to 565): limit 560, not certain; about 1,200 cases would be enough to tell.
    """
    used = Rule.of(rule)
    alpha = 1 - _sure(sure)
    other = None if versus is None else Rule.of(versus)
    validate.aligned(y=y, scores=scores, group=group)
    positive = validate.labels(y, name="y", both=False)
    done = used.apply(scores, group=group, rng=rng)
    validate.same_length(y=positive, scores=done)
    rates = {"max_fpr": max_fpr, "min_tpr": min_tpr, "max_flagged": max_flagged, "min_precision": min_precision}
    asked = {name: bound for name, bound in rates.items() if bound is not None} or dict(used.limits)
    bounds = {name: validate.number(bound, name, low=0.0, high=1.0) for name, bound in asked.items()}
    share = None if prevalence is None else validate.number(prevalence, "prevalence", low=0.0, high=1.0)
    cells = _Cells(positive, share, alpha)
    flagged = _final(used, done)
    found = [(name, cells.rate(name, *flagged), bound) for name, bound in bounds.items()]
    if max_cost is not None:
        found.append(("max_cost", cells.cost(_costs(used), done), validate.number(max_cost, "max_cost")))
    if not_worse_than is not None:
        if other is None:
            raise InputError("not_worse_than= compares with the rule in use: pass it as versus=")
        before = other.apply(scores, group=group if other.groups is not None else None, rng=rng)
        bound = validate.number(not_worse_than, "not_worse_than")
        found.append(("not_worse_than", cells.difference(_costs(used), done, _costs(other, used), before), bound))
    if min_auc is not None:
        found.append(
            ("min_auc", _area(used, positive, scores, alpha), validate.number(min_auc, "min_auc", low=0.0, high=1.0))
        )
    if not found:
        raise InputError(
            "there is no limit to check: pass max_fpr=, min_tpr=, max_flagged=, min_precision=, max_cost= or min_auc="
        )
    items = tuple(CheckItem.of(name, values, bound, positive.size) for name, values, bound in found)
    return Check(items, used, other, positive.size, int(positive.sum()), 1 - alpha, share)


def upper_limit(count: float, cases: float, alpha: float) -> float:
    """Return the exact one-sided upper limit of a share (Clopper and Pearson)."""
    from scipy.special import betaincinv

    return 1.0 if count >= cases else float(betaincinv(count + 1, cases - count, 1 - alpha))


def lower_limit(count: float, cases: float, alpha: float) -> float:
    """Return the exact one-sided lower limit of a share."""
    return 1.0 - upper_limit(cases - count, cases, alpha)


def summed(cells: Sequence[tuple[float, int, int]], alpha: float) -> tuple[float, float, float]:
    """Return the sum of value × share over cells (value, count, of how many cases) and its limits (MOVER)."""
    value = down = up = 0.0
    for v, count, cases in cells:
        share = count / cases if cases else 0.0
        reach = share - lower_limit(count, cases, alpha), upper_limit(count, cases, alpha) - share
        value += v * share
        down += (v * reach[v < 0]) ** 2
        up += (v * reach[v > 0]) ** 2
    return value, value - math.sqrt(down), value + math.sqrt(up)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Counts of labelled cases, at their own prevalence or at one that was given."""

    positive: Bools
    prevalence: float | None
    alpha: float

    def rate(
        self, name: str, flag_if_positive: NDArray[np.float64], flag_if_negative: NDArray[np.float64]
    ) -> tuple[float, float, float]:
        """Return a rate of what is flagged in the end; each case counts by its chance of that, 0 or 1 unless reviewers err."""
        ups, downs = self._weights(flag_if_positive, True), self._weights(flag_if_negative, False)
        total_ups, total_downs = int(self.positive.sum()), int((~self.positive).sum())
        tpr, fpr = [(v, n, total_ups) for v, n in ups], [(v, n, total_downs) for v, n in downs]
        pi = self.prevalence
        if name in ("max_fpr", "min_tpr"):
            cells = fpr if name == "max_fpr" else tpr
            return _share(cells, self.alpha)
        if pi is not None:
            weighted = [(pi * v, n, m) for v, n, m in tpr], [((1 - pi) * v, n, m) for v, n, m in fpr]
            if name == "max_flagged":
                return _share([*weighted[0], *weighted[1]], self.alpha)
            return _ratio(*weighted, self.alpha)
        merged: dict[float, int] = {}
        for v, n in (*ups, *downs):
            merged[v] = merged.get(v, 0) + n
        if name == "max_flagged":
            return _share([(v, n, self.positive.size) for v, n in merged.items()], self.alpha)
        if set(merged) <= {1.0}:
            return _share([(1.0, sum(n for _, n in ups), merged.get(1.0, 0))], self.alpha)
        cases = self.positive.size
        return _ratio([(v, n, cases) for v, n in ups], [(v, n, cases) for v, n in downs], self.alpha)

    def _weights(self, chance: NDArray[np.float64], positive: bool) -> list[tuple[float, int]]:
        values, counts = np.unique(chance[self.positive == positive], return_counts=True)
        found = [(float(v), int(n)) for v, n in zip(values, counts, strict=True) if v > 0]
        return found or [(1.0, 0)]

    def cost(self, costs: Mapping[tuple[str, bool], float], done: NDArray[np.str_]) -> tuple[float, float, float]:
        """Return the cost per 1000 cases."""
        return self._summed([(value, (done == what) & (self.positive == y), y) for (what, y), value in costs.items()])

    def difference(
        self, costs: Mapping[tuple[str, bool], float], done: NDArray[np.str_],
        others: Mapping[tuple[str, bool], float], before: NDArray[np.str_],
    ) -> tuple[float, float, float]:  # fmt: skip
        """Return how much more one rule costs per 1000 cases than another, on the cases they treat differently."""
        return self._summed(
            [
                (costs[now, y] - others[then, y], (done == now) & (before == then) & (self.positive == y), y)
                for (now, y), (then, z) in product(costs, others)
                if y == z and (now != then or now == "review")
            ]
        )

    def _summed(self, cells: Sequence[tuple[float, Bools, bool]]) -> tuple[float, float, float]:
        pi, size = self.prevalence, self.positive.size
        of = {True: int(self.positive.sum()), False: int((~self.positive).sum())}
        scaled = [
            (
                1000 * value * (1.0 if pi is None else pi if y else 1 - pi),
                int(rows.sum()),
                size if pi is None else of[y],
            )
            for value, rows, y in cells
            if value != 0
        ]
        return summed(scaled, self.alpha)


def _share(cells: Sequence[tuple[float, int, int]], alpha: float) -> tuple[float, float, float]:
    value, low, high = summed(cells, alpha)
    if any(cases == 0 for _, _, cases in cells):
        return math.nan, 0.0, 1.0
    return value, max(low, 0.0), min(high, 1.0)


def _ratio(
    tops: Sequence[tuple[float, int, int]], rest: Sequence[tuple[float, int, int]], alpha: float
) -> tuple[float, float, float]:
    """Return top/(top + rest) of two sums and its limits: the shares b at which the limits of (1 - b) top - b rest are 0."""
    top, other = summed(tops, alpha)[0], summed(rest, alpha)[0]
    if top + other == 0 or any(cases == 0 for _, _, cases in (*tops, *rest)):
        return math.nan, 0.0, 1.0

    def crossing(end: int) -> float:
        low, high = 0.0, 1.0
        for _ in range(60):
            b = (low + high) / 2
            ends = summed([*(((1 - b) * v, n, m) for v, n, m in tops), *((-b * v, n, m) for v, n, m in rest)], alpha)
            low, high = (b, high) if ends[end] > 0 else (low, b)
        return (low + high) / 2

    return top / (top + other), crossing(1), crossing(2)


def _final(rule: Rule, done: NDArray[np.str_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the chance that a case is flagged in the end if it is positive, and if it is negative."""
    _, fpr, tpr = reviewer(rule)
    flag, review = (done == "flag").astype(float), (done == "review").astype(float)
    return flag + tpr * review, flag + fpr * review


def reviewer(rule: Rule) -> tuple[float, float, float]:
    """Return what a review costs, and which shares of reviewed negatives and positives are flagged."""
    found = rule.question.get("reviews")
    if found is None:
        return 0.0, 0.0, 1.0
    return float(found["cost"]), float(found["fpr"]), float(found["tpr"])


def _costs(rule: Rule, default: Rule | None = None) -> dict[tuple[str, bool], float]:
    """Return what each treatment of a positive and of a negative costs per case."""
    costs = rule.costs if default is None else default.costs
    if costs is None:
        raise ConditionError("the rule has no costs to check: pass (model, threshold, Condition), or decide with costs")
    price, fpr, tpr = reviewer(rule)
    fp, fn, tp, tn = (float(costs[name]) for name in ("fp", "fn", "tp", "tn"))
    found = {("flag", True): tp, ("flag", False): fp, ("clear", True): fn, ("clear", False): tn}
    parts = [rule.review_from] if rule.groups is None else [part["review_from"] for part in rule.groups.values()]
    if any(end is not None for end in parts):
        found |= {
            ("review", True): price + tpr * tp + (1 - tpr) * fn,
            ("review", False): price + fpr * fp + (1 - fpr) * tn,
        }
    return found


def _area(rule: Rule, positive: Bools, scores: Any, alpha: float) -> tuple[float, float, float]:
    named = isinstance(scores, Mapping) or hasattr(type(scores), "columns")
    values = validate.by_name(scores)[rule.model] if named else scores
    if min(int(positive.sum()), int((~positive).sum())) < 2:
        return math.nan, 0.0, 1.0
    found = delong(positive, values, level=max(1 - 2 * alpha, 1e-12))
    return found.auc, found.low, found.high


def _sure(sure: Any) -> float:
    share = validate.number(sure, "sure")
    if not 0.5 <= share < 1:
        raise InputError(f"sure must be in [0.5, 1), got {sure!r}")
    return share


def _named(rule: Rule) -> str:
    """Return a rule in a few words."""
    if rule.groups is not None:
        return f"{rule.model}, a rule for each group"
    return f"{rule.model} ≥ {rule.threshold!r}".removesuffix(".0")


def words_of(rule: Rule) -> dict[str, str]:
    """Return the words of a rule's question, the usual ones where it has none."""
    usual = {
        "cases": "cases", "positive": "positive", "positives": "positives", "negatives": "negatives", "flag": "flag", "flagged": "flagged",
        "flagging": "flagging",
    }  # fmt: skip
    return usual | dict(rule.words) | {"unit": (rule.costs or {}).get("unit", "")}


def item_data(item: CheckItem, mark: str = "") -> dict[str, Any]:
    """Return what the sentence of a limit needs."""

    def amount(value: float) -> dict[str, Any]:
        return {"size": abs(value), "less": value < 0}

    needed = item.cases_needed if item.verdict == "not certain" else None
    # Two digits, rounded up.
    scale = 10 ** max(len(str(needed)) - 2, 0)
    about = None if needed is None else -(-needed // scale) * scale
    return {
        "limit": item.limit, "at_least": item.limit.startswith("min"), "value": item.value, "low": item.low, "high": item.high,
        "bound": item.bound, "verdict": item.verdict, "marked": f"{mark}{item.verdict}{mark}", "known": not math.isnan(item.value),
        "needed": None if about is None else f"{about:,}",
        "change": {name: amount(getattr(item, name)) for name in ("value", "low", "high", "bound")},
    }  # fmt: skip

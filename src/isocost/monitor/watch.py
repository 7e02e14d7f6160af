"""A deployed rule over time: what it costs now, whether another is cheaper, and which cases to label to know."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from isocost._front import documented_by
from isocost.curves.joint import TRIVIAL_NAMES
from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.decide.question import SLACK, TIE, first_least
from isocost.decide.say import say
from isocost.errors import InputError, IsocostError
from isocost.monitor.challenge import Challenge
from isocost.monitor.check import CheckItem, Ends, exact_limits
from isocost.monitor.prevalence import Counts, InUse, Likelihood, cuts_of, estimate_prevalence, reference_of
from isocost.monitor.rule import Rule
from isocost.numbers import ROUNDING, money, percent
from isocost.numbers import threshold as cut_at
from isocost.results import Result, plain

if TYPE_CHECKING:
    from isocost.compare import Comparison
    from isocost.data.counts import ScoreCounts
    from isocost.decide import Decision

Advice = Literal["keep", "change", "label", "not certain"]
Estimate = tuple[float | None, float, float]
# What a period comes to: the kind of alarm, how many periods it looks back over, the advice, and the rule to change to.
Found = tuple[str | None, int, Advice, int | None]
_KEEP: Found = (None, 0, "keep", None)
# Each period looks back over so many periods, pooled.
WINDOWS = (1, 2, 4, 8, 16, 32)
# An alarm rate is one for so many periods.
YEAR = 52
# A misfit of fewer cases is not worth a word.
MISFIT = 0.05
# Neighbouring steps in which so many labels were to be expected and none is have none on purpose.
_EXPECTED = 5
# 95 % points of the largest deviate over 52 periods and all windows, from 40,000 paths: by error rate (half of it is for money) and by the
# reference's noise over that of one period, 0, 1/8, 1/4, …, 16.
_RATES = (0.4, 0.2, 0.1, 0.05, 0.02)
_CRITICAL = np.array(
    [
        [2.891, 2.871, 2.799, 2.629, 2.279, 1.796, 1.377, 1.123, 0.988],
        [3.149, 3.127, 3.076, 2.939, 2.644, 2.200, 1.810, 1.564, 1.430],
        [3.377, 3.355, 3.315, 3.200, 2.941, 2.535, 2.162, 1.922, 1.792],
        [3.586, 3.576, 3.523, 3.429, 3.192, 2.826, 2.471, 2.241, 2.112],
        [3.844, 3.819, 3.788, 3.692, 3.495, 3.159, 2.827, 2.601, 2.478],
    ]
)


@dataclass(frozen=True)
class RuleSaving(Result):
    """What another rule of the same model would have saved per 1000 cases.

    Attributes
    ----------
    threshold : float
    review_from : float or None
    saving : float or None
        None if the labels that are missing leave it open between the ends.
    saving_low, saving_high : float
    """

    threshold: float
    review_from: float | None
    saving: float | None
    saving_low: float
    saving_high: float


@dataclass(frozen=True)
class Assumed(Result):
    """What the scores say if one thing about the classes stayed as it was; costs are per 1000 cases.

    Attributes
    ----------
    prevalence, low, high : float
    cost, regret, regret_low, regret_high, threshold : float or None
        Of keeping the rule; how much more that is than the best rule within the limits; and the threshold of that. None if rejected.
    misfit, p_value : float or None
        The share of the cases that the assumption does not explain, and how likely so many are. None if it explains all scores.
    rejected : bool
    """

    prevalence: float
    low: float
    high: float
    cost: float | None = None
    regret: float | None = None
    regret_low: float | None = None
    regret_high: float | None = None
    threshold: float | None = None
    misfit: float | None = None
    p_value: float | None = None
    rejected: bool = False


@dataclass(frozen=True)
class ToLabel(Result):
    """Which cases to label to know what to do.

    Attributes
    ----------
    count : int
    score_from, score_below : float
        Cases with scores from the one to below the other.
    rows : ndarray of int
        Row numbers of the period, in random order; empty if only counts are known.
    """

    count: int
    score_from: float
    score_below: float
    rows: Counts


@dataclass(frozen=True)
class Period(Result):
    """One period of a deployed rule; costs and savings are per 1000 cases.

    Attributes
    ----------
    period, cases, labelled : name, int, int
    basis : {"labels", "bounds", "assumptions"}
        What the cost rests on: measured, bounded since some labels are missing on purpose, or unknown without labels.
    cost, cost_low, cost_high : float or None
        Of keeping the rule, by the labels.
    alternatives : tuple of RuleSaving
        Other rules within the limits, by the labels: `threshold`, `review_from`, `saving`, `saving_low`, `saving_high`.
    if_shares_moved, if_risks_hold : Assumed
        If only the share of positives moved, and if the risk at each score stayed as it was.
    limits : tuple of CheckItem
    alarm, looked : {"limit", "change", "label"} or None, int
        A limit is broken, another rule is cheaper, or labels are needed to know; over how many periods the alarm looks back.
    advice : {"keep", "change", "label", "not certain"}
    change_to, change_review_from : float or None
        Thresholds to change to.
    to_label : ToLabel or None
        Which cases to label to know what to do: `count`, `score_from`, `score_below`, `rows`.
    sentence : str
    """

    period: Any
    cases: int
    labelled: int
    basis: Literal["labels", "bounds", "assumptions"]
    cost: float | None
    cost_low: float | None
    cost_high: float | None
    alternatives: tuple[RuleSaving, ...]
    if_shares_moved: Assumed
    if_risks_hold: Assumed
    limits: tuple[CheckItem, ...]
    alarm: str | None
    looked: int
    advice: Advice
    change_to: float | None
    change_review_from: float | None
    to_label: ToLabel | None
    sentence: str = ""


@dataclass(frozen=True)
class Alarm(Result):
    """The first alarm of a watch.

    Attributes
    ----------
    period : name of the period
    number : int
        Which period it is, from 1.
    kind : {"limit", "change", "label"}
        A limit is broken, another rule is cheaper, or labels are needed to know.
    """

    period: Any
    number: int
    kind: str


@dataclass(frozen=True, repr=False)
class Watch(Result):
    """A deployed rule over its periods.

    Attributes
    ----------
    periods : tuple of Period
    alarm : Alarm or None
        The first one: `period`, `number` (from 1), `kind`.
    rule : Rule
    ignore_below, error_rate, level : float
        Savings per 1000 cases that are not worth a change, the chance of a false alarm in 52 periods, and that of the intervals.

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> decision = ic.Comparison.from_scores(y, {"m": range(20, 0, -1)}).decide(ic.Condition(cost_fp=1, cost_fn=4, prevalence=0.25))
    >>> ic.watch(decision, {"week 1": [20, 19, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2]})
    <Watch: m ≥ 13 over 1 period, no alarm>
    """

    _items = "periods"

    periods: tuple[Period, ...]
    alarm: Alarm | None
    rule: Rule
    ignore_below: float
    error_rate: float
    level: float

    @property
    def sentences(self) -> tuple[str, ...]:
        """What each period says, the last one first."""
        return tuple(period.sentence for period in reversed(self.periods))

    @property
    def unit(self) -> str:
        """Of the costs."""
        return str((self.rule.costs or {}).get("unit", ""))

    def save(self, path: str | Path, *, title: str | None = None, challenge: Challenge | None = None) -> Path:
        """Write the periods as a page (.html: one file that opens offline) or as data (.json), and return where.

        With `challenge`, the page also shows how a new rule compares with the one in use, and which rows to label.
        """
        from isocost.report import save_watch

        if challenge is not None:
            checks.instance(challenge, "challenge", Challenge, "what isocost.challenge returns")
        return save_watch(self, path, title, None if challenge is None else challenge.to_dict())

    def __str__(self) -> str:
        parts = [self.periods[-1].sentence]
        if self.alarm is not None and self.alarm.number < len(self.periods):
            parts.append(say("watch_first", {"watch": {"first": plain(self.alarm)}}))
        return " ".join(parts)

    def __repr__(self) -> str:
        count = f"{len(self.periods)} period{'s' if len(self.periods) > 1 else ''}"
        alarm = "no alarm" if self.alarm is None else f"alarm in {self.alarm.period} ({self.alarm.kind})"
        return f"<Watch: {self.rule.model} ≥ {self.rule.threshold:g} over {count}, {alarm}>"


def table_of(watched: Watch) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of the periods, as people read them; what no period has is left out."""
    rows = [_row(period) for period in watched.periods]
    heads = [name for name in rows[0] if any(row[name] not in ("–", "0") for row in rows)]
    return heads, [[row[name] for name in heads] for row in rows]


def _row(period: Period) -> dict[str, str]:
    """Return the row of a period, by column; costs are per 1000 cases."""

    def shown(write: Callable[[float], str], *values: float | None) -> str:
        return " to ".join(write(value) for value in values if value is not None) or "–"

    moved, held, label = period.if_shares_moved, period.if_risks_hold, period.to_label
    return {
        "period": str(period.period), "alarm": period.alarm or "–", "advice": period.advice, "cases": f"{period.cases:,}",
        "with labels": f"{period.labelled:,}", "cost per 1000": shown(money, period.cost),
        "its interval": shown(money, period.cost_low, period.cost_high), "if shares moved": shown(percent, moved.prevalence),
        "regret": "rejected" if moved.rejected else shown(money, moved.regret), "if risks hold": shown(percent, held.prevalence),
        "regret then": shown(money, held.regret), "misfit": shown(percent, moved.misfit), "change to": shown(cut_at, period.change_to),
        "to label": "–" if label is None else f"{label.count:,}",
    }  # fmt: skip


@documented_by(see="isocost.check isocost.estimate_prevalence isocost.challenge")
def watch(
    rule: Any,
    periods: Mapping[Any, Any] | Sequence[Any],
    *,
    ignore_below: float = 0.0,
    level: float = 0.90,
    error_rate: float = 0.1,
) -> Watch:
    r"""Return what a deployed rule costs in each period, whether another threshold is cheaper, and alarms.

    Scores are cut into steps. With :math:`W_k` the share of a period's cases in step k, :math:`r_k` their risk, g = fp_gap and
    G = fp_gap + fn_gap, another threshold saves per 1000 cases

    .. math:: 1000 \textstyle\sum_{k\text{ between}} \pm W_k (G r_k - g)

    Where there are labels, the risk is measured: one binomial for the cases between the two thresholds. Without them it is what it would be
    if only the share of positives moved, and what it would be if the risk at each score stayed as it was; a change is advised only if both
    agree. Each period looks back over the last 1, 2, 4, …, 32 periods pooled, and needs no state: pass the last 32 periods.

    Parameters
    ----------
    rule : Rule or Decision
        With the cases it was chosen on counted in it.
    periods : dict of name to cases, or a sequence of cases
        Cases of each period in the order of time: scores, a tuple of scores and labels (NaN or None where unknown), or `ScoreCounts`.
    ignore_below : float
        Savings per 1000 cases that are not worth a change.
    level, error_rate : float
        Of the intervals; chance of a false alarm in 52 periods, from 0.02 to 0.4: half of it for money, half for misfit and limits.

    References
    ----------
    Zou & Donner (2008), doi:10.1002/sim.3095; Saerens, Latinne & Decaestecker (2002), doi:10.1162/089976602753284446.

    Examples
    --------
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> decision = ic.Comparison.from_scores(y, {"m": range(20, 0, -1)}).decide(ic.Condition(cost_fp=1, cost_fn=4, prevalence=0.25))
    >>> found = ic.watch(decision, [([20, 19, 18, 14, 3, 2, 1, 1] * 100, [1, 1, 0, 0, 0, 0, 0, 0] * 100)])
    >>> found.periods[0].cost, found.periods[0].advice
    (250.0, 'change')
    """
    used, named = Rule.of(rule), _by_period(periods)
    slack = checks.number(ignore_below, "ignore_below", low=0.0)
    share = checks.number(error_rate, "error_rate", low=_RATES[-1], high=_RATES[0])
    table = _Table.of(used, [InUse.of(given, f"period {name}") for name, given in named.items()])
    watcher = _Watcher(table, slack, checks.level(level), share)
    found = tuple(watcher.period(number, name) for number, name in enumerate(named, 1))
    alarms = (Alarm(period.period, number, period.alarm) for number, period in enumerate(found, 1) if period.alarm)
    return Watch(found, next(alarms, None), used, slack, share, watcher.level)


def _by_period(periods: Any) -> dict[Any, Any]:
    named = isinstance(periods, Mapping)
    try:
        found = dict(periods) if named else dict(enumerate(periods, 1))
    except TypeError:
        found = {1: periods}
    if not named and any(np.isscalar(given) or given is None for given in found.values()):
        raise InputError(f"periods must be a list of scores or a dict of name to scores, got {type(periods).__name__}")
    return checks.some(found, "periods", "pass the scores of at least one period")


def critical(ratio: Floats, error_rate: float) -> Floats:
    """Return how many standard deviations make an alarm, by the reference's noise over that of one period."""
    row = [np.interp(_z(1 - error_rate), [_z(1 - rate) for rate in _RATES], column) for column in _CRITICAL.T]
    return np.asarray(np.interp(np.log2(np.maximum(ratio, 1 / 16)), np.r_[-4.0, np.arange(-3, 5)], row))


@dataclass(frozen=True, eq=False)
class _Table:
    """The steps of a rule: the reference's counts, the cases of each period, and what rules cost in each step as a line in the risk.

    `base` and `slope` have a row per rule, that in use first, and a column per step: base + slope × risk, per 1000 cases. `flags` is the
    share of a step that a rule flags in the end, of positives and of negatives. A period has all cases, labelled and positive ones.
    """

    rule: Rule
    cuts: Floats
    positives: Counts
    negatives: Counts
    periods: tuple[Counts, ...]
    cases: tuple[InUse, ...]
    thresholds: tuple[tuple[float, float | None], ...]
    base: Floats
    slope: Floats
    flags: tuple[Floats, Floats]
    looked: Floats

    @classmethod
    def of(cls, rule: Rule, cases: Sequence[InUse]) -> _Table:
        """Count everything between the cuts of a rule; a cut inside a bucket is left out."""
        rule.of_one_score("watch rule.for_group(name) with the cases of the group", "watch rules of one model")
        scored = None if rule.model in TRIVIAL_NAMES else rule.reference
        why = "the rule does not know the cases it was chosen on: save the rule of a decision on scores"
        counted = checks.needed(scored, why)
        cuts = np.array(counted["cuts"], dtype=np.float64)
        divided = np.any([used.divided(cuts) for used in cases], axis=0)
        if set(rule.cuts) & set(cuts[divided].tolist()):
            raise InputError(
                "a bucket of scores holds the threshold of the rule: count with cuts=rule.reference['cuts']"
            )
        # Steps on either side of a cut that is left out are one.
        merged = np.r_[0, np.cumsum(~divided)].astype(int)
        ups, downs = (np.bincount(merged, weights=counted[name]).astype(int) for name in ("positives", "negatives"))
        Likelihood(ups, downs, ups).require_difference("the rule's reference")
        cuts = cuts[~divided]
        kinds = [used.in_steps(cuts) for used in cases]
        periods = tuple(np.stack([kind.sum(axis=0), kind[1] + kind[2], kind[1]]) for kind in kinds)
        return cls(rule, cuts, ups, downs, periods, tuple(cases), *_priced_rules(rule, cuts))

    @property
    def tie(self) -> float:
        """Costs that differ by less are the same."""
        at = self.rule.condition
        return 1000 * TIE * (at.fp_gap + at.fn_gap)

    def best(self, savings: Floats, within: Bools) -> int:
        """Return the rule among some that saves most: of those that save the same the first."""
        return int(first_least(np.where(within, -savings, math.inf), self.tie))

    @cached_property
    def saving(self) -> tuple[Floats, Floats]:
        """What each rule saves in each step: base and slope of the rule in use less its own."""
        return self.base[0] - self.base, self.slope[0] - self.slope

    @cached_property
    def differs(self) -> Bools:
        """Which steps each rule treats differently from the one in use."""
        base, slope = self.saving
        return np.asarray((base != 0) | (slope != 0))


def _priced_rules(
    rule: Rule, cuts: Floats
) -> tuple[tuple[tuple[float, float | None], ...], Floats, Floats, tuple[Floats, Floats], Floats]:
    """Return the rule in use and all others: thresholds, cost lines, what is flagged in the end, and what is reviewed."""
    costs, chances = rule.costs_of(), rule.chances
    ways = [what if (what, True) in costs else "clear" for what in ("flag", "review", "clear")]
    # What each way costs if negative and if positive, how likely a positive and a negative are flagged in the end, and who looks.
    each = np.array(
        [[costs[w, y] for y in (False, True)] + [chances[w, y] for y in (True, False)] + [w == "review"] for w in ways]
    )
    ends, steps = [math.inf, *cuts.tolist(), -math.inf], np.arange(cuts.size + 1)

    def handled(threshold: float, review_from: float | None) -> Floats:
        flagged, seen = (ends.index(cut) for cut in (threshold, threshold if review_from is None else review_from))
        return np.asarray(each[np.where(steps < flagged, 0, np.where(steps < seen, 1, 2))])

    own = handled(rule.threshold, rule.review_from)
    if rule.mix is not None:
        own = (1 - rule.mix["share"]) * own + rule.mix["share"] * handled(rule.mix["threshold"], None)
    # In the order of ties: nobody, everybody, the fewest flagged first; then the fewest reviewed.
    others: list[tuple[float, float | None]] = [(end, None) for end in (math.inf, -math.inf, *cuts.tolist())]
    if rule.review_from is not None:
        others += [pair for wide in range(1, len(ends)) for pair in zip(ends, ends[wide:], strict=False)]
    negative, positive, *flags = np.moveaxis(np.array([own, *(handled(*pair) for pair in others)]), -1, 0)
    lines = 1000 * negative, 1000 * (positive - negative)
    return ((rule.threshold, rule.review_from), *others), *lines, (flags[0], flags[1]), flags[2]


@dataclass(frozen=True, eq=False)
class _Scores:
    """What unlabelled cases say under one assumption: the saving of each rule, its noise from the new cases and from the reference."""

    prevalence: float
    low: float
    high: float
    saving: Floats
    new: Floats
    reference: Floats
    # Positives and negatives of each step, as shares of all cases.
    ups: Floats
    downs: Floats
    misfit: float | None = None
    p_value: float | None = None

    @property
    def spread(self) -> Floats:
        """The standard deviation of each saving."""
        return np.hypot(self.new, self.reference)


def shares_moved(table: _Table, seen: Counts, level: float | None = None) -> _Scores:
    """Return what the scores say if only the share of positives moved (delta method); without a level, no limits of that share."""
    judge = Likelihood(table.positives, table.negatives, seen)
    (p, q), pi, cases = judge.rates, judge.maximum(), int(seen.sum())
    d, f = p - q, pi * p + (1 - pi) * q
    down, rise = table.saving  # what is saved on a negative, and how much more on a positive
    up = down + rise
    change = up @ p - down @ q
    information = max(float(np.sum(seen * (d / f) ** 2)), 1000 * ROUNDING)
    new = np.abs(change) * math.sqrt(cases * float(np.sum(d * d / f))) / information
    noise = judge.noise(
        change[:, None] * (seen * q / f**2 / information) + pi * up,
        -change[:, None] * (seen * p / f**2 / information) + (1 - pi) * down,
    )
    low, high = (math.nan, math.nan) if level is None else judge.interval(pi, level)
    saving = pi * up @ p + (1 - pi) * down @ q
    return _Scores(pi, low, high, saving, new, noise, pi * p, (1 - pi) * q, *judge.misfit(pi))


def risks_hold(table: _Table, seen: Counts, level: float | None = None) -> _Scores:
    """Return what the scores say if the risk at each score stayed as it was."""
    judge = Likelihood(table.positives, table.negatives, seen)
    (p, q), risk, share = judge.rates, judge.risks(table.rule.prevalence), seen / seen.sum()
    base, slope = table.saving
    # The last row is the share of positives.
    lines, rises = np.vstack([base + slope * risk, risk]), np.vstack([slope, np.ones(risk.size)])
    means = lines @ share
    new = np.sqrt(np.maximum((lines**2) @ share - means**2, 0) / seen.sum())
    moved = rises * (share * risk * (1 - risk))
    noise = judge.noise(moved / p, -moved / q)
    reach = math.nan if level is None else _z(level) * math.hypot(new[-1], noise[-1])
    pi = float(means[-1])
    low, high = max(pi - reach, 0.0), min(pi + reach, 1.0)
    return _Scores(pi, low, high, means[:-1], new[:-1], noise[:-1], share * risk, share * (1 - risk))


def _z(level: float) -> float:
    """Return how many standard deviations reach to the ends of an interval."""
    return NormalDist().inv_cdf((1 + level) / 2)


@dataclass(frozen=True, eq=False)
class _Labels:
    """Cases of a window by step: all, labelled, and positive among these; risks are measured region by region.

    Limits of a risk are Wilson's at z, or exact ones at a one-sided alpha.
    """

    table: _Table
    cases: Counts
    labelled: Counts
    positive: Counts
    z: float
    alpha: float | None = None

    def cost(self) -> Estimate:
        """Return what keeping the rule costs."""
        return self._summed(self.table.base[0], self.table.slope[0])

    def savings(self) -> dict[int, Estimate]:
        """Return what each rule saves that treats some case differently."""
        base, slope = self.table.saving
        differs = np.any(self.table.differs & (self.cases > 0), axis=1)
        return {c: self._summed(base[c], slope[c]) for c in np.flatnonzero(differs).tolist()}

    def risk(self, region: Bools) -> tuple[float, float, float | None, float, float]:
        """Return the share of all cases in a region with a measured risk, that without labels on purpose, the risk, and its ends."""
        cases, labelled = self.cases[region], self.labelled[region]
        known, hits, total = int(labelled.sum()), int(self.positive[region].sum()), float(self.cases.sum())
        if not known:
            return 0.0, cases.sum() / total, None, 0.0, 1.0
        # Neighbouring steps without a label count together: labels between two scores leave all above and below without.
        empty = labelled == 0
        runs = np.cumsum(~empty)
        expected = np.bincount(runs, weights=np.where(empty, cases, 0))[runs] * known
        blind = empty & (expected >= _EXPECTED * cases.sum())
        p, w = hits / known, self.z**2 / known
        middle, reach = (p + w / 2) / (1 + w), self.z / (1 + w) * math.sqrt(p * (1 - p) / known + w / (4 * known))
        ends = (middle - reach, middle + reach) if self.alpha is None else exact_limits(hits, known, self.alpha)
        return cases[~blind].sum() / total, cases[blind].sum() / total, p, *ends

    def _summed(self, base: Floats, slope: Floats) -> Estimate:
        """Return the sum over regions that are treated alike, their ends combined (MOVER), or added where bounds are among them."""
        parts, known = [], True
        for start, rise in dict.fromkeys(zip(base.tolist(), slope.tolist(), strict=True)):
            region = (base == start) & (slope == rise)
            if not (start or rise) or not self.cases[region].any():
                continue
            seen, blind, risk, *ends = self.risk(region)
            known &= blind == 0 and risk is not None
            line = start + rise * (risk or 0.0)
            # How many cases fall here is itself a count.
            slack = self.z**2 * seen * (1 - seen) / float(self.cases.sum()) * line**2
            low, high = sorted(seen * (start + rise * end) for end in ends)
            value = seen * line
            down, up = math.sqrt((value - low) ** 2 + slack), math.sqrt((high - value) ** 2 + slack)
            parts.append((value, down - blind * min(start, start + rise), up + blind * max(start, start + rise)))
        total, downs, ups = (list(column) for column in zip(*parts, strict=True)) if parts else ([], [], [])
        value = math.fsum(total)
        if not known:
            return None, value - sum(downs), value + sum(ups)
        return value, value - math.hypot(*downs), value + math.hypot(*ups)

    def rate(self, name: str, flagged: Bools) -> Ends:
        """Return a rate of the rule in use by the risks of the flagged cases and of the others: it lies between their ends."""
        sides = []
        for region in (flagged, ~flagged):
            seen, blind, risk, low, high = self.risk(region)
            value = None if blind or (risk is None and seen) else seen * (risk or 0.0)
            sides.append((value, (seen * low, seen * high + blind), seen + blind))
        (inside, tops, size), (outside, rest, others) = sides

        def at(tp: float, missed: float) -> float:
            return float(_rate(name, tp, size - tp, tp + missed, size + others - tp - missed))

        corners = [end for end in (at(*corner) for corner in product(tops, rest)) if not math.isnan(end)]
        known = inside is not None and (outside is not None or name == "min_precision")
        value = at(float(inside or 0.0), float(outside or 0.0)) if known else math.nan
        return value, min(corners, default=0.0), max(corners, default=1.0)


def _rate(name: str, tp: Any, fp: Any, positives: Any, negatives: Any) -> Any:
    """Return a rate, of one rule or of many; not a number where there are no such cases."""
    top, of = {
        "max_flagged": (tp + fp, positives + negatives), "max_fpr": (fp, negatives), "min_tpr": (tp, positives),
        "min_precision": (tp, tp + fp),
    }[name]  # fmt: skip
    return np.divide(top, of, out=np.full(np.shape(top), math.nan), where=np.asarray(of) > 0)


@dataclass(frozen=True, eq=False)
class _Watcher:
    """Judges one period after another, each by what came before it."""

    table: _Table
    slack: float
    level: float
    error_rate: float

    @property
    def allowed(self) -> float:
        """The p-value of an alarm by misfit or by a limit."""
        return self.error_rate / 2 / (YEAR * len(WINDOWS))

    def windows(self, number: int) -> Iterator[tuple[int, Counts, Counts | None]]:
        """Go through the windows that end with a period: how long, the counts, and those of as many periods with labels."""
        periods = self.table.periods[:number]
        known = [period for period in periods if period[1].any()]
        for window in (w for w in WINDOWS if w <= number):
            own = np.sum(known[-window:], axis=0) if known else None
            yield window, np.sum(periods[-window:], axis=0), own

    def assumed(self, seen: Counts, level: float | None = None) -> tuple[_Scores, _Scores, bool]:
        """Return what the scores say under both assumptions, and whether the first is rejected: in size, and not by chance."""
        moved, held = shares_moved(self.table, seen, level), risks_hold(self.table, seen, level)
        unlikely = moved.p_value is not None and moved.p_value <= self.allowed
        return moved, held, unlikely and (moved.misfit or 0.0) > MISFIT

    def measured(self, counts: Counts, alpha: float | None = None) -> _Labels:
        """Return the labels of some periods, with intervals at the level or exact limits."""
        cases, labelled, positive = counts
        z = _z(self.level) if alpha is None else -NormalDist().inv_cdf(alpha)
        return _Labels(self.table, cases, labelled, positive, z, alpha)

    def period(self, number: int, name: Any) -> Period:
        """Judge one period."""
        counts = self.table.periods[number - 1]
        cases, labelled, _ = counts
        some = bool(labelled.any())
        moved, held, rejected = self.assumed(cases, self.level)
        believed = [held] if rejected else [moved, held]
        within = self._within(counts, believed)
        alarm, looked, advice, best = self._found(number, within, believed, rejected=rejected)
        own = self.measured(counts)
        cost = own.cost() if some else (None, None, None)
        ends, savings = self.table.thresholds, own.savings() if some else {}
        others = tuple(RuleSaving(ends[c][0], ends[c][1], *saved) for c, saved in savings.items() if within[c])
        change = (None, None) if best is None else ends[best]
        known = Period(
            name, int(cases.sum()), int(labelled.sum()), "assumptions" if not some else "bounds" if cost[0] is None else "labels",
            cost[0], cost[1], cost[2], others, self._said(moved, within, rejected=rejected), self._said(held, within),
            self._limits(counts, (1 - self.level) / 2, [] if rejected else believed), alarm, looked, advice, change[0], change[1],
            self._to_label(number, moved, within, rejected) if advice in ("label", "not certain") else None,
        )  # fmt: skip
        saving = None
        if some and alarm == "change" and best is not None:
            seen = next(seen for window, _, seen in self.windows(number) if window == looked)
            saving = None if seen is None else self.measured(seen).savings().get(best)
        return replace(known, sentence=_sentence(known, self, saving))

    def _found(self, number: int, within: Bools, believed: Sequence[_Scores], *, rejected: bool) -> Found:
        """Return what a period comes to: a broken limit first, then what labels and then what scores say."""
        cases, labelled, _ = self.table.periods[number - 1]
        if broken := self._limit_broken(number):
            moved_by = np.where(within, self.table.differs @ cases, 0)
            # The rule within the limits that treats the fewest cases differently.
            others = np.flatnonzero(moved_by > 0)
            if not others.size:
                return "limit", broken, "label", None
            return "limit", broken, "change", int(others[np.argmin(moved_by[others])])
        found = self._by_labels(number, within) if labelled.any() else _KEEP
        if found[0] is None and labelled.sum() < cases.sum():
            found = self._by_scores(number, within)
            tempting = rejected or max(scores.saving[within].max() for scores in believed) > self.slack
            if tempting and not labelled.any() and found[0] is None:
                return None, 0, "not certain", None
        return found

    def _said(self, scores: _Scores, within: Bools, *, rejected: bool = False) -> Assumed:
        best, money = self.table.best(scores.saving, within), {}
        if not rejected:
            saved, reach = float(scores.saving[best]), _z(self.level) * float(scores.spread[best])
            base, slope = self.table.base[0], self.table.slope[0]
            ends = {"regret": saved, "regret_low": saved - reach, "regret_high": saved + reach}
            money = {name: max(0.0, end) for name, end in ends.items()}
            money |= {"cost": float(scores.ups @ (base + slope) + scores.downs @ base)}
            money |= {"threshold": self.table.thresholds[best][0]}
        known = {name: getattr(scores, name) for name in ("prevalence", "low", "high", "misfit", "p_value")}
        return Assumed(**known, rejected=rejected, **money)

    def _by_labels(self, number: int, within: Bools) -> Found:
        """Look for a rule that surely saves, by the labels of the last periods that have some."""
        found, most = _KEEP, -math.inf
        reach = float(critical(np.zeros(1), self.error_rate)[0])
        tail = math.erfc(reach / math.sqrt(2)) / 2 / self.table.positives.size
        enough = sum(bool(period[1].any()) for period in self.table.periods[:number])
        for window, _, counts in self.windows(number):
            if counts is None or window > enough:
                break
            for c, (value, low, _) in self.measured(counts, tail).savings().items():
                saved = low if value is None else value
                # Of rules that save the same, the first.
                if within[c] and low > self.slack and saved > most + self.table.tie:
                    found, most = ("change", window, "change", c), saved
        return found

    def _by_scores(self, number: int, within: Bools) -> Found:
        """Look for what the scores alone say of the last periods, unless the labels rule it out."""
        found = _KEEP
        for window, counts, known in self.windows(number):
            moved, held, rejected = self.assumed(counts[0])
            one, other = (self._sure(scores, window) & within for scores in (moved, held))
            if known is not None:
                seen = self.measured(known).savings()
                out = {c for c, (value, _, high) in seen.items() if value is not None and high <= self.slack}
                if rejected or set(np.flatnonzero(one | other).tolist()) <= out or int(np.argmax(moved.saving)) in out:
                    continue
            if not rejected and (one & other).any():
                return "change", window, "change", self.table.best(np.minimum(moved.saving, held.saving), one & other)
            if rejected or (one | other).any():
                found = "label", window, "label", None
        return found

    def _sure(self, scores: _Scores, window: int) -> Bools:
        """Return which savings are beyond what is ignored, and beyond chance."""
        ratio = scores.reference / np.maximum(scores.new * math.sqrt(window), 1000 * ROUNDING)
        return np.asarray((scores.saving - self.slack) / (scores.spread + ROUNDING) > critical(ratio, self.error_rate))

    def _within(self, counts: Counts, assumed: Sequence[_Scores]) -> Bools:
        """Return which rules keep the limits, as far as labels, or else the assumptions, say."""
        cases, labelled, hits = counts
        found, sources = np.ones(len(self.table.thresholds), dtype=np.bool_), [(s.ups, s.downs) for s in assumed]
        if bool((labelled[cases > 0] > 0).all()):
            risk: Floats = np.divide(hits, labelled, out=np.zeros(cases.size), where=labelled > 0)
            sources = [(cases * risk, cases * (1 - risk))]
        flag_ups, flag_downs = self.table.flags
        for (ups, downs), (name, bound) in product(sources, self.table.rule.limits.items()):
            rate = _rate(name, flag_ups @ ups, flag_downs @ downs, ups.sum(), downs.sum())
            # A share of no cases breaks no limit.
            found &= ~(rate > bound + SLACK if name.startswith("max") else rate < bound - SLACK)
        most = (self.table.rule.question.get("reviews") or {}).get("max_reviewed")
        if most is not None:
            found &= self.table.looked @ cases <= (most + SLACK) * cases.sum()
        found[0] = True  # the rule in use is judged by its alarms
        return found

    def _limits(self, counts: Counts, alpha: float, assumed: Sequence[_Scores]) -> tuple[CheckItem, ...]:
        """Judge the limits of the rule in use: by counts and labels, else between what the assumptions say."""
        (cases, labelled, _), (ups, downs) = counts, (flags[0] for flags in self.table.flags)
        plainly = bool(np.isin(ups, (0.0, 1.0)).all() and np.array_equal(ups, downs))
        total, items = int(cases.sum()), []
        for name, bound in self.table.rule.limits.items():
            if name == "max_flagged" and plainly:
                count = int(cases[ups == 1].sum())
                rate = (count / total, *exact_limits(count, total, alpha))
            elif labelled.any() and plainly:
                rate = self.measured(counts, alpha / 2).rate(name, ups == 1)
            else:
                ends = [float(_rate(name, ups @ s.ups, downs @ s.downs, s.ups.sum(), s.downs.sum())) for s in assumed]
                rate = (math.nan, min(ends, default=0.0), max(ends, default=1.0))
            items.append(CheckItem.of(name, rate, bound, total))
        return tuple(items)

    def _limit_broken(self, number: int) -> int:
        """Return over how many periods a limit is surely broken; 0 if none is."""
        if not self.table.rule.limits:
            return 0
        for window, counts, known in self.windows(number):
            for seen in [counts * np.array([[1], [0], [0]]), *([] if known is None else [known])]:
                moved, held, rejected = self.assumed(seen[0])
                items = self._limits(seen, self.allowed, [] if rejected else [moved, held])
                if any(item.verdict == "broken" for item in items):
                    return window
        return 0

    def _to_label(self, number: int, moved: _Scores, within: Bools, rejected: bool) -> ToLabel:
        """Return how many cases to label, and between which scores.

        Where both assumptions advise differently, enough to tell which is right (95 %, power 80 %); else three steps on either side of the
        threshold: is the risk there still the break-even one?
        """
        table, at = self.table, self.table.rule.condition
        cases, labelled, _ = table.periods[number - 1]
        best = table.best(moved.saving, within)
        region, ends, count = table.differs[best], np.r_[math.inf, table.cuts, -math.inf], 0
        lines = set(zip(*(line[best][region].tolist() for line in table.saving), strict=True))
        if moved.saving[best] > self.slack and not rejected and len(lines) == 1 and cases[region].any():
            risk = float(moved.ups[region].sum() / (moved.ups + moved.downs)[region].sum())
            start, rise = lines.pop()
            edge = (self.slack * float(cases.sum()) / cases[region].sum() - start) / rise
            if 0 < edge < 1 and abs(risk - edge) > math.sqrt(ROUNDING):
                noise = 1.645 * math.sqrt(edge * (1 - edge)) + 0.842 * math.sqrt(risk * (1 - risk))
                count = math.ceil((noise / (risk - edge)) ** 2)
                low, high = int(np.flatnonzero(region)[0]), int(np.flatnonzero(region)[-1]) + 1
        if not count:
            own, share = ends.tolist().index(table.rule.threshold), at.fp_gap / (at.fp_gap + at.fn_gap)
            low, high = max(0, own - 3), min(cases.size, own + 3)
            count = math.ceil(2 * 2.487**2 * 4 * (1 - share) / share) if share > 0 else cases.size
        free = cases - labelled
        if not free[low:high].any():
            low, high = 0, cases.size  # nothing to label there: anywhere
        count = min(int(free[low:high].sum()), max(30, count))
        score_from, score_below = float(ends[high]), float(ends[low])
        rows = table.cases[number - 1].unlabelled(score_from, score_below)[:count]
        return ToLabel(count, score_from, score_below, rows)


def _sentence(period: Period, watcher: _Watcher, saving: Estimate | None) -> str:
    """Say what a period comes to."""
    names = ("looked", "alarm", "basis", "advice", "cost", "cost_low", "cost_high", "to_label")
    data = plain({name: getattr(period, name) for name in names}) | {
        "period": str(period.period), "cases": f"{period.cases:,}", "labelled": f"{period.labelled:,}",
        "all": period.labelled == period.cases, "ignore_below": watcher.slack,
        "moved": plain(period.if_shares_moved), "held": plain(period.if_risks_hold),
        "change": plain({"threshold": period.change_to, "review_from": period.change_review_from}),
        "saving": None if saving is None else dict(zip(("value", "low", "high"), saving, strict=True)) | {"known": saving[0] is not None},
        "broken": [{"check": item.spoken()} for item in period.limits if item.verdict == "broken"],
    }  # fmt: skip
    return say("watch_period", {"watch": data, "question": {"words": watcher.table.rule.spoken}})


def decide_in_use(
    comparison: Comparison,
    options: Callable[[float | None], Mapping[str, Any]],
    counted: Callable[[str, Floats], ScoreCounts],
    level: float,
) -> tuple[Decision, str, dict[str, Any]]:
    """Return the decision for cases in use, what is known of them, and as data how many are positive and whether that settles it.

    If the risk at each score holds, the rule that was best for the predictions stays the best. Labels among the cases measure it. Without
    labels, both assumptions must lead to the same rule; where the scores reject a moved share of positives, nothing is priced at it.

    The cases are counted between cuts of a model's scores. `options` are those of `Comparison.decide` at a share of positives, None for
    that of the predictions, at which the model is chosen whose scores tell the share in use.
    """
    held = comparison.decide(**options(None))
    model = str(held.model if held.model in comparison.names else comparison.names[0])
    curve = reference_of(comparison[model])
    found = estimate_prevalence(curve, counted(model, cuts_of(curve)), level=level)
    decision, verdict, settled = _agreed(comparison.decide(**options(found.estimate)), held, counted, level)
    known = {"model": model} | found.to_dict() | {"settled": settled}
    return decision, f"{found} Estimated from the scores of {model}.\n{verdict}", known


def _agreed(
    moved: Decision, held: Decision, counted: Callable[[str, Floats], ScoreCounts], level: float
) -> tuple[Decision, str, bool]:
    """Return the decision that the cases in use allow, what is known of them, and whether that settles it."""
    rule, period = Rule.of(held), None
    if rule.reference is not None:
        cases = counted(rule.model, np.array(rule.reference["cuts"], dtype=np.float64))
        with suppress(IsocostError):  # as of a rule that cannot be watched
            period = watch(rule, {"in use": cases}, level=level).periods[0]
    if period is not None and period.labelled:
        return held, period.sentence, True
    rejected = period is not None and period.if_shares_moved.rejected
    same = (moved.model, moved.rule, moved.threshold) == (held.model, held.rule, held.threshold) and not rejected
    data: dict[str, Any] = {
        name: {"prevalence": one.prevalence, "rule": one.says["rule"], "cost": one.per_1000}
        for name, one in (("moved", moved), ("held", held))
    }
    if period is not None:
        data["held"] |= {"prevalence": period.if_risks_hold.prevalence, "cost": period.if_risks_hold.cost}
    label = None if period is None else plain(period.to_label)
    shown = {"deployed": data | {"same": same, "rejected": rejected}, "watch": {"to_label": label}}
    return held if rejected else moved, say("deployed", shown, held.question.words), same

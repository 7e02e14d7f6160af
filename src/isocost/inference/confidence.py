"""How sure a decision is: redraw the cases, redo the whole choice on the drawn cases, pay for it on the cases left out.

A procedure turns counts of cases into a rule: the whole choice (every model, every cut, the limits, the method, the reviews that were
asked for), the best rule of one model, or a rule that is fixed. Every number is linear in the rates of the rules that a procedure
chooses, so that a difference of two procedures takes the differences of the four numbers that `ends` turns into an interval.

Of procedure P on resample b, b = 0 … B-1:

- rule r_b: what P chooses on the drawn cases;
- own_b: the value of r_b on the drawn cases;
- cross_b: the mean value of r_{b-1}, r_{b-2}, r_{b-3} on the drawn cases, counted cyclically;
- here: the value on the data of what P chooses on the data;
- out: the value at rates pooled over all b: the weight of the negatives left out of b that r_b flags, summed over b, divided by the sum
  of the weights of all negatives left out, and so for the positives.

A fixed rule has out = here and cross = own. Where blocks hold several scores, here comes from the curves themselves, and out is here plus
the difference of out and here at the ends of blocks.

A rule has at most two cuts. Its rates are F = x1 + f·(x2 - x1) and K = y1 + k·(y2 - y1), (x, y) the rates of each cut: f = k = 0 for one
cut, f = k = the probability of the second for a random mixture, and f, k the reviewer's own error rates where all between the cuts are
reviewed. Reviewed are R = (1 - π)·(x2 - x1) + π·(y2 - y1) of all cases. It costs w0·F + w1·(1 - K) + cost_review·R per case, and the
constant `base`.

Of equal costs (within TIE of w0 + w1) the first is taken: flag nobody, flag everybody, then models as given; of one model the cut that
flags fewest, which for one model by itself makes nobody first and everybody last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition
from isocost.curves import RocCurve
from isocost.curves.hull import upper_hull
from isocost.data import checks
from isocost.data.cases import Cases
from isocost.data.checks import Bools, Floats
from isocost.data.joint import JointCounts, Rows
from isocost.decide import rules
from isocost.decide.cascade import Pairs, paid, shares
from isocost.decide.choice import TRIVIAL, rule_data
from isocost.decide.decision import (
    TOO_FEW,
    Confidence,
    Decision,
    Grade,
    Labels,
    decide,
    with_confidence,
)
from isocost.decide.limits import COUNTED, made_sure, needed, share_allowed
from isocost.decide.question import SLACK, TIE, Question, Reviews, weights
from isocost.decide.review import cheapest_pair
from isocost.errors import ConditionError, InfeasibleError, InputError
from isocost.inference.draws import Draws, draw_cases, draw_joint, draw_rows, in_time, seed_of
from isocost.inference.independence import Caution, cautions
from isocost.inference.resample import Counts

Whole = NDArray[Any]
# F, K and R, along the first axis.
Rates = Floats | tuple[Any, Any, Any]
Pair = tuple[float, float]
Saving = tuple[float | None, Pair | None, bool]
# Here, on cases left out, and on every resample with its own and others' rules.
Four = tuple[float, float, Floats, Floats]

# Share of the way from the cost here to the cost on cases left out, and weight of the cost of others' rules on a resample. Near a smooth
# optimum a chosen rule looks cheaper than the best by some m and truly costs m/3 more; one chosen on a resample, with noise √2 times as
# large, costs 2^(2/3)·m/3 more (Kim & Pollard, 1990).
C = 4 / (3 + 2 ** (2 / 3))
A = 1.5 + 2 ** (-5 / 3)
JUDGES = 3
NOBODY, EVERYBODY = TRIVIAL[rules.NOBODY], TRIVIAL[rules.EVERYBODY]
# A loss of this share of the price is good enough; up to so many times as much leans.
CLEAR, LEANING = 0.05, 4.0
# Below so many cases of a class nothing is called clear.
FEW = 30
# Limits that hold with a smaller chance are not called clear.
SURE = 0.9
# More draws are taken if an end of an interval is this close to a border of the grades, as a share of the interval (200 draws move it by a
# twentieth), a price this close to that of the trivial rules, or a chance this close to `SURE`.
NEAR_END, NEAR_PRICE, NEAR_CHANCE = 0.15, 0.1, 0.06
# How many times the labels at hand may be proposed; how much of the half width of an interval the next sample moves with a probability
# of about 80 %; and what is added to the number of labels for not knowing either.
_MOST_LABELS, _MOVED, _SPARE, _STEPS = 40.0, 0.51, 1.3, 400
# Cells of one batch.
_BATCH = 2**20


@dataclass(frozen=True)
class Task:
    """What is chosen, and what it costs per case: w0·fpr + w1·(1 - tpr) + base.

    `cut` is the threshold that a method sets; for "rate_driven" 1 less the share to flag. `corners` are (w0, w1, base) for the aim
    "least_worst", and `highest` is what the more expensive error costs. `promised` are the limits that are to hold on new cases, where
    `limits` are tighter so as to be `sure`. `smoothed` holds a fit of each model for the method "smooth": every resample is fitted anew,
    from the fit to all cases on, with the penalty, steps and ranks found there.
    """

    w0: float
    w1: float
    base: float = 0.0
    prevalence: float | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    aim: str = "cheapest"
    method: str = "best"
    cut: float | None = None
    corners: tuple[tuple[float, float, float], ...] = ()
    randomised: bool = False
    review: Reviews | None = None
    highest: float = 1.0
    promised: Mapping[str, float] | None = None
    sure: float = 0.0
    smoothed: tuple[Any, ...] = ()

    @classmethod
    def of(cls, question: Question, curves: Sequence[RocCurve]) -> Task:
        """Return what a question asks of curves."""
        mean, limits = question.mean, dict(made_sure(question, curves).limits)
        return cls(
            *question.weights, question.prevalence, limits, question.aim, question.method, question.cut,
            tuple(weights(corner) for corner in question.corners) if question.aim == "least_worst" else (),
            question.randomised, question.reviews,
            max(mean["cost_fp"], mean["cost_fn"]) if question.has_unit else 1.0, dict(question.limits), question.sure or 0.0,
            tuple(curve._smoothed[0] for curve in curves) if question.method == "smooth" else (),  # noqa: SLF001 - one fit for all that ask
        )  # fmt: skip

    def cost(self, rates: Rates) -> Floats:
        """Return what rates (F, K, R) cost, without the base."""
        cost = self.w0 * rates[0] + self.w1 * (1 - rates[1])
        return np.asarray(cost if self.review is None else cost + self.review.cost * rates[2])

    def margin(self, kind: str, rates: Rates, value: float | None = None) -> Floats:
        """Return by how much a limit is kept, or another value of it: linear in the rates, not negative where it is."""
        v, p, (f, k, _) = self.limits[kind] if value is None else value, self.prevalence or 0.0, rates
        forms = {
            "max_fpr": lambda: v - f,
            "min_tpr": lambda: k - v,
            "max_flagged": lambda: v - (1 - p) * f - p * k,
            "min_precision": lambda: p * k * (1 - v) - (1 - p) * f * v,
        }
        return np.asarray(forms[kind]())

    def kept(self, rates: Rates) -> Bools:
        """Tell where every limit is kept."""
        found = np.ones(np.shape(rates[0]), dtype=np.bool_)
        for kind in self.limits:
            found &= self.margin(kind, rates) >= -SLACK
        return found

    def keys(self, rates: Rates) -> list[Floats]:
        """Return what is to be least, first things first."""
        if self.aim == "most_caught":
            return [-rates[1], rates[0]]
        if self.aim == "least_worst":
            worst = [a * rates[0] + b * (1 - rates[1]) + c for a, b, c in self.corners]
            return [np.max(worst, axis=0), self.cost(rates)]
        return [self.cost(rates)]

    @property
    def scale(self) -> float:
        """What is at stake."""
        return 1.0 if self.aim == "most_caught" else self.w0 + self.w1 + (self.review.cost if self.review else 0.0)

    @property
    def mixes(self) -> bool:
        """Whether a random mixture of two rules can be better than one."""
        free = self.method == "best" and self.review is None
        return self.randomised and free and (bool(self.limits) or self.aim == "least_worst")

    def first(self, rates: Rates, kept: Bools | None) -> tuple[Whole, Bools]:
        """Return the best along the last axis, the first of equal ones, and whether there is any; all are kept if None."""
        any_kept = np.ones(len(np.asarray(rates[0])), dtype=np.bool_) if kept is None else kept.any(axis=-1)
        for key in self.keys(rates):
            known = key if kept is None else np.where(kept, key, np.inf)
            best = known <= known.min(axis=-1, keepdims=True) + TIE * self.scale
            kept = best if kept is None else best & kept
        return np.argmax(np.asarray(kept), axis=-1), np.asarray(any_kept)


# The rules that a procedure chooses, a column for each resample: model, cut, the model and cut of a second cut, and its shares f and k.
Picks = Floats
_Option = tuple[Picks, Rates, Bools]


def _single(model: int, cut: Any) -> Picks:
    """Return rules of one cut."""
    return np.stack(np.broadcast_arrays(model, np.atleast_1d(cut), model, cut, 0, 0)).astype(np.float64)


def _sums(tables: Mapping[int, Counts], picks: Picks) -> Floats:
    """Return what rules flag on as many resamples: negatives and positives, and the same between their two cuts."""
    found = np.empty((4, picks.shape[1]))
    for place in (0, 2):
        for k in np.unique(picks[place]).astype(int).tolist():
            mine = np.flatnonzero(picks[place] == k)
            found[place : place + 2, mine] = tables[k].at(mine, picks[place + 1, mine].astype(np.intp))
    (x1, y1, x2, y2), (f, k) = found, picks[4:]
    return np.stack([x1 + f * (x2 - x1), y1 + k * (y2 - y1), x2 - x1, y2 - y1])


def _rates_of(sums: Floats, n0: Any, n1: Any, prevalence: float | None) -> Floats:
    """Return (F, K, R) of what rules flag of so many cases of each class."""
    (f, k, x, y), p = sums, prevalence or 0.0
    return np.stack([f / n0, k / n1, (1 - p) * (x / n0) + p * (y / n1)])


def _rates(tables: Sequence[Counts], picks: Picks, prevalence: float | None) -> Floats:
    """Return (F, K, R) of rules on as many resamples, shape (3, resamples)."""
    return _rates_of(_sums(dict(enumerate(tables)), picks), *tables[0].totals, prevalence)


def choose(tables: Sequence[Counts], task: Task) -> list[Picks]:
    """Return what is chosen on each resample: the best rule of every model, then the whole choice."""
    found: list[_Option] = []
    for k, table in enumerate(tables):
        picks, kept = _of_model(k, table, task)
        own = picks, _rates(tables, picks, task.prevalence), kept
        found.append(_better(task, [own, _mixtures([k], tables, task)]) if task.mixes else own)
    whole: list[_Option] = []
    for rate, cut in ((0.0, 0), (1.0, tables[0].order.thresholds.size)):
        trivial = _constant(rate, cut, len(tables[0]))
        whole.append((np.repeat(trivial.rule, len(tables[0]), axis=1), trivial.own, task.kept(trivial.own)))
    whole += found + ([_mixtures(range(len(tables)), tables, task)] if task.mixes else [])
    return [*(picks for picks, _, _ in found), _better(task, whole)[0]]


def _better(task: Task, options: Sequence[_Option]) -> _Option:
    """Return the best of several rules on each resample, the first of equal ones; flag nobody if none keeps the limits."""
    picks, rates, kept = (np.stack([option[i] for option in options], axis=-1) for i in range(3))
    which, any_kept = task.first(rates, kept)
    picks, rates = (np.take_along_axis(v, which[None, :, None], axis=-1)[..., 0] for v in (picks, rates))
    return np.where(any_kept, picks, 0.0), np.where(any_kept, rates, 0.0), any_kept


def _of_model(k: int, table: Counts, task: Task) -> tuple[Picks, Bools]:
    """Return the best rule of one model on each resample, and whether it keeps the limits; flag nobody if none does."""
    order, resamples = table.order, len(table)
    if task.review is not None:
        look = task.review
        paths = zip(*table.rates(np.arange(order.thresholds.size + 1)), strict=True)
        pairs = np.array(
            [cheapest_pair(x, y, float(task.prevalence or 0.0), (task.w0, task.w1), look) for x, y in paths]
        )
        picks = _single(k, pairs[:, 0])
        picks[3:] = pairs[:, 1], np.full(resamples, look.fpr), np.full(resamples, look.tpr)
        return picks, np.ones(resamples, dtype=np.bool_)
    if task.method == "best" or (task.method == "smooth" and task.smoothed[k].weights is None and not task.limits):
        rates = *table.rates(order.cuts), 0.0
        which, kept = task.first(rates, task.kept(rates) if task.limits else None)
        return _single(k, order.cuts[which]), kept
    if task.method == "rate_driven":
        picks = _quota(k, table, task)
    elif task.method == "smooth":
        picks = _single(k, _smooth_cuts(table, task, task.smoothed[k]))
    else:
        picks = _single(k, np.full(resamples, cut_at(order.thresholds, float(task.cut or 0.0))))
    return picks, task.kept(_rates_of(_sums({k: table}, picks), *table.totals, task.prevalence))


def _smooth_cuts(table: Counts, task: Task, fit: Any) -> Whole:
    """Return the cut of the least modelled cost on each resample; where steps are taken, of the least cost."""
    from isocost.curves.smooth import modelled

    every = np.arange(table.order.thresholds.size + 1)
    fpr, tpr = table.rates(every)
    if fit.weights is not None:
        negative, positive = (np.diff(flagged.astype(np.float64), axis=1) for flagged in table.flagged(every))
        n = negative + positive
        fpr, tpr = modelled(n, fit.risks(table.order.thresholds, n, positive))
    return replace(task, limits={}).first((fpr, tpr, 0.0), None)[0]


def cut_at(thresholds: Floats, score: float) -> int:
    """Return the cut that flags what "at least this score" flags."""
    return int(np.count_nonzero(thresholds >= score))


def _quota(k: int, table: Counts, task: Task) -> Picks:
    """Return the two cuts between which a share of the cases is flagged."""
    p, quota = float(task.prevalence or 0.0), 1 - float(task.cut or 0.0)
    fpr, tpr = table.rates(np.arange(table.order.thresholds.size + 1))
    flagged = p * tpr + (1 - p) * fpr
    cut = np.count_nonzero(flagged <= quota + SLACK, axis=1) - 1
    after = np.minimum(cut + 1, flagged.shape[1] - 1)
    row = np.arange(cut.size)
    low, high = flagged[row, cut], flagged[row, after]
    between = (after > cut) & (quota > low + SLACK)
    share = np.where(between, (quota - low) / np.where(between, high - low, 1.0), 0.0)
    picks = _single(k, cut)
    picks[3:] = np.where(between, after, cut), share, share
    return picks


def _mixtures(models: Sequence[int], tables: Sequence[Counts], task: Task) -> _Option:
    """Return the best random mixture of two rules of some models on each resample, and whether there is one.

    It lies where an edge of the hull of all their rules crosses the line of a limit, or of two corners of equal cost.
    """
    cuts = [tables[k].order.cuts for k in models]
    model, cut = np.repeat(models, [some.size for some in cuts]), np.concatenate(cuts)
    rates = (tables[k].rates(some) for k, some in zip(models, cuts, strict=True))
    fpr, tpr = (np.concatenate(part, axis=1) for part in zip(*rates, strict=True))
    picks, best = np.zeros((6, len(fpr))), np.zeros((3, len(fpr)))
    found = np.zeros(len(fpr), dtype=np.bool_)
    for b, (x, y) in enumerate(zip(fpr, tpr, strict=True)):
        order = np.lexsort((np.arange(cut.size), y, x))
        vertex = order[upper_hull(x[order], y[order])]
        # From flagging nobody up to the first vertex, which may catch some without a false alarm.
        vertex = np.append(0, vertex) if y[vertex[0]] > 0 else vertex
        u, v = x[vertex], y[vertex]
        crossed = [(i, line[i] / (line[i] - line[i + 1])) for line in _turning(task, u, v) for i in _crossings(line)]
        if not crossed:
            continue
        i, share = map(np.array, zip(*crossed, strict=True))
        mixed = np.stack([u[i] + share * (u[i + 1] - u[i]), v[i] + share * (v[i + 1] - v[i]), 0 * share])
        (w,), (found[b],) = task.first(mixed[:, None], task.kept(mixed)[None])
        if found[b]:
            one, two = vertex[i[w]], vertex[i[w] + 1]
            best[:, b], picks[:, b] = mixed[:, w], (model[one], cut[one], model[two], cut[two], share[w], share[w])
    return picks, best, found


def _turning(task: Task, u: Floats, v: Floats) -> list[Floats]:
    """Return what is 0 at each limit, and for the least worst cost where two corners cost the same."""
    corners = task.corners if task.aim == "least_worst" else ()
    costs = [w0 * u + w1 * (1 - v) + base for w0, w1, base in corners]
    limits = [-task.margin(kind, (u, v, 0.0)) for kind in task.limits]
    return limits + [one - two for i, one in enumerate(costs) for two in costs[:i]]


def _crossings(line: Floats) -> list[int]:
    return np.flatnonzero(np.minimum(line[:-1], line[1:]) * np.maximum(line[:-1], line[1:]) < 0).tolist()


@dataclass(frozen=True, eq=False)
class Story:
    """What a procedure did: its rates (F, K, R) here, on cases left out, and on every resample with its own and others' rules."""

    here: Floats
    out: Floats
    own: Floats
    cross: Floats
    rule: Picks
    # What thresholds inside blocks save, which no resample varies.
    inside: float = 0.0

    def priced(self, task: Task) -> Four:
        """Return the same four of its cost, without the base."""
        return float(task.cost(self.here)), float(task.cost(self.out)), task.cost(self.own), task.cost(self.cross)

    def kept(self, task: Task, kind: str) -> Four:
        """Return the same four of the margin to a limit that is to hold."""
        value = None if task.promised is None else task.promised[kind]
        here, out, own, cross = (task.margin(kind, r, value) for r in (self.here, self.out, self.own, self.cross))
        return float(here), float(out), own, cross


def tell(
    draws: Draws, task: Task, *, exact: Sequence[Counts] = (), fixed: Sequence[tuple[int, float]] = ()
) -> tuple[list[Story], list[Story]]:
    """Return the stories of every model's best rule and of the whole choice, and those of fixed rules: model and threshold.

    `exact` are the curves where blocks hold several scores.
    """
    resamples, models, p = len(draws), range(len(draws.names)), task.prevalence
    size = max(JUDGES, _BATCH // draws.positive.size)
    parts: list[list[Picks]] = [[] for _ in range(len(models) + 1)]
    own = np.empty((len(parts), 3, resamples))
    cross, flagged, left = np.zeros_like(own), np.zeros((len(parts), 4)), np.zeros(2)
    kept = [_single(k, cut_at(draws.thresholds[k], score)) for k, score in fixed]
    always = np.empty((len(kept), 3, resamples))

    def judge(tables: Sequence[Counts], rows: Whole) -> None:
        for i, some in enumerate(parts):
            rules = np.concatenate(some, axis=1)
            lagged = ((rows - lag) % rules.shape[1] for lag in range(1, JUDGES + 1))
            cross[i][:, rows] = np.sum([_rates(tables, rules[:, at], p) / JUDGES for at in lagged], axis=0)

    for first in range(0, resamples, size):
        rows = np.arange(first, min(first + size, resamples))
        inside, outside = draws.inside(rows), draws.outside(rows)
        left += [float(np.sum(total)) for total in outside[0].totals]
        for i, picks in enumerate(choose(inside, task)):
            parts[i].append(picks)
            own[i][:, rows] = _rates(inside, picks, p)
            flagged[i] += _sums(dict(enumerate(outside)), picks).sum(axis=1)
        for i, rule in enumerate(kept):
            always[i][:, rows] = _rates(inside, np.repeat(rule, rows.size, axis=1), p)
        judge(inside, rows)
    # The first resamples are judged by the last ones.
    early = np.arange(min(JUDGES, resamples))
    judge(draws.inside(early), early)

    checks.both_classes(left[1], left[0], "what the resamples left out", "draw more of them with n_resamples=")
    at_ends = _on_data(draws)
    whole = _on_data(draws, exact) if draws.blocked else at_ends
    stories = []
    for i, (picks, coarse) in enumerate(zip(choose(whole, task), choose(at_ends, task), strict=True)):
        here, ended = _rates(whole, picks, p)[:, 0], _rates(at_ends, coarse, p)[:, 0]
        out = here + (_rates_of(flagged[i], left[0], left[1], p) - ended)
        stories.append(Story(here, out, own[i], cross[i], picks, float(task.cost(ended) - task.cost(here))))
    held = []
    for i, (k, score) in enumerate(fixed):
        rule = _single(k, cut_at(whole[k].order.thresholds, score))
        here = _rates(whole, rule, p)[:, 0]
        held.append(Story(here, here, always[i], always[i], rule))
    return stories, held


def _on_data(draws: Draws, exact: Sequence[Counts] = ()) -> list[Counts]:
    """Return the counts of every model on the data: the exact ones, if they are given and blocks hold several scores."""
    return list(exact) if exact and draws.blocked else [draws.data(k) for k in range(len(draws.names))]


def ends(here: float, out: float, own: Floats, cross: Floats, level: float) -> tuple[float, float, float, Floats]:
    r"""Return estimate, low, high and the deviations of anything linear in rates: a price, a difference, the margin to a limit.

    .. math:: \hat v = h + C\,(o - h), \qquad u_b = A\,c_b - (A-1)\,w_b,

    with quantiles of :math:`u_b - \bar u` around the estimate, widened by :math:`(1-C)\,|o - h|` on both sides.
    """
    estimate = here + C * (out - here)
    u = A * cross - (A - 1) * own
    deviations = u - u.mean()
    tail, slack = (1 - level) / 2, (1 - C) * abs(out - here)
    low, high = np.quantile(deviations, [tail, 1 - tail]).tolist()
    return estimate, estimate + low - slack, estimate + high + slack, deviations


def minus(one: Four, other: Four) -> Four:
    """Return the four numbers of a difference."""
    return one[0] - other[0], one[1] - other[1], one[2] - other[2], one[3] - other[3]


def more_labels(ahead: Floats, half: Floats, enough: float, cases: int) -> tuple[int | None, int]:
    """Return how many more labels bring the bound on the loss below `enough` with about 80 %, and which rival needs them."""
    binding = int(np.argmax(ahead + half))
    for f in np.geomspace(1.05, 1 + _MOST_LABELS, _STEPS).tolist():
        late = np.maximum(ahead, 0) / math.sqrt(f) + half / math.sqrt(f)
        late += np.minimum(ahead + _MOVED * half * math.sqrt(1 - 1 / f), 0)
        if late.max() <= enough:
            return math.ceil(_SPARE * cases * (f - 1)), binding
        binding = int(np.argmax(late))
    return None, binding


@dataclass(frozen=True)
class Certainty:
    """Everything stated about how sure a decision is.

    `saving` is what changing from the rule in use saves per case, its interval, and whether that flags the same cases here, where nothing
    is known of it.
    """

    confidence: Confidence
    model: str
    extras: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    saving: Saving | None = None


def assess(
    draws: Draws,
    task: Task,
    *,
    level: float = 0.9,
    exact: Sequence[Counts] = (),
    current: tuple[str, float] | None = None,
    good_enough: float | None = None,
    costs_given: bool = True,
    cautions: Sequence[Caution] = (),
) -> Certainty:
    """Return how sure the choice of `task` is from draws of the cases."""
    names = draws.names
    fixed = [(names.index(current[0]), float(current[1]))] if current and current[0] in names else []
    stories, held = tell(draws, task, exact=exact, fixed=fixed)
    whole, rivals = stories[-1], dict(zip(names, stories[:-1], strict=True))
    tables = _on_data(draws, exact)
    last = tables[0].order.thresholds.size
    trivial = {NOBODY: _constant(0.0, 0, len(draws)), EVERYBODY: _constant(1.0, last, len(draws))}
    if current and not fixed:
        held = [trivial[current[0]]]
    k, cut, *second = whole.rule[:4, 0].astype(int).tolist()
    single = {0: NOBODY, tables[k].order.thresholds.size: EVERYBODY} if second == [k, cut] else {}
    model = single.get(cut, names[k])
    hold = {kind: _chance(whole.kept(task, kind), task.sure) for kind in task.limits}
    facts = _ungraded(len(draws), level, draws.seed, draws.sizes, limits_hold=hold, cautions=tuple(cautions))
    if task.aim == "most_caught":
        return Certainty(facts, model)
    estimate, interval = _priced(task, whole, draws.sizes, level)
    pays, mine, best = bool(estimate < min(task.w0, task.w1)), whole, None
    if not pays and not task.limits and task.aim == "cheapest":
        model = NOBODY if task.w1 <= task.w0 + TIE * task.scale else EVERYBODY
        mine, best = trivial[model], {"model": names[k], "price": task.base + estimate, "interval": interval}
        estimate = float(task.cost(mine.here))
        interval = task.base + estimate, task.base + estimate
    found = Certainty(replace(facts, price=task.base + estimate, interval=interval), model)
    if not costs_given:
        return found
    enough = CLEAR * estimate if good_enough is None else good_enough
    coarse = max(story.inside for story in stories)
    found = _Beside(draws, tables, task, level, mine).judged(found, rivals, trivial, held, enough, coarse)
    graded = found.confidence.grade is not None
    return replace(found, confidence=replace(found.confidence, pays=pays, best_model=best)) if graded else found


def _priced(task: Task, whole: Story, sizes: tuple[int, int], level: float) -> tuple[float, Pair]:
    """Return what a choice is expected to cost, without the base, and its interval."""
    estimate, low, high, _ = ends(*whole.priced(task), level)
    if tuple(whole.here) == (0.0, 1.0, 0.0):  # no error here: the rule of three
        high = max(high, 3 * max(task.w0 / sizes[1], task.w1 / sizes[0]))
    return estimate, (task.base + max(low, 0.0), task.base + high)


@dataclass(frozen=True, eq=False)
class _Beside:
    """A rule beside others, on the same draws."""

    draws: Draws
    tables: Sequence[Counts]
    task: Task
    level: float
    mine: Story

    def judged(
        self, found: Certainty, rivals: Mapping[str, Story], trivial: Mapping[str, Story], held: Sequence[Story], enough: float,
        coarse: float,
    ) -> Certainty:  # fmt: skip
        """Return a price with its grade: by what any other rule at hand can be cheaper."""
        sure, model = found.confidence, found.model
        # Flagging nobody stands in for a model of which no rule keeps the limits.
        everyone = {**rivals, **trivial}
        others = {n: story for n, story in everyone.items() if n != model and bool(self.task.kept(story.here))}
        gaps = {name: self.gap(story, alike={model, name} <= rivals.keys()) for name, story in others.items()}
        extras = {name: (max(gap, 0.0), less, max(more, 0.0)) for name, (gap, less, more) in gaps.items()}
        loss = max(0.0, -min((low for _, low, _ in extras.values()), default=0.0))
        uncertain = min(sure.limits_hold.values(), default=1.0) < SURE or bool(sure.cautions)
        grade = graded(loss, enough, coarse, doubtful=uncertain or min(self.draws.sizes) < FEW)
        if grade is None:
            return replace(found, confidence=replace(sure, withheld="blocks"))
        sure = replace(
            sure, worst_loss=loss, good_enough=enough, grade=grade,
            labels=Labels(0, 0) if loss <= enough else self.labels(list(others.values()), list(gaps.values()), enough),
            rival=min(extras, key=lambda name: extras[name][1], default=None), either=_either(model, extras, enough, rivals),
        )  # fmt: skip
        return Certainty(sure, model, extras, self.saving(held[0]) if held else None)

    def gap(self, other: Story, *, alike: bool = False) -> tuple[float, float, float]:
        """Return what another rule costs more, with its interval; of models, flagging the same cases here costs the same (`alike`)."""
        if alike and self.same(other):
            reach = 3 / self.draws.cases * self.task.highest
            return 0.0, -reach, reach
        return ends(*minus(other.priced(self.task), self.mine.priced(self.task)), self.level)[:3]

    def saving(self, current: Story) -> Saving:
        """Return what changing from a rule saves."""
        if self.same(current):
            return None, None, True
        saving, low, high = self.gap(current)
        return saving, (low, high), False

    def labels(self, others: Sequence[Story], gaps: Sequence[Any], enough: float) -> Labels:
        """Return how many labels would settle it."""
        gap, less, _ = np.array(gaps).T
        many, binding = more_labels(-gap, gap - less, enough, self.draws.cases)
        share = self.differing(others[binding])
        return Labels(many, None if many is None or share is None else math.ceil(many * share))

    def actions(self, story: Story) -> Whole:
        """Return what a rule does with each row: 0 for nothing, 2 for flagging, 1 for what lies between its cuts."""
        found = np.zeros(self.draws.positive.size, dtype=np.intp)
        for k, c in story.rule[:4, 0].astype(int).reshape(2, 2).tolist():
            scores, ends = self.tables[k].order.thresholds, self.draws.thresholds[k]
            found += self.draws.block[k] < (
                0 if c == 0 else ends.size if c == scores.size else cut_at(ends, scores[c - 1])
            )
        return found

    def same(self, other: Story) -> bool:
        """Tell whether another rule does the same with every case here."""
        equal = np.array_equal(self.mine.here, other.here)
        if self.draws.tables is not None or not equal:
            return equal
        return np.array_equal(self.actions(self.mine), self.actions(other))

    def differing(self, other: Story) -> float | None:
        """Return the share of cases with which another rule does different things; None if that is not known."""
        if self.draws.tables is not None:
            return None
        differ = self.actions(self.mine) != self.actions(other)
        return float(self.draws.weight[differ].sum() / self.draws.weight.sum())


def graded(loss: float, enough: float, coarse: float, *, doubtful: bool) -> Grade | None:
    """Return the grade of a bound on the loss, not clear if that is doubtful; None where blocks of scores cannot tell.

    That is so where thresholds inside blocks save more (`coarse`) than what is good enough, or as much more or less changes the grade.
    """
    ends = [np.searchsorted([enough, LEANING * enough], v) for v in (loss - coarse, loss + coarse)]
    if coarse > enough or ends[0] != ends[1]:
        return None
    return ("leaning" if doubtful else "clear") if loss <= enough else "leaning" if loss <= LEANING * enough else "open"


def _either(model: str, extras: Mapping[str, Any], enough: float, models: Mapping[str, Story]) -> dict[str, Any] | None:
    """Return the model whose cost is closest to that of another, if it differs by no more than what is good enough."""
    near = {name: max(-low, high) for name, (_, low, high) in extras.items() if {name, model} <= models.keys()}
    closest = min(near, key=lambda name: near[name], default=None)
    return None if closest is None or near[closest] > enough else {"model": closest, "within": near[closest]}


def _ungraded(n_resamples: int, level: float, seed: int | None, sizes: tuple[int, int], **known: Any) -> Confidence:
    """Return a confidence without a grade."""
    none: dict[str, Any] = dict.fromkeys(("price", "interval", "worst_loss", "good_enough", "grade", "labels", "pays"))
    facts: dict[str, Any] = {"limits_hold": {}, "n_resamples": n_resamples, "level": level, "seed": seed}
    return Confidence(**none, **(facts | known), positives=sizes[0], negatives=sizes[1])


def _chance(four: Four, proved: float) -> float:
    """Return how often a margin is not negative on new cases: at least as often as is proved."""
    margin, _, _, moves = ends(*four, level=0.9)
    return max(proved, float(np.mean(margin + moves >= 0)))


def _constant(rate: float, cut: int, resamples: int) -> Story:
    """Return the story of flagging everybody, or nobody."""
    rates = np.array([rate, rate, 0.0])
    every = np.repeat(rates[:, None], resamples, axis=1)
    return Story(rates, rates, every, every, _single(0, cut))


def assured(
    decision: Decision,
    curves: Sequence[RocCurve],
    rows: Rows | None,
    *,
    n_resamples: int | None = None,
    level: float = 0.9,
    rng: int | np.random.Generator | None = None,
    independent: bool = False,
    draws: Draws | None = None,
) -> Decision:
    """Return a decision with how sure it is; where no model pays it becomes the cheaper trivial rule."""
    question = decision.question
    if rows is None:
        sizes = int(curves[0].positives or 0), int(curves[0].negatives or 0)
        return with_confidence(decision, _ungraded(0, level, None, sizes, withheld="no_cases"))
    task = Task.of(question, curves)
    given: dict[str, Any] = {
        "level": level, "exact": [Counts.of_curve(curve) for curve in curves], "current": question.current,
        "good_enough": question.good_enough, "costs_given": question.costs_given,
        "cautions": cautions(rows if isinstance(rows, Cases) else None, curves, independent=independent),
    }  # fmt: skip
    if draws is None:
        near = near_thresholds(decision)
        found = drawn_and_assessed(rows, task, n_resamples=n_resamples, rng=rng, near=near, **given)
    else:
        found = assess(draws, task, **given)
    sure = replace(found.confidence, surer=_surer(found.confidence, curves, rows, question))
    return with_confidence(decision, sure, model=found.model or None, extras=found.extras, saving=found.saving)


def near_thresholds(decision: Decision) -> dict[str, list[float]]:
    """Return the thresholds of each model around which cuts are to be fine."""
    found: dict[str, list[float]] = {}
    for rule in (decision, *decision.alternatives):
        ends = [rule, rule.other] + ([] if rule.review is None else [rule.review.flag_from, rule.review.review_from])
        for end in ends:
            if end is not None and end.rule == "score" and math.isfinite(end.threshold):
                found.setdefault(str(end.model), []).append(end.threshold)
    if decision.question.current is not None:
        found.setdefault(decision.question.current[0], []).append(decision.question.current[1])
    return found


def _surer(found: Confidence, curves: Sequence[RocCurve], rows: Rows, question: Question) -> dict[str, Any] | None:
    """Return the rule that keeps the limits with a confidence of 90 %, or how many cases that needs, where they hold less surely."""
    broken = [kind for kind, chance in found.limits_hold.items() if chance < SURE]
    if not broken or question.sure is not None or rows.clusters is not None or rows.weights is not None:
        return None
    delta = (1 - SURE) / (len(question.limits) * len(curves))
    sizes = {"max_fpr": found.negatives, "min_tpr": found.positives, "max_flagged": found.positives + found.negatives}
    for kind, value in question.limits.items():
        least = needed(share_allowed(kind, value), delta) if kind in sizes else None
        if least is not None and least > sizes[kind]:
            return {"sure": SURE, "choice": None, "needs": least, "class": COUNTED[kind]}
    try:
        choice = decide(curves, replace(question, sure=SURE, current=None)).choice
    except (InputError, InfeasibleError, ConditionError):
        return None
    return {"sure": SURE, "choice": rule_data(choice), "needs": None, "class": None}


def drawn_and_assessed(
    rows: Rows,
    task: Task,
    *,
    n_resamples: int | None = None,
    rng: int | np.random.Generator | None = None,
    exact: Sequence[Counts] = (),
    near: Mapping[str, Sequence[float]] | None = None,
    **given: Any,
) -> Certainty:
    """Draw the cases and return how sure the choice of `task` is; `near` as in `draw_cases`, the rest as in `assess`."""
    seed = seed_of(rng)
    planned = in_time(rows) if n_resamples is None else (checks.resamples(n_resamples, low=0),)
    if not any(planned) or min(rows.sizes) < TOO_FEW:
        why = None if planned or min(rows.sizes) < TOO_FEW else "time"
        cautions, level = given.get("cautions", ()), given.get("level", 0.9)
        known = {"cautions": tuple(cautions), "withheld": why}
        return Certainty(_ungraded(planned[0] if planned else 0, level, seed, rows.sizes, **known), "")
    for many in planned:
        draws = draw_cases(rows, max(many, JUDGES + 1), seed, curves=exact, near=near)
        found = assess(draws, task, exact=exact, **given)
        if not _worth_more(found, task):
            break
    return found


def _worth_more(found: Certainty, task: Task) -> bool:
    """Tell whether more draws matter: labels are asked for, or the bound on the loss or the price lies near a border between answers."""
    sure = found.confidence
    if sure.good_enough is None or sure.price is None:
        return False
    price, trivial = (sure.best_model or {"price": sure.price})["price"] - task.base, min(task.w0, task.w1)
    near = [abs(price - trivial) <= NEAR_PRICE * trivial]
    near += [abs(chance - SURE) <= NEAR_CHANCE for chance in sure.limits_hold.values()]
    near += [-low > sure.good_enough - NEAR_END * (high - low) for _, low, high in found.extras.values()]
    return any(near)


def counted_pairs(rows: Rows, first: str, then: str) -> tuple[Whole, Whole, Whole, Whole]:
    """Return the scores of two models, and how many positives and negatives each row stands for (their weight, if they have one)."""
    if isinstance(rows, Cases):
        weights = np.ones(rows.positive.size, dtype=np.int64) if rows.weights is None else rows.weights
        return rows.scores[first], rows.scores[then], weights * rows.positive, weights * ~rows.positive
    why = "counts cases together, and a cascade needs the scores of single ones: take rows in memory, or leave it out"
    checks.left_out(why, cluster=rows.clusters, weight=rows.weights)
    assert isinstance(rows, JointCounts)  # noqa: S101 - clusters were refused
    # A threshold flags whole blocks, from the lowest score of one on.
    one, two = (rows.low[i][rows.blocks[:, i]] for i in map(rows.names.index, (first, then)))
    return one, two, rows.positives, rows.negatives


def on_new_cases(
    rows: Rows, first: str, then: str, condition: Condition, price: float, n_resamples: int, rng: Any
) -> tuple[dict[str, float], float]:
    """Return the mean cost of a cascade and of both models alone on cases left out, and how often the cascade was the cheapest there.

    Cases are drawn as for decisions; cascade and thresholds are chosen on the resample and paid on the cases that it leaves out.
    """
    names = checks.names(("cascade", first, then), "model")
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
    left_out = "the list of resamples that left out cases of both classes"
    table = np.array(checks.some(costs, left_out, "new_cases needs more cases, or fewer in a cluster"))
    cheapest = table[:, 0] < table[:, 1:].min(axis=1)
    return dict(zip(names, table.mean(axis=0).tolist(), strict=True)), float(cheapest.mean())

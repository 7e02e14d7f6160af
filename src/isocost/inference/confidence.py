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
from isocost.decide.limits import COUNTED, needed, share_allowed, tightened
from isocost.decide.question import SLACK, Question, first_kept
from isocost.decide.review import cheapest_pair
from isocost.errors import ConditionError, InfeasibleError, InputError
from isocost.inference.draws import Draws, draw_cases, draw_joint, draw_rows, in_time, seed_of
from isocost.inference.independence import Caution, cautions
from isocost.inference.resample import Counts

Whole = NDArray[Any]
Pair = tuple[float, float]
Saving = tuple[float | None, Pair | None, bool]
# Of each model its smooth risk curve, fitted to all cases, for the method "smooth": every resample is fitted anew, from there on.
Fits = Sequence[Any]
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


# The rules that a procedure chooses, a column for each resample: model, cut, the model and cut of a second cut, and its shares f and k.
Picks = Floats
# The picks, their rates F, K and R, and whether there is any.
_Option = tuple[Picks, Floats, Bools]


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


def choose(tables: Sequence[Counts], question: Question, fits: Fits = ()) -> list[Picks]:
    """Return what is chosen on each resample: the best rule of every model, then the whole choice."""
    # Whether a random mixture of two rules can be better than one.
    mixes = question.randomised and (bool(question.limits) or question.aim == "least_worst")
    found: list[_Option] = []
    for k, table in enumerate(tables):
        picks, kept = _of_model(k, table, question, fits[k] if fits else None)
        own = picks, _rates(tables, picks, question.prevalence), kept
        found.append(_better(question, [own, _mixtures([k], tables, question)]) if mixes else own)
    whole: list[_Option] = []
    for rate, cut in ((0.0, 0), (1.0, tables[0].order.thresholds.size)):
        trivial = _constant(rate, cut, len(tables[0]))
        whole.append((np.repeat(trivial.rule, len(tables[0]), axis=1), trivial.own, question.kept(*trivial.own[:2])))
    whole += found + ([_mixtures(range(len(tables)), tables, question)] if mixes else [])
    return [*(picks for picks, _, _ in found), _better(question, whole)[0]]


def _better(question: Question, options: Sequence[_Option]) -> _Option:
    """Return the best of several rules on each resample, the first of equal ones; flag nobody if none keeps the limits."""
    picks, rates = (np.stack([option[i] for option in options], axis=-1) for i in range(2))
    kept = np.stack([kept for _, _, kept in options], axis=-1)
    which, some = first_kept(question.keys(*rates), kept, question.slack), np.asarray(kept.any(axis=-1))
    picks, rates = (np.take_along_axis(v, which[None, :, None], axis=-1)[..., 0] for v in (picks, rates))
    return np.where(some, picks, 0.0), np.where(some, rates, 0.0), some


def _of_model(k: int, table: Counts, question: Question, fit: Any) -> tuple[Picks, Bools]:
    """Return the best rule of one model on each resample, and whether it keeps the limits; flag nobody if none does."""
    order, resamples, every = table.order, len(table), np.ones(len(table), dtype=np.bool_)
    if (look := question.reviews) is not None:
        paths = zip(*table.rates(np.arange(order.thresholds.size + 1)), strict=True)
        share, prices = float(question.prevalence or 0.0), question.weights[:2]
        pairs = np.array([cheapest_pair(x, y, share, prices, look) for x, y in paths])
        picks = _single(k, pairs[:, 0])
        picks[3:] = pairs[:, 1], np.full(resamples, look.fpr), np.full(resamples, look.tpr)
        return picks, every
    if question.method == "best" or (fit is not None and fit.weights is None and not question.limits):
        rates = table.rates(order.cuts)
        kept = question.kept(*rates) if question.limits else None
        which = first_kept(question.keys(*rates), kept, question.slack)
        return _single(k, order.cuts[which]), every if kept is None else np.asarray(kept.any(axis=-1))
    if question.method == "rate_driven":
        picks = _quota(k, table, question)
    elif question.method == "smooth":
        picks = _single(k, _smooth_cuts(table, question, fit))
    else:
        picks = _single(k, np.full(resamples, cut_at(order.thresholds, float(question.cut or 0.0))))
    return picks, question.kept(*_rates_of(_sums({k: table}, picks), *table.totals, question.prevalence)[:2])


def _smooth_cuts(table: Counts, question: Question, fit: Any) -> Whole:
    """Return the cut of the least modelled cost on each resample; where steps are taken, of the least cost."""
    from isocost.curves.smooth import modelled

    every = np.arange(table.order.thresholds.size + 1)
    fpr, tpr = table.rates(every)
    if fit.weights is not None:
        negative, positive = (np.diff(flagged.astype(np.float64), axis=1) for flagged in table.flagged(every))
        n = negative + positive
        fpr, tpr = modelled(n, fit.risks(table.order.thresholds, n, positive))
    return np.asarray(first_kept(question.keys(fpr, tpr), None, question.slack))


def cut_at(thresholds: Floats, score: float) -> int:
    """Return the cut that flags what "at least this score" flags."""
    return int(np.count_nonzero(thresholds >= score))


def _quota(k: int, table: Counts, question: Question) -> Picks:
    """Return the two cuts between which a share of the cases is flagged."""
    p, quota = float(question.prevalence or 0.0), 1 - float(question.cut or 0.0)
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


def _mixtures(models: Sequence[int], tables: Sequence[Counts], question: Question) -> _Option:
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
        crossed = rules.crossings(question, u, v)
        if not crossed:
            continue
        i, share = map(np.array, zip(*crossed, strict=True))
        mixed = np.stack([u[i] + share * (u[i + 1] - u[i]), v[i] + share * (v[i + 1] - v[i]), 0 * share])
        kept = question.kept(*mixed[:2])
        found[b] = kept.any()
        if found[b]:
            w = first_kept(question.keys(*mixed), kept, question.slack)
            one, two = vertex[i[w]], vertex[i[w] + 1]
            best[:, b], picks[:, b] = mixed[:, w], (model[one], cut[one], model[two], cut[two], share[w], share[w])
    return picks, best, found


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

    def priced(self, question: Question) -> Four:
        """Return the same four of its cost, without the base."""
        here, out, own, cross = (question.amount(*rates) for rates in (self.here, self.out, self.own, self.cross))
        return float(here), float(out), own, cross

    def kept(self, question: Question, kind: str) -> Four:
        """Return the same four of the margin to a limit."""
        four = (self.here, self.out, self.own, self.cross)
        here, out, own, cross = (question.margin(kind, *rates[:2]) for rates in four)
        return float(here), float(out), own, cross


def tell(
    draws: Draws,
    question: Question,
    *,
    exact: Sequence[Counts] = (),
    fixed: Sequence[tuple[int, float]] = (),
    fits: Fits = (),
) -> tuple[list[Story], list[Story]]:
    """Return the stories of every model's best rule and of the whole choice, and those of fixed rules: model and threshold.

    `exact` are the curves where blocks hold several scores.
    """
    resamples, models, p = len(draws), range(len(draws.names)), question.prevalence
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
        for i, picks in enumerate(choose(inside, question, fits)):
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
    both = (choose(tables, question, fits) for tables in (whole, at_ends))
    for i, (picks, coarse) in enumerate(zip(*both, strict=True)):
        here, ended = _rates(whole, picks, p)[:, 0], _rates(at_ends, coarse, p)[:, 0]
        out = here + (_rates_of(flagged[i], left[0], left[1], p) - ended)
        saved = float(question.amount(*ended) - question.amount(*here))
        stories.append(Story(here, out, own[i], cross[i], picks, saved))
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
    question: Question,
    *,
    level: float = 0.9,
    exact: Sequence[Counts] = (),
    fits: Fits = (),
    cautions: Sequence[Caution] = (),
) -> Certainty:
    """Return how sure the answer to a question is from draws of the cases."""
    names, current, (w0, w1, base) = draws.names, question.current, question.weights
    fixed = [(names.index(current[0]), float(current[1]))] if current and current[0] in names else []
    asked = tightened(question, *draws.sizes, len(names))
    stories, held = tell(draws, asked, exact=exact, fixed=fixed, fits=fits)
    whole, rivals = stories[-1], dict(zip(names, stories[:-1], strict=True))
    tables = _on_data(draws, exact)
    last = tables[0].order.thresholds.size
    trivial = {NOBODY: _constant(0.0, 0, len(draws)), EVERYBODY: _constant(1.0, last, len(draws))}
    if current and not fixed:
        held = [trivial[current[0]]]
    own, model = names[int(whole.rule[0, 0])], _name_of(whole, tables, names)
    hold = {kind: _chance(whole.kept(question, kind), question.sure or 0.0) for kind in question.limits}
    facts = _ungraded(len(draws), level, draws.seed, draws.sizes, limits_hold=hold, cautions=tuple(cautions))
    if question.aim == "most_caught":
        return Certainty(facts, model)
    estimate, interval = _priced(question, whole, draws.sizes, level)
    pays, mine, best = bool(estimate < min(w0, w1)), whole, None
    if not pays and not question.limits and question.aim == "cheapest":
        model = NOBODY if w1 <= w0 + question.slack else EVERYBODY
        mine, best = trivial[model], {"model": own, "price": base + estimate, "interval": interval}
        estimate = float(question.amount(*mine.here))
        interval = base + estimate, base + estimate
    found = Certainty(replace(facts, price=base + estimate, interval=interval), model)
    if not question.costs_given:
        return found
    enough = CLEAR * estimate if question.good_enough is None else question.good_enough
    coarse = max(story.inside for story in stories)
    found = _Beside(draws, tables, asked, level, mine).judged(found, rivals, trivial, held, enough, coarse)
    graded = found.confidence.grade is not None
    return replace(found, confidence=replace(found.confidence, pays=pays, best_model=best)) if graded else found


def _name_of(whole: Story, tables: Sequence[Counts], names: Sequence[str]) -> str:
    """Return the model of a rule, or the trivial rule that it is."""
    k, cut, *second = whole.rule[:4, 0].astype(int).tolist()
    single = {0: NOBODY, tables[k].order.thresholds.size: EVERYBODY} if second == [k, cut] else {}
    return str(single.get(cut, names[k]))


def _priced(question: Question, whole: Story, sizes: tuple[int, int], level: float) -> tuple[float, Pair]:
    """Return what a choice is expected to cost, without the base, and its interval."""
    (w0, w1, base), (estimate, low, high, _) = question.weights, ends(*whole.priced(question), level)
    if tuple(whole.here) == (0.0, 1.0, 0.0):  # no error here: the rule of three
        high = max(high, 3 * max(w0 / sizes[1], w1 / sizes[0]))
    return estimate, (base + max(low, 0.0), base + high)


@dataclass(frozen=True, eq=False)
class _Beside:
    """A rule beside others, on the same draws."""

    draws: Draws
    tables: Sequence[Counts]
    question: Question
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
        others = {n: story for n, story in everyone.items() if n != model and bool(self.question.kept(*story.here[:2]))}
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
            highest = max(self.question.mean.get(name, 1.0) for name in ("cost_fp", "cost_fn"))
            reach = 3 / self.draws.cases * highest
            return 0.0, -reach, reach
        return ends(*minus(other.priced(self.question), self.mine.priced(self.question)), self.level)[:3]

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
    given: dict[str, Any] = {
        "level": level, "exact": [Counts.of_curve(curve) for curve in curves],
        "fits": [curve._smoothed[0] for curve in curves] if question.method == "smooth" else (),  # noqa: SLF001 - one fit for all
        "cautions": cautions(rows if isinstance(rows, Cases) else None, curves, independent=independent),
    }  # fmt: skip
    if draws is None:
        near = near_thresholds(decision)
        found = drawn_and_assessed(rows, question, n_resamples=n_resamples, rng=rng, near=near, **given)
    else:
        found = assess(draws, question, **given)
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
    question: Question,
    *,
    n_resamples: int | None = None,
    rng: int | np.random.Generator | None = None,
    exact: Sequence[Counts] = (),
    near: Mapping[str, Sequence[float]] | None = None,
    **given: Any,
) -> Certainty:
    """Draw the cases and return how sure the answer to a question is; `near` as in `draw_cases`, the rest as in `assess`."""
    seed = seed_of(rng)
    planned = in_time(rows) if n_resamples is None else (checks.resamples(n_resamples, low=0),)
    if not any(planned) or min(rows.sizes) < TOO_FEW:
        why = None if planned or min(rows.sizes) < TOO_FEW else "time"
        cautions, level = given.get("cautions", ()), given.get("level", 0.9)
        known = {"cautions": tuple(cautions), "withheld": why}
        return Certainty(_ungraded(planned[0] if planned else 0, level, seed, rows.sizes, **known), "")
    for many in planned:
        draws = draw_cases(rows, max(many, JUDGES + 1), seed, curves=exact, near=near)
        found = assess(draws, question, exact=exact, **given)
        if not _worth_more(found, question):
            break
    return found


def _worth_more(found: Certainty, question: Question) -> bool:
    """Tell whether more draws matter: labels are asked for, or the bound on the loss or the price lies near a border between answers."""
    sure = found.confidence
    if sure.good_enough is None or sure.price is None:
        return False
    w0, w1, base = question.weights
    price, trivial = (sure.best_model or {"price": sure.price})["price"] - base, min(w0, w1)
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

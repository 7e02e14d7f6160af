"""Every rule of every model in one table: which is best, which keep limits, what may be mixed, and how far that holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves import RocCurve
from isocost.curves.hull import upper_hull
from isocost.curves.roc import ContinuousRocCurve, points_at, sorted_rows
from isocost.data.checks import Bools, Floats
from isocost.decide.question import SLACK, TIE, Question, excess, first_least, weights
from isocost.numbers import ROUNDING

NOBODY, EVERYBODY = -2, -1
# Beyond the end of a span the next condition looked at, and with more rules than this a moving limit is looked at in so many steps.
STEP, MANY, STEPS = 1000 * ROUNDING, 10_000, 1000
# So many rules are looked at in one go: what is made of millions on the way would take several times their own memory.
SLICE = 2**16

Ints = NDArray[np.intp]
Span = tuple[float, float]
# A row costs c0 + c1·x, and keeps a limit where e0 + e1·x ≤ 0.
Lines = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Rules:
    """One row per rule. The order of the rows is the order in which ties are broken.

    Flag nobody, flag everybody, then each model's rules in the order given, those that flag fewest first, then mixtures. `model` is its
    place, −2 for flag nobody and −1 for flag everybody; `threshold` is NaN for an operating point without one. A mixture follows row
    `other` with probability `share`, and else row `one`; both are −1 for other rules.
    """

    curves: tuple[RocCurve, ...]
    model: Ints
    threshold: Floats
    fpr: Floats
    tpr: Floats
    one: Ints
    other: Ints
    share: Floats

    @classmethod
    def of(cls, curves: Sequence[RocCurve], question: Question) -> Rules:
        """Return the rules of some models: those on their hulls where no others can be the answer, else all."""
        plain = question.method == "best" and question.aim == "cheapest" and question.certain
        plain &= not (question.reviews or question.limits or question.randomised)
        t = question.weights[0] / question.scale
        parts = [(np.array([np.inf, -np.inf]), np.array([0.0, 1.0]), np.array([0.0, 1.0]))]
        for curve in curves:
            # A rule that flags some but not all is the cheapest of its model at t: its hull has the best of them.
            inside = curve.switches.size > 1 and curve.switches[0] + STEP < t < curve.switches[-1] - STEP
            source = curve.hull if plain and inside else curve
            both = source.fpr + source.tpr
            inner = slice(np.searchsorted(both, 0, "right"), np.searchsorted(both, 2, "left"))
            if inner.start == inner.stop:  # a constant score: all it can do is to flag everybody
                inner = slice(inner.start, None)
            own = source.thresholds[inner], source.fpr[inner], source.tpr[inner]
            if isinstance(curve, ContinuousRocCurve) and question.priced:
                # Between its points there are others: the optimum.
                cuts = curve.optimal_threshold(np.array([t]))
                cuts = cuts[np.isfinite(cuts)]
                columns = [np.concatenate(pair) for pair in zip(own, (cuts, *curve.rates_at(cuts)), strict=True)]
                order = np.unique(columns[0], return_index=True)[1][::-1]
                own = columns[0][order], columns[1][order], columns[2][order]
            parts.append(own)
        model = np.repeat(np.arange(-1, len(curves)), [part[0].size for part in parts])
        model[0] = NOBODY
        threshold, fpr, tpr = (np.concatenate(column) for column in zip(*parts, strict=True))
        none, share = np.broadcast_to(np.intp(-1), model.size), np.broadcast_to(0.0, model.size)
        return cls(tuple(curves), model, threshold, fpr, tpr, none, none, share)

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names."""
        return tuple(str(curve.name) for curve in self.curves)

    def __len__(self) -> int:
        return int(self.model.size)

    def plus(self, mixed: Sequence[tuple[int, int, float]]) -> Rules:
        """Return the table with mixtures (row, other row, probability of the other) added; a row with itself is that row again."""
        if not mixed:
            return self
        i, j = (np.array(column, dtype=np.intp) for column in list(zip(*mixed, strict=True))[:2])
        u = np.array([share for _, _, share in mixed])
        fpr, tpr = (rate[i] + u * (rate[j] - rate[i]) for rate in (self.fpr, self.tpr))
        other, more = np.where(i == j, -1, j), (self.model[i], self.threshold[i], fpr, tpr, np.where(i == j, -1, i))
        longer: list[Any] = [np.concatenate(pair) for pair in zip(self.columns, (*more, other, u), strict=True)]
        return Rules(self.curves, *longer)

    @property
    def columns(self) -> tuple[Any, ...]:
        """All but the curves."""
        return self.model, self.threshold, self.fpr, self.tpr, self.one, self.other, self.share

    def below(self, i: int) -> float:
        """Return the next lower score of a rule's model: −inf if there is none, or none is known; NaN for a rule without a model."""
        m, cut = int(self.model[i]), float(self.threshold[i])
        if m < 0 or math.isinf(cut):
            return math.nan
        if math.isnan(cut) or isinstance(self.curves[m], ContinuousRocCurve):
            return -math.inf
        curve = self.curves[m]
        if (rows := sorted_rows(curve)) is not None:
            places = zip((self.fpr[i], self.tpr[i]), (rows.negatives, rows.positives), strict=True)
            return rows.next_score(*(round(float(rate) * cases) for rate, cases in places))
        cuts = curve.thresholds
        after = cuts.size - int(np.searchsorted(cuts[::-1], cut, side="left"))
        if np.isnan(cuts).any() or after >= cuts.size:
            return -math.inf
        # Of scores counted together the highest is next.
        return float((cuts if curve.upper is None else curve.upper)[after])

    def cost(self, at: Any) -> Floats:
        """Return what each rule costs per case at a condition."""
        a, b, c = weights(at)
        return np.asarray(a * self.fpr + b * (1 - self.tpr) + c)

    def hull(self, rows: Ints) -> Ints:
        """Return those of some rows that are the cheapest at some costs, by ascending fpr; of equal points the first row."""
        rows = rows[np.lexsort((rows, -self.tpr[rows], self.fpr[rows]))]
        # Of points above each other the highest alone.
        rows = rows[np.concatenate([[True], np.diff(self.fpr[rows]) > 0])]
        x, y = self.fpr[rows], self.tpr[rows]
        kept = upper_hull(x, y) if rows.size > 1 else np.zeros(1, dtype=np.intp)
        return np.asarray(rows[_clear_of_rounding(x, y, kept[: int(np.argmax(y[kept])) + 1])])

    def switches(self, vertices: Ints) -> Floats:
        """Return the t at which the cheapest of neighbouring vertices changes, descending."""
        rise, run = np.diff(self.tpr[vertices]), np.diff(self.fpr[vertices])
        return np.asarray(rise / (rise + run))

    def kept(self, question: Question) -> Bools:
        """Tell which rules keep every limit, at the mean prevalence."""
        return np.concatenate([question.kept(self.fpr[own], self.tpr[own]) for own in _slices(len(self))])

    def path(self, m: int) -> Ints:
        """Return the rows of a model by falling threshold, from flagging nobody to flagging everybody, each of these once."""
        own = (self.model == m) & (self.other < 0) & (self.fpr + self.tpr < 2)
        return np.concatenate([[0], np.flatnonzero(own), [1]])

    def row_at(self, m: int, cut: float) -> int:
        """Return the row that flags what "score ≥ cut" flags."""
        curve = self.curves[m]
        at = int(points_at(curve, cut))  # refuses points without thresholds, and cuts inside a bucket
        fpr, tpr = float(curve.fpr[at]), float(curve.tpr[at])
        if fpr + tpr in (0.0, 2.0):
            return int(fpr > 0)
        own = np.flatnonzero(self.model == m)
        return int(own[np.flatnonzero((self.fpr[own] == fpr) & (self.tpr[own] == tpr))[0]])

    def mixtures(self, question: Question, groups: Sequence[Ints]) -> list[tuple[int, int, float]]:
        """Return where an edge of the hull of some rows, the best mixtures, crosses the line of a limit or of two corners of one cost."""
        found: list[tuple[int, int, float]] = []
        for rows in groups:
            # From flagging nobody up to the first vertex, which may catch some without a false alarm.
            vertices = np.array(list(dict.fromkeys([0, *self.hull(rows).tolist()])))
            crossed = crossings(question, self.fpr[vertices], self.tpr[vertices])
            found += [(int(vertices[k]), int(vertices[k + 1]), share) for k, share in crossed]
        return list(dict.fromkeys(found))

    def allowed(self, question: Question) -> tuple[Rules, Ints]:
        """Return the table with what may be mixed or what a method sets, and which rows may be chosen."""
        models = range(len(self.curves))
        if question.method == "best":
            table = self
            if question.randomised:
                table = self.plus(self.mixtures(question, [np.arange(len(self)), *map(self.path, models)]))
            return table, np.arange(len(table))
        cuts = [float(question.cut or 0.0)] * len(models)
        if question.method == "rate_driven":
            rows = [self._at_rate(self.path(m), question) for m in models]
        else:
            cuts = [smooth_cut(curve, question) for curve in self.curves] if question.method == "smooth" else cuts
            rows = [(self.row_at(m, cuts[m]),) * 2 + (0.0,) for m in models]
        table = self.plus(rows)
        own = np.arange(len(self), len(table))
        table.model[own] = models
        if question.method != "rate_driven":
            table.threshold[own] = cuts
        return table, np.concatenate([[0, 1], own])

    def _at_rate(self, path: Ints, question: Question) -> tuple[int, int, float]:
        """Return the two rows between which a quota of cases is flagged, and the probability of the second."""
        p, quota = float(question.prevalence or 0.0), 1 - float(question.cut or 0.0)
        flagged = p * self.tpr[path] + (1 - p) * self.fpr[path]
        k = int(np.flatnonzero(flagged <= quota + SLACK)[-1])
        if k + 1 == path.size or quota <= flagged[k] + SLACK:
            return int(path[k]), int(path[k]), 0.0
        return int(path[k]), int(path[k + 1]), float((quota - flagged[k]) / (flagged[k + 1] - flagged[k]))

    def owners(self) -> Ints:
        """Return whose rule each row is; a mixture of two models, or of none, is nobody's own and has a number after all models."""
        if self.other.max() < 0:
            return self.model
        one, two = self.model, np.where(self.other < 0, self.model, self.model[self.other])
        whose = np.where((one >= 0) & (two >= 0) & (one != two), len(self.curves), np.maximum(one, two))
        return np.where((self.other >= 0) & (whose < 0), len(self.curves), whose)

    def first(self, rows: Ints, keys: Sequence[Floats], slack: float) -> int:
        """Return the row whose keys are the least, the first key before the second; of equal rows the first."""
        for key in keys:
            rows = rows[key[rows] <= key[rows].min() + slack]
        return int(rows[0])

    def kept_while(self, question: Question, i: int) -> Span:
        """Return from which prevalence to which row i keeps the limits."""
        low, high = _kept_while(excess(question.limits, self.fpr[i : i + 1], self.tpr[i : i + 1]), 1)
        return float(low[0]), float(high[0])

    def spans_of_t(self, rows: Ints, i: int, t: float) -> tuple[Span, Span]:
        """Return how far t may move until row i is not the best of some rows, and until no rule of its model is."""
        v = self.hull(rows)
        ends = np.concatenate([[1.0], self.switches(v), [0.0]])

        def around(mine: Bools) -> Span:
            touching = np.flatnonzero((ends[1:] - TIE <= t) & (t <= ends[:-1] + TIE) & mine)
            if not touching.size:  # on an edge, and as good as its ends at one t
                return t, t
            others = np.flatnonzero(~mine)
            first = others[others < touching[0]].max(initial=-1) + 1
            last = others[others > touching[-1]].min(initial=v.size)
            return min(float(ends[last]), t), max(float(ends[first]), t)

        def equal(at: Ints | int) -> Bools:
            return (np.abs(self.fpr[at] - self.fpr[v]) <= TIE) & (np.abs(self.tpr[at] - self.tpr[v]) <= TIE)

        owner = self.owners()
        own = rows[owner[rows] == owner[i]]
        own = own[np.lexsort((self.tpr[own], self.fpr[own]))]
        # The highest of the model's points at each vertex's fpr: the same point, or a lower one.
        at = own[np.maximum(np.searchsorted(self.fpr[own], self.fpr[v] + TIE, side="right") - 1, 0)]
        return around(equal(i)), around(equal(at))

    def spans_of_prevalence(self, rows: Ints, i: int, question: Question) -> tuple[Span, Span]:
        """Return how far the prevalence may move until row i is not the best within the limits, and until no rule of its model is."""
        table, mine = self.only(rows), int(np.flatnonzero(rows == i)[0])
        alarm, miss = (gap / sum(question.gaps) for gap in question.gaps)
        alarms = alarm * table.fpr
        costs = alarms, miss * (1 - table.tpr) - alarms
        limits = excess(question.limits, table.fpr, table.tpr)
        at = float(question.prevalence or 0.0)
        low, high = table.span(mine, at, costs, limits)
        ends = [table.followed(mine, end, step, costs, limits) for end, step in ((low, -STEP), (high, STEP))]
        return (low, high), (ends[0], ends[1])

    def only(self, rows: Ints) -> Rules:
        """Return some rows as a table, each with its owner for its model; what mixtures point to is lost."""
        if rows.size == len(self):
            return replace(self, model=self.owners())
        columns = [self.owners(), *self.columns[1:]]
        return Rules(self.curves, *(column[rows] for column in columns))

    def span(self, i: int, at: float, costs: Lines, limits: Sequence[Lines]) -> Span:
        """Return how far x may move from `at` until row i breaks a limit, or a row that keeps them is cheaper."""
        low, high = _kept_while([(e0[i : i + 1], e1[i : i + 1]) for e0, e1 in limits], 1)
        left, right = float(low[0]), float(high[0])
        for own in _slices(len(self)):
            d0, d1 = (cost[own] - cost[i] for cost in costs)
            low, high = _kept_while([(e0[own], e1[own]) for e0, e1 in limits], d0.size)
            inside = (low <= at) & (at <= high)
            low, high = _where(d0, d1, low, high)
            # A row that keeps the limits here is not cheaper here, whatever rounding says.
            low = np.where(inside & (d1 < 0), np.maximum(low, at), low)
            high = np.where(inside & (d1 > 0), np.minimum(high, at), high)
            beats = (low < high) & (np.maximum(np.abs(d0), np.abs(d0 + d1)) > TIE)
            left = float(np.max(high[beats & (high <= at)], initial=left))
            right = float(np.min(low[beats & (low >= at)], initial=right))
        return left, right

    def followed(self, i: int, end: float, step: float, costs: Lines, limits: Sequence[Lines]) -> float:
        """Follow the best rule of row i's model from one span to the next, as long as it is the best of all."""
        if len(self) > MANY:
            return self._bisected(i, end, step, costs, limits)
        while True:
            x = end + step
            if not 0 < x < 1:
                return min(max(x, 0.0), 1.0)
            best = self._best_own(i, x, costs, limits)
            if best is None:
                return end
            reached = self.span(best, x, costs, limits)[int(step > 0)]
            end = max(reached, x) if step > 0 else min(reached, x)

    def _bisected(self, i: int, end: float, step: float, costs: Lines, limits: Sequence[Lines]) -> float:
        """Look at steps of the whole range and halve the last one: for many rules the walk would take too long."""
        side = math.copysign(1 / STEPS, step)
        mine, lines = self.model == self.model[i], np.array([line for pair in (costs, *limits) for line in pair])
        steps = math.ceil(((1 - end) if step > 0 else end) * STEPS) - 1
        held = _steps_held(mine, lines, end, side, max(steps, 0))
        inside, outside = end + held * side, min(max(end + (held + 1) * side, 0.0), 1.0)
        if held >= steps and _held(mine, lines, min(max(outside, STEP), 1 - STEP)):
            return outside
        mine, lines = _in_reach(mine, lines, inside, outside)
        for _ in range(40):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if _held(mine, lines, middle) else (inside, middle)
        return inside

    def _best_own(self, i: int, x: float, costs: Lines, limits: Sequence[Lines]) -> int | None:
        """Return the best rule of row i's model at x if none of another model is better; else None."""
        rows = np.flatnonzero(np.all([e0 + e1 * x <= SLACK for e0, e1 in limits] or [self.fpr >= 0], axis=0))
        cost = costs[0] + costs[1] * x
        own = rows[self.model[rows] == self.model[i]]
        if not own.size or cost[own].min() > cost[rows].min() + TIE:
            return None
        return self.first(own, [cost], TIE)


def _steps_held(mine: Bools, lines: Floats, x: float, side: float, steps: int) -> int:
    """Return after how many of some steps from x on one of `mine` is the best for the last time without a break."""
    mine, lines = _in_reach(mine, lines, x, x + steps * side)
    if steps <= 1:
        return int(steps == 1 and _held(mine, lines, x + side))
    half = steps // 2
    held = _steps_held(mine, lines, x, side, half)
    return held if held < half else half + _steps_held(mine, lines, x + half * side, side, steps - half)


def _in_reach(mine: Bools, lines: Floats, *ends: float) -> tuple[Bools, Floats]:
    """Leave out the rows that break a limit from one end to the other, or cost more there than one that keeps all of them."""
    costs, limits = zip(*((at[0], at[1:] > SLACK) for at in (lines[::2] + lines[1::2] * x for x in ends)), strict=True)
    broken = np.any(limits[0] & limits[1], axis=0)
    kept = np.flatnonzero(~np.any(limits[0] | limits[1], axis=0))
    for cost in costs if kept.size else ():
        best = kept[np.argmin(cost[kept])]
        broken |= np.all([cost > cost[best] + 2 * TIE for cost in costs], axis=0)
    return mine[~broken], lines[:, ~broken]


def _held(mine: Bools, lines: Floats, x: float) -> bool:
    """Tell whether one of `mine` keeps every limit at x, and no other row that does is cheaper."""
    cost, *limits = lines[::2] + lines[1::2] * x
    kept = np.all([limit <= SLACK for limit in limits] or [mine | ~mine], axis=0)
    return bool(np.any(mine & kept) and cost[mine & kept].min() <= cost[kept].min() + TIE)


def crossings(question: Question, fpr: Floats, tpr: Floats) -> list[tuple[int, float]]:
    """Return the edges of a path on which a limit is reached or two corners cost the same, and how far along each that is."""
    lines = [question.margin(kind, fpr, tpr) for kind in question.limits]
    if question.aim == "least_worst":
        costs = [a * fpr + b * (1 - tpr) + c for a, b, c in map(weights, question.corners)]
        lines += [first - second for k, first in enumerate(costs) for second in costs[:k]]
    edges = [np.flatnonzero(np.sign(line[:-1]) * np.sign(line[1:]) < 0).tolist() for line in lines]
    return [
        (k, float(line[k] / (line[k] - line[k + 1]))) for line, held in zip(lines, edges, strict=True) for k in held
    ]


def smooth_cut(curve: RocCurve, question: Question) -> float:
    """Return the threshold of the least cost under the smooth risk curve of a model; of equal ones the one that flags fewest."""
    hull, (a, b, _) = curve.smooth().hull, question.weights
    cost = a * hull.fpr + b * (1 - hull.tpr)
    return float(hull.thresholds[int(first_least(cost, TIE * question.scale))])


def _clear_of_rounding(x: Floats, y: Floats, vertices: Ints) -> Ints:
    """Return the vertices of a hull that stand out from the line of their neighbours by more than rounding."""
    found: list[int] = []
    for k in vertices.tolist():
        while len(found) > 1:
            i, j = found[-2:]
            if (y[j] - y[i]) * (x[k] - x[i]) - (y[k] - y[i]) * (x[j] - x[i]) > SLACK:
                break
            found.pop()
        found.append(k)
    return np.array(found, dtype=np.intp)


def _slices(size: int) -> list[slice]:
    return [slice(start, start + SLICE) for start in range(0, size, SLICE)]


def _kept_while(limits: Sequence[Lines], size: int) -> tuple[Floats, Floats]:
    """Return from which to which x in [0, 1] each row keeps limits (e0, e1): where e0 + e1·x ≤ 0."""
    low, high = np.zeros(size), np.ones(size)
    for e0, e1 in limits:
        low, high = _where(e0 - SLACK, e1, low, high)
    return low, high


def _where(c0: Floats, c1: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the part of each interval in which c0 + c1·x ≤ 0."""
    c0, c1 = np.broadcast_arrays(c0, c1)
    root = np.divide(-c0, c1, out=np.zeros_like(low), where=c1 != 0)
    low, high = np.where(c1 < 0, np.maximum(low, root), low), np.where(c1 > 0, np.minimum(high, root), high)
    never = (c1 == 0) & (c0 > 0)
    return np.where(never, 2.0, low), np.where(never, -1.0, high)

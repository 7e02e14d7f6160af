"""Slow and obvious: how sure a choice is, one resample and one cut at a time.

A rule is (model, cut): cut c flags the c highest distinct scores of the model. It costs w0·fpr + w1·(1 - tpr) per case.
"""

import numpy as np

C = 4 / (3 + 2 ** (2 / 3))
A = 1.5 + 2 ** (-5 / 3)
TIE = 1e-13


def rates(y, score, cut, weight):
    """Return fpr and tpr of a cut when cases have weights."""
    cuts = sorted(set(score), reverse=True)
    flagged = [s in cuts[:cut] for s in score]
    hit = {side: sum(w for w, v, f in zip(weight, y, flagged, strict=True) if v == side and f) for side in (0, 1)}
    total = {side: sum(w for w, v in zip(weight, y, strict=True) if v == side) for side in (0, 1)}
    return hit[0], hit[1], total[0], total[1]


def margin(kind, value, p, fpr, tpr):
    """Return by how much a limit is kept."""
    match kind:
        case "max_fpr":
            return value - fpr
        case "min_tpr":
            return tpr - value
        case "max_flagged":
            return value - (1 - p) * fpr - p * tpr
        case "min_precision":
            return p * tpr * (1 - value) - (1 - p) * fpr * value


def cheapest(rules, costs, scale):
    """Return the first of the cheapest rules; None if there is none."""
    if not rules:
        return None
    least = min(costs)
    return next(r for r, c in zip(rules, costs, strict=True) if c <= least + TIE * scale)


class Certainty:
    """Every number about one choice: labels, scores by model, how often each case was drawn, weights, limits."""

    def __init__(self, y, scores, times, w0, w1, prevalence, limits=None):
        self.y, self.names, self.scores = (
            list(map(int, y)),
            list(scores),
            [list(map(float, s)) for s in scores.values()],
        )
        self.times, self.w0, self.w1, self.p, self.limits = times, w0, w1, prevalence, limits or {}
        self.tables = {}
        self.picked = [self.chosen(list(row)) for row in times]
        self.on_data = self.chosen([1] * len(self.y))

    def at(self, rule, weight):
        """Return false alarms, catches, negatives and positives."""
        key = tuple(rule), tuple(weight)
        if key not in self.tables:
            self.tables[key] = rates(self.y, self.scores[rule[0]], rule[1], weight)
        return self.tables[key]

    def shares(self, rule, weight):
        """Return fpr and tpr."""
        fp, tp, n0, n1 = self.at(rule, weight)
        return fp / n0, tp / n1

    def cost(self, fpr, tpr):
        """Return what rates cost."""
        return self.w0 * fpr + self.w1 * (1 - tpr)

    def keeps(self, rule, weight):
        """Tell whether a rule keeps all limits."""
        return all(margin(k, v, self.p, *self.shares(rule, weight)) >= -1e-14 for k, v in self.limits.items())

    def first(self, rules, weight):
        """Return the first of the cheapest rules that keep the limits; flag nobody if none does."""
        kept = [r for r in rules if self.keeps(r, weight)]
        costs = [self.cost(*self.shares(r, weight)) for r in kept]
        return cheapest(kept, costs, self.w0 + self.w1)

    def last(self, j):
        """Return the cut of a model that flags everybody."""
        return len(set(self.scores[j]))

    def chosen(self, weight):
        """Return the best rule of each model and of all: of equal ones nobody, everybody, then models in order."""
        each = [self.first([(j, c) for c in range(self.last(j) + 1)], weight) for j in range(len(self.names))]
        every = [(0, 0), (0, self.last(0)), *(r for r in each if r is not None)]
        return [r or (j, 0) for j, r in enumerate(each)] + [self.first(every, weight) or (0, 0)]

    def four(self, procedure, value):
        """Return here, out, own and cross of a value of rates."""
        mine = [rules[procedure] for rules in self.picked]
        own = [value(*self.shares(r, w)) for r, w in zip(mine, self.times, strict=True)]
        cross = [
            np.mean([value(*self.shares(mine[b - lag], w)) for lag in (1, 2, 3)]) for b, w in enumerate(self.times)
        ]
        left = np.sum([self.at(r, [int(d == 0) for d in w]) for r, w in zip(mine, self.times, strict=True)], axis=0)
        here = value(*self.shares(self.on_data[procedure], [1] * len(self.y)))
        return here, value(left[0] / left[2], left[1] / left[3]), np.array(own), np.array(cross)

    def fixed(self, rule):
        """Return the same four of the cost of a fixed rule."""
        own = np.array([self.cost(*self.shares(rule, w)) for w in self.times])
        here = self.cost(*self.shares(rule, [1] * len(self.y)))
        return here, here, own, own

    @staticmethod
    def ends(here, out, own, cross, level):
        """Return estimate, low, high and deviations."""
        estimate = here + C * (out - here)
        u = A * cross - (A - 1) * own
        low, high = np.quantile(u - u.mean(), [(1 - level) / 2, (1 + level) / 2])
        slack = (1 - C) * abs(out - here)
        return estimate, estimate + low - slack, estimate + high + slack, u - u.mean()

    def price(self, level):
        """Return price, low and high of the whole choice."""
        estimate, low, high, _ = self.ends(*self.four(-1, self.cost), level)
        rule = self.on_data[-1]
        if self.shares(rule, [1] * len(self.y)) == (0.0, 1.0):
            _, _, n0, n1 = self.at(rule, [1] * len(self.y))
            high = max(high, 3 * max(self.w0 / n0, self.w1 / n1))
        return estimate, max(low, 0.0), high

    def difference(self, four, level):
        """Return estimate, low and high of what something costs more than the whole choice."""
        mine = self.four(-1, self.cost)
        return self.ends(*(a - b for a, b in zip(four, mine, strict=True)), level)[:3]

    def chance(self, kind):
        """Return how often a limit is kept on new cases."""
        value = self.limits[kind]
        estimate, _, _, dev = self.ends(*self.four(-1, lambda f, t: margin(kind, value, self.p, f, t)), 0.9)
        return float(np.mean(estimate + dev >= 0))


def more_labels(ahead, half, enough, n):
    """Return the number of further labels after which the bound on the loss is within `enough`; None if there is none."""
    for f in np.geomspace(1.05, 41, 400):
        late = [
            max(d, 0) / np.sqrt(f) + min(d + 0.51 * h * np.sqrt(1 - 1 / f), 0) + h / np.sqrt(f)
            for d, h in zip(ahead, half, strict=True)
        ]
        if max(late) <= enough:
            return int(np.ceil(1.3 * n * (f - 1)))
    return None

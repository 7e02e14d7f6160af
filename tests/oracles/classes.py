"""Several classes, one case after another: the slow and obvious way."""

import numpy as np


def labels(p, costs):
    """The label with the lowest expected cost of each case, the first of equal ones."""
    found = []
    for row in p:
        expected = [sum(row[i] * costs[i][j] for i in range(len(row))) for j in range(len(costs[0]))]
        found.append(expected.index(min(expected)))
    return found


def cost(y, given, costs, weights=None):
    """The mean cost of labels."""
    weights = np.ones(len(y)) if weights is None else weights
    return sum(w * costs[i][j] for i, j, w in zip(y, given, weights, strict=True)) / sum(weights)


def confidence(y, paid, shares, chosen, n_resamples, level):
    """Price, interval and differences by redrawing the cases of each class and choosing anew; `paid` is cases by rules."""
    rng, y = np.random.default_rng((0,)), np.asarray(y)
    drawn = []
    for c in range(len(shares)):
        rows = np.flatnonzero(y == c)
        drawn.append(rows[rng.integers(0, rows.size, (n_resamples, rows.size))])

    def on(rows_of_class, rule):
        return sum(s * np.mean(paid[rows, rule]) for s, rows in zip(shares, rows_of_class, strict=True))

    rules = range(paid.shape[1])
    inside = np.array([[on([d[b] for d in drawn], j) for j in rules] for b in range(n_resamples)])
    picks = [min(j for j in rules if row[j] <= row.min() + 1e-12) for row in inside]
    out = 0.0
    for c, share in enumerate(shares):
        rows, total, count = np.flatnonzero(y == c), 0.0, 0
        for b, pick in enumerate(picks):
            left = np.setdiff1d(rows, drawn[c][b])
            total, count = total + paid[left, pick].sum(), count + left.size
        out += share * total / count
    own = np.array([inside[b, picks[b]] for b in range(n_resamples)])
    cross = np.array([np.mean([inside[b, picks[b - q]] for q in (1, 2, 3)]) for b in range(n_resamples)])
    here = np.array([sum(s * np.mean(paid[y == c, j]) for c, s in enumerate(shares)) for j in rules])

    def ends(h, o, w, x):
        c, a = 4 / (3 + 2 ** (2 / 3)), 1.5 + 2 ** (-5 / 3)
        u = a * x - (a - 1) * w
        low, high = np.quantile(u - u.mean(), [(1 - level) / 2, (1 + level) / 2])
        slack = (1 - c) * abs(o - h)
        return h + c * (o - h), h + c * (o - h) + low - slack, h + c * (o - h) + high + slack

    extras = {
        j: ends(here[j] - here[chosen], here[j] - out, inside[:, j] - own, inside[:, j] - cross)
        for j in rules
        if j != chosen
    }
    return ends(here[chosen], out, own, cross), extras

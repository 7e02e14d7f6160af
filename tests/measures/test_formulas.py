"""Every registered measure against its formula, worked out slowly and directly."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

import isocost as ic
from isocost.measures.registry import MEASURES


class Model:
    """Rates at every threshold of labels and scores, from flagging no case to flagging every case."""

    def __init__(self, seed, size, decimals):
        rng = np.random.default_rng(seed)
        self.y = np.append([1, 0], rng.random(size) < 0.4).astype(int)
        self.s = np.clip(rng.normal(0.35 + 0.2 * self.y, 0.2), 0.01, 0.99).round(decimals)
        cuts = [np.inf, *np.unique(self.s)[::-1]]
        self.fpr, self.tpr = (np.array([np.mean(self.s[self.y == c] >= cut) for cut in cuts]) for c in (0, 1))
        self.pi = self.y.mean()

    def lowest(self, alarms, misses):
        """The cheapest threshold, for weights of both errors."""
        return np.min(alarms * self.fpr + misses * (1 - self.tpr))

    def switches(self, alarms, misses):
        """Where in [0, 1] two thresholds cost the same, for weights (at 0, at 1) of both errors; between, one is cheapest."""
        start, end = (alarms[at] * self.fpr + misses[at] * (1 - self.tpr) for at in (0, 1))
        gap = np.subtract.outer(start, start), np.subtract.outer(end, end)
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = (gap[0] / (gap[0] - gap[1])).ravel()
        return np.unique([0, 1, *cross[(cross > 0) & (cross < 1)]])

    def mean(self, value, knots):
        """The integral over [0, 1] of what is smooth between knots."""
        return sum(quad(value, a, b, epsabs=1e-13)[0] for a, b in pairwise(knots))

    def along(self, value):
        """The integral over tpr of what thresholds mixed in between have, segment by segment."""
        total = 0.0
        for x, y, u, v in zip(self.fpr, self.tpr, self.fpr[1:], self.tpr[1:], strict=False):
            if v > y:
                total += quad(lambda k, x=x, y=y, u=u, v=v: value(x + (u - x) * (k - y) / (v - y), k), y, v)[0]
        return total


def auc(m):
    """Pairs ranked rightly, ties one half."""
    gap = np.subtract.outer(m.s[m.y == 1], m.s[m.y == 0])
    return np.mean((gap > 0) + (gap == 0) / 2)


def auch(m):
    """The area below the highest chord over each fpr."""

    def height(x):
        pairs = ((a, b) for a in zip(m.fpr, m.tpr, strict=True) for b in zip(m.fpr, m.tpr, strict=True))
        return max(
            k if h == u else k + (v - k) * (x - h) / (u - h)
            for (h, k), (u, v) in pairs
            if h <= x <= u and (u > h or v == k)
        )

    x = np.unique(m.fpr)
    top = [height(one) for one in x]
    return np.trapezoid(top, x)


def mean_normalised_cost(m):
    """The mean of the lowest cost over t."""
    return m.mean(lambda t: m.lowest(t, 1 - t), m.switches((0, 1), (1, 0)))


def voros(m):
    """The mean area of lesser classifiers over t."""
    return m.mean(lambda t: 1 - m.lowest(t, 1 - t) ** 2 / (2 * t * (1 - t)), m.switches((0, 1), (1, 0)))


def h_measure(m):
    """One less the mean lowest loss, relative to that of the trivial classifiers."""
    density = stats.beta(2, 1 + (1 - m.pi) / m.pi).pdf
    knots = m.switches((0, 1 - m.pi), (m.pi, 0))
    own = m.mean(lambda c: density(c) * m.lowest(c * (1 - m.pi), (1 - c) * m.pi), knots)
    return 1 - own / m.mean(lambda c: density(c) * min(c * (1 - m.pi), (1 - c) * m.pi), [0, m.pi, 1])


def calibration_loss(m):
    """The Brier score less the area under the lowest costs."""
    weights = ((2 * (1 - m.pi), 0), (0, 2 * m.pi))
    knots = m.switches(*weights)
    return brier_loss(m) - m.mean(lambda x: m.lowest(2 * (1 - x) * (1 - m.pi), 2 * x * m.pi), knots)


def brier_loss(m):
    """The mean squared error, class by class."""
    return m.pi * np.mean((1 - m.s[m.y == 1]) ** 2) + (1 - m.pi) * np.mean(m.s[m.y == 0] ** 2)


def precision(m, fpr, tpr):
    """Share of the flagged that are positive."""
    return m.pi * tpr / (m.pi * tpr + (1 - m.pi) * fpr)


def average_precision(m):
    """Precision after each step of the recall."""
    return np.sum(np.diff(m.tpr) * precision(m, m.fpr[1:], m.tpr[1:]))


def auprg(m):
    """Precision gain over recall gain, from recall gain 0."""

    def gain(fpr, tpr):
        rate = m.pi / ((1 - m.pi) * tpr**2)  # of the recall gain
        return (precision(m, fpr, tpr) - m.pi) / ((1 - m.pi) * precision(m, fpr, tpr)) * rate if tpr > m.pi else 0.0

    # A threshold added where the recall is π, by mixing.
    at = np.searchsorted(m.tpr, m.pi)
    cut = Model.__new__(Model)
    share = (m.pi - m.tpr[at - 1]) / (m.tpr[at] - m.tpr[at - 1])
    cut.fpr = np.insert(m.fpr, at, m.fpr[at - 1] + share * (m.fpr[at] - m.fpr[at - 1]))
    cut.tpr = np.insert(m.tpr, at, m.pi)
    return cut.along(gain)


FORMULAS = {
    "auc": auc,
    "auch": auch,
    "auprg": auprg,
    "average_precision": average_precision,
    "brier_loss": brier_loss,
    "calibration_loss": calibration_loss,
    "equal_error_rate": lambda m: np.interp(0, m.fpr + m.tpr - 1, m.fpr),
    "gini": lambda m: 2 * auc(m) - 1,
    "h_measure": h_measure,
    "kendall_loss": lambda m: 2 * m.pi * (1 - m.pi) * (1 - auc(m)),
    "ks": lambda m: np.max(m.tpr - m.fpr),
    "mean_normalised_cost": mean_normalised_cost,
    "minimum_error_rate": lambda m: m.lowest(1 - m.pi, m.pi),
    "minimum_weighted_loss": lambda m: 2 * m.lowest(m.pi * (1 - m.pi), (1 - m.pi) * m.pi),
    "pr_area": lambda m: m.along(lambda fpr, tpr: precision(m, fpr, tpr)),
    "rate_driven_loss": lambda m: m.pi * (1 - m.pi) * (1 - 2 * auc(m)) + 1 / 3,
    "voros": voros,
}


def test_every_registered_measure_has_a_formula_here():
    """A new measure is compared with what its docstring says."""
    assert set(FORMULAS) == set(MEASURES)


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("model", [Model(1, 12, 2), Model(2, 25, 1), Model(3, 40, 6)], ids=["few", "tied", "many"])
def test_a_measure_is_what_its_formula_says(name, model):
    """Without options: the data's own prevalence, every t equally likely, ratio π/(1 - π)."""
    curve = ic.RocCurve.from_scores(model.y, model.s)
    assert MEASURES[name](curve) == pytest.approx(FORMULAS[name](model), abs=1e-9)

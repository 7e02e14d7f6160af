"""A smooth risk curve over the ranks of the scores, and the rates that it gives at the thresholds that were seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, logit, ndtri

from isocost.data.checks import Floats
from isocost.numbers import ROUNDING

if TYPE_CHECKING:
    from isocost.curves.roc import RocCurve


PENALTIES = (1e6, 30.0, 10.0, 3.0, 1.0, 0.3)
KNOTS = ndtri(np.linspace(0.08, 0.92, 10))
# More distinct scores than this are pooled with their neighbours of the rank before a curve is fitted.
MOST = 20_000
# With fewer cases of a class, or fewer distinct scores, nothing is smoothed.
FEWEST, FEWEST_SCORES, FOLDS = 10, 3, 5
_STEPS, _HALVINGS = 60, 20
# What Newton's method adds to the information, and what a step that ends it gains at most.
_LITTLE = 1000 * ROUNDING


@dataclass(frozen=True, eq=False)
class Smoothed:
    r"""The smooth risk of one model; `weights` is None if the steps of the data are taken instead.

    With x the normal score of the mid-rank of each distinct score, so that the scale of the scores does not matter:

    .. math:: \operatorname{logit} r(x) = w_0 + w_1 x + w_2 x^2 + \sum_{k=1}^{10} v_k \tanh\frac{x - \kappa_k}{0.6}

    with knots at the normal quantiles of 8 % to 92 %, by penalised likelihood: 0.05 on w₁, 0.1 on w₂, λ on v, λ of `PENALTIES` by the
    least AICc. The curve is taken only if it predicts cases left out better than the isotonic fit (the hull) does, in five folds.
    """

    # The distinct scores, descending, and how many cases score at least as much.
    thresholds: Floats
    flagged: Floats
    penalty: float
    weights: Floats | None

    @classmethod
    def of(cls, curve: RocCurve) -> Smoothed:
        """Fit the risk to the cases of a curve."""
        negative, positive = (np.diff(np.asarray(path, dtype=np.float64)) for path in (curve.fp, curve.tp))
        n, p = negative + positive, positive
        thresholds, flagged = curve.thresholds[1:], np.cumsum(n)
        if min(p.sum(), negative.sum()) < FEWEST or np.count_nonzero(n) < FEWEST_SCORES:
            return cls(thresholds, flagged, PENALTIES[0], None)
        if n.size > MOST:
            pool = np.minimum((flagged - n / 2) / flagged[-1] * MOST, MOST - 1).astype(np.intp)
            some = np.bincount(pool) > 0
            n, p = (np.bincount(pool, part).astype(np.float64)[some] for part in (n, p))
        penalty, weights = _fit(n, p)
        return cls(thresholds, flagged, penalty, None if _prefers_steps(n, p) else weights)

    def rates(self) -> tuple[Floats, Floats] | None:
        """Return fpr and tpr at every threshold, from flagging no case on; None if the steps of the data are taken."""
        if self.weights is None:
            return None
        return modelled(np.diff(self.flagged, prepend=0.0), self.risk(self.thresholds))

    def place(self, thresholds: Floats) -> Floats:
        """Return x of the cases between neighbouring thresholds, descending, which need not be all of them."""
        at = np.searchsorted(-self.thresholds, -thresholds, side="right")
        ends = np.concatenate([[0.0], self.flagged])[np.concatenate([[0], at])]
        return np.asarray(ndtri(1 - (ends[1:] + ends[:-1]) / 2 / self.flagged[-1]))

    def risk(self, thresholds: Floats) -> Floats:
        """Return the risk of the cases between neighbouring thresholds."""
        assert self.weights is not None  # noqa: S101 - the caller looked
        return np.asarray(expit(_design(self.place(thresholds)) @ self.weights))

    def risks(self, thresholds: Floats, n: Floats, p: Floats) -> Floats:
        """Return the risks fitted to other counts of the same cases, one row per resample; λ and x are those of all cases."""
        assert self.weights is not None  # noqa: S101 - the caller looked
        design = _design(self.place(thresholds))
        start = np.repeat(self.weights[None], len(n), axis=0)
        return np.asarray(expit(_newton(design, n, p, self.penalty, start)[0] @ design.T))


def modelled(n: Floats, risk: Floats) -> tuple[Floats, Floats]:
    """Return fpr and tpr of every cut, from no case flagged to all, of n cases at each score with some risk; along the last axis."""
    found = []
    for part in (n * (1 - risk), n * risk):
        path = np.concatenate([np.zeros((*part.shape[:-1], 1)), np.cumsum(part, axis=-1)], axis=-1)
        found.append(path / path[..., -1:])
    return found[0], found[1]


def _design(x: Floats) -> Floats:
    return np.column_stack([np.ones_like(x), x, x * x, np.tanh((x[:, None] - KNOTS) / 0.6)])


def _newton(design: Floats, n: Floats, p: Floats, penalty: float, start: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the weights of each row of counts, its information matrix and its penalised loss, by Newton's method with halving."""
    ridge = np.concatenate([[0.0, 0.05, 0.1], np.full(KNOTS.size, penalty)])
    bend = np.diag(ridge + _LITTLE)

    def loss(w: Floats, rows: Any) -> Floats:
        eta = w @ design.T
        fit = np.sum(n[rows] * np.logaddexp(0, eta) - p[rows] * eta, axis=1)
        return np.asarray(fit + 0.5 * (w * w) @ ridge)

    def information(w: Floats, rows: Any) -> tuple[Floats, Floats]:
        m = expit(w @ design.T)
        each = [(design * weight[:, None]).T @ design for weight in n[rows] * m * (1 - m)]
        return m, np.stack(each)

    w = start.copy()
    now, open_ = loss(w, slice(None)), np.arange(len(n))
    for _ in range(_STEPS):
        m, found = information(w[open_], open_)
        slope = (n[open_] * m - p[open_]) @ design + w[open_] * ridge
        step = np.linalg.solve(found + bend, slope[..., None])[..., 0]
        size = np.ones(open_.size)
        after = loss(w[open_] - step, open_)
        while np.any(worse := (after > now[open_]) & (size > 0.5**_HALVINGS)):
            size[worse] /= 2
            after[worse] = loss(w[open_[worse]] - size[worse, None] * step[worse], open_[worse])
        w[open_] -= size[:, None] * step
        gained, now[open_] = now[open_] - after, after
        open_ = open_[gained >= _LITTLE * (1 + np.abs(now[open_] + gained))]
        if not open_.size:
            break
    return w, information(w, slice(None))[1], now - 0.5 * (w * w) @ ridge


def _fit(n: Floats, p: Floats) -> tuple[float, Floats]:
    """Return the penalty with the least AICc and the weights it gives, for counts by descending score."""
    total = n.sum()
    design = _design(ndtri(1 - (np.cumsum(n) - n / 2) / total))
    start = np.zeros((1, design.shape[1]))
    start[0, 0] = logit(np.clip(p.sum() / total, 1e-3, 1 - 1e-3))
    best, found = np.inf, (PENALTIES[0], start[0])
    for penalty in PENALTIES:
        start, information, loss = _newton(design, n[None], p[None], penalty, start)
        bend = np.diag(np.concatenate([[0.0, 0.05, 0.1], np.full(KNOTS.size, penalty)]) + _LITTLE)
        free = float(np.trace(np.linalg.solve(information[0] + bend, information[0])))
        aic = 2 * float(loss[0]) + 2 * free + 2 * free * (free + 1) / max(total - free - 1, 1)
        if aic < best:
            best, found = aic, (penalty, start[0])
    return found


def _prefers_steps(n: Floats, p: Floats) -> bool:
    """Tell whether the isotonic fit predicts cases left out better; counts by descending score."""
    gain = 0.0
    for held_p, held_n in _dealt(n, p):
        seen = (left := n - held_p - held_n) > ROUNDING * n.sum()
        some_n, some_p = left[seen], np.clip((p - held_p)[seen], 0.0, left[seen])
        if not 0 < some_p.sum() < some_n.sum():
            continue
        _, weights = _fit(some_n, some_p)
        x = ndtri(1 - (np.cumsum(some_n) - some_n / 2) / some_n.sum())
        # Each case left out stands at the highest score seen that is not above its own, or the lowest.
        at = np.minimum(np.cumsum(seen) - seen, np.count_nonzero(seen) - 1)
        for sign, risk in ((1, _isotonic(some_n, some_p)), (-1, expit(_design(x) @ weights))):
            gain += sign * float(held_p @ np.log(risk[at]) + held_n @ np.log1p(-risk[at]))
    return gain > 0


def _dealt(n: Floats, p: Floats) -> list[tuple[Floats, Floats]]:
    """Return positives and negatives of each fold by score: each class dealt in turn, in an order that rows do not change."""
    cells = np.stack([n - p, p], axis=1)[::-1].ravel()
    whole = bool(np.all(cells == np.rint(cells)))
    case = np.repeat(np.arange(cells.size), cells.astype(np.intp)) if whole else np.flatnonzero(cells)
    case = case[np.random.default_rng(0).permutation(case.size)]
    fold = np.empty(case.size, dtype=np.intp)
    for c in (0, 1):
        own = np.flatnonzero(case % 2 == c)
        fold[own] = np.arange(own.size) % FOLDS
    found = []
    for k in range(FOLDS):
        some = case[fold == k]
        held = np.bincount(some, None if whole else cells[some], cells.size).astype(np.float64)
        negative, positive = held.reshape(-1, 2)[::-1].T
        found.append((positive, negative))
    return found


def _isotonic(n: Floats, p: Floats) -> Floats:
    """Return risks that fall with the score's place, pooled, with two more cases of the overall risk in each block."""
    from scipy.optimize import isotonic_regression

    blocks = isotonic_regression(p / n, weights=n, increasing=False).blocks
    sums, sizes = (np.add.reduceat(part, blocks[:-1]) for part in (p, n))
    overall = p.sum() / n.sum()
    return np.repeat((sums + 2 * overall) / (sizes + 2), np.diff(blocks))

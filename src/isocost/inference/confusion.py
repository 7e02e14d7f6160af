"""Classifiers of which only the counts are known: resampled confusion matrices, and Bayesian bands."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.curves.hull import cost_of
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.question import SLACK
from isocost.errors import FewCasesWarning, InputError
from isocost.inference.band import Band
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.replicates import Replicates
from isocost.numbers import counted

# Up to so many different outcomes are listed with their probabilities instead of being drawn.
_OUTCOMES = 20_000
_FEW = 5

Matrix = tuple[int, int, int, int]


def bootstrap_confusion(
    matrices: Mapping[str, Sequence[float]],
    *,
    n_resamples: int = 2000,
    rng: int | np.random.Generator | None = None,
    joint: ArrayLike | None = None,
    grid: int | ArrayLike = 201,
) -> Bootstrap:
    """Resample confusion matrices with their class totals fixed, each row a binomial distribution.

    A single classifier of moderate size is not drawn at all: every outcome is listed with its probability, and the band has
    no simulation noise.

    Parameters
    ----------
    matrices : dict of name to (tp, fn, fp, tn)
        Whole numbers, at least two cases of each class.
    n_resamples : int
        How many matrices to draw where outcomes are not listed.
    rng : int or Generator, optional
        Seed; 0 if not given.
    joint : array of shape (2, 2, 2) or (2,), optional
        How two classifiers agree; without it they are drawn independently, as from different cases. Either two tables, for
        positives and for negatives, with rows "first flags, first does not" and columns "second flags, second does not"; or
        only how many positives and how many negatives both of them flag, from which the tables follow. For three or more classifiers,
        the two tables have an axis for each: shape (2, 2, 2, 2) and so on.
    grid : int or array
        How many conditions, equally spaced in pcf from 0 to 1, or which ones.

    Returns
    -------
    Bootstrap

    See Also
    --------
    posterior_band, isocost.bootstrap

    References
    ----------
    Drummond & Holte (2004), What ROC curves can't do (and cost curves can), sections 8-9.

    Examples
    --------
    >>> import isocost as ic
    >>> resampled = ic.inference.bootstrap_confusion({"a": (70, 30, 20, 80), "b": (60, 40, 30, 70)}, joint=(58, 19))
    >>> resampled.significant("a", "b")
    [Significance(t_low=0.0, t_high=1.0, better='a')]
    """
    given: Any = matrices
    if not isinstance(given, Mapping) or not given:
        raise InputError(
            f"matrices must be a dict of name to (tp, fn, fp, tn) with at least one entry, got {matrices!r}"
        )
    checks.names(matrices, "classifier")
    tables = {name: matrix(name, cells) for name, cells in matrices.items()}
    total = checks.resamples(n_resamples)
    pcf = checks.pcf_grid(grid)
    sums = {name: (tp + fn, fp + tn) for name, (tp, fn, fp, tn) in tables.items()}
    if joint is not None and len(set(sums.values())) > 1:
        raise InputError(f"joint= means the same cases, but the class totals differ: {sums}")
    _warn(tables)
    positives, negatives = next(iter(sums.values()))
    if len(tables) == 1 and joint is None and (positives + 1) * (negatives + 1) <= _OUTCOMES:
        [(name, cells)] = tables.items()
        models = {name: _listed(cells, pcf)}
    else:
        drawn = _drawn(tables, joint, total, checks.entropy(rng))
        models = {name: _model(tables[name], *counts, pcf, None) for name, counts in drawn.items()}
    return Bootstrap(pcf, models, total, positives, negatives)


def matrix(name: str, cells: Any) -> Matrix:
    """Return a confusion matrix of whole cases, at least two of each class."""
    if not isinstance(cells, Sequence | np.ndarray) or isinstance(cells, str) or len(cells) != 4:
        raise InputError(f"{name!r} must be four counts (tp, fn, fp, tn), got {cells!r}")
    tp, fn, fp, tn = checks.confusion(*cells)
    for cell, value in (("tp", tp), ("fn", fn), ("fp", fp), ("tn", tn)):
        if not value.is_integer():
            raise InputError(f"{cell} of {name!r} must be a whole number of cases, got {value:g}")
    for label, many in (("positive", tp + fn), ("negative", fp + tn)):
        if many < 2:
            raise InputError(
                f"resampling needs at least 2 positives and 2 negatives, {name!r} has {counted(many, label)}"
            )
    return int(tp), int(fn), int(fp), int(tn)


def _warn(tables: dict[str, Matrix]) -> None:
    for name, (tp, fn, fp, tn) in tables.items():
        for label, rate, hit, missed in (("positives", "tpr", tp, fn), ("negatives", "fpr", fp, tn)):
            if min(hit, missed) == 0:
                warnings.warn(
                    f"{name!r} has a {rate} of exactly {int(missed == 0)}, and so has every resample: its band has no width "
                    f"there, although rates up to about {min(3 / (hit + missed), 1):.2g} away fit these counts; "
                    "posterior_band has no such gap",
                    FewCasesWarning,
                    stacklevel=3,
                )
            elif hit + missed < _FEW:
                warnings.warn(
                    f"{name!r} has only {hit + missed} {label}: its {rate} takes {hit + missed + 1} values at most, and the band "
                    "covers less than its level says",
                    FewCasesWarning,
                    stacklevel=3,
                )


def _model(cells: Matrix, tp: NDArray[Any], fp: NDArray[Any], pcf: Floats, probability: Floats | None) -> Replicates:
    positives, negatives = cells[0] + cells[1], cells[2] + cells[3]
    own = cost_of(fp[:, None] / negatives, tp[:, None] / positives, pcf)
    apparent = cost_of(cells[2] / negatives, cells[0] / positives, pcf)
    return Replicates(apparent, own, None, None, None, np.hypot(pcf / positives, (1 - pcf) / negatives), probability)


def _listed(cells: Matrix, pcf: Floats) -> Replicates:
    """Return every pair of outcomes of the two binomial distributions."""
    tp, fn, fp, tn = cells
    hits, alarms = np.arange(tp + fn + 1), np.arange(fp + tn + 1)
    chance = np.outer(_binomial(tp, fn), _binomial(fp, tn)).ravel()
    pairs = [side.ravel() for side in np.meshgrid(hits, alarms, indexing="ij")]
    return _model(cells, pairs[0], pairs[1], pcf, chance / chance.sum())


def _binomial(hit: int, missed: int) -> Floats:
    """Return the probabilities of 0, 1, … hits among as many cases with the same rate."""
    total = hit + missed
    if min(hit, missed) == 0:
        return np.asarray(np.eye(total + 1)[hit])
    # Logarithms of factorials: the binomial coefficients themselves outgrow floats.
    logs = np.cumsum(np.log(np.maximum(np.arange(total + 1), 1)))
    k = np.arange(total + 1)
    chance = logs[-1] - logs - logs[::-1] + k * math.log(hit / total) + (total - k) * math.log(missed / total)
    return np.asarray(np.exp(chance))


def _drawn(
    tables: dict[str, Matrix], joint: ArrayLike | None, total: int, entropy: tuple[int, ...]
) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
    # A stream of its own for each class and classifier: none depends on how many others there are.
    if joint is None:
        return {
            name: (
                _stream(entropy, i, 0).binomial(tp + fn, tp / (tp + fn), size=total),
                _stream(entropy, i, 1).binomial(fp + tn, fp / (fp + tn), size=total),
            )
            for i, (name, (tp, fn, fp, tn)) in enumerate(tables.items())
        }
    both = agreement(tables, joint)
    found = [_stream(entropy, 0, i).multinomial(t.sum(), t.ravel() / t.sum(), size=total) for i, t in enumerate(both)]
    shape = (total, *both[0].shape)
    # A classifier flags the cells at the first place of its axis.
    hits = [
        [cells.reshape(shape).take(0, axis=i + 1).reshape(total, -1).sum(axis=1) for cells in found]
        for i in range(len(tables))
    ]
    return {name: (of[0], of[1]) for name, of in zip(tables, hits, strict=True)}


def _stream(entropy: tuple[int, ...], classifier: int, label: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([*entropy, classifier, label])))


def agreement(tables: Mapping[str, Matrix], joint: ArrayLike) -> NDArray[np.int64]:
    """Return the tables of agreement for positives and negatives, checked against the matrices."""
    many = len(tables)
    if many < 2:
        raise InputError(f"joint= is about two classifiers or more, got {many}: {', '.join(map(repr, tables))}")
    given = np.asarray(joint)
    shapes = ((2,), (2, 2, 2)) if many == 2 else ((2,) * (many + 1),)
    if given.shape not in shapes or given.dtype.kind not in "iuf" or np.any(given != np.rint(given)):
        wanted = (
            "two whole numbers (positives flagged by both, negatives flagged by both) or two 2×2 tables of them"
            if many == 2
            else f"two tables of whole numbers with an axis for each classifier, of shape {shapes[0]} in all"
        )
        raise InputError(f"joint must be {wanted}, got {joint!r:.200}")
    labels = (("positives", 0, 1), ("negatives", 2, 3))
    return np.array(
        [_agreement(tables, part, *which) for part, which in zip(given, labels, strict=True)], dtype=np.int64
    )


def _agreement(tables: Mapping[str, Matrix], part: Any, label: str, flags: int, leaves: int) -> NDArray[np.int64]:
    """Return the table of one class, made from how many all flag if that is what was given."""
    margins = {name: (cells[flags], cells[leaves]) for name, cells in tables.items()}
    table = np.asarray(part).astype(np.int64)
    if table.ndim == 0:
        (flags_a, _), (flags_b, not_b) = margins.values()
        both = int(table)
        table = np.array([[both, flags_a - both], [flags_b - both, not_b - flags_a + both]])
    if np.any(table < 0):
        a, b = list(margins)[:2]
        (flags_a, not_a), (flags_b, not_b) = margins[a], margins[b]
        between = f", so both flag {max(0, flags_a - not_b)} to {min(flags_a, flags_b)}" if len(margins) == 2 else ""
        raise InputError(
            f"joint of the {label} is impossible: {a!r} flags {flags_a} and {b!r} flags {flags_b} of {flags_a + not_a}{between}; "
            f"got the table {table.tolist()}"
        )
    for axis, (name, expected) in enumerate(margins.items()):
        sums = tuple(table.sum(axis=tuple(i for i in range(table.ndim) if i != axis)).tolist())
        if sums != expected:
            raise InputError(
                f"joint of the {label} does not add up to the matrices: {name!r} flags {sums[0]} and not {sums[1]}, "
                f"expected {expected[0]} and {expected[1]}"
            )
    return table


_STEPS = 8
_TAIL = np.array([*np.logspace(-9, -3, 3), 0.02, 0.1, 0.25])
_SPREAD = np.concatenate([_TAIL, [0.5], 1 - _TAIL[::-1]])


def posterior_band(
    tp: float,
    fn: float,
    fp: float,
    tn: float,
    *,
    level: float = 0.90,
    prior: tuple[float, float] = (0.5, 0.5),
    grid: int | ArrayLike = 201,
    name: str = "classifier",
) -> Band:
    """Return credible limits for the cost of one classifier at each condition, from its confusion matrix.

    With a Beta prior on each rate, the rates after seeing the counts are Beta too: fpr ~ Beta(fp + a, tn + b) and 1 - tpr ~
    Beta(fn + a, tp + b), independent. The cost at t is t·fpr + (1-t)·(1-tpr); its quantiles come from the exact distribution
    function, not from draws. Unlike a band from resamples, it has width even if a rate is 0 or 1 in the data.

    Parameters
    ----------
    tp, fn, fp, tn : float
        Counts, not negative, at least one case of each class.
    level : float
        Strictly between 0 and 1.
    prior : (a, b)
        Of each error rate; (0.5, 0.5) is Jeffreys', (1, 1) uniform.
    grid : int or array
        How many conditions, equally spaced in pcf from 0 to 1, or which ones.
    name : str

    Returns
    -------
    Band

    See Also
    --------
    bootstrap_confusion

    References
    ----------
    Brown, Cai & DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16:101-133,
    doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> import isocost as ic
    >>> band = ic.inference.posterior_band(20, 0, 4, 6, grid=[0.0, 0.5, 1.0])
    >>> band.low.round(3).tolist(), band.high.round(3).tolist()
    ([0.185, 0.102, 0.0], [0.653, 0.341, 0.09])
    """
    tp, fn, fp, tn = checks.confusion(tp, fn, fp, tn)
    share = checks.level(level)
    a, b = _prior(prior)
    pcf = checks.pcf_grid(grid)
    alarms, misses = _Beta(fp + a, tn + b), _Beta(fn + a, tp + b)
    tail = (1 - share) / 2
    low, high = (_quantiles(q, pcf, alarms, misses) for q in (tail, 1 - tail))
    centre = (1 - pcf) * alarms.mean + pcf * misses.mean
    apparent = (1 - pcf) * fp / (fp + tn) + pcf * fn / (tp + fn)
    what = "the true cost of the classifier as it is, given the counts and the prior"
    return Band(pcf, low, centre, high, apparent, share, "pointwise", what, (name,))


def _prior(prior: tuple[float, float]) -> tuple[float, float]:
    first, second = checks.pair(prior, "prior", "a pair of positive numbers")
    a, b = (checks.number(v, "prior", low=0.0) for v in (first, second))
    if not (0.5 <= a < np.inf and 0.5 <= b < np.inf):
        raise InputError(f"prior must be two finite numbers of at least 0.5, Jeffreys' prior, got {prior!r}")
    return a, b


class _Beta:
    """A Beta distribution, also in the angle whose squared sine is the rate: its density there is bounded."""

    def __init__(self, a: float, b: float) -> None:
        from scipy.special import betaln

        self.a, self.b = a, b
        self._log = float(betaln(a, b))

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def cdf(self, x: Floats) -> Floats:
        from scipy.special import betainc

        return np.asarray(betainc(self.a, self.b, np.clip(x, 0.0, 1.0)))

    def ppf(self, q: float | Floats) -> Floats:
        from scipy.special import betaincinv

        return np.asarray(betaincinv(self.a, self.b, q), dtype=np.float64)

    def angle_density(self, angle: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            logs = (2 * self.a - 1) * np.log(np.sin(angle)) + (2 * self.b - 1) * np.log(np.cos(angle))
        return np.asarray(2 * np.exp(np.nan_to_num(logs, neginf=-np.inf) - self._log))


def _quantiles(q: float, pcf: Floats, alarms: _Beta, misses: _Beta) -> Floats:
    """Return the q-quantile of the cost at each pcf."""
    inner = (pcf > 0) & (pcf < 1)
    found = np.where(pcf == 1, misses.ppf(q), alarms.ppf(q))
    x = pcf[inner]
    # Both rates below their p-quantiles: probability p². Both above: (1-p)². So these two costs enclose the quantile.
    low, high = ((1 - x) * alarms.ppf(p) + x * misses.ppf(p) for p in (1 - (1 - q) ** 0.5, q**0.5))
    short, over = (_probability(c, x, alarms, misses) - q for c in (low, high))
    for _ in range(_STEPS):
        # Ridders (1979): bend the function straight by an exponential factor, then take the chord.
        middle = (low + high) / 2
        gap = _probability(middle, x, alarms, misses) - q
        root = middle - (middle - low) * gap / np.sqrt(gap**2 - np.minimum(short * over, -np.finfo(np.float64).tiny))
        value = _probability(root, x, alarms, misses) - q
        points, gaps = (
            np.sort(np.stack([low, middle, root, high]), axis=0),
            np.sort(np.stack([short, gap, value, over]), axis=0),
        )
        # The last point with a probability that is still too small, and the one after it.
        at = np.clip(np.sum(gaps < 0, axis=0) - 1, 0, 2)[None, :]
        low, high = (np.take_along_axis(points, at + i, 0)[0] for i in (0, 1))
        short, over = (np.take_along_axis(gaps, at + i, 0)[0] for i in (0, 1))
        if np.all(np.minimum(-short, over) < SLACK):
            break
    found[inner] = root
    return found


def _probability(cost: Floats, pcf: Floats, alarms: _Beta, misses: _Beta) -> Floats:
    """Return P(t·fpr + pcf·miss ≤ cost), integrating over the angle of the fpr between where the miss rate is 1 and 0."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    t = 1 - pcf
    first, last = (np.clip(v / t, 0.0, 1.0) for v in (cost - pcf, cost))
    from_, to = (np.arcsin(np.sqrt(v))[:, None] for v in (first, last))
    # Panels follow the bulk of the fpr and shrink towards both ends, where the integrand may rise like a square root.
    bulk = np.arcsin(np.sqrt(alarms.ppf(_SPREAD)))
    near = (to - from_) * 2.0 ** -np.arange(1, 22)
    edges = np.concatenate([from_, from_ + near, np.broadcast_to(bulk, (pcf.size, bulk.size)), to - near, to], axis=1)
    edges = np.sort(np.clip(edges, from_, to), axis=1)
    width = np.diff(edges, axis=1)[:, :, None]
    angle = edges[:, :-1, None] + width * (nodes + 1) / 2
    miss = (cost[:, None, None] - t[:, None, None] * np.sin(angle) ** 2) / pcf[:, None, None]
    inside = alarms.angle_density(angle) * misses.cdf(miss) @ (weights / 2)
    return np.asarray(np.sum(inside * width[:, :, 0], axis=1) + alarms.cdf(first))

"""Classifiers of which only the counts are known: resampled confusion matrices, and Bayesian bands."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented
from isocost.curves.hull import cost_of
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.question import SLACK
from isocost.errors import FewCasesWarning, InputError
from isocost.inference.band import Band
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.replicates import Replicates

# Up to so many different outcomes are listed with their probabilities instead of being drawn.
_OUTCOMES = 20_000
_FEW = 5

Matrix = tuple[int, int, int, int]


@documented
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
    joint : array of shape (2, 2, 2) or (2,), optional
        How two classifiers agree; without it they are drawn independently, as from different cases. Either two tables, for
        positives and for negatives, with rows "first flags, first does not" and columns "second flags, second does not"; or
        only how many positives and how many negatives both of them flag, from which the tables follow. For three or more classifiers,
        the two tables have an axis for each: shape (2, 2, 2, 2) and so on.

    See Also
    --------
    posterior_band, isocost.bootstrap

    References
    ----------
    Drummond & Holte (2004), What ROC curves can't do (and cost curves can), sections 8-9.

    Examples
    --------
    >>> resampled = ic.inference.bootstrap_confusion({"a": (70, 30, 20, 80), "b": (60, 40, 30, 70)}, joint=(58, 19))
    >>> resampled.significant("a", "b")
    [Significance(t_low=0.0, t_high=1.0, better='a')]
    """
    tables = matrices_given(matrices)
    total = checks.resamples(n_resamples)
    pcf = checks.pcf_grid(grid)
    sums = totals_of(tables)
    if joint is not None:
        checks.same_cases(sums, "matrices with joint=")
    _warn(tables)
    positives, negatives = next(iter(sums.values()))
    if len(tables) == 1 and joint is None and (positives + 1) * (negatives + 1) <= _OUTCOMES:
        [(name, cells)] = tables.items()
        models = {name: _listed(cells, pcf)}
    else:
        drawn = _drawn(tables, joint, total, checks.entropy(rng))
        models = {name: _model(tables[name], *counts, pcf, None) for name, counts in drawn.items()}
    return Bootstrap(pcf, models, total, positives, negatives)


def matrices_given(matrices: Any) -> dict[str, Matrix]:
    """Return confusion matrices by name, checked."""
    given = checks.instance(matrices, "matrices", Mapping, "a dict of name to (tp, fn, fp, tn)")
    checks.names(checks.some(given, "matrices", "pass at least one, {'name': (tp, fn, fp, tn)}"), "classifier")
    return {name: _matrix(name, cells) for name, cells in given.items()}


def totals_of(tables: Mapping[str, Matrix]) -> dict[str, tuple[int, int]]:
    """Return the positives and negatives of each matrix."""
    return {name: (tp + fn, fp + tn) for name, (tp, fn, fp, tn) in tables.items()}


def _matrix(name: str, cells: Any) -> Matrix:
    """Return a confusion matrix of whole cases, at least two of each class."""
    counts = checks.numbers(cells, f"the cells of {name!r}")
    checks.one_each(counts, f"the cells of {name!r}", 4, "counts (tp, fn, fp, tn)")
    checks.every(counts == np.rint(counts), counts, f"the cells of {name!r}", "be whole numbers of cases")
    tp, fn, fp, tn = (int(cell) for cell in checks.confusion(*counts))
    few = [min(total, 2) for total in (tp + fn, fp + tn)]
    checks.two_of_each(np.repeat([True, False], few), f"resampling {name!r}")
    return tp, fn, fp, tn


def _warn(tables: dict[str, Matrix]) -> None:
    for name, (tp, fn, fp, tn) in tables.items():
        for rate, hit, missed in (("tpr", tp, fn), ("fpr", fp, tn)):
            many = hit + missed
            if min(hit, missed) == 0 or many < _FEW:
                warnings.warn(
                    f"the {rate} of {name!r} is {hit}/{many}: rates up to about {min(3 / many, 1):.2g} away fit these counts, "
                    "and resamples hardly show them; posterior_band does",
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
    from scipy.special import gammaln, xlog1py, xlogy

    total, k = hit + missed, np.arange(hit + missed + 1)
    logs = gammaln(total + 1) - gammaln(k + 1) - gammaln(total - k + 1)
    return np.asarray(np.exp(logs + xlogy(k, hit / total) + xlog1py(total - k, -hit / total)))


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
    many, given = len(checks.distinct(tables, "the classifiers of joint=", low=2)), np.asarray(joint)
    shapes = ((2,), (2, 2, 2)) if many == 2 else ((2,) * (many + 1),)
    if given.shape not in shapes or given.dtype.kind not in "iuf" or np.any(given != np.rint(given)):
        raise InputError(f"joint must be whole numbers of shape {' or '.join(map(str, shapes))}, got {joint!r:.200}")
    found = []
    for part, flags, leaves in zip(given.astype(np.int64), (0, 2), (1, 3), strict=True):
        margins = [(cells[flags], cells[leaves]) for cells in tables.values()]
        table = part
        if part.ndim == 0:  # how many both flag
            (a, not_a), (b, _) = margins
            table = np.array([[part, a - part], [b - part, not_a - b + part]])
        sums = [tuple(np.moveaxis(table, axis, 0).reshape(2, -1).sum(axis=1).tolist()) for axis in range(many)]
        if np.any(table < 0) or sums != margins:
            label = "positives" if flags == 0 else "negatives"
            raise InputError(
                f"joint of the {label} does not add up to the matrices: {' and '.join(map(repr, tables))} flag, and do not flag, "
                f"{margins}; got the table {table.tolist()}"
            )
        found.append(table)
    return np.array(found, dtype=np.int64)


_STEPS = 8
# Places in (0, 1) and weights of the tanh-sinh rule, which bears infinite slopes at both ends.
_ANGLE = np.pi / 2 * np.sinh(np.arange(-51, 52) / 16)
_NODES = 1 / (1 + np.exp(-2 * _ANGLE))
_WEIGHTS = np.hypot(_ANGLE, np.pi / 2) / np.cosh(_ANGLE) ** 2 / 32


@documented
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
    prior : (a, b)
        Of each error rate; (0.5, 0.5) is Jeffreys', (1, 1) uniform.
    name : str

    See Also
    --------
    bootstrap_confusion

    References
    ----------
    Brown, Cai & DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16:101-133,
    doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> band = ic.inference.posterior_band(20, 0, 4, 6, grid=[0.0, 0.5, 1.0])
    >>> band.low.round(3).tolist(), band.high.round(3).tolist()
    ([0.185, 0.102, 0.0], [0.653, 0.341, 0.09])
    """
    tp, fn, fp, tn = checks.confusion(tp, fn, fp, tn)
    share = checks.level(level)
    ends = checks.pair(prior, "prior", "a pair of positive numbers")
    # At least Jeffreys' prior.
    a, b = (checks.number(end, "prior", low=0.5, high=sys.float_info.max) for end in ends)
    pcf = checks.pcf_grid(grid)
    alarms, misses = (fp + a, tn + b), (fn + a, tp + b)
    tail = (1 - share) / 2
    low, high = (_quantiles(q, pcf, alarms, misses) for q in (tail, 1 - tail))
    centre = (1 - pcf) * alarms[0] / sum(alarms) + pcf * misses[0] / sum(misses)
    apparent = (1 - pcf) * fp / (fp + tn) + pcf * fn / (tp + fn)
    what = "the true cost of the classifier as it is, given the counts and the prior"
    return Band(pcf, low, centre, high, apparent, share, "pointwise", what, (name,))


def _quantiles(q: float, pcf: Floats, alarms: tuple[float, float], misses: tuple[float, float]) -> Floats:
    """Return the q-quantile of the cost at each pcf, where the rates have Beta distributions."""
    from scipy.special import betaincinv

    inner = (pcf > 0) & (pcf < 1)
    found = np.where(pcf == 1, betaincinv(*misses, q), betaincinv(*alarms, q))
    x = pcf[inner]
    # Both rates below their p-quantiles: probability p². Both above: (1-p)². So these two costs enclose the quantile.
    low, high = ((1 - x) * betaincinv(*alarms, p) + x * betaincinv(*misses, p) for p in (1 - (1 - q) ** 0.5, q**0.5))
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


def _probability(cost: Floats, pcf: Floats, alarms: tuple[float, float], misses: tuple[float, float]) -> Floats:
    """Return P((1 - pcf)·fpr + pcf·miss ≤ cost): the part that spreads less is integrated over, in steps of its probability."""
    from scipy.special import betainc, betaincinv

    spread = [
        weight * math.sqrt(a * b / (a + b + 1)) / (a + b) for weight, (a, b) in ((1 - pcf, alarms), (pcf, misses))
    ]
    found = np.empty(cost.size)
    sides = ((spread[0] <= spread[1], 1 - pcf, alarms, misses), (spread[0] > spread[1], pcf, misses, alarms))
    for some, weight, narrow, wide in sides:
        c, n = cost[some, None], weight[some, None]
        # Where the other rate would have to be 1, and 0.
        first, last = (betainc(*narrow, np.clip(ends / n, 0.0, 1.0)) for ends in (c - (1 - n), c))
        part = betaincinv(*narrow, first + (last - first) * _NODES)
        inside = betainc(*wide, np.clip((c - n * part) / (1 - n), 0.0, 1.0)) @ _WEIGHTS
        found[some] = first[:, 0] + (last - first)[:, 0] * inside
    return found

"""Classifiers of which only the counts are known: resampled confusion matrices."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.curves.hull import cost_of
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import FewCasesWarning, InputError
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.replicates import Replicates

# Up to so many different outcomes are listed with their probabilities instead of being drawn.
_OUTCOMES = 20_000
_FEW = 5

Matrix = tuple[int, int, int, int]


@documented_by(see="isocost.bootstrap isocost.check")
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

    References
    ----------
    Drummond & Holte (2004), What ROC curves can't do (and cost curves can), sections 8-9.

    Examples
    --------
    >>> resampled = ic.inference.bootstrap_confusion({"a": (70, 30, 20, 80), "b": (60, 40, 30, 70)}, joint=(58, 19))
    >>> resampled.significant("a", "b")
    [Claim(better='a', worse='b', t_low=0.0, t_high=1.0)]
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
                away = f"the {rate} of {name!r} is {hit}/{many}: rates up to about {min(3 / many, 1):.2g} away fit these counts"
                text = f"{away}, and resamples hardly show them; isocost.check has exact limits"
                warnings.warn(text, FewCasesWarning, stacklevel=3)


def _model(cells: Matrix, tp: NDArray[Any], fp: NDArray[Any], pcf: Floats, probability: Floats | None) -> Replicates:
    positives, negatives = cells[0] + cells[1], cells[2] + cells[3]
    own = cost_of(fp[:, None] / negatives, tp[:, None] / positives, pcf)
    apparent = cost_of(cells[2] / negatives, cells[0] / positives, pcf)
    return Replicates(apparent, own, None, None, None, np.hypot(pcf / positives, (1 - pcf) / negatives), probability)


def _listed(cells: Matrix, pcf: Floats) -> Replicates:
    """Return every pair of outcomes of the two binomial distributions."""
    from scipy.stats import binom

    tp, fn, fp, tn = cells
    hits, alarms = np.arange(tp + fn + 1), np.arange(fp + tn + 1)
    chance = np.outer(*(binom.pmf(k, k[-1], hit / k[-1]) for k, hit in ((hits, tp), (alarms, fp)))).ravel()
    pairs = [side.ravel() for side in np.meshgrid(hits, alarms, indexing="ij")]
    return _model(cells, pairs[0], pairs[1], pcf, chance / chance.sum())


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

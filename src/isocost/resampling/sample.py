"""The cases that all models scored, ready to be resampled."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.engines.cases import Rows
from isocost.errors import FewCasesWarning, InexactError, InputError
from isocost.resampling.paths import Paths
from isocost.resampling.plain import RankedScores, Resampler
from isocost.roc_space import RocCurve
from isocost.validate import Floats

# Below this many cases of a class the coverage study finds bands that cover less than they say.
_FEW = 20


@dataclass(frozen=True, eq=False)
class Sample:
    """Cases, what draws them, and each model's ranking of them, one a fold.

    Attributes
    ----------
    resampler : Resampler
    models : dict of str to tuple of RankedScores
    scores : dict of str to ndarray
        What each model says of each case; empty if cases were counted together.
    """

    resampler: Resampler
    models: dict[str, tuple[RankedScores, ...]]
    scores: dict[str, NDArray[Any]]
    _curves: dict[str, list[RocCurve]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Rows, cluster: ArrayLike | None, entropy: tuple[int, ...]) -> Sample:
        """Prepare checked rows; their folds, if any, are evaluated apart and averaged."""
        validate.names(rows.scores, "model")
        if not rows.scores:
            raise InputError("scores is empty: pass at least one model, {'name': scores}")
        marks = None if cluster is None else validate.groups(cluster, "cluster")
        validate.same_length(y_true=rows.positive, cluster=marks)
        # Rows without weight do not count.
        counted = slice(None) if rows.weights is None else rows.weights > 0
        positive = rows.positive[counted]
        validate.two_of_each(positive, "resampling")
        folds = None if rows.folds is None else rows.folds[counted]
        part = _numbered(folds, positive.size)
        _check_parts(part, positive, folds)
        unit, strata = _strata(positive, part, None if marks is None else marks[counted])
        weights = None if rows.weights is None else rows.weights[counted]
        folded = [np.flatnonzero(part == k) for k in range(int(part.max()) + 1)]
        scores = {name: s[counted] for name, s in rows.scores.items()}
        ranked = {name: tuple(RankedScores.of(s, some) for some in folded) for name, s in scores.items()}
        return cls(Resampler(positive, unit, strata, part, weights, entropy), ranked, scores)

    @property
    def exact(self) -> bool:
        """Whether every score is known; otherwise some are known up to their block."""
        return all(ranked.upper is None for folds in self.models.values() for ranked in folds)

    @property
    def folds(self) -> int:
        """How many folds there are."""
        return int(self.resampler.parts.max()) + 1

    @property
    def totals(self) -> tuple[float, float]:
        """Positives and negatives: cases, or sums of weights."""
        positive = self.resampler.positive
        if self._plain:
            many = int(np.count_nonzero(positive))
            return many, positive.size - many
        mass = self.data[0]
        return mass[positive].sum().item(), mass[~positive].sum().item()

    @property
    def _plain(self) -> bool:
        """Whether every row is one case that counts one."""
        return self.resampler.weights is None and self.resampler.cases is None

    @property
    def data(self) -> NDArray[Any]:
        """The data themselves, as a resample in which every case is drawn once."""
        weights = self.resampler.weights
        if self.resampler.cases is not None:
            return self.resampler.cases[None, :]
        return np.ones((1, self.resampler.positive.size), dtype=np.int32) if weights is None else weights[None, :]

    def paths(self, name: str, drawn: NDArray[Any]) -> list[Paths]:
        """Return the ROC paths of resamples, one entry a fold."""
        positive = self.resampler.positive
        return [Paths.of(*ranked.totals(drawn, positive)) for ranked in self.models[name]]

    def curves(self, name: str) -> list[RocCurve]:
        """Return the ROC curve of a model on the data, one a fold."""
        if name not in self._curves:
            self._curves[name] = self._made(name)
        return self._curves[name]

    def _made(self, name: str) -> list[RocCurve]:
        if self._plain and self.folds == 1:
            # Sorting the scores is quicker than ranking the rows.
            return [RocCurve.from_scores(self.resampler.positive, self.scores[name], name=name)]
        return [curve_of(r, p, 0, name) for r, p in zip(self.models[name], self.paths(name, self.data), strict=True)]

    def points(self, name: str, threshold: float) -> list[int]:
        """Return which point of its path a threshold means, one a fold."""
        for ranked in self.models[name]:
            if ranked.upper is not None and np.any((ranked.scores < threshold) & (threshold <= ranked.upper)):
                raise InexactError(f"the threshold {threshold:g} of {name!r}")
        return [int(np.count_nonzero(ranked.scores >= threshold)) for ranked in self.models[name]]

    def step(self, pcf: Floats) -> Floats:
        """Return what one unit more or less in each class makes of the cost."""
        if self._plain and self.resampler.single:
            positives, negatives = self.totals
            return np.hypot(pcf / positives, (1 - pcf) / negatives)
        positive, unit, mass = self.resampler.positive, self.resampler.unit, self.data[0]
        of_one = []
        for rows in (positive, ~positive):
            share = np.bincount(unit[rows], mass[rows])
            alone = self.resampler.cases is not None
            of_one.append(1 / float(share.sum()) if alone else float(np.sum((share / share.sum()) ** 2)))
        return np.hypot(pcf * of_one[0], (1 - pcf) * of_one[1])

    def warn(self) -> None:
        """Say what few cases, or classes without overlap, do to bands."""
        positive, unit, single = self.resampler.positive, self.resampler.unit, self.resampler.single
        for label, rate, rows in (("positives", "tpr", positive), ("negatives", "fpr", ~positive)):
            counted = self.resampler.cases
            units = np.count_nonzero(rows) if single else np.count_nonzero(np.bincount(unit[rows]))
            many = int(units if counted is None else counted[rows].sum())
            if many < _FEW:
                what = label if single else f"clusters with {label}"
                warnings.warn(
                    f"only {many} {what}: one of them moves the {rate} by {1 / many:.2g}, and resamples show nothing rarer; "
                    "bands are coarse and cover less than their level says",
                    FewCasesWarning,
                    stacklevel=4,
                )
        for name in self.models:
            if all(len(curve.hull) == 3 and curve.hull.tp[1] == curve.hull.tp[-1] for curve in self.curves(name)):
                sizes = np.count_nonzero(positive), np.count_nonzero(~positive)
                most = 3 / min(sizes if self.resampler.cases is None else self.totals)
                warnings.warn(
                    f"{name!r} separates the classes completely, and so it does in every resample: its band has no width, "
                    f"although error rates up to about {most:.2g} fit these data",
                    FewCasesWarning,
                    stacklevel=4,
                )


def curve_of(ranked: RankedScores, paths: Paths, i: int, name: str) -> RocCurve:
    """Return the ROC curve of one resample."""
    fp, tp = (counts[i] if counts.dtype.kind == "f" else counts[i].astype(np.int64) for counts in (paths.fp, paths.tp))
    thresholds = np.concatenate([[np.inf], ranked.scores])
    return RocCurve(fp, tp, thresholds, tp[-1].item(), fp[-1].item(), name)


def _numbered(marks: NDArray[Any] | None, size: int) -> NDArray[np.intp]:
    if marks is None:
        return np.zeros(size, dtype=np.intp)
    return np.asarray(np.unique(marks, return_inverse=True)[1], dtype=np.intp)


def _check_parts(part: NDArray[np.intp], positive: NDArray[np.bool_], folds: NDArray[Any] | None) -> None:
    for k, fold in enumerate([] if folds is None else np.unique(folds).tolist()):
        for label, mask in (("positives", positive), ("negatives", ~positive)):
            many = int(np.count_nonzero(mask & (part == k)))
            if many < 2:
                raise InputError(f"fold {fold!r} has {many} {label}: each fold needs at least 2 of each class")


def _strata(
    positive: NDArray[np.bool_], part: NDArray[np.intp], marks: NDArray[Any] | None
) -> tuple[NDArray[np.intp], tuple[NDArray[np.intp], ...]]:
    """Return each row's unit, and the units of each stratum: by fold, and by class wherever no group mixes classes."""
    if marks is None and not part.any():
        return np.arange(positive.size), (np.flatnonzero(~positive), np.flatnonzero(positive))
    unit = np.arange(positive.size) if marks is None else _numbered(marks, positive.size)
    size = int(unit.max()) + 1
    of_part = np.zeros(size, dtype=np.intp)
    of_part[unit] = part
    if np.any(of_part[unit] != part):
        group = np.unique(unit if marks is None else marks).tolist()[unit[int(np.argmax(of_part[unit] != part))]]
        raise InputError(
            f"cluster {group!r} is spread over several folds: a cluster is drawn as a whole, so keep it in one"
        )
    share = np.bincount(unit, positive) / np.bincount(unit)
    mixed = bool(np.any((share > 0) & (share < 1)))
    if size < 2:
        raise InputError("cluster holds a single cluster: at least two are needed to resample clusters")
    key = of_part if mixed else 2 * of_part + (share == 1)
    return unit, tuple(np.flatnonzero(key == k) for k in np.flatnonzero(np.bincount(key)))

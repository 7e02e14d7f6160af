"""The ROC paths of many resamples at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import Hulls, upper_hulls
from isocost.validate import Floats


class Curves(ABC):
    """Resamples of one classifier's curve, whatever they are made from."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of resamples."""

    @abstractmethod
    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (resamples, any)."""

    @abstractmethod
    def hulls(self) -> Hulls:
        """Return the hull of each resample."""

    def totals(self) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """Return negatives and positives of each resample, where they may differ."""
        return None

    def areas(self) -> Floats | None:
        """Return the area under each curve, where it comes along with little work."""
        return None

    def lowest(self, pcf: Floats) -> Floats | None:  # noqa: ARG002 - of those that know no scores
        """Return costs that no curve undercuts at each pcf, where scores are known up to their block."""
        return None

    def room(self) -> Floats | None:
        """Return how far each area may be from that of tied blocks, where scores are known up to their block."""
        return None


@dataclass(frozen=True, eq=False)
class Paths(Curves):
    """The ROC paths of several replicates of one classifier.

    Attributes
    ----------
    fp, tp : ndarray of shape (replicates, points)
        Cumulative counts (or weights): point 0 flags nobody, point i the i highest distinct scores.
    early : bool or None
        Which of points that only cases not drawn lie between is a vertex: the first, or the last. If None the first one where positives
        are rarer.
    """

    fp: NDArray[Any]
    tp: NDArray[Any]
    early: bool | None = None

    @classmethod
    def of(cls, positives: NDArray[Any], negatives: NDArray[Any], *, early: bool | None = None) -> Paths:
        """Sum up the positives and negatives at each distinct score, scores descending."""
        return cls(_summed(negatives), _summed(positives), early)

    def __len__(self) -> int:
        """Return the number of replicates."""
        return len(self.fp)

    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (replicates, any)."""
        fpr, tpr = (np.take_along_axis(c, point, 1) / c[:, -1:] for c in (self.fp, self.tp))
        return fpr, tpr

    def totals(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return negatives and positives of each replicate."""
        return self.fp[:, -1], self.tp[:, -1]

    def hulls(self) -> Hulls:
        """Return the hull of each replicate; whole counts are compared exactly."""
        x, y, width = self.fp, self.tp, self.fp.shape[1]
        # A vertex is reached by going up and left by going right. Looking at the rarer class first leaves least to do.
        able = np.zeros(x.shape, dtype=np.bool_)
        if np.sum(y[:, -1]) <= np.sum(x[:, -1]) if self.early is None else self.early:
            np.greater(y[:, 1:], y[:, :-1], out=able[:, 1:])
        else:
            np.greater(x[:, 1:], x[:, :-1], out=able[:, :-1])
        able[:, 0] = able[:, -1] = True
        at = np.flatnonzero(able)
        point = at % width
        return upper_hulls(_wide(x.ravel()[at]), _wide(y.ravel()[at]), np.flatnonzero(point == 0), point)


def _wide(counts: NDArray[Any]) -> NDArray[Any]:
    # Products of two differences need the room.
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64)


def _summed(counts: NDArray[Any]) -> NDArray[Any]:
    kind = counts.dtype if counts.dtype in (np.float64, np.int64) else np.int32
    path = np.zeros((counts.shape[0], counts.shape[1] + 1), dtype=kind)
    np.cumsum(counts, axis=1, out=path[:, 1:])
    return path

"""Points of a curve that are laid out from sorted rows when they are first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.ranking.sorted_keys import SortedKeys
from isocost.ranking.split_scores import SplitScores
from isocost.ranking.tied_scores import TiedScores


class OnDemand:
    """A curve whose fields `fp`, `tp`, `thresholds` and `_given` may still be missing, if it has sorted rows instead."""

    fp: NDArray[Any]
    tp: NDArray[Any]

    if not TYPE_CHECKING:  # every attribute would be of any type

        def __getattr__(self, name: str) -> Any:
            """Lay out the points."""
            rows = vars(self).get("_rows")
            if rows is None or name not in ("fp", "tp", "thresholds", "_given"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            thresholds, fp, tp = rows.points()
            given = np.ones(fp.size, dtype=np.bool_)
            given[[0, -1]] = False
            vars(self).update(thresholds=thresholds, fp=fp, tp=tp, _given=given)
            return vars(self)[name]

    def _hold(self, rows: SortedKeys | SplitScores | TiedScores, name: str | None) -> None:
        """Take sorted rows instead of points."""
        vars(self).update(_rows=rows, positives=rows.positives, negatives=rows.negatives, name=name)

    def _path(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return fp and tp at every threshold but the first, without keeping them."""
        rows = self._sorted_rows
        _, fp, tp = (None, self.fp, self.tp) if rows is None else rows.points()
        return fp[1:], tp[1:]

    @property
    def _rows_given(self) -> SortedKeys | SplitScores | TiedScores | None:
        """The rows of a curve from scores."""
        return vars(self).get("_rows")

    @property
    def _twice_won(self) -> int | None:
        """Twice the pairs of a positive and a negative ranked rightly, ties once; None if the curve was not made from rows."""
        rows = self._rows_given
        return None if rows is None else rows.twice_won

    @property
    def _sorted_rows(self) -> SortedKeys | SplitScores | TiedScores | None:
        """The same, until the points are laid out."""
        return None if "fp" in vars(self) else self._rows_given

"""A comparison fold by fold, and its costs averaged over folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from isocost.comparison.sources import FromCases
from isocost.conditions import Condition, Conditions
from isocost.cost_space.averaging import average_roc_curves
from isocost.counts.joint_cases import JointCases
from isocost.engines.cases import Cases
from isocost.errors import InputError

if TYPE_CHECKING:
    from isocost.roc_space import RocCurve


class InFolds(FromCases):
    """Methods of `Comparison` for cases that came in folds."""

    condition: Condition | Conditions | None
    _rows: Cases | JointCases | None
    _options: dict[str, Any]

    if TYPE_CHECKING:  # what `Comparison` has

        def __init__(self, curves: list[RocCurve], *, condition: Condition | Conditions | None) -> None: ...
        def __getitem__(self, name: str) -> RocCurve: ...
        @property
        def names(self) -> tuple[str, ...]: ...  # noqa: D102
        @property
        def prevalence(self) -> float | None: ...  # noqa: D102

    def by_fold(self) -> dict[Any, Self]:
        """Return one comparison per fold, from its rows alone, to see how stable the results are; `fold_average` averages them."""
        if not isinstance(self._rows, Cases) or self._rows.folds is None:
            raise InputError(
                "this comparison has no folds, and a pickled one never has: "
                "build it with from_scores(fold=), from_frame(fold=) or from_estimators(cv=)"
            )
        return {
            fold: self._from_rows(self._rows.of_fold(fold), self.condition, **self._options, of_fold=fold)
            for fold in np.unique(self._rows.folds).tolist()
        }

    def fold_average(self) -> Self:
        """Return the comparison of costs averaged over folds, each fold with its own thresholds.

        Every curve is the average over folds of the points that are best at the same condition. Its cost at every condition is
        therefore the mean of the folds' costs, exactly. It has no thresholds: those differ from fold to fold.

        References
        ----------
        Drummond & Holte (2000), section 2.2.3, doi:10.1145/347090.347126.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 0, 1, 0, 1, 0, 1, 0], [8, 7, 6, 5, 4, 3, 1, 2]
        >>> comparison = ic.Comparison.from_scores(y, {"model": s}, fold=[0, 0, 0, 0, 1, 1, 1, 1])
        >>> together, apart = comparison["model"], comparison.fold_average()["model"]
        >>> round(ic.mean_normalised_cost(together), 4), round(ic.mean_normalised_cost(apart), 4)
        (0.2083, 0.1458)
        """
        folds = list(self.by_fold().values())
        curves = [average_roc_curves([fold[name] for fold in folds], method="cost", name=name) for name in self.names]
        condition = self.condition
        if condition is None and self.prevalence is not None:
            condition = Condition(prevalence=self.prevalence)
        return type(self)(curves, condition=condition)

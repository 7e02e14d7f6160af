"""Mean normalised cost with the best threshold at each condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.conditions.densities import Atoms
from isocost.measures.of_costs import CostGrid, OfCosts, affine, hat_weights
from isocost.measures.registry import measure
from isocost.roc_space import RocCurve


def _of_costs(grid: CostGrid, condition: Conditions | Condition | None, options: dict[str, Any]) -> OfCosts | None:
    return None if options else affine(0.0, hat_weights(grid.pcf, Conditions.of(condition)))


@measure(
    "lower", (0, 0.5), "ranks conditions", "Drummond & Holte 2000", "10.1145/347090.347126",
    place=2, of_costs=_of_costs, optimism="hull",
)  # fmt: skip
def mean_normalised_cost(curve: RocCurve, *, condition: Conditions | Condition | None = None) -> float:
    """Return the expected normalised cost with the best threshold at each condition; lower is better, 0 to 0.5.

    The mean of the lower envelope c(t) over the conditions, trivial classifiers included: the area under the cost curve when
    every t is equally likely. The trivial classifiers alone have 0.25 then.

    Parameters
    ----------
    curve : RocCurve
    condition : Conditions or Condition, optional
        Every t equally likely by default.

    References
    ----------
    Drummond & Holte (2000), eq. 11, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.mean_normalised_cost(curve), 4), round(ic.mean_normalised_cost(curve, condition=ic.Condition(1, 5, 0.3)), 4)
    (0.1, 0.1591)
    """
    from isocost.roc_space.parametric import ContinuousRocCurve

    density = Conditions.of(condition).density
    if isinstance(curve, ContinuousRocCurve):
        return density.expect(curve.optimal_cost, curve.breaks)
    if isinstance(density, Atoms):
        return density.expect(curve.optimal_cost, curve.switch_t)
    edges = np.concatenate([[0.0], curve.switch_t, [1.0]])
    hull = curve.hull
    mass, share = (density.moments(edges, kind)[::-1] for kind in ("1", "t"))
    return float(hull.fpr @ share + (1 - hull.tpr) @ (mass - share))

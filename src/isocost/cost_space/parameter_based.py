"""Parameter-based selection: each classifier is used at the condition it was built for, whether it is best there or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.envelope import envelope
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Drawn
from isocost.roc_space import RocCurve


@dataclass(frozen=True, eq=False, repr=False)
class ParameterBased(Drawn):
    """What it costs to use each classifier at the pcf it was built for.

    Attributes
    ----------
    curve : CostCurve
        The cost of the selection: the line of the classifier whose pcf is nearest, with jumps at the mid-points.
    optimal : CostCurve
        The lower envelope of the same classifiers and the trivial ones.
    excess : CostCurve
        The difference, never negative: the price of the procedure at each pcf.
    """

    _display = "DecompositionDisplay"

    curve: CostCurve
    optimal: CostCurve
    excess: CostCurve

    def excess_cost(self, condition: Conditions | Condition | None = None) -> float:
        """Return the mean price over a distribution of conditions; over all of them it is the area between the curves."""
        return self.excess.expectation(condition)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {
            "switches": self.curve.breaks[1:-1],
            "cost": self.curve.area(),
            "optimal_cost": self.optimal.area(),
            "excess_cost": self.excess.area(),
        }

    def __repr__(self) -> str:
        """Say what the procedure costs."""
        return (
            f"<ParameterBased: {counted(self.curve._left.size, 'classifier')}, mean cost {self.curve.area():.4g}, "
            f"{self.excess.area():.4g} above the envelope>"
        )


def parameter_based(fpr: ArrayLike, tpr: ArrayLike, *, pcf: ArrayLike, name: str | None = None) -> ParameterBased:
    """Return the cost of using, at each condition, the classifier that was built for the nearest one.

    A learner trained under several costs or class ratios gives several classifiers. Choosing among them by the parameter they were
    trained with, rather than by the conditions under which they turn out cheapest, costs the area between the two curves.

    Parameters
    ----------
    fpr, tpr : array of shape (k,)
        One point per classifier, in any order.
    pcf : array of shape (k,)
        The pcf each was built for, no two the same; a ratio R of false-alarm cost to miss cost (priors included) means a pcf of
        1/(1 + R). The classifier changes half-way between neighbours.
    name : str, optional

    References
    ----------
    Drummond & Holte (2000), section 2.3, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.cost_space.parameter_based([0.05, 0.3, 0.6], [0.4, 0.75, 0.95], pcf=[0.2, 0.5, 0.8])
    <ParameterBased: 3 classifiers, mean cost 0.1849, 0.007514 above the envelope>
    """
    x, y, tag = (validate.vector(validate.rates(v, n), n) for v, n in ((fpr, "fpr"), (tpr, "tpr"), (pcf, "pcf")))
    validate.same_length(fpr=x, tpr=y, pcf=tag)
    order = np.argsort(tag)
    x, y, tag = x[order], y[order], tag[order]
    twice = np.flatnonzero(np.diff(tag) == 0)
    if twice.size:
        raise InputError(
            f"pcf names {tag[twice[0]]:g} more than once: it must tell which classifier to use; keep one of them"
        )
    breaks = np.concatenate([[0.0], (tag[1:] + tag[:-1]) / 2, [1.0]])
    curve = CostCurve.from_lines(breaks, x, 1 - y, name=name)
    optimal = envelope(RocCurve.from_points(x, y, name=name))
    return ParameterBased(curve, optimal, curve - optimal)

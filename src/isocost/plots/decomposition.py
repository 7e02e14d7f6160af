"""A cost curve as the sum of two: what no choice can avoid, and what this one adds."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost.cost_space import BrierDecomposition, CostCurve, ParameterBased, RateDrivenDecomposition
from isocost.errors import InputError
from isocost.plots.cost_axes import finish_x, polyline
from isocost.plots.display import Display, label_axes
from isocost.plots.labels import name_lines
from isocost.plots.style import PALETTE, looks


class DecompositionDisplay(Display):
    """Total and base of a decomposed cost, with the part between them shaded; every name includes its area.

    Parameters
    ----------
    parts : RateDrivenDecomposition, BrierDecomposition or ParameterBased
        Rate-driven: perfect ranker + Kendall curve. Score-driven (Brier): refinement + calibration. Parameter-based
        selection: lower envelope + the price of the procedure.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.plots.DecompositionDisplay(ic.cost_space.rate_driven_decomposition(curve)).names
    ['rate-driven: 0.173', 'perfect ranking: 0.0933', 'Kendall curve: 0.08']
    """

    _size = (5.0, 3.8)

    def __init__(self, parts: RateDrivenDecomposition | BrierDecomposition | ParameterBased) -> None:
        if isinstance(parts, RateDrivenDecomposition):
            named = {"rate-driven": parts.total, "perfect ranking": parts.perfect, "Kendall curve": parts.ranking}
        elif isinstance(parts, BrierDecomposition):
            named = {
                "score-driven": parts.total,
                "best threshold": parts.refinement,
                "calibration loss": parts.calibration,
            }
        elif isinstance(parts, ParameterBased):
            named = {"parameter-based": parts.curve, "best classifier": parts.optimal, "price": parts.excess}
        else:
            raise InputError(f"parts must be a decomposition of a cost curve, got {type(parts).__name__}")
        self.curves: list[CostCurve] = list(named.values())
        self.names = [f"{name}: {curve.area():.3g}" for name, curve in named.items()]

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        total, base, _ = self.curves
        axes.set_ylim(0, 1.12 * total.maximum)
        finish_x(axes, total.axis, scale="linear", inner=total.breaks, prevalence=None)
        label_axes(axes, x=axes.get_xlabel(), y="cost")
        # On the breaks of both; only the total may jump.
        x, high = polyline(total + 0.0 * base)
        axes.fill_between(x, base(np.clip(x, 0, 1)), high, color=PALETTE[1], alpha=0.18, linewidth=0, zorder=1)
        seen = looks(range(3))
        drawn = [polyline(curve) for curve in self.curves]
        for points, look in zip(drawn, seen, strict=True):
            axes.plot(*points, **look.line(**style))
        name_lines(axes, self.names, drawn, seen)

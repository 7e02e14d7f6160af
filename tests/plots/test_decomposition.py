import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def results(curves):
    """One decomposition of each kind, with total and base."""
    rate = ic.cost_space.rate_driven_decomposition(curves[0])
    brier = ic.brier_decomposition(curves[2])
    built = ic.cost_space.parameter_based([0.05, 0.2, 0.5], [0.4, 0.7, 0.9], pcf=[0.2, 0.5, 0.8])
    return [
        (rate, rate.total, rate.perfect),
        (brier, brier.total, brier.refinement),
        (built, built.curve, built.optimal),
    ]


def test_total_base_and_rest_are_drawn_with_their_areas(curves):
    """Each through its breaks, whichever decomposition it is."""
    for parts, total, base in results(curves):
        display = parts.plot()
        assert type(display) is plots.DecompositionDisplay
        for curve, line, name in zip((total, base), display.ax_.lines, display.names, strict=False):
            assert np.isin(curve.breaks, line.get_xdata()).all()
            x, y = line.get_xdata(), line.get_ydata()
            inside = ~np.isin(x, curve.breaks)
            assert np.allclose(y[inside], curve(x[inside]), atol=1e-12)
            assert name.endswith(f": {curve.area():.3g}")


def test_the_part_between_is_shaded(curves):
    """Its area is that of the rest."""
    parts, total, base = results(curves)[0]
    path = parts.plot().ax_.collections[0].get_paths()[0].vertices
    x, y = path[:, 0], path[:, 1]
    area = abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    assert area == pytest.approx(total.area() - base.area(), abs=1e-4)


def test_other_results_are_refused(curves):
    """A plain curve has no parts."""
    with pytest.raises(InputError, match="parts must be a decomposition of a cost curve, got CostCurve"):
        plots.DecompositionDisplay(ic.cost_curve(curves[0]))

import numpy as np

import isocost as ic
from isocost import plots


def test_surfaces_are_the_meshes_with_their_values():
    """Every triangle is drawn, in a cube from 0 to 1, and each surface says its value."""
    surfaces = [ic.point_metrics.isosurface("accuracy", value, cells=4) for value in (0.5, 0.8)]
    display = plots.IsoSurfaceDisplay(surfaces).plot()
    axes = display.ax_
    for mesh, surface in zip(axes.collections, surfaces, strict=True):
        corners = np.column_stack([surface.fpr, surface.tpr, surface.prevalence])[surface.triangles]
        drawn = mesh._faces if hasattr(mesh, "_faces") else mesh._vec[:3].T.reshape(-1, 3, 3)  # before matplotlib 3.11
        assert np.allclose(np.asarray(drawn), corners)
    assert [text.get_text() for text in axes.texts] == ["accuracy 0.5", "accuracy 0.8"]
    assert [" ".join(axis.label.get_text().split()) for axis in (axes.xaxis, axes.yaxis, axes.zaxis)] == [
        ic.plots.AXIS_LABELS["fpr"],
        ic.plots.AXIS_LABELS["tpr"],
        "prevalence",
    ]
    assert axes.get_zlim() == (0, 1)
    display.figure_.draw_without_rendering()


def test_a_value_that_is_never_reached_draws_nothing():
    """The axes are there, empty."""
    surface = ic.point_metrics.isosurface("accuracy", 0.8, cells=2)
    empty = type(surface)(surface.metric, 0.8, *(np.empty(0),) * 3, np.empty((0, 3), dtype=int))
    assert len(plots.IsoSurfaceDisplay(empty).plot().ax_.texts) == 0

import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def test_lines_are_the_isometrics_with_a_dash_a_skew():
    """Solid for the first skew ratio, dashed for the second, both in the legend."""
    both = [ic.metrics.isometrics("accuracy", [0.3, 0.5, 0.8], skew_ratio=c) for c in (1, 0.5)]
    axes = plots.IsometricsDisplay(both).plot().ax_
    lines = [line for isometrics in both for line in isometrics]
    assert len(axes.lines) == len(lines)
    for drawn, line in zip(axes.lines, lines, strict=True):
        assert np.array_equal(drawn.get_xdata(), line.fpr)
        assert np.array_equal(drawn.get_ydata(), line.tpr)
    assert [line.get_linestyle() for line in axes.lines] == ["-"] * 3 + ["--"] * 3
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["skew ratio 1", "skew ratio 0.5"]
    assert axes.get_title() == "Isometrics of accuracy"
    assert sorted(t.get_text() for t in axes.texts) == ["0.3", "0.5", "0.8"]


def test_values_may_be_left_out():
    """And one skew ratio needs no legend."""
    axes = ic.metrics.isometrics("precision", [0.5]).plot(values=False).ax_
    assert len(axes.texts) == 0
    assert axes.get_legend() is None


def test_different_metrics_and_too_many_skews_are_refused():
    """They could not be distinguished."""
    with pytest.raises(InputError, match="isometrics of one metric make one figure, got accuracy and precision"):
        plots.IsometricsDisplay([ic.metrics.isometrics("accuracy", 0.5), ic.metrics.isometrics("precision", 0.5)])
    with pytest.raises(InputError, match="skew ratios in one figure must be between 1 and 3, got 4"):
        plots.IsometricsDisplay([ic.metrics.isometrics("accuracy", 0.5, skew_ratio=c) for c in (1, 2, 3, 4)])


def test_surfaces_are_the_meshes_with_their_values():
    """Every triangle is drawn, in a cube from 0 to 1, and each surface says its value."""
    surfaces = [ic.metrics.isosurface("accuracy", value, cells=4) for value in (0.5, 0.8)]
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
    surface = ic.metrics.isosurface("accuracy", 0.8, cells=2)
    empty = type(surface)(surface.metric, 0.8, *(np.empty(0),) * 3, np.empty((0, 3), dtype=int))
    assert len(plots.IsoSurfaceDisplay(empty).plot().ax_.texts) == 0


def test_saddle_is_ruled_by_lines_of_equal_cost():
    """Every corner of the mesh lies on the saddle, and the line asked for is drawn at its t."""
    saddle = ic.measures.level_saddle(0.2, 0.7)
    axes = plots.RocSurfaceDisplay(saddle, t=[0.5]).plot().ax_
    mesh = axes.collections[0]
    # Before matplotlib 3.11 the corners stood one by one.
    corners = np.concatenate([np.asarray(face) for face in mesh._faces]).T if hasattr(mesh, "_faces") else mesh._vec[:3]
    fpr, tpr, t = corners
    cost = t * fpr + (1 - t) * (1 - tpr)
    assert np.allclose(cost, t * 0.2 + (1 - t) * 0.3)
    point, line = (np.asarray(artist.get_data_3d()) for artist in axes.lines)
    assert np.allclose(point[:, 0], (0.2, 0.7, 0))
    assert np.allclose(line, [[0, 0.5], [0.5, 1], [0.5, 0.5]])
    assert [text.get_text().strip() for text in axes.texts] == ["t = 0.5"]


def test_surface_of_a_model_follows_its_cheapest_points(curves):
    """The thick line visits the hull's vertices, each over its range of t."""
    surface = ic.measures.RocSurface.from_curve(curves[0])
    display = surface.plot()
    path = np.asarray(display.ax_.lines[0].get_data_3d())
    assert np.all(np.diff(path[2]) >= 0)
    cost = path[2] * path[0] + (1 - path[2]) * (1 - path[1])
    assert np.allclose(cost, curves[0].optimal_cost(path[2]))
    assert display.ax_.get_title() == curves[0].name
    assert " ".join(display.ax_.get_zlabel().split()) == ic.plots.AXIS_LABELS["t"]
    display.figure_.draw_without_rendering()


def test_labels_of_a_cube_lie_inside_its_figure(curves):
    """The longest is that of t, beside the cube; a figure is saved no larger than it is."""
    figure = ic.measures.RocSurface.from_curve(curves[0]).plot(t=[0.3]).figure_
    figure.draw_without_rendering()
    axes, module = figure.axes[0], figure.bbox
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        box = axis.label.get_window_extent()
        assert box.x0 >= module.x0
        assert box.x1 <= module.x1
        assert box.y0 >= module.y0


def test_style_is_the_users():
    """Colours go to plot."""
    axes = ic.measures.level_saddle(0.2, 0.7).plot(alpha=1.0).ax_
    assert axes.collections[0].get_alpha() == pytest.approx(1.0)

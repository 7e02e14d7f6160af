import numpy as np
import pytest

import isocost as ic
from isocost import plots


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
    axes, room = figure.axes[0], figure.bbox
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        box = axis.label.get_window_extent()
        assert box.x0 >= room.x0
        assert box.x1 <= room.x1
        assert box.y0 >= room.y0


def test_view_and_style_are_the_users():
    """Angles go to the display, colours to plot."""
    axes = ic.measures.level_saddle(0.2, 0.7).plot(view=(10, 20), alpha=1.0).ax_
    assert (axes.elev, axes.azim) == (10, 20)
    assert axes.collections[0].get_alpha() == pytest.approx(1.0)

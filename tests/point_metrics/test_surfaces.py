import json

import numpy as np
import pytest

import isocost as ic
from isocost.errors import ConditionError, InputError
from isocost.point_metrics import METRICS


def corners(surface):
    """Coordinates of the corners of each triangle."""
    points = np.column_stack([surface.fpr, surface.tpr, surface.prevalence])
    return points[surface.triangles]


def on_rim(surface):
    """Which vertices lie on an edge of the cube, the only place where a metric jumps."""
    points = np.column_stack([surface.fpr, surface.tpr, surface.prevalence])
    return (np.minimum(points, 1 - points) < 1e-12).sum(axis=1) >= 2


@pytest.mark.parametrize("value", [0.8, 0.5, 0.3])
def test_accuracy_surfaces_are_those_of_figure_1(value):
    """Prevalence = (m + fpr - 1)/(tpr + fpr - 1) at every vertex off the vertical line fpr = 1 - m, tpr = m."""
    surface = ic.point_metrics.isosurface("accuracy", value)
    off = np.abs(surface.tpr + surface.fpr - 1) > 1e-6
    expected = (value + surface.fpr[off] - 1) / (surface.tpr[off] + surface.fpr[off] - 1)
    np.testing.assert_allclose(surface.prevalence[off], expected, atol=1e-9)
    np.testing.assert_allclose(surface.tpr[~off], value, atol=1e-5)


def test_accuracy_surface_turns_from_a_line_of_fpr_to_a_line_of_tpr():
    """At prevalence 0 it is fpr = 1 - m, at prevalence 1 it is tpr = m."""
    surface = ic.point_metrics.isosurface("accuracy", 0.8)
    bottom, top = surface.prevalence == 0, surface.prevalence == 1
    np.testing.assert_allclose(surface.fpr[bottom], 0.2)
    np.testing.assert_allclose(surface.tpr[top], 0.8)
    assert np.ptp(surface.tpr[bottom]) == np.ptp(surface.fpr[top]) == 1


@pytest.mark.parametrize(
    "name", ["recall", "wracc", "gini_split", "dkm_split", "information_gain", "chi_squared", "mcc"]
)
def test_every_vertex_has_the_value(name):
    """To rounding, whatever the size of the triangles."""
    value = 0.1
    surface = ic.point_metrics.isosurface(name, value, cells=10)
    p = surface.prevalence
    found = METRICS[name].value_at(surface.fpr, surface.tpr, p, 1 - p)
    np.testing.assert_allclose(found[~on_rim(surface)], value, atol=1e-12)
    assert len(surface.triangles) > 50


def test_metrics_that_jump_have_the_value_off_the_rim():
    """Precision jumps where nobody is flagged: vertices elsewhere have the value."""
    for name in ("precision", "f_measure", "g_measure"):
        surface = ic.point_metrics.isosurface(name, 0.6)
        p = surface.prevalence
        inside = ~on_rim(surface)
        found = METRICS[name].value_at(surface.fpr, surface.tpr, p, 1 - p)
        np.testing.assert_allclose(found[inside], 0.6, atol=1e-12)
        assert inside.mean() > 0.9


def test_the_mesh_is_closed_inside_the_cube():
    """Every edge belongs to two triangles, or to one on the cube's surface."""
    surface = ic.point_metrics.isosurface("information_gain", 0.137, cells=9)
    edges = np.sort(surface.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    found, count = np.unique(edges, axis=0, return_counts=True)
    assert set(count.tolist()) <= {1, 2}
    points = np.column_stack([surface.fpr, surface.tpr, surface.prevalence])
    open_edges = points[found[count == 1]]
    on_side = ((open_edges[:, 0] == open_edges[:, 1]) & np.isin(open_edges[:, 0], (0, 1))).any(axis=1)
    assert on_side.all()
    assert len(open_edges) > 0


@pytest.mark.parametrize("name", ["accuracy", "information_gain"])
def test_triangles_face_higher_values(name):
    """A small step along the normal of any triangle raises the metric."""
    surface = ic.point_metrics.isosurface(name, 0.3, cells=12)
    a, b, c = np.moveaxis(corners(surface), 1, 0)
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    centre, step = (a + b + c) / 3, 1e-4 * normal / np.maximum(size, 1e-300)[:, None]
    inside = (size > 1e-9) & np.all((centre > 0.001) & (centre < 0.999), axis=1)

    def value(points):
        h, k, p = points[inside].T
        return METRICS[name].value_at(h, k, p, 1 - p)

    assert np.all(value(centre + step) > value(centre - step))
    assert inside.sum() > 100


def test_slices_of_the_surface_are_isometrics():
    """The area of a strongly insensitive metric's surface is that of its isometric: vertical walls."""
    surface = ic.point_metrics.isosurface("youden", 0.5)
    a, b, c = np.moveaxis(corners(surface), 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    assert area == pytest.approx(np.sqrt(0.5))  # the isometric runs from (0, 1/2) to (1/2, 1)


def test_functions_are_drawn_inside_the_open_range_of_prevalence():
    """Their skew ratio must be positive and finite."""
    surface = ic.point_metrics.isosurface(lambda h, k, c: (k + c * (1 - h)) / (1 + c), 0.8, cells=8)
    assert (surface.prevalence.min(), surface.prevalence.max()) == (0.01, 0.99)
    accuracy = surface.prevalence * surface.tpr + (1 - surface.prevalence) * (1 - surface.fpr)
    np.testing.assert_allclose(accuracy, 0.8, atol=1e-12)
    with pytest.raises(ConditionError, match=r"prevalence must stay inside \(0, 1\) for a function"):
        ic.point_metrics.isosurface(lambda h, k, c: h * k * c, 0.5, prevalence=(0, 0.5))


def test_a_value_that_is_never_reached_gives_an_empty_mesh():
    """Nothing to draw is not an error."""
    surface = ic.point_metrics.isosurface("dkm_split", 0.9, prevalence=(0.01, 0.02))
    assert surface.triangles.shape == (0, 3)
    assert repr(surface) == "<IsoSurface of dkm_split = 0.9: 0 triangles>"
    assert json.dumps(surface.to_dict())


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"value": 1.5}, InputError, r"value must be between 0 and 1, got 1\.5"),
        ({"cells": 0}, InputError, "cells must be between 1 and 512, got 0"),
        ({"cells": 2.5}, InputError, r"cells must be a whole number, got 2\.5"),
        ({"prevalence": (0.5, 0.2)}, ConditionError, "prevalence has low > high"),
        ({"prevalence": (0.5, 0.5)}, ConditionError, "prevalence must be a range"),
    ],
)
def test_bad_input_is_named(options, error, message):
    """Values outside the range, cells that are none, ranges that are none."""
    with pytest.raises(error, match=message):
        ic.point_metrics.isosurface("accuracy", **{"value": 0.5, **options})

import builtins
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import ConditionError, InputError, MissingDependencyError
from isocost.metrics import METRICS

LINEAR = [name for name, metric in METRICS.items() if metric._lines is not None]
CURVED = [name for name in METRICS if name not in LINEAR]
skews = st.floats(0.05, 20)


def levels(metric, c, count=9):
    """Values the metric takes at this skew, from its lattice of values."""
    grid = np.linspace(0, 1, 41)
    fpr, tpr = np.meshgrid(grid, grid)
    return np.quantile(metric(fpr, tpr, c), np.linspace(0.02, 0.98, count))


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("c", [0.1, 1.0, 5.0])
def test_straight_isometrics_are_exact_segments_of_the_value(name, c):
    """Two points on the border of the square, the metric's value all along between them."""
    metric = METRICS[name].counted(30)
    values = levels(metric, c)
    found = ic.metrics.isometrics(metric, values, skew_ratio=c)
    assert found.absent == ()
    assert [line.value for line in found] == values.tolist()
    share = np.linspace(0, 1, 9)[1:-1]
    for line in found:
        assert line.fpr.size == 2
        assert all(min(h, 1 - h, k, 1 - k) == 0 for h, k in zip(line.fpr, line.tpr, strict=True))
        fpr, tpr = (start + share * (end - start) for start, end in (line.fpr, line.tpr))
        np.testing.assert_allclose(metric(fpr, tpr, c), line.value, atol=1e-12)
        slope = ic.metrics.effective_skew(metric, fpr[3], tpr[3], skew_ratio=c)
        assert math.atan(line.slope) == pytest.approx(math.atan(slope), abs=1e-9)


@pytest.mark.parametrize("name", CURVED)
@pytest.mark.parametrize("c", [0.1, 1.0, 5.0])
def test_traced_isometrics_lie_on_the_value_to_rounding(name, c):
    """Every point, not only approximately: tracing is finished by bisection."""
    metric = METRICS[name].counted(30)
    found = ic.metrics.isometrics(metric, levels(metric, c), skew_ratio=c)
    assert len(found) >= 9
    for line in found:
        np.testing.assert_allclose(metric(line.fpr, line.tpr, c), line.value, atol=1e-13)
        for h, k in zip(line.fpr[[0, -1]], line.tpr[[0, -1]], strict=True):
            assert min(h, 1 - h, k, 1 - k) == 0, "an isometric ends at the border"


@given(st.floats(0.01, 0.95), skews)
def test_gini_isometrics_are_the_ellipse_known_in_closed_form(value, c):
    """χ²/N = v is the ellipse d² = v·(1+c)²·u(1-u)/c; its height above each traced point agrees."""
    found = ic.metrics.isometrics("chi_squared", value, skew_ratio=c)
    assert found.absent == ()
    for line in found:
        u = (line.tpr + c * line.fpr) / (1 + c)
        d = line.tpr - line.fpr
        np.testing.assert_allclose(d**2, value * (1 + c) ** 2 * u * (1 - u) / c, atol=1e-12)


@given(st.floats(0.02, 0.9), skews)
def test_dkm_isometrics_are_a_constant_angle(value, c):
    """With fpr = sin²α and tpr = sin²β the isometric is β - α = ± the angle whose cosine is 1 - value/impurity."""
    whole = 2 * math.sqrt(c) / (1 + c)
    found = ic.metrics.isometrics("dkm_split", value * whole, skew_ratio=c)
    assert len(found) == 2
    angle = math.acos(1 - value)
    for line in found:
        alpha, beta = np.arcsin(np.sqrt(line.fpr)), np.arcsin(np.sqrt(line.tpr))
        np.testing.assert_allclose(np.abs(beta - alpha), angle, atol=1e-7)


def test_no_branch_is_missing():
    """A criterion has one branch on each side of the diagonal, MCC one in all."""
    for name in ("information_gain", "gini_split", "dkm_split", "gini_roc", "chi_squared"):
        assert len(ic.metrics.isometrics(name, [0.05, 0.2], skew_ratio=2)) == 4
    assert len(ic.metrics.isometrics("mcc", [-0.5, 0.001, 0.5], skew_ratio=2)) == 3


def test_values_at_the_ends_of_the_range():
    """Accuracy 1 is a corner, precision 0 and 1 are the axes, Gini-ROC 0 is the diagonal and 1 two corners."""

    def pieces(name, value):
        return {
            tuple(zip(line.fpr.tolist(), line.tpr.tolist(), strict=True)) for line in ic.metrics.isometrics(name, value)
        }

    assert pieces("accuracy", 1) == {((0, 1),)}
    assert pieces("accuracy", 0) == {((1, 0),)}
    assert pieces("precision", 1) == {((0, 0), (0, 1))}
    assert pieces("precision", 0) == {((0, 0), (1, 0))}
    assert pieces("gini_roc", 1) == {((0, 1),), ((1, 0),)}
    assert pieces("gini_roc", 0) == {((0, 0), (1, 1))}
    assert pieces("specificity", 0.25) == {((0.75, 0), (0.75, 1))}


def test_values_the_metric_does_not_reach_are_listed():
    """Net benefit cannot exceed the prevalence, nor DKM-split the impurity of the parent."""
    assert ic.metrics.isometrics("net_benefit", [0.1, 0.3], skew_ratio=4).absent == (0.3,)
    assert ic.metrics.isometrics("dkm_split", [0.5, 0.9], skew_ratio=9).absent == (0.9,)


def test_straight_isometrics_meet_in_the_rotation_point():
    """Extended beyond the square, every F-measure line passes through (-1/c, 0)."""
    found = ic.metrics.isometrics("f_measure", np.arange(1, 10) / 10, skew_ratio=5)
    assert found.rotation_point == (-0.2, 0)
    assert found.landscape == "rotating"
    for line in found:
        assert line.tpr[0] + line.slope * (-0.2 - line.fpr[0]) == pytest.approx(0, abs=1e-12)


def test_accuracy_isometrics_at_a_skew_are_iso_cost_lines():
    """Slope c, and the normalised cost 1 - accuracy all along, at t = c/(1 + c)."""
    for line in ic.metrics.isometrics("accuracy", [0.3, 0.6, 0.9], skew_ratio=3):
        assert line.slope == pytest.approx(3)
        cost = ic.Condition.from_t(0.75).normalised_cost(line.fpr[0], line.tpr[0])
        assert cost == pytest.approx(1 - line.value)


def test_functions_are_traced():
    """A user's function gets the lines of the metric it copies."""
    copies = {
        "accuracy": lambda h, k, c: (k + c * (1 - h)) / (1 + c),
        "f_measure": lambda h, k, c: 2 * k / (k + c * h + 1),
        "gini_roc": lambda h, k, c: (k - h) ** 2 / ((k + h) * (2 - k - h)) + 0 * c,
    }
    for name, function in copies.items():
        own = ic.metrics.isometrics(name, [0.3, 0.6], skew_ratio=2)
        copy = ic.metrics.isometrics(function, [0.3, 0.6], skew_ratio=2)
        assert (copy.landscape, copy.rotation_point) == (None, None)
        assert len(copy) == len(own)
        if own.landscape != "nonlinear":
            for a, b in zip(own, copy, strict=True):
                ends = [*b.fpr[[0, -1]], *b.tpr[[0, -1]]]
                assert sorted([*a.fpr, *a.tpr]) == pytest.approx(sorted(ends), abs=1e-12)


def test_results_are_plain_data_and_say_what_they_are():
    """For plots, pages and files."""
    found = ic.metrics.isometrics("accuracy", [0.5, 1], skew_ratio=1)
    assert repr(found) == "<Isometrics of accuracy at c = 1: 2 lines, parallel>"
    assert repr(found[0]) == "<Isometric 0.5: (0, 0) to (1, 1)>"
    assert repr(found[1]) == "<Isometric 1: (0, 1)>"
    assert math.isnan(found[1].slope)
    assert repr(ic.metrics.isometrics("mcc", 0.5)[0]).endswith("points>")
    data = found.to_dict()
    assert data["lines"][0] == {"value": 0.5, "fpr": [0, 1], "tpr": [0, 1]}
    assert data["rotation_point"] is None
    assert data["metric"]["name"] == "accuracy"


@pytest.mark.parametrize(
    ("values", "skew_ratio", "error", "message"),
    [
        ([0.5, 1.2], 1, InputError, r"values must lie in the range of accuracy, 0 to 1, got 1\.2: 1 of 2 rows"),
        ([0.5, math.nan], 1, InputError, "values must be finite, got nan: 1 of 2 rows, the first is row 2"),
        ([], 1, InputError, r"values must be a number or a non-empty list of numbers, got shape \(0,\)"),
        (["a"], 1, InputError, "values must hold numbers"),
        ([0.5], -1, ConditionError, r"skew_ratio must be positive and finite .*, got -1\.0"),
        ([0.5], [1, 2], InputError, "skew_ratio must be a number"),
    ],
)
def test_bad_input_is_named(values, skew_ratio, error, message):
    """Values outside the range, no values, and skews that are none."""
    with pytest.raises(error, match=message):
        ic.metrics.isometrics("accuracy", values, skew_ratio=skew_ratio)


def test_without_contourpy_straight_isometrics_work_and_curved_ones_say_what_is_missing(monkeypatch):
    """The optional package is asked for only where it is needed."""
    real = builtins.__import__

    def refuse(name, *rest):
        if name == "contourpy":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert len(ic.metrics.isometrics("precision", [0.2, 0.5])) == 2
    with pytest.raises(MissingDependencyError, match=r"isometrics of mcc needs .*'contourpy'.*isocost\[plots\]"):
        ic.metrics.isometrics("mcc", 0.5)


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
    surface = ic.metrics.isosurface("accuracy", value)
    off = np.abs(surface.tpr + surface.fpr - 1) > 1e-6
    expected = (value + surface.fpr[off] - 1) / (surface.tpr[off] + surface.fpr[off] - 1)
    np.testing.assert_allclose(surface.prevalence[off], expected, atol=1e-9)
    np.testing.assert_allclose(surface.tpr[~off], value, atol=1e-5)


def test_accuracy_surface_turns_from_a_line_of_fpr_to_a_line_of_tpr():
    """At prevalence 0 it is fpr = 1 - m, at prevalence 1 it is tpr = m."""
    surface = ic.metrics.isosurface("accuracy", 0.8)
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
    surface = ic.metrics.isosurface(name, value, cells=10)
    p = surface.prevalence
    found = METRICS[name].value_at(surface.fpr, surface.tpr, p, 1 - p)
    np.testing.assert_allclose(found[~on_rim(surface)], value, atol=1e-12)
    assert len(surface.triangles) > 50


def test_metrics_that_jump_have_the_value_off_the_rim():
    """Precision jumps where nobody is flagged: vertices elsewhere have the value."""
    for name in ("precision", "f_measure", "g_measure"):
        surface = ic.metrics.isosurface(name, 0.6)
        p = surface.prevalence
        inside = ~on_rim(surface)
        found = METRICS[name].value_at(surface.fpr, surface.tpr, p, 1 - p)
        np.testing.assert_allclose(found[inside], 0.6, atol=1e-12)
        assert inside.mean() > 0.9


def test_the_mesh_is_closed_inside_the_cube():
    """Every edge belongs to two triangles, or to one on the cube's surface."""
    surface = ic.metrics.isosurface("information_gain", 0.137, cells=9)
    edges = np.sort(surface.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    found, count = np.unique(edges, axis=0, return_counts=True)
    assert set(count.tolist()) <= {1, 2}
    points = np.column_stack([surface.fpr, surface.tpr, surface.prevalence])
    open_edges = points[found[count == 1]]
    on_side = ((open_edges[:, 0] == open_edges[:, 1]) & np.isin(open_edges[:, 0], (0, 1))).any(axis=1)
    assert on_side.all()
    assert len(open_edges) > 0


def test_slices_of_the_surface_are_isometrics():
    """The area of a strongly insensitive metric's surface is that of its isometric: vertical walls."""
    surface = ic.metrics.isosurface("youden", 0.5)
    a, b, c = np.moveaxis(corners(surface), 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    assert area == pytest.approx(np.sqrt(0.5))  # the isometric runs from (0, 1/2) to (1/2, 1)


def test_functions_are_drawn_where_they_have_values():
    """At prevalence 0 the skew ratio is infinite."""
    surface = ic.metrics.isosurface(lambda h, k, c: (k + c * (1 - h)) / (1 + c), 0.8, cells=8)
    assert (surface.prevalence.min(), surface.prevalence.max()) == (0.125, 1)
    accuracy = surface.prevalence * surface.tpr + (1 - surface.prevalence) * (1 - surface.fpr)
    np.testing.assert_allclose(accuracy, 0.8, atol=1e-12)


def test_a_value_that_is_never_reached_gives_an_empty_mesh():
    """Nothing to draw is not an error."""
    surface = ic.metrics.isosurface("dkm_split", 0.9, prevalence=(0.01, 0.02))
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
def test_bad_input_is_named_surfaces(options, error, message):
    """Values outside the range, cells that are none, ranges that are none."""
    with pytest.raises(error, match=message):
        ic.metrics.isosurface("accuracy", **{"value": 0.5, **options})

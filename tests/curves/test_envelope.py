"""The lower envelope and the hull are one thing seen twice."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from isocost.curves.cost import line
from oracles import brute_force
from strategies import curves, point_sets, samples, unit


@given(samples(), unit)
def test_envelope_is_the_minimum_over_every_line(sample, x):
    """Each threshold's line drawn, the lowest taken, in exact arithmetic."""
    lowest = brute_force.envelope(brute_force.points(sample.y, sample.s, sample.w), Fraction(1) - Fraction(x))
    assert float(ic.cost_curve(sample.curve)(x)) == pytest.approx(float(lowest), abs=1e-13)


@given(curves())
def test_envelope_is_dual_to_the_hull(curve):
    """Pieces are the vertices' lines, breaks are the edges' slopes: the hull comes back from the envelope."""
    envelope = ic.cost_curve(curve)
    width = np.diff(envelope.breaks)
    slope = (envelope.right - envelope.left) / width
    start = envelope.left - slope * envelope.breaks[:-1]
    active = [v for v in curve.vertices if v.t_high > v.t_low]
    wide = width > 1e-6  # the line through two points closer than that is not determined by their rounded values
    assert len(active) == width.size
    assert start[wide] == pytest.approx(np.array([v.fpr for v in active])[wide], abs=1e-8)
    assert (1 - start - slope)[wide] == pytest.approx(np.array([v.tpr for v in active])[wide], abs=1e-8)


@given(curves())
def test_envelope_is_concave_and_below_the_trivial_classifiers(curve):
    """A minimum of lines, two of which are trivial."""
    envelope = ic.cost_curve(curve)
    slopes = (envelope.right - envelope.left) / np.diff(envelope.breaks)
    assert np.all(np.diff(slopes) <= 1e-9)
    x = np.linspace(0, 1, 41)
    assert np.all(envelope(x) <= np.minimum(x, 1 - x) + 1e-15)
    assert envelope([0, 1]).tolist() == [0, 0]


@given(samples(weighted=(None, "whole")))
def test_swapping_the_classes_mirrors_cost_space(sample):
    """Positive for negative and scores turned around: the curve read from right to left."""
    mirrored = ic.RocCurve.from_scores(1 - sample.y, -sample.s, sample_weight=sample.w)
    x = np.linspace(0, 1, 41)
    assert ic.cost_curve(mirrored)(x) == pytest.approx(ic.cost_curve(sample.curve)(1 - x), abs=1e-14)


@given(point_sets(), unit)
def test_envelope_of_crisp_classifiers(points, x):
    """Any set of points: the cheapest of them and of the trivial ones."""
    fpr, tpr = points
    lowest = min([x, 1 - x, *((1 - x) * fpr + x * (1 - tpr))])
    assert float(ic.cost_curve(ic.RocCurve.from_points(fpr, tpr))(x)) == pytest.approx(lowest, abs=1e-14)


def test_two_points_cross_where_a_common_tangent_touches_both():
    """The crossover in cost space is the slope of the line through the points (Drummond & Holte 2000, Figs. 5-6)."""
    slope = (0.9 - 0.5) / (0.4 - 0.1)
    assert (line(0.1, 0.5) - line(0.4, 0.9)).roots() == pytest.approx([1 / (1 + slope)])


def test_maximum_difference_of_figure_4():
    """0.25 against 0.3 at PCF 0.3 and 0.7; nothing at 0.5, below 0.2 or above 0.8 (Drummond & Holte 2000)."""
    solid = ic.cost_curve(ic.RocCurve.from_points([0.3], [0.7]))
    dashed = ic.cost_curve(ic.RocCurve.from_points([0.175, 0.425], [0.575, 0.825]))
    gap = solid - dashed
    assert gap.minimum >= -1e-15
    assert gap([0.1, 0.2, 0.5, 0.8, 0.9]) == pytest.approx(0, abs=1e-15)
    assert gap.maximum == pytest.approx(0.05)
    assert float(gap(0.3)) == pytest.approx(gap.restricted(0, 0.5).maximum, abs=1e-12)
    assert float(gap(0.7)) == pytest.approx(gap.restricted(0.5, 1).maximum, abs=1e-12)

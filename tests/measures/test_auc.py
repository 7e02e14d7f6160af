import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import isocost as ic
from isocost.errors import InputError
from oracles import brute_force
from strategies import samples, unit


@given(samples())
def test_area_equals_the_share_of_pairs_ranked_rightly(sample):
    """Exactly for whole counts, to rounding for weights."""
    expected = float(brute_force.auc(sample.y, sample.s, sample.w))
    assert ic.auc(sample.curve) == pytest.approx(expected, abs=1e-14)


@given(samples(kinds=("tied", "probabilities"), min_each=2), st.floats(0.05, 1))
def test_areas_equal_scikit_learn(sample, limit):
    """Whole, and up to an fpr with McClish's normalisation."""
    keep = slice(None) if sample.w is None else sample.w > 0
    y, s, w = sample.y[keep], sample.s[keep], None if sample.w is None else sample.w[keep]
    assert ic.auc(sample.curve) == pytest.approx(roc_auc_score(y, s, sample_weight=w), abs=1e-12)
    if limit < 1:
        expected = roc_auc_score(y, s, sample_weight=w, max_fpr=limit)
        assert ic.measures.partial_auc(sample.curve, fpr=(0, limit), normalised=True) == pytest.approx(
            expected, abs=1e-12
        )


@given(samples(), st.lists(unit, min_size=1, max_size=3))
def test_partial_areas_add_up_to_the_whole(sample, cuts):
    """Over fpr and over tpr alike."""
    edges = [0.0, *sorted(cuts), 1.0]
    pieces = list(itertools.pairwise(edges))
    for axis in ("fpr", "tpr"):
        total = sum(ic.measures.partial_auc(sample.curve, **{axis: piece}) for piece in pieces)
        assert total == pytest.approx(ic.auc(sample.curve), abs=1e-12)


@given(samples(), unit, unit)
def test_partial_area_equals_quadrature_of_the_path(sample, a, b):
    """Trapezoids over the knots inside the range."""
    low, high = sorted((a, b))
    curve = sample.curve
    x = np.union1d(curve.fpr, [low, high])
    x = x[(x >= low) & (x <= high)]
    right = np.array(
        [
            np.max(curve.tpr[curve.fpr <= v + 1e-15]) if v in curve.fpr else np.interp(v, curve.fpr, curve.tpr)
            for v in x[:-1]
        ]
    )
    left = np.array(
        [
            np.min(curve.tpr[curve.fpr >= v - 1e-15]) if v in curve.fpr else np.interp(v, curve.fpr, curve.tpr)
            for v in x[1:]
        ]
    )
    area = float(np.diff(x) @ (right + left) / 2)
    assert ic.measures.partial_auc(curve, fpr=(low, high)) == pytest.approx(area, abs=1e-9)


def test_normalised_area_is_one_for_perfect_and_half_for_chance():
    """In both directions."""
    perfect = ic.RocCurve.from_scores([1, 1, 0, 0], [4, 3, 2, 1])
    chance = ic.RocCurve.from_points([0.5], [0.5])
    for option in ({"fpr": (0.1, 0.4)}, {"tpr": (0.6, 0.9)}):
        assert ic.measures.partial_auc(perfect, **option, normalised=True) == pytest.approx(1)
        assert ic.measures.partial_auc(chance, **option, normalised=True) == pytest.approx(0.5)


def test_crisp_classifiers_without_a_path_have_no_area():
    """The message says what to take instead."""
    curve = ic.RocCurve.from_points([0.7, 0.8], [0.9, 0.75])
    with pytest.raises(InputError, match=r"use curve\.hull instead"):
        ic.auc(curve)
    assert 0.5 < ic.auc(curve.hull) < 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give one range"),
        ({"fpr": (0, 1), "tpr": (0, 1)}, "give one range"),
        ({"fpr": (0.5, 0.1)}, r"fpr has low > high: \(0.5, 0.1\)"),
        ({"tpr": (0.5, 1.1)}, r"tpr high must be between 0 and 1, got 1.1"),
        ({"fpr": (0.2, 0.2), "normalised": True}, "low < high"),
    ],
)
def test_bad_ranges_are_refused(options, message):
    """Naming the range and the value."""
    with pytest.raises(InputError, match=message):
        ic.measures.partial_auc(ic.RocCurve.from_scores([1, 0], [1, 0]), **options)


@given(samples())
def test_gini_is_the_area_above_chance(sample):
    """2·AUC - 1, so that a backward ranking is negative."""
    assert ic.measures.gini(sample.curve) == pytest.approx(2 * ic.auc(sample.curve) - 1, abs=1e-15)


@given(samples())
def test_hull_area_is_half_the_squared_slope_of_the_envelope(sample):
    """1 - ½∫(fpr + tpr - 1)² dt over the best point at each t, and never below the plain area."""
    curve = sample.curve
    edges = np.concatenate([[0.0], curve.switches, [1.0]])
    slope = (curve.hull.fpr + curve.hull.tpr - 1)[::-1]
    assert ic.measures.auch(curve) == pytest.approx(1 - np.diff(edges) @ slope**2 / 2, abs=1e-13)
    assert ic.measures.auch(curve) >= ic.auc(curve) - 1e-15

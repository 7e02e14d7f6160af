import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import UnknownNameError
from isocost.point_metrics import METRICS
from oracles import point_metrics as oracle

tables = st.tuples(*[st.integers(0, 25)] * 4).filter(lambda t: t[0] + t[1] > 0 and t[2] + t[3] > 0)
skews = st.floats(0.01, 100)
inner = st.floats(1e-6, 1 - 1e-6)

SPLITS = {"information_gain": oracle.entropy, "gini_split": oracle.gini, "dkm_split": oracle.dkm}
SYMMETRIC = ("information_gain", "gini_split", "dkm_split", "gini_roc", "chi_squared")


@given(tables)
def test_splitting_criteria_are_the_decrease_of_their_impurity(table):
    """Information gain, Gini-split and DKM-split: impurity of the parent less that of the children, from counts."""
    for name, impurity in SPLITS.items():
        assert METRICS[name].from_confusion(*table) == pytest.approx(
            oracle.impurity_split(impurity, *table), abs=1e-12
        ), name


@given(tables)
def test_chi_squared_and_mcc_are_those_of_the_table(table):
    """χ²/N is the sum over cells of (observed - expected)²/expected; MCC is the correlation of class and flag."""
    chi = float(oracle.chi_squared(*table)) / sum(table)
    assert METRICS["chi_squared"].from_confusion(*table) == pytest.approx(chi, abs=1e-12)
    assert METRICS["mcc"].from_confusion(*table) == pytest.approx(oracle.correlation(*table), abs=1e-12)


@given(inner, inner, skews)
def test_chi_squared_is_gini_split_up_to_a_factor_of_the_skew(fpr, tpr, c):
    """χ²/N = Gini-split × (1 + c)²/(4c), and both are MCC²."""
    m = ic.point_metrics
    assert m.chi_squared(fpr, tpr, c) == pytest.approx(m.gini_split(fpr, tpr, c) * (1 + c) ** 2 / (4 * c), rel=1e-12)
    assert m.chi_squared(fpr, tpr, c) == pytest.approx(m.mcc(fpr, tpr, c) ** 2, rel=1e-12)


@given(inner, inner, skews)
def test_gini_roc_is_the_corrected_formula_and_gini_split_at_skew_one(fpr, tpr, c):
    """With a minus before the second child; whatever the skew."""
    gini_roc = ic.point_metrics.gini_roc(fpr, tpr, c)
    formula = 1 - 2 * tpr * fpr / (tpr + fpr) - 2 * (1 - tpr) * (1 - fpr) / (2 - tpr - fpr)
    assert gini_roc == pytest.approx(formula, abs=1e-9)
    assert gini_roc == pytest.approx(ic.point_metrics.gini_split(fpr, tpr, 1), abs=1e-15)
    assert gini_roc == pytest.approx(ic.point_metrics.chi_squared(fpr, tpr, 1), abs=1e-15)


@given(tables)
def test_table_3_of_flach(table):
    """Relative impurity of the flagged child: (1 + c)·tpr·fpr/(tpr + c·fpr) for Gini, √(tpr·fpr) for DKM."""
    tp, fn, fp, tn = table
    fpr, tpr, c = fp / (fp + tn), tp / (tp + fn), (fp + tn) / (tp + fn)
    n = sum(table)
    for name, impurity in (("entropy", oracle.entropy), ("gini", oracle.gini), ("dkm", oracle.dkm)):
        child = (tp + fp) / n * impurity(tp / (tp + fp), fp / (tp + fp)) if tp + fp else 0.0
        expected = child / impurity((tp + fn) / n, (fp + tn) / n)
        got = ic.point_metrics.relative_impurity(fpr, tpr, c, impurity=name)
        assert got == pytest.approx(expected, abs=1e-12), name
    if tp + fp:
        closed = (1 + c) * tpr * fpr / (tpr + c * fpr)
        assert ic.point_metrics.relative_impurity(fpr, tpr, c, impurity="gini") == pytest.approx(closed, abs=1e-12)
    dkm = ic.point_metrics.relative_impurity(fpr, tpr, c, impurity="dkm")
    assert dkm == pytest.approx((tpr * fpr) ** 0.5, abs=1e-12)


@given(inner, inner, skews)
def test_relative_impurities_of_both_children_make_the_criterion(fpr, tpr, c):
    """Criterion = impurity of the parent × (1 - relative impurity of one child - that of the other)."""
    share = 1 / (1 + c)
    for name, impurity, key in (("gini_split", oracle.gini, "gini"), ("dkm_split", oracle.dkm, "dkm")):
        left = ic.point_metrics.relative_impurity(fpr, tpr, c, impurity=key)
        right = ic.point_metrics.relative_impurity(1 - fpr, 1 - tpr, c, impurity=key)
        expected = impurity(share, 1 - share) * (1 - left - right)
        assert METRICS[name](fpr, tpr, c) == pytest.approx(expected, abs=1e-12)


@given(inner, inner, skews)
def test_criteria_do_not_care_which_child_is_which(fpr, tpr, c):
    """Exchanging columns mirrors the point through (1/2, 1/2) and changes nothing; MCC changes its sign."""
    for name in SYMMETRIC:
        assert METRICS[name](1 - fpr, 1 - tpr, c) == pytest.approx(METRICS[name](fpr, tpr, c), abs=1e-12), name
    assert METRICS["mcc"](1 - fpr, 1 - tpr, c) == pytest.approx(-METRICS["mcc"](fpr, tpr, c), abs=1e-12)


@given(inner, inner, skews)
def test_criteria_do_not_care_which_class_is_positive(fpr, tpr, c):
    """Exchanging rows mirrors across the diagonal and turns c into 1/c; MCC changes its sign."""
    for name in SYMMETRIC:
        assert METRICS[name](tpr, fpr, 1 / c) == pytest.approx(METRICS[name](fpr, tpr, c), abs=1e-12), name
    assert METRICS["mcc"](tpr, fpr, 1 / c) == pytest.approx(-METRICS["mcc"](fpr, tpr, c), abs=1e-12)


@given(inner, inner)
def test_dkm_is_symmetric_about_both_diagonals_at_every_skew(fpr, tpr):
    """What weak skew-insensitivity means for DKM-split; Gini-split is so only at c = 1."""
    for c in (0.1, 1, 10):
        value = ic.point_metrics.dkm_split(fpr, tpr, c)
        assert ic.point_metrics.dkm_split(tpr, fpr, c) == pytest.approx(value, abs=1e-15)
        assert ic.point_metrics.dkm_split(1 - tpr, 1 - fpr, c) == pytest.approx(value, abs=1e-12)


def test_gini_split_loses_its_symmetry_under_skew():
    """At c = 10 mirroring across the descending diagonal changes Gini-split and information gain."""
    for name in ("gini_split", "information_gain"):
        assert METRICS[name](0.1, 0.5, 10) != pytest.approx(METRICS[name](0.5, 0.9, 10), rel=0.01)


@pytest.mark.parametrize("name", [*SYMMETRIC, "mcc"])
def test_criteria_vanish_on_the_diagonal_and_at_its_ends(name):
    """No association: 0 exactly, also where nobody or everybody is flagged, which is the limit there."""
    share = np.array([0, 1e-200, 1e-9, 0.3, 0.5, 0.9, 1 - 1e-9, 1])
    for c in (0.1, 1, 10):
        assert np.all(METRICS[name](share, share, c) == 0)
        near = METRICS[name]([1e-12, 0, 1 - 1e-12], [0, 1e-12, 1], c)
        assert np.all(np.abs(near) < 1e-4)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_criteria_keep_their_accuracy_next_to_the_diagonal(name):
    """For a small gap d they are d² times a smooth factor, without cancellation."""
    d = np.array([1e-4, 1e-6, 1e-8])
    factor = METRICS[name](0.3, 0.3 + d, 2) / d**2
    np.testing.assert_allclose(factor, factor[0], rtol=1e-3)


def test_a_perfect_split_is_worth_the_impurity_of_the_parent():
    """At (0, 1) and (1, 0) nothing impure is left."""
    for name, impurity in SPLITS.items():
        for c in (0.25, 1, 4):
            whole = impurity(1 / (1 + c), c / (1 + c))
            assert METRICS[name]([0, 1], [1, 0], c) == pytest.approx([whole, whole])
    assert ic.point_metrics.mcc([0, 1], [1, 0], 7) == pytest.approx([1, -1])


def test_an_unknown_impurity_is_answered_with_the_nearest():
    """`impurity` is one of three words."""
    with pytest.raises(UnknownNameError, match="unknown impurity 'ginny': did you mean 'gini'"):
        ic.point_metrics.relative_impurity(0.1, 0.8, 1, impurity="ginny")

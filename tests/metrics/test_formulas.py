import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError, UnknownNameError
from isocost.metrics import METRICS
from oracles import point_metrics as oracle

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "point_metrics.json").read_text())

tables = st.tuples(*[st.integers(0, 40)] * 4).filter(lambda t: t[0] + t[1] > 0 and t[2] + t[3] > 0)
skews = st.floats(0.01, 100)
rates = st.floats(0, 1, allow_subnormal=False)


def roc(tp, fn, fp, tn):
    """The table as fpr, tpr and skew ratio."""
    return fp / (fp + tn), tp / (tp + fn), (fp + tn) / (tp + fn)


@given(tables, st.sampled_from([0.5, 1, 2, 3]), st.sampled_from([0.1, 0.5, 0.75]), st.sampled_from([0, 1, 22]))
def test_values_are_those_of_the_definitions_on_counts(table, beta, threshold, m):
    """Every linear metric, as a function of rates and skew, is its textbook definition on counts."""
    options = {
        "f_measure": {"beta": beta},
        "net_benefit": {"threshold": threshold},
        "laplace": {"cases": sum(table)},
        "m_estimate": {"m": m, "cases": sum(table)},
    }
    expected = oracle.linear(*table, beta=Fraction(beta), threshold=Fraction(threshold), m=m)
    for name, value in expected.items():
        if value is not None:
            got = METRICS[name](*roc(*table), **options.get(name, {}))
            assert got == pytest.approx(float(value), abs=1e-13), name


@given(tables)
def test_counts_in_give_the_same_values(table):
    """`from_confusion` of one metric and of all of them take skew and number of cases from the counts."""
    everything = ic.metrics.from_confusion(*table)
    assert (everything["fpr"], everything["tpr"], everything["skew_ratio"]) == roc(*table)
    assert set(everything) - {"fpr", "tpr", "skew_ratio"} == set(METRICS)
    for name, value in oracle.linear(*table).items():
        if value is not None:
            assert METRICS[name].from_confusion(*table) == pytest.approx(float(value), abs=1e-13), name
            assert everything[name] == METRICS[name].from_confusion(*table)


@pytest.mark.parametrize("row", GOLDEN["rows"], ids=lambda row: str(row["table"]))
def test_values_agree_with_scikit_learn_and_scipy(row):
    """Metrics that other packages have are the same numbers here."""
    for name, value in row["values"].items():
        base, _, beta = name.partition("_beta_")
        metric = METRICS["f_measure"].with_options(beta=float(beta)) if beta else METRICS[base]
        assert metric.from_confusion(*row["table"]) == pytest.approx(value, rel=1e-12), name


@given(rates, rates, skews)
def test_table_2_of_flach(fpr, tpr, c):
    """Table 2: the formulas with c, and in its last column those at c = 1."""
    m = ic.metrics
    assert m.accuracy(fpr, tpr, c) == pytest.approx((tpr + c * (1 - fpr)) / (1 + c))
    assert m.accuracy(fpr, tpr, 1) == pytest.approx((tpr + 1 - fpr) / 2)
    assert m.f_measure(fpr, tpr, c) == pytest.approx(2 * tpr / (tpr + c * fpr + 1))
    assert m.f_measure(fpr, tpr, 1) == pytest.approx(2 * tpr / (tpr + fpr + 1))
    assert 4 * m.wracc(fpr, tpr, c) == pytest.approx(4 * c / (1 + c) ** 2 * (tpr - fpr))
    assert 4 * m.wracc(fpr, tpr, 1) == pytest.approx(tpr - fpr)
    if tpr > 0:
        assert m.precision(fpr, tpr, c) == pytest.approx(tpr / (tpr + c * fpr))
        assert m.precision(fpr, tpr, 1) == pytest.approx(tpr / (tpr + fpr))


def test_where_nobody_is_flagged_precision_is_the_prevalence():
    """0/0 has no limit; the value is the one along the diagonal, for everything that degenerates to precision."""
    m = ic.metrics
    for metric in (
        m.precision,
        m.f_measure.with_options(beta=0),
        m.m_estimate.with_options(m=0, cases=9),
        m.laplace.with_options(cases=math.inf),
    ):
        assert metric(0, 0, 4) == pytest.approx(1 / 5)
        assert metric(1e-9, 1e-9, 4) == pytest.approx(1 / 5)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_a_value_everywhere_within_its_range(name):
    """No NaN and no value outside the range, at the corners and sides too, for skews far from 1."""
    nodes = np.concatenate([[0, 1e-300, 1e-12], np.linspace(0.01, 0.99, 33), [1 - 1e-12, 1]])
    fpr, tpr, c = np.meshgrid(nodes, nodes, [1e-9, 0.1, 1, 7, 1e9])
    values = METRICS[name].counted(30)(fpr, tpr, c)
    low, high = METRICS[name].range
    assert np.isfinite(values).all()
    assert values.min() >= low - 1e-15
    assert values.max() <= high + 1e-15


@pytest.mark.parametrize("name", [n for n in METRICS if n not in ("net_benefit", "lift", "m_estimate", "laplace")])
def test_the_range_is_reached(name):
    """Both ends of the stated range are values of the metric."""
    fpr, tpr, c = np.meshgrid([0, 0.5, 1], [0, 0.5, 1], [1e-12, 1, 1e12])
    values = METRICS[name](fpr, tpr, c)
    assert (values.min(), values.max()) == pytest.approx(METRICS[name].range, abs=1e-9)


@pytest.mark.parametrize("name", METRICS)
def test_numbers_give_a_number_and_arrays_an_array(name):
    """A float for floats; shapes are combined as NumPy does; lists and integers are fine."""
    metric = METRICS[name].counted(30)
    assert type(metric(0.2, 0.7, 3)) is float
    assert type(metric(0.2, 0.7)) is float
    column, row = np.array([[0.1], [0.2]]), [0.5, 0.6, 0.7]
    values = metric(column, row, 3)
    assert values.shape == (2, 3)
    assert values[1, 2] == metric(0.2, 0.7, 3)
    assert metric(0.2, 0.7, [1, 3])[1] == metric(0.2, 0.7, 3)


def test_a_perfect_classifier_scores_one_exactly():
    """(0, 1) gives exactly 1 whatever the skew, for metrics whose range ends there."""
    for name in ("accuracy", "precision", "recall", "specificity", "balanced_accuracy", "f_measure", "g_measure"):
        for c in (0.1, 1 / 3, 1, 7, 1e6):
            assert METRICS[name](0, 1, c) == 1.0


def test_net_benefit_with_the_default_threshold_is_accuracy_less_the_negatives():
    """At threshold 1/2 the skew ratio carries all costs, and net benefit ranks as accuracy does."""
    fpr, tpr = np.random.default_rng(1).random((2, 50))
    got = ic.metrics.net_benefit(fpr, tpr, 4)
    np.testing.assert_allclose(got, ic.metrics.accuracy(fpr, tpr, 4) - 4 / 5, atol=1e-15)


def test_g_measure_is_f_over_two_less_f():
    """F and G are monotone functions of each other at every skew."""
    fpr, tpr = np.random.default_rng(2).random((2, 50))
    f = ic.metrics.f_measure(fpr, tpr, 3)
    np.testing.assert_allclose(ic.metrics.g_measure(fpr, tpr, 3), f / (2 - f), atol=1e-15)


def test_balanced_accuracy_is_the_area_under_the_three_point_curve():
    """Section 3.5 with its sign corrected: (tpr + 1 - fpr)/2 is the area under (0, 0), (fpr, tpr), (1, 1)."""
    for fpr, tpr in ((0.2, 0.7), (0.6, 0.1), (0.5, 0.5)):
        area = np.trapezoid([0, tpr, 1], [0, fpr, 1])
        assert ic.metrics.balanced_accuracy(fpr, tpr) == pytest.approx(area)


def test_a_skew_towards_negatives_raises_accuracy_in_the_lower_left():
    """Section 3.2 with its slip corrected: below the descending diagonal performance is better on negatives."""
    assert ic.metrics.accuracy(0.1, 0.2, 3) > ic.metrics.accuracy(0.1, 0.2, 1)
    assert ic.metrics.accuracy(0.8, 0.9, 3) < ic.metrics.accuracy(0.8, 0.9, 1)


def test_costs_enter_through_the_skew_ratio_with_the_corrected_profits():
    """Section 2.2, corrected: profits 5 and 2, costs 3 and 1 multiply the class ratio by 3/8."""
    condition = ic.Condition(cost_fp=1, cost_fn=3, cost_tp=-5, cost_tn=-2, prevalence=0.2)
    assert condition.skew_ratio == pytest.approx(4 * 3 / 8)


@pytest.mark.parametrize(
    ("fpr", "tpr", "skew_ratio", "message"),
    [
        (1.5, 0.5, 1, r"fpr must lie between 0 and 1, got 1\.5: 1 of 1"),
        (0.5, [0.1, -0.2, 2], 1, r"tpr must lie between 0 and 1, got -0\.2: 2 of 3 rows, the first is row 2"),
        (math.nan, 0.5, 1, "fpr must lie between 0 and 1, got nan"),
        ("high", 0.5, 1, "fpr must hold numbers"),
        (0.5, 0.5, 0, r"skew_ratio must be positive and finite .*, got 0\.0"),
        (0.5, 0.5, [1, -3], r"skew_ratio must be positive and finite .*, got -3\.0: 1 of 2 rows, the first is row 2"),
        (0.5, 0.5, math.inf, "skew_ratio must be positive and finite .*, got inf"),
        (0.5, 0.5, "x", "skew_ratio must hold positive numbers"),
        ([0.1, 0.2], [0.1, 0.2, 0.3], 1, r"do not fit together: fpr has shape \(2,\), tpr has shape \(3,\)"),
    ],
)
def test_bad_points_are_named(fpr, tpr, skew_ratio, message):
    """Rates outside [0, 1] and skews that are not positive say which value came, how many, and where."""
    with pytest.raises(ic.IsocostError, match=message):
        ic.metrics.accuracy(fpr, tpr, skew_ratio)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("f_measure", {"beta": -1}, "beta must be at least 0, got -1"),
        ("f_measure", {"beta": math.inf}, "beta must be finite"),
        ("net_benefit", {"threshold": 1}, "threshold must lie strictly between 0 and 1, got 1"),
        ("net_benefit", {"threshold": 0}, "threshold must lie strictly between 0 and 1, got 0"),
        ("laplace", {"cases": 0}, "cases must be at least 1, got 0"),
        ("m_estimate", {"m": -2}, "m must be at least 0, got -2"),
    ],
)
def test_bad_options_are_named(name, options, message):
    """Options say what they expect, at the call and in `with_options`."""
    with pytest.raises(InputError, match=message):
        METRICS[name](0.1, 0.8, 1, **options)
    with pytest.raises(InputError, match=message):
        METRICS[name].with_options(**options)


def test_an_unknown_option_is_answered_with_the_nearest():
    """Also for a metric that has none."""
    with pytest.raises(UnknownNameError, match=r"unknown option of f_measure 'betta': did you mean 'beta'\?"):
        ic.metrics.f_measure(0.1, 0.8, 1, betta=2)
    with pytest.raises(UnknownNameError, match="unknown option of accuracy 'beta': known: none"):
        ic.metrics.accuracy(0.1, 0.8, 1, beta=2)


def test_an_unknown_metric_is_answered_with_the_nearest():
    """Wherever a name is accepted."""
    with pytest.raises(UnknownNameError, match=r"unknown metric 'f1_measure': did you mean 'f_measure'"):
        ic.metrics.isometrics("f1_measure", [0.5])
    with pytest.raises(UnknownNameError, match="unknown metric 'presicion': did you mean 'precision'"):
        ic.metrics.effective_skew("presicion", 0.1, 0.8)


def test_something_that_is_no_metric_is_refused():
    """A number is neither a name nor a function."""
    with pytest.raises(InputError, match=r"a metric must be a function of .*, or one by name, got 3"):
        ic.metrics.skew_sensitivity(3)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ((0, 0, 1, 1), "the confusion matrix has no positive case"),
        ((1, 1, 0, 0), "the confusion matrix has no negative case"),
        ((1, -1, 1, 1), "fn must be at least 0, got -1"),
        ((1, 1, 1, "x"), "tn must be a number, got 'x'"),
    ],
)
def test_bad_counts_are_named(table, message):
    """Counts must be counts, and both classes must be there."""
    with pytest.raises(InputError, match=message):
        ic.metrics.from_confusion(*table)
    with pytest.raises(InputError, match=message):
        ic.metrics.accuracy.from_confusion(*table)


tables_splitting = st.tuples(*[st.integers(0, 25)] * 4).filter(lambda t: t[0] + t[1] > 0 and t[2] + t[3] > 0)
skews_splitting = st.floats(0.01, 100)
inner = st.floats(1e-6, 1 - 1e-6)

SPLITS = {"information_gain": oracle.entropy, "gini_split": oracle.gini, "dkm_split": oracle.dkm}
SYMMETRIC = ("information_gain", "gini_split", "dkm_split", "gini_roc", "chi_squared")


@given(tables_splitting)
def test_splitting_criteria_are_the_decrease_of_their_impurity(table):
    """Information gain, Gini-split and DKM-split: impurity of the parent less that of the children, from counts."""
    for name, impurity in SPLITS.items():
        assert METRICS[name].from_confusion(*table) == pytest.approx(
            oracle.impurity_split(impurity, *table), abs=1e-12
        ), name


@given(tables_splitting)
def test_chi_squared_and_mcc_are_those_of_the_table(table):
    """χ²/N is the sum over cells of (observed - expected)²/expected; MCC is the correlation of class and flag."""
    chi = float(oracle.chi_squared(*table)) / sum(table)
    assert METRICS["chi_squared"].from_confusion(*table) == pytest.approx(chi, abs=1e-12)
    assert METRICS["mcc"].from_confusion(*table) == pytest.approx(oracle.correlation(*table), abs=1e-12)


@given(inner, inner, skews_splitting)
def test_chi_squared_is_gini_split_up_to_a_factor_of_the_skew(fpr, tpr, c):
    """χ²/N = Gini-split × (1 + c)²/(4c), and both are MCC²."""
    m = ic.metrics
    assert m.chi_squared(fpr, tpr, c) == pytest.approx(m.gini_split(fpr, tpr, c) * (1 + c) ** 2 / (4 * c), rel=1e-12)
    assert m.chi_squared(fpr, tpr, c) == pytest.approx(m.mcc(fpr, tpr, c) ** 2, rel=1e-12)


@given(inner, inner, skews_splitting)
def test_gini_roc_is_the_corrected_formula_and_gini_split_at_skew_one(fpr, tpr, c):
    """With a minus before the second child; whatever the skew."""
    gini_roc = ic.metrics.gini_roc(fpr, tpr, c)
    formula = 1 - 2 * tpr * fpr / (tpr + fpr) - 2 * (1 - tpr) * (1 - fpr) / (2 - tpr - fpr)
    assert gini_roc == pytest.approx(formula, abs=1e-9)
    assert gini_roc == pytest.approx(ic.metrics.gini_split(fpr, tpr, 1), abs=1e-15)
    assert gini_roc == pytest.approx(ic.metrics.chi_squared(fpr, tpr, 1), abs=1e-15)


@given(inner, inner, skews_splitting)
def test_criteria_do_not_care_which_child_is_which(fpr, tpr, c):
    """Exchanging columns mirrors the point through (1/2, 1/2) and changes nothing; MCC changes its sign."""
    for name in SYMMETRIC:
        assert METRICS[name](1 - fpr, 1 - tpr, c) == pytest.approx(METRICS[name](fpr, tpr, c), abs=1e-12), name
    assert METRICS["mcc"](1 - fpr, 1 - tpr, c) == pytest.approx(-METRICS["mcc"](fpr, tpr, c), abs=1e-12)


@given(inner, inner, skews_splitting)
def test_criteria_do_not_care_which_class_is_positive(fpr, tpr, c):
    """Exchanging rows mirrors across the diagonal and turns c into 1/c; MCC changes its sign."""
    for name in SYMMETRIC:
        assert METRICS[name](tpr, fpr, 1 / c) == pytest.approx(METRICS[name](fpr, tpr, c), abs=1e-12), name
    assert METRICS["mcc"](tpr, fpr, 1 / c) == pytest.approx(-METRICS["mcc"](fpr, tpr, c), abs=1e-12)


@given(inner, inner)
def test_dkm_is_symmetric_about_both_diagonals_at_every_skew(fpr, tpr):
    """What weak skew-insensitivity means for DKM-split; Gini-split is so only at c = 1."""
    for c in (0.1, 1, 10):
        value = ic.metrics.dkm_split(fpr, tpr, c)
        assert ic.metrics.dkm_split(tpr, fpr, c) == pytest.approx(value, abs=1e-15)
        assert ic.metrics.dkm_split(1 - tpr, 1 - fpr, c) == pytest.approx(value, abs=1e-12)


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
    assert ic.metrics.mcc([0, 1], [1, 0], 7) == pytest.approx([1, -1])

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from isocost.metrics import METRICS

inner = st.floats(0.001, 0.999)
skews = st.floats(0.01, 100)
VARIANTS = {
    **{name: metric.counted(30) for name, metric in METRICS.items()},
    "f_measure 2": METRICS["f_measure"].with_options(beta=2),
    "net_benefit 0.1": METRICS["net_benefit"].with_options(threshold=0.1),
    "m_estimate 30": METRICS["m_estimate"].with_options(m=5, cases=30),
    "accuracy at 1": METRICS["accuracy"].skew_insensitive,
}


def central_slope(metric, fpr, tpr, c):
    """-(∂m/∂fpr)/(∂m/∂tpr) by Richardson-extrapolated central differences."""

    def difference(step, along_fpr):
        dh, dk = (step, 0) if along_fpr else (0, step)
        return (metric(fpr + dh, tpr + dk, c) - metric(fpr - dh, tpr - dk, c)) / (2 * step)

    module = np.minimum.reduce([fpr, 1 - fpr, tpr, 1 - tpr])
    step = np.minimum(1e-3, module / 8)
    down, up = ((4 * difference(step / 2, axis) - difference(step, axis)) / 3 for axis in (True, False))
    with np.errstate(divide="ignore"):
        return -down / up


@pytest.mark.parametrize("name", VARIANTS)
def test_effective_skew_agrees_with_central_differences(name):
    """The closed form is the slope of the isometric, to 1e-6 as an angle and relatively, at random points and skews."""
    rng = np.random.default_rng(7)
    fpr, tpr = rng.uniform(0.02, 0.98, (2, 2000))
    apart = np.abs(tpr - fpr) > 0.01  # on the diagonal the gradient of a criterion vanishes
    fpr, tpr = fpr[apart], tpr[apart]
    c = np.exp(rng.uniform(-3, 3, fpr.size))
    metric = VARIANTS[name]
    expected = central_slope(metric, fpr, tpr, c)
    got = ic.metrics.effective_skew(metric, fpr, tpr, skew_ratio=c)
    steep = expected > 1e6  # a vertical isometric: the difference along tpr is rounding
    np.testing.assert_allclose(np.arctan(got), np.arctan(expected), atol=1e-6)
    np.testing.assert_allclose(got[~steep], expected[~steep], rtol=1e-6, atol=1e-12)


@given(inner, inner, skews)
def test_table_4_of_flach(fpr, tpr, c):
    """Accuracy c, precision tpr/fpr, F- and G-measure tpr/(fpr + 1/c), WRAcc 1."""
    expected = {
        "accuracy": c,
        "precision": tpr / fpr,
        "f_measure": tpr / (fpr + 1 / c),
        "g_measure": tpr / (fpr + 1 / c),
        "wracc": 1,
    }
    for name, slope in expected.items():
        assert ic.metrics.effective_skew(name, fpr, tpr, skew_ratio=c) == pytest.approx(slope, rel=1e-12), name


@given(inner, inner, skews)
def test_relatives_of_table_4(fpr, tpr, c):
    """The slopes of the other metrics, each derived by hand."""
    u = (tpr + c * fpr) / (1 + c)
    gini = (u + tpr - 2 * u * tpr) / (u + fpr - 2 * u * fpr)
    at_one = (fpr + tpr) / 2
    expected = {
        "recall": 0,
        "specificity": np.inf,
        "balanced_accuracy": 1,
        "youden": 1,
        "gini_split": gini,
        "chi_squared": gini,
        "mcc": gini,
        "gini_roc": (at_one + tpr - 2 * at_one * tpr) / (at_one + fpr - 2 * at_one * fpr),
        "dkm_split": np.sqrt(tpr * (1 - tpr) / (fpr * (1 - fpr))),
    }
    for name, slope in expected.items():
        assert ic.metrics.effective_skew(name, fpr, tpr, skew_ratio=c) == pytest.approx(slope, rel=1e-9), name


def test_effective_skew_at_the_border():
    """Vertical where precision's lines are, one on the diagonal for criteria, NaN where no direction exists."""
    assert ic.metrics.effective_skew("precision", 0, 0.5) == np.inf
    assert ic.metrics.effective_skew("precision", 0.5, 0) == 0
    assert np.isnan(ic.metrics.effective_skew("precision", 0, 0))
    for name in ("information_gain", "gini_split", "dkm_split", "mcc"):
        np.testing.assert_allclose(ic.metrics.effective_skew(name, [0.2, 0.9], [0.2, 0.9], skew_ratio=7), 1)
    assert ic.metrics.effective_skew("information_gain", 0, 0.5, skew_ratio=3) == np.inf
    assert ic.metrics.effective_skew("information_gain", 0.5, 1, skew_ratio=3) == 0
    assert ic.metrics.effective_skew("gini_split", 0, 1, skew_ratio=3) == pytest.approx(3)


def test_information_gain_slope_is_steady_towards_the_diagonal():
    """It tends to 1 without noise from cancelling logarithms."""
    for d in (1e-3, 1e-6, 1e-9, 1e-13):
        assert ic.metrics.effective_skew("information_gain", 0.3, 0.3 + d, skew_ratio=5) == pytest.approx(
            1, abs=3 * d + 1e-12
        )


def test_effective_skew_gives_numbers_for_numbers_and_arrays_for_arrays():
    """The array belongs to the caller."""
    assert type(ic.metrics.effective_skew("wracc", 0.1, 0.8)) is float
    slopes = ic.metrics.effective_skew("accuracy", [0.1, 0.2], 0.8, skew_ratio=3)
    assert slopes.tolist() == [3, 3]
    slopes[0] = 0  # not a read-only view


def test_theorem_1_equivalent_metrics_are_skew_equivalent():
    """Whatever is compatible or antagonistic on many points at every skew has the same effective skew."""
    fpr, tpr = np.random.default_rng(9).random((2, 200))
    equivalent = 0
    for i, a in enumerate(VARIANTS.values()):
        for b in list(VARIANTS.values())[i:]:
            found = [ic.metrics.agreement(a, b, fpr, tpr, skew_ratio=c) for c in (0.2, 1.0, 5.0)]
            if all(f.compatible for f in found) or all(f.antagonistic for f in found):
                equivalent += 1
                assert ic.metrics.skew_equivalent(a, b), (a, b)
    assert equivalent > len(VARIANTS)  # more than each with itself


def test_skew_equivalence_does_not_make_metrics_equivalent():
    """Tpr - fpr and its square share all isometrics, but rank points below the diagonal differently."""
    square = ic.metrics.from_function(lambda fpr, tpr, c: (tpr - fpr) ** 2 + 0 * c, name="squared")
    assert ic.metrics.skew_equivalent("youden", square)
    found = ic.metrics.agreement("youden", square, [0.1, 0.5, 0.9], [0.6, 0.5, 0.2])
    assert (found.compatible, found.antagonistic) == (False, False)


def test_theorem_2_f_and_g_measure_are_skew_equivalent():
    """And rank all points alike; with another beta F is not."""
    assert ic.metrics.skew_equivalent("f_measure", "g_measure")
    assert not ic.metrics.skew_equivalent(METRICS["f_measure"].with_options(beta=2), "g_measure")
    fpr, tpr = np.random.default_rng(3).random((2, 200))
    assert ic.metrics.agreement("f_measure", "g_measure", fpr, tpr, skew_ratio=4).compatible


def test_gini_split_chi_squared_and_mcc_are_skew_equivalent_but_gini_roc_is_not():
    """Gini-ROC shares their isometrics at c = 1 only."""
    assert ic.metrics.skew_equivalent("gini_split", "chi_squared")
    assert ic.metrics.skew_equivalent("gini_split", "mcc")
    assert not ic.metrics.skew_equivalent("gini_split", "gini_roc")
    assert not ic.metrics.skew_equivalent("gini_split", "information_gain")


def test_theorem_3_and_the_sensitivity_of_every_metric():
    """Precision, WRAcc and DKM-split are weakly insensitive; what ignores c strongly; the rest is sensitive."""
    expected = {
        "strong": {"recall", "specificity", "balanced_accuracy", "youden", "auc_split", "gini_roc", "accuracy at 1"},
        "weak": {"precision", "npv", "lift", "wracc", "dkm_split", "m_estimate", "m_estimate 30"},
        "sensitive": {
            "accuracy",
            "f_measure",
            "g_measure",
            "kappa",
            "net_benefit",
            "laplace",
            "gini_split",
            "information_gain",
            "mcc",
        },
    }
    for kind, names in expected.items():
        assert {name: ic.metrics.skew_sensitivity(VARIANTS[name]) for name in names} == dict.fromkeys(names, kind)


@pytest.mark.parametrize("name", METRICS)
def test_the_skew_insensitive_version_is_strongly_insensitive(name):
    """At c = 1 every metric keeps its value and its isometrics whatever the skew."""
    version = VARIANTS[name].skew_insensitive
    assert ic.metrics.skew_sensitivity(version) == "strong"
    fpr, tpr = np.random.default_rng(4).random((2, 20))
    np.testing.assert_array_equal(version(fpr, tpr, 9), VARIANTS[name](fpr, tpr, 1))
    np.testing.assert_array_equal(
        ic.metrics.effective_skew(version, fpr, tpr, skew_ratio=9),
        ic.metrics.effective_skew(VARIANTS[name], fpr, tpr, skew_ratio=1),
    )


def test_theorem_4_f_measure_is_more_biased_to_positives_than_precision():
    """Its effective skew is smaller at every skew and everywhere; that of accuracy is not."""
    inner = np.arange(1, 40) / 40
    fpr, tpr, c = np.meshgrid(inner, inner, [0.02, 0.5, 1, 3, 70], indexing="ij")
    f, precision, accuracy = (
        ic.metrics.effective_skew(m, fpr, tpr, skew_ratio=c) for m in ("f_measure", "precision", "accuracy")
    )
    assert np.all(f < precision)
    assert not np.all(accuracy < precision)


def test_dkm_is_steeper_than_gini_roc_near_pure_children():
    """Section 3.6: Gini-ROC's isometrics are flatter than those of DKM where fpr is small."""
    assert ic.metrics.effective_skew("dkm_split", 0.01, 0.5) > ic.metrics.effective_skew("gini_roc", 0.01, 0.5)


def test_gini_split_is_more_sensitive_to_skew_than_information_gain():
    """Section 3.6: from c = 1 to c = 1/10 the isometrics of Gini-split turn further, everywhere above the diagonal."""
    grid = np.arange(1, 40) / 40
    fpr, tpr = (axis.ravel() for axis in np.meshgrid(grid, grid))
    fpr, tpr = fpr[tpr > fpr], tpr[tpr > fpr]

    def turned(name):
        angles = [np.arctan(ic.metrics.effective_skew(name, fpr, tpr, skew_ratio=c)) for c in (1, 0.1)]
        return angles[0] - angles[1]

    assert np.all(turned("gini_split") > 0)
    assert np.all(turned("information_gain") > 0)
    assert np.all(turned("gini_split") > turned("information_gain"))
    assert np.all(np.abs(turned("dkm_split")) < 1e-12)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12), skews)
def test_agreement_counts_pairs_as_a_plain_loop_does(points, c):
    """Concordant, discordant and half-tied pairs, and with them compatibility and antagonism."""
    fpr, tpr = np.array(points).T
    found = ic.metrics.agreement("accuracy", "wracc", fpr, tpr, skew_ratio=c)
    a, b = ic.metrics.accuracy(fpr, tpr, c), ic.metrics.wracc(fpr, tpr, c)
    counted = {"concordant": 0, "discordant": 0, "tied": 0}
    close_a, close_b = 1e-12 * np.abs(a).max(), 1e-12 * np.abs(b).max()
    for i in range(len(points)):
        for j in range(i):
            x = 0 if abs(a[i] - a[j]) <= close_a else np.sign(a[i] - a[j])
            y = 0 if abs(b[i] - b[j]) <= close_b else np.sign(b[i] - b[j])
            if x * y > 0:
                counted["concordant"] += 1
            elif x * y < 0:
                counted["discordant"] += 1
            elif x != y:
                counted["tied"] += 1
    assert {name: getattr(found, name) for name in counted} == counted
    assert found.compatible == (counted["discordant"] == counted["tied"] == 0)
    assert found.antagonistic == (counted["concordant"] == counted["tied"] == 0)


def test_antagonistic_metrics_are_recognised():
    """Error rate is accuracy upside down."""
    error = ic.metrics.from_function(
        lambda fpr, tpr, c: (1 - tpr + c * fpr) / (1 + c), name="error rate", direction="lower"
    )
    found = ic.metrics.agreement("accuracy", error, [0.1, 0.3, 0.3], [0.55, 0.9, 0.7], skew_ratio=2)
    assert (found.compatible, found.antagonistic) == (False, True)
    assert found.against == (0, 1)
    assert ic.metrics.skew_equivalent("accuracy", error)
    assert found.discordant == 3


def test_a_tie_by_one_metric_alone_is_no_agreement():
    """Accuracy tells two points apart that recall does not: neither compatible nor antagonistic."""
    found = ic.metrics.agreement("accuracy", "recall", [0.1, 0.2], [0.5, 0.5])
    assert (found.concordant, found.discordant, found.tied) == (0, 0, 1)
    assert (found.compatible, found.antagonistic) == (False, False)
    assert found.against == (0, 1)


def test_agreement_wants_points_of_one_length():
    """Lists of different lengths are refused, not combined."""
    with pytest.raises(InputError, match="fpr has shape"):
        ic.metrics.agreement("accuracy", "recall", [0.1, 0.2], [0.5])


def test_a_constant_has_no_effective_skew():
    """Nothing to compare: stated so."""
    with pytest.raises(InputError, match="metric 'flat' has no effective skew at skew ratio"):
        ic.metrics.skew_equivalent(ic.metrics.from_function(lambda h, k, c: 0 * h + 0 * k + c, name="flat"), "accuracy")

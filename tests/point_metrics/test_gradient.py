import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.point_metrics import METRICS

TOLD = {name: metric.counted(30) for name, metric in METRICS.items()}


def difference(metric, fpr, tpr, c, along):
    """A derivative by central differences, extrapolated to no step."""

    def at(step):
        dh, dk = (step, 0.0) if along == "fpr" else (0.0, step)
        return (metric(fpr + dh, tpr + dk, c) - metric(fpr - dh, tpr - dk, c)) / (2 * step)

    return (4 * at(5e-4) - at(1e-3)) / 3


@pytest.mark.parametrize("name", TOLD)
def test_gradients_are_those_of_central_differences(name):
    """Both derivatives of every metric, at points inside and away from the diagonal, where some have a kink."""
    rng = np.random.default_rng(3)
    fpr, tpr = rng.uniform(0.05, 0.95, (2, 300))
    keep = np.abs(fpr - tpr) > 0.01
    fpr, tpr, c = fpr[keep], tpr[keep], np.exp(rng.uniform(-2, 2, keep.sum()))
    found = TOLD[name].gradient(fpr, tpr, c)
    assert found.by_fpr == pytest.approx(difference(TOLD[name], fpr, tpr, c, "fpr"), rel=1e-5, abs=1e-7)
    assert found.by_tpr == pytest.approx(difference(TOLD[name], fpr, tpr, c, "tpr"), rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("name", TOLD)
def test_gradients_lead_to_the_effective_skew(name):
    """-by_fpr/by_tpr is the slope of the isometric."""
    fpr, tpr = np.random.default_rng(4).uniform(0.05, 0.95, (2, 50))
    found = TOLD[name].gradient(fpr, tpr, 3.0).effective_skew
    assert np.abs(found) == pytest.approx(ic.effective_skew(TOLD[name], fpr, tpr, skew_ratio=3.0), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kappa", (-1.1958477508650518, 0.813840830449827)),
        ("precision", (-1.024, 0.288)),
        ("lift", (-3.072, 0.864)),
    ],
)
def test_gradients_of_one_confusion_matrix_are_those_of_exact_arithmetic(name, expected):
    """Of 16 positives caught, 4 missed, 9 false alarms and 31 others."""
    found = METRICS[name].gradient(9 / 40, 16 / 20, 2.0)
    assert (found.by_fpr, found.by_tpr) == pytest.approx(expected, rel=1e-12)


def test_a_function_has_the_gradient_of_the_metric_it_copies():
    """By complex step."""
    mine = ic.point_metrics.from_function(lambda h, k, c: k / (k + c * h))
    own, copy = METRICS["precision"].gradient(0.2, 0.7, 3), mine.gradient(0.2, 0.7, 3)
    assert (copy.by_fpr, copy.by_tpr) == pytest.approx((own.by_fpr, own.by_tpr), rel=1e-12)


def test_where_no_limit_exists_there_is_no_gradient():
    """Precision where nobody is flagged, AUC-split on the diagonal, association where nobody is flagged."""
    for name, point in (("precision", (0, 0)), ("auc_split", (0.4, 0.4)), ("mcc", (0, 0))):
        found = METRICS[name].gradient(*point)
        assert np.isnan([found.by_fpr, found.by_tpr]).all(), name


@pytest.mark.parametrize("name", ["laplace", "m_estimate"])
def test_a_correction_for_few_cases_asks_how_many_there_are(name):
    """Rates do not tell; counts do."""
    metric = METRICS[name]
    for call in (metric, metric.gradient, lambda *point: ic.effective_skew(metric, *point)):
        with pytest.raises(InputError, match="cases="):
            call(0.2, 0.7)
    assert metric(0.4, 0.8, 0.5, cases=30) == pytest.approx(metric.from_confusion(16, 4, 4, 6))
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    assert ic.point_metrics.best_point(curve, name).metric == f"{name}(cases=5)"
    with pytest.raises(InputError, match="cases="):
        ic.point_metrics.best_point(ic.RocCurve.from_points([0.2], [0.7]), name, skew_ratio=1)

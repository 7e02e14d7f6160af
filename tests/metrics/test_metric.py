import copy
import inspect
import json
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import isocost as ic
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.metrics import METRICS

SKEWS = (0.2, 1.0, 5.0)
VARIANTS = [
    *(metric.counted(30) for metric in METRICS.values()),
    METRICS["f_measure"].with_options(beta=2),
    METRICS["net_benefit"].with_options(threshold=0.1),
    METRICS["m_estimate"].with_options(m=5, cases=30),
]


def name_of(metric):
    """How a variant is called in a test's name."""
    return metric.label


def sampled(path):
    """Points along a path, without its ends when it is straight."""
    if path.fpr.size == 2:
        share = np.linspace(0, 1, 23)[1:-1]
        return (start + share * (end - start) for start, end in (path.fpr, path.tpr))
    return path.fpr, path.tpr


def distance(path, fpr, tpr):
    """How far a point is from a path."""
    step_h, step_k = np.diff(path.fpr), np.diff(path.tpr)
    if not step_h.size:
        return np.hypot(path.fpr[0] - fpr, path.tpr[0] - tpr)
    along = ((fpr - path.fpr[:-1]) * step_h + (tpr - path.tpr[:-1]) * step_k) / (step_h**2 + step_k**2)
    along = np.clip(along, 0, 1)
    return np.hypot(path.fpr[:-1] + along * step_h - fpr, path.tpr[:-1] + along * step_k - tpr).min()


@pytest.mark.parametrize("metric", VARIANTS, ids=name_of)
def test_on_the_tpr_indicator_line_the_metric_is_tpr(metric):
    """Every point of it, at several skews; nothing of it for points off the line."""
    for c in SKEWS:
        locus = metric.tpr_indicator(c)
        if locus.whole_square:
            fpr, tpr = np.random.default_rng(5).random((2, 50))
            np.testing.assert_allclose(metric(fpr, tpr, c), tpr, atol=1e-12)
        for path in locus.paths:
            fpr, tpr = sampled(path)
            np.testing.assert_allclose(metric(fpr, tpr, c), tpr, atol=1e-9)


@pytest.mark.parametrize("metric", VARIANTS, ids=name_of)
def test_nothing_of_the_tpr_indicator_line_is_missing(metric):
    """Along vertical lines m - tpr changes its sign only next to a path that was found."""
    for c in SKEWS:
        locus = metric.tpr_indicator(c)
        if locus.whole_square:
            continue
        for fpr in np.linspace(0.013, 0.987, 29):
            tpr = np.linspace(0.001, 0.999, 4001)
            sign = np.sign(metric(fpr, tpr, c) - tpr)
            for crossing in tpr[:-1][sign[1:] * sign[:-1] < 0]:
                gaps = [distance(path, fpr, crossing) for path in locus.paths]
                assert min(gaps, default=1) < 1e-3, (metric, c, fpr, crossing)


def test_indicator_lines_of_the_paper():
    """Accuracy: the descending diagonal. Precision and F: tpr + c·fpr = 1. G: the tpr axis; and the fpr axis."""

    def lines(metric, c):
        return {(*path.fpr.round(12).tolist(), *path.tpr.round(12).tolist()) for path in metric.tpr_indicator(c).paths}

    axis = (0, 1, 0, 0)
    assert lines(METRICS["accuracy"], 3) == {(0, 1, 1, 0)}
    assert lines(METRICS["precision"], 4) == {axis, (0, 0.25, 1, 0)}
    assert lines(METRICS["f_measure"], 4) == {axis, (0, 0.25, 1, 0)}
    assert lines(METRICS["f_measure"], 0.5) == {axis, (0, 1, 1, 0.5)}
    assert lines(METRICS["g_measure"], 4) == {axis, (0, 0, 0, 1)}


@pytest.mark.parametrize("metric", VARIANTS, ids=name_of)
def test_where_skew_is_indifferent_it_is(metric):
    """On the line or area of skew-indifference the value is the same at every skew ratio."""
    locus = metric.skew_indifference()
    skews = np.array([0.01, 0.3, 1, 4, 50])[:, None]
    if locus.whole_square:
        fpr, tpr = np.random.default_rng(6).random((2, 50))
        assert np.ptp(metric(fpr, tpr, skews), axis=0).max() < 1e-12
    for path in locus.paths:
        fpr, tpr = (np.asarray(axis) for axis in sampled(path))
        assert np.ptp(metric(fpr, tpr, skews), axis=0).max() < 1e-12


@pytest.mark.parametrize("metric", VARIANTS, ids=name_of)
def test_elsewhere_skew_matters(metric):
    """Points that are not on the locus change their value with the skew: nothing is missing from it."""
    locus = metric.skew_indifference()
    if locus.whole_square:
        return
    nodes = np.linspace(0, 1, 21)
    fpr, tpr = (axis.ravel() for axis in np.meshgrid(nodes, nodes))
    spread = np.ptp(metric(fpr, tpr, np.array([0.01, 0.3, 1, 4, 50])[:, None]), axis=0)
    for h, k in zip(fpr[spread < 1e-12], tpr[spread < 1e-12], strict=True):
        if (h, k) == (0, 0) and metric.name in ("precision", "m_estimate", "laplace"):
            continue  # 0/0, no value of its own
        assert min((distance(path, h, k) for path in locus.paths), default=1) < 1e-9, (metric, h, k)


def test_functions_get_the_same_lines_as_the_metrics_they_copy():
    """Indicator lines found from values alone."""
    copies = {
        "accuracy": lambda h, k, c: (k + c * (1 - h)) / (1 + c),
        "recall": lambda h, k, c: k + 0 * h + 0 * c,
        "dkm_split": lambda h, k, c: 2 * np.sqrt(c) / (1 + c) * (1 - np.sqrt(h * k) - np.sqrt((1 - h) * (1 - k))),
    }
    for name, function in copies.items():
        own, copy = METRICS[name], ic.metrics.from_function(function)
        mine, theirs = own.tpr_indicator(2.0), copy.tpr_indicator(2.0)
        assert theirs.whole_square == mine.whole_square, name
        ends = [
            {(*path.fpr[[0, -1]].round(9).tolist(), *path.tpr[[0, -1]].round(9).tolist()) for path in locus.paths}
            for locus in (mine, theirs)
        ]
        upward = [{min(e, (e[1], e[0], e[3], e[2])) for e in found} for found in ends]
        assert upward[0] == upward[1], name
        with pytest.raises(InputError, match="does not depend on the skew is not known: it is a function"):
            copy.skew_indifference()


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_says_what_it_is(name):
    """Name, formula, range, direction, reference; all of it plain data; the registry's key is the name."""
    metric = METRICS[name]
    assert metric.name == name
    assert getattr(ic.metrics, name) is metric
    described = metric.to_dict()
    json.dumps(described, allow_nan=False)
    assert described["formula"]
    assert described["reference"]
    assert described["direction"] == "higher"
    assert repr(metric).startswith(f"<PointMetric {name}")
    assert name in metric._repr_html_()


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_documents_itself_like_a_function(name):
    """Its docstring holds parameters, formula, reference and an example; its signature is that of a function."""
    text = inspect.getdoc(METRICS[name])
    assert METRICS[name].formula in text
    assert METRICS[name].reference in text
    assert all(part in text for part in ("Parameters\n", "Returns\n", "Examples\n", ">>> "))
    assert list(inspect.signature(METRICS[name]).parameters)[:3] == ["fpr", "tpr", "skew_ratio"]


@pytest.mark.parametrize("metric", VARIANTS, ids=name_of)
def test_metrics_and_results_can_be_stored(metric):
    """Pickled and copied, a metric comes back as itself; a result with it."""
    back = pickle.loads(pickle.dumps(metric))
    assert back.to_dict() == metric.to_dict()
    assert back(0.2, 0.7, 3) == metric(0.2, 0.7, 3)
    assert (back is METRICS[metric.name]) == (metric is METRICS[metric.name])
    lines = pickle.loads(pickle.dumps(ic.metrics.isometrics(metric, metric(0.2, 0.7, 2), skew_ratio=2)))
    assert lines.metric.label == metric.label
    assert copy.deepcopy(metric)(0.2, 0.7, 3) == metric(0.2, 0.7, 3)


def test_a_users_metric_can_be_copied():
    """A deep copy keeps the function."""
    mine = ic.metrics.from_function(lambda h, k, c: k - c * h, name="mine")
    assert copy.deepcopy(mine)(0.2, 0.7, 3) == mine(0.2, 0.7, 3)
    assert copy.deepcopy(METRICS["accuracy"].skew_insensitive)(0.2, 0.7, 3) == pytest.approx(0.75)


def test_landscapes_are_the_three_types_of_the_paper():
    """Parallel: accuracy and WRAcc. Rotating: precision and F-measure. Nonlinear: splitting criteria."""
    kinds = {"parallel": set(), "rotating": set(), "nonlinear": set()}
    for name, metric in METRICS.items():
        kinds[metric.landscape].add(name)
    assert kinds["rotating"] >= {"precision", "npv", "lift", "kappa", "f_measure", "g_measure", "laplace", "m_estimate"}
    assert kinds["nonlinear"] >= {"information_gain", "gini_split", "dkm_split", "gini_roc", "chi_squared", "mcc"}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (METRICS["precision"], (0, 0)),
        (METRICS["lift"], (0, 0)),
        (METRICS["npv"], (1, 1)),
        (METRICS["kappa"], (-1 / 3, -1 / 3)),
        (METRICS["f_measure"], (-1 / 4, 0)),
        (METRICS["f_measure"].with_options(beta=2), (-1, 0)),
        (METRICS["g_measure"], (-1 / 4, 0)),
        (METRICS["laplace"].with_options(cases=50), (-1 / 40, -1 / 10)),
        (METRICS["m_estimate"].with_options(m=5, cases=50), (-1 / 10, -1 / 10)),
        (METRICS["accuracy"], None),
        (METRICS["dkm_split"], None),
    ],
    ids=str,
)
def test_rotation_points(metric, expected):
    """At c = 4: the origin, (-β²/c, 0), (-1/NEG, -1/POS), (-m/N, -m/N); none for parallel or curved isometrics."""
    found = metric.rotation_point(4)
    assert found == (expected if expected is None else pytest.approx(expected, abs=1e-15))


def test_laplace_and_m_estimate_approach_precision_and_wracc():
    """Without cases there is no correction; a huge m makes the isometrics parallel to the diagonal."""
    m = METRICS["m_estimate"].with_options(m=1e9, cases=10)
    fpr, tpr = np.random.default_rng(8).random((2, 20))
    np.testing.assert_allclose(ic.metrics.effective_skew(m, fpr, tpr, skew_ratio=3), 1, rtol=1e-7)
    np.testing.assert_array_equal(METRICS["laplace"](fpr, tpr, 3, cases=math.inf), METRICS["precision"](fpr, tpr, 3))


def test_skew_ratio_of_the_landscape_is_checked():
    """Zero and negative skews are refused there too."""
    for call in (METRICS["f_measure"].rotation_point, METRICS["accuracy"].tpr_indicator):
        with pytest.raises(ConditionError, match=r"skew_ratio must be positive and finite .*, got 0"):
            call(0)


def test_options_show_in_the_label_only_when_changed():
    """The label is for sentences, the repr for inspection."""
    f = METRICS["f_measure"]
    assert (f.label, f.with_options(beta=2).label) == ("f_measure", "f_measure(beta=2)")
    assert repr(f) == "<PointMetric f_measure(beta=1): higher is better, 0 to 1>"


def test_the_reference_page_lists_every_public_name_of_the_module():
    """Nothing of `isocost.metrics` is undocumented, and nothing documented is gone."""
    page = Path(__file__).parents[2] / "docs" / "reference" / "point-metrics.md"
    listed = re.findall(r"^\.\. auto\w+:: isocost\.metrics\.(\w+)$", page.read_text("utf-8"), re.MULTILINE)
    assert sorted([*listed, "METRICS"]) == sorted(ic.metrics.__all__)


def test_a_function_becomes_a_metric_that_says_what_it_is_told():
    """Name, formula, range, direction and reference are kept; the name defaults to the function's."""

    def cost(fpr, tpr, c):
        return (c * fpr + 1 - tpr) / (1 + c)

    plain = ic.metrics.from_function(cost)
    assert plain.name == "cost"
    assert plain.range == (-float("inf"), float("inf"))
    notice = ic.metrics.from_function(
        cost, name="normalised cost", formula="t h + (1 - t)(1 - k)", range=(0, 1), direction="lower", reference="here"
    )
    assert notice.to_dict() == {
        "name": "normalised cost",
        "formula": "t h + (1 - t)(1 - k)",
        "range": [0.0, 1.0],
        "direction": "lower",
        "reference": "here",
        "options": {},
    }
    assert notice(0.2, 0.7, 4) == pytest.approx((0.8 + 0.3) / 5)
    assert notice.from_confusion(tp=7, fn=3, fp=8, tn=32) == pytest.approx(11 / 50)


def test_a_users_metric_has_a_skew_insensitive_version():
    """Its value at c = 1 at every skew, and so indifferent to it everywhere."""
    mine = ic.metrics.from_function(lambda h, k, c: k - c * h, name="mine")
    version = mine.skew_insensitive
    assert version(0.2, 0.7, 9) == mine(0.2, 0.7, 1)
    assert ic.metrics.effective_skew(version, 0.2, 0.7, skew_ratio=9) == pytest.approx(1)
    assert (ic.metrics.skew_sensitivity(mine), ic.metrics.skew_sensitivity(version)) == ("sensitive", "strong")
    assert version.skew_indifference().whole_square


def test_bad_definitions_are_refused():
    """Not callable; a direction that is neither."""
    with pytest.raises(InputError, match=r"a metric must be a function of .*, or one by name, got 'accuracy'"):
        ic.metrics.from_function("accuracy")
    with pytest.raises(UnknownNameError, match="unknown direction 'up'"):
        ic.metrics.from_function(METRICS["mcc"], direction="up")


def test_points_of_a_users_metric_are_checked_like_any():
    """The function never sees a rate outside [0, 1]."""
    with pytest.raises(InputError, match="fpr must lie between 0 and 1, got 2"):
        ic.metrics.from_function(METRICS["mcc"])(2, 0.5)


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
    by_fpr, by_tpr = TOLD[name].gradient(fpr, tpr, 3.0)
    with np.errstate(divide="ignore"):
        found = np.abs(by_fpr / by_tpr)
    assert found == pytest.approx(ic.metrics.effective_skew(TOLD[name], fpr, tpr, skew_ratio=3.0), rel=1e-9)


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
    """By differences."""
    mine = ic.metrics.from_function(lambda h, k, c: k / (k + c * h))
    own, copy = METRICS["precision"].gradient(0.2, 0.7, 3), mine.gradient(0.2, 0.7, 3)
    assert (copy.by_fpr, copy.by_tpr) == pytest.approx(own, rel=1e-10)


def test_where_no_limit_exists_there_is_no_gradient():
    """Precision where nobody is flagged, AUC-split on the diagonal, association where nobody is flagged."""
    for name, point in (("precision", (0, 0)), ("auc_split", (0.4, 0.4)), ("mcc", (0, 0))):
        found = METRICS[name].gradient(*point)
        assert np.isnan([found.by_fpr, found.by_tpr]).all(), name


@pytest.mark.parametrize("name", ["laplace", "m_estimate"])
def test_a_correction_for_few_cases_asks_how_many_there_are(name):
    """Rates do not tell; counts do."""
    metric = METRICS[name]
    for call in (metric, metric.gradient, lambda *point: ic.metrics.effective_skew(metric, *point)):
        with pytest.raises(InputError, match="cases="):
            call(0.2, 0.7)
    assert metric(0.4, 0.8, 0.5, cases=30) == pytest.approx(metric.from_confusion(16, 4, 4, 6))
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    assert ic.metrics.best_point(curve, name).metric == f"{name}(cases=5)"
    with pytest.raises(InputError, match="cases="):
        ic.metrics.best_point(ic.RocCurve.from_points([0.2], [0.7]), name, skew_ratio=1)

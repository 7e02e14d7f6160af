import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

import isocost as ic
from isocost.errors import InputError
from strategies import samples

TEN = ([1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
# The example that the authors of precision-recall-gain curves ship with their package: ranks of 25 cases.
GAIN = ([1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1], list(range(25, 0, -1)))
PREVALENCES = st.sampled_from([None, 0.001, 0.2, 0.9])


def curve_of(data):
    """The ROC curve of labels and scores."""
    return ic.RocCurve.from_scores(*data)


def mixed(curve, height, start, stop):
    """Integrate a function of mixed thresholds along the path, segment by segment, by quadrature."""
    total = 0.0
    for i in range(1, len(curve)):
        x0, x1, y0, y1 = curve.fpr[i - 1], curve.fpr[i], curve.tpr[i - 1], curve.tpr[i]
        low, high = max(y0, start), min(y1, stop)
        if high <= low:
            continue

        def value(y, x0=x0, x1=x1, y0=y0, y1=y1):
            return height(x0 + (y - y0) / (y1 - y0) * (x1 - x0), y)

        total += quad(value, low, high, epsabs=1e-13, epsrel=1e-12)[0]
    return total


@pytest.mark.parametrize(
    ("data", "prevalence", "expected"),
    [
        (TEN, None, (0.7470238095238095, 0.7561297400583679)),
        (TEN, 0.05, (0.3557727733259648, 0.3760308440496448)),
        (GAIN, None, (0.8457819458938595, 0.8384013395924381)),
    ],
)
def test_areas_below_precision_are_those_of_exact_arithmetic(data, prevalence, expected):
    """Worked with fractions and 30 digits: average precision and area."""
    found = ic.curves.pr_curve(curve_of(data), prevalence=prevalence)
    assert (found.average_precision, found.area) == pytest.approx(expected, abs=1e-14)


@given(samples(), PREVALENCES)
def test_area_below_precision_is_the_integral_over_mixed_thresholds(sample, prevalence):
    """Each step is a hyperbola; a slow quadrature says the same."""
    curve = sample.curve
    found = ic.curves.pr_curve(curve, prevalence=prevalence)
    pi = found.prevalence
    slow = mixed(curve, lambda x, y: pi * y / (pi * y + (1 - pi) * x) if y > 0 else 1.0, 0.0, 1.0)
    assert found.area == pytest.approx(slow, abs=1e-9)
    assert found.area <= 1 + 1e-12


@given(samples(kinds=("tied", "probabilities")))
def test_precision_and_average_precision_are_scikit_learns(sample):
    """At every threshold; scikit-learn lists them the other way round and puts 1 where nobody is flagged."""
    found = ic.curves.pr_curve(sample.curve)
    precision, recall, _ = precision_recall_curve(sample.y, sample.s, sample_weight=sample.w)
    keep = found.recall > 0
    theirs = dict(zip(recall[:-1][::-1].round(12).tolist(), precision[:-1][::-1].tolist(), strict=True))
    ours = dict(zip(found.recall[keep].round(12).tolist(), found.precision[keep].tolist(), strict=True))
    assert ours == pytest.approx({recall: theirs[recall] for recall in ours}, abs=1e-12)
    assert found.average_precision == pytest.approx(
        average_precision_score(sample.y, sample.s, sample_weight=sample.w), abs=1e-12
    )


@pytest.mark.parametrize(
    ("data", "prevalence", "area"),
    [
        (TEN, None, 0.6496913580246914),
        (TEN, 0.05, 0.9624756335282652),
    ],
)
def test_gains_are_those_of_exact_arithmetic(data, prevalence, area):
    """Worked with fractions."""
    found = ic.curves.pr_gain_curve(curve_of(data), prevalence=prevalence)
    assert found.area == pytest.approx(area, abs=1e-14)


def test_the_authors_example_has_the_authors_area():
    """25 ranked cases of the package prg."""
    assert ic.curves.pr_gain_curve(curve_of(GAIN)).area == pytest.approx(0.4324621035742322, abs=1e-14)


@given(samples(), PREVALENCES)
def test_gain_area_is_the_integral_from_recall_gain_0(sample, prevalence):
    """Precision gain over recall gain, by quadrature in ROC space: d(recall gain) = π/(1-π)/tpr² d(tpr)."""
    curve = sample.curve
    found = ic.curves.pr_gain_curve(curve, prevalence=prevalence)
    pi = found.prevalence
    slow = mixed(curve, lambda x, y: (1 - x / y) * pi / (1 - pi) / y**2, pi, 1.0)
    assert found.area == pytest.approx(slow, rel=1e-8, abs=1e-8)


@given(samples(kinds=("tied", "probabilities")), PREVALENCES)
def test_gains_and_lift_follow_from_auc(sample, prevalence):
    """Area π/2 + (1-π)·AUC and accuracy ratio 2·AUC - 1; the curve passes its points."""
    found = ic.curves.gain_curve(sample.curve, prevalence=prevalence)
    auc = roc_auc_score(sample.y, sample.s, sample_weight=sample.w)
    assert found.area == pytest.approx(found.prevalence / 2 + (1 - found.prevalence) * auc, abs=1e-12)
    assert found.accuracy_ratio == pytest.approx(2 * auc - 1, abs=1e-12)
    assert found.area == pytest.approx(float(np.trapezoid(found.tpr, found.flagged)), abs=1e-12)
    assert found.lift[-1] == pytest.approx(1.0)


def test_equal_error_rate_mixes_thresholds():
    """At 0.5 on the way from (0, 1/3) over (1/2, 1/3): half a false alarm, half a miss."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    assert ic.curves.det_curve(curve).equal_error_rate == pytest.approx(0.5)
    assert ic.curves.det_curve(curve_of(TEN)).equal_error_rate == pytest.approx(0.25)
    normal = ic.RocCurve.from_distributions(stats.norm(2), stats.norm(0))
    assert ic.curves.det_curve(normal).equal_error_rate == pytest.approx(
        stats.norm.sf(1), abs=1e-5
    )  # of its fine sample


@given(samples())
def test_equal_error_rate_is_where_the_path_crosses(sample):
    """On the path, with as many false alarms as misses."""
    found = ic.curves.det_curve(sample.curve)
    crossed = np.interp(found.equal_error_rate, found.fpr, 1 - found.fnr)
    assert 0 <= found.equal_error_rate <= 1
    low = found.fpr[found.fpr <= found.fnr].max()
    high = found.fpr[found.fpr >= found.fnr].min()
    assert low - 1e-12 <= found.equal_error_rate <= high + 1e-12
    assert crossed >= 0


@pytest.mark.parametrize("make", [ic.curves.pr_curve, ic.curves.pr_gain_curve, ic.curves.gain_curve])
def test_curves_refuse_what_they_cannot_know(make):
    """Prevalences 0 and 1, and curves without class totals."""
    with pytest.raises(InputError, match="prevalence"):
        make(curve_of(TEN), prevalence=1.0)
    with pytest.raises(InputError, match="prevalence="):
        make(ic.RocCurve.from_points([0.2], [0.7]))


@pytest.mark.parametrize(
    "make", [ic.curves.pr_curve, ic.curves.pr_gain_curve, ic.curves.gain_curve, ic.curves.det_curve]
)
def test_curves_say_themselves_and_are_drawn(make):
    """A sentence with the model's name, plain data, a picture."""
    curve = ic.RocCurve.from_scores(*TEN, name="forest")
    found = make(curve)
    assert "forest" in str(found)
    assert found.plot().ax_.get_xlabel()
    assert found._repr_html_()


def test_precision_and_recall_break_even_where_as_many_are_flagged_as_are_positive():
    """Between two thresholds the point of their mixture; at another prevalence another point."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    assert ic.curves.pr_curve(curve).break_even == pytest.approx(2 / 3)  # three flagged, two of them positive
    rare = ic.curves.pr_curve(curve, prevalence=0.3)
    # Flagging 30 %: past the one positive at 10 %, 20 of the 35 % that the negative takes.
    assert rare.break_even == pytest.approx(1 / 3)
    mixed = ic.curves.pr_curve(ic.RocCurve.from_scores([1, 0, 0, 0], [1, 1, 0, 0]))
    assert mixed.break_even == pytest.approx(0.5)  # half of the tied pair

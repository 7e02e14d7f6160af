import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.curves.cost import at_prevalence, from_pieces, place_of, trivial_curve
from isocost.errors import InputError, UnknownNameError
from strategies import curves, uncertain_conditions, unit


@st.composite
def piecewise(draw):
    """Any piecewise polynomial of degree ≤ 2 with jumps."""
    inner = sorted(set(draw(st.lists(st.integers(1, 99), max_size=5))))
    breaks = np.array([0, *inner, 100]) / 100
    value = st.floats(-1, 1).map(lambda v: round(v, 3))
    left, right, bend = (
        np.array(draw(st.lists(value, min_size=breaks.size - 1, max_size=breaks.size - 1))) for _ in range(3)
    )
    return from_pieces(breaks, left, right, bend)


def naive(curve, x):
    """Each piece by its definition, one point at a time."""
    for a, b, lo, hi, mid in zip(curve.breaks, curve.breaks[1:], curve.left, curve.right, curve.bend, strict=False):
        if a <= x < b or (x == 1 and b == 1):
            u = (x - a) / (b - a)
            return lo + (hi - lo) * u + 4 * mid * u * (1 - u)
    raise AssertionError(x)


def just_before(curve, x):
    """The cost just left of x: differs from the value at x only where the curve jumps."""
    return float(curve.restricted(0, x)(x)) if x > 0 else float(curve(0))


@given(piecewise(), st.lists(unit, min_size=1, max_size=5))
def test_evaluation_follows_the_pieces(curve, xs):
    """At the breaks the right-hand piece counts, from the left the left-hand one."""
    assert curve(xs) == pytest.approx([naive(curve, x) for x in xs], abs=1e-14)
    assert curve(curve.breaks[:-1]) == pytest.approx(curve.left, abs=1e-15)


@given(piecewise(), unit, unit)
def test_area_is_simpson_between_the_breaks(curve, a, b):
    """Simpson's rule is exact for quadratics."""
    low, high = sorted((a, b))
    edges = np.unique(np.concatenate([[low], curve.breaks[(curve.breaks > low) & (curve.breaks < high)], [high]]))
    total = 0.0
    for p, q in itertools.pairwise(edges):
        total += (q - p) / 6 * (float(curve(p)) + 4 * float(curve((p + q) / 2)) + just_before(curve, q))
    assert curve.area(low, high) == pytest.approx(total, abs=1e-13)


@given(piecewise(), piecewise(), unit)
def test_sums_and_differences_are_pointwise(a, b, x):
    """On the union of the breaks, exactly."""
    assert float((a - b)(x)) == pytest.approx(float(a(x)) - float(b(x)), abs=1e-13)
    assert float((a + b)(x)) == pytest.approx(float(a(x)) + float(b(x)), abs=1e-13)
    assert float((2 * a)(x)) == pytest.approx(2 * float(a(x)), abs=1e-13)
    assert float(ic.curves.average_cost_curves([a, b, b])(x)) == pytest.approx(
        (float(a(x)) + 2 * float(b(x))) / 3, abs=1e-13
    )


@given(piecewise())
def test_minimum_and_maximum_bound_a_fine_grid(curve):
    """And are reached, up to the spacing of the grid."""
    values = np.concatenate([curve(np.linspace(0, 1, 2001)), curve.left, curve.right])
    assert curve.minimum <= values.min() + 1e-14
    assert curve.maximum >= values.max() - 1e-14
    assert curve.minimum == pytest.approx(values.min(), abs=0.02)
    assert curve.maximum == pytest.approx(values.max(), abs=0.02)


@given(piecewise())
def test_between_roots_the_sign_does_not_change(curve):
    """All sign changes on a fine grid have a root between them, and the curve vanishes or jumps at every root."""
    roots = curve.roots()
    x = np.linspace(0, 1, 1001)
    sign = np.sign(np.where(np.abs(curve(x)) < 1e-12, 0, curve(x)))
    for a, b, s, r in zip(x[:-1], x[1:], sign[:-1], sign[1:], strict=True):
        if s * r < 0:
            assert np.any((roots >= a - 1e-12) & (roots <= b + 1e-12))
    for root in roots:
        here, before = float(curve(root)), just_before(curve, root)
        assert min(abs(here), abs(before)) < 1e-6 or here * before <= 0


@given(piecewise(), uncertain_conditions())
def test_expectation_equals_integration_of_the_curve_over_t(curve, over):
    """By the density's own adaptive integration, and for a sample as a plain mean."""
    edges = np.sort(1 - curve.breaks)
    assert curve.expectation(over) == pytest.approx(over.density.expect(lambda t: curve(1 - t), edges), abs=1e-9)


def test_expectation_over_all_conditions_is_the_area():
    """Uniform in t is uniform in pcf; one condition is the value there."""
    curve = ic.cost_curve(ic.RocCurve.from_scores([1, 1, 0, 1, 0], [5, 4, 3, 2, 1]))
    assert curve.expectation() == pytest.approx(curve.area(), abs=1e-15)
    condition = ic.Condition(1, 5, 0.6)
    assert curve.expectation(condition) == pytest.approx(float(curve(condition.pcf)), abs=1e-15)
    other = ic.cost_curve(ic.RocCurve.from_scores([1, 1, 0, 1, 0], [5, 4, 3, 2, 1]), axis="cost_proportion")
    assert other.expectation(condition) == pytest.approx(float(other(5 / 6)), abs=1e-14)


@given(curves(), st.floats(0.01, 0.99))
def test_the_two_axes_hold_the_same_costs(curve, prevalence):
    """Value(c) = 2·(cπ + (1-c)(1-π))·value(z) at z = cπ/(cπ + (1-c)(1-π)); so does the curve that is converted."""
    on_pcf = ic.cost_curve(curve)
    on_proportion = ic.cost_curve(curve, axis="cost_proportion", prevalence=prevalence)
    c = np.linspace(0, 1, 21)
    weight = c * prevalence + (1 - c) * (1 - prevalence)
    assert on_proportion(c) == pytest.approx(2 * weight * on_pcf(np.clip(c * prevalence / weight, 0, 1)), abs=1e-13)
    assert at_prevalence(on_pcf, prevalence)(c) == pytest.approx(on_proportion(c), abs=1e-12)


@given(curves())
def test_operating_range_is_where_the_envelope_beats_both_trivial_classifiers(curve):
    """From the hull: between the vertices next to the trivial ones."""
    envelope = ic.cost_curve(curve)
    inner = [v for v in curve.vertices if not v.trivial and v.t_high > v.t_low]
    if not inner:
        assert envelope.operating_range is None or np.diff(envelope.operating_range)[0] < 1e-12
    else:
        low, high = envelope.operating_range
        assert low == pytest.approx(1 - inner[0].t_high, abs=1e-9)
        assert high == pytest.approx(1 - inner[-1].t_low, abs=1e-9)


def test_operating_range_of_one_classifier():
    """FPR 0.3, TPR 0.7 is worth using for PCF(+) between 0.3 and 0.7 (Drummond & Holte 2000, Fig. 4)."""
    curve = ic.RocCurve.from_points([0.3], [0.7])
    for method in ("best", "fixed"):
        assert ic.cost_curve(curve, method=method).operating_range == pytest.approx((0.3, 0.7), abs=1e-15)
    assert ic.cost_curve(ic.RocCurve.from_points([0.5], [0.4])).operating_range is None
    assert trivial_curve().operating_range is None
    assert trivial_curve("cost_proportion", 0.3).operating_ranges == []


def test_fixed_threshold_is_a_straight_line():
    """From fpr at pcf = 0 to 1 - tpr at pcf = 1; the scores at the threshold are flagged."""
    y, s = [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2]
    curve = ic.RocCurve.from_scores(y, s)
    line = ic.cost_curve(curve, method="fixed", threshold=0.7)
    assert line([0, 1]) == pytest.approx([0.5, 1 / 3])
    assert ic.cost_curve(curve, method="fixed", threshold=0.75)([0, 1]) == pytest.approx([0, 1 / 3])
    assert ic.cost_curve(curve, method="fixed", threshold=5)([0, 1]) == pytest.approx([0, 1])
    assert ic.cost_curve(curve, method="fixed", threshold=-5)([0, 1]) == pytest.approx([1, 0])
    on_proportion = ic.cost_curve(curve, method="fixed", threshold=0.7, axis="cost_proportion", prevalence=0.25)
    assert on_proportion([0, 1]) == pytest.approx([2 * 0.75 * 0.5, 2 * 0.25 / 3])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "optimum"}, UnknownNameError, r"unknown method 'optimum': known: 'best'"),
        ({"axis": "pfc"}, UnknownNameError, r"unknown axis 'pfc': did you mean 'pcf'\?"),
        ({"threshold": 1}, InputError, r"threshold= goes with method='fixed'"),
        ({"method": "fixed"}, InputError, r"method='fixed' needs a threshold"),
        ({"axis": "cost_proportion", "prevalence": 1}, InputError, r"strictly between 0 and 1"),
        ({"axis": "cost_proportion", "prevalence": 2}, InputError, r"prevalence must be between 0 and 1, got 2"),
    ],
)
def test_bad_options_are_refused(options, error, message):
    """With the nearest names where a word is wrong."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [5, 4, 3, 2, 1])
    with pytest.raises(error, match=message):
        ic.cost_curve(curve, **options)


def test_curves_on_different_axes_do_not_mix():
    """Nor are arguments outside the axis taken."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [5, 4, 3, 2, 1])
    a, b = ic.cost_curve(curve), ic.cost_curve(curve, axis="cost_proportion")
    with pytest.raises(InputError, match="different axes"):
        _ = a - b
    with pytest.raises(InputError, match=r"x \(pcf\) must lie between 0 and 1, got 1\.5"):
        a(1.5)
    with pytest.raises(InputError, match="the range of x has low > high"):
        a.area(0.7, 0.2)
    with pytest.raises(InputError, match="takes at least one model"):
        ic.curves.average_cost_curves([])
    with pytest.raises(InputError, match="prevalence is unknown"):
        ic.cost_curve(ic.RocCurve.from_points([0.1], [0.5]), axis="cost_proportion")


@pytest.mark.parametrize("prevalence", [0.1, 0.5, 0.7])
def test_a_condition_has_its_place_on_either_axis(prevalence):
    """On pcf it is the pcf; on cost_proportion, at the condition's own prevalence, the cost proportion."""
    roc = ic.RocCurve.from_points([0.2], [0.7])
    condition = ic.Condition(cost_fp=2, cost_fn=3, prevalence=prevalence)
    assert place_of(ic.cost_curve(roc), condition) == condition.pcf
    other = ic.cost_curve(roc, axis="cost_proportion", prevalence=prevalence)
    assert place_of(other, condition) == pytest.approx(condition.cost_proportion, abs=1e-15)

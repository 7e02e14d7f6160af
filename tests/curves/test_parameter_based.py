"""Parameter-based selection: each classifier at the condition it was built for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from strategies import point_sets, unit


@st.composite
def tagged(draw):
    """Crisp classifiers, each with a pcf of its own."""
    fpr, tpr = draw(point_sets())
    tags = st.lists(st.integers(0, 1000), min_size=fpr.size, max_size=fpr.size, unique=True)
    return fpr, tpr, np.array(draw(tags)) / 1000


@given(tagged(), unit)
def test_the_classifier_with_the_nearest_tag_is_paid_for(classifiers, x):
    """Away from the mid-points there is one nearest tag, and its line is the curve."""
    fpr, tpr, pcf = classifiers
    result = ic.curves.parameter_based(fpr, tpr, pcf=pcf)
    costs = (1 - x) * fpr + x * (1 - tpr)
    distance = np.abs(pcf - x)
    near = costs[distance <= distance.min() + 1e-12]  # at a mid-point either of the two
    assert np.abs(near - float(result.total(x))).min() < 1e-12


@given(tagged(), unit)
def test_excess_is_what_lies_above_the_envelope(classifiers, x):
    """Never negative, and the trivial classifiers are free to use in the envelope only."""
    fpr, tpr, pcf = classifiers
    result = ic.curves.parameter_based(fpr, tpr, pcf=pcf)
    best = min([x, 1 - x, *((1 - x) * fpr + x * (1 - tpr))])
    assert float(result.base(x)) == pytest.approx(best, abs=1e-12)
    assert float(result.excess(x)) == pytest.approx(float(result.total(x)) - best, abs=1e-12)
    assert result.excess.minimum > -1e-12
    assert result.excess.expectation() == pytest.approx(result.total.area() - result.base.area(), abs=1e-12)


def test_switches_are_half_way_between_the_tags():
    """Ratios 11 and 5.1 of the sonar figure: pcf 1/12 and 1/6.1, the change in the middle; order does not matter."""
    tags = [1 / (1 + 5.1), 1 / (1 + 11), 0.5]
    result = ic.curves.parameter_based([0.2, 0.1, 0.4], [0.6, 0.4, 0.8], pcf=tags)
    assert result.total.breaks[1:-1] == pytest.approx([(1 / 12 + 1 / 6.1) / 2, (1 / 6.1 + 0.5) / 2])
    assert result.total([0, 1 / 12, 1 / 6.1, 1]) == pytest.approx(
        [0.1, 11 / 120 + 0.05, 0.2 * 5.1 / 6.1 + 0.4 / 6.1, 0.2]
    )


def test_price_over_a_range_of_conditions():
    """A perfect classifier built for the wrong half of the conditions costs nothing where it is used."""
    result = ic.curves.parameter_based([0, 1], [1, 1], pcf=[0.25, 0.75])
    assert result.excess.expectation(ic.Conditions.uniform(pcf=(0, 0.5))) == 0
    assert result.excess.expectation(ic.Conditions.uniform(pcf=(0.5, 1))) == pytest.approx(0.25)
    assert result.excess.expectation(ic.Condition.from_t(0.25)) == pytest.approx(0.25)
    assert (
        repr(result)
        == "<CostDecomposition parameter_based: 2 classifiers, loss 0.125 = 0 of the envelope + 0.125 above it>"
    )


def test_two_classifiers_for_one_condition_are_refused():
    """The tag must tell which one to use."""
    with pytest.raises(ic.IsocostError, match=r"pcf must be different values, got 0\.3"):
        ic.curves.parameter_based([0.1, 0.2, 0.3], [0.5, 0.6, 0.7], pcf=[0.3, 0.6, 0.3])


def test_lengths_and_ranges_are_checked():
    """As everywhere."""
    with pytest.raises(ic.IsocostError, match=r"different lengths: fpr has shape \(2,\), tpr has shape \(1,\)"):
        ic.curves.parameter_based([0.1, 0.2], [0.5], pcf=[0.3, 0.6])
    with pytest.raises(ic.IsocostError, match=r"pcf must lie between 0 and 1, got 11\.0"):
        ic.curves.parameter_based([0.1], [0.5], pcf=[11])

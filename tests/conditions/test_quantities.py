from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.conditions import Even, Gap

ranges = st.tuples(st.floats(-10, 10), st.floats(0.01, 10)).map(lambda pair: Even(pair[0], pair[0] + pair[1]))
shares = st.floats(0, 1)


@given(ranges, ranges)
def test_the_gap_of_two_uniform_quantities_has_their_ends_and_their_mean(first, second):
    """From the lowest less the highest to the highest less the lowest."""
    gap = Gap.of(first, second)
    assert (gap.low, gap.high) == pytest.approx((first.low - second.high, first.high - second.low), abs=1e-12)
    assert gap.mean == pytest.approx(first.mean - second.mean, abs=1e-12)
    mass, part = gap.parts(np.array([gap.low - 1, gap.high + 1]))
    assert mass.tolist() == pytest.approx([0, 1], abs=1e-12)
    assert part.tolist() == pytest.approx([0, gap.mean], abs=1e-10)


@given(ranges, ranges, shares)
def test_mass_and_partial_mean_of_a_gap_are_those_of_the_two_quantities(first, second, share):
    """Both are averages over the second quantity of what the first says in closed form."""
    gap = Gap.of(first, second)
    x = gap.low + share * (gap.high - gap.low)
    mass, part = gap.parts(np.array([x]))
    # Between its kinks the integrand is a polynomial, which a few nodes integrate exactly.
    ends = np.array([second.low, first.low - x, first.high - x, second.high])
    ends = np.unique(np.clip(ends, second.low, second.high))
    nodes, weights = np.polynomial.legendre.leggauss(4)
    total = np.zeros(2)
    for a, b in pairwise(ends):
        y = (a + b) / 2 + nodes * (b - a) / 2
        below, mean = first.parts(x + y)
        scale = weights * (b - a) / 2 / (second.high - second.low)
        total += [float(scale @ below), float(scale @ (mean - y * below))]
    assert (float(mass[0]), float(part[0])) == pytest.approx(tuple(total), abs=1e-9)


@given(ranges, ranges, shares)
def test_quantiles_of_a_gap_undo_its_mass(first, second, share):
    """On both slopes and on the flat top."""
    gap = Gap.of(first, second)
    mass, _ = gap.parts(gap.quantile(np.array([share])))
    assert float(mass[0]) == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize(("narrow", "wide"), [(5e-324, 8.0), (1e-300, 1e-300), (1e-200, 1e200)])
def test_a_range_may_be_as_narrow_as_a_number_can_be(narrow, wide):
    """Neither squares nor quotients of widths overflow or vanish."""
    gap = Gap(-1.0, narrow, wide)
    mass, part = gap.parts(np.linspace(gap.low - 1, gap.high + 1, 101))
    assert mass[0] == 0
    assert mass[-1] == pytest.approx(1, abs=1e-12)
    assert part[-1] == pytest.approx(gap.mean, rel=1e-12)
    assert np.all(np.diff(mass) >= 0)

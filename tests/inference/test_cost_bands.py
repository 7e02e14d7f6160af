import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from isocost.inference.band import quantiles, scale_of, simultaneous

GRID = np.linspace(0, 1, 41)


def data(n=300, seed=0, decimals=9):
    """Labels and two correlated models."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < 0.4 * n
    z = rng.normal(size=(2, n))
    return y, {"a": np.round(z[0] + 1.2 * y, decimals), "b": np.round(0.6 * z[0] + 0.8 * z[1] + y, decimals)}


BOOT = ic.bootstrap(*data(), n_resamples=200, grid=GRID)


def ends(band):
    """Everything that a band says."""
    return [v.tolist() for v in (band.pcf, band.low, band.centre, band.high, band.apparent)]


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_all_conditions_are_what_no_conditions_mean(kind):
    """Declaring the whole axis changes nothing."""
    whole = ic.Conditions.uniform(t=(0, 1))
    assert ends(BOOT.band("a", kind=kind, condition=whole)) == ends(BOOT.band("a", kind=kind))
    assert ends(BOOT.difference("a", "b", kind=kind, condition=whole)) == ends(BOOT.difference("a", "b", kind=kind))


@settings(max_examples=25)
@given(st.floats(0, 1), st.floats(0, 1))
def test_a_range_keeps_what_lies_inside_and_adds_its_ends(one, other):
    """Pointwise limits are the same inside; the ends are there; at a place of the grid nothing is interpolated."""
    low, high = sorted((one, other))
    over = ic.Conditions.uniform(t=(low, high)) if high - low > 1e-9 else ic.Condition.from_t(low)
    band, whole = BOOT.band("a", condition=over), BOOT.band("a")
    assert band.pcf[[0, -1]] == pytest.approx(
        [1 - ic.Conditions.of(over).high, 1 - ic.Conditions.of(over).low], abs=1e-12
    )
    known = np.isin(band.pcf, whole.pcf)
    assert np.array_equal(band.pcf[known], whole.pcf[(whole.pcf >= band.pcf[0]) & (whole.pcf <= band.pcf[-1])])
    place = np.searchsorted(whole.pcf, band.pcf[known])
    assert band.low[known] == pytest.approx(whole.low[place], abs=1e-12)
    assert band.high[known] == pytest.approx(whole.high[place], abs=1e-12)


def test_one_condition_is_read_off_straight_lines():
    """Between two places of the grid every resample is straight, and so is the step of one case found exactly."""
    at = 0.51
    band = BOOT.band("a", condition=ic.Condition.from_t(1 - at))
    model = BOOT.replicates["a"]
    values = np.minimum([np.interp(at, GRID, row) for row in 1.5 * model.cross - 0.5 * model.own], min(at, 1 - at))
    own = np.array([np.interp(at, GRID, row) for row in model.own])
    guard = band.centre[0] + quantiles(own[:, None], (0.05,))[0, 0] - own.mean()
    assert band.low[0] == pytest.approx(min(quantiles(values[:, None], (0.05,))[0, 0], guard), abs=1e-12)
    assert band.high[0] == pytest.approx(quantiles(values[:, None], (0.95,))[0, 0], abs=1e-12)
    assert model.at(GRID, np.array([at])).step == pytest.approx(np.hypot(at / 120, (1 - at) / 180), abs=1e-15)


def test_declared_conditions_narrow_a_simultaneous_band():
    """Fewer places to miss the truth at: the band of a range lies inside that of the whole axis, for a difference too."""
    over = ic.Conditions.uniform(t=(0.88, 0.98))
    for ask in (BOOT.band, lambda *names, **options: BOOT.difference(*names, "b", **options)):
        part, whole = ask("a", kind="simultaneous", condition=over), ask("a", kind="simultaneous")
        width = np.interp(part.pcf, whole.pcf, whole.high - whole.low)
        assert np.mean(part.high - part.low) < np.mean(width)


def test_over_a_short_range_the_luck_of_the_judges_stays_in():
    """Below a tenth of the axis deviations are those of the values themselves; above, the judges' luck is taken out."""
    for width, steady in ((0.05, False), (0.5, True)):
        over = ic.Conditions.uniform(t=(0.5 - width / 2, 0.5 + width / 2))
        band = BOOT.difference("a", "b", kind="simultaneous", condition=over)
        one, two = (BOOT.replicates[name].at(GRID, band.pcf) for name in "ab")
        values = [m.values("best", band.pcf, judges=4, steady=steady) for m in (one, two)]
        gap = values[0] - values[1]
        _, [(low, high)] = simultaneous([(gap, band.centre, scale_of(gap, band.centre, one.step))], 0.9)
        assert (band.low.tolist(), band.high.tolist()) == (low.tolist(), high.tolist())


def test_pointwise_bands_reach_down_as_far_as_resamples_spread():
    """At a kink corrected costs spread too little downwards: the own costs, moved to the estimate, say how far."""
    model, band = BOOT.replicates["a"], BOOT.band("a")
    estimate = model.estimate("best", GRID)
    reach = (estimate + quantiles(model.own, (0.05,))[0] - model.own.mean(axis=0)).clip(0, 1)
    assert np.all(band.low <= reach + 1e-15)
    assert np.any(band.low == reach)
    gap, own = BOOT.difference("a", "b"), model.own - BOOT.replicates["b"].own
    shift = model.estimate("best", GRID) - BOOT.replicates["b"].estimate("best", GRID) - own.mean(axis=0)
    low, high = np.clip(quantiles(own, (0.05, 0.95)) + shift, -np.minimum(GRID, 1 - GRID), np.minimum(GRID, 1 - GRID))
    assert np.all(gap.low <= low + 1e-15)
    assert np.all(gap.high >= high - 1e-15)


def test_few_levels_reach_down_to_the_resamples_themselves():
    """With fewer different scores than the root of the cases, optimism is small and the own costs count as they are."""
    y, scores = data(decimals=0)
    boot = ic.bootstrap(y, scores, n_resamples=200, grid=GRID)
    assert boot.replicates["a"].coarse
    assert not BOOT.replicates["a"].coarse
    assert np.all(boot.band("a").low <= quantiles(boot.replicates["a"].own, (0.05,))[0] + 1e-15)
    # Other targets, simultaneous bands and fixed thresholds are left alone.
    fixed = ic.bootstrap(y, scores, n_resamples=50, grid=GRID, fixed=0.5)
    assert np.array_equal(fixed.band("a").low, quantiles(fixed.replicates["a"].own, (0.05,))[0])


def test_conditions_outside_the_grid_are_refused():
    """Costs are not known there."""
    boot = ic.bootstrap(*data(), n_resamples=20, grid=[0.2, 0.5, 0.8])
    with pytest.raises(
        InputError, match=r"the grid covers t from 0.2 to 0.8, but the conditions reach from 0.1 to 0.1"
    ):
        boot.band("a", condition=ic.Condition.from_t(0.1))

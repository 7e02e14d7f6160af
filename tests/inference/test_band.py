import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.inference.band import Band, quantiles, scale_of, simultaneous


def band(low, high, names=("a", "b")):
    """A band on three or more equally spaced conditions."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    pcf = np.linspace(0, 1, low.size)
    return Band(pcf, low, (low + high) / 2, high, (low + high) / 2, 0.9, "pointwise", "something", names)


def limits(values, level, kind, step, probability=None, middle=None):
    """Limits of one curve per resample; simultaneous ones lie around their mean unless a middle is given."""
    if kind == "pointwise":
        return quantiles(values, ((1 - level) / 2, (1 + level) / 2), probability)
    middle = np.average(values, axis=0, weights=probability) if middle is None else middle
    _, [ends] = simultaneous([(values, middle, scale_of(values, middle, step, probability))], level, probability)
    return ends


def test_significant_ranges_end_where_the_limits_cross_0():
    """The band is straight between conditions, so the ends are exact there; t counts down as pcf counts up."""
    found = band([-3, -3, -1, 1, 2], [-1, -1, 1, 3, 4]).significant()
    assert [(s.better, round(s.t_low, 12), round(s.t_high, 12)) for s in found] == [("b", 0, 0.375), ("a", 0.625, 1)]


def test_touching_0_is_not_significant():
    """A limit of exactly 0 leaves the models possibly equal."""
    assert band([-1, -1, -1], [0, 0, 0]).significant() == []


def test_significance_needs_a_difference():
    """A band of one model has no sign to speak of."""
    with pytest.raises(
        InputError, match="names of a band must be one for each of 2 models whose difference it is: use"
    ):
        band([0, 0], [1, 1], names=("a",)).significant()


def test_quantiles_are_values_that_occurred():
    """The q-quantile is the smallest value that at least the share q does not exceed, weighted or not."""
    values = np.array([[3.0], [1.0], [2.0], [4.0]])
    assert quantiles(values, (0.25, 0.26, 1.0))[:, 0].tolist() == [1, 2, 4]
    assert quantiles(values, (0.5,), np.array([0.1, 0.2, 0.1, 0.6]))[0, 0] == 4


def test_pointwise_limits_leave_out_the_tails_at_each_condition():
    """90 % of the curves lie within at any one condition."""
    values = np.random.default_rng(0).normal(size=(1000, 7))
    low, high = limits(values, 0.9, "pointwise", np.zeros(7))
    assert np.mean((values >= low) & (values <= high), axis=0) == pytest.approx(0.9, abs=0.002)


def test_simultaneous_limits_hold_whole_curves():
    """90 % of the curves lie within everywhere."""
    rng = np.random.default_rng(0)
    values = np.cumsum(rng.normal(size=(2000, 30)), axis=1)
    low, high = limits(values, 0.9, "simultaneous", np.full(30, 0.01))
    inside = np.all((values >= low) & (values <= high), axis=1)
    assert inside.mean() == pytest.approx(0.9, abs=0.002)


def test_simultaneous_limits_have_width_where_resamples_do_not_vary():
    """Next to certain costs one case and the widest place set the least width."""
    values = np.zeros((100, 3))
    values[:, 1] = np.random.default_rng(0).normal(size=100)
    low, high = limits(values, 0.9, "simultaneous", np.zeros(3))
    assert high[0] > 0 > low[0]
    low, high = limits(np.zeros((100, 3)), 0.9, "simultaneous", np.zeros(3))
    assert not low.any()
    assert not high.any()


def test_simultaneous_limits_lie_around_the_middle_they_are_given():
    """Around a middle off the mean they reach as far as the deviations from it."""
    values = np.random.default_rng(0).normal(size=(500, 3))
    low, high = limits(values, 0.9, "simultaneous", np.zeros(3), middle=np.full(3, 0.5))
    below, above = (np.sqrt(np.mean(np.maximum(side, 0.0) ** 2, axis=0)) for side in (0.5 - values, values - 0.5))
    assert (0.5 - low) / (high - 0.5) == pytest.approx(below / above, rel=1e-12)
    assert np.mean(np.all((low <= values) & (values <= high), axis=1)) == pytest.approx(0.9, abs=0.01)


def test_listed_outcomes_count_by_their_probability():
    """Weighted curves give the limits of as many repeated ones, for both kinds."""
    values = np.random.default_rng(1).normal(size=(50, 4))
    times = np.random.default_rng(2).integers(1, 6, 50)
    for kind in ("pointwise", "simultaneous"):
        weighted = limits(values, 0.9, kind, np.full(4, 0.1), times / times.sum())
        repeated = limits(np.repeat(values, times, axis=0), 0.9, kind, np.full(4, 0.1))
        assert np.stack(weighted) == pytest.approx(np.stack(repeated), abs=1e-12)


def test_band_can_be_read_anywhere_and_stored():
    """Values between conditions are interpolated; the dict holds plain lists."""
    some = band([0, 1, 2], [2, 3, 4])
    assert [float(v) for v in some.at(0.25)] == [0.5, 1.5, 2.5]
    stored = some.to_dict()
    assert stored["low"] == [0, 1, 2]
    assert stored["names"] == ["a", "b"]
    with pytest.raises(InputError, match=r"pcf must lie between 0 and 1, got 1.5"):
        some.at(1.5)


def test_band_says_what_it_is():
    """The text has level, kind, models and the widest place."""
    assert repr(band([0, 0, 0], [1, 3, 1])) == (
        "<Band: 90 % pointwise for 'a' − 'b', 3 conditions; widest at pcf 0.5: 0 to 3>"
    )


def test_what_is_covered_is_said_in_words():
    """Each target has its sentence."""
    rng = np.random.default_rng(0)
    y = np.arange(100) < 50
    boot = ic.bootstrap(y, {"a": rng.normal(size=100) + y, "b": rng.normal(size=100) + y}, n_resamples=20, grid=3)
    assert boot.band("a").covers == "the cost with the threshold that is truly best at each condition"
    assert "chosen on these data" in boot.band("a", target="chosen").covers
    assert "look better than they are" in boot.band("a", target="apparent").covers
    assert boot.difference("a", "b").covers.startswith("the difference of the cost with")

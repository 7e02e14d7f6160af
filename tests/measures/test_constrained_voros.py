import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.curves.roc import bare_rates
from isocost.errors import InfeasibleError, InputError
from oracles import volume
from strategies import curves, samples

LIMITS = {
    "min_precision": st.floats(0, 0.9), "max_flagged": st.floats(0.05, 1), "min_tpr": st.floats(0, 0.8),
    "max_fpr": st.floats(0.1, 1),
}  # fmt: skip
limits = st.fixed_dictionaries({}, optional=LIMITS).filter(bool)
CURVE = ic.RocCurve.from_scores([1, 1, 0, 1, 1, 0, 0, 1, 0, 0], np.arange(10, 0, -1))


def by_quadrature(curve, low, high, limits, *, include_trivial=True):
    """Clip the polygon at every node; the best point is the cheapest of those that keep the limits, found one by one."""
    pi = curve.prevalence
    region = volume.region(pi, **limits)
    whole = volume.area(region)
    x, y = (curve.fpr, curve.tpr) if include_trivial else bare_rates(curve)
    flagged = pi * y + (1 - pi) * x
    kept = (
        (pi * y >= limits.get("min_precision", 0) * flagged - 1e-14)
        & (flagged <= limits.get("max_flagged", 1) + 1e-14)
        & (y >= limits.get("min_tpr", 0) - 1e-14)
        & (x <= limits.get("max_fpr", 1) + 1e-14)
    )
    x, y = x[kept], y[kept]
    share = lambda t: volume.lesser_area(np.min(t * x + (1 - t) * (1 - y)), t, region) / whole  # noqa: E731
    lines = [*zip(x.tolist(), y.tolist(), strict=True), *region]
    return volume.mean(share, volume.crossings(lines), low=low, high=high)


@given(samples(max_size=12, kinds=("tied", "probabilities")), limits, st.floats(0, 0.9), st.booleans())
def test_value_equals_brute_force_quadrature(sample, limits, low, include_trivial):
    """Any combination of limits, tied and weighted data."""
    over = ic.Conditions.uniform(t=(low, 1))
    try:
        value = ic.voros(sample.curve, condition=over, **limits, include_trivial=include_trivial)
    except InfeasibleError:
        reject()
    expected = by_quadrature(sample.curve, low, 1.0, limits, include_trivial=include_trivial)
    assert value == pytest.approx(expected, abs=1e-9)


@given(curves(), st.sampled_from([{"max_flagged": 1}, {"min_precision": 0}, {"min_tpr": 0, "max_fpr": 1}]))
def test_limits_that_exclude_nothing_change_nothing(curve, limits):
    """The whole square is feasible then."""
    assert ic.voros(curve, **limits) == pytest.approx(ic.voros(curve), abs=1e-12)


def test_value_is_the_probability_to_beat_a_random_feasible_classifier():
    """Random feasible fpr, tpr and t: the share that costs at least as much, within four standard errors."""
    rng = np.random.default_rng(1)
    n = 400_000
    x, y, t = rng.random(n), rng.random(n), rng.uniform(0.2, 0.7, n)
    kept = (0.5 * y >= 0.6 * (0.5 * x + 0.5 * y)) & (0.5 * x + 0.5 * y <= 0.45)
    x, y, t = x[kept], y[kept], t[kept]
    h, k = CURVE.fpr, CURVE.tpr
    allowed = (0.4 * k >= 0.6 * h - 1e-12) & ((h + k) / 2 <= 0.45 + 1e-12)
    best = np.min(t[:, None] * h[allowed] + (1 - t[:, None]) * (1 - k[allowed]), axis=1)
    share = np.mean(t * x + (1 - t) * (1 - y) >= best)
    value = ic.voros(CURVE, condition=ic.Conditions.uniform(t=(0.2, 0.7)), min_precision=0.6, max_flagged=0.45)
    assert abs(share - value) < 4 * np.sqrt(value * (1 - value) / x.size)


def test_a_perfect_classifier_scores_one_under_any_limit_it_keeps():
    """Nothing feasible is better than no error at all."""
    perfect = ic.RocCurve.from_scores([0, 0, 1], [1, 2, 3])
    for limits in ({"min_precision": 0.9}, {"max_flagged": 0.4}, {"min_tpr": 0.5, "max_fpr": 0.1}):
        assert ic.voros(perfect, **limits) == pytest.approx(1, abs=1e-12)


@given(st.floats(0.02, 0.98))
def test_one_t_is_the_share_at_that_t(t):
    """A range without width."""
    value = ic.voros(CURVE, condition=ic.Conditions.from_t(t), max_flagged=0.4, min_precision=0.5)
    region = volume.region(0.5, max_flagged=0.4, min_precision=0.5)
    kept = (CURVE.fpr + CURVE.tpr <= 0.8 + 1e-12) & (CURVE.tpr >= CURVE.fpr - 1e-12)
    cost = np.min(t * CURVE.fpr[kept] + (1 - t) * (1 - CURVE.tpr[kept]))
    assert value == pytest.approx(volume.lesser_area(cost, t, region) / volume.area(region), abs=1e-12)


@pytest.mark.parametrize("over", [ic.Conditions.beta(2, 5), ic.Conditions.uniform(skew_ratio=(0.1, 4))])
def test_distributions_of_conditions_are_integrated(over):
    """Against averaging over many quantiles of t."""
    value = ic.voros(CURVE, condition=over, max_flagged=0.5)
    u = (np.arange(4000) + 0.5) / 4000
    m = 0.1 + 3.9 * u
    t = stats.beta(2, 5).ppf(u) if over.low == 0 else m / (1 + m)
    each = [ic.voros(CURVE, condition=ic.Conditions.from_t(v), max_flagged=0.5) for v in t[::10]]
    assert value == pytest.approx(np.mean(each), abs=1e-3)


def test_prevalence_of_use_moves_the_limits():
    """Given, stated by the condition, or the data's own; a range of prevalences must be settled by the user."""
    own = ic.voros(CURVE, max_flagged=0.3)
    assert ic.voros(CURVE, max_flagged=0.3, prevalence=0.5) == own
    rare = ic.voros(CURVE, max_flagged=0.3, prevalence=0.05)
    assert rare != own
    condition = ic.Condition(1, 5, 0.05)
    at_condition = ic.voros(CURVE, condition=condition, max_flagged=0.3)
    assert at_condition == ic.voros(CURVE, condition=condition, max_flagged=0.3, prevalence=0.05)
    over = ic.Conditions.from_costs(cost_fn=(2, 5), prevalence=(0.01, 0.05))
    with pytest.raises(
        InputError, match=r"must be one number here, got 0.01 to 0.05: say with prevalence= which one max_flagged refer"
    ):
        ic.voros(CURVE, condition=over, max_flagged=0.3)
    assert 0 < ic.voros(CURVE, condition=over, max_flagged=0.3, prevalence=0.05) < 1
    assert 0 < ic.voros(CURVE, condition=over, max_fpr=0.3) < 1


def test_rates_alone_need_no_prevalence():
    """min_tpr and max_fpr are about each class on its own; the others are not."""
    points = ic.RocCurve.from_points([0.1, 0.3], [0.5, 0.8])
    assert 0 < ic.voros(points, max_fpr=0.2) < 1
    with pytest.raises(InputError, match="the prevalence is unknown"):
        ic.voros(points, max_flagged=0.2)


def test_flagging_nobody_keeps_a_limit_on_the_number_flagged():
    """When no other threshold does, the value is that of (0, 0)."""
    value = ic.voros(CURVE, max_flagged=0.05)
    assert value == pytest.approx(by_quadrature(CURVE, 0.0, 1.0, {"max_flagged": 0.05}), abs=1e-9)
    with pytest.raises(
        InfeasibleError, match=r"keeps max_flagged=0.05 at prevalence 0.5: the lowest flagged share is 0.1"
    ):
        ic.voros(CURVE, max_flagged=0.05, include_trivial=False)


def test_limits_no_threshold_keeps_say_what_is_reached():
    """One limit, and two that exclude each other on this curve."""
    curve = ic.RocCurve.from_scores([0, 1, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1])
    with pytest.raises(
        InfeasibleError, match=r"keeps min_precision=0.8 at prevalence 0.5: the highest precision is 0.6"
    ):
        ic.voros(curve, min_precision=0.8)
    with pytest.raises(InfeasibleError) as caught:
        ic.voros(curve, min_tpr=0.9, max_fpr=0.5)
    assert str(caught.value) == "no threshold of this curve keeps min_tpr=0.9 and max_fpr=0.5: loosen a limit"


def test_flagging_nobody_has_no_precision():
    """A precision that only "flag nobody" escapes is not kept."""
    curve = ic.RocCurve.from_scores([0, 1], [2, 1])
    with pytest.raises(InfeasibleError, match=r"the highest precision is 0\.5"):
        ic.voros(curve, min_precision=0.6)


def test_continuous_curves_are_asked_for_a_sample():
    """A threshold is needed at the limit."""
    curve = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))
    with pytest.raises(InputError, match="is continuous: sample it"):
        ic.voros(curve, max_fpr=0.1)

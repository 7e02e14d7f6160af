import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from isocost.conditions import Believed, Conditions, Drawn, Even, integrate
from isocost.errors import ConditionError

QUANTITIES = {
    "known": Even(2.0, 2.0),
    "even": Even(-1.0, 3.0),
    "lognormal": Believed(stats.lognorm(s=0.8, scale=2.0)),
    "beta": Believed(stats.beta(0.4, 3.0)),
    "drawn": Drawn(np.array([-1.0, 0.5, 0.5, 4.0])),
}


@given(st.sampled_from(sorted(QUANTITIES)), st.floats(-2, 6))
def test_partial_means_are_those_of_many_quantiles(name, x):
    """P(X ≤ x) and E[X; X ≤ x], against the mean of a fine grid of quantiles."""
    quantity = QUANTITIES[name]
    values = quantity.quantile((np.arange(200_000) + 0.5) / 200_000)
    [mass], [part] = quantity.parts(np.array([x]))
    assert mass == pytest.approx(np.mean(values <= x), abs=1e-5)
    assert part == pytest.approx(np.mean(np.where(values <= x, values, 0.0)), abs=1e-4)
    assert quantity.low <= quantity.mean <= quantity.high


def test_integrates_smooth_kinked_and_singular_functions():
    """Against closed forms, each interval on its own; equal edges contribute nothing."""
    edges = np.array([0.0, 0.25, 1.0])
    assert integrate(np.exp, edges) == pytest.approx(np.diff(np.exp(edges)), abs=1e-15)
    assert integrate(lambda x: np.abs(x - 1 / 3), edges).sum() == pytest.approx(5 / 18, abs=1e-13)
    assert integrate(lambda x: 1 / np.sqrt(x), edges).sum() == pytest.approx(2, abs=1e-9)
    assert integrate(np.log, edges).sum() == pytest.approx(-1, abs=1e-12)
    assert integrate(np.exp, np.array([0.5, 0.5, 1.0]))[0] == 0


@pytest.mark.parametrize(
    "wild", [lambda x: np.random.default_rng(0).random(x.shape) * 1e3, lambda x: np.full(x.shape, np.nan)]
)
def test_what_cannot_be_integrated_says_so(wild):
    """Rather than return a wrong number."""
    with pytest.raises(ConditionError, match="could not be integrated"):
        integrate(wild, np.array([0.0, 1.0]))


@pytest.mark.parametrize("x", [0.35, [0.5, 0.1, 0.35, 0.35], np.array([[-1.0], [2.0]]), [0.3, 0.0, 1.0]])
def test_shares_and_partial_means_of_t(x):
    """In any order and shape, with the atoms at a value itself, against the sums and integrals."""
    places = np.asarray(x, dtype=np.float64)
    atoms = Conditions.from_beliefs(cost_fn=(2, 9), prevalence=(0.1, 0.2), size=50)
    t, weights = atoms.density.t, atoms.density.weights
    for values in (places, t[:7]):
        mass, part = atoms.parts(values)
        below = t <= values[..., None]
        assert mass == pytest.approx((weights * below).sum(axis=-1), abs=1e-15)
        assert part == pytest.approx((weights * t * below).sum(axis=-1), abs=1e-15)
    mass, part = Conditions.beta(2, 3).parts(x)
    assert mass == pytest.approx(stats.beta(2, 3).cdf(places), abs=1e-14)
    assert part == pytest.approx(0.4 * stats.beta(3, 3).cdf(places), abs=1e-14)
    certain = Conditions.from_t(0.3).parts(x)[0]
    assert certain == pytest.approx((places >= 0.3).astype(float))

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.errors import ConditionError
from strategies import inside_unit, uncertain_conditions, unit

pair = st.tuples(unit, unit).map(sorted)


def test_uniform_means_all_conditions_by_default():
    """No argument is every t equally likely; pcf is the mirror image of t."""
    every = ic.Conditions.uniform()
    assert (every.low, every.high, every.mean) == (0, 1, 0.5)
    mirrored = ic.Conditions.uniform(pcf=(0.1, 0.4))
    assert (mirrored.low, mirrored.high) == (0.6, 0.9)


def test_example_66_of_the_voros_paper():
    """Negatives 100 to 1000 times as many, cost ratio within 5 % of 1: t from 95/96 to 1050/1051."""
    over = ic.Conditions.from_costs(cost_fp=(0.95, 1.05), cost_fn=1, prevalence=(1 / 1001, 1 / 101))
    assert over.low == pytest.approx(95 / 96, abs=1e-15)
    assert over.high == pytest.approx(1050 / 1051, abs=1e-15)


@given(
    st.tuples(*[st.floats(0.01, 100)] * 4), st.tuples(inside_unit, inside_unit), st.lists(unit, min_size=3, max_size=3)
)
def test_a_range_of_costs_contains_every_t_inside_it(costs, prevalences, where):
    """Interval arithmetic is exact: every corner and every mixture lies inside (Lemma 65)."""
    fp, fn, p = sorted(costs[:2]), sorted(costs[2:]), sorted(prevalences)
    over = ic.Conditions.from_costs(cost_fp=tuple(fp), cost_fn=tuple(fn), prevalence=tuple(p))
    inner = [low + u * (high - low) for (low, high), u in zip((fp, fn, p), where, strict=True)]
    t = ic.Condition(*inner).t
    assert over.low - 1e-12 <= t <= over.high + 1e-12


def test_a_range_reads_as_a_sentence():
    """The repr says the costs, the prevalence and the range of t."""
    over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=(0.01, 0.03))
    assert repr(over) == "<Conditions: a miss costs 5–20 false alarms, 1–3 % positive: t in 0.62–0.95>"
    assert "t in 0–1" in str(ic.Conditions.uniform())
    assert "Beta(2, 3)" in str(ic.Conditions.beta(2, 3))


KERNELS = {
    "1": np.ones_like,
    "t": lambda t: t,
    "1/t": lambda t: 1 / t,
    "1/(1-t)": lambda t: 1 / (1 - t),
}


def integrals(density, edges):
    """Those between the edges, by what is integrated."""
    found = dict(zip(("1", "t"), density.moments(np.array(edges)), strict=True))
    more = density.reciprocals(np.array(edges))
    return found | dict(zip(("1", "1/t", "1/(1-t)"), more or (), strict=more is not None))


@pytest.mark.parametrize("kind", KERNELS)
@pytest.mark.parametrize(
    "over",
    [
        ic.Conditions.uniform(t=(0.2, 0.7)),
        ic.Conditions.uniform(skew_ratio=(0.5, 30)),
        ic.Conditions.beta(2.5, 3),
        ic.Conditions.beta(0.5, 0.7),
        ic.Conditions.from_distribution(stats.truncnorm(-2, 3, loc=0.4, scale=0.2)),
        ic.Conditions.from_beliefs(cost_fn=stats.lognorm(s=0.5, scale=10), prevalence=0.02),
        ic.Conditions.from_beliefs(cost_fp=(1, 3), prevalence=0.3),
        ic.Conditions.from_beliefs(prevalence=stats.beta(2, 30), cost_fn=8),
    ],
    ids=str,
)
def test_partial_moments_equal_quadrature_of_the_density(over, kind):
    """Each closed form, and the adaptive fall-back, equals an independent integration by scipy over a large sample of edges."""
    from scipy.integrate import quad

    edges = np.array([0.05, 0.31, 0.32, 0.6, 0.95])
    got = integrals(over.density, edges).get(kind)
    if got is None:
        assert kind.startswith("1/")
        return
    for a, b, value in zip(edges[:-1], edges[1:], got, strict=True):
        low, high = np.clip([a, b], over.low, over.high)
        # expect() of an indicator times the kernel is the definition; scipy integrates the same density.
        direct = over.density.expect(lambda t, a=a, b=b: KERNELS[kind](t) * ((t >= a) & (t <= b)), edges)
        assert value == pytest.approx(direct, abs=2e-13)
        assert low <= high
    if isinstance(over.density, type(ic.Conditions.uniform().density)):
        direct, _ = quad(KERNELS[kind], 0.31, 0.32)
        assert got[1] == pytest.approx(direct / 0.5, abs=1e-14)


def test_masses_and_means_equal_scipy():
    """Against scipy's own cdf and mean."""
    beta = ic.Conditions.beta(2.5, 3)
    assert beta.mean == pytest.approx(2.5 / 5.5, abs=1e-15)
    mass = np.diff(stats.beta(2.5, 3).cdf([0.2, 0.6]))[0]
    assert integrals(beta.density, [0.2, 0.6])["1"][0] == pytest.approx(mass)
    assert integrals(beta.density, [0.0, 1.0])["1/t"][0] == pytest.approx(4.5 / 1.5)
    dist = stats.truncnorm(-2, 3, loc=0.4, scale=0.2)
    assert ic.Conditions.from_distribution(dist).mean == pytest.approx(dist.mean(), abs=1e-12)


@given(uncertain_conditions())
def test_every_distribution_has_total_mass_one_and_its_mean_inside(over):
    """Whatever the kind, moments over the whole range are those of a probability distribution."""
    edges = np.array([0.0, 0.3, 0.5, 1.0])
    mass, mean = over.density.moments(edges)
    assert mass.sum() == pytest.approx(1, abs=1e-12)
    assert over.low - 1e-12 <= over.mean <= over.high + 1e-12
    assert mean.sum() == pytest.approx(over.mean, abs=1e-12)
    assert over.density.expect(lambda t: t, edges) == pytest.approx(over.mean, abs=1e-10)


def test_an_infinite_moment_is_inf_and_not_a_number_or_a_warning():
    """1/t from 0 diverges for a uniform density; intervals away from 0 are finite."""
    got = integrals(ic.Conditions.uniform().density, [0.0, 0.5, 1.0])["1/t"]
    assert got[0] == math.inf
    assert got[1] == pytest.approx(math.log(2))


def test_one_uncertain_belief_is_pushed_forward_exactly():
    """Against a large sample of the same belief, in distribution, for each of the three."""
    rng = np.random.default_rng(1)
    beliefs = {"cost_fp": stats.gamma(3), "cost_fn": stats.lognorm(s=0.5, scale=10), "prevalence": stats.beta(2, 30)}
    for name, belief in beliefs.items():
        others = {"cost_fp": 1.5, "cost_fn": 4.0, "prevalence": 0.2} | {name: belief}
        over = ic.Conditions.from_beliefs(**others)
        values = {k: (v.rvs(100_000, random_state=rng) if k == name else v) for k, v in others.items()}
        fp = values["cost_fp"] * (1 - values["prevalence"])
        t = fp / (fp + values["cost_fn"] * values["prevalence"])
        assert over.mean == pytest.approx(t.mean(), abs=5 * t.std() / math.sqrt(t.size))
        assert integrals(over.density, [0.0, 0.7, 1.0])["1"][0] == pytest.approx(np.mean(t <= 0.7), abs=0.01)


def test_several_beliefs_are_a_sample_that_repeats():
    """The same call gives the same numbers; another seed gives others; one draw is enough."""
    call = {"cost_fn": (5, 20), "prevalence": stats.beta(2, 50)}
    a, b = (ic.Conditions.from_beliefs(**call, size=500) for _ in range(2))
    assert a.mean == b.mean
    assert a.mean != ic.Conditions.from_beliefs(**call, size=500, rng=1).mean
    assert "500 draws" in str(a)
    assert ic.Conditions.from_beliefs(**call, size=1).low <= 1


def test_certain_beliefs_are_one_condition():
    """Numbers, pairs without width, and beliefs that cannot move t give one certain t."""
    assert ic.Conditions.from_beliefs(cost_fn=5, prevalence=0.3).mean == ic.Condition(1, 5, 0.3).t
    assert ic.Conditions.from_beliefs(cost_fn=(5, 5), prevalence=0.3).high == ic.Condition(1, 5, 0.3).t
    assert ic.Conditions.from_beliefs(cost_fn=stats.gamma(2), prevalence=0.0).low == 1
    assert ic.Conditions.uniform(t=(0.3, 0.3)).mean == 0.3
    assert ic.Conditions.uniform(skew_ratio=(1, 1)).mean == 0.5


def test_of_takes_what_over_may_be():
    """None, a Condition or Conditions; anything else is refused with what to pass."""
    assert ic.Conditions.of(None).high == 1
    assert ic.Conditions.of(ic.Condition(1, 5, 0.3)).mean == ic.Condition(1, 5, 0.3).t
    with pytest.raises(ConditionError, match=r"use Conditions.uniform\(t=\(low, high\)\)"):
        ic.Conditions.of((0.2, 0.4))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ic.Conditions.uniform(t=(0.6, 0.2)), r"t has low > high: \(0.6, 0.2\)"),
        (lambda: ic.Conditions.uniform(t=(0.6, 1.2)), r"t high must be between 0 and 1, got 1.2"),
        (lambda: ic.Conditions.uniform(t=0.5), r"t must be a pair \(low, high\), got 0.5"),
        (lambda: ic.Conditions.uniform(t=(0, 1), pcf=(0, 1)), r"t= and pcf= together: pass one range"),
        (lambda: ic.Conditions.uniform(skew_ratio=(0, math.inf)), r"skew_ratio high must be finite"),
        (lambda: ic.Conditions.from_costs(cost_fn=(20, 5)), r"cost_fn has low > high"),
        (lambda: ic.Conditions.from_costs(prevalence=(0.1, 1.3)), r"prevalence high must be between 0 and 1, got 1.3"),
        (lambda: ic.Conditions.from_costs(cost_fp=-2), r"cost_fp must be finite and at least 0, got -2"),
        (lambda: ic.Conditions.beta(0, 1), r"a must be positive and finite, got 0"),
        (lambda: ic.Conditions.beta(1, math.nan), r"b must be a number, got nan"),
        (lambda: ic.Conditions.from_distribution(stats.norm(0.5, 1)), r"mass outside \[0, 1\]: 0.617"),
        (
            lambda: ic.Conditions.from_distribution(0.5),
            r"dist must be a frozen scipy.stats distribution such as .* continuous",
        ),
        (
            lambda: ic.Conditions.from_beliefs(prevalence=stats.norm(0.1, 0.1)),
            r"prevalence cannot be all that its belief reaches",
        ),
        (
            lambda: ic.Conditions.from_beliefs(cost_fn=(1, 2), prevalence=(0.1, 0.2), size=0),
            r"size must be at least 1, got 0",
        ),
        (lambda: ic.Conditions.from_t(2), r"t must be between 0 and 1, got 2"),
    ],
)
def test_ranges_and_distributions_that_make_no_sense_are_refused(make, message):
    """The message names the argument and the value."""
    with pytest.raises(ConditionError, match=message):
        make()


def test_discrete_beliefs_are_sampled_and_discrete_densities_refused():
    """A Poisson cost has no density: a belief about it is sampled, a distribution of t must be continuous."""
    over = ic.Conditions.from_beliefs(cost_fn=stats.poisson(5, loc=1), prevalence=0.2, size=400)
    assert "400 draws" in str(over)
    with pytest.raises(ConditionError, match=r"and continuous, got"):
        ic.Conditions.from_distribution(stats.poisson(0.1))


def test_a_truncated_distribution_may_miss_its_ends_by_rounding():
    """A truncated normal is given in deviations, which puts its support at -1e-16."""
    dist = stats.truncnorm(-3, 2, 0.6, 0.2)
    assert dist.support()[0] < 0
    over = ic.Conditions.from_distribution(dist)
    assert (over.low, over.high) == (0, 1)


def test_beta_has_quantiles_where_scipy_has_none():
    """Next to Beta(1, 1) scipy's inverse is NaN for tiny arguments; a piece of t that small must not spoil a mean."""
    density = ic.Conditions.beta(1.0001, 0.9999).density
    assert density.expect(lambda t: t, np.array([1e-20, 1e-3])) == pytest.approx(0.50005, abs=1e-12)


def test_uniform_in_a_huge_skew_ratio_can_be_integrated():
    """Nearly all of it lies within 1e-9 of t = 1."""
    density = ic.Conditions.uniform(skew_ratio=(0, 1e12)).density
    assert density.expect(lambda t: 1 - t, np.array([0.5])) == pytest.approx(np.log1p(1e12) / 1e12, rel=1e-9)


def test_the_mean_of_one_over_t_stays_finite_next_to_zero():
    """Down to the smallest numbers there are: ∫dt/t from a to 1 is -ln a."""
    for low in (2.2250738585e-313, 1e-300, 1e-12):
        density = ic.Conditions.uniform(t=(low, 1.0)).density
        found = float(integrals(density, [low, 1.0])["1/t"][0])
        assert found == pytest.approx(-math.log(low), rel=1e-12)


@pytest.mark.parametrize(
    "beliefs",
    [
        {"cost_fn": (2, 10)},
        {"cost_fp": (1, 3), "prevalence": 0.2},
        {"prevalence": (0.1, 0.4), "cost_fn": 3},
        {"cost_fn": (2, 10), "prevalence": (0.1, 0.2), "size": 50},
    ],
    ids=str,
)
def test_beliefs_survive_pickling(beliefs):
    """A worker process gets the same conditions."""
    import pickle

    over = ic.Conditions.from_beliefs(**beliefs)
    again = pickle.loads(pickle.dumps(over))
    edges = np.linspace(0, 1, 7)
    assert (again.text, again.ranges) == (over.text, over.ranges)
    assert np.array_equal(again.density.moments(edges), over.density.moments(edges))

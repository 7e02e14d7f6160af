import numpy as np
import pytest

import isocost as ic
from isocost.errors import FewCasesWarning, InputError, UnknownNameError
from isocost.resampling.replicates import JUDGES_OF_TWO

CONDITION = ic.Condition(cost_fp=1, cost_fn=2)


def draw(seed, size=150):
    """Two groups whose scores tell more in one than in the other."""
    rng = np.random.default_rng(seed)
    g = np.repeat(["a", "b"], size)
    y = rng.random(2 * size) < np.where(g == "a", 0.5, 0.3)
    return y, rng.normal(size=2 * size) + np.where(g == "a", 1.6, 0.9) * y, g


@pytest.fixture(scope="module")
def groups():
    """One sample of them."""
    return ic.Groups.from_scores(*draw(1))


@pytest.fixture(scope="module")
def resampled(groups):
    """Its resamples, with equal tpr as a rule."""
    return groups.bootstrap(CONDITION, criterion="tpr", randomised=True, n_resamples=300, rng=0)


def test_apparent_numbers_are_those_of_the_rules(groups, resampled):
    """Costs, rates, the extra cost of one for all and the price of equal rates, as decided on the data."""
    each, parity = groups.decide(CONDITION), groups.parity(CONDITION, "tpr", randomised=True)
    assert resampled.interval("cost").apparent == pytest.approx(each.expected_cost, abs=1e-14)
    assert resampled.interval("cost", group="a").apparent == each["a"].cost
    assert resampled.interval("tpr", group="b", rule="parity").apparent == parity["b"].tpr
    assert resampled.interval("price").apparent == pytest.approx(parity.price, abs=1e-14)
    extra = groups.cost_of_one_threshold(CONDITION)
    assert resampled.interval("extra_cost").apparent == pytest.approx(extra.extra_cost, abs=1e-14)
    assert resampled.interval("extra_cost", group="b").apparent == pytest.approx(extra.by_group["b"], abs=1e-14)


def test_costs_are_corrected_upwards_and_rates_are_not(resampled):
    """A rule looks better on the cases it was chosen on."""
    cost = resampled.interval("cost")
    assert cost.apparent < cost.estimate
    assert cost.low < cost.estimate < cost.high
    rate = resampled.interval("tpr", group="a")
    assert rate.estimate == rate.apparent
    assert rate.low < rate.apparent < rate.high


def test_equal_rates_stay_nearly_equal_on_resamples(resampled):
    """The difference of two groups' tpr under the rule of equal tpr is about 0, that of the best thresholds need not be."""
    gap = resampled.interval("tpr", group="a", versus="b", rule="parity")
    assert gap.apparent == pytest.approx(0, abs=1e-12)
    assert gap.low < 0 < gap.high
    assert gap.names == ("a", "b")


def test_limits_widen_with_the_level_and_a_seed_gives_the_same_numbers(groups, resampled):
    """0.99 reaches further than 0.5, and drawing again gives the same."""
    wide, narrow = (resampled.interval("cost", level=level) for level in (0.99, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high
    again = groups.bootstrap(CONDITION, criterion="tpr", randomised=True, n_resamples=300, rng=0)
    assert tuple(again.interval("price")) == tuple(resampled.interval("price"))


def test_each_case_is_drawn_within_its_group_and_class(groups):
    """The totals of every group and class stay what they are."""
    rows = groups._rows
    times = rows.multiplicities(np.random.default_rng(3))
    cell = 2 * rows.codes + rows.positive
    assert np.array_equal(np.bincount(cell, times), np.bincount(cell))
    assert times.max() > 1


def test_correction_takes_most_of_the_optimism_out_of_costs():
    """Over twelve samples the corrected cost is much nearer to what the rules truly cost than the apparent one."""
    y, s, g = draw(10**6, 100_000)
    apparent, corrected = [], []
    for seed in range(12):
        own = ic.Groups.from_scores(*draw(seed, 100))
        found = own.bootstrap(CONDITION, n_resamples=60, rng=seed).interval("cost")
        true = 0.0
        for name, choice in own.decide(CONDITION).groups.items():
            hit, mine = s >= choice.threshold, g == name
            fpr, tpr = hit[mine & ~y].mean(), hit[mine & y].mean()
            true += choice.share * choice.condition.expected_cost(float(fpr), float(tpr))
        apparent.append(found.apparent - true)
        corrected.append(found.estimate - true)
    assert np.mean(apparent) < -0.015
    assert abs(np.mean(corrected)) < 0.5 * abs(np.mean(apparent))


def test_costs_are_what_chosen_rules_pay_on_cases_left_out(groups):
    """The estimate, gathered here case by case from the same draws; rules are those that each resample chooses."""
    found = groups.bootstrap(CONDITION, n_resamples=6, rng=4).interval("cost", group="b")
    rows, generator = groups._rows, np.random.default_rng([4])
    hit, left = np.zeros(2), np.zeros(2)
    for _ in range(6 + JUDGES_OF_TWO):
        times = rows.multiplicities(generator)
        y, s, g = rows.positive, rows.scores[0], rows.codes == 1
        again = ic.Groups.from_scores(*(np.repeat(column, times) for column in (y, s, rows.codes)))
        cut = again.decide(CONDITION)["1"].threshold
        for label in (0, 1):
            outside = g & (y == label) & (times == 0)
            left[label] += outside.sum()
            hit[label] += np.sum(s[outside] >= cut)
    at = groups.conditions(CONDITION)["b"]
    assert found.estimate == pytest.approx(at.expected_cost(*(hit / left).tolist()), abs=1e-12)


def test_a_class_of_one_case_is_never_left_out_and_still_has_a_cost():
    """Its rate is the corrected one of the resamples."""
    y = [1] + [0] * 29 + [1, 0] * 15
    groups = ic.Groups.from_scores(y, np.arange(60) % 17, ["a"] * 30 + ["b"] * 30)
    with pytest.warns(FewCasesWarning, match="'a', 'b'"):
        found = groups.bootstrap(CONDITION, n_resamples=20, rng=1).interval("cost", group="a")
    assert np.all(np.isfinite([found.low, found.estimate, found.high]))
    assert found.low <= found.estimate <= found.high


def test_groups_with_few_cases_are_named_once():
    """At most five of them, then how many more."""
    y = [1, 0] * 14
    with pytest.warns(FewCasesWarning, match=r"'g0', 'g1', 'g2', 'g3', 'g4' and 2 more") as told:
        found = ic.Groups.from_scores(y, range(28), np.repeat([f"g{i}" for i in range(7)], 4)).bootstrap(
            CONDITION, n_resamples=5
        )
    assert len(told) == 1
    assert len(found.few) == 7
    assert str(found).endswith("7 with fewer than 20 positives or negatives")


def test_what_cannot_be_asked_is_refused(groups, resampled):
    """Unknown groups, quantities and rules; a rate of all groups; a price without a criterion."""
    plain = groups.bootstrap(CONDITION, n_resamples=5)
    with pytest.raises(InputError, match="criterion"):
        plain.interval("price")
    with pytest.raises(InputError, match="criterion"):
        plain.interval("cost", rule="parity")
    with pytest.raises(UnknownNameError, match="'c'"):
        resampled.interval("cost", group="c")
    with pytest.raises(UnknownNameError, match="cost"):
        resampled.interval("costs")
    with pytest.raises(UnknownNameError, match="each"):
        resampled.interval("cost", rule="both")
    with pytest.raises(InputError, match="group="):
        resampled.interval("tpr")
    with pytest.raises(InputError, match="group="):
        resampled.interval("cost", versus="a")
    with pytest.raises(InputError, match="level"):
        resampled.interval("cost", level=1)


def test_limits_of_a_rate_of_1_have_a_width():
    """All 12 positives are caught: the truth may be less. The limits are those of a Beta distribution."""
    from scipy.stats import beta

    y, s = [1] * 12 + [0] * 12, [2.0] * 12 + [1.0] * 12
    groups = ic.Groups.from_scores(y * 2, s * 2, ["a"] * 24 + ["b"] * 24)
    with pytest.warns(FewCasesWarning):
        resampled = groups.bootstrap(CONDITION, n_resamples=20)
    rate = resampled.interval("tpr", group="a")
    assert (rate.estimate, rate.low, rate.high) == (1, pytest.approx(beta(12.5, 0.5).ppf(0.05), abs=0.01), 1)
    assert resampled.interval("tpr", group="a", versus="b").low < -0.05

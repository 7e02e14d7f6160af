import numpy as np
import pytest

import isocost as ic
from isocost.errors import ConditionError, InputError
from isocost.resampling.plain import PlainResampler

CONDITION = ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.4)


def data(n, seed=0, noise=1):
    """Labels, one informative model and `noise` useless ones."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n // 2
    return y, {"good": rng.normal(size=n) + 1.5 * y} | {f"noise {i}": rng.normal(size=n) for i in range(noise)}


def test_honest_cost_is_higher_than_it_looked():
    """The optimism of choosing on the same cases is positive and named."""
    y, scores = data(120)
    found = ic.bootstrap(y, scores, n_resamples=300).honest(CONDITION)
    assert found.cost > found.apparent
    assert found.optimism == pytest.approx(found.cost - found.apparent)
    assert found.low < found.cost < found.high
    assert found.expected_cost == pytest.approx(found.cost * CONDITION.worst_cost)
    assert found.choice.model == "good"
    assert found.apparent == found.choice.normalised_cost


def test_out_of_bag_costs_equal_a_plain_loop():
    """Choose on the drawn rows, pay on the others: the same by drawing row by row."""
    y, scores = data(60)
    boot = ic.bootstrap(y, scores, n_resamples=40)
    y, scores = boot._sample.positive, boot._sample.scores
    sums = np.zeros(4)
    for drawn in PlainResampler(boot._sample).draws(4, 44):
        for times in drawn:
            rows, left = np.repeat(np.arange(60), times), times == 0
            curves = [ic.RocCurve.from_scores(y[rows], s[rows], name=name) for name, s in scores.items()]
            choice = min((ic.best_threshold(c, CONDITION) for c in curves), key=lambda c: c.normalised_cost)
            flagged = scores[choice.model] >= choice.threshold
            sums += [np.sum(flagged & left & ~y), np.sum(left & ~y), np.sum(flagged & left & y), np.sum(left & y)]
    expected = CONDITION.normalised_cost(sums[0] / sums[1], sums[2] / sums[3])
    assert boot.honest(CONDITION).cost == pytest.approx(expected, abs=1e-12)


def test_more_models_to_choose_from_are_more_optimism():
    """Choosing among many useless models looks better and better, and honestly is not."""
    y, scores = data(80, noise=12)
    useless = {name: s for name, s in scores.items() if name != "good"}
    one = ic.bootstrap(y, {"noise 0": useless["noise 0"]}, n_resamples=200).honest(CONDITION)
    many = ic.bootstrap(y, useless, n_resamples=200).honest(CONDITION)
    assert many.apparent < one.apparent
    assert many.optimism > one.optimism


def test_choices_add_up_to_all_resamples():
    """Models and trivial classifiers, the most frequent first, with their thresholds in order."""
    y, scores = data(60, noise=2)
    found = ic.bootstrap(y, scores, n_resamples=100).honest(CONDITION)
    assert sum(c.share for c in found.chosen) == pytest.approx(1)
    assert found.chosen[0].model == "good"
    assert [c.share for c in found.chosen] == sorted((c.share for c in found.chosen), reverse=True)
    assert all(c.threshold_low <= c.threshold <= c.threshold_high for c in found.chosen)


def test_extreme_conditions_choose_a_trivial_classifier():
    """A model that ranks backwards is of no use where one error costs almost nothing."""
    y, scores = data(60)
    scores = {"backwards": -scores["good"]}
    found = ic.bootstrap(y, scores, n_resamples=50).honest(ic.Condition.from_t(0.999))
    assert found.chosen[0].model == "always-negative"
    assert found.chosen[0].threshold == np.inf
    found = ic.bootstrap(y, scores, n_resamples=50).honest(ic.Condition.from_t(0.0001))
    assert found.chosen[0].model == "always-positive"
    assert found.chosen[0].threshold == -np.inf


def test_uncertain_conditions_stand_for_their_mean():
    """One threshold for uncertain conditions is the best one at the mean of t."""
    y, scores = data(80)
    boot = ic.bootstrap(y, scores, n_resamples=50)
    over = ic.Conditions.uniform(t=(0.3, 0.6))
    assert boot.honest(over).cost == boot.honest(ic.Condition.from_t(over.mean)).cost


def test_what_makes_no_sense_is_refused():
    """Folds have no one threshold, and a number is no condition."""
    y, scores = data(80)
    with pytest.raises(InputError, match="thresholds differ from fold to fold"):
        ic.bootstrap(y, scores, n_resamples=5, fold=np.arange(80) % 2).honest(CONDITION)
    with pytest.raises(ConditionError, match=r"condition must be a Condition or Conditions, got 0.3"):
        ic.bootstrap(y, scores, n_resamples=5).honest(0.3)


def test_honest_shows_itself():
    """The text has the cost, its limits, what it looked like and who was chosen."""
    y, scores = data(80)
    found = ic.bootstrap(y, scores, n_resamples=50).honest(CONDITION)
    assert repr(found).startswith(
        f"<Honest: cost {found.cost:.4g} (90 % {found.low:.4g} to {found.high:.4g}), looked like"
    )
    assert found.to_dict()["chosen"][0]["model"] == found.chosen[0].model

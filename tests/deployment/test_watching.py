import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost.deployment.regret import Regret
from isocost.errors import ConditionError, InputError, UnknownNameError
from strategies import conditions, model_sets

Y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
S = list(range(20, 0, -1))
COMPARISON = ic.Comparison.from_scores(Y, {"m": S})
CONDITION = ic.Condition(cost_fp=1, cost_fn=4, prevalence=0.25)
FIRST = [20, 19, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2]


def test_the_first_period_is_that_of_exact_arithmetic():
    """Prevalence, cost, regret with its interval, p-value and what the period may use; worked with 40 digits."""
    watched = ic.watch(COMPARISON, [FIRST], condition=CONDITION)
    (period,) = watched.periods
    assert (watched.model, watched.threshold, watched.alarm) == ("m", 13.0, None)
    assert watched.keep == pytest.approx((1 / 7, 1 / 4))
    assert period.prevalence == pytest.approx(0.13185309604610735, rel=1e-11)
    assert (period.cost, period.regret) == pytest.approx((276.54424670508945, 6.4190273064373815), rel=1e-10)
    assert (period.regret_low, period.regret_high) == pytest.approx((0.0, 525.42988809981726), rel=1e-10)
    assert (period.p_value, period.allowed) == pytest.approx((0.96378572015296189, 0.025), rel=1e-10)
    assert period.best_threshold == 15.0


def test_ends_of_the_prevalence_flag_no_more_than_needed():
    """No positives: nobody is flagged. Positives only: the highest threshold that catches them all; worked with 40 digits."""
    none, every = [1, 2, 1, 3, 2, 1, 1, 2, 3, 1, 2, 1], [20, 19, 18, 20, 17, 19, 20, 16, 18, 20, 19, 20]
    first, second = ic.watch(COMPARISON, [none, every], condition=CONDITION).periods
    assert (first.prevalence, first.best_model, first.best_threshold) == (0.0, "always-negative", None)
    assert (second.prevalence, second.best_model, second.best_threshold) == (1.0, "m", 7.0)
    assert (first.regret, second.regret) == pytest.approx((1000 / 6, 1000.0))


@given(model_sets(max_models=3), conditions(), st.floats(0, 1), st.integers(0, 10**6))
def test_regret_is_what_brute_force_over_every_point_says(models, condition, prevalence, pick):
    """The cheapest of all points of all models, and of flagging nobody and everybody."""
    y, scores = models
    comparison = ic.Comparison.from_scores(y, scores)
    name = comparison.names[pick % len(comparison.names)]
    curve = comparison[name]
    at = pick % len(curve)
    # Where a score is +inf, the threshold +inf flags it; no threshold flags nobody.
    assume(at > 0 or curve.thresholds[1] < np.inf)
    regret = Regret.of(comparison, condition, name, float(curve.thresholds[at]))
    here = ic.Condition(
        condition.cost_fp, condition.cost_fn, prevalence, cost_tp=condition.cost_tp, cost_tn=condition.cost_tn
    )
    least = min(float(here.expected_cost(c.fpr, c.tpr).min()) for c in comparison.curves)
    own = here.expected_cost(float(curve.fpr[at]), float(curve.tpr[at]))
    assert regret.cost(prevalence) == pytest.approx(1000 * own, rel=1e-9, abs=1e-9)
    assert regret(prevalence) == pytest.approx(1000 * (own - least), rel=1e-7, abs=1e-7 * condition.worst_cost * 1000)


@given(model_sets(max_models=3), conditions(), st.floats(0, 50), st.floats(0, 1))
def test_keep_holds_just_the_prevalences_within_the_tolerance(models, condition, tolerance, prevalence):
    """Inside, the regret is at most the tolerance; outside it is more."""
    y, scores = models
    comparison = ic.Comparison.from_scores(y, scores)
    curve = comparison.curves[0]
    regret = Regret.of(comparison, condition, comparison.names[0], float(curve.thresholds[len(curve) // 2]))
    keep = regret.keep(tolerance)
    slack = 1e-6 * (1 + condition.worst_cost) * 1000
    if keep is not None and keep[0] <= prevalence <= keep[1]:
        assert regret(prevalence) <= tolerance + slack
    elif keep is None or prevalence < keep[0] - 1e-6 or prevalence > keep[1] + 1e-6:
        assert regret(prevalence) >= tolerance - slack


@pytest.mark.long
def test_alarms_keep_their_error_rate_over_many_periods():
    """Nothing moves in 26 periods of 40 sequences: at most the stated share alarms, within its error."""
    rng = np.random.default_rng(3)
    alarmed = 0
    for _ in range(40):
        y = np.arange(2000) < 500
        comparison = ic.Comparison.from_scores(y, {"m": rng.normal(size=2000) + 1.5 * y})
        weeks = [rng.normal(size=400) + 1.5 * (rng.random(400) < 0.25) for _ in range(26)]
        alarmed += ic.watch(comparison, weeks, condition=ic.Condition(1, 3, 0.25)).alarm is not None
    assert alarmed <= 8


def test_a_fall_of_the_prevalence_is_found_and_priced():
    """From 25 to 5 %: an alarm soon, another threshold, and what keeping the old one costs."""
    rng = np.random.default_rng(4)
    y = np.arange(4000) < 1000
    comparison = ic.Comparison.from_scores(y, {"m": rng.normal(size=4000) + 1.5 * y})
    weeks = {f"week {i}": rng.normal(size=2000) + 1.5 * (rng.random(2000) < 0.05) for i in range(3)}
    watched = ic.watch(comparison, weeks, condition=ic.Condition(1, 3, 0.25))
    assert watched.alarm.period == "week 0"
    assert watched.alarm.kind == "change"
    assert not watched.periods[0].still_cheapest
    assert watched.periods[0].best_threshold > watched.threshold
    assert "only the prevalence moved" in str(watched)


def test_labels_that_contradict_the_scores_alarm():
    """Positives became weaker: the scores alone see fewer positives, the labels do not."""
    rng = np.random.default_rng(6)
    y = np.arange(4000) < 1000
    comparison = ic.Comparison.from_scores(y, {"m": rng.normal(size=4000) + 2 * y})
    now = rng.random(3000) < 0.25
    scores = rng.normal(size=3000) + 0.8 * now
    watched = ic.watch(
        comparison, {"w": scores[500:]}, labels={"w": (now[:500], scores[:500])}, condition=ic.Condition(1, 3, 0.25)
    )
    assert "labels" in watched.periods[0].alarm


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ic.watch(COMPARISON, [FIRST]), ConditionError, "no costs are known"),
        (lambda: ic.watch(COMPARISON, {}, condition=CONDITION), InputError, "periods is empty"),
        (lambda: ic.watch(COMPARISON["m"], [FIRST], condition=CONDITION), InputError, "Decision or a Comparison"),
        (lambda: ic.watch(COMPARISON, [FIRST], condition=ic.Conditions.beta(2, 3)), ConditionError, "no unit"),
        (lambda: ic.watch(COMPARISON, [FIRST], condition=CONDITION, current=("x", 1)), UnknownNameError, "'x'"),
        (
            lambda: ic.watch(COMPARISON, {"a": FIRST}, condition=CONDITION, labels={"b": (Y, S)}),
            UnknownNameError,
            "period of labels 'b'",
        ),
        (lambda: ic.watch(COMPARISON, [FIRST], condition=CONDITION, error_rate=0), InputError, "error_rate"),
    ],
)
def test_bad_input_is_named(call, error, message):
    """Each refusal says what is wrong."""
    with pytest.raises(error, match=message):
        call()


def test_a_rule_of_an_infinite_score_is_not_called_flagging_nobody():
    """It catches three of four positives."""
    scores = [np.inf] * 3 + [3, 2, 1, 1, 0]
    decision = ic.Comparison.from_scores([1, 1, 1, 0, 1, 0, 0, 0], {"m": scores}).decide(ic.Condition(5, 1, 0.5))
    found = ic.watch(decision, [[np.inf, 2, 3, 0, 1, 1, 0]])
    assert (found.rule, found.periods[0].best_rule) == ("m at score ≥ ∞", "m at score ≥ ∞")

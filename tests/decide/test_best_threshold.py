import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.errors import ConditionError, InfeasibleError, InputError
from oracles import brute_force
from strategies import conditions, inside_unit, samples, uncertain_conditions, unit

PAPERS = json.loads((Path(__file__).parents[1] / "golden" / "papers.json").read_text())
finite = {"kinds": ("tied", "probabilities")}


def every_point(sample):
    """All operating points as floats: fpr, tpr, threshold."""
    return [(float(x), float(y), cut) for x, y, cut in brute_force.points(sample.y, sample.s, sample.w)]


def reproduces(sample, choice):
    """Whether applying score >= threshold has the stated rates."""
    w = np.ones(sample.y.size) if sample.w is None else sample.w
    hit = sample.s >= choice.threshold
    rates = [w[hit & (sample.y == label)].sum() / w[sample.y == label].sum() for label in (0, 1)]
    return rates == pytest.approx([choice.fpr, choice.tpr], abs=1e-14)


@given(samples(**finite), conditions())
def test_best_threshold_is_the_cheapest_of_all(sample, condition):
    """Every threshold tried; the choice's own numbers follow from its rates."""
    choice = ic.best_threshold(sample.curve, condition)
    lowest = min(condition.expected_cost(x, y) for x, y, _ in every_point(sample))
    assert choice.expected_cost == pytest.approx(lowest, abs=1e-10)
    assert choice.normalised_cost == pytest.approx(condition.normalised_cost(choice.fpr, choice.tpr))
    flagged = condition.prevalence * choice.tpr + (1 - condition.prevalence) * choice.fpr
    assert choice.flagged == pytest.approx(flagged)
    if flagged > 0:
        assert choice.precision == pytest.approx(condition.prevalence * choice.tpr / flagged)
    else:
        assert choice.precision is None
    assert reproduces(sample, choice)


@given(samples(**finite), unit, unit)
def test_the_choice_stays_best_exactly_as_long_as_it_says(sample, t, other):
    """Inside its range of t its line is the envelope; outside it is above."""
    curve = sample.curve
    choice = ic.best_threshold(curve, ic.Condition.from_t(t))
    span = choice.threshold_drift.t
    assert span[0] <= t <= span[1]
    cost = other * choice.fpr + (1 - other) * (1 - choice.tpr)
    lowest = float(curve.optimal_cost(other))
    if span[0] <= other <= span[1]:
        assert cost == pytest.approx(lowest, abs=1e-14)
    else:
        assert cost >= lowest - 1e-15


def test_at_equal_cost_fewer_are_flagged():
    """At a switching point both thresholds cost the same."""
    curve = ic.RocCurve.from_points([0.2, 0.6], [0.6, 0.9], thresholds=[2, 1])
    choice = ic.best_threshold(curve, ic.Condition.from_t(float(curve.switches[1])))
    assert choice.threshold == 2


@given(samples(**finite), uncertain_conditions())
def test_under_uncertain_conditions_the_best_fixed_threshold_is_best_on_average(sample, over):
    """With costs, in their unit and so at their means; without, in mean normalised cost and so at the mean of t."""
    choice = ic.best_threshold(sample.curve, over)
    mean = over.mean if over.means is None else over.means.t
    lowest = min(mean * x + (1 - mean) * (1 - y) for x, y, _ in every_point(sample))
    assert choice.normalised_cost == pytest.approx(lowest, abs=1e-12)
    if over.means is not None:
        money = min(over.means.expected_cost(x, y) for x, y, _ in every_point(sample))
        assert choice.expected_cost == pytest.approx(money, abs=1e-12 * over.means.worst_cost)


@given(samples(**finite), unit)
def test_neyman_pearson_catches_most_within_the_limit(sample, limit):
    """Over all thresholds; at equal catch with the fewest false alarms."""
    choice = ic.decide.neyman_pearson(sample.curve, max_fpr=limit)
    allowed = [(y, -x) for x, y, _ in every_point(sample) if x <= limit + 1e-15]
    assert (choice.tpr, -choice.fpr) == pytest.approx(max(allowed), abs=1e-14)
    assert reproduces(sample, choice)


@given(samples(**finite), unit, st.one_of(st.none(), inside_unit))
def test_workforce_catches_most_with_the_cases_it_can_handle(sample, limit, prevalence):
    """Over all thresholds, at the data's prevalence or another."""
    choice = ic.decide.workforce(sample.curve, max_flagged=limit, prevalence=prevalence)
    p = sample.curve.prevalence if prevalence is None else prevalence
    allowed = [y for x, y, _ in every_point(sample) if p * y + (1 - p) * x <= limit + 1e-15]
    assert choice.tpr == pytest.approx(max(allowed), abs=1e-14)
    assert choice.flagged <= limit + 1e-14
    assert reproduces(sample, choice)


@given(samples(**finite), unit, inside_unit)
def test_a_least_precision_catches_most_that_is_precise_enough(sample, least, prevalence):
    """Over all thresholds; flagging nobody is never wrong."""
    points = [(x, y) for x, y, _ in every_point(sample)]
    feasible = [y for x, y in points if prevalence * y * (1 - least) >= least * (1 - prevalence) * x]
    choice = ic.best_threshold(sample.curve, min_precision=least, prevalence=prevalence)
    assert choice.tpr >= max(feasible) - 1e-14
    assert choice.precision is None or choice.precision >= least - 1e-9
    assert reproduces(sample, choice)


def hull_height(curve, fpr):
    """Highest tpr on the hull at an fpr."""
    hull = curve.hull
    return max(
        [y for x, y in zip(hull.fpr, hull.tpr, strict=True) if x == fpr], default=np.interp(fpr, hull.fpr, hull.tpr)
    )


@given(samples(**finite), unit)
def test_randomised_neyman_pearson_reaches_the_hull(sample, limit):
    """A mix of two thresholds with its probability: exactly the limit, exactly the hull."""
    curve = sample.curve
    choice = ic.decide.neyman_pearson(curve, max_fpr=limit, randomised=True)
    assert choice.fpr <= limit + 1e-12
    assert choice.tpr == pytest.approx(hull_height(curve, limit), abs=1e-9)
    if choice.other is not None:
        assert 0 < choice.share <= 1
        low, high = (np.flatnonzero(curve.thresholds >= cut)[-1] for cut in (choice.threshold, choice.other.threshold))
        p = choice.share
        assert choice.fpr == pytest.approx((1 - p) * curve.fpr[low] + p * curve.fpr[high], abs=1e-14)
        assert choice.tpr == pytest.approx((1 - p) * curve.tpr[low] + p * curve.tpr[high], abs=1e-14)


def workforce_walk(curve, limit, prevalence):
    """Drummond & Holte (2000), eq. 14: walk the vertices of the envelope, looking for the line through the virtual point.

    NE[C] = (1 - C/P + (N/P - 1)·FP)·PCF + FP, in shares of all cases: C the capacity, P and N the class shares. At each vertex of
    the envelope the equation gives the FP of the line through it that meets the constraint; it is the answer when the line lies between
    the two classifiers that share the vertex.
    """
    hull = curve.hull
    positive, negative = prevalence, 1 - prevalence
    for i, t in enumerate(curve.switches[::-1]):
        pcf, cost = 1 - t, t * hull.fpr[i] + (1 - t) * (1 - hull.tpr[i])
        fp = (cost - (1 - limit / positive) * pcf) / (1 + (negative / positive - 1) * pcf)
        if hull.fpr[i] - 1e-12 <= fp <= hull.fpr[i + 1] + 1e-12:
            tp = (limit - negative * fp) / positive
            if hull.tpr[i] - 1e-9 <= tp <= hull.tpr[i + 1] + 1e-9:
                return fp, tp
    return None


@given(samples(**finite), unit, st.floats(0.05, 0.95))
def test_randomised_workforce_equals_the_walk_along_the_envelope(sample, limit, prevalence):
    """The paper's own algorithm in cost space finds the same mix; the whole capacity is used, as long as there is something to catch."""
    curve = sample.curve
    choice = ic.decide.workforce(curve, max_flagged=limit, prevalence=prevalence, randomised=True)
    walked = workforce_walk(curve, limit, prevalence)
    assert walked is not None
    if choice.tpr < 1 - 1e-12:
        assert choice.flagged == pytest.approx(limit, abs=1e-12)
        assert (choice.fpr, choice.tpr) == pytest.approx(walked, abs=1e-8)
    else:  # nothing is left to catch: the rest of the capacity is not wasted on false alarms
        assert choice.flagged <= limit + 1e-12
        assert choice.fpr <= walked[0] + 1e-8
    assert choice.tpr >= ic.decide.workforce(curve, max_flagged=limit, prevalence=prevalence).tpr - 1e-12


@given(samples(**finite), unit, unit)
def test_the_worst_case_is_the_lowest_worst_case(sample, a, b):
    """Over all thresholds, with the worst of a range at one of its ends; a random mix is never worse."""
    low, high = sorted((a, b))
    over = ic.Conditions.uniform(t=(low, high))
    choice = ic.best_threshold(sample.curve, over, worst_case=True)
    worst = [max(t * x + (1 - t) * (1 - y) for t in (low, high)) for x, y, _ in every_point(sample)]

    def worst_of(c):
        return max(t * c.fpr + (1 - t) * (1 - c.tpr) for t in (low, high))

    assert worst_of(choice) == pytest.approx(min(worst), abs=1e-14)
    mixed = ic.best_threshold(sample.curve, over, worst_case=True, randomised=True)
    assert worst_of(mixed) <= worst_of(choice) + 1e-14
    # By the minimax theorem the mix cannot beat the envelope's highest point in the range.
    t = np.unique(
        np.concatenate(
            [[low, high], sample.curve.switches[(sample.curve.switches > low) & (sample.curve.switches < high)]]
        )
    )
    assert worst_of(mixed) == pytest.approx(float(sample.curve.optimal_cost(t).max()), abs=1e-12)


def test_a_choice_reads_as_an_instruction():
    """What to do, what it catches, what it costs."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="forest")
    credit = ic.Condition(1, 5, 0.3)
    assert str(ic.best_threshold(curve, credit)) == (
        "forest: flag cases with score ≥ 0.6; catches 100 % of positives, flags 50 % of negatives; expected cost 0.35 per case"
    )
    assert "flag nobody" in str(ic.best_threshold(ic.RocCurve.from_scores([1, 0], [0, 1]), ic.Condition.from_t(0.9)))
    assert "flag everybody" in str(ic.best_threshold(ic.RocCurve.from_scores([1, 0], [0, 1]), ic.Condition.from_t(0.1)))
    mixed = ic.decide.neyman_pearson(curve, max_fpr=0.25, randomised=True, condition=credit)
    assert "with probability 0.5 those of 0.6 or more instead" in str(mixed)
    assert mixed.to_dict()["share"] == 0.5
    assert mixed.expected_cost == pytest.approx(credit.expected_cost(mixed.fpr, mixed.tpr))
    point = ic.best_threshold(ic.RocCurve.from_confusion(16, 4, 4, 6))
    assert (point.rule, point.to_dict()["threshold"]) == ("point", None)


def test_ranges_are_priced_at_their_means_and_a_distribution_of_t_is_not_sold_as_money():
    """Typed quantities are uniform and independent, so a rule costs what it costs at the middles; t alone has no unit."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    choice = ic.best_threshold(curve, ic.Conditions.from_costs(cost_fn=(5, 20), prevalence=(0.1, 0.4)))
    assert choice.expected_cost == pytest.approx(0.375)
    assert choice.flagged == pytest.approx(0.25 + 0.75 / 2)
    alone = ic.best_threshold(curve, ic.Conditions.uniform(t=(0.1, 0.4)))
    assert alone.expected_cost is None
    assert "normalised cost 0.125" in str(alone)


def test_constrained_choices_without_a_condition_have_no_cost():
    """Rates, precision and share flagged at the data's prevalence; the costs are unknown."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    choice = ic.decide.neyman_pearson(curve, max_fpr=0.0)
    assert choice.expected_cost is None
    assert choice.normalised_cost is None
    assert choice.flagged == pytest.approx(0.4)
    bare = ic.decide.neyman_pearson(ic.RocCurve.from_points([0.1], [0.5]), max_fpr=0.2)
    assert bare.flagged is None


def test_a_threshold_off_the_hull_is_never_cheapest():
    """Neyman-Pearson may pick it all the same; its range of t is then empty."""
    curve = ic.RocCurve.from_points([0.1, 0.2, 0.5], [0.6, 0.62, 0.95], thresholds=[3, 2, 1])
    choice = ic.decide.neyman_pearson(curve, max_fpr=0.3)
    assert choice.threshold == 2
    assert choice.threshold_drift is None


def test_best_threshold_of_a_continuous_curve():
    """Closed form for two normals."""
    curve = ic.RocCurve.from_distributions(stats.norm(2, 1), stats.norm(0, 1))
    choice = ic.best_threshold(curve, ic.Condition(1, 4, 0.2))
    assert choice.threshold == pytest.approx(1 + math.log(1) / 2, abs=1e-6)
    assert choice.tpr == pytest.approx(stats.norm.cdf(1), abs=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda c: ic.best_threshold(c, 0.3),
            ConditionError,
            r"condition must be a Condition or Conditions, .*got 0.3",
        ),
        (lambda c: ic.decide.neyman_pearson(c, max_fpr=1.5), InputError, r"max_fpr must be between 0 and 1, got 1.5"),
        (
            lambda c: ic.decide.workforce(c, max_flagged=-0.1),
            InputError,
            r"max_flagged must be between 0 and 1, got -0.1",
        ),
        (
            lambda c: ic.decide.workforce(c, max_flagged=0.1, prevalence=7),
            InputError,
            r"prevalence must be between 0 and 1, got 7",
        ),
        (lambda c: ic.best_threshold(c, min_precision=math.nan), InputError, r"min_precision must be .*got nan"),
        (
            lambda c: ic.best_threshold(c, min_tpr=0.9, max_fpr=0.01),
            InfeasibleError,
            r"no rule keeps max_fpr=0.01 and min_tpr=0.9: loosen one of them",
        ),
        (
            lambda _: ic.decide.workforce(ic.RocCurve.from_points([0.1], [0.5]), max_flagged=0.1),
            InputError,
            r"prevalence is unknown.*pass prevalence=",
        ),
    ],
)
def test_bad_constraints_are_refused(call, error, message):
    """Naming the argument, the value, and what can be reached."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0, 1], [0.5, 0.5, 0.4, 0.3, 0.2])
    with pytest.raises(error, match=message):
        call(curve)


@given(samples(max_size=16), unit, unit, unit, unit)
def test_cheapest_threshold_within_limits_is_found_by_trying_all(sample, t, max_fpr, max_flagged, min_precision):
    """Among the points that keep every limit none is cheaper."""
    curve, condition = sample.curve, ic.Condition.from_t(t)
    limits = {"max_fpr": max_fpr, "max_flagged": max_flagged, "min_precision": min_precision}
    slack, fpr, tpr = 1e-14, curve.fpr, curve.tpr
    flagged = (fpr + tpr) / 2
    keeps = (fpr <= max_fpr + slack) & (flagged <= max_flagged + slack) & (tpr / 2 >= min_precision * flagged - slack)
    choice = ic.best_threshold(curve, condition, **limits)
    assert choice.normalised_cost <= condition.normalised_cost(fpr, tpr)[keeps].min() + slack
    assert choice.fpr <= max_fpr + slack
    assert choice.flagged <= max_flagged + slack


def test_limits_at_uncertain_conditions_use_the_prevalence_they_fix_or_the_data():
    """The one threshold that is cheapest on average and keeps the limit where it will be used."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    rare = ic.Conditions.from_costs(cost_fp=1, cost_fn=(500, 2000), prevalence=0.01)
    assert ic.best_threshold(curve, rare).threshold == 0.6
    assert ic.best_threshold(curve, rare, max_flagged=0.4).threshold == 0.8
    choice = ic.best_threshold(curve, ic.Conditions.uniform(t=(0, 0.2)), max_flagged=0.7)
    assert choice.threshold == 0.8
    assert choice.normalised_cost == pytest.approx(0.9 / 3)

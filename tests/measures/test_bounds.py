import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost import RocCurve
from isocost.errors import InexactError, InfeasibleError
from strategies import samples

RANKED = [name for name, m in ic.registered_measures().items() if "probabilities" not in m.needs]


def bucketed(sample, edges):
    """Count a sample in buckets between the edges."""
    edges = np.concatenate([[-np.inf], np.unique(edges), [np.inf]])
    counts = ic.ScoreCounts.from_arrays(sample.y, sample.s, sample_weight=sample.w)
    place = np.searchsorted(edges, counts.scores, side="right")
    start = np.concatenate([[0], np.flatnonzero(np.diff(place)) + 1])
    end = np.concatenate([start[1:], [len(counts)]]) - 1
    ups, downs = (np.add.reduceat(c, start) for c in (counts.positives, counts.negatives))
    return counts, ic.ScoreCounts(counts.scores[end], ups, downs, upper=counts.scores[start])


def edges():
    """Where buckets meet."""
    return st.lists(st.floats(-3, 3), max_size=6)


@given(samples(), edges())
def test_the_bounds_of_auc_are_the_areas_of_the_lowest_and_the_highest_curve(sample, edges):
    """They are found without laying those curves out, and are the same to the last digit where counts are whole."""
    counts = bucketed(sample, edges)[1]
    curve = RocCurve.from_counts(counts)
    found, laid_out = counts.bounds("auc"), [ic.auc(path) for path in (curve._pessimistic, curve._optimistic)]
    if counts.positives.dtype == np.int64:
        assert [found.low, found.high] == laid_out
    assert np.allclose([found.low, found.high], laid_out, rtol=0, atol=1e-12)


@given(samples(), edges(), st.sampled_from(RANKED))
def test_bounds_hold_the_measure_of_the_cases(sample, edges, name):
    """Whatever the buckets, every registered measure of the cases lies between the two numbers."""
    counts, coarse = bucketed(sample, edges)
    measure = ic.registered_measures()[name]
    bounds = coarse.bounds(name)
    truth = measure(ic.RocCurve.from_counts(counts))
    assert bounds.low - 1e-9 <= truth <= bounds.high + 1e-9
    assert counts.bounds(name).width == 0


@given(samples(), edges(), st.sampled_from(sorted(ic.registered_measures())))
def test_a_measure_of_buckets_is_exact_or_refused(sample, edges, name):
    """No number is given out that the buckets leave open."""
    counts, coarse = bucketed(sample, edges)
    measure = ic.registered_measures()[name]
    curve = ic.RocCurve.from_counts(coarse)
    assume(measure.unavailable(ic.RocCurve.from_counts(counts)) is None)
    try:
        value = measure(curve)
    except InexactError:
        assert not coarse.exact
    else:
        assert value == pytest.approx(measure(ic.RocCurve.from_counts(counts)), abs=1e-12)


@given(samples(weighted=(None,)), edges())
def test_gaps_are_bounded_by_the_heaviest_bucket(sample, edges):
    """With eps its share of positives plus negatives: cost within eps·t(1-t), its mean within eps/6, VOROS within eps/4, AUC by area.

    The corner of a bucket costs less than its two ends by (1-t)·p and t·n; the smaller of both is at most t(1-t)(p+n).
    VOROS falls with cost at a rate of c/(t(1-t)) ≤ 1/max(t, 1-t), and the integral of min(t, 1-t) is 1/4.
    """
    _, coarse = bucketed(sample, edges)
    curve = ic.RocCurve.from_counts(coarse)
    p, n = coarse.positives / coarse.positives.sum(), coarse.negatives / coarse.negatives.sum()
    open_rows = np.zeros(len(coarse), bool) if coarse.upper is None else coarse.upper > coarse.scores
    eps = float(np.max((p + n)[open_rows], initial=0.0))
    t = np.linspace(0, 1, 41)
    gap = curve._pessimistic.optimal_cost(t) - curve._optimistic.optimal_cost(t)
    assert np.all(gap <= eps * t * (1 - t) + 1e-12)
    assert coarse.bounds(ic.voros).width <= eps / 4 + 1e-12
    assert coarse.bounds(ic.mean_normalised_cost).width <= eps / 6 + 1e-12
    assert coarse.bounds(ic.auc).width == pytest.approx(float(np.sum((p * n)[open_rows])), abs=1e-12)


def test_bounds_take_options_and_other_functions():
    """Conditions reach the measure; any monotone function of a curve will do."""
    counts = ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3], upper=[1.0, 0.4])
    assert counts.bounds("mean_normalised_cost", over=ic.Condition.from_t(0.5)).to_dict() == {
        "low": 0.125,
        "high": 0.25,
    }
    assert counts.bounds(ic.partial_auc, fpr=(0, 0.5)).low < counts.bounds(ic.partial_auc, fpr=(0, 0.5)).high
    assert counts.bounds(lambda curve: curve.hull.tpr[1]).high == 0.75
    assert 0.7 in counts.bounds("auc")
    assert str(counts.bounds("auc")) == "0.5625 to 0.9375"
    assert counts.bounds("auc").middle == 0.75
    assert str(ic.measures.Bounds(0.09584080000000003, 0.09584080000000005)) == "0.0958408"


@given(
    samples(kinds=("tied", "probabilities")), st.lists(st.floats(0, 1), max_size=6),
    st.sampled_from(["brier_loss", "calibration_loss"]), st.sampled_from(["pcf", "cost_proportion"]),
)  # fmt: skip
def test_bounds_hold_the_losses_of_probabilities(sample, edges, name, axis):
    """Where in its bucket a score lies changes what it costs as a probability, also in a bucket of one class."""
    counts, coarse = bucketed(sample, edges)
    bounds = coarse.bounds(name, axis=axis)
    truth = ic.registered_measures()[name](ic.RocCurve.from_counts(counts), axis=axis)
    assert bounds.low - 1e-12 <= truth <= bounds.high + 1e-12


def test_the_brier_score_is_bounded_by_the_ends_of_buckets():
    """Positives at the top and negatives at the bottom score best, the other way round worst; both are reached."""
    counts = ic.ScoreCounts([0.6, 0.1], [2, 0], [1, 1], upper=[0.8, 0.3])
    best = ic.brier_loss(ic.RocCurve.from_scores([1, 1, 0, 0], [0.8, 0.8, 0.6, 0.1]))
    worst = ic.brier_loss(ic.RocCurve.from_scores([1, 1, 0, 0], [0.6, 0.6, 0.8, 0.3]))
    assert counts.bounds("brier_loss").to_dict() == {"low": best, "high": worst}


@given(samples(), edges(), st.floats(0.05, 1), st.sampled_from([None, 0.2]))
def test_bounds_hold_under_limits(sample, edges, share, prevalence):
    """A threshold inside the bucket in which the budget runs out may keep it where the bucket's better corner does not."""
    counts, coarse = bucketed(sample, edges)
    truth = RocCurve.from_counts(counts)
    for limits in ({"max_flagged": share, "prevalence": prevalence}, {"max_fpr": share}):
        bounds, value = coarse.bounds(ic.voros, **limits), ic.voros(truth, **limits)
        assert bounds.low - 1e-9 <= value <= bounds.high + 1e-9


def test_a_budget_that_ends_inside_a_bucket_is_bounded():
    """Half of the flagged bucket may be all positives or none: without the point on the budget the upper end would be too low."""
    counts = ic.ScoreCounts([0.5, 0.0], [4, 0], [4, 4], upper=[1.0, 0.4])
    truth = ic.RocCurve.from_scores([1] * 4 + [0] * 8, [0.9, 0.8, 0.7, 0.6, 0.5, 0.5, 0.5, 0.5, 0, 0.1, 0.2, 0.3])
    bounds = counts.bounds("voros", max_flagged=0.25)
    assert bounds.low < ic.voros(truth, max_flagged=0.25) <= bounds.high + 1e-12
    assert bounds.high == pytest.approx(ic.voros(truth, max_flagged=0.25))
    assert ic.voros(ic.RocCurve.from_counts(counts)._optimistic, max_flagged=0.25) < bounds.high


def test_limits_that_only_the_best_case_keeps_are_open_and_not_broken():
    """Some scores inside the bucket reach the precision: nobody may say that none do."""
    counts = ic.ScoreCounts([0.5, 0.0], [3, 1], [3, 3], upper=[1.0, 0.0])
    with pytest.raises(InexactError, match="whether any threshold keeps the limits depends on scores"):
        counts.bounds("voros", min_precision=0.9)
    with pytest.raises(InfeasibleError):
        ic.ScoreCounts([0.5, 0.0], [3, 1], [3, 3]).bounds("voros", min_precision=0.9)

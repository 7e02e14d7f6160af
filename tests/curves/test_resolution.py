"""Counts in buckets: a bucket is one tied score, and one number says what finer thresholds could save."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from strategies import bucketed_models, samples, unit

# Two buckets of both classes: (3 of 4 positives, 1 of 4 negatives), then the rest.
WIDE = ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3], upper=[1.0, 0.4])


@given(bucketed_models(max_size=30))
def test_the_ends_of_buckets_are_thresholds_and_exact(pair):
    """Every point of the coarse curve is a point of the fine one, with the same threshold and the same counts."""
    fine, coarse = pair
    for name in fine.names:
        one, other = fine[name], coarse[name]
        at = [one.thresholds.tolist().index(cut) for cut in other.thresholds.tolist()]
        assert np.array_equal(one.fp[at], other.fp)
        assert np.array_equal(one.tp[at], other.tp)


@given(bucketed_models(max_size=30), unit)
def test_resolution_bounds_what_finer_thresholds_save(pair, t):
    """At any costs the true lowest cost is at most so much below that of the ends, and areas differ by half the pairs at most."""
    fine, coarse = pair
    for name in fine.names:
        saved = float(coarse[name].optimal_cost(t) - fine[name].optimal_cost(t))
        assert -1e-12 <= saved <= coarse[name].resolution + 1e-12
        assert abs(ic.auc(fine[name]) - ic.auc(coarse[name])) <= coarse[name].resolution_of_area / 2 + 1e-12
        assert (fine[name].resolution, fine[name].resolution_of_area) == (0, 0)


def test_resolution_is_reached_by_the_best_order_inside_the_buckets():
    """Against brute force: the best of all orders of the cases, at every t of a fine grid that has the switches."""
    kinds = [sorted(set(permutations([1] * up + [0] * down))) for up, down in ((3, 1), (1, 3))]
    orders = [[*first, *second] for first in kinds[0] for second in kinds[1]]
    t = np.linspace(0, 1, 421)
    curve = ic.RocCurve.from_counts(WIDE)
    best = np.min([ic.RocCurve.from_scores(y, -np.arange(8)).optimal_cost(t) for y in orders], axis=0)
    assert curve.resolution == pytest.approx(np.max(curve.optimal_cost(t) - best), abs=1e-3)
    assert np.max(curve.optimal_cost(t) - best) <= curve.resolution + 1e-15
    areas = [ic.auc(ic.RocCurve.from_scores(y, -np.arange(8))) for y in orders]
    assert curve.resolution_of_area == max(areas) - min(areas)
    assert ic.auc(curve) == (max(areas) + min(areas)) / 2


def test_buckets_that_hide_nothing_have_resolution_0():
    """Of one class, of one score, or below the hull of the ends."""
    pure = ic.ScoreCounts([0.5, 0.0], [4, 0], [0, 4], upper=[1.0, 0.4])
    tied = ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3])
    below = ic.ScoreCounts([0.9, 0.8, 0.5, 0.3, 0.1], [6, 0, 1, 5, 0], [0, 2, 1, 0, 3], upper=[0.9, 0.8, 0.6, 0.3, 0.1])
    for counts in (pure, tied, below):
        assert ic.RocCurve.from_counts(counts).resolution == 0
    assert ic.RocCurve.from_counts(below).resolution_of_area == pytest.approx(1 / 72)


def test_a_threshold_inside_a_bucket_is_refused_with_the_ends_beside_it():
    """The ends themselves, and numbers between buckets, are known."""
    curve = ic.RocCurve.from_counts(WIDE, name="m")
    asked = ic.Condition(1, 2, 0.4)
    message = r"threshold 0\.2 divides scores that were counted together in a bucket: take 0\.5 or 0\.0, the ends"
    for refused in (
        lambda: ic.cost_curve(curve, method="fixed", threshold=0.2),
        lambda: ic.best_threshold(curve, asked, method="fixed", threshold=0.2),
        lambda: ic.Comparison([curve]).decide(asked, current=("m", 0.2)),
        lambda: ic.Comparison([curve]).regret("m", threshold=0.2),
    ):
        with pytest.raises(InputError, match=message):
            refused()
    for cut in (0.5, 0.45, 1.5):
        ic.cost_curve(curve, method="fixed", threshold=cut)


def test_a_threshold_inside_a_bucket_is_not_drawn():
    """The figure of scores refuses it as everything else does."""
    pytest.importorskip("matplotlib")
    with pytest.raises(InputError, match=r"threshold 0\.2 divides scores that were counted together in a bucket"):
        ic.plots.ScoresDisplay(WIDE, threshold=0.2).plot()


@given(samples(weighted=(None,)), st.lists(unit, max_size=4))
def test_answers_from_buckets_are_those_of_tied_scores(sample, edges):
    """Every measure, and the decision: as if all cases of a bucket had its lowest score."""
    cuts = np.concatenate([[-np.inf], np.unique(edges)])
    finite = np.where(np.isfinite(sample.s), sample.s, np.sign(sample.s) * 9)
    place = np.searchsorted(cuts, finite, side="right")
    lowest = np.array([finite[place == k].min() for k in place])
    highest = np.array([finite[place == k].max() for k in place])
    tied = ic.ScoreCounts.from_arrays(sample.y, lowest)
    wide = ic.ScoreCounts(tied.scores, tied.positives, tied.negatives, upper=np.unique(highest)[::-1])
    one, other = ic.RocCurve.from_counts(tied, name="m"), ic.RocCurve.from_counts(wide, name="m")
    for measure in ic.registered_measures().values():
        if measure.unavailable(other) is None:
            assert measure(one) == measure(other)
    asked = ic.Condition(1, 3, 0.3)
    assert ic.best_threshold(one, asked).tpr == ic.best_threshold(other, asked).tpr


@given(samples(weighted=(None,)), st.lists(unit, max_size=4), st.integers(2, 4))
def test_shards_added_are_counted_at_once(sample, edges, shards):
    """In the same buckets: the table of all cases. In others: overlapping buckets become one, and no case is lost."""
    cuts = np.concatenate([[-np.inf], np.unique(edges), [np.inf]])

    def counted(rows, ends):
        place = np.searchsorted(ends, sample.s[rows], side="right")
        kept = np.unique(place)[::-1]
        low = [sample.s[np.searchsorted(ends, sample.s, side="right") == k].min() for k in kept]
        high = [sample.s[np.searchsorted(ends, sample.s, side="right") == k].max() for k in kept]
        ups, downs = ([np.count_nonzero((place == k) & (sample.y[rows] == c)) for k in kept] for c in (1, 0))
        return ic.ScoreCounts(low, ups, downs, upper=high)

    parts = [np.arange(sample.y.size) % shards == k for k in range(shards)]
    parts = [rows for rows in parts if rows.any()]
    total = ic.ScoreCounts.empty()
    for rows in parts:
        total = total + counted(rows, cuts)
    assert total == counted(np.ones(sample.y.size, bool), cuts)
    other = counted(parts[0], cuts[::2]) + total
    assert other.positives.sum() == np.count_nonzero(sample.y[parts[0]]) + np.count_nonzero(sample.y)

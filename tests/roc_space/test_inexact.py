import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InexactError


@pytest.fixture
def curve():
    """One open bucket between 0.4 and 0.6, its corner above the hull."""
    counts = ic.ScoreCounts([0.8, 0.4, 0.1], [5, 3, 2], [1, 3, 6], upper=[0.9, 0.6, 0.1])
    return ic.RocCurve.from_counts(counts, name="m")


def test_the_ends_of_buckets_are_certain(curve):
    """They are the curve's points; above and below them run the best and the worst path."""
    assert curve.fp.tolist() == [0, 1, 4, 10]
    assert curve.tp.tolist() == [0, 5, 8, 10]
    assert not curve.exact
    assert curve._optimistic.fp.tolist() == [0, 0, 1, 1, 4, 10]
    assert curve._optimistic.tp.tolist() == [0, 5, 5, 8, 8, 10]
    assert curve._pessimistic.tp.tolist() == [0, 0, 5, 5, 8, 10]
    assert curve._optimistic.exact
    assert repr(curve) == "<RocCurve 'm': 4 points, hull known within bounds, 10 positives, 10 negatives>"


def test_thresholds_inside_a_bucket_are_refused(curve):
    """At the ends the operating point is known, between them it is not."""
    assert curve._points_at([0.8, 0.7, 0.4, 0.1]).tolist() == [1, 1, 2, 3]
    for cut in (0.5, 0.6, 0.9):
        with pytest.raises(
            InexactError, match=rf"the operating point of threshold {cut} \(that of .* is known\) depends on"
        ):
            curve._points_at([0.8, cut])


@pytest.mark.parametrize(
    "use",
    [
        lambda c: c.hull,
        ic.auc,
        ic.cost_curve,
        lambda c: ic.cost_curve(c, method="rate_driven"),
        ic.minimax,
        ic.kendall_curve,
        lambda c: ic.voros(c, max_fpr=0.2),
        lambda c: ic.voros(c, include_trivial=False),
        lambda c: ic.comparison.roc_dominates(c, (0.5, 0.5)),
        lambda c: ic.average_roc_curves([c, c]),
        lambda c: ic.roc_space.fit_binormal(c, method="regression"),
        lambda c: ic.point_metrics.best_point(c, "accuracy"),
        lambda c: ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.55, 0.5, 0.1]).calibrator().apply(c),
    ],
)
def test_whatever_needs_the_points_between_is_refused(curve, use):
    """With a message that says how to go on."""
    with pytest.raises(InexactError, match=r"counted together in buckets: .*count again with exact=True"):
        use(curve)


def test_buckets_that_cannot_matter_do_not():
    """A bucket below the hull leaves costs exact, one of a single class leaves the whole path exact."""
    below = ic.ScoreCounts([0.9, 0.8, 0.5, 0.3, 0.1], [6, 0, 1, 5, 0], [0, 2, 1, 0, 3], upper=[0.9, 0.8, 0.6, 0.3, 0.1])
    curve = ic.RocCurve.from_counts(below)
    assert curve.hull_is_exact
    assert ic.voros(curve) == ic.voros(curve._optimistic)
    assert below.bounds("auc").width > 0
    pure = ic.ScoreCounts([0.5, 0.1], [4, 0], [0, 4], upper=[0.9, 0.4])
    assert ic.auc(ic.RocCurve.from_counts(pure)) == 1.0
    assert ic.neyman_pearson(ic.RocCurve.from_counts(pure), max_fpr=0.1).tpr == 1.0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), min_size=1, max_size=10))
def test_a_hull_is_exact_if_the_best_and_the_worst_case_have_the_same(rows):
    """It is told from the corners of the buckets alone."""
    ups, downs, wide = (np.array(column) for column in zip(*rows, strict=True))
    assume(ups.sum() > 0 and downs.sum() > 0)
    scores = -np.arange(len(rows), dtype=float)
    curve = ic.RocCurve.from_counts(ic.ScoreCounts(scores, ups, downs, upper=scores + 0.5 * wide))
    best, worst = curve._optimistic.hull, curve._pessimistic.hull
    same = np.array_equal(best.fp, worst.fp) and np.array_equal(best.tp, worst.tp)
    assert curve.hull_is_exact == same


def test_a_limit_away_from_buckets_can_be_kept():
    """Only a bucket that may hold a better threshold stands in the way."""
    counts = ic.ScoreCounts(
        [0.9, 0.8, 0.5, 0.3, 0.1], [6, 0, 1, 5, 0], [0, 2, 1, 0, 3], upper=[0.9, 0.8, 0.6, 0.3, 0.1]
    )
    curve = ic.RocCurve.from_counts(counts)
    assert ic.neyman_pearson(curve, max_fpr=0.9).threshold == 0.3
    assert ic.neyman_pearson(curve, max_fpr=0.9).tpr_high is None
    found = ic.neyman_pearson(curve, max_fpr=0.4)
    assert (found.threshold, found.tpr, found.tpr_high) == (0.9, 0.5, 7 / 12)
    assert np.isclose(curve._pessimistic.fpr[-1], 1.0)


def test_the_inner_hull_is_certain(curve):
    """Its points are ends of buckets and can be used; the hull lies between it and that of the best case."""
    assert curve._inner_hull.fp.tolist() == [0, 1, 4, 10]
    assert curve._inner_hull.thresholds.tolist() == [np.inf, 0.8, 0.4, 0.1]
    assert curve._optimistic.hull.fp.tolist() == [0, 0, 1, 10]
    exact = ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.5, 0.4, 0.1])
    assert exact._inner_hull is exact.hull


def test_the_best_and_the_worst_case_have_scores_at_the_ends_of_buckets(curve):
    """One class at the top, the other at the bottom; a bucket of a single class is moved as a whole."""
    assert curve._optimistic.thresholds.tolist() == [np.inf, 0.9, 0.8, 0.6, 0.4, 0.1]
    pure = ic.RocCurve.from_counts(ic.ScoreCounts([0.5, 0.1], [4, 0], [0, 4], upper=[0.9, 0.4]))
    assert pure._optimistic.thresholds.tolist() == [np.inf, 0.9, 0.1]
    assert pure._pessimistic.thresholds.tolist() == [np.inf, 0.5, 0.4]


def test_a_binormal_fit_keeps_buckets_whole():
    """The likelihood takes counts per category, which buckets have."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 500)
    counts = ic.ScoreCounts.from_arrays(y, np.floor(4 * (rng.normal(size=500) + y)))
    wide = ic.ScoreCounts(counts.scores, counts.positives, counts.negatives, upper=counts.scores + 0.5)
    fits = [ic.roc_space.fit_binormal(ic.RocCurve.from_counts(table)) for table in (counts, wide)]
    assert fits[0].to_dict() == fits[1].to_dict()


def test_a_limit_that_divides_a_bucket_of_positives_is_not_passed_over():
    """The path is certain, but not how many of the positives in the bucket a threshold inside it flags."""
    counts = ic.ScoreCounts([0.8, 0.4, 0.1], [10, 0, 0], [0, 5, 5], upper=[0.9, 0.4, 0.1])
    curve = ic.RocCurve.from_counts(counts)
    assert ic.auc(curve) == 1.0
    choice = ic.workforce(curve, max_flagged=0.3)
    assert (choice.tpr, choice.tpr_high) == (0.0, pytest.approx(0.6))
    assert ic.workforce(curve, max_flagged=0.5).tpr_high is None
    assert ic.neyman_pearson(curve, max_fpr=0.3).tpr_high is None
    condition = ic.Condition(prevalence=0.5)
    with pytest.raises(InexactError):
        ic.voros(curve, max_flagged=0.3)
    assert ic.voros(curve, max_flagged=0.5)
    assert ic.voros(curve, max_fpr=0.3)
    cheapest = ic.best_threshold(curve, condition, max_flagged=0.3)
    assert (cheapest.normalised_cost, cheapest.normalised_cost_low) == (0.5, pytest.approx(0.2))
    assert ic.best_threshold(curve, condition, max_flagged=0.5).normalised_cost_low is None
    assert ic.best_threshold(curve, condition, max_fpr=0.3).normalised_cost_low is None
    with pytest.raises(InexactError, match="a regression over all points"):
        ic.roc_space.fit_binormal(curve, method="regression")

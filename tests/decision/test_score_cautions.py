import numpy as np
import pytest

import isocost as ic
from isocost.decision.score_cautions import ranks_backwards, score_cautions, separates


def curve_of(n, shift, seed=0, name="m"):
    """A curve of n cases a class, positives higher by some standard deviations."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n)
    return ic.RocCurve.from_scores(y, rng.normal(y * shift), name=name)


def test_backwards_is_said_with_confidence_only():
    """Useless scores are taken for backwards in about 2.5 % of samples, however many cases there are."""
    for n in (20, 200):
        found = np.mean([ranks_backwards(curve_of(n, 0.0, seed)) for seed in range(800)])
        assert 0.01 < found < 0.045
    assert ranks_backwards(curve_of(200, -0.5))
    assert not ranks_backwards(curve_of(200, 0.5))
    assert not ranks_backwards(curve_of(2, -9.0))


def test_perfect_scores_are_suspicious_where_there_are_cases():
    """Not with a handful of cases, where no error is no surprise."""
    assert separates(curve_of(50, 99.0))
    assert not separates(curve_of(5, 99.0))
    assert not separates(curve_of(50, 1.0))


def test_each_model_is_named():
    """And those without a caution are not."""
    told = score_cautions(
        [curve_of(50, 99.0, name="leaky"), curve_of(50, 1.0, name="fine"), curve_of(50, -2.0, name="odd")]
    )
    assert [text.split()[0] for text in told] == ["leaky", "The"]
    assert "scores of odd seem to run the wrong way" in told[1]


def test_curves_without_cases_or_scores_say_nothing():
    """Points and distributions have no sample to judge by."""
    assert score_cautions([ic.RocCurve.from_points([0.5], [0.2])]) == ()


def test_buckets_are_judged_by_what_is_certain():
    """The highest area that the buckets allow."""
    low = ic.ScoreCounts([0.5, 0.0], [10, 190], [190, 10], [1.0, 0.4])
    assert ranks_backwards(ic.RocCurve.from_counts(low))
    wide = ic.ScoreCounts([0.0], [200], [200], [1.0])
    assert not ranks_backwards(ic.RocCurve.from_counts(wide))


@pytest.mark.parametrize("scale", [1, 2])
def test_ties_do_not_hide_the_direction(scale):
    """Two values are enough."""
    y = np.repeat([0, 1], 100)
    assert ranks_backwards(ic.RocCurve.from_scores(y, scale * (1 - y)))


def test_buckets_that_allow_no_error_do_not_say_that_there_was_none():
    """Forty cases of both classes in one bucket may be noise; two buckets of one class each are free of errors."""
    counts = ic.ScoreCounts([0.0], [20], [20], upper=[1.0])
    assert not separates(ic.RocCurve.from_counts(counts))
    apart = ic.ScoreCounts([0.5, 0.0], [20, 0], [0, 20], upper=[1.0, 0.4])
    assert separates(ic.RocCurve.from_counts(apart))

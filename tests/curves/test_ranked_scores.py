import numpy as np
from hypothesis import given

import isocost as ic
from isocost.curves.sort import RankedScores
from strategies import samples


@given(samples(weighted=(None,)))
def test_every_row_drawn_once_gives_the_counts_per_score(sample):
    """Ranking rows and adding them up is the same as counting scores."""
    y = sample.y == 1
    ranked = RankedScores.of(sample.s, np.arange(y.size))
    positives, negatives = ranked.totals(np.ones((1, y.size), dtype=np.int32), y)
    counts = ic.ScoreCounts.from_arrays(sample.y, sample.s)
    assert np.array_equal(ranked.scores, counts.scores)
    assert np.array_equal(positives[0], counts.positives)
    assert np.array_equal(negatives[0], counts.negatives)


def test_negative_zero_ties_with_zero():
    """-0.0 and 0.0 are one score."""
    ranked = RankedScores.of(np.array([0.0, -0.0, 1.0]), np.arange(3))
    assert ranked.scores.tolist() == [1.0, 0.0]

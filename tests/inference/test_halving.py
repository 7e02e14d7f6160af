import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chisquare, multinomial

from isocost.inference import halving
from isocost.inference.halving import Drawn, Leaves, heads


def generator(seed=0):
    """Random bits."""
    return np.random.Generator(np.random.SFC64(seed))


@pytest.mark.parametrize("most", [0, 1, 16, 17, 32, 33, 64, 65, 128, 130, 1536, 1537])
def test_coins_show_heads_as_often_as_fair_ones(most):
    """Each number of coins up to the largest has the binomial distribution, by a chi-squared test of its quartiles."""
    coins = np.tile(np.unique([0, most // 3, most // 2, most]).astype(np.int32), (20_000, 1))
    shown = heads(generator(most), coins)
    assert shown.shape == coins.shape
    for many, seen in zip(coins[0].tolist(), shown.T, strict=True):
        cuts = np.unique(np.concatenate([[-1], binom.ppf([0.25, 0.5, 0.75], many, 0.5), [many]]))
        share = np.diff(binom.cdf(cuts, many, 0.5))
        count = np.histogram(seen, np.append(cuts[:-1], many) + 0.5)[0]
        assert count.sum() == seen.size
        assert many == 0 or chisquare(count, share * seen.size).pvalue > 1e-3


@given(st.integers(2, 5000), st.integers(1, 40), st.integers(1, 5))
def test_leaves_get_as_many_cases_as_there_are(cases, size, resamples):
    """Whatever the size of a leaf, each resample has as many cases as the data, none of them negative."""
    leaves = Leaves(cases, size)
    counts = leaves.draw(generator(cases), resamples)
    assert counts.shape == (resamples, leaves.many)
    assert np.all(counts >= 0)
    assert np.all(counts.sum(axis=1) == cases)


def test_a_case_belongs_to_the_leaf_that_holds_it():
    """The leaf before so many cases begins at or before them, and the leaf up to them ends at or after them."""
    leaves = Leaves(23, 5)
    rank = np.arange(24, dtype=np.int32)
    assert np.all(leaves.before(rank) * 5 <= rank)
    assert np.all((leaves.upto(rank) + 1) * 5 >= rank)
    assert leaves.before(rank)[[0, 4, 5, 23]].tolist() == [0, 0, 1, 4]
    assert leaves.upto(rank)[[0, 5, 6, 23]].tolist() == [0, 0, 1, 4]


@pytest.mark.parametrize("bits", [0, 1536])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_every_outcome_is_as_likely_as_when_cases_are_drawn(monkeypatch, bits, size):
    """Of four cases, opened in two steps, all 35 outcomes come as often as the multinomial distribution says."""
    monkeypatch.setattr(halving, "_BITS", bits)
    resamples = 40_000
    drawn = Drawn(Leaves(4, size), generator(size), resamples)
    row = np.arange(resamples)
    path = {rank: at(drawn, row, rank) for rank in (2, 0, 4, 1, 3)}
    counts = np.diff([path[rank] for rank in range(5)], axis=0)
    assert np.all(counts.sum(axis=0) == 4)
    outcomes, seen = np.unique(counts, axis=1, return_counts=True)
    assert outcomes.shape[1] == 35
    expected = multinomial(4, [0.25] * 4).pmf(outcomes.T) * resamples
    assert chisquare(seen, expected).pvalue > 1e-3


def at(drawn, row, rank):
    """How many cases of each resample are among the first `rank`."""
    ranks = np.full(row.size, rank, dtype=np.int32)
    return drawn.at(row, drawn.leaves.before(ranks), ranks)

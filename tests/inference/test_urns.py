import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, multinomial, poisson

from isocost.inference import blocks
from isocost.inference.blocks import Poisson, Urn


def generator(seed=0):
    """Random bits."""
    return np.random.Generator(np.random.SFC64(seed))


@given(st.lists(st.integers(0, 300), min_size=1, max_size=40).filter(any), st.integers(1, 5))
def test_blocks_get_as_many_cases_as_there_are(sizes, resamples):
    """Each resample has as many cases as the data, none of them in an empty block."""
    sizes = np.array(sizes, dtype=np.int32)
    counts = Urn(sizes).draw(generator(resamples), resamples)
    assert counts.shape == (resamples, sizes.size)
    assert np.all(counts >= 0)
    assert np.all(counts[:, sizes == 0] == 0)
    assert np.all(counts.sum(axis=1) == sizes.sum())


@pytest.mark.parametrize("below", [0.0, 1.0, 4.0])
def test_blocks_get_cases_as_often_as_when_they_are_drawn(monkeypatch, below):
    """Of four cases in three blocks, all 15 outcomes come as often as the multinomial distribution says."""
    monkeypatch.setattr(blocks, "_BELOW", below)
    resamples = 40_000
    counts = Urn(np.array([1, 2, 1], dtype=np.int32)).draw(generator(1), resamples)
    outcomes, seen = np.unique(counts, axis=0, return_counts=True)
    assert outcomes.shape[0] == 15
    assert chisquare(seen, multinomial(4, [0.25, 0.5, 0.25]).pmf(outcomes) * resamples).pvalue > 1e-3


def test_looked_up_numbers_are_poisson_numbers():
    """Of several means at once, zero among them, each is distributed as it should be, by a chi-squared test of its deciles."""
    means = np.array([0.0, 0.3, 4.0, 60.0, 300.0])
    which = np.array([4, 1, 0, 3, 2, 1])
    counts = Poisson(means).draw(generator(3), which, 20_000)
    assert counts.shape == (20_000, 6)
    assert not counts[:, 2].any()
    for mean, seen in zip(means[which], counts.T, strict=True):
        if mean > 0:
            cuts = np.unique(poisson.ppf(np.arange(1, 10) / 10, mean))
            share = np.diff(np.concatenate([[0], poisson.cdf(cuts, mean), [1]]))
            count = np.bincount(np.searchsorted(cuts, seen), minlength=share.size)
            assert chisquare(count, share * seen.size).pvalue > 1e-3
    assert abs(np.corrcoef(counts[:, 1], counts[:, 5])[0, 1]) < 0.03

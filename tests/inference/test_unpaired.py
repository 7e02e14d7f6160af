import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError


def boot(name, seed, n=150, **options):
    """Resamples of one model of its own cases."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < 0.4 * n
    return ic.bootstrap(y, {name: rng.normal(size=n) + y}, **({"n_resamples": 200, "grid": 21} | options))


def test_resamples_of_different_cases_are_independent():
    """Variances of the difference add up, even where cases, seed and model are the same."""
    first, second = boot("a", 0), boot("b", 0)
    assert np.array_equal(first.replicates["a"].own, second.replicates["b"].own)
    both = ic.inference.unpaired(first, second)
    gap = both.replicates["a"].own[:, 10] - both.replicates["b"].own[:, 10]
    assert gap.var() == pytest.approx(2 * first.replicates["a"].own[:, 10].var(), rel=0.3)
    assert np.array_equal(both.replicates["a"].own, first.replicates["a"].own)
    assert sorted(both.replicates["b"].own[:, 10]) == sorted(second.replicates["b"].own[:, 10])
    assert both.replicates["b"].own[0] == pytest.approx(second.replicates["b"].own[100])


def test_bands_and_tests_work_as_ever():
    """Single models have the bands they had; a difference of far better and worse ones is found."""
    first, second = boot("a", 0, n=400), boot("b", 1, n=600)
    both = ic.inference.unpaired(first, second)
    for name, alone in (("a", first), ("b", second)):
        assert both.band(name).low == pytest.approx(alone.band(name).low, abs=1e-12)
    rng = np.random.default_rng(3)
    y = np.arange(400) < 160
    better = ic.bootstrap(y, {"c": rng.normal(size=400) + 3 * y}, n_resamples=200, grid=21)
    assert {claim.better for claim in ic.inference.unpaired(first, better).significant_pairs()} == {"c"}


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (lambda: boot("a", 1), "both have a model 'a'"),
        (lambda: boot("b", 1, n_resamples=100), "as many resamples of both, got 200 and 100"),
        (lambda: boot("b", 1, grid=11), "pass the same grid= to both"),
        (lambda: "b", "second must be a Bootstrap, got str"),
        (lambda: ic.inference.bootstrap_confusion({"b": (30, 10, 12, 28)}, grid=21), "second lists every outcome"),
    ],
)
def test_what_does_not_fit_is_refused(second, message):
    """Names, numbers of resamples and conditions must fit."""
    with pytest.raises(InputError, match=message):
        ic.inference.unpaired(boot("a", 0), second())

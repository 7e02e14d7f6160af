import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.curves import sort
from isocost.curves.sort import TiedScores, count_decimals, sort_scores


def plain(y, s):
    """Distinct scores, descending, and the cases at or above each, one by one."""
    cuts = np.unique(s.astype(float) + 0.0)[::-1]
    return cuts, [int(np.sum(s[~y] >= c)) for c in cuts], [int(np.sum(s[y] >= c)) for c in cuts]


@pytest.fixture
def _short(monkeypatch):
    """Work on seven rows at a time, and count however few rows there are to a step."""
    monkeypatch.setattr(sort, "_CHUNK", 7)
    monkeypatch.setattr(sort, "_LOOK", 3)


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_counts_are_those_of_a_loop_or_none(dtype):
    """Whatever the decimals, signs and ties: nothing is rounded to count it."""

    @given(
        st.integers(0, 2**32),
        st.integers(0, 6),
        st.sampled_from([1e-3, 0.3, 1.0, 40.0]),
        st.sampled_from([0.0, -0.5, 7.1]),
    )
    def check(seed, decimals, spread, centre):
        rng = np.random.default_rng(seed)
        y = rng.random(200) < 0.3
        s = np.round(rng.normal(centre, spread, 200), decimals).astype(dtype)
        s[:2] = 0.0, -0.0
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sort, "_OFTEN", 1)
            found = count_decimals(y, s)
        if found is not None:
            scores, fp, tp = found
            cuts, negatives, positives = plain(y, s)
            assert np.array_equal(scores, cuts)
            assert not np.signbit(scores[scores == 0]).any()
            assert (fp.tolist(), tp.tolist()) == (negatives, positives)

    check()


@pytest.mark.parametrize("decimals", range(4))
def test_many_rounded_scores_are_counted(decimals):
    """As probabilities with up to three decimals are, and as text gives them."""
    rng = np.random.default_rng(0)
    y = rng.random(50_000) < 0.2
    s = np.array([float(f"{v:.{decimals}f}") for v in rng.random(50_000)])
    held = sort_scores(y, s)
    assert count_decimals(y, s) is not None
    assert isinstance(held, TiedScores)
    assert np.array_equal(held.scores, np.unique(s)[::-1])
    assert (held.positives, held.negatives) == (y.sum(), (~y).sum())


@pytest.mark.parametrize("odd", [0.1234567, np.inf, -np.inf, 1e300, np.nextafter(0.5, 1), 5e-324])
def test_one_score_that_is_none_of_them_is_enough(odd):
    """It is found wherever it stands, and all are sorted instead."""
    rng = np.random.default_rng(0)
    y, s = rng.random(50_000) < 0.2, np.round(rng.random(50_000), 2)
    for at in (0, 1, 49_999):
        other = s.copy()
        other[at] = odd
        assert count_decimals(y, other) is None
        held = sort_scores(y, other)
        assert held.distinct == np.unique(other).size


def test_few_rows_to_a_step_and_infinite_scores_are_not_counted():
    """Ten thousand steps of fifty thousand rows are too many; of scores that are all infinite there are none."""
    rng = np.random.default_rng(0)
    y = rng.random(50_000) < 0.2
    assert count_decimals(y, np.round(rng.random(50_000), 4)) is None
    assert count_decimals(y, np.where(y, np.inf, -np.inf)) is None
    assert count_decimals(y, np.full(50_000, np.inf)) is None
    assert count_decimals(y, np.full(50_000, 0.25))[0].tolist() == [0.25]


@pytest.mark.parametrize("large", [2.0**60, -1e300])
def test_scores_too_large_to_be_counted_in_steps_are_sorted(large):
    """Two neighbouring floats there are further apart than any step."""
    y = np.arange(100_000) % 3 == 0
    s = np.full(100_000, large)
    s[::2] = np.nextafter(large, np.inf)
    assert count_decimals(y, s) is None
    assert count_decimals(y, np.full(100_000, large)) is None
    assert sort_scores(y, s).distinct == 2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.curves import sort
from isocost.curves.sort import SortedKeys, SplitScores, TiedScores, pack, sort_scores

DENORMAL = 5e-324
KINDS = {
    "positive": (st.floats(0, allow_nan=False), np.float64),
    "moderate": (st.floats(-1e3, 1e3), np.float64),
    "any": (st.floats(allow_nan=False), np.float64),
    "awkward": (st.sampled_from([0.0, -0.0, DENORMAL, -DENORMAL, 1.0, -1.0, 3.5, np.inf, -np.inf]), np.float64),
    "float32": (st.floats(width=32, allow_nan=False), np.float32),
    "float32 tied": (st.sampled_from([0.25, -0.25, 0.5, 0.0, -0.0, 1e-45]), np.float32),
    "whole": (st.integers(-3, 3), np.float64),
}


@st.composite
def rows(draw, kind, *, rare=False):
    """Labels of both classes and scores; with `rare`, one row of one class."""
    score, dtype = KINDS[kind]
    size = draw(st.integers(2, 80))
    y = np.zeros(size, dtype=bool) if rare else np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    y[0], y[-1] = True, False
    if rare and draw(st.booleans()):
        y = ~y
    return y, np.array(draw(st.lists(score, min_size=size, max_size=size)), dtype=dtype)


def split(y, s):
    """The rows held by class."""
    return SplitScores.of(s[~y], s[y])


def places_counted(y, s):
    """The rows held by class, negatives in no order, as where positives are rarer and sorting is slow."""
    return SplitScores(s[~y], np.sort(s[y]), is_counted=True) if 2 * y.sum() <= y.size else split(y, s)


def packed(y, s):
    """The rows held as keys, or by class where keys do not fit."""
    keys = pack(y, s, int(y.sum()))
    if keys is None:
        return split(y, s)
    keys.keys.sort()
    return keys


def counted(y, s):
    """The rows counted by score, or by class where keys do not fit; by stretches of rows, if there are more than a few."""
    keys = packed(y, s)
    if isinstance(keys, SplitScores):
        return keys
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sort, "FEW_ROWS", 8)
        patch.setattr(sort, "_CHUNK", 8)
        patch.setattr(sort, "_STRETCH", 4)
        return TiedScores.of(keys)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hold", [packed, split, places_counted, counted, sort_scores])
def test_either_way_of_holding_rows_gives_the_counts_of_a_loop(kind, hold):
    """Distinct scores, cases at or above each, and pairs won: as counted one by one, all in whole numbers."""

    @given(rows(kind) | rows(kind, rare=True))
    def check(data):
        y, s = data
        held = hold(y, s)
        assert [v[0] for v in held.points()] == [np.inf, 0, 0]
        scores, fp, tp = (v[1:] for v in held.points())
        cuts = np.unique(s.astype(float) + 0.0)[::-1]
        assert np.array_equal(scores, cuts)
        assert not np.signbit(scores[scores == 0]).any()
        assert fp.tolist() == [int(np.sum(s[~y] >= cut)) for cut in cuts]
        assert tp.tolist() == [int(np.sum(s[y] >= cut)) for cut in cuts]
        won = (s[y][:, None] > s[~y]).sum() * 2 + (s[y][:, None] == s[~y]).sum()
        assert held.twice_won == won
        assert (held.positives, held.negatives, held.size) == (y.sum(), (~y).sum(), y.size)
        assert held.distinct == cuts.size
        assert np.array_equal(held.thresholds(fp, tp), cuts)
        assert held.thresholds(np.array([0]), np.array([0])).tolist() == [np.inf]

    check()


@given(rows("any"))
def test_keys_give_back_every_score(data):
    """The key of a row holds its score to the last bit, -0.0 as 0.0, and its label."""
    y, s = data
    keys = pack(y, s, int(y.sum()))
    if keys is not None:
        assert np.array_equal(keys.scores_of(keys.keys), s)
        assert np.array_equal(keys.keys & 1, y)


def test_magnitudes_over_all_exponents_leave_no_room_for_the_label():
    """Next to each other, -5e-324 and 1e300 need all 64 bits; the classes are then sorted apart."""
    y, s = np.array([True, False, True]), np.array([-DENORMAL, 1e300, 0.5])
    assert pack(y, s, 2) is None
    held = sort_scores(y, s)
    assert isinstance(held, SplitScores)
    assert held.points()[0].tolist() == [np.inf, 1e300, 0.5, -DENORMAL]


def test_a_rare_class_is_sorted_apart():
    """One positive in a hundred: no key is made of it."""
    y = np.arange(1000) % 100 == 0
    s = np.linspace(0, 1, 1000)
    assert isinstance(sort_scores(y, s), SplitScores)
    assert isinstance(sort_scores(np.arange(1000) % 2 == 0, s), SortedKeys)


@pytest.mark.parametrize("rows", [100, 50_000])
def test_scores_that_many_rows_share_are_counted_by_score(rows):
    """Few rows with a tie of both classes, or many rows of few scores, need no keys; distinct scores do."""
    rng = np.random.default_rng(0)
    y = np.arange(rows) % 2 == 0
    assert isinstance(sort_scores(y, np.round(rng.random(rows), 2)), TiedScores)
    assert isinstance(sort_scores(y, np.arange(rows) / 7), SortedKeys)


@given(st.lists(st.integers(1, 60), min_size=3, max_size=6), st.integers(1, 4))
def test_long_runs_of_a_key_are_found_by_their_ends(lengths, last):
    """Where each key begins: inside stretches of rows, at their borders, and in the last one, which may be cut short."""
    lengths = [*lengths, last]
    keys = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sort, "FEW_ROWS", 8)
        patch.setattr(sort, "_STRETCH", 4)
        found = SortedKeys(keys, 1, None, np.float64).starts()
    assert found.tolist() == (np.cumsum(lengths) - lengths).tolist()


@pytest.mark.parametrize("decimals", [1, 4, 16])
def test_chunks_hide_nothing(monkeypatch, decimals):
    """Ties that cross the borders of chunks and words, long ones and short ones, are counted as one."""
    monkeypatch.setattr(sort, "FEW_ROWS", 64)
    monkeypatch.setattr(sort, "_CHUNK", 64)
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.4
    s = np.round(rng.normal(size=3000) + y, decimals)
    keys, apart = packed(y, s), split(y, s)
    assert isinstance(keys, SortedKeys)
    assert all(np.array_equal(a, b) for a, b in zip(keys.points(), apart.points(), strict=True))
    assert keys.twice_won == apart.twice_won
    assert keys.distinct == apart.distinct
    below = np.concatenate([[0], np.cumsum(keys.keys & 1)])
    assert np.array_equal(keys.labels.positives_below(np.arange(3001)), below)

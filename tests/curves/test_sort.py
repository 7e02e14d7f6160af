import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.curves import sort
from isocost.curves.sort import SortedRows, count_decimals, count_scores, sort_numbers, sort_scores

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
NUMBERS = [
    st.integers(0, 2**64 - 1).map(np.uint64),
    st.integers(0, 2**32 - 1).map(np.uint32),
    st.sampled_from([0, 1, 5, 2**63, 2**64 - 1]).map(np.uint64),
]


@st.composite
def rows(draw, kind):
    """Labels of both classes, one of which may be rare, and scores."""
    score, dtype = KINDS[kind]
    size = draw(st.integers(2, 80))
    y = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size))) & draw(st.booleans())
    y[0], y[-1] = True, False
    return y ^ draw(st.booleans()), np.array(draw(st.lists(score, min_size=size, max_size=size)), dtype=dtype)


def packed(y, s):
    """The rows as sorted keys, or None where keys do not fit."""
    held = SortedRows.packed(y, s, int(y.sum()))
    if held is not None:
        held.keys.sort()
    return held


@given(st.sampled_from(NUMBERS).flatmap(lambda kind: st.lists(kind, min_size=1, max_size=300)), st.booleans())
def test_numbers_are_sorted_like_numpy(values, small):
    """Every way through buckets, cells and windows gives the order of NumPy's sort."""
    values = np.array(values)
    expected = np.sort(values)
    with pytest.MonkeyPatch.context() as patch:
        for name, size in {"_FEW": 4, "_WINDOW": 8, "_CHUNK": 32 if small else 2**16}.items():
            patch.setattr(sort, name, size)
        sort_numbers(values)
    assert np.array_equal(values, expected)


@pytest.mark.parametrize("kind", ["uint32", "uint64"])
@pytest.mark.parametrize("crowded", ["no", "far above", "far below", "equal", "half equal"])
def test_many_numbers_are_sorted_at_the_sizes_in_use(kind, crowded):
    """Enough numbers for buckets: spread out, almost all in one place, or equal."""
    rng = np.random.default_rng(0)
    values = rng.integers(2**20, 2**28, 300_000).astype(kind)
    if crowded.startswith("far"):
        values[::1000] = np.iinfo(kind).max if crowded == "far above" else 0
    if "equal" in crowded:
        values[:: 1 if crowded == "equal" else 2] = 2**24
    expected = np.sort(values)
    sort_numbers(values)
    assert np.array_equal(values, expected)


def test_a_failure_in_a_thread_is_not_hidden(monkeypatch):
    """An error while a bucket is sorted reaches the caller, instead of leaving it unsorted."""

    def fail(_):
        raise MemoryError

    monkeypatch.setattr(sort, "_FEW", 8)
    monkeypatch.setattr(sort, "_CHUNK", 16)
    monkeypatch.setattr(sort, "_sort_by_cells", fail)
    with pytest.raises(MemoryError):
        sort_numbers(np.arange(100, dtype=np.uint32))


@pytest.mark.parametrize("kind", KINDS)
def test_sorted_rows_give_the_counts_of_a_loop(kind):
    """Distinct scores, cases at or above each, and pairs won: as counted one by one, all in whole numbers, chunk by chunk too."""

    @given(rows(kind), st.sampled_from([8, 2**16]))
    def check(data, chunk):
        y, s = data
        cuts = np.unique(s.astype(float) + 0.0)[::-1]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sort, "_CHUNK", chunk)
            curve, held = ic.RocCurve.from_scores(y, np.where(np.isinf(s), 9.0, s)), packed(y, s)
            scores, positives, negatives = count_scores(y, s, None)
            if held is not None:
                assert held.twice_won == (s[y][:, None] > s[~y]).sum() * 2 + (s[y][:, None] == s[~y]).sum()
                assert (held.positives, held.negatives, held.size) == (y.sum(), (~y).sum(), y.size)
                assert held.distinct == cuts.size
                assert [held.next_score(int(np.sum(s[~y] >= c)), int(np.sum(s[y] >= c))) for c in cuts] == [
                    *cuts[1:],
                    -np.inf,
                ]
        assert np.array_equal(scores, cuts)
        assert not np.signbit(scores[scores == 0]).any()
        assert negatives.cumsum().tolist() == [int(np.sum(s[~y] >= cut)) for cut in cuts]
        assert positives.cumsum().tolist() == [int(np.sum(s[y] >= cut)) for cut in cuts]
        assert curve.fp[-1] == curve.negatives == np.sum(~y)

    check()


@given(rows("any"))
def test_keys_give_back_every_score(data):
    """The key of a row holds its score to the last bit, -0.0 as 0.0, and its label."""
    y, s = data
    held = SortedRows.packed(y, s, int(y.sum()))
    if held is not None:
        assert np.array_equal(held.scores_of(held.keys), s)
        assert np.array_equal(held.keys & 1, y)


def test_magnitudes_over_all_exponents_leave_no_bit_for_the_label():
    """Next to each other, -5e-324 and 1e300 need all 64 bits; the rows are then ranked."""
    y, s = np.array([True, False, True]), np.array([-DENORMAL, 1e300, 0.5])
    assert SortedRows.packed(y, s, 2) is None
    thresholds, fp, tp = sort_scores(y, s)
    assert thresholds.tolist() == [np.inf, 1e300, 0.5, -DENORMAL]
    assert (fp.tolist(), tp.tolist()) == ([0, 1, 1, 1], [0, 0, 1, 2])


@settings(max_examples=100)
@given(
    st.integers(0, 2**32), st.integers(2, 1000), st.integers(2, 2000), st.sampled_from([0.5, 0.9, 0.02]), st.sampled_from([8, 2**16])
)  # fmt: skip
def test_the_hull_of_sorted_rows_is_that_of_the_curve(seed, size, levels, share, chunk):
    """Few rows tied or many, of one class or both, it has the vertices and thresholds of the points."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < share
    y[:2] = True, False
    s = (rng.integers(0, levels, size) + levels * y * rng.random()) / 7 - rng.integers(0, 2) * 5
    expected = ic.RocCurve.from_scores(y, s, sample_weight=np.ones(y.size)).hull
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sort, "_CHUNK", chunk)
        found = ic.RocCurve.from_scores(y, s).hull
    for name in ("fp", "tp", "thresholds"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()


@pytest.mark.parametrize(
    "kind", ["distinct", "float32", "3 decimals", "5 decimals", "half of one score", "logits", "perfect"]
)
def test_the_hull_of_many_rows_is_that_of_the_curve(kind):
    """At the sizes in use, no vertex is lost."""
    rng = np.random.default_rng(1)
    y = rng.random(150_000) < 0.4
    logits = rng.normal(size=y.size) + 1.2 * y
    p = 1 / (1 + np.exp(-logits))
    s = {
        "distinct": p,
        "float32": p.astype(np.float32),
        "3 decimals": np.round(p, 3),
        "5 decimals": np.round(p, 5),
        "half of one score": np.where(rng.random(y.size) < 0.5, 0.5, p),
        "logits": logits,
        "perfect": y + p,
    }[kind]
    found, expected = ic.RocCurve.from_scores(y, s), ic.RocCurve.from_scores(y, s, sample_weight=np.ones(y.size))
    assert ic.auc(found) == ic.auc(expected)
    for name in ("fp", "tp", "thresholds"):
        assert np.array_equal(getattr(found.hull, name), getattr(expected.hull, name))
        assert np.array_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_counts_of_decimals_are_those_of_a_loop_or_none(dtype):
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
            for name, size in {"_OFTEN": 1, "_CHUNK": 7, "_LOOK": 3}.items():
                patch.setattr(sort, name, size)
            found = count_decimals(y, s)
        if found is not None:
            scores, fp, tp = found
            assert np.array_equal(scores, [np.inf, *np.unique(s.astype(float) + 0.0)[::-1]])
            assert not np.signbit(scores[scores == 0]).any()
            assert fp.tolist() == [int(np.sum(s[~y] >= cut)) for cut in scores]
            assert tp.tolist() == [int(np.sum(s[y] >= cut)) for cut in scores]

    check()


@pytest.mark.parametrize("odd", [0.1234567, np.inf, 1e300, np.nextafter(0.5, 1), DENORMAL])
def test_one_score_with_more_decimals_is_enough(odd):
    """It is found wherever it stands, and all are sorted instead; as they are with too many steps, or beyond whole numbers."""
    rng = np.random.default_rng(0)
    y, s = rng.random(50_000) < 0.2, np.round(rng.random(50_000), 2)
    assert count_decimals(y, s)[0].tolist() == [np.inf, *np.unique(s)[::-1]]
    for at in (0, 1, 49_999):
        other = s.copy()
        other[at] = odd
        assert count_decimals(y, other) is None
        assert count_scores(y, other, None)[0].size == np.unique(other).size
    assert count_decimals(y, np.round(rng.random(50_000), 4)) is None
    assert count_decimals(y, np.full(50_000, 2.0**60)) is None
    assert count_decimals(y, np.full(50_000, np.inf)) is None


def test_the_rows_are_not_changed():
    """Scores that are views, strided or read-only stay as they are; everything may be tied."""
    s = np.linspace(-1, 1, 20)[::2]
    s.flags.writeable = False
    before = s.copy()
    y = np.arange(10) % 2 == 0
    assert count_scores(y, s, None)[0].tolist() == before[::-1].tolist()
    assert np.array_equal(s, before)
    assert [column.tolist() for column in count_scores(y, np.ones(10), None)] == [[1.0], [5], [5]]

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.data import count, frames
from isocost.data.count import CountTable
from isocost.data.frames import FrameGrid

pl = pytest.importorskip("polars")
finite = st.floats(allow_nan=False, allow_infinity=False)


def table_of(scores, keys):
    """Return the buckets of scores, each case a positive."""
    rows = []
    for key in sorted(set(keys.tolist()), reverse=True):
        mine = scores[keys == key]
        rows.append((mine.min(), mine.max(), mine.size, 0, key))
    return CountTable(*(np.array(column) for column in zip(*rows, strict=True)))


@given(st.lists(finite, min_size=2, max_size=40), st.integers(8, 5000))
def test_divided_keys_rise_with_scores_and_part_what_was_parted(scores, most):
    """Whatever the sizes of the numbers: keys never fall, and whoever had different keys still has."""
    s = np.sort(np.array(scores) + 0.0)
    grid = FrameGrid.over(s[0], s[-1])
    keys = grid.keys(s)
    for _ in range(4):
        table = table_of(s, keys)
        rows = table[table.high > table.low]
        if not len(rows) or (finer := grid.divided(rows, most)) is None:
            break
        grid, before, keys = finer, keys, finer.keys(s)
        assert np.all(np.diff(keys) >= 0)
        assert np.all(np.diff(keys)[np.diff(before) > 0] > 0)
        heavy = rows.positives > rows.positives.sum() / 2
        for low, high in zip(rows.low[heavy], rows.high[heavy], strict=True):
            assert len(set(keys[(s >= low) & (s <= high)].tolist())) > 1


def clusters(kind, n=6000):
    """Return labels, and scores of very different sizes."""
    rng = np.random.default_rng(3)
    y = rng.random(n) < 0.3
    z = rng.normal(y * 1.2, 1.0)
    return y, {
        "two clusters": np.where(rng.random(n) < 0.5, 1e-9 * (1 + 0.01 * z), 1e6 + z),
        "many orders": np.exp(60 * z),
        "both signs": np.sign(z) * np.exp(-30 * np.abs(rng.normal(size=n)) + z),
    }[kind]


@pytest.mark.parametrize("kind", ["two clusters", "many orders", "both signs"])
def test_scores_many_orders_apart_take_few_passes(kind, monkeypatch):
    """The hull is exact after a handful of queries, none of which lists more than a small part of the cases."""
    monkeypatch.setattr("isocost.data.count.BITS", 8)
    monkeypatch.setattr(count, "MOST_ROWS", 512)
    y, s = clusters(kind)
    sizes = []

    def noted(table, real=frames.collected):
        found = real(table)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(frames, "collected", noted)
    counts = ic.ScoreCounts.from_frame(pl.LazyFrame({"y": y, "a": s}), label="y", score="a", max_distinct=0)
    hull, truth = ic.RocCurve.from_counts(counts).hull, ic.RocCurve.from_scores(y, s).hull
    for name in ("fp", "tp", "thresholds"):
        assert np.array_equal(getattr(hull, name), getattr(truth, name))
    # With 256 buckets a query; equal steps would need as many bits as lie between the smallest and the largest number.
    assert len(sizes) <= 8
    assert max(sizes) < y.size / 4


def test_blocks_are_cut_inside_clusters(monkeypatch):
    """Half of the cases within one bucket of equal steps: their blocks are as light as the others."""
    monkeypatch.setattr("isocost.data.count.BITS", 10)
    monkeypatch.setattr(count, "MOST_ROWS", 2048)
    y, s = clusters("two clusters")
    joint = ic.JointCounts.from_frame(pl.LazyFrame({"y": y, "a": s}), label="y", score=["a"], blocks=50)
    ups, downs = (np.bincount(joint.blocks[:, 0], cases) for cases in (joint.positives, joint.negatives))
    assert np.max(ups / ups.sum() + downs / downs.sum()) < 2 * 3 / 50


def test_rare_positives_are_as_much_of_a_bucket_as_all_negatives(monkeypatch):
    """Where they stand together, their buckets are divided though few cases lie in them."""
    monkeypatch.setattr("isocost.data.count.BITS", 8)
    monkeypatch.setattr(count, "MOST_ROWS", 512)
    rng = np.random.default_rng(0)
    y = np.arange(100_000) < 200
    s = rng.random(y.size)
    s[:100], s[100:200] = 0.3 + s[:100] / 300, 0.9 + s[100:200] / 10
    joint = ic.JointCounts.from_frame(pl.LazyFrame({"y": y, "a": s}), label="y", score=["a"], blocks=50)
    ups = np.bincount(joint.blocks[:, 0], joint.positives)
    assert np.max(ups / ups.sum()) < 2 * 3 / 50


def test_every_bucket_that_matters_is_opened_though_keys_fall_below_0(monkeypatch):
    """Three narrow clusters are parted by grids of their own, and places below a grid's range add up to negative keys."""
    monkeypatch.setattr("isocost.data.count.BITS", 8)
    monkeypatch.setattr(count, "MOST_ROWS", 512)
    rng = np.random.default_rng(0)
    near = 0.1001 + np.spacing(0.1) * np.arange(10)
    s = np.concatenate([*(centre + 1e-9 * rng.random(400) for centre in (0.1001, 0.5, 0.9)), [1.0], near])
    y = np.concatenate([*(rng.random(400) < share for share in (0.2, 0.5, 0.7)), [True], np.arange(10) >= 5])
    counts = ic.ScoreCounts.from_frame(pl.DataFrame({"y": y, "s": s}).lazy(), label="y", score="s", max_distinct=0)
    found, expected = ic.RocCurve.from_counts(counts), ic.RocCurve.from_scores(y, s)
    assert found.resolution == 0
    assert found.hull.fp.tolist() == expected.hull.fp.tolist()

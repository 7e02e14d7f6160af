import duckdb
import numpy as np
import polars as pl
import pytest

import isocost as ic
from isocost.data import frames
from isocost.data import frames as streamed_frames
from isocost.data.count import Grid, Pass
from isocost.data.frames import FrameCases, FrameGrid
from isocost.errors import EngineError, InputError

N = 3000


@pytest.fixture
def rows(monkeypatch):
    """Labels, two models' scores with outliers, both zeros and ties, and weights; in batches of a few rows."""
    monkeypatch.setattr(streamed_frames, "_BATCH", 500)
    rng = np.random.default_rng(0)
    y = (rng.random(N) < 0.3).astype(int)
    a = rng.normal(y, 1)
    a[:5] = [50.0, -50.0, -0.0, 0.0, -50.0]
    return pl.DataFrame({"y": y, "a": a, "b": rng.integers(0, 50, N), "w": rng.integers(0, 4, N) / 4})


def relation(frame):
    """Return a relation of DuckDB with the rows of a frame."""
    return duckdb.from_arrow(frame.to_arrow())


needs_batches = pytest.mark.skipif(not hasattr(pl.LazyFrame, "collect_batches"), reason="Polars before 1.34")
made = pytest.mark.parametrize(
    "make", [pytest.param(pl.DataFrame.lazy, id="polars", marks=needs_batches), pytest.param(relation, id="duckdb")]
)


def first_pass(cases):
    """Return what the first pass asks for."""
    return {name: Pass(FrameGrid.over(*cases.spans[name], 8), None) for name in ("a", "b") if name in cases.spans}


@made
@pytest.mark.parametrize("weight", [None, "w"])
def test_buckets_counted_here_are_those_that_the_engine_counts(rows, make, weight, monkeypatch):
    """Keys, ends, and cases or weights, of all columns by one query."""
    cases = FrameCases.of(make(rows), "y", ["a", "b"], weight, None)
    wanted = first_pass(cases)
    assert streamed_frames.streamed(cases, wanted)
    here = frames.counted(cases, wanted)
    monkeypatch.setattr(streamed_frames, "streamed", lambda *_: False)
    there = frames.counted(cases, wanted)
    for name in ("a", "b"):
        (one,), (other,) = here[name], there[name]
        assert np.array_equal(one.keys, other.keys)
        for mine, theirs in zip(one.counted, other.counted, strict=True):
            assert mine.dtype == theirs.dtype
            assert np.array_equal(mine, theirs)


@made
def test_later_passes_are_left_to_the_engine(rows, make):
    """Those of some buckets, by steps of their own, or of each score; and every pass over rows in memory."""
    cases = FrameCases.of(make(rows), "y", ["a"], None, None)
    grid = first_pass(cases)["a"].grid
    finer = FrameGrid((*grid.grids, Grid.over(0.0, 1.0, 3)))
    for other in (Pass(None, None), Pass(finer, None), Pass(grid, (grid, np.array([1])))):
        assert not streamed_frames.streamed(cases, {"a": other})
    eager = FrameCases.of(rows, "y", ["a"], None, None)
    assert not streamed_frames.streamed(eager, first_pass(eager))


def test_without_batches_polars_counts_by_itself(rows, monkeypatch):
    """Before version 1.34 it has none."""
    cases = FrameCases.of(rows.lazy(), "y", ["a"], None, None)
    monkeypatch.delattr(pl.LazyFrame, "collect_batches", raising=False)
    assert not streamed_frames.streamed(cases, first_pass(cases))


@pytest.mark.parametrize("gap", ["NULL", "'nan'::DOUBLE"])
def test_gaps_that_come_after_the_check_are_noticed(rows, gap):
    """They have no key."""
    connection = duckdb.connect()
    connection.register("f", rows.to_arrow())
    connection.execute("CREATE TABLE t AS SELECT y, a FROM f")
    cases = FrameCases.of(connection.table("t"), "y", ["a"], None, None)
    connection.execute(f"UPDATE t SET a = {gap} WHERE a > 1")
    with pytest.raises(InputError, match="the duckdb frame changed while it was counted: there was no gap before"):
        frames.counted(cases, first_pass(cases))


@needs_batches
def test_an_engine_that_fails_between_batches_is_an_error_of_ours(rows):
    """What it was doing, and its own words."""
    calls = []

    def once(batch):
        calls.append(batch.height)
        if len(calls) > 1:
            raise OSError("disk on fire")
        return batch

    cases = FrameCases.of(rows.lazy().map_batches(once), "y", ["a", "b"], None, None)
    with pytest.raises(EngineError, match=r"the polars frame failed while counting columns 'a', 'b': .*disk on fire"):
        frames.counted(cases, first_pass(cases))


@made
def test_the_hull_is_exact_from_there(rows, make, monkeypatch):
    """Weights included, whose classes are not whole."""
    monkeypatch.setattr("isocost.data.count.BITS", 6)
    monkeypatch.setattr("isocost.data.count.MOST_ROWS", 256)
    counts = ic.ScoreCounts.from_frame(make(rows), label="y", score="a", weight="w", max_distinct=0)
    truth = ic.RocCurve.from_scores(rows["y"], rows["a"], sample_weight=rows["w"]).hull
    hull = ic.RocCurve.from_counts(counts).hull
    assert np.array_equal(hull.thresholds, truth.thresholds)
    assert np.allclose(hull.fpr, truth.fpr, rtol=0, atol=1e-12)
    assert np.allclose(hull.tpr, truth.tpr, rtol=0, atol=1e-12)

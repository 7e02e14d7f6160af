import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import isocost as ic
from isocost.counts import buckets
from isocost.counts.from_frame import Cases
from isocost.errors import EngineError, InputError, UnknownNameError

N = 4000


def rows(n=N, seed=0):
    """Return labels and two models' scores, with infinities, both zeros and ties."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    a = rng.normal(y * 1.2, 1.0)
    a[:6] = [np.inf, -np.inf, -0.0, 0.0, 5e-324, np.inf][:n]
    b = np.round(rng.normal(y, 1.0), 1)
    w = rng.integers(0, 3, n).astype(float)
    return pd.DataFrame({"y": y, "a": a, "b": b, "w": w, "kind": np.where(y == 1, "bad", "good")})


def dask(frame):
    """Return a Dask dataframe with an empty partition."""
    import dask.dataframe as dd

    return dd.concat([dd.from_pandas(frame, npartitions=2), dd.from_pandas(frame.iloc[:0], npartitions=1)])


def daft(frame):
    """Return a Daft dataframe."""
    import daft as engine

    return engine.from_pandas(frame)


FRAMES = {
    "pandas": lambda f: f,
    "pandas of pyarrow": lambda f: f.convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.from_pandas,
    "polars lazy": lambda f: pl.from_pandas(f).lazy(),
    "pyarrow": pa.Table.from_pandas,
    "duckdb": lambda f: duckdb.connect().from_df(f),
    "dask": dask,
    "daft": daft,
}
every_frame = pytest.mark.parametrize("kind", list(FRAMES))


@every_frame
def test_every_frame_gives_the_counts_of_its_rows(kind):
    """Labels of any coding, weights, several models at once; ±inf and -0.0 as in memory."""
    f = rows()
    frame = FRAMES[kind](f)
    counts = ic.ScoreCounts.from_frame(frame, label="y", score=["a", "b"])
    assert counts["a"] == ic.ScoreCounts.from_arrays(f.y, f.a)
    assert counts["b"] == ic.ScoreCounts.from_arrays(f.y, f.b)
    weighted = ic.ScoreCounts.from_frame(frame, label="kind", score="a", weight="w", pos_label="bad")
    assert weighted == ic.ScoreCounts.from_arrays(f.y, f.a, sample_weight=f.w)


@every_frame
def test_every_frame_counts_in_buckets_to_the_exact_hull(kind, monkeypatch):
    """Several passes, each run by the engine; the hull and its thresholds are those of the rows, the ties are listed."""
    monkeypatch.setattr(buckets, "BITS", 8)
    monkeypatch.setattr(buckets, "MOST_ROWS", 512)
    f = rows()
    counts = ic.ScoreCounts.from_frame(FRAMES[kind](f), label="y", score=["a", "b"], max_distinct=0)
    assert not counts["a"].exact
    assert counts["b"] == ic.ScoreCounts.from_arrays(f.y, f.b)
    hull, truth = ic.RocCurve.from_counts(counts["a"]).hull, ic.RocCurve.from_scores(f.y, f.a)
    for name in ("fp", "tp", "thresholds"):
        assert np.array_equal(getattr(hull, name), getattr(truth.hull, name))
    assert ic.auc(truth) in counts["a"].bounds("auc")
    coarse = ic.ScoreCounts.from_frame(FRAMES[kind](f), label="y", score="a", max_distinct=0, exact=False)
    assert coarse.bounds("auc").width > counts["a"].bounds("auc").width > 0


@every_frame
def test_bad_columns_are_refused_with_engine_and_column(kind):
    """One query finds what is wrong; the message names the column and how many rows."""
    f = rows(50)
    make = FRAMES[kind]
    hole = make(f.assign(a=f.a.where(f.index != 7)))
    with pytest.raises(
        InputError, match=r"column 'a' of the \w+ frame has missing values \(NaN or null\): 1 of 50 rows"
    ):
        ic.ScoreCounts.from_frame(hole, label="y", score="a")
    with pytest.raises(InputError, match=r"column 'y' of the \w+ frame holds 3 classes \(0, 1, 2"):
        ic.ScoreCounts.from_frame(make(f.assign(y=f.index % 3)), label="y", score="a")
    with pytest.raises(InputError, match=r"column 'y' of the \w+ frame holds only one class \(classes found: 0"):
        ic.ScoreCounts.from_frame(make(f.assign(y=0)), label="y", score="a")
    with pytest.raises(InputError, match=r"which class is positive\? column 'kind' .*holds 'bad', 'good'; say so"):
        ic.ScoreCounts.from_frame(make(f), label="kind", score="a")
    with pytest.raises(InputError, match=r"column 'kind' of the \w+ frame must hold numbers, got String"):
        ic.ScoreCounts.from_frame(make(f), label="y", score="kind")
    with pytest.raises(InputError, match=r"column 'w' of the \w+ frame must hold weights.*1 of 50 rows are not"):
        ic.ScoreCounts.from_frame(make(f.assign(w=f.w.where(f.index != 3, -1.0))), label="y", score="a", weight="w")
    with pytest.raises(UnknownNameError, match="unknown column 'aa': did you mean 'a'"):
        ic.ScoreCounts.from_frame(make(f), label="y", score="aa")


def test_labels_of_every_coding():
    """As in memory: 0/1, -1/1, booleans and any two values with pos_label."""
    f = rows(60)
    reference = ic.ScoreCounts.from_arrays(f.y, f.a)
    codings = [(f.y * 2 - 1, None), (f.y == 1, None), (f.y.astype(float), None), (f.y + 5, 6), (f.kind, "bad")]
    for labels, positive in codings:
        frame = pl.from_pandas(f.assign(y=labels))
        assert ic.ScoreCounts.from_frame(frame, label="y", score="a", pos_label=positive) == reference
    with pytest.raises(InputError, match="which class is positive"):
        ic.ScoreCounts.from_frame(pl.from_pandas(f.assign(y=f.y + 1)), label="y", score="a")


def test_sums_do_not_wrap():
    """A score that more than 2^31 cases got, through weights; integers of every width."""
    f = pl.DataFrame({"y": [1, 0, 1], "a": [1, 1, 0], "w": [2**31, 2**31, 7]}, schema_overrides={"a": pl.Int8})
    counts = ic.ScoreCounts.from_frame(f, label="y", score="a", weight="w")
    assert counts.positives.tolist() == [2**31, 7]
    big = pl.DataFrame({"y": [1, 0], "a": [2**53 + 1, 0]})
    with pytest.raises(InputError, match="integers that do not fit float64 exactly: 1 of 2 rows"):
        ic.ScoreCounts.from_frame(big, label="y", score="a")


def test_nan_hidden_by_statistics_is_found(tmp_path):
    """Parquet statistics leave NaN out; a relation over the file must not be taken for clean because of them."""
    f = pa.table({"y": [1, 0, 1], "a": [0.5, float("nan"), 0.1]})
    import pyarrow.parquet as pq

    pq.write_table(f, tmp_path / "nan.parquet")
    relation = duckdb.connect().read_parquet(str(tmp_path / "nan.parquet"))
    with pytest.raises(InputError, match="missing values"):
        ic.ScoreCounts.from_frame(relation, label="y", score="a")


def test_empty_frames_and_other_things_are_refused():
    """No rows, and what is no frame."""
    with pytest.raises(InputError, match="the polars frame is empty"):
        ic.ScoreCounts.from_frame(pl.from_pandas(rows(5).iloc[:0]), label="y", score="a")
    with pytest.raises(InputError, match=r"frame must be a dataframe or relation .*got list"):
        ic.ScoreCounts.from_frame([1, 2], label="y", score="a")
    with pytest.raises(InputError, match="tolerance must be positive"):
        ic.ScoreCounts.from_frame(rows(5), label="y", score="a", tolerance=0)


def test_an_engine_that_fails_is_an_error_of_ours():
    """What it was doing and the engine's first line."""
    connection = duckdb.connect()
    relation = connection.sql(
        "SELECT i % 2 AS y, CASE WHEN i = 90 THEN error('disk on fire') ELSE i END AS a FROM range(99) t(i)"
    )
    with pytest.raises(
        EngineError, match=r"the duckdb frame failed while checking the columns 'y', 'a': .*disk on fire"
    ):
        ic.ScoreCounts.from_frame(relation, label="y", score="a")


def test_a_frame_that_changes_is_noticed(monkeypatch):
    """The counts must be those that the check found."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT range % 2 AS y, range AS a FROM range(10)")
    checked = Cases.of

    def then_change(*given):
        cases = checked(*given)
        connection.execute("DELETE FROM t WHERE a = 3")
        return cases

    monkeypatch.setattr(Cases, "of", then_change)
    with pytest.raises(
        InputError, match=r"column 'a' of the duckdb frame changed while it was counted: 5 positives before, 4 now"
    ):
        ic.ScoreCounts.from_frame(connection.table("t"), label="y", score="a")

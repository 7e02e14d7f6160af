import importlib

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
import pytest

import isocost as ic
from isocost.data import count, frames
from isocost.data import frames as any_frame
from isocost.data import frames as frame_checks
from isocost.data.count import Grid, Pass
from isocost.data.files import run
from isocost.data.frames import FrameCases, FrameGrid, counted, selected
from isocost.errors import EngineError, InputError, UnknownNameError

N = 4000


def rows(n=N, seed=0):
    """Return labels and two models' scores, with outliers, both zeros and ties."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    a = rng.normal(y * 1.2, 1.0)
    a[:6] = [50.0, -50.0, -0.0, 0.0, 5e-324, 50.0][:n]
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


def of_pyarrow(frame):
    """Return a dataframe of pandas with columns of pyarrow; pandas 2 looks whether infinities are whole numbers, with a warning."""
    with np.errstate(invalid="ignore"):
        return frame.convert_dtypes(dtype_backend="pyarrow")


FRAMES = {
    "pandas": lambda f: f,
    "pandas of pyarrow": of_pyarrow,
    "polars": pl.from_pandas,
    "polars lazy": lambda f: pl.from_pandas(f).lazy(),
    "pyarrow": pa.Table.from_pandas,
    "duckdb": duckdb.from_df,
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
    monkeypatch.setattr("isocost.data.count.BITS", 8)
    monkeypatch.setattr(count, "MOST_ROWS", 512)
    f = rows(400 if kind == "dask" else N)  # Dask plans each pass for longer than the others count
    counts = ic.ScoreCounts.from_frame(FRAMES[kind](f), label="y", score=["a", "b"], max_distinct=0)
    assert not counts["a"].exact
    assert counts["b"] == ic.ScoreCounts.from_arrays(f.y, f.b)
    hull, truth = ic.RocCurve.from_counts(counts["a"]).hull, ic.RocCurve.from_scores(f.y, f.a)
    for name in ("fp", "tp", "thresholds"):
        assert np.array_equal(getattr(hull, name), getattr(truth.hull, name))
    curve = ic.RocCurve.from_counts(counts["a"])
    assert curve.resolution == 0
    assert abs(ic.auc(truth) - ic.auc(curve)) <= curve.resolution_of_area / 2


@every_frame
def test_bad_columns_are_refused_with_engine_and_column(kind):
    """One query finds what is wrong; the message names the column and how many rows."""
    f = rows(50)
    make = FRAMES[kind]
    hole = make(f.assign(a=f.a.where(f.index != 7)))
    with pytest.raises(InputError, match=r"\w+ frame: score 'a' is missing in 1 of 50 rows"):
        ic.ScoreCounts.from_frame(hole, label="y", score="a")
    with pytest.raises(InputError, match=r"frame: label 'y' holds 3 classes \(0, 1, 2"):
        ic.ScoreCounts.from_frame(make(f.assign(y=f.index % 3)), label="y", score="a")
    with pytest.raises(InputError, match=r"frame: label 'y' holds only one class, 0"):
        ic.ScoreCounts.from_frame(make(f.assign(y=0)), label="y", score="a")
    with pytest.raises(
        InputError,
        match=r"positive\? \w+ frame: label 'kind' holds 'bad' \(\d+ cases\) and 'good' \(\d+ cases\)",
    ):
        ic.ScoreCounts.from_frame(make(f), label="kind", score="a")
    with pytest.raises(InputError, match=r"column 'kind' of the \w+ frame must hold numbers, got String"):
        ic.ScoreCounts.from_frame(make(f), label="y", score="kind")
    with pytest.raises(
        InputError, match=r"frame: weight 'w' must be finite and not negative, and is not in 1 of 50 rows"
    ):
        ic.ScoreCounts.from_frame(make(f.assign(w=f.w.where(f.index != 3, -1.0))), label="y", score="a", weight="w")
    with pytest.raises(UnknownNameError, match="unknown column 'aa': did you mean 'a'"):
        ic.ScoreCounts.from_frame(make(f), label="y", score="aa")
    for wrong in ("worse", 1):
        with pytest.raises(
            InputError, match=rf"pos_label {wrong!r} is not among the classes of .*label 'kind': .*'good'$"
        ):
            ic.ScoreCounts.from_frame(make(f), label="kind", score="a", pos_label=wrong)
    for wrong in ("1", 3):
        with pytest.raises(InputError, match=rf"pos_label {wrong!r} is not among the classes of .*label 'y': 0, 1$"):
            ic.ScoreCounts.from_frame(make(f), label="y", score="a", pos_label=wrong)


@every_frame
def test_the_label_to_detect_may_be_any_of_the_two(kind):
    """1 or True beside 2, 1 for True, the label as its own score: as in memory."""
    f = rows(50).assign(two=lambda f: 2 - f.y, flag=lambda f: f.y == 1)
    frame, reference = FRAMES[kind](f), ic.ScoreCounts.from_arrays(f.y, f.a)
    for label, positive in (("two", 1), ("two", True), ("two", 1.0), ("two", np.int64(1)), ("flag", 1), ("y", True)):
        assert ic.ScoreCounts.from_frame(frame, label=label, score="a", pos_label=positive) == reference
    assert ic.ScoreCounts.from_frame(frame, label="y", score="y") == ic.ScoreCounts.from_arrays(f.y, f.y)


def test_labels_of_every_coding():
    """As in memory: 0/1, -1/1, booleans and any two values with pos_label."""
    f = rows(60)
    reference = ic.ScoreCounts.from_arrays(f.y, f.a)
    codings = [(f.y * 2 - 1, None), (f.y == 1, None), (f.y.astype(float), None), (f.y + 5, 6), (f.kind, "bad")]
    for labels, positive in codings:
        frame = pl.from_pandas(f.assign(y=labels))
        assert ic.ScoreCounts.from_frame(frame, label="y", score="a", pos_label=positive) == reference
    categories = f.assign(y=f.kind.astype("category"))
    for frame in (categories, pl.from_pandas(categories), pa.Table.from_pandas(categories)):
        assert ic.ScoreCounts.from_frame(frame, label="y", score="a", pos_label="bad") == reference
    with pytest.raises(InputError, match="which class is positive"):
        ic.ScoreCounts.from_frame(pl.from_pandas(f.assign(y=f.y + 1)), label="y", score="a")


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_alone_is_refused(label):
    """Whichever it is."""
    with pytest.raises(InputError, match=f"label 'y' holds only one class, {label}"):
        ic.ScoreCounts.from_frame(pl.DataFrame({"y": [label] * 3, "a": [1, 2, 3]}), label="y", score="a")


def test_sums_do_not_wrap():
    """A score that more than 2^31 cases got, through weights; integers of every width."""
    f = pl.DataFrame({"y": [1, 0, 1], "a": [1, 1, 0], "w": [2**31, 2**31, 7]}, schema_overrides={"a": pl.Int8})
    counts = ic.ScoreCounts.from_frame(f, label="y", score="a", weight="w")
    assert counts.positives.tolist() == [2**31, 7]
    big = pl.DataFrame({"y": [1, 0], "a": [2**53 + 1, 0]})
    for frame in (big, big.to_arrow(), big.to_pandas()):
        with pytest.raises(InputError, match="whole numbers that do not fit float64 exactly in 1 of 2 rows"):
            ic.ScoreCounts.from_frame(frame, label="y", score="a")


def test_empty_frames_and_other_things_are_refused():
    """No rows, and what is no frame."""
    with pytest.raises(InputError, match="the polars frame is empty"):
        ic.ScoreCounts.from_frame(pl.from_pandas(rows(5).iloc[:0]), label="y", score="a")
    with pytest.raises(InputError, match=r"frame must be a dataframe or relation .*got list"):
        ic.ScoreCounts.from_frame([1, 2], label="y", score="a")
    with pytest.raises(
        InputError, match=r"frame must be .* whose columns have different names, got DataFrame: .*'a' 2 times"
    ):
        ic.ScoreCounts.from_frame(pd.DataFrame([[1, 2, 3]], columns=["y", "a", "a"]), label="y", score="a")
    with pytest.raises(InputError, match="two score columns are called 'a'"):
        ic.ScoreCounts.from_frame(rows(5), label="y", score=["a", "a"])


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


def test_a_gap_in_what_an_engine_returns_is_an_error_of_ours():
    """Sums of checked columns have none."""
    got = frames.nw.from_native(pl.DataFrame({"up": [1.0, np.nan], "part": ["a", "b"]}))
    with pytest.raises(
        EngineError, match=r"the new frame returned float64 with gaps for 'up' while counting; count again"
    ):
        frames.fetched("new frame", "counting", lambda: got)


def test_a_frame_that_changes_is_noticed(monkeypatch):
    """The counts must be those that the check found."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT range % 2 AS y, range AS a FROM range(10)")
    checked = FrameCases.of

    def then_change(*given):
        cases = checked(*given)
        connection.execute("DELETE FROM t WHERE a = 3")
        return cases

    monkeypatch.setattr(FrameCases, "of", then_change)
    with pytest.raises(
        InputError, match=r"column 'a' of the duckdb frame changed while it was counted: 5 positives before, 4 now"
    ):
        ic.ScoreCounts.from_frame(connection.table("t"), label="y", score="a")


ARROW = {
    "pandas": lambda t: t.to_pandas(),
    "pandas of pyarrow": lambda t: t.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
    "polars lazy": lambda t: pl.from_arrow(t).lazy(),
    "pyarrow": lambda t: t,
    "duckdb": duckdb.from_arrow,
    "dask": lambda t: dask(t.to_pandas()),
    "daft": lambda t: importlib.import_module("daft").from_arrow(t),
}
every_arrow = pytest.mark.parametrize("kind", list(ARROW))


@every_arrow
def test_what_engines_compute_with_has_the_types_that_do_not_wrap(kind):
    """Ones are summed as Int64 (Int32 wraps in Polars), keys are Int64 (pyarrow groups floats slowly), scores Float64."""
    import narwhals.stable.v2 as nw

    table = pa.table({"y": pa.array([0, 1, 1], pa.int8()), "a": pa.array([0.5, 1, 2], pa.float32())})
    cases = FrameCases.of(ARROW[kind](table), "y", ["a"], None, None)
    grid = FrameGrid.over(0.5, 2.0)
    whole = dict.fromkeys(("model", "key", "up", "down"), nw.Int64)
    for wanted in (Pass(grid, None), Pass(None, None)):
        schema = selected(cases, 0, "a", wanted).collect_schema()
        assert dict(schema) == {"value": nw.Float64, "score": nw.Float64} | whole
        (found,) = counted(cases, {"a": wanted})["a"]
        # Sums of integers come from DuckDB as decimals and from others as what they like.
        assert found.positives.dtype == found.negatives.dtype == np.int64
        assert found.low.dtype == np.float64


def awkward(kind):
    """Return scores whose range is hard to divide."""
    rng = np.random.default_rng(1)
    return {
        "subnormal": rng.integers(0, 60, 300) * 5e-324,
        "tiny": rng.random(300) * 1e-290,
        "outliers": (2 * rng.random(300) - 1) * 1.7e308,
        "neighbours": 1 + rng.integers(0, 40, 300) * np.finfo(float).eps,
        "constant": np.full(300, -3.5),
        "negative": -np.exp(rng.normal(size=300) * 30),
    }[kind]


AWKWARD = ("outliers", "negative", "subnormal", "tiny", "neighbours", "constant")


@pytest.mark.parametrize(
    ("kind", "scores"),
    [
        # Parts of Dask are frames of pandas, which are tried with all.
        pytest.param(kind, scores, marks=[pytest.mark.long] * (kind == "dask" and scores not in AWKWARD[:2]))
        for kind in ARROW
        for scores in AWKWARD
    ],
)
def test_keys_of_engines_are_those_of_numpy(kind, scores, monkeypatch):
    """Clip before floor, floor before cast; ±inf apart, whatever the range; 0.0 and -0.0 together; to the last bit."""
    monkeypatch.setattr("isocost.data.count.BITS", 6)
    s = awkward(scores)
    s[:8] = [50.0, -50.0, 50.0, -50.0, 0.0, -0.0, s[8], s[9]]
    y = np.arange(300) % 3 == 0
    cases = FrameCases.of(ARROW[kind](pa.table({"y": y, "a": s})), "y", ["a"], None, None)
    low, high = cases.spans["a"]
    assert (low, high) == (s[np.isfinite(s)].min(), s[np.isfinite(s)].max())
    whole = Grid.over(low, high, 6).finer(5)
    # A bucket in the middle has steps of its own.
    inner = np.sort(s[np.isfinite(s)])[[100, 200]]
    grid = FrameGrid((whole, *([Grid.over(*inner, 3)] if inner[0] < inner[1] else [])))
    (table,), keys = counted(cases, {"a": Pass(grid, None)})["a"], grid.keys(s + 0.0)
    assert table.keys.tolist() == sorted(set(keys.tolist()), reverse=True)
    assert table.positives.tolist() == [np.count_nonzero(y & (keys == key)) for key in table.keys]
    assert table.negatives.tolist() == [np.count_nonzero(~y & (keys == key)) for key in table.keys]
    within = grid, table.keys[::2]
    (listed,) = counted(cases, {"a": Pass(None, within)})["a"]
    assert listed.low.tolist() == sorted(set(s[np.isin(keys, within[1])] + 0.0), reverse=True)


# What NaN may look like: quiet, with a payload, negative.
NANS = np.array([0x7FF8000000000000, 0x7FF8000000000001, 0xFFF8000000000000], dtype=np.uint64).view(np.float64)


@every_arrow
@pytest.mark.parametrize(("column", "nulls", "nans"), [("a", 1, 0), ("a", 0, 3), ("y", 2, 3), ("w", 2, 3)])
def test_null_and_every_nan_is_missing(kind, column, nulls, nans):
    """Engines tell null from NaN, and some tell one NaN from another: all are counted, in every column."""
    values = {"a": np.linspace(0, 1, 40), "y": np.arange(40) % 2.0, "w": np.ones(40)}
    values[column] = np.concatenate([values[column][: 40 - nans], NANS[:nans]])
    arrays = {name: pa.array(v) for name, v in values.items()}
    gaps = pa.array(np.arange(40) < nulls)
    arrays[column] = pa.compute.if_else(gaps, pa.scalar(None, pa.float64()), arrays[column])
    with pytest.raises(InputError, match=rf"'{column}' is missing in {nulls + nans} of 40 rows"):
        ic.ScoreCounts.from_frame(ARROW[kind](pa.table(arrays)), label="y", score="a", weight="w")


@pytest.mark.parametrize("index", ["score", "key", "up", None])
@pytest.mark.parametrize(
    "make", [FRAMES["pandas"], FRAMES["pandas of pyarrow"], dask], ids=["pandas", "pyarrow", "dask"]
)
def test_an_index_is_no_column(make, index, monkeypatch):
    """Whatever it is called and holds: it comes along when pandas and Dask hand over their tables."""
    monkeypatch.setattr("isocost.data.count.BITS", 6)
    f = rows(200)
    labels = pd.Index(np.arange(200) // 2, name=index)
    assert ic.ScoreCounts.from_frame(make(f.set_index(labels)), label="y", score="a", max_distinct=0) == (
        ic.ScoreCounts.from_arrays(f.y, f.a)
    )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask", "daft"])
def test_nan_that_statistics_of_a_file_hide_is_found(engine, tmp_path):
    """Writers leave NaN out of minimum and maximum, and optimisers believe them."""
    path = str(tmp_path / "nan.parquet")
    pq.write_table(pa.table({"y": [1, 0, 1, 0], "a": [0.5, float("nan"), 0.1, 0.3]}), path)
    read = {
        "duckdb": duckdb.read_parquet,
        "polars": pl.scan_parquet,
        "dask": importlib.import_module("dask.dataframe").read_parquet,
        "daft": importlib.import_module("daft").read_parquet,
    }[engine]
    with pytest.raises(InputError, match=r"score 'a' is missing in 1 of 4 rows"):
        ic.ScoreCounts.from_frame(read(path), label="y", score="a")


@every_arrow
def test_a_frame_without_rows_is_empty_to_every_engine(kind):
    """Sums of nothing are null in SQL."""
    nothing = pa.table({"y": pa.array([], pa.int64()), "a": pa.array([], pa.float64())})
    with pytest.raises(InputError, match=r"the \w+ frame is empty: at least one positive and one negative are needed"):
        ic.ScoreCounts.from_frame(ARROW[kind](nothing), label="y", score="a")


WIDTHS = [pa.int8(), pa.uint64(), pa.float32(), pa.decimal128(21, 2), pa.bool_()]
# DuckDB takes no halves from Arrow.
TYPES = [(kind, dtype) for kind in ("polars", "pyarrow", "duckdb") for dtype in WIDTHS]


@pytest.mark.parametrize(("kind", "dtype"), [*TYPES, ("polars", pa.float16()), ("pyarrow", pa.float16())])
def test_scores_of_every_type_count_as_float64(kind, dtype):
    """Widths, decimals and booleans alike."""
    values = pa.array([0, 1, 1, 0, 1, 1]).cast(dtype)
    table = pa.table({"y": [0, 1, 0, 0, 1, 1], "a": values})
    counts = ic.ScoreCounts.from_frame(ARROW[kind](table), label="y", score="a")
    assert (counts.scores.tolist(), counts.positives.tolist(), counts.negatives.tolist()) == (
        [1.0, 0.0],
        [3, 0],
        [1, 2],
    )


def test_one_query_checks_everything(monkeypatch):
    """Then one a pass for all columns of scores, and no other."""
    queries = []

    def noted(engine, doing, query):
        queries.append(f"{engine}: {doing}")
        return run(engine, doing, query)

    for module in (any_frame, frames, frame_checks):
        monkeypatch.setattr(module, "run", noted)
    ic.ScoreCounts.from_frame(pl.from_pandas(rows(50)).lazy(), label="y", score=["a", "b"], weight="w")
    assert queries == [
        "polars frame: reading the columns",
        "polars frame: checking the columns 'y', 'a', 'b', 'w'",
        "polars frame: counting columns 'a', 'b'",
    ]


def test_a_frame_that_changes_between_passes_is_noticed(monkeypatch):
    """A later pass must find the cases that the one before left open."""
    monkeypatch.setattr("isocost.data.count.BITS", 6)
    monkeypatch.setattr(count, "MOST_ROWS", 64)
    connection = duckdb.connect()
    connection.register("f", rows(2000))
    for change in ("UPDATE t SET y = 1 - y", "DELETE FROM t WHERE y = 1 AND a < 1", "INSERT INTO t SELECT * FROM t"):
        connection.execute("CREATE OR REPLACE TABLE t AS SELECT y, a FROM f")
        only = frames.only

        def then_change(frame, keys, change=change, only=only):
            connection.execute(change)
            return only(frame, keys)

        with monkeypatch.context() as patched:
            patched.setattr(frames, "only", then_change)
            with pytest.raises(InputError, match=r"column 'a' of the duckdb frame changed while it was counted: \d+ "):
                ic.ScoreCounts.from_frame(connection.table("t"), label="y", score="a", max_distinct=0)


def test_decimals_that_do_not_fit_are_refused_like_integers():
    """Two different scores never become a tie, whatever the type of the column."""
    from decimal import Decimal

    values = [Decimal(2**53), Decimal(2**53 + 1), Decimal(1), Decimal(2)]
    for score in (pa.array(values, pa.decimal128(38)), pa.array([2**53, 2**53 + 1, 1, 2])):
        table = pa.table({"y": [1, 0, 1, 0], "a": score})
        with pytest.raises(
            InputError, match="pyarrow frame: score 'a' has whole numbers that do not fit float64 exactly"
        ):
            ic.ScoreCounts.from_frame(table, label="y", score="a")
    small = pa.table({"y": [1, 0], "a": pa.array([Decimal("0.5"), Decimal("0.25")])})
    assert ic.ScoreCounts.from_frame(small, label="y", score="a").scores.tolist() == [0.5, 0.25]


@pytest.mark.parametrize("kind", ["pyarrow", "pandas of pyarrow", "polars lazy", "duckdb"])
def test_decimals_are_the_nearest_floats(kind):
    """A threshold of 0.30000000000000004 would leave out the cases with 0.3."""
    from decimal import Decimal

    values = [Decimal(i) / 10 for i in range(1, 10)]
    table = pa.table({"y": [i % 2 for i in range(9)], "a": pa.array(values, pa.decimal128(10, 4))})
    counts = ic.ScoreCounts.from_frame(ARROW[kind](table), label="y", score="a")
    assert counts.scores.tolist() == [float(value) for value in reversed(values)]


@every_arrow
def test_truth_values_weigh(kind):
    """As in memory."""
    y, a, w = [1, 0, 1, 0], [0.9, 0.9, 0.1, 0.1], [True, True, True, False]
    frame = ARROW[kind](pa.table({"y": y, "a": a, "w": w}))
    counts = ic.ScoreCounts.from_frame(frame, label="y", score="a", weight="w")
    assert counts == ic.ScoreCounts.from_arrays(y, a, sample_weight=np.asarray(w, dtype=float))


@every_arrow
def test_whole_numbers_beyond_float64_are_refused_however_they_are_written(kind):
    """Two scores never become a tie."""
    for dtype in (pa.uint64(), pa.int64()):
        table = pa.table({"y": [1, 0, 1, 0], "a": pa.array([2**53, 2**53 + 1, 2**63 - 1, 0], dtype), "b": [1, 2, 3, 4]})
        with pytest.raises(InputError, match=r"do(es)? not fit float64"):
            ic.Comparison.from_frame(ARROW[kind](table), label="y", scores=["a", "b"])
    largest = pa.table({"y": [1, 0], "a": pa.array([2**64 - 1, 0], pa.uint64())})
    with pytest.raises(InputError, match="do not fit float64 exactly in 1 of 2 rows"):
        ic.ScoreCounts.from_frame(ARROW[kind](largest), label="y", score="a")


@pytest.mark.parametrize(("convert", "positive"), [(True, "bad"), (False, "good")])
@pytest.mark.parametrize("dtype", ["object", "string", "category"])
def test_parts_of_dask_may_lack_a_class(dtype, convert, positive):
    """One of only bad cases, one of only good ones, one without rows; the classes are listed by a query of their own."""
    import dask as engine
    import dask.dataframe as dd

    f = rows(90).sort_values("y", ignore_index=True)
    more = pd.concat([f, f.iloc[:1].assign(kind="other")], ignore_index=True)
    f, more = (frame.assign(kind=frame.kind.astype(dtype)) for frame in (f, more))
    asked = {"label": "kind", "score": "a"}
    with engine.config.set({"dataframe.convert-string": convert}):
        frame = dd.concat([dd.from_pandas(f, npartitions=3), dd.from_pandas(f.iloc[:0], npartitions=1)])
        reference = ic.ScoreCounts.from_arrays(f.kind == positive, f.a)
        assert ic.ScoreCounts.from_frame(frame, **asked, pos_label=positive) == reference
        with pytest.raises(InputError, match="pos_label 'worse' is not among the classes"):
            ic.ScoreCounts.from_frame(frame, **asked, pos_label="worse")
        with pytest.raises(InputError, match="holds 3 classes"):
            ic.ScoreCounts.from_frame(dd.from_pandas(more, npartitions=4), **asked, pos_label=positive)


@pytest.mark.parametrize("dtype", ["Int64", "boolean", "float"])
def test_parts_of_dask_may_lack_a_class_of_numbers(dtype):
    """Types that know missing values too."""
    import dask.dataframe as dd

    f = rows(90).sort_values("y", ignore_index=True)
    labelled = f.assign(y=f.y.astype(dtype))
    frame = dd.concat([dd.from_pandas(labelled, npartitions=3), dd.from_pandas(labelled.iloc[:0], npartitions=1)])
    assert ic.ScoreCounts.from_frame(frame, label="y", score="a") == ic.ScoreCounts.from_arrays(f.y, f.a)
    hole = frame.assign(y=frame.y.where(frame.a != f.a[3]))
    with pytest.raises(InputError, match=r"dask frame: label 'y' is missing in 1 of 90 rows"):
        ic.ScoreCounts.from_frame(hole, label="y", score="a")


def test_what_an_engine_does_not_compare_is_an_error_of_ours():
    """Daft knows categories as objects of Python only."""
    import daft as engine

    table = pa.table({"y": pa.array(["n", "p", "p"]).dictionary_encode(), "a": [1, 2, 3]})
    with pytest.raises(EngineError, match="the daft frame failed while checking the columns 'y', 'a'"):
        ic.ScoreCounts.from_frame(engine.from_arrow(table), label="y", score="a", pos_label="p")


@pytest.mark.parametrize("label", [np.array([1.0, 0.0]), [1], {"a": 1}], ids=str)
def test_a_positive_label_is_one_value(label):
    """As in memory: a list of values is among no classes."""
    frame = pd.DataFrame({"y": [1, 0, 1, 0], "a": [0.4, 0.3, 0.2, 0.1]})
    with pytest.raises(InputError, match="is not among the classes"):
        ic.ScoreCounts.from_frame(frame, label="y", score=["a"], pos_label=label)

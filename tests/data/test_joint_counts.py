import pickle

import daft
import dask.dataframe as dd
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.curves.sort import count_scores
from isocost.data import count, rows
from isocost.data import joint as joint_blocks
from isocost.data.count import CountTable
from isocost.data.joint import count_rows, cut, weight_steps
from isocost.errors import InputError, UnknownNameError

NUMBERS = st.sampled_from([-1e308, -2.5, -0.0, 0.0, 5e-324, 1e-3, 0.25, 0.5, 1.0, 3.0, 1e200, 1e308])


@st.composite
def cases(draw, both=True):
    """Labels and two models' scores of a few cases."""
    size = draw(st.integers(4 if both else 1, 30))
    y = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    if both:
        y[:2] = True, False
    scores = st.lists(NUMBERS | st.floats(-4, 4), min_size=size, max_size=size)
    return np.array(y), {"a": np.array(draw(scores)), "b": np.array(draw(scores))}


def many(n=4000, seed=0):
    """A frame of labels and two correlated models."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    a = rng.normal(y, 1)
    return pl.DataFrame({"y": y.astype(int), "a": a, "b": np.round(a + rng.normal(0, 1, n), 2)})


def joint_of(frame, **options):
    """The joint counts of a frame's arrays."""
    return ic.JointCounts.from_arrays(frame["y"].to_numpy(), {m: frame[m].to_numpy() for m in ("a", "b")}, **options)


@given(cases(), st.integers(2, 12))
def test_every_case_is_in_the_blocks_of_its_scores(data, blocks):
    """Blocks are apart and in order, hold the scores of their cases, and each model's own counts are those of its blocks."""
    y, scores = data
    joint = ic.JointCounts.from_arrays(y, scores, blocks=blocks)
    assert (joint.positives.sum(), joint.negatives.sum()) == (y.sum(), (~y).sum())
    found = dict.fromkeys(map(tuple, joint.blocks.tolist()), (0, 0))
    assert len(found) == len(joint)
    for label, *values in zip(y, *scores.values(), strict=True):
        cell = []
        for low, high, value in zip(joint.low, joint.high, values, strict=True):
            (block,) = np.flatnonzero((low <= value) & (value <= high))
            cell.append(int(block))
        ups, downs = found[tuple(cell)]
        found[tuple(cell)] = ups + bool(label), downs + (not label)
    counted = zip(joint.positives.tolist(), joint.negatives.tolist(), strict=True)
    assert list(found.values()) == list(counted)
    for name, low, high in zip(joint.names, joint.low, joint.high, strict=True):
        assert np.all(high[1:] < low[:-1])
        assert joint.counts[name] == ic.ScoreCounts.from_arrays(y, scores[name])


@given(cases(), st.integers(1, 40))
def test_blocks_never_fall(data, blocks):
    """Higher scores have the same block or a later one, whatever their range."""
    y, scores = data
    grid = cut(CountTable.listed(*count_scores(y, scores["a"] + 0.0, None)), blocks)
    if grid is not None:
        place = grid.keys(np.sort(scores["a"] + 0.0))
        assert np.all(np.diff(place) >= 0)
        assert place[0] >= 1 - len(grid.grids)
        assert place[-1] <= sum(own.end for own in grid.grids)


@given(st.floats(1e-300, 1e300), st.floats(1, 1e30), st.floats(0, 1))
def test_weights_of_a_step_are_about_the_same(low, ratio, place):
    """Within an eighth of a power of two, or a coarser part of it where they differ much; never more than 64 steps."""
    steps = weight_steps(low, high := min(low * ratio, 1e300))
    assert sum(own.end for own in steps.grids) <= 64
    weight = max(low * (high / low) ** place, high * 2.0**-47)
    beyond = np.nextafter(weight * (1 + 1 / steps.grids[0].end), np.inf)
    assert steps.keys(np.array([beyond]))[0] > steps.keys(np.array([weight]))[0] or beyond > high


@pytest.mark.parametrize("shape", [np.tanh, np.exp, lambda z: 1 / (1 + np.exp(-4 * (z - 3))), lambda z: z])
def test_blocks_hold_about_equal_shares(shape):
    """However crooked the scores, no block is much heavier than the mean."""
    rng = np.random.default_rng(0)
    y = rng.random(50_000) < 0.02
    joint = ic.JointCounts.from_arrays(y, {"a": shape(rng.normal(2 * y, 1)), "b": rng.random(y.size)}, blocks=200)
    ups, downs = (np.bincount(joint.blocks[:, 0], cases) for cases in (joint.positives, joint.negatives))
    assert np.max(ups / y.sum() + downs / (~y).sum()) / 2 < 2 / 200
    assert 150 < ups.size < 260


FRAMES = {
    "polars": lambda f: f,
    "polars lazy": lambda f: f.lazy(),
    "pandas": lambda f: f.to_pandas(),
    "pyarrow": lambda f: f.to_arrow(),
    "duckdb": lambda f: duckdb.from_arrow(f.to_arrow()),
    "daft": lambda f: daft.from_arrow(f.to_arrow()),
    "dask": lambda f: dd.concat([dd.from_pandas(f.to_pandas(), npartitions=3), dd.from_pandas(f.to_pandas()[:0], npartitions=1)]),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.parametrize("blocks", [20, 5000])
def test_engines_count_like_arrays(engine, blocks):
    """The same table from every engine, whether scores are cut or each is a block of its own; empty partitions are fine."""
    frame = many()
    expected = joint_of(frame, blocks=blocks)
    assert (expected.low[0].size == len(expected.counts["a"])) == (blocks == 5000)
    assert ic.JointCounts.from_frame(FRAMES[engine](frame), label="y", score=["a", "b"], blocks=blocks) == expected


def of_files(*paths, blocks, **roles):
    """Joint counts of checked files, as the command makes them."""
    columns = rows.asked(
        "y",
        ["a", "b"],
        weight=None,
        lower_is_positive=(),
        **{"pos_label": None, "missing": "error"} | roles,
    )
    with rows.open_files(paths) as files, rows.open_table(files, memory="200MB") as table:
        reader = table.rows(columns)
        return count_rows(reader, reader.columns.models, blocks)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_files_count_like_arrays(tmp_path, suffix):
    """Files are counted by DuckDB, several at once, labels of text too."""
    frame = many().with_columns(y=pl.when(pl.col("y") == 1).then(pl.lit("bad")).otherwise(pl.lit("good")))
    for i in range(2):
        getattr(frame[i::2], f"write_{suffix}")(tmp_path / f"{i}.{suffix}")
    assert of_files(tmp_path / f"*.{suffix}", blocks=20, pos_label="bad") == joint_of(many(), blocks=20)


def test_many_rows_are_cut_by_their_buckets(monkeypatch, tmp_path):
    """Beyond the rows that can be listed, the counts that tell where to cut are in buckets; the table is no worse."""
    frame = many()
    frame.write_parquet(tmp_path / "p.parquet")
    monkeypatch.setattr(count, "MOST_ROWS", 1000)
    for joint in (
        ic.JointCounts.from_frame(frame.lazy(), label="y", score=["a", "b"], blocks=20),
        of_files(tmp_path / "p.parquet", blocks=20),
    ):
        assert joint.positives.sum() == frame["y"].sum()
        assert all(18 <= low.size <= 26 for low in joint.low)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": pl.when(pl.col("a") > 3).then(None).otherwise(pl.col("a"))}, "polars frame: score 'a' is missing"),
        ({"b": pl.when(pl.col("b") > 3).then(float("nan")).otherwise(pl.col("b"))}, "polars frame: score 'b' is missing"),
        ({"y": pl.lit(1)}, "polars frame: label 'y' holds only one class"),
        ({"y": pl.col("a").rank().cast(pl.Int64) % 3}, "polars frame: label 'y' holds 3 classes"),
        ({"a": pl.lit("x")}, "column 'a' of the polars frame must hold numbers, got String"),
    ],
)  # fmt: skip
def test_bad_columns_are_refused_like_everywhere(change, message):
    """The check before counting is that of ScoreCounts."""
    frame = many(300).with_columns(**change)
    with pytest.raises(InputError, match=message):
        ic.JointCounts.from_frame(frame.lazy(), label="y", score=["a", "b"])


def test_data_that_change_while_counted_are_refused(monkeypatch):
    """The cells must hold the cases that the check found."""
    frame = many(300)
    real = joint_blocks.collected
    monkeypatch.setattr(joint_blocks, "collected", lambda table: real(table)[:-1])
    with pytest.raises(
        InputError, match=r"the polars frame changed while it was counted: .* before, .* now; count again"
    ):
        ic.JointCounts.from_frame(frame, label="y", score=["a", "b"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], np.zeros(2)), "scores must be a dict of name to scores or a dataframe, got ndarray"),
        (([0, 1], {}), "scores is empty"),
        (([0, 1], {"a": [1.0, 2.0, 3.0]}), r"different lengths: .*score 'a' has shape \(3,\)"),
        (([0, 1], {"a": [1.0, np.nan]}), "score 'a' is missing in 1 of 2 rows, the first is row 2"),
        (([1, 1], {"a": [1.0, 2.0]}), "only one class"),
    ],
)
def test_bad_arrays_are_named(arguments, message):
    """Every refusal says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        ic.JointCounts.from_arrays(*arguments)


def test_blocks_must_be_a_number_of_them():
    """One block tells nothing."""
    with pytest.raises(InputError, match="blocks must be at least 2, got 1"):
        joint_of(many(50), blocks=1)
    seven = {f"m{i}": [0.0, 1.0] for i in range(7)}
    with pytest.raises(
        InputError, match="joint counts of 7 models, more than 6: their combinations of blocks are too many to count"
    ):
        ic.JointCounts.from_arrays([0, 1], seven)
    assert len(ic.JointCounts.from_arrays([0, 1], seven, blocks=2)) == 2
    with pytest.raises(UnknownNameError, match="unknown column 'c'"):
        ic.JointCounts.from_frame(many(50), label="y", score=["a", "c"])


def test_a_table_shows_itself():
    """Text, equality and plain data."""
    joint = ic.JointCounts.from_arrays([1, 0, 0], {"a": [2.0, 1.0, 1.0], "b": [0.0, 0.0, 1.0]})
    assert repr(joint) == "<JointCounts of 'a' (2 blocks) and 'b' (2 blocks): 3 rows, 1 positive, 2 negatives>"
    assert joint.to_dict()["blocks"] == [[0, 1], [1, 0], [1, 1]]
    assert joint == ic.JointCounts.from_arrays([0, 1, 0], {"a": [1.0, 2.0, 1.0], "b": [1.0, 0.0, 0.0]})
    assert joint != 3
    assert pa.table({"x": joint.positives}).num_rows == pd.Series(joint.positives).size == len(joint)


def test_statistics_of_files_are_not_believed(monkeypatch, tmp_path):
    """A NaN that the statistics of a Parquet file leave out is found."""
    monkeypatch.setattr(rows, "_MANY", 10)
    frame = many(500)
    frame.write_parquet(tmp_path / "good.parquet")
    assert of_files(tmp_path / "good.parquet", blocks=20) == joint_of(frame, blocks=20)
    bad = frame.with_columns(b=pl.when(pl.col("b") > 2).then(float("nan")).otherwise(pl.col("b")))
    pq.write_table(bad.to_arrow(), tmp_path / "bad.parquet")
    with pytest.raises(InputError, match=r"bad\.parquet: score 'b' is missing"):
        of_files(tmp_path / "bad.parquet", blocks=20)


def test_tables_can_be_kept():
    """What was pickled is the same again."""
    joint = joint_of(many(900), blocks=20)
    assert pickle.loads(pickle.dumps(joint)) == joint


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ("a", "b")}, "low must be one for each of 2 models, got 1"),
        ({"positives": np.array([1])}, "negatives must be one for each of 1 rows, got 2"),
        ({"blocks": np.array([[0], [2]])}, "the blocks of 'a' must be from 0 to 1, got 2"),
        ({"high": (np.array([1.0, 0.6]),)}, "the blocks of 'a' must descend"),
        ({"negatives": np.array([1, -1])}, "must not be negative"),
    ],
)
def test_columns_that_do_not_fit_are_refused(change, message):
    """Made by hand, or read from a file that was changed by hand."""
    columns = {
        "names": ("a",), "low": (np.array([0.6, 0.1]),), "high": (np.array([1.0, 0.5]),),
        "blocks": np.array([[0], [1]]), "positives": np.array([1, 0]), "negatives": np.array([0, 1]),
    }  # fmt: skip
    assert len(ic.JointCounts(**columns)) == 2
    with pytest.raises(InputError, match=message):
        ic.JointCounts(**columns | change)

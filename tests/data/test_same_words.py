"""The same fault has the same words and the same row from arrays, frames and files.

Infinite scores are a fault: the threshold ∞ flags nobody, and would flag them.
"""

import dask.dataframe as dd
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import isocost as ic
from isocost.cli.app import run
from isocost.errors import InputError

Y = [1, 0, 1, 0, 1, 0]
SCORES = [0.9, 0.2, np.inf, 0.4, -np.inf, 0.1]
ROWS = (
    r"is infinite in 2 of 6 rows, the first is row 3 \(counting from 1\); give these cases finite scores or drop them$"
)
DATA = {"y": Y, "m": SCORES, "n": [0.9, 0.2, 0.3, 0.4, 0.5, 0.1]}


@pytest.mark.parametrize(
    "ask",
    [
        lambda: ic.ScoreCounts.from_arrays(Y, SCORES),
        lambda: ic.ScoreCounts.from_unlabelled(SCORES),
        lambda: ic.ScoreCounts.empty().update(Y, SCORES),
        lambda: ic.RocCurve.from_scores(Y, SCORES),
        lambda: ic.RocCurve.from_scores(Y, [float(s) for s in SCORES], sample_weight=[1, 2, 1, 2, 1, 2]),
        lambda: ic.RocCurve.from_scores(Y, np.array(SCORES, dtype=object)),
        lambda: ic.RocCurve.from_scores(Y, np.array(SCORES, dtype=np.float32)),
        lambda: ic.Comparison.from_scores(Y, {"m": SCORES}),
        lambda: ic.JointCounts.from_arrays(Y, {"m": SCORES}),
        lambda: ic.RowCosts.from_columns(Y, cost_fp=1, cost_fn=2).best_threshold(SCORES),
        lambda: ic.delong(Y, SCORES),
        lambda: ic.RocCurve.from_scores(Y, DATA["n"]).calibrator()(SCORES),
    ],
)
def test_arrays_are_refused_with_the_first_row(ask):
    """Counted from 1, like everywhere."""
    with pytest.raises(InputError, match=ROWS):
        ask()


@pytest.mark.parametrize("frame", [pd.DataFrame(DATA), pl.DataFrame(DATA), pl.LazyFrame(DATA)])
def test_frames_are_refused(frame):
    """Of one model or several together, and between cuts."""
    for ask in (
        lambda: ic.ScoreCounts.from_frame(frame, label="y", score="m"),
        lambda: ic.ScoreCounts.from_frame(frame, label=None, score="m", cuts=[0.5]),
        lambda: ic.JointCounts.from_frame(frame, label="y", score=["m", "n"]),
    ):
        with pytest.raises(InputError, match=ROWS):
            ask()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_are_refused_by_the_library_and_the_command(tmp_path, capsys, suffix):
    """Text says inf."""
    path = tmp_path / f"p.{suffix}"
    frame = pd.DataFrame(DATA)
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    with pytest.raises(InputError, match=ROWS):
        ic.ScoreCounts.scan(path, label="y", score="m")
    with pytest.raises(InputError, match=ROWS):
        ic.ScoreCounts.scan(path, label=None, score="m", cuts=[0.5])
    assert run(["choose", str(path), "--label", "y", "--cost-fn", "5", "--cost-fp", "1"]) == 2
    assert "is infinite in 2 of 6 rows, the first is row 3 (counting from 1)" in capsys.readouterr().err


def test_a_table_of_counts_has_no_infinite_scores():
    """Nor does one that was saved elsewhere."""
    with pytest.raises(InputError, match="scores is infinite in 1 of 2 rows"):
        ic.ScoreCounts([np.inf, 0.5], [1, 0], [0, 1])


GOOD = {"y": [1, 0, 1, 0], "m": [0.9, 0.2, 0.3, 0.4], "w": [1.0, 2.0, 3.0, 4.0]}
FAULTS = {
    "missing score": ({"m": [0.9, None, None, 0.4]}, "score 'm' is missing in 2 of 4 rows, the first is row 2 (counting from 1)"),
    "missing label": ({"y": [1, 0, None, 0]}, "label 'y' is missing in 1 of 4 rows, the first is row 3 (counting from 1)"),
    "missing weight": ({"w": [1, 2, 3, None]}, "weight 'w' is missing in 1 of 4 rows, the first is row 4 (counting from 1)"),
    "infinite": ({"m": [0.9, 0.2, np.inf, -np.inf]}, "score 'm' is infinite in 2 of 4 rows, the first is row 3 (counting from 1)"),
    "weight": ({"w": [1, -2, 3, -4]},
               "weight 'w' must be finite and not negative, and is not in 2 of 4 rows, the first is row 2 (counting from 1)"),
    "wide": ({"m": [2**53 + 1, 1, 2, 3]},
             "score 'm' has whole numbers that do not fit float64 exactly in 1 of 4 rows, the first is row 1 (counting from 1)"),
    "wide beside its neighbour": ({"m": [2**53 + 1, 2**53, 2, 3]},
             "score 'm' has whole numbers that do not fit float64 exactly in 1 of 4 rows, the first is row 1 (counting from 1)"),
    "three classes": ({"y": [0, 1, 2, 1]}, "label 'y' holds 3 classes (0, 1, 2): isocost needs two"),
    "one class": ({"y": [1, 1, 1, 1]}, "label 'y' holds only one class, 1: at least one positive and one negative are needed"),
    "which": ({"y": ["a", "b", "b", "b"]},
              "label 'y' holds 'a' (1 case) and 'b' (3 cases); say which to detect: pos_label='a' or pos_label='b'"),
}  # fmt: skip
SOURCES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy polars": lambda data: pl.DataFrame(data, strict=False).lazy(),
    "pyarrow": pa.table,
    "duckdb": lambda data: duckdb.from_arrow(pa.table(data)),
    "dask": lambda data: dd.from_pandas(pd.DataFrame(data), npartitions=1),
}


def complaint(ask):
    """The message."""
    with pytest.raises(InputError) as raised:
        ask()
    return str(raised.value)


@pytest.mark.parametrize("name", FAULTS)
def test_the_same_words_and_row_from_arrays_frames_and_files(name, tmp_path):
    """Only the place before the words, and the option behind them, differ; rows of a cluster have no order."""
    change, words = FAULTS[name]
    data = GOOD | change
    arrays = {
        key: np.array(values, dtype=object) if None in values else np.array(values) for key, values in data.items()
    }
    reported = complaint(lambda: ic.Comparison.from_scores(arrays["y"], {"m": arrays["m"]}, sample_weight=arrays["w"]))
    assert words.replace("label 'y'", "y_true").replace("weight 'w'", "sample_weight") in reported
    for source, make in SOURCES.items():
        reported = complaint(lambda: ic.ScoreCounts.from_frame(make(data), label="y", score="m", weight="w"))  # noqa: B023
        assert f"{source.split()[-1]} frame: " in reported
        assert (words.partition(", the first")[0] if source == "dask" else words) in reported
    for suffix in ("csv", "parquet"):
        path = tmp_path / f"cases.{suffix}"
        frame = pa.table(data).to_pandas()
        frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
        reported = complaint(lambda: ic.ScoreCounts.scan(path, label="y", score="m", weight="w"))  # noqa: B023
        assert f"cases.{suffix}: {words}" in reported


@pytest.mark.parametrize("source", ["pandas", "polars", "lazy polars", "duckdb", "dask"])
def test_a_frame_where_scores_are_wanted_is_refused(source):
    """With how to count it."""
    decision = ic.Comparison.from_scores(GOOD["y"], {"m": GOOD["m"]}).decide(ic.Condition(1, 5, 0.3))
    with pytest.raises(
        InputError, match=r"must be scores or counts, got a \w+: count it first, with ScoreCounts.from_frame"
    ):
        ic.watch(decision, {"May": SOURCES[source]({"m": GOOD["m"]})})

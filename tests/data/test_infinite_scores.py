"""Infinite scores are refused wherever they come from: the threshold ∞ flags nobody, and would flag them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import isocost as ic
from isocost.cli.app import run
from isocost.errors import InputError

Y = [1, 0, 1, 0, 1, 0]
SCORES = [0.9, 0.2, np.inf, 0.4, -np.inf, 0.1]
ROWS = (
    r"is infinite in 2 of 6 rows, the first is row 3 \(counting from 1\); give these cases finite scores or drop them$"
)
NO_ORDER = r"is infinite in 2 of 6 rows; give these cases finite scores or drop them$"
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
        with pytest.raises(InputError, match=NO_ORDER):
            ask()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_are_refused_by_the_library_and_the_command(tmp_path, capsys, suffix):
    """Text says inf."""
    path = tmp_path / f"p.{suffix}"
    frame = pd.DataFrame(DATA)
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    with pytest.raises(InputError, match=ROWS):
        ic.ScoreCounts.scan(path, label="y", score="m")
    with pytest.raises(InputError, match=NO_ORDER):
        ic.ScoreCounts.scan(path, label=None, score="m", cuts=[0.5])
    assert run(["choose", str(path), "--label", "y", "--cost-fn", "5", "--cost-fp", "1"]) == 2
    assert "is infinite in 2 of 6 rows, the first is row 3 (counting from 1)" in capsys.readouterr().err


def test_a_table_of_counts_has_no_infinite_scores():
    """Nor does one that was saved elsewhere."""
    with pytest.raises(InputError, match="scores is infinite in 1 of 2 rows"):
        ic.ScoreCounts([np.inf, 0.5], [1, 0], [0, 1])

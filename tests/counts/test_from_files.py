import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import isocost as ic
from isocost.counts import buckets
from isocost.counts.from_arrays import count_scores
from isocost.errors import InputError, UnknownNameError


def rows(n=5000, seed=0):
    """Return labels and two models' scores, with infinities, both zeros and ties."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    a = rng.normal(y * 1.2, 1.0)
    a[:6] = [np.inf, -np.inf, -0.0, 0.0, 5e-324, np.inf]
    return pd.DataFrame({"y": y, "a": a, "b": np.round(rng.normal(y, 1.0), 1), "w": rng.integers(0, 3, n) / 2})


@pytest.fixture
def small(monkeypatch):
    """Few buckets, so that a small file needs several passes."""
    monkeypatch.setattr(buckets, "BITS", 8)
    monkeypatch.setattr(buckets, "MOST_ROWS", 512)


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_files_give_the_counts_of_their_rows(tmp_path, suffix):
    """Several files through a glob, several models at once, weights; nothing is left behind."""
    f = rows()
    for i, part in enumerate((f[:3000], f[3000:])):
        part.to_parquet(tmp_path / f"{i}.parquet") if suffix == ".parquet" else part.to_csv(
            tmp_path / f"{i}.csv", index=False
        )
    counts = ic.ScoreCounts.scan(tmp_path / f"*{suffix}", label="y", score=["a", "b"], memory="100MB")
    assert counts["a"] == ic.ScoreCounts.from_arrays(f.y, f.a)
    assert counts["b"] == ic.ScoreCounts.from_arrays(f.y, f.b)
    weighted = ic.ScoreCounts.scan([tmp_path / f"{i}{suffix}" for i in (0, 1)], label="y", score="a", weight="w")
    assert np.array_equal(weighted.scores, ic.ScoreCounts.from_arrays(f.y, f.a, sample_weight=f.w).scores)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("weight", [None, "w"])
def test_buckets_of_a_file_reach_the_exact_hull(tmp_path, weight):
    """As from rows in memory, thresholds included; ties are listed by the engine."""
    f = rows()
    f["w"] *= 2
    f.to_parquet(tmp_path / "f.parquet", row_group_size=1000)
    counts = ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score=["a", "b"], weight=weight, max_distinct=200)
    weights = None if weight is None else f.w
    truth = ic.RocCurve.from_scores(f.y, f.a, sample_weight=weights)
    curve = ic.RocCurve.from_counts(counts["a"])
    assert not counts["a"].exact
    for name in ("fp", "tp", "thresholds"):
        assert np.array_equal(getattr(curve.hull, name), getattr(truth.hull, name))
    assert ic.auc(truth) in counts["a"].bounds("auc")
    assert counts["b"] == ic.ScoreCounts.from_arrays(f.y, f.b, sample_weight=weights)
    near = ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", max_distinct=0, tolerance=0.001)
    assert near.bounds("auc").width <= 0.001
    assert near.bounds(ic.voros).width <= 0.001


@pytest.mark.usefixtures("small")
def test_streamed_buckets_are_those_of_every_score(tmp_path):
    """Each row of the table counts exactly the scores between its ends."""
    f = rows()
    f.to_parquet(tmp_path / "f.parquet")
    counts = ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", max_distinct=0, exact=False)
    scores, ups, downs = count_scores(f.y.to_numpy() == 1, f.a.to_numpy(), None)
    for low, high, up, down in zip(counts.scores, counts.upper, counts.positives, counts.negatives, strict=True):
        inside = (scores >= low) & (scores <= high)
        assert (ups[inside].sum(), downs[inside].sum()) == (up, down)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": None}, r"column 'a' of .*f\.parquet has missing values .*1 of 50 rows, the first is row 8"),
        ({"a": np.nan}, r"column 'a' of .*f\.parquet has missing values .*1 of 50 rows, the first is row 8"),
        ({"y": 2}, r"column 'y' of .*f\.parquet holds 3 classes \(0, 1, 2\)"),
        ({"y": None}, r"column 'y' of .*f\.parquet has missing values"),
        ({"w": -1.0}, r"column 'w' of .*f\.parquet has weights that are not finite or negative, such as -1"),
    ],
)
def test_bad_rows_are_named_with_file_and_column(tmp_path, change, message):
    """The same errors as in memory; nothing is written."""
    f = rows(50)
    for name, value in change.items():
        f[name] = f[name].astype(object)
        f.loc[7, name] = value
    table = pa.table(
        {"y": pa.array(f.y, pa.int64()), "a": pa.array(f.a, pa.float64()), "w": pa.array(f.w, pa.float64())}
    )
    pq.write_table(table, tmp_path / "f.parquet")
    with pytest.raises(InputError, match=message):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", weight="w")
    assert [path.name for path in tmp_path.iterdir()] == ["f.parquet"]


def test_one_class_wrong_names_and_missing_files(tmp_path):
    """Each with what was expected."""
    rows(50).assign(y=1).to_parquet(tmp_path / "f.parquet")
    with pytest.raises(InputError, match=r"column 'y' of .* holds only one class, 1"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a")
    with pytest.raises(UnknownNameError, match="unknown column 'aa': did you mean 'a'"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="aa")
    with pytest.raises(InputError, match=r"no such file.*did you mean"):
        ic.ScoreCounts.scan(tmp_path / "g.parquet", label="y", score="a")
    rows(50).assign(y=["x", "z"] * 25).to_parquet(tmp_path / "f.parquet")
    with pytest.raises(InputError, match=r"which class is positive\?.*say so with pos_label="):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a")
    with pytest.raises(InputError, match="memory must be a size such as 500MB"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", memory="lots")


def test_a_corrupt_row_group_is_named(tmp_path):
    """A page that cannot be unpacked, though the file's ends are whole."""
    path = tmp_path / "f.parquet"
    pq.write_table(pa.table(rows(20_000)), path, row_group_size=5000, compression="zstd")
    damaged = bytearray(path.read_bytes())
    start = pq.ParquetFile(path).metadata.row_group(2).column(1).data_page_offset
    damaged[start + 30 : start + 3000] = os.urandom(2970)
    path.write_bytes(damaged)
    with pytest.raises(InputError, match=r"f\.parquet"):
        ic.ScoreCounts.scan(path, label="y", score="a")


@pytest.mark.usefixtures("small")
def test_a_file_that_changes_is_noticed(tmp_path, monkeypatch):
    """Other rows in the second pass than in the first."""
    path = tmp_path / "f.parquet"
    rows().to_parquet(path)
    first = buckets.conserved

    def then_change(*given):
        first(*given)
        rows(seed=1).to_parquet(tmp_path / "new.parquet")
        (tmp_path / "new.parquet").replace(path)

    monkeypatch.setattr(buckets, "conserved", then_change)
    with pytest.raises(InputError, match=r"changed while it was counted|f\.parquet"):
        ic.ScoreCounts.scan(path, label="y", score="a", max_distinct=0)


def test_ctrl_c_stops_at_once_and_leaves_nothing_behind(tmp_path):
    """Interrupted in the middle of a pass: KeyboardInterrupt, no thread, no temporary folder."""
    pq.write_table(
        pa.table({"y": np.arange(3_000_000) % 2, "a": np.random.default_rng(0).random(3_000_000)}),
        tmp_path / "f.parquet",
    )
    spool = tmp_path / "spool"
    spool.mkdir()
    code = (
        "import isocost as ic, signal, threading\n"
        # A shell that runs the tests in the background makes its children ignore the signal.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try:\n"
        "    while True:\n"
        "        print('pass', flush=True)\n"
        f"        ic.ScoreCounts.scan({str(tmp_path / 'f.parquet')!r}, label='y', score='a', max_distinct=0)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', threading.active_count(), flush=True)\n"
    )
    env = os.environ | {"TMPDIR": str(spool)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=env) as ran:
        # The second pass: an import of the engine that is interrupted ends in its own way.
        assert [ran.stdout.readline() for _ in range(2)] == ["pass\n", "pass\n"]
        time.sleep(0.1)
        ran.send_signal(signal.SIGINT)
        said = ran.communicate(timeout=60)[0]
    assert said.endswith("stopped 1\n")
    assert list(Path(spool).iterdir()) == []

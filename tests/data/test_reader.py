import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import isocost as ic
from isocost.curves.sort import count_scores
from isocost.data import count
from isocost.data.tables import memory_bytes
from isocost.errors import InputError, UnknownNameError


def rows(n=5000, seed=0):
    """Return labels and two models' scores, with outliers, both zeros and ties."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    a = rng.normal(y * 1.2, 1.0)
    a[:6] = [50.0, -50.0, -0.0, 0.0, 5e-324, 50.0]
    return pd.DataFrame({"y": y, "a": a, "b": np.round(rng.normal(y, 1.0), 1), "w": rng.integers(0, 3, n) / 2})


@pytest.fixture
def small(monkeypatch):
    """Few buckets, so that a small file needs several passes."""
    monkeypatch.setattr(count, "BITS", 8)
    monkeypatch.setattr(count, "MOST_ROWS", 512)
    monkeypatch.setattr(count, "_BATCH", 2048)


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
    assert curve.resolution == 0
    assert abs(ic.auc(truth) - ic.auc(curve)) <= curve.resolution_of_area / 2 + 1e-15
    assert counts["b"] == ic.ScoreCounts.from_arrays(f.y, f.b, sample_weight=weights)


@pytest.mark.usefixtures("small")
def test_streamed_buckets_are_those_of_every_score(tmp_path):
    """Each row of the table counts exactly the scores between its ends."""
    f = rows()
    f.to_parquet(tmp_path / "f.parquet")
    counts = ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", max_distinct=0)
    scores, ups, downs = count_scores(f.y.to_numpy() == 1, f.a.to_numpy(), None)
    for low, high, up, down in zip(counts.scores, counts.upper, counts.positives, counts.negatives, strict=True):
        inside = (scores >= low) & (scores <= high)
        assert (ups[inside].sum(), downs[inside].sum()) == (up, down)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "kind", ["normal", "fraud", "two clusters", "ties and more", "float32", "one percent", "signs"]
)
def test_every_kind_of_scores_gives_the_hull_of_its_rows(tmp_path, kind):
    """As from rows in memory."""
    rng = np.random.default_rng(1)
    n = 20_000
    y = rng.random(n) < {"fraud": 0.005, "one percent": 0.01}.get(kind, 0.3)
    a = rng.normal(y * 1.5, 1.0)
    match kind:
        case "fraud":
            a = np.exp(3 * a - 12)
        case "two clusters":
            a = np.where(rng.random(n) < 0.5, 1e-9 * a, 1e6 + 1e-4 * a)
        case "ties and more":
            a = np.where(rng.random(n) < 0.7, np.round(a), a)
        case "float32":
            a = (1 / (1 + np.exp(-a))).astype(np.float32)
        case "signs":
            a[:4] = [0.0, -0.0, 5e-324, -5e-324]
    path = tmp_path / "f.parquet"
    pq.write_table(pa.table({"y": y, "a": a}), path, row_group_size=3000)
    counts = ic.ScoreCounts.scan(path, label="y", score="a", max_distinct=0)
    truth = ic.RocCurve.from_scores(y, a)
    curve = ic.RocCurve.from_counts(counts)
    for name in ("fp", "tp", "thresholds"):
        assert np.array_equal(getattr(curve.hull, name), getattr(truth.hull, name))
    assert ic.voros(curve) == ic.voros(truth)
    assert abs(ic.auc(truth) - ic.auc(curve)) <= curve.resolution_of_area / 2 + 1e-15


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("scale", [1e-9, 1e-200])
def test_clusters_far_apart_take_few_passes_and_no_long_lists(tmp_path, scale, monkeypatch):
    """However coarse equal steps over the whole range would be: what is left open at last is not more than a table may hold."""
    monkeypatch.setattr(count, "BITS", 12)
    monkeypatch.setattr(count, "MOST_ROWS", 2**13)
    rng = np.random.default_rng(2)
    n = 50_000
    y = rng.random(n) < 0.4
    a = np.where(rng.random(n) < 0.5, scale * np.exp(rng.normal(y, 1.0)), 1e6 + 1e-3 * rng.normal(y, 1.0))
    pq.write_table(pa.table({"y": y, "a": a}), tmp_path / "f.parquet")
    passes, listed = [], []
    real, listing = count.StreamedScores.batches, count.count_scores
    monkeypatch.setattr(count.StreamedScores, "batches", lambda self: passes.append(1) or real(self))
    monkeypatch.setattr(count, "count_scores", lambda *rows: listed.append(rows[1].size) or listing(*rows))
    counts = ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", max_distinct=0)
    truth = ic.RocCurve.from_scores(y, a)
    assert np.array_equal(ic.RocCurve.from_counts(counts).hull.thresholds, truth.hull.thresholds)
    assert len(passes) <= 5
    assert sum(listed) <= count.MOST_ROWS / 2


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("size", [4000, 6000])
def test_another_number_of_rows_in_a_later_pass_is_noticed(tmp_path, size, monkeypatch):
    """Fewer by the cases that are missing, more by the rows."""
    path, real = tmp_path / "f.parquet", count.conserved
    rows().to_parquet(path)

    def replaced(*given):
        real(*given)
        rows(size).to_parquet(path)

    monkeypatch.setattr(count, "conserved", replaced)
    with pytest.raises(InputError, match=r"f\.parquet.*changed while it was counted: \d+ (positives|rows) before"):
        ic.ScoreCounts.scan(path, label="y", score="a", max_distinct=0, missing="drop")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("a", np.nan, ": score 'a' is missing"),
        ("a", None, ": score 'a' is missing"),
        ("y", None, ": label 'y' is missing"),
    ],
)
def test_what_statistics_do_not_tell_is_found(tmp_path, column, value, message):
    """NaN is left out of the statistics, and so are nulls."""
    f = pd.DataFrame({"y": np.arange(9000) % 2, "a": np.random.default_rng(0).random(9000)})
    data = {name: f[name].tolist() for name in f}
    data[column][8888] = value
    pq.write_table(pa.table({"y": pa.array(data["y"], pa.int8()), "a": data["a"]}), tmp_path / "f.parquet")
    with pytest.raises(InputError, match=message + ".*1 of 9000 rows, the first is row 8889"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", max_distinct=0)


@pytest.mark.usefixtures("small")
def test_labels_that_only_look_like_two_classes_are_not_taken_for_them(tmp_path):
    """Fractions between 0 and 1; and the other class as the positive one."""
    rng = np.random.default_rng(0)
    y, a = (rng.random(5000) < 0.4).astype(float), rng.random(5000)
    y[99] = 0.5
    pq.write_table(pa.table({"y": y, "a": a}), tmp_path / "f.parquet")
    with pytest.raises(InputError, match=r"holds 3 classes \(0.0, 0.5, 1.0\)"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", max_distinct=0)
    y[99] = 1
    pq.write_table(pa.table({"y": y.astype(int), "a": a}), tmp_path / "f.parquet")
    counts = ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", max_distinct=0, pos_label=0)
    assert counts.positives.sum() == np.count_nonzero(y == 0)


@pytest.mark.usefixtures("small")
def test_progress_is_told_in_every_pass(tmp_path):
    """Percentages rise within a pass, each pass begins anew, and what is being read is named."""
    rng = np.random.default_rng(0)
    y, a = rng.random(50_000) < 0.4, rng.random(50_000)
    pq.write_table(pa.table({"y": y, "a": a}), tmp_path / "f.parquet")
    heard = []

    @contextmanager
    def progress(doing, percent):
        heard.append((doing, percent))
        yield

    ticks = []
    real = count.Steps.keys

    def tick(self, scores):
        if heard and scores.size > 1000:
            ticks.append((len(heard), heard[-1][1]()))
        return real(self, scores)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(count.Steps, "keys", tick)
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", max_distinct=0, progress=progress)
    assert all(doing == f"reading {tmp_path / 'f.parquet'}" for doing, _ in heard)
    passes = [[percent for which, percent in ticks if which == number] for number in sorted({n for n, _ in ticks})]
    assert len(passes) >= 2
    for notice in passes:
        assert notice == sorted(notice)
        assert notice[0] == 0
        assert len({percent for percent in notice if 0 < percent < 100}) > 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": None}, r"f\.parquet: score 'a' is missing .*1 of 50 rows, the first is row 8"),
        ({"a": np.nan}, r"f\.parquet: score 'a' is missing .*1 of 50 rows, the first is row 8"),
        ({"y": 2}, r"f\.parquet: label 'y' holds 3 classes \(0, 1, 2\)"),
        ({"y": None}, r"f\.parquet: label 'y' is missing"),
        ({"w": -1.0}, r"f\.parquet: weight 'w' must be finite and not negative, and is not in 1 of 50 rows.*with -1"),
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
    with pytest.raises(InputError, match=r"label 'y' holds only one class, 1"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a")
    with pytest.raises(UnknownNameError, match=r"unknown column of .*f\.parquet for score= 'aa': did you mean 'a'"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="aa")
    with pytest.raises(InputError, match=r"no such file.*did you mean"):
        ic.ScoreCounts.scan(tmp_path / "g.parquet", label="y", score="a")
    rows(50).assign(y=["x", "z"] * 25).to_parquet(tmp_path / "f.parquet")
    with pytest.raises(
        InputError,
        match=r"holds 'x' \(25 cases\) and 'z' \(25 cases\); say which to detect: pos_label='x' or pos_label='z'",
    ):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a")
    with pytest.raises(InputError, match="memory must be a size such as 500MB"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", memory="lots")
    with pytest.raises(InputError, match=r"memory must be at least 16MB, got 1\.5"):
        ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", memory=1.5)
    with pytest.raises(InputError, match="paths is empty: name at least one file"):
        ic.ScoreCounts.scan([], label="y", score="a")
    with pytest.raises(InputError, match="paths must be a path or several of them, got 3"):
        ic.ScoreCounts.scan(3, label="y", score="a")


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "jsonl", "csv"])
@pytest.mark.parametrize("first", [pl.Int64, pl.Int8, pl.Float32, pl.Decimal(10, 3)])
def test_shards_of_different_types_keep_their_scores(tmp_path, suffix, first):
    """The first file's type does not bind the others, which would round their scores; the order of files is no matter."""
    one = pl.DataFrame({"y": [0, 1], "a": [0, 1]}).cast({"a": first if suffix != "csv" else pl.Int64})
    two = pl.DataFrame({"a": [0.1, 0.2, 0.7], "y": [0, 1, 1]}, schema_overrides={"y": pl.Int8})
    two = two.select("y", "a") if suffix == "csv" else two
    write = {"parquet": "write_parquet", "arrow": "write_ipc", "jsonl": "write_ndjson", "csv": "write_csv"}[suffix]
    paths = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for frame, path in zip((one, two), paths, strict=True):
        getattr(frame, write)(path)
    expected = ic.ScoreCounts.from_arrays([0, 1, 0, 1, 1], [0, 1, 0.1, 0.2, 0.7])
    for order in (paths, paths[::-1]):
        assert ic.ScoreCounts.scan(order, label="y", score="a") == expected


def test_a_file_that_is_named_twice_is_refused(tmp_path):
    """By itself and by a pattern, for example; its cases would count twice."""
    path = tmp_path / "a.parquet"
    pl.DataFrame({"y": [0, 1], "a": [0.1, 0.2]}).write_parquet(path)
    for paths in ([path, path], [path, tmp_path / "*.parquet"]):
        with pytest.raises(InputError, match=r"a\.parquet is named twice: its cases would count twice"):
            ic.ScoreCounts.scan(paths, label="y", score="a")


def test_a_shard_without_the_column_is_named(tmp_path):
    """Not taken for damaged, nor its rows for missing values."""
    pl.DataFrame({"y": [0, 1], "a": [0.1, 0.2]}).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame({"y": [0, 1], "b": [0.1, 0.2]}).write_parquet(tmp_path / "b.parquet")
    for score, lacking in (("a", "b"), ("b", "a")):
        with pytest.raises(
            InputError, match=rf"{lacking}\.parquet has no column '{score}', which others of the 2 files"
        ):
            ic.ScoreCounts.scan(tmp_path / "*.parquet", label="y", score=score)
    pl.DataFrame({"y": [0, 1], "a": ["x", "0.2"]}).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"column 'a' of .*a\.parquet and 1 more must hold numbers, got VARCHAR"):
        ic.ScoreCounts.scan(tmp_path / "*.parquet", label="y", score="a")


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "jsonl", "csv"])
def test_every_kind_of_file_is_checked_like_rows_in_memory(tmp_path, suffix):
    """Integers too wide for float64, text, a class without weight."""
    path = tmp_path / f"f.{suffix}"
    write = {"parquet": "write_parquet", "arrow": "write_ipc", "jsonl": "write_ndjson", "csv": "write_csv"}[suffix]
    frame = pl.DataFrame(
        {"y": [0, 1, 1], "a": [2**53 + 1, 2**53, 3], "b": [0.5, 1, 2], "t": ["x", "y", "z"], "w": [0.0, 1.0, 2.0]}
    )
    getattr(frame, write)(path)
    with pytest.raises(InputError, match=r"score 'a' has whole numbers that do not fit float64.*9007199254740993"):
        ic.ScoreCounts.scan(path, label="y", score="a")
    with pytest.raises(InputError, match=r"'t'.* (is not a number in 3 of 3 rows, .*'x'|must hold numbers.*'x')"):
        ic.ScoreCounts.scan(path, label="y", score="t")
    with pytest.raises(InputError, match=r"weight 'w' has no negative case: the weights of that class sum to 0"):
        ic.ScoreCounts.scan(path, label="y", score="b", weight="w")


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
    first = count.conserved

    def then_change(*given):
        first(*given)
        rows(seed=1).to_parquet(tmp_path / "new.parquet")
        (tmp_path / "new.parquet").replace(path)

    monkeypatch.setattr(count, "conserved", then_change)
    with pytest.raises(InputError, match=r"changed while it was counted|f\.parquet"):
        ic.ScoreCounts.scan(path, label="y", score="a", max_distinct=0)


def test_counting_a_file_does_not_load_pandas(tmp_path):
    """Which takes longer than ten million rows, and as much memory as five million."""
    pq.write_table(
        pa.table({"y": np.arange(9000) % 2, "a": np.random.default_rng(0).random(9000)}), tmp_path / "f.parquet"
    )
    code = (
        "import isocost as ic, sys\n"
        "for most in (0, 10**6):\n"
        f"    ic.ScoreCounts.scan({str(tmp_path / 'f.parquet')!r}, label='y', score='a', max_distinct=most)\n"
        "print('pandas' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


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
        reported = ran.communicate(timeout=60)[0]
    assert reported.endswith("stopped 1\n")
    assert list(Path(spool).iterdir()) == []


@pytest.mark.parametrize(
    "labels",
    [["it's", "b"], [1.5, 2.5], [True, False], [3, 4], [Decimal("1.5"), Decimal("2.5")], [b"a", b"b"], ["a\0", "a"]],
)
def test_a_label_of_any_type_is_found_again(labels, tmp_path):
    """Whether the query can say it or needs a parameter for it."""
    pq.write_table(pa.table({"y": labels * 3, "a": [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]}), tmp_path / "f.parquet")
    counts = ic.ScoreCounts.scan(tmp_path / "f.parquet", label="y", score="a", pos_label=labels[0])
    assert counts.positives.tolist() == [1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("given", "size"), [("500MB", 500e6), ("2GB", 2e9), ("2GiB", 2**31), ("0.5 gib", 2**29), (16_000_000, 16e6)]
)
def test_sizes_have_decimal_or_binary_units(given, size):
    """As written."""
    assert memory_bytes(given, "memory") == size

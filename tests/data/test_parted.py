import numpy as np
import pytest

import isocost as ic
from isocost.data.rows import in_use, open_files, open_table
from isocost.data.tables import Roles
from isocost.errors import InputError, UnknownNameError

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
dask = pytest.importorskip("dask.dataframe")

SCORES = [0.9, 0.4, 0.4, 0.1, -0.0, 0.0, 2.0, -1e300, 1e300]
CUTS = np.array([1.0, 0.4, 0.0])

FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy polars": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": lambda data: duckdb.from_arrow(pa.table(data)),
    "dask": lambda data: dask.from_pandas(pd.DataFrame(data), npartitions=2),
}


@pytest.mark.parametrize("engine", FRAMES)
def test_any_frame_is_counted_without_labels(engine):
    """Every score listed, and between cuts: the same cases as an array's."""
    frame = FRAMES[engine]({"s": SCORES, "n": [1, 2, 1, 1, 1, 1, 1, 1, 1]})
    assert ic.ScoreCounts.from_frame(frame, label=None, score="s") == ic.ScoreCounts.from_unlabelled(SCORES)
    weighted = ic.ScoreCounts.from_frame(frame, label=None, score="s", weight="n")
    assert weighted.unlabelled.sum() == 10
    parts = ic.ScoreCounts.from_frame(frame, label=None, score="s", cuts=CUTS)
    assert parts.unlabelled.tolist() == [2, 3, 3, 1]
    assert (parts.scores.tolist(), parts.upper.tolist()) == ([2.0, 0.4, 0.0, -1e300], [1e300, 0.9, 0.1, -1e300])
    assert ic.ScoreCounts.from_frame(frame, label=None, score="s", weight="n", cuts=CUTS).unlabelled.tolist() == [
        2,
        4,
        3,
        1,
    ]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_files_are_counted_without_labels(suffix, tmp_path):
    """Every score listed, and between cuts: the same cases as an array's."""
    file = tmp_path / f"week{suffix}"
    finite = pl.DataFrame({"s": SCORES[:7], "other": ["x"] * 7})
    {".csv": finite.write_csv, ".parquet": finite.write_parquet, ".jsonl": finite.write_ndjson}[suffix](file)
    assert ic.ScoreCounts.scan(file, label=None, score="s") == ic.ScoreCounts.from_unlabelled(SCORES[:7])
    assert ic.ScoreCounts.scan(file, label=None, score="s", cuts=CUTS).unlabelled.tolist() == [1, 3, 3]


def test_scores_alone_are_a_table(tmp_path):
    """A file of one column is enough where there is no label; a blank line in it is a missing score."""
    file = tmp_path / "week.csv"
    file.write_text("s\n0.5\n0.25\n2\n", encoding="utf-8")
    assert ic.ScoreCounts.scan(file, label=None, score="s") == ic.ScoreCounts.from_unlabelled([0.5, 0.25, 2])
    assert ic.ScoreCounts.scan(file, label=None, score="s", cuts=CUTS).unlabelled.tolist() == [1, 1, 1]
    with pytest.raises(InputError, match="single column"):
        ic.ScoreCounts.scan(file, label="s", score="s")


def test_many_unlabelled_scores_are_counted_in_buckets():
    """In one pass over a grid; the cases are all there, and every bucket says how far it reaches."""
    scores = np.random.default_rng(0).normal(size=5000)
    counts = ic.ScoreCounts.from_frame(pl.LazyFrame({"s": scores}), label=None, score="s", max_distinct=100)
    assert counts.unlabelled.sum() == 5000
    listed = ic.ScoreCounts.from_unlabelled(scores)
    upper = counts.scores if counts.upper is None else counts.upper
    for low, high, cases in zip(counts.scores, upper, counts.unlabelled, strict=True):
        assert listed.unlabelled[(listed.scores >= low) & (listed.scores <= high)].sum() == cases


@pytest.mark.parametrize("engine", FRAMES)
def test_bad_columns_of_frames_are_named(engine):
    """Each refusal says which column."""
    frame = FRAMES[engine]({"s": [0.5, None], "t": ["a", "b"]})
    with pytest.raises(InputError, match=r"'s' is missing in 1 of 2 rows"):
        ic.ScoreCounts.from_frame(frame, label=None, score="s", cuts=CUTS)
    with pytest.raises(InputError, match=r"'t'.*must hold numbers"):
        ic.ScoreCounts.from_frame(frame, label=None, score="t", cuts=CUTS)
    with pytest.raises(UnknownNameError, match="'z'"):
        ic.ScoreCounts.from_frame(frame, label=None, score="z", cuts=CUTS)


def test_cuts_go_with_one_column_without_labels():
    """Anything else is refused."""
    frame = pd.DataFrame({"y": [1, 0], "s": [0.5, 0.1]})
    with pytest.raises(InputError, match="label=None"):
        ic.ScoreCounts.from_frame(frame, label="y", score="s", cuts=CUTS)
    with pytest.raises(InputError, match="cuts= holds 2000 scores, more than 1,000: leave it out to count every score"):
        ic.ScoreCounts.from_frame(frame, label=None, score="s", cuts=np.arange(2000.0))


def read(path, classes=None, **roles):
    """Count a file by period and class between the cuts."""
    asked = {"scores": ("s",), "unlabelled": "label" not in roles} | roles
    with open_files(path) as files, open_table(files) as table:
        return in_use(table, Roles(**asked), CUTS, classes)


def test_rows_with_a_label_are_labels_and_the_others_are_not(tmp_path):
    """By period, in order; one file, one pass."""
    file = tmp_path / "weeks.csv"
    file.write_text("w,y,s\n2,1,0.9\n2,,0.4\n1,0,0.1\n1,1,2\n1,,-5\n")
    found, _ = read(file, label="y", fold="w")
    assert list(found) == [1, 2] or list(found) == ["1", "2"]
    (low, ups, downs, high, unlabelled), second = found.values()
    assert (low.tolist(), high.tolist()) == ([2.0, 0.1, -5.0], [2.0, 0.1, -5.0])
    assert ups.tolist() == [1, 0, 0]
    assert downs.tolist() == [0, 1, 0]
    assert unlabelled.tolist() == [0, 0, 1]
    assert (second[1].tolist(), second[4].tolist()) == ([1], [1])


def test_labels_are_those_of_the_reference(tmp_path):
    """Text labels work where the reference has them; another one is named."""
    file = tmp_path / "week.csv"
    file.write_text("y,s\nbad,0.9\ngood,0.4\n,0.2\n")
    [(_, ups, downs, _, unlabelled)] = read(file, ("bad", "good"), label="y")[0].values()
    assert (ups.sum(), downs.sum(), unlabelled.sum()) == (1, 1, 1)
    with pytest.raises(InputError, match=r"'bad'.*those of the reference are 1 and 0|'good'.*those of the reference"):
        read(file, label="y")


def test_rows_without_a_score_are_refused_or_counted_out(tmp_path):
    """Never taken for a low score."""
    file = tmp_path / "week.csv"
    file.write_text("y,s\n1,0.9\n0,\n")
    with pytest.raises(InputError, match=r"'s' is missing in 1 of 2 rows, the first is row 2"):
        read(file)
    periods, dropped = read(file, missing="drop")
    assert dropped == 1
    assert next(iter(periods.values()))[4].tolist() == [1]


def test_a_column_that_is_not_there_is_named(tmp_path):
    """With the columns there are."""
    file = tmp_path / "week.csv"
    file.write_text("y,s\n1,0.9\n")
    with pytest.raises(UnknownNameError, match="'week'"):
        read(file, fold="week")

import itertools
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import isocost as ic

# Names with every sign that a shell, a pattern or SQL takes for something else.
NAMES = [
    "data[1]", "data1", "data*", "data?", "dataX", "[ab]", "a", "*", "**", "o'clock", 'say "it"', "~", "~root", "a b", "$HOME", "a;b",
    "a#b", "-x", "é", "x{1,2}", "%41", "back\\slash", "s3:x", "file:x", "!(a)", "new\nline",
]  # fmt: skip


def write(path, score):
    """One file whose only score tells it from all others."""
    table = pa.table({"y": [0, 1], "a": [score, score + 0.5]})
    path.parent.mkdir(parents=True, exist_ok=True)
    match path.suffix:
        case ".csv":
            path.write_text(f"y,a\n0,{score}\n1,{score + 0.5}\n", encoding="utf-8")
        case ".jsonl":
            path.write_text(f'{{"y":0,"a":{score}}}\n{{"y":1,"a":{score + 0.5}}}\n', encoding="utf-8")
        case ".parquet":
            pq.write_table(table, path.absolute())
        case _:
            feather.write_feather(table, path.absolute())


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".arrow"])
def test_a_name_is_that_file_and_no_other(tmp_path, suffix, monkeypatch):
    """Among files whose names are patterns of each other, the rows counted are those of the named one."""
    monkeypatch.chdir(tmp_path)
    for score, name in enumerate(NAMES):
        write(Path(f"{name}{suffix}"), score)
    for score, name in enumerate(NAMES):
        found = ic.ScoreCounts.scan(f"{name}{suffix}", label="y", score="a")
        assert found.scores.tolist() == [score + 0.5, score]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_folders_are_names_too(tmp_path, suffix, monkeypatch):
    """A folder called run[2] is not run2."""
    monkeypatch.chdir(tmp_path)
    for score, folder in enumerate(["run[2]", "run2", "*", "a b"]):
        write(Path(folder, f"p{suffix}"), score)
    for score, folder in enumerate(["run[2]", "run2", "*", "a b"]):
        found = ic.ScoreCounts.scan(Path(folder, f"p{suffix}"), label="y", score="a")
        assert found.scores.tolist() == [score + 0.5, score]


def test_neighbours_with_any_name_do_no_harm(tmp_path, monkeypatch):
    """An engine that looks for a pattern stumbles over a backslash beside it; without links its signs are escaped."""
    write(tmp_path / "data[1].csv", 1)
    write(tmp_path / "data1.csv", 2)
    assert ic.ScoreCounts.scan(tmp_path / "data[1].csv", label="y", score="a").scores.tolist() == [1.5, 1]
    write(tmp_path / "\\back.csv", 3)
    assert ic.ScoreCounts.scan(tmp_path / "data[1].csv", label="y", score="a").scores.tolist() == [1.5, 1]
    (tmp_path / "\\back.csv").unlink()

    def refuse(*_):
        raise OSError(38, "no links here")

    monkeypatch.setattr("pathlib.Path.symlink_to", refuse)
    assert ic.ScoreCounts.scan(tmp_path / "data[1].csv", label="y", score="a").scores.tolist() == [1.5, 1]


def test_several_names_are_those_files_once_each(tmp_path):
    """Every pair of files counts both, and no third one."""
    names = ["data[1].csv", "data1.csv", "data*.csv", "data?.csv"]
    for score, name in enumerate(names):
        write(tmp_path / name, score)
    for (i, one), (j, other) in itertools.combinations(enumerate(names), 2):
        found = ic.ScoreCounts.scan([tmp_path / one, tmp_path / other], label="y", score="a")
        assert found.scores.tolist() == sorted([i, i + 0.5, j, j + 0.5], reverse=True)


def test_a_pattern_is_expanded_once(tmp_path):
    """Files that it finds are not patterns again: data[1].csv does not bring data1.csv."""
    write(tmp_path / "sub" / "data[1].csv", 0)
    write(tmp_path / "sub" / "other.csv", 2)
    write(tmp_path / "data1.csv", 4)
    found = ic.ScoreCounts.scan(tmp_path / "sub" / "*.csv", label="y", score="a")
    assert found.scores.tolist() == [2.5, 2, 0.5, 0]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".arrow"])
def test_folder_names_are_no_data(tmp_path, suffix):
    """A file below age=3/ gets no column age, and one below y=1/ keeps its own labels."""
    write(tmp_path / "y=1" / "age=3" / f"p{suffix}", 7)
    path = tmp_path / "y=1" / "age=3" / f"p{suffix}"
    found = ic.ScoreCounts.scan(path, label="y", score="a")
    assert found.positives.tolist() == [1, 0]
    with pytest.raises(ic.IsocostError, match=r"unknown column of .* for score= 'age'"):
        ic.ScoreCounts.scan(path, label="y", score="age")


def test_the_same_file_by_another_name_is_refused(tmp_path):
    """Through a link its cases would count twice, in another encoding too."""
    (tmp_path / "a.csv").write_text("y,a\n0,1\n1,2\n", encoding="utf-16")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    with pytest.raises(ic.IsocostError, match=r"b\.csv is named twice"):
        ic.ScoreCounts.scan([tmp_path / "a.csv", tmp_path / "b.csv"], label="y", score="a")

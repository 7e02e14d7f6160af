import errno
import os

import numpy as np
import pytest

import isocost as ic
from isocost import results
from isocost.data import counts
from isocost.errors import InputError


@pytest.fixture
def full_disk(monkeypatch):
    """A disk that takes nothing more."""

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(results.os, "fsync", full)


Y, S = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.6, 0.1]
COUNTS = ic.ScoreCounts.from_arrays(Y, S)


def report(path):
    """Save a small report."""
    ic.Comparison.from_scores(Y, {"a": S}).report(n_resamples=0).save(path)


def figure(path):
    """Save a figure."""
    ic.RocCurve.from_counts(COUNTS).plot().figure_.savefig(path)


WRITERS = {
    "counts.parquet": COUNTS.save,
    "counts.csv": COUNTS.save,
    "tables.parquet": lambda path: counts.save(path, counts.stacked({"a": COUNTS})),
    "report.html": report,
    "report.json": report,
    "report.md": report,
    "figure.svg": figure,
}


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file(name, tmp_path):
    """Nothing is lost, nothing is left lying about, and the error says so."""
    file = tmp_path / name
    file.write_bytes(b"what was there")
    with pytest.raises(InputError, match=f"cannot write .*{name}: No space left on device; nothing was written"):
        WRITERS[name](file)
    assert file.read_bytes() == b"what was there"
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", WRITERS)
def test_a_writer_replaces_the_old_file(name, tmp_path):
    """When all is written."""
    file = tmp_path / name
    file.write_bytes(b"what was there")
    WRITERS[name](file)
    assert file.read_bytes() != b"what was there"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_that_is_not_there_is_said(tmp_path):
    """As is a name that no file can have."""
    with pytest.raises(InputError, match=r"cannot write .*No such file or directory; nothing was written"):
        COUNTS.save(tmp_path / "no" / "counts.parquet")
    with pytest.raises(InputError, match="a file name holds no null character"):
        COUNTS.save("counts\0.parquet")


def test_a_figure_is_saved_under_the_name_that_matplotlib_would_give(tmp_path):
    """Without a suffix, with that of its default format; a stream is written to as it is."""
    drawn = ic.RocCurve.from_counts(COUNTS).plot().figure_
    drawn.savefig(tmp_path / "figure")
    assert [path.name for path in tmp_path.iterdir()] == ["figure.png"]
    with (tmp_path / "stream.png").open("wb") as stream:
        drawn.savefig(stream, format="png")
    assert np.frombuffer((tmp_path / "stream.png").read_bytes()[1:4], "S3")[0] == b"PNG"

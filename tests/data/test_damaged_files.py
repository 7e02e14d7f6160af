"""Damaged files: what they say of themselves is not believed, and whoever reads them survives."""

import json
import os
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from workbooks import write_workbook

import isocost as ic
from isocost.errors import InputError
from isocost.explorer.explorer import Explorer


def plain_file(path, **options):
    """Write labels and scores as they lie in memory, and return where the first label is."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000).astype(np.int32)
    table = pa.table({"y": y, "s": y + rng.normal(size=y.size)})
    pq.write_table(table, path, compression="none", use_dictionary=False, **options)
    return path.read_bytes().index(y.tobytes())


def flip(path, place, bit):
    """Turn one bit of a file over."""
    data = bytearray(path.read_bytes())
    data[place] ^= 1 << bit
    path.write_bytes(data)


def end_of(chunk):
    """Return where the pages of a column end."""
    return (chunk.dictionary_page_offset or chunk.data_page_offset) + chunk.total_compressed_size


@pytest.mark.parametrize("bit", [1, 7, 9, 31])
def test_statistics_of_a_file_are_not_believed(bit, tmp_path):
    """A label that is neither 0 nor 1 is found though the file says that there is none: it was counted as 0, or crashed the engine."""
    path = tmp_path / "a.parquet"
    place = plain_file(path)
    assert ic.ScoreCounts.scan(path, label="y", score="s").positives.sum() > 0
    flip(path, place + 40 + bit // 8, bit % 8)
    with pytest.raises(InputError, match="holds 3 classes"):
        ic.ScoreCounts.scan(path, label="y", score="s")


@pytest.mark.parametrize("options", [{}, {"data_page_version": "2.0"}, {"use_dictionary": True, "compression": "zstd"}])
def test_checksums_of_pages_are_verified(options, tmp_path):
    """Any flipped bit of a column that is read is found where the writer left checksums, and nothing is found in a sound file."""
    path = tmp_path / "a.parquet"
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    table = pa.table({"y": y, "s": np.round(y + rng.normal(size=y.size), 2), "other": rng.random(y.size)})
    options = {"use_dictionary": False, "compression": "none"} | options
    pq.write_table(table, path, write_page_checksum=True, row_group_size=1500, data_page_size=2000, **options)
    sound, about = path.read_bytes(), pq.read_metadata(path)
    assert ic.ScoreCounts.scan(path, label="y", score="s").positives.sum() == y.sum()
    for name, place in (("y", 0), ("s", 1)):
        chunk = about.row_group(1).column(place)
        flip(path, end_of(chunk) - 9, 3)
        with pytest.raises(
            InputError,
            match=rf"damaged or truncated Parquet file: column '{name}', row group 2 of 3 has another checksum",
        ):
            ic.ScoreCounts.scan(path, label="y", score="s")
        path.write_bytes(sound)
    chunk = about.row_group(1).column(2)
    flip(path, end_of(chunk) - 9, 3)
    assert ic.ScoreCounts.scan(path, label="y", score="s").positives.sum() == y.sum()


def test_no_flipped_bit_of_a_header_hides_a_checksum(tmp_path):
    """Whichever bit of the first page's header is flipped: the counts are those of the sound file, or there is an error."""
    path = tmp_path / "a.parquet"
    plain_file(path, write_page_checksum=True)
    sound, expected = path.read_bytes(), ic.ScoreCounts.scan(path, label="y", score="s")
    for bit in range(8 * 12):
        flip(path, 4 + bit // 8, bit % 8)
        try:
            assert ic.ScoreCounts.scan(path, label="y", score="s") == expected, bit
        except InputError:
            pass
        finally:
            path.write_bytes(sound)


def test_a_file_without_checksums_is_not_read_twice(tmp_path, monkeypatch):
    """Nothing can be compared there, so only the engine reads the pages."""
    path = tmp_path / "a.parquet"
    plain_file(path)
    expected = ic.ScoreCounts.scan(path, label="y", score="s")
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", None)
    assert ic.ScoreCounts.scan(path, label="y", score="s") == expected


@pytest.mark.long
def test_no_flipped_bit_changes_an_answer_silently(tmp_path):
    """Of a file with checksums the counts are those of the sound one, or there is an error in words of ours."""
    path = tmp_path / "a.parquet"
    plain_file(path, write_page_checksum=True)
    sound, expected = path.read_bytes(), ic.ScoreCounts.scan(path, label="y", score="s")
    rng = np.random.default_rng(0)
    for place, bit in zip(rng.integers(0, len(sound), 300), rng.integers(0, 8, 300), strict=True):
        flip(path, place, bit)
        try:
            assert ic.ScoreCounts.scan(path, label="y", score="s") == expected, (place, bit)
        except InputError:
            pass
        finally:
            path.write_bytes(sound)


def in_formats(folder):
    """Return the same cases in each format."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    table = pa.table({"y": y, "s": np.round(y + rng.normal(size=y.size), 3)})
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    pq.write_table(table, folder / "a.parquet", compression="none", use_dictionary=False)
    pa.feather.write_feather(table, folder / "a.arrow", compression="uncompressed")
    (folder / "a.csv").write_text("y,s\n" + "".join(f"{a},{b}\n" for a, b in rows))
    (folder / "a.jsonl").write_text("".join(json.dumps({"y": a, "s": b}) + "\n" for a, b in rows))
    write_workbook(folder / "a.xlsx", {"cases": [("y", "s"), *rows]})
    return sorted(folder.iterdir())


@pytest.mark.long
def test_no_flipped_bit_ends_the_command_or_the_explorer(tmp_path):
    """In any format there is an answer, or one line that says what is wrong; FLIPS=1000 tries more bits, for LIMIT seconds in all."""
    many, end = int(os.environ.get("FLIPS", "6")), time.monotonic() + float(os.environ.get("LIMIT", "600"))
    rng = np.random.default_rng(int(os.environ.get("SEED", "0")))
    explorer, paths = Explorer(), in_formats(tmp_path)
    assert {path.suffix for path in paths} == {".arrow", ".csv", ".jsonl", ".parquet", ".xlsx"}
    try:
        # Format by format in turn, so that each has its share of the time.
        for path in paths * many:
            if time.monotonic() > end:
                break
            sound = path.read_bytes()
            flip(path, int(rng.integers(len(sound))), int(rng.integers(8)))
            command = [sys.executable, "-m", "isocost", "measure", str(path), "--label", "y"]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            assert ran.returncode in (0, 2), (path.name, ran.stderr)
            assert "(a bug;" not in ran.stderr, ran.stderr
            assert "Traceback" not in ran.stderr, ran.stderr
            with suppress(ic.IsocostError):
                explorer.open(path.read_bytes(), path.name)
            path.write_bytes(sound)
        for path in paths:
            explorer.open(path.read_bytes(), path.name)
            assert explorer.view.report is not None
    finally:
        explorer._server.server_close()
        explorer.reader.close()

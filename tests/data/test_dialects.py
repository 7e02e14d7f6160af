"""Dialects of text: every combination of delimiter, decimal mark, ends of lines, quotes, encoding and packing is one table."""

import gzip
import itertools

import numpy as np
import pyarrow as pa
import pytest

import isocost as ic

RNG = np.random.default_rng(0)
Y = (RNG.random(40) < 0.4).astype(int)
S = np.round(Y + RNG.normal(size=40), 3)
DELIMITERS, MARKS, ENDS, QUOTES = ",;\t|", ".,", ("\n", "\r\n", "\r"), ("none", "all")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-32")
PACKINGS = {"none": bytes, "gzip": gzip.compress, "zstd": lambda body: pa.compress(body, codec="zstd", asbytes=True)}
DIALECTS = [
    dialect
    for dialect in itertools.product(DELIMITERS, MARKS, ENDS, QUOTES, ENCODINGS, PACKINGS)
    # A comma does both only in quotes.
    if dialect[:2] != (",", ",") or dialect[3] == "all"
]


def spelt(delimiter, mark, end, quotes, encoding, packing):
    """Return the table as bytes."""
    rows = [("y", "naïve s"), *((str(y), str(s).replace(".", mark)) for y, s in zip(Y, S.tolist(), strict=True))]
    cells = ([f'"{cell}"' for cell in row] if quotes == "all" else row for row in rows)
    return PACKINGS[packing]("".join(delimiter.join(row) + end for row in cells).encode(encoding))


def wrong(dialects, path):
    """Return the dialects that are not read as the table they spell."""
    found, expected = [], ic.ScoreCounts.from_arrays(Y, S)
    for dialect in dialects:
        path.write_bytes(spelt(*dialect))
        if ic.ScoreCounts.scan(path, label="y", score="naïve s") != expected:
            found.append(dialect)
    return found


def test_dialects_are_read_alike(tmp_path):
    """Some of all."""
    assert wrong(DIALECTS[::23], tmp_path / "t.csv") == []


@pytest.mark.long
def test_all_dialects_are_read_alike(tmp_path):
    """Every combination."""
    assert len(DIALECTS) == 540
    assert wrong(DIALECTS, tmp_path / "t.csv") == []

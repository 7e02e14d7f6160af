import bz2
import gzip
import json
import lzma
import os
import shlex
import subprocess
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from pyarrow import feather
from workbooks import write_workbook

import isocost as ic
from isocost.data import tables
from isocost.data.files import Upload
from isocost.data.tables import Roles
from isocost.errors import InputError, IsocostError
from isocost.explorer.explorer import Settings, view_of


def write_text(path, text):
    """Write text as UTF-8."""
    path.write_text(text, encoding="utf-8")


GOOD = "y,a,b\n1,0.9,3\n0,0.2,1\n1,0.7,2\n0,0.4,2\n"


def truncated_parquet(path, frame):
    """Cut the end off."""
    frame.to_parquet(path)
    path.write_bytes(path.read_bytes()[:-200])


def damaged_parquet(path, frame):
    """Blank out the first page."""
    frame.to_parquet(path)
    body = bytearray(path.read_bytes())
    body[4:200] = bytes(196)
    path.write_bytes(bytes(body))


def truncated_arrow(path, frame):
    """Cut the end off."""
    feather.write_feather(frame, path)
    path.write_bytes(path.read_bytes()[:300])


def truncated_gzip(path, frame):
    """Cut the end off."""
    frame.to_csv(path, index=False)
    path.write_bytes(path.read_bytes()[:40])


def truncated_zstd(path, frame):
    """Cut the end off."""
    body = frame.to_csv(index=False).encode()
    path.write_bytes(pa.compress(body, codec="zstd", asbytes=True)[:30])


def long_truncated_gzip(path, _):
    """Cut the end off so far behind that the first look does not see it."""
    path.write_bytes(gzip.compress(b"y,a\n" + b"1,0.5\n0,0.25\n" * 100_000)[:-20])


def text(body):
    """A file of this text."""
    return lambda path, _: write_text(path, body)


def raw(body):
    """A file of these bytes."""
    return lambda path, _: path.write_bytes(body)


def parquet(**columns):
    """A Parquet file of the small frame with other columns."""
    return lambda path, frame: frame.assign(**columns).to_parquet(path)


MISSING = "is missing in"
LATE = "y,a\n" + "1,0.5\n0,0.3\n" * 15_000 + "1,oops\n"
MANY = "y,a\n" + "".join(f"{i},{i / 8}\n" for i in range(40))


@pytest.fixture
def narrow(monkeypatch):
    """Let fewer columns be too many: twenty thousand take seconds."""
    assert tables.MOST_COLUMNS == 20_000  # as documented
    monkeypatch.setattr(tables, "MOST_COLUMNS", 200)


# What the file is called, how it is made, and what the one line must say of it ({f}).
BAD = [
    ("delimiter.csv", text(GOOD.replace(",", "^")), "{f} has a single column, 'y^a^b': columns must be separated"),
    ("zero-bytes.csv", raw(b""), "{f} is empty (0 bytes)"),
    ("blank.csv", text("\n\n  \n"), "{f} is empty: it holds nothing but white space"),
    ("header-only.csv", text("y,a\n"), "{f} holds no rows, only column names"),
    ("no-header.csv", text("1,0.9\n0,0.4\n"), "{f} begins with numbers, '1,0.9': its first line must hold the names"),
    ("truncated.parquet", truncated_parquet, "{f} is a damaged or truncated Parquet file"),
    ("damaged.parquet", damaged_parquet, "{f} is a damaged or truncated Parquet file"),
    ("truncated.arrow", truncated_arrow, "{f} is a damaged Arrow file"),
    ("truncated.csv.gz", truncated_gzip, "{f} is a damaged or truncated gzip file"),
    ("text.csv", text(GOOD + "1,oops,4\n"), "{f}: score 'a' is not a number in 1 of 5 rows, the first is row 5"),
    ("late-text.csv", text(LATE), "{f}: score 'a' is not a number in 1 of 30001 rows, the first is row 30001"),
    ("all-text.csv", text("y,a\n1,low\n0,high\n"), "{f} has no numeric column of scores beside the label 'y'. Left out: a (text)."),
    ("three-classes.csv", text(GOOD + "2,0.5,1\n"), "{f}: label 'y' holds 3 classes (0, 1, 2): isocost needs two"),
    ("many-classes.csv", text(MANY), "{f}: label 'y' holds more than 12 classes"),
    ("one-class.csv", text("y,a\n1,0.5\n1,0.4\n"), "{f}: label 'y' holds only one class, 1"),
    ("words.csv", text("y,a\nyes,0.5\nno,0.4\n"),
     "{f}: label 'y' holds 'no' (1 case) and 'yes' (1 case); say which to detect: --positive no or --positive yes"),
    ("utf16.csv", raw(GOOD.encode("utf-16-le")), "{f} is neither UTF-8 text nor Parquet nor Arrow: save it as UTF-8"),
    ("latin1.csv", raw(GOOD.replace("a", "naïve").encode("latin-1")),
     "{f} is not UTF-8 text: byte 0xef at position 4. Save it as UTF-8, or say how it is encoded (for example --encoding latin-1)"),
    ("binary.csv", raw(b"\x00\x01\x02" * 50), "{f} is neither UTF-8 text nor Parquet nor Arrow"),
    ("old.xls", raw(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500)), "{f} is an old Excel workbook or another file"),
    ("packed.bz2", lambda path, _: path.write_bytes(bz2.compress(GOOD.encode())), "{f} is packed with bzip2: unpack it"),
    ("packed.xz", lambda path, _: path.write_bytes(lzma.compress(GOOD.encode())), "{f} is packed with xz: unpack it"),
    ("paper.pdf", raw(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), "{f} is a PDF: export the table"),
    ("array.npy", raw(b"\x93NUMPY\x01\x00v\x00{}"), "{f} is a NumPy array without names of columns"),
    ("db.sqlite", raw(b"SQLite format 3\x00" + bytes(100)), "{f} is an SQLite database: export the table as CSV"),
    ("some.orc", raw(b"ORC" + bytes(60)), "{f} is neither UTF-8 text nor Parquet nor Arrow"),
    ("beyond.csv", text("y,a\n1,1e400\n0,-inf\n"), "{f}: score 'a' is infinite in 2 of 2 rows, the first is row 1"),
    ("beyond-comma.csv", text("y;a\n1;1,5e400\n0;0,5\n"), "{f}: score 'a' is infinite in 1 of 2 rows, the first is row 1"),
    ("mixed-wide.csv", text("y,a\n1,9007199254740993\n0,0.5\n"), "{f}: score 'a' has whole numbers that do not fit float64"),
    ("very-wide.csv", text(f"y,a\n1,{2**128 + 1}\n0,0.5\n"), "{f}: score 'a' has whole numbers that do not fit float64 exactly"),
    ("late-marks.csv", text("y;a\n" + "1;5\n0;3\n" * 2000 + "1;1.234.567\n"),
     "{f}: score 'a' is not a number in 1 of 4001 rows, the first is row 4001 (counting from 1), with '1.234.567'"),
    ("late-word.csv", text("y,a\n" + "1,5\n0,3\n" * 2000 + "1,oops\n"), "{f}: score 'a' is not a number in 1 of 4001 rows"),
    ("too-wide.csv", text(",".join(f"x{i}" for i in range(201)) + "\n"), "{f} has 201 columns, and isocost reads at most 200"),
    ("book.xlsx", raw(b"PK\x03\x04rest"), "{f} is a damaged ZIP archive or Excel workbook: save it again"),
    ("missing-score.csv", text(GOOD + "1,,4\n"), "{f}: score 'a' " + MISSING + " 1 of 5 rows, the first is row 5"),
    ("nan-score.parquet", parquet(a=[float("nan"), *range(7)]), "{f}: score 'a' " + MISSING + " 1 of 8 rows, the first is row 1"),
    ("missing-label.csv", text(GOOD + ",0.5,4\n"), "{f}: label 'y' " + MISSING + " 1 of 5 rows"),
    ("nan-label.parquet", parquet(y=[1, 0, 1, 0, 1, 0, 1, float("nan")]), "{f}: label 'y' " + MISSING + " 1 of 8 rows"),
    ("ragged.csv", text(GOOD + "1,0.5,4,7\n"),
     "{f}, line 6: the file has 3 columns, this line has 4; put a value with a separator in it in quotes"),
    ("short.csv", text(GOOD + "1\n"), "{f}, line 6: the file has 3 columns, this line has 1"),
    ("quote.csv", text(GOOD + '1,"0.5,4\n0,0.1,2\n'), "{f}, line 6: a quote is opened and not closed, or closed within a value"),
    ("both-marks.csv", text("y;a;b\n1;0,9;0.5\n0;0,2;0.1\n"), "{f}: score 'a' is not a number in 2 of 2 rows, the first is row 1"),
    ("thousands.csv", text('y,a\n1,"1,234.5"\n0,"2,345.5"\n'),
     "{f}: score 'a' is not a number in 2 of 2 rows, the first is row 1 (counting from 1), with '1,234.5'"),
    ("unclear.csv", text("y;a\n1;1,234\n0;2,345\n"), "with '1,234'; write numbers such as 1234.5; for decimal commas add --decimal ,"),
    ("capitals.csv", text("y,M,m\n1,2,3\n0,1,2\n"), "columns 'M' and 'm' of {f} differ in capitals only: rename one of them"),
    ("capitals.parquet", parquet(M=1.5, m=2.5), "columns 'M' and 'm' of {f} differ in capitals only: rename one of them"),
    ("capitals.jsonl", text('{"y":1,"M":2,"m":3}\n{"y":0,"M":1,"m":2}\n'), "columns 'M' and 'm' of {f} differ in capitals only"),
    ("cut.csv.zst", truncated_zstd, "{f} is a damaged or truncated zstd file"),
    ("long.csv.gz", long_truncated_gzip, "{f}"),
    ("wide.csv", text("y," + ",".join(f"x{i}" for i in range(13)) + "\n" + "1" + ",0.5" * 13 + "\n0" + ",0.4" * 13 + "\n"),
     "{f} has 13 numeric columns, too many to be models all. Name those that hold scores, for example --score x0 (likely: x0, x1"),
    ("two-labels.csv", text("y,target,a\n1,1,2\n0,0,1\n"),
     "{f} has several columns that may hold the labels. Choose one: --label y (columns: y, target)"),
    ("nested.parquet", parquet(y=[[1]] * 8), "column 'y' of {f} holds nested values"),
    ("only-ids.csv", text("y,customer_id\n1,17\n0,12\n"),
     "Left out: customer_id (named like an id). If one of them holds scores, name it: --score customer_id"),
    ("nul.csv", raw(b"y,a\n1,0.5\n0,\x000.2\n"), "{f} is neither UTF-8 text nor Parquet nor Arrow"),
    ("all-nan.csv", text("y,a\n1,\n0,\n"), "{f} has no numeric column of scores beside the label 'y'"),
    ("twice.csv", text("y,a,a\n1,2,3\n0,1,2\n"), "{f} has 2 columns called 'a'"),
    ("broken.jsonl", text('{"y":1,"a":0.3}\n{"y":0,"a":\n'), 'Malformed JSON in file "{f}"'),
    ("textual.parquet", parquet(a="x", b="y"), "{f} has no numeric column of scores beside the label 'y'"),
    ("unlabelled.csv", text("class,a,b\n1,2,3\n0,1,2\n"),
     "{f} has no column label, y_true, y or target. Choose one: --label class (columns: class, a, b)"),
]  # fmt: skip


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(("name", "make", "message"), BAD, ids=[row[0] for row in BAD])
def test_bad_file_is_one_line_that_names_it(name, make, message, isocost, tmp_path, small, leftovers):
    """Exit code 2, nothing on standard output, nothing written, and a line with file, column and hint."""
    make(tmp_path / name, small)
    ran = isocost("count", name, "-o", "counts.parquet")
    assert (ran.code, ran.out) == (2, "")
    assert message.format(f=name) in ran.complaint
    assert len(ran.err.splitlines()) == 1
    assert leftovers(tmp_path, name) == []


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(("name", "make", "message"), BAD, ids=[row[0] for row in BAD])
def test_the_explorer_says_the_same_of_a_bad_file(name, make, message, tmp_path, small):
    """The same sentence where no option is named, else one in its own words; and never anything but a sentence."""
    make(tmp_path / name, small)
    upload = Upload((tmp_path / name).read_bytes(), name)
    with pytest.raises(IsocostError) as refused:
        view_of(upload, Roles(), Settings(n_resamples=0))
    notice = str(refused.value)
    assert "--" not in notice
    assert name in notice
    if "--" not in message:
        assert message.format(f=name) in notice


# The same table as people's programs write it.
SPELLINGS = {
    "bom": b"\xef\xbb\xbf" + GOOD.encode(),
    "crlf": GOOD.replace("\n", "\r\n").encode(),
    "no end of line": GOOD.rstrip("\n").encode(),
    "semicolons": GOOD.replace(",", ";").encode(),
    "tabs": GOOD.replace(",", "\t").encode(),
    "quoted": b'"y","a","b"\n"1","0.9","3"\n"0","0.2","1"\n"1","0.7","2"\n"0","0.4","2"\n',
    "truth values": GOOD.replace("\n1,", "\nTrue,").replace("\n0,", "\nFalse,").encode(),
    "floating labels": GOOD.replace("\n1,", "\n1.0,").replace("\n0,", "\n0.0,").encode(),
    "exponents": GOOD.replace("0.9", "9e-1").replace("0.4", "4E-1").encode(),
    "index of pandas": b",y,a,b\n0,1,0.9,3\n1,0,0.2,1\n2,1,0.7,2\n3,0,0.4,2\n",
    "empty column": b"y,a,b,c\n1,0.9,3,\n0,0.2,1,\n1,0.7,2,\n0,0.4,2,\n",
    "utf-16": GOOD.encode("utf-16"),
    "utf-32": GOOD.encode("utf-32"),
    "gzip": gzip.compress(GOOD.encode()),
    "zstd": pa.compress(GOOD.encode(), codec="zstd", asbytes=True),
    "gzipped utf-16": gzip.compress(GOOD.encode("utf-16")),
    "decimal commas": GOOD.replace(",", ";").replace(".", ",").encode(),
    "quoted decimal commas": b'y,a,b\n1,"0,9",3\n0,"0,2",1\n1,"0,7",2\n0,"0,4",2\n',
    "decimal commas and tabs": GOOD.replace(",", "\t").replace(".", ",").encode(),
    "json lines": b"".join(b'{"y":%s,"a":"%s","b":%s}\n' % tuple(row.encode().split(b",")) for row in GOOD.split()[1:]),
    "a line of Excel that tells the delimiter": b"\xef\xbb\xbfsep=;\r\n"
    + GOOD.replace(",", ";").replace("\n", "\r\n").encode(),
    "empty lines before the header": b"\n \n" + GOOD.encode(),
    "comment column": b"y,a,b,note\n1,0.9,3,ok\n0,0.2,1,odd\n1,0.7,2,\n0,0.4,2,x y\n",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_same_table_in_any_spelling_counts_the_same(spelling, isocost, tmp_path):
    """Line ends, quotes, delimiters and ways to write labels and numbers make no difference."""
    (tmp_path / "good.csv").write_text(GOOD)
    (tmp_path / "other.csv").write_bytes(SPELLINGS[spelling])
    plain, other = (isocost("count", name, "-q") for name in ("good.csv", "other.csv"))
    assert other.code == 0, other.err
    assert other.out == plain.out
    view = view_of(Upload(SPELLINGS[spelling], "other.csv"), Roles(), Settings(n_resamples=0))
    assert view.columns.scores == ("a", "b")
    first = view_of(Upload(GOOD.encode(), "other.csv"), Roles(), Settings(n_resamples=0))
    # What was found out about the text differs; nothing else does.
    for found in (view, first):
        found.report.summary["data"].pop("notes")
    assert view.report.summary == first.report.summary


def test_what_was_found_out_about_text_is_said(isocost, tmp_path):
    """Decimal commas, percentages and an encoding that a mark tells: as a message and in JSON."""
    (tmp_path / "d.csv").write_bytes(GOOD.replace(",", ";").replace(".", ",").encode("utf-16"))
    (tmp_path / "p.csv").write_text("y,a\n1,87.5%\n0,12 %\n1,40%\n")
    ran = isocost("measure", "d.csv", "-m", "auc", "--json")
    assert ran.err.splitlines()[1:] == ["d.csv is UTF-16 text.", "d.csv has decimal commas: 0,5 is read as 0.5."]
    assert json.loads(ran.out)["data"]["notes"] == ran.err.splitlines()[1:]
    assert isocost("measure", "p.csv", "-m", "auc").err.splitlines()[1:] == ["a: percentages; 50% is read as 0.5."]
    assert isocost("count", "p.csv", "-q").out == (
        "model,score,positives,negatives\na,0.875,1,0\na,0.4,1,0\na,0.12,0,1\n"
    )
    (tmp_path / "p.csv").write_text("y,a\n" + "1,87.5%\n0,12%\n" * 800 + "1,0.4\n")
    assert (
        "with '0.4'; write numbers such as 1234.5; write all with a percent sign, or none"
        in isocost("count", "p.csv").complaint
    )


def test_encoding_and_decimal_mark_can_be_said(isocost, tmp_path):
    """Latin-1 has no mark of its own, and 1,234 may be read in two ways."""
    (tmp_path / "l.csv").write_bytes(GOOD.replace("a", "naïve").encode("latin-1"))
    ran = isocost("count", "l.csv", "--encoding", "latin-1", "-q")
    assert ran.out.splitlines()[1] == "naïve,0.9,1,0"
    # A mark of byte order is no part of the first name.
    (tmp_path / "m.csv").write_bytes(GOOD.encode("utf-16"))
    (tmp_path / "g.csv").write_text(GOOD)
    marked = isocost("count", "m.csv", "--encoding", "utf-16-le", "-q")
    assert marked.out == isocost("count", "g.csv", "-q").out
    (tmp_path / "u.csv").write_text("y;a\n1;2,345\n0;1,234\n")
    assert isocost("count", "u.csv", "--decimal", ",", "-q").out.splitlines()[1:] == ["a,2.345,1,0", "a,1.234,0,1"]
    assert "is not a number in 2 of 2 rows" in isocost("count", "u.csv", "--decimal", ".").complaint
    assert "unknown encoding 'klingon'" in isocost("count", "l.csv", "--encoding", "klingon").complaint
    assert "is not ascii text" in isocost("count", "l.csv", "--encoding", "ascii").complaint
    for name in ("rot13", "zlib", "undefined", "idna"):
        assert isocost("count", "l.csv", "--encoding", name).code == 2


def test_missing_scores_are_refused_or_dropped_and_counted(isocost, tmp_path):
    """By default the count and the first rows are stated; dropped rows are stated in messages and JSON."""
    rows = GOOD + "1,,3\n0,NA,2\n1,nan,1\n0,0.3,\n,0.3,1\n"
    (tmp_path / "m.csv").write_text(rows)
    ran = isocost("measure", "m.csv", "-m", "auc")
    assert "m.csv: label 'y' is missing in 1 of 9 rows, the first is row 9" in ran.complaint
    (tmp_path / "m.csv").write_text(rows.replace(",0.3,1", "1,0.3,1"))
    ran = isocost("measure", "m.csv", "-m", "auc")
    assert "3 of 9 rows, the first is row 5 (counting from 1); drop these rows or add --missing drop" in ran.complaint
    ran = isocost("measure", "m.csv", "-m", "auc", "--missing", "drop", "--json")
    assert "4 of 9 rows were left out: something is missing in them." in ran.err
    data = json.loads(ran.out)["data"]
    assert (data["rows"], data["dropped"]) == (5, 4)
    (tmp_path / "k.csv").write_text(GOOD + "1,0.3,1\n")
    assert isocost("count", "m.csv", "--missing", "drop", "-q").out == isocost("count", "k.csv", "-q").out
    (tmp_path / "n.csv").write_text("y,a\n1,\n0,\n")
    ran = isocost("count", "n.csv", "--score", "a", "--missing", "drop")
    assert ran.complaint == "all 2 rows of n.csv miss a label or a score: nothing is left"


def test_what_programs_write_for_nothing_is_missing(tmp_path):
    """However it is spelt."""
    words = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None")
    write_text(tmp_path / "m.csv", GOOD + "".join(f"1,{word},2\n{word},0.5,1\n" for word in words))
    found = ic.ScoreCounts.scan(tmp_path / "m.csv", label="y", score="a", missing="drop")
    assert found == ic.ScoreCounts.from_arrays([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.4])


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_dropped_rows_are_no_part_of_any_format(suffix, tmp_path, small):
    """The library counts what is left, from text and from columns; labels that are missing go as well."""
    frame = small.astype({"y": float})
    frame.loc[1, "a"], frame.loc[4, "y"] = None, None
    if suffix == "parquet":
        frame.loc[5, "y"] = float("inf")
    path = tmp_path / f"m.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    left = frame.replace(float("inf"), float("nan")).dropna()
    for most in (10**6, 0):
        found = ic.ScoreCounts.scan(path, label="y", score="a", missing="drop", max_distinct=most)
        assert found == ic.ScoreCounts.from_arrays(left["y"], left["a"])
    with pytest.raises(IsocostError, match=r"drop these rows or pass missing='drop'"):
        ic.ScoreCounts.scan(path, label="y", score="a")
    with pytest.raises(IsocostError, match=r"unknown missing 'dorp'"):
        ic.ScoreCounts.scan(path, label="y", score="a", missing="dorp")


def test_scores_that_rank_backwards_are_said_and_turned(isocost, tmp_path):
    """A warning in messages and JSON; turned round, the model has a minus, and its thresholds are those of -score."""
    rows = "".join(f"{i % 2},{0.9 - 0.4 * (i % 2) - 0.05 * (i % 7):.2f}\n" for i in range(140))
    (tmp_path / "b.csv").write_text("y,a\n" + rows)
    ran = isocost("measure", "b.csv", "-m", "auc", "--json")
    assert "Warning: The scores of a appear to be reversed: lower scores mean positives." in ran.err
    assert "appear to be reversed" in json.loads(ran.out)["data"]["notes"][0]
    turned = isocost("measure", "b.csv", "-m", "auc", "--json", "--lower-is-positive", "a")
    assert "-a: a with its sign turned; score ≥ x means a ≤ -x." in turned.err
    assert "backwards" not in turned.err
    before, after = (json.loads(run.out)["measures"][0] for run in (ran, turned))
    assert (before["model"], after["model"]) == ("a", "-a")
    assert after["values"]["auc"] == pytest.approx(1 - before["values"]["auc"], abs=1e-15)
    y = [i % 2 for i in range(140)]
    scores = [float(line.split(",")[1]) for line in rows.split()]
    expected = ic.ScoreCounts.from_arrays(y, [-s for s in scores])
    assert ic.ScoreCounts.scan(tmp_path / "b.csv", label="y", score="a", lower_is_positive="a") == expected
    assert "to turn round 'b': known: 'a'" in isocost("choose", "b.csv", "--lower-is-positive", "b").complaint


def test_a_model_without_error_hints_at_a_leak(isocost, tmp_path):
    """In messages and JSON."""
    (tmp_path / "p.csv").write_text("y,a\n" + "1,0.9\n0,0.1\n" * 20)
    ran = isocost("measure", "p.csv", "-m", "auc", "--json")
    assert "check that no column gives the answer away." in ran.err
    assert "check that no column gives the answer away." in json.loads(ran.out)["data"]["notes"][0]


@pytest.mark.parametrize(
    "command",
    [
        ["measure", "-m", "auc"],
        ["compare", "--resamples", "20"],
        ["check", "--threshold", "a:0.5", "--min-auc", "0"],
        ["choose"],
    ],
)
def test_what_must_not_be_silent_stands_in_every_output(command, isocost, tmp_path):
    """Where messages are not seen too: rows that were dropped, scores turned round, and scores that rank backwards."""
    rows = "".join(f"{i % 2},{0.9 - 0.4 * (i % 2) - 0.05 * (i % 7):.2f},{i % 5 + i % 2}\n" for i in range(140))
    (tmp_path / "b.csv").write_text("y,a,b\n" + rows + "1,,2\n0,0.5,\n")
    name, *options = command
    options += ["--missing", "drop", "--lower-is-positive", "b", "-q"]
    for more in ([], ["-o", "out.txt"]):
        ran = isocost(name, "b.csv", *options, *more)
        assert (ran.code, ran.err) == (0, "")
        reported = (tmp_path / "out.txt").read_text() if more else ran.out
        assert "2 of 142 rows were left out: something is missing in them." in reported
        assert "-b: b with its sign turned" in reported
        for model in ("a", "-b"):
            assert reported.count(f"The scores of {model} appear to be reversed: lower scores mean positives.") == 1
    assert "scores of a appear to be reversed" in isocost("count", "b.csv", "--missing", "drop", "-o", "c.csv").err


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("y,a\n1,x\n0,0.5\n", ["--score", "a"]),
        ("y,a\n1,9007199254740993\n0,1\n", ["--score", "a"]),
        ("y,a\n1,\n0,0.5\n", ["--missing", "error"]),
        ("y,a\nx,1\nz,0.5\n", ["--positive", "v"]),
        ("y,a\n1,2\n2,0.5\n3,0.5\n", ["--label", "y"]),
        ("y;a\n1;2,345\n0;1,234\n", ["--decimal", "."]),
        ("y;a\n1;2.345\n0;1.234\n", ["--decimal", ","]),
        ("y,a\n1,2\n0,\n", ["--encoding", "latin-1"]),
    ],
)
def test_no_hint_asks_for_an_option_that_was_just_given(body, options, isocost, tmp_path):
    """Whoever follows a hint must get further; --missing drop after --missing error does."""
    (tmp_path / "f.csv").write_text(body)
    ran = isocost("count", "f.csv", *options)
    assert ran.code == 2
    assert " ".join(options) not in ran.complaint
    if options[0] != "--missing":
        assert options[0] not in ran.complaint


def test_a_hint_can_be_typed_as_it_stands(isocost, tmp_path):
    """Names of columns and classes with spaces come quoted as a shell needs it."""
    (tmp_path / "f.csv").write_text("what it was,the score\nvery good,1\nit's bad,0.5\n")
    reported = isocost("count", "f.csv").complaint
    assert "Choose one: --label 'what it was' (columns: " in reported
    options = shlex.split(reported.partition("Choose one: ")[2].partition(" (columns")[0])
    reported = isocost("count", "f.csv", *options).complaint
    ways = reported.partition("say which to detect: ")[2].split(" or ")
    assert [shlex.split(way)[1] for way in ways] == ["it's bad", "very good"]
    assert isocost("count", "f.csv", *options, *shlex.split(ways[0])).code == 0


def test_hundreds_of_keys_of_json_are_columns(isocost, tmp_path):
    """And no map of numbers by name."""
    row = {f"x{i}": 0.5 for i in range(300)}
    (tmp_path / "f.jsonl").write_text("".join(json.dumps({"y": i % 2, **row, "model": i / 9}) + "\n" for i in range(9)))
    assert "f.jsonl has 301 numeric columns, too many to be models all." in isocost("count", "f.jsonl").complaint
    assert "model: model\n" in isocost("measure", "f.jsonl", "-m", "auc", "--score", "model").err


def test_an_address_is_no_file(isocost):
    """Nothing is fetched from the network."""
    for name in ("https://example.com/p.csv", "s3://bucket/*.parquet"):
        assert isocost("choose", name).complaint.startswith(
            f"{name} is an address, and isocost reads files of this machine"
        )


def test_names_with_spaces_commas_and_quotes_are_names(isocost, tmp_path):
    """They are asked for as they are, and come out as they are."""
    (tmp_path / "odd.csv").write_text('my y,"a, b","c ""d"""\n1,0.9,3\n0,0.2,1\n')
    ran = isocost("measure", "odd.csv", "--label", "my y", "--score", "a, b", "--score", 'c "d"', "-m", "auc", "-q")
    assert ran.code == 0, ran.err
    assert "a, b" in ran.out
    assert 'c "d"' in ran.out


def test_names_of_two_lines_and_escape_sequences_are_names(isocost, tmp_path):
    """A line end in quotes belongs to the name; what could steer a terminal is written out."""
    (tmp_path / "odd.csv").write_text('y,"a\nb","\x1b[31mred"\n1,0.9,3\n0,0.2,1\n')
    ran = isocost("measure", "odd.csv", "-m", "auc", "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["data"]["models"] == ["a\nb", "\x1b[31mred"]
    assert "\x1b" not in ran.err + isocost("measure", "odd.csv", "-m", "auc").out


def test_many_and_long_columns_are_read(isocost, tmp_path):
    """A header of a thousand long names is no reason to fail."""
    names = [f"column_{i}_{'x' * 80}" for i in range(1000)]
    rows = ["y," + ",".join(names), "1," + ",".join(["0.9"] * 1000), "0," + ",".join(["0.2"] * 1000)]
    (tmp_path / "wide.csv").write_text("\n".join(rows) + "\n")
    ran = isocost("measure", "wide.csv", "--score", names[-1], "-m", "auc", "--json", "-q")
    assert ran.code == 0, ran.err


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--label", "yy"], "unknown column of good.csv for --label 'yy': did you mean 'y'?"),
        (["--score", "c"], "unknown column of good.csv for --score 'c': known: 'y', 'a', 'b'"),
        (["--weight", "w"], "unknown column of good.csv for --weight 'w'"),
        (["--fold", "w"], "unknown column of good.csv for --fold 'w'"),
        (["--score", "y"], "column 'y' of good.csv cannot be a score and something else"),
        (["--positive", "yes"], "'yes' is not among the classes of good.csv: label 'y': 0, 1"),
        (["--memory", "lots"], "--memory must be a size such as 500MB or 2GB, got 'lots'"),
        (["--memory", "1kB"], "--memory must be at least 16MB, got '1kB'"),
    ],
)
def test_column_that_is_not_there_is_named(option, message, isocost, tmp_path):
    """The line says which option asked for it and what there is."""
    write_text(tmp_path / "good.csv", GOOD)
    ran = isocost("choose", "good.csv", *option)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.complaint


def test_weights_must_be_finite_and_not_negative(isocost, tmp_path, small):
    """The first bad weight is shown with its row."""
    small.assign(w=[1, 2, -3, 1, 1, 1, 1, 1]).to_parquet(tmp_path / "w.parquet")
    ran = isocost("choose", "w.parquet", "--weight", "w")
    assert ran.code == 2
    assert (
        "w.parquet: weight 'w' must be finite and not negative, and is not in 1 of 8 rows, the first is row 3"
        in ran.complaint
    )
    assert "the first is row 3" in ran.complaint


def test_places_that_are_no_files(isocost, tmp_path):
    """A folder, a missing file and a pattern without match are distinguished, and a near name is offered."""
    (tmp_path / "folder").mkdir()
    write_text(tmp_path / "good.csv", GOOD)
    assert (
        isocost("choose", "folder").complaint == "folder is a directory: name its files, for example 'folder/*.parquet'"
    )
    assert isocost("choose", "god.csv").complaint == "no such file: god.csv; did you mean good.csv?"
    assert isocost("choose", "*.tsv").complaint == "no file matches '*.tsv'"


def test_file_that_may_not_be_read(isocost, tmp_path, monkeypatch):
    """A file without permission is a sentence as well, for the library too."""
    path = tmp_path / "secret.csv"
    write_text(path, GOOD)

    def refuse(self, *_, **__):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("pathlib.Path.open", refuse)
    assert isocost("choose", "secret.csv").complaint == "secret.csv cannot be read: Permission denied"
    with pytest.raises(InputError, match=r"secret\.csv cannot be read: Permission denied"):
        ic.ScoreCounts.scan(path, label="y", score="a")


def test_devices_and_broken_links_are_refused(isocost, tmp_path):
    """No device is read for ever."""
    assert isocost("choose", "/dev/zero").complaint.startswith("/dev/zero is a device or a socket, not a file")
    (tmp_path / "gone.csv").symlink_to(tmp_path / "nowhere.csv")
    assert "gone.csv cannot be read: No such file" in isocost("choose", "gone.csv").complaint


def test_a_workbook_is_read_as_the_table_it_holds(isocost, tmp_path, credit):
    """The same answer as from CSV; recognised by its content, whatever it is called."""
    rows = [list(credit.columns), *credit.to_numpy().tolist()]
    write_workbook(tmp_path / "book.dat", {"scores": rows, "empty": []})
    credit.to_csv(tmp_path / "table.csv", index=False)
    found, wanted = (
        json.loads(isocost("choose", name, "--label", "bad", "--cost-fn", "5", "--json", "--resamples", "0").out)
        for name in ("book.dat", "table.csv")
    )
    assert found["decision"] == wanted["decision"]


def test_whole_numbers_of_a_workbook_are_whole(isocost, tmp_path):
    """A workbook gives every number a point: groups have their names without it."""
    rows = [["y", "a", "site"], *([i % 2, i * i % 7 / 8, 1 + i % 3 // 2] for i in range(24))]
    write_workbook(tmp_path / "book.xlsx", {"scores": rows})
    write_text(tmp_path / "table.csv", "".join(",".join(map(str, row)) + "\n" for row in rows))
    options = ["--label", "y", "--score", "a", "--group", "site", "--cost-fn", "2", "--resamples", "0"]
    found, wanted = (isocost("choose", name, *options, "-q").out for name in ("book.xlsx", "table.csv"))
    assert found == wanted != ""


def test_several_sheets_are_asked_about(isocost, tmp_path):
    """Nothing is guessed; a misspelt sheet is named."""
    rows = [["y", "a"], [1, 0.9], [0, 0.25], [1, 0.5], [0, 0.4]]
    write_workbook(tmp_path / "book.xlsx", {"June": rows, "July": rows[:4]})
    call = ["choose", "book.xlsx", "--label", "y", "--cost-fn", "5"]
    assert isocost(*call).complaint == "book.xlsx has 2 sheets (June, July): name one, such as --sheet June"
    assert "book.xlsx: 3 rows" in isocost(*call, "--sheet", "July").err
    assert "unknown sheet in book.xlsx 'Jule'" in isocost(*call, "--sheet", "Jule").complaint


def test_an_archive_or_a_damaged_workbook_is_no_table(isocost, tmp_path):
    """Refused with what to do."""
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr("data.csv", "y,a")
    assert isocost("choose", "data.zip").complaint == "data.zip is a ZIP archive: unpack it, and name the file inside"
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w") as book:
        book.writestr("xl/workbook.xml", "<workbook/>")
    assert "book.xlsx is a damaged Excel workbook" in isocost("choose", "book.xlsx").complaint
    write_workbook(tmp_path / "empty.xlsx", {"a": [], "b": [["y"]]})
    assert isocost("choose", "empty.xlsx").complaint == "empty.xlsx holds no sheet with a table"


def test_lines_may_end_in_two_ways(isocost, tmp_path):
    """As in files that were edited on two systems."""
    (tmp_path / "mixed.csv").write_bytes(b"y,a\r\n1,0.9\n0,0.1\r\n1,0.8\n0,0.4\r\n")
    (tmp_path / "plain.csv").write_bytes(b"y,a\n1,0.9\n0,0.1\n1,0.8\n0,0.4\n")
    call = ["--label", "y", "--cost-fn", "5", "--resamples", "0"]
    assert isocost("choose", "mixed.csv", *call).out == isocost("choose", "plain.csv", *call).out


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_thousands_of_columns_are_refused_with_the_likely_ones(suffix, isocost, tmp_path):
    """Before anything is evaluated; named, a column is used."""
    names = [f"feature_{i}" for i in range(2000)]
    frame = pa.table({"y": [0, 1] * 5, **{name: [1.5, 2.5] * 5 for name in names}, "model_score": [0.1, 0.8] * 5})
    path = tmp_path / f"wide.{suffix}"
    pa.csv.write_csv(frame, path) if suffix == "csv" else pa.parquet.write_table(frame, path)
    reported = isocost("choose", path.name).complaint
    assert "has 2,001 numeric columns, too many to be models all." in reported
    assert reported.endswith("for example --score model_score (likely: model_score)")
    assert isocost("measure", path.name, "--score", "model_score", "-m", "auc").code == 0


def test_files_of_one_call_must_fit_together(isocost, tmp_path, small):
    """One kind of file, and the same columns in each."""
    write_text(tmp_path / "a.csv", GOOD)
    write_text(tmp_path / "b.csv", GOOD.replace("b", "c"))
    small.to_parquet(tmp_path / "c.parquet")
    assert (
        "c.parquet is no part of the table of a.csv: its format and packing are ('parquet', 'none') and not ('csv', 'none')"
        in isocost("choose", "a.csv", "c.parquet").complaint
    )
    write_text(tmp_path / "d.csv", "\n" + GOOD)
    assert "its lines before the names of columns are 1 and not 0" in isocost("choose", "a.csv", "d.csv").complaint
    assert (
        "b.csv is no part of the table of a.csv: its columns are ('y', 'a', 'c') and not ('y', 'a', 'b')"
        in isocost("choose", "a.csv", "b.csv").complaint
    )


def test_standard_input_is_read_once_and_whole(program, credit_file):
    """`-` reads what is piped in, whatever its format, and twice is refused."""
    command = [program, "choose", "-", "--label", "bad", "--cost-fn", "5", "--json", "-q"]
    piped = subprocess.run(command, input=credit_file.read_bytes(), capture_output=True, check=True).stdout
    direct = subprocess.run([*command[:2], credit_file, *command[3:]], capture_output=True, check=True).stdout
    assert piped.replace(b"standard input", str(credit_file).encode()) == direct
    twice = subprocess.run([program, "choose", "-", "-"], input=b"", capture_output=True, check=False)
    assert (twice.returncode, twice.stderr) == (2, b"isocost: standard input (-) can be read only once\n")


def test_pipe_of_the_shell_is_a_file_like_any_other(program, credit_file):
    """`<(command)` works, although it can be read only once."""
    script = f"{program} choose <(cat {credit_file}) --label bad -q"
    assert (
        "use random_forest"
        in subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.lower()
    )


def test_separators_in_quoted_names_are_part_of_the_names(isocost, tmp_path):
    """A column called "m;1" in a table of tabs does not make it one of semicolons."""
    (tmp_path / "b.tsv").write_text('y\t"m;1"\n1\t.9\n0\t.8\n1\t.7\n0\t.2\n', encoding="utf-8")
    ran = isocost("count", "b.tsv", "-o", "counts.parquet")
    assert ran.code == 0, ran.err
    assert "m;1" in ran.err


def test_a_name_that_is_not_utf8_is_a_name(isocost, tmp_path):
    """As older systems leave them."""
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.csv")
    Path(path).write_text(GOOD)
    ran = isocost("count", path, "-q")
    assert (ran.code, ran.out.splitlines()[1]) == (0, "a,0.9,1,0")


def test_closed_standard_output_is_said(program, tmp_path):
    """Unless the result goes to a file."""
    write_text(tmp_path / "good.csv", GOOD)
    script = f"{program} count good.csv -q >&-; echo $? >code; {program} count good.csv -q -o c.csv >&-; echo $? >>code"
    ran = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (tmp_path / "code").read_text().split() == ["2", "0"]
    assert ran.stderr == "isocost: standard output is closed: name a file with -o\n"


def test_a_model_called_like_a_formula_is_none_in_a_spreadsheet(isocost, tmp_path):
    """In exported counts too, which read back under its own name."""
    write_text(tmp_path / "f.csv", GOOD.replace("a,b", "=cmd|' /C calc'!A0,b"))
    assert isocost("count", "f.csv", "-o", "counts.csv", "-q").code == 0
    assert "\n'=cmd" in (tmp_path / "counts.csv").read_text()
    assert "\n=cmd" not in (tmp_path / "counts.csv").read_text()
    assert "=cmd|' /C calc'!A0" in isocost("measure", "counts.csv", "-m", "auc", "-q").out
    assert "'=cmd" not in isocost("measure", "counts.csv", "-m", "auc", "-q").out

import gzip
import os
import subprocess

import pyarrow as pa
import pytest
from pyarrow import feather


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


MISSING = "has missing values (empty, null or NaN)"
LATE = "y,a\n" + "1,0.5\n0,0.3\n" * 15_000 + "1,oops\n"
MANY = "y,a\n" + "".join(f"{i},{i / 8}\n" for i in range(40))

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
    ("text.csv", text(GOOD + "1,oops,4\n"), "column 'a' of {f} holds text among its numbers: 1 of the first 5 values, such as 'oops'"),
    ("late-text.csv", text(LATE), "{f}, line 30002: column 'a' holds 'oops', which is no number"),
    ("all-text.csv", text("y,a\n1,low\n0,high\n"), "{f} has no numeric column of scores beside the label 'y'. Left out: a (text)."),
    ("three-classes.csv", text(GOOD + "2,0.5,1\n"), "column 'y' of {f} holds 3 classes (0, 1, 2): isocost needs two"),
    ("many-classes.csv", text(MANY), "column 'y' of {f} holds more than 12 classes"),
    ("one-class.csv", text("y,a\n1,0.5\n1,0.4\n"), "column 'y' of {f} holds only one class, 1"),
    ("words.csv", text("y,a\nyes,0.5\nno,0.4\n"),
     "column 'y' of {f} holds 'no' (1 row) and 'yes' (1 row). Say which to detect: --positive no or --positive yes"),
    ("utf16.csv", raw(GOOD.encode("utf-16-le")), "{f} looks like UTF-16 text without a byte order mark: save it as UTF-8"),
    ("latin1.csv", raw(GOOD.replace("a", "naïve").encode("latin-1")),
     "{f} is not UTF-8 text: byte 0xef at position 4. Save it as UTF-8, or say how it is encoded (for example --encoding latin-1)"),
    ("binary.csv", raw(b"\x00\x01\x02" * 50), "{f} is neither text nor Parquet nor Arrow"),
    ("book.xlsx", raw(b"PK\x03\x04rest"), "{f} is a ZIP archive or an Excel workbook"),
    ("missing-score.csv", text(GOOD + "1,,4\n"), "column 'a' of {f} " + MISSING + ": 1 of 5 rows, the first is row 5"),
    ("nan-score.parquet", parquet(a=[float("nan"), *range(7)]), "column 'a' of {f} " + MISSING + ": 1 of 8 rows, the first is row 1"),
    ("missing-label.csv", text(GOOD + ",0.5,4\n"), "column 'y' of {f} " + MISSING + ": 1 of 5 rows"),
    ("nan-label.parquet", parquet(y=[1, 0, 1, 0, 1, 0, 1, float("nan")]), "column 'y' of {f} " + MISSING + ": 1 of 8 rows"),
    ("ragged.csv", text(GOOD + "1,0.5,4,7\n"), "{f}, line 6: Expected Number of Columns: 3 Found: 4"),
    ("both-marks.csv", text("y;a;b\n1;0,9;0.5\n0;0,2;0.1\n"), "column 'a' of {f} holds numbers with decimal commas, such as '0,9'"),
    ("thousands.csv", text('y,a\n1,"1,234.5"\n0,"2,345.5"\n'),
     "column 'a' of {f} holds numbers with thousands marks, such as '1,234.5'; write them without"),
    ("unclear.csv", text("y;a\n1;1,234\n0;2,345\n"), "such as '1,234'; write them without, or add --decimal , if it is a decimal comma"),
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
     "Left out: customer_id (an id). If one of them holds scores, name it: --score customer_id"),
    ("nul.csv", raw(b"y,a\n1,0.5\n0,\x000.2\n"), "{f} is neither text nor Parquet nor Arrow"),
    ("all-nan.csv", text("y,a\n1,\n0,\n"), "{f} has no numeric column of scores beside the label 'y'"),
    ("twice.csv", text("y,a,a\n1,2,3\n0,1,2\n"), "{f} has 2 columns called 'a'"),
    ("broken.jsonl", text('{"y":1,"a":0.3}\n{"y":0,"a":\n'), 'Malformed JSON in file "{f}"'),
    ("huge.parquet", parquet(a=2**53 + 1), "column 'a' of {f} has 8 integers that do not fit float64 exactly"),
    ("textual.parquet", parquet(a="x", b="y"), "{f} has no numeric column of scores beside the label 'y'"),
    ("unlabelled.csv", text("class,a,b\n1,2,3\n0,1,2\n"),
     "{f} has no column label, y_true, y or target. Choose one: --label class (columns: class, a, b)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "make", "message"), BAD, ids=[row[0] for row in BAD])
def test_bad_file_is_one_line_that_names_it(name, make, message, isocost, tmp_path, small, leftovers):
    """Exit code 2, nothing on standard output, nothing written, and a line with file, column and hint."""
    make(tmp_path / name, small)
    ran = isocost("count", name, "-o", "counts.parquet")
    assert (ran.code, ran.out) == (2, "")
    assert message.format(f=name) in ran.complaint
    assert len(ran.err.splitlines()) == 1
    assert leftovers(tmp_path, name) == []


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


def test_names_with_spaces_commas_and_quotes_are_names(isocost, tmp_path):
    """They are asked for as they are, and come out as they are."""
    (tmp_path / "odd.csv").write_text('my y,"a, b","c ""d"""\n1,0.9,3\n0,0.2,1\n')
    ran = isocost("measure", "odd.csv", "--label", "my y", "--score", "a, b", "--score", 'c "d"', "-m", "auc", "-q")
    assert ran.code == 0, ran.err
    assert "a, b" in ran.out
    assert 'c "d"' in ran.out


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
        (["--positive", "yes"], "'yes' is not among the classes of column 'y' of good.csv: 0 (2 rows) and 1 (2 rows)"),
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
        "column 'w' of w.parquet has weights that are not finite or negative, such as -3.0: 1 of 8 rows"
        in ran.complaint
    )
    assert "the first is row 3" in ran.complaint


def test_places_that_are_no_files(isocost, tmp_path):
    """A folder, a missing file and a pattern without match are told apart, and a near name is offered."""
    (tmp_path / "folder").mkdir()
    write_text(tmp_path / "good.csv", GOOD)
    assert (
        isocost("choose", "folder").complaint == "folder is a directory: name its files, for example 'folder/*.parquet'"
    )
    assert isocost("choose", "god.csv").complaint == "no such file: god.csv; did you mean good.csv?"
    assert isocost("choose", "*.tsv").complaint == "no file matches '*.tsv'"


def test_file_that_may_not_be_read(isocost, tmp_path):
    """A file without permission is a line as well (where permissions bind)."""
    path = tmp_path / "secret.csv"
    write_text(path, GOOD)
    path.chmod(0)
    if not os.access(path, os.R_OK):  # the superuser may read everything
        assert "secret.csv: Permission denied" in isocost("choose", "secret.csv").complaint


def test_files_of_one_call_must_fit_together(isocost, tmp_path, small):
    """One kind of file, and the same columns in each."""
    write_text(tmp_path / "a.csv", GOOD)
    write_text(tmp_path / "b.csv", GOOD.replace("b", "c"))
    small.to_parquet(tmp_path / "c.parquet")
    assert (
        "all files must be of one kind: a.csv is csv, c.parquet is parquet"
        in isocost("choose", "a.csv", "c.parquet").complaint
    )
    assert (
        "b.csv has other columns than a.csv: 'y', 'a', 'c' and not 'y', 'a', 'b'"
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
    assert "deploy" in subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.lower()

import concurrent.futures

import daft
import dask.dataframe as dd
import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import isocost as ic
from isocost.data.files import run
from isocost.errors import EngineError, InputError

GRPC = """<_InactiveRpcError of RPC that terminated with:
\tstatus = StatusCode.UNAVAILABLE
\tdetails = "failed to connect to all addresses; last error: ipv4:127.0.0.1:15002: Connection refused"
>"""
JAVA = """An error occurred while calling o751.getResult.
: org.apache.spark.SparkException: Exception thrown in awaitResult:
\tat org.apache.spark.util.SparkThreadUtils$.awaitResult(SparkThreadUtils.scala:70)
Caused by: org.apache.spark.SparkException: [FAILED_READ_FILE] Encountered error while reading file file:///x/1.parquet.
Caused by: java.io.IOException: eof"""


def fail(error):
    """Raise it."""
    raise error


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RuntimeError(GRPC), r": RuntimeError: failed to connect to all addresses; .*refused; its session was stopped or"),
        (RuntimeError(JAVA), r": SparkException: \[FAILED.*file:///x/1\.parquet; a file may be damaged: ScoreCounts\.scan"),
        (AssertionError(), r": AssertionError; its session was stopped or its cluster cannot be reached: connect again"),
        (concurrent.futures.CancelledError("k"), r": CancelledError: k; its session was stopped or"),
        (ConnectionResetError("peer"), r": ConnectionResetError: peer; its session was stopped or"),
        (ValueError("what \x0e\nmore"), r": ValueError: what$"),
        (KeyError(), r": KeyError$"),
    ],
)  # fmt: skip
def test_the_line_that_tells_most_and_what_to_do(error, message):
    """Whatever wraps it: the cause in one line; lost connections and damaged files come with advice."""
    with pytest.raises(EngineError, match=f"^the pyspark frame failed while counting column 'a'{message}") as raised:
        run("pyspark frame", "counting column 'a'", lambda: fail(error))
    assert raised.value.__cause__ is error
    assert "\n" not in str(raised.value)


def test_errors_of_ours_and_lack_of_memory_pass():
    """They say enough."""
    for error in (InputError("column 'a'"), MemoryError()):
        with pytest.raises(type(error)) as raised:
            run("pyspark frame", "counting", lambda error=error: fail(error))
        assert raised.value is error


@pytest.fixture
def damaged(tmp_path):
    """Three files, the second with a page that cannot be unpacked though both its ends are whole."""
    rng = np.random.default_rng(0)
    for i in range(3):
        y = rng.integers(0, 2, 20_000)
        pq.write_table(pa.table({"y": y, "a": rng.normal(y)}), tmp_path / f"{i}.parquet", row_group_size=5000)
    path = tmp_path / "1.parquet"
    damaged = bytearray(path.read_bytes())
    start = pq.ParquetFile(path).metadata.row_group(2).column(1).data_page_offset
    damaged[start : start + 3000] = b"\x0e" * 3000
    path.write_bytes(damaged)
    return tmp_path


# What Dask calls of pandas is not ours to fix.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("engine", "frame"),
    [
        ("polars", pl.scan_parquet),
        ("duckdb", duckdb.read_parquet),
        ("dask", dd.read_parquet),
        ("daft", daft.read_parquet),
    ],
)
def test_a_damaged_row_group_below_a_frame(engine, frame, damaged):
    """Every engine's complaint becomes one of ours, with the columns; nothing is written."""
    message = (
        f"^the {engine} frame failed while checking the columns 'y', 'a': .*a file may be damaged: ScoreCounts.scan"
    )
    with pytest.raises(EngineError, match=message):
        ic.ScoreCounts.from_frame(frame(str(damaged / "*.parquet")), label="y", score="a")
    assert sorted(path.name for path in damaged.iterdir()) == ["0.parquet", "1.parquet", "2.parquet"]


def test_a_scan_says_which_file_is_damaged_and_where(damaged):
    """As the advice promises: file, column and row group; a file cut short is named too."""
    with pytest.raises(InputError, match=r"1\.parquet is a damaged .*: column 'a', row group 3 of 4 \("):
        ic.ScoreCounts.scan(damaged / "*.parquet", label="y", score="a")
    cut = damaged / "1.parquet"
    cut.write_bytes(cut.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"1\.parquet is a damaged or truncated Parquet file: its end \("):
        ic.ScoreCounts.scan(damaged / "*.parquet", label="y", score="a")
    assert sorted(path.name for path in damaged.iterdir()) == ["0.parquet", "1.parquet", "2.parquet"]

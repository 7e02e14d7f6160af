"""The same count on every engine: seconds, passes, and how much comes to the driver; against reading the file and sorting it here.

Rows are those of files.py. Each engine counts twice on its open session; the second time is shown, the first includes its start.
Spark runs as local[2] and as local-cluster[2,1,1024]: two executors in processes of their own. No bar: the figures size a cluster.
Usage: python benchmarks/engines.py [rows] [engine ...]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from files import write

import isocost as ic
from isocost.engines.frames import FrameSource


@contextmanager
def duckdb(path: str) -> Iterator[Any]:
    """Read by DuckDB."""
    import duckdb as engine

    yield engine.connect().read_parquet(path)


@contextmanager
def polars(path: str) -> Iterator[Any]:
    """Read lazily by Polars."""
    import polars as pl

    yield pl.scan_parquet(path)


@contextmanager
def dask(path: str) -> Iterator[Any]:
    """Read by two processes of Dask."""
    import dask.dataframe as dd
    import distributed

    open_cluster: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with open_cluster(**options) as cluster, connect(cluster):
        yield dd.read_parquet(path, split_row_groups=True)


@contextmanager
def spark(path: str, master: str) -> Iterator[Any]:
    """Read by Spark."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.memory", "2g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session.read.parquet(path)
    finally:
        session.stop()


ENGINES: dict[str, Callable[[str], Any]] = {
    "duckdb": duckdb,
    "polars": polars,
    "dask": dask,
    "spark local": lambda path: spark(path, "local[2]"),
    "spark cluster": lambda path: spark(path, "local-cluster[2,1,1024]"),
}


def measured(frame: Any) -> tuple[float, list[int], int, Any]:
    """Return seconds, rows of every fetched table, bytes of all, and the hull."""
    tables: list[int] = []
    size = [0]
    fetched = FrameSource._fetched  # noqa: SLF001 - counts what goes through it

    def noted(self: FrameSource, *given: Any) -> Any:
        columns = fetched(self, *given)
        tables.append(columns[0].size)
        size[0] += sum(column.nbytes for column in columns)
        return columns

    start = time.perf_counter()
    with patch.object(FrameSource, "_fetched", noted):
        counts = ic.ScoreCounts.from_frame(frame, label="y", score="s")
    return time.perf_counter() - start, tables, size[0], ic.RocCurve.from_counts(counts).hull


def main() -> None:
    """Print a line an engine."""
    import pyarrow.parquet as pq

    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "predictions.parquet")
        write(path, rows)
        start = time.perf_counter()
        table = pq.read_table(path)
        truth = ic.RocCurve.from_scores(table["y"].to_numpy(), table["s"].to_numpy()).hull
        here = time.perf_counter() - start
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB; read and sorted here: {here:.1f} s")
        for name in sys.argv[2:] or ENGINES:
            if name.startswith("spark") and shutil.which("java") is None:
                print(f"{name:14} left out: no java")
                continue
            with ENGINES[name](str(path)) as frame:
                first = measured(frame)[0]
                seconds, tables, size, hull = measured(frame)
            assert all(np.array_equal(getattr(hull, part), getattr(truth, part)) for part in ("fp", "tp", "thresholds"))
            print(
                f"{name:14} {seconds:5.1f} s (first {first:.1f} s), 1 check + {len(tables)} passes, tables of "
                f"{' + '.join(f'{n:,}' for n in tables)} rows, {size / 1e6:.1f} MB; {seconds / here:.1f} times the time here"
            )


if __name__ == "__main__":
    main()

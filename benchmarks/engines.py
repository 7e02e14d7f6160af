"""Three models compared on every engine, in all and in groups, within a limit, with the certainty of that.

Seconds, queries, what comes to the driver and its memory, against grouping by score there.

The yardstick is what anyone would write first: one `group by score, label` with a count for each model, its result left on the engine.
Each engine has a process of its own; after one round to warm up, both run in turn and the smallest times are shown. Spark runs as
local[2], and as local-cluster[2,1,1024]: two executors in processes of their own, and a driver that has 512 MB for Java.
Memory is the most that the Python process of the driver held by itself (VmHWM of Linux), Java and workers apart.
Bars, at 5 million rows on Spark: at most 2.5 times the time of the yardstick, and a driver below 0.6 GB. Others are shown without one.

Usage: python benchmarks/engines.py [rows] [engine ...]
`rows` may be 1e8: then only DuckDB and Polars are run unless engines are named, without the yardstick, which would not fit.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import numpy as np

MODELS = ("a", "b", "c")
GROUPS = 8
# More rows than this are counted once, and are not grouped by score.
MOST_GROUPED = 20_000_000


def write(path: Path, rows: int) -> None:
    """Write 10 % positives and three models' binormal scores, every one distinct."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    schema = pa.schema([("y", pa.int8()), ("region", pa.string()), *((name, pa.float64()) for name in MODELS)])
    regions = np.array([f"region {i}" for i in range(GROUPS)])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 2**20):
            size = min(2**20, rows - start)
            y = (rng.random(size) < 0.1).astype(np.int8)
            common = rng.normal(size=size)
            scores = {
                name: 1 / (1 + np.exp(2 - (1 + 0.25 * i) * y - common - 0.5 * rng.normal(size=size)))
                for i, name in enumerate(MODELS)
            }
            writer.write_table(pa.table({"y": y, "region": rng.choice(regions, size), **scores}, schema=schema))


@contextmanager
def local(path: str, engine: Literal["duckdb", "polars"]) -> Iterator[Any]:
    """Read lazily by this process."""
    import narwhals.stable.v2 as nw

    yield nw.scan_parquet(path, backend=engine).to_native()


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
def spark(path: str, master: str, memory: str) -> Iterator[Any]:
    """Read by Spark."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.memory", memory)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session.read.parquet(path)
    finally:
        session.stop()


ENGINES: dict[str, Callable[[str], Any]] = {
    "duckdb": lambda path: local(path, "duckdb"),
    "polars": lambda path: local(path, "polars"),
    "dask": dask,
    "spark local": lambda path: spark(path, "local[2]", "2g"),
    "spark cluster": lambda path: spark(path, "local-cluster[2,1,1024]", "512m"),
}


def compared(frame: Any) -> tuple[float, list[int]]:
    """Return seconds, and the rows of the table that every query fetched; its decisions are looked at too."""
    import isocost as ic
    from isocost.data import frames, joint
    from isocost.data.frames import collected

    tables: list[int] = []

    def noted(table: Any) -> Any:
        found = collected(table)
        tables.append(len(found))
        return found

    start = time.perf_counter()
    with patch.object(frames, "collected", noted), patch.object(joint, "collected", noted):
        comparison = ic.Comparison.from_frame(frame, label="y", scores=list(MODELS), fold="region")
    condition = ic.Condition(cost_fp=1, cost_fn=10, prevalence=0.1)
    confidence = comparison.decide(condition, max_flagged=0.2, n_resamples=200).confidence
    assert confidence is not None
    assert confidence.price is not None
    groups = comparison.groups()
    for thresholds in ("each", "one"):
        assert len(groups.decide(condition, thresholds=thresholds).thresholds) == GROUPS
    return time.perf_counter() - start, tables


def grouped(frame: Any) -> float:
    """Return seconds of the yardstick."""
    import narwhals.stable.v2 as nw

    start = time.perf_counter()
    for name in MODELS:
        counts = nw.from_native(frame).group_by(name, "y").agg(cases=nw.len())
        counts.select(nw.col("cases").max()).collect()
    return time.perf_counter() - start


def measured(engine: str, path: str, rows: int) -> dict[str, Any]:
    """Return what one engine takes."""
    with ENGINES[engine](path) as frame:
        if rows > MOST_GROUPED:
            seconds, tables = compared(frame)
            theirs = None
        else:
            compared(frame)
            grouped(frame)
            both = [(compared(frame), grouped(frame)) for _ in range(2)]
            seconds, tables = min(mine for mine, _ in both)
            theirs = min(theirs for _, theirs in both)
    # Not ru_maxrss, which begins with the memory of the process that started this one.
    status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    return {"seconds": seconds, "tables": tables, "theirs": theirs, "peak": peak * 1024 / 1e9}


def line(engine: str, found: dict[str, Any]) -> str:
    """Return what one engine took, in words."""
    tables = [n for n in found["tables"] if n > 1]
    ratio = "" if found["theirs"] is None else f", {found['seconds'] / found['theirs']:.2f} x one group by a model"
    return (
        f"{engine:14} {found['seconds']:6.1f} s in {len(found['tables'])} queries{ratio}; "
        f"{' + '.join(f'{n:,}' for n in tables)} rows came here, peak of this process {found['peak']:.2f} GB"
    )


def main() -> None:
    """Print a line an engine, and fail if Spark misses its bars."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 5_000_000
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "predictions.parquet")
        write(path, rows)
        print(f"{rows:,} rows of {len(MODELS)} models, {path.stat().st_size / 1e6:.0f} MB")
        for engine in sys.argv[2:] or (list(ENGINES) if rows <= MOST_GROUPED else ["duckdb", "polars"]):
            if engine.startswith("spark") and shutil.which("java") is None:
                print(f"{engine:14} left out: no java")
                continue
            code = f"import json, engines; print(json.dumps(engines.measured({engine!r}, {str(path)!r}, {rows})))"
            here = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])}
            done = subprocess.run(
                [sys.executable, "-c", code], env=os.environ | here, stdout=subprocess.PIPE, check=True
            )
            found = json.loads(done.stdout.splitlines()[-1])
            print(line(engine, found), flush=True)
            if engine.startswith("spark") and (found["seconds"] > 2.5 * found["theirs"] or found["peak"] > 0.6):
                missed.append(engine)
    if missed:
        sys.exit(f"missed the bars: {', '.join(missed)}")


if __name__ == "__main__":
    main()

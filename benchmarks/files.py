"""A large Parquet file of distinct float64 scores: exact hull, cost curve, VOROS and AUC, against reading it for scikit-learn.

Each side runs in a process of its own on the same file, in turn; time and peak memory (VmHWM of Linux) are those of the whole process,
imports included. Bars at 1e8 rows: at least 14 times faster, at most 0.5 GB, AUC within ± 1e-6. The file, 0.9 GB of 1e8 rows, stands in
a temporary folder that is deleted in the end.

Usage: python benchmarks/files.py [rows] [--rounds N] [--file PATH] [--write]
`--file` keeps the file, and takes it if it is there; `--write` rewrites the table of the documentation.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

_OUTPUT = Path(__file__).parent.parent / "docs" / "reference" / "files-table.md"
_OURS = """
import isocost as ic
counts = ic.ScoreCounts.scan({path!r}, label="y", score="s", memory="100MB")
curve = ic.RocCurve.from_counts(counts)
within = curve.resolution_of_area / 2
out = dict(voros=ic.voros(curve), cost=ic.cost_curve(curve).area(), vertices=len(curve.hull), auc=ic.auc(curve), within=within)
"""
_SKLEARN = """
import pyarrow.parquet as pq
from sklearn.metrics import auc, roc_curve
table = pq.read_table({path!r})
fpr, tpr, _ = roc_curve(table["y"].to_numpy(), table["s"].to_numpy())
out = dict(auc=auc(fpr, tpr))
"""
_REPORT = """
import json, time
start = time.perf_counter()
{code}
# Not ru_maxrss, which begins with the memory of the process that started this one.
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps(out | dict(seconds=time.perf_counter() - start, gb=peak * 1024 / 1e9)))
"""


def write(path: Path, rows: int) -> None:
    """Write 10 % positives with binormal scores through a logistic, every one distinct."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    schema = pa.schema([("y", pa.int8()), ("s", pa.float64())])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 2**20):
            size = min(2**20, rows - start)
            y = rng.random(size) < 0.1
            s = 1 / (1 + np.exp(2 - rng.standard_normal(size) - 1.5 * y))
            writer.write_table(pa.table({"y": y.astype(np.int8), "s": s}, schema=schema))


def measured(code: str, path: Path) -> dict[str, Any]:
    """Run one side in a process of its own."""
    script = _REPORT.format(code=code.format(path=str(path)))
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def table(rows: int, ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> str:
    """Return what was measured, and whether the bars hold, as Markdown."""
    seconds = [median(run["seconds"] for run in side) for side in (ours, theirs)]
    memory = [max(run["gb"] for run in side) for side in (ours, theirs)]
    ratio, within = seconds[1] / seconds[0], ours[0]["within"]
    judged = [
        ("time", f"{seconds[0]:.1f} s", f"{seconds[1]:.1f} s", f"{ratio:.1f}×", ratio >= 14, "14×"),
        ("peak memory", f"{memory[0]:.2f} GB", f"{memory[1]:.2f} GB", f"{memory[1] / memory[0]:.0f}×", memory[0] <= 0.5, "0.5 GB"),
        ("AUC", f"± {within:.1e}", "exact", "", within <= 1e-6, "± 1e-6"),
    ]  # fmt: skip
    large = rows >= 10**8
    lines = [
        f"{rows:,} rows, {len(ours)} runs of isocost and {len(theirs)} of scikit-learn. "
        f"Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in ("numpy", "duckdb", "pyarrow", "scikit-learn"))
        + f"; {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end.",
        "",
        "| | isocost: hull, cost curve, VOROS, AUC | scikit-learn: read, `roc_curve`, `auc` | ratio | bar |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {what} | {mine} | {other} | {how} | {bar if not large else bar + (', holds' if holds else ', missed')} |"
            for what, mine, other, how, holds, bar in judged
        ),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print both sides, their ratio and whether the bars hold."""
    # An installed package has its bytecode, whatever this shell says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=float, default=1e7)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    rows = int(asked.rows)
    ours: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    with ExitStack() as stack:
        path = asked.file or Path(stack.enter_context(tempfile.TemporaryDirectory()), "predictions.parquet")
        if not path.exists():
            write(path, rows)
        for _ in range(asked.rounds):
            # Ours on both sides of the longer run, so that a machine that gets busier is busy for both.
            ours.append(measured(_OURS, path))
            theirs.append(measured(_SKLEARN, path))
            ours.append(measured(_OURS, path))
    first = ours[0]
    print(
        f"{first['vertices']} vertices, VOROS {first['voros']:.9f}, AUC {first['auc']:.8f} ± {first['within']:.1e} "
        f"(scikit-learn {theirs[0]['auc']:.8f})"
    )
    for name, side in (("isocost", ours), ("scikit-learn", theirs)):
        print(name, ", ".join(f"{run['seconds']:.2f} s {run['gb']:.3f} GB" for run in side))
    made = table(rows, ours, theirs)
    print(made)
    if asked.write:
        _OUTPUT.write_text(made, encoding="utf-8")
    assert abs(first["auc"] - theirs[0]["auc"]) <= first["within"] + 1e-9
    assert all(run["voros"] == first["voros"] for run in ours)


if __name__ == "__main__":
    main()

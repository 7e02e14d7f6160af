"""A large Parquet file of distinct float64 scores: exact hull, cost curve, VOROS and bounds of AUC, against reading it for scikit-learn.

Each side runs in a process of its own on the same file, one after the other; time and peak memory are those of the whole process.
Bar: at least 10 times faster at 1e8 rows, in at most 0.5 GB, AUC within ± 1e-6. Usage: python benchmarks/files.py [rows]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

_OURS = """
import isocost as ic
counts = ic.ScoreCounts.scan({path!r}, label="y", score="s", memory="100MB")
curve = ic.RocCurve.from_counts(counts)
area = curve.bounds("auc")
out = dict(voros=ic.voros(curve), cost=ic.cost_curve(curve).area(), vertices=len(curve.hull), auc=area.middle, within=area.width / 2)
"""
_SKLEARN = """
import pyarrow.parquet as pq
from sklearn.metrics import auc, roc_curve
table = pq.read_table({path!r})
fpr, tpr, _ = roc_curve(table["y"].to_numpy(), table["s"].to_numpy())
out = dict(auc=auc(fpr, tpr))
"""
_REPORT = """
import json, resource, time
start = time.perf_counter()
{code}
out |= dict(seconds=time.perf_counter() - start, gb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
print(json.dumps(out))
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


def main() -> None:
    """Print both sides and their ratio."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "predictions.parquet")
        write(path, rows)
        ours, theirs = measured(_OURS, path), measured(_SKLEARN, path)
    print(
        f"{rows:,} rows, {ours['vertices']} vertices, VOROS {ours['voros']:.9f}, AUC {ours['auc']:.8f} ± {ours['within']:.1e}"
    )
    print(f"isocost       {ours['seconds']:6.1f} s  {ours['gb']:.2f} GB")
    print(f"scikit-learn  {theirs['seconds']:6.1f} s  {theirs['gb']:.2f} GB  AUC {theirs['auc']:.8f}")
    print(f"ratio {theirs['seconds'] / ours['seconds']:.1f} (bar at 1e8 rows: 10, and at most 0.5 GB)")
    assert abs(ours["auc"] - theirs["auc"]) <= ours["within"] + 1e-9


if __name__ == "__main__":
    main()

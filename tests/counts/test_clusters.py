"""A real cluster on this machine: two Dask processes, one of which is killed during a count."""

import os
import signal
import threading

import numpy as np
import pandas as pd
import pytest

import isocost as ic
from isocost.counts import buckets

# The engine's own warnings are not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore")


def rows(n=20_000, seed=0):
    """Return labels, scores and a second model's scores."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    return pd.DataFrame({"y": y, "a": rng.normal(y * 1.2, 1.0), "b": np.round(rng.normal(y, 1.0), 1)})


def same_hull(counts, frame):
    """Assert that the hull is that of the rows."""
    hull, truth = ic.RocCurve.from_counts(counts).hull, ic.RocCurve.from_scores(frame.y, frame.a).hull
    for name in ("fp", "tp", "thresholds"):
        assert np.array_equal(getattr(hull, name), getattr(truth, name))


def test_dask_counts_on_two_processes_and_survives_a_lost_one(monkeypatch, tmp_path):
    """Empty partitions included; the work of a killed process is done again by the other, or a new one."""
    import dask
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    f = rows()
    with (
        dask.config.set({"temporary-directory": str(tmp_path), "distributed.scheduler.allowed-failures": 5}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        frame = dd.concat([dd.from_pandas(f, npartitions=4), dd.from_pandas(f.iloc[:0], npartitions=1)])
        assert ic.ScoreCounts.from_frame(frame, label="y", score="a") == ic.ScoreCounts.from_arrays(f.y, f.a)
        monkeypatch.setattr(buckets, "BITS", 8)
        monkeypatch.setattr(buckets, "MOST_ROWS", 1024)
        pid = next(iter(cluster.workers.values())).pid
        thread = threading.Timer(0.3, lambda: os.kill(pid, signal.SIGKILL))
        thread.start()
        counts = ic.ScoreCounts.from_frame(frame, label="y", score="a", max_distinct=0)
        thread.join()
    assert not counts.exact
    same_hull(counts, f)

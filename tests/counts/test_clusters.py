"""Real clusters on this machine: a Spark master with two workers, two Dask processes; one of each is killed during a count."""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import isocost as ic
from isocost.counts import buckets
from isocost.errors import EngineError, InputError

# The engines' own warnings are not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore")


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


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


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """A session on a standalone master with two workers, and the workers' processes."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17 or newer, and there is no java on this machine")
    import pyspark
    from pyspark.sql import SparkSession

    home = Path(pyspark.__file__).parent
    folder = tmp_path_factory.mktemp("spark")
    port, web = free_port(), free_port()
    env = os.environ | {"SPARK_HOME": str(home), "SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_DIRS": str(folder)}

    def started(*arguments):
        command = [home / "bin" / "spark-class", *map(str, arguments)]
        return subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    deploy = "org.apache.spark.deploy"
    address = ("--host", "127.0.0.1")
    master = started(f"{deploy}.master.Master", *address, "--port", port, "--webui-port", web)
    workers = [
        started(f"{deploy}.worker.Worker", *address, "--webui-port", 0, "--cores", 1, "--memory", "1500m",
                "--work-dir", folder / str(i), f"spark://127.0.0.1:{port}")
        for i in range(2)
    ]  # fmt: skip
    session = None
    try:
        _wait_for_workers(web, 2)
        options = {
            "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": "4", "spark.executor.memory": "512m", "spark.executor.cores": "1",
            "spark.task.maxFailures": "8", "spark.sql.warehouse.dir": str(folder / "warehouse"),
        }  # fmt: skip
        builder = SparkSession.builder.master(f"spark://127.0.0.1:{port}").appName("isocost tests")
        for name, value in options.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session, workers
    finally:
        if session is not None:
            session.stop()
        for process in (*workers, master):
            process.kill()
            process.wait()


def _wait_for_workers(web, wanted, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{web}/json/", timeout=5) as answer:
                if json.load(answer)["aliveworkers"] >= wanted:
                    return
        except OSError:
            pass
        time.sleep(0.5)
    pytest.fail(f"the Spark master had not {wanted} workers after {seconds} s")


def test_spark_counts_and_survives_a_lost_worker(spark, monkeypatch):
    """Several models, bad input as in memory; a worker killed during a count changes nothing."""
    session, workers = spark
    f = rows()
    frame = session.createDataFrame(f).repartition(4).cache()
    counts = ic.ScoreCounts.from_frame(frame, label="y", score=["a", "b"])
    assert counts["a"] == ic.ScoreCounts.from_arrays(f.y, f.a)
    assert counts["b"] == ic.ScoreCounts.from_arrays(f.y, f.b)
    with pytest.raises(InputError, match=r"column 'a' of the pyspark frame has missing values.*1 of 20000 rows"):
        ic.ScoreCounts.from_frame(session.createDataFrame(f.assign(a=f.a.where(f.index != 5))), label="y", score="a")
    with pytest.raises(InputError, match=r"column 'y' of the pyspark frame holds only one class"):
        ic.ScoreCounts.from_frame(session.createDataFrame(f.assign(y=1)), label="y", score="a")
    # Now the second worker goes while its partitions are counted, pass by pass.
    monkeypatch.setattr(buckets, "BITS", 8)
    monkeypatch.setattr(buckets, "MOST_ROWS", 1024)
    killer = threading.Timer(1.0, workers[1].kill)
    killer.start()
    again = ic.ScoreCounts.from_frame(frame, label="y", score="a", max_distinct=0)
    killer.join()
    assert workers[1].wait(30) == -signal.SIGKILL
    assert not again.exact
    same_hull(again, f)
    # And at last the whole cluster is out of reach.
    session.stop()
    with pytest.raises(EngineError, match="the pyspark frame failed while"):
        ic.ScoreCounts.from_frame(frame, label="y", score="a")


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

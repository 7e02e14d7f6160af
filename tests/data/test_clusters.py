"""Real clusters on this machine: a Spark master with two workers, reached directly and through Spark Connect; two Dask processes.

One worker of each is killed during a count, and each cluster is taken away before another.
"""

import contextlib
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import isocost as ic
from isocost.data import count
from isocost.data.count import Pass
from isocost.data.frames import FrameCases, FrameGrid, selected
from isocost.errors import EngineError, InputError

# The engines' own warnings are not ours to fix.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("clusters")]

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "large-data.md"
BLOCK = re.compile(r"^```{code-block} python\n:name: ([\w-]+)\n\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Short runs: Java need not optimise what it runs a few times.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
UNREACHABLE = "its session was stopped or its cluster cannot be reached: connect again"


def documented(name, changes=None):
    """Return a block of the page, with addresses and paths of this machine in place of the reader's."""
    code = dict(BLOCK.findall(PAGE.read_text("utf-8")))[name]
    for theirs, ours in (changes or {}).items():
        assert f'"{theirs}"' in code
        code = code.replace(f'"{theirs}"', repr(str(ours)))
    return code


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def rows(n=8000, seed=0):
    """Return labels, scores with outliers and both zeros, and a second model's scores with ties."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    a = rng.normal(y * 1.2, 1.0)
    a[:6] = [50.0, -50.0, -0.0, 0.0, 5e-324, 50.0]
    return pd.DataFrame({"y": y, "a": a, "b": np.round(rng.normal(y, 1.0), 1), "kind": np.where(y == 1, "bad", "good")})


def same_hull(counts, frame):
    """Assert that the hull is that of the rows."""
    hull, truth = ic.RocCurve.from_counts(counts).hull, ic.RocCurve.from_scores(frame.y, frame.a).hull
    for name in ("fp", "tp", "thresholds"):
        assert np.array_equal(getattr(hull, name), getattr(truth, name))


@pytest.fixture
def small(monkeypatch):
    """Few buckets, so that a small frame needs several passes."""
    monkeypatch.setattr(count, "BITS", 8)
    monkeypatch.setattr(count, "MOST_ROWS", 1024)


class Spark:
    """A standalone master with two workers, each a process of its own."""

    def __init__(self, folder):
        import pyspark

        self.home = Path(pyspark.__file__).parent
        self.folder = folder
        self.port, self.web, self.connect_port = free_port(), free_port(), free_port()
        self.master = self._started("master.Master", "--port", self.port, "--webui-port", self.web)
        self.workers = []
        # A worker that finds no master tries again only after many seconds.
        self.wait_for_workers(0)
        for _ in range(2):
            self.add_worker()

    def _started(self, kind, *arguments):
        command = [self.home / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", "--host", "127.0.0.1"]
        env = os.environ | {
            "SPARK_HOME": str(self.home), "SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_DIRS": str(self.folder),
            "SPARK_DAEMON_JAVA_OPTS": QUICK,
        }  # fmt: skip
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([*command, *map(str, arguments)], env=env, cwd=self.folder, **quiet)

    def add_worker(self):
        """Start one more worker."""
        folder = self.folder / str(len(self.workers))
        options = ("--webui-port", 0, "--cores", 1, "--memory", "1500m", "--work-dir", folder)
        self.workers.append(self._started("worker.Worker", *options, f"spark://127.0.0.1:{self.port}"))

    def wait_for_workers(self, wanted=2, seconds=120):
        """Return once the master knows the workers."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.web}/json/", timeout=5) as answer:
                    if json.load(answer)["aliveworkers"] >= wanted:
                        return
            except (OSError, ValueError):
                pass  # not there yet, or not ready to say more than half of it
            time.sleep(0.1)
        pytest.fail(f"the Spark master had not {wanted} workers after {seconds} s")

    @property
    def session(self):
        """The session on the cluster; its driver answers Spark Connect too."""
        from pyspark.sql import SparkSession

        options = {
            "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": "2", "spark.executor.memory": "512m", "spark.executor.cores": "1",
            "spark.driver.extraJavaOptions": QUICK, "spark.executor.extraJavaOptions": QUICK,
            "spark.task.maxFailures": "8", "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
            "spark.connect.grpc.binding.address": "127.0.0.1", "spark.connect.grpc.binding.port": str(self.connect_port),
        }  # fmt: skip
        builder = SparkSession.builder.master(f"spark://127.0.0.1:{self.port}").appName("isocost tests")
        for name, value in options.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        return session

    def end_session(self):
        """Take the driver away from two frames: counting them is one clear error, with what failed and what to do.

        The driver cannot answer Spark Connect a second time, so this comes last, whatever the order of the tests.
        """
        f = rows(100)
        near, far = self.session.createDataFrame(f), self.remote.createDataFrame(f)
        counts = [ic.ScoreCounts.from_frame(frame, label="y", score="a") for frame in (near, far)]
        assert counts == [ic.ScoreCounts.from_arrays(f.y, f.a)] * 2
        self.session.stop()
        for frame, engine, cause in ((near, "pyspark", AssertionError), (far, r"pyspark\[connect\]", Exception)):
            with pytest.raises(EngineError, match=rf"^the {engine} frame failed while .*; {UNREACHABLE}") as raised:
                ic.ScoreCounts.from_frame(frame, label="y", score="a")
            assert isinstance(raised.value.__cause__, cause)

    @property
    def remote(self):
        """A session of Spark Connect, which knows the cluster by its address only."""
        from pyspark.sql.connect.client.retries import DefaultPolicy
        from pyspark.sql.connect.session import SparkSession

        assert self.session is not None
        session = SparkSession.builder.remote(f"sc://127.0.0.1:{self.connect_port}").create()
        # PySpark would try for ten minutes to reach a server that is gone.
        session.client.set_retry_policies([DefaultPolicy(max_retries=2)])
        return session


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """The cluster; its session is ended under a count's feet, its processes by their ids."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17 or newer, and there is no java on this machine")
    cluster = Spark(tmp_path_factory.mktemp("spark"))
    try:
        cluster.wait_for_workers()
        yield cluster
        cluster.end_session()
    finally:
        for process in (*cluster.workers, cluster.master):
            process.kill()
            process.wait()


@pytest.fixture(params=["pyspark", pytest.param("pyspark[connect]", marks=pytest.mark.long)])
def session(spark, request):
    """Both ways to the cluster."""
    return spark.session if request.param == "pyspark" else spark.remote


def test_both_ways_to_spark_give_the_counts_of_the_rows(session, monkeypatch):
    """Several models, labels of text; exact hull by several passes; empty partitions."""
    f = rows()
    # More partitions than labels: most are empty.
    frame = session.createDataFrame(f).repartition(4, "y").cache()
    counts = ic.ScoreCounts.from_frame(frame, label="kind", score=["a", "b"], pos_label="bad")
    assert counts["a"] == ic.ScoreCounts.from_arrays(f.y, f.a)
    assert counts["b"] == ic.ScoreCounts.from_arrays(f.y, f.b)
    monkeypatch.setattr(count, "BITS", 8)
    monkeypatch.setattr(count, "MOST_ROWS", 1024)
    counts = ic.ScoreCounts.from_frame(frame, label="y", score="a", max_distinct=0)
    assert not counts.exact
    same_hull(counts, f)
    holes = frame.selectExpr("y", "if(kind = 'bad', if(a > 0, double('nan'), null), a) AS a")
    missing = np.count_nonzero(f.y == 1)
    with pytest.raises(InputError, match=rf"pyspark\S* frame: score 'a' is missing in {missing} of 8000"):
        ic.ScoreCounts.from_frame(holes, label="y", score="a")
    frame.unpersist()


@pytest.mark.parametrize(
    ("label", "score", "message"),
    [
        ("id % 2", "if(id = 5, null, id)", r"{} frame: score 'a' is missing in 1 of 50 rows"),
        ("id % 2", "if(id = 5, double('nan'), id)", r"{} frame: score 'a' is missing in 1 of 50 rows"),
        ("if(id = 5, null, id % 2)", "id", r"{} frame: label 'y' is missing in 1 of 50 rows"),
        ("id % 3", "id", r"{} frame: label 'y' holds 3 classes \(0, 1, 2\): isocost needs two"),
        ("1", "id", r"{} frame: label 'y' holds only one class, 1"),
        ("id % 2", "string(id)", r"column 'a' of the {} frame must hold numbers, got String"),
    ],
)
def test_bad_input_on_spark_is_refused_as_in_memory(spark, label, score, message):
    """Null and NaN are not the same to Spark: neither may vanish with the keys of a group."""
    frame = spark.remote.sql(f"SELECT {label} AS y, {score} AS a FROM range(50)")
    with pytest.raises(InputError, match=message.format(r"pyspark\[connect\]")):
        ic.ScoreCounts.from_frame(frame, label="y", score="a")


def test_names_that_spark_misreads_are_refused_and_others_are_not(spark):
    """Dots and backticks belong to structures there, and capitals make no difference; spaces, quotes and words of SQL are names."""
    f = rows(100).assign(kind=lambda f: f.index % 3 > 0)
    for name in ("a b", 'a"b', "select", "key", "ü"):
        frame = spark.session.createDataFrame(f.rename(columns={"a": name}))
        counts = ic.ScoreCounts.from_frame(frame, label="y", score=name, weight="kind")
        assert counts == ic.ScoreCounts.from_arrays(f.y, f.a, sample_weight=f.kind.astype(float))
    for name in ("a.b", "a`b"):
        frame = spark.session.createDataFrame(f.rename(columns={"a": name}))
        with pytest.raises(InputError, match=r"pass frame\.withColumnRenamed\('a.b', 'a_b'\)"):
            ic.ScoreCounts.from_frame(frame, label="y", score=name)
    with pytest.raises(InputError, match="of column 'B' of the pyspark frame, as it does not tell 'b' apart from it"):
        ic.ScoreCounts.from_frame(spark.session.createDataFrame(f.rename(columns={"a": "B"})), label="y", score="B")


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_the_whole_answer_comes_through_spark_connect(spark):
    """Buckets of both models in the same passes, blocks of many pieces: the decision of the rows, and how sure it is."""
    f = rows()
    f["a"] = np.exp(20 * f.a.clip(-5, 5))
    condition = ic.Condition(1, 3, 0.3)
    found = ic.Comparison.from_frame(spark.remote.createDataFrame(f), label="y", scores=["a", "b"])
    truth = ic.Comparison.from_scores(f.y, {"a": f.a, "b": f.b})
    mine, theirs = (c.decide(condition, n_resamples=100) for c in (found, truth))
    assert (mine.model, mine.threshold, mine.expected_cost) == (theirs.model, theirs.threshold, theirs.expected_cost)
    assert mine.confidence.interval == pytest.approx(theirs.confidence.interval, abs=0.05)


CONDITION = ic.Condition(1, 3, 0.3)
COLUMNS = {"label": "y", "scores": ["a", "b"]}


def marked(n=6000):
    """Rows with weights, clusters and regions."""
    rng = np.random.default_rng(1)
    # In memory, a column that tells the labels would make every grade doubtful.
    return (
        rows(n)
        .drop(columns="kind")
        .assign(
            w=rng.choice([0.25, 1.0, 4.0], n),
            site=rng.integers(0, 60, n),
            region=rng.choice(["north", "south", "east"], n),
        )
    )


def the_same_answers(frame, f, **marks):
    """Assert that decisions, their prices and grades are those of the rows in memory; return both comparisons."""
    found, truth = (ic.Comparison.from_frame(rows, **COLUMNS, **marks) for rows in (frame, f))
    limits = {"max_flagged": 0.3, "min_precision": 0.5}
    for asked in ({}, limits, {"cost_review": 0.2}, {"current": ("b", 0.5)}):
        assert found.decide(CONDITION, **asked).to_dict() == truth.decide(CONDITION, **asked).to_dict()
    for asked in ({}, limits | {"current": ("b", 0.5)}, {"cost_review": 0.2}):
        mine, theirs = (c.decide(CONDITION, n_resamples=200, **asked).confidence for c in (found, truth))
        assert mine.price == pytest.approx(theirs.price, abs=0.02)
        assert mine.interval == pytest.approx(theirs.interval, abs=0.04)
        # Blocks may be too wide to grade reviews.
        assert mine.grade == theirs.grade or (mine.withheld == "blocks" and "cost_review" in asked)
    summary = found.report(condition=CONDITION, max_flagged=0.3, n_resamples=40).summary
    assert summary["decision"]["confidence"]["price"] is not None
    return found, truth


def the_same_groups(mine, theirs):
    """Assert that groups have the same thresholds, one for each and one for all, and the same costs, rates and certainty."""
    assert mine.shares == theirs.shares
    for options in ({}, {"thresholds": "one"}):
        one, other = (groups.decide(CONDITION, **options) for groups in (mine, theirs))
        assert one.thresholds == other.thresholds
        assert one.expected_cost == pytest.approx(other.expected_cost, rel=1e-12)
    one, other = (groups.bootstrap(CONDITION, n_resamples=100).interval("cost") for groups in (mine, theirs))
    assert list(one) == pytest.approx(list(other), abs=0.05)


def the_same_folds(found, truth):
    """Assert that folds have the same answers, and the same average."""
    mine, theirs = found.by_fold(), truth.by_fold()
    assert list(mine) == list(theirs) == ["east", "north", "south"]
    for fold, own in mine.items():
        assert own.decide(CONDITION).to_dict() == theirs[fold].decide(CONDITION).to_dict()
    one, other = (c.fold_average()["a"].hull for c in (found, truth))
    assert np.allclose([one.fpr, one.tpr], [other.fpr, other.tpr], rtol=0, atol=1e-12)


def test_spark_answers_for_weights_folds_and_groups_as_memory_does(session):
    """From one set of counts: decisions with limits and reviews, folds, groups, the report."""
    f = marked()
    found, truth = the_same_answers(session.createDataFrame(f), f, weight="w", fold="region")
    the_same_folds(found, truth)
    the_same_groups(found.groups(), truth.groups())


@pytest.mark.long
def test_spark_answers_for_clusters_and_groups_as_memory_does(session):
    """Clusters are drawn as a whole, with weights or without; groups are counted by themselves, and go into a report."""
    f = marked()
    frame = session.createDataFrame(f)
    for weight in ({}, {"weight": "w"}):
        the_same_answers(frame, f, cluster="site", **weight)
        groups = [ic.Groups.from_frame(rows, **COLUMNS, group="region", **weight) for rows in (frame, f)]
        the_same_groups(*groups)
        found = ic.Comparison.from_frame(frame, **COLUMNS, **weight)
        assert found.report(condition=CONDITION, n_resamples=40, group=groups[0]).summary["groups"]


@pytest.mark.usefixtures("small")
def test_open_buckets_reach_spark_as_a_broadcast_join(session):
    """Not as thousands of literals, which Spark takes longer to plan than to count; the keys are whole numbers."""
    f = rows()
    frame = session.createDataFrame(f)
    cases = FrameCases.of(frame, "y", ["a"], None, None)
    keys = np.arange(0, 200, dtype=np.int64)
    chosen = selected(cases, 0, "a", Pass(None, (FrameGrid.over(*cases.spans["a"]), keys))).to_native()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        chosen.explain()
    plan = printed.getvalue()
    assert "BroadcastHashJoin" in plan
    assert "LeftSemi" in plan
    assert " IN (" not in plan
    assert dict(chosen.dtypes)["coarse"] == "bigint"


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_spark_survives_a_lost_worker(spark):
    """A worker killed during a count changes nothing in the answer."""
    f = rows()
    frame = spark.session.createDataFrame(f).repartition(4).cache()
    frame.count()
    worker = spark.workers[-1]
    killer = threading.Timer(0.5, worker.kill)
    killer.start()
    counts = ic.ScoreCounts.from_frame(frame, label="y", score="a", max_distinct=0)
    killer.join()
    assert worker.wait(30) == -signal.SIGKILL
    spark.add_worker()
    assert not counts.exact
    same_hull(counts, f)
    frame.unpersist()


@pytest.fixture
def predictions(tmp_path):
    """A file, and the counts of its rows."""
    f = rows()[["y", "a", "b"]]
    f.to_parquet(tmp_path / "predictions.parquet")
    return tmp_path / "predictions.parquet", {name: ic.ScoreCounts.from_arrays(f.y, f[name]) for name in ("a", "b")}


def test_documented_spark_runs(spark, predictions):
    """The page's blocks for a session of your own and for a notebook that has one already."""
    path, counts = predictions
    made = {"spark": spark.session}
    exec(documented("on-spark", {"predictions.parquet": path}), made)
    assert made["counts"] == counts
    assert made["comparison"].names == ("a", "b")
    made["frame"].createOrReplaceTempView("predictions")
    exec(documented("on-notebook"), made)
    assert made["choice"] == ic.best_threshold(ic.RocCurve.from_counts(counts["a"]), made["condition"])


def test_documented_spark_connect_runs(spark, predictions):
    """The page's block in a process of its own, as Spark Connect is meant to be used; no Java there."""
    path, counts = predictions
    assert spark.session is not None
    code = documented(
        "on-spark-connect", {"sc://localhost": f"sc://127.0.0.1:{spark.connect_port}", "predictions.parquet": path}
    )
    code += "print(*(len(c.scores) for c in counts.values()), type(frame).__module__)\n"
    env = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "PATH")} | {"PATH": ""}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], env=env, capture_output=True, text=True, check=True
    )
    expected = f"{counts['a'].scores.size} {counts['b'].scores.size} pyspark.sql.connect.dataframe"
    assert ran.stdout.splitlines()[-1] == expected


@pytest.fixture(scope="module")
def dask_cluster(tmp_path_factory):
    """Two processes of Dask; a client gives up soon on a scheduler that is gone, as it is at the end, under a count's feet."""
    import dask
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    options = {
        "temporary-directory": str(tmp_path_factory.mktemp("dask")), "distributed.scheduler.allowed-failures": 5,
        "distributed.comm.timeouts.connect": "2s",
    }  # fmt: skip
    with (
        dask.config.set(options),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
    ):
        yield cluster
        f = rows(100)
        with Client(cluster.scheduler_address):
            frame = dd.from_pandas(f, npartitions=2)
            assert ic.ScoreCounts.from_frame(frame, label="y", score="a") == ic.ScoreCounts.from_arrays(f.y, f.a)
            cluster.close()
            with pytest.raises(EngineError, match=f"^the dask frame failed while .*; {UNREACHABLE}") as raised:
                ic.ScoreCounts.from_frame(frame, label="y", score="a")
            assert raised.value.__cause__ is not None


def dask_parts(f):
    """The rows in four partitions, and an empty one."""
    import dask.dataframe as dd

    return dd.concat([dd.from_pandas(f, npartitions=4), dd.from_pandas(f.iloc[:0], npartitions=1)])


@pytest.mark.long
def test_dask_counts_on_two_processes(dask_cluster):
    """Each model by itself and all together: the tables of the arrays."""
    from distributed import Client

    f = rows()
    with Client(dask_cluster):
        assert ic.ScoreCounts.from_frame(dask_parts(f), label="y", score="a") == ic.ScoreCounts.from_arrays(f.y, f.a)
        joint = ic.JointCounts.from_arrays(f.y, {"a": f.a, "b": f.b}, blocks=60)
        assert ic.JointCounts.from_frame(dask_parts(f), label="y", score=["a", "b"], blocks=60) == joint


def test_dask_answers_for_weights_and_clusters_as_memory_does(dask_cluster):
    """On two processes; clusters lie in several partitions."""
    from distributed import Client

    f = marked()
    with Client(dask_cluster):
        the_same_answers(dask_parts(f), f, weight="w", cluster="site")


@pytest.mark.long
def test_dask_answers_for_folds_and_groups_as_memory_does(dask_cluster):
    """With weights or without."""
    from distributed import Client

    f = marked()
    with Client(dask_cluster):
        for weight in ({}, {"weight": "w"}):
            found, truth = the_same_answers(dask_parts(f), f, fold="region", **weight)
            the_same_folds(found, truth)
            the_same_groups(found.groups(), truth.groups())
            columns = COLUMNS | {"group": "region"} | weight
            the_same_groups(*(ic.Groups.from_frame(rows, **columns) for rows in (dask_parts(f), f)))


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_dask_survives_a_lost_process(dask_cluster):
    """Its work is done again by the other, or a new one."""
    from distributed import Client

    f = rows()
    with Client(dask_cluster):
        frame = dask_parts(f)
        pid = next(iter(dask_cluster.workers.values())).pid
        thread = threading.Timer(0.3, lambda: os.kill(pid, signal.SIGKILL))
        thread.start()
        counts = ic.ScoreCounts.from_frame(frame, label="y", score="a", max_distinct=0)
        thread.join()
    assert not counts.exact
    same_hull(counts, f)


def test_documented_dask_runs(dask_cluster, predictions):
    """The page's block on the cluster."""
    path, counts = predictions
    made = {}
    exec(
        documented("on-dask", {"tcp://scheduler:8786": dask_cluster.scheduler_address, "predictions.parquet": path}),
        made,
    )
    made["client"].close()
    assert made["counts"] == counts["a"]


def test_missing_java_looks_as_documented(tmp_path):
    """No call of isocost starts Spark: without Java it is PySpark that stops, with the words the page tells, before isocost is called."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "basename", "env", "ps", "cat", "uname", "tr", "sed", "grep"):
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    env = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "PATH", "SPARK_HOME")}
    code = "from pyspark.sql import SparkSession; SparkSession.builder.master('local[1]').getOrCreate()"
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=env | {"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    text = PAGE.read_text("utf-8")
    for reported in ("JAVA_HOME is not set", "JAVA_GATEWAY_EXITED"):
        assert reported in ran.stderr
        assert reported in text

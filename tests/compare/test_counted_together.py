import pickle
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import isocost as ic
from isocost.data import count, frames
from isocost.data import frames as any_frame
from isocost.data import frames as frame_checks
from isocost.data import frames as streamed_frames
from isocost.data import joint as joint_blocks
from isocost.data.files import run
from isocost.errors import InputError
from isocost.inference.confidence import assured
from isocost.inference.draws import draw_cases

CONDITION = ic.Condition(1, 3, 0.3)


def columns(size=3000, seed=0):
    """Labels and two models' scores with three decimals."""
    rng = np.random.default_rng(seed)
    y = (rng.random(size) < 0.3).astype(int)
    return {
        "y": y,
        "a": np.round(rng.normal(size=size) + 1.5 * y, 3),
        "b": np.round(rng.normal(size=size) + 1.2 * y, 3),
    }


def in_memory(data):
    """The comparison of the rows themselves."""
    return ic.Comparison.from_scores(data["y"], {name: data[name] for name in ("a", "b")})


LAZY = {"lazy polars": pl.LazyFrame, "duckdb": lambda data: duckdb.from_arrow(pa.table(data))}


@pytest.mark.parametrize("engine", LAZY)
def test_rows_that_are_not_in_memory_give_the_same_curves_and_are_not_collected(engine):
    """Costs and thresholds are exact, and what is held are counts."""
    data = columns()
    found = ic.Comparison.from_frame(LAZY[engine](data), label="y", scores=["a", "b"])
    rows = in_memory(data)
    assert found.fingerprint == rows.fingerprint
    assert found.decide(CONDITION).to_dict() == rows.decide(CONDITION).to_dict()
    assert isinstance(found._rows, ic.JointCounts)


def counted(data):
    """The comparison of joint counts."""
    return ic.Comparison.from_joint_counts(ic.JointCounts.from_arrays(data["y"], {name: data[name] for name in "ab"}))


def lazy(data):
    """The comparison of rows that are not in memory."""
    return ic.Comparison.from_frame(pl.LazyFrame(data), label="y", scores=["a", "b"])


@pytest.mark.parametrize("make", [lazy, counted], ids=["lazy frame", "joint counts"])
def test_decisions_bands_and_reports_have_intervals(make):
    """Much the same as from the rows, a little wider for what blocks leave open."""
    data = columns()
    found, rows = make(data), in_memory(data)
    mine, theirs = (c.decide(CONDITION, n_resamples=200).confidence for c in (found, rows))
    assert mine.grade == theirs.grade
    assert mine.interval == pytest.approx(theirs.interval, abs=0.02)
    band, exact = (c.bootstrap(200).band("a") for c in (found, rows))
    assert np.abs(np.array(band.at(0.5)) - np.array(exact.at(0.5))).max() < 0.02
    summary = found.report(condition=CONDITION, n_resamples=40).summary
    assert summary["decision"]["confidence"]["n_resamples"] == 40
    assert summary["decision"]["confidence"]["price"] is not None


@pytest.mark.parametrize("make", [lazy, in_memory], ids=["lazy frame", "rows"])
def test_how_many_resamples_are_worth_their_time_is_chosen_as_for_a_report(make, monkeypatch):
    """200 if they take little time; none where they would take long, with a note. From blocks always."""
    found = make(columns())
    decision = found.decide(CONDITION, n_resamples="auto")
    assert decision.confidence == found.decide(CONDITION, n_resamples=200).confidence
    assert decision.confidence.n_resamples >= 200
    monkeypatch.setattr("isocost.inference.draws.WORK", 0)
    decision = found.decide(CONDITION, n_resamples="auto")
    assert decision.confidence.n_resamples == (200 if make is lazy else 0)
    assert decision.confidence.withheld == (None if make is lazy else "time")
    assert ("takes long" in str(decision)) == (make is not lazy)
    report = found.report(condition=CONDITION).summary
    assert report["decision"]["confidence"]["withheld"] == decision.confidence.withheld
    assert (report["draws"] is None) == (make is not lazy)
    with pytest.raises(InputError, match="n_resamples"):
        found.decide(CONDITION, n_resamples="many")


def test_what_blocks_cannot_tell_is_said():
    """Coarse blocks have no grade, and the answer says why; folds and clusters need the cases."""
    data = columns()
    found = lazy(data)
    fine, coarse = found.decide(CONDITION, n_resamples=50), in_three_blocks(0)[0].decide(TEN_TO_ONE, n_resamples=50)
    assert (fine.confidence.withheld, coarse.confidence.withheld) == (None, "blocks")
    assert coarse.confidence.grade is None
    assert "known only up to their block" in coarse.says["sure"]
    assert coarse.says["sure"] in str(coarse)
    with pytest.raises(InputError, match="single folds needs the rows in memory"):
        found.bootstrap(20, fold="average")
    with pytest.raises(InputError, match="fold"):
        found.by_fold()


def test_counts_do_not_travel_with_a_pickled_comparison():
    """A pickle holds results: curves, and nothing to resample."""
    found = pickle.loads(pickle.dumps(ic.Comparison.from_frame(pl.LazyFrame(columns()), label="y", scores=["a"])))
    with pytest.raises(InputError, match="from_joint_counts"):
        found.bootstrap(20)


def test_anything_else_than_joint_counts_is_refused():
    """By name."""
    with pytest.raises(InputError, match="joint must be JointCounts"):
        ic.Comparison.from_joint_counts({"a": [1]})


@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("most", [None, 256], ids=["listed", "in buckets"])
def test_all_models_are_counted_in_the_same_queries(engine, most, monkeypatch):
    """A check, one query a pass for all models, and one for how they go together."""
    if most is not None:
        monkeypatch.setattr("isocost.data.count.BITS", 8)
        monkeypatch.setattr(count, "MOST_ROWS", most)
    data, queries = columns(), []
    data["c"] = data["a"] + data["b"]

    def noted(engine, doing, query):
        queries.append(doing)
        return run(engine, doing, query)

    for module in (any_frame, frame_checks, frames, streamed_frames, joint_blocks):
        monkeypatch.setattr(module, "run", noted)
    found = ic.Comparison.from_frame(LAZY[engine](data), label="y", scores=["a", "b", "c"])
    passes = [doing for doing in queries if doing.startswith("counting columns 'a', 'b', 'c'")]
    assert queries[1] == "checking the columns 'y', 'a', 'b', 'c'"
    assert queries[-1] == "counting the blocks of 'a', 'b', 'c'"
    assert passes if most else len(passes) == 1
    # Later passes count those models whose hulls are open still.
    assert all(doing.startswith("counting column") for doing in queries[2:-1])
    assert len(queries) <= (4 if most is None else 7)
    rows = ic.Comparison.from_scores(data["y"], {name: data[name] for name in "abc"})
    assert found.decide(CONDITION).to_dict() == rows.decide(CONDITION).to_dict()


@pytest.mark.parametrize("engine", LAZY)
def test_many_models_are_counted_and_not_resampled(engine):
    """Costs are those of the rows; what would need the rows says so, and collects nothing."""
    data = columns()
    many = {f"m{i}": np.round(data["a"] + i * data["b"], 3) for i in range(7)}
    seven = ic.Comparison.from_frame(LAZY[engine](many | {"y": data["y"]}), label="y", scores=list(many))
    assert seven.decide(CONDITION).to_dict() == ic.Comparison.from_scores(data["y"], many).decide(CONDITION).to_dict()
    assert seven.decide(CONDITION, n_resamples=50).confidence.withheld == "no_cases"
    with pytest.raises(InputError, match="a lazy frame of more than six models"):
        seven.bootstrap(50)


def both(engine, data, marks, **asked):
    """The decisions from a frame that is not in memory and from its rows, with 200 resamples."""
    frame = LAZY[engine](data | marks)
    lazy = ic.Comparison.from_frame(frame, label="y", scores=["a", "b"], **{name: name for name in marks})
    given = {"sample_weight" if name == "weight" else name: column for name, column in marks.items()}
    rows = ic.Comparison.from_scores(data["y"], {n: data[n] for n in "ab"}, **given)
    return [c.decide(CONDITION, n_resamples=200, **asked) for c in (lazy, rows)], (lazy, rows)


def alike(mine, theirs, within):
    """Assert that two decisions are the same, the second from blocks, with much the same certainty."""
    assert mine.model == theirs.model
    assert mine.expected_cost == pytest.approx(theirs.expected_cost, rel=1e-9)
    assert mine.confidence.price == pytest.approx(theirs.confidence.price, abs=within)
    assert mine.confidence.interval == pytest.approx(theirs.confidence.interval, abs=within)


@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("kind", ["few", "many"])
@pytest.mark.parametrize("asked", [{}, {"max_flagged": 0.3, "current": ("b", 0.5)}, {"cost_review": 0.2}], ids=str)
def test_weights_are_answered_with_their_certainty(engine, kind, asked):
    """A few different weights exactly as drawn from the rows, many of them by steps of an eighth; cases of weight 0 do not count."""
    data, rng = columns(), np.random.default_rng(5)
    weight = rng.choice([0.0, 1.0, 10.0], 3000) if kind == "few" else np.exp(rng.normal(size=3000))
    (mine, theirs), (lazy, _) = both(engine, data, {"weight": weight}, **asked)
    alike(mine, theirs, 0.02)
    assert mine.confidence.positives == np.count_nonzero((weight > 0) & (data["y"] == 1))
    joint = lazy._rows
    for side, column in ((1, joint.positives), (0, joint.negatives)):
        sums = joint.weights[:, 1 - side]
        assert sums.sum() == pytest.approx(weight[data["y"] == side].sum(), rel=1e-12)
        if kind == "few":
            assert set(np.round(sums[column > 0] / column[column > 0], 9)) <= {1.0, 10.0}
    summary = lazy.report(condition=CONDITION, n_resamples=40, **asked).summary
    assert summary["decision"]["confidence"]["price"] is not None
    with pytest.raises(InputError, match="bootstrap of weights"):
        lazy.bootstrap(20)


@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("asked", [{}, {"max_flagged": 0.3, "current": ("b", 0.5)}, {"cost_review": 0.2}], ids=str)
def test_clusters_are_drawn_as_a_whole(engine, weighted, asked):
    """As from the rows, though only their counts by blocks came here; the page prices from the same draws."""
    data, rng = columns(), np.random.default_rng(7)
    cluster = np.array([f"c{i}" for i in rng.integers(0, 60, 3000)])
    # Cases of a cluster are alike: intervals are wider than those of single cases.
    shift = np.round(rng.normal(size=60), 2)[[int(c[1:]) for c in cluster]]
    data |= {name: data[name] + shift for name in "ab"}
    marks = {"cluster": cluster} | ({"weight": rng.choice([1.0, 3.0], 3000)} if weighted else {})
    (mine, theirs), (lazy, rows) = both(engine, data, marks, **asked)
    alike(mine, theirs, 0.03)
    assert lazy._rows.sizes == rows._rows.sizes
    alone = ic.Comparison.from_frame(LAZY[engine](data), label="y", scores=["a", "b"]).decide(
        CONDITION, n_resamples=200
    )
    if not (weighted or asked):
        assert np.diff(mine.confidence.interval) > 1.15 * np.diff(alone.confidence.interval)
    summary = lazy.report(condition=CONDITION, n_resamples=40, **asked).summary
    assert summary["decision"]["confidence"]["price"] is not None
    assert summary["draws"]["sets"][0]["tables"]


@pytest.mark.parametrize("engine", LAZY)
def test_folds_have_exact_curves_of_their_own(engine):
    """Counted in the same queries as the whole: by fold, and averaged."""
    data = columns()
    _, (lazy, rows) = both(engine, data, {"fold": np.arange(3000) % 4})
    mine, theirs = lazy.by_fold(), rows.by_fold()
    assert list(mine) == list(theirs) == [0, 1, 2, 3]
    for fold in mine:
        assert mine[fold].decide(CONDITION).to_dict() == theirs[fold].decide(CONDITION).to_dict()
        assert mine[fold].decide(CONDITION, n_resamples=50).confidence.price is not None
    assert lazy.decide(CONDITION).to_dict() == rows.decide(CONDITION).to_dict()
    one, other = (c.fold_average()["a"].hull for c in (lazy, rows))
    assert np.array_equal(one.fpr, other.fpr)
    assert np.array_equal(one.tpr, other.tpr)


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "large-data.md"


def refused(case, frame):
    """Do what is impossible of rows that are not in memory."""
    columns = {"label": "y", "scores": ["a", "b"]}
    found = ic.Comparison.from_frame(frame, **columns)
    by = {name: ic.Comparison.from_frame(frame, **columns, **{name: "g"}) for name in ("fold", "cluster", "weight")}
    many = ic.Comparison.from_frame(frame, label="y", scores=["a", "b", "g", "c", "d", "e", "f"])
    coarse = ic.Comparison.from_joint_counts(ic.JointCounts.from_frame(frame, label="y", score=["a", "b"], blocks=8))
    return {
        "more than six models": lambda: many.bootstrap(20),
        "`fold=` together with `cluster=`": lambda: ic.Comparison.from_frame(frame, **columns, fold="g", cluster="g"),
        "`bootstrap(fold=)`": lambda: by["fold"].bootstrap(20, fold="average"),
        "`bootstrap` with `weight=`": lambda: by["weight"].bootstrap(20),
        "`bootstrap` with `cluster=`": lambda: by["cluster"].bootstrap(20),
        "a cascade with `weight=` or `cluster=`": lambda: by["weight"].cascade("a", "b", CONDITION, cost_call=0.1),
        "`report(group=)` of an array": lambda: found.report(condition=CONDITION, group=np.zeros(300), n_resamples=0),
        "more than 100 groups or folds": lambda: ic.Comparison.from_frame(frame, **columns, fold="id"),
        "more than 131 072 clusters of one model, 65 536 of two, 43 690 of three": (
            lambda: ic.Comparison.from_frame(frame, **columns, cluster="id")
        ),
        "`RowCosts` of columns": lambda: ic.RowCosts.from_columns(
            frame.select("y"), cost_fp=1, cost_fn=frame.select("g")
        ),
        "`bootstrap(...).interval` of measures other than AUC and those that follow from costs": (
            lambda: coarse.bootstrap(20).interval("a", "average_precision")
        ),
    }[case]


def test_the_table_of_what_is_impossible_is_what_is_refused(monkeypatch):
    """Each row of the page is refused with the reason that stands there, and nothing is collected."""
    text = PAGE.read_text("utf-8").partition("| impossible | why |")[2].partition("\n\n")[0]
    table = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.strip().splitlines()[1:]]
    assert len(table) >= 10
    rng = np.random.default_rng(1)
    y = np.arange(300) % 2
    data = {name: rng.random(300) for name in "abcdef"} | {"y": y, "g": 1 + np.arange(300) % 3, "id": np.arange(300)}
    monkeypatch.setattr("isocost.data.joint._MOST_CLUSTERED", 2**12)
    for case, reason in table:
        with pytest.raises((InputError, TypeError)) as raised:
            refused(case, pl.LazyFrame(data))()
        words = reason.split("`")[1]
        assert words in str(raised.value), (case, str(raised.value))


@pytest.mark.parametrize(
    "asked",
    [
        {"max_flagged": 0.3}, {"max_fpr": 0.2, "sure": 0.9}, {"cost_review": 0.2}, {"current": ("b", 0.5)},
        {"method": "rate_driven"}, {"max_flagged": 0.3, "randomised": True},
    ],
    ids=str,
)  # fmt: skip
def test_every_question_is_answered_with_its_certainty(asked):
    """Of rows that are not in memory too: the price with its interval, the chances of limits, what changing the rule in use saves."""
    data = columns()
    mine, theirs = (make(data).decide(CONDITION, n_resamples=200, **asked) for make in (lazy, in_memory))
    assert (mine.model, mine.threshold) == (theirs.model, theirs.threshold)
    assert mine.confidence.interval == pytest.approx(theirs.confidence.interval, abs=0.05)
    assert mine.confidence.limits_hold == pytest.approx(theirs.confidence.limits_hold, abs=0.15)
    assert (mine.current is None) == (theirs.current is None)


TEN_TO_ONE = ic.Condition(10, 1, 0.5)


def in_three_blocks(seed):
    """Two models of nearly equal cost, one of two scores, in three blocks; and the true rows."""
    rng = np.random.default_rng(seed)
    y = (rng.random(2000) < 0.5).astype(int)
    scores = {"a": (rng.normal(2 * y) >= 2.15).astype(float), "b": rng.normal(1.97 * y)}
    joint = ic.JointCounts.from_arrays(y, scores, blocks=3)
    return ic.Comparison.from_joint_counts(joint), ic.Comparison.from_scores(y, scores)


@pytest.mark.parametrize("seed", range(6))
def test_no_decision_is_surer_from_blocks_than_from_the_rows(seed):
    """Where what thresholds inside blocks save could change the grade, none is given, but the interval of the price stays."""
    sureness = {None: 0, "open": 1, "leaning": 2, "clear": 3}
    found, rows = (comparison.decide(TEN_TO_ONE, n_resamples=200) for comparison in in_three_blocks(seed))
    assert (found.model, found.threshold, found.expected_cost) == (rows.model, rows.threshold, rows.expected_cost)
    assert sureness[found.confidence.grade] <= sureness[rows.confidence.grade]
    assert found.confidence.interval is not None
    if found.confidence.grade is None:
        assert (found.confidence.worst_loss, found.confidence.labels, found.alternatives[0].extra_interval) == (
            None,
            None,
            None,
        )


@pytest.mark.parametrize("size", [4000, 12_000])
@pytest.mark.parametrize("models", [2, 4])
def test_blocks_in_use_grade_as_the_rows_do(models, size):
    """With the blocks that a frame is counted in, close models have on the same draws the grade of the rows, or none.

    Most have it, unless their bounds lie at the border between two grades, as those of 4,000 cases do.
    """
    grades = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        y = (rng.random(size) < 0.3).astype(int)
        shared = rng.normal(size=size)
        scores = {f"m{i}": 1.2 * y + 0.02 * i * y + 0.8 * shared + 0.6 * rng.normal(size=size) for i in range(models)}
        found = ic.Comparison.from_frame(pl.LazyFrame({"y": y} | scores), label="y", scores=list(scores))
        rows = ic.Comparison.from_scores(y, scores)
        draws, low = draw_cases(rows._rows, 200, 0), found._rows.low
        block = [np.searchsorted(-ends, -score, side="left") for ends, score in zip(low, scores.values(), strict=True)]
        blocks = replace(draws, block=np.stack(block), thresholds=tuple(low), blocked=True)
        decided = (assured(rows.decide(CONDITION), rows.curves, rows._rows, draws=some) for some in (blocks, draws))
        grades.append(tuple(decision.confidence.grade for decision in decided))
    assert all(mine in (None, theirs) for mine, theirs in grades), grades
    if size > 4000:
        assert sum(mine is not None for mine, _ in grades) >= 5, grades

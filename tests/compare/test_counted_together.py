import pickle
from dataclasses import replace

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
from isocost.errors import InputError, UnknownNameError
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
    assert found.provenance.fingerprint == rows.provenance.fingerprint
    assert found.decide(CONDITION).to_dict() == rows.decide(CONDITION).to_dict()
    assert isinstance(found._rows.joint, ic.JointCounts)


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
    """200 if they take little time; none where they would take long, and said so. From blocks always."""
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
    with pytest.raises(InputError, match="no folds"):
        found.bootstrap(20, fold="average")
    with pytest.raises(InputError, match="who belongs together"):
        found.report(cluster=data["y"])
    with pytest.raises(InputError, match="fold"):
        found.by_fold()


def test_scores_of_which_lower_is_positive_are_turned_where_they_are():
    """With a minus before the name, as in memory."""
    data = columns()
    data["b"] = -data["b"]
    found = ic.Comparison.from_frame(pl.LazyFrame(data), label="y", scores=["a", "b"], lower_is_positive="b")
    rows = ic.Comparison.from_scores(data["y"], {n: data[n] for n in ("a", "b")}, lower_is_positive="b")
    assert found.names == rows.names == ("a", "-b")
    assert found.provenance.fingerprint == rows.provenance.fingerprint
    with pytest.raises(UnknownNameError, match="'c'"):
        ic.Comparison.from_frame(pl.LazyFrame(data), label="y", scores=["a"], lower_is_positive="c")


def test_counts_do_not_travel_with_a_pickled_comparison():
    """A pickle holds results: curves, and nothing to resample."""
    found = pickle.loads(pickle.dumps(ic.Comparison.from_frame(pl.LazyFrame(columns()), label="y", scores=["a"])))
    with pytest.raises(InputError, match="from_joint_counts"):
        found.bootstrap(20)


def test_anything_else_than_joint_counts_is_refused():
    """By name."""
    with pytest.raises(InputError, match="takes JointCounts"):
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

    for room in (any_frame, frame_checks, frames, streamed_frames, joint_blocks):
        monkeypatch.setattr(room, "run", noted)
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
def test_weights_and_many_models_are_counted_and_not_resampled(engine):
    """Costs are those of the rows; what would need the rows says so, and collects nothing."""
    data = columns()
    weight = np.round(np.random.default_rng(5).random(data["y"].size), 2)
    lazy = LAZY[engine](data | {"w": weight})
    found = ic.Comparison.from_frame(lazy, label="y", scores=["a", "b"], weight="w")
    rows = ic.Comparison.from_scores(data["y"], {n: data[n] for n in "ab"}, sample_weight=weight)
    assert found.decide(CONDITION).model == rows.decide(CONDITION).model
    assert found.decide(CONDITION).expected_cost == pytest.approx(rows.decide(CONDITION).expected_cost, rel=1e-12)
    many = {f"m{i}": np.round(data["a"] + i * data["b"], 3) for i in range(7)}
    seven = ic.Comparison.from_frame(LAZY[engine](many | {"y": data["y"]}), label="y", scores=list(many))
    assert seven.decide(CONDITION).to_dict() == ic.Comparison.from_scores(data["y"], many).decide(CONDITION).to_dict()
    for counted_only in (found, seven):
        assert counted_only.decide(CONDITION, n_resamples=50).confidence.withheld == "no_cases"
        with pytest.raises(InputError, match="a lazy frame with weights or of more than six models"):
            counted_only.bootstrap(50)


@pytest.mark.parametrize(("engine", "collected"), [("lazy polars", r"collect\(\)"), ("duckdb", r"df\(\)")])
def test_nothing_is_collected_in_silence(engine, collected):
    """Folds, clusters, weights of groups and arrays of groups need the rows: the error says how to fetch them."""
    data = columns(50)
    lazy = LAZY[engine](data | {"g": np.arange(50) % 5})
    for option in ("fold", "cluster"):
        with pytest.raises(
            InputError, match=rf"^{option}= needs the rows in memory, .* pass frame\.{collected} if they fit"
        ):
            ic.Comparison.from_frame(lazy, label="y", scores=["a", "b"], **{option: "g"})
    with pytest.raises(InputError, match=rf"^a comparison of groups with weights needs the rows.*frame\.{collected}"):
        ic.Groups.from_frame(lazy, label="y", scores=["a"], group="g", weight="b")
    found = ic.Comparison.from_frame(lazy, label="y", scores=["a", "b"])
    with pytest.raises(InputError, match=r"^group= as an array needs the rows in memory.*group=Groups.from_frame"):
        found.report(condition=CONDITION, n_resamples=0, group=np.arange(50) % 5)


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
        draws, low = draw_cases(rows._rows, 200, 0), found._rows.joint.low
        block = [np.searchsorted(-ends, -score, side="left") for ends, score in zip(low, scores.values(), strict=True)]
        blocks = replace(draws, block=np.stack(block), thresholds=tuple(low), blocked=True)
        decided = (assured(rows.decide(CONDITION), rows.curves, rows._rows, draws=some) for some in (blocks, draws))
        grades.append(tuple(decision.confidence.grade for decision in decided))
    assert all(mine in (None, theirs) for mine, theirs in grades), grades
    if size > 4000:
        assert sum(mine is not None for mine, _ in grades) >= 5, grades

"""Commands on scores that were counted together in buckets: a bucket is one tied score."""

import json
from importlib import resources

import jsonschema
import numpy as np
import pandas as pd
import pytest

import isocost as ic
from isocost.data import count

SCHEMA = json.loads((resources.files("isocost.cli") / "schema.json").read_text(encoding="utf-8"))
WIDE = "model,score,positives,negatives,upper\nm,0.75,6,1,1\nm,0.5,5,3,0.7\nm,0.25,3,5,0.4\nm,0,2,7,0.2\n"
CONDITION = ("--cost-fp", "1", "--cost-fn", "2", "--prevalence", "0.4")


@pytest.fixture
def wide_file(tmp_path):
    """Counts in buckets that leave space for finer thresholds, of two models."""
    path = tmp_path / "wide.csv"
    path.write_text(WIDE + WIDE.split("\n", 1)[1].replace("m,", "n,"))
    return path


def curve_of(path, model="m"):
    """Return the curve of a model in a file of counts."""
    rows = pd.read_csv(path)
    rows = rows[rows["model"] == model]
    columns = (rows[column].to_numpy() for column in ("score", "positives", "negatives", "upper"))
    return ic.RocCurve.from_counts(ic.ScoreCounts(*columns), name=model)


def test_measures_are_those_of_the_curve_and_resolution_is_said_once(isocost, wide_file):
    """Numbers, not intervals; a message says what finer thresholds could save."""
    curve = curve_of(wide_file)
    ran = isocost("measure", wide_file, "--json")
    found = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    for name, value in found["measures"][0]["values"].items():
        assert value == pytest.approx(ic.registered_measures()[name](curve)), name
    reported = (
        f"m: scores were counted together in buckets; finer thresholds could save up to {100 * curve.resolution:.2g} %"
    )
    assert ran.err.count(reported) == 1
    tied = WIDE.replace(",upper", "").replace(",1\n", "\n").replace(",0.7\n", "\n").replace(",0.4\n", "\n")
    wide_file.write_text(tied.replace(",0.2\n", "\n"))
    assert "buckets" not in isocost("measure", wide_file).err


@pytest.mark.parametrize(
    "asked",
    [
        (),
        ("--max-flagged", "0.3"),
        ("--method", "rate_driven"),
        ("--method", "fixed", "--threshold", "0.25"),
        ("--cost-review", "0.1", "--max-reviewed", "0.2"),
    ],
    ids=" ".join,
)
def test_choosing_is_the_librarys_and_keeps_the_schema(isocost, wide_file, asked):
    """The thresholds are the ends of buckets."""
    ran = isocost("choose", wide_file, "--score", "m", *CONDITION, *asked, "--resamples", "0", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    options = {
        a[2:].replace("-", "_"): b if a == "--method" else float(b) for a, b in zip(*[iter(asked)] * 2, strict=True)
    }
    expected = ic.Comparison([curve_of(wide_file)]).decide(ic.Condition(1, 2, 0.4), **options).to_dict()
    assert found["decision"] == json.loads(json.dumps(expected))


def test_a_threshold_inside_a_bucket_is_refused(isocost, wide_file):
    """With the ends beside it."""
    ran = isocost("choose", wide_file, "--score", "m", *CONDITION, "--method", "fixed", "--threshold", "0.3")
    assert (ran.code, ran.out) == (2, "")
    assert "take 0.5 or 0.25, the ends of buckets beside it" in ran.complaint


@pytest.mark.parametrize(
    "kind", ["roc", "cost", "lesser-area", "kendall", "scores", "regret", "surface", "decomposition"]
)
def test_figures_are_drawn(isocost, wide_file, kind):
    """As of any other curve."""
    ran = isocost("plot", kind, wide_file, "--score", "m", *CONDITION, "-o", "figure.svg")
    assert ran.code == 0, ran.err


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A file that is counted as if it were a thousand times larger."""
    monkeypatch.setattr(count, "BITS", 10)
    monkeypatch.setattr(count, "MOST_ROWS", 2048)
    monkeypatch.setattr("isocost.cli.data.MAX_DISTINCT", 0)
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.3
    frame = pd.DataFrame({"y": y.astype(int), "a": 1 / (1 + np.exp(-rng.normal(1.5 * y - 1, 1)))})
    frame.to_parquet(tmp_path / "large.parquet")
    return frame


def test_a_large_file_has_exact_costs_and_its_counts_keep_their_buckets(isocost, large):
    """The table has a column for their upper ends, and reads back as it was; a resolution of 0 is not mentioned."""
    call = ("-m", "auc", "-m", "voros", "--json")
    ran = isocost("measure", "large.parquet", "--label", "y", *call)
    values = json.loads(ran.out)["measures"][0]["values"]
    truth = ic.RocCurve.from_scores(large["y"], large["a"])
    assert values["voros"] == ic.voros(truth)
    assert values["auc"] == pytest.approx(ic.auc(truth), abs=1e-4)
    assert "buckets" not in ran.err
    assert isocost("count", "large.parquet", "--label", "y", "-o", "counts.parquet").code == 0
    found = pd.read_parquet("counts.parquet")
    assert (found["upper"] > found["score"]).any()
    assert found["positives"].sum() == large["y"].sum()
    assert json.loads(isocost("measure", "counts.parquet", *call).out)["measures"][0]["values"] == values


def test_a_check_needs_the_cases(isocost, wide_file):
    """Counts are refused: a gate counts cases at a threshold that buckets may divide."""
    ran = isocost("check", wide_file, "--threshold", "m:0.5", "--max-fpr", "50%")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith("check counts independent cases")

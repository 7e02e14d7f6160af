"""Commands on scores that were counted together in buckets: they state what is known, or say why they cannot answer."""

import json
from importlib import resources

import jsonschema
import numpy as np
import pandas as pd
import pytest

import isocost as ic
from isocost.counts.effort import counting_effort
from isocost.engines import buckets, grid

SCHEMA = json.loads((resources.files("isocost.cli") / "schema.json").read_text(encoding="utf-8"))
# A bucket that leaves the hull open, and one below the hull, which leaves only the area open.
OPEN = "model,score,positives,negatives,upper\nm,0.75,6,1,1\nm,0.5,5,3,0.7\nm,0.25,3,5,0.4\nm,0,2,7,0.2\n"
BELOW = (
    "model,score,positives,negatives,upper\nm,0.9,6,0,0.9\nm,0.8,0,2,0.8\nm,0.5,1,1,0.6\nm,0.3,5,0,0.3\nm,0.1,0,3,0.1\n"
)
CONDITION = ("--cost-fp", "1", "--cost-fn", "2", "--prevalence", "0.4")


@pytest.fixture
def open_file(tmp_path):
    """Counts whose hull is open, of two models."""
    path = tmp_path / "open.csv"
    path.write_text(OPEN + OPEN.split("\n", 1)[1].replace("m,", "n,"))
    return path


@pytest.fixture
def below_file(tmp_path):
    """Counts whose hull is exact and whose area is open."""
    path = tmp_path / "below.csv"
    path.write_text(BELOW)
    return path


def counts_of(path, model="m"):
    """Return the counts of a model in a file."""
    rows = pd.read_csv(path)
    rows = rows[rows["model"] == model]
    return ic.ScoreCounts(*(rows[column].to_numpy() for column in ("score", "positives", "negatives", "upper")))


def test_measures_are_stated_as_intervals(isocost, open_file):
    """In the table as what each lies between, in JSON as low and high; a message says how far results are known."""
    counts = counts_of(open_file)
    ran = isocost("measure", open_file, "--json")
    found = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    for name, value in found["measures"][0]["values"].items():
        assert value == counts.bounds(name).to_dict(), name
    assert "m: some scores were counted together in buckets; costs are known within " in ran.err
    assert f"AUC is known within {counts.bounds('auc').width:.2g}" in ran.err
    assert str(counts.bounds("voros")) in isocost("measure", open_file, "-m", "voros", "-q").out


def test_an_exact_hull_gives_exact_costs(isocost, below_file):
    """Only what follows from every point is an interval, and choosing is possible."""
    ran = isocost("measure", below_file, "--json")
    values = json.loads(ran.out)["measures"][0]["values"]
    assert "m: some scores were counted together in buckets; costs are exact, AUC is known within 0.014" in ran.err
    assert isinstance(values["voros"], float)
    assert values["auc"].keys() == {"low", "high"}
    assert isocost("choose", below_file, *CONDITION).code == 0


def test_comparing_says_which_winners_are_open(isocost, open_file, below_file):
    """The measures are there, who is cheapest where with who else it may be, and between which conditions models cross."""
    ran = isocost("compare", open_file, "--json")
    found = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert (ran.code, found["crossovers"]) == (0, [{"a": "m", "b": "n", "t": None, "between": []}])
    assert any(win["open_to"] for win in found["winners"])
    assert "or, in its buckets" in isocost("compare", open_file).out
    assert json.loads(isocost("compare", below_file, "--json").out)["winners"][0]["model"] == "m"


def test_a_limit_is_kept_broken_or_cannot_be_told(isocost, open_file):
    """Below both ends, above both, and between them: the last is an error, never a pass."""
    area = counts_of(open_file).bounds("auc")
    kept = isocost("check", open_file, "--min-auc", area.low, "--json")
    found = json.loads(kept.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert (kept.code, found["checks"][0]["value"]) == (0, area.to_dict())
    assert isocost("check", open_file, "--min-auc", area.high + 1e-9).code == 1
    told = isocost("check", open_file, "--min-auc", area.middle)
    assert (told.code, told.out) == (2, "")
    assert told.complaint.startswith(f"whether auc of m is at least {area.middle:g} ({area}) depends on scores that")
    assert "at least 0.700000001 (" in isocost("check", open_file, "--min-auc", "0.700000001").complaint
    assert str(area) in isocost("check", open_file, "--min-auc", area.low).out
    assert isocost("check", open_file, *CONDITION, "--max-cost", "0.9").code == 0


def test_a_report_says_what_is_open(isocost, open_file):
    """It is that of the thresholds that can be used, and says what finer ones could save."""
    ran = isocost("report", open_file, *CONDITION, "-o", "page.html")
    assert ran.code == 0, ran.err
    assert "Scores were grouped: a finer threshold could save up to" in ran.out


def test_choosing_says_what_is_open(isocost, open_file):
    """The threshold can be used; what one inside a bucket could save, or catch within a limit, is stated."""
    ran = isocost("choose", open_file, "--score", "m", *CONDITION, "--json")
    found = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    curve = ic.RocCurve.from_counts(counts_of(open_file))
    least = float(curve._optimistic.optimal_cost(ic.Condition(1, 2, 0.4).t))
    assert found["decision"]["normalised_cost_low"] == pytest.approx(least)
    assert "Scores were grouped: a finer threshold could save up to" in found["decision"]["text"]
    ran = isocost("choose", open_file, "--max-flagged", "0.3", "--json")
    found = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["decision"]["tpr"] < found["decision"]["tpr_high"] == ic.workforce(curve, max_flagged=0.3).tpr_high


@pytest.mark.parametrize(
    "kind",
    ["roc", "cost", "duality", "winners", "lesser-area", "net-benefit", "kendall", "scores", "method", "regret"],
)
def test_figures_of_open_hulls_are_drawn(isocost, open_file, kind):
    """With a shade; the plots' own tests look at it."""
    ways = ("--method", "score_driven") if kind == "method" else ()
    figure = "cost" if kind == "method" else kind
    ran = isocost("plot", figure, open_file, "--score", "m", *ways, "-o", "figure.svg")
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("kind", ["surface", "saddle", "decomposition"])
def test_figures_that_cannot_be_drawn_are_refused(isocost, open_file, tmp_path, leftovers, kind):
    """They show one answer where there is none yet."""
    ran = isocost("plot", kind, open_file, "--score", "m", *CONDITION, "-o", "figure.svg")
    assert ran.code == 2
    assert "counted together in buckets" in ran.complaint
    assert leftovers(tmp_path, open_file.name) == []


def test_tolerance_goes_with_predictions(isocost, open_file):
    """Counts are as fine as they were made."""
    ran = isocost("measure", open_file, "--tolerance", "0.01")
    assert ran.complaint == f"--tolerance goes with predictions; {open_file} holds score counts already"
    assert isocost("measure", open_file, "--tolerance", "0").code == 2


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A file that is counted as if it were a thousand times larger."""
    monkeypatch.setattr(grid, "BITS", 10)
    monkeypatch.setattr(buckets, "MOST_ROWS", 2048)
    monkeypatch.setattr(counting_effort, "__defaults__", (0,))
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.3
    frame = pd.DataFrame({"y": y.astype(int), "a": 1 / (1 + np.exp(-rng.normal(1.5 * y - 1, 1)))})
    frame.to_parquet(tmp_path / "large.parquet")
    return frame


def test_a_tolerance_is_kept(isocost, large):
    """Area, volume and cost are known at least so well, and hold the truth; without one costs are exact."""
    truth = ic.RocCurve.from_scores(large["y"], large["a"])
    call = (
        "measure",
        "large.parquet",
        "--label",
        "y",
        "-m",
        "auc",
        "-m",
        "voros",
        "-m",
        "mean_normalised_cost",
        "--json",
    )
    values = json.loads(isocost(*call, "--tolerance", "0.002").out)["measures"][0]["values"]
    for name, measure in (("auc", ic.auc), ("voros", ic.voros), ("mean_normalised_cost", ic.mean_normalised_cost)):
        bounds = ic.measures.Bounds(**values[name])
        assert 0 < bounds.width <= 0.002
        assert measure(truth) in bounds
    values = json.loads(isocost(*call).out)["measures"][0]["values"]
    assert values["voros"] == ic.voros(truth)
    assert ic.auc(truth) in ic.measures.Bounds(**values["auc"])


def test_counts_made_with_a_tolerance_keep_their_buckets(isocost, large):
    """The table has a column for their upper ends, and reads back as it was."""
    assert isocost("count", "large.parquet", "--label", "y", "--tolerance", "0.002", "-o", "counts.parquet").code == 0
    found = pd.read_parquet("counts.parquet")
    assert (found["upper"] > found["score"]).any()
    assert found["positives"].sum() == large["y"].sum()
    call = ("-m", "auc", "--json")
    table = json.loads(isocost("measure", "counts.parquet", *call).out)["measures"][0]["values"]
    rows = json.loads(isocost("measure", "large.parquet", "--label", "y", "--tolerance", "0.002", *call).out)
    assert table == rows["measures"][0]["values"]


@pytest.mark.parametrize(
    "asked",
    [
        ("--method", "score_driven"),
        ("--method", "rate_driven"),
        ("--method", "fixed", "--threshold", "0.3"),
        ("--cost-review", "0.2"),
        ("--cost-review", "0.1", "--max-reviewed", "0.2"),
    ],
    ids=" ".join,
)
def test_thresholds_in_use_and_second_looks_are_answered_with_what_is_open(isocost, open_file, asked):
    """The same decision as the library's, in words and as data that keep the schema."""
    ran = isocost("choose", open_file, "--score", "m", *CONDITION, *asked, "--resamples", "0", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    options = {
        a[2:].replace("-", "_"): b if a == "--method" else float(b) for a, b in zip(*[iter(asked)] * 2, strict=True)
    }
    curve = ic.RocCurve.from_counts(counts_of(open_file), name="m")
    expected = ic.Comparison([curve]).decide(ic.Condition(1, 2, 0.4), **options).to_dict()
    assert found["decision"] == json.loads(json.dumps(expected))
    assert "Scores were grouped" in found["decision"]["text"]

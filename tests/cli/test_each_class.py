import json

import numpy as np
import pandas as pd
import pytest

import isocost as ic


@pytest.fixture
def kinds(tmp_path, monkeypatch):
    """Two models with a score for each of three classes, beside an age."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    label = rng.integers(0, 3, 90)
    frame = pd.DataFrame({"kind": np.array(["b", "a", "x_a"])[label], "age": rng.random(90)})
    for model, noise in (("rf", 0.5), ("nn", 1.0)):
        for k, name in enumerate(["b", "a", "x_a"]):
            frame[f"{model}_{name}"] = rng.normal(label == k, noise).round(2)
    frame["w"] = rng.integers(1, 4, 90)
    frame.to_csv("kinds.csv", index=False)
    return frame


CALL = ["measure", "kinds.csv", "--label", "kind", "--each-class"]


@pytest.mark.parametrize("weight", [None, "w"])
def test_each_class_is_measured_against_the_rest(isocost, kinds, weight):
    """The library's one-vs-rest, with its macro means; a class whose name ends in another's is distinguished."""
    classes = ["a", "b", "x_a"]
    scores = {name: kinds[[f"{name}_{c}" for c in classes]].to_numpy() for name in ("rf", "nn")}
    parts = ic.compare.one_vs_rest(kinds["kind"], scores, sample_weight=None if weight is None else kinds[weight])
    options = [] if weight is None else ["--weight", weight]
    found = json.loads(isocost(*CALL, *options, "-m", "auc", "-m", "voros", "--json").out)
    assert [part["class"] for part in found["classes"]] == classes
    for part in found["classes"]:
        assert part["share"] == pytest.approx(parts[part["class"]].prevalence)
        for row in part["measures"]:
            curve = parts[part["class"]][row["model"]]
            expected = {"auc": ic.auc(curve), "voros": ic.voros(curve)}
            assert row["values"] == expected
    means = [np.mean([ic.auc(part[name]) for part in parts.values()]) for name in ("rf", "nn")]
    assert [row["values"]["auc"] for row in found["measures"]] == means
    assert any("left out: age" in note for note in found["data"]["notes"])


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_classes_may_be_numbers_and_columns_called_like_them(isocost, kinds, suffix):
    """Then there is one model; measures that some class cannot have, have no mean."""
    frame = pd.DataFrame({"kind": kinds["kind"].map({"b": 0, "a": 1, "x_a": 2})})
    frame[["0", "1", "2"]] = kinds[["rf_b", "rf_a", "rf_x_a"]]
    if suffix == "csv":
        frame.to_csv("numbers.csv", index=False)
    else:
        frame.to_parquet("numbers.parquet")
    call = [
        "measure",
        f"numbers.{suffix}",
        "--label",
        "kind",
        "--each-class",
        "-m",
        "auc",
        "-m",
        "brier_loss",
        "--json",
    ]
    found = json.loads(isocost(*call).out)
    assert [part["class"] for part in found["classes"]] == [0, 1, 2]
    assert found["measures"][0]["model"] == "score"
    assert found["measures"][0]["values"]["brier_loss"] is None


def test_the_table_has_a_row_for_each_class_and_model(isocost, kinds):
    """And the means below."""
    assert kinds is not None
    lines = isocost(*CALL, "-m", "auc", "-q").out.splitlines()
    assert lines[1].split() == ["class", "share", "model", "auc"]
    assert [line.split()[0] for line in lines[2:10]] == ["a", "a", "b", "b", "x_a", "x_a", "mean", "mean"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--cost-fn", "5"], "--cost-fn has no meaning with --each-class"),
        (["--positive", "a"], "--positive has no meaning with --each-class"),
        (["--resamples", "50"], "--resamples has no meaning with --each-class"),
        (
            ["--score", "rf_a", "--score", "rf_b"],
            "model 'rf' needs one column of scores for each class, and has 0 for 'x_a'",
        ),
        (["--score", "age"], "no column of scores is named after a class"),
    ],
)
def test_what_makes_no_sense_is_refused(isocost, kinds, options, complaint):
    """Options about one positive class, and models without a score for every class."""
    assert kinds is not None
    assert complaint in isocost(*CALL, *options).complaint


def test_two_columns_of_one_model_and_class_are_refused(isocost, kinds):
    """Which one is meant is not clear."""
    kinds["rf.a"] = kinds["rf_a"]
    kinds.to_csv("kinds.csv", index=False)
    assert "model 'rf' needs one column of scores for each class, and has 2 for 'a'" in isocost(*CALL).complaint


def test_several_classes_point_to_the_option(isocost, kinds):
    """Without it two classes are needed."""
    assert kinds is not None
    assert "`isocost classes` takes several" in isocost(*CALL[:-1]).complaint


def test_a_label_of_too_many_classes_is_refused(isocost, kinds):
    """It is a number rather than a class."""
    kinds["kind"] = range(len(kinds))
    kinds.to_csv("kinds.csv", index=False)
    assert "holds more than 12 classes" in isocost(*CALL).complaint

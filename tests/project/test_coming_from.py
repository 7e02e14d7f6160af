"""Numbers of pROC and ROCR that the guide for their users calls equal."""

import csv
from pathlib import Path

import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions

GOLDEN = Path(__file__).parents[1] / "golden" / "coming_from.csv"


@pytest.fixture(scope="module")
def theirs():
    """What tests/golden/coming_from.R wrote."""
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return {row["name"]: float(row["value"]) for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def ours():
    """The same from isocost, by the calls the guide names."""
    y_true, scores = load_german_credit_predictions()
    forest = scores["random_forest"]
    curve = ic.RocCurve.from_scores(y_true, forest)
    choice = ic.best_threshold(curve, ic.Condition(cost_fn=5, prevalence=0.3))
    return {
        "pROC auc": ic.auc_score(y_true, forest),
        "pROC partial auc": ic.partial_auc(curve, fpr=(0, 0.1)),
        "pROC best fpr": choice.fpr,
        "pROC best tpr": choice.tpr,
        "pROC youden": ic.ks(curve),
        "pROC delong p": ic.delong(y_true, forest, scores["naive_bayes"]).p_value,
        "ROCR auc": ic.auc_score(y_true, forest),
        "ROCR lowest cost": choice.expected_cost,
        "ROCR cutoff of lowest cost": choice.threshold,
        "ROCR best accuracy": 1 - ic.minimum_error_rate(curve),
        "ROCR best f": ic.point_metrics.best_point(curve, "f_measure").value,
        "ROCR ecost at 0.5": float(ic.cost_curve(curve)(0.5)),
    }


def test_every_number_is_theirs(theirs, ours):
    """To the last digits they print."""
    assert set(ours) == set(theirs) - {"pROC best threshold"}
    for name, value in ours.items():
        assert value == pytest.approx(theirs[name], rel=1e-9), name


def test_the_threshold_of_proc_lies_below_the_lowest_score_flagged(theirs, ours):
    """It is half-way to the next score, so it flags the same cases."""
    y_true, scores = load_german_credit_predictions()
    cut = theirs["pROC best threshold"]
    assert cut < ours["ROCR cutoff of lowest cost"]
    assert y_true.size == scores["random_forest"].size
    assert min(score for score in scores["random_forest"] if score >= cut) == ours["ROCR cutoff of lowest cost"]

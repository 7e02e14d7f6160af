"""Numbers of pROC and ROCR that the guide for their users calls equal."""

import csv
from pathlib import Path

import pytest

import isocost as ic
from isocost.curves.roc import points_at
from isocost.datasets import load_german_credit_predictions

GOLDEN = Path(__file__).parents[1] / "golden" / "coming_from.csv"


@pytest.fixture(scope="module")
def theirs():
    """What tests/golden/coming_from.R wrote."""
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return {row["name"]: float(row["value"]) for row in csv.DictReader(file)}


def at_cutoffs(curve):
    """Precision, recall, lift, flagged share and correlation where the score is at least 0.5, and at least 0.25."""
    found = {}
    precision, gain, c = ic.curves.pr_curve(curve), ic.curves.gain_curve(curve), curve.negatives / curve.positives
    for cut in (0.5, 0.25):
        at = int(points_at(curve, cut))
        point = (curve.fpr[at], curve.tpr[at], c)
        found |= {
            f"ROCR prec at {cut:g}": precision.precision[at],
            f"ROCR rec at {cut:g}": precision.recall[at],
            f"ROCR lift at {cut:g}": gain.lift[at],
            f"ROCR rpp at {cut:g}": gain.flagged[at],
            f"ROCR phi at {cut:g}": ic.metrics.mcc(*point),
            f"pROC precision at {cut:g}": ic.metrics.precision(*point),
            f"pROC recall at {cut:g}": ic.metrics.recall(*point),
            f"pROC youden at {cut:g}": ic.metrics.youden(*point),
        }
    return found


@pytest.fixture(scope="module")
def ours():
    """The same from isocost, by the calls the guide names."""
    y_true, scores = load_german_credit_predictions()
    forest = scores["random_forest"]
    curve = ic.RocCurve.from_scores(y_true, forest)
    choice = ic.best_threshold(curve, ic.Condition(cost_fn=5, prevalence=0.3))
    return at_cutoffs(curve) | {
        "pROC auc": ic.auc(curve),
        "pROC partial auc": ic.measures.partial_auc(curve, fpr=(0, 0.1)),
        "pROC best fpr": choice.fpr,
        "pROC best tpr": choice.tpr,
        "pROC youden": ic.measures.ks(curve),
        "pROC delong p": ic.delong(y_true, forest, scores["naive_bayes"]).p_value,
        "ROCR auc": ic.auc(curve),
        "ROCR lowest cost": choice.expected_cost,
        "ROCR cutoff of lowest cost": choice.threshold,
        "ROCR best accuracy": 1 - ic.measures.minimum_error_rate(curve),
        "ROCR best f": ic.metrics.best_point(curve, "f_measure").value,
        "ROCR ecost at 0.5": float(ic.cost_curve(curve)(0.5)),
    }


def test_every_number_is_theirs(theirs, ours):
    """To the last digits they print."""
    drawn = {f"pROC {kind} {end}" for kind in ("ci.se", "ci.thresholds") for end in ("low", "high")}
    assert set(ours) == set(theirs) - {"pROC best threshold"} - drawn
    for name, value in ours.items():
        assert value == pytest.approx(theirs[name], rel=1e-9), name


def test_the_threshold_of_proc_lies_below_the_lowest_score_flagged(theirs, ours):
    """It is half-way to the next score, so it flags the same cases."""
    y_true, scores = load_german_credit_predictions()
    cut = theirs["pROC best threshold"]
    assert cut < ours["ROCR cutoff of lowest cost"]
    assert y_true.size == scores["random_forest"].size
    assert min(score for score in scores["random_forest"] if score >= cut) == ours["ROCR cutoff of lowest cost"]


def test_limits_at_a_fixed_fpr_are_those_of_ci_se_and_wider_than_at_a_fixed_threshold(theirs):
    """Both resample, so the limits agree up to that; which one is fixed makes 40 % of the width."""
    y_true, scores = load_german_credit_predictions()
    drawn = ic.bootstrap(y_true, {"forest": scores["random_forest"]}, n_resamples=1000)
    at_fpr = drawn.interval("forest", "tpr_at_fpr", fpr=0.1)
    at_cut = drawn.interval("forest", "tpr", threshold=0.4)
    for kind, found in (("ci.se", at_fpr), ("ci.thresholds", at_cut)):
        limits = theirs[f"pROC {kind} low"], theirs[f"pROC {kind} high"]
        assert (found.low, found.high) == pytest.approx(limits, abs=0.012), kind
    assert at_fpr.high - at_fpr.low > 1.3 * (at_cut.high - at_cut.low)

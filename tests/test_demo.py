from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import roc_curve

import isocost as ic
from isocost import demo
from isocost.datasets import load_german_credit_predictions

CONDITION = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


def cheapest_by_brute_force(t):
    """Name of the cheapest model at t, every threshold of every model tried."""
    y_true, scores = load_german_credit_predictions()
    costs = {}
    for name, values in scores.items():
        fpr, tpr, _ = roc_curve(y_true, values, drop_intermediate=False)
        costs[name.replace("_", " ")] = np.min(t * fpr + (1 - t) * (1 - tpr))
    return min(costs, key=costs.get)


def test_decision_is_the_cheapest_threshold_of_all():
    """The demo's advice, applied as `score >= threshold`, costs less than any other threshold of any model."""
    y_true, scores = load_german_credit_predictions()
    best = demo.decide(demo.load_curves(), CONDITION)
    flagged = scores[best.model.replace(" ", "_")] >= best.threshold
    cost = np.mean(np.where(flagged, (y_true == 0) * 1, (y_true == 1) * 5))
    assert best.expected_cost == pytest.approx(cost, abs=1e-12)
    for values in scores.values():
        for threshold in values:
            assert np.mean(np.where(values >= threshold, y_true == 0, 5 * y_true)) >= cost - 1e-12


def test_stretches_cover_all_conditions_and_name_the_cheapest():
    """From t = 1 down to 0 without a gap; in the middle of each stretch brute force names the same model."""
    stretches = demo.cheapest_where(demo.load_curves())
    assert stretches[0].t_high == 1
    assert stretches[-1].t_low == 0
    for upper, lower in pairwise(stretches):
        assert upper.t_low == lower.t_high
        assert upper.name != lower.name
    for stretch in stretches:
        assert cheapest_by_brute_force((stretch.t_low + stretch.t_high) / 2) == stretch.name


def test_demo_prints_the_decision_and_writes_the_picture_it_names(tmp_path, capsys):
    """One run tells who to use at which threshold, who is cheapest where, and where the picture is."""
    demo.main(str(tmp_path / "made"))
    text = capsys.readouterr().out
    assert "Decision: use the random forest and refuse whoever scores at least 0.248605." in text
    assert "19.00 to   inf  naive bayes" in text
    picture = tmp_path / "made" / demo.PICTURE
    assert f"Wrote {picture}" in text
    assert picture.read_bytes().startswith(b"\x89PNG")

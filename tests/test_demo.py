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
    best = demo.compare().decide(CONDITION)
    flagged = scores[best.model.replace(" ", "_")] >= best.threshold
    cost = np.mean(np.where(flagged, (y_true == 0) * 1, (y_true == 1) * 5))
    assert best.expected_cost == pytest.approx(cost, abs=1e-12)
    for values in scores.values():
        for threshold in values:
            assert np.mean(np.where(values >= threshold, y_true == 0, 5 * y_true)) >= cost - 1e-12


def test_winners_are_named_as_brute_force_names_them():
    """In the middle of each range the cheapest model is the one the demo lists."""
    for win in demo.compare().winners():
        assert cheapest_by_brute_force((win.t_low + win.t_high) / 2) == win.name


def test_demo_prints_the_decision_and_writes_the_files_it_names(tmp_path, capsys):
    """One run tells who to use at which threshold, who is cheapest where, and where picture and report are."""
    demo.main(str(tmp_path / "made"))
    text = capsys.readouterr().out
    decision = demo.compare().decide(CONDITION, n_resamples=200)
    assert str(decision) in text
    assert "Use random forest: flag cases with score ≥ 0.2486." in text
    assert "19.00 to   inf  naive bayes" in text
    picture = tmp_path / "made" / demo.PICTURE
    assert f"Wrote {picture}" in text
    assert picture.read_bytes().startswith(b"\x89PNG")
    page = tmp_path / "made" / demo.PAGE
    assert f"Wrote {page}" in text
    assert "Use random forest: flag cases with score ≥ 0.2486." in page.read_text(encoding="utf-8")

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def test_envelopes_equal_rocr():
    """Every vertex of ROCR's expected cost curves (tests/golden/rocr_ecost.R) lies on ours, and every break of ours is among them."""
    table = defaultdict(list)
    with (Path(__file__).parents[1] / "golden" / "rocr_ecost.csv").open() as file:
        for row in csv.DictReader(file):
            table[row["model"], int(row["digits"])].append((float(row["pcf"]), float(row["cost"])))
    assert len(table) == 6
    y, models = load_german_credit_predictions()
    for (model, digits), points in table.items():
        scores = np.floor(models[model] * 10**digits) / 10**digits
        envelope = ic.cost_curve(ic.RocCurve.from_scores(y, scores))
        pcf, cost = np.clip(np.array(points).T, 0, 1)  # ROCR overshoots the ends by rounding
        assert envelope(pcf) == pytest.approx(cost, abs=1e-12)
        assert all(np.min(np.abs(pcf - x)) < 1e-12 for x in envelope.breaks)

"""Models that every figure is tried with."""

import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions


@pytest.fixture(scope="session")
def curves():
    """Three models whose curves cross."""
    y_true, scores = load_german_credit_predictions()
    return [ic.RocCurve.from_scores(y_true, s, name=name) for name, s in scores.items()]


@pytest.fixture(scope="session")
def many():
    """Twelve models with long names, which begin and end alike."""
    y_true, scores = load_german_credit_predictions()
    rng = np.random.default_rng(1)
    base = next(iter(scores.values()))
    return [
        ic.RocCurve.from_scores(
            y_true,
            base + rng.normal(0, 0.02 * i, base.size),
            name=f"a_rather_long_model_name_of_gradient_boosting_v{i}",
        )
        for i in range(12)
    ]


@pytest.fixture(scope="session")
def condition():
    """A miss costs five false alarms and three in ten are positive."""
    return ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)

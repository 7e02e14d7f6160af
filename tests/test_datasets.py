import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from isocost.datasets import load_german_credit_ages, load_german_credit_predictions

SOURCE = Path(__file__).parents[1] / "scripts" / "data"


def optimal_cost(y_true, y_score, t):
    """Normalised cost of the best threshold at t, by trying them all."""
    fpr, tpr, _ = roc_curve(y_true, y_score, drop_intermediate=False)
    return np.min(t * fpr + (1 - t) * (1 - tpr))


def cheapest(t):
    """Name of the shipped model with the lowest optimal cost at t."""
    y_true, scores = load_german_credit_predictions()
    return min(scores, key=lambda name: optimal_cost(y_true, scores[name], t))


def test_labels_are_those_of_the_source_in_its_order():
    """300 bad and 700 good customers, row by row as in the original data."""
    y_true, _ = load_german_credit_predictions()
    with (SOURCE / "german_credit.csv").open(newline="") as file:
        bad = [row["Class"] == "Bad" for row in csv.DictReader(file)]
    assert np.bincount(y_true).tolist() == [700, 300]
    np.testing.assert_array_equal(y_true, bad)


def test_ages_are_those_of_the_source_in_its_order():
    """Row by row as in the original data."""
    with (SOURCE / "german_credit.csv").open(newline="") as file:
        ages = [int(row["Age"]) for row in csv.DictReader(file)]
    np.testing.assert_array_equal(load_german_credit_ages(), ages)


def test_scores_are_probabilities_of_each_customer():
    """Every model scores every customer with a number in [0, 1]."""
    y_true, scores = load_german_credit_predictions()
    assert list(scores) == ["logistic_regression", "random_forest", "naive_bayes"]
    for values in scores.values():
        assert values.shape == y_true.shape
        assert values.min() >= 0
        assert values.max() <= 1


def test_models_rank_far_better_than_chance_and_not_suspiciously_well():
    """All are useful and alike; an AUC near 1 would mean that training rows leaked into the predictions."""
    y_true, scores = load_german_credit_predictions()
    for values in scores.values():
        assert 0.75 < roc_auc_score(y_true, values) < 0.82


@pytest.mark.parametrize(
    ("t", "name"), [(0.05, "naive_bayes"), (0.35, "random_forest"), (0.475, "logistic_regression")]
)
def test_each_model_is_the_cheapest_somewhere(t, name):
    """The curves cross, so the demo has something to decide."""
    assert cheapest(t) == name


def test_sonar_source_is_complete():
    """111 mines and 97 rocks, 60 numbers each."""
    with (SOURCE / "sonar.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    labels = [row["Class"] for row in rows]
    assert (labels.count("M"), labels.count("R")) == (111, 97)
    assert {len(row) for row in rows} == {61}

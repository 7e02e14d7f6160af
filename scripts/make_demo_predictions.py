"""Make the predictions shipped with isocost: three models on the German credit data.

Every score is the probability of a bad customer from a model that did not see the row (10-fold cross-validation).
Run from the repository with the `dev` extra installed: `python scripts/make_demo_predictions.py`.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).parent
SOURCE = HERE / "data" / "german_credit.csv"
TARGET = HERE.parent / "src" / "isocost" / "data" / "german_credit_predictions.csv"
SEED = 0
DECIMALS = 6  # the written file does not depend on the last bits of a platform's arithmetic

MODELS = {
    "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "random_forest": RandomForestClassifier(n_estimators=500, min_samples_leaf=3, random_state=SEED),
    # Scaled first, so that each column is split at its mean.
    "naive_bayes": make_pipeline(StandardScaler(), BernoulliNB()),
}


def read_german_credit() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return the attributes, one row a customer, and 1 for each bad customer."""
    with SOURCE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    attributes = [name for name in rows[0] if name != "Class"]
    x = np.array([[float(row[name]) for name in attributes] for row in rows])
    return x, np.array([int(row["Class"] == "Bad") for row in rows])


def main() -> None:
    """Train, predict out of fold, write."""
    x, bad = read_german_credit()
    folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=SEED)
    scores = {
        name: cross_val_predict(model, x, bad, cv=folds, method="predict_proba")[:, 1] for name, model in MODELS.items()
    }
    with TARGET.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["bad", *scores])
        for label, *row in zip(bad, *scores.values(), strict=True):
            writer.writerow([label, *(f"{score:.{DECIMALS}f}" for score in row)])
    print(f"wrote {TARGET.relative_to(HERE.parent)}: {len(bad)} rows, {len(scores)} models")


if __name__ == "__main__":
    main()

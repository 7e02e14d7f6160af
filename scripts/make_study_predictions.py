"""Make the data of three studies in the gallery: screening on the German credit data, trees and naive Bayes on sonar.

Run from the repository with the `dev` extra installed: `python scripts/make_study_predictions.py`.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
TARGET = HERE.parent / "docs" / "gallery" / "data"
SEED = 0
DECIMALS = 6  # the written file does not depend on the last bits of a platform's arithmetic

SCREENING = {
    "nearest_neighbours": make_pipeline(MinMaxScaler(), KNeighborsClassifier(10)),
    "decision_tree": DecisionTreeClassifier(criterion="entropy", min_samples_leaf=20, random_state=SEED),
}
# Ratios of what false alarms and misses cost in all, priors included, as in Drummond & Holte's figure.
RATIOS = [26, 16, 11, 7.5, 5.1, 3.5, 2.4, 1.6, 1, 1 / 1.6, 1 / 2.4, 1 / 3.5, 1 / 5.1, 1 / 7.5, 1 / 11, 1 / 16, 1 / 26]


def read(name: str, positive: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return the attributes and 1 for each row of the positive class."""
    with (HERE / "data" / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    attributes = [column for column in rows[0] if column != "Class"]
    x = np.array([[float(row[column]) for column in attributes] for row in rows])
    return x, np.array([int(row["Class"] == positive) for row in rows])


def write(name: str, header: list[str], rows: list[list[str]]) -> None:
    """Write one table."""
    TARGET.mkdir(exist_ok=True)
    with (TARGET / name).open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    print(f"wrote {name}: {len(rows)} rows")


def screening() -> None:
    """Out-of-fold probabilities of a good customer, the positive class of the study."""
    x, good = read("german_credit.csv", "Good")
    folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=SEED)
    scores = [cross_val_predict(model, x, good, cv=folds, method="predict_proba")[:, 1] for model in SCREENING.values()]
    rows = [[str(label), *(f"{p:.{DECIMALS}f}" for p in row)] for label, *row in zip(good, *scores, strict=True)]
    write("german_credit_screening.csv", ["good", *SCREENING], rows)


def sonar() -> None:
    """Confusion matrices of trees built for different pcf, by 10-fold cross-validation; a mine is positive.

    The trees are pruned: one that fits every training case is the same whatever the costs.
    """
    x, mine = read("sonar.csv", "M")
    folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=SEED)
    rows = []
    for pcf in (1 / (1 + ratio) for ratio in RATIOS):
        weights = {1: pcf / mine.mean(), 0: (1 - pcf) / (1 - mine.mean())}
        tree = DecisionTreeClassifier(
            criterion="entropy", class_weight=weights, min_samples_leaf=2, ccp_alpha=0.02, random_state=SEED
        )
        reported = cross_val_predict(tree, x, mine, cv=folds)
        cells = [int(np.sum((mine == a) & (reported == b))) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))]
        rows.append([f"{pcf:.{DECIMALS}f}", *map(str, cells)])
    write("sonar_trees.csv", ["pcf", "tp", "fn", "fp", "tn"], rows)


def sonar_bayes() -> None:
    """Out-of-fold probabilities of a mine from naive Bayes with normal densities."""
    x, mine = read("sonar.csv", "M")
    folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=SEED)
    scores = cross_val_predict(GaussianNB(), x, mine, cv=folds, method="predict_proba")[:, 1]
    rows = [[str(label), f"{p:.{DECIMALS}f}"] for label, p in zip(mine, scores, strict=True)]
    write("sonar_naive_bayes.csv", ["mine", "naive_bayes"], rows)


if __name__ == "__main__":
    screening()
    sonar()
    sonar_bayes()

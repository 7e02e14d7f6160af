"""Three models of the Wisconsin breast cancer data.

The figures and both tables of Section 7 of Ratigan and Cowen's VOROS paper, run again with the settings of the authors' script. It does not
record its split, so the numbers differ in the third digit; [over twenty splits](../../explanation/reproduced.md#wisconsin) they are
within range. The right panel is the upper left corner. As in the paper, the forest is ahead at small t, logistic regression at large t, and
naive Bayes nowhere. The row of the baselines does not depend on data and is the paper's.
"""

import warnings
from functools import cache

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, PALETTE

SPANS = [(0, 1), (0, 0.25), (0.75, 1)]
SEED = 0


@cache
def fitted() -> list[ic.RocCurve]:
    """Return the ROC curves of three models on a quarter of the cases."""
    features, y = load_breast_cancer(return_X_y=True)
    train, test, y_train, y_test = train_test_split(features, y, random_state=SEED, stratify=y)
    models = {
        "Log": LogisticRegression(random_state=SEED),
        "Forest": RandomForestClassifier(random_state=SEED),
        "Naive": make_pipeline(MinMaxScaler(), MultinomialNB()),
    }
    warnings.simplefilter("ignore")  # unscaled, logistic regression stops before it converges
    return [
        ic.RocCurve.from_scores(y_test, model.fit(train, y_train).predict_proba(test)[:, 1], name=name)
        for name, model in models.items()
    ]


def draw() -> Figure:
    """ROC curves and their corner."""
    figure, (whole, corner) = plt.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
    for axes in (whole, corner):
        for curve, colour, dash in zip(fitted(), PALETTE, DASHES, strict=False):
            axes.plot(curve.fpr, curve.tpr, color=colour, linestyle=dash, label=curve.name)
        axes.set(xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    whole.set(title="ROC space", xlim=(0, 1), ylim=(0, 1.005))
    corner.set(title="Its upper left corner", xlim=(-0.002, 0.25), ylim=(0.8, 1.003))
    corner.legend(loc="lower right")
    return figure


def tables() -> dict[str, list[list[str]]]:
    """Return VOROS over three ranges of t and AUROC, in percent, below a row of heads."""
    rows = [["model", "VOROS, t in [0, 1]", "t in [0, 0.25]", "t in [0.75, 1]", "AUROC"]]
    for curve in (*fitted(), ic.RocCurve.from_points([0.0], [0.0], name="Baseline")):
        voros = (ic.voros(curve, condition=ic.Conditions.uniform(t=span)) for span in SPANS)
        area = 0.5 if curve.name == "Baseline" else ic.auc(curve)
        rows.append([str(curve.name), *(f"{100 * value:.1f}" for value in (*voros, area))])
    return {"VOROS and AUROC in percent": rows}

"""Naive Bayes on the sonar data.

Figures 3 and 4 of Drummond and Holte (2004), run again: naive Bayes with normal densities, judged by 10-fold cross-validation,
a rock being positive, which the paper leaves open.
From the ROC curve (left) nobody can tell the error rate at equal costs; from the cost curve (right) it
is read off at pcf 0.5.

*What agrees.* Taken at their word (bold) the scores cost 0.32 at pcf 0.5, where the paper reads about 0.3; the cost hardly
varies, between 0.2 and 0.37 for most conditions; and the model is worse than a trivial classifier below 0.35 and above 0.75, as printed.

*What does not.* The folds: the paper does not say which. The dashed line is the cost with the best
threshold, which falls back to flagging nobody or everybody where that is cheaper.
"""

import csv
from pathlib import Path

from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, MUTED, PALETTE

BOLD, THIN = PALETTE[:2]

THUMBNAIL = 1


def draw() -> Figure:
    """ROC curve, and the cost when scores are believed or thresholds chosen."""
    with (Path(__file__).parent / "data" / "sonar_naive_bayes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    y_true, scores = ([float(row[name]) for row in rows] for name in ("mine", "naive_bayes"))
    rock, scores = [1 - mine for mine in y_true], [1 - score for score in scores]
    curve = ic.RocCurve.from_scores(rock, scores, name="naive Bayes")
    believed, best = ic.cost_curve(curve, method="score_driven"), ic.cost_curve(curve)
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    roc, cost = figure.subplots(1, 2)
    roc.plot(curve.fpr, curve.tpr, color=BOLD)
    roc.plot([0, 1], [0, 1], ":", color=MUTED, linewidth=1)
    cost.plot(*believed.ends, color=BOLD, linewidth=2)
    cost.plot(best.breaks, best(best.breaks), color=THIN, linestyle=DASHES[1], linewidth=1.2)
    cost.plot([0, 1], [0, 1], ":", color=MUTED, linewidth=1)
    cost.plot([0, 1], [1, 0], ":", color=MUTED, linewidth=1)
    cost.text(0.99, 0.4, "scores taken\nas probabilities", ha="right", color=BOLD)
    cost.text(0.5, 0.17, "best threshold\nat each condition", ha="center", color=THIN)
    cost.text(0.4, 0.47, "flag nobody", ha="right", color=MUTED)
    cost.text(0.6, 0.47, "flag everybody", color=MUTED)
    roc.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    roc.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    cost.set(title="Cost space", xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    cost.set(xlim=(0, 1), ylim=(0, 0.55))
    return figure

"""What a metric's favourite threshold says about costs.

Where a metric's best isometric touches the curve it has the slope of an iso-cost line, so choosing a threshold by the metric is the
same as pricing misses. Each panel shows the random forest's curve on the German credit data, the isometric through the best
point by that metric, and the price of a miss in false alarms that would lead to the same threshold.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.plots import AXIS_LABELS, DASHES, FAINT, PALETTE


def draw() -> Figure:
    """The best point by four metrics and what it amounts to."""
    y_true, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y_true, scores["random_forest"])
    metrics = ic.metrics
    panels = {
        "accuracy": metrics.accuracy,
        "F1": metrics.f_measure,
        "F2": metrics.f_measure.with_options(beta=2),
        "information gain": metrics.information_gain,
    }
    figure = Figure(figsize=(10, 9.6), layout="constrained")
    for axes, (name, metric) in zip(figure.subplots(2, 2).ravel(), panels.items(), strict=True):
        best = metrics.best_point(curve, metric)
        axes.plot(curve.fpr, curve.tpr, color=FAINT, linewidth=0.8)
        axes.plot(curve.hull.fpr, curve.hull.tpr, color=PALETTE[0], linewidth=1)
        for line in ic.metrics.isometrics(metric, best.value, skew_ratio=best.skew_ratio):
            if (line.tpr >= line.fpr).all():
                axes.plot(line.fpr, line.tpr, linestyle=DASHES[1], color=PALETTE[1], linewidth=1.2)
        axes.plot(best.fpr, best.tpr, "o", color=PALETTE[1])
        price = f"{best.miss_cost:.2g}"
        axes.set_title(f"{name}: a miss = {price} false alarm{'' if price == '1' else 's'}")
        axes.set(xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"], aspect="equal", xlim=(0, 1), ylim=(0, 1.01))
    return figure

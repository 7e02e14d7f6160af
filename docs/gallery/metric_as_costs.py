"""What a metric's favourite threshold says about costs.

Where a metric's best isometric touches the curve it has the slope of an iso-cost line, so choosing a threshold by the metric is the
same as pricing misses. Each panel shows the random forest's curve on the German credit data, the isometric through the best
point by that metric, and the price of a miss in false alarms that would lead to the same threshold.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """The best point by four metrics and what it amounts to."""
    y_true, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y_true, scores["random_forest"])
    metrics = ic.point_metrics
    panels = {
        "accuracy": metrics.accuracy,
        "F1": metrics.f_measure,
        "F2": metrics.f_measure.with_options(beta=2),
        "information gain": metrics.information_gain,
    }
    figure = Figure(figsize=(12, 3.6), layout="constrained")
    for axes, (title, metric) in zip(figure.subplots(1, len(panels), sharey=True), panels.items(), strict=True):
        best = metrics.best_point(curve, metric)
        axes.plot(curve.fpr, curve.tpr, color="0.6", linewidth=0.8)
        axes.plot(curve.hull.fpr, curve.hull.tpr, color="#0072B2", linewidth=1)
        for line in ic.isometrics(metric, best.value, skew_ratio=best.skew_ratio):
            if (line.tpr >= line.fpr).all():
                axes.plot(line.fpr, line.tpr, "--", color="#D55E00", linewidth=1.2)
        axes.plot(best.fpr, best.tpr, "o", color="#D55E00")
        axes.set(title=f"{title}:\na miss = {best.miss_cost:.2g} false alarms", xlabel="fpr", aspect="equal")
        axes.set(xlim=(0, 1), ylim=(0, 1.01))
    figure.axes[0].set_ylabel("tpr")
    return figure

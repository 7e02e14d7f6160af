"""Decision curves.

Net benefit of three credit models over the threshold probability: the risk at which a customer is just worth refusing. Top left,
the scores taken at their word: where a curve lies below "flag everybody" or "flag nobody" the model does harm, and naive Bayes leaves the
frame. Top right, each at its best threshold on these data: naive Bayes was not a bad ranking, its probabilities were bad. Bottom, the
difference of two models with its 90 % band.
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """As predicted, as well as possible, and how sure."""
    y_true, scores = load_german_credit_predictions()
    curves = [ic.RocCurve.from_scores(y_true, s, name=name) for name, s in scores.items()]
    resampled = ic.bootstrap(y_true, scores, n_resamples=500)
    difference = ic.inference.curve_band(resampled, "random_forest", "net_benefit", versus="naive_bayes")
    figure = Figure(figsize=(10, 7.8), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1.2, 1))
    for i, method in enumerate(("score_driven", "best")):
        axes = figure.add_subplot(grid[0, i])
        made = [ic.curves.net_benefit_curve(curve, method=method) for curve in curves]
        ic.plots.NetBenefitDisplay(made, between=(0, 0.8)).plot(axes)
        axes.set_title("flag scores ≥ p" if method == "score_driven" else "flag at the best threshold for p")
    ic.plots.NetBenefitDisplay(difference, between=(0, 0.8)).plot(figure.add_subplot(grid[1, :]))
    return figure

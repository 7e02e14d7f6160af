"""A band that knows about optimism.

Two hundred cases of which the truth is known: scores of positives are normal around 1, of negatives around 0. The best threshold at
each condition, found on the same cases, looks cheaper than it is: the dashed curve lies below the true one. Resamples of the
cases repeat that, so the plain percentile band (left) lies too low and misses the truth at many conditions. The default bands
(right) take the optimism out.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from scipy import stats

import isocost as ic

# Neither a lucky nor an unlucky sample: its optimism is about the average one.
SEED = 19


def draw() -> Figure:
    """The true cost and what the data show, with the plain band on the left and the corrected ones on the right."""
    rng = np.random.default_rng(SEED)
    y = np.arange(200) < 100
    resampled = ic.bootstrap(y, {"model": rng.normal(size=200) + y}, n_resamples=1000)
    plain = resampled.band("model", target="apparent")
    point, whole = (resampled.band("model", kind=kind) for kind in ("pointwise", "simultaneous"))
    truth = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1)).optimal_cost(1 - point.pcf)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), sharey=True, layout="constrained")
    for axes, band, colour, opacity, label in (
        (left, plain, "#8c8c8c", 0.45, "90 % plain percentiles"),
        (right, whole, "#444488", 0.13, "90 %, the whole curve"),
        (right, point, "#444488", 0.3, "90 %, each condition by itself"),
    ):
        axes.fill_between(band.pcf, band.low, band.high, color=colour, alpha=opacity, linewidth=0, label=label)
    for axes in (left, right):
        axes.plot(point.pcf, truth, color="#1a1a1a", linewidth=2, label="true cost of the best threshold")
        axes.plot(point.pcf, point.apparent, color="#ff4411", linestyle=(0, (5, 1.5)), label="cost on the data")
        axes.set(xlim=(0, 1), ylim=(0, 0.5), xlabel="pcf: share of the worst-case cost that misses carry")
        axes.legend(frameon=False, loc="upper left", fontsize=9)
    left.set_ylabel("normalised cost")
    return figure

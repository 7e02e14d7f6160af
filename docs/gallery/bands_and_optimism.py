"""A band that knows about optimism.

Two hundred cases for which the truth is known: scores of positives are normal around 1, of negatives around 0. The best threshold at
each condition, found on the same cases, looks cheaper than it is: the dashed curve lies below the true one. Resamples of the
cases repeat that, so the plain percentile band (left) lies too low and misses the truth at many conditions. The default bands
(right) take the optimism out: dark for each condition by itself, light for the whole curve.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from scipy import stats

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, MUTED, PALETTE

BAND, SEEN = PALETTE[:2]
# Neither a lucky nor an unlucky sample: its optimism is about the average one.
SEED = 19

THUMBNAIL = 1


def draw() -> Figure:
    """The true cost and what the data show, with the plain band on the left and the corrected ones on the right."""
    rng = np.random.default_rng(SEED)
    y = np.arange(200) < 100
    resampled = ic.bootstrap(y, {"model": rng.normal(size=200) + y}, n_resamples=1000)
    plain = resampled.band("model", target="apparent")
    point, whole = (resampled.band("model", kind=kind) for kind in ("pointwise", "simultaneous"))
    truth = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1)).optimal_cost(1 - point.pcf)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
    left.fill_between(plain.pcf, plain.low, plain.high, color=MUTED, alpha=0.3, linewidth=0)
    right.fill_between(whole.pcf, whole.low, whole.high, color=BAND, alpha=0.13, linewidth=0)
    right.fill_between(point.pcf, point.low, point.high, color=BAND, alpha=0.25, linewidth=0)
    for axes in (left, right):
        axes.plot(point.pcf, truth, color=INK, linewidth=2)
        axes.plot(point.pcf, point.apparent, color=SEEN, linestyle=DASHES[1])
        axes.set(xlim=(0, 1), ylim=(0, 0.5), xlabel=AXIS_LABELS["pcf"])
    for axes, x, top, word in ((left, 0.5, 0.42, "true cost"), (right, 0.5, 0.45, "true cost")):
        at = float(np.interp(x, point.pcf, truth))
        axes.annotate(word, (x, at), (x, top), ha="center", color=INK, arrowprops={"arrowstyle": "-", "color": INK})
    left.text(0.5, 0.19, "cost on the data", ha="center", color=SEEN)
    right.text(0.5, 0.16, "cost on the data", ha="center", color=SEEN)
    left.set(title="90 %, plain percentiles", ylabel=AXIS_LABELS["normalised_cost"])
    right.set_title("90 %, each condition by itself and the whole curve")
    return figure

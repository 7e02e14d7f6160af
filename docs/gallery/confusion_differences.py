"""When a difference is more than chance.

Figures 13 to 15 of Drummond and Holte (2004), with matrices of our own. Two classifiers (dashed) and the difference of their costs
(solid, with its 90 % band): the same two confusion matrices in all three panels. What changes is how often the two are right and
wrong on the same cases. If they err on different cases the difference may be chance; if they mostly agree, the same small difference
is certain; in between it is significant only where misses carry most of the cost.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, MUTED, PALETTE

MATRICES = {"a": (32, 8, 12, 28), "b": (26, 14, 15, 25)}
# How many of the positives, and of the negatives, both flag: a flags 32 and 12, b flags 26 and 15, of 40 each.
AGREEMENT = {"low agreement": (18, 2), "medium agreement": (22, 0), "high agreement": (26, 12)}


def draw() -> Figure:
    """One panel for each degree of agreement; the bar marks where the difference is significant."""
    figure, panels = plt.subplots(3, 1, figsize=(7, 8.4), sharex=True, layout="constrained")
    for axes, (title, joint) in zip(panels, AGREEMENT.items(), strict=True):
        resampled = ic.inference.bootstrap_confusion(MATRICES, joint=joint, n_resamples=10_000)
        band = resampled.difference("a", "b", level=0.9)
        for name, colour, dash, x in zip("ab", PALETTE, ((0, (3, 1.5)), DASHES[1]), (0.02, 0.06), strict=False):
            line = resampled.band(name).apparent
            axes.plot(band.pcf, line, color=colour, linestyle=dash)
            axes.annotate(name, (x, line[4]), textcoords="offset points", xytext=(0, 4), color=colour)
        axes.fill_between(band.pcf, band.low, band.high, color=MUTED, alpha=0.3, linewidth=0)
        axes.plot(band.pcf, band.centre, color=INK)
        axes.annotate("a − b", (0.02, band.centre[4]), textcoords="offset points", xytext=(0, -13), color=INK)
        axes.axhline(0, color=INK, linewidth=0.8)
        for found in resampled.significant("a", "b", kind="pointwise"):
            ends = 1 - found.t_high, 1 - found.t_low
            axes.plot(ends, [-0.46, -0.46], color=PALETTE[0], linewidth=4, solid_capstyle="butt")
            middle = sum(ends) / 2
            axes.annotate("a is cheaper", (middle, -0.43), ha="center", va="bottom", color=PALETTE[0])
        axes.set(title=title, xlim=(0, 1), ylim=(-0.5, 0.5), ylabel=AXIS_LABELS["normalised_cost"])
    panels[-1].set_xlabel(AXIS_LABELS["pcf"])
    return figure

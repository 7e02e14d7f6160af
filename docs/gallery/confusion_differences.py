"""When a difference is more than chance.

Figures 13 to 15 of Drummond and Holte (2004), with matrices of our own. Two classifiers (dashed) and the difference of their costs
(solid, with its 90 % band): the same two confusion matrices in all three panels. What changes is how often the two are right and
wrong on the same cases. If they mostly agree, a small difference is certain; if they err on different cases the same difference may
be chance; in between it is significant only where misses carry most of the cost.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic

MATRICES = {"a": (32, 8, 12, 28), "b": (26, 14, 15, 25)}
# How many of the positives, and of the negatives, both flag: a flags 32 and 12, b flags 26 and 15, of 40 each.
AGREEMENT = {"high agreement": (26, 12), "low agreement": (18, 2), "medium agreement": (22, 0)}


def draw() -> Figure:
    """One panel for each degree of agreement; the bar marks where the difference is significant."""
    figure, panels = plt.subplots(1, 3, figsize=(11, 3.8), sharey=True, layout="constrained")
    for axes, (title, joint) in zip(panels, AGREEMENT.items(), strict=True):
        resampled = ic.bootstrap_confusion(MATRICES, joint=joint, n_resamples=10_000)
        band = resampled.difference("a", "b", level=0.9)
        for name, colour in (("a", "#444488"), ("b", "#ff4411")):
            line = resampled.band(name).apparent
            axes.plot(band.pcf, line, color=colour, linestyle=(0, (5, 1.5)), linewidth=1.8)
            axes.annotate(name, (0.02, line[4]), textcoords="offset points", xytext=(0, 4), color=colour)
        axes.fill_between(band.pcf, band.low, band.high, color="#8c8c8c", alpha=0.35, linewidth=0)
        axes.plot(band.pcf, band.centre, color="#1a1a1a", linewidth=1.8)
        axes.annotate("a − b", (0.02, band.centre[4]), textcoords="offset points", xytext=(0, -13))
        axes.axhline(0, color="#1a1a1a", linewidth=0.8)
        for t_low, t_high, _ in resampled.significant("a", "b", kind="pointwise"):
            axes.plot([1 - t_high, 1 - t_low], [-0.42, -0.42], color="#444488", linewidth=4, solid_capstyle="butt")
            axes.annotate("a is cheaper", ((2 - t_low - t_high) / 2, -0.40), ha="center", va="bottom", color="#444488")
        axes.set(title=title, xlim=(0, 1), ylim=(-0.5, 0.5), xlabel="pcf")
    panels[0].set_ylabel("normalised cost, and its difference")
    return figure

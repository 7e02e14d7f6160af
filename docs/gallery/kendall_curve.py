"""What the ranking costs, and what the way of choosing costs.

The running example of Hernández-Orallo, Flach and Ferri (2013), Figure 4. On the left three rankings of ten cases, seven of them
positive: the worst one, one in which all scores tie, and a perfect one. Even a perfect ranking costs something when the share flagged is
that of the condition: only at 0.7 is it the share of the positives. On the right that part is taken off the rate-driven curve. What is left
is the Kendall curve, the ranking's own fault. Eight pairs of a positive and a negative stand in the wrong order, and the area is
8 · 2/10² = 0.16.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, FAINT, INK, MUTED, PALETTE

LABELS = [1, 1, 0, 1, 1, 1, 0, 1, 0, 1]
SCORES = range(10, 0, -1)
KENDALL, RATE = PALETTE[:2]


def draw() -> Figure:
    """Three rankings on the left, the decomposition of one on the right."""
    x = np.linspace(0, 1, 401)
    labels = np.array(LABELS)
    # The perfect one looks the same on both sides.
    rankings = {
        "worst": (1 - labels, INK, DASHES[3], (0.35, 0.88)),
        "all tied": (np.zeros(10), PALETTE[2], DASHES[2], (0.5, 0.53)),
        "perfect": (labels, MUTED, DASHES[1], (0.35, 0.27)),
    }
    figure, (three, parts) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    for name, (scores, colour, dash, place) in rankings.items():
        loss = ic.cost_curve(ic.RocCurve.from_scores(labels, scores), method="rate_driven", axis="cost_proportion")
        three.plot(x, loss(x), color=colour, linestyle=dash)
        three.text(*place, f"{name}: area {loss.area():.3f}", ha="center", color=colour)
    curve = ic.RocCurve.from_scores(LABELS, SCORES)
    parted = ic.curves.rate_driven_decomposition(curve)
    parts.fill_between(x, parted.excess(x), color=KENDALL, alpha=0.15, linewidth=0)
    parts.plot(x, parted.base(x), color=MUTED, linestyle=DASHES[1])
    parts.plot(x, parted.excess(x), color=KENDALL)
    parts.plot(x, parted.total(x), color=RATE)
    parts.text(0.42, 0.46, f"rate-driven: area {parted.total_loss:.3f}", ha="center", color=RATE)
    parts.text(0.26, 0.05, f"Kendall curve:\narea {parted.excess_loss:.3f}", color=KENDALL)
    parts.text(0.31, 0.265, f"perfect: area {parted.base_loss:.3f}", color=MUTED)
    for panel, title, top in ((three, "Three rankings", 1), (parts, "Rate-driven = perfect ranking + Kendall", 0.6)):
        panel.axvline(0.7, color=FAINT, linewidth=0.8, zorder=1)
        panel.set(title=title, xlabel=AXIS_LABELS["flagged"], ylabel="cost", xlim=(0, 1), ylim=(0, top))
    return figure

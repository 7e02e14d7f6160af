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

LABELS = [1, 1, 0, 1, 1, 1, 0, 1, 0, 1]
SCORES = range(10, 0, -1)


def draw() -> Figure:
    """Three rankings on the left, the decomposition of one on the right."""
    x = np.linspace(0, 1, 401)
    labels = np.array(LABELS)
    rankings = {"worst": 1 - labels, "all tied": np.zeros(10), "perfect": labels}
    colours = ["#D55E00", "#009E73", "#0072B2"]
    figure, (three, parts) = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
    for (name, scores), colour in zip(rankings.items(), colours, strict=True):
        loss = ic.cost_curve(ic.RocCurve.from_scores(labels, scores), method="rate_driven", axis="cost_proportion")
        three.plot(x, loss(x), color=colour, label=f"{name}: area {loss.area():.3f}")
    curve = ic.RocCurve.from_scores(LABELS, SCORES)
    parted = ic.cost_space.rate_driven_decomposition(curve)
    parts.plot(x, parted.total(x), color="#D55E00", label=f"rate-driven: area {parted.total_loss:.3f}")
    parts.plot(x, parted.perfect(x), color="#0072B2", label=f"perfect ranker: area {parted.perfect_loss:.3f}")
    parts.fill_between(x, parted.ranking(x), color="#CC79A7", alpha=0.3, linewidth=0)
    parts.plot(x, parted.ranking(x), color="#CC79A7", label=f"Kendall curve: area {parted.ranking_loss:.3f}")
    for panel, title in ((three, "Three rankings"), (parts, "Rate-driven = perfect ranker + Kendall")):
        panel.axvline(0.7, color="0.8", linewidth=0.8, zorder=1)
        panel.set(title=title, xlabel="cost proportion = share of cases flagged", xlim=(0, 1), ylim=(0, 1.2))
        panel.legend(loc="upper left")
    three.set_ylabel("cost")
    return figure

"""Which ranking is better when only 10 to 50 % of the cases can be looked at.

Models A and B of Hernández-Orallo, Flach and Ferri (2013), Figures 6 and 7, Section 8. Over all shares of cases A ranks better: the area
under its Kendall curve is 0.16 against 0.20. A campaign that can reach 10 to 50 % of the customers only pays for the shaded part, and there
it is 0.05 against 0.03: B is the model to take. Crosses mark the shares that should never be chosen within that range.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic

RANKINGS = {"A": [1, 1, 0, 1, 1, 1, 0, 1, 0, 1], "B": [1, 1, 1, 0, 1, 0, 0, 1, 1, 1]}
RANGE = (0.1, 0.5)


def draw() -> Figure:
    """One panel a model, the range of interest shaded."""
    x = np.linspace(*RANGE, 401)
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for panel, (name, labels), colour in zip(panels, RANKINGS.items(), ["#D55E00", "#0072B2"], strict=True):
        curve = ic.RocCurve.from_scores(labels, range(10, 0, -1))
        kendall = ic.kendall_curve(curve)
        part = ic.kendall_loss(curve, between=RANGE)
        panel.fill_between(x, kendall(x), color=colour, alpha=0.3, linewidth=0, label=f"0.1 to 0.5: area {part:.2f}")
        panel.plot(kendall.breaks, kendall(kendall.breaks), "-", color=colour, label=f"all: area {kendall.area():.2f}")
        never = ic.dominated_cuts(curve, between=RANGE).rates
        panel.plot(never, kendall(never), "x", color="black", label="never worth choosing in that range")
        panel.set(
            title=f"Kendall curve of model {name}", xlabel="share of cases flagged", xlim=(0, 1), ylim=(-0.02, 0.9)
        )
        panel.legend(loc="upper left")
    panels[0].set_ylabel("cost of the ranking's mistakes")
    return figure

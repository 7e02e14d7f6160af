"""What three models say about good and bad customers.

isocost starts from scores such as these: 1000 customers, each scored by three models that had not seen them. Where the
two classes overlap every threshold makes mistakes, and which mistakes are cheaper depends on the costs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """Histograms of the scores of each class, one panel a model."""
    y_true, scores = load_german_credit_predictions()
    figure, panels = plt.subplots(1, len(scores), figsize=(10, 3), sharey=True, layout="constrained")
    bins = np.linspace(0, 1, 26)
    for panel, (name, values) in zip(panels, scores.items(), strict=True):
        panel.hist(values[y_true == 0], bins, color="#0072B2", alpha=0.6, label="good customers")
        panel.hist(values[y_true == 1], bins, color="#D55E00", alpha=0.6, label="bad customers")
        panel.set_title(name.replace("_", " "))
        panel.set_xlabel("probability of being bad")
    panels[0].set_ylabel("customers")
    panels[0].legend(frameon=False)
    return figure

"""ROC surface and level saddle.

With t as third axis a single operating point becomes a saddle: at each t, the line of all classifiers that cost the same (left). A
model becomes a surface of such patches, one for each threshold that is best somewhere (right); the thick line is the cheapest
operating point, and the share of the cube below the surface is the VOROS. After Ratigan & Cowen (2025).
"""

from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions


def draw() -> Figure:
    """A saddle and a surface."""
    y_true, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y_true, scores["random_forest"], name="random forest")
    figure = Figure(figsize=(10, 4.4), layout="constrained")
    left, right = (figure.add_subplot(1, 2, i, projection="3d") for i in (1, 2))
    ic.plots.RocSurfaceDisplay(ic.measures.level_saddle(0.2, 0.7), t=[0.2, 0.5, 0.8]).plot(left)
    ic.plots.RocSurfaceDisplay(ic.measures.RocSurface.from_curve(curve), t=[0.3]).plot(right)
    return figure

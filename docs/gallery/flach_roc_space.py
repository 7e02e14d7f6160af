"""The map of ROC space.

Figure 2 of Flach (2003). The corners are the four extreme classifiers. On the ascending diagonal a classifier knows nothing;
above it, it does better than chance. On the descending diagonal it does equally well on both classes; left of it better on the
negatives, right of it better on the positives.
"""

from matplotlib.figure import Figure

from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE

CHANCE, EQUAL = PALETTE[:2]


def draw() -> Figure:
    """Corners, diagonals and what lies between."""
    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color=CHANCE)
    axes.plot([0, 1], [1, 0], color=EQUAL, linestyle=DASHES[1])
    texts = {
        "better than chance": (0.5, 0.86), "worse than chance": (0.5, 0.14),
        "better on\nnegatives": (0.14, 0.5), "better on\npositives": (0.86, 0.5),
    }  # fmt: skip
    for text, place in texts.items():
        axes.text(*place, text, ha="center", va="center")
    corners = {"always negative": (0, 0), "always positive": (1, 1), "ideal": (0, 1), "all wrong": (1, 0)}
    for text, (x, y) in corners.items():
        axes.plot(x, y, "o", color=INK, clip_on=False)
        axes.annotate(text, (x, y), (-22 if x else 22, -14 if y else 6), textcoords="offset points",
                      ha="right" if x else "left")  # fmt: skip
    turned = {"rotation_mode": "anchor", "ha": "center"}
    axes.text(0.32, 0.29, "random behaviour", rotation=45, va="top", color=CHANCE, **turned)
    axes.text(0.68, 0.34, "equal on both classes", rotation=-45, color=EQUAL, **turned)
    axes.set(xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"], xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return figure

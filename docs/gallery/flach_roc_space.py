"""The map of ROC space.

Figure 2 of Flach (2003). The corners are the four extreme classifiers. On the ascending diagonal a classifier knows nothing;
above it performs better than chance. On the descending diagonal it does equally well on both classes; left of it better on the
negatives, right of it better on the positives.
"""

from matplotlib.figure import Figure


def draw() -> Figure:
    """Corners, diagonals and what lies between."""
    figure = Figure(figsize=(5.4, 5.2), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], "-", color="#444488")
    axes.plot([0, 1], [1, 0], "--", color="#ff4411")
    texts = {
        "better than chance": (0.5, 0.86), "worse than chance": (0.5, 0.14),
        "better on\nnegatives": (0.14, 0.5), "better on\npositives": (0.86, 0.5),
    }  # fmt: skip
    for text, place in texts.items():
        axes.text(*place, text, ha="center", va="center")
    corners = {"always negative": (0, 0), "always positive": (1, 1), "ideal": (0, 1), "all wrong": (1, 0)}
    for text, (x, y) in corners.items():
        axes.plot(x, y, "o", color="black", clip_on=False)
        axes.annotate(text, (x, y), (-10 if x else 10, -16 if y else 10), textcoords="offset points",
                      ha="right" if x else "left", bbox={"color": "white", "pad": 0.5})  # fmt: skip
    axes.text(
        0.3, 0.27, "random behaviour", rotation=45, rotation_mode="anchor", ha="center", va="top", color="#444488"
    )
    axes.text(0.7, 0.33, "equal on both classes", rotation=-45, rotation_mode="anchor", ha="center", color="#ff4411")
    axes.set(xlabel="fpr", ylabel="tpr", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return figure

"""From one classifier to a set of them, in cost space.

Figures 7, 8 and 9 of Drummond and Holte (2000). Left: four extreme classifiers; above the shaded triangle no classifier is
worth using, because flagging nobody or everybody costs less. Middle: one classifier, with fpr 0.09 and tpr 0.36, is the
straight line from 0.09 to 0.64. Right: a set of classifiers (points of our own) and, dashed, the lower envelope: the cheapest
of them at each condition.
"""

from matplotlib.figure import Figure

import isocost as ic

LINE, ENVELOPE = ic.plots.PALETTE[:2]
FPR = [0.02, 0.09, 0.2, 0.35, 0.5, 0.7]
TPR = [0.12, 0.36, 0.68, 0.8, 0.86, 0.97]

THUMBNAIL = 2


def draw() -> Figure:
    """Three steps."""
    figure = Figure(figsize=(12.6, 4.0), layout="constrained")
    extreme, one, many = figure.subplots(1, 3, sharey=True)
    extreme.fill_between([0, 0.5, 1], [0, 0.5, 0], color="0.9", linewidth=0)
    corners = {"always wrong": (1, 0), "always right": (0, 1), "always negative": (0, 0), "always positive": (1, 1)}
    for name, (fpr, tpr) in corners.items():
        line = ic.cost_curve(ic.RocCurve.from_points([fpr], [tpr]), method="fixed") if fpr != tpr else None
        ends = [fpr, 1 - tpr] if line is None else line([0, 1])
        extreme.plot([0, 1], ends, color=LINE)
        at = 0.22 if name == "always negative" else 0.78 if name == "always positive" else 0.5
        height = ends[0] + at * (ends[1] - ends[0])
        down = height > 0.9
        extreme.annotate(name, (at, height), (0, -13 if down else 5), textcoords="offset points", ha="center",
                         bbox={"color": "white", "pad": 1})  # fmt: skip
    line = ic.cost_curve(ic.RocCurve.from_points([0.09], [0.36]), method="fixed")
    one.plot([0, 1], line([0, 1]), color=LINE)
    for x in (0, 1):
        one.annotate(f"{float(line(x)):.2f}", (x, float(line(x))), (-4 if x else 6, 5 if x else -12), textcoords="offset points",
                     ha="right" if x else "left")  # fmt: skip
    for fpr, tpr in zip(FPR, TPR, strict=True):
        many.plot([0, 1], [fpr, 1 - tpr], color=LINE, linewidth=1)
    envelope = ic.cost_curve(ic.RocCurve.from_points(FPR, TPR))
    many.plot(envelope.breaks, envelope(envelope.breaks), color=ENVELOPE, linestyle=(0, (5, 1.5)), linewidth=2.2)
    for axes, title in ((extreme, "extreme classifiers"), (one, "a single classifier"), (many, "a set of classifiers")):
        axes.set(title=title, xlabel="pcf", xlim=(0, 1), ylim=(-0.01, 1.01))
    extreme.set_ylabel("normalised cost")
    return figure

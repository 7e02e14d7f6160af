"""The price of using each tree at the condition it was built for.

Figures 17 and 18 of Drummond and Holte (2000), run again: decision trees on the sonar data, each trained under another ratio of costs. The
numbers on the left are the pcf that trees were built for. Parameter-based selection uses at each pcf the tree that was built for
the nearest one; the lower envelope uses whichever is cheapest, or none.

*What agrees.* Trees built for a condition are often not the best for it: most points lie below the hull. The procedure costs much at both
ends, where flagging nobody or everybody is cheaper than any tree.

*What does not.* The trees, and so the numbers: the paper's came from C4.5 with altered priors, ours from scikit-learn with weighted
classes, the entropy criterion and cost-complexity pruning, judged by 10-fold cross-validation. Here the procedure also pays
between 0.56 and 0.8: the trees built for that range are worse than the one built for 0.5.
"""

import csv
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import isocost as ic
from isocost.plots import AXIS_LABELS, DASHES, INK, MUTED, PALETTE

BEST, BUILT = PALETTE[:2]

THUMBNAIL = 1


def draw() -> Figure:
    """ROC space with some of the tags on the left, the two ways of choosing on the right."""
    with (Path(__file__).parent / "data" / "sonar_trees.csv").open(newline="") as file:
        trees = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    fpr = [tree["fp"] / (tree["fp"] + tree["tn"]) for tree in trees]
    tpr = [tree["tp"] / (tree["tp"] + tree["fn"]) for tree in trees]
    pcf = [tree["pcf"] for tree in trees]
    result = ic.curves.parameter_based(fpr, tpr, pcf=pcf)
    hull = ic.RocCurve.from_points(fpr, tpr).hull

    figure, (roc, cost) = plt.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
    roc.plot(hull.fpr, hull.tpr, color=BEST, linestyle=DASHES[0])
    roc.plot(fpr, tpr, "o", color=BUILT, markersize=4)
    for i in (0, 2, 5, 8, 10, 14, 16):  # the others lie too close to distinguish
        right = pcf[i] > 0.5
        place = {"xytext": (6, -9), "ha": "left"} if right else {"xytext": (-6, 3), "ha": "right"}
        roc.annotate(f"{pcf[i]:.2f}", (fpr[i], tpr[i]), textcoords="offset points", fontsize=9, color=INK, **place)
    roc.text(0.55, 0.5, "numbers: the pcf that\na tree was built for", color=INK)
    roc.text(0.6, 0.86, "hull", color=BEST)
    roc.set(title="ROC space", xlabel=AXIS_LABELS["fpr"], ylabel=AXIS_LABELS["tpr"])
    roc.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")

    # The ends of every piece of the difference: all jumps and kinks of both curves.
    at, extra = result.excess.ends
    lowest = result.base(at)
    price = lowest + extra
    cost.fill_between(at, lowest, price, color=BUILT, alpha=0.2, linewidth=0)
    cost.plot([0, 0.5, 1], [0, 0.5, 0], ":", color=MUTED, linewidth=1)
    cost.plot(at, price, color=BUILT, linewidth=1.2)
    cost.plot(at, lowest, color=BEST)
    cost.text(0.4, 0.46, "flag nobody", ha="right", color=MUTED)
    cost.text(0.6, 0.46, "flag everybody", color=MUTED)
    cost.text(0.99, 0.31, f"tree built for the\nnearest pcf: area {result.total.area():.3f}", ha="right", color=BUILT)
    cost.text(0.5, 0.17, f"lower envelope: area {result.base.area():.3f}", ha="center", color=BEST)
    cost.text(0.5, 0.1, f"price, shaded: area {result.excess_loss:.3f}", ha="center", color=BUILT)
    cost.set(title="Cost space", xlabel=AXIS_LABELS["pcf"], ylabel=AXIS_LABELS["normalised_cost"])
    cost.set(xlim=(0, 1), ylim=(0, 0.55))
    return figure

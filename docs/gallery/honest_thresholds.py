"""How much of the best threshold's promise is kept.

Half of the German credit customers choose the thresholds of a random forest, the other half pay for them; the curves are means over 200
random halves. On the left the best threshold at each condition. Dotted is the promise: the lower envelope of the choosing half, where each
threshold is judged by the cases it was chosen on. Solid is what the same thresholds cost on the other half: more, nearly everywhere, since
the best of many thresholds is partly luck. On the right the rate-driven choice, which fits nothing to the labels: it costs nearly what it
promises. All the same the best thresholds, paid for honestly, are much cheaper here: 0.162 against 0.208 in all.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.plots import AXIS_LABELS, DASHES, INK, PALETTE

SPLITS = 200


def draw() -> Figure:
    """Promise and payment for two ways of choosing."""
    y_true, scores = load_german_credit_predictions()
    rng = np.random.default_rng(0)
    x = np.linspace(0, 1, 401)
    methods = ("best", "rate_driven")
    promised, paid = ({method: np.zeros_like(x) for method in methods} for _ in range(2))
    areas = {method: np.zeros(2) for method in methods}
    for _ in range(SPLITS):
        first = rng.permutation(y_true.size) < y_true.size // 2
        chosen, other = (
            ic.RocCurve.from_scores(y_true[half], scores["random_forest"][half]) for half in (first, ~first)
        )
        for method in methods:
            axis = {"axis": "cost_proportion", "prevalence": 0.3}
            promise = ic.cost_curve(chosen, method=method, **axis)
            payment = ic.cost_curve(other, method=method, thresholds_from=chosen, **axis)
            promised[method] += promise(x) / SPLITS
            paid[method] += payment(x) / SPLITS
            areas[method] += np.array([promise.area(), payment.area()]) / SPLITS

    figure, panels = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
    for panel, method in zip(panels, methods, strict=True):
        panel.plot(x, promised[method], color=INK, linestyle=":")
        panel.plot(x, paid[method], color=PALETTE[0], linestyle=DASHES[0])
        top = float(paid[method].max())
        panel.text(0.5, top + 0.015, f"paid: area {areas[method][1]:.4f}", ha="center", color=PALETTE[0])
        panel.text(0.55, 0.1, f"promised: area {areas[method][0]:.4f}", ha="center", color=INK)
        panel.set(title=f"{method.replace('_', '-').capitalize()} thresholds", xlabel=AXIS_LABELS["cost_proportion"])
        panel.set(xlim=(0, 1), ylim=(0, 0.4))
    panels[0].set_ylabel("cost")
    return figure

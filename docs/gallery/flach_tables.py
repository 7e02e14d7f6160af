"""Metrics, impurities and effective skews in one table.

Tables 1 to 4 of Flach (2003), computed: the contingency table in counts; the metrics with their values at one point, their
skew-insensitive version (c = 1) and how sensitive they are; the relative impurity of a split; and the effective skew, the slope
of the isometric through the point. The point is fpr 0.2, tpr 0.6 with c = 2, the contingency table at the top. Formulas are on
[the page of the metrics](../../reference/point-metrics.md). The table corrects two slips of the print: see the
[errata](../../explanation/errata.md).
"""

import isocost as ic

TP, FN, FP, TN = 30, 20, 20, 80
METRICS = (
    "accuracy",
    "precision",
    "f_measure",
    "g_measure",
    "wracc",
    "information_gain",
    "gini_split",
    "dkm_split",
    "gini_roc",
)
INSENSITIVE = {"strong": "strongly insensitive", "weak": "weakly insensitive", "sensitive": "sensitive"}


def tables() -> dict[str, list[list[str]]]:
    """Return the counts, the metrics and the impurities, each with a row of heads."""
    fpr, tpr, c = FP / (FP + TN), TP / (TP + FN), (FP + TN) / (TP + FN)
    rows = [["metric", f"at c = {c:g}", "at c = 1", "to the skew it is", "effective skew"]]
    for name in METRICS:
        metric = getattr(ic.metrics, name)
        values = f"{float(metric(fpr, tpr, c)):.4f}", f"{float(metric(fpr, tpr, 1.0)):.4f}"
        slope = float(ic.metrics.effective_skew(name, fpr, tpr, skew_ratio=c))
        rows.append([name.replace("_", " "), *values, INSENSITIVE[ic.metrics.skew_sensitivity(name)], f"{slope:.4f}"])
    counts = [
        ["positive", TP, FN, TP + FN],
        ["negative", FP, TN, FP + TN],
        ["all", TP + FP, FN + TN, TP + FN + FP + TN],
    ]
    gini = (1 + c) * tpr * fpr / (tpr + c * fpr)
    dkm = (tpr * fpr) ** 0.5
    return {
        "The contingency table": [["", "flagged", "cleared", "all"], *([str(cell) for cell in row] for row in counts)],
        "Metrics at that point": rows,
        "Relative impurity of the flagged child": [
            ["impurity", "value"],
            ["Gini", f"{gini:.4f}"],
            ["DKM", f"{dkm:.4f}"],
        ],
    }

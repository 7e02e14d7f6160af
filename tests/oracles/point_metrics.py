"""Every metric from the counts of a confusion matrix, by its textbook definition: slow and obvious."""

import math
from fractions import Fraction


def _ratio(a, b):
    return Fraction(a, b) if b else None


def linear(tp, fn, fp, tn, *, beta=1, threshold=Fraction(1, 2), m=2):
    """Metrics with rational values, exactly; None where nobody is flagged and the definition is 0/0."""
    n = tp + fn + fp + tn
    precision, recall = _ratio(tp, tp + fp), Fraction(tp, tp + fn)
    return {
        "accuracy": Fraction(tp + tn, n),
        "precision": precision,
        "npv": _ratio(tn, fn + tn),
        "recall": recall,
        "specificity": Fraction(tn, fp + tn),
        "balanced_accuracy": (recall + Fraction(tn, fp + tn)) / 2,
        "youden": recall + Fraction(tn, fp + tn) - 1,
        "kappa": _ratio(2 * (tp * tn - fn * fp), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)),
        "lift": None if precision is None else precision * Fraction(n, tp + fn),
        "f_measure": (1 + beta**2) * tp / Fraction((1 + beta**2) * tp + beta**2 * fn + fp),
        "g_measure": Fraction(tp, fp + tp + fn),
        "wracc": Fraction(tp, n) - Fraction(tp + fp, n) * Fraction(tp + fn, n),
        "net_benefit": Fraction(tp, n) - Fraction(fp, n) * threshold / (1 - threshold),
        "laplace": Fraction(tp + 1, tp + fp + 2),
        "m_estimate": (tp + m * Fraction(tp + fn, n)) / (tp + fp + m) if tp + fp + m else None,
    }


def entropy(p, n):
    """Entropy of two shares in bits."""
    return -sum(x * math.log2(x) for x in (p, n) if x > 0)


def gini(p, n):
    """Gini index scaled to [0, 1]."""
    return 4 * p * n


def dkm(p, n):
    """Impurity of Dietterich, Kearns and Mansour."""
    return 2 * math.sqrt(p * n)


def impurity_split(impurity, tp, fn, fp, tn):
    """Impurity of the parent less the weighted impurities of the two children."""
    n = tp + fn + fp + tn
    children = sum((a + b) / n * impurity(a / (a + b), b / (a + b)) for a, b in ((tp, fp), (fn, tn)) if a + b > 0)
    return impurity((tp + fn) / n, (fp + tn) / n) - children


def chi_squared(tp, fn, fp, tn):
    """Sum over the four cells of (observed - expected)²/expected."""
    n = tp + fn + fp + tn
    rows, columns = (tp + fn, fp + tn), (tp + fp, fn + tn)
    total = Fraction(0)
    for observed, row, column in ((tp, 0, 0), (fn, 0, 1), (fp, 1, 0), (tn, 1, 1)):
        expected = Fraction(rows[row] * columns[column], n)
        if expected:
            total += (observed - expected) ** 2 / expected
    return total


def correlation(tp, fn, fp, tn):
    """Pearson correlation of class and flag, case by case; 0 if the flag is constant."""
    cases = [(1, 1)] * tp + [(1, 0)] * fn + [(0, 1)] * fp + [(0, 0)] * tn
    n = len(cases)
    mean_y, mean_f = Fraction(sum(y for y, _ in cases), n), Fraction(sum(f for _, f in cases), n)
    cov = sum((y - mean_y) * (f - mean_f) for y, f in cases)
    var = sum((y - mean_y) ** 2 for y, _ in cases) * sum((f - mean_f) ** 2 for _, f in cases)
    return float(cov) / math.sqrt(var) if var else 0.0

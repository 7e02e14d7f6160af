"""Slow and obvious answers to a question: every rule of every model tried, and linear programmes over mixtures."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def rules_of(y, scores):
    """Return (model, flags) of every rule: nobody, everybody, then the models as given, those that flag fewest first."""
    y = np.asarray(y)
    found = [("always-negative", np.zeros(y.size, bool)), ("always-positive", np.ones(y.size, bool))]
    for name, given in scores.items():
        score = np.asarray(given)
        own = [(name, score >= cut) for cut in sorted(set(score.tolist()), reverse=True)]
        found += [(m, flags) for m, flags in own if not flags.all()] or own
    return found


def rates(y, flags):
    """Return fpr and tpr as exact numbers."""
    y = np.asarray(y) == 1
    fp, tp = int((flags & ~y).sum()), int((flags & y).sum())
    return Fraction(fp, int((~y).sum())), Fraction(tp, int(y.sum()))


def cost(condition, fpr, tpr):
    """Return what rates cost per case at a condition, a dict of exact numbers."""
    p = condition["prevalence"]
    right = (1 - p) * condition["cost_tn"] + p * condition["cost_tp"]
    wrong = (1 - p) * (condition["cost_fp"] - condition["cost_tn"]) * fpr
    return right + wrong + p * (condition["cost_fn"] - condition["cost_tp"]) * (1 - tpr)


def keeps(limits, prevalence, fpr, tpr):
    """Return whether rates keep every limit, exactly; nobody flagged keeps every precision."""
    flagged = prevalence * tpr + (1 - prevalence) * fpr
    kept = {
        "max_flagged": lambda v: flagged <= v,
        "min_precision": lambda v: flagged == 0 or prevalence * tpr >= v * flagged,
        "max_fpr": lambda v: fpr <= v,
        "min_tpr": lambda v: tpr >= v,
    }
    return all(kept[kind](value) for kind, value in limits.items())


def best(y, scores, condition, limits, worst_of=()):
    """Return the first of the cheapest rules that keep the limits as (cost, model, fpr, tpr); None if there is none."""
    found = None
    for model, flags in rules_of(y, scores):
        fpr, tpr = rates(y, flags)
        if not keeps(limits, condition["prevalence"], fpr, tpr):
            continue
        price = cost(condition, fpr, tpr)
        key = (max(cost(corner, fpr, tpr) for corner in worst_of), price) if worst_of else (price,)
        if found is None or key < found[0]:
            found = key, model, fpr, tpr
    return found


def mixed(y, scores, condition, limits, corners=()):
    """Return the least cost (or least worst cost over corners) of any random mixture of rules, by a linear programme; None if none."""
    from scipy.optimize import linprog

    points = [tuple(map(float, rates(y, flags))) for _, flags in rules_of(y, scores)]
    x, t = (np.array(column) for column in zip(*points, strict=True))
    at = {name: float(value) for name, value in condition.items()}
    p, rows, bounds = at["prevalence"], [], []
    lines = {
        "max_flagged": lambda v: (p * t + (1 - p) * x, v),
        "min_precision": lambda v: (v * (p * t + (1 - p) * x) - p * t, 0.0),
        "max_fpr": lambda v: (x, v),
        "min_tpr": lambda v: (-t, -v),
    }
    for kind, value in limits.items():
        row, bound = lines[kind](float(value))
        rows.append(row)
        bounds.append(bound)
    one = np.ones(x.size)
    if not corners:
        solved = linprog(cost(at, x, t), rows or None, bounds or None, [one], [1.0])
        return None if solved.status else float(solved.fun)
    many = [cost({k: float(v) for k, v in corner.items()}, x, t) for corner in corners]
    rows = [np.append(row, 0.0) for row in rows] + [np.append(row, -1.0) for row in many]
    ends = [(0, None)] * x.size + [(None, None)]
    solved = linprog(np.append(0 * x, 1.0), rows, bounds + [0.0] * len(many), [np.append(one, 0.0)], [1.0], ends)
    return None if solved.status else float(solved.fun)

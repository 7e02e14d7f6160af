"""What the page says at the author's condition, computed in Python: the twin of `facts` in page/core.js."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

from isocost.validate import Floats

NOBODY, EVERYBODY = -1, -2
SCALE = 65535
LEVEL = 0.95
CLEAR, PROBABLE = 0.975, 0.8


def facts(summary: dict[str, Any], at: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return who to deploy, at which threshold, against whom and how sure, at a condition (the summary's own by default)."""
    start = summary["condition"] if at is None else at
    belief = summary["belief"] if at is None else None
    p = start["prevalence"]
    fp, fn = start["cost_fp"] - start["cost_tn"], start["cost_fn"] - start["cost_tp"]
    worst = fp * (1 - p) + fn * p
    t, pcf = fp * (1 - p) / worst, fn * p / worst
    low, high = spread(start, pcf / (1 - pcf), pcf)
    if belief is not None:
        low, high = belief["low"], belief["high"]
    unsure = high > low
    if unsure:
        pcf = (low + high) / 2 if belief is None else belief["mean"]
        t = 1 - pcf
    factor = 1.0 if unsure else 1000 * worst
    floor = 0.0 if unsure else 1000 * (start["cost_tn"] * (1 - p) + start["cost_tp"] * p)
    rows = [_row(model["name"], i, *_best(model, t), p, t) for i, model in enumerate(summary["models"])]
    ends = [_row("Flag nobody", NOBODY, 0.0, 0.0, None, p, t), _row("Flag everybody", EVERYBODY, 1.0, 1.0, None, p, t)]
    point, win = _winning(summary, t)
    chosen = ends[-1 - win["model"]] if win["model"] < 0 else rows[win["model"]]
    costs = decoded(summary["replicates"], len(rows))
    draws = None if costs is None else at_pcf(costs, np.asarray(summary["replicates"]["grid"]), pcf)
    portions = None if draws is None else shares(draws, pcf)
    for row in (*rows, *ends):
        row["amount"] = floor + factor * row["cost"]
        row["extra"] = max(t * (row["fpr"] - chosen["fpr"]) + (1 - t) * (chosen["tpr"] - row["tpr"]), 0.0)
        row["extra_amount"] = factor * row["extra"]
        if draws is None or portions is None:
            row["share"] = row["interval"] = row["extra_interval"] = None
            continue
        row["share"] = portions[row["model"]]
        own, best = (_costs(r["model"], draws, pcf) for r in (row, chosen))
        row["interval"] = [floor + factor * v for v in _interval(own)]
        row["extra_interval"] = None if row is chosen else [factor * v for v in _interval(own - best)]
    rivals = [r for r in (*(r for r in rows if not trivial(r)), *ends) if r is not chosen]
    rivals.sort(key=lambda r: r["extra"])
    a, b = win["reach"]
    share = chosen["share"]
    grade = (
        None
        if share is None
        else "clear"
        if share >= CLEAR - 1e-9
        else "probable"
        if share >= PROBABLE - 1e-9
        else "open"
    )
    return {
        "t": t, "pcf": pcf, "unsure": unsure, "low": low, "high": high, "rows": rows, "ends": ends, "chosen": chosen, "rivals": rivals,
        "ratio": [_ratio(b, p), _ratio(a, p)], "prevalence": [_prevalence(b, fp, fn), _prevalence(a, fp, fn)],
        "reach": [1 - b, 1 - a], "grade": grade, "thin": point["thin"],
        "follow": _follow(summary, low, high, belief, costs) if unsure else None,
    }  # fmt: skip


def spread(start: dict[str, Any], odds: float, pcf: float) -> tuple[float, float]:
    """Return the range of pcf of a condition whose cost ratio may be lower or higher by the factors it names."""
    below, above = (math.inf if start[k] is None else start[k] for k in ("below", "above"))
    low = pcf if below == 1 else odds / below / (1 + odds / below)
    high = pcf if above == 1 else 1.0 if math.isinf(above) else odds * above / (1 + odds * above)
    return low, high


def trivial(row: dict[str, Any]) -> bool:
    """Return whether a row's best choice is to flag nobody or everybody."""
    return (row["fpr"], row["tpr"]) in ((0.0, 0.0), (1.0, 1.0))


def decoded(replicates: dict[str, Any] | None, models: int) -> Floats | None:
    """Return the costs of every replicate, shape (models, replicates, grid)."""
    if replicates is None:
        return None
    grid = np.asarray(replicates["grid"])
    steps = np.frombuffer(base64.b64decode(replicates["data"]), dtype="<u2").reshape(models, replicates["n"], grid.size)
    return np.asarray(steps / SCALE * np.minimum(grid, 1 - grid))


def at_pcf(costs: Floats, grid: Floats, pcf: float) -> Floats:
    """Return costs at one pcf, straight between the grid's, shape (models, replicates)."""
    j = int(np.clip(np.searchsorted(grid, pcf, side="right") - 1, 0, grid.size - 2))
    u = (pcf - grid[j]) / (grid[j + 1] - grid[j])
    return np.asarray((1 - u) * costs[:, :, j] + u * costs[:, :, j + 1])


def shares(draws: Floats, pcf: float) -> dict[int, float]:
    """Return in which share of replicates each model, or flagging nobody or everybody, is cheapest; ties are split."""
    trivial_cost = min(pcf, 1 - pcf)
    # Costs are stored in steps of 1/65535 of the trivial cost.
    step = 1.5 / SCALE * trivial_cost
    least = draws.min(axis=0)
    none = least >= trivial_cost - step
    tied = (draws <= least + step) & ~none
    portion = (tied / np.maximum(tied.sum(axis=0), 1)).mean(axis=1)
    result = dict(enumerate(portion.tolist()))
    nothing = float(none.mean())
    return result | {NOBODY: nothing if pcf <= 0.5 else 0.0, EVERYBODY: 0.0 if pcf <= 0.5 else nothing}


def _costs(model: int, draws: Floats, pcf: float) -> Floats:
    if model >= 0:
        return np.asarray(draws[model])
    return np.full(draws.shape[1], pcf if model == NOBODY else 1 - pcf)


def _interval(values: Floats) -> list[float]:
    return [float(v) for v in np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])]


def _best(model: dict[str, Any], t: float) -> tuple[float, float, float | None]:
    fp, tp = (np.asarray(model["hull"][k], dtype=float) for k in ("fp", "tp"))
    rise, run = np.diff(tp)[::-1] * fp[-1], np.diff(fp)[::-1] * tp[-1]
    v = int(fp.size - 1 - np.searchsorted(rise / (rise + run), t, side="right"))
    return float(fp[v] / fp[-1]), float(tp[v] / tp[-1]), model["hull"]["threshold"][v]


def _row(name: str, model: int, fpr: float, tpr: float, cut: float | None, p: float, t: float) -> dict[str, Any]:
    flagged = p * tpr + (1 - p) * fpr
    precision = p * tpr / flagged if flagged > 0 else None
    cost = t * fpr + (1 - t) * (1 - tpr)
    return {
        "name": name, "model": model, "fpr": fpr, "tpr": tpr, "threshold": cut,
        "flagged": flagged, "precision": precision, "cost": cost,
    }  # fmt: skip


def _winning(summary: dict[str, Any], t: float) -> tuple[dict[str, Any], dict[str, Any]]:
    pairs = [(point, win) for win in summary["winners"] for point in win["points"]]
    return next((pair for pair in pairs if t < pair[0]["t_high"]), pairs[-1])


def _follow(
    summary: dict[str, Any], low: float, high: float, belief: dict[str, Any] | None, costs: Floats | None
) -> dict[str, Any]:
    if belief is not None:
        return dict(belief["follow"])
    from isocost.cost_space.curve import CostCurve

    means = []
    for model in summary["models"]:
        fp, tp = (np.asarray(model["hull"][k], dtype=float) for k in ("fp", "tp"))
        fpr, tpr = fp / fp[-1], tp / tp[-1]
        run, rise = np.diff(fpr), np.diff(tpr)
        curve = CostCurve.from_lines(np.concatenate([[0.0], run / (run + rise), [1.0]]), fpr, 1 - tpr)
        means.append(curve.area(low, high) / (high - low))
    best = int(np.argmin(means))
    found: dict[str, Any] = {"model": best, "mean": means[best]}
    if costs is not None:
        grid = np.asarray(summary["replicates"]["grid"])
        edges = np.concatenate([[low], grid[(grid > low) & (grid < high)], [high]])
        values = np.array([at_pcf(costs[[best]], grid, z)[0] for z in edges])
        found["interval"] = _interval(np.trapezoid(values, edges, axis=0) / (high - low))
    return found


def _ratio(t: float, p: float) -> float:
    return math.inf if t <= 0 else (1 - t) / t * (1 - p) / p


def _prevalence(t: float, fp: float, fn: float) -> float:
    return fp * (1 - t) / (fp * (1 - t) + fn * t)

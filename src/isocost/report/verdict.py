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
# The middle 95 % of a normal distribution lie within so many standard deviations.
NORMAL = 1.959963984540054
STEP = 0.01


def facts(summary: dict[str, Any], at: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return who to deploy, at which threshold, against whom and how sure, at a condition (the summary's own by default)."""
    start = summary["condition"] if at is None else at
    belief = summary["belief"] if at is None else None
    p = start["prevalence"]
    fp, fn = start["cost_fp"] - start["cost_tn"], start["cost_fn"] - start["cost_tp"]
    worst = fp * (1 - p) + fn * p
    t, pcf = fp * (1 - p) / worst, fn * p / worst
    doubt = _doubt(start, belief, pcf, fp * (1 - p))
    low, high = doubt["low"], doubt["high"]
    unsure = high > low
    if unsure:
        pcf = doubt["centre"]
        t = 1 - pcf
    factor = 1000 * (worst if doubt["stake"] is None else doubt["stake"])
    floor = 1000 * (start["cost_tn"] * (1 - p) + start["cost_tp"] * p)
    rows = [
        _row(model["name"], i, *_best(model, t), p, t, alone=_alone(model)) for i, model in enumerate(summary["models"])
    ]
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
        row["interval"] = [floor + factor * v for v in limits(own)]
        row["extra_interval"] = None if row is chosen else [factor * v for v in limits(own - best)]
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
        "follow": _follow(summary, doubt, costs, floor, factor) if unsure else None,
        "alike": None if doubt["stake"] is None else _alike(summary, doubt["mean"], chosen),
        "expected": doubt["stake"] is not None or not unsure,
    }  # fmt: skip


def _doubt(start: dict[str, Any], belief: dict[str, Any] | None, pcf: float, alarms: float) -> dict[str, Any]:
    """Return what is known of an unsure condition.

    `low`, `high`, `mean` are those of pcf. A fixed choice costs on average what it costs at `centre`, in units of `stake`, the mean cost of
    getting a case wrong. Where that is not known (None) it is held at the condition's own, and the centre is the mean.
    """
    if belief is not None:
        return {k: belief[k] for k in ("low", "high", "mean", "centre", "stake", "follow")}
    below, above = (math.inf if start[k] is None else start[k] for k in ("below", "above"))
    odds = pcf / (1 - pcf)
    if start.get("shape") == "bell" and below * above > 1:
        factor = math.sqrt(below * above)
        sigma = math.log(factor) / NORMAL
        z, weight, stake = bell(odds, sigma)
        low, high = odds / factor / (1 + odds / factor), odds * factor / (1 + odds * factor)
        return {
            "low": low, "high": high, "mean": float(z @ (weight * (1 - z))) * stake, "centre": float(z @ weight), "stake": alarms * stake,
            "nodes": (z, weight),
        }  # fmt: skip
    low = pcf if below == 1 else odds / below / (1 + odds / below)
    high = pcf if above == 1 else 1.0 if math.isinf(above) else odds * above / (1 + odds * above)
    return {"low": low, "high": high, "mean": (low + high) / 2, "centre": (low + high) / 2, "stake": None}


def bell(odds: float, sigma: float) -> tuple[Floats, Floats, float]:
    """Return values of pcf and their weights when a miss has log-normal cost, and the mean cost of getting a case wrong.

    That is in units of what false alarms carry of it. Dear conditions weigh more: each counts as much as is at stake. By the trapezoidal
    rule, which is superb for a normal density; the ends are where nothing is left of it.
    """
    u = np.arange(-round(8.5 / STEP), round((8.5 + sigma) / STEP) + 1) * STEP
    ratio = np.exp(math.log(odds) + sigma * u)
    density = np.exp(-(u**2) / 2)
    weight = density * (1 + ratio)
    return ratio / (1 + ratio), weight / weight.sum(), float(weight.sum() / density.sum())


def _alike(summary: dict[str, Any], pcf: float, chosen: dict[str, Any]) -> dict[str, Any] | None:
    """Return what would be chosen if all conditions weighed alike; None if that is the same."""
    t = 1 - pcf
    _, win = _winning(summary, t)
    if win["model"] < 0:
        end = -1.0 - win["model"]
        best = _row("", win["model"], end, end, None, 0.5, t)
    else:
        model = summary["models"][win["model"]]
        best = _row(model["name"], win["model"], *_best(model, t), 0.5, t, alone=_alone(model))
    same = (best["fpr"], best["tpr"]) == (chosen["fpr"], chosen["tpr"])
    return None if same else best


def _alone(model: dict[str, Any]) -> bool:
    return len(model["hull"]["fp"]) <= 3


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


def limits(values: Floats) -> list[float]:
    """Return the middle `LEVEL` of replicates."""
    return [float(v) for v in np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])]


def _best(model: dict[str, Any], t: float) -> tuple[float, float, float | None]:
    fp, tp = (np.asarray(model["hull"][k], dtype=float) for k in ("fp", "tp"))
    rise, run = np.diff(tp)[::-1] * fp[-1], np.diff(fp)[::-1] * tp[-1]
    v = int(fp.size - 1 - np.searchsorted(rise / (rise + run), t, side="right"))
    return float(fp[v] / fp[-1]), float(tp[v] / tp[-1]), model["hull"]["threshold"][v]


def _row(
    name: str, model: int, fpr: float, tpr: float, cut: float | None, p: float, t: float, *, alone: bool = True
) -> dict[str, Any]:
    flagged = p * tpr + (1 - p) * fpr
    precision = p * tpr / flagged if flagged > 0 else None
    cost = t * fpr + (1 - t) * (1 - tpr)
    return {
        "name": name, "model": model, "fpr": fpr, "tpr": tpr, "threshold": cut,
        "flagged": flagged, "precision": precision, "cost": cost, "alone": alone,
    }  # fmt: skip


def _winning(summary: dict[str, Any], t: float) -> tuple[dict[str, Any], dict[str, Any]]:
    pairs = [(point, win) for win in summary["winners"] for point in win["points"]]
    return next((pair for pair in pairs if t < pair[0]["t_high"]), pairs[-1])


def _follow(
    summary: dict[str, Any], doubt: dict[str, Any], costs: Floats | None, floor: float, factor: float
) -> dict[str, Any]:
    found = dict(doubt["follow"]) if "follow" in doubt else _following(summary, doubt, costs)
    found["amount"] = floor + factor * found["mean"]
    if "interval" in found:
        found["interval"] = [floor + factor * v for v in found["interval"]]
    return found


def _following(summary: dict[str, Any], doubt: dict[str, Any], costs: Floats | None) -> dict[str, Any]:
    """Return the model that is cheapest on average when each threshold may follow the condition."""
    from isocost.cost_space.curve import CostCurve

    low, high = doubt["low"], doubt["high"]
    means = []
    for model in summary["models"]:
        fp, tp = (np.asarray(model["hull"][k], dtype=float) for k in ("fp", "tp"))
        fpr, tpr = fp / fp[-1], tp / tp[-1]
        run, rise = np.diff(fpr), np.diff(tpr)
        curve = CostCurve.from_lines(np.concatenate([[0.0], run / (run + rise), [1.0]]), fpr, 1 - tpr)
        if "nodes" in doubt:
            z, weight = doubt["nodes"]
            means.append(float(curve(z) @ weight))
        else:
            means.append(curve.area(low, high) / (high - low))
    best = int(np.argmin(means))
    found: dict[str, Any] = {"model": best, "mean": means[best]}
    if costs is not None:
        grid = np.asarray(summary["replicates"]["grid"])
        if "nodes" in doubt:
            z, weight = doubt["nodes"]
            found["interval"] = limits(np.array([np.interp(z, grid, draw) @ weight for draw in costs[best]]))
            return found
        edges = np.concatenate([[low], grid[(grid > low) & (grid < high)], [high]])
        values = np.array([at_pcf(costs[[best]], grid, z)[0] for z in edges])
        found["interval"] = limits(np.trapezoid(values, edges, axis=0) / (high - low))
    return found


def _ratio(t: float, p: float) -> float:
    return math.inf if t <= 0 else (1 - t) / t * (1 - p) / p


def _prevalence(t: float, fp: float, fn: float) -> float:
    return fp * (1 - t) / (fp * (1 - t) + fn * t)

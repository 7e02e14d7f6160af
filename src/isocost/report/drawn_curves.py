"""Models as the page holds them: the hull exactly, all other points as far as they can be seen or are asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition
from isocost.cost_space import cost_curve
from isocost.cost_space.kendall import kendall_curve
from isocost.cost_space.shares import Shares
from isocost.errors import InputError, IsocostError
from isocost.report.calibration_test import calibration
from isocost.roc_space import RocCurve

METHODS = ("rate_driven", "kendall", "score_driven")
# So many points of all models together keep the file small; a curve of fewer is drawn as it is.
_MOST_POINTS = 5000
_LEAST_DRAWN = 200
_MOST_DRAWN = 1000


def drawn_model(curve: RocCurve, condition: Condition, models: int) -> dict[str, Any]:
    """Return what the page needs of a model."""
    if not isinstance(curve, RocCurve):
        raise InputError(
            f"a report needs models measured on data, {curve.name!r} is a {type(curve).__name__}; "
            "sample it first with RocCurve.from_points(curve.fpr, curve.tpr)"
        )
    hull = curve.hull
    unavailable = {name: why for name in METHODS if (why := _why_not(curve, name)) is not None}
    drawn = _thinned(curve, condition, max(_LEAST_DRAWN, min(_MOST_DRAWN, _MOST_POINTS // models)), unavailable)
    scores = None if "score_driven" in unavailable else [finite(v) for v in curve.thresholds[drawn].tolist()]
    return {
        "name": str(curve.name),
        "positives": number(curve.positives),
        "negatives": number(curve.negatives),
        "hull": {
            "fp": plain(hull.fp),
            "tp": plain(hull.tp),
            "threshold": [finite(v) for v in hull.thresholds.tolist()],
        },
        "roc": {
            "fp": plain(curve.fp[drawn]),
            "tp": plain(curve.tp[drawn]),
            "threshold": scores,
            "within": 0 if curve.exact else curve.bounds("auc").width,
        },
        "unavailable": unavailable,
        "calibration": calibration(curve),
    }


def _why_not(curve: RocCurve, method: str) -> str | None:
    """Return why thresholds of a model cannot be chosen in some way; None if they can."""
    try:
        if method == "kendall":
            kendall_curve(curve, axis="pcf")
        else:
            cost_curve(curve, method=method)  # type: ignore[arg-type]
    except IsocostError as error:
        return str(error)
    return None


def _thinned(curve: RocCurve, condition: Condition, most: int, unavailable: dict[str, str]) -> NDArray[np.intp]:
    """Return places of points that draw the curve as well as all would, and those that each method chooses at the condition."""
    if len(curve) <= most:
        return np.arange(len(curve))
    wanted = np.searchsorted(curve.fpr + curve.tpr, np.linspace(0, 2, most))
    share = condition.cost_proportion
    asked = [np.searchsorted(Shares.of(curve, "cost_proportion", condition.prevalence).rate, share)]
    if "score_driven" not in unavailable:
        asked.append(np.searchsorted(1 - curve.thresholds[1:], share, side="right"))
    beside = np.asarray(asked)[:, None] + np.array([-1, 0, 1])
    return np.unique(np.clip(np.concatenate([wanted, beside.ravel()]), 0, len(curve) - 1))


def finite(value: float) -> float | None:
    """Return a number, or None for what JSON has no word for."""
    return value if math.isfinite(value) else None


def number(value: float | None) -> float | int | None:
    """Return a count, whole if it is."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


def plain(values: Any) -> list[float]:
    """Return numbers as JSON writes them shortest: whole ones without a point."""
    return [int(v) if v == int(v) else v for v in np.asarray(values).tolist()]

"""Models as the page holds them: every rule that fits, and what is odd about their scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from isocost.curves import RocCurve, cost_curve
from isocost.curves.cost import kendall_curve
from isocost.decide.cautions import ranks_backwards, separates
from isocost.decide.decision import same_curve
from isocost.decide.question import Question
from isocost.errors import InputError, IsocostError
from isocost.numbers import shorten
from isocost.report import packing
from isocost.report.calibration_test import calibration

METHODS = ("rate_driven", "kendall", "score_driven")


def models_of(curves: Sequence[RocCurve], question: Question | None = None) -> list[dict[str, Any]]:
    """Return what the page needs of each model."""
    for curve in curves:
        if not isinstance(curve, RocCurve):
            raise InputError(
                f"a report needs models measured on data, {curve.name!r} is a {type(curve).__name__}; "
                "sample it first with RocCurve.from_points(curve.fpr, curve.tpr)"
            )
    short = shorten([str(curve.name) for curve in curves], 22)
    return [
        {
            "name": str(curve.name), "short": short[i], "positives": number(curve.positives), "negatives": number(curve.negatives),
            "prevalence": curve.prevalence, "backwards": ranks_backwards(curve), "flawless": separates(curve),
            "identical": [j for j, other in enumerate(curves) if j != i and same_curve(curve, other)],
            "table": packing.table(curve, len(curves), question),
            "unavailable": {name: why for name in METHODS if (why := _why_not(curve, name)) is not None},
            "calibration": calibration(curve),
        }
        for i, curve in enumerate(curves)
    ]  # fmt: skip


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


def number(value: float | None) -> float | int | None:
    """Return a count, whole if it is."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)

"""Models as the page holds them: the hull exactly, all other points as far as they can be seen or are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition
from isocost.cost_space import cost_curve
from isocost.cost_space.kendall import kendall_curve
from isocost.cost_space.shares import Shares
from isocost.decision.at_rate import worth_choosing
from isocost.decision.cautions import backwards
from isocost.decision.deciding import same_curve
from isocost.decision.numbers import threshold
from isocost.decision.review import NO_PATH
from isocost.decision.rules import next_below, point_rule
from isocost.decision.score_cautions import separates
from isocost.errors import InputError, IsocostError
from isocost.report.calibration_test import calibration
from isocost.results.plain import plain
from isocost.results.short_names import shorten
from isocost.roc_space import RocCurve
from isocost.roc_space.inexact import inner_at_best, is_complete, rising

METHODS = ("rate_driven", "kendall", "score_driven")
# So many points of all models together keep the file small; a curve of fewer is drawn as it is.
_MOST_POINTS = 5000
_LEAST_DRAWN = 200
_MOST_DRAWN = 1000


def drawn_models(curves: Sequence[RocCurve], condition: Condition) -> list[dict[str, Any]]:
    """Return what the page needs of each model."""
    for curve in curves:
        if not isinstance(curve, RocCurve):
            raise InputError(
                f"a report needs models measured on data, {curve.name!r} is a {type(curve).__name__}; "
                "sample it first with RocCurve.from_points(curve.fpr, curve.tpr)"
            )
    most = max(_LEAST_DRAWN, min(_MOST_DRAWN, _MOST_POINTS // len(curves)))
    found = [_drawn(curve, condition, most) for curve in curves]
    short = shorten([model["name"] for model in found], 22)
    for i, model in enumerate(found):
        model["short"] = short[i]
        model["identical"] = [j for j, other in enumerate(curves) if j != i and same_curve(curves[i], other)]
    return found


def _drawn(curve: RocCurve, condition: Condition, most: int) -> dict[str, Any]:
    hull = curve._inner_hull
    unavailable = {name: why for name in METHODS if (why := _why_not(curve, name)) is not None}
    places, exact = _thinned(curve, condition, most, unavailable)
    thresholds = [_short(curve, i) if i not in exact else plain(curve.thresholds[i]) for i in places.tolist()]
    if not curve._is_path:
        unavailable["review"] = NO_PATH
    points, inner = _points(hull, range(len(hull)), curve), _inner(curve)
    between = {key: None if held is None else held[1:-1] for key, held in points.items()}
    return {
        "name": str(curve.name),
        "positives": number(curve.positives),
        "negatives": number(curve.negatives),
        "prevalence": curve.prevalence,
        "backwards": bool(backwards([curve], str(curve.name))),
        "flawless": separates(curve),
        "hull": points,
        # Mostly the same points: said once, the file is a tenth smaller.
        "inner": "hull" if inner == between else inner,
        "finer": None if curve.exact else _finer(curve),
        "possible": None if curve.hull_is_exact else _rates(curve._optimistic.hull),
        "roc": {
            "fp": whole(curve.fp[places]),
            "tp": whole(curve.tp[places]),
            "threshold": thresholds,
            "rule": _rules(curve, places, curve),
            # The score next below is the next threshold, but for buckets.
            "below": None if curve.exact else [plain(next_below(curve, i, curve)) for i in places.tolist()],
            # Which points add several scores, and positives among them.
            "wide": None if curve.exact else np.flatnonzero(rising(curve)[places]).tolist(),
            "probabilities": "score_driven" not in unavailable,
            "complete": len(places) == len(curve) and is_complete(curve),
            "within": 0 if curve.exact else curve.bounds("auc").width,
        },
        "thinned": len(places) < len(curve),
        "unavailable": unavailable,
        "calibration": calibration(curve),
    }


def _points(curve: RocCurve, places: Iterable[int], whole_curve: RocCurve) -> dict[str, Any]:
    """Return points of a curve with their thresholds, the score next below each, and the rule of those that have none."""
    at = list(places)
    return {
        "fp": whole(curve.fp[at]),
        "tp": whole(curve.tp[at]),
        "threshold": plain(curve.thresholds[at]),
        "below": [plain(next_below(curve, i, whole_curve)) for i in at],
        "rule": _rules(curve, at, whole_curve),
    }


def _rates(hull: RocCurve) -> dict[str, Any]:
    return {"fp": whole(hull.fp), "tp": whole(hull.tp)}


def _rules(curve: RocCurve, places: Iterable[int], whole_curve: RocCurve) -> list[str] | None:
    at = list(places)
    if not np.isnan(curve.thresholds[at]).any():
        return None
    return [point_rule(curve, int(i), whole_curve) for i in at]


def _inner(curve: RocCurve) -> dict[str, Any] | None:
    """Return the points of which one is cheapest at each condition when somebody, but not everybody, is to be flagged."""
    inner = np.flatnonzero(((curve.fpr > 0) | (curve.tpr > 0)) & ((curve.fpr < 1) | (curve.tpr < 1)))
    if inner.size == 0:
        return None
    return _points(curve, inner[worth_choosing(curve, inner)].tolist(), curve)


def _finer(curve: RocCurve) -> dict[str, Any] | None:
    """Return the same where buckets of scores could be told apart at will."""
    best, inner = curve._optimistic, inner_at_best(curve)
    at = inner[worth_choosing(best, inner)] if inner.size else inner
    return {"fp": whole(best.fp[at]), "tp": whole(best.tp[at])} if at.size else None


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


def _thinned(
    curve: RocCurve, condition: Condition, most: int, unavailable: dict[str, str]
) -> tuple[NDArray[np.intp], set[int]]:
    """Return places of points that draw the curve as well as all would, with those of the hull, and those whose score matters.

    These are the points that each method chooses at the condition, or all if none is left out.
    """
    if len(curve) <= most:
        return np.arange(len(curve)), set(range(len(curve)))
    reached = curve.fpr + curve.tpr
    wanted = np.searchsorted(reached, np.linspace(0, 2, most))
    share = condition.cost_proportion
    asked = [np.searchsorted(Shares.of(curve, "cost_proportion", condition.prevalence).rate, share)]
    if "score_driven" not in unavailable:
        asked.append(np.searchsorted(1 - curve.thresholds[1:], share, side="right"))
    beside = np.clip((np.asarray(asked)[:, None] + np.array([-1, 0, 1])).ravel(), 0, len(curve) - 1)
    found = [wanted, beside]
    if curve.exact:
        found.append(np.searchsorted(reached, curve.hull.fpr + curve.hull.tpr))
    return np.unique(np.clip(np.concatenate(found), 0, len(curve) - 1)), set(beside.tolist())


def _short(curve: RocCurve, place: int) -> Any:
    """Return a threshold in as few digits as flag the same cases: of thousands, every digit counts."""
    cut = float(curve.thresholds[place])
    return plain(cut) if not np.isfinite(cut) else float(threshold(cut, next_below(curve, place, curve)))


def number(value: float | None) -> float | int | None:
    """Return a count, whole if it is."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


def whole(values: Any) -> list[float]:
    """Return numbers as JSON writes them shortest: whole ones without a point."""
    return [int(v) if v == int(v) else v for v in np.asarray(values).tolist()]

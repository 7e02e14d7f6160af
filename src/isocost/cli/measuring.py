"""Registered measures of several models as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from isocost.cli.output import Table

if TYPE_CHECKING:
    from isocost.conditions import Condition, Conditions
    from isocost.measures.registry import Measure
    from isocost.roc_space import RocCurve


def chosen(names: Sequence[str]) -> list[Measure]:
    """Return the measures of these names, or all."""
    from isocost.measures.registry import MEASURES, measure_named

    return [measure_named(name.replace("-", "_")) for name in dict.fromkeys(names)] or list(MEASURES.values())


def value(measure: Measure, curve: RocCurve, over: Condition | Conditions | None) -> float | None:
    """Return a measure of a curve, or None if it cannot have it."""
    return None if measure.unavailable(curve) is not None else float(measure(curve, over=over))


def values(
    curves: Sequence[RocCurve], measures: Sequence[Measure], over: Condition | Conditions | None
) -> dict[str, dict[str, float | None]]:
    """Return each model's measures by name."""
    return {str(curve.name): {m.name: value(m, curve, over) for m in measures} for curve in curves}


def table(
    found: Mapping[str, Mapping[str, float | None]], measures: Sequence[Measure], over: Condition | Conditions | None
) -> Table:
    """Return one row a measure and one column a model."""
    better = directions(measures)
    rows = [[m.name, better[m.name], *(row[m.name] for row in found.values())] for m in measures]
    return Table(["measure", "better", *found], rows, f"Measures ({'over all conditions' if over is None else over})")


def to_dicts(found: Mapping[str, Mapping[str, float | None]]) -> list[dict[str, Any]]:
    """Return what the JSON form says: a model and its measures by name."""
    return [{"model": model, "values": dict(row)} for model, row in found.items()]


def directions(measures: Sequence[Measure]) -> Mapping[str, str]:
    """Return which way each measure is better."""
    return {measure.name: "higher" if measure.higher_is_better else "lower" for measure in measures}

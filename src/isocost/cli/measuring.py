"""The library's table of measures, as it is printed and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from isocost.cli.text_table import TextTable

if TYPE_CHECKING:
    from isocost.comparison.measure_table import MeasureTable
    from isocost.conditions import Condition, Conditions
    from isocost.measures.registry import Measure


def chosen(names: Sequence[str]) -> list[Measure]:
    """Return the measures of these names, or all."""
    from isocost.measures.registry import MEASURES, measure_named

    return [measure_named(name.replace("-", "_")) for name in dict.fromkeys(names)] or list(MEASURES.values())


def printed(found: MeasureTable, over: Condition | Conditions | None) -> list[str | TextTable]:
    """Return one row a measure and one column a model, and why some have none."""
    better = directions(chosen(found.measures))
    # Bounds, where scores were counted together in buckets, are printed as what the measure lies between.
    rows = [[name, better[name], *(cell(row[name]) for row in found)] for name in found.measures]
    names = [row.name for row in found]
    title = f"Measures ({'over all conditions' if over is None else over})"
    reasons = [f"{name} is left out: {why}." for name, why in found.missing.items()]
    return [
        TextTable(["measure", "better", *names], rows, title, names=names),
        *(["\n".join(reasons)] if reasons else []),
    ]


def to_dicts(found: MeasureTable) -> list[dict[str, Any]]:
    """Return what the JSON form says: a model and its measures by name."""
    return [{"model": row["name"], "values": row["values"]} for row in found.to_dict()["rows"]]


def cell(value: Any) -> Any:
    """Return bounds as text, which says both ends; numbers as they are."""
    from isocost.measures import Bounds

    if isinstance(value, dict):
        value = Bounds(**value)
    return str(value) if isinstance(value, Bounds) else value


def directions(measures: Sequence[Measure]) -> dict[str, str]:
    """Return which way each measure is better."""
    return {measure.name: "higher" if measure.higher_is_better else "lower" for measure in measures}

"""The library's table of measures, as it is printed and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from isocost.cli.question_options import LIMITS
from isocost.cli.text_table import TextTable
from isocost.errors import InputError

if TYPE_CHECKING:
    from isocost.compare.table import MeasureTable
    from isocost.conditions import Condition, Conditions
    from isocost.measures.registry import Measure


def options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of measures that were given: limits, and rates."""
    found = {name: given[name] for name in LIMITS if given[name] is not None}
    return found if given["rates"] is None else found | {"between": given["rates"]}


def chosen(names: Sequence[str], asked: Mapping[str, Any] | None = None) -> list[Measure]:
    """Return the measures of these names, or all; with options, those that take one of them."""
    from isocost.measures.registry import MEASURES, measure_named

    named = [measure_named(name.replace("-", "_")) for name in dict.fromkeys(names)]
    for option in asked or {}:
        if named and not any(option in measure.options for measure in named):
            said = "--rates" if option == "between" else f"--{option.replace('_', '-')}"
            fit = ", ".join(measure.name for measure in MEASURES.values() if option in measure.options)
            raise InputError(f"{said} goes with {fit}, not with {', '.join(names)}")
    if asked and (apart := [m.name for m in named if not m.taken(asked)]):
        given = ", ".join("--rates" if option == "between" else f"--{option.replace('_', '-')}" for option in asked)
        raise InputError(f"{', '.join(apart)} cannot be measured with {given}: ask for it without")
    return [m for m in named or MEASURES.values() if not asked or m.taken(asked)]


def printed(
    found: MeasureTable, over: Condition | Conditions | None, asked: Mapping[str, Any] | None = None
) -> list[str | TextTable]:
    """Return one row per measure and one column per model, and why some have none."""
    better = directions(chosen(found.measures))
    rows = [[name, better[name], *(row[name] for row in found)] for name in found.measures]
    names = [row.name for row in found]
    title = f"Measures ({'over all conditions' if over is None else over}{_in_words(asked or {})})"
    reasons = [f"{name} is left out: {why}." for name, why in found.missing.items()]
    return [
        TextTable(["measure", "better", *names], rows, title, names=names),
        *(["\n".join(reasons)] if reasons else []),
    ]


def _in_words(asked: Mapping[str, Any]) -> str:
    """Return the options after the conditions."""
    said = [
        f"rates {value[0]:g} to {value[1]:g}" if name == "between" else f"{name.replace('_', ' ')} {100 * value:g} %"
        for name, value in asked.items()
    ]
    return "".join(f"; {text}" for text in said)


def to_dicts(found: MeasureTable) -> list[dict[str, Any]]:
    """Return what the JSON form says: a model and its measures by name."""
    return [{"model": row["name"], "values": row["values"]} for row in found.to_dict()["rows"]]


def directions(measures: Sequence[Measure]) -> dict[str, str]:
    """Return which way each measure is better."""
    return {measure.name: "higher" if measure.higher_is_better else "lower" for measure in measures}

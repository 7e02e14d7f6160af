"""isocost measure: numbers that sum up a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
import numpy as np

from isocost.cli import decisions, options
from isocost.cli.classes import scores_by_class
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session, command, condition_to_dict
from isocost.compare import Comparison, MeasureTable, one_vs_rest
from isocost.conditions import Condition, Conditions
from isocost.decide.question import LIMITS
from isocost.errors import InputError
from isocost.measures.registry import MEASURES, Measure, measure_named

# Options that have a meaning with --each-class.
_WITH_CLASSES = {
    "files", "names", "label", "scores", "weight", "missing", "decimal", "encoding", "memory", "each_class", "as_json", "output",
    "quiet", "verbose",
}  # fmt: skip


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    return [name for name in MEASURES if name.startswith(incomplete)]


@command(
    "FILES measure list DATA each-class average-folds cluster CONDITION pcf AMOUNTS LIMITS rates resamples level seed RESULT",
    complete={"measure": _complete},
)
def measure(session: Session) -> Answer:
    """Measure models. Measures that average over conditions do so over those given, or over all.

    With a limit, VOROS is computed among the rules that keep it. With --rates, the losses of rankings are computed between two
    shares of cases flagged. The table lists only measures to which the options given apply.

    \b
    Examples:
      isocost measure --list
      isocost measure predictions.csv --label y
      isocost measure predictions.csv --label y -m voros -m auc --resamples 2000
      isocost measure predictions.csv --label y --max-flagged 10% --min-precision 50%
      isocost measure predictions.csv --label y --rates 0.1:0.5
      isocost measure predictions.csv --label fraud --cost-fp 15 --cost-column amount -m mean_normalised_cost --resamples 1000
      isocost measure wines.csv --label cultivar --each-class -m auc -m auprg
      isocost measure predictions.csv --label y -m mean_normalised_cost --cost-fn 5:20 --prevalence 0.01:0.03
    """
    given = session.given
    if given["listing"]:
        return _list()
    asked = {name: given[name] for name in LIMITS if given[name] is not None}
    asked |= {} if given["rates"] is None else {"between": given["rates"]}
    measures = _chosen(given["names"], asked)
    if given["each_class"]:
        return _each_class(session, measures)
    over = session.over
    measured = Comparison(session.data.curves).table(over, measures=[measure.name for measure in measures], **asked)
    found = _intervals(session, measures, over, asked)
    values = [row | {"intervals": found.get(row["model"])} for row in to_dicts(measured)]
    level = given["level"] if found else None
    parts = [_with_intervals(values, given["level"])] if found else printed(measured, over, asked)
    return Answer(parts, _data(over, asked, measures, level, values))


def _data(
    over: Any, asked: Mapping[str, Any], measures: Sequence[Measure], level: Any, values: list[Any]
) -> dict[str, Any]:
    return {
        "condition": condition_to_dict(over), "options": asked, "better": {m.name: _better(m) for m in measures}, "level": level,
        "measures": values,
    }  # fmt: skip


def _better(measure: Measure) -> str:
    return "higher" if measure.higher_is_better else "lower"


def _chosen(names: Sequence[str], asked: Mapping[str, Any]) -> list[Measure]:
    """Return the measures of these names, or all; with options, those that take one of them."""
    named = [measure_named(name.replace("-", "_")) for name in dict.fromkeys(names)]
    spelt = {option: "--rates" if option == "between" else options.spelt(option) for option in asked}
    for option, said in spelt.items():
        if named and not any(option in measure.options for measure in named):
            fit = ", ".join(measure.name for measure in MEASURES.values() if option in measure.options)
            raise InputError(f"{said} goes with {fit}, not with {', '.join(names)}")
    if asked and (apart := [m.name for m in named if not m.taken(asked)]):
        raise InputError(f"{', '.join(apart)} cannot be measured with {', '.join(spelt.values())}: ask for it without")
    return [m for m in named or MEASURES.values() if not asked or m.taken(asked)]


def printed(
    found: MeasureTable, over: Condition | Conditions | None, asked: Mapping[str, Any] | None = None
) -> list[str | Table]:
    """Return one row per measure and one column per model, and why some have none."""
    rows = [[name, _better(MEASURES[name]), *(row[name] for row in found)] for name in found.measures]
    said = [
        f"; rates {value[0]:g} to {value[1]:g}" if name == "between" else f"; {name.replace('_', ' ')} {100 * value:g} %"
        for name, value in (asked or {}).items()
    ]  # fmt: skip
    title = f"Measures ({'over all conditions' if over is None else over}{''.join(said)})"
    reasons = [f"{name} is left out: {why}." for name, why in found.missing.items()]
    table = Table(["measure", "better", *(row.name for row in found)], rows, title)
    return [table, *(["\n".join(reasons)] if reasons else [])]


def to_dicts(found: MeasureTable) -> list[dict[str, Any]]:
    """Return what the JSON form says: a model and its measures by name."""
    return [{"model": row["name"], "values": row["values"]} for row in found.to_dict()["rows"]]


def _intervals(
    session: Session, measures: Sequence[Measure], over: Condition | Conditions | None, asked: Mapping[str, Any]
) -> dict[str, dict[str, list[float]]]:
    """Return [estimate, low, high] of each measure of each model; nothing without resamples."""
    if session.given["resamples"] == 0:
        return {}
    found = decisions.resampled(session, "an interval")
    blocks = found.sample is not None and not found.sample.exact
    left_out = [m.name for m in measures if blocks and m.of_costs is None and not m.from_areas]
    made: dict[str, dict[str, list[float]]] = {}
    for curve in session.data.curves:
        own = made[str(curve.name)] = {}
        for measure in measures:
            if measure.name not in left_out and measure.unavailable(curve, over) is None:
                taken = {"level": session.given["level"], "condition": over, **measure.taken(asked)}
                limits = found.interval(str(curve.name), measure.name, **taken)
                own[measure.name] = [limits.estimate, limits.low, limits.high]
    if left_out:
        session.messages.say(f"No interval for {', '.join(left_out)}: blocks of scores do not tell it.")
    return made


def _with_intervals(values: list[dict[str, Any]], level: float) -> Table:
    rows = [
        [row["model"], name, value, *row["intervals"].get(name, (None, None, None))]
        for row in values
        for name, value in row["values"].items()
    ]
    title = f"Measures with {100 * level:g} % intervals; estimate: without the optimism of choosing thresholds on the same cases"
    return Table(["model", "measure", "value", "estimate", "low", "high"], rows, title)


def _list() -> Answer:
    rows = [[m.name, _better(m), m.low, m.high, ", ".join(sorted(m.needs)), m.reference] for m in MEASURES.values()]
    return Answer([Table(["measure", "better", "from", "to", "needs", "reference"], rows)], {})


def _each_class(session: Session, measures: Sequence[Measure]) -> Answer:
    """Return every measure of every model and class, and their means over the classes."""
    for param in options.given_besides(session.ctx, _WITH_CLASSES):
        raise click.UsageError(f"{param.opts[-1]} is about two classes and has no meaning with --each-class: drop it")
    rows = session.data.rows("--each-class")
    classes = np.unique(rows.y_true).tolist()
    scores = scores_by_class(session.data, rows.scores, classes)
    parts = one_vs_rest(rows.y_true, scores, classes=classes, sample_weight=rows.weight)
    names = [measure.name for measure in measures]
    tables = {label: comparison.table(measures=names) for label, comparison in parts.items()}
    totals = np.bincount(np.unique(rows.y_true, return_inverse=True)[1], rows.weight)
    shares = dict(zip(classes, (totals / totals.sum()).tolist(), strict=True))
    each = [{"class": label, "share": shares[label], "measures": to_dicts(table)} for label, table in tables.items()]
    # The macro average; none where a class has no such measure.
    found: dict[str, dict[str, Any]] = {
        model: {name: [table[model][name] for table in tables.values()] for name in names} for model in scores
    }
    means = {
        model: {name: None if None in own else float(np.mean(own)) for name, own in columns.items()}
        for model, columns in found.items()
    }
    values = [{"model": model, "values": own, "intervals": None} for model, own in means.items()]
    lines = [
        [label, shares[label], row.name, *(row[name] for name in names)]
        for label, table in tables.items()
        for row in table
    ]
    lines += [["mean", None, model, *own.values()] for model, own in means.items()]
    table = Table(["class", "share", "model", *names], lines, "Each class against the rest, over all conditions")
    return Answer([table], _data(None, {}, measures, None, values) | {"classes": each})

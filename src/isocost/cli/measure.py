"""isocost measure: numbers that sum up a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
import numpy as np

from isocost.cli import decisions, options
from isocost.cli.choose import amounts
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session, condition_to_dict
from isocost.compare import Comparison, MeasureTable, one_vs_rest
from isocost.conditions import Condition, Conditions
from isocost.data.tables import by_class
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


@click.command
@options.files
@click.option(
    "-m", "--measure", "names", metavar="NAME", multiple=True, shell_complete=_complete,
    help="Measure to compute; repeatable. Default: all. `--list` names them.",
)  # fmt: skip
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, help="List the measures and stop.",
    callback=lambda ctx, _, on: _list(ctx, on=on),
)  # fmt: skip
@options.data_options
@click.option(
    "--each-class", is_flag=True,
    help="The label has several classes: measure each against the rest, by the columns of scores whose names end in the class.",
)  # fmt: skip
@options.average_folds
@options.cluster
@options.condition_options
@options.pcf
@options.amount_options
@options.limits
@click.option(
    "--rates", type=options.RATES,
    help="For the losses of rankings: only between these shares of cases flagged, such as 0.1:0.5.",
)  # fmt: skip
@options.resamples(0, "of the cases, for confidence intervals")
@options.level
@options.seed
@options.results("Where to write the result: .json, .csv (the table) or text.")
@click.pass_context
def measure(ctx: click.Context, /, output: str | None, names: tuple[str, ...], **given: Any) -> None:
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
    asked = {name: given[name] for name in LIMITS if given[name] is not None}
    asked |= {} if given["rates"] is None else {"between": given["rates"]}
    measures = _chosen(names, asked)
    if given["each_class"]:
        _each_class(ctx, given, measures, output)
        return
    session = Session.start(ctx, given, output, amounts=amounts(ctx, given, measured=True))
    over = session.over
    measured = Comparison(session.data.curves).table(over, measures=[measure.name for measure in measures], **asked)
    found = _intervals(session, measures, over, asked)
    values = [row | {"intervals": found.get(row["model"])} for row in to_dicts(measured)]
    data = {
        "data": session.data.to_dict(), "condition": condition_to_dict(over), "options": asked, "better": _directions(measures),
        "level": given["level"] if found else None, "measures": values,
    }  # fmt: skip
    parts = printed(measured, over, asked) if not found else [_with_intervals(values, given["level"])]
    session.give(Answer("measure", parts, data), output)


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
    better = _directions([MEASURES[name] for name in found.measures])
    rows = [[name, better[name], *(row[name] for row in found)] for name in found.measures]
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


def _directions(measures: Sequence[Measure]) -> dict[str, str]:
    return {measure.name: "higher" if measure.higher_is_better else "lower" for measure in measures}


def _intervals(
    session: Session, measures: Sequence[Measure], over: Condition | Conditions | None, asked: Mapping[str, Any]
) -> dict[str, dict[str, list[float]]]:
    """Return [estimate, low, high] of each measure of each model; nothing without resamples."""
    if session.given["resamples"] == 0:
        return {}
    found = decisions.resampled(session, "an interval")
    blocks = found._sample is not None and not found._sample.exact
    left_out = [m.name for m in measures if blocks and m.of_costs is None and not m.from_areas]
    made: dict[str, dict[str, list[float]]] = {model: {} for model in session.data.models}
    for curve in session.data.curves:
        for measure in measures:
            if measure.name not in left_out and measure.unavailable(curve, over) is None:
                limits = found.interval(
                    str(curve.name), measure.name, session.given["level"], condition=over, **measure.taken(asked)
                )
                made[str(curve.name)][measure.name] = [limits.estimate, limits.low, limits.high]
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


def _list(ctx: click.Context, *, on: bool) -> None:
    if not on or ctx.resilient_parsing:
        return
    rows = [
        [m.name, "higher" if m.higher_is_better else "lower", m.low, m.high, ", ".join(sorted(m.needs)), m.reference]
        for m in MEASURES.values()
    ]
    table = Table(["measure", "better", "from", "to", "needs", "reference"], rows)
    Answer("measure", [table], {}).give(as_json=False, output=None)
    ctx.exit()


def _each_class(ctx: click.Context, given: dict[str, Any], measures: Sequence[Measure], output: str | None) -> None:
    """Print every measure of every model and class, and their means over the classes."""
    for param in options.given_besides(ctx, _WITH_CLASSES):
        raise click.UsageError(f"{param.opts[-1]} is about two classes and has no meaning with --each-class: drop it")
    session = Session.start(ctx, given, output)
    rows = session.data.rows("--each-class")
    classes = np.unique(rows.y_true).tolist()
    models, rest = by_class(list(rows.scores), classes)
    scores = {name: np.column_stack([rows.scores[column] for column in columns]) for name, columns in models.items()}
    parts = one_vs_rest(rows.y_true, scores, classes=classes, sample_weight=rows.weight)
    if rest:
        session.data.note(f"Not named after a class, and left out: {', '.join(rest)}.")
    tables = {label: comparison.table(measures=[m.name for m in measures]) for label, comparison in parts.items()}
    names, totals = list(scores), np.bincount(np.unique(rows.y_true, return_inverse=True)[1], rows.weight)
    shares = dict(zip(classes, (totals / totals.sum()).tolist(), strict=True))
    # The macro average; none where a class has no such measure.
    columns = {(n, m.name): [table[n][m.name] for table in tables.values()] for n in names for m in measures}
    mean = {
        key: None if None in values else float(np.mean([v for v in values if v is not None]))
        for key, values in columns.items()
    }
    means = {name: {m.name: mean[name, m.name] for m in measures} for name in names}
    data = {
        "data": session.data.to_dict(), "condition": None, "options": {}, "better": _directions(measures), "level": None,
        "measures": [{"model": name, "values": means[name], "intervals": None} for name in names],
        "classes": [
            {"class": label, "share": shares[label], "measures": to_dicts(table)} for label, table in tables.items()
        ],
    }  # fmt: skip
    lines = [
        [label, shares[label], row.name, *(row[m.name] for m in measures)]
        for label, table in tables.items()
        for row in table
    ]
    lines += [["mean", None, name, *means[name].values()] for name in names]
    heads = ["class", "share", "model", *(m.name for m in measures)]
    table = Table(heads, lines, "Each class against the rest, over all conditions")
    session.give(Answer("measure", [table], data), output)

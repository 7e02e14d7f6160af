"""isocost isometrics: lines in ROC space along which a metric keeps its value."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from isocost.cli import options
from isocost.cli.output import Answer, Messages, Table
from isocost.errors import InputError
from isocost.metrics.isometrics import isometrics as lines_of
from isocost.metrics.isometrics import isosurface
from isocost.metrics.metric import METRICS, PointMetric, get_metric
from isocost.metrics.skew import skew_sensitivity
from isocost.results import check_writable, plain

_SENSITIVITY = {
    "strong": "its value does not depend on the skew",
    "weak": "the skew changes its value, not its isometrics",
    "sensitive": "the skew changes its isometrics",
}

_TYPED = {
    r"\,": "·", r"\!": "", r"\quad": "", r"\left": "", r"\right": "", r"\log_2 ": "log2 ", r"\log_2": "log2 ", r"\beta": "β", "^2": "²",
}  # fmt: skip


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    return [name for name in METRICS if name.startswith(incomplete)]


@click.command
@click.argument("metric", shell_complete=_complete, required=False)
@click.option("--list", "listing", is_flag=True, help="List the metrics and stop.")
@click.option(
    "--value", "values", type=float, multiple=True, help="Value to draw a line for; repeatable. Default: nine over the range."
)  # fmt: skip
@click.option(
    "--skew-ratio", "skews", type=float, multiple=True, default=(1.0,), show_default=True,
    help="t/(1-t), for class balance alone negatives per positive; repeatable.",
)  # fmt: skip
@click.option(
    "--at", "points", type=options.POINT, multiple=True,
    help="Point of ROC space: the metric there, its gradient, and its effective skew (the slope of its isometric); repeatable.",
)  # fmt: skip
@click.option(
    "--cases", type=click.IntRange(1), help="Number of cases the rates come from, for laplace and m_estimate."
)
@click.option(
    "--surface", is_flag=True, help="With -o: the surfaces of these values over ROC space and the prevalence."
)
@options.results("A figure (.pdf, .svg, .png), or the result as .json, .csv or text.")
def isometrics(metric: str | None, output: str | None, **given: Any) -> None:
    """Give the isometrics of a METRIC of one operating point: a table of lines, or a figure.

    With --at, what the metric is and trades there. Above 1 an effective skew favours the negatives, below 1 the positives.

    \b
    Examples:
      isocost isometrics --list
      isocost isometrics precision --value 0.5 --value 0.8 --skew-ratio 10
      isocost isometrics precision --at 0.1:0.8 --at 0.3:0.9 --skew-ratio 10
      isocost isometrics f_measure --skew-ratio 1 --skew-ratio 5 -o f_measure.svg
      isocost isometrics accuracy --value 0.8 --surface -o accuracy.png
    """
    check_writable(output)
    if given["listing"]:
        _list().give(as_json=given["as_json"], output=output)
        return
    if metric is None:
        raise click.UsageError("name a METRIC; --list names them all")
    name = metric.replace("-", "_")
    chosen = _for_cases(get_metric(name), given["cases"])
    low, high = chosen.range
    if given["points"]:
        if given["values"] or given["surface"]:
            raise click.UsageError("--at is about points, --value and --surface about lines: ask one at a time")
        _at_points(chosen, given).give(as_json=given["as_json"], output=output)
        return
    if math.isinf(high - low) and not given["values"]:
        raise InputError(f"{name} has values from {low:g} to {high:g}: say which to draw with --value")
    figure = output if output is not None and Path(output).suffix.lower() in (".pdf", ".svg", ".png") else None
    if given["surface"] and figure is None:
        raise click.UsageError("--surface is a figure: give -o with a name that ends in .pdf, .svg or .png")
    values = list(given["values"]) or [low + (high - low) * tenth / 10 for tenth in range(1, 10)]
    found = [lines_of(chosen, values, skew_ratio=skew) for skew in given["skews"]]
    if figure is not None:
        from isocost.cli.plot import save
        from isocost.plots import IsometricsDisplay, IsoSurfaceDisplay

        surfaces = given["values"] or ((low + high) / 2,) if given["surface"] else ()
        drawn = IsoSurfaceDisplay([isosurface(chosen, value) for value in surfaces]) if surfaces else None
        save(drawn or IsometricsDisplay(found), figure)
        Messages(given["quiet"]).say(f"Wrote {figure}")
        return
    lines = [
        [lines.skew_ratio, line.value, float(line.fpr[0]), float(line.tpr[0]), float(line.fpr[-1]), float(line.tpr[-1]), line.fpr.size]
        for lines in found
        for line in lines
    ]  # fmt: skip
    columns = ["skew_ratio", "value", "from_fpr", "from_tpr", "to_fpr", "to_tpr", "points"]
    parts: list[str | Table] = [Table(columns, lines, f"Isometrics of {name}: {found[0].landscape}")]
    absent = sorted({value for lines in found for value in lines.absent})
    parts += [f"Not reached: {', '.join(f'{value:g}' for value in absent)}"] if absent else []
    Answer("isometrics", parts, {"isometrics": [lines.to_dict() for lines in found]}).give(
        as_json=given["as_json"], output=output
    )


def _list() -> Answer:
    names = ["metric", "better", "from", "to", "formula"]
    rows, listed = (
        [[m.name, m.direction, *m.range, written(m.formula)] for m in METRICS.values()] for written in (_typed, str)
    )
    return Answer(
        "isometrics", [Table(names, rows)], {"metrics": [dict(zip(names, row, strict=True)) for row in listed]}
    )


def _typed(formula: str) -> str:
    """Return a formula of LaTeX as one would type it."""
    for written, plain_text in _TYPED.items():
        formula = formula.replace(written, plain_text)
    before = ""
    while before != formula:  # from the inside out
        before = formula
        formula = re.sub(r"\\sqrt\{([^{}]*)\}", r"√(\1)", formula)
        formula = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", lambda f: f"{_held(f[1])}/{_held(f[2])}", formula)
    return formula


def _held(part: str) -> str:
    """Return a part of a fraction in brackets unless it is one number or name."""
    return part if re.fullmatch(r"[\w²]+", part) else f"({part})"


def _at_points(metric: PointMetric, given: Mapping[str, Any]) -> Answer:
    """Return the metric, its gradient and its effective skew at points, for each skew."""
    rows = []
    for c in given["skews"]:
        for fpr, tpr in given["points"]:
            slope = metric.gradient(fpr, tpr, c)
            rows.append(
                [c, fpr, tpr, metric(fpr, tpr, c), slope.by_fpr, slope.by_tpr, metric.effective_skew(fpr, tpr, c)]
            )
    columns = ["skew_ratio", "fpr", "tpr", "value", "by_fpr", "by_tpr", "effective_skew"]
    kind = skew_sensitivity(metric)
    data = {
        "isometrics": [],
        "points": plain([dict(zip(columns, row, strict=True)) for row in rows]),
        "skew_sensitivity": kind,
    }
    return Answer("isometrics", [Table(columns, rows, f"{metric.name}: {_SENSITIVITY[kind]}")], data)


def _for_cases(metric: PointMetric, cases: int | None) -> PointMetric:
    """Return the metric for a number of cases, if it asks for one."""
    if "cases" not in metric.options:
        if cases is not None:
            raise InputError(f"--cases goes with laplace and m_estimate, not with {metric.name}")
        return metric
    if cases is None:
        raise InputError(f"{metric.name} depends on how many cases the rates come from: say it with --cases")
    return metric.with_options(cases=cases)

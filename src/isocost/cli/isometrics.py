"""isocost isometrics: lines in ROC space along which a metric keeps its value."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

import isocost as ic
from isocost.cli.output import FIGURES, Answer, Table, draw
from isocost.cli.session import Session, command
from isocost.errors import InputError
from isocost.metrics.isometrics import isometrics as lines_of
from isocost.metrics.isometrics import isosurface
from isocost.metrics.metric import METRICS, PointMetric, get_metric
from isocost.metrics.skew import skew_sensitivity

_SENSITIVITY = {
    "strong": "its value does not depend on the skew",
    "weak": "the skew changes its value, not its isometrics",
    "sensitive": "the skew changes its isometrics",
}
_LINE = ("skew_ratio", "value", "from_fpr", "from_tpr", "to_fpr", "to_tpr", "points")
_POINT = ("skew_ratio", "fpr", "tpr", "value", "by_fpr", "by_tpr", "effective_skew")


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    return [name for name in METRICS if name.startswith(incomplete)]


@command("METRIC list value skew-ratio at cases surface RESULT", suffixes=(), complete={"METRIC": _complete})
def isometrics(session: Session) -> Answer | None:
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
    given = session.given
    if given["listing"]:
        return _list()
    if given["metric"] is None:
        raise click.UsageError("name a METRIC; --list names them all")
    metric = _for_cases(get_metric(given["metric"].replace("-", "_")), given["cases"])
    if given["points"]:
        if given["values"] or given["surface"]:
            raise click.UsageError("--at is about points, --value and --surface about lines: ask one at a time")
        return _at_points(metric, given["skews"], given["points"])
    low, high = metric.range
    if math.isinf(high - low) and not given["values"]:
        raise InputError(f"{metric.name} has values from {low:g} to {high:g}: say which to draw with --value")
    figure = Path(session.output or "").suffix.lower() in FIGURES
    if given["surface"] and not figure:
        raise click.UsageError("--surface is a figure: give -o with a name that ends in .pdf, .svg or .png")
    values = list(given["values"]) or [low + (high - low) * tenth / 10 for tenth in range(1, 10)]
    if not figure:
        return _lines(metric, values, given["skews"])
    draw(
        _surfaces(metric, given["values"]) if given["surface"] else _figure(metric, values, given["skews"]),
        str(session.output),
    )
    session.wrote(session.output)
    return None


def _surfaces(metric: PointMetric, values: tuple[float, ...]) -> Any:
    return ic.plots.IsoSurfaceDisplay([isosurface(metric, value) for value in values or (sum(metric.range) / 2,)])


def _figure(metric: PointMetric, values: list[float], skews: tuple[float, ...]) -> Any:
    return ic.plots.IsometricsDisplay([lines_of(metric, values, skew_ratio=skew) for skew in skews])


def _lines(metric: PointMetric, values: list[float], skews: tuple[float, ...]) -> Answer:
    """Return where the lines of some values begin and end, for each skew."""
    found = [lines_of(metric, values, skew_ratio=skew) for skew in skews]
    rows = [
        [lines.skew_ratio, line.value, *(float(end) for i in (0, -1) for end in (line.fpr[i], line.tpr[i])), line.fpr.size]
        for lines in found
        for line in lines
    ]  # fmt: skip
    parts: list[str | Table] = [Table(_LINE, rows, f"Isometrics of {metric.name}: {found[0].landscape}")]
    absent = sorted({value for lines in found for value in lines.absent})
    parts += [f"Not reached: {', '.join(f'{value:g}' for value in absent)}"] if absent else []
    return Answer(parts, {"isometrics": [lines.to_dict() for lines in found]})


def _list() -> Answer:
    names = ("metric", "better", "from", "to", "formula")
    full = [dict(zip(names, (m.name, m.direction, *m.range, m.formula), strict=True)) for m in METRICS.values()]
    return Answer([Table.of(full, {name: name for name in names[:-1]})], {"metrics": full})


def _at_points(metric: PointMetric, skews: tuple[float, ...], points: tuple[tuple[float, float], ...]) -> Answer:
    """Return the metric, its gradient and its effective skew at points, for each skew."""
    rows: list[list[Any]] = []
    for c in skews:
        for point in points:
            slope = metric.gradient(*point, c)
            rows.append([c, *point, metric(*point, c), slope.by_fpr, slope.by_tpr, metric.effective_skew(*point, c)])
    kind = skew_sensitivity(metric)
    data = {"isometrics": [], "points": [dict(zip(_POINT, row, strict=True)) for row in rows], "skew_sensitivity": kind}
    return Answer([Table(_POINT, rows, f"{metric.name}: {_SENSITIVITY[kind]}")], data)


def _for_cases(metric: PointMetric, cases: int | None) -> PointMetric:
    """Return the metric for a number of cases, if it asks for one."""
    if "cases" not in metric.options:
        if cases is not None:
            raise InputError(f"--cases goes with laplace and m_estimate, not with {metric.name}")
        return metric
    if cases is None:
        raise InputError(f"{metric.name} depends on how many cases the rates come from: say it with --cases")
    return metric.with_options(cases=cases)

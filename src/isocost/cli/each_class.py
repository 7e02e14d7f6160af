"""Several classes: a column of scores for each, and every class measured against the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.cli.text_table import TextTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from isocost.compare.several_classes import ClassByClass
    from isocost.measures.registry import Measure

each_class = click.option(
    "--each-class", is_flag=True,
    help="The label has several classes: measure each against the rest, by the columns of scores whose names end in the class.",
)  # fmt: skip
_TOGETHER = {
    "files", "names", "label", "scores", "weight", "missing", "decimal", "encoding", "memory", "each_class", "as_json", "output",
    "quiet", "verbose",
}  # fmt: skip


def measured(ctx: click.Context, given: Mapping[str, Any], measures: Sequence[Measure], output: str | None) -> None:
    """Print every measure of every model and class, and their means over the classes."""
    from isocost.cli import measuring

    for param in ctx.command.params:
        name = str(param.name)
        if name not in _TOGETHER and ctx.get_parameter_source(name) not in (ParameterSource.DEFAULT, None):
            raise click.UsageError(
                f"{param.opts[-1]} is about two classes and has no meaning with --each-class: drop it"
            )
    session = Session.start(ctx, given, output)
    parts, rest = _taken_apart(session)
    if rest:
        said = f"Not named after a class, and left out: {', '.join(rest)}."
        session.data.note(said)
    tables = {label: comparison.table(measures=[m.name for m in measures]) for label, comparison in parts.items()}
    means = _means(parts, measures)
    data = {
        "data": session.data.to_dict(), "condition": None, "options": {}, "better": measuring.directions(measures), "level": None,
        "measures": [{"model": name, "values": means[name], "intervals": None} for name in parts.names],
        "classes": [
            {"class": label, "share": parts.shares[label], "measures": measuring.to_dicts(table)} for label, table in tables.items()
        ],
    }  # fmt: skip
    rows = [
        [label, parts.shares[label], row.name, *(row[m.name] for m in measures)]
        for label, table in tables.items()
        for row in table
    ]
    rows += [["mean", None, name, *means[name].values()] for name in parts.names]
    title = "Each class against the rest, over all conditions"
    heads = ["class", "share", "model", *(m.name for m in measures)]
    session.give(Answer("measure", [TextTable(heads, rows, title, names=parts.names)], data), output)


def _taken_apart(session: Session) -> tuple[ClassByClass, list[str]]:
    """Return each class against the rest, and the columns that are named after no class."""
    import numpy as np

    from isocost.compare import one_vs_rest
    from isocost.data.tables import by_class

    rows = session.data.rows("--each-class")
    classes = np.unique(rows.y_true).tolist()
    models, rest = by_class(list(rows.scores), classes)
    scores = {name: np.column_stack([rows.scores[column] for column in columns]) for name, columns in models.items()}
    return one_vs_rest(rows.y_true, scores, classes=classes, sample_weight=rows.weight), rest


def _means(parts: ClassByClass, measures: Sequence[Measure]) -> dict[str, dict[str, float | None]]:
    """Return the macro averages of each model; none where a class has no such measure."""
    found: dict[str, dict[str, float | None]] = {name: {} for name in parts.names}
    for measure in measures:
        known = not any(measure.unavailable(curve) for comparison in parts.values() for curve in comparison.curves)
        means = parts.macro(measure.name) if known else {}
        for name, values in found.items():
            values[measure.name] = means.get(name)
    return found

"""isocost classes: which model should label cases with one of several classes."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import click
import numpy as np

from isocost import numbers
from isocost.cli import options
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session
from isocost.compare import ClassComparison, ClassDecision, CostMatrix
from isocost.conditions import belief_typed
from isocost.data.tables import by_class
from isocost.errors import ConditionError, InputError
from isocost.results import TEXTS


def _shares(text: str) -> dict[str, float]:
    """Return the share of each class, by its name."""
    parts = [part.rpartition("=") for part in text.split(",")]
    if not all(name.strip() and mark for name, mark, _ in parts):
        raise ValueError(f"{text!r} is not CLASS=SHARE,..., such as low=0.7,high=0.3")
    return {name.strip(): options.SHARE.read(share.strip()) for name, _, share in parts}


@click.command
@options.files
@options.data_options
@click.option(
    "--cost-matrix", required=True, type=click.Path(exists=True, dir_okay=False), metavar="FILE",
    help="CSV file: header true,CLASS,..., one row per true class; an entry is the cost of that label: 4, 5:20 or a distribution.",
)  # fmt: skip
@click.option("--refer", type=options.GAIN, help="Cost of handing a case to a person. Default: not possible.")
@click.option(
    "--shares",
    type=options.Typed("CLASS=SHARE,...", _shares),
    help="Share of each class where the model will be used. Default: the data's.",
)
@options.resamples(200, "of the cases, for the cost on new cases and how certain the choice is")
@options.level
@options.seed
@options.unit
@options.title
@options.results("Where to write the result: .html (a page that opens offline), .json, .csv (the table) or text.")
@click.pass_context
def classes(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Choose the model that labels cases with one of several classes at the lowest expected cost.

    FILES hold one column of probabilities per class and model, named after both: rf_low, rf_mid and rf_high, or low_rf, mid_rf and
    high_rf; low, mid and high alone belong to one model. Each case gets the label with the lowest expected cost.

    \b
    Examples:
      isocost classes predictions.csv --label y --cost-matrix costs.csv
      isocost classes predictions.csv --label y --cost-matrix costs.csv --refer 0.4 --shares low=0.7,mid=0.2,high=0.1
      isocost classes predictions.csv --label y --cost-matrix costs.csv --unit € -o report.html
    """
    session = Session.start(ctx, given | {"each_class": True}, output, suffixes=(".html", *TEXTS))
    rows = session.data.rows("--cost-matrix")
    matrix = _matrix(
        given["cost_matrix"], {str(label): label for label in np.unique(rows.y_true).tolist()}, given["refer"]
    )
    labels = list(matrix.classes)
    models, rest = by_class(list(rows.scores), labels)
    if rest:
        session.data.note(f"Not named after a class, and left out: {', '.join(rest)}.")
    scores = {name: np.column_stack([rows.scores[column] for column in columns]) for name, columns in models.items()}
    shares = given["shares"]
    if shares is not None:
        unknown = [name for name in shares if name not in map(str, labels)]
        if unknown:
            raise InputError(f"--shares names {unknown[0]!r}, which is not a class: {', '.join(map(str, labels))}")
        shares = {label: shares[str(label)] for label in labels if str(label) in shares}
    compared = ClassComparison.from_scores(rows.y_true, scores, classes=labels, sample_weight=rows.weight)
    decision = compared.decide(
        matrix, shares=shares, n_resamples=given["resamples"] or None, level=given["level"], rng=given["seed"],
        unit=session.unit,
    )  # fmt: skip
    along = {
        key: {"low": w.low, "high": w.high, "wins": w.wins, "shares": w.shares}
        for key, w in decision.keyed(decision.along).items()
    }
    data = {"data": session.data.to_dict(), "text": decision.text, "decision": decision.to_dict(), "along": along}
    says = [decision.says[key] for key in ("rule", "price", "sure", "labels") if decision.says[key]]
    answer = Answer(
        "classes", [" ".join(says), _table(decision), "\n".join([*decision.by_number(), *decision.warnings])], data
    )
    if output is not None and Path(output).suffix == ".html":
        decision.save(output, title=given["title"])
        session.messages.say(f"Wrote {output}")
        answer.give(as_json=given["as_json"], output=None)
    else:
        session.give(answer, output)


def _matrix(path: str, labels: dict[str, Any], refer: Any) -> Any:
    """Return the cost matrix of a file."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text: {error}") from None
    lines = [
        [cell.strip() for cell in row] for row in csv.reader(text.splitlines()) if any(cell.strip() for cell in row)
    ]
    if len(lines) < 2 or any(len(row) != len(lines[0]) for row in lines):
        raise InputError(f"{path} must hold a header true,CLASS,... and one row per true class, all of the same length")
    columns, rows = lines[0][1:], [row[0] for row in lines[1:]]
    for names, what in ((columns, "the header"), (rows, "the first column")):
        if sorted(names) != sorted(labels):
            raise InputError(
                f"{path}: {what} must name each class once; it has {', '.join(names)}, the classes are {', '.join(labels)}"
            )
    entries = {}
    for true, *cells in lines[1:]:
        for label, cell in zip(columns, cells, strict=True):
            try:
                entries[true, label] = belief_typed(cell, low=-math.inf, high=math.inf)
            except ConditionError as error:
                raise ConditionError(f"{path}: labelling {true} as {label}: {error}") from None
    costs = [[entries[true, label] for label in columns] for true in columns]
    return CostMatrix(costs, classes=[labels[label] for label in columns], refer=refer)


def _table(decision: ClassDecision) -> Table:
    """Return the decision and the alternatives, by their costs per 1000 cases."""
    heads = ["model", f"cost per 1000{f', {decision.unit}' if decision.unit else ''}", "more"]
    heads += [] if decision.confidence is None else [f"on new cases ({numbers.share(decision.confidence.level)})"]
    rows: list[list[Any]] = []
    full: list[dict[str, Any]] = []
    every: list[Any] = [decision, *decision.alternatives]
    for row in every:
        extra, interval = getattr(row, "extra", None), getattr(row, "extra_interval", None)
        more = None if extra is None else numbers.money(1000 * extra)
        new = None if interval is None else numbers.rough_span([1000 * end for end in interval])
        rows.append([row.model, numbers.money(1000 * row.expected_cost), more, new][: len(heads)])
        low, high = interval or (None, None)
        full.append(
            {
                "model": row.model,
                "expected_cost": row.expected_cost,
                "extra": extra,
                "extra_low": low,
                "extra_high": high,
            }
        )
    return Table(heads, rows, right=heads[1:], full=full)

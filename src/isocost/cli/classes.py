"""isocost classes: which model should label cases with one of several classes."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np

from isocost.cli.data import Data
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session, command
from isocost.compare import ClassComparison, CostMatrix
from isocost.compare.classes import table_of
from isocost.conditions import belief_typed
from isocost.data import checks
from isocost.data.tables import by_class
from isocost.errors import ConditionError, InputError
from isocost.results import TEXTS, records


@command("FILES DATA cost-matrix refer shares resamples level seed unit title RESULT", suffixes=(".html", *TEXTS))
def classes(session: Session) -> Answer:
    """Choose the model that labels cases with one of several classes at the lowest expected cost.

    FILES hold one column of probabilities per class and model, named after both: rf_low, rf_mid and rf_high, or low_rf, mid_rf and
    high_rf; low, mid and high alone belong to one model. Each case gets the label with the lowest expected cost.

    \b
    Examples:
      isocost classes predictions.csv --label y --cost-matrix costs.csv
      isocost classes predictions.csv --label y --cost-matrix costs.csv --refer 0.4 --shares low=0.7,mid=0.2,high=0.1
      isocost classes predictions.csv --label y --cost-matrix costs.csv --unit € -o report.html
    """
    given, shares = session.given, session.given["shares"]
    session.given = {**given, "each_class": True}
    rows = session.data.rows("--cost-matrix")
    named = {str(label): label for label in np.unique(rows.y_true).tolist()}
    matrix = CostMatrix(**_matrix(given["cost_matrix"], named), refer=given["refer"])
    scores = scores_by_class(session.data, rows.scores, list(matrix.classes))
    checks.columns(shares or (), named, "class in --shares")
    shares = None if shares is None else {named[name]: share for name, share in shares.items()}
    compared = ClassComparison.from_scores(rows.y_true, scores, classes=matrix.classes, sample_weight=rows.weight)
    decision = compared.decide(
        matrix, shares=shares, n_resamples=given["resamples"] or None, level=given["level"], rng=given["seed"], unit=session.unit
    )  # fmt: skip
    if session.output is not None and Path(session.output).suffix == ".html":
        decision.save(session.output, title=given["title"])
        session.wrote(session.output)
        session.output = None
    along = decision.keyed(decision.along).items()
    data = {
        "text": decision.text, "decision": decision.to_dict(),
        "along": {key: {"low": w.low, "high": w.high, "wins": w.wins, "shares": w.shares} for key, w in along},
    }  # fmt: skip
    says = [decision.says[key] for key in ("rule", "price", "sure", "labels") if decision.says[key]]
    table = Table(*table_of(decision), records(decision))
    return Answer([" ".join(says), table, "\n".join([*decision.by_number(), *decision.warnings])], data)


def scores_by_class(data: Data, columns: dict[str, Any], labels: list[Any]) -> dict[str, Any]:
    """Return the scores of each model, a column for each class; columns of no class are left out, which is stated."""
    models, rest = by_class(list(columns), labels)
    if rest:
        data.note(f"Not named after a class, and left out: {', '.join(rest)}.")
    return {name: np.column_stack([columns[column] for column in own]) for name, own in models.items()}


def _matrix(path: str, labels: dict[str, Any]) -> dict[str, Any]:
    """Return the costs and classes of a file."""
    try:
        lines = [[cell.strip() for cell in row] for row in csv.reader(Path(path).read_text("utf-8-sig").splitlines())]
        (_, *columns), *rows = filter(any, lines)
        costs = {(row[0], label): cell for row in rows for label, cell in zip(columns, row[1:], strict=True)}
    except ValueError as error:
        what = "a header true,CLASS,... and one row per true class, all of the same length, as UTF-8 text"
        raise InputError(f"{path} must hold {what}") from error
    for names, what in ((columns, "the header"), ([row[0] for row in rows], "the first column")):
        if sorted(names) != sorted(labels):
            found, known = ", ".join(names), ", ".join(labels)
            raise InputError(f"{path}: {what} must name each class once; it has {found}, the classes are {known}")
    entries: dict[tuple[str, str], Any] = {}
    for (true, label), cell in costs.items():
        try:
            entries[true, label] = belief_typed(cell, low=-math.inf, high=math.inf)
        except ConditionError as error:
            raise ConditionError(f"{path}: labelling {true} as {label}: {error}") from None
    table = [[entries[true, label] for label in columns] for true in columns]
    return {"costs": table, "classes": [labels[label] for label in columns]}

"""Groups of cases: a threshold for each, one for all, equal rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.cli.output import Table
from isocost.cli.session import Session, Total
from isocost.compare import Comparison, MeasureTable
from isocost.conditions import Condition, at_means
from isocost.decide.say import WORDS
from isocost.groups import Groups
from isocost.inference.draws import DRAWS
from isocost.report import groups as report_groups
from isocost.results import plain

if TYPE_CHECKING:
    from isocost.groups import GroupBootstrap, OneForAll

# Measures by group that people see; JSON has all.
_SHOWN = ("auc", "mean_normalised_cost", "voros", "h_measure")


class Grouping:
    """The groups of a file at the condition that the options give, ranges at their means.

    `weights` are what each case counts when one threshold for all is decided at the groups' prevalences; None if as in the data.
    """

    def __init__(self, session: Session) -> None:
        rows, own = session.data.rows("--group"), reported(session)["group_prevalence"]
        self.session = session
        self.groups = Groups.from_scores(rows.y_true, rows.scores, rows.group, sample_weight=rows.weight)
        over = session.over
        self.at = {"condition": Condition() if over is None else at_means(over), "prevalence": own}
        self.weights = None if own == "own" else self.groups.case_weights(**self.at)

    def answered(self, total: Total) -> tuple[list[str | Table], dict[str, Any]]:
        """Return sentences and a table for people, and what the JSON form adds."""
        given, level = self.session.given, self.session.given["level"]
        equal = {"criterion": given["parity"], "tolerance": given["within"] or 0.0, "randomised": given["randomised"]}
        of_one, rule = self.groups.cost_of_one_threshold(**self.at), given["thresholds"] or "each"
        found = of_one.each if rule == "each" else of_one.one
        parity = None if given["parity"] is None else self.groups.parity(**equal, **self.at)
        shown: Any = found if parity is None else parity
        new: dict[str, Any] | None = None
        if total:
            draws = DRAWS if total == "auto" else total
            with self.session.messages.resampling("resampling the groups"):
                boot = self.groups.bootstrap(**equal, **self.at, n_resamples=draws, rng=given["seed"])
            new = _intervals(boot, level, rule if parity is None else "parity")
        sentences = []
        if parity is not None:
            cost: Any = new and {"estimate": new["estimate"], "interval": new["cost"]}
            sentences.append(parity.reported(cost, new["price"] if new else None, level))
        if new is not None:  # on the cases at hand one threshold for all never looks cheaper
            sentences.append(of_one.reported(new["extra_cost"], level))
        data: dict[str, Any] = {
            "groups": found.to_dict()["groups"], "expected_cost": found.expected_cost,
            "cost_of_one_threshold": {"extra_cost": of_one.extra_cost, "by_group": dict(of_one.by_group)},
            "parity": None if parity is None else parity.to_dict(), "intervals": new,
        }  # fmt: skip
        table = _table(shown, of_one, new, level)
        return [*(["\n".join(sentences)] if sentences else []), table], data


def _table(chosen: Any, of_one: OneForAll, new: dict[str, Any] | None, level: float) -> Table:
    """Return the page's table without the counts and, of both classes, without what adds up to 100 %."""
    rows = report_groups.rows_of(chosen, of_one, None if new is None else new["groups"])
    kept = [0, 1, 2, 3, 4, 6, 8, 9, *([] if new is None else [10])]
    heads, *lines = [report_groups.heads(WORDS, level), *(report_groups.cells(row, WORDS) for row in rows)]
    cells = [[line[place].rpartition("\n")[2] for place in kept] for line in lines]
    digits = [row | dict(zip(("low", "high"), row.pop("interval") or (None, None), strict=True)) for row in rows]
    return Table([heads[place] for place in kept], cells, digits, f"Groups ({of_one.each.prevalence})")


def _intervals(boot: GroupBootstrap, level: float, rule: Any) -> dict[str, Any]:
    """Return estimates and limits per case on new cases: of the cost of all and of each group, the extra cost, and the price."""
    whole = boot.interval("cost", rule=rule, level=level)
    groups = {name: boot.interval("cost", group=name, rule=rule, level=level) for name in boot.names}
    return {
        "level": level, "resamples": boot.n_resamples, "rule": rule, "cost": list(whole), "estimate": whole.estimate,
        "extra_cost": list(boot.interval("extra_cost", level=level)),
        "price": list(boot.interval("price", level=level)) if "parity" in boot.rules else None,
        "groups": {name: list(own) for name, own in groups.items()},
        "estimates": {name: own.estimate for name, own in groups.items()},
    }  # fmt: skip


def reported(session: Session) -> dict[str, Any]:
    """Return the arguments of a report that groups add."""
    own = session.given["prevalence"] is None
    return {"group": session.data.rows("--group").group, "group_prevalence": "own" if own else "condition"}


def by_model(found: MeasureTable) -> list[dict[str, Any]]:
    """Return what the JSON form says of measures: a model and its measures by name."""
    return [{"model": row.name, "values": plain(row.values)} for row in found]


def measured(session: Session, over: Any) -> tuple[Table, list[dict[str, Any]]]:
    """Return the measures of each model in each group: some of them for people, all as JSON; none where a class is absent."""
    rows = session.data.rows("--group")
    marks = np.array([str(mark) for mark in np.asarray(rows.group).tolist()])
    found: list[dict[str, Any]] = []
    rows_shown = []
    for name in np.unique(marks).tolist():
        own = marks == name
        y, measures = rows.y_true[own], None
        size, positives = int(y.size), int(np.count_nonzero(y))
        if 0 < positives < size:
            weight = None if rows.weight is None else rows.weight[own]
            scores = {model: column[own] for model, column in rows.scores.items()}
            measures = by_model(Comparison.from_scores(y, scores, sample_weight=weight).table(over))
        found.append({"group": name, "rows": size, "positives": positives, "measures": measures})
        for model in measures or [{"model": None, "values": {}}]:
            shown = {measure: model["values"].get(measure) for measure in _SHOWN}
            rows_shown.append({"group": name, "model": model["model"], "rows": size, "positives": positives, **shown})
    return Table.of(rows_shown, title="Measures by group"), found

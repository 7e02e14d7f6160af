"""Groups of cases: a threshold for each, one for all, equal rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from isocost import numbers
from isocost.cli.output import Table, per_1000
from isocost.cli.session import Session, Total
from isocost.compare import Comparison, MeasureTable
from isocost.conditions import Condition, at_means
from isocost.groups import Groups
from isocost.inference.draws import DRAWS
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
        return [*(["\n".join(sentences)] if sentences else []), _table(shown, of_one, new)], data


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


def _table(shown: Any, one_for_all: OneForAll, intervals: dict[str, Any] | None) -> Table:
    """Return one row per group: for people in money per 1000 of its cases, for spreadsheets with all digits."""
    heads: dict[str, Any] = {
        "group": "group", "cases": ("cases", lambda cases: numbers.digits(cases, 15)), "prevalence": ("positive", numbers.percent),
        "rule": "rule", "tpr": ("caught", numbers.percent), "fpr": ("false alarms", numbers.percent),
        "flagged": ("flagged", numbers.percent), "cost": ("per 1000", per_1000),
    }  # fmt: skip
    rows: list[dict[str, Any]] = []
    for name, choice in shown.groups.items():
        low, high = (None, None) if intervals is None else intervals["groups"][name]
        rates = {
            rate: None if np.isnan(share := getattr(choice, rate)) else share for rate in ("tpr", "fpr", "flagged")
        }
        rows.append({
            "group": name, "cases": choice.positives + choice.negatives, "prevalence": choice.condition.prevalence,
            "rule": choice.rule.removeprefix("flag ").replace(" or flag ", " or "),
            **{field: getattr(choice, field) for field in ("positives", "negatives", "model", "threshold", "cost")}, **rates,
            "estimate": None if intervals is None else intervals["estimates"][name], "low": low, "high": high,
            "extra_cost_of_one": one_for_all.by_group[name],
        })  # fmt: skip
        if intervals is not None:
            ends = numbers.rough_span([1000 * end for end in intervals["groups"][name]])
            rows[-1]["new"] = f"{numbers.rough(1000 * intervals['estimates'][name])} ({ends})"
            heads["new"] = f"per 1000 new ({numbers.share(intervals['level'])})"
    return Table.of(rows, heads, f"Groups ({one_for_all.each.prevalence})")


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
            table = Comparison.from_scores(y, scores, sample_weight=weight).table(over)
            measures = by_model(table)
        found.append({"group": name, "rows": size, "positives": positives, "measures": measures})
        for model in measures or [{"model": None, "values": {}}]:
            shown = {measure: model["values"].get(measure) for measure in _SHOWN}
            rows_shown.append({"group": name, "model": model["model"], "rows": size, "positives": positives, **shown})
    return Table.of(rows_shown, title="Measures by group"), found

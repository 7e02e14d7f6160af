"""Groups of cases: a threshold for each, one for all, equal rates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from isocost import numbers
from isocost.cli.options import spelt
from isocost.cli.output import Table
from isocost.cli.session import Session, Total
from isocost.compare import Comparison
from isocost.decide.question import LIMITS
from isocost.errors import InputError
from isocost.groups import Groups
from isocost.inference.draws import DRAWS

if TYPE_CHECKING:
    from isocost.groups import GroupBootstrap, OneForAll

# Measures by group that people see; JSON has all.
_SHOWN = ("auc", "mean_normalised_cost", "voros", "h_measure")


def check_groups(given: Mapping[str, Any]) -> None:
    """Complain about options of groups that do not go together."""
    if given["group"] is None:
        for name in ("thresholds", "parity", "within"):
            if given[name] is not None:
                raise click.UsageError(f"--{name} goes with --group: say which column holds the groups")
        return
    if given["within"] is not None and given["parity"] is None:
        raise click.UsageError("--within goes with --parity: say which rate must be equal")
    other = [name for name in (*LIMITS, "threshold", "cost_review") if given[name] is not None]
    other += [name for name in ("worst_case", "deployed") if given[name]]
    other += ["method"] if given["method"] != "best" else []
    other += ["randomised"] if given["randomised"] and given["parity"] is None else []
    if other:
        raise click.UsageError(f"--group and {spelt(other[0])} do not go together: drop one of them")
    for name in ("save", "evaluate"):
        if given["parity"] is not None and given[name] is not None:
            raise click.UsageError(f"--parity and --{name} do not go together: equal rates take a rule per group")


class Grouping:
    """The groups of a file at the condition that the options give, ranges at their means.

    `weights` are what each case counts when one threshold for all is decided at the groups' prevalences; None if as in the data.
    """

    def __init__(self, session: Session) -> None:
        rows = session.data.rows("--group")
        if rows.group is None:
            raise InputError("--group needs predictions with a column of groups")
        self.session, own = session, reported(session)["group_prevalence"]
        self.groups = Groups.from_scores(rows.y_true, rows.scores, rows.group, sample_weight=rows.weight)
        self.at = {"condition": session.middle, "prevalence": own}
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
            new = _intervals(boot, level, rule if parity is None else "parity", list(shown.groups))
        said = []
        if parity is not None:
            cost: Any = new and {"estimate": new["estimate"], "interval": new["cost"]}
            said.append(parity.said(cost, new["price"] if new else None, level))
        if new is not None:  # on the cases at hand one threshold for all never looks cheaper
            said.append(of_one.said(new["extra_cost"], level))
        data: dict[str, Any] = {
            "groups": found.to_dict()["groups"], "expected_cost": found.expected_cost,
            "cost_of_one_threshold": {"extra_cost": of_one.extra_cost, "by_group": dict(of_one.by_group)},
            "parity": None if parity is None else parity.to_dict(), "intervals": new,
        }  # fmt: skip
        return [*(["\n".join(said)] if said else []), _table(shown, of_one, new)], data


def _intervals(boot: GroupBootstrap, level: float, rule: Any, names: list[str]) -> dict[str, Any]:
    """Return estimates and limits per case on new cases: of the cost of all and of each group, the extra cost, and the price."""
    whole = boot.interval("cost", rule=rule, level=level)
    groups = {name: boot.interval("cost", group=name, rule=rule, level=level) for name in names}
    return {
        "level": level, "resamples": boot.n_resamples, "rule": rule, "cost": list(whole), "estimate": whole.estimate,
        "extra_cost": list(boot.interval("extra_cost", level=level)),
        "price": list(boot.interval("price", level=level)) if "parity" in boot.rules else None,
        "groups": {name: list(own) for name, own in groups.items()},
        "estimates": {name: own.estimate for name, own in groups.items()},
    }  # fmt: skip


def _table(shown: Any, one_for_all: OneForAll, intervals: dict[str, Any] | None) -> Table:
    """Return one row per group: for people in money per 1000 of its cases, for spreadsheets with all digits."""
    rows = []
    for name, choice in shown.groups.items():
        low, high = (None, None) if intervals is None else intervals["groups"][name]
        fields = ("positives", "negatives", "model", "threshold", "tpr", "fpr", "flagged", "cost")
        rows.append({
            "group": name, "cases": choice.positives + choice.negatives, "prevalence": choice.condition.prevalence,
            "rule": choice.rule.removeprefix("flag ").replace(" or flag ", " or "), **{field: getattr(choice, field) for field in fields},
            "estimate": None if intervals is None else intervals["estimates"][name], "low": low, "high": high,
            "extra_cost_of_one": one_for_all.by_group[name],
        })  # fmt: skip

    def rate(share: float) -> str:
        return "–" if np.isnan(share) else numbers.percent(share)  # a class may be absent

    heads: dict[str, Any] = {
        "group": "group", "cases": ("cases", lambda cases: numbers.digits(cases, 15)), "prevalence": ("positive", numbers.percent),
        "rule": "rule", "tpr": ("caught", rate), "fpr": ("false alarms", rate), "flagged": ("flagged", rate),
        "cost": ("per 1000", lambda cost: numbers.money(1000 * cost)),
    }  # fmt: skip
    if intervals is not None:
        for row in rows:
            ends = numbers.rough_span([1000 * row["low"], 1000 * row["high"]])
            row["new"] = f"{numbers.rough(1000 * row['estimate'])} ({ends})"
        heads["new"] = f"per 1000 new ({numbers.share(intervals['level'])})"
    return Table.of(rows, heads, f"Groups ({one_for_all.each.prevalence})")


def reported(session: Session) -> dict[str, Any]:
    """Return the arguments of a report that groups add."""
    own = session.given["prevalence"] is None
    return {"group": session.data.rows("--group").group, "group_prevalence": "own" if own else "condition"}


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
            measured = Comparison.from_scores(y, scores, sample_weight=weight).table(over)
            measures = [{"model": row["name"], "values": row["values"]} for row in measured.to_dict()["rows"]]
        found.append({"group": name, "rows": size, "positives": positives, "measures": measures})
        for model in measures or [{"model": None, "values": {}}]:
            shown = {measure: model["values"].get(measure) for measure in _SHOWN}
            rows_shown.append({"group": name, "model": model["model"], "rows": size, "positives": positives, **shown})
    return Table.of(rows_shown, title="Measures by group"), found

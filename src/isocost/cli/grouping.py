"""Groups of cases, asked of the library and printed: a threshold for each, one for all, equal rates."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from isocost.cli.group_options import Asked
from isocost.cli.session import Session
from isocost.cli.text_table import TextTable
from isocost.errors import FewCasesWarning, InputError

if TYPE_CHECKING:
    from isocost.conditions import Condition
    from isocost.data.checks import Floats
    from isocost.groups import GroupBootstrap, GroupDecision, Groups, OneForAll, ParityChoice

# Measures by group that people see; JSON has all.
_SHOWN = ("auc", "mean_normalised_cost", "voros", "h_measure")


@dataclass(frozen=True)
class Grouping:
    """The groups of a file at the condition that the options give, ranges at their means.

    Attributes
    ----------
    groups : Groups
    condition : Condition
    prevalence : {"own", "condition"}
        Each group's own unless one was given.
    """

    groups: Groups
    condition: Condition
    prevalence: Any

    @classmethod
    def of(cls, session: Session) -> Grouping:
        """Read the groups."""
        from isocost.groups import Groups

        rows = session.data.rows("--group")
        if rows.group is None:
            raise InputError("--group needs predictions with a column of groups")
        groups = Groups.from_scores(rows.y_true, rows.scores, rows.group, sample_weight=rows.weight)
        given = session.given["prevalence"] is not None
        return cls(groups, session.middle, "condition" if given else "own")

    @property
    def at(self) -> dict[str, Any]:
        """The arguments of every question to the groups."""
        return {"condition": self.condition, "prevalence": self.prevalence}

    @property
    def weights(self) -> Floats | None:
        """What each case counts when one threshold for all is decided at the groups' prevalences; None if as in the data."""
        return None if self.prevalence == "own" else self.groups.case_weights(**self.at)

    @cached_property
    def one_for_all(self) -> OneForAll:
        """What one threshold for all costs."""
        return self.groups.cost_of_one_threshold(**self.at)

    def decision(self, asked: Asked) -> GroupDecision:
        """Return the thresholds asked for."""
        return self.one_for_all.each if asked.thresholds == "each" else self.one_for_all.one

    def parity(self, asked: Asked) -> ParityChoice | None:
        """Return the rule of equal rates, None if none was asked for."""
        if asked.parity is None:
            return None
        criterion: Any = asked.parity
        return self.groups.parity(criterion=criterion, tolerance=asked.within, randomised=asked.randomised, **self.at)

    def resampled(self, session: Session, asked: Asked, total: int | Literal["auto"] | None) -> GroupBootstrap | None:
        """Return resamples of the groups' cases; None if none are wanted."""
        if not total:
            return None
        from isocost.inference.draws import DRAWS

        criterion: Any = asked.parity
        with session.messages.progress("resampling the groups"), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", FewCasesWarning)
            found = self.groups.bootstrap(
                **self.at, criterion=criterion, tolerance=asked.within, randomised=asked.randomised,
                n_resamples=DRAWS if total == "auto" else total, rng=session.given["seed"],
            )  # fmt: skip
        for warning in told:
            session.messages.say(f"Warning: {warning.message}")
        return found


def answered(
    session: Session, grouping: Grouping, asked: Asked, total: int | Literal["auto"] | None
) -> tuple[list[str | TextTable], dict[str, Any]]:
    """Return sentences and a table for people, and what the JSON form adds."""
    found, parity = grouping.decision(asked), grouping.parity(asked)
    boot, level = grouping.resampled(session, asked, total), session.given["level"]
    rule: Any = asked.thresholds if parity is None else "parity"
    shown: Any = found if parity is None else parity
    limits = None if boot is None else _intervals(boot, level, rule, list(shown.groups))
    said = []
    if parity is not None:
        cost = None if boot is None or limits is None else {"estimate": limits["estimate"], "interval": limits["cost"]}
        said.append(parity.said(cost, None if limits is None else limits["price"], level))
    # On the cases at hand one threshold for all never looks cheaper: without an interval that is no answer.
    if limits is not None:
        said.append(grouping.one_for_all.said(limits["extra_cost"], level))
    data: dict[str, Any] = {
        "groups": found.to_dict()["groups"], "expected_cost": found.expected_cost,
        "cost_of_one_threshold": {
            name: value for name, value in grouping.one_for_all.to_dict().items() if name in ("extra_cost", "by_group")
        },
        "parity": None if parity is None else parity.to_dict(), "intervals": limits,
    }  # fmt: skip
    table = _table(shown, grouping.one_for_all, limits)
    return ["\n".join(said), table] if said else [table], data


def _intervals(boot: GroupBootstrap, level: float, rule: Any, names: list[str]) -> dict[str, Any]:
    """Return estimates and limits per case on new cases: of the cost of all and of each group, the extra cost, and the price."""
    price = {"price": list(boot.interval("price", level=level))} if "parity" in boot.rules else {"price": None}
    whole, groups = (
        boot.interval("cost", rule=rule, level=level),
        {name: boot.interval("cost", group=name, rule=rule, level=level) for name in names},
    )
    return {
        "level": level, "resamples": boot.n_resamples, "rule": rule, "cost": list(whole), "estimate": whole.estimate,
        "extra_cost": list(boot.interval("extra_cost", level=level)), **price,
        "groups": {name: list(own) for name, own in groups.items()},
        "estimates": {name: own.estimate for name, own in groups.items()},
    }  # fmt: skip


def _table(shown: Any, one_for_all: OneForAll, intervals: dict[str, Any] | None) -> TextTable:
    """Return one row per group: for people in money per 1000 of its cases, for spreadsheets with all digits."""
    from isocost import numbers

    heads = ["group", "cases", "positive", "rule", "caught", "false alarms", "flagged", "per 1000"]
    heads += [] if intervals is None else [f"per 1000 new ({numbers.share(intervals['level'])})"]
    rows, full = [], []
    for name, choice in shown.groups.items():
        limits = (None, None) if intervals is None else tuple(intervals["groups"][name])
        rates = [
            "–" if rate != rate else numbers.percent(rate)  # noqa: PLR0124 - NaN where the class is absent
            for rate in (choice.tpr, choice.fpr, choice.flagged)
        ]
        row = [
            name, numbers.digits(choice.positives + choice.negatives, 15), numbers.percent(choice.condition.prevalence),
            choice.rule.removeprefix("flag ").replace(" or flag ", " or "), *rates, numbers.money(1000 * choice.cost),
        ]  # fmt: skip
        if intervals is not None:
            span = numbers.rough_span([1000 * end for end in intervals["groups"][name]])
            row.append(f"{numbers.rough(1000 * intervals['estimates'][name])} ({span})")
        rows.append(row)
        full.append([
            name, choice.positives, choice.negatives, choice.condition.prevalence, choice.model, choice.threshold, choice.tpr,
            choice.fpr, choice.flagged, choice.cost, *limits, one_for_all.by_group[name],
        ])  # fmt: skip
    data = [
        "group", "positives", "negatives", "prevalence", "model", "threshold", "tpr", "fpr", "flagged", "cost", "low", "high",
        "extra_cost_of_one",
    ]  # fmt: skip
    numeric = [head for head in heads if head not in ("group", "rule")]
    return TextTable(
        heads, rows, f"Groups ({one_for_all.each.prevalence})", names=list(shown.groups), right=numeric, data_columns=data, data_rows=full,
    )  # fmt: skip


def reported(session: Session) -> dict[str, Any]:
    """Return the arguments of a report that groups add."""
    given = session.given["prevalence"] is not None
    return {"group": session.data.rows("--group").group, "group_prevalence": "condition" if given else "own"}


def measured(session: Session, over: Any) -> tuple[TextTable, list[dict[str, Any]]]:
    """Return the measures of each model in each group: some of them for people, all as JSON; none where a class is absent."""
    import numpy as np

    from isocost.cli import measuring
    from isocost.compare import Comparison

    rows = session.data.rows("--group")
    marks = np.array([str(mark) for mark in np.asarray(rows.group).tolist()])
    found: list[dict[str, Any]] = []
    table = []
    for name in np.unique(marks).tolist():
        own = marks == name
        y = rows.y_true[own]
        measures = None
        if 0 < np.count_nonzero(y) < y.size:
            weight = None if rows.weight is None else rows.weight[own]
            scores = {model: column[own] for model, column in rows.scores.items()}
            measures = measuring.to_dicts(Comparison.from_scores(y, scores, sample_weight=weight).table(over))
        found.append({"group": name, "rows": int(y.size), "positives": int(np.count_nonzero(y)), "measures": measures})
        for model in measures or [{"model": "–", "values": {}}]:
            values = [model["values"].get(measure) for measure in _SHOWN]
            table.append([name, model["model"], int(y.size), int(np.count_nonzero(y)), *values])
    names = [*session.data.models, *(group["group"] for group in found)]
    heads = ["group", "model", "rows", "positives", *_SHOWN]
    return TextTable(heads, table, "Measures by group", names=names), found

"""The decision beside its alternatives: one row each, for the command, notebooks and spreadsheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from isocost.decision import numbers
from isocost.roc_space.joint_hull import TRIVIAL_NAMES

if TYPE_CHECKING:
    from isocost.decision.decision import Decision

_FIELDS = (
    "model", "rule", "threshold", "other_threshold", "other_probability", "tpr", "fpr", "flagged", "precision",
    "normalised_cost", "expected_cost", "per_1000", "extra", "extra_cost", "extra_low", "share",
)  # fmt: skip
_WORDS = ("model", "rule", "remark")
_NO_MODEL, _NOTHING = "no model", "–"


class DecisionTable(NamedTuple):
    """Heads and rows of texts, in money per 1000 cases where there are costs."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def numbers(self) -> tuple[str, ...]:
        """The heads of the columns that hold numbers."""
        return tuple(head for head in self.heads if head not in _WORDS)


def table(decision: Decision) -> DecisionTable:
    """Return the decision and its alternatives as people read them."""
    found = rows(decision)
    columns: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "model": lambda row: _NO_MODEL if row["model"] in TRIVIAL_NAMES else row["model"],
        "rule": lambda row: row["rule"].replace("flag cases with ", ""),
        "flagged": _share("flagged"),
        "caught": _share("tpr"),
    }
    if decision.per_1000 is None:
        columns |= {"false alarms": _share("fpr"), "right": _share("precision")}
    else:
        unit = decision.asked.words.unit
        columns |= {f"{unit} per 1000".strip(): _money("per_1000", 1), "more": _money("extra_cost", 1000)}
    if any(row["share"] is not None for row in found):
        columns["cheapest in"] = _share("share")
    if any(row["remark"] for row in found):
        columns["remark"] = lambda row: row["remark"]
    return DecisionTable(tuple(columns), tuple(tuple(text(row) for text in columns.values()) for row in found))


def rows(decision: Decision) -> list[dict[str, Any]]:
    """Return the decision and each alternative with the same fields, best first, as plain data with every digit."""
    surety = decision.surety
    first = {
        "extra": None if decision.normalised_cost is None else 0.0, "extra_cost": None if decision.per_1000 is None else 0.0,
        "share": None if surety is None else surety.share, "interval": None if surety is None else surety.interval,
    }  # fmt: skip
    found = []
    for own in (decision.to_dict() | first, *(alternative.to_dict() for alternative in decision.alternatives)):
        low, high = own["interval"] or (None, None)
        last = {"interval_low": low, "interval_high": high, "remark": own.get("remark", "")}
        found.append({name: own.get(name) for name in _FIELDS} | last)
    return found


def _share(name: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda row: _NOTHING if row[name] is None else numbers.percent(float(row[name]))


def _money(name: str, cases: int) -> Callable[[Mapping[str, Any]], str]:
    # Costs near the largest float overflow, and infinities are words in plain data.
    return lambda row: _NOTHING if row[name] is None else numbers.money(cases * float(row[name]))

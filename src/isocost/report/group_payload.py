"""What the report says about groups of cases, as plain data: each group's threshold, what one for all costs, what equal rates cost."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from isocost.conditions import Condition
from isocost.errors import ConditionError, FewCasesWarning, InputError
from isocost.groups import Groups
from isocost.results import plain
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.groups import GroupBootstrap, OneForAll
    from isocost.groups.points import RuleHull

CRITERIA: tuple[Literal["tpr", "fpr", "flagged"], ...] = ("tpr", "fpr", "flagged")
# With more groups intervals and hulls would fill the file; the table and the sums are still there.
MOST_DRAWN = 200
RESAMPLES = 200


def payload(groups: Any, summary: Mapping[str, Any], prevalence: Any) -> dict[str, Any]:
    """Return everything about the groups at the condition of a report; see `isocost.report.summary` for the fields."""
    if not isinstance(groups, Groups):
        raise InputError(
            f"groups must be Groups, made by Groups.from_scores or from_frame, got {type(groups).__name__}"
        )
    at: dict[str, Any] = {"condition": _condition(summary), "prevalence": prevalence}
    level, resamples = summary["level"], summary["draws"]
    found = groups.cost_of_one_threshold(**at)
    drawn = len(groups.names) <= MOST_DRAWN
    boot = None
    if resamples is not None and drawn:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewCasesWarning)  # the report itself names them
            boot = groups.bootstrap(**at, n_resamples=RESAMPLES, rng=0)
    hulls = groups.rule_hulls(prevalence=prevalence)[0] if drawn else None
    rows = [_row(found, boot, name, level) for name in groups.names]
    for row in rows:
        row["hull"] = None if hulls is None else _drawn(hulls[row["group"]], 0)
    # Where one threshold for all costs most comes first.
    rows.sort(key=lambda row: -row["extra_cost"])
    prices = [groups.prices(**at, criterion=criterion) for criterion in CRITERIA]
    made: dict[str, Any] = plain(
        {
            "text": str(found),
            "prevalence": found.each.prevalence,
            "expected_cost": found.each.expected_cost,
            "one": {"rule": _shared(found).rule, "expected_cost": found.one.expected_cost},
            "extra_cost": found.extra_cost,
            "interval": None if boot is None else list(boot.interval("cost", level=level)),
            "extra_interval": None if boot is None else list(boot.interval("extra_cost", level=level)),
            "few": [] if boot is None else list(boot.few),
            "rows": rows,
            "prices": [{"criterion": p.criterion, "tolerance": p.tolerance, "price": p.price} for p in prices],
        }
    )  # fmt: skip
    return made


def _condition(summary: Mapping[str, Any]) -> Condition:
    """Return the condition of the report's decision, ranges at their means."""
    known = summary["decision"]["question"]["quantities"]
    if "cost_fn" not in known:
        raise ConditionError("groups need costs: give the report a Condition, or Conditions made from costs")
    return Condition(
        **{name: known[name]["mean"] for name in ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")}
    )


def _shared(found: OneForAll) -> Any:
    """Return the choice of a group that tells the one rule: of an infinite threshold only those that flag somebody do."""
    return max(found.one.groups.values(), key=lambda choice: choice.flagged > 0)


def _row(found: OneForAll, boot: GroupBootstrap | None, name: str, level: float) -> dict[str, Any]:
    choice, shared = found.each[name], found.one[name]
    interval = None if boot is None else list(boot.interval("cost", group=name, level=level))
    return {
        "group": name, "share": choice.share, "positives": choice.positives, "negatives": choice.negatives,
        "prevalence": choice.condition.prevalence, "model": choice.model, "threshold": choice.threshold, "rule": choice.rule,
        "tpr": choice.tpr, "fpr": choice.fpr, "flagged": choice.flagged, "cost": choice.cost, "interval": interval,
        "extra_cost": found.by_group[name], "one": {"tpr": shared.tpr, "fpr": shared.fpr, "cost": shared.cost},
    }  # fmt: skip


def _drawn(hull: RuleHull, g: int) -> dict[str, Any]:
    return {
        "fp": _whole(hull.fp[:, g]),
        "tp": _whole(hull.tp[:, g]),
        "rule": list(hull.rule),
        "model": list(hull.model),
    }


def _whole(counts: Floats) -> list[float]:
    """Return counts as short as they can be written."""
    return [int(count) if count == int(count) else count for count in counts.tolist()]

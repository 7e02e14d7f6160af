"""Limits a choice must keep, from the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from isocost.errors import ConditionError, InfeasibleError

if TYPE_CHECKING:
    from isocost.conditions import Condition, Conditions
    from isocost.decision import Choice
    from isocost.roc_space import RocCurve


@dataclass(frozen=True)
class Found:
    """The best choice, and the best of each model (None with the reason if it has none)."""

    choice: Choice
    tried: Sequence[tuple[str, Choice | None, str]]


@dataclass(frozen=True)
class Limit:
    """One limit, in words, and its value."""

    name: str
    value: float | None
    text: str
    randomised: bool

    def to_dict(self) -> dict[str, Any]:
        """Return what the JSON form says."""
        return {"name": self.name, "value": self.value, "randomised": self.randomised}

    def best(self, curves: Sequence[RocCurve], condition: Condition | Conditions | None) -> Found:
        """Return the best choice of each model, the best model first."""
        from isocost.conditions import Condition

        choose = self._chooser(condition)
        tried: list[tuple[str, Choice | None, str]] = []
        why = ""
        for curve in curves:
            try:
                tried.append((str(curve.name), choose(curve), ""))
            except InfeasibleError as error:
                why = str(error)
                tried.append((str(curve.name), None, why))
        found = [choice for _, choice, _ in tried if choice is not None]
        if not found:
            raise InfeasibleError(why)
        if self.name == "minimax":
            from isocost.conditions import Conditions

            over = Conditions.of(condition)
            ends = [Condition.from_t(over.low), Condition.from_t(over.high)]
            best = min(found, key=lambda choice: max(end.normalised_cost(choice.fpr, choice.tpr) for end in ends))
        else:
            best = min(found, key=lambda choice: (-choice.tpr, choice.fpr))
        tried.sort(key=lambda row: row[1] is not best)
        return Found(best, tried)

    def _chooser(self, condition: Condition | Conditions | None) -> Callable[[RocCurve], Choice]:
        from isocost import decision
        from isocost.conditions import Condition

        # Costs can be stated at one condition only; over a range the limit alone decides.
        certain = condition if isinstance(condition, Condition) else None
        options: dict[str, Any] = {"randomised": self.randomised, "condition": certain}
        if self.name in ("max_flagged", "min_precision") and condition is not None and certain is None:
            options["prevalence"] = self._one_prevalence(condition)
        match self.name:
            case "max_fpr":
                return lambda curve: decision.neyman_pearson(curve, max_fpr=float(self.value or 0), **options)
            case "max_flagged":
                return lambda curve: decision.workforce(curve, max_flagged=float(self.value or 0), **options)
            case "min_precision":
                return lambda curve: decision.precision_constrained(
                    curve, min_precision=float(self.value or 0), **options
                )
            case _:
                return lambda curve: decision.minimax(curve, over=condition, **options)

    def _one_prevalence(self, condition: Condition | Conditions) -> float:
        low, high = getattr(condition, "ranges", {})["prevalence"]
        if low != high:
            option = self.name.replace("_", "-")
            raise ConditionError(
                f"--{option} needs one prevalence, got {low:g}:{high:g}; take the least favourable one"
            )
        return float(low)


_TEXTS = {
    "max_fpr": "Flagging at most {:.4g} of the negatives",
    "max_flagged": "Flagging at most {:.4g} of all cases",
    "min_precision": "With at least {:.4g} of the flagged positive",
    "minimax": "For the worst case",
}


def asked(given: Mapping[str, Any], *, randomised: bool) -> Limit | None:
    """Return the one limit that was asked for, or None."""
    named = [name for name, value in given.items() if value is not None and value is not False]
    options = ["--" + name.replace("_", "-") for name in given]
    if len(named) > 1:
        raise click.UsageError(f"give one of {', '.join(options)}, not several")
    if not named:
        if randomised:
            raise click.UsageError(f"--randomised goes with one of {', '.join(options)}")
        return None
    [name] = named
    value = None if name == "minimax" else float(given[name])
    return Limit(name, value, _TEXTS[name].format(value), randomised)

"""Costs and prevalence from the options, as the library's conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from isocost.cli.data import Data
from isocost.cli.output import Messages
from isocost.errors import InputError
from isocost.results import plain

if TYPE_CHECKING:
    from isocost.conditions import Condition, Conditions

_NO_PREVALENCE = "the file does not tell which share of cases is positive: say it with --prevalence"
Stated = Any  # a number, a pair or a distribution; None if not said


def given(costs: Mapping[str, Stated], data: Data) -> Condition | Conditions | None:
    """Return the condition, or None if no option speaks of one; the prevalence is the data's unless given."""
    said = {name: value for name, value in costs.items() if value is not None}
    return _made(said, data.curves[0].prevalence) if said else None


def check(costs: Mapping[str, Stated]) -> None:
    """Complain about costs that cannot be before anything is read; whatever the data's prevalence is, it can be."""
    _made({name: value for name, value in costs.items() if value is not None}, 0.5)


def _made(said: Mapping[str, Any], prevalence: float | None) -> Condition | Conditions:
    from isocost.conditions import stated

    if prevalence is None and "prevalence" not in said:
        raise InputError(_NO_PREVALENCE)
    return stated({"cost_fp": 1.0, "cost_fn": 1.0, "prevalence": prevalence, **said})


def of_costs(given: Mapping[str, Any], messages: Messages, known: Sequence[Condition] = ()) -> Condition | Conditions:
    """Return a condition whose prevalence does not matter: as given, else the first known, else equal costs, which is said."""
    names = ("cost_fp", "cost_fn", "cost_tp", "cost_tn")
    costs = {name: given[name] for name in names if given[name] is not None}
    if not costs and known:
        return known[0]
    if not costs:
        messages.say("No costs given. Assumed: equal costs (set them with --cost-fp and --cost-fn).")
    return _made(costs, 0.5)


def needed(costs: Mapping[str, Stated], data: Data, messages: Messages) -> Condition | Conditions:
    """Return the condition; say so if all of it has to be supposed."""
    from isocost.conditions import Condition

    condition = given(costs, data)
    if condition is not None:
        return condition
    prevalence = data.curves[0].prevalence
    if prevalence is None:
        raise InputError(_NO_PREVALENCE)
    supposed = Condition(prevalence=prevalence)
    messages.say(
        f"No costs given. Assumed: equal costs, {100 * supposed.prevalence:.4g} % positive as in the data "
        "(set them with --cost-fp, --cost-fn and --prevalence)."
    )
    return supposed


def to_dict(condition: Condition | Conditions | None) -> dict[str, Any] | None:
    """Return what the JSON form says about a condition: every quantity as [low, high]."""
    from isocost.conditions import Conditions

    if condition is None:
        return None
    over = Conditions.of(condition)
    ranges = over.ranges or {}
    found: dict[str, Any] = plain(
        {
            "text": str(condition),
            **{name: list(ranges[name]) if name in ranges else None for name in ("cost_fp", "cost_fn", "prevalence")},
            "t": [over.low, over.high],
        }
    )
    return found


def one_prevalence(said: Stated, data: Data) -> float:
    """Return the prevalence given, the mean of a range or a belief, or the data's own."""
    if said is None:
        own = data.curves[0].prevalence
        if own is None:
            raise InputError(_NO_PREVALENCE)
        return own
    return sum(said) / 2 if isinstance(said, tuple) else float(said.mean() if hasattr(said, "mean") else said)


def certain(prevalence: Stated) -> bool:
    """Tell whether a prevalence is one number, or was not said."""
    return prevalence is None or isinstance(prevalence, float)

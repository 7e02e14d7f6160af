"""A review band in plain words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from isocost.decision.numbers import threshold as said

if TYPE_CHECKING:
    from isocost.decision.choice import Choice
    from isocost.decision.review_choice import ReviewChoice


def band(choice: ReviewChoice) -> str:
    """Return who is flagged, cleared and reviewed, what that costs and saves, and what reviews are worth."""
    who = "" if choice.model is None else f"{choice.model}: "
    return f"{who}{rule(choice)}: {price(choice)}. {worth(choice)}"


def rule(choice: ReviewChoice) -> str:
    """Return what to do with a case, without capital and full stop."""
    if choice.reviewed == 0:
        return f"{_flag(choice.without)}, review nobody"
    share = f"{100 * choice.reviewed:.3g} %"
    if choice.flagged == 0 and choice.cleared == 0:
        return "have a person look at every case"
    if choice.flagged == 0:
        return f"{_clear(choice.review_choice)}, have a person look at the other {share}"
    if choice.cleared == 0:
        return f"{_flag(choice.flag_choice)}, have a person look at the other {share}"
    return f"{_flag(choice.flag_choice)}, {_clear(choice.review_choice)}, have a person look at the {share} between"


def price(choice: ReviewChoice) -> str:
    """Return what the band costs and saves per 1000 cases."""
    cost = f"{_amount(1000 * choice.expected_cost)} per 1000 cases"
    if choice.reviewed == 0:
        return cost
    if choice.saving < 0:
        return f"{cost}, {_amount(-1000 * choice.saving)} more than with one threshold"
    return f"{cost}, {_amount(1000 * choice.saving)} less than with one threshold"


def worth(choice: ReviewChoice) -> str:
    """Return up to which price reviews pay, and what one more would save."""
    if choice.worth_up_to == 0:
        return "Reviews pay at no price."
    text = f"Reviews pay up to {choice.worth_up_to:.3g} each."
    return (
        f"{text} One more review would save {choice.price_of_capacity:.3g}." if choice.price_of_capacity > 0 else text
    )


def _flag(choice: Choice) -> str:
    if (choice.fpr, choice.tpr) == (0.0, 0.0):
        return "flag nobody"
    if (choice.fpr, choice.tpr) == (1.0, 1.0):
        return "flag everybody"
    return f"flag scores ≥ {_cut(choice)}"


def _clear(choice: Choice) -> str:
    return f"clear scores below {_cut(choice)}"


def _cut(choice: Choice) -> str:
    if math.isnan(choice.threshold):
        return f"the threshold with fpr {choice.fpr:.3g} and tpr {choice.tpr:.3g}"
    if choice.other_threshold is None or choice.other_probability is None:
        return said(choice.threshold)
    return f"{said(choice.threshold)} (with probability {choice.other_probability:.4g}: {said(choice.other_threshold)})"


def _amount(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"

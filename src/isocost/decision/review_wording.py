"""A review band in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isocost.decision.numbers import amount, share
from isocost.decision.rules import CLEARED, SCORED

if TYPE_CHECKING:
    from isocost.decision.choice import Choice
    from isocost.decision.review_choice import ReviewChoice

# Where no model is used there is nothing to look at.
NOBODY = "No review is worth its price here."


def band(choice: ReviewChoice) -> str:
    """Return who is flagged, cleared and reviewed, what that costs and saves, and what reviews are worth."""
    who = "" if choice.model is None else f"{choice.model}: "
    cost = f"{amount(1000 * choice.expected_cost)} per 1000 cases"
    saved = saving(choice)
    return f"{who}{rule(choice)}: {cost}{', ' if saved else ''}{saved}. {worth(choice)}{_grouped(choice)}"


def _grouped(choice: ReviewChoice) -> str:
    """Return what thresholds inside groups of scores could save; empty where that is nothing."""
    if choice.expected_cost_low is None:
        return ""
    saved = amount(1000 * (choice.expected_cost - choice.expected_cost_low))
    return f" Scores were grouped: finer thresholds could save up to {saved}."


def rule(choice: ReviewChoice) -> str:
    """Return what to do with a case, without capital and full stop."""
    if choice.reviewed == 0:
        return f"{choice.without.rule}, have a person look at nobody"
    if choice.flagged == 0 and choice.cleared == 0:
        return "have a person look at every case"
    look = (
        f"have a person look at the {'other ' if 0 in (choice.flagged, choice.cleared) else ''}{share(choice.reviewed)}"
    )
    if choice.flagged == 0:
        return f"{_clear(choice.review_choice)}, {look}"
    if choice.cleared == 0:
        return f"{choice.flag_choice.rule}, {look}"
    return f"{choice.flag_choice.rule}, {_clear(choice.review_choice)}, {look} between"


def saving(choice: ReviewChoice, unit: str = "") -> str:
    """Return what the band saves per 1000 cases against one threshold; nothing if nobody is reviewed."""
    if choice.reviewed == 0:
        return ""
    less = "more" if choice.saving < 0 else "less"
    return f"{amount(1000 * abs(choice.saving), unit)} {less} than with one threshold"


def worth(choice: ReviewChoice, unit: str = "") -> str:
    """Return up to which price reviews pay, and what one more would save."""
    if choice.worth_up_to == 0:
        return "Reviews pay at no price."
    text = f"Reviews pay up to {amount(choice.worth_up_to, unit)} each."
    more = f" One more review would save {amount(choice.price_of_capacity, unit)}."
    return f"{text}{more}" if choice.price_of_capacity > 0 else text


def decided(choice: ReviewChoice, unit: str = "") -> str:
    """Return what a decision with reviews adds: what they save and what they are worth."""
    saved = saving(choice, unit)
    return f"With reviews it costs {saved}. {worth(choice, unit)}" if saved else worth(choice, unit)


def _clear(choice: Choice) -> str:
    """Say who is cleared outright: whoever the rule neither flags nor shows to a person."""
    if choice.rule.startswith("use "):
        return f"clear whom {choice.rule.removeprefix('use ')} does not flag"
    words = {
        SCORED: CLEARED,
        "flag nobody": "clear everybody",
        "flag everybody": "clear nobody",
    }
    text = choice.rule
    for flag, clear in words.items():
        text = text.replace(flag, clear)
    return text

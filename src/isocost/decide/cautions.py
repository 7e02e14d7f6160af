"""Warnings about a decision: few cases, and scores that rank backwards or too well to be true."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from isocost.curves import RocCurve
from isocost.curves.roc import is_path
from isocost.decide.question import SLACK
from isocost.decide.say import say
from isocost.measures.areas import auc

if TYPE_CHECKING:
    from isocost.decide.choice import Choice

FEW_CASES = 50
# Below this many flagged positives, or negatives left alone, an operating point rests on next to nothing.
FEW_DECIDING = 5
# Standard errors below 1/2 from where on an area is taken for backwards: 2.5 % of useless scores get there by chance.
_SURE = 1.96
# With fewer cases of a class no error at all is no surprise.
_SUSPICIOUS = 10


def warnings_about(curves: Sequence[RocCurve], choice: Choice, words: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a reader of a decision should be careful about, a sentence each."""
    found: list[dict[str, Any]] = []
    positives, negatives = curves[0].positives, curves[0].negatives
    if positives is not None and negatives is not None and min(positives, negatives) < FEW_CASES:
        found.append({"kind": "few", "positives": positives, "negatives": negatives})
    chosen = next((curve for curve in curves if curve.name == choice.model), None)
    last: list[dict[str, Any]] = []
    if chosen is not None and chosen.positives is not None and chosen.negatives is not None:
        cases = chosen.positives + chosen.negatives
        if min(choice.tpr * chosen.positives, (1 - choice.fpr) * chosen.negatives) < FEW_DECIDING - SLACK * cases:
            found.append({"kind": "guess"})
        if (choice.fpr, choice.tpr) == (0.0, 1.0):
            # The probability of no error at all is 5 % at these rates, the upper ends of 90 % intervals.
            misses, alarms = (1 - 0.05 ** (1 / count) for count in (chosen.positives, chosen.negatives))
            last.append({"kind": "may_miss", "misses": misses, "alarms": alarms})
    return tuple(
        say("warning", {"question": {"words": words}} | item) for item in (*found, *score_warnings(curves), *last)
    )


def about_cases(warnings: Sequence[str], words: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the warnings that hold whichever rule is taken."""
    guess = say("warning", {"question": {"words": words}, "kind": "guess"})
    return tuple(text for text in warnings if text != guess)


def score_warnings(curves: Sequence[RocCurve]) -> list[dict[str, Any]]:
    """Return which models rank backwards or make no error at all, as data for the sentence `warning`."""
    found = []
    for curve in curves:
        if ranks_backwards(curve):
            found.append({"kind": "reversed", "model": curve.name})
        elif separates(curve):
            found.append({"kind": "perfect", "model": curve.name})
    return found


def ranks_backwards(curve: RocCurve) -> bool:
    """Return whether higher scores mean less likely positive, beyond chance; False where there are no cases to tell."""
    if not is_path(curve) or not curve.positives or not curve.negatives:
        return False
    positives, negatives = float(curve.positives), float(curve.negatives)
    # The spread of the area of useless scores without ties; ties only narrow it.
    spread = math.sqrt((positives + negatives + 1) / 12 / positives / negatives)
    return auc(curve) < 0.5 - _SURE * spread


def separates(curve: RocCurve) -> bool:
    """Return whether a threshold makes no error on so many cases that this is suspicious."""
    if not is_path(curve) or not curve.positives or not curve.negatives:
        return False
    return min(curve.positives, curve.negatives) >= _SUSPICIOUS and auc(curve) == 1.0

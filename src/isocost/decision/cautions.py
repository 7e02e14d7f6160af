"""What a reader of a decision should be wary of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from isocost.decision import numbers
from isocost.decision.score_cautions import ranks_backwards, score_cautions
from isocost.roc_space import RocCurve

if TYPE_CHECKING:
    from isocost.decision.decision import Decision

FEW_CASES = 50
# Below this many flagged positives, or negatives left alone, an operating point rests on next to nothing.
FEW_DECIDING = 5


def cautions(curves: Sequence[RocCurve], decision: Decision) -> tuple[str, ...]:
    """Return what to be wary of, a sentence each."""
    texts, last = [], []
    first = curves[0]
    counts = (("positive", first.positives), ("negative", first.negatives))
    few = [f"{numbers.digits(count)} {kind}" for kind, count in counts if count is not None and count < FEW_CASES]
    if few:
        texts.append(f"Only {' and '.join(few)} cases: every number here is rough.")
    chosen = next((curve for curve in curves if curve.name == decision.model), None)
    if chosen is not None and chosen.positives is not None and chosen.negatives is not None:
        deciding = min(decision.tpr * chosen.positives, (1 - decision.fpr) * chosen.negatives)
        if deciding < FEW_DECIDING - 1e-9:
            texts.append("The answer rests on fewer than five cases of one class: treat it as a guess.")
        if (decision.fpr, decision.tpr) == (0.0, 1.0):
            # The probability of no error at all is 5 % at these rates, the upper ends of 90 % intervals.
            misses, alarms = (1 - 0.05 ** (1 / count) for count in (chosen.positives, chosen.negatives))
            last.append(
                f"Up to {numbers.share(misses)} of positives may still be missed, and up to "
                f"{numbers.share(alarms)} of negatives flagged (90 % limits)."
            )
    # That a model made no error is said of its scores; what may come all the same follows.
    return (*texts, *score_cautions(curves), *last)


def backwards(curves: Sequence[RocCurve], model: str | None) -> tuple[str, ...]:
    """Return the models that matter to a decision and rank backwards: the decided one, or any if it is to use none."""
    own = [curve for curve in curves if curve.name == model]
    return tuple(str(curve.name) for curve in own or curves if ranks_backwards(curve))

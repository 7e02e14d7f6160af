"""How sure a decision is: the type; `inference.surety` computes it from resamples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from isocost.conditions.ranges import Pair
from isocost.results.result import Result

Grade = Literal["clear", "leaning", "open"]
LEVEL = 0.90
# From this share of the resamples on a decision leans; it is clear from (1 + level)/2 on.
LEANING = 0.8
_SLACK = 1e-9


@dataclass(frozen=True)
class Surety(Result):
    """How sure a decision is, from resamples of the cases.

    Attributes
    ----------
    grade : {"clear", "leaning", "open"} or None
        By the share: clear from (1 + level)/2 on, leaning from 0.8 on. None if it is not known.
    share : float or None
        In which share of resamples the decided model, or one that costs the same, is cheapest.
    n_resamples : int
    level : float
    interval : (low, high) or None
        Of the expected cost per case; normalised if there is no unit.
    regret, worst_regret : float or None
        What deciding so costs more than the truly best choice: on average over the resamples, and at most with confidence (1 + level)/2.
    doubts : tuple of str
        Why it is not said to be clear, or not known.
    enough : int or None
        How many more labelled cases would settle it, where that was asked for.
    """

    grade: Grade | None
    share: float | None = None
    n_resamples: int = 0
    level: float = LEVEL
    interval: Pair | None = None
    regret: float | None = None
    worst_regret: float | None = None
    doubts: tuple[str, ...] = ()
    enough: int | None = None

    @classmethod
    def unknown(cls, why: str) -> Surety:
        """Return that nothing is known, and why."""
        return cls(None, doubts=(why,))

    def doubted(self, *why: str) -> Surety:
        """Return the same with more reasons not to call it clear."""
        if not why:
            return self
        grade: Grade | None = "leaning" if self.grade == "clear" else self.grade
        return replace(self, grade=grade, doubts=(*self.doubts, *why))


def grade_of(share: float, level: float = LEVEL) -> Grade:
    """Return the grade of a share of resamples.

    Examples
    --------
    >>> grade_of(0.96), grade_of(0.85), grade_of(0.61), grade_of(0.96, level=0.95)
    ('clear', 'leaning', 'open', 'leaning')
    """
    if share >= (1 + level) / 2 - _SLACK:
        return "clear"
    return "leaning" if share >= LEANING - _SLACK else "open"

"""How sure a decision is: the type; `inference.surety` computes it from resamples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from isocost import validate
from isocost.conditions.ranges import Pair
from isocost.decision import numbers
from isocost.results.result import Result

Grade = Literal["clear", "leaning", "open"]
LEVEL = 0.90
# From this share of the resamples on a decision leans; it is clear from (1 + level)/2 on.
LEANING = 0.8
_SLACK = 1e-9


@dataclass(frozen=True)
class LabelTerms:
    """What labels cost, how much may be left to gain per 1000 cases, and how many cases will be decided."""

    cost_per_label: float | None = None
    good_enough: float | None = None
    cases: float = 1000.0

    @classmethod
    def of(cls, cost_per_label: Any, good_enough: Any, cases: Any, *, named: str = "good_enough") -> LabelTerms:
        """Check what a user says of labels."""
        return cls(
            None if cost_per_label is None else validate.number(cost_per_label, "cost_per_label", low=0.0),
            None if good_enough is None else validate.number(good_enough, named, low=0.0),
            validate.number(cases, "cases", low=0.0),
        )


@dataclass(frozen=True)
class MoreLabels(Result):
    """What more labelled cases would do for a decision; `Bootstrap.value_of_labels` tells more.

    Attributes
    ----------
    labelled : float
        Cases that are labelled already.
    perfect : float
        The worth of infinitely many labels, per 1000 cases.
    good_enough : float
        How much per 1000 cases may be left to gain.
    enough : int or None
        After this many more, no more than that is left; with a price, this many gain most. None if no number would do.
    cost_per_label : float or None
    cases : float
        How many cases will be decided; labels must pay off over these.
    """

    labelled: float
    perfect: float
    good_enough: float
    enough: int | None
    cost_per_label: float | None = None
    cases: float = 1000.0

    def __str__(self) -> str:
        """Say how many are enough, and what all labels of the world would be worth."""
        many = "no number of further labels" if self.enough is None else f"{self.enough} further labels"
        return f"{many} would do; any number is worth at most {numbers.money(self.perfect)} per 1000 cases"


@dataclass(frozen=True)
class Surety(Result):
    """How sure a decision is, from resamples of the cases.

    Attributes
    ----------
    grade : {"clear", "leaning", "open"} or None
        By the share: clear from (1 + level)/2 on, leaning from 0.8 on. None if it is not known.
    share : float or None
        Share of resamples in which the decided model, or one that costs the same, is cheapest.
    n_resamples : int
    level : float
    interval : (low, high) or None
        Of the expected cost per case; normalised if there is no unit.
    regret, worst_regret : float or None
        How much more this decision costs than the truly best choice: on average over the resamples, and at most with confidence (1
        + level)/2.
    doubts : tuple of str
        Why it is not said to be clear, or not known.
    labels : MoreLabels or None
        What more labelled cases would do.
    """

    grade: Grade | None
    share: float | None = None
    n_resamples: int = 0
    level: float = LEVEL
    interval: Pair | None = None
    regret: float | None = None
    worst_regret: float | None = None
    doubts: tuple[str, ...] = ()
    labels: MoreLabels | None = None

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

    def __repr__(self) -> str:
        """Say the grade, and by how many resamples."""
        if self.grade is None or self.share is None:
            return "<Surety: not known>"
        return f"<Surety: {self.grade}, cheapest in {numbers.share(self.share)} of {self.n_resamples} resamples>"


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

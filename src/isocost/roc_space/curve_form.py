"""What the other forms of a ROC curve have in common: a model's name, a prevalence, and how they say it in short."""

from __future__ import annotations

import numpy as np

from isocost import validate
from isocost.numbers import counted
from isocost.results import Drawn
from isocost.roc_space.curve import RocCurve
from isocost.validate import Floats


class CurveForm(Drawn):
    """The points of a ROC curve in other coordinates; a subclass says which, and which numbers sum it up."""

    thresholds: Floats
    model: str | None

    def _numbers(self) -> str:
        """Return the numbers that sum it up, in short."""
        raise NotImplementedError

    @property
    def _who(self) -> str:
        return "The model" if self.model is None else self.model

    def __repr__(self) -> str:
        """Say how many points there are, and the numbers that sum them up."""
        name = type(self).__name__
        title = name if self.model is None else f"{name} {self.model!r}"
        at = f" at prevalence {self.prevalence:.4g}" if isinstance(self, AtPrevalence) else ""
        return f"<{title}: {counted(self.thresholds.size, 'point')}{at}, {self._numbers()}>"


class AtPrevalence(CurveForm):
    """A form that depends on the share of positives."""

    prevalence: float

    @property
    def _when(self) -> str:
        return f"when {100 * self.prevalence:.4g} % are positive"


def inner_prevalence(curve: RocCurve, prevalence: float | None) -> float:
    """Return the prevalence given, else the data's own, strictly between 0 and 1."""
    return validate.strictly_between(curve._prevalence_or(prevalence), "prevalence", 0.0, 1.0)


def ratio_from_the_next(over: Floats, under: Floats) -> Floats:
    """Return over/under along a path, and at its start, where both are 0, the value of the first point that has one."""
    some = under > 0
    first = int(np.argmax(some))
    ratio = np.empty_like(under)
    ratio[some] = over[some] / under[some]
    ratio[~some] = ratio[first]
    return ratio

"""How many cases a study needs to tell two models, or a model and the toss of a coin, apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal

from isocost._front import documented_by
from isocost.conditions import Condition, Conditions
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.decide import Question, best_threshold
from isocost.decide.say import say
from isocost.errors import InputError
from isocost.numbers import ROUNDING, counted
from isocost.results import Result

_NORMAL = NormalDist()


@dataclass(frozen=True, repr=False)
class CasesNeeded(Result):
    """The size of a study that finds a difference with the stated power.

    Attributes
    ----------
    total, positives, negatives : int
        Cases; each class rounded up.
    difference : float
        The difference to detect: in cost per 1000 cases, the first model less the second; for an AUC, its distance from ½.
    power : float
        The probability that the study finds it.
    level : float
        The confidence of the two-sided test.
    measure : {"cost", "auc"}

    Examples
    --------
    >>> import isocost as ic
    >>> ic.inference.cases_needed_auc(0.75)
    <CasesNeeded: 30 cases (15 positives, 15 negatives) find 0.25 with power 80 % at level 90 %>
    """

    total: int
    positives: int
    negatives: int
    difference: float
    power: float
    level: float
    measure: Literal["cost", "auc"] = "cost"

    @classmethod
    def of(cls, positives: float, negatives: float, difference: float, power: float, level: float) -> CasesNeeded:
        """Round each class up."""
        up, down = (math.ceil(many * (1 - ROUNDING)) for many in (positives, negatives))
        return cls(up + down, up, down, difference, power, level)

    def sentence(self, unit: str = "") -> str:
        """Return how many cases find what, in words; `unit` is that of the costs."""
        own = self.to_dict() | {"difference": abs(self.difference), "auc": 0.5 + self.difference}
        return say("study", own, {"unit": unit})

    def __str__(self) -> str:
        return self.sentence()

    def __repr__(self) -> str:
        return (
            f"<CasesNeeded: {self.total} cases ({counted(self.positives, 'positive')}, {counted(self.negatives, 'negative')}) find "
            f"{self.difference:.4g} with power {self.power * 100:.4g} % at level {self.level * 100:.4g} %>"
        )


@documented_by(see="isocost.inference.cases_needed_auc")
def cases_needed(
    a: RocCurve,
    b: RocCurve | None,
    condition: Condition | Conditions,
    *,
    correlation: float = 0.0,
    prevalence: float | None = None,
    power: float = 0.80,
    level: float = 0.90,
) -> CasesNeeded:
    """Return how many cases it takes to show which of two models is cheaper at a condition, from assumed curves.

    Both models are used at their best thresholds. From a pilot study use `Bootstrap.cases_needed` instead.

    Parameters
    ----------
    a, b : RocCurve
        The models; if `b` is None, the better trivial classifier.
    condition : Condition or Conditions
    correlation : float
        Of the two models' scores within a class, as if these were normal; between -1 and 1.
    prevalence : float, optional
        Share of positives in the study; that of the condition if not given.

    Examples
    --------
    >>> old, new = ic.RocCurve.from_points([0.2], [0.7]), ic.RocCurve.from_points([0.2], [0.8])
    >>> ic.cases_needed(new, old, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), correlation=0.6)
    <CasesNeeded: 519 cases (156 positives, 363 negatives) find -150 with power 80 % at level 90 %>
    """
    checks.instance(a, "a", RocCurve, "a RocCurve")
    checks.instance(b, "b", RocCurve | None, "a RocCurve")
    rho = checks.number(correlation, "correlation", low=-1.0, high=1.0)
    question = Question.of(condition)
    t = question.at.t
    mixed = checks.inner_rate(question.at.prevalence if prevalence is None else prevalence, "prevalence of the study")
    trivial = (0.0, 0.0) if 1 - t <= t else (1.0, 1.0)
    found = [None if curve is None else best_threshold(curve, question.at) for curve in (a, b)]
    first, second = (trivial if choice is None else (choice.fpr, choice.tpr) for choice in found)
    gap = t * (first[0] - second[0]) - (1 - t) * (first[1] - second[1])
    negatives, positives = (_disagreement(p, q, rho) for p, q in zip(first, second, strict=True))
    factor = (sum(deviates(power, level, gap)) / gap) ** 2
    total = factor * (t**2 * negatives / (1 - mixed) + (1 - t) ** 2 * positives / mixed)
    return CasesNeeded.of(total * mixed, total * (1 - mixed), 1000 * question.scale * gap, power, level)


@documented_by(see="isocost.cases_needed")
def cases_needed_auc(
    auc: float, *, negatives_per_positive: float = 1.0, power: float = 0.80, level: float = 0.90
) -> CasesNeeded:
    """Return how many cases it takes to show that a model ranks better than chance.

    Parameters
    ----------
    auc : float
        The area that is assumed; not ½.
    negatives_per_positive : float

    References
    ----------
    Obuchowski & McClish (1997), Sample size determination for diagnostic accuracy studies involving binormal ROC curve indices,
    Statistics in Medicine 16:1529-1542.

    Examples
    --------
    >>> ic.inference.cases_needed_auc(0.7, negatives_per_positive=3)
    <CasesNeeded: 66 cases (17 positives, 49 negatives) find 0.2 with power 80 % at level 90 %>
    """
    area = checks.inner_rate(auc, "auc")
    ratio = checks.positive(negatives_per_positive, "negatives_per_positive")
    gap = area - 0.5
    test, found = deviates(power, level, gap)
    # The variance of the area times the positives, there and at ½, in the binormal approximation of the paper.
    bends = (_NORMAL.inv_cdf(area) * 1.414, 0.0)
    here, chance = (0.0099 * math.exp(-(x**2) / 2) * ((5 * x**2 + 8) + (x**2 + 8) / ratio) for x in bends)
    positives = ((test * math.sqrt(chance) + found * math.sqrt(here)) / gap) ** 2
    return replace(CasesNeeded.of(positives, positives * ratio, gap, power, level), measure="auc")


def deviates(power: float, level: float, gap: float) -> tuple[float, float]:
    """Return how many standard deviations a difference that is not 0 must be for the test, and for being found."""
    found = checks.inner_rate(power, "power")
    if gap == 0:
        raise InputError("there is no difference here: no number of cases shows one")
    return _NORMAL.inv_cdf((1 + checks.level(level)) / 2), _NORMAL.inv_cdf(found)


def _disagreement(p: float, q: float, correlation: float) -> float:
    """Return the variance of the difference of two flags of one case, which have the probabilities p and q."""
    from scipy.stats import multivariate_normal

    both = min(p, q)
    if both > 0 and max(p, q) < 1:
        ends, spread = [_NORMAL.inv_cdf(p), _NORMAL.inv_cdf(q)], [[1.0, correlation], [correlation, 1.0]]
        both = float(multivariate_normal.cdf(ends, cov=spread, allow_singular=True))
    return p + q - 2 * both - (p - q) ** 2

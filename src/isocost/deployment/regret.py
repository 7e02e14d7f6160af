"""What a fixed rule costs above the cheapest at every prevalence: the largest of straight lines, one a vertex of the joint hull."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from isocost.comparison import Comparison
from isocost.conditions import Condition
from isocost.decision.rules import value_text
from isocost.decision.wording import DOING
from isocost.deployment.prevalence import PrevalenceEstimate
from isocost.roc_space.joint_hull import TRIVIAL_NAMES
from isocost.validate import Floats

_PER = 1000.0
# What the difference of two equal costs may come out as.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Regret:
    """The regret of one rule per 1000 cases, as a function of the prevalence.

    Attributes
    ----------
    comparison : Comparison
    costs : Condition
        Its prevalence plays no part.
    model : str
    fpr, tpr : float
        Of the rule.
    at_none, at_all : ndarray
        What each vertex of the joint hull saves at prevalence 0 and 1; straight in between.
    """

    comparison: Comparison
    costs: Condition
    model: str
    fpr: float
    tpr: float
    at_none: Floats
    at_all: Floats

    @classmethod
    def of(cls, comparison: Comparison, costs: Condition, model: str, threshold: float) -> Regret:
        """Return the regret of flagging a model's scores at or above a threshold."""
        curve = comparison[model]
        at = int(curve._points_at(np.asarray(threshold)))
        fpr, tpr = float(curve.fpr[at]), float(curve.tpr[at])
        hull = comparison._joint.hull
        return cls(
            comparison, costs, model, fpr, tpr,
            _PER * costs.fp_gap * (fpr - hull.fpr), _PER * costs.fn_gap * (hull.tpr - tpr),
        )  # fmt: skip

    def __call__(self, prevalence: float) -> float:
        """Return the regret at a prevalence."""
        lines = self.at_none * (1 - prevalence) + self.at_all * prevalence
        most = float(lines.max())
        return most if most > _ROUNDING * _PER else 0.0

    def cost(self, prevalence: float) -> float:
        """Return what the rule costs per 1000 cases."""
        return _PER * replace(self.costs, prevalence=prevalence).expected_cost(self.fpr, self.tpr)

    def keep(self, tolerance: float) -> tuple[float, float] | None:
        """Return the prevalences at which the regret is at most the tolerance; None if there are none."""
        low, high = 0.0, 1.0
        slack = tolerance + _ROUNDING * _PER
        for none, every in zip(self.at_none.tolist(), self.at_all.tolist(), strict=True):
            if none <= slack and every <= slack:
                continue
            if none > slack and every > slack:
                return None
            crossing = (tolerance - none) / (every - none)
            low, high = (max(low, crossing), high) if none > every else (low, min(high, crossing))
        return (low, high) if low <= high else None

    def cheapest(self, prevalence: float) -> tuple[str, float | None, str]:
        """Return model, threshold and rule that would be chosen at a prevalence; no threshold for a trivial classifier."""
        vertex, joint = self._best(prevalence), self.comparison._joint
        if vertex in (0, len(joint.hull) - 1):
            name = TRIVIAL_NAMES[vertex > 0]
            return name, None, DOING[name]
        place, at = min(joint.owners[vertex].items())
        model, threshold = self.comparison.names[place], float(joint.curves[place].hull.thresholds[at])
        return model, threshold, self._in_words(model, threshold)

    def rule(self, threshold: float) -> str:
        """Return the rule in use in words."""
        return self._in_words(self.model, threshold)

    def _in_words(self, model: str, threshold: float) -> str:
        curve = self.comparison[model]
        if math.isinf(threshold):
            # A score may be infinite, and then "≥ ∞" flags somebody.
            at = int(curve._points_at([threshold])[0])
            if at in (0, len(curve) - 1):
                return DOING[TRIVIAL_NAMES[at > 0]]
        return f"{model} at score ≥ {value_text(curve, threshold)}"

    def _best(self, prevalence: float) -> int:
        """Return the cheapest vertex of the joint hull; of several, the one that flags fewest."""
        lines = self.at_none * (1 - prevalence) + self.at_all * prevalence
        return int(np.argmax(lines >= lines.max() - _ROUNDING * _PER))

    def interval(self, now: PrevalenceEstimate) -> tuple[float, float, float]:
        """Return the regret at the estimate and its interval: of the prevalence and of the curves together (MOVER).

        References
        ----------
        Zou & Donner (2008), doi:10.1002/sim.3095.
        """
        from scipy.special import ndtri

        here = self(now.estimate)
        ends = [self(now.low), self(now.high)]
        least = min([*ends, *(self(pi) for pi in self._breaks() if now.low < pi < now.high)])
        noise = float(ndtri((1 + now.level) / 2)) * self._noise(now.estimate, here)
        low = here - math.hypot(here - least, noise)
        return here, max(0.0, low), here + math.hypot(max(ends) - here, noise)

    def _breaks(self) -> list[float]:
        hull = self.comparison._joint.hull
        run, rise = self.costs.fp_gap * np.diff(hull.fpr), self.costs.fn_gap * np.diff(hull.tpr)
        some = run + rise > 0
        return list((run[some] / (run + rise)[some]).tolist())

    def _noise(self, prevalence: float, regret: float) -> float:
        """Return the standard deviation of the regret that is due to the cases of the reference."""
        if regret == 0:
            return 0.0
        model, _, _ = self.cheapest(prevalence)
        alike = model == self.model or model in TRIVIAL_NAMES
        vertex, hull = self._best(prevalence), self.comparison._joint.hull
        curve = self.comparison[self.model]
        spreads = []
        for own, best in ((self.fpr, float(hull.fpr[vertex])), (self.tpr, float(hull.tpr[vertex]))):
            gap = abs(own - best)
            spreads.append(gap * (1 - gap) if alike else own * (1 - own) + best * (1 - best))
        fp = (self.costs.fp_gap * (1 - prevalence)) ** 2 * spreads[0] / float(curve.negatives or 1)
        fn = (self.costs.fn_gap * prevalence) ** 2 * spreads[1] / float(curve.positives or 1)
        return _PER * math.sqrt(fp + fn)

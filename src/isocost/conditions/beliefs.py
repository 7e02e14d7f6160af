"""Beliefs about costs and prevalence: numbers, ranges or distributions, and the density of t that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from isocost import validate
from isocost.conditions import densities
from isocost.conditions.densities import Atoms, Density, Function
from isocost.errors import ConditionError
from isocost.validate import Floats

Range = tuple[float, float]


@dataclass(frozen=True)
class Beliefs:
    """Independent beliefs about cost_fp, cost_fn and prevalence, each in `fixed` or `uncertain`, and how far each reaches."""

    fixed: dict[str, float]
    uncertain: dict[str, Any]
    ranges: dict[str, Range]

    @classmethod
    def of(cls, cost_fp: Any, cost_fn: Any, prevalence: Any) -> Beliefs:
        """Sort what was given, each a number, a pair (low, high) meaning uniform, or a frozen distribution."""
        fixed: dict[str, float] = {}
        uncertain: dict[str, Any] = {}
        ranges: dict[str, Range] = {}
        for name, value in (("cost_fp", cost_fp), ("cost_fn", cost_fn), ("prevalence", prevalence)):
            top = 1.0 if name == "prevalence" else np.inf
            if hasattr(value, "rvs"):
                uncertain[name], ranges[name] = value, _support(value, name, top)
            elif np.ndim(value):
                low, high = ranges[name] = validate.interval(value, name, high=top)
                if low == high:
                    fixed[name] = low
                else:
                    uncertain[name] = _uniform(low, high)
            else:
                fixed[name] = validate.number(value, name, low=0.0, high=top, error=ConditionError)
                ranges[name] = (fixed[name], fixed[name])
        return cls(fixed, uncertain, ranges)

    def pushed_forward(self) -> tuple[Density, Function | None] | None:
        """Return the exact density of t and the worst cost at each t, or None unless one belief alone is uncertain and continuous."""
        if len(self.uncertain) != 1:
            return None
        [(name, belief)] = self.uncertain.items()
        if not hasattr(belief, "pdf"):
            return None
        density = densities.pushed_forward(name, belief, self.fixed)
        # At prevalence 0 or 1, or beside a cost of 0, t is certain but the cost is not.
        return density, None if isinstance(density, Atoms) else densities.WorstCost(name, self.fixed)

    def drawn(self, size: int, rng: int | np.random.Generator | None) -> tuple[Atoms, Floats]:
        """Return a sample of t, every draw an atom, and the worst cost of each."""
        if validate.number(size, "size", low=1, error=ConditionError) != int(size):
            raise ConditionError(f"size must be a whole number, got {size!r}")
        generator = np.random.default_rng(0 if rng is None else rng)
        draws = {name: np.asarray(d.rvs(size=int(size), random_state=generator)) for name, d in self.uncertain.items()}
        values: dict[str, Any] = self.fixed | draws
        fp = values["cost_fp"] * (1 - values["prevalence"])
        fn = values["cost_fn"] * values["prevalence"]
        if not np.all(fp + fn > 0):
            raise ConditionError("some drawn conditions have no error cost at all: keep the beliefs away from 0")
        worst = fp + fn
        return Atoms(fp / worst, np.full(int(size), 1 / int(size))), worst


def _support(dist: Any, name: str, top: float) -> Range:
    check_distribution(dist, name, sampled=True)
    low, high = (float(end) for end in dist.support())
    if low < 0 or high > top:
        raise ConditionError(
            f"{name} must lie in [0, {'1' if top == 1 else 'inf'}), its belief reaches from {low:g} to {high:g}; truncate it"
        )
    return low, high


def _uniform(low: float, high: float) -> Any:
    from scipy import stats

    return stats.uniform(low, high - low)


def check_distribution(dist: Any, name: str, *, sampled: bool = False) -> None:
    """Raise unless it is a frozen distribution: one that can be sampled, or one whose functions are all known."""
    needed = ("rvs", "support") if sampled else ("pdf", "cdf", "sf", "ppf", "support")
    lacking = [n for n in needed if not hasattr(dist, n)]
    if lacking:
        raise ConditionError(
            f"{name} must be a frozen{'' if sampled else ', continuous'} scipy.stats distribution such as stats.beta(2, 5), got {dist!r}"
        )

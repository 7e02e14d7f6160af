"""Beliefs about costs and prevalence: numbers, ranges or distributions, and the density of t that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from isocost import validate
from isocost.conditions import densities
from isocost.conditions.densities import Atoms, Density, Function, Shifted
from isocost.conditions.quantities import NAMES, Believed, Drawn, Even, Known, Quantity
from isocost.errors import ConditionError
from isocost.validate import Floats

Range = tuple[float, float]


@dataclass(frozen=True)
class Beliefs:
    """Independent beliefs about costs and prevalence, each in `fixed` or `uncertain`, how far each reaches, and which are pairs."""

    fixed: dict[str, float]
    uncertain: dict[str, Any]
    ranges: dict[str, Range]
    pairs: frozenset[str] = frozenset()

    @classmethod
    def of(cls, given: dict[str, Any]) -> Beliefs:
        """Sort what was given, each a number, a pair (low, high) meaning uniform, or a frozen distribution."""
        fixed: dict[str, float] = {}
        uncertain: dict[str, Any] = {}
        ranges: dict[str, Range] = {}
        pairs = set()
        for name, value in given.items():
            if hasattr(value, "rvs"):
                uncertain[name], ranges[name] = value, _support(value, name)
                continue
            low, high = ranges[name] = interval_of(value, name) if np.ndim(value) else (_number(value, name),) * 2
            if low == high:
                fixed[name] = low
            else:
                uncertain[name] = _uniform(low, high)
                pairs.add(name)
        for wrong, right in (("cost_fp", "cost_tn"), ("cost_fn", "cost_tp")):
            if ranges[right] != (0.0, 0.0) and not ranges[wrong][0] > ranges[right][1]:
                raise ConditionError(
                    f"{wrong} must exceed {right}: got {wrong} from {ranges[wrong][0]:g}, {right} up to {ranges[right][1]:g}; "
                    "an error that costs no more than the correct answer is not an error"
                )
        return cls(fixed, uncertain, ranges, frozenset(pairs))

    def pushed_forward(self) -> tuple[Density, Function | None] | None:
        """Return the exact density of t and the worst cost at each t, or None unless one belief alone is uncertain and continuous."""
        if len(self.uncertain) != 1:
            return None
        [(name, belief)] = self.uncertain.items()
        if not hasattr(belief, "pdf") or name in ("cost_tp", "cost_tn"):
            return None
        # Net of what correct answers cost, which is certain here.
        less = {"cost_fp": self.fixed["cost_tn"], "cost_fn": self.fixed["cost_tp"]}
        net = {key: value - less.get(key, 0.0) for key, value in self.fixed.items()}
        if less.get(name):
            belief = Shifted(belief, less[name])
        density = densities.pushed_forward(name, belief, net)
        # At prevalence 0 or 1, or beside a cost of 0, t is certain but the cost is not.
        return density, None if isinstance(density, Atoms) else densities.WorstCost(name, net)

    def _draws(self, size: int, rng: int | np.random.Generator | None) -> dict[str, Floats]:
        size = validate.whole(size, "size", low=1, error=ConditionError)
        seed = 0 if rng is None else rng if isinstance(rng, np.random.Generator) else validate.whole(rng, "rng", low=0)
        generator = np.random.default_rng(seed)
        return {name: np.asarray(d.rvs(size=size, random_state=generator)) for name, d in self.uncertain.items()}

    def drawn(self, size: int, rng: int | np.random.Generator | None) -> tuple[Atoms, Floats]:
        """Return a sample of t, every draw an atom, and the worst cost of each, net of what correct answers cost."""
        values: dict[str, Any] = self.fixed | self._draws(size, rng)
        fp = (values["cost_fp"] - values["cost_tn"]) * (1 - values["prevalence"])
        fn = (values["cost_fn"] - values["cost_tp"]) * values["prevalence"]
        if not np.all(fp + fn > 0):
            raise ConditionError("some drawn conditions have no error cost at all: keep the beliefs away from 0")
        worst = fp + fn
        return Atoms(fp / worst, np.full(int(size), 1 / int(size))), worst

    def quantities(self, size: int, rng: int | np.random.Generator | None) -> dict[str, Quantity]:
        """Return the beliefs themselves; one that only draws numbers is known by its draws."""
        blind = any(not hasattr(belief, "ppf") for belief in self.uncertain.values())
        draws = self._draws(size, rng) if blind else {}
        found: dict[str, Quantity] = {}
        for name in NAMES:
            if name in self.fixed:
                found[name] = Known(self.fixed[name])
            elif name in self.pairs:
                found[name] = Even(*self.ranges[name])
            else:
                belief = self.uncertain[name]
                found[name] = Believed(belief) if hasattr(belief, "pdf") else Drawn.of(belief, draws.get(name))
        return found


def interval_of(value: Any, name: str) -> Range:
    """Return a range of a cost or the prevalence; a correct answer may cost less than nothing."""
    low, high = _ends(name)
    return validate.interval(value, name, low=low, high=high)


def net_ranges(pairs: dict[str, Range]) -> dict[str, Range]:
    """Return the ranges of what errors cost more than correct answers, and of the prevalence."""
    (fp_low, fp_high), (fn_low, fn_high) = pairs["cost_fp"], pairs["cost_fn"]
    (tp_low, tp_high), (tn_low, tn_high) = pairs["cost_tp"], pairs["cost_tn"]
    return {
        "cost_fp": (fp_low - tn_high, fp_high - tn_low),
        "cost_fn": (fn_low - tp_high, fn_high - tp_low),
        "prevalence": pairs["prevalence"],
    }


def _ends(name: str) -> Range:
    return -np.inf if name in ("cost_tp", "cost_tn") else 0.0, 1.0 if name == "prevalence" else np.inf


def _number(value: Any, name: str) -> float:
    low, high = _ends(name)
    return validate.number(value, name, low=low, high=high, error=ConditionError)


def _support(dist: Any, name: str) -> Range:
    bottom, top = _ends(name)
    check_distribution(dist, name, sampled=True)
    low, high = (float(end) for end in dist.support())
    if low < bottom or high > top:
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

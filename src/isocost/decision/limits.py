"""The best rule of a model that keeps limits: the cheapest, or the one that catches the most positives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from isocost import validate
from isocost.conditions.ranges import Pair
from isocost.decision.choice import Choice, choice_of, priced
from isocost.decision.pricing import Pricing
from isocost.errors import InexactError, InfeasibleError, InputError
from isocost.results.result import Result
from isocost.roc_space import RocCurve, inexact
from isocost.roc_space.feasible_region import SLACK, FeasibleRegion, Kind, Limit
from isocost.validate import Bools, Floats

Aim = Literal["cheapest", "most_caught", "least_worst"]


@dataclass(frozen=True)
class Limits(Result):
    """The limits that a rule must keep, in any combination.

    Attributes
    ----------
    max_flagged, min_precision, max_fpr, min_tpr : float or None
        In [0, 1]; None if there is no such limit.
    """

    max_flagged: float | None = None
    min_precision: float | None = None
    max_fpr: float | None = None
    min_tpr: float | None = None

    @property
    def given(self) -> dict[Kind, float]:
        """Those that were given, by name."""
        found: dict[Kind, float | None] = {
            "max_flagged": self.max_flagged, "min_precision": self.min_precision,
            "max_fpr": self.max_fpr, "min_tpr": self.min_tpr,
        }  # fmt: skip
        return {kind: value for kind, value in found.items() if value is not None}

    @property
    def need_prevalence(self) -> bool:
        """Whether any refers to a share of all cases."""
        return self.max_flagged is not None or self.min_precision is not None

    def at(self, prevalence: float | None) -> tuple[Limit, ...]:
        """Return them as half-planes of ROC space."""
        pi = 0.5 if prevalence is None else prevalence
        return tuple(Limit.checked(kind, value, pi) for kind, value in self.given.items())


def best_within(
    curve: RocCurve,
    limits: Limits,
    *,
    pricing: Pricing | None,
    prevalence: float | None,
    aim: Aim = "cheapest",
    randomised: bool = False,
    inner: bool = False,
) -> Choice:
    """Return a model's best rule that keeps the limits.

    Without a random mix every threshold is searched: the cheapest that keeps a limit may lie off the hull. With one, the hull is cut by
    the limits' lines; going left along fpr costs less and breaks no limit, so the best is a vertex or a mix of two neighbours. Of counts
    in buckets it is the best of their ends, with what a threshold inside one could cost at least, or catch at most.

    Parameters
    ----------
    curve : RocCurve
    limits : Limits
    pricing : Pricing or None
        Needed for the aim "cheapest"; else only to state the costs.
    prevalence : float or None
        What flagged share and precision refer to.
    aim : {"cheapest", "most_caught"}
    randomised : bool
    inner : bool
        Leave out the rules that flag nobody or everybody, where any other keeps the limits.

    Raises
    ------
    InfeasibleError
        If no threshold keeps them; the message says how far each could be kept.
    InexactError
        If no end of a bucket keeps them, but a threshold inside one could.
    """
    from isocost.roc_space.parametric import ContinuousRocCurve

    if isinstance(curve, ContinuousRocCurve):
        raise InputError("limits need a finite list of operating points: take RocCurve.from_points of a sample")
    checked = limits.at(prevalence)
    mixed = validate.flag(randomised, "randomised")
    inside = best_inside(curve, checked, pricing, aim, randomised=mixed)
    if mixed:
        try:
            chosen = _mixed(curve._inner_hull, curve, checked, pricing, prevalence, aim, inner=inner)
        except InfeasibleError as error:
            if inside is None:
                raise
            raise InexactError(f"whether a mix of thresholds keeps {_named(checked)}", "") from error
    else:
        kept = _kept(curve, checked, inside)
        if inner and (kept & _flags_some(curve.fpr, curve.tpr)).any():
            kept &= _flags_some(curve.fpr, curve.tpr)
        allowed = np.flatnonzero(kept)
        best = allowed[_first(curve.fpr[allowed], curve.tpr[allowed], pricing, aim)]
        chosen = choice_of(curve, int(best), prevalence=prevalence)
    chosen = priced(chosen, pricing)
    return chosen if inside is None else _bounded(chosen, inside, pricing, aim)


def best_inside(
    curve: RocCurve, limits: Sequence[Limit], pricing: Pricing | None, aim: Aim, *, randomised: bool
) -> tuple[float, float] | None:
    """Return fpr and tpr of the best that buckets could hold within limits, if thresholds inside them matter to that; else None."""
    if randomised:
        if curve.hull_is_exact:
            return None
        high = curve._optimistic
        try:
            best = _mixed(high.hull, high, limits, pricing, None, aim, inner=False)
        except InfeasibleError:
            return None
        return best.fpr, best.tpr
    fpr, tpr = inexact.reachable(curve, limits)
    if not fpr.size:
        return None
    at = _first(fpr, tpr, pricing, aim)
    return float(fpr[at]), float(tpr[at])


def is_open(curve: RocCurve, limits: Limits, *, randomised: bool = False) -> bool:
    """Tell whether buckets leave open which threshold is the cheapest: on the hull, or within limits anywhere."""
    if randomised or not limits.given:
        return not curve.hull_is_exact
    return bool(inexact.rising(curve).any())


def _bounded(choice: Choice, inside: tuple[float, float], pricing: Pricing | None, aim: Aim) -> Choice:
    """Return a choice with what the best inside buckets could cost at least, or catch at most, if that is better."""
    if aim == "most_caught" or pricing is None:
        return replace(choice, tpr_high=inside[1]) if inside[1] > choice.tpr else choice
    least = pricing.normalised(*inside)
    if least >= float(choice.normalised_cost or 0.0) - SLACK:
        return choice
    # The range on which a threshold is cheapest is open too.
    return replace(choice, normalised_cost_low=least, threshold_drift=None)


def points_within(curve: RocCurve, limits: Limits, prevalence: float | None) -> tuple[Floats, Floats]:
    """Return fpr and tpr of the points of a curve that keep the limits; none if none does."""
    kept = FeasibleRegion(limits.at(prevalence), np.empty((0, 2))).contains(curve.fpr, curve.tpr)
    return curve.fpr[kept], curve.tpr[kept]


def kept_while(limits: Limits, fpr: float, tpr: float) -> Pair | None:
    """Return the lowest and highest prevalence at which a rule keeps its limits; None if they do not depend on it."""
    low, high = 0.0, 1.0
    if not limits.need_prevalence:
        return None
    if limits.max_flagged is not None and tpr > fpr:
        high = min(high, (limits.max_flagged - fpr) / (tpr - fpr))
    if limits.max_flagged is not None and tpr < fpr:
        low = max(low, (fpr - limits.max_flagged) / (fpr - tpr))
    if limits.min_precision is not None and fpr > 0:
        v = limits.min_precision
        low = max(low, v * fpr / (v * fpr + (1 - v) * tpr) if v < 1 or tpr > 0 else 1.0)
    return low, high


def _kept(curve: RocCurve, limits: Sequence[Limit], hidden: tuple[float, float] | None) -> Bools:
    """Return which points keep the limits, or say why none does."""
    region = FeasibleRegion(tuple(limits), np.empty((0, 2)))
    inside = region.contains(curve.fpr, curve.tpr)
    precise = any(limit.kind == "min_precision" and limit.value > 0 for limit in limits)
    wanted = inside & (curve.tp > 0) if precise else inside
    if not wanted.any() and hidden is not None and hidden[1] > 0:
        raise InexactError(f"whether a threshold keeps {_named(limits)}", "")
    kept = region.feasible(curve.fpr, curve.tpr)
    if not wanted.any():
        raise InfeasibleError(f"no threshold that flags a positive keeps {_named(limits)}")
    return kept


def _named(limits: Sequence[Limit]) -> str:
    return " and ".join(map(str, limits))


def _flags_some(fpr: Floats, tpr: Floats) -> Bools:
    return np.asarray(((fpr > 0) | (tpr > 0)) & ((fpr < 1) | (tpr < 1)))


def _first(fpr: Floats, tpr: Floats, pricing: Pricing | None, aim: Aim) -> int:
    """Return which of some points is best; of equal ones the first, which flags fewest."""
    if aim == "most_caught" or pricing is None:
        return int(np.lexsort((fpr, -tpr))[0])
    return int(np.argmin(pricing.normalised(fpr, tpr)))


def _mixed(
    hull: RocCurve,
    whole: RocCurve,
    limits: Sequence[Limit],
    pricing: Pricing | None,
    prevalence: float | None,
    aim: Aim,
    *,
    inner: bool,
) -> Choice:
    """Return the best vertex of a hull that keeps the limits, or mix of two neighbours."""
    kept = FeasibleRegion(tuple(limits), np.empty((0, 2))).contains(hull.fpr, hull.tpr)
    places: list[tuple[int, float]] = [(int(i), 0.0) for i in np.flatnonzero(kept)]
    for limit in limits:
        excess = limit.excess(hull.fpr, hull.tpr)
        crossing = np.flatnonzero((excess[:-1] <= 0) != (excess[1:] <= 0))
        places += [(int(a), float(-excess[a] / (excess[a + 1] - excess[a]))) for a in crossing]
    places = sorted(set(places))
    first = np.array([a for a, _ in places], dtype=np.intp)
    share = np.array([s for _, s in places])
    after = np.minimum(first + 1, len(hull) - 1)
    fpr, tpr = ((1 - share) * rate[first] + share * rate[after] for rate in (hull.fpr, hull.tpr))
    # A mix lies on the line of one limit up to rounding, and must keep the others.
    region = FeasibleRegion(tuple(limits), np.empty((0, 2)))
    inside = region.feasible(fpr, tpr) if places else region.feasible(hull.fpr, hull.tpr)
    if inner and (inside & _flags_some(fpr, tpr)).any():
        inside &= _flags_some(fpr, tpr)
    allowed = np.flatnonzero(inside)
    best = allowed[_first(fpr[allowed], tpr[allowed], pricing, aim)]
    a, s = places[best]
    if s <= SLACK:
        return choice_of(hull, a, whole=whole, prevalence=prevalence)
    if s >= 1 - SLACK:
        return choice_of(hull, a + 1, whole=whole, prevalence=prevalence)
    return choice_of(hull, a, other=a + 1, probability=s, whole=whole, prevalence=prevalence)

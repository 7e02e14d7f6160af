"""Which models are significantly cheaper than which others: all pairs and all conditions at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.errors import InputError
from isocost.inference.bands import Band, Deviations, quantiles
from isocost.inference.cost_bands import Gap, Within, clipped_difference
from isocost.resampling.replicates import Target
from isocost.results import Columns, Result

# With fewer resamples claims are false more often than stated: with 200 about half as often again.
FEWEST = 800


@dataclass(frozen=True)
class Claim(Result):
    """One model is significantly cheaper than another on a range of t.

    Attributes
    ----------
    better, worse : str
        The cheaper model and the other one.
    t_low, t_high : float
    """

    better: str
    worse: str
    t_low: float
    t_high: float


@dataclass(frozen=True, eq=False, repr=False)
class SignificantPairs(Result):
    """Claims that hold together: with the stated confidence none of them is false.

    Attributes
    ----------
    claims : tuple of Claim
        Pair by pair, in ascending t.
    bands : dict of (str, str) to Band
        Of the difference of each pair.
    critical : float
        How far each band reaches from its middle, in units of its scale.
    level : float
    over : Condition, Conditions or None
        The conditions that were tested; None for all of them.
    n_resamples : int
    """

    claims: tuple[Claim, ...]
    bands: dict[tuple[str, str], Band]
    critical: float
    level: float
    over: Condition | Conditions | None
    n_resamples: int

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __len__(self) -> int:
        """Return the number of claims."""
        return len(self.claims)

    def __bool__(self) -> bool:
        """Return whether anything is significant."""
        return bool(self.claims)

    def _data(self) -> dict[str, Any]:
        tested = None if self.over is None else [Conditions.of(self.over).low, Conditions.of(self.over).high]
        bands = [{"a": a, "b": b, **band.to_dict()} for (a, b), band in self.bands.items()]
        return super()._data() | {"t": tested, "bands": bands}

    def _shown(self) -> dict[str, Any]:
        # The bands are drawn, or asked for pair by pair.
        return {name: value for name, value in super()._shown().items() if name != "bands"}

    def _columns(self) -> Columns:
        names = ("better", "worse", "t_low", "t_high")
        return {name: [getattr(claim, name) for claim in self.claims] for name in names}

    def __repr__(self) -> str:
        """Say how many pairs differ."""
        differ = len({frozenset((c.better, c.worse)) for c in self.claims})
        many = f"{differ} of {len(self.bands)} pairs differ"
        return f"<SignificantPairs: {many} somewhere ({self.level * 100:.4g} %, all of them together)>"


def significant_pairs(
    within: Within, level: float, target: Target, over: Condition | Conditions | None
) -> SignificantPairs:
    """Test all pairs with one critical value for the largest deviation over pairs, sides and conditions."""
    if len(within.models) < 2:
        raise InputError(f"significant_pairs compares models, got one: {', '.join(map(repr, within.models))}")
    probability = next(iter(within.models.values())).probability
    gaps = [Gap.of(within, pair, target, steady=within.long) for pair in combinations(within.models, 2)]
    found = [Deviations.of(gap.values, gap.step, probability, gap.middle) for gap in gaps]
    furthest = np.max([each.furthest for each in found], axis=0)
    critical = float(quantiles(furthest[:, None], (level,), probability)[0, 0])
    made = {}
    for gap, each in zip(gaps, found, strict=True):
        low, high = each.middle - critical * each.scale[0], each.middle + critical * each.scale[1]
        made[gap.names] = clipped_difference(within, gap, low, high, level, "simultaneous", target)
    claims = tuple(
        Claim(better, b if better == a else a, t_low, t_high)
        for (a, b), band in made.items()
        for t_low, t_high, better in band.significant()
    )
    return SignificantPairs(claims, made, critical, level, over, furthest.size)

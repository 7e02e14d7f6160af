"""Bands: limits for a curve at many places, from resamples of the cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from isocost.conditions import Condition, Conditions
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.question import TIE
from isocost.inference.replicates import JUDGES, Replicates, Target
from isocost.inference.resample import JUDGES_OF_TWO
from isocost.measures.registry import require_covered
from isocost.numbers import counted
from isocost.results import Columns, Drawn, Result

Kind = Literal["pointwise", "simultaneous"]
KINDS: tuple[Kind, ...] = ("pointwise", "simultaneous")

# A simultaneous band is nowhere narrower than this share of its widest place: next to pcf 0 and 1 the resamples hardly vary,
# although the truth differs from all of them by a little.
_NARROWEST = 0.35

_COVERS: dict[Target, str] = {
    "best": "the cost with the threshold that is truly best at each condition",
    "chosen": "the true cost of the thresholds chosen on these data, one at each condition",
    "apparent": "nothing exactly: where resamples of these data fall, whose thresholds look better than they are",
}
_FIXED = "the true cost of the classifier as it is, one threshold for all conditions"


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
class Band(Drawn):
    """Limits that hold the truth with a stated confidence, at each of many conditions.

    Attributes
    ----------
    pcf : ndarray
        The conditions, ascending; t = 1 - pcf.
    low, centre, high : ndarray
        Normalised cost, or the difference of two. `centre` is the estimate that the band is about: for thresholds chosen
        on the same data it is corrected for their optimism, so it lies above `apparent`.
    apparent : ndarray
        The same as read off the data.
    level : float
    kind : {"pointwise", "simultaneous"}
        "pointwise": at any one condition the truth lies inside with this confidence. "simultaneous": the whole true curve
        does.
    covers : str
        What the truth is, in words.
    names : tuple of str
        The model, or the two whose difference (first minus second) it is.

    Examples
    --------
    >>> import isocost as ic
    >>> band = ic.inference.bootstrap_confusion({"tree": (16, 4, 4, 6)}).band("tree")
    >>> band
    <Band: 90 % pointwise for 'tree', 201 conditions; widest at pcf 0: 0.2 to 0.7>
    >>> band.covers
    'the true cost of the classifier as it is, one threshold for all conditions'
    """

    pcf: Floats
    low: Floats
    centre: Floats
    high: Floats
    apparent: Floats
    level: float
    kind: Kind
    covers: str
    names: tuple[str, ...]

    def _display_name(self) -> str:
        return "BandDisplay" if len(self.names) == 1 else "DifferenceDisplay"

    @property
    def t(self) -> Floats:
        """The conditions as t = 1 - pcf, descending."""
        return 1 - self.pcf

    def at(self, pcf: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Return low, centre and high at other conditions, interpolated linearly between the band's own."""
        x = checks.rates(pcf, "pcf")
        low, centre, high = (np.interp(x, self.pcf, v) for v in (self.low, self.centre, self.high))
        return low, centre, high

    def significant(self) -> list[Claim]:
        """Return the ranges of t on which the band of a difference excludes 0, in ascending t."""
        advice = "models whose difference it is: use Bootstrap.difference(a, b)"
        a, b = checks.one_each(self.names, "names of a band", 2, advice)
        found = [Claim(a, b, *ends) for ends in _stretches(self.pcf, -self.high)]
        found += [Claim(b, a, *ends) for ends in _stretches(self.pcf, self.low)]
        return sorted(found, key=lambda claim: claim.t_low)

    def __repr__(self) -> str:
        what = " − ".join(repr(n) for n in self.names)
        widest = int(np.argmax(self.high - self.low))
        return (
            f"<Band: {self.level * 100:.4g} % {self.kind} for {what}, {counted(self.pcf.size, 'condition')}; "
            f"widest at pcf {self.pcf[widest]:.3g}: {self.low[widest]:.4g} to {self.high[widest]:.4g}>"
        )


def simultaneous(
    curves: Sequence[tuple[Floats, Floats, Floats]], level: float, probability: Floats | None = None
) -> tuple[float, list[tuple[Floats, Floats]]]:
    """Return how far curves deviate at most, in units of their scales, and limits for each: of values, their middle and its scale.

    A scale has two rows, below and above the middle.
    """
    furthest = np.zeros(len(curves[0][0]))
    for values, middle, scale in curves:
        gap = values - middle
        for side, unit in zip((-gap, gap), scale, strict=True):
            # Where neither resamples nor a single case move the cost there is nothing to miss.
            far = np.divide(side, unit, out=np.zeros_like(side), where=unit > 0)
            furthest = np.maximum(furthest, far.max(axis=1))
    critical = float(quantiles(furthest[:, None], (level,), probability)[0, 0])
    return critical, [(middle - critical * scale[0], middle + critical * scale[1]) for _, middle, scale in curves]


def scale_of(values: Floats, middle: Floats, step: Floats, probability: Floats | None = None) -> Floats:
    """Return how much values vary below and above the middle; next to 0 and to the trivial classifiers costs vary to one side only."""
    gap = values - middle
    squares = [np.average(np.maximum(side, 0.0) ** 2, axis=0, weights=probability) for side in (-gap, gap)]
    spread = np.sqrt(2 * np.array(squares))
    return np.asarray(np.hypot(np.maximum(spread, _NARROWEST * spread.max()), step))


def quantiles(values: Floats, levels: tuple[float, ...], probability: Floats | None = None) -> Floats:
    """Return the smallest value that at least the share `level` of the resamples does not exceed, for each column."""
    found = np.quantile(values, levels, axis=0, weights=probability, method="inverted_cdf")
    return np.asarray(found, dtype=np.float64)


def _stretches(pcf: Floats, margin: Floats) -> list[tuple[float, float]]:
    """Return, as ranges of t, where a function that is linear between grid points is positive."""
    edges = np.flatnonzero(np.diff(margin > 0, prepend=False, append=False))
    first, last = edges[::2], edges[1::2] - 1
    ends = []
    for inner, beyond in ((last, last + 1), (first, first - 1)):
        outer = np.clip(beyond, 0, pcf.size - 1)
        fall = np.where(outer == inner, 1.0, margin[inner] - margin[outer])
        ends.append(1 - (pcf[inner] + margin[inner] / fall * (pcf[outer] - pcf[inner])))
    return list(zip(*(end.tolist() for end in ends), strict=True))


# Over a shorter range of pcf the luck of the judges is the same everywhere, and belongs to the deviation.
_SHORT = 0.1


@dataclass(frozen=True, eq=False)
class Within:
    """Costs at the conditions that are asked about."""

    pcf: Floats
    models: dict[str, Replicates]

    @classmethod
    def of(cls, pcf: Floats, models: dict[str, Replicates], condition: Condition | Conditions | None) -> Within:
        """Keep the conditions inside a range, and add its ends; all of them if none is given."""
        if condition is None:
            return cls(pcf, models)
        asked = Conditions.of(condition)
        first, last = ends = np.array([1 - asked.high, 1 - asked.low])
        require_covered(1 - pcf[::-1], asked)
        inside = pcf[(pcf > first + TIE) & (pcf < last - TIE)]
        near = pcf[np.argmin(np.abs(pcf - ends[:, None]), axis=1)]
        kept = np.unique(np.concatenate([inside, np.where(np.abs(near - ends) <= TIE, near, ends)]))
        if np.array_equal(kept, pcf):
            return cls(pcf, models)
        return cls(kept, {name: model.at(pcf, kept) for name, model in models.items()})

    @property
    def long(self) -> bool:
        """Whether the range is long enough for the judges' luck to change along it."""
        return bool(self.pcf[-1] - self.pcf[0] >= _SHORT - TIE)


@dataclass(frozen=True, eq=False)
class Statistic:
    """The cost of a model on every resample, or the difference of two."""

    within: Within
    names: tuple[str, ...]
    target: Target
    values: Floats
    estimate: Floats

    @classmethod
    def of(cls, within: Within, names: tuple[str, ...], target: Target, *, steady: bool = False) -> Statistic:
        """Take a model's costs, or subtract the second one's from the first's."""
        models, pcf = [within.models[name] for name in names], within.pcf
        judges = JUDGES if len(names) == 1 else JUDGES_OF_TWO
        values = difference_of(model.values(target, pcf, judges=judges, steady=steady) for model in models)
        return cls(within, names, target, values, difference_of(model.estimate(target, pcf) for model in models))

    @property
    def models(self) -> list[Replicates]:
        """The model, or both."""
        return [self.within.models[name] for name in self.names]

    @property
    def corrected(self) -> bool:
        """Whether it is about the best thresholds, and these were chosen."""
        return self.target == "best" and all(model.chosen for model in self.models)

    @property
    def scaled(self) -> tuple[Floats, Floats, Floats]:
        """The values, what a simultaneous band lies around, and how much they vary below and above that."""
        probability, middle = self.models[0].probability, self.estimate
        # Single curves stop at the trivial classifiers, so their mean lies below the estimate there.
        if self.target == "apparent" or not any(model.chosen for model in self.models):
            middle = np.average(self.values, axis=0, weights=probability)
        step = np.max([model.step for model in self.models], axis=0)
        return self.values, middle, scale_of(self.values, middle, step, probability)

    def band(self, level: float, kind: Kind) -> Band:
        """Return its limits."""
        probability, two = self.models[0].probability, len(self.names) == 2
        if kind == "simultaneous":
            _, [ends] = simultaneous([self.scaled], level, probability)
            return self.clipped(*ends, level, kind)
        low, high = quantiles(self.values, ((1 - level) / 2, (1 + level) / 2), probability)
        if self.corrected:
            # Where thresholds cost nearly the same, or a trivial classifier does, corrected costs spread too little.
            own = difference_of(model.own for model in self.models)
            tails = quantiles(own, ((1 - level) / 2, (1 + level) / 2))
            below, above = tails + self.estimate - own.mean(axis=0)
            low, high = np.minimum(low, below), np.maximum(high, above) if two else high
            low = np.minimum(low, tails[0]) if self.models[0].coarse and not two else low
        return self.clipped(low, high, level, kind)

    def clipped(self, low: Floats, high: Floats, level: float, kind: Kind) -> Band:
        """Return limits as a band that is no wider than costs can be, or differ."""
        two = len(self.names) == 2
        pcf = self.within.pcf
        # At most what the better trivial classifier costs.
        top = np.minimum(pcf, 1 - pcf) if self.corrected else 1.0
        low, high = (np.clip(end, -top if two else 0.0, top) for end in (low, high))
        what = _COVERS[self.target] if any(model.chosen for model in self.models) else _FIXED
        what = f"the difference of {what}" if two else what
        apparent = difference_of(model.apparent for model in self.models)
        return Band(pcf, low, np.clip(self.estimate, low, high), high, apparent, level, kind, what, self.names)


def difference_of(of: Iterable[Any]) -> Any:
    """Return the first, less the second if there are two."""
    first, *second = of
    return first - second[0] if second else first


# With fewer resamples claims are false more often than stated: with 200 about half as often again.
FEWEST = 800


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
    """

    claims: tuple[Claim, ...]
    bands: dict[tuple[str, str], Band] = field(metadata={"data": False})
    critical: float
    level: float

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def _columns(self) -> Columns:
        names = ("better", "worse", "t_low", "t_high")
        return {name: [getattr(claim, name) for claim in self.claims] for name in names}

    def __repr__(self) -> str:
        differ = len({frozenset((c.better, c.worse)) for c in self.claims})
        many = f"{differ} of {len(self.bands)} pairs differ"
        return f"<SignificantPairs: {many} somewhere ({self.level * 100:.4g} %, all of them together)>"


def significant_pairs(within: Within, level: float, target: Target) -> SignificantPairs:
    """Test all pairs with one critical value for the largest deviation over pairs, sides and conditions."""
    names = checks.distinct(within.models, "the models to compare", low=2)
    gaps = [Statistic.of(within, pair, target, steady=within.long) for pair in combinations(names, 2)]
    critical, ends = simultaneous([gap.scaled for gap in gaps], level, within.models[names[0]].probability)
    made = {
        (gap.names[0], gap.names[1]): gap.clipped(*reach, level, "simultaneous")
        for gap, reach in zip(gaps, ends, strict=True)
    }
    claims = tuple(claim for band in made.values() for claim in band.significant())
    return SignificantPairs(claims, made, critical, level)

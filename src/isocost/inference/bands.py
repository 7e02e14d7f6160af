"""Bands around cost curves and around differences of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.resampling.replicates import Target
from isocost.results import Drawn
from isocost.validate import Floats

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


class Significance(NamedTuple):
    """A range of conditions on which one model is significantly cheaper than the other.

    Attributes
    ----------
    t_low, t_high : float
    better : str
        The cheaper model.
    """

    t_low: float
    t_high: float
    better: str


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
    open : ndarray or None
        How much of the band's width comes from scores known only by their block; None if every score is known.

    Examples
    --------
    >>> import isocost as ic
    >>> band = ic.bootstrap_confusion({"tree": (16, 4, 4, 6)}).band("tree")
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
    open: Floats | None = None

    def _display_name(self) -> str:
        return "BandDisplay" if len(self.names) == 1 else "DifferenceDisplay"

    @property
    def t(self) -> Floats:
        """The conditions as t = 1 - pcf, descending."""
        return 1 - self.pcf

    def at(self, pcf: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Return low, centre and high at other conditions, interpolated linearly between the band's own."""
        x = validate.rates(pcf, "pcf")
        low, centre, high = (np.interp(x, self.pcf, v) for v in (self.low, self.centre, self.high))
        return low, centre, high

    def significant(self) -> list[Significance]:
        """Return the ranges of t on which the band of a difference excludes 0, in ascending t."""
        if len(self.names) != 2:
            raise InputError("significance is about a difference: use Bootstrap.difference(a, b)")
        a, b = self.names
        found = [Significance(*ends, a) for ends in _stretches(self.pcf, -self.high)]
        found += [Significance(*ends, b) for ends in _stretches(self.pcf, self.low)]
        return sorted(found)

    def __repr__(self) -> str:
        """Say what the band is about and how wide it is."""
        what = " − ".join(repr(n) for n in self.names)
        widest = int(np.argmax(self.high - self.low))
        return (
            f"<Band: {self.level * 100:.4g} % {self.kind} for {what}, {counted(self.pcf.size, 'condition')}; "
            f"widest at pcf {self.pcf[widest]:.3g}: {self.low[widest]:.4g} to {self.high[widest]:.4g}>"
        )


def covers(target: Target, *, chosen: bool) -> str:
    """Say what a band covers."""
    return _COVERS[target] if chosen else _FIXED


def limits(
    values: Floats,
    level: float,
    kind: Kind,
    step: Floats,
    probability: Floats | None = None,
    *,
    middle: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Return the band's low and high from one curve a resample, shape (resamples, pcf).

    A simultaneous band lies around `middle`, the mean of the curves if not given.
    """
    tail = (1 - level) / 2
    if kind == "pointwise":
        low, high = quantiles(values, (tail, 1 - tail), probability)
        return low, high
    found = Deviations.of(values, step, probability, middle)
    reach = float(quantiles(found.furthest[:, None], (level,), probability)[0, 0]) * found.scale
    return found.middle - reach[0], found.middle + reach[1]


@dataclass(frozen=True, eq=False)
class Deviations:
    """How far the curves of resamples are from their middle, in units of a scale.

    Attributes
    ----------
    middle : ndarray of shape (pcf,)
    scale : ndarray of shape (2, pcf)
        Below and above the middle.
    furthest : ndarray of shape (resamples,)
        The largest deviation of each curve, over both sides and all conditions.
    """

    middle: Floats
    scale: Floats
    furthest: Floats

    @classmethod
    def of(cls, values: Floats, step: Floats, probability: Floats | None, middle: Floats | None) -> Deviations:
        """Measure curves of shape (resamples, pcf) around their mean, or around `middle`."""
        middle = np.average(values, axis=0, weights=probability) if middle is None else middle
        gap = values - middle
        return cls(middle, *_scaled(gap, step, probability))


def _scaled(gap: Floats, step: Floats, probability: Floats | None) -> tuple[Floats, Floats]:
    """Return the scale of each side, and the largest deviation of each curve in its units."""
    # Next to 0 and next to the trivial classifiers costs vary to one side only, so each side has a scale of its own.
    sides = np.maximum(np.stack([-gap, gap]), 0.0)
    spread = np.sqrt(2 * np.average(sides**2, axis=1, weights=probability))
    scale = np.hypot(np.maximum(spread, _NARROWEST * spread.max()), step)
    # Where neither resamples nor a single case move the cost there is nothing to miss.
    furthest = np.max(np.divide(sides, scale[:, None], out=np.zeros_like(sides), where=scale[:, None] > 0), axis=(0, 2))
    return scale, np.asarray(furthest)


def quantiles(values: Floats, levels: tuple[float, ...], probability: Floats | None = None) -> Floats:
    """Return the smallest value that at least the share `level` of the resamples does not exceed, for each column."""
    found = np.quantile(values, levels, axis=0, weights=probability, method="inverted_cdf")
    return np.asarray(found, dtype=np.float64)


def _stretches(pcf: Floats, margin: Floats) -> list[tuple[float, float]]:
    """Return, as ranges of t, where a function that is linear between grid points is positive."""
    inside = margin > 0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]])))
    found = []
    for first, last in zip(edges[::2], edges[1::2] - 1, strict=True):
        low, high = (_crossing(pcf, margin, inner, outer) for inner, outer in ((first, first - 1), (last, last + 1)))
        found.append((1 - high, 1 - low))
    return found


def _crossing(pcf: Floats, margin: Floats, inner: int, outer: int) -> float:
    if not 0 <= outer < pcf.size:
        return float(pcf[inner])
    share = margin[inner] / (margin[inner] - margin[outer])
    return float(pcf[inner] + share * (pcf[outer] - pcf[inner]))

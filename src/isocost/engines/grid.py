"""Equal steps over a range of scores: the keys that buckets are counted by."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from isocost.engines.count_table import CountTable, Keys
from isocost.validate import Bools, Floats

# log2 of the buckets of the first pass, and of the largest key that float64 still tells apart.
BITS = 20
_MOST_BITS = 60
# A pass that gains less is not worth reading the data again.
_LEAST_BITS = 3
# Keys worked on together, few enough to stay in the processor's cache.
_FEW_KEYS = 2**14


@dataclass(frozen=True)
class Grid:
    """Equal steps between the lowest and the highest finite score: score ↦ floor((score·unit - low)·scale).

    Every operation rounds monotonously, so keys never fall as scores rise. -inf has key -1, +inf the key after the last.
    Doubling the scale splits each step in two exactly.
    """

    low: float
    scale: float
    unit: float
    bits: int

    @classmethod
    def over(cls, low: float, high: float, bits: int | None = None) -> Self:
        """Return 2 to the power of `bits` steps over a range of finite scores."""
        bits = BITS if bits is None else bits
        # A range that overflows, or is too narrow to divide by, is counted in other units: a power of two loses nothing.
        with np.errstate(over="ignore"):
            width = high - low
        if width == 0:
            return cls(low, 0.0, 1.0, bits)
        unit = 1.0 if 1e-280 < width < 1e300 else 0.125 if width > 1 else 2.0**600
        width = high * unit - low * unit
        return cls(low * unit, (2.0**bits - 1) / width, unit, bits)

    def finer(self, bits: int) -> Grid:
        """Return steps smaller by 2 to the power of `bits`."""
        return replace(self, scale=self.scale * 2.0**bits, bits=self.bits + bits)

    def divided(self, rows: CountTable, most: int) -> Grid | None:
        """Return finer steps, of which some rows would have about so many; None if numbers are not told apart so finely."""
        room = max(_LEAST_BITS, int(math.log2(most / len(rows))))
        return None if self.bits + room > _MOST_BITS else self.finer(room)

    @property
    def end(self) -> float:
        """The key of +inf."""
        return 2.0**self.bits

    def keys(self, scores: Floats, *, inside: bool = False) -> Keys:
        """Return the key of each score; `inside` if all are known to be in the range."""
        place = (scores * self.unit if self.unit != 1 else scores) - self.low
        with np.errstate(invalid="ignore"):
            place *= self.scale
        # An infinite score over a range of no width: its sign decides.
        if self.scale == 0:
            place = np.where(np.isinf(scores), scores, 0.0)
        if not inside:
            np.clip(place, -1, self.end, out=place)
            np.floor(place, out=place)
        return place.astype(np.int64)

    def spans(self, keys: Keys, high: float) -> tuple[Floats, Floats]:
        """Return the lowest and highest score that each key can have, none of them above `high` but +inf; keys must descend."""
        low, top = np.full(keys.size, -np.inf), np.full(keys.size, -np.inf)
        low[keys >= self.end] = top[keys >= self.end] = np.inf
        inside = slice(*np.searchsorted(-keys, [1 - self.end, 1]))
        if self.scale == 0:
            low[inside] = top[inside] = high
            return low, top
        mine = keys[inside]
        low[inside] = self._lowest(mine)
        # Where the next key is there too, its lowest number is known already.
        beyond = np.empty(mine.size)
        beyond[1:] = low[inside][:-1]
        alone = np.append(True, mine[:-1] != mine[1:] + 1)[: mine.size]
        beyond[alone] = self._lowest(mine[alone] + 1)
        top[inside] = np.minimum(np.nextafter(beyond, -np.inf), high)
        return low, top

    def _lowest(self, keys: Keys) -> Floats:
        """Return the smallest number of each key, 0 to the end; a few at a time, which the processor's cache holds."""
        found = np.empty(keys.size)
        for start in range(0, keys.size, _FEW_KEYS):
            found[start : start + _FEW_KEYS] = self._lowest_of_few(keys[start : start + _FEW_KEYS])
        return found

    def _lowest_of_few(self, keys: Keys) -> Floats:
        """Do so in float64 bit patterns counted in order: it is nearly always next to where real numbers have it."""
        most = np.finfo(float).max
        with np.errstate(over="ignore"):
            guess = ordered(np.clip((keys / self.scale + self.low) / self.unit, -most, most))
        reached = self._reach(guess, keys)
        beside = np.where(reached, guess - 1, guess + 1)
        found = np.where(reached, guess, beside)
        if (far := np.flatnonzero(self._reach(beside, keys) == reached)).size:
            found[far] = self._searched(guess[far], keys[far])
        return number(found)

    def _searched(self, guess: Keys, keys: Keys) -> Keys:
        """Return the smallest bit pattern of each key: by steps that double, then by halving."""
        low, high = np.maximum(guess - 1, _LEAST), np.minimum(guess + 1, -_LEAST)
        step = np.int64(1)
        late = np.arange(keys.size)
        while (late := late[self._reach(low[late], keys[late])]).size:
            step = min(step * 2, _FAR)
            low[late] = np.where(low[late] < _LEAST + step, _LEAST, low[late] - step)
        step = np.int64(1)
        early = np.arange(keys.size)
        while (early := early[~self._reach(high[early], keys[early])]).size:
            step = min(step * 2, _FAR)
            high[early] = np.where(high[early] > -_LEAST - step, -_LEAST, high[early] + step)
        while (wide := np.flatnonzero(high - low > 1)).size:
            middle = low[wide] + (high[wide] - low[wide]) // 2
            inside = self._reach(middle, keys[wide])
            high[wide[inside]], low[wide[~inside]] = middle[inside], middle[~inside]
        return np.asarray(high)

    def _reach(self, places: Keys, keys: Keys) -> Bools:
        """Tell which numbers, counted in order, have at least some keys: as `keys` does, but without rounding to the key."""
        place = number(places)
        if self.bits > 52:
            # Such keys are not all floats.
            return self.keys(place) >= keys
        with np.errstate(over="ignore", invalid="ignore"):
            if self.unit != 1:
                place *= self.unit
            place -= self.low
            place *= self.scale
        return place >= keys


_SIGN = np.int64(-(2**63))


def ordered(numbers: Floats) -> Keys:
    """Return whole numbers in the order of the floats, next to each other where those are."""
    bits = np.ascontiguousarray(numbers).view(np.int64)
    return np.where(bits < 0, _SIGN - bits, bits)


def number(places: Keys) -> Floats:
    """Return the floats of such whole numbers."""
    return np.where(places < 0, _SIGN - places, places).view(np.float64)


_LEAST = ordered(np.array([-np.inf]))[0]
_FAR = np.int64(2**60)

"""How many cases fall where when they are drawn with replacement, without drawing each."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int32]

# Random words of each kind are enough for so many coins.
_WORDS = ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64))
# When fewer than one number in so many has coins left, NumPy's binomials finish.
_FEW = 8
# Standard deviations by which Poisson numbers stay below the total.
_BELOW = 4.0


class Urn:
    """The cases of one class in blocks, to be drawn with replacement.

    Parameters
    ----------
    sizes : ndarray of int
        Cases in each block.
    """

    def __init__(self, sizes: Counts) -> None:
        self.cases, self.blocks = int(sizes.sum()), sizes.size
        # The block of each case.
        self._block = np.repeat(np.arange(sizes.size, dtype=np.min_scalar_type(sizes.size)), sizes)
        self._mean = sizes * max(0.0, 1 - _BELOW / math.sqrt(self.cases))

    def draw(self, rng: np.random.Generator, resamples: int) -> NDArray[np.int64]:
        """Return how many cases each block gets, shape (resamples, blocks), as many in all as there are.

        Poisson numbers are, given their sum, as if so many cases were drawn. So most cases come by Poisson numbers, which are meant
        to stay a little below the total, and the rest one by one.
        """
        counts = rng.poisson(self._mean, size=(resamples, self.blocks))
        while np.any(over := (total := counts.sum(axis=1)) > self.cases):
            counts[over] = rng.poisson(self._mean, size=(int(np.count_nonzero(over)), self.blocks))
        rest = self.cases - total
        case = rng.integers(0, self.cases, size=int(rest.sum()))
        place = np.repeat(np.arange(resamples) * self.blocks, rest) + self._block[case]
        counts += np.bincount(place, minlength=counts.size).reshape(counts.shape)
        return counts


def binomial(rng: np.random.Generator, coins: Counts, part: Counts, whole: Counts) -> Counts:
    """Return how many of the coins, each of which shows heads with probability part/whole, do so.

    A random number in [0, 1) is below the probability if at the first binary digit in which they differ the probability has the
    one. Digit by digit, half of the coins that are left differ, as many as a random word has ones: of a few digits, nearly all.
    """
    won = np.zeros(coins.size, dtype=np.int32)
    left = coins.astype(np.uint8)
    many = np.flatnonzero(coins > _WORDS[-1][0])
    won[many], left[many] = rng.binomial(coins[many], part[many] / whole[many]), 0
    part, whole = part.astype(np.uint32), whole.astype(np.uint32)
    while _FEW * np.count_nonzero(left) > left.size:
        most = int(left.max())
        width, kind = next(w for w in _WORDS if most <= w[0])
        # The next binary digit of the probability, by long division.
        part <<= 1
        digit = part >= whole
        part -= whole * digit
        bits = rng.bit_generator.random_raw(-(-left.size * width // 64)).view(kind)[: left.size]
        differ = np.bitwise_count(bits >> (width - left).astype(kind))
        # Where the digit is one, those that differ are won and the others left; where it is zero, those that do not are left.
        ones = np.negative(digit.view(np.int8)).view(np.uint8)
        left -= differ
        left ^= differ
        left &= ones
        left ^= differ
        won += differ & ones
    some = np.flatnonzero(left)
    won[some] += rng.binomial(left[some], part[some] / whole[some])
    return won

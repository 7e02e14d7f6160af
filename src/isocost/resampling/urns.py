"""How many cases fall where when they are drawn with replacement, without drawing each."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Floats

Counts = NDArray[np.int32]

# Random words of each kind are enough for so many coins.
_WORDS = ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64))
# For more coins than that NumPy's binomials are quicker than bits.
_MOST = 255
# When fewer than one number in so many has coins left, NumPy's binomials finish.
_FEW = 8
# Cells of a table of Poisson numbers, and the largest mean that has one.
_CELLS = 2**10
_TABLED = 300
# Standard deviations by which Poisson numbers stay below the total.
_BELOW = 4.0


class Poisson:
    """Poisson numbers of several means, looked up in tables.

    A random number in [0, 1) stands for the first outcome whose cumulated probability is above it. Between two numbers of ten
    binary digits it is mostly the same, so that their digits tell the outcome; where they do not, it is searched for.

    Parameters
    ----------
    means : ndarray
        The largest determines the size of the tables: not more than some hundreds.
    """

    def __init__(self, means: Floats) -> None:
        most = int(means.max() + 9 * math.sqrt(means.max()) + 20)
        outcome = np.arange(most)
        factorial = np.cumsum(np.log(np.maximum(outcome, 1)))
        # A mean of zero gives zero.
        log_mean = np.log(np.maximum(means, 1e-300))[:, None]
        below = np.cumsum(np.exp(outcome * log_mean - means[:, None] - factorial), axis=1)
        number = np.arange(means.size)[:, None]
        # The steps of all means one after the other, each within its own unit.
        self._steps, self._outcomes = (number + np.minimum(below, 1.0)).ravel(), most
        cuts = number + np.arange(_CELLS + 1) / _CELLS
        first = np.searchsorted(self._steps, cuts[:, :-1], side="right") - number * most
        last = np.searchsorted(self._steps, cuts[:, 1:], side="left") - number * most
        self._table = np.where(first == last, first, -1).astype(np.int32).ravel()

    def draw(self, rng: np.random.Generator, which: NDArray[np.intp], resamples: int) -> NDArray[np.int32]:
        """Return numbers of the means that `which` lists, shape (resamples, which)."""
        bits = rng.bit_generator.random_raw(resamples * which.size).reshape(resamples, which.size)
        counts = self._table[(bits >> np.uint64(54)).view(np.int64) + _CELLS * which]
        some = np.flatnonzero(counts < 0)
        number = which[some % which.size]
        place = number + (bits.ravel()[some] >> np.uint64(11)) * 2.0**-53
        counts.ravel()[some] = np.searchsorted(self._steps, place, side="right") - number * self._outcomes
        return np.asarray(counts)


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
        means = sizes * max(0.0, 1 - _BELOW / math.sqrt(self.cases))
        self._large = np.flatnonzero(means > _TABLED)
        self._means = means[self._large]
        means[self._large] = 0
        kinds, self._kind = np.unique(means, return_inverse=True)
        self._poisson = Poisson(kinds)

    def draw(self, rng: np.random.Generator, resamples: int) -> Counts:
        """Return how many cases each block gets, shape (resamples, blocks), as many in all as there are.

        Poisson numbers are, given their sum, as if so many cases were drawn. So most cases come by Poisson numbers, which are meant
        to stay a little below the total, and the rest one by one.
        """
        counts = self._apart(rng, resamples)
        while np.any(over := (total := counts.sum(axis=1)) > self.cases):
            counts[over] = self._apart(rng, int(np.count_nonzero(over)))
        rest = self.cases - total
        case = rng.integers(0, self.cases, size=int(rest.sum()))
        place = np.repeat(np.arange(resamples) * self.blocks, rest) + self._block[case]
        counts += np.bincount(place, minlength=counts.size).reshape(counts.shape)
        return counts

    def _apart(self, rng: np.random.Generator, resamples: int) -> Counts:
        counts = self._poisson.draw(rng, self._kind, resamples)
        counts[:, self._large] = rng.poisson(self._means, size=(resamples, self._large.size))
        return counts


def binomial(rng: np.random.Generator, coins: Counts, part: Counts, whole: Counts) -> Counts:
    """Return how many of the coins, each of which shows heads with probability part/whole, do so.

    A random number in [0, 1) is below the probability if at the first binary digit in which they differ the probability has the
    one. Digit by digit, half of the coins that are left differ, as many as a random word has ones: of a few digits, nearly all.
    """
    won = np.zeros(coins.size, dtype=np.int32)
    left = coins.astype(np.uint8)
    many = np.flatnonzero(coins > _MOST)
    won[many], left[many] = rng.binomial(coins[many], part[many] / whole[many]), 0
    above, below = part.astype(np.uint32), whole.astype(np.uint32)
    # First those that need several words, until one is enough.
    while (some := np.flatnonzero(left > _WORDS[-1][0])).size:
        some_left, some_above = left[some], above[some]
        won[some] += _digit(rng, some_left, some_above, below[some])
        left[some], above[some] = some_left, some_above
    while _FEW * np.count_nonzero(left) > left.size:
        won += _digit(rng, left, above, below)
    some = np.flatnonzero(left)
    won[some] += rng.binomial(left[some], above[some] / below[some])
    return won


def _digit(
    rng: np.random.Generator, left: NDArray[np.uint8], above: NDArray[np.uint32], below: NDArray[np.uint32]
) -> NDArray[np.uint8]:
    """Look at the next binary digit of above/below: return how many of the coins are won, and take them and the lost ones away."""
    # By long division.
    above <<= 1
    digit = above >= below
    above -= below * digit
    most = int(left.max())
    width, kind = next((w for w in _WORDS if most <= w[0]), _WORDS[-1])
    differ = np.zeros_like(left)
    # NumPy 2.0 does not clip at more than the type holds.
    for coins in [left] if most <= width else [np.clip(left, i, min(i + 64, 255)) - i for i in range(0, most, 64)]:
        bits = rng.bit_generator.random_raw(-(-left.size * width // 64)).view(kind)[: left.size]
        differ += np.bitwise_count(bits >> (width - coins).astype(kind))
    # Where the digit is one, those that differ are won and the others left; where it is zero, those that do not are left.
    ones = np.negative(digit.view(np.int8)).view(np.uint8)
    left -= differ
    left ^= differ
    left &= ones
    left ^= differ
    return differ & ones

"""How often the cases of one class are drawn, told for whole stretches of them first and case by case only where it matters.

Of cases drawn with replacement, as many fall into either half of a stretch as fair coins show heads: the number of ones among
random bits. So a few machine words share a class out to short stretches, the leaves, in whole numbers alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]

# Numbers of coins that one random word of each kind is enough for.
_WORDS = ((16, np.uint16), (32, np.uint32), (64, np.uint64))
# For more coins NumPy's binomials are quicker than so many bits.
_BITS = 1536


@dataclass(frozen=True)
class Leaves:
    """The cases of one class in their order, cut into leaves of equal size; the last may be shorter.

    Attributes
    ----------
    cases : int
    size : int
        Cases in a leaf.
    """

    cases: int
    size: int

    @property
    def many(self) -> int:
        """How many leaves there are."""
        return -(-self.cases // self.size)

    def draw(self, rng: np.random.Generator, resamples: int) -> NDArray[np.int32]:
        """Return how many cases each leaf gets, of shape (resamples, leaves): as many in all as there are."""
        whole, rest = divmod(self.cases, self.size)
        # So many leaves in a row can be halved down to single ones: the longest first, as in binary numbers.
        lengths = [1 << k for k in reversed(range(whole.bit_length())) if whole >> k & 1]
        sizes = np.array([self.size * length for length in lengths] + [rest] * (rest > 0))
        rows = rng.multinomial(self.cases, sizes / self.cases, size=resamples).astype(np.int32)
        counts, length = rows[:, :0] if whole else rows, 1 << whole.bit_length()
        while length > 1:
            length //= 2
            other = rows[:, lengths.index(length), None] if length in lengths else rows[:, :0]
            if length == 1:
                other = np.concatenate([other, rows[:, len(lengths) :]], axis=1)
            ones, end = heads(rng, counts).astype(np.int32), 2 * counts.shape[1]
            halves = np.empty((resamples, end + other.shape[1]), dtype=np.int32)
            halves[:, :end:2], halves[:, end:] = ones, other
            np.subtract(counts, ones, out=halves[:, 1:end:2])
            counts = halves
        return counts

    def before(self, rank: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return a leaf that begins at or before so many cases: the last one that does."""
        return np.minimum(rank // self.size, self.many - 1)

    def upto(self, rank: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return a leaf that ends at or after so many cases: the first one that does."""
        return np.maximum(rank - 1, 0) // self.size


class Drawn:
    """The cases of one class in several resamples: how many each leaf has, and which, once they are asked for.

    Parameters
    ----------
    leaves : Leaves
    rng : Generator
    resamples : int

    Attributes
    ----------
    counts : ndarray of int, shape (resamples, leaves)
    edges : ndarray of int, shape (resamples, leaves + 1)
        Cases before each leaf.
    """

    def __init__(self, leaves: Leaves, rng: np.random.Generator, resamples: int) -> None:
        self.leaves, self._rng = leaves, rng
        self.counts = leaves.draw(rng, resamples)
        self.edges = np.zeros((resamples, leaves.many + 1), dtype=np.int64)
        np.cumsum(self.counts, axis=1, out=self.edges[:, 1:])
        self._slot = np.full(self.counts.size, -1, dtype=np.int32)
        self._paths = np.empty(0, dtype=np.int32)

    def at(self, row: NDArray[np.intp], leaf: NDArray[np.int32], rank: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return how many of a resample's cases are among the first so many of the class, which end in the given leaf."""
        size, place = self.leaves.size, row * self.leaves.many + leaf
        self._open(place)
        step = self._slot[place].astype(np.int64) * (size + 1) + (rank - leaf * size)
        return np.asarray(self._paths[step])

    def _open(self, place: NDArray[np.intp]) -> None:
        """Draw the cases of leaves that were not looked into yet."""
        leaves, done = self.leaves, self._paths.size // (self.leaves.size + 1)
        asked = place[self._slot[place] < 0]
        # Of equal ones the last to sign its slot stays.
        order = np.arange(asked.size, dtype=np.int32)
        self._slot[asked] = order
        new = asked[self._slot[asked] == order]
        if not new.size:
            return
        self._slot[new] = np.arange(done, done + new.size)
        row, leaf = np.divmod(new, leaves.many)
        many = self.counts.ravel()[new]
        case = self._rng.integers(0, leaves.size, size=int(many.sum()), dtype=np.uint16).astype(np.int64)
        rest = leaves.cases % leaves.size
        if rest:
            end = np.cumsum(many)
            short = np.flatnonzero(leaf == leaves.many - 1)
            for first, last in zip((end - many)[short].tolist(), end[short].tolist(), strict=True):
                case[first:last] = self._rng.integers(0, rest, size=last - first)
        width = leaves.size + 1
        case += np.repeat(np.arange(new.size) * width + 1, many)
        steps = np.bincount(case, minlength=new.size * width)
        # Each leaf starts at its edge, whatever the one before it ended at.
        begin = self.edges[row, leaf]
        steps[::width] = begin - np.concatenate([[0], (begin + many)[:-1]])
        self._paths = np.concatenate([self._paths, np.cumsum(steps, dtype=np.int32)])


def heads(rng: np.random.Generator, coins: NDArray[np.int32]) -> NDArray[np.int32] | NDArray[np.uint8]:
    """Return how many of so many fair coins show heads, for each number of coins."""
    most = int(coins.max(initial=0))
    if most > _BITS:
        return np.asarray(rng.binomial(coins, 0.5), dtype=np.int32)
    if most > 64:
        words = rng.bit_generator.random_raw(-(-most // 64) * coins.size).reshape(-1, *coins.shape)
        # Every number of coins fills the first words; what it does not need of the others is shifted out.
        for word in range(int(coins.min()) // 64, len(words)):
            words[word] >>= (64 - np.clip(coins - 64 * word, 0, 64)).astype(np.uint64)
        return np.asarray(np.bitwise_count(words).sum(axis=0, dtype=np.int32))
    width, kind = next(w for w in _WORDS if most <= w[0])
    raw = rng.bit_generator.random_raw(-(-coins.size * width // 64)).view(kind)[: coins.size].reshape(coins.shape)
    return np.asarray(np.bitwise_count(raw >> (width - coins).astype(kind)))

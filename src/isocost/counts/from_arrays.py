"""Labels, scores and weights to distinct scores with class totals: the only place that sorts scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Bools, Floats

# Sums of whole weights below this are exact in float64, so such weights are repetitions.
_EXACT = 2.0**53

Table = tuple[Floats, NDArray[Any], NDArray[Any]]


def whole_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Return int64 when every value is a whole number and their sum is exact, else the values unchanged."""
    if values.dtype.kind == "f" and np.all(values == np.rint(values)) and float(values.sum()) < _EXACT:
        return values.astype(np.int64)
    return values


def count_scores(positive: Bools, scores: NDArray[Any], weights: Floats | None) -> Table:
    """Return distinct scores in descending order with the positives and negatives at each.

    Counts are int64 without weights or with whole-number weights, float64 otherwise. Rows of weight 0 do not count.
    """
    if weights is None:
        keys = pack(positive, scores)
        return _count_ranked(positive, scores, None) if keys is None else _count_packed(keys)
    weights = whole_numbers(weights)
    if not weights.all():
        kept = weights > 0
        positive, scores, weights = positive[kept], scores[kept], weights[kept]
    return _count_ranked(positive, scores, weights)


def _count_ranked(positive: Bools, scores: NDArray[Any], weights: NDArray[Any] | None) -> Table:
    """Count by ranking the rows: the general way, which weights need."""
    order = np.argsort(scores)[::-1]
    ranked = scores[order]
    starts = np.concatenate([[0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1])
    hits = positive[order]
    if weights is None:
        ups, downs = hits.astype(np.int64), (~hits).astype(np.int64)
    else:
        mass = weights[order]
        ups, downs = np.where(hits, mass, 0), np.where(hits, 0, mass)
    # Adding 0.0 turns -0.0 into 0.0, which ties with it.
    return ranked[starts].astype(np.float64) + 0.0, np.add.reduceat(ups, starts), np.add.reduceat(downs, starts)


@dataclass(frozen=True)
class PackedKeys:
    """Integers that sort like the scores, with the label in the lowest bit.

    Sorting them is several times faster than ranking rows, because NumPy sorts plain numbers with vector instructions
    and nothing has to be gathered afterwards.
    """

    keys: NDArray[Any]
    offset: int
    float_type: type[np.floating[Any]]

    def scores_of(self, keys: NDArray[Any]) -> Floats:
        """Return the scores that keys stand for."""
        bits = keys >> 1
        unsigned = np.uint64 if self.float_type is np.float64 else np.uint32
        if keys.dtype.kind == "u":
            return np.asarray(bits.view(self.float_type), dtype=np.float64)
        size = np.where(bits == 0, 0, np.abs(bits) + self.offset).astype(unsigned)
        return np.asarray(np.copysign(size.view(self.float_type), bits), dtype=np.float64) + 0.0


def pack(positive: Bools, scores: NDArray[Any]) -> PackedKeys | None:
    """Return order-preserving keys for float32 or float64 scores, None where they do not fit."""
    if scores.dtype not in (np.float64, np.float32):
        return None
    width = 8 * scores.dtype.itemsize
    unsigned, signed = (np.dtype(f"{kind}{width // 8}").type for kind in "ui")
    float_type: type[np.floating[Any]] = np.float64 if width == 64 else np.float32
    bits: NDArray[Any] = np.ascontiguousarray(scores).view(unsigned)
    if scores.min() >= 0:
        # No sign to keep: its bit makes room for the label, and -0.0 becomes 0.0.
        keys: NDArray[Any] = bits << 1
        keys |= positive
        return PackedKeys(keys, 0, float_type)
    # Magnitudes are counted from the smallest one that occurs, which frees the bit unless they span all exponents.
    size = (bits & unsigned(2 ** (width - 1) - 1)).view(signed)
    nonzero = size[size > 0]
    offset = int(nonzero.min()) - 1 if nonzero.size else 0
    if int(size.max()) - offset >= 2 ** (width - 2):
        return None
    size -= signed(offset)
    np.maximum(size, 0, out=size)
    np.negative(size, out=size, where=np.signbit(scores))
    size <<= 1
    size |= positive
    return PackedKeys(size, offset, float_type)


def _count_packed(packed: PackedKeys) -> Table:
    keys = np.sort(packed.keys)
    # Neighbours whose keys differ in more than the label bit have different scores.
    last = np.concatenate([np.flatnonzero((keys[1:] ^ keys[:-1]) >> 1), [keys.size - 1]])[::-1]
    if last.size == keys.size:
        positives = (keys[::-1] & 1).astype(np.int64)
        return packed.scores_of(keys[::-1]), positives, 1 - positives
    # Up to each score's end, ascending: how many rows, and how many of them positive.
    rows = np.diff(np.concatenate([last + 1, [0]])) * -1
    starts = last - rows + 1
    positives = np.add.reduceat((keys & 1).astype(np.int64), starts[::-1])[::-1]
    return packed.scores_of(keys[last]), positives, rows - positives

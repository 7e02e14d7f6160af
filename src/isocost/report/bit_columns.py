"""Whole numbers in columns as text: of each column the least, and so many bits a number beyond it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


def written(columns: Whole) -> dict[str, Any]:
    """Return numbers of shape (rows, columns) as plain data: `least` and `bits` of each column, and `data`, column by column.

    Examples
    --------
    >>> import numpy as np
    >>> written(np.array([[5, 100], [6, 100], [8, 100]]))
    {'least': [5, 100], 'bits': [2, 0], 'data': 'NA=='}
    """
    least = columns.min(axis=0)
    rest = columns - least
    bits = [int(most).bit_length() for most in rest.max(axis=0)]
    each = [((rest[:, c, None] >> np.arange(bits[c])) & 1).ravel() for c in range(len(bits))]
    octets = np.packbits(np.concatenate(each).astype(np.uint8), bitorder="little").tobytes()
    return {"least": least.tolist(), "bits": bits, "data": base64.b64encode(octets).decode("ascii")}


def read(packed: Mapping[str, Any], rows: int) -> Whole:
    """Return the numbers again."""
    octets = np.frombuffer(base64.b64decode(packed["data"]), dtype=np.uint8)
    stream = np.unpackbits(octets, bitorder="little").astype(np.int64)
    found, at = np.empty((rows, len(packed["bits"])), dtype=np.int64), 0
    for c, (least, bits) in enumerate(zip(packed["least"], packed["bits"], strict=True)):
        own = stream[at : at + rows * bits].reshape(rows, bits)
        found[:, c] = least + own @ (1 << np.arange(bits))
        at += rows * bits
    return found

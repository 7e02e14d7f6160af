"""The least value in each of many windows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Floats


def least_between(values: Floats, begin: NDArray[np.intp], end: NDArray[np.intp]) -> Floats:
    """Return the least value of each stretch from `begin` up to, not including, `end`; none may be empty.

    Two stretches of a power of two cover it. Tables of the least of 1, 2, 4, … values in a row are made one after another.

    Examples
    --------
    >>> import numpy as np
    >>> least_between(np.array([3.0, 1.0, 2.0, 5.0]), np.array([0, 2]), np.array([2, 4]))
    array([1., 2.])
    """
    power = np.frexp(end - begin)[1] - 1
    least = np.empty(begin.size)
    for k in range(int(power.max(initial=0)) + 1):
        here = power == k
        least[here] = np.minimum(values[begin[here]], values[end[here] - (1 << k)])
        values = np.minimum(values[: -(1 << k)], values[1 << k :])
    return least


def least_of(table: Floats, length: int) -> Floats:
    """Return the least of every so many values in a row of each row; one column fewer for each value after the first.

    Examples
    --------
    >>> import numpy as np
    >>> least_of(np.array([[3.0, 1.0, 2.0, 5.0]]), 2)
    array([[1., 1., 2.]])
    """
    done = 1
    while 2 * done <= length:
        table = np.minimum(table[:, :-done], table[:, done:])
        done *= 2
    left = length - done
    return np.minimum(table[:, : table.shape[1] - left], table[:, left:])

"""Where a piecewise polynomial is 0."""

from __future__ import annotations

import numpy as np

from isocost.validate import Floats


def roots_of(breaks: Floats, left: Floats, right: Floats, bend: Floats) -> Floats:
    """Return, ascending, the isolated x at which the pieces are 0 or jump across 0; see `CostCurve` for what they are."""
    inner = inner_roots(breaks[:-1], np.diff(breaks), left, right, bend)
    quadratic = bend != 0
    before, after = right[:-1], left[1:]
    crossing = (before == 0) | (after == 0) | (np.sign(before) * np.sign(after) < 0)
    # Inside a stretch of zeros nothing changes.
    flat = (left == 0) & (right == 0) & ~quadratic
    crossing &= ~(flat[:-1] & flat[1:])
    ends = [x for x, value, dull in ((0.0, left[0], flat[0]), (1.0, right[-1], flat[-1])) if value == 0 and not dull]
    return np.unique(np.concatenate([inner, breaks[1:-1][crossing], ends]))


def inner_roots(start: Floats, width: Floats, left: Floats, right: Floats, bend: Floats) -> Floats:
    """Return the x strictly inside pieces at which they are 0, in no order; pieces need not lie side by side."""
    slope, c = right - left + 4 * bend, left
    quadratic = bend != 0
    with np.errstate(divide="ignore", invalid="ignore"):
        found = [np.where(quadratic, np.nan, -c / slope)]
        # c + slope·u - 4·bend·u² = 0, by the formula that does not cancel.
        disc = np.sqrt(slope**2 + 16 * bend * c)
        q = (slope + np.copysign(disc, slope)) / 2
        found += [np.where(quadratic, q / (4 * bend), np.nan), np.where(quadratic, -c / q, np.nan)]
    return np.concatenate([start[ok] + width[ok] * u[ok] for u in found for ok in [(u > 0) & (u < 1)]])

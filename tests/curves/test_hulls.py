from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from isocost.curves import hull as module
from isocost.curves.hull import reaching, upper_hull, upper_hulls

STEPS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12)


def path(steps):
    """The points that steps to the right and up lead through, from (0, 0)."""
    return tuple(np.concatenate([[0], np.cumsum([step[i] for step in steps])]) for i in (0, 1))


def changing(x, y, hull, corners):
    """Which corners, put between two points, change the hull: the slow way."""
    vertices = {(int(x[i]), int(y[i])) for i in hull}
    found = []
    for i, (left, top) in enumerate(corners):
        u, v = np.insert(x, i + 1, left), np.insert(y, i + 1, top)
        order = np.lexsort((v, u))
        found.append({(int(u[order][j]), int(v[order][j])) for j in upper_hull(u[order], v[order])} != vertices)
    return found


@given(STEPS)
def test_a_block_reaches_the_hull_exactly_if_its_corner_changes_it(steps):
    """The upper left corner above the edge over it, and no other."""
    x, y = path(steps)
    assume(x[-1] > 0 and y[-1] > 0)
    hull = upper_hull(x, y)
    found = reaching(x, y, hull)
    assert found.tolist() == changing(x, y, hull, zip(x[:-1], y[1:], strict=True))
    # Beyond exact products nothing may be closed by rounding.
    assert np.all(reaching(x * 2**32, y * 2**32, hull) >= found)
    # Nor where rates are compared.
    assert np.all(reaching(x / x[-1], y / y[-1], upper_hull(x / x[-1], y / y[-1])) >= found)


@given(STEPS, st.lists(st.integers(0, 5), min_size=12, max_size=12))
def test_blocks_may_be_higher_than_their_ends_and_hulls_may_fall(steps, more):
    """With tops of their own and with heights that fall in between, no block that matters is closed."""
    x, _ = path(steps)
    y = np.array([step[1] for step in steps] + [0])
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    assume(x[-1] > x[0])
    hull = upper_hull(x, y)
    top = np.maximum(y[:-1], y[1:]) + more[: y.size - 1]
    found = reaching(x, y, hull, top=top)
    left, right = (np.array(changing(x, y, hull, zip(side, top, strict=True))) for side in (x[:-1], x[1:]))
    # A block is a rectangle: it matters if either upper corner does, which is the right one where the hull falls.
    assert np.all(found[left | right])


@settings(max_examples=60)
@given(st.lists(STEPS, min_size=1, max_size=5), st.integers(1, 6))
def test_hulls_laid_end_to_end_are_those_of_each_curve(several, together):
    """Many curves at once have the vertices that each has alone, and so have the blocks that reach them."""
    paths = [path([*steps, (1, 1)]) for steps in several]
    keep = [np.flatnonzero(np.append(True, np.diff(y) > 0) | (np.arange(x.size) == x.size - 1)) for x, y in paths]
    x, y = (np.concatenate([p[i][at] for p, at in zip(paths, keep, strict=True)]) for i in (0, 1))
    sizes = [at.size for at in keep]
    point = np.concatenate([np.arange(size) for size in sizes])
    start = np.cumsum([0, *sizes[:-1]])
    found = upper_hulls(x, y, start, point)
    assert len(found) == len(several)
    for i, (u, v) in enumerate(paths):
        mine, vertex = slice(found.start[i], found.start[i + 1]), upper_hull(u, v)
        assert (found.fp[mine].tolist(), found.tp[mine].tolist()) == (u[vertex].tolist(), v[vertex].tolist())
        assert (x[start[i] + found.point[mine]] == found.fp[mine]).all()
    # Laid out as one long curve, each beginning where the one before ends.
    before = [np.cumsum([0, *(p[i][-1] for p in paths[:-1])]) for i in (0, 1)]
    long = [np.concatenate([p[i] + b for p, b in zip(paths, before[i], strict=True)]) for i in (0, 1)]
    begins = np.cumsum([0, *(p[0].size for p in paths)])
    outer = np.concatenate([upper_hull(*p) + b for p, b in zip(paths, begins, strict=False)])
    outer = np.unique(np.concatenate([outer, begins[1:] - 1]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_TOGETHER", together)
        whole = reaching(*long, outer)
    alone = [reaching(*p, upper_hull(*p)).tolist() for p in paths]
    assert [whole[a : b - 1].tolist() for a, b in pairwise(begins)] == alone

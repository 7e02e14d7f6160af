import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.inference.resample import Paths

PCF = np.linspace(0, 1, 33)


WHOLE = st.integers(0, 3)


@st.composite
def replicates(draw, number=WHOLE):
    """Positives and negatives at each score in several replicates; both classes are there in each."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 12))
    cells = st.lists(number, min_size=rows * columns, max_size=rows * columns)
    positives, negatives = (np.array(draw(cells)).reshape(rows, columns) for _ in range(2))
    positives[positives.sum(axis=1) == 0, draw(st.integers(0, columns - 1))] = 1
    negatives[negatives.sum(axis=1) == 0, draw(st.integers(0, columns - 1))] = 1
    return positives, negatives


def curves(positives, negatives):
    """The same replicates as single curves."""
    for p, n in zip(positives, negatives, strict=True):
        fp, tp = (np.concatenate([[0], np.cumsum(c)]) for c in (n, p))
        yield ic.RocCurve(fp, tp, np.zeros(fp.size), tp[-1].item(), fp[-1].item())


@given(replicates())
def test_hulls_of_many_replicates_equal_each_ones_own(tables):
    """Vertices are those of the one hull of the library, exactly."""
    hulls = Paths.of(*tables).hulls()
    for i, curve in enumerate(curves(*tables)):
        part = slice(hulls.start[i], hulls.start[i + 1])
        assert hulls.fp[part].tolist() == curve.hull.fp.tolist()
        assert hulls.tp[part].tolist() == curve.hull.tp.tolist()
        assert np.array_equal(hulls.fp[part], curve.fp[hulls.point[part]])


@given(replicates())
def test_lowest_costs_equal_a_search_over_all_points(tables):
    """The envelope at any pcf is the lowest line, and the point named has that cost."""
    paths = Paths.of(*tables)
    costs, point = paths.hulls().costs(PCF)
    for i, curve in enumerate(curves(*tables)):
        lines = (1 - PCF)[:, None] * curve.fpr + PCF[:, None] * (1 - curve.tpr)
        assert costs[i] == pytest.approx(lines.min(axis=1), abs=1e-14)
        assert costs[i] == pytest.approx(lines[np.arange(PCF.size), point[i]], abs=1e-14)


@given(replicates())
def test_points_chosen_do_not_depend_on_the_replicates_beside(tables):
    """At conditions where two vertices cost the same, too, a replicate among others chooses the point it chooses alone."""
    pcf = np.sort(np.unique([a / (a + b) for a in range(12) for b in range(12) if a + b]))
    costs, point = Paths.of(*tables).hulls().costs(pcf)
    for i, (p, n) in enumerate(zip(*tables, strict=True)):
        alone, same = Paths.of(p[None], n[None]).hulls().costs(pcf)
        assert np.array_equal(point[i], same[0])
        assert np.array_equal(costs[i], alone[0])


@given(replicates(st.floats(0.001, 5)))
def test_weights_need_no_whole_numbers(tables):
    """Real weights give the same costs as a search over all points."""
    costs, _ = Paths.of(*tables).hulls().costs(PCF)
    for i, curve in enumerate(curves(*tables)):
        lines = (1 - PCF)[:, None] * curve.fpr + PCF[:, None] * (1 - curve.tpr)
        assert costs[i] == pytest.approx(lines.min(axis=1), abs=1e-12)


def test_rates_at_points_are_those_of_the_path():
    """Any point of any replicate can be looked up."""
    paths = Paths.of(np.array([[1, 0, 1], [2, 0, 0]]), np.array([[0, 2, 0], [1, 0, 1]]))
    fpr, tpr = paths.rates(np.array([[0, 1, 3], [1, 2, 3]]))
    assert fpr.tolist() == [[0, 0, 1], [0.5, 0.5, 1]]
    assert tpr.tolist() == [[0, 0.5, 1], [1, 1, 1]]

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.data import count
from isocost.data.count import CLOSED, CountTable, Grid, Steps, Totals
from isocost.data.frames import FrameGrid
from isocost.errors import EngineError, InputError

finite = st.floats(allow_nan=False, allow_infinity=False)


class Rows:
    """A source whose answers are obvious: every case is looked at, one by one if need be."""

    def __init__(self, y, s):
        self.y, self.s = np.asarray(y, dtype=bool), np.asarray(s, dtype=float)
        self.passes = []

    def _table(self, keys, kept):
        rows = []
        for key in sorted(set(keys[kept].tolist()), reverse=True):
            at = kept & (keys == key)
            rows.append((self.s[at].min(), self.s[at].max(), self.y[at].sum(), (~self.y[at]).sum(), key))
        columns = [np.array(c) for c in zip(*rows, strict=True)]
        return CountTable(*columns)

    def _kept(self, within):
        return np.ones(self.s.size, bool) if within is None else np.isin(within[0].keys(self.s), within[1])

    def count(self, grid, within):
        """Count by key."""
        self.passes.append(("count", len(grid.grids)))
        return self._table(grid.keys(self.s), self._kept(within))

    def each(self, within):
        """Count by score."""
        self.passes.append(("each", None))
        kept = self._kept(within)
        scores = np.unique(self.s[kept])
        up = np.array([np.count_nonzero(kept & self.y & (self.s == v)) for v in scores])
        down = np.array([np.count_nonzero(kept & ~self.y & (self.s == v)) for v in scores])
        return CountTable.listed(scores, up, down)

    @property
    def totals(self):
        """What a check before counting would say."""
        return Totals(self.s.size, self.y.sum(), (~self.y).sum())

    def counts(self):
        """Run the passes."""
        within = self.s[np.isfinite(self.s)]
        grid = FrameGrid.over(*((within.min(), within.max()) if within.size else (0.0, 0.0)))
        table = count.count(self, self.totals, "the test", grid=grid)
        return ic.ScoreCounts(table.low, table.positives, table.negatives, table.high)


@pytest.fixture
def small(monkeypatch):
    """Few buckets and small tables, so that a few hundred cases need several passes."""
    monkeypatch.setattr("isocost.data.count.BITS", 4)
    monkeypatch.setattr(count, "MOST_ROWS", 64)


def drawn(seed, n=600, kind="normal"):
    """Return labels and scores of an awkward kind."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    s = rng.normal(y * 1.2, 1.0)
    if kind == "crowded":
        s = np.exp(-20 * rng.random(n)) * np.exp(s)
    if kind == "tied":
        s = np.round(s, 1)
    if kind == "outliers":
        s[:9] = [50.0, -50.0, 50.0, -50.0, -0.0, 0.0, 5e-324, 1e-310, 50.0]
    return y, s


@pytest.mark.parametrize("kind", ["normal", "crowded", "tied", "outliers"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usefixtures("small")
def test_the_hull_of_buckets_is_the_hull_of_the_cases(kind, seed):
    """Vertices and thresholds are those of the listed scores, to the last digit; AUC is off by what ties can be at most."""
    y, s = drawn(seed, kind=kind)
    source = Rows(y, s)
    found, truth = ic.RocCurve.from_counts(source.counts()), ic.RocCurve.from_scores(y, s)
    assert found.hull.fp.tolist() == truth.hull.fp.tolist()
    assert found.hull.tp.tolist() == truth.hull.tp.tolist()
    assert found.hull.thresholds.tolist() == truth.hull.thresholds.tolist()
    assert ic.voros(found) == ic.voros(truth)
    assert found.resolution == 0
    assert abs(ic.auc(truth) - ic.auc(found)) <= found.resolution_of_area / 2 + 1e-15
    assert sum(kind == "count" for kind, _ in source.passes) >= 1


@pytest.mark.usefixtures("small")
def test_data_that_changes_between_passes_is_noticed():
    """A pass that finds other cases than the one before left open is refused."""

    class Changing(Rows):
        def each(self, within):
            self.y[:] = True
            return super().each(within)

        def count(self, grid, within):
            if within is not None:
                self.y[:] = True
            return super().count(grid, within)

    with pytest.raises(InputError, match=r"the test changed while it was counted: \d+ positives before, \d+ now"):
        Changing(*drawn(3)).counts()
    with pytest.raises(InputError, match="changed while it was counted"):
        count.count(Rows(*drawn(3)), Totals(600, 1, 2), "it", grid=FrameGrid.over(0.0, 1.0))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("factor", "noticed"), [(1 + 1e-15, False), (1 + 1e-6, True)])
def test_weights_that_change_between_passes_are_noticed(factor, noticed):
    """Sums in another order differ by rounding; a millionth more is another weight."""

    class Weighted(Rows):
        def _table(self, keys, kept):
            table, scale = super()._table(keys, kept), 0.7 * (1.0 if len(self.passes) < 2 else factor)
            return CountTable(table.low, table.high, table.positives * scale, table.negatives * 0.7, table.keys)

        def each(self, within):
            table = super().each(within)
            return CountTable.listed(table.low, table.positives * 0.7 * factor, table.negatives * 0.7)

    source = Weighted(*drawn(3))
    totals = Totals(600, 0.7 * source.y.sum(), 0.7 * (~source.y).sum())
    grid = FrameGrid.over(source.s.min(), source.s.max())
    if noticed:
        with pytest.raises(
            InputError, match=r"the test changed while it was counted: [\d.]+ positives before, [\d.]+ now"
        ):
            count.count(source, totals, "the test", grid=grid)
    else:
        assert count.count(source, totals, "the test", grid=grid).positives.sum() == pytest.approx(0.7 * source.y.sum())


@pytest.mark.usefixtures("small")
def test_the_limit_of_passes_is_no_silent_answer(monkeypatch):
    """A hull that is not exact is not given out as one."""
    monkeypatch.setattr(count, "PASSES", 1)
    with pytest.raises(EngineError, match="counting the test: the hull was not exact after 1 passes"):
        Rows(*drawn(3)).counts()


@given(st.lists(finite, min_size=1, max_size=30), st.integers(1, 21))
def test_keys_follow_the_order_of_scores(scores, more):
    """Any range, tiny or huge: keys never fall, and finer keys nest."""
    s = np.array(sorted(scores)) + 0.0
    grid = Grid.over(s[0], s[-1], more)
    keys = grid.keys(s)
    assert np.all(np.diff(keys) >= 0)
    assert keys.min() >= 0
    assert keys.max() < grid.end
    if grid.scale and np.isfinite(grid.finer(more).scale):
        assert np.array_equal(grid.finer(more).keys(s) >> more, keys)


narrow = st.builds(lambda low, ulps: [low + i * np.spacing(low) for i in ulps], finite, st.lists(st.integers(0, 9**5)))


@given(st.lists(finite, min_size=1, max_size=30) | narrow.filter(len), st.integers(1, 21))
def test_spans_of_steps_hold_exactly_the_numbers_of_their_keys(scores, bits):
    """Any range, tiny or huge, near zero or far from it; the numbers beside a span have other keys."""
    s = np.unique(scores)
    s = s[np.isfinite(s)] + 0.0
    steps = Steps.over(s[0], s[-1], bits)
    keys = steps.keys(s)
    assert keys[0] == 0
    assert keys[-1] == steps.size - 1 <= 1.5 * 2**bits
    assert np.all(np.diff(keys) >= 0)
    low, high = steps.spans(keys)
    assert np.all((s[0] <= low) & (low <= s) & (s <= high) & (high <= s[-1]))
    assert np.array_equal(steps.keys(low), keys)
    assert np.array_equal(steps.keys(high), keys)
    below, above = np.nextafter(low[low > s[0]], -np.inf), np.nextafter(high[high < s[-1]], np.inf)
    assert np.array_equal(steps.keys(below), keys[low > s[0]] - 1)
    assert np.array_equal(steps.keys(above), keys[high < s[-1]] + 1)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-3.0, 5.0), (1e6, 1e6 + 1e-3), (-1.7e308, 1.7e308), (0.0, 1e-310)])
def test_steps_are_as_many_as_asked_for(ends):
    """Give or take a half, whatever the range."""
    assert 0.75 * 2**16 <= Steps.over(*ends, 16).size <= 1.5 * 2**16 + 1


@given(st.lists(st.integers(-50, 50), min_size=1, unique=True), st.data())
def test_tables_add_to_the_rows_of_both(scores, data):
    """In descending order; rows that are still open keep their keys."""
    scores = np.sort(np.array(scores, dtype=float))[::-1]
    rows = np.arange(scores.size)
    whole = CountTable(scores, scores + 0.5, rows + 1, rows + 7, rows)
    mine = np.array(data.draw(st.lists(st.booleans(), min_size=scores.size, max_size=scores.size)))
    for one, other in (
        (whole[mine], whole[~mine]),
        (whole[mine], whole.closed(~mine)),
        (whole.closed(mine), whole.closed(~mine)),
    ):
        both = one + other
        for name in ("low", "high", "positives", "negatives"):
            assert np.array_equal(getattr(both, name), getattr(whole, name))
        left = [key for part in (one, other) for key in part.keys if key != CLOSED]
        assert sorted(key for key in both.keys if key != CLOSED) == sorted(left)

"""How cases are drawn, and what their curves are, against curves made one by one."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.data.cases import Cases
from isocost.errors import InputError
from isocost.inference import resample as module
from isocost.inference.resample import Counts, Sample
from oracles import resampling

PCF = np.linspace(0, 1, 33)


def cases(size, decimals=9, share=0.5, seed=0, models=2):
    """Labels, and models that rank them differently well, scores rounded to make ties."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < share
    y[:4] = True, True, False, False
    shared = rng.normal(size=size)
    return y, {f"m{k}": np.round(shared + k * rng.normal(size=size) + (2 - k) * y, decimals) for k in range(models)}


def sample_of(y, scores, **options):
    """The cases ready to be resampled."""
    scores = scores if isinstance(scores, dict) else {"m": scores}
    rows = Cases.from_scores(y, scores, options.get("weights"), None, options.get("fold"))
    return Sample.of(
        rows, options.get("cluster"), options.get("entropy", (7,)), stratified=options.get("stratified", True)
    )


def drawn(sample, start, stop):
    """How often every row is drawn in the resamples from start to stop."""
    times = np.concatenate(list(sample.draws(start, stop))).astype(int)
    return times if sample.unit is None else times[:, sample.unit]


@settings(max_examples=80)
@given(
    st.integers(0, 2**32), st.integers(8, 400), st.integers(0, 3), st.sampled_from([0.5, 0.05, 0.9]), st.integers(1, 4), st.booleans()
)  # fmt: skip
def test_hulls_costs_rates_and_areas_are_those_of_the_weighted_curves(seed, size, decimals, share, resamples, weighted):
    """Given how often each case is drawn, everything equals what RocCurve makes of these weights; whole counts to the last bit."""
    y, scores = cases(size, decimals, share, seed)
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.1, 3, size) if weighted else None
    sample = sample_of(y, scores, weights=weights)
    y, scores = sample.positive, sample.scores
    times = np.stack([np.bincount(resampling.resample(y, rng), minlength=size) for _ in range(resamples)])
    for name, s in scores.items():
        [found] = sample.counts(name, times)
        hulls, areas = found.hulls(), found.areas()
        costs, points = hulls.costs(PCF)
        fpr, tpr = found.rates(np.arange(found.order.thresholds.size + 1))
        assert all(
            np.array_equal(a, b)
            for a, b in zip(found.rates(points), (np.take_along_axis(v, points, 1) for v in (fpr, tpr)), strict=True)
        )
        for i, whole in enumerate(found.curves(name)):
            mass = (times[i] * (1.0 if weights is None else sample.weights)).astype(float)
            curve = ic.RocCurve.from_scores(y, s, sample_weight=mass)
            part = slice(hulls.start[i], hulls.start[i + 1])
            lines = (1 - PCF)[:, None] * whole.fpr + PCF[:, None] * (1 - whole.tpr)
            assert costs[i] == pytest.approx(lines.min(axis=1), abs=1e-12)
            assert costs[i] == pytest.approx(lines[np.arange(PCF.size), points[i]], abs=1e-12)
            assert areas[i] == pytest.approx(ic.auc(curve), abs=1e-12)
            if not weighted:
                assert (hulls.fp[part].tolist(), hulls.tp[part].tolist()) == (
                    curve.hull.fp.tolist(),
                    curve.hull.tp.tolist(),
                )
                # Of cuts that are equal on the resample the first is the vertex.
                inner = hulls.point[part][1:-1]
                assert np.all(whole.tp[inner] > whole.tp[inner - 1])


@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(2, 12))
def test_points_chosen_do_not_depend_on_the_resamples_beside(seed, rows, columns):
    """At conditions where two vertices cost the same, too, a resample among others chooses the point it chooses alone."""
    rng = np.random.default_rng(seed)
    up, down = rng.integers(0, 4, size=(2, rows, columns))
    up[:, 0], down[:, -1] = up[:, 0] + 1, down[:, -1] + 1
    pcf = np.sort(np.unique([a / (a + b) for a in range(12) for b in range(12) if a + b]))
    paths = [np.insert(np.cumsum(v, axis=1), 0, 0, axis=1) for v in (down, up)]
    order = module.Counts.of_paths(*paths, np.arange(float(columns)), np.arange(columns + 1)).order
    costs, point = Counts(order, *paths).hulls().costs(pcf)
    for i in range(rows):
        alone, same = Counts(order, *(path[[i]] for path in paths)).hulls().costs(pcf)
        assert np.array_equal(point[i], same[0])
        assert np.array_equal(costs[i], alone[0])


def test_class_totals_stay_fixed():
    """Every resample has as many positives and negatives as the data."""
    sample = sample_of([1, 0, 0, 1, 0, 0, 0], np.arange(7.0))
    times = drawn(sample, 0, 50)
    assert np.all(times[:, sample.positive].sum(axis=1) == 2)
    assert np.all(times[:, ~sample.positive].sum(axis=1) == 5)


def test_resamples_do_not_depend_on_batches(monkeypatch):
    """Resample i is the same in whatever batch, and whatever number of resamples, it is drawn."""
    sample = sample_of(np.arange(20) < 8, np.arange(20.0))
    whole = drawn(sample, 0, 30)
    monkeypatch.setattr(module, "_CELLS", 7 * 20)
    assert np.array_equal(drawn(sample, 0, 30), whole)
    assert np.array_equal(drawn(sample, 11, 17), whole[11:17])


def test_resamples_are_the_same_on_every_platform():
    """Rows are drawn with whole-number arithmetic only: these are the draws of seed 3, the negatives first."""
    times = drawn(sample_of(np.arange(8) < 3, np.arange(8.0), entropy=(3,)), 0, 2)
    assert times.tolist() == [[3, 1, 0, 0, 1, 0, 1, 2], [0, 1, 2, 1, 1, 1, 2, 0]]


def test_the_order_of_rows_does_not_change_the_numbers_of_a_seed():
    """Shuffled cases have the same costs on every resample, to the last bit."""
    y, scores = cases(200, 2)
    order = np.random.default_rng(1).permutation(200)
    first = ic.bootstrap(y, scores, n_resamples=20, grid=PCF)
    again = ic.bootstrap(y[order], {name: s[order] for name, s in scores.items()}, n_resamples=20, grid=PCF)
    fewer = ic.bootstrap(y, scores, n_resamples=7, grid=PCF)
    for name in scores:
        for array in ("own", "cross", "cross_of_two", "areas"):
            one = getattr(first.replicates[name], array)
            assert np.array_equal(one, getattr(again.replicates[name], array))
            assert np.array_equal(one[:7], getattr(fewer.replicates[name], array))


def test_groups_are_drawn_whole():
    """All rows of a group are drawn equally often, and both classes are there."""
    sample = sample_of([1, 0, 1, 0, 0, 1], np.arange(6.0), cluster=[0, 0, 1, 1, 1, 2])
    for row in drawn(sample, 0, 40):
        assert all(np.ptp(row[sample.unit == unit]) == 0 for unit in range(3))
        assert row[sample.positive].any()
        assert row[~sample.positive].any()


def test_groups_that_can_never_hold_both_classes_are_refused(monkeypatch):
    """A class that every draw misses is refused, not looped over for ever."""
    monkeypatch.setattr(module, "TRIES", 3)
    monkeypatch.setattr(Sample, "_complete", lambda *_: False)
    sample = sample_of([1, 1, 0, 0, 0, 1], np.arange(6.0), cluster=[0, 0, 0, 1, 1, 1])
    with pytest.raises(
        InputError, match="resamples of clusters keep missing a class, which too few clusters hold: use more"
    ):
        drawn(sample, 0, 1)


def test_weights_count_each_time_a_row_is_drawn():
    """A row drawn twice counts twice its weight."""
    y, w = np.arange(6) < 3, np.array([0.5, 1, 2, 3, 4, 5])
    sample = sample_of(y, np.arange(6.0), weights=w)
    [times] = sample.draws(0, 5)
    [counts] = sample.counts("m", times)
    assert counts.totals[1] == pytest.approx((times * sample.weights)[:, sample.positive].sum(axis=1))


def test_differences_are_distributed_like_naive_ones():
    """Differences of cost and of area of two models on the same resampled rows pass a Kolmogorov-Smirnov test each."""
    y, scores = cases(80, 1)
    boot = ic.bootstrap(y, scores, n_resamples=1500, grid=PCF)
    rng = np.random.default_rng(1)
    costs, areas = [], []
    for _ in range(800):
        rows = resampling.resample(y, rng)
        a, b = (resampling.lowest_cost(y[rows], s[rows], PCF)[0] for s in scores.values())
        costs.append(a - b)
        one, other = (ic.auc(ic.RocCurve.from_scores(y[rows], s[rows])) for s in scores.values())
        areas.append(one - other)
    first, second = boot.replicates.values()
    pairs = [((first.own - second.own)[:, i], np.array(costs)[:, i]) for i in range(2, PCF.size - 2, 4)]
    pairs.append((first.areas - second.areas, np.array(areas)))
    # Rounded, because differences that are equal in whole numbers may differ in the last bit between formulas.
    p_values = [stats.ks_2samp(np.round(a, 12), np.round(b, 12)).pvalue for a, b in pairs]
    assert min(p_values) > 0.05 / len(p_values) / 10


def test_what_was_resampled_can_be_sent_elsewhere():
    """A pickled bootstrap gives the same bands, and says what it needs the cases for."""
    boot = ic.bootstrap(np.tile([1, 1, 0, 0, 1, 0], 10), {"m": np.arange(60.0)}, n_resamples=20)
    again = pickle.loads(pickle.dumps(boot))
    assert np.array_equal(again.band("m").low, boot.band("m").low)
    with pytest.raises(InputError, match="needs the cases"):
        again.interval("m", "tpr", threshold=9.0)


def test_one_case_more_changes_the_cost_as_a_cluster_of_one_does():
    """Found from the totals, and from the plain sum over units."""
    y, s = np.array([1, 1, 0, 0, 1, 0], dtype=bool), np.array([6.0, 5.0, 4.0, 3.0, 3.0, 1.0])
    pcf = np.linspace(0, 1, 5)
    for options in ({}, {"cluster": np.arange(6)}, {"weights": np.ones(6)}, {"cluster": np.arange(6) // 1 * 2}):
        assert sample_of(y, s, **options).step(pcf) == pytest.approx(np.hypot(pcf / 3, (1 - pcf) / 3))


def test_groups_are_counted_as_groups_where_few_are_warned_of():
    """Three positives in two groups are two, while each of the negatives is a group of its own."""
    y, s = np.array([1, 1, 0, 0, 1, 0], dtype=bool), np.array([6.0, 5.0, 4.0, 3.0, 3.0, 1.0])
    with (
        pytest.warns(ic.errors.FewCasesWarning, match="Only 2 clusters with positives"),
        pytest.warns(ic.errors.FewCasesWarning, match="Only 3 clusters with negatives"),
    ):
        sample_of(y, s, cluster=np.array([0, 0, 1, 2, 3, 4])).warn()

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.data.cases import Cases
from isocost.inference import blocks
from isocost.inference.blocks import Blocked, Order, PairedResampler
from isocost.inference.resample import Sample
from oracles import resampling

PCF = np.linspace(0, 1, 33)
FIELDS = ("apparent", "own", "cross", "cross_of_two", "luck_of_two", "step")


def cases(size, decimals=9, share=0.5, seed=0, models=2):
    """Labels, and models that rank them differently well, scores rounded to make ties."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < share
    y[:4] = True, True, False, False
    shared = rng.normal(size=size)
    return y, {f"m{k}": np.round(shared + k * rng.normal(size=size) + (2 - k) * y, decimals) for k in range(models)}


def sample_of(y, scores):
    """The cases ready to be resampled."""
    return Sample.of(Cases.from_scores(y, scores, None, None, None), None, (7,))


@settings(max_examples=80)
@given(
    st.integers(0, 2**32), st.integers(8, 400), st.integers(0, 3), st.sampled_from([0.5, 0.05, 0.9]), st.integers(1, 40),
    st.integers(1, 4),
)  # fmt: skip
def test_hulls_rates_and_areas_are_those_of_the_weighted_curves(seed, size, decimals, share, block, resamples):
    """Given how often each case is drawn, everything equals what RocCurve makes of these weights, to the last bit."""
    y, scores = cases(size, decimals, share, seed)
    rng = np.random.default_rng(seed)
    sample = sample_of(y, scores)
    y, scores = sample.positive, sample.scores
    times = np.stack([np.bincount(resampling.resample(y, rng), minlength=size) for _ in range(resamples)])
    for name, s in scores.items():
        order = Order.of(sample.models[name][0], y, block)
        found = Blocked(order, times[:, ~y].astype(np.uint8), times[:, y].astype(np.uint8))
        hulls, areas = found.hulls(), found.areas()
        [paths] = sample.paths(name, times)
        costs, points = hulls.costs(PCF)
        plain, same = paths.hulls().costs(PCF)
        assert np.array_equal(costs, plain)
        assert np.array_equal(points, same)
        everywhere = np.tile(np.arange(paths.fp.shape[1]), (resamples, 1))
        assert all(np.array_equal(a, b) for a, b in zip(found.rates(everywhere), paths.rates(everywhere), strict=True))
        for i in range(resamples):
            curve = ic.RocCurve.from_scores(y, s, sample_weight=times[i].astype(float))
            part = slice(hulls.start[i], hulls.start[i + 1])
            assert (hulls.fp[part].tolist(), hulls.tp[part].tolist()) == (
                curve.hull.fp.tolist(),
                curve.hull.tp.tolist(),
            )
            assert areas[i] == pytest.approx(ic.auc(curve), abs=1e-14)
            vertices = ic.RocCurve(
                hulls.fp[part], hulls.tp[part], np.zeros(curve.hull.fp.size), int(y.sum()), int((~y).sum())
            )
            assert ic.voros(vertices) == pytest.approx(ic.voros(curve), abs=1e-14)


@pytest.mark.parametrize(("size", "decimals", "share"), [(300, 9, 0.5), (300, 1, 0.5), (900, 2, 0.8), (900, 9, 0.05)])
@pytest.mark.parametrize("fixed", [None, {"m0": 0.5}])
def test_resamples_through_blocks_give_the_numbers_of_resampled_rows(monkeypatch, size, decimals, share, fixed):
    """Three models, one perhaps with a fixed threshold: every cost on every resample is the same, to the last bit."""
    y, scores = cases(size, decimals, share, models=3)
    found = []
    for many in (10**9, 0):
        monkeypatch.setattr(blocks, "PAIRED_FROM", many)
        found.append(ic.bootstrap(y, scores, n_resamples=40, grid=PCF, rng=3, fixed=fixed))
    rows, quick = found
    for name in scores:
        assert rows._models[name].areas is None
        assert quick._models[name].areas is not None
        for field in FIELDS:
            one, other = (getattr(boot._models[name], field) for boot in found)
            assert (one is None and other is None) or np.array_equal(one, other)
    for question in (("m0", None), ("m0", "m1")):
        one, other = (boot.interval(question[0], "auc", versus=question[1]) for boot in found)
        assert tuple(other) == pytest.approx(tuple(one), abs=1e-14)


def test_resamples_depend_neither_on_batches_nor_on_their_number(monkeypatch):
    """One at a time or all at once, few or many: resample i stays what it is."""
    monkeypatch.setattr(blocks, "PAIRED_FROM", 0)
    y, scores = cases(120, 2)
    whole = ic.bootstrap(y, scores, n_resamples=40, grid=PCF, rng=3)
    fewer = ic.bootstrap(y, scores, n_resamples=25, grid=PCF, rng=3)
    monkeypatch.setattr(blocks, "_CELLS", 1)
    single = ic.bootstrap(y, scores, n_resamples=40, grid=PCF, rng=3)
    for name in scores:
        for field in ("own", "cross", "cross_of_two", "areas"):
            expected = getattr(whole._models[name], field)
            assert np.array_equal(getattr(single._models[name], field), expected)
            assert np.array_equal(getattr(fewer._models[name], field), expected[:25])


def test_differences_are_distributed_like_naive_ones(monkeypatch):
    """Differences of cost and of area of two models on the same resampled rows pass a Kolmogorov-Smirnov test each."""
    monkeypatch.setattr(blocks, "PAIRED_FROM", 0)
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
    first, second = boot._models.values()
    pairs = [((first.own - second.own)[:, i], np.array(costs)[:, i]) for i in range(2, PCF.size - 2, 4)]
    pairs.append((first.areas - second.areas, np.array(areas)))
    # Rounded, because differences that are equal in whole numbers may differ in the last bit between formulas.
    p_values = [stats.ks_2samp(np.round(a, 12), np.round(b, 12)).pvalue for a, b in pairs]
    assert min(p_values) > 0.05 / len(p_values) / 10


def test_counts_that_do_not_fit_a_byte_are_counted_anew(monkeypatch):
    """A case drawn three hundred times stays three hundred."""
    y, scores = cases(700)

    class Stubborn(np.random.Generator):
        def integers(self, low, high=None, size=None, dtype=None):
            picked = super().integers(low, high, size=size, dtype=dtype)
            picked[:300] = 5
            return picked

    monkeypatch.setattr(np.random, "Generator", Stubborn)
    [drawn] = PairedResampler(sample_of(y, scores)).batches(2)
    assert np.all(drawn.negatives[:, 5] >= 300)
    assert np.all(drawn.positives.sum(axis=1) == y.sum())


@pytest.mark.parametrize(
    "option", [{"sample_weight": np.ones(60)}, {"cluster": np.arange(60) // 2}, {"fold": np.arange(60) % 2}]
)
def test_other_designs_are_resampled_row_by_row(monkeypatch, option):
    """Weights, groups and folds take the general way."""
    monkeypatch.setattr(blocks, "PAIRED_FROM", 0)
    y, scores = cases(60, 2)
    assert ic.bootstrap(y, scores, n_resamples=3, **option)._models["m0"].areas is None


def test_the_order_of_rows_does_not_change_the_numbers_of_a_seed(monkeypatch):
    """Shuffled cases have the same costs on every resample, to the last bit."""
    monkeypatch.setattr(blocks, "PAIRED_FROM", 0)
    y, scores = cases(200, 2)
    order = np.random.default_rng(1).permutation(200)
    first = ic.bootstrap(y, scores, n_resamples=20, grid=PCF)
    again = ic.bootstrap(y[order], {name: s[order] for name, s in scores.items()}, n_resamples=20, grid=PCF)
    for name in scores:
        assert np.array_equal(first._models[name].own, again._models[name].own)
        assert np.array_equal(first._models[name].areas, again._models[name].areas)

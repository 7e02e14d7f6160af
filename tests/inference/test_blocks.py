import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp

import isocost as ic
from isocost.comparison.rows import Rows
from isocost.hull import upper_hull
from isocost.inference import blocks
from isocost.inference.blocks import Blocks, Resample
from isocost.inference.sample import Sample

PCF = np.linspace(0, 1, 11)


def cases(size, decimals, share=0.5, seed=0):
    """Labels, and scores that rank them fairly well, rounded to make ties."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < share
    y[:4] = True, True, False, False
    return y, np.round(rng.normal(size=size) + 1.5 * y, decimals)


def sample_of(y, s):
    """The cases ready to be resampled."""
    return Sample.of(Rows.from_scores(y, {"m": s}, None, None, None), None, (7,))


@settings(max_examples=60)
@given(
    st.integers(0, 2**32), st.integers(8, 600), st.integers(0, 3), st.sampled_from([0.5, 0.05]), st.integers(2, 60)
)  # fmt: skip
def test_blocks_left_closed_hold_no_vertex(seed, size, decimals, share, block):
    """The hull found from few blocks is that of the whole path, laid out by opening all blocks afterwards."""
    y, s = cases(size, decimals, share, seed)
    cut = Blocks.of(sample_of(y, s), block)
    resample = Resample(cut, np.random.default_rng(seed))
    hull = resample.hull()
    points = np.arange(np.unique(s).size + 1)
    fp, tp = resample.at(points)
    assert (fp[-1], tp[-1]) == (np.sum(~y), np.sum(y))
    assert np.all(np.diff(fp) >= 0)
    assert np.all(np.diff(tp) >= 0)
    vertex = upper_hull(fp, tp)
    assert (hull.fp.tolist(), hull.tp.tolist()) == (fp[vertex].tolist(), tp[vertex].tolist())
    assert (fp[hull.point].tolist(), tp[hull.point].tolist()) == (hull.fp.tolist(), hull.tp.tolist())


@pytest.mark.parametrize("size", [1, 7, 50])
def test_pairs_won_within_blocks_add_up_to_the_area(size):
    """Taking every case once gives the AUC of the data, whatever the blocks."""
    y, s = cases(300, 1)
    cut = Blocks.of(sample_of(y, s), size)
    resample = Resample(cut, np.random.default_rng(0))
    resample.drawn = np.diff(cut.fp), np.diff(cut.tp)
    resample.fp, resample.tp = cut.fp, cut.tp
    assert resample.area() == pytest.approx(ic.auc(ic.RocCurve.from_scores(y, s)), abs=1e-12)


@pytest.mark.parametrize("counted", [0, 10**9])
@pytest.mark.parametrize(("decimals", "share"), [(9, 0.5), (1, 0.5), (9, 0.1)])
def test_resamples_in_blocks_are_distributed_like_resampled_rows(monkeypatch, counted, decimals, share):
    """Costs with own and with others' thresholds and AUCs, of two thousand each, pass the Kolmogorov-Smirnov test."""
    y, s = cases(300, decimals, share)
    apart = ic.bootstrap(y, {"m": s}, n_resamples=2000, grid=PCF, rng=1)
    rows = apart.models["m"]
    areas = ic.bootstrap(y, {"m": s}, n_resamples=500, grid=PCF, rng=3)
    monkeypatch.setattr(blocks, "MANY", 0)
    monkeypatch.setattr(blocks, "_COUNTED", counted)
    found = ic.bootstrap(y, {"m": s}, n_resamples=2000, grid=PCF, rng=2)
    drawn = found.models["m"]
    assert drawn.areas is not None
    pairs = [
        (getattr(rows, name)[:, i], getattr(drawn, name)[:, i])
        for name in ("own", "cross", "cross_of_two")
        for i in range(1, PCF.size - 1)
    ]
    # Rounded, because costs that are equal in whole numbers may differ in the last bit between formulas.
    p_values = [ks_2samp(np.round(a, 12), np.round(b, 12)).pvalue for a, b in pairs]
    assert min(p_values) > 0.05 / len(p_values) / 10
    # The judges' luck is measured from its own mean, which shifts its steps: only its spread can be compared.
    assert drawn.luck_of_two.std() == pytest.approx(rows.luck_of_two.std(), rel=0.1)
    one, other = areas.interval("m", "auc"), found.interval("m", "auc")
    spread = other.high - other.low
    assert other.low == pytest.approx(one.low, abs=0.15 * spread)
    assert other.high == pytest.approx(one.high, abs=0.15 * spread)
    assert drawn.apparent.tolist() == rows.apparent.tolist()


def test_a_resample_depends_on_the_seed_and_its_number_alone(monkeypatch):
    """The first of many are the same as when there are few."""
    monkeypatch.setattr(blocks, "MANY", 0)
    y, s = cases(200, 2)
    few, many = (ic.bootstrap(y, {"m": s}, n_resamples=n, grid=PCF, rng=5).models["m"] for n in (3, 8))
    for name in ("own", "cross", "cross_of_two", "areas"):
        assert np.array_equal(getattr(few, name), getattr(many, name)[:3])


def test_blocks_are_for_one_model_of_many_equal_single_cases(monkeypatch):
    """Weights, groups, folds, a fixed threshold and a second model are resampled row by row."""
    monkeypatch.setattr(blocks, "MANY", 0)
    y, s = cases(60, 2)
    options = [
        {"sample_weight": np.ones(60)},
        {"groups": np.arange(60) // 2},
        {"folds": np.arange(60) % 2},
        {"fixed": 0.5},
    ]
    for option in options:
        assert ic.bootstrap(y, {"m": s}, n_resamples=3, **option).models["m"].areas is None
    assert ic.bootstrap(y, {"m": s, "n": -s}, n_resamples=3).models["n"].areas is None
    assert ic.bootstrap(y, {"m": s}, n_resamples=3).models["m"].areas is not None

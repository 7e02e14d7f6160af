import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, ks_2samp, multinomial

import isocost as ic
from isocost.curves.hull import upper_hull
from isocost.data.cases import Cases
from isocost.inference import blocks
from isocost.inference.blocks import Ranking, Resamples
from isocost.inference.resample import Sample
from isocost.measures import registry as of_costs
from isocost.measures.voros import area_at
from oracles.resampling import resample

PCF = np.linspace(0, 1, 11)


def cases(size, decimals, share=0.5, seed=0):
    """Labels, and scores that rank them fairly well, rounded to make ties."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < share
    y[:4] = True, True, False, False
    return y, np.round(rng.normal(size=size) + 1.5 * y, decimals)


def sample_of(y, s):
    """The cases ready to be resampled."""
    return Sample.of(Cases.from_scores(y, {"m": s}, None, None, None), None, (7,))


def drawn_of(y, s, many, resamples=4, seed=0):
    """Some resamples in so many blocks to begin with."""
    return Resamples(Ranking.of(sample_of(y, s), many), np.random.Generator(np.random.SFC64(seed)), resamples)


@settings(max_examples=60)
@given(
    st.integers(0, 2**32), st.integers(8, 600), st.integers(0, 3), st.sampled_from([0.5, 0.05]), st.integers(1, 60)
)  # fmt: skip
def test_blocks_that_are_not_parted_hold_no_vertex(seed, size, decimals, share, many):
    """The hulls found from few blocks are those of the whole paths, laid out afterwards, and their points the first that have them."""
    y, s = cases(size, decimals, share, seed)
    drawn = drawn_of(y, s, many, seed=seed)
    hulls = drawn.hulls()
    points = np.tile(np.arange(drawn.ranking.fp.size), (drawn.many, 1))
    for i, (fpr, tpr) in enumerate(zip(*drawn.rates(points), strict=True)):
        fp, tp = (np.rint(rate * np.sum(y == label)).astype(np.int64) for rate, label in ((fpr, 0), (tpr, 1)))
        assert (fp[-1], tp[-1]) == (np.sum(~y), np.sum(y))
        assert np.all(np.diff(fp) >= 0)
        assert np.all(np.diff(tp) >= 0)
        vertex = upper_hull(fp, tp)
        mine = slice(hulls.start[i], hulls.start[i + 1])
        assert (hulls.fp[mine].tolist(), hulls.tp[mine].tolist()) == (fp[vertex].tolist(), tp[vertex].tolist())
        assert fp[hulls.point[mine]].tolist() == hulls.fp[mine].tolist()
        assert tp[hulls.point[mine]].tolist() == hulls.tp[mine].tolist()
        assert hulls.point[mine][1:-1].tolist() == [np.flatnonzero(tp == t)[0] for t in hulls.tp[mine][1:-1]]
        assert (hulls.point[mine][0], hulls.point[mine][-1]) == (0, fp.size - 1)


@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_points_are_all_that_can_be_vertices(decimals):
    """Every vertex of a resample's hull, resampled row by row, is one of the points that are looked at."""
    y, s = cases(200, decimals)
    ranking = Ranking.of(sample_of(y, s))
    known = set(zip(ranking.fp.tolist(), ranking.tp.tolist(), strict=True))
    rng = np.random.default_rng(3)
    for _ in range(50):
        rows = resample(y, rng)
        hull = ic.RocCurve.from_scores(y[rows], s[rows]).hull
        for cut in hull.thresholds[1:-1]:
            # The data between this vertex and the next score that was drawn may be flagged or not: both are the vertex.
            below = s[rows][s[rows] < cut].max()
            ends = {(int(np.sum(s[~y] >= c)), int(np.sum(s[y] >= c))) for c in np.unique(s[(s > below) & (s <= cut)])}
            assert ends & known


@pytest.mark.parametrize("many", [1, 7, 500])
@pytest.mark.parametrize(("decimals", "share"), [(0, 0.5), (1, 0.5), (9, 0.5), (1, 0.05)])
def test_pairs_won_within_and_between_blocks_add_up_to_the_area(many, decimals, share):
    """Taking every case once gives the AUC of the data, whatever the blocks."""
    y, s = cases(300, decimals, share)
    drawn = drawn_of(y, s, many, 1)
    paths = (drawn.ranking.fp, drawn.ranking.tp)
    drawn._drawn = [np.diff(path[drawn.edges])[None, :] for path in paths]
    drawn._before = [path[drawn.edges][None, :] for path in paths]
    assert drawn.areas()[0] == pytest.approx(ic.auc(ic.RocCurve.from_scores(y, s)), abs=1e-12)


@pytest.mark.parametrize("many", [1, 2, 8])
def test_every_outcome_is_as_likely_as_when_cases_are_drawn(many):
    """Of four positives and four negatives in turn, all 35 outcomes of either come as often as the multinomial distribution says."""
    y = np.array([0, 1, 0, 1, 0, 1, 0, 1], dtype=bool)
    resamples = 40_000
    drawn = drawn_of(y, np.arange(8.0), many, resamples, seed=many)
    drawn.hulls()
    # Asked in any order, and more than once.
    points = np.array([3, 0, 4, 1, 2, 5, 3])
    for rates in drawn.rates(np.tile(points, (resamples, 1))):
        assert np.array_equal(rates[:, 0], rates[:, 6])
        counts = np.diff(np.rint(4 * rates[:, [1, 3, 4, 0, 2, 5]]).astype(int), axis=1)
        # Before the first positive there is no negative, and after the last negative no positive.
        outcomes, seen = np.unique(counts[:, counts.any(axis=0)], axis=0, return_counts=True)
        assert outcomes.shape[0] == 35
        expected = multinomial(4, [0.25] * 4).pmf(outcomes) * resamples
        assert chisquare(seen, expected).pvalue > 1e-3


def alike(one, other):
    """The p-value of the Kolmogorov-Smirnov test, with values that differ in the last bit taken as equal."""
    return ks_2samp(np.round(one, 12), np.round(other, 12)).pvalue


@pytest.mark.parametrize("below", [0.0, 4.0])
@pytest.mark.parametrize(("decimals", "share"), [(9, 0.5), (1, 0.5), (9, 0.1)])
def test_resamples_in_blocks_are_distributed_like_resampled_rows(monkeypatch, below, decimals, share):
    """Costs with own and with others' thresholds and AUCs, of two thousand each, pass the Kolmogorov-Smirnov test."""
    y, s = cases(300, decimals, share)
    rows = ic.bootstrap(y, {"m": s}, n_resamples=2000, grid=PCF, rng=1).replicates["m"]
    rng = np.random.default_rng(3)
    pair = (s[y][:, None] > s[~y]) + (s[y][:, None] == s[~y]) / 2
    areas = [
        pair[rng.choice(len(pair), len(pair))][:, rng.choice(len(pair.T), len(pair.T))].mean() for _ in range(2000)
    ]
    monkeypatch.setattr(blocks, "BLOCKS_FROM", 0)
    monkeypatch.setattr(blocks, "_BELOW", below)
    found = ic.bootstrap(y, {"m": s}, n_resamples=2000, grid=PCF, rng=2)
    drawn = found.replicates["m"]
    pairs = [
        (getattr(rows, name)[:, i], getattr(drawn, name)[:, i])
        for name in ("own", "cross", "cross_of_two")
        for i in range(1, PCF.size - 1)
    ]
    p_values = [alike(a, b) for a, b in pairs]
    assert min(p_values) > 0.05 / len(p_values) / 10
    # The judges' luck is measured from its own mean, which shifts its steps: only its spread can be compared.
    assert drawn.luck_of_two.std() == pytest.approx(rows.luck_of_two.std(), rel=0.1)
    assert alike(areas, drawn.areas) > 0.005
    assert drawn.apparent.tolist() == rows.apparent.tolist()


@pytest.mark.parametrize(("decimals", "share"), [(9, 0.5), (2, 0.5), (9, 0.01)])
def test_areas_and_volumes_are_distributed_like_those_of_rows_drawn_one_by_one(monkeypatch, decimals, share):
    """Of 20 000 cases, lowest costs, AUC and VOROS of a thousand resamples pass the test against drawing every row."""
    monkeypatch.setattr(blocks, "BLOCKS_FROM", 0)
    y, s = cases(20_000, decimals, share)
    found = ic.bootstrap(y, {"m": s}, n_resamples=1000, grid=PCF, rng=4).replicates["m"]
    weights = of_costs.hat_weights(PCF, ic.Conditions.of(None))
    rng = np.random.default_rng(5)
    own, areas = [], []
    for _ in range(300):
        drawn = resample(y, rng)
        curve = ic.RocCurve.from_scores(y[drawn], s[drawn])
        own.append(curve.optimal_cost(1 - PCF))
        areas.append(ic.auc(curve))
    own = np.array(own)
    p_values = [alike(own[:, i], found.own[:, i]) for i in range(1, PCF.size - 1)]
    p_values += [alike(areas, found.areas), alike(*(area_at(c, 1 - PCF) @ weights for c in (own, found.own)))]
    assert min(p_values) > 0.05 / len(p_values) / 10


def test_the_area_of_a_nearly_perfect_model_varies_as_it_should(monkeypatch):
    """Where all pairs in the wrong order lie within a few cases, blocks must not level what these make of the area."""
    monkeypatch.setattr(blocks, "BLOCKS_FROM", 0)
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.5
    s = rng.normal(5.5 * y, 1)
    areas = ic.bootstrap(y, {"m": s}, n_resamples=800, grid=3).replicates["m"].areas
    assert areas.std() == pytest.approx(ic.delong(y, s).standard_error, rel=0.12)


def test_a_resample_depends_on_the_seed_and_its_number_alone(monkeypatch):
    """The first of many are the same as when there are few."""
    monkeypatch.setattr(blocks, "BLOCKS_FROM", 0)
    y, s = cases(200, 2)
    few, many = (ic.bootstrap(y, {"m": s}, n_resamples=n, grid=PCF, rng=5).replicates["m"] for n in (3, 8))
    for name in ("own", "cross", "cross_of_two", "areas"):
        assert np.array_equal(getattr(few, name), getattr(many, name)[:3])


@pytest.mark.parametrize(
    "options", [{"weights": np.ones(60)}, {"fold": np.arange(60) % 2}, {"stratified": False}, {"more": True}]
)
def test_blocks_are_for_one_model_of_many_equal_single_cases(monkeypatch, options):
    """Weights, folds, class totals that vary and a second model are resampled row by row."""
    monkeypatch.setattr(blocks, "BLOCKS_FROM", 0)
    y, s = cases(60, 2)
    assert blocks.BlockResampler.takes(sample_of(y, s))
    models = {"m": s, "n": -s} if options.get("more") else {"m": s}
    rows = Cases.from_scores(y, models, options.get("weights"), None, options.get("fold"))
    assert not blocks.BlockResampler.takes(Sample.of(rows, None, (0,), stratified=options.get("stratified", True)))

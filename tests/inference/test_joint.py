import numpy as np
import pytest
from scipy import stats

import isocost as ic
from isocost.errors import FewCasesWarning, InputError

PCF = np.linspace(0, 1, 21)


def cases(n=400, seed=0, decimals=9, share=0.4):
    """Labels and two correlated models."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:4] = True, True, False, False
    shared = rng.normal(size=n)
    return y, {"a": np.round(shared + 1.5 * y, decimals), "b": np.round(shared + rng.normal(size=n) + y, decimals)}


def entirely(y, scores):
    """Joint counts in which every score is a block of its own."""
    return ic.JointCounts.from_arrays(y, scores, blocks=10**6)


@pytest.mark.parametrize("decimals", [0, 1])
def test_single_scores_are_resampled_like_rows(decimals):
    """With every score a block of its own, costs and differences pass a Kolmogorov-Smirnov test against resampled rows."""
    y, scores = cases(120, decimals=decimals)
    rows = ic.bootstrap(y, scores, n_resamples=1500, grid=PCF, rng=1)
    counted = ic.bootstrap(entirely(y, scores), n_resamples=1500, grid=PCF, rng=2)
    pairs = [
        (rows.replicates["a"].cross_of_two, counted.replicates["a"].cross_of_two),
        (
            rows.replicates["a"].own - rows.replicates["b"].own,
            counted.replicates["a"].own - counted.replicates["b"].own,
        ),
    ]
    p_values = [
        stats.ks_2samp(*(np.round(v[:, i], 12) for v in pair)).pvalue for pair in pairs for i in range(2, 19, 4)
    ]
    assert min(p_values) > 0.05 / len(p_values) / 10
    for name in scores:
        assert np.array_equal(rows.replicates[name].apparent, counted.replicates[name].apparent)
        assert counted.replicates[name].step == pytest.approx(rows.replicates[name].step, abs=1e-15)
    assert (counted.positives, counted.negatives) == (rows.positives, rows.negatives)
    assert counted.interval("a", "auch").estimate == pytest.approx(rows.interval("a", "auch").estimate, abs=0.01)


def test_bands_and_intervals_are_those_of_the_rows_but_for_chance():
    """What thresholds inside blocks save on the data is taken off every resample."""
    y, scores = cases(3000)
    table = ic.JointCounts.from_arrays(y, scores, blocks=60)
    rows, counted = (ic.bootstrap(*data, n_resamples=1500, grid=PCF, rng=0) for data in ((y, scores), (table,)))
    for one, other in (
        (rows.band("a", target="apparent"), counted.band("a", target="apparent")),
        (rows.band("a"), counted.band("a")),
        (rows.difference("a", "b"), counted.difference("a", "b")),
        (rows.difference("a", "b", kind="simultaneous"), counted.difference("a", "b", kind="simultaneous")),
    ):
        chance = 0.2 * (one.high - one.low).max()
        assert other.apparent == pytest.approx(one.apparent, abs=1e-12)
        assert other.low == pytest.approx(one.low, abs=chance)
        assert other.high == pytest.approx(one.high, abs=chance)
    for measure in ("auc", "voros", "mean_normalised_cost", "ks", "h_measure"):
        for versus in (None, "b"):
            one, other = (boot.interval("a", measure, versus=versus) for boot in (rows, counted))
            assert other.apparent == pytest.approx(one.apparent, abs=1e-12)
            assert tuple(other) == pytest.approx(tuple(one), abs=0.2 * (one.high - one.low))
    [found] = counted.significant("a", "b")
    assert found.better == "a"


def test_blocks_keep_what_single_scores_save_on_the_data():
    """Costs on the data are those of the rows exactly; those on resamples of the ends of blocks, less the same."""
    y, scores = cases(2000)
    table = ic.JointCounts.from_arrays(y, scores, blocks=30)
    model = ic.bootstrap(table, n_resamples=50, grid=PCF).replicates["a"]
    exact = ic.cost_curve(ic.RocCurve.from_scores(y, scores["a"]))(PCF)
    assert model.apparent == pytest.approx(exact, abs=1e-12)
    assert model.own.mean(axis=0) == pytest.approx(exact, abs=0.01)


def test_draws_depend_on_the_seed_and_their_number_alone():
    """As everywhere."""
    table = ic.JointCounts.from_arrays(*cases(), blocks=20)
    few, many, other = (ic.bootstrap(table, n_resamples=n, grid=PCF, rng=seed) for n, seed in ((5, 1), (9, 1), (5, 2)))
    assert np.array_equal(few.replicates["a"].own, many.replicates["a"].own[:5])
    assert not np.array_equal(few.replicates["a"].own, other.replicates["a"].own)


def test_one_model_and_three_models_work():
    """Any number of models."""
    y, scores = cases()
    alone = ic.bootstrap(ic.JointCounts.from_arrays(y, {"a": scores["a"]}), n_resamples=20)
    assert alone.names == ("a",)
    three = ic.bootstrap(entirely(y, scores | {"c": -scores["a"]}), n_resamples=20)
    assert three.interval("c", "auc").estimate == pytest.approx(1 - three.interval("a", "auc").estimate, abs=1e-9)


def test_a_fixed_threshold_must_be_the_end_of_a_block():
    """Inside a block nobody knows how many cases are flagged."""
    y, scores = cases()
    table = ic.JointCounts.from_arrays(y, scores, blocks=20)
    end = float(table.low[0][5])
    boot = ic.bootstrap(table, n_resamples=30, fixed={"a": end}, grid=PCF)
    fpr, tpr = np.mean(scores["a"][~y] >= end), np.mean(scores["a"][y] >= end)
    assert boot.replicates["a"].apparent == pytest.approx((1 - PCF) * fpr + PCF * (1 - tpr), abs=1e-12)
    inside = float(table.low[0][5] + table.high[0][5]) / 2
    ends = f"{table.low[0][4].item()!r} or {table.low[0][5].item()!r}"
    with pytest.raises(InputError, match=f"of 'a' divides a block of the joint counts: take {ends}, the ends"):
        ic.bootstrap(table, n_resamples=3, fixed={"a": inside})
    assert boot.interval("a", "tpr", threshold=end).apparent == pytest.approx(tpr)


def test_what_needs_the_cases_is_refused():
    """Never a guess."""
    y, scores = cases()
    table = ic.JointCounts.from_arrays(y, scores, blocks=20)
    boot = ic.bootstrap(table, n_resamples=20)
    with pytest.raises(InputError, match="curve_band needs the cases themselves"):
        ic.inference.curve_band(boot, "a", "net_benefit")
    with pytest.raises(InputError, match="the interval of auch needs the cases themselves"):
        boot.interval("a", "auch")
    with pytest.raises(InputError, match="sample_weight= goes with labels and scores"):
        ic.bootstrap(table, sample_weight=np.ones(400))
    with pytest.raises(InputError, match="scores= goes with labels and scores"):
        ic.bootstrap(table, scores)
    with pytest.raises(InputError, match="scores must be a dict of name to scores or a dataframe, got NoneType"):
        ic.bootstrap(y)
    lonely = ic.JointCounts.from_arrays([1, 0, 0], {"a": [1.0, 2.0, 3.0]})
    with pytest.raises(InputError, match="resampling needs at least 2 positives and 2 negatives, got 1 positive"):
        ic.bootstrap(lonely)


def test_few_cases_are_warned_of():
    """It is cases that count, not rows of the table."""
    rng = np.random.default_rng(0)
    few = ic.JointCounts.from_arrays(np.arange(100) < 8, {"a": rng.normal(size=100)})
    with pytest.warns(FewCasesWarning, match="Only 8 positives"):
        ic.bootstrap(few, n_resamples=5)
    ic.bootstrap(ic.JointCounts.from_arrays(np.arange(100) % 2, {"a": np.arange(100) % 7}), n_resamples=5)

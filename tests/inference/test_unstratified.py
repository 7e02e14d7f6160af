"""Cases drawn whatever their class."""

import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.inference import resample
from isocost.inference.band import quantiles
from oracles import resampling

PCF = np.linspace(0, 1, 21)


def data(n=120, share=0.25, seed=0):
    """Labels and two models."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < share * n
    z = rng.normal(size=(2, n))
    return y, {"a": z[0] + 1.5 * y, "b": z[1] + y}


BOOT = ic.bootstrap(*data(), n_resamples=300, grid=PCF, stratified=False)


def test_class_totals_vary_as_those_of_cases_drawn_at_random():
    """The number of positives is binomial, the number of cases stays, and the repr says what was done."""
    share = BOOT.shares
    assert share.mean() == pytest.approx(0.25, abs=0.01)
    assert share.std() == pytest.approx(np.sqrt(0.25 * 0.75 / 120), rel=0.15)
    [drawn] = BOOT.sample.draws(4, 304)
    assert np.all(drawn.sum(axis=1) == 120)
    assert share == pytest.approx(drawn[:, BOOT.sample.positive].sum(axis=1) / 120)
    assert "300 resamples not stratified, 30 positives" in repr(BOOT)
    assert ic.bootstrap(*data(), n_resamples=3).shares is None


def test_costs_are_those_of_rows_drawn_one_by_one():
    """Means and spreads of the lowest costs agree with a plain loop."""
    y, scores = data()
    rng, own = np.random.default_rng(1), []
    for _ in range(300):
        rows = rng.choice(120, 120)
        own.append(resampling.lowest_cost(y[rows], scores["a"][rows], PCF)[0])
    own, found = np.array(own), BOOT.replicates["a"].own
    error = np.hypot(own.std(axis=0), found.std(axis=0)) / np.sqrt(300)
    assert np.all(np.abs(own.mean(axis=0) - found.mean(axis=0)) <= 5 * error + 1e-12)
    assert found.std(axis=0) == pytest.approx(own.std(axis=0), rel=0.2, abs=0.002)


def test_the_error_rate_is_that_at_each_resamples_own_prevalence():
    """Corrected costs at pcf = the share of positives; with a prevalence declared it stays."""
    model = BOOT.replicates["a"]
    corrected = 1.5 * model.cross - 0.5 * model.own
    values = [np.interp(share, PCF, row) for share, row in zip(BOOT.shares, corrected, strict=True)]
    exact = ic.measures.minimum_error_rate(BOOT.sample.curves("a")[0])
    missed = exact - np.interp(0.25, PCF, model.apparent)
    found = BOOT.interval("a", "minimum_error_rate")
    low, high = quantiles(np.array(values)[:, None], (0.05, 0.95))[:, 0] + missed
    assert tuple(found) == pytest.approx((low, high), abs=1e-12)
    declared = BOOT.interval("a", "minimum_error_rate", prevalence=0.25)
    assert found.high - found.low > declared.high - declared.low


@pytest.mark.parametrize("measure", ["precision", "flagged"])
def test_what_a_threshold_does_has_each_resamples_own_prevalence(measure):
    """Counted on each resample: true positives among the flagged, and the flagged among all."""
    sample = BOOT.sample
    flagged = sample.scores["a"] >= 0.8
    values = []
    for drawn in sample.draws(4, 304):
        many = drawn[:, flagged].sum(axis=1)
        values += list(drawn[:, flagged & sample.positive].sum(axis=1) / many if measure == "precision" else many / 120)
    found = BOOT.interval("a", measure, threshold=0.8)
    assert tuple(found) == pytest.approx(tuple(quantiles(np.array(values)[:, None], (0.05, 0.95))[:, 0]), abs=1e-12)
    fixed = BOOT.interval("a", measure, threshold=0.8, condition=ic.Condition(prevalence=0.25))
    assert fixed.apparent == pytest.approx(found.apparent)


@pytest.mark.parametrize("measure", sorted(ic.registered_measures()))
def test_every_measure_has_an_interval(measure):
    """Those that depend on the prevalence take each resample's own."""
    y, scores = data()
    boot = ic.bootstrap(y, {"a": 1 / (1 + np.exp(-scores["a"]))}, n_resamples=40, grid=PCF, stratified=False)
    found = boot.interval("a", measure)
    assert found.low <= found.estimate <= found.high


def test_folds_and_clusters_are_drawn_so_too():
    """Cases of each fold together, and clusters whatever classes they hold."""
    y, scores = data(240)
    for option in ({"fold": np.arange(240) % 2}, {"cluster": np.arange(240) // 2}):
        boot = ic.bootstrap(y, scores, n_resamples=30, grid=PCF, stratified=False, **option)
        assert boot.shares.std() > 0
        assert np.all(np.isfinite(boot.replicates["a"].own))


def test_joint_counts_are_drawn_so_too():
    """With every score a block of its own, shares and costs have the means and spreads of rows drawn one by one."""
    y, scores = data()
    scores = {name: np.round(s, 1) for name, s in scores.items()}
    table = ic.JointCounts.from_arrays(y, scores, blocks=10**6)
    counted, rows = (
        ic.bootstrap(*given, n_resamples=1500, grid=PCF, stratified=False) for given in ((table,), (y, scores))
    )
    assert "not stratified" in repr(counted)
    assert counted.shares.std() == pytest.approx(rows.shares.std(), rel=0.1)
    for name in scores:
        one, other = counted.replicates[name].own, rows.replicates[name].own
        error = np.hypot(one.std(axis=0), other.std(axis=0)) / np.sqrt(1500)
        assert np.all(np.abs(one.mean(axis=0) - other.mean(axis=0)) <= 5 * error + 1e-12)
    found, expected = (boot.interval("a", "minimum_error_rate") for boot in (counted, rows))
    assert tuple(found) == pytest.approx(tuple(expected), abs=0.02)


@pytest.mark.filterwarnings("ignore::isocost.errors.FewCasesWarning")
@pytest.mark.parametrize("design", ["rows", "joint counts"])
def test_a_class_that_is_hardly_ever_drawn_is_refused(monkeypatch, design):
    """Nothing is drawn for ever."""
    y, scores = np.arange(2000) < 2, {"a": np.arange(2000) % 7}
    monkeypatch.setattr(resample, "TRIES", 1)
    given = (ic.JointCounts.from_arrays(y, scores),) if design == "joint counts" else (y, scores)
    with pytest.raises(InputError, match=r"resamples of cases keep missing a class, .* use stratified=True"):
        ic.bootstrap(*given, n_resamples=60, stratified=False)

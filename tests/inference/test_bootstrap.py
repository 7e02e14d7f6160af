import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy import stats

import isocost as ic
from isocost.errors import FewCasesWarning, InputError, UnknownNameError
from isocost.inference import resample as module
from isocost.inference.band import scale_of, simultaneous
from isocost.inference.replicates import WEIGHT
from isocost.inference.resample import JUDGES_OF_TWO
from oracles import resampling
from strategies import model_sets

PCF = np.array([0.1, 0.3, 0.5, 0.8])


def data(n=200, seed=0, gap=1.0, ties=1):
    """Labels (40 % positive) and two correlated models, scores rounded to `ties` decimals."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < 0.4 * n
    z = rng.normal(size=(2, n))
    return y, {"a": np.round(z[0] + gap * y, ties), "b": np.round(z[0] / 2 + z[1] + y, ties)}


def quick(y, scores, **options):
    """A small bootstrap on few conditions."""
    return ic.bootstrap(y, scores, **({"n_resamples": 100, "grid": PCF} | options))


@pytest.mark.parametrize("ties", [0, 6])
def test_resamples_are_distributed_like_naive_ones(ties):
    """Costs on resamples, with own thresholds and with those of others, pass a Kolmogorov-Smirnov test at each condition."""
    y, scores = data(60, ties=ties)
    fast = quick(y, scores, n_resamples=1500).replicates["a"]
    own, cross = resampling.bootstrap(y, scores["a"], PCF, 600, np.random.default_rng(1))
    for i in range(PCF.size):
        # Costs have atoms, which differ in the last bit between formulas.
        pairs = [(fast.own, own), (fast.cross, cross)]
        assert stats.ks_2samp(*(np.round(v[:, i], 12) for v in pairs[0])).pvalue > 0.005
        # The cross costs are means over several choices of thresholds: only their mean is the same.
        gap = fast.cross[:, i].mean() - cross[:, i].mean()
        assert abs(gap) < 4 * np.hypot(cross[:, i].std() / 600**0.5, fast.cross[:, i].std() / 1500**0.5)


@settings(max_examples=20)
@given(model_sets(max_models=3, max_size=24))
def test_costs_on_the_data_are_the_envelope(models):
    """What the data themselves say is the lower envelope of each model."""
    y, scores = models
    assume(min(np.sum(y == 1), np.sum(y == 0)) >= 2)
    with pytest.warns(FewCasesWarning):
        boot = quick(y, scores, n_resamples=3)
    for name, s in scores.items():
        envelope = ic.cost_curve(ic.RocCurve.from_scores(y, s))
        assert boot.replicates[name].apparent == pytest.approx(envelope(PCF), abs=1e-12)
        assert np.all(boot.replicates[name].cross >= boot.replicates[name].own - 1e-12)


def test_same_seed_gives_the_same_numbers():
    """A seed settles everything; another one gives other numbers; without one it is 0."""
    y, scores = data()
    first, again, other, none = (quick(y, scores, rng=seed) for seed in (0, 0, 1, None))
    for name in scores:
        assert np.array_equal(first.replicates[name].own, again.replicates[name].own)
        assert np.array_equal(first.replicates[name].own, none.replicates[name].own)
        assert not np.array_equal(first.replicates[name].own, other.replicates[name].own)


def test_a_generator_moves_on():
    """Two bootstraps from one generator differ, and the same generator state repeats them."""
    y, scores = data()
    rng = np.random.default_rng(7)
    first, second = quick(y, scores, rng=rng), quick(y, scores, rng=rng)
    assert not np.array_equal(first.replicates["a"].own, second.replicates["a"].own)
    again = quick(y, scores, rng=np.random.default_rng(7))
    assert np.array_equal(first.replicates["a"].own, again.replicates["a"].own)


def test_results_do_not_depend_on_batches_nor_on_their_number(monkeypatch):
    """Batches of one resample give the same costs, and more resamples only add to them."""
    y, scores = data(80)
    whole = quick(y, scores, n_resamples=40)
    longer = quick(y, scores, n_resamples=60)
    monkeypatch.setattr(module, "_CELLS", 1)
    single = quick(y, scores, n_resamples=40)
    for name in scores:
        for field in ("own", "cross", "cross_of_two"):
            expected = getattr(whole.replicates[name], field)
            assert np.array_equal(getattr(single.replicates[name], field), expected)
            assert np.array_equal(getattr(longer.replicates[name], field)[:40], expected)


def test_models_are_paired():
    """Identical models have identical costs on every resample, so their difference is exactly 0."""
    y, scores = data()
    boot = quick(y, {"a": scores["a"], "twin": scores["a"].copy()})
    band = boot.difference("a", "twin")
    assert not np.any(band.low)
    assert not np.any(band.high)
    assert boot.significant("a", "twin") == []


@pytest.mark.parametrize("options", [{}, {"sample_weight": True}, {"fold": True}, {"cluster": True}])
def test_the_order_of_rows_and_of_models_does_not_change_the_numbers_of_a_seed(options):
    """Shuffled cases, and models given in another order, have the same costs on every resample, to the last bit."""
    y, scores = data()
    rng = np.random.default_rng(5)
    marks = {
        "sample_weight": rng.uniform(0.5, 2, y.size),
        "fold": np.arange(y.size) % 2,
        "cluster": np.arange(y.size) // 2,
    }
    taken = {name: marks[name] for name in options}
    first = quick(y, scores, **taken)
    order = rng.permutation(y.size)
    shuffled = {name: scores[name][order] for name in ("b", "a")}
    again = quick(y[order], shuffled, **{name: v[order] for name, v in taken.items()})
    for name in scores:
        for field in ("apparent", "own", "cross", "cross_of_two", "luck_of_two", "step"):
            assert np.array_equal(getattr(first.replicates[name], field), getattr(again.replicates[name], field))
    question = {"threshold": 0.5}
    assert tuple(first.interval("a", "tpr", **question)) == tuple(again.interval("a", "tpr", **question))


def test_fixed_thresholds_are_straight_lines_without_correction():
    """A threshold settled beforehand gives the paper's lines, whose rates are binomial."""
    y, scores = data(400)
    boot = ic.bootstrap(y, scores, n_resamples=2000, fixed={"a": 0.5}, grid=[0.0, 0.5, 1.0])
    model = boot.replicates["a"]
    assert not model.chosen
    assert boot.replicates["b"].chosen
    assert model.own[:, 1] == pytest.approx((model.own[:, 0] + model.own[:, 2]) / 2, abs=1e-12)
    fpr = np.mean(scores["a"][~y] >= 0.5)
    exact = stats.binom(np.sum(~y), fpr)
    alarms = np.round(model.own[:, 0] * np.sum(~y))
    count = np.arange(np.sum(~y) + 1)
    below = np.mean(alarms[:, None] <= count, axis=0)
    assert np.max(np.abs(below - exact.cdf(count))) < 1.63 / 2000**0.5  # one in a hundred such tests fails
    assert model.own[:, 0].std() == pytest.approx(exact.std() / np.sum(~y), rel=0.1)
    assert boot.band("a").covers == "the true cost of the classifier as it is, one threshold for all conditions"
    assert np.array_equal(boot.band("a").centre, model.apparent)


def test_one_threshold_can_be_fixed_for_all_models():
    """A number means every model."""
    y, scores = data()
    assert not any(model.chosen for model in quick(y, scores, fixed=0.0).replicates.values())


def test_weights_of_1_change_nothing_and_weights_of_0_drop_rows():
    """Weights say what a row counts, and rows that count nothing are not drawn."""
    y, scores = data()
    plain = quick(y, scores)
    ones = quick(y, scores, sample_weight=np.ones(y.size))
    assert ones.replicates["a"].own == pytest.approx(plain.replicates["a"].own, abs=1e-12)
    w = np.ones(y.size)
    w[::5] = 0
    dropped = quick(y[w > 0], {name: s[w > 0] for name, s in scores.items()})
    assert quick(y, scores, sample_weight=w).replicates["a"].own == pytest.approx(
        dropped.replicates["a"].own, abs=1e-12
    )


def test_weighted_costs_on_the_data_are_those_of_the_weighted_curve():
    """The apparent costs use the weights."""
    y, scores = data()
    w = np.random.default_rng(2).uniform(0.1, 4, y.size)
    curve = ic.RocCurve.from_scores(y, scores["a"], sample_weight=w)
    boot = quick(y, scores, sample_weight=w)
    assert boot.replicates["a"].apparent == pytest.approx(ic.cost_curve(curve)(PCF), abs=1e-12)
    assert boot.positives == pytest.approx(w[y].sum())


def test_groups_of_one_are_single_cases():
    """A group for each row is the plain bootstrap."""
    y, scores = data()
    assert np.array_equal(
        quick(y, scores, cluster=np.arange(y.size)).replicates["a"].own, quick(y, scores).replicates["a"].own
    )


def test_repeated_cases_drawn_in_groups_vary_like_the_originals():
    """Ten copies of every case are no more information: with groups the spread stays, without it shrinks by √10."""
    y, scores = data(100)
    tenfold, s = np.repeat(y, 10), np.repeat(scores["a"], 10)
    spread = quick(y, {"a": scores["a"]}, n_resamples=400).replicates["a"].own.std(axis=0)
    grouped = (
        quick(tenfold, {"a": s}, n_resamples=400, cluster=np.repeat(np.arange(100), 10)).replicates["a"].own.std(axis=0)
    )
    single = quick(tenfold, {"a": s}, n_resamples=400).replicates["a"].own.std(axis=0)
    assert grouped == pytest.approx(spread, rel=0.15)
    assert np.all(single[1:3] < 0.5 * spread[1:3])


def test_groups_may_mix_classes():
    """Class totals vary then, and every resample still has both classes."""
    y, scores = data(60)
    boot = quick(y, scores, cluster=np.arange(60) % 30)
    assert np.all(np.isfinite(boot.replicates["a"].own))


def test_folds_have_thresholds_of_their_own():
    """On the data the cost is the mean of the folds' envelopes; so it is on each resample."""
    y, scores = data(240)
    fold = np.arange(240) % 3
    boot = quick(y, scores, fold=fold)
    curves = [ic.RocCurve.from_scores(y[fold == k], scores["a"][fold == k]) for k in range(3)]
    assert boot.replicates["a"].apparent == pytest.approx(ic.curves.average_cost_curves(curves)(PCF), abs=1e-12)
    pooled = quick(y, scores)
    assert np.all(boot.replicates["a"].own.mean(axis=0) < pooled.replicates["a"].own.mean(axis=0))


def test_correction_is_the_stated_combination():
    """Values of the target "best" are 3/2 of the cross cost less half the own one, never above a trivial classifier."""
    y, scores = data()
    boot = quick(y, scores)
    model = boot.replicates["a"]
    expected = np.minimum(1.5 * model.cross - 0.5 * model.own, np.minimum(PCF, 1 - PCF))
    assert model.values("best", PCF) == pytest.approx(expected, abs=1e-15)
    chosen = WEIGHT["chosen"] * model.cross_of_two - (WEIGHT["chosen"] - 1) * model.own
    assert model.values("chosen", PCF) == pytest.approx(chosen, abs=1e-15)
    assert np.array_equal(model.values("apparent", PCF), model.own)


def test_luck_of_the_judges_is_known_from_the_data():
    """What a resample's four judges pay on the data beyond what resamples pay on average, recomputed threshold by threshold."""
    y, scores = data()
    boot = quick(y, scores, n_resamples=30)
    sample, model = boot.sample, boot.replicates["a"]
    [drawn] = sample.draws(0, 34)
    [counts] = sample.counts("a", drawn)
    _, points = counts.hulls().costs(PCF)
    [curve] = sample.curves("a")
    paid = (1 - PCF) * curve.fpr[points] + PCF * (1 - curve.tpr[points])
    for i in range(30):
        luck = paid[i : i + 4].mean(axis=0) - paid.mean(axis=0)
        assert model.luck_of_two[i] == pytest.approx(luck, abs=1e-15)
    steady = model.values("chosen", PCF, judges=4, steady=True)
    plain = model.values("chosen", PCF, judges=4)
    assert plain - steady == pytest.approx(WEIGHT["chosen"] * model.luck_of_two, abs=1e-15)


def test_simultaneous_bands_of_differences_leave_out_the_luck_of_judges():
    """The judges' luck widens single values, not the estimate: without it the band is narrower, around the same centre."""
    y, scores = data()
    boot = quick(y, scores)
    steady = boot.difference("a", "b", kind="simultaneous")
    one, two = (boot.replicates[name].values("best", PCF, judges=4) for name in "ab")
    scale = scale_of(one - two, steady.centre, boot.replicates["a"].step)
    _, [(low, high)] = simultaneous([(one - two, steady.centre, scale)], 0.9)
    assert np.sum(high - low) > np.sum(steady.high - steady.low)


def test_bands_of_the_three_targets_are_ordered():
    """Optimism is taken out step by step: the plain band lies lowest, that of the chosen thresholds highest."""
    y, scores = data(200)
    boot = ic.bootstrap(y, scores, n_resamples=500, grid=[0.3, 0.5, 0.7])
    centres = [boot.band("a", target=target).centre for target in ("apparent", "best", "chosen")]
    assert np.all(centres[0] < centres[1])
    assert np.all(centres[1] < centres[2])


def test_band_never_leaves_what_is_possible():
    """Costs of best thresholds are between 0 and those of the trivial classifiers; the estimate lies inside its band."""
    y, scores = data(60)
    boot = ic.bootstrap(y, scores, n_resamples=200)
    for kind in ("pointwise", "simultaneous"):
        band = boot.band("a", 0.9, kind)
        assert np.all(band.low >= 0)
        assert np.all(band.high <= np.minimum(band.pcf, 1 - band.pcf))
        assert np.all((band.low <= band.centre) & (band.centre <= band.high))


def test_simultaneous_bands_enclose_pointwise_ones():
    """Being right everywhere at once needs a wider band."""
    y, scores = data(300)
    boot = ic.bootstrap(y, scores, n_resamples=400)
    for point, whole in (
        (boot.band("a"), boot.band("a", kind="simultaneous")),
        (boot.difference("a", "b"), boot.difference("a", "b", kind="simultaneous")),
    ):
        inner = (point.pcf > 0.2) & (point.pcf < 0.8)
        assert np.all(whole.low[inner] <= point.low[inner])
        assert np.all(whole.high[inner] >= point.high[inner])


def test_higher_levels_are_wider():
    """A 99 % band holds the 50 % band."""
    y, scores = data()
    boot = quick(y, scores, n_resamples=500)
    wide, narrow = boot.band("a", 0.99), boot.band("a", 0.5)
    assert np.all(wide.low <= narrow.low)
    assert np.all(wide.high >= narrow.high)


def test_a_clear_difference_is_significant_over_the_middle():
    """A much better model is named, on one range of t around the middle."""
    y, scores = data(600, gap=2.5)
    boot = ic.bootstrap(y, scores, n_resamples=300)
    [found] = boot.significant("a", "b")
    assert (found.better, found.worse) == ("a", "b")
    assert found.t_low < 0.3
    assert found.t_high > 0.7
    assert [found.better for found in boot.significant("b", "a")] == ["a"]


def test_grid_may_be_any_conditions():
    """A number means equal steps of pcf, an array the conditions themselves."""
    y, scores = data()
    assert quick(y, scores, grid=5).pcf.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert quick(y, scores, grid=[0.2, 0.4]).band("a").t.tolist() == [0.8, 0.6]


GOOD = ([0, 0, 1, 1] * 10, {"a": np.arange(40.0)})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_true": [0, 1, 1, 1] + [1] * 36}, "resampling needs at least 2 positives and 2 negatives, got 1 negative among 40"),
        ({"scores": np.arange(40.0)}, "scores must be a dict of name to scores or a dataframe, got ndarray"),
        ({"scores": {}}, "scores is empty: pass at least one model"),
        ({"scores": {"a": np.arange(40.0), "b": np.arange(39.0)}}, r"different lengths: .*score 'b' has shape \(39,\)"),
        ({"scores": {"": np.arange(40.0)}}, "a model needs a name, a non-empty string: got ''"),
        ({"n_resamples": 0}, "n_resamples must be between 1 and"),
        ({"n_resamples": 10.5}, "n_resamples must be a whole number, got 10.5"),
        ({"grid": 1}, "grid must be between 2 and .*, got 1"),
        ({"grid": [0.5, 0.2]}, "grid must ascend, each value once, got 0.2: 1 of 2 rows"),
        ({"grid": [0.5, 1.2]}, "grid must lie between 0 and 1, got 1.2"),
        ({"rng": -1}, "rng must be at least 0, got -1"),
        ({"rng": "lucky"}, "rng must be a number, got 'lucky'"),
        ({"cluster": [1, 2]}, r"different lengths: y_true has shape \(40,\), cluster has shape \(2,\)"),
        ({"cluster": ["x"] * 40}, "the number of clusters must be at least 2, got 1"),
        ({"cluster": [None] + ["x"] * 39}, "cluster is missing .*1 of 40"),
        ({"fold": [0] * 3 + [1] * 37}, "resampling fold 0 needs at least 2 positives and 2 negatives, got 1 positive among 3 cases"),
        ({"fold": [0, 1] * 20, "cluster": [0] * 20 + list(range(20))}, "cluster must be in one fold, .*, got 0: 10 of 40 rows"),
        ({"fixed": "high"}, r"fixed\['a'\] must be a number, got 'high'"),
        ({"sample_weight": [-1.0] + [1.0] * 39}, "sample_weight must be finite and not negative, and is not in 1 of 40 rows"),
    ],
)  # fmt: skip
def test_bad_input_is_named(change, message):
    """Every refusal says what was expected and what came."""
    arguments = {"y_true": GOOD[0], "scores": GOOD[1]} | change
    y_true, scores = arguments.pop("y_true"), arguments.pop("scores")
    with pytest.raises(InputError, match=message):
        ic.bootstrap(y_true, scores, **arguments)


def test_unknown_names_are_answered_with_the_nearest():
    """A misspelt model, kind or target is not a crash."""
    y, scores = data()
    boot = quick(y, {"forest": scores["a"]})
    with pytest.raises(UnknownNameError, match=r"unknown model 'forrest': did you mean 'forest'\?"):
        boot.band("forrest")
    with pytest.raises(UnknownNameError, match="unknown model in fixed 'tree'"):
        quick(y, {"forest": scores["a"]}, fixed={"tree": 0.5})
    with pytest.raises(UnknownNameError, match=r"unknown kind 'simultanous': did you mean 'simultaneous'\?"):
        boot.band("forest", kind="simultanous")
    with pytest.raises(UnknownNameError, match="unknown target 'bets'"):
        boot.band("forest", target="bets")


@pytest.mark.parametrize("level", [0, 1, 90, -0.1])
def test_level_outside_0_to_1_is_refused(level):
    """The level is a share, not a percentage."""
    y, scores = data()
    with pytest.raises(InputError, match=f"level must lie strictly between 0 and 1, got {level}; 0.9 means 90 %"):
        quick(y, scores, n_resamples=2).band("a", level)


def test_few_cases_are_warned_of():
    """The warning says what a single case does to the band."""
    rng = np.random.default_rng(0)
    y = np.arange(100) < 8
    with pytest.warns(
        FewCasesWarning,
        match="Only 8 positives, each worth 0.12 of tpr: bands are coarse and cover less than their level",
    ):
        ic.bootstrap(y, {"a": rng.normal(size=100)}, n_resamples=5)
    with pytest.warns(FewCasesWarning, match="Only 10 clusters with positives"):
        ic.bootstrap(np.arange(600) < 200, {"a": rng.normal(size=600)}, n_resamples=5, cluster=np.arange(600) // 20)


def test_complete_separation_is_warned_of():
    """No resample can show an error that the data do not have."""
    y = np.arange(60) < 30
    with pytest.warns(
        FewCasesWarning,
        match=r"'a' makes no error on these cases, so its band has no width\. Error rates up to 0\.1 are",
    ):
        band = ic.bootstrap(y, {"a": y.astype(float)}, n_resamples=20).band("a")
    assert not np.any(band.high)


def test_a_model_that_errs_is_not_said_to_make_no_error():
    """Every positive is caught at one threshold, and so are some negatives. No rate is above 1."""
    with pytest.warns(FewCasesWarning) as given:
        ic.bootstrap([1, 1, 0, 0, 0], {"a": [1, 1, 1, 0, 0]}, n_resamples=20, rng=0)
    assert not any("makes no error" in str(one.message) for one in given)
    with pytest.warns(FewCasesWarning) as given:
        ic.bootstrap([1, 1, 0, 0], {"a": [1, 1, 0, 0]}, n_resamples=20, rng=0)
    assert any("Error rates up to 1 are" in str(one.message) for one in given)


def test_bootstrap_shows_itself():
    """The text names models, resamples and class totals."""
    y, scores = data()
    assert repr(quick(y, scores)) == "<Bootstrap of 'a', 'b': 100 resamples, 80 positives, 120 negatives>"
    assert quick(y, scores).names == ("a", "b")


def test_judges_come_from_resamples_of_their_own():
    """The first resample is already judged by others: none of its costs are left at 0."""
    y, scores = data()
    model = quick(y, scores, n_resamples=1).replicates["a"]
    assert len(model.own) == 1
    assert np.all(model.cross_of_two[0] >= model.own[0])
    assert JUDGES_OF_TWO == 4

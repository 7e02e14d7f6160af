import math

import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from isocost.conditions import Conditions
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.inference.band import quantiles
from isocost.inference.intervals import quantity
from isocost.measures.registry import hat_weights
from strategies import uncertain_conditions

CONDITION = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


def data(n=300, seed=0):
    """Labels and two models whose scores are probabilities."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < 0.4 * n
    z = rng.normal(size=(2, n)) + y
    return y, {"a": 1 / (1 + np.exp(-z[0])), "b": 1 / (1 + np.exp(-z[1] / 2))}


Y, SCORES = data()
BOOT = ic.bootstrap(Y, SCORES, n_resamples=200)


@pytest.mark.parametrize("measure", sorted(ic.registered_measures()))
def test_every_registered_measure_has_an_interval(measure):
    """It holds its estimate, stays in the measure's range, and tells what the data say."""
    known = ic.registered_measures()[measure]
    found = BOOT.interval("a", measure)
    assert known.low <= found.low <= found.estimate <= found.high <= known.high
    assert found.apparent == pytest.approx(known(ic.RocCurve.from_scores(Y, SCORES["a"])), abs=1e-12)
    assert found.low < found.high
    low, high = found
    assert (low, high) == (found.low, found.high)


@pytest.mark.parametrize("measure", ["mean_normalised_cost", "voros", "ks", "h_measure", "minimum_error_rate", "auch"])
def test_measures_that_choose_thresholds_are_corrected_for_the_worse(measure):
    """Their estimate is less good than what the data show."""
    better = 1 if ic.registered_measures()[measure].higher_is_better else -1
    found = BOOT.interval("a", measure)
    assert better * (found.apparent - found.estimate) > 0
    assert found.method.startswith("corrected for optimism")


def test_calibration_loss_is_corrected_downwards():
    """Data find flaws of calibration that are chance, resamples find more; the estimate takes both out."""
    found = BOOT.interval("a", "calibration_loss")
    plain = BOOT.interval("a", ic.measures.calibration_loss)
    assert found.method == "corrected for optimism, by extrapolating it"
    assert found.estimate < found.apparent
    assert found.low <= found.estimate <= found.high < plain.high


HULL_MEASURES = [
    ("ks", {}),
    ("minimum_error_rate", {}),
    ("minimum_error_rate", {"prevalence": 0.2}),
    ("minimum_weighted_loss", {}),
    ("minimum_weighted_loss", {"severity_ratio": 0.3}),
    ("h_measure", {}),
    ("h_measure", {"beta": "2009"}),
    ("h_measure", {"beta": "2014", "prevalence": 0.4}),
    ("h_measure", {"severity_ratio": 0.2}),
    ("mean_normalised_cost", {}),
    ("voros", {}),
]


@pytest.mark.parametrize(("measure", "options"), HULL_MEASURES)
def test_lowest_costs_tell_measures_of_the_hull(measure, options):
    """The lowest costs on a fine grid give what the curve itself gives."""
    boot = ic.bootstrap(Y, {"a": SCORES["a"]}, n_resamples=1, grid=8001)
    asked = quantity(boot, measure, condition=None, threshold=None, options=options)
    found = asked.of_costs(boot.replicates["a"].apparent)
    exact = ic.registered_measures()[measure](ic.RocCurve.from_scores(Y, SCORES["a"]), **options)
    assert found == pytest.approx(exact, abs=3e-8)


def test_ks_is_corrected_like_the_cost_at_equal_weights():
    """KS is 1 less twice the lowest cost at pcf ½: its limits are percentiles of the corrected costs there."""
    model, middle = BOOT.replicates["a"], BOOT.pcf.size // 2
    costs = 1 - 2 * model.values("best", BOOT.pcf)[:, middle]
    found = BOOT.interval("a", "ks")
    assert (found.low, found.high) == pytest.approx(quantiles(costs[:, None], (0.05, 0.95))[:, 0], abs=1e-12)
    assert found.estimate == pytest.approx(1 - 2 * model.estimate("best", BOOT.pcf)[middle], abs=1e-12)


def test_measures_beyond_the_grid_are_extrapolated():
    """A grid that leaves out conditions cannot tell the KS; its optimism is extrapolated then."""
    boot = ic.bootstrap(Y, SCORES, n_resamples=100, grid=[0.6, 0.7])
    assert boot.interval("a", "ks").method == "corrected for optimism, by extrapolating it"


@pytest.mark.parametrize("measure", ["rate_driven_loss", "brier_loss"])
def test_measures_that_choose_nothing_are_left_alone(measure):
    """Their limits are percentiles of their values on resamples, the estimate that of the data."""
    found = BOOT.interval("a", measure)
    assert found.method == "percentiles"
    assert found.estimate == found.apparent


def test_auc_limits_agree_with_delong():
    """For the area the two methods differ little."""
    boot = ic.bootstrap(Y, SCORES, n_resamples=1000, grid=3)
    for versus in (None, "b"):
        found = boot.interval("a", "auc", versus=versus)
        other = ic.delong(Y, SCORES["a"], None if versus is None else SCORES["b"])
        assert found.low == pytest.approx(other.low, abs=0.008)
        assert found.high == pytest.approx(other.high, abs=0.008)


def test_difference_is_paired():
    """A model does not differ from itself, and swapping the models changes the sign."""
    same = BOOT.interval("a", "mean_normalised_cost", versus="a")
    assert (same.low, same.high) == (0, 0)
    one, other = BOOT.interval("a", "auc", versus="b"), BOOT.interval("b", "auc", versus="a")
    assert one.estimate == pytest.approx(-other.estimate)
    assert one.low == pytest.approx(-other.high, abs=0.01)
    assert one.names == ("a", "b")


def test_averages_over_conditions_take_them():
    """One certain condition gives the band's own limits there."""
    band = BOOT.band("a")
    found = BOOT.interval("a", "mean_normalised_cost", condition=ic.Condition.from_t(0.5))
    low, centre, high = (float(v) for v in band.at(0.5))
    assert [found.low, found.estimate, found.high] == pytest.approx([low, centre, high], abs=1e-9)


@given(uncertain_conditions())
def test_weights_between_conditions_integrate_straight_lines(over):
    """The mean over the conditions of a function that is linear between grid points is exact."""
    pcf = np.linspace(0, 1, 11)
    weights = hat_weights(pcf, over)
    assert weights.sum() == pytest.approx(1)
    assert weights @ (1 - pcf) == pytest.approx(over.mean, abs=1e-9)


@pytest.mark.parametrize("threshold", [0.4, 0.7])
def test_rates_at_a_threshold_are_those_of_the_data(threshold):
    """Estimates are what the threshold does on the data; cost and precision follow from the rates."""
    flagged = SCORES["a"] >= threshold
    fpr, tpr = flagged[~Y].mean(), flagged[Y].mean()
    share = 0.3 * tpr + 0.7 * fpr
    expected = {
        "tpr": tpr, "fpr": fpr, "flagged": share, "precision": 0.3 * tpr / share,
        "normalised_cost": CONDITION.normalised_cost(fpr, tpr), "cost": CONDITION.expected_cost(fpr, tpr),
    }  # fmt: skip
    for measure, value in expected.items():
        found = BOOT.interval("a", measure, threshold=threshold, condition=CONDITION)
        assert found.estimate == pytest.approx(value), measure
        assert found.low <= value <= found.high


def test_prevalence_of_the_data_is_the_default():
    """Without a condition precision refers to the data's own share of positives."""
    flagged = SCORES["a"] >= 0.6
    assert BOOT.interval("a", "precision", threshold=0.6).estimate == pytest.approx(Y[flagged].mean())


def test_folds_are_averaged():
    """The measure of folds is the mean of their measures."""
    fold = np.arange(Y.size) % 3
    boot = ic.bootstrap(Y, SCORES, n_resamples=50, fold=fold)
    curves = [ic.RocCurve.from_scores(Y[fold == k], SCORES["a"][fold == k]) for k in range(3)]
    for measure in ("auc", "voros", "mean_normalised_cost"):
        expected = np.mean([ic.registered_measures()[measure](c) for c in curves])
        assert boot.interval("a", measure).apparent == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: BOOT.interval("a", "aux"), UnknownNameError, r"unknown measure 'aux': did you mean 'auc'"),
        (lambda: BOOT.interval("c", "auc"), UnknownNameError, "unknown model 'c'"),
        (lambda: BOOT.interval("a", "auc", versus="c"), UnknownNameError, "unknown model 'c'"),
        (lambda: BOOT.interval("a", "auc", 1.0), InputError, "level must lie strictly between 0 and 1, got 1.0"),
        (lambda: BOOT.interval("a", "auc", threshold=0.5), InputError, "threshold= goes with tpr, fpr.*'auc' is of the whole"),
        (lambda: BOOT.interval("a", "tpr"), InputError, "'tpr' is of one threshold: pass threshold="),
        (lambda: BOOT.interval("a", "tpr", threshold=0.5, beta=1), InputError, "beta= means nothing to 'tpr'"),
        (lambda: BOOT.interval("a", "cost", threshold=0.5), ConditionError, "'cost' needs to know the costs"),
        (lambda: BOOT.interval("a", "cost", threshold=0.5, condition=3), InputError, "condition must be a Condition,.* got int"),
        (lambda: BOOT.interval("a", "precision", threshold=0.9999), InputError, "undefined on .* of 200 resamples"),
    ],
)  # fmt: skip
def test_bad_input_is_named(call, error, message):
    """Every refusal says what was expected and what came."""
    with pytest.raises(error, match=message):
        call()


def test_conditions_outside_the_grid_are_refused():
    """A grid that does not reach the conditions cannot average over them."""
    boot = ic.bootstrap(Y, SCORES, n_resamples=5, grid=[0.4, 0.5])
    with pytest.raises(InputError, match=r"the grid covers t from 0.5 to 0.6, but the conditions reach from 0 to 1"):
        boot.interval("a", "mean_normalised_cost")
    assert boot.interval("a", "mean_normalised_cost", condition=Conditions.uniform(t=(0.5, 0.6))).low > 0


def test_interval_shows_itself():
    """The text has the measure, the model, the estimate and its limits."""
    found = BOOT.interval("a", "tpr", threshold=0.6)
    assert repr(found) == f"<Interval: tpr of 'a' {found.estimate:.4g}, 90 % {found.low:.4g} to {found.high:.4g}>"
    assert found.to_dict()["names"] == ["a"]


def test_the_area_has_limits_on_the_logit_scale():
    """Symmetric in log(A / (1 - A)) with the standard deviation of the resampled areas; of a function they are percentiles."""
    found = BOOT.interval("a", "auc")
    values = [ic.auc(ic.RocCurve.from_scores(Y, SCORES["a"]))]
    middle, low, high = (math.log(v / (1 - v)) for v in (values[0], *found))
    assert middle - low == pytest.approx(high - middle)
    plain = BOOT.interval("a", ic.auc)
    assert tuple(found) == pytest.approx(tuple(plain), abs=0.02)
    assert found.estimate == found.apparent == plain.estimate


@pytest.mark.parametrize("many", [40, 6000])
def test_an_area_of_1_has_exact_limits(many):
    """As many pairs as the smaller class has cases were in the right order; turned round, in the wrong one."""
    y = np.arange(many) < many // 4
    with pytest.warns(ic.errors.FewCasesWarning):
        boot = ic.bootstrap(
            y, {"up": y + np.linspace(0, 0.5, many), "down": np.linspace(0, 0.5, many) - y}, n_resamples=20
        )
    least = 0.05 ** (4 / many)
    assert tuple(boot.interval("up", "auc")) == pytest.approx((least, 1.0))
    assert tuple(boot.interval("down", "auc")) == pytest.approx((0.0, 1 - least))
    if many == 40:
        with pytest.warns(ic.errors.FewCasesWarning):
            halved = ic.bootstrap(y, {"up": y * 1.0}, n_resamples=20, cluster=np.arange(many) // 2)
        assert halved.interval("up", "auc").low == pytest.approx(0.05 ** (1 / 5))


def test_scores_that_are_all_equal_separate_nothing():
    """Their area is one half on every resample, and not that of a perfect model."""
    boot = ic.bootstrap(Y, {"constant": np.ones(len(Y)), **SCORES}, n_resamples=20)
    for measure, chance in (("auc", 0.5), ("gini", 0.0)):
        assert tuple(boot.interval("constant", measure)) == (chance, chance)


@pytest.mark.parametrize("versus", [None, "b"])
def test_the_gini_coefficient_has_the_limits_of_the_area(versus):
    """It is the area on another scale."""
    area, gini = (BOOT.interval("a", measure, versus=versus) for measure in ("auc", "gini"))
    moved = 0 if versus else 1
    assert tuple(gini) == pytest.approx([2 * end - moved for end in area], abs=1e-12)
    assert gini.apparent == pytest.approx(2 * area.apparent - moved, abs=1e-12)


def test_any_function_of_a_curve_has_percentiles():
    """As the measure of the same name by percentiles, for one model and for a difference."""
    for versus in (None, "b"):
        one = BOOT.interval("a", lambda curve: ic.auc(curve.hull) + ic.auc(curve) - ic.auc(curve.hull), versus=versus)
        assert tuple(one) == pytest.approx(tuple(BOOT.interval("a", ic.auc, versus=versus)), abs=1e-12)
        assert one.method == "percentiles"
    assert BOOT.interval("a", ic.auc).measure == "auc"

    def lowest_threshold(curve, share):
        return float(curve.thresholds[curve.tpr >= share][0])

    named = BOOT.interval("a", lowest_threshold, share=0.9)
    assert named.measure == "lowest_threshold"
    assert named.low <= named.apparent <= named.high


def test_partial_areas_and_the_tpr_at_an_fpr_have_names():
    """They equal the functions, resample by resample."""
    found = BOOT.interval("a", "partial_auc", fpr=(0, 0.2))
    assert tuple(found) == tuple(BOOT.interval("a", ic.measures.partial_auc, fpr=(0, 0.2)))
    found = BOOT.interval("a", "tpr_at_fpr", fpr=0.2)
    band = ic.inference.curve_band(BOOT, "a", "roc", at=[0.1, 0.2])
    assert (found.low, found.apparent, found.high) == pytest.approx(
        (band.low[1], band.centre[1], band.high[1]), abs=1e-12
    )


def test_functions_that_fail_are_refused():
    """Not finite on some resamples, not a function, options that mean something else."""
    with pytest.raises(InputError, match=r"nothing of a is not a finite number on \d+ of \d+ resamples"):
        BOOT.interval("a", nothing)
    with pytest.raises(InputError, match="threshold= does not go with 'tpr_at_fpr'"):
        BOOT.interval("a", "tpr_at_fpr", threshold=0.5)
    with pytest.raises(InputError, match="fpr must be"):
        BOOT.interval("a", "tpr_at_fpr")
    with pytest.raises(InputError, match="measure must be a name or a function of a RocCurve"):
        BOOT.interval("a", 3)


def nothing(_curve):
    """Not a number."""
    return math.nan


def test_an_average_of_costs_is_clipped_last():
    """A useless model's limits reach the mean cost of the trivial classifiers, which is the truth, and no further."""
    rng = np.random.default_rng(3)
    y = rng.random(200) < 0.5
    boot = ic.bootstrap(y, {"a": rng.normal(size=200), "b": rng.normal(size=200)}, n_resamples=200, grid=41)
    found = boot.interval("a", "mean_normalised_cost")
    assert found.high == pytest.approx(0.25, abs=1e-12)
    model, pcf = boot.replicates["a"], boot.pcf
    unclipped = np.trapezoid(1.5 * model.cross - 0.5 * model.own, pcf, axis=1)
    [curve] = boot.sample.curves("a")
    exact, straight = ic.measures.mean_normalised_cost(curve), np.trapezoid(model.apparent, pcf)
    assert found.low == pytest.approx(quantiles(unclipped[:, None], (0.05,))[0, 0] + exact - straight, abs=1e-12)
    gap = boot.interval("a", "mean_normalised_cost", versus="b")
    assert -0.25 <= gap.low <= gap.high <= 0.25
    assert boot.interval("a", "ks").low == 0


def test_a_useless_model_may_have_no_worth_at_all():
    """The H-measure of scores that tell nothing is 0, and its limits reach it exactly."""
    rng = np.random.default_rng(0)
    boot = ic.bootstrap(np.arange(300) < 150, {"m": rng.normal(size=300)}, n_resamples=100, grid=41)
    assert boot.interval("m", "h_measure").low == 0

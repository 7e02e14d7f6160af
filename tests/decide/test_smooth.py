"""Thresholds from a smooth risk curve: worked values, laws, the guard that keeps real steps, and prices that hold.

The worked values come from a plain program that was written from the definition, apart from this code: it fits each penalty from the same
start on the rows themselves, and tries every cut.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, ndtri

import isocost as ic
from isocost.curves import smooth as smoothing
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError

WORKED = json.loads((Path(__file__).parents[1] / "golden" / "smooth.json").read_text(encoding="utf-8"))
AT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


def gammas(seed, size, prevalence=0.3):
    """Cases whose risk rises smoothly with the score."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < prevalence
    return y, np.where(y, rng.gamma(3, 1, size), rng.gamma(1.2, 1, size))


def stairs(seed, size):
    """Cases whose risk jumps."""
    rng = np.random.default_rng(seed)
    score = rng.random(size)
    return rng.random(size) < np.where(score > 0.7, 0.9, np.where(score > 0.4, 0.3, 0.01)), score


@pytest.mark.parametrize("case", WORKED["german_credit"], ids=lambda case: f"{case['model']} {case['condition']}")
def test_german_credit_has_the_worked_thresholds(case):
    """Also those of the method "best", for comparison."""
    y, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y, scores[case["model"]])
    found = ic.best_threshold(curve, ic.Condition(*case["condition"]), method="smooth")
    assert (found.threshold, found.fit) == (case["chosen"], case["by"])
    assert ic.best_threshold(curve, ic.Condition(*case["condition"])).threshold == case["best"]


def test_made_cases_have_the_worked_risks_and_thresholds():
    """Risks to many digits."""
    y, scores = gammas(5, 400)
    curve = ic.RocCurve.from_scores(y, scores)
    fit = curve._smoothed[0]
    risk = dict(zip(fit.thresholds.tolist(), fit.risk(fit.thresholds).tolist(), strict=True))
    for score, expected in WORKED["made"]["risks"]:
        assert risk[score] == pytest.approx(expected, rel=1e-9)
    for cut in WORKED["made"]["cuts"]:
        assert ic.best_threshold(curve, ic.Condition(*cut["condition"]), method="smooth").threshold == cut["chosen"]


def test_weights_are_where_the_penalised_likelihood_is_stationary():
    """The slope of the penalised likelihood, written out, is zero at the weights; the modelled positives are as many as the real ones."""
    y, scores = gammas(1, 300)
    curve = ic.RocCurve.from_scores(y, scores)
    fit = curve._smoothed[0]
    p = np.diff(curve.tp)
    x = ndtri((np.arange(300)[::-1] + 0.5) / 300)
    knots = ndtri(np.linspace(0.08, 0.92, 10))
    columns = [np.ones(300), x, x**2, *(np.tanh((x - k) / 0.6) for k in knots)]
    risk = expit(sum(w * column for w, column in zip(fit.weights, columns, strict=True)))
    for w, column, bend in zip(fit.weights, columns, [0, 0.05, 0.1] + [fit.penalty] * 10, strict=True):
        assert abs(column @ (risk - p) + bend * w) < 1e-4
    assert risk == pytest.approx(fit.risk(fit.thresholds), abs=1e-12)
    assert fit.penalty in smoothing.PENALTIES


@pytest.mark.parametrize("condition", [AT, ic.Condition(2, 3, 0.5), ic.Conditions.uniform(t=(0.2, 0.6))])
def test_cut_is_the_cheapest_of_all_under_the_modelled_rates(condition):
    """By trying every one of them."""
    curve = ic.RocCurve.from_scores(*gammas(2, 250), name="a")
    smooth = curve.smooth()
    found = ic.best_threshold(curve, condition, method="smooth")
    a, b, _ = ic.Question.of(condition, own_prevalence=curve.prevalence).weights
    cost = a * smooth.fpr + b * (1 - smooth.tpr)
    assert found.threshold == smooth.thresholds[np.argmin(cost)]
    at = np.argmin(cost)
    assert (found.fpr, found.tpr) == (curve.fpr[at], curve.tpr[at])  # what it does is counted, not modelled
    assert np.all(np.diff(smooth.fpr) >= 0)
    assert (smooth.fpr[-1], smooth.tpr[-1]) == (1.0, 1.0)


def test_scores_on_another_scale_flag_the_same_cases():
    """Only their order counts."""
    y, scores = gammas(3, 300)
    for change in (np.log, np.square, lambda s: 1e6 * s - 3):
        one, two = (
            ic.best_threshold(ic.RocCurve.from_scores(y, s), AT, method="smooth") for s in (scores, change(scores))
        )
        assert (one.fpr, one.tpr, one.fit) == (two.fpr, two.tpr, two.fit)
        assert change(np.array([one.threshold])) == [two.threshold]


def test_rows_in_another_order_and_weights_for_repeated_rows_change_nothing():
    """Ties included."""
    y, scores = gammas(4, 300)
    scores = np.round(scores, 1)
    rng = np.random.default_rng(0)
    times, order = rng.integers(1, 4, 300), rng.permutation(300)
    plain = ic.best_threshold(ic.RocCurve.from_scores(y, scores), AT, method="smooth")
    assert ic.best_threshold(ic.RocCurve.from_scores(y[order], scores[order]), AT, method="smooth") == plain
    often = ic.RocCurve.from_scores(np.repeat(y, times), np.repeat(scores, times))
    weighed = ic.RocCurve.from_scores(y, scores, sample_weight=times)
    one, two = (ic.best_threshold(curve, AT, method="smooth") for curve in (often, weighed))
    assert (one.threshold, one.fit) == (two.threshold, two.fit)
    assert one.expected_cost == pytest.approx(two.expected_cost)
    halves = ic.best_threshold(ic.RocCurve.from_scores(y, scores, sample_weight=times / 2), AT, method="smooth")
    assert halves.fit in ("smooth", "steps")


def test_models_in_another_order_give_the_same_answer():
    """Price included."""
    y, scores = load_german_credit_predictions()
    found = [
        ic.Comparison.from_scores(y, {name: scores[name] for name in names}).decide(AT, method="smooth", n_resamples=20)
        for names in (list(scores), list(scores)[::-1])
    ]
    assert (found[0].model, found[0].threshold) == (found[1].model, found[1].threshold)
    assert found[0].confidence.price == pytest.approx(found[1].confidence.price, rel=1e-9)
    assert found[0].confidence.interval == pytest.approx(found[1].confidence.interval, rel=1e-9)


def test_steps_are_kept_where_the_risk_jumps():
    """Then the answer is that of the method "best", and it says so."""
    curve = ic.RocCurve.from_scores(*stairs(1, 2000), name="a")
    found = ic.best_threshold(curve, AT, method="smooth")
    assert (found.fit, found.threshold) == ("steps", ic.best_threshold(curve, AT).threshold)
    assert curve.smooth() is curve
    assert "steps" in str(ic.Comparison([curve]).decide(AT, method="smooth"))
    assert "smooth risk curve, which" in str(
        ic.Comparison([ic.RocCurve.from_scores(*gammas(1, 400), name="a")]).decide(AT, method="smooth")
    )


@pytest.mark.parametrize("case", ["few positives", "two scores"])
def test_too_few_cases_are_notsmoothed(case):
    """Fewer than 10 of a class, or fewer than 3 distinct scores."""
    y, scores = gammas(1, 200)
    if case == "few positives":
        keep = ~y | (np.cumsum(y) < 10)
        y, scores = y[keep], scores[keep]
    else:
        scores = scores > 2
    curve = ic.RocCurve.from_scores(y, scores)
    found = ic.best_threshold(curve, AT, method="smooth")
    assert (found.fit or "steps", found.threshold) == ("steps", ic.best_threshold(curve, AT).threshold)


def test_resamples_are_fitted_as_cases_of_their_own():
    """From another start to the same weights: the likelihood is convex."""
    y, scores = gammas(6, 300)
    curve = ic.RocCurve.from_scores(y, scores)
    fit = curve._smoothed[0]
    n, p = np.ones(300), np.diff(curve.tp).astype(float)
    assert fit.risks(fit.thresholds, n[None], p[None])[0] == pytest.approx(fit.risk(fit.thresholds), abs=1e-5)
    times = np.random.default_rng(1).multinomial(300, np.full(300, 1 / 300), size=3).astype(float)
    together = fit.risks(fit.thresholds, times, times * p)
    for row, many in zip(together, times, strict=True):
        assert row == pytest.approx(fit.risks(fit.thresholds, many[None], many[None] * p)[0], abs=1e-9)


def test_more_scores_than_are_fitted_are_pooled(monkeypatch):
    """To nearly the same risks, at every score."""
    curve = ic.RocCurve.from_scores(*gammas(7, 3000))
    whole = curve._smoothed[0]
    monkeypatch.setattr(smoothing, "MOST", 500)
    pooled = smoothing.Smoothed.of(curve)
    assert pooled.risk(whole.thresholds) == pytest.approx(whole.risk(whole.thresholds), abs=0.01)


def test_points_without_cases_are_refused():
    """There is nothing to fit a risk to."""
    with pytest.raises(InputError, match="needs the cases"):
        ic.best_threshold(ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a"), AT, method="smooth")


@pytest.mark.parametrize("options", [{"cost_review": 0.1}, {"sure": 0.9, "max_fpr": 0.3}, {"randomised": True}])
def test_reviews_mixtures_and_sure_limits_do_not_take_it(options):
    """Each says what to drop."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    with pytest.raises(InputError, match="smooth"):
        comparison.decide(AT, method="smooth", **options)


def test_cost_curve_pays_for_the_smooth_thresholds():
    """On the cases as they are, at any costs."""
    curve = ic.RocCurve.from_scores(*gammas(2, 250))
    paid = ic.cost_curve(curve, method="smooth")
    for t in (0.13, 0.4, 0.77):
        found = ic.best_threshold(curve, ic.Condition.from_t(t), method="smooth")
        assert paid(1 - t) == pytest.approx(t * found.fpr + (1 - t) * (1 - found.tpr))

"""A small version of benchmarks/coverage.py: bands hold the truth about as often as they say."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

import isocost as ic
from isocost.datasets import load_german_credit_predictions

PCF = np.linspace(0.1, 0.9, 9)
SAMPLES = 60


def binormal(n, rng):
    """Half positive, two correlated classifiers."""
    y = np.arange(n) < n // 2
    z = rng.normal(size=(2, n))
    z[1] = 0.7 * z[0] + np.sqrt(0.51) * z[1]
    return y, {"a": z[0] + y, "b": z[1] + 1.3 * y}


def exponential(n, rng):
    """30 % positive, scores of positives three and four times as large."""
    y = np.arange(n) < 0.3 * n
    scores = rng.exponential(size=(2, n))
    return y, {"a": np.where(y, 3.0, 1.0) * scores[0], "b": np.where(y, 4.0, 1.0) * scores[1]}


def ordinal(n, rng):
    """The binormal scores in whole steps of 0.5."""
    y, scores = binormal(n, rng)
    return y, {name: np.ceil(2 * s) / 2 for name, s in scores.items()}


def truth(name, model):
    """The true best costs of one classifier."""
    if model is exponential:
        positive = stats.expon(scale=3 if name == "a" else 4)
        return ic.RocCurve.from_distributions(positive, stats.expon()).optimal_cost(1 - PCF)
    positive = stats.norm(1 if name == "a" else 1.3, 1)
    if model is binormal:
        return ic.RocCurve.from_distributions(positive, stats.norm()).optimal_cost(1 - PCF)
    cuts = np.arange(-8, 8, 0.5)
    curve = ic.RocCurve.from_points(stats.norm.sf(cuts), positive.sf(cuts))
    return curve.optimal_cost(1 - PCF)


MODELS = (binormal, exponential, ordinal)


@cache
def held(model):
    """For each sample, the share of conditions (or whether all) at which each 90 % band holds the truth."""
    a, b = (truth(name, model) for name in "ab")
    found = []
    for seed in range(SAMPLES):
        y, scores = model(200, np.random.default_rng([seed, 77]))
        boot = ic.bootstrap(y, scores, n_resamples=200, rng=seed, grid=PCF)
        row = {}
        for name, band, true in (
            ("pointwise", boot.band("a"), a),
            ("plain", boot.band("a", target="apparent"), a),
            ("difference", boot.difference("a", "b"), a - b),
            ("simultaneous", boot.band("a", kind="simultaneous"), a),
            ("simultaneous difference", boot.difference("a", "b", kind="simultaneous"), a - b),
        ):
            inside = (band.low <= true) & (true <= band.high)
            row[name] = inside.all() if band.kind == "simultaneous" else inside.mean()
        found.append(row)
    return found


def share(rows, name):
    """How often a band held the truth."""
    return np.mean([row[name] for row in rows])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_pointwise_bands_hold_the_truth_about_as_often_as_they_say(model):
    """At 84 to 97 % of the conditions in 60 samples of 200 cases; the plain percentile band much less often."""
    assert 0.84 <= share(held(model), "pointwise") <= 0.97
    assert 0.84 <= share(held(model), "difference") <= 0.97
    assert share(held(model), "plain") < share(held(model), "pointwise") - 0.08


@pytest.mark.parametrize("name", ["simultaneous", "simultaneous difference"])
def test_simultaneous_bands_hold_whole_curves_about_as_often_as_they_say(name):
    """In 84 to 97 % of 180 samples of three generating models, whose share has a standard error of 2 %."""
    assert 0.84 <= share([row for model in MODELS for row in held(model)], name) <= 0.97


def test_correction_removes_the_optimism():
    """Over many samples the corrected estimate is within a fifth of the bias that the data show."""
    a = truth("a", binormal)
    apparent, corrected = [], []
    for seed in range(100):
        y, scores = binormal(200, np.random.default_rng([seed, 78]))
        band = ic.bootstrap(y, {"a": scores["a"]}, n_resamples=100, rng=seed, grid=PCF).band("a")
        apparent.append(band.apparent - a)
        corrected.append(band.centre - a)
    middle = slice(2, 7)
    assert np.mean(apparent, axis=0)[middle].mean() < -0.012
    assert abs(np.mean(corrected, axis=0)[middle].mean()) < 0.005


@pytest.mark.long
def test_chances_that_limits_hold_are_those_of_split_halves():
    """Decide on one half of the credit cases, look at the other: on average limits hold as often as is printed, within 10 points."""
    y, scores = load_german_credit_predictions()
    rng = np.random.default_rng(5)
    limits = [{"max_flagged": 0.3}, {"max_fpr": 0.3}, {"min_precision": 0.5}, {"min_tpr": 0.9}]
    stated, held = [], []
    for _ in range(60):
        halves = [rng.permutation(np.flatnonzero(y == label)) for label in (1, 0)]
        here, there = (np.concatenate([rows[half::2] for rows in halves]) for half in (0, 1))
        comparison = ic.Comparison.from_scores(y[here], {name: score[here] for name, score in scores.items()})
        for limit in limits:
            try:
                decision = comparison.decide(ic.Condition(1, 5, 0.3), n_resamples=100, rng=0, **limit)
            except ic.errors.InfeasibleError:
                continue
            flagged = scores[decision.model][there] >= decision.threshold
            tpr, fpr = flagged[y[there] == 1].mean(), flagged[y[there] == 0].mean()
            share = 0.3 * tpr + 0.7 * fpr
            found = {"max_flagged": -share, "max_fpr": -fpr, "min_tpr": tpr, "min_precision": 0.3 * tpr / share}
            ((kind, value),) = limit.items()
            stated.append(decision.confidence.limits_hold[kind])
            held.append(found[kind] >= (-value if kind.startswith("max") else value))
    assert len(held) > 200
    assert abs(np.mean(stated) - np.mean(held)) < 0.1

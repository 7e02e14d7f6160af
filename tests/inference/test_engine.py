"""Resamples of joint counts against those of rows, and these against a loop over rows."""

import numpy as np
import pytest

import isocost as ic
from isocost.data.cases import Cases
from isocost.inference.replicates import Collector
from isocost.inference.resample import Sample
from oracles import resampling

PCF = np.array([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
RESAMPLES = 3000


def cases(decimals, size=150):
    """Labels, 40 % positive, and correlated models, scores rounded to make ties."""
    rng = np.random.default_rng(0)
    y = np.arange(size) < 0.4 * size
    shared = rng.normal(size=size)
    return y, {name: np.round(shared + k * rng.normal(size=size) + 1.5 * y, decimals) for k, name in enumerate("ab")}


def sampled(y, scores, seed, cluster=None, fold=None):
    """Cases ready to be resampled."""
    return Sample.of(Cases.from_scores(y, scores, None, None, fold), cluster, (seed,))


def gathered(resampler, names, resamples=RESAMPLES):
    """What is found, model by model."""
    found = {name: Collector(PCF, resampler.counts(name, resampler.data)) for name in names}
    for drawn in resampler.draws(0, resamples + 4):
        for name, collector in found.items():
            collector.add(resampler.counts(name, drawn))
    return {name: collector.finish(np.zeros(PCF.size)) for name, collector in found.items()}


def made(kind, decimals, seed):
    """A way of drawing the same cases."""
    y, scores = cases(decimals)
    if kind == "counted together":
        return Sample.of_joint(ic.JointCounts.from_arrays(y, scores, blocks=10**6), (seed,))
    return sampled(y, scores, seed)


def naive(y, scores, resamples, seed, folds=None, clusters=None):
    """Lowest costs on resamples drawn row by row (cluster by cluster), averaged over folds: shape (models, resamples, pcf)."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        if clusters is not None:
            drawn = rng.choice(np.unique(clusters), np.unique(clusters).size)
            rows = [np.concatenate([np.flatnonzero(clusters == c) for c in drawn])]
        else:
            parts = [np.arange(y.size)] if folds is None else [np.flatnonzero(folds == k) for k in np.unique(folds)]
            rows = [part[resampling.resample(y[part], rng)] for part in parts]
        found.append(
            [np.mean([resampling.lowest_cost(y[r], s[r], PCF)[0] for r in rows], axis=0) for s in scores.values()]
        )
    return np.array(found).swapaxes(0, 1)


def agree(one, other):
    """Means, variances and covariances of columns agree within their sampling errors (five of them)."""
    for a, b in zip(one, other, strict=True):
        spread = np.sqrt(a.var(axis=0) / len(a) + b.var(axis=0) / len(b))
        assert np.all(np.abs(a.mean(axis=0) - b.mean(axis=0)) <= 5 * spread + 1e-12)
    for i in range(len(one)):
        for j in range(i + 1):
            products = [(both[i] - both[i].mean(axis=0)) * (both[j] - both[j].mean(axis=0)) for both in (one, other)]
            spread = np.sqrt(sum(p.var(axis=0) / len(p) for p in products))
            assert np.all(np.abs(products[0].mean(axis=0) - products[1].mean(axis=0)) <= 5 * spread + 1e-12)


@pytest.mark.parametrize("decimals", [0, 9], ids=["ties", "distinct"])
def test_joint_counts_have_the_distribution_of_rows(decimals):
    """Own costs, costs with others' thresholds, their means, variances and covariances (of models too), at each condition."""
    names = ("a", "b")
    found, plain = (
        gathered(made(kind, decimals, seed), names) for seed, kind in enumerate(("counted together", "plain"), start=1)
    )
    for name in names:
        # In whole numbers the same; block by block the sums may round differently.
        assert found[name].apparent == pytest.approx(plain[name].apparent, abs=1e-15)
    fields = ("own", "cross", "cross_of_two")
    agree(*([getattr(models[name], field) for name in names for field in fields] for models in (found, plain)))
    for name in names:
        assert found[name].luck_of_two.std() == pytest.approx(plain[name].luck_of_two.std(), rel=0.1)
        assert found[name].areas.std() == pytest.approx(plain[name].areas.std(), rel=0.1)


@pytest.mark.parametrize("design", ["rows", "folds", "clusters"])
def test_the_plain_engine_has_the_distribution_of_rows_drawn_one_by_one(design):
    """The reference itself, against a loop over rows: with two folds, and with clusters that mix the classes."""
    y, scores = cases(1, size=60)
    marks = np.random.default_rng(3).permutation(60)
    fold, cluster = (marks % 2 if design == "folds" else None), (marks // 3 if design == "clusters" else None)
    found = gathered(sampled(y, scores, 1, cluster, fold), scores)
    agree([found[name].own for name in scores], naive(y, scores, 800, 2, fold, cluster))


@pytest.mark.parametrize("fold", [None, np.arange(40) % 2])
def test_a_resample_pays_for_the_thresholds_of_those_just_before_it(fold):
    """Three judges for one model, four for a difference of two, of the resamples right before; their luck is that of the four."""
    y, scores = cases(1, size=40)
    sample = sampled(y, scores, 5, fold=fold)
    found = gathered(sample, scores, 20)["a"]
    [drawn] = sample.draws(0, 24)
    parts = [np.flatnonzero(sample.parts == k) for k in range(sample.folds)]
    s = sample.scores["a"]
    chosen, own, on_data = np.empty((24, len(parts), PCF.size)), np.empty((24, PCF.size)), np.empty((24, PCF.size))
    for i, times in enumerate(drawn):
        rows = [np.repeat(part, times[part]) for part in parts]
        costs = [resampling.lowest_cost(sample.positive[r], s[r], PCF) for r in rows]
        own[i], chosen[i] = np.mean([c[0] for c in costs], axis=0), [c[1] for c in costs]
        on_data[i] = np.mean(
            [
                resampling.cost_at(sample.positive[part], s[part], cuts, PCF)
                for part, cuts in zip(parts, chosen[i], strict=True)
            ],
            axis=0,
        )
    luck = np.array([on_data[i - 4 : i].mean(axis=0) for i in range(4, 24)]) - on_data.mean(axis=0)
    for i in range(4, 24):
        rows = [np.repeat(part, drawn[i][part]) for part in parts]
        paid = [
            np.mean(
                [
                    resampling.cost_at(sample.positive[r], s[r], c, PCF)
                    for r, c in zip(rows, chosen[i - lag], strict=True)
                ],
                axis=0,
            )
            for lag in range(1, 5)
        ]
        assert found.own[i - 4] == pytest.approx(own[i], abs=1e-12)
        # Where two thresholds cost the same on their resample either may be chosen: the lowest costs agree all the same.
        if len(parts) == 1:
            assert np.mean(np.isclose(found.cross[i - 4], np.mean(paid[:3], axis=0), atol=1e-12)) > 0.5
            assert np.mean(np.isclose(found.cross_of_two[i - 4], np.mean(paid, axis=0), atol=1e-12)) > 0.5
    assert np.corrcoef(luck.ravel(), found.luck_of_two.ravel())[0, 1] > 0.8

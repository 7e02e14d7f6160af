"""Hypothesis strategies: random data of every awkward kind that isocost must handle."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import isocost as ic

unit = st.floats(0, 1, allow_subnormal=False)
inside_unit = st.floats(1e-6, 1 - 1e-6)


@dataclass(frozen=True)
class Sample:
    """Labels, scores and perhaps weights of one classifier."""

    y: np.ndarray
    s: np.ndarray
    w: np.ndarray | None

    @property
    def curve(self):
        """Its ROC curve."""
        return ic.RocCurve.from_scores(self.y, self.s, sample_weight=self.w)


def _scores(draw, size, kind):
    match kind:
        case "tied":
            values = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
            return np.array(values, dtype=float) / 5
        case "probabilities":
            return np.array(draw(st.lists(unit, min_size=size, max_size=size)))
        case "any":
            number = st.floats(allow_nan=False, allow_infinity=False)
            return np.array(draw(st.lists(number, min_size=size, max_size=size)))


@st.composite
def samples(draw, *, max_size=30, kinds=("tied", "probabilities", "any"), weighted=(None, "whole", "real"), min_each=1):
    """Labels with both classes, scores with many ties or none, weights or none."""
    positives = draw(st.integers(min_each, max_size // 2))
    negatives = draw(st.integers(min_each, max_size // 2))
    y = np.array(draw(st.permutations([1] * positives + [0] * negatives)))
    s = _scores(draw, y.size, draw(st.sampled_from(kinds)))
    match draw(st.sampled_from(weighted)):
        case None:
            w = None
        case "whole":
            w = np.array(draw(st.lists(st.integers(0, 4), min_size=y.size, max_size=y.size)), dtype=float)
        case "real":
            w = np.array(draw(st.lists(st.floats(0, 10, allow_subnormal=False), min_size=y.size, max_size=y.size)))
    if w is not None:
        # Weights far below the rest are rounded away; every class keeps some mass.
        w[w < 1e-3] = 0
        for label in (0, 1):
            if w[y == label].sum() == 0:
                w[np.flatnonzero(y == label)[0]] = 1
    return Sample(y, s, w)


def curves(**options):
    """ROC curves of random samples."""
    return samples(**options).map(lambda sample: sample.curve)


@st.composite
def model_sets(draw, *, min_models=2, max_models=5, max_size=30, kinds=("tied", "probabilities", "any")):
    """One label vector and several score vectors over it, as {name: scores}; some models may be identical."""
    sample = draw(samples(max_size=max_size, kinds=kinds, weighted=(None,)))
    count = draw(st.integers(min_models, max_models))
    models = {"m0": sample.s}
    for i in range(1, count):
        if draw(st.integers(0, 5)) == 0:
            models[f"m{i}"] = models[f"m{i - 1}"].copy()
        else:
            models[f"m{i}"] = _scores(draw, sample.y.size, draw(st.sampled_from(("tied", "probabilities"))))
    return sample.y, models


def in_buckets(y, scores, edges, name):
    """The curve of a model's scores, and that of the same counted together between the edges."""
    counts = ic.ScoreCounts.from_arrays(y, scores)
    place = np.searchsorted(np.unique(edges), counts.scores, side="right")
    start = np.concatenate([[0], np.flatnonzero(np.diff(place)) + 1])
    end = np.concatenate([start[1:], [len(counts)]]) - 1
    ups, downs = (np.add.reduceat(c, start) for c in (counts.positives, counts.negatives))
    wide = ic.ScoreCounts(counts.scores[end], ups, downs, upper=counts.scores[start])
    return ic.RocCurve.from_counts(counts, name=name), ic.RocCurve.from_counts(wide, name=name)


@st.composite
def bucketed_models(draw, *, max_size=16, **options):
    """Two or three models: the comparison of their cases, and that of the same counted in buckets."""
    y, scores = draw(model_sets(max_models=3, max_size=max_size, **options))
    edges = draw(st.lists(unit, max_size=4))
    exact, wide = zip(*(in_buckets(y, s, edges, name) for name, s in scores.items()), strict=True)
    return ic.Comparison(exact), ic.Comparison(wide)


@st.composite
def point_sets(draw, *, min_size=1, max_size=12):
    """Any crisp classifiers: arrays fpr, tpr, on a coarse grid or anywhere in the square."""
    coordinate = draw(st.sampled_from([unit, st.integers(0, 10).map(lambda i: i / 10)]))
    size = draw(st.integers(min_size, max_size))
    fpr, tpr = (np.array(draw(st.lists(coordinate, min_size=size, max_size=size))) for _ in range(2))
    return fpr, tpr


points = st.tuples(unit, unit)


@st.composite
def conditions(draw):
    """A known condition, correct decisions costing something or not."""
    cost_tp, cost_tn = draw(st.sampled_from([(0.0, 0.0), (-2.0, 0.5), (0.25, -1.0)]))
    fp, fn = (draw(st.floats(0.01, 100)) for _ in range(2))
    return ic.Condition(fp + max(cost_tn, 0), fn + max(cost_tp, 0), draw(inside_unit), cost_tp=cost_tp, cost_tn=cost_tn)


@st.composite
def uncertain_conditions(draw):
    """A range or a distribution of conditions, of every kind."""
    low, high = sorted([draw(unit), draw(unit)])
    match draw(st.sampled_from(["uniform", "certain", "skew", "beta", "sample"])):
        case "uniform":
            return ic.Conditions.uniform(t=(low, high))
        case "certain":
            return ic.Conditions.from_t(low)
        case "skew":
            return ic.Conditions.uniform(skew_ratio=(low, 10 * high + low))
        case "beta":
            return ic.Conditions.beta(draw(st.floats(0.5, 8)), draw(st.floats(0.5, 8)))
        case "sample":
            return ic.Conditions.from_beliefs(cost_fn=(1 + low, 20), prevalence=(0.01 + low / 2, 0.6), size=50)


def applied(calibrator, curve):
    """The curve of the calibrated scores: scores of one step become ties."""
    scores = calibrator(curve.thresholds[1:])
    last = np.append(np.flatnonzero(np.diff(scores)), scores.size - 1)
    keep, thresholds = np.append(0, last + 1), np.append(np.inf, scores[last])
    return ic.RocCurve(curve.fp[keep], curve.tp[keep], thresholds, curve.positives, curve.negatives)

"""Small data sets, each awkward in its own way, that every interface must answer alike."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class DataSet:
    """Labels, scores by model, and weights if there are any."""

    y: np.ndarray
    models: dict[str, np.ndarray]
    weights: np.ndarray | None = None

    @property
    def prevalence(self):
        """Share of positives, by weight."""
        return float(np.average(self.y, weights=self.weights))

    @property
    def probabilities(self):
        """Whether all scores could be probabilities."""
        return all(s.min() >= 0 and s.max() <= 1 for s in self.models.values())

    def write(self, path):
        """Write a CSV file with all digits."""
        columns = {"y": self.y, **self.models, **({} if self.weights is None else {"w": self.weights})}
        rows = zip(*(c.tolist() for c in columns.values()), strict=True)
        path.write_text("\n".join(",".join(map(str, row)) for row in (tuple(columns), *rows)) + "\n", encoding="utf-8")


def _scores(rng, y, strength, decimals=None):
    made = 1 / (1 + np.exp(-(rng.normal(size=y.size) + strength * (y - 0.5))))
    return made if decimals is None else np.round(made, decimals)


def _labels(rng, n, positives):
    return rng.permutation(np.repeat([1, 0], [positives, n - positives]))


def _ordinary():
    rng = np.random.default_rng(1)
    y = _labels(rng, 60, 20)
    return DataSet(y, {"weak": _scores(rng, y, 1.0), "strong": _scores(rng, y, 2.0), "other": _scores(rng, y, 1.8)})


def _ties():
    rng = np.random.default_rng(2)
    y = _labels(rng, 60, 24)
    return DataSet(y, {"a": _scores(rng, y, 1.5, 1), "b": _scores(rng, y, 1.5, 1)})


def _rare():
    rng = np.random.default_rng(3)
    y = _labels(rng, 80, 4)
    return DataSet(y, {"a": _scores(rng, y, 2.0), "b": _scores(rng, y, 1.0, 2)})


def _weights():
    rng = np.random.default_rng(4)
    y = _labels(rng, 50, 20)
    return DataSet(y, {"a": _scores(rng, y, 1.5, 2), "b": _scores(rng, y, 1.2)}, rng.integers(1, 9, 50) / 4)


def _one():
    rng = np.random.default_rng(5)
    y = _labels(rng, 40, 16)
    return DataSet(y, {"only": _scores(rng, y, 1.5)})


def _twelve():
    rng = np.random.default_rng(6)
    y = _labels(rng, 60, 24)
    return DataSet(y, {f"model_{i:02}": _scores(rng, y, 0.5 + i / 8, 2) for i in range(12)})


def _constant():
    rng = np.random.default_rng(7)
    y = _labels(rng, 40, 16)
    return DataSet(y, {"constant": np.full(40, 0.25), "good": _scores(rng, y, 1.5)})


def _identical():
    rng = np.random.default_rng(8)
    y = _labels(rng, 40, 16)
    scores = _scores(rng, y, 1.5, 2)
    return DataSet(y, {"first": scores, "second": scores.copy(), "third": _scores(rng, y, 0.8)})


def _inverted():
    rng = np.random.default_rng(9)
    y = _labels(rng, 40, 16)
    return DataSet(y, {"backwards": 1 - _scores(rng, y, 2.5), "weak": _scores(rng, y, 0.8)})


def _perfect():
    rng = np.random.default_rng(10)
    y = _labels(rng, 40, 16)
    return DataSet(y, {"perfect": np.where(y == 1, 0.7, 0.2) + rng.random(40) / 10, "weak": _scores(rng, y, 1.0)})


def _logits():
    rng = np.random.default_rng(11)
    y = _labels(rng, 40, 16)
    scores = np.log(_scores(rng, y, 1.5))
    scores[np.flatnonzero(y)[:3]] = scores[np.flatnonzero(y == 0)[0]] = 1e300
    scores[np.flatnonzero(y == 0)[1:3]] = -1e300
    return DataSet(y, {"logit": scores, "finite": _scores(rng, y, 1.0)})


DATA_SETS = {
    "ordinary": _ordinary(), "ties": _ties(), "rare": _rare(), "weights": _weights(), "one model": _one(), "twelve": _twelve(),
    "constant": _constant(), "identical": _identical(), "inverted": _inverted(), "perfect": _perfect(), "logits": _logits(),
}  # fmt: skip

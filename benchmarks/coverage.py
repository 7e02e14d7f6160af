"""How often bands and intervals hold the truth, in simulations where the truth is known.

Four generating models, each of two correlated classifiers, n = 200, 1000 and 5000 cases:

- binormal: half positive, scores N(1, 1) and N(1.3, 1) against N(0, 1);
- exponential: 30 % positive, scores exponential with means 3 and 4 against 1, so that under dear misses nothing beats
  flagging everybody;
- ordinal: 30 % positive, the binormal scores cut into 10 levels;
- rare: 10 % positive, normal scores with unequal variances.

`python benchmarks/coverage.py --full` writes the table of docs/explanation/how-sure.md; without it a quick look at n = 200.
A share of 90 is right; from 86 to 94 is accepted.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import isocost as ic

Floats = NDArray[np.float64]
GRID = np.linspace(0.0, 1.0, 41)
INNER = (GRID >= 0.05) & (GRID <= 0.95)
BAR = (86.0, 94.0)
MEASURES = ("mean_normalised_cost", "voros", "ks", "h_measure", "auc", "auch")


@dataclass(frozen=True)
class Model:
    """Two classifiers: the quantile functions of their scores, positives and negatives, joined by a normal copula."""

    name: str
    prevalence: float
    correlation: float
    positive: tuple[Any, Any]
    negative: Any
    cuts: Floats | None = None

    def draw(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.bool_], dict[str, Floats]]:
        """Return labels and the scores of both classifiers."""
        from scipy.special import ndtr

        y = np.arange(n) < round(n * self.prevalence)
        z = rng.normal(size=(2, n))
        z[1] = self.correlation * z[0] + np.sqrt(1 - self.correlation**2) * z[1]
        u = ndtr(z)
        scores = {
            name: np.where(y, positive.ppf(v), self.negative.ppf(v))
            for name, positive, v in zip("ab", self.positive, u, strict=True)
        }
        if self.cuts is not None:
            scores = {name: np.searchsorted(self.cuts, s).astype(float) for name, s in scores.items()}
        return y, scores

    def curve(self, i: int) -> ic.RocCurve:
        """Return the true curve of a classifier."""
        if self.cuts is None:
            return ic.RocCurve.from_distributions(self.positive[i], self.negative)
        fpr, tpr = (dist.sf(self.cuts[::-1]) for dist in (self.negative, self.positive[i]))
        return ic.RocCurve.from_points(fpr, tpr)

    def rates(self, i: int, threshold: Floats) -> tuple[Floats, Floats]:
        """Return the true fpr and tpr of flagging scores ≥ threshold."""
        cut = threshold
        if self.cuts is not None:  # level k holds what lies between cut k-1 and cut k
            edges = np.concatenate([[-np.inf], self.cuts, [np.inf]])
            cut = edges[np.minimum(threshold, self.cuts.size + 1).astype(int)]
        return self.negative.sf(cut), self.positive[i].sf(cut)


def models() -> list[Model]:
    """Return the generating models."""
    from scipy import stats

    norm, expon = stats.norm, stats.expon
    return [
        Model("binormal", 0.5, 0.7, (norm(1, 1), norm(1.3, 1)), norm(0, 1)),
        Model("exponential", 0.3, 0.6, (expon(scale=3), expon(scale=4)), expon()),
        Model("ordinal", 0.3, 0.6, (norm(1, 1), norm(1.3, 1)), norm(0, 1), np.linspace(-1.5, 2.5, 9)),
        Model("rare", 0.1, 0.7, (norm(1.5, 2), norm(2, 1.5)), norm(0, 1)),
    ]


def truth(model: Model) -> dict[str, Any]:
    """Return the best costs and the measures of both classifiers."""
    curves = [model.curve(i) for i in (0, 1)]
    return {
        "cost": [c.optimal_cost(1 - GRID) for c in curves],
        "mean_normalised_cost": [ic.mean_normalised_cost(c) for c in curves],
        "voros": [ic.voros(c) for c in curves],
        "auc": [ic.auc(c) for c in curves],
        "ks": [1 - 2 * float(c.optimal_cost(0.5)) for c in curves],
        "h_measure": [ic.h_measure(c, prevalence=model.prevalence) for c in curves],
        "auch": [ic.measures.auch(c) for c in curves],
    }


def one(model: Model, known: dict[str, Any], n: int, resamples: int, seed: int) -> dict[str, float]:
    """Return, for one sample, the share of conditions (or 0 or 1) at which each band holds the truth."""
    rng = np.random.default_rng([seed, n, len(model.name)])
    y, scores = model.draw(n, rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        boot = ic.bootstrap(y, scores, n_resamples=resamples, rng=seed, grid=GRID, progress=False)
    a, b = known["cost"]
    held: dict[str, float] = {}

    def look(name: str, band: Any, true: Floats) -> None:
        inside = (band.low <= true + 1e-12) & (true <= band.high + 1e-12)
        held[name] = float(inside.all() if band.kind == "simultaneous" else inside[INNER].mean())

    look("plain percentile", boot.band("a", target="apparent"), a)
    look("pointwise", boot.band("a"), a)
    look("simultaneous", boot.band("a", kind="simultaneous"), a)
    look("difference", boot.difference("a", "b"), a - b)
    look("difference, simultaneous", boot.difference("a", "b", kind="simultaneous"), a - b)
    curve = ic.RocCurve.from_scores(y, scores["a"])
    cut = curve.hull.thresholds[curve._best_vertex(1 - GRID)]
    fpr, tpr = model.rates(0, cut)
    look("chosen thresholds", boot.band("a", target="chosen"), (1 - GRID) * fpr + GRID * (1 - tpr))
    # Areas take each resample's curve: that is slow for many cases, and 200 are the hardest.
    for measure in MEASURES if n < 1000 else MEASURES[:4]:
        low, high = boot.interval("a", measure)
        held[measure] = float(low <= known[measure][0] <= high)
    low, high = boot.interval("a", "mean_normalised_cost", versus="b")
    held["mean_normalised_cost, difference"] = float(
        low <= known["mean_normalised_cost"][0] - known["mean_normalised_cost"][1] <= high
    )
    areas, area = (np.trapezoid(v, GRID) for v in (boot._models["a"].own, a))
    low, high = np.quantile(areas, [0.05, 0.95])
    held["mean_normalised_cost, plain percentile"] = float(low <= area <= high)
    return held


def study(sizes: dict[int, int], resamples: int, only: str | None = None) -> list[dict[str, Any]]:
    """Return one row for each model and size: the shares in per cent."""
    rows = []
    for model in models():
        if only not in (None, model.name):
            continue
        known = truth(model)
        for n, samples in sizes.items():
            start = time.perf_counter()
            shares: dict[str, list[float]] = defaultdict(list)
            for seed in range(samples):
                for name, held in one(model, known, n, resamples, seed).items():
                    shares[name].append(held)
            row = {"model": model.name, "n": n, "samples": samples}
            rows.append(row | {name: 100 * float(np.mean(v)) for name, v in shares.items()})
            print(rows[-1], file=sys.stderr)
            print(f"{model.name} {n}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return rows


# The standard error of a share is 1.5 with 400 samples, 1.7 with 300.
SAMPLES = {200: 400, 1000: 300, 5000: 400}

UNCHECKED = ("model", "n", "samples", "plain percentile", "mean_normalised_cost, plain percentile")


def main() -> int:
    """Print the table in Markdown; fail if a band that should hold 90 % does not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="all sizes, as in the documentation (about half an hour)")
    parser.add_argument("--model", choices=[model.name for model in models()], help="only this one")
    parser.add_argument("--n", type=int, choices=list(SAMPLES), help="only this size")
    given = parser.parse_args()
    full = given.full
    sizes = {n: samples if full else 60 for n, samples in SAMPLES.items() if given.n in (None, n)}
    rows = study(sizes if full or given.n else {200: 60}, 300, given.model)
    names = list(rows[0])
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))
    for row in rows:
        cells = (row.get(name, "") for name in names)
        print("| " + " | ".join(v if isinstance(v, str) else f"{v:.0f}" for v in cells) + " |")
    low, high = BAR
    missed = [
        (r["model"], r["n"], k, v) for r in rows for k, v in r.items() if k not in UNCHECKED and not low <= v <= high
    ]
    for model, n, name, share in missed:
        print(f"outside {low:g}-{high:g}: {name} of {model}, n = {n}: {share:.1f}")
    return int(full and bool(missed))


if __name__ == "__main__":
    sys.exit(main())

"""What equal rates cost, against fairlearn's ThresholdOptimizer and error-parity's RelaxedThresholdOptimizer on the same cases in one run.

Three groups of different prevalence and separation; half, a fifth and 1 % of the cases are positive. fairlearn knows objectives and no
costs: its accuracy is equal costs, its balanced accuracy makes a miss cost as many false alarms as there are negatives to a positive.
All three mix thresholds at random. Each cost is worked out here from the rates that each group ends up with, and so is the largest gap
between them. Fails if a peer is cheaper anywhere, or if isocost's rates differ by more than the tolerance. Peers that are not installed
are left out and named: `make bench` installs them.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import isocost as ic

CRITERIA = {
    "tpr": "true_positive_rate_parity",
    "fpr": "false_positive_rate_parity",
    "flagged": "demographic_parity",
    "odds": "equalized_odds",
}
SHIFT, PREVALENCE = np.array([1.6, 0.9, 1.2]), np.array([0.6, 1.0, 1.3])
# What a cost may be lower by because of a solver's rounding.
NEAR = 1e-7


@dataclass(frozen=True)
class Cases:
    """Labels, scores and groups, and the costs to keep low."""

    y: NDArray[np.bool_]
    s: NDArray[np.float64]
    g: NDArray[np.int64]
    objective: str

    @classmethod
    def drawn(cls, rows: int, prevalence: float, objective: str) -> Cases:
        """Draw them."""
        rng = np.random.default_rng(1)
        g = rng.integers(0, SHIFT.size, rows)
        y = rng.random(rows) < prevalence * PREVALENCE[g]
        # Of rare positives only those that stand out are ever worth flagging.
        shift = SHIFT + (2.0 if prevalence < 0.05 else 0.0)
        return cls(y, rng.normal(size=rows) + shift[g] * y, g, objective)

    @property
    def condition(self) -> ic.Condition:
        """The costs that the objective stands for."""
        if self.objective == "accuracy_score":
            return ic.Condition()
        share = float(self.y.mean())
        return ic.Condition(cost_fp=0.5 / (1 - share), cost_fn=0.5 / share)

    def rates(self, flagged: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return fpr and tpr of each group from how likely each case is to be flagged."""
        of = [[flagged[(self.g == k) & (self.y == label)].mean() for label in (False, True)] for k in range(SHIFT.size)]
        return np.array(of)

    def cost(self, rates: NDArray[np.float64]) -> float:
        """Return the expected cost per case."""
        at = self.condition
        total = 0.0
        for k, (fpr, tpr) in enumerate(rates.tolist()):
            own = self.g == k
            pi = float(self.y[own].mean())
            total += float(own.mean()) * ((1 - pi) * at.cost_fp * fpr + pi * at.cost_fn * (1 - tpr))
        return total

    def gap(self, rates: NDArray[np.float64], criterion: str) -> float:
        """Return the largest difference of the rates that a criterion is about."""
        pi = np.array([self.y[self.g == k].mean() for k in range(SHIFT.size)])
        of = {"fpr": [rates[:, 0]], "tpr": [rates[:, 1]], "odds": [rates[:, 0], rates[:, 1]]}
        of["flagged"] = [pi * rates[:, 1] + (1 - pi) * rates[:, 0]]
        return max(float(np.ptp(rate)) for rate in of[criterion])


def isocost(cases: Cases, criterion: Any, tolerance: float) -> NDArray[np.float64]:
    """Return the rates of isocost's rule, from the cases it flags."""
    groups = ic.Groups.from_scores(cases.y, cases.s, cases.g)
    rule = groups.parity(cases.condition, criterion, tolerance, randomised=True)
    flagged = np.zeros(cases.s.size)
    for name, choice in rule.groups.items():
        own = cases.g == int(name)
        for part in choice.mixture:
            flagged[own] += part.probability * (cases.s[own] >= part.threshold)
    return cases.rates(flagged)


def fairlearn(cases: Cases, criterion: str, tolerance: float) -> NDArray[np.float64] | None:
    """Return the rates of fairlearn's rule, which has no tolerance for odds."""
    from fairlearn.postprocessing import ThresholdOptimizer
    from sklearn.base import BaseEstimator, ClassifierMixin

    if tolerance and criterion == "odds":
        return None

    class Scores(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
        """Scores that are there already."""

        def fit(self, _features: Any, _labels: Any) -> Scores:
            """Have nothing to learn."""
            self.fitted_ = True
            self.classes_ = np.array([0, 1])
            return self

        def predict(self, features: Any) -> Any:
            """Return the one feature."""
            return np.asarray(features)[:, 0]

    rule = ThresholdOptimizer(
        estimator=Scores().fit(None, None), constraints=CRITERIA[criterion], objective=cases.objective, prefit=True,
        predict_method="predict", **({"tol": tolerance} if tolerance else {}),
    )  # fmt: skip
    rule.fit(cases.s[:, None], cases.y.astype(int), sensitive_features=cases.g)
    # Its public predict draws at random; this is what it draws from.
    return cases.rates(rule._pmf_predict(cases.s[:, None], sensitive_features=cases.g)[:, 1])  # noqa: SLF001


def error_parity(cases: Cases, criterion: str, tolerance: float) -> NDArray[np.float64]:
    """Return the rates of error-parity's rule, as its linear program has them."""
    from error_parity import RelaxedThresholdOptimizer

    at = cases.condition
    rule = RelaxedThresholdOptimizer(
        predictor=lambda features: features[:, 0], constraint=CRITERIA[criterion], tolerance=tolerance,
        false_pos_cost=at.cost_fp, false_neg_cost=at.cost_fn,
    )  # fmt: skip
    rule.fit(cases.s[:, None], cases.y.astype(int), group=cases.g, y_scores=cases.s)
    return np.asarray(rule.groupwise_roc_points, dtype=np.float64)


PEERS: dict[str, Callable[[Cases, str, float], NDArray[np.float64] | None]] = {
    "fairlearn": fairlearn,
    "error-parity": error_parity,
}


def installed() -> list[str]:
    """Return the peers that are there, and say which are not."""
    found = []
    for name in PEERS:
        if importlib.util.find_spec(name.replace("-", "_")) is None:
            print(f"{name} is not installed and is left out")
        else:
            found.append(name)
            print(f"{name} {importlib.metadata.version(name)}")
    return found


def compared(cases: Cases, criterion: str, tolerance: float, peers: list[str]) -> bool:
    """Print what each peer's rule costs in units of isocost's; tell whether isocost's costs least and keeps the tolerance."""
    begin = time.perf_counter()
    rates = isocost(cases, criterion, tolerance)
    own, kept = time.perf_counter() - begin, cases.gap(rates, criterion) <= tolerance + 1e-9
    least = cases.cost(rates)
    words = [f"isocost {1000 * least:.4f} per 1000 in {own:.2f} s"]
    for name in peers:
        begin = time.perf_counter()
        other = PEERS[name](cases, criterion, tolerance)
        if other is None:
            words.append(f"{name}: not offered")
            continue
        cost, gap = cases.cost(other), cases.gap(other, criterion)
        took = time.perf_counter() - begin
        words.append(f"{name} {100 * (cost / least - 1):+.4f} % in {took:.2f} s, gap {gap:.2g}")
        kept &= least <= cost * (1 + NEAR)
    text = f"{cases.y.size} rows, {100 * cases.y.mean():.2g} % positive, {cases.objective.removesuffix('_score')}"
    print(f"{text}, {criterion} within {tolerance:g}: {'; '.join(words)}{'' if kept else '  MISSED'}")
    return kept


def main() -> int:
    """Run all and compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="*", default=[2000, 20_000])
    warnings.simplefilter("ignore")
    peers = installed()
    kept = True
    for rows in parser.parse_args().rows:
        for prevalence in (0.5, 0.2, 0.01):
            for objective in ("accuracy_score", "balanced_accuracy_score"):
                cases = Cases.drawn(rows, prevalence, objective)
                for criterion in CRITERIA:
                    for tolerance in (0.0, 0.05):
                        kept &= compared(cases, criterion, tolerance, peers)
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())

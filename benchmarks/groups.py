"""Groups: how long counting and equal rates take, and how often intervals hold the truth.

Speed: a million rows in 1000 groups are counted, and compared with counting the pooled rows; equal rates of all groups are compared with
that counting, and ten times as many groups with both. Coverage: two groups, the second less often positive and better separated; 90 %
intervals of 200 resamples for what the thresholds of each group, one for all and those of equal tpr cost, for a group's cost, the extra
cost and the price. The corrections were settled on normal scores (`--tuned`). What is reported comes from models
on which nothing was tuned. A share of 360 samples is known within 3 %.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from coverage import Model, reported, tuned

import isocost as ic

CONDITION = ic.Condition(cost_fp=1, cost_fn=2)
COUNT_BAR, MIXED_BAR, SINGLE_BAR, MORE_BAR, COVERAGE_BAR = 3.0, 1.0, 2.0, 5.0, 83.0
# Of the second group, against the first.
LESS_OFTEN = 0.6
# Groups with fewer positives are reported apart: isocost warns about them.
FEWEST = 15


def fastest(function: Callable[[], object], runs: int = 3) -> float:
    """Return the least CPU time of a few runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def in_turn(jobs: dict[Any, Callable[[], object]], rounds: int = 4) -> dict[Any, float]:
    """Return the least CPU time of each of several jobs, done in turn: whatever else runs slows all alike."""
    times = dict.fromkeys(jobs, np.inf)
    for _ in range(rounds):
        for name, job in jobs.items():
            times[name] = min(times[name], fastest(job, 1))
    return times


def speed() -> bool:
    """Compare counting by group with counting, equal rates with counting by group, and ten times as many groups with these."""
    rng = np.random.default_rng(0)
    y = rng.random(1_000_000) < 0.3
    s = rng.normal(size=y.size) + y
    pooled, whole, kept = np.inf, {}, True
    for many in (1000, 10_000):
        g = rng.integers(0, many, y.size)
        groups = ic.Groups.from_scores(y, s, g)
        jobs: dict[Any, Callable[[], object]] = {"counting": partial(ic.Groups.from_scores, y, s, g)}
        for criterion, tolerance, mixed in product(("tpr", "fpr", "flagged"), (0.0, 0.02, 0.1), (True, False)):
            name = f"equal {criterion} within {tolerance:g}, {'mixtures' if mixed else 'one threshold a group'}"
            jobs[name] = partial(groups.parity, CONDITION, criterion, tolerance, randomised=mixed)  # type: ignore[arg-type]
        pooled = min(pooled, fastest(lambda: ic.ScoreCounts.from_arrays(y, s)))
        took = in_turn(jobs)
        whole[many] = took["counting"] + max(took.values())
        if many == 10_000:
            break
        ratio = took["counting"] / pooled
        print(
            f"counting {many} groups: {took['counting']:.2f} s, {ratio:.1f} times the pooled rows, bar {COUNT_BAR:.0f}"
        )
        kept &= ratio <= COUNT_BAR
        for name, time_of in took.items():
            if name != "counting":
                ratio, bar = time_of / took["counting"], MIXED_BAR if "mixtures" in name else SINGLE_BAR
                print(f"{name}, {many} groups: {ratio:.2f} times the counting, bar {bar:g}")
                kept &= ratio <= bar
    ratio = whole[10_000] / whole[1000]
    print(f"ten times as many groups, counting and the slowest rule: {ratio:.1f} times as long, bar {MORE_BAR:g}")
    return kept and ratio <= MORE_BAR


def drawn(model: Model, size: int, rng: np.random.Generator) -> ic.Groups:
    """Return two groups of a model's cases; each is scored by one of its two classifiers."""
    (y, first), (z, second) = (m.draw(size, rng) for m in (model, _second(model)))
    scores = np.concatenate([first["a"], second["b"]])
    return ic.Groups.from_scores(np.concatenate([y, z]), scores, np.repeat(["a", "b"], size))


def _second(model: Model) -> Model:
    return replace(model, prevalence=LESS_OFTEN * model.prevalence)


def true_rates(model: Model, choice: Any) -> tuple[float, float]:
    """Return the true fpr and tpr of a rule."""
    place = "ab".index(choice.group)
    rates = [(part.probability, *model.rates(place, np.asarray(part.threshold))) for part in choice.mixture]
    return sum(p * float(fpr) for p, fpr, _ in rates), sum(p * float(tpr) for p, _, tpr in rates)


def held(model: Model, size: int, seed: int) -> dict[str, bool]:
    """Tell which intervals hold what the rules truly do."""
    groups = drawn(model, size, np.random.default_rng([seed, size]))
    boot = groups.bootstrap(CONDITION, criterion="tpr", randomised=True, n_resamples=200, rng=seed)
    rules: dict[Any, Any] = {
        "each": groups.decide(CONDITION).groups,
        "one": groups.decide(CONDITION, thresholds="one").groups,
        "parity": groups.parity(CONDITION, "tpr", randomised=True).groups,
    }
    true = {
        rule: {name: c.condition.expected_cost(*true_rates(model, c)) for name, c in choices.items()}
        for rule, choices in rules.items()
    }
    total = {rule: sum(groups.shares[name] * cost for name, cost in costs.items()) for rule, costs in true.items()}
    asked = {
        "cost, each": (total["each"], boot.interval("cost")),
        "cost, one for all": (total["one"], boot.interval("cost", rule="one")),
        "cost, equal tpr": (total["parity"], boot.interval("cost", rule="parity")),
        "cost of a group": (true["each"]["b"], boot.interval("cost", group="b")),
        "extra cost": (total["one"] - total["each"], boot.interval("extra_cost")),
        "price": (total["parity"] - total["each"], boot.interval("price")),
    }
    return {name: bool(i.low <= value <= i.high) for name, (value, i) in asked.items()}


def coverage(models: list[Model], samples: int, size: int) -> bool:
    """Print how often each interval held the truth, on average over the models and for the worst one."""
    found: dict[str, dict[str, float]] = {}
    for model in models:
        inside = [held(model, size, seed) for seed in range(samples)]
        for name in inside[0]:
            found.setdefault(name, {})[model.name] = 100 * float(np.mean([one[name] for one in inside]))
    few = {m.name for m in models if size * LESS_OFTEN * m.prevalence < FEWEST}
    kept = True
    for name, shares in found.items():
        enough = {model: share for model, share in shares.items() if model not in few}
        mean, worst = float(np.mean(list(enough.values()))), min(enough, key=lambda model: enough[model])
        apart = "".join(f"; {model}, with few positives: {shares[model]:.0f} %" for model in few)
        print(
            f"two groups of {size}, {name}: {mean:.0f} % of {samples * len(enough)} intervals at 90 % hold the truth; "
            f"fewest for {worst}: {enough[worst]:.0f} %{apart}",
            flush=True,
        )
        kept &= mean >= COVERAGE_BAR
    return kept


def main() -> int:
    """Run both and compare with the bars."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--tuned", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore", ic.errors.FewCasesWarning)
    models = [m for m in (tuned() if given.tuned else reported()) if m.cluster == 1 and m.name != "useless"]
    kept = speed()
    for size in (250, 100):
        kept &= coverage(models, given.samples, size)
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())

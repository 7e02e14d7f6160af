"""Thresholds from a smooth risk curve ("smooth") against the cheapest thresholds on the cases at hand ("best"), on new cases.

- Populations made for this benchmark, a third of them for reporting only: the threshold is chosen on a sample and paid for on 400,000
  cases of the same population. Regret is what it costs more than the best threshold there.
- The shipped data, by repeated halves: chosen on one half, paid for on the other. The population is not known here, so costs are compared.
- The price that the certainty engine gives, against the cost on the population, and how often its 90 % interval holds that.
- Time: the fit of 100,000 cases with its guard, as a multiple of `RocCurve.from_scores` of 1,000,000.

Misses are printed, whatever they are.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import isocost as ic
from isocost.curves.roc import points_at
from isocost.datasets import load_german_credit_predictions

Cases = tuple[np.ndarray, np.ndarray]
Rng = np.random.Generator
POPULATION, SAMPLES, PRICED, HALVES = 400_000, 60, 40, 60
SIZES, BARS, STEPS_BAR, SPEED_BAR = (250, 1000), {250: 0.75, 1000: 0.65}, 1.2, 50.0
COSTS = (4.0, 12.0)


def _normals(share: float, shift: float, spread: float = 1.0) -> Callable[[Rng, int], Cases]:
    def draw(rng: Rng, size: int) -> Cases:
        y = rng.random(size) < share
        return y, np.where(y, shift + spread * rng.normal(size=size), rng.normal(size=size))

    return draw


def _gammas(rng: Rng, size: int) -> Cases:
    y = rng.random(size) < 0.3
    return y, np.where(y, rng.gamma(3, 1, size), rng.gamma(1.2, 1, size))


def _kinds(rng: Rng, size: int) -> Cases:
    """Two kinds of positives: easy ones and hard ones."""
    y = rng.random(size) < 0.25
    return y, rng.normal(size=size) + y * np.where(rng.random(size) < 0.5, 2.5, 0.4)


def _skewed(rng: Rng, size: int) -> Cases:
    y = rng.random(size) < 0.2
    return y, np.where(y, rng.beta(3, 2, size), rng.beta(1, 4, size))


def _stairs(*risks: float) -> Callable[[Rng, int], Cases]:
    def draw(rng: Rng, size: int) -> Cases:
        score = rng.random(size)
        return rng.random(size) < np.array(risks)[(score * len(risks)).astype(int)], score

    return draw


# The last third of each is for reporting only.
SMOOTH = {
    "normals": _normals(0.3, 1.2), "wide positives": _normals(0.15, 1.0, 1.5), "gammas": _gammas, "strong": _normals(0.4, 2.2),
    "two kinds (reporting)": _kinds, "betas (reporting)": _skewed,
}  # fmt: skip
JUMPS = {
    "three stairs": _stairs(0.03, 0.25, 0.7),
    "one stair": _stairs(0.05, 0.05, 0.6),
    "four stairs (reporting)": _stairs(0.01, 0.15, 0.35, 0.9),
}


def regrets(draw: Callable[[Rng, int], Cases], size: int, cost_fn: float) -> dict[str, float]:
    """Return the mean regret per 1000 cases of the population of either method, and how often a smooth curve was taken."""
    everybody = ic.RocCurve.from_scores(*draw(np.random.default_rng(99), POPULATION))
    at = ic.Condition(cost_fn=cost_fn, prevalence=float(everybody.prevalence or 0.0))
    best = ic.best_threshold(everybody, at).expected_cost
    found: dict[str, list[float]] = {"best": [], "smooth": [], "fitted": []}
    for seed in range(SAMPLES):
        curve = ic.RocCurve.from_scores(*draw(np.random.default_rng(seed), size))
        for method in ("best", "smooth"):
            choice = ic.best_threshold(curve, at, method=method)
            found[method].append(1000 * (paid(choice, everybody, at) - float(best or 0.0)))
        found["fitted"].append(choice.fit != "steps")
    return {name: float(np.mean(values)) for name, values in found.items()}


def paid(choice: ic.decide.Choice, curve: ic.RocCurve, at: ic.Condition) -> float:
    """Return what a rule costs on other cases."""
    i = {"nobody": 0, "everybody": -1}.get(choice.rule)
    i = int(points_at(curve, choice.threshold)) if i is None else i
    return float(at.cost_fp * (1 - at.prevalence) * curve.fpr[i] + at.cost_fn * at.prevalence * (1 - curve.tpr[i]))


def halves(name: str, y: np.ndarray, scores: np.ndarray, cost_fn: float) -> tuple[float, float, float]:
    """Return the mean cost per 1000 on the other half of either method, and the standard error of their difference."""
    at = ic.Condition(cost_fn=cost_fn, prevalence=float(np.mean(y)))
    costs = []
    for seed in range(HALVES):
        order = np.random.default_rng(seed).permutation(y.size)
        one, two = order[: y.size // 2], order[y.size // 2 :]
        for here, there in ((one, two), (two, one)):
            chosen_on = ic.RocCurve.from_scores(y[here], scores[here], name=name)
            other = ic.RocCurve.from_scores(y[there], scores[there])
            costs.append(
                [
                    1000 * paid(ic.best_threshold(chosen_on, at, method=method), other, at)
                    for method in ("best", "smooth")
                ]
            )
    table = np.array(costs)
    pairs = (table[::2] + table[1::2]) / 2
    error = float(np.std(pairs[:, 1] - pairs[:, 0], ddof=1) / np.sqrt(len(pairs)))
    return float(table[:, 0].mean()), float(table[:, 1].mean()), error


def prices(draw: Callable[[Rng, int], Cases], size: int) -> tuple[float, float]:
    """Return the relative bias of the price of "smooth", and how often its interval holds the cost on the population."""
    everybody = ic.RocCurve.from_scores(*draw(np.random.default_rng(99), POPULATION))
    at = ic.Condition(cost_fn=5, prevalence=float(everybody.prevalence or 0.0))
    rows = []
    for seed in range(PRICED):
        y, scores = draw(np.random.default_rng(1000 + seed), size)
        found = ic.Comparison.from_scores(y, {"a": scores}).decide(at, method="smooth", n_resamples=100)
        true, sure = paid(found, everybody, at), found.confidence
        if sure is not None and sure.price is not None and sure.interval is not None:
            rows.append((true, sure.price, float(sure.interval[0] <= true <= sure.interval[1])))
    true, price, held = np.mean(rows, axis=0)
    return float(price / true - 1), float(held)


def seconds(call: Callable[[], object]) -> float:
    """Return the median time of three calls."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def main() -> int:
    """Print every table and the misses; return 1 if there are any."""
    misses: list[str] = []
    print("Regret per 1000 on the population, best / smooth (a miss costs 4 and 12)")
    for kind, populations in (("smooth", SMOOTH), ("jumps", JUMPS)):
        for size in SIZES:
            total = np.zeros(2)
            for name, draw in populations.items():
                rows = [regrets(draw, size, cost_fn) for cost_fn in COSTS]
                mean = {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}
                total += mean["best"], mean["smooth"]
                print(
                    f"  {name:24} n = {size:4}  {mean['best']:6.1f} / {mean['smooth']:5.1f}  ratio {mean['smooth'] / mean['best']:.2f}"
                    f"  smooth curve taken {mean['fitted']:4.0%}"
                )
            ratio = total[1] / total[0]
            bar = BARS[size] if kind == "smooth" else STEPS_BAR if size >= 1000 else np.inf
            mean_best, mean_smooth = total / len(populations)
            print(
                f"  all, {kind:19} n = {size:4}  {mean_best:6.1f} / {mean_smooth:5.1f}  ratio {ratio:.2f} (bar {bar:g})"
            )
            misses += [f"{kind} at n = {size}: {ratio:.2f}, asked {bar:g}"] if ratio > bar else []

    print("Shipped data by repeated halves: cost per 1000 on the other half, best / smooth")
    y, scores = load_german_credit_predictions()
    for name, own in scores.items():
        for cost_fn in (1.0, 2.0, 5.0, 10.0):
            one, two, error = halves(name, np.asarray(y), own, cost_fn)
            gap = f"ratio {two / one:.3f}  difference {two - one:+.1f} ± {error:.1f}"
            print(f"  {name:20} a miss costs {cost_fn:4g}  {one:6.1f} / {two:6.1f}  {gap}")

    print('Price of "smooth" against the cost on the population')
    for name in ("normals", "gammas", "betas (reporting)"):
        for size in SIZES:
            bias, held = prices(SMOOTH[name], size)
            print(f"  {name:24} n = {size:4}  bias {bias:+.1%}  90 % interval holds {held:.0%}")

    y1, s1 = _gammas(np.random.default_rng(0), 1_000_000)
    y5, s5 = y1[:100_000], s1[:100_000]
    plain = seconds(lambda: ic.RocCurve.from_scores(y1, s1).hull)
    fit = seconds(lambda: ic.RocCurve.from_scores(y5, s5).smooth())
    print(
        f"Time: fit of 1e5 cases {fit:.2f} s, {fit / plain:.0f} times RocCurve.from_scores of 1e6 (bar {SPEED_BAR:g})"
    )
    misses += [f"time: {fit / plain:.0f} times, asked {SPEED_BAR:g}"] if fit > SPEED_BAR * plain else []
    print("\n".join(["Misses:", *(f"  {miss}" for miss in misses)]) if misses else "No misses.")
    return int(bool(misses))


if __name__ == "__main__":
    sys.exit(main())

"""How often what a decision says about new cases is true: prices, savings, losses, grades, chances of limits, numbers of labels.

Samples are drawn from populations whose truth is known from 400 000 further cases, a decision is made on each sample as a user makes it,
and what it says is compared with what the deployed rule really costs. Nothing was tuned on the populations marked "kept"; the bars hold for
all. By default 300 samples of each population and size, in about half an hour on one core. Of those of 200 cases as many further labels are
drawn as were proposed, and the question is asked again. Misses are marked with "MISS":

    python benchmarks/how_sure.py
    python benchmarks/how_sure.py --samples 40 --cases 60 --only price limits
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import isocost as ic

TRUTH = 400_000
RESAMPLES = 200
CASES = (60, 200, 1000)
KINDS = ("price", "poor", "limits", "review", "labels")
Scores = dict[str, np.ndarray]
Generator = np.random.Generator


@dataclass(frozen=True)
class Population:
    """How cases arise: the share of positives, what a miss costs in false alarms, and the scores of some labels."""

    name: str
    scores: Callable[[np.ndarray, Generator], Scores]
    prevalence: float = 0.3
    miss: float = 3.0
    cluster: int = 1
    kept: bool = False

    def draw(self, n: int, rng: Generator) -> tuple[np.ndarray, Scores, np.ndarray | None]:
        """Return labels, scores and clusters; each class has five cases at least."""
        while True:
            y = np.repeat(rng.random(-(-n // self.cluster)) < self.prevalence, self.cluster)[:n]
            if 5 <= y.sum() <= n - 5:
                break
        groups = np.arange(n) // self.cluster if self.cluster > 1 else None
        return y, self.scores(y, rng), groups


def shifted(*shifts: float, noise: float = 0.7, law: Callable[..., np.ndarray] | None = None) -> Any:
    """Return models that see the label with some strength each, and share some noise."""

    def scores(y: np.ndarray, rng: Generator) -> Scores:
        drawn = law or (lambda r, size: r.normal(size=size))
        shared = drawn(rng, y.size)
        return {f"m{i}": s * y + shared + noise * drawn(rng, y.size) for i, s in enumerate(shifts)}

    return scores


def rounded(scores: Any, step: float) -> Any:
    """Return the same scores in steps."""
    return lambda y, rng: {name: np.round(s / step) * step for name, s in scores(y, rng).items()}


def unequal(y: np.ndarray, rng: Generator) -> Scores:
    """Positives that spread wider."""
    return {
        "a": np.where(y, rng.normal(1.2, 2, y.size), rng.normal(size=y.size)),
        "b": 1.0 * y + rng.normal(size=y.size),
    }


def proper(y: np.ndarray, rng: Generator) -> Scores:
    """Probabilities, more or less sharp."""
    return {
        "a": np.where(y, rng.beta(3, 2, y.size), rng.beta(2, 4, y.size)),
        "b": np.where(y, rng.beta(4, 3, y.size), rng.beta(2, 3, y.size)),
    }


def leaves(y: np.ndarray, rng: Generator) -> Scores:
    """Two trees of eight leaves."""
    cuts = np.linspace(-1.2, 2, 7)
    return {name: np.searchsorted(cuts, s * y + rng.normal(size=y.size)) / 8 for name, s in (("a", 1.2), ("b", 1.0))}


def clustered(y: np.ndarray, rng: Generator) -> Scores:
    """Four cases of a kind share half of their noise."""
    shared = np.repeat(rng.normal(size=-(-y.size // 4)), 4)[: y.size]
    return {name: s * y + shared + rng.normal(size=y.size) for name, s in (("a", 1.5), ("b", 1.3))}


def cauchy(y: np.ndarray, rng: Generator) -> Scores:
    """Heavy tails."""
    return {name: s * y + rng.standard_cauchy(y.size) for name, s in (("a", 1.5), ("b", 1.2))}


def useless(y: np.ndarray, rng: Generator) -> Scores:
    """One model that knows nothing, and one that knows little."""
    return {"a": rng.normal(size=y.size), "b": 0.3 * y + rng.normal(size=y.size)}


def judge(y: np.ndarray, rng: Generator) -> Scores:
    """Marks from 0 to 10."""
    return {
        name: np.clip(np.round(4 + s * y + 2 * rng.normal(size=y.size)), 0, 10) for name, s in (("a", 3), ("b", 2.5))
    }


def bimodal(y: np.ndarray, rng: Generator) -> Scores:
    """Some positives are easy, some cannot be distinguished from negatives."""
    easy = rng.random(y.size) < 0.6
    return {name: s * (y & easy) + rng.normal(size=y.size) for name, s in (("a", 2.5), ("b", 2.0))}


def missing(y: np.ndarray, rng: Generator) -> Scores:
    """A tenth of the cases have no score but one value."""
    gone = rng.random(y.size) < 0.1
    return {name: np.where(gone, 0.0, s * y + rng.logistic(size=y.size)) for name, s in (("a", 2.0), ("b", 2.2))}


def skewed(y: np.ndarray, rng: Generator) -> Scores:
    """Waiting times."""
    return {name: rng.gamma(1 + s * y) for name, s in (("a", 1.5), ("b", 1.3), ("c", 1.0))}


POPULATIONS = (
    Population("two normal", shifted(1.5, 1.2)),
    Population("unequal spread", unequal),
    Population("three correlated", shifted(1.3, 1.3, 1.0, noise=0.4)),
    Population("probabilities", proper, 0.5, 2.0),
    Population("exponential", shifted(1.2, 1.0, law=lambda r, size: r.exponential(size=size)), 0.4, 1.5),
    Population("rounded", rounded(shifted(1.5, 1.3), 0.5)),
    Population("eight leaves", leaves),
    Population("rare positives", shifted(1.8, 1.6), 0.1, 8.0),
    Population("six equal", shifted(*[1.3] * 6), 0.4, 2.0),
    Population("clusters of four", clustered, cluster=4),
    Population("Cauchy", cauchy, kept=True),
    Population("useless", useless, kept=True),
    Population("judge marks", judge, kept=True),
    Population("bimodal", bimodal, kept=True),
    Population("missing scores", missing, kept=True),
    Population("gamma", skewed, 0.2, 4.0, kept=True),
)


class Truth:
    """What rules really do in a population."""

    def __init__(self, population: Population) -> None:
        rng = np.random.default_rng(999)
        y = np.arange(TRUTH) < population.prevalence * TRUTH
        if population.cluster > 1:
            y = np.repeat(y[:: population.cluster], population.cluster)[:TRUTH]
        scores = population.scores(y, rng)
        self.sides = {name: (np.sort(s[~y]), np.sort(s[y])) for name, s in scores.items()}
        self.p, self.w0, self.w1 = (
            population.prevalence,
            1 - population.prevalence,
            population.miss * population.prevalence,
        )
        self.condition = ic.Condition(cost_fp=1, cost_fn=population.miss, prevalence=population.prevalence)
        best = {}
        for name, s in scores.items():
            found = ic.best_threshold(ic.RocCurve.from_scores(y, s), self.condition)
            best[name] = (self.cost_at(name, found.threshold), found.threshold)
        model = min(best, key=lambda name: best[name][0])
        self.best = model, best[model][1]
        # Poor: the threshold above the best one at which it costs a quarter more.
        cuts = np.quantile(np.concatenate(self.sides[model]), np.linspace(0.05, 0.95, 181))
        worse = [cut for cut in cuts.tolist() if self.cost_at(model, cut) >= 1.25 * best[model][0]]
        self.poor = model, min(worse or [float(cuts[-1])], key=lambda cut: abs(cut - best[model][1]))

    def rates(self, name: str, cut: float) -> tuple[float, float]:
        """Return fpr and tpr of a threshold."""
        fpr, tpr = (1 - np.searchsorted(side, cut) / side.size for side in self.sides[name])
        return float(fpr), float(tpr)

    def cost_at(self, name: str, cut: float) -> float:
        """Return what a threshold costs per case."""
        fpr, tpr = self.rates(name, cut)
        return self.w0 * fpr + self.w1 * (1 - tpr)

    def of(self, rule: Any) -> tuple[float, float, float]:
        """Return fpr, tpr and cost of a decided rule or of an alternative."""
        if rule.rule in ("nobody", "everybody"):
            rate = float(rule.rule == "everybody")
            return rate, rate, self.w0 * rate + self.w1 * (1 - rate)
        if rule.rule == "band":
            (x1, y1, _), (x0, y0, _) = (
                self.of_end(rule.model, end) for end in (rule.review.flag_from, rule.review.review_from)
            )
            reviewed = (1 - self.p) * (x0 - x1) + self.p * (y0 - y1)
            return x1, y0, self.w0 * x1 + self.w1 * (1 - y0) + REVIEW * reviewed
        return *self.rates(rule.model, rule.threshold), self.cost_at(rule.model, rule.threshold)

    def of_end(self, model: str, end: Any) -> tuple[float, float, float]:
        """Return rates at one end of a band."""
        if end.rule in ("nobody", "everybody"):
            return self.of(end)
        return *self.rates(model, end.threshold), 0.0


REVIEW = 0.3
MAX_FPR, MAX_FLAGGED = 0.1, 0.3
# Nothing is to be called clear with fewer cases of a class, or where a limit holds with a smaller chance.
FEW, SURE = 30, 0.9


def ask(population: Population, sample: Any, seed: int, **asked: Any) -> Any:
    """Return a decision as a user gets it."""
    y, scores, groups = sample
    comparison = ic.Comparison.from_scores(y, scores, cluster=groups)
    condition = ic.Condition(cost_fp=1, cost_fn=population.miss, prevalence=population.prevalence)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return comparison.decide(condition, n_resamples=RESAMPLES, rng=seed, independent=True, **asked)


def price_of(found: Any, truth: Truth, into: dict[str, list[Any]], what: str) -> float:
    """Note the bias of a price and whether its interval holds; return the true cost."""
    true, sure = truth.of(found)[2], found.confidence
    into[f"{what}: bias"].append((sure.price, true))
    into[f"{what}: holds"].append(sure.interval[0] - 1e-9 <= true <= sure.interval[1] + 1e-9)
    return true


def one(population: Population, truth: Truth, n: int, seed: int, only: Any, into: dict[str, list[Any]]) -> None:
    """Draw a sample, ask everything about it, and note what was true."""
    rng = np.random.default_rng([seed, n, sum(map(ord, population.name))])
    sample = population.draw(n, rng)
    if "price" in only or "labels" in only:
        found = ask(population, sample, seed, current=truth.best)
        true, sure = price_of(found, truth, into, "price"), found.confidence
        rivals = {a.model: truth.of(a)[2] - true for a in found.alternatives if a.rule != "none" and a.extra_interval}
        models = [a for a in found.alternatives if a.model in truth.sides and a.extra_interval]
        if models:
            low, high = models[0].extra_interval
            into["next best: holds"].append(low - 1e-9 <= rivals[models[0].model] <= high + 1e-9)
        loss = max(0.0, -min(rivals.values()))
        into["worst loss: holds"].append(loss <= sure.worst_loss + 1e-9)
        into[f"grade: {sure.grade}"].append(1)
        into["clear, of too few"].append(sure.grade == "clear" and min(sure.positives, sure.negatives) < FEW)
        if sure.grade == "clear":
            into["clear: loses more"].append(loss > sure.good_enough + 1e-9)
        saving(found, truth.cost_at(*truth.best) - true, into, "saving, best in use")
        if "labels" in only and n == 200:
            labels(population, sample, found, seed, rng, into)
    if "poor" in only:
        found = ask(population, sample, seed, current=truth.poor)
        saving(found, truth.cost_at(*truth.poor) - truth.of(found)[2], into, "saving, poor in use")
    if "limits" in only:
        for kind, value in (("max_fpr", MAX_FPR), ("max_flagged", MAX_FLAGGED)):
            found = ask(population, sample, seed, **{kind: value})
            price_of(found, truth, into, f"{kind}")
            fpr, tpr, _ = truth.of(found)
            share = fpr if kind == "max_fpr" else (1 - truth.p) * fpr + truth.p * tpr
            chance = found.confidence.limits_hold[kind]
            into[f"{kind}: chance"].append((chance, share <= value))
            into["clear, of too few"].append(found.confidence.grade == "clear" and chance < SURE)
    if "review" in only:
        price_of(ask(population, sample, seed, cost_review=REVIEW), truth, into, "review")


def saving(found: Any, true: float, into: dict[str, list[Any]], what: str) -> None:
    """Note whether the interval of a saving holds, and false claims."""
    if found.current.same:
        return
    low, high = found.current.saving_interval
    into[f"{what}: holds"].append(low - 1e-9 <= true <= high + 1e-9)
    into[f"{what}: false"].append(low > 0 and true <= 0)


def labels(
    population: Population, sample: Any, found: Any, seed: int, rng: Generator, into: dict[str, list[Any]]
) -> None:
    """Draw as many more labels as were proposed, and ask again."""
    more = found.confidence.labels.enough
    if more is None:
        into["labels: none"].append(1)
    if not more or more > 30_000:
        return
    y, scores, groups = sample
    others, further, _ = population.draw(more, rng)
    both = np.concatenate([y, others]), {name: np.concatenate([s, further[name]]) for name, s in scores.items()}
    joined = (
        None if groups is None else np.concatenate([groups, groups.max() + 1 + np.arange(more) // population.cluster])
    )
    again = ask(population, (*both, joined), seed, good_enough=1000 * found.confidence.good_enough).confidence
    into["labels: settled"].append(again.worst_loss <= again.good_enough)


def report(n: int, results: dict[str, dict[str, list[Any]]], only: Any) -> int:
    """Print what was printed and what was true against the bars; return the misses."""
    misses = 0

    def line(text: str, value: float, ok: bool, worst: str = "") -> None:
        nonlocal misses
        misses += not ok
        print(f"n={n:5d}  {text:60s} {value:7.1f} {worst:38s} {'' if ok else 'MISS'}", flush=True)

    def share(key: str, mean_bar: float, each_bar: float, *, bars: dict[str, float] | None = None) -> None:
        held = {name: 100 * float(np.mean(r[key])) for name, r in results.items() if r.get(key)}
        if held:
            low = min(held, key=lambda name: held[name] - (bars or {}).get(name, each_bar))
            fine = all(v >= (bars or {}).get(name, each_bar) for name, v in held.items())
            mean = float(np.mean(list(held.values())))
            line(f"{key}, %", mean, fine and mean >= mean_bar, f"(worst {low} {held[low]:.0f})")

    for what in ("price", "max_fpr", "max_flagged", "review"):
        bias = {
            name: 100 * (sum(p for p, _ in r[f"{what}: bias"]) / sum(t for _, t in r[f"{what}: bias"]) - 1)
            for name, r in results.items() if r.get(f"{what}: bias")
        }  # fmt: skip
        if bias:
            far = max(bias, key=lambda name: abs(bias[name]))
            mean, bar = float(np.mean(list(bias.values()))), 4.0 if n <= 60 else 2.0
            fine = what != "price" or (abs(mean) <= bar and (n <= 60 or abs(bias[far]) <= 5))
            line(f"{what}: bias, % of the true cost", mean, fine, f"(farthest {far} {bias[far]:+.1f})")
            least = 85.0 if what == "review" else 87.0
            share(f"{what}: holds", 0, least, bars={"useless": 80.0} if what == "review" else None)
        pairs = [pair for r in results.values() for pair in r.get(f"{what}: chance", [])]
        if pairs:
            reported, held = (100 * float(np.mean(part)) for part in zip(*pairs, strict=True))
            line(f"{what}: chance that it holds, %", reported, abs(reported - held) <= 8, f"(held in {held:.0f})")
    share("saving, best in use: holds", 0, 87)
    share("saving, poor in use: holds", 0, 87)
    false = [v for r in results.values() for v in r.get("saving, best in use: false", [])]
    if false:
        line("saving, best in use: false claims, %", 100 * float(np.mean(false)), np.mean(false) <= 0.05)
    share("next best: holds", 87, 82)
    share("worst loss: holds", 95, 91)
    clear = [v for r in results.values() for v in r.get("clear: loses more", [])]
    if clear:
        line(
            f"clear: loses more, % of {len(clear)}",
            100 * float(np.mean(clear)),
            np.mean(clear) <= (0.10 if n == 200 else 0.05),
        )
    few = sum(sum(r.get("clear, of too few", [])) for r in results.values())
    line(f"clear with fewer than {FEW} cases of a class, or limits of doubt", few, few == 0)
    grades = {g: sum(len(r.get(f"grade: {g}", [])) for r in results.values()) for g in ("clear", "leaning", "open")}
    if sum(grades.values()):
        print(
            f"n={n:5d}  grades: " + ", ".join(f"{g} {100 * c / sum(grades.values()):.0f} %" for g, c in grades.items())
        )
    settled = [v for r in results.values() for v in r.get("labels: settled", [])]
    if settled and "labels" in only:
        line(f"labels: settled, % of {len(settled)}", 100 * float(np.mean(settled)), np.mean(settled) >= 0.8)
    return misses


def main() -> int:
    """Run the populations and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--cases", type=int, nargs="*", default=list(CASES))
    parser.add_argument("--only", nargs="*", default=list(KINDS), choices=KINDS)
    parser.add_argument("--population", nargs="*", default=None)
    asked = parser.parse_args()
    chosen = [p for p in POPULATIONS if asked.population is None or p.name in asked.population]
    truths = {p.name: Truth(p) for p in chosen}
    misses = 0
    for n in asked.cases:
        results: dict[str, dict[str, list[Any]]] = {}
        for population in chosen:
            found: dict[str, list[Any]] = defaultdict(list)
            for seed in range(asked.samples):
                one(population, truths[population.name], n, seed, asked.only, found)
            results[population.name] = found
        misses += report(n, results, asked.only)
        kept = {p.name: results[p.name] for p in chosen if p.kept}
        if kept and len(kept) < len(results):
            print("on the populations kept for reporting:")
            report(n, kept, asked.only)
    print(f"{misses} misses of the bars")
    return int(misses > 0)


if __name__ == "__main__":
    sys.exit(main())

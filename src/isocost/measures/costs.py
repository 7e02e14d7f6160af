"""What decisions cost with the best threshold: on average, in money, at one condition, and the H-measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from isocost.conditions import Atoms, Beta, Condition, Conditions
from isocost.curves import RocCurve
from isocost.curves.roc import ContinuousRocCurve, prevalence_or, refuse_continuous, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import ConditionError
from isocost.measures.registry import CostGrid, OfCosts, affine, hat_weights, measure, shared
from isocost.results import Result


@measure(
    "lower", (0, 0.5), "ranks conditions", "Drummond & Holte 2000", "10.1145/347090.347126",
    place=2, of_costs=lambda grid, at, options: None if options else affine(0.0, hat_weights(grid.pcf, Conditions.of(at))),
    optimism="hull", see="total_cost voros",
    formula=r"E_t \min_i\,[t\,fpr_i + (1 - t)(1 - tpr_i)]",
)  # fmt: skip
def mean_normalised_cost(curve: RocCurve, *, condition: Conditions | Condition | None = None) -> float:
    """Return the expected normalised cost with the best threshold at each condition; lower is better, 0 to 0.5.

    The mean of the lower envelope c(t) over the conditions, trivial classifiers included: the area under the cost curve when
    every t is equally likely. The trivial classifiers alone have 0.25 then.

    Examples
    --------
    >>> cost = ic.measures.mean_normalised_cost
    >>> round(cost(curve), 4), round(cost(curve, condition=ic.Condition(1, 5, 0.3)), 4)
    (0.1, 0.1591)
    """
    density = Conditions.of(condition).density
    if isinstance(curve, ContinuousRocCurve):
        return density.expect(curve.optimal_cost, curve.breaks)
    if isinstance(density, Atoms):
        return density.expect(curve.optimal_cost, curve.switches)
    edges = np.concatenate([[0.0], curve.switches, [1.0]])
    hull = curve.hull
    mass, share = (density.moments(edges, kind)[::-1] for kind in ("1", "t"))
    return float(hull.fpr @ share + (1 - hull.tpr) @ (mass - share))


Published = Literal["2009", "2014"]


def _h_of_costs(grid: CostGrid, _: Conditions | Condition | None, options: dict[str, Any]) -> OfCosts | None:
    if not (grid.whole and grid.alone) or grid.varies(options):
        return None
    loss = _loss_weights(grid.pcf, grid.prevalence(options), options)
    return affine(1.0, -loss / (np.minimum(grid.pcf, 1 - grid.pcf) @ loss))


def _loss_weights(pcf: Floats, pi: float, options: dict[str, Any]) -> Floats:
    """Return weights w with w @ costs = the mean loss of the H-measure, costs linear in t between the conditions."""
    t = 1 - pcf[::-1]
    # At the cost share c the loss is worst·cost(t) with worst = π + c·(1-2π) and worst·t = c·(1-π): linear in c, like t.
    c = t * pi / (t * pi + (1 - t) * (1 - pi))
    density = cost_density(options.get("severity_ratio"), options.get("beta"), pi)
    mass, mean = (density.moments(c, kind) for kind in ("1", "t"))
    worst = pi * mass + (1 - 2 * pi) * mean
    return shared(t, worst, (1 - pi) * mean)


@measure(
    "higher", (0, 1), "ranks prevalence", "Hand 2009", "10.1007/s10994-009-5119-5",
    place=3, of_costs=_h_of_costs, optimism="hull", see="mean_normalised_cost minimum_weighted_loss",
    cites="Hand (2009), Machine Learning 77:103-123, doi:10.1007/s10994-009-5119-5; Hand & Anagnostopoulos 2014",
    formula=r"1 - \frac{L}{L_0},\quad L = E_c \min_i\,[c\,(1 - \pi)\,fpr_i + (1 - c)\,\pi\,(1 - tpr_i)]",
)  # fmt: skip
def h_measure(
    curve: RocCurve,
    *,
    severity_ratio: float | None = None,
    beta: tuple[float, float] | Published | None = None,
    prevalence: float | None = None,
) -> float:
    """Return Hand's H-measure; higher is better, 0 (no better than the trivial classifiers) to 1.

    L is the mean of the smallest loss over the cost share c = cost_fp/(cost_fp + cost_fn), which has a Beta distribution; L₀ is that
    of the trivial classifiers.

    Parameters
    ----------
    severity_ratio : float, optional
        cost_fp/cost_fn at the mode of the distribution, Beta(2, 1 + 1/ratio). By default π/(1-π), as in the R and PyPI
        packages `hmeasure`.
    beta : (a, b) or "2009" or "2014", optional
        Another Beta(a, b) on c: "2009" is Beta(2, 2) of Hand (2009), "2014" is Beta(1 + π, 2 - π) of Hand &
        Anagnostopoulos (2014).

    Examples
    --------
    >>> round(ic.h_measure(curve), 4), round(ic.h_measure(curve, beta="2014"), 4)
    (0.5893, 0.5873)
    """
    refuse_continuous(curve, "h_measure needs")
    pi = checks.inner_rate(prevalence_or(curve, prevalence), "prevalence")
    density = cost_density(severity_ratio, beta, pi)
    trivial = _mean_loss(density, np.array([0.0, 1.0]), np.array([1.0, 0.0]), pi)
    checks.positive(trivial, f"the loss of the trivial classifiers at prevalence {pi:g}, by which h_measure divides,")
    return 1 - _mean_loss(density, curve.hull.fpr, 1 - curve.hull.tpr, pi) / trivial


def severity(severity_ratio: float | None, pi: float) -> float:
    """Return the ratio cost_fp/cost_fn given, else the one at which both trivial classifiers cost the same."""
    return pi / (1 - pi) if severity_ratio is None else checks.positive(severity_ratio, "severity_ratio")


def cost_density(severity_ratio: float | None, beta: tuple[float, float] | str | None, pi: float) -> Beta:
    """Return the distribution of the cost share c that the H-measure averages over."""
    if beta is None:
        return Beta(2.0, 1 + 1 / severity(severity_ratio, pi))
    checks.at_most_one("give severity_ratio or beta", severity_ratio=severity_ratio, beta=beta)
    if isinstance(beta, str):
        published = {"2009": (2.0, 2.0), "2014": (1 + pi, 2 - pi)}
        return Beta(*published[checks.choice(beta, "beta", tuple(published))])
    a, b = checks.pair(beta, "beta")
    return Beta(checks.positive(a, "beta a"), checks.positive(b, "beta b"))


def _mean_loss(density: Beta, fpr: Floats, missed: Floats, pi: float) -> float:
    """Return E[min over hull vertices of c·(1-π)·fpr + (1-c)·π·missed], vertices from (0, 0) to (1, 1)."""
    # Vertices that differ by a few of very many cases may have the same rates.
    apart = np.append(True, (np.diff(fpr) != 0) | (np.diff(missed) != 0))
    fpr, missed = fpr[apart], missed[apart]
    rise, run = -pi * np.diff(missed), (1 - pi) * np.diff(fpr)
    with np.errstate(invalid="ignore"):  # a prevalence that no product holds; the caller looks at the sum
        edges = np.concatenate([[1.0], rise / (rise + run), [0.0]])[::-1]
    mass, share = (density.moments(edges, kind)[::-1] for kind in ("1", "t"))
    return float((1 - pi) * (fpr @ share) + pi * (missed @ (mass - share)))


@measure(
    "higher", (0, 1), "ranks", "Hand & Anagnostopoulos 2014", "10.1016/j.patrec.2013.12.011",
    place=7, of_costs=lambda grid, *_: affine(1.0, -2 * hat_weights(grid.pcf, Conditions.from_t(0.5))) if grid.whole else None,
    optimism="hull", see="minimum_error_rate minimum_weighted_loss", cites="Hand & Anagnostopoulos 2014; Youden 1950",
    formula=r"\max_i\,(tpr_i - fpr_i)",
)  # fmt: skip
def ks(curve: RocCurve) -> float:
    """Return the Kolmogorov-Smirnov statistic, the largest tpr - fpr; higher is better, 0 to 1.

    It is also Youden's J at the best threshold. One-sided: scores that rank backwards get 0 (or what their best threshold
    reaches), where a two-sided statistic would reward them.

    Examples
    --------
    >>> round(ic.measures.ks(curve), 4)
    0.6667
    """
    # Cheapest where both errors weigh the same; its cost is ½(fpr + 1 - tpr).
    return max(0.0, 1 - 2 * float(curve.optimal_cost(0.5)))


@measure(
    "lower", (0, 0.5), "ranks prevalence", "Hand 2009", "10.1007/s10994-009-5119-5",
    place=8, of_costs=lambda grid, _, options: grid.at_prevalence(options) if grid.whole and grid.alone else None,
    optimism="hull", see="minimum_weighted_loss ks",
    formula=r"\min_i\,[(1 - \pi)\,fpr_i + \pi\,(1 - tpr_i)]",
)  # fmt: skip
def minimum_error_rate(curve: RocCurve, *, prevalence: float | None = None) -> float:
    """Return the lowest share of wrong decisions over all thresholds; lower is better, 0 to 0.5.

    It is 1 - the best accuracy.

    Examples
    --------
    >>> round(ic.measures.minimum_error_rate(curve), 4)
    0.2
    """
    pi = prevalence_or(curve, prevalence)
    return float(curve.optimal_cost(np.asarray(1 - pi)))


def _loss_of_costs(grid: CostGrid, _: Conditions | Condition | None, options: dict[str, Any]) -> OfCosts | None:
    if not (grid.whole and grid.alone) or grid.varies(options):
        return None
    worst, t = _weighted(severity(options.get("severity_ratio"), grid.prevalence(options)), grid.prevalence(options))
    return affine(0.0, 2 * worst * hat_weights(grid.pcf, Conditions.from_t(t)))


def _weighted(ratio: float, pi: float) -> tuple[float, float]:
    """Return the worst loss at a ratio of severities, and the t that they amount to."""
    alarms, misses = ratio / (1 + ratio) * (1 - pi), pi / (1 + ratio)
    return alarms + misses, alarms / (alarms + misses)


@measure(
    "lower", (0, 0.5), "ranks prevalence", "Hand & Anagnostopoulos 2014", "10.1016/j.patrec.2013.12.011",
    place=9, of_costs=_loss_of_costs, optimism="hull", see="minimum_error_rate h_measure",
    formula=r"2 \min_i\,[c\,(1 - \pi)\,fpr_i + (1 - c)\,\pi\,(1 - tpr_i)],\quad c = \frac{ratio}{1 + ratio}",
)  # fmt: skip
def minimum_weighted_loss(
    curve: RocCurve, *, severity_ratio: float | None = None, prevalence: float | None = None
) -> float:
    """Return the lowest error rate with false alarms and misses weighted by their severity; lower is better, 0 to 0.5.

    At ratio 1 it is the lowest error rate.

    Parameters
    ----------
    severity_ratio : float, optional
        cost_fp/cost_fn. By default π/(1-π), as in the R package `hmeasure`: both trivial classifiers cost the same then.

    Examples
    --------
    >>> round(ic.measures.minimum_weighted_loss(curve), 4)
    0.16
    """
    pi = checks.inner_rate(prevalence_or(curve, prevalence), "prevalence")
    worst, t = _weighted(severity(severity_ratio, pi), pi)
    return float(2 * worst * curve.optimal_cost(np.asarray(t)))


@dataclass(frozen=True, repr=False)
class TotalCost(Result):
    """What a number of cases will cost with the best threshold at each condition, in the unit of the costs.

    Attributes
    ----------
    mean : float or None
        Expected cost. None when the conditions are ranges: they say what is possible, not how likely it is.
    low, high : float
        The lowest and the highest expected cost that the stated costs and prevalences allow.
    cases : float
        Number of cases the costs are for.
    model : str or None
    condition : str
        In words.
    """

    mean: float | None
    low: float
    high: float
    cases: float
    model: str | None
    condition: str

    def __repr__(self) -> str:
        span = f"{self.low:.4g}" if self.low == self.high else f"between {self.low:.4g} and {self.high:.4g}"
        mean = "" if self.mean is None or self.low == self.high else f"{self.mean:.4g} expected, "
        return f"<TotalCost: {mean}{span} for {self.cases:g} case{'' if self.cases == 1 else 's'}>"


@takes_curve(
    r"\min_i\,[c_{fp} (1 - \pi)\,fpr_i + c_{fn}\,\pi\,(1 - tpr_i)]",
    see="mean_normalised_cost isocost.Comparison.decide",
)  # fmt: skip
def total_cost(curve: RocCurve, condition: Condition | Conditions, *, cases: float = 1.0) -> TotalCost:
    """Return the expected cost of `cases` cases in the unit of the costs, with the best threshold at each condition; lower is better.

    per case at known costs and prevalence π, plus what correct decisions cost. `Conditions.from_costs` ranges give exact bounds; beliefs
    give a mean as well, which accounts for costly conditions weighing more than cheap ones: it is not the mean normalised cost times a
    mean worst cost.

    Parameters
    ----------
    condition : Condition or Conditions
        With costs: a Condition, or Conditions made by `from_costs` or `from_beliefs`.
    cases : float
        Number of cases to be decided.

    Examples
    --------
    >>> ic.measures.total_cost(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), cases=1000)
    <TotalCost: 350 for 1000 cases>
    >>> ic.measures.total_cost(curve, ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=(0.1, 0.3)), cases=1000)
    <TotalCost: between 166.7 and 450 for 1000 cases>
    >>> ic.measures.total_cost(curve, ic.Conditions.from_beliefs(cost_fn=(5, 20), prevalence=0.1), cases=1000)
    <TotalCost: 369.7 expected, between 166.7 and 450 for 1000 cases>
    """
    refuse_continuous(curve, "total_cost needs")
    many = checks.count(cases, "cases")
    if isinstance(condition, Condition):
        worst = condition.worst_cost - condition.best_cost
        cost = many * (condition.best_cost + worst * float(curve.optimal_cost(condition.t)))
        return TotalCost(cost, cost, cost, many, curve.name, str(condition))
    condition = Conditions.of(condition)
    without = f"{condition!r} is a distribution of t without costs: give them with a Condition, Conditions.from_costs or from_beliefs"
    ranges = checks.needed(condition.ranges, without, error=ConditionError)
    base = _of_correct_answers(condition)
    low, high = _bounds(curve, ranges, base)
    mean, money = None, condition.worst_cost
    if money is not None:
        at: Callable[[Floats], Floats] = money if callable(money) else lambda _: np.asarray(money)
        mean = condition.density.expect(lambda t: at(t) * curve.optimal_cost(t), curve.switches)
        if condition.quantities is not None:
            mean += float(base(np.array(condition.quantities["prevalence"].mean)))
    return TotalCost(None if mean is None else many * mean, many * low, many * high, many, curve.name, str(condition))


def _of_correct_answers(condition: Conditions) -> Callable[[Floats], Floats]:
    """Return what correct answers cost per case at each prevalence; ranges of that would make the bounds inexact."""
    known = {name: (condition.quantities or {}).get(name) for name in ("cost_tp", "cost_tn")}
    for name, quantity in known.items():
        if quantity is not None:
            checks.single(quantity.low, quantity.high, f"{name} of total_cost", "pass a number")
    tp, tn = (0.0 if quantity is None else quantity.mean for quantity in known.values())
    return lambda p: tn * (1 - p) + tp * p


def _bounds(
    curve: RocCurve, ranges: dict[str, tuple[float, float]], base: Callable[[Floats], Floats]
) -> tuple[float, float]:
    """Return the lowest and highest cost per case over a box of costs and prevalences."""
    (fp_low, fp_high), (fn_low, fn_high), (p_low, p_high) = (ranges[n] for n in ("cost_fp", "cost_fn", "prevalence"))
    # The cost grows with both costs and is concave in the prevalence: lowest at an end of the range of prevalences, highest
    # where it stops growing, which is an end or a prevalence at which the best threshold changes.
    ends = np.array([p_low, p_high])
    lowest = (_cost(curve, fp_low, fn_low, ends) + base(ends)).min()
    with np.errstate(invalid="ignore", divide="ignore"):
        run, rise = fp_high * np.diff(curve.hull.fpr), fn_high * np.diff(curve.hull.tpr)
        changes = run / (run + rise)
    candidates = np.unique(np.concatenate([ends, changes[(changes > p_low) & (changes < p_high)]]))
    highest = (_cost(curve, fp_high, fn_high, candidates) + base(candidates)).max()
    return float(lowest), float(highest)


def _cost(curve: RocCurve, fp: float, fn: float, prevalence: Floats) -> Floats:
    """Return the cost per case at each prevalence; an infinite cost counts only where its error can happen."""
    p = prevalence[:, None]
    alarms, misses = (1 - p) * curve.hull.fpr, p * (1 - curve.hull.tpr)
    with np.errstate(invalid="ignore"):
        costs = np.where(alarms > 0, fp * alarms, 0.0) + np.where(misses > 0, fn * misses, 0.0)
    return np.asarray(costs.min(axis=1))

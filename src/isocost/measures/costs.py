"""What decisions cost with the best threshold: on average, at one condition, and the H-measure."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from isocost.conditions import Atoms, Beta, Condition, Conditions
from isocost.curves import RocCurve
from isocost.curves.roc import ContinuousRocCurve, prevalence_or, refuse_continuous
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.measures.registry import CostGrid, OfCosts, affine, hat_weights, measure, shared


@measure(
    "lower", (0, 0.5), "ranks conditions", "Drummond & Holte 2000", "10.1145/347090.347126",
    place=2, of_costs=lambda grid, at, options: None if options else affine(0.0, hat_weights(grid.pcf, Conditions.of(at))),
    optimism="hull", see="h_measure voros",
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
    mass, share = (part[::-1] for part in density.moments(edges))
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
    mass, mean = density.moments(c)
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
    mass, share = (part[::-1] for part in density.moments(edges))
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

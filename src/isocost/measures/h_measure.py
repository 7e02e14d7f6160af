"""The H-measure: how much of the loss of the trivial classifiers a model saves, over a Beta distribution of costs."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.densities import Beta
from isocost.errors import InputError
from isocost.measures.of_costs import CostGrid, OfCosts, affine, shared
from isocost.measures.registry import measure
from isocost.roc_space import RocCurve
from isocost.validate import Floats

Published = Literal["2009", "2014"]


def _of_costs(grid: CostGrid, _: Conditions | Condition | None, options: dict[str, Any]) -> OfCosts | None:
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
    "higher",
    (0, 1),
    "ranks prevalence",
    "Hand 2009",
    "10.1007/s10994-009-5119-5",
    place=3,
    of_costs=_of_costs,
    optimism="hull",
)
def h_measure(
    curve: RocCurve,
    *,
    severity_ratio: float | None = None,
    beta: tuple[float, float] | Published | None = None,
    prevalence: float | None = None,
) -> float:
    """Return Hand's H-measure; higher is better, 0 (no better than the trivial classifiers) to 1.

    H = 1 - L/L₀, where L is the mean over the cost share c = cost_fp/(cost_fp + cost_fn) of the smallest loss
    c·(1-π)·fpr + (1-c)·π·(1-tpr), L₀ that of the trivial classifiers, and c has a Beta distribution.

    Parameters
    ----------
    curve : RocCurve
    severity_ratio : float, optional
        cost_fp/cost_fn at the mode of the distribution, Beta(2, 1 + 1/ratio). By default π/(1-π), as in the R and PyPI
        packages `hmeasure`.
    beta : (a, b) or "2009" or "2014", optional
        Another Beta(a, b) on c: "2009" is Beta(2, 2) of Hand (2009), "2014" is Beta(1 + π, 2 - π) of Hand &
        Anagnostopoulos (2014).
    prevalence : float, optional
        π; the data's own by default.

    References
    ----------
    Hand (2009), Machine Learning 77:103-123, doi:10.1007/s10994-009-5119-5.
    Hand & Anagnostopoulos (2014), Pattern Recognition Letters 40:41-46, doi:10.1016/j.patrec.2013.12.011.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.h_measure(curve), 4), round(ic.h_measure(curve, beta="2014"), 4)
    (0.5893, 0.5873)
    """
    pi = inner_prevalence(curve, prevalence)
    density = cost_density(severity_ratio, beta, pi)
    trivial = _mean_loss(density, np.array([0.0, 1.0]), np.array([1.0, 0.0]), pi)
    if not trivial > 0:
        raise InputError(
            f"prevalence {pi:g} is too near 0 or 1 for the H-measure: even the trivial classifiers cost nothing there"
        )
    return 1 - _model_loss(curve, density, pi) / trivial


def inner_prevalence(curve: RocCurve, prevalence: float | None) -> float:
    """Return the prevalence given or the data's own; it must leave both classes."""
    return validate.inner_rate(curve._prevalence_or(prevalence), "prevalence")


def severity(severity_ratio: float | None, pi: float) -> float:
    """Return the ratio cost_fp/cost_fn given, else the one at which both trivial classifiers cost the same."""
    return pi / (1 - pi) if severity_ratio is None else validate.positive(severity_ratio, "severity_ratio")


def cost_density(severity_ratio: float | None, beta: tuple[float, float] | str | None, pi: float) -> Beta:
    """Return the distribution of the cost share c that the H-measure averages over."""
    if beta is None:
        return Beta(2.0, 1 + 1 / severity(severity_ratio, pi))
    if severity_ratio is not None:
        raise InputError(f"give severity_ratio or beta, not both: got {severity_ratio!r} and {beta!r}")
    if isinstance(beta, str):
        published = {"2009": (2.0, 2.0), "2014": (1 + pi, 2 - pi)}
        return Beta(*published[validate.choice(beta, "beta", tuple(published))])
    a, b = validate.pair(beta, "beta")
    return Beta(validate.positive(a, "beta a"), validate.positive(b, "beta b"))


def _model_loss(curve: RocCurve, density: Beta, pi: float) -> float:
    from isocost.roc_space.parametric import ContinuousRocCurve

    if not isinstance(curve, ContinuousRocCurve):
        return _mean_loss(density, curve.hull.fpr, 1 - curve.hull.tpr, pi)

    def loss(c: Floats) -> Floats:
        worst = c * (1 - pi) + (1 - c) * pi
        return np.asarray(worst * curve.optimal_cost(c * (1 - pi) / worst))

    t = curve.breaks
    return density.expect(loss, t * pi / (t * pi + (1 - t) * (1 - pi)))


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

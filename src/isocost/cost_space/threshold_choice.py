"""What a classifier costs under each way of choosing its threshold."""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np

from isocost import validate
from isocost.cost_space.axes import AXES, Axis
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.envelope import envelope
from isocost.cost_space.random_thresholds import rate_uniform, score_uniform
from isocost.cost_space.rate_driven import rate_driven, same_thresholds
from isocost.cost_space.score_driven import probabilities_of, score_driven
from isocost.cost_space.shares import Shares
from isocost.errors import InputError
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve

Method = Literal["best", "smooth", "rate_driven", "score_driven", "fixed", "score_uniform", "rate_uniform"]
METHODS: tuple[Method, ...] = (
    "best",
    "smooth",
    "rate_driven",
    "score_driven",
    "fixed",
    "score_uniform",
    "rate_uniform",
)
# One way of choosing for both of two models, or one for each.
Rules = Method | tuple[Method, Method]


def rules_of_two(method: Any) -> tuple[Method, Method]:
    """Return how either of two models chooses its thresholds.

    Examples
    --------
    >>> rules_of_two("rate_driven"), rules_of_two(("best", "rate_driven"))
    (('rate_driven', 'rate_driven'), ('best', 'rate_driven'))
    """
    pair = method if isinstance(method, tuple) and len(method) == 2 else (method, method)
    one, two = (validate.choice(rule, "method", METHODS) for rule in pair)
    return cast("Method", one), cast("Method", two)


@takes_curve()
def cost_curve(
    curve: RocCurve,
    *,
    method: Method = "best",
    threshold: float | None = None,
    axis: Axis = "pcf",
    prevalence: float | None = None,
    thresholds_from: RocCurve | None = None,
) -> CostCurve:
    """Return the cost of a classifier at every condition; lower is better, 0 to 1 on the pcf axis.

    Parameters
    ----------
    curve : RocCurve
        A curve made from score distributions is drawn through its fine sample; its measures are exact.
    method : {"best", "smooth", "rate_driven", "score_driven", "fixed", "score_uniform", "rate_uniform"}
        How the threshold is chosen at each x.

        - "best": the best one (the lower envelope, trivial classifiers included). Needs labelled cases to choose on.
        - "smooth": the best one under a smooth risk curve (`RocCurve.smooth`), paid for on the cases as they are. Needs labelled cases.
        - "rate_driven": the one that flags the share x of all cases, by a random choice between two thresholds where no single one
          does; quadratic pieces. Needs a ranking only. On pcf the share is the mean of fpr and tpr.
        - "score_driven": 1 - x, which is right if scores are true probabilities; straight pieces with jumps. Needs scores in [0, 1].
          Its area is the Brier score; on pcf, the mean of those of the two classes.
        - "fixed": the same `threshold` everywhere; a straight line.
        - "score_uniform": a random one between 0 and 1; a straight line. Needs scores in [0, 1]. Its area is the mean absolute error.
        - "rate_uniform": one that flags a random share of all cases; a straight line. Its area is 1/6 more than the rate-driven.
    threshold : float, optional
        For "fixed": flag scores ≥ threshold. Not needed if the curve is one crisp classifier (`RocCurve.from_predictions`,
        `from_confusion`, or a single point).
    axis : {"pcf", "cost_proportion"}
        "pcf": normalised cost over PCF(+) = 1 - t. "cost_proportion": 2·[(1-x)(1-π)·fpr + x·π·(1-tpr)], the scale of
        Hernández-Orallo et al. (2013), over x = cost_fn/(cost_fn + cost_fp) at a fixed prevalence π.
    prevalence : float, optional
        π for "cost_proportion", the data's own by default; on pcf it is part of x and changes nothing.
    thresholds_from : RocCurve, optional
        Choose the thresholds on this curve, made from other cases scored by the same model, and price them on `curve`. Without it,
        both happen on the same cases, which flatters "best". A choice to flag nobody or everybody carries over unchanged.

    References
    ----------
    Drummond & Holte (2000), doi:10.1145/347090.347126.
    Hernández-Orallo, Flach & Ferri (2012), A unified view of performance metrics, JMLR 13:2813-2869.
    Hernández-Orallo, Flach & Ferri (2013), ROC curves in cost space, Machine Learning 93:71-91, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> for method in ("best", "rate_driven", "score_driven"):
    ...     ic.cost_curve(curve, method=method)([0.25, 0.5, 0.75]).round(4).tolist()
    [0.0833, 0.1667, 0.125]
    [0.125, 0.3333, 0.125]
    [0.0833, 0.25, 0.125]
    >>> ic.cost_curve(curve, method="fixed", threshold=0.7)([0.25, 0.5, 0.75]).round(4).tolist()
    [0.4583, 0.4167, 0.375]
    """
    validate.choice(method, "method", METHODS)
    validate.choice(axis, "axis", AXES)
    if threshold is not None and method != "fixed":
        raise InputError(f"threshold={threshold!r} goes with method='fixed': {method!r} chooses its own")
    if thresholds_from is not None and not isinstance(thresholds_from, RocCurve):
        raise InputError(f"thresholds_from must be a RocCurve, got {type(thresholds_from).__name__}")
    shares = Shares.of(curve, axis, prevalence)
    match method:
        case "best":
            if thresholds_from is not None:
                return _chosen_elsewhere(shares, thresholds_from)
            return envelope(curve, axis=axis, prevalence=shares.about["prevalence"])
        case "smooth":
            return _chosen_elsewhere(shares, (thresholds_from or curve).smooth())
        case "rate_driven":
            return rate_driven(curve, axis=axis, prevalence=prevalence, chosen_on=thresholds_from)
        case "score_driven":
            if thresholds_from is not None:
                probabilities_of(thresholds_from, "method='score_driven'")
            return score_driven(curve, axis=axis, prevalence=prevalence)
        case "score_uniform":
            if thresholds_from is not None:
                probabilities_of(thresholds_from, "method='score_uniform'")
            return score_uniform(curve, axis=axis, prevalence=prevalence)
        case "rate_uniform":
            return rate_uniform(curve, axis=axis, prevalence=prevalence, chosen_on=thresholds_from)
        case "fixed":
            return fixed(curve, threshold, axis=axis, prevalence=prevalence)


def fixed(
    curve: RocCurve, threshold: float | None, *, axis: Axis = "pcf", prevalence: float | None = None
) -> CostCurve:
    """Return the cost line of the operating point that a threshold on the scores means."""
    shares = Shares.of(curve, axis, prevalence)
    point = fixed_point(curve, threshold)
    ends = ([2 * shares.false_alarms[point]], [2 * shares.misses[point]])
    return CostCurve.from_lines([0.0, 1.0], *ends, **shares.about)


def fixed_point(curve: RocCurve, threshold: float | None) -> int:
    """Return the index of the operating point that a threshold on the scores means."""
    if threshold is None:
        inner = [] if curve._given is None else np.flatnonzero(curve._given).tolist()
        if len(inner) == 1:
            return int(inner[0])
        raise InputError(f"method='fixed' needs a threshold: the curve has {len(curve)} points")
    return int(curve._points_at(validate.number(threshold, "threshold")))


def _chosen_elsewhere(paid: Shares, chosen_on: RocCurve) -> CostCurve:
    """Return the cost, on one set of cases, of the thresholds that are best on another."""
    curve = paid.curve
    points = same_thresholds(curve, chosen_on.hull)
    breaks = np.concatenate([[0.0], (1 - chosen_on.switch_t)[::-1], [1.0]])
    result = CostCurve.from_lines(breaks, curve.fpr[points], 1 - curve.tpr[points], name=curve.name)
    return result._on_axis(paid.axis, prevalence=paid.prevalence)

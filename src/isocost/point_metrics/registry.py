"""Every metric by name, what counts as a metric, and all of them for one confusion matrix."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from types import MappingProxyType
from typing import Any

from isocost import validate
from isocost.errors import InputError, UnknownNameError
from isocost.point_metrics import formulas
from isocost.point_metrics.metric import PointMetric, from_function
from isocost.results.result import Result

# What every function that takes a metric accepts.
AnyMetric = PointMetric | str | Callable[..., Any]

METRICS: Mapping[str, PointMetric] = MappingProxyType(
    {metric.name: metric for metric in vars(formulas).values() if isinstance(metric, PointMetric)}
)


def _sent(metric: PointMetric) -> tuple[Any, ...]:
    """Let results travel between processes: a metric of the registry is sent by name, its formulas are code."""
    known = METRICS.get(metric.name)
    if known is not None and metric.closed_form and known.formula == metric.formula:
        return restore, (metric.name, dict(metric.options))
    return _rebuild, (tuple(getattr(metric, f.name) for f in fields(metric)),)


copyreg.pickle(PointMetric, _sent)


def _rebuild(state: tuple[Any, ...]) -> PointMetric:
    return PointMetric(**{f.name: value for f, value in zip(fields(PointMetric), state, strict=True)})


def restore(name: str, options: Mapping[str, Any]) -> PointMetric:
    """Return a registered metric with options: how a stored one comes back."""
    metric = METRICS[name]
    return metric if dict(metric.options) == dict(options) else metric.with_options(**options)


def get_metric(metric: AnyMetric) -> PointMetric:
    """Return the metric with this name, or make one from a function of (fpr, tpr, skew_ratio).

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.get_metric("mcc")
    <PointMetric mcc: higher is better, -1 to 1>
    >>> ic.point_metrics.get_metric("acuracy")
    Traceback (most recent call last):
    isocost.errors.UnknownNameError: unknown metric 'acuracy': did you mean 'accuracy', ...
    """
    if isinstance(metric, PointMetric):
        return metric
    if isinstance(metric, str):
        if metric not in METRICS:
            raise UnknownNameError("metric", metric, METRICS)
        return METRICS[metric]
    if isinstance(metric, partial) and isinstance(metric.func, PointMetric) and not metric.args:
        return metric.func.with_options(**metric.keywords)
    if callable(metric):
        return from_function(metric)
    raise InputError(f"a metric is a name, a PointMetric or a function of (fpr, tpr, skew_ratio), got {metric!r}")


@dataclass(frozen=True)
class ConfusionMetrics(Result):
    """A confusion matrix as a point of ROC space, with the value of every metric there.

    Attributes
    ----------
    fpr, tpr : float
        The point.
    skew_ratio : float
        Negatives/positives in the matrix.
    cases : float
        Their sum.
    values : dict
        The value of each metric, by name; index the object itself for one of them.
    """

    fpr: float
    tpr: float
    skew_ratio: float
    cases: float
    values: Mapping[str, float]

    def __getitem__(self, name: str) -> float:
        if name not in self.values:
            raise UnknownNameError("metric", name, self.values)
        return self.values[name]


def from_confusion(tp: float, fn: float, fp: float, tn: float) -> ConfusionMetrics:
    """All metrics of a confusion matrix, at its own skew.

    Parameters
    ----------
    tp, fn, fp, tn : float
        Counts: positives flagged and missed, negatives flagged and left alone.

    Returns
    -------
    ConfusionMetrics
        The point of ROC space, its skew ratio, and the value of every metric with its default options. For one metric,
        or other options, use the metric's own `from_confusion`.

    Examples
    --------
    >>> import isocost as ic
    >>> found = ic.point_metrics.from_confusion(tp=16, fn=4, fp=4, tn=6)
    >>> found.fpr, found.tpr, found.skew_ratio, round(found["mcc"], 6), found["precision"]
    (0.4, 0.8, 0.5, 0.4, 0.8)
    """
    tp, fn, fp, tn = validate.confusion(tp, fn, fp, tn)
    return ConfusionMetrics(
        fpr=fp / (fp + tn),
        tpr=tp / (tp + fn),
        skew_ratio=(fp + tn) / (tp + fn),
        cases=tp + fn + fp + tn,
        values={name: metric.from_confusion(tp, fn, fp, tn) for name, metric in METRICS.items()},
    )

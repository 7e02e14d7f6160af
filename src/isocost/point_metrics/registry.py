"""Every metric by name, and what counts as a metric."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from types import MappingProxyType
from typing import Any

from isocost.errors import InputError, UnknownNameError
from isocost.point_metrics import formulas, splitting
from isocost.point_metrics.making import from_function
from isocost.point_metrics.metric import PointMetric

# What every function that takes a metric accepts.
AnyMetric = PointMetric | str | Callable[..., Any]

METRICS: Mapping[str, PointMetric] = MappingProxyType(
    {
        metric.name: metric
        for module in (formulas, splitting)
        for metric in vars(module).values()
        if isinstance(metric, PointMetric)
    }
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

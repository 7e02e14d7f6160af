"""Every metric of one confusion matrix at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from isocost import validate
from isocost.errors import UnknownNameError
from isocost.point_metrics.registry import METRICS
from isocost.results.result import Result


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

"""Metrics of one point of ROC space, their isometrics, and what they do under skew.

Every metric is called as `metric(fpr, tpr, skew_ratio)`, with numbers or arrays.
"""

from __future__ import annotations

from isocost.point_metrics.formulas import (
    accuracy,
    balanced_accuracy,
    f_measure,
    g_measure,
    kappa,
    laplace,
    lift,
    m_estimate,
    net_benefit,
    precision,
    recall,
    specificity,
    wracc,
    youden,
)
from isocost.point_metrics.from_counts import ConfusionMetrics, from_confusion
from isocost.point_metrics.isometrics import Isometric, Isometrics
from isocost.point_metrics.leaves import auc_split_table, gini_roc_table
from isocost.point_metrics.making import from_function
from isocost.point_metrics.metric import Gradient, PointMetric
from isocost.point_metrics.optimum import MetricOptimum, best_point
from isocost.point_metrics.paths import Locus, Path
from isocost.point_metrics.registry import METRICS, get_metric
from isocost.point_metrics.skew import Agreement, BiasComparison, CounterExample, agreement, more_biased_to_positives
from isocost.point_metrics.splitting import (
    auc_split,
    chi_squared,
    dkm_split,
    gini_roc,
    gini_split,
    information_gain,
    mcc,
    relative_impurity,
)
from isocost.point_metrics.surfaces import IsoSurface, isosurface
from isocost.point_metrics.table_splits import Split, SplitRanking, rank_splits

__all__ = [
    "METRICS",
    "Agreement",
    "BiasComparison",
    "ConfusionMetrics",
    "CounterExample",
    "Gradient",
    "IsoSurface",
    "Isometric",
    "Isometrics",
    "Locus",
    "MetricOptimum",
    "Path",
    "PointMetric",
    "Split",
    "SplitRanking",
    "accuracy",
    "agreement",
    "auc_split",
    "auc_split_table",
    "balanced_accuracy",
    "best_point",
    "chi_squared",
    "dkm_split",
    "f_measure",
    "from_confusion",
    "from_function",
    "g_measure",
    "get_metric",
    "gini_roc",
    "gini_roc_table",
    "gini_split",
    "information_gain",
    "isosurface",
    "kappa",
    "laplace",
    "lift",
    "m_estimate",
    "mcc",
    "more_biased_to_positives",
    "net_benefit",
    "precision",
    "rank_splits",
    "recall",
    "relative_impurity",
    "specificity",
    "wracc",
    "youden",
]

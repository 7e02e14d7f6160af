# The public names, each with its module: loaded when first used.

from isocost.metrics.formulas import (
    accuracy,
    auc_split,
    auc_split_table,
    balanced_accuracy,
    chi_squared,
    dkm_split,
    f_measure,
    from_confusion,
    g_measure,
    gini_roc,
    gini_roc_table,
    gini_split,
    information_gain,
    kappa,
    laplace,
    lift,
    m_estimate,
    mcc,
    net_benefit,
    npv,
    precision,
    recall,
    specificity,
    wracc,
    youden,
)
from isocost.metrics.isometrics import Isometric, Isometrics, IsoSurface, isometrics, isosurface
from isocost.metrics.loci import Locus, Path
from isocost.metrics.metric import METRICS, PointMetric, from_function
from isocost.metrics.skew import MetricOptimum, agreement, best_point, effective_skew, skew_equivalent, skew_sensitivity

__all__ = [
    "METRICS", "IsoSurface", "Isometric", "Isometrics", "Locus", "MetricOptimum", "Path", "PointMetric", "accuracy",
    "agreement", "auc_split", "auc_split_table", "balanced_accuracy", "best_point", "chi_squared", "dkm_split",
    "effective_skew", "f_measure", "from_confusion", "from_function", "g_measure", "gini_roc", "gini_roc_table",
    "gini_split", "information_gain", "isometrics", "isosurface", "kappa", "laplace", "lift", "m_estimate", "mcc",
    "net_benefit", "npv", "precision", "recall", "skew_equivalent", "skew_sensitivity",
    "specificity", "wracc", "youden",
]  # fmt: skip

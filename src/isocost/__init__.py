"""Which classifier to deploy, at which threshold, when costs and class balance are uncertain.

>>> import isocost as ic
>>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
>>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)).threshold
0.6
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isocost import integrations as integrations
    from isocost import plots as plots
    from isocost import point_metrics as point_metrics
    from isocost.comparison import Comparison as Comparison
    from isocost.comparison import Decision as Decision
    from isocost.comparison import Hybrid as Hybrid
    from isocost.comparison import Regret as Regret
    from isocost.comparison import Win as Win
    from isocost.comparison import cost_dominates as cost_dominates
    from isocost.comparison import roc_dominates as roc_dominates
    from isocost.comparison.multiclass import ClassByClass as ClassByClass
    from isocost.comparison.multiclass import MulticlassCost as MulticlassCost
    from isocost.comparison.multiclass import multiclass_cost as multiclass_cost
    from isocost.comparison.multiclass import one_vs_one as one_vs_one
    from isocost.comparison.multiclass import one_vs_rest as one_vs_rest
    from isocost.conditions import Condition as Condition
    from isocost.conditions import Conditions as Conditions
    from isocost.cost_space import CostCurve as CostCurve
    from isocost.cost_space import NetBenefitCurve as NetBenefitCurve
    from isocost.cost_space import brier_decomposition as brier_decomposition
    from isocost.cost_space import convex_skull as convex_skull
    from isocost.cost_space import cost_curve as cost_curve
    from isocost.cost_space import kendall_curve as kendall_curve
    from isocost.cost_space import net_benefit_curve as net_benefit_curve
    from isocost.cost_space import perfect_ranker_curve as perfect_ranker_curve
    from isocost.cost_space import rate_driven_decomposition as rate_driven_decomposition
    from isocost.cost_space.choice_methods import choice_methods as choice_methods
    from isocost.cost_space.parameter_based import parameter_based as parameter_based
    from isocost.counts import ScoreCounts as ScoreCounts
    from isocost.counts.joint_counts import JointCounts as JointCounts
    from isocost.errors import FewCasesWarning as FewCasesWarning
    from isocost.errors import IsocostError as IsocostError
    from isocost.inference import Band as Band
    from isocost.inference import Bootstrap as Bootstrap
    from isocost.inference import Cheapest as Cheapest
    from isocost.inference import DeLong as DeLong
    from isocost.inference import Honest as Honest
    from isocost.inference import Interval as Interval
    from isocost.inference import NetBenefitBand as NetBenefitBand
    from isocost.inference import average_cost_curves as average_cost_curves
    from isocost.inference import average_roc_curves as average_roc_curves
    from isocost.inference import band_over_folds as band_over_folds
    from isocost.inference import bootstrap_confusion as bootstrap_confusion
    from isocost.inference import net_benefit_band as net_benefit_band
    from isocost.inference import posterior_band as posterior_band
    from isocost.inference.bootstrap import bootstrap as bootstrap
    from isocost.inference.delong import delong as delong
    from isocost.measures import Bounds as Bounds
    from isocost.measures import LesserAreaCurve as LesserAreaCurve
    from isocost.measures import Measure as Measure
    from isocost.measures import RocSurface as RocSurface
    from isocost.measures import TotalCost as TotalCost
    from isocost.measures import auch as auch
    from isocost.measures import brier_loss as brier_loss
    from isocost.measures import calibration_loss as calibration_loss
    from isocost.measures import gini as gini
    from isocost.measures import kendall_distance as kendall_distance
    from isocost.measures import kendall_loss as kendall_loss
    from isocost.measures import ks as ks
    from isocost.measures import lesser_area_curve as lesser_area_curve
    from isocost.measures import level_saddle as level_saddle
    from isocost.measures import minimum_error_rate as minimum_error_rate
    from isocost.measures import minimum_weighted_loss as minimum_weighted_loss
    from isocost.measures import partial_auc as partial_auc
    from isocost.measures import rate_driven_loss as rate_driven_loss
    from isocost.measures import registered_measures as registered_measures
    from isocost.measures import total_cost as total_cost
    from isocost.measures.auc import auc as auc
    from isocost.measures.expected_cost import expected_cost as expected_cost
    from isocost.measures.h_measure import h_measure as h_measure
    from isocost.measures.lesser_area import lesser_area as lesser_area
    from isocost.measures.scores import auc_score as auc_score
    from isocost.measures.scores import auch_score as auch_score
    from isocost.measures.scores import brier_loss_score as brier_loss_score
    from isocost.measures.scores import calibration_loss_score as calibration_loss_score
    from isocost.measures.scores import expected_cost_score as expected_cost_score
    from isocost.measures.scores import gini_score as gini_score
    from isocost.measures.scores import h_measure_score as h_measure_score
    from isocost.measures.scores import kendall_loss_score as kendall_loss_score
    from isocost.measures.scores import ks_score as ks_score
    from isocost.measures.scores import minimum_error_rate_score as minimum_error_rate_score
    from isocost.measures.scores import minimum_weighted_loss_score as minimum_weighted_loss_score
    from isocost.measures.scores import rate_driven_loss_score as rate_driven_loss_score
    from isocost.measures.scores import voros_score as voros_score
    from isocost.measures.voros import voros as voros
    from isocost.point_metrics.isometrics import isometrics as isometrics
    from isocost.point_metrics.skew import effective_skew as effective_skew
    from isocost.point_metrics.skew import skew_equivalent as skew_equivalent
    from isocost.point_metrics.skew import skew_sensitivity as skew_sensitivity
    from isocost.roc_space import BinormalFit as BinormalFit
    from isocost.roc_space import RocCurve as RocCurve
    from isocost.roc_space import fit_binormal as fit_binormal
    from isocost.selection import AmountChoice as AmountChoice
    from isocost.selection import Choice as Choice
    from isocost.selection import RowCosts as RowCosts
    from isocost.selection import best_threshold as best_threshold
    from isocost.selection import dominated_cuts as dominated_cuts
    from isocost.selection import neyman_pearson as neyman_pearson
    from isocost.selection import precision_constrained as precision_constrained
    from isocost.selection import rate_threshold as rate_threshold
    from isocost.selection import workforce as workforce
    from isocost.selection.minimax import minimax as minimax

__version__ = "0.1.0"

# Each public name and the module it lives in: loaded when first used, so that the import costs nothing.
_HOMES: dict[str, tuple[str, ...]] = {
    "comparison": ("Comparison", "Decision", "Hybrid", "Regret", "Win", "cost_dominates", "roc_dominates"),
    "comparison.multiclass": ("ClassByClass", "MulticlassCost", "multiclass_cost", "one_vs_one", "one_vs_rest"),
    "conditions": ("Condition", "Conditions"),
    "cost_space": (
        "CostCurve",
        "NetBenefitCurve",
        "brier_decomposition",
        "choice_methods",
        "convex_skull",
        "cost_curve",
        "kendall_curve",
        "net_benefit_curve",
        "parameter_based",
        "perfect_ranker_curve",
        "rate_driven_decomposition",
    ),
    "counts": ("ScoreCounts",),
    "counts.joint_counts": ("JointCounts",),
    "errors": ("FewCasesWarning", "IsocostError"),
    "inference": (
        "Band",
        "Bootstrap",
        "Cheapest",
        "DeLong",
        "Honest",
        "Interval",
        "NetBenefitBand",
        "average_cost_curves",
        "average_roc_curves",
        "band_over_folds",
        "bootstrap",
        "bootstrap_confusion",
        "delong",
        "net_benefit_band",
        "posterior_band",
    ),
    "measures": (
        "Bounds",
        "LesserAreaCurve",
        "Measure",
        "RocSurface",
        "TotalCost",
        "auc",
        "auch",
        "brier_loss",
        "calibration_loss",
        "expected_cost",
        "gini",
        "h_measure",
        "kendall_distance",
        "kendall_loss",
        "ks",
        "lesser_area",
        "lesser_area_curve",
        "level_saddle",
        "minimum_error_rate",
        "minimum_weighted_loss",
        "partial_auc",
        "rate_driven_loss",
        "registered_measures",
        "total_cost",
        "voros",
    ),
    "measures.scores": (
        "auc_score",
        "auch_score",
        "brier_loss_score",
        "calibration_loss_score",
        "expected_cost_score",
        "gini_score",
        "h_measure_score",
        "kendall_loss_score",
        "ks_score",
        "minimum_error_rate_score",
        "minimum_weighted_loss_score",
        "rate_driven_loss_score",
        "voros_score",
    ),
    "point_metrics.isometrics": ("isometrics",),
    "point_metrics.skew": ("effective_skew", "skew_equivalent", "skew_sensitivity"),
    "roc_space": ("BinormalFit", "RocCurve", "fit_binormal"),
    "selection": (
        "AmountChoice",
        "Choice",
        "RowCosts",
        "best_threshold",
        "dominated_cuts",
        "minimax",
        "neyman_pearson",
        "precision_constrained",
        "rate_threshold",
        "workforce",
    ),
}
# Modules whose own names are public, as in `ic.point_metrics.accuracy`.
_PLACES = ("integrations", "plots", "point_metrics")
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 - a list, computed


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return import_module(f"isocost.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'isocost' has no attribute {name!r}")
    value = getattr(import_module(f"isocost.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, *_PLACES])

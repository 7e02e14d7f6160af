"""What the table of features in docs/explanation/peers.md denies: no public name of a package is about a feature with a "–"."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "peers.md"
# Where a package of Python keeps its public names.
MODULES = {
    "scikit-learn": ("sklearn.metrics", "sklearn.model_selection", "sklearn.calibration"),
    "empulse": ("empulse.metrics", "empulse.models", "empulse.optimizers"),
    "dcurves": ("dcurves",),
    "rtichoke": ("rtichoke",),
}
# How names about a feature look, by how its row begins.
ABOUT = {
    "ROC curve": r"(?<![a-z])roc|auc(?!pr)",
    "partial AUC": r"partial|pauc|max_fpr|fpr\.stop",
    "ROC convex hull": r"hull|^rch$|auch",
    "cost curves": r"ecost|cost_curve|envelope",
    "cheapest threshold": r"cost|utility|profit|best\.weights|optimal_thresh",
    "costs as ranges": r"stochastic|distribution|belief|uncertain",
    "costs of each case": r"cost|amount|profit|savings",
    "several models": r"winner|dominat|cross_?over|regret",
    "limits on rates": r"constrain|capacity|budget|neyman|workforce|^level$|^coords$",
    "VOROS": r"voros|lesser",
    "H-measure": r"h_?measure|h_score",
    "rate-driven": r"rate_driven|kendall|brier|rmse",
    "net benefit": r"net_benefit|^dca$|decision_curve",
    "bootstrap bands": r"boot|band|^ci[._]|from_cv_results",
    "DeLong": r"delong|roc\.test",
    "isometrics": r"isometric|skew",
    "precision-recall curves": r"precision_recall|^prec$|pr_curve|^coords$",
    "precision-recall gain": r"prg|(precision|recall)_gain",
    "cumulative gains": r"lift|gains|^rpp$",
    "DET curve": r"det_curve|^(miss|fnr)$|^coords$",
    "test harm": r"harm",
    "more than two classes": r"multi_?class|one_vs|^ovr$",
    "survival outcomes": r"surviv|_times$|^time$|cox",
    "interactive": r"interactive|plotly|shiny|dash|report",
    "command line": r"^command ",
    "data larger than memory": r"stream|partial_fit|chunk|dask|lazy",
}
# Names that only look so: what they are about was read in the package's documentation.
OTHERWISE = {
    "costs as ranges": {"param_distributions"},  # settings that a search draws
    "costs of each case": {
        "misclassification_cost",
        "total_utility",
        "cost_fn",
        "cost_fp",
        "cost",
        "ecost",
    },  # one number for all
    "limits on rates": {"constraints", "parameter_constraints", "constrain"},  # on arguments and parameters
    "bootstrap bands": {"bootstrap", "bootstrap_features"},  # of forests
    "survival outcomes": {"return_times"},  # how long a fit takes
    "data larger than memory": {"pairwise_distances_chunked"},  # of distances
    "interactive": {"classification_report"},  # text
    "several models": {"crossover_rate"},  # of an evolutionary tree
}


def denied(package: str) -> list[str]:
    """Return the features that the table says a package does not have, as its rows begin."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    column = rows[0].index(package)
    return [next(key for key in ABOUT if row[0].startswith(key)) for row in rows[2:] if row[column] == "–"]


def about(feature: str, names: Iterable[str]) -> list[str]:
    """Return the names that are about a feature."""
    wanted = re.compile(ABOUT[feature], re.IGNORECASE)
    return sorted(set(filter(wanted.search, names)) - OTHERWISE.get(feature, set()))


def names_of(package: str) -> set[str]:
    """Return every public name of a package of Python, with arguments and methods, and the commands it installs."""
    scripts = [
        entry for entry in importlib.metadata.distribution(package).entry_points if entry.group == "console_scripts"
    ]
    found = {f"command {entry.name}" for entry in scripts}
    for module in map(importlib.import_module, MODULES[package]):
        for name in getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")]):
            thing = vars(module).get(name)  # None where scikit-learn wants to be asked for what is experimental
            if not inspect.ismodule(thing):
                found.update([name, *_inside(thing)])
    return found


def _inside(thing: Any) -> Iterator[str]:
    with contextlib.suppress(TypeError, ValueError):  # not a callable, or one of C
        yield from inspect.signature(thing).parameters
    if inspect.isclass(thing):
        yield from (name for name in dir(thing) if not name.startswith("_"))

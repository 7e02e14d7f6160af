"""MLflow: measures, decision, figures and report of a comparison in a run, and models that carry their rule."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from isocost._front import documented_by
from isocost.compare import Comparison
from isocost.conditions import Condition, Conditions
from isocost.data import checks
from isocost.errors import InputError, MissingDependencyError
from isocost.monitor.rule import Rule

if TYPE_CHECKING:
    from isocost.decide import Decision
    from isocost.report import Report

try:
    import mlflow
except ImportError as error:
    raise MissingDependencyError("isocost.integrations.mlflow", "mlflow", "mlflow") from error

__all__ = ["load_rule", "log_comparison", "model_metadata"]

_DECIDED = ("threshold", "expected_cost", "per_1000", "normalised_cost", "flagged", "fpr", "tpr", "precision")
_RULE = "isocost_rule"
# Options of a report that are no question.
_DRAWN = ("n_resamples", "level", "rng", "independent", "cluster", "group", "group_prevalence")
_SAID = ("headline", "rule", "aim", "price", "sure")
# What MLflow refuses in the name of a metric.
_REFUSED = re.compile(r"[^\w\-. /]")


@documented_by(see="model_metadata isocost.Comparison.report")
def log_comparison(
    comparison: Comparison,
    condition: Condition | Conditions | None = None,
    *,
    folder: str = "isocost",
    title: str | None = None,
    figures: bool = True,
    **options: Any,
) -> Report:
    """Log a comparison to the active MLflow run, and return the report that was logged.

    Metrics `<model>/<measure>` hold every registered measure of every model, and `decision/…` what was decided: `threshold`, `price`,
    `expected_cost`, `per_1000`, `normalised_cost`, `flagged`, `fpr`, `tpr`, `precision` and `worst_loss`. Tags `isocost.model`,
    `isocost.headline`, `isocost.rule`, `isocost.aim`, `isocost.price`, `isocost.sure` and `isocost.fingerprint` hold it in words, and the
    description of the run is the report as Markdown. Parameters `<folder>/cost_fp`, `/cost_fn`, `/prevalence`, `/conditions`, and limits
    by their names, are what it was decided for. The data set is logged as an input. Artifacts are `report.html`, `summary.json`,
    `report.md`, `rule.json` where the rule can be applied to scores, and, with `figures`, `cost.png` and `roc.png`.

    Parameters
    ----------
    comparison : Comparison
    condition : Condition or Conditions, optional
    folder : str
        Folder of the artifacts.
    title : str, optional
        Of the report.
    figures : bool
        Needs the extra `isocost[plots]`.
    **options
        Any other option of `Comparison.report`: limits, method, reviews, the rule in use, groups, clusters, resamples, words.

    Notes
    -----
    Inside `with mlflow.start_run():` one line is enough: `log_comparison(comparison, condition)`.
    """
    inside = "log_comparison logs to the active MLflow run: call it inside `with mlflow.start_run():`"
    checks.needed(mlflow.active_run(), inside)
    report = comparison.report(condition=condition, title=title, **options)
    question = {name: value for name, value in options.items() if name not in _DRAWN}
    decision = comparison.decide(condition, **question)
    decided, fingerprint = report.summary["decision"], comparison.fingerprint
    _log_params(decided, condition, folder)
    mlflow.log_metrics(_measured(comparison, condition) | _decided(decided))
    tags = {f"isocost.{name}": text for name, text in decided["says"].items() if name in _SAID and text}
    tags |= {"isocost.model": str(decided["model"]), "isocost.fingerprint": fingerprint}
    mlflow.set_tags(tags | {"mlflow.note.content": report.markdown})
    # MLflow takes digests of at most 36 characters; the tag holds all of them.
    source = mlflow.data.code_dataset_source.CodeDatasetSource({"isocost": "comparison"})
    cases = mlflow.data.meta_dataset.MetaDataset(source, "cases", fingerprint[:36])  # type: ignore[abstract]
    mlflow.log_input(cases)
    for name, text in (("report.html", report.html), ("summary.json", report.json), ("report.md", report.markdown)):
        mlflow.log_text(text, f"{folder}/{name}")
    if decision.rule != "point":
        mlflow.log_dict(Rule.of(decision).to_dict(), f"{folder}/rule.json")
    if figures:
        from isocost.plots import CostDisplay, RocDisplay

        one = condition if isinstance(condition, Condition) else None
        drawn = {"cost": CostDisplay(comparison, condition=one), "roc": RocDisplay(comparison)}
        for name, display in drawn.items():
            mlflow.log_figure(display.plot().figure_, f"{folder}/{name}.png")
    return report


@documented_by(see="load_rule")
def model_metadata(decision: Decision | Rule) -> dict[str, str]:
    """Return the rule of a decision for the `metadata` of a logged model, so that a registered model carries its rule.

    Parameters
    ----------
    decision : Decision or Rule

    Notes
    -----
    `mlflow.sklearn.log_model(model, name="model", registered_model_name="credit", metadata=model_metadata(decision))`
    """
    return {_RULE: json.dumps(Rule.of(decision).to_dict(), ensure_ascii=False, allow_nan=False)}


@documented_by(see="model_metadata isocost.load_decision")
def load_rule(model_uri: str) -> Rule:
    """Return the rule that a logged or registered model carries.

    Parameters
    ----------
    model_uri : str
        Such as ``"models:/credit/3"``.

    Raises
    ------
    InputError
        If there is no such model, it has no rule, or its rule was changed.
    """
    place = checks.text(model_uri, "model_uri")
    try:
        held = mlflow.models.get_model_info(place).metadata or {}
    except (mlflow.exceptions.MlflowException, OSError) as error:
        raise InputError(f"there is no model at {place!r}: {error}") from error
    rule = checks.needed(held.get(_RULE), f"{model_uri} carries no rule: log it with metadata=model_metadata(decision)")
    return Rule.from_dict(json.loads(rule), name=f"the rule of {model_uri}")


def _log_params(decided: Mapping[str, Any], condition: Condition | Conditions | None, folder: str) -> None:
    """Log what was asked, so that runs can be distinguished and compared by it."""
    question = decided["question"]
    known, unit = question["quantities"], question["words"]["unit"]
    found: dict[str, Any] = {"conditions": str(condition)} if isinstance(condition, Conditions) else {}
    means = {name: known[name]["mean"] for name in ("cost_fp", "cost_fn", "prevalence") if name in known}
    found |= {name: float(f"{mean:.12g}") for name, mean in means.items()} | ({"unit": unit} if unit else {})
    found |= {limit["kind"]: limit["value"] for limit in question["limits"]}
    try:
        mlflow.log_params({f"{_REFUSED.sub('_', folder)}/{name}": value for name, value in found.items()})
    except mlflow.exceptions.MlflowException as error:
        raise InputError(
            f"this run holds other parameters under {folder!r} already: log each comparison to a run or a folder= of its own"
        ) from error


def _measured(comparison: Comparison, condition: Condition | Conditions | None) -> dict[str, float]:
    return {
        f"{_REFUSED.sub('_', row.name)}/{measure}": value
        for row in comparison.table(condition)
        for measure, value in row.values.items()
        if isinstance(value, float | int)
    }


def _decided(decided: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers of a decision. Flagging nobody has an infinite threshold, a word here, which not every store can hold."""
    sure = decided["confidence"] or {}
    found = {name: decided[name] for name in _DECIDED} | {name: sure.get(name) for name in ("price", "worst_loss")}
    return {f"decision/{name}": value for name, value in found.items() if isinstance(value, float | int)}

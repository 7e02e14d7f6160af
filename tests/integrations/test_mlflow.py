import json
import re
from functools import partial

import mlflow
import numpy as np
import pytest
from mlflow.tracking import MlflowClient
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV

import isocost as ic
from isocost.errors import InputError
from isocost.integrations.mlflow import (
    load_rule,
    log_comparison,
    model_metadata,
)
from isocost.integrations.sklearn import TRUSTED_TYPES, CostThresholdClassifier

RNG = np.random.default_rng(0)
Y = (RNG.random(300) < 0.3).astype(int)
SCORES = {"good": 0.5 * RNG.random(300) + 0.4 * Y, "weak (v2)": 0.7 * RNG.random(300) + 0.2 * Y}
CREDIT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
OVER = ic.Conditions.from_costs(cost_fp=1, cost_fn=(3, 8), prevalence=0.3)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A real tracking store: SQLite beside a folder of artifacts."""
    folder = tmp_path_factory.mktemp("mlflow")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri(f"sqlite:///{folder / 'runs.db'}")
    experiment = mlflow.create_experiment("isocost", artifact_location=(folder / "artifacts").as_uri())
    mlflow.set_experiment(experiment_id=experiment)
    yield MlflowClient()
    mlflow.set_tracking_uri(before)


def artifact(run, path):
    """The text of an artifact."""
    return mlflow.artifacts.load_text(f"{run.info.artifact_uri}/{path}")


def test_a_run_holds_measures_decision_report_and_figures(client):
    """Everything can be read back from the store."""
    comparison = ic.Comparison.from_scores(Y, SCORES)
    with mlflow.start_run() as run:
        report = log_comparison(comparison, condition=OVER, n_resamples=20)
    stored = client.get_run(run.info.run_id)
    table, metrics = comparison.table(OVER), stored.data.metrics
    for model, key in (("good", "good"), ("weak (v2)", "weak _v2_")):
        for measure in table.measures:
            assert metrics[f"{key}/{measure}"] == table[model][measure]
    decision = comparison.decide(OVER)
    for name in ("threshold", "expected_cost", "per_1000", "normalised_cost", "flagged", "fpr", "tpr", "precision"):
        assert metrics[f"decision/{name}"] == getattr(decision, name)
    for name in ("price", "worst_loss"):
        assert metrics[f"decision/{name}"] == report.summary["decision"]["confidence"][name]
    for name in ("price", "sure"):
        assert stored.data.tags[f"isocost.{name}"] == report.summary["decision"]["says"][name] != ""
    assert stored.data.tags["isocost.model"] == decision.model == "good"
    assert stored.data.tags["isocost.rule"] == report.summary["decision"]["says"]["rule"]
    assert stored.data.tags["isocost.fingerprint"] == comparison.fingerprint
    files = {file.path for file in client.list_artifacts(run.info.run_id, "isocost")}
    assert files == {
        f"isocost/{n}" for n in ("report.html", "summary.json", "report.md", "rule.json", "cost.png", "roc.png")
    }
    assert artifact(run, "isocost/report.html").startswith("<!doctype html>")
    assert json.loads(artifact(run, "isocost/summary.json"))["decision"] == report.summary["decision"]


def test_what_was_asked_are_parameters(client):
    """Costs and prevalence of one condition, or what uncertain ones are; a run holds one set of them a folder."""
    comparison = ic.Comparison.from_scores(Y, SCORES)
    with mlflow.start_run() as run:
        log_comparison(comparison, condition=CREDIT, unit="€", n_resamples=0, figures=False)
        log_comparison(comparison, condition=OVER, folder="ranges", n_resamples=0, figures=False)
        with pytest.raises(InputError, match="this run holds other parameters under 'isocost' already"):
            log_comparison(comparison, condition=ic.Condition(1, 9, 0.3), n_resamples=0, figures=False)
    found = client.get_run(run.info.run_id).data.params
    assert {name: found[f"isocost/{name}"] for name in ("cost_fp", "cost_fn", "prevalence", "unit")} == {
        "cost_fp": "1.0", "cost_fn": "5.0", "prevalence": "0.3", "unit": "€"
    }  # fmt: skip
    assert found["ranges/conditions"] == str(OVER)
    assert float(found["ranges/cost_fn"]) == 5.5


def test_limits_are_parameters_and_decide(client):
    """The logged decision keeps them."""
    comparison = ic.Comparison.from_scores(Y, SCORES)
    with mlflow.start_run() as run:
        log_comparison(comparison, condition=CREDIT, max_flagged=0.1, min_precision=0.5, n_resamples=20, figures=False)
    stored = client.get_run(run.info.run_id).data
    decision = comparison.decide(CREDIT, max_flagged=0.1, min_precision=0.5, n_resamples=20)
    assert {name: stored.params[f"isocost/{name}"] for name in ("max_flagged", "min_precision", "cost_fn")} == {
        "max_flagged": "0.1", "min_precision": "0.5", "cost_fn": "5.0"
    }  # fmt: skip
    assert stored.metrics["decision/flagged"] == decision.flagged <= 0.1
    assert stored.metrics["decision/price"] == decision.confidence.price
    reported = decision.to_dict()["says"]
    assert (stored.tags["isocost.rule"], stored.tags["isocost.aim"]) == (reported["rule"], reported["aim"])
    rule = json.loads(artifact(run, "isocost/rule.json"))
    assert (rule["model"], rule["threshold"], rule["sentence"]) == (
        decision.model,
        decision.threshold,
        reported["rule"],
    )


def test_a_store_of_files_holds_the_same(tmp_path, monkeypatch):
    """MLflow's oldest kind of store, which refuses other names than a database does; it has to be asked for."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    try:
        with mlflow.start_run(experiment_id=mlflow.create_experiment("files")) as run:
            log_comparison(
                ic.Comparison.from_scores(Y, SCORES), condition=CREDIT, max_fpr=0.3, n_resamples=0, figures=False
            )
        stored = mlflow.get_run(run.info.run_id)
    finally:
        mlflow.set_tracking_uri(before)
    assert stored.data.params["isocost/max_fpr"] == "0.3"
    assert stored.data.tags["isocost.model"] == "good"
    assert {"weak _v2_/voros", "decision/expected_cost"} <= stored.data.metrics.keys()
    assert artifact(stored, "isocost/report.html").startswith("<!doctype html>")


def test_a_classifier_with_a_threshold_is_kept_as_far_as_that_of_scikit_learn(tmp_path):
    """What MLflow loads by default without a list what to trust it loads of both, and with such a list, each predicts as before."""
    features = np.column_stack(list(SCORES.values()))
    ours = CostThresholdClassifier(LogisticRegression(), condition=CREDIT, cv=3).fit(features, Y)
    theirs = TunedThresholdClassifierCV(LogisticRegression(), cv=3).fit(features, Y)
    save = partial(mlflow.sklearn.save_model, pip_requirements=[])  # finding them takes long
    refused = {}
    for place, model in ((tmp_path / "ours", ours), (tmp_path / "theirs", theirs)):
        try:
            save(model, place)
        except mlflow.exceptions.MlflowException as error:  # MLflow keeps models with skops by default
            refused[place.name] = re.findall(r"'((?:isocost|sklearn)\.[\w.]+)'", str(error))
            notice = list(TRUSTED_TYPES) if model is ours else refused["theirs"]
            place = tmp_path / f"logged {place.name}"  # noqa: PLW2901 - what was refused is there already
            save(model, place, skops_trusted_types=notice)
        assert mlflow.sklearn.load_model(place).predict(features).tolist() == model.predict(features).tolist()
    assert set(refused) in (set(), {"ours", "theirs"})
    assert set(refused.get("ours", [])) <= set(TRUSTED_TYPES)


@pytest.mark.usefixtures("client")
def test_a_registered_model_carries_its_rule():
    """The rule comes back whole from the registry; a model without one, and a changed one, are refused."""
    rule = ic.monitor.Rule.of(ic.Comparison.from_scores(Y, SCORES).decide(CREDIT, max_flagged=0.4))
    model = LogisticRegression().fit(SCORES["good"][:, None], Y)
    metadata = model_metadata(rule)
    edited = {"isocost_rule": metadata["isocost_rule"].replace("good", "evil")}
    with mlflow.start_run():
        for name, given in (("credit", metadata), ("bare", None), ("edited", edited)):
            mlflow.sklearn.log_model(
                model, name=name, registered_model_name=name, metadata=given, pip_requirements=["scikit-learn"]
            )
    assert load_rule("models:/credit/1") == rule
    with pytest.raises(
        InputError, match=r"models:/bare/1 carries no rule: log it with metadata=model_metadata\(decision\)"
    ):
        load_rule("models:/bare/1")
    with pytest.raises(InputError, match="the rule of models:/edited/1 was changed after it was saved"):
        load_rule("models:/edited/1")


def test_flagging_nobody_has_no_threshold_to_log(client):
    """An infinite threshold is left out; the tag says what to do."""
    backwards = ic.Comparison.from_scores(Y, {"backwards": -SCORES["good"]})
    with mlflow.start_run() as run:
        log_comparison(backwards, condition=ic.Condition(1, 0.01, 0.1), n_resamples=0, figures=False)
    stored = client.get_run(run.info.run_id).data
    assert "decision/threshold" not in stored.metrics
    assert stored.metrics["decision/expected_cost"] == pytest.approx(0.001)
    assert stored.tags["isocost.model"] == "always-negative"


def test_without_a_run_nothing_is_logged():
    """MLflow would silently start one."""
    with pytest.raises(InputError, match=r"active MLflow run: call it inside `with mlflow\.start_run\(\):`"):
        log_comparison(ic.Comparison.from_scores(Y, SCORES))


def test_a_comparison_is_logged_with_what_a_report_takes(client):
    """Groups, resamples and limits are those of the report; the rule file keeps the limits."""
    comparison = ic.Comparison.from_scores(Y, SCORES)
    options = {"group": np.arange(300) % 2, "max_flagged": 0.4, "n_resamples": 20, "rng": 1}
    with mlflow.start_run() as run:
        report = log_comparison(comparison, CREDIT, figures=False, **options)
    expected = comparison.report(condition=CREDIT, **options)
    assert json.loads(artifact(run, "isocost/summary.json")) == json.loads(expected.json) == json.loads(report.json)
    assert len(report.summary["groups"]["rows"]) == 2
    assert client.get_run(run.info.run_id).data.params["isocost/max_flagged"] == "0.4"
    assert json.loads(artifact(run, "isocost/rule.json"))["limits"] == {"max_flagged": 0.4}

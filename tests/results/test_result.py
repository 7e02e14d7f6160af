import copy
import dataclasses
import importlib
import inspect
import json
import pickle
import pkgutil
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import narwhals as nw
import numpy as np
import pytest
from scipy import stats

import isocost
import isocost as ic
from isocost.errors import InputError, UnknownNameError
from isocost.inference.band import Claim
from isocost.inference.independence import Caution
from isocost.results import Result

# What code hands to code, and what only the layers above or the shell see.
INTERNAL = {
    "Atoms", "Beliefs", "Beta", "Continuous", "Uniform", "CostGrid", "Pushed", "WorstCost",  # densities behind Conditions
    "Believed", "Even",  # quantities behind Conditions
    "Rules",  # behind Decision
    "Certainty", "Counts", "Story",  # behind Confidence
    "InUse", "Likelihood", "Scored",  # behind estimates of the prevalence
    "JointHull", "Run", "Shares", "Stretch",  # behind Comparison
    "Drawn", "Hulls", "Order", "Quantity", "Ranking", "Replicates", "Sample",
    "Smoothed", "Statistic", "Within",  # behind Bootstrap and curves
    "FeasibleRegion", "Limit",  # behind VOROS within limits
    "Option", "Entry",  # of a metric
    "Closing", "GroupPoints", "GroupRows", "PricedGroups", "LeastCosts", "OddsHulls",  # behind groups
    "Terms", "Pairs", "Lines", "Plan", "decide.ask.Rule",  # behind review bands, cascades and questions
    "Draws", "Roles", "Settings", "View",  # behind the explorer
}  # fmt: skip
OUTSIDE = (
    "isocost.cli", "isocost.plots", "isocost.integrations",
    "isocost.data", "isocost.curves.sort", "isocost.curves.hull", "isocost.inference",  # how rows are read, ordered and drawn
)  # fmt: skip
# Returned by no public call, nor part of what one returns.
INSIDE = {"Extremes"}
REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
NASTY = "<script>alert('&')</script>"


def result_types():
    """Every dataclass of the library that a user can hold in their hands."""
    found = set()
    for module in pkgutil.walk_packages(isocost.__path__, "isocost."):
        if module.name.startswith(OUTSIDE) or module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(value) and dataclasses.is_dataclass(value) and value.__module__ == module.name:
                found.add(value)
    names = {cls: {cls.__name__, f"{cls.__module__}.{cls.__name__}".removeprefix("isocost.")} for cls in found}
    return {cls for cls in found if not names[cls] & INTERNAL and not cls.__name__.startswith("_")}


def roots():
    """Results of every question one can ask, about a model with a name that would run as a script."""
    rng = np.random.default_rng(0)
    y = (rng.random(60) < 0.4).astype(int)
    scores = {NASTY: (rng.random(60) + 0.7 * y) / 2, "b": (rng.random(60) + y / 2) / 2}
    classes, matrices = np.arange(60) % 3, {NASTY: rng.random((60, 3))}
    comparison = ic.Comparison.from_scores(y, scores)
    curve, condition = comparison[NASTY], ic.Condition(1, 5, 0.3)
    over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(2, 5), prevalence=(0.2, 0.4))
    beliefs = ic.Conditions.from_beliefs(cost_fn=(2, 5), prevalence=0.3)
    sampled = ic.bootstrap(y, scores, n_resamples=60, rng=0)
    counts = ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3], upper=[1.0, 0.4])
    rows = ic.RowCosts.from_columns(y, cost_fp=1, cost_fn=5)
    metrics = ic.metrics
    groups = ic.Groups.from_scores(np.tile(y, 4), np.tile(scores["b"], 4), np.where(np.arange(240) % 2, NASTY, "other"))
    surface = ic.measures.RocSurface.from_curve(curve)
    return [
        comparison, curve, condition, over, beliefs, sampled, curve.hull, *curve.vertices, ic.Conditions.uniform(),
        ic.Comparison.from_scores(y, scores, fold=np.arange(60) % 2, condition=beliefs),
        comparison.decide(condition, current=("b", 0.4), n_resamples=40, rng=0), comparison.decide(beliefs), comparison.winners(),
        comparison.table(),
        comparison.regret(NASTY, condition=over),
        comparison.operating_range(NASTY), comparison.gain(NASTY, "b"),
        comparison.report(n_resamples=0),
        ic.RocCurve.from_counts(counts), counts, ic.JointCounts.from_arrays(y, scores),
        ic.RocCurve.from_distributions(stats.norm(1), stats.norm(0), name=NASTY), curve.calibrator(),
        ic.cost_curve(curve), ic.curves.kendall_curve(curve), ic.curves.net_benefit_curve(curve),
        ic.curves.rate_driven_decomposition(curve), ic.curves.brier_decomposition(curve),
        ic.curves.parameter_based([0.2, 0.6], [0.4, 0.8], pcf=[0.3, 0.7]),
        ic.curves.pr_curve(curve), ic.curves.pr_gain_curve(curve),
        ic.curves.rate_curve(curve),
        ic.curves.det_curve(curve), ic.curves.gain_curve(curve),
        groups, groups.decide(condition), groups.decide(condition)[NASTY], *groups.decide(condition)[NASTY].mixture,
        groups.cost_of_one_threshold(condition), groups.parity(condition), groups.prices(condition, criterion="tpr"),
        groups.bootstrap(condition, n_resamples=20, rng=0),
        ic.ScoreCounts.from_unlabelled(scores["b"]), ic.estimate_prevalence((y, scores["b"]), scores["b"][:30]),
        ic.watch(comparison.decide(condition), {"now": np.full(500, 0.05)}),
        ic.watch(comparison.decide(condition), {"now": (np.full(500, 0.05), [1, 0, None, None, 0] * 100)}),
        ic.challenge(y, scores["b"] > 0.3, scores["b"] > 0.5, condition),
        ic.monitor.Rule.of(comparison.decide(condition)), ic.check((NASTY, 0.4, condition), y, scores, max_fpr=0.4, max_cost=500),
        comparison.ask(over),
        comparison.cascade("b", NASTY, condition, cost_call=0.01, n_resamples=3),
        ic.decide.review_band(curve, condition, cost_review=0.2),
        comparison.decide(condition, cost_review=0.2),
        ic.best_threshold(curve, condition), ic.decide.workforce(curve, max_flagged=0.3, randomised=True),
        ic.limit_confidence(curve, 0.4, max_fpr=0.4),
        rows, rows.best_threshold(scores["b"]), rows.decide(scores),
        ic.measures.lesser_area_curve(curve), surface, surface.grid(), ic.registered_measures()["voros"],
        sampled.band(NASTY), sampled.difference(NASTY, "b"), sampled.interval(NASTY, "auc"), ic.inference.curve_band(sampled, NASTY, "roc"),
        sampled.significant_pairs(), Claim(NASTY, "b", 0.2, 0.3), ic.inference.cases_needed_auc(0.75),
        ic.delong(y, scores[NASTY], scores["b"]), ic.inference.curve_band(sampled, NASTY, "net_benefit"),
        ic.inference.curve_band(sampled, NASTY, "pr"),
        metrics.best_point(curve, "f_measure"), metrics.accuracy, metrics.accuracy.tpr_indicator(), metrics.from_confusion(8, 2, 3, 7),
        metrics.mcc.gradient(0.2, 0.7), ic.curves.rule_regions(curve),
        comparison.decide(condition).evaluate_on(y, scores),
        Caution("near_perfect", NASTY, value=0.999),
        ic.metrics.isometrics("f_measure", [0.3, 0.5]), metrics.isosurface("accuracy", 0.8, cells=4),
        *_several_classes(classes, matrices),
    ]  # fmt: skip


def _several_classes(classes, scores):
    """A comparison, and a decision with everything in it."""
    shares = {name: s / s.sum(axis=1, keepdims=True) for name, s in scores.items()}
    compared = ic.ClassComparison.from_scores(classes, shares)
    return compared, compared.decide(ic.CostMatrix([[0, 1, (1, 5)], [1, 0, 1], [1, 1, 0]]), n_resamples=10)


@cache
def instances():
    """Return all results reached from the roots, by type."""
    found, waiting = {}, roots()
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, Result):
            found.setdefault(type(value), []).append(value)
        if dataclasses.is_dataclass(value):
            waiting += [getattr(value, field.name) for field in dataclasses.fields(value)]
        elif isinstance(value, list | tuple):
            waiting += value[:3]
        elif isinstance(value, dict):
            waiting += list(value.values())[:3]
    return found


def as_tree(markup):
    """The markup as a tree; raises unless it is well formed."""
    return ET.fromstring(f"<div>{markup}</div>")


every_result = pytest.mark.parametrize(
    "cls", sorted(result_types(), key=lambda cls: cls.__qualname__), ids=lambda cls: cls.__name__
)


@every_result
def test_every_dataclass_a_user_can_hold_is_a_result(cls):
    """It has all abilities of a result, and the list above holds one to try them on."""
    assert issubclass(cls, Result)
    assert cls in instances()


@every_result
def test_every_result_that_a_public_call_returns_stands_on_a_reference_page(cls):
    """Or what it is a kind of does: whoever meets one can look it up."""
    pages = "".join(page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md"))
    listed = {
        name.rpartition(".")[2] for name in re.findall(r"^\.\. autoclass:: (isocost\.[\w.]+)$", pages, re.MULTILINE)
    }
    assert cls.__name__ in INSIDE or listed & {base.__name__ for base in cls.__mro__}


@every_result
def test_every_result_says_itself_in_a_sentence(cls):
    """No angle brackets, no list of arguments, no address in memory."""
    for result in instances()[cls]:
        reported = str(result)
        assert reported
        assert not re.search(r"^<|[A-Z]\w+\(\w+=|0x[0-9a-f]{6}|\bobject\b", reported.replace(NASTY, "model")), reported


@every_result
def test_every_result_is_shown_well_formed_and_compact_with_names_escaped(cls):
    """A model may be called anything: its name is text, never markup. What a notebook holds does not grow with the data."""
    for result in instances()[cls]:
        markup = result._repr_html_()
        assert "<script" not in markup
        if cls.__name__ == "Report":  # the page, in a frame
            assert markup.startswith("<iframe")
            continue
        as_tree(markup)
        assert len(markup) < 12_000
        # A colour of our own would be lost in a dark theme, or in a light one.
        assert set(re.findall(r'style="([^"]*)"', markup)) <= {"text-align:left"}


def test_a_notebook_shows_what_to_do_and_the_alternatives():
    """Of a decision the sentences, then a row a rule; of a comparison who wins where as well."""
    comparison = ic.Comparison.from_scores([1, 1, 0, 1, 0], {"a": [5, 4, 3, 2, 1], "b": [5, 3, 4, 2, 1]})
    decision = comparison.decide(ic.Condition(1, 5, 0.3))
    tree = as_tree(decision._repr_html_())
    assert [p.text for p in tree.findall("p")] == str(decision).splitlines()
    names = [row[0].text for row in tree.findall("table/tbody/tr")]
    assert names == ["a", *("no model" if a.model.startswith("always") else a.model for a in decision.alternatives)]
    shown = comparison._repr_html_()
    assert shown == comparison.decide()._repr_html_() + comparison.winners()._repr_html_()
    assert "pcf" in shown


def test_parts_of_a_decision_say_themselves_too():
    """How sure it is, how far conditions may drift and what labels would do are sentences, not lists of fields."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 4 == 0
    comparison = ic.Comparison.from_scores(y, {"a": rng.normal(size=200) + y, "b": rng.normal(size=200) + y})
    decision = comparison.decide(ic.Condition(1, 5, 0.3), n_resamples=40, rng=0)
    found = decision.confidence
    assert str(found).startswith(
        f"{found.grade.capitalize()}: expect a cost of about {found.price:.3g} per case (90 % "
    )
    assert str(found).endswith(f"cheaper by up to {found.worst_loss:.3g} (95 % sure).")
    assert str(found.labels) == (
        "About 8000 more labelled cases would settle it; or about 3000, if only those are labelled on which the two rules differ."
    )
    assert [str(dataclasses.replace(found.labels, enough=many)) for many in (0, None)] == [
        "No more labels are needed.", "No realistic number of labels (40 times those at hand) would settle it.",
    ]  # fmt: skip
    low, high = decision.threshold_drift.cost_ratio
    assert f"a miss costs {low:.3g} to {high:.3g} false alarms" in str(decision.threshold_drift)


def test_tables_keep_directions_and_conditions():
    """Which way is better, who is best, what was left out and why, and for which conditions."""
    comparison = ic.Comparison.from_scores([1, 1, 0, 1, 0], {"a": [5, 4, 3, 2, 1], "b": [5, 3, 4, 2, 1]})
    table = comparison.table(
        ic.Conditions.uniform(t=(0.2, 0.4)), measures=["auc", "mean_normalised_cost", "brier_loss"]
    )
    tree = as_tree(table._repr_html_())
    lines = [[cell.text for cell in row] for row in tree.findall("table/tbody/tr")]
    assert lines[0] == ["auc ↑", "0.8333*", "0.6667"]
    assert lines[1][0] == "mean_normalised_cost ↓"
    reported = " ".join(p.text for p in tree.findall("p"))
    assert table.condition in reported
    assert table.missing["brier_loss"] in reported


@every_result
def test_every_result_is_plain_data_with_every_public_field(cls):
    """JSON holds it as it is, infinities as words. Only what is marked as no data is left out."""
    public = {f.name for f in dataclasses.fields(cls) if f.name[0] != "_" and f.metadata.get("data", True)}
    for result in instances()[cls]:
        data = result.to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert cls.__name__ == "Report" or public <= data.keys()


@every_result
@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_every_result_is_a_dataframe(cls, backend):
    """In the library asked for, with a row at least; every library holds the same columns and rows."""
    for result in instances()[cls][:2]:
        frame = nw.from_native(result.to_frame(backend), eager_only=True)
        assert frame.implementation.name.lower() == backend
        assert frame.columns == list(result._columns())
        assert frame.shape[0] == len(next(iter(result._columns().values())))


@every_result
def test_every_result_survives_pickling_without_its_rows(cls):
    """What comes back says the same and holds the same data; copies are the result itself."""
    for result in instances()[cls]:
        back = pickle.loads(pickle.dumps(result))
        assert type(back) is cls
        assert str(back) == str(result)
        assert back.to_dict() == result.to_dict()
        for field in dataclasses.fields(cls):
            assert not field.metadata.get("rows") or getattr(back, field.name) is None
        assert copy.copy(result) is copy.deepcopy(result) is result


def test_results_that_hold_the_same_are_equal_on_every_python():
    """NaN stands for a threshold that a point does not have; results that hold arrays are equal to themselves alone."""
    nobody = [ic.RocCurve.from_points([0.5], [0.6], name="a").hull.vertices[0] for _ in range(2)]
    assert nobody[0] == nobody[1]
    assert hash(nobody[0]) == hash(nobody[1])
    comparison = ic.Comparison.from_scores([1, 1, 0, 0], {"a": [1, 2, 3, 4]})
    point = ic.RocCurve.from_points([0.2], [0.9])
    chosen = [ic.best_threshold(point, ic.Condition(1, 1, 0.5)) for _ in range(2)]
    assert np.isnan(chosen[0].threshold)
    assert chosen[0] == chosen[1] != ic.best_threshold(point, ic.Condition(1, 2, 0.5))
    assert ic.cost_curve(comparison["a"]) != ic.cost_curve(comparison["a"])
    assert comparison["a"] == comparison["a"]
    assert comparison["a"] != "a"


def test_what_needs_the_rows_says_that_they_did_not_travel():
    """A pickled comparison answers every question about costs, but cannot draw its cases again."""
    y, s = [1, 0, 1, 0, 1, 0, 1, 0], [8, 7, 6, 5, 4, 3, 1, 2]
    comparison = ic.Comparison.from_scores(y, {"model": s}, fold=[0, 0, 0, 0, 1, 1, 1, 1])
    back = pickle.loads(pickle.dumps(comparison))
    assert back.decide(ic.Condition(1, 2, 0.4)) == comparison.decide(ic.Condition(1, 2, 0.4))
    with pytest.raises(InputError, match=r"bootstrap needs the cases.*pickled"):
        back.bootstrap()
    with pytest.raises(InputError, match=r"no folds.*pickled"):
        back.by_fold()


def test_a_pickled_bootstrap_has_bands_but_no_cases():
    """Bands are held by the resamples; whatever needs the cases says that they stayed behind."""
    y, scores = [1, 0, 1, 0, 1, 0, 1, 0], {"a": [8, 7, 6, 5, 4, 3, 1, 2], "b": [8, 5, 6, 7, 4, 3, 2, 1]}
    with pytest.warns(ic.errors.FewCasesWarning):
        sampled = ic.bootstrap(y, scores, n_resamples=50, rng=0)
    back = pickle.loads(pickle.dumps(sampled))
    assert back.band("a").to_dict() == sampled.band("a").to_dict()
    with pytest.raises(InputError, match=r"needs the cases themselves, which .* pickled bootstraps do not have"):
        back.interval("a", "auc")


def test_a_pickle_of_a_curve_holds_points_and_no_rows():
    """A thousand cases with three distinct scores are a few hundred bytes."""
    y, s = np.arange(3000) % 2, np.arange(3000) % 3
    curve = ic.RocCurve.from_scores(y, s)
    assert len(pickle.dumps(curve)) < 1500
    assert ic.auc(pickle.loads(pickle.dumps(curve))) == ic.auc(curve)


def test_dataframes_have_one_row_an_item():
    """The points of a curve, the pieces of a cost curve, the models of a table, the winners; else a single row."""
    comparison = ic.Comparison.from_scores([1, 1, 0, 1, 0], {"a": [5, 4, 3, 2, 1], "b": [5, 3, 4, 2, 1]})
    points = comparison["a"].to_frame("polars")
    assert points.columns == ["threshold", "fpr", "tpr", "fp", "tp"]
    assert points["tpr"].to_list() == comparison["a"].tpr.tolist()
    assert comparison.winners().to_frame("pandas")["name"].tolist() == [win.name for win in comparison.winners()]
    assert comparison.table().to_frame("pandas")["model"].tolist() == ["a", "b"]
    assert comparison.to_frame("pandas")["positives"].tolist() == [3, 3]
    decided = comparison.decide(ic.Condition(1, 5, 0.3), n_resamples=20)
    decision = decided.to_frame("pandas")
    assert decision["model"].tolist() == [decided.model, *(a.model for a in decided.alternatives)]
    assert decision["expected_cost"].tolist() == [
        decided.expected_cost,
        *(a.expected_cost for a in decided.alternatives),
    ]
    assert decision["extra_cost"].tolist()[1:] == [a.extra_cost for a in decided.alternatives]
    many = ic.Comparison.from_scores([1, 1, 0, 1, 0] * 10, {"a": [5, 4, 3, 2, 1] * 10, "b": [5, 3, 4, 2, 1] * 10})
    resampled = many.bootstrap(n_resamples=20)
    bands = resampled.to_frame("pandas")
    assert bands.columns.tolist() == ["model", "pcf", "low", "centre", "high", "apparent"]
    assert bands[bands["model"] == "b"]["high"].tolist() == resampled.band("b").high.tolist()
    infinite = ic.best_threshold(comparison["a"], ic.Condition(1, 0, 0.3)).to_frame("pandas")
    assert infinite["threshold"].tolist() == [np.inf]
    with pytest.raises(UnknownNameError, match="backend 'panda': did you mean 'pandas'"):
        points = comparison.to_frame("panda")


def test_a_result_knows_its_figure_without_matplotlib():
    """Results are built and used without any drawing package; only `plot` asks for it, and says what to install."""
    code = """
import sys
sys.modules["matplotlib"] = None
import isocost as ic
curve = ic.RocCurve.from_points([0.2], [0.7])
ic.cost_curve(curve).area()
try:
    curve.plot()
except ic.IsocostError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "isocost.plots needs the package 'matplotlib'" in run.stdout
    assert "pip install 'isocost[plots]'" in run.stdout

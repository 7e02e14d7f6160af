import dataclasses
import importlib
import inspect
import pkgutil
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from scipy import stats

import isocost
import isocost as ic
from isocost.results.result import Result, html_table, text_of

# What code hands to code, and what only the layers above or the shell see.
INTERNAL = {
    "Atoms", "Beta", "Continuous", "Uniform", "UniformSkew", "WorstCost",  # densities behind Conditions
    "Believed", "Beliefs", "Even", "Known", "Shifted",  # quantities behind Conditions
    "Frontier", "Pricing",  # behind Decision
    "JointHull", "Run", "Shares", "Stretch", "Rows",  # behind Comparison
    "Blocks", "Deviations", "Drawn", "Gap", "Hulls", "Opened", "Order", "Parts", "Paths", "Quantity", "Ranking", "Replicates", "Resampler",
    "Sample", "Within",  # behind Bootstrap
    "Option",  # of a metric
    "Closing", "Edges", "GroupPoints", "GroupRows", "PricedGroups", "LeastCost", "Terms",  # behind review bands and groups
    "Draws", "Roles", "Settings", "View",  # behind the explorer
}  # fmt: skip
OUTSIDE = (
    "isocost.cli", "isocost.plots", "isocost.demo", "isocost.integrations",
    "isocost.engines", "isocost.ranking", "isocost.resampling", "isocost.geometry",  # how rows are read, ordered and drawn
)  # fmt: skip
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
    return {cls for cls in found if cls.__name__ not in INTERNAL and not cls.__name__.startswith("_")}


def as_tree(markup):
    """The markup as a tree; raises unless it is well formed."""
    return ET.fromstring(f"<div>{markup}</div>")


@pytest.fixture(scope="module")
def results():
    """One instance or more of most types, with a name that would run as a script."""
    rng = np.random.default_rng(0)
    y = (rng.random(60) < 0.4).astype(int)
    scores = {NASTY: rng.random(60) + 0.7 * y, "b": rng.random(60) + y / 2}
    comparison = ic.Comparison.from_scores(y, scores)
    curve = comparison[NASTY]
    condition = ic.Condition(1, 5, 0.3)
    over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(2, 5), prevalence=(0.2, 0.4))
    sampled = ic.bootstrap(y, scores, n_resamples=60, rng=0)
    decision = comparison.decide(condition)
    metrics = ic.point_metrics
    groups = ic.Groups.from_scores(y, scores["b"], np.where(np.arange(60) % 2, NASTY, "other"))
    best = metrics.best_point(curve, "f_measure")
    return [
        comparison, curve, condition, over, decision, sampled, best, curve.hull, *curve.vertices[:2],
        ic.ScoreCounts.from_arrays(y, scores["b"]), ic.cost_curve(curve), ic.kendall_curve(curve), curve.calibrator(),
        ic.net_benefit_curve(ic.RocCurve.from_scores(y, scores["b"] / 2, name=NASTY)),
        groups, groups.decide(condition), groups.decide(condition)[NASTY], *groups.decide(condition)[NASTY].mixture,
        groups.cost_of_one_threshold(condition), groups.parity(condition), groups.prices(condition, criterion="tpr"),
        ic.review_band(curve, condition, cost_review=0.2), ic.review_curve(curve, condition),
        ic.best_threshold(curve, condition), ic.workforce(curve, max_flagged=0.3, randomised=True),
        ic.choice_methods(ic.RocCurve.from_scores(y, scores["b"] / 2, name=NASTY), over), ic.cost_space.rate_driven_decomposition(curve),
        ic.brier_decomposition(ic.RocCurve.from_scores(y, scores["b"] / 2, name=NASTY)), ic.dominated_cuts(curve),
        ic.total_cost(curve, over=condition), ic.measures.lesser_area_curve(curve), ic.measures.RocSurface.from_curve(curve),
        ic.registered_measures()["voros"], ic.roc_space.fit_binormal(curve),
        ic.RocCurve.from_distributions(stats.norm(1), stats.norm(0), name=NASTY),
        *comparison.winners(), comparison.table(), comparison.table()[0], comparison.regret(NASTY, over=over),
        comparison.value_of_information(over), comparison.hybrid(), comparison.operating_range(NASTY),
        comparison.advantage(NASTY, "b"), comparison.provenance, *decision.alternatives,
        sampled.band(NASTY), sampled.difference(NASTY, "b"), sampled.interval(NASTY, "auc"), sampled.cheapest(),
        sampled.honest(condition), ic.delong(y, scores[NASTY], scores["b"]),
        ic.isometrics("f_measure", [0.3, 0.5]), *ic.isometrics("precision", [0.5]), metrics.accuracy,
        metrics.isosurface("accuracy", 0.8, cells=4), metrics.accuracy.tpr_indicator(),
        ic.one_vs_rest(np.arange(60) % 3, {NASTY: rng.random((60, 3))}), ic.RowCosts.from_columns(y, cost_fp=1, cost_fn=5),
        ic.multiclass_cost(np.arange(60) % 3, {NASTY: rng.random((60, 3))}, 1 - np.eye(3)),
    ]  # fmt: skip


@pytest.mark.parametrize("cls", sorted(result_types(), key=lambda cls: cls.__qualname__), ids=lambda cls: cls.__name__)
def test_every_result_type_shows_itself_in_a_notebook(cls):
    """No dataclass that a user can get is left to its bare text."""
    assert callable(getattr(cls, "_repr_html_", None))


def test_results_are_shown_well_formed_with_names_escaped(results):
    """A model may be called anything: its name is text, never markup."""
    for result in results:
        markup = result._repr_html_()
        if not markup.startswith(("<iframe", "<!doctype", "<b>")):  # the report page is a frame; a formula is a line
            as_tree(markup)
        assert "<script" not in markup, type(result)


def test_the_instances_cover_the_types_with_tables_of_their_own(results):
    """Whoever writes `_shown` or `_repr_html_` in a class has an instance of it checked above."""
    own = {cls for cls in result_types() if {"_shown", "_repr_html_"} & set(vars(cls)) and cls.__name__ != "Report"}
    assert {cls.__name__ for cls in own} - {type(result).__name__ for result in results} == set()


def test_tables_stay_compact(results):
    """What a notebook holds of a result does not grow with the data."""
    for result in results:
        assert len(result._repr_html_()) < 12_000, type(result)


def test_values_are_one_short_line():
    """Numbers to six digits, long arrays by their ends, long lists by their beginning."""
    assert text_of(1 / 3) == "0.333333"
    assert text_of(np.arange(100.0)) == "100 values, 0 to 99"
    assert text_of(np.zeros((2, 3))) == "array of shape (2, 3)"
    assert text_of(np.array([1, 2])) == "1, 2"
    assert text_of(list(range(9))) == "0, 1, 2, 3, 4, 5, … (9 in all)"
    assert text_of({"a": True, "b": None}) == "a: yes, b: None"


def test_many_records_are_cut_with_their_number():
    """Ten rows of a table within a table, and how many more there are."""

    @dataclasses.dataclass(frozen=True)
    class Item(Result):
        number: int

    @dataclasses.dataclass(frozen=True)
    class Holder(Result):
        items: tuple[Item, ...]

    markup = Holder(tuple(Item(i) for i in range(13)))._repr_html_()
    assert len(as_tree(markup).findall(".//tbody/tr/td/table/tbody/tr")) == 10
    assert "and 3 more" in markup


def test_cells_of_a_table_are_escaped():
    """Both head and body."""
    assert html_table(["<i>"], [["&"]]) == (
        "<table><thead><tr><th>&lt;i&gt;</th></tr></thead><tbody><tr><th>&amp;</th></tr></tbody></table>"
    )

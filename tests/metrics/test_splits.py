import json
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.metrics import roc_auc_score

import isocost as ic
from isocost.errors import InputError, UnknownNameError
from isocost.metrics import auc_split_table, gini_roc_table
from oracles import point_metrics as oracle

leaves = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5).filter(
    lambda rows: all(map(sum, zip(*rows, strict=True)))
)


def test_tables_are_those_of_exact_arithmetic():
    """Worked with fractions."""
    assert gini_roc_table([[8, 1, 3], [2, 10, 0], [5, 5, 20]]) == pytest.approx(0.36305361305361306, abs=1e-15)
    assert auc_split_table([[8, 1, 3], [2, 10, 4]]) == pytest.approx(0.8385416666666666, abs=1e-15)


@given(leaves)
def test_area_of_leaves_is_that_of_their_shares_as_scores(rows):
    """Each case scored by the share of positives of its leaf."""
    up, down = np.array(rows).T
    score = np.divide(up, up + down, out=np.zeros(len(rows)), where=up + down > 0)
    y = np.repeat([1, 0], [up.sum(), down.sum()])
    s = np.concatenate([np.repeat(score, up), np.repeat(score, down)])
    assert auc_split_table([up, down]) == pytest.approx(roc_auc_score(y, s), abs=1e-12)


@given(st.integers(0, 20), st.integers(0, 20))
def test_two_leaves_are_a_point_of_roc_space(a, b):
    """The criteria of tables and of points are the same there."""
    table = [[a, 20 - a], [b, 20 - b]]
    point = (b / 20, a / 20)
    assert auc_split_table(table) == pytest.approx(ic.metrics.auc_split(*point), abs=1e-12)
    assert gini_roc_table(table) == pytest.approx(ic.metrics.gini_roc(*point), abs=1e-12)


def test_several_classes_of_equal_size_have_a_share_of_chi_squared():
    """χ²/(N(J - 1)), with an empty branch left out."""
    table = np.array([[8, 1, 3], [2, 10, 0], [5, 5, 2]])
    chi = chi2_contingency(table, correction=False).statistic
    assert gini_roc_table(table) == pytest.approx(chi / (table.sum() * 2), abs=1e-12)
    assert gini_roc_table(np.insert(table, 1, 0, axis=1)) == gini_roc_table(table)
    assert gini_roc_table(np.diag([1, 2, 3])) == 1.0


@pytest.mark.parametrize(
    "counts",
    [[1, 2], [[1, 2]], [[1, 2], [0, 0]], [[1, -2], [3, 4]], [[1, np.nan], [1, 1]], [[1, np.inf], [1, 1]], "ab"],
)
def test_what_is_no_table_of_counts_is_refused(counts):
    """Fewer than two classes, an empty class, negative counts."""
    for criterion in (auc_split_table, gini_roc_table):
        with pytest.raises(InputError, match="counts"):
            criterion(counts)


CRITERIA = ("information_gain", "gini_split", "dkm_split", "gini_roc", "chi_squared")

rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4), st.sampled_from("abc"), st.integers(0, 3)), min_size=4, max_size=25
).filter(
    lambda r: (
        len({y for y, *_ in r}) == 2
        and (len({x for _, x, *_ in r}) > 1 or len({g for _, _, g, _ in r}) > 1)
        and all(sum(w for y, *_, w in r if y == label) > 0 for label in (0, 1))
    )
)


def count(y, weight, rule):
    """The four cells of a split, counted row by row."""
    cells = {"tp": 0, "fn": 0, "fp": 0, "tn": 0}
    for label, w, met in zip(y, weight, rule, strict=True):
        cells[("tp" if met else "fn") if label else ("fp" if met else "tn")] += int(w)
    return cells


@given(rows, st.booleans())
def test_every_split_is_found_and_counted(data, weighted):
    """Each threshold and category, with the cells a plain loop counts and the impurity the textbook gives."""
    y, x, group, weight = (list(column) for column in zip(*data, strict=True))
    weight = weight if weighted else [1] * len(y)
    counted = [row for row in zip(y, x, group, weight, strict=True) if row[3] > 0]
    assume(len({row[1] for row in counted}) > 1 or len({row[2] for row in counted}) > 1)
    ranking = ic.metrics.rank_splits({"x": x, "group": group}, y, sample_weight=weight if weighted else None)
    found = {s.rule: s for s in ranking.ranked("gini_split")}
    y, x, group, weight = (list(column) for column in zip(*counted, strict=True))
    rules = {f"x ≥ {v}": [u >= v for u in x] for v in sorted(set(x))[1:]}
    levels = sorted(set(group))
    rules |= {f"group = {g}": [u == g for u in group] for g in (levels[:1] if len(levels) == 2 else levels)}
    if len(levels) == 1:
        rules.pop(f"group = {levels[0]}")
    assert set(found) == set(rules)
    for rule, split in found.items():
        cells = count(y, weight, rules[rule])
        assert {name: getattr(split, name) for name in cells} == pytest.approx(cells, abs=1e-9)
        assert split.score == pytest.approx(oracle.impurity_split(oracle.gini, **cells), abs=1e-9)


@given(rows)
def test_rankings_go_from_best_to_worst_under_each_criterion_and_skew(data):
    """Scores fall, and are those of the metric at the split's point and the skew asked for."""
    y, x, group, _ = (list(column) for column in zip(*data, strict=True))
    ranking = ic.metrics.rank_splits({"x": x, "group": group}, y, skew_ratios=[0.1, 1, 10])
    for criterion in CRITERIA:
        for c in (0.1, 1.0, 10.0):
            splits = ranking.ranked(criterion, skew_ratio=c)
            assert len(splits) == len(ranking)
            assert all(a.score >= b.score - 1e-11 for a, b in pairwise(splits))
            first = splits[0]
            metric = getattr(ic.metrics, criterion)
            assert first.score == pytest.approx(metric(first.fpr, first.tpr, c), abs=1e-12)
            assert ranking.best(criterion, skew_ratio=c) == first
            assert ranking.ranked(criterion, skew_ratio=c, top=2) == splits[:2]


def test_insensitive_criteria_keep_their_ranking_under_skew():
    """DKM-split and Gini-ROC rank alike at every skew; Gini-split does not on this table."""
    rng = np.random.default_rng(12)
    y = rng.random(300) < 0.4
    table = {f"x{i}": np.round(rng.normal(y * (i + 1) / 3, 1), 1) for i in range(3)}
    ranking = ic.metrics.rank_splits(table, y, skew_ratios=[0.05, 1, 20])

    def order(criterion, c):
        return [s.rule for s in ranking.ranked(criterion, skew_ratio=c)]

    for criterion in ("dkm_split", "gini_roc"):
        assert order(criterion, 0.05) == order(criterion, 1.0) == order(criterion, 20.0)
    assert order("gini_split", 0.05) != order("gini_split", 20.0)
    assert order("gini_split", 1.0) == order("gini_roc", 1.0)
    assert order("gini_split", 20.0) == order("chi_squared", 20.0)


def test_the_default_skew_is_that_of_the_data():
    """Negatives over positives, with weights if there are any."""
    plain = ic.metrics.rank_splits({"x": [1, 2, 3, 4]}, [1, 0, 0, 0])
    assert plain.skew_ratios == (3,)
    weighted = ic.metrics.rank_splits({"x": [1, 2, 3, 4]}, [1, 0, 0, 0], sample_weight=[2, 1, 0, 0])
    assert weighted.skew_ratios == (0.5,)


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_dataframes_and_mappings_give_the_same(frame):
    """Numbers, booleans, text and categories, from pandas, polars or plain columns."""
    table = frame({"x": [1.5, 2.0, 2.0, 3.0], "flag": [True, False, True, False], "job": ["a", "b", "c", "a"]})
    ranking = ic.metrics.rank_splits(table, [0, 1, 1, 0])
    assert [s.rule for s in ranking.ranked("gini_split", top=3)] == ["job = a", "x ≥ 2", "x ≥ 3"]
    assert len(ranking) == 6


def test_other_metrics_and_labels_serve_too():
    """Rule metrics, functions of which less is better, and text labels."""

    def error(h, k, c):
        return (c * h + 1 - k) / (1 + c)

    metric = ic.metrics.from_function(error, direction="lower")
    ranking = ic.metrics.rank_splits(
        {"x": [1, 2, 3, 4, 5]}, ["no", "no", "yes", "no", "yes"], criteria=["precision", metric], pos_label="yes"
    )
    assert ranking.criteria == ("precision", "error")
    assert ranking.best("precision").rule == "x ≥ 5"
    assert ranking.best("error").rule == "x ≥ 3"
    assert repr(ranking) == "<SplitRanking: 4 splits, 2 criteria, 1 skew ratios>"
    assert [(name, s.rule) for name, _, s in ranking] == [("precision", "x ≥ 5"), ("error", "x ≥ 3")]
    assert json.loads(json.dumps(ranking.to_dict()))["rankings"][1]["splits"][0]["rule"] == "x ≥ 3"


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ({}, {}, "the table has no columns"),
        ({"x": [1, 1, 1]}, {}, "the table has no binary split"),
        ({"x": [1, 2]}, {}, r"different lengths: x has shape \(2,\), y_true has shape \(3,\)"),
        ({"x": [1, np.nan, 3]}, {}, r"x is missing in 1 of 3 rows, the first is row 2"),
        ({"g": ["a", None, "b"]}, {}, r"g is missing in 1 of 3 rows"),
        ({"x": [1, 2, 3]}, {"criteria": []}, "criteria is empty"),
        ({"x": [1, 2, 3]}, {"skew_ratios": [0]}, "skew_ratio must be positive"),
        (3, {}, "table must be a mapping of columns or a dataframe, got int"),
    ],
)
def test_bad_tables_are_named(table, options, message):
    """Which column, which row, and what is missing."""
    with pytest.raises(ic.IsocostError, match=message):
        ic.metrics.rank_splits(table, [0, 1, 1], **options)


def test_rankings_that_were_not_made_are_answered_with_those_that_were():
    """Criterion and skew ratio are looked up, not computed anew."""
    ranking = ic.metrics.rank_splits({"x": [1, 2, 3]}, [0, 1, 1], skew_ratios=[1, 2])
    with pytest.raises(UnknownNameError, match="unknown criterion 'gini': did you mean"):
        ranking.best("gini")
    with pytest.raises(UnknownNameError, match="unknown skew_ratio 3"):
        ranking.best("gini_split", skew_ratio=3)


@pytest.mark.parametrize("criteria", [5, np.array(5), None])
def test_criteria_are_several(criteria):
    """A number, even as an array without a length, is no list of metrics."""
    with pytest.raises(ic.IsocostError, match="criteria must be a list of metrics"):
        ic.metrics.rank_splits({"a": [1, 2, 3]}, [0, 1, 1], criteria=criteria)

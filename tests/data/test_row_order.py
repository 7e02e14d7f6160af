"""Rows are taken by position: wherever two arguments tell of the same cases, a pandas index in another order is refused."""

import inspect
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import isocost as ic
from isocost.errors import InputError

RNG = np.random.default_rng(0)
N = 120
LABELS = pd.Series(RNG.integers(0, 2, N), index=[f"case {i}" for i in range(N)])
SCORES = LABELS + RNG.normal(size=N)
CLASSES = pd.Series(RNG.integers(0, 3, N), index=LABELS.index)
PROBABILITIES = pd.DataFrame(RNG.dirichlet([1, 1, 1], N), index=LABELS.index)
MARKS = pd.Series(RNG.integers(0, 30, N), index=LABELS.index)
WEIGHTS = pd.Series(1.0, index=LABELS.index)
TABLE = pd.DataFrame({"y": LABELS, "a": SCORES})
AT = ic.Condition(1, 5, 0.3)
OWN = ic.Comparison.from_scores(LABELS, {"a": SCORES}, condition=AT)
FRAMED = ic.Comparison.from_frame(TABLE, label="y", scores=["a"], condition=AT)
FEATURES = pd.DataFrame({"x": SCORES})
FITTED = LogisticRegression().fit(FEATURES, LABELS)
CROSS_VALIDATED = ic.Comparison.from_estimators({"a": FITTED}, FEATURES, LABELS, cv=3, condition=AT)
HELD_OUT = np.arange(N // 2, N)
TESTED = ic.Comparison.from_estimators(
    {"a": FITTED}, FEATURES, LABELS, cv=[(np.arange(N // 2), HELD_OUT)], condition=AT
)
COSTS = ic.RowCosts.from_columns(LABELS, cost_fp=1, cost_fn=5)
DECISION = OWN.decide()
BY_GROUP = ic.monitor.Rule.by_group({str(mark): ("a", 0.5, AT) for mark in range(30)})
TWO = ic.Comparison.from_scores(LABELS, {"a": SCORES, "b": -SCORES})
CASCADE = TWO.cascade("a", "b", AT, cost_call=0.1)
BASE = {"y_true": LABELS, "y_score": SCORES, "sample_weight": WEIGHTS}


def drawn(comparison):
    """Return its bootstrap as a function of rows."""
    return lambda **rows: comparison.bootstrap(20, **rows)


def reported(comparison):
    """Return its report as a function of rows."""
    return lambda **rows: comparison.report(n_resamples=0, **rows)


# What is called with which rows; arguments in braces are a model's by name.
CALLS = {
    "Comparison.from_scores": (
        ic.Comparison.from_scores,
        {
            "y_true": LABELS, "scores": {"a": SCORES}, "sample_weight": WEIGHTS, "fold": MARKS % 3, "cluster": MARKS,
            "columns": {"site": MARKS},
        },
    ),
    "Comparison.from_estimators": (
        lambda **rows: ic.Comparison.from_estimators({"a": FITTED}, FEATURES, cv=3, **rows),
        {"y": LABELS, "sample_weight": WEIGHTS},
    ),
    "Comparison.report": (reported(OWN), {"group": MARKS % 2}),
    "Comparison.report of a frame": (reported(FRAMED), {"group": MARKS % 2}),
    "Comparison.report of estimators": (reported(CROSS_VALIDATED), {"group": MARKS % 2}),
    "Comparison.report of a part of the rows": (reported(TESTED), {"group": (MARKS % 2).iloc[HELD_OUT]}),
    "Comparison.bootstrap": (drawn(OWN), {"cluster": MARKS, "sample_weight": WEIGHTS}),
    "Comparison.bootstrap of a frame": (drawn(FRAMED), {"cluster": MARKS, "sample_weight": WEIGHTS}),
    "ClassComparison.from_scores": (
        ic.ClassComparison.from_scores,
        {"y_true": CLASSES, "scores": {"a": PROBABILITIES}, "sample_weight": WEIGHTS},
    ),
    "ClassComparison.from_labels": (
        ic.ClassComparison.from_labels,
        {"y_true": CLASSES, "labels": {"a": CLASSES}, "sample_weight": WEIGHTS},
    ),
    "CascadeChoice.on": (CASCADE.on, {"y_true": LABELS, "scores": {"a": SCORES, "b": -SCORES}}),
    "Decision.apply": (DECISION.apply, {"scores": SCORES}),
    "Decision.evaluate_on": (
        DECISION.evaluate_on,
        {"y_true": LABELS, "scores": {"a": SCORES}, "sample_weight": WEIGHTS},
    ),
    "Groups.from_scores": (
        ic.Groups.from_scores,
        {"y_true": LABELS, "scores": SCORES, "group": MARKS % 2, "sample_weight": WEIGHTS},
    ),
    "JointCounts.from_arrays": (ic.JointCounts.from_arrays, {"y_true": LABELS, "scores": {"a": SCORES}}),
    "RocCurve.from_scores": (ic.RocCurve.from_scores, BASE),
    "RowCosts.from_columns": (
        ic.RowCosts.from_columns,
        {"y_true": LABELS, "cost_fp": WEIGHTS, "cost_fn": WEIGHTS, "cost_tp": 0 * WEIGHTS, "cost_tn": 0 * WEIGHTS},
    ),
    "RowCosts.best_threshold": (COSTS.best_threshold, {"y_score": SCORES}),
    "RowCosts.curve": (COSTS.curve, {"y_score": SCORES}),
    "RowCosts.decide": (COSTS.decide, {"scores": {"a": SCORES}}),
    "RowCosts.envelope": (COSTS.envelope, {"y_score": SCORES}),
    "RowCosts.cost": (COSTS.cost, {"flagged": SCORES > 0}),
    "RowCosts.savings": (COSTS.savings, {"flagged": SCORES > 0}),
    "RowCosts.gain": (COSTS.gain, {"probability": LABELS * 0.5}),
    "ScoreCounts.from_arrays": (ic.ScoreCounts.from_arrays, BASE),
    "ScoreCounts.from_unlabelled": (
        ic.ScoreCounts.from_unlabelled,
        {"y_score": SCORES, "sample_weight": WEIGHTS},
    ),
    "ScoreCounts.update": (lambda **rows: ic.ScoreCounts.from_arrays(**BASE).update(**rows), BASE),
    "bootstrap": (
        lambda **rows: ic.bootstrap(n_resamples=20, **rows),
        {"y_true": LABELS, "scores": {"a": SCORES}, "sample_weight": WEIGHTS, "cluster": MARKS, "fold": MARKS % 2},
    ),
    "challenge": (
        lambda **rows: ic.challenge(condition=AT, **rows),
        {"y_true": LABELS, "current": SCORES > 0, "new": SCORES > 1},
    ),
    "check": (
        lambda **rows: ic.check(BY_GROUP, max_fpr=0.5, **rows),
        {"y": LABELS, "scores": {"a": SCORES}, "group": MARKS},
    ),
    "watch": (lambda y, scores: ic.watch(DECISION, [(scores, y)]), {"y": LABELS, "scores": SCORES}),
    "monitor.evaluate": (
        lambda **rows: ic.monitor.evaluate(BY_GROUP, **rows),
        {"y": LABELS, "scores": {"a": SCORES}, "group": MARKS},
    ),
    "estimate_prevalence": (
        lambda y, scores: ic.estimate_prevalence((y, scores), [0.1, 0.5, 0.9, 1.2]),
        {"y": LABELS, "scores": SCORES},
    ),
    "Rule.apply": (BY_GROUP.apply, {"scores": SCORES, "group": MARKS}),
    "delong": (
        ic.delong,
        {"y_true": LABELS, "scores_a": SCORES, "scores_b": -SCORES, "cluster": MARKS},
    ),
    "delong of two samples": (
        lambda **rows: ic.delong(LABELS, SCORES, **rows),
        {"y_true_b": LABELS, "scores_b": SCORES},
    ),
    "hand_till": (ic.compare.hand_till, {"y_true": CLASSES, "scores": {"a": PROBABILITIES}}),
    "one_vs_rest": (
        ic.compare.one_vs_rest,
        {"y_true": CLASSES, "scores": {"a": PROBABILITIES}, "sample_weight": WEIGHTS},
    ),
}  # fmt: skip
# Rows that the object called on has an order for, so that already the first argument must keep it.
OWN_ORDER = re.compile(r"Comparison\.(report|bootstrap)|RowCosts\.(?!from_columns)")
ROWS = {name for _, rows in CALLS.values() for name in rows}
# Names that elsewhere are no rows: of columns, of a rule, one price for all cases, one value each.
NO_ROWS = {
    "Comparison.bootstrap": {"fold"}, "Comparison.decide": {"current"}, "Comparison.from_frame": {"scores", "fold", "cluster"},
    "Conditions.from_beliefs": {"cost_fp", "cost_fn", "cost_tp", "cost_tn"},
    "Conditions.from_costs": {"cost_fp", "cost_fn", "cost_tp", "cost_tn"}, "Groups.from_frame": {"scores", "group"},
    "Groups.hull": {"group"}, "JointCounts.of_fold": {"fold"}, "Question.of": {"current"},
    "Comparison.report": {"current"}, "Decision.report": {"current"},
}  # fmt: skip


def shuffled(rows):
    """Return the rows in another order."""
    if isinstance(rows, dict):
        return {name: shuffled(values) for name, values in rows.items()}
    return rows.iloc[RNG.permutation(len(rows))]


def callables():
    """Yield every public function and method of a public class."""
    for name in dir(ic):
        found = getattr(ic, name)
        if inspect.isclass(found):
            for method in dir(found):
                kind = inspect.getattr_static(found, method)
                if not method.startswith("_") and (
                    isinstance(kind, classmethod | staticmethod) or inspect.isfunction(kind)
                ):
                    yield f"{name}.{method}", getattr(found, method)
        elif inspect.isfunction(found) and not name.startswith("_"):
            yield name, found


def test_every_signature_is_tried():
    """Each public argument that has the name of rows is called below, or known to be something else."""
    tried = {name: set(rows) for name, (_, rows) in CALLS.items()}
    tried["delong"] |= tried["delong of two samples"]
    missing = {
        (name, parameter)
        for name, function in callables()
        for parameter in inspect.signature(function).parameters
        if parameter in ROWS | {"sample_weight", "labels", "y_pred"}
        and parameter not in tried.get(name, set()) | NO_ROWS.get(name, set())
    }
    assert not missing


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        (name, argument)
        for name, (_, rows) in CALLS.items()
        for i, argument in enumerate(rows)
        if i > 0 or OWN_ORDER.match(name)
    ],
)
def test_rows_in_another_order_are_refused(name, argument):
    """The same cases in another order are not taken by position, whenever they come; in the same order they are."""
    call, rows = CALLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ic.errors.FewCasesWarning)
        call(**rows)
        with pytest.raises(InputError, match="same index labels in another order"):
            call(**rows | {argument: shuffled(rows[argument])})

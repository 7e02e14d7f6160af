"""Calls of every public callable with arguments good and hostile, drawn from a seed."""

import copy
import inspect
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
from scipy import stats

import isocost as ic
import isocost.integrations.mlflow
import isocost.integrations.sklearn

ROOMS = ("measures", "inference", "decide", "compare", "groups", "curves", "metrics", "monitor")
# How much work to do: a large number is no mistake, but would take as long as it says.
SIZES = {"n_resamples", "size", "blocks", "n_jobs"}
Y = np.array([1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1])
S = np.array([0.9, 0.8, 0.7, 0.65, 0.3, 0.6, 0.6, 0.1, 0.95, 0.2, 0.05, 0.4])

NUMBERS = [
    0, 1, -1, 0.5, 1e-300, 5e-324, 1e308, -1e308, 2**31, 2**53 + 1, 2**64, 10**400, 0.1, 1 - 1e-16, 3, 7.5,
    math.nan, math.inf, -math.inf, Decimal("0.3"), Decimal("sNaN"), Decimal("NaN"), Decimal("1e400"), Fraction(1, 3),
    np.float32(0.25), np.int64(2), np.uint64(2**64 - 1), np.longdouble("0.1"), True, False, np.bool_(True), 1 + 2j,
]  # fmt: skip
OTHERS = [
    None, "", "auc", "0.5", "best", "\0", "é\ud800", b"x", [], (), {}, set(), [[]], [None], [1], [1, 2, 3], "x" * 5000,
    (0.2, 0.4), (0.4, 0.2), (math.nan, 1), (0, 10**400), {"a": 1}, {1: 2}, object(), range(3), slice(2),
    np.empty(0), np.empty((0, 3)), np.zeros((3, 3)), np.array(5), np.array([np.nan, 1.0]), np.array(["a", "b"]),
    np.array([1, None, 2], dtype=object), np.array(["2020-01-01"], dtype="M8[D]"), np.ma.array([1.0, 2.0], mask=[0, 1]),
    pd.Series([1, 0, 1], index=[2, 1, 0]), pd.DataFrame({"a": [1.0]}), pl.Series([0.5, 1.0]), pd.NaT, pd.NA, iter([1, 2]), iter([]),
]  # fmt: skip
LABELS = [Y, Y.tolist(), Y.astype(object), Y.astype(bool), np.where(Y, 1, -1), pd.Series(Y), pl.Series(Y)]
SCORES = [
    S, S.tolist(), S.astype(np.float32), S * 1e300, S * 1e-310, 10 * S - 5, np.round(S), pd.Series(S), -S,
    np.where(S > 0.5, np.inf, S), np.where(S > 0.5, S, -np.inf), np.zeros(12), S.astype(object),
]  # fmt: skip
WEIGHTS = [None, np.ones(12), S, S * 1e300, S * 1e-300, np.arange(12), np.full(12, 2**40)]


# A table in every format, written into the folder of the test.
FILES = ["rows.csv", "rows.parquet", "rows.jsonl", "rows.arrow"]


def write_files():
    """Write the tables that are named."""
    frame = pl.DataFrame({"y": Y, "a": S, "b": S[::-1], "w": np.arange(12) / 4})
    frame.write_csv(FILES[0])
    frame.write_parquet(FILES[1])
    frame.write_ndjson(FILES[2])
    frame.write_ipc(FILES[3])


def curves():
    """Curves of every kind: of rows, of counts whole and weighted, of points, of buckets, of distributions, of very many cases."""
    many = ic.ScoreCounts([0.9, 0.5, 0.1], [2**60, 5, 0], [1, 2**60, 7])
    return [
        ic.RocCurve.from_scores(Y, S), ic.RocCurve.from_scores(Y, S, sample_weight=S + 0.1, name="w"),
        ic.RocCurve.from_points([0.1, 0.5], [0.6, 0.8]), ic.RocCurve.from_scores([1, 0], [1, 0]),
        ic.RocCurve.from_scores([1, 0], [0, 1]), ic.RocCurve.from_scores([1, 0], [0.5, 0.5]), ic.RocCurve.from_counts(many),
        ic.RocCurve.from_counts(ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3], upper=[1.0, 0.4])),
        ic.RocCurve.from_confusion(3, 2, 1, 5), ic.RocCurve.from_scores(Y, 10 * S - 5),
        ic.RocCurve.from_distributions(stats.norm(1), stats.norm(0)), ic.RocCurve.from_scores(Y, S * 1e300),
        ic.RocCurve.from_scores(Y, np.where(S > 0.8, 1e300, S)),
    ]  # fmt: skip


def _pools():
    """Return good values by name of parameter."""
    roc = curves()
    conditions = [
        ic.Condition(1, 5, 0.3), ic.Condition(1e-9, 1e12, 0.001), ic.Condition.from_t(0.0), ic.Condition.from_t(1.0),
        ic.Condition(3, 1, 0.9, cost_tp=-1),
    ]  # fmt: skip
    over = [
        None, *conditions, ic.Conditions.uniform(t=(0.2, 0.4)), ic.Conditions.beta(2, 3),
        ic.Conditions.from_costs(cost_fn=(2, 9)), ic.Conditions.from_beliefs(cost_fn=(2, 9)),
        ic.Conditions.from_beliefs(cost_fn=(2, 9), prevalence=(0.1, 0.2), size=20),
        ic.Conditions.uniform(skew_ratio=(0, 9)), ic.Conditions.from_costs(cost_fn=(1e-12, 1e12)),
    ]  # fmt: skip
    rates = [0, 1, 0.1, 0.5, 0.9, 1e-12]
    named = [{"a": S, "b": S[::-1]}, {"a": S}, pd.DataFrame({"a": S, "b": -S}), pl.DataFrame({"a": S})]
    comparison = ic.Comparison.from_scores(Y, {"a": S, "b": S[::-1]})
    decision = comparison.decide(conditions[0])
    rules = [
        decision,
        ("a", 0.5),
        ("b", 0.3, conditions[0]),
        ic.monitor.Rule.of(comparison.decide(conditions[0], max_fpr=0.5)),
    ]
    metrics = ["f_measure", "precision", "mcc", "accuracy", "laplace", "information_gain", *ic.metrics.METRICS]
    pools = {
        "curve": roc, "other": roc, "a": [*roc, "a", 2], "b": [*roc, "b", 3], "curves": [roc[:2], roc[:1], roc[:3]],
        "condition": conditions, "over": over, "y_true": LABELS, "y": LABELS, "y_pred": LABELS, "y_score": SCORES,
        "scores_a": SCORES, "scores_b": [None, *SCORES], "sample_weight": WEIGHTS, "scores": named,
        "frame": [pd.DataFrame({"y": Y, "a": S}), pl.DataFrame({"y": Y, "a": S}), pd.DataFrame()], "label": ["y", "a"],
        "score": ["a", "y", ["a"], "zz"], "path": ["x.parquet", "x.csv", "no/such.parquet", "x.html"],
        "paths": [*FILES, [FILES[0]], "x.csv", ["x.csv", "x.csv"]],
        "counts": [ic.ScoreCounts.from_arrays(Y, S)], "text": ["score,positives,negatives\n1,2,3\n"],
        "fpr": [*rates, [0.1, 0.5]], "tpr": [*rates, [0.6, 0.8]], "max_fpr": rates, "min_tpr": rates, "max_flagged": rates,
        "min_precision": rates, "prevalence": [None, 0.3, 0.5, (0.1, 0.4)], "pcf": [0, 0.3, 1, [0.1, 0.5], (0.2, 0.3)],
        "t": [0, 0.3, 1, (0.2, 0.6)], "skew_ratio": [0.5, 1, 4, (0.1, 3)], "skew_ratios": [[1, 3]], "level": [0.9, 0.5],
        "cost_fp": [1, 3, (1, 2), 0], "cost_fn": [1, 5, (2, 4), stats.lognorm(1)], "cost_tp": [0, -1], "cost_tn": [0, 0.5],
        "cost_review": [0.1, 0.01], "n_resamples": [20, 40, 5], "rng": [0, None, 3], "metric": metrics, "metric_a": metrics,
        "metric_b": metrics, "measure": list(ic.registered_measures()), "name": [None, "m", "x"], "axis": ["pcf", "cost_proportion"],
        "method": ["best", "fixed", "score_driven", "rate_driven", "score_uniform", "rate_uniform", "vertical"],
        "threshold": [None, 0.5, 0.3], "between": ["all", None], "model": ["a", "b", "w"], "kind": ["simultaneous", "pointwise"],
        "tp": [3, 10], "fn": [1, 4], "fp": [2, 0], "tn": [7, 5], "positives": [None, 5, [1, 2]], "negatives": [None, 7, [3, 4]],
        "thresholds": [None, [0.7, 0.2]], "upper": [None], "pos_label": [None, 1], "table": [{"a": S, "b": -S}],
        "criteria": [["gini_split", "f_measure"]], "values": [[0.2, 0.5], 3], "size": [20], "n": [3], "cases": [1000],
        "cost_matrix": [[[0, 1], [5, 0]]], "classes": [None, (0, 1)], "randomised": [False, True], "level_": [0.9],
        "matrices": [{"a": (5, 1, 2, 9)}, {"a": (5, 1, 2, 9), "b": (4, 2, 1, 10)}], "multiplier": [1.0, (0.5, 2)],
        "flagged": [Y, S > 0.5], "grid": [5, [0.1, 0.5, 0.9]], "pcfs": [[0.1, 0.5]], "x": [0.5, [0.1, 0.2]], "dist": [stats.beta(2, 3)],
        "positive": [stats.norm(1)], "negative": [stats.norm(0)], "severity_ratio": [None, 0.3], "beta": [1.0, 2],
        "cluster": [None, np.arange(12) // 2],
        "fold": [None, "pooled", np.arange(12) % 2], "blocks": [None, 4], "low": [0.2], "high": [0.6], "names": [("a", "b")],
        "question": [decision.question], "decision": [decision], "evaluation": [decision.evaluate_on(Y, {"a": S, "b": S[::-1]})],
        "rule": rules, "versus": [None, *rules], "rules": [{"x": rules[0], "y": ("b", 0.2)}, {0: rules[1]}],
        "current": [None, ("a", 0.5), *rules], "new": ["z", *rules], "sure": [0.9, 0.5], "max_cost": [500, 0.0], "min_auc": [0.7, 1],
        "not_worse_than": [10, -3.5], "ignore_below": [0.0, 20], "error_rate": [0.1, 0.4], "worst_case": [False, True],
        "good_enough": [None, 5], "words": [None, {"case": "loan", "cases": "loans"}], "independent": [False, True],
        "periods": [[S], {"may": S[:5], "june": (S, Y)}, [(S, [*Y[:6], *[None] * 6])], [ic.ScoreCounts.from_arrays(Y, S)]],
        "reference": [(Y, S), roc[0], ic.ScoreCounts.from_arrays(Y, S)], "new_scores": [S, S[:5], ic.ScoreCounts.from_unlabelled(S)],
        "cuts": [None, S[:3]], "labels": [None, Y],
        "group": [np.arange(12) % 2, ["x", "y"] * 6], "power": [0.8], "correlation": [0.0, 0.5], "negatives_per_positive": [1, 9],
        "missing": ["error", "drop"], "lower_is_positive": [(), "a", ["a"]], "decimal": [None, ".", ","], "memory": [None, "100MB"],
        "encoding": [None, "utf-8", "latin-1"], "progress": [None], "weight": [None, "w"], "ax": [None], "unit": ["", "€"],
        "title": [None, "t"], "port": [0], "browse": [True, False], "notes": [["read"], []], "comparison": [comparison],
        "drawn": [
            *roc, comparison, ic.cost_curve(roc[0]), ic.curves.kendall_curve(roc[0]), comparison.winners(), comparison.difference("a", "b"),
            comparison.decide(conditions[0]), ic.curves.net_benefit_curve(roc[0]), ic.measures.RocSurface.from_curve(roc[0]),
            ic.metrics.isometrics("f_measure", [0.3, 0.6]), ic.curves.brier_decomposition(roc[0]),
            ic.ScoreCounts.from_arrays(Y, S),
        ],
        "reviewer_fpr": [0.0, 0.05], "reviewer_tpr": [1.0, 0.9], "max_reviewed": [None, 0.2], "tolerance": [0.0, 0.1, [0.0, 0.1]],
    }  # fmt: skip
    return {name: list(values) for name, values in pools.items()}


def _objects():
    """Return things with public methods, each with a name for messages."""
    comparison = ic.Comparison.from_scores(Y, {"a": S, "b": S[::-1]})
    sampled = ic.bootstrap(
        np.tile(Y, 4), {"a": np.tile(S, 4) + np.arange(48) / 99, "b": np.sin(np.arange(48))}, n_resamples=20
    )
    curve = curves()[0]
    made = [
        *curves(), ic.ScoreCounts.from_arrays(Y, S), ic.ScoreCounts.empty(), ic.JointCounts.from_arrays(Y, {"a": S}),
        ic.cost_curve(curve), ic.curves.kendall_curve(curve), ic.cost_curve(curve, method="score_driven"), comparison, sampled,
        ic.Condition(1, 5, 0.3), ic.Conditions.beta(2, 3), ic.RowCosts.from_columns(Y, cost_fp=1.0, cost_fn=S + 1),
        comparison.decide(ic.Condition(1, 5, 0.3)), ic.curves.net_benefit_curve(curve), ic.metrics.f_measure,
        ic.Groups.from_scores(Y, {"a": S}, np.arange(12) % 2),
        ic.curves.pr_curve(curve), ic.curves.gain_curve(curve), curve.calibrator(),
        ic.measures.RocSurface.from_curve(curve), ic.registered_measures()["voros"], comparison.winners(),
        comparison.report(n_resamples=5), comparison.plot(), curve.plot(),
    ]  # fmt: skip
    return [(type(thing).__name__, thing) for thing in made]


def targets():
    """Return every public callable with its name: functions, constructors from data, displays, methods and properties."""
    found = {}
    for home in (ic, *(getattr(ic, module) for module in ROOMS)):
        for name in home.__all__:
            value = getattr(home, name)
            if inspect.isfunction(value) or (callable(value) and not inspect.isclass(value)):
                found[name] = value
            elif inspect.isclass(value) and not issubclass(value, BaseException):
                found |= {f"{name}.{key}": member for key, member in _constructors(name, value)}
    found |= {name: getattr(ic, name) for name in ("Condition", "ScoreCounts", "Comparison")}
    found |= {
        f"plots.{name}": _shown(getattr(ic.plots, name))
        for name in ic.plots.__all__
        if name.endswith("Display") and name != "Display"
    }
    found |= {f"mlflow.{name}": getattr(ic.integrations.mlflow, name) for name in ic.integrations.mlflow.__all__}
    # The classifier needs others to be fitted; scikit-learn's own checks try it.
    scikit = {name: getattr(ic.integrations.sklearn, name) for name in ic.integrations.sklearn.__all__}
    found |= {f"sklearn.{name}": value for name, value in scikit.items() if inspect.isfunction(value)}
    for number, (name, thing) in enumerate(_objects()):
        if callable(thing):
            found[f"{name}[{number}]()"] = thing
        found |= {f"{name}[{number}].{key}": member for key, member in _members(thing)}
    return found


def _constructors(name, cls):
    """Yield the class methods that users call: by `of` and `around` the package makes results of what it has checked."""
    for key, member in inspect.getmembers(cls, callable):
        own = key in ("of", "around") and name != "Conditions"
        if not key.startswith("_") and not own and isinstance(inspect.getattr_static(cls, key), classmethod):
            yield key, member


def _members(thing):
    """Yield methods as they are, and everything else as a way to ask for it."""
    # What a measure hands to the package, as its function, is called by the package alone.
    hooks = [part.name for part in fields(thing) if not part.metadata.get("data", True)] if is_dataclass(thing) else []
    # What every sequence promises: a ValueError for what is not there.
    inherited = ["index", "count"] if isinstance(thing, Sequence) else []
    for key in dir(thing):
        static = inspect.getattr_static(type(thing), key, None)
        if key.startswith("_") or key in [*hooks, *inherited] or isinstance(static, classmethod):
            continue
        if key == "plot":
            yield key, _drawn(thing, thing.plot)
        elif callable(inspect.getattr_static(thing, key, None)):
            yield key, getattr(thing, key)
        else:
            yield key, partial(getattr, thing, key)


def _options(display):
    """The options of a display as parameters, those of what it derives from too."""
    makers = [cls.__init__ for cls in display.__mro__ if "__init__" in vars(cls) and cls is not object]
    found = {
        p.name: p for maker in makers for p in inspect.signature(maker).parameters.values() if p.kind is p.KEYWORD_ONLY
    }
    return list(found.values())


def _shown(display):
    """Make a display of anything, and draw it."""

    def shown(drawn, **options):
        return display(drawn, **options).plot()

    shown.__signature__ = inspect.Signature(
        [inspect.Parameter("drawn", inspect.Parameter.POSITIONAL_ONLY), *_options(display)]
    )
    return shown


def _drawn(thing, plot):
    """Let the options of a figure be parameters like any other."""

    def drawn(**options):
        return plot(**options)

    given = inspect.Parameter("ax", inspect.Parameter.KEYWORD_ONLY, default=None)
    known = _options(getattr(ic.plots, thing._display_name())) if hasattr(thing, "_display_name") else []
    drawn.__signature__ = inspect.Signature([given, *known])
    return drawn


def _large(value):
    try:
        return 1000 < float(value) < 1e300
    except (TypeError, ValueError, ArithmeticError):
        return False


def arguments(call, rng, pools):
    """Draw arguments for the parameters of a callable: mostly good ones, sometimes anything at all."""
    if isinstance(call, partial):  # a property
        return (), {}
    parameters = list(inspect.signature(call).parameters.values())
    if parameters and parameters[-1].name == "options" and "Unpack" in str(parameters[-1].annotation):
        own = {"condition", "own_prevalence", "label"}
        parameters += [p for name, p in inspect.signature(ic.Question.of).parameters.items() if name not in own]
    given, named = [], {}
    hostile = rng.random() < 0.7
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        optional = parameter.default is not parameter.empty
        if optional and rng.random() < 0.6:
            continue
        pool = pools.get(parameter.name, NUMBERS)
        if hostile and rng.random() < 0.35:
            pool = NUMBERS if rng.random() < 0.5 else OTHERS + LABELS + SCORES
        if parameter.name in SIZES:
            pool = [value for value in pool if not _large(value)]
        value = pool[int(rng.integers(len(pool)))]
        if isinstance(value, Iterator):
            value = copy.copy(value)  # one call must not use up what another is given
        if parameter.kind is parameter.POSITIONAL_ONLY:
            given.append(value)
        else:
            named[parameter.name] = value
    return tuple(given), named


# Where a metric has no slope, or a point no threshold, the documentation promises NaN.
UNDEFINED = ("effective_skew", "thresholds", "t_at")


# What results say in numbers.
NUMBERS_OF_RESULTS = ("expected_cost", "normalised_cost", "regret", "low", "high", "auc", "probability")


def has_nan(name, result):
    """Tell whether a number that was promised is none."""
    if name.endswith(UNDEFINED):
        return False
    parts = [getattr(result, part, None) for part in NUMBERS_OF_RESULTS] if is_dataclass(result) else [result]
    return any(_is_nan(part) for part in parts)


def _is_nan(value):
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return bool(np.isnan(value).any())
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def draw(seed, size):
    """Yield named calls with their arguments; every callable in turn, so that each is called about equally often."""
    rng = np.random.default_rng(seed)
    calls, pools = targets(), _pools()
    for name in itertools.islice(itertools.cycle(calls), size):
        yield name, calls[name], *arguments(calls[name], rng, pools)

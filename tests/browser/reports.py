"""Reports of every kind that a reader may open: few models and many, odd scores, odd names, odd conditions."""

import numpy as np

import isocost as ic
from isocost.datasets import load_german_credit_ages, load_german_credit_predictions

WORDS = {
    "case": "applicant", "cases": "applicants", "positive": "bad risk", "positives": "bad risks", "negative": "good customer",
    "negatives": "good customers", "flag": "turn down", "flags": "turns down", "flagged": "turned down", "flagging": "turning down",
}  # fmt: skip
LONG = "credit_scoring_2024_gradient_boosting_depth_{:02d}_with_calibration_final"
COSTS = ic.Condition(1, 5, 0.3)
RANGES = ic.Conditions.from_costs(cost_fp=1000.0, cost_fn=(4000.0, 6000.0), prevalence=(0.25, 0.35))
# Few resamples: the page is tested, not how sure it is.
DRAWS = 60


def comparison(name="credit"):
    """The comparison behind a report."""
    return ic.Comparison.from_scores(*load_german_credit_predictions()) if name == "credit" else _models(**KINDS[name])


def credit(condition=COSTS, **options):
    """The report of three credit models."""
    return comparison().report(condition=condition, **{"n_resamples": DRAWS} | options)


def _models(count=2, *, n=1200, share=0.3, names="model {}", lift=1.8, step=0.04):
    rng = np.random.default_rng(3)
    y = (rng.random(n) < share).astype(int)
    return ic.Comparison.from_scores(
        y, {names.format(i + 1): rng.normal(size=n) + y * (lift - i * step) for i in range(count)}
    )


KINDS = {
    "one": {"count": 1}, "two": {"count": 2}, "twelve": {"count": 12, "names": LONG}, "twenty": {"count": 20},
    "rare": {"count": 3, "n": 20_000, "share": 0.01, "lift": 2.4, "step": 0.3}, "useless": {"count": 2, "lift": 0.0, "step": 0.0},
    "few": {"count": 2, "n": 60, "share": 0.25},
}  # fmt: skip


def _odd(scores_of, n=800, share=0.3):
    rng = np.random.default_rng(7)
    y = np.arange(n) < n * share
    return ic.Comparison.from_scores(y.astype(int), scores_of(y, rng)).report(condition=COSTS, n_resamples=DRAWS)


def _of(name, condition=COSTS, **options):
    return _models(**KINDS[name]).report(condition=condition, **{"n_resamples": DRAWS} | options)


def _grouped():
    group = np.array(["under 25", "25 to 39", "40 to 59", "60 and over"])[
        np.digitize(load_german_credit_ages(), [25, 40, 60])
    ]
    return credit(group=group, unit="DM")


def _cascaded():
    found = comparison().cascade("naive_bayes", "random_forest", COSTS, cost_call=0.02, n_resamples=20)
    return credit(words=WORDS).cascaded(found)


def _table():
    papers = {"Adams 2019": ([0.08, 0.22], [0.61, 0.83]), "Brown 2021": ([0.15], [0.78]), "Clark": ([0.03], [0.4])}
    curves = [ic.RocCurve.from_points(*points, name=name) for name, points in papers.items()]
    return ic.Comparison(curves).report(condition=ic.Condition(1, 4, 0.2))


def _alike():
    """Two models that cost the same, on many cases."""
    rng = np.random.default_rng(3)
    y = np.arange(4000) < 1200
    scores = rng.normal(size=4000) + 1.5 * y
    models = {"a": scores, "b": scores + rng.normal(size=4000) * 0.05}
    return ic.Comparison.from_scores(y, models).report(condition=COSTS, n_resamples=DRAWS)


def _weak():
    """One model that is hardly better than none."""
    rng = np.random.default_rng(3)
    y = np.arange(4000) < 1200
    rng.normal(size=8000)
    scores = rng.normal(size=4000) + 0.3 * y
    comparison = ic.Comparison.from_scores(y[::10], {"a": scores[::10]})
    return comparison.report(condition=ic.Condition(1, 2, 0.3), n_resamples=DRAWS)


REPORTS = {
    "credit": credit,
    "ask": lambda: credit(None),
    "money": lambda: credit(ic.Condition(200, 1000, 0.3), unit="€", words=WORDS, current=("logistic_regression", 0.5)),
    "one": lambda: _of("one"),
    "twelve": lambda: _of("twelve"),
    "twenty": lambda: _of("twenty"),
    "rare": lambda: _of("rare", ic.Condition(1, 27, 0.01), unit="$"),
    "useless": lambda: _of("useless", ic.Condition(1, 1, 0.3)),
    "few": lambda: _of("few"),
    "unsampled": lambda: credit(n_resamples=0),
    "inverted": lambda: _odd(lambda y, rng: {"backwards": rng.normal(size=y.size) - 1.5 * y, "weak": rng.normal(size=y.size) + y}),
    "perfect": lambda: _odd(lambda y, rng: {"leaky": y + rng.random(y.size) / 2, "honest": rng.normal(size=y.size) + y}),
    "table": _table,
    "same": _alike,
    "weak": _weak,
    "ranges": lambda: credit(RANGES, unit="DM", words=WORDS),
    "groups": _grouped,
    "cascade": _cascaded,
    "gains": lambda: credit(ic.Condition(1000, 5000, 0.3, cost_tp=-4000), unit="DM"),
}  # fmt: skip


def watched(periods=30):
    """A choice over many periods, with an alarm."""
    rng = np.random.default_rng(1)
    y = np.arange(800) < 240
    decision = ic.Comparison.from_scores(y, {"m": rng.normal(size=800) + 1.5 * y}).decide(ic.Condition(1, 3, 0.3))
    weeks = [rng.normal(size=900) + 1.5 * (rng.random(900) < (0.3 if i < 15 else 0.02)) for i in range(periods)]
    return ic.watch(decision, weeks)

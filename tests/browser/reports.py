"""Reports of every kind that a reader may open: few models and many, odd scores, odd names, odd conditions."""

import numpy as np

import isocost as ic
from isocost.datasets import load_german_credit_ages, load_german_credit_predictions

WORDS = {"positive": "bad risk", "negative": "good customer", "case": "applicant", "flag": "turn down"}
LONG = "credit_scoring_2024_gradient_boosting_depth_{:02d}_with_calibration_final"
# What the address adds: a page may be opened within limits, or with a person who looks.
HASHES = {"limits": "#p=0.3&fn=5&fp=1&cap=300&prec=55", "reviews": "#p=0.3&fn=5&fp=1&rev=0.2~0.3~0.05~0.9"}


def _scores(count, n=1200, share=0.3, names="model {}"):
    rng = np.random.default_rng(3)
    y = (rng.random(n) < share).astype(int)
    return y, {names.format(i + 1): rng.normal(size=n) + y * (1.8 - i / 25) for i in range(count)}


def _credit(**options):
    return ic.Comparison.from_scores(*load_german_credit_predictions()).report(
        **{"over": ic.Condition(1, 5, 0.3)} | options
    )


def _many(count, names="model {}"):
    return ic.Comparison.from_scores(*_scores(count, names=names)).report(over=ic.Condition(1, 5, 0.3))


def _odd(scores_of, *, n=800, share=0.3, over=None, **options):
    rng = np.random.default_rng(7)
    y = np.arange(n) < n * share
    comparison = ic.Comparison.from_scores(y.astype(int), scores_of(y, rng))
    return comparison.report(over=over or ic.Condition(1, 5, share), **options)


def _identical():
    def scores_of(y, rng):
        one = rng.normal(size=y.size) + 1.5 * y
        return {"first copy": one, "second copy": one.copy(), "other": rng.normal(size=y.size) + 0.8 * y}

    return _odd(scores_of)


def _rare():
    return _odd(
        lambda y, rng: {"forest": rng.normal(size=y.size) + 2 * y, "boosting": rng.normal(size=y.size) + 2.1 * y},
        n=20_000, share=0.005, over=ic.Condition(1, 200, 0.005), unit="€", n_resamples=60,
    )  # fmt: skip


def _inexact():
    wide = ic.ScoreCounts([0.9, 0.8, 0.5, 0.3, 0.1], [6, 0, 1, 5, 0], [0, 2, 1, 0, 3], upper=[0.9, 0.8, 0.6, 0.3, 0.1])
    fine = ic.ScoreCounts([0.9, 0.5, 0.1], [5, 4, 3], [1, 1, 4])
    curves = [ic.RocCurve.from_counts(counts, name=name) for name, counts in (("buckets", wide), ("exact", fine))]
    return ic.Comparison(curves).report(over=ic.Condition(1, 2, 0.4))


def _table():
    papers = {"Adams 2019": ([0.08, 0.22], [0.61, 0.83]), "Brown 2021": ([0.15], [0.78]), "Clark": ([0.03], [0.4])}
    curves = [ic.RocCurve.from_points(*points, name=name) for name, points in papers.items()]
    return ic.Comparison(curves).report(over=ic.Condition(1, 4, 0.2))


def _grouped():
    ages = load_german_credit_ages()
    group = np.array(["under 25", "25 to 39", "40 to 59", "60 and over"])[np.digitize(ages, [25, 40, 60])]
    return _credit(group=group, unit="DM")


def _ranges():
    over = ic.Conditions.from_costs(cost_fp=1000.0, cost_fn=(4000.0, 6000.0), prevalence=(0.25, 0.35))
    return _credit(over=over, unit="DM", words=WORDS, title="German credit: which applicants to turn down")


def _belief():
    from scipy.stats import lognorm

    return _credit(over=ic.Conditions.from_beliefs(cost_fp=1.0, cost_fn=lognorm(0.8, scale=4), prevalence=0.3))


REPORTS = {
    "credit": _credit,
    "one": lambda: _many(1),
    "two": lambda: _many(2),
    "five": lambda: _many(5),
    "twelve": lambda: _many(12, LONG),
    "twenty": lambda: _many(20),
    "identical": _identical,
    "inverted": lambda: _odd(
        lambda y, rng: {"backwards": rng.normal(size=y.size) - 1.5 * y, "weak": rng.normal(size=y.size) + 0.3 * y}
    ),
    "perfect": lambda: _odd(
        lambda y, rng: {"leaky": y + rng.random(y.size) / 2, "honest": rng.normal(size=y.size) + y}
    ),
    "useless": lambda: _odd(
        lambda y, rng: {"noise": rng.normal(size=y.size), "constant": np.ones(y.size)}, over=ic.Condition(1, 1, 0.3)
    ),
    "rare": _rare,
    "inexact": _inexact,
    "unsampled": lambda: _credit(n_resamples=0),
    "table": _table,
    "ranges": _ranges,
    "belief": _belief,
    "limits": _credit,
    "reviews": _credit,
    "groups": _grouped,
    "gains": lambda: _credit(over=ic.Condition(1000, 5000, 0.3, cost_tp=-4000), unit="DM"),
    "gains alone": lambda: _credit(over=ic.Condition(1, 0, 0.3, cost_tp=-5)),
    "large": lambda: _credit(
        over=ic.Condition(125_000, 2_400_000, 0.3), unit="Swiss francs",
        title="Applications for small loans in the northern branches, second quarter: which to look at before they are paid out",
    ),
}  # fmt: skip


def watched(periods=30):
    """A choice over many periods, with an alarm."""
    rng = np.random.default_rng(1)
    y = np.arange(800) < 240
    comparison = ic.Comparison.from_scores(y, {"m": rng.normal(size=800) + 1.5 * y})
    weeks = [rng.normal(size=900) + 1.5 * (rng.random(900) < (0.3 if i < 15 else 0.02)) for i in range(periods)]
    return ic.watch(comparison, weeks, condition=ic.Condition(1, 3, 0.3), horizon=periods)

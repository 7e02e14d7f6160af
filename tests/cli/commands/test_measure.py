import json

import isocost as ic
from isocost.measures.registry import MEASURES


def test_chosen_measures_come_in_the_order_asked(isocost, credit, credit_file):
    """-m names them, with dashes or underscores; values are the library's to the last digit."""
    ran = isocost("measure", credit_file, "--label", "bad", "-m", "brier-loss", "-m", "auc", "--json")
    found = json.loads(ran.out)
    curve = ic.RocCurve.from_scores(credit["bad"], credit["naive_bayes"])
    assert found["measures"][2] == {
        "model": "naive_bayes",
        "values": {"brier_loss": ic.brier_loss(curve), "auc": ic.auc(curve)},
        "intervals": None,
    }
    assert found["better"] == {"brier_loss": "lower", "auc": "higher"}


def test_conditions_reach_the_measures_that_average(isocost, credit, credit_file):
    """VOROS over the conditions given differs from VOROS over all."""
    curve = ic.RocCurve.from_scores(credit["bad"], credit["random_forest"])
    over = ic.Conditions.from_costs(cost_fn=(5, 20), prevalence=(0.01, 0.03))
    call = ["measure", credit_file, "--label", "bad", "--score", "random_forest", "-m", "voros", "--json"]
    value = json.loads(isocost(*call, "--cost-fn", "5:20", "--prevalence", "0.01:0.03").out)["measures"][0]["values"][
        "voros"
    ]
    assert value == ic.voros(curve, over=over)
    assert json.loads(isocost(*call).out)["measures"][0]["values"]["voros"] == ic.voros(curve)


def test_every_registered_measure_is_listed(isocost):
    """--list needs no file."""
    ran = isocost("measure", "--list")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()[1:]] == list(MEASURES)


def test_unknown_measure_is_refused_before_reading(isocost):
    """The nearest names are offered."""
    ran = isocost("measure", "no-such-file.csv", "-m", "vorso")
    assert ran.complaint == "unknown measure 'vorso': did you mean 'voros'?"


def test_intervals_are_the_librarys(isocost, credit, credit_file):
    """On request each measure has an estimate and limits, from paired resamples of the cases."""
    call = ["measure", credit_file, "--label", "bad", "-m", "auc", "-m", "voros", "--cost-fn", "5"]
    found = json.loads(isocost(*call, "--resamples", "50", "--level", "0.8", "--seed", "1", "--json").out)
    scores = {name: credit[name].to_numpy() for name in credit.columns[1:]}
    resampled = ic.bootstrap(credit["bad"], scores, n_resamples=50, rng=1)
    over = ic.Condition(cost_fn=5, prevalence=0.3)
    auc, voros = (
        resampled.interval("naive_bayes", "auc", 0.8),
        resampled.interval("naive_bayes", "voros", 0.8, over=over),
    )
    assert found["measures"][2]["intervals"] == {
        "auc": [auc.estimate, auc.low, auc.high], "voros": [voros.estimate, voros.low, voros.high],
    }  # fmt: skip
    assert found["level"] == 0.8
    shown = isocost(*call, "--resamples", "50").out.splitlines()
    assert shown[1].split() == ["model", "measure", "value", "estimate", "low", "high"]


def test_intervals_need_cases(isocost, credit_file):
    """Score counts have measures but no intervals."""
    assert isocost("count", credit_file, "--label", "bad", "-o", "c.parquet").code == 0
    assert isocost("measure", "c.parquet").code == 0
    ran = isocost("measure", "c.parquet", "--resamples", "100")
    assert ran.complaint == "an interval needs the cases, and c.parquet holds only score counts"

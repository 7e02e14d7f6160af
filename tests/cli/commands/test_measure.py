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

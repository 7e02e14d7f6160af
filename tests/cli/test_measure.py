import json

import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.measures.registry import MEASURES


def test_chosen_measures_come_in_the_order_asked(isocost, credit, credit_file):
    """-m names them, with dashes or underscores; values are the library's to the last digit."""
    ran = isocost("measure", credit_file, "--label", "bad", "-m", "brier-loss", "-m", "auc", "--json")
    found = json.loads(ran.out)
    curve = ic.RocCurve.from_scores(credit["bad"], credit["naive_bayes"])
    assert found["measures"][2] == {
        "model": "naive_bayes",
        "values": {"brier_loss": ic.measures.brier_loss(curve), "auc": ic.auc(curve)},
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
    assert value == ic.voros(curve, condition=over)
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
        resampled.interval("naive_bayes", "voros", 0.8, condition=over),
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


def test_limits_and_rates_reach_the_measures_that_take_them(isocost, credit, credit_file):
    """VOROS under limits, losses of the ranking between two rates; nothing else is listed, and no other measure takes them."""
    curve = ic.RocCurve.from_scores(credit["bad"], credit["random_forest"])
    call = ["measure", credit_file, "--label", "bad", "--score", "random_forest", "--json"]
    limited = json.loads(isocost(*call, "--max-flagged", "10%", "--min-precision", "50%").out)
    assert limited["measures"][0]["values"] == {"voros": ic.voros(curve, max_flagged=0.1, min_precision=0.5)}
    assert limited["options"] == {"max_flagged": 0.1, "min_precision": 0.5}
    screened = json.loads(isocost(*call, "--rates", "0.1:0.5").out)["measures"][0]["values"]
    assert screened == {
        "rate_driven_loss": ic.measures.rate_driven_loss(curve, between=(0.1, 0.5)),
        "kendall_loss": ic.measures.kendall_loss(curve, between=(0.1, 0.5)),
    }
    ran = isocost(*call, "--rates", "0.1:0.5", "-m", "kendall-loss", "--resamples", "20")
    assert list(json.loads(ran.out)["measures"][0]["intervals"]) == ["kendall_loss"]
    assert (
        "unknown measure that goes with --rates 'auc': known: 'rate_driven_loss', 'kendall_loss'"
        in isocost(*call, "--rates", "0:1", "-m", "auc").complaint
    )
    left = isocost(*call, "--rates", "0.1:0.5", "-m", "kendall-loss", "-m", "auc").complaint
    assert "unknown measure that goes with --rates 'auc'" in left
    assert "--rates has low > high: (0.5, 0.1)" in isocost(*call, "--rates", "0.5:0.1").complaint
    assert "'0.5' is not two shares low:high" in isocost(*call, "--rates", "0.5").complaint


def test_beliefs_and_costs_of_correct_answers_are_taken(isocost, credit, credit_file):
    """As the library takes them; ends that do not exist are written as words."""
    stats = pytest.importorskip("scipy.stats")
    curve = ic.RocCurve.from_scores(credit["bad"], credit["random_forest"])
    call = [
        "measure",
        credit_file,
        "--label",
        "bad",
        "--score",
        "random_forest",
        "-m",
        "mean_normalised_cost",
        "--json",
    ]
    over = ic.Conditions.from_beliefs(cost_fn=stats.lognorm(s=0.5, scale=5), prevalence=0.1)
    ran = json.loads(isocost(*call, "--cost-fn", "lognormal(5, 0.5)", "--prevalence", "10%").out)
    assert ran["measures"][0]["values"]["mean_normalised_cost"] == ic.measures.mean_normalised_cost(
        curve, condition=over
    )
    assert ran["condition"]["cost_fn"] == [0.0, "Infinity"]
    gain = ic.Condition(cost_fn=5, prevalence=0.1, cost_tp=-3)
    ran = json.loads(isocost(*call, "--cost-fn", "5", "--cost-tp", "-3", "--prevalence", "10%").out)
    assert ran["measures"][0]["values"]["mean_normalised_cost"] == ic.measures.mean_normalised_cost(
        curve, condition=gain
    )


def test_folds_are_averaged_if_asked(isocost, credit, tmp_path):
    """Costs are the means of the folds' costs, each with thresholds of its own; intervals average on each resample too."""
    folded = credit.assign(fold=np.arange(len(credit)) % 5)
    folded.to_csv(tmp_path / "folds.csv", index=False)
    call = ["measure", "folds.csv", "--label", "bad", "--score", "naive_bayes", "-m", "mean_normalised_cost", "--json"]
    ran = json.loads(isocost(*call, "--fold", "fold", "--average-folds", "--resamples", "20").out)["measures"][0]
    parts = [
        ic.measures.mean_normalised_cost(
            ic.RocCurve.from_scores(part["bad"].to_numpy(), part["naive_bayes"].to_numpy())
        )
        for _, part in folded.groupby("fold")
    ]
    assert ran["values"]["mean_normalised_cost"] == pytest.approx(np.mean(parts), abs=1e-12)
    _, low, high = ran["intervals"]["mean_normalised_cost"]
    assert low < high
    pooled = json.loads(isocost(*call, "--fold", "fold").out)["measures"][0]["values"]["mean_normalised_cost"]
    assert pooled > ran["values"]["mean_normalised_cost"]
    assert "name it with --fold" in isocost(*call, "--average-folds").complaint


def test_pcf_says_in_one_number_what_costs_and_prevalence_say_together(isocost, credit_file):
    """VOROS over t in [0, 0.25] needs no costs; measures of a prevalence keep the data's own."""
    call = (
        "measure",
        credit_file,
        "--label",
        "bad",
        "--score",
        "random_forest",
        "-m",
        "voros",
        "-m",
        "minimum_error_rate",
        "--json",
    )
    y, scores = load_german_credit_predictions()
    curve = ic.RocCurve.from_scores(y, scores["random_forest"])
    (row,) = json.loads(isocost(*call, "--pcf", "0.75:1").out)["measures"]
    assert row["values"]["voros"] == pytest.approx(ic.voros(curve, condition=ic.Conditions.uniform(t=(0, 0.25))))
    assert row["values"]["minimum_error_rate"] == pytest.approx(ic.measures.minimum_error_rate(curve))
    (row,) = json.loads(isocost(*call, "--pcf", "20%").out)["measures"]
    assert row["values"]["voros"] == pytest.approx(ic.voros(curve, condition=ic.Conditions.from_t(0.8)))
    refused = isocost(*call, "--pcf", "0.2", "--cost-fn", "3", "--prevalence", "2%").complaint
    assert "--cost-fn has no meaning with --pcf: it joins costs and prevalence in one number" in refused

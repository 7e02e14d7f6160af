import json

import numpy as np
import pandas as pd
import pytest

import isocost as ic


@pytest.fixture
def payments(tmp_path, monkeypatch):
    """Two models, what a miss of each case costs, and what looking at it costs."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    fraud = rng.random(300) < 0.3
    frame = pd.DataFrame(
        {
            "fraud": fraud.astype(int),
            "amount": (20 + rng.lognormal(4, 1, 300)).round(2),
            "handling": rng.integers(1, 9, 300) / 2,
            "a": rng.normal(fraud, 1).round(2),
            "b": rng.normal(fraud / 2, 1).round(2),
        }
    )
    frame.to_csv("payments.csv", index=False)
    return frame


CALL = ["payments.csv", "--label", "fraud", "--score", "a", "--score", "b", "--cost-column", "amount"]


def test_the_model_of_lowest_cost_case_by_case_is_chosen(isocost, payments):
    """The same as `RowCosts.decide` of the library, in words, numbers and JSON."""
    costs = ic.RowCosts.from_columns(payments["fraud"], cost_fp=9.0, cost_fn=payments["amount"], cost_tp=2.0)
    found = costs.decide({name: payments[name] for name in "ab"}, multiplier=2, unit="€")
    call = ["choose", *CALL, "--cost-fp", "9", "--cost-tp", "2", "--multiplier", "2", "--unit", "€"]
    assert isocost(*call, "-q").out.startswith(str(found))
    reported = json.loads(isocost(*call, "--json").out)["amounts"]
    assert reported["model"] == found.model
    assert reported["choices"] == found.to_dict()["choices"]
    assert reported["at_stake"] == dict(zip(("false_alarms", "misses"), costs.at_stake, strict=True))
    assert isocost(*call, "-o", "table.csv").code == 0
    table = pd.read_csv("table.csv")
    costs_of_rules = [
        *sorted(choice.per_case for choice in found.choices.values()),
        found.flag_everybody,
        found.flag_nobody,
    ]
    assert table["per_case"].tolist() == pytest.approx(costs_of_rules, rel=1e-15)


def test_every_outcome_can_have_a_column(isocost, payments):
    """A column without an outcome is what misses cost; a mark before it names another."""
    costs = ic.RowCosts.from_columns(payments["fraud"], cost_fp=payments["handling"], cost_fn=payments["amount"])
    found = costs.decide({name: payments[name] for name in "ab"})
    for column in ("amount", "fn=amount"):
        ran = isocost("choose", *CALL[:-1], column, "--cost-column", "fp=handling", "--json")
        assert json.loads(ran.out)["amounts"]["choices"] == found.to_dict()["choices"]


def test_columns_of_costs_are_no_scores(isocost, payments):
    """Even where nothing says which columns are."""
    assert payments is not None
    ran = isocost(
        "choose", "payments.csv", "--label", "fraud", "--cost-column", "amount", "--cost-column", "fp=handling"
    )
    assert "models: a, b" in ran.err


def test_measures_are_those_of_amounts(isocost, payments):
    """Each case weighs what being wrong about it costs, at the condition that goes with it; so do intervals."""
    costs = ic.RowCosts.from_columns(payments["fraud"], cost_fp=9.0, cost_fn=payments["amount"])
    call = ["measure", *CALL, "--cost-fp", "9", "-m", "auc", "-m", "mean_normalised_cost", "--json"]
    found = json.loads(isocost(*call, "--resamples", "40").out)
    curve = costs.curve(payments["b"])
    assert found["measures"][1]["values"] == {
        "auc": ic.auc(curve),
        "mean_normalised_cost": ic.measures.mean_normalised_cost(curve, condition=costs.condition()),
    }
    scores = {name: payments[name].to_numpy() for name in "ab"}
    drawn = ic.bootstrap(payments["fraud"].to_numpy(), scores, sample_weight=costs.weights, n_resamples=40, rng=0)
    limits = drawn.interval("b", "auc")
    assert found["measures"][1]["intervals"]["auc"] == [limits.estimate, limits.low, limits.high]
    assert "shares of amounts" in found["data"]["notes"][0]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ([], "say what a false alarm costs"),
        (["--cost-fp", "9", "--cost-fn", "5"], "outcomes that are priced must be different values, got 'fn', 'fp', 'fn'"),
        (["--cost-fp", "1:9"], "--cost-fp must be a number, got (1.0, 9.0)"),
        (["--cost-fp", "9", "--prevalence", "0.1"], "--multiplier changes it"),
        (["--cost-fp", "9", "--weight", "handling"], "the costs weigh the cases"),
        (["--cost-fp", "9", "--resamples", "100"], "--resamples has no meaning with --cost-column"),
        (["--cost-fp", "9", "--max-flagged", "0.1"], "--max-flagged has no meaning with --cost-column"),
        (["--cost-fp", "9", "--cost-column", "handling"], "outcomes that are priced must be different"),
        (["--cost-fp", "9", "--cost-column", "tn="], "unknown column of payments.csv for --cost-column ''"),
        (["--cost-fp", "9", "--cost-column", "tn=absent"], "unknown column of payments.csv"),
        (["--cost-fp", "9", "--cost-tp", "30"], "what being wrong costs more than being right must be finite and not negative"),
        (["--cost-fp", "9", "--multiplier", "0"], "'--multiplier'"),
    ],
)  # fmt: skip
def test_what_has_no_meaning_with_columns_of_costs_is_refused(isocost, payments, options, complaint):
    """Said in one line, exit code 2."""
    assert payments is not None
    assert complaint in isocost("choose", *CALL, *options).complaint


def test_a_multiplier_needs_columns(isocost, payments):
    """Of one cost for all it would be the cost itself."""
    assert payments is not None
    assert "--multiplier goes with --cost-column" in isocost("choose", *CALL[:-2], "--multiplier", "2").complaint


def test_missing_costs_are_found(isocost, payments):
    """Or their rows left out, if that is asked for."""
    payments["amount"] = payments["amount"].where(payments.index > 1)
    payments.to_csv("payments.csv", index=False)
    call = ["choose", *CALL, "--cost-fp", "9"]
    assert "payments.csv: cost_fn 'amount' is missing" in isocost(*call).complaint
    assert json.loads(isocost(*call, "--missing", "drop", "--json").out)["data"]["dropped"] == 2


def test_counts_have_no_costs_case_by_case(isocost, payments):
    """The cases are gone."""
    assert payments is not None
    assert isocost("count", "payments.csv", "--label", "fraud", "--score", "a", "-o", "c.parquet").code == 0
    ran = isocost("choose", "c.parquet", "--cost-column", "amount", "--cost-fp", "9")
    assert ran.complaint == "--cost-column goes with predictions; c.parquet holds score counts already"

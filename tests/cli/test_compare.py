import json
import re

import numpy as np
import pandas as pd
import pytest

import isocost as ic
from isocost.inference import draws
from isocost.measures.registry import MEASURES


@pytest.fixture
def comparison(credit):
    """The library's comparison of the bundled models."""
    return ic.Comparison([ic.RocCurve.from_scores(credit["bad"], credit[n], name=n) for n in credit.columns[1:]])


def test_measures_winners_and_crossovers_are_the_librarys(isocost, comparison, credit_file):
    """Over a range of conditions: every registered measure, the partition of the range, and the crossings of pairs."""
    over = ic.Conditions.from_costs(cost_fn=(2, 8), prevalence=0.3)
    ran = isocost(
        "compare",
        credit_file,
        "--label",
        "bad",
        "--cost-fn",
        "2:8",
        "--prevalence",
        "0.3",
        "--resamples",
        "0",
        "--json",
    )
    found = json.loads(ran.out)
    assert {row["model"]: row["values"] for row in found["measures"]} == {
        curve.name: {name: measure(curve, condition=over) for name, measure in MEASURES.items()}
        for curve in comparison.curves
    }
    assert [(w["model"], w["t_low"], w["t_high"]) for w in found["winners"]] == [
        (win.name, win.t_low, win.t_high) for win in comparison.winners(over)
    ]
    assert {(pair["a"], pair["b"]): pair["t"] for pair in found["crossovers"]} == {
        (a, b): comparison.crossovers(a, b)
        for a, b in (
            ("logistic_regression", "random_forest"),
            ("logistic_regression", "naive_bayes"),
            ("random_forest", "naive_bayes"),
        )
    }


def test_cost_ratios_are_for_the_prevalence_given(isocost, comparison, credit_file):
    """One number is used; a range, or none, leaves the data's own."""
    win = comparison.winners()[1]
    for options, prevalence in (
        (["--prevalence", "0.02"], 0.02),
        (["--prevalence", "0.02:0.03", "--cost-fn", "5"], 0.3),
        ([], 0.3),
    ):
        call = ["compare", credit_file, "--label", "bad", "--resamples", "0", *options]
        found = json.loads(isocost(*call, "--json").out)["winners"]
        if not options or ":" not in options[1]:
            assert (found[1]["cost_ratio_low"], found[1]["cost_ratio_high"]) == win.cost_ratio(prevalence)
        assert f"with {100 * prevalence:g} % positive" in isocost(*call).out


def test_one_condition_still_shows_all_winners(isocost, comparison, credit_file):
    """A single condition has a single winner, which says nothing about where it ends."""
    ran = isocost("compare", credit_file, "--label", "bad", "--cost-fn", "5", "--json")
    assert [w["model"] for w in json.loads(ran.out)["winners"]] == [win.name for win in comparison.winners()]


def test_text_has_the_three_tables(isocost, credit_file):
    """For people: measures, winners, crossovers, each under its title; the CSV is the first."""
    lines = isocost("compare", credit_file, "--label", "bad").out.splitlines()
    assert lines[0] == "Measures (over all conditions)"
    assert any(line.startswith("Who is cheapest where") for line in lines)
    assert "Crossovers" in lines
    assert isocost("compare", credit_file, "--label", "bad", "-o", "c.csv").code == 0


def test_measure_that_a_model_cannot_have_is_left_open(isocost, tmp_path):
    """Scores that are no probabilities have no Brier loss: null in JSON, a dash for people."""
    (tmp_path / "p.csv").write_text("y,a\n1,7\n0,3\n1,2\n0,1\n")
    found = json.loads(isocost("compare", "p.csv", "--json").out)["measures"][0]["values"]
    assert found["brier_loss"] is None
    assert found["auc"] == 0.75
    assert "–" in isocost("compare", "p.csv").out


@pytest.mark.parametrize("costs", [[], ["--cost-fn", "0.3:0.7", "--prevalence", "0.3"], ["--cost-fn", "0.48"]])
def test_significance_is_the_librarys(isocost, credit, credit_file, costs):
    """Claims about all pairs that hold together, over the conditions given only; the seed decides them."""
    call = [
        "compare",
        credit_file,
        "--label",
        "bad",
        *costs,
        "--resamples",
        "800",
        "--seed",
        "5",
        "--level",
        "0.5",
        "--json",
    ]
    found = json.loads(isocost(*call).out)["significance"]
    scores = {name: credit[name].to_numpy() for name in credit.columns[1:]}
    resampled = ic.bootstrap(credit["bad"], scores, n_resamples=800, rng=5)
    over = {0: None, 2: ic.Condition(1, 0.48, 0.3), 4: ic.Conditions.from_costs(cost_fn=(0.3, 0.7), prevalence=0.3)}[
        len(costs)
    ]
    assert found["claims"] == [
        {
            "better": claim.better,
            "worse": claim.worse,
            "t_low": claim.t_low,
            "t_high": claim.t_high,
            "pcf_low": 1 - claim.t_high,
            "pcf_high": 1 - claim.t_low,
        }
        for claim in resampled.significant_pairs(level=0.5, condition=over)
    ]
    assert found["claims"]
    assert (found["level"], found["resamples"], found["seed"]) == (0.5, 800, 5)


def test_few_resamples_make_no_claim(isocost, credit_file):
    """Fewer than 800 are refused the word, and the rest is there."""
    ran = isocost("compare", credit_file, "--label", "bad", "--resamples", "799", "--json")
    assert json.loads(ran.out)["significance"] is None
    assert "Significance is left out: it takes at least 800 resamples, got 799. Raise --resamples." in ran.err


def test_tests_that_would_take_long_are_made_of_blocks_or_left_out(isocost, credit, credit_file, monkeypatch, tmp_path):
    """Unless resamples are asked for: 1000 of the cases if they take little, else 800 of blocks, and never in silence."""
    assert (
        json.loads(isocost("compare", credit_file, "--label", "bad", "--json").out)["significance"]["resamples"] == 1000
    )
    monkeypatch.setattr(draws, "WORK", 200_000)
    ran = isocost("compare", credit_file, "--label", "bad", "--json")
    assert json.loads(ran.out)["significance"]["resamples"] == 800
    assert "score blocks per model." in ran.err
    credit.assign(w=1).to_csv(tmp_path / "w.csv", index=False)
    ran = isocost("compare", tmp_path / "w.csv", "--label", "bad", "--weight", "w", "--json")
    assert json.loads(ran.out)["significance"] is None
    assert "it takes at least 800 resamples, which take long. Ask for --resamples 1000." in ran.err


def test_rows_of_one_cluster_are_drawn_together(isocost, credit, credit_file, tmp_path):
    """Every row twice, with its number as cluster: no more is claimed than of the rows once."""
    twice = credit.loc[credit.index.repeat(2)].assign(patient=np.arange(len(credit)).repeat(2))
    twice.to_csv(tmp_path / "twice.csv", index=False)
    call = ("--label", "bad", "--resamples", "800", "--level", "0.5", "--json")

    def reach(*words):
        found = json.loads(isocost("compare", *words, *call).out)
        assert found["data"]["cluster"] == ("patient" if "--cluster" in words else None)
        assert "patient" not in found["data"]["models"]
        return sum(claim["t_high"] - claim["t_low"] for claim in found["significance"]["claims"])

    scores = [word for name in credit.columns[1:] for word in ("--score", name)]
    once, clustered, rows = reach(credit_file), reach("twice.csv", "--cluster", "patient"), reach("twice.csv", *scores)
    assert clustered == pytest.approx(once, abs=0.05)
    assert rows > once + 0.1


def test_nothing_is_claimed_without_cases(isocost, credit_file):
    """Score counts cannot be resampled: left out with a note, refused when asked for."""
    assert isocost("count", credit_file, "--label", "bad", "-o", "c.parquet").code == 0
    ran = isocost("compare", "c.parquet", "--json")
    assert json.loads(ran.out)["significance"] is None
    assert (
        "Significance is left out: judging significance needs the cases, and c.parquet holds only score counts."
        in ran.err
    )
    ran = isocost("compare", "c.parquet", "--resamples", "800")
    assert (ran.code, ran.complaint) == (
        2,
        "judging significance needs the cases, and c.parquet holds only score counts",
    )
    assert (
        json.loads(isocost("compare", credit_file, "--label", "bad", "--resamples", "0", "--json").out)["significance"]
        is None
    )


def test_few_cases_are_a_message(isocost, tmp_path):
    """What the library warns of is printed in one line, without Python's wrapping."""
    (tmp_path / "p.csv").write_text("y,a,b\n" + "1,5,2\n0,1,4\n1,3,3\n0,3,1\n1,2,5\n0,2,0\n")
    ran = isocost("compare", "p.csv", "--resamples", "800")
    assert ran.code == 0, ran.err
    assert "Warning: " in ran.err
    assert "FewCasesWarning" not in ran.err


def test_too_many_rows_to_resample_are_counted_all_the_same(isocost, tmp_path):
    """Without being asked for, significance gives way to the memory limit; the rest is there."""
    n = 200_000
    rng = np.random.default_rng(0)
    frame = {"y": np.arange(n) % 2} | {f"s{i}": rng.integers(0, 50, n) for i in range(12)}
    pd.DataFrame(frame).to_parquet(tmp_path / "p.parquet")
    ran = isocost("compare", "p.parquet", "--memory", "20MB")
    assert ran.code == 0, ran.err
    assert "Significance is left out: judging significance needs the cases in memory, and the 200,000 rows" in ran.err


def test_cases_that_do_not_fit_are_resampled_by_blocks(isocost, tmp_path, monkeypatch):
    """Several models of very many cases, or more than the memory allows, are counted together: their ranges lie inside."""
    rng = np.random.default_rng(0)
    y = np.arange(20_000) % 2
    pd.DataFrame({"y": y, "a": rng.normal(1.2 * y), "b": rng.normal(0.8 * y)}).to_parquet(tmp_path / "p.parquet")
    call = ("compare", "p.parquet", "--resamples", "800", "--json")
    plain = json.loads(isocost(*call).out)["significance"]["claims"]
    monkeypatch.setattr("isocost.cli.data.MANY", 10_000)
    ran = isocost(*call)
    assert ran.code == 0, ran.err
    assert re.search(
        r"Resampled in 51\d score blocks per model\.",
        ran.err,
    )
    [found] = json.loads(ran.out)["significance"]["claims"]
    [truth] = plain
    assert found["better"] == truth["better"] == "a"
    assert truth["t_low"] - 0.005 <= found["t_low"] < found["t_high"] <= truth["t_high"] + 0.005
    ran = isocost("measure", "p.parquet", "-m", "voros", "-m", "auc", "-m", "auch", "--resamples", "100", "--json")
    assert ran.code == 0, ran.err
    assert "No interval for auch: blocks of scores do not tell it." in ran.err
    [row, _] = json.loads(ran.out)["measures"]
    assert set(row["intervals"]) == {"voros", "auc"}
    _, low, high = row["intervals"]["auc"]
    assert low < row["values"]["auc"] < high

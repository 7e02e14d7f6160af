import json

import numpy as np
import pandas as pd
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions

CALL = ["--label", "bad", "--cost-fn", "5", "--prevalence", "0.3"]


def test_page_is_the_librarys_report(isocost, credit, credit_file, tmp_path):
    """The file holds what `Comparison.report` makes of the same rows, and the decision is printed."""
    comparison = ic.Comparison.from_scores(credit["bad"], {n: credit[n].to_numpy() for n in credit.columns[1:]})
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    expected = comparison.report(condition=condition, n_resamples=20, rng=3, title="Credit", unit="$")
    options = ["--resamples", "20", "--seed", "3", "--title", "Credit", "--unit", "$"]
    ran = isocost("report", credit_file, *CALL, *options, "-o", "r.json")
    assert ran.code == 0, ran.err
    assert ran.out == f"{expected}\n"
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert found["decision"] == json.loads(expected.json)["decision"]
    assert found["draws"] == json.loads(expected.json)["draws"]


@pytest.mark.parametrize("resamples", ["0", "20"])
def test_what_was_not_given_is_said_as_the_library_says_it(resamples, isocost, credit, credit_file, tmp_path):
    """Costs that were supposed, and resamples that nobody wanted."""
    comparison = ic.Comparison.from_scores(credit["bad"], {n: credit[n].to_numpy() for n in credit.columns[1:]})
    expected = comparison.report(n_resamples=int(resamples), rng=3)
    ran = isocost("report", credit_file, "--label", "bad", "--resamples", resamples, "--seed", "3", "-o", "r.json")
    assert ran.code == 0, ran.err
    assert ran.out == f"{expected}\n"
    assert "No costs were given, so no model can be called cheapest" in ran.out
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert found["decision"] == json.loads(expected.json)["decision"]
    unknown = {"notes": [], "file": None, "label": None}
    assert found["data"] | unknown == json.loads(expected.json)["data"]


def test_a_price_of_looks_opens_the_page(isocost, credit_file, tmp_path):
    """The page opens with the looks, the decision printed is that of `choose`, and terms without a price are a mistake in usage."""
    looks = ["--cost-review", "0.3", "--max-reviewed", "20%"]
    ran = isocost("report", credit_file, *CALL, *looks, "--resamples", "20", "-o", "r.json")
    assert ran.code == 0, ran.err
    chosen = isocost("choose", credit_file, *CALL, *looks, "--resamples", "20")
    assert ran.out.strip() in chosen.out
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert found["decision"]["question"]["reviews"]["max_reviewed"] == 0.2
    assert isocost("report", credit_file, *CALL, "--max-reviewed", "20%", "-o", "r.json").code == 2


def test_every_form_is_written(isocost, credit_file, tmp_path):
    """HTML, JSON and Markdown by suffix, and no other."""
    for name in ("r.html", "r.json", "r.md"):
        assert isocost("report", credit_file, *CALL, "--resamples", "0", "-o", name).code == 0
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "its name must end in .html, .json or .md" in isocost("report", credit_file, *CALL, "-o", "r.pdf").complaint


def test_counts_have_a_page_too(isocost, credit_file, tmp_path):
    """Without cases the page has no intervals, and says the same decision."""
    assert isocost("count", credit_file, "--label", "bad", "-o", "c.parquet").code == 0
    ran = isocost("report", "c.parquet", "--cost-fn", "5", "--prevalence", "0.3", "-o", "r.json")
    assert ran.code == 0, ran.err
    assert "Use random_forest" in ran.out
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["draws"] is None


def test_ranges_of_costs_make_a_page(isocost, credit_file):
    """Uncertain conditions are passed on."""
    ran = isocost("report", credit_file, "--label", "bad", "--cost-fn", "5:20", "--resamples", "0", "-o", "r.html")
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("suffix", ["html", "json", "md"])
def test_the_report_says_what_was_left_out(suffix, isocost, tmp_path):
    """Rows without a score and columns that are no models: whoever gets the file reads it there."""
    rows = "".join(f"{i},{i % 2},{i % 2 + i % 7 / 9:.3f}\n" for i in range(60))
    (tmp_path / "p.csv").write_text("id,y,a\n" + rows + "60,1,\n")
    ran = isocost("report", "p.csv", "--missing", "drop", "--resamples", "0", "-o", f"r.{suffix}")
    assert ran.code == 0, ran.err
    text = (tmp_path / f"r.{suffix}").read_text(encoding="utf-8")
    assert "1 of 61 rows was left out" in text
    assert "left out: id (whole numbers that count up by 1)" in text.replace("\\", "")


def test_words_reach_the_page(isocost, credit_file, tmp_path):
    """What cases and their kinds are called, and the verb, are those of the options."""
    words = ["--word", "case=applicant", "--word", "cases=applicants"]
    ran = isocost("report", credit_file, *CALL, "--resamples", "0", *words, "-o", "r.html")
    assert ran.code == 0, ran.err
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "flag applicants with score ≥ 0.2486" in page


def test_more_cases_than_fit_the_memory_are_counted_together_and_have_intervals(isocost, tmp_path, monkeypatch):
    """Neither the page nor the choice goes without, and both say that they were counted in blocks."""
    monkeypatch.setattr("isocost.data.rows.FileRows.size", 10**12)
    rng = np.random.default_rng(0)
    y = rng.random(30_000) < 0.2
    scores = {f"m{k}": np.round(rng.normal(size=y.size) + (1 + 0.3 * k) * y, 2) for k in range(2)}
    pd.DataFrame({"y": y.astype(int), **scores}).to_parquet(tmp_path / "large.parquet")
    call = ("large.parquet", "--label", "y", "--cost-fn", "5")
    ran = isocost("report", *call, "-o", "large.json")
    assert ran.code == 0, ran.err
    assert "score blocks per model" in ran.err
    summary = json.loads((tmp_path / "large.json").read_text(encoding="utf-8"))
    low, high = summary["decision"]["confidence"]["interval"]
    assert low < summary["decision"]["expected_cost"] < high
    chosen = isocost("choose", *call)
    assert summary["decision"]["says"]["rule"] in chosen.out
    assert "Clear" in chosen.out


def test_report_takes_costs_of_each_case(isocost, credit, tmp_path):
    """Prices are per case in the unit of the column: flagging nobody and everybody cost what `choose` says."""
    table = credit.assign(amount=np.random.default_rng(0).lognormal(6, 1, len(credit)).round(2))
    table.to_csv("amounts.csv", index=False)
    call = [
        "amounts.csv",
        "--label",
        "bad",
        "--cost-fp",
        "15",
        "--cost-tp",
        "15",
        "--cost-column",
        "amount",
        "--unit",
        "€",
    ]
    chosen = json.loads(isocost("choose", *call, "--json").out)["amounts"]
    ran = isocost("report", *call, "--resamples", "0", "-o", "r.json")
    assert ran.code == 0, ran.err
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["decision"]
    costs = {row["model"]: row["expected_cost"] for row in (found, *found["alternatives"])}
    assert costs["always-positive"] == pytest.approx(chosen["flag_everybody"])
    assert costs["always-negative"] == pytest.approx(chosen["flag_nobody"])
    for name, choice in chosen["choices"].items():
        assert costs[name] == pytest.approx(choice["per_case"])
    assert "Amounts: every case counts what being wrong about it costs." in ran.out


def same_decision(call, held, expected):
    """Run a printed call, and compare its decision with that of a report."""
    *before, last = call.split("; ")
    exec("; ".join(before), held)
    made = eval(last, held)
    assert json.loads(made.json)["decision"] == expected["decision"]
    return made


def test_the_call_of_a_report_with_columns_of_costs_makes_it_again(isocost, credit, tmp_path):
    """Columns, turned scores, clusters and the multiplier included; the table is all that it needs."""
    table = credit.assign(
        amount=np.random.default_rng(0).lognormal(6, 1, len(credit)).round(2), who=1000 + np.arange(len(credit)) // 2
    )
    table["naive_bayes"] *= -1
    table.to_csv("amounts.csv", index=False)
    call = [
        "amounts.csv",
        "--label",
        "bad",
        "--cost-fp",
        "15",
        "--cost-tp",
        "15",
        "--cost-column",
        "amount",
        "--multiplier",
        "2",
    ]
    call += [
        "--lower-is-positive",
        "naive_bayes",
        "--cluster",
        "who",
        "--good-enough",
        "9",
        "--unit",
        "€",
        "--resamples",
        "20",
    ]
    assert isocost("report", *call, "-o", "r.json").code == 0
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    printed = found["provenance"]["call"]
    assert "cost_fn=data['amount']" in printed
    assert "condition=costs.per_case(2.0), good_enough=9.0, unit='€'" in printed
    same_decision(printed, {"ic": ic, "data": pd.read_csv("amounts.csv")}, found)
    assert found["data"]["amounts"]["command"] == "--cost-fp 15.0 --cost-tp 15.0 --cost-column amount --multiplier 2.0"


def test_report_holds_what_the_rule_does_on_held_out_cases(isocost, credit, credit_file, tmp_path):
    """The same evaluation as that of `choose`, printed, in the JSON form and on the page."""
    credit.iloc[::2].to_csv("held_out.csv", index=False)
    call = [credit_file, *CALL, "--max-flagged", "40%", "--evaluate", "held_out.csv"]
    evaluation = json.loads(isocost("choose", *call, "--resamples", "0", "--json").out)["evaluation"]
    ran = isocost("report", *call, "--resamples", "0", "--json", "-o", "r.md")
    assert json.loads(ran.out)["evaluation"] == evaluation
    assert "held\\_out.csv: Flags " in (tmp_path / "r.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "more",
    [
        ["--max-flagged", "40%", "--sure", "80%", "--word", "case=applicant", "--word", "cases=applicants"],
        ["--cost-review", "0.3", "--max-reviewed", "10%", "--reviewer-tpr", "0.9", "--current", "random_forest:0.4"],
        ["--minimax", "--independent", "--title", "A", "--good-enough", "20", "--current", "nobody"],
    ],
)
def test_the_call_of_a_report_makes_it_again(isocost, credit, credit_file, tmp_path, more):
    """Whatever was asked, and the judgement on held-out cases."""
    credit.iloc[::2].to_csv("held_out.csv", index=False)
    call = [credit_file, *CALL, *more, "--resamples", "20", "--evaluate", "held_out.csv"]
    assert isocost("report", *call, "-o", "r.json").code == 0
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    y, scores = load_german_credit_predictions()
    held = {"ic": ic, "comparison": ic.Comparison.from_scores(y, scores), "y_held_out": y[::2]}
    held["scores_held_out"] = {name: values[::2] for name, values in scores.items()}
    made = same_decision(found["provenance"]["call"], held, found)
    assert found["data"]["notes"][-1].startswith("held_out.csv: ")
    assert made.summary["data"]["notes"][-1] == found["data"]["notes"][-1]


def test_report_takes_pcf(isocost, credit, credit_file, tmp_path):
    """A range of PCF(+) stands for costs and prevalence together."""
    isocost("report", credit_file, "--label", "bad", "--pcf", "0.2:0.5", "--resamples", "0", "-o", "r.json")
    comparison = ic.Comparison.from_scores(credit["bad"], {n: credit[n].to_numpy() for n in credit.columns[1:]})
    expected = comparison.report(condition=ic.Conditions.uniform(pcf=(0.2, 0.5)), n_resamples=0)
    assert json.loads((tmp_path / "r.json").read_text())["decision"] == json.loads(expected.json)["decision"]

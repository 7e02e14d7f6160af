import csv
import json

import pytest

from isocost.datasets import load_german_credit_ages, load_german_credit_predictions


@pytest.fixture
def grouped_file(tmp_path):
    """The credit predictions with a column of age groups."""
    y, scores = load_german_credit_predictions()
    ages = load_german_credit_ages()
    path = tmp_path / "grouped.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["bad", *scores, "age_group"])
        for row in zip(y.tolist(), *(s.tolist() for s in scores.values()), (ages // 20).tolist(), strict=True):
            out.writerow(row)
    return path


def test_group_column_is_no_score_and_is_named(isocost, grouped_file):
    """A column of numbers that holds groups is not taken for a model."""
    ran = isocost(
        "choose",
        grouped_file,
        "--label",
        "bad",
        "--cost-fn",
        "5",
        "--group",
        "age_group",
        "--resamples",
        "20",
        "--json",
    )
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert "age_group" not in found["data"]["models"]
    assert found["data"]["group"] == "age_group"
    assert [group["group"] for group in found["groups"]] == ["0", "1", "2", "3"]
    limits = found["intervals"]
    assert (limits["rule"], limits["resamples"], limits["price"]) == ("each", 20, None)
    assert all(low <= high for low, high in limits["groups"].values())
    assert "Fewer than 20" in ran.err


@pytest.mark.parametrize(("resamples", "price"), [("0", "It costs "), ("20", "Expect a cost of about ")])
def test_the_headline_of_equal_rates_is_the_rule_that_keeps_them(isocost, grouped_file, resamples, price):
    """No rule for all is named first, printed or in the JSON form."""
    asked = ["choose", grouped_file, "--label", "bad", "--cost-fn", "5", "--group", "age_group", "--parity", "tpr"]
    ran = isocost(*asked, "--within", "2%", "--resamples", resamples)
    assert ran.code == 0, ran.err
    first, *rest = ran.out.splitlines()
    assert first.startswith(
        "Use a rule per group, so that the share of positives caught differs by at most 2 points; here it "
    )
    assert price in first
    assert "Use random_forest" not in ran.out
    assert any(line.startswith("One cut-off for all costs") for line in rest) == (resamples != "0")
    found = json.loads(isocost(*asked, "--within", "2%", "--resamples", "0", "--json").out)
    assert found["decision"] is None
    assert found["parity"]["gap"] <= 0.02 + 1e-12


def test_equal_rates_need_costs(isocost, grouped_file):
    """Nothing is priced at costs that were not given."""
    ran = isocost("choose", grouped_file, "--label", "bad", "--group", "age_group", "--parity", "tpr")
    assert ran.code == 2
    assert "give --cost-fn or --cost-fp" in ran.err


def test_compare_measures_each_group(isocost, grouped_file):
    """Every measure of every model by group, and a table of some."""
    ran = isocost("compare", grouped_file, "--label", "bad", "--group", "age_group", "--resamples", "0", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)["groups"]
    assert sum(group["rows"] for group in found) == 1000
    assert {len(group["measures"]) for group in found if group["measures"]} == {3}
    notice = isocost("compare", grouped_file, "--label", "bad", "--group", "age_group", "--resamples", "0")
    assert "Measures by group" in notice.out


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (["--parity", "tpr"], "--parity goes with --group"),
        (
            ["--group", "age_group", "--parity", "tpr", "--save", "r.json"],
            "--save has no meaning with --parity: equal rates",
        ),
        (["--thresholds", "one"], "--thresholds goes with --group"),
        (["--group", "age_group", "--within", "5%"], "--within goes with --parity"),
        (["--group", "age_group", "--max-fpr", "0.1"], "--max-fpr has no meaning with --group"),
        (["--group", "age_group", "--randomised"], "--randomised has no meaning with --group"),
        (["--group", "age_group", "--minimax"], "--minimax has no meaning with --group"),
        (["--group", "age_groups"], "age_group"),
        (["--group", "bad"], "--group and --label name the same column"),
        (["--group", "age_group", "--parity", "precision"], "precision"),
        (["--group", "age_group", "--parity", "tpr", "--within", "7"], "'7' is not a share"),
    ],
)
def test_options_that_do_not_go_together_are_refused(isocost, grouped_file, words, reported):
    """With what to do instead."""
    ran = isocost("choose", grouped_file, "--label", "bad", "--cost-fn", "5", *words)
    assert ran.code == 2
    assert reported in ran.err
    assert ran.out == ""


def test_missing_groups_are_counted_and_can_be_dropped(isocost, grouped_file):
    """The first row is named; --missing drop leaves them out."""
    lines = grouped_file.read_text(encoding="utf-8").splitlines()
    for place in (5, 9):
        lines[place] = lines[place].rpartition(",")[0] + ","
    grouped_file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["choose", grouped_file, "--label", "bad", "--group", "age_group", "--resamples", "0"]
    ran = isocost(*words)
    assert ran.code == 2
    assert "'age_group'" in ran.err
    assert "2 of 1000 rows" in ran.err
    assert "the first is row 5 (counting from 1)" in ran.err
    dropped = isocost(*words, "--missing", "drop")
    assert dropped.code == 0, dropped.err
    assert "2 of 1,000 rows were left out" in dropped.err


def test_score_counts_have_no_groups(isocost, grouped_file):
    """Counts know no cases."""
    assert isocost("count", grouped_file, "--label", "bad", "--score", "naive_bayes", "-o", "counts.parquet").code == 0
    ran = isocost("choose", "counts.parquet", "--group", "age_group")
    assert ran.code == 2
    assert "--group goes with predictions" in ran.err


def test_one_column_may_be_fold_and_group(isocost, grouped_file):
    """Two roles of one column do not get in each other's way."""
    ran = isocost(
        "choose",
        grouped_file,
        "--label",
        "bad",
        "--group",
        "age_group",
        "--fold",
        "age_group",
        "--resamples",
        "0",
        "--json",
    )
    assert ran.code == 0, ran.err
    assert len(json.loads(ran.out)["groups"]) == 4

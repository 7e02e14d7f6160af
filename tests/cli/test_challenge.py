import json

import numpy as np
import pandas as pd
import pytest

import isocost as ic

RULES = ("--current", "logistic_regression:0.098671", "--new", "random_forest:0.248605")


@pytest.fixture
def live(credit, tmp_path):
    """The bundled predictions with an id, labelled where the rule in use flags; as CSV, Parquet and Feather."""
    table = credit.assign(id=[f"case {i}" for i in range(len(credit))])
    table["bad"] = table["bad"].where(table["logistic_regression"] >= 0.098671).astype("Int64")
    table.to_csv(tmp_path / "live.csv", index=False)
    table.to_parquet(tmp_path / "live.parquet")
    table.to_feather(tmp_path / "live.feather")
    return table


@pytest.mark.parametrize("file", ["live.csv", "live.parquet", "live.feather"])
def test_the_answer_is_the_librarys(isocost, live, file):
    """Empty labels are unknown, whatever the kind of file."""
    ran = isocost(
        "challenge", file, "--label", "bad", *RULES, "--cost-fn", "5", "--level", "80%", "--seed", "3", "--json"
    )
    assert ran.code == 0, ran.err
    expected = ic.challenge(
        live["bad"],
        live["logistic_regression"] >= 0.098671,
        live["random_forest"] >= 0.248605,
        ic.Condition(1, 5),
        level=0.8,
        rng=3,
    )
    assert json.loads(ran.out)["challenge"] == expected.to_dict()


@pytest.mark.parametrize("file", ["live.csv", "live.parquet", "live.feather"])
def test_rows_to_label_are_written_whole_and_in_order(isocost, live, file):
    """All columns of the file, in the order of labelling; with their labels the question is asked again."""
    ran = isocost("challenge", file, "--label", "bad", *RULES, "--cost-fn", "5", "--to-label", "next.csv")
    assert ran.code == 0, ran.err
    assert "Wrote next.csv: 23 rows to label" in ran.err
    written = pd.read_csv("next.csv")
    assert list(written.columns) == list(live.columns)
    assert written["id"].head(5).tolist() == ["case 598", "case 55", "case 906", "case 725", "case 796"]
    assert written["bad"].isna().all()
    assert "Label the 23 cases in the order given" in ran.out


def test_rule_files_stand_for_a_model_its_threshold_and_its_costs(isocost, live):
    """On either side; costs on the command line win over those of the file."""
    for name, rule in (("old", ("logistic_regression", 0.098671)), ("new", ("random_forest", 0.248605))):
        ic.monitor.Rule.of((*rule, ic.Condition(1, 5, 0.3))).save(f"{name}.json")
    files = ("--current", "old.json", "--new", "new.json", "--json")
    found = json.loads(isocost("challenge", "live.csv", "--label", "bad", *files).out)
    typed = json.loads(isocost("challenge", "live.csv", "--label", "bad", *RULES, "--cost-fn", "5", "--json").out)
    assert found["current"] == typed["current"]
    assert {**found["challenge"], "condition": None} == {**typed["challenge"], "condition": None}
    other = isocost("challenge", "live.csv", "--label", "bad", *files, "--cost-fn", "2")
    assert json.loads(other.out)["challenge"]["condition"]["cost_fn"] == 2
    ic.monitor.Rule("random_forest", 0.5, review_from=0.2).save("review.json")
    ran = isocost("challenge", "live.csv", "--label", "bad", "--current", "review.json", "--new", "new.json")
    assert ran.code == 2
    assert "--current has cases that a person looks at" in ran.complaint
    assert live["bad"].isna().any()


@pytest.mark.usefixtures("live")
def test_a_table_goes_into_a_spreadsheet(isocost):
    """One row for each change, with all digits."""
    ran = isocost("challenge", "live.csv", "--label", "bad", *RULES, "--cost-fn", "5", "-o", "out.csv")
    assert ran.code == 0, ran.err
    table = pd.read_csv("out.csv")
    assert table.columns.tolist() == ["change", "cases", "labelled", "positives", "known"]
    assert table["known"].tolist() == pytest.approx([0, -0.02])


def test_labels_may_be_words_of_one_class_or_none_at_all(isocost):
    """--positive names the class to detect; nobody has to have it if labels are 0 and 1."""
    frame = pd.DataFrame({"y": ["bad", None, "good", None], "a": [1, 0, 1, 0], "b": [0, 1, 1, 1]})
    frame.to_csv("words.csv", index=False)
    rules = ("--label", "y", "--current", "a:1", "--new", "b:1", "--json")
    assert json.loads(isocost("challenge", "words.csv", *rules, "--positive", "bad").out)["positive"] == "bad"
    assert (
        "say which to detect: --positive bad or --positive good" in isocost("challenge", "words.csv", *rules).complaint
    )
    frame.assign(y=[0, None, 0, None]).to_csv("zeros.csv", index=False)
    assert json.loads(isocost("challenge", "zeros.csv", *rules).out)["challenge"]["high"] == pytest.approx(0.25)
    frame.assign(y=np.nan).to_csv("nothing.csv", index=False)
    ran = isocost("challenge", "nothing.csv", *rules)
    assert json.loads(ran.out)["challenge"]["unlabelled"] == 3
    assert "Assumed: equal costs" in ran.err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--current", "a:1", "--new", "c:1"), "unknown column of t.csv for --score 'c'"),
        (("--current", "a", "--new", "b:1"), "'a' is not a model and its threshold, such as scorecard:0.5"),
        (("--current", "a:1", "--new", "gap:1"), "t.csv: score 'gap' is missing in 1 of 3 rows"),
        (("--current", "a:1", "--new", "b:1", "--positive", "7"), "'7' is not among the classes of t.csv: label 'y'"),
        (("--current", "a:1", "--new", "b:1", "--level", "40%"), "level must be at least 0.5 and below 1, got 0.4"),
        (("--current", "a:1", "--new", "b:1", "--to-label", "no/next.csv"), "cannot write no/next.csv: there is no folder no"),
        (("--current", "a:1"), "Missing option '--new'"),
    ],
)  # fmt: skip
def test_bad_options_are_refused_by_name(isocost, options, complaint):
    """Exit code 2 and one line that says what to do."""
    pd.DataFrame({"y": [1, 0, None], "a": [1, 2, 0], "b": [0, 1, 1], "gap": [1, None, 2]}).to_csv("t.csv", index=False)
    ran = isocost("challenge", "t.csv", "--label", "y", *options)
    assert ran.code == 2
    assert complaint in ran.complaint

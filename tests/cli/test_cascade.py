import json

import pandas as pd
import pytest

import isocost as ic

ASKED = (
    "--label",
    "bad",
    "--first",
    "logistic_regression",
    "--then",
    "random_forest",
    "--cost-fn",
    "5",
    "--prevalence",
    "30%",
)


def test_the_answer_is_the_librarys(isocost, credit, credit_file):
    """Resampled 100 times unless another number is given; the sentence leads with new cases."""
    ran = isocost("cascade", credit_file, *ASKED, "--cost-call", "0.05", "--seed", "3", "--json")
    assert ran.code == 0, ran.err
    scores = {name: credit[name] for name in ("logistic_regression", "random_forest")}
    expected = ic.Comparison.from_scores(credit["bad"], scores).cascade(
        *scores, ic.Condition(1, 5, 0.3), cost_call=0.05, n_resamples=100, rng=3
    )
    found = json.loads(ran.out)
    assert found["cascade"] == expected.to_dict()
    assert found["text"].startswith("On new cases expect ")


def test_no_resamples_leave_the_cases_at_hand(isocost, credit_file):
    """The table has then one column of costs; nobody is asked at a high price."""
    ran = isocost(
        "cascade", credit_file, *ASKED, "--cost-call", "0.5", "--resamples", "0", "--unit", "€", "-o", "out.csv"
    )
    assert ran.code == 0, ran.err
    table = pd.read_csv("out.csv")
    assert table.columns.tolist() == ["use", "expected_cost"]
    assert table["expected_cost"].tolist() == pytest.approx([0.535, 0.535, 1.002])
    ran = isocost("cascade", credit_file, *ASKED, "--cost-call", "0.5", "--resamples", "0", "--unit", "€", "-q")
    assert ran.out.startswith("Asking random_forest pays only below €0.455 per call")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--first", "a", "--then", "c", "--cost-call", "1"), "unknown column of t.csv for --score 'c'"),
        (("--first", "a", "--then", "a", "--cost-call", "1"), "the models of a cascade must be different values"),
        (("--first", "a", "--then", "b", "--cost-call", "-1"), "-1.0 is not in the range x>=0"),
        (("--first", "a", "--then", "b"), "Missing option '--cost-call'"),
        (("--first", "a", "--then", "b", "--cost-call", "inf"), "cost_call must be finite and at least 0, got inf"),
    ],
)  # fmt: skip
def test_bad_options_are_refused_by_name(isocost, options, complaint):
    """Exit code 2 and one line that says what to do."""
    pd.DataFrame({"y": [1, 0, 1], "a": [1, 2, 0], "b": [0, 1, 1]}).to_csv("t.csv", index=False)
    ran = isocost("cascade", "t.csv", "--label", "y", *options)
    assert ran.code == 2
    assert complaint in ran.complaint


def test_counts_have_no_cases_in_common(isocost, credit_file):
    """Score counts of each model do not say which cases both models scored."""
    assert isocost("count", credit_file, "--label", "bad", "-o", "counts.csv").code == 0
    ran = isocost(
        "cascade",
        "counts.csv",
        "--first",
        "naive_bayes",
        "--then",
        "random_forest",
        "--cost-call",
        "0.1",
        "--cost-fn",
        "5",
    )
    assert ran.code == 2
    assert "needs the cases, and counts.csv holds only score counts" in ran.complaint

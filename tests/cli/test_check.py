import json

import pytest

import isocost as ic

RULE = ["--label", "bad", "--threshold", "random_forest:0.248605"]


@pytest.fixture
def rule_file(isocost, credit_file):
    """A rule that `choose --save` wrote."""
    ran = isocost(
        "choose",
        credit_file,
        "--label",
        "bad",
        "--cost-fn",
        "5",
        "--prevalence",
        "30%",
        "--resamples",
        "0",
        "--save",
        "rule.json",
    )
    assert ran.code == 0
    assert "Wrote rule.json" in ran.err
    return "rule.json"


def test_verdicts_decide_the_exit_code(isocost, credit_file):
    """0 kept, 1 broken, 3 not certain; broken goes first, and --accept-uncertain lets what is not certain pass."""
    codes = {("--max-fpr", "50%"): 0, ("--max-fpr", "40%"): 1, ("--max-fpr", "45%"): 3}
    for limit, code in codes.items():
        assert isocost("check", credit_file, *RULE, *limit).code == code
    assert isocost("check", credit_file, *RULE, "--max-fpr", "45%", "--min-tpr", "95%").code == 1
    assert isocost("check", credit_file, *RULE, "--max-fpr", "45%", "--accept-uncertain").code == 0
    assert isocost("check", credit_file, *RULE, "--max-fpr", "40%", "--accept-uncertain").code == 1


def test_rule_file_is_checked_with_its_costs(isocost, credit_file, credit, rule_file):
    """The command says what the library says."""
    ran = isocost(
        "check", credit_file, "--label", "bad", "--rule", rule_file, "--max-cost", "560", "--max-fpr", "50%",
        "--versus", "naive_bayes:0.0588", "--not-worse-than", "40", "--min-auc", "0.75", "--json",
    )  # fmt: skip
    found = json.loads(ran.out)["check"]
    known = ic.check(
        ic.load_decision(rule_file), credit["bad"], credit, max_cost=560, max_fpr=0.5, versus=("naive_bayes", 0.0588), not_worse_than=40,
        min_auc=0.75,
    )  # fmt: skip
    assert found["items"] == known.to_dict()["items"]
    assert (ran.code, found["verdict"]) == (3, "not certain")


def test_rule_is_compared_with_another_file(isocost, credit_file, rule_file):
    """Against itself the difference is 0, and what 1000 cases leave open is within 16."""
    ran = isocost(
        "check",
        credit_file,
        "--label",
        "bad",
        "--rule",
        rule_file,
        "--versus",
        rule_file,
        "--not-worse-than",
        "16",
        "--json",
    )
    item = json.loads(ran.out)["check"]["items"][0]
    assert (item["value"], ran.code) == (0, 0)


def test_summary_is_markdown(isocost, credit_file, rule_file, tmp_path):
    """-o summary.md is what a CI job shows; the text is printed as well, JSON is written by name."""
    call = ["check", credit_file, "--label", "bad", "--rule", rule_file, "--max-fpr", "50%"]
    ran = isocost(*call, "-o", "summary.md")
    assert "within 50 %, kept." in ran.out
    assert "within 50 %, **kept**." in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert isocost(*call, "-o", "summary.json").out == ""
    assert json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["check"]["verdict"] == "kept"


def test_limits_of_the_decision_are_in_its_file(isocost, credit_file):
    """A decision under limits is checked for them without naming them again."""
    isocost(
        "choose",
        credit_file,
        "--label",
        "bad",
        "--cost-fn",
        "5",
        "--max-fpr",
        "40%",
        "--resamples",
        "0",
        "--save",
        "rule.json",
    )
    ran = isocost("check", credit_file, "--label", "bad", "--rule", "rule.json", "--json")
    assert [item["limit"] for item in json.loads(ran.out)["check"]["items"]] == ["max_fpr"]


def test_missing_model_is_named(isocost, tmp_path, rule_file):
    """A file without the model's column is refused."""
    (tmp_path / "p.csv").write_text("y,a\n1,7\n0,3\n1,2\n0,1\n")
    ran = isocost("check", "p.csv", "--label", "y", "--rule", rule_file, "--max-fpr", "50%")
    assert ran.code == 2
    assert "random_forest" in ran.complaint


def test_turned_scores_are_read_turned(isocost, credit, tmp_path):
    """A rule of a model where lower is positive finds its column."""
    credit.assign(low=-credit["random_forest"])[["bad", "low"]].to_csv(tmp_path / "low.csv", index=False)
    isocost(
        "choose",
        "low.csv",
        "--label",
        "bad",
        "--lower-is-positive",
        "low",
        "--cost-fn",
        "5",
        "--resamples",
        "0",
        "--save",
        "rule.json",
    )
    assert isocost("check", "low.csv", "--label", "bad", "--rule", "rule.json", "--max-fpr", "50%").code == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["--max-fpr", "5%"], "which rule? Name its file with --rule"),
        (["--threshold", "random_forest:0.2", "--rule", "rule.json", "--max-fpr", "5%"], "--threshold has no meaning with --rule"),
        (["--threshold", "random_forest:0.2"], "there is no limit to check: pass --max-fpr, --min-tpr"),
        (["--rule", "rule.json", "--cost-fn", "5", "--max-cost", "5"], "--cost-fn has no meaning with --rule: the file has its own"),
        (["--rule", "gone.json", "--max-fpr", "5%"], "cannot read gone.json"),
        (["--threshold", "random_forest:0.2", "--max-fpr", "5%", "--weight", "naive_bayes"], "No such option '--weight'"),
        (["--threshold", "random_forest:0.2", "--cost-fn", "2:8", "--max-cost", "5"], "--cost-fn must be a number, got (2.0, 8.0)"),
        (["--threshold", "random_forest:0.2", "--prevalence", "1%:8%", "--max-fpr", "5%"], "--prevalence must be a number, got (0.01,"),
        (["--threshold", "random_forest:0.2", "--not-worse-than", "5"], "--not-worse-than compares with the rule in use"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("rule_file")
def test_bad_usage_ends_with_code_2(call, message, isocost, credit_file):
    """Nothing was checked, and the line says why."""
    ran = isocost("check", credit_file, "--label", "bad", *call)
    assert ran.code == 2
    assert message in ran.complaint


def test_counts_that_are_no_single_cases_are_refused(isocost, tmp_path):
    """Buckets hold several scores, weights are no cases, and a rule in use needs both scores of each case."""
    (tmp_path / "buckets.csv").write_text("score,upper,positives,negatives\n0.5,0.9,3,1\n0.1,0.4,1,3\n")
    (tmp_path / "weights.csv").write_text("score,positives,negatives\n0.5,2.5,1\n0.1,1,3\n")
    (tmp_path / "two.csv").write_text("model,score,positives,negatives\na,0.5,2,1\na,0.1,1,3\nb,0.5,3,1\nb,0.1,0,3\n")
    for file, held in (("buckets", "buckets of scores"), ("weights", "weights")):
        ran = isocost("check", f"{file}.csv", "--threshold", "score:0.5", "--max-fpr", "50%")
        assert (ran.code, ran.complaint) == (2, f"check counts independent cases, and {file}.csv holds {held} of score")
    ran = isocost(
        "check", "two.csv", "--threshold", "a:0.5", "--versus", "b:0.5", "--not-worse-than", "0", "--cost-fn", "5"
    )
    assert (ran.code, ran.complaint) == (2, "check needs the cases, and two.csv holds only score counts")

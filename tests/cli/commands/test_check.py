import json

import pytest

import isocost as ic
from isocost.measures.registry import MEASURES

CALL = ["--label", "bad", "--cost-fp", "1", "--cost-fn", "5", "--prevalence", "0.3", "--score", "random_forest"]


def test_limits_decide_the_exit_code(isocost, credit_file):
    """0 when all are kept, 1 when one is not; the table says which."""
    kept = isocost("check", credit_file, *CALL, "--max-cost", "0.503", "--min-auc", "0.79")
    assert (kept.code, kept.out.splitlines()[0]) == (0, "All limits are kept.")
    broken = isocost("check", credit_file, *CALL, "--max-cost", "0.501", "--min-auc", "0.79")
    assert (broken.code, broken.out.splitlines()[0]) == (1, "1 of 2 limits is not kept.")
    verdicts = {line.split()[1]: line.split()[-1] for line in broken.out.splitlines()[3:]}
    assert verdicts == {"cost": "no", "auc": "yes"}


def test_limit_itself_is_allowed(isocost, credit, credit_file):
    """At most and at least include the limit."""
    auc = ic.auc(ic.RocCurve.from_scores(credit["bad"], credit["random_forest"]))
    assert isocost("check", credit_file, *CALL, "--min-auc", repr(auc)).code == 0


def test_ranges_are_judged_by_what_is_expected(isocost, credit, credit_file):
    """With uncertain costs, --max-cost holds for the expected cost of the model's best rule, as in `choose`."""
    curve = ic.RocCurve.from_scores(credit["bad"], credit["random_forest"])
    over = ic.Conditions.from_costs(cost_fn=(2, 8), prevalence=0.3)
    expected = ic.best_threshold(curve, over).expected_cost
    assert expected == pytest.approx(ic.best_threshold(curve, ic.Condition(1, 5, 0.3)).expected_cost)
    call = [
        "check",
        credit_file,
        "--label",
        "bad",
        "--score",
        "random_forest",
        "--cost-fn",
        "2:8",
        "--prevalence",
        "0.3",
    ]
    found = json.loads(isocost(*call, "--max-cost", "10", "--json").out)
    assert found["checks"][0]["value"] == expected
    assert isocost(*call, "--max-cost", expected * 0.999).code == 1


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_has_an_option(name, isocost, credit_file):
    """--min-… where higher is better, --max-… where lower is; a limit nobody keeps fails."""
    higher = MEASURES[name].higher_is_better
    option = f"--{'min' if higher else 'max'}-{name.replace('_', '-')}"
    assert isocost("check", credit_file, *CALL, option, "2" if higher else "-2").code == 1
    assert isocost("check", credit_file, *CALL, option, "-2" if higher else "2").code == 0


def test_all_models_must_keep_the_limit(isocost, credit_file):
    """One bad model among several fails the check."""
    ran = isocost("check", credit_file, "--label", "bad", "--min-auc", "0.785", "--json")
    assert ran.code == 1
    assert [(row["model"], row["kept"]) for row in json.loads(ran.out)["checks"]] == [
        ("logistic_regression", True), ("random_forest", True), ("naive_bayes", False),
    ]  # fmt: skip


def test_bad_data_is_not_a_failed_check(isocost, tmp_path, credit_file):
    """Exit code 2 tells that nothing was checked."""
    assert isocost("check", "gone.csv", "--min-auc", "0.5").code == 2
    assert "nothing to check: give a limit" in isocost("check", credit_file).complaint
    (tmp_path / "p.csv").write_text("y,a\n1,7\n0,3\n1,2\n0,1\n")
    ran = isocost("check", "p.csv", "--max-brier-loss", "0.5")
    assert ran.code == 2
    assert ran.complaint == "brier_loss of a cannot be checked: the scores are not probabilities"

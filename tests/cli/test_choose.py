import csv
import json
import re

import numpy as np
import pytest

import isocost as ic


@pytest.fixture(scope="module")
def comparison(credit):
    """The library's comparison of the bundled models, with their cases."""
    return ic.Comparison.from_scores(credit["bad"], {name: credit[name] for name in credit.columns[1:]})


def asked(isocost, file, *options):
    """The JSON form of a choice, without resamples unless asked for."""
    quick = [] if "--resamples" in options else ["--resamples", "0"]
    ran = isocost("choose", file, "--label", "bad", "--json", *quick, *options)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


CREDIT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
COSTS = ["--cost-fp", "1", "--cost-fn", "5", "--prevalence", "30%"]


@pytest.mark.parametrize(
    ("options", "over", "arguments"),
    [
        (COSTS, CREDIT, {}),
        (["--cost-fn", "5:20", "--prevalence", "1%:3 %"], ic.Conditions.from_costs(1, (5, 20), (0.01, 0.03)), {}),
        ([*COSTS, "--max-flagged", "30%"], CREDIT, {"max_flagged": 0.3}),
        (
            [*COSTS, "--min-precision", "0.5", "--min-tpr", "0.3", "--max-fpr", "0.2"],
            CREDIT,
            {"min_precision": 0.5, "min_tpr": 0.3, "max_fpr": 0.2},
        ),
        (["--max-flagged", "0.1", "--randomised"], None, {"max_flagged": 0.1, "randomised": True}),
        (["--max-flagged", "0.1", "--prevalence", "0.2"], None, {"max_flagged": 0.1, "prevalence": 0.2}),
        ([*COSTS, "--method", "score_driven"], CREDIT, {"method": "score_driven"}),
        ([*COSTS, "--method", "rate_driven"], CREDIT, {"method": "rate_driven"}),
        ([*COSTS, "--threshold", "0.5"], CREDIT, {"method": "fixed", "threshold": 0.5}),
        ([*COSTS, "--current", "naive_bayes:0.5"], CREDIT, {"current": ("naive_bayes", 0.5)}),
        ([*COSTS, "--unit", "€"], CREDIT, {"unit": "€"}),
        ([*COSTS, "--cost-review", "0.4"], CREDIT, {"cost_review": 0.4}),
        (
            [
                *COSTS,
                "--cost-review",
                "0.3",
                "--max-reviewed",
                "10%",
                "--reviewer-fpr",
                "5%",
                "--reviewer-tpr",
                "0.9",
            ],
            CREDIT,
            {"cost_review": 0.3, "max_reviewed": 0.1, "reviewer_fpr": 0.05, "reviewer_tpr": 0.9},
        ),
        ([*COSTS, "--minimax"], CREDIT, {"worst_case": True}),
        ([], None, {}),
        (["--prevalence", "0.2"], None, {"prevalence": 0.2}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_answer_is_the_librarys(options, over, arguments, isocost, comparison, credit_file):
    """Every option stands for an argument of `Comparison.decide`; data, sentences and table come from its one result."""
    expected = comparison.decide(over, **arguments)
    found = asked(isocost, credit_file, *options)
    assert found["decision"] == expected.to_dict()
    printed = isocost("choose", credit_file, "--label", "bad", "--resamples", "0", *options).out
    assert printed.startswith(f"{expected}\n\n")


def test_how_sure_is_said_by_default(isocost, comparison, credit_file):
    """With as many resamples as matter; a number, another level and another seed can be asked for."""
    found = asked(isocost, credit_file, *COSTS, "--resamples", "50", "--level", "80%", "--seed", "3")
    assert found["decision"] == comparison.decide(CREDIT, n_resamples=50, level=0.8, rng=3).to_dict()
    ran = isocost("choose", credit_file, "--label", "bad", *COSTS, "--json")
    assert json.loads(ran.out)["decision"] == comparison.decide(CREDIT, n_resamples="auto", rng=0).to_dict()


def test_the_report_decides_as_choose_does(isocost, credit_file, tmp_path):
    """By default too: one number of resamples, one answer."""
    chosen = json.loads(isocost("choose", credit_file, "--label", "bad", *COSTS, "--json").out)["decision"]
    assert isocost("report", credit_file, "--label", "bad", *COSTS, "-o", "r.json").code == 0
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["decision"] == chosen


def test_table_is_in_money_per_1000(isocost, credit_file):
    """Every model and both trivial classifiers have a row, the decision first."""
    lines = isocost("choose", credit_file, "--label", "bad", *COSTS, "--unit", "€", "--resamples", "0").out.splitlines()
    table = [re.split(r" {2,}", line) for line in lines[lines.index("") + 1 :]]
    assert table[0] == ["model", "rule", "flagged", "caught", "€ per 1000"]
    assert table[1] == ["random_forest", "score ≥ 0.2486", "57 %", "87 %", "502"]
    assert [row[0] for row in table[2:]] == ["naive_bayes", "logistic_regression", "no model", "no model"]
    assert [row[1] for row in table[4:]] == ["flag everybody", "flag nobody"]


def test_spreadsheets_get_every_digit_and_both_thresholds(isocost, comparison, credit_file, tmp_path):
    """Of a random mix each row holds both thresholds and the probability, so that the rule can be carried out."""
    call = ["choose", credit_file, "--label", "bad", "--max-flagged", "30%", "--randomised", "--resamples", "0"]
    assert isocost(*call, "-o", "table.csv").code == 0
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expected = comparison.decide(max_flagged=0.3, randomised=True)
    for row, rule in zip(rows, (expected, *expected.alternatives), strict=True):
        assert row["model"] == rule.model
        other = None if rule.other is None else rule.other.threshold
        for name, value in (
            ("threshold", rule.threshold),
            ("other_threshold", other),
            ("share", rule.share),
            ("tpr", rule.tpr),
        ):
            assert row[name] == ("" if value is None else str(value).replace("inf", "Infinity"))
    assert all(row["share"] and row["other_threshold"] for row in rows if row["model"] in comparison.names)


def test_zero_is_a_cost_and_a_limit(isocost, credit_file):
    """0 is not taken for "not given"."""
    assert asked(isocost, credit_file, "--cost-fn", "0")["decision"]["question"]["quantities"]["cost_fn"]["mean"] == 0
    ran = isocost("choose", credit_file, "--label", "bad", "--cost-fn", "0", "--cost-fp", "0")
    assert ran.complaint.startswith("nothing can go wrong")
    assert asked(isocost, credit_file, "--max-fpr", "0")["decision"]["fpr"] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--cost-fn", "-1"), "--cost-fn must be finite and at least 0, got -1"),
        (("--prevalence", "-1"), "prevalence must be between 0 and 1, got -1"),
    ],
)
def test_costs_that_cannot_be_are_refused_before_anything_is_read(options, message, isocost, credit_file, monkeypatch):
    """Reading a large file takes long."""
    monkeypatch.setattr("isocost.data.files.open_inputs", None)
    ran = isocost("choose", credit_file, "--label", "bad", *options)
    assert ran.code == 2
    assert re.search(message, ran.complaint)


def test_without_costs_the_answer_asks_for_them_and_says_who_is_cheapest_where(isocost, credit_file):
    """However quiet; a range of prevalences cannot be weighed then, nor limited."""
    printed = isocost("choose", credit_file, "--label", "bad", "-q", "--resamples", "0").out
    assert printed.startswith("At equal costs the cheapest would be to use random_forest")
    assert "No costs were given, so no model can be called cheapest" in printed
    assert "\nSay what a mistake costs to get an answer.\n" in printed
    call = ["choose", credit_file, "--label", "bad", "--prevalence", "10%:30%"]
    for limit in ([], ["--max-fpr", "0.1"]):
        ran = isocost(*call, *limit)
        assert ran.complaint.startswith("a range of the prevalence needs costs to be weighed with")


def test_limit_nobody_can_keep(isocost, tmp_path):
    """A model without a rule that keeps the limit has an empty row; if there is no other, nobody is flagged."""
    (tmp_path / "p.csv").write_text("y,a,b\n1,3,3\n0,3,2\n1,2,1\n0,1,0\n")
    call = ["choose", "p.csv", "--min-precision", "0.9", "--resamples", "0"]
    assert isocost(*call, "--score", "a").out.startswith("Flag nobody.")
    found = json.loads(isocost(*call, "--json").out)["decision"]
    assert (found["model"], found["threshold"]) == ("b", 3)
    assert [rule["rule"] for rule in found["alternatives"] if rule["model"] == "a"] == ["none"]


def test_score_counts_cannot_tell_how_sure(isocost, credit_file):
    """They hold no cases: the cost is that on the cases the rule was chosen on, and the answer says so."""
    assert isocost("count", credit_file, "--label", "bad", "-o", "c.parquet").code == 0
    call = ["choose", "c.parquet", "--cost-fn", "5", "-q"]
    assert "on the cases it was chosen on" in isocost(*call).out
    found = json.loads(isocost(*call, "--json").out)["decision"]
    assert (found["confidence"]["withheld"], found["confidence"]["price"]) == ("no_cases", None)
    assert found["says"]["sure"] in isocost(*call).out


@pytest.mark.parametrize("typed", ["naive_bayes", "naive_bayes:", "naive_bayes:half"])
def test_rule_in_use_needs_a_model_and_a_threshold(typed, isocost, credit_file):
    """One of them alone is bad usage; an unknown model is answered with the nearest."""
    ran = isocost("choose", credit_file, "--label", "bad", "--current", typed)
    assert ran.code == 2
    assert f"{typed!r} is not a model and its threshold, such as scorecard:0.5" in ran.complaint
    assert (
        "did you mean 'naive_bayes'"
        in isocost("choose", credit_file, "--label", "bad", "--current", "bayes:1").complaint
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--method", "fixed"], "--method fixed needs a --threshold"),
        (["--method", "rate_driven", "--threshold", "1"], "--threshold goes with --method fixed, got --method rate_driven"),
        (["--threshold", "1", "--randomised"], "--method fixed sets the threshold itself: drop --randomised"),
        (["--threshold", "1", "--minimax"], "--method fixed sets the threshold itself: drop --minimax"),
    ],
)  # fmt: skip
def test_options_that_exclude_each_other_are_bad_usage(options, message, isocost, credit_file):
    """In words of the command."""
    ran = isocost("choose", credit_file, "--label", "bad", *COSTS, *options)
    assert ran.code == 2
    assert message in ran.complaint


def test_costs_near_the_largest_float_are_printed(isocost, credit_file):
    """Per 1000 cases they are beyond it."""
    ran = isocost(
        "choose", credit_file, "--label", "bad", "--cost-fn", "1e308", "--cost-fp", "1e308", "--resamples", "0"
    )
    assert ran.code == 0, ran.err
    assert "∞" in ran.out


@pytest.mark.parametrize("resamples", ["0", "20"])
def test_positives_are_called_by_their_label(resamples, isocost, credit, tmp_path):
    """If it is a word; with the cases at hand and without."""
    credit.assign(bad=np.where(credit["bad"] == 1, "bad", "good")).to_csv(tmp_path / "w.csv", index=False)
    call = ["--label", "bad", "--positive", "bad", "--cost-fn", "5", "--resamples", resamples, "-q"]
    assert "catches 87 % of bad cases" in isocost("choose", "w.csv", *call).out
    credit.assign(bad=np.where(credit["bad"] == 1, "yes", "no")).to_csv(tmp_path / "w.csv", index=False)
    call[3] = "yes"
    assert "catches 87 % of positives" in isocost("choose", "w.csv", *call).out


def test_fractional_weights_of_several_models(isocost, credit, tmp_path):
    """Sums of weights differ in their last digits with the order of the scores; the cases are the same all the same."""
    rng = np.random.default_rng(0)
    credit.assign(w=rng.random(len(credit)), fold=np.arange(len(credit)) % 5).to_csv(tmp_path / "w.csv", index=False)
    for command in (["choose"], ["compare", "--resamples", "20"], ["measure"]):
        ran = isocost(*command, "w.csv", "--label", "bad", "--weight", "w", "--fold", "fold", "-q")
        assert ran.code == 0, ran.err


def test_the_threshold_in_the_sentence_flags_the_case_it_stands_for(isocost, tmp_path):
    """The shortest decimal above the next lower score is typed back without loss; the data hold every digit."""
    (tmp_path / "t.csv").write_text("y,a\n1,0.1164768\n1,0.9\n0,0.1164\n0,0.02\n")
    ran = isocost("choose", "t.csv", "-q", "--resamples", "0")
    assert "flag cases with score ≥ 0.11647." in ran.out
    assert json.loads(isocost("choose", "t.csv", "--json").out)["decision"]["threshold"] == 0.1164768


@pytest.mark.parametrize(
    "options",
    [
        ["--max-reviewed", "0.1"],
        ["--reviewer-fpr", "0.1"],
        ["--reviewer-tpr", "0.9"],
        *(["--cost-review", "0.3", *other] for other in (
            ["--max-fpr", "0.1"], ["--max-flagged", "0.1"], ["--min-precision", "0.5"], ["--min-tpr", "0.5"], ["--minimax"],
            ["--method", "score_driven"], ["--threshold", "0.5"],
        )),
    ],
    ids=" ".join,
)  # fmt: skip
def test_options_of_reviews_that_do_not_go_together_are_a_usage_error(options, isocost, credit_file):
    """A reviewer without a price, and a price beside limits or a method."""
    ran = isocost("choose", credit_file, "--label", "bad", *COSTS, *options)
    assert ran.code == 2
    assert "--cost-review" in ran.err


def test_a_band_is_printed_with_what_reviews_are_worth(isocost, credit_file):
    """Who is flagged, cleared and looked at; the price; what one more review would save."""
    options = ["--resamples", "0", *COSTS, "--cost-review", "0.3", "--max-reviewed", "10%"]
    ran = isocost("choose", credit_file, "--label", "bad", *options)
    assert "have a person look at the 10 % from score ≥ 0.2486 on" in ran.out
    assert "reviews pay up to 0.735 each." in ran.out
    band = asked(isocost, credit_file, *options)["decision"]
    reviews = band["question"]["reviews"]
    assert (reviews["cost"], reviews["max_reviewed"]) == (0.3, 0.1)
    assert band["review"]["reviewed"] == pytest.approx(0.1)


def test_a_rule_chosen_on_some_cases_is_evaluated_on_others(isocost, credit, tmp_path):
    """The second file has the same columns; the answer is the library's, at the prevalence of the condition."""
    half = len(credit) // 2
    for name, rows in (("valid.csv", credit[:half]), ("test.csv", credit[half:])):
        rows.to_csv(tmp_path / name, index=False)
    call = ["choose", "valid.csv", "--label", "bad", "--cost-fn", "5", "--prevalence", "20%", "--resamples", "0"]
    ran = isocost(*call, "--evaluate", "test.csv", "--json")
    found = json.loads(ran.out)["evaluation"]
    models = [name for name in credit.columns if name != "bad"]
    train, test = credit[:half], credit[half:]
    decision = ic.Comparison.from_scores(train["bad"].to_numpy(), {n: train[n].to_numpy() for n in models}).decide(
        ic.Condition(cost_fn=5, prevalence=0.2)
    )
    expected = decision.evaluate_on(test["bad"].to_numpy(), {n: test[n].to_numpy() for n in models})
    assert found == expected.to_dict()
    assert str(expected) in isocost(*call, "--evaluate", "test.csv").out
    assert isocost(*call, "--evaluate", "absent.csv").code == 2


def test_a_rule_file_is_evaluated_without_choosing(isocost, credit, credit_file, tmp_path):
    """The library's evaluation; files to choose on, or no cases at all, are refused."""
    models = {name: credit[name].to_numpy() for name in credit.columns if name != "bad"}
    decision = ic.Comparison.from_scores(credit["bad"].to_numpy(), models).decide(
        ic.Condition(cost_fn=5, prevalence=0.3), max_flagged=0.5
    )
    decision.save(tmp_path / "rule.json")
    ran = isocost("choose", "--rule", "rule.json", "--evaluate", credit_file, "--label", "bad", "--json")
    found = ic.monitor.evaluate(decision, credit["bad"].to_numpy(), models)
    assert json.loads(ran.out)["evaluation"] == found.to_dict()
    ran = isocost("choose", "--rule", "rule.json", "--evaluate", credit_file, "--label", "bad")
    assert ran.out.strip() == str(found)
    for wrong in ([credit_file, "--rule", "rule.json", "--evaluate", credit_file], ["--rule", "rule.json"], []):
        assert isocost("choose", *wrong, "--label", "bad").code == 2


@pytest.mark.parametrize("enough", [4, 0])
def test_more_labels_are_the_librarys(isocost, comparison, credit_file, enough):
    """What is stated under an open decision, and the numbers behind it."""
    call = ("choose", credit_file, "--label", "bad", "--cost-fn", "5", "--resamples", "100", "--good-enough", enough)
    found = json.loads(isocost(*call, "--json").out)["decision"]
    expected = comparison.decide(CREDIT, n_resamples=100, good_enough=enough).to_dict()
    assert found["confidence"] == expected["confidence"]
    assert f"would settle it to within {enough} per 1000" in isocost(*call).out


@pytest.mark.parametrize("typed", ["-1", "nan"])
def test_a_loss_below_nothing_is_refused(typed, isocost, credit_file):
    """What does not matter is a number from 0 on."""
    assert isocost("choose", credit_file, "--label", "bad", "--cost-fn", "5", "--good-enough", typed).code == 2

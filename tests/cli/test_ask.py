import json
import shlex

import pandas as pd
import pytest

import isocost as ic

ASKED = ("--label", "bad", "--cost-fn", "1:20", "--prevalence", "30%")


def test_the_answer_is_the_librarys_and_goes_on(isocost, credit, credit_file):
    """The question, a table of both answers, and the two commands that go on, which run."""
    ran = isocost("ask", credit_file, *ASKED, "-q")
    assert ran.code == 0, ran.err
    scores = {name: credit[name] for name in credit.columns if name != "bad"}
    found = ic.Comparison.from_scores(credit["bad"], scores).ask(ic.Conditions.from_costs(1, (1, 20), 0.3))
    assert ran.out.startswith(str(found))
    yes, no = ran.out.splitlines()[-2:]
    assert yes == f"If yes: isocost ask {credit_file} --label bad --cost-fn 6.6875:20 --prevalence 30% -q"
    assert no == f"If no: isocost ask {credit_file} --label bad --cost-fn 1:6.6875 --prevalence 30% -q"
    again = isocost(*shlex.split(yes.removeprefix("If yes: isocost ")))
    assert again.code == 0
    assert again.out.startswith("Is a miss worth more than 15.7 false alarms?")


def test_json_is_the_dictionary(isocost, credit, credit_file):
    """Under `question`, with the decisions."""
    ran = isocost("ask", credit_file, *ASKED, "--questions", "3", "--json")
    scores = {name: credit[name] for name in credit.columns if name != "bad"}
    found = ic.Comparison.from_scores(credit["bad"], scores).ask(ic.Conditions.from_costs(1, (1, 20), 0.3), questions=3)
    held = json.loads(ran.out)["question"]
    for name in ("about", "at", "worth", "chance_more", "regret_by_questions", "cuts", "others", "text"):
        assert held[name] == found.to_dict()[name], name


def test_a_question_about_the_share_is_typed_as_a_range(isocost, credit_file):
    """Also where the option was joined with its value; the table goes into a spreadsheet."""
    ran = isocost("ask", credit_file, "--label", "bad", "--cost-fn=5", "--prevalence=10%:50%", "-q")
    assert "Are more than" in ran.out
    assert "--cost-fn=5 --prevalence=0.1:" in ran.out
    assert isocost("ask", credit_file, *ASKED, "-o", "out.csv").code == 0
    table = pd.read_csv("out.csv")
    assert table["answer"].tolist() == ["yes", "no"]
    assert table["false_alarms"].tolist() == pytest.approx([526, 312])


def test_a_belief_has_no_command_to_go_on_with(isocost, credit_file):
    """Half of a lognormal belief cannot be typed."""
    ran = isocost("ask", credit_file, "--label", "bad", "--cost-fn", "lognormal(6, 0.8)", "--prevalence", "30%", "-q")
    assert ran.out.startswith("Is a miss worth more than 6.69 false alarms?")
    assert "If yes: isocost" not in ran.out


def test_nothing_to_ask_is_said_or_refused(isocost, credit_file):
    """Exit 0 if no answer would change anything, 2 if nothing is uncertain."""
    ran = isocost("ask", credit_file, "--label", "bad", "--cost-fn", "4:5.5", "--prevalence", "30%", "-q")
    assert (ran.code, ran.out.startswith("You need not know more: random_forest, flag cases with score ≥ 0.2486")) == (
        0,
        True,
    )
    ran = isocost("ask", credit_file, "--label", "bad", "--cost-fn", "4")
    assert ran.code == 2
    assert ran.complaint == "nothing is uncertain, so there is nothing to ask; give a range such as --cost-fn 1:20"
    ran = isocost("ask", credit_file, *ASKED, "--about", "cost-fp")
    assert (ran.code, ran.complaint) == (2, "unknown uncertain quantity '--cost-fp': did you mean '--cost-fn'?")
    assert isocost("ask", credit_file, *ASKED, "--questions", "7").code == 2

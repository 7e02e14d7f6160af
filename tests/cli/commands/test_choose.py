import json
import re

import numpy as np
import pytest

import isocost as ic


def curves(credit):
    """One curve a model of the bundled predictions."""
    return [ic.RocCurve.from_scores(credit["bad"], credit[name], name=name) for name in credit.columns[1:]]


def asked(isocost, file, *options):
    """The JSON form of a choice."""
    ran = isocost("choose", file, "--label", "bad", "--json", *options)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_decision_at_a_condition_is_the_librarys(isocost, credit, credit_file):
    """Model, threshold, rates and cost equal those of `Comparison.decide`; the sentence is printed first."""
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    expected = ic.Comparison(curves(credit)).decide(condition)
    options = ["--cost-fp", "1", "--cost-fn", "5", "--prevalence", "0.3"]
    found = asked(isocost, credit_file, *options)
    for name in ("model", "threshold", "fpr", "tpr", "precision", "flagged", "expected_cost"):
        assert found["decision"][name] == getattr(expected, name)
    assert [row["model"] for row in found["models"]] == [expected.model, *(a.model for a in expected.alternatives)]
    assert found["text"] == str(expected)
    assert found["condition"]["t"] == [condition.t, condition.t]
    assert isocost("choose", credit_file, "--label", "bad", *options).out.startswith(f"{expected}\n")


def test_ranges_give_the_choice_that_is_cheapest_on_average(isocost, credit, credit_file):
    """low:high options become uncertain conditions."""
    over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=(0.01, 0.03))
    expected = ic.Comparison(curves(credit)).decide(over)
    found = asked(isocost, credit_file, "--cost-fn", "5:20", "--prevalence", "0.01:0.03")
    assert found["decision"]["threshold"] == expected.threshold
    assert found["decision"]["expected_cost"] == expected.expected_cost
    assert found["condition"]["t"] == [over.low, over.high]
    assert found["condition"]["cost_fn"] == [5, 20]


def test_zero_is_a_cost_and_a_prevalence(isocost, credit_file):
    """0 is not taken for "not given"."""
    assert asked(isocost, credit_file, "--cost-fn", "0")["condition"]["t"] == [1, 1]
    ran = isocost("choose", credit_file, "--label", "bad", "--cost-fn", "0", "--cost-fp", "0")
    assert ran.complaint.startswith("cost_fp and cost_fn are both 0")
    assert asked(isocost, credit_file, "--max-fpr", "0")["decision"]["fpr"] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--cost-fn", "-1"), "cost_fn must be at least 0, got -1"),
        (("--prevalence", "-1"), "prevalence must be between 0 and 1, got -1"),
    ],
)
def test_costs_that_cannot_be_are_refused_before_anything_is_read(options, message, isocost, credit_file, monkeypatch):
    """Reading a large file takes long."""
    monkeypatch.setattr("isocost.engines.files.opened", None)
    ran = isocost("choose", credit_file, "--label", "bad", *options)
    assert ran.code == 2
    assert re.search(message, ran.complaint)


def test_without_costs_equal_ones_are_supposed_and_said(isocost, credit_file):
    """A supposition is a message, and quiet silences it."""
    ran = isocost("choose", credit_file, "--label", "bad")
    assert "No costs given. Assumed: equal costs, 30 % positive as in the data" in ran.err
    assert isocost("choose", credit_file, "--label", "bad", "-q").err == ""


@pytest.mark.parametrize(
    ("option", "value", "function"),
    [
        ("--max-fpr", 0.1, lambda c, v, **o: ic.neyman_pearson(c, max_fpr=v, **o)),
        ("--max-flagged", 0.1, lambda c, v, **o: ic.workforce(c, max_flagged=v, **o)),
        ("--min-precision", 0.6, lambda c, v, **o: ic.precision_constrained(c, min_precision=v, **o)),
    ],
)
@pytest.mark.parametrize("randomised", [False, True])
def test_limit_gives_the_model_that_catches_most(option, value, function, randomised, isocost, credit, credit_file):
    """Each model's best choice within the limit is the library's; the one with the highest tpr is chosen."""
    condition = ic.Condition(cost_fn=5, prevalence=0.2)
    expected = [function(c, value, randomised=randomised, condition=condition) for c in curves(credit)]
    best = max(expected, key=lambda choice: choice.tpr)
    options = ["--cost-fn", "5", "--prevalence", "0.2", option, value, *(["--randomised"] if randomised else [])]
    found = asked(isocost, credit_file, *options)
    for name in ("model", "threshold", "tpr", "other_threshold", "other_probability", "expected_cost"):
        assert found["decision"][name] == getattr(best, name)
    assert {row["model"]: row["tpr"] for row in found["models"]} == {c.model: c.tpr for c in expected}
    assert found["limit"] == {"name": option[2:].replace("-", "_"), "value": value, "randomised": randomised}


def test_minimax_takes_the_least_worst_case(isocost, credit, credit_file):
    """Over all conditions the worst case of a threshold is the larger of fpr and 1 - tpr."""
    worst = {c.name: max(x.fpr, 1 - x.tpr) for c in curves(credit) for x in [ic.minimax(c)]}
    found = asked(isocost, credit_file, "--minimax")["decision"]
    assert found["model"] == min(worst, key=worst.get)
    assert max(found["fpr"], 1 - found["tpr"]) == min(worst.values())


def test_limit_nobody_can_keep(isocost, tmp_path):
    """If no model reaches the precision, the line says how far they get; if some do, the others are remarked on."""
    (tmp_path / "p.csv").write_text("y,a,b\n1,3,3\n0,3,2\n1,2,1\n0,1,0\n")
    ran = isocost("choose", "p.csv", "--score", "a", "--min-precision", "0.9")
    assert ran.code == 2
    assert ran.complaint == (
        "no threshold of this curve keeps min_precision=0.9 at prevalence 0.5: the highest precision is 0.666667"
    )
    lines = isocost("choose", "p.csv", "--min-precision", "0.9").out.splitlines()
    assert lines[0].startswith("With at least 0.9 of the flagged positive: b: flag cases with score ≥ 3")
    assert lines[-1].startswith("a ")
    assert lines[-1].endswith("the highest precision is 0.666667")


def test_limits_exclude_each_other(isocost, credit_file):
    """Two limits at once, or a random mix without one, are bad usage."""
    ran = isocost("choose", credit_file, "--max-fpr", "0.1", "--minimax")
    assert "give one of --max-fpr, --max-flagged, --min-precision, --minimax, not several" in ran.complaint
    assert "--randomised goes with one of" in isocost("choose", credit_file, "--randomised").complaint


def test_limit_on_flagged_needs_one_prevalence(isocost, credit_file):
    """A range of prevalences leaves open how many are flagged; a range of costs does not."""
    call = ["choose", credit_file, "--label", "bad", "--max-flagged", "0.1", "-q"]
    assert "--max-flagged needs one prevalence, got 0.1:0.3" in isocost(*call, "--prevalence", "0.1:0.3").complaint
    certain = isocost(*call, "--prevalence", "0.2").out.splitlines()[2:]
    ranged = isocost(*call, "--prevalence", "0.2", "--cost-fn", "2:5").out.splitlines()[2:]
    assert [line.split()[:6] for line in certain] == [line.split()[:6] for line in ranged]


def test_fractional_weights_of_several_models(isocost, credit, tmp_path):
    """Sums of weights differ in their last digits with the order of the scores; the cases are the same all the same."""
    rng = np.random.default_rng(0)
    credit.assign(w=rng.random(len(credit)), fold=np.arange(len(credit)) % 5).to_csv(tmp_path / "w.csv", index=False)
    for command in (["choose"], ["compare", "--resamples", "20"], ["measure"], ["check", "--min-auc", "0.5"]):
        ran = isocost(*command, "w.csv", "--label", "bad", "--weight", "w", "--fold", "fold", "-q")
        assert ran.code == 0, ran.err


def test_the_threshold_in_the_sentence_flags_the_case_it_stands_for(isocost, tmp_path):
    """The shortest decimal above the next lower score and not above the threshold: 0.1164768 rounds to 0.12, which would lose it."""
    (tmp_path / "t.csv").write_text("y,a\n1,0.1164768\n1,0.9\n0,0.01\n0,0.02\n")
    ran = isocost("choose", "t.csv", "-q")
    assert "flag cases with score ≥ 0.1." in ran.out

import json

import numpy as np
import pytest

import isocost as ic


@pytest.fixture
def pilot(credit, tmp_path):
    """The bundled predictions of two models."""
    credit[["bad", "random_forest", "naive_bayes"]].to_csv(tmp_path / "pilot.csv", index=False)
    return ("plan", "pilot.csv", "--label", "bad", "--cost-fn", "5", "--prevalence", "20%", "--resamples", "300")


def test_a_pilot_is_the_librarys(isocost, credit, pilot):
    """The same resamples and the same sizes, with a difference that matters and with the pilot's own."""
    scores = {name: credit[name].to_numpy() for name in ("random_forest", "naive_bayes")}
    boot, condition = ic.bootstrap(credit["bad"], scores, n_resamples=300), ic.Condition(1, 5, 0.2)
    for words, options in (
        ([], {}),
        (["--difference", "20", "--power", "90%", "--level", "0.95"], {"difference": 20, "power": 0.9, "level": 0.95}),
    ):
        ran = isocost(*pilot, *words, "--json")
        found = json.loads(ran.out)
        needed = boot.cases_needed(*scores, condition, **options)
        assert found["plan"] == needed.to_dict()
        assert (found["data"]["rows"], found["condition"]["cost_fn"]) == (1000, [5.0, 5.0])
        assert ("--difference" in ran.err) == (not options)
        assert isocost(*pilot, *words, "--unit", "€", "-q").out == needed.sentence("€") + "\n"


def test_clusters_of_a_pilot_are_drawn_together(isocost, credit, pilot, tmp_path):
    """Every row twice tells no more than once: about twice as many rows are needed as without knowing."""
    twice = credit.loc[credit.index.repeat(2), ["bad", "random_forest", "naive_bayes"]]
    twice.assign(patient=np.arange(len(credit)).repeat(2)).to_csv(tmp_path / "pilot.csv", index=False)
    scores = ("--score", "random_forest", "--score", "naive_bayes", "--difference", "20", "--json")
    rows, clusters = (
        json.loads(isocost(*pilot, *scores, *words).out)["plan"]["total"] for words in ([], ["--cluster", "patient"])
    )
    assert clusters == pytest.approx(2 * rows, rel=0.2)


def test_an_area_needs_no_file(isocost):
    """As `cases_needed_auc`, in words and as data."""
    ran = isocost("plan", "--auc", "0.75", "--negatives-per-positive", "3")
    needed = ic.inference.cases_needed_auc(0.75, negatives_per_positive=3)
    assert ran.out == f"{needed}\n"
    assert ran.out.startswith(
        "Label 42 cases, 11 of them positives. A study of this size finds that an AUC of 0.75 is not chance"
    )
    found = json.loads(isocost("plan", "--auc", "75%", "--negatives-per-positive", "3", "--json").out)
    assert (found["plan"], found["data"], found["condition"]) == (needed.to_dict(), None, None)
    assert isocost("plan", "--auc", "0.75", "-o", "plan.json").code == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "Missing argument '[PILOT]...'. Name it, or give --auc (see isocost plan --help)"),
        (["pilot.csv", "--auc", "0.7"], "FILES has no meaning with --auc: drop it (see isocost plan --help)"),
        (["--auc", "0.7", "--cost-fn", "5"], "--cost-fn has no meaning with --auc: drop it (see isocost plan --help)"),
        (["--auc", "0.5"], "there is no difference here: no number of cases shows one"),
        (
            ["pilot.csv", "--label", "bad", "--negatives-per-positive", "2"],
            "--negatives-per-positive goes with --auc: a study has the pilot's share of positives (see isocost plan --help)",
        ),
        (
            ["pilot.csv", "--label", "bad", "--score", "naive_bayes"],
            "a study tells two models apart, got 1: choose with --score, of naive_bayes",
        ),
        (
            ["pilot.csv", "--label", "bad", "--resamples", "0"],
            "--resamples must be between 1 and 1e+06, got 0",
        ),
        (["pilot.csv", "--label", "bad", "--difference", "0"], "there is no difference here: no number of cases shows one"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_said(isocost, pilot, words, complaint):
    """One line, exit code 2."""
    ran = isocost("plan", *words)
    assert (ran.code, ran.complaint) == (2, complaint)
    assert pilot

import json

import numpy as np
import pandas as pd
import pytest

import isocost as ic

COSTS = ("--cost-fn", "5", "--prevalence", "30%")


@pytest.fixture
def weeks(credit, tmp_path):
    """Four files of applicants drawn from the bundled ones: 30 % bad risks in two weeks, then 3 %; a few labels."""
    rng = np.random.default_rng(0)
    scores, bad = credit["random_forest"].to_numpy(), credit["bad"].to_numpy() == 1
    made = {}
    for week, share in enumerate((0.3, 0.3, 0.03, 0.03), 1):
        risky = rng.random(1500) < share
        drawn = np.where(risky, rng.choice(scores[bad], 1500), rng.choice(scores[~bad], 1500))
        made[f"week-{week}"] = table = pd.DataFrame({"random_forest": drawn, "week": week})
        table["bad"] = np.where(np.arange(1500) < 50, risky.astype(float), np.nan)
        table.to_csv(tmp_path / f"week-{week}.csv", index=False)
    pd.concat(made.values()).to_parquet(tmp_path / "year.parquet")
    return made


def expected(credit, weeks, **asked):
    """What the library says about the same cases."""
    comparison = ic.Comparison.from_scores(
        credit["bad"], {name: credit[name] for name in credit.columns if name != "bad"}
    )
    unknown = {name: table.loc[table["bad"].isna(), "random_forest"] for name, table in weeks.items()}
    known = {name: table[table["bad"].notna()] for name, table in weeks.items()}
    labels = {name: (table["bad"], table["random_forest"]) for name, table in known.items()}
    condition = ic.Condition(1, 5, 0.3)
    return ic.watch(comparison, unknown, labels=labels, condition=condition, **asked)


def test_a_file_is_a_period_and_the_answer_is_the_librarys(isocost, credit, credit_file, weeks):
    """Rows with a label are labels; periods are named by their files; everything is as in the library."""
    ran = isocost("watch", credit_file, "--label", "bad", "--deployed", "week-*.csv", *COSTS, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["watch"] == expected(credit, weeks).to_dict()
    assert "only the prevalence moved" in found["text"]


def test_a_column_of_periods_divides_one_file(isocost, credit, credit_file, weeks):
    """The same periods from one Parquet file, in order."""
    ran = isocost(
        "watch", credit_file, "--label", "bad", "--deployed", "year.parquet", "--by", "week", *COSTS, "--json"
    )
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)["watch"]
    assert [period.pop("period") for period in found["periods"]] == ["1", "2", "3", "4"]
    periods = expected(credit, weeks).to_dict()["periods"]
    assert found["periods"] == [{k: v for k, v in period.items() if k != "period"} for period in periods]


def test_options_reach_the_library(isocost, credit, credit_file, weeks):
    """The rule in use, the regret to be ignored, the error rate, the number of periods, the level and the unit."""
    ran = isocost(
        "watch", credit_file, "--label", "bad", "--deployed", "week-1.csv", "--deployed", "week-3.csv", *COSTS, "--json",
        "--current", "random_forest:0.4", "--ignore-below", "15", "--error-rate", "20%", "--horizon", "9", "--level", "80%",
        "--unit", "€",
    )  # fmt: skip
    some = {name: weeks[name] for name in ("week-1", "week-3")}
    wanted = expected(
        credit, some, current=("random_forest", 0.4), tolerance=15, error_rate=0.2, horizon=9, level=0.8, unit="€"
    )
    assert json.loads(ran.out)["watch"] == wanted.to_dict()


def test_people_see_a_row_a_period_and_what_to_do(isocost, credit_file, weeks):
    """Shares in percent, the assumption, and the advice last."""
    ran = isocost("watch", credit_file, "--label", "bad", "--deployed", "week-*.csv", *COSTS)
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines[1:5]] == list(weeks)
    assert lines[0].split()[:2] == ["period", "cases"]
    assert "only the prevalence moved" in ran.out
    assert lines[-1].rsplit(". ", 1)[1].startswith("Change to random_forest at score ≥")


@pytest.mark.usefixtures("weeks")
def test_an_alarm_fails_only_if_asked_to(isocost, credit_file):
    """Exit code 1 with --fail-on-alarm, else 0."""
    call = ("watch", credit_file, "--label", "bad", *COSTS)
    assert isocost(*call, "--deployed", "week-*.csv").code == 0
    assert isocost(*call, "--deployed", "week-*.csv", "--fail-on-alarm").code == 1
    assert isocost(*call, "--deployed", "week-1.csv", "--fail-on-alarm").code == 0


def test_counts_serve_as_cases_in_use(isocost, credit_file, weeks, tmp_path):
    """A saved table of unlabelled scores is a period like a file of them."""
    counts = ic.ScoreCounts.from_unlabelled(weeks["week-3"]["random_forest"])
    for name in ("now.npz", "now.csv"):
        counts.save(tmp_path / name)
        ran = isocost("watch", credit_file, "--label", "bad", "--deployed", name, *COSTS, "--json")
        assert ran.code == 0, ran.err
        (period,) = json.loads(ran.out)["watch"]["periods"]
        assert (period["period"], period["cases"], period["labelled"]) == ("now", 1500, 0)


def test_the_table_and_the_page_are_written(isocost, credit_file, weeks, tmp_path):
    """By suffix: all digits for spreadsheets, or the page."""
    call = ("watch", credit_file, "--label", "bad", "--deployed", "week-*.csv", *COSTS)
    assert isocost(*call, "-o", "w.csv").code == 0
    assert pd.read_csv(tmp_path / "w.csv")["period"].tolist() == list(weeks)
    assert isocost(*call, "-o", "w.html", "--title", "Credit <b>").code == 0
    page = (tmp_path / "w.html").read_text(encoding="utf-8")
    assert "<title>Credit &lt;b&gt;</title>" in page
    assert "<script" not in page


def test_choose_decides_at_the_estimate(isocost, credit, credit_file, weeks):
    """The prevalence of the cases in use takes the place of --prevalence, and the estimate is told with its assumption."""
    ran = isocost(
        "choose",
        credit_file,
        "--label",
        "bad",
        "--cost-fn",
        "5",
        "--deployed",
        "week-3.csv",
        "--resamples",
        "0",
        "--json",
    )
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    week = weeks["week-3"]
    known = week[week["bad"].notna()]
    labels, unknown = (known["bad"], known["random_forest"]), week.loc[week["bad"].isna(), "random_forest"]
    estimate = ic.estimate_prevalence((credit["bad"], credit["random_forest"]), unknown, labels=labels)
    assert found["prevalence"] == {"model": "random_forest"} | estimate.to_dict()
    assert found["decision"]["condition"]["prevalence"] == estimate.estimate
    said = isocost(
        "choose", credit_file, "--label", "bad", "--cost-fn", "5", "--deployed", "week-3.csv", "--resamples", "0"
    ).out
    assert "only the prevalence moved" in said
    assert "Estimated from the scores of random_forest." in said


@pytest.mark.usefixtures("weeks")
@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ((), "--deployed"),
        (("--deployed", "none-*.csv"), "no file matches 'none-*.csv'"),
        (("--deployed", "week-1.csv", "--by", "month"), "unknown column of week-1.csv for --by 'month'"),
        (("--deployed", "week-1.csv", "--current", "forest:0.5"), "unknown model of --current 'forest'"),
        (("--deployed", "week-1.csv", "--current", "naive_bayes:0.5"), "'naive_bayes'"),
    ],
)
def test_bad_calls_are_explained(isocost, credit_file, more, complaint):
    """In one line, with what to do."""
    ran = isocost("watch", credit_file, "--label", "bad", *COSTS, *more)
    assert ran.code == 2
    assert complaint in ran.complaint


@pytest.mark.usefixtures("weeks")
def test_an_estimate_and_a_given_prevalence_exclude_each_other(isocost, credit_file):
    """One of the two must go."""
    ran = isocost("choose", credit_file, "--label", "bad", *COSTS, "--deployed", "week-1.csv")
    assert "leave one out" in ran.complaint


def test_flagging_nobody_has_no_scores_to_watch(isocost, tmp_path):
    """The rule in use must be named then."""
    (tmp_path / "reference.csv").write_text("y,m\n0,3\n1,2\n0,1\n", encoding="utf-8")
    (tmp_path / "now.csv").write_text("m\n3\n1\n", encoding="utf-8")
    ran = isocost("watch", "reference.csv", "--deployed", "now.csv", "--cost-fn", "0.1")
    assert "flagging nobody, which has no scores to watch: name the rule in use with --current" in ran.complaint
    assert isocost("watch", "reference.csv", "--deployed", "now.csv", "--cost-fn", "0.1", "--current", "m:2").code == 0

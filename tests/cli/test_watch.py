import json
import math
import os
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import isocost as ic

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "after-deployment.md"


@pytest.fixture
def weeks(credit, tmp_path):
    """Four files of applicants drawn from the bundled ones: 30 % bad risks in two weeks, then 3 %; a few labels."""
    rng = np.random.default_rng(0)
    scores, bad = credit["random_forest"].to_numpy(), credit["bad"].to_numpy() == 1
    made = {}
    for week, share in enumerate((0.3, 0.3, 0.03, 0.03), 1):
        risky = rng.random(4000) < share
        drawn = np.where(risky, rng.choice(scores[bad], 4000), rng.choice(scores[~bad], 4000))
        made[f"week-{week}"] = table = pd.DataFrame({"id": np.arange(4000), "random_forest": drawn, "week": week})
        table["bad"] = np.where(np.arange(4000) < 50, risky.astype(float), math.nan)
        table.to_csv(tmp_path / f"week-{week}.csv", index=False)
    pd.concat(made.values(), ignore_index=True).to_parquet(tmp_path / "year.parquet", index=False)
    return made


@pytest.fixture
def rule(isocost, credit_file):
    """The rule file of a decision on the bundled predictions."""
    isocost(
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
    return ic.load_decision("rule.json")


def without_rows(periods):
    """Periods as data, without row numbers and names."""
    for period in periods:
        period.pop("period")
        period.pop("sentence")
        if period["to_label"] is not None:
            period["to_label"].pop("rows")
    return periods


def test_a_file_is_a_period_and_the_answer_is_the_librarys(isocost, rule, weeks):
    """Without --label nothing is known; with it rows with a label are measured; everything is as in the library."""
    for label in (False, True):
        asked = ["--label", "bad"] if label else []
        asked += ["--ignore-below", "15", "--error-rate", "20%", "--level", "80%", "--json"]
        ran = isocost("watch", "--rule", "rule.json", "--deployed", "week-*.csv", *asked)
        assert ran.code == 0, ran.err
        found = json.loads(ran.out)
        cases = {name: (t["random_forest"], t["bad"]) if label else t["random_forest"] for name, t in weeks.items()}
        known = ic.watch(rule, cases, ignore_below=15, error_rate=0.2, level=0.8)
        assert [p["period"] for p in found["watch"]["periods"]] == list(weeks)
        assert without_rows(found["watch"]["periods"]) == without_rows(known.to_dict()["periods"])
        assert found["watch"]["alarm"] == known.to_dict()["alarm"]
        assert found["text"] == str(known)


def test_a_column_of_periods_divides_one_file(isocost, rule, weeks):
    """The same periods from one Parquet file, in order."""
    ran = isocost("watch", "--rule", "rule.json", "--deployed", "year.parquet", "--by", "week", "--json")
    found = json.loads(ran.out)["watch"]["periods"]
    assert [period["period"] for period in found] == ["1", "2", "3", "4"]
    known = ic.watch(rule, {name: table["random_forest"] for name, table in weeks.items()})
    assert without_rows(found) == without_rows(known.to_dict()["periods"])


@pytest.mark.usefixtures("rule")
def test_an_alarm_fails_only_if_asked_to(isocost, weeks):
    """Exit code 1 with --fail-on-alarm, else 0; people see a row per period and what to do."""
    call = ("watch", "--rule", "rule.json")
    ran = isocost(*call, "--deployed", "week-*.csv")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()[1:5]] == list(weeks)
    assert "Label " in ran.out.splitlines()[-1]
    assert isocost(*call, "--deployed", "week-*.csv", "--fail-on-alarm").code == 1
    assert isocost(*call, "--deployed", "week-1.csv", "--fail-on-alarm").code == 0


@pytest.mark.usefixtures("rule")
@pytest.mark.parametrize("by", [False, True])
def test_rows_to_label_are_written_with_all_columns(by, isocost, weeks, tmp_path):
    """As many as asked for, of the last period, without a label, with scores where the assumptions differ; none if none is needed."""
    files = ("--deployed", "year.parquet", "--by", "week") if by else ("--deployed", "week-*.csv")
    ran = isocost("watch", "--rule", "rule.json", *files, "--label", "bad", "--to-label", "next.csv", "--json")
    wanted = json.loads(ran.out)["watch"]["periods"][-1]["to_label"]
    rows = pd.read_csv(tmp_path / "next.csv")
    assert len(rows) == wanted["count"]
    assert list(rows.columns) == list(weeks["week-4"].columns)
    assert rows["bad"].isna().all()
    assert (rows["week"] == 4).all()
    assert rows["random_forest"].between(wanted["score_from"], wanted["score_below"], inclusive="left").all()
    assert rows["id"].is_unique
    assert not rows["id"].is_monotonic_increasing
    calm = isocost("watch", "--rule", "rule.json", "--deployed", "week-1.csv", "--to-label", "none.csv")
    assert "Nothing needs a label now." in calm.err
    assert not (tmp_path / "none.csv").exists()


@pytest.mark.usefixtures("rule")
def test_other_labels_are_named(isocost, weeks, tmp_path):
    """--positive says which label to detect; others are negative, and without it 1, 0 and -1 are known alone."""
    table = weeks["week-1"].assign(bad=weeks["week-1"]["bad"].map({1.0: "bad", 0.0: "good"}))
    table.to_csv(tmp_path / "named.csv", index=False)
    call = ("watch", "--rule", "rule.json", "--label", "bad", "--json")
    named = json.loads(isocost(*call, "--deployed", "named.csv", "--positive", "bad").out)["watch"]["periods"]
    plain = json.loads(isocost(*call, "--deployed", "week-1.csv").out)["watch"]["periods"]
    assert without_rows(named) == without_rows(plain)
    weeks["week-1"].replace({"bad": {0.0: -1.0}}).to_csv(tmp_path / "signed.csv", index=False)
    signed = json.loads(isocost(*call, "--deployed", "signed.csv").out)["watch"]["periods"]
    assert without_rows(signed) == plain
    assert "holds the label" in isocost(*call, "--deployed", "named.csv").complaint


@pytest.mark.usefixtures("rule")
def test_counts_serve_as_cases_in_use(isocost, weeks, tmp_path):
    """A saved table of unlabelled scores is a period like a file of them, but has no rows to write."""
    counts = ic.ScoreCounts.from_unlabelled(weeks["week-3"]["random_forest"])
    for name in ("now.parquet", "now.csv"):
        counts.save(tmp_path / name)
        ran = isocost("watch", "--rule", "rule.json", "--deployed", name, "--json")
        assert ran.code == 0, ran.err
        (period,) = json.loads(ran.out)["watch"]["periods"]
        assert (period["period"], period["cases"], period["labelled"]) == ("now", 4000, 0)
        ran = isocost("watch", "--rule", "rule.json", "--deployed", name, "--to-label", "next.csv")
        assert "--to-label needs the rows" in ran.complaint


@pytest.mark.usefixtures("rule")
def test_the_table_and_the_page_are_written(isocost, weeks, tmp_path):
    """By suffix: all digits for spreadsheets, or the page."""
    call = ("watch", "--rule", "rule.json", "--deployed", "week-*.csv")
    assert isocost(*call, "-o", "w.csv").code == 0
    assert pd.read_csv(tmp_path / "w.csv")["period"].tolist() == list(weeks)
    assert isocost(*call, "-o", "w.html", "--title", "Credit <b>").code == 0
    page = (tmp_path / "w.html").read_text(encoding="utf-8")
    assert "<title>Credit &lt;b&gt;</title>" in page
    assert "<script" not in page


def test_choose_decides_at_the_estimate(isocost, credit, credit_file, weeks):
    """The prevalence of the cases in use takes the place of --prevalence, and the estimate is stated with its assumption."""
    weeks["week-3"].drop(columns="bad").to_csv("now.csv", index=False)
    call = ("choose", credit_file, "--label", "bad", "--cost-fn", "5", "--deployed", "now.csv", "--resamples", "0")
    found = json.loads(isocost(*call, "--json").out)
    estimate = ic.estimate_prevalence((credit["bad"], credit["random_forest"]), weeks["week-3"]["random_forest"])
    assert found["prevalence"] == {"model": "random_forest"} | estimate.to_dict() | {"settled": False}
    assert found["decision"]["question"]["quantities"]["prevalence"]["mean"] == estimate.estimate
    reported = isocost(*call).out
    assert "only the prevalence moved" in reported
    assert "Estimated from the scores of random_forest." in reported


def deployed(isocost, credit_file, scores, *more):
    """Choose for cases in use with these scores of the forest."""
    pd.DataFrame({"random_forest": scores}).to_csv("now.csv", index=False)
    call = (
        "choose",
        credit_file,
        "--label",
        "bad",
        "--score",
        "random_forest",
        "--cost-fn",
        "5",
        "--deployed",
        "now.csv",
    )
    return isocost(*call, *more)


def test_choose_states_no_certainty_from_an_assumption_about_the_cases_in_use(isocost, credit, credit_file):
    """The same rule under both assumptions is deployed, without a grade; other rules are left open; a misfit has no price."""
    scores, bad = credit["random_forest"].to_numpy(), credit["bad"].to_numpy() == 1
    same = deployed(isocost, credit_file, scores, "--save", "same.json").out
    assert "The rule is the same whether the share of positives moved or the risk at each score still holds." in same
    assert not re.search("Clear|Leaning", same)
    assert ic.load_decision("same.json").model == "random_forest"
    rare = np.concatenate([np.tile(scores[~bad], 10), scores[bad]])
    left = deployed(isocost, credit_file, rare)
    both = r"moved \(3.5 %\): Use .* That costs \d+ per 1000\. If the risk at each score still holds \(\d+ % positive\): Use .* per 1000\. "
    assert re.search(both + "Label 51 cases with scores from 0.2486 to below 0.5718, which .* to know", left.out)
    assert "Clear" not in left.out
    labelled = pd.DataFrame({"random_forest": rare, "bad": np.repeat([0, 1], [10 * (~bad).sum(), bad.sum()])})
    labelled.to_csv("labelled.csv", index=False)
    call = (
        "choose",
        credit_file,
        "--label",
        "bad",
        "--score",
        "random_forest",
        "--cost-fn",
        "5",
        "--deployed",
        "labelled.csv",
    )
    assert "cases, all labelled): the rule cost" in isocost(*call).out
    assert "nothing is saved" in deployed(isocost, credit_file, rare, "--save", "open.json").complaint
    strange = deployed(isocost, credit_file, np.full(2000, 0.35)).out
    assert "The scores do not fit" in strange
    assert (
        "Open. The scores changed in a way that no share of positives explains: no cost can be stated for that."
        in strange
    )
    assert "Clear" not in strange
    assert strange.count("per 1000") == 1
    assert re.search(r"Label \d+ cases with any score, which", strange)


@pytest.mark.usefixtures("weeks", "rule")
@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ((), "--deployed"),
        (("--deployed", "none-*.csv"), "no file matches 'none-*.csv'"),
        (("--deployed", "week-1.csv", "--by", "month"), "unknown column of week-1.csv for --by 'month'"),
        (("--deployed", "week-1.csv", "--error-rate", "90%"), "error_rate must be between 0.02 and 0.4"),
        (("--deployed", "week-1.csv", "--to-label", "x.txt"), "its name must end in .csv"),
    ],
)
def test_bad_calls_are_explained(isocost, more, complaint):
    """In one line, with what to do."""
    ran = isocost("watch", "--rule", "rule.json", *more)
    assert ran.code == 2
    assert complaint in ran.complaint


@pytest.mark.usefixtures("weeks", "rule")
def test_a_file_without_the_models_scores_is_refused(isocost, tmp_path):
    """The column is named."""
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    ran = isocost("watch", "--rule", "rule.json", "--deployed", "other.csv")
    assert ran.code == 2
    assert "random_forest" in ran.complaint


def test_the_jobs_of_the_guide_run(isocost, credit, weeks, tmp_path, monkeypatch):
    """Every command of the workflow and of the weekly job, typed as it is shown, in a folder with the files that they name."""
    page = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:yaml|sh)\n(.*?)```", page, re.DOTALL)
    commands = re.findall(r"^(?:\s*- run: )?(isocost .*)$", "\n".join(blocks), re.MULTILINE)
    assert len(commands) == 3
    credit.to_csv(tmp_path / "predictions.csv", index=False)
    credit.to_csv(tmp_path / "new.csv", index=False)
    isocost(
        "choose",
        "predictions.csv",
        "--label",
        "bad",
        "--cost-fn",
        "5",
        "--prevalence",
        "30%",
        "--resamples",
        "0",
        "--save",
        "old.json",
    )
    (tmp_path / "weeks").mkdir()
    for name, table in weeks.items():
        table.to_csv(tmp_path / "weeks" / f"{name}.csv", index=False)
    codes = {}
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    for command in commands:
        _, name, *options = shlex.split(os.path.expandvars(command))
        codes[name] = isocost(name, *options).code
    assert codes == {"choose": 0, "check": 0, "watch": 1}
    assert "**kept**" in summary.read_text(encoding="utf-8")
    assert (tmp_path / "watch.html").exists()
    assert (tmp_path / "next.csv").exists()


@pytest.mark.usefixtures("weeks", "rule")
def test_a_challenge_is_shown_on_the_page(isocost, tmp_path):
    """The card says what `isocost challenge` wrote; other files, and other results than a page, are refused."""
    new = ("challenge", "week-4.csv", "--label", "bad", "--current", "rule.json", "--new", "random_forest:0.5")
    assert isocost(*new, "-o", "challenge.json").code == 0
    found = json.loads((tmp_path / "challenge.json").read_text())["challenge"]
    asked = ("watch", "--rule", "rule.json", "--deployed", "week-*.csv", "--label", "bad")
    assert isocost(*asked, "--challenge", "challenge.json", "-o", "watch.html").code == 0
    page = (tmp_path / "watch.html").read_text(encoding="utf-8")
    assert f"{found['unlabelled']:,} rows to label".replace(",", "") in page.replace("\u00a0", " ").replace(",", "")
    assert isocost(*asked, "--challenge", "challenge.json").code == 2
    for wrong in ("rule.json", "week-1.csv"):
        refused = isocost(*asked, "--challenge", wrong, "-o", "watch.html")
        assert refused.code == 2
        assert f"--challenge {wrong} is not what `isocost challenge -o challenge.json` writes" in refused.err

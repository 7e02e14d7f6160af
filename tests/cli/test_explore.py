import http.client
import re
import signal
import subprocess
import sys

import pytest

import isocost as ic
from isocost.cli.report import explore as command_of_explore
from isocost.cli.report import report as command_of_report
from isocost.datasets import load_german_credit_predictions
from isocost.explorer import explorer


@pytest.fixture
def views(monkeypatch):
    """What the command would serve, without serving it."""
    found = []
    monkeypatch.setattr(
        explorer, "explore", lambda made, browse: (found.append((made.view, browse)), made._server.server_close())
    )
    return found


def test_file_columns_and_costs_reach_the_page(isocost, credit_file, views):
    """Options choose columns, condition, words and resampling."""
    options = ["--label", "bad", "--score", "naive_bayes", "--positive", "1", "--cost-fn", "5", "--prevalence", "0.2"]
    ran = isocost(
        "explore",
        credit_file,
        *options,
        "--resamples",
        "7",
        "--seed",
        "3",
        "--unit",
        "$",
        "--title",
        "T",
        "--no-browser",
    )
    assert ran.code == 0, ran.err
    [(view, browse)] = views
    summary = view.report.summary
    assert browse is False
    assert [m["name"] for m in summary["models"]] == ["naive_bayes"]
    opened = summary["opened"]["quantities"]
    assert (opened["cost_fn"], opened["prevalence"]) == ([5, 5], [0.2, 0.2])
    assert (summary["unit"], summary["title"]) == ("$", "T")
    assert summary["provenance"]["call"].endswith(", unit='$', title='T', n_resamples=7, rng=3)")


def test_ranges_open_as_a_range_and_the_prevalence_is_the_datas(isocost, credit_file, views):
    """low:high costs become the range the page opens with."""
    assert isocost("explore", credit_file, "--label", "bad", "--cost-fn", "4:9", "--resamples", "0").code == 0
    [(view, browse)] = views
    assert browse is True
    opened = view.report.summary["opened"]["quantities"]
    assert opened["cost_fn"] == [4, 9]
    assert opened["prevalence"] == [0.3, 0.3]


def test_everything_the_report_takes_the_explorer_takes():
    """Both commands have the same options, beside those of files written and messages."""
    found = {param.name for param in command_of_report.params} - {"files", "as_json", "output", "quiet"}
    assert found - {param.name for param in command_of_explore.params} == set()


def test_one_number_may_stand_for_costs_and_prevalence(isocost, credit_file, views):
    """As in `isocost report`, whose decision it is; costs beside it are refused."""
    call = [credit_file, "--label", "bad", "--resamples", "0"]
    for typed in ("0.2", "0.2:0.5"):
        assert isocost("explore", *call, "--pcf", typed).code == 0
        assert isocost("report", *call, "--pcf", typed, "-o", "r.json").code == 0
        assert views.pop()[0].report.summary["decision"] == ic.report.Report.load("r.json").summary["decision"]
    assert (
        "--cost-fn has no meaning with --pcf" in isocost("explore", *call, "--pcf", "0.2", "--cost-fn", "5").complaint
    )


def test_a_prevalence_alone_is_no_cost(isocost, credit_file, views):
    """The page asks what mistakes cost, as that of the report."""
    call = [credit_file, "--label", "bad", "--resamples", "0", "--prevalence", "20%"]
    assert isocost("explore", *call).code == 0
    assert isocost("report", *call, "-o", "r.json").code == 0
    assert views[0][0].report.summary["decision"] == ic.report.Report.load("r.json").summary["decision"]


def test_the_rule_is_judged_on_other_cases(isocost, credit, credit_file, tmp_path, views):
    """Once chosen on the file, and again after a change on the page; the report says the same."""
    credit[::3].to_csv(tmp_path / "test.csv", index=False)
    call = [credit_file, "--label", "bad", "--cost-fn", "5", "--resamples", "0", "--evaluate", "test.csv"]
    assert isocost("explore", *call).code == 0
    assert isocost("report", *call, "-o", "r.json").code == 0
    [(view, _)] = views
    reported = next(note for note in view.report.summary["data"]["notes"] if note.startswith("test.csv: "))
    assert reported in ic.report.Report.load("r.json").summary["data"]["notes"]
    again = explorer.view_of(view.upload, view.roles, view.settings)
    assert reported in again.report.summary["data"]["notes"]


def test_costs_may_stand_in_columns(isocost, credit, tmp_path, views):
    """Every case counts what it is worth; the page shows how to say that in Python."""
    path = tmp_path / "amounts.csv"
    credit.assign(amount=range(1, len(credit) + 1)).to_csv(path, index=False)
    call = [
        path,
        "--label",
        "bad",
        "--cost-fp",
        "9",
        "--cost-column",
        "amount",
        "--multiplier",
        "2",
        "--resamples",
        "0",
        "--title",
        "T",
    ]
    assert isocost("explore", *call).code == 0
    assert isocost("report", *call, "-o", "r.json").code == 0
    [(view, _)] = views
    expected = ic.report.Report.load("r.json").summary
    assert view.report.summary["decision"] == expected["decision"]
    for key in ("call", "decide"):
        assert view.report.summary["provenance"][key] == expected["provenance"][key]
    assert (
        "--prevalence has no meaning with --cost-column" in isocost("explore", *call, "--prevalence", "0.2").complaint
    )


def test_reviews_groups_and_the_level_reach_the_page(isocost, credit, tmp_path, views):
    """The page opens with what `decide` says at that price; with groups and the level."""
    path = tmp_path / "parts.csv"
    credit.assign(site=["north", "south"] * (len(credit) // 2)).to_csv(path, index=False)
    looks = ["--cost-review", "0.3", "--max-reviewed", "10%", "--reviewer-tpr", "0.9"]
    more = ["--group", "site", "--level", "0.8"]
    ran = isocost("explore", path, "--label", "bad", "--cost-fn", "5", "--resamples", "20", *looks, *more)
    assert ran.code == 0, ran.err
    summary = views[0][0].report.summary
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    reported = comparison.decide(
        ic.Condition(cost_fn=5, prevalence=0.3), cost_review=0.3, max_reviewed=0.1, reviewer_tpr=0.9
    )
    assert (summary["decision"]["rule"], summary["decision"]["expected_cost"]) == (
        reported.rule,
        reported.expected_cost,
    )
    assert [row["group"] for row in summary["groups"]["rows"]] in (["north", "south"], ["south", "north"])
    assert summary["level"] == 0.8


def test_a_limit_on_looks_needs_their_price(isocost, credit_file, views):
    """As in `isocost report`: one line, and nothing is served."""
    ran = isocost("explore", credit_file, "--label", "bad", "--max-reviewed", "10%")
    assert (ran.code, views) == (2, [])
    assert (
        "--max-reviewed, --reviewer-fpr and --reviewer-tpr go with --cost-review: say what a review costs"
        in ran.complaint
    )


def test_no_file_is_needed(isocost, views):
    """Without a file the page waits for one."""
    assert isocost("explore").code == 0
    assert views[0][0].report is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--label", "bda"], "for label= 'bda'"),
        (["--label", "bad", "--score", "nope"], "for score= 'nope'"),
        (["--label", "bad", "--positive", "7"], "'7' is not among the classes"),
    ],
)
def test_bad_choices_are_one_line(isocost, credit_file, options, message):
    """What does not fit the file is refused before anything is served."""
    ran = isocost("explore", credit_file, *options)
    assert ran.code == 2
    assert message in ran.complaint


def test_large_files_are_refused_with_a_hint(isocost, credit_file, monkeypatch):
    """Files beyond the explorer's limit are for the report command."""
    monkeypatch.setattr(explorer, "MOST_BYTES", 10)
    assert "isocost report" in isocost("explore", credit_file).complaint


def test_explorer_answers_and_ends_with_ctrl_c(credit_file):
    """The printed address works, and an interrupt ends the command without a traceback."""
    call = [
        sys.executable,
        "-m",
        "isocost",
        "explore",
        credit_file,
        "--label",
        "bad",
        "--resamples",
        "0",
        "--no-browser",
    ]
    # Test runners may ignore Ctrl-C, and children inherit that.
    heed = ["env", "--default-signal=INT"]
    with subprocess.Popen([*heed, *call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        address = running.stdout.readline().strip()
        host, port, path = re.fullmatch(r"http://([\d.]+):(\d+)(/.*)", address).groups()
        line = http.client.HTTPConnection(host, int(port), timeout=60)
        line.request("GET", path)
        assert line.getresponse().status == 200
        line.close()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 0
    assert err == ""

"""The same thresholds, costs and prices of groups from every interface: library, command, report, page and Markdown."""

import contextlib
import html
import io
import json
import re

import numpy as np
import pytest
from interfaces.data_sets import DATA_SETS

import isocost as ic
from isocost.cli.app import run
from isocost.report.report import Report
from isocost.results import plain

NAMES = np.array(["north", "south & <b>east</b>", "west"])
ASKED = [
    ({"cost_fn": 5}, {}),
    ({"cost_fp": 2, "cost_fn": 7, "prevalence": 0.2}, {"criterion": "tpr", "tolerance": 0.05}),
    ({"cost_fn": (2, 8)}, {"criterion": "flagged", "tolerance": 0.1, "randomised": True}),
    (
        {"cost_fp": (1, 3), "cost_fn": 5, "prevalence": (0.1, 0.5)},
        {"criterion": "odds", "tolerance": 0.2, "randomised": True},
    ),
    ({"cost_fn": 1}, {"criterion": "fpr"}),
]


def typed(*words):
    """What the command prints, with its exit code."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(word) for word in words])
    return code, out.getvalue(), err.getvalue()


def groups_of(data):
    """A group for each row, all with both classes."""
    place = np.empty(data.y.size, dtype=int)
    for label in (0, 1):
        own = np.flatnonzero(data.y == label)
        place[own] = np.arange(own.size) % NAMES.size
    return NAMES[place]


def condition_of(costs):
    """The library's condition: ranges at their means."""
    return ic.Condition(**{name: float(np.mean(value)) for name, value in costs.items()})


def options_of(costs, asked):
    """The command's options."""
    words = []
    for name, value in costs.items():
        words += ["--" + name.replace("_", "-"), ":".join(map(str, value)) if isinstance(value, tuple) else str(value)]
    for name, option in (("criterion", "--parity"), ("tolerance", "--within")):
        words += [option, asked[name]] if name in asked else []
    return [*words, *(["--randomised"] if asked.get("randomised") else [])]


@pytest.fixture(scope="module", params=["ordinary", "ties", "weights", "logits"])
def known(request, tmp_path_factory):
    """A data set, its groups, and its file."""
    data = DATA_SETS[request.param]
    marks = groups_of(data)
    path = tmp_path_factory.mktemp("groups") / "cases.csv"
    data.write(path)
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    lines = [f"{row},{mark}" for row, mark in zip(rows, marks, strict=True)]
    path.write_text("\n".join([f"{head},site", *lines]) + "\n", encoding="utf-8")
    weight = [] if data.weights is None else ["--weight", "w"]
    return data, marks, [path, "--label", "y", *weight, "--group", "site", "-q"]


@pytest.mark.parametrize(("costs", "asked"), ASKED)
def test_command_says_what_the_library_says(known, costs, asked):
    """Groups, expected cost, extra cost, price; the decision is the one threshold for all, or the rule of equal rates."""
    data, marks, command = known
    groups = ic.Groups.from_scores(data.y, data.models, marks, sample_weight=data.weights)
    at = {"condition": condition_of(costs), "prevalence": "condition" if "prevalence" in costs else "own"}
    one = groups.cost_of_one_threshold(**at)
    parity = groups.parity(**at, **asked) if asked else None
    for thresholds in ("each", "one"):
        words = ["choose", *command, "--resamples", "0", *options_of(costs, asked), "--thresholds", thresholds]
        code, out, err = typed(*words, "--json")
        assert code == 0, err
        found = json.loads(out)
        decided = groups.decide(**at, thresholds=thresholds)
        assert found["groups"] == plain(decided.to_dict()["groups"])
        assert found["expected_cost"] == decided.expected_cost
        assert found["cost_of_one_threshold"] == {"extra_cost": one.extra_cost, "by_group": one.by_group}
        assert found["parity"] == (None if parity is None else plain(parity.to_dict()))
        if parity is None:
            assert found["decision"]["expected_cost"] == pytest.approx(one.one.expected_cost, abs=1e-12)
        else:
            assert found["decision"] is None
        assert found["intervals"] is None
        code, out, err = typed(*words)
        assert code == 0, err
        assert "One cut-off for all" not in out
        assert parity is None or out.startswith(parity.reported())
        shown = decided if parity is None else parity
        for choice in shown.groups.values():
            assert choice.rule.removeprefix("flag ").replace(" or flag ", " or ") in out


def test_report_and_page_say_what_the_library_says(known, tmp_path):
    """The payload, the section without JavaScript, and Markdown; names stand in them escaped."""
    data, marks, command = known
    comparison = ic.Comparison.from_scores(data.y, data.models, sample_weight=data.weights)
    condition = ic.Condition(cost_fn=5, prevalence=0.3)
    report = comparison.report(condition=condition, n_resamples=20, group=marks)
    groups = ic.Groups.from_scores(data.y, data.models, marks, sample_weight=data.weights)
    one = groups.cost_of_one_threshold(condition)
    found = report.summary["groups"]
    assert (found["extra_cost"], found["expected_cost"]) == (one.extra_cost, one.each.expected_cost)
    assert [row["extra_cost"] for row in found["rows"]] == sorted(one.by_group.values(), reverse=True)
    for row in found["rows"]:
        choice = one.each[row["group"]]
        assert (row["rule"], row["cost"]) == (choice.rule, choice.cost)
        assert row["interval"][0] <= row["interval"][1]
    for curve in found["prices"]:
        assert curve["price"] == groups.prices(condition, criterion=curve["criterion"]).price.tolist()
    section = re.search(r'<section class="groups".*?</section>', report.html, re.DOTALL).group()
    assert "<b>" not in section
    shown = html.unescape(re.sub(r"<[^>]+>", "\n", section)).replace("\u00a0", " ")
    for name in NAMES:
        assert name in shown
        assert one.each[name].rule.removeprefix("flag ") in shown
    assert "## Groups" in report.markdown
    assert Report.load(report.save(tmp_path / "r.html")).summary == report.summary
    code, _, err = typed("report", *command, "--cost-fn", "5", "--resamples", "20", "-o", tmp_path / "typed.json")
    assert code == 0, err
    saved = json.loads((tmp_path / "typed.json").read_text(encoding="utf-8"))["groups"]
    assert saved["rows"] == found["rows"]

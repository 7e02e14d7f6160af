import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import isocost as ic
from isocost.numbers import digits

NAMES = ["low", "mid", "high"]
COSTS = "true,low,mid,high\nlow,0,1,4\nmid,1,0,2\nhigh,5:20,2,0\n"


@pytest.fixture
def kinds(tmp_path, monkeypatch):
    """Two models with probabilities of three classes, beside an age, and a file of costs."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    y = rng.choice(3, 200, p=[0.6, 0.25, 0.15])
    frame = pd.DataFrame({"y": np.array(NAMES)[y], "age": rng.integers(20, 80, y.size)})
    for model, skill in (("rf", 1.6), ("nn", 1.0)):
        z = rng.normal(size=(y.size, 3))
        z[np.arange(y.size), y] += skill
        p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
        frame[[f"{model}_{name}" for name in NAMES]] = p
    frame.to_csv("kinds.csv", index=False)
    (tmp_path / "costs.csv").write_text(COSTS, encoding="utf-8")
    return frame


CALL = ["classes", "kinds.csv", "--label", "y", "--cost-matrix", "costs.csv"]


def decided(frame, **options):
    """The library's own decision."""
    scores = {model: frame[[f"{model}_{name}" for name in NAMES]].to_numpy() for model in ("rf", "nn")}
    matrix = ic.CostMatrix([[0, 1, 4], [1, 0, 2], [(5, 20), 2, 0]], classes=NAMES, refer=options.pop("refer", None))
    return ic.ClassComparison.from_scores(frame["y"], scores, classes=NAMES).decide(matrix, **options)


def test_the_command_gives_the_decision_of_the_library(isocost, kinds):
    """With a person to refer to, other shares, a unit and a seed."""
    options = [
        "--refer",
        "0.4",
        "--shares",
        "low=0.7,mid=20%,high=0.1",
        "--resamples",
        "50",
        "--seed",
        "3",
        "--unit",
        "€",
    ]
    found = json.loads(isocost(*CALL, *options, "--json").out)
    expected = decided(
        kinds, refer=0.4, shares={"low": 0.7, "mid": 0.2, "high": 0.1}, n_resamples=50, rng=3, unit="€"
    )  # fmt: skip
    assert found["decision"] == expected.to_dict()
    assert list(found["along"]) == ["high→low"]
    assert found["along"]["high→low"]["wins"] == [win.to_dict() for win in expected.along["high", "low"].wins]
    assert found["text"] == expected.text
    assert any("left out: age" in note for note in found["data"]["notes"])


@pytest.mark.parametrize("naming", ["{c}_{m}", "{m}.{c}", "{c} {m}"])
def test_the_class_may_stand_first_or_last_in_a_name(isocost, kinds, naming):
    """All columns alike; the answer is the same."""
    plain = json.loads(isocost(*CALL, "--resamples", "0", "--json").out)["decision"]
    names = {f"{m}_{c}": naming.format(m=m, c=c) for m in ("rf", "nn") for c in NAMES}
    kinds.rename(columns=names).to_csv("kinds.csv", index=False)
    assert json.loads(isocost(*CALL, "--resamples", "0", "--json").out)["decision"] == plain


def test_columns_called_like_the_classes_belong_to_one_model(isocost, kinds):
    """Then there is nothing to name."""
    kinds[["y", *(f"rf_{c}" for c in NAMES)]].set_axis(["y", *NAMES], axis=1).to_csv("kinds.csv", index=False)
    out = isocost(*CALL, "--resamples", "0", "-q").out
    assert out.startswith("Use score: give each case the label with the lowest expected cost.")


def test_people_read_the_sentence_the_costs_and_each_uncertain_number(isocost, kinds):
    """In this order; the table has all digits as CSV."""
    decision = decided(kinds, n_resamples=200)
    parts = isocost(*CALL, "-q").out.split("\n\n")
    assert parts[0].startswith(decision.says["rule"])
    rows = parts[1].splitlines()
    assert [row.split()[0] for row in rows] == [
        "model",
        decision.model,
        *(a.model.split()[0] for a in decision.alternatives),
    ]
    assert parts[2].startswith("On these cases")
    assert isocost(*CALL, "-o", "costs_of_models.csv", "-q").code == 0
    table = pd.read_csv("costs_of_models.csv")
    assert table["expected_cost"].tolist() == [
        decision.expected_cost,
        *(a.expected_cost for a in decision.alternatives),
    ]


def test_the_page_stands_alone(isocost, kinds):
    """Costs, curves with the costs below a pointer, the winner's bar, and what becomes of 1000 cases; nothing is fetched."""
    isocost(*CALL, "--refer", "0.2:0.6", "-o", "report.html", "--title", "Kinds <1>", "--unit", "€", "-q")
    page = Path("report.html").read_text(encoding="utf-8")
    decision = decided(kinds, refer=(0.2, 0.6), n_resamples=200, unit="€")
    assert "<title>Kinds &lt;1&gt;</title>" in page
    assert "<script" not in page
    assert not re.search(r"(src|href)=", page)
    for text in (
        "Cost per 1000 cases, €",
        "On new cases (90 %)",
        f"What {decision.model} does with 1000 cases",
    ):
        assert text in page
    assert page.count("<figure>") == 2
    wins = sum(len(winners.wins) for winners in decision.along.values())
    assert page.count('class="win"') == 3 * wins
    middle = 5 + 15 / 180
    notice = re.search(r"<title>at 5.08:\n(.*?)</title>", page, re.DOTALL)[1]
    costs = {name: 1000 * float(curve(middle)) for name, curve in decision.along["high", "low"].curves.items()}
    assert [line.rpartition(" ")[0].replace("&#x27;", "'") for line in notice.splitlines()] == sorted(
        costs, key=costs.__getitem__
    )
    for true, row in decision.confusion.items():
        cells = "".join(f"<td>{digits(1000 * share)}</td>" for share in row.values())
        assert f'<th scope="row">{true}</th>{cells}' in page


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        ("true,low,mid\nlow,0,1\nmid,1,0\n", [], "the header must name each class once; it has low, mid, the classes are high, low, mid"),
        (COSTS.replace("high,5", "mid,5"), [], "the first column must name each class once"),
        (COSTS.replace("0,1,4", "0,1"), [], "one row per true class, all of the same length"),
        ("", [], "must hold a header"),
        (COSTS.replace("5:20", "much"), [], "labelling high as low: 'much' is not a number"),
        (COSTS.replace("5:20", "-1"), [], "labelling 'high' as 'low' may cost -1, less than the right label"),
        (COSTS, ["--shares", "low=0.5,mid"], "is not CLASS=SHARE"),
        (COSTS, ["--shares", "low=0.5,mad=0.5"], "unknown class in --shares 'mad': did you mean 'mid'"),
        (COSTS, ["--shares", "low=0.5,mid=0.5"], "shares must name those of the comparison, 'low', 'mid', 'high'; got 'low', 'mid'"),
        (COSTS, ["--shares", "low=0.5,mid=0.5,high=0.5"], "shares must add up to 1"),
        (COSTS, ["--score", "rf_low", "--score", "rf_mid"], "model 'rf' needs one column of scores for each class, and has 0 for 'high'"),
        (COSTS, ["--score", "age"], "no column of scores is named after a class"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(isocost, kinds, text, options, complaint):
    """With the file, the entry or the option."""
    assert kinds is not None
    Path("costs.csv").write_text(text, encoding="utf-8")
    assert complaint in isocost(*CALL, *options).complaint
    Path("costs.csv").write_bytes(b"true,\xff\xfe")
    assert "costs.csv must hold a header" in isocost(*CALL).complaint


def test_two_classes_may_stand_at_the_beginning_of_their_columns(isocost, tmp_path, monkeypatch):
    """Two probabilities add up to 1 in every row, as those of all classes do: none is left out."""
    monkeypatch.chdir(tmp_path)
    good = np.random.default_rng(3).random(40).round(3)
    table = pd.DataFrame({"kind": np.where(good > 0.4, "good", "poor"), "good_rf": good, "poor_rf": 1 - good})
    table.to_csv("two.csv", index=False)
    Path("two_costs.csv").write_text("true,good,poor\ngood,0,1\npoor,5,0\n", encoding="utf-8")
    ran = isocost("classes", "two.csv", "--label", "kind", "--cost-matrix", "two_costs.csv")
    assert "Use rf" in ran.out


def test_scores_that_are_not_probabilities_point_to_labels(isocost, kinds):
    """The count, the first row, and what to do."""
    kinds["rf_low"] *= 2
    kinds.to_csv("kinds.csv", index=False)
    assert "for other scores give the labels, with from_labels" in isocost(*CALL).complaint


def test_a_page_has_a_suffix(kinds, tmp_path):
    """.html or .json, nothing else."""
    decision = decided(kinds)
    with pytest.raises(ic.IsocostError, match=r"format of 'x\.txt' from '\.txt': a page ends with \.html or \.json"):
        decision.save(tmp_path / "x.txt")
    assert json.loads(decision.save(tmp_path / "x.json").read_text(encoding="utf-8")) == decision.to_dict()

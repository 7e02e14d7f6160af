import json
import math
import pickle
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.monitor import Rule

TESTS = Path(__file__).parents[1]
GOLDEN = json.loads((TESTS / "golden" / "deployment.json").read_text(encoding="utf-8"))["rule"]
PAGE = (TESTS.parent / "docs" / "reference" / "rule-file.md").read_text(encoding="utf-8")
SCHEMA = json.loads(PAGE.partition("```json\n")[2].partition("```")[0])
CREDIT = ic.Condition(1, 5, 0.3)

cuts = st.floats(allow_nan=False)
names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@st.composite
def rules(draw, *, mixed=True):
    """Rules of every kind."""
    low, high = sorted([draw(cuts), draw(cuts)])
    review = draw(st.booleans())
    mix = {"model": "m", "threshold": draw(cuts), "share": draw(st.floats(0, 1))} if mixed and not review else None
    made = Rule(
        "m",
        high,
        low if review else None,
        mix,
        costs={"fp": 1.0, "fn": 5.0, "tp": 0.0, "tn": 0.0, "unit": "€"},
        prevalence=0.3,
    )
    return Rule.by_group({"a": made, "b": ("m", draw(cuts), CREDIT)}) if draw(st.booleans()) else made


@pytest.fixture(scope="module")
def decision():
    """The decision of the bundled predictions."""
    return ic.Comparison.from_scores(*load_german_credit_predictions()).decide(CREDIT)


def test_worked_values_of_the_steps_and_the_query(decision):
    """Cuts, counts and SQL are those of the slow reference."""
    rule = Rule.of(decision)
    assert (rule.model, rule.threshold) == (GOLDEN["model"], GOLDEN["threshold"])
    assert rule.reference == {name: GOLDEN[name] for name in ("cuts", "positives", "negatives")}
    assert rule.to_sql() == GOLDEN["sql"]
    assert rule.data["rows"] == 1000
    assert rule.data["positives"] == 300
    assert rule.costs == {"fp": 1, "fn": 5, "tp": 0, "tn": 0, "unit": ""}


@given(rules())
def test_file_holds_the_whole_rule(rule):
    """What is read back equals what was saved, to the last bit, and travels through a pickle."""
    body = json.loads(json.dumps(rule.to_dict()))
    jsonschema.validate(body, SCHEMA)
    with TemporaryDirectory() as folder:
        assert ic.load_decision(rule.save(Path(folder) / "rule.json")) == rule
    assert pickle.loads(pickle.dumps(rule)) == rule


def test_file_is_small_and_keeps_to_the_schema(decision, tmp_path):
    """Below 20 kB, and no case is in it."""
    path = Rule.of(decision).save(tmp_path / "rule.json")
    assert path.stat().st_size < 20_000
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), SCHEMA)


@given(rules(mixed=False), st.lists(st.floats(allow_nan=False), min_size=1, max_size=8))
def test_array_query_and_function_do_the_same(rule, scores):
    """The same comparison of the same doubles in NumPy, SQL and Python, also next to the thresholds."""
    parts = [rule] if rule.groups is None else [rule.for_group(name) for name in rule.groups]
    with np.errstate(over="ignore", under="ignore"):
        near = [np.nextafter(part.threshold, side) for part in parts for side in (-math.inf, math.inf)]
    values = np.array([*scores, *near, *(part.threshold for part in parts)])
    for part in parts:
        found = part.apply(values).tolist()
        rows = pd.DataFrame({"m": values})  # noqa: F841 - DuckDB finds it by name
        assert [row[0] for row in duckdb.sql(f"SELECT {part.to_sql()} FROM rows").fetchall()] == found
        scope = {}
        exec(part.to_python(), scope)
        assert [scope["apply"](value) for value in values.tolist()] == found


def test_scores_at_the_threshold_are_flagged():
    """At or above, not above."""
    rule = Rule("m", 0.5, 0.25)
    assert rule.apply([0.5, np.nextafter(0.5, 0), 0.25, np.nextafter(0.25, 0)]).tolist() == [
        "flag",
        "review",
        "review",
        "clear",
    ]


def test_missing_score_is_never_cleared():
    """SQL and Python answer nothing; an array with one is refused."""
    rule = Rule('a "b"', 0.5)
    rows = pl.DataFrame({'a "b"': [None, 1.0]})  # noqa: F841
    assert duckdb.sql(f"SELECT {rule.to_sql()} FROM rows").fetchall() == [(None,), ("flag",)]
    scope = {}
    exec(rule.to_python(), scope)
    assert scope["apply"](None) is scope["apply"](math.nan) is None
    with pytest.raises(InputError, match="scores is missing in"):
        rule.apply([0.1, math.nan])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict])
def test_columns_of_frames_are_found_by_the_model(frame):
    """A frame or a dict has the model's column; one without it is refused by name."""
    columns = {"other": [1.0, 1.0], "m": [0.2, 0.7]}
    assert Rule("m", 0.5).apply(frame(columns)).tolist() == ["clear", "flag"]
    assert Rule("m", 0.5).apply(frame(columns)["m"]).tolist() == ["clear", "flag"]
    with pytest.raises(UnknownNameError, match="column of the rule's model 'n'"):
        Rule("n", 0.5).apply(frame(columns))


def test_rule_for_each_group_judges_by_it():
    """Each group has its threshold; an unknown or missing group is refused, and unknown in SQL."""
    rule = Rule.by_group({"a": ("m", 0.5), "b": ("m", 0.2)})
    assert rule.apply([0.3, 0.3], group=["a", "b"]).tolist() == ["clear", "flag"]
    rows = pl.DataFrame({"m": [0.3, 0.3, 0.3], "site": ["a", "b", "c"]})  # noqa: F841
    assert duckdb.sql(f"SELECT {rule.to_sql(group='site')} FROM rows").fetchall() == [("clear",), ("flag",), (None,)]
    with pytest.raises(InputError, match=r"group= is needed: each group has its own rule \(a, b\)"):
        rule.apply([0.3])
    with pytest.raises(UnknownNameError, match="group of the rule"):
        rule.apply([0.3], group=["c"])
    with pytest.raises(InputError, match="different lengths: scores"):
        rule.apply([0.3, 0.4], group=["a"])
    with pytest.raises(InputError, match="for_group"):
        rule.to_python()
    with pytest.raises(InputError, match="group= goes with a rule for each group"):
        Rule("m", 0.5).apply([0.1], group=["a"])
    with pytest.raises(InputError, match="rules is empty"):
        Rule.by_group({})


def test_mix_draws_its_share(decision):
    """A mixed rule flags the share of both thresholds, repeatably by seed, and is no query."""
    rule = replace(Rule.of(decision), mix={"model": decision.model, "threshold": math.inf, "share": 0.25})
    flags = rule.apply(np.ones(20_000), rng=1) == "flag"
    assert flags.mean() == pytest.approx(0.75, abs=0.01)
    assert (flags == (rule.apply(np.ones(20_000), rng=1) == "flag")).all()
    assert not (flags == (rule.apply(np.ones(20_000), rng=2) == "flag")).all()
    with pytest.raises(InputError, match="mix= draws at random, which SQL does not repeat"):
        rule.to_sql()
    scope = {}
    exec(rule.to_python(), scope)
    assert {scope["apply"](1.0) for _ in range(200)} == {"flag", "clear"}
    with pytest.raises(InputError, match="mix= is of two models: use apply"):
        replace(rule, mix={"model": "n", "threshold": 0.5, "share": 0.5}).to_python()


def test_limits_mixes_bands_and_questions_travel():
    """A decision under limits, with a mix or with reviews, keeps them in its rule."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    limited = Rule.of(comparison.decide(CREDIT, max_fpr=0.0987, randomised=True))
    assert limited.limits == {"max_fpr": 0.0987}
    assert set(limited.mix) == {"model", "threshold", "share"}
    assert limited.mix["threshold"] in limited.reference["cuts"]
    band = Rule.of(comparison.decide(CREDIT, cost_review=0.3))
    assert band.review_from < band.threshold
    assert {band.review_from, band.threshold} <= set(band.reference["cuts"])
    assert band.question["reviews"]["cost"] == 0.3


def test_trivial_rules_look_at_no_score():
    """Flag everybody or nobody, whatever the scores."""
    assert Rule("always-positive", -math.inf).apply([math.nan, 1.0]).tolist() == ["flag", "flag"]
    assert Rule("always-negative", math.inf).apply({"m": [math.inf]}).tolist() == ["clear"]
    assert Rule("always-negative", math.inf).to_sql() == "'clear'"
    scope = {}
    exec(Rule("always-positive", -math.inf).to_python(), scope)
    assert scope["apply"](None) == "flag"


@pytest.mark.parametrize("name", ["threshold", "costs", "reference", "created", "groups"])
def test_changed_file_is_refused_and_the_field_named(name, tmp_path, decision):
    """Whatever was edited is found."""
    body = Rule.of(decision).to_dict()
    body[name] = 0.3 if name == "threshold" else {"a": 1}
    path = tmp_path / "rule.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    with pytest.raises(InputError, match=rf"rule.json was changed after it was saved \({name}\): save it again"):
        ic.load_decision(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda body: body.pop("model"), "rule.json is damaged, model is missing"),
        (lambda body: body.update(format="isocost-rule/2"), "has format isocost-rule/2, and this isocost reads isocost-rule/1: upgrade"),
        (lambda body: body.update(format="other"), "rule.json is not a rule: write one with decision.save"),
        (lambda body: body.update(sha256="0"), r"was changed after it was saved \(checksum\)"),
        (lambda body: body.update(more=1), r"was changed after it was saved \(more\)"),
    ],
)  # fmt: skip
def test_damaged_foreign_and_newer_files_are_refused(change, message, tmp_path):
    """Each says what is wrong."""
    body = Rule("m", 0.5).to_dict()
    change(body)
    path = tmp_path / "rule.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        ic.load_decision(path)


@pytest.mark.parametrize("text", ["", "[1, 2]", "model,threshold\nm,0.5\n", '{"format": '])
def test_files_that_are_no_rules_are_refused(text, tmp_path):
    """Also what is cut off or not JSON at all."""
    path = tmp_path / "rule.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"rule.json is not a rule"):
        ic.load_decision(path)
    with pytest.raises(InputError, match="cannot read"):
        ic.load_decision(tmp_path / "none.json")


def test_bad_parts_of_a_rule_are_refused(tmp_path):
    """Each names the argument."""
    with pytest.raises(InputError, match=r"\(review_from, threshold\) has low > high: \(0.5, 0.2\)"):
        Rule("m", 0.2, 0.5)
    with pytest.raises(InputError, match="threshold must be a number"):
        Rule("m", "high")
    with pytest.raises(InputError, match="share of the mix"):
        Rule("m", 0.2, mix={"model": "m", "threshold": 1.0, "share": 2})
    with pytest.raises(InputError, match="rule must be a Rule, a Decision or"):
        Rule.of(0.5)
    with pytest.raises(ConditionError, match="condition must be a Condition"):
        Rule.of(("m", 0.5, 3))
    with pytest.raises(ConditionError, match="the rule has no costs"):
        _ = Rule("m", 0.5).condition
    with pytest.raises(InputError, match=r"cannot tell the format of 'rule.txt' from '.txt': a rule ends with .json"):
        Rule("m", 0.5).save(tmp_path / "rule.txt")


def test_points_without_scores_are_no_rule():
    """A published operating point has no threshold to deploy; a curve of points has no reference."""
    point = ic.RocCurve.from_points([0.1], [0.5], name="a")
    with pytest.raises(InputError, match="no threshold that scores could be compared with"):
        Rule.of(ic.Comparison([point]).decide(ic.Condition(1, 2, 0.4)))
    known = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    assert Rule.of(ic.Comparison([known]).decide(ic.Condition(1, 2, 0.4))).reference is None

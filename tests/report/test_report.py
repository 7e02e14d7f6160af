import json
import math
import subprocess
import sys
import webbrowser

import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError
from isocost.report import build
from isocost.report.calibration_test import calibration
from isocost.resampling import blocks


@pytest.fixture(scope="module")
def credit():
    """Three credit models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


def test_suffix_says_how_a_report_is_saved(credit, tmp_path):
    """One call saves and returns the report, as page, data or text."""
    made = {suffix: tmp_path / f"report{suffix}" for suffix in (".html", ".json", ".md")}
    for path in made.values():
        report = credit.report(path, over=ic.Condition(1, 5, 0.3), n_resamples=10)
    assert made[".html"].read_text(encoding="utf-8") == report.html
    assert json.loads(made[".json"].read_text(encoding="utf-8")) == report.summary
    assert "| random\\_forest | ≥ 0.2486 |" in made[".md"].read_text(encoding="utf-8")


def test_unknown_suffix_is_refused_before_anything_is_written(credit, tmp_path):
    """A typing slip leaves no file behind."""
    with pytest.raises(InputError, match=r"\.html, \.json, \.md, got '.*report\.pdf'"):
        credit.report(tmp_path / "report.pdf", n_resamples=0)
    assert list(tmp_path.iterdir()) == []


def test_report_shows_itself_in_notebooks_and_terminals(credit):
    """A notebook gets the page in a frame of its own, a terminal the decision in words."""
    report = credit.report(over=ic.Condition(1, 5, 0.3), n_resamples=0)
    bundle = report._repr_mimebundle_()
    assert bundle["text/html"].startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert '"' not in bundle["text/html"].split('srcdoc="')[1].split('" title=')[0]
    assert bundle["text/plain"].startswith(
        "<Report: deploy random_forest: flag cases with score ≥ 0.2486; expected cost 502 per 1000"
    )
    assert bundle["text/markdown"].startswith("# Which classifier")


def test_show_opens_the_page(credit, monkeypatch):
    """`show` writes the page somewhere temporary and opens it."""
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    path = credit.report(n_resamples=0).show()
    assert opened == [path.as_uri()]
    path.unlink()
    path.parent.rmdir()


def test_without_resamples_nothing_claims_an_interval(credit):
    """Intervals are left out, never guessed."""
    summary = credit.report(n_resamples=0).summary
    assert summary["resamples"] is None
    decision = summary["decision"]
    assert decision["surety"]["grade"] is None
    assert "interval" not in decision["says"]["price"]
    assert "cannot be said" in decision["says"]["sure"]
    assert all(row["interval"] is None and row["share"] is None for row in decision["alternatives"])
    assert all(row["low"] is None for row in summary["measures"])


def test_report_works_from_counts_alone(credit):
    """Curves have no rows to resample: the report is made, without intervals."""
    summary = build(ic.Comparison(credit.curves)).summary
    assert summary["resamples"] is None
    assert summary["data"]["rows"] is False
    assert summary["decision"]["model"] is not None
    assert summary["decision"]["surety"]["grade"] is None


def test_report_works_from_points_without_totals():
    """Published points are enough for a decision."""
    curve = ic.RocCurve.from_points([0.1, 0.3], [0.6, 0.9], name="paper")
    summary = build(ic.Comparison([curve]), over=ic.Condition(1, 3, 0.4)).summary
    assert summary["data"]["n"] is None
    assert summary["decision"]["rule"] == "use the second of its 2 points (30 % false alarms, 90 % caught)"
    single = ic.RocCurve.from_points([0.1], [0.6], name="paper")
    summary = build(ic.Comparison([single]), over=ic.Condition(1, 3, 0.4)).summary
    assert summary["decision"]["says"]["rule"] == "Deploy paper: use it as it is."


def test_same_seed_gives_the_same_report(credit):
    """A report can be made again, bit by bit."""
    first, second = (credit.report(n_resamples=20, rng=3).summary["resamples"] for _ in range(2))
    assert first == second
    assert credit.report(n_resamples=20, rng=4).summary["resamples"]["data"] != first["data"]


@pytest.mark.parametrize("count", [-1, 1, 2.5, math.nan])
def test_odd_numbers_of_resamples_are_refused(credit, count):
    """0 or at least 2 whole resamples."""
    with pytest.raises(InputError, match="n_resamples"):
        credit.report(n_resamples=count)


def test_condition_defaults_to_the_comparisons_own():
    """What the comparison was told is what the page opens with."""
    own = ic.Comparison.from_scores(*load_german_credit_predictions(), condition=ic.Condition(1, 7, 0.2))
    assert build(own, n_resamples=0).summary["opened"]["quantities"]["cost_fn"] == [7, 7]
    bare = ic.Comparison.from_scores(*load_german_credit_predictions())
    assert build(bare, n_resamples=0).summary["opened"]["quantities"]["prevalence"] == [0.3, 0.3]


def test_uncertain_costs_open_the_page_as_ranges(credit):
    """Each quantity has the range it was given; rules are priced at the middles."""
    summary = build(credit, over=ic.Conditions.from_costs(1, (5, 20), (0.01, 0.03)), n_resamples=0).summary
    assert summary["opened"]["belief"] is None
    assert summary["opened"]["quantities"] == {
        "cost_fp": [1, 1], "cost_fn": [5, 20], "prevalence": [0.01, 0.03], "cost_tp": [0, 0], "cost_tn": [0, 0]
    }  # fmt: skip
    assert summary["decision"]["condition"]["cost_fn"] == 12.5


def test_conditions_without_a_unit_open_the_page_as_a_belief(credit):
    """A distribution of t alone has no unit: the page holds its ends and its mean as PCF(+), and never says t."""
    summary = build(credit, over=ic.Conditions.uniform(pcf=(0.2, 0.6)), n_resamples=0).summary
    belief = summary["opened"]["belief"]
    assert belief["text"] == "PCF(+) 0.2 to 0.6, 0.4 on average"
    assert (belief["low"], belief["high"], belief["pcf"]) == pytest.approx((0.2, 0.6, 0.4))
    assert belief["has_unit"] is False
    assert summary["decision"]["per_1000"] is None


def test_conditions_that_leave_no_choice_are_refused(credit):
    """A page needs both kinds of error to matter, and conditions of the right kind."""
    with pytest.raises(ConditionError, match="both kinds of error"):
        credit.report(over=ic.Condition(1, 1, 0.0))
    with pytest.raises(ConditionError, match="over must be a Condition or Conditions"):
        credit.report(over=0.3)


@pytest.mark.parametrize("scale", [1e28, 1e-300])
def test_scores_and_costs_of_any_size_make_a_report(scale):
    """Huge scores and costs are written in full, in every form."""
    y = np.repeat([0, 1], 30)
    scores = np.random.default_rng(0).normal(size=60) + y
    report = build(
        ic.Comparison.from_scores(y, {"m": scores * scale}), over=ic.Condition(1e25, 3e25, 0.5), unit="€", n_resamples=5
    )
    assert "€" in report.summary["decision"]["says"]["price"]
    assert report.html.startswith("<!doctype html>")
    assert report.markdown


@pytest.mark.parametrize("kind", ["perfect", "useless", "backwards", "tiny"])
def test_odd_models_make_a_sensible_report(kind):
    """Perfect, useless, backwards and hardly measured models all get a decision that fits."""
    y = np.repeat([0, 1], [20, 10] if kind == "tiny" else [500, 100])
    score = {
        "perfect": y + 0.0,
        "useless": np.zeros(y.size),
        "backwards": -y + 0.0,
        "tiny": y * 0.3 + np.linspace(0, 1, y.size),
    }
    said = build(ic.Comparison.from_scores(y, {"m": score[kind]}), over=ic.Condition(1, 5, 0.1), n_resamples=20).summary
    rule = said["decision"]["rule"]
    if kind == "perfect":
        # No error in 100 and in 500 cases.
        first, then = said["decision"]["warnings"]
        assert first.startswith("m made not one error on these cases. That is rare")
        assert then == (
            "Up to 2.95 % of positives may still be missed, and up to 0.597 % of negatives flagged (90 % limits)."
        )
        assert rule == "flag cases with score ≥ 1"
        assert said["decision"]["says"]["holds"] == "m is cheapest at all costs and prevalences."
    elif kind == "tiny":
        assert said["decision"]["warnings"][0] == "Only 10 positive and 20 negative cases: every number here is rough."
    else:
        assert said["decision"]["says"]["rule"].startswith("Deploy no model: flag nobody")


def test_calibrated_scores_are_not_accused():
    """Outcomes drawn from the scores give a small z and bins on the diagonal; squared scores do not."""
    rng = np.random.default_rng(0)
    p = rng.random(20_000)
    y = (rng.random(p.size) < p).astype(int)
    good = calibration(ic.RocCurve.from_scores(y, p))
    bad = calibration(ic.RocCurve.from_scores(y, p**2))
    assert abs(good["z"]) < 1.96 < abs(bad["z"])
    assert all(abs(score - share) < 0.03 for score, share, _ in good["bins"])
    assert sum(cases for *_, cases in good["bins"]) == p.size
    assert calibration(ic.RocCurve.from_scores(y, 10 * p)) is None
    # Without variance there is no test: to be sure and wrong is not calibrated.
    assert calibration(ic.RocCurve.from_scores(y, np.ones(p.size)))["z"] is None


def test_thinly_measured_ends_are_marked():
    """Winning points that rest on fewer than five flagged positives, or unflagged negatives, say so."""
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.5
    summary = build(ic.Comparison.from_scores(y.astype(int), {"m": rng.normal(size=400) + y}), n_resamples=0).summary
    hull = summary["models"][0]["hull"]
    for win in summary["winners"]:
        for point in win["points"]:
            if win["model"] == 0:
                few = min(hull["tp"][point["vertex"]], hull["fp"][-1] - hull["fp"][point["vertex"]]) < 5
                assert point["thin"] == few


def test_report_needs_no_optional_package():
    """A page is made with numpy and scipy alone: neither matplotlib nor pandas is loaded."""
    code = (
        "import sys, isocost as ic; c = ic.Comparison([ic.RocCurve.from_confusion(8, 2, 3, 7)]); c.report().html; "
        "print(*{m.partition('.')[0] for m in sys.modules} & {'matplotlib', 'pandas', 'polars', 'sklearn', 'narwhals'})"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == ""


def test_intervals_are_the_bootstraps(credit):
    """Replicates are those of `Comparison.bootstrap`, and so are the intervals of measures."""
    from isocost.report.packed_resamples import decoded

    summary = credit.report(n_resamples=60, rng=5).summary
    grid = np.array(summary["resamples"]["grid"])
    bootstrap = credit.bootstrap(60, 5, grid=grid, progress=False)
    costs = decoded(summary["resamples"], 3)
    for i, name in enumerate(credit.names):
        model = bootstrap._models[name]
        corrected = 1.5 * model.cross_of_two - 0.5 * model.own
        # What costs more than twice as much as no model is held as twice as much.
        np.testing.assert_allclose(costs[i], np.minimum(corrected, 2 * np.minimum(grid, 1 - grid)), atol=1e-5)
    row = next(row for row in summary["measures"] if row["name"] == "voros")
    expected = bootstrap.interval(credit.names[0], "voros", 0.9)
    assert (row["low"][0], row["high"][0]) == (expected.low, expected.high)


def test_every_measure_that_can_have_one_has_an_interval(credit):
    """Limits equal those asked for one by one; measures registered without limits in the report, such as calibration loss, have none."""
    summary = credit.report(n_resamples=25, rng=5).summary
    bootstrap = credit.bootstrap(25, 5, grid=summary["resamples"]["grid"], progress=False)
    known = ic.registered_measures()
    assert not known["calibration_loss"].in_report
    for row in summary["measures"]:
        if not known[row["name"]].in_report:
            assert row["low"] is None
            continue
        expected = bootstrap.interval(credit.names[1], row["name"], 0.9)
        assert (row["low"][1], row["high"][1]) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_large_data_keep_the_intervals_that_are_quick(credit, monkeypatch):
    """Beyond a number of cases only measures that follow from the cost curve have intervals."""
    monkeypatch.setattr("isocost.report.packed_resamples.MOST_CASES", 10)
    measures = credit.report(n_resamples=10).summary["measures"]
    known = ic.registered_measures()
    assert {row["name"] for row in measures if row["low"]} == {name for name in known if known[name].of_costs}


def test_very_many_cases_are_resampled_less_or_not_at_all(credit, monkeypatch):
    """By default a report is made in seconds: beyond a number of drawn cases there are fewer resamples, then none; asking draws them."""
    monkeypatch.setattr("isocost.inference.effort.WORK", 3 * 1000 * (1 + 50 / 10))
    assert credit.report().summary["resamples"]["n"] == 50
    monkeypatch.setattr("isocost.inference.effort.WORK", 3 * 1000 * (1 + 39 / 10))
    assert credit.report().summary["resamples"] is None
    assert credit.report(n_resamples=10).summary["resamples"]["n"] == 10


def test_many_cases_that_count_the_same_keep_their_resamples(monkeypatch):
    """Resampled in blocks, one model and several have all resamples where weighted cases have none."""
    rng = np.random.default_rng(0)
    y = rng.random(blocks.MANY) < 0.3
    s = rng.normal(size=y.size) + y
    monkeypatch.setattr("isocost.inference.effort.WORK", 40 * y.size)
    monkeypatch.setattr("isocost.report.packed_resamples.MOST", 50)
    assert build(ic.Comparison.from_scores(y, {"m": s})).summary["resamples"]["n"] == 50
    assert build(ic.Comparison.from_scores(y, {"m": s, "other": -s})).summary["resamples"]["n"] == 50
    weighed = ic.Comparison.from_scores(y, {"m": s}, sample_weight=np.ones(y.size))
    assert build(weighed).summary["resamples"] is None


def test_bands_are_the_bootstraps(credit):
    """The band of each model is that of `Comparison.bootstrap` at every condition."""
    summary = credit.report(n_resamples=40).summary
    bootstrap = credit.bootstrap(40, 0, grid=summary["resamples"]["grid"], progress=False)
    for band, name in zip(summary["bands"], credit.names, strict=True):
        expected = bootstrap.band(name, 0.9)
        np.testing.assert_allclose(band["low"], expected.low, atol=1e-6)
        np.testing.assert_allclose(band["high"], expected.high, atol=1e-6)
    assert credit.report(n_resamples=0).summary["bands"] is None


def test_a_single_positive_gives_no_intervals():
    """One case of a class cannot be resampled: the report is made without, and says so."""
    summary = build(ic.Comparison.from_scores([0, 0, 0, 1], {"m": [1, 2, 3, 4]})).summary
    assert summary["resamples"] is None


def test_measures_of_buckets_are_intervals_not_values():
    """What scores counted together leave open has two numbers and no value; the rest is as exact as ever."""
    wide = ic.ScoreCounts([0.9, 0.8, 0.5, 0.3, 0.1], [6, 0, 1, 5, 0], [0, 2, 1, 0, 3], upper=[0.9, 0.8, 0.6, 0.3, 0.1])
    report = build(ic.Comparison([ic.RocCurve.from_counts(wide, name="a")]), over=ic.Condition(1, 2, 0.4))
    rows = {row["name"]: row for row in report.summary["measures"]}
    area = wide.bounds("auc")
    assert (rows["auc"]["values"], rows["auc"]["open"]) == ([None], [[area.low, area.high]])
    assert (rows["voros"]["open"], rows["voros"]["values"]) == (None, [ic.voros(ic.RocCurve.from_counts(wide))])
    assert rows["auc"]["low"] is None
    assert report.summary["models"][0]["roc"]["within"] == area.width
    assert report.summary["models"][0]["calibration"] is None

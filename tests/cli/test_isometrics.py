import json

import pytest

import isocost as ic


def test_lines_are_the_librarys(isocost):
    """JSON holds what `isometrics` returns, for each skew."""
    ran = isocost(
        "isometrics",
        "f-measure",
        "--value",
        "0.5",
        "--value",
        "0.8",
        "--skew-ratio",
        "1",
        "--skew-ratio",
        "5",
        "--json",
    )
    found = json.loads(ran.out)["isometrics"]
    expected = [ic.metrics.isometrics("f_measure", [0.5, 0.8], skew_ratio=c).to_dict() for c in (1, 5)]
    assert found == json.loads(json.dumps(expected))


def test_table_shows_where_lines_start_and_end(isocost):
    """A straight line is known by its ends; nine values are taken unless given."""
    assert isocost("isometrics", "precision", "--value", "0.5", "--skew-ratio", "10").out.splitlines()[-1].split() == [
        "10", "0.5", "0", "0", "0.1", "1", "2",
    ]  # fmt: skip
    assert len(isocost("isometrics", "accuracy").out.splitlines()) == 2 + 9


def test_metrics_are_listed(isocost):
    """--list names every metric with direction, range and formula."""
    from isocost.metrics.formulas import METRICS

    lines = isocost("isometrics", "--list").out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(METRICS)
    listed = json.loads(isocost("isometrics", "--list", "--json").out)["metrics"]
    assert [row["formula"] for row in listed] == [metric.formula for metric in METRICS.values()]


def test_points_have_the_gradient_and_the_effective_skew_of_the_library(isocost):
    """At each point, for each skew; infinite slopes are words."""
    call = ["isometrics", "precision", "--at", "10%:0.8", "--at", "0:0.5", "--skew-ratio", "1", "--skew-ratio", "4"]
    found = json.loads(isocost(*call, "--json").out)
    precision = ic.metrics.precision
    for row in found["points"]:
        slope = precision.gradient(row["fpr"], row["tpr"], row["skew_ratio"])
        assert row["value"] == precision(row["fpr"], row["tpr"], row["skew_ratio"])
        assert (row["by_fpr"], row["by_tpr"]) == (slope.by_fpr, slope.by_tpr)
    assert [row["effective_skew"] for row in found["points"]] == [8.0, "Infinity", 8.0, "Infinity"]
    assert (found["skew_sensitivity"], found["isometrics"]) == (ic.metrics.skew_sensitivity("precision"), [])
    assert isocost(*call).out.splitlines()[2].split()[:3] == ["1", "0.1", "0.8"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["acuracy"], "unknown metric 'acuracy': did you mean 'accuracy'"),
        (["precision", "--at", "0.1"], "'0.1' is not two shares fpr:tpr, such as 0.1:0.8"),
        (["precision", "--at", "0.1:2"], "'0.1:2' is not two shares fpr:tpr"),
        (["precision", "--at", "0.1:0.2", "--value", "0.5"], "--value has no meaning with --at"),
        (["laplace", "--at", "0.1:0.2"], "say it with --cases"),
        ([], "Missing argument '[METRIC]'. Name it, or give --list"),
        (["precision", "--value", "2"], "values must lie in the range of precision, 0 to 1, got 2.0"),
        (["precision", "--skew-ratio", "0"], "skew_ratio must be positive and finite (1e-100 to 1e100), got 0.0"),
    ],
)
def test_bad_arguments_are_explained(arguments, message, isocost):
    """The library's messages come through."""
    ran = isocost("isometrics", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.complaint


def test_figure_by_suffix(isocost, tmp_path):
    """An image suffix draws the lines."""
    assert isocost("isometrics", "mcc", "--skew-ratio", "1", "--skew-ratio", "5", "-o", "f.svg").code == 0
    assert b"<svg" in (tmp_path / "f.svg").read_bytes()


def test_a_metric_that_depends_on_the_number_of_cases_asks_for_it(isocost):
    """And another one refuses it; one without an upper end asks which values to draw."""
    assert "say it with --cases" in isocost("isometrics", "laplace").complaint
    assert isocost("isometrics", "laplace", "--cases", "30").code == 0
    assert "unknown option of accuracy 'cases'" in isocost("isometrics", "accuracy", "--cases", "30").complaint
    assert "with --value" in isocost("isometrics", "lift").complaint
    assert isocost("isometrics", "lift", "--value", "2").code == 0

import json

import pytest

import isocost as ic

MATRICES = {"A": (262, 38, 312, 388), "B": (196, 104, 147, 553)}


@pytest.fixture
def matrices(tmp_path):
    """Confusion matrices of two classifiers of the same cases, one row each."""
    path = tmp_path / "matrices.csv"
    path.write_text("model,tp,fn,fp,tn\n" + "".join(f"{n},{','.join(map(str, m))}\n" for n, m in MATRICES.items()))
    return path


@pytest.fixture
def points(tmp_path):
    """Points of ROC space: two of one model, one of another."""
    path = tmp_path / "points.csv"
    path.write_text("model,fpr,tpr,threshold\nA,0.1,0.5,0.7\nA,0.4,0.9,0.2\nB,0.2,0.6,0.5\n")
    return path


def test_confusion_matrices_are_recognised_by_their_columns(isocost, matrices):
    """The decision is the library's on the same matrices, at their own prevalence."""
    found = json.loads(isocost("choose", matrices, "--cost-fn", "5", "--json").out)
    curves = [ic.RocCurve.from_confusion(*cells, name=name) for name, cells in MATRICES.items()]
    expected = ic.Comparison(curves).decide(ic.Condition(cost_fn=5, prevalence=0.3))
    assert (found["decision"]["model"], found["decision"]["expected_cost"]) == (expected.model, expected.expected_cost)
    assert found["data"]["kind"] == "published results"
    assert (found["data"]["positives"], found["data"]["negatives"], found["data"]["rows"]) == (300, 700, 2)


def test_winners_significance_and_bands_of_confusion_matrices(isocost, matrices, tmp_path):
    """Matrices are drawn apart, and the command says so."""
    ran = isocost("compare", matrices, "--resamples", "800", "--json")
    found = json.loads(ran.out)
    assert [win["model"] for win in found["winners"]] == ["always-positive", "A", "B", "always-negative"]
    assert {claim["better"] for claim in found["significance"]["claims"]} == {"A", "B"}
    assert "Models are resampled apart" in ran.err
    assert isocost("plot", "cost", matrices, "--resamples", "50", "-o", "bands.svg").code == 0
    assert (tmp_path / "bands.svg").exists()


def test_points_need_a_prevalence_when_costs_are_given(isocost, points):
    """They have no class totals; a limit on rates needs none."""
    ran = isocost("choose", points, "--cost-fn", "5")
    assert (ran.code, ran.complaint) == (
        2,
        "the file does not tell which share of cases is positive: say it with --prevalence",
    )
    found = json.loads(isocost("choose", points, "--cost-fn", "5", "--prevalence", "20%", "--json").out)["decision"]
    assert (found["model"], found["threshold"]) == ("A", 0.2)
    assert json.loads(isocost("choose", points, "--max-fpr", "0.3", "--json").out)["decision"]["model"] == "B"
    assert (
        "needs the cases, or one confusion matrix"
        in isocost("plot", "cost", points, "--resamples", "50", "-o", "x.svg").complaint
    )


def test_matrices_of_different_cases_need_a_prevalence(isocost, tmp_path):
    """Rates can be compared, shares of positives cannot."""
    path = tmp_path / "different.csv"
    path.write_text("model,tp,fn,fp,tn\nA,8,2,3,7\nB,9,1,10,10\n")
    assert isocost("choose", path, "--cost-fn", "5").code == 2
    assert isocost("choose", path, "--cost-fn", "5", "--prevalence", "0.3").code == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["count"], "score counts need scores, and {f} holds published results"),
        (["choose", "--label", "y"], "--label goes with predictions; {f} holds published results already"),
        (["choose", "--score", "C"], "unknown model (--score) of {f} 'C'"),
    ],
)
def test_what_published_results_cannot_have_is_refused(call, message, isocost, matrices):
    """Scores, labels, models that are not there."""
    command, *rest = call
    assert message.format(f=matrices) in isocost(command, matrices, *rest).complaint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model,tp,fn,fp,tn\nA,8,2,-3,7\n", "fp of 'A' must hold finite counts that are not negative, got -3"),
        ("model,tp,fn,fp,tn\nA,0,0,3,7\n", "a confusion matrix of 'A' has no positive case"),
        ("model,tp,fn,fp,tn\nA,8,2,,7\nB,8,2,3,7\n", "column 'fp' of {f} must hold a value in every row"),
        ("model,fpr,tpr\nA,0.2,1.7\n", "tpr"),
        ("model,fpr,tpr\nA,low,high\n", "column 'fpr' of {f} must hold numbers"),
    ],
)
def test_what_is_no_result_is_refused(text, message, isocost, tmp_path):
    """Negative counts, empty classes, missing values, rates beyond 1, words."""
    path = tmp_path / "wrong.csv"
    path.write_text(text)
    ran = isocost("choose", path, "--cost-fn", "5", "--prevalence", "0.2")
    assert ran.code == 2
    assert message.format(f=path) in ran.complaint


@pytest.mark.parametrize(
    "call",
    [
        ["choose"], ["report", "-o", "r.html"], ["plot", "pr", "-o", "f.svg"], ["plot", "workforce", "--flagged", "0.2", "-o", "f.svg"],
        ["plot", "rules", "--score", "A", "-o", "f.svg"],
    ],
)  # fmt: skip
def test_a_share_of_positives_is_never_made_up(call, isocost, points):
    """Points do not tell it: equal costs, precision and quotas need it."""
    command, *rest = call
    files = [rest.pop(0), points] if command == "plot" else [points]
    ran = isocost(command, *files, *rest)
    assert (ran.code, ran.complaint) == (
        2,
        "the file does not tell which share of cases is positive: say it with --prevalence",
    )
    assert isocost(command, *files, *rest, "--prevalence", "20%").code == 0


def test_bands_of_curves_need_the_cases(isocost, matrices):
    """One point is no curve to be sure of."""
    ran = isocost("plot", "gain", matrices, "--resamples", "50", "-o", "f.svg")
    assert ran.complaint == f"a band needs the cases, and {matrices} holds only published results"


def test_of_confusion_matrices_the_answer_says_how_sure_it_is(isocost, tmp_path):
    """In choose and on the page, with the note that models were drawn apart."""
    path = tmp_path / "same.csv"
    path.write_text("model,tp,fn,fp,tn\nA,80,20,30,70\nB,90,10,60,40\n")
    found = json.loads(isocost("choose", path, "--cost-fn", "1", "--resamples", "60", "--json").out)
    assert found["decision"]["confidence"]["n_resamples"] == 60
    assert any("resampled apart" in note for note in found["data"]["notes"])
    assert isocost("report", path, "--resamples", "60", "-o", "page.json").code == 0
    written = (tmp_path / "page.json").read_text()
    assert "resampled apart" in written
    assert json.loads(isocost("choose", path, "--resamples", "0", "--json").out)["data"]["notes"] == []


def test_line_band_and_interval_are_of_the_classifier_itself(isocost, tmp_path):
    """The interval that choose gives of a classifier as it is, is that of the bootstrap of its matrix and of the band that is drawn."""
    path = tmp_path / "one.csv"
    path.write_text("model,tp,fn,fp,tn\nA,16,4,4,6\n")
    call = ["choose", path, "--cost-fn", "2", "--prevalence", "50%"]
    found = json.loads(isocost(*call, "--json").out)["as_it_is"]
    low, _, high = ic.inference.bootstrap_confusion({"A": (16, 4, 4, 6)}).band("A").at(2 / 3)
    assert (found["low"], found["high"]) == pytest.approx((1.5 * low, 1.5 * high))
    library = ic.Comparison.from_confusion({"A": (16, 4, 4, 6)}).bootstrap().band("A").at(2 / 3)
    assert library == pytest.approx((low, library[1], high))
    assert "Taken as it is, with no choice redone, A costs 200 to 600 per 1000" in isocost(*call).out


def test_classifiers_counted_together_are_compared_on_the_same_cases(isocost, tmp_path):
    """A row for each combination of answers: matrices are its sums, and differences are paired."""
    path = tmp_path / "joint.csv"
    path.write_text("A,B,positives,negatives\n1,1,58,19\n1,0,12,1\n0,1,2,11\n0,0,28,69\n")
    ran = isocost("compare", path, "--resamples", "1000", "--json")
    assert "resampled apart" not in ran.err
    [claim] = json.loads(ran.out)["significance"]["claims"]
    own = ic.Comparison.from_confusion({"A": (70, 30, 20, 80), "B": (60, 40, 30, 70)}, joint=(58, 19))
    [expected] = own.bootstrap(n_resamples=1000, rng=0).significant("A", "B")
    assert (claim["better"], claim["t_low"], claim["t_high"]) == ("A", expected.t_low, expected.t_high)
    one = json.loads(isocost("choose", path, "--score", "B", "--cost-fn", "1", "--json").out)["decision"]
    assert (one["tpr"], one["fpr"]) == (0.6, 0.3)
    path.write_text("A,B,positives,negatives\n1,0.5,58,19\n")
    assert "column 'B' of" in isocost("choose", path).complaint

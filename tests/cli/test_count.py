import io

import pandas as pd
import pytest

from isocost import ScoreCounts


def table(text):
    """Counts as printed."""
    return pd.read_csv(io.StringIO(text))


def test_counts_are_those_of_the_library(isocost, credit, credit_file):
    """One row a model and distinct score, highest first, with its positives and negatives."""
    ran = isocost("count", credit_file, "--label", "bad", "-q")
    assert (ran.code, ran.err) == (0, "")
    found = table(ran.out)
    assert found.columns.tolist() == ["model", "score", "positives", "negatives"]
    for model in ("logistic_regression", "random_forest", "naive_bayes"):
        counts = ScoreCounts.from_arrays(credit["bad"], credit[model])
        rows = found[found.model == model]
        assert rows.score.tolist() == counts.scores.tolist()
        assert rows.positives.tolist() == counts.positives.tolist()
        assert rows.negatives.tolist() == counts.negatives.tolist()


def test_weights_are_summed(isocost, small, tmp_path):
    """Fractional counts are written so that they read back exactly."""
    small.assign(w=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]).to_csv(tmp_path / "w.csv", index=False)
    found = table(isocost("count", "w.csv", "--score", "b", "--weight", "w", "-q").out)
    expected = ScoreCounts.from_arrays(small["y"], small["b"], sample_weight=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    assert found.score.tolist() == expected.scores.tolist()
    assert found.positives.tolist() == expected.positives.tolist()
    assert found.negatives.tolist() == expected.negatives.tolist()


def test_a_fold_is_no_score_and_is_pooled(isocost, small, tmp_path):
    """--fold keeps its column out of the models."""
    small.assign(fold=[0, 1] * 4).to_csv(tmp_path / "f.csv", index=False)
    found = table(isocost("count", "f.csv", "--fold", "fold", "-q").out)
    assert found.model.unique().tolist() == ["a", "b"]


CALLS = [
    ["choose", "--cost-fn", "5"],
    ["choose", "--max-fpr", "0.1"],
    ["compare"],
    ["measure"],
    ["check", "--threshold", "random_forest:0.25", "--min-auc", "0.5"],
    ["report", "-o", "r.html"],
    ["plot", "cost", "-o", "f.svg"],
    ["count"],
    ["merge"],
]


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_every_command_takes_counts_and_says_the_same(call, isocost, credit_file):
    """What needs no cases comes out as from the rows, to the last digit."""
    assert isocost("count", credit_file, "--label", "bad", "-o", "c.parquet").code == 0
    options = ["--resamples", "0"] if call[0] in ("choose", "compare", "measure", "report") else []
    name, *rest = call
    kind, rest = (rest[:1], rest[1:]) if name == "plot" else ([], rest)
    counts = isocost(name, *kind, "c.parquet", *rest, *options, "-q")
    assert counts.code == 0, counts.err
    if name != "merge":
        rows = isocost(name, *kind, credit_file, "--label", "bad", *rest, *options, "-q")
        assert counts.out == rows.out


def test_counts_are_written_whole_or_not_at_all(isocost, credit_file, tmp_path):
    """A suffix that is none of the formats is refused before reading."""
    ran = isocost("count", credit_file, "--label", "bad", "-o", "c.xlsx")
    assert ran.complaint == "cannot write c.xlsx: its name must end in .parquet or .csv"
    assert list(tmp_path.iterdir()) == []

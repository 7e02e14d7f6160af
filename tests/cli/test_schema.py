import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

SCHEMA = json.loads((resources.files("isocost.cli") / "schema.json").read_text(encoding="utf-8"))

CASCADE = ["--first", "naive_bayes", "--then", "random_forest"]
CALLS = [
    ["choose", "{file}", "--label", "bad", "--cost-fn", "5"],
    ["choose", "{file}", "--label", "bad", "--cost-fn", "5:20", "--prevalence", "0.01:0.03"],
    ["choose", "{file}", "--label", "bad", "--cost-fn", "1000000"],
    ["choose", "{file}", "--label", "bad", "--max-fpr", "0.1", "--randomised"],
    ["choose", "{file}", "--label", "bad", "--min-precision", "0.5"],
    ["choose", "{file}", "--label", "bad", "--cost-fn", "5", "--minimax"],
    [
        "choose",
        "{file}",
        "--label",
        "bad",
        "--max-fpr",
        "0.1",
        "--min-precision",
        "50%",
        "--cost-fn",
        "5",
        "--unit",
        "€",
    ],
    ["choose", "{file}", "--label", "bad", "--cost-fn", "5", "--method", "score_driven", "--resamples", "0"],
    ["choose", "{file}", "--label", "bad", "--cost-fn", "5", "--threshold", "0.5", "--current", "naive_bayes:0.5"],
    ["compare", "{file}", "--label", "bad", "--resamples", "0", "--cost-fn", "5"],
    ["choose", "counts.parquet", "--max-flagged", "0"],
    ["compare", "{file}", "--label", "bad", "--resamples", "20"],
    ["compare", "counts.parquet", "--cost-fn", "5:20", "--prevalence", "0"],
    ["choose", "{file}", "--label", "bad", "--cost-column", "naive_bayes", "--cost-fp", "0.1"],
    ["measure", "points.csv"],
    ["measure", "kinds.csv", "--label", "kind", "--each-class"],
    ["measure", "{file}", "--label", "bad", "--cost-fn", "5"],
    ["measure", "{file}", "--label", "bad", "-m", "auc", "--resamples", "20"],
    [
        "check",
        "{file}",
        "--label",
        "bad",
        "--threshold",
        "naive_bayes:0.5",
        "--max-cost",
        "900",
        "--min-auc",
        "0.5",
        "--cost-fn",
        "5",
    ],
    ["classes", "kinds.csv", "--label", "kind", "--cost-matrix", "prices.csv", "--refer", "0.5"],
    ["watch", "--rule", "rule.json", "--deployed", "{file}"],
    ["watch", "--rule", "rule.json", "--deployed", "{file}", "--label", "bad"],
    [
        "challenge",
        "{file}",
        "--label",
        "bad",
        "--current",
        "naive_bayes:0.05",
        "--new",
        "naive_bayes:0.9",
        "--cost-fn",
        "5",
    ],
    ["choose", "{file}", "--label", "bad", "--deployed", "{file}", "--cost-fn", "5", "--resamples", "0"],
    ["report", "{file}", "--label", "bad", "--resamples", "0", "-o", "r.html"],
    [
        "report",
        "{file}",
        "--label",
        "bad",
        "--resamples",
        "0",
        "--evaluate",
        "{file}",
        "--cost-fn",
        "5",
        "-o",
        "r.html",
    ],
    ["ask", "{file}", "--label", "bad", "--cost-fn", "1:20", "--prevalence", "30%"],
    ["ask", "{file}", "--label", "bad", "--cost-fn", "4:5.5", "--prevalence", "30%", "--questions", "2"],
    ["cascade", "{file}", "--label", "bad", *CASCADE, "--cost-call", "0.1", "--resamples", "5"],
    ["cascade", "{file}", "--label", "bad", *CASCADE, "--cost-call", "9", "--resamples", "0"],
    ["isometrics", "precision"],
    ["isometrics", "precision", "--at", "0:0", "--at", "0.1:0.8"],
    ["isometrics", "--list"],
]


def test_schema_is_a_schema():
    """It keeps the rules of JSON Schema itself."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_output_keeps_to_the_schema(call, isocost, credit_file):
    """What is printed with --json is documented, and is nothing but JSON."""
    if "rule.json" in call:
        isocost("choose", credit_file, "--label", "bad", "--cost-fn", "5", "--resamples", "0", "--save", "rule.json")
    if "counts.parquet" in call:
        assert isocost("count", credit_file, "--label", "bad", "-o", "counts.parquet").code == 0
    Path("kinds.csv").write_text("kind,rf_1,rf_2,rf_3\n1,.7,.2,.1\n2,.3,.4,.3\n3,.2,.2,.6\n1,.4,.5,.1\n")
    Path("prices.csv").write_text("true,1,2,3\n1,0,1,4\n2,1,0,2\n3,5:20,2,0\n")
    Path("points.csv").write_text("model,fpr,tpr\na,0.1,0.5\nb,0.2,0.8\n")
    ran = isocost(*(part.format(file=credit_file) for part in call), "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["command"] == call[0]

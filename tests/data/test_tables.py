"""Tables as people have them: what would be a silent wrong answer is recognised, left out with a reason, or refused."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import isocost as ic
from isocost.cli.app import run
from isocost.errors import InputError

RNG = np.random.default_rng(0)
Y = (RNG.random(60) < 0.4).astype(int)
P = 1 / (1 + np.exp(-RNG.normal(Y * 1.5)))
COSTS = ["--cost-fn", "5", "--cost-fp", "1", "--resamples", "0"]


@pytest.fixture
def choose(tmp_path, capsys):
    """A function that writes a table and asks the command; returns its exit code and what it says besides the answer."""

    def ask(header, rows, *options, mark=","):
        path = tmp_path / "t.csv"
        path.write_text("\n".join([header, *(mark.join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
        code = run(["choose", str(path), *COSTS, *options])
        return code, capsys.readouterr().err

    return ask


DIGITS = [f"0.12345678901234567890{i:04d}" for i in range(60)]


def test_scores_that_differ_beyond_float64_are_refused_in_every_file(choose, tmp_path):
    """As in arrays: two different scores never become a tie."""
    code, said = choose("y,a", zip(Y, DIGITS, strict=True))
    assert code == 2
    assert "score 'a' has different numbers that are equal as float64, such as .1234567890123456789" in said
    table = pa.table({"y": Y, "a": pa.array([Decimal(s) for s in DIGITS], pa.decimal128(30, 24))})
    pq.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(InputError, match="score 'a' has different numbers that are equal as float64"):
        ic.ScoreCounts.scan(tmp_path / "t.parquet", label="y", score="a")
    with pytest.raises(InputError, match="different numbers that are equal as float64"):
        ic.ScoreCounts.from_arrays(Y, [Decimal(s) for s in DIGITS])
    assert choose("y,a", [(y, repr(p)) for y, p in zip(Y.tolist(), P.tolist(), strict=True)])[0] == 0


def test_dots_that_may_stand_between_thousands_are_refused(choose):
    """With the option that settles it."""
    rows = [*zip(Y, ["987", "1.234", "12.345", "1.111"] * 15, strict=True)]
    code, said = choose("y;a", rows, mark=";")
    assert code == 2
    assert "score 'a' holds '1.234', whose dot may be a decimal point or stand between thousands" in said
    assert "add --decimal ." in said
    assert choose("y;a", rows, "--decimal", ".", mark=";")[0] == 0


def test_a_row_for_every_case_and_model_is_refused(choose):
    """Pooled, every case would count as often as there are models; clusters say that the rows belong together."""
    rows = [(i, v, p, y) for i, (y, p) in enumerate(zip(Y, P, strict=True)) for v in ("lr", "rf", "nb")]
    code, said = choose("id,variant,score,label", rows)
    assert code == 2
    assert "has a row for every id and variant: each case would count several times" in said
    assert choose("id,variant,score,label", rows, "--cluster", "id")[0] == 0


@pytest.mark.parametrize("names", [(".pred_good", ".pred_poor"), ("good_prob", "poor_prob")])
def test_probabilities_that_add_up_to_1_are_one_model(choose, names):
    """That of the class to detect; if that cannot be told, it is asked about."""
    rows = [("poor" if y else "good", 1 - p, p) for y, p in zip(Y, P, strict=True)]
    code, said = choose(",".join(("class", *names)), rows, "--label", "class", "--positive", "poor")
    assert code == 0
    assert f"model: {names[1]}; left out: {names[0]} (1 - {names[1]}: the other class)" in said
    rows = [(y, 1 - p, p) for y, p in zip(Y, P, strict=True)]
    code, said = choose("y,a,b", rows)
    assert code == 2
    assert "'a' and 'b' of" in said
    assert "add up to 1 in every row: they are the two probabilities of one model" in said


def test_hard_predictions_are_no_scores_beside_probabilities(choose):
    """Alone they are scores with two values."""
    rows = [(y, int(p > 0.5), p) for y, p in zip(Y, P, strict=True)]
    assert "left out: x_pred (predictions: x_proba above a threshold)" in choose("y,x_pred,x_proba", rows)[1]
    assert "model: x_pred" in choose("y,x_pred", [row[:2] for row in rows])[1]


def test_two_columns_of_one_name_are_refused_only_if_asked_for(choose):
    """Other columns of the table serve."""
    rows = [(y, p, p, p) for y, p in zip(Y, P, strict=True)]
    assert choose("y,a,a,b", rows, "--score", "b")[0] == 0
    for options in (("--score", "a"), ()):
        code, said = choose("y,a,a,b", rows, *options)
        assert code == 2
        assert "has 2 columns called 'a': give each a name of its own" in said


def test_names_of_columns_are_trimmed(choose):
    """Spaces around them are nobody's name."""
    assert choose(" y , a ", zip(Y, P, strict=True), "--label", "y", "--score", "a")[0] == 0


@pytest.mark.parametrize("code", [-9999, 99])
def test_a_number_that_stands_for_nothing_is_a_caution(choose, code):
    """Among probabilities; scores of other ranges may hold it."""
    said = choose("y,a", [(y, code if i == 3 else p) for i, (y, p) in enumerate(zip(Y, P, strict=True))])[1]
    assert f"a: 1 of 60 scores are {code}, all others lie between 0 and 1" in said
    assert "all others" not in choose("y,a", zip(Y, P, strict=True))[1]


def test_reasons_for_leaving_a_column_out_are_true(choose):
    """Ages that count up are no row numbers, and a column called hour holds no dates."""
    rows = [(y, p, 30 + i, i % 5, i) for i, (y, p) in enumerate(zip(Y, P, strict=True))]
    said = choose("y,a,age,hour,nr", rows)[1]
    assert "age (whole numbers that count up by 1), hour (named like a date), nr (a row number)" in said

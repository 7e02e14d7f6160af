"""Tables as people have them: what would be a silent wrong answer is recognised, left out with a reason, or refused."""

import json
import re
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
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
    code, reported = choose("y,a", zip(Y, DIGITS, strict=True))
    assert code == 2
    assert "score 'a' has different numbers that are equal as float64, such as 0.1234567890123456789" in reported
    table = pa.table({"y": Y, "a": pa.array([Decimal(s) for s in DIGITS], pa.decimal128(30, 24))})
    pq.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(InputError, match="score 'a' has different numbers that are equal as float64"):
        ic.ScoreCounts.scan(tmp_path / "t.parquet", label="y", score="a")
    with pytest.raises(InputError, match="different numbers that are equal as float64"):
        ic.ScoreCounts.from_arrays(Y, [Decimal(s) for s in DIGITS])
    for frame in (table, pl.from_arrow(table), pl.from_arrow(table).lazy(), duckdb.from_arrow(table)):
        with pytest.raises(InputError, match="frame: score 'a' has different numbers that are equal as float64"):
            ic.ScoreCounts.from_frame(frame, label="y", score="a")
    assert choose("y,a", [(y, repr(p)) for y, p in zip(Y.tolist(), P.tolist(), strict=True)])[0] == 0


@pytest.mark.parametrize("place", ["middle", "end"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.123456789012345678901234", "0.123456789012345678901235"), ("0.5", "0.500000000000000000001"), ("2", "2.0000000000000000000001"),
        ("0.91234567890123451", "0.91234567890123452"),
        ("-1.23456789012345678901e-05", "-0.0000123456789012345678902"), ("0,123456789012345678901234", "0,123456789012345678901235"),
        ("12.3456789012345678901234%", "12.3456789012345678901235%"),
    ],
)  # fmt: skip
def test_digits_beyond_float64_are_found_wherever_they_stand(choose, place, one, other):
    """Behind any number of rows that are looked at; the same number in another spelling is the same number."""
    mark, percent = ";" if "," in one else ",", "%" if "%" in one else ""
    scores = [
        f"{s:.3f}{percent}".replace(".", "," if mark == ";" else ".") for s in np.random.default_rng(0).random(30_000)
    ]
    where = 15_000 if place == "middle" else len(scores) - 2
    labels, options = [i % 2 for i in range(len(scores))], ["--decimal", ","] if mark == ";" else []
    for second, refused in ((other, True), (one, False), (re.sub(r"([.,]\d+)", r"\g<1>0", one), False)):
        scores[where : where + 2] = one, second
        code, reported = choose(f"y{mark}a", zip(labels, scores, strict=True), *options, mark=mark)
        assert (code == 2) == refused, reported
        assert ("score 'a' has different numbers that are equal as float64, such as" in reported) == refused


@pytest.mark.parametrize("wrong", [{"fold": Y}, {"case": np.inf}, {"label": Y}, {"model": 7.5}])
def test_what_is_no_name_of_a_column_of_a_long_table_is_refused(wrong):
    """An array in place of a name, as other functions take."""
    named = {"label": "y", "scores": "a", "model": "m", "case": "id"} | wrong
    with pytest.raises(InputError, match="the name of a column must be text, got"):
        ic.Comparison.from_frame(pl.DataFrame({"y": Y, "a": P, "m": "x", "id": range(len(Y))}), **named)


def test_digits_beyond_float64_are_found_in_row_two_hundred_thousand(tmp_path):
    """In a file of which no first rows say so."""
    path = tmp_path / "t.csv"
    for pair in ("1,0.12345678901234567890\n0,0.12345678901234567891\n", "1,0.123456789\n0,0.1234567890\n"):
        path.write_text("y,a\n" + "1,0.25\n0,0.5\n" * 99_999 + pair)
        if "8901" in pair:
            with pytest.raises(InputError, match=r"equal as float64, such as 0\.1234567890123456789[01] and"):
                ic.ScoreCounts.scan(path, label="y", score="a")
        else:
            assert ic.ScoreCounts.scan(path, label="y", score="a").positives.sum() == 100_000


@pytest.mark.parametrize("quote", ["", '"'])
def test_digits_beyond_float64_are_found_in_json(tmp_path, quote):
    """As numbers, which JSON lets a reader round, and as text."""
    scores = [repr(s) for s in np.random.default_rng(0).random(2000).tolist()]
    path = tmp_path / "t.jsonl"
    for pair in (
        ("0.91234567890123451", "0.91234567890123452"),
        ("0.123456789012345678901", "0.1234567890123456789010"),
        (),
    ):
        rows = [f'{{"y": {i % 2}, "a": {quote}{s}{quote}}}\n' for i, s in enumerate([*scores, *pair])]
        path.write_text("".join(rows))
        if pair[:1] == ("0.91234567890123451",):
            with pytest.raises(InputError, match="score 'a' has different numbers that are equal as float64"):
                ic.ScoreCounts.scan(path, label="y", score="a")
        else:
            assert ic.ScoreCounts.scan(path, label="y", score="a").positives.sum() == (2000 + len(pair)) / 2


@pytest.mark.parametrize("form", ["{:.30f}", "{:.17g}", "{!r}", "{:.25e}", "+{:.20f}000"])
def test_many_digits_of_float64_are_no_fault(choose, form):
    """However a program writes its numbers, no two different ones become equal."""
    scores = [form.format(s) for s in np.random.default_rng(0).random(3000).tolist()] + [
        "0",
        "0.000",
        "-0.0",
        "1e-3",
        "0.001",
    ]
    assert choose("y,a", [(i % 2, s) for i, s in enumerate(scores)])[0] == 0


def test_dots_that_may_stand_between_thousands_are_refused(choose):
    """With the option that settles it."""
    rows = [*zip(Y, ["987", "1.234", "12.345", "1.111"] * 15, strict=True)]
    code, reported = choose("y;a", rows, mark=";")
    assert code == 2
    assert "score 'a' holds '1.234', whose dot may be a decimal point or stand between thousands" in reported
    assert "add --decimal ." in reported
    assert choose("y;a", rows, "--decimal", ".", mark=";")[0] == 0


MODELS = {"lr": P, "nb": np.round(P, 1), "rf": P**2}
LONG = [(i, model, repr(float(s[i])), Y[i]) for i in range(60) for model, s in MODELS.items()]


def test_a_row_for_every_case_and_model_is_asked_about(choose):
    """Pooled, every case would count as often as there are models; the options that settle it are named."""
    code, reported = choose("id,variant,score,label", LONG)
    assert code == 2
    assert "has a row for every id and variant: each case would count several times" in reported
    assert "add --model variant --case id" in reported
    assert choose("id,variant,score,label", LONG, "--cluster", "id")[0] == 0


def test_ids_that_repeat_are_asked_about_where_they_are_the_only_sign(choose):
    """Equally often and with one label; ids that repeat as customers do are a caution of the answer."""
    rows = [(i, score, y) for i, _, score, y in LONG]
    code, reported = choose("id,score,label", rows)
    assert code == 2
    assert "has several rows for every id, equally many and with one label" in reported
    for option in ("(--model)", "--cluster id keeps them so", "name the scores: --score score"):
        assert option in reported
    assert choose("id,score,label", rows, "--cluster", "id")[0] == 0
    assert choose("id,score,label", rows, "--score", "score")[0] == 0
    # The last of the first rows may stand in the middle of an id.
    many = [(i // 3, round(i % 17 / 17 + i / 1e6, 7), i // 3 % 2) for i in range(1100)]
    assert choose("id,score,label", many)[0] == 2
    code, _ = choose("id,score,label", [(i % 7 if i % 3 else i, s, y) for i, s, y in rows])
    assert code == 0


def _long(rows=LONG):
    columns = zip(*[(i, model, float(score), int(y)) for i, model, score, y in rows], strict=True)
    return dict(zip(("id", "variant", "score", "label"), map(list, columns), strict=True))


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table, lambda d: duckdb.from_arrow(pa.table(d))]
)
def test_a_row_for_every_case_and_model_becomes_a_column_per_model(make):
    """Exactly, whatever the order of the rows, from every library of frames."""
    rows = [LONG[i] for i in np.random.default_rng(1).permutation(len(LONG))]
    found = ic.Comparison.from_frame(make(_long(rows)), label="label", scores=["score"], model="variant", case="id")
    wanted = ic.Comparison.from_scores(Y, MODELS)
    condition = ic.Condition(1, 5, 0.3)
    assert found.names == wanted.names
    one, other = found.decide(condition), wanted.decide(condition)
    assert (one.model, one.threshold, one.per_1000) == (other.model, other.threshold, other.per_1000)
    for one, other in zip(found.curves, wanted.curves, strict=True):
        assert np.array_equal(one.hull.tp, other.hull.tp)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_the_command_takes_a_row_for_every_case_and_model(suffix, tmp_path, capsys):
    """As the wide table; what was done is stated."""
    frame, path = pl.DataFrame(_long()), tmp_path / f"long.{suffix}"
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}[suffix](path)
    pl.DataFrame({"label": Y, **MODELS}).write_csv(tmp_path / "wide.csv")
    assert run(["choose", str(path), *COSTS, "--model", "variant", "--case", "id", "--json"]) == 0
    found, reported = capsys.readouterr()
    assert run(["choose", str(tmp_path / "wide.csv"), *COSTS, "--json"]) == 0
    assert json.loads(found)["decision"] == json.loads(capsys.readouterr().out)["decision"]
    assert "has a row for every id and variant: each model has its own scores." in reported


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:-1], "lacks the row of one variant"),
        (lambda rows: [*rows, rows[0]], "has several rows of one variant"),
        (lambda rows: [(*rows[0][:3], 1 - rows[0][3]), *rows[1:]], "has rows with different values of 'label'"),
        (lambda rows: [(*rows[0][:2], "nan", rows[0][3]), *rows[1:]],
         r"score 'score' is missing in 1 of 180 rows, the first is row 1 \(counting from 1\)"),
        (lambda rows: [(*rows[0][:2], "inf", rows[0][3]), *rows[1:]],
         r"score 'score' is infinite in 1 of 180 rows, the first is row 1 \(counting from 1\)"),
    ],
)  # fmt: skip
def test_cases_that_are_not_whole_are_refused_alike(change, message, tmp_path, capsys):
    """By frames and files, in the same words."""
    data = _long(change(LONG))
    for make in (pd.DataFrame, pl.DataFrame):
        with pytest.raises(InputError, match=message):
            ic.Comparison.from_frame(make(data), label="label", scores=["score"], model="variant", case="id")
    pl.DataFrame(data).write_parquet(tmp_path / "long.parquet")
    assert run(["choose", str(tmp_path / "long.parquet"), *COSTS, "--model", "variant", "--case", "id"]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_a_row_for_every_case_and_model_needs_all_its_columns(choose):
    """The case, the model and one column of scores."""
    assert (
        "needs the column that says which case a row is of: --case"
        in choose("id,variant,score,label", LONG, "--model", "variant")[1]
    )
    assert (
        "goes with the column that names the models: --model"
        in choose("id,variant,score,label", LONG, "--case", "id")[1]
    )
    frame = pd.DataFrame(_long())
    with pytest.raises(InputError, match="scores must be one for each of 1 column"):
        ic.Comparison.from_frame(frame, label="label", scores=["score", "id"], model="variant", case="id")
    with pytest.raises(InputError, match="model and case go together"):
        ic.Comparison.from_frame(frame, label="label", scores=["score"], model="variant")


def test_the_models_own_prediction_is_not_what_happened(choose):
    """It is not offered as the label, no model beside its score, and a caution if it is named."""
    rows = [(int(p > 0.4), "yes" if y else "no", p) for y, p in zip(Y, P, strict=True)]
    code, reported = choose("flagged,outcome,p", rows)
    assert code == 2
    assert "Choose one: --label outcome (columns: outcome; flagged is p above a threshold, a prediction)" in reported
    code, reported = choose("flagged,outcome,p", rows, "--label", "outcome", "--positive", "yes")
    assert code == 0
    assert "left out: flagged (predictions: p above a threshold)" in reported
    code, reported = choose("flagged,outcome,p", rows, "--label", "flagged")
    assert (
        "flagged is p above a threshold in every row: if it is the model's own prediction, it is not what happened"
        in reported
    )


@pytest.mark.parametrize("names", [(".pred_good", ".pred_poor"), ("good_prob", "poor_prob")])
def test_probabilities_that_add_up_to_1_are_one_model(choose, names):
    """That of the class to detect; if that is not clear, it is asked about."""
    rows = [("poor" if y else "good", 1 - p, p) for y, p in zip(Y, P, strict=True)]
    code, reported = choose(",".join(("class", *names)), rows, "--label", "class", "--positive", "poor")
    assert code == 0
    assert f"model: {names[1]}; left out: {names[0]} (1 - {names[1]}: the other class)" in reported
    rows = [(y, 1 - p, p) for y, p in zip(Y, P, strict=True)]
    code, reported = choose("y,a,b", rows)
    assert code == 2
    assert "'a' and 'b' of" in reported
    assert "add up to 1 in every row: they are the two probabilities of one model" in reported
    # Beyond 0 and 1 they are none.
    assert choose("y,a,b", [(y, 1 - 3 * p, 3 * p) for y, p in zip(Y, P, strict=True)])[0] == 0


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
        code, reported = choose("y,a,a,b", rows, *options)
        assert code == 2
        assert "has 2 columns called 'a': give each a name of its own" in reported


def test_names_of_columns_are_trimmed(choose):
    """Spaces around them are nobody's name."""
    assert choose(" y , a ", zip(Y, P, strict=True), "--label", "y", "--score", "a")[0] == 0


@pytest.mark.parametrize("code", [-9999, 99])
def test_a_number_that_stands_for_nothing_is_a_caution(choose, code):
    """Among probabilities; scores of other ranges may hold it."""
    reported = choose("y,a", [(y, code if i == 3 else p) for i, (y, p) in enumerate(zip(Y, P, strict=True))])[1]
    assert f"a: 1 of 60 scores are {code}, all others lie between 0 and 1" in reported
    assert "all others" not in choose("y,a", zip(Y, P, strict=True))[1]


def test_reasons_for_leaving_a_column_out_are_true(choose):
    """Ages that count up are no row numbers, and a column called hour holds no dates."""
    rows = [(y, p, 30 + i, i % 5, i) for i, (y, p) in enumerate(zip(Y, P, strict=True))]
    reported = choose("y,a,age,hour,nr", rows)[1]
    assert (
        "age (whole numbers that count up by 1), hour (named like a date), nr (whole numbers that count up by 1)"
        in reported
    )


def test_what_would_not_end_is_refused_with_its_limit():
    """Resamples and groups."""
    comparison = ic.Comparison.from_scores(Y, {"a": P})
    for ask in (
        comparison.bootstrap,
        lambda n_resamples: comparison.decide(ic.Condition(1, 5, 0.3), n_resamples=n_resamples),
    ):
        with pytest.raises(InputError, match=r"n_resamples must be between \d and 1e\+06"):
            ask(n_resamples=10**9)
    many = np.arange(20_002)
    groups = ic.Groups.from_scores(many % 2, many, many // 2)
    with pytest.raises(InputError, match="the number of groups must be between 1 and 10000, got 10001"):
        groups.decide(ic.Condition(1, 5, 0.3))

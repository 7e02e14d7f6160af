import csv
import gzip
import json

import numpy as np
import pandas as pd
import pytest
from pyarrow import feather

import isocost as ic
from isocost.data.files import Words
from isocost.data.rows import open_files, open_table
from isocost.data.tables import Roles, settled


def read_counts(path):
    """The tables of a CSV that `isocost count` wrote, by model."""
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    return {
        name: ic.ScoreCounts(
            *(
                np.array([float(row[column]) for row in rows if row["model"] == name])
                for column in ("score", "positives", "negatives")
            )
        )
        for name in dict.fromkeys(row["model"] for row in rows)
    }


def in_two(frame, write, folder, suffix):
    """Write the rows into two files and return a pattern for both."""
    write(frame.iloc[:3], folder / f"part1{suffix}")
    write(frame.iloc[3:], folder / f"part2{suffix}")
    return [str(folder / f"part*{suffix}")]


WRITERS = {
    ".csv": lambda f, p: f.to_csv(p, index=False),
    ".tsv": lambda f, p: f.to_csv(p, index=False, sep="\t"),
    ".semicolon.csv": lambda f, p: f.to_csv(p, index=False, sep=";"),
    ".pipe.txt": lambda f, p: f.to_csv(p, index=False, sep="|"),
    ".csv.gz": lambda f, p: f.to_csv(p, index=False),
    ".tsv.gz": lambda f, p: f.to_csv(p, index=False, sep="\t"),
    ".excel.csv": lambda f, p: f.to_csv(p, index=False, encoding="utf-8-sig", lineterminator="\r\n"),
    ".indexed.csv": lambda f, p: f.to_csv(p),
    ".parquet": lambda f, p: f.to_parquet(p),
    ".float32.parquet": lambda f, p: f.astype({"b": np.float32}).to_parquet(p),
    ".boolean.parquet": lambda f, p: f.astype({"y": bool}).to_parquet(p),
    ".float-label.parquet": lambda f, p: f.astype({"y": float}).to_parquet(p),
    ".arrow": lambda f, p: feather.write_feather(f, p, compression="uncompressed"),
    ".feather": feather.write_feather,
    ".jsonl": lambda f, p: f.to_json(p, orient="records", lines=True),
    ".jsonl.gz": lambda f, p: f.to_json(p, orient="records", lines=True),
    ".json": lambda f, p: f.to_json(p, orient="records"),
}


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_gives_the_counts_of_the_rows(suffix, parts, isocost, tmp_path, small):
    """One file or a pattern of several: exactly what the library counts from arrays, ties and -0.0 included."""
    if parts == 1:
        WRITERS[suffix](small, tmp_path / f"part{suffix}")
        files = [f"part{suffix}"]
    else:
        files = in_two(small, WRITERS[suffix], tmp_path, suffix)
    ran = isocost("count", *files, "-o", "counts.csv")
    assert ran.code == 0, ran.err
    found = read_counts(tmp_path / "counts.csv")
    assert list(found) == ["a", "b"]
    for name, counts in found.items():
        assert counts == ic.ScoreCounts.from_arrays(small["y"], small[name].to_numpy(dtype=float))


def test_a_column_that_begins_with_an_infinity_holds_numbers(isocost, tmp_path):
    """It is refused as infinite scores, not as text."""
    (tmp_path / "p.csv").write_text("y,a\n1,inf\n0,-inf\n1,0.5\n")
    ran = isocost("count", "p.csv", "-o", "counts.csv")
    assert "is infinite in 2 of 3 rows, the first is row 1 (counting from 1)" in ran.complaint


def test_numbers_of_a_csv_are_read_exactly(isocost, tmp_path):
    """Scores come back bit by bit, and a column that begins with whole numbers may go on with fractions."""
    rng = np.random.default_rng(1)
    scores = np.concatenate([np.zeros(30_000), rng.random(500), 10.0 ** rng.uniform(-300, 300, 500), [5e-324, 1.7e308]])
    labels = np.arange(scores.size) % 2
    frame = pd.DataFrame({"y": labels, "a": [repr(s) if s else "0" for s in scores.tolist()]})
    frame.to_csv(tmp_path / "exact.csv", index=False)
    ran = isocost("count", "exact.csv", "-o", "counts.csv")
    assert ran.code == 0, ran.err
    assert read_counts(tmp_path / "counts.csv")["a"] == ic.ScoreCounts.from_arrays(labels, scores)


@pytest.mark.parametrize("whole", [True, False])
def test_weights_count(whole, isocost, tmp_path):
    """Weighted counts equal the library's; whole weights stay whole numbers, rows of weight 0 do not count."""
    rng = np.random.default_rng(2)
    weight = rng.integers(0, 4, 500) if whole else rng.random(500) * (rng.random(500) < 0.9)
    frame = pd.DataFrame({"y": rng.integers(0, 2, 500), "a": rng.integers(0, 30, 500), "w": weight})
    frame.to_parquet(tmp_path / "w.parquet")
    ran = isocost("count", "w.parquet", "--weight", "w", "-o", "counts.csv")
    assert ran.code == 0, ran.err
    found = read_counts(tmp_path / "counts.csv")["a"]
    expected = ic.ScoreCounts.from_arrays(frame["y"], frame["a"], sample_weight=weight)
    assert found.positives.dtype == expected.positives.dtype == (np.int64 if whole else np.float64)
    np.testing.assert_array_equal(found.scores, expected.scores)
    np.testing.assert_allclose(found.positives, expected.positives, rtol=1e-14)
    np.testing.assert_allclose(found.negatives, expected.negatives, rtol=1e-14)


def test_scores_without_weight_do_not_count(isocost, tmp_path):
    """A score that only rows of weight 0 have is not in the table; -0.0 is 0.0."""
    (tmp_path / "w.csv").write_text("y,a,w\n1,3,1\n0,2,0\n1,-0.0,2\n0,1,0.5\n")
    assert isocost("count", "w.csv", "--weight", "w", "-q").out == (
        "model,score,positives,negatives\na,3.0,1.0,0.0\na,1.0,0.0,0.5\na,0.0,2.0,0.0\n"
    )


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        (["spam", "ham"], ["--positive", "spam"]),
        (["True", "False"], []),
        (["1", "0"], []),
        (["1.0", "0.0"], []),
        (["1", "-1"], []),
        (["2", "1"], ["--positive", "2"]),
        (["0", "1"], ["--positive", "0"]),
    ],
)
def test_labels_of_every_kind(labels, options, isocost, tmp_path):
    """Words need --positive, the usual codings do not."""
    body = "".join(f"{labels[i % 3 > 0]},{i / 2}\n" for i in range(9))
    (tmp_path / "l.csv").write_text("y,a\n" + body)
    assert isocost("count", "l.csv", *options, "-o", "counts.csv").code == 0
    found = read_counts(tmp_path / "counts.csv")["a"]
    assert found == ic.ScoreCounts.from_arrays([i % 3 == 0 for i in range(9)], np.arange(9) / 2)


def test_default_scores_are_the_numeric_columns(isocost, tmp_path, small):
    """Label, weight and fold are no scores; text and unnamed columns are left out, and all of that is stated."""
    small.assign(w=1.0, f=1, note="x").to_csv(tmp_path / "p.csv")
    ran = isocost("choose", "p.csv", "--weight", "w", "--fold", "f")
    assert ran.code == 0
    assert ran.err.startswith(
        "p.csv: 8 rows, 4 with y = 1; models: a, b; left out: (unnamed 1) (whole numbers that count up by 1), note (text)\n"
    )
    assert isocost("choose", "p.csv", "--score", "b", "-q").err == ""


def test_columns_that_are_no_models_are_left_out_with_the_reason(isocost, tmp_path, small):
    """Ids, row numbers, dates, folds and weights by name or by value; fractions under the name of an id are a model."""
    parts, mixed = np.linspace(0, 1, 8), [5, 3, 8, 1, 9, 2, 7, 7]
    small.assign(
        nr=range(8), customer_id=mixed, userId=mixed, Index=mixed, counter=range(100, 108), day=[20240131, 20231224] * 4,
        created_at=mixed, fold=[1, 2] * 4, sample_weight=parts, when=pd.Timestamp("2024-01-31"), bid=parts, model_id=parts,
        hits=mixed,
    ).to_csv(tmp_path / "p.csv", index=False)  # fmt: skip
    ran = isocost("choose", "p.csv")
    assert ran.code == 0
    assert "models: a, b, bid, model_id, hits; left out: " in ran.err
    for reason in (
        "nr (whole numbers that count up by 1)", "customer_id (named like an id)", "userId (named like an id)",
        "Index (named like an id)", "counter (whole numbers that count up by 1)", "day (named like a date)",
        "created_at (named like a date)", "fold (named like a fold)", "sample_weight (a weight)", "when (text)",
    ):  # fmt: skip
        assert reason in ran.err
    assert "model: customer_id\n" in isocost("choose", "p.csv", "--score", "customer_id").err
    data = json.loads(isocost("choose", "p.csv", "--json", "-q").out)["data"]
    assert data["left_out"]["customer_id"] == "named like an id"


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        *((name, [5, 3, 8, 1, 5, 2, 7, 7], "named like an id") for name in ("userid", "order_no", "Kundennummer", "zip", "account", "key")),
        *((name, [5, 3, 8, 1, 5, 2, 7, 7], "named like an id") for name in ("patient", "Customer", "hospital")),
        *((name, [0, 1, 2, 0, 1, 2, 0, 0], "named like a fold") for name in ("kfold", "is_train", "cvgroup", "subset", "CV_fold")),
        *((name, [0.5, 1.5] * 4, "a weight") for name in ("sampleWeight", "wgt", "weight_norm", "W", "exposure", "Gewicht")),
        *((name, [5, 3, 8, 1, 5, 2, 7, 7], "named like a date") for name in ("hour", "createdAt", "ts", "week", "year")),
        ("period", [202401, 202312, 202311, 202402] * 2, "named like a date"),
        ("seen", [1.7e9 + 0.5, 1.6e9 + 0.25] * 4, "numbers above 100,000: ids, dates or amounts"),
        ("seen", [20240131, 20231224] * 4, "numbers above 100,000: ids, dates or amounts"),
        *((name, [0.25, 0.75] * 4, None) for name in ("hybrid", "paid", "week", "dt", "model_no", "invalid", "dataset", "at")),
        *((name, [450, 720, 450, 600, 810, 600, 300, 300], None) for name in ("points", "visits", "claims")),
        ("test", [0, 1] * 4, None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_what_is_no_model_is_told_by_name_or_value(name, values, reason, suffix, tmp_path, small):
    """The same from the library and the command; fractions under such a name, and whole points, may be scores."""
    frame = small.assign(**{name: values})
    path = tmp_path / f"p.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    with open_files(path) as files, open_table(files) as table:
        found = settled(Roles(), table.look, Words())
    assert found.left_out.get(name) == reason
    assert (name in found.scores) == (reason is None)


def test_whole_numbers_that_never_repeat_are_an_id(isocost, tmp_path):
    """Account numbers under any name; the same numbers with some repetition may be scores."""
    rng = np.random.default_rng(0)
    account = rng.permutation(10**5)[:50]
    frame = pd.DataFrame({"y": [0, 1] * 25, "a": rng.random(50), "konto": account, "points": account % 20})
    frame.to_csv(tmp_path / "p.csv", index=False)
    ran = isocost("choose", "p.csv")
    assert "models: a, points; left out: konto (whole numbers, all different)" in ran.err


def test_names_that_look_like_sql_are_just_names(isocost, tmp_path, small):
    """Quotes and brackets in column and file names change nothing."""
    hostile = 'a"; DROP TABLE x; --'
    small.rename(columns={"a": hostile, "b": "it's [bold]b[/bold]"}).to_csv(tmp_path / "o'clock.csv", index=False)
    ran = isocost("choose", "o'clock.csv", "--cost-fn", "2")
    assert ran.code == 0, ran.err
    assert "[bold]b[/bold]" in ran.out
    assert hostile in ran.out


def test_counts_stand_in_for_the_rows(isocost, credit_file):
    """A decision from score counts equals the one from the rows, and what belongs to rows is refused."""
    assert isocost("count", credit_file, "--label", "bad", "-o", "counts.parquet").code == 0
    options = ["--cost-fn", "5", "--prevalence", "0.3", "--resamples", "0", "-q"]
    assert (
        isocost("choose", "counts.parquet", *options).out
        == isocost("choose", credit_file, "--label", "bad", *options).out
    )
    ran = isocost("choose", "counts.parquet", "--label", "bad")
    assert ran.complaint == "--label goes with predictions; counts.parquet holds score counts already"
    ran = isocost("choose", "counts.parquet", "--score", "forest")
    assert ran.complaint.startswith("unknown model (--score) of counts.parquet 'forest': did you mean 'random_forest'")


def test_library_counts_are_read_too(isocost, tmp_path, small):
    """Tables that `ScoreCounts.save` wrote have no model column; the model is then called score."""
    counts = ic.ScoreCounts.from_arrays(small["y"], small["a"])
    for suffix in (".csv", ".parquet"):
        counts.save(tmp_path / f"c{suffix}")
        ran = isocost("count", f"c{suffix}", "-o", "out.csv")
        assert ran.code == 0, ran.err
        assert read_counts(tmp_path / "out.csv") == {"score": counts}


def test_distinct_scores_beyond_the_memory_are_counted_in_buckets(isocost, tmp_path, monkeypatch):
    """Costs and thresholds stay exact; AUC counts the rest as ties."""
    monkeypatch.setattr("isocost.data.count.MOST_ROWS", 2**14)
    monkeypatch.setattr("isocost.data.count.BITS", 14)
    n = 300_000
    rng = np.random.default_rng(0)
    y = rng.random(n) < 0.3
    frame = pd.DataFrame({"y": y.astype(int), "a": rng.normal(y, 1.0)})
    frame.to_parquet(tmp_path / "big.parquet")
    small = ("--memory", "16MB", "-q")
    ran = isocost("choose", "big.parquet", "--cost-fn", "5", "--json", *small)
    assert ran.code == 0, ran.err
    assert (
        json.loads(ran.out)["decision"]
        == json.loads(isocost("choose", "big.parquet", "--cost-fn", "5", "--json", "-q").out)["decision"]
    )
    assert isocost("count", "big.parquet", "-o", "c.parquet", *small).code == 0
    counts = pd.read_parquet(tmp_path / "c.parquet")
    assert (counts["upper"] > counts["score"]).any()
    assert counts["positives"].sum() == y.sum()
    for data in (["big.parquet", *small], ["c.parquet", "-q"]):
        ran = isocost("measure", *data, "-m", "auc", "-m", "voros", "--json")
        assert ran.code == 0, ran.err
        values = json.loads(ran.out)["measures"][0]["values"]
        truth = ic.RocCurve.from_scores(frame["y"], frame["a"])
        assert values["auc"] == pytest.approx(ic.auc(truth), abs=1e-5)
        assert values["voros"] == ic.voros(truth)


def test_counts_with_missing_or_textual_columns(isocost, tmp_path):
    """Damaged tables of counts are explained like damaged predictions."""
    (tmp_path / "null.csv").write_text("model,score,positives,negatives\na,1,,2\na,0,1,2\n")
    assert isocost("choose", "null.csv").complaint == "column 'positives' of null.csv must hold a value in every row"
    (tmp_path / "text.csv").write_text("model,score,positives,negatives\na,1,x,2\na,0,y,2\n")
    assert isocost("choose", "text.csv").complaint == "column 'positives' of text.csv must hold numbers, got VARCHAR"
    (tmp_path / "one.csv").write_text("score,positives,negatives\n1,0,2\n0,0,2\n")
    assert "counts has no positive case" in isocost("choose", "one.csv").complaint


def test_gzip_is_told_by_its_content(isocost, tmp_path, small):
    """The suffix does not matter."""
    (tmp_path / "p.data").write_bytes(gzip.compress(small.to_csv(index=False).encode()))
    assert isocost("choose", "p.data").code == 0

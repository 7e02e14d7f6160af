import pandas as pd


def test_shards_counted_and_merged_are_the_whole(isocost, credit, credit_file, tmp_path):
    """Counts of three shards in three formats add up to exactly the counts of all rows."""
    for i, suffix in enumerate((".csv", ".csv", ".csv")):
        credit.iloc[i::3].to_csv(tmp_path / f"shard{i}.csv", index=False)
        assert isocost("count", f"shard{i}.csv", "--label", "bad", "-o", f"part{i}{suffix}").code == 0
    assert isocost("count", credit_file, "--label", "bad", "-o", "whole.csv").code == 0
    ran = isocost("merge", "part*.csv", "-o", "sum.csv")
    assert ran.code == 0, ran.err
    assert (tmp_path / "sum.csv").read_text() == (tmp_path / "whole.csv").read_text()
    assert isocost("merge", "part0.csv", "part1.csv", "part2.csv", "-q").out == (tmp_path / "whole.csv").read_text()


def test_every_format_of_counts_reads_back(isocost, credit_file, tmp_path):
    """Parquet and CSV hold the same table."""
    texts = set()
    for suffix in (".parquet", ".csv"):
        assert isocost("count", credit_file, "--label", "bad", "-o", f"c{suffix}").code == 0
        texts.add(isocost("merge", f"c{suffix}", "-q").out)
    assert len(texts) == 1
    assert pd.read_parquet(tmp_path / "c.parquet").columns.tolist() == ["model", "score", "positives", "negatives"]


def test_models_can_be_kept(isocost, credit_file):
    """--score keeps only these models."""
    assert isocost("count", credit_file, "--label", "bad", "-o", "c.parquet").code == 0
    out = isocost("merge", "c.parquet", "--score", "naive_bayes", "-q").out
    assert {line.split(",")[0] for line in out.splitlines()[1:]} == {"naive_bayes"}


def test_predictions_are_not_merged(isocost, credit_file):
    """Rows are counted first; the line says how."""
    ran = isocost("merge", credit_file, "-o", "c.parquet")
    assert ran.code == 2
    assert "bad" in ran.complaint or "isocost count" in ran.complaint

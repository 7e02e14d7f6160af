import numpy as np
import pytest

import isocost as ic
from isocost.data import counts as storage
from isocost.errors import InputError


def counts(seed=0):
    """A table of whole counts."""
    rng = np.random.default_rng(seed)
    return ic.ScoreCounts.from_arrays(rng.integers(0, 2, 300), np.round(rng.random(300), 2))


def flipped(file, seed, tries=400):
    """Write a file with one bit of it changed, again and again."""
    whole = file.read_bytes()
    rng = np.random.default_rng(seed)
    for place in rng.integers(0, len(whole), tries).tolist():
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        file.write_bytes(damaged)
        yield


@pytest.mark.parametrize("upper", [False, True], ids=["scores", "buckets"])
def test_a_flipped_bit_is_an_error_or_changes_nothing(upper, tmp_path):
    """Damage never loads as other counts, and never as an error of another library; the names of columns are part of it."""
    table, file = counts(), tmp_path / "counts.parquet"
    if upper:
        table = ic.ScoreCounts(table.scores, table.positives, table.negatives, table.scores + 0.005)
    table.save(file)
    refused = 0
    for _ in flipped(file, 2):
        try:
            assert ic.ScoreCounts.load(file) == table
        except InputError as error:
            assert str(error).startswith(file.name)  # noqa: PT017 - most flips are errors, some hit nothing that is read
            refused += 1
    assert refused > 100


def test_a_file_cut_short_is_refused(tmp_path):
    """At any length."""
    file = tmp_path / "counts.parquet"
    counts().save(file)
    whole = file.read_bytes()
    for size in np.linspace(0, len(whole) - 1, 40).astype(int).tolist():
        file.write_bytes(whole[:size])
        with pytest.raises(InputError, match=file.name):
            ic.ScoreCounts.load(file)


def test_a_damaged_csv_is_counts_or_an_error_of_ours(tmp_path):
    """Plain text carries no checksum, but whatever stands in it is checked."""
    file = tmp_path / "counts.csv"
    counts().save(file)
    for _ in flipped(file, 3):
        try:
            assert isinstance(ic.ScoreCounts.load(file), ic.ScoreCounts)
        except InputError:
            continue


def test_a_parquet_table_made_elsewhere_is_read(tmp_path):
    """A query can write the three columns; others are not guessed at."""
    import pandas as pd

    frame = pd.DataFrame({"score": [0.4, 0.9], "positives": [1, 2], "negatives": [3, 0]})
    frame.to_parquet(tmp_path / "c.parquet")
    assert ic.ScoreCounts.load(tmp_path / "c.parquet") == ic.ScoreCounts([0.9, 0.4], [2, 1], [0, 3])
    frame.assign(weight=1.0).to_parquet(tmp_path / "c.parquet")
    with pytest.raises(InputError, match=r"its columns must be score, positives, negatives, got score, .*, weight"):
        ic.ScoreCounts.load(tmp_path / "c.parquet")


def test_an_empty_table_is_kept_in_every_form(tmp_path):
    """A site without cases yet."""
    for suffix in storage.SUFFIXES:
        ic.ScoreCounts.empty().save(tmp_path / f"none{suffix}")
        assert ic.ScoreCounts.load(tmp_path / f"none{suffix}") == ic.ScoreCounts.empty()


def test_damaged_tables_of_the_command_are_noticed(tmp_path):
    """They hold the counts of several models, and carry the same checksums."""
    file = tmp_path / "tables.parquet"
    storage.save(file, storage.stacked({"a": counts(), "b": counts(4)}))
    assert set(storage.load(file)["model"]) == {"a", "b"}
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 4] ^= 1
    file.write_bytes(whole)
    with pytest.raises(InputError, match=r"tables\.parquet could not be read"):
        storage.load(file)

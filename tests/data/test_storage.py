import numpy as np
import pytest

import isocost as ic
from isocost.data import counts as storage
from isocost.errors import InputError


def counts(seed=0):
    """A table of whole counts with buckets."""
    rng = np.random.default_rng(seed)
    return ic.ScoreCounts.from_arrays(rng.integers(0, 2, 300), np.round(rng.random(300), 2))


FORMS = [(counts, ic.ScoreCounts, ".npz"), (counts, ic.ScoreCounts, ".parquet")]


@pytest.mark.parametrize(("make", "kind", "suffix"), FORMS)
def test_a_flipped_byte_is_an_error_or_changes_nothing(make, kind, suffix, tmp_path):
    """Damage never loads as other counts, and never as an error of somebody else's."""
    table, file = make(), tmp_path / f"counts{suffix}"
    table.save(file)
    whole = file.read_bytes()
    rng = np.random.default_rng(2)
    refused = 0
    for place in rng.integers(0, len(whole), 400).tolist():
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        file.write_bytes(damaged)
        try:
            assert kind.load(file) == table
        except InputError as error:
            assert str(error).startswith(file.name)  # noqa: PT017 - most flips are errors, some hit nothing that is read
            refused += 1
    assert refused > 100


@pytest.mark.parametrize(("make", "kind", "suffix"), FORMS)
def test_a_file_cut_short_is_refused(make, kind, suffix, tmp_path):
    """At any length."""
    file = tmp_path / f"counts{suffix}"
    make().save(file)
    whole = file.read_bytes()
    for size in np.linspace(0, len(whole) - 1, 40).astype(int).tolist():
        file.write_bytes(whole[:size])
        with pytest.raises(InputError, match=file.name):
            kind.load(file)


def test_a_damaged_csv_is_counts_or_an_error_of_ours(tmp_path):
    """Plain text carries no checksum, but whatever stands in it is checked."""
    file = tmp_path / "counts.csv"
    counts().save(file)
    whole = file.read_bytes()
    rng = np.random.default_rng(3)
    for place in rng.integers(0, len(whole), 400).tolist():
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        file.write_bytes(damaged)
        try:
            assert isinstance(ic.ScoreCounts.load(file), ic.ScoreCounts)
        except InputError:
            continue


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_other_numbers_under_the_old_checksum_are_refused(suffix, tmp_path, monkeypatch):
    """A file that is sound as a file, but whose numbers are not those that were saved."""
    monkeypatch.setattr(storage, "checksum", lambda _: "0" * 64)
    counts().save(tmp_path / f"counts{suffix}")
    monkeypatch.undo()
    with pytest.raises(InputError, match="is damaged: its checksum is not that of its score counts; save them again"):
        ic.ScoreCounts.load(tmp_path / f"counts{suffix}")


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_a_later_form_is_refused(suffix, tmp_path, monkeypatch):
    """It might mean other things by the same columns."""
    monkeypatch.setattr(storage, "VERSION", 2)
    counts().save(tmp_path / f"counts{suffix}")
    monkeypatch.undo()
    with pytest.raises(InputError, match="of form 2, this isocost reads up to 1: install a newer one"):
        ic.ScoreCounts.load(tmp_path / f"counts{suffix}")


def test_an_npz_without_checksum_is_none_of_ours(tmp_path):
    """Only isocost writes counts as .npz."""
    np.savez(tmp_path / "other.npz", score=[0.5], positives=[1], negatives=[1])
    with pytest.raises(InputError, match="could not be read as score counts: KeyError: 'isocost_version'"):
        ic.ScoreCounts.load(tmp_path / "other.npz")


def test_a_parquet_table_made_elsewhere_is_read(tmp_path):
    """A query can write the three columns; it carries no checksum to compare with."""
    import pandas as pd

    pd.DataFrame({"score": [0.4, 0.9], "positives": [1, 2], "negatives": [3, 0]}).to_parquet(tmp_path / "c.parquet")
    assert ic.ScoreCounts.load(tmp_path / "c.parquet") == ic.ScoreCounts([0.9, 0.4], [2, 1], [0, 3])


def test_an_empty_table_is_kept_in_every_form(tmp_path):
    """A site without cases yet."""
    for suffix in (".npz", ".parquet", ".csv"):
        ic.ScoreCounts.empty().save(tmp_path / f"none{suffix}")
        assert ic.ScoreCounts.load(tmp_path / f"none{suffix}") == ic.ScoreCounts.empty()


def test_the_checksum_does_not_depend_on_the_platform():
    """Neither on byte order nor on memory layout, but on every number, name and type."""
    columns = {"score": np.array([0.5, 0.25]), "positives": np.array([1, 2])}
    same = {"positives": np.array([1, 9, 2, 9], dtype=">i8")[::2], "score": np.array([0.5, 0.25], dtype=">f8")}
    assert storage.checksum(columns) == storage.checksum(same)
    others = [
        {**columns, "score": np.array([0.25, 0.5])},
        {**columns, "positives": np.array([1.0, 2.0])},
        {"scores": columns["score"], "positives": columns["positives"]},
    ]
    assert len({storage.checksum(other) for other in [columns, *others]}) == 4


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_tables_of_the_command_are_verified(suffix, tmp_path, monkeypatch):
    """They hold the counts of several models, and carry the same seal."""
    file = tmp_path / f"tables{suffix}"
    storage.save(file, storage.stacked({"a": counts(), "b": counts(4)}))
    assert set(storage.load(file)["model"]) == {"a", "b"}
    monkeypatch.setattr(storage, "checksum", lambda _: "0" * 64)
    storage.save(file, storage.stacked({"a": counts()}))
    monkeypatch.undo()
    with pytest.raises(InputError, match=f"tables{suffix} is damaged"):
        storage.load(file)

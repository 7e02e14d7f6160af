import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError, MissingDependencyError
from strategies import samples


def written(folder, text):
    """A file with this text."""
    (file := folder / "text.csv").write_text(text, encoding="utf-8")
    return file


def test_counts_are_one_row_per_distinct_score_descending():
    """The table, by eye."""
    counts = ic.ScoreCounts.from_arrays([1, 0, 1, 0, 1], [0.4, 0.4, 0.9, 0.1, 0.4])
    assert counts.scores.tolist() == [0.9, 0.4, 0.1]
    assert counts.positives.tolist() == [1, 2, 0]
    assert counts.negatives.tolist() == [0, 1, 1]
    assert counts.positives.dtype == np.int64
    assert len(counts) == 3


@given(samples(), st.randoms(use_true_random=False))
def test_row_order_does_not_matter(sample, random):
    """Any permutation of the rows gives the same table."""
    order = list(range(sample.y.size))
    random.shuffle(order)
    weights = None if sample.w is None else sample.w[order]
    counts = ic.ScoreCounts.from_arrays(sample.y, sample.s, sample_weight=sample.w)
    shuffled = ic.ScoreCounts.from_arrays(sample.y[order], sample.s[order], sample_weight=weights)
    assert np.array_equal(counts.scores, shuffled.scores)
    assert shuffled.positives == pytest.approx(counts.positives, rel=1e-14)


@given(samples(weighted=("whole",)))
def test_whole_weights_are_repetitions(sample):
    """A weight of 3 is the row three times, a weight of 0 no row at all; the counts stay integers."""
    weighted = ic.ScoreCounts.from_arrays(sample.y, sample.s, sample_weight=sample.w)
    times = sample.w.astype(int)
    repeated = ic.ScoreCounts.from_arrays(np.repeat(sample.y, times), np.repeat(sample.s, times))
    assert weighted == repeated
    assert weighted.positives.dtype == np.int64


@given(samples(weighted=(None, "real")), samples(weighted=(None, "real")))
def test_merging_parts_gives_the_whole(one, other):
    """Counts of two parts add up to the counts of all rows, in either order."""
    parts = (one, other)
    weights = [np.ones(p.y.size) if p.w is None else p.w for p in parts]
    a, b = (ic.ScoreCounts.from_arrays(p.y, p.s, sample_weight=p.w) for p in parts)
    y, s = (np.concatenate([getattr(p, name) for p in parts]) for name in ("y", "s"))
    whole = ic.ScoreCounts.from_arrays(y, s, sample_weight=np.concatenate(weights))
    assert np.array_equal((a + b).scores, whole.scores)
    assert (a + b).positives == pytest.approx(whole.positives, rel=1e-14)
    assert (a + b).negatives == pytest.approx(whole.negatives, rel=1e-14)
    assert a + b == b + a


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        ([1, 0, 1, 0], None),
        ([1, -1, 1, -1], None),
        ([True, False, True, False], None),
        ([1.0, 0.0, 1.0, 0.0], None),
        (["bad", "good", "bad", "good"], "bad"),
        ([2, 1, 2, 1], 2),
        ([0, 1, 0, 1], 0),
        (np.array(["y", "n", "y", "n"], dtype=object), "y"),
        (np.array([True, False, True, False], dtype=object), None),
    ],
    ids=str,
)
def test_label_coding_does_not_matter(labels, pos_label):
    """The same rows under every coding of the labels give the same table."""
    reference = ic.ScoreCounts.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.2])
    assert ic.ScoreCounts.from_arrays(labels, [0.9, 0.7, 0.7, 0.2], pos_label=pos_label) == reference


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.int64, np.uint8, np.bool_, object])
def test_scores_of_any_numeric_type_are_taken(dtype):
    """Values that fit the type give the same table as float64."""
    values = [1, 0, 1, 1]
    counts = ic.ScoreCounts.from_arrays([1, 0, 1, 0], np.array(values).astype(dtype))
    assert counts == ic.ScoreCounts.from_arrays([1, 0, 1, 0], [1.0, 0.0, 1.0, 1.0])


@pytest.mark.parametrize("dtype", [">f8", "<f8", ">f4", "<f4", ">f2", ">i8"])
def test_scores_of_either_byte_order_are_the_same_numbers(dtype):
    """Numbers from a big-endian file rank like any others."""
    values = [0.5, 2, 1, 3, 4, 256, 0.25, 8]
    labels = [1, 0, 1, 0, 1, 1, 0, 0]
    counts = ic.ScoreCounts.from_arrays(labels, np.array(values).astype(dtype))
    assert counts == ic.ScoreCounts.from_arrays(labels, np.array(values).astype(dtype).astype(float))


def test_signed_zero_scores_order_like_numbers():
    """-0.0 ties with 0.0."""
    counts = ic.ScoreCounts.from_arrays([1, 0, 1, 0, 1], [1e300, -1e300, 0.0, -0.0, 5e-324])
    assert counts.scores.tolist() == [1e300, 5e-324, 0.0, -1e300]
    assert counts.positives.tolist() == [1, 1, 1, 0]
    assert counts.negatives.tolist() == [0, 0, 1, 1]
    assert not np.signbit(counts.scores[2])


def test_anything_with_an_array_interface_is_taken():
    """Pandas and Polars columns, and objects with __array__."""
    import pandas as pd
    import polars as pl

    y, s = [1, 0, 1, 0], [0.9, 0.7, 0.7, 0.2]
    reference = ic.ScoreCounts.from_arrays(y, s)
    for series in (pd.Series, pl.Series):
        assert ic.ScoreCounts.from_arrays(series(y), series(s)) == reference

    class Tensor:
        def __array__(self, dtype=None, copy=None):
            return np.array(s, dtype=dtype, copy=copy)

    assert ic.ScoreCounts.from_arrays(y, Tensor()) == reference


@given(samples())
def test_text_form_reads_back_exactly(sample):
    """To the last bit."""
    counts = ic.ScoreCounts.from_arrays(sample.y, sample.s, sample_weight=sample.w)
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder, "counts.csv")).write_text(counts.to_text(), encoding="utf-8")
        assert ic.ScoreCounts.load(file) == counts


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_saved_tables_load_exactly(tmp_path, suffix):
    """In each format, integers staying integers."""
    for weights in (None, [0.5, 1.5, 0.1, 0.25]):
        counts = ic.ScoreCounts.from_arrays([1, 0, 1, 0], [0.1 + 0.2, -1e300, 1 / 3, 1e-300], sample_weight=weights)
        counts.save(tmp_path / f"counts{suffix}")
        loaded = ic.ScoreCounts.load(tmp_path / f"counts{suffix}")
        assert loaded == counts
        assert (loaded.positives.dtype == np.int64) == (weights is None)


def test_without_pyarrow_parquet_names_the_extra(tmp_path, monkeypatch):
    """The message says who needs what and how to get it."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    counts = ic.ScoreCounts.from_arrays([1, 0], [1, 0])
    with pytest.raises(
        MissingDependencyError, match=r"ScoreCounts.save needs the package 'pyarrow'.*pip install 'isocost\[duckdb\]'"
    ):
        counts.save(tmp_path / "c.parquet")
    assert not list(tmp_path.iterdir())


def test_tables_cannot_be_changed():
    """Counts are shared between curves: nobody may write into them."""
    counts = ic.ScoreCounts.from_arrays([1, 0], [1, 0])
    with pytest.raises(ValueError, match="read-only"):
        counts.positives[0] = 5


BIG = np.array([2**53, 2**53 + 1])


@pytest.mark.parametrize(
    ("y", "s", "options", "message"),
    [
        ([1, 1, 1], [1, 2, 3], {}, r"holds only one class, 1"),
        ([0, 0], [1, 2], {}, r"holds only one class, 0"),
        ([False, False], [1, 2], {}, r"holds only one class, False"),
        ([0, 1, 2], [1, 2, 3], {}, r"3 classes \(0, 1, 2\).*isocost needs two"),
        (
            ["a", "b"],
            [1, 2],
            {},
            r"positive\? y_true holds 'a' \(1 case\) and 'b' \(1 case\); say which to detect: pos_label='a' or pos_label='b'",
        ),
        ([1, 2], [1, 2], {}, r"which class is positive\? y_true holds 1 \(1 case\) and 2 \(1 case\)"),
        (["a", "b"], [1, 2], {"pos_label": "c"}, r"pos_label 'c' is not among the classes of y_true: 'a', 'b'"),
        ([1, 0, np.nan], [1, 2, 3], {}, r"y_true is missing .*1 of 3 rows, the first is row 3"),
        (["a", None, "b"], [1, 2, 3], {"pos_label": "a"}, r"y_true is missing .*the first is row 2"),
        ([1, 0, 1], [np.nan, 1, np.nan], {}, r"y_score is missing .*2 of 3 rows, the first is row 1"),
        ([1, 0], [None, 1], {}, r"y_score is missing .*1 of 2"),
        ([1, 0], ["high", "low"], {}, r"y_score must hold numbers, got dtype <U4 \(first value .*'high'"),
        ([1, 0], [1j, 2], {}, r"y_score must hold numbers"),
        (
            [1, 0, 1],
            np.ma.array([1.0, 2, 3], mask=[0, 1, 0]),
            {},
            r"y_score is missing in 1 of 3 rows, the first is row 2",
        ),
        (
            np.ma.array([1, 0, 1], mask=True),
            [1, 2, 3],
            {},
            r"y_true is missing in 3 of 3 rows",
        ),
        (
            [1, 0],
            BIG,
            {},
            r"do not fit float64 exactly in 1 of 2 rows, the first is row 2 \(counting from 1\), with 9007199254740993",
        ),
        ([1, 0, 1], [1, 2], {}, r"y_true has shape \(3,\), y_score has shape \(2,\)"),
        ([1, 0], [[1, 2], [3, 4]], {}, r"y_score must be one-dimensional, got shape \(2, 2\).*p\[:, 1\]"),
        ([[1, 0]], [1, 2], {}, r"y_true must be one-dimensional, got shape \(1, 2\)"),
        ([], [], {}, r"y_true is empty \(shape \(0,\)\)"),
        (
            [1, 0],
            [1, 2],
            {"sample_weight": [1, -1]},
            r"sample_weight must be finite and not negative, and is not in 1 of 2 rows, the first is row 2 \(counting from 1\), with -1.0",
        ),
        ([1, 0], [1, 2], {"sample_weight": [np.nan, 1]}, r"sample_weight is missing in 1 of 2 rows"),
        ([1, 0], [1, 2], {"sample_weight": [np.inf, 1]}, r"sample_weight must be finite.*with inf"),
        ([1, 0], [1, 2], {"sample_weight": [0, 1]}, r"sample_weight of the positive class sums to 0"),
        ([1, 0], [1, 2], {"sample_weight": [1, 1, 1]}, r"sample_weight has shape \(3,\)"),
        ([1, 0], [1, 2], {"sample_weight": ["a", "b"]}, r"sample_weight must hold numbers"),
        (
            [1, 0],
            [1, 2],
            {"sample_weight": np.array([1, "b"], dtype=object)},
            r"sample_weight must hold numbers, got 'b' ",
        ),
    ],
)
def test_bad_data_is_refused_with_what_came_and_where(y, s, options, message):
    """Never a silent repair."""
    with pytest.raises(InputError, match=message):
        ic.ScoreCounts.from_arrays(y, s, **options)


def test_bad_tables_and_files_are_refused(tmp_path):
    """Tables that are not score counts, unknown suffixes, missing files."""
    with pytest.raises(InputError, match="distinct and descending"):
        ic.ScoreCounts([1.0, 2.0], [1, 1], [1, 1])
    with pytest.raises(InputError, match="counts has no positive case"):
        ic.RocCurve.from_counts(ic.ScoreCounts([2.0, 1.0], [0, 0], [1, 1]))
    with pytest.raises(InputError, match="upper must be at least the score of its row"):
        ic.ScoreCounts([2.0, 1.0], [0, 1], [1, 1], upper=[2.0, 2.0])
    with pytest.raises(InputError, match="negatives must be finite counts"):
        ic.ScoreCounts([2.0, 1.0], [0, 1], [1, -1])
    with pytest.raises(
        InputError,
        match="the text is not a score count table: its columns must be score, positives, negatives, got a, b",
    ):
        ic.ScoreCounts.load(written(tmp_path, "a,b\n1,2\n"))
    with pytest.raises(InputError, match="not a score count table"):
        ic.ScoreCounts.load(written(tmp_path, "score,positives,negatives\n1,x,2\n"))
    with pytest.raises(InputError, match=r"ends with .parquet or .csv"):
        ic.ScoreCounts.from_arrays([1, 0], [1, 0]).save(tmp_path / "c.xlsx")
    with pytest.raises(InputError, match=r"nothing.parquet could not be read as score counts: FileNotFoundError: .*"):
        ic.ScoreCounts.load(tmp_path / "nothing.parquet")
    for name in ("broken.parquet", "broken.csv"):
        (tmp_path / name).write_bytes(b"\xff\x00 not a table")
        with pytest.raises(InputError, match=f"{name} could not be read|not a score count table"):
            ic.ScoreCounts.load(tmp_path / name)
    import pandas as pd

    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "other.parquet")
    with pytest.raises(InputError, match="its columns must be score, positives, negatives, got a"):
        ic.ScoreCounts.load(tmp_path / "other.parquet")


@given(samples(), st.integers(1, 5), st.randoms(use_true_random=False))
def test_batches_in_any_order_give_the_whole(sample, size, random):
    """`update` over batches, some of one class only, equals counting everything, and equals adding parts counted apart."""
    starts = list(range(0, sample.y.size, size))
    random.shuffle(starts)
    streamed, added = ic.ScoreCounts.empty(), ic.ScoreCounts.empty()
    for start in starts:
        part = slice(start, start + size)
        weights = None if sample.w is None else sample.w[part]
        batch = (sample.y[part], sample.s[part])
        streamed = streamed.update(*batch, sample_weight=weights, pos_label=1)
        added = ic.ScoreCounts.empty().update(*batch, sample_weight=weights, pos_label=1) + added
    whole = ic.ScoreCounts.from_arrays(sample.y, sample.s, sample_weight=sample.w)
    for counts in (streamed, added):
        assert np.array_equal(counts.scores, whole.scores)
        assert counts.positives == pytest.approx(whole.positives, rel=1e-12)
        assert counts.negatives == pytest.approx(whole.negatives, rel=1e-12)


def test_tensors_are_taken_off_their_graph_and_device():
    """Tensors that must be detached and copied to the host first, and those that only speak DLPack."""

    class Tensor:
        def __init__(self, values, steps=()):
            self.values, self.steps = np.asarray(values), steps

        def detach(self):
            return Tensor(self.values, (*self.steps, "detach"))

        def cpu(self):
            return Tensor(self.values, (*self.steps, "cpu"))

        def __array__(self, dtype=None, copy=None):
            if self.steps != ("detach", "cpu"):
                raise RuntimeError("call detach() and cpu() first")
            return np.array(self.values, dtype=dtype, copy=copy)

    class Capsule:
        def __init__(self, values):
            self.values = np.asarray(values)

        def __dlpack__(self, **options):
            return self.values.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    y, s = [1, 0, 1, 0], [0.9, 0.7, 0.7, 0.2]
    reference = ic.ScoreCounts.from_arrays(y, s)
    for kind in (Tensor, Capsule):
        assert ic.ScoreCounts.empty().update(kind(y), kind(s)) == reference


def test_merging_buckets_joins_those_that_overlap():
    """No case is lost, what does not overlap stays apart, and the order of merging does not matter."""
    a = ic.ScoreCounts([5.0, 2.0, 0.0], [1, 2, 1], [1, 0, 3], upper=[6.0, 3.0, 0.0])
    b = ic.ScoreCounts([5.5, 3.0, -1.0], [1, 1, 1], [1, 1, 2], upper=[5.5, 4.0, -0.5])
    merged = a + b
    assert merged.scores.tolist() == [5.0, 2.0, 0.0, -1.0]
    assert merged.upper.tolist() == [6.0, 4.0, 0.0, -0.5]
    assert merged.positives.tolist() == [2, 3, 1, 1]
    assert merged.negatives.tolist() == [2, 1, 3, 2]
    assert merged == b + a
    assert not merged.exact
    assert "2 distinct scores and 2 buckets" not in repr(merged)
    assert repr(merged).startswith("<ScoreCounts: 1 distinct score and 3 buckets")


@given(st.sets(st.integers(0, 30), min_size=2), st.sets(st.integers(0, 30), min_size=1))
def test_merged_buckets_are_those_of_joining_one_by_one(ends, singles):
    """Whatever lies inside of what: the rows of both tables, joined until none overlap."""
    edges = sorted(map(float, ends), reverse=True)[: len(ends) // 2 * 2]
    high, low, single = edges[::2], edges[1::2], sorted(map(float, singles), reverse=True)
    wide = ic.ScoreCounts(low, [1] * len(low), [2] * len(low), upper=high)
    listed = ic.ScoreCounts(single, [3] * len(single), [0] * len(single))
    joined = []
    for row in [*((a, b, 1, 2) for a, b in zip(low, high, strict=True)), *((a, a, 3, 0) for a in single)]:
        apart = [one for one in joined if one[1] < row[0] or row[1] < one[0]]
        columns = zip(row, *(one for one in joined if one not in apart), strict=True)
        joined = [*apart, tuple(how(values) for how, values in zip((min, max, sum, sum), columns, strict=True))]
    merged = wide + listed
    upper = merged.scores if merged.exact else merged.upper
    rows = zip(*(column.tolist() for column in (merged.scores, upper, merged.positives, merged.negatives)), strict=True)
    assert list(rows) == sorted(joined, reverse=True)


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_buckets_are_saved_and_loaded(tmp_path, suffix):
    """Their upper ends come back too."""
    counts = ic.ScoreCounts([5.0, 2.0, -9.0], [1, 2, 1], [1, 0, 3], upper=[7.0, 3.0, -9.0])
    counts.save(tmp_path / f"c{suffix}")
    assert ic.ScoreCounts.load(tmp_path / f"c{suffix}") == counts


@pytest.mark.parametrize(
    "column",
    [
        np.array([2**61, 2**61, 1]),
        np.array([2**63, 1, 1], dtype=np.uint64),
        np.array([1e308, 1e308, 1]),
    ],
    ids=["int64", "uint64", "float64"],
)
def test_counts_that_cannot_be_added_are_refused(column):
    """Before any sum of them goes round the end, or becomes infinite."""
    with pytest.raises(InputError, match="the sum of negatives must be between 0 and"):
        ic.ScoreCounts([3.0, 2.0, 1.0], [1, 1, 1], column)


def test_public_attributes_are_few():
    """What merges and makes tables is the package's own business."""
    assert len([name for name in dir(ic.ScoreCounts.empty()) if not name.startswith("_")]) <= 21


@pytest.mark.parametrize("pos_label", [[0, 1], np.zeros(3), (1,)])
def test_a_batch_of_one_class_takes_one_positive_label(pos_label):
    """Several would be compared with the labels one by one."""
    with pytest.raises(InputError, match="pos_label must be one label"):
        ic.ScoreCounts([0.5], [1], [0]).update([0.0, 0.0, 0.0], [0.1, 0.2, 0.3], pos_label=pos_label)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError

SCORES = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=30)


@given(SCORES, SCORES)
def test_unlabelled_tables_add_like_their_cases(one, other):
    """Counting apart and adding is counting together; the order does not matter."""
    a, b = ic.ScoreCounts.from_unlabelled(one), ic.ScoreCounts.from_unlabelled(other)
    assert a + b == b + a == ic.ScoreCounts.from_unlabelled([*one, *other])
    assert (a + b).unlabelled.sum() == len(one) + len(other)


@given(SCORES)
def test_labelled_and_unlabelled_cases_live_in_one_table(new):
    """The curve of such a table is that of its labelled cases alone."""
    labelled = ic.ScoreCounts.from_arrays([1, 0, 1, 0], [2.5, 1.0, 1.0, -1.0])
    both = labelled + ic.ScoreCounts.from_unlabelled(new)
    assert both.positives.sum() == both.negatives.sum() == 2
    mine, theirs = ic.RocCurve.from_counts(both), ic.RocCurve.from_counts(labelled)
    assert mine.thresholds.tolist() == theirs.thresholds.tolist()
    assert (mine.fp.tolist(), mine.tp.tolist()) == (theirs.fp.tolist(), theirs.tp.tolist())


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_unlabelled_counts_are_saved_and_loaded(suffix, tmp_path):
    """With and without labelled cases, and with buckets."""
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    plain = ic.ScoreCounts.from_unlabelled([0.5, 0.5, 0.25], sample_weight=[1, 2, 0.5])
    buckets = ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3], [1.0, 0.4], [7, 0])
    for table in (plain, buckets):
        table.save(tmp_path / f"counts{suffix}")
        back = ic.ScoreCounts.load(tmp_path / f"counts{suffix}")
        assert back == table
        assert back.unlabelled.tolist() == table.unlabelled.tolist()


def test_no_unlabelled_cases_are_none():
    """A column of zeros says nothing, and tables with and without it are equal."""
    assert ic.ScoreCounts([1.0, 0.0], [1, 0], [0, 1], unlabelled=[0, 0]).unlabelled is None
    assert ic.ScoreCounts([1.0, 0.0], [1, 0], [0, 1], unlabelled=[0, 0]) == ic.ScoreCounts([1.0, 0.0], [1, 0], [0, 1])


def test_weights_of_unlabelled_cases_are_repetitions_or_fractions():
    """Whole numbers stay whole; a weight of 0 is no case."""
    counts = ic.ScoreCounts.from_unlabelled([1.0, 2.0, 2.0], sample_weight=[2, 3, 0])
    assert counts.unlabelled.tolist() == [3, 2]
    assert counts.unlabelled.dtype == np.int64


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ic.RocCurve.from_counts(ic.ScoreCounts.from_unlabelled([1.0, 2.0])), "counts has no positive case"),
        (lambda: ic.ScoreCounts.from_unlabelled([1.0, np.nan]), "missing"),
        (lambda: ic.ScoreCounts.from_unlabelled([]), "empty"),
        (lambda: ic.ScoreCounts([1.0], [1], [1], unlabelled=[-1]), "unlabelled must be finite counts"),
        (lambda: ic.ScoreCounts([1.0], [1], [1], unlabelled=[1, 2]), "different lengths"),
    ],
)
def test_bad_unlabelled_cases_are_named(call, message):
    """Each refusal says what is wrong."""
    with pytest.raises(InputError, match=message):
        call()


def test_a_histogram_needs_both_classes():
    """Unlabelled cases alone have no shares of classes to draw."""
    pytest.importorskip("matplotlib")
    with pytest.raises(InputError, match="a histogram shows shares of both"):
        ic.ScoreCounts.from_unlabelled([1.0, 2.0]).plot()

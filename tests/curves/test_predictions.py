"""One crisp classifier from true and predicted labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

import isocost as ic
from strategies import samples


@given(samples(), st.sampled_from([(0, 1), (-1, 1), (False, True), ("good", "bad")]))
def test_predictions_are_counted_as_in_a_confusion_matrix(sample, words):
    """scikit-learn's cells, for any two words for the classes, weighted or not."""
    y = np.array(words)[sample.y]
    said = np.array(words)[(sample.s > 0.5).astype(int)]
    curve = ic.RocCurve.from_predictions(
        y, said, sample_weight=sample.w, pos_label=words[1] if words[1] == "bad" else None
    )
    (tn, fp), (fn, tp) = confusion_matrix(y, said, labels=list(words), sample_weight=sample.w)
    expected = ic.RocCurve.from_confusion(tp, fn, fp, tn)
    assert curve.fp == pytest.approx(expected.fp)
    assert curve.tp == pytest.approx(expected.tp)
    assert (curve.positives, curve.negatives) == pytest.approx((expected.positives, expected.negatives))


def test_whole_counts_stay_whole():
    """So that the hull is exact."""
    curve = ic.RocCurve.from_predictions([1, 1, 0, 0, 0], [1, 0, 0, 1, 0], sample_weight=[1, 2, 3, 1, 1])
    assert curve.tp.dtype.kind == curve.fp.dtype.kind == "i"
    assert (curve.positives, curve.negatives) == (3, 5)


def test_predictions_in_another_coding_are_refused():
    """A word that is no label of y_true, with its place and a hint."""
    with pytest.raises(
        ic.IsocostError,
        match=r"y_pred holds .*0\.7.*, which is no label of y_true: 1 of 3 rows, the first is row 2 \(counting from 1\); for scores",
    ):
        ic.RocCurve.from_predictions([1, 0, 1], [1.0, 0.7, 0.0])
    with pytest.raises(ic.IsocostError, match="which is no label of y_true: 3 of 3 rows, the first is row 1"):
        ic.RocCurve.from_predictions([1, 0, 1], ["yes", "no", "no"])


def test_missing_predictions_and_lengths_are_refused():
    """As everywhere."""
    with pytest.raises(ic.IsocostError, match=r"y_pred is missing in 1 of 2 rows, the first is row 1"):
        ic.RocCurve.from_predictions([1, 0], [np.nan, 1])
    with pytest.raises(ic.IsocostError, match=r"different lengths: y_true has shape \(2,\), y_pred has shape \(1,\)"):
        ic.RocCurve.from_predictions([1, 0], [1])

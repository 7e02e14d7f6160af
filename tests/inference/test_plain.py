import numpy as np
import pytest

from isocost.errors import InputError
from isocost.inference import resample as module
from isocost.inference.resample import PlainResampler, Sample


def plain(y, entropy=(0,), **changes):
    """A resampler of single rows within their classes."""
    y = np.asarray(y, dtype=bool)
    parts = {
        "unit": np.arange(y.size),
        "strata": (np.flatnonzero(~y), np.flatnonzero(y)),
        "parts": np.zeros(y.size, dtype=int),
        "weights": None,
    } | changes
    return PlainResampler(Sample(y, parts["unit"], parts["strata"], parts["parts"], parts["weights"], entropy))


def drawn(resampler, start, stop):
    """All replicates from start to stop in one array."""
    return np.concatenate(list(resampler.draws(start, stop)))


def test_class_totals_stay_fixed():
    """Every resample has as many positives and negatives as the data."""
    y = np.array([1, 0, 0, 1, 0, 0, 0])
    times = drawn(plain(y), 0, 50)
    assert np.all(times[:, y == 1].sum(axis=1) == 2)
    assert np.all(times[:, y == 0].sum(axis=1) == 5)


def test_resamples_do_not_depend_on_batches(monkeypatch):
    """Replicate i is the same in whatever batch, and whatever number of replicates, it is drawn."""
    y = np.arange(20) < 8
    whole = drawn(plain(y), 0, 30)
    monkeypatch.setattr(module, "_CELLS", 7 * 20)
    assert np.array_equal(drawn(plain(y), 0, 30), whole)
    assert np.array_equal(drawn(plain(y), 11, 17), whole[11:17])


def test_resamples_are_the_same_on_every_platform():
    """Rows are drawn with whole-number arithmetic only: these are the draws of seed 3."""
    times = drawn(plain(np.arange(8) < 3, entropy=(3,)), 0, 2)
    assert times.tolist() == [[0, 1, 2, 3, 1, 0, 0, 1], [1, 2, 0, 0, 1, 2, 1, 1]]


def test_groups_are_drawn_whole():
    """All rows of a group are drawn equally often."""
    unit = np.array([0, 0, 1, 1, 1, 2])
    y = np.array([1, 0, 1, 0, 0, 1])
    resampler = plain(y, unit=unit, strata=(np.arange(3),))
    for row in drawn(resampler, 0, 40):
        assert row[0] == row[1]
        assert row[2] == row[3] == row[4]
        assert row[y == 1].any()
        assert row[y == 0].any()


def test_groups_that_can_never_hold_both_classes_are_refused(monkeypatch):
    """A class that every draw misses is said, not looped over for ever."""
    monkeypatch.setattr(module, "TRIES", 3)
    monkeypatch.setattr(PlainResampler, "_complete", lambda *_: False)
    resampler = plain(np.array([1, 0, 0, 0]), unit=np.array([0, 0, 1, 1]), strata=(np.arange(2),))
    with pytest.raises(InputError, match=r"one class occurs in too few of the 2\. Use fewer"):
        drawn(resampler, 0, 1)


def test_weights_count_each_time_a_row_is_drawn():
    """A row drawn twice counts twice its weight."""
    y, w = np.arange(6) < 3, np.array([0.5, 1, 2, 3, 4, 5])
    assert np.array_equal(drawn(plain(y, weights=w), 0, 5), drawn(plain(y), 0, 5) * w)

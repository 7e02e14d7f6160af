import pickle

import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from isocost.curves.roc import path_counts
from isocost.data.cases import Cases
from isocost.errors import InputError
from isocost.inference.resample import Sample, curve_of
from strategies import samples


def sample_of(y, s, **options):
    """The cases of one model ready to be resampled."""
    rows = Cases.from_scores(y, {"m": s}, options.get("weights"), None, options.get("fold"))
    return Sample.of(rows, options.get("cluster"), (0,))


def plain(y=(1, 1, 0, 0, 1, 0), s=(6.0, 5.0, 4.0, 3.0, 3.0, 1.0)):
    """A few cases."""
    return np.array(y, dtype=bool), np.array(s)


@given(samples())
def test_the_curve_of_the_data_is_that_of_every_case_drawn_once(drawn):
    """Sorted scores give the points and thresholds that ranked rows give."""
    y, s = (np.tile(v, 2) for v in (drawn.y.astype(bool), drawn.s))
    sample = sample_of(y, s)
    (curve,), (ranked,), (paths,) = sample.curves("m"), sample.models["m"], sample.paths("m", sample.data)
    slow = curve_of(ranked, paths, 0, "m")
    for path in (path_counts(curve), (curve.fp[1:], curve.tp[1:]), path_counts(curve)):
        assert [c.tolist() for c in path] == [slow.fp[1:].tolist(), slow.tp[1:].tolist()]
    assert np.array_equal(curve.thresholds, slow.thresholds)
    assert sample.totals == (y.sum(), (~y).sum())


def test_rows_are_ranked_only_when_that_is_asked_for():
    """A bootstrap of one model with many cases never ranks them; an interval by cases drawn does."""
    rng = np.random.default_rng(0)
    y = rng.random(6000) < 0.5
    boot = ic.bootstrap(y, {"m": rng.normal(size=6000) + y}, n_resamples=20)
    boot.band("m"), boot.interval("m", "auc"), boot.interval("m", "voros")
    (ranked,) = boot._sample.models["m"]
    assert "_found" not in vars(ranked)
    boot.interval("m", "tpr", threshold=0.5)
    assert "_found" in vars(ranked)


def test_what_was_resampled_can_be_sent_elsewhere():
    """A pickled bootstrap gives the same bands, and says what it needs the cases for."""
    y, s = np.tile(plain()[0], 10), np.arange(60.0)
    boot = ic.bootstrap(y, {"m": s}, n_resamples=20)
    again = pickle.loads(pickle.dumps(boot))
    assert np.array_equal(again.band("m").low, boot.band("m").low)
    with pytest.raises(InputError, match="needs the cases"):
        again.interval("m", "tpr", threshold=9.0)


def test_single_cases_make_the_same_step_as_groups_of_one():
    """What one case makes of the cost is found from the totals alone, and is what the plain sum over units gives."""
    y, s = plain()
    pcf = np.linspace(0, 1, 5)
    expected = np.hypot(pcf / 3, (1 - pcf) / 3)
    for options in ({}, {"cluster": np.arange(6)}, {"weights": np.ones(6)}):
        assert sample_of(y, s, **options).step(pcf) == pytest.approx(expected)


def test_groups_are_counted_as_groups_where_few_are_warned_of():
    """Three positives in two groups are two, while each of the negatives is a group of its own."""
    y, s = plain()
    few = "clusters with"
    with (
        pytest.warns(ic.errors.FewCasesWarning, match=f"Only 2 {few} positives"),
        pytest.warns(ic.errors.FewCasesWarning, match=f"Only 3 {few} negatives"),
    ):
        sample_of(y, s, cluster=np.array([0, 0, 1, 2, 3, 4])).warn()

"""What must hold of every registered measure; a new one is tested here without being listed."""

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import isocost as ic
from isocost.measures.registry import MEASURES
from strategies import samples, uncertain_conditions

every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
every_rank_measure = pytest.mark.parametrize(
    "measure",
    [m for m in MEASURES.values() if "ranks" in m.needs],
    ids=[n for n, m in MEASURES.items() if "ranks" in m.needs],
)
# Scores every measure takes, those that need probabilities included.
probabilities = samples(kinds=("tied", "probabilities"))


def value(measure, y, s, w=None, over=None):
    """The measure of labels and scores."""
    return under(measure, ic.RocCurve.from_scores(y, s, sample_weight=w), over)


def under(measure, curve, over):
    """The measure of a curve under conditions, or without them if they range over prevalences and it is of one."""
    return measure(curve, condition=None if measure.refuses(over) else over)


@every_measure
@given(probabilities, st.randoms(use_true_random=False), uncertain_conditions())
def test_order_of_rows_does_not_matter(measure, sample, random, over):
    """Any shuffle of the rows gives the same value."""
    order = list(range(sample.y.size))
    random.shuffle(order)
    w = None if sample.w is None else sample.w[order]
    shuffled = value(measure, sample.y[order], sample.s[order], w, over)
    assert shuffled == pytest.approx(value(measure, sample.y, sample.s, sample.w, over), abs=1e-12)


@every_measure
@given(samples(kinds=("tied", "probabilities"), weighted=("whole",)), uncertain_conditions())
def test_whole_weights_are_repetitions(measure, sample, over):
    """A row of weight 3 is three rows, one of weight 0 none."""
    times = sample.w.astype(int)
    repeated = value(measure, np.repeat(sample.y, times), np.repeat(sample.s, times), over=over)
    assert repeated == pytest.approx(value(measure, sample.y, sample.s, sample.w, over), abs=1e-14)


@every_measure
@given(probabilities, st.floats(0.1, 50), uncertain_conditions())
def test_scale_of_weights_does_not_matter(measure, sample, factor, over):
    """Only shares of cases count."""
    w = np.ones(sample.y.size) if sample.w is None else sample.w
    scaled = value(measure, sample.y, sample.s, factor * w, over)
    assert scaled == pytest.approx(value(measure, sample.y, sample.s, w, over), abs=1e-9)


@every_rank_measure
@given(samples(), st.integers(0, 2**32 - 1), uncertain_conditions())
def test_only_the_order_of_scores_matters(measure, sample, seed, over):
    """Any strictly rising transformation of the scores gives the same value, exactly."""
    _, place = np.unique(sample.s, return_inverse=True)
    steps = np.cumsum(np.random.default_rng(seed).uniform(0.1, 5, place.max() + 1))
    transformed = value(measure, sample.y, steps[place] - 40, sample.w, over)
    assert transformed == value(measure, sample.y, sample.s, sample.w, over)


@every_measure
@given(probabilities, st.integers(1, 1000), uncertain_conditions())
def test_counts_of_parts_merge_to_the_whole(measure, sample, cut, over):
    """Counted in two places and added, or counted at once."""
    at = cut % sample.y.size
    first, second = slice(None, at), slice(at, None)
    assume(all(len(set(sample.y[part])) == 2 for part in (first, second)))
    try:
        parts = [
            ic.ScoreCounts.from_arrays(
                sample.y[p], sample.s[p], sample_weight=None if sample.w is None else sample.w[p]
            )
            for p in (first, second)
        ]
    except ic.IsocostError:  # a part whose weights leave one class empty cannot be counted alone
        reject()
    merged = under(measure, ic.RocCurve.from_counts(parts[0] + parts[1]), over)
    assert merged == pytest.approx(value(measure, sample.y, sample.s, sample.w, over), abs=1e-12)


@every_measure
@given(probabilities, st.sampled_from([(False, True), (-1, 1), ("no", "yes"), (7, 3)]))
def test_coding_of_labels_does_not_matter(measure, sample, coding):
    """Booleans, -1 and 1, words, any two numbers: which class is positive is all that counts."""
    negative, positive = coding
    y = np.where(sample.y == 1, positive, negative)
    curve = ic.RocCurve.from_scores(y, sample.s, sample_weight=sample.w, pos_label=positive)
    assert measure(curve) == value(measure, sample.y, sample.s, sample.w)


@pytest.mark.parametrize(
    "measure", [m for m in MEASURES.values() if {"ranks", "steps"} & m.needs == {"ranks"}], ids=str
)
@given(samples(), st.integers(0, 2**32 - 1), uncertain_conditions())
def test_a_dominating_curve_never_scores_worse(measure, sample, seed, over):
    """Raise the scores of some positives, lower those of some negatives: better or equal in the measure's own direction."""
    _, place = np.unique(sample.s, return_inverse=True)
    move = np.random.default_rng(seed).integers(0, 4, sample.y.size)
    before = value(measure, sample.y, place, sample.w, over)
    after = value(measure, sample.y, place + np.where(sample.y == 1, move, -move), sample.w, over)
    assert after >= before - 1e-12 if measure.higher_is_better else after <= before + 1e-12


@every_measure
def test_a_perfect_model_has_the_best_value(measure):
    """Probabilities 0 and 1 that are right."""
    perfect = value(measure, [0, 0, 1, 1], [0.0, 0.0, 1.0, 1.0])
    assert perfect == pytest.approx(measure.high if measure.higher_is_better else measure.low, abs=1e-12)


@pytest.mark.parametrize("measure", [m for m in MEASURES.values() if "steps" in m.needs], ids=str)
def test_a_measure_of_steps_may_fall_where_the_curve_does_not(measure):
    """A tie of two positives behind a negative, broken: the same path with one threshold more."""
    tied, broken = value(measure, [0, 1, 1], [3, 2, 2]), value(measure, [0, 1, 1], [3, 2, 1])
    assert broken < tied if measure.higher_is_better else broken > tied

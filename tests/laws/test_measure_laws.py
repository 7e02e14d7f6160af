"""What must hold of every registered measure; a new one is tested here without being listed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.measures.registry import MEASURES
from strategies import samples, uncertain_conditions

RANKS = {name: measure for name, measure in MEASURES.items() if "ranks" in measure.needs}
# Scores every measure takes, those that need probabilities included.
probabilities = samples(kinds=("tied", "probabilities"))


def values(y, s, w=None, over=None, measures=MEASURES):
    """Every measure of labels and scores: samples take longer to draw than to measure."""
    curve = ic.RocCurve.from_scores(y, s, sample_weight=w)
    return {name: measure(curve, over=over) for name, measure in measures.items()}


@given(probabilities, st.randoms(use_true_random=False), uncertain_conditions())
def test_order_of_rows_does_not_matter(sample, random, over):
    """Any shuffle of the rows gives the same values."""
    order = list(range(sample.y.size))
    random.shuffle(order)
    w = None if sample.w is None else sample.w[order]
    shuffled = values(sample.y[order], sample.s[order], w, over)
    assert shuffled == pytest.approx(values(sample.y, sample.s, sample.w, over), abs=1e-12)


@given(samples(kinds=("tied", "probabilities"), weighted=("whole",)), uncertain_conditions())
def test_whole_weights_are_repetitions(sample, over):
    """A row of weight 3 is three rows, one of weight 0 none."""
    times = sample.w.astype(int)
    repeated = values(np.repeat(sample.y, times), np.repeat(sample.s, times), over=over)
    assert repeated == pytest.approx(values(sample.y, sample.s, sample.w, over), abs=1e-14)


@given(probabilities, st.floats(0.1, 50), uncertain_conditions())
def test_scale_of_weights_does_not_matter(sample, factor, over):
    """Only shares of cases count."""
    w = np.ones(sample.y.size) if sample.w is None else sample.w
    scaled = values(sample.y, sample.s, factor * w, over)
    assert scaled == pytest.approx(values(sample.y, sample.s, w, over), abs=1e-9)


@given(samples(), st.integers(0, 2**32 - 1), uncertain_conditions())
def test_only_the_order_of_scores_matters(sample, seed, over):
    """Any strictly rising transformation of the scores gives the same values, exactly."""
    _, place = np.unique(sample.s, return_inverse=True)
    steps = np.cumsum(np.random.default_rng(seed).uniform(0.1, 5, place.max() + 1))
    transformed = values(sample.y, steps[place] - 40, sample.w, over, RANKS)
    assert transformed == values(sample.y, sample.s, sample.w, over, RANKS)


@given(probabilities, st.integers(1, 1000), uncertain_conditions())
def test_counts_of_parts_merge_to_the_whole(sample, cut, over):
    """Counted in two places and added, or counted at once."""
    at = cut % sample.y.size
    first, second = slice(None, at), slice(at, None)
    if any(len(set(sample.y[part])) < 2 for part in (first, second)):
        return
    try:
        parts = [
            ic.ScoreCounts.from_arrays(
                sample.y[p], sample.s[p], sample_weight=None if sample.w is None else sample.w[p]
            )
            for p in (first, second)
        ]
    except ic.IsocostError:  # a part whose weights leave one class empty cannot be counted alone
        return
    curve = ic.RocCurve.from_counts(parts[0] + parts[1])
    merged = {name: measure(curve, over=over) for name, measure in MEASURES.items()}
    assert merged == pytest.approx(values(sample.y, sample.s, sample.w, over), abs=1e-12)


@given(probabilities, st.sampled_from([(False, True), (-1, 1), ("no", "yes"), (7, 3)]))
def test_coding_of_labels_does_not_matter(sample, coding):
    """Booleans, -1 and 1, words, any two numbers: which class is positive is all that counts."""
    negative, positive = coding
    y = np.where(sample.y == 1, positive, negative)
    named = {
        name: getattr(ic, f"{name}_score")(y, sample.s, sample_weight=sample.w, pos_label=positive) for name in MEASURES
    }
    assert named == values(sample.y, sample.s, sample.w)


@given(samples(), st.integers(0, 2**32 - 1), uncertain_conditions())
def test_a_dominating_curve_never_scores_worse(sample, seed, over):
    """Raise the scores of some positives, lower those of some negatives: better or equal in each measure's own direction."""
    _, place = np.unique(sample.s, return_inverse=True)
    move = np.random.default_rng(seed).integers(0, 4, sample.y.size)
    before = values(sample.y, place, sample.w, over, RANKS)
    after = values(sample.y, place + np.where(sample.y == 1, move, -move), sample.w, over, RANKS)
    gain = {
        name: after[name] - before[name] if m.higher_is_better else before[name] - after[name]
        for name, m in RANKS.items()
    }
    assert {name: by for name, by in gain.items() if not by >= -1e-12} == {}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_a_perfect_model_has_the_best_value(measure):
    """Probabilities 0 and 1 that are right."""
    perfect = values([0, 0, 1, 1], [0.0, 0.0, 1.0, 1.0])[measure.name]
    assert perfect == pytest.approx(measure.high if measure.higher_is_better else measure.low, abs=1e-12)

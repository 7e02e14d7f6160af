import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from isocost.errors import InexactError
from strategies import bucketed_models, uncertain_conditions

SLACK = 1e-9


@given(bucketed_models())
def test_each_range_holds_an_odd_number_of_crossings(pair):
    """The leader before it is not the one after it, whatever the buckets hold."""
    exact, wide = pair
    a, b = exact.names[:2]
    truth = np.array(exact.crossovers(a, b))
    spans = wide.crossover_bounds(a, b)
    for span in spans:
        inside = (truth >= span.t_low - SLACK) & (truth <= span.t_high + SLACK)
        assert inside.sum() % 2 == 1
    assert len(truth) >= len(spans)
    try:
        assert wide.crossovers(a, b) == truth.tolist()
    except InexactError:
        assert not all(wide[name].hull_is_exact for name in (a, b))


@given(bucketed_models(), uncertain_conditions())
def test_the_advantage_of_the_cases_lies_between_the_bounds(pair, over):
    """On average, at most and at least."""
    exact, wide = pair
    a, b = exact.names[:2]
    found, truth = wide.advantage(a, b, over), exact.advantage(a, b, over)
    for name in ("mean", "largest", "smallest"):
        value, bounds = getattr(found, name), getattr(found, f"{name}_bounds")
        low, high = (value, value) if bounds is None else bounds
        assert low - SLACK <= value <= high + SLACK
        assert low - SLACK <= getattr(truth, name) <= high + SLACK


def test_what_is_open_between_two_models_says_what_is_known():
    """Errors name the method that answers, and an advantage both its ends."""
    a = ic.RocCurve.from_counts(ic.ScoreCounts([0.9, 0.6, 0.1], [3, 4, 3], [0, 4, 6], [0.9, 0.7, 0.1]), name="a")
    b = ic.RocCurve.from_counts(ic.ScoreCounts([0.9, 0.4, 0.1], [2, 7, 1], [0, 3, 7]), name="b")
    pair = ic.Comparison([a, b])
    with pytest.raises(InexactError, match=r"comparison\.crossover_bounds\('a', 'b'\) tells between which conditions"):
        pair.crossovers("a", "b")
    with pytest.raises(InexactError, match=r"comparison\.difference_bounds\('a', 'b'\) gives its limits"):
        pair.difference("a", "b")
    assert "on average" in str(pair.advantage("a", "b"))
    assert " (between " in str(pair.advantage("a", "b"))
    with pytest.raises(
        InexactError, match=r"where a beats both trivial classifiers \(at least for t from .* at most for t"
    ):
        pair.operating_range("a")


def test_models_of_which_one_leads_everywhere_never_cross():
    """Settled although a hull is open."""
    good = ic.RocCurve.from_counts(ic.ScoreCounts([0.6, 0.0], [19, 1], [1, 19], [0.9, 0.3]), name="good")
    poor = ic.RocCurve.from_counts(ic.ScoreCounts([0.6, 0.0], [11, 9], [9, 11]), name="poor")
    pair = ic.Comparison([good, poor])
    assert not good.hull_is_exact
    assert pair.crossovers("good", "poor") == []
    assert pair.crossover_bounds("good", "poor") == ()

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.curves import sort
from isocost.curves import sort as counting
from isocost.curves.sort import SplitScores, counted_places, hull_of_rows

# Many ties, both zeros, the ends of the range, and anything between.
SCORES = st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 0.5, 1.0, -1.0, 1e300, np.inf, -np.inf]) | st.floats(
    allow_nan=False
)


@st.composite
def few_and_many(draw):
    """A few sorted scores, and many; all of them with or without signs, of either width."""
    signs = draw(st.booleans())
    kind = draw(st.sampled_from([np.float32, np.float64]))
    with np.errstate(over="ignore"):
        few, many = (
            np.array(draw(st.lists(SCORES, min_size=1, max_size=size)), dtype=np.float64).astype(kind)
            for size in (8, 60)
        )
    return (np.sort(few), many) if signs else (np.sort(np.abs(few)), np.abs(many))


@given(few_and_many(), st.integers(1, 5), st.integers(1, 20))
def test_places_are_those_among_sorted_scores(scores, cells, chunk):
    """With few cells or many, all at once or by parts: what a search among the sorted scores finds."""
    few, many = scores
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_CELLS", cells)
        patch.setattr(counting, "_CHUNK", chunk)
        found = counted_places(few, many)
    ordered = np.sort(many)
    assert [places.tolist() for places in found] == [
        np.searchsorted(ordered, few, side=side).tolist() for side in ("left", "right")
    ]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_rare_positives_have_the_same_hull_and_area_counted_or_sorted(monkeypatch, kind):
    """Skewed probabilities at the sizes in use: negatives stay in no order, and nothing differs."""
    monkeypatch.setattr(sort, "sorts_slowly", lambda _: True)
    rng = np.random.default_rng(0)
    p = rng.beta(0.5, 24.5, size=300_000)
    y = rng.random(p.size) < p
    s = p.astype(kind)
    counted = SplitScores.of(s[~y], s[y])
    assert counted.is_counted
    ordered = SplitScores(np.sort(s[~y]), np.sort(s[y]), is_counted=False)
    for one, other in zip(hull_of_rows(counted), hull_of_rows(ordered), strict=True):
        assert np.array_equal(one, other)
    assert counted.twice_won == ordered.twice_won
    assert "of_negatives" not in vars(counted)
    assert all(np.array_equal(*pair) for pair in zip(counted.points(), ordered.points(), strict=True))

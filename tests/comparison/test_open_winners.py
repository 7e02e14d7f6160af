from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InexactError

T = np.linspace(0.01, 0.99, 99)
NAMES = ("a", "b", "c")


def bucketed(y, s, width):
    """Return the counts of scores in equal buckets, the lowest and highest score of each known."""
    key = np.floor(s / width)
    rows = [
        (s[key == k].min(), y[key == k].sum(), (~y[key == k]).sum(), s[key == k].max())
        for k in sorted(set(key), reverse=True)
    ]
    return ic.ScoreCounts(*(np.array(column) for column in zip(*rows, strict=True)))


def compared(seed, width, shared=None):
    """Return the exact comparison of three models, and that of their buckets; some models may be exact there too."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 80))
    y = rng.random(n) < 0.4
    y[:2] = True, False
    scores = {name: np.round(rng.normal(i * 0.3 * y, 1.0), 3) for i, name in enumerate(NAMES)}
    counts = {
        name: ic.ScoreCounts.from_arrays(y, s) if name == shared else bucketed(y, s, width)
        for name, s in scores.items()
    }
    curves = [ic.RocCurve.from_counts(c, name=name) for name, c in counts.items()]
    return ic.Comparison.from_scores(y, scores), ic.Comparison(curves)


def at(winners, t):
    """Return the win at t."""
    return next(win for win in winners if win.t_low <= t <= win.t_high)


@given(st.integers(0, 10_000), st.sampled_from([0.1, 0.3, 1.0]), st.sampled_from([None, "a"]))
def test_settled_winners_are_those_of_the_cases(seed, width, shared):
    """Whatever lies inside the buckets: a settled winner is cheapest, and an open one is among those named."""
    exact, counted = compared(seed, width, shared)
    winners = counted.winners()
    assert (winners[0].t_low, winners[-1].t_high) == (0, 1)
    assert all(a.t_high == b.t_low for a, b in pairwise(winners))
    cost = {name: exact[name].optimal_cost(T) for name in NAMES}
    cost |= {"always-negative": 1 - T, "always-positive": T}
    least = np.min([cost[name] for name in cost], axis=0)
    for i, t in enumerate(T):
        win = at(winners, t)
        assert min(cost[name][i] for name in (win.name, *win.open_to)) <= least[i] + 1e-12
    low, high = counted.difference_bounds("a", "b")
    difference = exact.difference("a", "b")(T)
    assert np.all(low(T) <= difference + 1e-12)
    assert np.all(difference <= high(T) + 1e-12)
    for one, other in (("a", "c"), ("c", "a")):
        try:
            assert counted.dominates(one, other) == exact.dominates(one, other)
        except InexactError:
            assert not all(counted[name].hull_is_exact for name in (one, other))


def test_exact_hulls_leave_nothing_open():
    """Buckets of a single score each: the winners are those of the cases, one by one."""
    exact, counted = compared(1, 1e-9)
    assert counted.winners() == exact.winners()
    assert not any(win.open_to for win in counted.winners())


def test_winners_say_what_is_open():
    """In words and by figure; at one condition, and over a range."""
    pytest.importorskip("matplotlib")
    several = (compared(seed, 1.0)[1] for seed in range(50))
    counted = next(one for one in several if any(win.open_to for win in one.winners()))
    win = next(win for win in counted.winners() if win.open_to)
    assert str(win).endswith(f", unless {' or '.join(win.open_to)} is inside its buckets")
    middle = (win.t_low + win.t_high) / 2
    [alone] = counted.winners(ic.Conditions.uniform(t=(middle, middle)))
    assert (alone.name, alone.open_to) == (win.name, win.open_to)
    assert "paler: open" in counted.winners().plot().ax_.get_title(loc="left")

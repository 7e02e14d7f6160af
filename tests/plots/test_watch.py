import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError, UnknownNameError


@pytest.fixture
def watched():
    """Three periods, the last with hardly a positive."""
    rng = np.random.default_rng(1)
    y = np.arange(800) < 240
    comparison = ic.Comparison.from_scores(y, {"m": rng.normal(size=800) + 1.5 * y})
    weeks = [rng.normal(size=900) + 1.5 * (rng.random(900) < share) for share in (0.3, 0.3, 0.01)]
    return ic.watch(comparison, weeks, condition=ic.Condition(1, 3, 0.3))


def lines(axes):
    """The lines of a figure by what they stand for."""
    return {line.get_gid(): line.get_ydata() for line in axes.lines if line.get_gid()}


def test_the_prevalence_is_drawn_over_the_range_to_keep(watched):
    """In percent, with the range in which the choice stays cheapest and a cross at each alarm."""
    axes = watched.plot().ax_
    drawn = lines(axes)
    assert drawn["prevalence"] == pytest.approx([100 * period.prevalence for period in watched.periods])
    assert drawn["alarm"] == pytest.approx([100 * period.prevalence for period in watched.periods if period.alarm])
    (keep,) = [patch for patch in axes.patches if patch.get_gid() == "keep"]
    assert [keep.get_y(), keep.get_y() + keep.get_height()] == pytest.approx([100 * end for end in watched.keep])
    assert "only the prevalence moved" in axes.get_title().replace("\n", " ")


def test_the_regret_is_drawn_per_1000_cases(watched):
    """Its own axis, without the range."""
    axes = watched.plot(what="regret").ax_
    assert lines(axes)["regret"] == pytest.approx([period.regret for period in watched.periods])
    assert not axes.patches


def test_an_estimate_is_drawn_as_shares_of_steps():
    """Bars for what was seen, lowest scores first."""
    rng = np.random.default_rng(2)
    y = np.arange(600) < 200
    found = ic.estimate_prevalence((y, rng.normal(size=600) + y), rng.normal(size=300))
    axes = found.plot().ax_
    heights = [patch.get_height() for patch in axes.patches]
    assert heights == pytest.approx([100 * share for share in found.steps["seen"]][::-1])
    assert "only the prevalence moved" in axes.get_title().replace("\n", " ")


def test_displays_refuse_what_they_cannot_draw(watched):
    """By name."""
    with pytest.raises(InputError, match="must be a Watch"):
        plots.WatchDisplay(3)
    with pytest.raises(UnknownNameError, match="what"):
        plots.WatchDisplay(watched, what="cost")
    with pytest.raises(InputError, match="PrevalenceEstimate"):
        plots.PrevalenceDisplay(watched)

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
    decision = ic.Comparison.from_scores(y, {"m": rng.normal(size=800) + 1.5 * y}).decide(ic.Condition(1, 3, 0.3))
    weeks = [rng.normal(size=900) + 1.5 * (rng.random(900) < share) for share in (0.3, 0.3, 0.01)]
    weeks[1] = (weeks[1], np.where(np.arange(900) < 100, 1.0, np.nan))
    return ic.watch(decision, weeks)


def lines(axes):
    """The lines of a figure by what they stand for."""
    return {line.get_gid(): line.get_ydata() for line in axes.lines if line.get_gid()}


def test_the_share_of_positives_is_drawn_under_both_assumptions(watched):
    """In percent, with a cross at each alarm."""
    drawn = lines(watched.plot().ax_)
    assert drawn["prevalence"] == pytest.approx([100 * period.if_shares_moved.prevalence for period in watched.periods])
    assert drawn["held"] == pytest.approx([100 * period.if_risks_hold.prevalence for period in watched.periods])
    assert len(drawn["alarm"]) == sum(period.alarm is not None for period in watched.periods) > 0


def test_the_cost_is_drawn_per_1000_cases(watched):
    """Left out where an assumption is rejected; measured ones have their interval."""
    axes = watched.plot(what="cost").ax_
    drawn = lines(axes)
    known = [np.nan if p.if_shares_moved.cost is None else p.if_shares_moved.cost for p in watched.periods]
    assert drawn["cost"] == pytest.approx(known, nan_ok=True)
    assert drawn["held"] == pytest.approx([period.if_risks_hold.cost for period in watched.periods])
    (bar,) = [line for line in axes.collections if line.get_gid() == "measured"]
    assert bar.get_segments()[0][:, 1] == pytest.approx([watched.periods[1].cost_low, watched.periods[1].cost_high])


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
        plots.WatchDisplay(watched, what="regret")
    with pytest.raises(InputError, match="PrevalenceEstimate"):
        plots.PrevalenceDisplay(watched)

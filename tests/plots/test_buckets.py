import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InexactError, InputError
from isocost.plots import buckets


@pytest.fixture
def wide():
    """Buckets that leave the hull open."""
    counts = ic.ScoreCounts([0.75, 0.5, 0.25, 0.0], [6, 5, 3, 2], [1, 3, 5, 7], upper=[1.0, 0.7, 0.4, 0.2])
    return ic.RocCurve.from_counts(counts, name="m")


@pytest.fixture
def below():
    """A bucket below the hull: costs are exact, the area is not."""
    counts = ic.ScoreCounts(
        [0.9, 0.8, 0.5, 0.3, 0.1], [6, 0, 1, 5, 0], [0, 2, 1, 0, 3], upper=[0.9, 0.8, 0.6, 0.3, 0.1]
    )
    return ic.RocCurve.from_counts(counts, name="m")


def shades(axes):
    """The outlines of all shades."""
    return [patch.get_xy() for patch in axes.patches if patch.get_gid() == "buckets"]


def outline(one, other):
    """There and back again."""
    there, back = np.column_stack(one), np.column_stack(other)
    return np.concatenate([there, back[::-1]])


def test_roc_space_shades_all_that_the_curve_may_be(wide):
    """Between worst and best path, and between certain and furthest hull; the title says how much that is of the area."""
    axes = plots.RocDisplay(wide, thresholds=True, condition=ic.Condition()).plot().ax_
    path, hull = shades(axes)
    low, high = wide._pessimistic, wide._optimistic
    assert np.array_equal(path, outline((low.fpr, low.tpr), (high.fpr, high.tpr)))
    inner, reach = wide._inner_hull, high.hull
    assert np.array_equal(hull, outline((inner.fpr, inner.tpr), (reach.fpr, reach.tpr)))
    width = wide.bounds("auc").width
    assert (
        axes.get_title().replace("\n", " ")
        == f"shaded: scores counted together in buckets, AUC known within {width:.2g}"
    )


def test_an_exact_hull_is_drawn_as_such(below, curves):
    """Only the path is shaded; curves that are exact have no shade and no note."""
    assert len(shades(plots.RocDisplay(below).plot().ax_)) == 1
    assert shades(plots.ComparisonDisplay(ic.Comparison([below])).plot().ax_) == []
    axes = plots.RocDisplay(curves).plot().ax_
    assert (shades(axes), axes.get_title()) == ([], "")


def test_cost_space_shades_down_to_the_best_case(wide):
    """The line is the cost with certain thresholds; at a condition the cost is said as an interval, and nobody wins."""
    condition = ic.Condition.from_t(0.5)
    display = plots.ComparisonDisplay(ic.Comparison([wide]), condition=condition).plot()
    assert len(shades(display.ax_)) == 1
    low, high = (float(c.optimal_cost(0.5)) for c in (wide._optimistic, wide._pessimistic))
    assert f"cost {low:.3g} to {high:.3g}" in [text.get_text() for text in display.ax_.texts]
    assert display.winners is None
    gap = (ic.cost_curve(wide._pessimistic) - ic.cost_curve(wide._optimistic)).maximum
    assert f"cost known within {gap:.2g}" in display.ax_.get_title().replace("\n", " ")
    roc, cost = plots.DualityDisplay(wide).plot().ax_
    assert len(shades(roc)) == 2
    assert len(shades(cost)) == 1


@pytest.mark.parametrize("of", ["kendall", "rate_driven"])
def test_ranking_costs_are_shaded_between_worst_and_best_order(wide, curves, of):
    """One shade a model, and its height in the title; exact models have none."""
    display = plots.KendallDisplay([wide, wide._renamed("n")], of=of).plot()
    assert len(shades(display.ax_)) == 2
    gap = (display.curves[0] - display.best_case[0]).maximum
    assert gap > 0
    assert f"cost known within {gap:.2g}; thin: convex skulls" in display.ax_.get_title().replace("\n", " ")
    assert shades(plots.KendallDisplay(curves, of=of).plot().ax_) == []


@pytest.mark.parametrize(
    ("make", "show", "what"),
    [
        (ic.measures.lesser_area_curve, plots.LesserAreaDisplay, "VOROS"),
        (ic.net_benefit_curve, plots.NetBenefitDisplay, "net benefit"),
        (lambda c: ic.cost_curve(c, method="score_driven"), plots.CostDisplay, "cost"),
    ],
)
def test_worst_and_best_case_make_a_shade(wide, make, show, what):
    """Curves that cannot be had of buckets can be had of both cases."""
    with pytest.raises(InexactError):
        make(wide)
    worst, best = make(wide._pessimistic), make(wide._optimistic)
    axes = show(worst, best_case=best).plot().ax_
    assert len(shades(axes)) == 1
    assert f"{what} known within" in axes.get_title().replace("\n", " ")
    with pytest.raises(InputError, match="best_case must be one a curve: got 2 for 1 curves"):
        show(worst, best_case=[best, best])


def test_the_widths_that_are_stated_hold(wide):
    """VOROS differs by what bounds say, the net benefit by the largest distance anywhere."""
    worst, best = (ic.measures.lesser_area_curve(c) for c in (wide._pessimistic, wide._optimistic))
    title = plots.LesserAreaDisplay(worst, best_case=best).plot().ax_.get_title()
    assert f"{wide.bounds('voros').width:.2g}" in title
    worst, best = (ic.net_benefit_curve(c) for c in (wide._pessimistic, wide._optimistic))
    display = plots.NetBenefitDisplay(worst, best_case=best, between=(0, 0.9)).plot()
    p = np.linspace(0, 0.9, 2001)
    widest = float(np.max(best(p) - worst(p)))
    said = float(display.ax_.get_title().split()[-1])
    assert widest <= said * 1.01
    assert said <= widest * 1.02


def test_a_histogram_spreads_buckets_and_says_what_bins_may_hold():
    """A bucket over two bins counts half in each, whiskers reach from nothing to all of it; a threshold inside gives an interval."""
    counts = ic.ScoreCounts([3.0, 1.0, 0.0], [4, 4, 2], [1, 2, 7], upper=[4.0, 3 - 1e-9, 0.5])
    display = plots.ScoresDisplay(counts, bins=4, threshold=1.5).plot()
    heights = [bar.get_height() for bar in display.ax_.patches if hasattr(bar, "get_height")][:8]
    assert heights[:4] == pytest.approx([20, 20, 20, 40])
    assert heights[4:] == pytest.approx([-70, -10, -10, -10])
    assert [text.get_text() for text in display.ax_.texts] == [
        "positives: 40 to 80 % flagged", "negatives: 10 to 30 % flagged",
    ]  # fmt: skip
    assert "scores counted together in buckets, bins known within 40 %" in display.ax_.get_title().replace("\n", " ")
    whiskers = [c.get_segments() for c in display.ax_.collections]
    assert [[float(y) for y in segment[:, 1]] for segment in whiskers[0]] == [[0, 40], [0, 40]]
    exact = ic.ScoreCounts(counts.scores, counts.positives, counts.negatives)
    assert plots.ScoresDisplay(exact, bins=4).plot().ax_.get_title() == ""


def test_long_outlines_are_thinned_for_drawing():
    """Ends stay, and no step is longer than the eye can see."""
    x = np.linspace(0, 1, 50_001)
    a, b = buckets._thinned(x, x**2)
    assert a.size <= 4000
    assert (a[0], b[0], a[-1], b[-1]) == (0, 0, 1, 1)
    assert np.max(np.diff(a) + np.diff(b)) < 1e-3

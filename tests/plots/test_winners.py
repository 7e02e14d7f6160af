import numpy as np
import pytest
from matplotlib.colors import to_hex

import isocost as ic
from isocost import plots
from isocost.errors import InputError
from isocost.inference import Band


@pytest.fixture(scope="module")
def comparison():
    """Two points that share the conditions with the trivial classifiers."""
    return ic.Comparison(
        [
            ic.RocCurve.from_points([0.1], [0.5], name="a"),
            ic.RocCurve.from_points([0.4], [0.9], name="b"),
        ]
    )


def stretches(axes):
    """The rectangles as (low, high, hatch)."""
    return [(p.get_x(), p.get_x() + p.get_width(), p.get_hatch()) for p in axes.patches]


def test_strip_covers_the_axis_with_the_winners(comparison):
    """Each rectangle runs over the winner's conditions, 1 - t_high to 1 - t_low."""
    wins = comparison.winners()
    display = plots.WinnersDisplay(wins, names=["a", "b"]).plot()
    found = stretches(display.ax_)
    assert [(low, high) for low, high, _ in found] == [pytest.approx((1 - w.t_high, 1 - w.t_low)) for w in wins]
    assert display.ax_.get_xlim() == (0, 1)
    names = [text.get_text() for text in display.ax_.texts] or [
        text.get_text() for text in display.ax_.get_legend().get_texts()
    ]
    assert names == ["flag nobody", "a", "b", "flag everybody"]


def test_models_differ_by_hatch_and_have_the_looks_of_their_curves(comparison):
    """The strip under a cost space uses the looks of the lines above it."""
    display = comparison.plot()
    faces = {to_hex(patch.get_facecolor()): patch.get_hatch() or "" for patch in display.ax_.patches}
    for look in display.looks:
        assert faces.pop(look.colour) == look.hatch
    assert len(faces) == 1
    assert display.ax_.get_ylim()[0] < 0


def test_the_two_trivial_classifiers_are_told_apart(comparison):
    """Both are pale; flagging everybody is hatched."""
    patches = comparison.plot().ax_.patches
    pale = [p.get_hatch() or "" for p in patches if to_hex(p.get_facecolor()) == "#dddddd"]
    assert sorted(pale) == ["", "-----"]


def test_a_dozen_winners_do_not_break_the_strip():
    """Five are named, the others are counted."""
    k = np.arange(1, 12)
    points = [
        ic.RocCurve.from_points([x], [y], name=f"m{i}")
        for i, (x, y) in enumerate(zip((k / 12) ** 2, 1 - (1 - k / 12) ** 2, strict=True))
    ]
    wins = ic.Comparison(points).winners()
    assert len(wins) == 13
    display = plots.WinnersDisplay(wins).plot()
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert len(texts) == 8
    assert texts[-1] == "6 other models"


def test_narrow_winners_are_named_in_a_legend(curves):
    """A name that does not fit its stretch sends all names below."""
    display = plots.WinnersDisplay(ic.Comparison(curves).winners()).plot()
    assert {t.get_text() for t in display.ax_.get_legend().get_texts()} >= {"random_forest", "naive_bayes"}


def test_no_winners_are_refused():
    """There is nothing to draw."""
    with pytest.raises(InputError, match="winners is empty"):
        plots.WinnersDisplay([])


def test_of_many_models_those_that_win_most_are_coloured(many):
    """The others are grey, as in every figure of more than six models."""
    wins = ic.Comparison(many).winners()
    display = plots.WinnersDisplay(wins)
    named = {name for name, look in display.looks.items() if look.named}
    length = {name: sum(w.t_high - w.t_low for w in wins if w.name == name) for name in display.names}
    assert len(named) == 5
    assert min(length[name] for name in named) >= max(length[name] for name in set(display.names) - named)


def band_of(difference, pcf, names=("random_forest", "naive_bayes")):
    """A band of a hundredth to both sides."""
    value = difference(pcf)
    return Band(pcf, value - 0.01, value, value + 0.01, value, 0.9, "pointwise", "made up", names)


@pytest.fixture(scope="module")
def difference(curves):
    """Of two models that cross."""
    return ic.Comparison(curves).difference("random_forest", "naive_bayes")


def test_difference_is_drawn_exactly_with_its_zero(difference):
    """Through every break; the sides say who is cheaper."""
    display = plots.DifferenceDisplay(difference).plot()
    x, y = next((ln.get_xdata(), ln.get_ydata()) for ln in display.ax_.lines if ln.get_linewidth() == 1.6)
    grid = np.linspace(0, 1, 501)
    assert np.allclose(np.interp(grid, x, y), difference(grid), atol=1e-15)
    assert display.ax_.get_ylabel().replace("\n", " ") == "cost of random_forest − cost of naive_bayes"
    low, high = display.ax_.get_ylim()
    assert low == -high
    texts = {text.get_text(): text.xy[1] for text in display.ax_.texts}
    assert texts["random_forest cheaper"] == 0
    assert texts["naive_bayes cheaper"] == 1


def test_band_and_significance_are_drawn_where_they_are(difference):
    """The band's edges, and a bar on the side of the better model."""
    pcf = np.linspace(0, 1, 11)
    band = band_of(difference, pcf)
    axes = plots.DifferenceDisplay(band).plot().ax_
    edges = [ln.get_ydata() for ln in axes.lines if ln.get_linewidth() == 0.6]
    assert np.array_equal(edges, [band.low, band.high])
    drawn = {ln.get_ydata()[0] for ln in axes.lines if ln.get_gid() == "significant"}
    # The lower edge of the axes for the first model, the upper one for the second.
    assert drawn == {band.names.index(found.better) for found in band.significant()}
    assert axes.get_ylim()[1] > band.high.max()
    few = plots.DifferenceDisplay(band, significant=False).plot().ax_
    assert not [ln for ln in few.lines if ln.get_gid() == "significant"]


def test_a_band_brings_its_line_its_names_and_its_significance(difference):
    """The estimate is drawn, and bars where the band keeps away from 0."""
    band = band_of(difference, np.linspace(0, 1, 201))
    display = band.plot()
    assert type(display) is plots.DifferenceDisplay
    assert display.names == ("random_forest", "naive_bayes")
    line = next(ln for ln in display.ax_.lines if ln.get_linewidth() == 1.6)
    assert np.allclose(np.interp(band.pcf, line.get_xdata(), line.get_ydata()), band.centre, atol=1e-15)
    bars = [ln.get_xdata() for ln in display.ax_.lines if ln.get_gid() == "significant"]
    assert np.allclose(bars, [(1 - s.t_high, 1 - s.t_low) for s in band.significant()])
    assert display.ax_.get_title(loc="right") == "bars: significant (90 %, pointwise)"


def test_other_results_are_refused(difference, curves):
    """A difference is a cost curve or a band of two models, and bands are on pcf."""
    with pytest.raises(InputError, match="difference must be a CostCurve or a Band, got RocCurve"):
        plots.DifferenceDisplay(curves[0])
    with pytest.raises(InputError, match="models whose difference it is"):
        plots.DifferenceDisplay(band_of(difference, np.linspace(0, 1, 11), names=("a",)))


def test_curves_and_their_worst_points_are_drawn(curves):
    """Each regret through its breaks, with a dot where it is largest."""
    comparison = ic.Comparison(curves)
    regrets = [comparison.regret(name) for name in comparison.names]
    axes = plots.RegretDisplay(regrets).plot().ax_
    lines = [(ln.get_xdata(), ln.get_ydata()) for ln in axes.lines if ln.get_linewidth() == 1.6]
    grid = np.linspace(0, 1, 501)
    for (x, y), regret in zip(lines, regrets, strict=True):
        assert np.allclose(np.interp(grid, x, y), regret.curve(grid), atol=1e-15)
    dots = [(ln.get_xdata()[0], ln.get_ydata()[0]) for ln in axes.lines if ln.get_marker() == "o"]
    assert dots == [pytest.approx((1 - r.worst_t, r.worst)) for r in regrets]
    assert axes.get_ylim()[0] == 0
    assert axes.get_ylabel() == "extra cost (normalised)"


def test_a_fixed_threshold_is_part_of_the_name(curves):
    """One model may stand there twice."""
    comparison = ic.Comparison(curves)
    fixed = comparison.regret("naive_bayes", threshold=0.25)
    assert plots.RegretDisplay([comparison.regret("naive_bayes"), fixed]).names == ["naive_bayes", "naive_bayes ≥ 0.25"]


def test_no_regret_has_an_axis_with_plain_numbers(curves):
    """The only model is always the best; rounding is not blown up to fill the figure."""
    axes = ic.Comparison(curves[:1]).regret(curves[0].name).plot().ax_
    assert axes.get_ylim() == (0, 0.1)

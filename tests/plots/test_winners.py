import numpy as np
import pytest
from matplotlib.colors import to_hex

import isocost as ic
from isocost import plots
from isocost.errors import InputError


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


def test_log_odds_strip_ends_at_the_axis(comparison):
    """Ends at 0 and 1, which have no log odds, are cut off."""
    axes = plots.WinnersDisplay(comparison.winners(), scale="log-odds").plot().ax_
    low, high = axes.get_xlim()
    assert min(s[0] for s in stretches(axes)) == low
    assert max(s[1] for s in stretches(axes)) == pytest.approx(high)


def test_unsure_ranges_are_paler(comparison):
    """A white veil over 1 - t_high to 1 - t_low."""
    axes = plots.WinnersDisplay(comparison.winners(), unsure=[(0.3, 0.4)]).plot().ax_
    assert stretches(axes)[-1][:2] == pytest.approx((0.6, 0.7))


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

import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def lines(axes):
    """The lines of a figure by what they stand for."""
    return {line.get_gid(): np.array(line.get_data()) for line in axes.lines if line.get_gid()}


@pytest.mark.parametrize("most", [None, 0.1])
def test_the_gap_between_curve_and_chord_is_the_saving(curves, condition, most):
    """The bold stretch reaches from the cost with one threshold down to the chord, in units of the worst cost."""
    band = ic.review_band(curves[1], condition, cost_review=0.3, max_reviewed=most)
    drawn = lines(band.plot().ax_)
    x, ends = drawn["saving"]
    assert x.tolist() == [condition.pcf] * 2
    assert ends[1] - ends[0] == pytest.approx(band.saving / condition.worst_cost)
    (left, right), (high, low) = drawn["chord"]
    at = np.interp(condition.pcf, [left, right], [high, low])
    assert ends[0] == pytest.approx(at)


def test_without_reviews_there_is_no_chord(curves, condition):
    """Nothing is saved, and only the single threshold is marked."""
    drawn = lines(ic.review_band(curves[1], condition, cost_review=3).plot().ax_)
    assert set(drawn) == {"trivial", "condition"}


def test_bars_hold_the_three_shares_of_every_model(curves, condition):
    """Clear, review and flag one after another, a bar a model."""
    bands = [ic.review_band(curve, condition, cost_review=0.4) for curve in curves]
    axes = plots.ReviewBarDisplay(bands).plot().ax_
    widths = np.array([patch.get_width() for patch in axes.patches]).reshape(-1, 3)
    expected = [[band.cleared, band.reviewed, band.flagged] for band in bands]
    assert widths / 100 == pytest.approx(np.array(expected))
    assert [label.get_text() for label in axes.get_yticklabels()] == [curve.name for curve in curves]


def test_cost_against_price_ends_where_reviews_stop_paying(curves, condition):
    """The line runs through every break, and a dot marks the last."""
    found = [ic.review_curve(curve, condition) for curve in curves]
    axes = plots.ReviewCurveDisplay(found).plot().ax_
    drawn = [line.get_data() for line in axes.lines if line.get_linewidth() == 1.6]
    for (x, y), curve in zip(drawn, found, strict=True):
        assert y == pytest.approx(curve(x))
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_marker() == "o"]
    assert dots == [(curve.worth_up_to, curve.expected_cost_without) for curve in found]


def test_shortcuts_and_wrong_results(curves, condition):
    """Each result draws its own figure; something else is refused."""
    band = ic.review_band(curves[0], condition, cost_review=0.4)
    assert type(band.plot()) is plots.ReviewDisplay
    assert type(ic.review_curve(curves[0], condition).plot()) is plots.ReviewCurveDisplay
    with pytest.raises(InputError, match="ReviewChoice"):
        plots.ReviewBarDisplay(curves)
    with pytest.raises(InputError, match="one ReviewChoice"):
        plots.ReviewDisplay([band, band])

import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def lines(axes):
    """The lines of a figure by what they stand for."""
    return {line.get_gid(): np.array(line.get_data()) for line in axes.lines if line.get_gid()}


def test_bars_hold_the_three_shares_of_every_model(curves, condition):
    """Clear, review and flag one after another, a bar a model."""
    bands = [ic.decide.review_band(curve, condition, cost_review=0.4) for curve in curves]
    axes = plots.ReviewBarDisplay(bands).plot().ax_
    widths = np.array([patch.get_width() for patch in axes.patches]).reshape(-1, 3)
    expected = [[band.cleared, band.reviewed, band.flagged] for band in bands]
    assert widths / 100 == pytest.approx(np.array(expected))
    assert [label.get_text() for label in axes.get_yticklabels()] == [curve.name for curve in curves]


def test_shortcuts_and_wrong_results(curves, condition):
    """Each result draws its own figure; something else is refused."""
    band = ic.decide.review_band(curves[0], condition, cost_review=0.4)
    assert type(band.plot()) is plots.ReviewBarDisplay
    with pytest.raises(InputError, match="ReviewChoice"):
        plots.ReviewBarDisplay(curves)


LABELS, SCORES = [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2]


def bars(axes):
    """Heights of positives and of negatives."""
    up, down = axes.containers
    return [p.get_height() for p in up], [p.get_height() for p in down]


def test_bars_are_the_shares_of_each_class():
    """Positives upwards, negatives downwards, each adding up to 100 %."""
    counts = ic.ScoreCounts.from_arrays(LABELS, SCORES)
    up, down = bars(plots.ScoresDisplay(counts, bins=7).plot().ax_)
    assert np.allclose(up, [0, 0, 0, 0, 100 / 3, 0, 200 / 3])
    assert np.allclose(down, [-50, 0, 0, 0, 0, -50, 0])


def test_curve_and_counts_give_the_same_figure():
    """A curve built from scores stands for its counts, and its name is the title."""
    counts = plots.ScoresDisplay(ic.ScoreCounts.from_arrays(LABELS, SCORES)).plot().ax_
    curve = plots.ScoresDisplay(ic.RocCurve.from_scores(LABELS, SCORES, name="demo")).plot().ax_
    assert bars(counts) == bars(curve)
    assert curve.get_title() == "demo"
    assert curve.get_xlabel() == "score"
    assert curve.get_ylabel() == "share of the class in a bin (%)"


def test_threshold_is_drawn_with_what_it_flags():
    """A choice stands for its threshold; equal scores are flagged."""
    curve = ic.RocCurve.from_scores(LABELS, SCORES)
    choice = ic.best_threshold(curve, ic.Condition(cost_fn=5, prevalence=0.3))
    axes = plots.ScoresDisplay(curve, threshold=choice).plot().ax_
    assert axes.get_title() == "flag scores ≥ 0.6"
    given = plots.ScoresDisplay(curve, threshold=0.61234).plot().ax_
    assert given.get_title() == "flag scores ≥ 0.61234"
    assert [t.get_text() for t in axes.texts] == ["positives: 100 % flagged", "negatives: 50 % flagged"]
    assert any(np.allclose(line.get_xdata(), 0.6) for line in axes.lines)


def test_threshold_zero_is_a_threshold():
    """0 is a score like any other."""
    counts = ic.ScoreCounts.from_arrays([1, 1, 0, 0], [1.0, -1.0, -2.0, 0.0])
    axes = plots.ScoresDisplay(counts, threshold=0).plot().ax_
    assert [t.get_text() for t in axes.texts] == ["positives: 50 % flagged", "negatives: 50 % flagged"]


def test_points_without_scores_are_refused():
    """A confusion matrix has no scores to draw."""
    with pytest.raises(InputError, match="not built from scores"):
        plots.ScoresDisplay(ic.RocCurve.from_confusion(5, 1, 2, 8))
    with pytest.raises(InputError, match="must be a ScoreCounts or a RocCurve, got list"):
        plots.ScoresDisplay([1, 2])

from itertools import pairwise

import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def test_every_cell_says_what_the_choice_says(curves, condition):
    """Threshold, shares and cost per 1000, one row a model; the cheapest is bold."""
    choices = [ic.best_threshold(curve, condition) for curve in curves]
    display = plots.ThresholdsDisplay(choices).plot()
    for choice, row in zip(choices, display.rows, strict=True):
        shares = (choice.tpr, choice.fpr, choice.flagged, choice.precision)
        assert row == [
            choice.model, choice.rule.removeprefix("flag cases with score "),
            *(f"{100 * s:.3g} %" for s in shares), f"{1000 * choice.expected_cost:.4g}",
        ]  # fmt: skip
    written = {text.get_text() for text in display.ax_.texts}
    assert {cell for row in display.rows for cell in row} <= written
    bold = {text.get_text() for text in display.ax_.texts if text.get_fontweight() == "bold"}
    assert bold == set(display.rows[1])


def test_columns_do_not_overlap(many, condition):
    """Texts of one row keep apart, however narrow the table."""
    display = plots.ThresholdsDisplay([ic.best_threshold(curve, condition) for curve in many]).plot()
    rows = {}
    for text in display.ax_.texts:
        rows.setdefault(round(text.get_position()[1], 6), []).append(text.get_window_extent())
    assert len(rows) == 13
    for boxes in rows.values():
        boxes.sort(key=lambda box: box.x0)
        assert all(left.x1 <= right.x0 + 0.5 for left, right in pairwise(boxes))


def test_trivial_choices_and_missing_numbers_are_said_in_words():
    """Flagging nobody has no precision; without a condition there is no cost."""
    curve = ic.RocCurve.from_points([0.2], [0.7], name="point")
    nobody = ic.best_threshold(curve, ic.Condition.from_t(0.999))
    assert plots.ThresholdsDisplay(nobody).rows == [["point", "nobody", "0 %", "0 %", "0 %", "", "1"]]
    limited = ic.neyman_pearson(curve, max_fpr=0.3)
    assert plots.ThresholdsDisplay(limited).rows == [["point", "", "70 %", "20 %", "", "", ""]]


def test_a_table_takes_no_style(curves, condition):
    """It has no lines."""
    with pytest.raises(InputError, match="no lines to style, got 'linewidth'"):
        ic.best_threshold(curves[0], condition).plot(linewidth=2)


def test_what_buckets_leave_open_of_choices_is_said():
    """Above the table: how much cheaper a threshold inside a bucket could be, and how much more it could catch."""
    curve = ic.RocCurve.from_counts(ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3], upper=[1.0, 0.4]))
    choices = [ic.best_threshold(curve, ic.Condition()), ic.workforce(curve, max_flagged=0.45)]
    title = plots.ThresholdsDisplay(choices).plot().ax_.get_title().replace("\n", " ")
    assert (
        title
        == "scores counted together in buckets: costs up to 0.12 lower (normalised) and up to 75 % more caught possible"
    )

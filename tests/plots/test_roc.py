import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError, UnknownNameError


def drawn(axes):
    """The lines on axes as (x, y) pairs."""
    return [(line.get_xdata(), line.get_ydata()) for line in axes.lines]


def holds(axes, x, y):
    """Whether one of the lines runs through exactly these points."""
    return any(np.array_equal(a, x) and np.array_equal(b, y) for a, b in drawn(axes))


def test_curves_and_hulls_are_those_of_the_results(curves):
    """Every operating point and every vertex is drawn where it lies."""
    axes = plots.RocDisplay(curves).plot().ax_
    for curve in curves:
        assert holds(axes, curve.fpr, curve.tpr)
        assert holds(axes, curve.hull.fpr, curve.hull.tpr)
    assert axes.get_xlabel() == "share of negatives flagged (fpr)"
    assert axes.get_ylabel() == "share of positives flagged (tpr)"
    assert axes.get_xlim() == axes.get_ylim() == (-0.01, 1.01)
    assert axes.get_aspect() == 1


def test_without_hulls_only_the_curve_is_drawn(curves):
    """The diagonal and the staircase."""
    axes = plots.RocDisplay(curves[0], hull=False).plot().ax_
    assert holds(axes, curves[0].fpr, curves[0].tpr)
    assert not holds(axes, curves[0].hull.fpr, curves[0].hull.tpr)


def test_iso_cost_line_touches_the_cheapest_point_of_all_models(curves, condition):
    """It has the slope of the condition, passes through the optimum, and no operating point lies above it."""
    display = plots.RocDisplay(curves, condition=condition).plot()
    best = display.best
    assert best.model == "random_forest"
    assert holds(display.ax_, [best.fpr], [best.tpr])
    line = next((x, y) for x, y in drawn(display.ax_) if len(x) == 2 and (x[0], y[0]) != (0, 0))
    slope = (line[1][1] - line[1][0]) / (line[0][1] - line[0][0])
    assert slope == pytest.approx(condition.skew_ratio)
    for curve in curves:
        assert np.all(curve.tpr <= line[1][0] + slope * (curve.fpr - line[0][0]) + 1e-12)
    reported = next(text.get_text() for text in display.ax_.texts if text.get_text().startswith("score ≥ "))
    assert f": flag cases with {reported};" in str(best)
    forest = next(curve for curve in curves if curve.name == best.model)
    typed = float(reported.removeprefix("score ≥ "))
    assert (forest.thresholds >= typed).sum() == (forest.thresholds >= best.threshold).sum()


def test_rate_lines_flag_the_share_they_say(curves):
    """Along each the share of cases flagged is the same, at the data's prevalence unless given."""
    axes = plots.RocDisplay(curves[0], rates=[0.25], prevalence=0.2).plot().ax_
    assert "25 % flagged" in [text.get_text() for text in axes.texts]
    assert any(len(x) == 2 and np.allclose(0.2 * y + 0.8 * x, 0.25) for x, y in drawn(axes))
    with pytest.raises(InputError, match=r"rates must lie between 0 and 1, got 1\.5"):
        plots.RocDisplay(curves[0], rates=[1.5]).plot()
    with pytest.raises(InputError, match="prevalence is unknown"):
        plots.RocDisplay(ic.RocCurve.from_points([0.2], [0.7]), rates=[0.5])


def test_thresholds_stand_beside_vertices(curves):
    """Those of the widest ranges first, as far as there is space; typed back, each flags the cases of its vertex."""
    axes = plots.RocDisplay(curves[0], thresholds=True).plot().ax_
    written = {text.get_text() for text in axes.texts}
    widest = max(curves[0].vertices, key=lambda v: (not v.trivial) * (v.t_high - v.t_low))
    cuts = curves[0].thresholds
    numbers = [float(text) for text in written if text.replace(".", "").isdigit()]
    assert len(numbers) > 1
    flagged = {int((cuts >= typed).sum()) for typed in numbers}
    assert int((cuts >= widest.threshold).sum()) in flagged
    assert flagged <= {int((cuts >= v.threshold).sum()) for v in curves[0].vertices}


def test_names_stand_in_the_figure_not_in_a_legend(curves):
    """Three models have space for direct labels, in the colours of their lines."""
    display = plots.RocDisplay(curves).plot()
    assert display.ax_.get_legend() is None
    texts = {text.get_text(): text.get_color() for text in display.ax_.texts}
    assert texts == {curve.name: look.colour for curve, look in zip(curves, display.looks, strict=True)}


def test_twelve_models_have_a_legend_of_five_and_the_rest(many, condition):
    """The five cheapest at the condition have names; the others are counted."""
    display = plots.RocDisplay(many, condition=condition).plot()
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert len(texts) == 6
    assert texts[-1] == "7 other models"
    costs = [float(curve.optimal_cost(condition.t)) for curve in many]
    cheapest = set(np.argsort(costs)[:5])
    assert {i for i, look in enumerate(display.looks) if look.named} == cheapest


def test_highlighted_models_are_coloured(many):
    """The user's choice comes before merit."""
    names = [curve.name for curve in many[-2:]]
    display = plots.RocDisplay(many, highlight=names)
    assert [look.named for look in display.looks[-2:]] == [True, True]
    with pytest.raises(UnknownNameError, match="unknown model 'nobody'"):
        plots.RocDisplay(many, highlight=["nobody"])


def test_crisp_classifiers_are_crosses_with_their_hull():
    """Points that are no path are not joined, except by the hull."""
    curve = ic.RocCurve.from_points([0.1, 0.3, 0.5], [0.6, 0.5, 0.9], name="crisp")
    axes = plots.RocDisplay(curve).plot().ax_
    crosses = [line for line in axes.lines if line.get_marker() == "x"]
    assert [line.get_xdata().tolist() for line in crosses] == [[0.1, 0.3, 0.5]]
    assert holds(axes, curve.hull.fpr, curve.hull.tpr)


def test_hostile_names_are_written_as_they_are():
    """Dollars, underscores in front and angle brackets are text."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    names = ["a $x^2$ model", "_hidden", "<b>&", "50 %"]
    shown = [ic.RocCurve.from_scores(y, y + rng.normal(0, 1 + i, 100), name=name) for i, name in enumerate(names)]
    display = plots.RocDisplay(shown).plot()
    display.figure_.draw_without_rendering()
    legend = display.ax_.get_legend()
    texts = display.ax_.texts if legend is None else legend.get_texts()
    assert {text.get_text().strip() for text in texts} >= set(names)
    assert not any(text.get_parse_math() for text in texts)


def test_the_cheapest_threshold_is_written_once(curves, condition):
    """Its rule stands beside the point; the bare number would only repeat it."""
    display = plots.RocDisplay(curves[0], condition=condition, thresholds=True).plot()
    texts = [text.get_text() for text in display.ax_.texts]
    number = next(text for text in texts if text.startswith("score ≥ ")).removeprefix("score ≥ ")
    assert f"score ≥ {number};" in str(display.best)
    assert number not in texts

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import isocost as ic
from isocost import plots
from isocost.errors import InputError, IsocostError


def test_figure_of_its_own_leaves_pyplot_alone(curves):
    """Nothing is registered, shown or left to close; the display says where it drew."""
    before = plt.get_fignums()
    display = plots.RocDisplay(curves).plot()
    assert plt.get_fignums() == before
    assert display.ax_.figure is display.figure_


def test_given_axes_are_the_only_thing_drawn_on(curves):
    """Neighbours stay empty, and no axes are added."""
    figure = Figure()
    left, right = figure.subplots(1, 2)
    display = plots.CostDisplay([ic.cost_curve(curve) for curve in curves]).plot(right)
    assert display.ax_ is right
    assert figure.axes == [left, right]
    assert not left.has_data()


def test_plot_changes_no_global_setting(curves):
    """The user's rcParams are as before."""
    before = dict(plt.rcParams)
    plots.DualityDisplay(curves).plot()
    assert dict(plt.rcParams) == before


def test_notebook_shows_a_figure_of_its_own_once(curves):
    """Axes of the caller belong to a figure that is shown anyway."""
    assert plots.RocDisplay(curves).plot()._repr_png_().startswith(b"\x89PNG")
    assert plots.RocDisplay(curves).plot(Figure().add_subplot())._repr_png_() is None


def test_unknown_property_is_named(curves):
    """A misspelt option is neither ignored nor an error of matplotlib's."""
    with pytest.raises(InputError, match="no option, and its Line2D no property, named 'linewdth'"):
        curves[0].plot(linewdth=2)


def test_axes_that_are_none_are_refused(curves):
    """A figure in place of axes is the usual slip."""
    with pytest.raises(InputError, match="ax must be matplotlib axes, got Figure"):
        curves[0].plot(Figure())
    with pytest.raises(InputError, match="three-dimensional"):
        ic.metrics.isosurface("accuracy", 0.8, cells=2).plot(Figure().add_subplot())


def test_wrong_kinds_of_results_are_named():
    """What was passed is named, and what was expected."""
    with pytest.raises(InputError, match="curves must be one RocCurve or several, got int"):
        plots.RocDisplay(3)
    with pytest.raises(InputError, match="curves must be one CostCurve or several, got str"):
        plots.CostDisplay(["a"])
    with pytest.raises(InputError, match="curves is empty"):
        plots.RocDisplay([])


def test_shortcuts_draw_what_the_displays_draw(curves, condition):
    """`result.plot(option=…, linewidth=…)` hands options to the display and properties to its lines."""
    comparison = ic.Comparison(curves)
    results = {
        plots.RocDisplay: curves[0],
        plots.CostDisplay: ic.cost_curve(curves[0]),
        plots.BootstrapDisplay: ic.inference.bootstrap_confusion({"tree": (16, 4, 4, 6)}),
        plots.BandDisplay: ic.inference.bootstrap_confusion({"tree": (16, 4, 4, 6)}).band("tree"),
        plots.RegretDisplay: comparison.regret("naive_bayes"),
        plots.ScoresDisplay: ic.ScoreCounts.from_arrays([0, 1, 1], [0.2, 0.4, 0.9]),
        plots.IsometricsDisplay: ic.metrics.isometrics("accuracy", [0.5]),
        plots.IsoSurfaceDisplay: ic.metrics.isosurface("accuracy", 0.8, cells=2),
    }
    for kind, result in [*results.items(), (plots.CostDisplay, comparison)]:
        assert type(result.plot()) is kind
    display = curves[0].plot(condition=condition, hull=False, linewidth=3)
    assert display.condition is condition
    assert display.ax_.lines[0].get_linewidth() == 3


def test_text_fits_one_column(curves, many, condition):
    """At 3.35 inches no label or name leaves the figure."""
    shown = [
        plots.RocDisplay(curves, condition=condition, thresholds=True),
        plots.RocDisplay(many, condition=condition),
        plots.CostDisplay([ic.cost_curve(c) for c in curves], condition=condition, prevalence=0.01),
        plots.CostDisplay([ic.cost_curve(c) for c in many], condition=condition, prevalence=0.3),
        plots.CostDisplay(ic.Comparison(many), condition=condition),
        plots.RegretDisplay([ic.Comparison(many).regret(c.name) for c in many]),
        plots.ScoresDisplay(curves[0], threshold=0.1),
        plots.IsometricsDisplay(
            [ic.metrics.isometrics("precision", np.arange(1, 10) / 10, skew_ratio=c) for c in (1, 0.5)]
        ),
    ]
    for display in shown:
        figure = Figure(figsize=(3.35, 3.35), layout="constrained")
        display.plot(figure.add_subplot())
        figure.draw_without_rendering()
        box = figure.get_tightbbox()
        assert box.x0 >= -0.02, display
        assert box.y0 >= -0.02, display
        assert box.x1 <= 3.37, display
        assert box.y1 <= 3.37, display


def test_no_text_is_cut_off_or_leaves_its_own_figure(many, condition):
    """Long names, twelve models and legends: the figure grows by its legend, and long labels break into lines."""
    comparison, long = ic.Comparison(many), [curve.name for curve in many]
    displays = [
        plots.WinnersDisplay(comparison.winners(), prevalence=0.3),
        plots.DifferenceDisplay(comparison.difference(*long[:2]), prevalence=0.3),
        plots.ScoresDisplay(many[0], threshold=0.2),
        plots.CostDisplay([ic.cost_curve(c, axis="cost_proportion") for c in many]),
        plots.KendallDisplay(comparison),
        plots.LesserAreaDisplay([ic.measures.lesser_area_curve(c) for c in many]),
        plots.DualityDisplay(many, condition=condition, winners=comparison.winners()),
    ]
    for display in displays:
        figure = display.plot().figure_
        figure.draw_without_rendering()
        width, height = figure.get_size_inches()
        box = figure.get_tightbbox()
        assert min(box.x0, box.y0) >= -0.02, display
        assert box.x1 <= width + 0.02, display
        assert box.y1 <= height + 0.02, display


def test_a_legend_takes_no_height_from_the_axes_of_its_own_figure(curves, many):
    """Twelve models are as high as three; both spaces of a pair stay level."""
    costs = [[ic.cost_curve(curve) for curve in models] for models in (curves, many)]
    few, all_ = (plots.CostDisplay(each).plot() for each in costs)
    assert all_.ax_.get_legend() is not None
    for display in (few, all_):
        display.figure_.draw_without_rendering()
    assert all_.ax_.bbox.height > 0.9 * few.ax_.bbox.height
    figure = Figure(figsize=(5, 4), layout="constrained")
    plots.CostDisplay(costs[1]).plot(figure.add_subplot())
    assert figure.get_size_inches().tolist() == [5, 4]


def test_every_result_of_a_comparison_has_a_shortcut(curves):
    """Winners and differences draw themselves, with the looks the models have elsewhere."""
    comparison = ic.Comparison(curves)
    display = comparison.winners().plot()
    assert type(display) is plots.WinnersDisplay
    looks = dict(zip(comparison.names, plots.CostDisplay([ic.cost_curve(c) for c in curves]).looks, strict=True))
    assert display.looks == looks
    assert type(comparison.difference(*comparison.names[:2]).plot()) is plots.DifferenceDisplay
    assert comparison.winners()[:] == tuple(comparison.winners())


def test_a_figure_of_its_own_can_be_of_any_width(curves, condition):
    """It keeps its shape; strips and tables keep their height; two spaces stand one above the other in one column."""
    roc = plots.RocDisplay(curves).sized(3.35).plot().figure_
    assert roc.get_size_inches() == pytest.approx([3.35, 3.35])
    strip = plots.WinnersDisplay(ic.Comparison(curves).winners()).sized(3.35).plot()
    assert strip.figure_.get_size_inches()[1] >= 1.5
    top, bottom = plots.DualityDisplay(curves, condition=condition).sized(3.35).plot().ax_
    assert top.get_position().y0 > bottom.get_position().y1
    with pytest.raises(IsocostError, match="width must be"):
        plots.RocDisplay(curves).sized(0)


CURVE = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hull": np.zeros(3)}, "hull must be True or False"),
        ({"condition": 0.3}, "condition must be a Condition or Conditions, got float"),
        ({"rates": "x"}, "rates"),
        ({"rates": [0.5, 2]}, "rates"),
        ({"highlight": 3}, "highlight must be names, got int"),
        ({"highlight": [3]}, "highlight must be names, got int"),
        ({"prevalence": (0.1, 0.4)}, "prevalence"),
    ],
)
def test_options_of_a_figure_are_checked_by_name(options, message):
    """Before anything is drawn, in a figure of its own and from a result alike."""
    with pytest.raises(ic.IsocostError, match=message):
        ic.plots.RocDisplay(CURVE, **options)
    with pytest.raises(ic.IsocostError, match=message):
        CURVE.plot(**options)


@pytest.mark.parametrize(
    ("display", "given", "options", "message"),
    [
        ("CostDisplay", ic.cost_curve(CURVE), {"bands": 3}, "bands must be one Band or several, got int"),
        (
            "CostDisplay",
            ic.cost_curve(CURVE),
            {"condition": 0.3},
            "condition must be a Condition or Conditions, got float",
        ),
        ("CostDisplay", ic.cost_curve(CURVE), {"winners": [1]}, "winners must be one Win or several, got int"),
        ("WinnersDisplay", CURVE, {}, "winners must be one Win or several, got RocCurve"),
        ("RocSurfaceDisplay", CURVE, {}, "surface must be a RocSurface, got RocCurve"),
        ("DifferenceDisplay", ic.cost_curve(CURVE), {"significant": [(0.1, 0.2)]}, "significant must be True or False"),
    ],
)
def test_what_a_figure_is_of_is_checked(display, given, options, message):
    """A sentence, and no error of an attribute that is not there."""
    with pytest.raises(ic.IsocostError, match=message):
        getattr(ic.plots, display)(given, **options)


def test_a_figure_is_of_a_size_that_can_be_drawn():
    """Neither infinite nor as wide as a street."""
    with pytest.raises(ic.IsocostError, match="width must be between 1 and 100"):
        ic.plots.RocDisplay(CURVE).sized(1e9)

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import isocost as ic
from isocost import plots
from isocost.curves.cost import from_pieces
from isocost.errors import InputError
from isocost.plots.display import polyline


def line_through(axes, x, y):
    """Whether one of the lines runs through these points."""
    for line in axes.lines:
        a, b = line.get_xdata(), line.get_ydata()
        if len(a) > 1 and np.all(np.diff(a) >= 0) and np.allclose(np.interp(x, a, b), y, atol=1e-12):
            return True
    return False


def test_envelopes_and_trivial_classifiers_are_drawn_where_they_are(curves):
    """Each envelope through its breaks; the triangle of the trivial classifiers behind."""
    costs = [ic.cost_curve(curve) for curve in curves]
    axes = plots.CostDisplay(costs).plot().ax_
    x = np.linspace(0, 1, 1001)
    for cost in costs:
        assert line_through(axes, x, cost(x))
    assert line_through(axes, x, np.minimum(x, 1 - x))
    assert axes.get_xlim() == (0, 1)
    assert axes.get_ylim() == pytest.approx((0, 0.52))
    assert axes.get_xlabel() == "share of the worst cost that misses carry (pcf)"
    assert axes.get_ylabel() == "normalised cost"


def test_faint_lines_are_those_of_the_operating_points():
    """Point (fpr, tpr) is the line from fpr to 1 - tpr."""
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9], name="two points")
    axes = plots.CostDisplay(ic.cost_curve(curve), lines=curve).plot().ax_
    segments = [s.tolist() for s in axes.collections[0].get_segments()]
    expected = [[[0, x], [1, 1 - y]] for x, y in zip(curve.fpr, curve.tpr, strict=True)]
    assert np.allclose(segments, expected)


def test_curved_and_broken_pieces_are_drawn_as_they_are():
    """Parabolas are rounded, and a jump is drawn at its place."""
    curve = from_pieces([0, 0.5, 1], [0.0, 0.2], [0.3, 0.1], [0.1, 0.0], name="odd")
    x, y = polyline(curve)
    inside = (x > 0) & (x < 0.5)
    assert inside.sum() > 10
    assert np.allclose(y[inside], curve(x[inside]))
    assert y[x == 0.5].tolist() == [0.3, 0.2]


def test_condition_is_marked_on_the_cheapest_curve(curves, condition):
    """A dashed line at its pcf, and a dot at the lowest cost there."""
    costs = [ic.cost_curve(curve) for curve in curves]
    axes = plots.CostDisplay(costs, condition=condition).plot().ax_
    lowest = min(float(cost(condition.pcf)) for cost in costs)
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_marker() == "o"]
    assert dots == [(condition.pcf, lowest)]
    assert f"cost {lowest:.3g}" in [text.get_text() for text in axes.texts]


def test_ranges_are_shaded(curves):
    """The uncertain conditions from 1 - high to 1 - low."""
    over = ic.Conditions.uniform(t=(0.2, 0.5))
    (span,) = plots.CostDisplay(ic.cost_curve(curves[0]), condition=over).plot().ax_.patches
    assert (span.get_x(), span.get_x() + span.get_width()) == pytest.approx((0.5, 0.8))


@pytest.mark.parametrize("prevalence", [0.01, 0.3, 0.9])
def test_second_axis_says_the_cost_ratio_at_the_prevalence(curves, prevalence):
    """A tick "5:1" stands at the pcf of a miss that costs five false alarms."""
    display = plots.CostDisplay(ic.cost_curve(curves[0]), prevalence=prevalence).plot()
    display.figure_.draw_without_rendering()
    top = display.ax_.child_axes[0]
    labels = {label.get_text(): float(x) for label, x in zip(top.get_xticklabels(), top.get_xticks(), strict=True)}
    assert len(labels) >= 3
    for text, x in labels.items():
        fn, fp = map(float, text.split(":"))
        assert x == pytest.approx(ic.Condition(fp, fn, prevalence).pcf)
    assert top.get_xlabel() == f"cost ratio, miss : false alarm at {100 * prevalence:.3g} % positive"
    ticks = top.get_xticks()
    below, above = (axes.transData.transform([(x, 0) for x in ticks])[:, 0] for axes in (display.ax_, top))
    assert np.allclose(below, above, atol=1e-6)


def test_cost_proportion_axis_has_its_own_words(curves):
    """Its triangle peaks at 1 - prevalence, and a condition is found by its t."""
    cost = ic.cost_curve(curves[0], axis="cost_proportion")
    condition = ic.Condition(1, 1, 0.3)
    axes = plots.CostDisplay(cost, condition=condition).plot().ax_
    assert axes.get_xlabel() == "cost of a miss / (miss + false alarm)"
    assert axes.get_ylabel() == "cost per case, costs adding up to 2 (30 % positive)"
    dot = next(line for line in axes.lines if line.get_marker() == "o")
    assert dot.get_xdata()[0] == pytest.approx(0.5)
    sides = next(line for line in axes.lines if line.get_gid() == "trivial")
    assert (sides.get_xdata()[np.argmax(sides.get_ydata())], max(sides.get_ydata())) == pytest.approx((0.7, 0.42))


def test_curves_on_different_axes_are_refused(curves):
    """They cannot share a figure, nor can bands and winners go with cost proportions."""
    pcf, proportion = ic.cost_curve(curves[0]), ic.cost_curve(curves[0], axis="cost_proportion")
    with pytest.raises(InputError, match="different axes cannot share a figure: cost_proportion"):
        plots.CostDisplay([pcf, proportion])
    with pytest.raises(InputError, match="winners= is known on the pcf axis"):
        plots.CostDisplay(proportion, winners=ic.Comparison(curves).winners())


def test_names_are_written_beside_the_curves(curves):
    """No legend is needed for three models."""
    display = plots.CostDisplay([ic.cost_curve(curve) for curve in curves]).plot()
    assert display.ax_.get_legend() is None
    assert {curve.name for curve in curves} <= {text.get_text() for text in display.ax_.texts}


def test_a_single_curve_without_a_name_is_not_named():
    """There is nothing to tell apart."""
    axes = plots.CostDisplay(ic.cost_curve(ic.RocCurve.from_points([0.2], [0.8]))).plot().ax_
    assert [text.get_text() for text in axes.texts] == ["flag nobody", "flag everybody"]


def test_several_methods_of_one_model_are_told_apart_by_names(curves):
    """Score-driven curves jump, rate-driven ones are curved; each is drawn as it is."""
    methods = ["best", "score_driven", "rate_driven"]
    costs = [ic.cost_curve(curves[2], method=method, axis="cost_proportion") for method in methods]
    axes = plots.CostDisplay(costs, names=methods).plot().ax_
    for cost, line in zip(costs, axes.lines[1:], strict=False):
        x, y = line.get_xdata(), line.get_ydata()
        assert np.isin(cost.breaks, x).all()
        inside = ~np.isin(x, cost.breaks)
        assert np.allclose(y[inside], cost(x[inside]), atol=1e-12)
    with pytest.raises(InputError, match="names must be one for each of 3 curves, got 1"):
        plots.CostDisplay(costs, names=["one"])


def test_a_perfect_model_is_seen_on_the_frame():
    """Its cost of 0 everywhere is a whole line, not one half hidden; its name keeps off the strip of winners."""
    perfect = ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], name="perfect")
    comparison = ic.Comparison([perfect])
    axes = plots.CostDisplay(comparison, condition=ic.Condition()).plot().ax_
    line = next(ln for ln in axes.lines if ln.get_linewidth() == 1.6)
    assert not line.get_clip_on()
    axes.figure.draw_without_rendering()
    strip = next(p for p in axes.patches if p.get_width() == 1).get_window_extent()
    written = [t for t in axes.texts if t.get_text() in ("perfect", "cost 0")]
    assert len(written) == 2
    assert not any(text.get_window_extent().overlaps(strip) for text in written)


def test_names_of_trivial_classifiers_keep_off_the_curves(curves):
    """They stand beside their sides of the triangle where nothing else is drawn, or are left out."""
    costs = [ic.cost_curve(curve, method="score_driven", axis="cost_proportion") for curve in curves[1:]]
    for display in (plots.CostDisplay(costs), plots.CostDisplay([ic.cost_curve(c) for c in curves])):
        axes = display.plot().ax_
        for text in (t for t in axes.texts if t.get_text().startswith("flag")):
            centre = text.get_window_extent().get_points().mean(axis=0)
            for cost in display.curves:
                x, y = polyline(cost)
                away = axes.transData.transform(
                    np.column_stack([np.linspace(0, 1, 800), np.interp(np.linspace(0, 1, 800), x, y)])
                )
                assert np.min(np.hypot(*(away - centre).T)) > 4


def test_many_models_share_the_faint_lines(many):
    """At most 300 in all, so that the curves stay in sight; bands of models in grey are left out."""
    costs = [ic.cost_curve(curve) for curve in many]
    axes = plots.CostDisplay(costs, lines=many).plot().ax_
    assert sum(len(c.get_segments()) for c in axes.collections) <= 300


@pytest.mark.parametrize("size", [(3.4, 2.6), (6.4, 4.8)])
def test_the_strip_of_winners_keeps_clear_of_the_label_of_the_axis(size):
    """However low the figure, the word beside the strip and the label of the y axis do not touch."""
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.3
    compared = ic.Comparison.from_scores(y, {f"model {i}": rng.normal(size=300) + y * (1 + 0.1 * i) for i in range(8)})
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    curves = [ic.cost_curve(curve) for curve in compared.curves]
    ic.plots.CostDisplay(curves, names=compared.names, winners=compared.winners()).plot(ax=axes)
    figure.canvas.draw()
    (word,) = axes.get_yticklabels(minor=True)
    assert word.get_text() == "cheapest"
    assert not word.get_window_extent().overlaps(axes.yaxis.label.get_window_extent())


def test_comparison_brings_its_condition_and_winners(curves, condition):
    """Certain conditions are marked, uncertain ones shaded."""
    certain = plots.CostDisplay(ic.Comparison(curves, condition=condition))
    assert certain.condition == condition
    assert [win.name for win in certain.winners] == [win.name for win in ic.Comparison(curves).winners()]
    over = ic.Conditions.uniform(t=(0.2, 0.4))
    uncertain = plots.CostDisplay(ic.Comparison(curves, condition=over))
    assert uncertain.condition is over
    given = plots.CostDisplay(ic.Comparison(curves, condition=condition), condition=ic.Condition())
    assert given.condition == ic.Condition()


def test_the_optimum_is_one_point_in_both_spaces(curves, condition):
    """The dot on the right is the cost of the dot on the left, at the condition."""
    roc, cost = plots.DualityDisplay(curves, condition=condition).plot().ax_
    dots = []
    for axes in (roc, cost):
        line = next(line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata()) == 1)
        dots.append((line.get_xdata()[0], line.get_ydata()[0]))
    (fpr, tpr), (pcf, value) = dots
    assert pcf == condition.pcf
    assert value == pytest.approx(condition.normalised_cost(fpr, tpr))


@pytest.mark.parametrize("t", [None, 0.1, 0.9])
def test_a_model_looks_the_same_in_both_spaces(many, t):
    """The best five are the same, on average or at any condition."""
    display = plots.DualityDisplay(many, condition=None if t is None else ic.Condition.from_t(t))
    assert display.roc.looks == display.cost.looks
    assert sum(look.named for look in display.roc.looks) == 5


def test_lines_on_the_right_are_the_points_on_the_left():
    """One faint line a point."""
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9])
    roc, cost = plots.DualityDisplay(curve, lines=True).plot().ax_
    segments = cost.collections[0].get_segments()
    assert np.allclose([s[0][1] for s in segments], curve.fpr)
    assert np.allclose([s[1][1] for s in segments], 1 - curve.tpr)
    assert roc.get_aspect() == 1


def test_two_axes_are_needed(curves):
    """And they are the ones drawn on."""
    figure = Figure()
    pair = figure.subplots(1, 2)
    assert plots.DualityDisplay(curves).plot(pair).ax_.tolist() == list(pair)
    with pytest.raises(InputError, match="ax must be two matplotlib axes"):
        plots.DualityDisplay(curves).plot(pair[0])


def two():
    """Two classifiers of one point each."""
    return [
        ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a"),
        ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b"),
    ]


def drawn_as(axes, name):
    """The data of the line of that id."""
    (line,) = [line for line in axes.lines if line.get_gid() == name]
    return np.array(line.get_data())


@pytest.mark.parametrize("prevalence", [0.2, 0.5, 0.8])
def test_the_rule_lies_on_the_joint_hull_and_fills_the_workforce(prevalence):
    """It flags the share of cases given, no rule of either model that does catches more, and its cost line meets the virtual point."""
    display = ic.plots.WorkforceDisplay(two(), 0.3, prevalence=prevalence).plot()
    roc, cost = display.ax_
    (x,), (y,) = drawn_as(roc, "rule")
    assert prevalence * y + (1 - prevalence) * x == pytest.approx(0.3)
    hull = drawn_as(roc, "joint hull")
    assert y == pytest.approx(np.interp(x, *hull))
    ends, costs = drawn_as(cost, "rule")
    line = x + ends * (1 - y - x)
    assert costs == pytest.approx(line)
    if prevalence == 0.5:
        assert display.virtual is None
    else:
        assert display.virtual[1] == pytest.approx(x + display.virtual[0] * (1 - y - x))


def test_every_rule_that_fills_the_workforce_passes_through_the_virtual_point():
    """Points of one line of ROC space are lines through one point of cost space."""
    pcf, cost = ic.plots.WorkforceDisplay(two(), 0.3, prevalence=0.2).virtual
    for fpr in (0.15, 0.2, 0.3):
        tpr = (0.3 - 0.8 * fpr) / 0.2
        assert fpr + pcf * (1 - tpr - fpr) == pytest.approx(cost)


def test_the_rule_is_said():
    """Model and threshold, and how often the other is used."""
    assert ic.plots.WorkforceDisplay(two(), 0.3, prevalence=0.2).rule == "b ≥ 0.2 for 37.5 % of the cases, else a ≥ 0.7"
    at_a_point = ic.plots.WorkforceDisplay(ic.Comparison(two()), 0.3, prevalence=0.5)
    assert at_a_point.rule == "a ≥ 0.7"


def test_what_cannot_be_drawn_is_refused():
    """A share that is none, no prevalence, one pair of axes."""
    with pytest.raises(InputError, match="which share of all cases"):
        ic.plots.WorkforceDisplay(two())
    with pytest.raises(InputError, match="flagged"):
        ic.plots.WorkforceDisplay(two(), 1.0, prevalence=0.2)
    with pytest.raises(InputError, match="prevalence"):
        ic.plots.WorkforceDisplay(two(), 0.3)
    from matplotlib.figure import Figure

    with pytest.raises(InputError, match="two matplotlib axes"):
        ic.plots.WorkforceDisplay(two(), 0.3, prevalence=0.2).plot(Figure().subplots())


def results(curves):
    """One decomposition of each kind, with total and base."""
    rate = ic.curves.rate_driven_decomposition(curves[0])
    brier = ic.curves.brier_decomposition(curves[2])
    built = ic.curves.parameter_based([0.05, 0.2, 0.5], [0.4, 0.7, 0.9], pcf=[0.2, 0.5, 0.8])
    return [
        (rate, rate.total, rate.base),
        (brier, brier.total, brier.base),
        (built, built.total, built.base),
    ]


def test_total_base_and_rest_are_drawn_with_their_areas(curves):
    """Each through its breaks, whichever decomposition it is."""
    for parts, total, base in results(curves):
        display = parts.plot()
        assert type(display) is plots.DecompositionDisplay
        for curve, line, name in zip((total, base), display.ax_.lines, display.names, strict=False):
            assert np.isin(curve.breaks, line.get_xdata()).all()
            x, y = line.get_xdata(), line.get_ydata()
            inside = ~np.isin(x, curve.breaks)
            assert np.allclose(y[inside], curve(x[inside]), atol=1e-12)
            assert name.endswith(f": {curve.area():.3g}")


def test_the_part_between_is_shaded(curves):
    """Its area is that of the rest."""
    parts, total, base = results(curves)[0]
    path = parts.plot().ax_.collections[0].get_paths()[0].vertices
    x, y = path[:, 0], path[:, 1]
    area = abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    assert area == pytest.approx(total.area() - base.area(), abs=1e-4)


def test_other_results_are_refused(curves):
    """A plain curve has no parts."""
    with pytest.raises(InputError, match="parts must be a CostDecomposition, got CostCurve"):
        plots.DecompositionDisplay(ic.cost_curve(curves[0]))

import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError, IsocostError, UnknownNameError
from isocost.inference import curve_band
from isocost.plots import CalibrationDisplay

FORMS = {
    "pr": ic.curves.pr_curve,
    "pr_gain": ic.curves.pr_gain_curve,
    "gain": ic.curves.gain_curve,
    "det": ic.curves.det_curve,
}


@pytest.fixture(scope="module")
def two():
    """Two models and their resamples."""
    rng = np.random.default_rng(2)
    y = np.arange(80) < 30
    scores = {"a": rng.normal(size=80) + y, "b": rng.normal(size=80) + 0.5 * y}
    return ic.Comparison.from_scores(y, scores), ic.bootstrap(y, scores, n_resamples=30)


def shades(display):
    """The corners of what is shaded."""
    return [shade.get_paths()[0].vertices for shade in display.ax_.collections]


@pytest.mark.parametrize("of", FORMS)
def test_bands_are_shaded_around_their_lines(two, of):
    """One shade a model, in its colour, as high as the limits."""
    comparison, resampled = two
    bands = [curve_band(resampled, name, of) for name in ("a", "b")]
    drawn = plots.FormDisplay([FORMS[of](curve) for curve in comparison.curves], bands=bands).plot()
    assert len(shades(drawn)) == 2
    if of != "det":
        for corners, band in zip(shades(drawn), bands, strict=True):
            assert corners[:, 1].max() == pytest.approx(band.high.max())
            assert corners[:, 1].min() == pytest.approx(band.low.min())
    assert np.isfinite(np.concatenate(shades(drawn))).all()
    assert drawn.ax_.get_title() == "90 % pointwise bands"


def test_lift_is_the_gain_over_the_share(two):
    """So are its limits."""
    comparison, resampled = two
    band = curve_band(resampled, "a", "gain", at=[0.1, 0.5])
    drawn = ic.plots.FormDisplay(ic.curves.gain_curve(comparison["a"]), lift=True, bands=band).plot()
    assert shades(drawn)[0][:, 1].max() == pytest.approx(max(band.high[0] / 0.1, band.high[1] / 0.5))


def test_bands_of_something_else_are_refused(two):
    """Another curve, another model, another prevalence, two levels."""
    comparison, resampled = two
    curves = [ic.curves.gain_curve(curve) for curve in comparison.curves]
    gain = curve_band(resampled, "a", "gain")
    with pytest.raises(UnknownNameError, match="unknown kind of band for this figure 'pr': known: 'gain'"):
        ic.plots.FormDisplay(curves, bands=curve_band(resampled, "a", "pr"))
    others = [
        ic.curves.gain_curve(ic.RocCurve.from_scores([1, 0], [1, 0], name=name), prevalence=3 / 8) for name in "xy"
    ]
    with pytest.raises(UnknownNameError, match="'a'"):
        ic.plots.FormDisplay(others, bands=gain)
    with pytest.raises(InputError, match="make both alike"):
        ic.plots.FormDisplay(curves, bands=curve_band(resampled, "a", "gain", prevalence=0.1))
    with pytest.raises(InputError, match="one level"):
        ic.plots.FormDisplay(curves, bands=[gain, curve_band(resampled, "b", "gain", level=0.5)])
    with pytest.raises(InputError, match="bands must be one CurveBand or several, got int"):
        ic.plots.FormDisplay(curves, bands=[1])


def test_the_line_is_the_isotonic_fit(curves):
    """As scikit-learn fits it, at every score; the diagonal beside it."""
    isotonic = pytest.importorskip("sklearn.isotonic")
    from isocost.datasets import load_german_credit_predictions

    y_true, scores = load_german_credit_predictions()
    fit = isotonic.IsotonicRegression(out_of_bounds="clip").fit(scores["naive_bayes"], np.asarray(y_true, float))
    [curve] = [c for c in curves if c.name == "naive_bayes"]
    display = CalibrationDisplay(curve).plot()
    x, y = next(line for line in display.ax_.lines if len(line.get_xdata()) > 2).get_data()
    assert (x[0], x[-1]) == (0, 1)
    assert np.all(np.diff(x) >= 0)
    assert np.all(np.diff(y) >= 0)
    step = np.searchsorted(x[::2], scores["naive_bayes"], side="right") - 1
    assert np.allclose(y[::2][step], fit.predict(scores["naive_bayes"]), rtol=0, atol=1e-12)


def test_bins_are_drawn_only_if_asked(curves):
    """Ten of them hold a tenth of the cases each; their shares average to the prevalence."""

    def bins(display):
        return [line for line in display.plot().ax_.lines if line.get_gid() == "bins"]

    assert bins(CalibrationDisplay(curves)) == []
    drawn = bins(CalibrationDisplay(curves, bins=10))
    assert len(drawn) == len(curves)
    for line, curve in zip(drawn, curves, strict=True):
        assert np.mean(line.get_ydata()) == pytest.approx(curve.prevalence, abs=0.01)


@pytest.mark.parametrize("bins", [1, 2.5, "ten"])
def test_what_is_no_number_of_bins_is_refused(bins, curves):
    """Two at least, and whole."""
    with pytest.raises(InputError, match="bins"):
        CalibrationDisplay(curves, bins=bins)


def test_scores_that_are_no_probabilities_are_refused():
    """There is no share to compare 3 with."""
    with pytest.raises(InputError, match="probabilities"):
        CalibrationDisplay(ic.RocCurve.from_scores([0, 1], [2, 3])).plot()


Y, SCORES = np.array([1, 0, 1, 1, 0]), np.array([0.9, 0.8, 0.7, 0.6, 0.2])


def test_both_rates_are_drawn_as_steps():
    """At every threshold each line passes through its rate there, and stays until the next score."""
    rates = ic.curves.rate_curve(ic.RocCurve.from_scores(Y, SCORES, name="demo"))
    drawn = rates.plot(threshold=0.65)
    for line, which in zip(drawn.ax_.lines[:2], (0, 1), strict=True):
        x, y = line.get_data()
        for cut in (0.2, 0.3, 0.6, 0.65, 0.79, 0.85):
            # Of the corners, those at the next higher threshold hold the rate just below it.
            after = x >= cut
            value = y[after][-1]
            assert value == (rates.tpr, rates.tnr)[which][rates.thresholds >= cut][-1]
    assert drawn.ax_.lines[2].get_xdata()[0] == 0.65
    assert drawn.ax_.get_title() == "demo"


def test_a_long_name_is_shortened_above_the_rates():
    """The title stays inside the figure."""
    curve = ic.RocCurve.from_scores(Y, SCORES, name="credit_risk_2026_gradient_boosting_depth_6_balanced_v2")
    figure = ic.plots.RatesDisplay(ic.curves.rate_curve(curve)).plot().figure_
    figure.draw_without_rendering()
    assert figure.get_tightbbox().x1 <= figure.get_figwidth()


def test_bands_of_rates_are_shaded():
    """Of both rates, at one level; other bands are refused."""
    resampled = ic.bootstrap(np.tile(Y, 20), {"demo": np.tile(SCORES, 20)}, n_resamples=20)
    rates = ic.curves.rate_curve(ic.RocCurve.from_scores(Y, SCORES))
    bands = [curve_band(resampled, "demo", of) for of in ("tpr", "tnr")]
    drawn = ic.plots.RatesDisplay(rates, bands=bands).plot()
    assert len(drawn.ax_.collections) == 2
    assert drawn.ax_.get_title() == "90 % pointwise bands"
    with pytest.raises(UnknownNameError, match="unknown kind of band for this figure 'pr'"):
        ic.plots.RatesDisplay(rates, bands=curve_band(resampled, "demo", "pr"))
    with pytest.raises(InputError, match="one level"):
        ic.plots.RatesDisplay(rates, bands=[bands[0], curve_band(resampled, "demo", "tnr", level=0.5)])
    with pytest.raises(InputError, match="curve must be a CurveForm, got"):
        ic.plots.RatesDisplay(Y)


# The running example of Hernández-Orallo, Flach and Ferri (2013), and a second model.
A = ic.RocCurve.from_scores([1, 1, 0, 1, 1, 1, 0, 1, 0, 1], range(10, 0, -1), name="A")
B = ic.RocCurve.from_scores([1, 1, 1, 0, 1, 0, 0, 1, 1, 1], range(10, 0, -1), name="B")
GRID = np.linspace(0, 1, 101)


def values(line):
    """The drawn line at every hundredth."""
    return np.interp(GRID, line.get_xdata(), line.get_ydata())


def test_kendall_curves_and_their_skulls_are_drawn():
    """Solid the curve, thin the curve of the hull, for each model."""
    axes = plots.KendallDisplay([A, B]).plot().ax_
    skulls = [line for line in axes.lines if line.get_gid() == "skull"]
    curves = [line for line in axes.lines if line.get_linewidth() == 1.6]
    for curve, drawn, skull in zip((A, B), curves, skulls, strict=True):
        assert np.allclose(values(drawn), ic.curves.kendall_curve(curve)(GRID), atol=1e-12)
        assert np.allclose(values(skull), ic.curves.convex_skull(curve, of="kendall")(GRID), atol=1e-12)
    assert axes.get_xlabel() == "share of cases flagged"
    assert axes.get_xlim() == (0, 1)
    assert axes.get_ylim()[0] == 0
    assert axes.get_ylim()[1] > ic.curves.kendall_curve(B).maximum


def test_rate_driven_curves_stand_above_that_of_a_perfect_ranking():
    """The parabolas are drawn as round as they are."""
    axes = plots.KendallDisplay(A, of="rate_driven").plot().ax_
    drawn, _, perfect = axes.lines
    curve = ic.cost_curve(A, method="rate_driven", axis="cost_proportion")
    assert np.allclose(drawn.get_ydata(), curve(np.clip(drawn.get_xdata(), 0, 1)), atol=1e-12)
    assert np.allclose(
        perfect.get_ydata(), ic.curves.perfect_ranker_curve(prevalence=0.7)(perfect.get_xdata()), atol=1e-12
    )
    assert {text.get_text() for text in axes.texts} == {"A", "perfect ranking", "convex skull"}


def test_a_perfect_ranking_has_a_flat_curve():
    """All zeros, and still a figure."""
    perfect = ic.RocCurve.from_scores([1, 1, 0], [3, 2, 1])
    assert plots.KendallDisplay(perfect).plot().ax_.get_ylim() == (0, 0.1)


def test_unknown_kinds_are_refused():
    """The nearest one is offered."""
    with pytest.raises(IsocostError, match="unknown of 'kendal': did you mean 'kendall'"):
        plots.KendallDisplay(A, of="kendal")


def test_thin_lines_are_explained(curves):
    """One skull is named beside its line, several by a note."""
    one, several = (plots.KendallDisplay(c).plot().ax_ for c in (curves[0], curves))
    assert "convex skull" in [text.get_text() for text in one.texts]
    assert several.get_title(loc="right") == "thin: convex skulls"


def test_curves_are_drawn_as_they_are(curves):
    """Through every break, and curved between; higher is better, up to 1."""
    areas = [ic.measures.lesser_area_curve(curve) for curve in curves]
    axes = plots.LesserAreaDisplay(areas).plot().ax_
    for area in areas:
        found = [ln for ln in axes.lines if np.isin(area.breaks, ln.get_xdata()).all()]
        assert any(np.array_equal(ln.get_ydata(), area(ln.get_xdata())) for ln in found)
    lowest = min(line.get_ydata().min() for line in axes.lines)
    assert axes.get_ylim()[0] < lowest
    assert axes.get_ylim()[1] == 1
    assert axes.get_xlim() == (0, 1)
    assert axes.get_xlabel() == "share of the worst cost that false alarms carry (t)"
    assert {text.get_text() for text in axes.texts} == {curve.name for curve in curves}


def test_conditions_are_marked_at_their_t(curves, condition):
    """A line for one, a shade for a range."""
    area = ic.measures.lesser_area_curve(curves[0])
    one = area.plot(condition=condition).ax_
    assert any(np.allclose(line.get_xdata(), condition.t) for line in one.lines)
    shade = area.plot(condition=ic.Conditions.uniform(t=(0.2, 0.5))).ax_.patches[0]
    assert (shade.get_x(), round(shade.get_width(), 12)) == (0.2, 0.3)


def test_the_best_five_of_twelve_are_named(many):
    """Best by VOROS."""
    areas = [ic.measures.lesser_area_curve(curve) for curve in many]
    display = plots.LesserAreaDisplay(areas).plot()
    best = set(np.argsort([-ic.voros(curve) for curve in many])[:5])
    assert {i for i, look in enumerate(display.looks) if look.named} == best


def test_a_perfect_model_lies_on_the_upper_edge():
    """The axis ends at 1, the most there is."""
    perfect = ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], name="perfect")
    axes = ic.measures.lesser_area_curve(perfect).plot().ax_
    assert axes.get_ylim() == (0.9, 1.0)


def test_second_axis_says_the_cost_ratio_at_each_t(curves):
    """A tick "5:1" stands at the t of a miss that costs five false alarms."""
    display = plots.LesserAreaDisplay(ic.measures.lesser_area_curve(curves[0]), prevalence=0.3).plot()
    display.figure_.draw_without_rendering()
    top = display.ax_.child_axes[0]
    ticks = {label.get_text(): float(x) for label, x in zip(top.get_xticklabels(), top.get_xticks(), strict=True)}
    assert len(ticks) >= 3
    for text, x in ticks.items():
        miss, alarm = map(float, text.split(":"))
        assert x == pytest.approx(ic.Condition(alarm, miss, 0.3).t)


def test_curves_are_drawn_with_both_strategies(curves):
    """Every drawn point lies on its curve or at the lower end of a jump; both strategies are named."""
    made = [ic.curves.net_benefit_curve(curve) for curve in curves]
    axes = plots.NetBenefitDisplay(made).plot().ax_
    x, y = next(ln for ln in axes.lines if ln.get_gid() == "everybody").get_data()
    np.testing.assert_allclose(y, made[0].treat_all(x), atol=1e-12)
    for curve, line in zip(made, axes.lines[: len(made)], strict=True):
        inner = (np.asarray(line.get_xdata())[:-1] + np.asarray(line.get_xdata())[1:]) / 2
        assert np.all(np.diff(line.get_xdata()) >= 0)
        seen = np.interp(inner, line.get_xdata(), line.get_ydata())
        assert np.nanmax(np.abs(seen - curve(inner))[inner < 0.8]) < 5e-3
    texts = {text.get_text() for text in axes.texts} | {t.get_text() for t in getattr(axes.get_legend(), "texts", [])}
    assert {"flag everybody", "flag nobody"} <= texts
    assert {curve.name for curve in curves} <= texts


def test_the_axis_ends_where_no_model_is_useful_any_more(curves):
    """And may be given another end."""
    made = [ic.curves.net_benefit_curve(curve) for curve in curves]
    last = max(high for curve in made for _, high in curve.useful)
    low, high = plots.NetBenefitDisplay(made).plot().ax_.get_xlim()
    assert low == 0
    assert last < high <= 1
    assert made[0].plot(between=(0.1, 0.4)).ax_.get_xlim() == (0.1, 0.4)


def test_bands_are_shaded_and_differences_centred_at_nothing():
    """A shade a model; a difference has no strategies beside it."""
    resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=50)
    two = [ic.inference.curve_band(resampled, name, "net_benefit") for name in resampled.names[:2]]
    assert len(plots.NetBenefitDisplay(two, between=(0, 0.7)).plot().ax_.collections) == 2
    first, second = resampled.names[:2]
    gap = ic.inference.curve_band(resampled, first, "net_benefit", versus=second)
    axes = plots.NetBenefitDisplay(gap, between=(0, 0.7)).plot().ax_
    assert axes.get_ylabel() == "net benefit: logistic_regression − random_forest"
    assert axes.get_ylim()[0] == -axes.get_ylim()[1]
    assert not [line for line in axes.lines if line.get_gid() == "everybody"]


def test_curves_of_different_prevalence_do_not_mix(curves):
    """Flagging everybody would have to be drawn twice."""
    made = [ic.curves.net_benefit_curve(curves[0]), ic.curves.net_benefit_curve(curves[1], prevalence=0.1)]
    with pytest.raises(ic.IsocostError, match="curves of one prevalence"):
        plots.NetBenefitDisplay(made)


def test_a_negative_that_scores_1_can_be_drawn():
    """Its net benefit falls without limit as p nears 1; the line ends below the axes."""
    curve = ic.curves.net_benefit_curve(ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 1.0, 0.5, 0.2], name="m"))
    axes = plots.NetBenefitDisplay(curve, between=(0, 1)).plot().ax_
    assert min(np.min(line.get_ydata()) for line in axes.lines if line.get_gid() is None) == -1.0
    assert axes.get_ylim()[0] > -1.0

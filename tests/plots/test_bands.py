import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError, UnknownNameError
from isocost.inference import Band

PCF = np.linspace(0, 1, 51)


def band(name, share=0.5, level=0.9, kind="pointwise"):
    """A band around a share of the trivial classifiers' cost."""
    cost = share * np.minimum(PCF, 1 - PCF)
    return Band(PCF, 0.9 * cost, cost, 1.1 * cost, 0.95 * cost, level, kind, "made up", (name,))


def test_estimate_and_limits_are_drawn_where_they_are():
    """The line is the estimate, the edges are the limits, the shade lies between them."""
    one, two = band("a"), band("b", 0.8)
    axes = plots.BandDisplay([one, two]).plot().ax_
    lines = [line for line in axes.lines if line.get_linewidth() == 1.6]
    edges = [line for line in axes.lines if line.get_gid() == "edge"]
    for made, line in zip((one, two), lines, strict=True):
        assert np.array_equal(line.get_ydata(), made.centre)
    assert np.array_equal([e.get_ydata() for e in edges], [one.low, one.high, two.low, two.high])
    assert len(axes.collections) == 2
    assert axes.get_title() == "90 % pointwise bands"
    assert axes.get_ylabel() == "normalised cost"
    assert axes.get_xlim() == (0, 1)
    assert {"a", "b"} <= {text.get_text() for text in axes.texts}


def test_different_levels_cannot_share_a_figure():
    """The title could not say both."""
    with pytest.raises(InputError, match="bands of one level and kind make one figure, got 2 different ones"):
        plots.BandDisplay([band("a"), band("b", level=0.95)])


def test_twelve_bands_have_names_for_five():
    """And shades for five; the rest are grey lines."""
    display = plots.BandDisplay([band(f"model {i}", 0.3 + 0.05 * i) for i in range(12)]).plot()
    assert len(display.ax_.collections) == 5
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()][-1] == "7 other models"


def test_cost_space_takes_bands_by_name(curves):
    """The shade has the colour of the curve of that name."""
    from matplotlib.colors import to_hex

    import isocost as ic

    costs = [ic.cost_curve(curve) for curve in curves]
    display = plots.CostDisplay(costs, bands=[band(curves[1].name)]).plot()
    assert to_hex(display.ax_.collections[0].get_facecolor()[0]) == display.looks[1].colour


@pytest.fixture(scope="module")
def resampled():
    """Thirty resamples of three models."""
    y_true, scores = load_german_credit_predictions()
    return ic.bootstrap(y_true, scores, n_resamples=30, rng=0, grid=51)


def test_first_resamples_are_drawn_behind_the_data(resampled):
    """Thin lines are resamples, the thick one the data's own curve, for every model."""
    axes = plots.BootstrapDisplay(resampled, resamples=10).plot().ax_
    lines = [line for line in axes.lines if line.get_linewidth() == 1.6]
    for name, thin, line in zip(resampled.names, axes.collections, lines, strict=True):
        model = resampled.replicates[name]
        drawn = np.array([segment[:, 1] for segment in thin.get_segments()])
        assert np.array_equal(drawn, model.own[:10])
        assert np.array_equal(line.get_ydata(), model.apparent)
    assert axes.get_title() == "10 resamples"
    assert axes.get_xlabel() == "share of the worst cost that misses carry (pcf)"


def test_models_can_be_chosen_and_all_resamples_shown(resampled):
    """More than there are means all there are."""
    display = resampled.plot(names="naive_bayes")
    assert type(display) is plots.BootstrapDisplay
    assert display.ax_.get_title() == "30 resamples"
    assert len(display.ax_.collections) == 1
    among_all = dict(zip(resampled.names, resampled.plot().looks, strict=True))
    assert display.looks == [among_all["naive_bayes"]]


def test_wrong_names_and_results_are_refused(resampled, curves):
    """The nearest name is offered."""
    with pytest.raises(UnknownNameError, match="did you mean 'naive_bayes'"):
        plots.BootstrapDisplay(resampled, names=["naive_byes"])
    with pytest.raises(InputError, match="bootstrap must be a Bootstrap, got list"):
        plots.BootstrapDisplay(curves)


def test_of_many_models_only_the_best_are_spread_out():
    """Resamples of grey models would hide the rest; their curves are still there."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    scores = {f"m{i}": y + rng.normal(0, 0.5 + 0.2 * i, 60) for i in range(8)}
    axes = ic.bootstrap(y, scores, n_resamples=20, rng=0).plot(resamples=10).ax_
    assert len(axes.collections) == 5
    assert sum(len(ln.get_xdata()) == 201 for ln in axes.lines) == 8

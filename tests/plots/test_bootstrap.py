import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError, UnknownNameError


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
        model = resampled._models[name]
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

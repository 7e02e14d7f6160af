import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.datasets import load_german_credit_predictions


def test_curves_are_drawn_with_both_strategies(curves):
    """Every drawn point lies on its curve or at the lower end of a jump; both strategies are named."""
    made = [ic.net_benefit_curve(curve) for curve in curves]
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
    """And can be told to end elsewhere."""
    made = [ic.net_benefit_curve(curve) for curve in curves]
    last = max(high for curve in made for _, high in curve.useful)
    low, high = plots.NetBenefitDisplay(made).plot().ax_.get_xlim()
    assert low == 0
    assert last < high <= 1
    assert made[0].plot(between=(0.1, 0.4)).ax_.get_xlim() == (0.1, 0.4)


def test_bands_are_shaded_and_differences_centred_at_nothing():
    """A shade a model; a difference has no strategies beside it."""
    resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=50)
    two = [ic.inference.net_benefit_band(resampled, name) for name in resampled.names[:2]]
    assert len(plots.NetBenefitDisplay(two, between=(0, 0.7)).plot().ax_.collections) == 2
    axes = (
        ic.inference.net_benefit_band(resampled, *resampled.names[:1], versus=resampled.names[1])
        .plot(between=(0, 0.7))
        .ax_
    )
    assert axes.get_ylabel() == "net benefit: logistic_regression − random_forest"
    assert axes.get_ylim()[0] == -axes.get_ylim()[1]
    assert not [line for line in axes.lines if line.get_gid() == "everybody"]


def test_curves_of_different_prevalence_do_not_mix(curves):
    """Flagging everybody would have to be drawn twice."""
    made = [ic.net_benefit_curve(curves[0]), ic.net_benefit_curve(curves[1], prevalence=0.1)]
    with pytest.raises(ic.IsocostError, match="curves of one prevalence"):
        plots.NetBenefitDisplay(made)


def test_a_negative_that_scores_1_can_be_drawn():
    """Its net benefit falls without limit as p nears 1; the line ends below the axes."""
    curve = ic.net_benefit_curve(ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 1.0, 0.5, 0.2], name="m"))
    axes = plots.NetBenefitDisplay(curve, between=(0, 1)).plot().ax_
    assert min(np.min(line.get_ydata()) for line in axes.lines if line.get_gid() is None) == -1.0
    assert axes.get_ylim()[0] > -1.0

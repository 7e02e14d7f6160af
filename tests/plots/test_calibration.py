import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.plots import CalibrationDisplay


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

import itertools

import numpy as np
import pytest
from hmeasure import h_score
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

import isocost as ic
from isocost.errors import InputError, UnknownNameError
from strategies import curves, inside_unit, samples

SCORES = ([1, 1, 0, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.75, 0.6, 0.5, 0.4, 0.35, 0.3, 0.2, 0.1])


@given(samples(kinds=("tied", "probabilities"), weighted=(None,)), st.sampled_from([None, 0.05, 1.0, 12.0]))
def test_value_equals_the_python_package(sample, severity_ratio):
    """To 1e-9, with its default and with given severity ratios; it takes scores between 0 and 1 only."""
    expected = h_score(sample.y, sample.s, severity_ratio=severity_ratio)
    assert ic.h_measure(sample.curve, severity_ratio=severity_ratio) == pytest.approx(expected, abs=1e-9)


@given(samples(kinds=("tied", "probabilities"), weighted=(None,)))
def test_the_2014_distribution_equals_the_python_package(sample):
    """The package means it by a negative severity ratio."""
    expected = h_score(sample.y, sample.s, severity_ratio=-1)
    assert ic.h_measure(sample.curve, beta="2014") == pytest.approx(expected, abs=1e-9)


def by_quadrature(curve, a, b, pi):
    """1 - L/L₀ from every operating point, piece by piece between every crossing."""
    x, y = curve.fpr, curve.tpr
    rise, run = pi * (y[:, None] - y), (1 - pi) * (x[:, None] - x)
    with np.errstate(invalid="ignore", divide="ignore"):
        cuts = rise / (rise + run)
    edges = np.union1d(cuts[(cuts > 0) & (cuts < 1)], [0.0, pi, 1.0])
    pdf = stats.beta(a, b).pdf

    def mean(points):
        h, k = points
        loss = lambda c: np.min(c * (1 - pi) * h + (1 - c) * pi * (1 - k)) * pdf(c)  # noqa: E731
        return sum(integrate.quad(loss, low, high, epsabs=1e-13)[0] for low, high in itertools.pairwise(edges))

    return 1 - mean((x, y)) / mean((np.array([0.0, 1.0]), np.array([0.0, 1.0])))


@pytest.mark.parametrize("beta", [(2, 2), (1.3, 4.0), (5, 1), "2009", "2014"])
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_value_equals_quadrature_for_any_beta(beta, prevalence):
    """Published and other distributions, at the data's prevalence or another."""
    curve = ic.RocCurve.from_scores(*SCORES)
    pi = 0.4 if prevalence is None else prevalence
    a, b = {"2009": (2, 2), "2014": (1 + pi, 2 - pi)}.get(beta, beta) if isinstance(beta, str) else beta
    expected = by_quadrature(curve, a, b, pi)
    assert ic.h_measure(curve, beta=beta, prevalence=prevalence) == pytest.approx(expected, abs=1e-10)


def test_default_is_the_severity_ratio_of_the_prevalence():
    """Beta(2, 1 + 1/ratio), whose mode is where both trivial classifiers cost the same."""
    curve = ic.RocCurve.from_scores(*SCORES)
    assert ic.h_measure(curve) == ic.h_measure(curve, severity_ratio=2 / 3) == ic.h_measure(curve, beta=(2, 2.5))
    assert ic.h_measure(curve, beta="2009") == ic.h_measure(curve, beta=(2, 2)) == ic.h_measure(curve, severity_ratio=1)


@given(curves(), inside_unit)
def test_value_lies_between_no_use_and_perfect(curve, prevalence):
    """Never below the trivial classifiers, which may always be used."""
    assert -1e-9 <= ic.h_measure(curve, prevalence=prevalence) <= 1 + 1e-12


def test_scores_that_rank_backwards_are_not_flipped():
    """R's package would report the flipped score; here a useless ranking is worth nothing."""
    backwards = ic.RocCurve.from_scores([0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1])
    assert ic.h_measure(backwards) == pytest.approx(0, abs=1e-15)
    assert h_score(np.array([0, 0, 1, 1]), np.array([0.9, 0.8, 0.2, 0.1])) == pytest.approx(0, abs=1e-15)


def test_scores_of_any_range_are_taken():
    """The Python package refuses scores beyond the labels; only their order matters."""
    y, s = np.array(SCORES[0]), np.array(SCORES[1])
    logits = np.log(s / (1 - s))
    with pytest.raises(TypeError):
        h_score(y, logits)
    assert ic.h_measure(ic.RocCurve.from_scores(y, logits)) == ic.h_measure(ic.RocCurve.from_scores(y, s))


def test_continuous_curves_are_asked_for_a_sample():
    """As by the area under the hull, and by losses over a part of the rates."""
    curve = ic.RocCurve.from_distributions(stats.norm(1.2, 1.5), stats.norm(0, 1))
    for call in (
        lambda: ic.h_measure(curve, prevalence=0.2),
        lambda: ic.measures.auch(curve),
        lambda: ic.measures.kendall_loss(curve, prevalence=0.2, between=(0.1, 0.4)),
    ):
        with pytest.raises(InputError, match="is continuous: sample it"):
            call()


def test_bad_options_are_explained():
    """Two distributions at once, impossible parameters, unknown names, a class that never occurs."""
    curve = ic.RocCurve.from_scores(*SCORES)
    with pytest.raises(InputError, match="give severity_ratio or beta"):
        ic.h_measure(curve, severity_ratio=1, beta=(2, 2))
    with pytest.raises(InputError, match="severity_ratio must be positive and finite, got 0"):
        ic.h_measure(curve, severity_ratio=0)
    with pytest.raises(InputError, match="beta b must be positive and finite, got inf"):
        ic.h_measure(curve, beta=(1, np.inf))
    with pytest.raises(InputError, match="beta must be a pair, got 3"):
        ic.h_measure(curve, beta=3)
    with pytest.raises(UnknownNameError, match="unknown beta '2010': did you mean '2014', '2009'"):
        ic.h_measure(curve, beta="2010")
    with pytest.raises(InputError, match="prevalence must lie strictly between 0 and 1, got 1"):
        ic.h_measure(curve, prevalence=1)
    with pytest.raises(InputError, match="the prevalence is unknown"):
        ic.h_measure(ic.RocCurve.from_points([0.1], [0.8]))

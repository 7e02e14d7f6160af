import numpy as np
import pytest

from isocost.conditions import integrate
from isocost.errors import ConditionError


def test_integrates_smooth_kinked_and_singular_functions():
    """Against closed forms, each interval on its own."""
    edges = np.array([0.0, 0.25, 1.0])
    assert integrate(np.exp, edges) == pytest.approx(np.diff(np.exp(edges)), abs=1e-15)
    assert integrate(lambda x: np.abs(x - 1 / 3), edges).sum() == pytest.approx(5 / 18, abs=1e-13)
    assert integrate(lambda x: 1 / np.sqrt(x), edges).sum() == pytest.approx(2, abs=1e-9)
    assert integrate(np.log, edges).sum() == pytest.approx(-1, abs=1e-12)


def test_an_interval_without_width_has_no_integral():
    """Equal edges contribute nothing, and are never evaluated."""
    assert integrate(np.exp, np.array([0.5, 0.5, 1.0]))[0] == 0


def test_what_cannot_be_integrated_says_so():
    """Rather than return a wrong number."""
    with pytest.raises(ConditionError, match="could not be integrated"):
        integrate(lambda x: np.random.default_rng(0).random(x.shape) * 1e3, np.array([0.0, 1.0]))

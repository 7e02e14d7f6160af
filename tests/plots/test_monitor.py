import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def test_an_estimate_is_drawn_as_shares_of_steps():
    """Bars for what was seen, lowest scores first."""
    rng = np.random.default_rng(2)
    y = np.arange(600) < 200
    found = ic.estimate_prevalence((y, rng.normal(size=600) + y), rng.normal(size=300))
    axes = found.plot().ax_
    heights = [patch.get_height() for patch in axes.patches]
    assert heights == pytest.approx([100 * share for share in found.steps["seen"]][::-1])
    assert "only the prevalence moved" in axes.get_title().replace("\n", " ")


def test_only_an_estimate_is_drawn():
    """By name."""
    with pytest.raises(InputError, match="PrevalenceEstimate"):
        plots.PrevalenceDisplay(3)

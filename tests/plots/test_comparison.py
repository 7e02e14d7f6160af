import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def test_comparison_brings_its_condition_and_winners(curves, condition):
    """Certain conditions are marked, uncertain ones shaded."""
    certain = plots.ComparisonDisplay(ic.Comparison(curves, condition=condition))
    assert certain.condition == condition
    assert [win.name for win in certain.winners] == [win.name for win in ic.Comparison(curves).winners()]
    over = ic.Conditions.uniform(t=(0.2, 0.4))
    uncertain = plots.ComparisonDisplay(ic.Comparison(curves, condition=over))
    assert uncertain.over is over
    assert uncertain.condition is None
    given = plots.ComparisonDisplay(ic.Comparison(curves, condition=condition), condition=ic.Condition())
    assert given.condition == ic.Condition()


def test_curves_alone_are_refused(curves):
    """Winners are the comparison's to say."""
    with pytest.raises(InputError, match="comparison must be a Comparison, got list"):
        plots.ComparisonDisplay(curves)

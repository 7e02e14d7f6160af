import numpy as np
import pytest

import isocost as ic

CURVE = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hull": np.zeros(3)}, "hull must be True or False"),
        ({"condition": 0.3}, "condition must be a Condition, got float"),
        ({"rates": "x"}, "rates"),
        ({"rates": [0.5, 2]}, "rates"),
        ({"highlight": 3}, "highlight must be names in a list, got int"),
        ({"highlight": [3]}, "highlight must be names, got int among them"),
        ({"prevalence": (0.1, 0.4)}, "prevalence"),
    ],
)
def test_options_of_a_figure_are_checked_by_name(options, message):
    """Before anything is drawn, in a figure of its own and from a result alike."""
    with pytest.raises(ic.IsocostError, match=message):
        ic.plots.RocDisplay(CURVE, **options)
    with pytest.raises(ic.IsocostError, match=message):
        CURVE.plot(**options)


@pytest.mark.parametrize(
    ("display", "given", "options", "message"),
    [
        ("CostDisplay", ic.cost_curve(CURVE), {"bands": 3}, "bands must be bands of a bootstrap in a list, got int"),
        ("CostDisplay", ic.cost_curve(CURVE), {"over": 0.3}, "over must be a Condition or Conditions, got float"),
        ("CostDisplay", ic.cost_curve(CURVE), {"winners": [1]}, r"winners must be what winners\(\) returns, got int"),
        ("WinnersDisplay", CURVE, {}, r"winners must be what winners\(\) returns in a list, got RocCurve"),
        ("WinnersDisplay", ic.Comparison([CURVE]).winners(), {"unsure": [(0.5, 0.2)]}, "unsure has low > high"),
        ("RocSurfaceDisplay", CURVE, {}, "surface must be a RocSurface or one of its patches, got RocCurve"),
        ("DifferenceDisplay", ic.cost_curve(CURVE), {"significant": [(0.1, 0.2)]}, "significant must be ranges"),
        ("ComparisonDisplay", ic.Comparison([CURVE]), {"best_case": CURVE}, "best_case goes with curves"),
    ],
)
def test_what_a_figure_is_of_is_checked(display, given, options, message):
    """A sentence, and no error of an attribute that is not there."""
    with pytest.raises(ic.IsocostError, match=message):
        getattr(ic.plots, display)(given, **options)


def test_a_figure_is_of_a_size_that_can_be_drawn():
    """Neither infinite nor as wide as a street."""
    with pytest.raises(ic.IsocostError, match="width must be between 1 and 100"):
        ic.plots.RocDisplay(CURVE).sized(1e9)

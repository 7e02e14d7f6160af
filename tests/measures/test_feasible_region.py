import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from isocost.errors import InfeasibleError, InputError
from isocost.measures.voros import FeasibleRegion
from oracles import volume
from strategies import inside_unit, unit

limits = st.fixed_dictionaries(
    {},
    optional={
        "min_precision": st.floats(0, 0.99), "max_flagged": st.floats(0.01, 1), "min_tpr": st.floats(0, 0.9),
        "max_fpr": st.floats(0.05, 1),
    },
)  # fmt: skip


@given(limits, inside_unit)
def test_area_equals_the_clipped_square(limits, pi):
    """Whatever is limited, the polygon has the area that cutting the square with each half-plane leaves."""
    expected = volume.area(volume.region(pi, **limits))
    try:
        region = FeasibleRegion.within(limits, pi)
    except InfeasibleError:
        assert expected < 1e-12
    else:
        assert region.area == pytest.approx(expected, rel=1e-9, abs=1e-15)


@given(limits, inside_unit, unit, unit)
def test_points_inside_keep_every_limit(limits, pi, fpr, tpr):
    """Membership is the definition of each limit, read literally."""
    try:
        region = FeasibleRegion.within(limits, pi)
    except InfeasibleError:
        reject()
    try:
        inside = region.feasible(np.array([fpr]), np.array([tpr]))[0]
    except InfeasibleError:
        inside = False
    flagged = pi * tpr + (1 - pi) * fpr
    kept = [
        flagged * limits.get("min_precision", 0) - pi * tpr,
        flagged - limits.get("max_flagged", 1),
        limits.get("min_tpr", 0) - tpr,
        fpr - limits.get("max_fpr", 1),
    ]
    assert not inside or max(kept) <= 1e-12
    assert inside or max(kept) > -1e-12


EMPTY = [
    ({"max_fpr": 0}, 0.3, "by max_fpr=0:"),
    ({"min_tpr": 1}, 0.3, "by min_tpr=1:"),
    ({"min_precision": 1}, 0.3, "by min_precision=1 at prevalence 0.3:"),
    ({"max_flagged": 0.1, "min_tpr": 0.5}, 0.4, "by max_flagged=0.1 and min_tpr=0.5 at prevalence 0.4:"),
    ({"max_flagged": 0.2, "min_tpr": 0.5}, 0.4, "by max_flagged=0.2 and min_tpr=0.5 at prevalence 0.4:"),
    ({"min_precision": 0.5}, 0.0, "at prevalence 0:"),
]


@pytest.mark.parametrize(("limits", "pi", "message"), EMPTY)
def test_limits_that_leave_no_area_are_named(limits, pi, message):
    """All of them, and the prevalence if it matters."""
    with pytest.raises(InfeasibleError) as caught:
        FeasibleRegion.within(limits, pi)
    assert str(caught.value).startswith("no area of ROC space is left")
    assert message in str(caught.value)


@pytest.mark.parametrize("kind", ["min_precision", "max_flagged", "min_tpr", "max_fpr"])
@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, "much"])
def test_limits_out_of_range_are_errors(kind, value):
    """They are shares."""
    with pytest.raises(InputError, match=f"{kind} must be"):
        FeasibleRegion.within({kind: value}, 0.3)


@pytest.mark.parametrize(
    ("limits", "area"),
    [
        ({"max_flagged": 1e-6}, 1e-12 / (2 * 0.3 * 0.7)),
        ({"min_precision": 1 - 1e-12}, 0.3 / 0.7 * 1e-12 / 2),
        ({"max_fpr": 1e-9, "min_tpr": 1 - 1e-3}, 1e-12),
    ],
)
def test_narrow_regions_are_not_mistaken_for_none(limits, area):
    """Strict limits leave little area, not none."""
    assert FeasibleRegion.within(limits, 0.3).area == pytest.approx(area, rel=1e-3)

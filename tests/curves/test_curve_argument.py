import inspect

import pytest

import isocost as ic
from isocost.curves.roc import wanted
from isocost.errors import InputError

Y, S = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
ROOMS = (ic, ic.measures, ic.curves, ic.decide, ic.curves, ic.inference, ic.metrics)
TAKERS = {
    name: getattr(room, name)
    for room in ROOMS
    for name in room.__all__
    if inspect.isfunction(getattr(room, name))
    and next(iter(inspect.signature(getattr(room, name)).parameters), "") == "curve"
}


@pytest.mark.parametrize("name", sorted(TAKERS))
def test_a_function_that_takes_a_curve_says_which_one_takes_labels(name):
    """Given labels and scores, as other libraries take them: by position or by name."""
    needed = [p.name for p in inspect.signature(TAKERS[name]).parameters.values() if p.default is p.empty][1:]
    rest = dict.fromkeys(needed, 0.5)
    for given in (Y, None, 0.5, {"a": S}):
        with pytest.raises(
            InputError, match=f"^{name} takes a RocCurve, got {type(given).__name__}; .*labels and scores"
        ):
            TAKERS[name](given, **rest)
    with pytest.raises(InputError, match=f"^{name} takes a RocCurve, got list"):
        TAKERS[name](curve=Y, **rest)


def test_the_function_named_takes_labels():
    """Measures have a form of their own; of anything else one makes a curve first."""
    assert wanted("auc", Y, "auc_score") == (
        "auc takes a RocCurve, got list; auc_score(y_true, y_score) takes labels and scores"
    )
    assert wanted("cost_curve", Y) == (
        "cost_curve takes a RocCurve, got list; of labels and scores make one first: cost_curve(RocCurve.from_scores(y_true, y_score))"
    )
    for name in ic.registered_measures():
        with pytest.raises(InputError, match=rf"{name}_score\(y_true, y_score\) takes labels"):
            getattr(ic.measures, name)(Y)
        assert callable(getattr(ic.measures, f"{name}_score"))
